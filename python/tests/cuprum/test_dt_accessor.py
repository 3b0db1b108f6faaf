"""`dt`: parts of times, rounding and `strftime`."""

import datetime

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import strategies as st
from oracle import SMALL, agree, given, pair

import cuprum

PARTS = [
    "year",
    "month",
    "day",
    "hour",
    "minute",
    "second",
    "microsecond",
    "dayofweek",
    "dayofyear",
    "quarter",
]

stamps = st.datetimes(datetime.datetime(1678, 1, 1), datetime.datetime(2261, 12, 31))
series = st.lists(st.one_of(st.none(), stamps), max_size=10).map(
    lambda v: pd.Series(v, dtype="datetime64[us]")
)


@given(series, st.sampled_from(["s", "ms", "us", "ns"]))
def test_parts_of_dt(s, unit):
    s = s.dt.as_unit(unit)
    for part in PARTS + ["weekday", "day_of_week", "day_of_year", "nanosecond", "is_leap_year"]:
        agree(f"s.dt.{part}", s=s)
    agree("s.dt.normalize()", s=s)


@given(series, st.sampled_from(["D", "h", "min", "s", "ms"]), st.sampled_from(["s", "ms", "us", "ns"]))
def test_rounding(s, frequency, unit):
    s = s.dt.as_unit(unit)
    for how in ("floor", "ceil", "round"):
        agree(f"s.dt.{how}('{frequency}')", s=s)


@pytest.mark.parametrize("frequency", ["15min", "6h", "2D", "30s"])
def test_multiples(frequency):
    s = pd.Series(pd.date_range("1969-12-28", periods=50, freq="7h31min", unit="us"))
    for how in ("floor", "ceil", "round"):
        agree(f"s.dt.{how}('{frequency}')", s=s)


@given(series)
def test_strftime(s):
    for form in ("%Y-%m-%d", "%H:%M:%S", "%d.%m.%Y %H h", "%j %y %B %b %a %A %p %I %%"):
        s = s[s.isna() | (s > "1900")]
        agree(f"s.dt.strftime('{form}')", s=s)


@pytest.mark.parametrize("code", ["lib.Series(t).dt.isocalendar()", "t.isocalendar()"])
def test_weeks_of_iso_8601_have_the_types_of_pandas(code):
    times = pd.DatetimeIndex(["2020-01-01", None, "2021-05-06"])
    agree(f"{code}.to_string()", t=times)
    agree(f"[str(dtype).lower() for dtype in {code}.dtypes]", t=times)
    # Unsigned: less than none.
    agree(f"({code}.week - 60).tolist()", t=times[:1])
    agree(f"({code}.year - 3000).tolist()", t=times[:1])


@pytest.mark.parametrize(
    "expression",
    [
        "s.dt.day_name()",
        "s.dt.month_name()",
        "s.dt.is_month_start",
        "s.dt.is_month_end",
        "s.dt.is_year_start",
        "s.dt.days_in_month",
        "s.dt.isocalendar().week.tolist()[0]",
        "s.dt.unit",
        "s.dt.as_unit('ns')",
        "s.dt.as_unit('s')",
        "s.astype('datetime64[s]')",
        "s.astype('int64')",
        "s.astype('str')",
        "s.min(), s.max()",
        "s.sort_values()",
        "s.dt.year.value_counts()",
        "s.groupby(s.dt.year).count()",
        "s == '2013-01-01'",
        "s.between('2000-01-01', '2013-12-31')",
        "s.isin([np.datetime64('2013-01-01')])",
    ],
)
def test_spellings_of_dt(expression):
    agree(
        expression,
        s=pd.Series(
            pd.to_datetime(
                ["2013-01-01", "2000-02-29 12:34:56.789", "1969-12-31", "2012-12-31"], format="ISO8601"
            )
        ),
    )


def test_scalars():
    s = pair(pd.Series(pd.to_datetime(["2013-01-01 05:00:00.25"], format="ISO8601"))).ours
    assert s[0] == pd.Timestamp("2013-01-01 05:00:00.25")
    assert s.iloc[0] == np.datetime64("2013-01-01T05:00:00.250")
    assert cuprum.Series([datetime.datetime(2013, 1, 1)])[0] == datetime.datetime(2013, 1, 1)


def test_running_sums_and_quantiles_at_their_limits():
    far = pd.Series(pd.to_timedelta([2**62, 2**62, 5]))
    with pytest.raises(OverflowError, match="row 1"):
        cuprum.Series(far).cumsum()
    times = pd.Series(pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-05", "2021-03-04"]))
    shares = [0.1, 0.2, 0.3, 0.7, 0.9, 1 / 3]
    for unit in ("s", "ms", "us", "ns"):
        of_unit = times.dt.as_unit(unit)
        ours = cuprum.Series(of_unit).quantile(shares).to_pandas()
        if unit == "ns":  # pandas' floats hold these to 256 ns
            assert (abs(ours - of_unit.quantile(shares)) < pd.Timedelta("1us")).all()
        else:
            pd.testing.assert_series_equal(ours, of_unit.quantile(shares))


@pytest.mark.parametrize("dtype", ["M8[D]", "datetime64[D]", "m8[D]", "M8", "timedelta64", np.dtype("M8[D]")])
def test_types_of_times_count_seconds_or_parts_of_them(dtype):
    times = pd.Series(pd.to_datetime(["2020-01-01", None]))
    lengths = times - times
    kind = "m" if "m8" in str(dtype) or "timedelta" in str(dtype) else "M"
    for lib in (pd, cuprum):
        source = lib.Series(lengths if kind == "m" else times)
        makers = [
            lambda: source.astype(dtype),
            lambda: source.to_frame("t").astype(dtype),
            lambda: source.to_frame("t").astype({"t": dtype}),
            lambda: lib.Series([1] if kind == "m" else ["2020-01-01"], dtype=dtype),
            lambda: lib.DataFrame({"t": [1] if kind == "m" else ["2020-01-01"]}, dtype=dtype),
            lambda: lib.Index([1] if kind == "m" else ["2020-01-01"], dtype=dtype),
        ]
        for make in makers:
            with pytest.raises((TypeError, ValueError)):
                make()
    with pytest.raises(ValueError, match="unit"):
        cuprum.Series(times).dt.as_unit("D")
    with pytest.raises(ValueError, match="unit"):
        cuprum.Series(lengths).dt.as_unit("D")
    with pytest.raises(ValueError, match="unit"):
        cuprum.DatetimeIndex(["2020-01-01"]).as_unit("h")


def test_days_of_arrow_stay_days():
    days = cuprum.Series(pa.array([1, None], pa.date32()))
    assert days.dtype == "date32"
    assert days.astype(days.dtype).dtype == "date32"


@pytest.mark.parametrize("name", ["time", "timetz"])
@pytest.mark.parametrize("zone", [None, "Europe/Oslo"])
def test_times_of_day_are_objects(name, zone):
    theirs = pd.Series(
        pd.to_datetime(["2024-01-01 09:30:00.5", None, "2024-07-01 10:00:00.25"]), list("abc"), name="t"
    )
    theirs = theirs.dt.tz_localize(zone)
    expected, made = getattr(theirs.dt, name), getattr(cuprum.Series(theirs).dt, name)
    assert made.to_list() == expected.to_list() or repr(made.to_list()) == repr(expected.to_list())
    assert (made.name, made.index.to_list(), made.dtype) == ("t", list("abc"), object)
    assert repr(made) == repr(expected)


def test_times_as_objects_of_python():
    agree("s.dt.to_pydatetime()", s=pd.Series(pd.to_datetime(["2024-01-01 05:00", None])))


def test_strftime_has_nanoseconds():
    agree(
        "lib.Series([pd.Timestamp('2019-05-18 15:17:08.132263123'), pd.NaT]).dt.strftime('%S.%N')",
        **SMALL,
        kept=...,
    )
