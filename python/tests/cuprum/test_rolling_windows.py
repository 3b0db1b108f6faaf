"""Windows: every statistic, of rows, of times, of all rows so far, weighted, and in groups."""

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import agree, assert_like
from pandas.api.indexers import FixedForwardWindowIndexer
from small_frames import TWO_GROUPS, keyed_times

import cuprum

STATISTICS = {
    "count": {},
    "sum": {},
    "mean": {},
    "median": {},
    "min": {},
    "max": {},
    "first": {},
    "last": {},
    "nunique": {},
    "var": {"ddof": 0},
    "std": {},
    "sem": {},
    "skew": {},
    "kurt": {},
    "rank": {},
}


def close(ours, theirs):
    """Compare frames or series: rounding apart, with the labels of both."""
    assert_like(ours, theirs, rtol=1e-8)


def windows_beside(ours, theirs, statistics=STATISTICS):
    for name, keywords in statistics.items():
        close(getattr(ours, name)(**keywords), getattr(theirs, name)(**keywords))


def values(rows, missing=4):
    """Numbers whose variance is not small beside them, some missing."""
    rng = np.random.default_rng(rows)
    found = rng.integers(-20, 20, rows) / 4
    found[rng.integers(0, missing, rows) == 0] = np.nan
    return found


def both(data, index=None):
    return cuprum.Series(data, index=index, name="v"), pd.Series(data, index=index, name="v")


@pytest.mark.parametrize("closed", [None, "left", "right", "both", "neither"])
@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize(("window", "min_periods"), [(1, None), (3, None), (4, 1), (7, 0), (60, 2)])
def test_windows_of_rows(window, min_periods, center, closed):
    for rows in (0, 1, 2, 33, 90):
        ours, theirs = both(values(rows))
        given = {"min_periods": min_periods, "center": center, "closed": closed}
        # Places of elements that are in no window are those of others in pandas.
        chosen = {k: v for k, v in STATISTICS.items() if k != "rank" or not (center or closed)}
        windows_beside(ours.rolling(window, **given), theirs.rolling(window, **given), chosen)


@pytest.mark.parametrize(
    "data", [[1, 5, 2, 2, 9], [True, False, True, True, False], [1.5, np.inf, 2, -np.inf, 3]]
)
def test_types_and_infinities(data):
    ours, theirs = both(data)
    windows_beside(ours.rolling(3, min_periods=1), theirs.rolling(3, min_periods=1))
    assert ours.astype("float32").rolling(2).sum().dtype == "float64" if data[0] != 1.5 else True


@pytest.mark.parametrize("closed", [None, "left", "right", "both", "neither"])
@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_windows_of_times(unit, closed):
    rng = np.random.default_rng(5)
    hours = np.sort(rng.integers(0, 200, 80))
    index = pd.DatetimeIndex(pd.Timestamp("2020-01-01") + pd.to_timedelta(hours, "h")).as_unit(unit)
    data = values(80)
    for center in (False, True):
        for window in ("3h", "2D", datetime.timedelta(hours=7), pd.Timedelta("1h"), pd.offsets.Hour(5)):
            for order in (1, -1):
                ours = cuprum.Series(data[::order], index=cuprum.DatetimeIndex(index[::order]))
                theirs = pd.Series(data[::order], index=index[::order])
                given = {"center": center, "closed": closed}
                chosen = {name: {} for name in ("count", "sum", "mean", "max", "std")}
                windows_beside(ours.rolling(window, **given), theirs.rolling(window, **given), chosen)
    ours, theirs = cuprum.Series(data, index=cuprum.DatetimeIndex(index)), pd.Series(data, index=index)
    windows_beside(ours.rolling("1D", min_periods=3), theirs.rolling("1D", min_periods=3))


def test_times_in_a_column_and_columns_of_frames():
    frame = pd.DataFrame(
        {
            "a": values(30),
            "t": pd.to_datetime("2021-01-01") + pd.to_timedelta(np.arange(30) // 2, "D"),
            "b": np.arange(30),
        }
    )
    ours = cuprum.from_pandas(frame)
    close(ours.rolling("3D", on="t").sum(), frame.rolling("3D", on="t").sum())
    close(ours.rolling("3D", on="t")[["b"]].mean(), frame.rolling("3D", on="t")[["b"]].mean())
    close(ours.rolling("3D", on="t")["b"].mean(), frame.rolling("3D", on="t")["b"].mean())
    close(ours.rolling("3D", on="t").b.max(), frame.rolling("3D", on="t").b.max())
    close(ours.rolling(4, on="t").count(), frame.rolling(4, on="t").count())
    two, wanted = ours[["a", "b"]], frame[["a", "b"]]
    close(two.rolling(3, step=4, min_periods=1).sum(), wanted.rolling(3, step=4, min_periods=1).sum())
    text = ours.assign(s="x")[["a", "s"]]
    with pytest.raises(cuprum.errors.DataError, match="'s'"):
        text.rolling(2).sum()
    close(text.rolling(2).sum(numeric_only=True), frame[["a"]].rolling(2).sum())
    close(text.rolling(2).count(), frame.assign(s="x")[["a", "s"]].rolling(2).count())
    assert repr(ours.a.rolling(3)) == repr(frame.a.rolling(3))
    assert repr(ours.a.expanding()) == repr(frame.a.expanding())
    assert repr(ours.rolling("3D", on="t")) == repr(frame.rolling("3D", on="t"))


@pytest.mark.parametrize("min_periods", [0, 1, 3])
def test_all_rows_so_far(min_periods):
    for rows in (0, 1, 50):
        ours, theirs = both(values(rows))
        windows_beside(ours.expanding(min_periods), theirs.expanding(min_periods))


@pytest.mark.parametrize("interpolation", ["linear", "lower", "higher", "midpoint", "nearest"])
def test_quantiles_and_places(interpolation):
    ours, theirs = both(values(60))
    for q in (0, 0.1, 0.5, 0.75, 1):
        given = {"q": q, "interpolation": interpolation}
        close(
            ours.rolling(6, min_periods=1).quantile(**given),
            theirs.rolling(6, min_periods=1).quantile(**given),
        )
    for method in ("average", "min", "max"):
        for ascending in (True, False):
            given = {"method": method, "ascending": ascending, "pct": ascending}
            close(
                ours.rolling(6, min_periods=1).rank(**given), theirs.rolling(6, min_periods=1).rank(**given)
            )
    with pytest.raises(ValueError, match=r"quantile value 1\.5"):
        ours.rolling(2).quantile(1.5)
    with pytest.raises(ValueError, match="dense"):
        ours.rolling(2).rank(method="dense")


def test_pairs_of_windows():
    frame = pd.DataFrame(
        {"a": values(40), "b": values(41)[:40], "c": np.arange(40.0)}, index=np.arange(40) * 2
    )
    frame.columns.name = "which"
    ours = cuprum.from_pandas(frame)
    for name in ("cov", "corr"):
        of = {"ddof": 0} if name == "cov" else {}
        for window in (5, 12):
            mine, theirs = ours.rolling(window, min_periods=3), frame.rolling(window, min_periods=3)
            close(getattr(mine, name)(**of), getattr(theirs, name)(**of))
            close(
                getattr(mine, name)(ours[["b", "a"]]),
                getattr(theirs, name)(frame[["b", "a"]], pairwise=False),
            )
            close(getattr(mine, name)(ours.c), getattr(theirs, name)(frame.c))
            close(getattr(mine.a, name)(ours.b), getattr(theirs.a, name)(frame.b))
            close(getattr(mine.a, name)(), getattr(theirs.a, name)())
        close(getattr(ours.expanding(), name)(), getattr(frame.expanding(), name)())
        close(getattr(ours.ewm(com=2), name)(), getattr(frame.ewm(com=2), name)())
        close(getattr(ours.a.ewm(com=2), name)(ours.b), getattr(frame.a.ewm(com=2), name)(frame.b))
    with pytest.raises(ValueError, match="DataFrame or Series"):
        ours.rolling(2).cov(3)
    with pytest.raises(NotImplementedError, match="step"):
        ours.rolling(2, step=2).cov()


@pytest.mark.parametrize("adjust", [True, False])
@pytest.mark.parametrize("ignore_na", [True, False])
@pytest.mark.parametrize(
    "weights", [{"com": 0}, {"span": 4}, {"halflife": 2.5}, {"alpha": 0.3, "min_periods": 4}]
)
def test_weights_that_fade(weights, ignore_na, adjust):
    for rows in (0, 1, 40):
        ours, theirs = both(values(rows))
        given = {**weights, "adjust": adjust, "ignore_na": ignore_na}
        mine, wanted = ours.ewm(**given), theirs.ewm(**given)
        of = {"mean": {}, "var": {"bias": True}, "std": {}, **({"sum": {}} if adjust else {})}
        windows_beside(mine, wanted, of)
        close(mine.var(), wanted.var())
    assert repr(mine) == repr(wanted)
    if not adjust:
        with pytest.raises(NotImplementedError, match="adjust"):
            mine.sum()


@pytest.mark.parametrize("as_index", [True, False])
@pytest.mark.parametrize("sort", [True, False])
def test_groups_of_windows(sort, as_index):
    rng = np.random.default_rng(8)
    frame = pd.DataFrame(
        {
            "k": rng.choice(["x", "y", None, "z"], 60),
            "j": rng.integers(0, 2, 60),
            "v": values(60),
            "w": rng.integers(0, 9, 60),
        },
        index=pd.Index(rng.permutation(60), name="at"),
    )
    ours = cuprum.from_pandas(frame)
    # pandas takes the roots of keys that are columns of results.
    chosen = {k: v for k, v in STATISTICS.items() if as_index or k != "sem"}
    for keys in ("k", ["j", "k"]):
        mine = ours.groupby(keys, sort=sort, as_index=as_index)[["v", "w"]]
        theirs = frame.groupby(keys, sort=sort, as_index=as_index)[["v", "w"]]
        windows_beside(mine.rolling(3, min_periods=1), theirs.rolling(3, min_periods=1), chosen)
        close(mine.rolling(4, center=True).sum(), theirs.rolling(4, center=True).sum())
        windows_beside(mine.expanding(2), theirs.expanding(2), chosen)
    close(ours.groupby("k").v.rolling(2).sum(), frame.groupby("k").v.rolling(2).sum())
    close(ours[["k", "v"]].groupby("k").expanding().max(), frame[["k", "v"]].groupby("k").expanding().max())


def test_groups_with_times():
    frame = pd.DataFrame(
        {
            "k": [1, 2] * 10,
            "t": pd.to_datetime("2021-01-01") + pd.to_timedelta(np.arange(20) // 3, "D"),
            "v": values(20),
        }
    )
    ours = cuprum.from_pandas(frame)
    close(ours.groupby("k").rolling("3D", on="t").sum(), frame.groupby("k").rolling("3D", on="t").sum())
    close(
        ours.groupby("k").rolling("3D", on="t")["v"].sum(),
        frame.groupby("k").rolling("3D", on="t")["v"].sum(),
    )
    with pytest.raises(ValueError, match="invalid on"):
        ours.groupby("k").v.rolling("3D", on="t")
    timed, wanted = ours.set_index("t"), frame.set_index("t")
    close(timed.groupby("k").rolling("2D").mean(), wanted.groupby("k").rolling("2D").mean())
    unsorted = cuprum.from_pandas(frame.iloc[::-1].sort_values("k", kind="stable"))
    close(
        unsorted.groupby("k").rolling("3D", on="t").sum(),
        frame.iloc[::-1].sort_values("k", kind="stable").groupby("k").rolling("3D", on="t").sum(),
    )


def test_functions_of_windows():
    ours, theirs = both(values(25))
    for raw in (False, True):
        close(
            ours.rolling(4, min_periods=2).apply(np.nansum, raw=raw),
            theirs.rolling(4, min_periods=2).apply(np.nansum, raw=raw),
        )
    close(
        ours.rolling(3, min_periods=1).apply(
            lambda s, by, plus: s.sum() * by + plus, args=(2,), kwargs={"plus": 1}
        ),
        theirs.rolling(3, min_periods=1).apply(
            lambda s, by, plus: s.sum() * by + plus, args=(2,), kwargs={"plus": 1}
        ),
    )
    frame = pd.DataFrame({"a": values(25), "b": np.arange(25)})
    mine = cuprum.from_pandas(frame)
    close(mine.expanding().apply(len, raw=True), frame.expanding().apply(len, raw=True))
    for func in ("sum", ["sum", "std"], {"a": "sum", "b": "max"}, {"a": ["sum"], "b": ["min", "max"]}):
        close(mine.rolling(3).agg(func), frame.rolling(3).agg(func))
    close(mine.a.rolling(3).agg(["mean", "max"]), frame.a.rolling(3).agg(["mean", "max"]))
    close(mine.ewm(com=1).agg(["mean", "std"]), frame.ewm(com=1).agg(["mean", "std"]))
    assert [len(window) for window in mine.rolling(3)] == [len(window) for window in frame.rolling(3)]
    assert mine.rolling(2).pipe(lambda w, n: (w.sum().shape, n), 5) == ((25, 2), 5)
    with pytest.raises(ZeroDivisionError):
        mine.a.rolling(2).apply(lambda s: 1 / 0)
    with pytest.raises(pd.errors.SpecificationError, match="nested renamer"):
        mine.a.rolling(2).agg({"x": ["sum"]})


def test_windows_of_pandas_indexers():
    ours, theirs = both(values(30))
    forward = pd.api.indexers.FixedForwardWindowIndexer(window_size=3)
    windows_beside(ours.rolling(forward), theirs.rolling(forward), {"sum": {}, "count": {}, "max": {}})
    chosen = {k: v for k, v in STATISTICS.items() if k != "rank"}
    windows_beside(ours.rolling(forward, min_periods=1), theirs.rolling(forward, min_periods=1), chosen)


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda s: s.rolling(-1), ValueError, "0 or greater"),
        (lambda s: s.rolling("2D"), ValueError, "0 or greater"),
        (lambda s: s.rolling(2.5), ValueError, "0 or greater"),
        (lambda s: s.rolling(2, min_periods=3), ValueError, "must be <= window 2"),
        (lambda s: s.rolling(2, min_periods=-1), ValueError, ">= 0"),
        (lambda s: s.rolling(2, min_periods=1.5), ValueError, "integer"),
        (lambda s: s.rolling(2, center=1), ValueError, "boolean"),
        (lambda s: s.rolling(2, closed="top"), ValueError, "closed"),
        (lambda s: s.rolling(2, step=0), ValueError, "step"),
        (lambda s: s.rolling(2, on="x"), ValueError, "invalid on"),
        (lambda s: s.rolling(2, win_type="bogus"), ValueError, "win_type"),
        (lambda s: s.rolling(2, method="table"), NotImplementedError, "method"),
        (lambda s: s.astype("str").rolling(2).sum(), cuprum.errors.DataError, "str"),
        (lambda s: s.astype("str").ewm(1).mean(), cuprum.errors.DataError, "mean of windows of type str"),
        (lambda s: cuprum.to_datetime(s).expanding().apply(len), cuprum.errors.DataError, "apply of"),
        (lambda s: s.ewm(), ValueError, "Must pass one"),
        (lambda s: s.ewm(com=1, span=2), ValueError, "mutually exclusive"),
        (lambda s: s.ewm(com=-1), ValueError, "comass"),
        (lambda s: s.ewm(alpha=1.5), ValueError, "alpha"),
        (lambda s: s.ewm(span=0.5), ValueError, "span"),
        (lambda s: s.ewm(halflife=0), ValueError, "halflife"),
        (lambda s: s.ewm(halflife="2D"), ValueError, "halflife"),
    ],
)
def test_what_is_no_window_is_refused(call, error, says):
    with pytest.raises(error, match=says):
        call(cuprum.Series([1.0, 2.0, 3.0]))


def test_times_in_no_order_are_refused():
    times = pd.to_datetime(["2020-01-02", "2020-01-01", "2020-01-03"])
    ours = cuprum.Series([1, 2, 3], index=cuprum.DatetimeIndex(times))
    with pytest.raises(ValueError, match="monotonic"):
        ours.rolling("2D")
    with pytest.raises(ValueError, match="NaT"):
        cuprum.DataFrame({"t": cuprum.Series([times[0], None]), "v": [1, 2]}).rolling("2D", on="t")
    with pytest.raises(ValueError, match="not compatible"):
        ours.sort_index().rolling("MS")


def test_windows_are_of_what_a_frame_has_become():
    def results(lib):
        found = []
        for change in (
            "df['new'] = [10, 20, 30]",
            "df['v'] = [7.0, 8, 9]",
            "df.iloc[0, 0] = 100.0",
            "df.index = [7, 8, 9]",
            "df.loc[5] = [4.0, 5]",
            "del df['w']",
        ):
            for windows in (
                "df.rolling(2)",
                "df.expanding()",
                "df.ewm(1)",
                "df.v.rolling(2)",
                "df['v'].ewm(1)",
            ):
                df = lib.DataFrame({"v": [1.0, 2, 3], "w": [4, 5, 6]})
                made = eval(windows, {"df": df})
                exec(change, {"df": df})
                found.append(made.mean())
        return found

    agree(results)
    series, results = cuprum.Series([1.0, 2.0, 3.0]), []
    results.append(series.rolling(2).sum())
    series[0] = 100.0
    assert results[0].to_list()[1:] == [3.0, 5.0]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.one_of(st.integers(-9, 9).map(float), st.just(float("nan"))), max_size=40),
    st.integers(1, 12),
    st.integers(0, 4),
    st.booleans(),
)
def test_any_windows(data, window, min_periods, center):
    ours, theirs = both(np.array(data, dtype="float64"))
    given = {"min_periods": min(min_periods, window), "center": center}
    chosen = {k: v for k, v in STATISTICS.items() if k != "rank"}
    windows_beside(ours.rolling(window, **given), theirs.rolling(window, **given), chosen)


@pytest.mark.parametrize("rows", [1, 2, 5, 17, 1000])
@pytest.mark.parametrize("adjust", [True, False])
def test_weights_that_fade_with_time(rows, adjust):
    chance = np.random.default_rng(rows)
    times = pd.Timestamp("2020-01-01") + pd.to_timedelta(chance.integers(0, 9_000, rows).cumsum(), "s")
    values = chance.normal(size=rows)
    values[chance.random(rows) < 0.2] = np.nan
    for ignore_na in (False, True):
        how = {"halflife": "1h", "times": times, "adjust": adjust, "ignore_na": ignore_na}
        expected = pd.Series(values).ewm(**how).mean()
        found = cuprum.Series(values).ewm(**how).mean()
        np.testing.assert_allclose(found.to_numpy(), expected, rtol=1e-9)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("windows", [
    "rolling(2)", "expanding()", "ewm(1)", "groupby([0, 0, 1]).rolling(2)", "groupby([0, 0, 1]).expanding()",
])  # fmt: skip
@pytest.mark.parametrize("func", [
    "{'a': 'mean'}", "{'a': ['mean', 'std']}", "['mean', 'std']", "{'b': 'mean', 'a': ['std']}", "'mean'",
])  # fmt: skip
def test_columns_of_windows_keep_the_name_of_their_labels(windows, func):
    df = pd.DataFrame({"a": [1.0, 2.0, 5.0], "b": [3.0, 4.0, 1.0]}).rename_axis(columns="c")
    agree(f"df.{windows}.agg({func})", df=df)
    agree(f"df.{windows}[['a']].mean()", df=df)
    two = df.set_axis(pd.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["c", "d"]), axis=1)
    agree(f"list(df.{windows}.agg('mean').columns.names)", df=two)


ITERATED: dict[str, Callable[[Any], Any]] = {
    "on": lambda lib: keyed_times(lib)[["t", "v"]].rolling("2D", on="t"),
    "on, a column": lambda lib: keyed_times(lib).rolling(2, on="t")["v"],
    "step": lambda lib: keyed_times(lib)["v"].rolling(2, step=2),
    "groups": lambda lib: keyed_times(lib)[["g", "v"]].groupby("g").rolling(2),
    "a column of groups": lambda lib: keyed_times(lib).groupby("g")["v"].rolling(2),
    "groups without labels": lambda lib: keyed_times(lib)[["g", "v"]].groupby("g", as_index=False).rolling(2),
    "on, of groups": lambda lib: keyed_times(lib)[["g", "t", "v"]].groupby("g").rolling("3D", on="t"),
    "all so far of groups": lambda lib: keyed_times(lib)[["g", "v"]].groupby("g").expanding(),
    "fading": lambda lib: keyed_times(lib)["v"].ewm(1),
}


@pytest.mark.parametrize("device", ["cpu", "emulator"])
@pytest.mark.parametrize("case", ITERATED)
def test_windows_are_iterated_over_under_the_labels_of_their_rows(case: str, device: str) -> None:
    with cuprum.option_context("device", device, "fallback", "host"):
        ours = [*ITERATED[case](cuprum)]
    theirs = [*ITERATED[case](pd)]
    assert len(ours) == len(theirs) > 0
    for mine, expected in zip(ours, theirs, strict=True):
        compare = pd.testing.assert_frame_equal if expected.ndim == 2 else pd.testing.assert_series_equal
        compare(mine.to_pandas(), expected, check_freq=False)


def test_windows_that_cannot_be_iterated_over_say_so() -> None:
    for windows in (
        keyed_times(cuprum)["v"].rolling(2, win_type="boxcar"),
        keyed_times(cuprum).groupby("g")["v"].ewm(1),
    ):
        with pytest.raises(NotImplementedError, match="iterating over"):
            list(windows)


def test_windows_of_time_of_no_rows() -> None:
    for made in (lambda lib: lib.DataFrame(), lambda lib: lib.Series([], dtype="float64")):
        agree(lambda lib, made=made: len(made(lib).rolling("1s").sum()))
        for window in ("x", "-1s"):
            with pytest.raises(ValueError, match="window"):
                made(cuprum).rolling(window)
        with pytest.raises(ValueError, match="window"):
            cuprum.Series([1.0]).rolling("1s")


@pytest.mark.parametrize(
    "code",
    [
        "g['v'].rolling(indexer(window_size=2), min_periods=1).sum()",
    ],
)
def test_windows_of_indexers_in_groups(code):
    def run(lib, df):
        return eval(code, {"g": df.groupby("k"), "indexer": FixedForwardWindowIndexer})

    agree(run, df=TWO_GROUPS)
