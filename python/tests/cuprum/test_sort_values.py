"""`sort_values`, `sort_index`, `nlargest` and `nsmallest`."""

import itertools

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree, frames, given, ours
from small_frames import FLOATS

BOTH = [True, False]


@pytest.mark.parametrize("kind", ["int", "int?", "float?", "str?", "time?", "bool", "int32", "wide"])
def test_by_one_key(kind):
    @given(frames(k=kind, row="int", max_rows=20))
    def check(f):
        for ascending, where in itertools.product(BOTH, ("first", "last")):
            options = f"ascending={ascending}, na_position='{where}', kind='stable'"
            agree(f"df.sort_values('k', {options})", df=f)
            agree(f"df['k'].sort_values({options})", df=f)
        agree("df.sort_values('k', kind='stable', ignore_index=True)", df=f)

    check()


@given(frames(i="int?", f="float?", s="str?", t="time?", max_rows=20))
def test_by_several_keys(f):
    for keys in (["i", "s"], ["s", "f"], ["t", "i", "f"]):
        for ascending in ([True] * 3, [False] * 3, [True, False, True]):
            for where in ("first", "last"):
                agree(
                    f"df.sort_values({keys}, ascending={ascending[: len(keys)]}, na_position='{where}')",
                    df=f,
                )


@given(frames(k="int", s="str", v="float?"))
def test_by_labels(f):
    agree("df.set_index('k').sort_index(kind='stable')", df=f)
    agree("df.set_index('k').sort_index(ascending=False, kind='stable')", df=f)
    agree("df.set_index(['s', 'k']).sort_index(kind='stable')", df=f)
    agree("df.set_index('k')['v'].sort_index(kind='stable')", df=f)


@given(frames(i="int", f="float?", s="str?"))
def test_largest_and_smallest(f):
    for n in (0, 1, 3, 50):
        agree(f"df.nlargest({n}, 'f')", df=f)
        agree(f"df.nsmallest({n}, 'f')", df=f)
        agree(f"df['i'].nlargest({n})", df=f)
        agree(f"df['f'].nsmallest({n})", df=f)


@given(frames(i="int?", f="float?", s="str?", k="int", max_rows=12))
def test_by_a_function_of_the_keys(f):
    for key in ("lambda s: s", "lambda s: -s", "abs"):
        agree(f"df.sort_values('f', key={key}, kind='stable')", df=f)
        agree(f"df['f'].sort_values(key={key}, kind='stable', na_position='first')", df=f)
        agree(f"df.sort_values(['f', 'k'], key={key}, ascending=[False, True])", df=f)
        agree(f"df.set_index('k').sort_index(key={key}, kind='stable')", df=f)
    agree("df.sort_values('s', key=lambda s: s.str.len(), kind='stable')", df=f)
    agree("df['s'].sort_values(key=lambda s: s.str.lower(), kind='stable')", df=f)


@given(frames(k="int", s="str", f="float?", v="int", max_rows=12))
def test_by_levels_of_labels(f):
    table = "df.set_index(['k', 's'])"
    for level in ("0", "'k'", "['s', 'k']"):
        agree(f"{table}.sort_index(level={level}, kind='stable')", df=f)
    agree(f"{table}.sort_index(ascending=[True, False], kind='stable')", df=f)
    agree(f"{table}.sort_index(level='k', sort_remaining=False, kind='stable')", df=f)
    for where in ("first", "last"):
        agree(f"df.set_index('f').sort_index(na_position='{where}', kind='stable')", df=f)
        agree(f"df.set_index('f').sort_index(ascending=False, na_position='{where}', kind='stable')", df=f)


def test_largest_by_two():
    df = pd.DataFrame({"a": [1, 3, 3, 2], "b": [4, 1, 2, 3]})
    agree("df.nlargest(2, ['a', 'b'])", df=df)
    agree("df.nsmallest(3, ['b', 'a'])", df=df)
    agree("df.sort_values('a', inplace=True) is None", df=df)


def test_infinities_zeros_and_nan():
    s = pd.Series([0.0, float("inf"), -0.0, float("nan"), -float("inf"), 5e-324, -5e-324, 1.0])
    for options in ("", "ascending=False", "na_position='first'"):
        agree(f"s.sort_values({options + ',' if options else ''}kind='stable')", s=s, signs=True)


def test_many_rows_of_sort_values():
    rows = 150_000
    df = pd.DataFrame(
        {
            "i": [i * 7919 % 100_003 - 50_000 for i in range(rows)],
            "f": [(i * 31 % 50_021) / 8 - 1000 for i in range(rows)],
            "s": [f"{i * 17 % 9973:x}" for i in range(rows)],
        }
    )
    for by in ("'i'", "'f'", "'s'", "['s', 'i']"):
        agree(f"df.sort_values({by}, kind='stable')", df=df)
        agree(f"df.sort_values({by}, kind='stable', ascending=False)", df=df)


@pytest.mark.parametrize(
    ("expression", "error", "says"),
    [
        ("df.sort_values('valu')", KeyError, "value"),
        ("df.sort_values(['value', 'nope'])", KeyError, "nope"),
        ("df.sort_values('value', na_position='middle')", ValueError, "middle"),
        ("df.sort_values(['value', 'k'], ascending=[True])", ValueError, ""),
        ("df.nlargest(2, 'nope')", KeyError, "nope"),
    ],
)
def test_errors_of_sort_values(expression, error, says):
    frame = ours(pd.DataFrame({"value": [2, 1], "k": [1, 2], "s": ["a", "b"]}))
    with pytest.raises(error, match=says or None):
        eval(expression, {"df": frame})


def test_labels_that_are_left_behind():
    """Rows that are numbered anew are those with labels, of few rows and of many, whatever is sorted."""
    random = np.random.default_rng(4)
    for rows in (0, 1, 7, 70_000):
        numbers = random.integers(-(1 << 40), 1 << 40, rows)
        floats = np.where(random.random(rows) < 0.1, np.nan, random.standard_normal(rows))
        texts = pd.Series(random.choice(["b", "a", "", "some longer text", "c"], rows), dtype="str")
        texts = texts.where(random.random(rows) < 0.9)
        frame = pd.DataFrame(
            {
                "i": numbers,
                "few": random.integers(0, 9, rows, dtype=np.int16),
                "f": floats,
                "whole": random.standard_normal(rows),
                "t": numbers.astype("datetime64[ns]"),
                "s": texts,
            }
        )
        frame.index = pd.Index(np.arange(rows) * 3 % 1001, name="label")
        for label in frame:
            for options in ("ascending=True", "ascending=False", "ascending=False, na_position='first'"):
                options += ", kind='stable', ignore_index=True"
                agree(f"df[{label!r}].sort_values({options})", df=frame)
                agree(f"df[[{label!r}]].sort_values({label!r}, {options})", df=frame)
        agree("df.sort_values(['few', 's', 'f'], kind='stable', ignore_index=True)", df=frame)
        agree("df.sort_values('few', kind='stable', ignore_index=True)", df=frame)


@pytest.mark.parametrize(
    ("statement", "error", "text"),
    [
        (
            "s.sort_values(inplace='no')",
            ValueError,
            'For argument "inplace" expected type bool, received type',
        ),
        (
            "s.sort_values(ascending='False')",
            ValueError,
            'For argument "ascending" expected type bool, received',
        ),
        ("s.sort_index(ascending=None)", ValueError, 'For argument "ascending" expected type bool, received'),
        (
            "s.to_frame().sort_values(0, ascending='yes')",
            ValueError,
            'For argument "ascending" expected type bool, received',
        ),
    ],
)
def test_arguments_that_are_no_truth_values_are_refused(statement, error, text):
    agree(statement, refused=(error, text), **SMALL)


@pytest.mark.parametrize(
    "program",
    [
        "df.sort_values([])",
        "df[::-1].sort_values(by=[], ignore_index=True)",
    ],
)
def test_sorting_by_nothing_keeps_the_order(program: str) -> None:
    agree(program, **SMALL)


def test_sort_index_takes_tuples_of_levels() -> None:
    agree(
        "df.set_index(lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])).sort_index(level=(0, 1), ascending=(False, True))",
        **SMALL,
    )


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        (
            "df.sort_values('a', ascending='False')",
            ValueError,
            'For argument "ascending" expected type bool, received',
        ),
        (
            "df.sort_values(['a', 'b'], ascending=[True, None])",
            ValueError,
            'For argument "ascending" expected type bool, received',
        ),
        (
            "df.sort_index(ascending=None)",
            ValueError,
            'For argument "ascending" expected type bool, received',
        ),
        (
            "df['a'].sort_values(ascending='yes')",
            ValueError,
            'For argument "ascending" expected type bool, received',
        ),
        ("df.astype({'a': str}).nlargest(1, 'a')", TypeError, "Cannot use method 'nlargest' with dtype str"),
        ("df['a'].astype(str).nsmallest(1)", TypeError, "Cannot use method 'nsmallest' with dtype str"),
    ],
)
def test_ascending_and_types_that_are_refused(code, error, text):
    agree(code, refused=(error, text), df=FLOATS)


@pytest.mark.parametrize("level", [0, "k", "other", 7, -2, ["q", "r"]])
def test_labels_of_one_level_are_sorted_by_it(level):
    one = pd.DataFrame({"b": [2, 1], "a": [3, 4]}, index=pd.Index([5, 4], name="k"))
    for kind in ("df", "df.b"):
        agree(f"{kind}.sort_index(level={level!r})", df=one)
        agree(f"{kind}.sort_index(level={level!r}, ascending=False)", df=one)
    agree(f"df.sort_index(axis=1, level={level!r})", df=one)
