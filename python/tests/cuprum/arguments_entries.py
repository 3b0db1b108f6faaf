"""What the tables of arguments say of a parameter, and the frames they say it of.

An entry is one of these, or a list of them:

* a text, an expression that gives the parameter as a keyword: pandas' result is another one without it,
  and ours is pandas';
* a pair of texts, for a parameter without a default: pandas' results differ, and ours are pandas';
* `refused`: the exception for a value that is not supported, whose message names the parameter;
* `same`: pandas has the parameter and makes no difference of it; neither do we;
* `ours`: a parameter that pandas has not, and what its result is.

Expressions see `FRAMES` by name, ``lib`` (either library), ``np``, `after`, and as ``x`` and ``g`` a frame
and its groups, or a series and its groups, where a table serves both.
"""

import io
import sys
from decimal import Decimal
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pandas as pd

import cuprum

NAN = float("nan")


class refused(NamedTuple):
    code: str
    error: type = NotImplementedError
    says: str | None = None  # where the message names the parameter by other words


class same(NamedTuple):
    code: str
    why: str


class ours(NamedTuple):
    code: str
    expected: str


_TIMES = ["2013-01-01 05:00", None, "1969-12-31 23:59:59", "2000-02-29", "2013-12-31 12:30"]

FRAMES = {
    # A column of every kind.
    "df": pd.DataFrame(
        {
            "k": ["x", "y", "x", "y", "x"],
            "i": [3, -1, 2, 3, 0],
            "f": [1.5, NAN, -2.25, 0.0, 4.0],
            "b": [True, False, True, True, False],
            "s": ["b", "a", None, "é", "ab"],
            "t": pd.to_datetime(_TIMES, format="ISO8601"),
        }
    ),
    # Numbers under texts: a frame, and a series with the same row labels.
    "n": pd.DataFrame({"p": [3.0, NAN, 1.0, 1.0], "q": [2, 5, 4, 4]}, index=list("abcd")),
    "v": pd.Series([3.0, NAN, 1.0, 1.0], index=list("abcd"), name="v"),
    # With other labels than these.
    "n2": pd.DataFrame({"q": [10.0, NAN, 30.0], "r": [1, 2, 3]}, index=list("bcz")),
    "v2": pd.Series([10.0, NAN, 30.0], index=list("bcz"), name="v2"),
    # All there.
    "whole": pd.DataFrame({"p": [3.0, 7.0, 1.0, 2.0], "q": [2.0, 5.0, 4.0, 4.0]}, index=list("abcd")),
    "numbers": pd.Series([3, -1, 2, 3, 0], name="numbers"),
    "flags": pd.Series([True, False, True, False, True], name="flags"),
    "text": pd.Series(["b", "a", None, "Bär", "ab"], name="text"),
    "words": pd.Series(["a_b_c", " x_y ", "", "Z_z", "ab1"], name="words"),
    "times": pd.Series(pd.to_datetime(_TIMES, format="ISO8601"), name="times"),
    "cats": pd.Series(["b", "a", None, "b"], dtype=pd.CategoricalDtype(["c", "b", "a"]), name="cats"),
    "lengths": pd.Series(pd.to_timedelta(["1 days 02:35:00", None, "-00:30:00"]), name="lengths"),
    # Several levels, of rows and of columns.
    "deep": pd.DataFrame(
        {"v": [1, 2, 3, 4]},
        index=pd.MultiIndex.from_tuples([("b", 2), ("a", 2), ("b", 1), ("a", 1)], names=["o", "n"]),
    ),
    "wide": pd.DataFrame(
        [[1, 2], [3, 4]],
        index=pd.Index([7, 8], name="row"),
        columns=pd.MultiIndex.from_tuples([("a", "x"), ("b", "y")]),
    ),
    "left": pd.DataFrame({"k": [1, 2, 2, 4], "x": [1.0, 2.0, 3.0, 4.0], "z": [1, 2, 3, 4]}),
    "right": pd.DataFrame({"k": [2, 4, 5], "y": [20, 40, 50], "z": [2, 9, 5]}),
    # What is known at some times, of several things.
    "quotes": pd.DataFrame({"t": [1, 3, 4, 9], "k": list("abab"), "x": [1.0, 2.0, 3.0, 4.0]}),
    "trades": pd.DataFrame(
        {"t": [2, 3, 4, 7, 8], "k": list("aabba"), "y": [1, 2, 3, 4, 5], "x": [5, 6, 7, 8, 9]}
    ),
    # What was sold: keys, of which some pairs repeat, and values.
    "sold": pd.DataFrame(
        {
            "k": ["b", "a", "b", "a", "a", "c"],
            "l": ["y", "x", "x", "y", "x", "z"],
            "m": [1, 1, 2, 2, 1, 2],
            "v": [1.0, 2.0, 3.0, 4.0, 5.0, 6.5],
            "w": [1, 2, 3, 4, 5, 6],
        }
    ),
    # With marks that CSV has to tell from its own.
    "words_frame": pd.DataFrame({"s": ['a"b', "x,y", "!"]}),
    "letters": pd.Index(["b", "a", "c", "a"], name="letters"),
    "levels": pd.MultiIndex.from_tuples([("b", 2), ("a", 2), ("b", 1)], names=["o", "n"]),
    "days": pd.DatetimeIndex(["2013-01-01 05:30", "2000-02-29 12:10"], name="days"),
    "spans": pd.TimedeltaIndex([86_400_000_000_001, -5], name="spans"),
    "kinds": pd.CategoricalIndex(["b", "a", None], categories=["b", "a", "z"], name="kinds"),
}


def as_cupy(function):
    """What a function returns where NumPy stands for CuPy, unless data are on a GPU, which CuPy needs."""
    if cuprum.get_option("device").startswith("cuda"):
        return function()
    with patch.dict(sys.modules, cupy=np):
        return function()


def after(obj, change):
    """A copy of ``obj`` that ``change`` has been called with."""
    obj = obj.copy()
    change(obj)
    return obj


def written(write):
    """What ``write`` puts into an open file."""
    file = io.StringIO()
    write(file)
    return file.getvalue()


def packed(write):
    """The bytes that ``write`` puts into an open file."""
    file = io.BytesIO()
    write(file)
    return file.getvalue()


def within(context, call):
    """What ``call`` returns in a context."""
    with context:
        return call()


def environment(lib, convert, code):
    """The names that ``code`` uses, for one of the libraries; every frame is a new one."""
    names = {"lib": lib, "np": np, "pd": pd, "io": io, "NAN": NAN}
    names |= {"decimal": Decimal, "after": after, "within": within, "written": written, "packed": packed}
    names |= {"as_cupy": as_cupy}
    for name, frame in FRAMES.items():
        if name in code:
            names[name] = convert(frame.copy())
    return names
