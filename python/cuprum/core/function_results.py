"""The parts that calls of functions over frames and series share: methods by name, results put together."""

from __future__ import annotations

from itertools import repeat
from typing import Any, Literal

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, plain_label
from cuprum.core.functions.results import column_of_results, columns_across
from cuprum.core.objects import Wrapper, wrap_frame
from cuprum.core.reshape.concat import concat

__all__ = ["as_method", "rows_of", "together"]


def as_method(func: Any) -> Any:
    """Return a function that is a method of all series as one that calls the method of the series that it gets."""
    name = getattr(func, "__name__", None)
    if not isinstance(name, str) or getattr(objects.Series, name, None) is not func:
        return func
    return lambda series, *args, **kwargs: getattr(series, name)(*args, **kwargs)


def together(this: Any, labels: list[Any], results: list[Any], axis: Literal[0, 1]) -> Any:
    """Return results of functions under their labels: values as a Series, series and frames side by side."""
    wrapped = [isinstance(result, Wrapper) for result in results]
    if results and all(wrapped):
        made = concat(results, axis=axis, keys=labels, sort=False)
        if axis and this.ndim == 2:
            names = this.columns.names
            made.columns = made.columns.set_names([*names, *made.columns.names[len(names) :]])
        return made
    if any(wrapped):
        raise ValueError(
            "cannot combine transform and aggregation operations"
            if axis
            else "cannot perform both aggregation and transformation operations simultaneously"
        )
    name = this.name if this.ndim == 1 else None
    if any(is_list_like(result) for result in results):
        raise NotImplementedError("functions return one value each, or a Series each")
    try:
        return objects.Series(results, index=labels, name=name)
    except TypeError:
        return objects.record([plain_label(label) for label in labels], results, name)


def rows_of(results: list[Any], index: Any, sort: bool = True) -> Any:
    """Return results as the rows of a frame, elements matched by label; the first result is a series.

    Where labels differ they are in the order of the rows of a frame whose columns are these series; with ``sort=False``
    in the order in which they come up. Results that are no series are repeated.
    """
    indexes = [result.index for result in results if isinstance(result, objects.Series)]
    labels, names = indexes[0].to_list(), list(indexes[0].names)
    if any(list(other.names) != names for other in indexes):
        names = [None] * len(names)
    every = [list(map(_key, other.to_list())) for other in indexes]
    if len(indexes) < len(results) or any(keys != every[0] for keys in every):
        if sort:
            unlike = {tuple(keys): other for keys, other in zip(every, indexes, strict=True)}
            parts = enumerate(objects.Series(0, index=other) for other in unlike.values())
            labels = objects.DataFrame(dict(parts)).index.to_list()
        else:
            labels = list({_key(label): label for other in indexes for label in other.to_list()}.values())
        wanted, keys_of = list(map(_key, labels)), iter(every)
        found = [
            dict(zip(next(keys_of), result.to_list(), strict=True))
            if isinstance(result, objects.Series)
            else dict(zip(wanted, result if is_list_like(result) else repeat(result), strict=False))
            for result in results
        ]
        columns = [column_of_results([row.get(key) for row in found]) for key in wanted]
    else:
        columns = columns_across(results, len(labels))
    handle = _cuprum.DataFrame(labels, columns, index)
    return wrap_frame(handle.with_labels(labels, names))


def _key(label: Any) -> Any:
    """Return a label as what equals it, also where it is missing."""
    if isinstance(label, tuple):
        return tuple(map(_key, label))
    return None if label is None or label != label else label
