"""``Series.list``: the elements of lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.core.accessors.accessor import Accessor
from cuprum.core.arguments import integer_of, is_list_like, only_default, only_texts
from cuprum.core.construction import column_from, integers_of_rows
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
        """Return the number of elements of each list.

        Returns
        -------
        Series
            ``int32``; missing for missing lists.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([[3, 1, None], [], None]).list.len()
        0       3
        1       0
        2    <NA>
        dtype: int32
        """
        return wrap_series(self._series._handle.list_len())

    def get(self, index: Any, default: Any = None) -> Series:
        """Return one element of each list.

        Parameters
        ----------
        index : int or list-like of int
            The position for all lists or for each list, by position of the row; negative ones count from the
            end.
        default : scalar, optional
            The result where a list has no such position; missing without it.

        Returns
        -------
        Series
            The elements; missing for missing lists.

        Examples
        --------
        >>> import cuprum
        >>> lists = cuprum.Series([[3, 1], [2], None])
        >>> lists.list.get(1)
        0       1
        1    <NA>
        2    <NA>
        dtype: int64
        >>> lists.list.get(1, default=0).to_list()
        [1, 0, nan]
        """
        handle = self._series._handle
        if is_list_like(index):
            places = integers_of_rows("index", index, len(self._series))
            return wrap_series(handle.list_get_each(places, default))
        index = integer_of("index", index)
        if not -(2**63) <= index < 2**63:
            raise OverflowError(f"`index` is {index}, no integer of 64 bits")
        return wrap_series(handle.list_get(index, default))

    def contains(self, search_key: Any) -> Series:
        """Return whether each list has an element equal to a scalar.

        Parameters
        ----------
        search_key : scalar
            What is searched for.

        Returns
        -------
        Series
            Booleans; missing for missing lists, and for all if ``search_key`` is missing.

        Raises
        ------
        TypeError
            For lists of lists or structs, and for a list-like.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([[3, 1], [2], None]).list.contains(1)
        0     True
        1    False
        2     <NA>
        dtype: bool
        """
        if is_list_like(search_key):
            raise TypeError(f"`search_key` is {search_key!r}, no scalar")
        return wrap_series(self._series._handle.list_contains(column_from([search_key])))

    def index(self, search_key: Any) -> Series:
        """Return the position of the first element of each list that is equal to a value.

        Parameters
        ----------
        search_key : scalar or list-like
            What is searched for, in all lists or in each list, by position of the row.

        Returns
        -------
        Series
            ``int32``, -1 where there is none; missing for missing lists and keys.

        Raises
        ------
        TypeError
            For lists of lists or structs.
        ValueError
            If there is another number of keys than of lists.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([[3, 1], [2], None]).list.index(1)
        0       1
        1      -1
        2    <NA>
        dtype: int32
        """
        handle = self._series._handle
        if is_list_like(search_key):
            keys = column_from(search_key)
            if len(keys) != len(self._series):
                raise ValueError(
                    f"`search_key` has {len(keys)} keys, the series has {len(self._series)} lists"
                )
            return wrap_series(handle.list_index_each(keys))
        return wrap_series(handle.list_index(column_from([search_key])))

    @property
    def leaves(self) -> Series:
        """All elements, those of lists in lists too, one after the other under the labels 0, 1, …."""
        return wrap_series(self._series._handle.list_leaves())

    def unique(self) -> Series:
        """Return each list without the elements that are equal to an earlier one.

        Returns
        -------
        Series
            Lists, missing for missing ones. Missing elements are equal to each other.

        Raises
        ------
        TypeError
            For lists of lists or structs.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([[3, 1, 3], [None, None], None]).list.unique()
        0    [3, 1]
        1    [None]
        2      None
        dtype: list<int64>
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
        """Return the elements of each list in order.

        Parameters
        ----------
        ascending : bool, default True
            Whether the smallest element comes first.
        inplace : bool, default False
            Only False.
        kind : str, default ``"quicksort"``
            Only the default.
        na_position : ``"first"`` or ``"last"``, default ``"last"``
            Where missing elements stand.
        ignore_index : bool, default False
            Whether to label the lists 0, 1, ….

        Returns
        -------
        Series
            Lists, missing for missing ones.

        Raises
        ------
        TypeError
            For lists of lists or structs.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([[3, None, 1], [2], None]).list.sort_values()
        0    [1, 3, None]
        1             [2]
        2            None
        dtype: list<int64>
        """
        only_default("list.sort_values", inplace=(inplace, False), kind=(kind, "quicksort"))
        only_texts(na_position=na_position)
        sorted_lists = self._series._handle.list_sort_values(bool(ascending), na_position)
        return wrap_series(sorted_lists.drop_index() if ignore_index else sorted_lists)

    def concat(self, dropna: bool = True) -> Series:
        """Return the elements of the lists in each list as one list.

        Parameters
        ----------
        dropna : bool, default True
            Whether to leave out missing inner lists; if False, they make the result missing.

        Returns
        -------
        Series
            Lists of one level less.

        Raises
        ------
        TypeError
            If elements are no lists.

        Examples
        --------
        >>> import cuprum
        >>> lists = cuprum.Series([[[1, 2], [3]], [None, [4]]])
        >>> lists.list.concat()
        0    [1, 2, 3]
        1          [4]
        dtype: list<int64>
        >>> lists.list.concat(dropna=False).to_list()
        [[1, 2, 3], None]
        """
        return wrap_series(self._series._handle.list_concat(bool(dropna)))

    def take(self, lists_indices: Any) -> Series:
        """Return the elements of each list at some positions.

        Parameters
        ----------
        lists_indices : list-like of lists of int
            The positions of each list, by position of the row; negative ones count from the end.

        Returns
        -------
        Series
            Lists in the order of the positions; missing for missing lists.

        Raises
        ------
        IndexError
            If a list has no such position.
        TypeError
            If there are no lists of integers.
        ValueError
            If there is another number of lists.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([[3, 1, 2], [5, 4]]).list.take([[2, 0], [-1]])
        0    [2, 3]
        1       [4]
        dtype: list<int64>
        """
        positions = column_from(lists_indices)
        if len(positions) != len(self._series):
            raise ValueError(
                f"`lists_indices` has {len(positions)} lists, the series has {len(self._series)}"
            )
        element = positions.dtype.element_type
        if element is None or element.kind not in "iu":
            raise TypeError(f"`lists_indices` is of {positions.dtype}, not of lists of integers")
        return wrap_series(self._series._handle.list_take(positions))

    def astype(self, dtype: Any) -> Series:
        """Return the lists with elements of another type.

        Parameters
        ----------
        dtype : dtype
            The type of the elements.

        Returns
        -------
        Series
            Lists, missing for missing ones.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([[3, 1], None]).list.astype("float64")
        0    [3.0, 1.0]
        1          None
        dtype: list<float64>
        """
        return wrap_series(self._series._handle.list_astype(dtype))

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]
