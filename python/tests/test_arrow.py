"""The Arrow C data interface against pyarrow and Polars."""

import gc
from decimal import Decimal

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuprum import Column, DType, _cuprum
from cuprum.core.interop import as_column

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


def allocated(length):
    """An array in Arrow's own memory, which is counted."""
    return pa.concat_arrays([pa.array(np.arange(length - 1)), pa.array([length - 1])])


@pytest.mark.host
def test_memory_is_shared_and_let_go():
    before = pa.total_allocated_bytes()
    array = allocated(1_000_000)
    column = Column.from_arrow(array)
    address = array.buffers()[1].address
    part = column.slice(3, 9).to_arrow()
    assert part.buffers()[1].address + 8 * part.offset == address + 24
    del part
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
    with pytest.raises(ValueError):
        Column.from_arrow(array)
    with pytest.raises(ValueError):
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
    zoned = pa.table({"z": pa.array([1], pa.timestamp("s", "Europe/Vienna"))})
    assert _cuprum.columns_from_arrow(zoned)[1][0].dtype.tz == "Europe/Vienna"
    with pytest.raises(ValueError, match="1 names for 2 columns"):
        _cuprum.columns_to_stream(["a"], columns, 3)
    with pytest.raises(RuntimeError, match="has 3 rows, the table has 4"):
        _cuprum.columns_to_stream(["a", "b"], columns, 4)


def test_polars_series():
    values = ["a", None, "日本"]
    assert as_column(pl.Series(values)).to_pylist() == values
    assert pl.Series(as_column(values)).to_list() == values
    assert as_column(pl.Series([True, None])).to_pylist() == [True, None]


def list_views(lists):
    if not len(lists):
        return pa.array([], pa.list_view(lists.type.value_type))
    offsets = np.asarray(lists.offsets)
    begin, sizes = pa.array(offsets[:-1]), pa.array(offsets[1:] - offsets[:-1])
    return pa.ListViewArray.from_arrays(begin, sizes, lists.values, mask=lists.is_null())


def mixed(rows):
    """A table with every type that Arrow and columns share."""
    texts = ["a", None, "日本", "a long string that is not inlined", ""]
    numbers = [None, 0, 1, -1, 127]

    def pick(values, arrow):
        return pa.array([values[i % 5] for i in range(rows)], arrow)

    decimals = [None if n is None else Decimal(n) / 10 for n in numbers]
    lists = pa.array([None if i % 7 == 3 else list(range(i % 4)) for i in range(rows)], pa.list_(pa.int32()))
    fixed = pa.array([None if i % 5 == 3 else [i, None] for i in range(rows)], pa.list_(pa.int16(), 2))
    text, number = pick(texts, pa.string()), pick(numbers, pa.int64())
    structs = pa.StructArray.from_arrays([text, lists], ["t", "é"])
    return {
        "null": pa.nulls(rows),
        "bool": pick([True, False, None, True, True], pa.bool_()),
        **{str(t): pick(numbers, t) for t in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.float32())},
        "uint8": pick([None, 0, 1, 2, 255], pa.uint8()),
        **{
            str(t): pick(decimals, t) for t in (pa.decimal32(9, 2), pa.decimal64(18, 3), pa.decimal128(38, 4))
        },
        "date64": pa.array([i * 86_400_000 for i in range(rows)], pa.int64()).cast(pa.date64()),
        "zoned": number.cast(pa.timestamp("us", "UTC")),
        **{str(t): pick(texts, t) for t in (pa.string(), pa.large_string(), pa.string_view())},
        "lists": lists,
        "large lists": lists.cast(pa.large_list(pa.int32())),
        "list views": list_views(lists),
        "fixed": fixed,
        "maps": pa.array([[("k", i), ("l", None)] for i in range(rows)], pa.map_(pa.string(), pa.int64())),
        "structs": structs,
        "lists of structs": pa.ListArray.from_arrays(
            pa.array(range(rows + 1), pa.int32()) if rows else pa.array([0], pa.int32()), structs
        ),
        "dictionary": text.dictionary_encode(),
        "runs": pa.RunEndEncodedArray.from_arrays([rows], ["x"]) if rows else pa.array([], pa.string()),
    }


def plain(value):
    """Structs and maps as the values that lists of structs have."""
    if isinstance(value, dict):
        return {str(i): plain(v) for i, v in enumerate(value.values())}
    if isinstance(value, tuple):
        return {str(i): plain(v) for i, v in enumerate(value)}
    return [plain(v) for v in value] if isinstance(value, list) else value


@pytest.mark.parametrize("rows", [0, 1, 31, 32, 33, 63, 64, 65, 1000])
def test_every_type_and_slice(rows):
    for name, array in mixed(rows).items():
        for start in {0, 1, 7, 8, 63, 64} & set(range(rows + 1)):
            sliced = array.slice(start)
            column = Column.from_arrow(sliced)
            assert len(column) == len(sliced), name
            back = column.to_arrow()
            back.validate(full=True)
            if "64" in name and "date" in name:
                back = back.cast(pa.date64())
            expected = [plain(v) for v in sliced.to_pylist()]
            if name == "zoned":
                expected = sliced.cast(pa.timestamp("us")).to_pylist()
            assert [plain(v) for v in back.to_pylist()] == expected, name
            assert column.null_count() == sum(v is None for v in expected), name


@pytest.mark.parametrize("start", range(64))
def test_slices_at_every_bit(start):
    valid = [i % 3 != 0 for i in range(130)]
    numbers = pa.array([i if v else None for i, v in enumerate(valid)])
    for array in (numbers, numbers.cast(pa.bool_()), numbers.cast(pa.string()), numbers.dictionary_encode()):
        array = array.slice(start, 66)
        assert Column.from_arrow(array).to_arrow().cast(array.type).equals(array)
    fields = pa.StructArray.from_arrays(
        [numbers, numbers.cast(pa.string())], ["0", "1"], mask=pa.array(valid)
    )
    array = fields.slice(start, 66)
    assert Column.from_arrow(array).to_arrow().to_pylist() == array.to_pylist()


@pytest.mark.parametrize(
    "arrow",
    [
        pa.binary_view(),
        pa.float16(),
        pa.time32("s"),
        pa.time64("ns"),
        pa.decimal256(40, 2),
    ]
    + [pa.month_day_nano_interval()],
)
def test_types_without_a_column(arrow):
    with pytest.raises(NotImplementedError):
        Column.from_arrow(pa.array([None], arrow))
    with pytest.raises(NotImplementedError):
        Column.from_arrow(pa.chunked_array([pa.array([None], arrow)] * 2))
    with pytest.raises(NotImplementedError):
        _cuprum.columns_from_arrow(pa.table({"x": pa.array([None], arrow)}))


def test_chunks_of_nested_types_are_joined():
    for name, array in mixed(10).items():
        if name == "runs" or name == "list views":
            continue
        chunks = pa.chunked_array([array.slice(0, 3), array.slice(3, 0), array.slice(3)])
        joined, whole = Column.from_arrow(chunks).to_arrow(), Column.from_arrow(array).to_arrow()
        assert joined.to_pylist() == whole.to_pylist(), name


def test_a_table_of_every_type():
    arrays = {name: array for name, array in mixed(70).items() if name != "runs"}
    table = _cuprum.Table.from_arrow(pa.table(arrays))
    names, columns, rows = list(arrays), list(table.columns()), table.num_rows()
    assert rows == 70

    class Exporter:
        def __arrow_c_stream__(self, requested_schema=None):
            return _cuprum.columns_to_stream(names, columns, rows)

    back = pa.table(Exporter())
    back.validate(full=True)
    assert back.column_names == names


@pytest.mark.parametrize("asked", [pa.string(), pa.large_string(), pa.string_view(), pa.int8()])
def test_requests(asked):
    values = ["a", None, "日本"]
    for array in (
        pa.array(values),
        pa.array(values).dictionary_encode(),
        pa.array(values, pa.large_string()),
    ):
        column = Column.from_arrow(array)
        answer = pa.Array._import_from_c_capsule(*column.__arrow_c_array__(asked.__arrow_c_schema__()))
        assert answer.to_pylist() == values
        assert asked == pa.int8() or answer.type == asked


@pytest.mark.host
def test_arrays_of_devices():
    array = pa.array([1, None, 3])

    class Device:
        def __arrow_c_device_array__(self, requested_schema=None, **unknown):
            return array.__arrow_c_device_array__()

    column = Column.from_arrow(Device())
    assert column.to_pylist() == [1, None, 3]
    assert column.to_arrow().buffers()[1].address == array.buffers()[1].address
    assert pa.Array._import_from_c_device_capsule(*column.__arrow_c_device_array__()).equals(array)
    with pytest.raises(NotImplementedError, match="argument 'color'"):
        column.__arrow_c_device_array__(color=1)


def test_the_producer_may_go_first():
    array = pa.array(np.arange(100_000)).cast(pa.string())
    dictionary = pa.array(["b", "a", "b"]).dictionary_encode()
    columns = [Column.from_arrow(array), Column.from_arrow(dictionary), Column.from_arrow(array.slice(77))]
    del array, dictionary
    gc.collect()
    out = [column.to_arrow() for column in columns]
    del columns
    gc.collect()
    assert out[0][-1].as_py() == "99999"
    assert out[1].to_pylist() == ["b", "a", "b"]
    assert out[2][0].as_py() == "77"


def test_errors_say_which_buffer():
    inner = np.zeros(3, "i4")
    texts = pa.Array.from_buffers(pa.string(), 2, [None, pa.py_buffer(inner), pa.py_buffer(b"ab")])
    structs = pa.StructArray.from_arrays([texts], ["t"])
    inner[:] = [0, 2, 1]
    with pytest.raises(ValueError, match=r"field 't': buffer 1 \(offsets\): the offsets of row 1 decrease"):
        Column.from_arrow(structs)
    indices = np.array([0, 1], "i1")
    dictionary = pa.DictionaryArray.from_arrays(pa.array(indices), ["x"], safe=False)
    with pytest.raises(ValueError, match=r"buffer 1 \(indices\): index 1 at row 1 is beyond the 1 keys"):
        Column.from_arrow(dictionary)


@pytest.mark.host
@pytest.mark.parametrize("arrow", [pa.timestamp("s", "Europe/Vienna"), pa.list_(pa.timestamp("s", "+01:00"))])
def test_zones_come_in_as_instants_and_frames_keep_them(arrow):
    array = pa.array([None], arrow)
    assert Column.from_arrow(array).null_count() == 1
    kept = pa.array(_cuprum.typed_column_from_arrow(array))
    assert kept.equals(array) and kept.type == arrow
    assert pa.array(_cuprum.columns_from_arrow(pa.table({"x": array}))[1][0]).type == arrow
