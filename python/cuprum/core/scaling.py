"""Numbers from 0 to 1, and numbers of bins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from cuprum import _cuprum
from cuprum._cuprum import Table, _search
from cuprum.core.arguments import check_truth
from cuprum.core.construction import cast_column, column_from
from cuprum.core.objects import Wrapper, wrap_series

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["Scales", "SeriesBins"]


class Scales(Wrapper):
    """What frames and series share."""

    __slots__ = ()

    def scale(self) -> Self:
        """Return the elements of each column from 0, the smallest, to 1, the largest, as floats.

        Missing where all are the same.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([2, 4, 3]).scale().to_list()
        [0.0, 1.0, 0.5]
        """
        low, high = self.min(), self.max()  # type: ignore[attr-defined]
        return (self - low) / (high - low)  # type: ignore[operator, no-any-return]


class SeriesBins(Wrapper):
    """Elements as numbers of bins."""

    __slots__ = ()

    def digitize(self, bins: Any, right: bool = False) -> Series:
        """Return how many of the edges ``bins``, which ascend, are below each element, or equal to it (``int32``).

        As in cuDF, the numbers are labelled 0, 1, ….

        With ``right`` an edge that is equal does not count. Missing for missing elements. ``ValueError`` for edges that
        do not ascend or are missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([0.2, 6.4, 3.0]).digitize([0.0, 1.0, 2.5, 4.0]).to_list()
        [1, 4, 3]
        """
        check_truth("right", right)
        handle = self._handle
        given = column_from(bins)
        edges = cast_column(
            given, "float64" if given.dtype.kind in "iu" and handle.dtype().kind == "f" else None
        )
        if _cuprum.Series(edges).isna().reduce("any"):
            raise ValueError("`bins` has a missing edge")
        if not _cuprum.Index.from_columns([edges], [None]).is_monotonic_increasing():
            raise ValueError("`bins` has to ascend")
        values = handle.column()
        if edges.dtype.kind == "f" and values.dtype.kind in "iu":
            values = cast_column(values, "float64")
        elif edges.dtype != values.dtype:
            edges = cast_column(edges, values.dtype)
        bound = _search.lower_bound if right else _search.upper_bound
        numbers = bound(Table([edges]), Table([values]), [0], [0], None, None)
        found = _cuprum.Series(numbers, handle.name())
        missing = handle.isna()
        return wrap_series(
            found.where(handle.notna().column(), None, False) if missing.reduce("any") else found
        )
