"""Texts and decimals in operators and formulas on a GPU: nothing goes by way of the host."""

from decimal import Decimal as D

import pandas as pd
import pytest
from oracle import ours

import cuprum

TEXTS = ["", "a", "abcdefgh", None, "abcdefghi", "über die Maßen", "日本語", "ab", "\U0010ffff", "a\0"]


@pytest.fixture(autouse=True)
def without_the_host():
    with cuprum.option_context("fallback", "error"):
        yield


@pytest.fixture
def frame():
    other = [*TEXTS[3:], *TEXTS[:3]]
    return pd.DataFrame(
        {"s": pd.array(TEXTS, dtype="str"), "t": pd.array(other, dtype="str"), "a": range(10)}
    )


OPERATIONS = {
    "equal": lambda d: d["s"] == d["t"],
    "unequal": lambda d: d["s"] != d["t"],
    "less": lambda d: d["s"] < d["t"],
    "at least": lambda d: d["s"] >= d["t"],
    "a literal": lambda d: d["s"] <= "abcdefgh",
    "a literal that is longer": lambda d: d["s"] > "abcdefghij",
    "query": lambda d: d.query("s == 'abcdefgh' or s > t and a > 2"),
    "len": lambda d: d["s"].dropna().str.len(),
    "startswith": lambda d: d["s"].dropna().str.startswith("ab"),
    "endswith": lambda d: d["s"].dropna().str.endswith("i"),
    "contains": lambda d: d["s"].dropna().str.contains("die", regex=False),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_texts_on_devices(frame, operation):
    of = OPERATIONS[operation]
    expected, actual = of(frame), of(ours(frame))
    if isinstance(expected, pd.DataFrame):
        assert actual["a"].to_list() == expected["a"].to_list()
    else:
        assert actual.to_list() == expected.to_list()


def test_decimals():
    left, right = [D("7.50"), D("-7.50"), None, D("0.05")], [D("2.000"), D("2.000"), D("1.000"), D("0.000")]
    d = cuprum.Series(left, dtype=cuprum.Decimal64Dtype(10, 2))
    e = cuprum.Series(right, dtype=cuprum.Decimal32Dtype(8, 3))
    assert (-d).to_list() == [D("-7.50"), D("7.50"), None, D("-0.05")]
    assert (d // e).to_list() == [D(3), D(-4), None, None]
    assert (d % e).to_list() == [D("1.500"), D("0.500"), None, None]
    assert d.round(1).to_list() == [D("7.50"), D("-7.50"), None, D("0.00")]
    frame = cuprum.DataFrame({"d": d, "e": e})
    formula, operations = frame.eval("-d * 2 + e"), -d * 2 + e
    assert formula.to_list() == operations.to_list() and formula.dtype == operations.dtype
    assert frame.eval("d > e").to_list() == (d > e).to_list()
    assert d.astype("float64").dropna().to_list() == [7.5, -7.5, 0.05]
    assert cuprum.Series([1.5, 2.675, -0.0]).astype(cuprum.Decimal64Dtype(10, 2)).to_list() == [
        D("1.50"),
        D("2.67"),
        D("0.00"),
    ]
    with pytest.raises(OverflowError, match="row 1"):
        cuprum.Series([D("1.0"), D("99.9")], dtype=cuprum.Decimal32Dtype(3, 1)).round(0)
