"""Names of methods in messages: those of the class that users know, not of the one that they are written in."""

from __future__ import annotations

from types import CellType, FunctionType
from typing import Any, TypeVar

__all__ = ["with_own_methods"]

_Class = TypeVar("_Class", bound=type)


def with_own_methods(cls: _Class) -> _Class:
    """Return a class that has the public methods which it inherits as its own, called after it.

    Python calls a method that is given a wrong argument by its ``__qualname__``, which is one function's.
    """
    known: dict[Any, Any] = {}
    for base in cls.__mro__[1:-1]:
        for name, member in vars(base).items():
            if (
                name.startswith("_")
                or not isinstance(member, FunctionType)
                or getattr(cls, name) is not member
            ):
                continue
            if member not in known:
                known[member] = _named(member, cls)
            setattr(cls, name, known[member])
    return cls


def _named(function: Any, cls: type) -> Any:
    """Return a copy of a function, and of the one that it wraps, under the name of a class."""
    inner = getattr(function, "__wrapped__", None)
    closure, own = function.__closure__, None
    if isinstance(inner, FunctionType) and closure is not None:
        own = _named(inner, cls)
        closure = tuple(CellType(own) if cell.cell_contents is inner else cell for cell in closure)
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, closure
    )
    made.__kwdefaults__, made.__doc__ = function.__kwdefaults__, function.__doc__
    made.__annotations__ = function.__annotations__
    made.__dict__.update(function.__dict__)
    if own is not None:
        made.__dict__["__wrapped__"] = own
    made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}.{function.__name__}"
    return made
