"""CSV and JSON Lines packed by gzip: the same as the text that was packed, whatever the options."""

import csv
import gzip
import io
import json

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import assert_like

import cuprum

# Some megabytes, with line ends in quotes.
ROWS = 20_000
LONG = "a,b,c\n" + "".join(f'{i},"x\n{i % 7},",{i / 8}\n' for i in range(ROWS)) * 2


def members(text, sizes):
    """The text as several members, at several levels."""
    content, packed, at = text.encode(), b"", 0
    for level, size in enumerate([*sizes, len(content)]):
        packed += gzip.compress(content[at : at + size], level % 10)
        at += size
    return packed


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"usecols": ["c", "a"]},
        {"dtype": {"b": "str"}},
        {"dtype": "str"},
        {"skiprows": 1, "header": None},
        {"nrows": 7},
        {"nrows": 30_000},
        {"index_col": "a"},
        {"names": ["x", "y", "z"], "header": 0},
        {"quoting": csv.QUOTE_NONE, "on_bad_lines": "skip"},
        {"na_values": ["7"]},
        {"skipfooter": 3},
        {"thousands": ","},
        {"comment": "#"},
    ],
    ids=str,
)
@pytest.mark.parametrize("last", ["", "x,y,z\n"])
def test_options_in_packed_files(options, last, tmp_path):
    text, path = LONG + last, tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(text.encode(), 1))
    engine = {"engine": "python"} if "skipfooter" in options else {}
    actual = cuprum.read_csv(path, **options)
    assert_like(actual, cuprum.read_csv(text.encode(), **options).to_pandas())
    assert_like(actual, pd.read_csv(io.StringIO(text), **options, **engine))


def test_chunks_in_packed_files(tmp_path):
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(LONG.encode(), 1))
    chunks = list(cuprum.read_csv(path, chunksize=15_000))
    expected = list(pd.read_csv(path, chunksize=15_000))
    assert len(chunks) == len(expected)
    for ours, theirs in zip(chunks, expected, strict=True):
        assert_like(ours, theirs)


@settings(max_examples=20)
@given(st.lists(st.integers(0, 2_000_000), max_size=4), st.sampled_from(["csv", "jsonl"]))
def test_members(sizes, ending):
    if ending == "csv":
        packed, expected = members(LONG, sizes), cuprum.read_csv(LONG.encode())
        actual = cuprum.read_csv(packed, compression="gzip")
    else:
        text = "".join(
            json.dumps({"a": i, "b": [i, None], "c": "é" * (i % 50)}) + "\n" for i in range(30_000)
        )
        expected = cuprum.read_json(text.encode(), lines=True)
        actual = cuprum.read_json(members(text, sizes), lines=True, compression="gzip")
    pd.testing.assert_frame_equal(actual.to_pandas(), expected.to_pandas())


@pytest.mark.parametrize("zeros", [1, 3, 4, 509])
@pytest.mark.parametrize("rows", ["1,2\n", "1,2\n" * 100_000])
def test_zeros_behind_the_end(zeros, rows, tmp_path):
    """Archives are filled with them up to a whole block."""
    text, path = "a,b\n" + rows, tmp_path / "data.csv.gz"
    packed = gzip.compress(text.encode(), 1) + bytes(zeros)
    path.write_bytes(packed)
    expected = pd.read_csv(path)
    for source, more in ((path, {}), (packed, {"compression": "gzip"})):
        for options in ({}, {"skiprows": [9**9]}, {"names": ["a", "b"], "header": 0}):
            assert_like(cuprum.read_csv(source, **options, **more), expected)
        assert_like(cuprum.read_csv(source, nrows=1, **more), expected.head(1))
        assert_like(cuprum.concat(cuprum.read_csv(source, chunksize=60_000, **more)), expected)
    packed = gzip.compress(b'{"a": 1}\n{"a": 2}\n') + bytes(zeros)
    assert cuprum.read_json(packed, lines=True, compression="gzip")["a"].to_list() == [1, 2]


@pytest.mark.parametrize("change", ["cut", "flip", "more", "checksum"])
@pytest.mark.parametrize("read", [cuprum.read_csv, cuprum.read_json], ids=["csv", "jsonl"])
def test_damage(read, change, tmp_path):
    text = LONG if read is cuprum.read_csv else "".join(f'{{"a":{i}}}\n' for i in range(300_000))
    packed = bytearray(gzip.compress(text.encode(), 1))
    if change == "cut":
        del packed[-9:]
    elif change == "more":
        packed += b"more"
    else:
        packed[len(packed) // 2 if change == "flip" else -6] ^= 0x40
    path = tmp_path / "data.gz"
    path.write_bytes(packed)
    with pytest.raises(ValueError, match=r"data\.gz.*(truncated|damaged|gzip)"):
        read(path, **({} if read is cuprum.read_csv else {"lines": True}))


def test_fields_that_do_not_fit_have_their_line(tmp_path):
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress((LONG + "1,2,3,4\n").encode(), 1))
    with pytest.raises(ValueError, match=rf"data\.csv\.gz: line {4 * ROWS + 2} has 4 fields, expected 3"):
        cuprum.read_csv(path)
    with pytest.raises(ValueError, match="line 2, column 'b': 'x\n0,' is not int64"):
        cuprum.read_csv(path, dtype={"b": "int64"})
