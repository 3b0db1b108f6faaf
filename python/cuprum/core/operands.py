"""Values beside a frame as operands of its handle: what Python gives, told apart; the handle matches labels."""

from __future__ import annotations

from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.construction import column_from
from cuprum.core.missing import is_missing

__all__ = ["along", "row_of"]


def along(series: Any, axis: int) -> Any:
    """Return the operand of a series along an axis; of objects along the columns each has a type of its own."""
    if axis == 1 and isinstance(series, objects.SeriesOfObjects):
        return _one_row(series._handle.index().labels(), series.to_list())
    return series._handle


def row_of(labels: list[Any], values: list[Any]) -> Any:
    """Return the operand of a value for each column, by position."""
    try:
        return column_from(values)
    except TypeError:  # no type holds all of them
        return _one_row(labels, values)


def _one_row(labels: list[Any], values: list[Any]) -> Any:
    columns = [Column.filled(float("nan") if is_missing(value) else value, 1) for value in values]
    return (_cuprum.DataFrame(labels, columns),)
