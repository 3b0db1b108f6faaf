"""Statistics, counts and chosen rows of groups, beside pandas."""

import numpy as np
import pandas as pd
import pytest
from oracle import GROUPS, GROUPS_TWICE, agree, frames, given, ours
from small_frames import ANIMALS, keyed_times

import cuprum

STATEMENTS = [
    "g.skew(numeric_only=True)",
    "g[['v', 'i']].kurt()",
    "g.v.skew(skipna=False)",
    "g.i.idxmax()",
    "g[['i', 's']].idxmin()",
    "g.i.idxmin(skipna=False)",
    "g.take([0])",
    "g.v.take([-1, 0])",
    "g.i.nlargest(2)",
    "g.i.nsmallest(1)",
    "g.i.nlargest(1, keep='all')",
    "g.i.nlargest(2, keep='last')",
    "g.i.is_monotonic_increasing",
    "g.i.is_monotonic_decreasing",
    "g.v.is_monotonic_increasing",
    "g[['v', 'i']].corr()",
    "g[['v', 'i']].cov()",
    "g.v.ohlc()",
    "g[['v', 'i']].ohlc()",
    "g.nunique(dropna=False)",
    "g.v.nunique(dropna=False)",
    "g.v.any(skipna=False)",
    "g.v.all(skipna=False)",
    "g.v.first(skipna=False)",
    "g[['v', 'i']].last(skipna=False)",
    "g.v.first(skipna=False, min_count=2)",
    "g.value_counts()",
    "g.value_counts(normalize=True)",
    "g.value_counts(dropna=False)",
    "g.value_counts(subset=['v'])",
    "g.value_counts(subset=['v', 'i'], sort=False)",
    "g.value_counts(ascending=True)",
    "g.i.value_counts(normalize=True)",
    "g.i.value_counts(normalize=True, sort=False)",
    "g.v.value_counts(normalize=True, dropna=False)",
    "g.i.value_counts(bins=[0, 3, 6])",
    "g.i.value_counts(bins=[0, 3, 6], normalize=True)",
    "g.i.value_counts(bins=[0, 3, 6], sort=False)",
    "g[['v', 'i']].quantile(0.3, interpolation='lower')",
    "g.i.quantile(0.3, interpolation='nearest')",
    "g.v.quantile(0.3, interpolation='midpoint')",
    "g.nth([0, -1])",
    "g.nth[1:, 0]",
    "g.nth(slice(None, None, 2))",
    "g.nth(slice(-2, None, 3))",
]
DESCRIBED = [
    "g.i.describe()",
    "g[['v', 'i']].describe()",
    "g.describe()",
    "g.i.describe(percentiles=[0.1, 0.333])",
]


@pytest.mark.parametrize(
    "options", ["", ", as_index=False", ", group_keys=False", ", sort=False", ", dropna=False"]
)
@pytest.mark.parametrize("keys", ["'k'", "['k', 'l']"])
def test_statements(keys, options):
    # With the others pandas fails, or orders groups in another way than all else.
    described = DESCRIBED if options not in (", group_keys=False", ", sort=False") else []
    for frame in (GROUPS, GROUPS_TWICE):
        for statement in STATEMENTS + described:
            statement = statement.replace("g", f"df.groupby({keys}{options})", 1)
            agree(statement, df=frame, rtol=1e-9)


@pytest.mark.parametrize(
    "statement",
    [
        "df.groupby('k').v.corr(df.i)",
        "df.groupby('k').v.value_counts(bins=2)",
        "df.groupby('k').i.value_counts(bins=2, sort=False)",
        "df.groupby(['k', 'l']).i.value_counts(bins=2, normalize=True)",
        "df.groupby('k').i.cov(df.i, ddof=0)",
        "df.groupby('k').i.cov(df.i, min_periods=3)",
        "df.groupby('k')[['v', 'i']].corrwith(df.i)",
        "df.groupby('k').agg({'i': 'idxmax'})",
        "df.groupby('k').i.agg(['idxmax', 'sum'])",
        "df.groupby('k').i.transform('idxmax')",
        "df.groupby('k').i.transform('skew')",
        "df.groupby('k').get_group('a')",
        "df.groupby(['k']).get_group(('a',))",
        "df.groupby(['k', 'l']).get_group(('a', 1))",
        "df.groupby('k').v.get_group('a')",
        "df.groupby(['k', 'l']).groups",
        "df.groupby(['k', 'l']).indices",
        "[key for key, _ in df.groupby(['k'])]",
        "[part for _, part in df.groupby(['k', 'l']).v]",
        "df.groupby('k').ndim",
        "df.groupby('k').v.ndim",
        "df.groupby('k').nth(0, dropna='any')",
        "df.groupby('k').nth(1, dropna='all')",
        "df.groupby('k').v.nth(0, dropna='any')",
        "df.groupby('k').describe(include=['int64'])",
        "df.groupby('k').v.ewm(com=0.5).mean()",
        "df.groupby('k')[['v', 'i']].ewm(alpha=0.5, min_periods=2).std()",
        "df.groupby('k', as_index=False)[['v', 'i']].ewm(span=3, adjust=False).mean()",
    ],
)
def test_spellings_of_statistics_of_groups(statement):
    agree(statement, df=GROUPS, rtol=1e-9)


@given(frames(k="int", l="str?", f="float?", i="int", t="time", max_rows=16, min_rows=1))
def test_statistics_of_any_groups(f):
    for g in ("df.groupby('k')", "df.groupby(['l', 'k'])", "df.groupby('l', sort=False)"):
        agree(f"{g}[['f', 'i']].skew()", df=f, kept="i", rtol=1e-9)
        agree(f"{g}.i.kurt()", df=f, kept=..., rtol=1e-9)
        agree(f"{g}[['i', 't']].idxmax()", df=f)
        agree(f"{g}.i.nlargest(2)", df=f)
        agree(f"{g}.i.nsmallest(1, keep='all')", df=f)
        agree(f"{g}.f.nunique(dropna=False)", df=f)
        # pandas has equal counts in any order.
        agree(f"{g}.i.value_counts(normalize=True).sort_index()", df=f)
        agree(f"{g}[['f', 'i']].value_counts().sort_index()", df=f)
        agree(f"{g}.nth([0, -1])", df=f)
        agree(f"{g}.nth(0, dropna='any')", df=f)
        for interpolation in ("lower", "higher", "midpoint"):
            agree(f"{g}.f.quantile(0.4, interpolation={interpolation!r})", df=f)
        if len(f.theirs.dropna(subset="l")):
            agree(f"{g}.i.ohlc()", df=f)
            agree(f"{g}.i.is_monotonic_increasing", df=f)
            agree(f"{g}.f.is_monotonic_decreasing", df=f)
    agree("df.groupby('k')[['f', 'i']].describe()", df=f, rtol=1e-9)
    agree("df.groupby('k').f.ewm(com=1).mean()", df=f, rtol=1e-9)


def test_unique_elements_are_lists():
    groups = ours(GROUPS).groupby("k")
    assert groups.v.unique().to_list()[1] == [1.0, pytest.approx(float("nan"), nan_ok=True)]
    assert groups.s.unique().to_list() == [["x", "a"], ["w", "y"], ["b"]]
    assert ours(GROUPS).groupby("k", as_index=False).s.unique().columns.to_list() == ["k", "s"]
    assert ours(GROUPS.iloc[:0]).groupby("k").i.unique().to_list() == []
    kept = GROUPS.assign(
        k=GROUPS.k.astype(pd.CategoricalDtype(["z", "b", "a", "c"])), s=GROUPS.s.astype("category")
    )
    every = ours(kept).groupby("k", observed=False).s.unique()
    assert every.to_list() == [[], ["w", "y"], ["x", "a"], ["b"]]
    assert every.index.to_list() == ["z", "b", "a", "c"]
    assert str(groups.i.unique().dtype) == "list<int64>"


def test_what_groups_do_not_honour_is_refused():
    groups = ours(GROUPS).groupby("k")
    with pytest.raises(TypeError, match="`skipna` must be True or False, not 'no'"):
        groups.all(skipna="no")
    with pytest.raises(TypeError, match="bogus"):
        groups.v.describe(exclude=["bogus"])
    with pytest.raises(ValueError, match="`bins`=2 with as_index=False"):
        ours(GROUPS).groupby("k", as_index=False).v.value_counts(bins=2)


def test_description_of_texts():
    told = ours(GROUPS).groupby("k").s.describe().to_pandas()
    expected = GROUPS.groupby("k").s.describe()
    assert told.astype(object).to_numpy().tolist() == expected.astype(object).to_numpy().tolist()
    told = ours(GROUPS).groupby("k").describe(include="all").to_pandas()
    expected = GROUPS.groupby("k").describe(include="all")
    assert told.columns.to_list() == expected.columns.to_list()
    assert told["s"]["top"].to_list() == expected["s"]["top"].to_list()
    assert told["v"]["mean"].to_list() == expected["v"]["mean"].to_list()
    assert told["v"]["top"].isna().all()


def test_equal_elements_have_no_shape():
    df = pd.DataFrame({"k": [1] * 7 + [2] * 4, "v": [0.1] * 7 + [1e10, 1e10 + 1e-5, 1e10, 1e10]})
    assert ours(df).groupby("k").v.skew().isna().to_list() == [True, False]
    assert ours(df).groupby("k").v.skew().to_list()[1] == pytest.approx(2)
    agree("df.v.head(7).kurt()", df=df)


@pytest.mark.parametrize(
    ("statement", "error", "says"),
    [
        ("g.s.skew()", TypeError, "skew"),
        ("g.v.idxmax(skipna=False)", ValueError, "skipna=False"),
        ("g.v.idxmax()", ValueError, "all NA"),
        ("g.take([0, 1])", IndexError, "out-of-bounds"),
        ("g.take(0)", TypeError, "indices"),
        ("g.ohlc()", pd.errors.DataError, "No numeric"),
        ("g.value_counts(subset=['k'])", ValueError, "Keys"),
        ("g.value_counts(subset=['z'])", ValueError, "Keys"),
        ("g.s.value_counts(bins=2)", TypeError, "bins"),
        ("g.v.quantile(0.5, interpolation='up')", ValueError, "interpolation"),
        ("g.v.quantile([0.5, 2], interpolation='lower')", ValueError, "between 0 and 1"),
        ("g.nth('a')", TypeError, "nth"),
        ("g.nth(0, dropna='some')", ValueError, "dropna"),
        ("g.nth([0], dropna='any')", ValueError, "dropna"),
        ("g.nth(slice(None, None, -1))", ValueError, "step"),
        ("g.i.nlargest(1, keep='some')", ValueError, "keep"),
        ("g.describe(include='all', exclude='int')", ValueError, "exclude"),
        ("g.get_group('z')", KeyError, "z"),
        ("g.v.ewm(com=1).corr()", NotImplementedError, "corr"),
    ],
)
def test_errors_of_statistics_of_groups(statement, error, says):
    df = GROUPS.assign(v=GROUPS.v.where(GROUPS.k != "c"))
    with pytest.raises(error, match=says):
        eval(statement, {"g": ours(df).groupby("k")})


@pytest.mark.parametrize(
    "statement",
    [
        "n.corrwith(n.i)",
        "n.corrwith(n[['i', 'l']])",
        "n.corrwith(n[['i', 'l']].assign(z=1), drop=True)",
        "n.corrwith(n[['l', 'i', 'v']], axis=1)",
        "n.corrwith(n[['v', 'l']].iloc[:4])",
        "n.corrwith(n.i.iloc[:2], min_periods=3)",
        "df.corrwith(df.v, numeric_only=True)",
        "n.skew()",
        "n.kurt()",
        "n.kurtosis(axis=1)",
        "n.skew(skipna=False)",
        "n.kurt(axis=None)",
        "df.skew(numeric_only=True)",
        "df.v.skew()",
        "df.i.kurt()",
        "df.v.skew(skipna=False)",
        "df.v.astype('float32').skew()",
        "df.iloc[:0].v.skew()",
        "df.i.nlargest(3, keep='all')",
        "df.i.nsmallest(2, keep='last')",
        "df.nlargest(2, 'l', keep='all')",
        "df.nsmallest(2, ['l', 'i'], keep='last')",
        "df.nsmallest(1, ['l', 'i'], keep='all')",
        "df.v.nlargest(6, keep='all')",
    ],
)
def test_of_whole_frames(statement):
    def run(lib, df):
        return eval(statement, {"df": df, "n": df[["v", "i", "l"]], "np": np})

    agree(run, df=GROUPS, rtol=1e-9)


@given(frames(f="float?", i="int", max_rows=16))
def test_of_any_frames(f):
    for statement in ("df.skew()", "df.kurt()", "df.f.skew()", "df.i.kurt()"):
        agree(statement, df=f, rtol=1e-9)
    for n in (0, 1, 2, 5):
        agree(f"df.i.nlargest({n}, keep='all')", df=f)
        agree(f"df.i.nsmallest({n}, keep='all')", df=f)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: keyed_times(lib).groupby("g")["b"].quantile(),
            TypeError,
            "Cannot use quantile with bool dtype",
            id="quantile of truth values",
        ),
        pytest.param(
            lambda lib: keyed_times(lib)[["g", "b"]].groupby("g").quantile(),
            TypeError,
            "Cannot use quantile with bool dtype",
            id="quantile of a frame",
        ),
    ],
)
def test_quantiles_of_truth_values_are_refused(call, error, text):
    agree(call, refused=(error, text))


def test_labels_of_extremes_of_several_levels_are_refused_with_advice():
    groups = cuprum.DataFrame(ANIMALS).set_index(["one", "two"], drop=False).groupby(level=0)
    for name in ("idxmax", "idxmin"):
        with pytest.raises(NotImplementedError, match=rf"{name} .* reset_index\(\)"):
            getattr(groups, name)()
