"""``Series.struct``: the fields of structs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.core import objects
from cuprum.core.accessors.accessor import Accessor
from cuprum.core.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series

__all__ = ["FieldsOfStructs", "StructAccessor"]


class StructAccessor(Accessor):
    """Functions of structs; made by ``series.struct``."""

    __slots__ = ()

    def __init__(self, series: Series) -> None:
        if series.dtype.fields is None:
            raise AttributeError("Can only use .struct accessor with a 'struct' dtype")
        self._series = series

    def field(self, key: Any) -> Series:
        """Return the values of the field called ``key``, or at that position; missing where the struct is.

        ``KeyError`` where there is no field of that name, ``IndexError`` for a position.
        """
        fields = self._series.dtype.fields
        assert fields is not None
        if isinstance(key, str):
            if key not in fields:
                raise KeyError(
                    f"Field '{key}' is not found in the set of existing keys: {', '.join(fields)}."
                )
            return wrap_series(self._series._handle.struct_field(key))
        if isinstance(key, bool) or not isinstance(key, int):
            raise TypeError(f"`key` is {key!r}, neither a name nor a position")
        if not 0 <= key < len(fields):
            raise IndexError(f"Index {key} is out of range for {len(fields)} fields")
        return wrap_series(self._series._handle.struct_field_at(key))

    def explode(self) -> DataFrame:
        """Return a frame with a column for every field."""
        return wrap_frame(self._series._handle.struct_explode())

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]


class FieldsOfStructs(Accessor):
    """``series.str`` of structs, whose elements are dicts: the values under a name.

    Examples
    --------
    >>> from cuprum import Series
    >>> Series([{"a": 1}, {"a": 2}]).str["a"].to_list()
    [1, 2]
    """

    __slots__ = ()

    def get(self, i: Any) -> Series:
        """Return the values of the field ``i``; all missing where there is no such field."""
        if i in (self._series.dtype.fields or ()):
            return wrap_series(self._series._handle.struct_field(i).rename(self._series.name))
        return objects.Series(float("nan"), index=self._series.index, name=self._series.name)

    __getitem__ = get
