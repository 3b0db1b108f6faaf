"""Text of indexes and of `DataFrame.info`, laid out as pandas does.

Frames and series are printed by the extension module.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuprum.core.arguments import plain_label
from cuprum.options import get_option

__all__ = ["attributes_text", "bytes_text", "index_summary", "index_text", "info_table"]


def _width() -> int:
    """Return the line width in characters; indexes always have one, 80 without the option, as in pandas."""
    return get_option("display.width") or 80


def index_text(
    kind: str,
    items: Sequence[str],
    *,
    dtype: str | None = None,
    name: Any = None,
    names: Sequence[Any] | None = None,
    length: int | None = None,
    attributes: Sequence[str] = (),
    frequency: str | None = None,
) -> str:
    """Lay out an index: ``items`` are the texts of its labels, of which ``length`` exist; times have a ``frequency``.

    ``attributes`` are printed before ``dtype`` and the rest.

    Where ``length`` is more than ``items``, the middle of the labels is left out of ``items``.
    """
    attributes = list(attributes)
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
        attributes.append(f"freq={frequency!r}")
    indent = " " * (len(kind) + 1)
    if names is not None:
        if not items:
            return f"{kind}([], {', '.join(attributes)})"
        lines = _lines_of_tuples(items, cut, indent + " ")
        return f"{kind}([{lines}],\n{indent}{', '.join(attributes)})"
    right = kind in ("DatetimeIndex", "TimedeltaIndex") or not any(item[:1] in "'\"" for item in items)
    return f"{kind}({_with_attributes(_lines(items, cut, right, indent), attributes, indent)})"


def attributes_text(kind: str, attributes: Sequence[str]) -> str:
    """Lay out an index that is printed without its labels."""
    return f"{kind}({_with_attributes('', attributes, ' ' * (len(kind) + 1))})"


def _lines(items: Sequence[str], cut: bool, right: bool, indent: str) -> str:
    """Return the labels in brackets and a comma, on lines below each other where one is too short."""
    most = _width()
    if len(items) < 2:
        middle = f"...\n{indent} " if cut else ""
        return f"[{middle}{', '.join(items)}], "
    half = len(items) // 2 if cut else 0
    head, tail = list(items[:half]), list(items[half:])
    if right and (cut or len(", ".join(tail)) >= most):
        width = max(map(len, items))
        head, tail = [item.rjust(width) for item in head], [item.rjust(width) for item in tail]
    start = f"\n{indent} "
    text, line = "", start

    def add(word: str, width: int) -> None:
        nonlocal text, line
        if len(line.rstrip()) + len(word.rstrip()) >= width:
            text, line = text + line.rstrip(), start
        line += word

    for item in head:
        add(f"{item}, ", most)
    if cut:
        text, line = f"{text}{line.rstrip()}{start}...", start
    for item in tail[:-1]:
        add(f"{item}, ", most)
    add(tail[-1], most - 2)
    text += f"{line}],"
    return f"[{text[len(start) :]}{f'{chr(10)}{indent}' if len(text) > most else ' '}"


def _with_attributes(labels: str, attributes: Sequence[str], indent: str) -> str:
    """Return the labels and what follows them, on other lines where one is too short."""
    last = labels.rpartition("\n")[2]
    most = _width()
    used = len(last) + (0 if "\n" in labels else len(indent))
    text = ""
    for at, attribute in enumerate(attributes):
        between = ", " if at else ""
        comma = at < len(attributes) - 1
        if used + len(between) + len(attribute) + comma > most:
            text += f"{between.rstrip()}\n{indent}{attribute}"
            used = len(indent) + len(attribute)
        else:
            text += between + attribute
            used += len(between) + len(attribute)
    return (labels.rstrip() if text.startswith("\n") else labels) + text


def _lines_of_tuples(items: Sequence[str], cut: bool, indent: str) -> str:
    if not cut:
        return f",\n{indent}".join(items)
    half = len(items) // 2
    first, last = (f",\n{indent}".join(part) for part in (items[:half], items[half:]))
    return f",\n{indent}".join(filter(None, [first, f"...\n{indent}{last}"]))


def index_summary(index: Any) -> str:
    """Return the kind of an index, its length and its ends in one line."""
    kind, count = type(index).__name__, len(index)
    ends = f", {plain_label(index[0])} to {plain_label(index[-1])}" if count else ""
    return f"{kind}: {count} entries{ends}"


def info_table(labels: list[Any], counts: list[int] | None, types: list[str]) -> list[str]:
    """Return the lines of the table of ``DataFrame.info``."""
    columns = [[" # ", "---", *[f" {i}" for i in range(len(labels))]]]
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
