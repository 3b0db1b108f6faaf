"""Functions that Dask takes from pandas by name, for frames of either.

Dask's modules call `pd.merge_asof`, `pd.pivot_table`, `pd.get_dummies` and others on partitions. Where those are
frames of ours the functions of the same name of Cuprum are called; `pd` of these modules is `PandasOrOurs`.
"""

from __future__ import annotations

import functools
from typing import Any

import pandas as pd
from dask.dataframe import indexing, methods, multi
from dask.dataframe.dask_expr import _dummies, _expr, _indexing, _merge_asof, _reductions
from dask.dataframe.dask_expr.io import bag
from dask.dataframe.dispatch import make_meta, meta_nonempty

import cuprum
from cuprum.dask.meta import KINDS

__all__ = ["PandasOrOurs"]


def _is_ours(data: Any) -> bool:
    first = data[0] if isinstance(data, (list, tuple)) and data else data
    return isinstance(first, KINDS)


def concat(objs: Any, **options: Any) -> Any:
    """Return frames of either kind below or beside each other."""
    return (cuprum if _is_ours(objs) else pd).concat(objs, **options)


def merge_asof(left: Any, right: Any, **options: Any) -> Any:
    """Return rows of ``left`` with the nearest of ``right``."""
    if not _is_ours(left):
        return pd.merge_asof(left, right, **options)
    merged = cuprum.merge_asof(left, right, **options)
    if options.get("left_index") and merged.index.names != left.index.names:
        merged.index.names = left.index.names
    return merged


def pivot_table(data: Any, **options: Any) -> Any:
    """Return a table of aggregates; columns in the order of their categories."""
    if not _is_ours(data):
        return pd.pivot_table(data, **options)
    table = cuprum.pivot_table(data, **options)
    labels = data[options["columns"]].dtype.categories.to_list()
    values = options["values"]
    if isinstance(values, (list, tuple)):
        return table[[(value, label) for value in sorted(values) for label in labels]]
    return table[labels]


def get_dummies(data: Any, *args: Any, **options: Any) -> Any:
    """Return a column for each category."""
    return (cuprum if _is_ours(data) else pd).get_dummies(data, *args, **options)


def to_numeric(arg: Any, *args: Any, **options: Any) -> Any:
    """Return numbers of text."""
    return (cuprum if _is_ours(arg) else pd).to_numeric(arg, *args, **options)


def to_timedelta(arg: Any, *args: Any, **options: Any) -> Any:
    """Return durations of numbers or text."""
    return (cuprum if _is_ours(arg) else pd).to_timedelta(arg, *args, **options)


class PandasOrOurs:
    """pandas, but for the functions above."""

    concat = staticmethod(concat)
    merge_asof = staticmethod(merge_asof)
    pivot_table = staticmethod(pivot_table)
    get_dummies = staticmethod(get_dummies)

    def __getattr__(self, name: str) -> Any:
        return getattr(pd, name)


for _module in (_merge_asof, multi, methods, _dummies):
    _module.pd = PandasOrOurs()

_expr.ToNumeric.operation = staticmethod(to_numeric)
_expr.ToTimedelta.operation = staticmethod(to_timedelta)


_meta_of_dummies = _dummies.GetDummies.operation


def _dummies_of(frame: Any, *args: Any, **options: Any) -> Any:
    if _is_ours(frame):
        return cuprum.get_dummies(frame, *args, **options)
    return _meta_of_dummies(frame, *args, **options)


_dummies.GetDummies.operation = staticmethod(_dummies_of)


# Dask writes known labels of a pivot table into a frame of pandas.

_meta_of_pivot = _reductions.PivotTable._meta.func


def _pivot_meta(expression: Any) -> Any:
    made = _meta_of_pivot(expression)
    frame = expression.frame._meta
    if not _is_ours(frame):
        return made
    table = expression._lower()._meta
    values = expression.operand("values")
    if expression.operand("aggfunc") in ("first", "last") and not isinstance(values, (list, tuple)):
        table = table.astype(frame[values].dtype)
    return table.iloc[:0]


_reductions.PivotTable._meta = functools.cached_property(_pivot_meta)
_reductions.PivotTable._meta.__set_name__(_reductions.PivotTable, "_meta")


_meta_of_isin = _expr.Isin._meta.func


def _isin_meta(expression: Any) -> Any:
    frame = expression.frame._meta
    return make_meta(meta_nonempty(frame).isin([])) if _is_ours(frame) else _meta_of_isin(expression)


_expr.Isin._meta = functools.cached_property(_isin_meta)
_expr.Isin._meta.__set_name__(_expr.Isin, "_meta")


_bounds_of_pandas = indexing._maybe_partial_time_string


def _bounds(index: Any, indexer: Any, unit: Any = "ns") -> Any:
    """Return the times that a part of a date stands for, where row labels are times."""
    if isinstance(index, cuprum.DatetimeIndex):
        index = index.to_pandas()
    return _bounds_of_pandas(index, indexer, unit)


_indexing._maybe_partial_time_string = _bounds


_bag_of_pandas = bag._df_to_bag


def _to_bag(frame: Any, index: bool = False, format: str = "tuple") -> Any:
    return _bag_of_pandas(frame.to_pandas() if _is_ours(frame) else frame, index, format)


bag._df_to_bag = _to_bag
