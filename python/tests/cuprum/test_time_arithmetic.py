"""Operators of times and durations beside numbers, truth values, dates and missing times."""

import datetime

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree
from small_frames import times_and_durations

import cuprum


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("df < pd.NaT", TypeError, "'<' not supported between elements of type int64 and NaT"),
        ("pd.NaT >= df", TypeError, "'<=' not supported between elements of type int64 and NaT"),
        ("df['a'] >= pd.NaT", TypeError, "'>=' not supported between elements of type int64 and NaT"),
        ("df['a'] + pd.NaT", TypeError, "'+' not supported between elements of type int64 and NaT"),
        ("pd.NaT - df", TypeError, "'-' not supported between elements of type int64 and NaT"),
        ("df * pd.NaT", TypeError, "'*' not supported between elements of type int64 and NaT"),
    ],
)
def test_a_missing_time_is_no_operand_of_integers(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda lib: times_and_durations(lib)["d"] * 2, id="durations times an integer"),
        pytest.param(lambda lib: times_and_durations(lib)["t"] < pd.NaT, id="times before NaT"),
        pytest.param(lambda lib: times_and_durations(lib)["t"].eq(None), id="times are None"),
    ],
)
def test_durations_and_times_beside_scalars(call):
    agree(call)


DAY = datetime.date(2000, 1, 1)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda lib: times_and_durations(lib)["t"] == DAY, id="a date: equal"),
        pytest.param(lambda lib: times_and_durations(lib)["t"] != DAY, id="a date: unequal"),
        pytest.param(lambda lib: times_and_durations(lib)[["t"]] == DAY, id="a date: of a frame"),
        pytest.param(lambda lib: lib.Index(times_and_durations(lib)["t"]) == DAY, id="a date: of an index"),
        pytest.param(
            lambda lib: times_and_durations(lib)["t"].isin([DAY, pd.Timestamp("2000-01-02")]),
            id="a date: among",
        ),
    ],
)
def test_dates_equal_no_time(call):
    agree(call)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: times_and_durations(lib)["d"] * True,
            TypeError,
            "Cannot multiply 'timedelta64[us]' by bool, explicitly",
            id="durations times a truth value",
        ),
        pytest.param(
            lambda lib: np.True_ * times_and_durations(lib)["d"],
            TypeError,
            "Cannot multiply 'timedelta64[us]' by bool, explicitly",
            id="a truth value times durations",
        ),
        pytest.param(
            lambda lib: times_and_durations(lib)["d"] * lib.Series([True, False, True]),
            TypeError,
            "Cannot multiply 'timedelta64[us]' by bool, explicitly",
            id="durations times truth values",
        ),
        pytest.param(
            lambda lib: lib.Series([True, False, True]) * times_and_durations(lib)["d"],
            TypeError,
            "Cannot multiply 'timedelta64[us]' by bool, explicitly",
            id="truth values times durations",
        ),
        pytest.param(
            lambda lib: times_and_durations(lib)[["d"]] * True,
            TypeError,
            "Cannot multiply 'timedelta64[us]' by bool, explicitly",
            id="a frame of durations times a truth value",
        ),
    ],
)
def test_truth_values_do_not_multiply_durations(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: times_and_durations(lib)["d"] / pd.NaT,
            TypeError,
            "unsupported operand type(s) for /: 'timedelta64[us]' and",
            id="durations by NaT",
        ),
        pytest.param(
            lambda lib: times_and_durations(lib)["t"] < None,
            TypeError,
            "Invalid comparison between dtype=datetime64[us] and",
            id="times before None",
        ),
        pytest.param(
            lambda lib: times_and_durations(lib)["t"] < pd.NA,
            TypeError,
            "Invalid comparison between dtype=datetime64[us] and NAType",
            id="times before NA",
        ),
        pytest.param(
            lambda lib: times_and_durations(lib)[["t"]] < None,
            TypeError,
            "Invalid comparison between dtype=datetime64[us] and",
            id="a frame of times before None",
        ),
    ],
)
def test_none_and_missing_values_are_not_compared_with_times(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: times_and_durations(lib)["t"] < DAY,
            TypeError,
            "Invalid comparison between dtype=datetime64[us] and date",
            id="a date: before",
        ),
        pytest.param(
            lambda lib: times_and_durations(lib)["t"] - DAY,
            TypeError,
            "Invalid comparison between dtype=datetime64[us] and date",
            id="a date: subtracted",
        ),
        pytest.param(
            lambda lib: times_and_durations(lib)["t"].between(DAY, DAY),
            TypeError,
            "Invalid comparison between dtype=datetime64[us] and date",
            id="a date: between",
        ),
    ],
)
def test_dates_are_not_compared_with_times(call, error, text):
    agree(call, refused=(error, text))


DAYS = pd.to_timedelta([1, 2], unit="D")


@pytest.mark.parametrize("how", ["__mul__", "__truediv__", "__floordiv__", "__mod__", "__add__", "__sub__"])
def test_truth_values_are_no_operands_of_durations(how: str) -> None:
    for lib in (pd, cuprum):
        frame, flags = lib.DataFrame({"a": DAYS}), lib.DataFrame({"a": [True, False]})
        for one, other in [
            (frame, flags),
            (frame["a"], flags["a"]),
            (frame["a"], True),
            (frame["a"], np.array([True, True])),
            (lib.Index(DAYS), np.array([True, True])),
            (frame, True),
        ]:
            with pytest.raises(TypeError):
                getattr(one, how)(other)
    for lib in (pd, cuprum):
        with pytest.raises(TypeError):
            lib.Series([True, False]) * lib.Series(DAYS)
    agree(lambda lib: lib.Series(DAYS) * lib.Series([2, 3]))
    agree(lambda lib: lib.Series(DAYS) / lib.Series([2, 0.5]))
