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


def _unit(argument: str, value: Any) -> str:
    if not isinstance(value, DataType):
        raise TypeError(f"`{argument}` is {value!r}; it is a DataType")
    unit = _UNITS.get(value.id())
    if unit is None:
        raise ValueError(f"`{argument}` is {value!r}; it is of timestamps that are not in days")
    return unit


def _metadata(argument: str, value: Any) -> list[tuple[str, str]]:
    if not isinstance(value, Mapping):
        raise TypeError(f"`{argument}` is {value!r}; it has texts by name")
    return [(str(key), str(text)) for key, text in value.items()]


class OrcReaderOptions(ReaderOptions):
    """Options of the ORC reader."""

    set_num_rows = NUM_ROWS.setter("nrows")
    set_skip_rows = SKIP_ROWS.setter("skip_rows")
    set_stripes = Setter("stripes", "stripes", lists_of_numbers, "Read these stripes, a list for each file.")
    set_decimal128_columns = Setter(
        "decimal128", "val", texts, "Read these decimals as `DECIMAL128`, as all are in any case."
    )
    set_timestamp_type = Setter("unit", "type_", _unit, "Read timestamps as this type.")
    set_columns = COLUMNS.setter("col_names")

    @staticmethod
    def builder(source: SourceInfo) -> OrcReaderOptionsBuilder:
        """Return a builder of options for a source."""
        return OrcReaderOptionsBuilder(OrcReaderOptions._of(source=source))


class OrcReaderOptionsBuilder(OptionsBuilder[OrcReaderOptions]):
    """Makes `OrcReaderOptions`."""

    use_index = Step(
        "use_index", "use", flag, "Whether indexes of rows are used: of no effect on the result."
    )


def read_orc(
    options: OrcReaderOptions, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> TableWithMetadata:
    """Read ORC files of the same columns below each other."""
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
    """Return whether files of this compression are read."""
    return member(CompressionType)("compression", compression) in _CODECS


def is_supported_write_orc(compression: CompressionType) -> bool:
    """Return whether files of this compression are written."""
    return member(CompressionType)("compression", compression) in _CODECS


class _Written(Options):
    set_stripe_size_bytes = Setter(
        "stripe_bytes", "size_bytes", at_least(1), "Let stripes have at most about so many bytes."
    )
    set_stripe_size_rows = Setter(
        "stripe_rows", "size_rows", at_least(1), "Let stripes have at most so many rows."
    )
    set_row_index_stride = Setter(
        "row_index_stride", "stride", only(10000), "Rows have no index: other values are refused."
    )


class _WrittenBuilder:
    compression = Step("compression", "comp", member(CompressionType, *_CODECS), "Compress so.")
    enable_statistics = Step(
        "statistics",
        "val",
        member(StatisticsFreq, StatisticsFreq.STATISTICS_ROWGROUP, StatisticsFreq.STATISTICS_COLUMN),
        "Stripes have statistics: `STATISTICS_NONE` and `STATISTICS_PAGE` are refused.",
    )
    key_value_metadata = Step("user_data", "kvm", _metadata, "Write these texts by name.")
    metadata = Step("metadata", "meta", instance(TableInputMetadata), "Write the columns so.")


class OrcWriterOptions(_Written):
    """Options of the ORC writer."""

    @staticmethod
    def builder(sink: SinkInfo, table: Table) -> OrcWriterOptionsBuilder:
        """Return a builder of options for writing a table."""
        return OrcWriterOptionsBuilder(OrcWriterOptions._of(sink=sink, table=table))


class OrcWriterOptionsBuilder(_WrittenBuilder, OptionsBuilder[OrcWriterOptions]):
    """Makes `OrcWriterOptions`."""


def _how(values: dict[str, Any]) -> tuple[Any, ...]:
    codec = _CODECS[values.get("compression", CompressionType.AUTO)]
    return codec, values.get("stripe_bytes"), values.get("stripe_rows"), values.get("user_data", [])


def write_orc(options: OrcWriterOptions, stream: CudaStreamLike | None = None) -> None:
    """Write an ORC file, which appears whole or not at all."""
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
    """Options of the ORC writer that takes table after table."""

    @staticmethod
    def builder(sink: SinkInfo) -> ChunkedOrcWriterOptionsBuilder:
        """Return a builder of options for a sink."""
        return ChunkedOrcWriterOptionsBuilder(ChunkedOrcWriterOptions._of(sink=sink))


class ChunkedOrcWriterOptionsBuilder(_WrittenBuilder, OptionsBuilder[ChunkedOrcWriterOptions]):
    """Makes `ChunkedOrcWriterOptions`."""


class OrcChunkedWriter(FileWriter):
    """An ORC file to which tables are written below each other; it is there, whole, once it is closed."""

    @staticmethod
    def from_options(
        options: ChunkedOrcWriterOptions, stream: CudaStreamLike | None = None
    ) -> OrcChunkedWriter:
        """Return a writer, of whose file nothing is there yet."""
        values = options.values
        writer = OrcChunkedWriter()
        sink = values["sink"]._one("ORC")
        writer._begin([sink], lambda path, _: _io.TablesWriter.orc(path, *_how(values)))
        writer._metadata = values.get("metadata")
        return writer

    def write(self, table: Table) -> None:
        """Write a table below the others, as stripes of its own."""
        self._write(0, table, _columns(self._metadata, table))

    def close(self) -> None:
        """End the file."""
        self._close()


class OrcColumnStatistics:
    """Statistics of a column in a file, under ORC's names: ``minimum``, ``sum``, …."""

    def __init__(self, values: dict[str, Any] | None = None) -> None:
        if values is None:
            raise TypeError("statistics are read by `read_parsed_orc_statistics`")
        self._values = dict(values)
        self._count = self._values.pop("number_of_values")
        self._has_null = self._values.pop("has_null")

    @property
    def number_of_values(self) -> int | None:
        """The number of values, without nulls."""
        return self._count

    @property
    def has_null(self) -> bool | None:
        """Whether there are nulls."""
        return self._has_null

    def __getitem__(self, item: str) -> Any:
        return self._values[item]

    def __contains__(self, item: str) -> bool:
        return item in self._values

    def get(self, item: str, default: T | None = None) -> Any | T | None:
        """Return a statistic, or ``default`` where there is none."""
        return self._values.get(item, default)


class ParsedOrcStatistics:
    """The statistics of a file and of its stripes."""

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
        """Of every column, in all of the file."""
        return self._file

    @property
    def stripes_stats(self) -> list[list[OrcColumnStatistics]]:
        """Of every column, for each stripe."""
        return self._stripes


def read_parsed_orc_statistics(
    source_info: SourceInfo, stream: CudaStreamLike | None = None
) -> ParsedOrcStatistics:
    """Read only the statistics of an ORC file."""
    return ParsedOrcStatistics(source_info._one("ORC"))
