"""``Series.list``: the elements of lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.core.accessors.accessor import Accessor
from cuprum.core.arguments import is_list_like, only_default, only_texts
from cuprum.core.construction import column_from
from cuprum.core.objects import wrap_series

if TYPE_CHECKING:
    from cuprum.core.series import Series
    from cuprum.typing import NaPosition

__all__ = ["ListMethods"]


class ListMethods(Accessor):
    """Functions of lists; made by ``series.list``. Results are missing where the list is.

    Columns of indices, keys and positions are matched by position.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([[3, 1, 3], [2], None])
    >>> s.list.unique()
    0    [3, 1]
    1       [2]
    2      None
    dtype: list<int64>
    """

    __slots__ = ()

    def __init__(self, series: Series) -> None:
        if series.dtype.element_type is None:
            raise AttributeError("Can only use .list accessor with a 'list' dtype")
        self._series = series

    def len(self) -> Series:
        """Return the number of elements of each list, ``int32``."""
        return wrap_series(self._series._handle.list_len())

    def get(self, index: Any, default: Any = None) -> Series:
        """Return element ``index`` of each list, or the one that a list-like of indices says for it.

        An index below 0 counts from the end. Where the list is too short the result is ``default``, missing
        without it.
        """
        handle = self._series._handle
        if is_list_like(index):
            return wrap_series(handle.list_get_each(column_from(index), default))
        if isinstance(index, bool) or not hasattr(index, "__index__"):
            raise TypeError(f"`index` is {index!r}, no integer")
        return wrap_series(handle.list_get(int(index), default))

    def contains(self, search_key: Any) -> Series:
        """Return whether each list has an element equal to a scalar; missing for a missing one.

        ``TypeError`` for lists of lists or structs.
        """
        if is_list_like(search_key):
            raise TypeError(f"`search_key` is {search_key!r}, no scalar")
        return wrap_series(self._series._handle.list_contains(column_from([search_key])))

    def index(self, search_key: Any) -> Series:
        """Return the position of the first element equal to a scalar, or to the value of a list-like.

        -1 where there is none; ``int32``, missing for a missing key. ``TypeError`` for lists of lists or
        structs.
        """
        handle = self._series._handle
        if is_list_like(search_key):
            return wrap_series(handle.list_index_each(column_from(search_key)))
        return wrap_series(handle.list_index(column_from([search_key])))

    @property
    def leaves(self) -> Series:
        """All elements, those of lists in lists too, one after the other under the labels 0, 1, …."""
        return wrap_series(self._series._handle.list_leaves())

    def unique(self) -> Series:
        """Return each list without the elements that are equal to an earlier one.

        Missing elements are equal to each other. ``TypeError`` for lists of lists or structs.
        """
        return wrap_series(self._series._handle.list_unique())

    def sort_values(
        self,
        ascending: bool = True,
        inplace: bool = False,
        kind: str = "quicksort",
        na_position: NaPosition = "last",
        ignore_index: bool = False,
    ) -> Series:
        """Return the elements of each list in order, missing ones at the end or the beginning.

        ``ignore_index`` gives the lists the labels 0, 1, …. ``TypeError`` for lists of lists or structs.
        """
        only_default("list.sort_values", inplace=(inplace, False), kind=(kind, "quicksort"))
        only_texts(na_position=na_position)
        sorted_lists = self._series._handle.list_sort_values(bool(ascending), na_position)
        return wrap_series(sorted_lists.drop_index() if ignore_index else sorted_lists)

    def concat(self, dropna: bool = True) -> Series:
        """Return the elements of the lists in each list as one list.

        Missing inner lists are left out; without ``dropna`` they make the result missing. ``TypeError`` where
        elements are no lists.
        """
        return wrap_series(self._series._handle.list_concat(bool(dropna)))

    def take(self, lists_indices: Any) -> Series:
        """Return the elements at the positions that a list-like of lists has for each list.

        ``IndexError`` where a list has no such position.
        """
        positions = column_from(lists_indices)
        if len(positions) != len(self._series):
            raise ValueError(
                f"`lists_indices` has {len(positions)} lists, the series has {len(self._series)}"
            )
        return wrap_series(self._series._handle.list_take(positions))

    def astype(self, dtype: Any) -> Series:
        """Return the lists with elements of another type."""
        return wrap_series(self._series._handle.list_astype(dtype))

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]
