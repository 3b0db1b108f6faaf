"""Regular expressions in `str`: compiled ones, flags, classes of characters, and `replace` by them."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import agree, assert_like
from small_frames import MIXED

import cuprum
from cuprum.errors import PerformanceWarning

TEXTS = pd.Series(["cat", "CAT", "Parrot", "foo\nbar", "b\nr", None, "", "a.b", "A.A"])
FRAME = pd.DataFrame({"A": ["bat", "foo", "bait", None], "B": ["abc", "bar", "xyz", "ab"], "C": [1, 2, 3, 1]})
MATCHES = [
    's.str.contains("PARROT", flags=re.IGNORECASE)',
    's.str.contains(re.compile("PARROT", re.I))',
    's.str.contains("^b.r$", flags=re.M)',
    's.str.contains("P", case=False)',
    's.str.match("cAT", flags=re.I)',
    's.str.fullmatch("cAT", flags=re.I|re.S)',
    's.str.fullmatch("cAT", case=False)',
    's.str.count("A", flags=re.I)',
    's.str.extract("(A)", flags=re.I)',
    's.str.extract(re.compile("(A)", re.I))',
    's.str.replace("A","x",case=False)',
    's.str.replace("A.","x",case=False)',
    's.str.replace("A.","x",case=False,regex=True)',
    's.str.replace(re.compile("a.",re.S),"x",regex=True)',
    's.str.replace({"A":"x","t":"y"},case=False)',
    's.str.split(re.compile("A|o",re.I),expand=True)',
    's.str.count(re.compile("a"))',
    's.str.contains(" P a", flags=re.X)',
]
REPLACED = [
    "df.replace(to_replace=r'^ba.$', value='new', regex=True)",
    "df.replace({'A': r'^ba.$'}, {'A': 'new'}, regex=True)",
    "df.replace(regex=r'^ba.$', value='new')",
    "df.replace(regex={r'^ba.$': 'new', 'foo': 'xyz'})",
    "df.replace(regex=[r'^ba.$', 'foo'], value='new')",
    "df.replace([r'^ba.$', 'foo'], ['new','x'], regex=True)",
    "df.replace(regex={'A': {r'^ba.$': 'new'}, 'B': {'a':'q'}})",
    "df.replace({'A': {'^b': 'Z'}}, regex=True)",
    "df.replace(re.compile('BA', re.I), 'x', regex=True)",
    "df.replace('a', np.nan, regex=True)",
    "df.replace({'a': None}, regex=True)",
    r"df.replace('ba(.)', r'\1\1', regex=True)",
    "s.replace('ba', 'x', regex=True)",
    "s.replace(['ba','x'], ['x','y'], regex=True)",
    "s.replace({'a':'b','b':'a'}, regex=True)",
    "s.replace(regex='a', value='z')",
    "s.replace(regex={'a':'z'})",
    "s.replace('', 'b', regex=True)",
    "df.replace(1, 5, regex=True)",
    "df.replace([1,'ba'], [5,'q'], regex=True)",
    "df['C'].replace('1','2',regex=True)",
    "df.replace(regex=['a','b'], value=['x','y'])",
    "df.replace(to_replace=None, value='n', regex='ba')",
    "df.replace({'A':'foo','B':'x'}, 'zz', regex=True)",
]


# Patterns that only Python's `re` has.
BY_PYTHON = [
    r"(?=a)",
    r"(?<=o)o",
    r"(?!c)a(?P<rest>.)",
    r"(.)\1",
    r"(?P<one>.)(?P=one)",
    r"a++t",
    r"(?>ca)t",
    r"a{,2}t",
    r"(?#note)a",
    r"\N{LATIN SMALL LETTER A}",
    r"(?:(a)|(?<=o)o)",
]
METHODS = [
    "s.str.contains(p)",
    "s.str.contains(p, case=False, na=True)",
    "s.str.contains(p, flags=re.I | re.S)",
    "s.str.match(p)",
    "s.str.fullmatch(p, case=False)",
    "s.str.count(p)",
    "s.str.count(re.compile(p, re.I))",
    "s.str.replace(p, '<>', regex=True)",
    "s.str.replace(p, '<>', n=1, case=False, regex=True)",
    "s.str.replace(re.compile(p), r'\\g<0>!', regex=True)",
    "s.str.split(p, regex=True)",
    "s.str.split(p, n=1, expand=True, regex=True)",
    "s.str.extract('(' + p.replace('1', '2') + ')')",
    "s.str.extract('(?P<all>' + p.replace('1', '2') + ')', flags=re.I)",
    "s.str.extractall('(' + p.replace('1', '2') + ')')",
    "s[:0].str.contains(p)",
    "s[:0].str.extract('(' + p.replace('1', '2') + ')')",
    "s.where(s == '-').str.count(p)",
    "s.replace(p, 'new', regex=True)",
]


# pandas' texts of Arrow are matched by RE2 where that can, to which `++` is no quantifier and `{,2}` itself.
IN_PYTHON = TEXTS.astype(pd.StringDtype("python", na_value=np.nan))


def _in_arrow(result):
    """Texts as pandas has them where pyarrow is installed."""
    if isinstance(result, pd.DataFrame):
        result = result.astype("str")
        result.columns = (
            pd.Index(result.columns, dtype="str") if result.columns.dtype == "str" else result.columns
        )
        return result
    return result.astype("str") if result.dtype == "str" else result


@pytest.mark.filterwarnings("ignore:This pattern .* has match groups:UserWarning")
@pytest.mark.parametrize("pattern", BY_PYTHON)
@pytest.mark.parametrize("code", METHODS)
def test_patterns_that_only_python_has(code, pattern):
    if ".split" in code and re.compile(pattern).groups and "expand" not in code:
        theirs = [
            x if isinstance(x, list) else None for x in eval(code, {"s": TEXTS, "re": re, "p": pattern})
        ]
        ours = eval(code, {"s": cuprum.Series(TEXTS), "re": re, "p": pattern})
        assert ours.to_list() == theirs
        return
    theirs = _in_arrow(eval(code, {"s": IN_PYTHON, "re": re, "p": pattern}))
    ours = eval(code, {"s": cuprum.Series(TEXTS), "re": re, "p": pattern})
    assert_like(ours, theirs)


@pytest.mark.parametrize("pattern", ["(?=a)a", "(?P<x>a)(?=t)?", r"a(?!r)"])
def test_all_that_python_finds(pattern):
    ours = cuprum.Series(TEXTS).str.findall(pattern).to_list()
    theirs = TEXTS.str.findall(pattern).tolist()
    assert ours == [one if isinstance(one, list) else None for one in theirs]


def test_ascii():
    texts = pd.Series(["é", "e", None])
    for code in (r"s.str.contains(r'\w', flags=re.A)", r"s.str.count(re.compile(r'\w', re.ASCII))"):
        ours = eval(code, {"s": cuprum.Series(texts), "re": re})
        assert_like(ours, eval(code, {"s": texts, "re": re}))


def test_groups_between_parts():
    texts = pd.Series(["a1b22c", "x", None])
    for code in (
        "s.str.split('([0-9])', regex=True, expand=True)",
        "s.str.split('[(]', regex=True, expand=True)",
    ):
        assert_like(eval(code, {"s": cuprum.Series(texts)}), eval(code, {"s": texts}))


def test_python_is_slow(each_call_warns):
    texts = cuprum.Series(["cat", "dog"])
    for call in (
        lambda: texts.str.contains("(?=a)"),
        lambda: texts.str.replace("(?=a)", "b", regex=True),
        lambda: texts.str.split("(?=a)", regex=True, expand=True),
        lambda: texts.str.extract("((?=a))"),
        lambda: texts.str.extractall("((?=a))"),
        lambda: texts.str.findall("(?=a)"),
        lambda: texts.replace("(?=a)", "b", regex=True),
    ):
        with pytest.warns(
            PerformanceWarning, match=r"Python's re is called for each element.*\(\?=a\)"
        ) as caught:
            call()
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        texts.str.contains("[a-c]+")


@pytest.mark.parametrize("code", MATCHES + REPLACED)
def test_regular_expressions_are_those_of_pandas(code):
    # Matches are looked for in texts, elements are replaced in a frame and in its first column.
    texts = TEXTS if ".str." in code else FRAME["A"]
    theirs = eval(code, {"s": texts, "df": FRAME, "re": re, "np": np})
    ours = eval(code, {"s": cuprum.Series(texts), "df": cuprum.DataFrame(FRAME), "re": re, "np": np})
    assert_like(ours, theirs, kept="B")


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("s.str.contains(5)", TypeError, "`pat` must be a str or a compiled pattern, not int"),
        ("s.str.match(re.compile(b'a'))", TypeError, "`pat` must be a str"),
        ("s.str.contains('a', flags=re.L)", ValueError, "LOCALE"),
        (
            "s.str.contains('(a', flags=re.I)",
            ValueError,
            r"^`pat` '\(a' is not a regular expression: missing \)",
        ),
        ("s.str.contains('a{2}{3}')", ValueError, r"^`pat` 'a\{2\}\{3\}' is not .*multiple repeat"),
        ("s.str.replace('a', 'b', regex=True, flags=re.L)", ValueError, "`pat` 'a'"),
        ("s.str.extract('(?=a)')", ValueError, "no capture groups"),
        ("s.str.extractall('(?=a)')", ValueError, "no capture groups"),
        ("s.str.replace('(?=a)', r'\\3', regex=True)", ValueError, "`repl` is .*group reference"),
        ("s.str.contains(re.compile('a'), flags=re.I)", ValueError, "flags"),
        ("s.str.contains(re.compile('a'), case=False)", ValueError, "case"),
        ("s.str.replace(re.compile('a'), 'b')", ValueError, "regex=False"),
        ("s.str.replace(re.compile('a'), 'b', regex=True, flags=re.I)", ValueError, "case and flags"),
        ("s.str.replace('a', r'\\1', flags=re.I)", ValueError, "invalid group reference"),
        ("s.replace('a', 'b', regex='c')", ValueError, "'to_replace' must be 'None'"),
        ("s.replace('(', 'b', regex=True)", ValueError, "is not a regular expression"),
        ("s.astype('category').replace('a', 'b', regex=True)", NotImplementedError, "categories"),
    ],
)
def test_what_is_no_pattern(code, error, message):
    with pytest.raises(error, match=message):
        eval(code, {"s": cuprum.Series(TEXTS), "re": re})


@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
def test_matches_of_several_groups_are_tuples():
    agree("s.str.findall(r'([a-z])(\\d)')", s=pd.Series(["a1b2", None, "zz", "c3"]))
    agree("s.str.findall(r'([a-z])(\\d)').str[0]", s=pd.Series(["a1b2", "c3"]))


def test_match_takes_flags():
    agree(lambda lib: lib.Series(["ab"]).str.match("AB", flags=re.IGNORECASE))


def test_match_takes_case_or_flags():
    agree(
        lambda lib: lib.Series(["ab"]).str.match("AB", flags=re.IGNORECASE, case=True),
        refused=(ValueError, "Cannot both specify case=True and pass 'flags' containing"),
    )


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: lib.Series(["a"]).str.contains("a", na="foo"),
            ValueError,
            "na must be None, pd.NA, np.nan, True, or False; got 'foo'",
            id="na of contains",
        ),
        pytest.param(
            lambda lib: lib.Series(["a"]).str.startswith("a", na=0),
            ValueError,
            "na must be None, pd.NA, np.nan, True, or False; got 0",
            id="na of startswith",
        ),
        pytest.param(
            lambda lib: lib.Series(["a"]).str.replace({"a": "b"}, repl="c"),
            ValueError,
            "repl cannot be used when pat is a dictionary",
            id="repl beside a dict",
        ),
    ],
)
def test_na_and_repl_that_do_not_fit_are_refused(call, error, text):
    agree(call, refused=(error, text))


# U+001C is a blank of `str.split`, too; ² and ½ are letters of a word, a combining accent is none.
WORDS = pd.Series(["a\x1cb c", "x²_1", "e\u0301‿½", "a&~-[]<>#", "", None])


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s",
        r"[\sx]+",
        r"\S",
        r"[^\S]",
        r"\w+",
        r"\W",
        r"[\W_]",
        r"\<",
        r"\>",
        "[a&&b]",
        "[]~~[]",
        "[+--]",
        "[a-b-~]",
        "[[:a]",
    ],
)
def test_classes_of_characters_are_those_of_python(pattern):
    agree(lambda lib, s: [s.str.replace(pattern, "!", regex=True), s.str.count(pattern)], s=WORDS)
    agree(
        lambda lib, s: [s.str.contains(pattern, na=False), s.str.findall(pattern).dropna().tolist()], s=WORDS
    )


def test_empty_matches_are_counted():
    # Of characters: pandas' Arrow strings count them at every byte of others than ASCII.
    agree(lambda lib, s: s.str.count("x*"), s=pd.Series(["abxd", "xx", "", None]))


@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@pytest.mark.parametrize(
    "code",
    [
        "df.w.str.replace('[a-z]+', lambda m: m[0][::-1], regex=True)",
        "df.w.str.replace('o', lambda m: str(m.start()), n=1, regex=True)",
        "df.w.str.replace('O', lambda m: '0', n=0, regex=True)",
        "df.w.str.replace('B(?P<rest>.*)', lambda m: m['rest'], case=False, regex=True)",
        "df.w[:0].str.replace('o', lambda m: '0', regex=True)",
        "df.w[1:2].str.replace('o', lambda m: '0', regex=True)",
    ],
)
def test_matches_are_replaced_by_what_a_function_returns(code):
    agree(code, df=MIXED)


def test_functions_of_matches_are_of_regular_expressions_and_slow(each_call_warns):
    texts = cuprum.Series(["a"])
    with pytest.raises(ValueError, match="regex=False"):
        texts.str.replace("a", lambda m: "b")
    with pytest.warns(PerformanceWarning):
        texts.str.replace("a", lambda m: "b", regex=True)
