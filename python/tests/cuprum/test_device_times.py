"""Times on a GPU, beside pandas: nothing goes by way of the host."""

from datetime import timedelta

import numpy as np
import pandas as pd
import pytest
from oracle import assert_like

import cuprum


@pytest.fixture(autouse=True)
def without_the_host():
    with cuprum.option_context("device", "emulator", "fallback", "error"):
        yield


def _with_gaps(times):
    """Times as a series, every fifth one missing."""
    series = pd.Series(times)
    return series.where(np.arange(len(series)) % 5 != 3)


PLAIN = _with_gaps(
    pd.to_datetime(
        [
            "1969-12-31 23:59:59.5",
            "2024-02-29 12:30:00",
            "2024-01-31 23:59:59.999999",
            "1900-03-01",
            "2100-07-04 07:08:09",
        ]
        * 9,
        format="ISO8601",
    )
)
# Clocks in Berlin go forward on March 31st and back on October 27th.
SPRING = _with_gaps(pd.date_range("2024-03-30 23:00", "2024-03-31 05:00", freq="10min"))
AUTUMN = _with_gaps(pd.date_range("2024-10-27 00:00", "2024-10-27 05:00", freq="10min"))
ZONED = _with_gaps(pd.date_range("2024-03-30 20:00", periods=400, freq="17h", tz="Europe/Berlin"))
SUMMER = np.arange(len(AUTUMN)) % 2 == 0
ORDERED = pd.Series(
    pd.to_datetime(
        ["2024-10-27 01:59", "2024-10-27 02:10", "2024-10-27 02:50", "2024-10-27 02:10", "2024-10-27 03:10"]
        + ["2025-10-26 02:30", "2025-10-26 02:00", None]
    )
)

SERIES = {"plain": PLAIN, "spring": SPRING, "autumn": AUTUMN, "zoned": ZONED, "ordered": ORDERED}

OPERATIONS = {
    "tz_localize": ("plain", lambda s: s.dt.tz_localize("Asia/Tokyo")),
    "tz_localize to UTC": ("plain", lambda s: s.dt.tz_localize("UTC")),
    "tz_localize by an offset": ("plain", lambda s: s.dt.tz_localize("-03:30")),
    "nonexistent NaT": ("spring", lambda s: s.dt.tz_localize("Europe/Berlin", nonexistent="NaT")),
    "nonexistent forward": (
        "spring",
        lambda s: s.dt.tz_localize("Europe/Berlin", nonexistent="shift_forward"),
    ),
    "nonexistent backward": (
        "spring",
        lambda s: s.dt.tz_localize("Europe/Berlin", nonexistent="shift_backward"),
    ),
    "nonexistent moved": (
        "spring",
        lambda s: s.dt.tz_localize("Europe/Berlin", nonexistent=timedelta(hours=1)),
    ),
    "nonexistent moved back": (
        "spring",
        lambda s: s.dt.tz_localize("Europe/Berlin", nonexistent=timedelta(hours=-1)),
    ),
    "ambiguous NaT": ("autumn", lambda s: s.dt.tz_localize("Europe/Berlin", ambiguous="NaT")),
    "ambiguous each": ("autumn", lambda s: s.dt.tz_localize("Europe/Berlin", ambiguous=SUMMER)),
    "ambiguous by order": ("ordered", lambda s: s.dt.tz_localize("Europe/Berlin", ambiguous="infer")),
    "tz_localize None": ("zoned", lambda s: s.dt.tz_localize(None)),
    "tz_convert": ("zoned", lambda s: s.dt.tz_convert("America/St_Johns")),
    "tz_convert None": ("zoned", lambda s: s.dt.tz_convert(None)),
    "parts in a zone": ("zoned", lambda s: s.dt.hour * 100 + s.dt.minute + s.dt.day_of_year),
    "normalize": ("zoned", lambda s: s.dt.normalize()),
    "strftime": ("plain", lambda s: s.dt.strftime("%d.%m.%Y %H:%M:%S %j %A %p")),
    "strftime in a zone": ("zoned", lambda s: s.dt.strftime("%Y-%m-%dT%H:%M:%S%z (%Z)")),
    "day_name": ("zoned", lambda s: s.dt.day_name()),
    "month_name": ("plain", lambda s: s.dt.month_name()),
    "months": ("plain", lambda s: s + pd.DateOffset(months=1)),
    "years": ("plain", lambda s: s - pd.DateOffset(years=3, months=2)),
    "month ends": ("plain", lambda s: s + pd.offsets.MonthEnd(2)),
    "quarter begins": ("plain", lambda s: s - pd.offsets.QuarterBegin()),
    "days": ("zoned", lambda s: s + pd.DateOffset(months=12)),
}
for how in ("floor", "ceil", "round"):
    for frequency in ("D", "7h", "15min", "s", "3ms"):
        OPERATIONS[f"{how} {frequency}"] = ("plain", lambda s, how=how, f=frequency: getattr(s.dt, how)(f))
    OPERATIONS[f"{how} in a zone"] = (
        "zoned",
        lambda s, how=how: getattr(s.dt, how)("6h", nonexistent="shift_forward"),
    )
    OPERATIONS[f"{how} where clocks go back"] = (
        "autumn",
        lambda s, how=how: getattr(s.dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin").dt, how)(
            "2h", ambiguous="NaT"
        ),
    )


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operations(operation):
    name, of = OPERATIONS[operation]
    theirs = SERIES[name]
    actual = of(cuprum.Series(theirs))
    assert actual.device == actual.index.device == "emulator"
    assert_like(actual, of(theirs))


@pytest.mark.parametrize(
    "texts",
    [
        ["2024-02-29 12:30", None, "1969-12-31 23:59"],
        ["2024-02-29T12:30:00Z", "1969-12-31T23:59:59Z"],
        ["2024-02-29T12:30:00+02:00", "2024-02-28T12:30:00+02:00"],
        ["02/29/2024", "02/28/2024"],
    ],
)
def test_to_datetime(texts):
    assert_like(cuprum.to_datetime(cuprum.Series(texts)), pd.to_datetime(pd.Series(texts, dtype="str")))


def test_to_datetime_by_a_format():
    texts = ["5 Mar 24 01:02 PM", None, "31 Dec 99 12:00 AM"]
    actual = cuprum.to_datetime(cuprum.Series(texts), format="%d %b %y %I:%M %p")
    assert actual.device == "emulator"
    assert_like(actual, pd.to_datetime(pd.Series(texts), format="%d %b %y %I:%M %p"))


def test_to_datetime_of_parts():
    parts = pd.DataFrame(
        {"year": [2024, 1969], "month": [2, 12], "day": [29, 31], "hour": [23, 0], "second": [59, 1]}
    )
    assert_like(cuprum.to_datetime(cuprum.DataFrame(parts)), pd.to_datetime(parts))
    with pytest.raises(ValueError, match=r"month 13"):
        cuprum.to_datetime(cuprum.DataFrame(parts.assign(month=[1, 13])))


INDEXES = {
    "in a zone": lambda lib: lib.DatetimeIndex(["2024-01-01", "2024-07-01"], tz="Europe/Berlin"),
    "each": lambda lib: lib.DatetimeIndex(["2024-10-27 02:30"] * 2).tz_localize(
        "Europe/Berlin", ambiguous=np.array([True, False])
    ),
    "converted": lambda lib: lib.DatetimeIndex(["2024-01-01"]).tz_localize("UTC").tz_convert("Asia/Kolkata"),
    "rounded": lambda lib: lib.DatetimeIndex(["2024-01-01 10:31", "2024-07-01"]).round("h"),
    "hours": lambda lib: lib.date_range("2024-01-01", periods=50, freq="h"),
    "months": lambda lib: lib.date_range("2024-01-31", periods=50, freq="ME"),
    "days in a zone": lambda lib: lib.date_range("2024-03-25", periods=14, freq="D", tz="Europe/Berlin"),
    "business days": lambda lib: lib.date_range("2024-03-25", periods=14, freq="B"),
}


@pytest.mark.parametrize("make", INDEXES)
def test_indexes(make):
    actual, expected = INDEXES[make](cuprum), INDEXES[make](pd)
    assert actual.device == "emulator"
    pd.testing.assert_index_equal(actual.to_pandas(), expected)


def test_skipped_times_move_on_the_clock():
    # pandas takes the offset behind the change here, and gives 23:30 of the day before.
    skipped = cuprum.Series(pd.to_datetime(["2024-03-31 02:30"]))
    moved = skipped.dt.tz_localize("Europe/Berlin", nonexistent=timedelta(hours=-2))
    assert moved.iloc[0].isoformat() == "2024-03-31T00:30:00+01:00"


def test_errors_name_the_time():
    spring, autumn = cuprum.Series(SPRING), cuprum.Series(AUTUMN)
    with pytest.raises(ValueError, match="2024-03-31 02:10:00 was never shown"):
        spring.dt.tz_localize("Europe/Berlin")
    with pytest.raises(ValueError, match="2024-10-27 02:00:00 was shown twice"):
        autumn.dt.tz_localize("Europe/Berlin")
    with pytest.raises(ValueError, match="relocalize on a nonexistent time"):
        spring.dt.tz_localize("Europe/Berlin", nonexistent=timedelta(minutes=10))
    with pytest.raises(ValueError, match="no repeated times"):
        autumn.dropna().dt.tz_localize("Europe/Berlin", ambiguous="infer")
    with pytest.raises(ValueError, match="2 dst switches"):
        twice = cuprum.Series(pd.to_datetime(["2024-10-27 02:30"] * 3))
        twice.dt.tz_localize("Europe/Berlin", ambiguous="infer")
    with pytest.raises(ValueError, match="Length of ambiguous"):
        autumn.dt.tz_localize("Europe/Berlin", ambiguous=SUMMER[1:])
    far = cuprum.Series(pd.to_datetime(["2024-01-01", "2262-04-11"]).astype("datetime64[ns]"))
    with pytest.raises(OverflowError, match="row 1"):
        far + pd.DateOffset(months=1)
    with pytest.raises(OverflowError, match="row 1"):
        far.dt.ceil("7D")
