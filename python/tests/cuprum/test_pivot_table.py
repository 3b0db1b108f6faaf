"""Labels and elements in each other's places, beside pandas: stack, unstack, melt, pivot, tables of aggregations."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import agree, pair

import cuprum

MISSING = pd.Series(
    [1.0, 2, 3, 4, 5],
    index=pd.MultiIndex.from_arrays(
        [["b", "a", "b", None, "a"], ["x", "y", None, "x", "z"]], names=["k", "l"]
    ),
)
DEEP = pd.DataFrame(
    {"v": [1, 2, 3], "w": [1.5, 2.5, 3.5]},
    index=pd.MultiIndex.from_tuples([("b", 1), ("a", 2), ("b", 2)], names=["k", "l"]),
)
FLAT = DEEP.reset_index()
SOLD = pd.DataFrame(
    {
        "k": ["a", "a", "b", "b", "a", "c"],
        "l": ["x", "y", "x", "x", "y", "z"],
        "m": [1, 1, 2, 2, 1, 2],
        "v": [1.0, 2, 3, 4, 5, 6],
        "w": [1, 2, 3, 4, 5, 6],
    }
)
GAPS = SOLD.assign(k=["a", "a", None, "b", "a", "c"], v=[1.0, 2, 3, None, 5, 6], m=SOLD.m.astype("float64"))
WIDE = pd.DataFrame(
    [[1, 2, 3], [4, 5, 6]],
    columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "x")], names=["o", "i"]),
)
LONG = pd.DataFrame({"k": ["a", "b"], "x1": [1, 2], "x2": [3, 4], "y1": [1.5, 2], "z": [7, 8]})
TIMES = pd.DataFrame(
    {
        "t": pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-01"]),
        "é": ["ü", "ü", "ö"],
        "d": pd.to_timedelta([1, 2, 3], unit="s"),
    }
)


@pytest.mark.parametrize(
    "code",
    [
        "missing.unstack()",
        "missing.unstack(0)",
        "missing.unstack(sort=False)",
        "missing.unstack('k', fill_value=-1.5)",
        "deep.unstack(fill_value=0)",
        "deep.unstack('k')",
        "deep.unstack(sort=False)",
        "deep.unstack([1])",
        "deep.v.unstack(fill_value=9)",
        "deep.v.astype('float32').unstack(fill_value=0.1)",
        "deep.v.astype('float32').unstack(fill_value=1e300)",
        "deep.unstack().stack()",
        "deep.unstack().stack([0, 1])",
        "deep.unstack().unstack()",
        "deep.stack()",
        "wide.stack()",
        "wide.stack(0)",
        "wide.stack('o')",
        "wide.stack([0, 1])",
        "wide.stack([1, 0])",
        "lib.DataFrame([[1, 2]], columns=lib.MultiIndex.from_tuples([('a', 'x'), ('b', 'y')])).stack()",
        "lib.DataFrame({('a', 'x'): [1, 2]}, index=deep.index[:2]).unstack()",
        "wide.rename_axis(columns=[None, None]).stack()",
        "wide.rename_axis(columns=[None, None]).unstack()",
        "flat[['v', 'w']].rename_axis(columns='c').stack()",
        "wide.unstack()",
        "flat[['v', 'w']].unstack()",
        "sold.iloc[[0, 1, 2, 5]].set_index(['k', 'l', 'm']).unstack([1, 2])",
        "sold.iloc[[0, 1, 2, 5]].set_index(['k', 'l', 'm']).v.unstack([2, 1])",
        "sold.iloc[[0, 1, 2, 5]].set_index(['k', 'l', 'm']).unstack().unstack()",
        "sold.iloc[[0, 1, 2, 5]].set_index(['k', 'l', 'm']).unstack('l').stack('l')",
        "sold.groupby(['k', 'l']).v.sum().unstack()",
        "sold.groupby(['k', 'l'])[['v', 'w']].sum().unstack('k').stack()",
        "times.set_index(['t', 'é']).unstack()",
        "times.set_index(['t', 'é']).d.unstack('t')",
        "sold.iloc[:0][['v', 'w']].stack()",
    ],
)
def test_stack_and_unstack(code):
    agree(
        code,
        kept=["k", "l", ("v", "b"), ("v", 2)],
        missing=MISSING,
        deep=DEEP,
        flat=FLAT,
        sold=SOLD,
        wide=WIDE,
        times=TIMES,
    )


@pytest.mark.parametrize(
    "code",
    [
        "flat.pivot(index='k', columns='l')",
        "flat.pivot(index='k', columns='l', values='v')",
        "flat.pivot(index='k', columns='l', values=['v'])",
        "flat.pivot(index='k', columns='l', values=['w', 'v'])",
        "flat.pivot(columns='l', values='v')",
        "flat.set_index('w').pivot(columns=['l'], values='v')",
        "flat.set_index(['k', 'w']).pivot(columns='l', values='v')",
        "sold.head(3).reset_index().pivot(index='index', columns=['k', 'l'], values='v')",
        "lib.pivot(times, index='é', columns='t', values='d')",
        "flat[['v', 'w']].melt()",
        "flat.melt(id_vars='k', value_vars=['v', 'w'])",
        "flat.melt(id_vars=['k'], value_vars=['v', 'w'], var_name='q', ignore_index=False)",
        "flat.rename_axis(columns='n')[['k', 'v', 'w']].melt('k')",
        "wide.melt()",
        "lib.DataFrame([[1, 2]], columns=lib.MultiIndex.from_tuples([('a', 'x'), ('b', 'y')])).melt()",
        "wide.rename_axis(columns=[None, None]).melt()",
        "wide.rename_axis(columns=[None, None]).melt(col_level=1)",
        "wide.melt(col_level=0)",
        "wide.melt(col_level='i')",
        "wide.melt(id_vars=[('a', 'x')])",
        "wide.melt(var_name=['f', 'g'])",
        "lib.melt(flat[['v', 'w']], id_vars='v', value_name='z')",
        "flat.iloc[:0].melt(id_vars='k', value_vars=['v', 'w'])",
        "lib.wide_to_long(long, 'x', i='k', j='n')",
        "lib.wide_to_long(long, ['x', 'y'], i='k', j='n')",
        "lib.wide_to_long(long.drop(columns='z'), ['x', 'y'], i='k', j='n')",
        "lib.wide_to_long(long, 'x', i=['k', 'z'], j='n')",
    ],
)
def test_pivot_and_melt(code):
    agree(code, kept=[("v", 2), 2], flat=FLAT, sold=SOLD, wide=WIDE, long=LONG, times=TIMES)


@pytest.mark.parametrize(
    "code",
    [
        "a.pivot_table(values='v', index='k', columns='l')",
        "a.pivot_table(values='v', index='k', columns='l', aggfunc='sum', fill_value=0)",
        "a.pivot_table(index='k', columns='l', values=['v', 'm'])",
        "a.pivot_table(values=['v', 'w'], index='k', columns='l', aggfunc='sum')",
        "a.pivot_table(values='w', index=['k', 'm'], columns='l', aggfunc='sum')",
        "a.pivot_table(values='w', index=['k', 'm'], aggfunc='sum')",
        "a.pivot_table(values='w', columns='k', aggfunc='sum')",
        "a.pivot_table(values=['v', 'w'], columns=['k', 'l'], aggfunc='sum')",
        "a.pivot_table(values='w', index='k', columns=['l', 'm'], aggfunc='sum')",
        "a.pivot_table(values='w', index='k', columns=['l', 'm'], aggfunc='sum', dropna=False)",
        "a.pivot_table(values='w', index='k', columns='l', aggfunc=['sum', 'mean'])",
        "a.pivot_table(values=['v', 'w'], index='k', aggfunc={'v': 'mean', 'w': 'max'})",
        "a.pivot_table(values=['v', 'w'], index='k', aggfunc={'v': 'mean', 'w': ['max', 'min']})",
        "a.pivot_table(values='v', index='k', columns='l', aggfunc=np.sum)",
        "a.pivot_table(values='v', index='k', columns='l', aggfunc=len)",
        "a.pivot_table(values='v', index='k', columns='l', aggfunc='count')",
        "a.pivot_table(values='v', index='k', columns='l', margins=True)",
        "a.pivot_table(values='v', index='k', columns='l', aggfunc='sum', margins=True, fill_value=0)",
        "a.pivot_table(values=['v', 'w'], index='k', columns='l', aggfunc='sum', margins=True)",
        "a.pivot_table(values='w', index=['k', 'm'], columns='l', aggfunc='sum', margins=True, margins_name='T')",
        "a.pivot_table(values='w', index='k', aggfunc='sum', margins=True)",
        "a.pivot_table(values='w', index='m', columns='l', aggfunc='sum', margins=True)",
        "a.pivot_table(values='v', index=a['k'], columns='l')",
        "a.pivot_table(values='v', index='l', columns='k', sort=False)",
        "lib.crosstab(a.k, a.l)",
        "lib.crosstab(a.k, [a.l, a.m])",
        "lib.crosstab([a.k, a.m], a.l, margins=True)",
        "lib.crosstab(a.k, a.l, margins=True)",
        "lib.crosstab(a.k, a.l, values=a.v, aggfunc='sum')",
        "lib.crosstab(a.k, a.l, normalize='columns', margins=True)",
        "lib.crosstab(a.k, a.l, normalize='index')",
        "lib.crosstab(a.k, a.k)",
        "lib.crosstab(np.array([1, 2, 1]), np.array([5, 5, 6]))",
    ],
)
@pytest.mark.parametrize("a", [SOLD, GAPS], ids=["whole", "gaps"])
def test_tables_of_aggregations(code, a):
    agree(code, kept="x", a=a)


@pytest.mark.parametrize(
    "code",
    [
        "a.pivot_table(values='v', index='k', columns='l', dropna=False)",
        "a.pivot_table(values='v', index='k', columns='l', aggfunc='count', margins=True, dropna=False)",
        "lib.crosstab(a.k, a.l, dropna=False)",
        "lib.crosstab(a.k, a.l, margins=True, dropna=False)",
    ],
)
def test_missing_keys_of_tables(code):
    agree(code, a=GAPS)


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("a.set_index(['k', 'l']).unstack()", ValueError, "duplicate entries"),
        ("a.v.unstack()", ValueError, "MultiIndex"),
        ("a.set_index(['k', 'l']).unstack([0, 1])", NotImplementedError, "all levels"),
        ("a.set_index(['k', 'l', 'm']).v.unstack(['l', 'l'])", ValueError, "twice"),
        ("a.set_index(['k', 'l']).unstack('bogus')", KeyError, "bogus"),
        ("a.stack('bogus')", KeyError, "bogus"),
        ("a.pivot(index='k', columns='l', values='v')", ValueError, "duplicate entries"),
        ("a.pivot(index='k', columns='bogus')", KeyError, "columns.*bogus"),
        ("a.pivot(index='bogus', columns='l')", KeyError, "index.*bogus"),
        ("a.pivot(index='k', columns='l', values='bogus')", KeyError, "values.*bogus"),
        ("a.pivot(columns=[])", ValueError, "columns"),
        ("a.melt('bogus')", KeyError, "bogus"),
        ("a.melt(value_vars=['bogus'])", KeyError, "bogus"),
        ("a.melt('k', ['v'], value_name='l')", ValueError, "value_name"),
        ("a.pivot_table(values='bogus', index='k')", KeyError, "bogus"),
        ("a.pivot_table(values='v')", ValueError, "No group keys"),
        ("a.pivot_table(values='v', index='k', margins=True, margins_name=3)", ValueError, "margins_name"),
        ("lib.crosstab(a.k, a.l, values=a.v)", ValueError, "aggfunc"),
        ("lib.crosstab(a.k, a.l, aggfunc='sum')", ValueError, "values"),
        ("lib.crosstab(a.k, a.l, rownames=['x', 'y'])", AssertionError, "names"),
        ("lib.wide_to_long(a, 'v', i='k', j='n')", ValueError, "stubname"),
        ("lib.wide_to_long(a, 'x', i='k', j='n')", ValueError, "uniquely"),
    ],
)
def test_what_is_refused(code, error, says):
    with pytest.raises(error, match=says):
        eval(code, {"lib": cuprum, "a": pair(SOLD).ours})


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "é", "x", None]), st.sampled_from([-1, 0, 7]), st.floats(allow_nan=False)
        ),
        min_size=1,
        max_size=12,
        unique_by=lambda row: row[:2],
    ),
    st.booleans(),
    st.booleans(),
)
def test_unstack_of_any_rows(rows, sort, outer):
    frame = pd.DataFrame(rows, columns=["k", "l", "v"]).astype({"k": "str"}).set_index(["k", "l"])
    # A missing one makes objects of texts that are column labels.
    options = {"kept": "k", "column_labels": object}
    agree(lambda lib, a: a.unstack(0 if outer else 1, sort=sort), **options, a=frame)
    agree(lambda lib, a: a.v.unstack(1 if outer else 0, sort=sort), **options, a=frame)


def test_many_rows():
    """More rows than a morsel has: every cell is where its labels say."""
    rows, columns = 70_000, 3
    random = np.random.default_rng(1)
    order = random.permutation(rows * columns)
    frame = pd.DataFrame({"k": order // columns, "l": order % columns, "v": order * 0.5})
    wide = pair(frame).ours.pivot(index="k", columns="l", values="v")
    expected = np.arange(rows * columns).reshape(rows, columns) * 0.5
    assert np.array_equal(wide.to_numpy(), expected)
    assert np.array_equal(wide.stack().to_numpy(), expected.reshape(-1))
    assert np.array_equal(wide.melt(ignore_index=False).value.to_numpy(), expected.T.reshape(-1))


@pytest.mark.parametrize("code", ["missing.unstack()", "sold.pivot_table(index='k', columns='l')"])
def test_printed(code):
    frames = {"missing": MISSING, "sold": SOLD.astype({"m": "float64", "w": "float64"})}
    expected = str(eval(code, dict(frames)))
    assert str(eval(code, {name: pair(frame).ours for name, frame in frames.items()})) == expected


def test_missing_labels_of_inner_levels_are_printed_as_everywhere():
    # pandas prints nan for a missing text that its level does not have, and NaN after groups.
    code = "missing.to_frame('v').unstack()"
    expected = str(eval(code, {"missing": MISSING}))
    assert expected.count("l    nan    x") == 1
    ours = str(eval(code, {"missing": pair(MISSING).ours}))
    assert ours == expected.replace("l    nan    x", "l    NaN    x")


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("a.swaplevel()", TypeError, "swap levels on a hierarchical axis"),
        ("a.v.reorder_levels([0])", TypeError, "reorder levels on a hierarchical axis"),
        ("a.set_index(['k', 'l']).reorder_levels(['k'])", AssertionError, "Length of order"),
        ("a.set_index(['k', 'l']).reorder_levels(['k', 'k'])", ValueError, "twice"),
        ("a.set_index(['k', 'l']).swaplevel('bogus')", KeyError, "bogus"),
        ("a.v.repeat(-1)", ValueError, "negative"),
        ("a.v.repeat([1, 2])", ValueError, "repeats"),
        ("a.v.repeat('x')", TypeError, "repeats"),
    ],
)
def test_levels_and_repetitions_that_are_refused(code, error, says):
    with pytest.raises(error, match=says):
        eval(code, {"a": pair(SOLD).ours})


KEYED = pd.DataFrame(
    {
        "r": ["c", "b", None, "a", "b"],
        "q": ["s", "r", "s", None, "s"],
        "c": ["z", "y", "w", "z", None],
        "d": ["n", "m", "m", "m", "n"],
        "t": pd.to_datetime(["2024-01-02", None, "2024-01-01", "2024-01-02", None]),
        "v": [1, 2, 3, 4, 5],
    }
)


@pytest.mark.parametrize(
    "code",
    [
        "lib.crosstab(df.r, df.c, dropna=False)",
        "lib.crosstab(df.r, [df.c, df.d], dropna=False)",
        "lib.crosstab([df.r, df.q], df.d, dropna=False)",
        "lib.crosstab(df.r, df.t, dropna=False)",
        "lib.crosstab(df.r, df.c, dropna=False, normalize='index')",
        "df.pivot_table('v', index=['d', 'q'], columns='c', dropna=False, aggfunc='sum', fill_value=0)",
        "df.pivot_table('v', index='r', columns='c', aggfunc='max', sort=False, fill_value=0)",
        "df.pivot_table('v', index='r', columns='d', aggfunc='max', sort=False, dropna=False, fill_value=0)",
        "df.pivot_table('v', index='r', columns='c', aggfunc='max', sort=False, dropna=False, fill_value=0)",
        "df.pivot_table('v', index=['r', 'q'], columns=['c', 'd'], aggfunc=['sum'], sort=False, fill_value=0)",
        "df.pivot_table('v', index='r', columns='d', aggfunc='size', sort=False, fill_value=0)",
    ],
)
def test_tables_of_missing_keys_and_of_keys_as_they_appear(code):
    # A missing one makes objects of texts that are column labels.
    agree(code, df=KEYED, column_labels=object)


def test_margins_beside_missing_labels_of_columns():
    agree("lib.crosstab(df.r, df.c, dropna=False, margins=True)", df=KEYED, column_labels=object)


EXPLODED = pd.DataFrame({"t": ["A", "B"], "g": [["x", "y"], ["x"]], "v": [1, 2]}).explode("g")


@pytest.mark.parametrize(
    "code",
    [
        "lib.crosstab(m.t, m.g)",
        "lib.crosstab(m.t, [m.g, m.v], margins=True)",
        "lib.crosstab(m.t, m.g, values=m.v, aggfunc='sum')",
        "lib.crosstab(m.t, m.g, normalize='index')",
        "lib.crosstab(m.t, np.array(['a', 'b', 'a']))",
        "m.pivot_table(index=m.t, columns=m.g, values='v')",
    ],
)
def test_tables_of_rows_whose_labels_repeat(code):
    agree(code, m=EXPLODED, kept="x")


EMPTY = pd.DataFrame(
    {"a": pd.Series([], dtype=str), "b": pd.Series([], dtype=str), "v": pd.Series([], dtype=float)}
)


@pytest.mark.parametrize("values", ["v", ["v"]])
@pytest.mark.parametrize(("index", "columns"), [("a", None), ("a", "b"), (["a", "b"], None), ("b", ["a"])])
@pytest.mark.parametrize("function", ["sum", "mean", "count", "max"])
def test_margins_of_nothing(values, index, columns, function):
    def table(lib, df):
        made = df.pivot_table(values, index, columns, margins=True, aggfunc=function)
        return [list(made.shape), made.index.tolist(), made.to_numpy().tolist(), list(made.index.names)]

    agree(table, df=EMPTY)
    agree(table, df=pd.DataFrame({"a": [None], "b": ["x"], "v": [1.0]}))


@pytest.mark.parametrize(
    "code",
    [
        "lib.crosstab(df.a, df.b, margins=True)",
        "lib.crosstab([df.a, df.b], df.b, margins=True)",
        "lib.crosstab(df.a, [df.a, df.b], margins=True)",
        "lib.crosstab(df.a, df.b, margins=True, dropna=False)",
        "lib.crosstab(df.a, df.b, values=df.v, aggfunc='sum', margins=True)",
    ],
)
def test_margins_of_counts_of_nothing(code):
    agree(f"[t := {code}, list(t.shape), list(t.index.names)][1:]", df=EMPTY)


@pytest.mark.parametrize("dropna", [True, False])
def test_lreshape(dropna):
    frame = pd.DataFrame(
        {"b": [7, 8], "a": ["p", "q"], "x1": [1.5, 2], "x2": [3, np.nan], "y1": [1, 2.5], "y2": [3, 4]}
    )
    groups = {"y": ["y1", "y2"], "x": ["x1", "x2"]}
    expected = pd.lreshape(frame, groups, dropna=dropna)
    pd.testing.assert_frame_equal(
        cuprum.lreshape(cuprum.DataFrame(frame), groups, dropna).to_pandas(), expected
    )
    with pytest.raises(ValueError, match="same length"):
        cuprum.lreshape(cuprum.DataFrame(frame), {"x": ["x1"], "y": ["y1", "y2"]})
    with pytest.raises(KeyError):
        cuprum.lreshape(cuprum.DataFrame(frame), {"x": ["x1", "none"]})


@pytest.mark.parametrize("ignore_index", [True, False])
@pytest.mark.parametrize(
    "options",
    [
        "id_vars=['a', 'b']",
        "id_vars=['b'], value_vars=[]",
        "value_vars=[]",
        "id_vars=['b', 'a'], var_name='v'",
    ],
)
def test_melt_of_no_columns(options, ignore_index):
    data = pd.DataFrame({"a": pd.Categorical(["x", "y"]), "b": [1.5, None]}, index=["p", "q"])
    agree(f"df[['b']].melt(id_vars='b', ignore_index={ignore_index})", df=data)
    agree("df[['b']].melt(value_vars=[])", df=data)
    if options != "value_vars=[]":
        agree(f"df.melt({options}, ignore_index={ignore_index})", df=data)
        named = data.rename_axis(columns="n")
        agree(f"df.melt({options}, value_name='w', ignore_index={ignore_index})", df=named)
