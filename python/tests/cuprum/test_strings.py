"""The text functions, on text of every script."""

import re

import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, assert_like, frames, given

import cuprum

TEXT = pd.Series(
    [
        "alpha",
        "Beta ",
        "",
        None,
        " γάμμα",
        "日本語 text",
        "🙂x🙂",
        "a,b,,c",
        "x.y*z",
        "ÉCOLE",
        "tab\there\n",
        "12",
        "i",
    ]
)


@pytest.mark.parametrize(
    "expression",
    [
        "s.str.len()",
        "s.str.upper()",
        "s.str.lower()",
        "s.str.strip()",
        "s.str.lstrip()",
        "s.str.rstrip()",
        "s.str.strip('aα ')",
        "s.str.lstrip('🙂')",
        "s.str.title()",
        "s.str.capitalize()",
        "s.str.swapcase()",
        "s.str.contains('a')",
        "s.str.contains('a', regex=False)",
        "s.str.contains('.', regex=False)",
        "s.str.contains('^[a-z]+$')",
        "s.str.contains('a|日')",
        "s.str.contains('A', case=False)",
        "s.str.contains('a', na=True)",
        "s.str.startswith('a')",
        "s.str.startswith('日本')",
        "s.str.endswith('🙂')",
        "s.str.endswith('')",
        "s.str.replace('a', 'ä')",
        "s.str.replace('.', '-', regex=False)",
        "s.str.replace('[aeiou]', '_', regex=True)",
        "s.str.replace('(.)b', r'\\1B', regex=True)",
        "s.str.replace('a', 'X', n=1)",
        "s.str.replace('', '-', regex=False)",
        "s.str.slice(1, 3)",
        "s.str.slice(-2)",
        "s.str.slice(None, None, -1)",
        "s.str.slice(0, None, 2)",
        "s.str[0]",
        "s.str[-1]",
        "s.str[1:3]",
        "s.str.get(2)",
        "s.str.split(',', expand=True)",
        "s.str.split(expand=True)",
        "s.str.split(',', n=1, expand=True)",
        "s.str.rsplit(',', n=1, expand=True)",
        "s.str.cat(s, sep='-')",
        "s.str.cat(s, sep='-', na_rep='?')",
        "s.str.cat([s, s])",
        "s.str.cat()",
        "s.str.cat(sep='|', na_rep='?')",
        "s.str.find('a')",
        "s.str.count('a')",
        "s.str.match('[a-z]')",
        "s.str.fullmatch('[a-z]+')",
        "s.str.pad(8)",
        "s.str.ljust(8, '.')",
        "s.str.rjust(8, '.')",
        "s.str.center(8, '*')",
        "s.str.zfill(6)",
        "s.str.isalpha()",
        "s.str.isdigit()",
        "s.str.isspace()",
        "s.str.isupper()",
        "s.str.islower()",
        "s.str.isnumeric()",
        "s.str.isalnum()",
        "s.str.repeat(2)",
        "s.str.removeprefix('al')",
        "s.str.removesuffix('ha')",
        "s.str.extract('([a-z])([a-z])')",
    ],
)
def test_functions(expression):
    agree(expression, s=TEXT)


@given(frames(s="str?"), st.integers(-4, 4), st.integers(-4, 4), st.sampled_from([1, 2, -1]))
def test_slices(f, start, stop, step):
    agree(f"df.s.str.slice({start}, {stop}, {step})", df=f)
    agree(f"df.s.str[{start}:{stop}:{step}]", df=f)


texts = st.lists(
    st.one_of(st.none(), st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=8)),
    max_size=8,
)


def series(values):
    return pd.Series(values, dtype="str")


@given(texts)
def test_str_methods_of_any_text(values):
    s = series(values)
    for code in (
        "s.str.len()",
        "s.str.strip()",
        "s.str.slice(1, 3)",
        "s.str.contains('e', regex=False)",
        "s + s",
        "s.sort_values(kind='stable')",
        "s.value_counts(sort=False)",
        "s == s.shift(1)",
    ):
        agree(code, s=s)


@pytest.mark.parametrize("how", ["upper", "lower", "title", "capitalize", "swapcase"])
@given(st.lists(st.one_of(st.text("aAbB éÉßñΩωσςд日🙂İıﬁǆ'", max_size=6), st.text(max_size=4)), max_size=8))
def test_case_is_that_of_python(how, values):
    """pandas' answer depends on whether pyarrow is there, which knows no mapping to several letters."""
    assert getattr(cuprum.Series(values, dtype="str").str, how)().tolist() == [
        getattr(v, how)() for v in values
    ]


@given(frames(s="str?"), st.sampled_from(["a", "é", "日", "", "ab", "🙂"]))
def test_finding(f, pattern):
    for how in ("contains", "startswith", "endswith"):
        extra = ", regex=False" if how == "contains" else ""
        agree(f"df.s.str.{how}({pattern!r}{extra})", df=f)
    agree(f"df.s.str.replace({pattern!r}, '<>', regex=False)", df=f)


@given(st.lists(st.one_of(st.none(), st.text("ab,", max_size=6)), min_size=1, max_size=8))
def test_splitting(values):
    s = series(values)
    if s.notna().any():
        agree("s.str.split(',', expand=True)", s=s)
        agree("s.str.split(',', n=1, expand=True)", s=s)


@given(st.lists(st.one_of(st.none(), st.text("ab|é", max_size=4)), max_size=12), st.integers(0, 1 << 30))
def test_dummies(values, seed):
    """Texts that repeat, in rows with labels of their own."""
    s = series(values)
    if not s.notna().any():  # pandas fails
        assert cuprum.Series(s).str.get_dummies().shape == (len(s), 0)
        return
    s.index = pd.Index([f"row {i}" for i in range(len(s))], name="label")
    repeated = s.sample(3 * len(s), replace=True, random_state=seed)
    agree("s.str.get_dummies()", s=s)
    if repeated.notna().any():
        agree("s.str.get_dummies('b', dtype='int8')", s=repeated)


def test_str_methods_of_no_rows():
    s = series([])
    for code in ("s.str.len()", "s.str.upper()", "s.str.contains('a')", "s.str.slice(1)"):
        agree(code, s=s)


def test_numbers_as_text():
    agree("s.astype('str')", s=pd.Series([1, -20, 300]))
    agree("s.astype('int64')", s=series(["1", "-20", "300"]))
    agree("s.astype('float64')", s=series(["1.5", "-2e3", "nan", "inf"]))
    agree("s.astype('str')", s=pd.Series([True, False]))
    with pytest.raises(ValueError):
        cuprum.Series(["1", "x"]).astype("int64")


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("n.str.upper()", AttributeError),
        ("s.str.contains('(')", ValueError),
        ("s.str.contains(5)", TypeError),
        ("s.str.nope()", AttributeError),
        ("s.str.slice('a')", TypeError),
        ("s.str.slice(0, 3, 0)", ValueError),
    ],
)
def test_errors_of_str_methods(expression, error):
    with pytest.raises(error):
        eval(expression, {"n": cuprum.Series([1]), "s": cuprum.Series(["a"])})


# Patterns between parts.


@pytest.mark.parametrize(
    "arguments",
    [
        "'and|plus'",
        "'and|plus', n=1",
        "'1|2'",
        r"r'\d'",
        r"r'\s+'",
        r"r'\.'",
        "'.'",
        "'|'",
        "'..'",
        "'..', regex=False",
        "'.', regex=True",
        "'[.x]', n=1",
        "'--'",
        "'(?:and|plus)'",
        "' and '",
        "''",
        "'', n=2",
        "'b*'",
        "' *', n=1",
    ],
)
def test_parts_between_patterns(arguments):
    s = pd.Series(["a and b plus c", "a1b2c", None, "a.b..c", "x|y", "a--b-c", "", "1  2\t3"])
    agree(f"s.str.split({arguments}, expand=True)", s=s)


@pytest.mark.parametrize("pat", ["and|plus", "..", "."])
def test_patterns_from_the_right_are_texts(pat):
    s = pd.Series(["a and b plus c", "a..b..c", None, "x and|plus y"])
    agree(f"s.str.rsplit({pat!r}, expand=True)", s=s)


@pytest.mark.parametrize("call", ["rsplit('')", "split('', regex=False)", "partition('')"])
def test_separators_of_nothing_are_refused(call):
    for series in (pd.Series(["ab"]), cuprum.Series(["ab"])):
        with pytest.raises(ValueError, match="empty"):
            eval(f"series.str.{call}")


@pytest.mark.parametrize("pat", [r"\s", r"[-_]+", "a|b", r"(?=c)c"])
@pytest.mark.parametrize("n", [-1, 0, 1, 2, 9])
def test_cuts_at_patterns_from_the_end(pat, n):
    texts = ["a b  c", " x ", "", None, "a-_b--c", "abc", "ccc"]

    def cut(text):
        matches = [match.span() for match in re.finditer(pat, text)][-n if n > 0 else 0 :]
        starts, stops = [0, *(stop for _, stop in matches)], [*(start for start, _ in matches), len(text)]
        return [text[start:stop] for start, stop in zip(starts, stops, strict=True)]

    expected = [None if text is None else cut(text) for text in texts]
    series = cuprum.Series(texts, index=list("tuvwxyz"), name="s")
    made = series.str.rsplit(pat, n=n, regex=True)
    assert made.to_arrow().to_pylist() == expected
    assert (made.name, made.index.to_list()) == ("s", list("tuvwxyz"))
    columns = series.str.rsplit(re.compile(pat), n=n, expand=True, regex=True)
    width = max(len(parts) for parts in expected if parts is not None)
    assert columns.columns.to_list() == list(range(width)) and columns.index.to_list() == list("tuvwxyz")
    rows = [[*(parts or []), *[None] * width][:width] for parts in expected]
    assert_like(columns, pd.DataFrame(rows, index=list("tuvwxyz"), dtype="str"))


def test_bytes_become_texts():
    s = pd.Series(["naïve", None, "straße"], index=list("xyz"), name="n")
    agree("s.str.normalize('NFKD').str.encode('ascii', 'ignore').str.decode('ascii')", s=s)
    agree("s.str.encode('utf-8').str.decode('latin-1')", s=s)
    agree("s.str.encode('utf-8').str.decode('ascii', errors='replace')", s=s)
    agree("s.str.encode('utf-8').str.len()", s=s)
    with pytest.raises(UnicodeDecodeError):
        cuprum.Series(["ä"]).str.encode("utf-8").str.decode("ascii")


@pytest.mark.parametrize(
    "code",
    [
        "words.str.extract('(?P<l>[ab])', expand=False)",
        "words.str.extract('([ab])', expand=False)",
        "words.str.get_dummies('1')",
    ],
)
def test_extract_and_get_dummies_of_labels_keep_the_name(code):
    agree(f"(lambda words: {code})(lib.Index(['a1', 'b2'], name='q'))")
