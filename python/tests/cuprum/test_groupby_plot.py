"""Plots of groups: pandas draws them, of the same rows in the same groups."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import cuprum

# Of pandas for matplotlib.
pytestmark = pytest.mark.filterwarnings("ignore::matplotlib.MatplotlibDeprecationWarning")

PLOTS = {
    "boxes": lambda f: f.groupby("k").boxplot(),
    "boxes of two keys": lambda f: f.groupby(["k", "m"]).boxplot(column="v"),
    "histograms": lambda f: f.groupby("k").hist(),
    "histograms of a column": lambda f: f.groupby("k")[["v"]].hist(),
    "histograms of a series": lambda f: f.groupby("k")["v"].hist(),
    "lines": lambda f: f.groupby("k")[["v", "w"]].plot(),
    "one line": lambda f: f.groupby("k").plot.line(y="v"),
    "missing keys": lambda f: f.groupby("k", dropna=False)["v"].plot(legend=True),
    "a series by another": lambda f: f["v"].groupby(f["k"]).plot(legend=True),
    "a level": lambda f: f.set_index("k").groupby(level="k")["v"].plot(legend=True),
    "a dict": lambda f: f["v"].groupby({row: row % 2 for row in range(30)}).hist(),
    "a function": lambda f: f.groupby(lambda row: row % 3)["v"].plot(legend=True),
    "no order": lambda f: f.groupby("k", sort=False)["v"].plot(legend=True),
    "a list": lambda f: f["v"].groupby([0, 1] * 15).plot(legend=True),
    "categories": lambda f: f.astype({"m": "category"}).groupby("m")["v"].plot(legend=True),
}


def _drawn(draw, frame):
    plt.close("all")
    draw(frame)
    pictures = []
    for number in plt.get_fignums():
        canvas = plt.figure(number).canvas
        canvas.draw()
        pictures.append(np.asarray(canvas.buffer_rgba()).copy())
    plt.close("all")
    return pictures


@pytest.mark.parametrize("name", PLOTS)
def test_groups_are_drawn_as_by_pandas(name):
    random = np.random.default_rng(1)
    expected = pd.DataFrame(
        {
            "k": random.choice(["a", "b", None], 30),
            "m": random.choice(["x", "y"], 30),
            "v": random.normal(size=30),
            "w": random.normal(size=30),
        }
    )
    wanted = _drawn(PLOTS[name], expected)
    got = _drawn(PLOTS[name], cuprum.from_pandas(expected))
    assert wanted and len(got) == len(wanted)
    assert all(np.array_equal(ours, theirs) for ours, theirs in zip(got, wanted, strict=True))
