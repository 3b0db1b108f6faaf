"""`pivot_table`, `pivot` and `crosstab`."""

from typing import Any

import pandas as pd
import pytest
from oracle import agree, pair
from small_frames import BELOW_TWO_LABELS, SIZES, SOLD, TIMES_AND_LENGTHS, TWO_FRAMES, TWO_LEVELS

import cuprum

MISSING = pd.Series(
    [1.0, 2, 3, 4, 5],
    index=pd.MultiIndex.from_arrays(
        [["b", "a", "b", None, "a"], ["x", "y", None, "x", "z"]], names=["k", "l"]
    ),
)
GAPS = SOLD.assign(k=["a", "a", None, "b", "a", "c"], v=[1.0, 2, 3, None, 5, 6], m=SOLD.m.astype("float64"))


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
        "lib.crosstab(a.k, a.l, values=a.v, aggfunc=['sum', max])",
        "lib.crosstab(a.k, [a.l, a.m], values=a.v, aggfunc=['sum', 'mean'])",
        "lib.crosstab(a.k, a.l, values=a.v, aggfunc=['sum', 'mean'], margins=True)",
        "lib.crosstab([a.k, a.m], a.l, values=a.v, aggfunc=['sum'], normalize=True)",
        "lib.crosstab(a.k, a.l, values=a.v, aggfunc=['sum', 'mean'], normalize='index', margins=True)",
        "lib.crosstab(a.k, a.l, normalize='columns', margins=True)",
        "lib.crosstab(a.k, a.l, normalize='index')",
        "lib.crosstab(a.k, a.k)",
        "lib.crosstab(np.array([1, 2, 1]), np.array([5, 5, 6]))",
    ],
)
@pytest.mark.parametrize("a", [SOLD, GAPS], ids=["whole", "gaps"])
def test_tables_of_aggregations(code, a):
    agree(code, kept="x", a=a)


def test_lists_of_functions_that_crosstab_refuses():
    table = "lib.crosstab(a.k, a.l, values=a.v, aggfunc="
    agree(table + "[])", a=SOLD, refused=(ValueError, "No objects to concatenate"))
    whole = (ValueError, "with `margins` and a list as `aggfunc`")
    agree(table + "['sum', 'mean'], margins=True, normalize='all')", a=SOLD, refused=whole)
    agree(table + "['sum'], margins=True, normalize=True)", a=SOLD, refused=whole)


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


@pytest.mark.parametrize("code", ["missing.unstack()", "sold.pivot_table(index='k', columns='l')"])
def test_printed(code):
    frames = {"missing": MISSING, "sold": SOLD.astype({"m": "float64", "w": "float64"})}
    expected = str(eval(code, dict(frames)))
    assert str(eval(code, {name: pair(frame).ours for name, frame in frames.items()})) == expected


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


@pytest.mark.parametrize(
    "how",
    [
        "'v', 'a'",
        "'v', ['a', 'b']",
        "['v'], 'a', aggfunc='sum'",
        "'v', 'a', dropna=False",
        "'v', 'a', 'b'",
        "index='a', values='v', aggfunc='count'",
    ],
)
def test_tables_of_no_rows_have_no_columns(how):
    agree(f"df.pivot_table({how})", df=pd.DataFrame({"a": ["x"], "b": ["y"], "v": [1.0]})[:0])


def _nothing(lib: Any) -> Any:
    return lib.DataFrame({"a": [2, 2], "v": [1, 2], "b": [None, None]})


def test_names_of_no_columns():
    agree(
        lambda lib: list(
            _nothing(lib).pivot_table(index="a", columns="b", values="v", aggfunc="sum").columns.names
        )
    )


@pytest.mark.parametrize(
    "code",
    [
        "df.pivot_table(index='g', columns='o', values='v', observed=False)",
        "df.pivot_table(index='k', columns='o', values='v', aggfunc='sum', fill_value=0, margins=True)",
        "df.pivot_table(index='k', columns=['o', 't'], values='v', aggfunc='sum', fill_value=0)",
        "df.pivot_table(index='k', columns=['t', 'g'], values='v', aggfunc=['sum', 'max'], fill_value=0)",
        "df.pivot_table(index='k', columns='o', aggfunc='size', fill_value=0)",
        "lib.crosstab(df.g, df.o)",
        "lib.crosstab(df.k, df.o, normalize='index')",
        "lib.crosstab(df.k, df.o, margins=True)",
    ],
)
def test_columns_of_tables_stand_in_the_order_of_their_categories(code):
    # Labels of columns are no categories here.
    agree(f"({code}).to_string()", df=SIZES)


@pytest.mark.parametrize(
    "code",
    [
        "lib.crosstab(df.k, df.t, margins=True)",
        "lib.crosstab(df.k, df.v, margins=True)",
        "lib.crosstab(df.k, df.v, margins=True)['All']",
        "lib.crosstab(df.k, df.v, margins=True).loc['All']",
        "lib.crosstab(df.k, [df.v, df.t], margins=True, margins_name='T').to_string()",
        "df.pivot_table(index='k', columns='v', values='t', aggfunc='count', margins=True, fill_value=0)",
    ],
)
def test_margins_stand_beside_numbers_and_truth_values(code):
    agree(code, df=SIZES)


@pytest.mark.parametrize(
    "code",
    [
        "lib.crosstab(['a', 'b', 'a'], [1, 2, 1])",
        "lib.crosstab(a.id.to_list(), b.id)",
    ],
)
def test_crosstab_of_lists(code):
    agree(code, **TWO_FRAMES)


@pytest.mark.parametrize(
    "given",
    [
        "index='r', columns='c', fill_value=0",
        "index='r'",
        "index=['r', 'c']",
        "index='r', columns='c', values=['v', 'w'], fill_value=0",
        "index='r', columns='c', fill_value=0, dropna=False",
        "index=['r', 'w'], columns='c', fill_value=0, dropna=False",
    ],
)
def test_sizes_of_groups_are_those_of_no_column(given):
    frame = pd.DataFrame({"r": list("xxyx"), "c": list("ppqq"), "v": [1.0, None, 3, 4], "w": [1, 2, 3, 4]})
    agree(f"df.pivot_table({given}, aggfunc='size')", df=frame)


FLAT = TWO_LEVELS.reset_index()


LONG = pd.DataFrame({"k": ["a", "b"], "x1": [1, 2], "x2": [3, 4], "y1": [1.5, 2], "z": [7, 8]})


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
    ],
)
def test_pivot_is_that_of_pandas(code):
    agree(
        code,
        kept=[("v", 2), 2],
        flat=FLAT,
        sold=SOLD,
        wide=BELOW_TWO_LABELS,
        long=LONG,
        times=TIMES_AND_LENGTHS,
    )


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("a.pivot(index='k', columns='l', values='v')", ValueError, "duplicate entries"),
        ("a.pivot(index='k', columns='bogus')", KeyError, "columns.*bogus"),
        ("a.pivot(index='bogus', columns='l')", KeyError, "index.*bogus"),
        ("a.pivot(index='k', columns='l', values='bogus')", KeyError, "values.*bogus"),
        ("a.pivot(columns=[])", ValueError, "columns"),
        ("a.pivot_table(values='bogus', index='k')", KeyError, "bogus"),
        ("a.pivot_table(values='v')", ValueError, "No group keys"),
        ("a.pivot_table(values='v', index='k', margins=True, margins_name=3)", ValueError, "margins_name"),
        ("lib.crosstab(a.k, a.l, values=a.v)", ValueError, "aggfunc"),
        ("lib.crosstab(a.k, a.l, aggfunc='sum')", ValueError, "values"),
        ("lib.crosstab(a.k, a.l, rownames=['x', 'y'])", AssertionError, "names"),
    ],
)
def test_pivot_and_tables_that_are_refused(code, error, says):
    with pytest.raises(error, match=says):
        eval(code, {"lib": cuprum, "a": pair(SOLD).ours})
