"""Arrays among the keys of `merge`, which are columns while frames are merged."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from cuprum.core.arguments import label_list, plain_label
from cuprum.core.construction import column_from
from cuprum.core.objects import wrap_frame
from cuprum.core.single_column_frame import OneDimensional

__all__ = ["ArrayKeys", "key_list"]


def _is_array(key: Any) -> bool:
    return isinstance(key, OneDimensional) or getattr(key, "ndim", 0) == 1


def key_list(key: Any) -> list[Any] | None:
    """Return keys as a list of labels and arrays: a list that is no key itself has one for each."""
    if key is None:
        return None
    if _is_array(key):
        return [key]
    if not isinstance(key, list):
        return label_list(key)
    return [part if _is_array(part) else plain_label(part) for part in key]


class ArrayKeys:
    """Frames and keys of a merge in which columns stand for the arrays, and for what these meet."""

    def __init__(self, left: Any, right: Any, keys: list[list[Any] | None]) -> None:
        self.left, self.right, self.keys = left, right, keys
        # The number of each such key, what its column is called meanwhile, and the label on the other side.
        self._added: list[tuple[int, str, Any]] = []
        on, left_on, right_on = keys
        both = left_on if on is None else on, right_on if on is None else on
        if not any(map(_is_array, [*(both[0] or ()), *(both[1] or ())])):
            return
        sides = [None if keys is None else list(keys) for keys in both]
        for number, pair in enumerate(zip_longest(*(side or () for side in sides))):
            if not any(map(_is_array, pair)):
                continue
            label = f"\0key {number}"
            self._added.append((number, label, next((key for key in pair if not _is_array(key)), None)))
            if sides[0]:
                self.left, sides[0][number] = _with_key(self.left, label, pair[0], "left"), label
            if sides[1]:
                self.right, sides[1][number] = _with_key(self.right, label, pair[1], "right"), label
        self.keys = [None, *sides]

    def restored(self, merged: Any) -> Any:
        """Return what was merged with its keys as pandas has them: a label has those of both sides."""
        for number, label, name in self._added:
            values = merged.pop(label)
            if name is not None and merged._handle.contains(name):
                merged[name] = merged[name].where(merged[name].notna(), values)
            else:
                merged.insert(number, f"key_{number}" if name is None else name, values)
        return merged


def _with_key(frame: Any, label: str, key: Any, side: str) -> Any:
    """Return a frame with the values of a key as its last column."""
    if _is_array(key):
        column = column_from(key)
        if len(column) != len(frame):
            raise ValueError(f"`{side}_on` has an array of {len(column)} values for {len(frame)} rows")
    elif frame._handle.contains(key):
        column = frame._handle.column(key).column()
    elif key in frame.index.names:
        column = column_from(frame.index.get_level_values(key))
    else:
        raise KeyError(key)
    return wrap_frame(frame._handle.with_column(label, column))
