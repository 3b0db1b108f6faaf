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
    """Return a new column of ``size`` elements of an integer, float or boolean type.

    Parameters
    ----------
    type_ : DataType
        Integer, float or boolean type of the elements.
    size : int
        Number of rows, 0 or more.
    mstate : MaskState
        ``MaskState.ALL_NULL`` makes every row null; with the other states no row is null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Column of zeros, which nobody is to rely on, or of nulls.

    Raises
    ------
    TypeError
        For decimals, times, texts and nested types.
    ValueError
        For a size that is negative or beyond all memory.

    Examples
    --------
    >>> make_numeric_column(DataType(TypeId.INT32), 2, MaskState.ALL_NULL).to_pylist()
    [None, None]

    >>> make_numeric_column(DataType(TypeId.INT32), 2, MaskState.UNALLOCATED).null_count()
    0
    """
    return _make(type_, size, mstate, stream, mr, traits.is_numeric, "an integer, float or boolean type")


def make_fixed_point_column(
    type_: DataType,
    size: int,
    mstate: MaskState,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a new column of ``size`` elements of a decimal type.

    Parameters
    ----------
    type_ : DataType
        Decimal type of the elements, with its scale.
    size : int
        Number of rows, 0 or more.
    mstate : MaskState
        ``MaskState.ALL_NULL`` makes every row null; with the other states no row is null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Column of zeros, which nobody is to rely on, or of nulls.

    Raises
    ------
    TypeError
        For types that are no decimals.
    ValueError
        For a size that is negative or beyond all memory.

    Examples
    --------
    >>> make_fixed_point_column(DataType(TypeId.DECIMAL64), 2, MaskState.ALL_NULL).to_pylist()
    [None, None]

    >>> make_fixed_point_column(DataType(TypeId.DECIMAL64), 2, MaskState.UNALLOCATED).null_count()
    0
    """
    return _make(type_, size, mstate, stream, mr, traits.is_fixed_point, "a decimal type")


def make_timestamp_column(
    type_: DataType,
    size: int,
    mstate: MaskState,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a new column of ``size`` elements of a timestamp type.

    Parameters
    ----------
    type_ : DataType
        Timestamp type of the elements, with its unit.
    size : int
        Number of rows, 0 or more.
    mstate : MaskState
        ``MaskState.ALL_NULL`` makes every row null; with the other states no row is null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Column of zeros, which nobody is to rely on, or of nulls.

    Raises
    ------
    TypeError
        For types that are no timestamps.
    ValueError
        For a size that is negative or beyond all memory.

    Examples
    --------
    >>> make_timestamp_column(DataType(TypeId.TIMESTAMP_DAYS), 2, MaskState.ALL_NULL).to_pylist()
    [None, None]

    >>> make_timestamp_column(DataType(TypeId.TIMESTAMP_DAYS), 2, MaskState.UNALLOCATED).null_count()
    0
    """
    return _make(type_, size, mstate, stream, mr, traits.is_timestamp, "a timestamp type")


def make_duration_column(
    type_: DataType,
    size: int,
    mstate: MaskState,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a new column of ``size`` elements of a duration type.

    Parameters
    ----------
    type_ : DataType
        Duration type of the elements, with its unit.
    size : int
        Number of rows, 0 or more.
    mstate : MaskState
        ``MaskState.ALL_NULL`` makes every row null; with the other states no row is null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Column of zeros, which nobody is to rely on, or of nulls.

    Raises
    ------
    TypeError
        For types that are no durations.
    ValueError
        For a size that is negative or beyond all memory.

    Examples
    --------
    >>> make_duration_column(DataType(TypeId.DURATION_SECONDS), 2, MaskState.ALL_NULL).to_pylist()
    [None, None]

    >>> make_duration_column(DataType(TypeId.DURATION_SECONDS), 2, MaskState.UNALLOCATED).null_count()
    0
    """
    return _make(type_, size, mstate, stream, mr, traits.is_duration, "a duration type")


def make_fixed_width_column(
    type_: DataType,
    size: int,
    mstate: MaskState,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a new column of ``size`` elements of a fixed-width type.

    Parameters
    ----------
    type_ : DataType
        Type of the elements: a number, boolean, decimal, timestamp or duration.
    size : int
        Number of rows, 0 or more.
    mstate : MaskState
        ``MaskState.ALL_NULL`` makes every row null; with the other states no row is null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Column of zeros, which nobody is to rely on, or of nulls.

    Raises
    ------
    TypeError
        For texts, lists, structs and dictionaries.
    ValueError
        For a size that is negative or beyond all memory.

    Examples
    --------
    >>> make_fixed_width_column(DataType(TypeId.BOOL8), 2, MaskState.ALL_NULL).to_pylist()
    [None, None]

    >>> make_fixed_width_column(DataType(TypeId.BOOL8), 2, MaskState.UNALLOCATED).null_count()
    0
    """
    return _make(type_, size, mstate, stream, mr, traits.is_fixed_width, "a fixed-width type")


def make_empty_column(
    type_or_id: DataType | TypeId,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column of a type without rows.

    Parameters
    ----------
    type_or_id : DataType or TypeId
        Type of the elements. Child columns of lists are EMPTY.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect: nothing is allocated.
    mr : DeviceMemoryResource, optional
        Of no effect: nothing is allocated.

    Returns
    -------
    Column
        Column of 0 rows.

    Examples
    --------
    >>> make_empty_column(TypeId.STRING).size()
    0

    >>> make_empty_column(DataType(TypeId.DECIMAL64, -2)).type()
    DataType(TypeId.DECIMAL64, scale=-2)
    """
    data_type = type_or_id if isinstance(type_or_id, DataType) else DataType(type_or_id)
    return _cuprum.make_empty_column(data_type, False)


def make_empty_lists_column(
    child_type: DataType, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return a column of lists of a type without rows.

    Parameters
    ----------
    child_type : DataType
        Type of the elements of the lists.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect: nothing is allocated.
    mr : DeviceMemoryResource, optional
        Of no effect: nothing is allocated.

    Returns
    -------
    Column
        Column of LIST with 0 rows.

    Examples
    --------
    >>> make_empty_lists_column(DataType(TypeId.INT8)).list_view().child().type()
    DataType(TypeId.INT8)

    >>> make_empty_lists_column(DataType(TypeId.STRING)).to_pylist()
    []
    """
    return _cuprum.make_empty_column(child_type, True)
