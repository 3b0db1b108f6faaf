"""Files: a module for each format, with the names and arguments of pylibcudf."""

from pylibcuprum.io import (
    avro,
    csv,
    datasource,
    json,
    orc,
    parquet,
    parquet_metadata,
    text,
    timezone,
    types,
)
from pylibcuprum.io.types import FilepathSource, SinkInfo, SourceInfo, TableWithMetadata

__all__ = [
    "FilepathSource",
    "SinkInfo",
    "SourceInfo",
    "TableWithMetadata",
    "avro",
    "csv",
    "datasource",
    "json",
    "orc",
    "parquet",
    "parquet_metadata",
    "text",
    "timezone",
    "types",
]
