"""What calls of functions over frames and series have in common: methods by name, results put together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Literal

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, plain_label
from cuprum.core.functions.results import column_of_results, columns_across
from cuprum.core.groupby.aggregation import is_named, passes_missing
from cuprum.core.objects import Wrapper, wrap_frame
from cuprum.core.reshape.concat import concat

__all__ = ["Calls", "rows_of", "together"]


class Calls(Wrapper):
    """What frames and series share."""

    __slots__ = ()

    def _method(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return what a method does by its name, or a function of NumPy; a property as it is."""
        if not name.startswith("_") and hasattr(type(self), name):
            found = getattr(self, name)
            if callable(found):
                return found(*args, **kwargs)
            if args or kwargs:
                raise ValueError(f"Cannot pass arguments to property {name}")
            return found
        import numpy as np

        if not name.startswith("_") and isinstance(getattr(np, name, None), np.ufunc):
            return getattr(np, name)(self, *args, **kwargs)
        raise AttributeError(f"'{name}' is not a valid function for '{type(self).__name__}' object")

    def _has_missing(self) -> bool:
        """Whether an element is missing, NaN or not."""
        raise NotImplementedError

    def _is_aggregation(self, func: Any) -> bool:
        """Whether an aggregation by name gives what ``func`` does, missing elements being skipped."""
        if isinstance(func, str):
            return is_named(func)
        if not is_named(func):
            return False
        return passes_missing(func) is False or not self._has_missing()

    def _transformed(self, call: Callable[[], Any]) -> Any:
        """Return what ``call`` gives for `transform`, which must have the rows of this object."""
        try:
            result = call()
        except (TypeError, Warning):
            raise
        except Exception as error:
            raise ValueError(f"Transform function failed: {error}") from error
        index = self._handle.index()
        if not isinstance(result, Wrapper) or not result._handle.index().equals(index):
            raise ValueError("Function did not transform")
        return result


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
    """Return series as the rows of a frame, their elements matched by label, in order where labels differ.

    With ``sort=False`` labels are in the order in which they come up.
    """
    labels = results[0].index.to_list()
    if any(result.index.to_list() != labels for result in results):
        every = dict.fromkeys(label for result in results for label in result.index.to_list())
        labels = list(every)
        if sort:
            with contextlib.suppress(TypeError):
                labels.sort()
        found = [dict(result.items()) for result in results]
        columns = [column_of_results([row.get(label) for row in found]) for label in labels]
    else:
        columns = columns_across(results, len(labels))
    handle = _cuprum.DataFrame(labels, columns, index)
    return wrap_frame(handle.with_labels(labels, list(results[0].index.names)))
