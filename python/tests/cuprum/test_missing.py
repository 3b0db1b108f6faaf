"""Missing values: null and NaN are one thing here, as in pandas."""

import pandas as pd
import pytest
from oracle import agree, frames, given

import cuprum


@given(frames(i="int?", f="float?", s="str?", t="time?", b="bool?"))
def test_finding_and_dropping(f):
    for code in (
        "df.isna()",
        "df.notna()",
        "df.isnull().sum()",
        "df.count()",
        "df.dropna()",
        "df.dropna(how='all')",
        "df.dropna(subset=['f'])",
        "df.dropna(subset=['s', 't'], how='all')",
        "df.dropna(thresh=4)",
        "df.dropna(ignore_index=True)",
        "df.f.dropna()",
        "df.s.dropna()",
        "df.i.isna().any()",
        "df.isna().any()",
        "lib.isna(df.f)",
        "lib.notna(df)",
    ):
        agree(code, df=f, kept=True)


@given(frames(i="int?", f="float?", s="str?", t="time?"))
def test_filling(f):
    for code in (
        "df[['i', 'f']].fillna(0)",
        "df.f.fillna(-1.5)",
        "df.s.fillna('none')",
        "df.fillna({'i': 7, 's': '日本'})",
        "df.f.fillna(df.i)",
        "df.t.fillna(lib.to_datetime('2020-01-01'))",
        "df.f.ffill()",
        "df.f.bfill()",
        "df.s.ffill()",
        "df.i.bfill()",
        "df.t.ffill()",
    ):
        agree(code, df=f, kept=True)


@pytest.mark.parametrize(
    "expression",
    [
        "df.dropna(axis=1)",
        "df.dropna(axis=1, how='all')",
        "df.isna().sum().sum()",
        "df.f.notnull()",
        "df.f.fillna(value=3)",
        "lib.isna(float('nan'))",
        "lib.isna(None)",
        "lib.isna(1)",
    ],
)
def test_spellings(expression, df):
    agree(expression, df=df)


def test_null_and_nan_are_both_missing():
    import pyarrow as pa

    frame = cuprum.DataFrame.from_arrow(pa.table({"f": [1.0, None, float("nan")]}))
    assert frame["f"].isna().to_pandas().tolist() == [False, True, True]
    assert frame["f"].count() == 1
    assert frame["f"].sum() == 1.0
    assert len(frame.dropna()) == 1
    assert frame["f"].fillna(0).to_pandas().tolist() == [1.0, 0.0, 0.0]
    assert frame.to_arrow()["f"].null_count == 1  # they stay apart in the column


def test_comparisons_are_never_missing():
    s = cuprum.Series([1, None, 3])
    assert (s > 0).to_pandas().tolist() == [True, False, True]
    assert (s != 1).to_pandas().tolist() == [False, True, True]
    assert (~(s > 0)).to_pandas().tolist() == [False, True, False]
    agree("s > 0", s=pd.Series([1.0, None, 3.0]))


def test_fill_of_the_wrong_type():
    with pytest.raises((TypeError, ValueError)):
        cuprum.Series([1, None]).fillna("x")
    with pytest.raises((TypeError, ValueError)):
        cuprum.Series(["a", None]).fillna(3)
