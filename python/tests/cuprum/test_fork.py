"""Processes that are forked while other threads use the library, as data loaders do."""

import os
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.host, pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")]

PROGRAM = """
import multiprocessing, os, sys, threading
import numpy as np
import cuprum

spill, children, path = sys.argv[1] == "spill", int(sys.argv[2]), sys.argv[3]
if spill:
    cuprum.set_option("spill", True)
    cuprum.set_option("spill_device_limit", 8 << 20)

ROWS = 300_000

def make():
    frame = cuprum.DataFrame({"k": np.arange(ROWS) % 1000, "v": np.arange(ROWS)})
    return frame, cuprum.DataFrame({"k": np.arange(1000), "w": np.arange(1000) * 2})

shared = make()
shared[0].head(1000).to_csv(path, index=False)

def work(frame, other):
    sums = frame.groupby("k").sum()
    assert int(sums["v"].sum()) == ROWS * (ROWS - 1) // 2
    ordered = frame.sort_values("v", ascending=False)
    assert int(ordered["v"].iloc[0]) == ROWS - 1
    joined = frame.merge(other, on="k")
    assert len(joined) == ROWS and int(joined["w"].max()) == 1998
    assert len(cuprum.read_csv(path)) == 1000

def child():
    import signal
    signal.alarm(100)
    try:
        work(*shared)
    except OSError:
        # What had been spilled is gone when the parent uses the space for something else.
        assert spill
    work(*make())

stop, failures = threading.Event(), []

def loop():
    try:
        while not stop.is_set():
            work(*shared)
    except BaseException as error:
        failures.append(error)

threads = [threading.Thread(target=loop) for _ in range(2)]
for thread in threads:
    thread.start()
context = multiprocessing.get_context("fork")
codes = []
for _ in range(children):
    process = context.Process(target=child)
    process.start()
    process.join()
    codes.append(process.exitcode)
stop.set()
for thread in threads:
    thread.join()
assert not failures, failures
assert codes == [0] * children, codes
print("done")
"""


@pytest.mark.parametrize(("mode", "children"), [("plain", 50), ("spill", 30)])
def test_children_work_while_threads_of_the_parent_do(mode, children, tmp_path):
    arguments = [sys.executable, "-W", "ignore", "-c", PROGRAM, mode, str(children), str(tmp_path / "a.csv")]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=550)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


def test_nothing_of_the_package_is_left_to_import():
    """Another thread could be importing it: the child would wait for that thread."""
    program = (
        "import cuprum, os, pkgutil, sys\n"
        "names = lambda: (module.name for module in pkgutil.walk_packages(cuprum.__path__, 'cuprum.'))\n"
        # What needs Dask or pandas is imported as a whole by who uses that.
        "left = ('cuprum.dask.', 'cuprum.tseries.')\n"
        "every = lambda: {name for name in names() if not (name + '.').startswith(left)}\n"
        "assert 'cuprum.groupby' not in sys.modules\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    loaded = set(sys.modules)\n"
        "    os._exit(not every() <= loaded)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_a_gpu_is_refused():
    program = (
        "import os, sys\n"
        "from cuprum import rmm\n"
        "from cuprum.rmm import mr\n"
        "buffer = rmm.to_device(b'abc', mr=mr.CudaAsyncMemoryResource(device='emulator'))\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    for use in (buffer.tobytes, buffer.copy):\n"
        "        try:\n"
        "            use()\n"
        "        except RuntimeError as error:\n"
        "            print(str(error), file=sys.stderr, flush=True)\n"
        "    del buffer\n"
        "    os._exit(0)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), buffer.tobytes())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stdout) == (0, "0 b'abc'\n"), done.stderr
    assert done.stderr.count("spawn") == len(done.stderr.splitlines()) == 2


def test_pools_of_processes():
    program = (
        "import multiprocessing, cuprum\n"
        "import numpy as np\n"
        "frame = cuprum.DataFrame({'k': np.arange(200_000) % 7, 'v': np.arange(200_000)})\n"
        "def total(i):\n"
        "    return int(frame.groupby('k').sum()['v'].iloc[i])\n"
        "expected = [total(i) for i in range(7)]\n"
        "with multiprocessing.get_context('fork').Pool(2) as pool:\n"
        "    assert pool.map(total, range(7)) == expected\n"
        "print('done')\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=100
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
