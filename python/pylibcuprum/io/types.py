"""Sources and sinks of files, tables with the names of their columns, and enumerations of options.

Examples
--------
>>> from pylibcuprum.column import Column
>>> table = Table([Column.from_iterable_of_py([1, 2])])
>>> TableWithMetadata(table, [("a", [])]).column_names()
['a']
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any, Self

from cuprum._cuprum import Column, DataType, DeviceMemoryResource, Table, gpumemoryview
from cuprum.io.open_files import write_all
from cuprum.io.sources import Source, all_sources, put
from pylibcuprum.interop import ColumnMetadata
from pylibcuprum.io.datasource import Datasource
from pylibcuprum.span import Span, is_span
from pylibcuprum.types import TypeId
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "ColumnEncoding",
    "ColumnInMetadata",
    "CompressionType",
    "DictionaryPolicy",
    "FilepathSource",
    "JSONRecoveryMode",
    "PartitionInfo",
    "QuoteStyle",
    "SinkInfo",
    "SourceInfo",
    "StatisticsFreq",
    "TableInputMetadata",
    "TableWithMetadata",
]


class JSONRecoveryMode(IntEnum):
    """The treatment of lines that are not JSON."""

    FAIL = 0
    RECOVER_WITH_NULL = 1


class CompressionType(IntEnum):
    """Compressions of files."""

    NONE = 0
    AUTO = 1
    SNAPPY = 2
    GZIP = 3
    BZIP2 = 4
    BROTLI = 5
    ZIP = 6
    XZ = 7
    ZLIB = 8
    LZ4 = 9
    LZO = 10
    ZSTD = 11


class ColumnEncoding(IntEnum):
    """Encodings of a column's values: the first ones of Parquet, the last three of ORC."""

    USE_DEFAULT = -1
    DICTIONARY = 0
    PLAIN = 1
    DELTA_BINARY_PACKED = 2
    DELTA_LENGTH_BYTE_ARRAY = 3
    DELTA_BYTE_ARRAY = 4
    BYTE_STREAM_SPLIT = 5
    DIRECT = 6
    DIRECT_V2 = 7
    DICTIONARY_V2 = 8


class DictionaryPolicy(IntEnum):
    """When values are written as a dictionary."""

    NEVER = 0
    ADAPTIVE = 1
    ALWAYS = 2


class StatisticsFreq(IntEnum):
    """Of what least and greatest values are written."""

    STATISTICS_NONE = 0
    STATISTICS_ROWGROUP = 1
    STATISTICS_PAGE = 2
    STATISTICS_COLUMN = 3


class QuoteStyle(IntEnum):
    """Quoting of CSV fields."""

    MINIMAL = 0
    ALL = 1
    NONNUMERIC = 2
    NONE = 3


class PartitionInfo:
    """Rows of a table that one of several files gets.

    Parameters
    ----------
    start_row : int
        First row, 0 or more.
    num_rows : int
        Number of rows, 0 or more.

    Examples
    --------
    >>> part = PartitionInfo(2, 5)
    >>> part.start_row, part.num_rows
    (2, 5)
    """

    def __init__(self, start_row: int, num_rows: int) -> None:
        for name, value in (("start_row", start_row), ("num_rows", num_rows)):
            if isinstance(value, bool) or not hasattr(value, "__index__") or value < 0:
                raise ValueError(f"`{name}` is {value!r}; it is an integer >= 0")
        self.start_row, self.num_rows = int(start_row), int(num_rows)


class FilepathSource:
    """A path, and the size of the file where that is known.

    Parameters
    ----------
    path : str or path-like
        Path of the file.
    size : int, optional
        Number of bytes of the file.

    Examples
    --------
    >>> source = FilepathSource("a.csv", 12)
    >>> source.path, source.size
    ('a.csv', 12)
    """

    def __init__(self, path: str | os.PathLike[Any], size: int | None = None) -> None:
        if size is not None and (isinstance(size, bool) or not hasattr(size, "__index__") or size < 0):
            raise ValueError(f"`size` is {size!r}; it is an integer >= 0")
        self.path, self.size = os.fspath(path), size


_SPANS = "spans"


def _kind(source: Any) -> str:
    if isinstance(source, FilepathSource):
        return "FilepathSource"
    if isinstance(source, Datasource):
        return "Datasource"
    if isinstance(source, (str, os.PathLike)):
        return "paths"
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "bytes"
    if hasattr(source, "read"):
        return "open files"
    if is_span(source):
        return _SPANS
    raise ValueError(f"`sources` has a {type(source).__name__}; it has paths, bytes, open files or spans")


def _bytes_at(span: Span) -> bytes:
    """A copy of the bytes of a span, whatever device they are on."""
    view = gpumemoryview(span)
    column = Column(DataType(TypeId.UINT8), view.size, view, None, 0, 0, [])
    data: Any = column.to_host().data()
    return b"" if data is None else bytes(memoryview(data))


class SourceInfo:
    """Files to read.

    They are paths and addresses, ``bytes``, open files, `FilepathSource`, `Datasource`, or `Span` of bytes.
    Open files are read from where they are on, but a ``BytesIO`` is all that it holds. An empty list stands
    for a source that is set later (``set_source`` of options); nothing is read from it.

    Parameters
    ----------
    sources : sequence
        Sources of one kind; a ValueError for several kinds, and for what is none of these.

    Examples
    --------
    >>> from pylibcuprum.io.csv import CsvReaderOptions, read_csv
    >>> source = SourceInfo([b"a\\n1\\n2\\n"])
    >>> read_csv(CsvReaderOptions.builder(source).build()).columns[0].to_pylist()
    [1, 2]
    """

    def __init__(self, sources: Sequence[Any]) -> None:
        if isinstance(sources, (str, bytes)) or not isinstance(sources, Sequence):
            raise TypeError(f"`sources` is a {type(sources).__name__}; it is a list of sources")
        kinds = dict.fromkeys(map(_kind, sources))
        if len(kinds) > 1:
            raise ValueError(f"All sources must be of the same type: there are {' and '.join(kinds)}")
        self._sources = list(sources)

    @staticmethod
    def _is_remote_uri(path: str | os.PathLike[Any]) -> bool:
        """Whether a path is an address."""
        text = os.fspath(path)
        return isinstance(text, str) and "://" in text and not text.startswith("file://")

    def _all(self) -> list[Source]:
        """The sources as readers take them."""

        def one(source: Any) -> Any:
            if isinstance(source, FilepathSource):
                return source.path
            if isinstance(source, Datasource):
                return source.read()
            if isinstance(source, io.BytesIO):
                return source.getvalue()
            return _bytes_at(source) if _kind(source) == _SPANS else source

        if not self._sources:
            raise ValueError("`source` names no files")
        return [read for source in self._sources for read in all_sources(one(source), "sources")]

    def _one(self, what: str) -> Source:
        """The only source."""
        sources = self._all()
        if len(sources) != 1:
            raise NotImplementedError(f"`source` has {len(sources)} files; one {what} file is read")
        return sources[0]


class SinkInfo:
    """Targets of a writer: paths, addresses, or open files of bytes or texts.

    Parameters
    ----------
    sinks : sequence
        At least one target.

    Examples
    --------
    >>> from pylibcuprum.io.csv import CsvWriterOptions, write_csv
    >>> file = io.StringIO()
    >>> table = Table([Column.from_iterable_of_py([1, 2])])
    >>> write_csv(CsvWriterOptions.builder(SinkInfo([file]), table).build())
    >>> file.getvalue()
    '0\\n1\\n2\\n'
    """

    def __init__(self, sinks: Sequence[Any]) -> None:
        if isinstance(sinks, (str, bytes)) or not isinstance(sinks, Sequence):
            raise TypeError(f"`sinks` is a {type(sinks).__name__}; it is a list of sinks")
        if not sinks:
            raise ValueError("`sinks` is empty; it names at least one file")
        for sink in sinks:
            if not isinstance(sink, (str, os.PathLike)) and not hasattr(sink, "write"):
                raise TypeError(f"`sinks` has a {type(sink).__name__}; it has paths and open files")
        self._sinks = list(sinks)

    def _one(self, what: str) -> Any:
        if len(self._sinks) != 1:
            raise NotImplementedError(f"`sink` has {len(self._sinks)} files; one {what} file is written")
        return self._sinks[0]


def put_into(sink: Any, write: Callable[[str], Any], *, is_text: bool = False) -> None:
    """Have ``write`` write a path, which is the sink or is sent there; to a file of texts as a text."""
    if is_text and isinstance(sink, io.TextIOBase):
        data = put(None, "sink", write)
        write_all(sink, (data or b"").decode())
        return
    put(sink, "sink", write)


class ColumnInMetadata:
    """Options of a written column and its children; the methods ``set_…`` return the object.

    Parameters
    ----------
    name : str, default ""
        Name of the column; an empty one stands for its number.
    children : sequence of ColumnInMetadata, default ()
        Options of the fields of a struct, or of offsets and elements of a list.

    Examples
    --------
    >>> ColumnInMetadata().set_name("a").set_skip_compression(True).get_name()
    'a'
    """

    def __init__(self, name: str = "", children: Sequence[ColumnInMetadata] = ()) -> None:
        self._name = name
        self._children = list(children)
        self._precision: int | None = None
        self._encoding = ColumnEncoding.USE_DEFAULT
        self._skips_compression = False

    def get_name(self) -> str:
        """Return the name of the column.

        Returns
        -------
        str
            The name; an empty one where none was set.

        Examples
        --------
        >>> ColumnInMetadata("a").get_name()
        'a'
        """
        return self._name

    def set_name(self, name: str) -> Self:
        """Set the name of the column, or of the field of a struct.

        Parameters
        ----------
        name : str
            The name.

        Returns
        -------
        ColumnInMetadata
            The object itself.

        Raises
        ------
        TypeError
            For anything but a text.

        Examples
        --------
        >>> ColumnInMetadata().set_name("a").get_name()
        'a'
        """
        if not isinstance(name, str):
            raise TypeError(f"`name` is {name!r}; it is a text")
        self._name = name
        return self

    def child(self, i: int) -> ColumnInMetadata:
        """Return the options of a child of the column.

        Parameters
        ----------
        i : int
            Number of a field of a struct; offsets (0) or elements (1) of lists.

        Returns
        -------
        ColumnInMetadata
            Options, which can be changed.

        Raises
        ------
        IndexError
            For a child that there is not.

        Examples
        --------
        >>> table = Table([Column.from_iterable_of_py([{"x": 1}])])
        >>> metadata = TableInputMetadata(table)
        >>> metadata.column_metadata[0].child(0).set_name("x").get_name()
        'x'
        """
        if not 0 <= i < len(self._children):
            raise IndexError(f"`i` is {i}; there are {len(self._children)} children")
        return self._children[i]

    def set_nullability(self, nullable: bool) -> Self:
        """Set whether the column may have nulls, which columns always may.

        Parameters
        ----------
        nullable : bool
            Only True is taken.

        Returns
        -------
        ColumnInMetadata
            The object itself.

        Raises
        ------
        NotImplementedError
            For other values.

        Examples
        --------
        >>> ColumnInMetadata("a").set_nullability(True).get_name()
        'a'
        """
        return self._refused("nullable", nullable, True)

    def set_list_column_as_map(self) -> Self:
        """Set that lists of structs are maps, which is refused.

        Raises
        ------
        NotImplementedError
            In any case: maps are written as lists of structs.

        Examples
        --------
        >>> ColumnInMetadata("a").set_list_column_as_map()
        Traceback (most recent call last):
            ...
        NotImplementedError: `set_list_column_as_map`: maps are written as lists of structs
        """
        raise NotImplementedError("`set_list_column_as_map`: maps are written as lists of structs")

    def set_int96_timestamps(self, req: bool) -> Self:
        """Set whether timestamps are of the old kind of 96 bits, which are not written.

        Parameters
        ----------
        req : bool
            Only False is taken.

        Returns
        -------
        ColumnInMetadata
            The object itself.

        Raises
        ------
        NotImplementedError
            For other values.

        Examples
        --------
        >>> ColumnInMetadata("a").set_int96_timestamps(False).get_name()
        'a'
        """
        return self._refused("req", req, False)

    def set_decimal_precision(self, precision: int) -> Self:
        """Set the number of digits of decimals.

        Parameters
        ----------
        precision : int
            1 to 38.

        Returns
        -------
        ColumnInMetadata
            The object itself.

        Raises
        ------
        ValueError
            For another number.

        Examples
        --------
        >>> ColumnInMetadata("price").set_decimal_precision(10).get_name()
        'price'
        """
        if isinstance(precision, bool) or not hasattr(precision, "__index__") or not 1 <= precision <= 38:
            raise ValueError(f"`precision` is {precision!r}; it is 1 to 38")
        self._precision = int(precision)
        return self

    def set_output_as_binary(self, binary: bool) -> Self:
        """Set whether texts are written as bytes, which they are not.

        Parameters
        ----------
        binary : bool
            Only False is taken.

        Returns
        -------
        ColumnInMetadata
            The object itself.

        Raises
        ------
        NotImplementedError
            For other values.

        Examples
        --------
        >>> ColumnInMetadata("a").set_output_as_binary(False).get_name()
        'a'
        """
        return self._refused("binary", binary, False)

    def set_type_length(self, type_length: int) -> Self:
        """Set the number of bytes of values of a fixed length, which are not written.

        Parameters
        ----------
        type_length : int
            Only 0 is taken.

        Returns
        -------
        ColumnInMetadata
            The object itself.

        Raises
        ------
        NotImplementedError
            For other values.

        Examples
        --------
        >>> ColumnInMetadata("a").set_type_length(0).get_name()
        'a'
        """
        return self._refused("type_length", type_length, 0)

    def set_skip_compression(self, skip: bool) -> Self:
        """Set whether the column is not compressed in Parquet.

        Parameters
        ----------
        skip : bool
            Whether it stays as it is.

        Returns
        -------
        ColumnInMetadata
            The object itself.

        Raises
        ------
        TypeError
            For anything but True and False.

        Examples
        --------
        >>> ColumnInMetadata("a").set_skip_compression(True).get_name()
        'a'
        """
        if not isinstance(skip, bool):
            raise TypeError(f"`skip` is {skip!r}; it is True or False")
        self._skips_compression = skip
        return self

    def set_encoding(self, encoding: ColumnEncoding) -> Self:
        """Set the encoding of values in Parquet.

        Parameters
        ----------
        encoding : ColumnEncoding
            One of Parquet's encodings, or ``USE_DEFAULT``.

        Returns
        -------
        ColumnInMetadata
            The object itself.

        Raises
        ------
        TypeError
            For anything but a ColumnEncoding.
        NotImplementedError
            For the encodings of ORC, which the writer chooses.

        Examples
        --------
        >>> ColumnInMetadata("a").set_encoding(ColumnEncoding.DELTA_BINARY_PACKED).get_name()
        'a'
        """
        if not isinstance(encoding, ColumnEncoding):
            raise TypeError(f"`encoding` is {encoding!r}; it is of ColumnEncoding")
        if encoding >= ColumnEncoding.DIRECT:
            raise NotImplementedError(f"`encoding` is {encoding!r}; ORC's encodings are chosen by the writer")
        self._encoding = encoding
        return self

    def _refused(self, argument: str, value: Any, neutral: Any) -> Self:
        if value is not neutral and value != neutral:
            raise NotImplementedError(f"`{argument}` is {value!r}; only {neutral!r} is honoured")
        return self

    def _as_metadata(self, column: Column, number: int, *, zone: str = "") -> ColumnMetadata:
        """Metadata of the column for Arrow."""
        identifier, children = column.type().id(), column.children()
        inside: list[ColumnMetadata] = []
        if identifier == TypeId.LIST:
            own = self._child_or_none(1)
            inside = [ColumnMetadata("offsets"), own._as_metadata(children[1], -1, zone=zone)]
        elif identifier == TypeId.STRUCT:
            inside = [
                self._child_or_none(i)._as_metadata(child, i, zone=zone) for i, child in enumerate(children)
            ]
        is_time = TypeId.TIMESTAMP_SECONDS <= identifier <= TypeId.TIMESTAMP_NANOSECONDS
        name = self._name or ("element" if number < 0 else str(number))
        return ColumnMetadata(name, zone if is_time else "", self._precision, inside)

    def _child_or_none(self, i: int) -> ColumnInMetadata:
        return self._children[i] if i < len(self._children) else ColumnInMetadata()


def _described(column: Column) -> ColumnInMetadata:
    return ColumnInMetadata("", [_described(child) for child in column.children()])


class TableInputMetadata:
    """Options of the written columns of a table, above all their names.

    Parameters
    ----------
    table : Table
        Table that is written.

    Examples
    --------
    >>> table = Table([Column.from_iterable_of_py([1]), Column.from_iterable_of_py(["x"])])
    >>> metadata = TableInputMetadata(table)
    >>> for column, name in zip(metadata.column_metadata, ["a", "b"], strict=True):
    ...     _ = column.set_name(name)
    >>> metadata.column_metadata[1].get_name()
    'b'
    """

    def __init__(self, table: Table) -> None:
        self._columns = [_described(column) for column in table.columns()]

    @property
    def column_metadata(self) -> list[ColumnInMetadata]:
        """The options of each column."""
        return self._columns


def input_metadata(metadata: TableInputMetadata | None, table: Table) -> list[ColumnInMetadata]:
    """Return what is said of each column of a table; nothing without ``metadata``."""
    if metadata is None:
        return TableInputMetadata(table)._columns
    if not isinstance(metadata, TableInputMetadata):
        raise TypeError(f"`metadata` is a {type(metadata).__name__}, no TableInputMetadata")
    if len(metadata._columns) != table.num_columns():
        raise ValueError(
            f"`metadata` describes {len(metadata._columns)} columns of a table of {table.num_columns()}"
        )
    return metadata._columns


def _as_names(names: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    return {name: _as_names(children) for name, children in names}


class TableWithMetadata:
    """A table with the names of its columns, and what the file says that it was read from.

    Parameters
    ----------
    tbl : Table
        The table.
    column_names : sequence of tuple
        Pairs of the name of a column and a list of such pairs for its children.

    Examples
    --------
    >>> table = Table([Column.from_iterable_of_py([1, 2])])
    >>> TableWithMetadata(table, [("a", [])]).column_names()
    ['a']
    """

    def __init__(self, tbl: Table, column_names: Sequence[tuple[str, Any]]) -> None:
        if len(column_names) != tbl.num_columns():
            raise ValueError(
                f"`column_names` has {len(column_names)} names for a table of {tbl.num_columns()} columns"
            )
        self.tbl = tbl
        self._names = list(column_names)
        self._user_data: list[Mapping[bytes, bytes]] = []
        self._rows: list[int] = []
        self._row_groups = 0

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the table."""
        return self.tbl.columns()

    def column_names(self, include_children: bool = False) -> list[Any]:
        """Return the names of the columns.

        Parameters
        ----------
        include_children : bool, default False
            Whether the names of children are returned with those of their columns.

        Returns
        -------
        list
            Names, or pairs of a name and a list of such pairs.

        Examples
        --------
        >>> from pylibcuprum.io.types import SourceInfo
        >>> from pylibcuprum.io.json import JsonReaderOptions, read_json
        >>> read = read_json(JsonReaderOptions.builder(SourceInfo([b'[{"a": {"x": 1}}]'])).build())
        >>> read.column_names(), read.column_names(include_children=True)
        (['a'], [('a', [('x', [])])])
        """
        return list(self._names) if include_children else [name for name, _ in self._names]

    @property
    def child_names(self) -> dict[str, Any]:
        """The names of the columns and, below them, of their children."""
        return _as_names(self._names)

    @property
    def per_file_user_data(self) -> list[Mapping[bytes, bytes]]:
        """The key-value metadata of each file."""
        return self._user_data

    @property
    def num_rows_per_source(self) -> list[int]:
        """The number of rows of each file; an empty list where a filter removed some."""
        return self._rows

    @property
    def num_input_row_groups(self) -> int:
        """The number of row groups of the Parquet files."""
        return self._row_groups

    @property
    def num_row_groups_after_stats_filter(self) -> int | None:
        """Always None: what statistics rule out is not counted."""
        return None

    @property
    def num_row_groups_after_bloom_filter(self) -> int | None:
        """Always None: what bloom filters rule out is not counted."""
        return None


# A table, the names of its columns, and what the file says, as the extension reads them.
Read = tuple[Table, list[Any], list[tuple[str, str]]]


def read_all(
    sources: Sequence[Source],
    read: Callable[[int, Source], Read],
    stream: CudaStreamLike | None,
    mr: DeviceMemoryResource | None,
) -> TableWithMetadata:
    """Return the rows of several files below each other; they have columns of the same names and types."""
    from cuprum.io.sources import name_of
    from pylibcuprum.concatenate import concatenate

    parts = [read(number, source) for number, source in enumerate(sources)]
    first, names, _ = parts[0]
    for (other, own, _), source in zip(parts[1:], sources[1:], strict=True):
        if own != names:
            raise ValueError(
                f"{name_of(source)} has the columns {[name for name, _ in own]}, but {name_of(sources[0])} has "
                f"{[name for name, _ in names]}"
            )
        for (name, _), a, b in zip(names, first.columns(), other.columns(), strict=True):
            if a.type() != b.type():
                raise ValueError(
                    f"column {name!r} is {b.type()} in {name_of(source)}, but {a.type()} in {name_of(sources[0])}"
                )
    table = first if len(parts) == 1 else concatenate([table for table, _, _ in parts])
    assert isinstance(table, Table)
    made = with_metadata((table, names, []), stream, mr)
    made._user_data = [_user_data(pairs) for _, _, pairs in parts]
    made._rows = [table.num_rows() for table, _, _ in parts]
    return made


def _user_data(pairs: list[tuple[str, str]]) -> dict[bytes, bytes]:
    return {key.encode(): value.encode() for key, value in pairs}


def with_metadata(
    read: Read, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> TableWithMetadata:
    """Return what was read, in memory of ``mr``."""
    table, names, pairs = read
    if stream is not None or mr is not None:
        table = table.copy(stream, mr)
    made = TableWithMetadata(table, names)
    made._user_data = [_user_data(pairs)]
    made._rows = [table.num_rows()]
    return made


def with_names(
    frame: Any, stream: CudaStreamLike | None, mr: DeviceMemoryResource | None
) -> TableWithMetadata:
    """Return the columns of a frame that was read, which are of plain types."""
    table, _ = frame.to_pylibcudf()
    return with_metadata((table, [(str(label), []) for label in frame.columns], []), stream, mr)
