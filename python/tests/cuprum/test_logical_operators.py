"""`&`, `|`, `^`, `~` and NumPy's logical functions."""

import operator

import numpy as np
import pandas as pd
import pytest
from oracle import agree, assert_like, frames, given, ours
from small_frames import daily_floats

import cuprum
import cuprum as cp

TRUTHS_OF_ROWS = [True, False, True, False]


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda lib: lib.Series(TRUTHS_OF_ROWS) | pd.NA, id="logic with NA"),
        pytest.param(lambda lib: pd.NA | lib.Series(TRUTHS_OF_ROWS), id="NA or"),
        pytest.param(lambda lib: lib.Series(TRUTHS_OF_ROWS, name="a") ^ pd.NA, id="exclusive with NA"),
        pytest.param(lambda lib: lib.Series(TRUTHS_OF_ROWS) & pd.NA, id="and NA"),
        pytest.param(lambda lib: lib.Series([1, 2]) | pd.NA, id="integers and NA"),
        pytest.param(lambda lib: lib.DataFrame({"a": TRUTHS_OF_ROWS}) | pd.NA, id="a frame or NA"),
    ],
)
def test_na_in_logic_is_that_of_pandas(call):
    agree(call)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: lib.Series(TRUTHS_OF_ROWS) | None,
            TypeError,
            "unsupported operand type(s) for |: 'Series' and 'NoneType'",
            id="or None",
        ),
        pytest.param(
            lambda lib: lib.Series(TRUTHS_OF_ROWS) | np.nan,
            TypeError,
            "operator | does not take operands of bool and float64",
            id="or NaN",
        ),
    ],
)
def test_none_and_nan_in_logic_are_refused(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: lib.Series([True, False]) & [True, True],
            TypeError,
            "'&' takes no list, which has no dtype: wrap it in a",
            id="and a list",
        ),
        pytest.param(
            lambda lib: (True, True) | lib.Series([True, False]),
            TypeError,
            "'|' takes no tuple, which has no dtype: wrap it in a",
            id="a tuple or",
        ),
        pytest.param(
            lambda lib: lib.Series([True, False]) ^ pd.NaT, TypeError, "'^' takes no NaT", id="xor NaT"
        ),
        pytest.param(
            lambda lib: lib.Series([1, 2]) & pd.NaT, TypeError, "'&' takes no NaT", id="integers and NaT"
        ),
        pytest.param(
            lambda lib: lib.DataFrame({"a": [True]}) | pd.NaT,
            TypeError,
            "'|' takes no NaT",
            id="a frame or NaT",
        ),
    ],
)
def test_lists_and_missing_times_in_logic_are_refused(call, error, text):
    agree(call, refused=(error, text))


DAYS = pd.to_timedelta([1, 2], unit="D")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: np.logical_and(daily_floats(lib).index, True),
            TypeError,
            "Object with dtype datetime64[us] cannot perform the numpy",
            id="logic of labels that are times",
        ),
        pytest.param(
            lambda lib: np.logical_or(lib.Index([True]), np.array([1], "M8[s]")),
            TypeError,
            "Object with dtype datetime64[s] cannot perform the numpy",
            id="logic of labels beside times",
        ),
        pytest.param(
            lambda lib: np.logical_xor(lib.Index(DAYS), lib.Index(DAYS)),
            TypeError,
            "Object with dtype timedelta64[us] cannot perform the",
            id="logic of labels that are durations",
        ),
        pytest.param(
            lambda lib: np.logical_not(daily_floats(lib).index),
            TypeError,
            "Object with dtype datetime64[us] cannot perform the numpy",
            id="not of labels that are times",
        ),
    ],
)
def test_logic_of_times_as_labels_is_refused(call, error, text):
    agree(call, refused=(error, text))


LOGIC = pd.Series([True, False, None, True, False, None, True, False, None])


OTHER = pd.Series([True, True, True, False, False, False, None, None, None])


TWO_TRUTHS = pd.Series([True, False], index=[1, 20])


@pytest.mark.parametrize("op", ["&", "|", "^"])
@pytest.mark.parametrize(
    "pair", ["a, b", "b, a", "a, s", "s, a", "a, True", "a, False", "True, a", "False, a", "s, s"]
)
def test_logic_is_never_missing(op, pair):
    left, right = pair.split(", ")
    code, series = f"{left} {op} {right}", {"a": LOGIC, "b": OTHER, "s": TWO_TRUTHS}
    expected = eval(code, dict(series))
    assert expected.dtype == bool
    assert_like(eval(code, {name: cp.from_pandas(s) for name, s in series.items()}), expected)


@pytest.mark.parametrize("formula", ["a & b", "a | b", "b | a", "~(a > b) | b", "a | True", "True | a"])
def test_logic_of_formulas_is_that_of_operators(formula):
    frame = cp.DataFrame({"a": LOGIC, "b": OTHER})
    expected = eval(formula, {"a": frame["a"], "b": frame["b"]})
    assert frame.eval(formula).to_list() == expected.to_list()


@pytest.mark.parametrize("op", ["&", "|", "^"])
def test_logic_of_frames(op):
    a = pd.DataFrame({"a": [True, False], "b": [True, True]}, index=[0, 1])
    b = pd.DataFrame({"b": [True, True], "c": [True, False]}, index=[1, 2])
    expected = eval(f"a {op} b", {"a": a, "b": b})
    assert_like(eval(f"a {op} b", {"a": cp.from_pandas(a), "b": cp.from_pandas(b)}), expected)


@given(frames(a="bool", b="bool"))
def test_logic_of_any_frames(f):
    for op in "&|^":
        agree(f"df.a {op} df.b", df=f)
        agree(f"df.a {op} True", df=f)
    agree("~df.a", df=f)
    agree("df.a + df.b.astype('int64')", df=f)
    agree("df.a.sum() + (~df.b).sum()", df=f)


TRUTHS = pd.Series([True, False, True])


WHOLE = pd.Series([2, 3, 0])


@pytest.mark.parametrize("op", ["&", "|", "^"])
@pytest.mark.parametrize(
    "pair_of",
    [
        "b {} i",
        "i {} b",
        "b {} 1",
        "1 {} b",
        "b {} 2",
        "i {} True",
        "True {} i",
        "i {} 1",
        "b {} True",
        "b {} s",
        "s {} i",
        "i.to_frame('x') {} True",
        "b.to_frame('x') {} i.to_frame('x')",
    ],
)
def test_logic_of_integers_and_truth_values(op, pair_of):
    agree(pair_of.format(op), b=TRUTHS, i=WHOLE, s=pd.Series([1, -2, 4], dtype="int8"))


_NUMBERS = [
    pd.Series([0.0, 1.5, np.nan]),
    pd.Series([1, 0, 2]),
    pd.Series([True, False, True]),
    pd.DataFrame({"a": [0.0, np.nan, 2.0]}),
]


@pytest.mark.parametrize(
    "function", [np.logical_and, np.logical_or, np.logical_xor], ids=lambda f: f.__name__
)
def test_numbers_are_true_to_logical_functions(function):
    """Also where the operator is one of bits: `np.logical_and(1, 2)` is True, and `1 & 2` is 0."""
    others = [*_NUMBERS[:3], 2, 0, True, np.float64(0), np.array([1, 0, 1])]
    for left in _NUMBERS:
        for right in others[3:-1] if left.ndim == 2 else others:
            expected = function(left, right)
            beside = ours(right) if isinstance(right, pd.Series) else right
            assert_like(function(ours(left), beside), expected)
            assert_like(function(beside, ours(left)), function(right, left))
    assert_like(function(ours(_NUMBERS[3]), ours(_NUMBERS[3])), function(_NUMBERS[3], _NUMBERS[3]))


@pytest.mark.parametrize("number", _NUMBERS, ids=str)
def test_logical_not_of_numbers(number):
    assert_like(np.logical_not(ours(number)), np.logical_not(number))


@pytest.mark.parametrize("name", ["and_", "or_", "xor"])
def test_bits_and_truth_values_of_indexes(name):
    function = getattr(operator, name)
    numbers, steps = pd.Index([1, 2, 4], name="n"), pd.RangeIndex(3, name="n")
    truths = pd.Index([True, False, True])
    flags = np.array([True, True, False])
    for left, right in [
        (numbers, steps),
        (steps, 3),
        (6, numbers),
        (truths, truths[::-1]),
        (truths, flags),
        (flags, truths),
        (np.array([1, 0, 1]), numbers),
        (numbers, pd.Series([1, 0, 1])),
    ]:
        given = [cuprum.from_pandas(x) if isinstance(x, (pd.Index, pd.Series)) else x for x in (left, right)]
        expected = function(left, right)
        made = function(*given)
        assert type(made).__name__ == type(expected).__name__
        assert_like(made, expected)
    with pytest.raises(TypeError):
        function(cuprum.Index(["a"]), cuprum.Index(["a"]))


_ELEMENTS = {
    "a": pd.DataFrame({"x": [1, 5, 0], "y": [2, 2, 9]}),
    "turned": pd.DataFrame({"y": [7, 1, 4], "x": [3, 3, 8]}, index=[2, 1, 3]),
    "f": pd.DataFrame({"x": [1.5, None, 0], "y": [1.0, 2, 3]}),
    "b": pd.DataFrame({"x": [True, False, True], "y": [True, True, False]}),
}


@pytest.mark.parametrize("subject", ["a", "f", "b", "a.x", "f.x", "b.x"])
def test_logical_functions_take_numbers_that_are_not_zero_as_true(subject):
    own = {name: cuprum.from_pandas(frame) for name, frame in _ELEMENTS.items()}
    expected, actual = np.logical_not(eval(subject, _ELEMENTS.copy())), np.logical_not(eval(subject, own))
    assert (actual.to_pandas() == expected).all(axis=None)
    assert str(actual.dtypes) == str(expected.dtypes)


def test_logic_of_times_and_functions_of_frames_and_series_are_refused():
    times = pd.DataFrame({"t": pd.to_datetime(["2020-01-01"])})
    for one in (times, cuprum.from_pandas(times)):
        for operands in ((one, one), (one.t, one.t), (one.t, True)):
            with pytest.raises(TypeError, match="cannot perform the numpy op logical_and"):
                np.logical_and(*operands)
    for lib_frame in (_ELEMENTS["a"], cuprum.from_pandas(_ELEMENTS["a"])):
        with pytest.raises(NotImplementedError):
            np.maximum(lib_frame, lib_frame.x)


@pytest.mark.parametrize(
    "code", ["i + None", "None * f", "b & None", "i.to_frame('x') + None", "~f", "~f.to_frame('x')"]
)
def test_none_and_floats_are_no_operands_of_logic(code):
    series = {"i": WHOLE, "f": pd.Series([1.0, 0.0]), "b": TRUTHS}
    for convert in (lambda s: s, cuprum.Series):
        with pytest.raises(TypeError):
            eval(code, {name: convert(s) for name, s in series.items()})
