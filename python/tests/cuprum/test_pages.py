"""The pages for users say what happens: the statements in them are run."""

import doctest
from contextlib import nullcontext
from pathlib import Path

import pytest

import cuprum

DOCS = Path(__file__).parents[3] / "docs"
PAGES = ["ten-minutes.md", "coming-from-pandas.md", "coming-from-cudf.md", "coming-from-polars.md", "dask.md"]


@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
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
