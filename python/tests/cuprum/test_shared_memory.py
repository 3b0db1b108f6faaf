"""Work on columns whose memory another thread writes to through NumPy meanwhile: whatever comes out, no memory is
read or written that is not the column's, and no error but the one that says so."""

import subprocess
import sys
import textwrap

import pytest

# Values that fall into few parts, into others, and into all of them: places that were counted for one are too
# few for the next.
SCRIPT = """
import sys, threading, time
import numpy as np
import cuprum
from cuprum import DataFrame, Series

operation, seconds = sys.argv[1], float(sys.argv[2])
rows = 300_000
random = np.random.default_rng(7)
low = random.integers(0, 1_000, rows)
low[:2] = 0, 2_000_000_000
patterns = [low, 2_000_000_000 - low, random.integers(0, 2_000_000_000, rows), np.full(rows, 1_999_999_999)]
# A map of rows that exist, and of rows that do not.
inside = random.integers(0, rows, rows)
maps = [inside, inside[::-1], inside - (1 << 40), inside + (1 << 40)]

def frame(values):
    return DataFrame({"a": values, "b": np.arange(rows), "c": np.arange(rows) * 0.5})

if operation in ("gather", "scatter"):
    patterns = maps
shared = Series(patterns[0])
table = frame(patterns[0])
other = frame(patterns[2])
views = [np.asarray(shared.data).view(np.int64), np.asarray(table["a"].data).view(np.int64)]
target = Series(np.arange(rows) * 0.5)
strings = Series([f"text {i % 1000}" for i in range(rows)])

def low_level(call):
    import pylibcuprum as plc
    return call(plc)

OPERATIONS = {
    "sort_values": lambda: shared.sort_values(),
    "argsort": lambda: shared.argsort(),
    "sort_frame": lambda: table.sort_values("a"),
    "sort_frame_two": lambda: table.sort_values(["a", "b"]),
    "groupby_sum": lambda: table.groupby("a").sum(),
    "groupby_median": lambda: table.groupby("a").median(),
    "merge_left": lambda: table.merge(other, on="a", how="left"),
    "merge_right": lambda: other.merge(table, on="a", how="inner"),
    "drop_duplicates": lambda: shared.drop_duplicates(),
    "value_counts": lambda: shared.value_counts(),
    "nunique": lambda: shared.nunique(),
    "rank": lambda: shared.rank(),
    "isin": lambda: other["a"].isin(shared),
    "nlargest": lambda: shared.nlargest(1000),
    "quantile": lambda: shared.quantile(0.3),
    "gather": lambda: target.take(shared),
    "filter": lambda: table[table["a"] > 1_000],
    "duplicated": lambda: shared.duplicated(),
}

stop = threading.Event()
def write():
    while not stop.is_set():
        for pattern in patterns:
            for view in views:
                np.copyto(view, pattern)

writers = [threading.Thread(target=write, daemon=True) for _ in range(2)]
for writer in writers:
    writer.start()
end, done, refused = time.monotonic() + seconds, 0, 0
while time.monotonic() < end or done + refused == 0:
    try:
        OPERATIONS[operation]()
        done += 1
    except (RuntimeError, IndexError) as error:
        assert "inside the library" not in str(error), error
        refused += 1
stop.set()
for writer in writers:
    writer.join()
print(operation, done, refused)
"""

OPERATIONS = [
    line.strip().split('"')[1]
    for line in SCRIPT.splitlines()
    if line.startswith('    "') and ": lambda:" in line
]


@pytest.mark.host
@pytest.mark.parametrize("operation", OPERATIONS)
def test_memory_that_changes_meanwhile(operation):
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), operation, "0.7"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, f"{run.returncode}: {run.stderr[-2000:]}"
