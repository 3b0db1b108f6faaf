"""`+=` and the other operators that put their result in place."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree

HALVES = pd.DataFrame({"A": [1.0, np.nan], "B": [np.nan, 4.0]})


def _in_place(operator, other):
    """The object that a name beside it has after an operator that puts its result there."""

    def program(lib, df):
        beside = df
        given = other(lib) if callable(other) else other
        df = getattr(df, operator)(given)
        return [beside, beside is df]

    return program


@pytest.mark.parametrize(
    ("operator", "other"),
    [
        ("__iadd__", 1),
        ("__imul__", lambda lib: lib.DataFrame({"B": [2.0, 3.0], "C": [1.0, 1.0]})),
        ("__itruediv__", lambda lib: lib.Series({"A": 2.0, "C": 3.0})),
        ("__ifloordiv__", 2),
        ("__imod__", 3),
        ("__ipow__", 2),
        ("__isub__", lambda lib: lib.DataFrame({"A": [1.0]}, index=[1])),
    ],
)
def test_operators_in_place(operator, other):
    agree(_in_place(operator, other), df=HALVES)
    if not callable(other):
        agree(_in_place(operator, other), df=HALVES["A"])


def test_elements_of_series_in_place():
    agree(_in_place("__iadd__", lambda lib: lib.Series([1.0], index=[1], name="z")), df=HALVES["A"])
    agree(_in_place("__iand__", lambda lib: lib.Series([True, False])), df=pd.Series([True, True]))
