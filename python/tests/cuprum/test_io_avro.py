"""Avro: files of fastavro read as fastavro reads them, and files that fastavro reads as they were written."""

import contextlib
import datetime
import decimal
import io
import uuid

import fastavro
import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum


def written(fields, records, codec="null", **options):
    file = io.BytesIO()
    schema = fastavro.parse_schema({"type": "record", "name": "r", "fields": fields})
    fastavro.writer(file, schema, records, codec=codec, **options)
    return file.getvalue()


def field(name, kind):
    return {"name": name, "type": kind}


FIELDS = [
    field("i", "int"),
    field("l", ["null", "long"]),
    field("f", "float"),
    field("d", ["null", "double"]),
    field("b", "boolean"),
    field("s", ["null", "string"]),
    field("x", "bytes"),
    field("day", {"type": "int", "logicalType": "date"}),
    field("ms", {"type": "long", "logicalType": "timestamp-millis"}),
    field("us", ["null", {"type": "long", "logicalType": "local-timestamp-micros"}]),
    field("n", {"type": "bytes", "logicalType": "decimal", "precision": 10, "scale": 2}),
    field("a", {"type": "array", "items": ["null", "long"]}),
    field("r", {"type": "record", "name": "inner", "fields": [field("k", "long"), field("t", "string")]}),
    field("e", {"type": "enum", "name": "kind", "symbols": ["RED", "BLUE"]}),
]


def record(i):
    some = i % 3 != 1
    return {
        "i": i - 5,
        "l": i * 10**12 if some else None,
        "f": i / 4,
        "d": i / 3 if some else None,
        "b": i % 2 == 0,
        "s": f"größer {i}" if some else None,
        "x": bytes(range(i % 5)),
        "day": datetime.date(2020, 1, 1) + datetime.timedelta(i),
        "ms": datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(milliseconds=i),
        "us": datetime.datetime(1969, 12, 31) + datetime.timedelta(microseconds=i) if some else None,
        "n": decimal.Decimal(i * 7 - 30).scaleb(-2),
        "a": [i, None] * (i % 3),
        "r": {"k": i, "t": str(i)},
        "e": "RED" if some else "BLUE",
    }


@pytest.mark.parametrize("codec", ["null", "deflate", "snappy"])
@pytest.mark.parametrize("rows", [0, 1, 31, 33, 65, 3000])
def test_as_fastavro_reads(codec, rows, tmp_path):
    records = [record(i) for i in range(rows)]
    data = written(FIELDS, records, codec, sync_interval=500)
    path = tmp_path / "a.avro"
    path.write_bytes(data)
    frame = cuprum.read_avro(path)
    assert list(frame.columns) == [f["name"] for f in FIELDS]
    assert len(frame) == rows
    assert str(frame["ms"].dtype) == "datetime64[ms, UTC]"
    assert str(frame["us"].dtype) == "datetime64[us]"
    assert str(frame["e"].dtype) == "category"
    expected = list(fastavro.reader(io.BytesIO(data)))
    for name in frame.columns:
        column = frame[name].to_arrow().to_pylist()
        wanted = [one[name] for one in expected]
        if name == "day":
            column = [getattr(one, "date", lambda one=one: one)() for one in column]
        assert column == wanted, name


def test_some_rows_and_columns():
    data = written(FIELDS, [record(i) for i in range(100)], sync_interval=500)
    frame = cuprum.read_avro(data, columns=["s", "i"], skiprows=40, num_rows=7)
    assert list(frame.columns) == ["s", "i"]
    assert frame["i"].to_list() == list(range(35, 42))
    assert len(cuprum.read_avro(io.BytesIO(data), skiprows=98)) == 2
    assert len(cuprum.read_avro(data, skiprows=200)) == 0
    with pytest.raises(KeyError, match="'bogus'"):
        cuprum.read_avro(data, columns=["bogus"])
    for options in ({"skiprows": -1}, {"num_rows": 1.5}):
        with pytest.raises(ValueError, match=next(iter(options))):
            cuprum.read_avro(data, **options)


@pytest.mark.parametrize("labels", [range(100), range(10, 410, 4)])
def test_some_rows_keep_their_part_of_a_range_in_avro(labels):
    frame = cuprum.DataFrame({"a": range(100), "s": ["text"] * 100}, index=labels)
    file = frame.to_avro()
    assert cuprum.read_avro(file).equals(frame)
    for skip, rows in [(0, 4), (2, 5), (90, None), (99, 9), (100, 1), (3, 0)]:
        got = cuprum.read_avro(file, skiprows=skip, num_rows=rows)
        assert got.equals(frame.iloc[skip : None if rows is None else skip + rows])


def test_ids_in_texts_and_unions_of_one_type():
    """fastavro makes UUIDs of texts that are no more than annotated."""
    uuids = {"type": "string", "logicalType": "uuid"}
    fields = [
        field("u", uuids),
        field("n", ["null", uuids]),
        field("a", {"type": "array", "items": uuids}),
        field("one", ["string"]),
        field("many", {"type": "map", "values": ["long"]}),
    ]
    ids = [uuid.UUID(int=number) for number in (0, 2**127 + 1)]
    rows = [{"u": one, "n": one, "a": ids, "one": str(one), "many": {"k": 7}} for one in ids]
    rows.append({"u": ids[0], "n": None, "a": [], "one": "", "many": {}})
    for codec in ("null", "deflate"):
        frame = cuprum.read_avro(io.BytesIO(written(fields, rows, codec)))
        texts = [str(row["u"]) for row in rows]
        assert frame["u"].to_list() == texts
        assert frame["one"].to_list() == [*texts[:2], ""]
        assert frame["n"].fillna("-").to_list() == [*texts[:2], "-"]
        assert frame["a"].to_list() == [[str(one) for one in row["a"]] for row in rows]
        assert frame["many"].to_list() == [[{"key": "k", "value": 7}]] * 2 + [[]]


def test_arguments_refused_in_avro(tmp_path):
    path = tmp_path / "bad.avro"
    data = written(FIELDS, [record(i) for i in range(50)])

    def refused(content, says, error=ValueError):
        path.write_bytes(content)
        with pytest.raises(error, match=says) as caught:
            cuprum.read_avro(path)
        assert "bad.avro" in str(caught.value)

    refused(b"", "empty")
    refused(b"a,b\n1,2\n", "no Avro file")
    refused(data[:-1], "truncated")
    refused(data[:300], "truncated|cut off")
    refused(written([field("u", ["long", "string"])], [{"u": 1}]), "column 'u'", NotImplementedError)
    clock = {"type": "int", "logicalType": "time-millis"}
    refused(written([field("c", clock)], [{"c": datetime.time(1)}]), "column 'c'", NotImplementedError)
    refused(written([field("i", "int")], [{"i": 1}]).replace(b"null", b"lzma"), "'lzma'", NotImplementedError)
    fields = {
        "next": ["null", "r"],
        "kids": {"type": "array", "items": "r"},
        "by_name": {"type": "map", "values": "r"},
        "other": {"type": "record", "name": "inner", "fields": [field("again", ["null", "inner"])]},
    }
    nothing = {"next": None, "kids": [], "by_name": {}, "other": {"again": None}}
    for name, kind in fields.items():
        content = written([field("v", "long"), field(name, kind)], [{"v": 1, name: nothing[name]}])
        told = "'inner' are inside" if name == "other" else "'r' are inside"
        refused(content, told, NotImplementedError)
    # Twice beside each other is no such type.
    pair = {"type": "record", "name": "pair", "fields": [field("k", "int")]}
    beside = written([field("a", pair), field("b", "pair")], [{"a": {"k": 1}, "b": {"k": 2}}])
    assert cuprum.read_avro(beside)["b"].to_arrow().to_pylist() == [{"k": 2}]
    with pytest.raises(FileNotFoundError):
        cuprum.read_avro(tmp_path / "none.avro")


def table(rows):
    """Columns of every type that a file has as it is."""
    at = range(rows)

    def some(values, step):
        return [None if i % step == 1 else value for i, value in enumerate(values)]

    day = datetime.date(2020, 1, 1)
    time = datetime.datetime(1969, 12, 31, 23, 59, 58, 5000)
    millis = [time + datetime.timedelta(milliseconds=i) for i in at]
    micros = [time + datetime.timedelta(microseconds=i * 7) for i in at]
    return pa.table(
        {
            "i": pa.array(some([i - 5 for i in at], 3), pa.int32()),
            "l": pa.array(some([(i - 3) * 10**15 for i in at], 4), pa.int64()),
            "f": pa.array(some([i / 4 for i in at], 5), pa.float32()),
            "d": pa.array(some([i / 3 for i in at], 6), pa.float64()),
            "b": pa.array(some([i % 3 == 0 for i in at], 4), pa.bool_()),
            "s": pa.array(some([f"größer {i}" * (i % 4) for i in at], 3), pa.string()),
            "x": pa.array(some([bytes(range(i % 5)) for i in at], 7), pa.binary()),
            "ms": pa.array(some(millis, 3), pa.timestamp("ms")),
            "us": pa.array(some(micros, 3), pa.timestamp("us")),
            "utc": pa.array(some(micros, 3), pa.timestamp("us", "UTC")),
            "n": pa.array(
                some([decimal.Decimal(i**9 - 300).scaleb(-2) for i in at], 3), pa.decimal128(38, 2)
            ),
            "a": pa.array(some([[i, None] * (i % 3) for i in at], 5), pa.list_(pa.int64())),
            "r": pa.array(some([{"k": i, "t": str(i)} for i in at], 4)),
            "aa": pa.array([[[i], None, []] for i in at], pa.list_(pa.list_(pa.int64()))),
            "ar": pa.array([[{"k": i}, None] for i in at], pa.list_(pa.struct({"k": pa.int64()}))),
            "day": pa.array(some([day + datetime.timedelta(i) for i in at], 8), pa.date32()),
        }
    )


def records(file):
    return list(fastavro.reader(io.BytesIO(file)))


@pytest.mark.parametrize("compression", [None, "null", "deflate", "snappy", "zstandard"])
@pytest.mark.parametrize("rows", [1, 2, 31, 33, 65, 3000])
def test_written_as_fastavro_reads(compression, rows):
    frame = cuprum.DataFrame.from_arrow(table(rows))
    file = frame.to_avro(compression=compression)
    assert cuprum.read_avro(file).to_arrow() == frame.to_arrow()
    if compression == "zstandard":
        return
    got, expected = records(file), table(rows).to_pylist()
    for one in expected:
        one["utc"] = one["utc"] and one["utc"].replace(tzinfo=datetime.UTC)
    for one in got:
        # Those of days are times here.
        one["day"] = getattr(one["day"], "date", lambda one=one: one["day"])()
    assert got == expected


def test_empty_frames_in_avro():
    none = cuprum.DataFrame({"a": cuprum.Series([], dtype="int64")})
    assert records(none.to_avro()) == []
    assert list(cuprum.read_avro(none.to_avro()).columns) == ["a"]
    assert cuprum.read_avro(none.to_avro())["a"].dtype == "int64"


def test_polars_reads_it():
    # Neither times without a zone nor decimals of more digits are there.
    frame = cuprum.DataFrame.from_arrow(table(3000).select(["i", "l", "f", "d", "b", "s", "x", "a"]))
    for compression in (None, "deflate", "snappy"):
        read = polars.read_avro(io.BytesIO(frame.to_avro(compression=compression)))
        assert read.to_dict(as_series=False) == frame.to_arrow().to_pydict()


def test_row_labels():
    own = cuprum.DataFrame({"a": [1, 2], "b": ["x", None]}, index=cuprum.Index([3, 4], name="key"))
    file = own.to_avro()
    assert records(file) == [{"a": 1, "b": "x", "key": 3}, {"a": 2, "b": None, "key": 4}]
    pd.testing.assert_frame_equal(cuprum.read_avro(file).to_pandas(), own.to_pandas())
    assert list(cuprum.read_avro(file, columns=["b"]).index.to_list()) == [3, 4]
    assert cuprum.read_avro(file, skiprows=1).index.to_list() == [4]
    plain = cuprum.read_avro(own.to_avro(index=False))
    assert (list(plain.columns), plain.index.to_list()) == (["a", "b"], [0, 1])
    steps = cuprum.DataFrame({"a": range(3)}, index=range(4, 10, 2))
    assert records(steps.to_avro()) == [{"a": 0}, {"a": 1}, {"a": 2}]
    assert cuprum.read_avro(steps.to_avro()).index.to_list() == [4, 6, 8]
    assert "__index_level_0__" in records(steps.to_avro(index=True))[0]
    with pytest.raises(ValueError, match="index"):
        own.to_avro(index="yes")


def test_categories():
    values = ["u", "v", None, "u"]
    frame = cuprum.DataFrame(
        {
            "names": pd.Categorical(values, ["w", "v", "u"], ordered=True),
            "texts": pd.Categorical(["a b", "1", None, "1"]),
            "numbers": pd.Categorical([3, 2, None, 3]),
        }
    )
    file = frame.to_avro()
    kinds = {one["name"]: one["type"][1] for one in fastavro.reader(io.BytesIO(file)).writer_schema["fields"]}
    assert kinds["names"]["symbols"] == ["w", "v", "u"]
    assert (kinds["texts"], kinds["numbers"]) == ("string", "long")
    again = cuprum.read_avro(file)
    pd.testing.assert_series_equal(again["names"].to_pandas(), frame["names"].to_pandas())
    assert again["texts"].to_arrow().to_pylist() == ["a b", "1", None, "1"]
    assert again["numbers"].to_arrow().to_pylist() == [3, 2, None, 3]


def test_types_that_become_others():
    frame = cuprum.DataFrame(
        {
            "small": np.array([-128, 127], "int8"),
            "u16": np.array([0, 65535], "uint16"),
            "u32": np.array([0, 2**32 - 1], "uint32"),
            "s": np.array([-1, 2**40], "datetime64[s]"),
            "ns": np.array([-1, 2**62], "datetime64[ns]"),
            "zone": pd.to_datetime(["2020-07-01 12:00", None]).tz_localize("Europe/Berlin"),
        }
    )
    again = cuprum.read_avro(frame.to_avro())
    kinds = ["int32", "int32", "int64", "datetime64[ms]", "datetime64[ns]"]
    assert [str(kind) for kind in again.dtypes][:5] == kinds
    for name in ("small", "u16", "u32", "ns"):
        assert again[name].to_list() == frame[name].to_list()
    assert again["s"].astype("int64").to_list() == [-1000, 2**40 * 1000]
    assert str(again["zone"].to_list()[0]) == "2020-07-01 10:00:00+00:00"


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"a": np.array([1], "uint64")}, "column 'a'.*UInt64"),
        ({"a": np.array([1], "timedelta64[s]")}, "column 'a'.*Duration"),
        ({"a": np.array([2**62], "datetime64[s]")}, "column 'a'"),
        ({"a b": [1]}, "column 'a b'.*no name 'a b'"),
        ({1: [1]}, "column '1'.*no name '1'"),
        ({"a": pa.array([{"k k": 1}])}, "column 'a'.*field 'k k'"),
    ],
)
def test_writing_refuses(columns, says, tmp_path):
    with pytest.raises(NotImplementedError, match=says):
        cuprum.DataFrame(columns).to_avro(tmp_path / "a.avro")
    assert list(tmp_path.iterdir()) == []


def test_writing_refuses_arguments():
    with pytest.raises(ValueError, match="'lzma'"):
        cuprum.DataFrame({"a": [1]}).to_avro(compression="lzma")


TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "i": st.none() | st.integers(-(2**63), 2**63 - 1),
            "d": st.none() | st.floats(allow_nan=False),
            "s": st.none() | TEXTS,
            "x": st.none() | st.binary(max_size=9),
            "l": st.none() | st.lists(st.none() | st.integers(-9, 9), max_size=4),
            "r": st.none() | st.fixed_dictionaries({"k": st.none() | st.booleans()}),
        }
    ),
    max_size=40,
)
SCHEMA = pa.schema(
    {
        "i": pa.int64(),
        "d": pa.float64(),
        "s": pa.string(),
        "x": pa.binary(),
        "l": pa.list_(pa.int64()),
        "r": pa.struct({"k": pa.bool_()}),
    }
)


@given(ROWS, st.sampled_from([None, "deflate", "snappy"]), st.data())
def test_any_rows(rows, compression, data):
    frame = cuprum.DataFrame.from_arrow(pa.Table.from_pylist(rows, SCHEMA))
    start = data.draw(st.integers(0, len(rows)))
    file = frame.iloc[start:].to_avro(index=False, compression=compression)
    assert records(file) == rows[start:]
    assert cuprum.read_avro(file).to_arrow().to_pylist() == rows[start:]


@given(st.data())
def test_damaged_files_are_errors_or_frames_in_avro(data):
    compression = data.draw(st.sampled_from([None, "deflate", "snappy", "zstandard"]))
    file = bytearray(cuprum.DataFrame.from_arrow(table(40)).to_avro(compression=compression))
    for _ in range(data.draw(st.integers(1, 3))):
        file[data.draw(st.integers(0, len(file) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(ValueError, NotImplementedError, OverflowError, MemoryError):
        len(cuprum.read_avro(bytes(file)))


def test_a_gpu_gets_what_the_host_gets_in_avro(tmp_path):
    """Stretches of several blocks, and of one block that is longer, are copied while others are decoded."""
    rows = 150_001
    frame = cuprum.DataFrame(
        {
            "n": [None if i % 1000 == 7 else i for i in range(1000)] * 150 + [5],
            "f": np.arange(rows) / 7,
            "i": np.arange(rows, dtype="int32"),
            "b": np.arange(rows) % 3 == 0,
            "s": [f"größer {i}" if i % 50 else None for i in range(1000)] * 150 + ["last"],
        }
    )
    ours, long = tmp_path / "ours.avro", tmp_path / "long.avro"
    frame.to_avro(ours, index=False)
    # One block of all rows.
    polars.DataFrame(frame.to_arrow()).write_avro(long, compression="snappy")
    short = tmp_path / "short.avro"
    frame.head(3).to_avro(short, index=False)
    nested = tmp_path / "nested.avro"
    nested.write_bytes(written(FIELDS, [record(i) for i in range(100)]))
    for path in (ours, long, short, nested):
        for columns in (None, ["s", "b"] if path != nested else ["s", "a"]):
            here = cuprum.read_avro(path, columns=columns)
            with cuprum.option_context("device", "emulator"):
                there = cuprum.read_avro(path, columns=columns)
            assert there.device == "emulator"
            assert pa.table(there.to_host()).equals(pa.table(here)), (path, columns)
    for name in frame.columns:
        assert cuprum.read_avro(long)[name].equals(frame[name]), name
