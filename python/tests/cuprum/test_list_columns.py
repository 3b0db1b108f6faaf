"""Lists: ``Series.list``, ``explode``, casts of elements and fields, beside pandas and Python's lists."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from oracle import assert_like

import cuprum

ROWS = [[3, 1, None, 3], [], None, [2], [None, None], [1, 1, 2, 2, 1]]
LABELS = list("abcbed")


@pytest.fixture
def s():
    return cuprum.Series(pa.array(ROWS), index=LABELS, name="s")


def there(series):
    return series.to_arrow().to_pylist()


def each(f):
    return [None if row is None else f(row) for row in ROWS]


def like(series, s, values):
    """The values, under the labels and the name of ``s``."""
    assert there(series) == values
    assert series.index.to_list() == s.index.to_list()
    assert series.name == s.name


def test_results_of_the_accessor(s):
    like(s.list.len(), s, each(len))
    assert str(s.list.len().dtype) == "int32"
    like(s.list.get(0), s, each(lambda row: row[0] if row else None))
    like(s.list.get(-2), s, each(lambda row: row[-2] if len(row) > 1 else None))
    like(s.list.get(1, default=-9), s, each(lambda row: row[1] if len(row) > 1 else -9))
    like(s.list.get(-3, default=-9), s, each(lambda row: row[-3] if len(row) > 2 else -9))
    like(s.list.get([0, 5, 0, None, -1, 4]), s, [3, None, None, None, None, 1])
    like(s.list.get([0, 5, 0, None, -7, 4], default=8), s, [3, 8, None, None, 8, 1])
    like(s.list.contains(1), s, each(lambda row: 1 in row))
    like(s.list.contains(1.5), s, each(lambda row: False))
    like(s.list.contains(None), s, [None] * 6)
    like(s.list.index(3), s, each(lambda row: row.index(3) if 3 in row else -1))
    like(s.list.index([1, 1, 1, None, 2, 2]), s, [1, -1, None, None, -1, 2])
    like(s.list.unique(), s, each(lambda row: list(dict.fromkeys(row))))
    like(s.list.take([[-1, 0], [], [0], [0], [1], [4, -5]]), s, [[3, 3], [], None, [2], [None], [1, 1]])
    like(s.list.astype("str"), s, each(lambda row: [None if v is None else str(v) for v in row]))


def test_order_of_elements(s):
    def ordered(first, reverse):
        missing = lambda row: [None] * row.count(None)  # noqa: E731
        values = lambda row: sorted((v for v in row if v is not None), reverse=reverse)  # noqa: E731
        return each(lambda row: missing(row) + values(row) if first else values(row) + missing(row))

    like(s.list.sort_values(), s, ordered(False, False))
    like(s.list.sort_values(ascending=False), s, ordered(False, True))
    like(s.list.sort_values(na_position="first"), s, ordered(True, False))
    like(s.list.sort_values(ascending=False, na_position="first"), s, ordered(True, True))
    assert s.list.sort_values(ignore_index=True).index.to_list() == list(range(6))


def test_nested_lists():
    rows = [[[1, 2], None, [3]], [None], None, []]
    s = cuprum.Series(pa.array(rows, pa.list_(pa.list_(pa.int64()))), name="n")
    assert there(s.list.concat()) == [[1, 2, 3], None, None, []]
    assert there(s.list.concat(dropna=False)) == [None, None, None, []]
    leaves = s.list.leaves
    assert there(leaves) == [1, 2, 3]
    assert leaves.index.to_list() == [0, 1, 2]
    assert leaves.name == "n"
    assert there(s.list.get(0)) == [[1, 2], None, None, None]
    with pytest.raises(TypeError, match="at least one level of nesting"):
        s.list.concat().list.concat()
    twice = cuprum.Series([[[2], [1, 2], [2]], [[3], []], None])
    assert there(twice.list.unique()) == [[[2], [1, 2]], [[3], []], None]
    assert there(twice.list.sort_values()) == [[[1, 2], [2], [2]], [[], [3]], None]
    with pytest.raises(TypeError, match="int64"):
        s.list.contains(1)


def test_list_columns_that_are_refused(s):
    with pytest.raises(AttributeError, match=r"\.list accessor"):
        _ = cuprum.Series([1]).list
    with pytest.raises(IndexError, match="list 0, which has 4 elements"):
        s.list.take([[4], [], [], [], [], []])
    with pytest.raises(ValueError, match="`lists_indices` has 1 lists, the series has 6"):
        s.list.take([[0]])
    with pytest.raises(TypeError, match="`lists_indices`"):
        s.list.take([1, 2, 3, 4, 5, 6])
    with pytest.raises(TypeError, match=r"`index` must be an integer, not 1\.5"):
        s.list.get(1.5)
    with pytest.raises(TypeError, match="`default`"):
        s.list.get(1, default="x")
    with pytest.raises(TypeError, match="`search_key`"):
        s.list.contains([1])
    with pytest.raises(TypeError, match="int64"):
        s.list.contains("x")


@pytest.mark.parametrize("ignore_index", [False, True])
@pytest.mark.parametrize(
    "rows",
    [
        ROWS,
        [["x", None], None, [], ["é"], ["a", "b", "c"], []],
        [[]] * 6,
        [None, [1.5, np.nan], [], None, [2.5], None],
    ],
    ids=["int", "str", "empty", "float"],
)
@pytest.mark.parametrize(
    "index",
    [LABELS, None, pd.MultiIndex.from_product([["x", "y"], [1, 2, 3]])],
    ids=["labels", "range", "levels"],
)
def test_explode_a_series(rows, index, ignore_index):
    theirs = pd.Series(rows, index=index, name="s")
    ours = cuprum.DataFrame({"s": cuprum.Series(pa.array(rows))}).set_axis(cuprum.Index(theirs.index))["s"]
    got, expected = ours.explode(ignore_index=ignore_index), theirs.explode(ignore_index=ignore_index)
    assert got.index.to_list() == expected.index.to_list()
    assert got.name == "s"
    missing = expected.isna().to_list()
    assert got.isna().to_list() == missing
    values = [v for v, gone in zip(expected.to_list(), missing, strict=True) if not gone]
    assert got.dropna().to_list() == values


def frames():
    theirs = pd.DataFrame(
        {
            "a": [[1, 2], [], None, [3]],
            "b": ["x", "y", "z", None],
            "c": [["p", None], ["q"], [], ["r"]],
            "d": [[1], [2, 3], [4], [5]],
        },
        index=pd.Index([7, 7, 8, 9], name="i"),
    )
    ours = cuprum.DataFrame(
        {
            "a": pa.array(theirs["a"]),
            "b": theirs["b"].to_list(),
            "c": pa.array(theirs["c"]),
            "d": pa.array(theirs["d"]),
        }
    )
    return ours.set_axis(cuprum.Index(theirs.index)), theirs


@pytest.mark.parametrize("ignore_index", [False, True])
@pytest.mark.parametrize("column", ["a", "d", ["c"], ["a", "c"], ["c", "a"], "b", ["b"]], ids=str)
def test_explode_a_frame(column, ignore_index):
    ours, theirs = frames()
    got = ours.explode(column, ignore_index=ignore_index)
    expected = theirs.explode(column, ignore_index=ignore_index)
    assert list(got.columns) == list(expected.columns)
    assert got.index.to_list() == expected.index.to_list()
    assert got.index.name == expected.index.name
    for label in expected.columns:
        plain = [None if v is None or v is pd.NA or v != v else v for v in expected[label].to_list()]
        assert there(got[label]) == plain, label


@pytest.mark.parametrize("column", [["a", "d"], ["d", "c"], ["b", "d"], [], ["a", "a"], {"a"}], ids=str)
def test_explode_refuses_as_pandas(column):
    ours, theirs = frames()
    with pytest.raises(ValueError) as expected:
        theirs.explode(column)
    with pytest.raises(ValueError) as got:
        ours.explode(column)
    assert str(got.value) == str(expected.value)
    with pytest.raises(KeyError):
        ours.explode("nope")


def test_casts_of_elements():
    arrow = pa.array([[1, None], None, [], [300]], pa.list_(pa.int64())).slice(0, 4)
    s = cuprum.Series(arrow)
    floats = s.astype(cuprum.ListDtype("float32"))
    assert str(floats.dtype) == "list<float32>"
    assert there(floats) == [[1.0, None], None, [], [300.0]]
    nested = cuprum.Series(pa.array([[[1], None], [], None])).astype(
        cuprum.ListDtype(cuprum.ListDtype("str"))
    )
    assert there(nested) == [[["1"], None], [], None]
    # What no list has is not cast.
    assert there(s[:3].astype(cuprum.ListDtype("int8"))) == [[1, None], None, []]
    with pytest.raises(OverflowError, match="cast from int64 to int8: row 2: 300 does not fit int8"):
        s.astype(cuprum.ListDtype("int8"))
    with pytest.raises(TypeError, match="categories are of whole columns"):
        s.list.astype(cuprum.CategoricalDtype([1]))
    with pytest.raises(TypeError, match="cannot cast"):
        s.astype("int64")


def test_casts_of_fields():
    s = cuprum.Series(pa.array([{"a": 1, "b": [1]}, None, {"a": None, "b": None}]))
    to = cuprum.StructDtype({"b": cuprum.ListDtype("float64"), "a": "str"})
    assert there(s.astype(to)) == [{"b": [1.0], "a": "1"}, None, {"b": None, "a": None}]
    with pytest.raises(TypeError, match="has no field 'b'"):
        s.astype(cuprum.StructDtype({"a": "int64", "c": "int64"}))
    with pytest.raises(TypeError, match="number of fields"):
        s.astype(cuprum.StructDtype({"a": "int64", "b": cuprum.ListDtype("int64"), "c": "int64"}))
    with pytest.raises(TypeError, match="has no field 'b'"):
        s.astype(cuprum.StructDtype({"a": "int64"}))


def test_lists_of_different_elements_meet():
    a, b = cuprum.Series(pa.array([[1]], pa.list_(pa.int32()))), cuprum.Series(pa.array([[2.5], []]))
    both = cuprum.concat([a, b], ignore_index=True)
    assert there(both) == [[1.0], [2.5], []]
    assert_like(both.list.len(), pd.Series([1, 1, 0], dtype="int32"))


@pytest.mark.parametrize(
    "elements",
    [
        [[1, 2], None, [], [None, 3]],
        [[["a"], []], [None, ["b", None]], None],
        [{"a": 1, "b": "x"}, None, {"a": None, "b": "y"}],
        [{"a": [1, 2], "b": {"c": 1.5}}, {"a": [], "b": None}],
        [{"a": 1, "b": 2}, {"b": 3, "a": 4}],
        [{"a": 1}, {"b": pd.Timestamp("2020-01-01"), "a": 2}],
        [[pd.Timestamp("2020-01-01"), None], [pd.Timedelta("1h")][:0]],
    ],
)
def test_nested_elements_come_back(elements):
    series = cuprum.Series(elements)

    def plain(one):
        return None if one is pd.NaT else one

    assert list(map(plain, series.tolist())) == elements
    assert list(map(plain, series.iloc[1:].tolist())) == elements[1:]
    assert list(map(plain, series[::-1].reset_index(drop=True).tolist())) == elements[::-1]
