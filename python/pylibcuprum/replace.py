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
    """Return the column with nulls replaced by a scalar, by the rows of a column, or by a neighbour.

    NaN is a value. Nulls without such a neighbour stay.

    Examples
    --------
    >>> replace_nulls(Column.from_iterable_of_py([1, None, 3]), ReplacePolicy.PRECEDING).to_pylist()
    [1, 1, 3]
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
    """Return the column with every value of ``values_to_replace`` replaced by the one beside it.

    Of equal values the first counts.

    Raises
    ------
    TypeError
        Unless all three columns are of one type.
    ValueError
        For another number of replacements than of values.
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
    """Return the column with values below ``lo`` replaced by ``lo_replace`` and above ``hi`` by ``hi_replace``.

    Those are the bounds where they are not given. A null bound is none. NaN and nulls stay.
    """
    return _rust.clamp(source_column, lo, hi, lo_replace, hi_replace, stream, mr)


def normalize_nans_and_zeros(
    source_column: Column,
    inplace: bool = False,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return floats with one NaN and without -0.0.

    Raises
    ------
    ValueError
        For ``inplace``: columns do not change.
    """
    if inplace:
        raise ValueError("`inplace` is True; columns do not change")
    return _rust.normalize_nans_and_zeros(source_column, stream, mr)
