"""Bytes beside bytes: comparisons and membership, as of pandas' objects."""

import operator

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

VALUES, OTHERS = [b"a", b"b", None, b"", b"\xff"], [b"a", b"c", b"d", None, b"\xfe"]
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]


@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_of_bytes(name):
    function = getattr(operator, name)
    theirs, ours = pd.Series(VALUES, name="n"), cuprum.Series(VALUES, name="n")
    known = theirs.notna() & pd.Series(OTHERS).notna()
    wanted = function(theirs, pd.Series(OTHERS)).where(known, name == "ne").tolist()
    for other in (cuprum.Series(OTHERS), pd.Series(OTHERS), OTHERS, np.array(OTHERS, dtype=object)):
        assert function(ours, other).to_list() == wanted
    assert function(pd.Series(VALUES), cuprum.Series(OTHERS)).to_list() == wanted
    wanted = function(theirs, b"a").where(theirs.notna(), name == "ne").tolist()
    for scalar in (b"a", bytearray(b"a"), np.bytes_(b"a")):
        assert function(ours, scalar).to_list() == wanted
        assert function(ours.to_frame(), scalar)["n"].to_list() == wanted
    assert (
        function(b"a", ours).to_list() == function(b"a", theirs).where(theirs.notna(), name == "ne").tolist()
    )
    assert function(ours, b"a").name == "n" and function(ours, cuprum.Series(OTHERS, name="m")).name is None
    beside = function(ours.to_frame(), cuprum.Series(OTHERS, name="n").to_frame())
    assert beside["n"].to_list() == function(ours, OTHERS).to_list()
    with pytest.raises(ValueError, match="ength"):
        function(ours, [b"a"])


def test_rows_go_by_label():
    left, right = cuprum.Series([b"a", b"b"], index=[1, 2]), cuprum.Series([b"b", b"a"], index=[2, 1])
    assert left.eq(right).to_list() == [True, True]
    with pytest.raises(
        ValueError, match="can only compare identically-labeled Series; align or reset their indexes first"
    ):
        left < right


def test_bytes_equal_nothing_else_and_have_no_order_with_it():
    s = cuprum.Series([b"a", b"b"])
    assert (s == "a").to_list() == [False, False] and (s != 1).to_list() == [True, True]
    for other in ("a", 1, ["a", "b"]):
        with pytest.raises(TypeError):
            s < other


def test_missing_elements_as_in_cudf():
    with cuprum.option_context("mode.pandas_compatible", False):
        assert (cuprum.Series([b"a", None]) == b"a").isna().to_list() == [False, True]


@pytest.mark.parametrize("values", [[b"a"], [b"a", None], [b"", b"q"], ["a"], [], {b"b"}, np.array([b"a"])])
def test_membership(values):
    theirs, ours = pd.Series(VALUES), cuprum.Series(VALUES)
    assert ours.isin(values).to_list() == theirs.isin(values).tolist()
    assert ours.to_frame("n").isin(list(values))["n"].to_list() == theirs.isin(values).tolist()
    assert ours[ours.isin(values)].to_list() == [
        one for one, there in zip(VALUES, theirs.isin(values)) if there
    ]


def test_membership_of_what_has_no_order_is_refused():
    for s in (cuprum.Series([[1], [2]]), cuprum.Series([{"a": 1}])):
        with pytest.raises(NotImplementedError, match="isin"):
            s.isin([s.to_list()[0]])


def test_between():
    assert cuprum.Series([b"a", b"b", b"d"]).between(b"b", b"c").to_list() == [False, True, False]


@pytest.mark.parametrize(
    "code", ["s.str[0]", "s.str[-1]", "s.str.get(1)", "s.str[1:]", "s.str.slice(0, 2)", "s.str[::2]"]
)
def test_bytes_by_position(code):
    agree(code, s=pd.Series([b"abc", b"", b"x"]))
