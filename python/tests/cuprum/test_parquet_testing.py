"""Every file of apache/parquet-testing that pyarrow reads: read as pyarrow reads it, or refused by name.

The folder is ``parquet-testing`` in that of ``CUPRUM_TEST_DATA``, else in ``shared/data`` beside the checkout.
"""

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from parquet_values import plain

import cuprum

_BESIDE = Path(__file__).resolve().parents[4] / "shared/data"
FOLDER = Path(os.environ.get("CUPRUM_TEST_DATA", _BESIDE)) / "parquet-testing/data"
BAD = sorted(path.name for path in FOLDER.parent.glob("bad_data/*.parquet"))
FILES = sorted(path.name for path in FOLDER.glob("*.parquet"))
# Two texts of a gigabyte, which take half a minute to unpack and pyarrow refuses: `make fuzz` reads them.
LARGE = ["large_string_map.brotli.parquet"]

# Files that pyarrow refuses, with their rows: the keys of a map are not marked as required.
READ_HERE = {
    "incorrect_map_schema.parquet": [
        {"my_map": [{"key": "parent", "value": "another"}, {"key": "name", "value": "report"}]}
    ]
}
# What is refused, and the words that say why.
REFUSED = {
    "byte_stream_split_extended.gzip.parquet": (NotImplementedError, "Float16"),
    "float16_nonzeros_and_nans.parquet": (NotImplementedError, "Float16"),
    "float16_zeros_and_nans.parquet": (NotImplementedError, "Float16"),
    "floating_orders_nan_count.parquet": (NotImplementedError, "Float16"),
    # Times of the year 290000, which pyarrow makes others of.
    "int96_from_spark.parquet": (OverflowError, "INT96"),
    # Footers and pages that do not follow the format.
    "dict-page-offset-zero.parquet": (ValueError, "Expected list element type"),
    "nation.dict-malformed.parquet": (ValueError, "Invalid page header"),
}

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(),
    reason=f"there is no {FOLDER}; CUPRUM_TEST_DATA names the folder that has parquet-testing",
)


@pytest.mark.parametrize("name", FILES)
def test_read_as_pyarrow_reads(name):
    path = FOLDER / name
    if name in LARGE and os.environ.get("HYPOTHESIS_PROFILE") != "thorough":
        pytest.skip("half a minute long")
    if name in LARGE or name in READ_HERE:
        with pytest.raises((OSError, pa.ArrowException)):
            pq.ParquetFile(path).read()
        rows = cuprum.read_parquet(path).to_arrow().to_pylist()
        assert rows == READ_HERE[name] if name in READ_HERE else rows
        return
    expected = pq.ParquetFile(path).read()
    if name in REFUSED:
        error, words = REFUSED[name]
        with pytest.raises(error, match=words):
            cuprum.read_parquet(path)
        return
    frame = cuprum.read_parquet(path)
    if not set(expected.column_names) <= set(frame.columns):
        frame = frame.reset_index()
    assert len(frame) == expected.num_rows
    got = frame.to_arrow()
    for label in expected.column_names:
        column = expected.column(label)
        ours = got.column(label)
        try:
            values = column.to_pylist()
        except OverflowError:
            # Times beyond what Python has.
            assert ours.cast(column.type).equals(column), label
            continue
        theirs = [plain(value, column.type) for value in values]
        assert [plain(value, ours.type) for value in ours.to_pylist()] == theirs, label


@pytest.mark.parametrize("name", BAD)
def test_damaged_files_are_refused(name):
    path = FOLDER.parent / "bad_data" / name
    if name == "ARROW-GH-43605.parquet":  # indices of no bits, which are all 0
        assert cuprum.read_parquet(path).to_arrow().equals(pq.read_table(path))
        return
    with pytest.raises((ValueError, NotImplementedError), match=name) as caught:
        cuprum.read_parquet(path)
    assert "panic" not in str(caught.value)


def test_the_folder_has_what_is_tested():
    assert len(FILES) > 60 and len(BAD) > 5 and set(REFUSED) <= set(FILES)


def test_columns_of_files_are_read_alone():
    """Of a file with a column that is refused the others are read."""
    path = FOLDER / "alltypes_plain.parquet"
    frame = cuprum.read_parquet(path, columns=["id", "bool_col"])
    assert frame.to_arrow().to_pydict() == pq.read_table(path, columns=["id", "bool_col"]).to_pydict()
