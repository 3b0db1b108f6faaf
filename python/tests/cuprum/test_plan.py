"""Statements that are planned (``mode.deferred``), beside the same statements at once."""

import copy
import os
import pickle
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cuprum as cp
from cuprum.testing import assert_frame_equal, assert_series_equal


@pytest.fixture(autouse=True)
def _plans_of_few_rows():
    with cp.option_context("mode.late_rows", 0, "mode.deferred", "on"):
        yield


def shops(rows=60):
    numbers = np.arange(rows)
    return cp.DataFrame(
        {
            "shop": numbers % 7,
            "kind": [None if row % 11 == 0 else ["é", "b", "cc"][row % 3] for row in range(rows)],
            "sold": cp.Series([None if row % 13 == 0 else row * 0.5 for row in range(rows)], dtype="float64"),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(numbers % 5, unit="D"),
            "open": numbers % 2 == 0,
        }
    )


def towns():
    return cp.DataFrame(
        {"number": [0, 1, 2, 3, 3, 8], "town": ["a", "b", "é", None, "b", "z"], "people": [5, 3, 9, 1, 2, 4]}
    )


def joined():
    return shops().merge(towns(), left_on="shop", right_on="number")


def traced(capsys):
    """Return how rows were found since the last call, and by which function."""
    lines = capsys.readouterr().err.splitlines()
    return [line.split(": ")[1].split(",")[0] for line in lines]


# Results.

CONDITIONS = [
    lambda j: j["town"] == "b",
    lambda j: j["sold"] > 4,
    lambda j: j["open"],
    lambda j: ~j["open"],
    lambda j: j["kind"].isin(["é", "cc"]),
    lambda j: j["kind"].str.contains("[cé]"),
    lambda j: j["town"].str.startswith("b"),
    lambda j: j["sold"].between(1, 20) & (j["people"] < 9),
    lambda j: (j["town"] == "é") | (j["kind"] == "b"),
    lambda j: ((j["town"] == "a") & (j["shop"] < 3)) | ((j["town"] == "b") & (j["sold"] > 9.5)),
    lambda j: j["sold"] < j["people"],
    lambda j: j["day"] >= pd.Timestamp("2024-01-03"),
    lambda j: j["day"].dt.day == 2,
    lambda j: j["kind"].str.len() > 1,
    lambda j: j["people"].isin([1, 9]),
]
STATEMENTS = [
    lambda j: j[j["open"]],
    lambda j: j.assign(value=j["sold"] * (1 - j["people"])),
    lambda j: j.assign(flag=j["open"].astype("int64")),
    lambda j: j.assign(sold=j["sold"].where(j["open"], 0.0)),
    lambda j: j[["town", "kind", "sold", "people", "open", "day", "shop"]],
    lambda j: j.drop(columns=["number"], errors="ignore"),
    lambda j: j.rename(columns={"number": "nr"}),
    lambda j: j.loc[j["sold"] > 3],
    lambda j: j.merge(
        towns().rename(columns={"people": "size", "town": "name", "number": "n2"}),
        left_on="people",
        right_on="n2",
    ),
    lambda j: j.merge(towns().rename(columns={"people": "s2", "number": "n3"}), how="left", on="town"),
]
ENDS = [
    lambda j: j,
    lambda j: j.groupby("town", as_index=False)["sold"].sum(),
    lambda j: j.groupby(["kind", "open"]).agg(most=("sold", "max"), n=("people", "count")),
    lambda j: j.groupby("kind")["sold"].transform("sum").to_frame(),
    lambda j: j["sold"].sum(),
    lambda j: j["sold"][j["open"]].sum(),
    lambda j: j.loc[j["open"], "people"].to_frame(),
    lambda j: len(j),
    lambda j: j.sort_values("sold", kind="stable"),
    lambda j: j.head(3),
    lambda j: j["town"].value_counts().to_frame(),
    lambda j: j.to_pandas().shape,
    lambda j: j.reset_index(drop=True),
    lambda j: j[["sold", "people"]].mean().to_frame(),
]


def same(one, other):
    if isinstance(one, cp.DataFrame):
        assert_frame_equal(one, other)
    else:
        assert one == other or (one != one and other != other)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(CONDITIONS + STATEMENTS), max_size=5),
    st.lists(st.sampled_from(ENDS), min_size=1, max_size=3),
)
def test_programs(steps, ends):
    def run():
        frame = joined()
        for step in steps:
            if step in CONDITIONS:
                frame = frame[step(frame)]
            else:
                frame = step(frame)
        return [end(frame) for end in ends]

    planned = run()
    with cp.option_context("mode.deferred", "off"):
        written = run()
    for one, other in zip(planned, written, strict=True):
        same(one, other)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_conditions_find_no_rows_by_themselves(condition, capsys):
    with cp.option_context("mode.deferred", "trace"):
        frame = joined()
        frame = frame[condition(frame)]
        assert traced(capsys) == []
        planned = frame.groupby("town", as_index=False)["sold"].sum()
        assert traced(capsys) == ["filters first"]
    with cp.option_context("mode.deferred", "off"):
        frame = joined()
        assert_frame_equal(planned, frame[condition(frame)].groupby("town", as_index=False)["sold"].sum())


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statements_find_no_rows_by_themselves(statement, capsys):
    with cp.option_context("mode.deferred", "trace"):
        statement(joined())
        assert traced(capsys) == []


def test_rows_and_new_columns_are_found_once(capsys):
    with cp.option_context("mode.deferred", "trace"):
        frame = joined()
        frame = frame[frame["people"] > 2]
        frame = frame.assign(value=frame["sold"] * frame["people"])
        frame.groupby("town")["value"].sum()
        frame.groupby("kind")["value"].mean()
        assert traced(capsys) == ["filters first"]


def test_who_asks_for_labels_has_rows_as_written(capsys):
    with cp.option_context("mode.deferred", "trace"):
        frame = joined()
        frame = frame[frame["town"] == "b"]
        assert frame["sold"].sum() > 0
        assert traced(capsys) == ["filters first"]
        labels = frame.index.to_list()
        assert traced(capsys) == ["as written"]
        assert len(frame) == len(labels)
        assert traced(capsys) == []
    with cp.option_context("mode.deferred", "off"):
        frame = joined()
        assert frame[frame["town"] == "b"].index.to_list() == labels


def test_groups_of_a_plan_have_labels_where_they_are_asked_for():
    def run():
        frame = joined()
        groups = frame[frame["people"] > 2].groupby("town")
        sums = groups["sold"].sum()
        return [sums, groups["sold"].cumsum(), groups.head(1), groups.ngroups, groups["sold"].rank()]

    planned = run()
    with cp.option_context("mode.deferred", "off"):
        written = run()
    for one, other in zip(planned, written, strict=True):
        if isinstance(one, cp.Series):
            assert_series_equal(one, other)
        else:
            same(one, other)


@pytest.mark.parametrize("other", [True, "x", None, 1, 2.5])
def test_where_with_values_of_any_type(other):
    def run():
        frame = joined()
        return frame["sold"].where(frame["open"], other).to_pandas()

    planned = run()
    with cp.option_context("mode.deferred", "off"):
        pd.testing.assert_series_equal(planned, run())


# What happens in between.


def test_writes_to_what_is_joined_do_not_show():
    left, right = shops(), towns()
    frame = left.merge(right, left_on="shop", right_on="number")
    kept = frame[frame["people"] > 2]
    expected = joined()
    expected = expected[expected["people"] > 2].to_pandas()
    left.loc[:, "sold"] = -1.0
    right.loc[0, "people"] = 100
    del left, right
    pd.testing.assert_frame_equal(kept.to_pandas(), expected)


@pytest.mark.host
@pytest.mark.parametrize("copy_on_write", [True, False])
def test_writes_from_outside_do_not_show(copy_on_write):
    with cp.option_context("copy_on_write", copy_on_write):
        left, right = shops(), towns()
        frame = left.merge(right, left_on="shop", right_on="number")
        kept = frame[frame["people"] > 2]
        expected = [people for people in joined()["people"].to_list() if people > 2]
        np.asarray(right["people"].data).view("int64")[:] = 0
        assert kept["people"].sum() == sum(expected)
        assert kept["people"].to_list() == expected
        # Memory that is known outside is joined at once.
        known = left.merge(right, left_on="shop", right_on="number")
        before = known["people"].to_list()
        np.asarray(right["people"].data).view("int64")[:] = 7
        assert known["people"].to_list() == before


@pytest.mark.skipif(cp.get_option("device") != "cpu", reason="a forked child cannot use a GPU of its parent")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_finds_rows():
    frame = joined()
    frame = frame[frame["people"] > 2]
    expected = sum(people for people in joined()["people"].to_list() if people > 2)
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if frame["people"].sum() == expected else 1)
        finally:  # of an error: the child is no second run of the tests
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert frame["people"].sum() == expected


def test_results_are_written_to():
    frame = joined()
    shallow, deep = frame.copy(deep=False), frame.copy()
    frame.loc[0, "sold"] = 99.0
    assert frame["sold"].iloc[0] == 99.0
    assert deep["sold"].iloc[0] != 99.0
    with cp.option_context("mode.deferred", "off"):
        written = joined()
        linked = written.copy(deep=False)
        written.loc[0, "sold"] = 99.0
    assert_frame_equal(shallow, linked)


@pytest.mark.parametrize("deferred", ["off", "on"])
def test_shallow_copies_of_columns_that_are_computed_are_linked(deferred):
    with cp.option_context("mode.deferred", deferred):
        frame = joined()
        frame = frame.assign(value=frame["sold"] * frame["people"])
        shallow = frame.copy(deep=False)
        frame.loc[1, "value"] = 99.0
        assert frame["value"].iloc[1] == shallow["value"].iloc[1] == 99.0


def test_copies_and_pickles():
    frame = joined()
    frame = frame[frame["open"]]
    assert_frame_equal(pickle.loads(pickle.dumps(frame)), frame)
    assert_frame_equal(copy.deepcopy(frame), frame)


def test_threads_that_find_one_plan():
    frame = joined()
    frame = frame[frame["people"] > 2]
    found = []
    threads = [
        threading.Thread(target=lambda: found.append((frame["sold"].sum(), len(frame)))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found) == 4


def test_several_filters_of_one_join():
    frame = joined()
    sums = [frame[frame["people"] == people]["sold"].sum() for people in (1, 2, 3, 9)]
    with cp.option_context("mode.deferred", "off"):
        frame = joined()
        assert sums == [frame[frame["people"] == people]["sold"].sum() for people in (1, 2, 3, 9)]


# Errors.


@pytest.mark.parametrize(
    ("statement", "error", "text"),
    [
        (lambda j: j["sell"], KeyError, "sell"),
        (lambda j: j[["town", "sell"]], KeyError, "sell"),
        (lambda j: j.drop(columns="sell"), KeyError, "sell"),
        (lambda j: j["kind"] - j["sold"], TypeError, "str"),
        (lambda j: j["sold"].str.contains("a"), AttributeError, "str"),
        (lambda j: j["kind"].str.contains("("), ValueError, r"\("),
        (lambda j: j.merge(towns(), on="nothing"), KeyError, "nothing"),
        (lambda j: j.merge(shops(), left_on="town", right_on="sold"), ValueError, "merge"),
        (lambda j: j[j["sold"]], KeyError, "no column"),
        (lambda j: j[towns()["people"] > 2], IndexError, "Unalignable"),
    ],
)
def test_errors_come_with_the_statement(statement, error, text):
    frame = joined()
    with pytest.raises(error, match=text) as planned:
        statement(frame)
    with cp.option_context("mode.deferred", "off"), pytest.raises(error) as written:
        statement(joined())
    assert str(planned.value) == str(written.value)
    assert len(frame) > 0


def test_options_are_those_of_the_statement():
    def run():
        frame = joined()
        with cp.option_context("mode.pandas_compatible", False):
            missing = frame["sold"] > 2
            both = frame["kind"] == frame["town"]
        return [missing, both, frame["sold"] > 2]

    planned = run()
    assert planned[0].isna().any()
    with cp.option_context("mode.deferred", "off"):
        for one, other in zip(planned, run(), strict=True):
            assert_series_equal(one, other)


def test_values_of_the_option():
    with pytest.raises(ValueError, match=r"mode\.deferred"):
        cp.set_option("mode.deferred", True)
    for value in ("off", "on", "check", "trace"):
        with cp.option_context("mode.deferred", value):
            assert cp.get_option("mode.deferred") == value


def test_checked_plans():
    with cp.option_context("mode.deferred", "check"):
        frame = joined()
        frame = frame[(frame["town"] == "b") & (frame["sold"] > 2)]
        assert frame.groupby("kind")["sold"].sum().sum() > 0
