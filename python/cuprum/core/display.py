"""Text of indexes and of `DataFrame.info`, laid out as pandas does.

Frames and series are printed by the extension module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["bytes_text", "index_summary", "index_text", "info_table"]

_WIDTH = 80
_SHOWN = 10


def index_text(
    kind: str,
    items: Sequence[str],
    *,
    dtype: str | None = None,
    name: Any = None,
    names: Sequence[Any] | None = None,
    length: int | None = None,
) -> str:
    """Lay out an index: ``items`` are the texts of its labels, of which ``length`` exist.

    Where ``length`` is more than ``items``, the middle of the labels is left out of ``items``.
    """
    attributes = []
    if dtype is not None:
        attributes.append(f"dtype='{dtype}'")
    if name is not None:
        attributes.append(f"name={name!r}")
    cut = length is not None and length > len(items)
    if cut or names is not None:
        if names is not None and any(n is not None for n in names):
            attributes.append(f"names={list(names)!r}")
        if cut:
            attributes.append(f"length={length}")
    if kind in ("DatetimeIndex", "TimedeltaIndex"):
        attributes.append("freq=None")
    tail = (", " + ", ".join(attributes)) if attributes else ""
    indent = " " * (len(kind) + 2)
    if names is not None:
        lines = _lines_of_tuples(items, cut, indent)
        return (
            f"{kind}([{lines}],\n{' ' * (len(kind) + 1)}{tail[2:]})"
            if attributes
            else f"{kind}([{lines}],\n{indent[:-1]})"
        )
    one_line = f"{kind}([{', '.join(items)}]{tail})"
    if not cut and len(", ".join(items)) + len(indent) <= _WIDTH - 1:
        return one_line
    width = max(map(len, items), default=0)
    right = not any(item[:1] in "'\"" for item in items)
    padded = [f"{item:>{width}}" if right else f"{item:<{width}}" for item in items]
    half = len(items) // 2
    rows: list[list[str]] = []
    for part in (padded[:half], padded[half:]) if cut else (padded,):
        per_line = max(1, (_WIDTH - len(indent) - 1) // (width + 2))
        rows += [part[i : i + per_line] for i in range(0, len(part), per_line)]
        if cut and part is not padded[half:] and len(rows) and part == padded[:half]:
            rows.append(["..."])
    body = f",\n{indent}".join(", ".join(row).rstrip() if row != ["..."] else "..." for row in rows)
    return f"{kind}([{body}],\n{indent[:-1]}{tail[2:]})"


def _lines_of_tuples(items: Sequence[str], cut: bool, indent: str) -> str:
    if not cut:
        return f",\n{indent}".join(items)
    half = len(items) // 2
    return f",\n{indent}".join([*items[:half], "...", *items[half:]])


def index_summary(index: Any) -> str:
    """Return the kind of an index, its length and its ends in one line."""
    kind, count = type(index).__name__, len(index)
    ends = f", {index[0]} to {index[-1]}" if count else ""
    return f"{kind}: {count} entries{ends}"


def info_table(labels: list[Any], counts: list[int] | None, types: list[str]) -> list[str]:
    """Return the lines of the table of ``DataFrame.info``."""
    columns = [[" # ", "---", *[f" {i} " for i in range(len(labels))]]]
    columns.append(["Column", "------", *map(str, labels)])
    if counts is not None:
        columns.append(["Non-Null Count", "--------------", *[f"{n} non-null" for n in counts]])
    columns.append(["Dtype", "-----", *types])
    widths = [max(map(len, column)) for column in columns]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        for row in zip(*columns, strict=True)
    ]


def bytes_text(count: float) -> str:
    """Return a number of bytes in the unit in which it is shortest."""
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TB"
