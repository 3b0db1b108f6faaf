"""Times and offsets of pandas beside pandas."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, given

import cuprum
import cuprum.errors

OFFSETS = [
    pd.DateOffset(months=1),
    pd.DateOffset(years=1, months=-2),
    pd.DateOffset(days=2, hours=3),
    pd.DateOffset(months=1, normalize=True),
    pd.DateOffset(month=2),
    pd.offsets.MonthEnd(),
    pd.offsets.MonthEnd(-2),
    pd.offsets.MonthEnd(0),
    pd.offsets.MonthEnd(normalize=True),
    pd.offsets.MonthBegin(3),
    pd.offsets.BMonthEnd(),
    pd.offsets.BMonthBegin(-1),
    pd.offsets.BDay(),
    pd.offsets.BDay(-7),
    pd.offsets.BDay(0),
    pd.offsets.BDay(2, offset=pd.Timedelta(hours=1)),
    pd.offsets.CDay(holidays=["2024-01-02"]),
    pd.offsets.Week(),
    pd.offsets.Week(normalize=True),
    pd.offsets.BDay(offset=pd.Timedelta(hours=1)),
    pd.offsets.Week(2, weekday=3),
    pd.offsets.QuarterEnd(),
    pd.offsets.QuarterBegin(startingMonth=2),
    pd.offsets.BQuarterEnd(-1, startingMonth=1),
    pd.offsets.HalfYearBegin(),
    pd.offsets.YearEnd(month=6),
    pd.offsets.BYearBegin(2),
    pd.offsets.SemiMonthEnd(),
    pd.offsets.BusinessHour(3),
    pd.offsets.Easter(),
    pd.offsets.Day(3),
    pd.offsets.Hour(-5),
    pd.offsets.Nano(3),
]
TIMES = pd.Series(
    pd.to_datetime(
        [
            "2024-01-31 05:00", "2024-02-01", None, "2024-06-29 23:59:59", "2024-06-30", "1969-12-31", "1970-01-01",
            "2023-12-30", "2023-12-31", "2024-04-15 12:30",
        ],
        format="mixed",
    )
)  # fmt: skip


@pytest.mark.parametrize("offset", OFFSETS, ids=str)
def test_times_moved_by_offsets(offset):
    for times in (TIMES, TIMES.dt.as_unit("s"), TIMES.dt.tz_localize("America/New_York")):
        agree(lambda lib, s: s + offset, s=times)
        agree(lambda lib, s: offset + s, s=times)
        agree(lambda lib, s: s - offset, s=times)
        agree(lambda lib, s: lib.DatetimeIndex(s) + offset, s=times)


FREQUENCIES = [
    "W", "2W-TUE", "B", "-3B", "BME", "BMS", "2BQE-FEB", "BQS", "HYS", "HYE-MAR", "BYE", "BYS-JUN", "-1ME", "-2QS",
    "2h30min", "1D2h", "C", "SMS", "WOM-3FRI", "LWOM-MON", "bh", "CBMS", "RE-N-DEC-MON", pd.offsets.Week(2),
    pd.offsets.BDay(offset=pd.Timedelta(hours=1)), pd.offsets.MonthEnd(normalize=True),
    pd.DateOffset(months=1), pd.Timedelta(hours=7),
]  # fmt: skip


@given(
    st.sampled_from(["2020-01-31 12:00", "2020-02-29", "2019-12-31", "1969-11-15"]),
    st.sampled_from(FREQUENCIES),
    st.integers(1, 5),
    st.booleans(),
    st.sampled_from(["both", "left", "right", "neither"]),
    st.sampled_from([None, "Europe/Berlin"]),
)
def test_ranges_with_every_frequency(time, freq, periods, forward, inclusive, tz):
    ends = {"start" if forward else "end": time}
    rest = {"periods": periods, "freq": freq, "inclusive": inclusive, "tz": tz}
    agree(lambda lib: lib.date_range(**ends, **rest))


@given(
    st.sampled_from(["2020-01-31 12:00", "2020-02-29"]),
    st.sampled_from(FREQUENCIES),
    st.integers(-400, 400),
    st.integers(0, 47),
)
def test_ranges_between_ends(time, freq, days, hours):
    end = pd.Timestamp(time) + pd.Timedelta(days=days, hours=hours / 2)
    agree(lambda lib: lib.date_range(time, end, freq=freq))


def test_ranges_of_instants_and_business_days():
    start = pd.Timestamp("2024-03-30 12:00", tz="Europe/Berlin")
    for freq in ("D", "12h", "BME"):
        agree(lambda lib, freq=freq: lib.date_range(start, periods=3, freq=freq))
    agree("lib.bdate_range('2024-01-01 05:00', periods=4)")
    agree("lib.bdate_range('2024-01-01', periods=4, freq='C', weekmask='Sun Mon', holidays=['2024-01-07'])")
    for bad in ({"freq": None}, {"freq": "D", "holidays": ["2024-01-01"]}, {"freq": "bogus"}):
        with pytest.raises((ValueError, TypeError)) as theirs:
            pd.bdate_range("2024-01-01", periods=2, **bad)
        with pytest.raises(theirs.type):
            cuprum.bdate_range("2024-01-01", periods=2, **bad)


def test_moved_labels():
    frame = pd.DataFrame({"a": [1, 2, 3]}, index=pd.date_range("2024-01-30", periods=3, name="t"))
    for freq in ("D", "2h30min", "BME", pd.DateOffset(years=1), pd.Timedelta(hours=1), "infer"):
        agree(lambda lib, df, freq=freq: df.shift(2, freq=freq), df=frame)
        agree(lambda lib, df, freq=freq: df["a"].shift(-1, freq=freq), df=frame)
    agree("df.index.shift(3, freq='W')", df=frame)
    for freq in ("ME", "W-MON", "B", "h", "D"):
        agree(lambda lib, df, freq=freq: df.index.snap(freq), df=frame)
    lengths = pd.Series([1, 2], index=pd.timedelta_range("1h", periods=2))
    agree("s.shift(1, freq='3min')", s=lengths)
    with pytest.raises(ValueError, match="no freq"):
        cuprum.DatetimeIndex(["2024-01-01"]).shift(1)


def test_large_numbers_beside_missing_ones_become_durations_exactly():
    lengths = cuprum.to_timedelta(cuprum.Series([2**60 + 1, None]))
    assert lengths[0].value == 2**60 + 1 and lengths[1] is cuprum.NaT


def test_inferred_frequencies():
    for freq in ("D", "2h", "ME", "W-TUE", "BQE-FEB"):
        agree(lambda lib, freq=freq: lib.infer_freq(lib.date_range("2024", periods=6, freq=freq)))
    assert cuprum.DatetimeIndex(["2024-01-01", "2024-01-02", "2024-01-05"]).inferred_freq is None
    assert cuprum.DatetimeIndex(["2024-01-01"]).inferred_freq is None


def test_rounding_by_every_fixed_distance():
    for freq in ("90min", "2h30min", pd.offsets.Minute(5), pd.Timedelta("45s"), "3D"):
        for how in ("floor", "ceil", "round"):
            agree(lambda lib, s, f=freq, h=how: getattr(s.dt, h)(f), s=TIMES)
            agree(lambda lib, s, f=freq, h=how: getattr(lib.DatetimeIndex(s), h)(f), s=TIMES)
    autumn = pd.Series(pd.DatetimeIndex(["2024-10-27 00:40"], tz="UTC").tz_convert("Europe/Berlin"))
    agree("s.dt.floor('h', ambiguous='NaT')", s=autumn)
    for bad in ("ME", "W", "B"):
        with pytest.raises(ValueError, match="non-fixed"):
            cuprum.Series(TIMES).dt.floor(bad)


GAPS = [None, 1.0, None, None, 4.0, -0.5, None, None]


@given(
    st.lists(st.sampled_from([None, None, 1.0, 2.5, -3.0]), max_size=12),
    st.sampled_from(["linear", "index", "values", "time"]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, "forward", "backward", "both"]),
    st.sampled_from([None, "inside", "outside"]),
)
def test_interpolation_of_offsets(values, method, limit, direction, area):
    steps = np.cumsum(np.arange(len(values)) % 3 + 1)
    index = pd.Timestamp("2024-01-01") + pd.to_timedelta(steps, unit="h")
    series = pd.Series(values, index=index, dtype="float64", name="x")
    options = {"method": method, "limit": limit, "limit_direction": direction, "limit_area": area}
    agree(lambda lib, s: s.interpolate(**options), s=series)
    agree(lambda lib, s: s.to_frame().interpolate(**options), s=series)


def test_interpolation_of_other_types():
    agree("s.interpolate()", s=pd.Series(pd.to_datetime(["2020", None, "2021"])))
    agree("s.interpolate()", s=pd.Series(GAPS, dtype="float32"))
    agree("s.interpolate()", s=pd.Series([1, 2]))
    assert cuprum.Series([1, None, 2], dtype="int64").interpolate().to_list() == [1.0, 1.5, 2.0]
    for method, error in (("pad", ValueError), ("bogus", ValueError), ("time", ValueError)):
        with pytest.raises(error):
            cuprum.Series(GAPS).interpolate(method)
    with pytest.raises(TypeError, match="Cannot interpolate"):
        cuprum.Series(["a", None]).interpolate()


def test_offsets_are_those_of_pandas(each_call_warns):
    assert cuprum.DateOffset is pd.DateOffset
    assert cuprum.offsets.MonthEnd is pd.offsets.MonthEnd
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cuprum.Series(TIMES) + pd.offsets.MonthEnd()
        with pytest.raises(cuprum.errors.PerformanceWarning, match="by pandas"):
            cuprum.Series(TIMES) + pd.offsets.CDay()


def test_offsets_are_read_as_they_are_printed():
    times = cuprum.to_datetime(["2024-01-01T00:00:00+02:00"])
    assert str(cuprum.Series(times).astype(str(times.dtype)).dtype) == str(times.dtype)
