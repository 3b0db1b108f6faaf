"""`pylibcuprum.lists` against Python's lists."""

import pyarrow as pa
import pytest

from pylibcuprum import Column, Scalar, lists
from pylibcuprum.copying import OutOfBoundsPolicy
from pylibcuprum.types import NanEquality, NullEquality, NullOrder, Order

ROWS = [[3, 1, None, 3], [], None, [2], [None, None], [1, 1, 2, 2, 1]]
OTHER = [[1, 7], [4], [5], None, [None, 3], [2, 9]]
TYPE = pa.list_(pa.int64())


def column(rows, arrow=TYPE):
    """A slice of a longer column."""
    return Column.from_arrow(pa.array([rows[0], None, *rows, rows[-1]], arrow).slice(2, len(rows)))


def there(result):
    return result.to_arrow().to_pylist()


def each(f, *columns):
    return [None if any(row is None for row in rows) else f(*rows) for rows in zip(*columns, strict=True)]


@pytest.mark.parametrize("arrow", [TYPE, pa.large_list(pa.int8()), pa.list_(pa.string())], ids=str)
def test_explode(arrow):
    rows = ROWS
    if arrow == pa.list_(pa.string()):
        rows = [None if row is None else [None if v is None else str(v) for v in row] for row in ROWS]
    table = [column(rows, arrow), Column.from_arrow(pa.array(range(len(rows))))]
    inner = [(v, i, k) for i, row in enumerate(rows) for k, v in enumerate(row or [])]
    outer = [
        row
        for i, one in enumerate(rows)
        for row in [(v, i, k) for k, v in enumerate(one or [])] or [(None, i, None)]
    ]
    for expected, plain, position in [
        (inner, lists.explode, lists.explode_position),
        (outer, lists.explode_outer, lists.explode_outer_position),
    ]:
        values, ids, positions = (list(part) for part in zip(*expected, strict=True))
        assert [there(c) for c in plain(table, 0).columns()] == [values, ids]
        assert [there(c) for c in position(table, 0).columns()] == [positions, values, ids]
    with pytest.raises(IndexError):
        lists.explode_outer(table, 2)
    with pytest.raises(TypeError, match="must hold lists, not int64"):
        lists.explode_outer(table, 1)


def test_elements():
    c = column(ROWS)
    assert there(lists.count_elements(c)) == each(len, ROWS)
    assert there(lists.contains_nulls(c)) == each(lambda row: None in row, ROWS)
    assert there(lists.reverse(c)) == each(lambda row: row[::-1], ROWS)
    for index in (0, 1, -1, -2, 9):
        expected = each(lambda row: row[index] if -len(row) <= index < len(row) else None, ROWS)
        assert there(lists.extract_list_element(c, index)) == expected
    indices = Column.from_arrow(pa.array([0, 0, 0, None, -1, 3]))
    assert there(lists.extract_list_element(c, indices)) == [3, None, None, None, None, 2]


def test_segmented_gather():
    c = column(ROWS)
    map = [[-1, 0], [], [0], [0, None], [1], None]
    expected = [[3, 3], [], None, [2, None], [None], None]
    assert there(lists.segmented_gather(c, column(map))) == expected
    far = [[9], [0], [0], [-2], [1], [0]]
    with pytest.raises(IndexError, match="position 9 for list 0, which has 4 elements"):
        lists.segmented_gather(c, column(far))
    got = lists.segmented_gather(c, column(far), OutOfBoundsPolicy.NULLIFY)
    assert there(got) == [[None], [None], None, [None], [None], [1]]


def test_find():
    c = column(ROWS)
    keys = [3, 1, 1, None, 5, 2]
    by_row = Column.from_arrow(pa.array(keys))
    one = Scalar.from_py(1)
    assert there(lists.contains(c, one)) == each(lambda row: 1 in row, ROWS)
    assert there(lists.contains(c, by_row)) == each(lambda row, key: key in row, ROWS, keys)
    first, last = lists.DuplicateFindOption.FIND_FIRST, lists.DuplicateFindOption.FIND_LAST
    assert there(lists.index_of(c, one, first)) == [1, -1, None, -1, -1, 0]
    assert there(lists.index_of(c, one, last)) == [1, -1, None, -1, -1, 4]
    assert there(lists.index_of(c, by_row, last)) == [3, -1, None, None, -1, 3]
    with pytest.raises(TypeError, match="`key` is float64, the elements of `lists` are int64"):
        lists.contains(c, Scalar.from_py(1.0))
    with pytest.raises(TypeError, match="not a Column or Scalar"):
        lists.contains(c, 1)


def test_combine():
    rows = [a if b is None else b if a is None else a + b for a, b in zip(ROWS, OTHER, strict=True)]
    assert there(lists.concatenate_rows([column(ROWS), column(OTHER)])) == rows
    nested = [[[1, 2], None, [3]], [None], None, []]
    c = column(nested, pa.list_(TYPE))
    policy = lists.ConcatenateNullPolicy
    assert there(lists.concatenate_list_elements(c, policy.IGNORE)) == [[1, 2, 3], None, None, []]
    assert there(lists.concatenate_list_elements(c, policy.NULLIFY_OUTPUT_ROW)) == [None, None, None, []]


def test_sequences():
    starts, sizes = Column.from_arrow(pa.array([1.5, 0.0])), Column.from_arrow(pa.array([3, 0]))
    assert there(lists.sequences(starts, sizes)) == [[1.5, 2.5, 3.5], []]
    assert there(lists.sequences(starts, sizes, starts)) == [[1.5, 3.0, 4.5], []]
    with pytest.raises(ValueError, match="`sizes` has -1 at row 0"):
        lists.sequences(starts, Column.from_arrow(pa.array([-1, 0])))


@pytest.mark.parametrize("stable", [False, True])
def test_sort(stable):
    c = column(ROWS)

    def ordered(first, reverse):
        def sort(row):
            missing = [None] * row.count(None)
            values = sorted((v for v in row if v is not None), reverse=reverse)
            return missing + values if first else values + missing

        return each(sort, ROWS)

    for order, nulls, first in [
        (Order.ASCENDING, NullOrder.AFTER, False),
        (Order.ASCENDING, NullOrder.BEFORE, True),
        (Order.DESCENDING, NullOrder.AFTER, True),
        (Order.DESCENDING, NullOrder.BEFORE, False),
    ]:
        expected = ordered(first, order is Order.DESCENDING)
        assert there(lists.sort_lists(c, order, nulls, stable)) == expected


def test_masks():
    mask = [None if row is None else [(v or 0) % 2 == 1 for v in row] for row in ROWS]
    c, m = column(ROWS), column(mask, pa.list_(pa.bool_()))
    assert there(lists.apply_boolean_mask(c, m)) == each(
        lambda row: [v for v in row if (v or 0) % 2 == 1], ROWS
    )
    assert there(lists.apply_deletion_mask(c, m)) == each(
        lambda row: [v for v in row if (v or 0) % 2 == 0], ROWS
    )
    with pytest.raises(RuntimeError, match="list 0 has 4 elements, its `mask` has 1"):
        lists.apply_boolean_mask(c, column([[True]] * 6, pa.list_(pa.bool_())))


def test_sets():
    c, other = column(ROWS), column(OTHER)
    distinct = each(lambda row: list(dict.fromkeys(row)), ROWS)
    assert there(lists.distinct(c, NullEquality.EQUAL, NanEquality.ALL_EQUAL)) == distinct
    unequal = lists.distinct(c, NullEquality.UNEQUAL, NanEquality.ALL_EQUAL)
    assert there(unequal)[4] == [None, None]
    shared = each(lambda a, b: [v for v in dict.fromkeys(a) if v in b], ROWS, OTHER)
    assert there(lists.intersect_distinct(c, other)) == shared
    assert there(lists.have_overlap(c, other)) == each(bool, shared)
    assert there(lists.difference_distinct(c, other)) == each(
        lambda a, b: [v for v in dict.fromkeys(a) if v not in b], ROWS, OTHER
    )
    assert there(lists.union_distinct(c, other)) == each(lambda a, b: list(dict.fromkeys(a + b)), ROWS, OTHER)
    assert there(lists.intersect_distinct(c, c, NullEquality.UNEQUAL))[4] == []
    nan = column([[float("nan")] * 2], pa.list_(pa.float64()))
    counts = [
        there(lists.count_elements(lists.distinct(nan, NullEquality.EQUAL, nans))) for nans in NanEquality
    ]
    assert counts == [[1], [2]]
    assert there(lists.have_overlap(nan, nan, nans_equal=NanEquality.UNEQUAL)) == [False]


@pytest.mark.host
def test_a_gpu_reverses_lists():
    there = column(ROWS).to_device("emulator")
    assert lists.reverse(there).to_arrow() == lists.reverse(column(ROWS)).to_arrow()
