"""``Series.str`` of bytes, as ``str.encode`` returns them."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core.accessors.accessor import Accessor
from cuprum.core.arguments import only_default
from cuprum.core.devices import on_host
from cuprum.core.objects import wrap_series

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["BytesMethods"]


class BytesMethods(Accessor):
    """``series.str`` of bytes: texts, and lengths.

    Examples
    --------
    >>> from cuprum import Series
    >>> Series(["naïve"]).str.normalize("NFD").str.encode("ascii", "ignore").str.decode("ascii").to_list()
    ['naive']
    """

    __slots__ = ()

    def decode(self, encoding: str, errors: str = "strict", dtype: Any = None) -> Series:
        """Return bytes as texts in an encoding of Python; ``UnicodeDecodeError`` unless ``errors`` says otherwise."""
        only_default("str.decode", dtype=(None if dtype in ("str", str) else dtype, None))
        codecs.lookup(encoding)
        return self._one_by_one("decode", lambda data: data.decode(encoding, errors), "str")

    def len(self) -> Series:
        """Return the number of bytes."""
        return self._one_by_one("len", len, "int64")

    def get(self, i: int) -> Series:
        """Return the byte at a position as a number, counted from the end where negative; missing where there is none."""
        return self._one_by_one("get", lambda data: data[i] if -len(data) <= i < len(data) else None, "int64")

    def slice(self, start: int | None = None, stop: int | None = None, step: int | None = None) -> Series:
        """Return the bytes from a position to another."""
        return self._one_by_one("slice", lambda data: data[start:stop:step], None)

    def __getitem__(self, key: Any) -> Series:
        return self.slice(key.start, key.stop, key.step) if isinstance(key, slice) else self.get(key)

    def _one_by_one(self, method: str, function: Any, dtype: str | None) -> Series:
        series = on_host(self._series, f"str.{method}")
        elements = series._handle.column().to_pylist()
        made = [None if element is None else function(element) for element in elements]
        column = (
            _cuprum.Column.from_scalars(made)
            if dtype is None
            else _cuprum.Column.from_iterable_of_py(made, dtype)
        )
        return wrap_series(_cuprum.Series(column, series._handle.name(), series._handle.index()))
