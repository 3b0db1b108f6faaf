"""`pylibcuprum.io.orc`: writers, and statistics of files."""

import io
from datetime import datetime
from decimal import Decimal

import pyarrow as pa
import pytest
from io_tables import TABLE, made, named
from pyarrow import orc as arrow_orc

from pylibcuprum import DataType, Table, TypeId
from pylibcuprum.io import orc
from pylibcuprum.io.types import CompressionType, SinkInfo, SourceInfo, StatisticsFreq

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
