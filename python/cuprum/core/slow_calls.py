"""Warnings of functions that are called one by one: given where the calls are many or have taken long, once.

A `Watch` stands around the calls. It looks at the clock at the first call, the second, the fourth and so on, so that
few calls cost nothing; `PerformanceWarning`, which needs pandas, is imported when it is given.
"""

from __future__ import annotations

import functools
import time
import warnings
from collections.abc import Iterable, Iterator
from contextvars import ContextVar, Token
from typing import Any, TypeVar

from cuprum.core.stack_level import frames_to_caller
from cuprum.options import get_option

__all__ = ["Watch", "current", "name_of", "warn_if_slow"]

# More calls than this, or more seconds in them, are worth a warning.
MANY = 10_000
LONG = 0.2

_OPTION = "mode.performance_warnings"
_Item = TypeVar("_Item")


class Watch:
    """Counts and times calls, and warns of them where they are many or take long.

    ``with watch:`` makes it the one that `current` finds: that of calls which are made further down.

    Parameters
    ----------
    function
        The function that is called, or its name.
    each
        The unit that it is called for: ``"element"``, ``"group"``.
    why
        Why it has to be called, and what is faster; may be said later by `because`.
    """

    def __init__(self, function: Any, each: str, why: str = "") -> None:
        self._begin = f"{name_of(function)} is called for each {each}, which takes long: "
        self._why = why
        self._calls = 0
        self._seconds = 0.0
        self._has_warned = False
        self._token: Token[Watch | None] | None = None

    def __enter__(self) -> Watch:
        self._token = _CURRENT.set(self)
        return self

    def __exit__(self, *_: Any) -> None:
        assert self._token is not None
        _CURRENT.reset(self._token)

    def because(self, why: str) -> Watch:
        """Say why the function has to be called, unless that has been said."""
        self._why = self._why or why
        return self

    def over(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Yield what a function is called with."""
        before, began = self._calls, time.perf_counter() - self._seconds
        done, next_look = 0, 1
        for item in items:
            if done == next_look:
                self._look(before + done, time.perf_counter() - began)
                next_look *= 2
            yield item
            done += 1
        self._look(before + done, time.perf_counter() - began)

    def _look(self, calls: int, seconds: float) -> None:
        self._calls, self._seconds = calls, seconds
        if not self._has_warned:
            self._has_warned = warn_if_slow(self._begin + self._why, calls, seconds)


_CURRENT: ContextVar[Watch | None] = ContextVar("watch", default=None)


def current() -> Watch | None:
    """Return the watch that calls belong to."""
    return _CURRENT.get()


def warn_if_slow(message: str, count: int, seconds: float) -> bool:
    """Warn whoever calls the library if something is done often or takes long; return whether it is and does."""
    if count <= MANY and seconds <= LONG:
        return False
    if get_option(_OPTION):
        from cuprum.errors import PerformanceWarning  # a class of pandas

        warnings.warn(
            f'{message}. cuprum.set_option("{_OPTION}", False) turns such warnings off.',
            PerformanceWarning,
            stacklevel=frames_to_caller(),
        )
    return True


def name_of(function: Any) -> str:
    """Return what messages call a function."""
    if isinstance(function, str):
        return function
    while isinstance(function, functools.partial) and not hasattr(function, "__name__"):
        function = function.func
    names = (getattr(function, name, None) for name in ("__qualname__", "__name__"))
    return next(filter(None, names), type(function).__name__)
