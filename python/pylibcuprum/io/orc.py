"""ORC: `read_orc`, `write_orc` and their options, `OrcChunkedWriter`, and the statistics of files.

Examples
--------
>>> import io
>>> from pylibcuprum import Column, Table
>>> from pylibcuprum.io.types import SinkInfo, SourceInfo
>>> file = io.BytesIO()
>>> table = Table([Column.from_iterable_of_py([1, 2, 3])])
>>> write_orc(OrcWriterOptions.builder(SinkInfo([file]), table).build())
>>> options = OrcReaderOptions.builder(SourceInfo([file.getvalue()])).build()
>>> options.set_skip_rows(1)
>>> read_orc(options).columns[0].to_pylist()
[2, 3]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from cuprum._cuprum import Column, DataType, DeviceMemoryResource, Table, _io
from pylibcuprum.io.files import FileWriter
from pylibcuprum.io.options import (
    COLUMNS,
    NUM_ROWS,
    SKIP_ROWS,
    Options,
    OptionsBuilder,
    ReaderOptions,
    Setter,
    Step,
    at_least,
    flag,
    instance,
    lists_of_numbers,
    member,
    only,
    takes,
    texts,
)
from pylibcuprum.io.types import (
    CompressionType,
    SinkInfo,
    SourceInfo,
    StatisticsFreq,
    TableInputMetadata,
    TableWithMetadata,
    input_metadata,
    put_into,
    read_all,
)
from pylibcuprum.types import TypeId
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "ChunkedOrcWriterOptions",
    "ChunkedOrcWriterOptionsBuilder",
    "OrcChunkedWriter",
    "OrcColumnStatistics",
    "OrcReaderOptions",
    "OrcReaderOptionsBuilder",
    "OrcWriterOptions",
    "OrcWriterOptionsBuilder",
    "ParsedOrcStatistics",
    "is_supported_read_orc",
    "is_supported_write_orc",
    "read_orc",
    "read_parsed_orc_statistics",
    "write_orc",
]

T = TypeVar("T")

_CODECS = {
    CompressionType.NONE: None,
    CompressionType.AUTO: "snappy",
    CompressionType.SNAPPY: "snappy",
    CompressionType.ZLIB: "zlib",
    CompressionType.LZ4: "lz4",
    CompressionType.ZSTD: "zstd",
}

_UNITS = {
    TypeId.EMPTY: "ns",
    TypeId.TIMESTAMP_SECONDS: "s",
    TypeId.TIMESTAMP_MILLISECONDS: "ms",
    TypeId.TIMESTAMP_MICROSECONDS: "us",
    TypeId.TIMESTAMP_NANOSECONDS: "ns",
}


@takes("DataType", "A timestamp type that is not in days.")
def _unit(argument: str, value: Any) -> str:
    if not isinstance(value, DataType):
        raise TypeError(f"`{argument}` is {value!r}; it is a DataType")
    unit = _UNITS.get(value.id())
    if unit is None:
        raise ValueError(f"`{argument}` is {value!r}; it is of timestamps that are not in days")
    return unit


@takes("mapping of str to str")
def _metadata(argument: str, value: Any) -> list[tuple[str, str]]:
    if not isinstance(value, Mapping):
        raise TypeError(f"`{argument}` is {value!r}; it has texts by name")
    return [(str(key), str(text)) for key, text in value.items()]


class OrcReaderOptions(ReaderOptions):
    """Options of the ORC reader.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, 2, 3]}).to_orc()
    >>> options = OrcReaderOptions.builder(SourceInfo([file])).build()
    >>> options.set_skip_rows(1)
    >>> read_orc(options).columns[0].to_pylist()
    [2, 3]
    """

    set_num_rows = NUM_ROWS.setter("nrows")
    set_skip_rows = SKIP_ROWS.setter("skip_rows")
    set_stripes = Setter(
        "stripes",
        "stripes",
        lists_of_numbers,
        "The numbers of the stripes that are read; a list for each file.",
    )
    set_decimal128_columns = Setter(
        "decimal128", "val", texts, "The names of decimals that are read as DECIMAL128; all are in any case."
    )
    set_timestamp_type = Setter("unit", "type_", _unit, "The type that timestamps are read as.")
    set_columns = COLUMNS.setter("col_names")

    @staticmethod
    def builder(source: SourceInfo) -> OrcReaderOptionsBuilder:
        """Return a builder of options of the ORC reader.

        Parameters
        ----------
        source : SourceInfo
            Files that are read.

        Returns
        -------
        OrcReaderOptionsBuilder
            Builder whose steps set options and whose ``build`` returns them.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> file = cuprum.DataFrame({"a": [1, 2, 3]}).to_orc()
        >>> read_orc(OrcReaderOptions.builder(SourceInfo([file])).build()).columns[0].to_pylist()
        [1, 2, 3]
        """
        return OrcReaderOptionsBuilder(OrcReaderOptions._of(source=source))


class OrcReaderOptionsBuilder(OptionsBuilder[OrcReaderOptions]):
    """Makes `OrcReaderOptions`.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, 2, 3]}).to_orc()
    >>> options = OrcReaderOptions.builder(SourceInfo([file])).use_index(False).build()
    >>> read_orc(options).columns[0].to_pylist()
    [1, 2, 3]
    """

    use_index = Step(
        "use_index", "use", flag, "Whether indexes of rows are used; of no effect on the result."
    )


def read_orc(
    options: OrcReaderOptions, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> TableWithMetadata:
    """Read ORC files of the same columns below each other.

    Parameters
    ----------
    options : OrcReaderOptions
        Files, columns, stripes and rows that are read.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    TableWithMetadata
        Table with the names of its columns; rows in the order of the files.

    Raises
    ------
    ValueError
        For a source that is no ORC file, files of different columns, and another number of lists of stripes than of
        files.
    NotImplementedError
        For ``skip_rows`` and ``num_rows`` with several files.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, None]}).to_orc()
    >>> read = read_orc(OrcReaderOptions.builder(SourceInfo([file, file])).build())
    >>> read.column_names(), read.columns[0].to_pylist()
    (['a'], [1, None, 1, None])
    """
    values = options.values
    sources = values["source"]._all()
    stripes = values.get("stripes") or [None] * len(sources)
    skip, rows = values.get("skip_rows", 0), values.get("num_rows")
    if len(stripes) != len(sources):
        raise ValueError(f"`stripes` has {len(stripes)} lists for {len(sources)} files")
    if len(sources) > 1 and (skip or rows is not None):
        raise NotImplementedError("`skip_rows` and `num_rows` are honoured of one file only")

    def read(number: int, source: Any) -> Any:
        return _io.read_orc(
            source, values.get("columns"), stripes[number], skip, rows, values.get("unit", "ns")
        )

    return read_all(sources, read, stream, mr)


def is_supported_read_orc(compression: CompressionType) -> bool:
    """Return whether ORC files of a compression are read.

    Parameters
    ----------
    compression : CompressionType
        Compression that is asked about.

    Returns
    -------
    bool
        True for ``NONE``, ``AUTO``, ``SNAPPY``, ``ZLIB``, ``LZ4`` and ``ZSTD``.

    Raises
    ------
    TypeError
        For anything but a CompressionType.

    Examples
    --------
    >>> is_supported_read_orc(CompressionType.ZSTD), is_supported_read_orc(CompressionType.GZIP)
    (True, False)
    """
    return member(CompressionType)("compression", compression) in _CODECS


def is_supported_write_orc(compression: CompressionType) -> bool:
    """Return whether ORC files of a compression are written.

    Parameters
    ----------
    compression : CompressionType
        Compression that is asked about.

    Returns
    -------
    bool
        True for ``NONE``, ``AUTO``, ``SNAPPY``, ``ZLIB``, ``LZ4`` and ``ZSTD``.

    Raises
    ------
    TypeError
        For anything but a CompressionType.

    Examples
    --------
    >>> is_supported_write_orc(CompressionType.ZSTD), is_supported_write_orc(CompressionType.GZIP)
    (True, False)
    """
    return member(CompressionType)("compression", compression) in _CODECS


class _Written(Options):
    set_stripe_size_bytes = Setter(
        "stripe_bytes", "size_bytes", at_least(1), "The number of bytes that stripes have at most, about."
    )
    set_stripe_size_rows = Setter(
        "stripe_rows", "size_rows", at_least(1), "The number of rows that stripes have at most."
    )
    set_row_index_stride = Setter(
        "row_index_stride",
        "stride",
        only(10000),
        "The number of rows that have one entry of the index; there is no index.",
    )


class _WrittenBuilder:
    compression = Step(
        "compression", "comp", member(CompressionType, *_CODECS), "The compression of the file."
    )
    enable_statistics = Step(
        "statistics",
        "val",
        member(StatisticsFreq, StatisticsFreq.STATISTICS_ROWGROUP, StatisticsFreq.STATISTICS_COLUMN),
        "The parts of the file that have statistics; stripes have them in any case.",
    )
    key_value_metadata = Step(
        "user_data", "kvm", _metadata, "The texts that are written by name as metadata of the file."
    )
    metadata = Step(
        "metadata", "meta", instance(TableInputMetadata), "The names and other options of the columns."
    )


class OrcWriterOptions(_Written):
    """Options of the ORC writer.

    Examples
    --------
    >>> import io
    >>> from pylibcuprum.io.types import SourceInfo
    >>> table, file = Table([Column.from_iterable_of_py([1, 2, 3])]), io.BytesIO()
    >>> options = OrcWriterOptions.builder(SinkInfo([file]), table).build()
    >>> options.set_stripe_size_rows(2)
    >>> write_orc(options)
    >>> len(read_parsed_orc_statistics(SourceInfo([file.getvalue()])).stripes_stats)
    2
    """

    @staticmethod
    def builder(sink: SinkInfo, table: Table) -> OrcWriterOptionsBuilder:
        """Return a builder of options for writing a table.

        Parameters
        ----------
        sink : SinkInfo
            File that is written.
        table : Table
            Rows that are written.

        Returns
        -------
        OrcWriterOptionsBuilder
            Builder whose steps set options and whose ``build`` returns them.

        Examples
        --------
        >>> import io
        >>> table, file = Table([Column.from_iterable_of_py([1, 2, 3])]), io.BytesIO()
        >>> write_orc(OrcWriterOptions.builder(SinkInfo([file]), table).build())
        >>> file.getvalue()[:3]
        b'ORC'
        """
        return OrcWriterOptionsBuilder(OrcWriterOptions._of(sink=sink, table=table))


class OrcWriterOptionsBuilder(_WrittenBuilder, OptionsBuilder[OrcWriterOptions]):
    """Makes `OrcWriterOptions`.

    Examples
    --------
    >>> import io
    >>> from pylibcuprum.io.types import SourceInfo
    >>> table, file = Table([Column.from_iterable_of_py([1, 2, 3])]), io.BytesIO()
    >>> metadata = TableInputMetadata(table)
    >>> _ = metadata.column_metadata[0].set_name("a")
    >>> builder = OrcWriterOptions.builder(SinkInfo([file]), table).metadata(metadata)
    >>> write_orc(builder.compression(CompressionType.ZSTD).build())
    >>> read_orc(OrcReaderOptions.builder(SourceInfo([file.getvalue()])).build()).column_names()
    ['a']
    """


def _how(values: dict[str, Any]) -> tuple[Any, ...]:
    codec = _CODECS[values.get("compression", CompressionType.AUTO)]
    return codec, values.get("stripe_bytes"), values.get("stripe_rows"), values.get("user_data", [])


def write_orc(options: OrcWriterOptions, stream: CudaStreamLike | None = None) -> None:
    """Write a table to an ORC file, which appears whole or not at all.

    Parameters
    ----------
    options : OrcWriterOptions
        Table, file and how it is written.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect: the file is written when the call returns.

    Raises
    ------
    NotImplementedError
        For several files, and for metadata of columns that are Parquet's.

    Notes
    -----
    Columns without names in the metadata are numbered.

    Examples
    --------
    >>> import io
    >>> from pylibcuprum.io.types import SourceInfo
    >>> table, file = Table([Column.from_iterable_of_py(["x", None])]), io.BytesIO()
    >>> write_orc(OrcWriterOptions.builder(SinkInfo([file]), table).build())
    >>> read = read_orc(OrcReaderOptions.builder(SourceInfo([file.getvalue()])).build())
    >>> read.column_names(), read.columns[0].to_pylist()
    (['0'], ['x', None])
    """
    values = options.values
    table = values["table"]
    columns = _columns(values.get("metadata"), table)
    sink = values["sink"]._one("ORC")
    put_into(sink, lambda path: _io.write_orc(table, columns, path, *_how(values)))


def _columns(metadata: TableInputMetadata | None, table: Table) -> list[Any]:
    described = input_metadata(metadata, table)
    return [
        _orc_column(one, column, i)
        for i, (one, column) in enumerate(zip(described, table.columns(), strict=True))
    ]


def _orc_column(one: Any, column: Column, number: int) -> Any:
    if one._skips_compression or one._encoding >= 0:
        raise NotImplementedError(
            f"`metadata` of column {one._name!r} has an encoding or skips compression, which are Parquet's"
        )
    return one._as_metadata(column, number)


class ChunkedOrcWriterOptions(_Written):
    """Options of the ORC writer that takes table after table.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> options = ChunkedOrcWriterOptions.builder(SinkInfo([file])).build()
    >>> options.set_stripe_size_rows(1000)
    >>> writer = OrcChunkedWriter.from_options(options)
    >>> writer.write(Table([Column.from_iterable_of_py([1, 2])]))
    >>> writer.close()
    >>> file.getvalue()[:3]
    b'ORC'
    """

    @staticmethod
    def builder(sink: SinkInfo) -> ChunkedOrcWriterOptionsBuilder:
        """Return a builder of options for writing table after table.

        Parameters
        ----------
        sink : SinkInfo
            File that is written.

        Returns
        -------
        ChunkedOrcWriterOptionsBuilder
            Builder whose steps set options and whose ``build`` returns them.

        Examples
        --------
        >>> import io
        >>> builder = ChunkedOrcWriterOptions.builder(SinkInfo([io.BytesIO()]))
        >>> options = builder.compression(CompressionType.ZLIB).build()
        >>> type(options).__name__
        'ChunkedOrcWriterOptions'
        """
        return ChunkedOrcWriterOptionsBuilder(ChunkedOrcWriterOptions._of(sink=sink))


class ChunkedOrcWriterOptionsBuilder(_WrittenBuilder, OptionsBuilder[ChunkedOrcWriterOptions]):
    """Makes `ChunkedOrcWriterOptions`.

    Examples
    --------
    >>> import io
    >>> builder = ChunkedOrcWriterOptions.builder(SinkInfo([io.BytesIO()]))
    >>> options = builder.key_value_metadata({"made by": "hand"}).build()
    >>> writer = OrcChunkedWriter.from_options(options)
    >>> writer.write(Table([Column.from_iterable_of_py([1, 2])]))
    >>> writer.close()
    """


class OrcChunkedWriter(FileWriter):
    """An ORC file to which tables are written below each other; it is there, whole, once it is closed.

    Examples
    --------
    >>> import io
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = io.BytesIO()
    >>> writer = OrcChunkedWriter.from_options(ChunkedOrcWriterOptions.builder(SinkInfo([file])).build())
    >>> for values in ([1, 2], [3]):
    ...     writer.write(Table([Column.from_iterable_of_py(values)]))
    >>> writer.close()
    >>> options = OrcReaderOptions.builder(SourceInfo([file.getvalue()])).build()
    >>> read_orc(options).columns[0].to_pylist()
    [1, 2, 3]
    """

    @staticmethod
    def from_options(
        options: ChunkedOrcWriterOptions, stream: CudaStreamLike | None = None
    ) -> OrcChunkedWriter:
        """Return a writer, of whose file nothing is there yet.

        Parameters
        ----------
        options : ChunkedOrcWriterOptions
            File and how it is written.
        stream : Stream or object with ``__cuda_stream__``, optional
            Of no effect.

        Returns
        -------
        OrcChunkedWriter
            Writer that takes tables until it is closed.

        Raises
        ------
        NotImplementedError
            For several files.

        Examples
        --------
        >>> import io
        >>> file = io.BytesIO()
        >>> writer = OrcChunkedWriter.from_options(ChunkedOrcWriterOptions.builder(SinkInfo([file])).build())
        >>> writer.write(Table([Column.from_iterable_of_py([1, 2])]))
        >>> len(file.getvalue())
        0
        >>> writer.close()
        """
        values = options.values
        writer = OrcChunkedWriter()
        sink = values["sink"]._one("ORC")
        writer._begin([sink], lambda path, _: _io.TablesWriter.orc(path, *_how(values)))
        writer._metadata = values.get("metadata")
        return writer

    def write(self, table: Table) -> None:
        """Write a table below the others, as stripes of its own.

        Parameters
        ----------
        table : Table
            Rows, with columns of the types of the first table.

        Raises
        ------
        ValueError
            For a writer that is closed.
        TypeError
            For columns of other types than those of the first table.

        Examples
        --------
        >>> import io
        >>> file = io.BytesIO()
        >>> writer = OrcChunkedWriter.from_options(ChunkedOrcWriterOptions.builder(SinkInfo([file])).build())
        >>> writer.write(Table([Column.from_iterable_of_py([1, 2])]))
        >>> writer.write(Table([Column.from_iterable_of_py([3, None])]))
        >>> writer.close()
        """
        self._write(0, table, _columns(self._metadata, table))

    def close(self) -> None:
        """End the file, which is there from now on.

        Raises
        ------
        ValueError
            For a writer that is closed already.

        Examples
        --------
        >>> import io
        >>> file = io.BytesIO()
        >>> writer = OrcChunkedWriter.from_options(ChunkedOrcWriterOptions.builder(SinkInfo([file])).build())
        >>> writer.write(Table([Column.from_iterable_of_py([1, 2])]))
        >>> writer.close()
        >>> file.getvalue()[:3]
        b'ORC'
        """
        self._close()


class OrcColumnStatistics:
    """Statistics of a column in a file, under ORC's names: ``minimum``, ``sum``, and so on.

    `read_parsed_orc_statistics` makes them. ``statistics[name]`` and ``name in statistics`` look one up.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, 2, None]}).to_orc()
    >>> statistics = read_parsed_orc_statistics(SourceInfo([file])).file_stats[1]
    >>> statistics["maximum"], "maximum" in statistics, statistics.has_null
    (2, True, True)
    """

    def __init__(self, values: dict[str, Any] | None = None) -> None:
        if values is None:
            raise TypeError("statistics are read by `read_parsed_orc_statistics`")
        self._values = dict(values)
        self._count = self._values.pop("number_of_values")
        self._has_null = self._values.pop("has_null")

    @property
    def number_of_values(self) -> int | None:
        """The number of values, without nulls; None where the file does not tell."""
        return self._count

    @property
    def has_null(self) -> bool | None:
        """Whether there are nulls; None where the file does not tell."""
        return self._has_null

    def __getitem__(self, item: str) -> Any:
        return self._values[item]

    def __contains__(self, item: str) -> bool:
        return item in self._values

    def get(self, item: str, default: T | None = None) -> Any | T | None:
        """Return a statistic by its name.

        Parameters
        ----------
        item : str
            Name in ORC: ``minimum``, ``maximum``, ``sum`` and so on.
        default : object, optional
            The value to return where the file has no such statistic.

        Returns
        -------
        object
            The value of the statistic, or ``default``.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> file = cuprum.DataFrame({"a": [1, 2, 3]}).to_orc()
        >>> statistics = read_parsed_orc_statistics(SourceInfo([file])).file_stats[1]
        >>> statistics.get("sum"), statistics.get("true_count", 0)
        (6, 0)
        """
        return self._values.get(item, default)


class ParsedOrcStatistics:
    """The statistics of an ORC file and of its stripes, which `read_parsed_orc_statistics` makes.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, 2, 3]}).to_orc()
    >>> statistics = read_parsed_orc_statistics(SourceInfo([file]))
    >>> statistics.column_names, statistics.file_stats[1]["minimum"], len(statistics.stripes_stats)
    (['', 'a'], 1, 1)
    """

    def __init__(self, source: Any = None) -> None:
        if source is None:
            raise TypeError("statistics are read by `read_parsed_orc_statistics`")
        self._names, file, stripes = _io.orc_statistics(source)
        self._file = [OrcColumnStatistics(one) for one in file]
        self._stripes = [[OrcColumnStatistics(one) for one in stripe] for stripe in stripes]

    @property
    def column_names(self) -> list[str]:
        """The names of all columns, those inside of others too; an empty one for the rows themselves."""
        return self._names

    @property
    def file_stats(self) -> list[OrcColumnStatistics]:
        """The statistics of every column in all of the file, in the order of ``column_names``."""
        return self._file

    @property
    def stripes_stats(self) -> list[list[OrcColumnStatistics]]:
        """The statistics of every column for each stripe, in the order of ``column_names``."""
        return self._stripes


def read_parsed_orc_statistics(
    source_info: SourceInfo, stream: CudaStreamLike | None = None
) -> ParsedOrcStatistics:
    """Read only the statistics of an ORC file.

    Parameters
    ----------
    source_info : SourceInfo
        The file.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect.

    Returns
    -------
    ParsedOrcStatistics
        Statistics of the columns in the file and in its stripes.

    Raises
    ------
    ValueError
        For a source that is no ORC file.
    NotImplementedError
        For several files.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, 2, None]}).to_orc()
    >>> statistics = read_parsed_orc_statistics(SourceInfo([file])).file_stats[1]
    >>> statistics.number_of_values, statistics["minimum"], statistics["maximum"]
    (2, 1, 2)
    """
    return ParsedOrcStatistics(source_info._one("ORC"))
