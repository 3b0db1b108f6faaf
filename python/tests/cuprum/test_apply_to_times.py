"""Functions of Python over times: the results of calling them with each."""

import warnings

import pandas as pd
import pytest
from oracle import assert_like

import cuprum
from cuprum.errors import PerformanceWarning

pytestmark = pytest.mark.usefixtures("each_call_warns")

TIMES = [
    "2013-01-01",
    "2016-02-29 13:05:07.000123456",
    "1969-12-31 23:59:59.999999999",
    "2000-03-31",
    "2013-06-30",
]

TRACED = [
    lambda t: t.year,
    lambda t: t.month * 100 + t.day,
    lambda t: t.hour * 3600 + t.minute * 60 + t.second + t.microsecond / 1e6,
    lambda t: t.nanosecond,
    lambda t: t.quarter,
    lambda t: t.weekday() < 5,
    lambda t: t.isoweekday() + t.day_of_week,
    lambda t: t.day_of_year,
    lambda t: t.days_in_month,
    lambda t: t.is_leap_year,
    lambda t: t.is_month_start or t.is_month_end,
    lambda t: (t.is_quarter_start, t.is_quarter_end)[0],
    lambda t: t.is_year_end,
    lambda t: f"{t.year}-Q{t.quarter}",
    lambda t: "weekend" if t.weekday() in (5, 6) else "week",
    lambda t: "old" if t.year < 2000 else str(t.year)[2:],
    lambda t: t == t,
    lambda t: t == "2013-01-01",
    lambda t: 1 if t else 2,
]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_parts_of_functions_of_times(unit):
    given = pd.Series(pd.to_datetime(TIMES, format="ISO8601")).astype(f"datetime64[{unit}]")
    series = cuprum.Series(given)
    for function in TRACED:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert_like(series.map(function), given.map(function))


def test_missing_times():
    given = pd.Series(pd.to_datetime(["2013-01-01", None, "2014-05-06"]))
    for function in (
        lambda t: t.year if pd.notna(t) else -1,
        lambda t: "none" if pd.isna(t) else f"{t.month:02d}",
        lambda t: t == t,
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert_like(cuprum.Series(given).map(function), given.map(function))
    with pytest.warns(PerformanceWarning, match="missing time"):
        assert_like(cuprum.Series(given).map(lambda t: t.year), given.map(lambda t: t.year))


def test_rows_with_times():
    frame = pd.DataFrame({"t": pd.to_datetime(["2013-01-01", "2014-05-06"]), "n": [1, 20], "s": ["a", "b"]})
    frame["u"] = frame["t"].iloc[::-1].to_list()
    for function in (
        lambda r: r["t"].year * r["n"],
        lambda r: r["t"] < r["u"],
        lambda r: f"{r['s']}{r['t'].month}" if r.t.day > 1 else r["s"],
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = cuprum.DataFrame(frame).apply(function, axis=1)
        assert_like(found, frame.apply(function, axis=1))


def test_what_is_no_formula():
    given = pd.Series(pd.to_datetime(["2013-01-01", "2014-05-06"]))
    for function, says in (
        (lambda t: t.strftime("%d"), "`strftime` of a time"),
        (lambda t: str(t), "str of"),
        (lambda t: (t - t).days, "`-` of a time"),
        (lambda t: f"{t}", "an operator of times"),
    ):
        with pytest.warns(PerformanceWarning, match=says):
            found = cuprum.Series(given).map(function)
        assert_like(found, given.map(function))
