"""Classes of users that inherit from `DataFrame` and `Series`: what their methods return is of them, too.

As in pandas such a class has a property ``_constructor``, which makes an object of it from a frame or a series, and may
have ``_constructor_sliced`` (of a frame's columns), ``_constructor_expanddim`` (of the frame that a series becomes) and
``_metadata``, names of attributes that results take over. The methods of the library make plain frames and series; those
of such a class hand their results to the constructors. It is done once, when the class is made.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType, GeneratorType, MethodDescriptorType
from typing import Any

from cuprum.core import objects
from cuprum.core.copy_on_write import attrs_of, register_with_objects, with_objects, without_objects
from cuprum.core.objects import is_of_users, set_handle

__all__ = ["adapt", "of_the_class_of_first", "own"]

# Special methods whose results are frames or series.
_OPERATORS = [
    *(f"__{side}{name}__" for side in ("", "r") for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")),
    *(f"__{side}{name}__" for side in ("", "r") for name in ("and", "or", "xor", "matmul", "divmod")),
    *(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert", "round")),
    *("__iter__", "__getitem__", "__getattr__", "__copy__", "__deepcopy__", "__array_ufunc__"),
]  # fmt: skip


# Whose results are no objects of the class, and whose have no attributes of it, as in pandas.
_PLAIN = frozenset({"describe", "value_counts"})
_WITHOUT_METADATA = frozenset({"join", "merge"})


def adapt(cls: Any) -> None:
    """Let the methods and properties of a class that it has from the library return objects of it."""
    _adapt_members(cls, _itself)
    if "__reduce_ex__" not in vars(cls):
        cls.__reduce_ex__ = _reduced


def class_with_attrs(kind: Any) -> Any:
    """Return the class that objects of a class have as soon as there are ``attrs``, which its results take over."""
    plain = without_objects(kind)
    other = with_objects(plain)
    if other is None or hasattr(kind, "_keeps_attrs"):  # a class of users
        return kind
    made = _with_attrs(plain), _with_attrs(other)
    register_with_objects(*made)
    return made[plain is not kind]


@functools.cache
def _with_attrs(kind: Any) -> Any:
    made = type(
        kind.__name__, (kind,), {"__slots__": (), "__module__": kind.__module__, "_keeps_attrs": True}
    )
    made.__qualname__ = kind.__qualname__
    _adapt_members(made, _itself)
    made.__reduce_ex__ = _reduced_as(kind, made)  # type: ignore[method-assign]
    return made


def _reduced_as(kind: type, made: type) -> Any:
    def reduced(self: Any, protocol: Any) -> Any:
        """Return how a pickle or a copy makes the object again: as one of the class that has the name."""
        self.__class__ = kind
        try:
            return self.__reduce_ex__(protocol)
        finally:
            self.__class__ = made

    return reduced


def _like_first(objs: Any, result: Any) -> Any:
    """Return a result of several objects as an object of the class of the first."""
    first = next(iter(objs.values() if isinstance(objs, dict) else objs), None)
    return own(first, result, False) if isinstance(first, objects.Wrapper) else result


def of_the_class_of_first(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of several objects whose result is of the class of users that the first is of."""

    @functools.wraps(function)
    def combined(objs: Any, *args: Any, **kwargs: Any) -> Any:
        result = function(objs, *args, **kwargs)
        several = objs.values() if type(objs) is dict else objs if type(objs) in (list, tuple) else ()
        if any(is_of_users(type(obj)) for obj in several):
            return _like_first(objs, result)
        return result

    return combined


def _adapt_members(cls: Any, source_of: Callable[[Any], Any]) -> None:
    for base in cls.__mro__[1:]:
        if not base.__module__.startswith("cuprum."):
            continue
        for name, member in vars(base).items():
            if (name[0] != "_" or name in _OPERATORS) and name not in _PLAIN and _is_from(cls, name, base):
                changed = _returning(name, member, source_of)
                if changed is not None:
                    setattr(cls, name, changed)


def _itself(obj: Any) -> Any:
    return obj


def _is_from(cls: Any, name: str, base: Any) -> bool:
    """Whether a class finds a name in a class that it inherits from."""
    return next((one for one in cls.__mro__ if name in vars(one)), None) is base


def _returning(name: str, member: Any, source_of: Callable[[Any], Any]) -> Any:
    """Return a method or property whose results are objects of the class of a source; None for other members."""
    keeps = name not in _WITHOUT_METADATA
    if isinstance(member, (FunctionType, MethodDescriptorType)):

        @functools.wraps(member)
        def method(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = member(self, *args, **kwargs)  # which may fail where nothing has been set yet
            return own(source_of(self), result, keeps)

        return method
    if isinstance(member, property) and member.fget is not None:
        get = member.fget
        return property(
            lambda self: own(source_of(self), get(self), keeps), member.fset, member.fdel, member.__doc__
        )
    if isinstance(member, classmethod):
        function = member.__func__

        @functools.wraps(function)
        def made(cls: Any, *args: Any, **kwargs: Any) -> Any:
            result = function(cls, *args, **kwargs)
            plain = type(result) in (objects.DataFrame, objects.Series)
            return cls(result) if plain and issubclass(cls, type(result)) else result

        return classmethod(made)
    return None


def own(source: Any, result: Any, keeps_metadata: bool = True) -> Any:
    """Return a result of a method of ``source`` as an object of its class, or of one that belongs to it."""
    if source is None:
        return result
    kind = type(result)
    if kind is tuple:
        return tuple(own(source, part, keeps_metadata) for part in result)
    if kind in _ITERATORS:
        return (own(source, part, keeps_metadata) for part in result)
    if (source_of := _source_in(kind)) is not None:
        result.__class__ = _adapted(kind, source_of)  # type: ignore[arg-type]
        return result
    if not isinstance(result, objects.Wrapper):
        return result
    if kind is objects.DataFrame or kind is objects.Series:
        name = _CONSTRUCTORS[source.ndim, result.ndim]
        if hasattr(type(source), name):
            made = getattr(source, name)(result)
            result = _with_metadata(source, made) if keeps_metadata else made
    # Attributes that a result has already are its own, as those of two objects where both have attributes.
    return source._with_attrs(result) if keeps_metadata and not attrs_of(result) else result


# The constructor of results, by the axes of an object and those of the result.
_CONSTRUCTORS = {
    (2, 2): "_constructor",
    (2, 1): "_constructor_sliced",
    (1, 1): "_constructor",
    (1, 2): "_constructor_expanddim",
}


def _with_metadata(source: Any, made: Any) -> Any:
    """Return an object with the attributes that both classes name in ``_metadata``."""
    names = getattr(type(made), "_metadata", ())
    for name in getattr(type(source), "_metadata", ()):
        if name in names and name in vars(source):
            object.__setattr__(made, name, vars(source)[name])
    return made


_ITERATORS = (GeneratorType, map, zip)


def _source_in(kind: type) -> Callable[[Any], Any] | None:
    """Return what finds the frame or series that an object of a class was made of: an indexer, groups, windows, an accessor."""
    return getattr(kind, "_made_of", None)


@functools.cache
def _adapted(kind: type, source_of: Callable[[Any], Any]) -> type:
    """Return a class like another, whose results are objects of the class of what it was made of."""
    if hasattr(kind, "_is_adapted"):
        return kind
    made = type(kind.__name__, (kind,), {"__slots__": (), "__module__": kind.__module__, "_is_adapted": True})
    _adapt_members(made, source_of)

    def reduced(self: Any, protocol: Any) -> Any:
        """Return how a pickle or a copy makes the object again: as one of the class that has the name."""
        self.__class__ = kind
        try:
            function, arguments, *state = self.__reduce_ex__(protocol)
        finally:
            self.__class__ = made
        return _adapted_again, (function, arguments), *state

    made.__reduce_ex__ = reduced  # type: ignore[method-assign, assignment]
    return made


def _reduced(self: Any, protocol: Any) -> tuple[Any, ...]:
    """Return how a pickle makes the object again: of a plain one, and its own attributes."""
    plain = objects.Wrapper.__new__(objects.DataFrame if self.ndim == 2 else objects.Series)
    set_handle(plain, self._handle)
    return _made_again, (type(self), self._with_attrs(plain), vars(self))


def _made_again(cls: Any, plain: Any, attributes: dict[str, Any]) -> Any:
    made = cls.__new__(cls)
    set_handle(made, plain._handle)
    vars(made).update(attributes)
    return plain._with_attrs(made)


def _adapted_again(function: Any, arguments: tuple[Any, ...]) -> Any:
    made = function(*arguments)
    source_of = _source_in(type(made))
    assert source_of is not None
    made.__class__ = _adapted(type(made), source_of)  # type: ignore[arg-type]
    return made
