"""Avro: `read_avro`, and what `to_avro` of frames calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, overload

from cuprum import _cuprum
from cuprum.core.arguments import check_truth, only_known
from cuprum.core.objects import wrap_frame
from cuprum.io.notebook_line import with_line
from cuprum.io.sources import one_source, put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.io.file_options import AvroWriteOptions
    from cuprum.typing import ReadSource, StorageOptions, WriteTarget

__all__ = ["read_avro", "to_avro"]


@with_line
def read_avro(
    filepath_or_buffer: ReadSource,
    columns: Sequence[str] | None = None,
    skiprows: int | None = None,
    num_rows: int | None = None,
    storage_options: StorageOptions | None = None,
    **kwargs: Any,
) -> DataFrame:
    """Read an Avro object container file; row labels that `to_avro` wrote are restored.

    Parameters
    ----------
    filepath_or_buffer
        A path, ``bytes``, an open file, or an address of the web or that fsspec opens.
    columns
        The columns to read, by name, in that order; all without it.
    skiprows, num_rows
        How many rows to pass over, and how many to read then.
    storage_options
        What fsspec is to know to open an address; texts are headers on the web.

    Compressed by deflate, Snappy or Zstandard, or not. Enumerations are categories; a union is of ``null`` and one
    other type. Raises ``FileNotFoundError``, ``ValueError`` for a file that is cut short, damaged or no Avro,
    ``KeyError`` for an unknown column, and ``NotImplementedError`` for a type that there is no column of, another
    compression, and a block that unpacks to more than 256 MiB.

    >>> import cuprum
    >>> file = cuprum.DataFrame({"a": [1, None], "b": list("xy")}).to_avro()
    >>> cuprum.read_avro(file)
          a  b
    0     1  x
    1  <NA>  y
    """
    only_known("read_avro", kwargs)
    for name, value in (("skiprows", skiprows), ("num_rows", num_rows)):
        if value is not None and (not hasattr(value, "__index__") or value < 0):
            raise ValueError(f"`{name}` must be an integer >= 0, not {value!r}")
    if columns is not None:
        columns = [str(label) for label in columns]
    source = one_source(filepath_or_buffer, "filepath_or_buffer", storage_options)
    return wrap_frame(_cuprum.read_avro(source, columns, skiprows or 0, num_rows))


@overload
def to_avro(self: DataFrame, path: None = ..., **options: Unpack[AvroWriteOptions]) -> bytes: ...
@overload
def to_avro(self: DataFrame, path: WriteTarget, **options: Unpack[AvroWriteOptions]) -> None: ...
@with_line
def to_avro(
    self: DataFrame,
    path: Any = None,
    *,
    index: bool | None = None,
    compression: str | None = "snappy",
    storage_options: Any = None,
    **kwargs: Any,
) -> bytes | None:
    """Write an Avro object container file to a path, an address or an open file.

    Its bytes are returned where none is given. ``compression`` is ``'snappy'``, ``'deflate'``, ``'zstandard'``,
    or None (also ``'null'``). Row labels are columns of the file, ``0, 1, …`` a note in it that `read_avro` reads;
    ``index=False`` leaves them out. ``storage_options`` is what fsspec is to know to open an address.

    Every value is in a union with ``null``. Integers of 8 and 16 bits are written as ``int``, ``uint32`` as
    ``long``, times in seconds as milliseconds, times of a zone in UTC. Categories are an enumeration where all of
    them are texts that Avro has as names (letters from A to Z, digits and ``_``, no digit at first), else their
    values. Raises ``NotImplementedError`` for what Avro has no type for, such as ``uint64`` and timedeltas, and for
    columns whose labels are no such names.
    """
    only_known("to_avro", kwargs)
    if index is not None:
        check_truth("index", index)

    def write(file: str) -> None:
        _cuprum.write_avro(self._handle, file, index, compression)

    return put(path, "path", write, storage_options=storage_options)
