"""The queries of `benchmarks/tpch.py`, which pandas and Cuprum run from one text, and Polars and DuckDB from theirs."""

import importlib
import sys
from pathlib import Path

import pandas as pd
import pytest

import cuprum

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SCALE = 0.01
QUERIES = range(1, 23)
MODULES = ["frames", "lazy", "results", "sql", "statements", "tables"]

if not (BENCHMARKS / "tpch.py").exists():
    pytest.skip("the benchmarks are not here", allow_module_level=True)


@pytest.fixture(scope="module")
def tpch():
    """The package of the queries, imported as the benchmark does."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return {name: importlib.import_module(f"tpch.{name}") for name in MODULES}
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def folder(tpch, tmp_path_factory):
    """Tables of 10 MB, made in less than a second."""
    if tpch["tables"].generator() is None:
        pytest.skip("tpchgen-cli is not installed")
    return tpch["tables"].made(SCALE, cache=tmp_path_factory.mktemp("tpch"))


def arguments(query, module, folder):
    scale = {"scale": SCALE} if query == 11 else {}
    return {"pd": module, "folder": folder, **scale}


@pytest.mark.parametrize("query", QUERIES)
def test_frames(tpch, folder, query):
    results, run = tpch["results"], tpch["frames"].QUERIES[query]
    expected, found = (run(**arguments(query, module, folder)) for module in (pd, cuprum))
    assert results.difference(query, results.columns(expected), results.columns(found)) is None
    assert list(map(str, found.dtypes)) == [
        "date32" if name == "o_orderdate" else str(dtype) for name, dtype in expected.dtypes.items()
    ]


@pytest.mark.parametrize("query", QUERIES)
def test_peers(tpch, folder, query):
    """What is timed beside Cuprum is the same query."""
    pl, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    results = tpch["results"]
    expected = results.columns(tpch["frames"].QUERIES[query](**arguments(query, cuprum, folder)))
    scale = [SCALE] if query == 11 else []
    lazy = tpch["lazy"].QUERIES[query](lambda table: pl.scan_parquet(folder / f"{table}.parquet"), *scale)
    assert results.difference(query, expected, results.columns(lazy.collect())) is None
    connection = duckdb.connect()
    for table in tpch["tables"].TABLES:
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM '{folder / table}.parquet'")
    text = tpch["sql"].QUERIES[query].replace("{scale}", str(SCALE))
    found = results.columns(connection.sql(text).to_arrow_table())
    assert results.difference(query, expected, found) is None


def test_statements(tpch, folder):
    """A query that runs one statement after the other says what it reads, and what rows there are."""
    statements = tpch["statements"]
    run = tpch["frames"].QUERIES[6]
    parts = statements.traced(run, arguments(6, cuprum, folder), 1)
    assert [part.statement.kind for part in parts] == [
        "read", "cast", "filter", "filter", "filter", "other", "other",
    ]  # fmt: skip
    rows = [part.rows_out for part in parts]
    assert rows[0] == rows[1] > rows[2] > rows[3] > rows[4]
    assert rows[5:] == [None, 1]
    assert statements.scans(run) == [
        ("lineitem", ["l_quantity", "l_extendedprice", "l_discount", "l_shipdate"])
    ]


def test_kinds(tpch):
    """Each statement of each query is of one kind."""
    statements = tpch["statements"]
    kinds = {
        query: [each.kind for each in statements.statements(run)]
        for query, run in tpch["frames"].QUERIES.items()
    }
    assert set().union(*kinds.values()) == set(statements.KINDS)
    assert kinds[4] == ["read", "read", "filter", "filter", "merge", "group", "sort"]
    assert kinds[12].count("cast") == 0
    assert kinds[14] == ["read", "read", "cast", "merge", "filter", "other", "filter", "other", "other"]


def test_differences(tpch):
    difference = tpch["results"].difference
    one = {"cntrycode": ["a", "b"], "numcust": [1, 2]}
    assert difference(22, one, {"cntrycode": ["a", "b"], "numcust": [1, 2]}) is None
    assert difference(22, one, {"cntrycode": ["b", "a"], "numcust": [2, 1]}).startswith("sorted by cntrycode")
    assert difference(22, one, {"cntrycode": ["a", "b"], "numcust": [1, 3]}).startswith("rows")
    assert difference(22, one, {"cntrycode": ["a"], "numcust": [1]}) == "2 and 1 rows"
    assert difference(6, {"revenue": [1.0]}, {"revenue": [1.0 + 1e-12]}) is None
    assert difference(6, {"revenue": [1.0]}, {"revenue": [1.0 + 1e-6]}) is not None
