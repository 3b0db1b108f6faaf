"""Rows of several partitions below each other, and rows of one apart: by hash, by number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, Literal

from dask.array.dispatch import percentile_lookup
from dask.dataframe.backends import ShuffleGroupResult
from dask.dataframe.dispatch import (
    concat_dispatch,
    group_split_dispatch,
    hash_object_dispatch,
    union_categoricals_dispatch,
)

import cuprum
from cuprum.core.objects import wrap_index
from cuprum.core.row_hashes import row_hashes
from cuprum.dask.meta import KINDS

__all__ = ["union_categories"]


def _check_ours(parts: Sequence[Any]) -> None:
    """Fail with ``TypeError`` where partitions of another backend are among ours."""
    for part in parts:
        if not isinstance(part, KINDS):
            raise TypeError(
                f"partitions of Cuprum and a {type(part).__module__.partition('.')[0]}.{type(part).__name__} "
                "cannot be combined: bring both collections to one backend with to_backend"
            )


@concat_dispatch.register(KINDS)
def _concat(
    parts: Sequence[Any],
    axis: Any = 0,
    join: Literal["outer", "inner"] = "outer",
    uniform: bool = False,
    filter_warning: bool = True,
    ignore_index: bool = False,
    ignore_order: bool = False,
    **options: Any,
) -> Any:
    parts = list(parts)
    _check_ours(parts)
    if isinstance(parts[0], cuprum.Index):
        return reduce(lambda one, other: one.append(other), _alike_indexes(parts, ignore_order))
    if axis in (1, "columns"):
        return cuprum.concat(parts, axis=1, join=join, **options)
    # Dask says that there are no rows by frames without columns.
    parts = [part for part in parts if part.ndim == 1 or len(part) or len(part.columns)] or parts[:1]
    if all(part.ndim == 2 for part in parts):
        # Frames without rows may have dtypes of their own: those of the others are right.
        filled = [part for part in parts if len(part)] or parts[:1]
        parts = filled if all(list(part.columns) == list(filled[0].columns) for part in parts) else parts
    if len(parts) == 1:
        return parts[0].reset_index(drop=True) if ignore_index else parts[0]
    return cuprum.concat(
        _alike_categories(parts, ignore_order), join=join, ignore_index=ignore_index, **options
    )


def _alike_indexes(parts: list[Any], ignore_order: bool) -> list[Any]:
    if not any(isinstance(part, cuprum.CategoricalIndex) for part in parts):
        return parts
    return [wrap_index(part._handle) for part in union_categories(parts, ignore_order)]


def union_categories(parts: list[Any], ignore_order: bool = False) -> list[Any]:
    """Return series or indexes with the categories of all, each with all of them.

    ``TypeError`` where they are ordered and not the same, unless ``ignore_order``.
    """
    dtypes = [part.dtype for part in parts]
    if all(dtype == dtypes[0] for dtype in dtypes[1:]):
        return parts
    if not all(isinstance(dtype, cuprum.CategoricalDtype) for dtype in dtypes):
        return parts
    ordered = any(dtype.ordered for dtype in dtypes)
    if ordered and not ignore_order:
        first = list(dtypes[0].categories)
        if any(not dtype.ordered or list(dtype.categories) != first for dtype in dtypes):
            raise TypeError("to union ordered Categoricals, all categories must be the same")
    known = [dtype.categories for dtype in dtypes if len(dtype.categories)] or [dtypes[0].categories]
    merged = reduce(lambda one, other: one.append(other), known).unique()
    dtype = cuprum.CategoricalDtype(merged, ordered and not ignore_order)
    return [part.astype(dtype) for part in parts]


def _alike_categories(parts: list[Any], ignore_order: bool) -> list[Any]:
    """Return frames or series whose categories, those of row labels too, are the same."""
    if parts[0].ndim == 1:
        if all(part.ndim == 1 for part in parts):
            parts = union_categories(parts, ignore_order)
    else:
        parts = [part.to_frame() if part.ndim == 1 else part for part in parts]
        labels = [label for label in parts[0].columns if _has_categories(parts, label)]
        for label in labels:
            having = [part for part in parts if label in part.columns]
            made = iter(union_categories([part[label] for part in having], ignore_order))
            parts = (
                [part.assign(**{label: next(made)}) if label in part.columns else part for part in parts]
                if isinstance(label, str)
                else _assigned(parts, label, made)
            )
    if any(isinstance(part.index, cuprum.CategoricalIndex) for part in parts):
        indexes = _alike_indexes([part.index for part in parts], ignore_order)
        if all(isinstance(index, cuprum.CategoricalIndex) for index in indexes):
            parts = [part.set_axis(index, axis=0) for part, index in zip(parts, indexes, strict=True)]
    return parts


def _assigned(parts: list[Any], label: Any, made: Any) -> list[Any]:
    changed = []
    for part in parts:
        if label in part.columns:
            part = part.copy(deep=False)
            part[label] = next(made)
        changed.append(part)
    return changed


def _has_categories(parts: list[Any], label: Any) -> bool:
    dtypes = [part[label].dtype for part in parts if label in part.columns]
    return any(isinstance(dtype, cuprum.CategoricalDtype) for dtype in dtypes) and any(
        dtype != dtypes[0] for dtype in dtypes
    )


@union_categoricals_dispatch.register((cuprum.Series, cuprum.Index))
def _union(to_union: Any, sort_categories: bool = False, ignore_order: bool = False) -> Any:
    made = cuprum.concat([cuprum.Series(part) for part in union_categories(list(to_union), ignore_order)])
    return made.cat.set_categories(made.cat.categories.sort_values()) if sort_categories else made


@hash_object_dispatch.register(KINDS)
def _hashes(
    obj: Any, index: bool = True, encoding: str = "utf8", hash_key: Any = None, categorize: bool = True
) -> Any:
    """Return the hash of each row; equal values have equal ones whatever their categories are."""
    if isinstance(obj, cuprum.Index):
        return row_hashes(obj.to_frame(index=False))
    rows = obj.index
    if obj.ndim == 1:
        obj = obj.to_frame(name="value")
    if not index:
        return row_hashes(obj)
    hashes = row_hashes(obj.reset_index())
    hashes.index = rows
    return hashes


@group_split_dispatch.register((cuprum.DataFrame, cuprum.Series, cuprum.Index))
def _split(obj: Any, numbers: Any, k: int, ignore_index: bool = False) -> Any:
    """Return the rows that go to each of ``k`` partitions, by the number of its partition."""
    parts: list[Any]
    if isinstance(obj, cuprum.DataFrame):
        parts = obj.scatter_by_map(numbers, map_size=k, keep_index=not ignore_index)
    else:
        frame = obj.to_frame(name="value")
        parts = frame.scatter_by_map(numbers, map_size=k, keep_index=not ignore_index)
        of_series = isinstance(obj, cuprum.Series)
        parts = [part["value"].rename(obj.name) if of_series else part.index for part in parts]
    return ShuffleGroupResult(zip(range(k), parts, strict=True))


@percentile_lookup.register((cuprum.Series, cuprum.Index))
def _percentiles(series: Any, q: Any, interpolation: str = "linear") -> Any:
    """Return percentiles and how many elements they are of, as `dask.array` merges them."""
    from dask.array.percentile import _percentile

    return (
        _percentile(series.to_pandas(), q, interpolation)
        if len(series)
        else _percentile(series.to_pandas().to_numpy(), q, interpolation)
    )
