"""Other labels made of labels: some put in, taken out, replaced, shifted or cast."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import integer_of, is_list_like, only_truth, plain_label
from cuprum.core.construction import cast_column, column_from, positions_to_take
from cuprum.core.dtypes import names_object
from cuprum.core.error_classes import ClassesOfPandas
from cuprum.core.functions.results import like_elements, look_up
from cuprum.core.index.duration_texts import named_duration
from cuprum.core.index.levels import levels_in_order
from cuprum.core.index.regular import regular
from cuprum.core.interop import is_pandas, to_numpy
from cuprum.core.label_columns import index_of_columns
from cuprum.core.label_construction import index_handle
from cuprum.core.missing import is_missing

if TYPE_CHECKING:
    from collections.abc import Callable

    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
    from cuprum.typing import AnyDType, DropnaHow, ErrorsIgnored, Frequency, ListLike, NaAction


def of(self: Index, column: Column) -> Any:
    """Return an index of a column under this one's name."""
    return objects.wrap_index(index_of_columns([column], self._handle.names()))


def _labels_as_series(self: Index) -> Any:
    return self._series()


@regular
def take(
    self: Index, indices: ListLike, axis: Any = 0, allow_fill: Any = ..., fill_value: Any = ...
) -> Index:
    """Return the labels at some positions.

    Parameters
    ----------
    indices : list-like of int
        The positions, negative ones counted from the end.
    axis : {0}, default 0
        Labels have one axis; other values are refused.
    allow_fill : bool, optional
        Whether -1 stands for ``fill_value`` and not for the last label. By default true where a
        ``fill_value`` is given.
    fill_value : scalar, optional
        The label that -1 stands for; None is a missing label, which needs ``allow_fill=True``.

    Returns
    -------
    Index
        The labels in the order of ``indices``. Times keep their frequency where they still have it.

    Raises
    ------
    IndexError
        Where a position is beyond the labels.
    ValueError
        Where a position is below -1 while -1 stands for a fill value.
    NotImplementedError
        Where a fill value is needed in a MultiIndex.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([10, 20, 30])
    >>> index.take([2, 0, -1])
    Index([30, 10, 30], dtype='int64')
    >>> index.take([0, -1], allow_fill=True)
    Index([10, <NA>], dtype='int64')
    """
    if axis != 0:
        raise ValueError(f"`axis` is {axis!r}: labels have one axis, 0")
    if not is_list_like(indices):
        raise TypeError("Expected indices to be array-like")
    fills = fill_value is not ... if allow_fill is ... else bool(allow_fill)
    if fill_value is None and allow_fill is ...:
        fills = False
    column = positions_to_take(indices)
    if not fills:
        rows = _cuprum.Series(_cuprum.Index.range(0, len(self)).column(0)).iloc(column)
        return objects.wrap_index(self._handle.take(rows.column()))
    import numpy as np

    at = to_numpy(column).astype("int64")
    if (at < -1).any():
        raise ValueError("When allow_fill=True, all indices must be >= -1")
    if (at < 0).any() and not len(self):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    taken = self.take(np.where(at < 0, 0, at))
    if not (at < 0).any():
        return taken
    if self._handle.nlevels() > 1:
        raise NotImplementedError("MultiIndex.take does not support `fill_value`")
    return taken.where(at >= 0, None if fill_value is ... else fill_value)


@regular
def insert(self: Index, loc: int, item: Any) -> Index:
    """Return the labels with another one put in before a position.

    Parameters
    ----------
    loc : int
        The position that the label gets; a negative one is counted from the end.
    item : label
        The label; a tuple for a MultiIndex.

    Returns
    -------
    Index
        One label more than before, of a type that holds all of them.

    Raises
    ------
    IndexError
        Where ``loc`` is beyond the labels.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([10, 20, 30]).insert(1, 15)
    Index([10, 15, 20, 30], dtype='int64')
    >>> cuprum.Index(["a", "b"]).insert(2, None)
    Index(['a', 'b', nan], dtype='str')
    """
    at = integer_of("loc", loc)
    length = len(self)
    if not -length <= at <= length:
        raise IndexError(f"index {at} is out of bounds for axis 0 with size {length}")
    handle = self._handle
    if length and handle.nlevels() == 1 and handle.kind() != "mixed" and _is_number_of_numpy(item):
        # It keeps its type, which that of the labels has to hold.
        handle = self.astype(self[:1].where([False], item).dtype)._handle
    return objects.wrap_index(handle.insert(at + length if at < 0 else at, _as_label(self, item)))


def _as_label(self: Index, item: Any) -> Any:
    """Return a label as Python knows it; among durations a text that names one is it."""
    named = named_duration(item, self._handle)
    if named is not None or (is_list_like(item) and not isinstance(item, tuple)):
        return item if named is None else named
    return plain_label(item)


@regular
def delete(self: Index, loc: Any) -> Index:
    """Return the labels without those at some positions.

    Parameters
    ----------
    loc : int, list-like of int, slice or boolean array
        The positions that are left out, negative ones counted from the end.

    Returns
    -------
    Index
        The other labels in the same order.

    Raises
    ------
    IndexError
        Where a position is beyond the labels.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index(["a", "b", "c"])
    >>> index.delete(0)
    Index(['b', 'c'], dtype='str')
    >>> index.delete([0, -1])
    Index(['b'], dtype='str')
    """
    import numpy as np

    rows = np.atleast_1d(np.arange(len(self), dtype="int64")[loc])
    return objects.wrap_index(self._handle.delete(Column.from_numpy(rows)))


def repeat(self: Index, repeats: Any, axis: None = None) -> Index:
    """Return every label several times in a row.

    Parameters
    ----------
    repeats : int or list-like of int
        How often each label occurs: one number for all, or one for each label. Negative ones are refused.
    axis : None, default None
        A parameter of NumPy's function; other values than None are refused.

    Returns
    -------
    Index
        The labels in the same order, equal ones next to each other.

    Raises
    ------
    ValueError
        Where ``repeats`` has another length than the labels, or a negative number.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index(["a", "b"]).repeat(2)
    Index(['a', 'a', 'b', 'b'], dtype='str')
    >>> cuprum.Index(["a", "b"]).repeat([0, 3])
    Index(['b', 'b', 'b'], dtype='str')
    """
    if axis is not None:
        raise ValueError("the 'axis' parameter is not supported by repeat(): it is NumPy's")
    if is_list_like(repeats):
        import numpy as np

        times = np.asarray(repeats)
        length = len(self)
        if times.dtype.kind not in "iu" and times.size:
            raise TypeError(f"`repeats` is {repeats!r}; it is a number, or one for each label")
        if times.size and times.min() < 0:
            raise ValueError("repeats may not contain negative values.")
        if len(times) not in (1, length):
            raise ValueError(f"`repeats` has {len(times)} numbers for {length} labels")
        return self.take(np.repeat(np.arange(length), times.astype("int64")))
    if repeats < 0:
        raise ValueError("negative repeats: `repeats` must not be below 0")
    return objects.wrap_index(self._handle.repeat(integer_of("repeats", repeats)))


@regular
def append(self: Index, other: Any) -> Index:
    """Return the labels followed by those of other indexes.

    Parameters
    ----------
    other : Index, or list or tuple of Index
        One index, or several whose labels follow in their order.

    Returns
    -------
    Index
        All labels, of a type that holds them; without a name where the names differ.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([1, 2])
    >>> index.append(cuprum.Index([2.5, None]))
    Index([1.0, 2.0, 2.5, nan], dtype='float64')
    >>> index.append([cuprum.Index([3]), cuprum.Index([4])])
    Index([1, 2, 3, 4], dtype='int64')
    """
    others = other if isinstance(other, (list, tuple)) else [other]
    return objects.wrap_index(_cuprum.Index.concat([self._handle, *(index_handle(o) for o in others)]))


@regular
def drop(self: Index, labels: Any, errors: ErrorsIgnored = "raise") -> Index:
    """Return the labels without some of them.

    Parameters
    ----------
    labels : label or list-like of labels
        The labels that are left out, each wherever it occurs. A tuple is one label.
    errors : {``'raise'``, ``'ignore'``}, default ``'raise'``
        What happens to a label that is not there: a ``KeyError``, or nothing.

    Returns
    -------
    Index
        The other labels in the same order.

    Raises
    ------
    KeyError
        Where a label is not there and ``errors`` is ``'raise'``.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index(["a", "b", "a"])
    >>> index.drop("a")
    Index(['b'], dtype='str')
    >>> index.drop(["b", "z"], errors="ignore")
    Index(['a', 'a'], dtype='str')
    """
    if errors not in ("raise", "ignore"):
        raise ValueError(f"`errors` is {errors!r}; known are 'raise' and 'ignore'")
    gone = [labels] if isinstance(labels, tuple) or not is_list_like(labels) else list(labels)
    unknown = [label for label in gone if label not in self]
    if unknown and errors == "raise":
        raise KeyError(f"{unknown} not found in axis")
    return self[~self.isin(gone)]


def where(self: Index, cond: Any, other: Any = None) -> Index:
    """Return the labels where a condition is true, and others where it is not.

    Parameters
    ----------
    cond : list-like of bool
        One truth value for each label.
    other : scalar or list-like, optional
        What stands where ``cond`` is false: one label for all rows, or one for each row. By default missing
        labels.

    Returns
    -------
    Index
        As many labels as before; objects where no type holds both kinds.

    Raises
    ------
    ValueError
        Where ``cond`` or ``other`` has another length than the labels.
    NotImplementedError
        For a MultiIndex.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index(["car", "bike"])
    >>> index.where([True, False], "other")
    Index(['car', 'other'], dtype='str')
    >>> index.where([True, False])
    Index(['car', nan], dtype='str')
    """
    if self._handle.nlevels() > 1:
        raise NotImplementedError(".where is not supported for MultiIndex operations")
    import numpy as np

    kept = np.asarray(cond, dtype=bool)
    length = len(self)
    if kept.shape != (length,):
        raise ValueError(f"Array conditional must be same shape as self: {kept.shape} for {length} labels")
    if is_list_like(other) and not isinstance(other, tuple) and len(other) != length:
        raise ValueError(f"`other` has {len(other)} labels for {length}")
    if self._handle.kind() != "mixed":
        values = other if _is_number_of_numpy(other) else _as_label(self, other)
        if isinstance(other, objects.Index) and other.nlevels == 1:
            values = other._column()
        try:
            return self._of(_labels_as_series(self).where(kept, values)._handle.column())
        except (TypeError, ValueError, OverflowError):
            pass
    # No type holds both: the labels as they are.
    others = list(other) if is_list_like(other) and not isinstance(other, tuple) else [other] * length
    ours = self.to_list()
    labels = [own if keep else new for own, keep, new in zip(ours, kept, others, strict=True)]
    return objects.Index(labels, name=self.name)


def putmask(self: Index, mask: Any, value: Any) -> Index:
    """Return the labels with others put in where a mask is true.

    Parameters
    ----------
    mask : list-like of bool
        One truth value for each label.
    value : scalar or list-like
        What stands where ``mask`` is true: one label for all rows, or a list-like with one for each row.

    Returns
    -------
    Index
        As many labels as before; objects where no type holds both kinds.

    Raises
    ------
    ValueError
        Where ``mask`` has another length than the labels.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([1, 2, 3])
    >>> index.putmask([False, True, False], 20)
    Index([1, 20, 3], dtype='int64')
    >>> index.putmask([False, True, True], [10, 20, None])
    Index([1, 20, <NA>], dtype='int64')
    """
    import numpy as np

    flags = np.asarray(mask, dtype=bool)
    if flags.shape != (len(self),):
        raise ValueError("putmask: mask and data must be the same size")
    return self.where(~flags, value) if flags.any() else objects.wrap_index(self._handle)


@regular
def fillna(self: Index, value: Any) -> Index:
    """Return the labels with a value instead of missing ones.

    Parameters
    ----------
    value : scalar
        The label that stands for missing ones. List-likes are refused.

    Returns
    -------
    Index
        The labels without missing ones; objects where no type holds ``value`` too.

    Raises
    ------
    TypeError
        Where ``value`` is a list-like.
    NotImplementedError
        For a MultiIndex.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index(["a", None, "c"]).fillna("b")
    Index(['a', 'b', 'c'], dtype='str')
    """
    if self._handle.nlevels() > 1:
        raise NotImplementedError("fillna is not defined for MultiIndex")
    if is_list_like(value):
        raise TypeError(f"'value' must be a scalar, passed: {type(value).__name__}")
    if self._labels_of_range() is not None:
        return objects.wrap_index(self._handle)
    return self._of(_labels_as_series(self).fillna(value)._handle.column())


@regular
def dropna(self: Index, how: DropnaHow = "any") -> Index:
    """Return the labels that are not missing.

    Parameters
    ----------
    how : {``'any'``, ``'all'``}, default ``'any'``
        Which labels of a MultiIndex are left out: those with a missing part, or those all of whose parts are
        missing.

    Returns
    -------
    Index
        The other labels in the same order.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([1, None, 2]).dropna()
    Index([1, 2], dtype='int64')
    >>> index = cuprum.MultiIndex.from_tuples([("a", 1), ("b", None), (None, None)])
    >>> index.dropna(how="all")
    MultiIndex([('a',    1),
                ('b', <NA>)],
               )
    """
    if how not in ("any", "all"):
        raise ValueError(f"invalid how option: {how}")
    if self._labels_of_range() is not None:
        return objects.wrap_index(self._handle)
    if self._handle.nlevels() > 1:
        levels = [level.isna() for level in levels_in_order(self)]
        missing = functools.reduce(operator.or_ if how == "any" else operator.and_, levels)
    else:
        missing = self.isna()
    return self[~missing]


def replace(self: Index, to_replace: Any = None, value: Any = ..., regex: Any = False) -> Index:
    """Return the labels with some values replaced by others.

    Parameters
    ----------
    to_replace : scalar, list-like, dict or pattern, optional
        The labels that are replaced, or a dict of old and new ones.
    value : scalar or list-like, optional
        What stands in their place.
    regex : bool or pattern, default False
        Whether ``to_replace`` has regular expressions, or these themselves.

    Returns
    -------
    Index
        As many labels as before.

    Raises
    ------
    NotImplementedError
        For a MultiIndex.

    See Also
    --------
    Series.replace : The same for elements, with all forms of the arguments.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([1, 2, 3]).replace(3, 30)
    Index([1, 2, 30], dtype='int64')
    >>> cuprum.Index(["ab", "b"]).replace("^a", "x", regex=True)
    Index(['xb', 'b'], dtype='str')
    """
    if self._handle.nlevels() > 1:
        raise NotImplementedError("replace is not implemented for MultiIndex")
    return self._of(_labels_as_series(self).replace(to_replace, value, regex=regex)._handle.column())


def map_(
    self: Index, mapper: Callable[..., Any] | Mapping[Any, Any] | Series, na_action: NaAction | None = None
) -> Index:
    """Return the labels that a function, dict or Series makes of these.

    Parameters
    ----------
    mapper : function, dict or Series
        What gives a new label for an old one. Labels that a dict or Series does not have become missing.
    na_action : {``'ignore'``}, optional
        With ``'ignore'`` missing labels stay missing, and are not handed to a function.

    Returns
    -------
    Index
        As many labels as before, a MultiIndex where they are tuples. They have the type of the old labels
        where that holds
        them and is of their kind. Objects that are no labels are in an index of pandas.

    Notes
    -----
    A function is called once for each label, which is slow.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index(["a", "b", None])
    >>> index.map({"a": "x", "b": "y"})
    Index(['x', 'y', nan], dtype='str')
    >>> index.map(str.upper, na_action="ignore")
    Index(['A', 'B', nan], dtype='str')
    """
    if na_action not in (None, "ignore"):
        raise ValueError(f"na_action must either be 'ignore' or None, {na_action!r} was passed")
    depth, name = self._handle.nlevels(), self.name
    if is_pandas(mapper, "Series"):
        mapper = objects.Series(mapper)
    if isinstance(mapper, (Mapping, objects.Series)) and not hasattr(type(mapper), "__missing__"):
        values = mapper.values() if isinstance(mapper, Mapping) else []
        if depth == 1 and not any(isinstance(value, tuple) for value in values):
            found = _labels_as_series(self).map(mapper, na_action)
            return self._like(found._handle.column())
    if callable(mapper):
        made = mapper
    elif hasattr(type(mapper), "__missing__"):
        made = look_up(cast("Mapping[Any, Any]", mapper))
    else:
        made = mapper.get
    labels = [
        label if na_action == "ignore" and is_missing(label) else made(label) for label in self.to_list()
    ]
    if not labels and depth == 1:
        return self._of(self._column())
    if not labels or not isinstance(labels[0], tuple):
        try:
            found = objects.Index(labels, name=name)
        except TypeError:
            import pandas as pd

            return pd.Index(labels, name=name)  # objects are no labels
        kinds = {self._handle.kind(), found._handle.kind()}
        return found if depth > 1 or "mixed" in kinds else self._like(found._handle.column(0))
    index = objects.Index(labels)
    names = self._handle.names() if depth == index.nlevels else [name] * index.nlevels
    return objects.wrap_index(index._handle.with_names(names))


def like(self: Index, labels: Column) -> Any:
    """Return an index of labels, in the type of these where it is of their kind and has all of them."""
    return self._of(like_elements(labels, self._column()))


@regular
def astype(self: Index, dtype: AnyDType, copy: bool = True) -> Index:
    """Return the labels cast to another dtype.

    Parameters
    ----------
    dtype : dtype or str
        The type: of NumPy, pandas or Cuprum, or a name such as ``'float64'``, ``'str'`` or ``'category'``.
    copy : bool, default True
        Without effect: labels are immutable.

    Returns
    -------
    Index
        The kind of index that the type has. A range stays one where the type is its own, and times keep their
        frequency.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([1, 2]).astype("float64")
    Index([1.0, 2.0], dtype='float64')
    >>> cuprum.Index(["2024-01-01", None]).astype("datetime64[s]")
    DatetimeIndex(['2024-01-01', 'NaT'], dtype='datetime64[s]', freq=None)
    """
    only_truth("Index.astype", copy=copy)
    if isinstance(self, objects.RangeIndex) and self.dtype == dtype:
        return self.copy()
    if names_object(dtype):
        return objects.Index(self, dtype=object)
    with ClassesOfPandas():
        return self._of(cast_column(self._column(), dtype))


def infer_objects(self: Index, copy: bool = True) -> Index:
    """Return labels kept as objects in the dtype that all of them have.

    Parameters
    ----------
    copy : bool, default True
        Without effect: labels are immutable.

    Returns
    -------
    Index
        The labels in their common type; unchanged where there is none, or where they are no objects.

    Raises
    ------
    NotImplementedError
        For a MultiIndex.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index(["a", 1, 2])
    >>> index.drop("a")
    Index([1, 2], dtype='object')
    >>> index.drop("a").infer_objects()
    Index([1, 2], dtype='int64')
    """
    only_truth("Index.infer_objects", copy=copy)
    if self._handle.nlevels() > 1:
        raise NotImplementedError(
            "infer_objects is not implemented for MultiIndex. Use index.to_frame().infer_objects() instead."
        )
    if self._handle.kind() != "mixed":
        return objects.wrap_index(self._handle.shallow_copy())
    labels = self._handle.labels()
    if any(isinstance(label, tuple) for label in labels):
        return objects.wrap_index(self._handle)
    return objects.Index(labels, name=self.name)


def round_(self: Index, decimals: int = 0) -> Index:
    """Return the labels rounded to some decimal places.

    Parameters
    ----------
    decimals : int, default 0
        How many places; negative ones round to tens, hundreds and so on.

    Returns
    -------
    Index
        Labels of the same type; halves are rounded to the even neighbour.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([0.5, 1.5, 2.46]).round()
    Index([0.0, 2.0, 2.0], dtype='float64')
    >>> cuprum.Index([14, 15, 25]).round(-1)
    Index([10, 20, 20], dtype='int64')
    """
    return self._of(_labels_as_series(self).round(decimals)._handle.column())


def diff(self: Index, periods: int = 1) -> Index:
    """Return the differences between labels and those some rows before.

    Parameters
    ----------
    periods : int, default 1
        How many rows before; negative ones are rows behind.

    Returns
    -------
    Index
        As many labels as before, missing where there is no such row.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Index([10, 20, 50]).diff()
    Index([<NA>, 10, 30], dtype='int64')
    >>> cuprum.Index([10, 20, 50]).diff(-1)
    Index([-10, -30, <NA>], dtype='int64')
    """
    return self._of(_labels_as_series(self).diff(periods)._handle.column())


def shift(self: Index, periods: int = 1, freq: Frequency | None = None) -> Index:
    """Refuse to shift labels that are no times and no periods.

    Parameters
    ----------
    periods : int, default 1
        How many times the frequency.
    freq : frequency, optional
        The frequency.

    Returns
    -------
    Index
        Never: see `DatetimeIndex.shift`, `TimedeltaIndex.shift` and `PeriodIndex.shift`.

    Raises
    ------
    NotImplementedError
        Always; rows are shifted by `Series.shift`.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.date_range("2024-01-01", periods=2).shift(3)
    DatetimeIndex(['2024-01-04', '2024-01-05'], dtype='datetime64[us]', freq='D')
    """
    raise NotImplementedError(
        "shift: This method is only implemented for DatetimeIndex, PeriodIndex and TimedeltaIndex; "
        f"Got type {type(self).__name__}"
    )


def view(self: Index, cls: Any = None) -> Any:
    """Return the labels in another index, or their bits as another type.

    Parameters
    ----------
    cls : NumPy dtype or str, optional
        The type that the memory of the labels is read as; it has to have the same width.

    Returns
    -------
    Index or numpy.ndarray
        Without ``cls`` an index of the same labels, and for a type of times too; else an array that cannot be
        written to.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.Index([1, 2])
    >>> index.view().is_(index)
    True
    >>> index.view("datetime64[s]")
    DatetimeIndex(['1970-01-01 00:00:01', '1970-01-01 00:00:02'],
                  dtype='datetime64[s]', freq=None)
    """
    if cls is None:
        return objects.wrap_index(self._handle)
    import numpy as np

    dtype = np.dtype(cls)
    values = column_from(self).values()
    bits = np.asarray(values).view(dtype)
    return objects.Index(bits, name=self.name) if dtype.kind in "mM" else bits


def _is_number_of_numpy(value: Any) -> bool:
    """Whether a value is a number that brings its type along."""
    return getattr(value, "ndim", None) == 0 and getattr(getattr(value, "dtype", None), "kind", "") in "iuf"
