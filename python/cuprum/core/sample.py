"""Rows at random: how many, how likely, and which, drawn by NumPy as pandas draws them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.core import objects
from cuprum.core.arguments import is_list_like
from cuprum.core.interop import is_pandas

if TYPE_CHECKING:
    import numpy as np

__all__ = ["draw", "generator", "likelihoods", "sample_size"]


def sample_size(n: Any, frac: Any, replace: bool, length: int) -> int:
    """Return how many of ``length`` rows to draw: ``n``, or the fraction ``frac``, or 1."""
    if n is not None and frac is not None:
        raise ValueError("Please enter a value for `frac` OR `n`, not both")
    if frac is not None:
        if frac < 0:
            raise ValueError("A negative number of rows requested. Please provide `frac` >= 0.")
        if frac > 1 and not replace:
            raise ValueError("Replace has to be set to `True` when upsampling the population `frac` > 1.")
        return round(frac * length)
    if n is None:
        return 1
    if n < 0:
        raise ValueError("A negative number of rows requested. Please provide `n` >= 0.")
    if n % 1:
        raise ValueError(f"Only integers accepted as `n` values, not {n!r}")
    return int(n)


def generator(random_state: Any) -> Any:
    """Return NumPy's source of random numbers for a seed, or the source itself."""
    import numpy as np

    if isinstance(random_state, (np.random.Generator, np.random.RandomState)):
        return random_state
    if random_state is None:
        return np.random
    if isinstance(random_state, (int, np.integer, np.random.BitGenerator)) or is_list_like(random_state):
        return np.random.RandomState(random_state)
    raise ValueError(
        "random_state must be an integer, array-like, a BitGenerator, Generator, "
        f"a numpy RandomState, or None, not {random_state!r}"
    )


def likelihoods(frame: Any, weights: Any, axis: int = 0) -> np.ndarray[Any, Any]:
    """Return a weight for every row (column): the values of a column, a list, or a series matched by label.

    Missing weights and rows that a series does not have weigh nothing.
    """
    import numpy as np

    if isinstance(weights, str):
        if getattr(frame, "ndim", 1) == 1:
            raise ValueError("Strings cannot be passed as weights when sampling from a Series.")
        if axis:
            raise ValueError("Strings can only be passed to weights when sampling from rows on a DataFrame")
        if weights not in frame:
            raise KeyError(f"String passed to weights is not a valid column: {weights!r}")
        weights = frame[weights]
    elif isinstance(weights, objects.Series) or is_pandas(weights, "Series"):
        labels = frame.columns if axis else frame.index
        weights = objects.Series(weights).reindex(labels)
    given = weights.to_numpy() if hasattr(weights, "to_numpy") else weights
    values = np.array(given, dtype="float64")
    if values.ndim != 1 or len(values) != frame.shape[axis]:
        raise ValueError("Weights and axis to be sampled must be of same length")
    if np.isinf(values).any():
        raise ValueError("weights vector may not include `inf` values")
    if (values < 0).any():
        raise ValueError("weights vector may not include negative values")
    return np.nan_to_num(values)


def draw(length: int, size: int, replace: bool, weights: Any, source: Any) -> np.ndarray[Any, Any]:
    """Return ``size`` positions below ``length`` in random order, as likely as their weights."""
    import numpy as np

    if weights is not None:
        total = weights.sum()
        if not total:
            raise ValueError("Invalid weights: weights sum to zero")
        weights = weights / total
        if not replace and size * weights.max() > 1:
            raise ValueError(
                "Weighted sampling cannot be achieved with replace=False: "
                "the heaviest row would have to be drawn more than once"
            )
    return source.choice(length, size=size, replace=replace, p=weights).astype(np.int64, copy=False)
