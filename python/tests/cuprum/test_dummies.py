"""`get_dummies` beside pandas."""

import pandas as pd
import pytest
from oracle import agree, frames, given

import cuprum


@given(frames(i="int?", f="float?", s="str?", b="bool"))
def test_columns_of_every_kind(a):
    agree("lib.get_dummies(a)", a=a)
    agree("lib.get_dummies(a, dummy_na=True, drop_first=True)", a=a)
    agree("lib.get_dummies(a, columns=['b', 's'], dtype='float32')", a=a)
    agree("lib.get_dummies(a.s)", a=a)
    agree("lib.get_dummies(a.s, prefix='p', prefix_sep='.', dummy_na=True)", a=a)


FRAME = pd.DataFrame(
    {"s": ["b", "a", None, "b"], "n": [1.5, 2.0, None, 2.0], "i": [3, 1, 3, 2]}, index=["w", "x", "y", "z"]
)


@pytest.mark.parametrize(
    "expression",
    [
        "lib.get_dummies(a.n)",
        "lib.get_dummies(a.i, dummy_na=True, dtype=int).rename(columns=str)",
        "lib.get_dummies(a.i, drop_first=True)",
        "lib.get_dummies(['y', 'x', 'y'])",
        "lib.get_dummies(a, columns=['n', 'i'])",
        "lib.get_dummies(a, columns=['i', 's'], prefix=['p', 'q'], prefix_sep=['-', '+'])",
        "lib.get_dummies(a, columns=['i', 's'], prefix={'s': 'q', 'i': 'p'})",
        "lib.get_dummies(a[['s']].iloc[:0])",
        "lib.get_dummies(a.astype({'s': 'category'}))",
        "lib.get_dummies(a.s.astype('category').iloc[:1], dtype='uint8')",
    ],
)
def test_names(expression):
    agree(expression, a=FRAME)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"columns": "s"}, TypeError),
        ({"columns": ["nothing"]}, KeyError),
        ({"prefix": ["p", "q"]}, ValueError),
        ({"prefix_sep": 1}, TypeError),
        ({"dtype": "str"}, TypeError),
        ({"sparse": True}, NotImplementedError),
    ],
)
def test_what_is_refused(arguments, error):
    with pytest.raises(error):
        cuprum.get_dummies(cuprum.DataFrame(FRAME), **arguments)


@pytest.mark.parametrize("argument", ["prefix", "prefix_sep"])
def test_texts_for_other_columns_are_refused(argument):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match=rf"Length of '{argument}' \(2\)"):
            lib.get_dummies(lib.DataFrame({"a": ["x"]}), **{argument: {"a": "P", "c": "C"}})
