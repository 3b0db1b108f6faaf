"""Null and NaN apart: counts of nulls, and NaN as null."""

from __future__ import annotations

from typing import Any, Self

from cuprum._cuprum import _tables
from cuprum.core.objects import Wrapper

__all__ = ["CountsNulls", "HasNulls"]


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

        def replaced(column: Any) -> Any:
            return _tables.column_nans_to_nulls(column) if column.dtype.kind == "f" else column

        handle = self._handle
        if self.ndim == 1:
            return self._wrap(_series(replaced(handle.column()), handle))
        return self._wrap(handle.with_columns([replaced(column) for column in handle.columns()]))


def _series(column: Any, handle: Any) -> Any:
    from cuprum import _cuprum

    return _cuprum.Series(column, handle.name(), handle.index())


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
