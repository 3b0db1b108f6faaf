"""Errors of the library as Python exceptions, panics, and Ctrl-C."""

import errno
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pandas as pd
import pytest

import cuprum
from cuprum import _cuprum

LONG = [1 << 20, 2**64 - 1]  # on the calling thread, which looks for signals, and on one of its own
SIZES = [0, 5_000, *LONG]  # with the GIL, and without it


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


@pytest.mark.parametrize("size", LONG)
def test_ctrl_c_stops_the_work(size):
    program = textwrap.dedent(f"""
        import time
        from cuprum import _cuprum
        print("ready", flush=True)
        start = time.perf_counter()
        try:
            _cuprum._spin(20.0, {size})
        except KeyboardInterrupt:
            print("stopped" if time.perf_counter() - start < 5 else "late", flush=True)
    """)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=15)
    assert output == "stopped\n"


@pytest.mark.parametrize("size", LONG)
def test_what_a_signal_handler_raises_comes_out(size):
    class Alarm(Exception):
        pass

    def handler(_number, _frame):
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Alarm):
            _cuprum._spin(20.0, size)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_signal_handler_may_use_what_is_worked_on():
    """It runs in the middle of an operation on the same thread."""
    numbers = np.random.default_rng(1).integers(0, 1000, 1 << 20)
    values = cuprum.Series(numbers, index=numbers[::-1])
    found = []

    def handler(_number, _frame):
        found.append((values.loc[7].sum(), values.groupby(values).sum().iloc[3], values.index.is_unique))
        values.iloc[0] = numbers[0]

    before = signal.signal(signal.SIGALRM, handler)
    try:
        deadline = time.perf_counter() + 30
        while len(found) < 3 and time.perf_counter() < deadline:
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            ordered = values.sort_index().groupby(level=0).sum()
            _cuprum._spin(0.1, 1 << 20)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    wanted = pd.Series(numbers, index=numbers[::-1])
    assert len(found) >= 3
    assert set(found) == {(wanted.loc[7].sum(), 3 * (numbers == 3).sum(), False)}
    assert (ordered.to_numpy() == wanted.groupby(level=0).sum().to_numpy()).all()
