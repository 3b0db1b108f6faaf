"""Avro: `read_avro` and its options."""

from __future__ import annotations

from cuprum._cuprum import DeviceMemoryResource, Stream, _io
from pylibcuprum.io.options import (
    COLUMNS,
    NUM_ROWS,
    SKIP_ROWS,
    OptionsBuilder,
    ReaderOptions,
)
from pylibcuprum.io.types import SourceInfo, TableWithMetadata, read_all

__all__ = ["AvroReaderOptions", "AvroReaderOptionsBuilder", "read_avro"]


class AvroReaderOptions(ReaderOptions):
    """What of an Avro file is read."""

    set_columns = COLUMNS.setter("col_names")

    @staticmethod
    def builder(source: SourceInfo) -> AvroReaderOptionsBuilder:
        """Return a builder of options for a source."""
        return AvroReaderOptionsBuilder(AvroReaderOptions._of(source=source))


class AvroReaderOptionsBuilder(OptionsBuilder[AvroReaderOptions]):
    """Makes `AvroReaderOptions`."""

    columns = COLUMNS.step("col_names")
    skip_rows = SKIP_ROWS.step("skip_rows")
    num_rows = NUM_ROWS.step("num_rows")


def read_avro(
    options: AvroReaderOptions, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> TableWithMetadata:
    """Read an Avro file. Enumerations are texts."""
    values = options.values
    source = values["source"]._one("Avro")
    what = values.get("columns"), values.get("skip_rows", 0), values.get("num_rows")
    return read_all([source], lambda _, source: _io.read_avro(source, *what), stream, mr)
