"""What Dask asks about frames: which collections they make, their sizes, and how they become pandas' and back."""

from __future__ import annotations

from typing import Any

import dask.dataframe.dask_expr as dx
import pandas as pd
from dask._dispatch import get_collection_type
from dask.dataframe.dispatch import (
    categorical_dtype_dispatch,
    get_parallel_type,
    grouper_dispatch,
    is_categorical_dtype_dispatch,
    to_pandas_dispatch,
    tolist_dispatch,
)
from dask.sizeof import sizeof
from dask.utils import Dispatch

import cuprum
from cuprum.dask.meta import KINDS

__all__ = ["to_cuprum_dispatch"]

for _kind, _collection in zip(KINDS, (dx.DataFrame, dx.Series, dx.Index), strict=True):
    for _dispatch in (get_collection_type, get_parallel_type):
        _dispatch.register(_kind, lambda _, collection=_collection: collection)

to_cuprum_dispatch = Dispatch("to_cuprum_dispatch")


@to_cuprum_dispatch.register((pd.DataFrame, pd.Series, pd.Index))
def _of_pandas(data: Any) -> Any:
    return cuprum.from_pandas(data)


@to_cuprum_dispatch.register(KINDS)
def _ours(data: Any) -> Any:
    return data


@to_pandas_dispatch.register(KINDS)
def _to_pandas(data: Any, **options: Any) -> Any:
    return data.to_pandas(**options)


@sizeof.register((cuprum.DataFrame, cuprum.Series, cuprum.Index))
def _bytes_in_memory(obj: Any) -> int:
    from cuprum.dask.sizes import bytes_in_memory

    return 200 + bytes_in_memory(obj)


@tolist_dispatch.register(KINDS)
def _elements(obj: Any) -> list[Any]:
    return obj.to_list()  # type: ignore[no-any-return]


@grouper_dispatch.register((cuprum.DataFrame, cuprum.Series))
def _grouper(obj: Any) -> Any:
    return cuprum.Grouper


@is_categorical_dtype_dispatch.register((cuprum.Series, cuprum.Index, cuprum.DType))
def _is_categorical(obj: Any) -> bool:
    return isinstance(getattr(obj, "dtype", obj), cuprum.CategoricalDtype)


@categorical_dtype_dispatch.register(KINDS)
def _categorical_dtype(categories: Any = None, ordered: bool = False) -> Any:
    return cuprum.CategoricalDtype(categories, ordered)
