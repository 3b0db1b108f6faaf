"""DLPack, pandas, and what Arrow knows beyond columns."""

import ctypes
import gc

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from devices import NUMBERS, every_device, on
from hypothesis import given
from hypothesis import strategies as st

from cuprum import rmm
from pylibcuprum import Column, Table, interop
from pylibcuprum.interop import ColumnMetadata

CODES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "?"]


def tables(array):
    return [column.to_pylist() for column in interop.from_dlpack(array).columns()]


@given(st.sampled_from(CODES), st.integers(0, 5), st.integers(1, 4), st.sampled_from("CFTS"))
def test_numpys_tensors_of_any_layout(code, rows, columns, layout):
    array = np.arange(rows * columns).reshape(rows, columns).astype(code)
    if layout == "F":
        array = np.asfortranarray(array)
    elif layout == "T":
        array = array.T
    elif layout == "S":
        array = array[::-1, ::2]
    assert tables(array) == array.T.tolist()
    line = array[:, 0] if array.shape[1] else array[0:0, :].ravel()
    assert tables(line) == [line.tolist()]
    # Copied: what is written later does not show.
    table = interop.from_dlpack(line)
    before = table.columns()[0].to_pylist()
    line[:] = 1
    assert table.columns()[0].to_pylist() == before


@pytest.mark.host
@every_device
@given(data=st.data(), columns=st.integers(1, 3), rows=st.integers(0, 5))
def test_tables_there_and_back(device, data, columns, rows):
    arrow = data.draw(st.sampled_from([*NUMBERS, pa.bool_()]))
    values = np.arange(rows * columns).reshape(columns, rows)
    if pa.types.is_boolean(arrow):
        values = values % 2 == 0
    table = on(device, Table([Column.from_arrow(pa.array(v.tolist(), arrow)) for v in values]))
    capsule = interop.to_dlpack(table)
    assert "dltensor" in repr(capsule)
    back = interop.from_dlpack(capsule)
    assert back.to_arrow().equals(table.to_arrow())
    assert {str(c.device()) for c in back.columns() if rows} <= {device}
    with pytest.raises(ValueError, match="used before"):
        interop.from_dlpack(capsule)


@pytest.mark.host
def test_numpy_reads_columns_and_cannot_write_them():
    for arrow in [*NUMBERS, pa.bool_()]:
        column = Column.from_arrow(pa.array([0, 1, 1], pa.int8()).cast(arrow))
        array = np.from_dlpack(column)
        assert array.tolist() == column.to_pylist()
        assert array.dtype == column.dtype.to_numpy()
        assert not array.flags.writeable
        assert array.ctypes.data == column.data().ptr
        copied = np.from_dlpack(column, copy=True)
        copied[0] = 1
        assert column.to_pylist()[0] == 0
    part = Column.from_iterable_of_py(range(1000)).slice(10, 3)
    array = np.from_dlpack(part)
    del part
    gc.collect()
    assert array.tolist() == [10, 11, 12]


@pytest.mark.host
def test_what_a_consumer_may_ask_for():
    column = Column.from_iterable_of_py([1, 2])
    assert column.__dlpack_device__() == (1, 0)
    assert "dltensor_versioned" in repr(column.__dlpack__(max_version=(1, 0)))
    assert "dltensor_versioned" in repr(column.__dlpack__(max_version=(2, 5), copy=True))
    assert "dltensor_versioned" not in repr(column.__dlpack__())
    with pytest.raises(BufferError, match=r"before 1\.0"):
        column.__dlpack__(copy=False)
    with pytest.raises(BufferError, match="`dl_device`"):
        column.__dlpack__(dl_device=(2, 0))
    with pytest.raises(ValueError, match="`stream` is 3"):
        column.__dlpack__(stream=3)
    for wrong, message in (([1, None], "1 nulls"), (["a"], "str"), ([[1]], "list")):
        with pytest.raises(BufferError, match=message):
            Column.from_iterable_of_py(wrong).__dlpack__()


def test_emulated_memory_is_for_no_other_library():
    column = Column.from_iterable_of_py([1, 2]).to_device("emulator")
    kind, _ = column.__dlpack_device__()
    assert kind == 12
    with pytest.raises(RuntimeError, match="Unsupported device in DLTensor"):
        np.from_dlpack(column)
    assert np.from_dlpack(column, device="cpu").tolist() == [1, 2]
    with pytest.raises(BufferError, match="another device"):
        column.__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=False)
    assert interop.from_dlpack(column).columns()[0].to_pylist() == [1, 2]
    with pytest.raises(ValueError, match="`stream` is 0"):
        column.__dlpack__(max_version=(1, 0), stream=0)


def test_a_resource_decides_where_the_table_is():
    pool = rmm.mr.CudaMemoryResource(device="emulator")
    table = interop.from_dlpack(np.arange(3), mr=pool)
    assert str(table.columns()[0].device()) == "emulator"
    capsule = interop.to_dlpack(table, mr=rmm.mr.CpuMemoryResource())
    assert str(interop.from_dlpack(capsule).columns()[0].device()) == "cpu"


def test_tables_that_are_no_tensors():
    ints, floats = Column.from_iterable_of_py([1]), Column.from_iterable_of_py([1.5])
    with pytest.raises(TypeError, match=r"int64 and float64 \(column 1\)"):
        interop.to_dlpack(Table([ints, floats]))
    with pytest.raises(ValueError, match="no columns"):
        interop.to_dlpack(Table([]))
    with pytest.raises(BufferError, match="1 nulls"):
        interop.to_dlpack(Table([Column.from_iterable_of_py([None], "int8")]))


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("kind", ctypes.c_int32),
        ("id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


class Producer:
    """A capsule of our own, which counts the calls of its deleter."""

    def __init__(self, values, **change):
        self.data = np.array(values, "i8")
        self.shape = (ctypes.c_int64 * 3)(*change.pop("shape", (len(values),)))
        strides = change.pop("strides", None)
        self.strides = None if strides is None else (ctypes.c_int64 * 3)(*strides)
        self.deleted = 0
        self.deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.delete)
        fields = {
            "data": self.data.ctypes.data, "kind": 1, "ndim": 1, "code": 0, "bits": 64, "lanes": 1,
            "shape": self.shape, "strides": self.strides,
            "deleter": ctypes.cast(self.deleter, ctypes.c_void_p), **change,
        }  # fmt: skip
        self.tensor = Tensor(**fields)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        self.capsule = new(ctypes.addressof(self.tensor), b"dltensor", None)

    def delete(self, _):
        self.deleted += 1

    def __dlpack__(self):
        return self.capsule


def test_the_deleter_is_called_once():
    producer = Producer([1, 2, 3])
    assert tables(producer) == [[1, 2, 3]]
    assert producer.deleted == 1
    with pytest.raises(ValueError, match="used before"):
        interop.from_dlpack(producer.capsule)
    assert producer.deleted == 1
    offset = Producer([1, 2, 3, 4], byte_offset=8, shape=(1, 3), strides=(3, 1), ndim=2)
    assert tables(offset) == [[2], [3], [4]]
    none = Producer([1], deleter=None, shape=(0,))
    assert tables(none) == [[]]


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"ndim": 0}, ValueError),
        ({"ndim": 3, "shape": (1, 1, 1)}, ValueError),
        ({"ndim": -1}, ValueError),
        ({"shape": (-1,)}, ValueError),
        ({"shape": (2**62,)}, ValueError),
        ({"shape": (2**62, 2**62), "ndim": 2}, ValueError),
        ({"shape": (3,), "strides": (2**62,)}, ValueError),
        ({"data": None}, ValueError),
        ({"bits": 16, "code": 2}, TypeError),
        ({"bits": 128}, TypeError),
        ({"lanes": 4}, TypeError),
        ({"code": 5}, TypeError),
        ({"kind": 10}, BufferError),
        ({"kind": 0}, BufferError),
        ({"kind": 12}, BufferError),
        ({"byte_offset": 2**64 - 1}, (ValueError, OverflowError)),
    ],
)
def test_tensors_that_make_no_sense_are_deleted_too(change, error):
    producer = Producer([1, 2, 3], **change)
    with pytest.raises(error):
        interop.from_dlpack(producer)
    assert producer.deleted == 1


@pytest.mark.parametrize("wrong", [None, 5, [1, 2], "abc"])
def test_what_is_no_tensor(wrong):
    with pytest.raises(TypeError, match="`managed_tensor`"):
        interop.from_dlpack(wrong)


def test_capsules_that_nobody_takes_free_their_memory():
    pool = rmm.mr.StatisticsResourceAdaptor(rmm.mr.CpuMemoryResource())
    table = Table([Column.from_iterable_of_py(range(1000))])
    capsule = interop.to_dlpack(table, mr=pool)
    assert pool.allocation_counts.current_bytes >= 8000
    del capsule
    gc.collect()
    assert pool.allocation_counts.current_bytes == 0
    interop.from_dlpack(interop.to_dlpack(table, mr=pool))
    assert pool.allocation_counts.current_bytes == 0


def test_metadata_names_zones_and_precisions():
    column = Column.from_iterable_of_py([{"x": [{"y": 1}]}, None])
    meta = ColumnMetadata("c", children_meta=[
        ColumnMetadata("x", children_meta=[ColumnMetadata(), ColumnMetadata(children_meta=[ColumnMetadata("y")])])
    ])  # fmt: skip
    assert column.to_arrow(meta).to_pylist() == [{"x": [{"y": 1}]}, None]
    assert column._to_schema(meta) is not None and column._to_host_array() is not None
    times = Column.from_array(np.array(["2020-01-01"], "M8[s]"))
    assert times.to_arrow(ColumnMetadata(timezone="Europe/Vienna")).type == pa.timestamp("s", "Europe/Vienna")
    decimals = Column.from_arrow(pa.array([None], pa.decimal128(38, 2)))
    assert decimals.to_arrow(ColumnMetadata(precision=7)).type == pa.decimal128(7, 2)
    assert times.to_arrow("name").equals(times.to_arrow())
    for precision in (0, 39):
        with pytest.raises(ValueError, match="`precision`"):
            decimals.to_arrow(ColumnMetadata(precision=precision))
    with pytest.raises(ValueError, match="metadata of 2 fields for structs with 1"):
        column.to_arrow(ColumnMetadata(children_meta=[ColumnMetadata(), ColumnMetadata()]))
    with pytest.raises(TypeError, match="`metadata`"):
        column.to_arrow(5)
    endless = ColumnMetadata()
    endless.children_meta.append(endless)
    with pytest.raises(TypeError, match="`metadata`"):
        column.to_arrow(endless)


@pytest.mark.parametrize(
    "series",
    [
        pd.Series([1, 2], dtype="int16"),
        pd.Series([1, None], dtype="Int16"),
        pd.Series([1.5, None], dtype="Float32"),
        pd.Series([True, None], dtype="boolean"),
        pd.Series(["a", None], dtype="string"),
        pd.Series(["a", None], dtype=pd.ArrowDtype(pa.string())),
        pd.Series([1, None], dtype=pd.ArrowDtype(pa.int8())),
        pd.Series([[1], None], dtype=pd.ArrowDtype(pa.list_(pa.int8()))),
        pd.Series(["x", None, "x"], dtype="category"),
    ],
)
def test_pandas_series(series):
    column = interop.from_pandas(series)
    expected = [None if value is pd.NA or value is None or value != value else value
                for value in series.astype(object).tolist()]  # fmt: skip
    assert column.to_pylist() == expected
    back = pd.Series(interop.to_pandas(column.to_device("emulator"), nullable=True))
    assert [None if v is pd.NA else v for v in back.astype(object).tolist()] == expected


def test_time_zones_of_pandas():
    stamps = pd.Series(pd.to_datetime(["2020-01-01 12:00", None, "2020-07-01 00:00"])).dt.tz_localize(
        "Europe/Vienna"
    )
    column = interop.from_pandas(stamps)
    back = pd.Series(interop.to_pandas(column, timezone="Europe/Vienna"))
    assert back.equals(stamps) or (back.dropna() == stamps.dropna()).all()
    assert str(back.dt.tz) == "Europe/Vienna"
    arrow = stamps.astype(pd.ArrowDtype(pa.timestamp("ns", "Europe/Vienna")))
    assert interop.from_pandas(arrow).to_pylist()[0] == column.to_pylist()[0]
    index = pd.DatetimeIndex(stamps)
    assert interop.from_pandas(index).to_pylist()[0] == column.to_pylist()[0]
    with pytest.raises(TypeError, match="`timezone`"):
        interop.to_pandas(Column.from_iterable_of_py([1]), timezone="UTC")


def test_polars_reads_columns():
    assert pl.Series(Column.from_iterable_of_py([1, None])).to_list() == [1, None]
    assert Column.from_arrow(pl.Series([[1], None])).to_pylist() == [[1], None]
