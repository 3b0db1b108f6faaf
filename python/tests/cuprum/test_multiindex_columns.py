"""Columns of several levels."""

import pandas as pd
import pytest
from oracle import agree

import cuprum

UPPER = pd.DataFrame(
    [[1, 2, 3, 4]] * 2,
    columns=pd.MultiIndex.from_tuples([("A", "u"), ("A", "v"), ("D", ""), ("E", "w")], names=["top", "sub"]),
)


@pytest.mark.parametrize(
    "code",
    [
        "df['D']",
        "df.D",
        "df.A",
        "df.A.u",
        "df['E']",
        "df.loc[:, 'D']",
        "df.loc[0, 'D']",
        "df.loc[df['D'] > 5, 'D']",
        "df[['D']]",
        "df.xs('D', axis=1)",
        "df.get('D')",
        "df.sort_values('D')",
        "df.groupby('D').sum()",
        "df.set_index('D')",
        "df.drop(columns='D')",
        "df.assign(F=5)['F']",
    ],
)
def test_columns_whose_inner_labels_are_empty(code):
    agree(code, df=UPPER)


def test_columns_below_a_label_are_no_column_of_its_name():
    df = cuprum.from_pandas(UPPER)
    assert df["E"].columns.to_list() == ["w"]
    with pytest.raises(AttributeError, match="'zz'"):
        _ = df.zz


NESTED = pd.DataFrame(
    [[1, 2.0, 3], [4, 5.0, 6]],
    columns=pd.MultiIndex.from_tuples([("x", "p"), ("x", "q"), ("y", "p")], names=["o", "i"]),
)


@pytest.mark.parametrize(
    "expression",
    [
        "df.columns",
        "df.columns.get_level_values(0)",
        "df.columns.get_level_values('i')",
        "df.columns.droplevel(0)",
        "df.columns.nlevels",
        "df.columns.to_flat_index()",
        "df.columns.map('_'.join)",
        "['_'.join(c) for c in df.columns]",
        "[list(level) for level in df.columns.levels]",
        "('x', 'p') in df.columns, ('x', 'z') in df.columns",
        "df['x']",
        "df[('x', 'p')]",
        "df['x']['q']",
        "df.loc[:, 'x']",
        "df.loc[0, 'x']",
        "df.loc[:, ('x', 'q')]",
        "df.loc[:, (slice(None), 'p')]",
        "df.loc[:, (['x', 'y'], 'p')]",
        "df.loc[:, ('x', ['q'])]",
        "df.loc[:, (['x'], ['p'])]",
        "df.loc[:, (['x'], slice(None))]",
        "df.loc[:, ('x', slice('p', 'q'))]",
        "df.loc[:, ['x']]",
        "df.loc[:, [('y', 'p'), ('x', 'p')]]",
        "df.loc[:, 'x':'y']",
        "df.loc[:, ('x', 'q'):]",
        "df.loc[:, ::2]",
        "df.drop(columns='x')",
        "df.drop(columns=[('x', 'p')])",
        "df.sum()",
        "df.mean(axis=1)",
        "df - df.mean()",
        "df + df['x'].sum().sum()",
        "df.T",
        "df.add_prefix('z')",
        "df.add_suffix('z')",
        "df.rename(columns={'p': 'P'})",
        "df.rename(columns={'p': 'P'}, level=1)",
        "df.rename(columns={'p': 'P'}, level='o')",
        "df.rename(columns=str.upper)",
        "df.reset_index()",
        "df.reset_index(col_level=1, col_fill='f')",
        "df.reset_index(col_level='i')",
        "df.rename_axis('w').reset_index(col_level=1)",
    ],
)
def test_hierarchical_columns(expression):
    agree(expression, df=NESTED)


def test_means_of_columns_of_two_levels_are_found():
    df = pd.DataFrame({"k": [1, 1, 2], "v": [1, 2, 3], "w": [4.0, 5.0, 6.0]})
    code = "(lambda g: g - g.mean())(df.groupby('k').agg({'v': ['min', 'max'], 'w': ['min']}))"
    agree(code, df=df)
    agree("df.groupby('k').agg({'v': ['min', 'max']}).loc[:, 'v']", df=df)
    mixed = pd.DataFrame({0: [1, 2], "a": [3, 4]})
    agree("df - df.mean()", df=mixed)
