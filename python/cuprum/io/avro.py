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
    """Read an Avro object container file into a DataFrame.

    Parameters
    ----------
    filepath_or_buffer : str, path, bytes or open file
        The file, or an address of the web or that fsspec opens.
    columns : list of str, optional
        The columns to read, by name, in that order; by default all.
    skiprows : int, optional
        How many rows to pass over.
    num_rows : int, optional
        How many rows to read then; by default all that are left.
    storage_options : dict, optional
        What fsspec is to know to open an address; on the web the texts are headers.
    **kwargs
        None are known: a ``TypeError``.

    Returns
    -------
    DataFrame
        The rows of the file. Row labels that `DataFrame.to_avro` wrote are restored.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    ValueError
        For a file that is cut short, damaged or no Avro, and a negative number of rows.
    KeyError
        For an unknown column.
    NotImplementedError
        For a type that there is no column of, another compression, and a block that unpacks to more than 256
        MiB.

    Notes
    -----
    Files are compressed by deflate, Snappy or Zstandard, or not. Enumerations are categories; a union is of
    ``null`` and one other type.

    Examples
    --------
    >>> import cuprum
    >>> file = cuprum.DataFrame({"a": [1, None], "b": list("xy")}).to_avro()
    >>> cuprum.read_avro(file)
          a  b
    0     1  x
    1  <NA>  y
    >>> cuprum.read_avro(file, columns=["b"], num_rows=1)
       b
    0  x
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
    """Write an Avro object container file.

    Parameters
    ----------
    path : str, path or open file, optional
        The file, or an address that fsspec opens; by default the bytes of the file are returned.
    index : bool, optional
        Whether row labels are written. By default they are columns of the file; ``0, 1, …`` is a note in it
        that `read_avro` reads.
    compression : {``'snappy'``, ``'deflate'``, ``'zstandard'``, ``'null'``, None}, default ``'snappy'``
        How blocks are compressed; None, as ``'null'``, is not at all.
    storage_options : dict, optional
        What fsspec is to know to open an address.
    **kwargs
        None are known: a ``TypeError``.

    Returns
    -------
    bytes or None
        The file where no ``path`` is given, else None.

    Raises
    ------
    NotImplementedError
        For what Avro has no type for, such as ``uint64`` and timedeltas, and for columns whose labels are no
        names of Avro (letters from A to Z, digits and ``_``, no digit at first).

    Notes
    -----
    Every value is in a union with ``null``. Integers of 8 and 16 bits are written as ``int``, ``uint32`` as
    ``long``, times in seconds as milliseconds, times of a zone in UTC. Categories are an enumeration where
    all of them are texts that Avro has as names, else their values.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"a": [1, None]}, index=["x", "y"])
    >>> cuprum.read_avro(frame.to_avro())
          a
    x     1
    y  <NA>
    >>> cuprum.read_avro(frame.to_avro(index=False, compression=None))
          a
    0     1
    1  <NA>
    """
    only_known("to_avro", kwargs)
    if index is not None:
        check_truth("index", index)

    def write(file: str) -> None:
        _cuprum.write_avro(self._handle, file, index, compression)

    return put(path, "path", write, storage_options=storage_options)
