"""`rename`, `rename_axis` and `set_names`: labels and names of levels."""

import pandas as pd
import pytest
from oracle import SMALL, agree, ours
from small_frames import FLOATS, ROWS

import cuprum


def test_rename_takes_a_series():
    agree("lib.Series([1, 2, 3]).rename(lib.Series({1: 10, 2: 20}))", **SMALL)


def test_rename_refuses_a_series_with_repeated_labels() -> None:
    agree(
        "df['a'].rename(lib.Series(['x', 'y', 'z'], index=[0, 0, 1]))",
        refused=(ValueError, "Cannot rename with a Series with non-unique index"),
        **SMALL,
    )


def test_an_index_of_one_level_takes_no_level():
    agree(
        lambda lib: lib.Index([1]).set_names("a", level=0),
        refused=(ValueError, "Level must be None for non-MultiIndex"),
    )


def test_rename_of_columns_refuses_repeated_labels():
    agree(
        "df.rename(columns=lib.Series(['x', 'y'], index=['a', 'a']))",
        refused=(ValueError, "Cannot rename with a Series with non-unique index"),
        df=FLOATS,
    )


@pytest.mark.parametrize(
    "expression",
    [
        "df.rename(index={'x': 'X'})",
        "df.rename(index={2: 20}, level='n')",
        "df.rename(index={'x': 'X', 1: 10}, level=0)",
        "df.rename(index=str)",
        "df.v.rename({'x': 'X'})",
        "df.v.rename({1: 5}, level=1)",
        "df.add_prefix('z', axis=0)",
        "df.v.add_prefix('z')",
        "df.v.add_suffix('z')",
    ],
)
def test_parts_of_row_labels_are_renamed(expression):
    agree(expression, df=ROWS)


def test_labels_that_are_not_there_are_not_renamed():
    for df in (ROWS, cuprum.DataFrame(ROWS)):
        with pytest.raises(KeyError, match="q"):
            df.rename(index={"q": 1}, errors="raise")
        with pytest.raises(KeyError):
            df.rename(index={"x": 1}, level="n", errors="raise")
        with pytest.raises(KeyError) as refused:
            df.rename(columns={"z": 1}, errors="raise")
        assert refused.value.args == ("['z'] not found in axis",)


TITLED = pd.DataFrame({"a": [1, 2]}, index=pd.Index([5, 6], name="r")).rename_axis("c", axis=1)


@pytest.mark.parametrize(
    "names",
    [
        "columns=None",
        "None, axis=1",
        "index=None",
        "None",
        "'n'",
        "'n', axis=1",
        "index={'r': 's'}",
        "columns={'c': 'd'}",
        "columns=str.upper",
        "index=str.upper, columns='n'",
        "index=None, columns='n'",
        "['n']",
        "columns=['n']",
        "",
    ],
)
def test_rename_axis_of_one_axis_leaves_the_other(names):
    agree(f"d.rename_axis({names})", d=TITLED)


LEVELS = pd.DataFrame(
    {"a": range(4)}, index=pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["i", "j"])
)


@pytest.mark.parametrize("names", ["index={'i': 's'}", "['p', 'q']", "columns='c'", "index=str.upper", ""])
def test_rename_axis_of_levels(names):
    agree(f"d.rename_axis({names})", d=LEVELS)
    if "columns" not in names:
        agree(f"d.a.rename_axis({names})", d=LEVELS)


@pytest.mark.parametrize(
    "code",
    [
        "d.rename_axis({'r': 's'})",
        "d.rename_axis(str.upper)",
        "d.a.rename_axis({'r': 's'})",
        "d.rename({'a': 'q'}, axis=1, index={5: 1})",
        "d.rename({5: 9}, columns={'a': 'q'})",
        "d.rename(index={5: 1}, axis=0)",
        "d.rename({5: 9}, index={5: 1})",
    ],
)
def test_names_are_given_in_one_way(code):
    for frame in (TITLED, cuprum.DataFrame(TITLED)):
        with pytest.raises((TypeError, ValueError), match=r"rename|Cannot specify both"):
            eval(code, {"d": frame})


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("df.rename_axis(columns=['c1', 'c2'])", ValueError),
        ("df.rename_axis(index=['c1', 'c2'])", ValueError),
        ("df.index.set_names(('i', 'j'))", ValueError),
        ("df.index.set_names({'i': 'j'})", TypeError),
        ("df.index.rename(['i'])", TypeError),
        ("df.set_index(range(2))", KeyError),
        ("df.set_index(['a', 'b']).index.rename('zz')", TypeError),
        ("df.set_index(['a', 'b']).index.set_names('zz')", TypeError),
        ("df.set_index(['a', 'b']).index.set_names(['z'])", ValueError),
        ("df.set_index(['a', 'b']).index.to_frame(name='z')", TypeError),
        ("df.set_index(['a', 'b']).index.to_frame(name=['z'])", ValueError),
    ],
)
def test_names_are_as_many_as_levels(code, error):
    df = pd.DataFrame({"a": [1, 2], "b": [3, 4]})
    for frame in (df, ours(df)):
        with pytest.raises(error):
            eval(code, {"df": frame})


NAMED_ROWS = pd.Series(
    [1.0, 2.0, 3.0], pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1)], names=["k", "n"]), name="v"
)


@pytest.mark.parametrize(
    "code",
    [
        "m.set_names({'k': 'q'})",
        "m.set_names('q', level='n')",
        "m.set_names(['q', 'r'], level=[1, 0])",
        "m.rename(['q', None])",
        "m.get_level_values(0).rename(('i', 'j'))",
        "m.map(lambda label: label)",
        "m.get_level_values('k').map(lambda label: (label, label))",
    ],
)
def test_names_of_the_levels_of_an_index(code):
    agree(code, m=NAMED_ROWS.index)
