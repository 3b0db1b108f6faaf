"""Texts of times with a distance from UTC, in every form whose day and month are numbers."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import assert_like

import cuprum

FORMS = [
    "%m/%d/%Y %H:%M:%S{}",
    "%m-%d-%Y %H:%M{}",
    "%d.%m.%Y %H:%M:%S.%f{}",
    "%Y-%m-%d %H:%M:%S{}",
    "%Y/%m/%dT%H:%M{}",
]
OFFSETS = ["Z", "+00:00", "+01:00", "-0530", " +05:45", "+14:00"]


# Of an order of day and month that the text contradicts.
@pytest.mark.filterwarnings("ignore:Parsing dates in")
@given(
    st.lists(st.datetimes(pd.Timestamp("1900-01-13"), pd.Timestamp("2200-01-01")), min_size=1, max_size=5),
    st.sampled_from(FORMS),
    st.sampled_from(OFFSETS),
)
def test_one_distance_is_the_zone(times, form, offset):
    # Above 12, so that which number is the month is said by the first text.
    texts = [time.replace(day=13 + time.day % 15).strftime(form.format(offset)) for time in times]
    for dayfirst in [False] if form[1] == "Y" else [False, True]:
        assert_like(
            cuprum.to_datetime(cuprum.Series(texts), dayfirst=dayfirst),
            pd.to_datetime(pd.Series(texts), dayfirst=dayfirst),
        )
    assert_like(cuprum.to_datetime(texts, utc=True), pd.to_datetime(texts, utc=True))
    if form[1] != "d":
        assert_like(cuprum.DatetimeIndex(texts), pd.DatetimeIndex(texts))
    assert_like(cuprum.DatetimeIndex(texts, tz="Europe/Berlin"), pd.DatetimeIndex(texts, tz="Europe/Berlin"))


@pytest.mark.parametrize("lib", [cuprum, pd])
def test_several_distances_are_instants_with_utc_alone(lib):
    texts = ["1/13/2020 10:00+01:00", "1/14/2020 10:00+02:00"]
    with pytest.raises(ValueError, match=r"(?i)mixed time ?zones"):
        lib.to_datetime(texts)
    assert [str(time) for time in lib.to_datetime(texts, utc=True)] == [
        "2020-01-13 09:00:00+00:00",
        "2020-01-14 08:00:00+00:00",
    ]


@pytest.mark.parametrize("lib", [cuprum, pd])
@pytest.mark.parametrize(
    "texts",
    [
        ["1/13/2020 10:00+01:00", "1/14/2020 10:00"],
        ["1/13/2020 10:00", "1/14/2020 10:00+01:00"],
        ["1/13/2020 10:00+25:00"],
        ["1/13/2020 +01:00"],
    ],
)
def test_what_is_no_time_in_the_form_of_the_first(lib, texts):
    with pytest.raises(ValueError):
        lib.to_datetime(texts)


def test_missing_texts_stay_missing():
    texts = [None, "1/13/2020 10:00+01:00", "", "bogus"]
    assert_like(cuprum.to_datetime(texts, errors="coerce"), pd.to_datetime(texts, errors="coerce"))
    assert_like(cuprum.to_datetime(texts[:3]), pd.to_datetime(texts[:3]))
