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
    """Return a mask that is valid where floats are neither null nor NaN, and how many rows are not.

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
    """Return a mask that is valid where truth values are true, and how many rows are false or null.

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
    """Return the bits from ``begin_bit`` up to ``end_bit`` as truth values.

    ``bitmask`` is a gpumemoryview, a DeviceBuffer or an object with ``__cuda_array_interface__``; an address,
    which pylibcudf takes, is a TypeError: it does not say where its memory ends.

    Examples
    --------
    >>> mask_to_bools(bools_to_mask(Column.from_iterable_of_py([True, False, True]))[0], 1, 3).to_pylist()
    [False, True]
    """
    return _masks.mask_to_bools(bitmask, begin_bit, end_bit, stream, mr)


def column_nans_to_nulls(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return floats with null where they are NaN; other types are a TypeError."""
    return _rust.column_nans_to_nulls(input, stream, mr)


def compute_column(
    input: TableLike,
    expr: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the column of a formula over the columns of a table."""
    return _rust.compute_column(input, expr, stream, mr)


def compute_column_jit(
    input: TableLike,
    expr: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what `compute_column` does: formulas are compiled in any case."""
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

    ``transform_udf`` is the text of the function, the last one in it that is marked ``__device__``. It returns
    nothing; its first parameter is a pointer to its value, the others are an element of each column: numbers,
    truth values, or the integers that times are stored as. Rows with a null are null, and it is not called for
    them. The text is run as a part of the program: do not run what others wrote.

    Columns of the host are computed with by the emulator on one thread, which takes a C++ compiler.

    Raises
    ------
    NotImplementedError
        For PTX (``is_ptx``), functions that see nulls (``null_aware``), and, where an input has nulls, results
        without (``null_policy`` ALL_VALID).
    ValueError
        Where the text has no such function.
    TypeError
        For texts, decimals and nested types.
    RuntimeError
        With the compiler's message, where the text does not compile or there is no compiler.

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
    """Return the distinct rows, sorted with nulls last, and for each row the number of its own (INT32).

    Examples
    --------
    >>> keys, numbers = encode([Column.from_iterable_of_py(["b", "a", "b"])])
    >>> keys.columns()[0].to_pylist(), numbers.to_pylist()
    (['a', 'b'], [1, 0, 1])
    """
    return _rust.encode(input, stream, mr)


def one_hot_encode(
    input: Column,
    categories: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return for each category a column that says which rows are equal to it; null equals null."""
    return _rust.one_hot_encode(input, categories, stream, mr)
