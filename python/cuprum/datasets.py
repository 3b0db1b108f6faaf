"""Frames of random values, to try things with: `timeseries` and `randomdata`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum.core.dataframe import DataFrame
from cuprum.core.series import Series
from cuprum.core.tools.ranges import date_range

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["randomdata", "timeseries"]

_NAMES = [
    "Alice",
    "Bob",
    "Charlie",
    "Dan",
    "Edith",
    "Frank",
    "George",
    "Hannah",
    "Ingrid",
    "Jerry",
    "Kevin",
    "Laura",
    "Michael",
    "Norbert",
    "Oliver",
    "Patricia",
    "Quinn",
    "Ray",
    "Sarah",
    "Tim",
    "Ursula",
    "Victor",
    "Wendy",
    "Xavier",
    "Yvonne",
    "Zelda",
]


def timeseries(
    start: str = "2000-01-01",
    end: str = "2000-01-31",
    freq: str = "1s",
    dtypes: Mapping[str, Any] | None = None,
    nulls_frequency: float = 0,
    seed: int | None = None,
) -> DataFrame:
    """Return a DataFrame of random values with a row for every period of a span of time.

    Parameters
    ----------
    start : str, default ``'2000-01-01'``
        The first time.
    end : str, default ``'2000-01-31'``
        The time before which the rows end.
    freq : str, default ``'1s'``
        The period.
    dtypes : dict, optional
        The types of the columns by name, as those of `randomdata`. By default ``name`` has names, ``id``
        integers, ``x`` and ``y`` floats.
    nulls_frequency : float, default 0
        How likely an element is to be missing, from 0 to 1.
    seed : int, optional
        The same frame comes of the same seed.

    Returns
    -------
    DataFrame
        Times are the row labels, under the name ``timestamp``.

    Raises
    ------
    ValueError
        Where ``nulls_frequency`` is not from 0 to 1.
    TypeError
        For another type of a column.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.datasets.timeseries(end="2000-01-02", freq="6h", seed=1)
    >>> frame.shape
    (4, 4)
    >>> frame.dtypes
    name        str
    id        int64
    x       float64
    y       float64
    dtype: object
    """
    index = date_range(start, end, freq=freq, name="timestamp")
    if len(index) and index[-1] == _instant(end):
        index = index[:-1]
    given = {"name": str, "id": int, "x": float, "y": float} if dtypes is None else dtypes
    frame = _random(len(index), given, nulls_frequency, seed)
    frame.index = index
    return frame


def randomdata(
    nrows: int = 10, dtypes: Mapping[str, Any] | None = None, seed: int | None = None
) -> DataFrame:
    """Return a DataFrame of random values.

    Parameters
    ----------
    nrows : int, default 10
        The number of rows.
    dtypes : dict, optional
        The types of the columns by name: ``int`` (Poisson around 1000), ``float`` (from -1 to 1), ``str``
        (names), ``bool``, ``"category"`` (few names) or the name of a type of numbers. By default ``id`` has
        integers, ``x`` and ``y`` floats.
    seed : int, optional
        The same frame comes of the same seed.

    Returns
    -------
    DataFrame
        Rows are labelled ``0, 1, …``.

    Raises
    ------
    ValueError
        Where ``nrows`` is no number of rows.
    TypeError
        For another type of a column.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.datasets.randomdata(3, {"a": int, "b": str}, seed=1).shape
    (3, 2)
    """
    given = {"id": int, "x": float, "y": float} if dtypes is None else dtypes
    return _random(nrows, given, 0, seed)


def _instant(text: str) -> Any:
    import pandas as pd

    return pd.Timestamp(text)


def _random(rows: Any, dtypes: Mapping[str, Any], nulls_frequency: Any, seed: Any) -> DataFrame:
    import numpy as np

    if isinstance(rows, bool) or not hasattr(rows, "__index__") or rows < 0:
        raise ValueError(f"`nrows` is {rows!r}, no number of rows")
    if not isinstance(dtypes, Mapping):
        raise TypeError(f"`dtypes` is a {type(dtypes).__name__}, no mapping of names and types")
    if not 0 <= nulls_frequency <= 1:
        raise ValueError(f"`nulls_frequency` is {nulls_frequency!r}, no share from 0 to 1")
    source = np.random.default_rng(seed)
    columns = {name: _column(name, dtype, int(rows), source) for name, dtype in dtypes.items()}
    frame = DataFrame(columns)
    if nulls_frequency:
        for name in frame.columns:
            frame[name] = frame[name].where(source.random(int(rows)) >= nulls_frequency)
    return frame


def _column(name: str, dtype: Any, rows: int, source: Any) -> Any:
    import numpy as np

    if dtype in (str, "str", "category"):
        values = Series(np.array(_NAMES, dtype=object)[source.integers(0, len(_NAMES), rows)], dtype="str")
        return values.astype("category") if dtype == "category" else values
    try:
        kind = np.dtype(dtype)
    except TypeError:
        raise TypeError(
            f"`dtypes` has {dtype!r} for {name!r}: give int, float, str, bool, 'category' or a type of numbers"
        ) from None
    if kind.kind == "b":
        return source.random(rows) < 0.5
    if kind.kind == "f":
        return (source.random(rows) * 2 - 1).astype(kind)
    if kind.kind in "iu":
        most = min(1000, np.iinfo(kind).max // 2)
        return np.minimum(source.poisson(most, rows), np.iinfo(kind).max).astype(kind)
    raise TypeError(
        f"`dtypes` has {dtype!r} for {name!r}: give int, float, str, bool, 'category' or a type of numbers"
    )
