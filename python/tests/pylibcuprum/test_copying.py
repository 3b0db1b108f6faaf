"""`pylibcuprum.copying` against pyarrow, on the CPU and on the emulator."""

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from pylibcuprum import Column, Scalar, Table
from pylibcuprum.copying import (
    MaskAllocationPolicy,
    OutOfBoundsPolicy,
    allocate_like,
    boolean_mask_scatter,
    copy_if_else,
    copy_range,
    copy_range_in_place,
    empty_like,
    gather,
    get_element,
    scatter,
    shift,
    slice,
    split,
)

ARRAYS = [
    pa.array([1, None, 3, 4, -5]),
    pa.array([0.5, float("inf"), None, -0.0, 1.0], pa.float32()),
    pa.array(["a", "é日本", None, "", "word"]),
    pa.array([[1, 2], None, [], [None, 3], [4]]),
    pa.array([{"x": 1, "y": "a"}, None, {"x": None, "y": "b"}, {"x": 4, "y": None}, {"x": 5, "y": ""}]),
    pa.array([[["a"], None], [], None, [["b", "c"], []], [[None]]]),
    pa.array(["x", "y", None, "x", "z"]).dictionary_encode(),
    pa.array([1, 2, None, 4, 5]).cast(pa.decimal128(30, 2)),
    pa.nulls(5),
]
DEVICES = ["cpu", "emulator"]


@pytest.fixture(params=ARRAYS, ids=lambda array: str(array.type))
def array(request):
    return request.param


@pytest.fixture(params=DEVICES)
def device(request):
    return request.param


def column(array, device):
    return Column.from_arrow(array).to_device(device)


def rows(column):
    return column.to_host().to_arrow().to_pylist()


def python(array):
    """Rows as columns give them: the fields of structs are called by their numbers."""
    return rows(Column.from_arrow(array))


def test_gather(array, device):
    source = Table([column(array, device)])
    for numbers in ([4, 0, 0, -1, -5, 2], [], [None, 1]):
        for map_type in (pa.int8(), pa.int64()):
            taken = gather(source, column(pa.array(numbers, map_type), device), OutOfBoundsPolicy.DONT_CHECK)
            places = [n if n is None or n >= 0 else n + 5 for n in numbers]
            assert rows(taken.columns()[0]) == python(array.take(pa.array(places, pa.int64())))
    numbers = column(pa.array([5, -6, 1]), device)
    taken = gather([source.columns()[0]], numbers, OutOfBoundsPolicy.NULLIFY)
    assert rows(taken.columns()[0]) == [None, None, python(array)[1]]
    with pytest.raises(IndexError, match="row 5 at position 0"):
        gather(source, numbers, OutOfBoundsPolicy.DONT_CHECK)


def test_scatter(array, device):
    there = column(array, device)
    values = python(array)
    got = scatter([there], column(pa.array([1, 0, -1, 2, 2]), device), [there]).columns()[0]
    assert rows(got) == [values[1], values[0], values[4], values[3], values[2]]
    if array.type == pa.null() or pa.types.is_dictionary(array.type):
        return
    scalar = get_element(there, 0)
    got = scatter([scalar], column(pa.array([-1, 2], pa.int16()), device), [there]).columns()[0]
    assert rows(got) == [values[0], values[1], values[0], values[3], values[0]]
    with pytest.raises(ValueError, match="1 nulls"):
        scatter([there], column(pa.array([0, None, 1, 2, 3]), device), [there])


def test_boolean_mask_scatter(array, device):
    there = column(array, device)
    values = python(array)
    mask = column(pa.array([False, True, None, True, False]), device)
    (got,) = boolean_mask_scatter([there], [there], mask).columns()
    assert rows(got) == [values[0], values[0], values[2], values[1], values[4]]
    with pytest.raises(ValueError, match="1 rows for the 2 true rows"):
        boolean_mask_scatter(slice(Table([there]), [0, 1])[0], [there], mask)


def test_copy_if_else(array, device):
    there = column(array, device)
    back = pa.concat_arrays([array[i : i + 1] for i in reversed(range(5))])
    choice = pa.array([True, False, None, True, False])
    mask = column(choice, device)
    expected = [
        a if c else b for c, a, b in zip(choice.to_pylist(), python(array), python(back), strict=True)
    ]
    assert rows(copy_if_else(there, column(back, device), mask)) == expected
    if pa.types.is_integer(array.type):
        assert rows(copy_if_else(there, Scalar.from_py(9), mask)) == [1, 9, 9, 4, 9]
        assert rows(copy_if_else(Scalar.from_py(9), there, mask)) == [9, None, 3, 9, -5]
        expected = pc.if_else(pc.fill_null(choice, False), 1, 2).to_pylist()
        assert rows(copy_if_else(Scalar.from_py(1), Scalar.from_py(2), mask)) == expected


def test_ranges(array, device):
    there = column(array, device)
    values = python(array)
    assert rows(copy_range(there, there, 3, 5, 0)) == values[3:] + values[2:]
    with pytest.raises(IndexError, match="rows \\[3, 6\\)"):
        copy_range(there, there, 3, 6, 0)
    assert [rows(part) for part in slice(there, [1, 3, 5, 5, 0, 5])] == [values[1:3], [], values]
    assert [rows(part) for part in split(there, [2, 2])] == [values[:2], [], values[2:]]
    (left, right) = split(Table([there, there]), [2])
    assert (left.shape(), right.shape()) == ((2, 2), (3, 2))
    with pytest.raises(ValueError, match="reversed"):
        slice(there, [3, 1])
    with pytest.raises(IndexError, match="-1"):
        split(there, [-1])
    null = Scalar.empty_like(there)
    if not pa.types.is_dictionary(array.type):
        assert rows(shift(there, 2, null)) == [None, None, *values[:3]]
        assert rows(shift(there, -9, null)) == [None] * 5


def test_empty_and_allocated(array, device):
    there = column(array, device)
    empty = empty_like(there)
    assert empty.size() == 0
    assert empty.to_arrow().type == there.to_host().to_arrow().type
    assert empty_like(Table([there, there])).shape() == (0, 2)
    if not pa.types.is_integer(array.type):
        return
    assert rows(allocate_like(there, MaskAllocationPolicy.ALWAYS)) == [0] * 5
    assert allocate_like(there, MaskAllocationPolicy.RETAIN, 2).null_mask() is not None
    assert allocate_like(there, MaskAllocationPolicy.NEVER, 2).null_mask() is None
    other = gather(
        Table([there]), column(pa.array([0, 1, 2, 3, 4]), device), OutOfBoundsPolicy.NULLIFY
    ).columns()[0]
    assert copy_range_in_place(there, other, 0, 1, 4) is other
    assert rows(other) == [1, None, 3, 4, 1]
    assert rows(there) == [1, None, 3, 4, -5]
    copy_range_in_place(other, other, 2, 4, 0)
    assert rows(other) == [3, 4, 3, 4, 1]


def test_what_is_no_table_is_named():
    with pytest.raises(TypeError, match=r"`source_table\[0\]` must be a Column"):
        gather([1], Column.from_arrow(pa.array([0])), OutOfBoundsPolicy.NULLIFY)
    with pytest.raises(TypeError, match="`lhs` must be a Column or a Scalar"):
        copy_if_else(1, Scalar.from_py(2), Column.from_arrow(pa.array([True])))
