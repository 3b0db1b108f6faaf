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
    """Return the null mask of a column as a buffer of its own, with the first row at bit 0.

    Parameters
    ----------
    col : Column
        Column whose mask is copied; it may be a slice of another one.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    DeviceBuffer
        One bit for each row, 1 for valid; empty for a column without a mask.

    Examples
    --------
    >>> copy_bitmask(Column.from_iterable_of_py([1, None, 3])).tobytes()[:2]
    b'\\x05\\x00'

    >>> copy_bitmask(Column.from_iterable_of_py([1, 2])).size
    0
    """
    return _rust.copy_bitmask(col, stream, mr)


def copy_bitmask_from_bitmask(
    bitmask: Span,
    begin_bit: int,
    end_bit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> DeviceBuffer:
    """Return a range of the bits of a null mask as a buffer of its own.

    Parameters
    ----------
    bitmask : Span
        Buffer of a mask: a gpumemoryview, a DeviceBuffer or another object with ``ptr`` and ``size``.
    begin_bit : int
        First bit, which becomes bit 0 of the result.
    end_bit : int
        Bit behind the last one.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    DeviceBuffer
        The bits from ``begin_bit`` up to ``end_bit``.

    Raises
    ------
    ValueError
        Where the range ends before it begins.
    IndexError
        Where the range leaves the mask.

    Examples
    --------
    >>> mask = DeviceBuffer.to_device(bytes([0b11010]))
    >>> copy_bitmask_from_bitmask(mask, 1, 5).tobytes()[0]
    13
    """
    return _rust.copy_bitmask_from_bitmask(bitmask, begin_bit, end_bit, stream, mr)


def bitmask_allocation_size_bytes(number_of_bits: int) -> int:
    """Return how many bytes the mask of a number of rows takes, padding included.

    Parameters
    ----------
    number_of_bits : int
        Number of rows.

    Returns
    -------
    int
        A multiple of 64, the padding of masks.

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
    """Return a new null mask for a number of rows.

    Parameters
    ----------
    size : int
        Number of rows.
    state : MaskState, default MaskState.UNINITIALIZED
        ``ALL_VALID`` and ``ALL_NULL`` set all bits alike, ``UNINITIALIZED`` leaves them to chance,
        ``UNALLOCATED`` gives an empty buffer.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    DeviceBuffer
        One bit for each row, 1 for valid.

    Examples
    --------
    >>> create_null_mask(3, MaskState.ALL_VALID).tobytes()[0]
    7

    >>> create_null_mask(3, MaskState.UNALLOCATED).size
    0
    """
    return _rust.create_null_mask(size, MaskState(state), stream, mr)


def bitmask_and(
    columns: Sequence[Column], stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> tuple[DeviceBuffer, int]:
    """Return the mask of the rows that are valid in every column, and the number of the other rows.

    Parameters
    ----------
    columns : sequence of Column
        Columns of one length.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of DeviceBuffer and int
        The mask, empty where no column has one, and the number of rows that are null in it.

    Raises
    ------
    ValueError
        Where columns differ in length.

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
    """Return the mask of the rows that are valid in at least one column, and the number of the other rows.

    Parameters
    ----------
    columns : sequence of Column
        Columns of one length.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of DeviceBuffer and int
        The mask, empty where a column has none and so is all valid, and the number of rows that are null in
        it.

    Raises
    ------
    ValueError
        Where columns differ in length.

    Examples
    --------
    >>> a, b = Column.from_iterable_of_py([1, None, 3]), Column.from_iterable_of_py([None, None, 6])
    >>> mask, nulls = bitmask_or([a, b])
    >>> mask.tobytes()[0], nulls
    (5, 1)
    """
    return _rust.bitmask_or(columns, stream, mr)


def null_count(bitmask: Span, start: int, stop: int, stream: CudaStreamLike | None = None) -> int:
    """Return the number of null rows in a range of a mask.

    Parameters
    ----------
    bitmask : Span
        Buffer of a mask: a gpumemoryview, a DeviceBuffer or another object with ``ptr`` and ``size``.
    start : int
        First bit of the range.
    stop : int
        Bit behind the range.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    int
        Number of bits that are 0.

    Raises
    ------
    ValueError
        Where the range ends before it begins.
    IndexError
        Where the range leaves the mask.

    Examples
    --------
    >>> null_count(create_null_mask(10, MaskState.ALL_NULL), 2, 10)
    8
    """
    return _rust.null_count(bitmask, start, stop, stream)


def index_of_first_set_bit(bitmask: Span, start: int, stop: int, stream: CudaStreamLike | None = None) -> int:
    """Return the position of the first valid row in a range of a mask.

    Parameters
    ----------
    bitmask : Span
        Buffer of a mask: a gpumemoryview, a DeviceBuffer or another object with ``ptr`` and ``size``.
    start : int
        First bit of the range.
    stop : int
        Bit behind the range.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.

    Returns
    -------
    int
        Position of the first bit that is 1, counted from ``start``; the length of the range where there is
        none.

    Raises
    ------
    ValueError
        Where the range ends before it begins.
    IndexError
        Where the range leaves the mask.

    Examples
    --------
    >>> index_of_first_set_bit(DeviceBuffer.to_device(bytes([0b10010])), 2, 8)
    2

    >>> index_of_first_set_bit(DeviceBuffer.to_device(bytes([0b10010])), 5, 8)
    3
    """
    return _rust.index_of_first_set_bit(bitmask, start, stop, stream)
