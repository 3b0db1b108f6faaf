"""Frames and series of a few rows that tests of several files share."""

from typing import Any

import numpy as np
import pandas as pd

ANIMALS = pd.DataFrame({"one": [1, 4], "two": [2, 5]}, index=["mouse", "rabbit"])

BELOW_TWO_LABELS = pd.DataFrame(
    [[1, 2, 3], [4, 5, 6]],
    columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "x")], names=["o", "i"]),
)

CROSSED = pd.DataFrame(
    {"v": range(8), "w": list("abcdefgh")},
    index=pd.MultiIndex.from_product([["a", "b"], [1, 2], ["x", "y"]], names=["k", "n", None]),
)

FLOATS = pd.DataFrame({"a": [1.0, 2.0, 4.0, 8.0], "b": [3.0, 1.0, 2.0, 0.5]})

FOUR_ROWS = pd.DataFrame({"a": [3, 1, 2, 1], "b": [1.5, np.nan, 2.5, -0.5]})

GAPS_OF_EVERY_TYPE = pd.DataFrame(
    {
        "k": ["x", "y", "x", None, "x", "y", "x", "y"],
        "a": [1.0, np.nan, np.nan, 4.0, np.nan, np.nan, np.nan, 8.0],
        "b": [np.nan, np.nan, 3.0, np.nan, np.nan, 6.0, np.nan, np.nan],
        "t": ["p", None, None, "q", None, None, None, "r"],
        "d": pd.to_datetime(["2020-01-01", None, None, "2020-01-04", None, None, None, None]),
        "i": range(8),
    }
)

LABELLED = pd.DataFrame(
    {"i": range(6), "f": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], "s": list("uvwxyz")}, index=list("abcdef")
)

MIXED = pd.DataFrame(
    {"a": [7, 8, -9], "f": [1.5, None, 3.25], "b": [True, False, True], "w": ["foo 12", None, "Bar"]},
    index=list("xyz"),
)

ROWS = pd.DataFrame(
    {"v": [1, 2, 3]}, index=pd.MultiIndex.from_tuples([("x", 1), ("y", 2), ("z", 3)], names=["k", "n"])
)

SIZES = pd.DataFrame(
    {
        "g": pd.Categorical(["b", "a", "b", "c"], categories=["c", "b", "a", "z"]),
        "o": pd.Categorical(["lo", "hi", "mid", "lo"], categories=["lo", "mid", "hi"], ordered=True),
        "k": list("xyxy"),
        "t": [True, False, True, True],
        "v": [1, 2, 3, 4],
    }
)

SOLD = pd.DataFrame(
    {
        "k": ["a", "a", "b", "b", "a", "c"],
        "l": ["x", "y", "x", "x", "y", "z"],
        "m": [1, 1, 2, 2, 1, 2],
        "v": [1.0, 2, 3, 4, 5, 6],
        "w": [1, 2, 3, 4, 5, 6],
    }
)

SOME_MISSING = pd.DataFrame(
    {
        "k": [1, 1, 2, 2, 3],
        "v": [1.0, None, 3.0, 5.0, None],
        "n": [1, 2, 3, 4, 5],
        "s": ["a", None, "b", "c", "d"],
        "t": pd.to_datetime(["2013-01-01", None, "2013-01-03", "2013-01-02", "2013-01-09"]),
    }
)

THREE_COLUMNS = pd.DataFrame(
    {"a": [1, 2, 4, 3], "b": [1.5, np.nan, 3, -1], "c": [5, 1, 0, 2]}, index=list("wxyz")
)

THREE_KEYS = pd.DataFrame(
    {"a": [1, 2, 3, 4, 5], "b": [1.0, 2, 3, 4, 5]},
    index=pd.MultiIndex.from_tuples(
        [("x", 1, "p"), ("x", 1, "q"), ("x", 2, "p"), ("y", 1, "p"), ("y", 2, "q")], names=["k", "n", "t"]
    ),
)

TIMES_AND_LENGTHS = pd.DataFrame(
    {
        "t": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-01"]),
        "é": ["ü", "ü", "ö"],
        "d": pd.to_timedelta([1, 2, 3], unit="s"),
    }
)

TWO_FRAMES = {
    "a": pd.DataFrame({"id": [1, 2, 2], "v": [1.5, 2.5, 3.5]}),
    "b": pd.DataFrame({"id": [2, 3, 2], "v": [10, 20, 30]}),
}

TWO_GROUPS = pd.DataFrame({"k": list("abab"), "v": [1.0, 2.0, 9.0, np.nan], "w": [np.nan, 1.0, 2.0, 3.0]})

TWO_LEVELS = pd.DataFrame(
    {"v": [1, 2, 3], "w": [1.5, 2.5, 3.5]},
    index=pd.MultiIndex.from_tuples([("b", 1), ("a", 2), ("b", 2)], names=["k", "l"]),
)

UNDER_INTEGERS = pd.DataFrame({"a": [3, 1, 2, 1], "b": [1.5, 2.0, 2.5, -0.5]}, index=[10, 5, 7, 1])

UNDER_TEXTS = pd.DataFrame({"a": [1, 2, 4], "b": [1.5, np.nan, 3]}, index=list("xyz"))


def daily_floats(lib: Any) -> Any:
    """Floats under three days."""
    return lib.DataFrame({"a": [1.0, 2, 3], "b": [3.0, 2, 1]}, index=pd.date_range("2000", periods=3))


def frame_after(statement):
    """A function of ``lib`` and frames that runs a statement and gives the frame ``df`` back."""

    def change(lib, **frames):
        names = {"lib": lib, "np": np, **frames}
        exec(statement, names)
        return names["df"]

    return change


def half_days_by_letter(lib: Any) -> Any:
    """Half days by letters."""
    times = pd.date_range("2016-01-01", "2016-01-03", freq="12h")
    return lib.DataFrame({"c": range(15)}, index=lib.MultiIndex.from_product([times, list("abc")]))


def keyed_times(lib: Any) -> Any:
    """Times, floats and truth values of two groups."""
    times = pd.date_range("2020", periods=4)
    return lib.DataFrame(
        {"g": [1, 2, 1, 2], "t": times, "v": [1.0, 2.0, 3.0, 4.0], "b": [True, False, True, True]}
    )


def times_and_durations(lib: Any) -> Any:
    """Times, instants, durations and integers."""
    return lib.DataFrame(
        {
            "t": pd.date_range("2000", periods=3),
            "z": pd.date_range("2000", periods=3, tz="Asia/Tokyo"),
            "d": pd.timedelta_range("1D", periods=3),
            "i": [1, 2, 3],
        }
    )


TWO_NUMBERS = MIXED[["a", "f"]]


def written(lib: Any, where: str, key: Any, value: Any, frame: Any = None) -> Any:
    """A frame after ``loc``, ``iloc`` or ``at`` set a value in it."""
    frame = times_and_durations(lib) if frame is None else frame
    getattr(frame, where)[key] = value
    return frame
