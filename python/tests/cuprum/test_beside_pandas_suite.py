"""Answers that were other than pandas' without an error, each as a short program beside pandas."""

import warnings

import numpy as np
import pandas as pd
import pytest
from oracle import agree, ours
from pandas.api.indexers import FixedForwardWindowIndexer
from pandas.errors import SpecificationError

import cuprum as cp

FRAME = pd.DataFrame({"a": [1.0, 2.0, 4.0, 8.0], "b": [3.0, 1.0, 2.0, 0.5]})
GROUPED = pd.DataFrame({"k": list("abab"), "v": [1.0, 2.0, 9.0, np.nan], "w": [np.nan, 1.0, 2.0, 3.0]})
MOMENTS = pd.DataFrame(
    {"t": pd.to_datetime(["2020-01-04 05:00", "2020-01-01 07:00", "2020-01-04 09:00"]), "v": [1, 1, 2]}
)
LEVELS = pd.Series(
    [10.0, 20.0, 30.0, 40.0],
    index=pd.MultiIndex.from_tuples([(2, "a", 9), (1, "c", 8), (2, "c", 9), (1, "c", 9)], names=list("xyz")),
)
BELOW = pd.DataFrame({("x", "a"): [np.nan, 2.0], ("x", "b"): [1.0, np.nan], ("y", "c"): [np.nan, 1.0]})


def _mapped(df):
    df["n"] = 1
    df.iloc[0, 0] = 100
    return df


@pytest.mark.parametrize(
    "code",
    [
        # What a function changes is changed in its result alone.
        lambda lib, df: [df.pipe(_mapped), df.pipe((lambda x, df: _mapped(df), "df"), 1), df],
        lambda lib, df: [df["a"].transform(lambda s: s.clip(upper=s.median())), df],
        # A condition for each column.
        "df.where(lib.Series([True, False], index=['a', 'b']), axis=1)",
        "df.where(lib.Series([False], index=['b']), -1.0, axis=1)",
        "df.mask(lib.Series([True, False], index=['a', 'b']), axis=1)",
        # Texts of columns are as long as they are.
        "df.to_numpy(dtype=str).tolist()",
        "df.assign(t=['x', 'long', '', 'z'], d=lib.to_datetime(['2020-01-01'] * 4)).to_numpy('U').tolist()",
        "df[[]].drop_duplicates()",
        "df[[]].duplicated(keep=False)",
        "df.set_axis([np.nan, 'b'], axis=1).filter(items=['b', np.nan]).shape",
        "df.set_axis(lib.date_range('2020-01-01', periods=4)).asof('2020-01-02').name",
        "df.assign(a=list('wxyz'), b=['1', '22', '333', '4'])[['b']].apply(lambda x: x[0], axis=1, raw=True)",
        "df.reindex(columns=lib.Series(['b', 'a'], name='n')).columns.name",
        "df[['b', 'a']].unstack().unstack().T",
        "df.rename_axis(columns='m').agg(x=('a', 'sum')).columns.name",
        # A frame without rows takes those of what it is given.
        "df[:0].assign(a=[1.0, 2.0])",
        "df[:0].rename_axis('n').assign(c=lib.Series([1.0, 2.0], index=['x', 'y']))",
        "df.iloc[:0][['b', 'a']].assign(c=[]).columns",
        "lib.DataFrame(index=lib.date_range('2020-01-01', periods=2))[:0].assign(c=1).index.dtype.kind",
        # A column that is computed is one, however many have its name.
        "df.set_axis(['a', 'a'], axis=1).select(a=[1, 2, 3, 4])",
        "df.set_axis(['a', 'a'], axis=1).select('a', a=lib.Series([1, 2, 3, 4], index=[3, 2, 1, 0]))",
        "df.rename_axis(columns='m').select().columns.name",
        # Rows without order keep theirs.
        "df[::-1].combine_first(df[:0].rename(columns={'a': 'c'}))",
        "df[:0].combine_first(df[::-1].rename(columns={'a': 'A'}))",
        "df['a'][::-1].combine_first(df['b'][:0])",
        "df.set_axis(lib.to_datetime(['2020-01-03', '2020-01-01', '2020-01-02', '2020-01-04'])).shift([0, 1], freq='D')",
        # Labels of columns have formats, too.
        "df.set_axis(lib.to_datetime(['2020-01-01', '2021-01-01']), axis=1).to_csv(date_format='%Y')",
        "df.set_axis([1.5, 2.25], axis=1).to_csv(float_format='%.1f', decimal=',')",
        "df.clip([2.0, 1.0])",
        "df.clip(upper=[2.0, 1.0])",
        "df.agg(['sum', 'max'], numeric_only=True)",
        "df['a'].set_axis(lib.date_range('2020-01-01', periods=4)).pct_change(freq='2D')",
        "df[:2].reindex_like(df, method='ffill')",
        "lib.date_range('2020-01-01', periods=2, tz='utc').tz_convert('dateutil/Europe/Paris').hour",
        "df.assign(t=lib.date_range('2020-01-01', periods=4, tz='UTC'))[['t', 't']].max(axis=1)",
    ],
)
def test_frames(code):
    agree(code, df=FRAME)


def test_dicts_of_rows_make_columns():
    df = ours(FRAME)
    with pytest.warns(cp.errors.PerformanceWarning):
        found = df.apply(lambda row: {"z": row["a"] + row["b"], "y": 1.0}, axis=1, result_type="expand")
    assert found.to_dict("list") == {"z": (FRAME["a"] + FRAME["b"]).to_list(), "y": [1.0] * 4}


def test_frames_of_several_levels():
    agree("df.fillna({'x': -1.0})", df=BELOW)
    agree("df.fillna({'x': -1.0, ('x', 'b'): -2.0})", df=BELOW)
    agree("df.fillna({'x': {'a': -1.0}, ('y', 'c'): -2.0})", df=BELOW)
    for level in (0, 2, [0, 2]):
        agree("s.unstack(level, sort=False)".replace("level", str(level)), s=LEVELS)


@pytest.mark.parametrize(
    "code",
    [
        "g['v'].value_counts(bins=[0, 5], normalize=True)",
        "g['v'].value_counts(bins=[0, 5, 10], dropna=False)",
        "g['v'].rolling(indexer(window_size=2), min_periods=1).sum()",
        "g.cumsum(skipna=False)",
        "g['w'].cummax(skipna=False)",
        "g[['w']].cumprod(skipna=False)",
        "g.cummin(skipna=False)",
    ],
)
def test_groups(code):
    def run(lib, df):
        return eval(code, {"g": df.groupby("k"), "indexer": FixedForwardWindowIndexer})

    agree(run, df=GROUPED)


@pytest.mark.parametrize("listed", [False, True])
def test_groups_of_bins_are_labelled_by_their_bins(listed):
    for code in ["g['v'].value_counts()", "g.value_counts()", "g['v'].rolling(2).sum()"]:

        def run(lib, df, code=code):
            by = lib.Grouper(key="t", freq="D")
            return eval(code, {"g": df.groupby([by] if listed else by)})

        agree(run, df=MOMENTS)
    # Bins without rows count.
    agree(lambda lib, df: df.groupby(lib.Grouper(key="t", freq="D")).ngroup().to_list(), df=MOMENTS)


def test_keys_made_of_the_labels_of_levels():
    frame = LEVELS.to_frame("v")
    agree("df.groupby({9: 'p', 8: 'q'}, level='z').sum()", df=frame)
    agree("df.groupby([lambda x: -x, {'a': 1, 'c': 1}], level=['x', 'y']).sum()", df=frame)
    with pytest.raises(NotImplementedError, match="takes functions, mappings and series"):
        ours(frame).groupby("v", level="x")
    with pytest.raises(NotImplementedError, match="1 keys in `by` for 2 levels"):
        ours(frame).groupby(lambda x: x, level=["x", "y"])


def test_named_results_have_no_name_of_columns():
    agree("df.rename_axis(columns='m').groupby('k').agg(x=('v', 'sum'), y=('v', 'max'))", df=GROUPED)


@pytest.mark.parametrize(
    "code",
    [
        "df.rolling(3).cov(df * df, pairwise=True)",
        "df.expanding().corr((df * df).rename(columns={'a': 'c'}), pairwise=False)",
        "df['a'].rolling(2).cov(df['b'][1:].reset_index(drop=True).set_axis([2, 3, 4]))",
        "df['a'].ewm(com=1).corr(df['b'][2:])",
        "df.expanding().cov(df['b'][2:])",
        "df.rolling(2).apply(np.sum, True, None, None)",
        "df.rolling(2).apply(lambda s: s.sum(), engine='cython')",
        "[df.rolling(2, center=True).window, df.rolling(2).min_periods, df.ewm(span=3).span, df.ewm(com=1).alpha]",
    ],
)
def test_windows(code):
    agree(code, df=FRAME)


def test_windows_with_what_does_not_go_with_them():
    df = ours(FRAME)
    with pytest.raises(ValueError, match="columns are not unique"):
        df.set_axis(["a", "a"], axis=1).rolling(2).cov(df)
    with pytest.raises(NotImplementedError, match="`engine`='numba'"):
        df.rolling(2).apply(np.sum, engine="numba")
    with pytest.raises(NotImplementedError, match="other row labels"):
        df.groupby("a").rolling(2).cov(df["b"])


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("df.drop(index=[0], axis=1)", ValueError),
        ("df.reindex(index=[0], axis=0)", TypeError),
        ("df.drop_duplicates(ignore_index='x')", ValueError),
        ("df.sort_values('a', ascending='False')", ValueError),
        ("df.sort_values(['a', 'b'], ascending=[True, None])", ValueError),
        ("df.sort_index(ascending=None)", ValueError),
        ("df['a'].sort_values(ascending='yes')", ValueError),
        ("df.reset_index(inplace='no')", ValueError),
        ("df['a'].clip(1, inplace=1)", ValueError),
        ("df.query('a > 1', inplace=1)", ValueError),
        ("df.astype({'a': str}).nlargest(1, 'a')", TypeError),
        ("df['a'].astype(str).nsmallest(1)", TypeError),
        ("df.round({'a': 1.5})", TypeError),
        ("df.round(lib.Series([1, 2], index=['a', 'a']))", ValueError),
        ("+df.astype({'a': str})", TypeError),
        ("df.rename(columns=lib.Series(['x', 'y'], index=['a', 'a']))", ValueError),
        ("df.set_index(np.arange(3))", ValueError),
        ("df.set_index(['a', np.arange(5)])", ValueError),
        ("df.set_index({'a'})", TypeError),
        ("df.set_axis(['a', 'a'], axis=1).stack()", ValueError),
        ("df.groupby('a').agg(['min', 'min'])", SpecificationError),
        ("df.pipe((lambda x: x, 'x'), x=1)", ValueError),
        ("df.where([[1, 0]] * 4)", TypeError),
        ("df.where(True)", ValueError),
        ("df['a'].mask([1, 0, 1, 0])", TypeError),
        ("df.agg({'a': {'x': 'sum'}})", SpecificationError),
        ("df.groupby('a').agg({'b': {'x': 'sum'}})", SpecificationError),
        ("df.clip([1.0])", ValueError),
    ],
)
def test_nonsense_is_refused_as_by_pandas(code, error):
    for lib, df in ((pd, FRAME), (cp, ours(FRAME))):
        with warnings.catch_warnings(), pytest.raises(error):
            warnings.simplefilter("ignore")  # of pandas, that ``inplace`` will go
            eval(code, {"df": df, "lib": lib, "np": np})
