"""Which functions of pylibcudf there are: every one has the arguments of its namesake, in their order."""

import importlib
import inspect
from pathlib import Path

import pytest

FUNCTIONS = {
    (module, name): arguments
    for module, name, *arguments in map(
        str.split, Path(__file__).with_name("pylibcudf_functions.txt").read_text().splitlines()
    )
}

#: What documents say.
THERE = 345


def function(module, name):
    try:
        return getattr(importlib.import_module(f"pylibcuprum.{module}"), name, None)
    except ModuleNotFoundError:
        return None


def test_the_figure_that_documents_state():
    assert len(FUNCTIONS) == 359
    assert sum(function(*path) is not None for path in FUNCTIONS) == THERE


@pytest.mark.parametrize("path", [path for path in FUNCTIONS if function(*path)], ids=".".join)
def test_arguments_and_documentation(path):
    there = function(*path)
    assert list(inspect.signature(there).parameters) == FUNCTIONS[path]
    assert there.__doc__
    assert path[1] in importlib.import_module(f"pylibcuprum.{path[0]}").__all__
