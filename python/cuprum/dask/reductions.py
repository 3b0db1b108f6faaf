"""Reductions for which Dask's functions call what only pandas has: where extremes are, distinct counts, counts."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pandas as pd
from dask.dataframe import core as of_pandas
from dask.dataframe import groupby as groups_of_pandas
from dask.dataframe import hyperloglog, methods
from dask.dataframe.dask_expr import _describe, _expr, _groupby, _reductions
from dask.dataframe.dask_expr.io import _delayed
from dask.dataframe.dispatch import make_meta_dispatch

import cuprum
from cuprum.core.groupby.groupby import DataFrameGroupBy, SeriesGroupBy
from cuprum.core.object_columns import SeriesOfObjects
from cuprum.core.row_hashes import row_hashes
from cuprum.dask.meta import KINDS
from cuprum.dask.sizes import bytes_of_rows

__all__: list[str] = []

_hash_of_pandas = hyperloglog.hash_pandas_object


def _hashes(obj: Any, index: bool = True, **options: Any) -> Any:
    """Return a number for each row, equal for equal rows."""
    if isinstance(obj, cuprum.Index):
        obj = obj.to_frame(index=False)
    if isinstance(obj, cuprum.Series):
        obj = obj.to_frame()
    if isinstance(obj, cuprum.DataFrame):
        # Integers are counted, so those that no float tells apart are not to be one.
        has_integers = any(dtype.kind in "iu" for dtype in obj.dtypes)
        return np.asarray(obj.hash_values("murmur3") if has_integers else row_hashes(obj))
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


# Results whose columns differ in type are rows of Python's objects; between partitions they are frames of one row.

_Reduction = _reductions.Reduction


def _one_row(result: Any) -> Any:
    if isinstance(result, SeriesOfObjects):
        made = cuprum.DataFrame({str(i): [value] for i, value in enumerate(result)})
        return made.set_axis(result.index, axis=1)
    return result.to_frame().T if isinstance(result, cuprum.Series) else result


_chunk_of_pandas, _combine_of_pandas = _Reduction.chunk.__func__, _Reduction.combine.__func__


def _chunk(cls: Any, part: Any, **kwargs: Any) -> Any:
    if not isinstance(part, cuprum.DataFrame):
        return _chunk_of_pandas(cls, part, **kwargs)
    return _one_row(cls.reduction_chunk(part, **kwargs))


def _combine(cls: Any, inputs: Any, **kwargs: Any) -> Any:
    if not isinstance(inputs[0], cuprum.DataFrame):
        return _combine_of_pandas(cls, inputs, **kwargs)
    function = cls.reduction_combine or cls.reduction_aggregate or cls.reduction_chunk
    return _one_row(function(_reductions._concat(inputs), **kwargs))


_chunk.__name__, _combine.__name__ = "chunk", "combine"
_Reduction.chunk, _Reduction.combine = classmethod(_chunk), classmethod(_combine)


@make_meta_dispatch.register(SeriesOfObjects)
def _row_without_rows(row: Any, index: Any = None) -> Any:
    # Its stand-in is a series; the result is one of objects, whose values have types of their own.
    return cuprum.Series([], dtype="str", index=row.index[:0], name=row.name)


# Summaries (`describe`) of what has no mean, and of times: objects, as those of one frame.

_numbers_of_pandas = _describe.DescribeNumericAggregate.operation
_others_of_pandas = _describe.DescribeNonNumericAggregate.operation


def _described_numbers(name: Any, is_duration: bool, is_time: bool, unit: Any, *stats: Any) -> Any:
    count, mean, std, least, quantiles, most = stats
    if not isinstance(quantiles, cuprum.Series) or not (is_duration or is_time):
        return _numbers_of_pandas(name, is_duration, is_time, unit, *stats)
    make = pd.to_datetime if is_time else pd.to_timedelta
    summaries = {"mean": mean, "std": std} if is_duration else {"mean": mean}
    shares = [f"{share * 100:g}%" for share in quantiles.index.to_list()]
    summaries |= {"min": least} | dict(zip(shares, quantiles.to_list(), strict=True)) | {"max": most}
    times = [make(int(value), unit=unit or "us") for value in summaries.values()]
    return cuprum.Series([int(count), *times], index=["count", *summaries], name=name, dtype=object)


def _described_others(name: Any, *stats: Any) -> Any:
    distinct, count, top = stats
    if not isinstance(top, cuprum.Series):
        return _others_of_pandas(name, *stats)
    most = [top.index[0], int(top.iloc[0])] if len(top) else [float("nan")] * 2
    values = [int(count), int(distinct), *most]
    return cuprum.Series(values, index=["count", "unique", "top", "freq"], name=name, dtype=object)


_describe.DescribeNumericAggregate.operation = staticmethod(_described_numbers)
_describe.DescribeNonNumericAggregate.operation = staticmethod(_described_others)


# Bytes: those of a partition's own rows, where partitions are slices of one frame.


def _nbytes(part: Any) -> int:
    return bytes_of_rows(part) if isinstance(part, KINDS) else part.nbytes


def _memory_usage(part: Any, deep: bool = False, index: bool = True) -> Any:
    if isinstance(part, cuprum.DataFrame):
        found = {label: bytes_of_rows(part.iloc[:, [i]], False) for i, label in enumerate(part.columns)}
        if index:
            found = {"Index": bytes_of_rows(part.index)} | found
        return cuprum.Series(list(found.values()), index=list(found))
    if isinstance(part, cuprum.Index):
        return bytes_of_rows(part)
    if isinstance(part, cuprum.Series):
        return bytes_of_rows(part, index)
    options = {} if isinstance(part, pd.Index) else {"index": index}
    return part.memory_usage(deep=deep, **options)


def _total_bytes(part: Any, index: bool = True, deep: bool = False) -> Any:
    if isinstance(part, KINDS):
        return bytes_of_rows(part, index)
    return _total_of_pandas(part, index, deep)


_total_of_pandas = _reductions.TotalMemoryUsageFrame.reduction_chunk
_reductions.NBytes.reduction_chunk = staticmethod(_nbytes)
_reductions.MemoryUsageIndex.reduction_chunk = staticmethod(_memory_usage)
_reductions.MemoryUsageFrame.reduction_chunk = staticmethod(_memory_usage)
_reductions.TotalMemoryUsageFrame.reduction_chunk = staticmethod(_total_bytes)
_expr.total_mem_usage = _total_bytes
