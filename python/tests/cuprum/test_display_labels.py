"""Printed labels of rows and columns: levels, names, signs, blanks and missing ones."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree
from small_frames import SIZES

import cuprum


@pytest.mark.parametrize(
    "program",
    [
        # Labels and names stand on one line.
        "repr(lib.DataFrame({'a\\n\\tb': ['x\\ty']}, index=lib.Index(['i\\rj'], name='n\\tm')))",
        "lib.DataFrame({'a\\tb': [1]}).rename_axis(columns='q\\tr').to_string()",
        "lib.DataFrame({('a\\tb', 'c\\td'): ['x\\ty']}).to_string()",
        "repr(lib.Series([1], name=('a\\tb', 'c'), index=lib.MultiIndex.from_tuples([('u\\tv', 1)], names=['q\\tr', None])))",
        "lib.DataFrame({'a\\tb': [1]}, index=lib.Index([0], name='n\\tm')).to_html()",
        "lib.DataFrame({('a\\tb', 'c\\td'): [1]}).to_html()",
    ],
)
def test_labels_and_names_are_printed_in_one_line(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize("name", ["a\n\r\td", "a b", None, 5, ("a\n", 1)], ids=repr)
def test_names_are_printed_in_one_line(name: Any) -> None:
    ours, theirs = (repr(lib.Series(["a\n\r\tb"], index=["c\n"], name=name)) for lib in (cuprum, pd))
    assert ours == theirs


TABLES = pd.DataFrame(
    {"A": list("xyxy"), "B": ["one", "two", "three", "one"], "C": [1.0, 20.5, 3, 4], "D": range(4)}
)


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby('A')[['C', 'D']].agg(['sum', 'mean', 'std'])",
        "df.groupby('A').agg({'C': ['min', 'max'], 'D': 'sum'})",
        "df.groupby('A')[['C', 'D']].describe()",
        "df.groupby(['A', 'B']).sum().unstack(fill_value=0)",
        "lib.crosstab(df.A, [df.B, df.D % 2])",
        "df.pivot_table(values=['C', 'D'], index='A', columns='B', aggfunc='sum', fill_value=0)",
        "df.groupby('A')[['D']].agg(['sum', 'count']).reset_index()",
    ],
)
@pytest.mark.parametrize("index", [True, False])
def test_labels_of_several_levels_are_printed_without_a_place_for_a_sign(code, index):
    agree(f"({code}).to_string(index={index})", df=TABLES)
    if index and "describe" not in code:  # which is wider than a line
        agree(f"repr({code})", df=TABLES)


TWO_BY_TWO = pd.DataFrame(
    np.arange(16).reshape(4, 4),
    index=pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["u", "v"]),
    columns=pd.MultiIndex.from_product([["X", "Y"], ["p", "q"]], names=["s", "t"]),
)


@pytest.mark.parametrize(
    "code",
    [
        "df",
        "df['X']",
        "df.T",
        "df.stack()",
        "df.xs('p', axis=1, level='t')",
        "df.rename_axis(columns=['a long name', 't'])",
        "df.reset_index()",
        "df['X'].rename_axis(columns='name')",
    ],
)
def test_names_of_levels_of_columns_are_printed_once(code):
    agree(f"repr({code})", df=TWO_BY_TWO)


@pytest.mark.parametrize(
    "labels",
    [[5, -3, 10], [1.5, -3.25, 20.0], [-1, -2, -3], ["  b ", "a", " c"], [True, False, True], [5, 10, 20]],
)
def test_row_labels_keep_places_of_signs_and_spaces_of_their_own(labels):
    agree("repr(s)", s=pd.Series([1, 2, 3], index=labels))
    agree("repr(s.to_frame('a'))", s=pd.Series([1, 2, 3], index=labels))
    agree("repr(s)", s=pd.Series([1, 2, 3], index=pd.MultiIndex.from_arrays([labels, list("xyy")])))


@pytest.mark.parametrize(
    "inner", [[True, False, True], [1.5, 10.0, 100.0], [1, 10, 100], ["a", "bb", "c"], [True, True, True]]
)
def test_numbers_in_headers_are_equally_wide(inner):
    frame = pd.DataFrame(
        [[1, 2, 3]], columns=pd.MultiIndex.from_arrays([list("aab"), inner], names=["x", "yy"])
    )
    agree("repr(df)", df=frame)
    agree("repr(df.swaplevel(axis=1))", df=frame)
    agree("repr(df)", df=pd.DataFrame([[1, 2, 3]], columns=inner))
    agree("repr(df)", df=pd.DataFrame([list("abc")], columns=inner))


def test_missing_texts_in_levels():
    frame = pd.DataFrame({"c": ["x", None, "y"], "n": [1.0, None, 2.0], "v": [1, 2, 3]})
    agree("repr(df.set_index(['c', 'n']))", df=frame)
    agree("repr(df.set_index(['n', 'c']).v)", df=frame)
    agree("repr(df.set_index('c'))", df=frame)


def test_rows_of_several_types_are_printed_with_the_levels_of_their_labels():
    frame = TWO_BY_TWO.astype({("X", "p"): str})
    agree("repr(df.iloc[1])", df=frame)
    agree("repr(df.loc[('B', 2)])", df=frame)
    agree("repr(df.idxmax())", df=TWO_BY_TWO)
    mixed = SIZES.set_index(["v", "k"])[["t"]].assign(s="a")
    agree("repr(df.loc[(1, 'x')])", df=mixed)


WITH_GAPS = pd.DataFrame({"g": list("aab"), "z": ["q", None, "r"], "n": [1.5, None, 2]})


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby(['g', 'z'], dropna=False).n.sum()",
        "df.groupby(['z', 'g'], dropna=False).n.sum()",
        "df.groupby(['g', 'z'], dropna=False).n.sum().iloc[:2]",
        "df.value_counts(['g', 'z'], dropna=False)",
        "df.astype({'z': 'category'}).groupby(['g', 'z'], dropna=False, observed=True).n.sum()",
        "df.set_index(['g', 'z']).n",
        "df.pivot_table(index=['g', 'z'], values='n', dropna=False)",
        "df.set_index(['g', 'z']).head(0).index",
        "df.set_index(lib.Index([1, 2, 3], name=('A', 'u')))",
        "df.n.rename(('A', 1.5))",
        "lib.DataFrame({('a', 'b'): [1, 2], 'x': [3, 4]})",
        "lib.DataFrame({('a', 'b'): [1, 2], 'x': [3, 4]}).sum()",
        "lib.DataFrame({'x': [1]}, columns=lib.Index(['x'], name=('A', 'u'))).to_html()",
    ],
)
def test_missing_labels_and_tuples_are_printed(code):
    def printed(lib, df):
        made = eval(code, {"lib": lib, "df": df})
        return [made if isinstance(made, str) else repr(made)]

    agree(printed, df=WITH_GAPS)


def test_missing_integers_in_an_index():
    assert repr(cuprum.Index([1, None])) == "Index([1, <NA>], dtype='int64')"


@pytest.mark.parametrize(
    "code",
    [
        *(f"lib.DataFrame(np.arange(60).reshape(3, 20)).to_string(max_cols={most})" for most in (1, 2, 3, 5)),
        *(f"lib.DataFrame(np.arange(60).reshape(3, 20)).to_html(max_cols={most})" for most in (1, 3)),
        "lib.DataFrame([[1, 2]], columns=[-1, 0])",
        "lib.DataFrame([[1, 2]], columns=[-1, 10])",
        "lib.DataFrame([['x', 2]], columns=[10, -1], index=[-5])",
        "lib.DataFrame([[1, 2]], columns=[1.5, -2.5])",
        "lib.DataFrame({'a': range(100)})[[]]",
        "lib.DataFrame({'a': range(9)})[[]]",
        "lib.cut(lib.Series([1, 5, 9, None]), [0, 3, 6, 10]).to_string()",
        "lib.cut(lib.Series([1, 5, 9]), [0, 3, 6, 10])",
        "lib.DataFrame({'b': lib.cut(lib.Series([1, None]), [0, 3, 6])})",
        "lib.MultiIndex.from_product([range(40), ['a', 'b', 'c']])",
        "lib.to_timedelta(['1h', None])",
        "lib.to_datetime(['2024-01-01T00:00:00+02:00'])",
        "lib.Series(lib.to_datetime(['2024-01-01T00:00:00-05:30']))",
        "lib.Series(lib.to_datetime(['2024-01-01'])).dt.tz_localize('+03:00').dtype",
    ],
)
def test_labels_of_many_columns_are_printed_to_the_letter(code):
    agree(f"repr({code})")
