"""`to_numeric`: numbers from texts."""

from __future__ import annotations

from typing import Any

from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_default

__all__ = ["to_numeric"]


def to_numeric(arg: Any, errors: str = "raise") -> Any:
    """Return texts as numbers: int64 where all are whole, else float64; of a scalar a scalar.

    ``ValueError`` for a text that is none.
    """
    only_default("to_numeric", errors=(errors, "raise"))
    if isinstance(arg, objects.Index):
        return objects.Index(to_numeric(objects.Series(arg)), name=arg.name)
    if isinstance(arg, (str, bytes)) or not is_list_like(arg):
        return to_numeric(objects.Series([arg])).iloc[0]
    series = arg if isinstance(arg, objects.Series) else objects.Series(arg)
    if series.dtype.kind != "O":
        return series._snapshot()
    try:
        return series.astype("int64")
    except (ValueError, OverflowError):
        return series.astype("float64")
