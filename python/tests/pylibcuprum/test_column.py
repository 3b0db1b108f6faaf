"""`Column`: construction from parts, copies, Python objects, array interfaces."""

import datetime as dt
import gc
import itertools
import weakref
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from devices import every_device, nested_arrays, on
from hypothesis import given
from hypothesis import strategies as st

from cuprum import _cuprum, rmm
from pylibcuprum import Column, DataType, Scalar, TypeId, gpumemoryview
from pylibcuprum.column import ListsColumnView, StructsColumnView, is_c_contiguous

INT64 = DataType(TypeId.INT64)


def buffer(data, device="cpu"):
    return rmm.DeviceBuffer.to_device(bytes(data), rmm.Stream(device))


def words(*values, device="cpu"):
    return buffer(np.array(values, "i8").tobytes(), device)


@every_device
@given(array=nested_arrays(), bounds=st.tuples(st.integers(0, 12), st.integers(0, 12)))
def test_any_data_goes_to_a_device_and_back(device, array, bounds):
    start = min(bounds[0], len(array))
    length = min(bounds[1], len(array) - start)
    whole, array = Column.from_arrow(array), array.slice(start, length)
    column = on(device, whole.slice(start, length))
    assert (column.size(), column.null_count()) == (len(array), array.null_count)
    assert column.to_arrow().to_pylist() == array.to_pylist()
    copied = column.copy()
    assert copied.to_arrow().equals(column.to_arrow())
    middle = len(array) // 2
    assert copied.slice(middle, len(array) - middle).to_pylist() == column.to_pylist()[middle:]
    rebuilt = Column(
        column.type(), column.size(), column.data(), column.null_mask(), column.null_count(),
        column.offset(), column.children(),
    )  # fmt: skip
    assert rebuilt.to_arrow().equals(column.to_arrow())
    nulls = Column.all_null_like(column, 3)
    assert nulls.to_pylist() == [None] * 3
    assert nulls.to_arrow().type == column.to_arrow().type


@every_device
def test_a_column_of_its_parts_shares_them(device):
    data, mask = words(10, 20, 30, 40, device=device), buffer([0b1011], device)
    column = Column(INT64, 3, data, mask, 1, 1, [])
    assert column.to_pylist() == [20, None, 40]
    assert (column.size(), column.offset(), column.null_count(), column.num_children()) == (3, 1, 1, 0)
    assert column.data().ptr == data.ptr
    assert Column(INT64, 3, data, mask, -1, 1, []).null_count() == 1
    text = Column(DataType(TypeId.STRING), 2, buffer(b"ab", device), None, 0, 0,
                  [Column.from_iterable_of_py([0, 1, 2], "int32", rmm.Stream(device))])  # fmt: skip
    assert text.to_pylist() == ["a", "b"]
    assert text.num_children() == 1
    assert text.child(0).to_pylist() == [0, 1, 2]
    with pytest.raises(IndexError, match="`index` is 1"):
        text.child(1)


OFFSETS = Column.from_iterable_of_py([0, 1, 2], "int32")
HOSTILE = [
    ((INT64, 3, words(1, 2), None, 0, 0, []), ValueError, "16 bytes; 3 elements"),
    ((INT64, 1, words(1, 2), None, 0, 2, []), ValueError, "3 elements"),
    ((INT64, 2**62, None, None, 0, 0, []), (ValueError, OverflowError), None),
    ((INT64, 1, None, None, 0, 2**64 - 1, []), (ValueError, OverflowError), None),
    ((INT64, -1, words(1), None, 0, 0, []), OverflowError, None),
    ((INT64, 2, None, None, 0, 0, []), ValueError, "0 bytes"),
    ((INT64, 2, words(1, 2), buffer([]), 1, 0, []), ValueError, "0 bytes"),
    ((INT64, 2, words(1, 2), buffer([1]), 2, 0, []), ValueError, "`null_count` is 2, the mask has 1"),
    ((INT64, 2, words(1, 2), buffer([1]), 3, 0, []), ValueError, "3"),
    ((INT64, 2, words(1, 2), None, 1, 0, []), ValueError, "`null_count` is 1, but there is no `mask`"),
    ((INT64, 2, words(1, 2), None, 0, 0, [OFFSETS]), ValueError, "1 children"),
    ((INT64, 2, words(1, 2), None, 0, 0, ["x"]), TypeError, None),
    ((INT64, 2, words(1, 2), None, 0, 0, None), TypeError, None),
    ((INT64, 2, b"0123456789abcdef", None, 0, 0, []), TypeError, "`data`"),
    ((INT64, 2, words(1, 2), [1], 0, 0, []), TypeError, "`mask`"),
    (("int64", 2, words(1, 2), None, 0, 0, []), TypeError, "data_type"),
    ((DataType(TypeId.STRING), 2, buffer(b"a"), None, 0, 0, [OFFSETS]), ValueError, "leave the 1"),
    ((DataType(TypeId.STRING), 2, buffer(b"a\xff"), None, 0, 0, [OFFSETS]), ValueError, "row 1 is not UTF-8"),
    ((DataType(TypeId.STRING), 3, buffer(b"ab"), None, 0, 0, [OFFSETS]), ValueError, "3 offsets, not 4"),
    ((DataType(TypeId.STRING), 2, None, None, 0, 0, []), ValueError, "0 children"),
    ((DataType(TypeId.LIST), 2, None, None, 0, 0, [OFFSETS]), ValueError, "not 2"),
    (
        (DataType(TypeId.LIST), 1, None, None, 0, 0, [Column.from_iterable_of_py([2, 1], "int32"), OFFSETS]),
        ValueError,
        "decrease from 2 to 1",
    ),
    ((DataType(TypeId.LIST), 1, None, None, 0, 0, [Column.from_iterable_of_py(["a", "b"]), OFFSETS]), ValueError, "offsets are str"),
    ((DataType(TypeId.STRUCT), 4, None, None, 0, 0, [OFFSETS]), ValueError, "field 0 has 3 rows"),
    (
        (DataType(TypeId.DICTIONARY32), 1, None, None, 0, 0, [Column.from_iterable_of_py([9], "uint8"), OFFSETS]),
        ValueError,
        "index 9",
    ),
    ((DataType(TypeId.DICTIONARY32), 1, None, None, 0, 0, [OFFSETS, OFFSETS]), ValueError, "not unsigned"),
]  # fmt: skip


@pytest.mark.host
@pytest.mark.parametrize("validate", [True, False])
@pytest.mark.parametrize(("arguments", "error", "message"), HOSTILE)
def test_parts_that_make_no_column(arguments, error, message, validate):
    if not validate and "the mask has 1" in (message or ""):
        pytest.skip("counts of nulls are taken on trust")
    with pytest.raises(error, match=message):
        Column(*arguments, validate=validate)


@every_device
def test_memory_that_does_not_fit_the_elements(device):
    view = gpumemoryview(buffer(bytes(17), device)).byte_slice(slice(1, None))
    with pytest.raises(ValueError, match="a multiple of 8"):
        Column(INT64, 2, view, None, 0, 0, [])
    # A mask may begin anywhere.
    mask = gpumemoryview(buffer([0, 0b01], device)).byte_slice(slice(1, None))
    assert Column(INT64, 2, words(1, 2, device=device), mask, 1, 0, []).to_pylist() == [1, None]


def test_parts_on_different_devices():
    with pytest.raises(ValueError, match=r"on emulator and on cpu|on cpu and on emulator"):
        Column(INT64, 2, words(1, 2, device="emulator"), buffer([1]), 1, 0, [])


def test_columns_that_are_nested_too_deeply():
    column = Column.from_iterable_of_py([1])
    with pytest.raises(ValueError, match="deeper than 64"):
        for _ in range(70):
            column = Column(DataType(TypeId.STRUCT), 1, None, None, 0, 0, [column])
    values = []
    values.append(values)
    with pytest.raises(ValueError, match="deeper than 64"):
        Column.from_iterable_of_py(values)


@pytest.mark.host
@every_device
def test_with_mask(device):
    column = on(device, Column.from_iterable_of_py([1, 2, 3]))
    masked = column.with_mask(buffer([0b101], device), 1)
    assert masked.to_pylist() == [1, None, 3]
    assert masked.data().ptr == column.data().ptr
    assert masked.with_mask(None, 0).to_pylist() == [1, 2, 3]
    assert column.slice(1, 2).with_mask(buffer([0b010], device), 1).to_pylist() == [2, None]
    with pytest.raises(ValueError, match="`null_count` is 2, the mask has 1"):
        column.with_mask(buffer([0b101], device), 2)
    with pytest.raises(ValueError, match="0 bytes"):
        column.with_mask(buffer([], device), 1)
    with pytest.raises(ValueError, match="no `mask`"):
        column.with_mask(None, 1)


@pytest.mark.host
@every_device
def test_a_mask_leaves_nothing_under_nulls(device):
    lists = on(device, Column.from_arrow(pa.array([[1, 2], [3], [4, 5]])))
    masked = lists.with_mask(buffer([0b101], device), 1)
    assert masked.to_pylist() == [[1, 2], None, [4, 5]]
    assert masked.children()[1].to_pylist() == [1, 2, 4, 5]
    texts = on(device, Column.from_iterable_of_py(["ab", "c", "d"]))
    assert texts.with_mask(buffer([0b110], device), 1).to_pylist() == [None, "c", "d"]
    structs = on(device, Column.from_arrow(pa.array([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}])))
    masked = structs.with_mask(buffer([0b01], device), 1)
    assert [child.to_pylist() for child in masked.children()] == [[1, None], ["x", None]]


@pytest.mark.host
def test_what_a_null_hides_is_checked_too():
    with pytest.raises(ValueError, match="UTF-8"):
        Column(DataType(TypeId.STRING), 2, buffer(b"a\xff"), buffer([1]), 1, 0, [OFFSETS])


@pytest.mark.parametrize(
    ("values", "type_id"),
    [
        ([1, None], TypeId.INT64),
        ([1.5, None], TypeId.FLOAT64),
        ([True, None], TypeId.BOOL8),
        (["é", None], TypeId.STRING),
        ([dt.datetime(2020, 1, 1)], TypeId.TIMESTAMP_MICROSECONDS),
        ([dt.date(2020, 1, 1)], TypeId.TIMESTAMP_DAYS),
        ([dt.timedelta(1)], TypeId.DURATION_MICROSECONDS),
        ([Decimal("1.50"), None, Decimal(2)], TypeId.DECIMAL128),
        ([[1], None, [], [2, None]], TypeId.LIST),
        ([(1, 2)], TypeId.LIST),
        ([{"0": 1, "1": ["x"]}, None, {"0": None, "1": None}], TypeId.STRUCT),
        ([[[1]], [None, [2, 3]], None], TypeId.LIST),
        ([None, [{"0": Decimal("0.1")}]], TypeId.LIST),
        ([], TypeId.FLOAT64),
    ],
)
def test_python_objects_there_and_back(values, type_id):
    column = Column.from_iterable_of_py(iter(values))
    assert column.type().id() == type_id
    assert column.to_pylist() == [list(v) if isinstance(v, tuple) else v for v in values]
    assert column.to_device("emulator").to_pylist() == column.to_pylist()


def test_dicts_become_structs_of_all_their_keys():
    column = Column.from_iterable_of_py([{"b": 1}, {"a": "x"}, None, {}])
    assert [field.to_pylist() for field in column.children()] == [
        [1, None, None, None],
        [None, "x", None, None],
    ]
    assert column.null_count() == 1


@pytest.mark.parametrize(
    "type_id", [t for t in TypeId if t not in {TypeId.NUM_TYPE_IDS, TypeId.DICTIONARY32}]
)
def test_nothing_but_nulls_of_any_type(type_id):
    column = Column.from_iterable_of_py([None, None], DataType(type_id))
    assert column.type() == DataType(type_id)
    assert column.to_pylist() == [None, None]
    assert Column.from_iterable_of_py([], DataType(type_id)).size() == 0


@pytest.mark.parametrize(
    ("values", "dtype", "error", "message"),
    [
        ([[1], 2], None, TypeError, "element 1 is a .*int.*, not a list"),
        ([{}, []], None, (TypeError), "element 1"),
        ([Decimal(1), "x"], None, TypeError, "element 1"),
        ([[1, "x"]], None, TypeError, "element 1"),
        ([Decimal("nan")], None, ValueError, "element 0.*not finite"),
        ([Decimal(1), Decimal("1e60")], None, OverflowError, "element 1 does not fit"),
        ([Decimal("1.25")], DataType(TypeId.DECIMAL32, -1), ValueError, "element 0 has more digits"),
        ([Decimal(10**9)], DataType(TypeId.DECIMAL32, -1), OverflowError, "decimal32"),
        ([1.5], DataType(TypeId.DECIMAL32, -1), TypeError, "not a Decimal"),
        ([1], DataType(TypeId.LIST), TypeError, "not a list"),
        ([1], DataType(TypeId.STRUCT), TypeError, "not a dict"),
        ([1], DataType(TypeId.EMPTY), TypeError, "not a missing value"),
        ([object()], None, TypeError, "'object'"),
        (5, None, TypeError, "iterable"),
    ],
)
def test_objects_that_make_no_column(values, dtype, error, message):
    with pytest.raises(error, match=message):
        Column.from_iterable_of_py(values, dtype)


@given(st.lists(st.none() | st.decimals(-(10**9), 10**9, places=3)))
def test_decimals(values):
    for type_id in (TypeId.DECIMAL64, TypeId.DECIMAL128):
        column = Column.from_iterable_of_py(values, DataType(type_id, -3))
        assert column.to_pylist() == values
        assert column.to_arrow().to_pylist() == values


@every_device
def test_scalars_there_and_back(device):
    stream = rmm.Stream(device)
    for value in (5, 1.5, True, "é", Decimal("1.5"), [[1], [2]], {"0": 1, "1": "x"}):
        scalar = Scalar.from_py(value)
        column = Column.from_scalar(scalar, 3, stream)
        assert str(column.device()) == device
        assert column.to_pylist() == [scalar.to_py()] * 3
        assert column.slice(1, 1).to_scalar().to_py() == scalar.to_py()
    assert Column.from_scalar(Scalar.from_py(5), 0).size() == 0
    with pytest.raises(ValueError, match="the column has 3"):
        column.to_scalar()


@pytest.mark.host
def test_memory_comes_from_the_resource_that_is_named():
    pool = rmm.mr.StatisticsResourceAdaptor(rmm.mr.CudaMemoryResource(device="emulator"))
    column = Column.from_iterable_of_py([1, None, 3])
    for make in (
        lambda: column.copy(mr=pool),
        lambda: column.to_device(mr=pool),
        lambda: Column.from_scalar(Scalar.from_py(5), 3, mr=pool),
        lambda: Column.all_null_like(column, 3, mr=pool),
        lambda: Column.from_arrow(pa.array([1, 2]), mr=pool),
    ):
        before = pool.allocation_counts.total_bytes
        made = make()
        assert str(made.device()) == "emulator"
        assert pool.allocation_counts.total_bytes > before
    with pytest.raises(ValueError, match="`device` is cpu"):
        column.to_device("cpu", mr=pool)


@every_device
def test_views_of_lists_and_structs(device):
    lists = on(device, Column.from_iterable_of_py([[1, 2], None, [3]]))
    view = lists.list_view()
    assert view.child().to_pylist() == [1, 2, 3]
    assert view.offsets().to_pylist() == [0, 2, 2, 3]
    assert ListsColumnView(lists.slice(1, 2)).get_sliced_child().to_pylist() == [3]
    structs = on(device, Column.from_iterable_of_py([{"a": 1, "b": "x"}, None, {"a": 3, "b": "z"}]))
    view = StructsColumnView(structs.slice(1, 2))
    assert view.get_sliced_child(1).to_pylist() == [None, "z"]
    assert structs.struct_view().child().to_pylist() == [1, None, 3]
    with pytest.raises(IndexError, match="field 2"):
        view.get_sliced_child(2)
    with pytest.raises(TypeError, match="list"):
        structs.list_view()
    with pytest.raises(TypeError, match="struct"):
        lists.struct_view()
    both = Column.struct_from_children([lists.to_host(), structs.to_host()])
    assert both.size() == 3
    with pytest.raises(ValueError, match="field 1 has 1 rows"):
        Column.struct_from_children([OFFSETS, OFFSETS.slice(0, 1)])
    with pytest.raises(ValueError, match="`children` is empty"):
        Column.struct_from_children([])


def test_from_rmm_buffer():
    assert Column.from_rmm_buffer(words(1, 2), INT64, 2, []).to_pylist() == [1, 2]
    with pytest.raises(ValueError, match="16 bytes"):
        Column.from_rmm_buffer(words(1, 2), INT64, 3, [])


def test_from_arrow_with_a_type():
    assert Column.from_arrow(pa.array([1]), INT64).to_pylist() == [1]
    with pytest.raises(TypeError, match=r"int32.*int64"):
        Column.from_arrow(pa.array([1], "int32"), INT64)


@pytest.mark.host
@given(
    st.sampled_from(["i1", "u2", "i4", "i8", "f4", "f8", "?", "M8[s]", "m8[ns]"]),
    st.lists(st.integers(0, 4), min_size=1, max_size=3),
)
def test_numpy_arrays_of_any_shape(code, shape):
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(code)
    column = Column.from_array(array)
    assert column.size() == shape[0]
    if array.dtype.kind in "iuf?":
        assert column.to_pylist() == array.tolist()
    flat = column
    for _ in shape[1:]:
        flat = flat.list_view().child()
    assert np.asarray(flat).dtype == array.dtype
    assert np.array_equal(np.asarray(flat).reshape(shape), array)


def test_arrays_that_are_not_in_c_order():
    array = np.arange(6).reshape(2, 3)
    for wrong in (array.T, array[:, ::2], array[::-1]):
        with pytest.raises(ValueError, match="C order"):
            Column.from_array(wrong)
    assert Column.from_array(array[:1]).to_pylist() == [[0, 1, 2]]
    for wrong in ([1, 2], None, "abc"):
        with pytest.raises(TypeError, match="`obj`"):
            Column.from_array(wrong)
        with pytest.raises(TypeError, match="`obj`"):
            Column.from_array_interface(wrong)
        with pytest.raises(TypeError, match="`obj`"):
            Column.from_cuda_array_interface(wrong, rmm.Stream("emulator"))


@given(st.lists(st.integers(0, 3), max_size=4), st.integers(1, 16), st.booleans())
def test_contiguity_is_numpys(shape, itemsize, transpose):
    array = np.zeros(shape, f"V{itemsize}")
    array = array.T if transpose else array
    assert is_c_contiguous(array.shape, array.strides, itemsize) == array.flags.c_contiguous
    assert is_c_contiguous(array.shape, None, itemsize)


@pytest.mark.host
def test_numpy_shares_a_columns_memory_and_keeps_it():
    column = Column.from_iterable_of_py(range(1000))
    array = np.asarray(column.slice(10, 20))
    assert array.tolist() == list(range(10, 30))
    assert not array.flags.writeable
    assert array.ctypes.data == column.data().ptr + 80
    del column
    gc.collect()
    assert array[0] == 10
    assert np.asarray(Column.from_iterable_of_py([], "float32")).dtype == "float32"
    for without in (["a"], [1, None], [[1]], [Decimal(1)]):
        assert not hasattr(Column.from_iterable_of_py(without), "__array_interface__")
        with pytest.raises(TypeError, match="to_pylist"):
            np.asarray(Column.from_iterable_of_py(without))
    assert Column.from_iterable_of_py([1, 2]).__array__("float32").dtype == "float32"


def test_columns_elsewhere_are_no_arrays():
    with pytest.raises(TypeError, match="a column on emulator"):
        np.asarray(Column.from_iterable_of_py([1, 2]).to_device("emulator"))


class Array:
    def __init__(self, column, interface):
        self.column, self.__cuda_array_interface__ = column, interface


@given(st.lists(st.none() | st.integers(-128, 127), max_size=70), st.integers(0, 70))
def test_the_cuda_array_interface_there_and_back(values, start):
    column = Column.from_iterable_of_py(values, "int8").to_device("emulator")
    column = column.slice(min(start, len(values)), len(values) - min(start, len(values)))
    assert not hasattr(column, "__cuda_array_interface__")
    interface = _cuprum._device_interface(column)
    assert interface["version"] == 3 and interface["typestr"] == "|i1"
    assert interface["data"][1], "read-only"
    assert ("mask" in interface) == (column.null_count() > 0)
    back = _cuprum._column_from_device_interface(Array(column, interface), "emulator")
    assert back.to_pylist() == column.to_pylist()
    if values[start:]:
        assert back.data().ptr == column.data().ptr + column.offset()


def test_masks_of_bytes_and_shapes_of_arrays_on_a_device():
    data = Column.from_array(np.arange(6.0)).to_device("emulator")
    valid = Column.from_array(np.array([True, False] * 3)).to_device("emulator")
    interface = _cuprum._device_interface(data)
    mask = Array(valid, _cuprum._device_interface(valid))

    def read(**change):
        return _cuprum._column_from_device_interface(Array(data, {**interface, **change}), "emulator")

    assert read(mask=mask).to_pylist() == [0, None, 2, None, 4, None]
    assert read(shape=(2, 3)).to_pylist() == [[0, 1, 2], [3, 4, 5]]
    assert read(shape=(3, 2), strides=(16, 8)).to_pylist() == [[0, 1], [2, 3], [4, 5]]
    assert read(shape=(0,), data=(0, False)).to_pylist() == []
    with pytest.raises(ValueError, match="strides"):
        read(shape=(3,), strides=(16,))
    with pytest.raises(ValueError, match="mask of shape"):
        read(shape=(3,), mask=mask)
    with pytest.raises(NotImplementedError, match="dimensions"):
        read(shape=(3, 2), mask=mask)
    with pytest.raises(ValueError, match="dimension"):
        read(shape=())


def test_a_stream_of_a_gpu_is_needed_for_its_memory():
    with pytest.raises(ValueError, match="`stream` is one of the CPU"):
        Column.from_cuda_array_interface(Array(None, {}), rmm.Stream())


def test_every_type_and_size_there_and_back_through_a_device():
    for type_id, size in itertools.product(
        (TypeId.INT8, TypeId.FLOAT64, TypeId.BOOL8, TypeId.TIMESTAMP_DAYS),
        (0, 1, 31, 32, 33, 63, 64, 65, 1025),
    ):
        column = Column.from_array(np.arange(size) % 2).flat()
        column = Column.from_iterable_of_py([None] * size, DataType(type_id)) if size % 2 else column
        assert column.to_device("emulator").to_arrow().equals(column.to_arrow())


def test_a_type_is_that_of_the_innermost_elements():
    int16 = DataType(TypeId.INT16)
    nested = Column.from_iterable_of_py([[[1], [2, None]], None, []], int16)
    assert nested.to_arrow().type == pa.list_(pa.list_(pa.int16()))
    assert nested.to_arrow().to_pylist() == [[[1], [2, None]], None, []]
    decimals = Column.from_iterable_of_py([[1], [2]], DataType(TypeId.DECIMAL64, -1))
    assert decimals.children()[1].type() == DataType(TypeId.DECIMAL64, -1)
    with pytest.raises(OverflowError):
        Column.from_iterable_of_py([[2**20]], int16)
    with pytest.raises(TypeError):
        Column.from_iterable_of_py([[1], 2], int16)


def test_columns_and_views_have_weak_references():
    column = Column.from_iterable_of_py([1, 2])
    view = column.data()
    seen = weakref.ref(column), weakref.ref(view)
    assert seen[0]() is column and seen[1]() is view
    del column, view
    assert seen[0]() is None and seen[1]() is None
