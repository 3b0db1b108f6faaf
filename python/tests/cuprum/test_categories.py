"""Categories: their accessor, groups without rows, texts and times of categories."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree, assert_like, ours, run

import cuprum
import cuprum as cp

C = pd.Series(["b", "a", None, "b"], dtype=pd.CategoricalDtype(["c", "b", "a"]), name="q", index=list("wxyz"))
ORDERED = C.cat.as_ordered().rename("o")
DAYS = pd.Series(pd.to_datetime(["2020-02-01", "1999-12-31", None, "2020-02-01"])).astype("category")
LENGTHS = pd.Series(pd.to_timedelta(["1 days 02:00:00", None, "36h"])).astype("category")


@pytest.mark.parametrize(
    "mapping",
    [
        {"a": 1.5, "b": 1.5},
        {"a": 1.5},
        {"b": "x", "a": "x", "c": "x"},
        {"a": pd.Timestamp("2020"), "b": pd.Timestamp("2021")},
        {"a": 1, "b": 2, "c": 2},
        pd.Series([1.0, 1.0], index=["b", "a"]),
        lambda category: category.upper() if category != "c" else "B",
        str.upper,
    ],
    ids=range(8),
)
@pytest.mark.parametrize("action", [None, "ignore"])
def test_categories_are_mapped_once_each(mapping, action):
    series = C.dropna() if callable(mapping) and not isinstance(mapping, pd.Series) else C
    for theirs in [series, series.dropna(), pd.concat([series] * 300)] + (
        [] if callable(mapping) else [C[:0]]
    ):
        theirs = theirs.astype(C.dtype)
        expected = theirs.map(mapping, na_action=action)
        found = ours(theirs).map(
            ours(mapping) if isinstance(mapping, pd.Series) else mapping, na_action=action
        )
        if isinstance(expected.dtype, pd.CategoricalDtype):
            pd.testing.assert_series_equal(found.to_pandas(), expected)
        else:
            assert_like(found, expected)


@pytest.mark.parametrize(
    "code",
    [
        "c.cat.categories",
        "c.cat.ordered",
        "o.cat.ordered",
        "c.cat.codes",
        "c.cat.as_ordered()",
        "o.cat.as_unordered()",
        "c.cat.set_categories(['a', 'x'])",
        "c.cat.set_categories(['a', 'x'], ordered=True)",
        "c.cat.set_categories(['z', 'y'], rename=True)",
        "c.cat.set_categories(['z', 'y', 'x', 'w'], rename=True)",
        "o.cat.add_categories('z')",
        "c.cat.add_categories(['z', 'y'])",
        "c.cat.remove_categories('b')",
        "c.isin(['a', 'x'])",
        "c.isin(['b', None])",
        "c.isin([None])",
        "c.isin([1, 2])",
        "c.isin([])",
        "c.isin(o)",
        "c[:0].isin(['a'])",
        "c.iloc[2:].isin(['a'])",
        "o.isin(pd.Index(['b', 'c']))",
        "c.cat.remove_categories(['c', 'a'])",
        "c.cat.remove_unused_categories()",
        "c.cat.rename_categories([1, 2, 3])",
        "c.cat.rename_categories({'a': 'x'})",
        "c.cat.rename_categories(str.upper)",
        "c.cat.reorder_categories(['a', 'b', 'c'])",
        "c.cat.reorder_categories(['a', 'b', 'c'], ordered=True)",
        "o.cat.set_categories(['c', 'b', 'a', 'd'])",
        "lib.Series([], dtype='category').cat.add_categories(['x'])",
        "o.clip('b', 'b')",
        "o.cummax()",
        "o.max()",
        "o.idxmax()",
        "c.idxmin()",
        "o >= 'b'",
        "o == o",
        "c.where(c.notna(), 'a')",
    ],
)
def test_categories_are_those_of_pandas(code):
    agree(code, c=C, o=ORDERED)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("c.cat.add_categories('a')", ValueError),
        ("c.cat.remove_categories('z')", ValueError),
        ("c.cat.rename_categories(['x'])", ValueError),
        ("c.cat.rename_categories(['x', 'x', 'y'])", ValueError),
        ("c.cat.reorder_categories(['a', 'b'])", ValueError),
        ("c.cat.reorder_categories(['a', 'b', 'z'])", ValueError),
        ("c.cat.set_categories(['a', 'a'])", ValueError),
        ("c.cat.set_categories('ab')", TypeError),
        ("c.astype(str).cat", AttributeError),
        ("c > 'a'", TypeError),
        ("o > 'zz'", TypeError),
        ("c.max()", TypeError),
        ("c.nlargest(1)", TypeError),
        ("o.nlargest(1)", TypeError),
        ("o.to_frame().nsmallest(1, 'o')", TypeError),
        ("c.fillna('z')", TypeError),
        ("c.where(c.notna(), 'z')", TypeError),
        ("c.cummax()", TypeError),
        ("c.clip('a', 'b')", TypeError),
        ("c + c", TypeError),
        ("c.sum()", TypeError),
    ],
)
def test_refused_as_in_pandas(code, error):
    for convert in (lambda s: s, cp.from_pandas):
        with pytest.raises(error):
            eval(code, {"c": convert(C), "o": convert(ORDERED)})


def test_missing_elements_decide_about_the_type_of_what_a_function_makes():
    found, expected = (s.map(lambda category: 1, na_action="ignore") for s in (ours(C), C))
    assert found.dtype == expected.dtype == "float64"
    assert_like(found, expected)


def test_texts_and_times_of_categories():
    for code in ["c.str.len()", "c.str.startswith('b')", "c.str.cat(sep='-')"]:
        agree(code, kept=..., c=C)
    actual = cp.from_pandas(C).str.upper()
    assert actual.dtype == "str" and actual.to_list()[:2] == ["B", "A"]
    for code in [
        "d.dt.year",
        "d.dt.normalize()",
        "d.dt.strftime('%d.%m')",
        "d.dt.is_month_start",
        "d.isin(pd.to_datetime(['1999-12-31', None]))",
    ]:
        agree(code, kept=..., d=DAYS)
    agree("t.dt.total_seconds()", kept=..., t=LENGTHS)


KEYS = pd.DataFrame(
    {
        "c": C.array,
        "o": ORDERED.array,
        "n": ["y", "x", "x", "y"],
        "v": [1, 2, 3, 4],
        "w": [1.5, np.nan, 3.0, 4.0],
        "b": [True, False, True, True],
    }
)


def grouped(code):
    expected = eval(code, {"df": KEYS})
    actual = eval(code, {"df": cp.from_pandas(KEYS)})
    assert_like(actual, expected)


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("dropna", [True, False])
@pytest.mark.parametrize("by", ["'c'", "['c', 'o']", "['n', 'c']", "['c', 'n']"])
@pytest.mark.parametrize(
    "how",
    [
        *[
            f"v.{name}()"
            for name in ("sum", "prod", "min", "max", "mean", "count", "nunique", "std", "median")
        ],
        *["w.sum(min_count=1)", "w.first()", "b.any()", "b.all()", "size()", "ngroups"],
        "agg({'v': ['sum', 'max']})",
    ],
)
def test_groups_of_categories_without_rows(by, how, sort, dropna):
    if not dropna and by != "'c'":
        by = by.replace("'o'", "'n'") if "'n'" not in by else by
    grouped(f"df.groupby({by}, observed=False, sort={sort}, dropna={dropna}).{how}")


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby('c', observed=False, as_index=False).v.sum()",
        "df.groupby('c', observed=False, as_index=False).size()",
        "df.groupby('n', observed=False).v.sum()",
        "df.groupby('c', observed=False).v.transform('sum')",
        "df.groupby('c', observed=False).v.cumsum()",
        "df.groupby('c', observed=False).v.cumcount()",
        "df.groupby('c', observed=False).ngroup()",
        "df.groupby('c', observed=False)[['v']].head(1)",
        "df.groupby('c', observed=False)[['v', 'w']].nth(0)",
    ],
)
def test_other_results_of_groups_without_rows(code):
    grouped(code)


@pytest.mark.parametrize("op", ["eq", "ne", "lt"])
@pytest.mark.parametrize("ordered", [(False, False), (False, True), (True, True)])
@pytest.mark.parametrize("categories", ["ab", "ba", "abc", "ac"])
def test_comparing_categoricals_of_other_categories(op, ordered, categories):
    left, right = (
        pd.Series(pd.Categorical(["b", "a", None], categories=["a", "b"])).cat.set_categories(
            list(of), ordered
        )
        for of, ordered in zip(("ab", categories), ordered, strict=True)
    )
    try:
        getattr(left, op)(right)
    except TypeError:
        with pytest.raises(TypeError, match="categor"):
            getattr(ours(left), op)(ours(right))
    else:
        agree(lambda lib, left, right: getattr(left, op)(right), left=left, right=right)


@pytest.mark.parametrize("values", [[], [None], ["b"], ["b", "a", "b", "a"]])
def test_mode_is_among_what_rows_have(values):
    agree("s.mode()", s=pd.Series(pd.Categorical(values, categories=["a", "b", "q"])))


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("categories", [[3, 2, 1], ["c", "a", "b"]])
def test_ranks_of_categories(ordered, categories):
    values = pd.Categorical([categories[0], None, *categories[1:], categories[1]], categories, ordered)
    agree("s.rank()", s=pd.Series(values))
    frame = pd.DataFrame({"k": [1, 1, 2, 1, 2], "s": values})
    if ordered:
        agree("d.groupby('k').s.rank()", d=frame)
    else:
        for d in (frame, ours(frame)):
            with pytest.raises(TypeError, match="ordered"):
                d.groupby("k").s.rank()


def test_arrays_of_categories_are_those_of_pandas():
    letters = pd.Categorical(["a", "b", None, "a"], categories=["b", "a", "c"], ordered=True)
    assert cp.Categorical is pd.Categorical
    for code in (
        "lib.Series(c).values",
        "lib.Series(c).array",
        "lib.Series(c).unique()",
        "lib.unique(c)",
        "lib.factorize(c)",
        "lib.CategoricalIndex(c).values",
        "lib.Series(c) == c",
        "lib.DataFrame({'k': c})",
        "lib.concat([lib.Series(c), lib.Series(c)])",
        "lib.DataFrame({'v': [1, 2, 3, 4]}).groupby(c, observed=False)['v'].sum()",
    ):
        assert_like(run(code, cp, {"c": letters}), run(code, pd, {"c": letters}))


@pytest.mark.parametrize("other", ["np.array(['b', 'a'])", "['b', 'a']", "lib.Series(['b', 'a'])"])
@pytest.mark.parametrize("sign", ["<", ">="])
def test_categories_have_no_order_among_other_elements(other, sign):
    for lib in (pd, cuprum):
        series = lib.Series(pd.Categorical(["a", "b"], categories=["b", "a"], ordered=True))
        with pytest.raises(TypeError, match="Cannot compare"):
            eval(f"series {sign} {other}", {"lib": lib, "np": np, "series": series})
    agree(f"lib.Series(pd.Categorical(['a', 'b'])) == {other}")


@pytest.mark.parametrize("values", [["a", "c", "a"], ["c", None, "a"], []])
@pytest.mark.parametrize("sort", [False, True])
def test_factorize_of_categories_of_pandas(values, sort):
    given = pd.Categorical(values, categories=["a", "b", "c"])
    (codes, uniques), (known, theirs) = (lib.factorize(given, sort=sort) for lib in (cuprum, pd))
    assert codes.tolist() == known.tolist()
    assert uniques.equals(theirs)


@pytest.mark.host  # memory of a GPU comes in larger pieces
def test_memory_is_that_of_the_codes_and_of_the_categories():
    series = cuprum.Series(["Reykjavik", "Tórshavn"] * 10).astype("category")
    texts = series.cat.categories.memory_usage()
    assert series.memory_usage(index=False) == series.nbytes == 20 + texts
    assert series.to_frame("a").memory_usage(index=False)["a"] == 20 + texts
