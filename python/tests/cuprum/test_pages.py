"""The pages for users say what happens: the statements in them are run."""

import doctest
import re
from contextlib import nullcontext
from pathlib import Path

import pytest

import cuprum

DOCS = Path(__file__).parents[3] / "docs"
PAGES = ["ten-minutes.md", "coming-from-pandas.md", "coming-from-cudf.md", "coming-from-polars.md", "dask.md"]


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_says_is_so(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = (
        nullcontext() if page != "dask.md" else pytest.importorskip("dask").config.set(scheduler="threads")
    )
    with settings, cuprum.option_context("device", cuprum.get_option("device")):
        found = doctest.testfile(
            str(DOCS / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE
        )
    if page == "dask.md":
        import dask

        dask.config.set({"dataframe.backend": "pandas"})
    assert found.attempted > 5 and not found.failed


def test_rows_about_other_libraries_are_tests():
    """Each row of the tables names tests that are there, and the versions are those that are pinned."""
    text = (DOCS / "other-libraries.md").read_text()
    tests = Path(__file__).parents[1] / "libraries"
    named = {}
    for part in text.split("| what | test in `")[1:]:
        file, _, table = part.partition("`")
        rows = [line for line in table.split("\n\n")[0].splitlines() if line.startswith("| ")]
        for row in rows:
            found = re.findall(r"`(test_\w+)`", row.rsplit("|", 2)[1])
            assert found, row
            named.setdefault(file, set()).update(found)
    assert named.keys() == {path.name for path in tests.glob("test_*.py")}
    for file, found in named.items():
        there = re.findall(r"^def (test_\w+)", (tests / file).read_text(), re.MULTILINE)
        assert found == set(there), file
    pinned = dict(
        line.split("==")
        for line in (DOCS.parent / "requirements-libraries.txt").read_text().splitlines()
        if "==" in line
    )
    for library, version in re.findall(r"^## ([\w-]+) (\d[\d.]*)$", text, re.MULTILINE):
        name = {"XGBoost": "xgboost-cpu"}.get(library, library.lower())
        assert pinned[name] == version, library
