"""Formulas, functions in CUDA C++, encodings, masks from values, NaN as null."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DataType, DeviceMemoryResource, Table, gpumemoryview
from cuprum._cuprum import _null_mask as _masks
from cuprum._cuprum import _tables as _rust
from pylibcuprum.expressions import Expression
from pylibcuprum.types import NullAware, OutputNullability
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike
    from pylibcuprum.span import Span

__all__ = [
    "bools_to_mask",
    "column_nans_to_nulls",
    "compute_column",
    "compute_column_jit",
    "encode",
    "mask_to_bools",
    "nans_to_nulls",
    "one_hot_encode",
    "transform",
]


def nans_to_nulls(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> tuple[gpumemoryview, int]:
    """Return a null mask in which NaN is null too, and the number of null rows.

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
    tuple of gpumemoryview and int
        Mask that is valid where floats are neither null nor NaN, and how many rows are not.

    Raises
    ------
    TypeError
        For a column that is not of floats.

    See Also
    --------
    column_nans_to_nulls : The column itself.

    Examples
    --------
    >>> mask, nulls = nans_to_nulls(Column.from_iterable_of_py([1.5, float("nan"), 2.5]))
    >>> bytes(mask)[0], nulls
    (5, 1)
    """
    return _rust.nans_to_nulls(input, stream, mr)


def bools_to_mask(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> tuple[gpumemoryview, int]:
    """Return booleans as a null mask, and the number of null rows.

    Parameters
    ----------
    input : Column
        Booleans.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of gpumemoryview and int
        Mask that is valid where booleans are true, and how many rows are false or null.

    Raises
    ------
    TypeError
        For a column that is not of booleans.

    Examples
    --------
    >>> mask, nulls = bools_to_mask(Column.from_iterable_of_py([True, False, True]))
    >>> bytes(mask)[0], nulls
    (5, 1)
    """
    return _rust.bools_to_mask(input, stream, mr)


def mask_to_bools(
    bitmask: Span,
    begin_bit: int,
    end_bit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a range of the bits of a null mask as booleans.

    Parameters
    ----------
    bitmask : Span
        A gpumemoryview, a DeviceBuffer or an object with ``__cuda_array_interface__``.
    begin_bit : int
        First bit.
    end_bit : int
        Bit behind the last one.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, true for 1; without nulls.

    Raises
    ------
    TypeError
        For an address, which pylibcudf takes: it does not say where its memory ends.

    Examples
    --------
    >>> mask_to_bools(bools_to_mask(Column.from_iterable_of_py([True, False, True]))[0], 1, 3).to_pylist()
    [False, True]
    """
    return _masks.mask_to_bools(bitmask, begin_bit, end_bit, stream, mr)


def column_nans_to_nulls(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return floats with null in place of NaN.

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
        As many rows; nulls stay null.

    Raises
    ------
    TypeError
        For a column that is not of floats.

    Examples
    --------
    >>> column_nans_to_nulls(Column.from_iterable_of_py([1.5, float("nan"), None])).to_pylist()
    [1.5, None, None]
    """
    return _rust.column_nans_to_nulls(input, stream, mr)


def compute_column(
    input: TableLike,
    expr: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the result of a formula for each row of a table.

    Parameters
    ----------
    input : Table or sequence of Column
        Columns of the formula.
    expr : Expression
        Formula, see `pylibcuprum.expressions`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows, of the type that the formula gives. Null where an operand is null, but for operators
        whose names begin with ``NULL`` and for ``IS_NULL``.

    Raises
    ------
    TypeError
        For operators that the types do not have.

    Examples
    --------
    >>> from pylibcuprum.expressions import to_expression
    >>> table = [Column.from_iterable_of_py([1, None]), Column.from_iterable_of_py([10, 20])]
    >>> compute_column(table, to_expression("a + 2 * b", ("a", "b"))).to_pylist()
    [21, None]
    """
    return _rust.compute_column(input, expr, stream, mr)


def compute_column_jit(
    input: TableLike,
    expr: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the result of `compute_column`: there is one way to compute formulas.

    Parameters
    ----------
    input : Table or sequence of Column
        Columns of the formula.
    expr : Expression
        Formula, see `pylibcuprum.expressions`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows, of the type that the formula gives.

    Raises
    ------
    TypeError
        For operators that the types do not have.

    Examples
    --------
    >>> from pylibcuprum.expressions import to_expression
    >>> table = [Column.from_iterable_of_py([1, None])]
    >>> compute_column_jit(table, to_expression("a > 0", ("a",))).to_pylist()
    [True, None]
    """
    return _rust.compute_column(input, expr, stream, mr)


def transform(
    inputs: Sequence[Column],
    transform_udf: str,
    output_type: DataType,
    is_ptx: bool,
    null_aware: NullAware = NullAware.NO,
    null_policy: OutputNullability = OutputNullability.PRESERVE,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the values that a function in CUDA C++ makes of the rows of columns.

    Parameters
    ----------
    inputs : sequence of Column
        Columns of numbers, booleans or times, of one length.
    transform_udf : str
        Text of the function, the last one in it that is marked ``__device__``. It returns nothing; its first
        parameter is a pointer to its value, the others are an element of each column: numbers, booleans, or
        the integers that times are stored as.
    output_type : DataType
        Type of the result.
    is_ptx : bool
        Whether the text is PTX, which is refused.
    null_aware : NullAware, default NullAware.NO
        ``YES`` is refused: functions do not see nulls.
    null_policy : OutputNullability, default OutputNullability.PRESERVE
        ``PRESERVE`` makes rows with a null null; ``ALL_VALID`` is taken where no input has nulls.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows. Rows with a null are null, and the function is not called for them.

    Raises
    ------
    NotImplementedError
        For PTX (``is_ptx``), functions that see nulls (``null_aware``), and, where an input has nulls,
        results without (``null_policy`` ALL_VALID).
    ValueError
        Where the text has no such function.
    TypeError
        For texts, decimals and nested types.
    RuntimeError
        With the compiler's message, where the text does not compile or there is no compiler.

    Notes
    -----
    The text is run as a part of the program: do not run what others wrote. Columns of the host are computed
    with by the emulator on one thread, which takes a C++ compiler.

    Examples
    --------
    >>> from pylibcuprum import TypeId
    >>> source = "__device__ void area(double* out, double a, double b) { *out = a * b / 2; }"
    >>> sides = [Column.from_iterable_of_py([3.0, None]), Column.from_iterable_of_py([4.0, 1.0])]
    >>> transform(sides, source, DataType(TypeId.FLOAT64), False).to_pylist()
    [6.0, None]
    """
    if is_ptx:
        raise NotImplementedError("`is_ptx` is true: functions are given in CUDA C++ here")
    if NullAware(null_aware) is NullAware.YES:
        raise NotImplementedError("`null_aware` is YES: functions do not see nulls here")
    inputs = list(inputs)
    if OutputNullability(null_policy) is OutputNullability.ALL_VALID and any(c.null_count() for c in inputs):
        raise NotImplementedError(
            "`null_policy` is ALL_VALID, and `inputs` have nulls, whose rows have no value"
        )
    return _rust.transform(inputs, transform_udf, output_type, stream, mr)


def encode(
    input: TableLike, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> tuple[Table, Column]:
    """Return the distinct rows of a table, and for each row the number of its own among them.

    Parameters
    ----------
    input : Table or sequence of Column
        Rows to encode.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Table and Column
        The distinct rows, sorted with nulls last, and for each row the number (INT32) of its own.

    Examples
    --------
    >>> keys, numbers = encode([Column.from_iterable_of_py(["b", "a", "b"])])
    >>> keys.columns()[0].to_pylist(), numbers.to_pylist()
    (['a', 'b'], [1, 0, 1])

    >>> keys, numbers = encode([Column.from_iterable_of_py(["b", None])])
    >>> keys.columns()[0].to_pylist(), numbers.to_pylist()
    (['b', None], [0, 1])
    """
    return _rust.encode(input, stream, mr)


def one_hot_encode(
    input: Column,
    categories: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return for each category a column that says which rows are equal to it.

    Parameters
    ----------
    input : Column
        Values of any comparable type.
    categories : Column
        Values that are looked for, of the same type; null equals null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        A column of BOOL8 for each category, without nulls.

    Raises
    ------
    TypeError
        Where the columns are of different types.

    Examples
    --------
    >>> letters = Column.from_iterable_of_py(["a", None, "b"])
    >>> categories = Column.from_iterable_of_py(["a", None])
    >>> [column.to_pylist() for column in one_hot_encode(letters, categories).columns()]
    [[True, False, False], [False, True, False]]
    """
    return _rust.one_hot_encode(input, categories, stream, mr)
