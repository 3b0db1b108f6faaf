"""`str.split`, `rsplit` and `partition`."""

import re
from typing import Any

import pandas as pd
import pytest
from oracle import agree
from small_frames import FLOATS

import cuprum


def test_compiled_patterns_are_split_at_from_the_right_with_regex_alone():
    for text in ("str", object):
        theirs = pd.Series(["a b c", None], dtype=text)
        for lib in (pd, cuprum):
            with pytest.raises(
                TypeError, match="Pattern" if lib is pd else "takes regular expressions with `regex=True`"
            ):
                lib.Series(theirs).str.rsplit(re.compile(" "))
    assert cuprum.Series(["a b c"]).str.rsplit(re.compile(" "), n=1, regex=True).to_list() == [["a b", "c"]]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: lib.Series(["a"]).str.split(expand="no"),
            ValueError,
            "expand must be True or False, not 'no'",
            id="expand of split",
        ),
        pytest.param(
            lambda lib: lib.Series(["a"]).str.extract("(a)", expand=None),
            ValueError,
            "expand must be True or False, not None",
            id="expand of extract",
        ),
    ],
)
def test_expand_is_a_truth_value(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize("texts", [[""], ["", None], [None], [" ", ""], ["a", ""], ["a b", "c"]])
@pytest.mark.parametrize("arguments", [{}, {"pat": ","}, {"n": 1}])
def test_texts_without_parts_make_no_column(texts: list[Any], arguments: dict[str, Any]) -> None:
    for name in ("split", "rsplit"):
        ours, theirs = (
            getattr(lib.Series(texts, dtype="str").str, name)(expand=True, **arguments)
            for lib in (cuprum, pd)
        )
        assert ours.shape == theirs.shape


@pytest.mark.parametrize(
    "code",
    [
        "lib.Series([None, None], dtype='str').str.partition('_')",
        "lib.Series([None, None], index=['x', 'y'], dtype='str').str.rpartition('_')",
        "lib.Series([], dtype='str').str.partition('_').shape",
        "lib.Series([None, 'a_b'], dtype='str').str.partition('_')",
    ],
)
def test_partition_of_missing_texts(code):
    agree(code, df=FLOATS)
