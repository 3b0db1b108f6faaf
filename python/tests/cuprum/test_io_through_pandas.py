"""What pandas reads and writes for us."""

import contextlib
import io
import json
import pickle
import sqlite3

import pandas as pd
import pytest
from oracle import assert_like

import cuprum

FRAME = pd.DataFrame({"a": [1, 2, 3], "s": ["x", None, "z"]})


def test_databases():
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        cuprum.DataFrame(FRAME).to_sql("t", connection, index=False)
        for read in (cuprum.read_sql, cuprum.read_sql_query):
            assert_like(read("select * from t", connection), FRAME)
        parts = list(cuprum.read_sql("select * from t", connection, chunksize=2))
        assert [type(part) for part in parts] == [cuprum.DataFrame] * 2
        assert_like(cuprum.concat(parts, ignore_index=True), FRAME)


BIG = 2**60 + 1


@pytest.fixture
def connection():
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("create table t(i integer, n integer, r real, s text, b blob)")
        rows = [(BIG, 1, 1.0, "x", b"\xff"), (None, None, None, None, None), (3, 2, 2.0, "y", b"y")]
        connection.executemany("insert into t values(?, ?, ?, ?, ?)", rows)
        connection.commit()
        yield connection


def typed(frame):
    return [str(dtype) for dtype in frame.dtypes.tolist()], frame.to_arrow().to_pydict()


@pytest.mark.parametrize("read", [cuprum.read_sql, cuprum.read_sql_query])
def test_integers_beside_null_in_databases(read, connection):
    types, values = typed(read("select * from t", connection))
    assert types == ["int64", "int64", "float64", "str", "binary"]
    assert values["i"] == [BIG, None, 3]
    assert values["n"] == [1, None, 2]
    parts = list(read("select * from t", connection, chunksize=2))
    assert [typed(part)[1]["i"] for part in parts] == [[BIG, None], [3]]
    assert read("select i, s from t", connection, index_col="i").index.to_list()[0] == BIG
    assert read("select * from t", connection, index_col=["i", "n"]).index.to_list()[2] == (3, 2)
    assert typed(read("select i, i from t", connection).iloc[:, [1]])[1]["i"] == [BIG, None, 3]
    assert typed(read("select i from t", connection, dtype={"i": "Int64"}))[1]["i"] == [BIG, None, 3]
    assert typed(read("select n from t", connection, dtype={"n": "float64"}))[0] == ["float64"]
    assert typed(read("select n from t where n is null", connection))[0] == ["object"]
    assert len(read("select n from t where n > 5", connection)) == 0
    assert typed(read("select i from t", connection, dtype_backend="numpy_nullable"))[1]["i"] == [
        BIG,
        None,
        3,
    ]


def test_integers_beside_null_are_exact_times(connection):
    for dates in ({"i": "ns"}, {"i": {"unit": "ns"}}):
        times = cuprum.read_sql("select i from t", connection, parse_dates=dates)["i"].to_pandas()
        assert times.tolist()[:2] == [pd.Timestamp(BIG), pd.NaT]
    ours, theirs = (lib.read_sql("select n from t", connection, parse_dates=["n"]) for lib in (cuprum, pd))
    assert_like(ours, theirs)


def test_integers_that_no_float_has_are_refused():
    frame = cuprum.DataFrame({"i": [BIG, None]})
    for name in ("to_hdf", "plot", "to_stata"):
        with pytest.raises(OverflowError, match=f"{name} takes integers.*{BIG} has no exact one"):
            getattr(frame, name)


def test_integers_beside_null_in_tables(connection):
    sqlalchemy = pytest.importorskip("sqlalchemy")
    engine = sqlalchemy.create_engine(
        "sqlite://", creator=lambda: connection, poolclass=sqlalchemy.StaticPool
    )
    for read in (cuprum.read_sql, cuprum.read_sql_table):
        types, values = typed(read("t", engine))
        assert types == ["int64", "int64", "float64", "str", "binary"]
        assert values["i"] == [BIG, None, 3]
        assert typed(read("t", engine, columns=["i"]))[1] == {"i": [BIG, None, 3]}
        assert [typed(part)[1]["i"] for part in read("t", engine, chunksize=2)] == [[BIG, None], [3]]
        assert read("t", engine, index_col="i").index.to_list()[0] == BIG
    assert typed(cuprum.read_sql("select i from t", engine))[1]["i"] == [BIG, None, 3]
    with pytest.raises(ValueError, match="absent"):
        cuprum.read_sql_table("absent", engine)


def test_missing_integers_go_to_databases(connection):
    frame = cuprum.DataFrame({"i": [BIG, None], "s": ["x", "y"]}, index=cuprum.Index([BIG, None], name="k"))
    frame.to_sql("u", connection)
    assert connection.execute("select k, i, s, typeof(i) from u").fetchall() == [
        (BIG, BIG, "x", "integer"),
        (None, None, "y", "null"),
    ]
    frame["i"].to_sql("v", connection)
    assert connection.execute("select * from v").fetchall() == [(BIG, BIG), (None, None)]
    assert typed(cuprum.read_sql("select i from u", connection))[1] == {"i": [BIG, None]}


XML = f"<d><r><a>{BIG}</a><b>1.5</b><c>1.0</c></r><r><b>2</b><s>y</s></r></d>"


@pytest.mark.parametrize("source", [io.StringIO(XML), io.BytesIO(XML.encode())])
def test_integers_beside_missing_in_texts(source):
    types, values = typed(cuprum.read_xml(source, parser="etree"))
    assert types == ["int64", "float64", "float64", "str"]
    assert values["a"] == [BIG, None]


def test_missing_integers_in_texts():
    frame = cuprum.DataFrame({"i": [BIG, None]})
    assert f"<i>{BIG}</i>" in frame.to_xml(parser="etree")
    assert frame.to_json(orient="values") == f"[[{BIG}],[null]]"
    assert frame["i"].to_json() == f'{{"0":{BIG},"1":null}}'


@pytest.mark.parametrize(
    ("data", "options", "types"),
    [
        ([{"a": BIG, "n": {"b": 1}}, {"n": {"c": BIG}}], {}, ["int64"] * 3),
        ([{"a": BIG}, {"a": None}], {}, ["int64"]),
        ([{"a": 2**63}, {}], {}, ["uint64"]),
        ([{"a": 1}, {"a": 2}], {}, ["int64"]),
        ([{"a": 1}, {"a": 1.5}, {}], {}, ["float64"]),
        ([{"a": True}, {}], {}, ["bool"]),
        ({"a": [1, BIG], "d": None, "e": {"f": [1.5]}}, {}, ["list<int64>", "object", "list<float64>"]),
        (
            [{"k": BIG, "r": [{"v": BIG}, {"w": [BIG]}]}, {"k": 2, "r": [{"v": None}]}],
            {"record_path": "r", "meta": ["k"]},
            ["int64", "list<int64>", "int64"],
        ),
    ],
)
def test_integers_beside_missing_in_dicts(data, options, types):
    ours = cuprum.json_normalize(data, **options)
    theirs = pd.json_normalize(data, **options)
    assert typed(ours)[0] == types
    assert list(ours.columns) == list(theirs.columns)
    assert ours.isna().to_pandas().equals(theirs.isna())
    for label, kind in zip(ours.columns, types, strict=True):
        if kind.startswith(("int", "uint", "list")):
            written = json.dumps(data, default=str)
            assert all(str(value) in written for value in ours[label].dropna().to_list())
    given = json.loads(json.dumps(data))
    cuprum.json_normalize(data, **options)
    assert data == given


def test_pickles(tmp_path):
    ours = cuprum.DataFrame(FRAME)
    path = tmp_path / "frame.pickle.gz"
    for obj, expected in ((ours, FRAME), (ours["a"], FRAME["a"])):
        obj.to_pickle(path)
        assert_like(cuprum.read_pickle(path), expected)
    cuprum.to_pickle(ours, path)
    assert_like(cuprum.read_pickle(path), FRAME)
    FRAME.to_pickle(path)
    assert_like(cuprum.read_pickle(path), FRAME)
    cuprum.to_pickle({"k": [FRAME]}, path)
    assert isinstance(cuprum.read_pickle(path)["k"][0], cuprum.DataFrame)
    assert_like(pickle.loads(pickle.dumps(ours)), FRAME)


def test_stata(tmp_path):
    frame = FRAME.fillna("")
    cuprum.DataFrame(frame).to_stata(tmp_path / "a.dta", write_index=False)
    assert_like(cuprum.read_stata(tmp_path / "a.dta"), pd.read_stata(tmp_path / "a.dta"))


def test_missing_integers_in_stata(tmp_path):
    frame = cuprum.DataFrame({"i": [2**30, None], "r": [1.5, None]})
    frame.to_stata(tmp_path / "a.dta", write_index=False)
    for source in (tmp_path / "a.dta", io.BytesIO((tmp_path / "a.dta").read_bytes())):
        assert typed(cuprum.read_stata(source))[1]["i"] == [2**30, None]
    frame["i"] = [2**40, None]
    frame.to_stata(tmp_path / "a.dta", write_index=False)
    assert typed(cuprum.read_stata(tmp_path / "a.dta"))[1]["i"][0] == 2**40
    frame["i"] = [BIG, None]
    with pytest.raises(OverflowError, match="to_stata takes integers"):
        frame.to_stata(tmp_path / "a.dta", write_index=False)


def test_integers_beside_missing_in_excel(tmp_path):
    pytest.importorskip("openpyxl")
    frame = pd.DataFrame({"i": pd.array([2**50 + 1, None], dtype="Int64"), "r": [1.5, None], "s": ["x", "y"]})
    frame.to_excel(tmp_path / "a.xlsx", index=False)
    for source in (tmp_path / "a.xlsx", io.BytesIO((tmp_path / "a.xlsx").read_bytes())):
        types, values = typed(cuprum.read_excel(source))
        assert types == ["int64", "float64", "str"]
        assert values["i"] == [2**50 + 1, None]
    sheets = cuprum.read_excel(tmp_path / "a.xlsx", sheet_name=None)
    assert typed(sheets["Sheet1"])[0] == types


def test_excel_is_read_from_the_start_of_a_file():
    pytest.importorskip("openpyxl")
    file = io.BytesIO()
    FRAME.to_excel(file, index=False)
    assert file.tell() > 0
    assert_like(cuprum.read_excel(file), pd.read_excel(file))
    assert_like(cuprum.read_excel(file, converters={"a": str}), pd.read_excel(file, converters={"a": str}))


def test_files_of_excel_that_stay_open(tmp_path):
    pytest.importorskip("openpyxl")
    one = pd.DataFrame({"i": pd.array([2**50 + 1, None], dtype="Int64"), "s": ["x", "y"]})
    with cuprum.ExcelWriter(tmp_path / "a.xlsx") as writer:
        cuprum.DataFrame(one).to_excel(writer, sheet_name="one", index=False)
        cuprum.DataFrame(FRAME).to_excel(writer, sheet_name="two")
        cuprum.Series([1, 2], name="z").to_excel(writer, sheet_name="three")
    with cuprum.ExcelFile(tmp_path / "a.xlsx") as file, pd.ExcelFile(tmp_path / "a.xlsx") as theirs:
        assert file.sheet_names == theirs.sheet_names == ["one", "two", "three"]
        assert file.engine == theirs.engine
        assert typed(file.parse("one"))[1]["i"] == [2**50 + 1, None]
        assert typed(cuprum.read_excel(file))[1]["i"] == [2**50 + 1, None]
        assert typed(cuprum.read_excel(io=file, sheet_name="one"))[1]["i"] == [2**50 + 1, None]
        assert_like(file.parse("two", index_col=0), pd.read_excel(theirs, "two", index_col=0))
        assert_like(
            file.parse("two", 1, list("xyz")), pd.read_excel(theirs, "two", header=1, names=list("xyz"))
        )
        assert_like(file.parse(1, dtype={"a": "float64"}), pd.read_excel(theirs, 1, dtype={"a": "float64"}))
        assert {type(sheet) for sheet in file.parse(None).values()} == {cuprum.DataFrame}
        with pytest.raises(ValueError, match="nope"):
            file.parse("nope")
        with pytest.raises(AttributeError, match="nope"):
            file.nope
    with pytest.raises(FileNotFoundError):
        cuprum.ExcelFile(tmp_path / "b.xlsx")


def test_what_is_lacking_is_said():
    for read, package in (
        (cuprum.read_excel, "openpyxl"),
        (cuprum.read_html, "lxml"),
        (cuprum.read_xml, "lxml"),
    ):
        if package_is_there(package):
            continue
        with pytest.raises(ImportError, match=package):
            read(io.BytesIO(b"<a/>"), **OPTIONS.get(package, {}))


OPTIONS = {"openpyxl": {"engine": "openpyxl"}}


def package_is_there(name):
    try:
        __import__(name)
    except ImportError:
        return False
    return True


def test_json_normalize_keeps_the_labels():
    dicts = pd.Series([{"a": 1}, {"a": 2}], index=["x", "y"])
    assert cuprum.json_normalize(cuprum.Series([{"a": 1}, {"a": 2}], index=["x", "y"])).index.to_list() == [
        "x",
        "y",
    ]
    assert pd.json_normalize(dicts).index.to_list() == ["x", "y"]
