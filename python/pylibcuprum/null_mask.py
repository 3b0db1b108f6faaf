"""Masks: validity bits, 1 for valid, least significant first, in buffers padded to 64 bytes.

Bits are counted from the first of the buffer. An empty buffer stands for "nothing is null". Masks are
made where their inputs are; ``mr`` and ``stream`` are of that device.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceBuffer, DeviceMemoryResource
from cuprum._cuprum import _null_mask as _rust
from pylibcuprum.types import MaskState
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from pylibcuprum.span import Span

__all__ = [
    "bitmask_allocation_size_bytes",
    "bitmask_and",
    "bitmask_or",
    "copy_bitmask",
    "copy_bitmask_from_bitmask",
    "create_null_mask",
    "index_of_first_set_bit",
    "null_count",
]


def copy_bitmask(
    col: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> DeviceBuffer:
    """Return the validity of the rows of ``col`` from bit 0 on; empty where it has no mask.

    Examples
    --------
    >>> copy_bitmask(Column.from_iterable_of_py([1, None, 3])).tobytes()[:2]
    b'\\x05\\x00'
    """
    return _rust.copy_bitmask(col, stream, mr)


def copy_bitmask_from_bitmask(
    bitmask: Span,
    begin_bit: int,
    end_bit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> DeviceBuffer:
    """Return the bits from ``begin_bit`` up to ``end_bit``, which become bits 0 and on.

    Raises
    ------
    ValueError
        Where the range ends before it begins.
    IndexError
        Where it leaves the mask.

    Examples
    --------
    >>> mask = DeviceBuffer.to_device(bytes([0b11010]))
    >>> copy_bitmask_from_bitmask(mask, 1, 5).tobytes()[0]
    13
    """
    return _rust.copy_bitmask_from_bitmask(bitmask, begin_bit, end_bit, stream, mr)


def bitmask_allocation_size_bytes(number_of_bits: int) -> int:
    """Return the bytes of a mask of so many bits, padding included.

    Examples
    --------
    >>> bitmask_allocation_size_bytes(1), bitmask_allocation_size_bytes(513)
    (64, 128)
    """
    return _rust.bitmask_allocation_size_bytes(number_of_bits)


def create_null_mask(
    size: int,
    state: MaskState = MaskState.UNINITIALIZED,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> DeviceBuffer:
    """Return a mask of ``size`` bits; an uninitialized one is not to be relied on, UNALLOCATED is empty.

    Examples
    --------
    >>> create_null_mask(3, MaskState.ALL_VALID).tobytes()[0]
    7
    """
    return _rust.create_null_mask(size, MaskState(state), stream, mr)


def bitmask_and(
    columns: Sequence[Column], stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> tuple[DeviceBuffer, int]:
    """Return the mask of the rows that are valid in every column, and the number of the others.

    The columns have one length (ValueError otherwise). Where none has a mask the result is empty.

    Examples
    --------
    >>> a, b = Column.from_iterable_of_py([1, None, 3]), Column.from_iterable_of_py([None, None, 6])
    >>> mask, nulls = bitmask_and([a, b])
    >>> mask.tobytes()[0], nulls
    (4, 2)
    """
    return _rust.bitmask_and(columns, stream, mr)


def bitmask_or(
    columns: Sequence[Column], stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> tuple[DeviceBuffer, int]:
    """Return the mask of the rows that are valid in any column, and the number of the others.

    The columns have one length (ValueError otherwise). Where one has no mask, and so is all valid, the
    mask is empty.

    Examples
    --------
    >>> a, b = Column.from_iterable_of_py([1, None, 3]), Column.from_iterable_of_py([None, None, 6])
    >>> mask, nulls = bitmask_or([a, b])
    >>> mask.tobytes()[0], nulls
    (5, 1)
    """
    return _rust.bitmask_or(columns, stream, mr)


def null_count(bitmask: Span, start: int, stop: int, stream: CudaStreamLike | None = None) -> int:
    """Return the number of 0 bits from ``start`` up to ``stop``.

    Raises
    ------
    ValueError
        Where the range ends before it begins.
    IndexError
        Where it leaves the mask.

    Examples
    --------
    >>> null_count(create_null_mask(10, MaskState.ALL_NULL), 2, 10)
    8
    """
    return _rust.null_count(bitmask, start, stop, stream)


def index_of_first_set_bit(bitmask: Span, start: int, stop: int, stream: CudaStreamLike | None = None) -> int:
    """Return where from ``start`` on the first 1 bit is, counted from ``start``; the length for none.

    Raises
    ------
    ValueError
        Where the range ends before it begins.
    IndexError
        Where it leaves the mask.

    Examples
    --------
    >>> index_of_first_set_bit(DeviceBuffer.to_device(bytes([0b10010])), 2, 8)
    2
    """
    return _rust.index_of_first_set_bit(bitmask, start, stop, stream)
