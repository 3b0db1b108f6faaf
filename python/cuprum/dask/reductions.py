"""Reductions for which Dask's functions call what only pandas has: where extremes are, distinct counts, counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from dask.dataframe import core as of_pandas
from dask.dataframe import groupby as groups_of_pandas
from dask.dataframe import hyperloglog
from dask.dataframe.dask_expr import _groupby, _reductions

import cuprum

__all__: list[str] = []

_hash_of_pandas = hyperloglog.hash_pandas_object


def _hashes(obj: Any, index: bool = True, **options: Any) -> Any:
    """Return a number for each row, equal for equal rows."""
    if isinstance(obj, (cuprum.DataFrame, cuprum.Series)):
        return np.asarray(obj.hash_values("murmur3"))
    if isinstance(obj, cuprum.Index):
        return np.asarray(obj.to_frame(index=False).hash_values("murmur3"))
    return _hash_of_pandas(obj, index=index, **options)


hyperloglog.hash_pandas_object = _hashes


def _extremes(parts: Any, fn: str, skipna: bool = True) -> Any:
    """Return the first row of those with the least or the greatest value, for each column."""
    if not isinstance(parts, cuprum.DataFrame):
        return of_pandas.idxmaxmin_combine(parts, fn=fn, skipna=skipna)
    if len(parts) <= 1:
        return parts
    kept = parts[parts["value"].notna()]
    best = kept.groupby(level=0)["value"].transform("max" if fn == "idxmax" else "min")
    kept = kept[kept["value"] == best]
    return kept[~kept.index.duplicated()]


def _extreme_labels(parts: Any, fn: str, skipna: bool = True, scalar: bool = False, numeric_only: Any = None) -> Any:
    if not isinstance(parts, cuprum.DataFrame):
        known = {} if numeric_only is None else {"numeric_only": numeric_only}
        return of_pandas.idxmaxmin_agg(parts, fn=fn, skipna=skipna, scalar=scalar, **known)
    found = _extremes(parts, fn, skipna)["idx"]
    if not len(found):
        raise ValueError("attempt to get argmax of an empty sequence")
    return found.iloc[0] if scalar else found.rename(None)


for _kind in (_reductions.IdxMin, _reductions.IdxMax):
    _kind.reduction_combine = _extremes
    _kind.reduction_aggregate = _extreme_labels


def _counts(groups: Any, **options: Any) -> Any:
    if isinstance(groups.obj, (cuprum.DataFrame, cuprum.Series)):
        return groups.value_counts(**options)
    return groups_of_pandas._value_counts(groups, **options)


def _sums_of_counts(groups: Any) -> Any:
    counts = groups.obj
    if isinstance(counts, cuprum.Series):
        return counts.groupby(level=list(range(counts.index.nlevels))).sum()
    return groups_of_pandas._value_counts_aggregate(groups)


_groupby.ValueCounts.groupby_chunk = staticmethod(_counts)
_groupby.ValueCounts.groupby_aggregate = staticmethod(_sums_of_counts)
