"""What every parameter of `Series` does; see `arguments_entries`."""

from arguments_entries import ours, refused, same
from arguments_shared import BY_LEVEL, CATEGORIES, OLD, SERIES_OPERATORS, SERIES_REDUCTIONS, with_shared

SERIES = with_shared(
    {
        "Series": {
            "data": "lib.Series(data=[1, 2])",
            "index": "lib.Series([1, 2], index=['x', 'y'])",
            "dtype": "lib.Series([1, 2], dtype='float32')",
            "name": "lib.Series([1, 2], name='n')",
            "copy": same(
                "(lambda a: (lib.Series(a, copy=True), a.fill(9))[0])(np.array([1, 2]))",
                "memory that others write is always copied",
            ),
            "nan_as_null": [
                ours("lib.Series([NAN], nan_as_null=True).null_count", "1"),
                refused("lib.Series([NAN], nan_as_null='bogus')", ValueError),
            ],
        },
        "agg": {
            "func": ("v.agg(func='sum')", "v.agg(func=['sum', 'max'])"),
            "axis": refused("v.agg('sum', axis=1)", ValueError),
            "*args": refused("v.agg('sum', 0, 1)", TypeError, "positional"),
            "**kwargs": [
                ("v.agg('sum', min_count=4)", "v.agg('sum', min_count=0)"),
                ("v.agg(['std', 'var'], ddof=1)", "v.agg(['std', 'var'], ddof=0)"),
                refused("v.agg({'p': 'std'}, ddof=0)", TypeError, "ddof"),
            ],
        },
        **{
            name: {
                "axis": refused(f"v.{name}(axis=1)", ValueError),
                "bool_only": [
                    same(f"v.{name}(bool_only=True)", "numbers have a truth value"),
                    refused(f"times.{name}(bool_only=True)", TypeError),
                ],
                "skipna": skipna,
                "**kwargs": refused(f"v.{name}(keepdims=True)", ValueError, "keepdims"),
            }
            for name, skipna in {
                "any": "lib.Series([NAN, 0.0]).any(skipna=False)",
                "all": same("lib.Series([NAN, 1.0]).all(skipna=False)", "NaN is true"),
            }.items()
        },
        "argmax": {
            "axis": refused("v.argmax(axis=1)", ValueError),
            "skipna": refused("v.argmax(skipna=False)", ValueError, "NA"),
        },
        "argmin": {
            "axis": refused("v.argmin(axis=1)", ValueError),
            "skipna": refused("v.argmin(skipna=False)", ValueError, "NA"),
        },
        "argsort": {
            "axis": [
                same("numbers.argsort(axis=-1)", "NumPy's name of the last one"),
                refused("v.argsort(axis=1)", ValueError),
            ],
            "kind": [
                same("numbers.argsort(kind='stable')", "equal elements always keep their order"),
                refused("numbers.argsort(kind='bogus')", ValueError),
            ],
            "order": refused("numbers.argsort(order='x')"),
            "stable": same("numbers.argsort(stable=True)", "equal elements always keep their order"),
            "ascending": ours("numbers.argsort(ascending=False).to_list()", "[0, 3, 2, 4, 1]"),
            "na_position": ours("v.argsort(na_position='first').to_list()", "[1, 2, 3, 0]"),
        },
        "between": {
            "left": ("numbers.between(left=0, right=2)", "numbers.between(left=1, right=2)"),
            "right": ("numbers.between(0, right=2)", "numbers.between(0, right=3)"),
            "inclusive": [
                "numbers.between(0, 2, inclusive=" + repr(x) + ")" for x in ("left", "right", "neither")
            ],
        },
        "corr": {
            "other": ("whole.p.corr(other=whole.q)", "whole.p.corr(other=whole.p)"),
            "method": [
                ours(
                    "lib.Series([1, 2, 9]).corr(lib.Series([1, 2, 3]), method='spearman')",
                    "1.0",
                ),
                "whole.p.corr(whole.q, method='kendall')",
                "v.corr(n.q, method=lambda a, b: (a - b).sum())",
                refused("whole.p.corr(whole.q, method='bogus')", ValueError),
            ],
            "min_periods": "v.corr(n.q, min_periods=4)",
        },
        "cov": {
            "other": ("whole.p.cov(other=whole.q)", "whole.p.cov(other=whole.p)"),
            "min_periods": "v.cov(n.q, min_periods=4)",
            "ddof": "whole.p.cov(whole.q, ddof=0)",
        },
        **{
            name: {"axis": refused(f"v.{name}(axis=1)", ValueError)}
            for name in ("cummax", "cummin", "cumprod", "cumsum")
        },
        "describe": {
            "include": same("v.describe(include='all')", "a series has no columns to choose from"),
            "exclude": same("v.describe(exclude='int64')", "a series has no columns to choose from"),
        },
        "factorize": {
            "sort": "text.factorize(sort=True)",
            "use_na_sentinel": "text.factorize(use_na_sentinel=False)",
        },
        "explode": {
            "ignore_index": (
                "lib.Series([[1, 2], [3]], index=['a', 'b']).explode(ignore_index=True).astype('int64')",
                "lib.Series([[1, 2], [3]], index=['a', 'b']).explode(ignore_index=False).astype('int64')",
            )
        },
        "dot": {"other": ("whole.p.dot(other=whole.q)", "whole.p.dot(other=whole.p)")},
        "drop": {
            "axis": refused("v.drop('a', axis=1)", ValueError),
            "columns": same("v.drop(index='a', columns='p')", "it is for frames"),
        },
        "dropna": {
            "axis": refused("v.dropna(axis=1)", ValueError),
            "how": same("v.dropna(how='all')", "it is for frames"),
        },
        "duplicated": {"keep": "numbers.duplicated(keep=False)"},
        "from_arrow": {"obj": ours("lib.Series.from_arrow(obj=numbers.to_arrow())", "numbers.rename(None)")},
        "from_pandas": {
            "obj": ours(
                "lib.Series.from_pandas(obj=pd.Series([1, 2], name='n'))", "lib.Series([1, 2], name='n')"
            ),
            "nan_as_null": ours("lib.Series.from_pandas(pd.Series([NAN]), nan_as_null=True).null_count", "1"),
        },
        "get": {"key": ("v.get(key='a')", "v.get(key='c')")},
        "groupby": {
            "by": ("numbers.groupby(by=flags).sum()", "numbers.groupby(by=numbers).sum()"),
            "as_index": refused("numbers.groupby(flags, as_index=False)", TypeError),
            "sort": "numbers.groupby(text, sort=False).sum()",
            "group_keys": "numbers.groupby(flags, group_keys=False).apply(lambda y: y.head(1))",
            "observed": same("numbers.groupby(flags, observed=False).sum()", CATEGORIES),
            "dropna": "numbers.groupby(text, dropna=False).sum()",
        },
        **{
            name: {
                "axis": refused(f"v.{name}(axis=1)", ValueError),
                "skipna": refused(f"v.{name}(skipna=False)", ValueError, "NA"),
            }
            for name in ("idxmax", "idxmin")
        },
        "isin": {"values": ("numbers.isin(values=[3])", "numbers.isin(values=[0, 2])")},
        "apply": {
            "args": "numbers.apply(lambda x, k=1: x * k, args=(3,))",
            "by_row": "numbers.apply(lambda x: str(type(x).__name__ == 'Series'), by_row=False)",
        },
        "info": {
            "verbose": ours(
                "'Series name' in written(lambda file: v.info(verbose=False, buf=file))", "False"
            ),
            "buf": ours("'Series name' in written(lambda file: v.info(buf=file))", "True"),
            "max_cols": refused("v.info(max_cols=1)", ValueError),
            "memory_usage": ours(
                "'memory' in written(lambda file: v.info(memory_usage=False, buf=file))", "False"
            ),
            "show_counts": ours(
                "'non-null' in written(lambda file: v.info(show_counts=False, buf=file))", "False"
            ),
        },
        "pop": {"item": ("whole.p.pop(item='a')", "whole.p.pop(item='b')")},
        **{
            name: {
                "other": (f"whole.p.{name}(other=2)", f"whole.p.{name}(other=whole.q)"),
                "level": f"deep.v.{name}({BY_LEVEL}.v, level='o')",
                "fill_value": f"v.{name}(v2, fill_value=2)",
                "axis": refused(f"whole.p.{name}(2, axis=1)", ValueError),
            }
            for name in ("divmod", "rdivmod")
        },
        "transform": {
            "func": ("v.transform(func='cumsum')", "v.transform(func=lambda x: x * 2)"),
            "axis": refused("v.transform('cumsum', axis=1)", ValueError),
            "*args": ("v.transform(lambda x, k: x * k, 0, 2)", "v.transform(lambda x, k: x * k, 0, 3)"),
            "**kwargs": ("v.transform(lambda x, k: x * k, k=2)", "v.transform(lambda x, k: x * k, k=3)"),
        },
        "map": {
            "func": ("numbers.map(func={3: 1})", "numbers.map(func={3: 1, 2: 5})"),
            "na_action": [
                "v.map({3.0: 1.0, NAN: 7.0}, na_action='ignore')",
                refused("v.map({3.0: 1.0}, na_action='bogus')", ValueError),
            ],
            "engine": refused("v.map(abs, engine=len)"),
            "**kwargs": ("numbers.map(lambda x, k: x * k, k=2)", "numbers.map(lambda x, k: x * k, k=3)"),
        },
        "memory_usage": {
            "index": ours("v.memory_usage(index=False) == v.nbytes", "True"),
            "deep": same(
                "int(numbers.memory_usage(deep=True) - numbers.memory_usage())",
                "texts are always counted whole",
            ),
        },
        "mode": {"dropna": "lib.Series([None, None, 1.0]).mode(dropna=False)"},
        "nlargest": {"n": "numbers.nlargest(n=2)"},
        "nsmallest": {"n": "numbers.nsmallest(n=2)"},
        "nunique": {"dropna": "v.nunique(dropna=False)"},
        "quantile": {
            "q": "whole.p.quantile(q=0.3)",
            "interpolation": "whole.p.quantile(interpolation='lower')",
            "exact": refused("whole.p.quantile(exact='bogus')", TypeError),
            "quant_index": ours("whole.p.quantile([0.5], quant_index=False).index.to_list()", "[0]"),
        },
        "rank": {
            "axis": refused("v.rank(axis=1)", ValueError),
            "numeric_only": refused("text.rank(numeric_only=True)", TypeError),
        },
        "reindex": {
            "axis": [
                same("v.reindex(index=['a'], axis=0)", "a series has one"),
                refused("v.reindex(index=['a'], axis=1)", ValueError),
            ]
        },
        "add_prefix": {
            "prefix": ("v.add_prefix(prefix='a_')", "v.add_prefix(prefix='b_')"),
            "axis": refused("v.add_prefix('a_', axis=1)", ValueError),
        },
        "add_suffix": {
            "suffix": ("v.add_suffix(suffix='_a')", "v.add_suffix(suffix='_b')"),
            "axis": refused("v.add_suffix('_a', axis=1)", ValueError),
        },
        "rename": {
            "index": ("v.rename(index='z')", "v.rename(index={'a': 'z'})"),
            "inplace": "after(v, lambda d: d.rename('z', inplace=True))",
            "axis": refused("v.rename('z', axis='bogus')", ValueError),
            "copy": same("v.rename('z', copy=False)", OLD),
            "level": "deep['v'].rename({2: 9, 'b': 'z'}, level=1)",
            "errors": refused("v.rename({'bogus': 'z'}, errors='raise')", KeyError, "bogus"),
        },
        "rename_axis": {
            "mapper": "v.rename_axis(mapper='rows')",
            "axis": refused("v.rename_axis('rows', axis=1)", ValueError),
            "index": "v.rename_axis(index='rows')",
            "inplace": "after(v, lambda d: d.rename_axis(index='rows', inplace=True))",
        },
        "reset_index": {
            "name": "v.reset_index(name='z')",
            "allow_duplicates": [
                ours("v.rename_axis('v').reset_index(allow_duplicates=True).columns.to_list()", "['v', 'v']"),
                refused("v.reset_index(allow_duplicates=1)", ValueError),
            ],
        },
        "sort_index": {"axis": refused("v.sort_index(axis=1)", ValueError)},
        "sort_values": {
            "axis": refused("v.sort_values(axis=1)", ValueError),
            "ascending": "v.sort_values(ascending=False)",
            "inplace": "after(v, lambda d: d.sort_values(inplace=True))",
            "kind": [
                same("v.sort_values(kind='stable')", "equal elements always keep their order"),
                refused("v.sort_values(kind='bogus')", ValueError),
            ],
            "na_position": [
                "v.sort_values(na_position='first')",
                refused("v.sort_values(na_position='bogus')", ValueError),
            ],
            "ignore_index": "v.sort_values(ignore_index=True)",
            "key": "v.sort_values(key=lambda c: -c)",
        },
        "squeeze": {"axis": refused("v.head(1).squeeze(axis=1)", ValueError)},
        "take": {"axis": refused("v.take([0], axis=1)", ValueError)},
        "to_dict": {"into": "type(v.to_dict(into=__import__('collections').OrderedDict)).__name__"},
        "to_csv": {
            "path_or_buf": ours("written(lambda file: v.to_csv(path_or_buf=file)) == v.to_csv()", "True"),
            **{
                name: f"v.to_csv({name}={value})"
                for name, value in {
                    "sep": "';'",
                    "na_rep": "'-'",
                    "float_format": "'%.2f'",
                    "header": "['w']",
                    "index": "False",
                    "index_label": "'x'",
                    "quoting": "1",
                    "lineterminator": "'~'",
                    "decimal": "'_'",
                }.items()
            },
            "quotechar": "v.to_csv(quoting=1, quotechar='|')",
            "columns": refused("v.to_csv(columns=['bogus'])", KeyError, "bogus"),
            "mode": refused("v.to_csv(mode='bogus')", ValueError),
            "encoding": ours(
                "packed(lambda file: v.to_csv(file, encoding='utf-16'))", "v.to_csv().encode('utf-16')"
            ),
            "compression": refused("v.to_csv('/tmp/bogus.csv', compression='bogus')", ValueError, "bogus"),
            "chunksize": refused("v.to_csv(chunksize=0)", ValueError),
            "date_format": "times.to_csv(date_format='%Y')",
            "doublequote": "words_frame['s'].to_csv(doublequote=False, escapechar='!')",
            "escapechar": "words_frame['s'].to_csv(escapechar='!')",
            "errors": ours(
                "packed(lambda file: text.to_csv(file, encoding='ascii', errors='ignore'))",
                "text.to_csv().encode('ascii', 'ignore')",
            ),
            "storage_options": refused(
                "v.to_csv(storage_options={'anon': True})", ValueError, "storage_options"
            ),
        },
        "case_when": {
            "caselist": ("v.case_when(caselist=[(v > 2, 0)])", "v.case_when(caselist=[(v < 2, 0)])")
        },
        "filter": {
            "arg": ("v.filter(['b'])", "v.filter(lambda s: s > 1)"),
            "items": ("v.filter(items=['b', 'd'])", "v.filter(items=['a'])"),
            "like": ("v.filter(like='b')", "v.filter(like='c')"),
            "regex": ("v.filter(regex='b$')", "v.filter(regex='[cd]')"),
            "axis": refused("v.filter(like='b', axis=1)", ValueError),
            "cond": ("v.filter(cond=v > 1)", "v.filter(cond=[True, None, False, True])"),
            "na": "v.filter(cond=[True, None, False, True], na=True)",
        },
        "infer_objects": {"copy": refused("v.infer_objects(copy='bogus')", TypeError)},
        "to_frame": {"name": "v.to_frame(name='z')"},
        "to_string": {
            **{name: f"v.to_string({name}=True)" for name in ("length", "dtype", "name")},
            "header": "lib.Series([1], index=lib.Index([2], name='k')).to_string(header=False)",
        },
        "to_pandas": {
            "nullable": ours(
                "repr(lib.Series([1, None]).to_pandas(nullable=True))",
                "repr(lib.Series([1, None], dtype='Int64'))",
            ),
            "arrow_type": ours(
                "repr(lib.Series([1, None]).to_pandas(arrow_type=True))",
                "repr(pd.Series([1, None], dtype='int64[pyarrow]'))",
            ),
            "index": ours("repr(v.to_pandas(index=False))", "repr(v.reset_index(drop=True))"),
        },
        "value_counts": {
            "normalize": "numbers.value_counts(normalize=True)",
            "sort": "lib.Series([1, 2, 2]).value_counts(sort=False)",
            "ascending": "lib.Series([1, 2, 2]).value_counts(ascending=True)",
            "bins": "numbers.value_counts(bins=2)",
            "dropna": "v.value_counts(dropna=False)",
        },
        **SERIES_OPERATORS,
        "rolling": {"on": refused("n['p'].rolling(2, on='t')", ValueError)},
        **SERIES_REDUCTIONS,
    }
)
