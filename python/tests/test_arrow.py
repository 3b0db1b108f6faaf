"""The Arrow C data interface against pyarrow and Polars."""

import gc

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuprum import Column, DType, _cuprum
from cuprum.interop import as_column

TYPES = [
    *[pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()],
    *[pa.float32(), pa.float64(), pa.bool_(), pa.string(), pa.date32()],
    *[pa.timestamp(unit) for unit in ("s", "ms", "us", "ns")],
    *[pa.duration(unit) for unit in ("s", "ms", "us", "ns")],
]


def elements(arrow):
    if pa.types.is_boolean(arrow):
        return st.booleans()
    if pa.types.is_string(arrow):
        return st.text()
    if pa.types.is_floating(arrow):
        return st.floats(allow_nan=False, width=arrow.bit_width)
    bits = arrow.bit_width
    if pa.types.is_unsigned_integer(arrow):
        return st.integers(0, 2**bits - 1)
    return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def build(arrow, values):
    # Times are given as their integers.
    if pa.types.is_temporal(arrow):
        return pa.array(values, pa.int32() if arrow.bit_width == 32 else pa.int64()).view(arrow)
    return pa.array(values, arrow)


arrays = st.sampled_from(TYPES).flatmap(
    lambda arrow: st.lists(st.none() | elements(arrow)).map(lambda values: build(arrow, values))
)


@given(arrays, st.integers(0, 12), st.integers(0, 30))
def test_any_array_and_slice_there_and_back(array, start, length):
    array = array.slice(min(start, len(array)), length)
    column = Column.from_arrow(array)
    assert len(column) == len(array)
    assert column.null_count() == array.null_count
    assert column.dtype == DType(array.type)
    back = column.to_arrow()
    back.validate(full=True)
    assert back.equals(array)
    middle = len(column) // 2
    assert column.slice(middle, len(column) - middle).to_arrow().equals(array.slice(middle))


@given(arrays, arrays)
def test_chunks_are_joined(first, second):
    second = second.slice(1) if second.type == first.type else first.slice(1)
    chunks = pa.chunked_array([first, second], first.type)
    assert pa.chunked_array([Column.from_arrow(chunks).to_arrow()]).equals(chunks)


def test_an_empty_slice_that_starts_late():
    array = pa.array(["abc", "d"]).slice(2)
    assert Column.from_arrow(array).size() == 0
    assert Column.from_arrow(pa.chunked_array([array, ["x"]])).to_pylist() == ["x"]
    assert _cuprum.columns_from_arrow(pa.table({"a": array}))[2] == 0


def test_other_layouts_of_the_same_values():
    values = ["a", None, "日本", "a long string that is not inlined"]
    for arrow in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())):
        assert Column.from_arrow(pa.array(values, arrow)).to_pylist() == values
    assert Column.from_arrow(pa.nulls(3)).to_pylist() == [None] * 3
    assert Column.from_arrow(pa.array([1, 2], pa.timestamp("s", "UTC"))).dtype == "datetime64[s]"
    assert Column.from_arrow(pa.chunked_array([], pa.string())).dtype == "str"


@pytest.mark.parametrize(
    "arrow", [pa.timestamp("s", "Europe/Vienna"), pa.list_(pa.int8()), pa.binary(), pa.float16()]
)
def test_types_without_a_column(arrow):
    with pytest.raises(NotImplementedError):
        Column.from_arrow(pa.array([None], arrow))
    with pytest.raises(NotImplementedError):
        Column.from_arrow(pa.chunked_array([pa.array([None], arrow)] * 2))


def allocated(length):
    """An array in Arrow's own memory, which is counted."""
    return pa.concat_arrays([pa.array(np.arange(length - 1)), pa.array([length - 1])])


def test_memory_is_shared_and_let_go():
    before = pa.total_allocated_bytes()
    array = allocated(1_000_000)
    column = Column.from_arrow(array)
    address = array.buffers()[1].address
    assert column.slice(3, 9).to_arrow().buffers()[1].address == address + 24
    back = column.to_arrow()
    del array, column
    gc.collect()
    assert back[-1].as_py() == 999_999
    assert pa.total_allocated_bytes() >= before + 7_900_000
    del back
    gc.collect()
    assert pa.total_allocated_bytes() < before + 1_000_000


def test_capsules_that_nobody_takes_are_released():
    before = pa.total_allocated_bytes()
    for _ in range(20):
        column = Column.from_arrow(allocated(100_000))
        capsules = [column.__arrow_c_array__(), column.__arrow_c_schema__()]
        capsules.append(_cuprum.columns_to_stream(["a"], [column], 100_000))
        del column, capsules
    gc.collect()
    assert pa.total_allocated_bytes() < before + 100_000


def test_an_array_that_was_used_cannot_be_used_again():
    class Once:
        def __init__(self, obj, name):
            self.capsules = getattr(obj, name)()
            setattr(type(self), name, lambda self: self.capsules)

    once = Once(pa.array([1, 2]), "__arrow_c_array__")
    assert Column.from_arrow(once).to_pylist() == [1, 2]
    with pytest.raises(ValueError, match="already been used"):
        Column.from_arrow(once)
    del Once.__arrow_c_array__
    once = Once(pa.chunked_array([[1, 2]]), "__arrow_c_stream__")
    assert Column.from_arrow(once).to_pylist() == [1, 2]
    with pytest.raises(ValueError, match="already been used"):
        Column.from_arrow(once)


@pytest.mark.parametrize(
    ("offsets", "chars"),
    [
        ([0, 2], b"\xff\xfe"),
        ([0, 1, 2], "é".encode()),
        ([0, -2], b"ab"),
        ([2, 1, 2], b"ab"),
        ([0, 2**31 - 1], b"ab"),
    ],
)
def test_invalid_arrays_are_refused(offsets, chars):
    # pyarrow checks the offsets it is given, so they go wrong afterwards.
    memory = np.zeros(len(offsets), "i4")
    array = pa.Array.from_buffers(
        pa.string(), len(offsets) - 1, [None, pa.py_buffer(memory), pa.py_buffer(chars)]
    )
    memory[:] = offsets
    with pytest.raises((ValueError, RuntimeError)):
        Column.from_arrow(array)
    with pytest.raises((ValueError, RuntimeError)):
        Column.from_arrow(pa.chunked_array([array]))


def test_a_producer_that_fails():
    def batches():
        yield pa.record_batch({"a": [1]})
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"a": pa.int64()}), batches())
    with pytest.raises(ValueError, match="the disk is gone"):
        _cuprum.columns_from_arrow(reader)


@pytest.mark.parametrize("obj", [5, "x", [1], None, np.arange(3)])
def test_what_is_not_arrow(obj):
    with pytest.raises(TypeError, match="does not export Arrow data"):
        Column.from_arrow(obj)


@pytest.mark.parametrize("result", [None, (), (1, 2), "capsule", (object(),)])
def test_wrong_capsules(result):
    class Hostile:
        def __arrow_c_array__(self):
            return result

    with pytest.raises((TypeError, ValueError)):
        Column.from_arrow(Hostile())

    class Swapped:
        def __arrow_c_array__(self):
            return pa.array([1]).__arrow_c_array__()[::-1]

    with pytest.raises(ValueError):
        Column.from_arrow(Swapped())


def test_tables():
    table = pa.table({"a": pa.chunked_array([[1, 2], [None]]), "é": ["x", None, "y"]})
    names, columns, rows = _cuprum.columns_from_arrow(table)
    assert (names, rows) == (["a", "é"], 3)
    assert [c.to_pylist() for c in columns] == [[1, 2, None], ["x", None, "y"]]

    class Exporter:
        def __arrow_c_stream__(self, requested_schema=None):
            return _cuprum.columns_to_stream(names, columns, rows)

    assert pa.table(Exporter()).equals(table.combine_chunks())
    assert pl.DataFrame(Exporter()).equals(pl.DataFrame(table))
    names, columns, rows = _cuprum.columns_from_arrow(pl.DataFrame(table))
    assert [c.to_pylist() for c in columns] == [[1, 2, None], ["x", None, "y"]]
    assert _cuprum.columns_from_arrow(pa.record_batch(table.to_batches()[0]))[2] == 2
    assert _cuprum.columns_from_arrow(pa.table({"a": []}))[0] == ["a"]
    with pytest.raises(TypeError, match="not a table"):
        _cuprum.columns_from_arrow(pa.array([1]))
    with pytest.raises(NotImplementedError, match="column 'l'"):
        _cuprum.columns_from_arrow(pa.table({"l": [[1]]}))
    with pytest.raises(ValueError, match="1 names for 2 columns"):
        _cuprum.columns_to_stream(["a"], columns, 3)
    with pytest.raises(RuntimeError, match="has 3 rows, the table has 4"):
        _cuprum.columns_to_stream(["a", "b"], columns, 4)


def test_polars_series():
    values = ["a", None, "日本"]
    assert as_column(pl.Series(values)).to_pylist() == values
    assert pl.Series(as_column(values)).to_list() == values
    assert as_column(pl.Series([True, None])).to_pylist() == [True, None]
