"""Frames with row labels of every kind, at random: rows chosen and set, matched, put together and reshaped, beside pandas."""

import warnings

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from oracle import assert_like

import cuprum

TIMES = pd.to_datetime(
    ["2013-01-01", "2013-01-31 05:30", "2013-02-01", "2014-06-30 12:00", "1969-12-31 23:59:59"],
    format="ISO8601",
)
# Labels of every kind, as many of each.
KINDS = {
    "integers": pd.Index([3, 0, -2, 7, 5]),
    "floats": pd.Index([0.5, -1.0, 2.0, 1e10, 3.25]),
    "texts": pd.Index(["b", "a", "", "é", "ab"]),
    "times": TIMES,
    "instants": TIMES.tz_localize("Europe/Berlin"),
    "durations": pd.to_timedelta(["1D", "2h", "-1D", "0s", "3D 4h"]),
    "categories": pd.CategoricalIndex(list("badce"), categories=list("edcbaz"), ordered=True),
    "levels": pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1), ("c", 3), ("b", 2)], names=["p", "q"]),
}


def given(*strategies):
    """`hypothesis.given` with a quarter of the examples of the profile: each runs dozens of statements, twice."""
    examples = max(hypothesis.settings.default.max_examples // 4, 1)
    return lambda test: hypothesis.settings(max_examples=examples)(hypothesis.given(*strategies)(test))


@st.composite
def indexes(draw, unique=False, kind=None):
    """Labels of one kind; with repetitions unless ``unique``."""
    labels = KINDS[kind or draw(st.sampled_from(sorted(KINDS)))]
    rows = draw(st.lists(st.integers(0, 4), min_size=1, max_size=5 if unique else 7, unique=unique))
    chosen = labels[rows]
    # Levels of what is chosen know of labels that no row has any more, which `from_pandas` does not hand on.
    return pd.MultiIndex.from_tuples(list(chosen), names=chosen.names) if chosen.nlevels > 1 else chosen


@st.composite
def labelled(draw, unique=False, kind=None):
    """A frame of integers, floats (some missing) and texts."""
    index = draw(indexes(unique, kind))
    size = len(index)
    numbers = draw(st.lists(st.integers(-3, 9), min_size=size, max_size=size))
    floats = draw(st.lists(st.sampled_from([0.5, -1.25, 2.0, None]), min_size=size, max_size=size))
    texts = draw(st.lists(st.sampled_from(["x", "yy", "", "é"]), min_size=size, max_size=size))
    columns = {"i": numbers, "f": pd.Series(floats, dtype="float64").to_numpy(), "s": texts}
    return pd.DataFrame(columns, index=index)


def _outcome(code, lib, names):
    try:
        found = {"lib": lib, "np": np, **names}
        if "=" in code and code.lstrip().startswith("!"):
            exec(code.lstrip()[1:], found)
            return found["df"]
        return eval(code, found)
    except Exception as error:
        return error


def check(codes, **frames):
    """Run expressions, and statements that change ``df`` (behind a ``!``): the same result, or the same class of error."""
    for code in codes:
        theirs = {name: value.copy() if hasattr(value, "copy") else value for name, value in frames.items()}
        ours = {
            name: cuprum.from_pandas(value)
            if isinstance(value, (pd.DataFrame, pd.Series, pd.Index))
            else value
            for name, value in frames.items()
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = _outcome(code, pd, theirs)
        actual = _outcome(code, cuprum, ours)
        try:
            if isinstance(expected, Exception):
                assert isinstance(actual, type(expected)), f"{actual!r}, pandas: {expected!r}"
            elif not isinstance(actual, NotImplementedError):
                assert not isinstance(actual, Exception), repr(actual)
                assert_like(actual, expected)
        except AssertionError as error:
            raise AssertionError(f"{code}: {error}") from None


@given(labelled(), st.data())
def test_rows_are_chosen_under_labels_of_every_type(df, data):
    labels = list(df.index)
    one = data.draw(st.sampled_from(labels))
    some = data.draw(st.lists(st.sampled_from(labels), min_size=1, max_size=4))
    mask = data.draw(st.lists(st.booleans(), min_size=len(df), max_size=len(df)))
    at = data.draw(st.lists(st.integers(-len(df), len(df) - 1), max_size=4))
    check(
        [
            "df.loc[mask]",
            "df.loc[mask, ['s', 'i']]",
            "df[mask]",
            "df.s[mask]",
            "df.iloc[at]",
            "df.iloc[at, [1, 0]]",
            "df.loc[some]",
            "df.loc[some, 'i']",
            "df.i.loc[some]",
            "df.loc[one, 'f']",
            "df.f.loc[one]",
            "df.drop(some)",
            "df.drop(index=one)",
            "df.index.isin(some)",
            "df.head(2)",
            "df.iloc[-2:]",
            "df.query('i > 1')",
            "one in df.index",
            "df.sort_index(kind='stable')",
            "df.sort_index(ascending=False, kind='stable')",
            "df[::-1].sort_values('i', kind='stable')",
            "df.reset_index()",
            "df.index.unique()",
            "df.index.duplicated()",
            "df.index.value_counts(sort=False)",
            "df[~df.index.duplicated(keep='last')]",
            "df.groupby(level=0).i.sum()",
            "df.set_index('s', append=True)",
            "df.set_index('i')",
        ],
        df=df, mask=mask, at=at, some=some, one=one,
    )  # fmt: skip


@given(labelled(unique=True), st.data())
def test_rows_are_set_under_labels_of_every_type(df, data):
    labels = list(df.index)
    one = data.draw(st.sampled_from(labels))
    some = data.draw(st.lists(st.sampled_from(labels), min_size=1, max_size=3, unique=True))
    mask = data.draw(st.lists(st.booleans(), min_size=len(df), max_size=len(df)))
    at = data.draw(st.lists(st.integers(0, len(df) - 1), min_size=1, max_size=3, unique=True))
    check(
        [
            "!df.loc[one, 'i'] = 7",
            "!df.loc[one, 'f'] = None",
            "!df.at[one, 's'] = 'new'",
            "!df.loc[some, 'i'] = range(len(some))",
            "!df.loc[some, ['i', 'f']] = 9",
            "!df.loc[mask, 'f'] = 0.25",
            "!df.loc[mask, ['i', 'f']] = [5, 0.75]",
            "!df.iloc[at, 0] = 8",
            "!df.iloc[at, [0, 1]] = -1",
            "!df.iloc[at[0]] = [1, 2.5, 'q']",
            "!df.iat[at[0], 1] = 1.5",
            "!df.loc[mask, 'i'] = df.i * 2",
            "!df['g'] = df.i[::-1]",
            "!df['g'] = df.f.iloc[at]",
            "!df.loc[some, 'f'] = df.f[::-1] + 1",
            "!df.loc[:, 'i'] = df.i.iloc[::-1].to_numpy()",
            "!df.loc[one] = [1, 2.5, 'q']",
            "!df.loc[mask, 'new'] = 1.5",
            "!df.insert(1, 'g', df.s[::-1])",
            "!df[['i', 'f']] = df[['f', 'i']].to_numpy()",
            "!df.i = df.i.where(df.i > 1, -5)",
            "!df.f.iloc[0]",
            "!df.drop(index=some, inplace=True)",
            "!df.rename(columns={'i': 'j'}, inplace=True)",
        ],
        df=df, mask=mask, at=at, some=some, one=one,
    )  # fmt: skip


@given(st.sampled_from(sorted(KINDS)), st.data())
def test_rows_are_matched_under_labels_of_every_type(kind, data):
    left, right = data.draw(labelled(True, kind)), data.draw(labelled(True, kind))
    wanted = data.draw(indexes(kind=kind))
    twice = data.draw(labelled(False, kind))
    check(
        [
            "df.reindex(wanted)",
            "df.i.reindex(wanted, fill_value=-1)",
            "df.reindex(other.index, columns=['f', 'new', 'i'])",
            "df.reindex_like(other)",
            "df.i + other.i",
            "df[['i', 'f']] + other[['f', 'i']]",
            "df.f.add(other.f, fill_value=0)",
            "df.align(other, join='inner')",
            "df.f.combine_first(other.f)",
            "lib.concat([df, other])",
            "lib.concat([df, twice], keys=['l', 'r'])",
            "lib.concat([df, twice], ignore_index=True)",
            "lib.concat([df, other.add_suffix('_r')], axis=1)",
            "lib.concat([df.i, other.f], axis=1, join='inner')",
            "df.join(other, rsuffix='_r')",
            "df.join(other, rsuffix='_r', how='inner')",
            "df.merge(twice, left_index=True, right_index=True)",
            "df.index.union(other.index)",
            "df.index.intersection(other.index)",
            "df.index.difference(other.index)",
            "df.index.append(wanted)",
            "df.index.get_indexer(wanted)",
            "df.index.equals(other.index)",
            "df.i.isin(other.i)",
            "df.compare(df.assign(i=df.i + 1, f=df.f.where(df.f > 1, 0.25)))",
        ],
        df=left, other=right, wanted=wanted, twice=twice,
    )  # fmt: skip


@given(labelled(unique=True))
def test_frames_are_reshaped_under_labels_of_every_type(df):
    check(
        [
            "df[['i', 'f']].melt()",
            "df.melt(id_vars='s', value_vars=['i', 'f'])",
            "df.melt(id_vars=['s', 'i'], ignore_index=False)",
            "df[['i', 'f']].stack()",
            "df[['i', 'f']].stack().unstack()",
            "df.pivot(columns='s', values='i')",
            "df.pivot_table(index='s', values=['i', 'f'], aggfunc='sum')",
            "df.pivot_table(index='s', columns='i', values='f', aggfunc='count', fill_value=0)",
            "lib.crosstab(df.s, df.i)",
            "lib.get_dummies(df, columns=['s'])",
            "df[['i', 'f']].T",
            "df.set_index('s', append=True).i",
            "df.i.rolling(2).sum()",
            "df[['i', 'f']].rolling(3, min_periods=1).mean()",
            "df.f.expanding().max()",
            "df.i.shift(1)",
            "df.f.ffill()",
            "df.i.rank()",
            "df.i.cumsum()",
            "lib.cut(df.i, [-4, 0, 4, 9])",
            "df.i.value_counts(sort=False)",
            "df.groupby('s').agg({'i': 'sum', 'f': 'mean'})",
            "df.groupby('s', sort=False).f.transform('max')",
            "df.duplicated('s')",
            "df.nlargest(2, 'i')",
            "df.i.idxmax()",
            "df.explode('i')",
        ],
        df=df,
    )


@given(
    st.lists(st.sampled_from([*"abcd", None]), min_size=1, max_size=8),
    st.booleans(),
    st.permutations("abcde"),
)
def test_categories_at_random(values, ordered, categories):
    texts = pd.Categorical(values, categories=categories, ordered=ordered)
    df = pd.DataFrame({"c": texts, "v": range(len(values))})
    check(
        [
            "df.c.cat.codes",
            "df.c.cat.categories",
            "df.sort_values('c', kind='stable')",
            "df.c == 'a'",
            "df.c > 'b'",
            "df.c < df.c[::-1].to_numpy()",
            "df.c.max()",
            "df.c.value_counts(sort=False)",
            "df.groupby('c', observed=True).v.sum()",
            "df.groupby('c', observed=False).v.agg(['sum', 'count'])",
            "df.c.cat.remove_unused_categories()",
            "df.c.cat.add_categories('z').cat.rename_categories({'a': 'A'})",
            "df.c.cat.set_categories(list('zab'))",
            "df.c.cat.as_ordered().min()",
            "df.c.astype('str')",
            "df.c.isin(['a', 'c'])",
            "df.c.fillna('e')",
            "df.c.unique()",
            "df.c.nunique()",
            "df.c.mode()",
            "lib.concat([df.c, df.c[:1]])",
            "lib.get_dummies(df.v).shape",
            "df.merge(df, on='c')",
            "df.dropna().set_index('c').sort_index(kind='stable')",
            "df.drop_duplicates('c')",
            "!df.loc[0, 'c'] = 'e'",
            "!df.loc[0, 'c'] = 'nothing of the kind'",
        ],
        df=df,
    )


ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"]
_hours = st.integers(0, 24 * 400).map(lambda n: pd.Timestamp("2020-01-01") + pd.Timedelta(hours=n) / 2)


@given(st.lists(_hours, min_size=1, max_size=6), st.sampled_from(ZONES), st.sampled_from(ZONES))
def test_instants_in_two_zones_at_random(times, zone, other):
    instants = pd.Series(pd.DatetimeIndex(times, tz="UTC")).dt.tz_convert(zone)
    df = pd.DataFrame({"t": instants, "v": range(len(times))})
    check(
        [
            "df.t.dt.tz_convert(other)",
            "df.t.dt.tz_localize(None)",
            "df.t.dt.hour",
            "df.t.dt.dayofweek",
            "df.t.dt.floor('D')",
            "df.t.dt.normalize()",
            "df.t.dt.strftime('%Y-%m-%d %H:%M %z')",
            "df.t + lib.Timedelta(days=1)",
            "df.t - df.t.min()",
            "df.t.max()",
            "df.t > df.t.iloc[0]",
            "df.t.dt.tz_convert(other) == df.t",
            "df.sort_values('t', kind='stable')",
            "df.groupby('t').v.sum()",
            "df.set_index('t').sort_index().resample('D').v.sum()",
            "df.set_index('t').tz_convert(other)",
            "df.set_index('t').sort_index().loc['2020-03':'2020-05']",
            "df.t.dt.tz_localize(None).dt.tz_localize(other, ambiguous='NaT', nonexistent='NaT')",
            "df.t.dt.isocalendar().week.astype('int64')",
            "df.t.drop_duplicates()",
            "df.merge(df, on='t')",
        ],
        df=df, other=other,
    )  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_frames_without_rows_under_labels_of_every_type(kind):
    df = pd.DataFrame({"i": [1, 2, 3, 4, 5], "f": 0.5}, index=KINDS[kind])
    check(
        [
            "df[:0]",
            "df[:0].sort_index()",
            "df[:0].reindex(df.index)",
            "lib.concat([df[:0], df])",
            "df[:0].join(df, rsuffix='_r')",
            "df[:0] + df[:0]",
            "df[:0].groupby('i').sum()",
            "df[:0].melt()",
            "df[:0].T.shape",
            "df[:0].rolling(2).sum()",
            "df[:0].drop_duplicates()",
            "df.drop(df.index)",
        ],
        df=df,
    )
