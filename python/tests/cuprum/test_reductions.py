"""One number of many."""

import math

import numpy as np
import pandas as pd
import pytest
from oracle import agree, assert_like, frames, given
from small_frames import TWO_NUMBERS

import cuprum

FUNCTIONS = ["sum", "mean", "min", "max", "median", "std", "var", "count", "nunique", "prod"]


@given(frames(i="int", j="int?", f="float?", g="int32", max_rows=20))
def test_reductions_of_numbers(f):
    for how in FUNCTIONS:
        for name in ("i", "f", "g"):
            if how == "prod" and len(f.theirs) > 8:
                continue
            agree(f"df['{name}'].{how}()", df=f, rtol=1e-9)
        agree(f"df[['i', 'f']].{how}()", df=f, rtol=1e-9)
    for how in ("mean", "median", "std", "count", "nunique"):
        agree(f"df['j'].{how}()", df=f, rtol=1e-9)
    agree("float(df['j'].sum())", df=f)
    agree("df.std(ddof=0)", df=f, rtol=1e-9)
    agree("df.var(ddof=0)", df=f, rtol=1e-9)


@given(frames(s="str?", t="time?", b="bool", max_rows=20))
def test_reductions_of_other_types(f):
    for how in ("min", "max", "count", "nunique"):
        agree(f"df['t'].{how}()", df=f)
        if len(f.theirs["s"].dropna()):
            agree(f"df['s'].{how}()", df=f)
    # pandas takes the mean of times in floats; ours is exact, towards zero.
    ticks = [int(t) for t in f.theirs["t"].dropna().astype("int64")]
    if ticks:
        mean = abs(sum(ticks)) // len(ticks) * (1 if sum(ticks) > 0 else -1)
        assert f.ours["t"].mean() == pd.Timestamp(np.datetime64(mean, "us"))
    else:
        agree("df['t'].mean()", df=f)
    for how in ("sum", "any", "all", "mean", "min", "max"):
        if len(f.theirs) or how not in ("min", "max"):
            agree(f"df['b'].{how}()", df=f)


@given(frames(i="int", f="float?", g="float?", max_rows=6, min_rows=1))
def test_skipna_of_reductions(f):
    for axis in (0, 1):
        for how in ("sum", "mean", "min", "max", "median"):
            agree(f"df.{how}(axis={axis}, skipna=False)", df=f, rtol=1e-9)
    for how in ("sum", "mean", "min", "max", "std", "median"):
        agree(f"df.{how}(axis=None)", df=f, rtol=1e-9)


@pytest.mark.parametrize(
    "expression",
    [
        "df.sum(numeric_only=True)",
        "df.mean(numeric_only=True)",
        "df[['i', 'f']].agg('sum')",
        "df[['i', 'f']].agg(['sum', 'max'])",
        "df.agg({'i': 'sum', 'f': 'max'})",
        "df['f'].agg(['min', 'max'])",
        "df['f'].agg('mean')",
        "df['f'].sum(skipna=False)",
        "df['f'].mean(skipna=False)",
        "df['i'].idxmax()",
        "df['i'].idxmin()",
        "df['i'].argmax()",
        "df['i'].mode()",
        "df['i'].sem()",
        "df['i'].cov(df['i'])",
        "df['i'].corr(df['f'])",
        "df[['i', 'f']].corr()",
        "df.count()",
        "df.nunique()",
        "df['s'].value_counts()",
        "df[['i', 'b']].value_counts()",
        "df[['i', 'f', 's']].max(numeric_only=True)",
        "df['i'].any(), df['i'].all()",
        "(df['i'] > -5).all()",
    ],
)
def test_spellings_of_reductions(expression, df):
    agree(expression, df=df, rtol=1e-9)


def test_overflow_wraps_like_numpy():
    agree("s.sum()", s=pd.Series([2**63 - 1, 1]))


def test_sums_do_not_depend_on_the_run():
    s = cuprum.Series([(i * 7919 % 1009) / 7 * 10.0 ** (i % 30 - 15) for i in range(300_000)])
    assert len({s.sum() for _ in range(5)}) == 1
    assert len({s.std() for _ in range(5)}) == 1


@pytest.mark.parametrize("kind", ["int64", "float64", "str", "bool", "datetime64[us]"])
def test_of_nothing(kind):
    s = pd.Series([], dtype=kind)
    agree("s.count()", s=s)
    agree("s.nunique()", s=s)
    if kind in ("int64", "float64", "bool"):
        agree("s.sum()", s=s)
        agree("s.mean()", s=s)
        assert_like(cuprum.Series(s).max(), float("nan"))


@pytest.mark.parametrize(
    "expression", ["s.mean()", "s.std()", "s.median()", "s.quantile(0.5)", "s.sum(axis=5)"]
)
def test_errors_of_reductions(expression):
    with pytest.raises((TypeError, ValueError)):
        eval(expression, {"s": cuprum.Series(["a", "b"])})


WITH_GAPS = pd.DataFrame({"a": [1, 5, 2.0, None], "b": [4, 2, None, 7], "c": [4.0, 9, 2, 7]})


@pytest.mark.parametrize("periods", [None, 1, 2, 3, 4, 5])
def test_pairs_that_are_too_few(periods):
    df = WITH_GAPS
    agree(f"df.a.corr(df.b, min_periods={periods})", df=df)
    agree(f"df.a.cov(df.b, min_periods={periods})", df=df)
    agree(f"df.a.cov(df.c, min_periods={periods}, ddof=0)", df=df)
    agree(f"df.cov(min_periods={periods})", df=df)
    agree(f"df.corr(min_periods={periods or 1})", df=df)


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint32", "float64", "bool"])
@pytest.mark.parametrize(
    "expression",
    [
        "s.sum()",
        "s.prod()",
        "s.min()",
        "s.max()",
        "s.mean()",
        "s.median()",
        "s.std()",
        "s.var()",
        "s.any()",
        "s.all()",
        "s.count()",
        "s.nunique()",
        "s.iloc[1]",
        "s.loc[1]",
        "s[1]",
        "s.at[1]",
        "s.iat[1]",
        "s.item() if len(s) == 1 else s.head(1).item()",
        "s.head(1).squeeze()",
        "s.idxmax()",
        "s.argmax()",
        "lib.Series(s.to_numpy(), index=[7, 8, 9]).idxmax()",
        "next(iter(s))",
        "s.tolist()[0]",
        "s.to_dict()[0]",
        "next(s.items())[1]",
        "next(s.items())[0]",
        "s.index[0]",
        "lib.Index(s)[0]",
        "next(iter(lib.Index(s)))",
        "lib.Index(s).max()",
        "df.iloc[0]['a']",
        "df.loc[0, 'a']",
        "list(df.iloc[0])[0]",
        "next(df.iterrows())[1]['a']",
        "next(df.itertuples()).a",
        "df.to_dict('records')[0]['a']",
        "df.to_dict()['a'][0]",
    ],
)
def test_results_are_of_the_same_class(expression, dtype):
    s = pd.Series([1, 0, 1], dtype=dtype)

    def kind(lib, s, df):
        return type(eval(expression, {"lib": lib, "s": s, "df": df})).__name__

    agree(kind, s=s, df=pd.DataFrame({"a": s, "t": ["x", "y", "z"]}))


def test_results_are_numpy_scalars_that_can_be_rounded():
    assert cuprum.Series([1.25, 1.0]).sum().round(1) == 2.2
    assert cuprum.Series([None], dtype="float64").max().dtype == "float64"
    assert isinstance(cuprum.Series(["a"]).max(), str)


@pytest.mark.parametrize(
    "expression",
    [
        "df.agg(x=('a', 'max'), y=('b', 'min'))",
        "df.agg(x=('a', 'max'), y=('a', 'min'))",
        "df.a.agg(x='max', y='min')",
    ],
)
def test_named_results(expression):
    agree(expression, df=WITH_GAPS)


def test_no_aggregation_at_all():
    for lib in (pd, cuprum):
        with pytest.raises(TypeError, match="Must provide 'func'"):
            lib.DataFrame({"a": [1]}).agg()
    with pytest.raises(TypeError, match="Must provide 'func'"):
        cuprum.Series([1]).agg()


MEASURED = pd.DataFrame(
    {
        "a": [1.0, 2.0, None, 4.0, 9.0],
        "b": [3, 1, 4, 1, 5],
        "c": [0.1] * 5,
        "d": [True, False, True, True, False],
    }
)


@pytest.mark.parametrize(
    "expression",
    [
        "df.corr()",
        "df.corr(method='spearman')",
        "df.corr(method='spearman', min_periods=5)",
        "df[['b', 'c', 'd']].corr(method='spearman')",
        "df.cov()",
        "df[['b', 'd']].cov(ddof=0)",
        "df.a.corr(df.b)",
        "df.a.corr(df.b.iloc[::-1])",
        "df.a.corr(df.b.iloc[1:4])",
        "df.a.cov(df.b.iloc[1:])",
        "df.sem()",
        "df.a.sem(ddof=0)",
        "df[['a', 'b']].sem(axis=1)",
        "df[['a', 'b']].agg(['sum', 'mean'])",
        "df[['a', 'b']].agg(['sum', 'mean'], skipna=False)",
        "df.agg({'a': ['sum', 'max'], 'b': ['min', 'sum']})",
        "df.agg({'b': 'sum', 'a': 'max'})",
        "df.agg(x=('a', 'max'), y=('b', 'min'), z=('a', 'mean'))",
        "df.a.agg(['sum', 'sem'])",
        "df.a.agg({'total': 'sum', 'most': 'max'})",
        "df[['a', 'b']].dot(lib.Series([2.0, 3.0], index=['a', 'b']))",
        "df[['a', 'b']].dot(lib.Series([2.0, 3.0], index=['b', 'a']))",
        "df[['a', 'b']] @ lib.DataFrame({'x': [1.0, 2], 'y': [3, 4.0]}, index=['a', 'b'])",
        "df[['a', 'b']].dot([2, 3])",
        "df[['a', 'b']] @ np.array([[1.0, 2], [3, 4]])",
    ],
)
def test_of_several_columns(expression):
    agree(expression, df=MEASURED)


def test_names_of_aggregations_are_of_one_each():
    with pytest.raises(pd.errors.SpecificationError, match="unique"):
        cuprum.DataFrame({"a": [1]}).agg(["sum", "sum"])
    with pytest.raises(TypeError, match="min_count"):
        cuprum.DataFrame({"a": [1]}).agg(["sum", "max"], min_count=1)


@pytest.mark.parametrize("how", ["idxmax", "idxmin", "argmax", "argmin"])
@pytest.mark.parametrize("skipna", [True, False])
def test_nothing_but_missing_elements_have_no_extreme(how, skipna):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match="NA value"):
            getattr(lib.Series([math.nan, math.nan]), how)(skipna=skipna)
        if how.startswith("idx"):
            with pytest.raises(ValueError, match="NA value"):
                getattr(lib.DataFrame({"a": [1.0, 2.0], "b": [math.nan] * 2}), how)(skipna=skipna)


@pytest.mark.parametrize(
    "series",
    [
        pd.Series(["a", None]),
        pd.Series(["a", None]).astype("category"),
        pd.Series(pd.to_datetime(["2020", None])),
    ],
)
@pytest.mark.parametrize("how", ["sum", "prod", "median", "var", "min", "any"])
def test_a_type_without_a_reduction_has_none_with_missing_elements_either(series, how):
    def refuses(s, **kwargs):
        try:
            getattr(s, how)(**kwargs)
        except TypeError:
            return True
        return False

    mine = cuprum.Series(series)
    assert refuses(mine, skipna=False) == refuses(mine, skipna=True)
    assert refuses(mine, skipna=False) or not refuses(series, skipna=False)


@pytest.mark.parametrize(
    "code",
    ["s.clip(2, 1)", "s.to_frame('a').clip(2, 1)", "s.clip(1, 2)", "s.clip(None, 1)", "t.clip('c', 'b')"],
)
def test_bounds_are_ordered(code):
    agree(code, s=pd.Series([0, 1, 2, 3]), t=pd.Series(["a", "b", "c"]))


@pytest.mark.parametrize("rows", [2, 3, 15, 16, 17, 33, 100, 1030])
@pytest.mark.parametrize("most", [2, 5, 10**6])
def test_kendall_of_many_pairs(rows, most):
    chance = np.random.default_rng(rows)
    left, right = chance.integers(0, most, (2, rows)).astype("float64")
    left[0], left[1], right[0], right[1] = 0, 1, 1, 0  # none has equal elements only
    # Of every pair in which order it is in the one and in the other.
    orders = [np.sign(side[:, None] - side)[np.triu_indices(rows, 1)] for side in (left, right)]
    expected = (orders[0] * orders[1]).sum() / math.sqrt(np.prod([np.count_nonzero(o) for o in orders]))
    found = cuprum.Series(left).corr(cuprum.Series(right), method="kendall")
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
    descending = cuprum.Series(np.arange(rows)[::-1]).corr(cuprum.Series(range(rows)), method="kendall")
    assert descending == pytest.approx(-1.0, rel=1e-12)


@given(frames(s="str?", t="str", k="int?", max_rows=12))
def test_sums_of_texts(f):
    """One text behind the other; a text is true that is not empty."""
    for call in ("sum()", "sum(skipna=False)", "sum(min_count=3)", "any()", "all()", "any(skipna=False)"):
        agree(f"df['s'].{call}", df=f)
        agree(f"df['t'].{call}", df=f)
    for call in ("sum()", "any()", "all()", "agg('sum')", "agg(['sum', 'max'])"):
        agree(f"df[['s', 't']].{call}", df=f)
    for g in ("df.groupby('k')", "df.groupby('k', sort=False, dropna=False)", "df.groupby(['t', 'k'])"):
        agree(f"{g}[['s']].sum()", df=f, kept="k")
        agree(f"{g}['s'].sum(min_count=2)", df=f, kept="k")
        agree(f"{g}['s'].sum(skipna=False)", df=f, kept="k")
        agree(f"{g}['s'].agg(['sum', 'count', 'max'])", df=f, kept="k")
        agree(f"{g}['s'].transform('sum')", df=f)
        agree(f"{g}['s'].any()", df=f, kept="k")
        agree(f"{g}['s'].all()", df=f, kept="k")
    if f.theirs["k"].notna().any():
        agree("df.pivot_table(index='k', values='s', aggfunc='sum')", df=f, kept="k")


def test_sums_of_texts_of_categories_without_rows():
    theirs = pd.DataFrame({"k": pd.Categorical(["a", "a"], ["a", "b"]), "s": ["x", "y"]})
    agree("df.groupby('k', observed=False)['s'].sum()", df=theirs)


def test_has_nans():
    assert cuprum.Series([1.0, None]).hasnans is True and cuprum.Series(["a"]).hasnans is False


@pytest.mark.parametrize("name", ["mean", "min", "sum", "prod", "median", "std", "var", "skew"])
def test_all_elements_of_numbers_and_truth_values(name):
    agree(
        f"float(df.{name}(axis=None))",
        df=pd.DataFrame({"a": [1.0, 2, 3], "b": [True, False, True], "i": [4, 5, 6]}),
    )
    agree(
        f"float(df[['b', 'i']].{name}(axis=None))",
        df=pd.DataFrame({"b": [True, False, True], "i": [4, 5, 6]}),
    )


@pytest.mark.parametrize("values", [[1.5], [1], [None, 1.0]])
@pytest.mark.parametrize("name", ["sum", "prod"])
def test_min_count_of_too_few_elements(name, values):
    agree(lambda lib: [type(getattr(lib.Series(values), name)(min_count=5)).__name__])


@pytest.mark.parametrize("name", ["std", "var", "sem"])
def test_ddof_is_a_whole_number(name):
    with pytest.raises(ValueError, match=r"`ddof` is 1\.5; it is a whole number"):
        getattr(cuprum.Series([1.0, 2, 4]), name)(ddof=1.5)
    agree(f"s.{name}(ddof=0)", s=pd.Series([1.0, 2, 4]))


@pytest.mark.parametrize("of", ["df", "df.a"])
@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "mean", "median", "std", "var", "sem"])
def test_reductions_take_their_axis_by_position(of, name):
    agree(f"{of}.{name}(0)", df=TWO_NUMBERS)
    agree(f"{of}.{name}(0, False)", df=TWO_NUMBERS)
    agree(f"df.{name}(1)", df=TWO_NUMBERS)


@pytest.mark.parametrize("name", ["df.all(1)", "df.a.all(0)", "df.all(1, False, True)"])
def test_all_takes_its_axis_by_position(name):
    agree(name, df=TWO_NUMBERS)
