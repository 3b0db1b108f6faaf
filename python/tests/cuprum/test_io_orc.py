"""ORC: files of pyarrow read as pyarrow reads them, and files of ours read by pyarrow."""

import datetime
import decimal
import io
import random

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.orc
import pytest

import cuprum

CODECS = ["uncompressed", "snappy", "zlib", "lz4", "zstd"]


def table(rows, seed=0, nulls=True):
    """A table of all types."""
    draw = random.Random(seed)

    def some(make):
        return [None if nulls and draw.random() < 0.2 else make(i) for i in range(rows)]

    day = datetime.date(2020, 1, 1)
    time = datetime.datetime(2020, 1, 1)
    pair = pa.struct([("k", pa.int64()), ("t", pa.string())])
    columns = {
        "flag": pa.array(some(lambda i: i % 3 == 0), pa.bool_()),
        "i8": pa.array(some(lambda i: i % 256 - 128), pa.int8()),
        "i16": pa.array(some(lambda i: draw.randrange(-(2**15), 2**15)), pa.int16()),
        "i32": pa.array(some(lambda i: i // 7), pa.int32()),
        "up": pa.array(some(lambda i: i * 3 + draw.randrange(3)), pa.int64()),
        "down": pa.array(some(lambda i: -i * 1000), pa.int64()),
        "wide": pa.array(some(lambda i: draw.randrange(-(2**63), 2**63)), pa.int64()),
        # Mostly small, with some large ones: patches.
        "spikes": pa.array(some(lambda i: draw.choice([*range(20), 10**12])), pa.int64()),
        "f32": pa.array(some(lambda i: draw.random()), pa.float32()),
        "f64": pa.array(some(lambda i: draw.choice([i / 3, float("inf"), -0.0])), pa.float64()),
        "few": pa.array(some(lambda i: draw.choice(["", "größer", "b" * 40])), pa.string()),
        "many": pa.array(some(lambda i: f"text {draw.random()}"), pa.string()),
        "bytes": pa.array(some(lambda i: bytes(range(i % 5))), pa.binary()),
        "day": pa.array(
            some(lambda i: day + datetime.timedelta(draw.randrange(-50_000, 50_000))), pa.date32()
        ),
        "time": pa.array(
            some(lambda i: time + datetime.timedelta(microseconds=draw.randrange(-(5 * 10**15), 5 * 10**15))),
            pa.timestamp("ns"),
        ),
        "instant": pa.array(
            some(lambda i: time + datetime.timedelta(seconds=i)), pa.timestamp("ns", tz="UTC")
        ),
        "d9": pa.array(
            some(lambda i: decimal.Decimal(draw.randrange(-(10**9), 10**9)).scaleb(-2)), pa.decimal128(12, 2)
        ),
        "d38": pa.array(
            some(lambda i: decimal.Decimal(draw.randrange(-(10**30), 10**30))), pa.decimal128(38, 0)
        ),
        "list": pa.array(some(lambda i: [i, None] * (i % 4)), pa.list_(pa.int32())),
        "pair": pa.array(some(lambda i: {"k": i, "t": None if i % 2 else str(i)}), pair),
        "deep": pa.array(some(lambda i: [{"k": i, "t": "x"}, None][: i % 3]), pa.list_(pair)),
    }
    return pa.table(columns)


def written(of, **options):
    file = io.BytesIO()
    pyarrow.orc.write_table(of, file, **options)
    return file.getvalue()


def same(frame, expected):
    """The frame has the rows of pyarrow's table."""
    own = pa.table(frame)
    assert own.column_names == expected.column_names
    for name in expected.column_names:
        one, other = own[name], expected[name]
        if pa.types.is_timestamp(other.type):
            one, other = one.cast(pa.int64()), other.cast(pa.int64())
        assert one.to_pylist() == other.to_pylist(), name


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("rows", [0, 1, 7, 1100])
def test_files_of_pyarrow_in_orc(codec, rows):
    of = table(rows)
    for options in ({}, {"stripe_size": 2000, "dictionary_key_size_threshold": 1.0, "row_index_stride": 100}):
        same(cuprum.read_orc(written(of, compression=codec, **options)), of)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("rows", [0, 1, 7, 1100])
def test_pyarrow_reads_ours(codec, rows):
    of = table(rows, seed=rows)
    frame = cuprum.DataFrame.from_arrow(of)
    for options in ({}, {"stripe_size_rows": 300}, {"index": False}):
        file = frame.to_orc(compression=codec, **options)
        back = pyarrow.orc.read_table(io.BytesIO(file))
        same(frame, back)
        same(cuprum.read_orc(file), back)
    assert pyarrow.orc.ORCFile(io.BytesIO(frame.to_orc(stripe_size_rows=300))).nstripes == -(-rows // 300)


def test_every_run_of_numbers():
    patterns = [
        [5] * 3, [5] * 10, [5] * 11, [0], [2**63 - 1, -(2**63)], list(range(512)), list(range(513)),
        list(range(1000, 0, -3)), [i * i for i in range(600)], [1, 2, 2, 3, 3, 3, 9], [-1, -2, -2], [7, 7, 8],
        [2**62, -(2**62), 2**62], *[[(1 << bits) - 1, 0, 1] * 50 for bits in range(1, 63)],
    ]  # fmt: skip
    for values in patterns:
        frame = cuprum.DataFrame({"q": values})
        file = frame.to_orc()
        assert pyarrow.orc.read_table(io.BytesIO(file))["q"].to_pylist() == values
        assert cuprum.read_orc(file)["q"].to_list() == values
        assert cuprum.read_orc(written(pa.table({"q": values})))["q"].to_list() == values


def test_labels_names_and_metadata():
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None]}, index=pd.Index([3, 4], name="key"))
    own = cuprum.from_pandas(frame)
    pd.testing.assert_frame_equal(cuprum.read_orc(own.to_orc()).to_pandas(), own.to_pandas())
    pd.testing.assert_frame_equal(pd.read_orc(io.BytesIO(own.to_orc())), frame, check_dtype=False)
    assert list(cuprum.read_orc(own.to_orc(), columns=["b"]).index.to_list()) == [3, 4]
    plain = cuprum.read_orc(own.to_orc(index=False))
    assert list(plain.columns) == ["a", "b"] and plain.index.to_list() == [0, 1]
    pd.testing.assert_frame_equal(
        pd.read_orc(io.BytesIO(own.to_orc(index=False))), frame.reset_index(drop=True), check_dtype=False
    )
    kinds = cuprum.DataFrame({"c": cuprum.Series(["u", "v", "u"]).astype("category")})
    assert cuprum.read_orc(kinds.to_orc())["c"].to_list() == ["u", "v", "u"]
    none = cuprum.DataFrame(index=[1, 2])
    assert cuprum.read_orc(none.to_orc()).index.to_list() == [1, 2]


def test_rows_columns_and_stripes(tmp_path):
    path = tmp_path / "x.orc"
    cuprum.DataFrame({"a": range(10), "b": range(10, 20)}).to_orc(path, stripe_size_rows=3, index=False)

    def rows(**options):
        return cuprum.read_orc(path, **options)["a"].to_list()

    assert rows(skiprows=2, num_rows=5) == [2, 3, 4, 5, 6]
    assert rows(num_rows=0) == [] and rows(skiprows=99) == [] and rows(skiprows=9, num_rows=9) == [9]
    assert rows(stripes=[2, 0]) == [6, 7, 8, 0, 1, 2] and rows(stripes=[1], skiprows=1) == [4, 5]
    assert list(cuprum.read_orc(path, columns=["b", "a"]).columns) == ["b", "a"]
    assert cuprum.read_orc(path, columns=[]).shape == (10, 0)
    assert cuprum.read_orc([path, path], stripes=[[0], [3]])["a"].to_list() == [0, 1, 2, 9]
    with open(path, "rb") as file:
        assert cuprum.read_orc(file)["b"].sum() == 145
    with pytest.raises(KeyError, match="did you mean 'a'"):
        cuprum.read_orc(path, columns=["A"])
    with pytest.raises(IndexError, match="`stripes`: there is no 4, only 4"):
        cuprum.read_orc(path, stripes=[4])
    with pytest.raises(FileNotFoundError):
        cuprum.read_orc(tmp_path / "none.orc")


@pytest.mark.parametrize("labels", [range(10), range(10, 50, 4)])
def test_some_rows_keep_their_part_of_a_range_in_orc(labels):
    frame = cuprum.DataFrame({"a": range(10)}, index=labels)
    file = frame.to_orc(stripe_size_rows=3)
    for skip, rows in [(0, 4), (2, 5), (2, None), (9, 9), (10, 1), (3, 0)]:
        got = cuprum.read_orc(file, skiprows=skip, num_rows=rows)
        assert got.equals(frame.iloc[skip : None if rows is None else skip + rows])
    for stripes, at in [([1], slice(3, 6)), ([1, 2], slice(3, 9)), ([2, 0], [6, 7, 8, 0, 1, 2])]:
        assert cuprum.read_orc(file, stripes=stripes).equals(frame.iloc[at])


@pytest.mark.parametrize("rows", [0, 1, 64, 1100])
def test_a_gpu_gets_what_the_host_gets_in_orc(tmp_path, rows):
    """Stripes are copied while others are decoded; what is nested, and what a filter leaves, at the end."""
    path = tmp_path / "x.orc"
    cuprum.DataFrame.from_arrow(table(rows)).to_orc(path, stripe_size_rows=300, index=False)
    for options in (
        {},
        {"skiprows": 37, "num_rows": 500},
        {"columns": ["f64", "few"], "filters": [("up", ">", 700)]},
    ):
        here = cuprum.read_orc(path, **options)
        with cuprum.option_context("device", "emulator"):
            there = cuprum.read_orc(path, **options)
        assert there.device == "emulator"
        same(there.to_host(), pa.table(here))
    of = pyarrow.orc.read_table(path)
    same(cuprum.read_orc(path, skiprows=37, num_rows=500), of.slice(37, 500))


def test_timestamps_have_the_unit_that_is_asked_for():
    times = pd.to_datetime(
        ["1960-01-01 00:00:00.5", "2020-02-03 04:05:06.789012345", "1969-12-31 23:59:59.25"]
    )
    file = cuprum.DataFrame({"t": times}).to_orc()
    for unit in ("s", "ms", "us", "ns"):
        read = cuprum.read_orc(file, timestamp_type=f"datetime64[{unit}]")["t"]
        assert read.dtype == np.dtype(f"datetime64[{unit}]")
        assert read.to_list() == list(pd.Series(times.floor(unit)))
    assert pyarrow.orc.read_table(io.BytesIO(file))["t"].to_pandas().to_list() == list(times)
    late = written(pa.table({"t": pa.array([datetime.datetime(9999, 1, 1)], pa.timestamp("us"))}))
    with pytest.raises(OverflowError, match=r"column 't'.*`timestamp_type`"):
        cuprum.read_orc(late)
    assert str(cuprum.read_orc(late, timestamp_type="datetime64[s]")["t"][0])[:4] == "9999"
    with pytest.raises(ValueError, match="timestamp_type"):
        cuprum.read_orc(late, timestamp_type="int64")


def test_what_orc_has_not_is_refused_by_name():
    for values, words in [
        (np.array([1], "uint8"), "UInt8"),
        (pd.to_timedelta([1]), "Duration"),
    ]:
        with pytest.raises(NotImplementedError, match=f"(?s)column 'q'.*{words}"):
            cuprum.DataFrame({"q": values}).to_orc()
    with pytest.raises(ValueError, match="`compression` is 'lzo'"):
        cuprum.DataFrame({"q": [1]}).to_orc(compression="lzo")
    with pytest.raises(ValueError, match="stripe_size_rows"):
        cuprum.DataFrame({"q": [1]}).to_orc(stripe_size_rows=0)


@pytest.mark.parametrize(
    ("name", "value"), [("statistics", "ROWGROUP"), ("row_index_stride", 5), ("cols_as_map_type", ["q"])]
)
def test_arguments_of_cudf_are_refused_by_name(name, value):
    with pytest.raises(NotImplementedError, match=name):
        cuprum.DataFrame({"q": [1]}).to_orc(**{name: value})


def test_unions_are_refused_by_name(tmp_path):
    """No type of a frame holds values of several types; the columns beside them are read."""
    union = pa.UnionArray.from_sparse(
        pa.array([0, 1, 0], pa.int8()), [pa.array([1, 2, 3]), pa.array(["a", "b", "c"])]
    )
    inside = pa.StructArray.from_arrays([union], ["x"])
    path = tmp_path / "u.orc"
    path.write_bytes(written(pa.table({"a": [1, 2, 3], "u": union, "r": inside})))
    with pytest.raises(NotImplementedError, match=r"u\.orc: column 'u': type uniontype"):
        cuprum.read_orc(path)
    with pytest.raises(NotImplementedError, match=r"u\.orc: column 'r\.x': type uniontype"):
        cuprum.read_orc(path, columns=["a", "r"])
    assert cuprum.read_orc(path, columns=["a"])["a"].to_list() == [1, 2, 3]


def test_damaged_files_are_errors_or_tables():
    draw = random.Random(1)
    files = [written(table(60), compression=codec) for codec in CODECS]
    files += [cuprum.DataFrame.from_arrow(table(60)).to_orc(compression="zlib", stripe_size_rows=20)]
    errors = (ValueError, NotImplementedError, OverflowError, MemoryError)
    for file in files:
        for at in range(0, len(file), 97):
            with pytest.raises(errors, match="the input"):
                cuprum.read_orc(file[:at])
        for _ in range(150):
            damaged = bytearray(file)
            for _ in range(draw.randrange(1, 4)):
                damaged[draw.randrange(len(file))] = draw.randrange(256)
            try:
                frame = cuprum.read_orc(bytes(damaged))
            except errors as error:
                assert "the input" in str(error)
            else:
                assert all(len(frame[name]) == len(frame) for name in frame.columns)
