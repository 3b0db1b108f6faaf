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
    """Return the labels at some positions, negative ones from the end.

    With a ``fill_value``, or ``allow_fill``, -1 stands for that value, or a missing label.
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
    """Return the labels with another one before row ``loc``, negative ones from the end."""
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
    """Return the labels without those at some rows, negative ones from the end."""
    import numpy as np

    rows = np.atleast_1d(np.arange(len(self), dtype="int64")[loc])
    return objects.wrap_index(self._handle.delete(Column.from_numpy(rows)))


def repeat(self: Index, repeats: Any, axis: None = None) -> Index:
    """Return every label ``repeats`` times after each other: as often as a number says, or one for each."""
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
    """Return the labels followed by those of one or more other indexes."""
    others = other if isinstance(other, (list, tuple)) else [other]
    return objects.wrap_index(_cuprum.Index.concat([self._handle, *(index_handle(o) for o in others)]))


@regular
def drop(self: Index, labels: Any, errors: ErrorsIgnored = "raise") -> Index:
    """Return the labels without some; ``KeyError`` for one that is not there, unless ``errors='ignore'``."""
    if errors not in ("raise", "ignore"):
        raise ValueError(f"`errors` is {errors!r}; known are 'raise' and 'ignore'")
    gone = [labels] if isinstance(labels, tuple) or not is_list_like(labels) else list(labels)
    unknown = [label for label in gone if label not in self]
    if unknown and errors == "raise":
        raise KeyError(f"{unknown} not found in axis")
    return self[~self.isin(gone)]


def where(self: Index, cond: Any, other: Any = None) -> Index:
    """Return the labels where ``cond`` is true, and ``other``, a scalar or a list-like, where it is not.

    Without ``other`` they are missing there. Truth values are one for each label.

    Examples
    --------
    >>> from cuprum import Index
    >>> Index(["car", "bike"]).where([True, False], "other")
    Index(['car', 'other'], dtype='str')
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
    """Return the labels with ``value``, a scalar or a list-like of as many, where ``mask`` is true."""
    import numpy as np

    flags = np.asarray(mask, dtype=bool)
    if flags.shape != (len(self),):
        raise ValueError("putmask: mask and data must be the same size")
    return self.where(~flags, value) if flags.any() else objects.wrap_index(self._handle)


@regular
def fillna(self: Index, value: Any) -> Index:
    """Return the labels with ``value`` instead of missing ones; it has to have their type."""
    if self._handle.nlevels() > 1:
        raise NotImplementedError("fillna is not defined for MultiIndex")
    if is_list_like(value):
        raise TypeError(f"'value' must be a scalar, passed: {type(value).__name__}")
    return self._of(_labels_as_series(self).fillna(value)._handle.column())


@regular
def dropna(self: Index, how: DropnaHow = "any") -> Index:
    """Return the labels that are not missing; of several levels those without a missing part, or ``'all'`` parts."""
    if how not in ("any", "all"):
        raise ValueError(f"invalid how option: {how}")
    if self._handle.nlevels() > 1:
        levels = [level.isna() for level in levels_in_order(self)]
        missing = functools.reduce(operator.or_ if how == "any" else operator.and_, levels)
    else:
        missing = self.isna()
    return self[~missing]


def replace(self: Index, to_replace: Any = None, value: Any = ..., regex: Any = False) -> Index:
    """Return the labels with those equal to ``to_replace`` replaced by ``value``; see `Series.replace`.

    Examples
    --------
    >>> from cuprum import Index
    >>> Index([1, 2, 3]).replace(3, 30)
    Index([1, 2, 30], dtype='int64')
    """
    if self._handle.nlevels() > 1:
        raise NotImplementedError("replace is not implemented for MultiIndex")
    return self._of(_labels_as_series(self).replace(to_replace, value, regex=regex)._handle.column())


def map_(
    self: Index, mapper: Callable[..., Any] | Mapping[Any, Any] | Series, na_action: NaAction | None = None
) -> Index:
    """Return the labels that a function, dict or Series makes of these: slow for a function.

    With ``na_action='ignore'`` missing labels stay missing, and are not handed to a function. Labels have the type
    of these where that holds them and is of their kind. Objects that are no labels are in an index of pandas.
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
    """Return the labels cast to a type; a range stays one, and times keep their frequency."""
    only_truth("Index.astype", copy=copy)
    if isinstance(self, objects.RangeIndex) and self.dtype == dtype:
        return self.copy()
    if names_object(dtype):
        return objects.Index(self, dtype=object)
    with ClassesOfPandas():
        return self._of(cast_column(self._column(), dtype))


def infer_objects(self: Index, copy: bool = True) -> Index:
    """Return labels that were kept as objects in the type that all of them have; others as they are."""
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
    """Return numbers rounded to ``decimals`` places, halves to even; negative places round tens."""
    return self._of(_labels_as_series(self).round(decimals)._handle.column())


def diff(self: Index, periods: int = 1) -> Index:
    """Return the differences to the labels ``periods`` rows before; missing for the first ones."""
    return self._of(_labels_as_series(self).diff(periods)._handle.column())


def shift(self: Index, periods: int = 1, freq: Frequency | None = None) -> Index:
    """Refuse: only times are shifted, by a ``freq``; see `Series.shift` for rows."""
    raise NotImplementedError(
        "shift: This method is only implemented for DatetimeIndex, PeriodIndex and TimedeltaIndex; "
        f"Got type {type(self).__name__}"
    )


def view(self: Index, cls: Any = None) -> Any:
    """Return the labels themselves in another object; with ``cls`` their bits as that type.

    That is a NumPy array which nothing can be written to, or an index of times.
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
