"""What every parameter of `DataFrame` does; see `arguments_entries`."""

from arguments_entries import ours, refused, same
from arguments_shared import CATEGORIES, FRAME_OPERATORS, FRAME_REDUCTIONS, OLD, with_shared

FRAME = with_shared(
    {
        "DataFrame": {
            "data": "lib.DataFrame(data={'a': [1, 2]})",
            "index": "lib.DataFrame({'a': [1, 2]}, index=['x', 'y'])",
            "columns": "lib.DataFrame({'a': [1, 2], 'b': [3, 4]}, columns=['b'])",
            "dtype": "lib.DataFrame({'a': [1, 2]}, dtype='float32')",
            "copy": same(
                "lib.DataFrame({'a': [1, 2]}, copy=True)", "memory that others write is always copied"
            ),
            "nan_as_null": ours("lib.DataFrame({'a': [NAN]}, nan_as_null=True)['a'].null_count", "1"),
        },
        "select": {
            "*args": [
                ("n.select('q')", "n.select('q', 'p', 'q')"),
                ("n.select(['q', 'p'])", "n.select(lib.col('q'), lib.col('p') * 2)"),
                ("wide.select('a')", "wide.select(('b', 'y'), ('a', 'x'))"),
                refused("n.select(['q'], 'p')", TypeError),
                refused("n.select(lib.col('q').sum())", TypeError),
            ],
            "**kwargs": (
                "n.select('p', z=lib.col('q') + 1, y=lib.col('z') * 2)",
                "n.select('p', z=lambda d: d.q, y=5)",
            ),
        },
        "add_prefix": {
            "prefix": ("n.add_prefix(prefix='a_')", "n.add_prefix(prefix='b_')"),
            "axis": "n.add_prefix('a_', axis=0)",
        },
        "add_suffix": {
            "suffix": ("n.add_suffix(suffix='_a')", "n.add_suffix(suffix='_b')"),
            "axis": "n.add_suffix('_a', axis=0)",
        },
        "agg": {
            "func": ("n.agg(func='sum')", "n.agg(func=['sum', 'max'])"),
            "axis": ["n.agg('sum', axis=1)", "n.agg(['sum', 'min'], axis=1)"],
            "*args": refused("n.agg('sum', 0, 1)", TypeError, "positional"),
            "**kwargs": [
                ("n.agg('sum', min_count=4)", "n.agg('sum', min_count=0)"),
                ("n.agg(['std', 'var'], ddof=1)", "n.agg(['std', 'var'], ddof=0)"),
                refused("n.agg({'p': 'std'}, ddof=0)", TypeError, "ddof"),
                ("n.agg('sum', axis=1, min_count=2)", "n.agg('sum', axis=1, min_count=0)"),
            ],
        },
        "all": {
            "axis": "df[['b']].assign(c=[True] * 5).all(axis=1)",
            "bool_only": [
                "df[['i', 'b']].all(bool_only=True)",
                "df[['f', 'b']].assign(f=0).all(axis=1, bool_only=True)",
            ],
            "skipna": [
                same("lib.DataFrame({'a': [NAN, 1.0]}).all(skipna=False)", "NaN is true"),
                same("(n * 0).all(axis=1, skipna=False)", "NaN is true"),
            ],
            "**kwargs": refused("n.all(keepdims=True)", ValueError, "keepdims"),
        },
        "any": {
            "axis": "df[['b']].assign(c=[False] * 5).any(axis=1)",
            "bool_only": ["df[['i', 'b']].any(bool_only=True)", "n.any(bool_only=True)"],
            "skipna": [
                "lib.DataFrame({'a': [NAN, 0.0]}).any(skipna=False)",
                "(n * 0).any(axis=1, skipna=False)",
            ],
            "**kwargs": refused("n.any(keepdims=True)", ValueError, "keepdims"),
        },
        "apply": {
            "axis": "n.apply('sum', axis=1)",
            "args": "n.apply(lambda c, k=1: c.max() * k, args=(3,))",
            "raw": "n.apply(lambda c: type(c).__name__, raw=True)",
            "result_type": [
                "n.apply(lambda c: c.max(), result_type='broadcast')",
                "whole.apply(lambda r: r['p'], axis=1, result_type='broadcast')",
                refused("n.apply(lambda c: 1, result_type='bogus')", ValueError),
            ],
            "by_row": "n.apply([lambda y: str(type(y).__name__ == 'Series')], by_row=False)",
            "engine": refused("n.apply(lambda c: 1, engine='numba')"),
            "engine_kwargs": refused("n.apply(lambda c: 1, engine_kwargs={})"),
        },
        "map": {
            "func": ("whole.map(func=lambda y: y + 1)", "whole.map(func=lambda y: y * 2)"),
            "na_action": "n.map(lambda y: 1.0 if y != y else y, na_action='ignore')",
            "**kwargs": ("whole.map(lambda y, k: y * k, k=2)", "whole.map(lambda y, k: y * k, k=3)"),
        },
        "transform": {
            "func": ("n.transform(func='cumsum')", "n.transform(func=lambda c: c * 2)"),
            "axis": "whole.transform(lambda c: c - c.mean(), axis=1)",
            "*args": ("n.transform(lambda c, k: c * k, 0, 2)", "n.transform(lambda c, k: c * k, 0, 3)"),
            "**kwargs": ("n.transform(lambda c, k: c * k, k=2)", "n.transform(lambda c, k: c * k, k=3)"),
        },
        "assign": {"**kwargs": ("n.assign(z=1)", "n.assign(z=2)")},
        "corr": {
            "method": [
                "whole.corr(method='spearman')",
                "n.assign(r=[1, 2, 2, 0]).corr(method='kendall')",
                "whole.corr(method=lambda a, b: (a * b).sum())",
                refused("whole.corr(method='bogus')", ValueError),
            ],
            "min_periods": "n.corr(min_periods=4)",
            "numeric_only": "df[['i', 'f', 's']].corr(numeric_only=True)",
        },
        "cov": {
            "min_periods": "n.cov(min_periods=4)",
            "ddof": "whole.cov(ddof=0)",
            "numeric_only": "df[['i', 'f', 's']].cov(numeric_only=True)",
        },
        "count": {"axis": "n.count(axis=1)", "numeric_only": "df.count(numeric_only=True)"},
        "cummax": {
            "axis": "whole.cummax(axis=1)",
            "numeric_only": refused("n.cummax(numeric_only=True)", TypeError),
        },
        "cummin": {
            "axis": "whole.cummin(axis=1)",
            "numeric_only": refused("n.cummin(numeric_only=True)", TypeError),
        },
        "cumprod": {
            "axis": "whole.cumprod(axis=1)",
            "numeric_only": refused("n.cumprod(numeric_only=True)", TypeError),
        },
        "cumsum": {
            "axis": "whole.cumsum(axis=1)",
            "numeric_only": refused("n.cumsum(numeric_only=True)", TypeError),
        },
        "describe": {
            "include": "df[['i', 'f']].describe(include='float64')",
            "exclude": "df[['i', 'f']].describe(exclude='float64')",
        },
        "diff": {"axis": "whole.diff(axis=1)"},
        "pct_change": {
            "axis": "whole.pct_change(axis=1)",
            "freq": refused("whole.pct_change(freq='D', axis=1)"),
        },
        "explode": {
            "column": (
                "lib.DataFrame({'a': [[1, 2]], 'b': [[3]]}).explode(column='a')['a'].astype('int64')",
                "lib.DataFrame({'a': [[1, 2]], 'b': [[3]]}).explode(column='b')['b'].astype('int64')",
            ),
            "ignore_index": (
                "lib.DataFrame({'a': [[1, 2]]}, index=[5]).explode('a', ignore_index=True).astype('int64')",
                "lib.DataFrame({'a': [[1, 2]]}, index=[5]).explode('a', ignore_index=False).astype('int64')",
            ),
        },
        "drop": {"columns": ("n.drop(columns='p')", "n.drop(columns='q')")},
        "drop_duplicates": {"subset": "df[['k', 'i']].drop_duplicates(subset='k')"},
        "dropna": {
            "axis": "n.dropna(axis=1)",
            "how": "n.dropna(how='all')",
            "thresh": "n.dropna(thresh=1)",
            "subset": [
                "n.dropna(subset=['q'])",
                "n.dropna(subset=['a'], axis=1)",
                refused("n.dropna(subset=['bogus'], axis=1)", KeyError, "bogus"),
            ],
        },
        "duplicated": {
            "subset": "df[['k', 'i']].duplicated(subset='k')",
            "keep": "df[['k']].duplicated(keep='last')",
        },
        "eval": {
            "expr": ("n.eval(expr='p + q')", "n.eval(expr='p - q')"),
            "inplace": "after(n, lambda d: d.eval('z = p + q', inplace=True))",
            "local_dict": ours("n.eval('p + @y', local_dict={'y': 2})", "n['p'] + 2"),
            "engine": [
                same("n.eval('p + q', engine='python')", "it says how, not what"),
                refused("n.eval('p + q', engine='bogus')", KeyError),
            ],
            "parser": [
                same("n.eval('p + q', parser='pandas')", "there is one"),
                refused("n.eval('p + q', parser='python')"),
            ],
        },
        "fillna": {
            "axis": [
                "n.assign(r=n['p']).fillna(0, limit=1, axis=1)",
                refused("n.fillna({'p': 0}, axis=1)", ValueError),
                "n[['p']].assign(r=n['p']).fillna(lib.Series([7.0, 8.0], index=['b', 'z']), axis=1)",
                refused("n.fillna(v, axis=1)", ValueError, "same dtype"),
                refused("n[['p']].fillna(v, axis=1, limit=1)"),
                refused("n[['p']].fillna([1, 2, 3, 4], axis=1)"),
            ],
        },
        "infer_objects": {"copy": refused("n.infer_objects(copy='bogus')", TypeError)},
        "filter": {
            "arg": [
                ("n.filter(['p'])", "n.filter(['q'])"),
                ("n.filter(lambda f: f['q'] > 3)", "n.filter(lib.col('q') > 4)"),
            ],
            "items": ("n.filter(items=['p'])", "n.filter(items=['q'])"),
            "like": ("n.filter(like='p')", "n.filter(like='q')"),
            "regex": ("n.filter(regex='p$')", "n.filter(regex='q$')"),
            "axis": [
                "n.filter(items=['c', 'a'], axis=0)",
                ("n.filter(cond=[True, False], axis=1)", "n.filter(cond=[False, True], axis=1)"),
            ],
            "cond": ("n.filter(cond=n['q'] > 3)", "n.filter(cond=[True, None, False, True])"),
            "na": [
                "n.filter(cond=[True, None, False, True], na=True)",
                refused("n.filter(cond=[True, None, False, True], na='raise')", ValueError, "missing values"),
                refused("n.filter(cond=[True, None, False, True], na='drop')", ValueError),
            ],
        },
        "from_arrow": {
            "obj": ours(
                "lib.DataFrame.from_arrow(obj=n.reset_index(drop=True).to_arrow())",
                "n.reset_index(drop=True)",
            )
        },
        "from_dict": {
            "data": ("lib.DataFrame.from_dict(data={'a': [1]})", "lib.DataFrame.from_dict(data={'b': [2]})"),
            "orient": [
                "lib.DataFrame.from_dict({'a': [1, 2]}, orient='index')",
                (
                    "lib.DataFrame.from_dict(wide.to_dict('tight'), orient='tight')",
                    "lib.DataFrame.from_dict(deep.to_dict('tight'), orient='tight')",
                ),
            ],
            "dtype": "lib.DataFrame.from_dict({'a': [1, 2]}, dtype='float32')",
            "columns": "lib.DataFrame.from_dict({'a': [1, 2]}, orient='index', columns=['x', 'y'])",
        },
        "from_pandas": {
            "obj": ours(
                "lib.DataFrame.from_pandas(obj=pd.DataFrame({'a': [1, 2]}))", "lib.DataFrame({'a': [1, 2]})"
            ),
            "nan_as_null": ours(
                "lib.DataFrame.from_pandas(pd.DataFrame({'a': [NAN]}), nan_as_null=True)['a'].null_count", "1"
            ),
        },
        "from_records": {
            "data": (
                "lib.DataFrame.from_records(data=[(1, 'x')], columns=['a', 'b'])",
                "lib.DataFrame.from_records(data=[(2, 'y')], columns=['a', 'b'])",
            ),
            "index": "lib.DataFrame.from_records([(1, 'x')], columns=['a', 'b'], index='a')",
            "columns": "lib.DataFrame.from_records([(1, 'x')], columns=['a', 'b'])",
            "exclude": "lib.DataFrame.from_records([(1, 2)], columns=['a', 'b'], exclude=['a'])",
            "coerce_float": "lib.DataFrame.from_records([(decimal('1.5'), 2)], coerce_float=True)",
            "nrows": [
                "lib.DataFrame.from_records(iter([(1, 2), (3, 4)]), nrows=1)",
                refused("lib.DataFrame.from_records([(1, 2)], nrows='bogus')", ValueError),
            ],
            "nan_as_null": ours("lib.DataFrame.from_records([(NAN,)], nan_as_null=True)[0].null_count", "1"),
        },
        "dot": {
            "other": (
                "whole[['p', 'q']].dot(other=lib.Series({'p': 1.0, 'q': 2.0}))",
                "whole[['p', 'q']].dot(other=lib.Series({'p': 1.0, 'q': 3.0}))",
            )
        },
        "get": {"key": ("n.get(key='p')", "n.get(key='q')")},
        "groupby": {
            "by": ("df.groupby(by='k')['i'].sum()", "df.groupby(by='b')['i'].sum()"),
            "as_index": "df.groupby('k', as_index=False)[['i']].sum()",
            "sort": "df.groupby(['s'], sort=False)['i'].sum()",
            "group_keys": "df.groupby('k', group_keys=False)['i'].apply(lambda y: y.head(1))",
            "observed": same("df.groupby('k', observed=False)['i'].sum()", CATEGORIES),
            "dropna": "df.groupby('s', dropna=False)['i'].sum()",
        },
        "idxmax": {
            "axis": "whole.idxmax(axis=1)",
            "skipna": refused("n.idxmax(skipna=False)", ValueError),
            "numeric_only": "df[['i', 's']].idxmax(numeric_only=True)",
        },
        "idxmin": {
            "axis": "whole.idxmin(axis=1)",
            "skipna": refused("n.idxmin(skipna=False)", ValueError),
            "numeric_only": "df[['i', 's']].idxmin(numeric_only=True)",
        },
        "info": {
            "verbose": ours(
                "'Columns: 2 entries, p to q' in written(lambda file: n.info(verbose=False, buf=file))",
                "True",
            ),
            "buf": ours("'Data columns' in written(lambda file: n.info(buf=file))", "True"),
            "max_cols": ours(
                "'Columns: 2 entries, p to q' in written(lambda file: n.info(buf=file, max_cols=1))", "True"
            ),
            "memory_usage": ours(
                "'memory usage' in written(lambda file: n.info(buf=file, memory_usage=False))", "False"
            ),
            "show_counts": ours(
                "'Non-Null' in written(lambda file: n.info(buf=file, show_counts=False))", "False"
            ),
        },
        "insert": {
            "loc": ("after(n, lambda d: d.insert(0, 'z', 1))", "after(n, lambda d: d.insert(1, 'z', 1))"),
            "column": ("after(n, lambda d: d.insert(0, 'z', 1))", "after(n, lambda d: d.insert(0, 'y', 1))"),
            "value": ("after(n, lambda d: d.insert(0, 'z', 1))", "after(n, lambda d: d.insert(0, 'z', 2))"),
            "allow_duplicates": [
                ours(
                    "after(n, lambda d: d.insert(0, 'q', 1, allow_duplicates=True)).columns.to_list()",
                    "['q', 'p', 'q']",
                ),
                refused("n.insert(0, 'q', 1, allow_duplicates=1)", ValueError),
            ],
        },
        "isin": {"values": ("n.isin(values=[1, 4])", "n.isin(values={'q': [4]})")},
        "itertuples": {
            "index": "[tuple(row) for row in whole.itertuples(index=False)]",
            "name": "[type(row).__name__ for row in whole.itertuples(name='T')]",
        },
        "join": {
            "other": ("n.join(other=n2[['r']])", "n.join(other=n2[['r']] * 2)"),
            "on": "left.join(n2.set_index('r')[['q']], on='k')",
            "how": "n.join(n2[['r']], how='inner')",
            "lsuffix": "n.join(n2, lsuffix='_l')",
            "rsuffix": "n.join(n2, rsuffix='_r')",
            "sort": "whole.iloc[::-1].join(n2[['r']], sort=True)",
            "validate": refused(
                "left.set_index('k').join(right.set_index('k')[['y']], validate='1:1')", ValueError, "unique"
            ),
            "suffixes": ours("n.join(n2, suffixes=('_l', '_r'))", "n.join(n2, lsuffix='_l', rsuffix='_r')"),
        },
        "memory_usage": {
            "index": "list(whole.memory_usage(index=False).index)",
            "deep": same(
                "int((whole.memory_usage(deep=True) - whole.memory_usage()).loc['p'])",
                "texts are always counted whole",
            ),
        },
        "corrwith": {
            "other": ("whole.corrwith(other=whole.q)", "whole.corrwith(other=whole.p)"),
            "axis": "n.corrwith(whole[['q', 'p']], axis=1)",
            "drop": "whole.corrwith(whole[['q']], drop=True)",
            "method": [
                "whole.corrwith(whole.q, method='kendall')",
                "whole.corrwith((whole**3).cumsum(), method='spearman')",
            ],
            "numeric_only": "df[['i', 's']].corrwith(df.i, numeric_only=True)",
            "min_periods": "whole.corrwith(whole.q, min_periods=5)",
        },
        "nlargest": {
            "n": ("whole.nlargest(n=2, columns='p')", "whole.nlargest(n=1, columns='p')"),
            "columns": ("whole.nlargest(2, columns='p')", "whole.nlargest(2, columns='q')"),
        },
        "nsmallest": {
            "n": ("whole.nsmallest(n=2, columns='p')", "whole.nsmallest(n=1, columns='p')"),
            "columns": ("whole.nsmallest(2, columns='p')", "whole.nsmallest(2, columns='q')"),
        },
        "nunique": {
            "axis": "n.nunique(axis=1)",
            "dropna": ["n.nunique(dropna=False)", "n.nunique(axis=1, dropna=False)"],
        },
        "pop": {"item": ("n.pop(item='p')", "n.pop(item='q')")},
        "quantile": {
            "q": ["whole.quantile(q=0.25).rename('q')", "n.quantile(q=[0.25, 0.9], axis=1)"],
            "axis": "whole.quantile(axis=1).rename('q')",
            "numeric_only": "df[['i', 's']].quantile(numeric_only=True).rename('q')",
            "method": [
                same("whole.quantile(method='single').rename('q')", "the other one is refused"),
                refused("whole.quantile(method='table')"),
            ],
            "interpolation": [
                "whole.quantile(interpolation='lower').rename('q')",
                "n.quantile([0.3, 0.9], axis=1, interpolation='nearest')",
            ],
        },
        "query": {
            "expr": ("n.query(expr='q > 2')", "n.query(expr='q > 4')"),
            "inplace": "after(n, lambda d: d.query('q > 2', inplace=True))",
            "local_dict": (
                "n.query('q > @y', local_dict={'y': 2})",
                "n.query('q > @y', local_dict={'y': 4})",
            ),
            "engine": [
                same("n.query('q > 2', engine='python')", "it says how, not what"),
                refused("n.query('q > 2', engine='bogus')", KeyError),
            ],
            "parser": [
                same("n.query('q > 2', parser='pandas')", "there is one"),
                refused("n.query('q > 2', parser='python')"),
            ],
        },
        "rank": {
            "axis": ["n.rank(axis=1)", "whole.assign(r=4.0).rank(axis=1, method='min', pct=True)"],
            "numeric_only": "df[['i', 's']].rank(numeric_only=True)",
        },
        "reindex": {
            "labels": "n.reindex(labels=['c', 'a'])",
            "columns": "n.reindex(columns=['q', 'z'])",
            "axis": "n.reindex(['q', 'p'], axis=1)",
            "method": "n.reindex(columns=['q', 'qq'], method='ffill')",
            "level": "wide.reindex(columns=['b', 'a'], level=0)",
        },
        "reindex_like": {
            "other": ("n.reindex_like(other=n.iloc[::-1])", "n.reindex_like(other=n.head(2))"),
            "method": (
                "n.iloc[::2].reindex_like(n, method='ffill')",
                "n.iloc[::2].reindex_like(n, method='bfill')",
            ),
            "limit": (
                "n.iloc[:1].reindex_like(n, method='ffill', limit=1)",
                "n.iloc[:1].reindex_like(n, method='ffill', limit=2)",
            ),
            "tolerance": (
                "lib.DataFrame({1: [1.0, 2.0]}, index=[0, 10]).reindex_like(lib.DataFrame({1: [0.0]}, index=[1]), method='nearest', tolerance=0.5)",
                "lib.DataFrame({1: [1.0, 2.0]}, index=[0, 10]).reindex_like(lib.DataFrame({1: [0.0]}, index=[1]), method='nearest', tolerance=2.0)",
            ),
            "copy": same("n.iloc[:1].reindex_like(n, copy=False)", OLD),
        },
        "rename": {
            "mapper": ("n.rename(mapper={'a': 'z'})", "n.rename(mapper=str.upper)"),
            "index": ("n.rename(index={'a': 'z'})", "n.rename(index=str.upper)"),
            "columns": ("n.rename(columns={'p': 'z'})", "n.rename(columns=str.upper)"),
            "axis": "n.rename({'p': 'z'}, axis=1)",
            "copy": same("n.rename({'a': 'z'}, copy=False)", OLD),
            "inplace": "after(n, lambda d: d.rename({'a': 'z'}, inplace=True))",
            "level": "deep.rename({2: 9, 'b': 'z'}, level=1)",
            "errors": refused("n.rename({'bogus': 'z'}, errors='raise')", KeyError, "bogus"),
        },
        "rename_axis": {
            "mapper": "n.rename_axis(mapper='rows')",
            "index": "n.rename_axis(index='rows')",
            "columns": "n.rename_axis(columns='all')",
            "axis": "n.rename_axis('all', axis=1)",
            "inplace": "after(n, lambda d: d.rename_axis('rows', inplace=True))",
        },
        "reset_index": {
            "col_level": "wide.reset_index(col_level=1)",
            "col_fill": "wide.reset_index(col_fill='f')",
            "allow_duplicates": [
                ours(
                    "n.rename_axis('q').reset_index(allow_duplicates=True).columns.to_list()",
                    "['q', 'p', 'q']",
                ),
                refused("n.reset_index(allow_duplicates=1)", ValueError),
            ],
            "names": "n.reset_index(names='rows')",
        },
        "select_dtypes": {
            "include": (
                "df.select_dtypes(include='number')",
                "df.select_dtypes(include=['bool', 'datetime'])",
            ),
            "exclude": (
                "df.select_dtypes(exclude='number')",
                "df.select_dtypes(exclude=['bool', 'datetime'])",
            ),
        },
        "set_axis": {
            "labels": ("n.set_axis(labels=[1, 2, 3, 4])", "n.set_axis(labels=list('wxyz'))"),
            "axis": "n.set_axis(['a', 'b'], axis=1)",
        },
        "set_index": {
            "keys": ("df.set_index(keys='k')[['i']]", "df.set_index(keys=['k', 'i'])[['f']]"),
            "drop": "n.set_index('q', drop=False)",
            "append": "n.set_index('q', append=True)",
            "inplace": "after(n, lambda d: d.set_index('q', inplace=True))",
            "verify_integrity": refused("n.set_index('q', verify_integrity=True)", ValueError, "duplicate"),
        },
        "sort_index": {
            "axis": "n[['q', 'p']].sort_index(axis=1)",
            "level": "wide.set_axis(lib.MultiIndex.from_tuples([('a', 'y'), ('b', 'x')]), axis=1).sort_index(axis=1, level=1)",
            "key": "n.sort_index(axis=1, key=lambda i: i.map({'p': 2, 'q': 1}))",
            "ignore_index": "n[['q', 'p']].sort_index(axis=1, ignore_index=True)",
        },
        "sort_values": {
            "by": ("whole.sort_values(by='p')", "whole.sort_values(by=['q', 'p'])"),
            "axis": [
                "whole.sort_values('b', axis=1, ascending=False)",
                "n.sort_values(['b', 'c'], axis=1)",
            ],
            "ascending": "whole.sort_values(['q', 'p'], ascending=[True, False])",
            "inplace": "after(whole, lambda d: d.sort_values('p', inplace=True))",
            "kind": [
                same("whole.sort_values('p', kind='stable')", "equal rows always keep their order"),
                refused("whole.sort_values('p', kind='bogus')", ValueError),
            ],
            "na_position": [
                "n.sort_values('p', na_position='first')",
                refused("n.sort_values('p', na_position='bogus')", ValueError),
            ],
            "ignore_index": "whole.sort_values('p', ignore_index=True)",
            "key": "whole.sort_values('p', key=lambda c: -c)",
        },
        "squeeze": {
            "axis": [
                "n[['p']].head(1).squeeze(axis=0)",
                "n[['p']].head(1).squeeze(axis=1)",
                "n.head(1).squeeze(axis=1)",
            ]
        },
        "take": {"axis": "n.take([1], axis=1)"},
        "to_csv": {
            "path_or_buf": ours("written(lambda file: n.to_csv(path_or_buf=file)) == n.to_csv()", "True"),
            "sep": "df.to_csv(sep=';')",
            "na_rep": "n.to_csv(na_rep='-')",
            "header": ["n.to_csv(header=False)", "n.to_csv(header=['x', 'y'])"],
            "index": "n.to_csv(index=False)",
            "columns": "n.to_csv(columns=['q'])",
            "lineterminator": r"n.to_csv(lineterminator='\r\n')",
            "compression": refused("n.to_csv('/tmp/bogus.csv', compression='bogus')", ValueError, "bogus"),
            "float_format": ["n.to_csv(float_format='%.2f')", "n.to_csv(float_format=lambda x: f'<{x}>')"],
            "index_label": ["n.to_csv(index_label='x')", "n.to_csv(index_label=False)"],
            "mode": refused("n.to_csv(mode='bogus')", ValueError),
            "encoding": ours(
                "packed(lambda file: n.to_csv(file, encoding='utf-16'))", "n.to_csv().encode('utf-16')"
            ),
            "quoting": [f"n.to_csv(quoting={quoting})" for quoting in (1, 2)],
            "quotechar": "n.to_csv(quoting=1, quotechar='|')",
            "chunksize": [
                same("n.to_csv(chunksize=1)", "the text is the same"),
                refused("n.to_csv(chunksize=0)", ValueError),
            ],
            "date_format": "df.to_csv(date_format='%Y')",
            "doublequote": "words_frame.to_csv(doublequote=False, escapechar='!')",
            "escapechar": "words_frame.to_csv(escapechar='!')",
            "decimal": "n.to_csv(decimal='_')",
            "errors": ours(
                "packed(lambda file: df[['s']].to_csv(file, encoding='ascii', errors='ignore'))",
                "df[['s']].to_csv().encode('ascii', 'ignore')",
            ),
            "storage_options": refused(
                "n.to_csv(storage_options={'anon': True})", ValueError, "storage_options"
            ),
        },
        "to_dict": {
            "orient": [
                f"whole.to_dict(orient={orient!r})"
                for orient in ("list", "records", "index", "split", "tight")
            ],
            "into": [
                "type(whole.to_dict(into=__import__('collections').OrderedDict)).__name__",
                "type(whole.to_dict(into=__import__('collections').OrderedDict())).__name__",
                "whole.to_dict('records', into=__import__('collections').defaultdict(list))[0].default_factory",
            ],
            "index": [
                "whole.to_dict('split', index=False)",
                "whole.to_dict('tight', index=False)",
                refused("whole.to_dict(index=False)", ValueError),
            ],
        },
        "to_arrow": {
            "preserve_index": [
                ours("n.to_arrow(preserve_index=True).column_names", "['p', 'q', '__index_level_0__']"),
                refused("n.to_arrow(preserve_index='bogus')", TypeError),
            ]
        },
        "to_feather": {
            "path": ours(
                "(lambda file: (n.to_feather(path=file), lib.read_feather(file.getvalue()))[1])(io.BytesIO())",
                "n",
            ),
            "compression": ours(
                "len(lib.concat([n] * 999).to_feather(compression=None))"
                " > len(lib.concat([n] * 999).to_feather())",
                "True",
            ),
            "compression_level": refused(
                "n.to_feather(compression='zstd', compression_level=99)", ValueError, "level"
            ),
            "chunksize": ours("n.to_feather(chunksize=1) == n.to_feather()", "False"),
            "index": ours("lib.read_feather(n.to_feather(index=False))", "n.reset_index(drop=True)"),
            "stream": ours("n.to_feather(stream=True)[:6] == n.to_feather()[:6]", "False"),
            "storage_options": refused(
                "n.to_feather(storage_options={'anon': True})", ValueError, "storage_options"
            ),
            "**kwargs": refused("n.to_feather(bogus=1)", TypeError, "bogus"),
        },
        "to_avro": {
            "path": ours(
                "(lambda file: (n.to_avro(path=file), lib.read_avro(file.getvalue()))[1])(io.BytesIO())",
                "n",
            ),
            "index": ours("lib.read_avro(n.to_avro(index=False))", "n.reset_index(drop=True)"),
            "compression": ours("n.to_avro(compression=None) == n.to_avro()", "False"),
            "storage_options": refused(
                "n.to_avro(storage_options={'anon': True})", ValueError, "storage_options"
            ),
            "**kwargs": refused("n.to_avro(bogus=1)", TypeError, "bogus"),
        },
        "to_orc": {
            "path": ours(
                "(lambda file: (n.to_orc(path=file), lib.read_orc(file.getvalue()))[1])(io.BytesIO())",
                "n",
            ),
            "index": ours("lib.read_orc(n.to_orc(index=False))", "n.reset_index(drop=True)"),
            "compression": ours("n.to_orc(compression=None) == n.to_orc()", "False"),
            "stripe_size_bytes": ours("len(lib.read_orc(n.to_orc(stripe_size_bytes=1), stripes=[1]))", "1"),
            "stripe_size_rows": ours("len(lib.read_orc(n.to_orc(stripe_size_rows=1), stripes=[1]))", "1"),
            **{
                name: refused(f"n.to_orc({name}={value})")
                for name, value in {
                    "engine": "'bogus'",
                    "engine_kwargs": "{'a': 1}",
                }.items()
            },
            "storage_options": refused(
                "n.to_orc(storage_options={'anon': True})", ValueError, "storage_options"
            ),
            "**kwargs": refused("n.to_orc(bogus=1)", TypeError, "bogus"),
        },
        "to_parquet": {
            "path": ours(
                "(lambda file: (n.to_parquet(path=file), lib.read_parquet(file.getvalue()))[1])(io.BytesIO())",
                "n",
            ),
            "compression": ours("n.to_parquet(compression=None) == n.to_parquet()", "False"),
            "index": ours("lib.read_parquet(n.to_parquet(index=False))", "n.reset_index(drop=True)"),
            **{
                name: ours(f"lib.read_parquet_metadata(n.to_parquet({name}=2))[1]", "2")
                for name in ("row_group_size", "row_group_size_rows")
            },
            "compression_level": refused(
                "n.to_parquet(compression='zstd', compression_level=99)", ValueError, "level"
            ),
            # What is in the file: test_parquet_writing.
            **{
                name: ours(f"len(n.to_parquet({name}={value})) == len(n.to_parquet())", "False")
                for name, value in {
                    "row_group_size_bytes": "8",
                    "max_page_size_rows": "1",
                    "max_page_size_bytes": "1",
                    "statistics": "'NONE'",
                    "column_encoding": "{'q': 'DELTA_BINARY_PACKED'}",
                    "bloom_filters": "['q']",
                    "metadata": "{'a': 'b'}",
                }.items()
            },
            "max_dictionary_size": [
                ours(
                    "len(lib.concat([n] * 99).to_parquet(max_dictionary_size=1))"
                    " == len(lib.concat([n] * 99).to_parquet())",
                    "False",
                ),
                refused("n.to_parquet(max_dictionary_size=0)", ValueError, "max_dictionary_size"),
            ],
            "use_dictionary": ours(
                "len(lib.concat([n] * 99).to_parquet(use_dictionary=False))"
                " == len(lib.concat([n] * 99).to_parquet())",
                "False",
            ),
            "partition_cols": refused("n.to_parquet(partition_cols=['q'])", TypeError, "path"),
            "header_version": [
                ours("n.to_parquet(header_version='2.0') == n.to_parquet()", "False"),
                refused("n.to_parquet(header_version='2.6')", ValueError, "header_version"),
            ],
            "store_schema": [
                ours(
                    "lib.read_parquet(lib.DataFrame({'a': lib.to_timedelta(['1 s'])}).to_parquet(store_schema=False))"
                    "['a'].dtype.kind",
                    "'i'",
                ),
                refused("n.to_parquet(store_schema='bogus')", ValueError),
            ],
            "engine": [
                same("lib.read_parquet(io.BytesIO(n.to_parquet(engine='pyarrow')))", "it says how, not what"),
                refused("n.to_parquet(engine='fastparquet')"),
            ],
            "filesystem": refused("n.to_parquet(None, filesystem='x')", ValueError, "filesystem"),
            "partition_file_name": refused(
                "n.to_parquet(partition_file_name='x')", ValueError, "partition_file_name"
            ),
            **{
                name: refused(f"n.to_parquet({name}={value})")
                for name, value in {
                    "partition_offsets": "[0]",
                    "metadata_file_path": "'x'",
                    "skip_compression": "['q']",
                    "column_type_length": "{'q': 1}",
                    "output_as_binary": "['q']",
                    "int96_timestamps": "True",
                    "return_metadata": "True",
                }.items()
            },
            "storage_options": refused(
                "n.to_parquet(storage_options={'anon': True})", ValueError, "storage_options"
            ),
            "**kwargs": refused("n.to_parquet(bogus=1)", TypeError, "bogus"),
        },
        "to_records": {
            "index": "n.to_records(index=False).dtype.names",
            "column_dtypes": "str(n.to_records(column_dtypes={'q': 'int32'}).dtype)",
            "index_dtypes": "str(n.to_records(index_dtypes='<S2').dtype)",
        },
        "to_string": {
            "columns": "n.to_string(columns=['q'])",
            "header": ["n.to_string(header=False)", "n.to_string(header=['P', 'Q'])"],
            "col_space": ["n.to_string(col_space=9)", "n.to_string(col_space={'q': 12})"],
            "formatters": [
                "df.to_string(formatters={'k': str.upper, 'f': lambda x: f'<{x}>'})",
                "n.to_string(formatters=[lambda x: 'p', lambda x: 'q'])",
            ],
            "sparsify": ["df.sort_values('k').set_index(['k', 'b'])[['i']].to_string(sparsify=False)"],
            "justify": "n.to_string(justify='left')",
            "decimal": ["n.to_string(decimal=',')"],
            "index_names": "df.set_index('k').to_string(index_names=False)",
            "max_cols": "df.to_string(max_cols=2)",
            "show_dimensions": [
                "n.to_string(show_dimensions=True)",
                "n.to_string(max_rows=2, show_dimensions='truncate')",
            ],
            "line_width": "n.to_string(line_width=9)",
            "max_colwidth": "lib.DataFrame({'s': ['a long text', 'b']}).to_string(max_colwidth=7)",
            "encoding": refused("n.to_string('/dev/null', encoding='no-such')", LookupError, "no-such"),
        },
        "to_html": {
            "buf": ours("written(lambda file: n.to_html(buf=file)) == n.to_html()", "True"),
            "columns": "n.to_html(columns=['q'])",
            "header": ["n.to_html(header=False)", refused("n.to_html(header=['P', 'Q'])", TypeError)],
            "col_space": ["n.to_html(col_space=9)", "n.to_html(col_space={'q': 12})"],
            "formatters": [
                "df.to_html(formatters={'k': str.upper, 'f': lambda x: f'<{x}>'})",
                "n.to_html(formatters=[lambda x: 'p', lambda x: 'q'])",
            ],
            "sparsify": ["df.sort_values('k').set_index(['k', 'b'])[['i']].to_html(sparsify=False)"],
            "justify": ["n.to_html(justify='left')", refused("n.to_html(justify='no')", ValueError)],
            "decimal": ["n.to_html(decimal=',')"],
            "index": "n.to_html(index=False)",
            "na_rep": "n.to_html(na_rep='<')",
            "float_format": [
                "n.to_html(float_format='%.3f')",
                "n.to_html(float_format=lambda x: f'<{x}>')",
                refused("n.to_html(float_format=3)", TypeError),
            ],
            "index_names": "df.set_index('k').to_html(index_names=False)",
            "max_rows": "n.to_html(max_rows=2)",
            "max_cols": "df.to_html(max_cols=2)",
            "show_dimensions": "n.to_html(show_dimensions=True)",
            "bold_rows": "n.to_html(bold_rows=False)",
            "classes": ["n.to_html(classes='x y')", "n.to_html(classes=['z'])"],
            "escape": "lib.DataFrame({'a<': ['<b>']}).to_html(escape=False)",
            "notebook": "n.to_html(notebook=True)",
            "border": ["n.to_html(border=0)", "n.to_html(border=3)"],
            "table_id": "n.to_html(table_id='T')",
            "render_links": "lib.DataFrame({'a': ['https://a.b']}).to_html(render_links=True)",
            "encoding": refused("n.to_html('/dev/null', encoding='no-such')", LookupError, "no-such"),
        },
        "transpose": {
            "*args": refused("whole.transpose(1, 0)", ValueError, "axes"),
            "copy": same("whole.transpose(copy=False)", OLD),
        },
        "value_counts": {
            "subset": "df[['k', 'b']].value_counts(subset=['b'])",
            "normalize": "df[['b']].value_counts(normalize=True)",
            "sort": "lib.DataFrame({'a': [0, 1, 1]}).value_counts(sort=False)",
            "ascending": "df[['b']].value_counts(ascending=True)",
            "dropna": "df[['s']].value_counts(dropna=False).sort_index()",
        },
        "to_pandas": {
            "nullable": ours(
                "repr(lib.DataFrame({'a': [1, None]}).to_pandas(nullable=True))",
                "repr(lib.DataFrame({'a': [1, None]}).astype('Int64'))",
            ),
            "arrow_type": ours(
                "repr(lib.DataFrame({'a': [1, None]}).to_pandas(arrow_type=True))",
                "repr(pd.DataFrame({'a': [1, None]}).astype('int64[pyarrow]'))",
            ),
            "index": ours("repr(n.to_pandas(index=False))", "repr(n.reset_index(drop=True))"),
        },
        "merge": {
            "right": ("left.merge(right=right, on='k')", "left.merge(right=right.head(1), on='k')"),
            "how": "left.merge(right, how='outer', on='k')",
            "on": "left.merge(right, on='k')",
            "left_on": (
                "left.merge(right, left_on='k', right_on='k')",
                "left.merge(right, left_on='z', right_on='k')",
            ),
            "right_on": (
                "left.merge(right, left_on='k', right_on='k')",
                "left.merge(right, left_on='k', right_on='z')",
            ),
            "left_index": "left.merge(right.rename(columns={'k': 'r'}), left_index=True, right_on='r')",
            "right_index": "left.merge(right[['y']], left_on='k', right_index=True)",
            "sort": "left.iloc[::-1].merge(right, on='k', sort=True)",
            "suffixes": "left.merge(right, on='k', suffixes=('_1', '_2'))",
            "copy": same("left.merge(right, on='k', copy=False)", OLD),
            "indicator": "left.merge(right, how='outer', on='k', indicator='side')",
            "validate": refused("left.merge(right, on='k', validate='1:1')", ValueError, "unique"),
        },
        **FRAME_OPERATORS,
        "rolling": {
            "on": "df[['i', 't']].assign(t=df['t'].ffill()).sort_values('t').rolling(2, on='t').sum()"
        },
        **FRAME_REDUCTIONS,
    }
)
