"""Avro: `read_avro` and its options."""

from __future__ import annotations

from cuprum._cuprum import DeviceMemoryResource, Stream, _io
from pylibcuprum.io.options import OptionsBuilder, ReaderOptions, Setter, Step, at_least, or_all, texts
from pylibcuprum.io.types import SourceInfo, TableWithMetadata, read_all

__all__ = ["AvroReaderOptions", "AvroReaderOptionsBuilder", "read_avro"]


class AvroReaderOptions(ReaderOptions):
    """What of an Avro file is read."""

    set_columns = Setter("columns", "col_names", texts, "Read these columns, in that order.")

    @staticmethod
    def builder(source: SourceInfo) -> AvroReaderOptionsBuilder:
        """Return a builder of options for a source."""
        options = AvroReaderOptions()
        options.set_source(source)
        return AvroReaderOptionsBuilder(options)


class AvroReaderOptionsBuilder(OptionsBuilder[AvroReaderOptions]):
    """Makes `AvroReaderOptions`."""

    columns = Step("columns", "col_names", texts, "Read these columns, in that order.")
    skip_rows = Step("skip_rows", "skip_rows", at_least(0), "Pass over so many rows.")
    num_rows = Step("num_rows", "num_rows", or_all, "Read so many rows; -1 for all.")


def read_avro(
    options: AvroReaderOptions, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> TableWithMetadata:
    """Read an Avro file. Enumerations are texts."""
    values = options.values
    source = values["source"]._one("Avro")
    what = values.get("columns"), values.get("skip_rows", 0), values.get("num_rows")
    return read_all([source], lambda _, source: _io.read_avro(source, *what), stream, mr)
