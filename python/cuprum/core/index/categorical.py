"""Row labels that are categories: `CategoricalIndex`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core.accessors.categorical import mapped_categories
from cuprum.core.arguments import only_truth, plain_label, refuse_no_data
from cuprum.core.construction import cast_column, column_from
from cuprum.core.display import index_text
from cuprum.core.index.index import Index, quoted, wrap_index
from cuprum.core.interop import to_array, to_numpy
from cuprum.core.label_construction import index_handle
from cuprum.options import get_option

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cuprum.core.series import Series
    from cuprum.typing import Array, NaAction

__all__ = ["CategoricalIndex"]


class CategoricalIndex(Index, of="category"):
    """Labels that are among a few values, in an order of their own.

    Examples
    --------
    >>> CategoricalIndex(["a", "b", "a"])
    CategoricalIndex(['a', 'b', 'a'], categories=['a', 'b'], ordered=False,
                     dtype='category')
    """

    __slots__ = ()

    def __new__(
        cls,
        data: Any = None,
        categories: Any = None,
        ordered: bool | None = None,
        dtype: Any = None,
        copy: bool = False,
        name: Any = None,
    ) -> Self:
        """Make an index of labels, which are missing where they are none of ``categories``.

        Without ``categories`` and ``dtype`` they are those of the data, or their different values, ascending.
        """
        refuse_no_data("CategoricalIndex", data)
        only_truth("CategoricalIndex", copy=copy)
        if dtype is not None and (categories is not None or ordered is not None):
            raise ValueError("Cannot specify `categories` or `ordered` together with `dtype`.")
        handle = index_handle(data)
        if handle.nlevels() != 1:
            raise TypeError("a CategoricalIndex has one level")
        column = handle.column(0)
        known = column.categories()
        if dtype is not None:
            column = cast_column(column, dtype)
        elif categories is not None:
            flag = bool(known and known[1]) if ordered is None else bool(ordered)
            column = _among(column, column_from(categories), flag)
        else:
            column = cast_column(column, "category")
            values, was = column.categories()  # type: ignore[misc]
            if ordered is not None and bool(ordered) != was:
                column = Column.from_codes(column.codes(), values, bool(ordered))
        if column.categories() is None:
            raise ValueError(f"Cannot pass `dtype`={dtype!r}, which is no category")
        names = handle.names() if name is None else [plain_label(name)]
        return wrap_index(_cuprum.Index.from_columns([column], names))

    def _kind(self) -> tuple[Column, bool]:
        return self._column().categories()  # type: ignore[return-value]

    @property
    def categories(self) -> Index:
        """The values that labels can have, in their order."""
        return Index(self._kind()[0])

    @property
    def ordered(self) -> bool:
        """Whether categories compare by their order."""
        return self._kind()[1]

    @property
    def codes(self) -> Array:
        """The codes of the labels: positions among the categories, -1 for missing ones, a NumPy array."""
        return to_numpy(self._column().codes(), na_value=-1)

    @property
    def values(self) -> Array:
        """The labels as a ``Categorical`` of pandas."""
        return to_array(self._column())

    def as_ordered(self) -> CategoricalIndex:
        """Return the labels with categories that compare by their order."""
        return self._with(ordered=True)

    def as_unordered(self) -> CategoricalIndex:
        """Return the labels with categories that have no order."""
        return self._with(ordered=False)

    def _changed_by(self, method: str, *args: Any, **kwargs: Any) -> CategoricalIndex:
        return self._of(getattr(self._series().cat, method)(*args, **kwargs)._handle.column())

    def set_categories(
        self, new_categories: Any, ordered: Any = None, rename: bool = False
    ) -> CategoricalIndex:
        """Return the labels among other categories; see `CategoricalAccessor.set_categories`."""
        return self._changed_by("set_categories", new_categories, ordered, rename)

    def add_categories(self, new_categories: Any) -> CategoricalIndex:
        """Return the labels with more categories, after the old ones; ``ValueError`` for old ones."""
        return self._changed_by("add_categories", new_categories)

    def remove_categories(self, removals: Any) -> CategoricalIndex:
        """Return the labels without some categories, which are missing; ``ValueError`` for others."""
        return self._changed_by("remove_categories", removals)

    def remove_unused_categories(self) -> CategoricalIndex:
        """Return the labels without the categories that none of them is."""
        return self._changed_by("remove_unused_categories")

    def rename_categories(self, new_categories: Any) -> CategoricalIndex:
        """Return the labels with categories called otherwise: a list, a mapping or a function of the old."""
        return self._changed_by("rename_categories", new_categories)

    def reorder_categories(self, new_categories: Any, ordered: Any = None) -> CategoricalIndex:
        """Return the labels with the same categories in another order; ``ValueError`` for others."""
        return self._changed_by("reorder_categories", new_categories, ordered)

    def map(
        self, mapper: Callable[..., Any] | Mapping[Any, Any] | Series, na_action: NaAction | None = None
    ) -> Index:
        """Return the labels that a function, dict or Series makes of the categories.

        A `CategoricalIndex` where it makes other categories of all of them, and nothing of missing labels; else an
        `Index`.
        """
        if na_action not in (None, "ignore"):
            raise ValueError(f"na_action must either be 'ignore' or None, {na_action!r} was passed")
        column = mapped_categories(self._column(), mapper, na_action)
        if column is None:
            return super().map(mapper, na_action)
        return wrap_index(_cuprum.Index.from_columns([column], self.names))

    def equals(self, other: Any) -> bool:
        """Whether ``other`` has the same labels in the same order and, if it has categories, the same of these.

        The order of categories counts where they are ordered. Names do not count.
        """
        if isinstance(other, CategoricalIndex):
            ours, theirs = self.categories.to_list(), other.categories.to_list()
            same = ours == theirs if self.ordered else set(ours) == set(theirs)
            if self.ordered != other.ordered or not same:
                return False
        return super().equals(other)

    def _with(self, *, ordered: bool) -> CategoricalIndex:
        column = self._column()
        column = Column.from_codes(column.codes(), self._kind()[0], ordered)
        return wrap_index(_cuprum.Index.from_columns([column], self.names))

    def __repr__(self) -> str:
        values, ordered = self._kind()
        count = len(values)
        rows = list(range(count))
        texts = [quoted(values.get(row)) for row in rows]
        most = get_option("display.max_categories") or count
        if count > most:
            texts = [*texts[: most // 2], "...", *texts[-(most // 2) :]]
        return index_text(
            "CategoricalIndex",
            self._texts(self._shown()),
            attributes=[f"categories=[{', '.join(texts)}]", f"ordered={ordered}"],
            dtype="category",
            name=self.name,
            length=len(self),
        )


def _among(column: Column, categories: Column, ordered: bool) -> Column:
    """Return the values of a column as categories, missing where they are none."""
    none = Column.from_codes(Column.from_iterable_of_py([], "int8"), categories, ordered)
    return cast_column(column, none.dtype)
