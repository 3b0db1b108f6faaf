"""Memory that moves out of the way: options, the manager, locks and exposure, results under a limit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import cuprum
from cuprum.core.buffer import acquire_spill_lock, get_spill_lock
from cuprum.core.buffer.spill_manager import SpillManager, get_global_manager

pytestmark = pytest.mark.host

ROWS = 10_000
LIMIT = 150_000


@pytest.fixture
def spilling() -> Iterator[SpillManager]:
    """Spilling without a limit, which every test puts back."""
    with cuprum.option_context("spill", True):
        manager = get_global_manager()
        assert manager is not None
        manager.reset_statistics()
        yield manager


def test_the_example_of_the_reference(spilling: SpillManager) -> None:
    with cuprum.option_context("spill_stats", 1):
        assert str(spilling.statistics) == "Spill Statistics (level=1):\n  Spilling (level >= 1): None"
        series = cuprum.Series([1, 2, 3])
        assert series.data.spill() == 24
        stats = get_global_manager().statistics
        assert re.fullmatch(
            r"Spill Statistics \(level=1\):\n  Spilling \(level >= 1\):\n    cpu => disk: 24B in \d\.\d{4}",
            str(stats),
        )
        assert stats.level == 1
        assert stats.spill_totals["cpu", "disk"][0] == 24
        assert series.to_list() == [1, 2, 3]
        assert "disk => cpu: 24B in " in repr(spilling.statistics)
        assert stats.exposes == {}


def test_off_by_default() -> None:
    for name, default in {
        "spill": False,
        "spill_on_demand": True,
        "spill_device_limit": None,
        "spill_host_limit": None,
        "spill_directory": None,
        "spill_stats": 0,
    }.items():
        assert cuprum.get_option(name) == default, name
        assert name in (cuprum.describe_option(name, _print_desc=False) or "")
    assert get_global_manager() is None
    data = cuprum.Series([1, 2]).data
    assert not data.spillable
    assert not data.is_spilled
    assert data.spill() == 0


@pytest.mark.parametrize(
    ("name", "value", "error", "message"),
    [
        ("spill", 1, ValueError, "'spill' must be True or False, not 1"),
        ("spill_device_limit", -1, ValueError, "'spill_device_limit' must be a non-negative integer"),
        ("spill_host_limit", "1GB", ValueError, "'spill_host_limit' must be"),
        ("spill_stats", 3, ValueError, "`spill_stats` is 3; levels are 0, 1 and 2"),
        ("spill_directory", "/does/not/exist", FileNotFoundError, "/does/not/exist"),
        ("spill_directory", "/dev/null", NotADirectoryError, "/dev/null"),
        ("spill_directory", 3, ValueError, "'spill_directory' must be a directory or None, not 3"),
    ],
)
def test_wrong_settings_change_nothing(
    spilling: SpillManager, name: str, value: object, error: type[Exception], message: str
) -> None:
    before = cuprum.get_option(name)
    with pytest.raises(error, match=re.escape(message)):
        cuprum.set_option(name, value)
    assert cuprum.get_option(name) == before


@pytest.mark.parametrize("prefix", ["CUPRUM", "CUDF"])
def test_the_environment(prefix: str, tmp_path: Path) -> None:
    program = (
        "import cuprum\n"
        "from cuprum.core.buffer.spill_manager import get_global_manager\n"
        "names = 'spill', 'spill_on_demand', 'spill_device_limit', 'spill_host_limit', 'spill_stats'\n"
        "print([cuprum.get_option(name) for name in names], cuprum.get_option('spill_directory'))\n"
        "s = cuprum.Series(range(1000)); s.data.spill(); print(s.sum())\n"
        "print(list(get_global_manager().statistics.spill_totals))\n"
    )
    settings = {
        "SPILL": "on",
        "SPILL_ON_DEMAND": "OFF",
        "SPILL_DEVICE_LIMIT": "100000",
        "SPILL_HOST_LIMIT": "200000",
        "SPILL_STATS": "1",
        "SPILL_DIRECTORY": str(tmp_path),
    }
    environment = {**os.environ, **{f"{prefix}_{name}": value for name, value in settings.items()}}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        f"[True, False, 100000, 200000, 1] {tmp_path}",
        "499500",
        "[('cpu', 'disk'), ('disk', 'cpu')]",
    ]
    assert list(tmp_path.iterdir()) == []


def test_locks_keep_memory_for_a_while(spilling: SpillManager) -> None:
    series = cuprum.Series([1, 2, 3])
    data = series.data
    assert data.spillable
    with acquire_spill_lock() as lock:
        assert get_spill_lock() is lock
        address = data.get_ptr(mode="read")
        with acquire_spill_lock() as inner:
            assert inner is lock
        assert data.spill() == 0
        assert not data.spillable
        assert data.get_ptr(mode="read") == address
    del lock, inner
    assert get_spill_lock() is None
    assert not data.exposed
    assert data.spill() == 24
    assert data.is_spilled
    data.spill_lock(held := cuprum.core.buffer.SpillLock())
    assert not data.is_spilled
    assert data.spill() == 0
    del held
    assert data.spill() == 24

    @acquire_spill_lock()
    def read() -> int:
        others: list[object] = []
        thread = threading.Thread(target=lambda: others.append(get_spill_lock()))
        thread.start()
        thread.join()
        assert others == [None]
        return data.get_ptr(mode="read")

    assert read() != 0
    assert data.spillable
    # Without a lock the address is given away for good.
    data.get_ptr(mode="read")
    assert data.exposed
    assert not data.spillable
    assert data.spill() == 0
    assert series.data.exposed


def exporters() -> dict[str, object]:
    return {
        "mark_exposed": lambda s: s.data.mark_exposed(),
        "get_ptr": lambda s: s.data.get_ptr(mode="read"),
        "__array_interface__": lambda s: s.data.__array_interface__,
        "to_numpy": lambda s: s.to_numpy(),
        "__arrow_c_array__": lambda s: pa.array(s),
        "to_arrow": lambda s: s.to_arrow(),
    }


@pytest.mark.parametrize("how", exporters())
def test_what_is_handed_out_stays_where_it_is(spilling: SpillManager, how: str) -> None:
    series = cuprum.Series(np.arange(1000))
    kept = exporters()[how](series)
    assert series.data.exposed
    assert spilling.spill_device_memory(10**9) == 0
    assert not series.data.is_spilled
    assert series.sum() == 499500
    del series
    if isinstance(kept, (np.ndarray, pa.Array)):
        assert int(np.asarray(kept).sum()) == 499500


def test_who_exposes_is_told(spilling: SpillManager) -> None:
    with cuprum.option_context("spill_stats", 2):
        both = cuprum.Series([1, 2, 3]), cuprum.Series([4, 5, 6])
        both[0].data.spill()
        for series in both * 2:  # the second time it is exposed already
            series.data.get_ptr(mode="read")
        exposes = spilling.statistics.exposes
        assert [(count, size, away) for count, size, away in exposes.values()] == [(2, 48, 24)]
        (traceback,) = exposes
        assert "test_spilling.py" in traceback
        assert "test_who_exposes_is_told" in traceback
        text = str(spilling.statistics)
        assert (
            "Exposed buffers (level >= 2):\n    exposed 2 times, total: 48B, spilled: 24B, traceback:" in text
        )


def test_the_manager(spilling: SpillManager) -> None:
    old, new = cuprum.Series(np.arange(ROWS)), cuprum.Series(np.arange(ROWS))
    old.sum()
    buffers = spilling.buffers(order_by_access_time=True)
    assert [buffer.nbytes for buffer in buffers[-2:]] == [8 * ROWS] * 2
    assert buffers[-1].device == buffers[-1].tier == "cpu"
    assert spilling.usage()["cpu", "cpu"] >= 16 * ROWS
    assert spilling.spill_device_memory(1) == 8 * ROWS
    assert new.data.is_spilled
    assert not old.data.is_spilled
    assert spilling.spill_to_device_limit(0) >= 8 * ROWS
    assert old.data.is_spilled
    assert spilling.usage()["cpu", "disk"] == 16 * ROWS
    assert re.match(r"<SpillManager spill_on_demand=True device_limit=N/A \| .*disk of cpu: ", repr(spilling))
    assert get_global_manager() is spilling


def frame() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "key": rng.integers(0, 300, ROWS),
            "city": rng.choice(["Bern", "São Paulo", "東京", "Rome"], ROWS),
            **{f"x{i}": rng.integers(-(10**9), 10**9, ROWS) for i in range(8)},
            "y": pd.Series(rng.normal(size=ROWS)).where(rng.random(ROWS) > 0.1),
        }
    )


def test_results_under_a_limit(spilling: SpillManager) -> None:
    expected = frame()
    assert expected.drop(columns="city").memory_usage(index=False).sum() > 5 * LIMIT
    with cuprum.option_context("spill_device_limit", LIMIT, "spill_stats", 1):
        df = cuprum.DataFrame({name: cuprum.Series(expected[name]) for name in expected})
        assert spilling.usage()["cpu", "disk"] > LIMIT
        assert spilling.usage()["cpu", "cpu"] <= LIMIT
        pd.testing.assert_frame_equal(
            df.sort_values(["city", "x3"]).to_pandas(),
            expected.sort_values(["city", "x3"], kind="stable"),
            check_dtype=False,
        )
        pd.testing.assert_frame_equal(
            df.groupby("key").agg({"x1": "sum", "x2": "max", "y": "mean"}).to_pandas(),
            expected.groupby("key").agg({"x1": "sum", "x2": "max", "y": "mean"}),
        )
        merged = df[["key", "x0"]].merge(df[["key", "x1"]].drop_duplicates("key"), on="key")
        assert len(merged) == ROWS
        assert df[df["x5"] > 0]["x5"].sum() == expected[expected["x5"] > 0]["x5"].sum()
        copy = df.copy()
        copy.loc[:, "x0"] = 1
        assert df["x0"].sum() == expected["x0"].sum()
        assert spilling.statistics.spill_totals["cpu", "disk"][0] > LIMIT


def test_threads(spilling: SpillManager) -> None:
    expected = frame()
    df = cuprum.DataFrame(expected)
    errors: list[BaseException] = []
    done = threading.Event()

    def spill() -> None:
        while not done.is_set():
            spilling.spill_device_memory(10**9)

    def read(name: str) -> None:
        try:
            for _ in range(30):
                assert df[name].sum() == expected[name].sum()
                assert df[name].max() == expected[name].max()
        except BaseException as error:
            errors.append(error)

    spiller = threading.Thread(target=spill)
    readers = [threading.Thread(target=read, args=(f"x{i % 3}",)) for i in range(4)]
    for thread in (spiller, *readers):
        thread.start()
    for thread in readers:
        thread.join()
    done.set()
    spiller.join()
    assert errors == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_fork(spilling: SpillManager) -> None:
    """A forked child reads what its parent has spilled, spills on its own, and disturbs nothing."""
    program = (
        "import os, cuprum\n"
        "cuprum.set_option('spill', True)\n"
        "a, b = cuprum.Series(range(500)), cuprum.Series(range(500))\n"
        "a.data.spill(); b.data.spill()\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    c = cuprum.Series([1] * 500); c.data.spill()\n"
        "    ok = a.sum() == 124750 and c.sum() == 500\n"
        "    del a, b, c\n"
        "    os._exit(0 if ok else 1)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), a.sum(), b.sum())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("0 124750 124750\n", "")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="files without names cannot be opened")
def test_a_file_that_was_tampered_with(spilling: SpillManager, tmp_path: Path) -> None:
    with cuprum.option_context("spill_directory", str(tmp_path)):
        series = cuprum.Series(np.arange(1000))
        series.data.spill()
        files = [fd for fd in list(Path("/proc/self/fd").iterdir()) if str(tmp_path) in os.path.realpath(fd)]
        assert len(files) == 1
        with files[0].open("r+b") as file:
            file.seek(4000)
            file.write(b"\xff")
        with pytest.raises(OSError, match="changed or damaged"):
            series.sum()
        with pytest.raises(OSError, match="changed or damaged"):
            series.sum()
        assert cuprum.Series([1, 2]).sum() == 3


def test_a_full_disk(tmp_path: Path) -> None:
    """The memory stays where it was, results are right, and asking for space is an error."""
    program = (
        "import resource, signal, sys, cuprum, numpy as np\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from cuprum.core.buffer.spill_manager import get_global_manager\n"
        "cuprum.set_option('spill', True, 'spill_directory', sys.argv[1], 'spill_device_limit', 1000)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, resource.RLIM_INFINITY))\n"
        "series = [cuprum.Series(np.full(10_000, i)) for i in range(4)]\n"
        "print([int(s.sum()) for s in series])\n"
        "try:\n    get_global_manager().spill_device_memory(10**6)\n"
        "except OSError as error:\n    print(type(error).__name__, error)\n"
    )
    environment = {**os.environ, "CUPRUM_LOGGING_LEVEL": "OFF"}
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    sums, error = done.stdout.splitlines()
    assert sums == "[0, 10000, 20000, 30000]"
    assert error.startswith("OSError")
    assert "cannot spill 80000 bytes to" in error
    assert str(tmp_path) in error
