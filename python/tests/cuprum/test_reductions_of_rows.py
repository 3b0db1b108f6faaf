"""Reductions along the columns (`axis=1`)."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree, frames, given

import cuprum

_ORDERED = pd.CategoricalDtype(["n", "m", "y"], ordered=True)


_UNLIKE = {
    "texts": {"a": ["b", None, "", None], "b": ["c", "d", "", None]},
    "categories": {
        "a": pd.Categorical(["n", "y", "m"]),
        "b": pd.Categorical(["y", "y", "n"], ["n", "m", "y"]),
    },
    "of one dtype": {at: pd.Categorical(list(x), list("nmy")) for at, x in [("a", "nym"), ("b", "yyn")]},
    "ordered": {"a": pd.array(["n", "y", "m"], _ORDERED), "b": pd.array(["y", None, None], _ORDERED)},
    "mixed": {"a": [1, 2, 2], "b": ["x", "y", ""], "c": [1.0, 2.5, np.nan], "d": [True, False, False]},
    "with categories": {"a": [1, 2], "b": ["x", "y"], "c": pd.Categorical(["x", "z"])},
    "numbers and categories": {"a": [1, 2], "b": pd.Categorical([3, 4])},
    "times": {"a": pd.to_datetime(["2024-01-01", None]), "b": ["x", "y"], "c": [1, 2]},
    "durations": {"a": pd.to_timedelta([0, 2], unit="h"), "b": pd.to_timedelta([0, None], unit="h")},
}


@pytest.mark.filterwarnings("ignore:Unable to sort modes")
@pytest.mark.parametrize("kind", _UNLIKE)
def test_rows_of_unlike_types(kind):
    theirs = pd.DataFrame(_UNLIKE[kind])
    answered = 0
    for call in (
        ["nunique(", "nunique(dropna=False, ", "any(", "all(", "any(skipna=False, ", "all(skipna=False, "]
        + ["max(", "min(", "max(skipna=False, ", "idxmax(", "idxmin(", "sum(", "sum(skipna=False, ", "mode("]
        + ["apply(lib.Series.nunique, "]
    ):
        if kind == "times" and call[:3] in ("any", "all"):  # which pandas has beside texts alone
            continue
        code = f"f.{call}axis=1)"
        try:
            eval(code, {"f": theirs, "lib": pd})
        except (TypeError, ValueError) as error:
            with pytest.raises(type(error)):
                eval(code, {"f": cuprum.DataFrame(theirs), "lib": cuprum})
        else:
            agree(code, f=theirs)
            answered += 1
    assert answered > 2


def test_nunique_of_rows_tells_elements_as_python():
    """1, 1.0 and True are one element, and no text."""
    agree("f.nunique(axis=1)", f=pd.DataFrame({"a": [1], "b": [1.0], "c": [True], "d": ["1"], "e": ["x"]}))


BY_ROW = ["sum", "mean", "min", "max", "std", "var", "median", "count", "prod", "any", "all"]


@given(frames(i="int", h="int32", f="float?", g="float", max_rows=12, min_rows=1))
def test_reductions_of_rows_of_any_frames(f):
    for how in BY_ROW:
        agree(f"df.{how}(axis=1)", df=f, rtol=1e-9)
        agree(f"df[['i', 'h']].{how}(axis=1)", df=f, rtol=1e-9)
        agree(f"df[['f']].{how}(axis='columns')", df=f, rtol=1e-9)
    agree("df.std(axis=1, ddof=0)", df=f, rtol=1e-9)
    agree("df.nunique(axis=1)", df=f)
    agree("df.quantile(0.3, axis=1).rename(None)", df=f, rtol=1e-9)
    agree("df.agg('sum', axis=1)", df=f, rtol=1e-9)


@given(frames(j="int?", b="bool", c="bool", s="str?", t="time?", u="time?", max_rows=12, min_rows=1))
def test_reductions_of_rows_of_other_types(f):
    agree("df.count(axis=1)", df=f)
    for how in ("sum", "mean", "any", "all"):
        agree(f"df[['b', 'c']].{how}(axis=1)", df=f)
    agree("df[['b', 'c']].min(axis=1)", df=f)
    agree("df[['t', 'u']].max(axis=1)", df=f)
    agree("df[['t', 'u']].min(axis=1)", df=f)
    agree("df.sum(axis=1, numeric_only=True).astype('float64')", df=f)
    with pytest.raises(TypeError, match="axis 1 needs columns of one type"):
        f.ours[["b"]].assign(s="x").sum(axis=1)


def test_reductions_of_rows_without_columns():
    empty = cuprum.DataFrame(index=["a", "b"])
    assert empty.sum(axis=1).to_list() == [0, 0]
    assert empty.count(axis=1).to_list() == [0, 0]
    assert cuprum.DataFrame({"x": []}).sum(axis=1).to_list() == []
