"""``loc``, ``iloc``, ``at`` and ``iat``: rows and columns by label and by position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import is_frame_like, is_list_like, is_mask, is_scalar, plain_label, plain_labels
from cuprum.core.construction import column_from, mask_column, positions_column
from cuprum.core.interop import is_pandas
from cuprum.core.objects import Wrapper, wrap_frame, wrap_series
from cuprum.core.row import Row

__all__ = ["AtIndexer", "IAtIndexer", "ILocIndexer", "LocIndexer", "row_of"]

_ALL = slice(None)


class _Indexer:
    __slots__ = ("_target",)

    def __init__(self, target: Wrapper) -> None:
        self._target = target


def row_of(handle: Any, row: int, plain: bool = False) -> Any:
    """Return one row of a frame: a Series where all columns share a type, else a `Row`.

    The numbers of a `Row` are NumPy's scalars, or Python's if ``plain``.
    """
    labels, values, types = handle.labels(), handle.row(row), handle.dtypes()
    name = _row_name(handle.index(), row)
    # Values of one type whose elements stand for themselves; others are objects side by side.
    same = all(dtype == types[0] and dtype.tz is None for dtype in types)
    same = same and (not types or types[0].kind != "O" or types[0] == "str")
    if types and (same or all(dtype.kind in "iuf" for dtype in types)):
        column = Column.from_iterable_of_py(values, types[0] if same else "float64")
        return wrap_series(_cuprum.Series(column, name, handle.columns_index()))
    from cuprum.core.arguments import missing_value

    pairs: Iterable[tuple[Any, Any]] = zip(values, types, strict=True)
    if plain:
        pairs = ((v.item() if v is not None and t.kind in "iufb" else v, t) for v, t in pairs)
    values = [missing_value(t) if v is None else v for v, t in pairs]
    return Row(labels, values, name, handle.level_names())


def _row_name(index: Any, row: int) -> Any:
    labels = index.get(row)
    return labels[0] if len(labels) == 1 else tuple(labels)


def _slice_of(column: Column) -> int:
    """Return the only row number in a column of them."""
    return column.get(0)


# Rows by label.


def _row_key(key: Any, target: Wrapper) -> Any:
    """Return a key for the handles' ``loc``, or a scalar or tuple that names one label."""
    if isinstance(key, (slice, Column)):
        return key
    if callable(key):
        key = key(target)
    if isinstance(key, tuple):
        return tuple(plain_label(part) for part in key)
    if is_list_like(key):
        if is_mask(key):
            return mask_column(key, target)
        if not hasattr(key, "dtype") and not isinstance(key, objects.Index):
            key = list(key)
            if not key:
                return Column.from_iterable_of_py([], target._handle.index().dtype(0))
        return column_from(key)
    return plain_label(key)


def _tuples(key: Any, handle: Any) -> Column | None:
    """Return the rows of a list of labels of several levels, or kinds; None for any other key."""
    if not isinstance(key, list) or not key or is_mask(key):
        return None
    kind = handle.index().kind()
    if kind == "mixed":
        found = [handle.locate(plain_label(label)).to_pylist() for label in key]
        return Column.from_iterable_of_py([row for rows in found for row in rows], "int64")
    if kind != "levels":
        return None
    labels = [label if isinstance(label, tuple) else (label,) for label in key]
    rows = [row for label in labels for row in handle.locate(label).to_pylist()]
    return Column.from_iterable_of_py(rows, "int64")


def _is_one(key: Any) -> bool:
    return not isinstance(key, (slice, Column))


class LocIndexer(_Indexer):
    """Rows and columns by label; see `DataFrame.loc`."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        target = self._target
        if isinstance(target, objects.Series):
            return _loc_series(target, key)
        rows, columns = self._split(key)
        if columns is _ALL:
            return _loc_rows(target, rows)
        if _is_label(columns, target):
            found = target[columns]
            return _loc_series(found, rows) if found.ndim == 1 else _loc_rows(found, rows)
        return _loc_rows(select_columns(target, columns), rows)

    def _split(self, key: Any) -> tuple[Any, Any]:
        if not isinstance(key, tuple):
            return key, _ALL
        depth = self._target._handle.index().nlevels()
        if depth > 1 and not any(isinstance(part, (slice, list)) for part in key):
            # A tuple may be a row label of several levels, or rows and columns.
            if len(key) == 2 and (isinstance(key[0], tuple) or self._target._handle.contains(key[1])):
                return key
            if len(key) <= depth:
                return key, _ALL
        if len(key) != 2:
            raise IndexError(f"Too many indexers: {len(key)} for rows and columns")
        return key

    def __setitem__(self, key: Any, value: Any) -> None:
        target = self._target
        value = _read(value)
        if isinstance(target, objects.Series):
            rows = _parse_rows(key, target)

            def elements(handle: Any) -> Any:
                where = _locate(handle, rows)
                return where, [(0, _elements(value, where, handle.index()))]

            target._write(elements)
            return
        rows, columns = self._split(key)
        rows, columns = _parse_rows(rows, target), _parse_columns(columns, target)
        target._alone(lambda: _set_by_label(target, rows, columns, value))


def _set_by_label(target: Any, rows: Any, columns: Any, value: Any) -> None:
    handle = target._handle
    where = _locate(handle, rows)
    labels = _labels_of(handle, columns)
    one_row = len(where) == 1 and _is_one(rows) and not isinstance(rows, list)
    one_row = one_row and _names_one(rows, handle.index())
    parts = _values_by_label(value, labels, where, handle, one_row, columns)
    _set_labelled(target, where, labels, parts)


def _is_label(columns: Any, target: Wrapper) -> bool:
    if isinstance(columns, tuple):
        return not any(isinstance(part, (slice, list)) for part in columns)
    return not isinstance(columns, slice) and not callable(columns) and not is_list_like(columns)


def _loc_rows(target: Wrapper, key: Any) -> Any:
    """Rows of a frame by label."""
    handle = target._handle
    if isinstance(key, slice) and key == _ALL:
        return target._snapshot()
    rows = _tuples(key, handle)
    if rows is not None:
        return wrap_frame(handle.take(rows))
    key = _row_key(key, target)
    if not _is_one(key):
        return wrap_frame(handle.loc(key))
    try:
        rows = handle.locate(key)
    except TypeError:
        raise KeyError(key) from None
    if len(rows) == 1 and _names_one(key, handle.index()):
        return row_of(handle, _slice_of(rows))
    return wrap_frame(handle.loc(key))


def _names_one(key: Any, index: Any) -> bool:
    """Whether a key has a label for every level: a text that is a part of a date (a month) is none."""
    parts = key if isinstance(key, tuple) else (key,)
    texts = any(type(part) is str for part in parts)
    return len(parts) == index.nlevels() and not (texts and index.names_span(key))


def _loc_series(series: Any, key: Any) -> Any:
    handle = series._handle
    rows = _tuples(key, handle)
    if rows is not None:
        return wrap_series(handle.take(rows))
    key = _row_key(key, series)
    if not _is_one(key):
        return wrap_series(handle.loc(key))
    try:
        rows = handle.locate(key)
    except TypeError:
        raise KeyError(key) from None
    if len(rows) == 1 and _names_one(key, handle.index()):
        return series._element(_slice_of(rows))
    return wrap_series(handle.loc(key))


def select_columns(target: Any, columns: Any) -> Any:
    """Return a frame of the columns that a list, a slice of labels or a mask selects."""
    handle = target._handle
    found = handle.select_positions(_column_positions(handle, columns))
    if isinstance(columns, tuple) and any(isinstance(part, list) for part in columns):
        # As in pandas, lists beside labels leave the levels of the lists.
        one = [i for i, part in enumerate(columns) if not isinstance(part, list)]
        if one and not any(isinstance(part, slice) for part in columns):
            index = objects.wrap_index(found.columns_index()).droplevel(one)
            found = found.with_labels(index.to_list(), index.names)
    return wrap_frame(found)


def _column_positions(handle: Any, columns: Any) -> list[int]:
    if isinstance(columns, slice):
        ends = [None if end is None else plain_label(end) for end in (columns.start, columns.stop)]
        return handle.slice_positions(slice(*ends, columns.step))  # type: ignore[call-overload]
    if callable(columns):
        columns = columns(wrap_frame(handle.shared()))
    if isinstance(columns, tuple) and any(isinstance(part, (slice, list)) for part in columns):
        return handle.matching_positions(
            tuple(part if isinstance(part, (slice, list)) else plain_label(part) for part in columns)
        )
    if not is_list_like(columns) or isinstance(columns, tuple):
        columns = [columns]
    if is_mask(columns):
        flags = [bool(flag) for flag in columns]
        if len(flags) != handle.shape()[1]:
            raise IndexError(f"Boolean index has wrong length: {len(flags)} instead of {handle.shape()[1]}")
        return [i for i, flag in enumerate(flags) if flag]
    return [i for label in plain_labels(columns) for i in handle.positions_below(label)]


# Assignment.


def _read(value: Any) -> Any:
    """Return a value with what it has to be asked for read: no code of users runs while elements change."""
    if is_scalar(value):
        return value
    if is_frame_like(value):
        return objects.DataFrame(value)
    if is_pandas(value, "Series"):
        return objects.Series(value)
    if isinstance(value, (Wrapper, Row, Column, dict)):
        return value
    if isinstance(value, Mapping):
        return dict(value)
    arrays = ("dtype", "__array__", "__arrow_c_array__", "__arrow_c_stream__")
    if type(value) in (list, tuple) or any(hasattr(value, name) for name in arrays):
        return value
    return list(value)


def _parse_rows(key: Any, target: Wrapper) -> Any:
    """Return the rows that a user names as a list of labels, or as `_row_key` does."""
    if type(key) in (int, str):
        return key
    if callable(key):
        key = key(target)
    if (
        isinstance(key, list)
        and key
        and not is_mask(key)
        and target._handle.index().kind() in ("levels", "mixed")
    ):
        return plain_labels(key)
    return _row_key(key, target)


def _parse_columns(key: Any, target: Wrapper) -> Any:
    """Return the columns that a user names, without functions and iterators."""
    if type(key) is str:
        return key
    if callable(key):
        key = key(target)
    if isinstance(key, (slice, tuple)) or not is_list_like(key) or hasattr(key, "dtype"):
        return key
    return list(key)


def _locate(handle: Any, key: Any) -> Column:
    """Return the row numbers that ``key`` names; a new label is an error that says what to do."""
    rows = _tuples(key, handle)
    if rows is not None:
        return rows
    if isinstance(key, list):
        key = column_from(key)
    try:
        return handle.locate(key)
    except KeyError as error:
        if _is_one(key):
            raise KeyError(f"{error.args[0]}; to add rows use concat") from None
        raise


def _labels_of(handle: Any, columns: Any) -> list[Any]:
    """Return the column labels that an assignment names; new ones are allowed as a label or list."""
    if isinstance(columns, slice) or is_mask(columns):
        labels = handle.labels()
        return [labels[i] for i in _column_positions(handle, columns)]
    if isinstance(columns, tuple) or not is_list_like(columns):
        return [plain_label(columns)]
    return plain_labels(columns)


def _elements(value: Any, rows: Column, index: Any) -> Any:
    """Return what the elements at ``rows`` become: a scalar, or a column of one for each row."""
    if isinstance(value, Wrapper) and not isinstance(value, objects.Series):
        raise TypeError("the elements of a Series cannot be set to a DataFrame")
    if isinstance(value, Mapping) or is_pandas(value, "Series"):
        value = objects.Series(value)
    if isinstance(value, objects.Series):
        return value._handle.reindex(index.take(rows)).column()
    if not is_list_like(value):
        return value
    column = column_from(value)
    if len(column) != len(rows):
        raise ValueError(f"cannot set {len(rows)} elements from {len(column)} values: the lengths must match")
    return column


def _set_labelled(target: Any, rows: Column, labels: list[Any], parts: list[Any]) -> None:
    """Replace the elements at ``rows`` in the columns ``labels``, which are added where they are new."""
    handle = target._handle
    known, new = [], []
    for label, part in zip(labels, parts, strict=True):
        elements = _elements(part, rows, handle.index())
        if handle.contains(label):
            known.append((handle.position(label), elements))
        else:
            new.append((label, _new_column(elements, rows, len(handle))))
    if known:
        target._write_now(lambda _: (rows, known))

    def added(handle: Any) -> Any:
        for label, column in new:
            handle = handle.with_column(label, column)
        return handle

    if new:
        target._relabelled(added, inplace=True)


def _new_column(elements: Any, rows: Column, length: int) -> Column:
    """Return a column of elements at ``rows`` with nulls in all other rows."""
    like = elements if isinstance(elements, Column) else Column.filled(elements, 1)
    series = _cuprum.Series(Column.all_null_like(like, length))
    series.write(rows, [(0, elements)], [])
    return series.column()


def _values_by_label(
    value: Any, labels: list[Any], rows: Column, handle: Any, one_row: bool, columns: Any
) -> list[Any]:
    """Return one value for each column of an assignment by label.

    What has labels is matched by them: a Series or dict to the columns where the rows are one label,
    else to the rows, for every column that the key names; a frame to rows and columns, which go by
    position where the key names none (as in pandas).
    """
    if is_frame_like(value):
        value = objects.DataFrame(value)
    if isinstance(value, objects.DataFrame):
        if columns is _ALL:
            if value.shape[1] != len(labels):
                raise ValueError(f"cannot set {len(labels)} columns from a frame of {value.shape[1]}")
            return [wrap_series(value._handle.column_at(i)) for i in range(len(labels))]
        return [value[label] for label in labels]
    if is_pandas(value, "Series"):
        value = objects.Series(value)
    if isinstance(value, (Mapping, Row, objects.Series)):
        by_column = one_row and (is_list_like(columns) or isinstance(columns, slice) or callable(columns))
        if by_column and not (isinstance(columns, tuple) and handle.contains(columns)):
            found = {plain_label(label): part for label, part in value.items()}
            return [found.get(label) for label in labels]
        if columns is _ALL:
            raise ValueError(
                f"a {type(value).__name__} cannot be set to several rows without their columns: "
                "name them, loc[rows, columns] = value"
            )
        if not isinstance(value, objects.Series):
            value = objects.Series(dict(value.items()))
        return [value] * len(labels)
    return _values_in_order(value, len(labels), rows)


def _values_in_order(value: Any, count: int, rows: Column) -> list[Any]:
    """Return one value for each of ``count`` columns; rows and columns in the order of the value."""
    if not is_list_like(value):
        return [value] * count
    if getattr(value, "ndim", 1) == 2:
        if value.shape != (len(rows), count):
            raise ValueError(f"cannot set {(len(rows), count)} elements from an array of {value.shape}")
        return [value[:, i] for i in range(count)]
    if count == 1:
        return [value]
    value = list(value)
    if value and is_list_like(value[0]):
        return [list(part) for part in zip(*value, strict=True)]
    if len(value) != count:
        raise ValueError(f"cannot set {count} columns from {len(value)} values: the lengths must match")
    return value


# By position.


def _position(key: Any, length: int, what: str) -> int | None:
    """Return a position counted from the start for an integer; None for other keys."""
    # Arrays of several elements have the method, too.
    if isinstance(key, bool) or getattr(key, "ndim", 0) or not hasattr(key, "__index__"):  # type: ignore[arg-type]
        return None
    at = key.__index__()
    if not -length <= at < length:
        raise IndexError(f"position {at} is out of bounds for {length} {what}")
    return at % length if length else at


def _positions(key: Any, target: Wrapper) -> Any:
    """Return rows for the handles' ``iloc``: a slice or a column of positions or truth values."""
    if callable(key):
        key = key(target)
    if isinstance(key, slice):
        return key
    if isinstance(key, objects.Series) and is_mask(key):
        raise NotImplementedError("iLocation based boolean indexing with a Series: use loc, or its `values`")
    if not is_list_like(key):
        raise TypeError(f"Cannot index by location index with a non-integer key: {key!r}")
    if is_mask(key):
        return mask_column(key, target)
    return positions_column(list(key) if isinstance(key, (set, frozenset)) else key)


class ILocIndexer(_Indexer):
    """Rows and columns by position; see `DataFrame.iloc`."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        target = self._target
        if isinstance(target, objects.Series):
            if isinstance(key, tuple) and len(key) == 1:
                (key,) = key
            at = _position(key, len(target), "rows")
            return (
                wrap_series(target._handle.iloc(_positions(key, target)))
                if at is None
                else target._element(at)
            )
        rows, columns = self._split(key)
        handle = target._handle
        if columns is not _ALL:
            at = _position(columns, handle.shape()[1], "columns")
            if at is not None:
                return wrap_series(handle.column_at(at)).iloc[rows]
            handle = handle.select_positions(_integer_positions(columns, handle.shape()[1]))
        at = _position(rows, len(target), "rows")
        return row_of(handle, at) if at is not None else wrap_frame(handle.iloc(_positions(rows, target)))

    def _split(self, key: Any) -> tuple[Any, Any]:
        if not isinstance(key, tuple):
            return key, _ALL
        if len(key) == 1:
            return key[0], _ALL
        if len(key) != 2:
            raise IndexError(f"Too many indexers: {len(key)} for rows and columns")
        rows, columns = key
        return rows, columns(self._target) if callable(columns) else columns

    def __setitem__(self, key: Any, value: Any) -> None:
        target = self._target
        value = _read(value)
        series = isinstance(target, objects.Series)
        rows, columns = (key, _ALL) if series else self._split(key)
        at = _position(rows, len(target), "rows")
        chosen = _positions(rows, target) if at is None else slice(at, at + 1)

        def elements(handle: Any) -> Any:
            where = handle.locate_positions(chosen)
            if series:
                return where, [(0, _elements(_in_order(value), where, handle.index()))]
            return where, self._values(handle, where, at is not None, columns, value)

        target._write(elements)

    @staticmethod
    def _values(handle: Any, where: Column, one_row: bool, columns: Any, value: Any) -> list[tuple[int, Any]]:
        """Return positions of columns of a frame and what their elements at some rows become."""
        one = _position(columns, handle.shape()[1], "columns")
        chosen = [one] if one is not None else _integer_positions(columns, handle.shape()[1])
        labels = handle.labels()
        if isinstance(value, Mapping):
            # Labels count even here, as in pandas.
            columns = _ALL if one is None else labels[one]
            chosen_labels = [labels[i] for i in chosen]
            values = _values_by_label(value, chosen_labels, where, handle, one_row, columns)
        else:
            values = _values_by_position(value, len(chosen), where)
        index = handle.index()
        return [(i, _elements(part, where, index)) for i, part in zip(chosen, values, strict=True)]


def _in_order(value: Any) -> Any:
    """Return a value without its labels: positions count, not labels."""
    if isinstance(value, objects.Series) or is_pandas(value, "Series"):
        return column_from(value)
    return value


def _values_by_position(value: Any, count: int, rows: Column) -> list[Any]:
    """Return one value for each of ``count`` columns of an assignment by position."""
    if is_frame_like(value):
        value = objects.DataFrame(value)
    if isinstance(value, objects.DataFrame):
        if value.shape != (len(rows), count):
            raise ValueError(f"cannot set {(len(rows), count)} elements from a frame of {value.shape}")
        return value._handle.columns()
    value = _in_order(value)
    if isinstance(value, Column) and count > 1:
        value = value.to_pylist()
    return _values_in_order(value, count, rows)


def _integer_positions(columns: Any, count: int) -> list[int]:
    if isinstance(columns, slice):
        return list(range(count))[columns]
    if not is_list_like(columns):
        raise TypeError(f"Cannot index by location index with a non-integer key: {columns!r}")
    columns = list(columns)
    if columns and is_mask(columns):
        if len(columns) != count:
            raise IndexError(f"Boolean index has wrong length: {len(columns)} instead of {count}")
        return [i for i, keep in enumerate(columns) if keep]
    positions = [_position(i, count, "columns") for i in columns]
    if any(i is None for i in positions):
        raise IndexError(f".iloc requires numeric indexers, got {columns}")
    return positions  # type: ignore[return-value]


class AtIndexer(_Indexer):
    """One element by its labels; see `DataFrame.at`."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        found = self._target.loc[key]
        if isinstance(found, (Wrapper, Row)):
            raise ValueError(f"at[{key!r}] names more than one element; use loc")
        return found

    def __setitem__(self, key: Any, value: Any) -> None:
        if is_list_like(value):
            raise ValueError("at sets one element: the value must be a scalar")
        self._target.loc[key] = value


class IAtIndexer(_Indexer):
    """One element by its positions; see `DataFrame.iat`."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        self._check(key)
        return self._target.iloc[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._check(key)
        self._target.iloc[key] = value

    def _check(self, key: Any) -> None:
        parts = key if isinstance(key, tuple) else (key,)
        if len(parts) != self._target.ndim or any(_position(part, 2**62, "rows") is None for part in parts):
            raise ValueError("iAt based indexing can only have integer indexers")
