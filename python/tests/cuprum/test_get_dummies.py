"""`get_dummies` and `from_dummies` beside pandas."""

import pandas as pd
import pytest
from oracle import agree, frames, given
from small_frames import FLOATS

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
def test_get_dummies_that_are_refused(arguments, error):
    with pytest.raises(error):
        cuprum.get_dummies(cuprum.DataFrame(FRAME), **arguments)


@pytest.mark.parametrize("argument", ["prefix", "prefix_sep"])
def test_texts_for_other_columns_are_refused(argument):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match=rf"Length of '{argument}' \(2\)"):
            lib.get_dummies(lib.DataFrame({"a": ["x"]}), **{argument: {"a": "P", "c": "C"}})


def test_values_of_columns():
    for code in (
        "lib.from_dummies(lib.DataFrame({'a': [1, 0, 0], 'b': [0, 1, 0], 'c': [0, 0, 1]}, index=[5, 6, 7]))",
        "lib.from_dummies(lib.DataFrame({'x_a': [1, 0], 'x_b': [0, 1], 'y_a': [0, 1], 'y_b': [1, 0]}), sep='_')",
        "lib.from_dummies(lib.DataFrame({'x_a_b': [True, False], 'x_c': [False, False]}), '_', 'none')",
        "lib.from_dummies(lib.DataFrame({'x_a': [1, 0], 'y_a': [0, 1]}), '_', {'x': 'p', 'y': 'q'})",
        "lib.from_dummies(lib.get_dummies(lib.Series(['b', 'a', 'b'])))",
    ):
        agree(code)


@pytest.mark.parametrize(
    ("data", "given", "error", "message"),
    [
        ({"a": [1], "b": [1]}, {}, ValueError, "multi-assignment.*row: 0"),
        ({"a": [1, 0]}, {}, ValueError, "unassigned.*row: 1"),
        ({"a": [1, 2]}, {}, TypeError, "non-dummy"),
        ({"a": ["x"]}, {}, TypeError, "non-dummy"),
        ({"a": [1, None]}, {}, ValueError, "NA value in column: 'a'"),
        ({"a": [1]}, {"sep": "_"}, ValueError, "Separator not specified for column: a"),
        ({"a": [1]}, {"sep": 5}, TypeError, "'sep'"),
        ({"x_a": [1]}, {"sep": "_", "default_category": {"x": 1, "y": 2}}, ValueError, "default_category"),
    ],
)
def test_what_are_no_dummies(data, given, error, message):
    with pytest.raises(error, match=message):
        cuprum.from_dummies(cuprum.DataFrame(data), **given)


def test_str_get_dummies_of_floats():
    agree(lambda lib: lib.Series(["a|b"]).str.get_dummies(dtype=float))


def test_str_get_dummies_of_texts_are_refused():
    agree(
        lambda lib: lib.Series(["a|b"]).str.get_dummies(dtype=str),
        refused=(ValueError, "Only numeric or boolean dtypes are supported for 'dtype'"),
    )


def test_get_dummies_of_intervals():
    agree("lib.get_dummies(df.assign(i=lib.interval_range(0, 4), k=list('xyxy')))", df=FLOATS)


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
("cuprum.get_dummies(cuprum.DataFrame({'a': [b'x', b'y'], 'b': [1, 2]}))", TypeError, "'a'.*binary"),
],
)  # fmt: skip
def test_get_dummies_of_bytes_are_refused(code, error, message):
    with pytest.raises(error, match=message):
        eval(code, {"cuprum": cuprum})
