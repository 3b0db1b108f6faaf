"""Data sets: read in parts, filtered exactly, written so that no half of one is taken for whole."""

import os

import dask
import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow.dataset import ParquetFileFormat
from sample_frames import table

import cuprum
import cuprum.dask
from cuprum.core.accessors.datetime import DatetimeProperties
from cuprum.dask.parquet import CuprumEngine

FRAME = table(400)


@pytest.fixture(autouse=True)
def backend():
    with dask.config.set({"dataframe.backend": "cuprum", "scheduler": "sync"}):
        yield


@pytest.fixture
def folder(tmp_path):
    dd.from_pandas(FRAME, npartitions=4).to_parquet(tmp_path / "data")
    return str(tmp_path / "data")


def rows(collection):
    return collection.compute().to_pandas().sort_index()


def same(got, wanted):
    wanted = wanted.to_pandas() if isinstance(wanted, cuprum.DataFrame) else wanted
    pd.testing.assert_frame_equal(got, wanted, check_categorical=False)
    return True


def test_round_trip(folder):
    found = dd.read_parquet(folder)
    assert isinstance(found._meta, cuprum.DataFrame)
    assert found._meta.dtypes.tolist() == FRAME.dtypes.tolist() or "c" in found.columns
    assert same(rows(found), FRAME)
    assert len(found) == 400
    assert isinstance(dd.read_parquet(folder, columns="x").compute(), cuprum.Series)
    assert same(rows(dd.read_parquet(folder, columns=["s", "k"])), FRAME[["s", "k"]])
    unlabelled = dd.read_parquet(folder, index=False).compute().reset_index(drop=True)
    assert same(unlabelled.to_pandas()[list(FRAME.columns)], FRAME)


def test_only_the_columns_that_are_needed_are_read(folder, monkeypatch):
    seen = []
    real = cuprum.read_parquet
    monkeypatch.setattr(cuprum, "read_parquet", lambda *a, **k: seen.append(k["columns"]) or real(*a, **k))
    found = dd.read_parquet(folder)
    seen.clear()
    assert found[found.x > 1e6].i.sum().compute() == FRAME[FRAME.x > 1e6].i.sum()
    assert seen
    assert all(sorted(columns) == ["__null_dask_index__", "i", "x"] for columns in seen)


@pytest.mark.parametrize(
    "program",
    [
        lambda d: d[d.x > 1e6],
        lambda d: d[(d.x > 1e6) & (d.k < 5)],
        lambda d: d[(d.x > 1e6) | (d.s == "a")],
        lambda d: d[d.x != 3][["k"]],
        lambda d: d[d.s == "a"][["i"]],
        lambda d: d[(d.k == 3) & (d.i == 77)],
        lambda d: d[d.k >= 3].query("i < 0"),
    ],
)
def test_filters_of_the_program(folder, program):
    assert same(rows(program(dd.read_parquet(folder))), program(FRAME))


@pytest.mark.parametrize(
    ("filters", "mask"),
    [
        ([("k", ">", 10)], lambda d: d.k > 10),
        ([("k", ">", 10), ("s", "in", ["a", "b"])], lambda d: (d.k > 10) & d.s.isin(["a", "b"])),
        (
            [[("k", "==", 1)], [("k", "==", 2), ("i", "!=", 0)]],
            lambda d: (d.k == 1) | ((d.k == 2) & (d.i != 0)),
        ),
        ([("c", "==", "u")], lambda d: d.c == "u"),
        ([("k", "not in", [1, 2])], lambda d: ~d.k.isin([1, 2])),
    ],
)
def test_filters_of_the_reader(folder, filters, mask):
    assert same(rows(dd.read_parquet(folder, filters=filters)), FRAME[mask(FRAME)])


def test_folders_of_values(tmp_path):
    FRAME = table(400).assign(k=table(400).k % 3)
    dd.from_pandas(FRAME, npartitions=2).to_parquet(tmp_path / "a", partition_on=["c", "k"])
    found = dd.read_parquet(tmp_path / "a")
    got = rows(found)[list(FRAME.columns)].astype({"k": "int64", "c": "str"})
    assert same(got, FRAME.to_pandas().astype({"c": "str"}))
    chosen = found[(found.c == "u") & (found.x > 1e6)]
    assert len(chosen.compute()) == len(FRAME[(FRAME.c == "u") & (FRAME.x > 1e6)])


def test_row_groups(tmp_path):
    FRAME.to_parquet(tmp_path / "one.parquet", row_group_size=100)
    found = dd.read_parquet(tmp_path / "one.parquet", split_row_groups=1)
    assert found.npartitions == 4
    assert same(found.compute().to_pandas().reset_index(drop=True), FRAME)


def test_nothing_is_seen_before_all_is_written(tmp_path):
    """A partition that fails leaves no data set, whatever the others have done."""

    def fail(part, partition_info=None):
        if partition_info is not None and partition_info["number"] == 2:
            raise ZeroDivisionError("on purpose")
        return part

    parts = dd.from_pandas(FRAME, npartitions=4).map_partitions(fail, meta=FRAME.iloc[:0])
    with pytest.raises(ZeroDivisionError):
        parts.to_parquet(tmp_path / "half")
    assert not list((tmp_path / "half").rglob("*.parquet"))
    dd.from_pandas(FRAME, npartitions=4).to_parquet(tmp_path / "half")
    assert same(rows(dd.read_parquet(tmp_path / "half")), FRAME)
    assert not list((tmp_path / "half").rglob(".*"))


@pytest.mark.parametrize(
    ("first", "second", "seen"),
    [
        (pa.array([1, 2]), pa.array([3, None], pa.int32()), "int64"),
        (pa.array([1, 2], pa.int32()), pa.array([3, 4], pa.int64()), "int32"),
        (pa.array([1.5, 2.0]), pa.array([3, 4]), "float64"),
        (pa.array(["a", "b"]), pa.array([3, 4]), "str"),
        (pa.array(["a", "b"]).dictionary_encode(), pa.array(["c", "b"]), "category"),
    ],
)
def test_types_are_those_of_the_data_set(first, second, seen, tmp_path):
    """Of files whose types differ Dask plans with those of the first."""
    pq.write_table(pa.table({"a": first, "b": first}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"b": first, "a": second}), tmp_path / "1.parquet")
    found = dd.read_parquet(tmp_path)
    parts = [found.partitions[i].compute() for i in range(2)]
    assert [str(part.a.dtype) for part in parts] == [seen] * 2
    values = second.cast(pa.string() if seen in ("str", "category") else first.type)
    assert parts[1].a.to_arrow().to_pylist() == values.to_pylist()


@pytest.mark.parametrize("value", [2**40, "word"])
def test_values_that_the_types_of_the_data_set_lack(value, tmp_path):
    pq.write_table(pa.table({"a": pa.array([1], pa.int32())}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"a": [value]}), tmp_path / "1.parquet")
    with pytest.raises(ValueError, match=r"1\.parquet: column 'a' is not int32"):
        dd.read_parquet(tmp_path).compute()


# What Dask can hand on to the engine, and what is then said of it.
HANDED_ON = {
    "dtype_backend": ("read_partition", {"dtype_backend": "pyarrow"}),
    "convert_string": ("read_partition", {"convert_string": False}),
    "pre_buffer": ("read_partition", {"read": {"pre_buffer": True}}),
    "open_file_options": ("read_partition", {"read": {"open_file_options": {"cache_type": "none"}}}),
    "dataset.partitioning": ("read_partition", {"dataset": {"partitioning": "directory"}}),
    "dataset.format": (
        "read_partition",
        {"dataset": {"format": ParquetFileFormat(dictionary_columns=["k"])}},
    ),
    "arrow_to_pandas": ("read_partition", {"arrow_to_pandas": {"types_mapper": None}}),
    "return_metadata": ("write_partition", {"return_metadata": False}),
    "fmd": ("write_partition", {"return_metadata": True, "fmd": "_metadata"}),
    "schema": ("write_partition", {"return_metadata": True, "schema": pa.schema([("k", pa.int8())])}),
    "custom_metadata": ("write_partition", {"return_metadata": True, "custom_metadata": {"by": "me"}}),
    "nonsense": ("write_partition", {"return_metadata": True, "nonsense": 1}),
    "meta": ("write_metadata", {"meta": "_metadata"}),
    "append": ("write_metadata", {"meta": None, "append": True}),
    "other": ("write_metadata", {"meta": None, "other": 1}),
}


@pytest.mark.parametrize("argument", HANDED_ON)
def test_what_dask_hands_on_is_refused_by_name(argument, tmp_path):
    from fsspec.implementations.local import LocalFileSystem

    function, given = HANDED_ON[argument]
    FRAME.to_parquet(tmp_path / "a.parquet")
    piece = (str(tmp_path / "a.parquet"), None, None)
    taken = {
        "read_partition": {"pieces": piece, "columns": ["k"], "index": []},
        "write_partition": {"df": FRAME, "path": str(tmp_path), "filename": "b", "partition_on": []},
        "write_metadata": {"parts": [], "path": str(tmp_path)},
    }
    with pytest.raises((NotImplementedError, TypeError), match=argument):
        getattr(CuprumEngine, function)(fs=LocalFileSystem(), **taken[function], **given)
    assert os.listdir(tmp_path) == ["a.parquet"]


def test_categories_that_dask_names(tmp_path):
    from fsspec.implementations.local import LocalFileSystem

    FRAME.to_parquet(tmp_path / "a.parquet")
    piece = (str(tmp_path / "a.parquet"), None, None)
    read = CuprumEngine.read_partition(LocalFileSystem(), piece, ["s", "k"], [], categories=["s"])
    assert [str(dtype) for dtype in read.dtypes] == ["category", str(FRAME.k.dtype)]


def test_naming_again_changes_nothing(tmp_path):
    """The last task may be run twice, if its worker has died."""
    from fsspec.implementations.local import LocalFileSystem

    fs, path = LocalFileSystem(), str(tmp_path)
    made = CuprumEngine.write_partition(FRAME, path, fs, "part.0.parquet", [], True, compression="snappy")
    for _ in range(2):
        CuprumEngine.write_metadata([made], None, fs, path)
    assert os.listdir(path) == ["part.0.parquet"]
    os.remove(tmp_path / "part.0.parquet")
    with pytest.raises(FileNotFoundError, match="was written and is gone"):
        CuprumEngine.write_metadata([made], None, fs, path)


def test_csv_in_blocks(tmp_path):
    plain = FRAME[["k", "x", "i"]].assign(s=FRAME.c.astype("str"))
    plain.iloc[:250].to_csv(tmp_path / "0.csv", index=False)
    plain.iloc[250:].to_csv(tmp_path / "1.csv", index=False)
    found = dd.read_csv(str(tmp_path / "*.csv"), blocksize=2000)
    assert found.npartitions > 4
    assert same(found.compute().to_pandas().reset_index(drop=True), plain)
    assert same(found[["s"]].compute().to_pandas().reset_index(drop=True), plain[["s"]])
    assert found.x.sum().compute() == pytest.approx(plain.x.sum())
    assert same(dd.read_csv(str(tmp_path / "0.csv"), blocksize=None).compute().to_pandas(), plain.iloc[:250])


def test_json_lines_in_blocks(tmp_path):
    plain = FRAME[["k", "x", "s"]]
    plain.to_json(tmp_path / "a.json", orient="records", lines=True)
    found = dd.read_json(str(tmp_path / "a.json"), blocksize=3000)
    assert found.npartitions > 2
    assert same(found.compute().to_pandas().reset_index(drop=True), plain)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda p: dd.read_parquet(p, engine="pyarrow"), NotImplementedError, r"arguments \['engine'\]"),
        (lambda p: dd.read_parquet(p, filesystem="arrow"), NotImplementedError, "`filesystem` is 'arrow'"),
        (lambda p: dd.read_parquet(p, filters=[("k", "in", 3)]), TypeError, "'in' takes a list"),
        (lambda p: dd.read_parquet(p, filters=[("k", 3)]), ValueError, "conditions are"),
        (lambda p: dd.read_parquet(p, filters=[("k", "~", 3)]).compute(), ValueError, "'~'"),
        (lambda p: dd.read_parquet(p, categories=["k"]), NotImplementedError, "`categories` names 'k'"),
        (lambda p: dd.read_parquet(p, columns=["zz"]).compute(), (KeyError, ValueError), "zz"),
        (lambda p: dd.read_parquet(p + "/no"), FileNotFoundError, "no"),
        (lambda p: dd.read_csv(p + "/no*.csv"), FileNotFoundError, "no file like"),
        (lambda p: dd.read_csv(p + "/x", nrows=3), NotImplementedError, "`nrows` of read_csv"),
        (lambda p: dd.read_csv(p + "/x", skiprows=3, blocksize=100), NotImplementedError, "`skiprows`"),
        (lambda p: dd.read_json(p + "/x", orient="split"), NotImplementedError, "orient='split'"),
        (lambda p: dd.from_dict({"a": [1]}, npartitions=1, constructor=dict), ValueError, "`constructor`"),
        (lambda p: dd.from_pandas(FRAME, 2).to_parquet(p, append=True), NotImplementedError, "`append`"),
        (lambda p: dd.from_pandas(FRAME, 2).to_parquet(p, engine="pyarrow"), NotImplementedError, "`engine`"),
        (lambda p: dd.from_pandas(FRAME, 2).to_orc(p), NotImplementedError, "to_orc"),
        (lambda p: dd.from_pandas(FRAME, 2).to_backend("cuprum", x=1), TypeError, r"arguments \['x'\]"),
    ],
)
def test_refusals(folder, call, error, message):
    with pytest.raises(error, match=message):
        call(folder)


def test_backends_do_not_mix():
    ours = dd.from_pandas(FRAME, npartitions=2)
    theirs = ours.to_backend("pandas")
    assert isinstance(theirs.compute(), pd.DataFrame)
    for mix in (lambda: ours.merge(theirs, on="k"), lambda: ours.join(theirs, rsuffix="_")):
        with pytest.raises(TypeError, match="to_backend"):
            mix()
    for mix in (lambda: theirs.merge(ours, on="k").compute(), lambda: dd.concat([ours, theirs]).compute()):
        with pytest.raises(TypeError):
            mix()
    assert same(rows(theirs.to_backend("cuprum")), FRAME)


def test_collections_of_many_sources():
    assert isinstance(dd.from_dict({"a": [1, 2, 3]}, npartitions=2).compute(), cuprum.DataFrame)
    made = dd.from_map(lambda i: cuprum.DataFrame({"a": [i]}), [1, 2, 3]).compute()
    assert made.a.to_list() == [1, 2, 3]
    late = [dask.delayed(cuprum.DataFrame)({"a": [i]}) for i in range(3)]
    assert dd.from_delayed(late).compute().a.to_list() == [0, 1, 2]
    with pytest.raises(ValueError, match="Metadata mismatch"):
        dd.from_delayed(late, meta=cuprum.DataFrame({"a": ["x"]})).compute()


def test_large_files_of_few_columns_are_not_put_together(tmp_path, monkeypatch):
    # 64 MB is what one has in production: this is about 4.8 MB a file and 2400 bytes.
    monkeypatch.setattr("cuprum.dask.parquet._SMALL", 8 << 20)
    rows = 200_000
    many = pd.DataFrame({label: range(rows) for label in "abcdefgh"})
    for part in range(4):
        for size, folder in ((rows, "large"), (100, "small")):
            (tmp_path / folder).mkdir(exist_ok=True)
            many.head(size).to_parquet(tmp_path / folder / f"{part}.parquet")
    partitions = {}
    for folder in ("large", "small"):
        read = dd.read_parquet(tmp_path / folder)[["a", "b", "c"]]
        partitions[folder] = (read + 1).optimize().npartitions
        assert int((read + 1).a.sum().compute()) == sum(
            len(part) * (len(part) + 1) // 2 for part in read.partitions
        )
    # The large ones are 1 task each; the small ones are put together as Dask does it.
    assert partitions == {"large": 4, "small": 2}


def test_what_is_not_supported_is_named(monkeypatch):
    for method, cls in (("to_timestamp", cuprum.DataFrame), ("to_period", DatetimeProperties)):
        for one in cls.__mro__:
            if method in vars(one):
                monkeypatch.delattr(one, method)
    times = dd.from_dict({"t": pd.to_datetime(["2020-01-01", None, "2021-05-06"])}, npartitions=2)
    with pytest.raises(
        RuntimeError, match=r"'DatetimeProperties' object has no attribute 'to_period'.*to_backend"
    ):
        times.t.dt.to_period("D")
    with pytest.raises(RuntimeError, match=r"`ToTimestamp` is not supported by the backend 'cuprum'"):
        times.to_timestamp()
