"""Labels that repeat: columns are told apart by position, and what matches by label refuses them as pandas does."""

import warnings

import numpy as np
import oracle
import pandas as pd
import pytest

import cuprum

MIXED = pd.DataFrame([[1, "x", 2], [3, "y", 4]], columns=["a", "b", "a"])
PLAIN = pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])
GAPS = pd.DataFrame([[np.nan, 1.0], [2.0, np.nan]], columns=["a", "a"])
UNIQUE = pd.DataFrame({"a": [np.nan, 5.0], "b": [3.0, np.nan]})
TWICE = pd.Series([1.0, 2.0], index=["a", "a"])
FRAMES = {"mixed": MIXED, "plain": PLAIN, "gaps": GAPS, "unique": UNIQUE, "twice": TWICE}


def _set(obj, key, value):
    obj[key] = value


def _changed(frame, key, value, by="loc"):
    _set(getattr(frame, by), key, value)
    return frame


@pytest.mark.parametrize("code", [
    "mixed.iloc[0]['b']", "list(mixed.iloc[0]['a'])", "list(mixed.iloc[0].a)", "list(mixed.iloc[0].get('a'))",
    "list(mixed.iloc[0].loc['a'])", "list(mixed.iloc[0].loc[['b', 'a']])", "list(mixed.iloc[0].iloc[[0, 2]])",
    "mixed.iloc[0].iloc[2]", "mixed.iloc[0].to_dict()", "list(mixed.dtypes['a'])",
    "list(mixed[['a', 'a', 'b']].iloc[0].loc['a':'b'])", "list(mixed.iloc[0].drop('b'))",
])  # fmt: skip
def test_rows_have_all_values_under_a_label(code: str) -> None:
    oracle.agree(code, **FRAMES)


@pytest.mark.parametrize("value", [7, [7, 8]])
def test_a_row_is_set_under_a_label(value: object) -> None:
    def after(lib, mixed):
        row = mixed.iloc[0]
        row["a"] = value
        return list(row)

    oracle.agree(after, mixed=MIXED)
    row = cuprum.DataFrame(MIXED).iloc[0]
    with pytest.raises(ValueError, match="sequence"):
        row["a"] = [1, 2, 3]


def test_a_slice_from_a_label_that_is_at_two_places_is_refused() -> None:
    for lib in (pd, cuprum):
        with pytest.raises(KeyError, match="left slice bound"):
            lib.DataFrame(MIXED).iloc[0].loc["a":"b"]


@pytest.mark.parametrize("code", [
    "plain.quantile([0.5])", "plain.quantile([0.25, 0.5], interpolation='lower')", "plain.quantile(0.5)",
    "mixed.quantile([0.5], numeric_only=True)",
    "unique.fillna(twice)", "gaps.fillna(twice)", "gaps.fillna({'a': 7.0})", "gaps.fillna(twice, limit=1)",
    "gaps.fillna(lib.DataFrame({'a': [9.0, 8.0]}))", "gaps.fillna(gaps.fillna(5.0))",
    "gaps.dropna(subset=['a'])", "gaps.dropna(subset=['a'], how='all')",
    "plain.clip(lower=twice, axis=1)", "plain.clip(lower=lib.Series([2], index=['a']), axis=1)",
    "plain.clip(lower=lib.DataFrame([[2, 3], [3, 9]], columns=['a', 'a']))",
    "plain.where(plain > 3, lib.Series([7, 8], index=['a', 'a']), axis=1)",
    "plain.mask(plain > 3, lib.Series([9], index=['a']), axis=1)",
    "(plain * 1.26).round({'a': 1})", "(plain * 1.26).round(lib.Series([1], index=['a']))",
    "plain.astype({'a': 'float32'})", "mixed.astype({'a': float, 'b': object if False else str})",
    "plain.replace({'a': {1: 9}})", "plain.replace({'a': 1}, 9)", "mixed.replace(1, {'a': 7})",
    "plain.agg({'a': 'sum'})", "plain.agg({'a': ['sum', 'min']})", "plain.agg(['sum', 'min'])",
    "plain.agg([lambda s: s.sum()])", "plain.agg({'a': lambda s: s.sum() + s.min()})",
    "plain.apply({'a': 'sum'})", "plain.apply(['sum'])", "plain.apply([lambda s: s + 1])",
    "plain.combine_first(plain)", "gaps.combine_first(gaps.fillna(5.0))", "plain.combine(plain, lambda x, y: x + y)",
    "plain.drop_duplicates('a')", "plain.duplicated('a')", "plain.rolling(2).agg(['sum', 'min'])",
    "lib.get_dummies(lib.DataFrame([['x', 'y']], columns=['a', 'a']))",
    "lib.get_dummies(lib.DataFrame([['x', 1, 'y']], columns=['a', 'b', 'a']), prefix=['p', 'q'])",
])  # fmt: skip
def test_columns_of_one_label_are_told_apart(code: str) -> None:
    oracle.agree(code, **FRAMES)


@pytest.mark.parametrize("by", ["loc", "iloc"])
def test_a_row_is_set_to_a_row_with_the_same_labels(by: str) -> None:
    oracle.agree(lambda lib, mixed: _changed(mixed, 0, getattr(mixed, by)[1], by), mixed=MIXED)
    frame = cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    with pytest.raises(ValueError, match="duplicate labels"):
        frame.loc[0] = cuprum.DataFrame(MIXED).loc[1]


@pytest.mark.parametrize("code", [
    "unique.clip(lower=twice, axis=1)", "unique.where(unique > 3, twice, axis=1)",
    "unique.mask(unique > 3, twice, axis=1)", "unique.where(twice > 1, 5, axis=1)",
    "unique.clip(lower=lib.DataFrame([[1, 2], [3, 4]], columns=['a', 'a']))",
    "unique.fillna(lib.DataFrame([[1.0, 2.0], [3.0, 4.0]], columns=['a', 'a']))",
    "unique.astype(lib.Series(['float32', 'float64'], index=['a', 'a']))",
    "unique['a'].astype(lib.Series(['float32', 'float64'], index=['a', 'a']))",
    "lib.DataFrame([twice])", "lib.DataFrame([twice, lib.Series([1.0, 2.0], index=['a', 'b'])])",
    "lib.Series(['a', 'b'], dtype='category').cat.rename_categories(lib.Series(['x', 'y'], index=['a', 'a']))",
])  # fmt: skip
def test_what_pandas_refuses_is_refused(code: str) -> None:
    def run(lib):
        return oracle.run(code, lib, {name: getattr(lib, type(f).__name__)(f) for name, f in FRAMES.items()})

    for lib in (pd, cuprum):
        kinds = (ValueError, KeyError, TypeError, cuprum.errors.InvalidIndexError)
        with pytest.raises(kinds), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run(lib)


GROUPED = pd.DataFrame(
    [[1, "x", 2.5], [3, "y", 4.0], [5, "x", None], [7, None, 1.0]],
    columns=["a", "b", "a"],
    index=[3, 1, 2, 0],
)
NAMES = [
    "sum",
    "mean",
    "median",
    "min",
    "max",
    "first",
    "last",
    "std",
    "var",
    "sem",
    "count",
    "nunique",
    "prod",
]
FOR_ROWS = ["cumsum", "cummax", "shift", "diff", "rank", "ffill", "bfill", "pct_change"]


@pytest.mark.parametrize("name", [*NAMES, *FOR_ROWS, "any", "all", "describe", "size", "ngroup"])
@pytest.mark.parametrize("options", [{}, {"as_index": False}])
def test_groups_of_columns_of_one_label(name: str, options: dict[str, bool]) -> None:
    oracle.agree(lambda lib, df: getattr(df.groupby("b", **options), name)(), df=GROUPED)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code", [
    "g.agg('max')", "g.agg(['sum', 'min'])", "g.agg({'a': 'sum'})", "g.agg({'a': ['sum', 'max']})",
    "g.agg(lambda s: s.max() - s.min())", "g.transform('sum')", "g.transform(lambda s: s - s.mean())",
    "g.quantile(0.5)", "g.idxmax()", "g[['a']].sum()", "g['a'].sum()", "g.head(1)", "g.get_group('x')",
    "g.apply(lambda rows: rows.sum())", "[list(rows.columns) for _, rows in g]", "g.ngroups", "list(g.indices)",
])  # fmt: skip
def test_functions_of_groups_of_columns_of_one_label(code: str) -> None:
    def run(lib, df):
        return eval(code, {"g": df.groupby("b")})

    oracle.agree(run, df=GROUPED)


def test_one_of_columns_of_one_label_is_no_key_and_no_input_of_a_named_result() -> None:
    groups = cuprum.DataFrame(GROUPED).groupby("b")
    with pytest.raises(ValueError, match="not unique"):
        groups.agg(x=("a", "sum"))
    with pytest.raises(ValueError, match="not unique"):
        cuprum.DataFrame(GROUPED).groupby("a").sum()
