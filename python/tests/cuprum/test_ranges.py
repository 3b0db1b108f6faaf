"""`date_range` and `timedelta_range` beside pandas."""

import datetime as dt

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, given

import cuprum
from cuprum.core.tools import ranges

FREQUENCIES = [
    "D",
    "3D",
    "h",
    "36h",
    "15min",
    "90s",
    "250ms",
    "us",
    "B",
    "2B",
    "W",
    "W-MON",
    "2W-WED",
    "MS",
    "2MS",
    "ME",
    "3ME",
    "QS",
    "QS-FEB",
    "2QS",
    "QE",
    "QE-JAN",
    "YS",
    "YS-JUN",
    "YE",
    "2YE-MAR",
]
TIMES = [
    "2020-01-01", "2020-02-29", "2019-12-31 12:00", "2020-01-04", "2020-01-05 23:59:59", "1969-11-15", "1970-01-01",
    "2020-03-31 06:30",
]  # fmt: skip


def both(function, *args, **kwargs):
    agree(lambda lib: getattr(lib, function)(*args, **kwargs))


@given(
    st.sampled_from(TIMES),
    st.sampled_from(FREQUENCIES),
    st.integers(0, 5),
    st.booleans(),
    st.sampled_from(["both", "left", "right", "neither"]),
    st.booleans(),
)
def test_periods_of_ranges(time, freq, periods, forward, inclusive, normalize):
    ends = {"start" if forward else "end": time}
    both("date_range", **ends, periods=periods, freq=freq, inclusive=inclusive, normalize=normalize)


@given(
    st.sampled_from(TIMES),
    st.integers(-3, 400),
    st.integers(0, 47),
    st.sampled_from(FREQUENCIES[:5] + FREQUENCIES[8:]),
    st.sampled_from(["both", "left", "right", "neither"]),
)
def test_from_start_to_end(time, days, hours, freq, inclusive):
    end = pd.Timestamp(time) + pd.Timedelta(days=days, hours=hours / 2)
    both("date_range", time, end, freq=freq, inclusive=inclusive)


@given(st.sampled_from(TIMES), st.integers(0, 400), st.integers(0, 86_399_999_999), st.integers(2, 9))
def test_equal_distances(time, days, microseconds, periods):
    end = pd.Timestamp(time) + pd.Timedelta(days=days, microseconds=microseconds)
    both("date_range", time, end, periods=periods)


@pytest.mark.parametrize(
    "arguments",
    [
        {"start": "2020-01-01", "periods": 2, "freq": "ns"},
        {"start": "2020-01-01 00:00:00.000000001", "periods": 2},
        {"start": dt.datetime(2020, 1, 1, 5), "periods": 2, "freq": "-1D", "normalize": True},
        {"start": np.datetime64("2020-01-01", "s"), "periods": 2},
        {"start": np.datetime64("2020-01-01", "s"), "periods": 3, "freq": "ms"},
        {"start": pd.Timestamp("2020-01-01"), "periods": 2, "unit": "ns", "name": "x"},
        {"start": "2020-01-01", "end": "2020-01-01", "inclusive": "neither"},
        {"start": "2020-01-04", "end": "2020-01-01"},
        {"start": "2020-01-04", "end": "2020-01-01", "freq": "-1D"},
    ],
)
def test_ends_units_and_zones(arguments):
    both("date_range", **arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"start": "2020-03-28 12:00", "periods": 3},
        {"start": "2020-03-28 12:00", "periods": 3, "freq": "12h"},
        {"start": "2020-03-28", "end": "2020-03-30", "periods": 5, "freq": None},
        {"start": "2020-01-01", "end": "2020-06-01", "freq": "MS", "inclusive": "right"},
        {"end": "2020-03-31 18:00", "periods": 3, "freq": "2B", "normalize": True},
    ],
)
def test_instants(arguments):
    """The times of a zone, which are no row labels yet."""
    arguments = {
        "start": None,
        "end": None,
        "freq": "D",
        "inclusive": "both",
        "normalize": False,
        **arguments,
    }
    arguments = {"periods": None, **arguments, "tz": "Europe/Berlin"}
    series = cuprum.Series(ranges._times(**arguments, unit=None))
    expected = pd.Series(pd.date_range(**arguments))
    assert str(series.dtype) == str(expected.dtype)
    assert series.to_pandas().tolist() == expected.tolist()


@pytest.mark.parametrize(
    "arguments",
    [
        {"periods": 3, "freq": "36h"},
        {"periods": 3, "freq": "-1h"},
        {"periods": 4},
        {"end": dt.timedelta(days=3, hours=1)},
        {"end": dt.timedelta(days=3), "periods": 4},
        {"end": np.timedelta64(3, "D"), "freq": "D", "closed": "right"},
    ],
)
def test_durations_of_ranges(arguments):
    both("timedelta_range", pd.Timedelta(hours=1), **arguments)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"start": "2020-01-01"}, ValueError),
        ({"start": "2020-01-01", "end": "2020-01-02", "periods": 3, "freq": "D"}, ValueError),
        ({"start": "2020-01-01", "periods": -1}, ValueError),
        ({"start": "2020-01-01", "periods": 2.5}, TypeError),
        ({"start": "2020-01-01", "periods": 2, "freq": "H"}, ValueError),
        ({"start": "2020-01-01", "periods": 2, "freq": "0D"}, ValueError),
        ({"start": pd.NaT, "periods": 2}, ValueError),
        ({"start": "2020-01-01", "periods": 2, "inclusive": "all"}, ValueError),
        ({"start": "2020-01-01", "periods": 2, "unit": "D"}, ValueError),
        ({"start": "2020-01-01 00:00:00.5", "periods": 2, "unit": "s"}, ValueError),
        ({"start": "2020-01-01", "periods": 2, "freq": "ms", "unit": "s"}, ValueError),
        ({"start": "2020-01-01", "periods": 2, "tz": "Mars/Base"}, ValueError),
        ({"start": "2020-01-01", "periods": 2**20, "freq": "YS", "unit": "ns"}, OverflowError),
        ({"start": 5, "periods": 2}, TypeError),
    ],
)
def test_what_is_no_range(arguments, error):
    with pytest.raises(error):
        cuprum.date_range(**arguments)


@pytest.mark.parametrize("number", ["2", "-3", "0", "True", "np.int32(3)", "np.int64(-5)", "np.array(4)"])
@pytest.mark.parametrize("labels", ["lib.RangeIndex(0, 10, 2, name='x')", "lib.RangeIndex(0)"])
def test_a_range_stays_one_beside_every_kind_of_integer(labels, number):
    for operator in "+-*":
        if operator == "*" and number == "0":
            continue
        for code in (f"{labels} {operator} {number}", f"{number} {operator} {labels}"):
            expected = eval(code, {"lib": pd, "np": np})
            actual = eval(code, {"lib": cuprum, "np": np})
            assert type(actual) is cuprum.RangeIndex
            pd.testing.assert_index_equal(actual.to_pandas(), expected, exact=True)


@pytest.mark.parametrize(
    "labels", [pd.RangeIndex(3), pd.RangeIndex(0), pd.RangeIndex(-1, -9, -2), pd.Index([1.5])]
)
def test_signs_of_labels(labels):
    for function in (abs, lambda index: +index, lambda index: -index):
        pd.testing.assert_index_equal(
            function(cuprum.from_pandas(labels)).to_pandas(), function(labels), exact=True
        )
    with pytest.raises(TypeError):
        +cuprum.Index(["a"])
