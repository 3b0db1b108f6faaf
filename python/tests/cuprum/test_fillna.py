"""`fillna`: missing elements replaced by values, within limits."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree, frames, given
from small_frames import GAPS_OF_EVERY_TYPE

import cuprum


def test_fillna_along_the_rows_refuses_texts_for_numbers() -> None:
    agree(
        "f.fillna(lib.Series(['x', 'y'], index=['a', 'b']), axis=1)",
        refused=(ValueError, "values of type str are not a suitable type to fill into"),
        **SMALL,
    )


def _with_gaps(lib: Any) -> Any:
    return lib.Series(pd.Categorical(["a", None, "b", None], categories=list("abc")))


def _narrow(lib: Any) -> Any:
    return lib.Series([np.nan, 1.5], dtype="float32")


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(
            lambda lib: _with_gaps(lib).fillna(lib.Series(["c", "c"])), id="categories filled by a series"
        ),
        pytest.param(lambda lib: _with_gaps(lib).fillna({1: "a", 9: "z"}), id="categories filled by a dict"),
        pytest.param(
            lambda lib: lib.DataFrame({"x": _with_gaps(lib)}).fillna(lib.DataFrame({"x": ["a"] * 4})),
            id="categories filled by a frame",
        ),
        pytest.param(
            lambda lib: _with_gaps(lib).fillna(lib.Series(["z", "a"])),
            id="categories filled where none is missing",
        ),
        pytest.param(
            lambda lib: _narrow(lib).fillna(lib.Series([2, 2])), id="narrow floats filled by integers"
        ),
        pytest.param(lambda lib: _narrow(lib).fillna({0: 1}), id="narrow floats filled by a dict"),
        pytest.param(
            lambda lib: _narrow(lib).fillna(lib.Series([0.1, 2.0])),
            id="narrow floats filled by what they cannot hold",
        ),
    ],
)
def test_fillna_of_categories_and_narrow_floats_keeps_the_type(call):
    agree(call)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: _with_gaps(lib).fillna(lib.Series(["z"] * 4)),
            TypeError,
            "Cannot setitem on a Categorical with a new category, set",
            id="categories filled by others",
        ),
        pytest.param(
            lambda lib: _with_gaps(lib).fillna(lib.Series(pd.Categorical(["a"] * 4))),
            TypeError,
            "Cannot set a Categorical with another, without identical",
            id="categories filled by other categories",
        ),
    ],
)
def test_fillna_refuses_what_is_no_category(call, error, text):
    agree(call, refused=(error, text))


BELOW = pd.DataFrame({("x", "a"): [np.nan, 2.0], ("x", "b"): [1.0, np.nan], ("y", "c"): [np.nan, 1.0]})


@pytest.mark.parametrize(
    "value", [{"x": -1.0}, {"x": -1.0, ("x", "b"): -2.0}, {"x": {"a": -1.0}, ("y", "c"): -2.0}], ids=str
)
def test_fillna_of_columns_below_a_label(value):
    agree(lambda lib, df: df.fillna(value), df=BELOW)


KINDS = {
    "f": [1.5, np.nan, -0.5],
    "s": ["x", None, "y"],
    "t": pd.to_datetime(["2013-01-01", None, "2013-02-01"]),
    "c": pd.Categorical(["u", None, "v"]),
    "b": [True, False, True],
    "n": [1, 2, 3],
}


UNLIKE = pd.DataFrame(KINDS)


@pytest.mark.parametrize("kind", ["s", "t", "c"])
def test_nan_is_a_missing_element_of_every_type(kind):
    agree(f"df.{kind}.fillna(np.nan)", df=UNLIKE)
    agree(f"df.{kind}.where(df.b, np.nan)", df=UNLIKE)

    def enlarged(lib, df):
        df.loc[9, kind] = np.nan
        return df[kind]

    agree(enlarged, df=UNLIKE)


def test_truth_values_fill_no_numbers():
    ours = cuprum.DataFrame(UNLIKE)
    for series in (ours.f, cuprum.Series([1, None, 3])):
        with pytest.raises(
            TypeError, match=r"(bool|float64|int64) and (bool|float64|int64) have no common type"
        ):
            series.fillna(ours.b)
    agree("df.n.clip(np.nan, 2)", df=UNLIKE)


NAN = float("nan")


S = pd.Series([NAN, 1.0, NAN, NAN, 2.0, NAN, NAN, NAN], name="s")


@pytest.mark.parametrize(
    "expression",
    [
        "s.fillna(0, limit=2)",
        "s.fillna(s * 0 + 5, limit=1)",
        "s.fillna({0: 5.0, 3: 7.0, 5: 8.0}, limit=3)",
        "s.fillna(3, limit=100)",
        "df[['a', 'b']].fillna(0, limit=1)",
        "df[['a', 'b']].fillna({'a': 5}, limit=2)",
        "df[['a', 'b']].fillna(df[['b', 'a']] * 0 + 7, limit=2)",
        "df['t'].fillna('z', limit=1)",
        "df['d'].fillna(np.datetime64('2021-01-01'), limit=2)",
    ],
)
def test_fillna_limit(expression):
    agree(expression, s=S, df=GAPS_OF_EVERY_TYPE)


@given(frames(i="int?", f="float?", s="str?", t="time?"))
def test_fillna_of_any_frames(f):
    for code in (
        "df[['i', 'f']].fillna(0)",
        "df.f.fillna(-1.5)",
        "df.s.fillna('none')",
        "df.fillna({'i': 7, 's': '日本'})",
        "df.f.fillna(df.i)",
        "df.t.fillna(lib.to_datetime('2020-01-01'))",
        "df.f.ffill()",
        "df.f.bfill()",
        "df.s.ffill()",
        "df.i.bfill()",
        "df.t.ffill()",
    ):
        agree(code, df=f, kept=["i", ...])


def test_fillna_of_another_type_is_refused():
    with pytest.raises(TypeError):
        cuprum.Series([1, None]).fillna("x")
    with pytest.raises(TypeError, match="3 cannot be stored in a column of type str"):
        cuprum.Series(["a", None]).fillna(3)


@pytest.mark.parametrize(
    "code",
    [
        "d.fillna(0)",
        "d[['v', 'b']].fillna(0.5)",
        "d.fillna({'v': 0.5, 'b': 0, 'f': 1})",
        "d.b.fillna(0)",
        "d.v.fillna('x')",
        "d.v.fillna(lib.Series([0.5, 0.5, 0.5]))",
        "d.b.fillna(np.nan)",
        "d[['v', 'f']].fillna(lib.DataFrame({'v': [0.5] * 3, 'f': [7.0, 8.0, 9.0]}))",
        "d.fillna(lib.Series({'v': 0.5, 'f': 1}))",
    ],
)
def test_fillna_of_nothing_changes_no_type(code):
    frame = {"k": ["x", "y", "x"], "v": [1, 2, 3], "f": [1.5, None, 2.5], "b": [True, False, True]}
    agree(code, d=pd.DataFrame(frame))
