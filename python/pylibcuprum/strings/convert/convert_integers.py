"""Texts and integers. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DataType, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "from_integers",
    "hex_to_integers",
    "integers_to_hex",
    "is_hex",
    "is_integer",
    "to_integers",
]


def to_integers(
    input: Column,
    output_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the integers that texts say.

    Parameters
    ----------
    input : Column
        Texts.
    output_type : DataType
        Integer type of the result.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Integers; null for nulls.

    Raises
    ------
    ValueError
        For a text that is no integer.
    OverflowError
        For a number that the type does not hold.
    TypeError
        For a type that is no integer.

    Examples
    --------
    >>> from pylibcuprum import TypeId
    >>> to_integers(Column.from_iterable_of_py(["12", "-3", None]), DataType(TypeId.INT32)).to_pylist()
    [12, -3, None]
    """
    return _rust.to_integers(input, output_type, stream, mr)


def from_integers(
    integers: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return integers as texts.

    Parameters
    ----------
    integers : Column
        Integers.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    Raises
    ------
    TypeError
        For a column that is not of integers.

    Examples
    --------
    >>> from_integers(Column.from_iterable_of_py([12, -3, None])).to_pylist()
    ['12', '-3', None]
    """
    return _rust.from_integers(integers, stream, mr)


def is_integer(
    input: Column,
    int_type: DataType | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text is an integer, with white space around it or none.

    Parameters
    ----------
    input : Column
        Texts.
    int_type : DataType, optional
        Integer type that has to hold the number; INT64 by default.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls.

    Examples
    --------
    >>> is_integer(Column.from_iterable_of_py(["12", " 3 ", "1.5", None])).to_pylist()
    [True, True, False, None]

    >>> from pylibcuprum import TypeId
    >>> is_integer(Column.from_iterable_of_py(["12", "300"]), DataType(TypeId.INT8)).to_pylist()
    [True, False]
    """
    return _rust.is_integer(input, int_type, stream, mr)


def hex_to_integers(
    input: Column,
    output_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the integers that hexadecimal digits say, perhaps behind ``0x``.

    Parameters
    ----------
    input : Column
        Texts.
    output_type : DataType
        Integer type of the result.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Integers; null for nulls.

    Raises
    ------
    ValueError
        For a text of anything else.
    OverflowError
        For a number that the type, or 63 bits, do not hold.

    Examples
    --------
    >>> from pylibcuprum import TypeId
    >>> hex_to_integers(Column.from_iterable_of_py(["ff", "0x1F", None]), DataType(TypeId.INT64)).to_pylist()
    [255, 31, None]
    """
    return _rust.hex_to_integers(input, output_type, stream, mr)


def integers_to_hex(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return integers as hexadecimal digits, an even number of them.

    Parameters
    ----------
    input : Column
        Integers.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Texts of digits and upper-case letters; negative ones in two's complement of their type; null for
        nulls.

    Examples
    --------
    >>> integers_to_hex(Column.from_iterable_of_py([255, -1, 0, None])).to_pylist()
    ['FF', 'FFFFFFFFFFFFFFFF', '00', None]
    """
    return _rust.integers_to_hex(input, stream, mr)


def is_hex(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text is hexadecimal digits, perhaps behind ``0x``.

    Parameters
    ----------
    input : Column
        Texts.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls.

    Examples
    --------
    >>> is_hex(Column.from_iterable_of_py(["ff", "0x1F", "g", None])).to_pylist()
    [True, True, False, None]
    """
    return _rust.is_hex(input, stream, mr)
