"""`pylibcuprum.io`: options, sources and types that are refused by name, and that no option is declared in vain."""

import inspect
import io

import pyarrow as pa
import pytest
from io_tables import content

import cuprum
from pylibcuprum import DataType, Table, TypeId, expressions, gpumemoryview
from pylibcuprum.io import avro, csv, datasource, orc, parquet
from pylibcuprum.io import json as plc_json
from pylibcuprum.io.options import Setter, Step
from pylibcuprum.io.types import (
    ColumnEncoding,
    CompressionType,
    FilepathSource,
    SinkInfo,
    SourceInfo,
    StatisticsFreq,
    TableInputMetadata,
)

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
