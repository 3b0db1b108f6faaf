"""Declarations of options of readers and writers: one line each, from which their methods follow.

A class of options has the lines in its body, and so has its builder:

>>> class Options(ReaderOptions):
...     set_skip_rows = Setter("skip_rows", "skip_rows", at_least(0), "The number of rows passed over.")
>>> class Builder(OptionsBuilder[Options]):
...     num_rows = Step("num_rows", "num_rows", at_least(0), "The number of rows that are read.")
>>> options = Builder(Options()).num_rows(3).build()
>>> options.set_skip_rows(skip_rows=1)
>>> options.values
{'num_rows': 3, 'skip_rows': 1}

A value that is set is checked, and kept under the name that the reader or writer has for it. What is not set
is as the reader or writer has it. What cannot be honoured is declared with `only`, what several methods set
with `Option`.

The text of a declaration begins with the noun or with "Whether"; what is behind a semicolon is not in the
first line of the method's documentation. The rest of that comes from the check, of which `takes` says what it
takes:

>>> print(Builder.num_rows.__doc__)
Set the number of rows that are read.
<BLANKLINE>
Parameters
----------
num_rows : int
    The number of rows that are read. At least 0.
<BLANKLINE>
Returns
-------
Builder
    The builder itself.
"""

from __future__ import annotations

import inspect
import textwrap
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
    "takes",
    "text",
    "texts",
    "whole_numbers",
]

# The conversion of an argument, which gets the name of the argument and the value.
Check = Callable[[str, Any], Any]

B = TypeVar("B")
C = TypeVar("C", bound=Check)
What = TypeVar("What", bound="Options")


class Taken(NamedTuple):
    """What a check takes, for the documentation of methods: a type, values, an error for all others."""

    kind: str
    values: str = ""
    refusal: str = ""


_TAKEN: dict[Check, Taken] = {}


def takes(kind: str, values: str = "", refusal: str = "") -> Callable[[C], C]:
    """Return a decorator that says of a check what it takes.

    Parameters
    ----------
    kind : str
        The type of the argument.
    values : str, default ""
        A sentence about values that are taken.
    refusal : str, default ""
        The name of the error that other values of the type are.

    Returns
    -------
    callable
        Decorator that gives the check back.

    Examples
    --------
    >>> @takes("int", "An even number.")
    ... def even(argument: str, value: Any) -> int:
    ...     return int(value)
    >>> "half : int" in Setter("half", "half", even, "The half.")._documentation("")
    True
    """

    def marked(check: C) -> C:
        _TAKEN[check] = Taken(kind, values, refusal)
        return check

    return marked


class _Method:
    """A method that keeps the value of its one argument under a name.

    Parameters
    ----------
    key : str
        The name that the value is kept under.
    argument : str
        The name of the argument.
    check : callable
        What makes of the argument what is kept; `takes` has said what it takes.
    doc : str
        What the argument is: a sentence that "Set" can be put before.
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

        def keep(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            try:
                given = signature.bind(*args, **kwargs).arguments
            except TypeError as error:
                raise TypeError(f"{name}: {error}") from None
            return self._keep(given["self"], self.check(argument, given[argument]))

        method: Any = self._function(keep)
        method.__name__, method.__qualname__ = name, f"{owner.__qualname__}.{name}"
        method.__module__, method.__doc__ = owner.__module__, self._documentation(owner.__name__)
        method.__signature__ = signature
        return method

    def _documentation(self, owner: str) -> str:
        """The documentation of the method of a class of this name, in numpydoc's sections."""
        taken = _TAKEN[self.check]
        summary = self.doc.partition(";")[0].removesuffix(".")
        description = textwrap.fill(f"{self.doc} {taken.values}".strip(), 100)
        sections = [("Parameters", f"{self.argument} : {taken.kind}", description), *self._returned(owner)]
        if taken.refusal:
            sections.append(("Raises", taken.refusal, "For other values."))
        shown = (
            f"{title}\n{'-' * len(title)}\n{what}\n{textwrap.indent(text, '    ')}"
            for title, what, text in sections
        )
        return "\n\n".join([f"Set {summary[0].lower()}{summary[1:]}.", *shown])

    def _returned(self, owner: str) -> list[tuple[str, str, str]]:
        """The section about the result, if the method has one."""
        return []

    def _function(self, keep: Callable[..., Any]) -> Callable[..., Any]:
        raise NotImplementedError

    def _keep(self, owner: Any, value: Any) -> Any:
        raise NotImplementedError


class Setter(_Method):
    """A method of options, which changes them."""

    def __get__(self, options: Any, owner: Any = None) -> Callable[..., None]:
        raise AttributeError("a method takes this place")

    def _function(self, keep: Callable[..., Any]) -> Callable[..., Any]:
        def method(*args: Any, **kwargs: Any) -> None:
            keep(args, kwargs)

        return method

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

    def _returned(self, owner: str) -> list[tuple[str, str, str]]:
        # Builders of several formats have a private class in common.
        return [("Returns", "OptionsBuilder" if owner.startswith("_") else owner, "The builder itself.")]

    def _function(self, keep: Callable[..., Any]) -> Callable[..., Any]:
        def method(*args: Any, **kwargs: Any) -> Any:
            return keep(args, kwargs)

        return method

    def _keep(self, owner: Any, value: Any) -> Any:
        owner._options.values[self.key] = value
        return owner


class Option(NamedTuple):
    """An option that several methods set: its name, its check, its purpose.

    Examples
    --------
    >>> skip_rows = Option("skip_rows", at_least(0), "The number of rows that are passed over.")
    >>> class Options(ReaderOptions):
    ...     set_skip_rows = skip_rows.setter("val")
    >>> class Builder(OptionsBuilder[Options]):
    ...     skip_rows = skip_rows.step("skip_rows")
    """

    key: str
    check: Check
    doc: str

    def setter(self, argument: str) -> Setter:
        """Return a method of options that sets the option.

        Parameters
        ----------
        argument : str
            The name of the argument of the method.

        Returns
        -------
        Setter
            What a class of options has in its body.
        """
        return Setter(self.key, argument, self.check, self.doc)

    def step(self, argument: str) -> Step:
        """Return a method of a builder that sets the option.

        Parameters
        ----------
        argument : str
            The name of the argument of the method.

        Returns
        -------
        Step
            What a class of builders has in its body.
        """
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
        """Return options that are the same, and can be changed on their own.

        Returns
        -------
        Options
            Options of the same class.

        Examples
        --------
        >>> from pylibcuprum.io.csv import CsvReaderOptions
        >>> from pylibcuprum.io.types import SourceInfo
        >>> options = CsvReaderOptions.builder(SourceInfo([b"a;b\\n"])).build()
        >>> other = options.copy()
        >>> other.set_delimiter(";")
        >>> "sep" in options.values, "sep" in other.values
        (False, True)
        """
        made = type(self)()
        made.values = dict(self.values)
        return made


class ReaderOptions(Options):
    """Options of a reader, which reads something."""

    def set_source(self, src: Any) -> None:
        """Set the files that are read.

        Parameters
        ----------
        src : SourceInfo
            Files that stand in for those that the options were made with.

        Examples
        --------
        >>> from pylibcuprum.io.csv import CsvReaderOptions, read_csv
        >>> from pylibcuprum.io.types import SourceInfo
        >>> options = CsvReaderOptions.builder(SourceInfo([])).build()
        >>> options.set_source(SourceInfo([b"a\\n1\\n"]))
        >>> read_csv(options).columns[0].to_pylist()
        [1]
        """
        self.values["source"] = src


class OptionsBuilder(Generic[What]):
    """Makes options step by step."""

    def __init__(self, options: What | None = None) -> None:
        if options is None:
            raise TypeError(f"a {type(self).__name__} is made by `builder` of the options")
        self._options: What = options

    def build(self) -> What:
        """Return the options that were set so far.

        Returns
        -------
        Options
            Options of the builder's format, which further steps of the builder do not change.

        Examples
        --------
        >>> from pylibcuprum.io.csv import CsvReaderOptions, read_csv
        >>> from pylibcuprum.io.types import SourceInfo
        >>> options = CsvReaderOptions.builder(SourceInfo([b"a;b\\n1;2\\n"])).delimiter(";").build()
        >>> read_csv(options).column_names()
        ['a', 'b']
        """
        return self._options.copy()


def _of(kind: str, argument: str, value: Any) -> TypeError:
    return TypeError(f"`{argument}` is {value!r}; it is {kind}")


def only(*honoured: Any) -> Check:
    """Take these values, the first of which is as if nothing were said, and refuse the others by name."""
    shown_values = " or ".join(f"``{value!r}``" for value in honoured)

    @takes(type(honoured[0]).__name__, f"Only {shown_values} is taken.", "NotImplementedError")
    def check(argument: str, value: Any) -> Any:
        for one in honoured:
            if value is one or (type(value) is type(one) and value == one):
                return value
        shown = " or ".join(map(repr, honoured))
        raise NotImplementedError(f"`{argument}` is {value!r}; only {shown} is honoured")

    return check


@takes("bool")
def flag(argument: str, value: Any) -> bool:
    """Take a truth value."""
    if not isinstance(value, bool):
        raise _of("True or False", argument, value)
    return value


def at_least(least: int) -> Check:
    """Take integers from ``least`` on."""

    @takes("int", f"At least {least}.")
    def check(argument: str, value: Any) -> int:
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise _of("an integer", argument, value)
        if value < least:
            raise ValueError(f"`{argument}` is {value!r}; it is at least {least}")
        return int(value)

    return check


@takes("int")
def or_all(argument: str, value: Any) -> int | None:
    """Take a number of rows, and -1 for all."""
    if value == -1 and not isinstance(value, bool):
        return None
    return at_least(0)(argument, value)


@takes("str")
def text(argument: str, value: Any) -> str:
    """Take a text."""
    if not isinstance(value, str):
        raise _of("a text", argument, value)
    return value


@takes("str", "One character.")
def marks(argument: str, value: Any) -> str:
    """Take one character."""
    if not isinstance(value, str) or len(value) != 1:
        raise _of("one character", argument, value)
    return value


@takes("sequence of str")
def texts(argument: str, value: Any) -> list[str]:
    """Take a list of texts."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise _of("a list of texts", argument, value)
    return [text(argument, one) for one in value]


@takes("sequence of int")
def whole_numbers(argument: str, value: Any) -> list[int]:
    """Take a list of integers from 0 on."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise _of("a list of integers", argument, value)
    return [at_least(0)(argument, one) for one in value]


@takes("sequence of sequences of int")
def lists_of_numbers(argument: str, value: Any) -> list[list[int]]:
    """Take a list of integers from 0 on for each file."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise TypeError(f"`{argument}` is {value!r}; it is a list for each file")
    return [whole_numbers(argument, own) for own in value]


def instance(kind: type[Any]) -> Check:
    """Take objects of a class."""

    @takes(kind.__name__)
    def check(argument: str, value: Any) -> Any:
        if not isinstance(value, kind):
            raise TypeError(f"`{argument}` is a {type(value).__name__}, no {kind.__name__}")
        return value

    return check


def member(kind: type[Enum], *honoured: Any) -> Check:
    """Take members of an enumeration, all or these."""
    names = ", ".join(f"``{one.name}``" for one in honoured)

    @takes(kind.__name__, f"One of {names}." if honoured else "", "NotImplementedError" if honoured else "")
    def check(argument: str, value: Any) -> Any:
        if not isinstance(value, kind):
            raise _of(f"of {kind.__name__}", argument, value)
        if honoured and value not in honoured:
            shown = ", ".join(one.name for one in honoured)
            raise NotImplementedError(f"`{argument}` is {value!r}; only {shown} are honoured")
        return value

    return check


# Options of readers of several formats.
COLUMNS = Option(
    "columns", texts, "The names of the columns that are read; the result has them in this order."
)
NUM_ROWS = Option("num_rows", or_all, "The number of rows that are read; -1 for all.")
SKIP_ROWS = Option("skip_rows", at_least(0), "The number of rows that are passed over at the start.")
