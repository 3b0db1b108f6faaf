"""Correlations that a function computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cuprum.core import objects

__all__ = ["correlation_of_series", "correlations", "is_named", "numbers_of", "refuse_texts"]


def refuse_texts(handle: Any) -> None:
    """Fail, with the error of pandas, for a frame that has texts: they are no numbers."""
    for label, dtype in zip(handle.labels(), handle.dtypes(), strict=True):
        if dtype == "str":
            raise ValueError(f"could not convert string to float: column {label!r} is of texts")


def is_named(method: Any) -> bool:
    """Whether a method has a name, which handles of frames know, and is no function."""
    if callable(method):
        return False
    if method not in ("pearson", "spearman", "kendall"):
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
    return float(method(left, right))


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


def correlation_of_series(left: Any, right: Any, method: Callable[..., Any] | str, least: int) -> float:
    """Return the correlation of two series, rows matched by label."""
    if not left.index.equals(right.index):
        left, right = left.align(right, join="inner")
    return correlation(numbers_of(left), numbers_of(right), method, least)
