"""Bins of time beside pandas: which they are, what falls into them, and the times between."""

import datetime
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle import agree, assert_like, ours, pair
from small_frames import daily_floats

import cuprum

FREQUENCIES = [
    *["D", "2D", "7h", "24h", "90min", "45min", "1D12h", "36h", "W", "2W-WED", "B", "3B"],
    *["ME", "2ME", "MS", "3MS", "QE", "QS-FEB", "2QE-JAN", "YE", "YS", "2YE-JUN", "BME", "BMS", "BQE", "BYS"],
    "HYE",
]
OFFSETS = [
    pd.offsets.SemiMonthEnd(),
    pd.offsets.CustomBusinessDay(2),
    pd.offsets.Week(),
    pd.offsets.Week(2, weekday=3),
    pd.offsets.MonthEnd(normalize=True),
    pd.offsets.FY5253(weekday=2),
    pd.offsets.WeekOfMonth(week=1, weekday=1),
    datetime.timedelta(hours=30),
    pd.Timedelta("50h"),
]
SIDES = st.sampled_from([None, "left", "right"])
ZONES = st.sampled_from([None, "UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu"])
UNITS = st.sampled_from(["s", "ms", "us", "ns"])


@st.composite
def times(draw, zones=ZONES, missing=True, most=25):
    """Times of some months, in any order."""
    count = draw(st.integers(0, most))
    span = draw(st.sampled_from([86_400, 40 * 86_400, 900 * 86_400]))
    first = draw(st.sampled_from(["2019-12-31", "1969-11-20 13:17:05", "2021-10-30 23:30", "2022-03-01"]))
    seconds = draw(st.lists(st.integers(0, span // 900), min_size=count, max_size=count))
    moments = [pd.Timestamp(first) + pd.Timedelta(minutes=15 * n) for n in seconds]
    if draw(st.booleans()):
        moments.sort()
    if missing and draw(st.integers(0, 4)) == 0:
        moments = [pd.NaT if draw(st.integers(0, 4)) == 0 else moment for moment in moments]
    index = pd.DatetimeIndex(moments, name=draw(st.sampled_from([None, "t"]))).as_unit(draw(UNITS))
    zone = draw(zones)
    return index if zone is None else index.tz_localize("UTC").tz_convert(zone)


def numbers(rows, seed=3):
    found = np.random.default_rng(rows + seed).integers(-9, 9, rows).astype("float64")
    found[::4] = np.nan
    return found


def frame_of(index):
    rows = len(index)
    frame = pd.DataFrame({"f": numbers(rows), "i": np.arange(rows)[::-1]}, index=index)
    return frame if rows else frame.astype({"f": "float64", "i": "int64"})


@st.composite
def bins(draw, fixed=None):
    """The arguments of ``resample``."""
    given = {"rule": draw(st.sampled_from(FREQUENCIES)), "closed": draw(SIDES), "label": draw(SIDES)}
    if given["rule"][-1] in "nhD" and not given["rule"].endswith("JAN"):
        given["origin"] = draw(
            st.sampled_from(
                ["start_day", "start", "epoch", "end", "end_day", pd.Timestamp("2020-02-03 04:30")]
            )
        )
        given["offset"] = draw(st.sampled_from([None, "5h", "-17min", pd.Timedelta("2D")]))
    return given


def assume_few_bins(index, given):
    """Leave out what has thousands of bins, each of which would be looked at."""
    short = given["rule"][-1] in "hn"  # hours and minutes
    assume(not short or not len(index) or index.max() - index.min() < pd.Timedelta(days=60))


def beside(code, obj, **keywords):
    """Compare what ``code`` gives of bins, as long as pandas knows some."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = code(obj)
        except Exception as error:
            if "Cannot infer dst time" in str(error):
                return  # pandas asks for a time that comes twice also where the results have none
            with pytest.raises(
                ValueError, match=r"duplicate labels|fixed-duration|monotonic|before first bin"
            ):
                code(ours(obj))
            return
        assert_like(code(ours(obj)), expected, kept="d", **keywords)


@given(times(), bins())
def test_sums_of_every_frequency(index, given):
    if isinstance(given.get("origin"), pd.Timestamp) and index.tz is not None:
        given["origin"] = given["origin"].tz_localize(index.tz)
    beside(lambda frame: frame.resample(**given).sum(), frame_of(index))


@given(times(zones=st.none()), st.sampled_from(OFFSETS), SIDES, SIDES)
def test_frequencies_of_offsets(index, rule, closed, label):
    if len(index) and not len(index.dropna()):
        return  # an error of pandas' own
    beside(lambda frame: frame.resample(rule, closed=closed, label=label).sum(), frame_of(index))


AGGREGATIONS = [
    *[
        "sum",
        "prod",
        "min",
        "max",
        "mean",
        "median",
        "std",
        "var",
        "sem",
        "first",
        "last",
        "count",
        "nunique",
    ],
    *["size", "ohlc"],
]


@given(times(), bins(), st.sampled_from(AGGREGATIONS))
def test_every_aggregation_of_bins(index, given, name):
    given.pop("origin", None)
    frame = frame_of(index)
    beside(lambda frame: getattr(frame.resample(**given), name)(), frame, rtol=1e-9)
    beside(lambda frame: frame.resample(**given).agg(name), frame, rtol=1e-9)
    if not len(index) and name == "ohlc":
        return  # an error of pandas' own
    beside(lambda frame: getattr(frame["f"].resample(**given), name)(), frame, rtol=1e-9)
    beside(lambda frame: getattr(frame["i"].resample(**given), name)(), frame, rtol=1e-9)


@given(times(most=40), bins(), st.sampled_from([0, 0.25, 0.5, 1, [0.2, 0.9]]))
def test_quantiles_of_bins(index, given, q):
    given.pop("origin", None)
    if len(index.dropna()):
        beside(lambda frame: frame.resample(**given).quantile(q), frame_of(index), rtol=1e-9)


@given(times(most=12), bins(), st.sampled_from([None, 1, 3]), st.booleans())
def test_values_between(index, given, limit, unique):
    assume_few_bins(index, given)
    given.pop("origin", None)
    if unique:
        index = index.unique()
    frame = frame_of(index)
    frame = frame[frame.index.notna()]  # pandas takes the missing time for an end of a bin
    for name in ("ffill", "bfill", "nearest"):
        beside(lambda frame, name=name: getattr(frame.resample(**given), name)(limit=limit), frame)
    beside(lambda frame: frame.resample(**given).asfreq(), frame)
    beside(lambda frame: frame["i"].resample(**given).asfreq(fill_value=7), frame)


@given(times(most=12, missing=False), bins(), st.sampled_from(["linear", "time"]), st.sampled_from([None, 2]))
def test_interpolation_of_bins(index, given, method, limit):
    given.pop("origin", None)
    frame = frame_of(index.unique())
    beside(lambda frame: frame.resample(**given).interpolate(method, limit=limit), frame, rtol=1e-6)


@given(times(), bins())
def test_bins_are_groups(index, given):
    assume_few_bins(index, given)
    given.pop("origin", None)
    frame = frame_of(index)
    if not len(index.dropna()):
        return
    beside(lambda frame: len(frame.resample(**given)), frame)
    beside(lambda frame: frame.resample(**given).ngroups, frame)
    beside(lambda frame: frame.resample(**given).groups, frame)
    beside(lambda frame: dict(frame.resample(**given).indices), frame)
    beside(lambda frame: [rows for _, rows in frame.resample(**given)], frame)
    beside(lambda frame: [label for label, _ in frame["f"].resample(**given)], frame)
    beside(lambda frame: frame.resample(**given).transform("sum"), frame)
    beside(lambda frame: frame["i"].resample(**given).transform("cumsum"), frame)
    beside(lambda frame: frame.resample(**given)["i"].cumsum(), frame)
    beside(lambda frame: frame.resample(**given)[["i"]].max(), frame)
    beside(lambda frame: frame.resample(**given).get_group(min(frame.resample(**given).indices)), frame)


@st.composite
def durations(draw):
    hours = draw(st.lists(st.integers(-50, 200), max_size=15))
    return pd.TimedeltaIndex(pd.to_timedelta(hours, "h"), name="d").as_unit(
        draw(st.sampled_from(["us", "ns"]))
    )


@given(durations(), st.sampled_from(["D", "5h", "90min", "3D", "ME"]), SIDES, st.sampled_from([None, "2h"]))
def test_durations_of_bins(index, rule, closed, offset):
    frame = frame_of(index)
    for name in ("sum", "mean", "ffill", "asfreq", "size"):
        beside(lambda frame, n=name: getattr(frame.resample(rule, closed=closed, offset=offset), n)(), frame)


# Keys of groups.


@st.composite
def keyed(draw, **given):
    """A frame with times as labels and in a column, keys and numbers."""
    index = draw(times(**given))
    rows = len(index)
    keys = draw(st.lists(st.sampled_from(["x", "y", "z"]), min_size=rows, max_size=rows))
    frame = frame_of(index).assign(k=pd.Series(keys, index=index, dtype="str"))
    return frame.assign(at=index[::-1])


@given(keyed(missing=False), bins(), st.booleans())
def test_bins_alone_as_keys(frame, given, listed):
    assume_few_bins(frame.index, given)
    given["freq"] = given.pop("rule")
    given.pop("origin", None)
    if not len(frame):
        return
    for name in ("sum", "mean", "size", "first"):
        for where in ({}, {"key": "at"}, {"level": 0}):
            for as_index in (True, False):

                def code(frame, name=name, where=where, as_index=as_index):
                    lib = pd if isinstance(frame, pd.DataFrame) else cuprum
                    grouper = lib.Grouper(**given, **where)
                    groups = frame.groupby([grouper] if listed else grouper, as_index=as_index)
                    return getattr(groups[["f", "i"]], name)()

                beside(code, frame, rtol=1e-9)


@given(keyed(), bins(), st.booleans())
def test_bins_beside_other_keys(frame, given, first):
    assume_few_bins(frame.index, given)
    given["freq"] = given.pop("rule")
    given.pop("origin", None)

    def code(frame, name, where):
        lib = pd if isinstance(frame, pd.DataFrame) else cuprum
        keys = [lib.Grouper(**given, **where), "k"]
        return getattr(frame.groupby(keys if first else keys[::-1])[["f", "i"]], name)()

    if not len(frame.index.dropna()):
        return
    for name in ("sum", "max", "size", "cumsum"):
        beside(lambda frame, name=name: code(frame, name, {}), frame, rtol=1e-9)
        beside(lambda frame, name=name: code(frame, name, {"key": "at"}), frame, rtol=1e-9)


@given(keyed(), bins(), st.sampled_from(AGGREGATIONS))
def test_bins_within_groups(frame, given, name):
    given.pop("origin", None)
    if frame.groupby("k").size().lt(1).any() or not len(frame) or frame.index.hasnans:
        return
    numbered = frame.reset_index(drop=True)

    def of_numbers(bins):
        return getattr(bins if name == "size" else bins[["f", "i"]], name)()

    beside(lambda frame: of_numbers(frame.groupby("k").resample(**given)), frame, rtol=1e-9)
    beside(lambda frame: getattr(frame.groupby("k")["i"].resample(**given), name)(), frame, rtol=1e-9)
    beside(lambda frame: of_numbers(frame.groupby("k").resample(on="at", **given)), numbered, rtol=1e-9)
    beside(lambda frame: frame.groupby("k").resample(**given).count(), frame)
    if name in ("sum", "max"):
        beside(lambda frame: frame.groupby("k").resample(**given).agg({"f": [name, "min"]}), frame, rtol=1e-9)


@given(keyed(missing=False, most=8), bins())
def test_values_between_within_groups(frame, given):
    given.pop("origin", None)
    frame = frame[~frame.index.duplicated()][["f", "k"]]
    if len(frame):
        for name in ("ffill", "bfill", "nearest", "asfreq"):
            beside(lambda frame, name=name: getattr(frame.groupby("k").resample(**given), name)(), frame)
            beside(lambda frame, name=name: getattr(frame.groupby("k")["f"].resample(**given), name)(), frame)


HOURLY = pd.date_range("2020-01-01", periods=6, freq="12h")
SOLD = pd.DataFrame(
    {"a": [1, 2, 3, 4, 5, 6], "f": [1.5, np.nan, 2, 3, 4, 5], "k": list("xyxyzz"), "t": HOURLY}, index=HOURLY
)


@pytest.mark.parametrize(
    "code",
    [
        "d[['a', 'f']].resample('D').agg({'a': 'sum', 'f': ['min', 'max']})",
        "d.resample('D').agg(x=('a', 'sum'), y=('f', 'max'))",
        "d.a.resample('D').agg({'x': 'sum', 'y': 'max'})",
        "d.a.resample('D').agg(x='sum')",
        "d.resample('D')[['a', 'f']].agg(['sum', np.mean])",
        "d[['a', 'f']].resample('D').agg(np.sum)",
        "d[['a', 'f']].resample('D').apply('ffill')",
        "d[['a', 'f']].resample('D').agg('quantile', 0.2)",
        "d[['a', 'f']].resample('D').pipe(lambda r: r.max() - r.min())",
        "d.a.resample('6h').pipe((lambda n, r: r.ffill(n), 'r'), 1)",
        "d.resample('D').a.sum()",
        "d.resample('D', on='t')['k'].count()",
        "d.resample('D', on='t').nunique()",
        "d.set_index(['t', 'k']).resample('D', level=0).sum()",
        "d.set_index(['t', 'k']).resample('D', level='t').max()",
        "d.iloc[:0].a.resample('D').sum()",
        "d.iloc[:0].resample('D').mean()",
        "d.iloc[:0].resample('D').size()",
        "d.iloc[:0].resample('D').count()",
        "d.iloc[:0].a.resample('D').ffill()",
        "d.pivot_table(index=lib.Grouper(freq='D', key='t'), columns='k', values='a', aggfunc='sum')",
        "d.groupby(lib.Grouper(freq='D')).groups",
        "dict(d.groupby(lib.Grouper(freq='D', key='t')).indices)",
        "[label for label, _ in d.groupby(lib.Grouper(freq='36h'))]",
        "d.groupby(lib.Grouper(freq='D')).get_group(lib.Timestamp('2020-01-02'))",
        "d.groupby(pd.Grouper(freq='36h', closed='right'))['a'].sum()",
        "d.groupby(pd.Grouper(key='k')).size()",
        "d.groupby([lib.Grouper(key='k'), lib.Grouper(freq='D')])['a'].sum()",
        "d.groupby([lib.Grouper(freq='2D'), lib.Grouper(freq='D')])['a'].sum()",
        "d.groupby(['k', lib.Grouper(key='t', freq='D')]).sum()",
        "d.groupby([lib.Grouper(key='t', freq='2D'), 'k']).mean()",
        "d.groupby(['k', lib.Grouper(key='t', freq='D')], as_index=False).max()",
        "d.groupby(['k', lib.Grouper(key='t', freq='D')]).transform('max')",
        "d.groupby(['k', lib.Grouper(key='t', freq='D')]).t.max()",
        "d.groupby(['k', lib.Grouper(key='t', freq='D')]).head(1)",
        "d.groupby(['k', lib.Grouper(key='t', freq='D')]).apply(lambda g: list(g.columns))",
        "d.groupby(['k', 't', lib.Grouper(key='t', freq='D')]).sum()",
        "d.groupby([lib.Grouper(key='t', freq='2D'), lib.Grouper(key='t', freq='D')])[['a']].sum()",
        "str(d.resample('D'))",
        "str(d.resample('2ME'))",
        "str(d.resample('20h', offset='2h', origin='end'))",
        "repr(lib.Grouper(freq='D', key='t'))",
        "repr(lib.Grouper('k', dropna=False))",
        "[lib.Grouper(freq='ME').closed, lib.Grouper(freq='7h', offset='1h').offset]",
    ],
)
def test_forms(code):
    agree(code, d=SOLD)


@pytest.mark.parametrize(
    "code",
    [
        "d.a.resample('20h').agg(lambda x: x.max() - x.min() if len(x) else 0)",
        "d[['a', 'f']].resample('D').transform(lambda x: x - x.mean())",
        "d.resample('D')[['a', 'f']].agg(lambda x: x.sum())",
        "d[['a', 'f']].resample('D').apply(lambda x: (x['a'] * x['f']).sum())",
        "d[['a', 'f']].resample('D').agg({'a': np.sum, 'f': lambda x: x.std(ddof=0)})",
        "d.a.resample('D').agg(['sum', lambda x: x.iloc[0]])",
        "d.a.resample('D').agg({'r': lambda x: np.mean(x) / np.std(x), 't': 'sum'})",
        "d.a.resample('D').apply(lambda x, k: x.sum() * k, 3)",
        "d.a.resample('D').apply(lambda x: x.head(1))",
        "d.a.resample('D', group_keys=True).apply(lambda x: x + 1)",
        "d[['a', 'f']].resample('D').apply(lambda x: x)",
        "d.groupby(lib.Grouper(freq='D')).apply(lambda x: x['a'].sum())",
        "d.groupby(lib.Grouper(freq='D')).filter(lambda x: x['a'].sum() > 4)",
        "d.groupby('k')[['a', 'f']].resample('D').apply(lambda x: x.sum())",
    ],
)
def test_functions_of_bins(code):
    agree(code, d=SOLD)


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("d.reset_index(drop=True).resample('D')", TypeError, "instance of 'RangeIndex'"),
        ("d.set_index(['t', 'k']).resample('D')", TypeError, "MultiIndex"),
        ("d.resample('D', on='k')", TypeError, "Only valid with DatetimeIndex"),
        ("d.resample('D', on='q')", KeyError, "q"),
        ("d.resample('D', on='t', level=0)", ValueError, "both a key and a level"),
        ("d.resample('D', level=3)", ValueError, "level 3"),
        ("d.resample('D', level='z')", ValueError, "level z"),
        ("d.resample('M')", ValueError, "Invalid frequency: M"),
        ("d.resample('0D')", ZeroDivisionError, "0D|modulo"),
        ("d.resample('-1D').a.sum()", ValueError, "-1D|binner"),
        ("d.resample('D', closed='x')", ValueError, "`closed`"),
        ("d.resample('D', label='x')", ValueError, "`label`"),
        ("d.resample('D', origin='x')", ValueError, "'origin'"),
        ("d.resample('D', offset='x')", ValueError, "'offset'"),
        ("d.tz_localize('UTC').resample('7h', origin=lib.Timestamp('2020-01-01'))", ValueError, "timezone"),
        ("d.resample('D', on='t').ffill()", ValueError, "Upsampling"),
        ("d.iloc[[0, 0]].resample('D').asfreq()", ValueError, "duplicate"),
        ("d.resample('D').agg('zz')", AttributeError, "'zz' is not a valid function"),
        ("d.resample('D').zz", AttributeError, "zz"),
        ("d.resample('D')['zz']", KeyError, "zz"),
        ("d.resample('D').get_group(lib.Timestamp('2019-01-01'))", KeyError, "2019"),
        ("d.resample('D').ohlc()", pd.errors.DataError, "No numeric types"),
        ("d.a.resample('ME', origin='end')", RuntimeWarning, "'origin'"),
        ("d.a.resample('ME', offset='1h')", RuntimeWarning, "'offset'"),
        ("d.groupby(lib.Grouper(key='zz')).size()", KeyError, "zz"),
        ("d.groupby(lib.Grouper()).size()", TypeError, "NoneType|names no"),
    ],
)
def test_bins_that_are_refused(code, error, says):
    for lib, frame in ((pd, SOLD), (cuprum, pair(SOLD).ours)):
        with warnings.catch_warnings(), pytest.raises(error, match=says):
            warnings.simplefilter("error")
            eval(code, {"lib": lib, "d": frame})


def test_what_only_pandas_takes():
    frame = pair(SOLD).ours
    with pytest.raises(NotImplementedError, match="`rule`"):
        frame.groupby("k").resample(pd.offsets.SemiMonthEnd())
    with pytest.raises(NotImplementedError, match="as_index"):
        frame.groupby("k", as_index=False).resample("D")
    with pytest.raises(NotImplementedError, match="dropna"):
        cuprum.Grouper(freq="D", dropna=False)
    with pytest.raises(TypeError, match="`closed`"):
        cuprum.Grouper("k", closed="left")
    with pytest.raises(TypeError, match="`origin`"):
        cuprum.Grouper("k", origin="end")
    with pytest.raises(ValueError, match="finer unit"):
        frame.set_axis(cuprum.DatetimeIndex(HOURLY).as_unit("s")).a.resample("500ms").sum()


# Regular times, and times of day.


@given(
    times(missing=False, most=8),
    st.sampled_from([f for f in FREQUENCIES if "-" not in f]),
    st.sampled_from([None, "ffill", "bfill", "nearest"]),
    st.booleans(),
)
def test_regular_times(index, freq, method, normalize):
    index = index.unique()
    if method is not None:
        index = index.sort_values()
    beside(lambda frame: frame.asfreq(freq, method=method, normalize=normalize), frame_of(index))
    beside(lambda frame: frame["i"].asfreq(freq, fill_value=5), frame_of(index))


TIMES_OF_DAY = st.one_of(
    st.times().map(lambda time: time.replace(microsecond=0)),
    st.sampled_from(["0:00", "9:30", "12:15 PM", "23:59:59", "13:00", "04:45:00.5"]),
)


@given(
    times(missing=False), TIMES_OF_DAY, TIMES_OF_DAY, st.sampled_from(["both", "left", "right", "neither"])
)
def test_times_of_day(index, first, last, inclusive):
    frame = frame_of(index)
    beside(lambda frame: frame.between_time(first, last, inclusive=inclusive), frame)
    beside(lambda frame: frame["f"].at_time(first), frame)
    beside(lambda index: index.indexer_at_time(first), index)
    beside(lambda index: index.indexer_between_time(first, last, False), index)
    if index.tz is not None and isinstance(first, datetime.time):
        aware = first.replace(tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
        beside(lambda index: index.indexer_at_time(aware), index)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_times_of_day_at_their_bounds(unit, zone):
    first, last = pd.Timestamp("1969-12-30 09:00:00.000005"), pd.Timestamp("2020-02-03 17:30")
    near = [at + pd.Timedelta(n, "ns") for at in (first, last) for n in (-1001, -1000, -1, 0, 1, 999, 1000)]
    index = pd.DatetimeIndex([*near, pd.Timestamp("2020-02-03")]).as_unit(unit).tz_localize(zone)
    for inclusive in ["both", "left", "right", "neither"]:
        for bounds in [("09:00:00.000005", "17:30"), ("17:30", "09:00:00.000005"), ("0:00", "0:00")]:
            beside(
                lambda s: s.between_time(*bounds, inclusive=inclusive), pd.Series(range(len(index)), index)
            )
    beside(lambda s: s.at_time("09:00:00.000005"), pd.Series(range(len(index)), index))


def test_what_is_no_time_of_day():
    frame = pair(SOLD).ours
    assert pair(pd.DatetimeIndex([None, "2020-01-01"])).ours.indexer_between_time(
        "22:00", "1:00"
    ).tolist() == [1]
    with pytest.raises(ValueError, match="`time`='zz'"):
        frame.at_time("zz")
    with pytest.raises(TypeError, match="`start_time` is 9"):
        frame.between_time(9, "10:00")
    with pytest.raises(ValueError, match="timezone aware"):
        frame.at_time(datetime.time(6, tzinfo=datetime.UTC))
    with pytest.raises(TypeError, match="RangeIndex"):
        frame.reset_index(drop=True).asfreq("D")
    with pytest.raises(ValueError, match="Inclusive"):
        frame.between_time("9:00", "10:00", inclusive="x")
    with pytest.raises(ValueError, match="Invalid fill method"):
        frame.asfreq("D", method="x")
    with pytest.raises(ValueError, match="duplicate"):
        frame.iloc[[0, 0]].asfreq("D")


def test_agg_of_bins_refuses_what_is_not_selected():
    agree(
        lambda lib: daily_floats(lib).resample("2D")[["a"]].agg({"b": "sum"}),
        refused=(KeyError, "Label(s) ['b'] do not exist"),
    )


THREE_DAYS = pd.DataFrame(
    {
        "k": ["a", "b", "a"],
        "v": [1, 2, 3],
        "t": pd.to_datetime(["2023-01-01", "2023-01-02", "2023-01-02"]),
    }
)


def test_get_group_of_a_bin():
    agree(lambda lib, f: f.set_index("t").v.resample("2D").get_group("2023-01-01"), f=THREE_DAYS)
