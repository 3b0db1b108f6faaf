"""What pandas does with its own frame: plots, styles and formats that people read.

These are pandas' methods, with pandas' arguments, of the frame or the series as pandas has it. Each says by its own
error which package it lacks.
"""

from __future__ import annotations

from typing import Any

from cuprum.core.conversion import exact_to_pandas

__all__ = ["FrameThroughPandas", "SeriesThroughPandas"]


class _OfPandas:
    """A method or an accessor of pandas, of what ``to_pandas`` gives."""

    _name: str

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self.__doc__ = f"pandas' ``{name}``, of the object as pandas has it."

    def __get__(self, obj: Any, kind: type | None = None) -> Any:
        return self if obj is None else getattr(obj.to_pandas(), self._name)


class _Written(_OfPandas):
    """A method of pandas that writes: integers beside missing elements are no floats there."""

    def __get__(self, obj: Any, kind: type | None = None) -> Any:
        return self if obj is None else getattr(exact_to_pandas(obj), self._name)


class _WrittenToStata(_Written):
    """The same of Stata, which has no integers beyond 32 bits: those that no float has raise ``OverflowError``."""

    def __get__(self, obj: Any, kind: type | None = None) -> Any:
        if obj is not None:
            obj.to_pandas()
        return super().__get__(obj, kind)


class _Pickled:
    """``to_pickle``: pandas' function of the object as it is here."""

    __doc__ = "pandas' ``to_pickle`` of the object itself."

    def __get__(self, obj: Any, kind: type | None = None) -> Any:
        if obj is None:
            return self
        import functools

        import pandas

        return functools.partial(pandas.to_pickle, obj)


class _Both:
    __slots__ = ()

    to_pickle = _Pickled()

    plot = _OfPandas()
    hist = _OfPandas()
    to_markdown = _Written()
    to_latex = _Written()
    to_excel = _Written()
    to_clipboard = _Written()
    to_xarray = _OfPandas()
    to_sql = _Written()
    to_hdf = _OfPandas()


class SeriesThroughPandas(_Both):
    """What a series of pandas can do."""

    __slots__ = ()


class FrameThroughPandas(_Both):
    """What a frame of pandas can do."""

    __slots__ = ()

    style = _OfPandas()
    boxplot = _OfPandas()
    to_stata = _WrittenToStata()
    to_xml = _Written()
