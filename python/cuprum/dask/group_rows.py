"""Rows of groups: the first and last ones, those with the least and the greatest value, and distinct values.

Dask's functions for that go through pandas' groups one by one; and its `idxmin` of groups takes the label of the
first partition that has the group. Here a partition says the rows it would choose, with what they are chosen by.
"""

from __future__ import annotations

from typing import Any

from dask.dataframe import groupby as of_pandas
from dask.dataframe.dask_expr import _groupby as expressions
from dask.dataframe.dask_expr._groupby import _concat

import cuprum
from cuprum.core.index.levels import levels_in_order
from cuprum.dask.groups import asked_for

__all__ = ["head_or_tail"]

_KEY, _LABEL, _VALUE = "__key_{}__", "__label_{}__", "__value_{}__"


def _keys(frame: Any, by: Any) -> list[Any]:
    """Return the key columns of a partition."""
    return [frame[key] if _is_label(frame, key) else key for key in by]


def _is_label(frame: Any, key: Any) -> bool:
    return not isinstance(key, (cuprum.Series, cuprum.Index))


def _names(by: Any) -> list[Any]:
    return [getattr(key, "name", key) for key in by]


def _selected(frame: Any, by: Any, columns: Any, numeric_only: bool = False) -> list[Any]:
    """Return the labels of the columns that are asked for."""
    if frame.ndim == 1:
        return [frame.name]
    if columns is None:
        labels = [
            label for label in frame.columns if label not in [key for key in by if _is_label(frame, key)]
        ]
    else:
        labels = list(columns) if isinstance(columns, (list, tuple)) else [columns]
    return [label for label in labels if not numeric_only or frame[label].dtype.kind in "iufb"]


def _grouped(frame: Any, by: Any, **options: Any) -> Any:
    return of_pandas._groupby_raise_unaligned(frame, by=by, **asked_for(**options))


# The first and the last rows.


def head_or_tail(first: bool) -> Any:
    """Return the class methods of `Head` or `Tail`: rows of a partition, and those of all partitions."""

    def chunk(cls: Any, frame: Any, *by: Any, **kwargs: Any) -> Any:
        if not isinstance(frame, (cuprum.DataFrame, cuprum.Series)):
            return of_pandas._apply_chunk(frame, *by, **kwargs)
        options = {name: kwargs.get(name) for name in ("observed", "dropna")}
        number = _grouped(frame, by, **options).cumcount(ascending=first)
        # Rows whose key is missing are in no group.
        kept = (number < kwargs.get("n", 5)) & number.notna()
        if kwargs.get("dropna") is not False:
            for key in _keys(frame, by):
                kept &= key.notna()
        columns = kwargs["columns"]
        rows = frame if frame.ndim == 1 or columns is None else frame[columns]
        if columns is None and frame.ndim == 2:
            rows = frame[_selected(frame, by, None)]
        levels = [cuprum.Index(key[kept]) for key in _keys(frame, by)] + [rows[kept].index]
        made = cuprum.MultiIndex.from_arrays(levels, names=[*_names(by), rows.index.name])
        return rows[kept].set_axis(made, axis=0)

    def aggregate(cls: Any, inputs: Any, **kwargs: Any) -> Any:
        if not isinstance(inputs[0], (cuprum.DataFrame, cuprum.Series)):
            return super(expressions.Head, cls).aggregate(inputs, **kwargs)
        rows = _concat(inputs)
        levels = list(range(kwargs["index_levels"]))
        options = {name: kwargs.get(name) for name in ("observed", "dropna")}
        number = rows.groupby(level=levels, **asked_for(**options)).cumcount(ascending=first)
        return rows[number < kwargs.get("n", 5)].droplevel(levels)

    return chunk, aggregate


for _kind, _first in ((expressions.Head, True), (expressions.Tail, False)):
    _chunk, _aggregate = head_or_tail(_first)
    _chunk.__name__, _aggregate.__name__ = "chunk", "aggregate"
    _kind.chunk = classmethod(_chunk)
    _kind.aggregate = classmethod(_aggregate)


# The labels of the least and the greatest values.


def _best(values: Any, labels: Any, keys: list[Any], least: bool, options: dict[str, Any]) -> Any:
    """Return the best value of each group and its label, the first where several are as good."""
    frame = cuprum.DataFrame({"value": values.reset_index(drop=True), "label": labels.reset_index(drop=True)})
    keys = [key.reset_index(drop=True) for key in keys]
    groups = frame["value"].groupby(keys, **options)
    best = groups.transform("min" if least else "max")
    kept = frame["value"] == best
    found = frame[kept].groupby([key[kept] for key in keys], **options).first()
    return found.reindex(groups.size().index) if len(found) != groups.ngroups else found


def _extremes_chunk(cls: Any, frame: Any, *by: Any, **kwargs: Any) -> Any:
    if not isinstance(frame, (cuprum.DataFrame, cuprum.Series)):
        return of_pandas._apply_chunk(frame, *by, **kwargs)
    if not kwargs.get("skipna", True):
        raise NotImplementedError("`skipna` has to be True in idxmin and idxmax of groups on Dask")
    if frame.index.nlevels > 1:
        raise NotImplementedError("idxmin and idxmax of groups want row labels of one level")
    _grouped(frame, by)
    least = cls is not expressions.IdxMax
    options = asked_for(observed=kwargs.get("observed"), dropna=kwargs.get("dropna"))
    keys = _keys(frame, by)
    labels = cuprum.Series(frame.index)
    made = {}
    for i, label in enumerate(
        _selected(frame, by, kwargs.get("columns"), kwargs.get("numeric_only") is True)
    ):
        values = frame if frame.ndim == 1 else frame[label]
        best = _best(values, labels, keys, least, options)
        made[_VALUE.format(i)], made[_LABEL.format(i)] = best["value"], best["label"]
    frame = cuprum.DataFrame(made)
    frame.index.names = _names(by)
    return frame


def _extremes_merged(frame: Any, levels: Any, least: bool, options: dict[str, Any]) -> Any:
    keys = [cuprum.Series(level) for level in levels_in_order(frame.index)]
    made = {}
    for i in range(len(frame.columns) // 2):
        best = _best(frame[_VALUE.format(i)], frame[_LABEL.format(i)], keys, least, options)
        made[_VALUE.format(i)], made[_LABEL.format(i)] = best["value"], best["label"]
    merged = cuprum.DataFrame(made)
    merged.index.names = frame.index.names
    return merged


def _extremes_aggregate(cls: Any, inputs: Any, **kwargs: Any) -> Any:
    if not isinstance(inputs[0], (cuprum.DataFrame, cuprum.Series)):
        return super(expressions.IdxMin, cls).aggregate(inputs, **kwargs)
    options = asked_for(**{name: kwargs.get(name) for name in ("observed", "dropna", "sort")})
    merged = _extremes_merged(_concat(inputs), kwargs["levels"], cls is not expressions.IdxMax, options)
    if any(merged[label].isna().any() for label in merged.columns if label.startswith("__value")):
        name = "idxmax" if cls is expressions.IdxMax else "idxmin"
        raise ValueError(f"{name} with skipna=True encountered all NA values in a group.")
    columns = kwargs["asked"]
    labels = [merged[_LABEL.format(i)] for i in range(len(merged.columns) // 2)]
    if not isinstance(columns, list):
        return labels[0].rename(columns)
    return cuprum.DataFrame({str(i): one for i, one in enumerate(labels)}).set_axis(columns, axis=1)


def _extremes_combine(cls: Any, inputs: Any, **kwargs: Any) -> Any:
    if not isinstance(inputs[0], (cuprum.DataFrame, cuprum.Series)):
        return super(expressions.IdxMin, cls).aggregate(inputs, **kwargs)
    options = asked_for(**{name: kwargs.get(name) for name in ("observed", "dropna", "sort")})
    return _extremes_merged(_concat(inputs), kwargs["levels"], cls is not expressions.IdxMax, options)


_options_of_pandas = expressions.SingleAggregation.aggregate_kwargs.fget


def _extremes_options(expression: Any) -> Any:
    options = _options_of_pandas(expression)
    frame = expression.frame._meta
    if not isinstance(frame, (cuprum.DataFrame, cuprum.Series)):
        return options
    one = frame.ndim == 1 or (
        expression._slice is not None and not isinstance(expression._slice, (list, tuple))
    )
    numeric = (expression.operand("chunk_kwargs") or {}).get("numeric_only") is True
    labels = _selected(frame, expression.by, expression._slice, numeric)
    return options | {"asked": labels[0] if one else labels}


_extremes_chunk.__name__, _extremes_combine.__name__, _extremes_aggregate.__name__ = (
    "chunk",
    "combine",
    "aggregate",
)
for _kind in (expressions.IdxMin, expressions.IdxMax):
    _kind.chunk = classmethod(_extremes_chunk)
    _kind.combine = classmethod(_extremes_combine)
    _kind.aggregate = classmethod(_extremes_aggregate)
    _kind.combine_kwargs = _kind.aggregate_kwargs = property(_extremes_options)


# Distinct values, as lists.


def _distinct_aggregate(cls: Any, inputs: Any, **kwargs: Any) -> Any:
    if not isinstance(inputs[0], cuprum.Series):
        return super(expressions.Unique, cls).aggregate(inputs, **kwargs)
    options = asked_for(**{name: kwargs.get(name) for name in ("observed", "dropna", "sort")})
    values = _concat(inputs).explode()
    return values.groupby(level=list(range(values.index.nlevels)), **options).unique().rename(kwargs["name"])


_distinct_aggregate.__name__ = "aggregate"
expressions.Unique.aggregate = classmethod(_distinct_aggregate)
