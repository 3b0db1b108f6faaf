"""Parquet: our files read by us, pandas and pyarrow, theirs by us."""

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from oracle import assert_like, frames, given

import cuprum


@given(frames(i="int?", w="wide", n="int32", f="float?", s="str?", t="time?", b="bool?"))
def test_there_and_back_in_parquet(tmp_path_factory, f):
    path = tmp_path_factory.mktemp("parquet") / "a.parquet"
    f.ours.to_parquet(path)
    again = cuprum.read_parquet(path)
    assert again.equals(f.ours)
    assert_like(again, f.theirs, signs=True)
    theirs = pq.read_table(path)
    assert theirs.to_pydict() == pa.table(f.ours).to_pydict() or f.theirs["f"].isna().any()
    assert_like(cuprum.DataFrame(pd.read_parquet(path)), f.theirs)
    f.theirs.to_parquet(path)
    assert_like(cuprum.read_parquet(path), pd.read_parquet(path))


@pytest.mark.parametrize("compression", ["snappy", "zstd", "gzip", None])
def test_compressions_in_parquet(compression, df, tmp_path):
    path = tmp_path / "a.parquet"
    cuprum.DataFrame(df).to_parquet(path, compression=compression)
    assert_like(cuprum.DataFrame(pd.read_parquet(path)), df)
    assert_like(cuprum.read_parquet(path), df)
    expected = (compression or "uncompressed").upper()
    assert pq.ParquetFile(path).metadata.row_group(0).column(0).compression == expected
    df.to_parquet(path, compression=compression)
    assert_like(cuprum.read_parquet(path), df)


@given(frames(i="int?", w="wide", n="int32", f="float?", s="str?", t="time?", b="bool?"))
def test_rows_are_decoded_to_a_gpu(tmp_path_factory, f):
    """Row groups are copied there one by one, into their places."""
    path = tmp_path_factory.mktemp("parquet") / "a.parquet"
    f.ours.to_parquet(path, row_group_size=3)
    with cuprum.option_context("device", "emulator"):
        there = cuprum.read_parquet(path)
    assert len(f.ours) == 0 or there.device == "emulator"
    assert there.to_host().equals(f.ours)


def test_columns_and_row_groups(df, tmp_path):
    path = tmp_path / "a.parquet"
    many = pd.concat([df] * 200, ignore_index=True)
    many.to_parquet(path, row_group_size=97)
    assert_like(cuprum.read_parquet(path), many)
    assert_like(cuprum.read_parquet(path, columns=["s", "i"]), many[["s", "i"]])
    assert_like(cuprum.read_parquet(path, columns=["f"]), many[["f"]])
    cuprum.DataFrame(many).to_parquet(path, row_group_size=100)
    assert pq.ParquetFile(path).num_row_groups == 10
    assert_like(cuprum.DataFrame(pd.read_parquet(path)), many)


@pytest.mark.parametrize("keys", ["s", ["s", "i"]])
def test_labels_in_parquet(keys, df, tmp_path):
    path = tmp_path / "a.parquet"
    labelled = df.set_index(keys)
    cuprum.DataFrame(labelled).to_parquet(path)
    assert_like(cuprum.read_parquet(path), labelled)
    pd.testing.assert_frame_equal(pd.read_parquet(path), labelled)
    labelled.to_parquet(path)
    assert_like(cuprum.read_parquet(path), labelled)


def test_default_labels_are_not_stored(df, tmp_path):
    path = tmp_path / "a.parquet"
    cuprum.DataFrame(df).to_parquet(path)
    assert pq.read_schema(path).names == list(df.columns)
    cuprum.DataFrame(df.set_index("i")).to_parquet(path, index=False)
    assert "i" not in pq.read_schema(path).names


RANGES = [pd.RangeIndex(10), pd.RangeIndex(10, 50, 4, name="r"), pd.RangeIndex(5, -5, -1)]


@pytest.mark.parametrize("labels", RANGES, ids=str)
@pytest.mark.parametrize("lib", [pd, cuprum])
def test_some_rows_keep_their_part_of_a_range_in_parquet(lib, labels, tmp_path):
    path = tmp_path / "a.parquet"
    frame = pd.DataFrame({"a": range(10)}, index=labels)
    (frame if lib is pd else cuprum.DataFrame(frame)).to_parquet(path, row_group_size=3)
    whole = cuprum.read_parquet(path)
    for skip in [0, 2, 3, 9, 10, 20]:
        for rows in [None, 0, 1, 5, 20]:
            got = cuprum.read_parquet(path, skip_rows=skip, nrows=rows)
            end = None if rows is None else skip + rows
            assert_like(got, frame.iloc[skip:end])
            assert got.empty or repr(got.index) == repr(whole.iloc[skip:end].index)
            assert_like(
                cuprum.read_parquet(path, skip_rows=skip, nrows=rows, columns=[]), frame[[]].iloc[skip:end]
            )
    for groups, at in {
        (1,): [3, 4, 5],
        (1, 2): range(3, 9),
        (3, 0): [9, 0, 1, 2],
        (0, 2): [0, 1, 2, 6, 7, 8],
        (): [],
    }.items():
        got = cuprum.read_parquet(path, row_groups=groups)
        assert_like(got, frame.iloc[list(at)])
        assert isinstance(got.index, cuprum.RangeIndex) == (groups in [(1,), (1, 2), ()])
    # As of pandas, whose rows are those of the filter.
    few = cuprum.read_parquet(path, filters=[("a", ">", 6)])
    assert_like(few, pd.read_parquet(path, filters=[("a", ">", 6)]))


@pytest.mark.parametrize("labels", RANGES, ids=str)
def test_some_rows_of_several_files_keep_their_labels(labels, tmp_path):
    paths = [tmp_path / "a.parquet", tmp_path / "b.parquet", tmp_path / "c.parquet"]
    frame = pd.DataFrame({"a": range(10)}, index=labels)
    for path in paths:
        frame.to_parquet(path, row_group_size=3)
    whole = pd.concat([frame] * 3, ignore_index=labels is RANGES[0])
    assert_like(cuprum.read_parquet(paths), whole)
    for skip in [0, 2, 10, 14, 20, 29, 30, 40]:
        for rows in [None, 0, 3, 13]:
            got = cuprum.read_parquet(paths, skip_rows=skip, nrows=rows)
            assert_like(got, whole.iloc[skip : None if rows is None else skip + rows])
    got = cuprum.read_parquet(paths, row_groups=[[1], [], [0, 2]])
    assert_like(got, whole.iloc[[3, 4, 5, 20, 21, 22, 26, 27, 28]])


def test_some_rows_without_a_range_that_is_stored(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": range(5)}), path)
    assert cuprum.read_parquet(path, skip_rows=2).index.tolist() == [0, 1, 2]
    # Rows that were written below others, of whose labels the range tells nothing.
    with pq.ParquetWriter(path, pa.Table.from_pandas(pd.DataFrame({"a": range(5)})).schema) as writer:
        for _ in range(2):
            writer.write_table(pa.Table.from_pandas(pd.DataFrame({"a": range(5)})))
    assert cuprum.read_parquet(path, skip_rows=2, nrows=5).index.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("labels", [*RANGES, pd.RangeIndex(0), pd.Index(list("abc"), name="k")], ids=str)
def test_rows_without_columns(labels, tmp_path):
    path = tmp_path / "a.parquet"
    frame = pd.DataFrame(index=labels)

    def check():
        assert_like(cuprum.read_parquet(path), frame)
        assert_like(cuprum.read_parquet(path, columns=[]), frame)
        assert_like(cuprum.read_parquet(path, skip_rows=1, nrows=3), frame.iloc[1:4])
        both = cuprum.read_parquet([path, path])
        assert_like(both, pd.concat([frame] * 2, ignore_index=labels is RANGES[0]))

    frame.to_parquet(path)
    check()
    pq.write_table(pa.Table.from_pandas(frame), path)
    check()
    cuprum.DataFrame(frame).to_parquet(path)
    check()
    # pandas reads it as it reads its own.
    theirs = tmp_path / "b.parquet"
    frame.to_parquet(theirs)
    assert pd.read_parquet(path).equals(pd.read_parquet(theirs))
    # Rows of other columns that are not read.
    frame.assign(a=1).to_parquet(path)
    assert_like(cuprum.read_parquet(path, columns=[]), pd.read_parquet(path, columns=[]))


def test_rows_without_columns_that_nothing_would_tell_are_refused(tmp_path):
    frame = cuprum.DataFrame(index=range(5))
    with pytest.raises(ValueError, match="5 rows without columns"):
        frame.to_parquet(tmp_path / "a.parquet", index=False)
    with (
        pytest.raises(ValueError, match="not below others"),
        cuprum.io.parquet.ParquetWriter(tmp_path / "a.parquet") as writer,
    ):
        writer.write_table(frame)
        writer.write_table(frame)
    assert not (tmp_path / "a.parquet").exists()


@pytest.mark.parametrize("form", ["1.0", "2.4", "2.6"])
@pytest.mark.parametrize("options", [{}, {"use_dictionary": False}, {"data_page_version": "2.0"}], ids=str)
def test_files_of_pyarrow_in_parquet(form, options, tmp_path):
    path = tmp_path / "a.parquet"
    table = pa.table(
        {
            "i8": pa.array([1, None, -3], pa.int8()),
            "u32": pa.array([1, None, 2**32 - 1], pa.uint32()),
            "f32": pa.array([1.5, None, float("nan")], pa.float32()),
            "s": pa.array(["a", None, "日本"]),
            "ls": pa.array(["a", None, "日本"], pa.large_string()),
            "ts": pa.array([0, None, 10**12], pa.timestamp("ms")),
            "d": pa.array([0, None, 15_000], pa.date32()),
            "cat": pa.array(["x", None, "x"]).dictionary_encode(),
        }
    )
    pq.write_table(table, path, version=form, **options)
    frame = cuprum.read_parquet(path)
    back = frame.to_arrow().to_pydict()
    expected = pq.read_table(path).to_pydict()
    for name in ("i8", "u32", "s", "ls", "ts", "cat"):
        assert back[name] == expected[name], name
    assert [str(v)[:10] for v in back["d"]] == [str(v) for v in expected["d"]]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_zones_of_every_unit(unit, tmp_path):
    path = tmp_path / "a.parquet"
    times = pa.array([0, None, 10**9], pa.timestamp(unit, "Europe/Berlin"))
    table = pa.table({"n": [1, 2, 3], "t": times, "d": times.dictionary_encode()})
    pq.write_table(table, path)
    expected = pd.read_parquet(path)
    got = cuprum.read_parquet(path, columns=["n", "t"])
    assert_like(got, expected[["n", "t"]])
    assert str(got["t"].dtype) == str(expected["t"].dtype)
    after = cuprum.read_parquet(path, columns=["t"], filters=[("t", ">", pd.Timestamp(0, tz="UTC"))])
    assert_like(after, expected[["t"]].iloc[2:].reset_index(drop=True))


def test_names_of_labels_that_columns_have_too(tmp_path):
    path = tmp_path / "a.parquet"
    frame = pd.DataFrame({"v": [1, 2]}, index=pd.Index(["x", "y"], name="v"))
    frame.to_parquet(path)
    assert_like(cuprum.read_parquet(path), frame)


def test_periods_in_parquet(tmp_path):
    path = tmp_path / "a.parquet"
    frame = pd.DataFrame({"n": [1, 2], "p": pd.period_range("2020", periods=2, freq="M")})
    frame.to_parquet(path)
    assert_like(cuprum.read_parquet(path), frame)
    assert_like(cuprum.read_parquet(path, columns=["n"]), frame[["n"]])
    assert_like(cuprum.DataFrame.from_arrow(pa.Table.from_pandas(frame)), frame)


def test_empty_frames_in_parquet(df, tmp_path):
    path = tmp_path / "a.parquet"
    cuprum.DataFrame(df.iloc[:0]).to_parquet(path)
    assert_like(cuprum.read_parquet(path), df.iloc[:0])
    df.iloc[:0].to_parquet(path)
    assert_like(cuprum.read_parquet(path), df.iloc[:0])


def test_bytes(df, tmp_path):
    import io

    path = tmp_path / "a.parquet"
    df.to_parquet(path)
    assert_like(cuprum.read_parquet(io.BytesIO(path.read_bytes())), df)
