"""Texts: files that a delimiter cuts into rows.

Examples
--------
>>> multibyte_split(make_source("a--b--c"), "--").to_pylist()
['a--', 'b--', 'c']
>>> multibyte_split(make_source("a--b--"), "--", ParseOptions(strip_delimiters=True)).to_pylist()
['a', 'b']
"""

from __future__ import annotations

import os
import zlib
from typing import Any

from cuprum._cuprum import Column, DeviceMemoryResource
from pylibcuprum.io.options import at_least, flag
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "ByteRangeInfo",
    "DataChunkSource",
    "ParseOptions",
    "make_source",
    "make_source_from_bgzip_file",
    "make_source_from_file",
    "multibyte_split",
]


class ByteRangeInfo:
    """A range of the bytes of a file.

    Parameters
    ----------
    offset : int
        First byte, 0 or more.
    size : int
        Number of bytes, 0 or more.

    Examples
    --------
    >>> part = ByteRangeInfo(2, 5)
    >>> part.offset, part.size
    (2, 5)
    """

    def __init__(self, offset: int, size: int) -> None:
        self._offset, self._size = at_least(0)("offset", offset), at_least(0)("size", size)

    @property
    def offset(self) -> int:
        """The first byte."""
        return self._offset

    @property
    def size(self) -> int:
        """The number of bytes."""
        return self._size


class ParseOptions:
    """Options of `multibyte_split`.

    Parameters
    ----------
    byte_range : tuple of int and int, optional
        First byte and number of bytes in which rows begin that are read; all by default.
    strip_delimiters : bool, default False
        Whether rows are without the delimiter at their end.

    Examples
    --------
    >>> options = ParseOptions(byte_range=(2, 4), strip_delimiters=True)
    >>> multibyte_split(make_source("a-b-c-d"), "-", options).to_pylist()
    ['b', 'c']
    """

    def __init__(self, *, byte_range: tuple[int, int] | None = None, strip_delimiters: bool = False) -> None:
        self.byte_range = None if byte_range is None else ByteRangeInfo(*byte_range)
        self.strip_delimiters = flag("strip_delimiters", strip_delimiters)


class DataChunkSource:
    """A text that `multibyte_split` reads.

    Parameters
    ----------
    data : str
        The text; `make_source_from_file` makes sources of files.

    Examples
    --------
    >>> multibyte_split(DataChunkSource("a;b"), ";").to_pylist()
    ['a;', 'b']
    """

    def __init__(self, data: str) -> None:
        if not isinstance(data, str):
            raise TypeError(f"`data` is a {type(data).__name__}; it is a text")
        self._bytes: bytes | None = data.encode()
        self._path = ""

    def _read(self) -> bytes:
        if self._bytes is not None:
            return self._bytes
        with open(self._path, "rb") as file:
            return file.read()


def make_source(data: str) -> DataChunkSource:
    """Return a text as a source for `multibyte_split`.

    Parameters
    ----------
    data : str
        The text.

    Returns
    -------
    DataChunkSource
        Source of the text.

    Raises
    ------
    TypeError
        For anything but a text.

    Examples
    --------
    >>> multibyte_split(make_source("a;b"), ";").to_pylist()
    ['a;', 'b']
    """
    return DataChunkSource(data)


def make_source_from_file(filename: str) -> DataChunkSource:
    """Return a file as a source for `multibyte_split`.

    Parameters
    ----------
    filename : str
        Path of a file of UTF-8.

    Returns
    -------
    DataChunkSource
        Source of the file, which is read when it is split.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(b"a;b")
    ...     file.flush()
    ...     rows = multibyte_split(make_source_from_file(file.name), ";")
    >>> rows.to_pylist()
    ['a;', 'b']
    """
    source = DataChunkSource("")
    source._bytes, source._path = None, os.fspath(filename)
    os.stat(source._path)
    return source


def make_source_from_bgzip_file(
    filename: str, virtual_begin: int = -1, virtual_end: int = -1
) -> DataChunkSource:
    """Return a file in blocks of gzip, or a part of it, as a source for `multibyte_split`.

    Parameters
    ----------
    filename : str
        Path of a file of BGZF.
    virtual_begin : int, default -1
        Virtual offset of the first byte; -1 for the begin of the file.
    virtual_end : int, default -1
        Virtual offset behind the last byte; -1 for the end of the file.

    Returns
    -------
    DataChunkSource
        Source of what the blocks hold.

    Raises
    ------
    ValueError
        For offsets that are not in the file or in the wrong order, and for a file that is none of gzip.

    Notes
    -----
    A virtual offset is where a block begins in the file times 65536, and where in that block.

    Examples
    --------
    >>> import gzip, tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(gzip.compress(b"a;b") + gzip.compress(b"c;d"))
    ...     file.flush()
    ...     source = make_source_from_bgzip_file(file.name, 2)
    >>> multibyte_split(source, ";").to_pylist()
    ['bc;', 'd']
    """
    begin, end = at_least(-1)("virtual_begin", virtual_begin), at_least(-1)("virtual_end", virtual_end)
    if begin >= 0 and end >= 0 and begin > end:
        raise ValueError(f"`virtual_begin` is {begin}, behind `virtual_end` {end}")
    with open(filename, "rb") as file:
        packed = file.read()
    begin = max(begin, 0)
    at, first = begin >> 16, begin & 0xFFFF
    last_block, last = (len(packed), 0) if end == -1 else (end >> 16, end & 0xFFFF)
    if max(at, last_block) > len(packed):
        raise ValueError(f"`virtual_begin` or `virtual_end` is behind the {len(packed)} bytes of {filename}")
    parts = []
    while at < last_block or (at == last_block and last):
        unpacker = zlib.decompressobj(wbits=31)
        try:
            block = unpacker.decompress(packed[at:])
        except zlib.error as error:
            raise ValueError(f"{filename}: byte {at}: {error}") from None
        if not unpacker.eof:
            raise ValueError(f"{filename}: byte {at}: the block is cut short")
        if max(first, last if at == last_block else 0) > len(block):
            raise ValueError(
                f"{filename}: byte {at}: the block has {len(block)} bytes, fewer than an offset says"
            )
        parts.append(block[first : last if at == last_block else None])
        if at == last_block:
            break
        first, at = 0, len(packed) - len(unpacker.unused_data)
    source = DataChunkSource("")
    source._bytes = b"".join(parts)
    return source


def multibyte_split(
    source: DataChunkSource,
    delimiter: str,
    options: ParseOptions | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the rows of a text that a delimiter cuts it into.

    Parameters
    ----------
    source : DataChunkSource
        Text, from `make_source` and its like.
    delimiter : str
        Text of at least one character that ends rows.
    options : ParseOptions, optional
        A range of bytes, and whether rows are without delimiters; see there for the defaults.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        STRING without nulls. Each row but the last one ends with the delimiter; one at the end of the text
        begins no further row.

    Raises
    ------
    ValueError
        For an empty delimiter.
    UnicodeDecodeError
        For a file that is not UTF-8.

    Examples
    --------
    >>> multibyte_split(make_source("a--b--c"), "--").to_pylist()
    ['a--', 'b--', 'c']

    >>> multibyte_split(make_source("a--b--"), "--", ParseOptions(strip_delimiters=True)).to_pylist()
    ['a', 'b']
    """
    if not isinstance(delimiter, str) or not delimiter:
        raise ValueError(f"`delimiter` is {delimiter!r}; it is a text of at least one character")
    options = options or ParseOptions()
    data, mark = source._read(), delimiter.encode()
    pieces = data.split(mark)
    # The last piece has no delimiter behind it.
    rows: list[tuple[int, bytes]] = []
    at = 0
    for number, piece in enumerate(pieces):
        is_last = number == len(pieces) - 1
        if not is_last or piece:
            rows.append((at, piece if is_last or options.strip_delimiters else piece + mark))
        at += len(piece) + len(mark)
    if options.byte_range is not None:
        start, stop = options.byte_range.offset, options.byte_range.offset + options.byte_range.size
        rows = [(at, row) for at, row in rows if start <= at < stop]
    return _column([row for _, row in rows], stream, mr)


def _column(rows: list[bytes], stream: CudaStreamLike | None, mr: DeviceMemoryResource | None) -> Column:
    from pylibcuprum.types import DataType, TypeId

    try:
        texts: list[Any] = [row.decode() for row in rows]
    except UnicodeDecodeError as error:
        error.reason = f"{error.reason}; `source` is not UTF-8"
        raise
    column = Column.from_iterable_of_py(texts, DataType(TypeId.STRING))
    return column if stream is None and mr is None else column.copy(stream, mr)
