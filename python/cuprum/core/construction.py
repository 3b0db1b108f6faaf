"""Columns, row labels and frames from what users hand in."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DType, _tables
from cuprum.core import objects
from cuprum.core.arguments import (
    element_of,
    is_mask,
)
from cuprum.core.dtypes import IntervalDtype, names_object
from cuprum.core.interop import as_column, column_from_pandas, is_pandas
from cuprum.core.missing import is_missing
from cuprum.core.objects import Wrapper

__all__ = [
    "cast_column",
    "cast_values",
    "column_from",
    "elements_from",
    "is_naive_time",
    "leaves_intervals_open",
    "parts_of_intervals",
    "positions_column",
    "positions_to_take",
    "refuse_offsets",
    "with_default_widths",
]


def cast_column(column: Column, dtype: Any) -> Column:
    """Return a column cast to a type."""
    if leaves_intervals_open(dtype):
        return _intervals(column, dtype)
    if dtype is None or (column.dtype == dtype and not _names_categories(dtype)):
        return column
    refuse_offsets(column, dtype)
    categories = getattr(dtype, "categories", None)
    if categories is not None and column.null_count() == len(column):
        # Elements that are missing are of the type of any categories.
        column = Column.all_null_like(column_from(categories), len(column))
    return _cuprum.Series(column).astype(dtype).column()


_INTERVALS = re.compile(r"interval(?:\[(.+?)(?:, (left|right|both|neither))?\])?", re.IGNORECASE)


def parts_of_intervals(dtype: Any) -> tuple[Any, str | None] | None:
    """Return the type of the bounds and the closed side that a dtype of intervals names, None for what it leaves open.

    None where it is no dtype of intervals.
    """
    if isinstance(dtype, str):
        found = _INTERVALS.fullmatch(dtype)
        return found and (found[1], found[2])
    if is_pandas(dtype, "IntervalDtype"):
        return None if dtype.subtype is None else str(dtype.subtype), dtype.closed
    if isinstance(dtype, DType) and dtype.subtype is not None:
        return dtype.subtype, dtype.closed
    return None


def leaves_intervals_open(dtype: Any) -> bool:
    """Whether a dtype is one of intervals and does not say all of them."""
    parts = parts_of_intervals(dtype)
    return parts is not None and None in parts


def _intervals(column: Column, dtype: Any) -> Column:
    """Return intervals of what their dtype leaves open as they are; ``TypeError`` for what is none."""
    parts = parts_of_intervals(dtype)
    assert parts is not None, dtype
    subtype: Any = column.dtype.subtype
    closed = column.dtype.closed
    if subtype is None:
        if column.null_count() < len(column):
            raise TypeError(f"elements of type {column.dtype} are no intervals")
        column = Column.filled(None, len(column))
        subtype, closed = "float64" if len(column) else "int64", "right"
    return cast_column(column, IntervalDtype(parts[0] or subtype, parts[1] or closed))


def refuse_offsets(column: Column, dtype: Any) -> None:
    """Fail for texts with offsets from UTC that are to be times without a zone, which would lose them."""
    if column.dtype != "str" or not is_naive_time(dtype):
        return
    texts = objects.wrap_series(_cuprum.Series(column))
    texts = texts[texts.str.contains(r"[0-9]\s*[Zz]|:.*[+-]|\+").fillna(False)]
    # Of several offsets there is no column; then one of the texts alone tells.
    if _has_zone(texts) or any(_has_zone(texts.iloc[at : at + 1]) for at in range(min(len(texts), 1000))):
        raise ValueError(
            f"cannot supply both a tz and a timezone-naive dtype (i.e. {DType(dtype)}): the texts have offsets from "
            "UTC; use to_datetime, or a dtype with a zone"
        )


def _has_zone(texts: Any) -> bool:
    """Whether texts are times with offsets from UTC."""
    with suppress(ValueError, TypeError, OverflowError, NotImplementedError):
        return texts._handle.to_datetime(None, False, False, None, None, False).dtype().tz is not None
    return False


def is_naive_time(dtype: Any) -> bool:
    """Whether a dtype is one of times without a zone."""
    try:
        found = DType(dtype)
    except (TypeError, ValueError, NotImplementedError):
        return False
    return found.kind == "M" and found.tz is None


def cast_values(column: Column, dtype: Any) -> Column:
    """Return a column of given values as a type; ``ValueError`` for fractions that are to be integers."""
    cast = cast_column(column, dtype)
    if column.dtype.kind == "f" and cast.dtype.kind in "iu":
        given, whole = _cuprum.Series(column), _cuprum.Series(cast).astype("float64")
        if any(given.binary(whole, op).reduce("any") for op in ("lt", "gt")):
            raise ValueError("Trying to coerce float values to integers")
    return cast


def _names_categories(dtype: Any) -> bool:
    return (dtype if isinstance(dtype, str) else getattr(dtype, "name", None)) == "category"


def column_from(values: Any, dtype: Any = None) -> Column:
    """Return a column of the elements of a list-like: a Series or Index gives its own, without labels."""
    kind = type(values)
    if kind is list and dtype is None:
        return _column_of_list(values)
    if kind is list and values and (periods := _periods(values)) is not None:
        return cast_column(periods, dtype)
    if dtype is not None:
        if leaves_intervals_open(dtype):
            return _intervals(column_from(values), dtype)
        _cuprum.check_unit(dtype)
    elif "numpy" in sys.modules and kind is sys.modules["numpy"].ndarray and values.dtype.kind != "O":
        return _with_nulls(Column.from_numpy(values))
    if kind is not list:
        if isinstance(values, Wrapper):
            if not isinstance(values, objects.Series):
                raise TypeError("a column needs a sequence of scalars, not a DataFrame")
            return cast_column(values._handle.column(), dtype)
        if isinstance(values, objects.Index):
            return cast_column(values._column(), dtype)
        if isinstance(values, (Mapping, set, frozenset)):
            raise TypeError(f"a column needs a sequence of scalars, not a {kind.__name__}: order matters")
        if not isinstance(values, Column) and _is_objects(values):
            return column_from(values.tolist(), dtype)
        if isinstance(values, Column) or hasattr(values, "dtype") or hasattr(values, "__arrow_c_array__"):
            typed = isinstance(values, Column) or is_pandas(values, "Series")
            column = as_column(values)
            if not isinstance(values, Column):
                column = _with_nulls(column)
            return (cast_column if typed else cast_values)(column, dtype)
    if dtype is None:
        return _with_nulls(_cuprum.with_default_width(as_column(values)))
    if not isinstance(values, (list, tuple, range)):
        values = list(values)
    try:
        return _with_nulls(as_column(values, dtype))
    except TypeError:
        if not _names_categories(dtype):
            wanted = DType(dtype)  # a type that is none is the error to report
            if dtype is str or str(dtype) in ("str", "string"):
                return as_column([None if is_missing(value) else str(value) for value in values], dtype)
            found = as_column(values)
            _refuse_times(found, wanted.kind)
            return cast_values(found, dtype)
        return cast_values(as_column(values), dtype)


def _column_of_list(values: list[Any], kept: bool = False) -> Column:
    """Return a column of the type that the elements of a list have; see `Column.from_scalars` for ``kept``."""
    periods = _periods(values) if values else None
    if periods is not None:
        return periods
    return _with_nulls(_cuprum.with_default_width(Column.from_scalars(values, kept=kept)))


def _periods(values: list[Any]) -> Column | None:
    """Return pandas' periods in a list as a column; None where they are none, or of several frequencies."""
    if values[0] is None or is_missing(values[0]):
        first = next((value for value in values if not is_missing(value)), None)
    else:
        first = values[0]
    if not is_pandas(first, "Period"):
        return None
    import pandas as pd

    with suppress(ValueError, TypeError):
        return column_from_pandas(pd.PeriodIndex(values))
    return None


def with_default_widths(handle: Any, inferred: list[bool]) -> Any:
    """Return a handle of a frame with the columns whose type nothing said as wide as the options have numbers."""
    if _cuprum.default_bitwidth("integer") is None and _cuprum.default_bitwidth("float") is None:
        return handle
    columns = zip(handle.columns(), inferred, strict=True)
    return handle.with_columns(
        [_cuprum.with_default_width(column) if is_inferred else column for column, is_inferred in columns]
    )


def _with_nulls(column: Column) -> Column:
    """Return elements that come in, NaN as null where results are not those of pandas."""
    if column.dtype.kind != "f" or _cuprum.pandas_compatible() or _KEEPS_NAN.get():
        return column
    return _tables.column_nans_to_nulls(column)


# Whether NaN that comes in stays NaN, whatever the options say.
_KEEPS_NAN = ContextVar("_KEEPS_NAN", default=False)


def _refuse_times(given: Column, kind: str) -> None:
    """Raise ``TypeError`` for times that are to be numbers; a cast says what they count."""
    if given.dtype.kind in "mM" and kind in "iufb":
        raise TypeError(f"elements of type {given.dtype} are no numbers: use astype")


def _is_objects(values: Any) -> bool:
    return hasattr(values, "__array_interface__") and getattr(values.dtype, "kind", "") == "O"


def element_column(value: Any, size: int, dtype: Any = None) -> Column:
    """Return a column of ``size`` times one scalar, or the element of an array without dimensions."""
    value = element_of(value)
    if dtype is None and value is None:
        return Column.from_objects([None] * size)
    if dtype is None:
        return _with_nulls(_cuprum.with_default_width(_filled(value, size)))
    if names_object(dtype):
        return elements_from([value] * size, dtype)
    if leaves_intervals_open(dtype):
        return _intervals(_filled(value, size), dtype)
    _cuprum.check_unit(dtype)
    if size > 1:
        with suppress(TypeError):
            return Column.filled(value, size, dtype)
    column = Column.filled(value, size)
    if not _names_categories(dtype):
        _refuse_times(column, DType(dtype).kind)
    return cast_column(column, dtype)


def _filled(value: Any, size: int) -> Column:
    try:
        return Column.filled(value, size)
    except TypeError:
        return Column.from_objects([value] * size)  # what has no type


def positions_column(indices: Any) -> Column:
    """Return positions as a column for the handles' ``iloc``; an empty list is one of integers."""
    if isinstance(indices, (list, tuple)) and not indices:
        return Column.from_iterable_of_py([], "int64")
    return column_from(indices)


def integers_of_rows(argument: str, given: Any, rows: int, missing: bool = True) -> Column:
    """Return integers of an argument, one for each row: ``TypeError`` or ``ValueError`` where they are not that.

    ``missing`` says whether some may be.
    """
    column = column_from(given)
    if column.dtype.kind not in "iu":
        raise TypeError(f"`{argument}` is of {column.dtype}, not of integers")
    if not missing and column.null_count():
        raise TypeError(f"`{argument}` has missing elements")
    if len(column) != rows:
        raise ValueError(f"`{argument}` has {len(column)} integers for {rows} rows")
    return column


def positions_to_take(indices: Any) -> Column:
    """Return the positions that ``take`` is given: truth values are the numbers 1 and 0, as in pandas."""
    column = positions_column(indices)
    return cast_column(column, "int64") if column.dtype.kind == "b" else column


# Row labels.


# Series.


def elements_from(values: Any, dtype: Any = None) -> Column:
    """Return a column of the elements of a list-like: `column_from`, but of objects where no other type holds them.

    Texts are such with a ``dtype`` of objects, too.
    """
    of_objects = names_object(dtype)
    if dtype is None and type(values) is list and _are_nothing(values):
        return Column.from_objects(values)
    try:
        if dtype is None and type(values) is list:
            return _column_of_list(values, kept=True)
        column = column_from(values, None if of_objects else dtype)
        if not of_objects or column.dtype == "str":
            nothing = dtype is None and _is_objects(values) and column.null_count() == len(column)
            return Column.from_objects(values) if nothing else column
    except (TypeError, OverflowError, NotImplementedError):
        of_objects = of_objects or (
            dtype is None and (isinstance(values, (list, tuple)) or _is_objects(values))
        )
        if not of_objects or any(isinstance(value, Wrapper) for value in values):
            raise
    return Column.from_objects(values)


def _are_nothing(values: list[Any]) -> bool:
    """Whether a list has elements, all of them None: none of them has a type."""
    return bool(values) and values[0] is values[-1] is None and values.count(None) == len(values)


# Frames.


def rows_where(handle: Any, mask: Any, target: Wrapper) -> Any:
    """Return a handle of the rows of that of ``target`` where a mask is true."""
    mask = objects.ours(mask)
    planned = handle.filter_planned(mask._handle) if isinstance(mask, objects.Series) else None
    return handle.filter(mask_column(mask, target)) if planned is None else planned


def mask_column(mask: Any, target: Wrapper) -> Column:
    """Return a boolean mask for the rows of ``target`` as a column; a series is matched by label."""
    mask = objects.ours(mask)
    if isinstance(mask, objects.Series):
        handle = mask._handle
        rows = target._handle.index()
        if not handle.index().equals(rows):
            missing = handle.column().null_count()
            handle = handle.reindex(rows)
            if handle.column().null_count() > missing:
                raise IndexError(
                    "Unalignable boolean Series provided as indexer (index of the boolean Series and of "
                    "the indexed object do not match)."
                )
        return handle.column()
    column = column_from(mask, None if is_mask(mask) else "bool")
    if len(column) != len(target):
        raise IndexError(f"Boolean index has wrong length: {len(column)} instead of {len(target)}")
    return column


def pandas_column(values: Any) -> Column:
    """Return a column of a pandas array."""
    return column_from_pandas(values)
