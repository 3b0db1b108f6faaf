"""Errors in pandas' classes, and the details that errors of the engine have beside their message."""

from __future__ import annotations

from typing import Any, TypeVar

__all__ = ["ClassesOfPandas", "detail_of", "has_detail", "in_class_of_pandas", "of_pandas", "with_detail"]

E = TypeVar("E", bound=BaseException)

# The class of pandas for what is wrong. It inherits from that of the error.
_CLASSES = {
    "EmptyData": "EmptyDataError",
    "FieldCount": "ParserError",
    "MergeKeys": "MergeError",
    "NotFinite": "IntCastingNaNError",
    "UndefinedName": "UndefinedVariableError",
    "UnterminatedField": "ParserError",
}


def detail_of(error: BaseException) -> tuple[Any, ...]:
    """Return the name and the values of what is wrong (``Detail`` of the engine), nothing for other errors."""
    detail: tuple[Any, ...] = getattr(error, "_cuprum_detail", ())
    return detail


def with_detail(error: E, *detail: Any) -> E:
    """Return an error after it was given the name and the values of what is wrong."""
    error._cuprum_detail = detail  # type: ignore[attr-defined]
    return error


def has_detail(error: BaseException, name: str) -> bool:
    """Whether something is wrong by its name."""
    return detail_of(error)[:1] == (name,)


def in_class_of_pandas(error: BaseException) -> BaseException:
    """Return an error with the same message in the class that pandas has for it, where it has one."""
    found = _CLASSES.get(*detail_of(error)[:1]) if detail_of(error) else None
    return error if found is None else of_pandas(found, str(error))


def of_pandas(name: str, text: str) -> Any:
    """Return an error of a class of pandas."""
    from pandas import errors

    # Some of pandas' classes write the message themselves.
    cls = getattr(errors, name)
    made = cls.__new__(cls)
    made.args = (text,)
    return made


class ClassesOfPandas:
    """A context whose errors have the classes of `in_class_of_pandas`."""

    __slots__ = ()

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is not None and (made := in_class_of_pandas(error)) is not error:
            raise made from None
