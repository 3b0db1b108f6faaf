"""Directories of Parquet files: read and written, beside pandas."""

import fsspec
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import fs

import cuprum


@pytest.fixture
def frame():
    rows = 60
    return pd.DataFrame(
        {
            "a": range(rows),
            "k": [(10, 2, -3)[i % 3] for i in range(rows)],
            "s": [("x y", "b/c", "é", "a=b", "")[i % 5] for i in range(rows)],
            "f": np.arange(rows) / 4,
        }
    )


def read_alike(path, **options):
    expected = pd.read_parquet(path, **options)
    got = cuprum.read_parquet(path, **options).to_pandas()
    pd.testing.assert_frame_equal(got, expected)
    return got


def test_keys_are_columns(frame, tmp_path):
    frame.to_parquet(tmp_path, partition_cols=["k", "s"])
    (tmp_path / "_SUCCESS").write_text("")
    (tmp_path / "k=2" / ".hidden").write_text("no Parquet")
    for path in [tmp_path, str(tmp_path), str(tmp_path) + "/"]:
        read_alike(path)
    read_alike(tmp_path, columns=["s", "a"])
    read_alike(tmp_path, columns=["k"])
    files = sorted(str(file) for file in tmp_path.rglob("*.parquet"))
    read_alike(files)
    assert list(cuprum.read_parquet(files[0]).columns) == ["a", "f"]
    whole = cuprum.read_parquet(str(tmp_path / "k=2" / "*" / "*.parquet"))
    assert sorted(whole["a"].to_pandas()) == [i for i in range(60) if i % 3 == 1]
    plain = cuprum.read_parquet(tmp_path, categorical_partitions=False)
    assert [str(dtype) for dtype in plain.dtypes.tolist()] == ["int64", "float64", "int32", "str"]
    pd.testing.assert_series_equal(
        plain["s"].to_pandas(), cuprum.read_parquet(tmp_path)["s"].to_pandas().astype("str")
    )


@pytest.mark.parametrize(
    "filters",
    [
        [("k", "==", 2)],
        [("k", ">", -3), ("a", "<", 30)],
        [("s", "in", ["é", ""]), ("f", ">=", 3)],
        [[("s", "==", "b/c"), ("k", "!=", 2)], [("a", "==", 7)]],
        [("k", "not in", [2, 10])],
        [("k", "==", 5)],
        [("k", "==", 5), ("a", "<", 3)],
    ],
    ids=str,
)
def test_keys_are_filtered(filters, frame, tmp_path):
    frame.to_parquet(tmp_path, partition_cols=["k", "s"])
    expected = pd.read_parquet(tmp_path, filters=filters)
    got = cuprum.read_parquet(tmp_path, filters=filters).to_pandas()
    if not len(expected):  # pandas forgets the categories
        expected["k"] = expected["k"].cat.set_categories(got["k"].cat.categories)
        expected["s"] = expected["s"].cat.set_categories(got["s"].cat.categories)
    pd.testing.assert_frame_equal(got, expected)


def test_files_that_keys_rule_out_are_not_opened(frame, tmp_path):
    frame.to_parquet(tmp_path, partition_cols=["k"])
    for file in (tmp_path / "k=10").iterdir():
        file.write_bytes(b"nothing")
    assert len(cuprum.read_parquet(tmp_path, filters=[("k", "<", 10)])) == 40
    with pytest.raises(ValueError, match="k=10"):
        cuprum.read_parquet(tmp_path)
    with pytest.raises(TypeError, match=r"filters.*'k'"):
        cuprum.read_parquet(tmp_path, filters=[("k", "==", "2")])
    with pytest.raises(KeyError, match=r"filters.*nope"):
        cuprum.read_parquet(tmp_path, filters=[("k", "==", 5), ("nope", "==", 1)])


def test_missing_keys(tmp_path):
    frame = pd.DataFrame({"a": range(4), "k": ["x", None, "y", None]})
    frame.to_parquet(tmp_path / "text", partition_cols=["k"])
    got = cuprum.read_parquet(tmp_path / "text")
    assert got.to_arrow().to_pydict() == pq.read_table(tmp_path / "text").to_pydict()
    assert cuprum.read_parquet(tmp_path / "text", filters=[("k", "!=", "x")])["a"].to_arrow().to_pylist() == [
        2
    ]
    assert sorted(
        cuprum.read_parquet(tmp_path / "text", filters=[("k", "in", ["x", None])])["a"].to_arrow().to_pylist()
    ) == [0, 1, 3]


@pytest.mark.parametrize("text", ["1", "01", "-1", "1.5", "99999999999", "abc", "%25"])
def test_types_of_keys(text, tmp_path):
    folder = tmp_path / f"k={text}"
    folder.mkdir()
    pd.DataFrame({"a": [1]}).to_parquet(folder / "f.parquet")
    read_alike(tmp_path)


def test_arguments_refused_in_parquet_datasets(frame, tmp_path):
    with pytest.raises(FileNotFoundError, match="no files"):
        cuprum.read_parquet(tmp_path)
    (tmp_path / "k=1").mkdir()
    frame.to_parquet(tmp_path / "k=1" / "a.parquet")
    with pytest.raises(ValueError, match="'k'"):
        cuprum.read_parquet(tmp_path)
    frame.to_parquet(tmp_path / "b.parquet")
    with pytest.raises(ValueError, match="different keys"):
        cuprum.read_parquet(tmp_path)


def test_directories_elsewhere(frame, tmp_path):
    files = fsspec.filesystem("memory")
    frame.to_parquet(tmp_path, partition_cols=["k", "s"])
    try:
        files.put(f"{tmp_path}/", "/there/", recursive=True)
        files.pipe("/there/_SUCCESS", b"")
        files.pipe("/there/k=2/.hidden", b"no Parquet")
        for address in ("memory://there", "memory://there/", "memory://there/*/*/*.parquet"):
            pd.testing.assert_frame_equal(cuprum.read_parquet(address).to_pandas(), pd.read_parquet(tmp_path))
        some = {"columns": ["a", "k"], "filters": [("k", ">", -3), ("a", "<", 30)]}
        got = cuprum.read_parquet("memory://there", **some).to_pandas()
        pd.testing.assert_frame_equal(got, pd.read_parquet(tmp_path, **some))
        files.pipe("/empty/_SUCCESS", b"")
        with pytest.raises(FileNotFoundError, match=r"memory://.*empty.* has no files"):
            cuprum.read_parquet("memory://empty")
    finally:
        files.store.clear()


@pytest.mark.parametrize("of", ["fsspec", "pyarrow"])
def test_file_systems_that_are_given(of, frame, tmp_path):
    frame.to_parquet(tmp_path / "t", partition_cols=["k", "s"])
    pd.DataFrame({"a": [1, 2]}).to_parquet(tmp_path / "1.parquet")
    pd.DataFrame({"a": [3]}).to_parquet(tmp_path / "2.parquet")
    pd.DataFrame({"a": [4, 5]}).to_orc(tmp_path / "f.orc")
    inside = fsspec.filesystem("dir", path=str(tmp_path), target_protocol="file")
    files = inside if of == "fsspec" else fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem())
    for path in ("t", "1.parquet"):
        got = cuprum.read_parquet(path, filesystem=files).to_pandas()
        pd.testing.assert_frame_equal(got, pd.read_parquet(path, filesystem=files))
    some = {"columns": ["a"], "filters": [("k", ">", -3)], "filesystem": files}
    pd.testing.assert_frame_equal(cuprum.read_parquet("t", **some).to_pandas(), pd.read_parquet("t", **some))
    for several in (["1.parquet", "2.parquet"], "?.parquet"):
        assert cuprum.read_parquet(several, filesystem=files)["a"].to_list() == [1, 2, 3]
    got = cuprum.read_orc("f.orc", filesystem=files).to_pandas()
    pd.testing.assert_frame_equal(got, pd.read_orc(tmp_path / "f.orc"))
    for read in (cuprum.read_parquet, cuprum.read_orc):
        for absent in ("none", "none*"):
            with pytest.raises(FileNotFoundError, match="none"):
                read(absent, filesystem=files)
        with pytest.raises(TypeError, match=r"`path` must be a path.*`filesystem`.*bytes"):
            read(b"", filesystem=files)
        with pytest.raises(ValueError, match="`path` names no files"):
            read([], filesystem=files)
        with pytest.raises(ValueError, match=r"`storage_options` is .*'a'.*`filesystem`"):
            read("x", filesystem=files, storage_options={"a": 1})


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("taken", ["x", "y", "z"])
def test_no_file_is_there_where_one_cannot_get_its_name(taken, at_once, tmp_path):
    frame = cuprum.DataFrame({"a": [1, 2, 3], "k": ["x", "y", "z"]})
    frame.iloc[:2].to_parquet(tmp_path, partition_cols="k", partition_file_name="p-0.parquet")
    (tmp_path / f"k={taken}" / "p-0.parquet").unlink(missing_ok=True)
    (tmp_path / f"k={taken}" / "p-0.parquet").mkdir(parents=True)
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    more = frame.assign(a=[4, 5, 6])
    if at_once:
        with pytest.raises(IsADirectoryError, match=f"k={taken}"):
            more.to_parquet(tmp_path, partition_cols=["k"], partition_file_name="p-0.parquet")
    else:
        writer = cuprum.io.parquet.ParquetDatasetWriter(tmp_path, ["k"], file_name_prefix="p")
        with pytest.raises(IsADirectoryError, match=f"k={taken}"):
            writer.write_table(more)
        with pytest.raises(ValueError, match="could not be written whole"):
            writer.close()
        writer.close()
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == files


def test_a_writer_without_a_frame_writes_nothing(tmp_path):
    with cuprum.io.parquet.ParquetDatasetWriter(tmp_path / "t", ["k"]):
        pass
    writer = cuprum.io.parquet.ParquetDatasetWriter(tmp_path / "t", ["k"])
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.write_table(cuprum.DataFrame({"a": [1], "k": ["x"]}))
    cuprum.DataFrame({"a": [], "k": []}).to_parquet(tmp_path / "t", partition_cols="k")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["_k", ".k", "a=b", "a/b", "a%20b"])
def test_keys_that_no_reader_would_find_are_refused(name, tmp_path):
    with pytest.raises(ValueError, match="partition_cols"):
        cuprum.DataFrame({"a": [1], name: ["x"]}).to_parquet(tmp_path, partition_cols=name)
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_a_directory_around_it_is_refused(tmp_path):
    cuprum.DataFrame({"a": [1], "k": ["x"]}).to_parquet(tmp_path, partition_cols="k")
    (tmp_path / "k=x" / "up").symlink_to("..")
    with pytest.raises(ValueError, match="link to a directory that it is in"):
        cuprum.read_parquet(tmp_path)


def test_directories_of_orc(frame, tmp_path):
    for key in ("x", "é b"):
        (tmp_path / f"k={key}").mkdir()
        frame[["a"]].to_orc(tmp_path / f"k={key}" / "f.orc")
    (tmp_path / "_SUCCESS").write_text("")
    got = cuprum.read_orc(tmp_path, filters=[("k", "==", "é b"), ("a", "<", 2)])
    assert got.to_arrow().to_pydict() == {"a": [0, 1], "k": ["é b"] * 2}
    assert got["k"].dtype.categories.to_list() == ["x", "é b"]


def test_keys_of_a_schema(frame, tmp_path):
    frame[["a", "k"]].to_parquet(tmp_path, partition_cols=["k"])
    schema = pa.schema({"a": pa.int8(), "k": pa.int64()})
    got = cuprum.read_parquet(tmp_path, schema=schema)
    assert got.to_arrow().to_pydict() == pq.read_table(tmp_path, schema=schema).to_pydict()
    assert [str(dtype) for dtype in got.dtypes.tolist()] == ["int8", "int64"]
    with pytest.raises(ValueError, match="column 'k' is not bool"):
        cuprum.read_parquet(tmp_path, schema=pa.schema({"k": pa.bool_()}))


def test_files_of_a_writer_are_hidden_until_all_are_whole(tmp_path):
    with cuprum.io.parquet.ParquetDatasetWriter(tmp_path, ["k"], file_name_prefix="p") as writer:
        for part in range(2):
            writer.write_table(cuprum.DataFrame({"a": [part], "k": ["x"]}))
        assert [path for path in tmp_path.rglob("*") if path.is_file() and path.name[0] != "."] == []
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["p-0.parquet"]
    assert cuprum.read_parquet(tmp_path)["a"].to_list() == [0, 1]


def test_a_file_of_a_data_set_that_is_there_keeps_its_mode_and_its_link(tmp_path):
    (tmp_path / "d" / "k=x").mkdir(parents=True)
    old, link = tmp_path / "old", tmp_path / "d" / "k=x" / "p-0.parquet"
    old.write_bytes(b"")
    old.chmod(0o640)
    link.symlink_to(old)
    with cuprum.io.parquet.ParquetDatasetWriter(tmp_path / "d", ["k"], file_name_prefix="p") as writer:
        writer.write_table(cuprum.DataFrame({"a": [1], "k": ["x"]}))
    assert link.is_symlink()
    assert old.stat().st_mode & 0o777 == 0o640
    assert cuprum.read_parquet(tmp_path / "d")["a"].to_list() == [1]


@pytest.mark.parametrize("kind", ["fsspec", "pyarrow"])
@pytest.mark.parametrize("name", ["a[1].parquet", "a?.parquet", "a*.parquet"])
def test_a_file_of_the_name_of_a_pattern_is_that_file(name, kind, tmp_path):
    files = fsspec.filesystem("file") if kind == "fsspec" else fs.LocalFileSystem()
    cuprum.DataFrame({"a": [1]}).to_parquet(tmp_path / "a1.parquet")
    assert cuprum.read_parquet(str(tmp_path / name), filesystem=files)["a"].to_list() == [1]
    cuprum.DataFrame({"a": [2]}).to_parquet(tmp_path / name)
    assert cuprum.read_parquet(str(tmp_path / name), filesystem=files)["a"].to_list() == [2]
