"""Attributes of a frame or a series that users set (``attrs``), and its ``flags``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuprum.core.copy_on_write import attrs_of

__all__ = ["Flags", "with_common_attrs"]


class Flags:
    """The flags of a frame or a series; made by ``frame.flags``.

    Labels may always repeat: ``allows_duplicate_labels`` is True.
    """

    __slots__ = ()
    _names = frozenset({"allows_duplicate_labels"})

    @property
    def allows_duplicate_labels(self) -> bool:
        """Whether labels may repeat."""
        return True

    @allows_duplicate_labels.setter
    def allows_duplicate_labels(self, value: bool) -> None:
        _check(value)

    def __getitem__(self, key: str) -> Any:
        if key not in self._names:
            raise KeyError(key)
        return getattr(self, key)

    def __setitem__(self, key: str, value: Any) -> None:
        if key not in self._names:
            raise ValueError(f"Unknown flag {key}. Must be one of {set(self._names)}")
        setattr(self, key, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flags)

    def __repr__(self) -> str:
        return "<Flags(allows_duplicate_labels=True)>"


def _check(value: Any) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"`allows_duplicate_labels` is {value!r}, neither True nor False")
    if not value:
        raise NotImplementedError("`allows_duplicate_labels`=False is not supported: check index.is_unique")


def with_common_attrs(objs: Sequence[Any], result: Any) -> Any:
    """Return a result of several objects, with the ``attrs`` that all of them have, if they have the same."""
    first = attrs_of(objs[0])
    if first and all(attrs_of(other) == first for other in objs[1:]):
        return objs[0]._with_attrs(result)
    return result
