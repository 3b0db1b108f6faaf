"""Chained assignment changes nothing, and a warning says so where pandas warns."""

import operator
import warnings
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import cuprum

LOST = [
    "df['a'][0] = 5.0", "df['a'].loc[0] = 5.0", "df['a'].iloc[0] = 5.0", "df['a'].at[0] = 5.0", "df['a'].iat[0] = 5.0",
    "df.a[0] = 5.0", "df[['a', 'b']]['a'] = 5.0", "df[df.a > 0]['a'] = 5.0", "df.loc[0:1]['a'] = 5.0",
    "df[['a']].iloc[0] = 5.0", "df['a'].fillna(0.0, inplace=True)", "df['a'].replace(1.0, 2.0, inplace=True)",
    "df['a'].clip(0, 1, inplace=True)", "df['a'].mask(df.a > 0, 1.0, inplace=True)",
    "df['a'].where(df.a > 0, 1.0, inplace=True)", "df['a'].ffill(inplace=True)", "df['a'].bfill(inplace=True)",
    "df['a'].interpolate(inplace=True)", "df['a'].update(df.b)", "df[['a']].fillna(0.0, inplace=True)",
    "df[['a']].replace(1.0, 2.0, inplace=True)", "df[['a']].where(df > 0, 1.0, inplace=True)", "df[['a']].update(df)",
]  # fmt: skip
KEPT = [
    "df['a'] = 5.0", "df.loc[0, 'a'] = 5.0", "df.iloc[0, 0] = 5.0", "df.at[0, 'a'] = 5.0", "df.iat[0, 0] = 5.0",
    "df.loc[0] = 5.0", "df.a = 5.0", "df.fillna(0.0, inplace=True)", "df[df > 1] = 0.0", "df[['a', 'b']] = 1.0",
    "s = df['a']; s[0] = 5.0", "s = df['a']; s.fillna(0.0, inplace=True)", "s = df['a']; s.loc[0] = 1.0",
    "x = [df['a']]; x[0][0] = 5.0", "x = [df['a']]; x[0].fillna(0.0, inplace=True)", "operator.setitem(df, 'a', 5.0)",
    "df.__setitem__('a', 5.0)", "[d.fillna(0.0, inplace=True) for d in [df]]", "df.mask(df > 1, 0.0, inplace=True)",
    "(lambda d: d.__setitem__('z', 1))(df)", "df.update(df)", "df['c'] = df['a'].fillna(0.0)",
    "df['a'].copy(deep=False)",
]  # fmt: skip


def program(code: str, local: bool) -> Callable[[Any], None]:
    """Return a function that runs a line as a module or as a function does."""
    if not local:
        return lambda df: exec(code, {"df": df, "operator": operator})
    names: dict[str, Any] = {"operator": operator}
    exec(f"def run(df):\n    {code}", names)
    return names["run"]  # type: ignore[no-any-return]


def frames() -> list[Any]:
    plain = {"a": [1.0, None, 3.0], "b": [1.0, None, 3.0]}
    return [lib.DataFrame(plain) for lib in (cuprum, pd)]


@pytest.mark.parametrize("code", ["df.iloc[0]['a'] = 5.0", "df.loc[0]['a'] = 5.0", "df.loc[0].loc['a'] = 5.0",
                                  "df.iloc[0].iloc[0] = 5.0", "df.loc[0].at['a'] = 5.0"])  # fmt: skip
@pytest.mark.parametrize("values", [[1.0, 2.0], ["x", "y"]])
def test_elements_of_rows_are_lost(code: str, values: list[Any]) -> None:
    for lib in (cuprum, pd):
        with pytest.warns(pd.errors.ChainedAssignmentError):
            program(code, True)(lib.DataFrame({"a": [1.0, 2.0], "b": values}))
    row = cuprum.DataFrame({"a": [1.0], "b": ["x"]}).iloc[0]
    row["a"] = 5.0
    row.loc["b"] = "y"
    assert list(row) == [5.0, "y"]


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("code", LOST)
def test_what_is_lost_is_warned_of(code: str, local: bool) -> None:
    for frame in frames():
        before = frame.copy()
        with pytest.warns(pd.errors.ChainedAssignmentError) as caught:
            program(code, local)(frame)
        assert len(caught) == 1
        assert caught[0].filename == "<string>"
        assert frame.equals(before)


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("code", KEPT)
def test_all_else_is_not(code: str, local: bool) -> None:
    for frame in frames():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            program(code, local)(frame)


def test_writes_that_show_elsewhere_are_not_lost() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        series = cuprum.Series([1, 2])
        series.copy(deep=False)[0] = 10
    assert series.to_list() == [10, 2]
