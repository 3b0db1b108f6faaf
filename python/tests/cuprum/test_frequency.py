"""Which labels know how regular they are: `freq`, beside pandas."""

import pickle

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

DAYS = "lib.date_range('2020-01-01', periods=6, freq='D')"
NAMES = {
    "i": DAYS,
    "h": "lib.date_range('2020-01-01', periods=6, freq='6h')",
    "m": "lib.date_range('2020-01-31', periods=6, freq='ME')",
    "t": "lib.timedelta_range('1D', periods=5)",
    "s": f"lib.Series(range(6), index={DAYS})",
}


def values(code):
    for lib in (cuprum, pd):
        names = {name: eval(text, {"lib": lib}) for name, text in NAMES.items() if f"{name}" in code}
        yield eval(code, {"lib": lib, "pd": pd, "np": np, **names})


@pytest.mark.parametrize(
    "code",
    [
        *(
            "i",
            "h",
            "m",
            "t",
            "s.index",
            "i[1:3]",
            "i[::2]",
            "i[::-1]",
            "i[:1]",
            "i[:0]",
            "i[[1, 2]]",
            "i[[0, 3]]",
        ),
        *(
            "i[i > i[2]]",
            "i[np.array([1, 0, 1, 0, 1, 0], bool)]",
            "i.take([2, 3])",
            "i.copy()",
            "i.rename('x')",
        ),
        *(
            "i + pd.Timedelta('1h')",
            "i - pd.Timedelta('1D')",
            "h + pd.Timedelta('1h')",
            "m + pd.Timedelta('1h')",
        ),
        *(
            "i + pd.offsets.Hour(2)",
            "i + pd.offsets.MonthEnd()",
            "i.shift(2)",
            "i.shift(2, 'h')",
            "m.shift(1)",
        ),
        *(
            "i.shift(1, 'ME')",
            "i - i[0]",
            "t + pd.Timestamp('2020')",
            "t + pd.Timedelta('1h')",
            "i.as_unit('ns')",
            "i.astype('datetime64[s]')",
            "i.astype('datetime64[us]')",
            "t.astype('timedelta64[ns]')",
        ),
        *("i.tz_localize('UTC')", "i.tz_localize('Europe/Berlin')", "h.tz_localize('Europe/Berlin')"),
        *("i.tz_localize('UTC').tz_localize(None)", "i.tz_localize('UTC').tz_convert('Europe/Berlin')"),
        *("h.tz_localize('UTC').tz_convert('Europe/Berlin')", "i.tz_localize('UTC') + pd.Timedelta('1h')"),
        *(
            "i.normalize()",
            "h.normalize()",
            "i.floor('h')",
            "i.unique()",
            "i.drop_duplicates()",
            "i.dropna()",
        ),
        *("i.sort_values()", "i.union(i[3:].shift(3))", "i.intersection(i[2:])", "i.difference(i[:2])"),
        *("i.append(i.shift(6))", "i.append(i.shift(7))", "i.delete(0)", "i.delete(3)", "i.drop(i[0])"),
        *("i.insert(6, i[-1] + pd.Timedelta('1D'))", "i.repeat(2)", "lib.DatetimeIndex(i)"),
        *(
            "s.head(2).index",
            "s.iloc[1:4].index",
            "s['2020-01-03':].index",
            "(s + s).index",
        ),
        *(
            "s.to_frame().index",
            "s.reindex(i[1:]).index",
            "s.asfreq('12h').index",
            "s.shift(1, freq='D').index",
        ),
        *("s.resample('2D').sum().index", "s.resample('W').mean().index", "s.resample('12h').ffill().index"),
        *("s.resample('2D', label='right').size().index", "s.groupby(lib.Grouper(freq='2D')).sum().index"),
        *(
            "lib.concat([s, s.set_axis(i.shift(6))]).index",
            "lib.concat([s, s]).index",
            "s.rolling(2).sum().index",
        ),
        *(
            "lib.DatetimeIndex(['2020-01-01', '2020-01-03'], freq='2D')",
            "lib.TimedeltaIndex(t, freq='infer')",
        ),
        *(
            "lib.DatetimeIndex(['2020-01-31', '2020-02-29', '2020-03-31'], freq='infer')",
            "lib.to_datetime(['2020'])",
        ),
        *("lib.bdate_range('2020-01-01', periods=3)", "lib.date_range('2020', periods=2, freq='QE')"),
        *(
            "lib.date_range('2020', '2021', periods=3)",
            "lib.date_range('2020', periods=3, freq='MS', tz='Asia/Tokyo')",
        ),
    ],
)
def test_frequencies_are_those_of_pandas(code):
    ours, theirs = values(code)
    assert ours.freq == theirs.freq
    assert ours.freqstr == theirs.freqstr
    assert repr(ours) == repr(theirs)
    assert ours.to_pandas().freq == theirs.freq


@pytest.mark.parametrize("code", ["s", "s.rename('n')", "s.resample('2D').sum()", "s.iloc[:0]"])
def test_series_tell_the_frequency_of_their_labels(code):
    ours, theirs = values(code)
    assert repr(ours) == repr(theirs)


def test_a_frequency_is_assigned_and_checked():
    days = cuprum.DatetimeIndex(["2020-01-01", "2020-01-02", "2020-01-03"])
    assert days.freq is None
    days.freq = "D"
    assert days.freqstr == "D"
    with pytest.raises(ValueError, match="does not conform to passed frequency h"):
        days.freq = "h"
    days.freq = None
    assert days.freq is None
    with pytest.raises(ValueError, match="does not conform"):
        cuprum.TimedeltaIndex([1, 5], freq="D")
    with pytest.raises(ValueError, match="no freq"):
        days.shift(1)
    series = cuprum.Series([1, 2, 3], index=days)
    series.index.freq = "infer"
    assert series.index.freqstr == "D"


def test_it_goes_with_pickles_copies_and_pandas():
    series = cuprum.Series(range(3), index=cuprum.date_range("2020", periods=3, freq="B"))
    for other in (pickle.loads(pickle.dumps(series)), series.copy(), series.copy(deep=False)):
        assert other.index.freqstr == "B"
    assert series.to_pandas().index.freqstr == "B"
    assert cuprum.from_pandas(series.to_pandas()).index.freqstr == "B"
    assert pickle.loads(pickle.dumps(series.index)).freqstr == "B"


BUSINESS = "lib.bdate_range('2020-01-01', periods=6, freq='C', holidays=['2020-01-06'])"


@pytest.mark.parametrize(
    "code",
    [
        BUSINESS,
        f"{BUSINESS}.freq",
        f"{BUSINESS}.freqstr",
        f"{BUSINESS}.shift(2)",
        f"{BUSINESS}[1:4].freq",
        f"{BUSINESS}[::2].freq",
        f"{BUSINESS}.tz_localize('UTC').freq",
        f"repr({BUSINESS})",
        f"repr(lib.Series(range(6), index={BUSINESS}))",
        f"lib.Series(range(6), index={BUSINESS}).shift(1, freq='infer')",
        "lib.bdate_range('2020-01-01', periods=4, freq='C', weekmask='Mon Wed Fri').freq",
        "lib.bdate_range('2020-01-01', periods=4, freq='CBMS', holidays=['2020-01-01', '2020-04-01']).freq",
        "lib.date_range('2020-01-01', periods=3, freq=pd.offsets.CDay(2, holidays=['2020-01-02'])).freqstr",
        "lib.Series([1, 2], index=lib.date_range('2020-01-01', periods=2, freq='ME')).shift(1, freq='infer')",
        "lib.date_range('2020-01-01', periods=3, freq=pd.offsets.CDay(holidays=['2020-01-02'], weekmask='Thu Fri')).freq",
    ],
)
def test_days_of_business_keep_their_holidays(code):
    agree(code)


def test_they_go_to_pandas_and_back():
    index = eval(BUSINESS, {"lib": cuprum})
    theirs = pickle.loads(pickle.dumps(index)).to_pandas()
    assert theirs.freq == eval(BUSINESS, {"lib": pd}).freq == cuprum.from_pandas(theirs).freq


def test_what_no_text_says_is_not_kept():
    for offset in (pd.DateOffset(days=2), pd.offsets.CustomBusinessHour(start="10:00")):
        assert cuprum.date_range("2020-01-01", periods=3, freq=offset).freq is None


def test_texts_that_are_no_frequencies_are_refused():
    for freq in ("C|Mon", "D|Mon|", "C|Mon|2020|", "C|Mon|never"):
        with pytest.raises(ValueError):
            cuprum.date_range("2020-01-01", periods=3, freq=freq)


@pytest.mark.parametrize("freq", ["BYS", "BME", "QS-FEB", "YE-JUN", "BYS-MAR", "QS", "D"])
def test_first_and_last_days_go_by_the_frequency(freq):
    for end in ("start", "end"):
        for unit in ("month", "quarter", "year"):
            agree(f"lib.date_range('2020-01-01', periods=6, freq={freq!r}).is_{unit}_{end}.tolist()")
