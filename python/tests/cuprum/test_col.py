"""Expressions of pandas (`col`), and lists of arrays as levels of labels."""

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


@pytest.mark.parametrize(
    "code",
    [
        "lib.DataFrame({'v': [1, 2]}, index=[['x', 'y'], [1, 2]])",
        "lib.DataFrame({'v': [1, 2]}, index=[np.array(['x', 'y']), lib.Index([1, 2], name='n')])",
        "lib.DataFrame([[1, 2], [3, 4]], columns=[['x', 'y'], [1, 2]])",
        "lib.DataFrame(np.zeros((2, 2)), index=[['x', 'y'], [1, 2]], columns=[['x', 'x'], [1, 2]])",
        "lib.Series([1, 2], index=[['x', 'y'], [1, 2]])",
        "[f.__setattr__('index', [['x', 'y', 'z'], [1, 2, 3]]), f][1]",
    ],
)
def test_lists_of_arrays_are_levels(code):
    agree(code, f=FRAME)


def test_levels_of_unlike_lengths_are_refused():
    for lib in (cuprum, pd):
        with pytest.raises(ValueError, match="same length"):
            lib.Series([1, 2], index=[["x", "y"], [1]])
