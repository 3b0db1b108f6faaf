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
        """Return the values, comparing by the order of the categories."""
        return self._change("with_ordered", ordered=True)

    def as_unordered(self) -> Series:
        """Return the values, not comparing by the order of the categories."""
        return self._change("with_ordered", ordered=False)

    def set_categories(
        self, new_categories: Any, ordered: bool | None = None, rename: bool = False
    ) -> Series:
        """Return the values among other categories, missing where they are none of those.

        With ``rename`` the first category is called by the first of ``new_categories``, and so on.
        """
        return self._change("rename_by_position" if rename else "set_categories", new_categories, ordered)

    def add_categories(self, new_categories: Any) -> Series:
        """Return the values with more categories, after the old ones; ``ValueError`` for old ones."""
        values = new_categories if is_list_like(new_categories) else [new_categories]
        return self._change("add_categories", values)

    def remove_categories(self, removals: Any) -> Series:
        """Return the values without some categories, whose rows are missing; ``ValueError`` for others."""
        values = removals if is_list_like(removals) else [removals]
        kept = [value for value in values if value is not None and value == value]
        return self._change("remove_categories", kept)

    def remove_unused_categories(self) -> Series:
        """Return the values without the categories that no row has."""
        return self._change("remove_unused_categories")

    def rename_categories(self, new_categories: Any) -> Series:
        """Return the values with categories called otherwise.

        ``new_categories`` is a list of as many, a mapping of old to new ones or a function, which is called
        with every category.
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
        """Return the values with the same categories in another order; ``ValueError`` for others."""
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
