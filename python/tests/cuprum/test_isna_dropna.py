"""`isna`, `notna` and `dropna`: null and NaN are one thing here, as in pandas."""

import numpy as np
import pytest
from oracle import SMALL, agree, frames, given

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
        agree(code, df=f, kept=["b", "i"])


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
def test_spellings_of_isna_and_dropna(expression, df):
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


def test_dropna_refuses_what_is_no_truth_value():
    agree(
        "s.to_frame().dropna(inplace=1)",
        refused=(ValueError, 'For argument "inplace" expected type bool, received type'),
        **SMALL,
    )


def test_dropna_of_columns_of_one_label() -> None:
    agree("twice[twice > 2].dropna(how='all')", **SMALL)


def test_missing_elements_of_arrays_of_two_axes():
    array = np.array([[1.0, np.nan], [np.nan, 2.0]])
    assert cuprum.isna(array).tolist() == [[False, True], [True, False]]
    assert cuprum.notna(array).tolist() == [[True, False], [False, True]]
