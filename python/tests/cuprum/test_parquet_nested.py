"""Lists, maps and structs in Parquet files of pyarrow, Polars and DuckDB: read as pyarrow reads them."""

import datetime
import random

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from parquet_values import plain

import cuprum

PAIR = pa.struct([("a", pa.int64()), ("s", pa.string()), ("f", pa.list_(pa.float64()))])
TYPES = {
    "l": pa.list_(pa.int64()),
    "t": pa.list_(pa.string()),
    "ll": pa.list_(pa.list_(pa.int32())),
    "r": PAIR,
    "lr": pa.list_(PAIR),
    "rr": pa.struct([("r", PAIR), ("b", pa.bool_())]),
    "m": pa.map_(pa.string(), pa.list_(pa.int16())),
    "w": pa.large_list(pa.timestamp("us")),
    "n": pa.struct([pa.field("i", pa.uint8(), nullable=False)]),
    # What is read by the `parquet` crate.
    "bytes": pa.list_(pa.binary()),
    "fixed": pa.list_(pa.float32(), 2),
    "money": pa.struct([("d", pa.decimal128(20, 2))]),
    "category": pa.list_(pa.dictionary(pa.int32(), pa.string())),
}
SIZES = [0, 1, 31, 32, 33, 63, 64, 65, 1000]


def value(of, chance, share, nullable=True):
    """Return a value of a type; so many of a hundred are None."""
    if nullable and chance.randrange(100) < share:
        return None
    if pa.types.is_map(of):
        keys = {f"k{chance.randrange(9)}" for _ in range(chance.randrange(4))}
        return [(key, value(of.item_type, chance, share)) for key in sorted(keys)]
    if pa.types.is_struct(of):
        return {field.name: value(field.type, chance, share, field.nullable) for field in of}
    if pa.types.is_fixed_size_list(of):
        return [value(of.value_type, chance, share) for _ in range(of.list_size)]
    if pa.types.is_dictionary(of):
        return value(of.value_type, chance, 0)
    if hasattr(of, "value_type"):
        many = 300 if chance.randrange(60) == 0 else 4
        return [value(of.value_type, chance, share) for _ in range(chance.randrange(many))]
    if pa.types.is_string(of):
        return "größer" * chance.randrange(3)
    if pa.types.is_binary(of):
        return bytes(chance.randrange(5))
    number = chance.randrange(100)
    return bool(number % 2) if pa.types.is_boolean(of) else number


def table(rows, seed, share, names=TYPES):
    """Return a table with a column of every type."""
    chance = random.Random(seed)
    columns = {name: [value(TYPES[name], chance, share) for _ in range(rows)] for name in names}
    return pa.table({name: pa.array(column, TYPES[name]) for name, column in columns.items()})


def assert_read(path, **options):
    """Assert that we read what pyarrow reads."""
    expected = pq.read_table(path, **options)
    got = cuprum.read_parquet(path, **options).to_arrow()
    assert got.num_rows == expected.num_rows
    for name in expected.column_names:
        ours, theirs = got.column(name), expected.column(name)
        values = [plain(value, theirs.type) for value in theirs.to_pylist()]
        assert [plain(value, ours.type) for value in ours.to_pylist()] == values, name
        ours.validate(full=True)


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("share", [0, 20, 100])
def test_sizes_in_nested_parquet(rows, share, tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(table(rows, rows + share, share), path, row_group_size=300)
    assert_read(path)


@pytest.mark.parametrize(
    "options",
    [
        # Pages of version 1 end within rows, those of version 2 with one.
        {"data_page_size": 64, "write_batch_size": 3},
        {"data_page_size": 64, "write_batch_size": 3, "use_dictionary": False},
        {"data_page_size": 64, "write_batch_size": 3, "data_page_version": "2.0"},
        {"data_page_size": 64, "write_batch_size": 3, "write_page_index": True, "row_group_size": 130},
        {"compression": "none", "data_page_version": "2.0", "use_dictionary": False},
        *[{"compression": codec} for codec in ("gzip", "zstd", "lz4", "brotli")],
        {"use_dictionary": False, "column_encoding": "PLAIN"},
        {"use_dictionary": False, "column_encoding": {"ll.list.element.list.element": "DELTA_BINARY_PACKED"}},
        {"use_dictionary": False, "column_encoding": {"t.list.element": "DELTA_BYTE_ARRAY"}},
        {"use_dictionary": False, "column_encoding": {"t.list.element": "DELTA_LENGTH_BYTE_ARRAY"}},
        {"use_dictionary": False, "column_encoding": {"l.list.element": "BYTE_STREAM_SPLIT"}},
        {"use_compliant_nested_type": False, "store_schema": False},
    ],
    ids=str,
)
def test_layouts_in_nested_parquet(options, tmp_path):
    path = tmp_path / "a.parquet"
    names = [name for name in TYPES if "column_encoding" not in options or name not in ("rr", "n")]
    pq.write_table(table(400, 3, 10, names), path, **options)
    assert_read(path)


def test_types_that_pyarrow_keeps_beside_the_values(tmp_path):
    """Dictionaries stay what they are; dates in milliseconds are days in the file."""
    categories = pa.array([["b", None], None, ["a", "b"]], pa.list_(pa.dictionary(pa.int32(), pa.string())))
    days = pa.array([{"d": 86_400_000}, None, {"d": None}], pa.struct([("d", pa.date64())]))
    nothing = pa.array([[None], None, []], pa.list_(pa.null()))
    pq.write_table(pa.table({"c": categories, "d": days, "n": nothing}), tmp_path / "a.parquet")
    got = cuprum.read_parquet(tmp_path / "a.parquet").to_arrow()
    assert pa.types.is_dictionary(got.column("c").type.value_type)
    assert got.column("c").to_pylist() == categories.to_pylist()
    assert got.column("d").to_pylist() == [{"d": datetime.datetime(1970, 1, 2)}, None, {"d": None}]
    assert got.column("n").to_pylist() == nothing.to_pylist()


def test_rows_of_a_filter_and_of_pieces(tmp_path):
    """Rows in the middle of row groups, with and without the places of pages."""
    path = tmp_path / "a.parquet"
    whole = table(3000, 5, 10).append_column("row", pa.array(range(3000)))
    whole = pa.concat_tables([whole] * 10)
    for index in (False, True):
        pq.write_table(whole, path, data_page_size=512, row_group_size=20_000, write_page_index=index)
        assert_read(path, filters=[("row", "in", [2, 2999])])
        for rows in ({"skip_rows": 1234, "nrows": 10}, {"skip_rows": 19_990, "nrows": 20}):
            got = cuprum.read_parquet(path, **rows).to_arrow()
            expected = whole.slice(rows["skip_rows"], rows["nrows"])
            for name in whole.column_names:
                ours, theirs = got.column(name), expected.column(name)
                values = [plain(value, theirs.type) for value in theirs.to_pylist()]
                assert [plain(value, ours.type) for value in ours.to_pylist()] == values, name


def test_files_of_polars_and_duckdb(tmp_path):
    path = tmp_path / "a.parquet"
    whole = table(700, 7, 15, ["l", "t", "ll", "r", "lr", "rr", "w"])
    for pages in (None, 500):
        pl.from_arrow(whole).write_parquet(path, row_group_size=200, data_page_size=pages)
        assert_read(path)
    for options in ("", ", PARQUET_VERSION v2", ", COMPRESSION zstd"):
        duckdb.sql(f"COPY (FROM whole) TO '{path}' (FORMAT parquet{options})")
        assert_read(path)
