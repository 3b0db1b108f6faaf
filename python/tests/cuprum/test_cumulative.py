"""`cumsum`, `cumprod`, `cummax` and `cummin` along either axis."""

import pandas as pd
import pytest
from oracle import agree, frames, given
from small_frames import THREE_COLUMNS

import cuprum


@pytest.mark.parametrize("how", ["cummax", "cummin", "cumsum"])
def test_running_texts(how):
    texts = pd.Series(["b", None, "", "ä", "a", "b"], index=list("uvwxyz"))
    agree(f"s.{how}()", s=texts)
    agree(f"s.{how}(skipna=False)", s=texts)
    agree(f"s.iloc[1:4].{how}()", s=texts)
    agree(f"df.{how}()", df=texts.to_frame("a").assign(n=range(6)))


def test_running_products_of_texts_are_refused():
    with pytest.raises(TypeError, match="does not take str"):
        cuprum.Series(["a"]).cumprod()


@pytest.mark.parametrize(
    "statement",
    [
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
    ],
)
def test_running_totals_are_those_of_pandas(statement):
    agree(statement, df=THREE_COLUMNS, kept=["a", "c"])


@given(frames(i="int", j="int", f="float?", max_rows=9, min_rows=1))
def test_running_totals_of_any_frames(f):
    for op in ("cumsum", "cumprod", "cummax", "cummin"):
        agree(f"df[['i', 'f']].{op}(skipna=False)", df=f)
        agree(f"df[['i', 'j']].{op}(axis=1)", df=f)


WITH_TRUTHS = THREE_COLUMNS.assign(t=[True, False, True, True])


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "cummax", "cummin"])
def test_running_totals_of_truth_values_beside_numbers(name):
    agree(f"df.{name}(axis=1)", df=WITH_TRUTHS)
    if name in ("cumsum", "cumprod"):
        agree(f"df.{name}(axis=1, skipna=False)", df=WITH_TRUTHS)
