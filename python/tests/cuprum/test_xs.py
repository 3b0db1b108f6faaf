"""`xs`, labels as attributes, and labels that repeat where that is allowed."""

import pickle

import pandas as pd
import pytest
from oracle import agree, assert_like

import cuprum

ROWS = pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["p", "q"])
M = pd.Series([1, 2, 3, 4], index=ROWS, name="m")
F = pd.DataFrame({"v": [1, 2, 3, 4], "w": list("abcd")}, index=ROWS)
S = pd.Series([1, 2, 3], index=["x", "y", "x"])
W = pd.DataFrame(
    [[1, 2, 3]], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["c", "d"])
)
T = pd.DataFrame({"v": [1, 2, 3]}, index=pd.to_datetime(["2020-01-01", "2020-01-02", "2021-01-01"]))


@pytest.mark.parametrize(
    "expression",
    [
        "m.xs('a')",
        "m.xs(1, level='q')",
        "m.xs(1, level=1)",
        "m.xs(2, level=-1)",
        "m.xs(('a', 1))",
        "m.xs('a', drop_level=False)",
        "m.xs(('a', 1), drop_level=False)",
        "m.xs(1, level='q', drop_level=False)",
        "m.xs('a', level='p')",
        "m.xs(('a', 2), level=['p', 'q'])",
        "m.xs((2, 'a'), level=['q', 'p'])",
        "f.xs('a')",
        "f.xs('b', level=0)",
        "f.xs(1, level='q')",
        "f.xs('a', drop_level=False)",
        "f.xs(('a', 1), drop_level=False)",
        "f.xs((slice(None), 1))",
        "f.xs((slice(None), 1), drop_level=False)",
        "f.xs('v', axis=1)",
        "f.xs('v', axis=1, drop_level=False)",
        "s.xs('x')",
        "s.xs('y')",
        "s.to_frame('v').xs('x')",
        "s.to_frame('v').xs('y')",
        "w.xs('a', axis=1)",
        "w.xs('a', axis=1, drop_level=False)",
        "w.xs(1, axis=1, level='d')",
        "w.xs(1, axis=1, level=1, drop_level=False)",
        "w.xs(('a', 2), axis=1)",
        "t.xs('2020')",
        "t.xs('2020-01-02')",
    ],
)
def test_cross_sections(expression):
    agree(expression, m=M, f=F, s=S, w=W, t=T)


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("m.xs('zz')", KeyError),
        ("m.xs(9, level='q')", KeyError),
        ("m.xs('a', level='zz')", KeyError),
        ("m.xs(['a'])", TypeError),
        ("s.xs('x', level=0)", TypeError),
        ("s.xs('z')", KeyError),
        ("m.xs('a', axis=1)", ValueError),
        ("w.xs('z', axis=1)", KeyError),
    ],
)
def test_cross_sections_that_are_refused(expression, error):
    for lib, names in ((pd, {"m": M, "f": F, "s": S, "w": W}), (cuprum, None)):
        names = names or {
            "m": cuprum.Series(M),
            "f": cuprum.DataFrame(F),
            "s": cuprum.Series(S),
            "w": cuprum.DataFrame(W),
        }
        with pytest.raises(error):
            eval(expression, {"lib": lib, **names})


@pytest.mark.parametrize(
    "code",
    [
        "s.x",
        "s.y",
        "m.a",
        "s.max()",
        "lib.Series([1, 2], index=lib.CategoricalIndex(['u', 'w'])).w",
        "hasattr(s, 'y'), hasattr(s, 'nothing')",
        "hasattr(lib.Series([1, 2]), 'y')",
        "'y' in dir(s), 'nothing' in dir(s)",
    ],
)
def test_text_labels_are_attributes(code):
    agree(code, s=S, m=M)


def test_an_element_is_set_by_an_attribute():
    def change(lib, s):
        s.y = 9
        return s

    agree(change, s=S)
    s = cuprum.Series(S)
    with pytest.raises(AttributeError, match="nothing"):
        s.nothing = 1


def test_attributes_that_fail_say_why():
    s = cuprum.Series([1], index=["dt"])
    with pytest.raises(AttributeError, match=r"Can only use \.dt"):
        _ = s.dt
    with pytest.raises(AttributeError, match="'Series' object has no attribute 'nothing'"):
        _ = s.nothing
    assert_like(pickle.loads(pickle.dumps(s)), pd.Series([1], index=["dt"]))
    with pytest.raises(AttributeError):
        _ = cuprum.Series.__new__(cuprum.Series)._handle


@pytest.mark.parametrize(
    "code",
    [
        "df.insert(0, 'b', [7, 8], allow_duplicates=True)",
        "df.insert(2, 'a', 5, allow_duplicates=True)",
        "df.insert(1, 'z', lib.Series([7, 8], index=[1, 0]), allow_duplicates=True)",
        "df.insert(1, 'z', lib.Series([7, 8], index=[1, 5]))",
        "df.insert(0, 'z', [])",
    ],
)
def test_labels_repeat_where_that_is_allowed(code):
    def change(lib, df):
        try:
            exec(code, {"lib": lib, "df": df})
        except ValueError as error:
            return type(error).__name__
        return df

    agree(change, df=pd.DataFrame({"a": [1, 2], "b": [3, 4]}))


@pytest.mark.parametrize(
    "expression",
    [
        "df.rename_axis('a').reset_index(allow_duplicates=True)",
        "df['a'].rename_axis('a').reset_index(allow_duplicates=True)",
        "df.set_index(['b', 'a']).rename_axis(['k', 'k']).reset_index(allow_duplicates=True)",
        "df.set_index(['b', 'a'], append=True).assign(a=1).reset_index('a', allow_duplicates=True)",
    ],
)
def test_levels_become_columns_of_labels_that_repeat(expression):
    agree(expression, df=pd.DataFrame({"a": [1, 2], "b": [3, 4]}))


def test_levels_are_named_by_a_tuple():
    df = pd.DataFrame(
        {"x": range(4)}, index=pd.MultiIndex.from_product([["u", "v"], [1, 2]], names=["k", "n"])
    )
    agree("df.xs(('u', 2), level=('k', 'n'))", df=df)
    agree("df.x.xs((2, 'u'), level=('n', 'k'))", df=df)
    agree("df.xs('u', level=('k',))", df=df)
