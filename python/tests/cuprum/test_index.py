"""Indexes: ranges, levels and codes, set operations, look-ups."""

import operator

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, given

import cuprum

RANGES = [range(5), range(0), range(2, 20, 3), range(10, -5, -5), range(7, 8), range(-3, 4, 2)]


@pytest.mark.parametrize(
    "expression",
    [
        "i + 1",
        "1 + i",
        "i - 3",
        "3 - i",
        "i * 2",
        "-2 * i",
        "-i",
        "i // 1",
        "i[::-1]",
        "i[1:3]",
        "i[::2]",
        "i[-2:]",
        "i[i > 2]",
        "i.take([0, 2, 4])",
        "i[[4, 3, 2]]",
        "i.union(lib.RangeIndex(3, 8))",
        "i.intersection(lib.RangeIndex(0, 20, 2))",
        "i.intersection(lib.RangeIndex(100, 0, -3))",
        "i.difference(lib.RangeIndex(2))",
        "i.difference([4])",
        "i.drop([0])",
        "i.sort_values()",
        "i.sort_values(ascending=False)",
        "i.append(lib.RangeIndex(5, 7))",
        "lib.Series([1, 2, 3, 4, 5], index=i)[::-1].index",
        "lib.Series([1, 2, 3, 4, 5], index=i)[lambda s: s > 3].index",
        "lib.DataFrame({'a': [1, 2, 3, 4, 5]}, index=i).iloc[[4, 2, 0]].index",
        "lib.DataFrame({'a': [1, 2, 3, 4, 5]}, index=i).loc[3:].index",
    ],
)
def test_ranges_stay_ranges(expression):
    ours = eval(expression, {"lib": cuprum, "i": cuprum.RangeIndex(5, name="n")})
    theirs = eval(expression, {"lib": pd, "i": pd.RangeIndex(5, name="n")})
    assert type(ours).__name__ == type(theirs).__name__ == "RangeIndex", (ours, theirs)
    assert ours.to_list() == theirs.to_list() and ours.name == theirs.name


@pytest.mark.parametrize(
    "code", ["i % 2", "i / 2", "i // 2", "i + 0.5", "i * 0", "abs(i)", "i.drop([1])", "i.take([0, 1, 3])"]
)
def test_ranges_become_columns_where_they_must(code):
    agree(code, i=pd.RangeIndex(1, 8, 2))


@given(
    st.sampled_from(RANGES),
    st.sampled_from(RANGES),
    st.sampled_from(["union", "intersection", "difference", "symmetric_difference"]),
)
def test_set_operations_of_ranges(a, b, op):
    ours = getattr(cuprum.RangeIndex(a), op)(cuprum.RangeIndex(b))
    theirs = getattr(pd.RangeIndex(a), op)(pd.RangeIndex(b))
    assert sorted(ours.to_list()) == sorted(theirs.to_list())
    if op != "intersection" and len(a) and len(b):
        assert ours.to_list() == theirs.to_list()


@given(
    st.lists(st.integers(-3, 3), max_size=6),
    st.lists(st.integers(-3, 3), max_size=6),
    st.sampled_from(["union", "intersection", "difference", "symmetric_difference"]),
)
def test_set_operations(a, b, op):
    agree(lambda lib: getattr(lib.Index(a, dtype="int64"), op)(lib.Index(b, dtype="int64")))
    texts = [str(x) for x in a], [str(x) for x in b]
    if a and b:
        agree(lambda lib: getattr(lib.Index(texts[0]), op)(lib.Index(texts[1])))


@pytest.mark.parametrize(
    "expression",
    [
        "lib.Index([3, 1, 1]).union([1, 2])",
        "lib.Index([1, 1, 2]).union([1, 1, 1, 3])",
        "lib.Index(['b', 'a', 'b']).union(['a', 'c'])",
        "lib.Index([2, 1]).union([])",
        "lib.Index([1.0, 2]).union([2, 3])",
        "lib.Index([2, 1, 3], name='n').union(lib.Index([5], name='n'))",
        "lib.Index([2, 1, 3], name='n').union(lib.Index([5], name='m'))",
        "lib.Index([2, 1, 3], name='n').union([5], sort=False)",
        "lib.Index([2, 1, 3], name='n').difference([1])",
        "lib.Index([2, 1, 3]).intersection([3, 2], sort=None)",
        "lib.Index([1, 'a']).union(['b'])",
        "lib.MultiIndex.from_tuples([('a', 1), ('b', 2)]).union(lib.MultiIndex.from_tuples([('a', 1), ('c', 2)]))",
        "lib.MultiIndex.from_tuples([('a', 1), ('b', 2)]).to_flat_index()",
        "lib.Index([1, 2]).to_flat_index()",
        "lib.Index(['a', 'b']).str.upper()",
        "lib.Index(['ab', 'b'], name='n').str.len()",
        "lib.Index(['ab', 'b']).str.startswith('a')",
        "lib.Index(['ab', 'b']).str[0]",
        "lib.Index(['a_1', 'b_2']).str.split('_', expand=True)",
        "lib.to_numeric(lib.Index(['1', '2'], name='n'))",
        "lib.Index([0, 'a', 2.5])",
        "lib.Index([0, 'a', 2.5]) == 'a'",
        "lib.Index([0, 'a', 0]).unique()",
        "lib.Index([0, 'a', 0]).get_loc('a')",
        "lib.Index([0, 'a', 0]).is_unique",
        "lib.Series([1, 2, 3], index=[0, 'a', 2.5])",
        "lib.Series([1, 2, 3], index=[0, 'a', 2.5]).loc['a']",
        "lib.Series([1, 2, 3], index=[0, 'a', 2.5]).loc[['a', 0]]",
        "lib.Series([1, 2, 3], index=[0, 'a', 2.5])[lambda s: s > 1]",
        "lib.Series([1, 2, 3], index=[0, 'a', 2.5]).reindex([2.5, 'z'])",
        "lib.Series([3, 1, 2], index=[0, 'a', 2.5]).sort_values()",
        "lib.Series([1, 2, 3], index=[0, 'a', 2.5]).reset_index(drop=True)",
        "lib.concat([lib.Series([1], index=[0]), lib.Series([2], index=['a'])])",
    ],
)
def test_indexes_are_those_of_pandas(expression):
    agree(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "m[:1].levels",
        "m[[True, False, False]].levels",
        "m.take([2]).levels",
        "m.levels",
        "m.remove_unused_levels().levels",
        "m[1:].remove_unused_levels().levels",
        "m[:1].codes",
        "m.codes",
        "m.set_levels(['X', 'Y'], level=0)",
        "lib.MultiIndex(levels=[['z', 'a'], [2, 1]], codes=[[0, 1, 1], [1, 0, -1]], names=['p', None])",
        "lib.MultiIndex(levels=[['z', 'a'], [2, 1]], codes=[[0, 1, 1], [1, 0, -1]]).levels",
        "lib.concat([df, df], keys=['z', 'y']).index.levels[0]",
        "lib.concat([df, df], keys=['z', 'y']).iloc[:1].index.levels[0]",
        "df.set_index('a', append=True).iloc[:1].index.levels",
        "df.set_index(['a', 'b'])[lambda d: d.c > 1].index.levels",
        "df.set_index(['a', 'b'])[lambda d: d.c > 1].index.codes",
    ],
)
def test_levels_and_codes(expression):
    def run(lib, m, df):
        found = eval(expression, {"lib": lib, "m": m, "df": df})
        return [list(part) for part in found] if type(found).__name__ in ("FrozenList", "list") else found

    m = pd.MultiIndex.from_tuples([("b", 1), ("a", 2), ("b", 3)], names=["k", "n"])
    agree(run, m=m, df=pd.DataFrame({"a": [2, 1, 2], "b": ["x", "y", "x"], "c": [1, 2, 3]}))


def test_truth_values_are_no_numbers():
    for lib in (pd, cuprum):
        for labels in ([0, 1, 2], [0.0, 1.0, 2.0], range(3)):
            with pytest.raises(KeyError):
                lib.Series([5, 6, 7], index=labels).loc[True]
        with pytest.raises(KeyError):
            lib.Series([1, 2], index=[True, False]).loc[1]
        assert lib.Series([1, 2], index=[True, False]).loc[False] == 2
        with pytest.raises(KeyError):
            lib.DataFrame({"a": [1, 2]}).loc[True]
        assert True not in lib.Index([0, 1])


def test_times_are_no_numbers():
    with pytest.raises(KeyError):
        cuprum.Series([5, 6, 7]).loc[np.datetime64(1, "s")]


KINDS = {
    "integers": st.integers(-40, 40),
    "floats": st.integers(-40, 40).map(lambda i: i / 4),
    "texts": st.integers(0, 60).map(lambda i: chr(97 + i % 26) * (i // 26 + 1)),
    "times": st.integers(0, 60).map(lambda i: np.datetime64("2013-01-01", "us") + np.timedelta64(i, "h")),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ordered", [True, False])
@given(st.data())
def test_look_ups_find_what_a_scan_finds(kind, ordered, data):
    """More labels than are scanned, asked more often than is scanned."""
    labels = data.draw(st.lists(KINDS[kind], min_size=64, max_size=120))
    labels = sorted(labels) if ordered else labels
    series = cuprum.Series(range(len(labels)), index=labels)
    for key in data.draw(st.lists(KINDS[kind], min_size=6, max_size=10)):
        rows = [i for i, label in enumerate(labels) if label == key]
        if not rows:
            with pytest.raises(KeyError):
                series.loc[key]
        elif len(rows) == 1:
            assert series.loc[key] == rows[0]
        else:
            assert series.loc[key].to_list() == rows


@pytest.mark.parametrize("ordered", [True, False])
@given(st.data())
def test_look_ups_in_levels(ordered, data):
    pairs = data.draw(
        st.lists(st.tuples(st.integers(0, 5), st.sampled_from("abc")), min_size=70, max_size=90)
    )
    pairs = sorted(pairs) if ordered else pairs
    index = cuprum.MultiIndex.from_tuples(pairs)
    for key in [pairs[0], (2,), (9,), (3, "b"), (1, "z"), (0, "c")]:
        expected = [i for i, pair in enumerate(pairs) if pair[: len(key)] == key]
        assert index._handle.find_label(key).to_pylist() == expected


def test_missing_labels_are_found_among_many():
    labels = [float(i) for i in range(100)] + [None, float("nan")]
    for order in (labels, labels[::-1]):
        series = cuprum.Series(range(102), index=cuprum.Index(order, dtype="float64"))
        for _ in range(5):
            assert len(series.loc[float("nan")]) == 2
            assert series.loc[50.0] == order.index(50.0)


def test_facts_are_those_of_the_selected_labels():
    index = cuprum.Index(list(range(100, 0, -1)) + [1])
    assert not index.is_unique and index.is_monotonic_decreasing and not index.is_monotonic_increasing
    assert index[:100].is_unique and index[::-1].is_monotonic_increasing
    assert index[[True] * 100 + [False]].is_unique
    assert index.copy(deep=True).is_monotonic_decreasing


def test_names_of_an_index_are_any_label():
    assert cuprum.Index([1], name=1.5).name == 1.5
    assert cuprum.Series([1], name=np.datetime64("2013-01-01")).name == np.datetime64("2013-01-01")
    assert operator.eq(cuprum.Series([1], name=("a", 2.5)).name, ("a", 2.5))


@pytest.mark.parametrize(
    "labels",
    [[1, 2, np.nan], [np.nan, 1, 2], [3, 2, np.nan], [np.nan, 2, 1], [np.nan], [2.0, 1.0], [1.0, 1.0]],
)
@pytest.mark.parametrize("way", ["increasing", "decreasing"])
def test_missing_labels_are_in_no_order(labels, way):
    agree(f"lib.Series({labels}).is_monotonic_{way}".replace("nan", "np.nan"))
    agree(f"lib.Index({labels}).is_monotonic_{way}".replace("nan", "np.nan"))
    agree(f"lib.MultiIndex.from_arrays([{labels}, {labels}]).is_monotonic_{way}".replace("nan", "np.nan"))


PAIRS = pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["i", "j"])


@pytest.mark.parametrize("labels", ["'a'", "['a']", "[('a', 1)]", "('a', 1)", "[('a', 1), 'b']", "[]"])
def test_labels_of_levels_are_dropped_by_what_they_begin_with(labels):
    agree(f"m.drop({labels})", m=PAIRS)
    frame = pd.DataFrame({"v": range(4)}, index=PAIRS)
    agree(f"d.drop({labels})", d=frame)
    agree(f"d.v.drop({labels})", d=frame)
    agree(f"d.drop({labels}, errors='ignore')", d=frame)


def test_labels_that_are_not_there_are_not_dropped():
    frame = pd.DataFrame({"v": range(4)}, index=PAIRS)
    agree("d.drop(['a', 'zz'], errors='ignore')", d=frame)
    for target in (PAIRS, frame, cuprum.MultiIndex(PAIRS), cuprum.DataFrame(frame)):
        with pytest.raises(KeyError, match="zz"):
            target.drop(["a", "zz"])


@pytest.mark.parametrize(
    "index", ["lib.Index(['a', 'b'])", "lib.MultiIndex.from_product([['a', 'b'], [1, 2]])"]
)
def test_labels_to_drop_that_are_not_there(index):
    agree(f"{index}.drop(['a', 'zz'], errors='ignore')")
    for lib in (pd, cuprum):
        with pytest.raises(KeyError, match="zz"):
            eval(index).drop(["a", "zz"])
    with pytest.raises(ValueError, match="`errors` is 'x'"):
        eval(index, {"lib": cuprum}).drop(["a"], errors="x")


def test_labels_of_a_level_that_are_not_there():
    for index in (PAIRS, cuprum.MultiIndex(PAIRS)):
        with pytest.raises(KeyError, match="zz"):
            index.drop(["a", "zz"], level="i")
    agree("m.drop(['a', 'zz'], level='i', errors='ignore')", m=PAIRS)


def test_labels_of_levels_are_among_tuples_only():
    agree("m.isin([('a', 1), ('c', 1)])", m=PAIRS)
    agree("m.isin(['a'], level=0)", m=PAIRS)
    for index in (PAIRS, cuprum.MultiIndex(PAIRS)):
        with pytest.raises(ValueError, match="tuples of length 2"):
            index.isin(["a"])


@pytest.mark.parametrize(
    "expression",
    [
        "lib.Index([])",
        "lib.Index([], name='k')",
        "lib.Series([1.5, 2.5]).reindex([])",
        "lib.DataFrame({'a': [1]}).reindex([]).index.dtype.kind",
        "lib.DataFrame({'a': []}, index=[]).index",
        "lib.Series({}).index",
        "lib.Index([]).union(lib.Index([1])).dtype.kind",
        "lib.Index([]).append(lib.Index([1])).dtype.kind",
        "lib.concat([lib.Series([], index=[], dtype='int64'), lib.Series([1, 2])])",
    ],
)
def test_no_labels_are_labels_of_any_kind(expression):
    agree(expression)
    assert str(cuprum.Index([]).dtype) == str(pd.Index([]).dtype)


@pytest.mark.parametrize(
    "expression",
    [
        "lib.Index(['a', np.nan]).get_indexer_for([np.nan])",
        "lib.Index(['a', None]).get_indexer([np.nan, 'a', 'b'])",
        "lib.Index(['a', None]).get_indexer([5.0, np.nan])",
        "lib.Series([1, 2], index=['a', 'b']).reindex([0, 1])",
    ],
)
def test_missing_labels_are_found_among_those_of_any_type(expression):
    agree(expression)


@pytest.mark.parametrize("index", ["['b', 'a']", "['a', 'q']", "['a', 'b']", "[1, 0]"])
def test_texts_of_a_series_are_matched_to_labels(index):
    agree(f"lib.Index(['a', 'b']).str.cat(lib.Series(['x', 'y'], index={index}), sep='-', na_rep='?')")
    agree("lib.Index(['a', 'b']).str.cat(['x', 'y'])")
    agree("lib.Index(['a', 'b']).str.cat(sep='+')")


@pytest.mark.parametrize("count", [1, 2, 126, 127, 128, 40_000])
def test_codes_are_small(count):
    arrays = f"[list(range({count})), ['x'] * {count}]"
    agree(f"[str(part.dtype) for part in lib.MultiIndex.from_arrays({arrays}).codes]")
    agree("[list(part) for part in lib.MultiIndex.from_arrays([['a', None], [1, 1]]).codes]")


@pytest.mark.parametrize("dtype", ["int64", int, np.int64, "int32", "float64", str])
def test_a_range_stays_one_where_its_type_does(dtype):
    ours, theirs = (lib.RangeIndex(1, 9, 2, name="n").astype(dtype) for lib in (cuprum, pd))
    assert type(ours).__name__ == type(theirs).__name__
    pd.testing.assert_index_equal(ours.to_pandas(), theirs)


@pytest.mark.parametrize("method", ["min", "max", "any", "all"])
def test_reductions_of_no_labels(method):
    ours, theirs = getattr(cuprum.Index([]), method)(), getattr(pd.Index([]), method)()
    assert type(ours) is type(theirs)
    assert ours == theirs or (ours != ours and theirs != theirs)
