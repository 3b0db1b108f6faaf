"""Covariances and correlations of groups, from partial results that merge without losing digits.

A partition gives, for each pair of columns, how many rows have both, their sums, and the sums of the products of
their distances from the means; those merge exactly (Chan et al.). Rows that lack one of a pair do not count for
it, as in one frame. Dask's own functions go through `apply` and sums of products.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from dask.dataframe import groupby as of_pandas
from dask.dataframe.dask_expr import _groupby as expressions
from dask.dataframe.dask_expr._groupby import _concat

import cuprum
from cuprum.core.index.levels import levels_in_order
from cuprum.dask.groups import asked_for

__all__: list[str] = []

# Rows that have both, their sums, and the sums of products of distances.
_PARTS = ("n", "a", "b", "aa", "ab", "bb")


def _pairs(count: int) -> list[tuple[int, int]]:
    return list(combinations_with_replacement(range(count), 2))


def _columns(frame: Any, by: Any, numeric_only: Any, asked: Any) -> list[Any]:
    keys = [key for key in by if not isinstance(key, (cuprum.Series, cuprum.Index))]
    labels = [label for label in frame.columns if label not in keys] if asked is None else list(asked)
    other = [label for label in labels if frame[label].dtype.kind not in "iufb"]
    if other and numeric_only is not True:
        raise TypeError(
            f"cov and corr of groups take numbers, and the columns {other} have none: select others, or pass "
            "numeric_only=True"
        )
    return [label for label in labels if label not in other]


def _chunk(cls: Any, frame: Any, *by: Any, **kwargs: Any) -> Any:
    if not isinstance(frame, cuprum.DataFrame):
        return of_pandas._cov_chunk(frame, *by, **kwargs)
    of_pandas._groupby_raise_unaligned(frame, by=by)
    keys = [key if isinstance(key, (cuprum.Series, cuprum.Index)) else frame[key] for key in by]
    options = {"numeric_only": kwargs.get("numeric_only"), "asked": kwargs.get("columns")}
    columns = [frame[label].astype("float64") for label in _columns(frame, by, **options)]
    made: dict[str, Any] = {}
    for i, j in _pairs(len(columns)):
        both = columns[i].notna() & columns[j].notna()
        pair = cuprum.DataFrame({"a": columns[i].where(both), "b": columns[j].where(both)})
        groups = pair.groupby(keys)
        away = pair - groups.transform("mean")
        products = {"aa": away["a"] * away["a"], "ab": away["a"] * away["b"], "bb": away["b"] * away["b"]}
        sums = cuprum.DataFrame(products).groupby(keys).sum()
        found = {"n": groups["a"].count(), "a": groups["a"].sum(), "b": groups["b"].sum()}
        found |= {part: sums[part] for part in products}
        made |= {f"{i}-{j}-{part}": found[part] for part in _PARTS}
    frame = cuprum.DataFrame(made)
    frame.index.names = [getattr(key, "name", key) for key in by]
    return frame


def _merged(frame: Any, count: int, levels: Any, sort: Any = None) -> Any:
    groups = frame.groupby(level=levels, **asked_for(sort=sort))
    frame = frame.copy(deep=False)
    for i, j in _pairs(count):
        n, a, b, *_ = (f"{i}-{j}-{part}" for part in _PARTS)
        total = groups[n].transform("sum")
        away = {
            "a": (frame[a] / frame[n] - groups[a].transform("sum") / total).fillna(0.0),
            "b": (frame[b] / frame[n] - groups[b].transform("sum") / total).fillna(0.0),
        }
        for one, other in ("aa", "ab", "bb"):
            part = f"{i}-{j}-{one}{other}"
            frame[part] = frame[part] + frame[n] * away[one] * away[other]
    return frame.groupby(level=levels, **asked_for(sort=sort)).sum()


def _combine(cls: Any, inputs: Any, **kwargs: Any) -> Any:
    if not isinstance(inputs[0], cuprum.DataFrame):
        return _concat(inputs)
    return _merged(_concat(inputs), len(kwargs["asked"]), kwargs["levels"])


def _aggregate(cls: Any, inputs: Any, **kwargs: Any) -> Any:
    if not isinstance(inputs[0], cuprum.DataFrame):
        return of_pandas._cov_agg(_concat(inputs), **kwargs)
    labels = kwargs["asked"]
    frame = _merged(_concat(inputs), len(labels), kwargs["levels"], kwargs.get("sort"))
    found = {}
    for i, j in _pairs(len(labels)):
        n, _, _, aa, ab, bb = (frame[f"{i}-{j}-{part}"] for part in _PARTS)
        if not kwargs["std"]:
            left = n - kwargs["ddof"]
            found[i, j] = ab / left.where(left > 0)
        elif i == j:
            found[i, j] = (aa / aa).where(aa > 0)
        else:
            scale = np.sqrt(aa) * np.sqrt(bb)
            found[i, j] = (ab / scale.where(scale > 0)).clip(-1.0, 1.0)
    return _stacked(found, labels, frame.index)


def _stacked(found: dict[tuple[int, int], Any], labels: list[Any], index: Any) -> Any:
    """Return a row for each group and column."""
    rows = []
    for i in range(len(labels)):
        columns = {str(j): found[min(i, j), max(i, j)].reset_index(drop=True) for j in range(len(labels))}
        rows.append(cuprum.DataFrame(columns))
    groups = np.tile(np.arange(len(index)), len(labels))
    order = np.argsort(groups, kind="stable")
    stacked = cuprum.concat(rows, ignore_index=True).take(order).set_axis(labels, axis=1)
    keys = [level.take(groups[order]) for level in levels_in_order(index)]
    column = cuprum.Index(labels).take(np.tile(np.arange(len(labels)), len(index)))
    return stacked.set_axis(
        cuprum.MultiIndex.from_arrays([*keys, column], names=[*index.names, None]), axis=0
    )


_chunk_options_of_pandas = expressions.Cov.chunk_kwargs.fget
_options_of_pandas = expressions.Cov.aggregate_kwargs.fget
_combine_options_of_pandas = expressions.Cov.combine_kwargs.fget


def _labels(expression: Any) -> dict[str, Any]:
    frame = expression.frame._meta
    if not isinstance(frame, cuprum.DataFrame):
        return {}
    numeric = (expression.operand("chunk_kwargs") or {}).get("numeric_only")
    return {"asked": _columns(frame, expression.by, numeric, expression._slice)}


def _chunk_options(expression: Any) -> Any:
    options = _chunk_options_of_pandas(expression)
    ours = isinstance(expression.frame._meta, cuprum.DataFrame)
    return options | {"columns": expression._slice} if ours else options


def _aggregate_options(expression: Any) -> Any:
    return _options_of_pandas(expression) | _labels(expression)


def _combine_options(expression: Any) -> Any:
    return _combine_options_of_pandas(expression) | _labels(expression)


_chunk.__name__, _combine.__name__, _aggregate.__name__ = "chunk", "combine", "aggregate"
_Cov = expressions.Cov
_Cov.chunk, _Cov.combine, _Cov.aggregate = classmethod(_chunk), classmethod(_combine), classmethod(_aggregate)
_Cov.aggregate_kwargs, _Cov.combine_kwargs = property(_aggregate_options), property(_combine_options)
_Cov.chunk_kwargs = property(_chunk_options)
