"""The root of the accessors of a series."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["Accessor"]


class Accessor:
    """Functions of the elements of a series."""

    __slots__ = ("_series",)
    _made_of: ClassVar = attrgetter("_series")  # see `subclasses`

    def __init__(self, series: Series) -> None:
        self._series = series
