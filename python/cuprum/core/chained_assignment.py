"""Chained assignment: what is set in an object that nobody has a name for is lost with it.

``df["a"][0] = 5`` sets an element of a series that is made for the moment. Whether somebody else holds an object is what
its count of references tells.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

from cuprum.core.mixed_types import CALLED, objects_where_mixed
from cuprum.options import get_option

__all__ = ["INDEXER", "METHOD", "MIXING", "SETITEM", "warn_if_chained"]


class _Probe:
    """The count of references in the methods of an object without a name."""

    __slots__ = ("_target", "count")

    def __init__(self, target: Any = None) -> None:
        self._target = target

    def __setitem__(self, key: Any, value: Any) -> None:
        value.append(sys.getrefcount(self if self._target is None else self._target))

    def method(self, value: list[int]) -> None:
        value.append(sys.getrefcount(self))

    @objects_where_mixed
    def mixing(self, value: list[int]) -> None:
        value.append(sys.getrefcount(self))


def _counts() -> tuple[int, int, int, int]:
    if sys.implementation.name != "cpython":
        return -1, -1, -1, -1
    counts: list[int] = []
    _Probe()[0] = counts
    _Probe().method(counts)
    _Probe().mixing(value=counts)  # the argument of methods that change an object is named
    _Probe(_Probe())[0] = counts
    setitem, method, mixing, indexer = counts
    return setitem, method, mixing, indexer


# The most references that an object has in ``__setitem__``, in a method, in one that is `objects_where_mixed`, and in
# ``__setitem__`` of its indexer, where nobody else has any.
SETITEM, METHOD, MIXING, INDEXER = _counts()


def warn_if_chained(obj: Any, instead: str) -> None:
    """Warn of a change of an object with so few references, as pandas does.

    Not where the caller has a name for it, which need not count, or where others see what is written to it.
    """
    caller, level = sys._getframe(2), 3
    while caller.f_code is CALLED and caller.f_back is not None:
        caller, level = caller.f_back, level + 1
    others = getattr(obj, "_others", None)
    if any(value is obj for value in caller.f_locals.values()) or (others is not None and others()):
        return
    asked = get_option("mode.chained_assignment")
    if asked is None:
        return
    from pandas.errors import ChainedAssignmentError

    message = (
        "what is set here is set in a copy that nobody else has, and is lost: chained assignment never changes the "
        f"frame or series that it begins with; {instead}"
    )
    if asked == "raise":
        raise ChainedAssignmentError(message)
    warnings.warn(message, ChainedAssignmentError, stacklevel=level)
