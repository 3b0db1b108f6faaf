"""Texts as labels: the accessor `Index.str`."""

from __future__ import annotations

from typing import Any

from cuprum import _cuprum
from cuprum.core import objects

__all__ = ["IndexStringMethods"]


class IndexStringMethods:
    """Functions of the texts of an index; made by ``index.str``. See `cuprum.accessors.StringMethods`."""

    __slots__ = ("_index", "_methods")

    def __init__(self, index: Any) -> None:
        self._index = index
        self._methods = index._series().str

    def __getitem__(self, key: Any) -> Any:
        return self._labels(self._methods[key])

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._methods, name)
        return lambda *args, **kwargs: self._labels(method(*args, **kwargs))

    def __dir__(self) -> list[str]:
        return dir(self._methods)

    def extract(self, pat: Any, flags: int = 0, expand: bool = True) -> Any:
        """Return the groups of the first match of each label as a frame, or with ``expand=False`` one as labels."""
        found = self._methods.extract(pat, flags, expand)
        return found if isinstance(found, objects.DataFrame) else self._labels(found, [found.name])

    def extractall(self, pat: Any, flags: int = 0) -> Any:
        """Return the groups of all matches as a frame; see `Series.str.extractall`."""
        return self._methods.extractall(pat, flags)

    def cat(
        self, others: Any = None, sep: str | None = None, na_rep: str | None = None, join: str = "left"
    ) -> Any:
        """Return the labels joined with the texts of ``others``, or without these all labels as one text.

        Rows of a Series are matched to the labels. See `Series.str.cat`.
        """
        handle = self._index._handle
        labelled = objects.wrap_series(_cuprum.Series(self._index._column(), None, handle))
        return self._labels(labelled.str.cat(others, sep=sep, na_rep=na_rep, join=join))

    def get_dummies(self, sep: str = "|", dtype: Any = None) -> Any:
        """Return a level for every text between ``sep`` that tells which labels have it; see `Series.str.get_dummies`."""
        found = self._methods.get_dummies(sep, dtype)
        return self._labels(found, list(found.columns))

    def _labels(self, found: Any, names: list[Any] | None = None) -> Any:
        if isinstance(found, objects.DataFrame):
            columns = found._handle.columns()
            return objects.wrap_index(_cuprum.Index.from_columns(columns, names or [None] * len(columns)))
        if not isinstance(found, objects.Series):
            return found
        if found.dtype.kind == "b":
            return found.to_numpy()
        columns = [found._handle.column()]
        return objects.wrap_index(_cuprum.Index.from_columns(columns, names or self._index.names))
