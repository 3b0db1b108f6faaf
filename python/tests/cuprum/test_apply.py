"""`apply` of frames and series."""

import collections
import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import agree, frames, given, ours
from small_frames import ANIMALS, FLOATS, UNDER_TEXTS, daily_floats

import cuprum
from cuprum.errors import PerformanceWarning


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: daily_floats(lib).apply({"a": {"x": "sum"}}),
            pd.errors.SpecificationError,
            "nested renamer is not supported",
            id="a dict in a dict, apply",
        ),
        pytest.param(
            lambda lib: daily_floats(lib)["a"].apply({"a": {"x": "sum"}}),
            pd.errors.SpecificationError,
            "nested renamer is not supported",
            id="a dict in a dict, apply of a series",
        ),
    ],
)
def test_apply_refuses_dicts_in_dicts(call, error, text):
    agree(call, refused=(error, text))


def test_apply_raw_of_texts():
    agree(
        "df.assign(a=list('wxyz'), b=['1', '22', '333', '4'])[['b']].apply(lambda x: x[0], axis=1, raw=True)",
        df=FLOATS,
    )


def test_dicts_of_rows_make_columns():
    df = ours(FLOATS)
    found = df.apply(lambda row: {"z": row["a"] + row["b"], "y": 1.0}, axis=1, result_type="expand")
    assert found.to_dict("list") == {"z": (FLOATS["a"] + FLOATS["b"]).to_list(), "y": [1.0] * 4}


@pytest.mark.parametrize(
    "code",
    [
        "lib.Series([[1.5], [2, 3]]).apply(lib.Series)",
        "lib.Series([{'b': 1.5}, {'a': 2.0, 'b': 3.0}]).apply(lib.Series)",
        "lib.Series(['a b', 'c']).str.split().apply(lib.Series)",
        "lib.Series([1, 2]).apply(lambda v: lib.Series({'z': v / 2, 'a': 1.5} if v > 1 else {'q': 0.5}))",
    ],
)
def test_elements_become_rows(code):
    agree(lambda lib: eval(code, {"lib": lib}))


def test_functions_that_return_what_is_no_element():
    ours = cuprum.DataFrame(ANIMALS)
    for code in (
        "df.apply(lambda r: (r.one, r.two), axis=1)",
        "df['one'].map(lambda x: {x})",
        "df.groupby('one')['two'].agg(tuple)",
    ):
        agree(code, df=ANIMALS)
    with pytest.raises(TypeError, match="unordered"):
        ours.apply(lambda r: {r.one, r.two}, axis=1, result_type="expand")


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@pytest.mark.parametrize(
    "statement",
    [
        "df.apply(lambda x:[1,2])",
        "df.apply(lambda x:[1,2,3])",
        "df.apply(lambda x:[1,2,3],axis=1,result_type='expand')",
        "df.apply(lambda x:[1,2],axis=1,result_type='broadcast')",
        "df.apply(lambda x: lib.Series([1,2],index=['p','q']),axis=1)",
        "df.apply(lambda r: r*2,axis=1)",
        "df.apply(lambda c: c.head(2))",
        "df.apply(['sum',max])",
        "df.apply({'a':'sum','b':lambda c:c.max()})",
        "df.apply(np.sum,raw=True,axis=1)",
        "df.apply(lambda a: a*2,raw=True)",
        "df.apply(lambda x:x.max(),result_type='broadcast')",
        "s.apply(lambda x: lib.Series([x,x*2]))",
        "s.apply(['sum','max'])",
        "s.apply(lambda v: v.sum(), by_row=False)",
        "df.iloc[:0].apply(lambda c: c.sum())",
        "df.iloc[:0].apply(lambda r: 1,axis=1)",
        "df.iloc[:0].apply(lambda r: r)",
        "df[[]].apply(lambda r: 1,axis=1)",
        "df.apply(lambda c: c.sum(),axis='columns')",
        "df.apply(sum)",
        "df.apply(sum,axis=1)",
        "df.apply(np.sum,axis=1)",
        "df.apply(np.sum)",
        "df.apply(np.mean)",
        "df.apply(max)",
        "s.apply(np.sum)",
        "lib.Series(['a','bb']).apply(len)",
        "df.apply(len)",
        "df.apply(lambda r: r['a']+r['b'],axis=1)",
        "df.apply(lambda r,k: r['a']+k,axis=1,args=(3,))",
        "df.apply(lambda c,k=1: c*k,k=3)",
        "s.apply(lambda x,k: x*k,args=(2,))",
        "s.apply('sum')",
        "df.apply('sum',axis=1)",
        "df.apply(['sum','max'],axis=1)",
        "df.apply(lambda c: None)",
        "df.apply(lambda c: c.describe())",
        "df.apply(lambda r: r.head(1) if r['a']==1 else r,axis=1)",
        "df.assign(t=list('pqr')).apply(lambda r: r,axis=1)",
        "df.assign(t=list('pqr')).apply(lambda r: r['t']*r['a'],axis=1)",
        "df.assign(t=list('pqr')).apply(lambda c: c.nunique())",
        "df.apply(np.sqrt)",
        "s.apply(np.sqrt)",
        "df.apply(lambda r: (1,2),axis=1,result_type='expand')",
        "df.apply(lambda c: c.iloc[0],axis=0,result_type='expand')",
        "df.apply(lib.Series.value_counts)",
        "df.apply(lambda c: c.value_counts())",
        "df.apply(lambda c: c.sort_values(ascending=False).head(2))",
        "df.apply(lambda c: c[c > 3])",
        "df.apply(lambda c: lib.Series([1, 2], index=['q', 'p']) if c.name == 'a' else lib.Series([3], index=['a']))",
        "df.apply(lambda c: lib.Series([1], index=lib.Index([2], name=c.name)))",
        "df.apply(lambda c: lib.Series([1, 2], index=[3, 1]) if c.name == 'a' else 5)",
        "df.apply(lambda r: r.value_counts(), axis=1)",
        "df.apply(lambda r: r.sort_values(ascending=False), axis=1)",
        "df.apply(lambda r: lib.Series([1], index=lib.Index([2], name=r.name)), axis=1)",
        "df.apply(lambda r: r if r['a'] == 1 else None, axis=1)",
        "df.apply(lambda r: r if r['a'] == 1 else [7, 8], axis=1)",
        "df['a'].apply(lambda x: lib.Series([x, x], index=[x, -x]))",
    ],
)
def test_apply_takes_functions_names_and_lists(statement):
    def run(lib, df):
        names = {"df": df, "s": df["a"], "lib": lib, "np": np, "collections": collections}
        return eval(statement, names)

    agree(run, df=UNDER_TEXTS, kept=["a", "b", None])


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@pytest.mark.parametrize(
    ("statement", "error", "text"),
    [
        ("s.apply([np.sqrt,'sum'])", ValueError, "cannot combine transform and aggregation operations"),
        (
            "s.apply({'p':'sum','q':lambda v:v+1})",
            ValueError,
            "cannot perform both aggregation and transformation",
        ),
        ("s.apply(max)", TypeError, "'int' object is not iterable"),
        ("s.apply('nope')", AttributeError, "'nope' is not a valid function for 'Series' object"),
        ("df.apply(lambda x:x,by_row='bogus')", ValueError, "by_row=bogus not allowed"),
        (
            "df.apply(lambda x:x,result_type='bogus')",
            ValueError,
            "invalid value for result_type, must be one of {None",
        ),
    ],
)
def test_apply_that_is_refused(statement, error, text):
    agree(statement, refused=(error, text), df=UNDER_TEXTS, s=UNDER_TEXTS["a"])


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@given(frames(i="int", f="float?", s="str?", max_rows=9, min_rows=1))
def test_apply_of_any_frames(f):
    for statement in [
        "df[['i', 'f']].apply(lambda c: c.max())",
        "df[['i', 'f']].apply(lambda c: c - c.min())",
        "df[['i', 'f']].apply(lambda r: r * 2, axis=1)",
        "df.apply(len)",
        "df.i.apply(lambda x: str(x))",
    ]:
        agree(statement, df=f, kept=...)


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
def test_warnings_of_apply_are_of_calls_only():
    df = ours(UNDER_TEXTS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Of columns, and of series that functions of elements give up on.
        df.apply(lambda c: c.max())
        df.transform(lambda c: c - c.mean())
        df["a"].transform(lambda s: s - s.mean())
        df["a"].agg(lambda s: s.max())
    with pytest.warns(PerformanceWarning, match="for each element"):
        df["a"].transform(lambda x: repr(x))


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
def test_errors_of_functions_have_a_note():
    df = ours(UNDER_TEXTS)
    for call, note in [
        (lambda: df.apply(lambda c: c.nope), "in the column 'a'"),
        (lambda: df.apply(lambda r: int("no") if r["a"] == 2 else 1, axis=1), "in the row 'y'"),
        (lambda: df.map(lambda x: int("no") if x == 4 else 1), "in the row 'z'"),
    ]:
        with pytest.raises((AttributeError, ValueError)) as caught:
            call()
        assert note in caught.value.__notes__


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
def test_by_row_that_is_none_is_refused():
    with pytest.raises(ValueError, match="by_row=bogus not allowed"):
        ours(UNDER_TEXTS)["a"].apply(lambda x: x, by_row="bogus")
