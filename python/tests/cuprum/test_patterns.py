"""Regular expressions: compiled ones, flags, and `replace` by them; every statement is run in pandas, too."""

import re

import numpy as np
import pandas as pd
import pytest
from oracle import assert_like

import cuprum

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


@pytest.mark.parametrize("code", MATCHES + REPLACED)
def test_as_in_pandas(code):
    # Matches are looked for in texts, elements are replaced in a frame and in its first column.
    texts = TEXTS if ".str." in code else FRAME["A"]
    theirs = eval(code, {"s": texts, "df": FRAME, "re": re, "np": np})
    ours = eval(code, {"s": cuprum.Series(texts), "df": cuprum.DataFrame(FRAME), "re": re, "np": np})
    assert_like(ours, theirs, kept=True)


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("s.str.contains(5)", TypeError, "`pat` must be a str or a compiled pattern, not int"),
        ("s.str.match(re.compile(b'a'))", TypeError, "`pat` must be a str"),
        ("s.str.contains('a', flags=re.A)", NotImplementedError, "ASCII"),
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
