"""Levels by their number, of an index of ours or of pandas.

``get_level_values`` takes a name first: of levels called ``["b", "a", 1]`` its ``1`` is the third.
"""

from __future__ import annotations

from typing import Any

__all__ = ["level_at", "levels_in_order", "sorted_levels"]


def levels_in_order(index: Any) -> list[Any]:
    """Return the labels of every level, with its name, from the outermost to the innermost."""
    if index.nlevels == 1:  # pandas has a MultiIndex of one level, too
        return [index.get_level_values(0)]
    plain = index.set_names([None] * index.nlevels)
    return [plain.get_level_values(number).rename(name) for number, name in enumerate(index.names)]


def level_at(index: Any, number: int) -> Any:
    """Return the labels of the level with a number, with its name."""
    if index.nlevels == 1:
        return index.get_level_values(0)
    plain = index.set_names([None] * index.nlevels)
    return plain.get_level_values(number).rename(index.names[number])


def sorted_levels(index: Any) -> int:
    """Return by how many of its levels, from the first on, an index is sorted."""
    import numpy as np

    equal = np.ones(max(len(index) - 1, 0), dtype=bool)
    for depth, codes in enumerate(map(np.asarray, index.codes)):
        if (equal & (codes[1:] < codes[:-1])).any():
            return depth
        equal &= codes[1:] == codes[:-1]
    return index.nlevels
