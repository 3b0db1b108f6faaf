"""`cuprum.testing` beside `pandas.testing`: what passes and what fails, for every argument."""

import inspect

import numpy as np
import pandas as pd
import pytest

import cuprum
from cuprum import testing


def categories(order, ordered=False):
    return pd.Categorical(["a", "b"], categories=list(order), ordered=ordered)


def close(size):
    return [1.0, 2.0 + size]


# Pairs that are equal or not by the argument and value beside them, with what else pandas needs.
SERIES = [
    ("check_dtype", False, pd.Series([1, 2]), pd.Series([1.0, 2.0])),
    ("check_index_type", True, pd.Series([1, 2]), pd.Series([1, 2], index=pd.Index([0, 1]))),
    ("check_index_type", False, pd.Series([1], index=pd.Index([0.0])), pd.Series([1], index=pd.Index([0]))),
    ("check_names", False, pd.Series([1], name="a"), pd.Series([1], name="b")),
    ("check_exact", True, pd.Series(close(0)), pd.Series(close(1e-9))),
    ("check_categorical", False, pd.Series(categories("ab")), pd.Series(categories("ab", True))),
    ("check_category_order", False, pd.Series(categories("ab")), pd.Series(categories("ba"))),
    ("rtol", 0.5, pd.Series(close(0)), pd.Series(close(0.5))),
    ("atol", 0.6, pd.Series(close(0)), pd.Series(close(0.5))),
    ("obj", "result", pd.Series([1]), pd.Series([2])),
]
INDEXES = [
    ("exact", True, pd.RangeIndex(2), pd.Index([0, 1])),
    ("exact", False, pd.Index([0, 1]), pd.Index([0.0, 1.0])),
    ("check_names", False, pd.Index([1], name="a"), pd.Index([1], name="b")),
    ("check_exact", False, pd.Index(close(0)), pd.Index(close(1e-9))),
    (
        "check_categorical",
        False,
        pd.CategoricalIndex(categories("ab")),
        pd.CategoricalIndex(categories("ba")),
    ),
    ("check_order", False, pd.Index([1, 2]), pd.Index([2, 1])),
    ("rtol", 0.5, pd.Index(close(0)), pd.Index(close(0.5))),
    ("atol", 0.6, pd.Index(close(0)), pd.Index(close(0.5))),
    ("obj", "labels", pd.Index([1]), pd.Index([2])),
]
FRAMES = [
    (name, value, left.to_frame(), right.to_frame())
    for name, value, left, right in SERIES
    if name not in ("check_names", "check_category_order", "obj")
] + [
    ("check_names", False, pd.DataFrame({"a": [1]}, index=pd.Index([0], name="i")), pd.DataFrame({"a": [1]})),
    ("check_column_type", False, pd.DataFrame([[1]], columns=pd.Index([0.0])), pd.DataFrame([[1]])),
    ("check_like", True, pd.DataFrame({"a": [1], "b": [2]}), pd.DataFrame({"b": [2], "a": [1]})),
    ("obj", "table", pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2]})),
]
# `rtol` and `atol` of labels and of elements in categories say nothing unless the comparison is not exact.
ALONGSIDE = {"assert_index_equal": {"rtol": {"check_exact": False}, "atol": {"check_exact": False}}}
CASES = [
    (function, *case)
    for function, cases in (
        ("assert_series_equal", SERIES),
        ("assert_index_equal", INDEXES),
        ("assert_frame_equal", FRAMES),
    )
    for case in cases
]


def outcome(module, function, left, right, **arguments):
    try:
        getattr(module, function)(left, right, **arguments)
    except AssertionError as error:
        return str(error).partition("\n")[0]
    return "equal"


@pytest.mark.parametrize(("function", "name", "value", "left", "right"), CASES)
def test_assertions_end_as_those_of_pandas(function, name, value, left, right):
    sides = cuprum.from_pandas(left), cuprum.from_pandas(right)
    along = ALONGSIDE.get(function, {}).get(name, {})
    found = []
    for arguments in (along, {**along, name: value}):
        stated = {"exact": "equiv"} if function == "assert_index_equal" else {}
        expected = outcome(pd.testing, function, left, right, **{**stated, **arguments})
        found.append(outcome(testing, function, *sides, **arguments))
        assert (found[-1] == "equal") == (expected == "equal"), (arguments, expected)
    if name == "obj":
        assert value in found[1]
    else:
        assert (found[0] == "equal") != (found[1] == "equal") or name == "check_index_type", found


@pytest.mark.parametrize("function", ["assert_series_equal", "assert_index_equal", "assert_frame_equal"])
def test_every_argument_has_a_case(function):
    arguments = set(inspect.signature(getattr(testing, function)).parameters) - {"left", "right"}
    # There is one class each; pandas drops the order of comparing.
    without_effect = {"check_series_type", "check_frame_type", "by_blocks"}
    assert arguments - without_effect == {name for case, name, *_ in CASES if case == function}


def test_integers_with_a_missing_element_are_no_floats():
    whole = cuprum.Series([1, None], dtype="int64")
    with pytest.raises(AssertionError, match="int64 on the left, float64 on the right"):
        testing.assert_series_equal(whole, whole.astype("float64"))
    with pytest.raises(AssertionError, match="column 'a' differs in its type"):
        testing.assert_frame_equal(whole.to_frame("a"), whole.astype("float64").to_frame("a"))
    testing.assert_series_equal(whole, whole.astype("float64"), check_dtype=False)


@pytest.mark.parametrize("function", ["assert_series_equal", "assert_index_equal", "assert_frame_equal"])
def test_other_kinds_are_named(function):
    with pytest.raises(AssertionError, match="`left` is a list, not a "):
        getattr(testing, function)([1], cuprum.Series([1]))


def test_columns_of_assertions():
    testing.assert_column_equal(cuprum.Series([1, 2], name="a"), cuprum.Series([1, 2], index=[5, 6]))
    testing.assert_column_equal(cuprum.Series([1])._handle.column(), cuprum.Series([1.0]), check_dtype=False)
    with pytest.raises(AssertionError):
        testing.assert_column_equal(cuprum.Series([1]), cuprum.Series([1.0]))
    with pytest.raises(AssertionError, match="these are different"):
        testing.assert_column_equal(cuprum.Series([1]), cuprum.Series([2]), obj="these")
    with pytest.raises(AssertionError, match="`right` is a int"):
        testing.assert_column_equal(cuprum.Series([1]), 1)


EQUAL = [
    (cuprum.Series([1, 2]), pd.Series([1, 2])),
    (pd.DataFrame({"a": [1]}), cuprum.DataFrame({"a": [1]})),
    (cuprum.Index([1]), cuprum.Index([1])),
    (np.array([1.0, np.nan]), np.array([1.0, np.nan])),
    ((1, cuprum.Series([1])), (1, pd.Series([1]))),
    (None, np.nan),
    (pd.NaT, pd.NA),
    ("a", "a"),
]
UNEQUAL = [
    (cuprum.Series([1, 2]), pd.Series([1, 3])),
    (cuprum.Series([1]), cuprum.DataFrame({"a": [1]})),
    (np.array([1, 2]), np.array([1, 3])),
    ((1, 2), [1, 2]),
    ([1, 2], [1]),
    (1, np.nan),
    ("a", "b"),
]


@pytest.mark.parametrize(("left", "right"), EQUAL)
def test_equal(left, right):
    testing.assert_eq(left, right)
    with pytest.raises(AssertionError, match="both are equal"):
        testing.assert_neq(left, right)


@pytest.mark.parametrize(("left", "right"), UNEQUAL)
def test_unequal(left, right):
    testing.assert_neq(left, right)
    with pytest.raises(AssertionError):
        testing.assert_eq(left, right)


def test_arguments_go_to_the_assertion_of_the_kind():
    testing.assert_eq(cuprum.Series([1]), pd.Series([1.0]), check_dtype=False)
    with pytest.raises(TypeError, match="assert_eq of a int takes no 'check_dtype'"):
        testing.assert_eq(1, 1, check_dtype=False)
