"""Arithmetic, comparison and logical operators, with alignment."""

import operator

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, assert_like, frames, given, ours, pair

import cuprum

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


@given(frames(a="bool", b="bool"))
def test_logic(f):
    for op in "&|^":
        agree(f"df.a {op} df.b", df=f)
        agree(f"df.a {op} True", df=f)
    agree("~df.a", df=f)
    agree("df.a + df.b.astype('int64')", df=f)
    agree("df.a.sum() + (~df.b).sum()", df=f)


@given(frames(s="str?", t="str?"))
def test_text(f):
    for op in COMPARISONS:
        agree(f"df.s {op} df.t", df=f)
        agree(f"df.s {op} 'b'", df=f)
    agree("df.s + df.t", df=f)
    agree("df.s + '!'", df=f)
    agree("'<' + df.s", df=f)


@given(frames(s="time?", t="time?"))
def test_times(f):
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
def test_durations(expression, df):
    agree(expression, df=df.assign(t=df.t.astype("datetime64[us]")))


@given(
    st.lists(st.sampled_from("abcdef"), unique=True),
    st.lists(st.sampled_from("abcdef"), unique=True),
    st.sampled_from(["+", "-", "*", "/"]),
)
def test_alignment(left, right, op):
    a = pd.Series(
        [float(i) for i in range(len(left))], index=pd.Index(left, dtype="str"), name="v", dtype="float64"
    )
    b = pd.Series(
        [i + 0.5 for i in range(len(right))], index=pd.Index(right, dtype="str"), name="v", dtype="float64"
    )
    agree(f"a {op} b", a=a, b=b)
    agree(f"a.to_frame() {op} b.to_frame()", a=a, b=b)


def test_alignment_of_frames():
    a = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]}, index=[0, 1])
    b = pd.DataFrame({"y": [10.0, 20.0], "z": [30.0, 40.0]}, index=[1, 2])
    agree("a + b", a=a, b=b)
    agree("a * 2", a=a)
    agree("2 - a", a=a)
    agree("a == 2", a=a)
    agree("-a", a=a)
    agree("a + a.iloc[0]", a=a)
    agree("a - a.mean()", a=a)
    agree("a['x'].add(b['y'], fill_value=0)", a=a, b=b)
    for name in (
        "add",
        "sub",
        "mul",
        "div",
        "truediv",
        "floordiv",
        "mod",
        "radd",
        "rsub",
        "rmul",
        "rdiv",
        "eq",
        "lt",
    ):
        agree(f"a['x'].{name}(2)", a=a)
        agree(f"a.{name}(2)", a=a)


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
    with pytest.raises((TypeError, NotImplementedError)) as caught:
        eval(expression, {"df": pair(df).ours})
    assert str(caught.value)


# Comparisons by name: rows matched by label, an answer everywhere.

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


@pytest.mark.parametrize("name", ["add", "sub", "rsub", "mul", "truediv", "rfloordiv"])
def test_fill_value_with_frames_labelled_differently(name):
    a = pd.DataFrame({"x": [1, 2, None], "y": [4, 5, 6]}, index=["p", "q", "r"])
    b = pd.DataFrame({"y": [1.5, None], "z": [7, 8]}, index=["r", "s"])
    agree(f"a.{name}(b, fill_value=10)", a=a, b=b)
    agree(f"b.{name}(a, fill_value=10)", a=a, b=b)
    agree(f"a.{name}(a[['y', 'x']], fill_value=10)", a=a)


TRUTHS = pd.Series([True, False, True])
WHOLE = pd.Series([2, 3, 0])
WIDE = pd.Series([2**62 + 1, 2**53 + 1, -7, 5])


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
    "code", ["i + None", "None * f", "b & None", "i.to_frame('x') + None", "~f", "~f.to_frame('x')"]
)
def test_none_and_bits_of_floats_are_no_operands(code):
    series = {"i": WHOLE, "f": pd.Series([1.0, 0.0]), "b": TRUTHS}
    for convert in (lambda s: s, cuprum.Series):
        with pytest.raises(TypeError):
            eval(code, {name: convert(s) for name, s in series.items()})


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


@pytest.mark.parametrize("name", ["add", "sub", "mul", "floordiv", "eq", "lt"])
@pytest.mark.parametrize("array", [np.array(2), np.array(2.5, dtype="float32"), np.array(True)], ids=repr)
def test_arrays_without_dimensions_are_scalars(name, array):
    function = getattr(operator, name)
    for theirs in (pd.Series([1, 2, 5]), pd.DataFrame({"a": [1.5, 2.0]}), pd.Series([1, 2], dtype="int8")):
        for one in (lambda x: function(x, array), lambda x: function(array, x)):
            expected = one(theirs)
            made = one(ours(theirs))
            assert_like(made, expected)
    times = pd.Series(pd.to_datetime(["2020", "2021"]))
    length = np.array(np.timedelta64(1, "s"))
    assert_like(ours(times) + length, times + length)


_ELEMENTS = {
    "a": pd.DataFrame({"x": [1, 5, 0], "y": [2, 2, 9]}),
    "turned": pd.DataFrame({"y": [7, 1, 4], "x": [3, 3, 8]}, index=[2, 1, 3]),
    "f": pd.DataFrame({"x": [1.5, None, 0], "y": [1.0, 2, 3]}),
    "b": pd.DataFrame({"x": [True, False, True], "y": [True, True, False]}),
}


@pytest.mark.parametrize(
    "operands",
    [
        "a, a",
        "a, f",
        "a, turned",
        "f, turned",
        "a, 2",
        "2, a",
        "a, a.to_numpy()",
        "a.to_numpy(), a",
        "a, a[['x']].to_numpy()",
    ]
    + ["b, b", "b, True", "b, a", "a.x, a.y", "f.x, a.y", "b.x, b.y", "b.x, a.x", "a.x, 0"],
)
@pytest.mark.parametrize(
    "function",
    [
        "maximum",
        "fmin",
        "arctan2",
        "hypot",
        "copysign",
        "logaddexp",
        "nextafter",
        "float_power",
        "heaviside",
        "divmod",
    ]
    + ["logical_and", "logical_or", "logical_xor"],
)
@pytest.mark.filterwarnings("ignore")
def test_functions_of_numpy_of_two_operands(function, operands):
    if function not in ("logical_and", "logical_or", "logical_xor") and operands.startswith("b"):
        return
    # pandas divides all columns of a type at once, and has floats in all where one is divided by 0.
    elements = {name: frame + (function == "divmod") for name, frame in _ELEMENTS.items()}
    expected = eval(f"np.{function}({operands})", {"np": np, **elements})
    own = {name: cuprum.from_pandas(frame) for name, frame in elements.items()}
    actual = eval(f"np.{function}({operands})", {"np": np, **own})
    pairs = zip(actual, expected, strict=True) if isinstance(expected, tuple) else [(actual, expected)]
    for found, wanted in pairs:
        compare = pd.testing.assert_frame_equal if wanted.ndim == 2 else pd.testing.assert_series_equal
        compare(found.to_pandas(), wanted)


@pytest.mark.parametrize("subject", ["a", "f", "b", "a.x", "f.x", "b.x"])
def test_what_is_not_zero_is_true(subject):
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


LABELLED = pd.Series([1, 3, 2], index=list("xyz"), name="s")
TABLE = pd.DataFrame({"a": [1.0, 2.0, 3.0], "i": [4, 5, 6]})


@pytest.mark.parametrize(
    "code",
    [
        "np.add.reduce(s)",
        "np.multiply.reduce(s)",
        "np.maximum.reduce(lib.Series([1.0, np.nan]))",
        "np.logaddexp.reduce(s)",
        "np.minimum.reduce(df)",
        "np.add.reduce(df, axis=1)",
        "np.maximum.accumulate(s)",
        "np.add.accumulate(df)",
        "np.add.accumulate(df, axis=1)",
        "np.ptp(s)",
        "np.ptp(lib.Series([1.0, np.nan]))",
        "np.array([1, 2, 3]) @ df",
        "[1, 2, 3] @ df",
        "np.array([[1, 2, 3], [4, 5, 6]]) @ df",
        "[[1, 2, 3]] @ df",
        "df @ [[1, 2], [3, 4]]",
        "np.matmul(df, np.array([1, 2]))",
        "np.array([1, 2, 3]) @ s",
    ],
)
def test_numpy_over_all_elements(code):
    agree(code, **{name: value for name, value in (("s", LABELLED), ("df", TABLE)) if name in code})


def test_products_with_another_number_of_rows_are_refused():
    with pytest.raises(ValueError, match="shape mismatch"):
        np.array([1, 2]) @ cuprum.DataFrame(TABLE)
