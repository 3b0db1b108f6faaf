"""Texts times integers."""

import pandas as pd
import pytest
from oracle import agree

import cuprum


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


def test_texts_that_do_not_fit_memory_are_refused():
    with pytest.raises(OverflowError, match="1 strings of that length do not fit in memory"):
        cuprum.Series(["ab"]) * (2**63 - 1)


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
