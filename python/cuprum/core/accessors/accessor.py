"""The root of the accessors of a series."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["Accessor"]


class Accessor:
    """Functions of the elements of a series."""

    __slots__ = ("_series",)

    def __init__(self, series: Series) -> None:
        self._series = series
