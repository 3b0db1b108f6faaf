"""One column in, one column out, element by element. Nulls stay null."""

from __future__ import annotations

from enum import IntEnum

from cuprum._cuprum import Column, DataType, DeviceMemoryResource
from cuprum._cuprum import _elementwise as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "UnaryOperator",
    "bit_cast",
    "cast",
    "is_nan",
    "is_not_nan",
    "is_null",
    "is_supported_cast",
    "is_valid",
    "unary_operation",
]


class UnaryOperator(IntEnum):
    """Unary operators."""

    SIN = 0
    COS = 1
    TAN = 2
    ARCSIN = 3
    ARCCOS = 4
    ARCTAN = 5
    SINH = 6
    COSH = 7
    TANH = 8
    ARCSINH = 9
    ARCCOSH = 10
    ARCTANH = 11
    EXP = 12
    LOG = 13
    SQRT = 14
    CBRT = 15
    CEIL = 16
    FLOOR = 17
    ABS = 18
    RINT = 19
    BIT_COUNT = 20
    BIT_INVERT = 21
    NOT = 22
    NEGATE = 23


def unary_operation(
    input: Column,
    op: UnaryOperator,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the result of an operator for each element.

    Parameters
    ----------
    input : Column
        Operands.
    op : UnaryOperator
        The operator.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows, null for nulls. Functions of circles, exponentials and roots give FLOAT64 for integers
        and the type of floats.

    Raises
    ------
    TypeError
        For a type that the operator does not take.
    NotImplementedError
        For ``BIT_COUNT``.

    Examples
    --------
    >>> unary_operation(Column.from_iterable_of_py([4.0, None]), UnaryOperator.SQRT).to_pylist()
    [2.0, None]

    >>> unary_operation(Column.from_iterable_of_py([True, False]), UnaryOperator.NOT).to_pylist()
    [False, True]
    """
    return _rust.unary_operation(input, op, stream, mr)


def is_null(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each element is null.

    Parameters
    ----------
    input : Column
        Elements of any type.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8 without nulls. NaN is not null.

    Examples
    --------
    >>> is_null(Column.from_iterable_of_py([1.5, None, float("nan")])).to_pylist()
    [False, True, False]
    """
    return _rust.is_null(input, stream, mr)


def is_valid(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each element is not null.

    Parameters
    ----------
    input : Column
        Elements of any type.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8 without nulls. NaN is not null.

    Examples
    --------
    >>> is_valid(Column.from_iterable_of_py([1.5, None, float("nan")])).to_pylist()
    [True, False, True]
    """
    return _rust.is_valid(input, stream, mr)


def cast(
    input: Column,
    data_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column with its values in another type.

    Parameters
    ----------
    input : Column
        Numbers, booleans, decimals, timestamps or durations.
    data_type : DataType
        Type of the result.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows, null for nulls. Floats lose their fraction, times are rounded down.

    Raises
    ------
    OverflowError
        For a value that the type does not hold.
    ValueError
        For NaN and infinities as integers.
    TypeError
        For types between which there is no cast; text is for `pylibcuprum.strings.convert`.

    Examples
    --------
    >>> from pylibcuprum import TypeId
    >>> cast(Column.from_iterable_of_py([1.9, -1.9, None]), DataType(TypeId.INT8)).to_pylist()
    [1, -1, None]
    """
    return _rust.cast(input, data_type, stream, mr)


def bit_cast(
    input: Column,
    data_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column whose memory is read as another type of the same width.

    Parameters
    ----------
    input : Column
        Column of a fixed-width type.
    data_type : DataType
        Type of the same number of bytes.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows, null for nulls.

    Raises
    ------
    TypeError
        For types of other widths and for those without one; see ``traits.is_bit_castable``.

    Examples
    --------
    >>> from pylibcuprum import TypeId
    >>> bit_cast(Column.from_iterable_of_py([1.0]), DataType(TypeId.INT64)).to_pylist()
    [4607182418800017408]
    """
    return _rust.bit_cast(input, data_type, stream, mr)


def is_nan(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each float is NaN.

    Parameters
    ----------
    input : Column
        Floats.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8 without nulls; false for nulls.

    Raises
    ------
    TypeError
        For a column that is not of floats.

    Examples
    --------
    >>> is_nan(Column.from_iterable_of_py([1.5, None, float("nan")])).to_pylist()
    [False, False, True]
    """
    return _rust.is_nan(input, stream, mr)


def is_not_nan(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each float is not NaN.

    Parameters
    ----------
    input : Column
        Floats.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8 without nulls; true for nulls.

    Raises
    ------
    TypeError
        For a column that is not of floats.

    Examples
    --------
    >>> is_not_nan(Column.from_iterable_of_py([1.5, None, float("nan")])).to_pylist()
    [True, True, False]
    """
    return _rust.is_not_nan(input, stream, mr)


def is_supported_cast(from_: DataType, to: DataType) -> bool:
    """Return whether `cast` goes from one type to another.

    Parameters
    ----------
    from_ : DataType
        Type of the column.
    to : DataType
        Type of the result.

    Returns
    -------
    bool
        False where `cast` raises TypeError. Values may be out of range all the same.

    Examples
    --------
    >>> from pylibcuprum import TypeId
    >>> number, text = DataType(TypeId.INT64), DataType(TypeId.STRING)
    >>> is_supported_cast(number, DataType(TypeId.BOOL8)), is_supported_cast(number, text)
    (True, False)
    """
    return _rust.is_supported_cast(from_, to)
