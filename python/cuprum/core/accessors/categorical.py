"""``Series.cat``: categories of a series, and other ones for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.accessors.accessor import Accessor
from cuprum.core.arguments import is_list_like
from cuprum.core.construction import column_from
from cuprum.core.objects import wrap_series

if TYPE_CHECKING:
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series

__all__ = ["CategoricalAccessor", "mapped_categories"]


class CategoricalAccessor(Accessor):
    """Functions of categories; made by ``series.cat``. Results are series; missing rows stay missing."""

    __slots__ = ()

    def __init__(self, series: Series) -> None:
        if series._handle.column().categories() is None:
            raise AttributeError("Can only use .cat accessor with a 'category' dtype")
        self._series = series

    def _change(self, method: str, values: Any = None, ordered: Any = None) -> Series:
        column = None if values is None else self._values(values)
        if ordered is not None:
            ordered = bool(ordered)
        return wrap_series(self._series._handle.cat_change(method, column, ordered))

    def _values(self, values: Any) -> Column:
        if not is_list_like(values):
            raise TypeError(f"`new_categories` must be list-like, not {values!r}")
        values = list(values) if isinstance(values, (set, frozenset)) else values
        if isinstance(values, (list, tuple)) and not values:
            return column_from([], self.categories.dtype)
        return column_from(values)

    @property
    def categories(self) -> Index:
        """The categories as an Index."""
        dtype: Any = self._series.dtype
        return dtype.categories

    @property
    def ordered(self) -> bool:
        """Whether values compare by the order of the categories."""
        return bool(self._series.dtype.ordered)

    @property
    def codes(self) -> Series:
        """The position of the category of every row; -1 for missing ones."""
        return wrap_series(self._series._handle.cat_codes())

    def as_ordered(self) -> Series:
        """Return the elements as values that compare by the order of the categories.

        Returns
        -------
        Series
            The same elements; missing ones stay missing.

        Examples
        --------
        >>> import cuprum
        >>> colours = cuprum.Series(["b", "a", None], dtype="category")
        >>> colours.cat.as_ordered()
        0      b
        1      a
        2    NaN
        dtype: category
        Categories (2, str): ['a' < 'b']
        """
        return self._change("with_ordered", ordered=True)

    def as_unordered(self) -> Series:
        """Return the elements as values that do not compare by the order of the categories.

        Returns
        -------
        Series
            The same elements; missing ones stay missing.

        Examples
        --------
        >>> import cuprum
        >>> colours = cuprum.Series(["b", "a"], dtype="category").cat.as_ordered()
        >>> colours.cat.as_unordered().cat.ordered
        False
        """
        return self._change("with_ordered", ordered=False)

    def set_categories(
        self, new_categories: Any, ordered: bool | None = None, rename: bool = False
    ) -> Series:
        """Return the elements with other categories.

        Parameters
        ----------
        new_categories : list-like
            The categories in their order.
        ordered : bool, optional
            Whether values compare by that order; as before without it.
        rename : bool, default False
            Whether the new categories are names of the old ones, by position.

        Returns
        -------
        Series
            The elements; missing where they are none of the categories.

        Raises
        ------
        TypeError
            If ``new_categories`` is no list-like.

        Examples
        --------
        >>> import cuprum
        >>> letters = cuprum.Series(["a", "b", "a"], dtype="category")
        >>> letters.cat.set_categories(["b", "c"])
        0    NaN
        1      b
        2    NaN
        dtype: category
        Categories (2, str): ['b', 'c']
        >>> letters.cat.set_categories(["x", "y"], rename=True).to_list()
        ['x', 'y', 'x']
        """
        return self._change("rename_by_position" if rename else "set_categories", new_categories, ordered)

    def add_categories(self, new_categories: Any) -> Series:
        """Return the elements with further categories, after the old ones.

        Parameters
        ----------
        new_categories : scalar or list-like
            The further categories.

        Returns
        -------
        Series
            The same elements; missing ones stay missing.

        Raises
        ------
        ValueError
            If one is a category already.

        Examples
        --------
        >>> import cuprum
        >>> letters = cuprum.Series(["a", "b"], dtype="category")
        >>> letters.cat.add_categories("c").cat.categories.to_list()
        ['a', 'b', 'c']
        """
        values = new_categories if is_list_like(new_categories) else [new_categories]
        return self._change("add_categories", values)

    def remove_categories(self, removals: Any) -> Series:
        """Return the elements without some categories.

        Parameters
        ----------
        removals : scalar or list-like
            The categories to remove.

        Returns
        -------
        Series
            The elements; missing where their category is removed.

        Raises
        ------
        ValueError
            If one is no category.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a", "b", "a"], dtype="category").cat.remove_categories("a")
        0    NaN
        1      b
        2    NaN
        dtype: category
        Categories (1, str): ['b']
        """
        values = removals if is_list_like(removals) else [removals]
        kept = [value for value in values if value is not None and value == value]
        return self._change("remove_categories", kept)

    def remove_unused_categories(self) -> Series:
        """Return the elements without the categories that no element has.

        Returns
        -------
        Series
            The same elements; missing ones stay missing.

        Examples
        --------
        >>> import cuprum
        >>> letters = cuprum.Series(["a", "b", "a"], dtype="category")[[0, 2]]
        >>> letters.cat.remove_unused_categories()
        0    a
        2    a
        dtype: category
        Categories (1, str): ['a']
        """
        return self._change("remove_unused_categories")

    def rename_categories(self, new_categories: Any) -> Series:
        """Return the elements with other names of the categories.

        Parameters
        ----------
        new_categories : list-like, dict, Series or callable
            The new names of all categories in order; or new names under old ones, where others stay; or a
            function of each name.

        Returns
        -------
        Series
            The elements under the new names; missing ones stay missing.

        Raises
        ------
        ValueError
            If there is another number of names, or names repeat.

        Examples
        --------
        >>> import cuprum
        >>> letters = cuprum.Series(["a", "b", "a"], dtype="category")
        >>> letters.cat.rename_categories({"a": "A"})
        0    A
        1    b
        2    A
        dtype: category
        Categories (2, str): ['A', 'b']
        >>> letters.cat.rename_categories(str.upper).to_list()
        ['A', 'B', 'A']
        """
        old = self.categories.to_list()
        if isinstance(new_categories, objects.Series):
            if not new_categories.index.is_unique:
                raise ValueError("`new_categories` repeats a label")
            new_categories = new_categories.to_dict()
        if isinstance(new_categories, Mapping):
            new_categories = [new_categories.get(category, category) for category in old]
        elif callable(new_categories):
            new_categories = [new_categories(category) for category in old]
        return self._change("rename_categories", new_categories)

    def reorder_categories(self, new_categories: Any, ordered: bool | None = None) -> Series:
        """Return the elements with the same categories in another order.

        Parameters
        ----------
        new_categories : list-like
            The categories in their new order.
        ordered : bool, optional
            Whether values compare by that order; as before without it.

        Returns
        -------
        Series
            The same elements; missing ones stay missing.

        Raises
        ------
        ValueError
            If these are not the same categories.

        Examples
        --------
        >>> import cuprum
        >>> letters = cuprum.Series(["a", "b"], dtype="category")
        >>> letters.cat.reorder_categories(["b", "a"], ordered=True)
        0    a
        1    b
        dtype: category
        Categories (2, str): ['b' < 'a']
        """
        return self._change("reorder_categories", new_categories, ordered)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]


def mapped_categories(column: Column, mapper: Any, na_action: str | None) -> Column | None:
    """Return elements as what a function, dict or Series makes of their categories.

    Categories again where it makes different ones of all. None where it makes tuples or values of unlike types, or
    something of missing elements; and where missing elements decide about the type of what a function makes.
    """
    values, ordered = column.categories()  # type: ignore[misc]
    categories = objects.Index(values).map(mapper)
    if na_action is None and column.null_count() and not _leaves_nan(mapper):
        return None
    if categories.nlevels > 1 or (not categories.is_unique and categories.inferred_type.startswith("mixed")):
        return None
    if categories.is_unique and not categories.hasnans:
        return Column.from_codes(column.codes(), categories._column(), ordered)
    if callable(mapper) and column.null_count():
        return None
    found = objects.Series(categories._column())
    codes = objects.Series(column.codes())
    if column.null_count():
        found, codes = found.reindex(range(len(found) + 1)), codes.fillna(len(found))
    return found._handle.iloc(codes._handle.column()).column()


def _leaves_nan(mapper: Any) -> bool:
    """Whether NaN stays NaN; what has no entry for it leaves it."""
    import numpy as np

    found = mapper.get(np.nan, np.nan) if hasattr(mapper, "get") else mapper(np.nan)
    return found is np.nan
