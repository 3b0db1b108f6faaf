"""Metadata of Parquet files: schema, row groups, column chunks.

Examples
--------
>>> import cuprum
>>> from pylibcuprum.io.types import SourceInfo
>>> metadata = read_parquet_metadata(SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()]))
>>> metadata.num_rows(), [child.name() for child in metadata.schema().root().children()]
(2, ['a', 'b'])
"""

from __future__ import annotations

from typing import Any

from cuprum._cuprum import DataType, _io
from pylibcuprum.io.types import SourceInfo

__all__ = [
    "ColumnChunk",
    "ColumnChunkMetaData",
    "FileMetaData",
    "ParquetColumnSchema",
    "ParquetMetadata",
    "ParquetSchema",
    "RowGroup",
    "SortingColumn",
    "read_parquet_footers",
    "read_parquet_metadata",
]


class _Read:
    """Something that a file says, which only reading makes."""

    def __init__(self, said: Any = None) -> None:
        if said is None:
            raise TypeError(f"a {type(self).__name__} is read from a file")
        self._said = said


class ParquetColumnSchema(_Read):
    """A column, and those inside of it."""

    def name(self) -> str:
        """Return the name."""
        return str(self._said[0])

    def num_children(self) -> int:
        """Return how many columns are inside of it."""
        return len(self._said[2])

    def child(self, idx: int) -> ParquetColumnSchema:
        """Return a column inside of it."""
        if not 0 <= idx < self.num_children():
            raise IndexError(f"`idx` is {idx}; there are {self.num_children()} children")
        return ParquetColumnSchema(self._said[2][idx])

    def children(self) -> list[ParquetColumnSchema]:
        """Return the columns inside of it."""
        return [ParquetColumnSchema(child) for child in self._said[2]]


class ParquetSchema(_Read):
    """The columns of a file."""

    def root(self) -> ParquetColumnSchema:
        """Return what all columns are inside of."""
        return ParquetColumnSchema(self._said["schema"])

    def column_types(self) -> dict[str, DataType]:
        """Return the types that columns are read as; columns of types that cannot be read are left out."""
        return {name: of for name, of in self._said["types"] if of is not None}


def _by_column(footers: list[dict[str, Any]]) -> dict[str, list[int]]:
    """The sizes of the chunks of every column, not compressed."""
    sizes: dict[str, list[int]] = {}
    for footer in footers:
        for group in footer["row_groups"]:
            for chunk in group["columns"]:
                sizes.setdefault(".".join(chunk["path"]), []).append(chunk["total_uncompressed_size"])
    return sizes


class ParquetMetadata(_Read):
    """Metadata of one or several files of the same columns."""

    def schema(self) -> ParquetSchema:
        """Return the columns, of the first file."""
        return ParquetSchema(self._said[0])

    def num_rows(self) -> int:
        """Return the rows of all files."""
        return sum(footer["num_rows"] for footer in self._said)

    def num_rowgroups(self) -> int:
        """Return the row groups of all files."""
        return sum(self.num_rowgroups_per_file())

    def num_rowgroups_per_file(self) -> list[int]:
        """Return the row groups of each file."""
        return [len(footer["row_groups"]) for footer in self._said]

    def metadata(self) -> dict[str, str]:
        """Return the key-value metadata, of the first file that has a key."""
        return {key: value for footer in reversed(self._said) for key, value in footer["metadata"]}

    def rowgroup_metadata(self) -> list[dict[str, int]]:
        """Return rows and bytes (not compressed) of each row group."""
        groups = [group for footer in self._said for group in footer["row_groups"]]
        return [{"num_rows": g["num_rows"], "total_byte_size": g["total_byte_size"]} for g in groups]

    def columnchunk_metadata(self) -> dict[str, list[int]]:
        """Return the bytes, not compressed, of every column in each row group."""
        return _by_column(self._said)


class SortingColumn(_Read):
    """A column that the rows of a row group are sorted by."""

    @property
    def column_idx(self) -> int:
        """Its number among the columns that have values."""
        return int(self._said[0])

    @property
    def descending(self) -> bool:
        """Whether in descending order."""
        return bool(self._said[1])

    @property
    def nulls_first(self) -> bool:
        """Whether nulls come first."""
        return bool(self._said[2])


class ColumnChunkMetaData(_Read):
    """The values of a column in a row group."""

    @property
    def path_in_schema(self) -> list[str]:
        """The names from the root to the column."""
        return list(self._said["path"])

    @property
    def num_values(self) -> int:
        """The number of values, nulls included."""
        return int(self._said["num_values"])

    @property
    def total_uncompressed_size(self) -> int:
        """Bytes, not compressed."""
        return int(self._said["total_uncompressed_size"])

    @property
    def total_compressed_size(self) -> int:
        """Bytes in the file."""
        return int(self._said["total_compressed_size"])


class ColumnChunk(_Read):
    """A column in a row group: where it is. What is not in the file is 0."""

    @property
    def file_path(self) -> str:
        """The file that it is in; an empty text for that which says so."""
        return self._said["file_path"] or ""

    @property
    def file_offset(self) -> int:
        """The offset of its metadata; 0 in files of today."""
        return int(self._said["file_offset"])

    @property
    def offset_index_offset(self) -> int:
        """The position of the offset index."""
        return int((self._said["offset_index"] or (0, 0))[0])

    @property
    def offset_index_length(self) -> int:
        """The length of the offset index."""
        return int((self._said["offset_index"] or (0, 0))[1])

    @property
    def column_index_offset(self) -> int:
        """The position of the column index."""
        return int((self._said["column_index"] or (0, 0))[0])

    @property
    def column_index_length(self) -> int:
        """The length of the column index."""
        return int((self._said["column_index"] or (0, 0))[1])

    @property
    def schema_idx(self) -> int:
        """The number of the column among those that have values."""
        return int(self._said["number"])

    @property
    def meta_data(self) -> ColumnChunkMetaData:
        """Its values."""
        return ColumnChunkMetaData(self._said)


class RowGroup(_Read):
    """A row group."""

    @property
    def columns(self) -> list[ColumnChunk]:
        """Its columns, those that have values."""
        return [ColumnChunk({**chunk, "number": i}) for i, chunk in enumerate(self._said["columns"])]

    @property
    def total_byte_size(self) -> int:
        """Bytes, not compressed."""
        return int(self._said["total_byte_size"])

    @property
    def num_rows(self) -> int:
        """Its rows."""
        return int(self._said["num_rows"])

    @property
    def sorting_columns(self) -> list[SortingColumn] | None:
        """The columns that its rows are sorted by, where the file has them."""
        sorted_by = self._said["sorting_columns"]
        return None if sorted_by is None else [SortingColumn(one) for one in sorted_by]

    @property
    def file_offset(self) -> int | None:
        """Its position, where the file has it."""
        return self._said["file_offset"]

    @property
    def total_compressed_size(self) -> int | None:
        """Bytes in the file."""
        return self._said["total_compressed_size"]

    @property
    def ordinal(self) -> int | None:
        """Its number, where the file tells."""
        return self._said["ordinal"]


class FileMetaData(_Read):
    """The footer of a file."""

    @classmethod
    def from_bytes(cls, footer_bytes: Any) -> FileMetaData:
        """Return a footer that is given in bytes: as it stands in a file, or a whole file."""
        return cls(_io.parquet_footer(bytes(footer_bytes), True))

    @property
    def version(self) -> int:
        """The version of the format."""
        return int(self._said["version"])

    @property
    def num_rows(self) -> int:
        """The rows of the file."""
        return int(self._said["num_rows"])

    @property
    def created_by(self) -> str:
        """The writer of the file; an empty text where the file does not name it."""
        return self._said["created_by"] or ""

    @property
    def row_groups(self) -> list[RowGroup]:
        """The row groups."""
        return [RowGroup(group) for group in self._said["row_groups"]]

    @property
    def row_group_num_rows(self) -> list[int]:
        """The rows of each row group."""
        return [group["num_rows"] for group in self._said["row_groups"]]

    @property
    def columnchunk_metadata(self) -> dict[str, list[int]]:
        """The bytes, not compressed, of every column in each row group."""
        return _by_column([self._said])


def read_parquet_footers(src_info: SourceInfo) -> list[FileMetaData]:
    """Read only the footers of Parquet files."""
    return [FileMetaData(_io.parquet_footer(source, False)) for source in src_info._all()]


def read_parquet_metadata(src_info: SourceInfo) -> ParquetMetadata:
    """Read only what Parquet files say of themselves."""
    return ParquetMetadata([_io.parquet_footer(source, False) for source in src_info._all()])
