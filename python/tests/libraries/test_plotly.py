"""What plotly describes of our frames is what it describes of those of pandas, to the last key."""

import json

import numpy as np
import pandas as pd
import pytest

px = pytest.importorskip("plotly.express")

import plotly.figure_factory as ff
import plotly.graph_objects as go

import cuprum

pytestmark = pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")


def described(draw, both):
    """The figures of both frames; they have to be the same."""
    wanted, got = (json.loads(draw(frame).to_json()) for frame in both)
    assert wanted["data"]
    assert got == wanted
    return got


LONG = {
    "scatter": lambda f: px.scatter(
        f, x="x", y="y", color="carrier", size="count", hover_data=["time", "late"]
    ),
    "scatter without x": lambda f: px.scatter(f, y="y"),
    "line of times": lambda f: px.line(f, x="time", y=["x", "y"]),
    "row labels by name": lambda f: px.scatter(f, x=f.index, y="y", hover_name=f.index),
    "series": lambda f: px.scatter(x=f["x"], y=f["y"], color=f["origin"]),
    "series in a list": lambda f: px.line(f, y=["x", f["y"]]),
    "hover data of a series": lambda f: px.scatter(
        f, x="x", y="y", hover_data={"twice": f["x"] * 2, "late": True}
    ),
    "bar": lambda f: px.bar(f, x="carrier", y="count", color="late"),
    "bar without x": lambda f: px.bar(f, y="count"),
    "area": lambda f: px.area(f, x="time", y="count", line_group="origin"),
    "histogram": lambda f: px.histogram(f, x="x", color="carrier"),
    "box": lambda f: px.box(f, x="carrier", y="y"),
    "violin": lambda f: px.violin(f, x="origin", y="y"),
    "strip": lambda f: px.strip(f, x="carrier", y="y"),
    "ecdf": lambda f: px.ecdf(f, x="x"),
    "facets": lambda f: px.scatter(f, x="x", y="y", facet_col="carrier", facet_row="late"),
    "animation": lambda f: px.scatter(f, x="x", y="y", animation_frame="count"),
    "trend": lambda f: px.scatter(f, x="time", y="x", trendline="rolling", trendline_options={"window": 5}),
    "pie": lambda f: px.pie(f, names="carrier", values="count"),
    "treemap": lambda f: px.treemap(f, path=["origin", "carrier"], values="count"),
    "sunburst": lambda f: px.sunburst(f, path=["origin", "count"]),
    "timeline": lambda f: px.timeline(f, x_start="time", x_end=f["time"] + pd.Timedelta("1D"), y="origin"),
    "matrix": lambda f: px.scatter_matrix(f, dimensions=["x", "y"], color="origin"),
    "parallel categories": lambda f: px.parallel_categories(f, dimensions=["origin", "carrier"]),
    "density": lambda f: px.density_heatmap(f, x="x", y="y", marginal_x="histogram"),
    "funnel": lambda f: px.funnel(f, x="count", y="origin"),
    "table": lambda f: ff.create_table(f[["x", "origin"]].head(3), index=True, index_title="row"),
    "traces": lambda f: go.Figure(go.Scatter(x=f["time"], y=f["y"], text=f["carrier"])),
    "traces of row labels": lambda f: go.Figure(go.Bar(x=f.index, y=f["count"])),
    "traces of truth values": lambda f: go.Figure(go.Bar(x=f["late"], y=f["count"])),
    "traces added later": lambda f: go.Figure().add_scatter(x=f["x"], y=f["y"]),
    "customdata": lambda f: go.Figure(go.Scatter(x=f["x"], y=f["y"], customdata=f[["count", "origin"]])),
}

WIDE = {
    "line": px.line,
    "area": px.area,
    "bar": px.bar,
    "scatter": px.scatter,
    "box": px.box,
    "violin": px.violin,
    "histogram": px.histogram,
    "ecdf": px.ecdf,
    "imshow": px.imshow,
    "scatter matrix": px.scatter_matrix,
    "one column": lambda f: px.line(f, y="JFK"),
    "one column across": lambda f: px.line(f, x="JFK"),
    "some columns": lambda f: px.line(f, y=["EWR", "JFK"]),
    "its columns": lambda f: px.line(f, y=f.columns),
    "its row labels": lambda f: px.line(f, x=f.index, y=["EWR", "LGA"]),
    "one bar": lambda f: px.bar(f, y="LGA"),
    "a series": lambda f: px.line(f["JFK"]),
    "heatmap": lambda f: go.Figure(go.Heatmap(x=f.columns, y=f.index, z=f)),
}


@pytest.mark.parametrize("name", LONG)
def test_long_form(name, long):
    described(LONG[name], long)


@pytest.mark.parametrize("name", WIDE)
def test_wide_form(name, wide):
    described(WIDE[name], wide)


def test_labels_of_rows_are_drawn(wide):
    trace = described(lambda f: px.line(f, y="JFK"), wide)["data"][0]
    assert trace["x"][0] == "2013-01-01T00:00:00.000000"[: len(trace["x"][0])]
    assert trace["hovertemplate"].startswith("day=")


def test_columns_without_names(wide):
    expected, frame = wide
    both = expected.rename_axis(index=None, columns=None), frame.rename_axis(index=None, columns=None)
    found = described(px.line, both)
    assert [trace["name"] for trace in found["data"]] == ["EWR", "JFK", "LGA"]


def test_several_levels_of_rows_are_refused_as_of_pandas(long):
    for frame in long:
        with pytest.raises(TypeError, match="MultiIndex"):
            px.line(frame.set_index(["origin", "carrier"])[["x", "y"]])


def test_missing_elements_and_zones():
    expected = pd.DataFrame(
        {
            "n": [1.0, np.nan, 3.0],
            "t": pd.date_range("2024-01-01", periods=3, tz="Europe/Zurich"),
            "s": ["a", None, "b"],
        },
        index=list("uvw"),
    )
    both = expected, cuprum.from_pandas(expected)
    described(lambda f: px.line(f, x="t", y="n", text="s"), both)
    described(lambda f: px.bar(f, y="n"), both)
    described(lambda f: go.Figure(go.Scatter(x=f["t"], y=f["n"])), both)
