"""Products of matrices: `dot` and `@`."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

TABLE = pd.DataFrame({"a": [1.0, 2.0, 3.0], "i": [4, 5, 6]})


def test_products_with_another_number_of_elements_are_refused():
    with pytest.raises(ValueError, match="shape mismatch"):
        np.array([1, 2]) @ cuprum.DataFrame(TABLE)


@pytest.mark.parametrize(
    "expression",
    [
        "s.dot(df)",
        "s @ df",
        "s.dot(df.iloc[::-1])",
        "s.dot(df.a)",
        "s.dot(df.a.iloc[::-1])",
        "s.dot([4, 5, 6])",
        "s @ np.array([4, 5, 6])",
        "[4, 5, 6] @ s",
        "s.dot(np.array([[4, 5], [6, 1], [2, 2]]))",
        "(s + 0.5).dot(df)",
        "s.dot(df.a.where(df.a > 4))",
    ],
)
def test_products_of_frames_and_series(expression):
    agree(expression, s=pd.Series([1, 2, 3]), df=pd.DataFrame({"a": [4, 5, 6], "b": [7, 8, 9]}))


@pytest.mark.parametrize("other", ["lib.Series([1, 2, 3], index=[1, 2, 3])", "lib.Series([1, 2])"])
def test_products_of_other_labels(other):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match="not aligned"):
            lib.Series([1, 2, 3]).dot(eval(other, {"lib": lib}))


def test_products_of_other_lengths():
    with pytest.raises(ValueError, match="shape mismatch"):
        cuprum.Series([1, 2, 3]).dot([1, 2])


def test_products_of_frames_of_other_labels():
    for lib in (pd, cuprum):
        df = lib.DataFrame({"a": [1], "b": [2]})
        with pytest.raises(ValueError, match="not aligned"):
            df.dot(lib.Series([1, 2], index=["a", "c"]))
        with pytest.raises(ValueError, match="shape mismatch"):
            df.dot([1, 2, 3])
