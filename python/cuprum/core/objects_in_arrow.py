"""Python objects that no type of Arrow holds: what files say about them that have its types."""

from __future__ import annotations

import reprlib
from bisect import bisect_left
from typing import Any

__all__ = ["what_has_no_type"]


def what_has_no_type(frame: Any) -> str | None:
    """Return which object of a frame is the first without a type, and what to do; None where all have one."""
    for label, column in frame.items():
        if not column._handle.column().is_of_objects():
            continue
        objects = column.to_list()
        if _have_type(objects):
            continue
        row = bisect_left(range(len(objects)), True, key=lambda row: not _have_type(objects[: row + 1]))
        kind, shown = type(objects[row]).__name__, reprlib.repr(objects[row])
        beside = " beside those before it" if _have_type(objects[row : row + 1]) else ""
        return (
            f"column {label!r}: row {row} is {shown} ({kind}), which no type of Arrow holds{beside}: give the column "
            "one type with astype, or make texts of it with astype('str')"
        )
    return None


def _have_type(objects: list[Any]) -> bool:
    import pyarrow as pa

    try:
        pa.array(objects, from_pandas=True)
    except (TypeError, ValueError, NotImplementedError, OverflowError):
        return False
    return True
