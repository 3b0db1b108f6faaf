"""`pylibcuprum.io.parquet_metadata` and partitions of Parquet files."""

import io
import struct

import pyarrow.parquet as pq
import pytest
from io_tables import TABLE, made, named

from pylibcuprum import DataType, Table, TypeId
from pylibcuprum.io import parquet, parquet_metadata
from pylibcuprum.io.types import PartitionInfo, SinkInfo, SourceInfo


def parquet_file(table=TABLE, **options):
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return file.getvalue()


def test_parquet_with_footers_that_were_read_before():
    file, other = parquet_file(), parquet_file(TABLE.slice(0, 1))
    source = SourceInfo([file, file])
    options = parquet.ParquetReaderOptions.builder(source).build()
    footers = parquet_metadata.read_parquet_footers(source)
    whole = parquet.read_parquet(options).columns[0].to_pylist()
    assert parquet.read_parquet(options, parquet_metadatas=footers).columns[0].to_pylist() == whole
    reader = parquet.ChunkedParquetReader(options, parquet_metadatas=footers)
    assert reader.read_chunk().columns[0].to_pylist() == whole[: len(whole) // 2]
    (wrong,) = parquet_metadata.read_parquet_footers(SourceInfo([other]))
    with pytest.raises(ValueError, match=r"`parquet_metadatas\[1\]`"):
        parquet.read_parquet(options, parquet_metadatas=[footers[0], wrong])
    with pytest.raises(TypeError, match="FileMetaData"):
        parquet.read_parquet(options, parquet_metadatas=[file, file])


def write_parquet(settings, table=TABLE, sinks=None):
    files = sinks or [io.BytesIO()]
    builder = parquet.ParquetWriterOptions.builder(SinkInfo(files), Table.from_arrow(table))
    names = [name for name, _ in settings]
    if "metadata" not in names:
        builder = builder.metadata(named(table))
    footer = parquet.write_parquet(made(builder, settings))
    return files[0].getvalue(), footer


def test_parquet_files_of_partitions(tmp_path):
    first, second = io.BytesIO(), tmp_path / "b.parquet"
    settings = [
        ("set_partitions", [PartitionInfo(0, 3), PartitionInfo(3, 1)]),
        ("set_column_chunks_file_paths", ["a.parquet", "b.parquet"]),
        ("key_value_metadata", [{"k": "1"}, {"k": "2"}]),
    ]
    _, footer = write_parquet(settings, TABLE, [first, second])
    assert pq.read_table(first).to_pydict() == TABLE.slice(0, 3).to_pydict()
    assert pq.read_table(second).to_pydict() == TABLE.slice(3).to_pydict()
    merged = pq.read_metadata(io.BytesIO(bytes(footer)))
    assert (merged.num_rows, merged.num_row_groups) == (4, 2)
    assert [merged.row_group(i).column(0).file_path for i in (0, 1)] == ["a.parquet", "b.parquet"]
    again = parquet.merge_row_group_metadata([footer, footer])
    assert parquet_metadata.FileMetaData.from_bytes(again).num_rows == 8
    with pytest.raises(ValueError, match="partitions"):
        write_parquet([("set_partitions", [PartitionInfo(0, 1)])], TABLE, [first, second])
    with pytest.raises(IndexError, match="partitions"):
        write_parquet([("set_partitions", [PartitionInfo(3, 2)])])


def chunk(footer, column=0):
    return footer.row_group(0).column(column)


def test_parquet_metadata():
    table = TABLE.select(["a", "s"])
    file = parquet_file(
        table, row_group_size=3, write_page_index=True, sorting_columns=[pq.SortingColumn(0, True, True)]
    )
    metadata = parquet_metadata.read_parquet_metadata(SourceInfo([file, file]))
    assert (metadata.num_rows(), metadata.num_rowgroups(), metadata.num_rowgroups_per_file()) == (
        8,
        4,
        [2, 2],
    )
    root = metadata.schema().root()
    assert [child.name() for child in root.children()] == ["a", "s"]
    assert root.child(1).num_children() == 2 and root.child(1).child(0).name() == "x"
    assert metadata.schema().column_types() == {"a": DataType(TypeId.INT64), "s": DataType(TypeId.STRUCT)}
    own = pq.read_metadata(io.BytesIO(file))
    assert [group["num_rows"] for group in metadata.rowgroup_metadata()] == [3, 1, 3, 1]
    assert metadata.columnchunk_metadata()["s.x"][0] == own.row_group(0).column(1).total_uncompressed_size
    assert "ARROW:schema" in metadata.metadata()
    (footer,) = parquet_metadata.read_parquet_footers(SourceInfo([file]))
    length = struct.unpack("<I", file[-8:-4])[0]
    for said in (
        footer,
        *map(parquet_metadata.FileMetaData.from_bytes, (file, file[-8 - length :], file[-8 - length : -8])),
    ):
        assert (said.version, said.num_rows, said.row_group_num_rows) == (2, 4, [3, 1])
        assert said.created_by == own.created_by and list(said.columnchunk_metadata) == ["a", "s.x", "s.y"]
    group, other = footer.row_groups[0], own.row_group(0)
    assert (group.num_rows, group.total_byte_size) == (3, other.total_byte_size)
    assert group.total_compressed_size > 0 and group.ordinal in (0, None) and group.file_offset is not None
    (by,) = group.sorting_columns
    assert (by.column_idx, by.descending, by.nulls_first) == (0, True, True)
    chunk = group.columns[1]
    assert (chunk.schema_idx, chunk.file_path) == (1, "") and chunk.file_offset >= 0
    assert chunk.offset_index_offset > 0 < chunk.offset_index_length
    assert chunk.column_index_offset > 0 < chunk.column_index_length
    assert (chunk.meta_data.path_in_schema, chunk.meta_data.num_values) == (["s", "x"], 3)
    assert chunk.meta_data.total_compressed_size == other.column(1).total_compressed_size
    assert chunk.meta_data.total_uncompressed_size == other.column(1).total_uncompressed_size
    for damaged in (b"", b"PAR1", file[:-9], file[-100:-8]):
        with pytest.raises(ValueError):
            parquet_metadata.FileMetaData.from_bytes(damaged)
