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
        AvroReaderOptions.builder(SourceInfo([b"", b""]))
