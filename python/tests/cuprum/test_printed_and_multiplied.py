"""What programs of pandas' user guide showed: printed tables, texts times numbers, integers that may be missing."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

FRAME = pd.DataFrame(
    {"A": list("xyxy"), "B": ["one", "two", "three", "one"], "C": [1.0, 20.5, 3, 4], "D": range(4)}
)


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby('A')[['C', 'D']].agg(['sum', 'mean', 'std'])",
        "df.groupby('A').agg({'C': ['min', 'max'], 'D': 'sum'})",
        "df.groupby('A')[['C', 'D']].describe()",
        "df.groupby(['A', 'B']).sum().unstack(fill_value=0)",
        "lib.crosstab(df.A, [df.B, df.D % 2])",
        "df.pivot_table(values=['C', 'D'], index='A', columns='B', aggfunc='sum', fill_value=0)",
        "df.groupby('A')[['D']].agg(['sum', 'count']).reset_index()",
    ],
)
@pytest.mark.parametrize("index", [True, False])
def test_labels_of_several_levels_are_printed_without_a_place_for_a_sign(code, index):
    agree(f"({code}).to_string(index={index})", df=FRAME)
    if index and "describe" not in code:  # which is wider than a line
        agree(f"repr({code})", df=FRAME)


@pytest.mark.parametrize(
    "texts",
    [
        ["1us", "1s"],
        ["1ms", "1s"],
        ["1D", "1s"],
        ["1D", "2D"],
        ["1D", "1ns"],
        ["1 days 06:05:01.00003", "15.5us", None],
    ],
)
def test_lengths_of_time_are_printed_with_as_many_digits_as_one_needs(texts):
    agree(f"repr(lib.Series(lib.to_timedelta({texts})))")


def test_texts_in_lists_are_printed_without_quotes():
    agree("lib.Series(['a_b', 'c']).str.split('_').to_string()")
    agree("lib.Series([[['a'], ['b', 'c']], [[]]]).to_string()")
    agree("repr(lib.DataFrame({'l': [['a', None], [\"it's\"]], 'n': [1, 2]}).iloc[0])")


def test_times_that_describe_have_their_time_of_day():
    agree("s.describe().to_string()", s=pd.Series(pd.date_range("2024-01-01", periods=3)))
    agree(
        "df.describe().to_string()",
        df=pd.DataFrame({"t": pd.date_range("2024-01-01", periods=5), "v": range(5)}),
    )


@pytest.mark.parametrize(
    "code", ["s * 2", "2 * s", "s * n", "n * s", "s * -1", "s * 0", "s.mul(2)", "s * i8"]
)
def test_texts_times_integers_are_repeated(code):
    agree(code, s=pd.Series(["a", "bc", None]), n=pd.Series([2, 0, 1]), i8=pd.Series([1, 2, 3], dtype="int8"))


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("s * 2.0", TypeError, "operator * does not take operands of str and float64"),
        ("s * True", TypeError, "operator * does not take operands of str and bool"),
        ("s * s", TypeError, "operator * does not take operands of str and str"),
        ("s * [True, False]", TypeError, "operator * does not take operands of str and bool"),
        ("s / 2", TypeError, "operator / does not take operands of str and int64"),
        ("s - 1", TypeError, "operator - does not take operands of str and int64"),
    ],
)
def test_texts_times_all_else_are_refused(code, error, text):
    agree(code, refused=(error, text), s=pd.Series(["a", "b"]))


@pytest.mark.parametrize(
    "code", ["s * 2", "2 * s", "s * n", "n * s", "s * -1", "s * (n - 1)", "(s + 'x') * 2"]
)
def test_formulas_repeat_texts_as_series_do(code):
    values = {"s": ["a", "bc", None, ""] * 1500, "n": [2, 0, 1, 3] * 1500}
    frame, rows = cuprum.DataFrame(values), pd.DataFrame(values)
    expected = eval(code, {"s": rows.s, "n": rows.n})
    pd.testing.assert_series_equal(frame.eval(code).to_pandas(), expected, check_names=False)
    sought = expected[1]
    kept = frame.query(f"{code} == '{sought}'").to_pandas()
    pd.testing.assert_frame_equal(kept, rows[(expected == sought).fillna(False)])


def test_formulas_refuse_all_else_times_texts():
    frame = cuprum.DataFrame({"s": ["a"], "n": [2], "f": [1.5], "t": [True]})
    assert frame.eval("'ab' * 2 + 2 * 'c'") == "ababcc"
    for code in ["s * f", "s * t", "s * 2.0", "s * s", "'ab' * n", "n * 'ab'", "s / 2"]:
        with pytest.raises(TypeError, match="does not take operands"):
            frame.eval(code)
    with pytest.raises(TypeError, match="does not take operands"):
        frame.n * "ab"


def test_a_length_of_time_of_text_that_does_not_fit_is_refused():
    with pytest.raises((OverflowError, MemoryError)):
        cuprum.Series(["ab"]) * (2**63 - 1)


@pytest.mark.parametrize("dtype", ["Int64", "Int8", "UInt16", pd.Int32Dtype()])
def test_floats_become_integers_that_may_be_missing(dtype):
    values = [1.0, np.nan, 3.0]
    whole = cuprum.Series(values).astype(dtype)
    theirs = pd.Series(values).astype(dtype)
    assert str(whole.dtype) == str(theirs.dtype).lower()
    assert whole.isna().to_list() == theirs.isna().to_list()
    assert whole.dropna().to_list() == theirs.dropna().to_list()
    frame = cuprum.DataFrame({"a": values, "b": [1, 2, 3]})
    for cast in (frame.astype(dtype), frame.astype({"a": dtype}), frame[["a"]].astype(dtype)):
        assert cast["a"].isna().to_list() == [False, True, False]
        assert cast["a"].dtype == whole.dtype
    assert str(frame.astype({"a": dtype, "b": "float64"})["b"].dtype) == "float64"


@pytest.mark.parametrize("values", [[1.5, 2.0], [1.5, np.nan], [np.inf]])
def test_fractions_are_no_integers_that_may_be_missing(values):
    for lib in (cuprum, pd):
        with pytest.raises((TypeError, OverflowError)):
            lib.Series(values).astype("Int64")
        with pytest.raises((TypeError, OverflowError)):
            lib.DataFrame({"a": values}).astype({"a": "Int64"})
    assert cuprum.Series(values).astype("Int64", errors="ignore").dtype == "float64"
    with pytest.raises(KeyError):
        cuprum.DataFrame({"a": values}).astype({"z": "Int64"})


def test_rows_of_a_span_of_regular_times_stay_regular():
    ts = pd.Series(np.arange(6.0), index=pd.date_range("2024-01-01", periods=6, freq="12h"))
    agree("[s['2024-01-02'], s.loc['2024-01-02'], s['2024'], repr(s['2024-01-02'])]", s=ts)
    agree("[s['2024-01-02'], s.loc['2024-01-03']]", s=ts[::-1])

    def written(lib, s):
        s.loc["2024-01-02"] = -1
        return [s, s.to_frame("v").loc["2024-01-02"]]

    agree(written, s=ts)
