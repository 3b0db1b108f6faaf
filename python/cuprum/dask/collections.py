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

__all__ = ["DataFrame", "Index", "Series", "to_cuprum_dispatch"]


def _check_ours(what: str, argument: str, other: Any) -> None:
    """Fail with ``TypeError`` for a collection of another backend, whose rows are hashed in another way."""
    for one in other if isinstance(other, (list, tuple)) else [other]:
        meta = getattr(one, "_meta", None)
        if isinstance(meta, (pd.DataFrame, pd.Series)):
            raise TypeError(
                f"`{argument}` of {what} is a collection of pandas and this one is of Cuprum: bring both to one "
                "backend with to_backend('cuprum') or to_backend('pandas')"
            )


class DataFrame(dx.DataFrame):  # type: ignore[misc]
    """A collection whose partitions are frames of Cuprum."""

    def merge(self, right: Any, *args: Any, **kwargs: Any) -> Any:
        """Join with another collection or frame; see `dask.dataframe.DataFrame.merge`."""
        _check_ours("merge", "right", right)
        return super().merge(right, *args, **kwargs)

    def join(self, other: Any, *args: Any, **kwargs: Any) -> Any:
        """Join with other collections by row labels; see `dask.dataframe.DataFrame.join`."""
        _check_ours("join", "other", other)
        return super().join(other, *args, **kwargs)

    def sort_values(self, by: Any, *args: Any, **kwargs: Any) -> Any:
        """Sort by columns; categories by their order. See `dask.dataframe.DataFrame.sort_values`."""
        first = by[0] if isinstance(by, (list, tuple)) and by else by
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
        label = getattr(other, "name", other)
        if sort and not sorted and not isinstance(label, list) and _has_categories(self._meta, label):
            raise NotImplementedError(
                f"`other` is {label!r}, which has categories: use sort_values({label!r}), then set_index with sort=False"
            )
        return super().set_index(other, *args, sorted=sorted, sort=sort, **kwargs)

    def to_parquet(self, path: Any, **options: Any) -> Any:
        """Write a data set of Parquet files, of which none is seen before all are there; see `cuprum.dask.parquet`."""
        from cuprum.dask.parquet import to_parquet

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


class Series(dx.Series):  # type: ignore[misc]
    """A collection whose partitions are series of Cuprum."""


class Index(dx.Index):  # type: ignore[misc]
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
