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

    Parameters
    ----------
    data : list-like
        The labels; those that are none of ``categories`` are missing.
    categories : list-like, optional
        The values in their order; by default those of the data, or its different values, ascending.
    ordered : bool, optional
        Whether categories compare by their order; by default as the data's do.
    dtype : CategoricalDtype or str, optional
        The type, in the place of ``categories`` and ``ordered``.
    copy : bool, default False
        Without effect.
    name : label, optional
        The name; by default that of the data.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.CategoricalIndex(["a", "b", "a"])
    CategoricalIndex(['a', 'b', 'a'], categories=['a', 'b'], ordered=False,
                     dtype='category')
    >>> cuprum.CategoricalIndex(["a", "z"], categories=["b", "a"], ordered=True)
    CategoricalIndex(['a', nan], categories=['b', 'a'], ordered=True,
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
        """Return the labels with categories that compare by their order.

        Returns
        -------
        CategoricalIndex
            The same labels and categories.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.CategoricalIndex(["low", "high"], categories=["low", "high"]).as_ordered()
        >>> index.max()
        'high'
        """
        return self._with(ordered=True)

    def as_unordered(self) -> CategoricalIndex:
        """Return the labels with categories that have no order.

        Returns
        -------
        CategoricalIndex
            The same labels and categories.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.CategoricalIndex(["a", "b"], ordered=True).as_unordered().ordered
        False
        """
        return self._with(ordered=False)

    def _changed_by(self, method: str, *args: Any, **kwargs: Any) -> CategoricalIndex:
        return self._of(getattr(self._series().cat, method)(*args, **kwargs)._handle.column())

    def set_categories(
        self, new_categories: Any, ordered: Any = None, rename: bool = False
    ) -> CategoricalIndex:
        """Return the labels among other categories.

        Parameters
        ----------
        new_categories : list-like
            The categories in their order.
        ordered : bool, optional
            Whether they compare by their order; by default as before.
        rename : bool, default False
            Whether they are new names of the old ones, position by position.

        Returns
        -------
        CategoricalIndex
            As many labels as before. Without ``rename`` those that are none of the categories are missing.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.CategoricalIndex(["a", "b"])
        >>> index.set_categories(["b", "c"])
        CategoricalIndex([nan, 'b'], categories=['b', 'c'], ordered=False,
                         dtype='category')
        >>> index.set_categories(["x", "y"], rename=True)
        CategoricalIndex(['x', 'y'], categories=['x', 'y'], ordered=False,
                         dtype='category')
        """
        return self._changed_by("set_categories", new_categories, ordered, rename)

    def add_categories(self, new_categories: Any) -> CategoricalIndex:
        """Return the labels with more categories, behind the old ones.

        Parameters
        ----------
        new_categories : scalar or list-like
            The categories that are added.

        Returns
        -------
        CategoricalIndex
            The same labels.

        Raises
        ------
        ValueError
            Where one is a category already.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.CategoricalIndex(["a", "b"]).add_categories("c").categories
        Index(['a', 'b', 'c'], dtype='str')
        """
        return self._changed_by("add_categories", new_categories)

    def remove_categories(self, removals: Any) -> CategoricalIndex:
        """Return the labels without some categories.

        Parameters
        ----------
        removals : scalar or list-like
            The categories that are left out.

        Returns
        -------
        CategoricalIndex
            As many labels as before, missing where they were one of these categories.

        Raises
        ------
        ValueError
            Where one is no category.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.CategoricalIndex(["a", "b"]).remove_categories("a")
        CategoricalIndex([nan, 'b'], categories=['b'], ordered=False, dtype='category')
        """
        return self._changed_by("remove_categories", removals)

    def remove_unused_categories(self) -> CategoricalIndex:
        """Return the labels without the categories that none of them has.

        Returns
        -------
        CategoricalIndex
            The same labels; the other categories keep their order.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.CategoricalIndex(["a"], categories=["a", "b"])
        >>> index.remove_unused_categories().categories
        Index(['a'], dtype='str')
        """
        return self._changed_by("remove_unused_categories")

    def rename_categories(self, new_categories: Any) -> CategoricalIndex:
        """Return the labels with other names for the categories.

        Parameters
        ----------
        new_categories : list-like, dict or function
            The new names, position by position; or a dict or function of the old ones.

        Returns
        -------
        CategoricalIndex
            As many labels as before, under the new names.

        Raises
        ------
        ValueError
            Where there are more or fewer names than categories, or they are not unique.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.CategoricalIndex(["a", "b", "a"])
        >>> index.rename_categories({"a": "x"}).to_list()
        ['x', 'b', 'x']
        """
        return self._changed_by("rename_categories", new_categories)

    def reorder_categories(self, new_categories: Any, ordered: Any = None) -> CategoricalIndex:
        """Return the labels with the same categories in another order.

        Parameters
        ----------
        new_categories : list-like
            All categories in the new order.
        ordered : bool, optional
            Whether they compare by their order; by default as before.

        Returns
        -------
        CategoricalIndex
            The same labels.

        Raises
        ------
        ValueError
            Where these are not the same categories.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.CategoricalIndex(["a", "b"]).reorder_categories(["b", "a"], ordered=True)
        >>> index.min()
        'b'
        """
        return self._changed_by("reorder_categories", new_categories, ordered)

    def map(
        self, mapper: Callable[..., Any] | Mapping[Any, Any] | Series, na_action: NaAction | None = None
    ) -> Index:
        """Return the labels that a function, dict or Series makes of the categories.

        Parameters
        ----------
        mapper : function, dict or Series
            What gives a new category for an old one. Categories that a dict or Series does not have become
            missing.
        na_action : {``'ignore'``}, optional
            With ``'ignore'`` missing labels stay missing, and are not handed to ``mapper``.

        Returns
        -------
        CategoricalIndex or Index
            A CategoricalIndex where ``mapper`` makes other categories of all of them, and nothing of missing
            labels; else an
            Index of its values.

        Raises
        ------
        ValueError
            For another ``na_action``.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.CategoricalIndex(["a", "b", "a"])
        >>> index.map(str.upper)
        CategoricalIndex(['A', 'B', 'A'], categories=['A', 'B'], ordered=False,
                         dtype='category')
        >>> index.map({"a": 1, "b": 1})
        Index([1, 1, 1], dtype='int64')
        """
        if na_action not in (None, "ignore"):
            raise ValueError(f"na_action must either be 'ignore' or None, {na_action!r} was passed")
        column = mapped_categories(self._column(), mapper, na_action)
        if column is None:
            return super().map(mapper, na_action)
        return wrap_index(_cuprum.Index.from_columns([column], self.names))

    def equals(self, other: Any) -> bool:
        """Return whether another index has the same labels in the same order.

        Parameters
        ----------
        other : Index
            The other index. If it has categories, these have to be the same, and in the same order where they
            are ordered.

        Returns
        -------
        bool
            Names do not count.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.CategoricalIndex(["a", "b"])
        >>> index.equals(cuprum.CategoricalIndex(["a", "b"], categories=["b", "a"]))
        True
        >>> index.equals(index.add_categories("c"))
        False
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
