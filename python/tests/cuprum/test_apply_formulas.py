"""Functions of Python over elements, columns and rows: the results of calling them, as pandas does."""

import functools
import math
import random
import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import agree, assert_like

import cuprum
from cuprum.errors import PerformanceWarning

pytestmark = pytest.mark.usefixtures("each_call_warns")

NAN = float("nan")
LIMIT = 3
WORDS = ("a", "é")

SERIES = {
    "ints": pd.Series([1, -5, 12, 7, 0, 3], index=list("abcdef"), name="n"),
    "small": pd.Series([1, -5, 100, 7], dtype="int8"),
    "floats": pd.Series([1.5, NAN, -2.25, 0.0, -0.0, 4.0, 1e300, math.inf]),
    "positive": pd.Series([0.5, 2.0, 9.0]),
    "single": pd.Series([1.5, NAN, 0.1], dtype="float32"),
    "flags": pd.Series([True, False, True]),
    "texts": pd.Series(["a", "bb", "é", "a"]),
}


def helper(x, factor=2):
    return x * factor


def clamped(x):
    if x < 0:
        return 0.0
    if x > 10:
        return 10.0
    total = 0.0
    for i in range(3):
        total += x * i
    return total


def checked(x):
    if x > 1e308:
        raise ValueError("too large")
    return x + 1


# What becomes a formula: the function is not called for elements.
TRACED = {
    "ints": [
        lambda x: x * 2 + 1,
        lambda x: "few" if x < 10 else "many",
        lambda x: x % LIMIT,
        lambda x: x // -LIMIT,
        lambda x: x / LIMIT,
        lambda x: x**3,
        lambda x: x**0,
        lambda x: -x,
        lambda x: x if x else 1.5,
        lambda x: x if x < 100 else 1.5,
        lambda x: 1.5 if x > 100 else x,
        lambda x: min(x, 5),
        lambda x: max(2, x, -x),
        lambda x: x in (1, 7),
        lambda x: 0 < x < 8,
        lambda x: x > 1 and x < 8,
        lambda x: x or 5,
        lambda x: x is None,
        lambda x: not x,
        lambda x: (x > 1) & (x < 8),
        lambda x: helper(x) + helper(x, factor=LIMIT),
        lambda x: 6 / x if x != 0 else -1.0,
        lambda x: 6 // x if x != 0 else -1,
        lambda x: math.sqrt(x) if x >= 0 else NAN,
        lambda x: np.sqrt(abs(x)),
        lambda x: np.abs(x) + 1,
        lambda x: x == "a",
        lambda x: 7,
        lambda x: True,
        abs,
        float,
        bool,
    ],
    "small": [lambda x: x * 1000, lambda x: -x, lambda x: x / 2],
    "floats": [
        lambda x: x * 2 - 1,
        lambda x: x if x > 0 else 0,
        lambda x: x if x > 1e305 else 0,
        lambda x: x == x,
        lambda x: x != x,
        lambda x: x != 1.5,
        lambda x: "yes" if x else "no",
        lambda x: pd.isna(x),
        lambda x: -1.0 if math.isnan(x) else x,
        lambda x: np.floor(x),
        lambda x: min(x, 1.0),
        lambda x: max(1.0, x),
        lambda x: abs(-x),
        lambda x: math.fabs(x),
        clamped,
        lambda x: math.floor(x) if -1e10 < x < 1e10 else 0,
        lambda x: round(x) if -1e10 < x < 1e10 else 0,
        lambda x: int(x) if -1e10 < x < 1e10 else 0,
    ],
    "positive": [
        math.sqrt,
        lambda x: 1 / x,
        lambda x: x % 0.3,
        lambda x: x // 0.3,
        lambda x: x**2,
        lambda x: x**0.5,
        lambda x: x**-1.5,
        lambda x: math.log(x) + math.exp(x) * math.sin(x),
        lambda x: np.log(x) / 3,
    ],
    "single": [lambda x: x + 0.1, lambda x: x * x],
    "flags": [lambda x: x + 1, lambda x: not x, lambda x: -x, lambda x: 1.5 if x else 2.5, lambda x: x == 1],
    "texts": [
        lambda x: 1 if x == "a" else 2,
        lambda x: x in WORDS,
        lambda x: x < "b",
        lambda x: x if x > "b" else "none",
        lambda x: x == 1,
    ],
}


def test_formulas_have_the_results_of_calls():
    for name, functions in TRACED.items():
        for function in functions:
            expected = _quiet(lambda f=function, n=name: SERIES[n].map(f))
            series = cuprum.Series(SERIES[name])
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert_like(series.map(function), expected, signs=True)
                assert_like(series.apply(function), expected, signs=True)


def _quiet(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call()


# What does not, and what the warning names.
CALLED = {
    ("ints", "the exponent -1"): lambda x: x**-1 if x else 0.0,
    ("texts", "`casefold`"): lambda x: x.casefold(),
    ("texts", "formatting of texts"): lambda x: x % (),
    ("texts", "elements as arguments"): lambda x: x.replace(x, "b"),
    ("ints", "a type"): lambda x: complex(x).real,
    ("ints", "`is`"): lambda x: x is LIMIT,
    ("ints", "a dict"): lambda x: {1: 2}.get(x, 0),
    ("ints", "a list"): lambda x: [x, 1][1],
    ("ints", "not returned at once"): lambda x: f"{x}".zfill(3),
    ("floats", "the format '.2f'"): lambda x: f"{x:.2f}",
    ("ints", "a function inside"): lambda x: (lambda y: y + x)(1),
    ("ints", "`sum`"): lambda x: sum((x, 2)),
    ("floats", "round with digits"): lambda x: round(x, 1),
    ("ints", "more than 64 ways"): lambda x: sum_of(x),
    ("ints", "results of different types"): lambda x: x if x > 1 else "none",
    ("floats", "as an integer"): lambda x: round(x) if x < 1e300 or x >= 2 else -1,
}


def sum_of(x):
    total = 0
    for i in range(8):
        if x % (i + 2) == 0:
            total += 1
    return total


@pytest.mark.host  # the last bits of powers are the device's
@pytest.mark.parametrize("exponent", [0.5, -1, -1.0])
def test_powers_of_elements_are_not_roots_of_columns(exponent):
    values = [4.0, 0.3, -0.0, *np.random.default_rng(2).random(5000)]
    values = [x for x in values if x or exponent > 0]
    found = cuprum.Series(values).map(lambda x: x**exponent).to_list()
    assert [x.hex() for x in found] == [(x**exponent).hex() for x in values]
    frame = pd.DataFrame({"k": np.arange(len(values)) // 2, "x": values})

    def root_of_mean(group):
        return abs(group.x.mean()) ** exponent

    ours = cuprum.DataFrame(frame).groupby("k").apply(root_of_mean).to_list()
    theirs = frame.groupby("k").apply(root_of_mean).to_list()
    assert [float(x).hex() for x in ours] == [float(x).hex() for x in theirs]


def test_what_is_called_is_named():
    for (name, says), function in CALLED.items():
        series = cuprum.Series(SERIES[name])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                actual = series.map(function)
            except (TypeError, ValueError, OverflowError):
                actual = None
        ours = [str(w.message) for w in caught if w.category is PerformanceWarning]
        assert len(ours) == 1, (name, says, ours)
        assert says in ours[0]
        if actual is not None:
            assert_like(actual, _quiet(lambda n=name, f=function: SERIES[n].map(f)))


@pytest.mark.parametrize(
    ("values", "function", "error"),
    [
        ([1, 0], lambda x: 1 // x, ZeroDivisionError),
        ([1, 0], lambda x: 1 % x, ZeroDivisionError),
        ([1.0, 0.0], lambda x: 1 / x, ZeroDivisionError),
        ([1.0, -1.0], lambda x: math.sqrt(x), ValueError),
        ([1.0, 0.0], lambda x: math.log(x), ValueError),
        ([1.0, 1e4], lambda x: math.exp(x), OverflowError),
        ([1.0, 1e200], lambda x: x**2, OverflowError),
        ([1.0, 0.0], lambda x: x**-1, ZeroDivisionError),
        ([1.0, math.inf], lambda x: math.sin(x), ValueError),
        ([1.0, NAN], lambda x: int(x), ValueError),
        ([1.0, 1.7e308], checked, ValueError),
        ([1, 2], lambda x: x + None, TypeError),
        ([1, 2], lambda x: x < "a", TypeError),
        ([1, 2], lambda x: 1 / 0 if x > 1 else x, ZeroDivisionError),
    ],
)
def test_errors_of_a_function_are_its_own(values, function, error):
    with pytest.raises(error):
        pd.Series(values).map(function)
    with warnings.catch_warnings(), pytest.raises(error):
        warnings.simplefilter("ignore")
        cuprum.Series(values).map(function)


def test_errors_on_ways_that_no_element_goes():
    series = pd.Series([1.0, 4.0, 2.5])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        actual = cuprum.Series(series).map(checked)
    assert_like(actual, series.map(checked))


def test_integers_beyond_64_bits_are_not_wrapped():
    big = pd.Series([2**62, 5, -(2**62)])
    for function in (lambda x: x + x, lambda x: x * 3, lambda x: x**2, lambda x: -x - x - x):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert_like(cuprum.Series(big).map(function), big.map(function))
    # In the middle only, and where it fits.
    for function in (
        lambda x: (x * 4) // 4,
        lambda x: x // 3 + x // 5,
        lambda x: x / 3,
        lambda x: x > 4.6e18,
    ):
        actual = _quiet(lambda f=function: cuprum.Series(big).map(f))
        assert_like(actual, big.map(function))
    least = pd.Series([-(2**63), 3])
    assert _quiet(lambda: cuprum.Series(least).map(abs)).to_list() == [2**63, 3]


def test_hostile_functions():
    def waits(x):
        while x > 1:
            pass
        return x

    def halves(x):
        while x > 1:
            x = x / 2
        return x

    def deep(x):
        for i in range(450):
            x = x + i
        return x

    small = pd.Series([0.5, 1.0, -3.0])
    for function in (waits, halves, deep, lambda x: x + 2**70, lambda x: x < 2**70):
        expected = small.map(function)
        assert_like(_quiet(lambda f=function: cuprum.Series(small).map(f)), expected)
        integers = pd.Series([0, 1, -3])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                actual = cuprum.Series(integers).map(function)
            except OverflowError:
                continue  # beyond 64 bits
        assert_like(actual, integers.map(function))
    letters = pd.Series(["a", "b", "a", None], dtype="category", index=[4, 5, 6, 7], name="l")
    for function in ({"a": "x", "b": "y"}, lambda x: f"{x}!", {"a": 1}, pd.Series({"a": 2.5, "b": 2.5})):
        ours = cuprum.Series(function) if isinstance(function, pd.Series) else function
        _quiet(lambda f=function, o=ours: agree(lambda lib, s: s.map(f if lib is pd else o), s=letters))


def test_what_does_more_than_computing_is_called_for_each_element():
    seen = []

    def remembers(x):
        seen.append(x)
        return x

    counted = cuprum.Series([1, 2, 3])
    with pytest.warns(PerformanceWarning):
        counted.map(remembers)
    assert seen == [1, 2, 3]
    random.seed(1)
    with pytest.warns(PerformanceWarning, match="random"):
        assert counted.map(lambda x: random.random()).nunique() == 3

    state = {"count": 0}

    def counts(x):
        state["count"] += 1
        return state["count"]

    with pytest.warns(PerformanceWarning):
        assert counted.map(counts).to_list() == [1, 2, 3]


def test_names_are_looked_up_when_the_function_is_given():
    factor = 2

    def scaled(x):
        return x * factor

    series = cuprum.Series([1, 2])
    assert series.map(scaled).to_list() == [2, 4]
    factor = 5
    assert series.map(scaled).to_list() == [5, 10]


def test_arguments():
    s = SERIES["ints"]
    agree(lambda lib, s: s.apply(lambda x, y, z=1: x * y + z, args=(3,), z=4), s=s)
    agree(lambda lib, s: s.map(functools.partial(helper, factor=7)), s=s)
    holed = pd.Series([1.0, NAN, 2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agree(lambda lib, s: s.map(lambda x: 1.0 if x != x else x, na_action="ignore"), s=holed)
    agree(lambda lib, s: s.map(lambda x: 1.0 if x != x else x), s=holed)
    agree(lambda lib, s: s.map(lambda x: x + 1), s=pd.Series([], dtype="int64"))


FRAME = pd.DataFrame({"a": [1, 2, -3], "b": [0.5, NAN, 2.0], "c": [0, 5, 7]}, index=list("xyz"))
MIXED = FRAME.assign(t=["u", "v", "u"], f=[True, False, True])


@pytest.mark.parametrize(
    "function",
    [
        lambda r: r["a"] * r["b"] + r["c"],
        lambda r: r.a if r.b > 1 else r.c,
        lambda r: 1.0 if r["a"] > 0 else -r["c"],
        lambda r: "low" if r["a"] < r["c"] else "high",
        lambda r: max(r["a"], r["c"]),
        lambda r: math.sqrt(abs(r["a"])),
    ],
)
@pytest.mark.parametrize("frame", [FRAME, FRAME[["a", "c"]].assign(b=[1, 2, 3]), MIXED])
def test_rows_of_formulas(function, frame):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        actual = cuprum.DataFrame(frame).apply(function, axis=1)
    assert_like(actual, _quiet(lambda: frame.apply(function, axis=1)), signs=True)


def test_rows_that_are_called():
    for frame, function in [
        (MIXED, lambda r: r["t"] + "!"),
        (MIXED, lambda r: r["a"] / r["c"] if r["c"] else 0.0),
        (MIXED, lambda r: f"{r['t']}{r['a']}"),
        (FRAME, lambda r: r["a"] + r["c"] if r["b"] == r["b"] else 0.0),
    ]:
        expected = _quiet(lambda f=frame, g=function: f.apply(g, axis=1))
        assert_like(_quiet(lambda f=frame, g=function: cuprum.DataFrame(f).apply(g, axis=1)), expected)
    made = _quiet(lambda: cuprum.DataFrame(FRAME).apply(lambda r: [r["a"], 1.0], axis=1))
    assert made.to_list() == [[1, 1], [2, 1], [-3, 1]]
    made = _quiet(lambda: cuprum.DataFrame(FRAME).apply(lambda r: (r["a"], 1), axis=1))
    assert made.to_list() == [(1, 1), (2, 1), (-3, 1)]


BESIDE_TEXTS = pd.DataFrame(
    {"a": [10, 10**9], "b": [0, 2], "f": [1.5, 0.0], "k": [True, False], "s": ["x", "y"]}
)


def _outcome(call):
    """Return what a call gives, or the class of what it raises."""
    try:
        return call().to_list()
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("left", ["s", "k", "b"])
def test_elements_of_rows_are_those_of_pandas(left):
    frame = BESIDE_TEXTS[["a", "b", "f", left]] if left != "b" else BESIDE_TEXTS[["a", "b"]]
    for function in [
        lambda r: str([type(x) for x in r]),
        lambda r: r["a"] / r["b"],
        lambda r: r["a"] // r["b"],
        lambda r: r["b"] % r["b"],
        lambda r: r["a"] ** 3,
        lambda r: r["a"] ** 9 if r["b"] else 0,
        lambda r: r["a"] * r["a"] * r["a"] + 1,
        lambda r: r["a"] + 2**62 + 2**62,
        lambda r: r["a"] / r.iloc[2] if len(r) > 2 else r["b"] / 0,
    ]:
        for name in ("apply", "agg"):
            expected = _quiet(lambda f=function, n=name: _outcome(lambda: getattr(frame, n)(f, axis=1)))
            ours = cuprum.DataFrame(frame)
            actual = _quiet(lambda f=function, n=name, o=ours: _outcome(lambda: getattr(o, n)(f, axis=1)))
            assert repr(actual) == repr(expected)


def test_columns_of_formulas():
    numbers = FRAME[["a", "c"]]
    agree(lambda lib, df: df.apply(lambda c: c.max() - c.min()), df=numbers)
    agree(lambda lib, df: df.apply(lambda c, k: c * k, args=(3,)), df=FRAME)
    agree(lambda lib, df: df.apply("sum"), df=numbers)


def test_large_series():
    x = np.arange(100_000) % 977 - 300
    series = pd.Series(x)
    agree(lambda lib, s: s.map(lambda x: x * x - 3 if x % 7 < 3 else -x // 2), s=series)


def test_arguments_are_handed_to_functions_alone():
    for looked_up in ({1: 2}, cuprum.Series([2], index=[1])):
        with pytest.raises(TypeError, match=r"map hands \['k'\] to functions"):
            cuprum.Series([1]).map(looked_up, k=1)


@pytest.mark.parametrize("code", [
    "df.agg([lambda x: x.sum(), 'min'])", "df.agg({'a': [lambda x: x.sum()]})", "df.agg({'a': lambda x: x + 1})",
    "df.agg(['cumsum'])", "df.agg({'a': 'cumsum'})", "df.apply(['sum', 'min'])", "df.apply([lambda x: x + 1])",
    "df.apply({'a': ['sum']})", "df.apply({'a': ['cumsum']})", "df.transform([lambda x: x + 1])", "df.agg({'a': 'sum'})",
])  # fmt: skip
def test_results_of_columns_keep_the_name_of_their_labels(code):
    agree(code, df=pd.DataFrame({"a": [1, 2], "b": [3, 5]}).rename_axis(columns="c"))


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda x: x << 40, "(reason: `<<`)"),
        (lambda x: hash(x), "(reason: `hash`"),
        (lambda x: x.real if x < 0 else 1, "the attribute `real` of an element"),
        (lambda x: [x], "(reason: a list)"),
        (cuprum.to_datetime, "(reason: cuprum.to_datetime)"),
        (type, "(reason: `type`"),
    ],
)
def test_reasons_are_what_the_function_does(function, says):
    with pytest.warns(PerformanceWarning, match="for the whole column at once") as caught:
        cuprum.Series([1, 2, 3]).map(function)
    assert says in str(caught[0].message)


@pytest.mark.parametrize(
    ("function", "says"), [(lambda r: len(r), "len of a row"), (lambda r: "a" in r, "`in` a row")]
)
def test_rows_that_are_asked_for_more_than_elements(function, says):
    with pytest.warns(PerformanceWarning, match=says):
        made = cuprum.DataFrame(MIXED).apply(function, axis=1)
    assert_like(made, MIXED.apply(function, axis=1))


def test_infinities_and_missing_elements_are_no_errors():
    """What `math` gives for an infinity is computed; `isna` is known as a function, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for function in (math.sqrt, lambda x: math.log(x + 1), lambda x: math.exp(x)):
            agree(lambda lib, s, f=function: s.map(f), s=pd.Series([1.0, np.inf, NAN, 4.0]))
        agree(lambda lib, s: s.map(lib.isna), s=pd.Series([1.0, NAN]))
        agree(lambda lib, s: s.map(pd.notna), s=pd.Series(["x", None]))
