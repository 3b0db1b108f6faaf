"""The page of options and environment variables lists what the code reads."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from cuprum import options

PAGE = Path(__file__).parents[2] / "docs" / "settings.py"


@pytest.fixture(scope="module")
def settings() -> ModuleType:
    spec = importlib.util.spec_from_file_location("settings", PAGE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_variable_that_the_code_reads_is_on_the_page(settings):
    page = settings.page()
    read = settings.variables_in_code() | settings.variables_of_options_in_rust()
    assert {"CUPRUM_NUM_THREADS", "CUPRUM_SPILL_HOST_LIMIT", "CUPRUM_DASK_GPUS", "CUPRUM_PROGRESS"} <= read
    assert not {name for name in read if f"``{name}``" not in page}


def test_every_variable_on_the_page_is_read(settings):
    code = "".join(file.read_text() for file in settings.source_files())
    named = settings.variables_of_options_in_rust()
    assert not {name for name in settings.VARIABLES if f'"{name}"' not in code and name not in named}


def test_every_option_is_on_the_page_with_its_default(settings):
    page = settings.page()
    for name, option in options._OPTIONS.items():
        assert f"   * - ``{name}``\n     - ``{option.default!r}``\n" in page
    assert "'warn', 'raise', None" in settings.values_of("mode.chained_assignment")


def test_options_have_the_variables_that_are_read(settings):
    in_rust = settings.variables_of_options_in_rust()
    assert settings.variable_of("spill", in_rust) == "CUPRUM_SPILL"
    assert settings.variable_of("display.max_rows", in_rust) == "CUPRUM_DISPLAY_MAX_ROWS"
    assert settings.variable_of("mode.chained_assignment", in_rust) is None
