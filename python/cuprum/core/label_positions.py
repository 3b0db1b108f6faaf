"""Labels as positions: labels may repeat, and as keys of a dict all but one of those would be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = [
    "are_repeated",
    "numbered",
    "places_of",
    "places_of_all",
    "refuse_repeated",
    "with_changed",
]


def are_repeated(labels: list[Any]) -> bool:
    """Whether a label comes twice."""
    return len(set(map(_key, labels))) < len(labels)


def numbered(handle: Any) -> Any:
    """Return a handle of a frame whose columns are labelled by their positions."""
    return handle.with_labels(list(range(handle.num_columns())))


def places_of(label: Any, labels: list[Any]) -> list[int]:
    """Return the positions of a label among others; True is not 1, and NaN is NaN."""
    if label != label:
        return [at for at, own in enumerate(labels) if own != own]
    truth = type(label) is bool
    return [at for at, own in enumerate(labels) if own == label and (type(own) is bool) == truth]


def places_of_all(labels: list[Any], own: list[Any]) -> list[int]:
    """Return the positions of all columns with some labels; ``KeyError`` for a label that is not there."""
    places = [places_of(label, own) for label in labels]
    absent = [label for label, found in zip(labels, places, strict=True) if not found]
    if absent:
        raise KeyError(absent)
    return [at for found in places for at in found]


def refuse_repeated(labels: list[Any]) -> None:
    """Fail with ``ValueError`` for labels that others are matched with and that repeat."""
    if are_repeated(labels):
        raise ValueError("cannot reindex on an axis with duplicate labels")


def with_changed(handle: Any, label: Any, change: Callable[[Any], Any]) -> Any:
    """Return a handle of a frame with each column under a label as ``change`` makes it of the handle of that column."""
    places = places_of(label, handle.labels())
    if not places:
        return handle
    columns = handle.columns()
    for at in places:
        columns[at] = change(handle.column_at(at)).column()
    return handle.with_columns(columns)


def _key(label: Any) -> Any:
    """Return what a label equals others by: True is not 1, and NaN is NaN."""
    if isinstance(label, tuple):
        return tuple(map(_key, label))
    if label != label:
        return "NaN", None
    return type(label) is bool, label
