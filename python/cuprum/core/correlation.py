"""Correlations that are no sums of products: Kendall's, and those that a function computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cuprum.core import objects

__all__ = ["correlation_of_series", "correlations", "is_of_sums", "numbers_of", "refuse_texts"]


def refuse_texts(handle: Any) -> None:
    """Fail, with the error of pandas, for a frame that has texts: they are no numbers."""
    for label, dtype in zip(handle.labels(), handle.dtypes(), strict=True):
        if dtype == "str":
            raise ValueError(f"could not convert string to float: column {label!r} is of texts")


def is_of_sums(method: Any) -> bool:
    """Whether a method is one that handles of frames compute."""
    if callable(method) or method == "kendall":
        return False
    if method not in ("pearson", "spearman"):
        raise ValueError(
            f"method must be either 'pearson', 'spearman', 'kendall', or a callable, {method!r} was supplied"
        )
    return True


def correlation(left: Any, right: Any, method: Any, least: int) -> float:
    """Return the correlation of two arrays of floats of at least so many pairs without NaN."""
    import numpy as np

    there = ~(np.isnan(left) | np.isnan(right))
    left, right = left[there], right[there]
    if not len(left) or len(left) < least:
        return float("nan")
    return kendall(left, right) if method == "kendall" else float(method(left, right))


def correlations(frame: Any, method: Any, least: int) -> Any:
    """Return the correlation of every pair of columns; that of a column with itself is 1."""
    import numpy as np

    columns = [numbers_of(frame.iloc[:, i]) for i in range(frame.shape[1])]
    found = np.full((len(columns), len(columns)), np.nan)
    for i, left in enumerate(columns):
        for j, right in enumerate(columns[: i + 1]):
            if i != j:
                found[i, j] = found[j, i] = correlation(right, left, method, least)
            elif (count := int((~np.isnan(left)).sum())) and count >= least:
                found[i, i] = 1.0
    made = objects.DataFrame(found, index=frame.columns)
    made.columns = frame.columns
    return made


def numbers_of(series: Any) -> Any:
    """Return the elements of a series as floats, missing ones as NaN."""
    import numpy as np

    if series.dtype.kind not in "iufb":
        raise TypeError(f"elements of type {series.dtype} are no numbers")
    if series.dtype.kind == "b":
        return series.to_numpy(dtype="float64", na_value=np.nan)
    return series.to_numpy(dtype="float64")


def kendall(left: Any, right: Any) -> float:
    """Return Kendall's tau-b of two arrays without NaN: NaN where one has equal elements only.

    Pairs in unlike order are inversions of the one where the other ascends (Knight, 1966).
    """
    import numpy as np

    first, second = (np.unique(side, return_inverse=True)[1] for side in (left, right))
    count = int(second.max()) + 1
    pairs = len(first) * (len(first) - 1) // 2
    ties = [_pairs_within(np.bincount(ranks)) for ranks in (first, second)]
    if pairs in ties:
        return float("nan")
    both = np.sort(first * count + second)
    ends = np.flatnonzero(np.append(both[1:] != both[:-1], True))
    ties_of_both = _pairs_within(np.diff(ends, prepend=-1))
    excess = pairs - ties[0] - ties[1] + ties_of_both - 2 * inversions(both % count)
    tau = excess / np.sqrt(pairs - ties[0]) / np.sqrt(pairs - ties[1])
    return float(min(1.0, max(-1.0, tau)))


def _pairs_within(counts: Any) -> int:
    """Return how many pairs there are in groups of these sizes."""
    return int((counts * (counts - 1) // 2).sum())


def inversions(ranks: Any) -> int:
    """Return how many pairs of integers from 0 on are in descending order.

    Short blocks are compared pair by pair. Then two sorted neighbours become one: each element of the left one stands
    behind as many of the right one as its place in it has moved.
    """
    import numpy as np

    if not len(ranks):
        return 0
    most = int(ranks.max())
    # Twice a rank has a place for the side, and what fills up the last block is behind all of them.
    ranks = ranks.astype("int32" if most < 2**29 else "int64")
    width, found = 16, 0
    blocks = _blocks(ranks, width, most)
    for distance in range(1, width):
        found += int(np.count_nonzero(blocks[:, :-distance] > blocks[:, distance:]))
    while width < len(ranks):
        width *= 2
        sides = 2 * _blocks(blocks.ravel(), width, most)
        sides[:, width // 2 :] += 1
        sides.sort(axis=1)
        lefts = len(sides) - (sides & 1).sum(axis=0, dtype="int64")
        half = width // 2
        found += int(lefts @ np.arange(width)) - len(sides) * (half * (half - 1) // 2)
        blocks = sides >> 1
    return found


def _blocks(ranks: Any, width: int, most: int) -> Any:
    """Return ranks in rows of a width, the last of which is filled up with the greatest rank."""
    import numpy as np

    missing = -len(ranks) % width
    return np.pad(ranks, (0, missing), constant_values=most).reshape(-1, width)


def correlation_of_series(left: Any, right: Any, method: Callable[..., Any] | str, least: int) -> float:
    """Return the correlation of two series, rows matched by label."""
    if not left.index.equals(right.index):
        left, right = left.align(right, join="inner")
    return correlation(numbers_of(left), numbers_of(right), method, least)
