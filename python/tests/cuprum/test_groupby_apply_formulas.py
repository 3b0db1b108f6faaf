"""Functions of Python over groups that are computed for all groups at once: the results of pandas, which calls them."""

import math
import re
import warnings

import hypothesis
import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import GROUPS, GROUPS_TWICE, agree, assert_like, ours

import cuprum
from cuprum.core.functions import NotTraced
from cuprum.core.groupby import agg, calls, transform
from cuprum.errors import PerformanceWarning

pytestmark = pytest.mark.usefixtures("each_call_warns")

KEYS = ["'k'", "['k']", "['k', 'l']"]
OPTIONS = ["", ", as_index=False", ", group_keys=False", ", sort=False", ", dropna=False", ", observed=False"]

SHARES = [0.25, 1]
WANTED = {1.0, 4.0, 9}

# Values of the elements ``x`` of a group.
VALUES = [
    "x.max() - x.min()",
    "x.sum()",
    "x.prod()",
    "x.mean() if len(x) > 1 else x.max() * 2.0",
    "len(x)",
    "x.size * 2",
    "x.shape[0] - x.count()",
    "x.quantile(.9)",
    "x.quantile(q=0.25) - x.median()",
    "x.std() ** 2 + x.var(ddof=0)",
    "x.sem()",
    "x.skew()",
    "x.nunique() / len(x)",
    "(x > 2).mean()",
    "(x > 2).sum()",
    "((x > 1) & ~(x == 4)).any()",
    "(x >= 0).all()",
    "x.iloc[0]",
    "x.iloc[-1] - x.iloc[0]",
    "np.mean(x)",
    "np.std(x)",
    "np.sum(x) / np.max(x)",
    "np.sqrt(x.var(ddof=0))",
    "np.abs(x - x.mean()).max()",
    "np.log1p(np.abs(x)).sum()",
    "abs(x.min())",
    "-x.max()",
    "round(x.mean(), 1)",
    "float(x.count())",
    "1",
    "2.5",
    "True",
    "1 if len(x) > 1 else 2.5",
    "min(x.max(), 3)",
    "max(x.count(), 1) * 1.5",
    "x[x > 2].sum()",
    "x[x > x.mean()].count()",
    "x[x > 2].mean()",
    "x[x > 2].max()",
    "x.loc[x < 4].min()",
    "x.dropna().std()",
    "x.fillna(0).mean()",
    "x.fillna(x.mean()).sum()",
    "x.isna().sum()",
    "x.notnull().any()",
    "x.clip(1, 3).sum()",
    "x.clip(lower=2).mean()",
    "x.where(x > 2, 0).sum()",
    "x.mask(x > 2).count()",
    "x.between(1, 4).sum()",
    "x.isin([1, 5.25]).any()",
    "x.astype(float).sum()",
    "x.cumsum().max()",
    "x.diff().abs().max()",
    "x.shift(1).count()",
    "x.rank().mean()",
    "x.pow(2).sum()",
    "x.sub(x.mean()).abs().mean()",
    "len(x) // 2 + len(x) % 2",
    "x.mean() if x.count() else x.sum() - 1.0",
    "(x.iloc[1] if len(x) > 1 else x.iloc[0])",
    "0.0 if x.isna().any() else x.sum()",
    "pd.isna(x.mean())",
    "x.sum() > 3 and len(x) > 1",
    "not x.count()",
]

# Elements of as many rows.
ELEMENTS = [
    "x - x.mean()",
    "(x - x.mean()) / x.std()",
    "x / x.sum()",
    "x > x.mean()",
    "x.fillna(x.mean())",
    "x.fillna(0.5)",
    "x * 2 + 1",
    "-x",
    "2 ** (x > 2).astype(int)",
    "x.isna()",
    "x.cumsum()",
    "x.cumprod() - x.cummax() + x.cummin()",
    "x.rank(pct=True)",
    "x.rank(method='min', ascending=False)",
    "x.where(x > x.median(), -1.0)",
    "np.sqrt(np.abs(x))",
    "x - x.mean() if len(x) > 1 else x - 1.5",
    "x.clip(x.quantile(0.25), 100)",
    "x.ffill()",
    "x.bfill() / 2",
    "x.shift()",
    "x.diff(-1)",
    "x.mask(x > 2)",
    "x",
    "+x",
    "abs(x)",
    "x.round(1)",
]

# Values, rows and frames of the rows ``g`` of a group.
OF_ROWS = [
    "g['v'].sum() / g['i'].sum()",
    "(g.v * g.i).sum()",
    "(g.v * g.i).sum() / g.i.sum() if len(g) > 1 else -1.0",
    "g[g.v > 2]['i'].sum()",
    "g.loc[g.s == 'x', 'v'].count()",
    "g.loc[g.v > 2].i.mean()",
    "len(g[g.i > 3])",
    "len(g)",
    "g.shape[0] * g.shape[1]",
    "g.v.max() > g.i.mean()",
    "g.s.nunique()",
    "(g.s > 'x').sum()",
    "lib.Series({'total': g.v.sum(), 'rows': len(g)})",
    "lib.Series({'low': g.i.min(), 'high': g.i.max()})",
    "g.v - g.v.mean()",
    "g.v * g.i",
    "g['v'] / g['v'].sum()",
    "g[g.v > 1]",
    "g[g.i >= g.i.mean()]",
    "g[g.i > 0]",
    "g",
    "g[['v', 'i']]",
    "g.assign(z=g.v - g.v.mean(), w=len(g), one=1)",
    "g.v[g.i > 3]",
]

KEPT = [
    "len(g) > 1",
    "g.v.mean() > 2",
    "(g.i > 3).any()",
    "g.k.count() == len(g)",
    "g.i.sum() > 3 and g.v.max() < 5",
    "True",
    "not g.v.isna().any()",
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("keys", KEYS)
def test_values(keys, options):
    g = f"df.groupby({keys}{options})"
    for x in VALUES:
        f = f"lambda x: {x}"
        agree(f"{g}['v'].agg({f})", df=GROUPS)
        agree(f"{g}[['v', 'i']].agg({f})", df=GROUPS)
        agree(f"{g}.i.apply({f})", df=GROUPS_TWICE)
        # pandas drops rows of all columns first.
        columns = "'v'" if "dropna" in x else "['i', 'v']"
        agree(f"{g}[{columns}].transform({f})", df=GROUPS)
    agree(f"{g}.agg({{'v': lambda x: x.max() - x.min(), 'i': 'sum'}})", df=GROUPS)
    agree(f"{g}.agg({{'v': [lambda x: x.iloc[0], 'sum'], 'i': lambda x: len(x)}})", df=GROUPS)
    agree(f"{g}.agg(a=('v', lambda x: x.sum() * 2), b=('s', lambda x: x.nunique()))", df=GROUPS)
    agree(f"{g}.i.agg(a=lambda x: x.sum() * 2, b='max')", df=GROUPS)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("keys", KEYS)
def test_formulas_for_each_element_of_groups(keys, options):
    g = f"df.groupby({keys}{options})"
    for frame in (GROUPS, GROUPS_TWICE):
        for x in ELEMENTS:
            agree(f"{g}['v'].transform(lambda x: {x})", df=frame)
            agree(f"{g}[['v', 'i']].transform(lambda x: {x})", df=frame)
            agree(f"{g}['i'].apply(lambda x: {x})", df=frame)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("keys", KEYS)
def test_formulas_of_rows_of_groups(keys, options):
    g = f"df.groupby({keys}{options})"
    for x in OF_ROWS:
        # Of values of several columns pandas makes no frame.
        is_frame = x.startswith(("lib", "g[g.")) and not x.endswith(".sum()")
        if is_frame or "as_index" not in options:
            agree(f"{g}[['v', 'i', 's']].apply(lambda g: {x})", df=GROUPS)
    for x in KEPT:
        agree(f"{g}.filter(lambda g: {x})", df=GROUPS)
        agree(f"{g}.filter(lambda g: {x}, dropna=False)", df=GROUPS_TWICE)
    agree(f"{g}.v.filter(lambda x: x.sum() > 3)", df=GROUPS)


def spread(x, share=0.5):
    low = x.quantile(share / 2)
    return x.quantile(1 - share / 2) - low


def by_size(x):
    if len(x) > 1:
        return x.max()
    if x.isin(WANTED).any():
        return x.sum() + 100
    return x.min() - 100


def test_functions_with_names():
    """Functions that call others, that read constants and that get arguments."""
    for f in (
        spread,
        by_size,
        lambda x: math.sqrt(len(x)) + math.pi,
        lambda x: x.isin(WANTED).sum(),
        lambda x: spread(x, SHARES[0] if False else 1) + 1,
    ):
        agree(lambda lib, df, f=f: df.groupby("k")["v"].agg(f), df=GROUPS)
        agree(lambda lib, df, f=f: df.groupby("k", sort=False)["i"].apply(f), df=GROUPS)
    agree(lambda lib, df: df.groupby("k")["v"].agg(spread, 0.2), df=GROUPS)
    agree(lambda lib, df: df.groupby("k")["v"].agg(spread, share=0.2), df=GROUPS)
    agree(lambda lib, df: df.groupby("k")["v"].transform(lambda x, by: x * by, by=2), df=GROUPS)
    agree(lambda lib, df: df.groupby("k").apply(lambda g, by: g.v.sum() * by, 3), df=GROUPS)


FRAMES = st.integers(1, 12).flatmap(
    lambda n: st.fixed_dictionaries({
        "k": st.lists(st.sampled_from(["a", "b", "c", None]), min_size=n, max_size=n),
        "l": st.lists(st.integers(0, 1), min_size=n, max_size=n),
        "v": st.lists(
            st.sampled_from([None, 0.0, -0.0, 1.5, -2.25, 7.0, 100.0]), min_size=n, max_size=n
        ),
        "i": st.lists(st.integers(-5, 5), min_size=n, max_size=n),
        "n": st.lists(st.sampled_from([None, 0, 3, -4, 2**40]), min_size=n, max_size=n),
        "s": st.lists(st.sampled_from(["x", "é", "", "yy"]), min_size=n, max_size=n),
    })
)  # fmt: skip


@hypothesis.given(FRAMES, st.data())
def test_any_groups(columns, data):
    """What is computed at once is what calls for each group give, of any groups and with any options."""
    df = ours(pd.DataFrame(columns).astype({"k": "str", "v": "float64", "n": "Int64", "s": "str"}))
    options = {name: data.draw(st.booleans(), name) for name in ("sort", "dropna", "group_keys", "as_index")}
    groups = df.groupby(data.draw(st.sampled_from(["k", ["k"], ["k", "l"], "l"])), **options)
    # `clip` of integers at a float is refused where it is called.
    x = data.draw(st.sampled_from([x for x in VALUES + ELEMENTS if "clip(x." not in x]))
    g = data.draw(st.sampled_from(OF_ROWS))
    kept = data.draw(st.sampled_from(KEPT))
    names = {"np": np, "pd": pd, "lib": cuprum}
    of_elements, of_rows, is_kept = (
        eval(f"lambda {name}: {text}", names) for name, text in (("x", x), ("g", g), ("g", kept))
    )
    calls_of = [
        lambda: groups["v"].transform(of_elements),
        lambda: groups[["i", "v"]].transform(of_elements),
        lambda: groups["i"].apply(of_elements),
        lambda: groups["v"].apply(of_elements),
        lambda: groups["n"].apply(of_elements),
        lambda: groups["n"].transform(of_elements),
        lambda: groups[["v", "i", "s"]].apply(of_rows),
        lambda: groups.filter(is_kept),
    ]
    if x in VALUES:
        calls_of += [lambda: groups[["v", "n"]].agg(of_elements), lambda: groups[["v", "i"]].agg(of_elements)]
    for call in calls_of:
        found = outcome(call)
        with pytest.MonkeyPatch.context() as patched:
            for module in (agg, calls, transform):
                patched.setattr(module, "TracedGroups", never)
            expected = outcome(call)
        if isinstance(expected, type):
            assert found is expected, (x, g, kept)
        else:
            assert_like(found, expected.to_pandas(), kept=[..., "i", "n", "v"])


def never(by):
    raise NotTraced("anything")


def outcome(call):
    """Return a result, or the type of what is raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except Exception as error:
            return type(error)


CALLED = {
    "x.describe().sum()": "the attribute `describe` of the elements of a group",
    "str(x.name)": "the attribute `name` of the elements of a group",
    "sum(x)": "sum",
    "x.apply(lambda v: v + 1).sum()": "a function inside of it",
    "None": "None",
    "x.sort_values().iloc[0]": "the attribute `sort_values`",
    "len(x) / x[x > 1000].nunique()": "a division by zero",
    "x.iloc[5] if len(x) > 0 else 0": "IndexError",
    "x._handle": "the attribute `_handle`",
}


def test_what_is_called_says_why():
    groups = ours(GROUPS).groupby("k")["v"]
    for text, why in CALLED.items():
        function = eval(f"lambda x: {text}")
        with pytest.warns(PerformanceWarning, match=re.escape(why)) as caught:
            try:
                groups.agg(function)
            except (AttributeError, IndexError, TypeError, ZeroDivisionError) as error:
                if not len(caught):  # the first call has failed
                    warnings.warn(f"{why}: {error}", PerformanceWarning)
        assert len(caught) == 1, text


def test_groups_without_rows_are_called():
    frame = GROUPS.assign(k=pd.Categorical(GROUPS.k, ["a", "b", "c", "d"]))
    with pytest.warns(PerformanceWarning, match="groups without rows"):
        ours(frame).groupby("k", observed=False).v.agg(lambda x: x.sum())
    agree("df.groupby('k', observed=True).v.agg(lambda x: x.sum() * 2)", df=frame)


@pytest.mark.parametrize(
    "function",
    [
        "lambda x: x.where(x >= 0, x[x >= 0].mean())",
        "lambda x: x.mask(x < 0, x.mean())",
        "lambda x: x.mask(x < 0, x.max() / 1)",
        "lambda x: x.mask(x < 0, x / 2)",
        "lambda x: x.mask(x < 0, x.mean()) if x.sum() > 0 else x",
    ],
)
@pytest.mark.parametrize("last", [-2, -3, 5, 2**60 + 1])
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
def test_integers_that_others_take_the_place_of_keep_their_type(function, last):
    frame = pd.DataFrame({"k": [1, 1, 2, 2], "v": [1, -1, 4, last]})
    agree(f"df.groupby('k')['v'].transform({function})", df=frame)
