"""Objects that say which rows the windows of `rolling` have: pandas' own, and what is of them in ``pandas.api.indexers``."""

from __future__ import annotations

from typing import Any

__all__ = ["VariableOffsetWindowIndexer"]

# pandas' own.
_OF_PANDAS = ("BaseIndexer", "FixedForwardWindowIndexer")


def VariableOffsetWindowIndexer(
    index_array: Any = None, window_size: int = 0, index: Any = None, offset: Any = None, **kwargs: Any
) -> Any:
    """Return windows of rows within an offset before theirs, as pandas has them.

    Parameters
    ----------
    index_array : numpy.ndarray, optional
        The times as numbers; pandas sets it.
    window_size : int, default 0
        Without effect.
    index : DatetimeIndex
        The times of the rows.
    offset : pandas' offset
        How far windows reach back, such as a business day.
    **kwargs
        Attributes that the object gets.

    Returns
    -------
    pandas.api.indexers.VariableOffsetWindowIndexer
        The object, which `rolling` takes for a window.

    Examples
    --------
    >>> import cuprum
    >>> series = cuprum.Series([1, 2, 3], index=cuprum.date_range("2026-01-01", periods=3))
    >>> indexers = cuprum.api.indexers
    >>> windows = indexers.VariableOffsetWindowIndexer(index=series.index, offset=cuprum.offsets.BDay(1))
    >>> series.rolling(windows).sum().to_list()
    [1.0, 2.0, 3.0]
    """
    import pandas as pd

    times = index.to_pandas() if hasattr(index, "to_pandas") else index
    return pd.api.indexers.VariableOffsetWindowIndexer(index_array, window_size, times, offset, **kwargs)


def __dir__() -> list[str]:
    return [*__all__, *_OF_PANDAS]


def __getattr__(name: str) -> Any:
    if name not in _OF_PANDAS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import pandas as pd

    return getattr(pd.api.indexers, name)
