"""Shapes, covariances, quantiles, extremes and chosen rows of groups of every type, beside pandas."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import GROUPS, Pair, agree, given, ours

GROUPS_OF = [
    "df.groupby('k')",
    "df.groupby('k', dropna=False, sort=False)",
    "df.groupby(['l', 'k'], as_index=False)",
    "df.groupby(['k', 'l'], dropna=False)",
]
NUMBERS = "['i', 'small', 'f', 'narrow', 'b', 'I', 'F']"
TIMES = "['t', 'd']"

_quarters = st.integers(-8, 8).map(lambda i: i / 4)
_days = st.integers(-2000, 2000)
# Names, cells and types of columns.
COLUMNS = {
    "k": (st.sampled_from(["a", "b", None]), "str"),
    "l": (st.integers(0, 1), "int64"),
    "i": (st.integers(-3, 3), "int64"),
    "small": (st.integers(-128, 127), "int8"),
    "f": (st.one_of(_quarters, _quarters, st.just(np.nan)), "float64"),
    "narrow": (_quarters, "float32"),
    "b": (st.booleans(), "bool"),
    "I": (st.one_of(st.integers(-3, 3), st.none()), "Int64"),
    "F": (st.one_of(_quarters, st.none()), "Float64"),
    "t": (
        st.one_of(_days.map(lambda n: pd.Timestamp("2000-01-01") + pd.Timedelta(n, "D")), st.none()),
        "datetime64[us]",
    ),
    "d": (st.one_of(_days.map(lambda n: pd.Timedelta(n, "D")), st.none()), "timedelta64[us]"),
}


@st.composite
def groups(draw, min_rows=0):
    """Frames with columns of all kinds, some of them parts of others."""
    rows = draw(st.integers(min_rows, 14))
    cells = {name: draw(st.lists(of, min_size=rows, max_size=rows)) for name, (of, _) in COLUMNS.items()}
    labels = draw(st.permutations(range(rows)))
    frame = pd.DataFrame({name: pd.Series(cells[name], dtype=COLUMNS[name][1]) for name in COLUMNS})
    frame.index = pd.Index(labels, dtype="int64")
    start = draw(st.integers(0, max(min(3, rows - min_rows), 0)))
    return Pair(ours(frame).iloc[start:], frame.iloc[start:])


def same(statement, f, **how):
    """Check that both libraries give the same, or fail in the same way."""
    try:
        eval(statement, {"df": f.theirs, "np": np})
    except (ValueError, TypeError) as error:
        with pytest.raises(type(error)):
            eval(statement, {"df": f.ours, "np": np})
    else:
        agree(statement, df=f, **how)


@given(groups())
def test_shapes(f):
    # Of truth values in no group pandas makes truth values; results of 32 bits are among the others.
    numbers = NUMBERS if f.theirs.k.notna().any() else "['f', 'narrow']"
    for g in GROUPS_OF[1:]:
        for name in ("skew", "kurt"):
            agree(f"{g}[{numbers}].{name}()", df=f, kept=["F", "I"], rtol=1e-5)
            agree(f"{g}[['f', 'F', 'I']].{name}(skipna=False)", df=f, kept=["F", "I"], rtol=1e-9)


@given(groups(min_rows=1))
def test_cov_and_corr_of_groups(f):
    if f.theirs.k.isna().all():
        return
    for g in GROUPS_OF[1:3]:
        for call in ("cov()", "corr()", "corr('spearman', min_periods=2)"):
            agree(f"{g}[{NUMBERS}].{call}", df=f, rtol=1e-9)
        # With missing elements pandas knows no `ddof` here.
        agree(f"{g}[['i', 'small', 'narrow']].cov(ddof=0, min_periods=3)", df=f, rtol=1e-9)
        for call in ("corr(df.i)", "cov(df.F.iloc[1:], ddof=0)", "corr(df.I[::-1], 'spearman', 2)"):
            agree(f"{g}['f'].{call}", df=f, rtol=1e-9)


@given(groups(), st.sampled_from(GROUPS_OF))
def test_quantiles_of_groups(f, g):
    for how in ("linear", "lower", "higher", "nearest", "midpoint"):
        agree(
            f"{g}[['i', 'small', 'f', 'narrow']].quantile(0.3, interpolation={how!r})",
            df=f,
            kept=["narrow", "small"],
        )
        agree(f"{g}[['f', 'i']].quantile([0.5, 0, 0.9], interpolation={how!r})", df=f)
        agree(f"{g}['I'].quantile(0.75, {how!r})", df=f, kept=["I", ...])
        agree(f"{g}[{TIMES}].quantile([0.25, 1], interpolation={how!r})", df=f)


@given(groups(), st.sampled_from(GROUPS_OF))
def test_extremes(f, g):
    for name in ("idxmax", "idxmin"):
        same(f"{g}[['i', 'small', 'narrow', 'b']].{name}()", f)
        for column in ("f", "F", "I", "t", "d"):
            same(f"{g}[{column!r}].{name}()", f)
            same(f"{g}[[{column!r}, 'i']].{name}(skipna=False)", f)


@given(groups())
def test_chosen_rows(f):
    for g in GROUPS_OF[:2]:
        for rows in (
            "0",
            "-2",
            "[0, -1]",
            "slice(-3, None, 2)",
            "[slice(1, None, 3), 0]",
            "slice(1, -1)",
            "[]",
        ):
            agree(f"{g}[['i', 't']].nth({rows})", df=f)
        for n in (0, -1, 2):
            agree(f"{g}[['f', 'I']].nth({n}, dropna='any')", df=f, kept="I")
            agree(f"{g}[['f', 'I']].nth({n}, dropna='all')", df=f, kept="I")
            agree(f"{g}['F'].nth({n}, dropna='any')", df=f, kept=...)


def test_moments_of_groups_without_rows():
    kept = GROUPS.assign(k=GROUPS.k.astype(pd.CategoricalDtype(["z", "b", "a", "c"])))
    for g in ("df.groupby('k', observed=False)", "df.groupby(['k', 'l'], observed=False)"):
        for call in ("skew()", "kurt()", "cov()", "corr()", "quantile([0.2, 0.7])", "quantile(0.3, 'lower')"):
            agree(f"{g}[['v', 'i']].{call}" if "lower" not in call else f"{g}[['v']].{call}", df=kept)
        with pytest.raises(ValueError, match="unobserved categories"):
            eval(f"{g}.i.idxmax()", {"df": ours(kept)})


def test_labels_that_repeat():
    twice = GROUPS.set_axis([1, 1, 2, 2, 3, 3])
    for call in ("corr(df.i.iloc[::2])", "cov(df.i.iloc[1::2])", "corr(df.v)"):
        agree(f"df.groupby('l').i.{call}", df=twice, rtol=1e-9)
    agree("df.groupby('l').i.idxmax()", df=twice)


def test_large_groups_and_many():
    rng = np.random.default_rng(5)
    for groups in (3, 40_000):
        rows = 150_000
        frame = pd.DataFrame(
            {
                "k": rng.integers(0, groups, rows),
                "x": rng.normal(100, 3, rows),
                "y": rng.integers(0, 1 << 40, rows),
            }
        )
        for call in ("skew()", "kurt()", "idxmin()", "quantile([0.1, 0.6], 'higher')", "nth([1, -1])"):
            agree(f"df.groupby('k').{call}", df=frame, rtol=1e-8)
        if groups < 10:
            agree("df.groupby('k').cov()", df=frame, rtol=1e-8)
            agree("df.groupby('k').corr()", df=frame, rtol=1e-8)


def test_integers_beyond_floats_are_exact():
    wide = pd.DataFrame({"k": [1, 1, 1], "v": [2**60 + 1, 2**60 + 2, 2**60 + 3]})
    assert ours(wide).groupby("k").v.quantile(0.4, interpolation="higher").to_list() == [2**60 + 2]
    assert ours(wide).groupby("k").v.idxmax().to_list() == [2]


def test_other_rows_and_categories():
    kinds = GROUPS.assign(
        s=GROUPS.s.astype("category"), o=GROUPS.s.astype(pd.CategoricalDtype(list("zyxwba"), ordered=True))
    )
    agree("df.groupby('k').o.idxmax()", df=kinds)
    agree("df.groupby('l').o.idxmin()", df=kinds)
    with pytest.raises(TypeError, match="non-ordered"):
        ours(kinds).groupby("k").s.idxmax()
    with pytest.raises(NotImplementedError, match="several levels"):
        ours(GROUPS).set_index(["l", "k"]).groupby("l").i.idxmax()
