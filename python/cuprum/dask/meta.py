"""Frames without rows that stand for collections, and frames of two rows that stand in for data.

Dask runs every operation on those to find out labels and dtypes of its results.
"""

from __future__ import annotations

import datetime
from typing import Any

import dask.dataframe.backends as of_pandas
import pandas as pd
from dask._expr import Expr
from dask.dataframe.dispatch import make_meta_dispatch, make_meta_obj, meta_nonempty

import cuprum
from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core.construction import cast_column
from cuprum.core.objects import wrap_frame, wrap_index, wrap_series

__all__ = ["KINDS"]

KINDS = (cuprum.DataFrame, cuprum.Series, cuprum.Index)


@make_meta_dispatch.register((cuprum.DataFrame, cuprum.Series))
def _without_rows(obj: Any, index: Any = None) -> Any:
    return obj.iloc[:0].copy()


@make_meta_dispatch.register(cuprum.Index)
def _index_without_rows(obj: Any, index: Any = None) -> Any:
    return obj[:0]


@make_meta_obj.register(KINDS)
def _described(described: Any, index: Any = None) -> Any:
    """Return what a dict or pairs of label and dtype describe; dtypes may be ours or pandas'."""
    if isinstance(index, cuprum.Index):
        index = index.to_pandas()
    made = of_pandas.make_meta_object(_known_to_pandas(described), index)
    return cuprum.from_pandas(made) if isinstance(made, (pd.DataFrame, pd.Series, pd.Index)) else made


def _known_to_pandas(described: Any) -> Any:
    """Return a description with the dtypes that pandas calls so."""
    if isinstance(described, dict):
        return {label: _known_to_pandas(dtype) for label, dtype in described.items()}
    if isinstance(described, tuple) and len(described) == 2:
        return described[0], _known_to_pandas(described[1])
    if isinstance(described, list):
        return [_known_to_pandas(one) for one in described]
    if isinstance(described, cuprum.DType):
        return cuprum.Series([], dtype=described).to_pandas().dtype
    return described


@meta_nonempty.register(cuprum.DataFrame)
def _two_rows(frame: Any) -> Any:
    handle = frame._handle
    columns = [_two(column) for column in handle.columns()]
    made = _cuprum.DataFrame(handle.labels(), columns, _two_labels(frame.index)._handle)
    made = wrap_frame(made.with_labels(handle.labels(), handle.level_names()))
    made.attrs = frame.attrs
    return made


@meta_nonempty.register(cuprum.Series)
def _two_elements(series: Any) -> Any:
    handle = series._handle
    return wrap_series(
        _cuprum.Series(_two(handle.column()), handle.name(), _two_labels(series.index)._handle)
    )


@meta_nonempty.register(cuprum.Index)
def _two_labels(index: Any) -> Any:
    if isinstance(index, cuprum.RangeIndex):
        return cuprum.RangeIndex(2, name=index.name)
    handle = index._handle
    levels = [_two(handle.column(i), different=True) for i in range(handle.nlevels())]
    return wrap_index(_cuprum.Index.from_columns(levels, handle.names()))


# By kind of dtype: two elements that pandas' stand-ins have, too.
_ELEMENTS: dict[str, list[Any]] = {
    "b": [True, False],
    "f": [1.0, 2.0],
    "i": [1, 2],
    "u": [1, 2],
    "M": [datetime.datetime(1970, 1, 1), datetime.datetime(1970, 1, 2)],
    "m": [datetime.timedelta(days=1), datetime.timedelta(days=2)],
}


def _two(column: Column, different: bool = False) -> Column:
    """Return a column of two elements of the dtype of a column; missing ones where none is at hand."""
    dtype = column.dtype
    categories = column.categories()
    if categories is not None:
        labels, ordered = categories
        known = len(labels) > 0
        codes = Column.from_scalars([0 if known else None] * 2, "int8")
        return Column.from_codes(codes, labels, ordered)
    if dtype.tz is not None:
        return Column.of_instants(_two(column.flat(), different), dtype.tz)
    elements: list[Any] | None = ["a", "b"] if dtype == "str" else _ELEMENTS.get(dtype.kind)
    if elements is None or dtype.subtype is not None:
        return Column.all_null_like(column, 2)
    made = Column.from_scalars(elements if different else [elements[0]] * 2)
    return made if made.dtype == dtype else cast_column(made, dtype)


# Dask does not say what it was that the frames without rows lack.

_attribute_of_dask = Expr.__getattr__


def _attribute(expression: Any, key: str) -> Any:
    try:
        return _attribute_of_dask(expression, key)
    except RuntimeError as error:
        lacking = error.__context__
        if not key.startswith("_meta") or not isinstance(lacking, AttributeError):
            raise
        metas = [one.__dict__.get("_meta") for one in expression.dependencies()]
        if not any(isinstance(meta, KINDS) for meta in metas):
            raise
        raise RuntimeError(
            f"`{type(expression).__name__}` is not supported by the backend 'cuprum': {lacking}. Use "
            "to_backend('pandas') before it, and to_backend('cuprum') after"
        ) from lacking


Expr.__getattr__ = _attribute
