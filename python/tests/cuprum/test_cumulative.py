"""Elements beside their neighbours, running totals and limits: `shift`, `diff`, `cumsum`, `clip` along either axis."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree, frames, given

FRAME = pd.DataFrame({"a": [1, 2, 4, 3], "b": [1.5, np.nan, 3, -1], "c": [5, 1, 0, 2]}, index=list("wxyz"))

STATEMENTS = [
    "df.cumsum(axis=1)",
    "df.cumsum(skipna=False)",
    "df.b.cumsum(skipna=False)",
    "df.cumsum(axis=1,skipna=False)",
    "df.a.cumsum(skipna=False)",
    "df.cumprod(axis=1)",
    "df.cumprod(skipna=False)",
    "df.b.cumprod(skipna=False)",
    "df.cumprod(axis=1,skipna=False)",
    "df.a.cumprod(skipna=False)",
    "df.cummax(axis=1)",
    "df.cummax(skipna=False)",
    "df.b.cummax(skipna=False)",
    "df.cummax(axis=1,skipna=False)",
    "df.a.cummax(skipna=False)",
    "df.cummin(axis=1)",
    "df.cummin(skipna=False)",
    "df.b.cummin(skipna=False)",
    "df.cummin(axis=1,skipna=False)",
    "df.a.cummin(skipna=False)",
    "df.shift(1,axis=1)",
    "df.shift(-1,axis=1)",
    "df.shift(5,axis=1)",
    "df.shift(0,axis=1)",
    "df.shift(1,axis=1,fill_value=9)",
    "df.shift(-2,axis='columns',fill_value=0)",
    "df.shift([0,1])",
    "df.a.shift([1,-1])",
    "df.a.shift([1,2],suffix='_q')",
    "df.shift([1],fill_value=0)",
    "df.diff(axis=1)",
    "df.diff(-1,axis=1)",
    "df.diff(2,axis=1)",
    "df.diff(0,axis=1)",
    "df.iloc[:0].diff(axis=1)",
    "df[['a']].shift(1,axis=1)",
    "df.a.clip([2]*4)",
    "df.a.clip([2]*4,[3,1,3,5])",
    "df.a.clip(df.b)",
    "df.b.clip(df.a)",
    "df.b.clip(upper=df.a)",
    "df.clip(df.a,axis=0)",
    "df.clip(df.a,df.a+1,axis=0)",
    "df.clip([1,2,3],axis=1)",
    "df.clip(lib.Series({'a':2,'b':0,'c':1}),axis=1)",
    "df.clip(df*0+1)",
    "df.clip(1,df.a,axis=0)",
    "df.clip(lib.Series([1,2,3,4]),axis=0)",
    "df.b.clip(lib.Series([1,np.nan],index=['w','x']))",
    "df.clip(2,3)",
    "(lambda s: (s.pop('x'),s))(df.a.copy())",
    "df.a.divmod(2)",
    "df.a.rdivmod(7)",
    "df.a.divmod(df.b,fill_value=1)",
    "df.clip(lib.Series({'a':2}),axis=1)",
    "df.clip(lib.DataFrame({'a':[2,2]},index=['w','x']))",
    "df.clip(lib.Series({'a':np.nan,'b':5,'c':1}),axis=1)",
]
FAILING = [
    ("df.shift(1,suffix='q')", ValueError, "Cannot specify `suffix` if `periods` is an int"),
    ("df.shift([])", ValueError, "If `periods` is an iterable, it cannot be empty"),
    ("df.shift([1],axis=1)", ValueError, "If `periods` contains multiple shifts, `axis` cannot be 1"),
    ("df.shift(['a'])", TypeError, "Periods must be integer, but a is <class 'str'>"),
    ("df.clip([1,2],axis=1)", ValueError, "`lower` has 2 elements for 3 columns"),
    ("df.a.pop('q')", KeyError, "q is not in the index"),
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statements(statement):
    agree(statement, df=FRAME, kept=["a", "c"])


@pytest.mark.parametrize(("statement", "error", "text"), FAILING)
def test_errors(statement, error, text):
    agree(statement, refused=(error, text), df=FRAME)


@given(frames(i="int", j="int", f="float?", max_rows=9, min_rows=1))
def test_of_any_frames(f):
    for op in ("cumsum", "cumprod", "cummax", "cummin"):
        agree(f"df[['i', 'f']].{op}(skipna=False)", df=f)
        agree(f"df[['i', 'j']].{op}(axis=1)", df=f)
    for periods in (1, -1, 2):
        agree(f"df.shift({periods}, axis=1)", df=f)
        agree(f"df[['i', 'j']].diff({periods}, axis=1)", df=f)
    agree("df.shift([0, 1])", df=f)
    agree("df[['i', 'j']].clip(df.j, axis=0)", df=f)
    agree("df.f.clip(df.i, df.i + 1)", df=f)


WITH_TRUTHS = FRAME.assign(t=[True, False, True, True])


@pytest.mark.parametrize(
    "statement",
    [f"df.{name}(axis=1)" for name in ("cumsum", "cumprod", "cummax", "cummin")]
    + ["df.cumsum(axis=1, skipna=False)", "df.cumprod(axis=1, skipna=False)"]
    + ["df.clip(0, 1)", "df.clip(lower=1)", "df.clip(upper=0)", "df.clip(0.5, 1.5)", "df.clip(0, None)"]
    + ["df.t.clip(0, 1)", "df.t.clip(lower=1)", "df[['t']].clip(upper=0)", "df.t.clip(lower=True)"],
)
def test_truth_values_beside_numbers(statement):
    agree(statement, df=WITH_TRUTHS)
