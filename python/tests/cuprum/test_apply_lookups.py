"""Functions of Python that look elements up in dicts: the results and errors of calling them."""

import warnings

import pandas as pd
import pytest
from oracle import assert_like

import cuprum
from cuprum.errors import PerformanceWarning

pytestmark = pytest.mark.usefixtures("each_call_warns")

OF_TEXTS = {"a": 1, "é": -2, "": 2**60, 3: 7}
OF_NUMBERS = {0: "zero", 1: "é", -5: "", 2.5: "half"}
FLOATS = {"a": 0.5, "b": -0.0, "é": 1e300}
FLAGS = {1: True, 2: False}
LARGE = {str(i): i for i in range(100)}
MIXED = {"a": 1, "b": 2.5}

TEXTS = ["a", "é", "", "b", "zz", "a"]
KNOWN = ["a", "é", "", "a"]
NUMBERS = [0, 1, -5, 7, 2, 1]

TRACED = [
    (KNOWN, lambda k: OF_TEXTS[k]),
    (KNOWN, lambda k: OF_TEXTS[k] * 2 - 1),
    (TEXTS, lambda k: OF_TEXTS.get(k, 0)),
    (TEXTS, lambda k: FLOATS.get(k, -1.0)),
    (TEXTS, lambda k: k in OF_TEXTS),
    (TEXTS, lambda k: k not in OF_TEXTS),
    (TEXTS, lambda k: OF_TEXTS[k] if k in OF_TEXTS else len(k)),
    (TEXTS, lambda k: OF_TEXTS.get(k[:1], 9)),
    (TEXTS, lambda k, d=FLOATS: d.get(k, 0.0) + 1),
    (NUMBERS, lambda k: OF_NUMBERS.get(k, "none")),
    (NUMBERS, lambda k: OF_NUMBERS.get(k, "none").upper() + "!"),
    (NUMBERS, lambda k: k in OF_NUMBERS),
    (NUMBERS, lambda k: FLAGS.get(k, False)),
    (NUMBERS, lambda k: FLOATS.get("a", 2.0) * k),
    ([0.0, 2.5, 1.0, None], lambda k: OF_NUMBERS.get(k, "none")),
    (["a", None, "x"], lambda k: OF_TEXTS.get(k, 5)),
]


@pytest.mark.parametrize("case", range(len(TRACED)))
def test_traced(case):
    values, function = TRACED[case]
    with warnings.catch_warnings():
        warnings.simplefilter("error", PerformanceWarning)
        assert_like(cuprum.Series(values).map(function), pd.Series(values).map(function))


CALLED = [
    (TEXTS, lambda k: LARGE.get(k, 0), "a dict of more than 64 keys"),
    (TEXTS, lambda k: MIXED.get(k, 0), "values of different types"),
    (TEXTS, lambda k: len(OF_TEXTS) + len(k), "more than looked in"),
    (NUMBERS, lambda k: OF_NUMBERS.copy().get(k, "none"), "the attribute `copy` of a dict"),
]


@pytest.mark.parametrize("case", range(len(CALLED)))
def test_called(case):
    values, function, why = CALLED[case]
    with pytest.warns(PerformanceWarning, match=why):
        found = cuprum.Series(values).map(function)
    assert_like(found, pd.Series(values).map(function))


def test_a_key_that_is_missing_is_an_error():
    with (
        pytest.warns(PerformanceWarning, match="a key that is not in a dict"),
        pytest.raises(KeyError) as caught,
    ):
        cuprum.Series(TEXTS).map(lambda k: OF_TEXTS[k])
    assert caught.value.args == ("b",)
    assert caught.value.__notes__ == ["in the row 3"]
