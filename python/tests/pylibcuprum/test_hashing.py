"""``pylibcuprum.hashing`` against mmh3, xxhash and hashlib."""

import datetime as dt
import decimal
import hashlib
import struct

import mmh3
import numpy as np
import pyarrow as pa
import pytest
import xxhash

from pylibcuprum import Table, hashing

DIGESTS = ["md5", "sha1", "sha224", "sha256", "sha384", "sha512"]

#: Values of a type, and how each is laid out in bytes.
COLUMNS = {
    "int8": (pa.array([-1, 0, 127], pa.int8()), lambda x: struct.pack("<b", x)),
    "int64": (pa.array([1, -(2**63), 3]), lambda x: struct.pack("<q", x)),
    "uint32": (pa.array([1, 2**32 - 1], pa.uint32()), lambda x: struct.pack("<I", x)),
    "float32": (pa.array([1.5, 0.0, float("inf")], pa.float32()), lambda x: struct.pack("<f", x)),
    "float64": (pa.array([1.5, 0.0, float("nan")]), lambda x: struct.pack("<d", x)),
    "bool": (pa.array([True, False]), lambda x: bytes([x])),
    "text": (pa.array(["", "a", "日本é", "x" * 300]), str.encode),
    "date": (pa.array([dt.date(1970, 1, 2)]), lambda x: struct.pack("<i", (x - dt.date(1970, 1, 1)).days)),
    "duration": (
        pa.array([dt.timedelta(seconds=-3)], pa.duration("s")),
        lambda x: struct.pack("<q", int(x.total_seconds())),
    ),
    "decimal": (
        pa.array([decimal.Decimal("-1.25")], pa.decimal128(38, 2)),
        lambda x: int(x * 100).to_bytes(16, "little", signed=True),
    ),
    "dictionary": (pa.array(["u", "v", "u"]).dictionary_encode(), str.encode),
}


def table(*columns):
    return Table.from_arrow(pa.table({str(i): column for i, column in enumerate(columns)}))


def combine(before, after):
    return before ^ (after + 0x9E3779B9 + (before << 6) + (before >> 2)) & 0xFFFFFFFF


def murmur(data, seed=0):
    return mmh3.hash(data, seed, signed=False)


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1])
@pytest.mark.parametrize("name", COLUMNS)
def test_values_hash_as_their_bytes(name, seed):
    column, to_bytes = COLUMNS[name]
    data = [to_bytes(value) for value in column.to_pylist()]
    if name == "float64":
        data[-1] = struct.pack("<Q", 0x7FF8000000000000)
    rows = table(column)
    assert hashing.murmurhash3_x86_32(rows, seed).to_pylist() == [murmur(x, seed) for x in data]
    assert hashing.xxhash_32(rows, seed).to_pylist() == [xxhash.xxh32_intdigest(x, seed) for x in data]
    assert hashing.xxhash_64(rows, seed).to_pylist() == [xxhash.xxh64_intdigest(x, seed) for x in data]
    low, high = (half.to_pylist() for half in hashing.murmurhash3_x64_128(rows, seed).columns())
    expected = [mmh3.hash64(x, seed, x64arch=True, signed=False) for x in data]
    assert list(zip(low, high, strict=True)) == expected
    for digest in DIGESTS:
        got = getattr(hashing, digest)(rows).to_pylist()
        assert got == [getattr(hashlib, digest)(x).hexdigest() for x in data]


def test_seeds_of_64_bits():
    data, seed = ["a", "bc"], 2**64 - 2
    expected = [xxhash.xxh64_intdigest(x.encode(), seed) for x in data]
    assert hashing.xxhash_64(table(pa.array(data)), seed).to_pylist() == expected
    with pytest.raises(OverflowError):
        hashing.murmurhash3_x86_32(table(pa.array(data)), seed)


def test_rows_of_several_columns():
    numbers, text = [1, None, -3], ["a", "b", None]
    rows = table(pa.array(numbers), pa.array(text))
    number = [2**32 - 1 if x is None else murmur(struct.pack("<q", x), 5) for x in numbers]
    word = [2**32 - 1 if x is None else murmur(x, 5) for x in text]
    assert hashing.murmurhash3_x86_32(rows, 5).to_pylist() == list(map(combine, number, word))
    seeds = [2**64 - 1 if x is None else xxhash.xxh64_intdigest(struct.pack("<q", x), 5) for x in numbers]
    chained = [
        2**64 - 1 if x is None else xxhash.xxh64_intdigest(x.encode(), seed)
        for x, seed in zip(text, seeds, strict=True)
    ]
    assert hashing.xxhash_64(rows, 5).to_pylist() == chained
    joined = [
        (b"" if x is None else struct.pack("<q", x)) + (y or "").encode()
        for x, y in zip(numbers, text, strict=True)
    ]
    assert hashing.sha256(rows).to_pylist() == [hashlib.sha256(x).hexdigest() for x in joined]


def test_lists_and_structs():
    def u32(value, seed=0):
        return murmur(struct.pack("<I", value), seed)

    lists = pa.array([[1, 2, 3], [], [4]], pa.list_(pa.uint32()))
    expected = []
    for values in lists.to_pylist():
        row = combine(0, u32(len(values)))
        for value in values:
            row = combine(row, u32(value, 9))
        expected.append(row)
    assert hashing.murmurhash3_x86_32(table(lists), 9).to_pylist() == expected
    structs = pa.array(
        [{"a": 1, "b": 2, "c": 3}, {"a": 4, "b": 5, "c": 6}],
        pa.struct([(name, pa.uint32()) for name in "abc"]),
    )
    expected = []
    for row in structs.to_pylist():
        combined = combine(0, u32(row["a"]))
        for name in "bc":
            combined = combine(combined, u32(row[name]))
        expected.append(combined)
    assert hashing.murmurhash3_x86_32(table(structs)).to_pylist() == expected
    nested = hashing.md5(table(pa.array([["a", None, "bc"], None])))
    assert nested.to_pylist() == [hashlib.md5(b"abc").hexdigest(), hashlib.md5(b"").hexdigest()]


@pytest.mark.parametrize("name", ["md5", "sha1", "sha512", "xxhash_64", "murmurhash3_x64_128"])
def test_structs_are_refused(name):
    with pytest.raises(TypeError, match="column 1: a column of type struct"):
        getattr(hashing, name)(table(pa.array([1]), pa.array([{"a": 1}])))
    if name != "md5":
        with pytest.raises(TypeError, match="list"):
            getattr(hashing, name)(table(pa.array([[1]])))


def test_many_rows_and_none():
    numbers = np.arange(100_003)
    rows = table(pa.array(numbers))
    got = hashing.murmurhash3_x86_32(rows).to_pylist()
    expected = [murmur(struct.pack("<q", x)) for x in numbers]
    assert got == expected
    nothing = table(pa.array([], pa.string()))
    assert hashing.sha1(nothing).to_pylist() == []
    assert hashing.murmurhash3_x64_128(nothing).shape() == (0, 2)
