"""What pandas' own tests of frames found: the same answers as pandas, or refusals of the same class."""

import io
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import assert_like

import cuprum


def _run(program: str, lib: Any) -> Any:
    """Run lines with `df`, `s`, `c` and `t` of a library; what the last one gives, or `df` after a statement."""
    names = {
        "lib": lib,
        "np": np,
        "pd": pd,
        "io": io,
        "df": lib.DataFrame({"a": [1, 2], "b": [3, 4]}),
        "f": lib.DataFrame({"a": [1.5, np.nan], "b": [3.0, 4.0]}),
        "t": lib.DataFrame({"a": [1, 2], "t": lib.to_datetime(["2020-01-01", "2021-01-01"])}),
        "twice": lib.DataFrame([[1, 2, 3], [1, 2, 3]], columns=["a", "b", "b"]),
        "c": lib.Series(["a", "b", "a"], dtype="category"),
        "deep": lib.DataFrame([[1, 2]], columns=lib.MultiIndex.from_tuples([("A", ""), ("B", "b")])),
        "levels": lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=["x", "y"]),
    }
    *lines, last = program.split("\n")
    exec("\n".join(lines), names)
    return eval(last, names)


@pytest.mark.parametrize(
    "program",
    [
        # NaN in labels of several levels is one label.
        "k = [(11.0, 21.0), (np.nan, 22.0), (13.0, np.nan)]\n"
        "d = {(11.0, 21.0): [0, 3], (float('nan'), 22.0): [1, 4], (13.0, float('nan')): [2, 5]}\n"
        "lib.DataFrame(d, columns=lib.MultiIndex.from_tuples(k)).to_numpy().tolist()",
        "lib.DataFrame({float('nan'): [1], 'a': [2]}, columns=[float('nan'), 'a']).to_numpy().tolist()",
        # What a function writes is not written again.
        "f.to_csv(decimal=',', float_format=lambda x: f'{x:.3f}')",
        "f.to_csv(decimal=',', float_format='%.3f')",
        # Categories stay such, whatever comes in.
        "c.where([True, False, False], ['a', 'b', 'b'])",
        "c.where(c == 'a', lib.Series(['b', 'a', 'b']))",
        "c.mask(c == 'a', lib.Series(['b', 'a', 'b']))",
        "c.where([True, False, True], lib.Series(['a', 'a', 'b'], dtype='category'))",
        "c.where([True, True, True], lib.Series(['a', 'z', 'b']))",
        "lib.DataFrame({'c': c}).where([[True], [False], [False]], lib.DataFrame({'c': list('aab')}))",
        "c.combine_first(lib.Series(['a', 'b', 'z', 'y']))",
        "lib.DataFrame({'c': c}).combine_first(lib.DataFrame({'c': list('abzy')}))",
        "c.case_when([(c == 'a', 'z')])",
        "c.case_when([(c == 'a', lib.Series(['z', 'b', 'b']))])",
        "lib.DataFrame({'c': c, 'd': lib.Series(['x', 'y', 'x'], dtype='category')}).select_dtypes("
        "lib.CategoricalDtype(['a', 'b'])).columns.tolist()",
        "lib.DataFrame({'c': c, 'd': [1, 2, 3]}).select_dtypes(lib.CategoricalDtype()).columns.tolist()",
        "lib.DataFrame({'c': c, 'd': [1, 2, 3]}).select_dtypes(pd.CategoricalDtype).columns.tolist()",
        "f.assign(i=1, j=np.int32(1)).select_dtypes([np.dtype('int64'), np.dtype('float32')]).columns.tolist()",
        "f.assign(i=1).select_dtypes(exclude=np.dtype('float64')).columns.tolist()",
        "f.assign(i=1).select_dtypes(f.dtypes['a']).columns.tolist()",
        "f.assign(i=1, s='x').select_dtypes(np.object_).columns.tolist()",
        "t.assign(t=t['t'].dt.tz_localize('UTC')).select_dtypes(pd.DatetimeTZDtype).columns.tolist()",
        # NaT where it fits.
        "t.loc[0, 't'] = pd.NaT\nt.iloc[1, 1] = np.datetime64('NaT')\nt",
        "t.loc[0, 'n'] = pd.NaT\nt",
        "t.loc[:, 'n'] = np.timedelta64('NaT')\nt",
        "t.index = levels\nt.loc[(1, 2), 't'] = pd.NaT\nt.loc[3, 't'] = pd.NaT\nt",
        "t.loc[t['a'] > 1, ['t']] = pd.NaT\nt",
        "t.iloc[0] = [7, pd.NaT]\nt",
        # Names of several parts are labels of columns with several levels.
        "deep.set_index([('B', 'b')], append=True).reset_index().columns.tolist()",
        "deep.set_index([('B', 'b')]).reset_index().columns.tolist()",
        "deep.set_index([('B', 'b')], append=True).reset_index(level=[('B', 'b')]).columns.tolist()",
        "deep.rename_axis([('C', 'c')]).reset_index(col_fill='X').columns.tolist()",
        "deep.rename_axis('C').reset_index(col_level=1, col_fill='X').columns.tolist()",
        "df.join(df, suffixes=('_l', '_r'))",
        "s = lib.Series([1, 2], index=[True, False])\ns.loc[True] = 5\ns",
        # An array of one row or column is one for all.
        "df / df.sum(axis=1).to_numpy()[:, None]",
        "np.array([[1], [2]]) - df",
        "df == np.array([[1, 4]])",
        "df > np.array([[1], [4]])",
        "df.add(np.array([[1], [5]]))",
        "df.add(np.array([[1, 5]]), axis=0)",
        "(df > 1) & np.array([[True], [False]])",
        "df *= np.array([[1], [2]])\ndf",
        "df[['a']].iloc[:1] * np.array([[5]])",
        # An array that is a view of nothing takes no elements.
        "[x.flags.writeable for x in (df.values, df.to_numpy(), df.to_numpy(copy=True), np.asarray(df), np.array(df))]",
        "[x.flags.writeable for x in (t.values, df.assign(x=0.5).values, df.to_numpy(dtype='int64'))]",
        "lib.Series([pd.NaT, None])",
        "lib.DataFrame({'t': [pd.NaT]}).dtypes.astype(str).tolist()",
        "lib.concat([lib.Series([pd.NaT]), t['t']])",
        "lib.to_datetime([None, np.nan])",
        "lib.to_datetime(lib.Series([None, None]))",
        "df.sort_values([])",
        "df[::-1].sort_values(by=[], ignore_index=True)",
        "twice.drop_duplicates(('a',))",
        "lib.concat([twice, twice])",
        "lib.concat([twice, twice + 1], keys=['x', 'y'], names=['k'])",
        "lib.concat([twice, twice], ignore_index=True).rename_axis(columns='n')",
        "twice.where(twice > 1, 0)",
        "twice.mask(twice > 1, -twice)",
        "twice.where([[True, False, True], [False, True, False]], twice * 10)",
        "twice[twice > 2].dropna(how='all')",
        "twice[twice > 2] = 7\ntwice",
        "df.duplicated(('a', 'b')).tolist()",
        "lib.DataFrame({('a', 'b'): [1, 1], ('c', 'd'): [1, 2]}).drop_duplicates(('a', 'b'))",
        "df.set_index(levels).sort_index(level=(0, 1), ascending=(False, True))",
        "twice.reindex(columns=['a', 'b', 'b'])",
        "lib.DataFrame({'a': [1.0, np.inf, -np.inf]}).query('a == inf or a == -Inf')",
        "[row._fields for row in lib.DataFrame(index=[0, 1]).itertuples(index=False)]",
        "df.set_index(levels).stack()",
        # Labels and names stand on one line.
        "repr(lib.DataFrame({'a\\n\\tb': ['x\\ty']}, index=lib.Index(['i\\rj'], name='n\\tm')))",
        "lib.DataFrame({'a\\tb': [1]}).rename_axis(columns='q\\tr').to_string()",
        "lib.DataFrame({('a\\tb', 'c\\td'): ['x\\ty']}).to_string()",
        "repr(lib.Series([1], name=('a\\tb', 'c'), index=lib.MultiIndex.from_tuples([('u\\tv', 1)], names=['q\\tr', None])))",
        "lib.DataFrame({'a\\tb': [1]}, index=lib.Index([0], name='n\\tm')).to_html()",
        "lib.DataFrame({('a\\tb', 'c\\td'): [1]}).to_html()",
    ],
)
def test_answers(program: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = _run(program, pd)
    assert_like(_run(program, cuprum), expected)


@pytest.mark.parametrize(
    "program",
    [
        # NaT is no number and no truth value, one of NumPy's durations no time.
        "t.loc[0] = pd.NaT\nt",
        "t.iloc[0] = np.datetime64('NaT')\nt",
        "t.iloc[[0], 0] = pd.NaT\nt",
        "t.loc[[0], 'a':'t'] = pd.NaT\nt",
        "t.iat[0, 1] = np.timedelta64('NaT')\nt",
        "t.index = levels\nt.loc[(1, 2), 'a'] = pd.NaT\nt",
        "t[lib.DataFrame({'a': [True, False], 't': [False, True]})] = pd.NaT\nt",
        "s = df['a']\ns.mask([True, False], pd.NaT, inplace=True)\ns",
        "s = df['a'] > 1\ns[0] = np.datetime64('NaT')\ns",
        "s = t['t']\ns[0] = np.timedelta64('NaT')\ns",
        "t.iloc[0] = [pd.NaT, pd.NaT]\nt",
        "s = df['a']\ns[:2] = [pd.NaT, pd.NaT]\ns",
        "f.loc[:1, 'a'] = np.array(['NaT', 'NaT'], dtype='M8[ns]')\nf",
        # A truth value is the label of no row of others.
        "df.loc[True] = 0\ndf",
        "df.loc[False, 'a'] = 0\ndf",
        "s = df['a']\ns[True] = 0\ns",
        "df.join(df, lsuffix='_l', suffixes=('_l', '_r'))",
        "deep.rename_axis([('C', 'c', 'i')]).reset_index()",
        # What is none of the categories.
        "c.where([True, False, False], ['a', 'z', 'b'])",
        "c.where(c == 'a', lib.Series(['z', 'a', 'b'], dtype='category'))",
        "lib.DataFrame({'c': c}).where([[True], [False], [False]], lib.DataFrame({'c': list('azb')}))",
        # Frames in a list are no rows, sets have no order.
        "lib.DataFrame([df, df])",
        "lib.DataFrame([np.ones((2, 2))])",
        "lib.DataFrame([[1, 2]], columns={'a', 'b'})",
        "lib.DataFrame({'a': [1, 2]}, index={'a', 'b'})",
        "df.select({'a', 'b'})",
        # Types of no column.
        "df.select_dtypes('datetime64[D]')",
        "df.select_dtypes(exclude=np.dtype('timedelta64[h]'))",
        "df.select_dtypes(np.str_)",
        "df.select_dtypes('U')",
        "df.select_dtypes(np.dtype('S5'))",
        "df.select_dtypes('interval[int64]')",
        "df.select_dtypes(lib.CategoricalDtype(ordered=True))",
        "df.select_dtypes('int', exclude=np.int64)",
        "df.select_dtypes('number', exclude=['float64', np.number])",
        "df.index = None\ndf",
        "df.columns = None\ndf",
        "df['a'].index = None\ndf",
        "df['a'].rename(lib.Series(['x', 'y', 'z'], index=[0, 0, 1]))",
        "df.reindex([0], index=[0], columns=['a'])",
        "twice.reindex(columns=['a'])",
        "df.filter(df > 1)",
        "[1] in df",
        "df['a'] in df",
        "df * np.ones((3, 1))",
        "df * np.ones((2, 3))",
        "f.fillna(lib.Series(['x', 'y'], index=['a', 'b']), axis=1)",
        "df.values[0, 0] = 5\ndf",
        "df.stack([0, 0])",
        "df.columns = levels\ndf.stack(['x', 'x'])",
        "df.columns = levels\ndf.stack(['x', 1])",
        "df.columns = levels\ndf.stack([0, 3])",
        "df.set_index(levels).unstack(2)",
        "df.set_index(levels).droplevel(-3)",
        "df.index.get_level_values(1)",
        "df.reset_index(names={'index': 'n'})",
        "df['a'].unstack('z')",
        "df['a'].unstack()",
        "df < pd.NaT",
        "pd.NaT >= df",
        "df['a'] >= pd.NaT",
        "df['a'] + pd.NaT",
        "pd.NaT - df",
        "df * pd.NaT",
        "df.groupby(level=5)",
        "df.groupby(level='z')",
        "df.set_index(levels).groupby(level=2)",
        "df.query('')",
        "df.query(len)",
        "df.set_index(lib.to_datetime(['2020', '2021'])).drop(['x', 'y'])",
        "df.set_index(lib.to_datetime(['2020', '2021'])).drop('x')",
        "df.set_index(lib.to_datetime(['2020', '2021'])).loc[['x', 'y']]",
        "df['a'].set_axis(lib.to_datetime(['2020', '2021'])).loc[['x', 'y']]",
        "df.diff(1.5)",
        "df['a'].diff('1')",
        "df.assign(s='x').corr()",
        "df.assign(s='x').corr('kendall')",
        "df.assign(s='x').cov()",
        "df[np.array([True, False, True])] = 5\ndf",
        "df.select(['a'], 'b')",
        "df.select(lib.col('a') + lib.col('b'))",
        "df.columns = levels\ndf.select((1, 2), extra=1)",
        "df.replace(len)",
        "df['a'].replace(len)",
        "df.eval('')",
    ],
)
def test_refusals(program: str) -> None:
    with pytest.raises(Exception, match=r"(?s).") as expected:
        _run(program, pd)
    with pytest.raises(expected.type):
        _run(program, cuprum)
