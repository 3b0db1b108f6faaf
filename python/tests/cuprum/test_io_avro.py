"""Avro: files of fastavro read as fastavro reads them."""

import datetime
import decimal
import io

import fastavro
import pytest

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


def test_what_is_refused(tmp_path):
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
    with pytest.raises(FileNotFoundError):
        cuprum.read_avro(tmp_path / "none.avro")
