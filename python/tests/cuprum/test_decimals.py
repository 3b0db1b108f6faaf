"""Decimals: exact, or an error. Python's decimals are the oracle."""

import operator
from decimal import Decimal as D
from decimal import localcontext

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuprum as cp

A = [D("1.20"), None, D("-3.05"), D("0.00"), D("7.77")]
B = [D("0.5"), D("1.5"), None, D("2.0"), D("-0.3")]
LEFT = cp.Series(A, dtype=cp.Decimal64Dtype(10, 2), name="d")
RIGHT = cp.Series(B, dtype=cp.Decimal32Dtype(5, 1), name="d")


def rowwise(f, *sides):
    return [None if None in row else f(*row) for row in zip(*sides, strict=True)]


@pytest.mark.parametrize("op", ["add", "sub", "mul"])
def test_arithmetic(op):
    f = getattr(operator, op)
    for other, values in [
        (RIGHT, B),
        (D("2.5"), [D("2.5")] * 5),
        (3, [3] * 5),
        (cp.Series([1, 2, 3, 4, 5]), [*range(1, 6)]),
    ]:
        assert f(LEFT, other).to_list() == rowwise(f, A, values)
        assert f(other, LEFT).to_list() == rowwise(f, values, A)
        assert isinstance(f(LEFT, other).dtype, cp.Decimal64Dtype | cp.Decimal32Dtype | cp.Decimal128Dtype)


def test_types_of_results_are_those_of_cudf():
    for op, precision, scale in [("add", 11, 2), ("sub", 11, 2), ("mul", 16, 3)]:
        dtype = getattr(operator, op)(LEFT, RIGHT).dtype
        assert (dtype.precision, dtype.scale) == (precision, scale)
    assert (LEFT / RIGHT).dtype == cp.Decimal128Dtype(17, 8) or (LEFT / RIGHT).dtype.scale == 8
    assert (LEFT.cumsum().dtype.scale, LEFT.sum()) == (2, D("5.92"))


def test_quotients_are_cut_off():
    actual = (LEFT / RIGHT).to_list()
    for value, exact in zip(actual, rowwise(lambda a, b: a / b, A, B), strict=True):
        assert (value is None) == (exact is None)
        assert value is None or (abs(value) <= abs(exact) and abs(value - exact) < D("1e-7"))
    assert (LEFT / 0).isna().all() and (LEFT / D("0")).isna().all()


@pytest.mark.parametrize("op", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_comparisons(op):
    f = getattr(operator, op)
    missing = op == "ne"
    for other, values in [
        (RIGHT, B),
        (D("1.2"), [D("1.2")] * 5),
        (0, [0] * 5),
        (D("0.001"), [D("0.001")] * 5),
    ]:
        expected = [missing if v is None else v for v in rowwise(f, A, values)]
        assert f(LEFT, other).to_list() == expected
    huge = cp.Series([D("9" * 38), D("-" + "9" * 38)], dtype=cp.Decimal128Dtype(38, 0))
    tiny = cp.Series([D("0." + "0" * 37 + "1")] * 2, dtype=cp.Decimal128Dtype(38, 38))
    assert f(huge, tiny).to_list() == [f(1, 0), f(-1, 0)]


def test_nothing_overflows_silently():
    big = cp.Series([D("9" * 38)], dtype=cp.Decimal128Dtype(38, 0))
    for compute in (
        lambda: big + big,
        lambda: big * 10,
        lambda: big - (-big.to_list()[0]),
        lambda: cp.concat([big] * 20).sum(),
        lambda: cp.concat([big] * 20).cumsum(),
        lambda: big.astype(cp.Decimal64Dtype(18, 0)),
        lambda: big.astype("int64"),
        lambda: cp.Series([1000]).astype(cp.Decimal32Dtype(3, 0)),
        lambda: cp.Series([D("99.95")]).astype(cp.Decimal32Dtype(3, 2)),
        lambda: cp.Series([1e30]).astype(cp.Decimal64Dtype(18, 2)),
    ):
        with pytest.raises(OverflowError):
            compute()
    for refused in (
        lambda: LEFT + 1.5,
        lambda: LEFT // RIGHT,
        lambda: LEFT + "1",
        lambda: LEFT.std(),
        lambda: LEFT.prod(),
        lambda: LEFT + cp.Series([1.5] * 5),
    ):
        with pytest.raises((TypeError, NotImplementedError)):
            refused()


def test_reductions():
    present = [a for a in A if a is not None]
    assert LEFT.sum() == sum(present)
    assert (LEFT.min(), LEFT.max(), LEFT.count(), LEFT.nunique()) == (min(present), max(present), 4, 4)
    assert LEFT.mean() == sum(present) / 4
    running, expected = D(0), []
    for a in A:
        running += a or 0
        expected.append(None if a is None else running)
    assert LEFT.cumsum().to_list() == expected
    assert LEFT.sort_values().to_list() == [*sorted(present), None]
    empty = LEFT.dropna().head(0)
    assert empty.sum() == 0 and pd.isna(empty.max()) and pd.isna(empty.mean())


def test_groups():
    frame = cp.DataFrame({"k": ["x", "y", "x", "y", "z"], "d": LEFT})
    groups = frame.groupby("k").d
    assert groups.sum().to_list() == [D("-1.85"), D("0.00"), D("7.77")]
    assert groups.min().to_list() == [D("-3.05"), D("0.00"), D("7.77")]
    assert groups.max().to_list() == [D("1.20"), D("0.00"), D("7.77")]
    assert groups.mean().to_list() == [D("-0.925"), D("0"), D("7.77")]
    assert groups.count().to_list() == [2, 1, 1]
    assert frame.groupby("k").agg({"d": ["sum", "max"]}).shape == (3, 2)


@pytest.mark.parametrize("dtype", [cp.Decimal64Dtype(10, 2), cp.Decimal128Dtype(30, 2)])
def test_ends_of_groups(dtype):
    frame = cp.DataFrame({"k": ["x", "y", "x", "y", "z"], "d": LEFT.astype(dtype)})
    groups = frame.groupby("k").d
    assert groups.first().to_list() == [D("1.20"), D("0.00"), D("7.77")]
    assert groups.last().to_list() == [D("-3.05"), D("0.00"), D("7.77")]
    assert groups.nunique().to_list() == [2, 1, 1]
    assert groups.first().dtype == dtype


def test_casts():
    assert LEFT.astype("int64").to_list()[2:] == [-3, 0, 7]
    assert LEFT.dropna().astype("float64").to_list() == [1.2, -3.05, 0.0, 7.77]
    assert LEFT.astype("str").to_list()[0] == "1.20" and LEFT.astype("str").isna().sum() == 1
    assert LEFT.dropna().astype("bool").to_list() == [True, True, False, True]
    assert LEFT.astype(cp.Decimal128Dtype(20, 4)).to_list() == A
    assert LEFT.astype(cp.Decimal64Dtype(10, 1)).to_list()[:3:2] == [D("1.2"), D("-3.0")]
    dtype = cp.Decimal64Dtype(12, 3)
    assert cp.Series([1, None, -7]).astype(dtype).to_list() == [D(1), None, D(-7)]
    assert cp.Series([1.5, None, 0.0005]).astype(dtype).to_list() == [D("1.5"), None, D("0.001")]
    assert cp.Series(["1.5", None, " -2e-1"]).astype(dtype).to_list() == [D("1.5"), None, D("-0.2")]
    assert cp.Series([True, False]).astype(dtype).to_list() == [D(1), D(0)]
    for text in ("x", "1.2345", "", "."):
        with pytest.raises(ValueError, match="row 0"):
            cp.Series([text]).astype(dtype)


def test_values_of_other_scales():
    assert LEFT.fillna(D("0.125")).to_list()[1] == D("0.125")
    assert LEFT.fillna(5).to_list()[1] == 5
    assert LEFT.where(LEFT > 0, D("1")).to_list() == [D("1.20"), D(1), D(1), D(1), D("7.77")]
    assert LEFT.isin([D("1.2"), D("7.770")]).to_list() == [True, False, False, False, True]
    assert cp.concat([LEFT, RIGHT]).to_list() == A + B
    with pytest.raises(TypeError):
        LEFT.fillna(0.5)


@given(
    st.lists(st.decimals(-(10**9), 10**9, places=3, allow_nan=False) | st.none(), min_size=1, max_size=8),
    st.decimals(-(10**6), 10**6, places=2),
)
def test_like_pythons_decimals(values, other):
    series = cp.Series(values, dtype=cp.Decimal64Dtype(15, 3))
    with localcontext(prec=60):
        for op in ("add", "sub", "mul", "lt", "eq", "ge"):
            f = getattr(operator, op)
            expected = [
                (None if op in ("add", "sub", "mul") else False) if v is None else f(v, other) for v in values
            ]
            assert f(series, other).to_list() == expected
        assert series.sum() == sum(v for v in values if v is not None)
    assert pa.array(series).to_pylist() == values


def test_places_are_not_rounded_off_silently():
    series = cp.Series([D("1.25"), None])
    with pytest.raises(NotImplementedError, match="round"):
        series.round(1)
    assert series.round(2).to_list()[0] == D("1.25")
