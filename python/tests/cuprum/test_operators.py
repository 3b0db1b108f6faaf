"""Arithmetic, comparison and logical operators, with alignment."""

import operator

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, assert_like, frames, given, ours, pair
from small_frames import MIXED, THREE_COLUMNS, TWO_NUMBERS

import cuprum
import cuprum as cp

ARITHMETIC = ["+", "-", "*", "/", "//", "%"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]


@pytest.mark.parametrize("op", ARITHMETIC + COMPARISONS)
@given(frames(i="int?", j="int?", f="float?", g="float?"))
def test_columns_and_scalars(op, f):
    if op in ("//", "%"):  # what dividing missing integers by zero gives differs, see below
        f = type(f)(f.ours[["f", "g"]], f.theirs[["f", "g"]])
        pairs = [("df.f", "df.g"), ("df.f", "2"), ("7.5", "df.f"), ("df.f", "-1.5")]
    else:
        pairs = [
            ("df.i", "df.j"),
            ("df.i", "df.f"),
            ("df.f", "df.g"),
            ("df.i", "2"),
            ("2", "df.f"),
            ("df.f", "-1.5"),
        ]
    for a, b in pairs:
        agree(f"{a} {op} {b}", df=f)


@pytest.mark.parametrize("op", ["//", "%"])
@given(frames(i="int", j="int32", f="float?"), st.sampled_from([-3, -1, 1, 2, 7]))
def test_floor_division_of_integers(op, f, divisor):
    agree(f"df.i {op} {divisor}", df=f)
    agree(f"df.j {op} {divisor}", df=f)
    agree(f"df.i {op} df.f", df=f)
    agree(f"df.i {op} df.j.replace(0, 2)", df=f)


@given(frames(i="int", j="int"))
def test_powers(f):
    agree("df.i ** 2", df=f)
    agree("df.i ** 0.5", df=f)
    agree("df.i.astype('float64') ** df.j", df=f)
    agree("2 ** df.j.abs()", df=f)


@pytest.mark.parametrize("exponent", [0.5, -1, -1.0, 1.0, 0.0, 2.0])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8", "uint16"])
@pytest.mark.parametrize("way", ["x ** e", "x.pow(e)", "x.to_frame().eval('x ** {e}')"])
def test_powers_by_one_number_to_the_bit(dtype, exponent, way):
    values = [4, 3, 0, 1, 7, 100]
    if dtype.startswith("f"):
        values += [-0.0, -2.5, np.inf, -np.inf, np.nan, 5e-30, 1e30, *np.random.default_rng(1).random(500)]
    values = np.array(values).astype(dtype)

    def power(lib):
        return eval(way.replace("{e}", str(exponent)), {"x": lib.Series(values, name="x"), "e": exponent})

    if exponent == -1 and type(exponent) is int and not dtype.startswith("f"):
        with pytest.raises((ValueError, OverflowError), match=r"negative integer power|-1 does not fit"):
            power(cuprum)
        return
    with np.errstate(all="ignore"):
        expected = power(pd).to_numpy()
    found = power(cuprum).to_numpy()
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    there = ~np.isnan(found)
    np.testing.assert_array_equal(np.signbit(found[there]), np.signbit(expected[there]))


@given(frames(s="str?", t="str?"))
def test_text(f):
    for op in COMPARISONS:
        agree(f"df.s {op} df.t", df=f)
        agree(f"df.s {op} 'b'", df=f)
    agree("df.s + df.t", df=f)
    agree("df.s + '!'", df=f)
    agree("'<' + df.s", df=f)


@given(frames(s="time?", t="time?"))
def test_times_of_operators(f):
    for op in COMPARISONS:
        agree(f"df.s {op} df.t", df=f)
        agree(f"df.s {op} '2000-02-29 12:30'", df=f)
        agree(f"df.s {op} np.datetime64('2013-01-01T05:00')", df=f)
    agree("df.s.dropna() > df.t.min()", df=f)


@pytest.mark.parametrize(
    "expression",
    [
        "df.t - df.t.shift(1)",
        "df.t - np.datetime64('2000-01-01')",
        "df.t + np.timedelta64(90, 'm')",
        "(df.t - df.t.min()) / np.timedelta64(1, 'h')",
    ],
)
def test_durations_of_operators(expression, df):
    agree(expression, df=df.assign(t=df.t.astype("datetime64[us]")))


@pytest.mark.parametrize(
    "left", ["int8", "int16", "int32", "int64", "uint8", "uint32", "float32", "float64", "bool"]
)
@pytest.mark.parametrize("right", ["int8", "int32", "int64", "uint8", "uint32", "float32", "float64", "bool"])
def test_types_of_results(left, right):
    a = pd.Series([1, 0, 1]).astype(left)
    b = pd.Series([1, 1, 1]).astype(right)
    operators = [operator.add, operator.mul, operator.lt]
    if "bool" not in (left, right):
        operators += [operator.sub, operator.truediv, operator.floordiv]
    for op in operators:
        assert_like(op(pair(a).ours, pair(b).ours), op(a, b))


def test_python_numbers_are_weak():
    small = cuprum.Series([1, 2], dtype="int8")
    assert str((small + 1).dtype) == "int8"
    assert str((small + 1.5).dtype) == "float64"
    assert str((cuprum.Series([1.0], dtype="float32") * 2.5).dtype) == "float32"
    with pytest.raises(OverflowError):
        small + 300


def test_integers_wrap_like_numpy():
    agree("s + 1", s=pd.Series([2**63 - 1, 0]))
    agree("s * 2", s=pd.Series([127, -128], dtype="int8"))


@pytest.mark.parametrize(
    "expression",
    [
        "df.s + df.i",
        "df.s - df.s",
        "df.s < 3",
        "df.t + df.t",
        "df.s * 'x'",
        "df.i & df.f",
        "-df.s",
        "df.t < 3",
    ],
)
def test_what_cannot_be_combined(expression, df):
    with pytest.raises(TypeError) as caught:
        eval(expression, {"df": pair(df).ours})
    assert str(caught.value)


SOME = pd.Series([1, 2, None, 4.0], index=list("abcd"))
OTHERS = {
    "same labels": pd.Series([1, None, None, 3.0], index=list("abcd")),
    "another order": pd.Series([1, None, 2, 3.0], index=list("dcba")),
    "other labels": pd.Series([1, None, 3.0], index=list("ace")),
}


@pytest.mark.parametrize("name", ["eq", "ne", "lt", "le", "gt", "ge"])
@pytest.mark.parametrize("fill_value", [None, 0, 2.5])
@pytest.mark.parametrize("which", OTHERS)
def test_comparisons_by_name(name, fill_value, which):
    agree(f"s.{name}(t, fill_value={fill_value})", s=SOME, t=OTHERS[which])
    agree(f"s.{name}([1, 2, np.nan, np.nan], fill_value={fill_value})", s=SOME)
    agree(f"s.{name}(2, fill_value={fill_value})", s=SOME)
    agree(f"df.{name}(other)", df=SOME.to_frame("a"), other=OTHERS[which].to_frame("a"))
    agree(f"df.{name}(other)", df=SOME.to_frame("a"), other=pd.DataFrame({"a": OTHERS[which], "b": 1.0}))


@pytest.mark.parametrize("name", ["add", "rsub", "mul", "floordiv"])
def test_fill_value_with_a_list(name):
    agree(f"s.{name}([1, 2, np.nan, np.nan], fill_value=2)", s=SOME)
    agree(f"s.{name}(np.array([1, 2, np.nan, np.nan]), fill_value=2)", s=SOME)


def test_comparisons_of_frames_take_no_fill_value():
    for lib in (pd, cuprum):
        with pytest.raises(TypeError, match="fill_value"):
            lib.DataFrame({"a": [1]}).eq(lib.DataFrame({"a": [1]}), fill_value=0)


TRUTHS = pd.Series([True, False, True])
WHOLE = pd.Series([2, 3, 0])
WIDE = pd.Series([2**62 + 1, 2**53 + 1, -7, 5])


@pytest.mark.parametrize(
    "code",
    [
        "w % lib.Series([3, 10, 0, -3])",
        "w // lib.Series([3, 10, 0, -3])",
        "w % lib.Series([3, 10, 2, -3])",
        "w % 0",
        "w // 0",
        "7 % i",
        "7 // i",
        "0 // i",
        "lib.DataFrame({'a': [5, 4]}) % lib.DataFrame({'a': [0, 3]})",
    ],
)
def test_remainders_beside_a_zero_are_exact(code):
    agree(code, w=WIDE, i=WHOLE)


@pytest.mark.parametrize(
    "code",
    [
        "i // b",
        "i % b",
        "b // i",
        "b % i",
        "i % False",
        "i // True",
        "5 // b",
        "5 % b",
        "b // 0",
        "b % 0",
        "b % 2",
        "b // 2",
        "2.5 % b",
        "b % b",
    ],
)
def test_truth_values_divide(code):
    agree(code, b=TRUTHS, i=WHOLE)


@pytest.mark.parametrize("code", ["b // b", "b / b", "b ** b", "b // False", "True // b"])
def test_truth_values_do_not_divide_each_other(code):
    for frame, error in ((TRUTHS, NotImplementedError), (cuprum.Series(TRUTHS), TypeError)):
        with pytest.raises(error):
            eval(code, {"b": frame})


@pytest.mark.parametrize(
    "code",
    ["t == 'x'", "t != 'x'", "t.to_frame('q') == 'x'", "t.isin(['x'])", "t.to_frame('q').isin([1, 'x'])"],
)
def test_no_time_equals_a_text_that_is_none(code):
    agree(code, t=pd.Series(pd.to_datetime(["2020-01-01", None])))


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "//", "%", "==", "!=", "<", ">="])
@pytest.mark.parametrize(
    "index", [pd.Index([4, 5, 9], name="q"), pd.RangeIndex(1, 4)], ids=["labels", "range"]
)
def test_an_index_beside_a_series_is_a_series(index, op):
    """The labels of the index are values; those of the series stay."""
    for name in ("q", "r"):
        series = pd.Series([1, 2, 3], index=[5, 6, 7], name=name)
        agree(f"index {op} series", index=index, series=series)
    short = ours(pd.Series([1, 2]))
    with pytest.raises(ValueError):
        eval(f"index {op} short", {"index": ours(index), "short": short})


@pytest.mark.parametrize("other", ["q", None, "r"])
def test_names_of_sums_of_indexes(other):
    index = pd.Index([3, 1, 2], name="q")
    agree("index + other", index=index, other=pd.Index([1, 2, 3], name=other))
    agree("index - other", index=index, other=pd.RangeIndex(3, name=other))
    agree("other * index", index=index, other=pd.RangeIndex(3, name=other))


@pytest.mark.parametrize(
    "code",
    [
        "df.add({'a': 10, 'b': 20})",
        "df.sub({0: 1.0, 2: 5.0, 7: 1.0}, axis='index')",
        "df.mul({'b': 2.0, 'c': 3.0})",
        "df.rtruediv({'a': 1, 'b': 2})",
        "df.eq([1, 20, 3], axis=0)",
        "df.lt((2, 2, 100), axis='index')",
        "df.add(df['a'].to_numpy() + 0.5, axis=0)",
        "df.add([1, 2], axis='columns')",
        "df.rsub([1, 2, 3], axis=0)",
    ],
)
def test_methods_take_dicts_and_lists_along_either_axis(code):
    agree(code, df=pd.DataFrame({"a": [1, 2, 3], "b": [10, 20, 30]}))


def test_a_list_of_another_length_is_refused():
    df = cuprum.DataFrame({"a": [1, 2, 3], "b": [10, 20, 30]})
    with pytest.raises(ValueError, match="length must be 3: given 2"):
        df.add([1, 2], axis=0)
    with pytest.raises(ValueError, match="length must be 2: given 3"):
        df.add([1, 2, 3])
    with pytest.raises(ValueError, match="length must be 2: given 1"):
        df.add({"a": 1})


@pytest.mark.parametrize("unit", ["s", "ns"])
@pytest.mark.parametrize(
    "nat",
    [
        np.timedelta64("nat"),
        np.timedelta64("nat", "ms"),
        np.timedelta64("nat", "D"),
        np.datetime64("nat", "us"),
    ],
    ids=repr,
)
def test_nat_of_numpy_has_a_type(nat, unit):
    """A time and a missing length are a missing time; a time and a missing time are none."""
    operands = [
        pd.Series(pd.to_datetime(["2020", None])).astype(f"M8[{unit}]"),
        pd.Series(pd.to_datetime(["2020", None])).dt.tz_localize("UTC"),
        pd.Series([1, None], dtype=f"m8[{unit}]"),
        pd.Series([1, 2]),
    ]
    functions = [
        lambda x: x + nat,
        lambda x: x - nat,
        lambda x: nat - x,
        lambda x: np.add(x, nat),
        lambda x: np.subtract(x, nat),
        lambda x: x == nat,
        lambda x: x != nat,
    ]
    for theirs in operands:
        for function in functions:
            for obj in (theirs, theirs.to_frame("a")):
                try:
                    expected = function(obj)
                except TypeError:
                    with pytest.raises(TypeError):
                        function(ours(obj))
                    continue
                made = function(ours(obj))
                assert_like(made, expected)
                kinds = made.dtypes if obj.ndim == 2 else [made.dtype]
                assert list(map(str, kinds)) == list(
                    map(str, expected.dtypes if obj.ndim == 2 else [expected.dtype])
                )


@pytest.mark.parametrize(
    "code",
    [
        "divmod(df.a, 3)",
        "divmod(df.a, [2, 3, 4])",
        "divmod(7, df.f)",
        "divmod(n, 2)",
        "divmod(lib.Index([7, 8], name='i'), 3)",
        "divmod(9, lib.Index([7, 2]))",
        "2 ** lib.Index([1, 2])",
        "lib.Index([1, 2]) ** 2",
        "7 // lib.Index([2, 3])",
        "7 % lib.Index([2, 3])",
        "7 / lib.Index([2, 4])",
        "-df.b",
        "-df[['a', 'b']]",
    ],
)
def test_divmod_powers_and_signs_are_those_of_pandas(code):
    agree(code, df=MIXED, n=TWO_NUMBERS)


@pytest.mark.parametrize(
    "statement",
    [
        "df.a.divmod(2)",
        "df.a.rdivmod(7)",
        "df.a.divmod(df.b,fill_value=1)",
    ],
)
def test_divmod_by_name(statement):
    agree(statement, df=THREE_COLUMNS, kept=["a", "c"])


def test_comparisons_are_never_missing():
    s = cuprum.Series([1, None, 3])
    assert (s > 0).to_pandas().tolist() == [True, False, True]
    assert (s != 1).to_pandas().tolist() == [False, True, True]
    assert (~(s > 0)).to_pandas().tolist() == [False, True, False]
    agree("s > 0", s=pd.Series([1.0, None, 3.0]))


TIMES = pd.to_datetime(["2020-01-01", "2020-01-02"])


SERIES = {
    "i": pd.Series([1, 2, 3]),
    "i8": pd.Series([1, 2, 3], dtype="int8"),
    "u8": pd.Series([1, 2, 3], dtype="uint8"),
    "f": pd.Series([1.5, 2.5]),
    "f32": pd.Series([1.5, 2.5], dtype="float32"),
    "g32": pd.Series([1.5, None, 2.5], dtype="float32"),
    "b": pd.Series([True, False]),
    "t": pd.Series(["a", "b"]),
    "d": pd.Series(TIMES),
    "z": pd.Series(TIMES.tz_localize("Europe/Berlin")),
    "s": pd.Series(pd.to_timedelta([1, 2], unit="s")),
    "c": pd.Series(["a", "b"], dtype="category"),
    "e": pd.Series([], dtype="int64"),
    "df": pd.DataFrame({"a": [1, 2], "b": [1.5, 2.0]}),
}


@pytest.mark.parametrize(
    "value", ["np.int16(1)", "np.uint8(1)", "np.uint64(3)", "np.float32(0.5)", "np.int64(2)"]
)
@pytest.mark.parametrize("name", ["i8", "u8", "f32", "i"])
@pytest.mark.parametrize("code", ["{} + {}", "{1} * {0}", "{} - {}", "{} // {}", "{}.add({})"])
def test_operators_take_numbers_of_numpy_for_those_of_python(code, name, value):
    def run(series):
        return eval(code.format(name, value), {"np": np, name: series})

    assert_like(run(cp.from_pandas(SERIES[name])), run(SERIES[name]))
