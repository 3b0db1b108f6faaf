"""Expressions of pandas: `col`."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

FRAME = pd.DataFrame({"a": [3.0, np.nan, 1.0], "b": [1, 2, 3], "s": ["x", "y", "z"]}, index=list("pqr"))


@pytest.mark.parametrize(
    "code",
    [
        "f.assign(c=lib.col('a') * 2 + lib.col('b'))",
        "f.assign(c=lib.col('s').str.upper(), d=lib.col('c') + '!')",
        "f.loc[lib.col('b') > 1]",
        "f.loc[lib.col('b') > 1, 's']",
        "f[lib.col('s') == 'y']",
        "f.select('s', z=lib.col('a').fillna(0))",
        "f.select()",
    ],
)
def test_expressions_are_those_of_pandas(code):
    agree(code, f=FRAME)


def test_a_column_that_is_not_there():
    frame = cuprum.DataFrame(FRAME)
    for select in (lambda: frame.assign(c=cuprum.col("x")), lambda: frame.select("x")):
        with pytest.raises((KeyError, ValueError), match="x"):
            select()
