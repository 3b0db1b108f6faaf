"""Errors of the library as Python exceptions, panics, and Ctrl-C."""

import errno
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from cuprum import _cuprum

SIZES = [0, 5_000, 1 << 20]  # with the GIL, without it, on a thread of its own


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("kind", "exception"),
    [
        ("Logic", RuntimeError),
        ("DataType", TypeError),
        ("OutOfRange", IndexError),
        ("InvalidArgument", ValueError),
        ("KeyNotFound", KeyError),
        ("Overflow", OverflowError),
        ("OutOfMemory", MemoryError),
        ("Cuda", RuntimeError),
        ("Io", OSError),
        ("Unsupported", NotImplementedError),
        ("Interrupted", KeyboardInterrupt),
    ],
)
def test_each_kind_has_its_exception(kind, exception, size):
    with pytest.raises(exception, match="what went wrong") as caught:
        _cuprum._raise(kind, "what went wrong", size_hint=size)
    assert caught.type is exception


@pytest.mark.parametrize(
    ("number", "exception"),
    [
        (errno.ENOENT, FileNotFoundError),
        (errno.EACCES, PermissionError),
        (errno.EISDIR, IsADirectoryError),
        (errno.ENOSPC, OSError),
    ],
)
def test_io_errors_keep_their_number(number, exception):
    with pytest.raises(OSError, match=r"/a/path\.csv") as caught:
        _cuprum._raise("Io", "/a/path.csv", os_error=number)
    assert caught.type is exception
    assert caught.value.errno == number


@pytest.mark.parametrize("size", SIZES)
def test_a_panic_names_the_operation(size, capfd):
    with pytest.raises(RuntimeError, match=r"_raise failed inside the library \(out of cheese\)"):
        _cuprum._raise("panic", "out of cheese", size_hint=size)
    capfd.readouterr()


def test_other_threads_run_meanwhile():
    # Two sleeps of 1 s that held the GIL would take 2 s.
    start = time.perf_counter()
    threads = [threading.Thread(target=_cuprum._spin, args=(1.0, 1 << 20)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.perf_counter() - start < 1.9


def test_ctrl_c_stops_the_work():
    program = textwrap.dedent("""
        import time
        from cuprum import _cuprum
        print("ready", flush=True)
        start = time.perf_counter()
        try:
            _cuprum._spin(20.0, 1 << 20)
        except KeyboardInterrupt:
            print("stopped" if time.perf_counter() - start < 5 else "late", flush=True)
    """)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=15)
    assert output == "stopped\n"


def test_what_a_signal_handler_raises_comes_out():
    class Alarm(Exception):
        pass

    def handler(_number, _frame):
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Alarm):
            _cuprum._spin(20.0, 1 << 20)
    finally:
        signal.signal(signal.SIGALRM, before)
