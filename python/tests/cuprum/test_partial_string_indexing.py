"""Texts among labels that are times or durations: units of time, slices, and what lies in none."""

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree, ours, run
from small_frames import FOUR_ROWS, frame_after, half_days_by_letter

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


@pytest.mark.parametrize(
    "statement",
    [
        # Texts among labels that are durations.
        "durations['2 days']",
        "durations.loc['2 days':'3 days']",
        "durations['1 days':'2 days':2]",
        "durations['3 days'::-1]",
        "durations.index.get_loc('2 days')",
        "durations.index.slice_locs('1 days', '2 days')",
        "durations.index.insert(0, '12 h')",
        "durations.index.where([True, False, True, True], '5 days')",
        "durations.loc['2 days'] = 9\ndurations",
    ],
)
def test_texts_among_durations_are_durations(statement):
    agree(statement, **SMALL)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(
            lambda lib: half_days_by_letter(lib).index.get_loc(("2016-01-01", "a")),
            id="a part of a date and a label",
        ),
        pytest.param(
            lambda lib: half_days_by_letter(lib).index.get_loc_level("2016-01-01"),
            id="rows of a part of a date",
        ),
        pytest.param(
            lambda lib: half_days_by_letter(lib).index.get_loc_level(("2016-01-01", "a")),
            id="rows of a part of a date and a label",
        ),
        pytest.param(
            lambda lib: half_days_by_letter(lib).index.get_loc_level("2016-01", level=0), id="rows of a month"
        ),
        pytest.param(
            lambda lib: half_days_by_letter(lib).xs("2016-01-01", level=0),
            id="cross-section of a part of a date",
        ),
        pytest.param(
            lambda lib: half_days_by_letter(lib).xs(("2016-01-01", "a"), level=[0, 1]),
            id="cross-section of a part and a label",
        ),
        pytest.param(lambda lib: half_days_by_letter(lib).xs("a", level=1), id="cross-section of a label"),
        pytest.param(
            lambda lib: half_days_by_letter(lib)["c"]["2016-01-01"], id="brackets of a part of a date"
        ),
        pytest.param(
            lambda lib: half_days_by_letter(lib)["c"]["2016-01-01", "a"], id="brackets of a part and a label"
        ),
        pytest.param(lambda lib: half_days_by_letter(lib)["c"]["2016-01-01 12:00"], id="brackets of a time"),
    ],
)
def test_parts_of_dates_in_keys_of_levels(call):
    agree(call)


@pytest.mark.parametrize("order", [[0, 1, 2], [0, 2, 1], [2, 1, 0], [0, 1, 2, 0, 1, 2]])
def test_rows_that_a_month_names(order: list[int]) -> None:
    times = pd.date_range("2001-01-01", periods=3, freq="20D")[order]
    ours, theirs = (lib.Index(times).get_loc("2001-01") for lib in (cuprum, pd))
    assert isinstance(ours, slice) == isinstance(theirs, slice)
    np.testing.assert_array_equal(np.arange(len(order))[ours], np.arange(len(order))[theirs])
    if not isinstance(theirs, slice):
        assert ours.dtype == theirs.dtype


DURATIONS = [
    "1",
    "1 day",
    "2D 0 hours",
    "120s",
    "120s 0 days",
    "1:00:00",
    "PT120S",
    "PT2M",
    "P1DT2H",
    "1W",
    "1.5min",
]


DURATIONS += [
    "2000us",
    "2000 µs",
    "-1 days",
    "1h30m",
    "1:00:00.5",
    "P0DT0H2M0S",
    "1m 30s",
    "5 nanos",
    "PT1.5S",
]


@pytest.mark.parametrize("text", DURATIONS)
@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_slices_of_durations_end_by_the_finest_unit_that_is_written(text: str, unit: str) -> None:
    steps = ["-1ns", "0s", "1ns", "1us", "1ms", "999ms", "1s", "59s", "1min", "59min", "1h", "23h", "1D"]
    labels = pd.TimedeltaIndex([pd.Timedelta(text) + pd.Timedelta(step) for step in steps]).as_unit(unit)
    theirs = pd.Series(range(len(steps)), index=labels.sort_values())
    ours = cuprum.Series(theirs)
    for part in (slice(None, text), slice(text, None), slice(text, text)):
        assert ours.loc[part].to_list() == theirs.loc[part].to_list()


def test_rows_of_a_span_of_regular_times_stay_regular():
    ts = pd.Series(np.arange(6.0), index=pd.date_range("2024-01-01", periods=6, freq="12h"))
    agree("[s['2024-01-02'], s.loc['2024-01-02'], s['2024'], repr(s['2024-01-02'])]", s=ts)
    agree("[s['2024-01-02'], s.loc['2024-01-03']]", s=ts[::-1])

    def written(lib, s):
        s.loc["2024-01-02"] = -1
        return [s, s.to_frame("v").loc["2024-01-02"]]

    agree(written, s=ts)


DAILY = FOUR_ROWS.set_axis(pd.date_range("2013-01-01", periods=4))


def test_texts_select_times_in_reindex():
    agree("df.reindex(['2013-01-02', '2013-01-03'])", df=DAILY)
    agree("df.index.isin(['2013-01-01'])", df=DAILY)
    agree("df.index.to_series().isin(['2013-01-01'])", df=DAILY)


SPREAD = pd.Series(
    range(6),
    index=pd.to_datetime(
        [
            "2012-12-31 23:00",
            "2013-01-01",
            "2013-01-01 12:00",
            "2013-01-01 12:30:15",
            "2013-01-15",
            "2013-02-01",
        ],
        format="ISO8601",
    ),
)


WHOLE_DAYS = SPREAD.iloc[[1, 4, 5]]


DATES = [
    "2012",
    "2013",
    "2013-01",
    "2013/01",
    "2013-01-01",
    "20130101",
    "2013-01-01 12",
    "2013-01-01T12:00",
    "2013-01-01 12:30",
    "2013-01-01 12:30:15",
    "2013-01-01 12:30:15.000",
    "2013-01-15",
    "2013-02-01",
]


@pytest.mark.parametrize("date", DATES)
@pytest.mark.parametrize("order", ["sorted", "reversed", "mixed"])
def test_a_partial_date_selects_its_unit(date, order):
    for s in (SPREAD, WHOLE_DAYS):
        s = {"sorted": s, "reversed": s.iloc[::-1], "mixed": s.iloc[[2, 0, 1, *range(3, len(s))]]}[order]
        if not len(run("s[d:d]", pd, {"s": s.sort_index(), "d": date})):
            continue
        agree(f"s[{date!r}]", s=s)
        agree(f"s.loc[{date!r}]", s=s)
        agree(lambda lib, df: df.loc[date].values.tolist(), df=s.to_frame("v"))  # rows have no name yet
        agree(f"df.loc[{date!r}, 'v']", df=s.to_frame("v"))
        agree(frame_after(f"df.loc[{date!r}] = -1"), df=s.to_frame("v"))
        agree(f"{date!r} in s", s=s)


@pytest.mark.parametrize("start", [None, *DATES[::2]])
@pytest.mark.parametrize("stop", [None, *DATES[1::2]])
def test_slices_end_with_the_whole_unit(start, stop):
    for s in (SPREAD, WHOLE_DAYS):
        agree(f"s[{start!r}:{stop!r}]", s=s)
        agree(f"df.loc[{start!r}:{stop!r}, 'v']", df=s.to_frame("v"))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_partial_dates_in_every_unit(unit):
    s = pd.Series(range(6), index=SPREAD.index.as_unit(unit))
    for key in [
        "'2013'",
        "'2013-01-01'",
        "'2013-01-01 12:30'",
        ":'2013-01-01 12:30:15.5'",
        "'2013-01-01 12:30:15':",
    ]:
        agree(f"s[{key}]", s=s)


@pytest.mark.parametrize("key", ["2014", "2011-05", "2013-01-02 12", "2013-01-01 12:30:15.5"])
def test_a_date_that_is_not_there(key):
    for s in (SPREAD, ours(SPREAD)):
        with pytest.raises(KeyError):
            s.iloc[[0, 3]].loc[key]


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_partial_dates_among_several_levels(order):
    index = pd.MultiIndex.from_arrays([SPREAD.index[[1, 2, 5]], ["a", "b", "c"]]).take(order)
    df = pd.DataFrame({"v": range(3)}, index=index)
    for key in ["'2013-01'", "'2013-01-01'", "'2013'"]:
        agree(f"df.loc[{key}]", df=df)
        agree(f"df.loc[('b', {key})]", df=df.swaplevel())
    with pytest.raises(NotImplementedError, match='part of a date: "2013-01"'):
        ours(df.sort_index()).loc["2013-01":]


def test_a_text_names_no_place_in_an_index_that_is_not_sorted():
    s = ours(SPREAD.iloc[[2, 0, 1]])
    with pytest.raises(KeyError, match="not sorted"):
        s["2013-01":]
