"""Every example of apache/orc: its rows are those beside it, or it is refused by name.

The folder is ``orc-examples`` in that of ``CUPRUM_TEST_DATA``, else in ``shared/data`` beside the checkout.
"""

import datetime
import decimal
import gzip
import json
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.orc
import pytest

import cuprum

_BESIDE = Path(__file__).resolve().parents[4] / "shared/data"
FOLDER = Path(os.environ.get("CUPRUM_TEST_DATA", _BESIDE)) / "orc-examples/examples"

# What is refused, and the words that say why.
REFUSED = {
    "TestOrcFile.testTimestamp.orc": (NotImplementedError, "rows that are of type timestamp"),
    "TestOrcFile.testUnionAndTimestamp.orc": (NotImplementedError, "column 'union': type uniontype"),
    "TestOrcFile.testWithoutCompressionBlockSize.orc": (NotImplementedError, "rows that are of type"),
    "TestVectorOrcFile.testLzo.orc": (NotImplementedError, "compression LZO"),
    "version1999.orc": (NotImplementedError, "version 19.99 of ORC"),
    "zero.orc": (ValueError, "it is empty"),
    "missing_blob_stream_in_string_dict.orc": (
        ValueError,
        "column 'string_col': there is no dictionary stream",
    ),
    "missing_length_stream_in_string_dict.orc": (ValueError, "'date_string_col': there is no length stream"),
    "negative_dict_entry_lengths.orc": (
        ValueError,
        "column 'date_string_col': a length of 18446744073709551",
    ),
    "stripe_footer_bad_column_encodings.orc": (ValueError, "stripe 0: its footer: byte"),
}
# Whose expected rows have the name of another.
EXPECTED = {"orc_split_elim_new.orc": "orc_split_elim"}

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"there is no {FOLDER}; CUPRUM_TEST_DATA names the folder above orc-examples"
)
FILES = sorted(path.name for path in FOLDER.glob("*.orc"))
CORRUPT = sorted(path.name for path in FOLDER.glob("corrupt/*.orc"))


def shown(value):
    """A value as the expected rows have it."""
    if isinstance(value, dict):
        return {key: shown(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shown(one) for one in value]
    if isinstance(value, bytes):
        return list(value)
    if isinstance(value, datetime.date):
        return str(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def rows(frame):
    """The rows of a frame as the expected ones are."""
    table = pa.table(frame)
    columns = []
    for column in table.columns:
        if pa.types.is_timestamp(column.type):
            texts = column.cast(pa.timestamp("ns")).to_numpy()
            nanos = [None if np.isnat(t) else str(t)[:29].rstrip("0").replace("T", " ") for t in texts]
            columns.append([t + "0" * t.endswith(".") if t else t for t in nanos])
        elif pa.types.is_float32(column.type):
            columns.append(
                [shown(None if v is None else float(str(np.float32(v)))) for v in column.to_pylist()]
            )
        else:
            columns.append(shown(column.to_pylist()))
    return [dict(zip(table.column_names, row, strict=True)) for row in zip(*columns, strict=True)]


def number(text):
    value = decimal.Decimal(text)
    return int(value) if value == value.to_integral_value() else value


def comparable(value):
    """Numbers as what they are, whether they were decimals or floats."""
    if isinstance(value, dict):
        return {key: comparable(one) for key, one in value.items()}
    if isinstance(value, list):
        return [comparable(one) for one in value]
    if isinstance(value, float):
        return number(repr(value))
    if isinstance(value, decimal.Decimal):
        return number(str(value))
    return value


@pytest.mark.parametrize("name", FILES + CORRUPT)
def test_the_rows_of_an_example_are_those_that_are_expected(name):
    path = FOLDER / ("corrupt/" * (name in CORRUPT)) / name
    if name in REFUSED:
        error, words = REFUSED[name]
        with pytest.raises(error, match=words) as caught:
            cuprum.read_orc(path)
        assert name in str(caught.value)
        return
    frame = cuprum.read_orc(path)
    expected = FOLDER / "expected" / f"{EXPECTED.get(name, path.stem)}.jsn.gz"
    if not expected.exists():
        table = pyarrow.orc.read_table(path)
        assert table.num_rows == len(frame) and table.column_names == list(frame.columns)
        if "2038" in name:
            assert {row["time"][4:19] for row in rows(frame.iloc[::1000])} == {"-05-05 12:34:56"}
        return
    with gzip.open(expected, "rt") as file:
        lines = [json.loads(line, parse_float=number) for line in file]
    if name == "TestOrcFile.metaData.orc":
        assert len(lines) == len(frame) == 1
    assert comparable(rows(frame)) == comparable(lines)


def test_what_is_beside_a_union_is_read():
    path = FOLDER / "TestOrcFile.testUnionAndTimestamp.orc"
    expected = pyarrow.orc.read_table(path, columns=["time", "decimal"])
    frame = pa.table(cuprum.read_orc(path, columns=["time", "decimal"]))
    assert frame["decimal"].to_pylist() == expected["decimal"].to_pylist()
    assert frame["time"].cast(pa.int64()).to_pylist() == expected["time"].cast(pa.int64()).to_pylist()


@pytest.mark.parametrize("name", sorted(set(FILES) - set(REFUSED)))
def test_pyarrow_reads_the_same(name):
    expected = pyarrow.orc.read_table(FOLDER / name)
    # All of the rows, and not all of them one by one.
    step = expected.num_rows // 20_000 + 1
    frame = pa.table(cuprum.read_orc(FOLDER / name).iloc[::step])
    expected = expected.take(pa.array(range(0, expected.num_rows, step), pa.int64()))
    for column, other in zip(frame.columns, expected.columns, strict=True):
        if pa.types.is_timestamp(other.type):
            column, other = column.cast(pa.int64()), other.cast(pa.int64())

        def plain(value):
            if isinstance(value, dict):
                return {key: plain(one) for key, one in value.items()}
            if isinstance(value, list):
                return [plain(one) for one in value]
            if isinstance(value, tuple):
                return {"key": value[0], "value": plain(value[1])}
            return value

        assert plain(column.to_pylist()) == plain(other.to_pylist())
