"""What Altair describes of our frames is what it describes of those of pandas, types and values."""

import numpy as np
import pandas as pd
import pytest

alt = pytest.importorskip("altair")

import cuprum

CHARTS = {
    "points": lambda f: alt.Chart(f).mark_point().encode(x="x", y="y", color="origin"),
    "ordered categories": lambda f: alt.Chart(f).mark_bar().encode(x="carrier", y="count()"),
    "lines of times": lambda f: alt.Chart(f).mark_line().encode(x="time", y="mean(y)", color="carrier"),
    "truth values": lambda f: alt.Chart(f).mark_bar().encode(x="late", y="count()"),
    "bins": lambda f: alt.Chart(f).mark_bar().encode(alt.X("x", bin=True), y="count()"),
    "types by name": lambda f: alt.Chart(f).mark_point().encode(x="x:Q", y="count:O"),
    "data by property": lambda f: alt.Chart().mark_point().encode(x="x", y="y").properties(data=f),
    "facets": lambda f: alt.Chart(f).mark_point().encode(x="x", y="y").facet("carrier"),
    "layers": lambda f: alt.layer(
        alt.Chart(f).mark_point().encode(x="x", y="y"), alt.Chart(f).mark_rule().encode(y="mean(y)")
    ),
    "layers of one": lambda f: alt.layer(
        alt.Chart().mark_point().encode(x="x", y="y"), alt.Chart().mark_rule().encode(y="mean(y)"), data=f
    ),
    "side by side": lambda f: (
        alt.Chart(f).mark_point().encode(x="x", y="y")
        | alt.Chart(f).mark_bar().encode(x="origin", y="count()")
    ),
    "repeats": lambda f: (
        alt.Chart(f).mark_point().encode(x=alt.X(alt.repeat(), type="quantitative")).repeat(["x", "y"])
    ),
    "looked up": lambda f: (
        alt.Chart(f)
        .mark_point()
        .encode(x="x", y="distance:Q")
        .transform_lookup(lookup="origin", from_=alt.LookupData(f.head(9), "origin", ["distance"]))
    ),
    "row labels as a column": lambda f: alt.Chart(f.reset_index()).mark_point().encode(x="row", y="y"),
}


@pytest.mark.parametrize("name", CHARTS)
def test_charts(name, long):
    wanted, got = (CHARTS[name](frame.assign(distance=1.5)).to_dict() for frame in long)
    assert wanted["datasets"]
    assert got == wanted


def test_wide_form_becomes_long(wide):
    both = (frame.reset_index().melt("day", var_name="airport") for frame in wide)
    wanted, got = (
        alt.Chart(f).mark_line().encode(x="day", y="value", color="airport").to_dict() for f in both
    )
    assert got == wanted


def test_missing_elements():
    expected = pd.DataFrame(
        {
            "n": [1.0, np.nan, 3.0],
            "t": pd.to_datetime(["2024-01-01", None, "2024-01-03"]),
            "s": ["a", None, "b"],
        }
    )
    wanted, got = (
        alt.Chart(f).mark_point().encode(x="t", y="n", color="s").to_dict()
        for f in (expected, cuprum.from_pandas(expected))
    )
    assert got == wanted
    (rows,) = got["datasets"].values()
    assert rows[1] == {"n": None, "t": "", "s": None}


def test_a_chart_whose_data_are_set(long):
    specs = []
    for frame in long:
        chart = alt.Chart().mark_point().encode(x="x", y="y")
        chart.data = frame
        specs.append(chart.to_dict())
    assert specs[1] == specs[0]
