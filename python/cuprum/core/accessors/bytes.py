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
        r"""Return bytes as texts.

        Parameters
        ----------
        encoding : str
            An encoding of Python, as ``"utf-8"``.
        errors : str, default ``"strict"``
            What becomes of bytes that it has not, as ``"ignore"`` and ``"replace"`` of Python.
        dtype : ``"str"`` or None, default None
            Accepted for compatibility with pandas; other types are refused.

        Returns
        -------
        Series
            Texts; missing for missing elements.

        Raises
        ------
        UnicodeDecodeError
            For bytes that are none of the encoding, with ``errors="strict"``.
        LookupError
            For an encoding that Python does not know.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([b"\xc3\xa4", None]).str.decode("utf-8")
        0      ä
        1    NaN
        dtype: str
        """
        only_default("str.decode", dtype=(None if dtype in ("str", str) else dtype, None))
        codecs.lookup(encoding)
        return self._one_by_one("decode", lambda data: data.decode(encoding, errors), "str")

    def len(self) -> Series:
        """Return the number of bytes of each element.

        Returns
        -------
        Series
            ``int64``; missing for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ä", None]).str.encode("utf-8").str.len()
        0       2
        1    <NA>
        dtype: int64
        """
        return self._one_by_one("len", len, "int64")

    def get(self, i: int) -> Series:
        """Return one byte of each element as a number.

        Parameters
        ----------
        i : int
            The position from 0; negative ones count from the end.

        Returns
        -------
        Series
            ``int64``; missing where there is no such byte.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([b"ab", b""]).str.get(0)
        0      97
        1    <NA>
        dtype: int64
        """
        return self._one_by_one("get", lambda data: data[i] if -len(data) <= i < len(data) else None, "int64")

    def slice(self, start: int | None = None, stop: int | None = None, step: int | None = None) -> Series:
        """Return some bytes of each element, as Python's slices do.

        Parameters
        ----------
        start : int, optional
            The first position; negative ones count from the end.
        stop : int, optional
            The position behind the last one.
        step : int, optional
            The distance of positions; backwards if negative.

        Returns
        -------
        Series
            Bytes; missing for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([b"abc", b"d"]).str.slice(1).to_list()
        [b'bc', b'']
        """
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
