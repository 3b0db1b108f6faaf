"""Rows and elements one by one: `iterrows`, `itertuples` and `items`."""

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree

import cuprum


def test_itertuples_of_no_columns() -> None:
    agree("[row._fields for row in lib.DataFrame(index=[0, 1]).itertuples(index=False)]", **SMALL)


def test_a_label_that_a_row_gets_is_its_own():
    def run(lib):
        rows = [row for _, row in lib.DataFrame({"a": [1, 2], "s": ["x", "y"]}).iterrows()]
        rows[0]["new"] = 1
        rows[0]["a"] = 9
        return [[list(row.index), list(row)] for row in rows]

    agree(run)


@pytest.mark.parametrize("rows", [0, 1, 4095, 4096, 4097, 9000])
def test_items_of_many_rows(rows):
    labels = [f"k{row}" for row in range(rows)]
    assert list(cuprum.Series(range(rows), index=labels).items()) == list(
        zip(labels, range(rows), strict=True)
    )
    assert list(cuprum.Series(labels).items()) == list(enumerate(labels))


SHORT = pd.DataFrame({"a": [1, 2, 3], "b": [0.5, np.nan, -0.0], "k": list("xyz"), "t": [True, False, True]})


@pytest.mark.parametrize(
    "columns", [["a", "b", "k", "t"], ["a", "b"], ["k"], ["a", "k"], ["a", "t"], [], ["b", "k", "b"]]
)
@pytest.mark.parametrize(
    "index", [None, list("pqr"), [0.5, 1.5, 2.5], pd.MultiIndex.from_product([["u"], [1, 2, 3]])]
)
def test_iterrows_and_itertuples(columns, index):
    df = SHORT[columns].set_axis(pd.RangeIndex(3) if index is None else index)

    def rows(lib, df):
        found = [(label, list(row), list(row.index), row.name) for label, row in df.iterrows()]
        tuples = [(row._fields, tuple(row)) for row in df.itertuples()]
        return [found, tuples, list(df.itertuples(index=False, name=None))]

    agree(rows, df=df)


def test_iterrows_of_missing_elements():
    df = pd.DataFrame({"k": ["x", None], "t": pd.to_datetime(["2024-01-01", None]), "a": [1, 2]})
    ours = cuprum.DataFrame(df)
    for (_, mine), (_, theirs) in zip(ours.iterrows(), df.iterrows(), strict=True):
        assert [pd.isna(v) for v in mine] == [pd.isna(v) for v in theirs]
    many = cuprum.DataFrame({"a": range(3000), "k": ["x"] * 3000})
    assert [row["a"] for _, row in many.iterrows()] == list(range(3000))
