"""Indexes: order, look-ups beside labels, joins, replaced labels; every statement is run in pandas, too."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, assert_like, given
from small_frames import FOUR_ROWS

import cuprum

_ASCENDING = "lib.MultiIndex.from_product([['a', 'b'], [1, 2]])"
_OF_DAYS = (
    "lib.MultiIndex.from_arrays([lib.to_datetime(['2024-01-01', '2024-01-05', '2024-02-01']), [1, 1, 2]])"
)


@pytest.mark.parametrize(
    "code",
    [
        f"{_ASCENDING}.get_locs('a')",
        f"{_ASCENDING}.get_locs([['b', 'a']])",
        f"{_ASCENDING}.get_locs([slice(None), [2, 1]])",
        f"{_ASCENDING}.get_locs([['b', 'a'], slice(2, 1, -1)])",
        f"{_ASCENDING}.get_locs([np.array([True, False, True, True]), 2])",
        f"{_ASCENDING}.get_locs([slice(None), slice(None)])",
        f"{_ASCENDING}.get_locs([[], 1])",
        f"{_OF_DAYS}.get_locs(['2024-01'])",
        f"{_OF_DAYS}.get_locs([slice('2024-01-02', None), [2, 1]])",
        "lib.MultiIndex.from_arrays([list('baab'), [1, 2, 1, 2]]).get_locs([['a', 'b'], 2])",
        "lib.MultiIndex.from_arrays([['a', None, 'b'], [1, 2, 3]]).get_locs([[None, 'b']])",
    ],
)
def test_rows_that_keys_of_levels_choose(code):
    agree(code)


def test_keys_of_levels_that_choose_nothing():
    index = cuprum.MultiIndex.from_arrays([list("bab"), [1, 2, 3]])
    for keys, error in [
        (["z"], KeyError),
        ([["a", "z"]], KeyError),
        (["a", 1], KeyError),
        (["a", 2, 3], KeyError),
        ([[True, False]], ValueError),
        ([slice("a", "b")], pd.errors.UnsortedIndexError),
    ]:
        with pytest.raises(error):
            index.get_locs(keys)


@pytest.mark.parametrize(
    "code",
    [
        "lib.Index([10, 20, 30]).get_indexer([9, 20, 26], method='nearest', tolerance=2)",
        "lib.Index([10, 20, 30]).get_indexer([9, 20, 26, 31], method='pad')",
        "lib.Index([10, 20, 30]).get_indexer([9, 20, 26, 31], method='bfill')",
        "lib.Index([10, 20, 30]).get_indexer([11, 12, 13, 21, 22], method='pad', limit=2)",
        "lib.Index([10, 20, 30]).get_indexer([11, 12, 13, 21, 22], method='bfill', limit=2)",
        "lib.Index([30, 20, 10]).get_indexer([11, 25, 10, 40, 5], method='pad')",
        "lib.Index([30, 20, 10]).get_indexer([11, 25, 10, 40, 5], method='bfill')",
        "lib.Index([30, 20, 10]).get_indexer([11, 25, 15, 40, 5], method='nearest')",
        "lib.Index(['a', 'c']).get_indexer(['b', 'd'], method='pad')",
        "lib.Index([1.5, 2]).get_indexer([2, 3], method='pad')",
        "lib.Index([5, 3, 1]).slice_locs(4, 2)",
        "lib.Index([5, 3, 1]).slice_locs(5, 1)",
        "lib.Index([5.0, 3, 3, 1]).slice_locs(3, 3)",
        "lib.Series([1, 2, 3], index=[5, 3, 1]).loc[4:2]",
        "lib.Index(list('abcd')).slice_indexer('d', 'b', -1)",
        "lib.Index(list('abcd')).slice_indexer('d', None, -1)",
        "levels.slice_locs(('a', 2), ('b', 1))",
        "levels.slice_locs(('a', 3), ('b', 1))",
        "levels.slice_locs('a', ('a', 1))",
        "lib.Series([1, 2, 3], index=levels).loc[('a', 2):('b', 0)]",
        "levels.get_slice_bound(('a', 1), side='right')",
        "lib.Index([1, 3, 5]).searchsorted([0, 3, 9.5])",
        "lib.Index([5, 1, 3]).searchsorted([0, 3, 9], sorter=[1, 2, 0])",
        "lib.Index(['2013-12-31', '2014-01-02']).asof('2014-01-01')",
        "lib.Index(['2013-12-31', '2014-01-02']).asof('1999')",
        "lib.Index([1, 2, 3]).reindex([3, 5])",
        "lib.Index([3.0, 1, np.nan]).sort_values(na_position='first')",
        "lib.RangeIndex(4, 0, -1).argsort()",
        "np.argsort(lib.Index([3, 1, 2]))",
        "levels[::-1].argsort()",
        "levels.sort_values(ascending=False, return_indexer=True)",
        "levels.max()",
        "levels.sortlevel('y')",
        "levels[[1, 0, 2]].sortlevel(0, ascending=[False])",
        "levels.sortlevel([1, 0], ascending=[False, True])",
        "levels[[2, 1, 0]].sortlevel(0, sort_remaining=False)",
        "levels.sortlevel(1, ascending=False)",
        "lib.MultiIndex.from_arrays([['b', None, 'a', 'b'], [1, 2, None, 0]]).sortlevel(0)",
        "lib.MultiIndex.from_arrays([['b', None, 'a', 'b'], [1, 2, None, 0]]).sortlevel(1, na_position='last')",
        "lib.MultiIndex(levels=[['b', 'a'], [1]], codes=[[1, 0], [0, 0]]).sortlevel(0)",
        "levels.argmin()",
        "levels.value_counts()",
        "lib.Index([0.0, np.nan]).any()",
        "lib.Index(['a', '']).all()",
        "lib.Index(['', None]).any()",
        "lib.Index([1, 2]).where([True, False], 'a')",
        "lib.Index([1, 2, 3]).putmask([True, False, False], lib.Index([5, 6, 7]))",
        "lib.Index([1.0, 2]).take([0, -1], fill_value=np.nan)",
        "lib.Index([1.0, 2]).take([0, -1], fill_value=None)",
        "lib.Index([10, 20]).get_indexer([15], method='nearest')",
        "lib.Index([20, 10]).get_indexer([15], method='nearest')",
        "lib.Index([1.0, 2]).get_indexer([np.nan, 1.5], method='pad')",
        "lib.Index([1.0, 2]).get_indexer([np.nan, 1.5], method='bfill')",
        "lib.Index([1.0, 2]).get_indexer([np.nan, 1.5], method='nearest')",
        "lib.DatetimeIndex(['2020-01-01', '2020-01-03']).get_indexer(lib.DatetimeIndex([None, '2020-01-02']), 'bfill')",
        "lib.Index(['a', 'b', 'c']).union(lib.Index([2, 1]))",
        "lib.Index(['a', 1]).inferred_type",
        "lib.RangeIndex(3).insert(3, 3)",
        "lib.RangeIndex(10, 30, 10).round(-1)",
        "levels.join(lib.Index(['a', 'c'], name='x'), how='left', return_indexers=True)[0]",
        "levels.join(lib.Index(['b', 'a'], name='x'), how='inner')",
        "levels.join(lib.MultiIndex.from_tuples([('b', 5), ('a', 6)], names=['x', 'z']), how='inner')",
        "lib.Index([1, 2], name='a').join(lib.Index([1, 3], name='b'), how='outer')",
    ],
)
def test_methods_of_indexes_are_those_of_pandas(code):
    levels = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["x", "y"])
    agree(code, levels=levels)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("lib.Index([3, 1, 2]).get_indexer([1], method='pad')", ValueError),
        ("lib.Index([1, 2]).get_indexer([1], method='bogus')", ValueError),
        ("lib.Index([1, 2]).get_indexer([1], limit=1)", ValueError),
        ("lib.Index([3, 1, 2]).asof(2)", ValueError),
        ("lib.Index([3, 1, 2]).get_slice_bound(9, 'left')", KeyError),
        ("lib.Index([1, 1]).reindex([1])", ValueError),
        ("lib.Index([]).argmin()", ValueError),
        ("lib.Index([1.0, np.nan]).argmax(skipna=False)", ValueError),
        ("lib.Index([np.nan, np.nan]).argmin()", ValueError),
        ("lib.date_range('2020-01-01', periods=3).all()", TypeError),
        ("lib.Index([1, 2]).where([True])", ValueError),
        ("lib.Index([1, 2]).putmask([True], 3)", ValueError),
        ("lib.Index([1, 2]).repeat([1, 2, 3])", ValueError),
        ("lib.Index([1, 2]).take([-2], fill_value=1)", ValueError),
        ("lib.Index([1, 2]).shift(1)", NotImplementedError),
        ("lib.Index([1, 2]).join(lib.Index([1]), how='bogus')", ValueError),
        ("lib.Index([1, 2]).sortlevel(ascending=[True, False])", TypeError),
        ("lib.MultiIndex.from_tuples([(1, 2)]).where([True])", NotImplementedError),
        ("lib.MultiIndex.from_tuples([(1, 2)]).replace(1, 2)", NotImplementedError),
    ],
)
def test_errors_of_methods_of_indexes(code, error):
    for lib in (pd, cuprum):
        with pytest.raises(error):
            eval(code, {"lib": lib, "np": np})


NUMBERS = st.lists(st.integers(-4, 4), max_size=7)


HOW = st.sampled_from(["left", "right", "inner", "outer"])


@st.composite
def indexes(draw, unique=False):
    """An index of numbers, texts or times in any order, with a name or none."""
    labels = draw(st.lists(st.integers(0, 5), max_size=6, unique=unique))
    order = draw(st.sampled_from([list, sorted, lambda labels: sorted(labels, reverse=True)]))
    return order(labels), draw(st.sampled_from([None, "a", "b"]))


LABELS_OF_KINDS = {
    "int64": lambda label: label,
    "str": "key {}".format,
    "datetime64[us]": lambda label: pd.Timestamp(2020, 1, 1 + label),
}


@given(indexes(), indexes(), st.sampled_from(list(LABELS_OF_KINDS)), HOW, st.booleans())
def test_joins(left, right, kind, how, sort):
    sides = [
        pd.Index([LABELS_OF_KINDS[kind](label) for label in labels], dtype=kind, name=name)
        for labels, name in (left, right)
    ]
    expected, *theirs = sides[0].join(sides[1], how=how, sort=sort, return_indexers=True)
    labels, *ours = cuprum.Index(sides[0]).join(
        cuprum.Index(sides[1]), how=how, sort=sort, return_indexers=True
    )
    assert_like(labels, expected)
    if all(len(side) and side.is_unique for side in sides):
        for side, at, rows in zip(sides, ours, theirs, strict=True):
            every = np.arange(len(side))
            assert_like(every if at is None else at, every if rows is None else rows)
    for side, at in zip(sides, ours, strict=True):
        at = range(len(labels)) if at is None else at
        assert len(at) == len(labels)
        for label, row in zip(labels, at, strict=True):
            assert label not in side if row < 0 else side[row] == label


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=6),
    st.lists(st.integers(0, 4), min_size=1, max_size=4, unique=True),
    HOW,
    st.sampled_from(["x", 1]),
    st.booleans(),
)
def test_joins_by_a_level(pairs, flat, how, level, turned):
    deep = pd.MultiIndex.from_tuples(pairs, names=["x", "y"])
    sides = [deep, pd.Index(flat, name="y" if level == 1 else level)]
    left, right = sides[::-1] if turned else sides
    labels, *found = cuprum.Index(left).join(cuprum.Index(right), how=how, level=level, return_indexers=True)
    inner = how == "inner" or how == ("left" if turned else "right")
    of_level = deep.get_level_values(level)
    rows = [row for row, label in enumerate(of_level) if not inner or label in flat]
    assert labels.to_list() == [pairs[row] for row in rows] and labels.names == ["x", "y"]
    of_deep, of_flat = found[::-1] if turned else found
    assert (list(range(len(deep))) if of_deep is None else of_deep.tolist()) == rows
    wanted = [flat.index(of_level[row]) if of_level[row] in flat else -1 for row in rows]
    assert (list(range(len(flat))) if of_flat is None else of_flat.tolist()) == wanted


@given(
    st.lists(st.integers(-9, 9), max_size=7, unique=True),
    NUMBERS,
    st.booleans(),
    st.sampled_from(["pad", "backfill", "nearest"]),
    st.sampled_from([None, 0, 1, 2]),
)
def test_neighbours(labels, target, descending, method, tolerance):
    labels = sorted(labels, reverse=descending)
    ours, theirs = (
        lib.Index(labels, dtype="int64").get_indexer(target, method=method, tolerance=tolerance)
        for lib in (cuprum, pd)
    )
    assert_like(ours, theirs)


@given(NUMBERS, st.booleans(), st.integers(-5, 5), st.integers(-5, 5))
def test_slices_of_sorted_labels(labels, descending, start, end):
    labels = sorted(labels, reverse=descending)
    ours, theirs = (lib.Series(range(len(labels)), index=labels, dtype="int64") for lib in (cuprum, pd))
    if labels:
        assert ours.loc[start:end].to_list() == theirs.loc[start:end].tolist()


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.integers(1, 2), st.sampled_from("xy")), min_size=1, max_size=6
    ),
    st.sampled_from(
        [
            ("a", 0),
            (1, "q"),
            ("x", 2),
            (("a", 1), 0),
            (("a", 1, "x"), 0),
            (("x", "a"), ["r", "p"]),
            ("b", "p"),
        ]
    ),
    st.booleans(),
)
@pytest.mark.filterwarnings("ignore::pandas.errors.PerformanceWarning")
def test_rows_of_parts_of_labels(tuples, asked, drop):
    key, level = asked
    if key == ("a", 1, "x"):
        tuples = list(dict.fromkeys(tuples))  # else pandas has a number for one row, and masks for more
    theirs = pd.MultiIndex.from_tuples(tuples, names=["p", "q", "r"])
    try:
        rows, labels = theirs.get_loc_level(key, level, drop)
    except KeyError:
        with pytest.raises(KeyError):
            cuprum.from_pandas(theirs).get_loc_level(key, level, drop)
        return
    found, rest = cuprum.from_pandas(theirs).get_loc_level(key, level, drop)
    everything = np.arange(len(tuples))
    assert everything[found].tolist() == everything[rows].tolist()
    if labels is None:
        assert rest is None
    else:
        assert_like(rest, labels)


@given(
    st.lists(st.tuples(st.integers(0, 8), st.sampled_from([None, 1.0, 2.5])), min_size=1, max_size=6),
    st.sampled_from([3, 5.5, -1, [1, 4, 8], [2]]),
)
def test_the_last_row_before(rows, where):
    labels = sorted(label for label, _ in rows)
    series = pd.Series([value for _, value in rows], index=labels, name="v", dtype="float64")
    frame = pd.DataFrame({"v": series, "w": [1.0, None, 2.0, 3.0, None, 5.0][: len(rows)]})
    agree(lambda lib, s: s.asof(where), s=series)
    agree(lambda lib, df: df.asof(where), df=frame)
    agree(lambda lib, df: df.asof(where, subset=["w"]), df=frame)
    with pytest.raises(ValueError, match="sorted"):
        cuprum.Series([1.0, 2.0], index=[2, 1]).asof(where)


def test_views_are_the_same_index_and_copies_are_not():
    index = cuprum.Index([1, 2])
    assert index.is_(index.view()) and not index.is_(index.copy())
    assert {key: labels.to_list() for key, labels in index.groupby(["x", None]).items()} == {"x": [1]}
    assert cuprum.Interval is pd.Interval


@pytest.mark.parametrize("names", ["[None, None]", "['a', None]", "[1, None]", "['a', 'a']", "{'x': 'z'}"])
def test_levels_are_renamed_by_either_method(names):
    index = pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["x", None])
    for call in (f"rename({names})", f"rename(names={names})", f"set_names({names})"):
        agree(f"df.index.{call}", df=pd.DataFrame({"v": range(4)}, index=index))
    agree("df.index.rename('z', level=0)", df=pd.DataFrame({"v": range(4)}, index=index))


@pytest.mark.parametrize("dropna", [True, False])
def test_labels_of_levels_are_counted(dropna):
    arrays = [["a", "b", "a", None, None], [1, 2, 1, 1, None]]
    expected = pd.MultiIndex.from_arrays(arrays).nunique(dropna=dropna)
    assert cuprum.MultiIndex.from_arrays(arrays).nunique(dropna=dropna) == expected


def test_no_default_stands_for_no_name():
    none = pd.api.extensions.no_default
    for index in (pd.Index([1, 2], name="k"), pd.MultiIndex.from_tuples([(1, 2)], names=["x", None])):
        actual = cuprum.from_pandas(index).to_frame(name=none)
        pd.testing.assert_frame_equal(actual.to_pandas(), index.to_frame(name=none))


@pytest.mark.parametrize("unit", [None, "s", "ms", "us", "ns"])
@pytest.mark.parametrize("data", [[12, 2.5, -3.75], [1.5, None], [None], [None, None], [1, None]])
def test_durations_of_floats_and_of_nothing(data, unit):
    dtype = None if unit is None else f"timedelta64[{unit}]"
    actual = cuprum.TimedeltaIndex(data, dtype=dtype)
    pd.testing.assert_index_equal(actual.to_pandas(), pd.TimedeltaIndex(data, dtype=dtype))


def test_lists_are_no_labels():
    with pytest.raises(NotImplementedError, match="lists are no labels: make a Series"):
        cuprum.Index(["Row one"]).str.split(" ")


def test_categories_have_no_neighbours():
    agree(
        lambda lib: lib.CategoricalIndex(list("ab")).get_indexer(["c"], method="pad"),
        refused=(NotImplementedError, "method pad not yet implemented for CategoricalIndex"),
    )


@pytest.mark.parametrize(
    "code",
    [
        "lib.Index(['p', 'q']).isin([('q',)])",
        "lib.Index(['p', 'q']).drop('q')",
        "lib.Index(['a', 1, None]).is_monotonic_increasing",
    ],
)
def test_labels_of_unlike_types_are_told_apart(code):
    agree(code)


DAILY = FOUR_ROWS.set_axis(pd.date_range("2013-01-01", periods=4))


PAIRS_OF_LABELS = FOUR_ROWS.set_axis(pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1), ("z", 3)]))


@pytest.mark.parametrize(
    "code",
    ["levels.index.get_indexer(['x', 'z'])", "dates.index.get_indexer(['2013-01-02', '2013-01-04'])"],
)
def test_get_indexer_takes_parts_and_texts(code):
    agree(code, levels=PAIRS_OF_LABELS, dates=DAILY)


@pytest.mark.parametrize(
    "labels", [[f"k{i:03d}" for i in range(300)], range(300), [i // 2 for i in range(300)]]
)
def test_lists_of_labels_are_found_by_the_order_that_look_ups_leave_behind(labels):
    theirs = pd.DataFrame(
        {"a": range(300)}, index=pd.Index(np.random.default_rng(1).permutation(list(labels)))
    )
    ours = cuprum.DataFrame({"a": range(300), "k": theirs.index}).set_index("k").rename_axis(None)
    wanted, absent = [theirs.index[7], theirs.index[299], theirs.index[7]], type(theirs.index[0])(999)
    for _ in range(5):  # the first ones compare all labels
        assert repr(ours.loc[wanted]) == repr(theirs.loc[wanted])
        if theirs.index.is_unique:
            assert repr(ours.reindex([*wanted, absent])) == repr(
                cuprum.from_pandas(theirs).reindex([*wanted, absent])
            )
            assert (
                ours.index.get_indexer([absent, *wanted]).tolist()
                == theirs.index.get_indexer([absent, *wanted]).tolist()
            )
        with pytest.raises(KeyError, match="999"):
            ours.loc[[wanted[0], absent]]
