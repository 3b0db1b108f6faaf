"""`clip` along either axis."""

import numpy as np
import pytest
from oracle import agree, frames, given
from small_frames import FLOATS, THREE_COLUMNS

import cuprum


@pytest.mark.parametrize(
    "code",
    [
        "df.clip([2.0, 1.0])",
        "df.clip(upper=[2.0, 1.0])",
    ],
)
def test_clip_by_lists(code):
    agree(code, df=FLOATS)


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        (
            "df['a'].clip(1, inplace=1)",
            ValueError,
            'For argument "inplace" expected type bool, received type',
        ),
        ("df.clip([1.0])", ValueError, "`lower` has 1 elements for 2 columns"),
    ],
)
def test_clip_refuses_what_pandas_refuses(code, error, text):
    agree(code, refused=(error, text), df=FLOATS)


@pytest.mark.parametrize("low", [None, 1.0, 1.7, -np.inf, np.inf, np.nan, 2, -5.5])
@pytest.mark.parametrize("high", [None, 2.0, 2.5, np.inf, -np.inf, 2, 100.5])
def test_integers_are_limited_by_floats(low, high):
    for values in ([1, 2, 3], [5], [-3, 0, 7]):
        agree(f"lib.Series({values}).clip(low, high)".replace("low", repr(low)).replace("high", repr(high))
              .replace("nan", "float('nan')").replace("inf", "float('inf')"))  # fmt: skip


@pytest.mark.parametrize(
    "statement",
    [
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
        "df.clip(lib.Series({'a':2}),axis=1)",
        "df.clip(lib.DataFrame({'a':[2,2]},index=['w','x']))",
        "df.clip(lib.Series({'a':np.nan,'b':5,'c':1}),axis=1)",
    ],
)
def test_clip_by_lists_series_and_frames(statement):
    agree(statement, df=THREE_COLUMNS, kept=["a", "c"])


@pytest.mark.parametrize(
    "code", ["a.clip(upper={1: 2})", "a.clip(upper={1, 2})", "a.to_frame().clip(upper={1: 2}, axis=0)"]
)
def test_limits_that_are_no_column_are_named(code):
    with pytest.raises(TypeError, match="`upper`: a column needs a sequence"):
        eval(code, {"a": cuprum.Series([1.0, 2.0, 3.0])})


def test_clip_refuses_lists_of_other_lengths():
    agree(
        "df.clip([1,2],axis=1)",
        refused=(ValueError, "`lower` has 2 elements for 3 columns"),
        df=THREE_COLUMNS,
    )


@given(frames(i="int", j="int", f="float?", max_rows=9, min_rows=1))
def test_clip_of_any_frames(f):
    agree("df[['i', 'j']].clip(df.j, axis=0)", df=f)
    agree("df.f.clip(df.i, df.i + 1)", df=f)


WITH_TRUTHS = THREE_COLUMNS.assign(t=[True, False, True, True])


@pytest.mark.parametrize(
    "statement",
    ["df.clip(0, 1)", "df.clip(lower=1)", "df.clip(upper=0)", "df.clip(0.5, 1.5)", "df.clip(0, None)"]
    + ["df.t.clip(0, 1)", "df.t.clip(lower=1)", "df[['t']].clip(upper=0)", "df.t.clip(lower=True)"],
)
def test_clip_of_truth_values_beside_numbers(statement):
    agree(statement, df=WITH_TRUTHS)
