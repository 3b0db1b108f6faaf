"""Dask's hooks of frames: the collections that they make, their sizes, and conversions to pandas and back."""

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
from cuprum.dask.parquet import to_parquet
from cuprum.dask.sizes import bytes_in_memory

__all__ = ["DataFrame", "Index", "Series", "to_cuprum_dispatch"]


class DataFrame(dx.DataFrame):
    """A collection whose partitions are frames of Cuprum."""

    def sort_values(self, by: Any, *args: Any, **kwargs: Any) -> Any:
        """Sort by columns; categories by their order. See `dask.dataframe.DataFrame.sort_values`."""
        first = by[0] if isinstance(by, (list, tuple)) and by else by
        if kwargs.get("na_position", "last") == "first" and self.npartitions > 1 and first in self.columns:
            # Dask puts rows without a first key into the last partition, whatever it is told.
            missing, rest = self[self[first].isna()], self[~self[first].isna()]
            ordered = [
                part.sort_values(by, *args, **kwargs | {"na_position": "last"}) for part in (missing, rest)
            ]
            return dx.concat(ordered)
        if not _has_categories(self._meta, first):
            return super().sort_values(by, *args, **kwargs)
        if not self[first].cat.known:
            raise NotImplementedError(
                f"`by` is {first!r}, whose categories are not known: use categorize(columns=[{first!r}]) before"
            )
        # Dask compares the values themselves: the first key is sorted by their places among the categories.
        rest = [by] if first is by else list(by)
        codes = self[first].cat.codes
        helped = self.assign(**{_PLACES: codes.where(codes >= 0)})
        return helped.sort_values([_PLACES, *rest[1:]], *args, **kwargs)[list(self.columns)]

    def set_index(
        self, other: Any, *args: Any, sorted: bool = False, sort: bool = True, **kwargs: Any
    ) -> Any:
        """Label rows by a column; see `dask.dataframe.DataFrame.set_index`."""
        label = other[0] if isinstance(other, list) and len(other) == 1 else getattr(other, "name", other)
        if sort and not sorted and not isinstance(label, list) and _has_categories(self._meta, label):
            if kwargs.get("divisions") is not None:
                raise NotImplementedError(
                    f"`divisions` cannot be given where {label!r}, with categories, is `other`"
                )
            known = ("npartitions", "upsample", "shuffle_method", "options")
            how = {name: kwargs.pop(name) for name in known if kwargs.get(name) is not None}
            how = {name: value for name, value in how.items() if value != "auto"}
            return self.sort_values(label, **how).set_index(label, *args, sort=False, **kwargs)
        return super().set_index(other, *args, sorted=sorted, sort=sort, **kwargs)

    def nunique(self, axis: Any = 0, dropna: bool = True, split_every: Any = False) -> Any:
        """Return the number of distinct elements of each column or row."""
        made = super().nunique(axis=axis, dropna=dropna, split_every=split_every)
        return made if isinstance(made._meta, KINDS) else made.to_backend("cuprum")

    def to_parquet(self, path: Any, **options: Any) -> Any:
        """Write a data set of Parquet files, of which none is seen before all are there; see `cuprum.dask.parquet`."""
        return to_parquet(self, path, **options)

    def to_orc(self, *args: Any, **kwargs: Any) -> Any:
        """Fail: there is no writer of ORC for this backend."""
        raise NotImplementedError(
            "to_orc is not supported by the backend 'cuprum': use to_backend('pandas') before"
        )

    def to_hdf(self, *args: Any, **kwargs: Any) -> Any:
        """Fail: there is no writer of HDF for this backend."""
        raise NotImplementedError(
            "to_hdf is not supported by the backend 'cuprum': use to_backend('pandas') before"
        )


_PLACES = "__places_of_categories__"


def _has_categories(meta: Any, label: Any) -> bool:
    return (
        isinstance(label, (str, int))
        and label in meta.columns
        and isinstance(meta[label].dtype, cuprum.CategoricalDtype)
    )


class Series(dx.Series):
    """A collection whose partitions are series of Cuprum."""


class Index(dx.Index):
    """A collection whose partitions are indexes of Cuprum."""


for _kind, _collection in zip(KINDS, (DataFrame, Series, Index), strict=True):
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
    return 200 + bytes_in_memory(obj)


@tolist_dispatch.register(KINDS)
def _elements(obj: Any) -> list[Any]:
    return obj.to_list()


@grouper_dispatch.register((cuprum.DataFrame, cuprum.Series))
def _grouper(obj: Any) -> Any:
    return cuprum.Grouper


@is_categorical_dtype_dispatch.register((cuprum.Series, cuprum.Index, cuprum.DType, cuprum.CategoricalDtype))
def _is_categorical(obj: Any) -> bool:
    dtype = obj if isinstance(obj, cuprum.DType) else obj.dtype
    return isinstance(dtype, cuprum.CategoricalDtype)


@categorical_dtype_dispatch.register(KINDS)
def _categorical_dtype(categories: Any = None, ordered: bool = False) -> Any:
    return cuprum.CategoricalDtype(categories, ordered)
