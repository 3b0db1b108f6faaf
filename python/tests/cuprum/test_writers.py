"""Writers in several threads: nobody waits for the writer of another object, and no change is lost."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest

from cuprum import DataFrame, Series, get_option

pytestmark = pytest.mark.usefixtures("linked_copies")


def test_writes_while_others_read(mode):
    # Away from the host an element is set in a copy, and kernels on the emulator take their time.
    rows, writes = (300_000, 2000) if get_option("device") == "cpu" else (3000, 50)
    series = Series(np.zeros(rows, dtype="int64"))
    linked = series.copy(deep=False)
    failures, stop = [], threading.Event()

    def read():
        try:
            while not stop.is_set():
                total = linked.sum()
                assert total == 0 if mode else 0 <= total <= writes
                linked.sort_values().head(1).to_list()
        except BaseException as error:  # handed to the main thread
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for row in range(writes):
        series.iloc[row] = 1
    stop.set()
    for reader in readers:
        reader.join()
    assert not failures
    assert series.sum() == writes and linked.sum() == (0 if mode else writes)


def in_threads(*functions):
    """Run functions at the same time; raise what one of them raises."""
    start, interval = threading.Barrier(len(functions)), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(len(functions)) as pool:
            for job in [pool.submit(lambda f=f: (start.wait(), f())) for f in functions]:
                job.result()
    finally:
        sys.setswitchinterval(interval)


CHANGES = {
    "rows": lambda frame, label, i: frame.iloc.__setitem__((slice(None), frame.columns.get_loc(label)), i),
    "mask": lambda frame, label, i: frame.loc.__setitem__((frame[label] >= 0, label), i),
    "replace": lambda frame, label, i: frame.replace({label: {i - 1: i}}, inplace=True),
    "column": lambda frame, label, i: frame.__setitem__(label, i),
    "columns": lambda frame, label, i: frame.__setitem__([label], np.full((len(frame), 1), i)),
    "eval": lambda frame, label, i: frame.eval(f"{label} = {label} + 1", inplace=True),
}


@pytest.mark.parametrize("how", CHANGES)
def test_two_writers_lose_nothing(mode, how):
    frame = DataFrame({"a": np.zeros(3000, "int64"), "b": np.zeros(3000, "int64")})
    linked = frame.copy(deep=False)

    def write(label):
        for i in range(1, 101):
            CHANGES[how](frame, label, i)
            assert (frame[label] == i).all()

    in_threads(lambda: write("a"), lambda: write("b"))
    if how in ("rows", "mask", "replace"):
        assert linked["a"].max() == linked["b"].min() == (0 if mode else 100)


def test_two_writers_of_linked_series(mode):
    series = Series(np.zeros(4000, "int64"))
    linked = series.copy(deep=False)
    halves = np.arange(2000), np.arange(2000, 4000)

    def write(target, rows):
        for i in range(1, 101):
            target.iloc[rows] = i
            assert (target.iloc[rows] == i).all()

    in_threads(lambda: write(series, halves[0]), lambda: write(linked, halves[1]))
    assert series.sum() == (200_000 if mode else 400_000) == linked.sum()


@contextmanager
def writing(target):
    """A change of an object that is under way in another thread."""
    begun, done = threading.Event(), threading.Event()

    def act():
        begun.set()
        assert done.wait(timeout=60)

    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(target._alone, act)
        assert begun.wait(timeout=60)
        try:
            yield
        finally:
            done.set()
            job.result()


def test_copies_made_in_threads_are_one_group():
    for _ in range(50):
        series = Series([1, 2, 3])
        copies = []
        in_threads(*[lambda: copies.append(series.copy(deep=False))] * 4)
        series[0] = 9
        assert [copied.to_list() for copied in copies] == [[9, 2, 3]] * 4


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.copy(deep=False),
        lambda s: s.__setitem__(0, 9),
        lambda s: s.fillna(0, inplace=True),
        lambda s: setattr(s, "name", "k"),
        lambda s: setattr(s.index, "name", "k"),
        lambda s: setattr(s, "index", [1, 2, 3]),
    ],
)
def test_who_changes_or_links_waits_for_writers(change):
    series = Series([1, 2, 3])
    with ThreadPoolExecutor(1) as pool, writing(series):
        job = pool.submit(change, series)
        with pytest.raises(TimeoutError):
            job.result(timeout=0.05)
    job.result(timeout=30)


def test_writers_of_linked_objects_wait_for_each_other():
    series = Series([1, 2, 3])
    linked = series.copy(deep=False)
    apart = series.copy(deep=False)
    apart.sort_values(ascending=False, inplace=True)  # other rows: linked no longer
    with ThreadPoolExecutor(1) as pool, writing(series):
        pool.submit(apart.__setitem__, 0, 9).result(timeout=30)
        job = pool.submit(linked.__setitem__, 0, 7)
        with pytest.raises(TimeoutError):
            job.result(timeout=0.05)
    job.result(timeout=30)
    assert (series.to_list(), apart.to_list()) == ([7, 2, 3], [3, 2, 9])


def test_a_reader_does_not_wait_for_writers(mode):
    series = Series([1, 2, 3])
    with ThreadPoolExecutor(1) as pool, writing(series):
        read = pool.submit(
            lambda: (series.sum(), series[0], series[1:].to_list(), series.fillna(0).to_list())
        )
        assert read.result(timeout=30) == (6, 1, [2, 3], [1, 2, 3])


def test_writers_of_unrelated_frames_do_not_wait():
    one, other = DataFrame({"a": [1, None]}), DataFrame({"a": [2, None]})
    with ThreadPoolExecutor(1) as pool:

        def act(handle):
            changes = [
                lambda: other.fillna(0, inplace=True),
                lambda: other.sort_values("a", inplace=True),
                lambda: other.loc.__setitem__((0, "a"), 5),
                lambda: other.__setitem__("b", 1),
                lambda: other.copy(deep=False).iloc.__setitem__((0, 0), 6),
            ]
            for change in changes:
                pool.submit(change).result(timeout=30)
            return handle.fillna(3)

        one._changed(act, inplace=True)
    assert one["a"].to_list() == [1, 3] and other["b"].to_list() == [1, 1]


# What a user's function is given to, with something that it may answer.
CALLS = {
    "where": lambda frame, call: frame.where(lambda d: call(d > 1), -1, inplace=True),
    "where other": lambda frame, call: frame.where(frame > 1, lambda d: call(-d), inplace=True),
    "mask": lambda frame, call: frame.mask(lambda d: call(d > 1), -1, inplace=True),
    "loc": lambda frame, call: frame.loc.__setitem__(lambda d: call(d["a"] > 1), -1),
    "loc columns": lambda frame, call: frame.loc.__setitem__((0, lambda d: call(["a"])), -1),
    "iloc": lambda frame, call: frame.iloc.__setitem__(lambda d: call([0, 1]), -1),
    "series where": lambda frame, call: frame["a"].where(lambda d: call(d > 1), -1, inplace=True),
    "series loc": lambda frame, call: frame["a"].loc.__setitem__(lambda d: call(d > 1), -1),
    "sort_values": lambda frame, call: frame.sort_values("a", key=lambda s: call(-s), inplace=True),
    "series sort_values": lambda frame, call: frame["a"].sort_values(key=lambda s: call(-s), inplace=True),
    "sort_index": lambda frame, call: frame.sort_index(key=lambda i: call(i), inplace=True),
    "rename rows": lambda frame, call: frame.rename(lambda label: call(label), inplace=True),
    "rename columns": lambda frame, call: frame.rename(columns=lambda label: call(label), inplace=True),
    "assign": lambda frame, call: frame.assign(b=lambda d: call(1)),
    "values": lambda frame, call: frame.__setitem__("a", (call(v) for v in [1, 2, 3])),
    "elements": lambda frame, call: frame.loc.__setitem__(
        (frame["a"] > 0, "a"), (call(v) for v in [1, 2, 3])
    ),
    "labels": lambda frame, call: setattr(frame, "columns", (call(label) for label in ["a", "b"])),
    "index": lambda frame, call: setattr(frame, "index", (call(label) for label in [5, 6, 7])),
}


@pytest.mark.filterwarnings("ignore::pandas.errors.ChainedAssignmentError")
@pytest.mark.parametrize("how", CALLS)
def test_no_lock_is_held_while_a_function_of_the_user_runs(mode, how):
    frame = DataFrame({"a": [3, 1, 2], "b": [1, 2, 3]})
    linked = frame.copy(deep=False)
    calls = []

    def call(answer):
        # Whoever calls it may not hold the lock of the frame: another thread changes that meanwhile.
        if not calls:
            calls.append(1)
            with ThreadPoolExecutor(1) as pool:
                pool.submit(frame.iloc.__setitem__, (0, 0), 30).result(timeout=30)
                pool.submit(linked.iloc.__setitem__, (1, 0), 10).result(timeout=30)
                pool.submit(frame.loc.__setitem__, (slice(None), "b"), 7).result(timeout=30)
        return answer

    CALLS[how](frame, call)
    assert calls
    if how in ("sort_values", "sort_index", "rename rows", "rename columns", "index", "labels"):
        # What was written meanwhile is not lost.
        first = frame.iloc[:, 0].to_list()
        assert sorted(first) == ([1, 2, 30] if mode else [2, 10, 30])
        assert frame.iloc[:, 1].to_list() == [7, 7, 7]
    if how == "sort_values":
        assert first == ([30, 2, 1] if mode else [30, 10, 2])


def test_functions_that_write_each_others_frames():
    frames = [DataFrame({"a": [3, 1, 2]}), DataFrame({"a": [3, 1, 2]})]
    both = threading.Barrier(2)

    def change(own, other):
        def key(column):
            if other.columns.name is None:
                both.wait(timeout=30)
                other.columns.name = "written"
            return column

        own.sort_values("a", key=key, inplace=True)

    with ThreadPoolExecutor(2) as pool:
        for job in [pool.submit(change, *frames), pool.submit(change, *frames[::-1])]:
            job.result(timeout=60)
    assert [frame["a"].to_list() for frame in frames] == [[1, 2, 3]] * 2
    assert [frame.columns.name for frame in frames] == ["written"] * 2


FORK = """
import os, threading
import cuprum

series, stop = cuprum.Series([1, 2, 3]), threading.Event()

def write():
    while not stop.is_set():
        series.fillna(0, inplace=True)

threading.Thread(target=write, daemon=True).start()
for _ in range(20):
    child = os.fork()
    if not child:
        series[0] = 9
        os._exit(series[0])
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
stop.set()
"""


@pytest.mark.host
def test_fork_while_others_write():
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], check=True, timeout=60)
