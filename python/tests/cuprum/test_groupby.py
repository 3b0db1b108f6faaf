"""Groups: every aggregation by every kind of key, in all of pandas' spellings."""

import math

import numpy as np
import pandas as pd
import pytest
from oracle import agree, frames, given, ours
from small_frames import SOME_MISSING

import cuprum

AGGREGATIONS = [
    "sum",
    "mean",
    "count",
    "size",
    "min",
    "max",
    "std",
    "var",
    "median",
    "nunique",
    "first",
    "last",
]
KEYS = {
    "int": {"k": "int"},
    "int with gaps": {"k": "int?"},
    "text": {"k": "str?"},
    "float": {"k": "float?"},
    "bool": {"k": "bool"},
    "time": {"k": "time?"},
    "two": {"k": "int", "l": "str"},
    "two with gaps": {"k": "int?", "l": "str?"},
    "three": {"k": "bool", "l": "int32", "m": "float?"},
}


@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
def test_every_aggregation_of_groups(keys):
    names = list(keys)

    @given(frames(**keys, i="int", j="int?", f="float?"))
    def check(f):
        for how in AGGREGATIONS:
            agree(f"df.groupby({names}).{how}()", df=f, kept=["j", "k"], rtol=1e-9)

    check()


@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize(
    "options", ["dropna=False", "sort=False", "as_index=False", "sort=False, dropna=False, as_index=False"]
)
def test_options_of_groups(keys, options):
    names = list(keys)

    @given(frames(**keys, i="int", f="float?"))
    def check(f):
        for how in ("sum", "mean", "size", "count", "first", "nunique"):
            agree(f"df.groupby({names}, {options}).{how}()", df=f, kept="k", rtol=1e-9)

    check()


@given(frames(k="int?", s="str?", t="time?", b="bool", i="int32", max_rows=20))
def test_values_of_other_types(f):
    for how in ("min", "max", "first", "last", "count", "nunique"):
        agree(f"df.groupby('k')[['s', 't']].{how}()", df=f, kept="k")
    agree("df.groupby('k')['b'].sum()", df=f, kept="k")
    agree("df.groupby('k')['b'].any()", df=f, kept="k")
    agree("df.groupby('k')['b'].all()", df=f, kept="k")
    agree("df.groupby('k')['i'].sum()", df=f, kept=["k", ...])
    agree("df.groupby('k')['i'].max()", df=f, kept="k")


@given(frames(k="str", f="float?", g="float"))
def test_of_one_column(f):
    for how in AGGREGATIONS:
        agree(f"df.groupby('k')['f'].{how}()", df=f, rtol=1e-9)
    agree("df.groupby('k').f.quantile(0.95)", df=f, rtol=1e-9)
    agree("df.groupby('k').f.agg('sum')", df=f)
    agree("df.groupby('k').f.agg(['sum', 'mean'])", df=f, rtol=1e-9)
    agree("df.groupby('k')[['f', 'g']].sum()", df=f)
    agree("df.groupby('k')['f'].transform('sum')", df=f)
    agree("df.groupby(df.k)['f'].max()", df=f)
    agree("df.f.groupby(df.k).sum()", df=f)


FRAME = pd.DataFrame(
    {
        "k": ["b", "a", "b", None, "a", "c"],
        "l": [1, 2, 1, 2, 1, 2],
        "f": [1.0, 2.5, None, 4.0, 5.25, -0.0],
        "i": [3, 1, 4, 1, 5, 9],
    }
)


@pytest.mark.parametrize(
    "expression",
    [
        "df.groupby('k').agg('sum')",
        "df.groupby('k').agg(['sum', 'max'])",
        "df.groupby('k').agg({'f': 'mean', 'i': 'max'})",
        "df.groupby('k').agg({'f': ['mean', 'count'], 'i': 'max'})",
        "df.groupby('k').agg({'f': ['mean', 'count'], 'i': ['max']})",
        "df.groupby('k').agg(x=('f', 'sum'), y=('i', 'count'))",
        "df.groupby('k').agg(x=lib.NamedAgg('f', 'sum'))",
        "df.groupby(['k', 'l']).agg(x=('f', 'sum'), y=('i', 'count'))",
        "df.groupby('k', as_index=False).agg(x=('f', 'sum'))",
        "df.groupby(['k', 'l'], as_index=False).agg({'f': 'sum'})",
        "df.groupby('k')['f'].agg(low='min', high='max')",
        "df.groupby('k')['f'].agg(['min', 'max'])",
        "df.groupby('k').f.aggregate('sum')",
        "df.groupby('k').size()",
        "df.groupby('k', as_index=False).size()",
        "df.groupby(['k', 'l']).size()",
        "df.groupby('k', dropna=False).size()",
        "df.groupby('k', sort=False)['i'].sum()",
        "df.groupby('k').ngroups",
        "len(df.groupby(['k', 'l']))",
        "df.groupby('k').ngroup()",
        "df.groupby('k').head(1)",
        "df.groupby('k').tail(1)",
        "df.groupby('k')['i'].transform('mean')",
        "df.groupby('k')[['f', 'i']].transform('sum')",
        "df.groupby('k').std(ddof=0, numeric_only=True)",
        "df.groupby('k').var(ddof=0)",
        "df.groupby('k').prod()",
        "df.groupby('k')['i'].median()",
        "df.groupby('k')['f'].quantile([0.25, 0.75])",
        "df.groupby('k').quantile(0.5)",
        "df.groupby('k').quantile([0.75, 0, 0.25])",
        "df.groupby('k')['f'].quantile(0.4, interpolation='lower')",
        "df.groupby('k')[['f', 'i']].quantile([0.4, 0.9], interpolation='midpoint')",
        "df.groupby('k')[['f', 'i']].skew()",
        "df.groupby('l')[['f', 'i']].kurt()",
        "df.groupby('k')[['f', 'i']].cov()",
        "df.groupby('l')[['f', 'i']].corr('spearman')",
        "df.groupby('k')['i'].idxmax()",
        "df.groupby('l').nth([0, -1])",
        "df.groupby('l').nth(slice(-3, None, 2))",
        "df.groupby('l').nth(0, dropna='any')",
        "df.groupby('k')['i'].value_counts()",
        "df.groupby(df.i % 2)['f'].sum()",
        "df.groupby([df.i % 2, 'k'])['f'].sum()",
        "df.groupby(level=0)['f'].sum()",
        "df.set_index('k').groupby(level='k')['f'].sum()",
        "df.set_index('k').groupby('k')['f'].sum()",
        "df.groupby('k').get_group('a')",
        "[(key, part['i'].sum()) for key, part in df.groupby('k')]",
        "sorted(df.groupby('k').groups)",
    ],
)
def test_spellings_of_groups(expression):
    agree(expression, df=FRAME, rtol=1e-9)


@pytest.mark.parametrize("how", AGGREGATIONS)
def test_aggregations_of_no_rows(how):
    agree(f"df.groupby('k').{how}()", df=FRAME.drop(columns="f").iloc[:0])
    agree(f"df.groupby('k')['f'].{how}()", df=FRAME.iloc[3:4])


def test_many_rows_and_groups():
    rows = 200_000
    df = pd.DataFrame(
        {
            "few": [i * 7919 % 13 for i in range(rows)],
            "many": [i * 7919 % 50_021 for i in range(rows)],
            "text": [f"key {i * 31 % 997}" for i in range(rows)],
            "v": [(i % 1009) / 4 for i in range(rows)],
        }
    )
    for keys in ("'few'", "'many'", "'text'", "['few', 'text']"):
        agree(
            f"df.groupby({keys})['v'].agg(['sum', 'mean', 'max', 'count', 'std', 'median'])", df=df, rtol=1e-9
        )


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("df.groupby('nope')", KeyError),
        ("df.groupby('k').agg('nope')", (ValueError, AttributeError)),
        ("df.groupby('k').agg({'nope': 'sum'})", KeyError),
        ("df.groupby('k')['nope']", KeyError),
        ("df.groupby([])", ValueError),
        ("df.groupby('i')['k'].mean()", TypeError),
    ],
)
def test_errors_of_groups(expression, error):

    with pytest.raises(error):
        eval(expression, {"df": ours(FRAME)})


@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "first", "last"])
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_min_count(name, count):
    agree(f"df.groupby('k').{name}(min_count={count})", df=SOME_MISSING[["k", "v", "n"]])
    agree(f"df.groupby('k').v.{name}(min_count={count})", df=SOME_MISSING)
    agree(f"df.groupby('k', sort=False)['v'].{name}(min_count={count})", df=SOME_MISSING.iloc[::-1])
    agree(f"df.groupby('k', as_index=False).{name}(min_count={count})", df=SOME_MISSING[["k", "v"]])
    agree(f"df.groupby('k').v.agg({name!r}, min_count={count})", df=SOME_MISSING)
    if name in ("first", "last"):
        agree(f"df.groupby('k').{name}(min_count={count})", df=SOME_MISSING)


@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "mean", "median", "std", "var"])
def test_skipna_of_aggregations_of_groups(name):
    agree(f"df.groupby('k').{name}(skipna=False)", df=SOME_MISSING[["k", "v", "n"]])
    agree(f"df.groupby('k').v.{name}(skipna=False)", df=SOME_MISSING)
    agree(f"df.groupby('k', as_index=False).{name}(skipna=False)", df=SOME_MISSING[["k", "v"]])


@pytest.mark.parametrize(
    "expression",
    [
        "g.agg('std', ddof=0)",
        "g.agg(['std', 'var'], ddof=0)",
        "g.v.agg('var', ddof=0)",
        "g.v.agg(['std'], ddof=0)",
        "g.v.agg('quantile', q=0.3)",
        "g[['v', 'n']].agg('sum', min_count=2)",
        "g.agg('mean', numeric_only=True)",
    ],
)
def test_arguments_of_aggregations_by_name(expression):
    df = SOME_MISSING[["k", "v", "n"]]
    agree(lambda lib, df: eval(expression, {"g": df.groupby("k")}), df=df)


def test_arguments_that_an_aggregation_does_not_take():
    g = cuprum.DataFrame({"k": [1, 1], "v": [1.0, 2]}).groupby("k")
    with pytest.raises(TypeError, match="'min_count'"):
        g.agg(["std"], min_count=2)
    # pandas leaves them out without a word.
    with pytest.raises(TypeError, match="ddof"):
        g.agg({"v": "std"}, ddof=0)


@pytest.mark.parametrize("how", ["mean", "median", "std", "var", "sum", "min", "max", "first"])
def test_groups_of_small_floats_stay_small(how):
    df = pd.DataFrame({"k": [1, 1, 2, 2], "f": np.array([1, 2.5, -1, 0], "f4")})
    agree(f"df.groupby('k').{how}()", df=df, rtol=1e-6)
    agree(f"df.groupby('k').f.agg('{how}')", df=df, rtol=1e-6)
    agree(f"df.groupby('k').f.transform('{how}')", df=df, rtol=1e-6)


@pytest.mark.parametrize("how", ["mean", "median", "std", "var", "sem", "sum", "prod"])
def test_statistics_of_small_floats_are_small(how):
    df = pd.DataFrame({"f": np.array([1, 2.5, -1, 0.1], "f4"), "g": np.array([1, 2.5, np.nan, 0.1], "f4")})
    for code in (f"df['f'].{how}()", f"df['g'].{how}()"):
        expected, found = eval(code), eval(code, {"df": cuprum.DataFrame(df)})
        assert type(found) is type(expected) is np.float32
        assert found == pytest.approx(expected, rel=1e-6)
    agree(f"df.{how}()", df=df, rtol=1e-6)
    agree(f"df.{how}(axis=1)", df=df, rtol=1e-6)
    agree(f"df.agg(['{how}'])", df=df, rtol=1e-6)


CHANGES = {
    "a new column": "df['new'] = [10, 20, 30]",
    "another column": "df['v'] = [7.0, 8, 9]",
    "an element": "df.iloc[0, 1] = 100.0",
    "a key": "df.iloc[0, 0] = 100",
    "all keys": "df['k'] = [5, 6, 7]",
    "a column less": "del df['w']",
    "row labels": "df.index = [7, 8, 9]",
    "all elements": "df.replace(1.0, 50.0, inplace=True)",
    "other labels": "df.columns = ['k', 'v', 'x']",
    "a column in front": "df.insert(0, 'new', [1.5, 2, 3])",
    "other rows": "df.sort_values('v', ascending=False, inplace=True)",
}
LATER = [
    "g.sum()",
    "g.cumsum()",
    "g.head(1)",
    "g.size()",
    "g.apply(lambda rows: rows.v.max())",
    "g.transform('sum')",
    "g.agg(['min', 'max'])",
    "g[['v']].sum()",
    "g['v'].mean()",
    "g.get_group(1)",
    "g.ngroup()",
    "[(key, rows) for key, rows in g]",
    "few.sum()",
    "used.sum()",
    "used.cumsum()",
    "used[['v']].sum()",
    "used.head(1)",
    "column.sum()",
    "flat.sum()",
    "by_series.sum()",
    "by_level.sum()",
    "of_series.sum()",
]


@pytest.mark.parametrize("change", CHANGES)
def test_groups_are_of_what_a_frame_has_become(change):
    def results(lib):
        df = lib.DataFrame({"k": [1, 1, 2], "v": [1.0, 2, 3], "w": [4, 5, 6]})
        made = {
            "g": df.groupby("k"),
            "flat": df.groupby("k", as_index=False),
            "used": df.groupby("k"),
            "few": df.groupby("k")[["v"]],
            "column": df.groupby("k")["v"],
            "by_series": df.groupby(df["k"]),
            "by_level": df.groupby(level=0),
            "of_series": df["v"].groupby(df["k"]),
        }
        made["used"].sum(), made["by_level"].sum()
        exec(CHANGES[change], {"df": df})
        found = []
        for code in LATER:
            try:
                found.append(eval(code, made))
            except (KeyError, AttributeError) as error:
                found.append(type(error).__name__)
        return found

    agree(results)


def test_groups_of_what_a_series_has_become():
    def results(lib):
        found = []
        for change in ("s.iloc[0] = 100.0", "s.name = 'x'", "s.index = [7, 8, 9]", "s += 1"):
            s = lib.Series([1.0, 2, 3])
            g = s.groupby([1, 1, 2])
            exec(change, {"s": s})
            found += [g.sum(), g.cumsum(), g.agg(["min"]), g.size(), g.apply(lambda part: part.sum())]
        return found

    agree(results)


def test_other_rows_are_grouped_again():
    """pandas computes with what is in memory behind the keys."""
    df = cuprum.DataFrame({"k": [1, 1, 2], "v": [1, 2, 3]})
    groups = df.groupby("k")
    df.loc[3] = [1, 4]
    with pytest.raises(ValueError, match="has 4 rows now, it had 3: group it again"):
        groups.sum()
    del df["k"]
    df.drop(index=3, inplace=True)
    with pytest.raises(KeyError, match="'k'"):
        groups.sum()


TWICE = pd.DataFrame([["x", 1, 2.5], ["y", 3, None], ["x", 5, 6.0]], columns=["k", "a", "a"])


@pytest.mark.parametrize(
    "how", ["sum", "mean", "min", "max", "count", "first", "last", "std", "size", "nunique"]
)
def test_columns_of_one_label_are_each_aggregated(how):
    agree(f"df.groupby('k').{how}()", df=TWICE)
    agree(f"df.groupby('k', as_index=False).{how}()", df=TWICE)


@pytest.mark.parametrize("groups", [1, 7, 300, 20_000, 200_000])
def test_sums_and_means_of_floats_keep_what_rounding_takes_away(groups):
    rng = np.random.default_rng(groups)
    rows = 400_000
    prices = rng.integers(1, 100_000, rows) / 100
    keys = rng.integers(0, groups, rows)
    by_key = cuprum.DataFrame({"k": keys, "v": prices}).groupby("k").v
    order = np.argsort(keys, kind="stable")
    _, starts = np.unique(keys[order], return_index=True)
    exact = [(math.fsum(own), len(own)) for own in np.split(prices[order], starts[1:])]
    assert by_key.sum().tolist() == [total for total, _ in exact]
    assert by_key.mean().tolist() == [total / count for total, count in exact]


def test_infinite_and_missing_elements_in_sums_of_groups():
    v = [np.inf, 1.0, -np.inf, np.inf, np.nan, 1.0, 1e308, 1e308]
    df = pd.DataFrame({"k": [1, 1, 2, 2, 3, 3, 4, 4], "v": v})
    agree("df.groupby('k').v.sum()", df=df)
    agree("df.groupby('k').v.mean()", df=df)
