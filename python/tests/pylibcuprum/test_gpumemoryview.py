"""`gpumemoryview` of buffers, columns and other libraries' arrays."""

import gc
import weakref

import numpy as np
import pytest
from devices import every_device, on

from cuprum import rmm
from pylibcuprum import Column, gpumemoryview


def buffer(device, data):
    return rmm.DeviceBuffer.to_device(data, rmm.Stream(device))


@every_device
def test_a_view_shares_the_memory_of_a_buffer(device):
    owner = buffer(device, b"0123456789")
    view = gpumemoryview(owner)
    assert (len(view), view.size, view.nbytes) == (10, 10, 10)
    assert view.ptr == owner.ptr
    assert view.obj is owner
    assert str(view.device) == device
    part = view.byte_slice(slice(2, -2))
    assert (part.ptr, len(part)) == (view.ptr + 2, 6)
    assert part.obj is view
    assert len(view.byte_slice(slice(8, 3))) == 0
    assert len(gpumemoryview(view)) == 10
    with pytest.raises(ValueError, match="step 2"):
        view.byte_slice(slice(None, None, 2))


@every_device
def test_a_shared_buffer_cannot_be_changed(device):
    owner = buffer(device, b"abc")
    owner.fill(7)
    view = gpumemoryview(owner)
    for change in (
        lambda: owner.fill(0),
        lambda: owner.resize(100),
        lambda: owner.reserve(100),
        lambda: owner.copy_from_host(b"xyz"),
    ):
        with pytest.raises(ValueError, match="shared"):
            change()
    assert owner.tobytes() == b"\7\7\7" and owner.capacity() >= 3 and owner.size == 3
    free = owner.copy()
    free.fill(1)
    assert free.tobytes() == b"\1\1\1" and owner.tobytes() == b"\7\7\7"
    assert len(view) == 3


def test_numpy_reads_host_memory_and_keeps_it():
    view = gpumemoryview(buffer("cpu", bytes(range(100))))
    array = np.asarray(view)
    assert array.tolist() == list(range(100))
    assert not array.flags.writeable
    del view
    gc.collect()
    assert array[99] == 99


@every_device
def test_only_memory_of_a_real_gpu_has_a_cuda_interface(device):
    view = gpumemoryview(buffer(device, b"abc"))
    assert not hasattr(view, "__cuda_array_interface__")
    assert hasattr(view, "__array_interface__") == (device == "cpu")
    with pytest.raises(AttributeError, match=device):
        view.cai


@pytest.mark.host
@every_device
def test_data_and_mask_of_a_column(device):
    column = on(device, Column.from_iterable_of_py([1, None, 3]))
    data, mask = column.data(), column.null_mask()
    assert len(data) == 24 and str(data.device) == device
    back = Column(column.type(), 3, data, mask, 1, 0, [])
    assert back.to_pylist() == [1, None, 3]
    assert back.data().ptr == data.ptr


@pytest.mark.parametrize("wrong", [None, 3, "abc", b"abc", [1], np.arange(3)])
def test_what_cannot_be_viewed(wrong):
    with pytest.raises(TypeError, match="`data`"):
        gpumemoryview(wrong)


class Array:
    """An object that says it is an array on a GPU."""

    def __init__(self, **change):
        array = np.arange(4)
        self.array = array
        self.__cuda_array_interface__ = {
            "shape": (4,),
            "typestr": "<i8",
            "data": (array.ctypes.data, False),
            "version": 3,
            **change,
        }


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"version": 1}, ValueError, "version 1"),
        ({"version": None}, ValueError, "'version'"),
        ({"typestr": ">i8"}, ValueError, "byte order"),
        ({"typestr": "<c16"}, TypeError, "<c16"),
        ({"typestr": "é"}, TypeError, None),
        ({"typestr": ""}, TypeError, None),
        ({"shape": (2**62, 4)}, ValueError, "too large"),
        ({"shape": (-1,)}, (OverflowError, ValueError), None),
        ({"shape": None}, ValueError, "'shape'"),
        ({"strides": (16,)}, ValueError, "strides"),
        ({"strides": (8, 8)}, ValueError, "strides"),
        ({"data": (0, False)}, ValueError, "address"),
        ({"data": (3, False)}, ValueError, "address"),
        ({"data": None}, ValueError, "'data'"),
        ({"stream": 0}, ValueError, "stream 0"),
    ],
)
def test_interfaces_that_make_no_sense(change, error, message):
    with pytest.raises(error, match=message):
        gpumemoryview(Array(**change))


def test_the_owner_lives_as_long_as_its_memory_is_used():
    from cuprum import _cuprum

    source = on("emulator", Column.from_iterable_of_py(range(1000)))
    owner = Array(**_cuprum._device_interface(source))
    owner.source = source
    alive = weakref.ref(owner)
    column = _cuprum._column_from_device_interface(owner, "emulator")
    part = column.slice(10, 5)
    del owner, source, column
    gc.collect()
    assert alive() is not None
    assert part.to_pylist() == list(range(10, 15))
    del part
    gc.collect()
    assert alive() is None
