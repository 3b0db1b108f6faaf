"""Every parameter of the functions of `cuprum.dask`: what it changes, or which values of it are refused by name.

An entry is a call and the same call without the argument, whose results differ, with what the first one has to be;
or a `refused`. A parameter without an entry fails, and so does an entry without a parameter.
"""

import inspect
from typing import NamedTuple

import dask
import dask.dataframe as dd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cuprum
import cuprum.dask as cd
from cuprum.dask.readers import read_orc

FRAME = cuprum.DataFrame({"k": [1, 2, 3, 4, 5, 6], "s": list("abcabc"), "x": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]})
TEXT = "k,s,x\n1,a,0.5\n2,b,1.5\n3,c,2.5\n4,a,3.5\n5,b,4.5\n6,c,5.5\n"


class refused(NamedTuple):
    call: object
    error: type = NotImplementedError
    says: str | None = None


class changes(NamedTuple):
    call: object
    without: object
    seen: object  # what of a result is looked at
    wanted: object


def _rows(made):
    return [list(row) for row in made.compute().itertuples(index=False)]


def _parts(made):
    return made.npartitions


def _columns(made):
    return list(made.columns)


def _labels(made):
    return made.compute().index.to_list()


_ALL = [list(row) for row in FRAME.itertuples(index=False)]

ENTRIES = {
    cd.read_csv: {
        "urlpath": changes(
            lambda f: cd.read_csv(f"{f}/a.csv"), lambda f: cd.read_csv([f"{f}/a.csv"] * 2), _rows, _ALL
        ),
        "blocksize": [
            changes(
                lambda f: cd.read_csv(f"{f}/a.csv", blocksize=20),
                lambda f: cd.read_csv(f"{f}/a.csv"),
                _parts,
                3,
            ),
            changes(
                lambda f: cd.read_csv(f"{f}/a.csv", blocksize="20B"),
                lambda f: cd.read_csv(f"{f}/a.csv"),
                _parts,
                3,
            ),
            refused(lambda f: cd.read_csv(f"{f}/a.csv", blocksize=0), ValueError),
        ],
        # Of the first lines alone `k` is a number.
        "sample": changes(
            lambda f: cd.read_csv(f"{f}/late.csv", sample=8)._meta,
            lambda f: cd.read_csv(f"{f}/late.csv")._meta,
            lambda meta: str(meta.k.dtype),
            "int64",
        ),
        "storage_options": changes(
            lambda f: cd.read_csv("memory://a.csv", storage_options={}),
            lambda f: cd.read_csv(f"{f}/late.csv"),
            _rows,
            _ALL,
        ),
        "dtype": [
            changes(
                lambda f: cd.read_csv(f"{f}/a.csv", dtype={"k": "float32"}),
                lambda f: cd.read_csv(f"{f}/a.csv"),
                lambda made: str(made.compute().k.dtype),
                "float32",
            ),
            refused(lambda f: cd.read_csv(f"{f}/a.csv", dtype={"k": "nonsense"}), TypeError, "nonsense"),
        ],
        "options": [
            changes(
                lambda f: cd.read_csv(f"{f}/a.csv", usecols=["s", "x"]),
                lambda f: cd.read_csv(f"{f}/a.csv"),
                _columns,
                ["s", "x"],
            ),
            refused(lambda f: cd.read_csv(f"{f}/a.csv", nrows=2), says="`nrows`"),
            refused(lambda f: cd.read_csv(f"{f}/a.csv", index_col="k"), says="`index_col`"),
            refused(lambda f: cd.read_csv(f"{f}/a.csv", skiprows=1, blocksize=20), says="`skiprows`"),
            refused(lambda f: cd.read_csv(f"{f}/a.csv", nonsense=1), TypeError, "nonsense"),
        ],
    },
    cd.read_json: {
        "url_path": changes(
            lambda f: cd.read_json(f"{f}/a.json"), lambda f: cd.read_json([f"{f}/a.json"] * 2), _rows, _ALL
        ),
        "orient": refused(lambda f: cd.read_json(f"{f}/a.json", orient="columns")),
        "lines": refused(lambda f: cd.read_json(f"{f}/a.json", lines=False)),
        "storage_options": changes(
            lambda f: cd.read_json("memory://a.json", storage_options={}),
            lambda f: cd.read_json(f"{f}/late.json"),
            _rows,
            _ALL,
        ),
        "blocksize": [
            changes(
                lambda f: cd.read_json(f"{f}/a.json", blocksize=60),
                lambda f: cd.read_json(f"{f}/a.json"),
                _parts,
                3,
            ),
            refused(lambda f: cd.read_json(f"{f}/a.json", blocksize=-1), ValueError),
        ],
        "sample": changes(
            lambda f: cd.read_json(f"{f}/late.json", sample=8)._meta,
            lambda f: cd.read_json(f"{f}/late.json")._meta,
            lambda meta: str(meta.k.dtype),
            "int64",
        ),
        "options": [
            changes(
                lambda f: cd.read_json(f"{f}/a.json", dtype={"k": "float64"}),
                lambda f: cd.read_json(f"{f}/a.json"),
                lambda made: str(made.compute().k.dtype),
                "float64",
            ),
            refused(lambda f: cd.read_json(f"{f}/a.json", nonsense=1), TypeError, "nonsense"),
        ],
    },
    cd.read_parquet: {
        "path": changes(
            lambda f: cd.read_parquet(f"{f}/set/part.0.parquet"),
            lambda f: cd.read_parquet(f"{f}/set"),
            _rows,
            _ALL[:2],
        ),
        "columns": changes(
            lambda f: cd.read_parquet(f"{f}/set", columns=["x"]),
            lambda f: cd.read_parquet(f"{f}/set"),
            _columns,
            ["x"],
        ),
        "filters": [
            changes(
                lambda f: cd.read_parquet(f"{f}/set", filters=[("k", ">", 3)]),
                lambda f: cd.read_parquet(f"{f}/set"),
                _rows,
                _ALL[3:],
            ),
            refused(lambda f: cd.read_parquet(f"{f}/set", filters=[("k", ">")]), ValueError),
            refused(lambda f: cd.read_parquet(f"{f}/set", filters=[("k", "in", 3)]), TypeError),
        ],
        # Categories of files are categories in any case.
        "categories": refused(
            lambda f: cd.read_parquet(f"{f}/set", categories=["s"]),
            ValueError,
            "Not all columns are categoricals",
        ),
        "index": changes(
            lambda f: cd.read_parquet(f"{f}/set", index="k"),
            lambda f: cd.read_parquet(f"{f}/set"),
            _labels,
            [1, 2, 3, 4, 5, 6],
        ),
        "storage_options": changes(
            lambda f: cd.read_parquet("memory://a.parquet", storage_options={}),
            lambda f: cd.read_parquet(f"{f}/set/part.0.parquet"),
            _rows,
            _ALL,
        ),
        "calculate_divisions": changes(
            lambda f: cd.read_parquet(f"{f}/set", index="k", calculate_divisions=True),
            lambda f: cd.read_parquet(f"{f}/set", index="k"),
            lambda made: made.divisions,
            (1, 3, 5, 6),
        ),
        "ignore_metadata_file": changes(
            lambda f: cd.read_parquet(f"{f}/stale", ignore_metadata_file=True),
            lambda f: cd.read_parquet(f"{f}/stale"),
            lambda made: len(made),
            6,
        ),  # `_metadata` says nothing of the second file
        "split_row_groups": changes(
            lambda f: cd.read_parquet(f"{f}/groups.parquet", split_row_groups=True),
            lambda f: cd.read_parquet(f"{f}/groups.parquet"),
            _parts,
            3,
        ),
        "blocksize": changes(
            lambda f: cd.read_parquet(f"{f}/groups.parquet", blocksize=1, split_row_groups="adaptive"),
            lambda f: cd.read_parquet(f"{f}/groups.parquet", split_row_groups="adaptive"),
            _parts,
            3,
        ),
        "aggregate_files": changes(
            lambda f: cd.read_parquet(f"{f}/set", aggregate_files=True, split_row_groups="adaptive"),
            lambda f: cd.read_parquet(f"{f}/set", split_row_groups="adaptive"),
            _parts,
            1,
        ),
        "parquet_file_extension": changes(
            lambda f: cd.read_parquet(f"{f}/mixed", parquet_file_extension=".rows"),
            lambda f: cd.read_parquet(f"{f}/mixed"),
            lambda made: len(made),
            6,
        ),
        "filesystem": refused(lambda f: cd.read_parquet(f"{f}/set", filesystem="arrow")),
        "unknown": refused(lambda f: cd.read_parquet(f"{f}/set", engine="pyarrow"), says="engine"),
    },
    read_orc: {
        "path": changes(
            lambda f: read_orc(f"{f}/a.orc"), lambda f: read_orc([f"{f}/a.orc"] * 2), _rows, _ALL
        ),
        "columns": changes(
            lambda f: read_orc(f"{f}/a.orc", columns=["x"]), lambda f: read_orc(f"{f}/a.orc"), _columns, ["x"]
        ),
        "storage_options": changes(
            lambda f: read_orc("memory://a.orc", storage_options={}),
            lambda f: read_orc([f"{f}/a.orc"] * 2),
            _rows,
            _ALL,
        ),
        "options": refused(lambda f: read_orc(f"{f}/a.orc", engine="pyarrow"), says="engine"),
    },
    cd.share_of_cores: {
        "workers": [
            changes(lambda f: cd.share_of_cores(10**6), lambda f: 0, lambda made: made, 1),
            refused(lambda f: cd.share_of_cores(0), ValueError),
        ]
    },
    cd.use_gpu_of_worker: {
        "number": [
            changes(
                lambda f: cd.use_gpu_of_worker(1, "4,5"),
                lambda f: cd.use_gpu_of_worker(0, "4,5"),
                lambda made: made,
                "5,4",
            ),
            refused(lambda f: cd.use_gpu_of_worker(-1, "4,5"), ValueError),
        ],
        "devices": [
            changes(
                lambda f: cd.use_gpu_of_worker(0, "7"),
                lambda f: cd.use_gpu_of_worker(0, "8"),
                lambda made: made,
                "7",
            ),
            refused(lambda f: cd.use_gpu_of_worker(0, ""), ValueError),
        ],
    },
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    import fsspec

    made = tmp_path_factory.mktemp("files")
    late = TEXT + "word,a,1.0\n"
    (made / "a.csv").write_text(TEXT)
    (made / "late.csv").write_text(late)
    lines = "".join(f'{{"k": {k}, "s": "{s}", "x": {x}}}\n' for k, s, x in _ALL)
    (made / "a.json").write_text(lines)
    (made / "late.json").write_text('{"k": 1}\n{"k": 2.5}\n')
    FRAME.to_orc(made / "a.orc")
    FRAME.to_parquet(made / "groups.parquet", row_group_size=2, index=False)
    parts = dd.from_pandas(FRAME, npartitions=3)
    with dask.config.set(scheduler="sync"):
        parts.to_parquet(made / "set", write_index=False)
    (made / "stale").mkdir()
    told = []
    table = pa.table({"k": [1, 2, 3]})
    pq.write_table(table, made / "stale" / "a.parquet", metadata_collector=told)
    pq.write_table(table, made / "stale" / "b.parquet")
    told[0].set_file_path("a.parquet")
    pq.write_metadata(table.schema, made / "stale" / "_metadata", metadata_collector=told)
    (made / "mixed").mkdir()
    FRAME.to_parquet(made / "mixed" / "a.rows", index=False)
    FRAME.iloc[:2].to_parquet(made / "mixed" / "b.parquet", index=False)
    for name in ("a.csv", "a.json", "a.orc"):
        with fsspec.open(f"memory://{name}", "wb") as file:
            file.write((made / name).read_bytes())
    with fsspec.open("memory://a.parquet", "wb") as file:
        file.write((made / "groups.parquet").read_bytes())
    return made


CASES = [
    pytest.param(function, parameter, one, id=f"{function.__name__}-{parameter}-{i}")
    for function, entries in ENTRIES.items()
    for parameter, entry in entries.items()
    for i, one in enumerate(entry if isinstance(entry, list) else [entry])
]


def test_every_parameter_has_an_entry():
    for name in cd.__all__:
        function = getattr(cd, name)
        assert not inspect.isfunction(function) or function in ENTRIES, name
    for function, entries in ENTRIES.items():
        assert set(inspect.signature(function).parameters) == set(entries), function.__name__


@pytest.mark.parametrize(("function", "parameter", "entry"), CASES)
def test_argument(function, parameter, entry, folder):
    with dask.config.set({"dataframe.backend": "cuprum", "scheduler": "sync"}):
        if isinstance(entry, refused):
            with pytest.raises(entry.error, match=entry.says or parameter):
                entry.call(folder)
            return
        got = entry.seen(entry.call(folder))
        assert got == entry.wanted
        assert got != entry.seen(entry.without(folder))
