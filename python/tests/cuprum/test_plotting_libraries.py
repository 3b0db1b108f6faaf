"""seaborn, Altair and plotly draw our frames as they draw those of pandas."""

import json

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import cuprum

alt = pytest.importorskip("altair")
px = pytest.importorskip("plotly.express")
go = pytest.importorskip("plotly.graph_objects")
sns = pytest.importorskip("seaborn")
so = pytest.importorskip("seaborn.objects")

# Of the libraries for each other.
pytestmark = [
    pytest.mark.filterwarnings("ignore::matplotlib.MatplotlibDeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning"),
]


def _frames():
    random = np.random.default_rng(7)
    expected = pd.DataFrame(
        {
            "x": random.normal(size=40),
            "y": random.normal(size=40),
            "group": random.choice(["a", "b", "ü"], 40),
            "count": random.integers(0, 4, 40),
            "time": pd.date_range("2024-01-01", periods=40, freq="D"),
        }
    )
    expected["kind"] = expected["group"].astype("category")
    expected.loc[3, "y"] = np.nan
    return expected, cuprum.from_pandas(expected)


def _drawn(draw, frame):
    """The pixels of what is drawn."""
    plt.close("all")
    draw(frame)
    canvas = plt.gcf().canvas
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba()).copy()
    plt.close("all")
    return pixels


SEABORN = {
    "scatterplot": lambda f: sns.scatterplot(f, x="x", y="y", hue="group", size="count"),
    "lineplot": lambda f: sns.lineplot(f, x="count", y="y", seed=1),
    "lineplot of times": lambda f: sns.lineplot(f, x="time", y="x", hue="kind"),
    "histplot": lambda f: sns.histplot(f, x="x", hue="group"),
    "kdeplot": lambda f: sns.kdeplot(f, x="x", y="y"),
    "ecdfplot": lambda f: sns.ecdfplot(f, x="x"),
    "boxplot": lambda f: sns.boxplot(f, x="group", y="y"),
    "violinplot": lambda f: sns.violinplot(f, x="kind", y="y"),
    "barplot": lambda f: sns.barplot(f, x="group", y="y", hue="count", errorbar=None),
    "countplot": lambda f: sns.countplot(f, x="group"),
    "stripplot": lambda f: sns.stripplot(f, x="group", y="y", jitter=False),
    "regplot": lambda f: sns.regplot(f, x="x", y="y", ci=None),
    "relplot": lambda f: sns.relplot(f, x="x", y="y", col="group"),
    "displot": lambda f: sns.displot(f, x="x", col="kind"),
    "lmplot": lambda f: sns.lmplot(f, x="x", y="y", hue="group", ci=None),
    "jointplot": lambda f: sns.jointplot(f, x="x", y="y"),
    "series": lambda f: sns.scatterplot(x=f["x"], y=f["y"], hue=f["group"]),
    "objects": lambda f: so.Plot(f, x="x", y="y", color="group").add(so.Dot()).on(plt.gcf()).plot(),
}


@pytest.mark.parametrize("name", SEABORN)
def test_seaborn_draws_the_same(name):
    expected, frame = _frames()
    blank = _drawn(lambda _: plt.figure(), frame)
    wanted = _drawn(SEABORN[name], expected)
    assert wanted.shape != blank.shape or (wanted != blank).any()
    assert np.array_equal(_drawn(SEABORN[name], frame), wanted)


def test_seaborn_draws_wide_form_the_same():
    expected, frame = _frames()
    columns = ["x", "y", "count"]
    for draw in (sns.heatmap, sns.pairplot, sns.boxplot):
        assert np.array_equal(_drawn(draw, frame[columns]), _drawn(draw, expected[columns]))


ALTAIR = {
    "points": lambda f: alt.Chart(f).mark_point().encode(x="x", y="y", color="group"),
    "lines": lambda f: alt.Chart(f).mark_line().encode(x="time", y="mean(y)", color="kind"),
    "bars": lambda f: alt.Chart(f).mark_bar().encode(x="group", y="count()"),
    "bins": lambda f: alt.Chart(f).mark_bar().encode(alt.X("x", bin=True), y="count()"),
}


@pytest.mark.parametrize("name", ALTAIR)
def test_altair_describes_the_same(name):
    wanted, got = (ALTAIR[name](frame).to_dict() for frame in _frames())
    (rows,) = wanted["datasets"].values()
    assert len(rows) == 40
    assert got == wanted


PLOTLY = {
    "scatter": lambda f: px.scatter(f, x="x", y="y", color="group", size="count", hover_data=["time"]),
    "line": lambda f: px.line(f, x="time", y=["x", "y"]),
    "bar": lambda f: px.bar(f, x="group", y="count", color="kind"),
    "histogram": lambda f: px.histogram(f, x="x", color="group"),
    "box": lambda f: px.box(f, x="group", y="y"),
    "violin": lambda f: px.violin(f, x="kind", y="y"),
    "facets": lambda f: px.scatter(f, x="x", y="y", facet_col="group"),
    "pie": lambda f: px.pie(f, names="group", values="count"),
    "treemap": lambda f: px.treemap(f, path=["group", "count"]),
    "sunburst": lambda f: px.sunburst(f, path=["group", "kind"], values="count"),
    "imshow": lambda f: px.imshow(f[["x", "y"]]),
    "matrix": lambda f: px.scatter_matrix(f, dimensions=["x", "y"], color="group"),
    "wide": lambda f: px.line(f[["x", "y"]]),
    "ecdf": lambda f: px.ecdf(f, x="x"),
    "animation": lambda f: px.scatter(f, x="x", y="y", animation_frame="count"),
    "trend": lambda f: px.scatter(f, x="time", y="x", trendline="rolling", trendline_options={"window": 5}),
    "series": lambda f: px.scatter(x=f["x"], y=f["y"]),
    "traces": lambda f: go.Figure(go.Scatter(x=f["time"], y=f["y"])),
}


@pytest.mark.parametrize("name", PLOTLY)
def test_plotly_describes_the_same(name):
    wanted, got = (json.loads(PLOTLY[name](frame).to_json()) for frame in _frames())
    assert wanted["data"]
    assert got == wanted
