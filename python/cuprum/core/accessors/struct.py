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
        """Return the values of one field of the structs.

        Parameters
        ----------
        key : str or int
            The name of the field, or its position from 0.

        Returns
        -------
        Series
            The values, called as the field; missing where the struct is.

        Raises
        ------
        KeyError
            If there is no field of that name.
        IndexError
            If there is no field at that position.

        Examples
        --------
        >>> import cuprum
        >>> structs = cuprum.Series([{"a": 1, "b": "x"}, None])
        >>> structs.struct.field("a")
        0       1
        1    <NA>
        Name: a, dtype: int64
        >>> structs.struct.field(1).to_list()
        ['x', nan]
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
        """Return the fields of the structs as columns of a frame.

        Returns
        -------
        DataFrame
            A column for each field, under the row labels; missing where the struct is.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]).struct.explode()
           a  b
        0  1  x
        1  2  y
        """
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
        """Return the values of one field of the structs.

        Parameters
        ----------
        i : str
            The name of the field.

        Returns
        -------
        Series
            The values; all missing where there is no such field.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([{"a": 1}, {"a": 2}]).str.get("a").to_list()
        [1, 2]
        """
        if i in (self._series.dtype.fields or ()):
            return wrap_series(self._series._handle.struct_field(i).rename(self._series.name))
        return objects.Series(float("nan"), index=self._series.index, name=self._series.name)

    __getitem__ = get
