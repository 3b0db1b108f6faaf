"""Functions of Python over frames and series: `apply`, `agg`, `transform` and `map` as pandas has them."""

import collections
import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import agree, frames, given, ours

from cuprum.errors import PerformanceWarning

pytestmark = [
    pytest.mark.usefixtures("each_call_warns"),
    pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning"),
]

FRAME = pd.DataFrame({"a": [1, 2, 4], "b": [1.5, np.nan, 3]}, index=list("xyz"))

STATEMENTS = [
    "s.agg([lambda x:1, lambda x:2])",
    "df.agg([lambda x:x.max(), 'sum'])",
    "df.agg([lambda x:x.max(), lambda x:x.min()])",
    "s.agg([lambda x:x+1])",
    "df.agg(lambda x:x.max())",
    "df.agg({'a':lambda x: x.max(),'b':['sum',max]})",
    "df.agg(q=('a',lambda x:1),w=('b','max'))",
    "df.agg(['sum',lambda x:1],axis=1)",
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
    "df.transform(['sqrt','abs'])",
    "df.transform([np.sqrt,np.exp])",
    "df.transform({'a':np.sqrt})",
    "s.transform(lambda x: x-x.mean())",
    "s.transform([np.sqrt,np.exp])",
    "s.transform('cumsum')",
    "s.apply(lambda x: lib.Series([x,x*2]))",
    "s.apply(['sum','max'])",
    "s.apply(lambda v: v.sum(), by_row=False)",
    "df.map(lambda x: x+1)",
    "df.map(lambda x: str(x), na_action='ignore')",
    "df.map(round,ndigits=0)",
    "s.map({1:'p'})",
    "df.iloc[:0].apply(lambda c: c.sum())",
    "df.iloc[:0].apply(lambda r: 1,axis=1)",
    "df.iloc[:0].apply(lambda r: r)",
    "df[[]].apply(lambda r: 1,axis=1)",
    "df.agg('cumsum')",
    "df.agg(['cumsum'])",
    "s.agg('cumsum')",
    "df.agg('skew')",
    "s.agg({'u':'sum','w':lambda x: 5})",
    "df.apply(lambda c: c.sum(),axis='columns')",
    "s.agg(lambda x: x.max()-x.min())",
    "s.agg(lambda x: x+1)",
    "df.agg(lambda x: x+1)",
    "df.agg(sum)",
    "df.apply(sum)",
    "s.agg(sum)",
    "df.b.agg(sum)",
    "df.b.agg(max)",
    "df.b.agg(np.median)",
    "df.b.agg([sum,'max'])",
    "df.agg({'a':[sum],'b':max})",
    "df.agg({'a':sum,'b':max})",
    "df.apply(sum,axis=1)",
    "df.apply(np.sum,axis=1)",
    "df.apply(np.sum)",
    "df.apply(np.mean)",
    "df.apply(max)",
    "s.apply(np.sum)",
    "lib.Series(['a','bb']).apply(len)",
    "lib.Series(['a','bb']).agg(len)",
    "df.agg(len)",
    "df.apply(len)",
    "df.b.agg(len)",
    "df.agg(['count',len])",
    "df.agg('mean',axis=1)",
    "df.agg(lambda r: r.sum(),axis=1)",
    "df.agg({'x':'sum'},axis=1)",
    "df.apply(lambda r: r['a']+r['b'],axis=1)",
    "df.apply(lambda r,k: r['a']+k,axis=1,args=(3,))",
    "df.apply(lambda c,k=1: c*k,k=3)",
    "df.transform(lambda c: c-c.mean())",
    "df.transform(lambda c: c-c.mean(),axis=1)",
    "df.transform({'a':['abs'],'b':'cumsum'})",
    "s.transform(lambda x: x+1)",
    "s.transform(np.sqrt)",
    "s.transform({'p':np.sqrt,'q':'abs'})",
    "s.map(collections.defaultdict(lambda: 5,{1:7}))",
    "s.map(lambda x,k: x*k,k=3)",
    "s.apply(lambda x,k: x*k,args=(2,))",
    "s.apply('sum')",
    "df.apply('sum',axis=1)",
    "df.apply(['sum','max'],axis=1)",
    "df.apply(lambda c: None)",
    "df.apply(lambda c: c.describe())",
    "df.apply(lambda r: r.head(1) if r['a']==1 else r,axis=1)",
    "df.assign(t=list('pqr')).apply(lambda r: r,axis=1)",
    "df.assign(t=list('pqr')).apply(lambda r: r['t']*r['a'],axis=1)",
    "df.assign(t=list('pqr')).agg(['min','max'])",
    "df.assign(t=list('pqr')).agg(['min',lambda c: c.iloc[0]])",
    "df.assign(t=list('pqr')).map(str)",
    "df.assign(t=list('pqr')).apply(lambda c: c.nunique())",
    "df.agg(a=('a','sum'))",
    "df.agg(x=('a','sum'),y=('a',lambda c: 2))",
    "s.agg(x='sum',y=lambda c:2)",
    "df.a.agg([])",
    "df.agg([])",
    "df.apply(np.sqrt)",
    "s.apply(np.sqrt)",
    "df.transform(np.sqrt)",
    "df.agg(np.std)",
    "df.a.agg(np.std)",
    "df.agg(np.std,ddof=1)",
    "df.apply(lambda r: (1,2),axis=1,result_type='expand')",
    "df.apply(lambda c: c.iloc[0],axis=0,result_type='expand')",
    "round(df.kurt(),3)",
    "df.apply(lib.Series.value_counts)",
    "df.apply(lambda c: c.value_counts())",
    "df.apply(lambda c: c.sort_values(ascending=False).head(2))",
    "df.apply(lambda c: c[c > 3])",
    "df.apply(lambda c: lib.Series([1, 2], index=['q', 'p']) if c.name == 'a' else lib.Series([3], index=['a']))",
    "df.apply(lambda c: lib.Series([1], index=lib.Index([2], name=c.name)))",
    "df.apply(lambda c: lib.Series([1, 2], index=[3, 1]) if c.name == 'a' else 5)",
    "df.agg(lambda c: c.value_counts())",
    "df.apply(lambda r: r.value_counts(), axis=1)",
    "df.apply(lambda r: r.sort_values(ascending=False), axis=1)",
    "df.apply(lambda r: lib.Series([1], index=lib.Index([2], name=r.name)), axis=1)",
    "df.apply(lambda r: r if r['a'] == 1 else None, axis=1)",
    "df.apply(lambda r: r if r['a'] == 1 else [7, 8], axis=1)",
    "df['a'].apply(lambda x: lib.Series([x, x], index=[x, -x]))",
    "lib.DataFrame({'a': lib.Series([], index=[]), 'b': lib.Series([1.5, 2.5], index=['q', 'p'])})",
    "lib.DataFrame({k: lib.Series([1.5], index=lib.Index([2], name=k)) for k in 'ab'})",
]
FAILING = [
    ("s.agg([lambda x:x+1,'sum'])", ValueError, "cannot combine transform and aggregation operations"),
    ("df.transform('sum')", ValueError, "Function did not transform"),
    ("s.apply([np.sqrt,'sum'])", ValueError, "cannot combine transform and aggregation operations"),
    (
        "s.apply({'p':'sum','q':lambda v:v+1})",
        ValueError,
        "cannot perform both aggregation and transformation",
    ),
    (
        "df.agg(['sum','sum'])",
        pd.errors.SpecificationError,
        "Function names must be unique if there is no new column",
    ),
    ("s.apply(max)", TypeError, "'int' object is not iterable"),
    ("df.transform(lambda c: c.sum())", ValueError, "Function did not transform"),
    ("df.transform('nope')", ValueError, "Transform function failed: 'nope' is not a valid function"),
    ("df.agg('nope')", AttributeError, "'nope' is not a valid function for 'DataFrame' object"),
    ("df.transform({'z':'abs'})", KeyError, "Label(s) ['z'] do not exist"),
    ("s.transform('sum')", ValueError, "Function did not transform"),
    ("s.apply('nope')", AttributeError, "'nope' is not a valid function for 'Series' object"),
    ("df.apply(lambda x:x,by_row='bogus')", ValueError, "by_row=bogus not allowed"),
    (
        "df.apply(lambda x:x,result_type='bogus')",
        ValueError,
        "invalid value for result_type, must be one of {None",
    ),
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statements(statement):
    def run(lib, df):
        names = {"df": df, "s": df["a"], "lib": lib, "np": np, "collections": collections}
        return eval(statement, names)

    agree(run, df=FRAME, kept=["a", "b", None])


@pytest.mark.parametrize(("statement", "error", "text"), FAILING)
def test_errors(statement, error, text):
    agree(statement, refused=(error, text), df=FRAME, s=FRAME["a"])


@given(frames(i="int", f="float?", s="str?", max_rows=9, min_rows=1))
def test_of_any_frames(f):
    for statement in [
        "df[['i', 'f']].apply(lambda c: c.max())",
        "df[['i', 'f']].apply(lambda c: c - c.min())",
        "df[['i', 'f']].transform(lambda c: c * 2)",
        "df[['i', 'f']].agg(['sum', lambda c: c.count()])",
        "df.agg({'i': lambda c: c.max(), 'f': 'count'})",
        "df.i.agg([lambda s: s.max(), 'min'])",
        "df[['i', 'f']].map(lambda x: x + 1)",
        "df.i.transform(lambda s: s - s.mean())",
        "df[['i', 'f']].apply(lambda r: r * 2, axis=1)",
        "df.f.agg(sum)",
        "df.apply(len)",
        "df.i.apply(lambda x: str(x))",
    ]:
        agree(statement, df=f)


def test_warnings_are_of_calls_only():
    df = ours(FRAME)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Of columns, and of series that functions of elements give up on.
        df.apply(lambda c: c.max())
        df.transform(lambda c: c - c.mean())
        df["a"].transform(lambda s: s - s.mean())
        df["a"].agg(lambda s: s.max())
    with pytest.warns(PerformanceWarning, match="for each element"):
        df["a"].transform(lambda x: repr(x))


def test_what_raises_has_a_note():
    df = ours(FRAME)
    for call, note in [
        (lambda: df.apply(lambda c: c.nope), "in the column 'a'"),
        (lambda: df.apply(lambda r: int("no") if r["a"] == 2 else 1, axis=1), "in the row 'y'"),
        (lambda: df.map(lambda x: int("no") if x == 4 else 1), "in the row 'z'"),
    ]:
        with pytest.raises((AttributeError, ValueError)) as caught:
            call()
        assert note in caught.value.__notes__


def test_dicts_that_make_values():
    made = ours(FRAME)["a"].map(collections.defaultdict(lambda: 5, {1: 7}))
    assert made.to_list() == [7, 5, 5]
    with pytest.raises(KeyError):
        ours(FRAME)["a"].map(collections.UserDict({1: 7}).__getitem__)


def test_values_of_unlike_types_are_a_row():
    row = ours(FRAME.assign(t=list("pqr"))).agg({"t": lambda c: "".join(c), "a": "sum"})
    assert row.to_dict() == {"t": "pqr", "a": 7}


def test_by_row_is_a_truth_value_or_compat():
    with pytest.raises(ValueError, match="by_row=bogus not allowed"):
        ours(FRAME)["a"].apply(lambda x: x, by_row="bogus")
