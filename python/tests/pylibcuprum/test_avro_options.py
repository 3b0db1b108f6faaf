"""`pylibcuprum.io.avro`, beside fastavro."""

import io

import fastavro
import pytest

from pylibcuprum.io.avro import AvroReaderOptions, read_avro
from pylibcuprum.io.types import SourceInfo

ROWS = [{"a": row, "e": "pq"[row % 2]} for row in range(4)]
SYMBOLS = {"type": "enum", "name": "E", "symbols": ["p", "q"]}
SCHEMA = {
    "type": "record",
    "name": "r",
    "fields": [{"name": "a", "type": "long"}, {"name": "e", "type": SYMBOLS}],
}


@pytest.mark.parametrize(
    ("settings", "names", "rows"),
    [
        ({}, ["a", "e"], ROWS),
        ({"columns": ["e", "a"]}, ["e", "a"], ROWS),
        ({"skip_rows": 1}, ["a", "e"], ROWS[1:]),
        ({"num_rows": 2}, ["a", "e"], ROWS[:2]),
        ({"num_rows": -1}, ["a", "e"], ROWS),
        ({"skip_rows": 1, "num_rows": 2}, ["a", "e"], ROWS[1:3]),
    ],
)
def test_settings(settings, names, rows):
    file = io.BytesIO()
    fastavro.writer(file, SCHEMA, ROWS)
    builder = AvroReaderOptions.builder(SourceInfo([file.getvalue()]))
    for setter, value in settings.items():
        builder = getattr(builder, setter)(value)
    result = read_avro(builder.build())
    assert result.column_names() == names
    for name, column in zip(names, result.columns, strict=True):
        assert column.to_arrow().to_pylist() == [row[name] for row in rows]


def test_one_file():
    with pytest.raises(NotImplementedError, match="source"):
        read_avro(AvroReaderOptions.builder(SourceInfo([b"", b""])).build())


def test_nested_columns():
    inner = {"type": "record", "name": "i", "fields": [{"name": "x", "type": ["null", "long"]}]}
    schema = {
        "type": "record",
        "name": "r",
        "fields": [
            {"name": "l", "type": {"type": "array", "items": "long"}},
            {"name": "s", "type": inner},
        ],
    }
    rows = [{"l": [1, 2], "s": {"x": 1}}, {"l": [], "s": {"x": None}}]
    file = io.BytesIO()
    fastavro.writer(file, schema, rows)
    result = read_avro(AvroReaderOptions.builder(SourceInfo([file.getvalue()])).build())
    assert result.columns[0].to_pylist() == [[1, 2], []]
    assert result.columns[1].children()[0].to_pylist() == [1, None]
    (_, items), (name, fields) = result.column_names(include_children=True)
    assert items[0][0] == "offsets" and name == "s" and fields == [("x", [])]
    assert result.child_names["s"] == {"x": {}}


def test_no_names_are_all_columns_and_bytes_are_texts():
    inner = {"type": "record", "name": "i", "fields": [{"name": "x", "type": ["null", "bytes"]}]}
    schema = {
        "type": "record",
        "name": "r",
        "fields": [
            {"name": "b", "type": ["null", "bytes"]},
            {"name": "s", "type": inner},
            {"name": "l", "type": {"type": "array", "items": "bytes"}},
        ],
    }
    rows = [{"b": "é".encode(), "s": {"x": b"z"}, "l": [b"p", b""]}, {"b": None, "s": {"x": None}, "l": []}]
    file = io.BytesIO()
    fastavro.writer(file, schema, rows)
    builder = AvroReaderOptions.builder(SourceInfo([file.getvalue()]))
    result = read_avro(builder.columns([]).build())
    assert result.column_names(include_children=True)[0] == ("b", [])
    texts, structs, lists = (column.to_arrow().to_pylist() for column in result.columns)
    assert texts == ["é", None]
    assert [row["0"] for row in structs] == ["z", None]
    assert lists == [["p", ""], []]
    file = io.BytesIO()
    fastavro.writer(file, schema, [{**rows[0], "b": b"\xff"}])
    with pytest.raises(ValueError, match="column 'b' has bytes that are no UTF-8"):
        read_avro(AvroReaderOptions.builder(SourceInfo([file.getvalue()])).build())
