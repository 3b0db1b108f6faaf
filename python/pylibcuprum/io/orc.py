"""ORC: `read_orc` and its options.

Examples
--------
>>> import cuprum
>>> from pylibcuprum.io.types import SourceInfo
>>> file = cuprum.DataFrame({"a": [1, 2, 3]}).to_orc()
>>> options = OrcReaderOptions.builder(SourceInfo([file])).build()
>>> options.set_skip_rows(1)
>>> read_orc(options).columns[0].to_arrow().to_pylist()
[2, 3]
"""

from __future__ import annotations

from cuprum import RangeIndex
from cuprum._cuprum import DeviceMemoryResource, Stream
from cuprum.io.orc import read_orc as _read
from pylibcuprum.io.types import SourceInfo, TableWithMetadata, with_names

__all__ = ["OrcReaderOptions", "OrcReaderOptionsBuilder", "read_orc"]


class OrcReaderOptions:
    """What of ORC files is read."""

    def __init__(self, source: SourceInfo) -> None:
        self._columns: list[str] | None = None
        self._stripes: list[list[int]] | None = None
        self._skip_rows: int | None = None
        self._num_rows: int | None = None
        self._source = source

    @staticmethod
    def builder(source: SourceInfo) -> OrcReaderOptionsBuilder:
        """Return a builder of options for a source."""
        return OrcReaderOptionsBuilder(source)

    def set_columns(self, col_names: list[str]) -> None:
        """Read these columns, in that order."""
        self._columns = list(col_names)

    def set_stripes(self, stripes: list[list[int]]) -> None:
        """Read these stripes, a list for each file."""
        self._stripes = stripes

    def set_skip_rows(self, skip_rows: int) -> None:
        """Pass over so many rows."""
        self._skip_rows = skip_rows

    def set_num_rows(self, nrows: int) -> None:
        """Read so many rows; -1 for all."""
        self._num_rows = None if nrows == -1 else nrows

    def set_source(self, src: SourceInfo) -> None:
        """Read other files."""
        self._source = src


class OrcReaderOptionsBuilder:
    """Makes `OrcReaderOptions`."""

    def __init__(self, source: SourceInfo) -> None:
        self._options = OrcReaderOptions(source)

    def build(self) -> OrcReaderOptions:
        """Return the options."""
        return self._options


def read_orc(
    options: OrcReaderOptions, stream: Stream | None = None, mr: DeviceMemoryResource | None = None
) -> TableWithMetadata:
    """Read ORC files of the same columns; lists and structs are refused with ``NotImplementedError``."""
    frame = _read(
        options._source._sources,
        options._columns,
        stripes=options._stripes,
        skiprows=options._skip_rows,
        num_rows=options._num_rows,
    )
    if not isinstance(frame.index, RangeIndex):
        raise NotImplementedError("`source` has row labels that are columns; only files without are read")
    return with_names(frame, stream, mr)
