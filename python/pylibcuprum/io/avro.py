"""Avro: `read_avro` and its options."""

from __future__ import annotations

from typing import Any

from cuprum._cuprum import Column, DataType, DeviceMemoryResource, Table, _io
from pylibcuprum.io.options import (
    COLUMNS,
    NUM_ROWS,
    SKIP_ROWS,
    OptionsBuilder,
    ReaderOptions,
)
from pylibcuprum.io.types import Read, SourceInfo, TableWithMetadata, read_all
from pylibcuprum.types import TypeId
from pylibcuprum.utils import CudaStreamLike

__all__ = ["AvroReaderOptions", "AvroReaderOptionsBuilder", "read_avro"]


class AvroReaderOptions(ReaderOptions):
    """Options of the Avro reader.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_avro()
    >>> options = AvroReaderOptions.builder(SourceInfo([file])).build()
    >>> options.set_columns(["b"])
    >>> read_avro(options).column_names()
    ['b']
    """

    set_columns = COLUMNS.setter("col_names")

    @staticmethod
    def builder(source: SourceInfo) -> AvroReaderOptionsBuilder:
        """Return a builder of options of the Avro reader.

        Parameters
        ----------
        source : SourceInfo
            File that is read.

        Returns
        -------
        AvroReaderOptionsBuilder
            Builder whose steps set options and whose ``build`` returns them.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2]}).to_avro()])
        >>> read_avro(AvroReaderOptions.builder(source).build()).columns[0].to_pylist()
        [1, 2]
        """
        return AvroReaderOptionsBuilder(AvroReaderOptions._of(source=source))


class AvroReaderOptionsBuilder(OptionsBuilder[AvroReaderOptions]):
    """Makes `AvroReaderOptions`.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2, 3]}).to_avro()])
    >>> options = AvroReaderOptions.builder(source).skip_rows(1).num_rows(1).build()
    >>> read_avro(options).columns[0].to_pylist()
    [2]
    """

    columns = COLUMNS.step("col_names")
    skip_rows = SKIP_ROWS.step("skip_rows")
    num_rows = NUM_ROWS.step("num_rows")


def read_avro(
    options: AvroReaderOptions, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> TableWithMetadata:
    """Read an Avro file.

    Parameters
    ----------
    options : AvroReaderOptions
        File, columns and rows that are read; all columns where none are named.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    TableWithMetadata
        Table with the names of its columns. Enumerations are texts, and so are bytes.

    Raises
    ------
    ValueError
        For bytes that are no UTF-8, which `cuprum.read_avro` reads as lists, and for a source that is no Avro file.
    NotImplementedError
        For several files.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, 2], "b": ["x", None]}).to_avro()
    >>> read = read_avro(AvroReaderOptions.builder(SourceInfo([file])).build())
    >>> read.column_names(), [column.to_pylist() for column in read.columns]
    (['a', 'b'], [[1, 2], ['x', None]])
    """
    values = options.values
    source = values["source"]._one("Avro")
    what = values.get("columns") or None, values.get("skip_rows", 0), values.get("num_rows")
    return read_all([source], lambda _, source: _with_texts(_io.read_avro(source, *what)), stream, mr)


def _with_texts(read: Read) -> Read:
    """Return what was read with texts in place of bytes."""
    table, names, pairs = read
    columns, made = [], []
    for column, (name, inside) in zip(table.columns(), names, strict=True):
        try:
            columns.append(_texts(column))
        except ValueError as error:
            raise ValueError(f"column {name!r} has bytes that are no UTF-8: {error}") from None
        made.append((name, _names(column, inside)))
    return Table(columns, table.num_rows()), made, pairs


def _is_bytes(column: Column) -> bool:
    return column.type().id() == TypeId.LIST and column.children()[1].type().id() == TypeId.UINT8


def _texts(column: Column) -> Column:
    """The column with texts for bytes, inside of others too."""
    if column.type().id() not in (TypeId.LIST, TypeId.STRUCT):
        return column
    offsets_and_values = column.children()
    data = column.data()
    of, parts = column.type(), [_texts(part) for part in offsets_and_values]
    if _is_bytes(column):
        offsets, values = offsets_and_values
        of, data, parts = DataType(TypeId.STRING), values.data(), [offsets]
    mask, nulls = column.null_mask(), column.null_count()
    return Column(of, column.size(), data, mask, nulls, column.offset(), parts)


def _names(column: Column, inside: list[Any]) -> list[Any]:
    """Return the names of the children of a column; texts have none."""
    if _is_bytes(column):
        return []
    return [(name, _names(part, own)) for part, (name, own) in zip(column.children(), inside, strict=False)]
