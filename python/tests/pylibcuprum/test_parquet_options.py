"""`pylibcuprum.io.parquet`: every option of the readers and writers changes the result as it says."""

import io
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from io_tables import TABLE, content, made, named

from pylibcuprum import Scalar, Table, TypeId
from pylibcuprum.expressions import ASTOperator, ColumnNameReference, ColumnReference, Literal, Operation
from pylibcuprum.io import parquet
from pylibcuprum.io.types import (
    ColumnEncoding,
    CompressionType,
    DictionaryPolicy,
    SinkInfo,
    SourceInfo,
    StatisticsFreq,
)


def parquet_file(table=TABLE, **options):
    file = io.BytesIO()
    pq.write_table(table, file, **options)
    return file.getvalue()


def read_parquet(settings, file=None):
    sources = file if isinstance(file, list) else [file or parquet_file(row_group_size=2)]
    return parquet.read_parquet(made(parquet.ParquetReaderOptions.builder(SourceInfo(sources)), settings))


def formula(op, column, value):
    of = ColumnNameReference(column) if isinstance(column, str) else ColumnReference(column)
    return Operation(op, of, Literal(Scalar.from_py(value)))


LESS, GREATER = ASTOperator.LESS, ASTOperator.GREATER


EITHER = formula(GREATER, "a", 3), formula(GREATER, "c", 1.0)


@pytest.mark.parametrize(
    ("settings", "columns", "rows"),
    [
        ([], None, [0, 1, 2, 3]),
        ([("set_row_groups", [[1]])], None, [2, 3]),
        ([("set_num_rows", 1)], None, [0]),
        ([("set_num_rows", -1)], None, [0, 1, 2, 3]),
        ([("set_skip_rows", 3)], None, [3]),
        *[
            ([(name, ["c", "a"])], ["c", "a"], [0, 1, 2, 3])
            for name in ("set_columns", "set_column_names", "columns", "column_names")
        ],
        ([("columns", ["c", "no"])], ["c"], [0, 1, 2, 3]),
        *[([(name, [1, 0])], ["b", "a"], [0, 1, 2, 3]) for name in ("set_column_indices", "column_indices")],
        ([("columns", ["B"]), ("case_sensitive_names", False)], ["b"], [0, 1, 2, 3]),
        ([("columns", ["B"]), ("enable_case_sensitive_names", False)], ["b"], [0, 1, 2, 3]),
        ([("columns", ["B"])], [], [0, 1, 2, 3]),
        ([("set_filter", formula(GREATER, 0, 2))], None, [2, 3]),
        ([("columns", ["b"]), ("set_filter", formula(GREATER, "a", 3))], ["b"], [3]),
        (
            [("columns", ["b"]), ("set_filter", Operation(ASTOperator.NOT, formula(LESS, "a", 3)))],
            ["b"],
            [2, 3],
        ),
        ([("set_filter", Operation(ASTOperator.NULL_LOGICAL_OR, *EITHER))], None, [1, 3]),
        (
            # The plain one is null where one side is.
            [
                (
                    "set_filter",
                    Operation(ASTOperator.LOGICAL_OR, formula(GREATER, "a", 3), formula(GREATER, "c", 1.0)),
                )
            ],
            None,
            [3],
        ),
        ([("set_filter", Operation(ASTOperator.IS_NULL, ColumnReference(0)))], None, [1]),
        ([("use_pandas_metadata", False)], None, [0, 1, 2, 3]),
        ([("use_arrow_schema", True), ("use_jit_filter", False)], None, [0, 1, 2, 3]),
    ],
)
def test_parquet_reader(settings, columns, rows):
    expected = TABLE.take(rows)
    expected = expected if columns is None else expected.select(columns)
    read = read_parquet(settings)
    assert read.column_names() == expected.column_names
    for column, own in zip(read.columns, expected.column_names, strict=True):
        if own == "s":
            # A column of a table knows no names of fields.
            expected_rows = [
                None if row is None else tuple(row.values()) for row in expected[own].to_pylist()
            ]
            fields = zip(*(child.to_pylist() for child in column.children()), strict=True)
            assert [row for row in fields if any(row)] == [row for row in expected_rows if row]
        else:
            assert column.to_arrow().to_pylist() == expected[own].to_pylist()
    assert read.num_input_row_groups == 2


def test_parquet_reader_of_what_files_say():
    schema = pa.schema(
        [pa.field("a", pa.int64(), metadata={"PARQUET:field_id": "7"}), pa.field("b", pa.int8())]
    )
    table = pa.table({"a": [1], "b": pa.array([2], pa.int8())}, schema=schema)
    for name in ("set_column_field_ids", "column_field_ids"):
        assert content(read_parquet([(name, [7])], parquet_file(table))) == {"a": [1]}
    with pytest.raises(KeyError, match="column_field_ids"):
        read_parquet([("column_field_ids", [8])], parquet_file(table))
    with pytest.raises(KeyError):
        read_parquet([("columns", ["no"]), ("ignore_missing_columns", False)])
    frame = TABLE.select(["a", "c"]).to_pandas().set_index("c")
    labelled = parquet_file(pa.Table.from_pandas(frame))
    assert read_parquet([("columns", ["a"])], labelled).column_names() == ["a", "c"]
    assert read_parquet([("columns", ["a"]), ("use_pandas_metadata", False)], labelled).column_names() == [
        "a"
    ]
    money = pa.table({"d": pa.array([Decimal("1.25"), None], pa.decimal128(9, 2))})
    for width in (TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128):
        (column,) = read_parquet([("decimal_width", width)], parquet_file(money)).columns
        assert column.type().id() == width and column.to_arrow().to_pylist() == [Decimal("1.25"), None]
    two = [parquet_file(TABLE), parquet_file(TABLE)]
    read = read_parquet([("set_skip_rows", 3), ("set_num_rows", 2)], two)
    assert content(read)["a"] == [4, 1] and read.num_rows_per_source == [1, 1]
    assert len(read.per_file_user_data) == 2
    assert read.column_names(include_children=True)[4] == ("s", [("x", []), ("y", [])])
    assert read.num_row_groups_after_stats_filter is None and read.num_row_groups_after_bloom_filter is None
    assert parquet.ParquetReaderOptions().is_enabled_use_jit_filter() is False
    assert parquet.ParquetReaderOptions().is_enabled_case_sensitive_names() is True


def test_parquet_in_pieces():
    rows = 20_000
    table = pa.table({"n": range(rows), "t": ["x" * (i // 100) for i in range(rows)]})
    file = parquet_file(table, row_group_size=7_000)
    options = parquet.ParquetReaderOptions.builder(SourceInfo([file, file])).build()
    for limit, most in [(0, 0), (50_000, 0), (0, 200_000)]:
        reader = parquet.ChunkedParquetReader(options, chunk_read_limit=limit, pass_read_limit=most)
        pieces = []
        while reader.has_next():
            piece = reader.read_chunk()
            assert not limit or sum(c.device_buffer_size() for c in piece.columns) <= limit
            pieces.append(pa.table([c.to_arrow() for c in piece.columns], table.column_names))
        assert pa.concat_tables([table, table]).to_pydict() == pa.concat_tables(pieces).to_pydict()
        assert len(pieces) == 2 if not (limit or most) else len(pieces) > 8
        with pytest.raises(StopIteration):
            reader.read_chunk()
    options.set_filter(Operation(ASTOperator.NOT, formula(GREATER, "n", 10)))
    reader = parquet.ChunkedParquetReader(options, chunk_read_limit=50_000)
    found = 0
    while reader.has_next():
        found += reader.read_chunk().tbl.num_rows()
    assert found == 22
    with pytest.raises(ValueError, match="chunk_read_limit"):
        parquet.ChunkedParquetReader(options, chunk_read_limit=-1)
    with pytest.raises(ValueError, match="parquet_metadatas"):
        parquet.ChunkedParquetReader(options, parquet_metadatas=[])


def write_parquet(settings, table=TABLE, sinks=None):
    files = sinks or [io.BytesIO()]
    builder = parquet.ParquetWriterOptions.builder(SinkInfo(files), Table.from_arrow(table))
    names = [name for name, _ in settings]
    if "metadata" not in names:
        builder = builder.metadata(named(table))
    footer = parquet.write_parquet(made(builder, settings))
    return files[0].getvalue(), footer


def chunk(footer, column=0):
    return footer.row_group(0).column(column)


def footer_of(settings, table=TABLE):
    return pq.read_metadata(io.BytesIO(write_parquet(settings, table)[0]))


@pytest.mark.parametrize(
    ("setting", "value", "look", "expected"),
    [
        ("compression", CompressionType.NONE, lambda f: chunk(f).compression, "UNCOMPRESSED"),
        ("compression", CompressionType.ZSTD, lambda f: chunk(f).compression, "ZSTD"),
        ("key_value_metadata", [{"k": "v"}], lambda f: f.metadata[b"k"], b"v"),
        ("stats_level", StatisticsFreq.STATISTICS_NONE, lambda f: chunk(f).is_stats_set, False),
        ("stats_level", StatisticsFreq.STATISTICS_PAGE, lambda f: chunk(f).is_stats_set, True),
        ("row_group_size_rows", 1, lambda f: f.num_row_groups, 4),
        ("set_row_group_size_rows", 2, lambda f: f.num_row_groups, 2),
        ("set_row_group_size_bytes", 60, lambda f: f.num_row_groups > 1, True),
        ("dictionary_policy", DictionaryPolicy.NEVER, lambda f: chunk(f, 1).has_dictionary_page, False),
        ("write_arrow_schema", True, lambda f: b"ARROW:schema" in f.metadata, True),
        ("write_arrow_schema", False, lambda f: f.metadata is None, True),
    ],
)
def test_parquet_writer(setting, value, look, expected):
    assert look(footer_of([(setting, value)])) == expected
    read = pq.read_table(io.BytesIO(write_parquet([(setting, value)])[0]))
    assert read.to_pydict() == TABLE.to_pydict()


def test_parquet_writer_of_columns_and_pages():
    times = pa.table({"t": pa.array([1, None], pa.timestamp("us"))})
    for settings, zone in [
        ([], "UTC"),
        ([("utc_timestamps", False)], None),
        ([("utc_timestamps", True)], "UTC"),
    ]:
        read = pq.read_table(io.BytesIO(write_parquet(settings, times)[0]))
        assert read.schema.field("t").type == pa.timestamp("us", zone)
    texts = pa.table({"t": [f"text {i % 500}" for i in range(3000)]})

    def pages(setting, value):
        file, _ = write_parquet([(setting, value), ("dictionary_policy", DictionaryPolicy.NEVER)], texts)
        return len(file)

    plain = pages("set_max_page_size_rows", 10**6)
    assert pages("set_max_page_size_rows", 10) > plain
    for name in ("set_max_page_size_bytes", "max_page_size_bytes"):
        assert pages(name, 100) > plain
    always = [("dictionary_policy", DictionaryPolicy.ALWAYS)]
    small = write_parquet([*always, ("set_max_dictionary_size", 100)], texts)[0]
    assert len(small) != len(write_parquet(always, texts)[0])
    described = named(TABLE.select(["a", "b"]))
    described.column_metadata[0].set_encoding(ColumnEncoding.DELTA_BINARY_PACKED)
    described.column_metadata[1].set_skip_compression(True)
    footer = footer_of([("metadata", described)], TABLE.select(["a", "b"]))
    assert "DELTA_BINARY_PACKED" in footer.row_group(0).column(0).encodings
    assert [footer.row_group(0).column(i).compression for i in (0, 1)] == ["SNAPPY", "UNCOMPRESSED"]
    money = pa.table({"d": pa.array([Decimal("1.25")], pa.decimal128(9, 2))})
    described = named(money)
    described.column_metadata[0].set_decimal_precision(12)
    assert footer_of([("metadata", described)], money).schema.column(0).precision == 12


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("compression", CompressionType.GZIP),
        ("stats_level", StatisticsFreq.STATISTICS_NONE),
        ("row_group_size_rows", 1),
        ("row_group_size_bytes", 40),
        ("max_page_size_bytes", 100),
        ("max_page_size_rows", 1),
        ("max_dictionary_size", 10),
        ("write_arrow_schema", True),
        ("key_value_metadata", [{"k": "v"}]),
        ("set_dictionary_policy", DictionaryPolicy.NEVER),
    ],
)
def test_parquet_table_by_table(tmp_path, setting, value):
    path = tmp_path / "a.parquet"
    builder = parquet.ChunkedParquetWriterOptions.builder(SinkInfo([path])).metadata(named())
    writer = parquet.ChunkedParquetWriter.from_options(made(builder, [(setting, value)]))
    writer.write(Table.from_arrow(TABLE))
    writer.write(Table.from_arrow(TABLE), [(1, 2)])
    assert not path.exists()
    footer = writer.close(["a"])
    assert pq.read_table(path).to_pydict() == pa.concat_tables([TABLE, TABLE.slice(1, 2)]).to_pydict()
    assert pq.read_metadata(io.BytesIO(bytes(footer))).num_rows == 6
    own = pq.read_metadata(path)
    if setting == "compression":
        assert own.row_group(0).column(0).compression == "GZIP"
    if setting.startswith("row_group"):
        assert own.num_row_groups > 2
    with pytest.raises(ValueError, match="closed"):
        writer.close([])


def _page_types(data):
    """The types of the data pages of a file: 0 is a page of the first version, 3 one of the second."""
    metadata, found = pq.ParquetFile(io.BytesIO(data)).metadata, set()
    for number in range(metadata.num_columns):
        # A header begins with its type, field 1 of a compact Thrift structure: 0x15 and the number, zigzag.
        at = metadata.row_group(0).column(number).data_page_offset
        assert data[at] == 0x15
        found.add(data[at + 1] >> 1)
    return found


def test_parquet_pages_of_the_second_version():
    nested = pa.table(
        {
            "l": pa.array([[1, 2], None, [], [None]]),
            "s": pa.array(["a", None, "a", "é"]),
            "f": pa.array([1.5, None, -0.0, 2.0]),
        }
    )
    coded = Table.from_arrow(pa.table({"d": pa.array(["x", "y", None, "x"]).dictionary_encode()}))
    builder = parquet.ParquetWriterOptions.builder(SinkInfo([io.BytesIO()]), coded)
    with pytest.raises(NotImplementedError, match="categories keep their order in pages of version 1"):
        parquet.write_parquet(builder.write_v2_headers(True).build())
    for compression in (CompressionType.NONE, CompressionType.SNAPPY):
        for policy in DictionaryPolicy:
            for version in (False, True):
                file = io.BytesIO()
                builder = parquet.ParquetWriterOptions.builder(SinkInfo([file]), Table.from_arrow(nested))
                builder = builder.compression(compression).dictionary_policy(policy)
                parquet.write_parquet(builder.write_v2_headers(version).build())
                read = pq.read_table(io.BytesIO(file.getvalue()))
                ours = parquet.read_parquet(
                    parquet.ParquetReaderOptions.builder(SourceInfo([file.getvalue()])).build()
                )
                for i, name in enumerate(nested.column_names):
                    assert read.column(i).to_pylist() == nested[name].to_pylist()
                    assert ours.columns[i].to_arrow().to_pylist() == nested[name].to_pylist()
                chunk = pq.ParquetFile(io.BytesIO(file.getvalue())).metadata.row_group(0).column(2)
                # The second version alone calls dictionaries so.
                assert version or "RLE_DICTIONARY" not in chunk.encodings
                assert _page_types(file.getvalue()) == ({3} if version else {0})
