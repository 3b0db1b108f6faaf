"""Avro: `read_avro` and its options."""

from __future__ import annotations

from cuprum._cuprum import DeviceMemoryResource, Stream
from cuprum.io.avro import read_avro as _read
from pylibcuprum.io.types import SourceInfo, TableWithMetadata, with_names

__all__ = ["AvroReaderOptions", "AvroReaderOptionsBuilder", "read_avro"]


class AvroReaderOptions:
    """What of an Avro file is read."""

    def __init__(self, source: SourceInfo) -> None:
        self._columns: list[str] | None = None
        self._skip_rows = 0
        self._num_rows: int | None = None
        self.set_source(source)

    @staticmethod
    def builder(source: SourceInfo) -> AvroReaderOptionsBuilder:
        """Return a builder of options for a source."""
        return AvroReaderOptionsBuilder(source)

    def set_columns(self, col_names: list[str]) -> None:
        """Read these columns, in that order."""
        self._columns = list(col_names)

    def set_source(self, src: SourceInfo) -> None:
        """Read another file."""
        if len(src._sources) != 1:
            raise NotImplementedError(f"`source` has {len(src._sources)} files; one Avro file is read")
        self._source = src


class AvroReaderOptionsBuilder:
    """Makes `AvroReaderOptions`."""

    def __init__(self, source: SourceInfo) -> None:
        self._options = AvroReaderOptions(source)

    def columns(self, col_names: list[str]) -> AvroReaderOptionsBuilder:
        """Read these columns, in that order."""
        self._options.set_columns(col_names)
        return self

    def skip_rows(self, skip_rows: int) -> AvroReaderOptionsBuilder:
        """Pass over so many rows."""
        self._options._skip_rows = skip_rows
        return self

    def num_rows(self, num_rows: int) -> AvroReaderOptionsBuilder:
        """Read so many rows; -1 for all."""
        self._options._num_rows = None if num_rows == -1 else num_rows
        return self

    def build(self) -> AvroReaderOptions:
        """Return the options."""
        return self._options


def read_avro(
    options: AvroReaderOptions, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> TableWithMetadata:
    """Read an Avro file. Enumerations are texts; lists and structs are refused with ``NotImplementedError``."""
    frame = _read(options._source._sources[0], options._columns, options._skip_rows, options._num_rows)
    return with_names(frame, stream, mr)
