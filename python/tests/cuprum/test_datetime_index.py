"""`DatetimeIndex` and `TimedeltaIndex`: construction and what is refused."""

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree
from small_frames import times_and_durations


@pytest.mark.parametrize(
    "statement",
    [
        "lib.DatetimeIndex(['2019-01-01', '2019-01-01T06:00:00', '2019-01-02'])",
        "lib.DatetimeIndex(['1/2/2013'], dayfirst=True)",
        "lib.DatetimeIndex(['2013-01-02 06:00']).to_julian_date()",
    ],
)
def test_texts_are_read_as_times(statement):
    agree(statement, **SMALL)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda lib: lib.DatetimeIndex([1000, 1], tz="US/Pacific"), id="integers are instants"),
        pytest.param(
            lambda lib: lib.DatetimeIndex([1000, 1], dtype="datetime64[us, US/Pacific]"),
            id="integers of a type",
        ),
        pytest.param(
            lambda lib: lib.DatetimeIndex([1000.0, np.nan], tz="US/Pacific"), id="floats are instants"
        ),
        pytest.param(
            lambda lib: lib.DatetimeIndex([1000.7, -1.2], dtype="datetime64[us]"), id="floats of a type"
        ),
        pytest.param(lambda lib: lib.DatetimeIndex([1000.7, -1.2]), id="floats of no type"),
        pytest.param(
            lambda lib: lib.DatetimeIndex(["2020"], dtype="datetime64[us, US/Pacific]"), id="texts in a zone"
        ),
        pytest.param(
            lambda lib: lib.DatetimeIndex(times_and_durations(lib)["z"], tz="Asia/Tokyo"), id="the same zone"
        ),
        pytest.param(
            lambda lib: lib.DatetimeIndex(list(times_and_durations(pd)["z"]), tz="US/Central"),
            id="a zone for a list",
        ),
        pytest.param(
            lambda lib: lib.DatetimeIndex(lib.date_range("2000", periods=3), freq=None).freq,
            id="no frequency",
        ),
        pytest.param(
            lambda lib: lib.TimedeltaIndex(lib.timedelta_range("1D", periods=3), freq=None).freq,
            id="no frequency of durations",
        ),
    ],
)
def test_instants_and_zones_of_data(call):
    agree(call)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: lib.DatetimeIndex(times_and_durations(lib)["z"], tz="US/Central"),
            TypeError,
            "data is already tz-aware Asia/Tokyo, unable to set",
            id="another zone",
        ),
        pytest.param(
            lambda lib: lib.DatetimeIndex(times_and_durations(lib)["z"], tz=None),
            ValueError,
            "Passed data is timezone-aware, incompatible with",
            id="no zone",
        ),
        pytest.param(
            lambda lib: lib.DatetimeIndex(times_and_durations(lib)["z"], dtype="datetime64[ns]"),
            ValueError,
            "cannot supply both a tz and a timezone-naive dtype (i.e.",
            id="a type without a zone",
        ),
        pytest.param(
            lambda lib: lib.DatetimeIndex(["2020"], dtype="datetime64[us, US/Pacific]", tz="UTC"),
            ValueError,
            "cannot supply both a tz and a dtype with a tz",
            id="two zones",
        ),
        pytest.param(
            lambda lib: lib.DatetimeIndex(),
            TypeError,
            "DatetimeIndex(...) must be called with a collection of",
            id="no data",
        ),
        pytest.param(
            lambda lib: lib.TimedeltaIndex(),
            TypeError,
            "TimedeltaIndex(...) must be called with a collection of",
            id="no durations",
        ),
        pytest.param(
            lambda lib: lib.TimedeltaIndex(["2000"], dtype="timedelta64"),
            ValueError,
            "dtype 'timedelta64' is invalid, should be np.timedelta64",
            id="durations of no unit",
        ),
        pytest.param(
            lambda lib: lib.TimedeltaIndex(["2000"], dtype="timedelta64[D]"),
            ValueError,
            "dtype 'timedelta64[D]' is invalid, should be",
            id="durations in days",
        ),
    ],
)
def test_zones_and_units_that_do_not_fit_are_refused(call, error, text):
    agree(call, refused=(error, text))
