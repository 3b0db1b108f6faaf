"""One element: `at` and `iat`."""

from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest
from oracle import agree

import cuprum


def _frame_of_times(lib: Any) -> Any:
    return lib.DataFrame(
        {
            "t": pd.date_range("2000", periods=3),
            "z": pd.date_range("2000", periods=3, tz="Asia/Tokyo"),
            "d": pd.timedelta_range("1D", periods=3),
            "i": [1, 2, 3],
        }
    )


def _written(lib: Any, where: str, key: Any, value: Any, frame: Any = None) -> Any:
    frame = _frame_of_times(lib) if frame is None else frame
    getattr(frame, where)[key] = value
    return frame


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: _written(lib, "at", ([0, 1], "i"), 9),
            pd.errors.InvalidIndexError,
            ".at-based indexing can only have scalar indexers; use",
            id="at of a list",
        ),
        pytest.param(
            lambda lib: _written(lib, "at", (_frame_of_times(lib)["i"] > 1, "i"), 9),
            pd.errors.InvalidIndexError,
            ".at-based indexing can only have scalar indexers; use",
            id="at of a mask",
        ),
        pytest.param(
            lambda lib: _written(lib, "at", (slice(0, 1), "i"), 9),
            pd.errors.InvalidIndexError,
            ".at-based indexing can only have scalar indexers; use",
            id="at of a slice",
        ),
    ],
)
def test_at_takes_one_label(call, error, text):
    oracle.agree(call, refused=(error, text))


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


LABELLED = pd.DataFrame(
    {"i": range(6), "f": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], "s": list("uvwxyz")}, index=list("abcdef")
)


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
