"""What seaborn draws of our frames is what it draws of those of pandas: the same pixels and the same texts."""

import numpy as np
import pytest

sns = pytest.importorskip("seaborn")

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import seaborn.objects as so
from matplotlib.text import Text

pytestmark = [
    pytest.mark.filterwarnings("ignore::matplotlib.MatplotlibDeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning"),
    pytest.mark.filterwarnings("ignore:.*tight.*:UserWarning"),
]


def drawn(draw, frame):
    """Pixels and texts of what is drawn."""
    plt.close("all")
    draw(frame)
    figure = plt.gcf()
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba()).copy()
    texts = [text.get_text() for text in figure.findobj(Text) if text.get_text()]
    plt.close("all")
    return pixels, texts


def assert_drawn_the_same(draw, both):
    expected, frame = both
    pixels, texts = drawn(draw, frame)
    wanted_pixels, wanted_texts = drawn(draw, expected)
    assert texts == wanted_texts
    assert np.array_equal(pixels, wanted_pixels)
    return texts


LONG = {
    "scatterplot": lambda f: sns.scatterplot(f, x="x", y="y", hue="origin", size="count"),
    "scatterplot of row labels": lambda f: sns.scatterplot(f, x="row", y="y"),
    "lineplot": lambda f: sns.lineplot(f, x="time", y="x", hue="carrier"),
    "histplot": lambda f: sns.histplot(f, x="x", hue="origin"),
    "kdeplot": lambda f: sns.kdeplot(f, x="x", y="y"),
    "ecdfplot": lambda f: sns.ecdfplot(f, x="x"),
    "rugplot": lambda f: sns.rugplot(f, x="x"),
    "boxplot": lambda f: sns.boxplot(f, x="carrier", y="y"),
    "boxenplot": lambda f: sns.boxenplot(f, x="origin", y="y"),
    "violinplot": lambda f: sns.violinplot(f, x="carrier", y="y", hue="late"),
    "barplot": lambda f: sns.barplot(f, x="origin", y="y", hue="count", errorbar=None),
    "pointplot": lambda f: sns.pointplot(f, x="origin", y="y", errorbar=None),
    "countplot": lambda f: sns.countplot(f, x="carrier"),
    "stripplot": lambda f: sns.stripplot(f, x="late", y="y", jitter=False),
    "swarmplot": lambda f: sns.swarmplot(f, x="carrier", y="y"),
    "regplot": lambda f: sns.regplot(f, x="x", y="y", ci=None),
    "residplot": lambda f: sns.residplot(f, x="x", y="y"),
    "relplot": lambda f: sns.relplot(f, x="x", y="y", col="carrier"),
    "displot": lambda f: sns.displot(f, x="x", col="carrier"),
    "catplot": lambda f: sns.catplot(f, x="carrier", y="y", kind="box"),
    "lmplot": lambda f: sns.lmplot(f, x="x", y="y", hue="origin", ci=None),
    "jointplot": lambda f: sns.jointplot(f, x="x", y="y"),
    "pairplot": lambda f: sns.pairplot(f, vars=["x", "y"], hue="carrier"),
    "FacetGrid": lambda f: sns.FacetGrid(f, col="carrier").map(sns.histplot, "x"),
    "PairGrid": lambda f: sns.PairGrid(f, vars=["x", "y"]).map(sns.scatterplot),
    "JointGrid": lambda f: sns.JointGrid(f, x="x", y="y").plot(sns.scatterplot, sns.histplot),
    "series": lambda f: sns.scatterplot(x=f["x"], y=f["y"], hue=f["origin"]),
    "series in a frame": lambda f: sns.scatterplot(f, x="x", y=f["y"] * 2),
    "series of another order": lambda f: sns.scatterplot(f, x="x", y=f["y"].sort_values()),
    "list of series": lambda f: sns.boxplot([f["x"], f["y"]]),
    "dict of series": lambda f: sns.boxplot({"a": f["x"], "b": f["y"]}),
    "objects": lambda f: so.Plot(f, x="x", y="y", color="carrier").add(so.Dot()).on(plt.gcf()).plot(),
    "objects with their own data": lambda f: (
        so.Plot(f, x="x", y="y").add(so.Dot(), data=f.head(9), color="origin").on(plt.gcf()).plot()
    ),
    "objects of series": lambda f: (
        so.Plot(x=f["x"], y=f["y"]).facet(f["late"]).add(so.Dot()).on(plt.gcf()).plot()
    ),
}

WIDE = {
    "lineplot": sns.lineplot,
    "scatterplot": sns.scatterplot,
    "boxplot": sns.boxplot,
    "violinplot": sns.violinplot,
    "barplot": lambda f: sns.barplot(f, errorbar=None),
    "stripplot": lambda f: sns.stripplot(f, jitter=False),
    "histplot": sns.histplot,
    "kdeplot": sns.kdeplot,
    "ecdfplot": sns.ecdfplot,
    "relplot": lambda f: sns.relplot(f, kind="line"),
    "displot": sns.displot,
    "catplot": lambda f: sns.catplot(f, kind="box"),
    "heatmap": sns.heatmap,
    "heatmap with a mask": lambda f: sns.heatmap(f, mask=f < 0, annot=f.round(1)),
    "heatmap of correlations": lambda f: sns.heatmap(f.corr(), annot=True),
    "clustermap": sns.clustermap,
    "pairplot": sns.pairplot,
    "one column": lambda f: sns.lineplot(f["JFK"]),
    "one histogram": lambda f: sns.histplot(f["JFK"]),
}


@pytest.mark.parametrize("name", LONG)
def test_long_form(name, long):
    assert_drawn_the_same(LONG[name], long)


@pytest.mark.parametrize("name", WIDE)
def test_wide_form(name, wide):
    texts = assert_drawn_the_same(WIDE[name], wide)
    if name != "one histogram":
        assert any("JFK" in text for text in texts)


def test_columns_without_a_name(wide):
    expected, frame = wide
    both = expected.rename_axis(columns=None), frame.rename_axis(columns=None)
    texts = assert_drawn_the_same(sns.boxplot, both)
    assert {"EWR", "JFK", "LGA"} <= set(texts)


def test_missing_elements(long):
    expected, frame = long
    rows = expected["x"] > 0
    both = expected.where(rows, np.nan)[["x", "y"]], frame[["x", "y"]].where(frame["x"] > 0)
    assert_drawn_the_same(lambda f: sns.scatterplot(f, x="x", y="y"), both)
    assert_drawn_the_same(sns.boxplot, both)


def test_data_of_a_grid_are_those_of_pandas(long):
    expected, frame = long
    grid = sns.FacetGrid(frame, col="carrier")
    assert grid.data.equals(expected)
    plt.close("all")
