"""`shift`, `diff` and `pct_change`."""

import pandas as pd
import pytest
from oracle import SMALL, agree, frames, given
from small_frames import FLOATS, THREE_COLUMNS

import cuprum


def test_differences_of_truth_values():
    assert cuprum.Series([True, False, False]).diff().to_list()[1:] == [True, False]


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("df.diff(1.5)", ValueError, "periods must be an integer, not 1.5"),
        ("df['a'].diff('1')", ValueError, "periods must be an integer, not '1'"),
    ],
)
def test_diff_takes_a_whole_number_of_periods(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


@pytest.mark.parametrize(
    "code",
    [
        "df.set_axis(lib.to_datetime(['2020-01-03', '2020-01-01', '2020-01-02', '2020-01-04'])).shift([0, 1], freq='D')",
        "df['a'].set_axis(lib.date_range('2020-01-01', periods=4)).pct_change(freq='2D')",
    ],
)
def test_shift_and_changes_by_a_frequency(code):
    agree(code, df=FLOATS)


def test_changes_between_columns():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [2.0, None, 9], "c": [4, 4, 4]})
    for code in (
        "df.pct_change(axis=1)",
        "df.pct_change(2, axis='columns')",
        "df.pct_change(-1, fill_method=None)",
    ):
        agree(code, df=frame)


@pytest.mark.parametrize(
    "statement",
    [
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
    ],
)
def test_shift_and_diff_along_either_axis(statement):
    agree(statement, df=THREE_COLUMNS, kept=["a", "c"])


@pytest.mark.parametrize(
    ("statement", "error", "text"),
    [
        ("df.shift(1,suffix='q')", ValueError, "Cannot specify `suffix` if `periods` is an int"),
        ("df.shift([])", ValueError, "If `periods` is an iterable, it cannot be empty"),
        ("df.shift([1],axis=1)", ValueError, "If `periods` contains multiple shifts, `axis` cannot be 1"),
        ("df.shift(['a'])", TypeError, "Periods must be integer, but a is <class 'str'>"),
    ],
)
def test_shift_refuses_what_pandas_refuses(statement, error, text):
    agree(statement, refused=(error, text), df=THREE_COLUMNS)


@given(frames(i="int", j="int", f="float?", max_rows=9, min_rows=1))
def test_shift_and_diff_of_any_frames(f):
    for periods in (1, -1, 2):
        agree(f"df.shift({periods}, axis=1)", df=f, kept=...)
        agree(f"df[['i', 'j']].diff({periods}, axis=1)", df=f, kept=...)
    agree("df.shift([0, 1])", df=f, kept=...)
