"""Methods that keep the frequency of times: see `cuprum.core.index.frequency`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

__all__ = ["regular"]

F = TypeVar("F", bound=Callable[..., Any])


def regular(method: F) -> F:
    """Let the labels that a method returns have the frequency of an index, where they are as regular."""

    @wraps(method)
    def kept(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = method(self, *args, **kwargs)
        return made if self._handle.frequency() is None else self._regular(made)

    return kept  # type: ignore[return-value]
