"""Setting with enlargement: rows and elements that `loc`, brackets and `at` add."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree, ours
from small_frames import CROSSED, frame_after

import cuprum

SQUARE = pd.DataFrame({"x": [1, 2, 3], "y": [4, 5, 6]})


@pytest.mark.parametrize(
    "statement",
    [
        "df.loc[3] = 9",
        "df.loc[3] = [7, 8]",
        "df.loc[3] = {'y': 8, 'x': 7}",
        "df.loc[3] = lib.Series({'y': 8, 'x': 7})",
        "df.loc[3, 'x'] = 9",
        "df.loc[3, ['y', 'x']] = [8, 7]",
        "df.loc[10] = 9",
        "df.loc['new'] = 9",
        "df.at[3, 'y'] = 9",
        "df.loc[3, 'z'] = 0.5",
        "df.loc[3, :] = 9",
    ],
)
def test_a_row_is_added(statement):
    agree(frame_after(statement), df=SQUARE)


@pytest.mark.parametrize("statement", ["df.loc[3] = 9", "df[7] = 9", "df.loc['new'] = 9", "df.at[3] = 4"])
def test_an_element_is_added(statement):
    agree(frame_after(statement), df=pd.Series([1, 2, 3], name="s"))


def test_rows_are_added_to_an_empty_frame():
    def grow(lib):
        df = lib.DataFrame(columns=["a", "b"])
        for i in range(3):
            df.loc[i] = [i, f"row {i}"]
        return [list(row) for row in df.itertuples()], list(df.columns)

    assert grow(cuprum) == grow(pd)


def test_a_row_of_several_levels_is_added():
    agree(frame_after("df.loc[('c', 1, 'x'), 'v'] = 9"), df=CROSSED)
    agree(frame_after("df.loc[('c', 1, 'x'), :] = [9, 'z']"), df=CROSSED)
    with pytest.raises(KeyError):
        frame_after("df.loc['c'] = 9")(cuprum, df=ours(CROSSED))


def test_a_row_that_is_added_leaves_copies_as_they_are():
    df = cuprum.DataFrame({"a": [1, 2]})
    shallow = df.copy(deep=False)
    df.loc[2] = 3
    df.loc[0] = 10
    assert (df.a.to_list(), shallow.a.to_list()) == ([10, 2, 3], [1, 2])


def test_positions_and_lists_are_not_added():
    for statement in ["df.iloc[3] = 1", "df.loc[[0, 3]] = 1", "df.loc[[3], 'x'] = 1"]:
        for lib, df in ((pd, SQUARE.copy()), (cuprum, ours(SQUARE))):
            with pytest.raises((KeyError, IndexError)):
                frame_after(statement)(lib, df=df)


@pytest.mark.parametrize("key", ["s", "t", "c"])
@pytest.mark.parametrize("rows", ["0", "[0, 1]", "df.index > 0"])
def test_nan_is_set_as_a_missing_element_of_every_column(key, rows):
    df = pd.DataFrame(
        {
            "s": ["a", "b", "c"],
            "t": pd.to_datetime(["2013-01-01", "2013-01-02", "2013-01-03"]),
            "c": pd.Categorical(list("xyx")),
        }
    )

    def put(lib, df):
        df.loc[eval(rows, {"df": df}), key] = np.nan
        return df[key].isna()

    agree(put, df=df)

    def listed(lib, df):
        df.loc[[0, 1], key] = [np.nan, np.nan]
        return df[key].isna()

    if key != "t":  # which pandas refuses
        agree(listed, df=df)
    text = cuprum.Series(["a", "b"])
    text.iloc[0] = np.nan
    assert text.to_list() == [np.nan, "b"] or text.isna().to_list() == [True, False]
