"""Functions of Python over texts: the results and errors of calling them, character by character."""

import math
import unicodedata
import warnings

import pandas as pd
import pytest
from oracle import assert_like

import cuprum
from cuprum.errors import PerformanceWarning

pytestmark = pytest.mark.usefixtures("each_call_warns")

TEXTS = [
    "", "a", " Ab c ", "é", "ßtraße", "ΣΑΣ", "x,y,z", "12", " -7 ", "+5", "1e3", "\u0661\u0662", "\U0001f600x",
    "abc\n", "ǆx", "  ", "a,b", "Title Case", "iİı", "1.5", "\x1f a\u2003", "½²", "\uff11",
]  # fmt: skip
ASCII = [text for text in TEXTS if text.isascii()]
MISSING = ["a", None, "Bc", None, ""]

WORDS = ("a", "é", "12")
NAMES = {"a", "ǆx", "zz"}
LISTED = ["x,y,z", "é"]

TRACED = [
    *(getattr(str, name) for name in (
        "upper", "lower", "title", "capitalize", "swapcase", "strip", "isalpha", "isdecimal", "isdigit", "isnumeric",
        "isalnum", "isspace", "isascii", "islower", "isupper", "istitle",
    )),
    len,
    str,
    lambda s: s.strip(" a"),
    lambda s: s.lstrip(),
    lambda s: s.rstrip("c \n"),
    lambda s: s.startswith("a"),
    lambda s: s.startswith(("a", "é", "")),
    lambda s: s.endswith("c "),
    lambda s: s.endswith(()),
    lambda s: s.replace("a", "XY"),
    lambda s: s.replace("", "-"),
    lambda s: s.replace("a", "b", 1),
    lambda s: s.replace("", "-", 2),
    lambda s: s.replace("s", "", 0),
    lambda s: s.find("b"),
    lambda s: s.find("", 3),
    lambda s: s.rfind("a", 1, -1),
    lambda s: s.find("y", -3, 100),
    lambda s: s.count("a"),
    lambda s: s.count(""),
    lambda s: s.index("a") if "a" in s else -1,
    lambda s: s[0] if s else "",
    lambda s: s[-1] if len(s) > 0 else "none",
    lambda s: s[5] if len(s) > 5 else s[:1],
    lambda s: s[1:],
    lambda s: s[:-1],
    lambda s: s[::-1],
    lambda s: s[-3:2:-1],
    lambda s: s[::2],
    lambda s: s[10**30 :],
    lambda s: s[-(10**30) : 3],
    lambda s: "a" in s,
    lambda s: "" in s,
    lambda s: s in ("a", "b"),
    lambda s: s in {"a", "é"},
    lambda s: s in WORDS,
    lambda s: s in NAMES,
    lambda s: s not in LISTED,
    lambda s: s in (1, 2),
    lambda s: s + "!",
    lambda s: "é" + s + s,
    lambda s: s * 3,
    lambda s: 2 * s,
    lambda s: s * -1,
    lambda s: s.zfill(5),
    lambda s: s.zfill(-1),
    lambda s: s.ljust(6, "é"),
    lambda s: s.rjust(7),
    lambda s: s.center(6, "*"),
    lambda s: s.center(7),
    lambda s: s.removeprefix("a"),
    lambda s: s.removesuffix("c "),
    lambda s: len(s) > 3 and s.startswith("a"),
    lambda s: len(s) * 2 + 1 if s else -1,
    lambda s: s.upper() if s.isalpha() else s.strip().lower(),
    lambda s: s.split(",")[0],
    lambda s: s.split(",")[-1],
    lambda s: s.split()[0] if s.strip() else "",
    lambda s: s.split(",", 1)[0],
    lambda s: s.split(maxsplit=2)[1] if s.strip().count(" ") else s,
    lambda s: s.split(",")[1] if "," in s else "?",
    lambda s: s.split(",")[-2] if s.count(",") > 0 else "?",
    lambda s: int(s) if s.isdigit() and s.isascii() else 0,
    lambda s: int(s) if s in (" -7 ", "+5") else 1,
    lambda s: float(s) if s in ("12", "1.5", "1e3") else 0.0,
    lambda s: f"{s}!",
    lambda s: f"<{s:>5}|{len(s):03d}|{len(s):4}|{s:3}>",
    lambda s: f"{s}",
    lambda s: f"{s.upper()}{len(s)}" if s else "e",
    lambda s: str(len(s)) + s,
    lambda s: str(len(s) / 4),
    lambda s: s == "a",
    lambda s: "a" <= s <= "c",
    lambda s: s or "empty",
    lambda s: not s,
    lambda s: s is None,
    lambda s: isinstance(s, str),
    lambda s: max(s, "b"),
    lambda s: min(s, s.upper()),
    lambda s: s[0].upper() + s[1:] if s else s,
]  # fmt: skip


def _called(series, function):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return series.map(function)


def test_formulas_of_texts_have_the_results_of_calls():
    for texts in (TEXTS, ASCII):
        given, series = pd.Series(texts, dtype="str"), cuprum.Series(texts)
        for function in TRACED:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert_like(series.map(function), given.map(function))


def test_letters_are_those_of_python():
    known = [chr(c) for c in range(0x10000) if unicodedata.category(chr(c))[0] in "LNMZ"]
    series = cuprum.Series([f"a{c}b{c}" for c in known])
    texts = series.to_list()
    for name in ("upper", "lower", "title", "swapcase", "islower", "isalpha", "isdigit", "isnumeric"):
        function = getattr(str, name)
        assert _called(series, function).to_list() == [function(text) for text in texts], name
        # Those that other versions of Unicode know otherwise are left to Python.
        with pytest.warns(PerformanceWarning, match="letters that not every Python knows"):
            cuprum.Series(["é", "\u019b"]).map(function)


@pytest.mark.parametrize(
    ("texts", "function", "error"),
    [
        (["a", ""], lambda s: s[0], IndexError),
        (["abcdef", "a"], lambda s: s[5], IndexError),
        (["ab", "a"], lambda s: s[-2], IndexError),
        (["a"], lambda s: s + 1, TypeError),
        (["a,b", "c"], lambda s: s.split(",")[1], IndexError),
        (["a", " "], lambda s: s.split()[0], IndexError),
        (["a", "x"], lambda s: s.index("a"), ValueError),
        (["1", "x"], int, ValueError),
        (["1", "x"], float, ValueError),
        (["x"], lambda s: s.zfill("a"), TypeError),
        (["x"], lambda s: s.startswith(prefix="x"), TypeError),
        (["x"], lambda s: s.strip(chars="x"), TypeError),
        (["x"], lambda s: s[::0], ValueError),
        (["x"], lambda s: s < 1, TypeError),
        (["x"], lambda s: math.sqrt(s), TypeError),
        (["x"], lambda s: s.split("")[0], ValueError),
        (["x"], lambda s: 1 in s, TypeError),
        (["a", None], str.upper, TypeError),
        (["a", None], len, TypeError),
        (["a", None], lambda s: s < "b", TypeError),
        (["a", None], lambda s: s.upper(), AttributeError),
    ],
)
def test_errors_are_those_of_python(texts, function, error):
    with pytest.raises(error) as theirs:
        pd.Series(texts, dtype="str").map(function)
    with pytest.raises(error) as ours:
        _called(cuprum.Series(texts), function)
    assert str(ours.value) == str(theirs.value)


def test_numbers_that_texts_say():
    # The formula takes plain ones, Python the others.
    plain = ["0", "-17", "+5", " 12 ", "\u20039\n", "999999999999999999"]
    other = ["1_000", "\u0661\u0662", "1234567890123456789"]
    floats = ["1.5", "-.5e3", "7.", "1e300", "5e-324", "0.1", "-0.0", "123456789012345678"]
    for texts, function, warns in [
        (plain, int, False),
        (plain + other, int, True),
        (floats, float, False),
        ([*floats, "nan", "inf", "1_0.5", "1e999"], float, True),
    ]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = cuprum.Series(texts).map(function)
        assert bool(caught) is warns
        assert_like(found, pd.Series(texts, dtype="str").map(function), signs=True)
    numbers = pd.Series([0.1, 1e16, -0.0, 1e-7, 123456.75, 1e22, math.inf])
    for function in (str, lambda x: f"{x}|", lambda x: "<" + str(x > 1) + ">"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert_like(cuprum.Series(numbers).map(function), numbers.map(function))


@pytest.mark.parametrize(
    "function",
    [
        lambda s: s.upper() if pd.notna(s) else s,
        lambda s: "none" if pd.isna(s) else s + "!",
        lambda s: s.upper() if isinstance(s, str) else "x",
        lambda s: 0 if isinstance(s, float) else len(s),
        lambda s: s == "a",
        lambda s: s != "a",
        lambda s: s in ("a", "Bc"),
        lambda s: s if s == s else "nan",
        lambda s: 1 if s else 0,
        lambda s: s,
        lambda s: s is None,
    ],
)
def test_missing_texts_are_nan(function):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = cuprum.Series(MISSING).map(function)
    assert_like(found, pd.Series(MISSING, dtype="str").map(function))


def test_missing_elements_that_are_left_out():
    for values in (MISSING, [1.5, None, -2.0]):
        ours, theirs = cuprum.Series(values), pd.Series(values)
        for function in (str, lambda x: 1.5, lambda x: 2, lambda x: "a" if x else "b"):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert_like(ours.map(function, na_action="ignore"), theirs.map(function, na_action="ignore"))
    assert _called(cuprum.Series([None, None]), lambda x: x).isna().all()


def test_rows_with_texts():
    frame = pd.DataFrame(
        {"t": ["a,b", "", "c"], "u": ["x", None, "z"], "n": [1, -20, 3], "x": [0.5, 2.0, math.nan]}
    )
    for function in [
        lambda r: f"{r['t']}-{r['n']:04d}",
        lambda r: r["t"].upper() + "?" if r.n > 0 else "low",
        lambda r: len(r["t"]) * r["n"] if "," in r["t"] else r["n"],
        lambda r: r["t"] < "b" and r["x"] > 0,
        lambda r: r["u"] if pd.notna(r["u"]) else "none",
        lambda r: r["t"] == r["u"],
        lambda r: str(r["n"]) + str(r["x"]),
    ]:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = cuprum.DataFrame(frame).apply(function, axis=1)
        assert_like(found, frame.apply(function, axis=1))


def test_what_only_seems_to_be_a_text_is_not_looked_into():
    for function in (
        lambda s: len(f"{s}"),
        lambda s: f"{s}" == "a",
        lambda s: f"{s}-{s}".upper(),
        lambda s: "ab".startswith(f"{s}"),
        lambda s: _wrapped(s) + "!",
        lambda s: "{}".format(s).upper(),  # noqa: UP032
        lambda s: "%s!" % s,  # noqa: UP031
    ):
        with pytest.warns(PerformanceWarning, match="text"):
            found = cuprum.Series(["a", "bc"]).map(function)
        assert_like(found, pd.Series(["a", "bc"], dtype="str").map(function))


def _wrapped(s):
    return f"<{s}>"


def test_collections_of_many_values():
    numbers = set(range(0, 2000, 7))
    mixed = [*numbers, "14", 21.0, 0.5, 2**70]
    series = pd.Series(range(1000))
    for given in (series, series / 2, series.astype("str")):
        for function in (lambda x: x in numbers, lambda x: x in mixed, lambda x: x not in numbers):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                assert_like(cuprum.Series(given).map(function), given.map(function))
