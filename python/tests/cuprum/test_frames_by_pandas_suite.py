"""What pandas' own tests of frames found: the same answers as pandas, or refusals of the same class."""

import pytest
from oracle import SMALL, agree


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
        "t.index = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\nt.loc[(1, 2), 't'] = pd.NaT\nt.loc[3, 't'] = pd.NaT\nt",
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
        "df.set_index(lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])).sort_index(level=(0, 1), ascending=(False, True))",
        "twice.reindex(columns=['a', 'b', 'b'])",
        "lib.DataFrame({'a': [1.0, np.inf, -np.inf]}).query('a == inf or a == -Inf')",
        "[row._fields for row in lib.DataFrame(index=[0, 1]).itertuples(index=False)]",
        "df.set_index(lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])).stack()",
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
    agree(program, **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        # NaT is no number and no truth value, one of NumPy's durations no time.
        ("t.loc[0] = pd.NaT\nt", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        ("t.iloc[0] = np.datetime64('NaT')\nt", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        ("t.iloc[[0], 0] = pd.NaT\nt", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        ("t.loc[[0], 'a':'t'] = pd.NaT\nt", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        (
            "t.iat[0, 1] = np.timedelta64('NaT')\nt",
            TypeError,
            "Invalid value 'NaT' for dtype 'datetime64[us]'",
        ),
        (
            "t.index = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\nt.loc[(1, 2), 'a'] = pd.NaT\nt",
            TypeError,
            "Invalid value 'NaT' for dtype 'int64'",
        ),
        (
            "t[lib.DataFrame({'a': [True, False], 't': [False, True]})] = pd.NaT\nt",
            TypeError,
            "Invalid value 'NaT' for dtype 'int64'",
        ),
        (
            "s = df['a']\ns.mask([True, False], pd.NaT, inplace=True)\ns",
            TypeError,
            "Invalid value 'NaT' for dtype 'int64'",
        ),
        (
            "s = df['a'] > 1\ns[0] = np.datetime64('NaT')\ns",
            TypeError,
            "Invalid value 'NaT' for dtype 'bool'",
        ),
        (
            "s = t['t']\ns[0] = np.timedelta64('NaT')\ns",
            TypeError,
            "Invalid value 'NaT' for dtype 'datetime64[us]'",
        ),
        ("t.iloc[0] = [pd.NaT, pd.NaT]\nt", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        ("s = df['a']\ns[:2] = [pd.NaT, pd.NaT]\ns", TypeError, "Invalid value 'NaT' for dtype 'int64'"),
        (
            "f.loc[:1, 'a'] = np.array(['NaT', 'NaT'], dtype='M8[ns]')\nf",
            TypeError,
            "Invalid value 'NaT' for dtype 'float64'",
        ),
        # A truth value is the label of no row of others.
        ("df.loc[True] = 0\ndf", KeyError, "cannot use a single bool to index into setitem"),
        ("df.loc[False, 'a'] = 0\ndf", KeyError, "cannot use a single bool to index into setitem"),
        ("s = df['a']\ns[True] = 0\ns", KeyError, "cannot use a single bool to index into setitem"),
        (
            "df.join(df, lsuffix='_l', suffixes=('_l', '_r'))",
            ValueError,
            "Cannot specify both 'suffixes' and 'lsuffix'/'rsuffix'",
        ),
        (
            "deep.rename_axis([('C', 'c', 'i')]).reset_index()",
            ValueError,
            "the name ('C', 'c', 'i') does not fit 2 levels of labels",
        ),
        # What is none of the categories.
        (
            "c.where([True, False, False], ['a', 'z', 'b'])",
            TypeError,
            "Cannot setitem on a Categorical with a new category, set",
        ),
        (
            "c.where(c == 'a', lib.Series(['z', 'a', 'b'], dtype='category'))",
            TypeError,
            "Cannot set a Categorical with another, without identical",
        ),
        (
            "lib.DataFrame({'c': c}).where([[True], [False], [False]], lib.DataFrame({'c': list('azb')}))",
            TypeError,
            "Cannot setitem on a Categorical with a new category, set",
        ),
        # Frames in a list are no rows, sets have no order.
        ("lib.DataFrame([df, df])", ValueError, "Must pass 2-d input. shape=(2, 2, 2)"),
        ("lib.DataFrame([np.ones((2, 2))])", ValueError, "Must pass 2-d input. shape=(1, 2, 2)"),
        ("lib.DataFrame([[1, 2]], columns={'a', 'b'})", ValueError, "columns cannot be a set"),
        ("lib.DataFrame({'a': [1, 2]}, index={'a', 'b'})", ValueError, "index cannot be a set"),
        ("df.select({'a', 'b'})", TypeError, "`select` takes no set, whose elements have no order: give"),
        # Types of no column.
        (
            "df.select_dtypes('datetime64[D]')",
            ValueError,
            "'datetime64[D]' is not a supported datetime64/timedelta64",
        ),
        (
            "df.select_dtypes(exclude=np.dtype('timedelta64[h]'))",
            ValueError,
            "'timedelta64[h]' is not a supported",
        ),
        ("df.select_dtypes(np.str_)", TypeError, "numpy string dtypes are not allowed, use 'str' or"),
        ("df.select_dtypes('U')", TypeError, "numpy string dtypes are not allowed, use 'str' or"),
        ("df.select_dtypes(np.dtype('S5'))", TypeError, "numpy string dtypes are not allowed, use 'str' or"),
        (
            "df.select_dtypes('interval[int64]')",
            ValueError,
            "'interval[int64]' does not name a specific dtype; pass",
        ),
        (
            "df.select_dtypes(lib.CategoricalDtype(ordered=True))",
            ValueError,
            "a CategoricalDtype spec giving 'ordered' must give",
        ),
        ("df.select_dtypes('int', exclude=np.int64)", ValueError, "include and exclude overlap on int64"),
        (
            "df.select_dtypes('number', exclude=['float64', np.number])",
            ValueError,
            "include and exclude overlap on number",
        ),
        ("df.index = None\ndf", TypeError, "Index(...) must be called with a collection of some kind"),
        ("df.columns = None\ndf", TypeError, "Index(...) must be called with a collection of some kind"),
        ("df['a'].index = None\ndf", TypeError, "Index(...) must be called with a collection of some kind"),
        (
            "df['a'].rename(lib.Series(['x', 'y', 'z'], index=[0, 0, 1]))",
            ValueError,
            "Cannot rename with a Series with non-unique index",
        ),
        (
            "df.reindex([0], index=[0], columns=['a'])",
            TypeError,
            "Cannot specify all of 'labels', 'index', 'columns'",
        ),
        ("twice.reindex(columns=['a'])", ValueError, "cannot reindex on an axis with duplicate labels"),
        ("df.filter(df > 1)", ValueError, "labels are of one dimension, not of 2: give a mask as"),
        ("[1] in df", TypeError, "unhashable type: 'list'"),
        ("df['a'] in df", TypeError, "unhashable type: 'Series'"),
        ("df * np.ones((3, 1))", ValueError, "Unable to coerce to DataFrame, shape must be (2, 2)"),
        ("df * np.ones((2, 3))", ValueError, "Unable to coerce to DataFrame, shape must be (2, 2)"),
        (
            "f.fillna(lib.Series(['x', 'y'], index=['a', 'b']), axis=1)",
            ValueError,
            "values of type str are not a suitable type to fill into",
        ),
        ("df.values[0, 0] = 5\ndf", ValueError, "assignment destination is read-only"),
        ("df.stack([0, 0])", ValueError, "level should not contain duplicate values, got level"),
        (
            "df.columns = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\ndf.stack(['x', 'x'])",
            ValueError,
            "level should not contain duplicate values, got level",
        ),
        (
            "df.columns = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\ndf.stack(['x', 1])",
            ValueError,
            "level should contain all level names or all level",
        ),
        (
            "df.columns = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\ndf.stack([0, 3])",
            IndexError,
            "Too many levels: Index has only 2 levels, not 4",
        ),
        (
            "df.set_index(lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])).unstack(2)",
            IndexError,
            "Too many levels: Index has only 2 levels, not 3",
        ),
        (
            "df.set_index(lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])).droplevel(-3)",
            IndexError,
            "Too many levels: Index has only 2 levels, -3 is not a",
        ),
        ("df.index.get_level_values(1)", IndexError, "Too many levels: Index has only 1 level, not 2"),
        (
            "df.reset_index(names={'index': 'n'})",
            ValueError,
            "Index names must be str or 1-dimensional list, not",
        ),
        ("df['a'].unstack('z')", KeyError, "there is no index level 'z'"),
        ("df['a'].unstack()", ValueError, "index must be a MultiIndex to unstack, it has one level"),
        ("df < pd.NaT", TypeError, "'<' not supported between elements of type int64 and NaT"),
        ("pd.NaT >= df", TypeError, "'<=' not supported between elements of type int64 and NaT"),
        ("df['a'] >= pd.NaT", TypeError, "'>=' not supported between elements of type int64 and NaT"),
        ("df['a'] + pd.NaT", TypeError, "'+' not supported between elements of type int64 and NaT"),
        ("pd.NaT - df", TypeError, "'-' not supported between elements of type int64 and NaT"),
        ("df * pd.NaT", TypeError, "'*' not supported between elements of type int64 and NaT"),
        ("df.groupby(level=5)", ValueError, "level > 0 or level < -1 only valid with MultiIndex"),
        ("df.groupby(level='z')", ValueError, "level name z is not the name of the index"),
        (
            "df.set_index(lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])).groupby(level=2)",
            IndexError,
            "Too many levels: Index has only 2 levels, not 3",
        ),
        ("df.query('')", ValueError, "expr cannot be an empty string"),
        ("df.query(len)", ValueError, "expr must be a string to be evaluated, <class"),
        (
            "df.set_index(lib.to_datetime(['2020', '2021'])).drop(['x', 'y'])",
            KeyError,
            "['x', 'y'] not found in axis (row 0: \"x\" is not a valid",
        ),
        (
            "df.set_index(lib.to_datetime(['2020', '2021'])).drop('x')",
            KeyError,
            "['x'] not found in axis (row 0: \"x\" is not a valid",
        ),
        (
            "df.set_index(lib.to_datetime(['2020', '2021'])).loc[['x', 'y']]",
            KeyError,
            "['x', 'y'] are not all times that are in the index",
        ),
        (
            "df['a'].set_axis(lib.to_datetime(['2020', '2021'])).loc[['x', 'y']]",
            KeyError,
            "['x', 'y'] are not all times that are in the index",
        ),
        ("df.diff(1.5)", ValueError, "periods must be an integer, not 1.5"),
        ("df['a'].diff('1')", ValueError, "periods must be an integer, not '1'"),
        ("df.assign(s='x').corr()", ValueError, "could not convert string to float: column 's' is of texts"),
        (
            "df.assign(s='x').corr('kendall')",
            ValueError,
            "could not convert string to float: column 's' is of texts",
        ),
        ("df.assign(s='x').cov()", ValueError, "could not convert string to float: column 's' is of texts"),
        ("df[np.array([True, False, True])] = 5\ndf", ValueError, "Item wrong length 3 instead of 2!"),
        ("df.select(['a'], 'b')", TypeError, "a list of items is the only one of `args`: give them one"),
        (
            "df.select(lib.col('a') + lib.col('b'))",
            TypeError,
            "`args` has col('a') + col('b'), whose result has no name",
        ),
        (
            "df.columns = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\ndf.select((1, 2), extra=1)",
            TypeError,
            "'extra' is no label of 2 levels: use rename with a tuple",
        ),
        ("df.replace(len)", TypeError, "`to_replace` is a builtin_function_or_method: give an"),
        ("df['a'].replace(len)", TypeError, "`to_replace` is a builtin_function_or_method: give an"),
        ("df.eval('')", ValueError, "expr cannot be an empty string"),
    ],
)
def test_refusals(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)
