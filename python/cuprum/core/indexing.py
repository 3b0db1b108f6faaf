"""``loc``, ``iloc``, ``at`` and ``iat``: rows and columns by label and by position."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import axis_number, is_frame_like, is_list_like, is_mask, plain_label, plain_labels
from cuprum.core.chained_assignment import INDEXER, warn_if_chained
from cuprum.core.completion import keys_of_cells, keys_of_columns, keys_of_rows
from cuprum.core.construction import column_from, mask_column, positions_column
from cuprum.core.error_classes import of_pandas
from cuprum.core.index.duration_texts import duration_bound, named_duration
from cuprum.core.index.levels import sorted_levels
from cuprum.core.interop import is_pandas
from cuprum.core.missing import (
    is_nat,
    missing_element,
    missing_value,
    refuse_time_of_other_kind,
    refuse_times,
)
from cuprum.core.objects import Wrapper, wrap_frame, wrap_series
from cuprum.core.pandas_col import resolved
from cuprum.core.quick import quicken
from cuprum.core.tools.datetime_coercion import as_elements

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import Axis, Label, OneLabel, Position, Positions, Scalar, Several

__all__ = [
    "LABELS",
    "AtIndexer",
    "IAtIndexer",
    "ILocIndexer",
    "LocIndexer",
    "by_label",
    "by_one_label",
    "in_brackets",
    "is_slice_of_positions",
    "position_of",
    "refuse_unordered",
    "row_of",
    "selected",
]

# Types that handles take as they are.
LABELS = frozenset({str, int})
_SCALARS = frozenset({str, int, float, bool, type(None)})


Target = TypeVar("Target", bound=Wrapper, covariant=True)


class _Indexer(Generic[Target]):
    __slots__ = ("_target",)
    _made_of: ClassVar = attrgetter("_target")  # see `subclasses`

    def __init__(self, target: Target) -> None:
        self._target = target


def row_of(handle: Any, row: int, plain: bool = False) -> Any:
    """Return one row of a frame: a Series of the type that the columns have in common, else of objects.

    Numbers among objects are NumPy's scalars, or Python's if ``plain``.
    """
    found = handle.row(row, plain)
    return _row(found) if type(found) is tuple else wrap_series(found)


def _row(parts: tuple[Any, ...]) -> Any:
    """Return a row as objects: what a handle has of one, labels, values, name, level names, types if any is missing."""
    labels, values, name, level_names, types = parts
    if types is not None:
        values = [missing_value(t) if v is None else v for v, t in zip(values, types, strict=True)]
    return objects.record(labels, values, name, level_names)


def selected(found: Any) -> Any:
    """Return what a handle has selected: an object around a handle, a row, or an element."""
    if type(found) is tuple:
        return missing_element(found[1]) if len(found) == 2 else _row(found)
    wrap = _WRAPPERS.get(type(found))
    return found if wrap is None else wrap(found)


_WRAPPERS: dict[type, Any] = {_cuprum.Series: wrap_series, _cuprum.DataFrame: wrap_frame}


def by_one_label(target: Any, key: Any) -> Any:
    """Return what a text or an integer selects by label."""
    try:
        return selected(target._handle.loc(key))
    except KeyError:
        named = named_duration(key, target._handle.index())
        if named is None:
            raise
    return selected(target._handle.loc(named))


def by_label(target: Any, key: Any) -> Any:
    """Return what a key selects by label."""
    if type(key) in LABELS:
        return by_one_label(target, key)
    if type(key) is slice and key == slice(None):
        return target._snapshot()
    key = _loc_key(key, target)
    rows = key if target.ndim == 1 else key[0] if isinstance(key, tuple) and len(key) == 2 else None
    if isinstance(rows, tuple) and (
        masks := [i for i, part in enumerate(rows) if _is_level_mask(part, target)]
    ):
        return _by_level_masks(target, key, rows, masks)
    if isinstance(rows, tuple) and any(type(part) is list and len(part) > 1 for part in rows):
        return _by_lists(target, key, rows)
    if target.ndim == 2 and isinstance(key, tuple) and len(key) == 2 and isinstance(key[1], tuple):
        levels = target._handle.num_levels()
        if levels > 1 and any(type(part) is list and len(part) > 1 for part in key[1]):
            found = selected(target._handle.loc(key))
            return found.iloc[:, target.columns.get_locs(key[1]).argsort().argsort()]
    try:
        return selected(target._handle.loc(key))
    except ValueError:
        texts = key[0] if isinstance(key, tuple) else key
        if not isinstance(texts, Column) or texts.dtype != "str":
            raise
        raise KeyError(f"{texts.to_pylist()} are not all times that are in the index") from None


def _refuse_truth(key: Any, target: Any) -> None:
    """Fail for a truth value as the label of rows or columns that are under others, but for an element, as in pandas."""
    parts = key if target.ndim == 2 and _is_pair(key) else (key,)
    if len(parts) == 2 and slice not in map(type, parts):
        return
    for part, labels in zip(parts, ("index", "columns"), strict=False):
        if type(part) is bool and str(getattr(target, labels).get_level_values(0).dtype) != "bool":
            raise KeyError(f"{part}: boolean label can not be used without a boolean index")


def in_brackets(series: Any, key: Any, found: Any) -> Any:
    """Return what a key in brackets selects of a series, ``found`` by label.

    As in pandas, where a part of a date selects rows, the levels that a key has no label of stay, and no others; all
    of them where it has labels of all.
    """
    if getattr(found, "ndim", 0) == 0:
        return found
    index = series._handle.index()
    if index.nlevels() == 1 or not index.names_span(key):
        return found
    rows = series.iloc[series.index.get_loc(key)]
    named = len(key) if isinstance(key, tuple) else 1
    return rows.set_axis(rows.index._without_levels(range(named))) if named < index.nlevels() else rows


def _is_level_mask(part: Any, target: Any) -> bool:
    return (
        type(part) is list and len(part) == len(target) and len(part) > 0 and set(map(type, part)) == {bool}
    )


def _by_level_masks(target: Any, key: Any, rows: tuple[Any, ...], masks: list[int]) -> Any:
    """Return what labels of levels select of the rows for which truth values among them are true."""
    kept = column_from([all(flags) for flags in zip(*(rows[i] for i in masks), strict=True)])
    part = selected(target._handle.loc(kept if target.ndim == 1 else (kept, slice(None))))
    rest = tuple(slice(None) if i in masks else one for i, one in enumerate(rows))
    return by_label(part, rest if target.ndim == 1 else (rest, key[1]))


def _by_lists(target: Any, key: Any, rows: tuple[Any, ...]) -> Any:
    """Return what lists of labels of levels select, in the order of the lists."""
    index = target.index
    if not 1 < index.nlevels >= len(rows):
        return selected(target._handle.loc(key))
    ordered = list(rows)
    for at, (level, part) in enumerate(zip(index.levels, rows, strict=False)):
        if type(part) is list:
            places = level.get_indexer(part) if level.is_unique else []
            if len(places) == len(part) and min(places) >= 0:
                ordered[at] = [part[i] for i in places.argsort(kind="stable")]
    found = selected(target._handle.loc(tuple(ordered) if target.ndim == 1 else (tuple(ordered), key[1])))
    if ordered == list(rows) and index.is_monotonic_increasing:
        return found
    wanted = index.get_locs(rows)
    return found.take(wanted.argsort().argsort())


# Keys, without functions and iterators of users.


def refuse_unordered(key: Any) -> None:
    """Raise ``TypeError`` for sets and dicts, whose order says nothing."""
    if isinstance(key, (set, frozenset, Mapping)):
        kind = "dict" if isinstance(key, Mapping) else "set"
        raise TypeError(f"Passing a {kind} as an indexer is not supported. Use a list instead.")


def _label_key(key: Any, target: Wrapper, columns: bool = False) -> Any:
    """Return rows by label, or columns, as handles take them."""
    if type(key) in LABELS:
        return key
    if callable(key):
        key = resolved(key, target._snapshot() if columns else target)
    if isinstance(key, objects.SeriesOfObjects):
        key = key.to_list()
    refuse_unordered(key)
    if isinstance(key, slice):
        if bool in map(type, (key.start, key.stop, key.step)):
            raise TypeError(f"{key}: boolean values can not be used in a slice")
        start, stop = plain_label(key.start), plain_label(key.stop)
        if not columns and str in (type(start), type(stop)):
            index, backwards = target._handle.index(), (key.step or 1) < 0
            start, stop = duration_bound(start, index, backwards), duration_bound(stop, index, not backwards)
        _refuse_unsorted(slice(start, stop), target, columns)
        return slice(start, stop, key.step)
    if isinstance(key, tuple):
        _refuse_unsorted(key, target, columns)
        return tuple(_part(part) for part in key)
    if not is_list_like(key):
        if type(key) is bool and not columns and str(target._handle.index().dtype(0)).startswith("interval"):
            raise KeyError(f"{key}: boolean label can not be used without a boolean index")
        return plain_label(key)
    if (isinstance(key, objects.Index) or is_pandas(key, "MultiIndex")) and key.nlevels > 1:
        return plain_labels(key.to_list())
    if is_mask(key):
        key = objects.ours(key)
        return key._handle if isinstance(key, objects.Series) else column_from(key)
    if columns:
        return plain_labels(key)
    if not hasattr(key, "dtype") and not isinstance(key, (objects.Index, Column)):
        key = list(key)
        if not key or target._handle.index().kind() in ("levels", "mixed"):
            return plain_labels(key)
        try:
            return column_from(key)
        except TypeError:
            return plain_labels(key)
    return column_from(key)


def _refuse_unsorted(key: Any, target: Any, columns: bool) -> None:
    """Fail for a slice of labels of several levels, or of a level, that are not sorted so far."""
    bounds = [bound for bound in (key.start, key.stop) if bound is not None] if isinstance(key, slice) else []
    slices = (
        [i for i, part in enumerate(key) if isinstance(part, slice) and part != slice(None)]
        if not bounds and isinstance(key, tuple)
        else []
    )
    if not bounds and not slices:
        return
    index = target.columns if columns else target.index
    if index.nlevels == 1 or index.is_monotonic_increasing:
        return
    from pandas.errors import UnsortedIndexError

    depth = sorted_levels(index)
    needed = max((len(bound) if isinstance(bound, tuple) else 1 for bound in bounds), default=0)
    if needed > depth:
        raise UnsortedIndexError(f"Key length ({needed}) was greater than MultiIndex lexsort depth ({depth})")
    if slices and slices[-1] >= depth:
        raise UnsortedIndexError(
            "MultiIndex slicing requires the index to be lexsorted: "
            f"slicing on levels {slices}, lexsort depth {depth}"
        )


def _part(part: Any) -> Any:
    """Return what is wanted of one level."""
    refuse_unordered(part)
    if isinstance(part, slice):
        return slice(plain_label(part.start), plain_label(part.stop), part.step)
    if is_list_like(part) and not isinstance(part, tuple):
        return plain_labels(part)
    return plain_label(part)


def _expanded(key: Any, target: Wrapper) -> Any:
    """Return a key with whole slices where it has an ``...``."""
    if key is ...:
        return slice(None)
    if not isinstance(key, tuple) or not any(part is ... for part in key):
        return key
    rest = [part for part in key if part is not ...]
    if len(rest) + 1 != len(key):
        raise IndexError("indexer may only contain one '...' entry")
    at = next(i for i, part in enumerate(key) if part is ...)
    return (*rest[:at], *[slice(None)] * (target.ndim - len(rest)), *rest[at:])


def _loc_key(key: Any, target: Wrapper) -> Any:
    """Return a key of ``loc`` as handles take it: rows, or a tuple of rows and columns or of levels."""
    key = _expanded(key, target)
    if not isinstance(key, tuple) or target.ndim == 1:
        if isinstance(key, tuple) and target._handle.index().nlevels() == 1:
            key = _for_only_axis(key)
        return _label_key(key, target)
    if len(key) == 2 and type(key[0]) in LABELS and type(key[1]) in LABELS:
        return key
    if len(key) == 2 and tuple in map(type, key):
        # A tuple is one label of several levels; where labels have one, it is a list of them.
        levels = (target._handle.index().nlevels(), target._handle.num_levels())
        key = tuple(
            list(part) if isinstance(part, tuple) and count == 1 else part
            for part, count in zip(key, levels, strict=True)
        )
    return tuple(_label_key(part, target, columns=i > 0) for i, part in enumerate(key))


def _for_only_axis(key: tuple[Any, ...]) -> Any:
    """Return the key of a series' rows out of a tuple that has one for each axis."""
    if len(key) != 1:
        raise IndexError(f"Too many indexers: a series has one axis, the key is {key!r}")
    return key[0]


def position_of(key: Any) -> int | None:
    """Return an integer; None for other keys."""
    # Arrays of several elements have the method, too.
    if isinstance(key, bool) or getattr(key, "ndim", 0) or not hasattr(key, "__index__"):  # type: ignore[arg-type]
        return None
    return key.__index__()


def _position_key(key: Any, target: Wrapper, columns: bool = False) -> Any:
    """Return rows by position, or columns, as handles take them."""
    if type(key) is int:
        return key
    if callable(key):
        key = key(target)
        if isinstance(key, tuple):
            raise ValueError("Returning a tuple from a callable with iloc is not allowed.")
    refuse_unordered(key)
    if isinstance(key, slice):
        return key
    at = position_of(key)
    if at is not None:
        return at
    if not is_list_like(key):
        raise TypeError(f"Cannot index by location index with a non-integer key: {key!r}")
    if is_mask(key):
        return column_from(key) if columns else mask_column(key, target)
    if columns:
        key = list(key)
        if any(position_of(i) is None for i in key):
            raise IndexError(f".iloc requires numeric indexers, got {key}")
    return positions_column(key)


def _refuse_labelled_mask(rows: Any) -> None:
    """Fail, as pandas does, for truth values with labels that are no integers: positions are not chosen by label."""
    labelled = isinstance(rows, objects.Series) or is_pandas(rows, "Series")
    if labelled and is_mask(rows) and (rows.index.nlevels > 1 or rows.index.inferred_type != "integer"):
        raise ValueError(
            "iLocation based boolean indexing cannot use an indexable as a mask: use loc, or to_numpy()"
        )


def _iloc_key(key: Any, target: Wrapper) -> Any:
    """Return a key of ``iloc`` as handles take it: rows, or a pair of rows and columns."""
    key = _expanded(key, target)
    if not isinstance(key, tuple):
        return _position_key(key, target)
    if len(key) == 1:
        return _position_key(key[0], target)
    if len(key) != target.ndim:
        raise IndexError(f"Too many indexers: {len(key)} for rows and columns")
    rows, columns = key
    return _position_key(rows, target), _position_key(columns, target, columns=True)


# Values.


def _value(value: Any, target: Any, key: Any, by_label: bool) -> Any:
    """Return what elements are set to as handles take it.

    A sequence is a column for one column, else a list of what each column becomes.
    """
    if type(value) in _SCALARS:
        return value
    if is_nat(value):
        refuse_time_of_other_kind(value, _dtypes_set(target, key, by_label))
    if getattr(value, "ndim", 1) == 0 and hasattr(value, "__array_interface__"):
        return value[()]
    if is_frame_like(value):
        value = objects.DataFrame(value)
    elif is_pandas(value, "Series"):
        value = objects.Series(value)
    one = target.ndim == 1
    if isinstance(value, objects.SeriesOfObjects) and not one and target._handle.width(key, by_label) != 1:
        labels = [plain_label(label) for label in value.index.to_list()]
        if len(set(labels)) == len(labels):
            value = dict(zip(labels, value.to_list(), strict=True))
        elif labels != target._handle.labels():
            raise ValueError("cannot reindex on an axis with duplicate labels")
        else:
            return value.to_list()
    if isinstance(value, Wrapper):
        if one and not isinstance(value, objects.Series):
            raise TypeError("the elements of a Series cannot be set to a DataFrame")
        return value._handle
    if isinstance(value, Mapping):
        return {plain_label(label): part for label, part in value.items()}
    if not is_list_like(value):
        return value
    if getattr(value, "ndim", 1) == 2:
        return [column_from(value[:, i]) for i in range(value.shape[1])]
    arrays = ("dtype", "__array__", "__arrow_c_array__", "__arrow_c_stream__")
    if type(value) not in (list, tuple, Column) and not any(hasattr(value, name) for name in arrays):
        value = list(value)
    if one or target._handle.width(key, by_label) == 1:
        column, dtypes = column_from(value), _dtypes_set(target, key, by_label)
        if column.dtype.kind in "mM" and column.null_count() == len(column) > 0:
            refuse_times("", dtypes)
        return _of_type(column, dtypes[0]) if len(dtypes) == 1 else column
    value = value.to_pylist() if isinstance(value, Column) else list(value)
    if any(map(is_nat, value)):
        for one, dtype in zip(value, _dtypes_set(target, key, by_label), strict=False):
            refuse_time_of_other_kind(one, [dtype])
    if value and is_list_like(value[0]):
        return [column_from(list(part)) for part in zip(*value, strict=True)]
    return value


def _dtypes_set(target: Any, key: Any, by_label: bool) -> list[Any]:
    """Return the types of the columns that a key sets elements of; none for columns that are new."""
    if target.ndim == 1:
        return [target._handle.dtype()]
    handle, rows = target._handle, target.iloc[:0]
    wanted = key[0] if _is_pair(key) else key
    if by_label and type(wanted) in LABELS and wanted not in target.index:
        return []  # a row that is new
    apart = _is_pair(key) and (handle.index().nlevels() == 1 or type(wanted) not in LABELS)
    if apart or (_is_pair(key) and type(key[1]) in LABELS and handle.contains(key[1])):
        try:
            rows = (rows.loc if by_label else rows.iloc)[:, key[1]]
        except (KeyError, IndexError):
            return []
    return list(rows.dtypes) if rows.ndim == 2 else [rows.dtype]


def _of_type(values: Column, dtype: Any) -> Column:
    """Return what a column is set to, texts beside times as these; ``TypeError`` for missing times beside numbers."""
    if dtype.kind in "biuf" and values.dtype.kind in "mM":
        raise TypeError(f"Invalid value '{values.to_pylist()[:3]}' for dtype '{dtype}'")
    if dtype.kind not in "mM" or values.dtype != "str":
        return values
    return as_elements(values, dtype)


def _is_pair(key: Any) -> bool:
    return isinstance(key, tuple) and len(key) == 2


def is_slice_of_positions(key: slice, labels: Any) -> bool:
    """Whether a slice in brackets is of positions: one of integers is, but among intervals, which hold them."""
    bounds = [bound for bound in (key.start, key.stop) if bound is not None]
    kind = str(labels.dtype(0)) if bounds and labels.nlevels() == 1 else ""
    if bool in map(type, bounds):
        raise TypeError(f"cannot do slice indexing with these indexers {bounds} of type bool")
    if kind.startswith(("int", "uint")) and any(isinstance(bound, float) for bound in bounds):
        raise TypeError(
            f"cannot do slice indexing on integer labels with these indexers {bounds} of type float"
        )
    whole = all(isinstance(bound, int) for bound in bounds) and (
        key.step is None or isinstance(key.step, int)
    )
    return whole and not kind.startswith("interval")


def _is_whole_column(key: Any, target: Any) -> bool:
    """Whether a key of ``loc`` is of all rows of one column of a frame."""
    whole = target.ndim == 2 and isinstance(key, tuple) and len(key) == 2 and key[0] == slice(None)
    return whole and not isinstance(key[1], (list, slice, Column))


def _adds_column(key: Any, target: Any) -> bool:
    """Whether a key of ``loc`` is of rows that are there and of a column that is not."""
    if target.ndim == 1 or not _is_pair(key) or type(key[1]) not in LABELS or target._handle.contains(key[1]):
        return False
    return target.index.nlevels == 1 and (type(key[0]) not in LABELS or key[0] in target.index)


def _is_new_row(key: Any, target: Any) -> bool:
    """Whether a key of ``loc`` is the label of a row that is not there."""
    row = key[0] if target.ndim == 2 and _is_pair(key) and target.index.nlevels == 1 else key
    return type(row) in LABELS and row not in target.index


class _LabelsOrPositions(_Indexer[Target]):
    __slots__ = ()

    def __call__(self, axis: Axis | None = None) -> Self:
        """Return the same for keys of one axis: of rows (0), or of columns (1)."""
        return self if axis is None else _OneAxis(self, axis_number(axis, self._target))


class _OneAxis:
    """Keys of one axis: `df.loc(axis=0)`."""

    __slots__ = ("_axis", "_indexer")

    def __init__(self, indexer: Any, axis: int) -> None:
        self._indexer, self._axis = indexer, axis

    def _key(self, key: Any) -> Any:
        if self._indexer._target.ndim == 1:
            return key
        return (slice(None), key) if self._axis else (key, slice(None))

    def __getitem__(self, key: Any) -> Any:
        return self._indexer[self._key(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._indexer[self._key(key)] = value


@quicken
class LocIndexer(_LabelsOrPositions[Target]):
    """Rows and columns by label; see `DataFrame.loc`."""

    __slots__ = ()

    def _ipython_key_completions_(self) -> list[Any]:
        return keys_of_columns(self._target) if self._target.ndim == 2 else keys_of_rows(self._target)

    @overload
    def __getitem__(self: LocIndexer[DataFrame], key: tuple[OneLabel, OneLabel]) -> Scalar: ...
    @overload
    def __getitem__(
        self: LocIndexer[DataFrame], key: tuple[Several, Label] | tuple[Label, Several]
    ) -> Series: ...
    @overload
    def __getitem__(self: LocIndexer[DataFrame], key: tuple[Several, Several]) -> DataFrame: ...
    @overload
    def __getitem__(self: LocIndexer[DataFrame], key: Label) -> Series: ...
    @overload
    def __getitem__(self: LocIndexer[DataFrame], key: Several) -> DataFrame: ...
    @overload
    def __getitem__(self: LocIndexer[Series], key: Label) -> Scalar: ...
    @overload
    def __getitem__(self: LocIndexer[Series], key: Several) -> Series: ...
    def __getitem__(self, key: Any) -> Any:
        if type(key) in LABELS:
            return by_one_label(self._target, key)
        if type(key) is bool or (type(key) is tuple and bool in map(type, key)):
            _refuse_truth(key, self._target)
        return by_label(self._target, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if sys.getrefcount(self._target) <= INDEXER:
            warn_if_chained(self._target, "use one key: df.loc[rows, columns] = values")
        if isinstance(self._target, (objects.SeriesOfObjects, objects.FrameWithObjects)):
            objects.set_elements(self, "loc", key, value)
            return
        try:
            self._set(key, value)
        except TypeError:
            if not _is_new_row(key, self._target):
                raise
            objects.set_elements(self, "loc", key, value)

    def _set(self, key: Any, value: Any) -> None:
        target = self._target
        key = _loc_key(key, target)
        row = key[0] if target.ndim == 2 and _is_pair(key) else key
        column = key[1] if target.ndim == 2 and _is_pair(key) else None
        if (type(row) is bool and row not in target.index) or (
            type(column) is bool and column not in target.columns
        ):
            raise KeyError("cannot use a single bool to index into setitem")
        if type(key) is str and (named := named_duration(key, target._handle.index())) is not None:
            key = named
        if not len(target) and isinstance(value, objects.Series) and _is_whole_column(key, target):
            target[key[1]] = value  # which has the rows
            return
        new = not len(target) and _is_whole_column(key, target) and key[1] not in target.columns
        if new and not is_list_like(value):
            raise ValueError("cannot set a frame with no defined index and a scalar")
        if is_nat(value) and _adds_column(key, target):
            target[key[1]] = value
            return
        value = _value(value, target, key, True)
        # An element of a column that is named twice is ambiguous.
        listed = key[-1] if type(key) is tuple and type(key[-1]) is list else []
        of_columns = isinstance(value, list) and any(isinstance(part, Column) for part in value)
        if len(set(listed)) < len(listed) and (of_columns or isinstance(value, _cuprum.DataFrame)):
            raise ValueError("Setting with non-unique columns is not allowed.")
        target._set(lambda handle, linked: handle.set_loc(key, value, linked))


@quicken
class ILocIndexer(_LabelsOrPositions[Target]):
    """Rows and columns by position; see `DataFrame.iloc`."""

    __slots__ = ()

    @overload
    def __getitem__(self: ILocIndexer[DataFrame], key: tuple[Position, Position]) -> Scalar: ...
    @overload
    def __getitem__(
        self: ILocIndexer[DataFrame],
        key: tuple[Positions, Position] | tuple[Position, Positions] | Position,
    ) -> Series: ...
    @overload
    def __getitem__(
        self: ILocIndexer[DataFrame], key: Positions | tuple[Positions, Positions]
    ) -> DataFrame: ...
    @overload
    def __getitem__(self: ILocIndexer[Series], key: Position) -> Scalar: ...
    @overload
    def __getitem__(self: ILocIndexer[Series], key: Positions) -> Series: ...
    def __getitem__(self, key: Any) -> Any:
        target = self._target
        if type(key) is not int:
            if (
                isinstance(key, tuple)
                and len(key) == 2
                and isinstance(key[1], objects.Series)
                and is_mask(key[1])
            ):
                said = "iloc takes no Series of truth values for columns, which has labels: use loc"
                if key[1].index.equals(target.columns):
                    raise ValueError(said)
                raise of_pandas("IndexingError", f"Unalignable boolean Series provided as indexer: {said}")
            _refuse_labelled_mask(key[0] if isinstance(key, tuple) and key else key)
            key = _iloc_key(key, target)
        return selected(target._handle.select_at(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        if sys.getrefcount(self._target) <= INDEXER:
            warn_if_chained(self._target, "use one key: df.loc[rows, columns] = values")
        if isinstance(self._target, (objects.SeriesOfObjects, objects.FrameWithObjects)):
            objects.set_elements(self, "iloc", key, value)
        else:
            self._set(key, value)

    def _set(self, key: Any, value: Any) -> None:
        target = self._target
        key = _iloc_key(key, target)
        value = _value(value, target, key, False)
        target._set(lambda handle, linked: handle.set_iloc(key, value, linked))


class AtIndexer(_Indexer[Target]):
    """One element by its labels; see `DataFrame.at`."""

    __slots__ = ()

    def _ipython_key_completions_(self) -> list[Any]:
        return keys_of_cells(self._target) if self._target.ndim == 2 else keys_of_rows(self._target)

    def __getitem__(self, key: Any) -> Scalar:
        if type(key) is tuple and self._target.ndim == 2:
            found = self._target._handle.number_at(key)
            if found is not None:
                return found
        found = by_label(self._target, key)
        if isinstance(found, Wrapper):
            raise ValueError(f"at[{key!r}] names more than one element; use loc")
        return found

    def __setitem__(self, key: Any, value: Any) -> None:
        if sys.getrefcount(self._target) <= INDEXER:
            warn_if_chained(self._target, "use one key: df.loc[rows, columns] = values")
        if isinstance(self._target, (objects.SeriesOfObjects, objects.FrameWithObjects)):
            objects.set_elements(self, "at", key, value)
        else:
            self._set(key, value)

    def _set(self, key: Any, value: Any) -> None:
        if is_list_like(value):
            raise ValueError("at sets one element: the value must be a scalar")
        parts = key if isinstance(key, tuple) else (key,)
        if any((is_list_like(part) and not isinstance(part, tuple)) or type(part) is slice for part in parts):
            from pandas.errors import InvalidIndexError

            raise InvalidIndexError(".at-based indexing can only have scalar indexers; use .loc instead")
        self._target.loc[key] = value


class IAtIndexer(_Indexer[Target]):
    """One element by its positions; see `DataFrame.iat`."""

    __slots__ = ()

    def __getitem__(self, key: Position | tuple[Position, Position]) -> Scalar:
        self._check(key)
        return self._target.iloc[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        if sys.getrefcount(self._target) <= INDEXER:
            warn_if_chained(self._target, "use one key: df.loc[rows, columns] = values")
        self._check(key)
        if isinstance(self._target, (objects.SeriesOfObjects, objects.FrameWithObjects)):
            objects.set_elements(self, "iat", key, value)
        else:
            self._set(key, value)

    def _set(self, key: Any, value: Any) -> None:
        self._target.iloc[key] = value

    def _check(self, key: Any) -> None:
        parts = key if isinstance(key, tuple) else (key,)
        if len(parts) != self._target.ndim or any(position_of(part) is None for part in parts):
            raise ValueError("iAt based indexing can only have integer indexers")
