"""Random frames to try things with."""

import numpy as np
import pytest

import cuprum
from cuprum.datasets import randomdata, timeseries


def test_times_are_the_labels():
    frame = timeseries("2000-01-01", "2000-01-02", "1h", seed=3)
    assert frame.shape == (24, 4) and frame.index.name == "timestamp"
    assert frame.index.equals(cuprum.date_range("2000-01-01", periods=24, freq="1h"))
    assert list(map(str, frame.dtypes)) == ["str", "int64", "float64", "float64"]
    assert frame.equals(timeseries("2000-01-01", "2000-01-02", "1h", seed=3))
    assert not frame.equals(timeseries("2000-01-01", "2000-01-02", "1h", seed=4))


def test_some_elements_are_missing():
    frame = timeseries(end="2000-01-02", freq="1min", nulls_frequency=0.25, seed=3)
    shares = frame.isna().mean().to_numpy()
    assert ((shares > 0.15) & (shares < 0.35)).all()
    assert timeseries(end="2000-01-02", freq="1h", nulls_frequency=1).isna().all().all()


@pytest.mark.parametrize("dtype", [int, float, str, bool, "category", "int8", "uint16", "float32", np.int32])
@pytest.mark.parametrize("rows", [0, 1, 33])
def test_types_of_datasets(dtype, rows):
    frame = randomdata(rows, {"a": dtype}, seed=1)
    name = {int: "int64", float: "float64", np.int32: "int32"}.get(dtype, getattr(dtype, "__name__", dtype))
    assert frame.shape == (rows, 1) and frame["a"].dtype == name


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("nrows", lambda: randomdata(-1)),
        ("nrows", lambda: randomdata("2")),
        ("dtypes", lambda: randomdata(1, {"a": "M8[s]"})),
        ("dtypes", lambda: randomdata(1, {"a": "bogus"})),
        ("dtypes", lambda: randomdata(1, ["a"])),
        ("nulls_frequency", lambda: timeseries(end="2000-01-02", freq="1h", nulls_frequency=2)),
    ],
)
def test_what_cannot_be_is_refused(argument, call):
    with pytest.raises((TypeError, ValueError), match=argument):
        call()
