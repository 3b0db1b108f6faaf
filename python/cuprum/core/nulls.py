"""Null and NaN apart: counts of nulls, and NaN as null."""

from __future__ import annotations

from typing import Any, Self

from cuprum import _cuprum
from cuprum._cuprum import Column, _tables
from cuprum.core.objects import Wrapper

__all__ = ["CountsNulls", "HasNulls", "without_nan"]


class HasNulls(Wrapper):
    """What frames and series share."""

    __slots__ = ()

    def nans_to_nulls(self) -> Self:
        """Return the elements with NaN as null. Both are missing to every other method.

        Examples
        --------
        >>> import cuprum, numpy
        >>> cuprum.Series(numpy.array([1.0, numpy.nan])).nans_to_nulls().null_count
        1
        """

        return self._wrap(without_nan(self._handle))


def without_nan(handle: Any) -> Any:
    """Return a handle of a frame, a series or an index of one level with NaN as null."""
    if isinstance(handle, _cuprum.DataFrame):
        return handle.with_columns([_without_nan(column) for column in handle.columns()])
    if isinstance(handle, _cuprum.Series):
        return _cuprum.Series(_without_nan(handle.column()), handle.name(), handle.index())
    if handle.nlevels() != 1 or handle.kind() != "f":
        return handle
    return _cuprum.Index.from_columns([_without_nan(handle.column(0))], handle.names())


def _without_nan(column: Column) -> Column:
    return _tables.column_nans_to_nulls(column) if column.dtype.kind == "f" else column


class CountsNulls(Wrapper):
    """How many elements of a series are null; NaN is not."""

    __slots__ = ()

    @property
    def null_count(self) -> int:
        """The number of nulls; see `isna` for what is missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a", None]).null_count
        1
        """
        return self._handle.column().null_count()

    @property
    def has_nulls(self) -> bool:
        """Whether there is a null."""
        return self.null_count > 0

    @property
    def valid_count(self) -> int:
        """The number of elements that are not null."""
        return len(self) - self.null_count
