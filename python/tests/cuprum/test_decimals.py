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
def test_comparisons_of_decimals(op):
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
        lambda: LEFT**2,
        lambda: ~LEFT,
        lambda: LEFT + "1",
        lambda: LEFT.std(),
        lambda: LEFT.prod(),
        lambda: LEFT + cp.Series([1.5] * 5),
    ):
        with pytest.raises(TypeError):
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


def test_groups_of_decimals():
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
    assert LEFT.round(1).astype(cp.Decimal64Dtype(10, 1)).to_list()[:3:2] == [D("1.2"), D("-3.0")]
    with pytest.raises(ValueError, match="`round` them first"):
        LEFT.astype(cp.Decimal64Dtype(10, 1))
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
    assert LEFT.fillna(0.5).to_list() == [0.5 if element is None else element for element in LEFT.to_list()]


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


DECIMALS = pd.ArrowDtype(pa.decimal128(10, 2))


def test_signs_and_rounding_like_pandas():
    oracle = pd.Series(A, dtype=DECIMALS)
    for f in (operator.neg, abs, operator.pos):
        assert f(LEFT).to_list() == [None if pd.isna(v) else v for v in f(oracle)]
        assert f(LEFT).dtype == LEFT.dtype and f(LEFT).name == "d"
    for places in (0, 1, 2, 5, -1):
        expected = [None if pd.isna(v) else v for v in oracle.round(places)]
        assert LEFT.round(places).to_list() == expected
        assert LEFT.round(places).dtype == LEFT.dtype
    halves = cp.Series([D("0.25"), D("0.35"), D("-0.25"), D("-0.05")])
    assert halves.round(1).to_list() == [D("0.2"), D("0.4"), D("-0.2"), D("0.0")]
    with pytest.raises(OverflowError, match="digits"):
        cp.Series([D("9.96")], dtype=cp.Decimal32Dtype(3, 2)).round(1)
    frame = cp.DataFrame({"d": LEFT, "x": [1.25] * 5})
    assert (-frame)["d"].to_list() == (-LEFT).to_list() and (-frame)["x"].to_list() == [-1.25] * 5
    assert frame.round(1)["d"].to_list() == LEFT.round(1).to_list()


def test_quotients_rounded_down_like_pandas():
    quotients = pd.Series(A, dtype=DECIMALS) // pd.Series(B, dtype=pd.ArrowDtype(pa.decimal128(5, 1)))
    expected = [None if pd.isna(v) else v for v in quotients]
    assert (LEFT // RIGHT).to_list() == expected == [D(2), None, None, D(0), D(-26)]
    assert (LEFT // RIGHT).dtype.scale == 0 and (LEFT % RIGHT).dtype.scale == 2
    assert (LEFT // 0).isna().all() and (LEFT % D("0.00")).isna().all()
    assert (7 // LEFT).to_list() == [D(5), None, D(-3), None, D(0)]
    with pytest.raises(OverflowError):
        cp.Series([D("9" * 38)], dtype=cp.Decimal128Dtype(38, 0)) // D("0.1")


numbers = st.decimals(-(10**9), 10**9, places=3, allow_nan=False)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=8))
def test_division_with_rest(pairs):
    left = cp.Series([a for a, _ in pairs], dtype=cp.Decimal64Dtype(15, 3))
    right = cp.Series([b for _, b in pairs], dtype=cp.Decimal128Dtype(20, 3))
    with localcontext(prec=80):
        quotients = [None if b == 0 else (a / b).to_integral_value("ROUND_FLOOR") for a, b in pairs]
        rests = [None if q is None else a - q * b for q, (a, b) in zip(quotients, pairs, strict=True)]
    assert (left // right).to_list() == quotients
    assert (left % right).to_list() == rests


def test_a_rest_has_the_sign_of_the_divisor():
    for a, b, rest in [
        ("7.5", "2", "1.5"),
        ("-7.5", "2", "0.5"),
        ("7.5", "-2", "-0.5"),
        ("-7.5", "-2", "-1.5"),
    ]:
        assert (cp.Series([D(a)]) % D(b)).to_list() == [D(rest)]


FORMULAS = [
    "d * 2 + e",
    "-d + abs(e) * d",
    "d // e",
    "d % e - d",
    "(d + e) / 3",
    "d * n + 1",
    "n - d",
    "d > e",
    "(d + e) * 2 <= n",
    "d != e",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_are_the_operations(text):
    frame = cp.DataFrame({"d": LEFT, "e": RIGHT, "n": [1, -2, 3, 4, 5]})
    names = {"d": frame["d"], "e": frame["e"], "n": frame["n"], "abs": abs}
    operations = eval(text, names)
    formula = frame.eval(text)
    assert formula.to_list() == operations.to_list()
    assert formula.dtype == operations.dtype
    assert frame.query("d + e > 1")["n"].to_list() == frame[LEFT + RIGHT > 1]["n"].to_list()


def test_more_digits_than_a_type_has_are_refused():
    most = cp.Series([D(1), D("9" * 38)], dtype=cp.Decimal128Dtype(38, 0))
    with pytest.raises(OverflowError, match="row 1"):
        most + 1
    frame = cp.DataFrame({"d": most})
    with pytest.raises(OverflowError, match="row 1"):
        frame.eval("d + 1")
    assert frame.eval("d - 1").to_list() == [D(0), D("9" * 37 + "8")]


@pytest.mark.parametrize("interpolation", ["lower", "higher", "nearest"])
@pytest.mark.parametrize("q", [0.2, 0.5, 1, [0.5], [0.005, 0.8, 0.03], [0.125, 0.375]])
def test_quantiles_are_elements(q, interpolation):
    values = [D(text) for text in ("244.80", "32.24", "2.22", "98.14", "5.45")]
    theirs = pd.DataFrame({"d": values, "f": [1.0, 2, 3, 4, 5]})
    own = cp.DataFrame(theirs)
    expected, actual = theirs.d.quantile(q, interpolation), own.d.quantile(q, interpolation)
    if isinstance(q, list):
        assert actual.dtype == own.d.dtype
        pd.testing.assert_series_equal(actual.to_pandas(), expected)
        of_frame = own.quantile(q, interpolation=interpolation)
        pd.testing.assert_frame_equal(of_frame.to_pandas(), theirs.quantile(q, interpolation=interpolation))
    else:
        assert actual == expected
    with_missing = cp.Series([*values, None], dtype=own.d.dtype)
    assert with_missing.quantile(0.5, interpolation) == own.d.quantile(0.5, interpolation)
    assert own.d[:0].quantile([0.5], interpolation).isna().all()


def test_quantiles_between_elements_are_refused():
    column = cp.Series([D("1.5"), D("2.5")])
    for interpolation in ("linear", "midpoint"):
        with pytest.raises(TypeError, match=interpolation):
            column.quantile(0.5, interpolation)
    with pytest.raises(ValueError, match="percentiles"):
        column.quantile(1.5, "lower")
