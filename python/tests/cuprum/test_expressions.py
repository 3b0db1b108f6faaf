"""`query` and `eval`: expressions in texts."""

import pandas as pd
import pytest
from oracle import agree, frames, given, ours

MASKS = [
    "i > 1",
    "i > 0 and f < 2",
    "i > 0 & f < 2 | i == -1",
    "not i > 0",
    "~(i > 0) or f >= 0",
    "0 < i <= 2",
    "i + j * 2 > f - 1",
    "i // 2 == j % 2",
    "i ** 2 > 4",
    "-i > 1",
    "i in [1, 2]",
    "i not in [1, 2]",
    "i == [1, 2]",
    "i != [1, 2]",
    "s == 'a' or s in ('b', '@i')",
    "s != 'a'",
    "i > @low",
    "i > @low and s in @words",
    "index > 2",
    "i == j == 0",
]


@pytest.mark.parametrize("text", MASKS)
def test_query(text):
    @given(frames(i="int", j="int", f="float?", s="str?"))
    def check(f):
        def query(lib, df):
            low, words = 0, ["a", "é"]  # noqa: F841
            return df.query(text)

        agree(query, df=f)

    check()


@given(frames(i="int", j="int", f="float?"))
def test_eval(f):
    for text in ("i + j", "i * 2 - f", "i > j", "(i + 1) / (f + 100)", "k = i + j", "i = i * 2"):
        agree(f"df.eval('{text}')", df=f)
    agree("df.query('i > n', local_dict={}) if 'n' in df else df", df=f)
    agree("df.set_index('i').query('i > 1 and j < 2')", df=f)


def test_in_place():
    df = ours(pd.DataFrame({"a": [1, 2, 3]}))
    assert df.query("a > 1", inplace=True) is None
    assert df.a.to_list() == [2, 3]
    assert df.eval("b = a * 10", inplace=True) is None
    assert df.b.to_list() == [20, 30]
    with pytest.raises(ValueError, match="no assignment"):
        df.eval("a + b", inplace=True)
    assert df.query("a > @x", local_dict={"x": 2}).a.to_list() == [3]


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("nope > 1", NameError, "nope"),
        ("a > @nope", NameError, "nope"),
        ("a >", SyntaxError, ""),
        ("(a > 1", SyntaxError, ""),
        ("", SyntaxError, ""),
        ("a > 1; a", SyntaxError, "neither"),
        ("a = b = 1", SyntaxError, "neither"),
        ("import os", SyntaxError, "neither"),
        ("`a` > 1", SyntaxError, ""),
        ("a.sum() > 1", NotImplementedError, r"a\.sum\(\)"),
        ("__import__('os')", NotImplementedError, "@"),
        ("[x for x in a]", NotImplementedError, "@"),
        ("a is None", NotImplementedError, "=="),
        ("a @ a", SyntaxError, ""),
    ],
)
def test_errors(text, error, says):
    with pytest.raises(error, match=says or None):
        ours(pd.DataFrame({"a": [1, 2]})).query(text)
