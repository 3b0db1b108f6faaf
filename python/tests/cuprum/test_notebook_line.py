"""Long reading and writing in notebooks show a line that says how far they have come."""

import re
import sys
import time
import types

import pytest

import cuprum
from cuprum import _cuprum
from cuprum.io import notebook_line


@pytest.fixture
def shown(monkeypatch):
    """What a notebook shows, of work that takes more than a moment."""
    lines = []

    class Handle:
        def update(self, data, raw):
            lines.append(data["text/plain"])

    def display(data, raw, display_id):
        assert raw and display_id is True
        lines.append(data["text/plain"])
        return Handle()

    ipython = types.ModuleType("IPython")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    ipython.display = types.ModuleType("IPython.display")
    ipython.display.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython.display)
    monkeypatch.setattr(notebook_line, "PATIENCE", 0.02)
    monkeypatch.setattr(notebook_line, "INTERVAL", 0.02)
    return lines


def slow(path, *args, **kwargs):
    time.sleep(0.15)
    return kwargs.get("result")


def test_the_line_changes_in_place_and_is_empty_at_the_end(shown):
    assert notebook_line.with_line(slow)("/home/me/flights.csv", result=5) == 5
    assert len(shown) > 2 and shown[-1] == ""
    assert all(line.startswith("slow flights.csv: 0 s") for line in shown[:-1])


def test_what_is_fast_shows_nothing(shown, monkeypatch, tmp_path):
    monkeypatch.setattr(notebook_line, "PATIENCE", 60.0)
    cuprum.DataFrame({"a": [1]}).to_csv(tmp_path / "a.csv", index=False)
    assert cuprum.read_csv(tmp_path / "a.csv").to_dict("list") == {"a": [1]}
    assert shown == []


def test_work_within_work_has_no_line_of_its_own(shown):
    inner = notebook_line.with_line(slow)

    def outer(path):
        inner("b.csv")

    notebook_line.with_line(outer)("a.csv")
    assert {line.partition(":")[0] for line in shown} == {"outer a.csv", ""}


def test_errors_end_the_line(shown):
    def fails(path):
        time.sleep(0.1)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        notebook_line.with_line(fails)("a.csv")
    assert shown[-1] == ""


@pytest.mark.parametrize("where", ["off", "terminal"])
def test_where_there_is_none(shown, where, monkeypatch):
    if where == "off":
        monkeypatch.setenv("CUPRUM_PROGRESS", "0")
    else:
        sys.modules["IPython"].get_ipython = lambda: object()
    notebook_line.with_line(slow)("a.csv")
    assert shown == []


def test_no_secrets_of_addresses(shown):
    notebook_line.with_line(slow)("s3://key:secret@bucket/a.csv?token=1")
    assert shown and all("secret" not in line and "token" not in line for line in shown)


def test_readers_and_writers_have_the_line(shown, monkeypatch):
    called = []
    monkeypatch.setattr(notebook_line, "_title", lambda function, file: called.append(function) or function)
    data = cuprum.DataFrame({"a": [1]})
    for read, write in (
        (cuprum.read_csv, data.to_csv),
        (cuprum.read_parquet, data.to_parquet),
        (cuprum.read_orc, data.to_orc),
        (cuprum.read_avro, data.to_avro),
        (cuprum.read_feather, data.to_feather),
        (cuprum.read_json, data.to_json),
    ):
        made = write()
        read(made.encode() if isinstance(made, str) else made)
    kinds = ("csv", "parquet", "orc", "avro", "feather", "json")
    assert called == [f"{what}_{kind}" for kind in kinds for what in ("to", "read")]


FRAME = cuprum.DataFrame({"a": range(1000), "s": ["text"] * 1000})


@pytest.mark.parametrize("kind", ["csv", "parquet", "orc", "avro", "feather", "json"])
def test_readers_and_writers_tell_their_share(kind, tmp_path):
    path = tmp_path / f"a.{kind}"
    written, read = getattr(FRAME, f"to_{kind}"), getattr(cuprum, f"read_{kind}")
    # JSON is written as one text.
    works = [lambda: written(path), lambda: read(path)]
    if kind == "json":
        works.pop(0)()
    for work in works:
        watch = _cuprum.Watch()
        assert watch.share() is None
        watch.begin()
        try:
            work()
        finally:
            watch.end()
        assert 0.9 < watch.share() <= 1.0
    # Nothing is watched any longer.
    before = watch.share()
    FRAME.to_csv(tmp_path / "b.csv")
    assert watch.share() == before


def test_the_line_has_the_share(shown, tmp_path):
    path = tmp_path / "flights.csv"
    FRAME.to_csv(path, index=False)

    def reads(path):
        time.sleep(0.1)
        cuprum.read_csv(path)
        time.sleep(0.1)

    notebook_line.with_line(reads)(path)
    assert shown[0].startswith("reads flights.csv: 0 s")
    assert re.match(r"reads flights.csv: (99|100) %, 0 s", shown[-2]) and shown[-1] == ""
