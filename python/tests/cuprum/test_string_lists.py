"""Texts as lists: parts, all matches, lists of texts; beside pandas and `re`."""

import re

import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, assert_like, given

import cuprum

TEXTS = st.lists(
    st.one_of(st.none(), st.text(alphabet="ab_1 ü\n", max_size=12), st.just("b_a_1__a")), max_size=6
)


def _lists(series):
    """The elements of a series of lists, None for missing ones."""
    values = series.to_list() if isinstance(series, cuprum.Series) else series.tolist()
    return [list(value) if isinstance(value, (list, tuple)) else None for value in values]


@given(TEXTS, st.sampled_from([None, "_", "a", "a_", "[ab]", "_+", "ü|1"]), st.sampled_from([-1, 0, 1, 2]))
def test_parts_of_lists_of_texts(texts, pat, n):
    theirs = pd.Series(texts, dtype="str", index=range(1, len(texts) + 1))
    ours = cuprum.Series(theirs)
    assert _lists(ours.str.split(pat, n=n)) == _lists(theirs.str.split(pat, n=n))
    if pat is None or len(pat) == 1:
        assert _lists(ours.str.rsplit(pat, n=n)) == _lists(theirs.str.rsplit(pat, n=n))
    if texts and pat is not None and len(pat) > 1:
        agree(lambda lib, s: s.str.split(pat, n=n, expand=True), s=theirs)
    if pat in ("_", "a"):
        assert _lists(ours.str.partition(pat, expand=False)) == _lists(
            theirs.str.partition(pat, expand=False)
        )
        assert _lists(ours.str.rpartition(pat, expand=False)) == _lists(
            theirs.str.rpartition(pat, expand=False)
        )
    parts = ours.str.split(pat, n=n)
    for place in (0, 1, -1, -2, 5):
        expected = [
            part[place] if part and -len(part) <= place < len(part) else None for part in _lists(parts)
        ]
        assert [None if text != text else text for text in parts.str[place].to_list()] == expected
    lengths = [len(part) if part is not None else None for part in _lists(parts)]
    assert [None if length != length else length for length in parts.str.len().to_list()] == lengths
    joined = ["-".join(part) if part is not None else None for part in _lists(parts)]
    assert [None if text != text else text for text in parts.str.join("-").to_list()] == joined


@given(
    TEXTS,
    st.sampled_from(["a", "[ab]+", "a*", "(?:a|_)1?", "(a)", "([ab])_?", "ü", "", "a$|1", "(a)?b"]),
    st.sampled_from([0, re.IGNORECASE]),
)
def test_all_matches(texts, pat, flags):
    ours = cuprum.Series(texts, dtype="str").str.findall(pat, flags=flags)
    assert _lists(ours) == [
        None if text is None else re.findall(pat.replace("$", r"\Z"), text, flags) for text in texts
    ]


@given(TEXTS, st.sampled_from(["(a)", "([ab])(_)?", "(?P<letter>[ab])(?P<number>1)?", "(a*)"]))
def test_groups_of_all_matches(texts, pat):
    series = pd.Series(texts, dtype="str", index=pd.Index([f"row {i}" for i in range(len(texts))], name="n"))
    ours, theirs = cuprum.Series(series).str.extractall(pat), series.str.extractall(pat)
    assert list(ours.columns) == list(theirs.columns)
    if len(theirs):
        assert_like(ours, theirs)
    deep = series.set_axis(
        pd.MultiIndex.from_arrays([range(len(texts)), ["z"] * len(texts)], names=["x", None])
    )
    if len(theirs):
        assert_like(cuprum.Series(deep).str.extractall(pat), deep.str.extractall(pat))


@pytest.mark.parametrize(
    "code",
    [
        "s.str.index('a')",
        "s.str.rindex('a')",
        "s.str.index('a', 0, 2)",
        "s.str.slice_replace(1, 3, 'ü')",
        "s.str.slice_replace(-2)",
        "s.str.slice_replace(stop=1, repl='-')",
        "s.str.translate(str.maketrans({'a': 'x', 'b': None, 'c': 'yy'}))",
        "s.str.translate({97: 98})",
        "s.str.repeat([1, 0, 3])",
        "lib.Index(s).str.extractall('(a)(.)')",
        "lib.Index(s).str.extract('(a)(.)')",
        "lib.Index(s).str.extract('(a)', expand=False)",
    ],
)
def test_lists_of_texts_are_those_of_pandas(code):
    agree(code, s=pd.Series(["abc", "aa", "ca b"], index=[3, 4, 5], name="n"))


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("s.str.findall('(')", ValueError, "not a regular expression"),
        ("s.str.extractall('a')", ValueError, "no capture groups"),
        ("s.str.split(5)", TypeError, "`pat` must be a str, not int"),
        ("s.str.index('z')", ValueError, "substring not found"),
        ("s.str.repeat([1])", ValueError, "1 numbers for 2 texts"),
        ("s.str.slice_replace(0, 1, 5)", TypeError, "`repl` must be a str"),
        ("s.str.split('_').str[0:1:0]", ValueError, "zero"),
        ("s.str.split('_').str['a':]", TypeError, "start"),
        ("s.str.split('_').str.join(5)", TypeError, "`sep` must be a str"),
        ("s.str.split('_').str.upper()", AttributeError, "upper"),
        ("lib.Series([[1], [2]]).str.join('-')", TypeError, "no texts"),
    ],
)
def test_errors_of_lists_of_texts(code, error, message):
    with pytest.raises(error, match=message):
        eval(code, {"s": cuprum.Series(["a_b", "b"]), "lib": cuprum})


_PLACES = st.one_of(st.none(), st.integers(-5, 5), st.sampled_from([2**70, -(2**70)]))


@given(TEXTS, _PLACES, _PLACES, st.sampled_from([None, 1, 2, -1, -2, 3, -(2**70), 2**70]))
def test_slices_of_lists(texts, start, stop, step):
    parts = cuprum.Series(texts, dtype="str", index=range(1, len(texts) + 1)).str.split("_")
    expected = [None if text is None else text.split("_")[start:stop:step] for text in texts]
    found = parts.str[start:stop:step]
    assert _lists(found) == expected and found.index.equals(parts.index)
    assert _lists(parts.iloc[1:].str.slice(start, stop, step)) == expected[1:]
