"""Metadata of Parquet files: schema, row groups, column chunks.

Examples
--------
>>> import cuprum
>>> from pylibcuprum.io.types import SourceInfo
>>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
>>> metadata = read_parquet_metadata(source)
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
    """A column of a Parquet file, and those inside of it.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
    >>> metadata = read_parquet_metadata(source)
    >>> column = metadata.schema().root().child(0)
    >>> column.name(), column.num_children()
    ('a', 0)
    """

    def name(self) -> str:
        """Return the name of the column.

        Returns
        -------
        str
            Its own name, without those of the columns that it is inside of.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> metadata.schema().root().child(1).name()
        'b'
        """
        return str(self._said[0])

    def num_children(self) -> int:
        """Return the number of columns inside of the column.

        Returns
        -------
        int
            0 for a column of plain values.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> metadata.schema().root().num_children()
        2
        """
        return len(self._said[2])

    def child(self, idx: int) -> ParquetColumnSchema:
        """Return one column inside of the column.

        Parameters
        ----------
        idx : int
            Number of the column, from 0.

        Returns
        -------
        ParquetColumnSchema
            The column with that number.

        Raises
        ------
        IndexError
            For a column that there is not.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> metadata.schema().root().child(0).name()
        'a'
        """
        if not 0 <= idx < self.num_children():
            raise IndexError(f"`idx` is {idx}; there are {self.num_children()} children")
        return ParquetColumnSchema(self._said[2][idx])

    def children(self) -> list[ParquetColumnSchema]:
        """Return the columns inside of the column.

        Returns
        -------
        list of ParquetColumnSchema
            The columns in the order of the file.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> [column.name() for column in metadata.schema().root().children()]
        ['a', 'b']
        """
        return [ParquetColumnSchema(child) for child in self._said[2]]


class ParquetSchema(_Read):
    """The columns of a Parquet file.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
    >>> metadata = read_parquet_metadata(source)
    >>> metadata.schema().column_types()
    {'a': DataType(TypeId.INT64), 'b': DataType(TypeId.STRING)}
    """

    def root(self) -> ParquetColumnSchema:
        """Return what all columns of the file are inside of.

        Returns
        -------
        ParquetColumnSchema
            The root, whose children are the columns.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> metadata.schema().root().num_children()
        2
        """
        return ParquetColumnSchema(self._said["schema"])

    def column_types(self) -> dict[str, DataType]:
        """Return the types that the columns of the file are read as.

        Returns
        -------
        dict of str to DataType
            Type of each column by its name; columns of types that cannot be read are left out.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> metadata.schema().column_types()
        {'a': DataType(TypeId.INT64), 'b': DataType(TypeId.STRING)}
        """
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
    """Metadata of one or several Parquet files of the same columns.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
    >>> metadata = read_parquet_metadata(source)
    >>> metadata.num_rows(), metadata.num_rowgroups(), list(metadata.schema().column_types())
    (2, 1, ['a', 'b'])
    """

    def schema(self) -> ParquetSchema:
        """Return the columns of the first file.

        Returns
        -------
        ParquetSchema
            Names and types of the columns.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> list(metadata.schema().column_types())
        ['a', 'b']
        """
        return ParquetSchema(self._said[0])

    def num_rows(self) -> int:
        """Return the number of rows of all files.

        Returns
        -------
        int
            Sum of the rows that the footers count.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> metadata.num_rows()
        2
        """
        return sum(footer["num_rows"] for footer in self._said)

    def num_rowgroups(self) -> int:
        """Return the number of row groups of all files.

        Returns
        -------
        int
            Sum of the row groups of the files.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> metadata.num_rowgroups()
        1
        """
        return sum(self.num_rowgroups_per_file())

    def num_rowgroups_per_file(self) -> list[int]:
        """Return the number of row groups of each file.

        Returns
        -------
        list of int
            One number for each file, in the order of the files.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> metadata.num_rowgroups_per_file()
        [1]
        """
        return [len(footer["row_groups"]) for footer in self._said]

    def metadata(self) -> dict[str, str]:
        """Return the key-value metadata of the files.

        Returns
        -------
        dict of str to str
            Texts by key; of several files with a key the first one counts.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> sorted(metadata.metadata())
        ['ARROW:schema', 'pandas']
        """
        return {key: value for footer in reversed(self._said) for key, value in footer["metadata"]}

    def rowgroup_metadata(self) -> list[dict[str, int]]:
        """Return the numbers of rows and bytes of each row group.

        Returns
        -------
        list of dict
            ``num_rows`` and ``total_byte_size`` (not compressed) of each row group of all files.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> [group["num_rows"] for group in metadata.rowgroup_metadata()]
        [2]
        """
        groups = [group for footer in self._said for group in footer["row_groups"]]
        return [{"num_rows": g["num_rows"], "total_byte_size": g["total_byte_size"]} for g in groups]

    def columnchunk_metadata(self) -> dict[str, list[int]]:
        """Return the bytes of every column in each row group.

        Returns
        -------
        dict of str to list of int
            Bytes, not compressed, by the name of the column, with points between those of nested ones; one
            number for each row group.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
        >>> metadata = read_parquet_metadata(source)
        >>> {name: len(sizes) for name, sizes in metadata.columnchunk_metadata().items()}
        {'a': 1, 'b': 1}
        """
        return _by_column(self._said)


class SortingColumn(_Read):
    """A column that the rows of a row group are sorted by."""

    @property
    def column_idx(self) -> int:
        """The number of the column among those that have values."""
        return int(self._said[0])

    @property
    def descending(self) -> bool:
        """Whether the rows are in descending order."""
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
        """The number of bytes of the values when they are not compressed."""
        return int(self._said["total_uncompressed_size"])

    @property
    def total_compressed_size(self) -> int:
        """The number of bytes in the file."""
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
        """The metadata of the values."""
        return ColumnChunkMetaData(self._said)


class RowGroup(_Read):
    """A row group."""

    @property
    def columns(self) -> list[ColumnChunk]:
        """The columns of the row group, those that have values."""
        return [ColumnChunk({**chunk, "number": i}) for i, chunk in enumerate(self._said["columns"])]

    @property
    def total_byte_size(self) -> int:
        """The number of bytes of the row group when it is not compressed."""
        return int(self._said["total_byte_size"])

    @property
    def num_rows(self) -> int:
        """The number of rows of the row group."""
        return int(self._said["num_rows"])

    @property
    def sorting_columns(self) -> list[SortingColumn] | None:
        """The columns that the rows are sorted by; None where the file does not tell."""
        sorted_by = self._said["sorting_columns"]
        return None if sorted_by is None else [SortingColumn(one) for one in sorted_by]

    @property
    def file_offset(self) -> int | None:
        """The position of the row group; None where the file does not tell."""
        return self._said["file_offset"]

    @property
    def total_compressed_size(self) -> int | None:
        """The number of bytes in the file; None where the file does not tell."""
        return self._said["total_compressed_size"]

    @property
    def ordinal(self) -> int | None:
        """The number of the row group; None where the file does not tell."""
        return self._said["ordinal"]


class FileMetaData(_Read):
    """The footer of a Parquet file.

    Examples
    --------
    >>> import cuprum
    >>> footer = FileMetaData.from_bytes(cuprum.DataFrame({"a": [1, 2]}).to_parquet())
    >>> footer.num_rows, footer.row_group_num_rows, footer.row_groups[0].columns[0].meta_data.path_in_schema
    (2, [2], ['a'])
    """

    @classmethod
    def from_bytes(cls, footer_bytes: Any) -> FileMetaData:
        """Return the footer that bytes have.

        Parameters
        ----------
        footer_bytes : bytes-like
            A footer as it stands in a file, or a whole file.

        Returns
        -------
        FileMetaData
            The footer.

        Raises
        ------
        ValueError
            For bytes that are no footer and no Parquet file.

        Examples
        --------
        >>> import cuprum
        >>> FileMetaData.from_bytes(cuprum.DataFrame({"a": [1, 2]}).to_parquet()).num_rows
        2
        """
        return cls(_io.parquet_footer(bytes(footer_bytes), True))

    @property
    def version(self) -> int:
        """The version of the format."""
        return int(self._said["version"])

    @property
    def num_rows(self) -> int:
        """The number of rows of the file."""
        return int(self._said["num_rows"])

    @property
    def created_by(self) -> str:
        """The writer of the file; an empty text where the file does not name it."""
        return self._said["created_by"] or ""

    @property
    def row_groups(self) -> list[RowGroup]:
        """The row groups of the file."""
        return [RowGroup(group) for group in self._said["row_groups"]]

    @property
    def row_group_num_rows(self) -> list[int]:
        """The number of rows of each row group."""
        return [group["num_rows"] for group in self._said["row_groups"]]

    @property
    def columnchunk_metadata(self) -> dict[str, list[int]]:
        """The bytes, not compressed, of every column in each row group."""
        return _by_column([self._said])


def read_parquet_footers(src_info: SourceInfo) -> list[FileMetaData]:
    """Read only the footers of Parquet files.

    Parameters
    ----------
    src_info : SourceInfo
        The files.

    Returns
    -------
    list of FileMetaData
        Footer of each file, in the order of the files.

    Raises
    ------
    ValueError
        For a source that is no Parquet file.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, 2]}).to_parquet()
    >>> [footer.num_rows for footer in read_parquet_footers(SourceInfo([file, file]))]
    [2, 2]
    """
    return [FileMetaData(_io.parquet_footer(source, False)) for source in src_info._all()]


def read_parquet_metadata(src_info: SourceInfo) -> ParquetMetadata:
    """Read only what Parquet files say of themselves: columns, row groups, key-value metadata.

    Parameters
    ----------
    src_info : SourceInfo
        The files, of the same columns.

    Returns
    -------
    ParquetMetadata
        Metadata of all files together.

    Raises
    ------
    ValueError
        For a source that is no Parquet file.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> source = SourceInfo([cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]}).to_parquet()])
    >>> metadata = read_parquet_metadata(source)
    >>> metadata.num_rows(), list(metadata.schema().column_types())
    (2, ['a', 'b'])
    """
    return ParquetMetadata([_io.parquet_footer(source, False) for source in src_info._all()])
