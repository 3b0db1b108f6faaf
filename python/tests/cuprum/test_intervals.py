"""Intervals beside pandas: in and out, comparison, order, groups, labels, `cut` and `qcut`."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import strategies as st
from oracle import agree, given, pair

import cuprum

NAN = float("nan")
SERIES = {
    "integers": pd.Series(pd.interval_range(0, 4), name="v"),
    "left": pd.Series(pd.interval_range(0, 4, closed="left"), name="v"),
    "floats": pd.Series(pd.IntervalIndex.from_tuples([(0.5, 2), None, (-1, 0.25), (0.5, 1)], closed="both")),
    "unsigned": pd.Series(pd.IntervalIndex.from_breaks(np.array([1, 5, 2**63 + 1], dtype="uint64"))),
    "times": pd.Series(pd.interval_range(pd.Timestamp("2020-01-31 05:00"), periods=3, freq="36h")),
    "instants": pd.Series(pd.interval_range(pd.Timestamp("2020-03-28", tz="Europe/Berlin"), periods=3)),
    "spans": pd.Series(pd.interval_range(pd.Timedelta("-1h"), periods=3, freq="90min", closed="neither")),
    "missing": pd.Series(pd.IntervalIndex.from_arrays([NAN, NAN], [NAN, NAN])),
    "none": pd.Series(pd.IntervalIndex.from_breaks([1, 2]))[:0],
}
UNSORTED = pd.Series(
    pd.IntervalIndex.from_tuples([(2, 3), (0, 2), None, (0, 1), (2, 3), (0, 2)]),
    index=list("abcdef"),
    name="v",
)


@pytest.mark.parametrize("name", SERIES)
def test_in_and_out_and_printed(name, tmp_path):
    theirs = SERIES[name]
    ours = cuprum.from_pandas(theirs)
    assert str(ours.dtype) == str(theirs.dtype)
    assert ours.dtype == theirs.dtype
    assert repr(ours) == repr(theirs)
    assert repr(ours.dtype) == repr(theirs.dtype)
    for again in (
        ours,
        pickle.loads(pickle.dumps(ours)),
        ours.copy(deep=True),
        cuprum.Series(
            theirs.tolist(), name=theirs.name, dtype=None if theirs.notna().any() else theirs.dtype
        ),
        cuprum.Series(pa.array(theirs), name=theirs.name),
    ):
        pd.testing.assert_series_equal(again.to_pandas(), theirs)
    ours.to_frame("v").to_parquet(tmp_path / "ours.parquet")
    theirs.to_frame("v").to_parquet(tmp_path / "theirs.parquet")
    for path in tmp_path.iterdir():
        for read in (cuprum.read_parquet(path).to_pandas(), pd.read_parquet(path)):
            pd.testing.assert_frame_equal(read, theirs.to_frame("v"))
    assert pickle.loads(pickle.dumps(ours.dtype)) == ours.dtype


def test_arrow_has_pandas_extension_type():
    ours = cuprum.from_pandas(SERIES["integers"])
    # pandas registers its type when it writes one.
    expected = pa.array(SERIES["integers"]).type
    array = pa.array(ours)
    assert array.type == expected
    assert pd.Series(array.to_pandas()).tolist() == SERIES["integers"].tolist()
    plain = cuprum.Series(array.storage)
    assert str(plain.dtype) == "struct<left: int64, right: int64>"


def test_categories_that_are_intervals_have_no_arrow_data(tmp_path):
    frame = cuprum.from_pandas(pd.DataFrame({"c": pd.cut(pd.Series([1, 5]), 2)}))
    with pytest.raises(NotImplementedError, match="categories of type interval"):
        pa.table(frame)
    with pytest.raises(NotImplementedError, match="categories of type interval"):
        frame.to_parquet(tmp_path / "x.parquet")
    assert pickle.loads(pickle.dumps(frame)).equals(frame)
    assert (
        pd.testing.assert_frame_equal(pickle.loads(pickle.dumps(frame)).to_pandas(), frame.to_pandas())
        is None
    )
    as_intervals = frame.c.astype(frame.c.dtype.categories.dtype)
    assert pa.array(as_intervals).to_pylist()[0]["left"] < 1


@pytest.mark.parametrize(
    "code",
    [
        "s.isna()",
        "s == s",
        "s != s.iloc[0]",
        "s < s.iloc[1]",
        "s >= s.iloc[0]",
        "s <= s.shift(0)",
        "s == 1",
        "s != 'a'",
        "s.sort_values()",
        "s.sort_values(ascending=False, na_position='first')",
        "s.rank()",
        "list(s.unique())",
        "s.nunique()",
        "s.drop_duplicates()",
        "s.duplicated()",
        "s.value_counts()",
        "s.value_counts(dropna=False)",
        "s.isin([pd.Interval(0, 2), pd.Interval(0, 2, closed='right')])",
        "s.min()",
        "s.max()",
        "s.dropna()",
        "s.fillna(pd.Interval(0, 2))",
        "s.iloc[[0, 2]]",
        "s.astype('interval[float64, right]')",
        "s.dropna().astype('interval[int64, right]').astype('str')",
        "s.groupby(s).size()",
        "s.groupby(s, dropna=False).size()",
        "s.to_frame().assign(n=range(6)).groupby('v').sum()",
        "s.to_frame().assign(n=range(6)).groupby('v').n.agg(['min', 'count'])",
        "s.to_frame().assign(k=[1, 2, 1, 2, 1, 2]).groupby('k').v.agg(['first', 'last', 'count', 'nunique'])",
        "s.to_frame().assign(k=[1, 2, 1, 2, 1, 2]).groupby('k').v.min()",
        "s.to_frame().merge(s.to_frame().assign(n=range(6)).dropna(), on='v')",
        "s.to_frame().merge(s.to_frame().assign(n=range(6)), on='v', how='left')",
        "lib.concat([s, s])",
        "lib.concat([s, lib.Series(lib.interval_range(0.5, 2.5))])",
        "s.to_frame().set_index('v')",
        "s.to_frame().assign(n=range(6)).sort_values(['v', 'n'], ascending=[False, True])",
        "s.astype('category')",
        "s.astype('category').cat.categories",
        "s.astype('category').cat.codes",
        "s.astype('category') == s",
        "lib.get_dummies(s)",
        "s.equals(s.copy())",
        "s.to_numpy()",
        "s.tolist()",
    ],
)
def test_what_series_do(code):
    agree(code, s=UNSORTED)


@pytest.mark.parametrize(
    "code",
    [
        "s < 1",
        "s + 1",
        "s.sum()",
        "s < lib.Series(lib.interval_range(0, 6, closed='left'), index=list('abcdef'))",
    ],
)
def test_what_intervals_have_not(code):
    both = pair(UNSORTED)
    for lib, s in ((pd, both.theirs), (cuprum, both.ours)):
        with pytest.raises(TypeError):
            eval(code, {"lib": lib, "s": s})


def test_describe_tells_the_most_frequent():
    agree("s.describe().to_dict()", s=UNSORTED)


def test_intervals_closed_otherwise_are_others():
    right, left = (cuprum.Series(cuprum.interval_range(0, 3, closed=closed)) for closed in ("right", "left"))
    assert not (right == left).any()
    assert (right != left).all()
    assert cuprum.concat([right, left]).to_list() == [*right.to_list(), *left.to_list()]
    with pytest.raises(TypeError):
        right.astype(left.dtype)


INDEXES = {
    "neighbours": pd.interval_range(0, 4, name="n"),
    "left": pd.interval_range(0, 4, closed="left"),
    "overlapping": pd.IntervalIndex.from_tuples([(0, 2), (1, 3), (0, 1), (5, 5)]),
    "both": pd.IntervalIndex.from_tuples([(0, 1), (1, 2)], closed="both"),
    "gaps": pd.IntervalIndex.from_tuples([(4.5, 6), (0, 1), (2, 3)]),
    "descending": pd.IntervalIndex.from_tuples([(4, 6), (2, 4), (0, 2)]),
    "missing": pd.IntervalIndex.from_tuples([(0, 2), None, (3, 4)]),
    "times": pd.interval_range(pd.Timestamp("2020"), periods=3),
    "instants": pd.interval_range(pd.Timestamp("2020", tz="UTC"), periods=3),
    "spans": pd.interval_range(pd.Timedelta("1h"), periods=3, freq="h"),
    "none": pd.interval_range(0, 0),
    "without points": pd.IntervalIndex.from_tuples([(0, 3), (1, 1), (2, 2)], closed="left"),
}


@pytest.mark.parametrize("name", INDEXES)
@pytest.mark.parametrize(
    "code",
    [
        "i",
        "i.left",
        "i.right",
        "i.length",
        "i.closed",
        "i.closed_left, i.open_right",
        "i.is_empty",
        "i.is_overlapping",
        "i.is_non_overlapping_monotonic",
        "i.is_monotonic_increasing, i.is_unique",
        "i.set_closed('both')",
        "i.sort_values()",
        "i[::-1]",
        "i.append(i)",
        "i.isin(i[:1])",
        "i.get_indexer(i) if i.is_unique and not i.is_overlapping else 0",
        "i.union(i[:1])",
        "i.difference(i[:1])",
        "lib.Series(range(len(i)), index=i)",
    ],
)
def test_indexes_of_intervals(name, code):
    agree(code, i=INDEXES[name], kept=...)
    both = pair(INDEXES[name])
    assert repr(both.ours) == repr(both.theirs)
    assert pickle.loads(pickle.dumps(both.ours)).to_pandas().equals(both.theirs)


@pytest.mark.parametrize("name", ["neighbours", "gaps", "times", "spans", "overlapping"])
def test_middles(name):
    agree("i.mid", i=INDEXES[name])


@pytest.mark.parametrize(
    "name", ["neighbours", "left", "overlapping", "both", "gaps", "descending", "missing"]
)
def test_labels_that_values_lie_in(name):
    theirs = pd.Series(range(len(INDEXES[name])), index=INDEXES[name], name="v")
    ours = cuprum.from_pandas(theirs)
    for value in (0, 0.5, 1, 1.5, 2, 2.5, 4, 4.75, 9, -1):
        agree(f"s.index.contains({value})", s=theirs)
        try:
            expected = theirs.index.get_loc(value)
        except KeyError:
            with pytest.raises(KeyError):
                ours.index.get_loc(value)
            with pytest.raises(KeyError):
                ours.loc[value]
            continue
        found = ours.index.get_loc(value)
        if isinstance(expected, (slice, int, np.integer)):
            assert found == expected
        else:
            assert (found == expected).all()
        agree(f"s.loc[{value}]", s=theirs)
        agree(f"s.to_frame().loc[{value}]", s=theirs)


@pytest.mark.parametrize(
    "code",
    [
        "s.loc[[1.5, 3]]",
        "s.loc[1:2]",
        "s.loc[1.5:2.5]",
        "s.loc[:2]",
        "s.loc[2.5:]",
        "s.loc[pd.Interval(1, 2)]",
        "s.loc[[pd.Interval(1, 2), pd.Interval(0, 1)]]",
        "s.index.get_indexer([0.5, 1.0, 9])",
        "s.index.get_indexer([pd.Interval(1, 2), pd.Interval(1, 3)])",
        "1.5 in s.index, 9 in s.index, pd.Interval(0, 1) in s.index, pd.Interval(0, 2) in s.index",
        "s.index.overlaps(pd.Interval(1, 2, closed='both'))",
        "s.index.to_tuples().to_list()",
    ],
)
def test_selection(code):
    agree(code, s=pd.Series([1, 2, 3, 4], index=pd.interval_range(0, 4)))


def test_refusals_of_indexes():
    index = cuprum.interval_range(0, 4)
    with pytest.raises(ValueError, match="left side of interval must be <= right side"):
        cuprum.IntervalIndex.from_arrays([2], [1])
    with pytest.raises(ValueError, match="missing in the same location"):
        cuprum.IntervalIndex.from_arrays([None, 0.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="same length"):
        cuprum.IntervalIndex.from_arrays([1, 2], [3])
    with pytest.raises(TypeError, match="not supported"):
        cuprum.IntervalIndex.from_breaks(["a", "b"])
    with pytest.raises(ValueError, match="closed"):
        index.set_closed("up")
    with pytest.raises(TypeError):
        cuprum.IntervalIndex([1, 2])
    with pytest.raises(ValueError, match="length 2"):
        cuprum.IntervalIndex.from_tuples([(1, 2, 3)])
    with pytest.raises(KeyError):
        cuprum.Series([1, 2], index=cuprum.IntervalIndex.from_tuples([(0, 2), (1, 3)])).loc[1:2]
    with pytest.raises(KeyError):
        cuprum.Series([1, 2, 3, 4], index=index).loc["a"]
    with pytest.raises(KeyError, match="9"):
        cuprum.Series([1, 2, 3, 4], index=index).loc[[1.5, 9]]
    assert cuprum.Series([pd.Interval(0, 1), 2]).to_list() == [pd.Interval(0, 1), 2]


@pytest.mark.parametrize(
    "code",
    [
        "lib.interval_range(0, 5)",
        "lib.interval_range(0, periods=4, freq=1.5)",
        "lib.interval_range(end=5, periods=4)",
        "lib.interval_range(0, 6, periods=4)",
        "lib.interval_range(0, 5, periods=4)",
        "lib.interval_range(0.5, 3)",
        "lib.interval_range(pd.Timestamp('2017-01-01'), pd.Timestamp('2017-01-04'))",
        "lib.interval_range(pd.Timestamp('2017-01-01'), periods=3, freq='MS')",
        "lib.interval_range(pd.Timedelta('1 day'), periods=3)",
    ],
)
def test_ranges(code):
    agree(code)


@pytest.mark.parametrize("arguments", [(), (0, 5, 3, 1), (0, None, None, None)])
def test_ranges_need_three(arguments):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match="exactly three must be specified"):
            lib.interval_range(*arguments)


# Cut.

VALUES = {
    "integers": pd.Series([3, -1, 2, 3, 0, 17], name="x"),
    "floats": pd.Series([1.5, NAN, -2.25, 0.0, 4.0], index=list("abcde")),
    "tiny": pd.Series([1e-7, 2.5e-7, 9e-7]),
    "close": pd.Series([1.00001, 1.00002, 1.00003]),
    "huge": pd.Series([1e9, 2e9, 12345678912.5]),
    "one": pd.Series([7, 7]),
    "zero": pd.Series([0.0, 0.0]),
    "flags": pd.Series([True, False, True]),
    "times": pd.Series(
        pd.to_datetime(["2013-01-01 05:00", None, "1969-12-31 23:59:59", "2000-02-29"], format="ISO8601")
    ),
    "instants": pd.Series(pd.date_range("2020-03-28", periods=4, tz="Europe/Berlin")),
    "spans": pd.Series(pd.to_timedelta(["1 days 02:35:00", None, "-00:30:00", "3h"])),
    "one time": pd.Series(pd.to_datetime(["2013-01-01"])),
}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize(
    "code",
    [
        "lib.cut(x, 3)",
        "lib.cut(x, 4, right=False, retbins=True)",
        "lib.cut(x, 3, include_lowest=True)",
        "lib.cut(x, 3, labels=False)",
        "lib.cut(x, 3, labels=['a', 'b', 'c'])",
        "lib.cut(x, 3, labels=['a', 'b', 'a'], ordered=False)",
        "lib.cut(x, 1, precision=1)",
        "lib.qcut(x, 2, duplicates='drop')",
        "lib.qcut(x, [0, 0.25, 1], labels=False, duplicates='drop', retbins=True)",
        "lib.cut(x, 3).value_counts()",
        "lib.cut(x, 3).cat.categories",
    ],
)
def test_cut_of_every_kind(name, code):
    agree(code, x=VALUES[name])


@pytest.mark.parametrize(
    "code",
    [
        "lib.cut(x, [0, 2, 3])",
        "lib.cut(x, [0.5, 2.25, 3])",
        "lib.cut(x, [-1, 2, 17], right=False)",
        "lib.cut(x, [-1, 2, 17], include_lowest=True)",
        "lib.cut(x, [-1, 2, 2, 17], duplicates='drop', retbins=True)",
        "lib.cut(x, np.array([-1.0, 2.0, np.inf]))",
        "lib.cut(x, range(-1, 20, 7))",
        "lib.cut(x, lib.IntervalIndex.from_tuples([(0, 2), (2, 3), (10, 20)]))",
        "lib.cut(x, lib.IntervalIndex.from_tuples([(10, 20), (0, 2)], closed='left'), retbins=True)",
        "lib.cut(x, [0, 2, 3], labels=[10, 20])",
        "lib.cut(x, [0, 2, 3], labels=False)",
        "lib.cut(x.tolist(), [0, 2, 3])",
        "lib.cut(x.tolist(), [0, 2, 3], labels=False)",
        "lib.cut(lib.Index(x), 2, labels=['low', 'high'])",
        "lib.cut(x.to_numpy(), 2, retbins=True)",
        "lib.cut(x.iloc[:0], [0, 1])",
        "lib.qcut(x, 4)",
        "lib.qcut(x, 10, duplicates='drop', precision=1)",
        "lib.qcut(x, [0.1, 0.5, 0.9])",
        "x.groupby(lib.cut(x, 3), observed=False).sum()",
        "x.groupby(lib.cut(x, 3), observed=True).sum()",
        "x.groupby(lib.cut(x, 3), observed=False).sum().index",
        "x.to_frame().groupby(lib.cut(x, [0, 2, 20]), observed=False).agg(['min', 'count'])",
        "x.to_frame().assign(bin=lib.cut(x, 3)).groupby('bin', observed=False).x.mean()",
        "x.to_frame().assign(bin=lib.cut(x, 3)).sort_values(['bin', 'x'])",
        "lib.cut(x, 3).max()",
        "lib.cut(x, 3) == lib.cut(x, 3).cat.categories[0]",
        "lib.cut(x, 3) > lib.cut(x, 3).cat.categories[0]",
        "lib.concat([lib.cut(x, 3), lib.cut(x, 3)])",
        "lib.get_dummies(lib.cut(x, 2))",
        "lib.cut(x, 3).astype('str')",
        "lib.cut(x, 3).tolist()",
    ],
)
def test_cut(code):
    def run(lib, x):
        result = eval(code, {"lib": lib, "np": np, "x": x})
        # What is no Series is a Categorical there and a CategoricalIndex here.
        one = lambda value: pd.CategoricalIndex(value) if isinstance(value, pd.Categorical) else value  # noqa: E731
        return tuple(map(one, result)) if isinstance(result, tuple) else one(result)

    agree(run, x=VALUES["integers"])


@pytest.mark.parametrize(
    "code",
    [
        "x.groupby(lib.cut(x, 3), observed=False).sum()",
        "lib.cut(x, 3).value_counts()",
        "x.to_frame().assign(bin=lib.cut(x, 3))",
        "lib.cut(x, 3).astype('str')",
    ],
)
def test_cut_prints_as_pandas(code):
    both = pair(VALUES["integers"])
    ours, theirs = (eval(code, {"lib": lib, "x": x}) for lib, x in ((cuprum, both.ours), (pd, both.theirs)))
    assert repr(ours) == repr(theirs)
    assert repr(ours.index) == repr(theirs.index)


def test_dtype_of_cut_prints_as_pandas():
    ours, theirs = (lib.cut(lib.Series([1, 5, 9]), 3).dtype for lib in (cuprum, pd))
    assert repr(ours.categories) == repr(theirs.categories)
    assert repr(ours.categories.dtype) == repr(theirs.categories.dtype)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("lib.cut(x, 0)", "positive integer"),
        ("lib.cut(x, [2, 1])", "increase monotonically"),
        ("lib.cut(x, [1, 1, 2])", "must be unique"),
        ("lib.cut(x.iloc[:0], 2)", "Cannot cut empty array"),
        ("lib.cut(x / 0, 2)", "infinity"),
        ("lib.cut(x, 2, labels=['a'])", "one fewer"),
        ("lib.cut(x, 2, labels=['a', 'a'])", "must be unique if ordered"),
        ("lib.cut(x, 2, labels='ab')", "list-like"),
        ("lib.cut(x, 2, ordered=False)", "'labels' must be provided"),
        ("lib.cut(x, 2, duplicates='keep')", "valid options are: raise, drop"),
        ("lib.cut(x, lib.IntervalIndex.from_tuples([(0, 2), (1, 3)]))", "Overlapping"),
        ("lib.cut(lib.to_datetime(lib.Series(['2020-01-01'])), [1, 2])", "datetime64"),
        ("lib.qcut(x, 0)", "positive integer"),
        ("lib.qcut(x, 'a')", "positive integer or list-like"),
        ("lib.qcut(lib.Series([1, 1, 1]), 2)", "must be unique"),
        ("lib.cut(lib.DataFrame({'a': [1]}), 2)", "1 dimensional"),
    ],
)
def test_cut_refuses(code, message):
    both = pair(VALUES["integers"])
    for lib, x in ((pd, both.theirs), (cuprum, both.ours)):
        with pytest.raises(ValueError, match=message):
            eval(code, {"lib": lib, "x": x})


def test_texts_are_not_cut():
    with pytest.raises(ValueError, match="positive integer"):
        cuprum.cut([1, 2], 2.5)
    with pytest.raises(TypeError, match="cut"):
        cuprum.cut(cuprum.Series(["a", "b"]), 2)


@given(
    # pandas fails for numbers that 10 ** 308 makes no larger than 1.
    st.lists(
        st.one_of(st.floats(-1e6, 1e6).map(lambda x: round(x, 9)), st.integers(-50, 50).map(float)),
        min_size=2,
        max_size=60,
    ),
    st.integers(1, 12),
    st.booleans(),
)
def test_any_numbers_in_any_bins(values, count, right):
    x = pd.Series(values)
    agree(f"lib.cut(x, {count}, right={right}).cat.codes", x=x)
    agree(f"lib.cut(x, {count}, right={right}, retbins=True)[1]", x=x)
    edges = sorted(set(values[: count + 1]))
    if len(edges) > 1:
        agree(f"lib.cut(x, {edges!r}, right={right}, include_lowest=True, labels=False)", x=x)


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=80, unique=True), st.integers(1, 7))
def test_any_integers_at_quantiles(values, count):
    agree(f"lib.qcut(x, {count}, labels=False)", x=pd.Series(values))


@pytest.mark.parametrize("q", [10**15, 2**62, 0])
def test_numbers_of_quantiles_out_of_all_proportion(q):
    with pytest.raises(ValueError, match="`q` should be a positive integer"):
        cuprum.qcut(cuprum.Series([1, 2, 3]), q)


# What a dtype leaves open is that of the intervals.

OPEN = [
    "'interval'",
    "'Interval'",
    "pd.IntervalDtype()",
    "'interval[float64]'",
    "pd.IntervalDtype('float64')",
]


@pytest.mark.parametrize("dtype", OPEN)
@pytest.mark.parametrize("closed", ["left", "right", "both", "neither"])
def test_a_dtype_that_leaves_bounds_or_sides_open(dtype, closed):
    df = pd.DataFrame({"v": pd.arrays.IntervalArray.from_tuples([(1, 2), (2, 5)], closed=closed)})
    for code in (
        "lib.Series(df.v.to_list(), dtype={})",
        "lib.DataFrame({{'a': df.v.to_list()}}, dtype={})",
        "lib.DataFrame(df.v.to_list(), dtype={})",
        "lib.Series(pd.Interval(1, 2, df.v[0].closed), index=[1, 2], dtype={})",
        "lib.Index(df.v.to_list(), dtype={})",
        "lib.IntervalIndex(df.v.to_list(), dtype={})",
        f"lib.IntervalIndex.from_arrays([1], [2], closed='{closed}', dtype={{}})",
        "df.v.astype({})",
        "df.astype({})",
        "df.astype({{'v': {}}})",
        "lib.IntervalIndex(df.v).astype({})",
        "lib.Series([None, None], dtype={})",
    ):
        agree(code.format(dtype), df=df)


def test_a_dtype_of_other_sides_is_refused():
    intervals = [pd.Interval(1, 2, "left")]
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match=r"closed keyword does not match dtype\.closed"):
            lib.IntervalIndex(intervals, dtype="interval[int64, right]")
    with pytest.raises(TypeError, match="int64 are no intervals"):
        cuprum.Series([1, 2], dtype="interval")


@pytest.mark.parametrize("series", [pd.Series([1, 2, 3], index=[5, 6, 7], name="q"), pd.Series([1, None, 3])])
@pytest.mark.parametrize(
    "code", ["cut(x, 2)", "cut(x, [0, 1, 5], labels=False)", "qcut(x, 2)", "cut(x, 2, retbins=True)[0]"]
)
def test_series_of_pandas_are_cut(code, series):
    expected = eval(f"pd.{code}", {"pd": pd, "x": series})
    actual = eval(f"cuprum.{code}", {"cuprum": cuprum, "x": series})
    pd.testing.assert_series_equal(actual.to_pandas(), expected)


@pytest.mark.parametrize("closed", ["left", "right", "both", "neither"])
@pytest.mark.parametrize("of", ["left", "right", "both", "neither"])
def test_intervals_without_points_overlap_with_none(closed: Any, of: Any) -> None:
    pairs = [(0, 3), (1, 1), (1, 2), (0, 1), (5, 5)]
    for left, right in pairs:
        agree(
            lambda lib, left=left, right=right: lib.IntervalIndex.from_tuples(pairs, closed=closed).overlaps(
                pd.Interval(left, right, of)
            )
        )
