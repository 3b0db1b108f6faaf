"""Operations on elements, replacing, filling, times, shapes and formulas, beside pandas, NumPy and Python."""

import datetime as dt
import math
import operator

import numpy as np
import pandas as pd
import pytest

from pylibcuprum import (
    Column,
    DataType,
    Scalar,
    Table,
    TypeId,
    binaryop,
    datetime,
    expressions,
    filling,
    labeling,
    replace,
    reshape,
    table_equality,
    transform,
    transpose,
    unary,
    utilities,
)
from pylibcuprum import round as rounding
from pylibcuprum.binaryop import BinaryOperator
from pylibcuprum.types import NullEquality
from pylibcuprum.unary import UnaryOperator

NAN = math.nan
INT32, INT64, FLOAT64, BOOL, STRING = (
    DataType(t) for t in (TypeId.INT32, TypeId.INT64, TypeId.FLOAT64, TypeId.BOOL8, TypeId.STRING)
)


def column(values, dtype=None):
    return Column.from_iterable_of_py(values, dtype)


def floats(values):
    return column(values, FLOAT64)


def plain(values):
    return ["nan" if isinstance(v, float) and math.isnan(v) else v for v in values]


NUMPY = {"RINT": "rint", "ABS": "abs", "NEGATE": "negative", "ARCTANH": "arctanh"}


@pytest.mark.parametrize(
    "op", [op for op in UnaryOperator if op.name not in ("BIT_COUNT", "BIT_INVERT", "NOT")]
)
def test_unary_operators(op):
    values = [0.25, 2.5, -0.5, None, 0.0, NAN, math.inf]
    with np.errstate(all="ignore"):
        function = getattr(np, NUMPY.get(op.name, op.name.lower()))
        expected = [None if v is None else float(function(v)) for v in values]
    found = unary.unary_operation(floats(values), op).to_pylist()
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert (a is None and b is None) or a == pytest.approx(b, nan_ok=True)


def test_unary_operators_of_integers_and_booleans():
    assert unary.unary_operation(column([1, None, -2]), UnaryOperator.BIT_INVERT).to_pylist() == [-2, None, 1]
    assert unary.unary_operation(column([True, None]), UnaryOperator.NOT).to_pylist() == [False, None]
    with pytest.raises(NotImplementedError, match="BIT_COUNT"):
        unary.unary_operation(column([1]), UnaryOperator.BIT_COUNT)
    with pytest.raises(TypeError):
        unary.unary_operation(column(["a"]), UnaryOperator.SIN)
    with pytest.raises(TypeError, match="`op`"):
        unary.unary_operation(column([1]), 3)


def test_tests_and_casts():
    values = floats([1.5, None, NAN])
    assert unary.is_null(values).to_pylist() == [False, True, False]
    assert unary.is_valid(values).to_pylist() == [True, False, True]
    assert unary.is_nan(values).to_pylist() == [False, False, True]
    assert unary.is_not_nan(values).to_pylist() == [True, True, False]
    assert unary.cast(floats([1.9, None, -1.9]), INT32).to_pylist() == [1, None, -1]
    assert unary.bit_cast(floats([1.0]), INT64).to_pylist() == [0x3FF0000000000000]
    assert unary.is_supported_cast(INT32, FLOAT64) and not unary.is_supported_cast(INT32, STRING)
    assert not unary.is_supported_cast(DataType(TypeId.LIST), INT32)
    with pytest.raises(TypeError, match="strings"):
        unary.cast(column(["1"]), INT32)
    with pytest.raises(ValueError):
        unary.cast(floats([NAN]), INT32)
    with pytest.raises(TypeError):
        unary.is_nan(column([1]))


def c_remainder(a, b):
    return int(math.fmod(a, b))


INTEGERS = {
    "ADD": operator.add,
    "SUB": operator.sub,
    "MUL": operator.mul,
    "DIV": lambda a, b: int(a / b),
    "FLOOR_DIV": operator.floordiv,
    "MOD": c_remainder,
    "PYMOD": operator.mod,
    "PMOD": lambda a, b: (
        c_remainder(c_remainder(a, b) + b, b) if c_remainder(a, b) < 0 else c_remainder(a, b)
    ),
    "BITWISE_AND": operator.and_,
    "BITWISE_OR": operator.or_,
    "BITWISE_XOR": operator.xor,
    "EQUAL": operator.eq,
    "NOT_EQUAL": operator.ne,
    "LESS": operator.lt,
    "GREATER": operator.gt,
    "LESS_EQUAL": operator.le,
    "GREATER_EQUAL": operator.ge,
}


@pytest.mark.parametrize("name", INTEGERS)
def test_binary_operators(name):
    op = BinaryOperator[name]
    left, right = [7, -7, 7, -7, 6, None, 3], [2, 2, -2, -2, 3, 1, None]
    expected = [
        None if a is None or b is None else INTEGERS[name](a, b) for a, b in zip(left, right, strict=True)
    ]
    out = BOOL if isinstance(expected[0], bool) else INT64
    assert binaryop.binary_operation(column(left), column(right), op, out).to_pylist() == expected
    assert binaryop.is_supported_operation(out, INT64, INT64, op)
    one = binaryop.binary_operation(column(left), Scalar.from_py(2), op, out).to_pylist()
    assert one == [None if a is None else INTEGERS[name](a, 2) for a in left]
    other = binaryop.binary_operation(Scalar.from_py(9), column(right), op, out).to_pylist()
    assert other == [None if b is None else INTEGERS[name](9, b) for b in right]


def test_binary_operators_of_nulls_and_floats():
    a, b = column([True, True, False, None, None]), column([True, None, None, False, None])
    of = lambda op: binaryop.binary_operation(a, b, BinaryOperator[op], BOOL).to_pylist()  # noqa: E731
    assert of("LOGICAL_AND") == [True, None, None, None, None]
    assert of("BITWISE_AND") == [True, None, None, None, None]
    assert of("BITWISE_OR") == [True, None, None, None, None]
    assert of("NULL_LOGICAL_AND") == [True, None, False, False, None]
    assert of("LOGICAL_OR") == [True, None, None, None, None]
    assert of("NULL_LOGICAL_OR") == [True, True, None, None, None]
    assert of("NULL_EQUALS") == [True, False, False, False, True]
    assert of("NULL_NOT_EQUALS") == [False, True, True, True, False]
    x, y = floats([1.0, None, 4.0, None]), floats([2.0, 5.0, None, None])
    for op, expected in (("NULL_MAX", [2.0, 5.0, 4.0, None]), ("NULL_MIN", [1.0, 5.0, 4.0, None])):
        assert binaryop.binary_operation(x, y, BinaryOperator[op], FLOAT64).to_pylist() == expected
    logs = binaryop.binary_operation(floats([8.0]), Scalar.from_py(2.0), BinaryOperator.LOG_BASE, FLOAT64)
    assert logs.to_pylist() == pytest.approx([3.0])
    quotients = binaryop.binary_operation(column([1]), column([4]), BinaryOperator.TRUE_DIV, FLOAT64)
    assert quotients.to_pylist() == [0.25]
    for op in ("INT_POW", "SHIFT_LEFT", "GENERIC_BINARY", "INVALID_BINARY"):
        assert not binaryop.is_supported_operation(FLOAT64, FLOAT64, FLOAT64, BinaryOperator[op])
        with pytest.raises(TypeError, match=op):
            binaryop.binary_operation(x, y, BinaryOperator[op], FLOAT64)
    with pytest.raises(ValueError, match="scalars"):
        binaryop.binary_operation(Scalar.from_py(1), Scalar.from_py(1), BinaryOperator.ADD, INT64)
    with pytest.raises(TypeError):
        binaryop.binary_operation(x, column(["a"] * 4), BinaryOperator.ADD, FLOAT64)


def test_rounding():
    methods = rounding.RoundingMethod
    values = [0.5, 1.5, -2.5, None, NAN, 2.4]
    assert plain(rounding.round(floats(values)).to_pylist()) == [1.0, 2.0, -3.0, None, "nan", 2.0]
    even = rounding.round(floats(values), 0, methods.HALF_EVEN)
    assert plain(even.to_pylist()) == [0.0, 2.0, -2.0, None, "nan", 2.0]
    assert rounding.round(column([15, 25, -25]), -1).to_pylist() == [20, 30, -30]
    assert rounding.round(floats([1.255]), 1).to_pylist() == [1.3]
    import decimal

    decimals = column([decimal.Decimal("1.25"), decimal.Decimal("-1.25")], DataType(TypeId.DECIMAL64, -2))
    up = rounding.round_decimal(decimals, 1)
    assert [str(v) for v in up.to_pylist()] == ["1.3", "-1.3"]
    with pytest.raises(TypeError):
        rounding.round_decimal(floats([1.0]))
    with pytest.raises(TypeError):
        rounding.round(column(["a"]))


def test_replacing():
    values = floats([NAN, None, 2.0, None])
    assert plain(replace.replace_nulls(values, Scalar.from_py(0.0)).to_pylist()) == ["nan", 0.0, 2.0, 0.0]
    policies = replace.ReplacePolicy
    assert plain(replace.replace_nulls(values, policies.PRECEDING).to_pylist()) == ["nan", "nan", 2.0, 2.0]
    assert plain(replace.replace_nulls(values, policies.FOLLOWING).to_pylist()) == ["nan", 2.0, 2.0, None]
    found = replace.find_and_replace_all(column([1, None, 2]), column([1, 2]), column([10, 20]))
    assert found.to_pylist() == [10, None, 20]
    low, high = Scalar.from_py(1.0), Scalar.from_py(3.0)
    clamped = replace.clamp(floats([0.0, 2.0, 9.0, None, NAN]), low, high)
    assert plain(clamped.to_pylist()) == [1.0, 2.0, 3.0, None, "nan"]
    other = replace.clamp(floats([0.0, 9.0]), low, high, Scalar.from_py(-1.0), Scalar.from_py(-9.0))
    assert other.to_pylist() == [-1.0, -9.0]
    zeros = replace.normalize_nans_and_zeros(floats([-0.0, NAN, None])).to_pylist()
    assert plain(zeros) == [0.0, "nan", None] and math.copysign(1, zeros[0]) == 1
    with pytest.raises(ValueError, match="inplace"):
        replace.normalize_nans_and_zeros(values, True)
    with pytest.raises(TypeError, match="`lo`"):
        replace.clamp(values, Scalar.from_py(1), high)


def test_filling():
    assert filling.fill(column([1, 2, None, 4]), 1, 3, Scalar.from_py(9)).to_pylist() == [1, 9, 9, 4]
    assert filling.sequence(3, Scalar.from_py(1.5), Scalar.from_py(0.5)).to_pylist() == [1.5, 2.0, 2.5]
    assert filling.sequence(0, Scalar.from_py(1), Scalar.from_py(1)).to_pylist() == []
    table = Table([column(["a", None])])
    assert filling.repeat(table, 2).columns()[0].to_pylist() == ["a", "a", None, None]
    assert filling.repeat(table, column([0, 3])).columns()[0].to_pylist() == [None] * 3
    first = Scalar.from_numpy(np.datetime64("2024-01-31", "s"))
    months = filling.calendrical_month_sequence(3, first, 1).to_arrow().to_pylist()
    assert months == [dt.datetime(2024, 1, 31), dt.datetime(2024, 2, 29), dt.datetime(2024, 3, 31)]
    with pytest.raises(IndexError, match="`end`"):
        filling.fill(column([1]), 0, 2, Scalar.from_py(9))
    with pytest.raises(ValueError, match="counts"):
        filling.repeat(table, column([1, -1]))
    with pytest.raises(ValueError, match="counts"):
        filling.repeat(table, column([1, None]))
    with pytest.raises(TypeError, match="step"):
        filling.sequence(3, Scalar.from_py(1), Scalar.from_py(0.5))


TIMES = pd.to_datetime(
    ["2024-02-29 23:59:59.123456789", None, "1969-12-31 00:00:01.5", "2000-12-31 12:30:00"],
    format="ISO8601",
).astype("datetime64[ns]")


def times():
    return Column.from_arrow(__import__("pyarrow").array(TIMES))


PARTS = {
    "YEAR": "year",
    "MONTH": "month",
    "DAY": "day",
    "HOUR": "hour",
    "MINUTE": "minute",
    "SECOND": "second",
}


def test_parts_of_times():
    def expected(values):
        return [None if v != v else int(v) for v in values]

    of = lambda part: datetime.extract_datetime_component(times(), datetime.DatetimeComponent[part])  # noqa: E731
    for part, name in PARTS.items():
        assert of(part).to_pylist() == expected(getattr(TIMES, name))
    assert of("WEEKDAY").to_pylist() == expected(TIMES.day_of_week + 1)
    assert of("MILLISECOND").to_pylist() == [123, None, 500, 0]
    assert of("MICROSECOND").to_pylist() == [456, None, 0, 0]
    assert of("NANOSECOND").to_pylist() == [789, None, 0, 0]
    assert datetime.day_of_year(times()).to_pylist() == expected(TIMES.day_of_year)
    assert datetime.extract_quarter(times()).to_pylist() == expected(TIMES.quarter)
    assert datetime.days_in_month(times()).to_pylist() == expected(TIMES.days_in_month)
    assert datetime.is_leap_year(times()).to_pylist() == [True, None, False, True]
    last = datetime.last_day_of_month(times())
    assert last.type() == DataType(TypeId.TIMESTAMP_DAYS)
    assert last.to_arrow().to_pylist() == [
        dt.date(2024, 2, 29),
        None,
        dt.date(1969, 12, 31),
        dt.date(2000, 12, 31),
    ]
    with pytest.raises(TypeError):
        datetime.day_of_year(column([1]))


@pytest.mark.parametrize("unit", datetime.RoundingFrequency)
@pytest.mark.parametrize("how", ["ceil", "floor", "round"])
def test_rounded_times(how, unit):
    name = {"DAY": "D", "HOUR": "h", "MINUTE": "min", "SECOND": "s", "MILLISECOND": "ms", "MICROSECOND": "us"}
    expected = getattr(TIMES, how)(name.get(unit.name, "ns"))
    found = getattr(datetime, f"{how}_datetimes")(times(), unit)
    assert found.to_arrow().cast("int64").to_pylist() == [None if t is pd.NaT else t.value for t in expected]


def test_later_months():
    for months in (column([1, 1, -2, 12]), Scalar.from_py(1)):
        offsets = months.to_pylist() if isinstance(months, Column) else [1] * 4
        expected = [
            None if t is pd.NaT else (t + pd.DateOffset(months=m)).value
            for t, m in zip(TIMES, offsets, strict=True)
        ]
        found = datetime.add_calendrical_months(times(), months)
        assert found.to_arrow().cast("int64").to_pylist() == expected


def test_shapes():
    table = Table([column([1, None]), column([3, 4])])
    assert reshape.interleave_columns(table).to_pylist() == [1, 3, None, 4]
    assert [c.to_pylist() for c in transpose.transpose(table).columns()] == [[1, 3], [None, 4]]
    assert reshape.tile(table, 2).columns()[0].to_pylist() == [1, None, 1, None]
    with pytest.raises(TypeError):
        transpose.transpose(Table([column([1]), column(["a"])]))
    with pytest.raises(ValueError):
        reshape.interleave_columns(Table([]))
    assert utilities.is_ptds_enabled() is False


def test_encodings_and_equality():
    values = floats([2.0, None, NAN, 2.0, -0.0, 0.0])
    keys, numbers = transform.encode(Table([values]))
    assert plain(keys.columns()[0].to_pylist()) == [0.0, 2.0, "nan", None]
    assert numbers.to_pylist() == [1, 3, 2, 1, 0, 0]
    hot = transform.one_hot_encode(values, floats([2.0, None]))
    assert [c.to_pylist() for c in hot.columns()] == [
        [True, False, False, True, False, False],
        [False, True, False, False, False, False],
    ]
    assert transform.column_nans_to_nulls(values).null_count() == 2
    with pytest.raises(TypeError):
        transform.column_nans_to_nulls(column([1]))
    one, other = Table([floats([NAN, 0.0, None])]), Table([floats([NAN, -0.0, None])])
    assert table_equality.tables_equal(one, other)
    assert not table_equality.tables_equal(one, other, NullEquality.UNEQUAL)
    assert not table_equality.tables_equal(one, Table([floats([NAN, 1.0, None])]))
    assert not table_equality.tables_equal(one, Table([floats([NAN])]))
    assert not table_equality.tables_equal(Table([column([1])]), Table([floats([1.0])]))


def test_bins():
    values = floats([0.0, 1.0, 1.5, 2.0, None, NAN, 9.0])
    yes, no = labeling.Inclusive
    edges = floats([0.0, 1.0]), floats([1.0, 2.0])
    found = labeling.label_bins(values, edges[0], yes, edges[1], no).to_pylist()
    assert found == [0, 1, 1, None, None, None, None]
    assert labeling.label_bins(values, edges[0], no, edges[1], yes).to_pylist() == [
        None,
        0,
        1,
        1,
        None,
        None,
        None,
    ]
    with pytest.raises(ValueError, match="not sorted"):
        labeling.label_bins(values, floats([1.0, 0.0]), yes, edges[1], no)
    with pytest.raises(ValueError, match="left edges"):
        labeling.label_bins(values, floats([1.0]), yes, edges[1], no)
    with pytest.raises(TypeError, match="left_edges"):
        labeling.label_bins(values, column([1, 2]), yes, edges[1], no)


@pytest.mark.parametrize(
    "text",
    [
        "a + 2 * b",
        "a - b",
        "a // 2",
        "a % 3",
        "a ** 2",
        "a < b",
        "not (a == b)",
        "(a < b) and (b > 3)",
        "-1 * a",
        "abs(a)",
        "a & b",
        "~a",
    ],
)
def test_formulas(text):
    a, b = [1, -5, 7], [4, 2, 7]
    formula = expressions.to_expression(text, ("a", "b"))
    found = transform.compute_column(Table([column(a), column(b)]), formula).to_pylist()
    assert found == [eval(text, {"abs": abs}, {"a": x, "b": y}) for x, y in zip(a, b, strict=True)]


def test_formulas_that_are_none():
    for text in ("a +", "c + 1", "a.b", "f(a)", "a if b else a", "1 < a < 2", "a @ b"):
        with pytest.raises(ValueError, match="expr"):
            expressions.to_expression(text, ("a", "b"))
    with pytest.raises(TypeError):
        expressions.Expression()
    reference = expressions.ColumnReference(0)
    with pytest.raises(ValueError, match="operands"):
        expressions.Operation(expressions.ASTOperator.ADD, reference)
    with pytest.raises(ValueError, match="operands"):
        expressions.Operation(expressions.ASTOperator.SIN, reference, reference)
    with pytest.raises(IndexError):
        transform.compute_column(Table([column([1])]), expressions.ColumnReference(4))
    with pytest.raises(ValueError, match="names"):
        transform.compute_column(Table([column([1])]), expressions.ColumnNameReference("a"))
    deep = reference
    with pytest.raises(ValueError, match="deeper"):
        for _ in range(1000):
            deep = expressions.Operation(expressions.ASTOperator.ABS, deep)


SHIFTED = [1, -1, 5, -(2**31), 2**31 - 1, None, 0]
MOVES = [0, 1, 31, 32, 33, 100, -1, None]


@pytest.mark.parametrize("name", ["SHIFT_LEFT", "SHIFT_RIGHT", "SHIFT_RIGHT_UNSIGNED"])
def test_bits_are_shifted(name):
    pairs = [(value, move) for value in SHIFTED for move in MOVES]

    def expected(value, move):
        if value is None or move is None or move < 0:
            return None
        if name == "SHIFT_RIGHT":
            return value >> move
        bits = (value % 2**32) << move if name == "SHIFT_LEFT" else (value % 2**32) >> move
        bits %= 2**32
        return bits - 2**32 if bits >= 2**31 else bits

    left, right = (column(list(values), INT32) for values in zip(*pairs, strict=True))
    got = binaryop.binary_operation(left, right, BinaryOperator[name], INT32)
    assert got.to_pylist() == [expected(*pair) for pair in pairs]
    wide = binaryop.binary_operation(
        column([2**63 - 1, -(2**63)], INT64), Scalar.from_py(63), BinaryOperator[name], INT64
    )
    assert (
        wide.to_pylist()
        == {
            "SHIFT_LEFT": [-(2**63), 0],
            "SHIFT_RIGHT": [0, -1],
            "SHIFT_RIGHT_UNSIGNED": [0, 1],
        }[name]
    )
    with pytest.raises(TypeError, match=name):
        binaryop.binary_operation(floats([1.0]), column([1], INT32), BinaryOperator[name], INT32)


@pytest.mark.parametrize(("name", "function"), [("MOD", np.fmod), ("PMOD", None)])
def test_remainders_of_floats_are_exact(name, function):
    left = [5.5, -5.5, 1e-20, -1e-20, -0.0, 0.0, NAN, math.inf, None, 7.0, -7.0]
    right = [2.0, 2.0, 1.0, 1.0, 3.0, 3.0, 1.0, 2.0, 1.0, -2.5, -2.5]

    def expected(a, b):
        if a is None:
            return None
        with np.errstate(invalid="ignore"):
            rest = float(np.fmod(a, b))
            return float(np.fmod(rest + b, b)) if name == "PMOD" and rest < 0 else rest

    got = binaryop.binary_operation(floats(left), floats(right), BinaryOperator[name], FLOAT64).to_pylist()
    wanted = [expected(a, b) for a, b in zip(left, right, strict=True)]
    assert plain(got) == plain(wanted)
    if function is not None:
        zeros = [math.copysign(1, got[i]) for i in (4, 5)]
        assert zeros == [-1, 1]
    mixed = binaryop.binary_operation(
        column([7, -7], INT64), floats([2.5, 2.5]), BinaryOperator[name], FLOAT64
    )
    assert mixed.to_pylist() == ([2.0, -2.0] if name == "MOD" else [2.0, 0.5])


@pytest.mark.parametrize(
    ("op", "out"),
    [
        (BinaryOperator.EQUAL, INT64),
        (BinaryOperator.NULL_EQUALS, INT64),
        (BinaryOperator.LOGICAL_AND, INT64),
        (BinaryOperator.NULL_LOGICAL_OR, FLOAT64),
        (BinaryOperator.ADD, DataType(TypeId.TIMESTAMP_NANOSECONDS)),
        (BinaryOperator.TRUE_DIV, DataType(TypeId.DURATION_NANOSECONDS)),
        (BinaryOperator.INVALID_BINARY, INT64),
    ],
)
def test_results_of_a_type_that_an_operator_does_not_give(op, out):
    numbers = column([1, 2], INT64)
    assert not binaryop.is_supported_operation(out, INT64, INT64, op)
    with pytest.raises(TypeError, match=op.name):
        binaryop.binary_operation(numbers, numbers, op, out)


def test_angles():
    edges = [0.0, -0.0, 1.0, -1.0, 2.5e-308, -1e308, math.inf, -math.inf, NAN, 0.3, -7.25]
    points = [(y, x) for y in edges for x in edges]
    y, x = (floats(list(values)) for values in zip(*points, strict=True))
    got = binaryop.binary_operation(y, x, BinaryOperator.ATAN2, FLOAT64).to_pylist()
    for (a, b), found in zip(points, got, strict=True):
        wanted = math.atan2(a, b)
        if math.isnan(wanted):
            assert math.isnan(found), (a, b)
        else:
            assert abs(found - wanted) <= 2 * math.ulp(wanted), (a, b)
            assert math.copysign(1, found) == math.copysign(1, wanted), (a, b)
    mixed = binaryop.binary_operation(column([1, None]), floats([1.0, 1.0]), BinaryOperator.ATAN2, FLOAT64)
    assert mixed.to_pylist() == [math.pi / 4, None]
