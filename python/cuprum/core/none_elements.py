"""Frames and series whose missing elements were replaced by None: they are None where Python's objects are made of them.

A column has a type, and no type has None. So what `replace` gives remembers the columns in which all that is missing
is to be None, and gives None for them in lists, dicts, rows and arrays, and pandas columns of objects. Whatever is
computed of it is a plain frame or series.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core.dataframe import DataFrame
from cuprum.core.missing import is_missing
from cuprum.core.objects import wrap_series
from cuprum.core.series import Series

__all__ = ["becomes_none", "with_nones"]


def becomes_none(before: Any, after: Any, pairs: list[tuple[Any, Any]]) -> bool:
    """Whether all that is missing after pairs of old and new elements were replaced is so since it was replaced by None."""
    if not any(new is None for _, new in pairs) or not after.hasnans:
        return False
    return any(new is None and is_missing(old) for old, new in pairs) or not before.hasnans


def with_nones(made: Any, labels: list[Any]) -> Any:
    """Return a frame or series, which gives None for what is missing in columns with some labels from now on."""
    if not labels or type(made) not in (DataFrame, Series, FrameWithNones, SeriesWithNones):
        return made
    if isinstance(made, DataFrame):
        handle = made._handle
        own = zip(handle.labels(), handle.columns(), strict=True)
        made._nones = [(label, column) for label, column in own if label in labels]
        made.__class__ = FrameWithNones
    else:
        made._nones = [(None, made._handle.column())]
        made.__class__ = SeriesWithNones
    return made


def _elements(column: Column) -> list[Any]:
    return wrap_series(_cuprum.Series(column)).to_list()  # type: ignore[no-any-return]


def _array(elements: list[Any]) -> Any:
    import numpy as np

    array = np.empty(len(elements), dtype=object)
    array[:] = elements
    return array


class _WithNones:
    """Arrays of objects, in which some missing elements are None."""

    __slots__ = ()

    def _has_nones(self) -> bool:
        raise NotImplementedError

    def _objects(self) -> Any:
        raise NotImplementedError

    @property
    def values(self) -> Any:
        """The elements as an array of objects; see `DataFrame.values` and `Series.values`."""
        return self.to_numpy()

    def to_numpy(self, dtype: Any = None, copy: bool = False, na_value: Any = ...) -> Any:
        """Return the elements as a NumPy array of objects; see `DataFrame.to_numpy` and `Series.to_numpy`."""
        if dtype is not None or na_value is not ... or not self._has_nones():
            plain: Any = super()
            return plain.to_numpy(dtype, copy, na_value)
        return self._objects()


class SeriesWithNones(_WithNones, Series):
    """A series whose missing elements are None as objects."""

    __slots__ = ()

    def _has_nones(self) -> bool:
        handle = self._handle.rename(None).to_frame(0)
        return any(handle.has_column(0, column) for _, column in self._nones)

    def to_list(self) -> list[Any]:
        """Return the elements as Python objects; see `Series.to_list`."""
        column = self._handle.column()
        if not self._has_nones():
            return _elements(column)
        return [None if is_missing(element) else element for element in _elements(column)]

    tolist = to_list

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over pairs of label and element; see `Series.items`."""
        return zip(self.index.to_list(), self.to_list(), strict=True)

    def _objects(self) -> Any:
        return _array(self.to_list())

    def to_pandas(self, *, nullable: bool = False) -> Any:
        """Return a pandas Series of objects; see `Series.to_pandas`."""
        if nullable or not self._has_nones():
            return super().to_pandas(nullable=nullable)
        import pandas as pd

        return pd.Series(_array(self.to_list()), index=self.index.to_pandas(), name=self.name, dtype=object)

    def copy(self, deep: bool = True) -> Any:
        """Return a copy; see `Series.copy`."""
        made = super().copy(deep)
        return with_nones(made, [None]) if self._has_nones() else made


class FrameWithNones(_WithNones, DataFrame):
    """A frame in some of whose columns missing elements are None as objects."""

    __slots__ = ()

    def _none_labels(self) -> list[Any]:
        return [label for label, column in self._nones if self._handle.has_column(label, column)]

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if type(found) is Series:
            return with_nones(found, [None] if found.name in self._none_labels() and found.hasnans else [])
        if type(found) is DataFrame and found.shape[0] == len(self):
            return with_nones(found, [label for label in self._none_labels() if label in found.columns])
        return found

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over pairs of label and column; see `DataFrame.items`."""
        labels = self._none_labels()
        for label, column in super().items():
            yield label, with_nones(column, [None] if label in labels and column.hasnans else [])

    def _plain_rows(self) -> None:
        """None: elements are those of `items`."""

    def iterrows(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over pairs of label and row; see `DataFrame.iterrows`."""
        from cuprum.core.row import Row

        labels, names = self._handle.labels(), self._handle.level_names()
        parts = [column.to_list() for _, column in self.items()]
        for at, label in enumerate(self.index.to_list()):
            yield label, Row(labels, [part[at] for part in parts], label, names)

    def _has_nones(self) -> bool:
        return bool(self._none_labels())

    def _objects(self) -> Any:
        import numpy as np

        out = np.empty(self.shape, dtype=object)
        for at, (_, column) in enumerate(self.items()):
            out[:, at] = _array(column.to_list())
        return out

    def to_pandas(self, *, nullable: bool = False) -> Any:
        """Return a pandas DataFrame, with columns of objects; see `DataFrame.to_pandas`."""
        made, labels = super().to_pandas(nullable=nullable), self._none_labels()
        if nullable or not labels:
            return made
        for at, (label, column) in enumerate(self.items()):
            if label in labels:
                made.isetitem(at, column.to_pandas().set_axis(made.index))
        return made

    def copy(self, deep: bool = True) -> Any:
        """Return a copy; see `DataFrame.copy`."""
        return with_nones(super().copy(deep), self._none_labels())


# Messages and printing call them what they are for users.
for _class, _name in ((SeriesWithNones, "Series"), (FrameWithNones, "DataFrame")):
    _class.__name__ = _class.__qualname__ = _name
