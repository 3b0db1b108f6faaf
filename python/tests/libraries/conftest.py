"""One set of data as pandas has it and as we have it, in long and in wide form."""

import numpy as np
import pandas as pd
import pytest

import cuprum


@pytest.fixture
def long():
    """Rows of every kind of column, under labels that are no range: pandas' frame and ours."""
    random = np.random.default_rng(7)
    expected = pd.DataFrame(
        {
            "x": random.normal(size=60),
            "y": random.normal(size=60),
            "origin": random.choice(["EWR", "JFK", "LGA"], 60),
            "count": random.integers(1, 5, 60),
            "late": random.random(60) > 0.5,
            "time": pd.date_range("2024-01-01", periods=60, freq="D"),
        },
        index=pd.Index([f"r{i}" for i in range(60)], name="row"),
    )
    expected["carrier"] = pd.Categorical(random.choice(["UA", "AA", "B6"], 60), categories=["UA", "B6", "AA"])
    return expected, cuprum.from_pandas(expected)


@pytest.fixture
def wide():
    """A column of numbers for each airport, a row for each day: pandas' frame and ours."""
    random = np.random.default_rng(11)
    expected = pd.DataFrame(
        random.normal(size=(30, 3)).cumsum(axis=0),
        index=pd.date_range("2013-01-01", periods=30, name="day"),
        columns=pd.Index(["EWR", "JFK", "LGA"], name="airport"),
    )
    return expected, cuprum.from_pandas(expected)
