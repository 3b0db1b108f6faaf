"""`replace`: values by others, in all columns or some."""

import pandas as pd
import pytest
from oracle import SMALL, agree

import cuprum


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("df.replace(len)", TypeError, "`to_replace` is a builtin_function_or_method: give an"),
        ("df['a'].replace(len)", TypeError, "`to_replace` is a builtin_function_or_method: give an"),
    ],
)
def test_replace_takes_no_function(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


TWO = pd.DataFrame({"A": [0, 1, 2], "B": [0, 6, 7], "C": ["x", "y", "x"]})


@pytest.mark.parametrize(
    "arguments",
    [
        "{'A': 0, 'B': 6}, 100",
        "{'A': 0, 'Z': 6}, 100",
        "{'A': [0, 1], 'B': 6}, 100",
        "{'C': 'x'}, 'q'",
        "{'x': 'q'}",
        "{'x': 'q'}, 'w'",
        "{0: 10, 1: 100}",
        "0, {'A': 7, 'B': 9}",
        "{'A': 0, 'B': 0}, {'A': 7, 'B': 9}",
        "{'A': 0, 'B': 0}, {'A': 7}",
        "{'A': {0: 100, 1: 0}}",
        "[0, 6], [1, 2]",
        "[0, 6], 5",
        "0, 5",
    ],
)
def test_replace_in_some_columns(arguments):
    agree(f"df.replace({arguments})", df=TWO)


@pytest.mark.parametrize(
    "expression",
    [
        "s.replace({0: 5}, 100)",
        "s.replace([0, 1])",
        "s.replace(0)",
        "df.replace({'A': {0: 100}}, 4)",
    ],
)
def test_replace_by_nothing_or_twice_is_refused(expression):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match="replace"):
            eval(expression, {"s": lib.Series([0, 1]), "df": lib.DataFrame({"A": [0, 1]})})


@pytest.mark.parametrize("pair", ["1, 9", "0, 9", "True, False", "{False: True}", "[True, False], False"])
def test_replace_tells_truth_values_from_numbers(pair):
    df = pd.DataFrame({"i": [1, 0, 2], "b": [True, False, True], "f": [1.0, 0.0, None]})
    agree(f"df.replace({pair})", df=df)
    for column in df:
        agree(f"s.replace({pair})", s=df[column])


def test_replace_by_none_is_missing():
    agree("s.replace('a', None)", s=pd.Series(["a", "b"]))
