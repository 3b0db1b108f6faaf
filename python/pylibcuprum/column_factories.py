"""New columns of a type and a size.

The elements are zeros, which nobody is to rely on. `MaskState.ALL_NULL` makes every one null; the
other states none, as columns keep no mask without nulls. Memory comes from ``mr``, else from the
current resource of the device of ``stream``, else of the CPU.
"""

from __future__ import annotations

from collections.abc import Callable

from cuprum import _cuprum
from cuprum._cuprum import Column, DataType, DeviceMemoryResource
from pylibcuprum import traits
from pylibcuprum.types import MaskState, TypeId
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "make_duration_column",
    "make_empty_column",
    "make_empty_lists_column",
    "make_fixed_point_column",
    "make_fixed_width_column",
    "make_numeric_column",
    "make_timestamp_column",
]


def _make(
    type_: DataType,
    size: int,
    mstate: MaskState,
    stream: CudaStreamLike | None,
    mr: DeviceMemoryResource | None,
    expected: Callable[[DataType], bool],
    what: str,
) -> Column:
    if not expected(type_):
        raise TypeError(f"`type_` is {type_}, not {what}")
    if size < 0:
        raise ValueError(f"`size` is {size}; it cannot be negative")
    return _cuprum.make_column(type_, size, MaskState(mstate) is MaskState.ALL_NULL, stream, mr)


def make_numeric_column(
    type_: DataType,
    size: int,
    mstate: MaskState,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column of ``size`` elements of an integer, float or boolean type.

    Raises
    ------
    TypeError
        For other types.
    ValueError
        For sizes that are negative or beyond all memory.

    Examples
    --------
    >>> make_numeric_column(DataType(TypeId.INT32), 2, MaskState.ALL_NULL).to_pylist()
    [None, None]
    """
    return _make(type_, size, mstate, stream, mr, traits.is_numeric, "an integer, float or boolean type")


def make_fixed_point_column(
    type_: DataType,
    size: int,
    mstate: MaskState,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column of ``size`` elements of a decimal type.

    Raises
    ------
    TypeError
        For other types.
    ValueError
        For sizes that are negative or beyond all memory.

    Examples
    --------
    >>> make_fixed_point_column(DataType(TypeId.DECIMAL64), 2, MaskState.ALL_NULL).to_pylist()
    [None, None]
    """
    return _make(type_, size, mstate, stream, mr, traits.is_fixed_point, "a decimal type")


def make_timestamp_column(
    type_: DataType,
    size: int,
    mstate: MaskState,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column of ``size`` elements of a timestamp type.

    Raises
    ------
    TypeError
        For other types.
    ValueError
        For sizes that are negative or beyond all memory.

    Examples
    --------
    >>> make_timestamp_column(DataType(TypeId.TIMESTAMP_DAYS), 2, MaskState.ALL_NULL).to_pylist()
    [None, None]
    """
    return _make(type_, size, mstate, stream, mr, traits.is_timestamp, "a timestamp type")


def make_duration_column(
    type_: DataType,
    size: int,
    mstate: MaskState,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column of ``size`` elements of a duration type.

    Raises
    ------
    TypeError
        For other types.
    ValueError
        For sizes that are negative or beyond all memory.

    Examples
    --------
    >>> make_duration_column(DataType(TypeId.DURATION_SECONDS), 2, MaskState.ALL_NULL).to_pylist()
    [None, None]
    """
    return _make(type_, size, mstate, stream, mr, traits.is_duration, "a duration type")


def make_fixed_width_column(
    type_: DataType,
    size: int,
    mstate: MaskState,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column of ``size`` elements of a fixed-width type.

    Raises
    ------
    TypeError
        For other types.
    ValueError
        For sizes that are negative or beyond all memory.

    Examples
    --------
    >>> make_fixed_width_column(DataType(TypeId.BOOL8), 2, MaskState.ALL_NULL).to_pylist()
    [None, None]
    """
    return _make(type_, size, mstate, stream, mr, traits.is_fixed_width, "a fixed-width type")


def make_empty_column(
    type_or_id: DataType | TypeId,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column of no rows; inside of nested types is EMPTY.

    Examples
    --------
    >>> make_empty_column(TypeId.STRING).size()
    0
    """
    data_type = type_or_id if isinstance(type_or_id, DataType) else DataType(type_or_id)
    return _cuprum.make_empty_column(data_type, False)


def make_empty_lists_column(
    child_type: DataType, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return a column of no rows of lists of ``child_type``.

    Examples
    --------
    >>> make_empty_lists_column(DataType(TypeId.INT8)).list_view().child().type()
    DataType(TypeId.INT8)
    """
    return _cuprum.make_empty_column(child_type, True)
