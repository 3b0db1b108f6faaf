"""The report on real data: every number agrees with pandas (examples/flights.py)."""

import importlib.util
from pathlib import Path

import pandas as pd
import pytest

import cuprum

SCRIPT = Path(__file__).parents[3] / "examples" / "flights.py"


@pytest.fixture(scope="module")
def flights():
    spec = importlib.util.spec_from_file_location("flights", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def reports(flights):
    data = flights.default_directory()
    return flights.report(cuprum, data, repeat=1), flights.report(pd, data, repeat=1)


def test_every_number_agrees(flights, reports):
    assert list(flights.differences(*reports)) == []


def test_differences_are_found(flights, reports):
    ours, theirs = reports
    table = theirs[4].result
    wrong = theirs[4]._replace(result=table.assign(mean=table["mean"] * (1 + 1e-6)))
    assert len(list(flights.differences([ours[4]], [wrong]))) == 1


def test_sizes_of_flights(reports):
    steps = {step.name: step for step in reports[0]}
    assert steps["read flights"].rows == 336_776
    assert steps["read weather"].rows == 26_115
    assert len(steps["join four tables"].result) == 327_346


def test_printed_report(flights, capsys):
    flights.main(["--no-pandas"])
    shown = capsys.readouterr().out
    assert "Frontier Airlines" in shown
    assert "rows/s" in shown
