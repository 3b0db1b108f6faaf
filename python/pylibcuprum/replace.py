"""Replacing nulls and values."""

from __future__ import annotations

from enum import IntEnum

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _values as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["ReplacePolicy", "clamp", "find_and_replace_all", "normalize_nans_and_zeros", "replace_nulls"]


class ReplacePolicy(IntEnum):
    """The neighbour that stands in for a null."""

    PRECEDING = 0
    """The last value before it."""
    FOLLOWING = 1
    """The next value behind it."""


def replace_nulls(
    source_column: Column,
    replacement: Column | Scalar | ReplacePolicy,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column with its nulls replaced by a value, by those of another column, or by a neighbour.

    Parameters
    ----------
    source_column : Column
        Column with nulls; NaN is a value.
    replacement : Scalar, Column or ReplacePolicy
        Value for all nulls, a column whose row stands in for a null, or ``PRECEDING`` or ``FOLLOWING`` for
        the next value before or behind.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows. A null without such a neighbour stays null.

    Raises
    ------
    TypeError
        Where the replacement is of another type.
    RuntimeError
        Where a column of replacements has another number of rows.

    Examples
    --------
    >>> replace_nulls(Column.from_iterable_of_py([1, None, 3]), ReplacePolicy.PRECEDING).to_pylist()
    [1, 1, 3]

    >>> replace_nulls(Column.from_iterable_of_py([1, None, 3]), Scalar.from_py(0)).to_pylist()
    [1, 0, 3]
    """
    if isinstance(replacement, (Column, Scalar)):
        return _rust.replace_nulls(source_column, replacement, stream, mr)
    return _rust.replace_nulls_by_policy(source_column, replacement, stream, mr)


def find_and_replace_all(
    source_column: Column,
    values_to_replace: Column,
    replacement_values: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column with some values replaced by others.

    Parameters
    ----------
    source_column : Column
        Column whose values are looked up.
    values_to_replace : Column
        Values that are replaced; of equal ones the first counts. A null stands for nulls.
    replacement_values : Column
        Value for each of ``values_to_replace``; it may be null.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows; values that are not looked for stay.

    Raises
    ------
    TypeError
        Unless all three columns are of one type.
    ValueError
        For another number of replacements than of values.

    Examples
    --------
    >>> old, new = Column.from_iterable_of_py([1, None]), Column.from_iterable_of_py([10, 0])
    >>> find_and_replace_all(Column.from_iterable_of_py([1, 2, None]), old, new).to_pylist()
    [10, 2, 0]
    """
    return _rust.find_and_replace_all(source_column, values_to_replace, replacement_values, stream, mr)


def clamp(
    source_column: Column,
    lo: Scalar,
    hi: Scalar,
    lo_replace: Scalar | None = None,
    hi_replace: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a column with the values outside of two bounds replaced.

    Parameters
    ----------
    source_column : Column
        Column whose values are compared.
    lo : Scalar
        Lower bound, of the type of the column; null for none.
    hi : Scalar
        Upper bound, of the type of the column; null for none.
    lo_replace : Scalar, optional
        What replaces values below ``lo``; ``lo`` itself by default.
    hi_replace : Scalar, optional
        What replaces values above ``hi``; ``hi`` itself by default.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows. NaN and nulls stay.

    Raises
    ------
    TypeError
        Where a bound is of another type.

    Examples
    --------
    >>> numbers, lo, hi = Column.from_iterable_of_py([1, 5, None, 9]), Scalar.from_py(2), Scalar.from_py(8)
    >>> clamp(numbers, lo, hi).to_pylist()
    [2, 5, None, 8]

    >>> clamp(numbers, lo, hi, Scalar.from_py(0), Scalar.from_py(100)).to_pylist()
    [0, 5, None, 100]
    """
    return _rust.clamp(source_column, lo, hi, lo_replace, hi_replace, stream, mr)


def normalize_nans_and_zeros(
    source_column: Column,
    inplace: bool = False,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return floats with one kind of NaN and with 0.0 in place of -0.0.

    Parameters
    ----------
    source_column : Column
        Column of floats.
    inplace : bool, default False
        True is refused, as columns do not change.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many rows; nulls stay.

    Raises
    ------
    ValueError
        For ``inplace``.
    TypeError
        For a column that is not of floats.

    Examples
    --------
    >>> normalize_nans_and_zeros(Column.from_iterable_of_py([-0.0, float("nan"), None])).to_pylist()
    [0.0, nan, None]
    """
    if inplace:
        raise ValueError("`inplace` is True; columns do not change")
    return _rust.normalize_nans_and_zeros(source_column, stream, mr)
