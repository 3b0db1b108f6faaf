"""Text of indexes, laid out as pandas does; frames and series are printed by the extension module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["index_text"]

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
