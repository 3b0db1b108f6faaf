"""Texts that a delimiter cuts into rows: `read_text`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

from cuprum import _cuprum
from cuprum.core.arguments import check_truth, is_list_like
from cuprum.core.objects import wrap_series
from cuprum.io.encodings import undecodable
from cuprum.io.notebook_line import with_line
from cuprum.io.sources import one_source

if TYPE_CHECKING:
    from cuprum.core.series import Series
    from cuprum.typing import ReadSource, StorageOptions

__all__ = ["read_text"]


@with_line
def read_text(
    filepath_or_buffer: ReadSource,
    delimiter: str | None = None,
    byte_range: Any = None,
    strip_delimiters: bool = False,
    compression: Literal["bgzip"] | None = None,
    compression_offsets: Any = None,
    storage_options: StorageOptions | None = None,
) -> Series:
    """Read a text of UTF-8 as a Series of the pieces that end with a delimiter.

    Parameters
    ----------
    filepath_or_buffer : str, path, bytes or open file
        The file, or an address of the web or that fsspec opens.
    delimiter : str
        What ends a row, of one or more characters. At the end of the text it begins no further row.
    byte_range : tuple of int, optional
        An offset and a size: only rows that begin there are read.
    strip_delimiters : bool, default False
        Whether rows are without their delimiters.
    compression : {``'bgzip'``}, optional
        ``'bgzip'`` for a file in blocks of gzip, which has to be a path; ``byte_range`` counts in what is
        unpacked.
    compression_offsets : tuple of int, optional
        Two virtual offsets of BGZF, for a part of such a file.
    storage_options : dict, optional
        What fsspec is to know to open an address; on the web the texts are headers.

    Returns
    -------
    Series
        One row for each piece, labelled ``0, 1, …``.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    ValueError
        Where there is no ``delimiter``, and for an argument that is no UTF-8 or not packed as it is said to be.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.read_text(b"one--two--three", "--").to_list()
    ['one--', 'two--', 'three']
    >>> cuprum.read_text(b"one--two--", "--", strip_delimiters=True).to_list()
    ['one', 'two']
    """
    from pylibcuprum.io import text

    if delimiter is None:
        raise ValueError("delimiter needs to be provided")
    check_truth("strip_delimiters", strip_delimiters)
    if compression not in (None, "bgzip"):
        raise ValueError(f"`compression` is {compression!r}; known are None and 'bgzip'")
    if compression_offsets is not None and compression is None:
        raise ValueError("`compression_offsets` are of a file with `compression`='bgzip'")
    for name, pair in (("byte_range", byte_range), ("compression_offsets", compression_offsets)):
        if pair is not None and not (is_list_like(pair) and len(list(pair)) == 2):
            raise ValueError(f"`{name}` must be two integers, not {pair!r}")
    options = text.ParseOptions(
        byte_range=None if byte_range is None else tuple(byte_range), strip_delimiters=strip_delimiters
    )
    if compression is None:
        source = text.DataChunkSource("")
        found = one_source(filepath_or_buffer, "filepath_or_buffer", storage_options)
        source._bytes = found if isinstance(found, bytes) else _content(found)
    elif isinstance(filepath_or_buffer, (str, os.PathLike)):
        begin, end = (-1, -1) if compression_offsets is None else compression_offsets
        source = text.make_source_from_bgzip_file(os.fspath(filepath_or_buffer), begin, end)
    else:
        raise NotImplementedError(
            "read_text does not support `compression`='bgzip' of open files: name a path"
        )
    try:
        return wrap_series(_cuprum.Series(text.multibyte_split(source, delimiter, options)))
    except ValueError as error:
        raise undecodable(error, 'hand over an open file: open(path, encoding="latin-1")') from None


def _content(found: Any) -> bytes:
    """Return the bytes of a path, or of a file that was fetched."""
    if isinstance(found, tuple):
        return bytes(found[1])
    with open(found, "rb") as file:
        return file.read()
