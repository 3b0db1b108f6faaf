"""Reductions for which Dask's functions call what only pandas has: where extremes are, distinct counts, counts."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from dask.dataframe import core as of_pandas
from dask.dataframe import groupby as groups_of_pandas
from dask.dataframe import hyperloglog, methods
from dask.dataframe.dask_expr import _groupby, _reductions
from dask.dataframe.dask_expr.io import _delayed

import cuprum
from cuprum.core.groupby.groupby import DataFrameGroupBy, SeriesGroupBy
from cuprum.dask.meta import KINDS

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


def _extreme_labels(
    parts: Any, fn: str, skipna: bool = True, scalar: bool = False, numeric_only: Any = None
) -> Any:
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


def _are_ours(groups: Any) -> bool:
    return isinstance(groups, (DataFrameGroupBy, SeriesGroupBy))


def _counts(groups: Any, **options: Any) -> Any:
    if _are_ours(groups):
        return groups.value_counts(**options)
    return groups_of_pandas._value_counts(groups, **options)


def _sums_of_counts(groups: Any) -> Any:
    if _are_ours(groups):
        counts = groups._frame[groups._selection].rename(groups._name)
        return counts.groupby(level=list(range(counts.index.nlevels))).sum()
    return groups_of_pandas._value_counts_aggregate(groups)


_groupby.ValueCounts.groupby_chunk = staticmethod(_counts)
_groupby.ValueCounts.groupby_aggregate = staticmethod(_sums_of_counts)


def _unique(elements: Any, series_name: Any = None) -> Any:
    found = elements.unique()
    if isinstance(elements, (cuprum.Series, cuprum.Index)) and not isinstance(
        found, (cuprum.Series, cuprum.Index)
    ):
        return cuprum.Series(found, name=series_name, dtype=elements.dtype)
    return methods.unique(elements, series_name) if not isinstance(found, KINDS) else found


_reductions.Unique.chunk = staticmethod(_unique)
_reductions.Unique.aggregate_func = staticmethod(_unique)


def _labels_of_extremes(least: bool) -> Any:
    def labels(groups: Any, **options: Any) -> Any:
        if _are_ours(groups):
            raise NotImplementedError(
                "idxmin and idxmax of groups are not supported by the backend 'cuprum' on Dask, which takes those of "
                "the first partition: use sort_values and drop_duplicates, or map_partitions after shuffle"
            )
        return groups.idxmin(**options) if least else groups.idxmax(**options)

    return labels


_groupby.IdxMin.groupby_chunk = staticmethod(_labels_of_extremes(True))
_groupby.IdxMax.groupby_chunk = staticmethod(_labels_of_extremes(False))

_check_of_pandas = _delayed.check_meta


def _check_meta(part: Any, meta: Any, funcname: Any = None, numeric_equal: bool = True) -> Any:
    """Return a partition that is as the frame without rows says; ``ValueError`` else."""
    like: Any = meta
    own: Any = part
    if not isinstance(meta, KINDS):
        return _check_of_pandas(part, meta, funcname=funcname, numeric_equal=numeric_equal)
    where = f" in `{funcname}`" if funcname else ""
    if type(part) is not type(meta) and not isinstance(part, KINDS):
        raise ValueError(
            f"Metadata mismatch{where}: a partition is a {type(part).__name__}, not a frame of Cuprum"
        )
    if like.ndim == 2:
        found, wanted = dict(own.dtypes.items()), dict(like.dtypes.items())
        unlike = [label for label in {**wanted, **found} if not _alike(found.get(label), wanted.get(label))]
        if unlike:
            pairs = ", ".join(f"{label!r}: {found.get(label)} for {wanted.get(label)}" for label in unlike)
            raise ValueError(f"Metadata mismatch{where}: a partition has {pairs}")
    elif not _alike(own.dtype, like.dtype):
        raise ValueError(f"Metadata mismatch{where}: a partition is {own.dtype}, not {like.dtype}")
    return part


def _alike(one: Any, other: Any) -> bool:
    categories = cuprum.CategoricalDtype
    return one == other or (isinstance(one, categories) and isinstance(other, categories))


_delayed.check_meta = _check_meta


def _meta_of_chunk(expression: Any) -> Any:
    """Return the partial result of no rows: counts of categories have rows even then, which shuffles would keep."""
    meta = super(_reductions.Chunk, expression)._meta
    return meta.iloc[:0] if isinstance(meta, (cuprum.DataFrame, cuprum.Series)) else meta


_reductions.Chunk._meta = functools.cached_property(_meta_of_chunk)
_reductions.Chunk._meta.__set_name__(_reductions.Chunk, "_meta")
