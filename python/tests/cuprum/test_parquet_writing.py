"""What `to_parquet`, `ParquetWriter` and `ParquetDatasetWriter` write, seen by pyarrow."""

import contextlib
import io
import os
import random

import fsspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import fs

import cuprum

ROWS = 3000


@pytest.fixture(scope="module")
def frame():
    numbers = np.random.default_rng(5)
    return pd.DataFrame(
        {
            "n": np.arange(ROWS),
            "few": numbers.integers(0, 20, ROWS),
            "f": numbers.random(ROWS),
            "s": [f"text {i % 50}" for i in range(ROWS)],
            "u": [f"{i:040}" for i in range(ROWS)],
            "c": pd.Categorical([f"c{i % 3}" for i in range(ROWS)]),
            "t": pd.date_range("2020", periods=ROWS, freq="s"),
        }
    )


def written(frame, **options):
    """Our file as pyarrow's, whose rows are the frame's."""
    data = cuprum.DataFrame(frame).to_parquet(**options)
    file = pq.ParquetFile(io.BytesIO(data), page_checksum_verification=True)
    pd.testing.assert_frame_equal(file.read().to_pandas(), frame)
    pd.testing.assert_frame_equal(cuprum.read_parquet(data).to_pandas(), frame)
    return file, data


@pytest.mark.parametrize(
    ("compression", "levels"),
    [
        ("snappy", []),
        ("gzip", [0, 9]),
        ("zstd", [1, 19]),
        ("brotli", [0, 5]),
        ("lz4", []),
        (None, []),
        ("SNAPPY", []),
    ],
)
def test_compressions_in_written_parquet(compression, levels, frame):
    for level in [None, *levels]:
        file, _ = written(frame[["f", "u"]], compression=compression, compression_level=level)
        expected = (compression or "uncompressed").upper()
        assert file.metadata.row_group(0).column(0).compression in (expected, f"{expected}_RAW")
    for wrong in [-1, 99] if levels else [1]:
        with pytest.raises(ValueError, match="compression"):
            cuprum.DataFrame(frame).to_parquet(compression=compression, compression_level=wrong)


@pytest.mark.parametrize("compression", ["snappy", "zstd", None])
def test_pages_of_the_second_version(compression, frame):
    categories, frame = (
        frame[["c"]],
        frame.drop(columns="c").assign(
            m=frame["f"].where(frame["n"] % 3 != 0), l=[[i, None] if i % 2 else [] for i in range(ROWS)]
        ),
    )
    for size in (1, 100, ROWS):
        rows = frame.iloc[:size].reset_index(drop=True)
        ours = cuprum.DataFrame(rows)
        first, second = (
            ours.to_parquet(compression=compression, header_version=version) for version in ("1.0", "2.0")
        )
        assert first != second
        theirs = [
            pq.ParquetFile(io.BytesIO(data), page_checksum_verification=True).read()
            for data in (first, second)
        ]
        assert str(theirs[0].to_pydict()) == str(theirs[1].to_pydict())
        assert cuprum.read_parquet(second).equals(cuprum.read_parquet(first))
    with pytest.raises(
        NotImplementedError, match="column 'c': categories keep their order in pages of version 1"
    ):
        cuprum.DataFrame(categories).to_parquet(header_version="2.0")


def test_sizes_in_written_parquet(frame):
    assert written(frame, row_group_size_rows=1000)[0].num_row_groups == 3
    by_bytes = written(frame, row_group_size_bytes=40_000)[0].num_row_groups
    assert 4 < by_bytes < 40
    # Smaller pages are more of them, each with a header.
    names = ["n", "s", "u", "c"]
    whole, rows, size = (
        [group.column(i).total_uncompressed_size for i in range(len(names))]
        for options in [{}, {"max_page_size_rows": 10}, {"max_page_size_bytes": 100}]
        for group in [written(frame[names], compression=None, **options)[0].metadata.row_group(0)]
    )
    assert all(few < many for few, many in zip(whole, rows, strict=True))
    assert all(few < many for few, many in zip(whole, size, strict=True))
    dictionaries = [
        written(frame[["s"]], compression=None, **options)[0].metadata.row_group(0).column(0)
        for options in [{}, {"max_dictionary_size": 10}]
    ]
    assert [2 * chunk.total_uncompressed_size > 12 * ROWS for chunk in dictionaries] == [False, True]


def has_dictionary(file, name):
    group = file.metadata.row_group(0)
    chunk = next(group.column(i) for i in range(group.num_columns) if group.column(i).path_in_schema == name)
    return "RLE_DICTIONARY" in chunk.encodings


def test_dictionaries_and_encodings(frame):
    file, _ = written(frame)
    assert [has_dictionary(file, name) for name in "nsuc"] == [False, True, False, True]
    file, _ = written(frame, use_dictionary=False)
    assert [has_dictionary(file, name) for name in "nsuc"] == [False, False, False, True]
    file, _ = written(frame, use_dictionary=["few"])
    assert [has_dictionary(file, name) for name in ["few", "s"]] == [True, False]
    encodings = {
        "n": "DELTA_BINARY_PACKED",
        "few": "PLAIN",
        "f": "BYTE_STREAM_SPLIT",
        "s": "DELTA_BYTE_ARRAY",
        "u": "DELTA_LENGTH_BYTE_ARRAY",
        "t": "USE_DEFAULT",
    }
    file, _ = written(frame, column_encoding=encodings)
    group = file.metadata.row_group(0)
    for i in range(group.num_columns):
        chunk = group.column(i)
        wanted = encodings.get(chunk.path_in_schema, "USE_DEFAULT")
        assert wanted == "USE_DEFAULT" or (
            wanted in chunk.encodings and "RLE_DICTIONARY" not in chunk.encodings
        )
    file, _ = written(frame, use_dictionary=False, column_encoding={"s": "DICTIONARY"})
    assert has_dictionary(file, "s")


def test_statistics(frame):
    for statistics, of_groups, of_pages in [
        ("NONE", False, False),
        ("ROWGROUP", True, False),
        ("PAGE", True, True),
    ]:
        file, _ = written(frame, statistics=statistics)
        group = file.metadata.row_group(0)
        for i in range(5):
            assert group.column(i).is_stats_set == of_groups
            assert group.column(i).has_column_index == of_pages


def test_bloom_filters_rule_groups_out(frame):
    shuffled = frame.sample(frac=1, random_state=1, ignore_index=True)
    shuffled["half"] = shuffled["n"] * 2
    names = ["half", "f", "u", "s", "c"]
    for blooms in [names, {name: {"ndv": 1500, "fpp": 0.01} for name in names}]:
        _, data = written(shuffled, bloom_filters=blooms, row_group_size_rows=1500, statistics="ROWGROUP")
        plain = cuprum.DataFrame(shuffled).to_parquet(row_group_size_rows=1500, statistics="ROWGROUP")
        assert len(data) > len(plain)
        # All column chunks are damaged: only what bloom filters rule out can be read.
        damaged = bytearray(data)
        metadata = pq.ParquetFile(io.BytesIO(data)).metadata
        for group in range(2):
            for column in range(metadata.num_columns):
                chunk = metadata.row_group(group).column(column)
                at = min(chunk.data_page_offset, chunk.dictionary_page_offset or chunk.data_page_offset)
                damaged[at : at + chunk.total_compressed_size] = b"\xff" * chunk.total_compressed_size
        absent = {"half": 1501, "f": 0.5, "u": f"{7:039}x", "s": "text 7 ", "c": "c1 "}
        ruled_out = 0
        for name, value in absent.items():
            for condition in [(name, "==", value), (name, "in", [value])]:
                assert len(cuprum.read_parquet(data, filters=[condition])) == 0
                with contextlib.suppress(ValueError):
                    ruled_out += len(cuprum.read_parquet(bytes(damaged), filters=[condition])) == 0
                with pytest.raises(ValueError, match="Parquet"):
                    cuprum.read_parquet(bytes(damaged), filters=[(name, "==", shuffled[name][0])])
        assert ruled_out >= 6  # filters may be wrong
        for name in names:
            for row in [0, 1, 2999]:
                found = cuprum.read_parquet(data, filters=[(name, "==", shuffled[name][row])])["n"]
                assert shuffled["n"][row] in found.to_pandas().tolist()


def test_metadata(frame):
    file, _ = written(frame, metadata={"who": "me", "é": "ü"})
    kept = file.schema_arrow.metadata
    assert kept[b"who"] == b"me"
    assert kept["é".encode()] == "ü".encode()


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"row_group_size_rows": 0}, ValueError, "row_group_size_rows"),
        ({"row_group_size_bytes": 0}, ValueError, "row_group_size_bytes"),
        ({"max_page_size_rows": -1}, ValueError, "max_page_size_rows"),
        ({"max_page_size_bytes": "x"}, ValueError, "max_page_size_bytes"),
        ({"max_dictionary_size": True}, ValueError, "max_dictionary_size"),
        ({"row_group_size": 1, "row_group_size_rows": 1}, ValueError, "row_group_size"),
        ({"statistics": "some"}, ValueError, "statistics"),
        ({"statistics": None}, TypeError, "statistics"),
        ({"compression": "lzo"}, ValueError, "compression"),
        ({"column_encoding": {"nope": "PLAIN"}}, ValueError, "nope"),
        ({"column_encoding": {"n": "XX"}}, ValueError, "column_encoding"),
        ({"column_encoding": {"n": "DELTA_BYTE_ARRAY"}}, ValueError, "'n'"),
        ({"column_encoding": ["n"]}, TypeError, "column_encoding"),
        ({"bloom_filters": ["nope"]}, ValueError, "nope"),
        ({"bloom_filters": "n"}, TypeError, "bloom_filters"),
        ({"bloom_filters": {"n": {"fpp": 2.0}}}, ValueError, "'n'"),
        ({"bloom_filters": {"n": {"ndv": 0}}}, ValueError, "'n'"),
        ({"bloom_filters": {"n": {"x": 0}}}, ValueError, "'x'"),
        ({"use_dictionary": "n"}, TypeError, "use_dictionary"),
        ({"int96_timestamps": True}, NotImplementedError, "int96_timestamps"),
        ({"column_type_length": {"s": 4}}, NotImplementedError, "column_type_length"),
        ({"partition_file_name": "x"}, ValueError, "partition_file_name"),
        ({"partition_cols": ["n"]}, TypeError, "path"),
    ],
    ids=str,
)
def test_arguments_refused_in_written_parquet(options, error, match, frame):
    with pytest.raises(error, match=match):
        cuprum.DataFrame(frame).to_parquet(**options)


def test_frames_below_each_other(frame, tmp_path):
    path = tmp_path / "a.parquet"
    parts = [cuprum.DataFrame(frame.iloc[i : i + 700].reset_index(drop=True)) for i in range(0, ROWS, 700)]
    with cuprum.io.parquet.ParquetWriter(path, row_group_size_rows=500, bloom_filters=["s"]) as writer:
        for part in parts:
            writer.write_table(part)
            assert not path.exists()
    expected = frame.astype({"c": "str"})
    pd.testing.assert_frame_equal(cuprum.read_parquet(path).to_pandas().astype({"c": "str"}), expected)
    pd.testing.assert_frame_equal(pd.read_parquet(path).astype({"c": "str"}), expected)
    assert pq.ParquetFile(path).num_row_groups == 9
    with pytest.raises(ValueError, match="closed"):
        writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.write_table(parts[0])
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError), cuprum.io.parquet.ParquetWriter(path) as writer:
        writer.write_table(parts[0])
        raise ZeroDivisionError
    writer = cuprum.io.parquet.ParquetWriter(path)
    with pytest.raises(ValueError, match="no frame"):
        writer.close()
    writer = cuprum.io.parquet.ParquetWriter(path)
    writer.write_table(parts[0])
    with pytest.raises(TypeError, match="'n'"):
        writer.write_table(parts[1].astype({"n": "float64"}))
    with pytest.raises(ValueError, match="columns"):
        writer.write_table(parts[1][["n"]])
    del writer
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.parquet"]
    with pytest.raises(IsADirectoryError):
        cuprum.io.parquet.ParquetWriter(tmp_path)


def test_partitions(tmp_path):
    rows = 60
    frame = pd.DataFrame(
        {
            "a": range(rows),
            "k": [(10, 2, -3)[i % 3] for i in range(rows)],
            "s": [("x y", "b/c", "é", "a=b", None)[i % 5] for i in range(rows)],
            "b": [i % 2 == 0 for i in range(rows)],
            "t": pd.to_datetime([f"2020-01-0{i % 2 + 1} 12:00" for i in range(rows)]).astype("M8[us]"),
        }
    )
    for keys in [["k"], "k", ["k", "s"], ["s", "b"], ["t"]]:
        ours, theirs = tmp_path / f"ours {keys}", tmp_path / f"theirs {keys}"
        cuprum.DataFrame(frame).to_parquet(ours, partition_cols=keys)
        frame.to_parquet(theirs, partition_cols=[keys] if isinstance(keys, str) else keys)
        folders = [
            sorted(str(f.parent.relative_to(root)) for f in root.rglob("*.parquet"))
            for root in (ours, theirs)
        ]
        assert folders[0] == folders[1]
        got = pq.read_table(ours, columns=["a"]).to_pandas().sort_values("a", ignore_index=True)
        assert got["a"].tolist() == list(range(rows))
        again = cuprum.read_parquet(ours).to_pandas().sort_values("a", ignore_index=True)
        for name in ["k", "s"]:
            assert again[name].astype(object).fillna("").tolist() == frame[name].fillna("").tolist()
    cuprum.DataFrame(frame).to_parquet(
        tmp_path / "named", partition_cols=["k"], partition_file_name="x.parquet"
    )
    assert (tmp_path / "named" / "k=-3" / "x.parquet").exists()
    labelled = frame[["a", "k", "b"]].set_index("a")
    cuprum.DataFrame(labelled).to_parquet(tmp_path / "labelled", partition_cols=["k"])
    again = cuprum.read_parquet(tmp_path / "labelled").to_pandas().sort_index()
    assert again.index.tolist() == list(range(rows))
    ours = cuprum.DataFrame(frame)
    for keys, error in [(["nope"], KeyError), ([], ValueError), (list(frame.columns), ValueError)]:
        with pytest.raises(error, match="partition_cols"):
            ours.to_parquet(tmp_path / "never", partition_cols=keys)
    with pytest.raises(TypeError, match="partition_cols"):
        cuprum.DataFrame({"a": [1], "f": [0.5]}).to_parquet(tmp_path / "never", partition_cols=["f"])


@pytest.mark.parametrize("of", ["fsspec", "pyarrow", "fsspec local", "pyarrow local"])
def test_files_and_datasets_are_written_to_file_systems(of, tmp_path):
    frame = cuprum.DataFrame({"a": range(6), "k": [1, 2, 1, 2, 1, 2]})
    files, root = {
        "fsspec": lambda: (fsspec.filesystem("dir", path=str(tmp_path), target_protocol="file"), ""),
        "pyarrow": lambda: (fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem()), ""),
        "fsspec local": lambda: (fsspec.filesystem("file"), f"{tmp_path}/"),
        "pyarrow local": lambda: (fs.LocalFileSystem(), f"{tmp_path}/"),
    }[of]()
    assert frame.to_parquet(f"{root}f.parquet", filesystem=files) is None
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "f.parquet"), frame.to_pandas())
    if "local" in of:
        # Another file takes the place of the old one in one step.
        os.link(tmp_path / "f.parquet", tmp_path / "old")
        frame[["a"]].to_parquet(f"{root}f.parquet", filesystem=files)
        assert pd.read_parquet(tmp_path / "old").shape == (6, 2)
        os.replace(tmp_path / "old", tmp_path / "f.parquet")
    frame.to_parquet(f"{root}set", partition_cols=["k"], partition_file_name="x.parquet", filesystem=files)
    assert sorted(p.name for p in (tmp_path / "set").iterdir()) == ["k=1", "k=2"]
    found = pd.read_parquet(tmp_path / "set").sort_values("a")
    assert found["a"].tolist() == list(range(6)) and found["k"].tolist() == [1, 2] * 3
    with pytest.raises(TypeError, match=r"`path` must be a path.*`filesystem`.*BytesIO"):
        frame.to_parquet(io.BytesIO(), filesystem=files)
    for options in ({}, {"partition_cols": ["k"]}):
        with pytest.raises(ValueError, match=r"`storage_options` is .*'a'.*`filesystem`"):
            frame.to_parquet(f"{root}x", filesystem=files, storage_options={"a": 1}, **options)
    with pytest.raises(OSError, match=r"none|f\.parquet"):
        frame.to_parquet(f"{root}f.parquet/none", filesystem=files)
    with pytest.raises(OSError, match=r"k=1|f\.parquet"):
        frame.to_parquet(f"{root}f.parquet", partition_cols=["k"], filesystem=files)
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "f.parquet"), frame.to_pandas())


def test_files_and_datasets_are_written_to_addresses():
    files = fsspec.filesystem("memory")
    frame = cuprum.DataFrame({"a": range(6), "k": [1, 2, 1, 2, 1, 2]})
    try:
        frame.to_parquet("memory://folder/one", partition_cols=["k"], partition_file_name="x.parquet")
        with cuprum.io.parquet.ParquetDatasetWriter("memory://folder/two/", ["k"]) as writer:
            writer.write_table(frame.iloc[:3])
            writer.write_table(frame.iloc[3:])
            assert not files.exists("/folder/two")
        for name in ("one", "two"):
            found = pd.read_parquet(f"memory://folder/{name}").sort_values("a")
            assert found["a"].tolist() == list(range(6)), name
            assert found["k"].tolist() == [1, 2] * 3
        with cuprum.io.parquet.ParquetWriter("memory://folder/f.parquet") as writer:
            writer.write_table(frame)
            assert not files.exists("/folder/f.parquet")
        assert pd.read_parquet("memory://folder/f.parquet").shape == (6, 2)
        into = io.BytesIO()
        with cuprum.io.parquet.ParquetWriter(into) as writer:
            writer.write_table(frame)
        assert pd.read_parquet(into).shape == (6, 2)
        for target in ("memory://folder/g.parquet", into):
            with pytest.raises(ZeroDivisionError), cuprum.io.parquet.ParquetWriter(target) as writer:
                writer.write_table(frame)
                raise ZeroDivisionError
        assert not files.exists("/folder/g.parquet")
    finally:
        files.store.clear()
    with pytest.raises(TypeError, match="filepath_or_buffer"):
        cuprum.io.parquet.ParquetWriter(3)


def test_datasets_are_written_frame_by_frame(tmp_path):
    frame = cuprum.DataFrame({"a": range(30), "k": [i % 3 for i in range(30)], "s": ["x", "y"] * 15})
    with cuprum.io.parquet.ParquetDatasetWriter(tmp_path, ["k", "s"], file_name_prefix="part") as writer:
        for start in range(0, 30, 10):
            writer.write_table(frame.iloc[start : start + 10])
        assert not list(tmp_path.rglob("*.parquet"))
    files = sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*.parquet"))
    assert files == [f"k={k}/s={s}/part-0.parquet" for k in range(3) for s in "xy"]
    assert sorted(cuprum.read_parquet(tmp_path)["a"].tolist()) == list(range(30))
    assert sorted(pa.table(cuprum.read_parquet(tmp_path, filters=[("k", "==", 1)]))["a"].to_pylist()) == list(
        range(1, 30, 3)
    )
    other = tmp_path / "other"
    with pytest.raises(ZeroDivisionError), cuprum.io.parquet.ParquetDatasetWriter(other, ["k"]) as writer:
        writer.write_table(frame)
        raise ZeroDivisionError
    assert not [file for file in other.rglob("*") if file.is_file()]
    with pytest.raises(NotImplementedError, match="max_file_size"):
        cuprum.io.parquet.ParquetDatasetWriter(other, ["k"], max_file_size=1000)


def test_damaged_indexes_and_bloom_filters_are_survived(frame):
    """Flipped bytes behind the pages: page index, bloom filters, footer. Rows or an error, and no more."""
    data = cuprum.DataFrame(frame.head(400)).to_parquet(
        row_group_size_rows=100, max_page_size_rows=20, bloom_filters=["n", "s", "c"], compression=None
    )
    filters = [[("n", ">", 150), ("n", "<", 170)], [("s", "==", "text 7")], [("c", "==", "none")]]
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    random.seed(11)
    for round in range(300):
        damaged = bytearray(data)
        for _ in range(random.randint(1, 3)):
            at = random.randrange(footer if round % 3 else footer // 2, len(data) - 4)
            damaged[at] ^= 1 << random.randrange(8)
        with contextlib.suppress(
            ValueError, KeyError, TypeError, OverflowError, NotImplementedError, MemoryError
        ):
            cuprum.read_parquet(bytes(damaged), filters=filters)
