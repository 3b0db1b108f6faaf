"""Feather and Arrow streams: our files read by us, pandas and pyarrow, theirs by us."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pytest
from oracle import assert_like, frames, given

import cuprum


@given(frames(i="int?", w="wide", n="int32", f="float?", s="str?", t="time?", b="bool?"))
def test_there_and_back_in_feather(tmp_path_factory, f):
    path = tmp_path_factory.mktemp("feather") / "a.feather"
    f.ours.to_feather(path)
    again = cuprum.read_feather(path)
    assert again.equals(f.ours)
    assert_like(again, f.theirs, signs=True)
    assert_like(cuprum.DataFrame(pd.read_feather(path)), f.theirs)
    f.theirs.to_feather(path)
    assert_like(cuprum.read_feather(path), pd.read_feather(path))


@pytest.mark.parametrize("compression", ["lz4", "zstd", "uncompressed", None])
@pytest.mark.parametrize("rows", [0, 1, 31, 33, 65, 1000])
def test_compressions_and_batches(compression, rows, df):
    many = pd.concat([df] * (rows // len(df) + 1), ignore_index=True).head(rows)
    ours = cuprum.DataFrame(many)
    for chunksize in (None, 1, 64):
        data = ours.to_feather(compression=compression, chunksize=chunksize)
        assert cuprum.read_feather(data).equals(ours)
        table = pa.feather.read_table(io.BytesIO(data))
        assert table.num_rows == rows
        if rows and chunksize:
            assert len(table.column(0).chunks) == -(-rows // chunksize)
    theirs = io.BytesIO()
    pa.feather.write_feather(many, theirs, compression=compression or "uncompressed", chunksize=50)
    assert_like(cuprum.read_feather(theirs.getvalue()), many)


@pytest.mark.parametrize("keys", ["s", ["s", "i"]])
def test_labels_in_feather(keys, df, tmp_path):
    path = tmp_path / "a.feather"
    labelled = df.set_index(keys)
    cuprum.DataFrame(labelled).to_feather(path)
    assert_like(cuprum.read_feather(path), labelled)
    pd.testing.assert_frame_equal(pd.read_feather(path), labelled)
    assert_like(cuprum.read_feather(path, columns=["f"]), labelled[["f"]])
    assert_like(
        cuprum.read_feather(cuprum.DataFrame(labelled).to_feather(index=False)),
        labelled.reset_index(drop=True),
    )
    assert (
        "__index_level_0__"
        in pa.feather.read_table(io.BytesIO(cuprum.DataFrame(df).to_feather(index=True))).column_names
    )


def test_streams(df):
    data = cuprum.DataFrame(df).to_feather(stream=True, chunksize=2)
    assert_like(cuprum.DataFrame(pa.ipc.open_stream(data).read_pandas()), df)
    assert_like(cuprum.read_feather(data), df)
    assert_like(cuprum.read_feather(data, columns=["s", "i"]), df[["s", "i"]])
    table = pa.Table.from_pandas(df)
    theirs = io.BytesIO()
    with pa.ipc.new_stream(theirs, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=2):
            writer.write_batch(batch)
    assert_like(cuprum.read_feather(theirs.getvalue()), df)


def test_types_in_feather(tmp_path):
    table = pa.table(
        {
            "i8": pa.array([1, None, -3], pa.int8()),
            "ls": pa.array(["a", None, "日本"], pa.large_string()),
            "view": pa.array(["a", None, "a text of more than twelve"], pa.string_view()),
            "bv": pa.array([b"a", None, b"bytes of more than twelve"], pa.binary_view()),
            "ts": pa.array([0, None, 10**6], pa.timestamp("s")),
            "zone": pa.array([0, None, 10**6], pa.timestamp("ms", "Europe/Berlin")),
            "day": pa.array([0, None, 10**4], pa.date32()),
            "lists": pa.array([[1], None, [None, 2]]),
            "structs": pa.array([{"x": 1, "y": "a"}, None, {"x": None, "y": "b"}]),
            "decimal": pa.array([None, 1, 2], pa.decimal128(20, 3)),
            "cats": pa.array(["b", None, "b"]).dictionary_encode(),
        }
    )
    path = tmp_path / "a.arrow"
    pa.feather.write_feather(table, path)
    ours = cuprum.read_feather(path)
    assert str(ours["zone"].dtype) == "datetime64[ms, Europe/Berlin]"
    assert str(ours["cats"].dtype) == "category"
    found = pa.table(ours)
    for name in table.column_names:
        assert found[name].to_pylist() == table[name].to_pylist(), name
    again = cuprum.read_feather(ours.to_feather())
    assert pa.table(again).to_pylist() == table.to_pylist()
    pa.feather.write_feather(pa.table({"clock": pa.array([1, 2], pa.time64("us"))}), path)
    with pytest.raises(NotImplementedError, match="column 'clock'"):
        cuprum.read_feather(path)


def test_categories_keep_their_order():
    kinds = pd.DataFrame({"k": pd.Categorical(["b", "a", None], ["c", "b", "a"], ordered=True)})
    data = cuprum.DataFrame(kinds).to_feather()
    assert_like(cuprum.read_feather(data), kinds)
    pd.testing.assert_frame_equal(pd.read_feather(io.BytesIO(data)), kinds)


def test_arguments_refused_in_feather(tmp_path, df):
    path = tmp_path / "bad.feather"
    data = cuprum.DataFrame(df).to_feather()

    def refused(content, says, error=ValueError):
        path.write_bytes(content)
        with pytest.raises(error, match=says) as caught:
            cuprum.read_feather(path)
        assert "bad.feather" in str(caught.value)

    refused(b"", "empty")
    refused(b"a,b\n1,2\n", "no Arrow")
    refused(b"FEA1" + bytes(100), "version 1", NotImplementedError)
    refused(data[:-1], "truncated")
    refused(data[:100], "truncated")
    with pytest.raises(KeyError, match="did you mean 's'"):
        cuprum.read_feather(data, columns=["ss"])
    with pytest.raises(ValueError, match="compression_level"):
        cuprum.DataFrame(df).to_feather(compression_level=3)
    with pytest.raises(ValueError, match="zstd has no level 99"):
        cuprum.DataFrame(df).to_feather(compression="zstd", compression_level=99)
    with pytest.raises(NotImplementedError, match="version"):
        cuprum.DataFrame(df).to_feather(version=1)
    with pytest.raises(ValueError, match="chunksize"):
        cuprum.DataFrame(df).to_feather(chunksize=0)


def test_damaged_files_are_errors_or_frames_in_feather(df):
    many = pd.concat([df] * 20, ignore_index=True)
    random = np.random.default_rng(17)
    for options in ({}, {"compression": None}, {"stream": True}, {"compression": "zstd"}):
        data = cuprum.DataFrame(many).to_feather(**options)
        for _ in range(150):
            bad = bytearray(data)
            for at in random.integers(0, len(bad), random.integers(1, 6)):
                bad[at] = random.integers(0, 256)
            cut = bytes(bad[: random.integers(0, len(bad) + 1)]) if random.random() < 0.3 else bytes(bad)
            try:
                frame = cuprum.read_feather(cut)
                frame.to_pandas()
            except (ValueError, NotImplementedError, KeyError, TypeError, MemoryError, OverflowError):
                pass


@pytest.mark.parametrize("compression", ["lz4", "zstd", "uncompressed"])
def test_many_batches_of_every_thread(compression, tmp_path):
    rows = 700_001
    draw = np.random.default_rng(1)
    codes = pa.array(draw.integers(0, 300, rows).astype("int32"), mask=draw.random(rows) < 0.1)
    words = pa.DictionaryArray.from_arrays(codes, [f"é{i}" for i in range(300)])
    numbers = pa.array(draw.random(rows), mask=draw.random(rows) < 0.1)
    lists = pa.ListArray.from_arrays(np.arange(0, rows * 2 + 1, 2, "int32"), pa.array(range(rows * 2)))
    structs = pa.StructArray.from_arrays([words, numbers], ["w", "n"])
    table = pa.table({"words": words, "numbers": numbers, "lists": lists, "structs": structs}).slice(3)
    path = str(tmp_path / "t.feather")
    cuprum.DataFrame(table).to_feather(path, compression=compression)
    got = pa.feather.read_table(path)
    assert got.num_rows == table.num_rows
    with pa.ipc.open_file(path) as file:
        assert file.num_record_batches > 5
    expected = {
        name: table[name].combine_chunks().cast(to)
        for name, to in {"words": pa.string(), "numbers": pa.float64(), "lists": table["lists"].type}.items()
    }

    def same(column, name):
        return column.cast(expected[name].type).combine_chunks().equals(expected[name])

    assert all(same(got[name], name) for name in expected)
    assert same(pa.compute.struct_field(got["structs"], "w"), "words")
    back = cuprum.read_feather(path).to_arrow()
    assert same(back["words"], "words") and same(back["numbers"], "numbers")


def test_batches_are_copied_to_a_gpu_together(tmp_path):
    """Some at a time, of several sizes: neither each by itself nor all at once."""
    rows = 700_001
    frame = cuprum.DataFrame(
        {
            "n": [None if i % 1000 == 7 else i for i in range(1000)] * 700 + [5],
            "s": [f"text {i}" if i % 50 else None for i in range(1000)] * 700 + ["last"],
            "b": np.arange(rows).astype("int8"),
        }
    )
    path = tmp_path / "a.feather"
    frame.to_feather(path, chunksize=50_001)
    with cuprum.option_context("device", "emulator"):
        there = cuprum.read_feather(path)
    assert there.device == "emulator"
    back = there.to_host()
    for name in frame.columns:
        assert back[name].equals(frame[name]), name
