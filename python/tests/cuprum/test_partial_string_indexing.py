"""Texts that name times as labels: units of time, as people write them, and what lies in none."""

import pandas as pd
import pytest
from oracle import agree

import cuprum

TIMES = [
    "2012-12-31",
    "2013-01-01",
    "2013-01-01 12:00",
    "2013-01-02",
    "2013-02-01",
    "2013-04-01",
    "2014-01-01",
]
INDEX = pd.to_datetime(TIMES, format="ISO8601")
FRAMES = {
    "d": pd.DataFrame({"x": range(7)}, index=INDEX),
    "s": pd.Series(range(7), index=INDEX),
    "zoned": pd.Series(range(7), index=INDEX.tz_localize("Europe/Berlin")),
    "apart": pd.Series(range(5), index=INDEX[[3, 2, 1, 0, 6]]),
    "days": pd.Series(range(4), index=INDEX[[0, 1, 3, 4]]),
    "deep": pd.Series([1, 2, 3], index=pd.MultiIndex.from_arrays([INDEX[[0, 1, 3]], list("abc")])),
}
UNITS = [
    *["2013Q1", "2013q1", "2013-Q1", "1Q2013", "1q-2013", "13Q1", "13-Q1", "1Q13", "2012Q4", "2013Q2"],
    *["Jan 2013", "Jan-2013", "January 2013", "1/2013", "01/2013"],
    *["1/1/2013", "01/01/2013", "1-1-2013", "Jan 1, 2013", "1 Jan 2013", "31/12/2012"],
    *["1/1/2013 12:00"],
    # Units without times among times.
    *["2013-05", "2013-05-01", "2013Q3"],
]


@pytest.mark.parametrize("text", UNITS)
@pytest.mark.parametrize("frame", ["d", "s", "zoned", "apart"])
def test_units_of_time(frame, text):
    agree(f"{frame}.loc[{text!r}]", **FRAMES)
    agree(f"{text!r} in {frame}.index", **FRAMES)


@pytest.mark.parametrize(
    "expression",
    [
        "s['2013Q1']",
        "s['2013Q1':'2013Q2']",
        "s.loc['2013Q1':]",
        "s.loc[:'2013Q1']",
        "d.loc[:'Jan 2013']",
        "d['12/31/2012':'1/1/2013']",
        "zoned.loc['2013Q1':'2013Q1']",
        "days.loc['1/1/2013']",
        "days.loc['2013Q1']",
        "deep.loc['2013Q1']",
        "deep.loc['1/1/2013']",
        "s.index.get_loc('2013Q1')",
        "s.index.get_loc('2013-05')",
        "s.index.get_loc('Jan 2013')",
        "s.index.slice_indexer('2013Q1', '2013Q2')",
        "d.loc['2013-05', 'x']",
        "d.index[:2].get_loc('2012Q4')",
    ],
)
def test_selections(expression):
    agree(expression, **FRAMES)


@pytest.mark.parametrize(
    "text", ["2011", "2015", "2013Q5", "2013Q0", "foo", "Foo 2013", "2013-13", "Q1", "2011Q4"]
)
@pytest.mark.filterwarnings("ignore:Parsing")
def test_what_lies_outside_is_not_there(text):
    for lib_frame in (FRAMES["d"], cuprum.DataFrame(FRAMES["d"])):
        assert text not in lib_frame.index
        with pytest.raises(KeyError):
            _ = lib_frame.loc[text]


def test_units_are_assigned():
    def change(lib, d):
        d.loc["2013Q1", "x"] = 9
        d.loc["Feb 2013"] = 8
        d.loc["2013-05"] = 7
        return d

    agree(change, d=FRAMES["d"])
