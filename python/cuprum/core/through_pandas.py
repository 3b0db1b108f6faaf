"""Methods of pandas' own objects: plots, styles and formats that people read.

These are pandas' methods, with pandas' arguments, of the frame or the series as pandas has it. Each says by its own
error which package it lacks.
"""

from __future__ import annotations

import functools
from typing import Any

from cuprum.core.conversion import exact_to_pandas
from cuprum.core.error_classes import detail_of, has_detail
from cuprum.core.redaction import guarded

__all__ = ["OfPandas", "Pickled", "Written", "WrittenToStata"]


class OfPandas:
    """A method or an accessor of pandas, of what ``to_pandas`` gives."""

    _name: str

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self.__doc__ = f"pandas' ``{name}``, of the object as pandas has it."

    def __get__(self, obj: Any, kind: type | None = None) -> Any:
        if obj is None:
            return self
        found = getattr(self._in_pandas(obj), self._name)
        return functools.partial(guarded, found) if self._name.startswith("to_") else found

    def _in_pandas(self, obj: Any) -> Any:
        try:
            return obj.to_pandas()
        except OverflowError as error:
            if not has_detail(error, "InexactInteger"):
                raise
            _, value = detail_of(error)
            raise OverflowError(
                f"{self._name} takes integers beside missing elements as float64, and {value} has no exact one: cast the "
                "column to float64 or str"
            ) from None


class Written(OfPandas):
    """A method of pandas that writes: integers beside missing elements are no floats there."""

    def _in_pandas(self, obj: Any) -> Any:
        return exact_to_pandas(obj)


class WrittenToStata(Written):
    """The same of Stata, which has no integers beyond 32 bits: those that no float has raise ``OverflowError``."""

    def _in_pandas(self, obj: Any) -> Any:
        OfPandas._in_pandas(self, obj)
        return super()._in_pandas(obj)


class Pickled(OfPandas):
    """``to_pickle``: pandas' function of the object as it is here."""

    __doc__ = "pandas' ``to_pickle`` of the object itself."

    def __get__(self, obj: Any, kind: type | None = None) -> Any:
        if obj is None:
            return self
        import pandas

        return functools.partial(guarded, pandas.to_pickle, obj)
