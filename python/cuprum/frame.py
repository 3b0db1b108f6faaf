"""`IndexedFrame`: what DataFrame and Series share.

Objects hold one immutable handle of the extension module and replace it when they change, so that
taking a part of an object never lets later changes show through (pandas' copy-on-write).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from cuprum import _cuprum
from cuprum.arguments import axis_number, is_list_like, only_default
from cuprum.operators import Operators

if TYPE_CHECKING:
    from cuprum.index import Index
    from cuprum.indexing import AtIndexer, IAtIndexer, ILocIndexer, LocIndexer

__all__ = ["IndexedFrame"]

_new = object.__new__


class IndexedFrame(Operators):
    """Columns whose rows have labels: the methods that `DataFrame` and `Series` have in common."""

    __slots__ = ("__weakref__", "_handle")
    __hash__ = None  # type: ignore[assignment]

    _wrap: Callable[[Any], Any]

    def _changed(self, handle: Any, inplace: bool = False) -> Any:
        """Return a new object around ``handle``; or put it in this one, which is returned."""
        if not inplace:
            return self._wrap(handle)
        _set_handle(self, handle)
        return self

    def _map(self, function: Callable[[Any], Any], inplace: bool = False) -> Any:
        """``function`` of the handle of every column, which keeps the number of rows."""
        raise NotImplementedError

    # Shape and labels.

    def __len__(self) -> int:
        return len(self._handle)

    @property
    def size(self) -> int:
        """The number of elements."""
        raise NotImplementedError

    @property
    def empty(self) -> bool:
        """Whether there is no element."""
        return self.size == 0

    @property
    def index(self) -> Index:
        """The labels of the rows; assigning a sequence of the same length replaces them.

        Raises ``ValueError`` for another length.
        """
        return wrap_index(self._handle.index(), self)

    @index.setter
    def index(self, labels: Any) -> None:
        _set_handle(self, self._handle.with_index(index_handle(labels, len(self))))

    @property
    def axes(self) -> list[Any]:
        """The row labels and, for a frame, the column labels."""
        return [self.index]

    def __bool__(self) -> bool:
        name = type(self).__name__
        raise ValueError(
            f"The truth value of a {name} is ambiguous. Use a.empty, a.bool(), a.item(), a.any() or a.all()."
        )

    def copy(self, deep: bool = True) -> Self:
        """Return a copy. It shares memory, which no change to either ever writes to."""
        return self._wrap(self._handle)

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy()

    def pipe(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """Return ``func(self, *args, **kwargs)``; ``func`` may be a pair of it and an argument's name."""
        if isinstance(func, tuple):
            func, name = func
            return func(*args, **{name: self}, **kwargs)
        return func(self, *args, **kwargs)

    # Selection.

    @property
    def loc(self) -> LocIndexer:
        """Rows and columns by label: a label, a list, a slice with both ends, or a boolean mask.

        ``df.loc[rows, columns]`` selects both; assigning replaces the elements. ``KeyError`` for a
        label that is not there.
        """
        return LocIndexer(self)

    @property
    def iloc(self) -> ILocIndexer:
        """Rows and columns by position: an integer, a list, a slice or a boolean mask.

        ``IndexError`` for a position that is not there.
        """
        return ILocIndexer(self)

    @property
    def at(self) -> AtIndexer:
        """One element by its labels, to read or to assign."""
        return AtIndexer(self)

    @property
    def iat(self) -> IAtIndexer:
        """One element by its positions, to read or to assign."""
        return IAtIndexer(self)

    def head(self, n: int = 5) -> Self:
        """Return the first ``n`` rows; for negative ``n`` all but the last ``-n``."""
        return self._wrap(self._handle.head(n))

    def tail(self, n: int = 5) -> Self:
        """Return the last ``n`` rows; for negative ``n`` all but the first ``-n``."""
        return self._wrap(self._handle.tail(n))

    def take(self, indices: Any, axis: Any = 0) -> Any:
        """Return the rows (columns, with ``axis=1``) at some positions, negative ones from the end."""
        if axis_number(axis, type(self).__name__) == 1:
            return self.iloc[:, list(indices)]
        return self._wrap(self._handle.iloc(positions_column(indices)))

    def sample(
        self,
        n: int | None = None,
        frac: float | None = None,
        replace: bool = False,
        weights: Any = None,
        random_state: Any = None,
        axis: Any = None,
        ignore_index: bool = False,
    ) -> Self:
        """Return ``n`` rows (or a fraction ``frac`` of them) in random order; 1 without either.

        The same rows for the same integer ``random_state``, but not the rows pandas would choose.
        ``ValueError`` for more rows than there are unless ``replace``.
        """
        only_default("sample", weights=(weights, None))
        if axis is not None and axis_number(axis, type(self).__name__) == 1:
            raise NotImplementedError("sample does not support `axis`=1: it chooses rows")
        if n is not None and frac is not None:
            raise ValueError("Please enter a value for `frac` OR `n`, not both")
        if frac is not None:
            if frac < 0:
                raise ValueError("A negative number of rows requested. Please provide `frac` >= 0.")
            if frac > 1 and not replace:
                raise ValueError("Replace has to be set to `True` when upsampling the population `frac` > 1.")
            n = round(frac * len(self))
        elif n is None:
            n = 1
        if n < 0:
            raise ValueError("A negative number of rows requested. Please provide `n` >= 0.")
        if random_state is not None and not isinstance(random_state, int):
            random_state = int(
                random_state.integers(2**63)
                if hasattr(random_state, "integers")
                else random_state.randint(2**31)
            )
        handle = self._handle.sample(n, replace, random_state)
        return self._wrap(handle.drop_index() if ignore_index else handle)

    def reindex(self, index: Any = None, **kwargs: Any) -> Any:
        """Return the rows with the labels ``index``, in its order; missing where there is none.

        ``ValueError`` where a label occurs twice here.
        """
        only_default("reindex", **{name: (value, None) for name, value in kwargs.items()})
        if index is None:
            return self.copy()
        return self._wrap(self._handle.reindex(index_handle(index)))

    def reindex_like(self, other: IndexedFrame) -> Any:
        """Return the rows with the labels of ``other``; missing where there is none."""
        return self.reindex(index=other.index)

    # Order.

    def sort_index(
        self,
        *,
        axis: Any = 0,
        level: Any = None,
        ascending: bool = True,
        inplace: bool = False,
        kind: str = "quicksort",
        na_position: str = "last",
        sort_remaining: bool = True,
        ignore_index: bool = False,
        key: Any = None,
    ) -> Any:
        """Return the rows in the order of their labels; missing labels last, equal ones keep their order.

        With ``axis=1`` the columns, in the order of theirs.
        """
        only_default("sort_index", level=(level, None), na_position=(na_position, "last"), key=(key, None))
        if is_list_like(ascending):
            raise NotImplementedError("sort_index does not support one `ascending` for each level")
        if axis_number(axis, type(self).__name__) == 1:
            labels = self._handle.labels()
            order = sorted(range(len(labels)), key=labels.__getitem__, reverse=not ascending)
            handle = self._handle.select_positions(order)
        else:
            handle = self._handle.sort_index(bool(ascending))
            if ignore_index:
                handle = handle.drop_index()
        result = self._changed(handle, inplace)
        return None if inplace else result

    # Missing elements.

    def isna(self) -> Self:
        """Return True where an element is missing: null, or NaN."""
        return self._wrap(self._handle.isna())

    def isnull(self) -> Self:
        """Return True where an element is missing; the same as `isna`."""
        return self._wrap(self._handle.isna())

    def notna(self) -> Self:
        """Return True where an element is not missing."""
        return self._wrap(self._handle.notna())

    def notnull(self) -> Self:
        """Return True where an element is not missing; the same as `notna`."""
        return self._wrap(self._handle.notna())

    def ffill(
        self, *, axis: Any = None, inplace: bool = False, limit: int | None = None, limit_area: Any = None
    ) -> Any:
        """Return missing elements replaced by the last one before them that is not missing."""
        return self._fill_from_neighbours("ffill", True, axis, inplace, limit, limit_area)

    def bfill(
        self, *, axis: Any = None, inplace: bool = False, limit: int | None = None, limit_area: Any = None
    ) -> Any:
        """Return missing elements replaced by the next one after them that is not missing."""
        return self._fill_from_neighbours("bfill", False, axis, inplace, limit, limit_area)

    def _fill_from_neighbours(
        self, function: str, forward: bool, axis: Any, inplace: bool, limit: Any, limit_area: Any
    ) -> Any:
        only_default(function, limit=(limit, None), limit_area=(limit_area, None))
        if axis is not None and axis_number(axis, type(self).__name__) == 1:
            raise NotImplementedError(f"{function} does not support `axis`=1")
        return self._map(lambda s: s.fill_from_neighbours(forward), inplace)

    # Elements.

    def abs(self) -> Self:
        """Return the absolute values."""
        return self._wrap(self._handle.unary("abs"))

    def cumsum(self, axis: Any = 0, skipna: bool = True) -> Self:
        """Return running sums; missing elements stay missing and are passed over."""
        return self._cumulative("sum", axis, skipna)

    def cumprod(self, axis: Any = 0, skipna: bool = True) -> Self:
        """Return running products; missing elements stay missing and are passed over."""
        return self._cumulative("prod", axis, skipna)

    def cummax(self, axis: Any = 0, skipna: bool = True) -> Self:
        """Return running maxima; missing elements stay missing and are passed over."""
        return self._cumulative("max", axis, skipna)

    def cummin(self, axis: Any = 0, skipna: bool = True) -> Self:
        """Return running minima; missing elements stay missing and are passed over."""
        return self._cumulative("min", axis, skipna)

    def _cumulative(self, op: str, axis: Any, skipna: bool) -> Any:
        only_default(f"cum{op}", skipna=(skipna, True))
        if axis_number(axis, type(self).__name__) == 1:
            raise NotImplementedError(f"cum{op} does not support `axis`=1")
        return self._map(lambda s: s.cumulative(op))

    def clip(self, lower: Any = None, upper: Any = None, *, axis: Any = None, inplace: bool = False) -> Any:
        """Return elements limited to ``[lower, upper]``, two scalars or None; missing ones stay missing."""
        for name, bound in (("lower", lower), ("upper", upper)):
            if is_list_like(bound):
                raise NotImplementedError(f"clip does not support a list-like `{name}`: give a scalar")
        return self._map(lambda s: s.clip(lower, upper), inplace)

    def shift(
        self, periods: int = 1, freq: Any = None, axis: Any = 0, fill_value: Any = None, suffix: Any = None
    ) -> Self:
        """Return elements ``periods`` rows further down (up, for negative), missing where there was none.

        ``fill_value`` stands there instead.
        """
        only_default("shift", freq=(freq, None), suffix=(suffix, None))
        if axis_number(axis, type(self).__name__) == 1:
            raise NotImplementedError("shift does not support `axis`=1")
        shifted = self._wrap(self._handle.shift(periods))
        if fill_value is None or periods == 0 or len(self) == 0:
            return shifted
        count = min(abs(periods), len(self))
        start = 0 if periods > 0 else len(self) - count
        rows = _cuprum.Column.from_iterable_of_py(range(start, start + count), "int64")
        return shifted._map(lambda s: s.set_rows(rows, fill_value))

    def diff(self, periods: int = 1, axis: Any = 0) -> Self:
        """Return the differences to the elements ``periods`` rows before; missing for the first ones."""
        if axis_number(axis, type(self).__name__) == 1:
            raise NotImplementedError("diff does not support `axis`=1")
        return self - self._wrap(self._handle.shift(periods))

    def pct_change(self, periods: int = 1) -> Self:
        """Return the relative differences to the elements ``periods`` rows before."""
        return self / self._wrap(self._handle.shift(periods)) - 1

    def mask(
        self, cond: Any, other: Any = None, *, inplace: bool = False, axis: Any = None, level: Any = None
    ) -> Any:
        """Return elements where ``cond`` is false, ``other`` (missing, if not given) where it is true.

        ``cond`` is matched by label, or is a callable of this object.
        """
        if callable(cond):
            cond = cond(self)
        if not isinstance(cond, IndexedFrame):
            cond = self._as_condition(cond)
        return self.where(~cond, other, inplace=inplace, axis=axis, level=level)

    # Summaries: each is reduced by the class's `_reduce`.

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, parameter: float | None = None
    ) -> Any:
        raise NotImplementedError

    def sum(
        self,
        *,
        axis: Any = 0,
        skipna: bool = True,
        numeric_only: bool = False,
        min_count: int = 0,
        **kwargs: Any,
    ) -> Any:
        """Return the sum; missing elements are skipped, the sum of none is 0."""
        total = self._reduce("sum", axis, skipna, numeric_only)
        return total if min_count <= 0 else self._if_counted(total, axis, numeric_only, min_count)

    def prod(
        self,
        *,
        axis: Any = 0,
        skipna: bool = True,
        numeric_only: bool = False,
        min_count: int = 0,
        **kwargs: Any,
    ) -> Any:
        """Return the product; missing elements are skipped, the product of none is 1."""
        total = self._reduce("prod", axis, skipna, numeric_only)
        return total if min_count <= 0 else self._if_counted(total, axis, numeric_only, min_count)

    product = prod

    def _if_counted(self, total: Any, axis: Any, numeric_only: bool, min_count: int) -> Any:
        """Return ``total`` where at least ``min_count`` elements are not missing, else missing."""
        count = self._reduce("count", axis, True, numeric_only)
        if isinstance(total, IndexedFrame):
            return total.where(count >= min_count)
        return total if count >= min_count else float("nan")

    def min(self, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the smallest element; missing ones are skipped, of none it is missing."""
        return self._reduce("min", axis, skipna, numeric_only)

    def max(self, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the largest element; missing ones are skipped, of none it is missing."""
        return self._reduce("max", axis, skipna, numeric_only)

    def mean(self, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the mean; missing elements are skipped, of none it is missing."""
        return self._reduce("mean", axis, skipna, numeric_only)

    def median(self, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        """Return the median; missing elements are skipped, of none it is missing."""
        return self._reduce("median", axis, skipna, numeric_only)

    def std(
        self, *, axis: Any = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any
    ) -> Any:
        """Return the standard deviation with divisor ``count - ddof``; missing elements are skipped."""
        return self._reduce("std", axis, skipna, numeric_only, float(ddof))

    def var(
        self, *, axis: Any = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False, **kwargs: Any
    ) -> Any:
        """Return the variance with divisor ``count - ddof``; missing elements are skipped."""
        return self._reduce("var", axis, skipna, numeric_only, float(ddof))

    def sem(self, *, axis: Any = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False) -> Any:
        """Return the standard error of the mean."""
        std = self._reduce("std", axis, skipna, numeric_only, float(ddof))
        count = self._reduce("count", axis, True, numeric_only)
        return std / count**0.5

    def any(self, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Return whether an element is true (not zero, not empty); missing ones are skipped."""
        only_default("any", bool_only=(bool_only, False))
        return self._reduce("any", axis, skipna, False)

    def all(self, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Return whether every element is true (not zero, not empty); missing ones are skipped."""
        only_default("all", bool_only=(bool_only, False))
        return self._reduce("all", axis, skipna, False)

    # Other libraries.

    def to_string(self, buf: Any = None, **kwargs: Any) -> str | None:
        """Return every row and column as text; or write it to ``buf``, a path or an open file."""
        from cuprum.options import whole_layout

        only_default("to_string", **{name: (value, None) for name, value in kwargs.items()})
        text = self._handle.to_text(**whole_layout())
        if buf is None:
            return text
        if hasattr(buf, "write"):
            buf.write(text)
        else:
            with open(buf, "w", encoding="utf-8") as file:
                file.write(text)
        return None

    def __repr__(self) -> str:
        from cuprum.options import text_layout

        return self._handle.to_text(**text_layout())


_set_handle: Callable[[Any, Any], None] = IndexedFrame._handle.__set__  # type: ignore[attr-defined]

# The classes, which import this module; filled in by `cuprum/__init__.py`.
DataFrame: Any = None
Series: Any = None
LocIndexer: Any = None  # type: ignore[no-redef]
ILocIndexer: Any = None  # type: ignore[no-redef]
AtIndexer: Any = None  # type: ignore[no-redef]
IAtIndexer: Any = None  # type: ignore[no-redef]
wrap_index: Any = None
index_handle: Any = None
positions_column: Any = None


def register(**names: Any) -> None:
    """Fill in the names that this module cannot import."""
    globals().update(names)


def wrap_series(handle: Any) -> Any:
    """Return a Series around a handle."""
    series = _new(Series)
    _set_handle(series, handle)
    return series


def wrap_frame(handle: Any) -> Any:
    """Return a DataFrame around a handle."""
    frame = _new(DataFrame)
    _set_handle(frame, handle)
    return frame
