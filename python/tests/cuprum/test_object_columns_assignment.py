"""Columns of Python objects: their elements are set, and columns become such."""

import datetime as dt
import enum

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum


class Color(enum.Enum):
    RED = 1
    BLUE = 2


SET = [
    "x.loc[0, 'o'] = {}",
    "x.at[0, 'o'] = {}",
    "x.iat[0, 1] = {}",
    "x.iloc[0, 1] = {}",
    "x.loc[x['a'] == 1, 'o'] = {}",
    "x['o'] = x['o'].where(x['a'] != 1, {})",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", ["None", "float('nan')", "pd.NaT", "pd.NA", "Color.RED", "1 + 2j"])
@pytest.mark.parametrize("statement", SET)
def test_objects_are_set_to_what_is_given(statement, value):
    made = []
    for lib in (pd, cuprum):
        x = lib.DataFrame({"a": [1, 2], "o": ["a", 5], "n": [1, 2]})
        exec(statement.format(value), {"x": x, "pd": pd, "Color": Color})
        made.append(x)
    assert repr(made[1]["o"].to_list()) == repr(made[0]["o"].to_list())
    assert made[1].dtypes.astype(str).to_list() == made[0].dtypes.astype(str).to_list()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", [(1, 2), [1], {"a": 1}], ids=str)
def test_one_object_may_be_a_list(value):
    for frame in (cuprum.DataFrame({"a": [1, None], "o": ["a", 5]}), cuprum.DataFrame({"o": ["a", 5]})):
        types = frame.dtypes.astype(str).to_list()
        frame.at[0, "o"] = value
        frame.iat[1, -1] = value
        assert frame["o"].to_list() == [value, value]
        assert frame.dtypes.astype(str).to_list() == types
    series = cuprum.Series(["a", 5])
    series.at[1] = value
    assert series.to_list() == ["a", value]
    with pytest.raises(ValueError):
        cuprum.DataFrame({"a": [1, 2]}).at[0, "a"] = [1]


def filled_later(lib, df):
    df["status"] = None
    df.loc[df["v"] > 2, "status"] = "high"
    df.loc[df["v"] <= 2, "status"] = "low"
    return [df, df["status"].str.upper(), df.groupby("status")["v"].sum(), df.fillna({"n": 0})["n"]]


def filled_by_element(lib, df):
    df["r"] = None
    for label in df.index:
        df.loc[label, "r"] = label * 2
    return [df["r"], df["r"].astype("int64"), df["r"].sum()]


def grown_by_rows(lib, df):
    made = lib.DataFrame(columns=["a", "b"])
    made.loc[len(made)] = [1, "x"]
    made.loc[len(made)] = [2, "y"]
    return [made["a"].tolist(), made["b"].tolist(), made.index.tolist()]


def grown_by_frames(lib, df):
    made = lib.DataFrame(columns=["a", "b"])
    for number in range(2):
        made = lib.concat([made, lib.DataFrame([{"a": number, "b": "x"}])], ignore_index=True)
    return [made["a"].tolist(), made["b"].tolist(), made["a"].sum()]


def grid(lib, df):
    made = lib.DataFrame(index=["p", "q"], columns=["c", "d"])
    made.loc["p", "c"] = 1
    made.loc["q", "d"] = "t"
    return [made, made.isna()]


def rows_of_other_types(lib, df):
    made = df[["v"]].assign(s="t")
    made.loc[7] = ["text", "c"]
    made.loc[8] = [1.5, 4]
    series = lib.Series([1, 2])
    series.loc[5] = "x"
    return [made, series]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "program", [filled_later, filled_by_element, grown_by_rows, grown_by_frames, grid, rows_of_other_types]
)
def test_columns_are_filled_later(program):
    agree(program, df=pd.DataFrame({"v": [1, 2, 3], "n": [1.0, np.nan, 3.0]}))


@pytest.mark.filterwarnings("ignore")
def test_other_columns_keep_their_type_when_a_row_has_objects():
    frame = cuprum.DataFrame({"n": [1, None], "d": [dt.date(2024, 1, 1), None], "o": ["a", 5]})
    types = frame.dtypes.astype(str).to_list()
    frame.loc[2] = [3, dt.date(2024, 1, 2), Color.RED]
    assert frame.dtypes.astype(str).to_list() == types
    assert frame["n"].sum() == 4 and frame["o"].to_list() == ["a", 5, Color.RED]
    for made in (
        frame.fillna({"o": 1}),
        frame.where(frame["n"].notna()),
        frame.mask(frame["n"] == 1),
        frame.replace({5: 6}),
        frame.ffill(),
    ):
        assert str(made["n"].dtype) == "int64"
    assert frame.fillna(0.5)["n"].to_list() == [1.0, 0.5, 3.0]
    big = cuprum.DataFrame({"n": [2**60 + 1, None], "o": [None, None]})
    assert big.fillna({"n": 0})["n"].to_list() == [2**60 + 1, 0]


OBJECTS = pd.DataFrame({"k": [1, 1, 2], "o": [1, "x", None], "v": [1.0, 2.0, 3.0]})


SERIES = pd.Series([1, "a", 2.5, None], index=list("wxyz"), name="s")


@pytest.mark.filterwarnings("ignore")
def test_elements_are_set():
    def of_frame(lib, ob):
        ob.loc[0, "o"] = "new"
        ob.loc[ob.v > 2, "o"] = 7
        ob.iloc[1, 1] = None
        ob.loc[1, "v"] = 9.5
        ob.at[0, "k"] = 5
        return ob

    def of_series(lib, s):
        s["w"] = [1][0]
        s.iloc[1] = 2.5
        s.loc["new"] = "x"
        s[s == "x"] = "y"
        del s["y"]
        return s

    agree(of_frame, ob=OBJECTS)
    agree(of_series, s=SERIES)
