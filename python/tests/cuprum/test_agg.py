"""`agg`, `transform` and `pipe` of frames and series."""

import collections
import functools
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import agree, frames, given, ours
from pandas.errors import SpecificationError
from small_frames import FLOATS, THREE_KEYS, TWO_NUMBERS, UNDER_INTEGERS, UNDER_TEXTS, daily_floats

import cuprum

FUNCTIONS = [max, min, sum, len, np.std, np.var, np.nanstd, np.mean, np.max, np.median]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("how", ["agg", "apply"])
def test_functions_of_python_and_numpy_of_rows_and_columns(function: Any, axis: int, how: str) -> None:
    theirs, ours = (
        getattr(lib.DataFrame({"a": [1.0, 2.0, 4.0], "b": [1.0, 5.0, 9.0]}), how)(function, axis=axis)
        for lib in (pd, cuprum)
    )
    pd.testing.assert_series_equal(ours.to_pandas(), theirs)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: daily_floats(lib)["a"].agg({"a": {"x": "sum"}}),
            pd.errors.SpecificationError,
            "nested renamer is not supported",
            id="a dict in a dict, agg",
        ),
        pytest.param(
            lambda lib: daily_floats(lib)["a"].agg({"a": [np.std, lambda x: x]}),
            pd.errors.SpecificationError,
            "nested renamer is not supported",
            id="a list in a dict, agg",
        ),
        pytest.param(
            lambda lib: daily_floats(lib).transform({"a": {"x": "sqrt"}}),
            pd.errors.SpecificationError,
            "nested renamer is not supported",
            id="a dict in a dict, transform",
        ),
        pytest.param(
            lambda lib: daily_floats(lib)["a"].transform({"a": {"x": "sqrt"}}),
            pd.errors.SpecificationError,
            "nested renamer is not supported",
            id="a dict in a dict, transform of a series",
        ),
        pytest.param(
            lambda lib: daily_floats(lib).agg(x=("a", "max"), axis=1),
            NotImplementedError,
            "Named aggregation is not supported when axis=1",
            id="names of rows",
        ),
    ],
)
def test_dicts_in_dicts_are_refused(call, error, text):
    agree(call, refused=(error, text))


def _mapped(df):
    df["n"] = 1
    df.iloc[0, 0] = 100
    return df


@pytest.mark.parametrize(
    "code",
    [
        # What a function changes is changed in its result alone.
        lambda lib, df: [df.pipe(_mapped), df.pipe((lambda x, df: _mapped(df), "df"), 1), df],
        lambda lib, df: [df["a"].transform(lambda s: s.clip(upper=s.median())), df],
        "df.rename_axis(columns='m').agg(x=('a', 'sum')).columns.name",
        "df.agg(['sum', 'max'], numeric_only=True)",
    ],
)
def test_functions_change_their_result_alone(code):
    agree(code, df=FLOATS)


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("df.pipe((lambda x: x, 'x'), x=1)", ValueError, "x is both the pipe target and a keyword argument"),
        ("df.agg({'a': {'x': 'sum'}})", SpecificationError, "nested renamer is not supported"),
    ],
)
def test_pipe_and_agg_that_are_refused(code, error, text):
    agree(code, refused=(error, text), df=FLOATS)


@pytest.mark.parametrize(
    "code",
    [
        "lib.DataFrame({'a': [True, False], 'b': [1, 2]}).max()",
        "lib.DataFrame({'a': [1, 2], 'b': ['x', 'y']}).max()",
        "lib.DataFrame({'a': [1, 2], 'b': ['x', 'y']}).min()",
        "lib.DataFrame({'a': [1, 2], 'b': ['x', None]}).agg({'b': 'max', 'a': 'sum'})",
        "lib.DataFrame({'a': [True, False], 'b': [1, 2]}).agg({'a': 'max', 'b': 'sum'})",
        "df.idxmax()",
        "df.idxmin()",
    ],
)
def test_values_of_columns_of_unlike_types_stand_beside_each_other(code):
    ours, theirs = (eval(code, {"lib": lib, "df": lib.DataFrame(THREE_KEYS)}) for lib in (cuprum, pd))
    assert list(ours.index) == list(theirs.index)
    assert list(ours.items()) == list(theirs.items())
    assert [type(value) is bool or isinstance(value, bool) for value in ours.to_pandas()] == [
        isinstance(value, bool) for value in theirs
    ]


def test_truth_values_and_numbers_are_objects():
    agree("df.T", df=pd.DataFrame({"a": [True, False], "b": [1, 2]}))
    agree("df.agg(['max', 'sum'])", df=pd.DataFrame({"a": [True, False], "b": [1, 2]}))


def test_agg_of_nothing_is_empty():
    ours = cuprum.DataFrame(UNDER_INTEGERS)
    assert ours.agg([]).shape == (0, 2)
    assert ours.agg({}).shape == (0, 0)
    assert len(ours.a.agg([])) == 0
    assert ours.agg({"a": [], "b": ["sum"]}).columns.to_list() == ["b"]
    with pytest.raises(ValueError, match="not aligned"):
        ours.dot(ours[[]])


def test_aggregations_have_the_names_of_their_functions():
    quarter = functools.partial(lambda s, share: s.quantile(share), share=0.25)
    quarter.__name__ = "25%"
    agree(
        lambda lib, df: [df.agg(["min", quarter]), df.a.agg([quarter, "max"]), df.agg({"a": [quarter]})],
        df=TWO_NUMBERS,
    )


@pytest.mark.parametrize("frame", ["df", "df.a"])
def test_agg_takes_one_axis(frame):
    for lib in (pd, cuprum):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(TypeError):
                eval(f"{frame}.agg('sum', 0, 1)", {"df": lib.DataFrame({"a": [1, 2]})})


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@pytest.mark.parametrize(
    "statement",
    [
        "s.agg([lambda x:1, lambda x:2])",
        "df.agg([lambda x:x.max(), 'sum'])",
        "df.agg([lambda x:x.max(), lambda x:x.min()])",
        "s.agg([lambda x:x+1])",
        "df.agg(lambda x:x.max())",
        "df.agg({'a':lambda x: x.max(),'b':['sum',max]})",
        "df.agg(q=('a',lambda x:1),w=('b','max'))",
        "df.agg(['sum',lambda x:1],axis=1)",
        "df.agg('cumsum')",
        "df.agg(['cumsum'])",
        "s.agg('cumsum')",
        "df.agg('skew')",
        "s.agg({'u':'sum','w':lambda x: 5})",
        "s.agg(lambda x: x.max()-x.min())",
        "s.agg(lambda x: x+1)",
        "df.agg(lambda x: x+1)",
        "df.agg(sum)",
        "s.agg(sum)",
        "df.b.agg(sum)",
        "df.b.agg(max)",
        "df.b.agg(np.median)",
        "df.b.agg([sum,'max'])",
        "df.agg({'a':[sum],'b':max})",
        "df.agg({'a':sum,'b':max})",
        "lib.Series(['a','bb']).agg(len)",
        "df.agg(len)",
        "df.b.agg(len)",
        "df.agg(['count',len])",
        "df.agg('mean',axis=1)",
        "df.agg(lambda r: r.sum(),axis=1)",
        "df.agg({'x':'sum'},axis=1)",
        "df.assign(t=list('pqr')).agg(['min','max'])",
        "df.assign(t=list('pqr')).agg(['min',lambda c: c.iloc[0]])",
        "df.agg(a=('a','sum'))",
        "df.agg(x=('a','sum'),y=('a',lambda c: 2))",
        "s.agg(x='sum',y=lambda c:2)",
        "df.a.agg([])",
        "df.agg([])",
        "df.agg(np.std)",
        "df.a.agg(np.std)",
        "df.agg(np.std,ddof=1)",
        "round(df.kurt(),3)",
        "df.agg(lambda c: c.value_counts())",
    ],
)
def test_agg_takes_functions_names_lists_and_dicts(statement):
    def run(lib, df):
        names = {"df": df, "s": df["a"], "lib": lib, "np": np, "collections": collections}
        return eval(statement, names)

    agree(run, df=UNDER_TEXTS, kept=["a", "b", None])


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@pytest.mark.parametrize(
    "statement",
    [
        "df.transform(['sqrt','abs'])",
        "df.transform([np.sqrt,np.exp])",
        "df.transform({'a':np.sqrt})",
        "s.transform(lambda x: x-x.mean())",
        "s.transform([np.sqrt,np.exp])",
        "s.transform('cumsum')",
        "df.transform(lambda c: c-c.mean())",
        "df.transform(lambda c: c-c.mean(),axis=1)",
        "df.transform({'a':['abs'],'b':'cumsum'})",
        "s.transform(lambda x: x+1)",
        "s.transform(np.sqrt)",
        "s.transform({'p':np.sqrt,'q':'abs'})",
        "df.transform(np.sqrt)",
    ],
)
def test_transform_takes_functions_names_lists_and_dicts(statement):
    def run(lib, df):
        names = {"df": df, "s": df["a"], "lib": lib, "np": np, "collections": collections}
        return eval(statement, names)

    agree(run, df=UNDER_TEXTS, kept=["a", "b", None])


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@pytest.mark.parametrize(
    ("statement", "error", "text"),
    [
        ("s.agg([lambda x:x+1,'sum'])", ValueError, "cannot combine transform and aggregation operations"),
        ("df.transform('sum')", ValueError, "Function did not transform"),
        (
            "df.agg(['sum','sum'])",
            pd.errors.SpecificationError,
            "Function names must be unique if there is no new column",
        ),
        ("df.transform(lambda c: c.sum())", ValueError, "Function did not transform"),
        ("df.transform('nope')", ValueError, "Transform function failed: 'nope' is not a valid function"),
        ("df.agg('nope')", AttributeError, "'nope' is not a valid function for 'DataFrame' object"),
        ("df.transform({'z':'abs'})", KeyError, "Label(s) ['z'] do not exist"),
        ("s.transform('sum')", ValueError, "Function did not transform"),
    ],
)
def test_agg_and_transform_that_are_refused(statement, error, text):
    agree(statement, refused=(error, text), df=UNDER_TEXTS, s=UNDER_TEXTS["a"])


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@given(frames(i="int", f="float?", s="str?", max_rows=9, min_rows=1))
def test_agg_and_transform_of_any_frames(f):
    for statement in [
        "df[['i', 'f']].transform(lambda c: c * 2)",
        "df[['i', 'f']].agg(['sum', lambda c: c.count()])",
        "df.agg({'i': lambda c: c.max(), 'f': 'count'})",
        "df.i.agg([lambda s: s.max(), 'min'])",
        "df.i.transform(lambda s: s - s.mean())",
        "df.f.agg(sum)",
    ]:
        agree(statement, df=f, kept=...)


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
def test_agg_of_unlike_types_is_a_row():
    row = ours(UNDER_TEXTS.assign(t=list("pqr"))).agg({"t": lambda c: "".join(c), "a": "sum"})
    assert row.to_dict() == {"t": "pqr", "a": 7}
