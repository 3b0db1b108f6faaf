"""`read_csv` of categories."""

import io
from typing import Any

import pandas as pd
import pytest
from oracle import agree

import cuprum


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("a,b,c\n10,x,True\n9,x,\n10,y,False", "category"),
        ("a,b\n1,2.5\n1.0,3", {"a": "category"}),
        (",Unnamed: 0,b\n0,1,2", None),
    ],
)
def test_categories_and_unnamed_columns_are_those_of_pandas(text, dtype):
    agree(lambda lib: lib.read_csv(io.StringIO(text), dtype=dtype))


@pytest.mark.parametrize(
    "fields", [["1,5", "2,5"], ["1", "2"], ["True", "False"], ["TRUE", ""], ["x", "1"], ["1.5", "2"]]
)
@pytest.mark.parametrize("marks", [{"decimal": ","}, {"thousands": ","}, {}])
@pytest.mark.parametrize("dtype", ["category", {"a": "category"}])
def test_read_csv_makes_categories_of_texts_where_numbers_are_written_otherwise(
    fields: list[str], marks: dict[str, str], dtype: Any
) -> None:
    text = "a;b\n" + "".join(f"{field};1\n" for field in fields)
    ours, theirs = (
        lib.read_csv(io.StringIO(text), sep=";", dtype=dtype, **marks)["a"] for lib in (cuprum, pd)
    )
    assert ours.cat.categories.to_list() == theirs.cat.categories.to_list()
    pd.testing.assert_series_equal(ours.to_pandas(), theirs)
