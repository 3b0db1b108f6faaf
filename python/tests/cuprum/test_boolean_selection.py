"""Rows and columns chosen by truth values, in brackets, `loc` and `iloc`."""

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree, frames, given, ours
from small_frames import FLOATS, LABELLED, frame_after

import cuprum


def test_a_mask_of_another_length_sets_nothing() -> None:
    agree(
        "df[np.array([True, False, True])] = 5\ndf",
        refused=(ValueError, "Item wrong length 3 instead of 2!"),
        **SMALL,
    )


def test_missing_truth_values_of_a_mask_set_nothing():
    def program(lib, df):
        df[lib.DataFrame({"a": [True, None, False, True], "b": [None] * 4}, dtype="boolean")] = -1.0
        return df

    agree(program, df=FLOATS)


@pytest.mark.parametrize(
    "expression",
    [
        "df[df.i > 2]",
        "df[(df.i > 1) & (df.f < 4) | (df.s == 'u')]",
        "df[~(df.i > 2)]",
        "df[[True, False, True, False, True, False]]",
        "df[np.array([True, False, True, False, True, False])]",
        "df.i[df.i > 2]",
        "df.query('i > 2') if hasattr(df, 'query') and lib.__name__ == 'pandas' else df[df.i > 2]",
        "df.loc[df.i > 2, 's']",
        "df.loc[df.i > 2, ['s']]",
        "df.loc[:, [True, False, True]]",
        "df.iloc[[True] * 3 + [False] * 3]",
    ],
)
def test_truth_values_select_rows_and_columns(expression):
    agree(expression, df=LABELLED)


@given(frames(i="int?", f="float?", s="str?", t="time?"))
def test_masks_of_any_frames(f):
    for mask in (
        "df.i > 0",
        "df.f <= 1.5",
        "df.s == 'a'",
        "df.s != 'a'",
        "df.t >= '2000-02-29'",
        "df.f.isna()",
    ):
        agree(f"df[{mask}]", df=f, kept="i", signs=True)
        agree(f"df[~({mask})]", df=f, kept="i")
    agree("df[(df.i > 0) & (df.f < 1) | df.s.isna()]", df=f, kept="i")
    agree("df[df.i.isin([1, 2]) ^ df.f.notna()]", df=f, kept="i")
    agree("df[df.s.isin(['a', 'é', '日本'])]", df=f, kept="i")


SQUARE = pd.DataFrame({"x": [1, 2, 3], "y": [4, 5, 6]})


@pytest.mark.parametrize("index", ["[0, 1]", "[1, 0]", "['y', 'x']"])
def test_rows_of_a_mask_are_set_to_a_series_in_order(index):
    agree(frame_after(f"df[df.x < 3] = lib.Series([10, 20], index={index})"), df=SQUARE)


@pytest.mark.parametrize(
    "expression",
    [
        "df.iloc[:, lambda d: [0]]",
        "df.iloc[lambda d: [0, 2], lambda d: 1]",
        "df.take([True, False, True])",
        "df.take(np.array([True, False]))",
        "df.take([True, False], axis=1)",
        "df.x.take([True, False])",
        "df.index.take([True, False])",
    ],
)
def test_callables_and_truth_values_as_positions(expression):
    agree(expression, df=SQUARE)


@pytest.mark.parametrize("order", [["i", "f", "s"], ["s", "f", "i"]])
def test_a_mask_of_columns_is_matched_by_label(order):
    mask = pd.Series({"i": True, "f": False, "s": True})[order]
    agree("df.loc[:, m]", df=LABELLED, m=mask)
    agree(frame_after("df.loc['b', m] = 7"), df=LABELLED.drop(columns="s"), m=mask[mask.index != "s"])
    with pytest.raises(IndexError, match="Unalignable"):
        ours(LABELLED).loc[:, ours(mask[mask.index != "s"])]


@pytest.mark.parametrize(
    "code",
    [
        "df.iloc[df.a > 1]",
        "df.iloc[(df.a > 1)[::-1]]",
        "df.iloc[df.a > 1, 0]",
        "df.a.iloc[df.a > 1]",
        "df.a.iloc[lib.Series([True, False, True, False], index=[0, 2, 1, 3])]",
    ],
)
def test_a_series_of_truth_values_is_a_mask_of_positions_too(code):
    agree(code, df=pd.DataFrame({"a": [3, 1, 2, 1], "b": [1.5, np.nan, 2.5, -0.5]}))


def test_a_series_of_truth_values_of_other_rows_is_no_mask():
    df = cuprum.DataFrame({"a": [3, 1]})
    with pytest.raises(IndexError, match="Unalignable boolean Series provided as indexer"):
        df.iloc[cuprum.Series([True, False], index=[9, 8])]
