"""Groups: every aggregation by every kind of key, in all of pandas' spellings."""

import collections
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, frames, given, ours

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
def test_every_aggregation(keys):
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
def test_options(keys, options):
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
def test_spellings(expression):
    agree(expression, df=FRAME, rtol=1e-9)


@pytest.mark.parametrize("how", AGGREGATIONS)
def test_empty(how):
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
def test_errors(expression, error):
    from oracle import ours

    with pytest.raises(error):
        eval(expression, {"df": ours(FRAME)})


# A value for every row.

CUMULATIVE = ["cumsum", "cumprod", "cummax", "cummin"]


@pytest.mark.parametrize("keys", KEYS.values(), ids=KEYS)
def test_for_every_row(keys):
    names = list(keys)

    @given(frames(**keys, i="int", j="int?", f="float?", max_rows=12))
    def check(f):
        groups = f"df.groupby({names})"
        for how in CUMULATIVE:
            agree(f"{groups}[['i', 'j', 'f']].{how}()", df=f, rtol=1e-9)
            agree(f"{groups}['f'].{how}()", df=f, rtol=1e-9)
        for periods in (1, -1, 2, 50):
            agree(f"{groups}.shift({periods})", df=f)
        agree(f"{groups}['f'].diff()", df=f)
        agree(f"{groups}[['i', 'f']].diff(-1)", df=f)
        agree(f"{groups}.ffill()", df=f, kept="j")
        agree(f"{groups}['f'].bfill()", df=f)
        for options in ("", "ascending=False"):
            agree(f"{groups}.cumcount({options})", df=f)
            agree(f"{groups}.ngroup({options})", df=f)

    check()


@given(
    frames(k="int?", i="int", f="float?", t="time", max_rows=12),
    st.sampled_from(["average", "min", "max", "first", "dense"]),
)
def test_ranks(f, method):
    for missing in ("keep", "top", "bottom"):
        for options in ("", ", ascending=False", ", pct=True"):
            arguments = f"method='{method}', na_option='{missing}'{options}"
            agree(f"df.groupby('k')[['i', 'f', 't']].rank({arguments})", df=f, rtol=1e-9)
    agree("df.groupby('k', dropna=False)['i'].rank()", df=f)


@given(frames(k="int?", s="str?", t="time", b="bool", max_rows=12))
def test_for_every_row_of_other_types(f):
    agree("df.groupby('k').shift()", df=f)
    agree("df.groupby('k')[['s', 't']].ffill()", df=f)
    agree("df.groupby('k')['t'].cummax()", df=f)
    agree("df.groupby('k')['b'].cumsum()", df=f)
    agree("df.groupby('k').cumsum(numeric_only=True)", df=f)
    with pytest.raises(TypeError, match="column 's'"):
        f.ours.groupby("k")[["s"]].cumsum()


@given(
    frames(k="str?", l="int", f="float?", max_rows=12),
    st.sampled_from(["", ", sort=False", ", dropna=False"]),
)
def test_some_rows_of_each_group(f, options):
    groups = f"df.groupby('k'{options})"
    for n in (0, 1, 2, 50, -1, -2):
        agree(f"{groups}.head({n})", df=f)
        agree(f"{groups}.tail({n})", df=f)
        agree(f"{groups}['f'].head({n})", df=f)
    for n in (0, 1, 7, -1, -2):
        agree(f"{groups}.nth({n})", df=f)
        agree(f"{groups}['f'].nth({n})", df=f)
    agree(f"{{k: list(v) for k, v in {groups}.indices.items() if k == k}}", df=f)
    agree(f"[part for key, part in {groups}]", df=f)


@given(frames(k="str?", i="int", f="float?", max_rows=12))
def test_transform_by_name(f):
    agree("df.groupby('k')['i'].transform('cumsum')", df=f)
    agree("df.groupby('k')[['i', 'f']].transform('cummax')", df=f)
    agree("df.groupby('k')['f'].transform('rank', method='min')", df=f)
    agree("df.groupby('k')['f'].transform('shift', -1)", df=f)
    agree("df.groupby('k')['f'].transform('ffill')", df=f)
    agree("df.groupby('k')['f'].transform('max')", df=f)


def test_rows_of_many_groups():
    rows = 100_000
    df = pd.DataFrame(
        {"k": [i * 7919 % 30_011 for i in range(rows)], "v": [i % 1009 / 4 for i in range(rows)]}
    )
    for how in ("cumsum()", "shift()", "rank()", "head(2)", "nth(-1)", "cumcount()", "ffill()"):
        agree(f"df.groupby('k').{how}", df=df, rtol=1e-9)


# Few elements, missing elements, other parameters.

GAPS = pd.DataFrame(
    {
        "k": [1, 1, 2, 2, 3],
        "v": [1.0, None, 3.0, 5.0, None],
        "n": [1, 2, 3, 4, 5],
        "s": ["a", None, "b", "c", "d"],
        "t": pd.to_datetime(["2013-01-01", None, "2013-01-03", "2013-01-02", "2013-01-09"]),
    }
)


@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "first", "last"])
@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_min_count(name, count):
    agree(f"df.groupby('k').{name}(min_count={count})", df=GAPS[["k", "v", "n"]])
    agree(f"df.groupby('k').v.{name}(min_count={count})", df=GAPS)
    agree(f"df.groupby('k', sort=False)['v'].{name}(min_count={count})", df=GAPS.iloc[::-1])
    agree(f"df.groupby('k', as_index=False).{name}(min_count={count})", df=GAPS[["k", "v"]])
    agree(f"df.groupby('k').v.agg({name!r}, min_count={count})", df=GAPS)
    if name in ("first", "last"):
        agree(f"df.groupby('k').{name}(min_count={count})", df=GAPS)


@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "mean", "median", "std", "var"])
def test_missing_elements_that_are_not_skipped(name):
    agree(f"df.groupby('k').{name}(skipna=False)", df=GAPS[["k", "v", "n"]])
    agree(f"df.groupby('k').v.{name}(skipna=False)", df=GAPS)
    agree(f"df.groupby('k', as_index=False).{name}(skipna=False)", df=GAPS[["k", "v"]])


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
    df = GAPS[["k", "v", "n"]]
    agree(lambda lib, df: eval(expression, {"g": df.groupby("k")}), df=df)


def test_arguments_that_an_aggregation_does_not_take():
    g = cuprum.DataFrame({"k": [1, 1], "v": [1.0, 2]}).groupby("k")
    with pytest.raises(TypeError, match="'min_count'"):
        g.agg(["std"], min_count=2)
    # pandas leaves them out without a word.
    with pytest.raises(TypeError, match="ddof"):
        g.agg({"v": "std"}, ddof=0)


# What a key is.


@pytest.mark.parametrize(
    "expression",
    [
        "df.groupby(df.a % 2).sum()",
        "df.groupby(df.a > 1).mean()",
        "df.groupby([df.a % 2, 'v']).sum()",
        "df.groupby(df.a).sum()",
        "df.groupby('a').sum()",
        "df.groupby(['a']).v.sum()",
        "df.groupby(df.a % 2)['a'].sum()",
        "df.set_index('a', drop=False).groupby(level='a').sum()",
        "df.groupby(df.a.rename('q')).sum()",
    ],
)
def test_a_key_that_only_has_the_name_of_a_column_is_none(expression):
    agree(expression, df=pd.DataFrame({"a": [1, 1, 2], "v": [3, 4, 5]}))


@pytest.mark.parametrize("keys", [[1, 1, 2, 2], ["x", "y", "x", "y"], [0.5, 0.5, 1.5, 1.5]])
def test_a_list_with_a_key_for_each_row(keys):
    agree(f"df.groupby({keys}).sum()", df=pd.DataFrame({"a": [1, 2, 3, 4]}))
    agree(f"s.groupby({keys}).sum()", s=pd.Series([1, 2, 3, 4]))


def test_a_list_of_labels_as_long_as_the_frame():
    agree("df.groupby(['a', 'b']).size()", df=pd.DataFrame({"a": [1, 1], "b": [3, 4]}))
    with pytest.raises(KeyError):
        cuprum.DataFrame({"a": [1, 1], "b": [3, 4]}).groupby(["a", "c"])


@pytest.mark.parametrize("rows", ["(0)", "(-1)", "[0]", "[1:]", "[:-1]", "[-1:]", "(slice(1, None))"])
def test_rows_by_their_number(rows):
    agree(f"df.groupby('k').nth{rows}", df=GAPS)
    agree(f"df.groupby('k').v.nth{rows}", df=GAPS)


@pytest.mark.parametrize(
    "statement",
    ["g - g.mean()", "g / g.sum()", "g.mean() - g", "g > g.min()", "g - g.mean().iloc[::-1]"],
)
def test_hierarchical_columns_with_what_they_are_reduced_to(statement):
    def combine(lib, df):
        g = df.groupby("k").agg({"v": ["min", "max"], "n": ["sum"]})
        return eval(statement, {"g": g})

    agree(combine, df=GAPS)


@pytest.mark.parametrize("statement", ["df - df.mean()", "df / df.sum()", "df == df.max()"])
@pytest.mark.parametrize("labels", [[0, "a"], [0, 1], ["0", "a"], [("x", 0), ("x", 1)]])
def test_columns_of_any_labels_with_what_they_are_reduced_to(statement, labels):
    if isinstance(labels[0], tuple):
        labels = pd.MultiIndex.from_tuples(labels)
    frame = pd.DataFrame([[1.0, 2.0], [3.0, 5.0]], columns=labels)
    agree(statement, df=frame)


# Keys of every kind.

KEYED = pd.DataFrame(
    {"k": ["b", "a", "b", None], "v": [1, 2, 4, 8], "w": [0.5, None, 1.5, 2.5]},
    index=pd.Index(["p", "q", "p", "r"], name="row"),
)


@pytest.mark.parametrize(
    "by",
    [
        "'row'",
        "['k', 'row']",
        "level='row'",
        "level=0",
        "{'p': 1.0, 'q': 2.0}",
        "lambda label: label in ('p', 'r')",
        "str.upper",
        "lib.Series([3.0, 4, 5], index=['r', 'q', 'p'])",
        "lib.Series([3.0, 4], index=['r', 'q'], name='v')",
        "[True, False, True, False]",
        "df.v % 2",
        "[df.k, {'p': 'x', 'q': 'y', 'r': 'y'}]",
    ],
)
def test_keys_of_every_kind(by):
    if "Series" in by and "index" in by:
        frame = KEYED.set_axis(["p", "q", "s", "r"])  # labels that repeat are not looked up
    else:
        frame = KEYED
    agree(f"df.groupby({by})[['v', 'w']].sum()", df=frame)
    agree(f"df.w.groupby({by}).count()", df=frame) if "'k'" not in by else None


@pytest.mark.parametrize(
    ("by", "error"),
    [
        ("'nope'", KeyError),
        ("['k', 'nope']", KeyError),
        ("[1, 2, 3, 4, 5]", (KeyError, ValueError)),
        ("lib.Index([1, 2])", ValueError),
        ("[]", ValueError),
    ],
)
def test_what_is_no_key(by, error):
    for lib in (pd, cuprum):
        with pytest.raises(error):
            lib.DataFrame(KEYED if lib is pd else cuprum.from_pandas(KEYED)).groupby(
                eval(by, {"lib": lib})
            ).sum()


def test_a_name_of_a_level_and_of_a_column_is_neither():
    frame = KEYED.assign(row=1)
    for df in (frame, cuprum.from_pandas(frame)):
        with pytest.raises(ValueError, match="ambiguous"):
            df.groupby("row").sum()


def test_numbers_are_no_levels_of_a_series():
    for lib in (pd, cuprum):
        with pytest.raises(KeyError):
            lib.Series([1, 2], index=["a", "b"]).groupby(0).sum()


def test_mappings_that_make_up_values():
    keys = collections.defaultdict(int, p=1)
    with pytest.raises(NotImplementedError, match="defaultdict"):
        cuprum.from_pandas(KEYED).groupby(keys).sum()
    assert cuprum.Series(["p", "q"]).map(keys).to_list() == [1, 0]


@pytest.mark.parametrize(
    "expression",
    [
        "g.sem()",
        "g.sem(ddof=0)",
        "g.v.sem()",
        "g.agg('sem')",
        "g.agg(['sem', 'std'])",
        "g.agg({'v': ['min', 'sum'], 'w': 'max'})",
        "g.agg({'v': 'min', 'w': 'max'})",
        "g.agg(low=('v', 'min'), high=('w', 'max'), again=('v', 'max'))",
        "g.w.agg(['min', 'max'])",
        "g.sum(min_count=2)",
        "g.w.sum(min_count=2)",
        "g.max(skipna=False)",
        "df.groupby('k', dropna=False)[['v', 'w']].sum(min_count=1)",
    ],
)
def test_several_aggregations(expression):
    agree(lambda lib, df: eval(expression, {"df": df, "g": df.groupby("k")}), df=KEYED)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "uint8", "uint32", "uint64", "float32"])
def test_differences_do_not_wrap(dtype):
    values = np.array([1, 0, 100, 7], dtype=dtype)
    frame = pd.DataFrame({"k": [1, 1, 2, 2], "v": values})
    agree("d.groupby('k').v.diff()", d=frame, kept=...)
    agree("d.groupby('k').diff()", d=frame, kept="v")
    found = cuprum.Series(values).diff().to_pandas().tolist()[1:]
    assert found == [-1, 100, -93]
    if not dtype.startswith("u"):  # pandas wraps those of unsigned integers outside of groups
        agree("d.v.diff()", d=frame, kept=...)
    agree("lib.Series(np.array([-128, 127, 1], dtype='int8')).diff()", kept=...)


WITH_NAME = pd.DataFrame({"k": ["x", "y", "x"], "p": [1, 2, 3], "q": [1.5, 2.5, 3.5]}).rename_axis(
    "L", axis=1
)
WITH_NAMES = pd.DataFrame(
    [[1, 2, 3, 4], [5, 6, 7, 8]],
    columns=pd.MultiIndex.from_product([["a", "b"], ["u", "v"]], names=["L", "N"]),
)


@pytest.mark.parametrize(
    "what",
    [
        "sum()",
        "agg('sum')",
        "agg(['sum', 'max'])",
        "first()",
        "transform('sum')",
        "cumsum()",
        "shift()",
        "rank()",
        "ffill()",
        "nunique()",
        "quantile()",
        "quantile([0.2, 0.5])",
        "diff()",
    ],
)
def test_names_of_column_levels_stay(what):
    agree(f"d.groupby('k').{what}", d=WITH_NAME)
    agree(f"d.groupby(np.array([1, 1])).{what}", d=WITH_NAMES)


@pytest.mark.parametrize("what", ["agg({'p': 'sum'})", "agg({'p': ['sum', 'max']})", "agg(x=('p', 'sum'))"])
def test_names_of_column_levels_of_chosen_columns(what):
    agree(f"d.groupby('k').{what}", d=WITH_NAME)


@pytest.mark.parametrize("order", ["", "sort=False", "ascending=True"])
@pytest.mark.parametrize("rows", ["", ".iloc[::-1]"])
def test_counts_are_in_order_of_appearance(order, rows):
    frame = pd.DataFrame(
        {"k": [1, 1, 1, 2, 2], "v": ["b", "a", "b", "z", "y"], "n": [4.0, 9.0, None, 2.0, 9.0]}
    )
    # pandas sorts groups that are in another order by an algorithm that does not keep the order of ties.
    keys = "sort=False" if rows else "sort=True"
    agree(f"d{rows}.groupby('k', {keys}).v.value_counts({order})", d=frame)
    agree(f"d{rows}.groupby('k', {keys}, as_index=False).v.value_counts({order})", d=frame)
    agree(f"d{rows}.groupby('k', {keys}).n.value_counts({order})", d=frame)
    if not order:
        agree(f"d{rows}.groupby('k', sort=False).v.value_counts()", d=frame)


def test_categories_that_a_group_has_not_are_counted():
    frame = pd.DataFrame({"k": [1, 1, 1, 2, 2], "c": pd.Categorical(["q", "p", "q", "q", "q"])})
    agree("d.groupby('k').c.value_counts()", d=frame)


def test_the_column_of_a_series_is_not_named_in_errors():
    with pytest.raises(TypeError) as caught:
        cuprum.Series([[1], [2]]).groupby([1, 1]).first()
    assert "\0" not in str(caught.value)


CALLED = pd.DataFrame({"s": list("baab"), "k": [1, 1, 2, 2], "a": [3, 1, 3, 1]})


def test_a_tuple_is_one_label():
    """As for columns; a list has several keys."""
    for df in (CALLED, ours(CALLED)):
        for grouped in (df, df["a"], df.set_index(["s", "k"])):
            with pytest.raises(KeyError):
                grouped.groupby(("s", "k"))


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby('s').s.value_counts()",
        "df.groupby('s', as_index=False).s.value_counts()",
        "df.groupby(['s', 'k']).s.value_counts()",
        "df.groupby('s', sort=False).s.value_counts()",
        "df.groupby(['k', 'k'], as_index=False).sum(numeric_only=True)",
        "df.groupby(df.a % 2, as_index=False).agg({'a': 'sum', 'k': ['min', 'max']})",
        "nested.groupby(('u', 'a'), as_index=False).agg(['sum', 'min'])",
        "nested.groupby(('u', 'a'), as_index=False).sum()",
    ],
)
def test_keys_beside_what_is_called_like_them(code):
    nested = pd.DataFrame(
        [[1, 2, 3], [1, 4, 5]],
        columns=pd.MultiIndex.from_tuples([("u", "a"), ("u", "b"), ("v", "a")], names=["L", "M"]),
    )
    agree(code, df=CALLED, nested=nested)


@pytest.mark.parametrize("ascending", [False, True])
def test_categories_that_are_as_frequent_are_in_their_order(ascending):
    values = pd.Series(list("bacc"), dtype="category")
    agree(lambda lib, s: s.value_counts(ascending=ascending).to_dict(), s=values)
    assert list(ours(values).value_counts(ascending=ascending)) == list(
        values.value_counts(ascending=ascending)
    )
    unsorted = ours(values).value_counts(sort=False).index.to_list()
    assert unsorted == values.value_counts(sort=False).index.to_list() == ["a", "b", "c"]
    order = ours(values).value_counts(ascending=ascending).index.to_list()
    assert order == values.value_counts(ascending=ascending).index.to_list()
    cut = [lib.cut(lib.Series([3, 1, 2, 1]), 3).value_counts(sort=False).to_list() for lib in (pd, cuprum)]
    assert cut[0] == cut[1] == [2, 1, 1]


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


@pytest.mark.parametrize(
    "by", ["df['k']", "df['k'].to_numpy()", "['k']", "[df['k']]", "'k'", "pd.Index([1, 1, 2])"]
)
def test_keys_of_one_list_are_tuples(by):
    df = pd.DataFrame({"k": [1, 1, 2], "v": [1.0, 2, 3]})
    agree(lambda lib, df: [key for key, _ in df.groupby(eval(by, {"df": df, "pd": pd}))], df=df)
    name = "(1,)" if by.startswith("[") else "1"
    agree(lambda lib, df: df.groupby(eval(by, {"df": df, "pd": pd})).get_group(eval(name)), df=df)


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


@pytest.mark.parametrize(
    "key",
    [
        "[1, 'a', 1]",
        "np.array([1, 'a', 1], dtype=object)",
        "lambda i: [1, 'a', 1][i]",
        "['k', np.array([1, 'a', 1], dtype=object)]",
    ],
)
def test_keys_of_several_kinds(key):
    df = pd.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 4]})
    agree(f"df.groupby({key}, sort=False).v.sum()", df=df)
    if "'k'" not in key:
        agree(f"df.v.groupby({key}, sort=False).max()", df=df)


def test_keys_that_are_times_of_day():
    series = cuprum.Series(
        [1, 2, 4], index=pd.to_datetime(["2024-01-01 06:00", "2024-01-02 06:00", "2024-01-02 07:00"])
    )
    found = series.groupby(series.index.time).sum()
    assert found.tolist() == [3, 4]
    assert [label.hour for label in found.index] == [6, 7]
