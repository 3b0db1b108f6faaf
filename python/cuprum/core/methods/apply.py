"""The parts that apply, map, transform and agg of frames and series share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cuprum.core.groupby.aggregation import is_named, passes_missing
from cuprum.core.objects import Wrapper

if TYPE_CHECKING:
    from cuprum.typing import FrameOrSeries


def method(self: FrameOrSeries, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the result of a method by its name, or a function of NumPy; a property as it is."""
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


def has_missing(self: FrameOrSeries) -> bool:
    """Whether an element is missing, NaN or not."""
    raise NotImplementedError


def is_aggregation(self: FrameOrSeries, func: Any) -> bool:
    """Whether an aggregation by name gives what ``func`` does, missing elements being skipped."""
    if isinstance(func, str):
        return is_named(func)
    if not is_named(func):
        return False
    return passes_missing(func) is False or not self._has_missing()


def transformed(self: FrameOrSeries, call: Callable[[], Any]) -> Any:
    """Return the result of ``call`` for `transform`, which must have the rows of this object."""
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
