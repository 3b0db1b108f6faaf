"""Series of unlike values that functions of rows, columns and groups make: records, which become rows of a frame.

No column holds unlike values, so `Series` refuses them. What a function returns is taken apart at once, and each
value goes into a column of its own: while it runs, ``Series`` of unlike values is a `Row`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from cuprum.core.arguments import plain_label
from cuprum.core.construction import column_from
from cuprum.core.row import Row

__all__ = ["allowed", "record"]

_ALLOWED = ContextVar("records", default=False)


@contextmanager
def allowed() -> Iterator[None]:
    """Let ``Series`` of unlike values be rows."""
    token = _ALLOWED.set(True)
    try:
        yield
    finally:
        _ALLOWED.reset(token)


def record(data: Any, index: Any, name: Any) -> Row | None:
    """Return the row that the arguments of ``Series(...)`` stand for; None where they make a series, or no row."""
    if not _ALLOWED.get() or not isinstance(data, (Mapping, list, tuple)):
        return None
    if isinstance(data, Mapping):
        values = list(data.values())
        labels = list(data if index is None else index)
        if index is not None:
            values = [data.get(label, float("nan")) for label in labels]
    else:
        values = list(data)
        labels = list(range(len(values)) if index is None else index)
    if len(labels) != len(values) or len({*map(type, values)}) < 2 or _is_a_column(values):
        return None
    return Row([plain_label(label) for label in labels], values, name)


def _is_a_column(values: list[Any]) -> bool:
    try:
        column_from(values)
    except (TypeError, NotImplementedError):
        return False
    return True
