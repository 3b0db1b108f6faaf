"""Errors in the classes that pandas has for them: what is caught by these is caught here."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["ClassesOfPandas", "in_class_of_pandas", "undefined"]

# What a message says, and the class of pandas for it, which inherits from that of the error.
_CLASSES = {
    ValueError: {
        "EmptyDataError": r"no columns to parse from file$",
        "ParserError": r" has \d+ fields, expected \d+$| does not end before the text does$|Too many columns specified",
        "IntCastingNaNError": r": -?(NaN|inf) is no integer$",
    },
    NameError: {"UndefinedVariableError": r" is not defined"},
}


def in_class_of_pandas(error: BaseException) -> BaseException:
    """Return an error with the same message in the class that pandas has for it, where it has one."""
    for name, message in _CLASSES.get(type(error), {}).items():
        if re.search(message, str(error)):
            return _made(name, str(error))
    return error


def undefined(text: str) -> NameError:
    """Return the error for a name in a formula that stands for nothing."""
    made: NameError = _made("UndefinedVariableError", text)
    return made


def _made(name: str, text: str) -> Any:
    from pandas import errors

    # Some of pandas' classes write the message themselves.
    cls = getattr(errors, name)
    made = cls.__new__(cls)
    made.args = (text,)
    return made


class ClassesOfPandas:
    """What raises within has the classes of `in_class_of_pandas`."""

    __slots__ = ()

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is not None and (made := in_class_of_pandas(error)) is not error:
            raise made from None
