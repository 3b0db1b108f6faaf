"""`pylibcuprum.io`: every option of every reader and writer changes the result as it says, or is refused by name."""

import bz2
import gzip
import inspect
import io
import json
import struct
import zoneinfo
from datetime import UTC, datetime
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc as arrow_orc

import cuprum
from pylibcuprum import Column, DataType, Scalar, Table, TypeId, expressions, gpumemoryview
from pylibcuprum.expressions import ASTOperator, ColumnNameReference, ColumnReference, Literal, Operation
from pylibcuprum.io import avro, csv, datasource, orc, parquet, parquet_metadata, text, timezone
from pylibcuprum.io import json as plc_json
from pylibcuprum.io.options import Setter, Step
from pylibcuprum.io.types import (
    ColumnEncoding,
    CompressionType,
    DictionaryPolicy,
    FilepathSource,
    JSONRecoveryMode,
    PartitionInfo,
    QuoteStyle,
    SinkInfo,
    SourceInfo,
    StatisticsFreq,
    TableInputMetadata,
    TableWithMetadata,
)

TABLE = pa.table(
    {
        "a": [1, None, 3, 4],
        "b": ["w", "x", None, "zé"],
        "c": [0.5, 1.5, None, -0.0],
        "l": [[1, 2], [], None, [None]],
        "s": [{"x": 1, "y": "p"}, {"x": None, "y": "q"}, None, {"x": 4, "y": None}],
    }
)
# Names of children as `TABLE` has them.
NAMES = [("a", []), ("b", []), ("c", []), ("l", [("o", []), ("e", [])]), ("s", [("x", []), ("y", [])])]


def named(table=TABLE):
    """What says the names of the columns, and of fields, of a table of Arrow."""
    described = TableInputMetadata(Table.from_arrow(table))
    for field, column in zip(table.schema, described.column_metadata, strict=True):
        column.set_name(field.name)
        if pa.types.is_struct(field.type):
            for i in range(field.type.num_fields):
                column.child(i).set_name(field.type.field(i).name)
    return described


def made(options, settings):
    """Options of a builder to which settings were told; of the options themselves where they have the method."""
    builder, later = options, []
    for name, value in settings:
        if hasattr(builder, name):
            builder = getattr(builder, name)(value)
        else:
            later.append((name, value))
    options = builder.build()
    for name, value in later:
        assert getattr(options, name)(value) is None
    return options


def content(read):
    return dict(zip(read.column_names(), [c.to_arrow().to_pylist() for c in read.columns], strict=True))


# CSV

TEXT = b"# x\na,b,c\n1,x,2020-02-01\n2,NA,2020-03-04\n\n3,'z;1',2020-05-06\n"


def read_csv(settings, text=TEXT):
    return csv.read_csv(made(csv.CsvReaderOptions.builder(SourceInfo([text])), settings))


@pytest.mark.parametrize(
    ("text", "settings", "expected"),
    [
        (b"a,b\n1,x\n", [], {"a": [1], "b": ["x"]}),
        (b"a;b\n1;x\n", [("delimiter", ";")], {"a": [1], "b": ["x"]}),
        (b"a;b\n1;x\n", [("set_delimiter", ";")], {"a": [1], "b": ["x"]}),
        (b"z\na,b\n1,x\n", [("set_header", 1)], {"a": [1], "b": ["x"]}),
        (b"1,x\n", [("set_header", -1)], {"0": [1], "1": ["x"]}),
        (b"1,x\n", [("set_header", -1), ("set_prefix", "p")], {"p0": [1], "p1": ["x"]}),
        (b"a,b\n1,x\n", [("set_names", ["p", "q"])], {"p": [1], "q": ["x"]}),
        (b"a,b\n1,x\n", [("set_use_cols_indexes", [1])], {"b": ["x"]}),
        (b"a,b\n1,x\n", [("set_use_cols_names", ["b"])], {"b": ["x"]}),
        (b'a\n"1,000"\n', [("set_thousands", ",")], {"a": [1000]}),
        (b"#q\na\n1\n", [("set_comment", "#")], {"a": [1]}),
        (b"a\n2020-01-02\n", [("set_parse_dates", ["a"])], {"a": [datetime(2020, 1, 2)]}),
        (
            b"a\n02/01/2020\n",
            [("set_parse_dates", [0]), ("dayfirst", True)],
            {"a": [datetime(2020, 1, 2)]},
        ),
        (b"a,b\n1,2\n", [("set_dtypes", {"a": DataType(TypeId.STRING)})], {"a": ["1"], "b": [2]}),
        (b"a\n1\n", [("set_dtypes", [DataType(TypeId.FLOAT64)])], {"a": [1.0]}),
        (b"a\nyes\n", [("set_true_values", ["yes"])], {"a": [True]}),
        (b"a\nno\n", [("set_false_values", ["no"])], {"a": [False]}),
        (b"a\n7\n8\n", [("set_na_values", ["7"])], {"a": [None, 8]}),
        (gzip.compress(b"a\n1\n", mtime=0), [("compression", CompressionType.GZIP)], {"a": [1]}),
        (b"a,a\n1,2\n", [("mangle_dupe_cols", True)], {"a": [1], "a.1": [2]}),
        (b"a\n1\n2\n3\n", [("byte_range_offset", 3), ("byte_range_size", 3)], {"a": [2, 3]}),
        (b"a\n1\n2\n", [("nrows", 1)], {"a": [1]}),
        (b"a\n1\n2\n", [("nrows", -1)], {"a": [1, 2]}),
        (b"z\na\n1\n", [("skiprows", 1)], {"a": [1]}),
        (b"a\n1\nend\n", [("skipfooter", 1)], {"a": [1]}),
        (b'a\n"x"\n', [("quoting", QuoteStyle.NONE)], {"a": ['"x"']}),
        (b'a\n"1"\n', [("quoting", QuoteStyle.ALL)], {"a": [1]}),
        (b"a|1|2|", [("lineterminator", "|")], {"a": [1, 2]}),
        (b"a,b\n'x,y',1\n", [("quotechar", "'")], {"a": ["x,y"], "b": [1]}),
        (b"a;b\n1,5;2\n", [("delimiter", ";"), ("decimal", ",")], {"a": [1.5], "b": [2]}),
        (b"a  b\n1   2\n", [("delim_whitespace", True)], {"a": [1], "b": [2]}),
        (b"a,b\nx, y\n", [("skipinitialspace", True)], {"a": ["x"], "b": ["y"]}),
        (b"a\n1\n\n2\n", [("skip_blank_lines", False)], {"a": [1, None, 2]}),
        (b'a,b\n"x""y",1\n', [("doublequote", True)], {"a": ['x"y'], "b": [1]}),
        (b"a,b\nNA,1\n", [("keep_default_na", False)], {"a": ["NA"], "b": [1]}),
        (b"a,b\nNA,1\n", [("na_filter", False)], {"a": ["NA"], "b": [1]}),
    ],
)
def test_csv_reader(text, settings, expected):
    assert content(read_csv(settings, text)) == expected


def written_csv(table, settings):
    file = io.StringIO()
    csv.write_csv(made(csv.CsvWriterOptions.builder(SinkInfo([file]), Table.from_arrow(table)), settings))
    return file.getvalue()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ([], "0,1\n1,true\n,false\n"),
        ([("names", ["x", "y"])], "x,y\n1,true\n,false\n"),
        ([("na_rep", "-")], "0,1\n1,true\n-,false\n"),
        ([("include_header", False)], "1,true\n,false\n"),
        ([("rows_per_chunk", 8)], "0,1\n1,true\n,false\n"),
        ([("line_terminator", "|")], "0,1|1,true|,false|"),
        ([("inter_column_delimiter", ";")], "0;1\n1;true\n;false\n"),
        ([("true_value", "T")], "0,1\n1,T\n,false\n"),
        ([("false_value", "F")], "0,1\n1,true\n,F\n"),
        ([("quoting", QuoteStyle.ALL)], '"0","1"\n"1","true"\n"","false"\n'),
    ],
)
def test_csv_writer(settings, expected):
    assert written_csv(pa.table({"a": [1, None], "b": [True, False]}), settings) == expected


# JSON


def read_json(text, settings, **more):
    return plc_json.read_json(made(plc_json.JsonReaderOptions.builder(SourceInfo([text])), settings), **more)


LINES = b'{"a": 1, "b": "x"}\n{"a": null, "b": "y"}\n'


@pytest.mark.parametrize(
    ("text", "settings", "expected"),
    [
        (b'[{"a": 1}, {"a": 2}]', [], {"a": [1, 2]}),
        (LINES, [("lines", True)], {"a": [1, None], "b": ["x", "y"]}),
        (LINES, [("enable_lines", True)], {"a": [1, None], "b": ["x", "y"]}),
        (LINES, [("lines", True), ("byte_range_offset", 3)], {"a": [None], "b": ["y"]}),
        (LINES, [("lines", True), ("byte_range_size", 3)], {"a": [1], "b": ["x"]}),
        (
            gzip.compress(LINES, mtime=0),
            [("lines", True), ("compression", CompressionType.GZIP)],
            {"a": [1, None], "b": ["x", "y"]},
        ),
        (b'{"a": 1}|{"a": 2}|', [("lines", True), ("delimiter", "|")], {"a": [1, 2]}),
        (b'{"a": 1}|{"a": 2}|', [("lines", True), ("set_delimiter", "|")], {"a": [1, 2]}),
        (
            LINES,
            [("lines", True), ("dtypes", [("a", DataType(TypeId.FLOAT32), [])])],
            {"a": [1.0, None], "b": ["x", "y"]},
        ),
        (
            LINES,
            [("lines", True), ("set_dtypes", [DataType(TypeId.STRING)])],
            {"a": ["1", None], "b": ["x", "y"]},
        ),
        (
            LINES,
            [
                ("lines", True),
                ("dtypes", [("b", DataType(TypeId.STRING), []), ("n", DataType(TypeId.INT8), [])]),
                ("prune_columns", True),
            ],
            {"b": ["x", "y"], "n": [None, None]},
        ),
        (b'{"a": 1}\n{"a": "x"}\n', [("lines", True), ("mixed_types_as_string", True)], {"a": ["1", "x"]}),
        (
            b'{"a": 1}\nnonsense\n{"a": 3}\n',
            [("lines", True), ("recovery_mode", JSONRecoveryMode.RECOVER_WITH_NULL)],
            {"a": [1, None, 3]},
        ),
        (LINES, [("lines", True), ("strict_validation", False)], {"a": [1, None], "b": ["x", "y"]}),
    ],
)
def test_json_reader(text, settings, expected):
    assert content(read_json(text, settings)) == expected


def test_json_of_a_column_and_in_pieces():
    texts = Column.from_iterable_of_py(['{"a": [1]}', None, '{"a":\n[2]}'])
    newline, none = Scalar.from_py("|"), Scalar.from_py("{}")
    read = plc_json.read_json_from_string_column(texts, newline, none)
    assert content(read) == {"a": [[1], None, [2]]}
    options = plc_json.JsonReaderOptions.builder(SourceInfo([b'{"a": {"b": [1]}}\n'])).lines(True).build()
    columns, names, inside = plc_json.chunked_read_json(options, 10)
    assert (len(columns), names) == (1, ["a"]) and list(inside["a"]) == ["b"]
    with pytest.raises(ValueError, match="chunk_size"):
        plc_json.chunked_read_json(options, 0)
    with pytest.raises(ValueError, match="line"):
        read_json(b'{"a": 1}\nnonsense\n', [("lines", True)])


def written_json(settings, table=TABLE, names=NAMES):
    file = io.BytesIO()
    there = Table.from_arrow(table)
    builder = plc_json.JsonWriterOptions.builder(SinkInfo([file]), there)
    builder = builder.metadata(TableWithMetadata(there, names))
    plc_json.write_json(made(builder, settings))
    return file.getvalue()


def test_json_writer():
    rows = TABLE.to_pylist()
    assert json.loads(written_json([("include_nulls", True)])) == rows

    def without_nulls(value):
        if isinstance(value, dict):
            return {key: without_nulls(one) for key, one in value.items() if one is not None}
        return value

    assert json.loads(written_json([])) == [without_nulls(row) for row in rows]
    lines = written_json([("lines", True), ("include_nulls", True), ("set_rows_per_chunk", 8)])
    assert [json.loads(line) for line in lines.splitlines()] == rows
    assert "é".encode() in written_json([("utf8_escaped", False)])
    assert "é".encode() not in written_json([("utf8_escaped", True)])
    for setting in ("compression", "set_compression"):
        assert gzip.decompress(written_json([(setting, CompressionType.GZIP)])) == written_json([])
    times = pa.table({"t": pa.array([0, None], pa.timestamp("ms")), "d": pa.array([1, 2], pa.date32())})
    text = written_json([], times, [("t", []), ("d", [])])
    assert b"1970-01-01T00:00:00.000" in text and b"1970-01-02" in text
    sliced = pa.table({"l": [[9], [1, 2], [3]], "s": [{"x": 9}, {"x": 1}, None]}).slice(1)
    text = written_json([("include_nulls", True)], sliced, [("l", []), ("s", [("x", [])])])
    assert json.loads(text) == sliced.to_pylist()
    # Without names columns are numbered.
    file = io.StringIO()
    plc_json.write_json(
        plc_json.JsonWriterOptions.builder(SinkInfo([file]), Table.from_arrow(sliced)).build()
    )
    assert json.loads(file.getvalue())[0] == {"0": [1, 2], "1": {"0": 1}}


# Parquet


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


# ORC

PLAIN = TABLE.select(["a", "b", "c"])


@pytest.mark.parametrize(
    ("settings", "look"),
    [
        ([("compression", CompressionType.ZSTD)], lambda f: f.compression == "ZSTD"),
        ([("compression", CompressionType.NONE)], lambda f: f.compression == "UNCOMPRESSED"),
        (
            [("key_value_metadata", {"k": "v"})],
            lambda f: (
                f.metadata.metadata[b"k"] == b"v"
                if hasattr(f.metadata, "metadata")
                else f.metadata[b"k"] == b"v"
            ),
        ),
        ([("enable_statistics", StatisticsFreq.STATISTICS_ROWGROUP)], lambda f: True),
        ([("set_stripe_size_rows", 2)], lambda f: f.nstripes >= 2),
        ([("set_stripe_size_bytes", 60)], lambda f: f.nstripes >= 2),
        ([("set_row_index_stride", 10000)], lambda f: True),
    ],
)
def test_orc_writers(settings, look):
    file = io.BytesIO()
    builder = orc.OrcWriterOptions.builder(SinkInfo([file]), Table.from_arrow(TABLE)).metadata(named())
    orc.write_orc(made(builder, settings))
    read = arrow_orc.ORCFile(file)
    assert read.read().to_pydict() == TABLE.to_pydict() and look(read)
    file = io.BytesIO()
    options = made(orc.ChunkedOrcWriterOptions.builder(SinkInfo([file])).metadata(named()), settings)
    writer = orc.OrcChunkedWriter.from_options(options)
    writer.write(Table.from_arrow(TABLE))
    writer.write(Table.from_arrow(TABLE))
    with pytest.raises(ValueError, match="metadata"):
        writer.write(Table.from_arrow(PLAIN))
    writer.close()
    read = arrow_orc.ORCFile(file)
    assert read.read().to_pydict() == pa.concat_tables([TABLE, TABLE]).to_pydict() and look(read)


def test_orc_reader_of_more():
    file = io.BytesIO()
    table = pa.table(
        {"t": pa.array([datetime(2020, 1, 2), None]), "l": [[1], None], "d": [Decimal("1.5"), None]}
    )
    arrow_orc.write_table(table, file)
    builder = orc.OrcReaderOptions.builder(SourceInfo([file.getvalue()])).use_index(False)
    for type_id in (TypeId.TIMESTAMP_MILLISECONDS, TypeId.TIMESTAMP_SECONDS):
        options = builder.build()
        options.set_timestamp_type(DataType(type_id))
        options.set_decimal128_columns(["d"])
        read = orc.read_orc(options)
        assert read.columns[0].type().id() == type_id and read.columns[1].to_pylist() == [[1], None]
        assert read.columns[2].type().id() == TypeId.DECIMAL128
        assert read.child_names["l"]


def test_orc_statistics():
    file = io.BytesIO()
    arrow_orc.write_table(PLAIN, file)
    said = orc.read_parsed_orc_statistics(SourceInfo([file.getvalue()]))
    assert said.column_names == ["", "a", "b", "c"]
    for column in (said.file_stats[1], said.stripes_stats[0][1]):
        assert (column.number_of_values, column.has_null) == (3, True)
        assert [column[name] for name in ("minimum", "maximum", "sum")] == [1, 4, 8]
    texts, floats = said.file_stats[2], said.file_stats[3]
    assert (texts["minimum"], texts.get("maximum")) == ("w", "zé")
    assert (floats["minimum"], floats["maximum"], floats["sum"]) == (0.0, 1.5, 2.0)
    assert "minimum" in floats and "no" not in floats and floats.get("no", 3) == 3


# Text and time zones


def test_text(tmp_path):
    for data in ("", "a", "a\r\nb\r\n", "\r\n\r\n", "ä\r\nö"):
        rows = text.multibyte_split(text.make_source(data), "\r\n").to_pylist()
        assert "".join(rows) == data and all(row.endswith("\r\n") for row in rows[:-1])
    options = text.ParseOptions(byte_range=(1, 3), strip_delimiters=True)
    assert text.multibyte_split(text.make_source("a|b|c|d"), "|", options).to_pylist() == ["b"]
    path = tmp_path / "a.txt"
    path.write_text("x|y")
    assert text.multibyte_split(text.make_source_from_file(str(path)), "|").to_pylist() == ["x|", "y"]
    packed = [gzip.compress(part) for part in (b"a|b|", b"c|d", b"")]
    path.write_bytes(b"".join(packed))
    parts = [(-1, -1, "a|b|c|d"), (2, -1, "b|c|d"), (2, len(packed[0]) << 16 | 1, "b|c"), (0, 3, "a|b")]
    for begin, end, expected in parts:
        source = text.make_source_from_bgzip_file(str(path), begin, end)
        assert "".join(text.multibyte_split(source, "|").to_pylist()) == expected
    with pytest.raises(ValueError, match="block"):
        text.make_source_from_bgzip_file(str(path), 9, -1)
    with pytest.raises(ValueError, match="delimiter"):
        text.multibyte_split(text.make_source("a"), "")
    said = text.ByteRangeInfo(1, 2)
    assert (said.offset, said.size) == (1, 2)


ZONES = [
    "Europe/Vienna",
    "America/New_York",
    "Australia/Sydney",
    "Asia/Kolkata",
    "America/Sao_Paulo",
    "Europe/Dublin",
]


@pytest.mark.parametrize("zone", ZONES)
def test_time_zones(zone):
    folder = next(
        (f for f in zoneinfo.TZPATH if (p := __import__("pathlib").Path(f, zone)).exists() and p), None
    )
    if folder is None:
        pytest.skip("the system has no time zones")
    times, offsets = timezone.make_timezone_transition_table(folder, zone).columns()
    times = [t.replace(tzinfo=UTC) if t else t for t in times.to_arrow().to_pylist()]
    offsets = offsets.to_arrow().to_pylist()
    assert len(times) >= 800
    clock = zoneinfo.ZoneInfo(zone)
    for year in (1975, 1999, 2024, 2100, 2250):
        for month in range(1, 13):
            at = datetime(year, month, 15, tzinfo=UTC)
            # The rows after the changes of the file are of its rule; where years are in both, the file is right.
            last = len(times) - 800
            own = [i for i in range(1, last) if times[i] <= at]
            if not (own and own[-1] < last - 1):
                own = [i for i in range(last, len(times)) if times[i] <= at] or own
            expected = at.astimezone(clock).utcoffset()
            assert (offsets[own[-1]] if own else offsets[0]) == expected, (zone, at)


def test_time_zones_that_are_none(tmp_path):
    (tmp_path / "x").write_bytes(b"no zone at all, and long enough for a header of forty-four bytes")
    with pytest.raises(ValueError, match="no file of a time zone"):
        timezone.make_timezone_transition_table(str(tmp_path), "x")
    with pytest.raises(FileNotFoundError):
        timezone.make_timezone_transition_table(str(tmp_path), "no")


# What is refused, and that nothing is left out

REFUSED = {
    csv.CsvReaderOptionsBuilder: {
        "mangle_dupe_cols": False,
        "compression": CompressionType.SNAPPY,
    },
    csv.CsvReaderOptions: {
        "set_parse_hex": [0],
        "set_dtypes": [DataType(TypeId.LIST)],
    },
    plc_json.JsonReaderOptions: {
        **dict.fromkeys(
            (
                "enable_keep_quotes",
                "enable_dayfirst",
                "enable_experimental",
                "enable_normalize_single_quotes",
                "enable_normalize_whitespace",
                "allow_unquoted_control_chars",
                "allow_numeric_leading_zeros",
                "allow_nonnumeric_numbers",
            ),
            True,
        ),
        "set_na_values": ["x"],
    },
    plc_json.JsonReaderOptionsBuilder: {
        **dict.fromkeys(
            (
                "dayfirst",
                "experimental",
                "keep_quotes",
                "nonnumeric_numbers",
                "normalize_single_quotes",
                "normalize_whitespace",
                "numeric_leading_zeros",
                "unquoted_control_chars",
            ),
            True,
        ),
        "compression": CompressionType.ZSTD,
        "na_values": ["x"],
        "utf8_escaped": False,
    },
    plc_json.JsonWriterOptions: {
        "set_true_value": "yes",
        "set_false_value": "no",
        "set_compression": CompressionType.ZSTD,
    },
    plc_json.JsonWriterOptionsBuilder: {
        "na_rep": "x",
        "compression": CompressionType.ZSTD,
    },
    parquet.ParquetReaderOptionsBuilder: {
        "convert_strings_to_categories": True,
        "allow_mismatched_pq_schemas": True,
        "use_arrow_schema": False,
        "use_jit_filter": True,
    },
    parquet.ParquetWriterOptionsBuilder: {
        "int96_timestamps": True,
        "page_level_compression": True,
        "compression": CompressionType.LZO,
    },
    orc.OrcWriterOptionsBuilder: {
        "compression": CompressionType.LZO,
        "enable_statistics": StatisticsFreq.STATISTICS_NONE,
    },
    orc.OrcWriterOptions: {
        "set_row_index_stride": 5000,
    },
}


@pytest.mark.parametrize(
    ("of", "setting", "value"),
    [(of, setting, value) for of, settings in REFUSED.items() for setting, value in settings.items()],
)
def test_values_that_are_not_honoured_are_refused_by_name(of, setting, value):
    options = of.__new__(of)
    options.values = {}
    options._options = options
    argument = [*inspect.signature(getattr(of, setting)).parameters][1]
    with pytest.raises(NotImplementedError, match=f"`{argument}`"):
        getattr(options, setting)(value)
    with pytest.raises(TypeError, match=setting):
        getattr(options, setting)(no_such_argument=value)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.set_nullability(False),
        lambda c: c.set_list_column_as_map(),
        lambda c: c.set_int96_timestamps(True),
        lambda c: c.set_output_as_binary(True),
        lambda c: c.set_type_length(4),
        lambda c: c.set_encoding(ColumnEncoding.DIRECT_V2),
    ],
)
def test_columns_are_refused_by_name(change):
    (column,) = TableInputMetadata(Table.from_arrow(pa.table({"a": [1]}))).column_metadata
    assert column.set_nullability(True).set_int96_timestamps(False).set_name("x").get_name() == "x"
    with pytest.raises(NotImplementedError, match=r"set_|nullable|req|binary|type_length|encoding"):
        change(column)


def test_wrong_types():
    for wrong in (1, "a", None):
        with pytest.raises(TypeError, match="col_names"):
            parquet.ParquetReaderOptions().set_columns(wrong)
    for setter in ("set_num_rows", "set_skip_rows"):
        for wrong in ("1", 1.0, True):
            with pytest.raises(TypeError):
                getattr(parquet.ParquetReaderOptions(), setter)(wrong)
    with pytest.raises(ValueError, match="skip_rows"):
        parquet.ParquetReaderOptions().set_skip_rows(-1)
    with pytest.raises(TypeError, match="compression"):
        csv.CsvReaderOptions.builder(SourceInfo([b""])).compression("gzip")
    with pytest.raises(TypeError, match="filter"):
        parquet.ParquetReaderOptions().set_filter("a > 1")
    with pytest.raises(TypeError, match="builder"):
        csv.CsvReaderOptionsBuilder()
    for wrong in ("x", [], [1]):
        with pytest.raises((TypeError, ValueError), match="sinks"):
            SinkInfo(wrong)


def test_sources(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"a\n1\n")

    class Own(datasource.Datasource):
        def read(self):
            return b"a\n1\n"

    for source in (path, str(path), FilepathSource(path, 4), io.BytesIO(b"a\n1\n"), b"a\n1\n", Own()):
        assert content(csv.read_csv(csv.CsvReaderOptions.builder(SourceInfo([source])).build())) == {"a": [1]}
    with pytest.raises(NotImplementedError, match="source"):
        csv.read_csv(csv.CsvReaderOptions.builder(SourceInfo([path, path])).build())
    with pytest.raises(NotImplementedError, match="read"):
        datasource.Datasource().read()
    assert SourceInfo._is_remote_uri("s3://a/b") and not SourceInfo._is_remote_uri("/a/b")
    options = csv.CsvReaderOptions.builder(SourceInfo([b"x\n"])).build()
    options.set_source(SourceInfo([path]))
    assert content(csv.read_csv(options)) == {"a": [1]}


def test_what_is_supported():
    assert csv.is_supported_write_csv(DataType(TypeId.INT8)) and not csv.is_supported_write_csv(
        DataType(TypeId.LIST)
    )
    assert plc_json.is_supported_write_json(DataType(TypeId.LIST))
    assert not plc_json.is_supported_write_json(DataType(TypeId.DURATION_DAYS))
    for module, name in ((parquet, "parquet"), (orc, "orc")):
        for direction in ("read", "write"):
            supported = getattr(module, f"is_supported_{direction}_{name}")
            assert supported(CompressionType.SNAPPY) and not supported(CompressionType.LZO)


MODULES = [avro, csv, plc_json, orc, parquet]


def test_methods_have_documentation_and_no_option_is_declared_in_vain():
    for module in MODULES:
        for name in module.__all__:
            of = getattr(module, name)
            for method, value in vars(of).items() if isinstance(of, type) else ():
                assert not isinstance(value, (Setter, Step)), (name, method)
                if not method.startswith("_") and callable(value):
                    assert value.__doc__, (name, method)
    assert expressions.Expression


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


def _page_types(data):
    """The types of the data pages of a file: 0 is a page of the first version, 3 one of the second."""
    metadata, found = pq.ParquetFile(io.BytesIO(data)).metadata, set()
    for number in range(metadata.num_columns):
        # A header begins with its type, field 1 of a compact Thrift structure: 0x15 and the number, zigzag.
        at = metadata.row_group(0).column(number).data_page_offset
        assert data[at] == 0x15
        found.add(data[at + 1] >> 1)
    return found


def test_the_header_of_csv_is_there_beside_names():
    options = csv.CsvReaderOptions.builder(SourceInfo([b"a,b\n1,2\n3,4\n"])).build()
    options.set_names(["x", "y"])
    assert content(csv.read_csv(options)) == {"x": [1, 3], "y": [2, 4]}
    options.set_header(-1)
    assert content(csv.read_csv(options)) == {"x": ["a", "1", "3"], "y": ["b", "2", "4"]}
    skipping = csv.CsvReaderOptions.builder(SourceInfo([b"a,b\n1,2\n3,4\n5,6\n"])).skiprows(1).build()
    skipping.set_names(["x", "y"])
    assert content(csv.read_csv(skipping)) == {"x": [3, 5], "y": [4, 6]}


def test_lists_of_json_have_offsets_of_32_bits():
    text = b'{"a": [1, 2], "b": {"c": [[1], null]}}\n{"a": null, "b": null}\n'
    read = plc_json.read_json(plc_json.JsonReaderOptions.builder(SourceInfo([text])).lines(True).build())
    assert read.columns[0].to_arrow().type == pa.list_(pa.int64())
    assert read.columns[0].to_pylist() == [[1, 2], None]
    (inner,) = read.columns[1].children()
    assert inner.to_arrow().type == pa.list_(pa.list_(pa.int64()))
    assert inner.to_arrow().to_pylist()[0] == [[1], None]


def test_compressed_json():
    text = b'{"a": 1}\n{"a": 2}\n'
    for kind, pack in ((CompressionType.BZIP2, bz2.compress), (CompressionType.GZIP, gzip.compress)):
        builder = plc_json.JsonReaderOptions.builder(SourceInfo([pack(text)])).lines(True).compression(kind)
        assert plc_json.read_json(builder.build()).columns[0].to_pylist() == [1, 2]


class Bytes:
    """Memory that somebody else keeps."""

    def __init__(self, buffer):
        self.buffer, self.ptr, self.size = buffer, buffer.ptr, buffer.size


def test_sources_of_memory():
    text = b"a\n1\n2\n"
    buffer = cuprum.rmm.DeviceBuffer.to_device(text)
    elsewhere = cuprum.rmm.DeviceBuffer.to_device(text, cuprum.rmm.Stream("emulator"))
    at_the_end = io.BytesIO()
    at_the_end.write(text)
    for source in (buffer, elsewhere, gpumemoryview(buffer), Bytes(buffer), at_the_end):
        read = csv.read_csv(csv.CsvReaderOptions.builder(SourceInfo([source])).build())
        assert content(read) == {"a": [1, 2]}


def test_sources_are_of_one_kind():
    path = FilepathSource("s3://bucket/object")
    for mixed in ([path, "s3://bucket/other"], ["a", b"b"], [b"a", io.BytesIO()]):
        with pytest.raises(ValueError, match="same type"):
            SourceInfo(mixed)
    with pytest.raises(ValueError, match="int"):
        SourceInfo([123])
    SourceInfo([path, path])
    with pytest.raises(ValueError, match="`source` names no files"):
        csv.read_csv(csv.CsvReaderOptions.builder(SourceInfo([])).build())
