"""Masks of their own, against NumPy's bits."""

import numpy as np
import pytest
from devices import every_device, on
from hypothesis import given
from hypothesis import strategies as st

from cuprum import rmm
from pylibcuprum import Column, null_mask
from pylibcuprum.types import MaskState

SIZES = [0, 1, 31, 32, 33, 63, 64, 65, 511, 512, 513]


def bits(buffer, count):
    return np.unpackbits(np.frombuffer(buffer.tobytes(), "u1"), bitorder="little")[:count].tolist()


def packed(flags, device):
    data = np.packbits(np.array(flags, "u1"), bitorder="little").tobytes()
    return rmm.DeviceBuffer.to_device(data, rmm.Stream(device))


def column(flags, device):
    return on(device, Column.from_iterable_of_py([1 if flag else None for flag in flags], "int8"))


@pytest.mark.parametrize("size", SIZES)
@every_device
def test_new_masks(size, device):
    stream = rmm.Stream(device)
    for state, bit in ((MaskState.ALL_VALID, 1), (MaskState.ALL_NULL, 0)):
        mask = null_mask.create_null_mask(size, state, stream)
        assert mask.size == null_mask.bitmask_allocation_size_bytes(size)
        assert str(mask.device) == device
        assert bits(mask, size) == [bit] * size
    assert null_mask.create_null_mask(size, MaskState.UNALLOCATED, stream).size == 0
    assert null_mask.create_null_mask(size, stream=stream).size == null_mask.bitmask_allocation_size_bytes(
        size
    )


@pytest.mark.host
@every_device
@given(flags=st.lists(st.booleans(), max_size=140), data=st.data())
def test_parts_of_masks(device, flags, data):
    start = data.draw(st.integers(0, len(flags)))
    stop = data.draw(st.integers(start, len(flags)))
    mask, part = packed(flags, device), flags[start:stop]
    assert bits(null_mask.copy_bitmask_from_bitmask(mask, start, stop), len(part)) == part
    assert null_mask.null_count(mask, start, stop) == part.count(False)
    first = part.index(True) if True in part else len(part)
    assert null_mask.index_of_first_set_bit(mask, start, stop) == first
    rows = column(flags, device).slice(start, len(part))
    copied = null_mask.copy_bitmask(rows)
    assert bits(copied, len(part)) == part if copied.size else all(part)
    assert str(copied.device) == device


@every_device
@given(rows=st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), max_size=140))
def test_masks_combined(device, rows):
    columns = [column(flags, device) for flags in zip(*rows, strict=True)]
    for function, combine in ((null_mask.bitmask_and, all), (null_mask.bitmask_or, any)):
        mask, nulls = function(columns)
        expected = [combine(row) for row in rows]
        assert nulls == expected.count(False)
        assert bits(mask, len(rows)) == expected if mask.size else all(expected)
    assert null_mask.bitmask_and([])[1] == 0


def test_ranges_and_lengths_are_checked():
    mask = packed([True] * 8, "cpu")
    for function in (
        null_mask.null_count,
        null_mask.index_of_first_set_bit,
        null_mask.copy_bitmask_from_bitmask,
    ):
        with pytest.raises(ValueError, match="bits 3 to 2"):
            function(mask, 3, 2)
        with pytest.raises(IndexError, match=r"bits \[0, 9\) of a mask of 8 bits"):
            function(mask, 0, 9)
        with pytest.raises(OverflowError):
            function(mask, -1, 2)
        with pytest.raises(TypeError, match="`bitmask`"):
            function(b"abc", 0, 1)
    with pytest.raises(ValueError, match="column 0 has 2 rows, column 1 has 1"):
        null_mask.bitmask_and([column([True, False], "cpu"), column([True], "cpu")])
    with pytest.raises(ValueError, match="5"):
        null_mask.create_null_mask(3, 5)
    with pytest.raises(MemoryError, match="cannot allocate"):
        null_mask.create_null_mask(2**62, MaskState.ALL_NULL)
