"""Frames whose columns take their rows when they are read: as frames that take them at once, and as pandas' frames."""

import os
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import assert_like

import cuprum

ROWS = st.sampled_from([0, 1, 31, 32, 33, 63, 64, 65, 200])


def frame(rows, seed):
    """Return a frame of pandas with columns of many types, some elements of which are missing."""
    random = np.random.default_rng(seed)
    texts = np.array(["", "ä", "b", "Größe", "ß"], dtype=object)[random.integers(0, 5, rows)]
    floats = random.choice([0.5, -0.0, 1e300, np.nan, 3.0], rows)
    return pd.DataFrame(
        {
            "k": random.integers(0, 8, rows),
            "text": pd.Series(texts, dtype="str").where(random.random(rows) > 0.2),
            "float": floats,
            "time": pd.Series(pd.to_datetime(random.integers(0, 10**9, rows), unit="s")),
            "truth": random.random(rows) > 0.5,
        }
    )


# What a program does to a frame; the other frame has the same columns and other rows.
STEPS = {
    "merge": lambda f, other: with_others(f.merge(other, on="k", suffixes=("", "_other")).iloc[:500], "text"),
    "left": lambda f, other: with_others(
        f.merge(other.iloc[::9], on="k", how="left", suffixes=("", "_other")), "float"
    ),
    "filter": lambda f, other: f[f["float"] < 2],
    "texts": lambda f, other: f[f["text"].str.upper().isin(["Ä", "B"]) | (f["text"] == "Größe")],
    "sort": lambda f, other: f.sort_values(["truth", "k"], ascending=[False, True], kind="stable"),
    "sorted anew": lambda f, other: f.sort_values("float", ignore_index=True, kind="stable"),
    "head": lambda f, other: f.head(17),
    "slice": lambda f, other: f.iloc[3:150:2],
    "assign": lambda f, other: f.assign(year=f["time"].dt.year, double=f["float"] * 2),
    "copy": lambda f, other: f.copy(),
    "reset": lambda f, other: f.reset_index(drop=True),
    "dropna": lambda f, other: f.dropna(subset=["text", "float"]),
    "write": lambda f, other: written(f),
    "select": lambda f, other: f[["k", "text", "float", "time", "truth"]],
}


def with_others(merged, label):
    """Return the columns of the left side, but one of the right side."""
    return merged.assign(**{label: merged[f"{label}_other"]})[["k", "text", "float", "time", "truth"]]


def written(f):
    """Write an element of a copy, which the frame itself does not show."""
    copy = f.copy()
    if len(copy):
        copy.iloc[0, copy.columns.get_loc("float")] = 7.0
    return copy


def run(frames, steps):
    f, other = frames
    for step in steps:
        f = STEPS[step](f, other)
    return f


@given(ROWS, ROWS, st.integers(0, 5), st.lists(st.sampled_from(sorted(STEPS)), min_size=1, max_size=7))
def test_programs(rows, others, seed, steps):
    theirs = frame(rows, seed), frame(others, seed + 1)
    expected = run(theirs, steps)
    made = []
    for late_rows in (0, None):
        with cuprum.option_context("mode.late_rows", late_rows):
            made.append(run([cuprum.from_pandas(f) for f in theirs], steps))
    late, at_once = made
    assert late.equals(at_once) and list(late.dtypes) == list(at_once.dtypes)
    assert late.index.equals(at_once.index) and type(late.index) is type(at_once.index)
    assert_like(late, expected)


def filtered(rows=100_000):
    f = cuprum.DataFrame({"a": np.arange(rows), "b": np.arange(rows) / 2, "c": ["x", "y"] * (rows // 2)})
    return f, f[f["a"] % 2 == 0]


def test_a_write_to_the_frame_that_was_filtered_does_not_show():
    f, even = filtered()
    f.loc[:, "b"] = -1.0
    f["a"] = 0
    assert even["b"].iloc[-1] == 49_999.0 and even["a"].iloc[-1] == 99_998
    even.loc[0, "b"] = 3.5
    assert even["b"].head(2).to_list() == [3.5, 1.0] and f["b"].iloc[0] == -1.0


@pytest.mark.host
@pytest.mark.parametrize("copy_on_write", [True, False])
def test_writes_from_outside_do_not_show(copy_on_write):
    with cuprum.option_context("copy_on_write", copy_on_write):
        f, even = filtered()
        memory = np.asarray(f["b"].data)
        memory.view("float64")[:] = -5.0
        assert even["b"].iloc[-1] == 49_999.0
        # Memory that is known outside is read at once.
        known = f[f["a"] % 2 == 0]
        before = known["b"].iloc[-1]
        np.asarray(f["b"].data).view("float64")[:] = 8.0
        assert known["b"].iloc[-1] == before


def test_linked_copies_of_a_frame_that_was_not_read_see_each_others_writes():
    _, even = filtered()
    shallow = even.copy(deep=False)
    even.loc[0, "b"] = 12.5
    assert shallow["b"].iloc[0] == 12.5
    with cuprum.option_context("copy_on_write", True):
        _, even = filtered()
        shallow = even.copy(deep=False)
        even.loc[0, "b"] = 12.5
        assert shallow["b"].iloc[0] == 0.0


def test_the_option_of_the_time_of_the_filter_counts():
    _, even = filtered()
    shallow = even.copy(deep=False)
    with cuprum.option_context("copy_on_write", True):
        assert even["b"].sum() == sum(range(0, 100_000, 2)) / 2
        even.loc[0, "b"] = 12.5
        assert shallow["b"].iloc[0] == 12.5


def test_memory_usage_is_that_of_the_rows():
    _, even = filtered()
    with cuprum.option_context("mode.late_rows", None):
        _, at_once = filtered()
    assert even.memory_usage(deep=True).to_list() == at_once.memory_usage(deep=True).to_list()


def test_threads_read_one_frame():
    _, even = filtered()
    sums = []
    threads = [
        threading.Thread(target=lambda: sums.append((even["a"].sum(), even["c"].nunique()))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(sums) == {(sum(range(0, 100_000, 2)), 1)} and len(sums) == 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.skipif(
    cuprum.get_option("device") != "cpu", reason="a forked child cannot use a GPU of its parent"
)
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_reads_what_its_parent_has_not():
    _, even = filtered()
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if even["b"].iloc[-1] == 49_999.0 else 1)
        finally:  # of an error: the child is no second run of the tests
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert even["b"].iloc[-1] == 49_999.0


@pytest.mark.parametrize("rows", [-1, 1.5, "many", True])
def test_what_is_no_number_of_rows(rows):
    with pytest.raises(ValueError, match=r"mode\.late_rows"):
        cuprum.set_option("mode.late_rows", rows)
