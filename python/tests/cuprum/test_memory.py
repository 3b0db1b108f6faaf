"""Memory of what was deleted goes back to the system."""

import os
import subprocess
import sys
import time

import pytest

import cuprum

pytestmark = pytest.mark.skipif(
    not os.path.exists("/proc/self/statm"), reason="Linux says how much is resident"
)

CODE = """
import os, sys, time
import cuprum

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20

frame = cuprum.DataFrame({"a": range(5_000_000), "b": 1.5})
frame["c"] = frame.a * frame.b
frame.sort_values("b"), frame.groupby(frame.a % 1000).sum()
with_it = resident()
del frame
wait = sys.argv[1]
if wait == "trim":
    cuprum.memory.trim()
elif wait == "fork":
    # The thread that gives memory back is the parent's.
    if os.fork():
        status = os.wait()[1]
        sys.exit(os.waitstatus_to_exitcode(status))
    frame = cuprum.DataFrame({"a": range(5_000_000), "b": 1.5})
    del frame
    time.sleep(1.5)
else:
    time.sleep(1.5)
after = resident()
assert with_it > after + 90, (with_it, after)
assert after < 200, (with_it, after)
"""


@pytest.mark.host
@pytest.mark.parametrize("wait", ["time", "trim", "fork"])
def test_of_a_deleted_frame(wait: str) -> None:
    done = subprocess.run([sys.executable, "-c", CODE, wait], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_trim_leaves_what_is_used() -> None:
    frame = cuprum.DataFrame({"a": range(100_000), "s": ["x"] * 100_000})
    cuprum.memory.trim()
    time.sleep(0.01)
    assert frame.a.sum() == 100_000 * 99_999 // 2
