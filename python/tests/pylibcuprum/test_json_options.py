"""`pylibcuprum.io.json`: every option of the reader and the writer changes the result as it says."""

import bz2
import gzip
import io
import json

import pyarrow as pa
import pytest
from io_tables import NAMES, TABLE, content, made

from pylibcuprum import Column, DataType, Scalar, Table, TypeId
from pylibcuprum.io import json as plc_json
from pylibcuprum.io.types import CompressionType, JSONRecoveryMode, SinkInfo, SourceInfo, TableWithMetadata


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
