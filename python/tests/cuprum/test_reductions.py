"""One number of many."""

import pandas as pd
import pytest
from oracle import agree, assert_like, frames, given

import cuprum

FUNCTIONS = ["sum", "mean", "min", "max", "median", "std", "var", "count", "nunique", "prod"]


@given(frames(i="int", j="int?", f="float?", g="int32", max_rows=20))
def test_of_numbers(f):
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


@given(frames(f="float?", i="int", max_rows=20))
def test_quantiles(f):
    for q in (0, 0.25, 0.5, 0.95, 1):
        agree(f"df['f'].quantile({q})", df=f, rtol=1e-9)
    agree("df['f'].quantile([0.1, 0.9])", df=f, rtol=1e-9)
    agree("df.quantile(0.3).rename(None)", df=f, rtol=1e-9)  # numbers are no names
    agree("df['i'].quantile(0.4)", df=f, rtol=1e-9)


@given(frames(s="str?", t="time?", b="bool", max_rows=20))
def test_of_other_types(f):
    for how in ("min", "max", "count", "nunique"):
        agree(f"df['t'].{how}()", df=f)
        if len(f.theirs["s"].dropna()):
            agree(f"df['s'].{how}()", df=f)
    # pandas takes the mean of times in floats; ours is exact, towards zero.
    ticks = [int(t) for t in f.theirs["t"].dropna().astype("int64")]
    if ticks:
        mean = abs(sum(ticks)) // len(ticks) * (1 if sum(ticks) > 0 else -1)
        assert int(f.ours["t"].mean().astype("int64")) == mean
    else:
        agree("df['t'].mean()", df=f)
    for how in ("sum", "any", "all", "mean", "min", "max"):
        if len(f.theirs) or how not in ("min", "max"):
            agree(f"df['b'].{how}()", df=f)


@given(frames(i="int", f="float?", s="str?", max_rows=20, min_rows=1))
def test_describe(f):
    agree("df[['i', 'f']].describe()", df=f, rtol=1e-9)
    agree("df['f'].describe()", df=f, rtol=1e-9)
    agree("df.describe()", df=f, rtol=1e-9)


BY_ROW = ["sum", "mean", "min", "max", "std", "var", "median", "count", "prod", "any", "all"]


@given(frames(i="int", h="int32", f="float?", g="float", max_rows=12, min_rows=1))
def test_of_rows(f):
    for how in BY_ROW:
        agree(f"df.{how}(axis=1)", df=f, rtol=1e-9)
        agree(f"df[['i', 'h']].{how}(axis=1)", df=f, rtol=1e-9)
        agree(f"df[['f']].{how}(axis='columns')", df=f, rtol=1e-9)
    agree("df.std(axis=1, ddof=0)", df=f, rtol=1e-9)
    agree("df.nunique(axis=1)", df=f)
    agree("df.quantile(0.3, axis=1).rename(None)", df=f, rtol=1e-9)
    agree("df.agg('sum', axis=1)", df=f, rtol=1e-9)


@given(frames(j="int?", b="bool", c="bool", s="str?", t="time?", u="time?", max_rows=12, min_rows=1))
def test_of_rows_of_other_types(f):
    agree("df.count(axis=1)", df=f)
    for how in ("sum", "mean", "any", "all"):
        agree(f"df[['b', 'c']].{how}(axis=1)", df=f)
    agree("df[['b', 'c']].min(axis=1)", df=f)
    agree("df[['t', 'u']].max(axis=1)", df=f)
    agree("df[['t', 'u']].min(axis=1)", df=f)
    agree("df.sum(axis=1, numeric_only=True).astype('float64')", df=f)
    with pytest.raises(TypeError, match="axis 1 needs columns of one type"):
        f.ours[["b"]].assign(s="x").sum(axis=1)


def test_of_rows_without_columns():
    empty = cuprum.DataFrame(index=["a", "b"])
    assert empty.sum(axis=1).to_list() == [0, 0]
    assert empty.count(axis=1).to_list() == [0, 0]
    assert cuprum.DataFrame({"x": []}).sum(axis=1).to_list() == []


@given(frames(i="int", f="float?", g="float?", max_rows=6, min_rows=1))
def test_missing_elements_that_are_not_skipped(f):
    for axis in (0, 1):
        for how in ("sum", "mean", "min", "max", "median"):
            agree(f"df.{how}(axis={axis}, skipna=False)", df=f, rtol=1e-9)
    for how in ("sum", "mean", "min", "max", "std", "median"):
        agree(f"df.{how}(axis=None)", df=f, rtol=1e-9)


INTERPOLATIONS = ["linear", "lower", "higher", "midpoint", "nearest"]


@given(frames(i="wide", h="int32", f="float?", max_rows=9))
def test_interpolation_of_quantiles(f):
    for how in INTERPOLATIONS:
        options = f"interpolation={how!r}"
        for q in (0, 0.1, 0.5, 0.75, 1):
            agree(f"df['f'].quantile({q}, {options})", df=f, rtol=1e-9)
            if len(f.theirs):  # of no integers pandas has no quantile, or NaN
                agree(f"df['h'].quantile({q}, {options})", df=f, rtol=1e-9)
                agree(f"df[['h', 'f']].quantile({q}, {options}).rename(None)", df=f, rtol=1e-9)
        agree(f"df['f'].quantile([0.1, 0.9], {options})", df=f, rtol=1e-9)
        if len(f.theirs):
            agree(f"df[['h', 'f']].quantile([0.2, 0.8], {options})", df=f, rtol=1e-9)
    values = sorted(f.theirs["i"])
    if values:  # exact where float64 is not
        assert f.ours["i"].quantile(1, "lower") == values[-1]
        assert f.ours["i"].quantile(0.5, "lower") == values[(len(values) - 1) // 2]


def test_quantiles_of_unknown_interpolation():
    with pytest.raises(ValueError, match="known are linear, lower, higher, midpoint and nearest"):
        cuprum.Series([1.0]).quantile(0.5, interpolation="cubic")


@given(frames(i="int", f="float?", s="str?", b="bool", t="time", max_rows=12, min_rows=1))
def test_describing_columns_of_unlike_types(f):
    mine, theirs = f.ours.describe(include="all"), f.theirs.describe(include="all")
    assert list(mine.index) == list(theirs.index)
    for name in ("i", "f"):
        assert_like(mine[name], theirs[name], rtol=1e-9)
    for name in ("s", "b"):  # their text, for what pandas holds as objects
        for row in ("count", "unique", "freq"):
            if theirs[name]["unique"] > 0:
                assert mine[name][row] == str(theirs[name][row])
        if len(set(f.theirs[name].value_counts())) == f.theirs[name].nunique():  # no ties
            assert theirs[name]["unique"] == 0 or mine[name]["top"] == str(theirs[name]["top"])
    for row in ("min", "max"):
        assert pd.Timestamp(mine["t"][row]) == theirs["t"][row]
    assert list(f.ours.describe().columns) == ["i", "f", "t"]
    agree("df[['i', 's']].describe()", df=f, rtol=1e-9)
    agree("df.describe(include='number')", df=f, rtol=1e-9)
    agree("df.describe(include=['int64', 'float64'])", df=f, rtol=1e-9)
    agree("df.describe(exclude=['str', 'bool', 'datetime'])", df=f, rtol=1e-9)
    agree("df['f'].describe(percentiles=[0.9, 0.1, 0.333])", df=f, rtol=1e-9)
    agree("df[['i', 'f']].describe(percentiles=[0.05, 0.5, 0.999])", df=f, rtol=1e-9)
    agree("df[['i', 'f']].describe(percentiles=[])", df=f, rtol=1e-9)


@pytest.mark.parametrize("percentiles", [[1.5], [-0.1], [0.5, 0.5], [float("nan")]])
def test_percentiles_that_are_none(percentiles):
    with pytest.raises(ValueError, match="percentiles"):
        cuprum.DataFrame({"x": [1.0]}).describe(percentiles=percentiles)


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
def test_spellings(expression, df):
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
def test_errors(expression):
    with pytest.raises((TypeError, ValueError)):
        eval(expression, {"s": cuprum.Series(["a", "b"])})


def test_quantile_out_of_range():
    with pytest.raises(ValueError, match="between 0 and 1"):
        cuprum.Series([1.0]).quantile(1.5)
