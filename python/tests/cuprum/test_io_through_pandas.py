"""What pandas reads and writes for us."""

import contextlib
import io
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
