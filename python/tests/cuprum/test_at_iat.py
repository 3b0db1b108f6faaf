"""One element: `at` and `iat`."""

import sys

import numpy as np
import pandas as pd
import pytest
from oracle import agree
from small_frames import LABELLED, times_and_durations, written

import cuprum


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: written(lib, "at", ([0, 1], "i"), 9),
            pd.errors.InvalidIndexError,
            ".at-based indexing can only have scalar indexers; use",
            id="at of a list",
        ),
        pytest.param(
            lambda lib: written(lib, "at", (times_and_durations(lib)["i"] > 1, "i"), 9),
            pd.errors.InvalidIndexError,
            ".at-based indexing can only have scalar indexers; use",
            id="at of a mask",
        ),
        pytest.param(
            lambda lib: written(lib, "at", (slice(0, 1), "i"), 9),
            pd.errors.InvalidIndexError,
            ".at-based indexing can only have scalar indexers; use",
            id="at of a slice",
            # Slices are hashable since, so that pandas takes one for a label.
            marks=pytest.mark.skipif(sys.version_info >= (3, 12), reason="pandas looks slices up as labels"),
        ),
    ],
)
def test_at_takes_one_label(call, error, text):
    agree(call, refused=(error, text))


SHORT = pd.DataFrame({"a": [1, 2, 3], "b": [0.5, np.nan, -0.0], "k": list("xyz"), "t": [True, False, True]})


@pytest.mark.parametrize(
    "key", [(1, "a"), (1, "b"), (2, "b"), (0, "k"), (1, "t"), (9, "a"), (1, "z"), ("1", "a")]
)
@pytest.mark.parametrize("index", [None, [1, 0, 2], [1, 1, 2]])
def test_at_of_a_frame(key, index):
    def element(lib, df):
        try:
            return [df.at[key]]
        except KeyError:
            return ["KeyError"]

    df = SHORT if index is None else SHORT.set_axis(index)
    if index == [1, 1, 2] and key[0] == 1:
        with pytest.raises(ValueError, match="more than one"):
            cuprum.DataFrame(df).at[1, "a"]
        return
    agree(element, df=df)


@pytest.mark.parametrize(
    "expression",
    [
        "df.at['b', 's']",
        "df.iat[1, 1]",
        "df.i.at['b']",
        "df.i.iat[1]",
    ],
)
def test_at_and_iat_are_one_element(expression):
    agree(expression, df=LABELLED)
