"""`cuprum.core.buffer`: the memory of series as objects, their addresses and who owns it."""

import numpy as np
import pyarrow as pa
import pytest

import cuprum
from cuprum import Index, Series
from cuprum.core.buffer import Buffer, as_buffer


@pytest.fixture(autouse=True)
def _option_as_it_was():
    with cuprum.option_context("copy_on_write", False):
        yield


def address(series):
    return series.data._ptr


def test_get_ptr():
    cuprum.set_option("copy_on_write", True)
    s1 = Series([1, 2, 3])
    s2 = s1.copy(deep=False)
    first = address(s1)
    assert s1.data.get_ptr(mode="read") == first == s2.data.get_ptr(mode="read")
    written = s2.data.get_ptr(mode="write")
    assert written != first and address(s2) == written and address(s1) == first
    assert s1.data.get_ptr(mode="write") == first, "it is the only one left"
    assert not s1.data.exposed
    with pytest.raises(ValueError, match="`mode` is 'rw'"):
        s1.data.get_ptr(mode="rw")
    with pytest.raises(TypeError):
        s1.data.get_ptr("read")
    cuprum.set_option("copy_on_write", False)
    s1 = Series([1, 2, 3])
    s2 = s1.copy(deep=False)
    assert s2.data.get_ptr(mode="write") == s1.data.get_ptr(mode="read")


def test_a_buffer_of_a_series_that_has_changed_is_alone():
    cuprum.set_option("copy_on_write", True)
    series = Series([1, 2, 3])
    buffer, part = series.data, series[:]
    series[0] = 9
    assert buffer.get_ptr(mode="write") not in (address(series), address(part))
    assert part.to_list() == [1, 2, 3] and series.to_list() == [9, 2, 3]
    assert np.frombuffer(buffer.memoryview(), "int64").tolist() == [1, 2, 3]


@pytest.mark.host
def test_buffers(mode):
    series = Series([1, 2, 3], dtype="int16")
    data = series.data
    assert isinstance(data, Buffer) and data.size == data.nbytes == len(data) == 6
    part = data[2:6]
    assert part.size == 4 and part._ptr == data._ptr + 2 and part.owner == data.owner
    assert np.frombuffer(part.memoryview(), "int16").tolist() == [2, 3]
    assert series[1:].data._ptr == part._ptr and series[1:].data.size == 4
    assert data.owner.ptr == data.owner._ptr == data._ptr and data.owner.size >= 6
    assert hash(part.owner) == hash(data.owner) and not data.owner.exposed
    assert "size=6" in repr(data) and "exposed=False" in repr(data)
    assert data.copy().owner != data.owner and data.copy(deep=False).owner == data.owner
    data.mark_exposed()
    assert data.exposed and data.owner.exposed and part.exposed
    assert (data.copy(deep=False).owner == data.owner) == (not mode)
    with pytest.raises(ValueError, match="step 2"):
        data[::2]
    with pytest.raises(AttributeError):
        data.__cuda_array_interface__
    other = series.copy(deep=False).data
    other.make_single_owner_inplace()
    assert (other.owner != series.data.owner) == mode, "without copy-on-write they own it together"


def test_single_owner():
    series = Series([1, 2, 3])
    part = series[:]
    series.data.make_single_owner_inplace()
    assert address(series) != address(part)
    first = address(series)
    series.data.make_single_owner_inplace()
    assert address(series) == first


@pytest.mark.parametrize(
    "obj",
    [b"abcd", bytearray(b"abcd"), memoryview(b"abcd"), np.frombuffer(b"abcd", "u1"), pa.py_buffer(b"abcd")],
)
def test_as_buffer(obj):
    buffer = as_buffer(obj)
    assert buffer.size == 4 and buffer.memoryview().tobytes() == b"abcd" and not buffer.exposed
    assert as_buffer(buffer) is buffer
    assert as_buffer(obj, exposed=True).exposed


def test_as_buffer_of_interfaces():
    class Wrapped:
        __array_interface__ = np.arange(3, dtype="int32").__array_interface__

    keep = np.arange(3, dtype="int32")
    Wrapped.__array_interface__ = keep.__array_interface__
    assert np.frombuffer(as_buffer(Wrapped()).memoryview(), "int32").tolist() == [0, 1, 2]
    assert as_buffer(b"").size == 0
    with pytest.raises(TypeError, match="`obj` must be"):
        as_buffer(5)


def test_buffers_of_other_types():
    assert Series(["ab", "c"]).data.memoryview().tobytes() == b"abc"
    assert Index(["ab", "c"]).data.memoryview().tobytes() == b"abc"
    assert cuprum.RangeIndex(2).data.size == 16
    with pytest.raises(NotImplementedError):
        cuprum.MultiIndex.from_arrays([[1], [2]]).data
    series = Series(["ab", "c"])
    other = series.copy(deep=False)
    assert other.data.get_ptr(mode="write")
    assert series.to_list() == other.to_list() == ["ab", "c"]
