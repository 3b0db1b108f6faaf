"""Names of methods in messages: those of the class that users know, not of the function or class they are written in."""

from __future__ import annotations

from types import CellType, FunctionType
from typing import Any, TypeVar

__all__ = ["with_own_methods"]

_Class = TypeVar("_Class", bound=type)


def with_own_methods(cls: _Class) -> _Class:
    """Return a class whose public methods are its own and called after it, those that it inherits too.

    Python calls a method that is given a wrong argument by its ``__qualname__``, which is one function's.
    """
    known: dict[Any, Any] = {}
    for base in cls.__mro__[:-1]:
        for name, member in list(vars(base).items()):
            is_class_method = isinstance(member, classmethod)
            function = member.__func__ if is_class_method else member
            if name.startswith("_") or not isinstance(function, FunctionType):
                continue
            if next(vars(one)[name] for one in cls.__mro__ if name in vars(one)) is not member:
                continue
            if function.__qualname__ == f"{cls.__qualname__}.{name}":
                continue
            if function not in known:
                known[function] = _named(function, cls, name)
            setattr(cls, name, classmethod(known[function]) if is_class_method else known[function])
    return cls


def _named(function: Any, cls: type, name: str) -> Any:
    """Return a copy of a function, and of the one that it wraps, under the names of a class and a method."""
    inner = getattr(function, "__wrapped__", None)
    closure, own = function.__closure__, None
    if isinstance(inner, FunctionType) and closure is not None:
        own = _named(inner, cls, name)
        closure = tuple(CellType(own) if cell.cell_contents is inner else cell for cell in closure)
    made = FunctionType(function.__code__, function.__globals__, name, function.__defaults__, closure)
    made.__kwdefaults__, made.__doc__ = function.__kwdefaults__, function.__doc__
    made.__annotations__ = function.__annotations__
    made.__dict__.update(function.__dict__)
    if own is not None:
        made.__dict__["__wrapped__"] = own
    made.__module__, made.__qualname__ = cls.__module__, f"{cls.__qualname__}.{name}"
    return made
