"""Files of one table that are not alike, beside pyarrow's data sets: nothing that a file has is lost."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum

BIG = 2**60 + 1
TIMES = pd.to_datetime(["2020-01-01", "2021-02-03"])


def write(folder, *files):
    paths = [folder / f"{i}.parquet" for i in range(len(files))]
    for path, file in zip(paths, files, strict=True):
        pq.write_table(file if isinstance(file, pa.Table) else pa.Table.from_pandas(pd.DataFrame(file)), path)
    return paths


def by_pyarrow(paths, **options):
    """The rows of a data set of the schema that pyarrow makes of all schemas."""
    schema = pa.unify_schemas(
        [pq.read_schema(path).remove_metadata() for path in paths], promote_options="permissive"
    )
    return ds.dataset([str(path) for path in paths], schema=schema).to_table(**options)


@pytest.mark.parametrize(
    "files",
    [
        [{"a": [1], "b": [2]}, {"b": [3], "a": [4]}],
        [{"a": [1], "b": [2]}, {"a": [4]}],
        [{"a": [1]}, {"a": [4], "b": [BIG]}],
        [{"a": [1]}, {"b": ["x"]}, {"c": [True], "a": [2]}],
        [{"a": np.int32([1])}, {"a": [BIG]}],
        [{"a": [BIG]}, {"a": np.int32([1])}],
        [{"a": np.uint8([200])}, {"a": np.int8([-1])}],
        [{"a": np.uint32([2**32 - 1])}, {"a": np.int32([-1])}],
        [{"a": np.float32([0.5])}, {"a": [0.1]}],
        [{"a": [1]}, {"a": [1.5]}],
        [{"a": [1.5]}, {"a": [1]}],
        [{"a": [None]}, {"a": ["x"]}],
        [{"a": ["x"]}, {"a": [None]}],
        [{"a": [None]}, {"a": [BIG]}],
        [{"a": [None]}, {"a": [[1]]}],
        [{"a": [None]}, {"a": TIMES}],
        [{"a": [None]}, {"a": [Decimal("1.5")]}],
        [{"a": [None]}, {"a": [None]}],
        [{"a": TIMES.astype("M8[ms]")}, {"a": TIMES.astype("M8[ns]")}],
        [{"a": pd.Categorical(["x", "y"])}, {"a": pd.Categorical(["z", "x"])}],
        [{"a": pd.Categorical(["x", None])}, {"b": [1]}],
        [{"a": [Decimal("1.5")]}, {"a": [Decimal("1234.25")]}],
        [{"a": [[1]]}, {"a": [[1.5], []]}],
        [{"a": [[]]}, {"a": [["x"]]}],
        [{"a": [{"x": 1}]}, {"a": [{"x": 2, "y": "z"}]}],
    ],
    ids=str,
)
def test_as_pyarrow_unifies(files, tmp_path):
    paths = write(tmp_path, *files)
    expected = by_pyarrow(paths)
    for source in (tmp_path, paths, str(tmp_path / "*.parquet"), [path.read_bytes() for path in paths]):
        got = cuprum.read_parquet(source)
        assert got.to_arrow().to_pydict() == expected.to_pydict()
        assert got.index.equals(cuprum.RangeIndex(len(got)))
    theirs = cuprum.from_arrow(expected) if hasattr(cuprum, "from_arrow") else cuprum.DataFrame(expected)
    known = [
        label for label in got.columns if got[label].notna().any() and str(got[label].dtype)[:3] != "dec"
    ]
    assert [str(got[label].dtype) for label in known] == [str(theirs[label].dtype) for label in known]


@pytest.mark.parametrize(
    ("files", "dtype", "values"),
    [
        # pyarrow has no type of the two, or casts to the first.
        ([{"a": [np.nan]}, {"a": ["x"]}], "str", [None, "x"]),
        ([{"a": ["x"]}, {"a": [np.nan]}], "str", ["x", None]),
        ([{"a": pd.Categorical(["x"])}, {"a": ["y"]}], "category", ["x", "y"]),
        ([{"a": ["y"]}, {"a": pd.Categorical(["x"])}], "str", ["y", "x"]),
        ([{"a": np.uint64([2**63])}, {"a": [1]}], "uint64", [2**63, 1]),
        ([{"a": np.uint64([5])}, {"a": [-1]}], "int64", [5, -1]),
        ([{"a": []}, {"a": ["x"]}], "str", ["x"]),
        ([{"a": [Decimal("1.5")]}, {"a": [2]}], "decimal128(21, 1)", [Decimal("1.5"), Decimal("2.0")]),
    ],
)
def test_where_pyarrow_has_no_type(files, dtype, values, tmp_path):
    got = cuprum.read_parquet(write(tmp_path, *files))["a"]
    assert (str(got.dtype), got.to_arrow().to_pylist()) == (dtype, values)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([{"a": [1]}, {"a": ["x"]}], "column 'a' is str in .*1.parquet, but int64 in .*0.parquet"),
        (
            [{"a": [1]}, {"a": [2]}, {"a": [True]}],
            "column 'a' is bool in .*2.parquet, but int64 in .*0.parquet",
        ),
        ([{"a": [BIG]}, {"a": [1.5]}], "column 'a' is float64 in .*1.parquet, but int64 in"),
        ([{"a": np.uint64([2**63])}, {"a": [-1]}], "column 'a' is int64 in .*1.parquet, but uint64 in"),
        ([{"a": TIMES}, {"a": TIMES.tz_localize("UTC")}], "column 'a' is datetime64.* in .*1.parquet"),
        (
            [{"a": pd.Categorical(["x"], ordered=True)}, {"a": pd.Categorical(["y"], ordered=True)}],
            r"column 'a' is CategoricalDtype\(categories=\['y'\].* in .*1.parquet",
        ),
        ([{"a": [[BIG]]}, {"a": [[1.5]]}], "column 'a' is list<float64> in .*1.parquet, but list<int64> in"),
        (
            [pd.DataFrame({"a": [1]}, index=pd.Index([5], name="k")), {"a": [1]}],
            r"1.parquet has the row labels \[None\], but .*0.parquet has \['k'\]",
        ),
    ],
    ids=str,
)
def test_what_no_type_has_is_refused(files, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        cuprum.read_parquet(write(tmp_path, *files))


def test_times_that_do_not_fit_are_refused(tmp_path):
    far = pd.to_datetime(["9999-01-01"]).astype("M8[ms]")
    with pytest.raises(OverflowError, match=r"column 'a'.*0.parquet.*datetime64\[ns\]"):
        cuprum.read_parquet(write(tmp_path, {"a": far}, {"a": TIMES.astype("M8[ns]")}))


FILES = [{"a": [1, 2], "b": ["x", "y"]}, {"a": [3]}, {"b": ["x"], "c": [0.5]}, {"a": [None], "b": [None]}]


@pytest.mark.parametrize("columns", [["c", "a"], ["b"], ["c"], ["c", "b", "a"], None])
@pytest.mark.parametrize(
    "filters",
    [
        None,
        [("b", "==", "x")],
        [("a", ">", 1)],
        [("a", "in", [1, None])],
        [("b", "not in", ["x"]), ("a", "!=", 2)],
        [[("c", ">", 0)], [("a", "==", 3)]],
        [("c", ">", 9)],
    ],
)
def test_columns_and_filters(columns, filters, tmp_path):
    paths = write(tmp_path, *FILES)
    got = cuprum.read_parquet(paths, columns=columns, filters=filters)
    every = cuprum.read_parquet(paths)
    kept = every if filters is None else every[[holds(row, filters) for row in every.to_arrow().to_pylist()]]
    expected = kept.to_arrow().select(columns or list(every.columns))
    assert got.to_arrow().select(list(got.columns)).to_pylist() == [
        {label: row[label] for label in got.columns} for row in expected.to_pylist()
    ]
    assert columns is None or list(got.columns) == columns


def holds(row, filters):
    compare = {
        "==": lambda own, other: own is not None and own == other,
        "!=": lambda own, other: own is not None and own != other,
        ">": lambda own, other: own is not None and own > other,
        "in": lambda own, other: own in other,
        "not in": lambda own, other: own not in other,
    }
    lists = [filters] if isinstance(filters[0], tuple) else filters
    return any(all(compare[how](row[label], other) for label, how, other in every) for every in lists)


def test_columns_that_no_file_has(tmp_path):
    paths = write(tmp_path, *FILES)
    for options in ({"columns": ["a", "nope"]}, {"filters": [("nope", "==", 1)]}):
        with pytest.raises(KeyError, match="nope"):
            cuprum.read_parquet(paths, **options)


@pytest.mark.parametrize(
    "schema",
    [
        {"a": pa.int64(), "b": pa.string(), "c": pa.float64()},
        {"c": pa.float32(), "a": pa.float64()},
        {"b": pa.dictionary(pa.int32(), pa.string()), "new": pa.timestamp("us")},
        {"a": pa.int8()},
    ],
)
@pytest.mark.parametrize("options", [{}, {"filters": [("a", ">", 1)]}])
def test_schemas(schema, options, tmp_path):
    schema = pa.schema(schema)
    if "a" not in schema.names and options:
        return
    for paths in (write(tmp_path, *FILES), write(tmp_path, FILES[0]), write(tmp_path, FILES[2])):
        expected = pq.read_table([str(path) for path in paths], schema=schema, **options)
        got = cuprum.read_parquet(paths, schema=schema, **options)
        assert got.to_arrow().to_pydict() == expected.to_pydict()
        theirs = cuprum.DataFrame.from_arrow(expected.slice(0, 0))
        assert [str(one) for one in got.dtypes.tolist()] == [str(one) for one in theirs.dtypes.tolist()]
    got = cuprum.read_parquet(paths, schema=schema, columns=schema.names[:1])
    assert list(got.columns) == schema.names[:1]


def test_row_labels_of_a_schema(tmp_path):
    paths = write(tmp_path, pd.DataFrame({"a": [1]}, index=pd.Index([5], name="k")))
    for schema in ({"k": pa.int8(), "a": pa.int64()}, {"a": pa.int8()}):
        schema = pa.schema(schema)
        got = cuprum.read_parquet(paths, schema=schema)
        assert got.to_arrow().to_pydict() == pq.read_table(paths, schema=schema).to_pydict()
    assert got.index.to_list() == [5]


def test_values_that_do_not_fit_a_schema(tmp_path):
    paths = write(tmp_path, {"a": [1, 300]}, {"a": ["x"]})
    for path, kind in ((paths[:1], pa.int8()), (paths, pa.int64())):
        with pytest.raises(ValueError, match=r"\d.parquet: column 'a' is not int"):
            cuprum.read_parquet(path, schema=pa.schema({"a": kind}))


def test_row_labels_of_two_types(tmp_path):
    labelled = pd.DataFrame({"a": [1]}, index=pd.Index(np.int32([5]), name="k"))
    more = pd.DataFrame({"a": [2]}, index=pd.Index([BIG], name="k"))
    got = cuprum.read_parquet(write(tmp_path, labelled, more))
    assert (got.index.to_list(), str(got.index.dtype), got.index.name) == ([5, BIG], "int64", "k")


def test_keys_of_directories(tmp_path):
    for key, file in (("x", {"a": np.int32([1])}), ("y", {"b": ["s"], "a": [BIG]})):
        (tmp_path / f"k={key}").mkdir()
        write(tmp_path / f"k={key}", file)
    got = cuprum.read_parquet(tmp_path)
    assert got.to_arrow().to_pydict() == {"a": [1, BIG], "b": [None, "s"], "k": ["x", "y"]}
    assert list(cuprum.read_parquet(tmp_path, columns=["k", "b"]).columns) == ["k", "b"]
    some = cuprum.read_parquet(tmp_path, columns=["b", "a"], filters=[("k", "==", "x")])
    assert some.to_arrow().to_pydict() == {"b": [None], "a": [1]}
    assert str(some["b"].dtype) == "str"


def test_orc_and_json_lines():
    parts = [cuprum.DataFrame({"a": [1]}), cuprum.DataFrame({"b": ["x"], "a": [1.5]})]
    files = [part.to_orc() for part in parts]
    assert cuprum.read_orc(files).to_arrow().to_pydict() == {"a": [1.0, 1.5], "b": [None, "x"]}
    assert cuprum.read_orc(files, columns=["b"]).to_arrow().to_pydict() == {"b": [None, "x"]}
    assert cuprum.read_orc(files, filters=[("b", "==", "x")]).to_arrow().to_pydict() == {
        "a": [1.5],
        "b": ["x"],
    }
    with pytest.raises(KeyError, match="nope"):
        cuprum.read_orc(files, columns=["nope"])
    lines = [b'{"a": 1, "d": null}\n', b'{"b": [1]}\n', b'{"d": "q", "a": null}\n']
    assert cuprum.read_json(lines, lines=True).to_arrow().to_pydict() == {
        "a": [1, None, None],
        "d": [None, None, "q"],
        "b": [None, [1], None],
    }
    with pytest.raises(ValueError, match="column 'a' is str in the input, but int64"):
        cuprum.read_json([b'{"a": 1}\n', b'{"a": "x"}\n'], lines=True)


INTEGERS = st.sampled_from(["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])


@given(st.data())
def test_integers_of_every_width(tmp_path_factory, data):
    """Every value comes back, or the column is refused."""
    files, values = [], []
    for _ in range(data.draw(st.integers(2, 3))):
        dtype = np.dtype(data.draw(INTEGERS))
        info = np.iinfo(dtype)
        some = data.draw(
            st.lists(st.integers(int(info.min), int(info.max)) | st.none(), min_size=1, max_size=3)
        )
        files.append(pa.table({"a": pa.array(some, pa.from_numpy_dtype(dtype))}))
        values += some
    paths = write(tmp_path_factory.mktemp("t"), *files)
    known = [value for value in values if value is not None]
    try:
        got = cuprum.read_parquet(paths)["a"]
    except ValueError:
        assert min(known) < 0
        assert max(known) >= 2**63
        return
    assert got.to_arrow().to_pylist() == values
