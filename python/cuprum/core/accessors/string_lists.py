"""``Series.str`` of lists, as ``str.split`` returns them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.core.accessors.list import ListMethods
from cuprum.core.objects import wrap_series

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["ListsOfTexts"]


class ListsOfTexts:
    """What ``series.str`` does with lists: elements, lengths, and texts joined.

    Examples
    --------
    >>> from cuprum import Series
    >>> Series(["a_b", "c"]).str.split("_").str[1].to_list()
    ['b', nan]
    """

    __slots__ = ("_series",)

    def __init__(self, series: Series) -> None:
        self._series = series

    def get(self, i: int) -> Series:
        """Return element ``i`` of each list, negative ones from the end; missing where there is none."""
        return ListMethods(self._series).get(i)

    def __getitem__(self, key: Any) -> Series:
        if isinstance(key, slice):
            raise NotImplementedError("slices of lists are not supported by .str: use .list")
        return self.get(key)

    def len(self) -> Series:
        """Return the number of elements of each list."""
        return ListMethods(self._series).len().astype("int64")

    def join(self, sep: str) -> Series:
        """Return the texts of each list with ``sep`` between them; missing where one of them is."""
        if not isinstance(sep, str):
            raise TypeError(f"`sep` must be a str, not {type(sep).__name__}")
        return wrap_series(self._series._handle.list_join(sep))
