"""Declarations of options of readers and writers: one line each, from which their methods follow.

A class of options has the lines in its body, and so has its builder:

>>> class Options(ReaderOptions):
...     set_skip_rows = Setter("skip_rows", "skip_rows", at_least(0), "Pass over so many rows.")
>>> class Builder(OptionsBuilder[Options]):
...     num_rows = Step("num_rows", "num_rows", at_least(0), "Read so many rows.")
>>> options = Builder(Options()).num_rows(3).build()
>>> options.set_skip_rows(skip_rows=1)
>>> options.values
{'num_rows': 3, 'skip_rows': 1}

A value that is set is checked, and kept under the name that the reader or writer has for it. What is not set is as
the reader or writer has it. What cannot be honoured is declared with `only`, what several methods set with `Option`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, Generic, NamedTuple, Self, TypeVar, overload

__all__ = [
    "COLUMNS",
    "NUM_ROWS",
    "SKIP_ROWS",
    "Option",
    "Options",
    "OptionsBuilder",
    "ReaderOptions",
    "Setter",
    "Step",
    "at_least",
    "flag",
    "instance",
    "lists_of_numbers",
    "marks",
    "member",
    "only",
    "or_all",
    "text",
    "texts",
    "whole_numbers",
]

# The conversion of an argument, which gets the name of the argument and the value.
Check = Callable[[str, Any], Any]

B = TypeVar("B")
What = TypeVar("What", bound="Options")


class _Method:
    """A method that keeps the value of its one argument under a name.

    Parameters
    ----------
    key
        The name that the value is kept under.
    argument
        The name of the argument.
    check
        What makes of the argument what is kept.
    doc
        What the method is for.
    """

    def __init__(self, key: str, argument: str, check: Check, doc: str) -> None:
        self.key, self.argument, self.check, self.doc = key, argument, check, doc

    def __set_name__(self, owner: type, name: str) -> None:
        setattr(owner, name, self._method(owner, name))

    def _method(self, owner: type, name: str) -> Any:
        argument = self.argument
        signature = inspect.Signature(
            [
                inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
                inspect.Parameter(argument, inspect.Parameter.POSITIONAL_OR_KEYWORD),
            ]
        )

        def method(*args: Any, **kwargs: Any) -> Any:
            try:
                given = signature.bind(*args, **kwargs).arguments
            except TypeError as error:
                raise TypeError(f"{name}: {error}") from None
            return self._keep(given["self"], self.check(argument, given[argument]))

        method.__name__, method.__qualname__ = name, f"{owner.__qualname__}.{name}"
        method.__module__, method.__doc__ = owner.__module__, self.doc
        method.__signature__ = signature  # type: ignore[attr-defined]
        return method

    def _keep(self, owner: Any, value: Any) -> Any:
        raise NotImplementedError


class Setter(_Method):
    """A method of options, which changes them."""

    def __get__(self, options: Any, owner: Any = None) -> Callable[..., None]:
        raise AttributeError("a method takes this place")

    def _keep(self, owner: Any, value: Any) -> None:
        owner.values[self.key] = value


class Step(_Method):
    """A method of a builder, which returns the builder."""

    @overload
    def __get__(self, builder: None, owner: Any = None) -> Any: ...
    @overload
    def __get__(self, builder: B, owner: Any = None) -> Callable[..., B]: ...
    def __get__(self, builder: Any, owner: Any = None) -> Any:
        raise AttributeError("a method takes this place")

    def _keep(self, owner: Any, value: Any) -> Any:
        owner._options.values[self.key] = value
        return owner


class Option(NamedTuple):
    """An option that several methods set: its name, its check, its purpose.

    Examples
    --------
    >>> skip_rows = Option("skip_rows", at_least(0), "Pass over so many rows.")
    >>> class Options(ReaderOptions):
    ...     set_skip_rows = skip_rows.setter("val")
    >>> class Builder(OptionsBuilder[Options]):
    ...     skip_rows = skip_rows.step("skip_rows")
    """

    key: str
    check: Check
    doc: str

    def setter(self, argument: str) -> Setter:
        """Return a method of options whose argument has this name."""
        return Setter(self.key, argument, self.check, self.doc)

    def step(self, argument: str) -> Step:
        """Return a method of a builder whose argument has this name."""
        return Step(self.key, argument, self.check, self.doc)


class Options:
    """Options that were set, under the names that the reader or writer has for them."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}

    @classmethod
    def _of(cls, **values: Any) -> Self:
        """Return options that say what is read, or written where."""
        options = cls()
        options.values = values
        return options

    def copy(self) -> Self:
        """Return the same options, which may become others."""
        made = type(self)()
        made.values = dict(self.values)
        return made


class ReaderOptions(Options):
    """Options of a reader, which reads something."""

    def set_source(self, src: Any) -> None:
        """Read other files."""
        self.values["source"] = src


class OptionsBuilder(Generic[What]):
    """Makes options step by step."""

    def __init__(self, options: What | None = None) -> None:
        if options is None:
            raise TypeError(f"a {type(self).__name__} is made by `builder` of the options")
        self._options: What = options

    def build(self) -> What:
        """Return the options."""
        return self._options.copy()


def _of(kind: str, argument: str, value: Any) -> TypeError:
    return TypeError(f"`{argument}` is {value!r}; it is {kind}")


def only(*honoured: Any) -> Check:
    """Take these values, the first of which is as if nothing were said, and refuse the others by name."""

    def check(argument: str, value: Any) -> Any:
        for one in honoured:
            if value is one or (type(value) is type(one) and value == one):
                return value
        shown = " or ".join(map(repr, honoured))
        raise NotImplementedError(f"`{argument}` is {value!r}; only {shown} is honoured")

    return check


def flag(argument: str, value: Any) -> bool:
    """Take a truth value."""
    if not isinstance(value, bool):
        raise _of("True or False", argument, value)
    return value


def at_least(least: int) -> Check:
    """Take integers from ``least`` on."""

    def check(argument: str, value: Any) -> int:
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise _of("an integer", argument, value)
        if value < least:
            raise ValueError(f"`{argument}` is {value!r}; it is at least {least}")
        return int(value)

    return check


def or_all(argument: str, value: Any) -> int | None:
    """Take a number of rows, and -1 for all."""
    if value == -1 and not isinstance(value, bool):
        return None
    return at_least(0)(argument, value)


def text(argument: str, value: Any) -> str:
    """Take a text."""
    if not isinstance(value, str):
        raise _of("a text", argument, value)
    return value


def marks(argument: str, value: Any) -> str:
    """Take one character."""
    if not isinstance(value, str) or len(value) != 1:
        raise _of("one character", argument, value)
    return value


def texts(argument: str, value: Any) -> list[str]:
    """Take a list of texts."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise _of("a list of texts", argument, value)
    return [text(argument, one) for one in value]


def whole_numbers(argument: str, value: Any) -> list[int]:
    """Take a list of integers from 0 on."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise _of("a list of integers", argument, value)
    return [at_least(0)(argument, one) for one in value]


def lists_of_numbers(argument: str, value: Any) -> list[list[int]]:
    """Take a list of integers from 0 on for each file."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise TypeError(f"`{argument}` is {value!r}; it is a list for each file")
    return [whole_numbers(argument, own) for own in value]


def instance(kind: type[Any]) -> Check:
    """Take objects of a class."""

    def check(argument: str, value: Any) -> Any:
        if not isinstance(value, kind):
            raise TypeError(f"`{argument}` is a {type(value).__name__}, no {kind.__name__}")
        return value

    return check


def member(kind: type[Enum], *honoured: Any) -> Check:
    """Take members of an enumeration, all or these."""

    def check(argument: str, value: Any) -> Any:
        if not isinstance(value, kind):
            raise _of(f"of {kind.__name__}", argument, value)
        if honoured and value not in honoured:
            shown = ", ".join(one.name for one in honoured)
            raise NotImplementedError(f"`{argument}` is {value!r}; only {shown} are honoured")
        return value

    return check


# Options of readers of several formats.
COLUMNS = Option("columns", texts, "Read these columns, in that order.")
NUM_ROWS = Option("num_rows", or_all, "Read so many rows; -1 for all.")
SKIP_ROWS = Option("skip_rows", at_least(0), "Pass over so many rows.")
