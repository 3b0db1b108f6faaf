"""`Series`: one column whose rows have labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.aggregation import function_name, function_parameter
from cuprum.arguments import axis_number, is_list_like, is_missing, missing_value, only_default, plain_label
from cuprum.construction import (
    column_from,
    element_column,
    index_handle,
    mask_column,
    series_from_pandas,
    series_handle,
)
from cuprum.frame import IndexedFrame, _set_handle, wrap_frame, wrap_series
from cuprum.index import wrap_index
from cuprum.interop import to_numpy, to_pandas_array

if TYPE_CHECKING:
    from cuprum.accessors import DatetimeProperties, StringMethods
    from cuprum.dataframe import DataFrame
    from cuprum.groupby import SeriesGroupBy

__all__ = ["Series"]

_PLAIN = frozenset({int, float, bool, str})


class Series(IndexedFrame):
    """A column of one type with labels for its rows and a name.

    Parameters
    ----------
    data
        A list or any iterable of scalars, a NumPy or Arrow array, a pandas Series, a dict of labels
        and values, another Series, or one scalar that is repeated for every label of ``index``.
    index
        The labels of the rows, ``0, 1, …`` without them. Data that have labels are matched to these.
    dtype
        The type of the elements; found from them without it.
    name
        The name: ``str``, ``int`` or a tuple.

    Examples
    --------
    >>> Series([1, None, 3], index=["a", "b", "c"], name="x")
    a       1
    b    <NA>
    c       3
    Name: x, dtype: int64
    """

    __slots__ = ()

    def __init__(
        self,
        data: Any = None,
        index: Any = None,
        dtype: Any = None,
        name: Any = None,
        copy: bool | None = None,
    ) -> None:
        _set_handle(self, series_handle(data, index, dtype, name))

    _wrap = staticmethod(wrap_series)

    def _map(self, function: Any, inplace: bool = False) -> Any:
        return self._changed(function(self._handle), inplace)

    # What it is.

    @property
    def name(self) -> Any:
        """The name; assign to rename."""
        return self._handle.name()

    @name.setter
    def name(self, name: Any) -> None:
        _set_handle(self, self._handle.rename(plain_label(name)))

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._handle.dtype()

    dtypes = dtype

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self._handle)

    @property
    def shape(self) -> tuple[int]:
        """The number of elements, as a tuple."""
        return (len(self._handle),)

    @property
    def ndim(self) -> int:
        """Always 1."""
        return 1

    @property
    def nbytes(self) -> int:
        """Bytes of memory behind the elements."""
        return self._handle.nbytes()

    @property
    def hasnans(self) -> bool:
        """Whether an element is missing."""
        return self._handle.isna().reduce("any")

    @property
    def is_unique(self) -> bool:
        """Whether no element occurs twice."""
        return self._handle.nunique(True) == len(self)

    @property
    def is_monotonic_increasing(self) -> bool:
        """Whether the elements never decrease."""
        return self._as_index().is_monotonic_increasing()

    @property
    def is_monotonic_decreasing(self) -> bool:
        """Whether the elements never increase."""
        return Series(self.values[::-1])._as_index().is_monotonic_increasing()

    def _as_index(self) -> Any:
        return _cuprum.Index.from_columns([self._handle.column()], [None])

    def memory_usage(self, index: bool = True, deep: bool = False) -> int:
        """Return the bytes of memory behind the elements, and behind the labels unless ``index`` is False."""
        labels = self._handle.index()
        of_labels = (
            0
            if labels.as_range()
            else sum(labels.column(i).device_buffer_size() for i in range(labels.nlevels()))
        )
        return self.nbytes + (of_labels if index else 0)

    @property
    def str(self) -> StringMethods:
        """Functions of text; ``AttributeError`` for a series of another type."""
        from cuprum.accessors import StringMethods

        return StringMethods(self)

    @property
    def dt(self) -> DatetimeProperties:
        """Parts and functions of times; ``AttributeError`` for a series of another type."""
        from cuprum.accessors import DatetimeProperties

        return DatetimeProperties(self)

    # Elements.

    def _element(self, row: int) -> Any:
        value = self._handle.get(row)
        return missing_value(self._handle.dtype()) if value is None else value

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            labels = self._handle.index()
            plain = all(part is None or isinstance(part, int) for part in (key.start, key.stop, key.step))
            if plain and not (labels.nlevels() == 1 and labels.dtype(0).kind == "f"):
                return wrap_series(self._handle.iloc(key))
            return self.loc[key]
        if callable(key):
            key = key(self)
        return self.loc[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, slice) and all(
            part is None or isinstance(part, int) for part in (key.start, key.stop, key.step)
        ):
            self.iloc[key] = value
        else:
            self.loc[key] = value

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the elements as Python objects: slow; prefer methods of the whole series."""
        return iter(self.to_list())

    def __contains__(self, label: Any) -> bool:
        """Whether ``label`` is a row label, as in pandas."""
        return label in self.index

    def get(self, key: Any, default: Any = None) -> Any:
        """Return ``self[key]``, or ``default`` where there is no such label."""
        try:
            return self[key]
        except (KeyError, IndexError):
            return default

    def item(self) -> Any:
        """Return the only element; ``ValueError`` unless there is exactly one."""
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._element(0)

    def squeeze(self, axis: Any = None) -> Any:
        """Return the element of a series of one; any other series as it is."""
        return self._element(0) if len(self) == 1 else self

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def keys(self) -> Any:
        """Return the row labels."""
        return self.index

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over pairs of label and element: slow; prefer methods of the whole series."""
        return zip(self.index.to_list(), self.to_list(), strict=True)

    # Operators.

    def _operate(self, other: Any, op: str, reflected: bool) -> Any:
        handle = self._handle
        if type(other) in _PLAIN:
            try:
                return wrap_series(handle.binary_scalar(other, op, reflected))
            except TypeError:
                return self._incomparable(op)
        if isinstance(other, IndexedFrame):
            if not isinstance(other, Series):
                return NotImplemented
            left, right = (other._handle, handle) if reflected else (handle, other._handle)
            try:
                return wrap_series(left.binary(right, op))
            except TypeError:
                if not left.index().equals(right.index()):
                    raise
                return self._incomparable(op)
        if is_list_like(other):
            column = self._as_column(other)
            try:
                return wrap_series(handle.binary_column(column, op, reflected))
            except TypeError:
                return self._incomparable(op)
        try:
            return wrap_series(handle.binary_scalar(other, op, reflected))
        except TypeError:
            return self._incomparable(op)

    def _as_column(self, other: Any) -> Column:
        if getattr(other, "ndim", 1) != 1:
            raise ValueError(f"a Series cannot be combined with an array of {other.ndim} dimensions")
        if is_pandas_series(other):
            return series_from_pandas(other).reindex(self._handle.index()).column()
        return column_from(other)

    def _incomparable(self, op: str) -> Any:
        """What ``==`` and ``!=`` say of types that do not compare; to be called while handling the error."""
        if op not in ("eq", "ne"):
            raise
        return wrap_series(
            _cuprum.Series(Column.from_scalar(op == "ne", len(self)), self.name, self._handle.index())
        )

    def _operate_with(
        self, name: str, other: Any, op: str, reflected: bool, axis: Any, level: Any, fill_value: Any
    ) -> Any:
        only_default(name, level=(level, None))
        if axis is not None:
            axis_number(axis, "Series")
        left = self
        if fill_value is not None:
            if isinstance(other, Series):
                if not left._handle.index().equals(other._handle.index()):
                    both = _cuprum.concat_side_by_side(
                        [left._handle.to_frame(0), other._handle.to_frame(1)], True
                    ).sort_index(True)
                    left = wrap_series(both.column_at(0).rename(left.name))
                    other = wrap_series(both.column_at(1).rename(other.name))
                missing = left.isna() & other.isna()
                result = left.fillna(fill_value)._operate(other.fillna(fill_value), op, reflected)
                return result.mask(missing)
            left = left.fillna(fill_value)
        return left._operate(other, op, reflected)

    def __matmul__(self, other: Any) -> Any:
        return self.dot(other)

    def dot(self, other: Any) -> Any:
        """Return the sum of the products of the elements; rows matched by label."""
        return (self * other).sum()

    # Labels and shape.

    def rename(self, index: Any = None, *, inplace: bool = False, **kwargs: Any) -> Series | None:
        """Return the series under another name; with a dict or a callable, with other row labels."""
        only_default("rename", **{n: (v, d) for n, (v, d) in _ignored(kwargs, copy=None, errors="ignore")})
        if callable(index) or isinstance(index, Mapping):
            change = index if callable(index) else lambda label: index.get(label, label)
            labels = index_handle([change(label) for label in self.index.to_list()])
            handle = self._handle.with_index(labels.with_names(self._handle.index().names()))
        else:
            handle = self._handle.rename(plain_label(index))
        result = self._changed(handle, inplace)
        return None if inplace else result

    def rename_axis(self, index: Any = None, *, inplace: bool = False) -> Series | None:
        """Return the series with names for the levels of its row labels."""
        labels = self._handle.index()
        names = list(index) if is_list_like(index) else [index]
        result = self._changed(self._handle.with_index(labels.with_names(names)), inplace)
        return None if inplace else result

    def reset_index(
        self,
        level: Any = None,
        *,
        drop: bool = False,
        name: Any = None,
        inplace: bool = False,
        allow_duplicates: bool = False,
    ) -> Any:
        """Return a frame with the row labels as columns before the values; the values alone with ``drop``."""
        if drop and level is None:
            result = self._changed(self._handle.drop_index(), inplace)
            return None if inplace else result
        if inplace:
            raise TypeError("Cannot reset_index inplace on a Series to create a DataFrame")
        frame = self.to_frame() if name is None else self.to_frame(name)
        return frame.reset_index(level, drop=drop)

    def to_frame(self, name: Any = None) -> DataFrame:
        """Return a frame of this one column, called ``name``, or its own name, or 0."""
        return wrap_frame(self._handle.to_frame(plain_label(name)))

    def drop(
        self,
        labels: Any = None,
        *,
        axis: Any = 0,
        index: Any = None,
        columns: Any = None,
        level: Any = None,
        inplace: bool = False,
        errors: str = "raise",
    ) -> Any:
        """Return the series without the rows of some labels; ``KeyError`` for one that is not there."""
        only_default("drop", level=(level, None))
        labels = index if labels is None else labels
        if labels is None:
            raise ValueError("Need to specify at least one of 'labels' or 'index'")
        handle = drop_rows(self._handle, labels, errors)
        result = self._changed(handle, inplace)
        return None if inplace else result

    # Missing elements.

    def fillna(
        self, value: Any = None, *, axis: Any = None, inplace: bool = False, limit: int | None = None
    ) -> Any:
        """Return missing elements replaced by a scalar, or by those of a Series or dict with the same label.

        The scalar must fit the type, which becomes a wider one where that holds it.
        """
        only_default("fillna", limit=(limit, None))
        if value is None:
            raise ValueError("Must specify a fill 'value'.")
        if isinstance(value, Mapping) or is_pandas_series(value):
            value = Series(value)
        if isinstance(value, Series):
            handle = self._handle.fillna_with(value._handle)
        elif is_list_like(value):
            raise TypeError(
                f'"value" parameter must be a scalar, dict or Series, but you passed a "{type(value).__name__}"'
            )
        else:
            handle = self._handle.fillna(value)
        return self._changed(handle, inplace)

    def dropna(
        self, *, axis: Any = 0, inplace: bool = False, how: Any = None, ignore_index: bool = False
    ) -> Any:
        """Return the elements that are not missing."""
        axis_number(axis, "Series")
        handle = self._handle.dropna()
        result = self._changed(handle.drop_index() if ignore_index else handle, inplace)
        return None if inplace else result

    # Types and values.

    def astype(self, dtype: Any, copy: bool | None = None, errors: str = "raise") -> Series:
        """Return the elements cast to a type; with ``errors='ignore'`` as they are where they cannot be.

        ``ValueError`` for a text that is no such value and for NaN as an integer, ``OverflowError``
        for a number that does not fit.
        """
        if isinstance(dtype, Mapping):
            unknown = [label for label in dtype if label != self.name]
            if unknown:
                raise KeyError("Only the Series name can be used for the key in Series dtype mappings.")
            dtype = next(iter(dtype.values()), self.dtype)
        try:
            return wrap_series(self._handle.astype(dtype))
        except (ValueError, TypeError, OverflowError):
            if errors != "ignore":
                raise
            return self.copy()

    def round(self, decimals: int = 0) -> Series:
        """Return numbers rounded to ``decimals`` places, halves to even; negative places round tens."""
        return wrap_series(self._handle.round(decimals))

    def isin(self, values: Any) -> Series:
        """Return True where an element is one of ``values``, a list-like.

        A missing element is in ``values`` where they have one.
        """
        if not is_list_like(values):
            raise TypeError(
                "only list-like objects are allowed to be passed to isin(), you passed a "
                f"`{type(values).__name__}`"
            )
        values = list(values) if isinstance(values, (Mapping, set, frozenset)) else values
        try:
            column = column_from(values)
        except TypeError:
            # Elements of unlike types: those of each kind by themselves.
            values = list(values)
            kinds = {type(value) for value in values}
            if len(kinds) < 2:
                raise
            found = [self.isin([value for value in values if type(value) is kind]) for kind in kinds]
            result = found[0]
            for other in found[1:]:
                result = result | other
            return result
        try:
            return wrap_series(self._handle.isin(column))
        except TypeError:
            never = Column.from_scalar(False, len(self))
            return wrap_series(_cuprum.Series(never, self.name, self._handle.index()))

    def between(self, left: Any, right: Any, inclusive: str = "both") -> Series:
        """Return True where ``left <= element <= right``; ``inclusive`` says which ends count.

        ``inclusive`` is ``'both'``, ``'left'``, ``'right'`` or ``'neither'``.
        """
        if inclusive not in ("both", "left", "right", "neither"):
            raise ValueError("Inclusive has to be either string of 'both','left', 'right', or 'neither'.")
        lower = self >= left if inclusive in ("both", "left") else self > left
        upper = self <= right if inclusive in ("both", "right") else self < right
        return lower & upper

    def _as_condition(self, cond: Any) -> Series:
        return wrap_series(_cuprum.Series(mask_column(cond, self), None, self._handle.index()))

    def where(
        self, cond: Any, other: Any = None, *, inplace: bool = False, axis: Any = None, level: Any = None
    ) -> Any:
        """Return elements where ``cond`` is true, ``other`` (missing, if not given) where it is not.

        ``other`` is a scalar, or a Series, matched by label, or an array.
        """
        only_default("where", level=(level, None))
        if callable(cond):
            cond = cond(self)
        if callable(other):
            other = other(self)
        if isinstance(cond, Series):
            handle = cond._handle
            if not handle.index().equals(self._handle.index()):
                handle = handle.reindex(self._handle.index()).fillna(False)
            condition = handle.column()
        else:
            condition = mask_column(cond, self)
        if condition.type().kind != "b":
            raise TypeError(f"Boolean array expected for the condition, not {condition.type()}")
        if isinstance(other, Series):
            values = other._handle.reindex(self._handle.index()).column()
            handle = self._handle.where_column(condition, values)
        elif is_list_like(other):
            handle = self._handle.where_column(condition, column_from(other))
        else:
            handle = self._handle.where(condition, None if is_missing(other) else other)
        return self._changed(handle, inplace)

    def map(self, func: Any = None, na_action: str | None = None, **kwargs: Any) -> Series:
        """Return for every element what a dict or a Series has under it; missing where there is nothing.

        Functions of single elements are not called: ``NotImplementedError``; use operators and the
        ``str`` and ``dt`` accessors, which work on the whole series.
        """
        if isinstance(func, Mapping):
            func = Series(list(func.values()), index=list(func)) if func else Series([], dtype=self.dtype)
        if not isinstance(func, Series):
            raise NotImplementedError(
                "map takes a dict or a Series; functions of single elements are not called"
            )
        index = func._handle.index()
        keys = _cuprum.Index.from_columns([self._handle.column()], [None])
        if not index.is_unique():
            raise ValueError("Reindexing only valid with uniquely valued Index objects")
        values = func._handle.reindex(keys).column()
        return wrap_series(_cuprum.Series(values, self.name, self._handle.index()))

    def apply(self, func: Any, args: tuple[Any, ...] = (), **kwargs: Any) -> Any:
        """Return the result of a named aggregation or NumPy function; others raise ``NotImplementedError``."""
        if getattr(func, "__class__", None).__name__ == "ufunc":
            return func(self)
        return self.agg(func)

    def replace(
        self, to_replace: Any = None, value: Any = None, *, inplace: bool = False, regex: bool = False
    ) -> Any:
        """Return elements equal to ``to_replace`` replaced by ``value``: scalars, two lists, or one dict."""
        only_default("replace", regex=(regex, False))
        if isinstance(to_replace, Mapping):
            pairs = list(to_replace.items())
        elif is_list_like(to_replace):
            values = list(value) if is_list_like(value) else [value] * len(to_replace)
            if len(values) != len(to_replace):
                raise ValueError(
                    f"Replacement lists must match in length. Expecting {len(to_replace)} got {len(values)}"
                )
            pairs = list(zip(to_replace, values, strict=True))
        else:
            pairs = [(to_replace, value)]
        result = self
        for old, new in pairs:
            found = self.isna() if is_missing(old) else self == old
            result = result.mask(found, new)
        return self._changed(result._handle, inplace)

    # Order and repetition.

    def sort_values(
        self,
        *,
        axis: Any = 0,
        ascending: Any = True,
        inplace: bool = False,
        kind: str = "quicksort",
        na_position: str = "last",
        ignore_index: bool = False,
        key: Any = None,
    ) -> Any:
        """Return the elements in order, missing ones last (or ``'first'``); equal ones keep their order."""
        only_default("sort_values", key=(key, None))
        axis_number(axis, "Series")
        if is_list_like(ascending):
            (ascending,) = ascending
        handle = self._handle.sort_values(bool(ascending), na_position)
        result = self._changed(handle.drop_index() if ignore_index else handle, inplace)
        return None if inplace else result

    def argsort(
        self, axis: Any = 0, kind: str = "quicksort", order: Any = None, stable: Any = None
    ) -> Series:
        """Return the positions that would sort the elements, missing ones last."""
        return wrap_series(self._handle.argsort(True))

    def nlargest(self, n: int = 5, keep: str = "first") -> Series:
        """Return the ``n`` largest elements, largest first; equal ones in row order; missing ones left out."""
        only_default("nlargest", keep=(keep, "first"))
        return wrap_series(self._handle.top(max(n, 0), True))

    def nsmallest(self, n: int = 5, keep: str = "first") -> Series:
        """Return the ``n`` smallest elements, smallest first; equal ones in row order; missing ones left out."""
        only_default("nsmallest", keep=(keep, "first"))
        return wrap_series(self._handle.top(max(n, 0), False))

    def unique(self) -> Any:
        """Return the different elements in order of first appearance, a missing one once, as a NumPy array."""
        return to_numpy(self._handle.unique().column(), copy=True)

    def nunique(self, dropna: bool = True) -> int:
        """Return the number of different elements; missing ones count once unless ``dropna``."""
        return self._handle.nunique(not dropna)

    def drop_duplicates(
        self, *, keep: Any = "first", inplace: bool = False, ignore_index: bool = False
    ) -> Any:
        """Return the rows without repeated elements; ``keep`` is ``'first'``, ``'last'`` or False for none."""
        handle = self._handle.drop_duplicates(keep)
        result = self._changed(handle.drop_index() if ignore_index else handle, inplace)
        return None if inplace else result

    def duplicated(self, keep: Any = "first") -> Series:
        """Return True where an element repeats one that ``keep`` keeps."""
        return wrap_series(self._handle.duplicated(keep))

    def value_counts(
        self,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        bins: Any = None,
        dropna: bool = True,
    ) -> Series:
        """Return how often each element occurs, most frequent first, ties by first appearance.

        With ``normalize`` the shares of the total.
        """
        only_default("value_counts", bins=(bins, None))
        return wrap_series(self._handle.value_counts(normalize, sort, ascending, dropna))

    def mode(self, dropna: bool = True) -> Series:
        """Return the most frequent elements, ascending."""
        counts = self.value_counts(dropna=dropna)
        top = counts[counts == counts.max()]
        return top.index.to_series(name=self.name).reset_index(drop=True).sort_values(ignore_index=True)

    # Summaries.

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, parameter: float | None = None
    ) -> Any:
        if axis is not None and axis != 0:
            axis_number(axis, "Series")
        if not skipna and name not in ("count", "size") and self.hasnans:
            return missing_value(self.dtype)
        try:
            value = self._handle.reduce(name, parameter)
        except NotImplementedError as error:
            raise TypeError(str(error)) from None
        if value is None:
            kind = self._handle.dtype()
            return missing_value(kind) if kind.kind in "Mm" else _NAN
        return value

    def count(self) -> int:
        """Return the number of elements that are not missing."""
        return self._handle.reduce("count")

    def quantile(self, q: Any = 0.5, interpolation: str = "linear") -> Any:
        """Return the value below which a share ``q`` of the elements lies, interpolated between neighbours.

        One value for one ``q``, a Series labelled by them for several. Missing elements are skipped.
        """
        only_default("quantile", interpolation=(interpolation, "linear"))
        if is_list_like(q):
            return wrap_series(self._handle.quantile([float(x) for x in q]))
        value = self._handle.quantile([float(q)]).get(0)
        return _NAN if value is None else value

    def idxmax(self, axis: Any = 0, skipna: bool = True) -> Any:
        """Return the label of the first largest element; ``ValueError`` where there is none."""
        return self._extreme_label(True)

    def idxmin(self, axis: Any = 0, skipna: bool = True) -> Any:
        """Return the label of the first smallest element; ``ValueError`` where there is none."""
        return self._extreme_label(False)

    def _extreme_label(self, largest: bool) -> Any:
        top = self._handle.top(1, largest)
        if not len(top):
            name = "idxmax" if largest else "idxmin"
            raise ValueError(
                f"Can't get {name} of an empty Series"
                if not len(self)
                else f"Encountered all NA values in {name}"
            )
        return wrap_index(top.index())[0]

    def argmax(self, axis: Any = 0, skipna: bool = True) -> int:
        """Return the position of the first largest element."""
        return wrap_series(self._handle.drop_index())._extreme_label(True)

    def argmin(self, axis: Any = 0, skipna: bool = True) -> int:
        """Return the position of the first smallest element."""
        return wrap_series(self._handle.drop_index())._extreme_label(False)

    def first_valid_index(self) -> Any:
        """Return the label of the first element that is not missing; None where all are."""
        kept = self._handle.dropna()
        return wrap_index(kept.index())[0] if len(kept) else None

    def last_valid_index(self) -> Any:
        """Return the label of the last element that is not missing; None where all are."""
        kept = self._handle.dropna()
        return wrap_index(kept.index())[-1] if len(kept) else None

    def cov(self, other: Series, min_periods: int | None = None, ddof: int = 1) -> float:
        """Return the covariance with another series, rows matched by label, missing pairs skipped."""
        both = _cuprum.concat_side_by_side([self._handle.to_frame(0), other._handle.to_frame(1)], False)
        both = wrap_frame(both.dropna([], 2)).astype("float64")
        left, right = both[0], both[1]
        if len(both) <= ddof:
            return _NAN
        return ((left - left.mean()) * (right - right.mean())).sum() / (len(both) - ddof)

    def corr(self, other: Series, method: str = "pearson", min_periods: int | None = None) -> float:
        """Return Pearson's correlation with another series, rows matched by label, missing pairs skipped."""
        only_default("corr", method=(method, "pearson"))
        both = _cuprum.concat_side_by_side([self._handle.to_frame(0), other._handle.to_frame(1)], False)
        both = wrap_frame(both.dropna([], 2)).astype("float64")
        left, right = both[0] - both[0].mean(), both[1] - both[1].mean()
        scale = ((left * left).sum() * (right * right).sum()) ** 0.5
        return (left * right).sum() / scale if scale else _NAN

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Series:
        """Return count, mean, standard deviation, minimum, quartiles and maximum of numbers.

        Of other types count, number of different elements, the most frequent one and its frequency,
        as texts.
        """
        only_default("describe", percentiles=(percentiles, None))
        return wrap_series(self._handle.describe())

    def agg(self, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Return one aggregation by name, or a Series of several in a list or dict (of labels and names).

        Names are those of the methods; NumPy's functions and Python's ``sum``, ``min``, ``max`` and
        ``len`` stand for theirs. Other callables raise ``NotImplementedError``.
        """
        if isinstance(func, Mapping):
            labels, functions = list(func), list(func.values())
        elif is_list_like(func):
            functions = list(func)
            labels = [function_name(f) for f in functions]
        else:
            name = function_name(func)
            if function_parameter(func) is not None:
                kwargs.setdefault("ddof", 0)
            if name in ("first", "last"):
                return self._reduce(name, 0, True, False)
            return len(self) if name == "size" else getattr(self, name)(*args, **kwargs)
        return Series([self.agg(f) for f in functions], index=labels, name=self.name)

    aggregate = agg

    def groupby(
        self,
        by: Any = None,
        level: Any = None,
        *,
        as_index: bool = True,
        sort: bool = True,
        group_keys: bool = True,
        observed: bool = True,
        dropna: bool = True,
    ) -> SeriesGroupBy:
        """Return groups of the elements by other values of their rows; see `DataFrame.groupby`."""
        from cuprum.groupby import groups_of_series

        return groups_of_series(self, by, level, as_index, sort, dropna)

    def equals(self, other: Any) -> bool:
        """Whether ``other`` has equal elements, type and row labels; missing equals missing."""
        return isinstance(other, Series) and self._handle.equals(other._handle)

    # Other libraries.

    @classmethod
    def from_pandas(cls, obj: Any) -> Series:
        """Return a series of a pandas Series: values, name and row labels."""
        return wrap_series(series_from_pandas(obj))

    @classmethod
    def from_arrow(cls, obj: Any) -> Series:
        """Return a series of an object that exports an Arrow array, sharing memory where layouts agree."""
        return wrap_series(_cuprum.Series(Column.from_arrow(obj)))

    @property
    def values(self) -> Any:
        """The elements as a NumPy array; see `to_numpy`."""
        return self.to_numpy()

    @property
    def array(self) -> Any:
        """The elements as a NumPy array; see `to_numpy`."""
        return self.to_numpy()

    def to_numpy(self, dtype: Any = None, copy: bool = False, na_value: Any = ...) -> Any:
        """Return the elements as a NumPy array, read-only where it shares memory.

        Missing integers make it float64 with NaN; text is an array of objects with NaN, truth values
        with missing ones one with None. ``na_value`` stands for missing elements instead.
        """
        array = to_numpy(self._handle.column(), copy=copy, na_value=na_value)
        return array if dtype is None else array.astype(dtype, copy=False)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.to_numpy(dtype, copy=bool(copy))

    def to_pandas(self, *, nullable: bool = False) -> Any:
        """Return a pandas Series with the same labels and name.

        Missing integers make it float64, unless ``nullable`` asks for pandas' nullable types.
        """
        import pandas as pd

        values = to_pandas_array(self._handle.column(), nullable=nullable)
        return pd.Series(values, index=self.index.to_pandas(), name=self.name, copy=False)

    def to_arrow(self) -> Any:
        """Return a ``pyarrow.Array`` of the elements, sharing memory where layouts agree."""
        return self._handle.column().to_arrow()

    def __arrow_c_schema__(self) -> object:
        return self._handle.column().__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        return self._handle.column().__arrow_c_array__(requested_schema)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow_stream()

    def to_arrow_stream(self) -> object:
        """Return the elements as an Arrow stream of one column, in a PyCapsule."""
        return self._handle.to_frame().arrow_stream()

    def to_list(self) -> list[Any]:
        """Return the elements as Python objects, missing ones as ``NaN``, ``NaT`` or None."""
        column = self._handle.column()
        if not column.null_count():
            return column.to_pylist()
        return column.to_pylist(missing_value(column.type()))

    tolist = to_list

    def to_dict(self, *, into: Any = dict) -> Any:
        """Return the elements under their row labels."""
        return into(self.items())

    def __reduce__(self) -> Any:
        labels = self._handle.index()
        return (_restore, (self._handle.column(), self.name, wrap_index(labels)))


_NAN = float("nan")


def _restore(column: Column, name: Any, index: Any) -> Series:
    return wrap_series(_cuprum.Series(column, name, index._handle))


def _ignored(kwargs: dict[str, Any], **known: Any) -> list[tuple[str, tuple[Any, Any]]]:
    """Pairs for `only_default` of keyword arguments; those in ``known`` are allowed and ignored."""
    return [(name, (value, None)) for name, value in kwargs.items() if name not in known]


def is_pandas_series(obj: Any) -> bool:
    """Whether ``obj`` is a pandas Series."""
    from cuprum.interop import is_pandas

    return is_pandas(obj, "Series")


def drop_rows(handle: Any, labels: Any, errors: str) -> Any:
    """Return a handle without the rows of some labels; ``errors='ignore'`` passes over unknown ones."""
    if errors not in ("raise", "ignore"):
        raise ValueError(f"`errors` is {errors!r}; known are 'raise' and 'ignore'")
    index = handle.index()
    if index.nlevels() > 1:
        raise NotImplementedError("drop does not support rows of a MultiIndex")
    labels = labels if is_list_like(labels) and not isinstance(labels, tuple) else [labels]
    column = column_from(labels) if len(labels) else element_column(None, 0, index.dtype(0))
    if errors == "ignore":
        try:
            known = index.to_series(0).isin(column).column()
        except TypeError:
            return handle
        kept = wrap_series(_cuprum.Series(known))
        return handle.filter((~kept)._handle.column())
    try:
        return handle.drop_rows(column)
    except KeyError as error:
        raise KeyError(f"{list(labels)} not found in axis ({error.args[0]})") from None
