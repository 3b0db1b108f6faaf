"""Divisions of sorted partitions: quantiles of the keys of all partitions.

Dask summarises every partition by some of its quantiles and merges the summaries. Its functions for that know
dtypes of pandas; for series of ours a summary is made here of their sorted values, and says pandas' dtype.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from dask.dataframe import partitionquantiles as of_pandas
from dask.dataframe.dask_expr import _quantiles, _shuffle

import cuprum

__all__ = ["dtype_info", "percentiles_summary"]


def percentiles_summary(series: Any, num_old: int, num_new: int, upsample: float, state: Any) -> Any:
    """Return some of the sorted values of a partition and the weights of each."""
    if not isinstance(series, cuprum.Series):
        return of_pandas.percentiles_summary(series, num_old, num_new, upsample, state)
    present = series.dropna()
    if not len(present):
        return ()
    if isinstance(present.dtype, cuprum.CategoricalDtype):
        present = present.cat.codes
    random = np.random.RandomState(state)
    qs = of_pandas.sample_percentiles(num_old, num_new, len(present), upsample, random)
    places = np.rint(np.asarray(qs) / 100 * (len(present) - 1)).astype("int64")
    values = present.sort_values(ignore_index=True).take(places).to_pandas()
    if getattr(values.dtype, "tz", None) is not None:
        values = values.dt.tz_convert("UTC").dt.tz_localize(None)
    return of_pandas.percentiles_to_weights(qs, values.to_numpy(), len(series))


def dtype_info(series: Any) -> Any:
    """Return pandas' dtype of a series and, of categories, what they are."""
    if isinstance(series, cuprum.Series):
        series = series.iloc[:0].to_pandas()
    return of_pandas.dtype_info(series)


_quantiles.percentiles_summary = percentiles_summary
_quantiles.dtype_info = dtype_info


_divisions_of_pandas = _shuffle._calculate_divisions


def _calculate_divisions(frame: Any, other: Any, *args: Any, **kwargs: Any) -> Any:
    """Return divisions and whether partitions are in order already: not where keys are missing, which go to one end.

    Dask compares the least and the greatest keys of partitions, and does not see what is missing.
    """
    from dask.dataframe.dask_expr import new_collection

    divisions, mins, maxes, presorted = _divisions_of_pandas(frame, other, *args, **kwargs)
    if presorted and isinstance(other._meta, cuprum.Series):
        presorted = not bool(new_collection(other).isna().any().compute())
    return divisions, mins, maxes, presorted


_shuffle._calculate_divisions = _calculate_divisions


_set_of_pandas = _shuffle._SetPartitionsPreSetIndex.operation
# As many comparisons of a whole column cost less than a search for each element.
_FEW = 32


def _set_partitions(keys: Any, bounds: Any, ascending: bool = True, na_position: str = "last") -> Any:
    """Return the number of the partition that each key goes to; of few divisions by comparing with each."""
    if (
        not isinstance(keys, cuprum.Series)
        or keys.dtype.kind not in "iuf"
        or not isinstance(bounds, cuprum.Series)
        or bounds.dtype.kind not in "iuf"
        or len(bounds) > _FEW
        or bounds.isna().any()
    ):
        return _set_of_pandas(keys, bounds, ascending, na_position)
    missing = keys.isna().to_numpy()
    if missing.any() and keys.dtype.kind != "f":
        return _set_of_pandas(keys, bounds, ascending, na_position)
    values, last = keys.to_numpy(), len(bounds) - 2
    below = np.zeros(len(values), dtype="int8")
    for bound in bounds.to_numpy():
        below += values >= bound
    numbers = (below - 1 if ascending else len(bounds) - below - 1).astype("int64")
    numbers[(numbers < 0) | (numbers > last)] = last if ascending else 0
    numbers[missing] = last if na_position == "last" else 0
    return numbers


_shuffle._SetPartitionsPreSetIndex.operation = staticmethod(_set_partitions)
