"""Functions of Python over groups: `apply`, `agg`, `transform`, `filter`, `pipe` as pandas has them."""

import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import GROUPS, GROUPS_TWICE, agree, frames, given, ours
from small_frames import FLOATS

import cuprum
from cuprum.errors import PerformanceWarning

pytestmark = [
    pytest.mark.usefixtures("each_call_warns"),
    pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning"),
]

OPTIONS = ["", ", as_index=False", ", group_keys=False", ", sort=False", ", dropna=False"]
KEYS = ["'k'", "['k']", "['k', 'l']"]

# What a function makes of a frame ``g`` and of a series ``x``.
OF_FRAMES = [
    "g",
    "g.head(1)",
    "g.iloc[0]",
    "g.v",
    "g.v.head(1)",
    "g.v - g.v.mean()",
    "g[['v', 'i']].sum()",
    "g.v.describe()",
    "g.sort_values('v')",
    "None",
    "None if len(g) > 1 else g",
    "None if len(g) > 1 else g.iloc[0]",
    "g[['v']].rename(columns={'v': 'w'})",
    "lib.DataFrame({'q': [1, 2]})",
    "lib.Series({'a': 1, 'b': 2.5})",
    "lib.Series([1, 2], index=['a', 'b'], name='n')",
    "lib.Series(['p', 'q'], index=['a', 'b'], name=g.name)",
    "lib.Series([len(g)], index=[str(g.name)])",
]
VALUES = ["1", "len(g)", "g.v.sum()", "str(g.name)"]
OF_SERIES = [
    "x.sum()",
    "str(x.name)",
    "x",
    "x.head(1)",
    "x - x.mean()",
    "x.to_frame()",
    "x.describe()",
    "{'a': 1, 'b': x.sum()}",
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("keys", KEYS)
def test_apply(keys, options):
    for frame in (GROUPS, GROUPS_TWICE):
        for result in OF_FRAMES:
            agree(f"df.groupby({keys}{options}).apply(lambda g: {result})", df=frame)
        for result in VALUES if "as_index" not in options else []:
            agree(f"df.groupby({keys}{options}).apply(lambda g: {result})", df=frame)
        for result in VALUES:
            result = result.replace("g.v", "g").replace("g", "x").replace("strx", "str")
            agree(f"df.groupby({keys}{options}).v.apply(lambda x: {result})", df=frame)
        for result in OF_SERIES:
            agree(f"df.groupby({keys}{options}).v.apply(lambda x: {result})", df=frame, kept=[None])


AGGREGATED = [
    "sum",
    "max",
    "len",
    "np.sum",
    "np.max",
    "np.std",
    "np.median",
    "np.nansum",
    "lambda x: x.max() - x.min()",
    "lambda x: 1",
    "lambda x: None",
    "lambda x: str(x.sum())",
    "[lambda x: 1, lambda x: 2.5]",
    "['sum', lambda x: 2]",
    "[np.sum, 'max']",
    "[lambda x: 1]",
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("keys", KEYS)
def test_agg(keys, options):
    g = f"df.groupby({keys}{options})"
    for func in AGGREGATED:
        for columns in ("'v'", "'i'", "['v', 'i']"):
            agree(f"{g}[{columns}].agg({func})", df=GROUPS)
    agree(f"{g}.agg({{'v': lambda x: x.max()}})", df=GROUPS)
    agree(f"{g}.agg({{'v': [lambda x: x.max(), 'sum'], 'i': 'max'}})", df=GROUPS)
    agree(f"{g}.agg(a=('v', lambda x: x.max()), b=('i', 'max'))", df=GROUPS)
    agree(f"{g}.agg(a=lib.NamedAgg('v', lambda x: x.max()), b=('s', ','.join))", df=GROUPS)
    agree(f"{g}['v'].agg(a=lambda x: x.max(), b='max')", df=GROUPS)
    agree(f"{g}['s'].agg(','.join)", df=GROUPS)


TRANSFORMED = [
    "lambda x: x.max()",
    "lambda x: x - x.mean()",
    "lambda x: x.to_numpy()",
    "lambda x: [1] * len(x)",
    "lambda x: x > 2",
    "np.sum",
    "np.median",
    "np.cumsum",
    "sum",
    "max",
    "len",
    "'sum'",
    "'cumsum'",
    "'rank'",
    "'size'",
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("keys", KEYS)
def test_transform_and_filter(keys, options):
    g = f"df.groupby({keys}{options})"
    for frame in (GROUPS, GROUPS_TWICE):
        for func in TRANSFORMED:
            for columns in ("'v'", "'i'", "['v', 'i']"):
                agree(f"{g}[{columns}].transform({func})", df=frame, kept="i")
        agree(f"{g}.v.transform('std', ddof=0)", df=frame)
        agree(f"{g}[['v', 'i']].transform(['sum', 'min'])", df=frame)
        agree(f"{g}.transform({{'v': 'sum', 'i': lambda x: x.min()}})", df=frame)
        agree(f"{g}.transform(a=lib.NamedAgg('v', 'sum'), b=('i', 'min'))", df=frame)
        agree(f"{g}.filter(lambda g: g.v.mean() > 2)", df=frame)
        agree(f"{g}.filter(lambda g: g[['v']].max() > 2)", df=frame)
        agree(f"{g}.filter(lambda g: len(g) > 1, dropna=False)", df=frame)
        agree(f"{g}[['v']].filter(lambda g: g.v.mean() > 2)", df=frame)
        agree(f"{g}.v.filter(lambda x: x.mean() > 2)", df=frame)
        agree(f"{g}.v.filter(lambda x: x.mean() > 2, False)", df=frame)
        agree(f"{g}.v.filter('any')", df=frame)


@given(frames(k="int?", l="str?", f="float?", i="int", max_rows=12))
def test_apply_of_any_groups(f):
    for g in ("df.groupby('k')", "df.groupby(['l', 'k'])", "df.groupby('l', sort=False)"):
        agree(f"{g}[['f', 'i']].apply(lambda g: g.head(2))", df=f, kept="k")
        agree(f"{g}[['f', 'i']].apply(lambda g: g.f.sum() + g.i.max())", df=f, kept="k")
        agree(f"{g}.f.agg(lambda x: x.sum())", df=f, kept="k")
        agree(f"{g}.i.agg(['max', lambda x: x.max() - x.min()])", df=f, kept="k")
        agree(f"{g}.filter(lambda g: len(g) > 1)", df=f, kept="k")
        if len(f.theirs.dropna(subset=["k", "l"])) == len(f.theirs) > 0:
            agree(f"{g}[['f', 'i']].transform(lambda x: x - x.min())", df=f)


@given(frames(k="int", s="str?", t="time?", b="bool", max_rows=9, min_rows=1))
def test_apply_of_groups_of_other_types(f):
    for column in "stb":
        agree(f"df.groupby('k').{column}.apply(lambda x: x.head(1))", df=f)
        agree(f"df.groupby('k').{column}.transform(lambda x: x)", df=f)
        agree(f"df.groupby('k').{column}.agg(lambda x: x.count())", df=f)
    agree("df.dropna(subset='t').groupby('k').t.agg(lambda x: x.max())", df=f)
    agree("df.groupby('k').b.agg(lambda x: x.any())", df=f)
    agree("df.groupby('k').apply(lambda g: g)", df=f)


@pytest.mark.parametrize(
    "expression",
    [
        "df.groupby('k').apply(len)",
        "df.groupby('k')[['v', 'i']].apply('sum')",
        "df.groupby('k').apply('ngroups')",
        "df.groupby('k').v.apply(max)",
        "df.groupby('k')[['v', 'i']].apply(lambda g, a, b=1: g.sum() * a + b, 2, b=3)",
        "df.groupby('k').agg({'v': np.sum, 'i': 'max'})",
        "df.groupby('k').v.agg([('x', lambda v: 1), ('y', 'sum')])",
        "df.groupby('k').i.agg(lambda x: x.iloc[:1])",
        "df.groupby('k').i.agg(np.percentile, q=30)",
        "df.groupby('k').v.agg(np.var, ddof=1)",
        "df.groupby('k')[['v', 'i']].agg(lambda x, q: x.quantile(q), 0.3)",
        "df.groupby('k')[['v', 'i']].agg([lambda x, q: x.quantile(q)], q=0.3)",
        "df[['k', 'v', 'i']].groupby('k').agg('shift', 1)",
        "df.assign(i=df.i.astype('int32')).groupby('k').i.agg(lambda x: x.sum())",
        "df.assign(i=df.i.astype('int8')).groupby('k').i.agg(lambda x: int(x.sum()) * 1000)",
        "df.assign(v=df.v.astype('float32')).groupby('k').v.agg(lambda x: x.mean())",
        "df.assign(c=df.s.astype('category')).groupby('k').c.agg(lambda x: x.iloc[0])",
        "df.groupby('k').transform(lambda x: x.iloc[0])",
        "df.groupby('k')[['v', 'i']].transform(lambda x, a, b=0: x * a + b, 2, b=1)",
        "df.groupby('k').v.transform(lambda x: x.head(1))",
        "df.groupby('k').transform('nunique')",
        "df.groupby('k').filter(lambda g: np.nan)",
        "df.groupby('k').filter(lambda g, n: len(g) > n, True, 1)",
        "df.groupby('k').filter(lambda g, n: len(g) > n, n=1)",
        "df.groupby('k').pipe((lambda a, g: g.v.sum() * a, 'g'), 2)",
        "df.set_index(['k', 'l']).groupby(level=[0, 1]).apply(lambda g: g)",
        "df.rename_axis('q').groupby('k').v.apply(lambda g: g.head(1))",
        "df.groupby(df.k.rename(None), as_index=False)[['v', 'i']].agg(lambda x: 1)",
        "df.groupby([df.k.rename(None), 'l'], as_index=False)[['v', 'i']].agg(lambda x: 1)",
        "df.iloc[:0].groupby('k').apply(lambda g: g)",
        "df.iloc[:0].groupby('k', group_keys=False).v.apply(lambda g: g)",
        "df.iloc[:0].groupby('k').v.agg(lambda g: 1)",
        "df.iloc[:0].groupby('k').agg(lambda g: 1)",
        "df.iloc[:0].groupby('k').filter(lambda g: True)",
    ],
)
def test_spellings_of_apply_of_groups(expression):
    agree(expression, df=GROUPS, kept=["i", "l", "v"])


@pytest.mark.parametrize("categories", [["a", "b", "c"], ["z", "c", "b", "a"]])
def test_apply_of_groups_without_rows(categories):
    df = GROUPS.assign(k=GROUPS.k.astype(pd.CategoricalDtype(categories)))
    for of in (".v.agg", ".v.transform", "[['v', 'i']].apply"):
        agree(f"df.groupby('k', observed=False){of}(lambda x: x.sum())", df=df)
    agree("df.groupby('k', observed=False)[['v', 'i']].apply(lambda x: x)", df=df)


def test_lists_are_elements():
    groups = ours(GROUPS).groupby("k")
    for made in (
        groups.apply(lambda g: g.i.to_list()),
        groups.apply(lambda g: g.i.to_numpy()),
        groups.i.agg(lambda x: x.to_list()),
        groups.i.apply(lambda x: x.to_list()),
    ):
        assert str(made.dtype) == "list<int64>"
        assert made.to_list() == [[1, 5], [3, 4], [9]]


@pytest.mark.parametrize(
    ("expression", "error", "says"),
    [
        ("g.agg(lambda x: x.nope)", AttributeError, "nope"),
        ("g.agg(x=('nope', 'sum'))", KeyError, "nope"),
        ("g.agg(x='sum')", TypeError, "x"),
        ("g.agg(3)", TypeError, "3"),
        ("g.apply(3)", TypeError, "3"),
        ("g.apply('nope')", TypeError, "nope"),
        ("g.apply('ngroups', 1)", ValueError, "ngroups"),
        ("g.transform('nope')", ValueError, "nope"),
        ("g.transform({'v': ['sum']})", NotImplementedError, "func"),
        ("g.v.transform(['sum'])", NotImplementedError, "func"),
        ("g.v.transform(lambda x: [1, 2, 3])", ValueError, "Length"),
        ("g.filter(lambda g: 'x')", TypeError, "str"),
        ("g.filter(lambda g: g.v.head(2) if len(g) > 1 else True)", TypeError, "Series"),
    ],
)
def test_errors_of_apply_of_groups(expression, error, says):
    with pytest.raises(error, match=says):
        eval(expression, {"g": ours(GROUPS).groupby("k")})


def test_errors_name_the_group_and_rows():
    groups = ours(GROUPS).groupby("k")

    def fails(x):
        if len(x) == 1:
            raise ValueError("too few")
        return 1

    for call in (groups.apply, groups.v.apply, groups.agg, groups.v.agg, groups.transform, groups.filter):
        with pytest.raises(ValueError, match="too few") as caught:
            call(fails)
        assert caught.value.__notes__ == ["in the group 'c'"]
    with pytest.raises(ValueError, match="no") as caught:
        ours(GROUPS).v.map(lambda x: x if x != 4 else int("no"))
    assert caught.value.__notes__ == ["in the row 0"]


def test_one_warning_says_why():
    groups = ours(GROUPS).groupby("k")
    calls = {
        "apply": lambda: groups.apply(lambda g: g.size),
        "agg": lambda: groups.agg([lambda x: str(x), lambda x: repr(x)]),
        "transform": lambda: groups.transform(lambda x: x.to_list()),
        "filter": lambda: groups.filter(lambda x: bool(x.name)),
    }
    for name, call in calls.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert [w.category for w in caught] == [PerformanceWarning], name
        assert "for each group" in str(caught[0].message)
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        groups[["i"]].agg([np.sum, max])
        groups[["i"]].transform(sum)
        groups.i.apply(np.mean)


def test_interrupts_come_through():
    def interrupts(g):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ours(GROUPS).groupby("k").apply(interrupts)


def test_groups_are_objects_of_their_own():
    df = ours(GROUPS)

    def writes(g):
        g["v"] = 0.0
        g.iloc[0, 2] = 100
        return g

    made = df.groupby("k", group_keys=False).apply(writes)
    assert made.v.sum() == 0
    assert df.equals(ours(GROUPS))


CATEGORIES = pd.DataFrame(
    {
        "k": [1, 1, 2],
        "c": pd.Categorical(["x", "y", "x"]),
        "o": pd.Categorical([3, 1, 3], ordered=True),
        "i": pd.cut(pd.Series([1, 2, 3]), 2),
    }
)


@pytest.mark.parametrize(
    "function",
    ["list", "tuple", "sorted", "frozenset", "len", "lambda s: s.mode()[0]", "lambda s: s.nunique()"]
    + ["lambda s: 'z'", "lambda s: s.iloc[0]", "lambda s: None", "lambda s: (s.iloc[0], 1)"]
    + ["lambda s: list(s.unique())", "lambda s: s.cat.codes.sum()", "lambda s: s.value_counts().index[0]"],
)
def test_functions_of_categories(function):
    for call in (
        f"df.groupby('k')[column].agg({function})",
        f"df.groupby('k')[column].apply({function})",
        f"df.groupby('k')[[column]].agg({function})[column]",
        f"df.groupby('k').agg(z=(column, {function})).z",
    ):
        for column in ("c", "o", "i"):
            expected, found = (
                eval(call, {"df": df, "column": column}).to_list() for df in (CATEGORIES, ours(CATEGORIES))
            )
            # An integer is for pandas the interval that it lies in.
            if column != "i" or not isinstance(found[0], int):
                assert repr(found) == repr(expected), (call, column)


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("df.groupby('a').filter(lambda g: g.b.sum())", TypeError, "expected a scalar bool"),
        ("df.groupby('a').filter(lambda g: 1)", TypeError, "expected a scalar bool"),
        ("df.groupby('a').b.filter(lambda g: g > 1)", TypeError, "boolean result"),
    ],
)
def test_filter_needs_a_truth_value(code, error, message):
    for lib, df in ((pd, FLOATS.copy()), (cuprum, ours(FLOATS))):
        with warnings.catch_warnings(), pytest.raises(error, match=message):
            warnings.simplefilter("ignore")
            eval(code, {"lib": lib, "df": df})
