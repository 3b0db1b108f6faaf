"""Columns of objects where pandas makes such: of columns, elements and fillers that have no type in common."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from cuprum.core import objects

__all__ = ["CALLED", "objects_where_mixed"]

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def objects_where_mixed(function: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Return a function, or method, of pandas' name that does by pandas what it cannot do.

    As long as an argument has columns of objects, or the result: what fails for any other reason goes on failing.
    """

    @functools.wraps(function)
    def called(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        if args and hasattr(type(args[0]), "__next__"):
            args = (list(args[0]), *args[1:])  # type: ignore[call-overload, assignment]
        try:
            return function(*args, **kwargs)
        except (TypeError, NotImplementedError, AttributeError):
            made = objects.mixed_by_pandas(function, args, kwargs)
            if made is None:
                raise
            return made[0]

    return called


# The code of the functions that the decorator returns.
CALLED = objects_where_mixed(lambda: None).__code__
