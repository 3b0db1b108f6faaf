"""Correlations that are no sums of products: Kendall's, and those that a function computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cuprum.core import objects

__all__ = ["correlation_of_series", "correlations", "is_of_sums", "numbers_of"]


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
    return series.to_numpy(dtype="float64", na_value=np.nan)


def kendall(left: Any, right: Any) -> float:
    """Return Kendall's tau-b of two arrays without NaN: NaN where one has equal elements only.

    Pairs in unlike order are inversions of the one where the other ascends (Knight, 1966).
    """
    import numpy as np

    ranks = [np.unique(side, return_inverse=True)[1] for side in (left, right)]
    order = np.lexsort(ranks[::-1])
    first, second = (rank[order] for rank in ranks)
    pairs = len(first) * (len(first) - 1) // 2
    ties = [_pairs_of_equal(rank) for rank in (first, second)]
    both = _pairs_of_equal(first * (int(second.max()) + 1) + second)
    if pairs in ties:
        return float("nan")
    excess = pairs - ties[0] - ties[1] + both - 2 * inversions(second)
    tau = excess / np.sqrt(pairs - ties[0]) / np.sqrt(pairs - ties[1])
    return float(min(1.0, max(-1.0, tau)))


def _pairs_of_equal(ranks: Any) -> int:
    import numpy as np

    counts = np.unique(ranks, return_counts=True)[1].astype("int64")
    return int((counts * (counts - 1) // 2).sum())


def inversions(ranks: Any) -> int:
    """Return how many pairs of integers from 0 on are in descending order.

    Bit by bit from the highest: among those that agree in the bits above, a one before a zero is such a pair.
    """
    import numpy as np

    found = 0
    for bit in reversed(range(int(ranks.max()).bit_length() if len(ranks) else 0)):
        above, ones = ranks >> (bit + 1), (ranks >> bit) & 1
        starts = np.flatnonzero(np.concatenate([[True], above[1:] != above[:-1]]))
        ones_before = np.cumsum(ones) - ones
        lengths = np.diff(np.append(starts, len(ranks)))
        within = ones_before - np.repeat(ones_before[starts], lengths)
        found += int(within[ones == 0].sum())
        ranks = ranks[np.argsort(ranks >> bit, kind="stable")]
    return found


def correlation_of_series(left: Any, right: Any, method: Callable[..., Any] | str, least: int) -> float:
    """Return the correlation of two series, rows matched by label."""
    if not left.index.equals(right.index):
        left, right = left.align(right, join="inner")
    return correlation(numbers_of(left), numbers_of(right), method, least)
