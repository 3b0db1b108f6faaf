"""`query` and `eval`: expressions in texts."""

from types import SimpleNamespace

import pandas as pd
import pytest
from oracle import SMALL, agree, frames, given, ours
from small_frames import FLOATS, SIZES

import cuprum

MASKS = [
    "i > 1",
    "i > 0 and f < 2",
    "i > 0 & f < 2 | i == -1",
    "not i > 0",
    "~(i > 0) or f >= 0",
    "0 < i <= 2",
    "i + j * 2 > f - 1",
    "i // 2 == j % 2",
    "i ** 2 > 4",
    "-i > 1",
    "i in [1, 2]",
    "i not in [1, 2]",
    "i == [1, 2]",
    "i != [1, 2]",
    "s == 'a' or s in ('b', '@i')",
    "s != 'a'",
    "i > @low",
    "i > @low and s in @words",
    "index > 2",
    "i == j == 0",
    "`i` > 1 and `j` <= 2",
    "[1, 2] == i",
    "[1, 2] not in i",
    "i > i.mean()",
    "f.isna() or f.notna() and i == 1",
    "i.between(0, 2)",
    "i.between(0, 2, inclusive='neither')",
    "i.isin([1, @low])",
    "s.isin(@words)",
    "s.str.contains('a')",
    "~s.str.startswith('a', na=False)",
    "s.str.upper() == 'A'",
    "s.str.len() > 0 and i.abs() > 1",
    "sqrt(i * i) > 1",
    "i > @box.low",
    "ilevel_0 > 1",
    "i * 0.5 > @low  # a comment",
    "i in (1, 2, )",
]


@pytest.mark.parametrize("text", MASKS)
def test_query(text):
    @given(frames(i="int", j="int", f="float?", s="str?"))
    def check(f):
        def query(lib, df):
            low, words, box = 0, ["a", "é"], SimpleNamespace(low=1)  # noqa: F841
            return df.query(text)

        agree(query, df=f)

    check()


@given(frames(i="int", j="int", f="float?"))
def test_eval(f):
    for text in (
        "i + j",
        "i * 2 - f",
        "i > j",
        "(i + 1) / (f + 100)",
        "k = i + j",
        "i = i * 2",
        "k = i + j\nl = k * 2",
        "k = 5",
    ):
        agree(f"df.eval({text!r})", df=f)
    agree("df.query('i > n', local_dict={}) if 'n' in df else df", df=f)
    agree("df.set_index('i').query('i > 1 and j < 2')", df=f)


def test_in_place_of_expressions():
    df = ours(pd.DataFrame({"a": [1, 2, 3]}))
    assert df.query("a > 1", inplace=True) is None
    assert df.a.to_list() == [2, 3]
    assert df.eval("b = a * 10", inplace=True) is None
    assert df.b.to_list() == [20, 30]
    with pytest.raises(ValueError, match="no assignment"):
        df.eval("a + b", inplace=True)
    assert df.query("a > @x", local_dict={"x": 2}).a.to_list() == [3]


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("nope > 1", NameError, "nope"),
        ("a > @nope", NameError, "nope"),
        ("a >", SyntaxError, ""),
        ("(a > 1", SyntaxError, ""),
        ("", ValueError, "empty"),
        ("a > 1; a", SyntaxError, "neither"),
        ("a = b = 1", SyntaxError, "neither"),
        ("import os", SyntaxError, "neither"),
        ("`b` > 1", NameError, "b"),
        ("`a > 1", SyntaxError, "backticks"),
        ("a.plot() > 1", NotImplementedError, r"a\.plot\(\)"),
        ("a > 1 +", SyntaxError, "column 8"),
        ("1 > 0", TypeError, "one value"),
        ("b = a", ValueError, "assigns"),
        ("__import__('os')", NotImplementedError, "@"),
        ("[x for x in a]", NotImplementedError, "@"),
        ("a is None", NotImplementedError, "=="),
        ("a @ a", SyntaxError, ""),
    ],
)
def test_errors_of_expressions(text, error, says):
    with pytest.raises(error, match=says or None):
        ours(pd.DataFrame({"a": [1, 2]})).query(text)


def test_variables_keep_their_labels_and_zones():
    data = pd.DataFrame({"a": [1, 2, 3], "t": pd.date_range("2024-01-01", periods=3, tz="Europe/Berlin")})

    def by_label(lib, df):
        other = lib.Series([2, 2, 2])  # noqa: F841
        return df.query("a >= @other")

    def by_instant(lib, df):
        when = pd.Timestamp("2024-01-02", tz="UTC")  # noqa: F841
        return df.query("t > @when")

    agree(by_label, df=data)
    agree(by_instant, df=data)
    other = cuprum.Series([2, 2, 2], index=[2, 1, 0])  # noqa: F841
    with pytest.raises(ValueError, match="labels"):
        ours(data).query("a >= @other")


def test_constants_and_aggregations_are_values():
    df = ours(pd.DataFrame({"a": [1, 2, 3]}))
    assert df.eval("1 + 2") == 3
    assert df.eval("a.sum() / 2") == 3.0
    assert df.eval("a.max() > 2")


@pytest.mark.parametrize(
    "text",
    ["i < 2**63", "i > 2**63", "i < 10**19", "3 * 4611686018427387904", "-9223372036854775808 + i", "2 - 5"],
)
def test_constants_are_not_wrapped_to_64_bits(text):
    agree(lambda lib, df: df.eval(text), df=pd.DataFrame({"i": [1, -2, 3]}))


@pytest.mark.parametrize("text", ["2**100", "-9223372036854775808 - 1", "i < 3 * 2**63", "2**63 * 2**63"])
def test_constants_above_64_bits_are_refused(text):
    with pytest.raises(OverflowError, match="integers above 64 bits are not supported"):
        cuprum.DataFrame({"i": [1]}).eval(text)


@pytest.mark.parametrize("text", ["b.fillna(a)", "b.fillna(0)", "b.fillna(a) + b", "b.fillna(a) + a"])
def test_what_is_filled_keeps_its_name(text):
    agree(f"df.eval({text!r})", df=pd.DataFrame({"a": [1.0, 2.0], "b": [float("nan"), 4.0]}))


@pytest.mark.parametrize(
    "text", ["a.where(a > 1)", "(a * b).where(b < 4.5).sum()", "a.where(b.isna())", "b.where(a == 1) + a"]
)
def test_where_keeps_what_is_true(text):
    nan = float("nan")
    agree(f"df.eval({text!r})", df=pd.DataFrame({"a": [1.0, 2.0, nan, 4.0], "b": [nan, 4.0, 5.0, 0.5]}))


@pytest.mark.parametrize("text", ["a.where()", "a.where(a > 1, 2)", "a.where(other=1)", "a.where(a)"])
def test_where_takes_a_condition(text):
    with pytest.raises((TypeError, ValueError, NotImplementedError)):
        cuprum.DataFrame({"a": [1.0]}).eval(text)


TEXTS = pd.DataFrame(
    {
        "s": ["ab", "", " Ça b ", "12", "x_y_z"],
        "t": pd.to_datetime(
            ["2013-01-01", "2016-02-29 13:05:07", "1969-12-31 23:59:59.999", "2000-03-31", "2013-06-30"],
            format="ISO8601",
        ),
    }
)


@pytest.mark.parametrize(
    "text",
    [
        *(f"s.str.{name}()" for name in (
            "len", "upper", "lower", "title", "capitalize", "swapcase", "strip", "lstrip", "rstrip", "isalpha",
            "isdecimal", "isdigit", "isnumeric", "isalnum", "isspace", "isascii", "islower", "isupper", "istitle",
        )),
        "s.str.strip(' a')", "s.str.lstrip(None)", "s.str.rstrip(to_strip='2z')",
        "s.str.find('b')", "s.str.rfind('_', -2)", "s.str.find('', 1, end=2)", "s.str.count('[ab]')",
        "s.str.get(-1)", "s.str.get(7)", "s.str[0]", "s.str[-2]", "s.str[1:]", "s.str[:-1]", "s.str[::2]",
        "s.str[:]", "s.str[-1:0:-1]",
        "s.str.removeprefix('a')", "s.str.removesuffix(' ')", "s.str.zfill(4)", "s.str.repeat(2)",
        "s.str.ljust(4)", "s.str.rjust(width=4, fillchar='é')", "s.str.center(5, '*')", "s.str.fullmatch('[0-9]+')",
        "s.str.slice(1, 3) + s", "s.str.upper().str.len() * 2 + t.dt.month",
        *(f"t.dt.{name}" for name in (
            "year", "month", "day", "hour", "minute", "second", "microsecond", "nanosecond", "day_of_week",
            "day_of_year", "quarter", "days_in_month", "is_leap_year", "is_month_start",
            "is_month_end", "is_quarter_start", "is_quarter_end", "is_year_start", "is_year_end",
        )),
        "(t.dt.year == 2013) & (s.str.len() > 1)", "t.dt.year * 100 + t.dt.month", "t.dt.year.mean()",
    ],
)  # fmt: skip
def test_texts_and_parts_of_times_are_those_of_accessors(text):
    # Python evaluates the same words over pandas' columns; missing rows are behind.
    holed = pd.concat([TEXTS, pd.DataFrame({"s": [None], "t": [pd.NaT]})], ignore_index=True)
    for data in (TEXTS, holed.astype(TEXTS.dtypes)):
        expected = eval(text, {"s": data["s"], "t": data["t"]})
        agree(lambda lib, df, e=expected: df.eval(text) if lib is cuprum else e, df=data)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("s.str[", "expected|position|unexpected|end"),
        ("s.str[]", "position"),
        ("s.str[1 2]", "expected ']'"),
        ("s.str[1:2:3:4]", "three parts"),
        ("s.str['a']", "integer"),
        ("s.str[::0]", "step"),
        ("s.str.zfill()", "lacks its argument 'width'"),
        ("s.str.zfill('a')", "integer"),
        ("s.str.rjust(3, 'ab')", "not one character"),
        ("s.str.nope()", "nope"),
        ("s.str.isalpha(1)", "takes 0 arguments"),
    ],
)
def test_what_is_no_function_of_texts(text, says):
    with pytest.raises((SyntaxError, NotImplementedError, ValueError, TypeError), match=says):
        cuprum.DataFrame(TEXTS).eval(text)


def test_infinity_has_a_name() -> None:
    agree("lib.DataFrame({'a': [1.0, np.inf, -np.inf]}).query('a == inf or a == -Inf')", **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("df.query('')", ValueError, "expr cannot be an empty string"),
        ("df.query(len)", ValueError, "expr must be a string to be evaluated, <class"),
        ("df.eval('')", ValueError, "expr cannot be an empty string"),
    ],
)
def test_expressions_that_are_none_are_refused(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


def test_query_refuses_what_is_no_truth_value():
    agree(
        "df.query('a > 1', inplace=1)",
        refused=(ValueError, 'For argument "inplace" expected type bool, received type'),
        df=FLOATS,
    )


@pytest.mark.parametrize(
    "query",
    ["v > @limits['low']", "v > @limits[ 'low' ] and k == '@x[0]'", "v < @pair[-1]", "k == @deep['a'][0]"],
)
def test_elements_of_variables_in_queries(query):
    limits, pair, deep = {"low": 1}, (1, 3), {"a": ["x"]}  # noqa: F841
    frame = SIZES[["k", "v"]]
    expected = frame.query(query)
    pd.testing.assert_frame_equal(cuprum.from_pandas(frame).query(query).to_pandas(), expected)
