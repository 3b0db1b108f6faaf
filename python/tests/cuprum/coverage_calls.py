"""How each name of cuDF is called with its ordinary arguments; see `test_api_coverage`.

A call is an expression that sees ``lib`` (Cuprum or pandas), the subjects below, and ``pd``, ``np`` and ``io``. Its
result has to be pandas'. What pandas does not have is a pair: the expression and what it gives, computed by other means.
"""

import pandas as pd

# What the classes of the list are here, as expressions.
SUBJECTS = {
    "DataFrame": "df",
    "Series": "s",
    "Index": "labels",
    "RangeIndex": "lib.RangeIndex(1, 9, 2)",
    "CategoricalIndex": "lib.CategoricalIndex(['b', 'a', 'b'])",
    "IntervalIndex": "lib.IntervalIndex.from_breaks([0, 1, 2])",
    "MultiIndex": "levels",
    "DatetimeIndex": "days",
    "TimedeltaIndex": "spans",
    "core.groupby.DataFrameGroupBy": "sold.groupby('k')[['v', 'w']]",
    "core.groupby.SeriesGroupBy": "sold.groupby('k')['v']",
    "core.series.DatetimeProperties": "times.dt",
    "core.series.TimedeltaProperties": "spans.to_series().dt",
    "core.accessors.string.StringMethods": "words.str",
    "core.accessors.categorical.CategoricalAccessor": "cats.cat",
    "core.accessors.lists.ListMethods": "lists.list",
    "core.accessors.struct.StructMethods": "structs.struct",
    "core.window.rolling.Rolling": "s.rolling(2)",
    "core.dtypes.CategoricalDtype": "lib.CategoricalDtype(['b', 'a'])",
    "core.dtypes.Decimal32Dtype": "lib.Decimal32Dtype(7, 2)",
    "core.dtypes.Decimal64Dtype": "lib.Decimal64Dtype(7, 2)",
    "core.dtypes.Decimal128Dtype": "lib.Decimal128Dtype(7, 2)",
    "core.dtypes.ListDtype": "lib.ListDtype('int64')",
    "core.dtypes.StructDtype": "lib.StructDtype({'a': 'int64'})",
    "core.dtypes.IntervalDtype": "lib.IntervalDtype('int64', 'left')",
    "testing.testing": "lib.testing",
    "": "lib",
}

# The frames that calls see.
FRAMES = {
    "df": pd.DataFrame({"a": [3.0, 1.0, 2.0, 2.0], "b": [2.0, 5.0, 4.0, 4.5]}, index=list("wxyz")),
    "s": pd.Series([3.0, 1.0, 2.0, 2.0], index=list("wxyz"), name="s"),
    "labels": pd.Index(["a", "b", "c"], name="labels"),
    "levels": pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["o", "n"]),
    "days": pd.DatetimeIndex(["2013-01-01 05:30", "2013-02-28 12:10"], name="days"),
    "spans": pd.TimedeltaIndex([86_400_000_000_001, 5_000_000_000], name="spans"),
    "times": pd.Series(pd.to_datetime(["2013-01-01 05:00", "2000-02-29 12:30"]), name="times"),
    "words": pd.Series(["a_b c", "x y", "Zed", None], name="words"),
    "cats": pd.Series(["b", "a", None, "b"], dtype=pd.CategoricalDtype(["c", "b", "a"]), name="cats"),
    "sold": pd.DataFrame({"k": ["b", "a", "b", "a"], "v": [1.0, 2.0, 3.5, 4.0], "w": [1, 2, 3, 5]}),
    "visits": pd.DataFrame(
        {"k": [1, 1, 2], "v": [1.0, 2.0, 3.0]},
        index=pd.to_datetime(["2013-01-01", "2013-01-03", "2013-01-02"]),
    ),
    "one": pd.DataFrame({"k": [1, 2, 2], "x": [1.0, 2.0, 3.0]}),
    "two": pd.DataFrame({"k": [2, 3], "y": [20, 30]}),
}

# By the last part of a name: what follows the subject, for every class that has the name.
ARGUMENTS = {
    "add_prefix": "('p_')",
    "add_suffix": "('_s')",
    "agg": "('sum')",
    "aggregate": "('sum')",
    "apply": "('sum')",
    "astype": "('str')",
    "between": "(1, 2)",
    "clip": "(1.5, 2.5)",
    "drop": "('w')",
    "equals": "(SUBJECT)",
    "ewm": "(com=1).mean()",
    "expanding": "().sum()",
    "explode": "('a')",
    "fillna": "(0.0)",
    "filter": "(lambda g: len(g) > 1)",
    "get_group": "('a')",
    "groupby": "([1, 1, 2, 2]).sum()",
    "insert": "(0, 'z', 1)",
    "interpolate": "()",
    "isin": "([1.0, 2.0])",
    "items": "()",
    "mask": "(SUBJECT > 2)",
    "where": "(SUBJECT > 2)",
    "nlargest": "(2)",
    "nsmallest": "(2)",
    "nth": "(0)",
    "pipe": "(lambda x: x.sum())",
    "quantile": "(0.25)",
    "reindex": "(['x', 'q'])",
    "rename": "(str)",
    "repeat": "(2)",
    "replace": "(2.0, 9.0)",
    "rolling": "(2).sum()",
    "round": "()",
    "sample": "(2, random_state=1)",
    "searchsorted": "([2.0])",
    "take": "([0])",
    "transform": "('cumsum')",
    "truncate": "('x', 'y')",
    "ceil": "('h')",
    "floor": "('h')",
    "set_flags": "(allows_duplicate_labels=True)",
    "get_loc": "('b')",
    **{
        name: "(2.0)"
        for operator in ("add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow")
        for name in (operator, "r" + operator)
    },
    **dict.fromkeys(("subtract", "multiply", "divide", "lt", "gt", "le", "ge", "ne", "eq"), "(2.0)"),
}

_DF = "df.assign(c=list('abab'))"

# By name, where the last part does not say it.
CALLS = {
    "DataFrame": "lib.DataFrame({'a': [1, 2], 'b': ['x', None]})",
    "DataFrame.dtypes": ("list(df.dtypes)", "[np.dtype('float64')] * 2"),
    "DataFrame.info": ("df.info(buf=io.StringIO())", "None"),
    "DataFrame.select_dtypes": f"{_DF}.select_dtypes('number')",
    "DataFrame.values": "df.values.tolist()",
    "DataFrame.memory_usage": ("list(df.memory_usage(index=False))", "[32, 32]"),
    "DataFrame.convert_dtypes": (
        "lib.DataFrame({'a': [1.0, 2.0]}).convert_dtypes()",
        "pd.DataFrame({'a': [1, 2]})",
    ),
    "DataFrame.at": "df.at['x', 'b']",
    "DataFrame.iat": "df.iat[1, 1]",
    "DataFrame.loc": "df.loc['x':'y', ['b']]",
    "DataFrame.iloc": "df.iloc[1:3, 0]",
    "DataFrame.insert": "[df.insert(0, 'z', 1), df][1]",
    "DataFrame.__iter__": "list(df.__iter__())",
    "DataFrame.itertuples": "[tuple(row) for row in df.itertuples()]",
    "DataFrame.pop": "df.pop('a')",
    "DataFrame.query": "df.query('a > 1')",
    "DataFrame.dot": "df.dot([1.0, 2.0])",
    "DataFrame.map": "df.map(lambda x: x + 1)",
    "DataFrame.eval": "df.eval('a + b')",
    "DataFrame.scale": ("df.scale()", "(df - df.min()) / (df.max() - df.min())"),
    "DataFrame.drop": "df.drop(columns='a')",
    "DataFrame.rename": "df.rename(columns={'a': 'z'})",
    "DataFrame.searchsorted": (
        "df.sort_values(['a', 'b']).searchsorted(lib.DataFrame({'a': [2.0], 'b': [4.2]}))",
        "np.array([2])",
    ),
    "DataFrame.set_index": "df.set_index('a')",
    "DataFrame.repeat": ("df.repeat(2)", "df.loc[df.index.repeat(2)]"),
    "DataFrame.tile": ("df.tile(2)", "pd.concat([df, df])"),
    "DataFrame.nans_to_nulls": ("df.nans_to_nulls()", "df"),
    "DataFrame.argsort": ("df.argsort(by='a')", "np.array([1, 2, 3, 0])"),
    "DataFrame.interleave_columns": ("df.interleave_columns()", "pd.Series([3.0, 2, 1, 5, 2, 4, 2, 4.5])"),
    "DataFrame.partition_by_hash": ("sum(len(part) for part in df.partition_by_hash(['a'], 3))", "4"),
    "DataFrame.scatter_by_map": ("df.scatter_by_map([0, 1, 1, 0])", "[df.iloc[[0, 3]], df.iloc[[1, 2]]]"),
    "DataFrame.to_struct": ("df.to_struct().struct.field('b').to_list()", "[2.0, 5.0, 4.0, 4.5]"),
    "DataFrame.pivot": "sold.iloc[:2].pivot(index='k', columns='w', values='v')",
    "DataFrame.pivot_table": "sold.pivot_table(index='k', values='v')",
    "DataFrame.sort_values": "df.sort_values('b')",
    "DataFrame.nlargest": "df.nlargest(2, 'b')",
    "DataFrame.nsmallest": "df.nsmallest(2, 'b')",
    "DataFrame.swaplevel": "lib.DataFrame({'v': [1, 2, 3]}, index=levels).swaplevel()",
    "DataFrame.stack": "df.stack()",
    "DataFrame.explode": (
        "lib.DataFrame({'a': [[1, 2], [3]], 'b': [1, 2]}).explode('a')",
        "pd.DataFrame({'a': [1, 2, 3], 'b': [1, 1, 2]}, index=[0, 0, 1])",
    ),
    "DataFrame.join": "df.join(lib.DataFrame({'z': [1.0, 2.0]}, index=['x', 'z']))",
    "DataFrame.merge": "one.merge(two, on='k')",
    "DataFrame.update": "[df.update(lib.DataFrame({'a': [9.0]}, index=['x'])), df][1]",
    "DataFrame.resample": "visits.resample('D').sum()",
    "DataFrame.attrs": "[df.attrs.update(unit='m'), df.attrs][1]",
    "DataFrame.flags": "df.flags.allows_duplicate_labels",
    "DataFrame.from_arrow": ("lib.DataFrame.from_arrow(df.to_arrow())", "df.reset_index(drop=True)"),
    "DataFrame.from_dict": "lib.DataFrame.from_dict({'a': [1, 2]})",
    "DataFrame.from_records": "lib.DataFrame.from_records([(1, 'x'), (2, 'y')], columns=['a', 'b'])",
    "DataFrame.hash_values": ("df.hash_values().index", "df.index"),
    "DataFrame.to_arrow": ("df.to_arrow().column('a').to_pylist()", "[3.0, 1.0, 2.0, 2.0]"),
    "DataFrame.to_dlpack": ("lib.from_dlpack(df.to_dlpack())", "pd.DataFrame(df.values)"),
    "DataFrame.to_parquet": (
        "lib.read_parquet(df.reset_index(drop=True).to_parquet())",
        "df.reset_index(drop=True)",
    ),
    "DataFrame.to_numpy": "df.to_numpy().tolist()",
    "DataFrame.to_pandas": ("df.to_pandas()", "df"),
    "DataFrame.to_records": "df.to_records().tolist()",
    "DataFrame.to_json": "df.to_json()",
    "DataFrame.to_hdf": "df.to_hdf(io.BytesIO(), key='df')",
    "Series.to_hdf": "s.to_hdf(io.BytesIO(), key='s')",
    "DataFrame.to_pylibcudf": ("df.to_pylibcudf()[0].num_columns()", "2"),
    "DataFrame.from_pylibcudf": ("lib.DataFrame.from_pylibcudf(*df.to_pylibcudf())", "df"),
    # Types.
    "core.dtypes.CategoricalDtype.to_pandas": (
        "lib.CategoricalDtype(['b', 'a']).to_pandas() == pd.CategoricalDtype(['b', 'a'])",
        "True",
    ),
    "core.dtypes.CategoricalDtype.type": "lib.CategoricalDtype(['b', 'a']).type.__name__",
    "core.dtypes.CategoricalDtype.construct_from_string": (
        "lib.CategoricalDtype.construct_from_string('category') == 'category'",
        "True",
    ),
    "core.dtypes.IntervalDtype.type": "lib.IntervalDtype('int64').type.__name__",
    "core.dtypes.IntervalDtype.fields": ("str(lib.IntervalDtype('int64').fields['left'])", "'int64'"),
    "core.dtypes.ListDtype": ("str(lib.ListDtype('int64'))", "'list<int64>'"),
    "core.dtypes.ListDtype.element_type": ("str(lib.ListDtype('int64').element_type)", "'int64'"),
    "core.dtypes.ListDtype.leaf_type": ("str(lib.ListDtype(lib.ListDtype('int8')).leaf_type)", "'int8'"),
    "core.dtypes.ListDtype.type": ("lib.ListDtype('int64').type", "list"),
    "core.dtypes.StructDtype": ("str(lib.StructDtype({'a': 'int64'}))", "'struct<a: int64>'"),
    "core.dtypes.StructDtype.fields": ("list(lib.StructDtype({'a': 'int64'}).fields)", "['a']"),
    "core.dtypes.StructDtype.type": ("lib.StructDtype({'a': 'int64'}).type", "dict"),
    # Functions.
    "concat": "lib.concat([df, df])",
    "crosstab": "lib.crosstab(sold['k'], sold['w'])",
    "cut": "lib.cut(s, 3)",
    "factorize": "lib.factorize(s)",
    "get_dummies": "lib.get_dummies(sold['k'])",
    "melt": "lib.melt(df)",
    "merge": "lib.merge(one, two, on='k')",
    "pivot": "lib.pivot(sold.iloc[:2], index='k', columns='w', values='v')",
    "pivot_table": "lib.pivot_table(sold, index='k', values='v')",
    "unstack": (
        "lib.unstack(lib.DataFrame({'v': [1, 2, 3]}, index=levels), 'n')",
        "pd.DataFrame({'v': [1, 2, 3]}, index=levels).unstack('n')",
    ),
    "to_numeric": "lib.to_numeric(lib.Series(['1', '2.5']))",
    "from_dlpack": ("lib.from_dlpack(np.arange(3.0).__dlpack__())", "pd.Series([0.0, 1.0, 2.0])"),
    "from_pandas": ("lib.from_pandas(pd.DataFrame({'a': [1]}))", "pd.DataFrame({'a': [1]})"),
    "to_datetime": "lib.to_datetime(lib.Series(['2013-01-02']))",
    "date_range": "lib.date_range('2013-01-01', periods=3, freq='2D')",
    "DateOffset": "lib.DateOffset(months=2)",
    "interval_range": "lib.interval_range(0, 4)",
    **{
        f"testing.testing.{name}": (f"lib.testing.{name}({one}, {two})", "None")
        for name, one, two in [
            ("assert_column_equal", "s", "s"),
            ("assert_eq", "df", "df"),
            ("assert_neq", "df", "df + 1"),
            ("assert_frame_equal", "df", "df.copy()"),
            ("assert_index_equal", "labels", "labels"),
            ("assert_series_equal", "s", "s.copy()"),
        ]
    },
    # Groups.
    "core.groupby.DataFrameGroupBy.resample": "visits.groupby('k').resample('D').sum()",
    "core.groupby.SeriesGroupBy.resample": "visits.groupby('k')['v'].resample('D').sum()",
    "core.groupby.DataFrameGroupBy.plot": "len(sold.groupby('k')[['v', 'w']].plot())",
    "core.groupby.DataFrameGroupBy.hist": "len(sold.groupby('k')[['v', 'w']].hist())",
    "core.groupby.DataFrameGroupBy.boxplot": "len(sold.groupby('k')[['v', 'w']].boxplot())",
    "core.groupby.SeriesGroupBy.plot": "len(sold.groupby('k')['v'].plot())",
    "core.groupby.SeriesGroupBy.hist": "len(sold.groupby('k')['v'].hist())",
    "core.groupby.SeriesGroupBy.corr": "sold.groupby('k')['v'].corr(sold['w'])",
    "core.groupby.SeriesGroupBy.cov": "sold.groupby('k')['v'].cov(sold['w'])",
    "core.groupby.SeriesGroupBy.unique": (
        "[list(x) for x in sold.groupby('k')['v'].unique().to_list()]",
        "[[2.0, 4.0], [1.0, 3.5]]",
    ),
    "core.groupby.DataFrameGroupBy.fillna": "sold.groupby('k')[['v']].ffill()",
    # Indexes.
    "Index": "lib.Index(['b', 'a'], name='n')",
    "Index.names": "list(labels.names)",
    "Index.rename": "labels.rename('other')",
    "Index.where": "labels.where([True, False, True])",
    "Index.set_names": "labels.set_names('other')",
    "Index.fillna": "labels.fillna('z')",
    "Index.isin": "labels.isin(['a'])",
    "Index.memory_usage": ("labels.memory_usage() > 0", "True"),
    "Index.to_arrow": ("labels.to_arrow().to_pylist()", "['a', 'b', 'c']"),
    "Index.to_pandas": ("labels.to_pandas()", "labels"),
    "Index.to_dlpack": ("lib.from_dlpack(lib.Index([3, 1]).to_dlpack())", "pd.Series([3, 1])"),
    "Index.to_pylibcudf": ("labels.to_pylibcudf()[0].size()", "3"),
    "Index.from_pylibcudf": ("lib.Index.from_pylibcudf(*labels.to_pylibcudf())", "labels"),
    "Index.from_arrow": ("lib.Index.from_arrow(labels.rename(None).to_arrow())", "labels.rename(None)"),
    "Index.find_label_range": ("labels.find_label_range(slice('b', 'c'))", "slice(1, 3, 1)"),
    "Index.searchsorted": "labels.searchsorted('b')",
    "Index.shift": "days.shift(1, freq='D')",
    "Index.append": "labels.append(labels)",
    "Index.union": "labels.union(lib.Index(['b', 'd']))",
    "Index.intersection": "labels.intersection(lib.Index(['b', 'd']))",
    "Index.difference": "labels.difference(lib.Index(['b', 'd']))",
    "Index.join": "labels.join(lib.Index(['b', 'd'], name='labels'), how='inner')",
    "Index.get_indexer": "labels.get_indexer(['b', 'q'])",
    "Index.get_level_values": "labels.get_level_values(0)",
    "Index.get_slice_bound": "labels.get_slice_bound('b', 'right')",
    "Index.str": "labels.str.upper()",
    "Index.groupby": "labels.groupby(['x', 'y', 'x'])",
    "Index.round": "lib.Index([1.25]).round(1)",
    "Index.all": "lib.Index([1, 0]).all()",
    "Index.any": "lib.Index([1, 0]).any()",
    "Index.factorize": "labels.factorize()",
    "RangeIndex": "lib.RangeIndex(1, 9, 2)",
    "RangeIndex.to_arrow": ("lib.RangeIndex(1, 9, 2).to_arrow().to_pylist()", "[1, 3, 5, 7]"),
    "RangeIndex.to_numpy": "lib.RangeIndex(1, 9, 2).to_numpy()",
    "CategoricalIndex": "lib.CategoricalIndex(['b', 'a'])",
    "IntervalIndex": "lib.IntervalIndex.from_breaks([0, 1, 2])",
    "IntervalIndex.from_breaks": "lib.IntervalIndex.from_breaks([0, 1, 2])",
    "IntervalIndex.get_indexer": "lib.IntervalIndex.from_breaks([0, 1, 2]).get_indexer([0.5, 7])",
    "IntervalIndex.get_loc": "lib.IntervalIndex.from_breaks([0, 1, 2]).get_loc(0.5)",
    "IntervalIndex.values": "list(lib.IntervalIndex.from_breaks([0, 1, 2]).values)",
    "MultiIndex": "lib.MultiIndex(levels=[['a', 'b'], [1, 2]], codes=[[0, 1], [1, 0]])",
    "MultiIndex.from_arrays": "lib.MultiIndex.from_arrays([['a', 'b'], [1, 2]])",
    "MultiIndex.from_tuples": "lib.MultiIndex.from_tuples([('a', 1), ('b', 2)])",
    "MultiIndex.from_product": "lib.MultiIndex.from_product([['a', 'b'], [1, 2]])",
    "MultiIndex.from_frame": "lib.MultiIndex.from_frame(sold[['k', 'w']])",
    "MultiIndex.from_arrow": ("lib.MultiIndex.from_arrow(levels.to_frame().to_arrow())", "levels"),
    "MultiIndex.names": "list(levels.names)",
    "MultiIndex.levels": "[list(level) for level in levels.levels]",
    "MultiIndex.codes": "[list(codes) for codes in levels.codes]",
    "MultiIndex.dtypes": ("[str(dtype) for dtype in levels.dtypes]", "['str', 'int64']"),
    "MultiIndex.get_indexer": "levels.get_indexer([('a', 2), ('c', 1)])",
    "MultiIndex.get_loc": "levels.get_loc(('a', 2))",
    "MultiIndex.get_level_values": "levels.get_level_values('n')",
    "MultiIndex.droplevel": "levels.droplevel('n')",
    "MultiIndex.swaplevel": "levels.swaplevel()",
    "DatetimeIndex": "lib.DatetimeIndex(['2013-01-02'])",
    "DatetimeIndex.round": "days.round('h')",
    "DatetimeIndex.tz_convert": "days.tz_localize('UTC').tz_convert('Europe/Berlin')",
    "DatetimeIndex.tz_localize": "days.tz_localize('Europe/Berlin')",
    "DatetimeIndex.indexer_between_time": "days.indexer_between_time('05:00', '06:00')",
    "TimedeltaIndex": "lib.TimedeltaIndex(['1 days', '2 days'])",
    # Files.
    "read_csv": "lib.read_csv(io.StringIO('a,b\\n1,x\\n'))",
    "DataFrame.to_csv": "df.to_csv()",
    "read_parquet": ("lib.read_parquet(lib.DataFrame({'a': [1]}).to_parquet())", "pd.DataFrame({'a': [1]})"),
    "read_json": "lib.read_json(io.StringIO('{\"a\": 1}\\n'), lines=True)",
    "read_feather": (
        "lib.read_feather(lib.DataFrame({'a': [1, 2]}).to_feather())",
        "pd.DataFrame({'a': [1, 2]})",
    ),
    "DataFrame.to_feather": ("lib.read_feather(df.to_feather())", "df"),
    "read_orc": ("lib.read_orc(lib.DataFrame({'a': [1, 2]}).to_orc())", "pd.DataFrame({'a': [1, 2]})"),
    "DataFrame.to_orc": ("lib.read_orc(df.to_orc())", "df"),
    # The header and one block of a row, as the format's specification has them.
    "read_avro": (
        "lib.read_avro(b'Obj\\x01\\x02\\x16avro.schema\\x84\\x01'"
        ' b\'{"type":"record","name":"r","fields":[{"name":"q","type":"long"}]}\''
        " b'\\x00' + bytes(16) + b'\\x02\\x02\\x06' + bytes(16))",
        "pd.DataFrame({'q': [3]})",
    ),
    "read_text": ("lib.read_text(b'a--b', '--')", "pd.Series(['a--', 'b'])"),
    "read_hdf": "lib.read_hdf",
    "io.parquet.read_parquet_metadata": (
        "lib.read_parquet_metadata(lib.DataFrame({'a': [1]}).to_parquet())[0]",
        "1",
    ),
    "io.parquet.ParquetDatasetWriter": (
        "lib.io.parquet.ParquetDatasetWriter.__name__",
        "'ParquetDatasetWriter'",
    ),
    "io.parquet.ParquetDatasetWriter.close": (
        "lib.io.parquet.ParquetDatasetWriter.close.__name__",
        "'close'",
    ),
    "io.parquet.ParquetDatasetWriter.write_table": (
        "lib.io.parquet.ParquetDatasetWriter.write_table.__name__",
        "'write_table'",
    ),
    # Options.
    "get_option": "lib.get_option('display.max_rows')",
    "set_option": "lib.set_option('compute.use_numexpr', True)",
    "describe_option": (
        "'display.max_rows' in lib.describe_option('display.max_rows', _print_desc=False)",
        "True",
    ),
    "option_context": "lib.option_context('display.max_rows', 5).__enter__()",
    "utils.performance_tracking.get_memory_records": (
        "lib.utils.performance_tracking.get_memory_records()",
        "{}",
    ),
    "utils.performance_tracking.print_memory_report": (
        "lib.utils.performance_tracking.print_memory_report(io.StringIO())",
        "None",
    ),
    # Series.
    "Series": "lib.Series([1, 2], index=['a', 'b'], name='n')",
    "Series.at": "s.at['x']",
    "Series.iat": "s.iat[1]",
    "Series.loc": "s.loc['x':'y']",
    "Series.iloc": "s.iloc[1:3]",
    "Series.null_count": ("lib.Series([1.0, None]).null_count", "1"),
    "Series.valid_count": ("lib.Series([1.0, None]).valid_count", "1"),
    "Series.has_nulls": ("lib.Series([1.0, None]).has_nulls", "True"),
    "Series.memory_usage": ("s.memory_usage(index=False)", "32"),
    "Series.convert_dtypes": ("lib.Series([1.0, 2.0]).convert_dtypes()", "pd.Series([1, 2])"),
    "Series.__iter__": "list(s.__iter__())",
    "Series.iteritems": ("list(s.iteritems())", "list(s.items())"),
    "Series.items": "list(s.items())",
    "Series.scale": ("s.scale()", "(s - s.min()) / (s.max() - s.min())"),
    "Series.digitize": ("s.digitize([1.5, 2.5])", "pd.Series([2, 0, 1, 1], dtype='int32', name='s')"),
    "Series.dot": "s.dot([1.0, 2.0, 3.0, 4.0])",
    "Series.map": "s.map({1.0: 5.0, 2.0: 6.0})",
    "Series.apply": "s.apply(lambda x: x + 1)",
    "Series.corr": "s.corr(df['b'])",
    "Series.cov": "s.cov(df['b'])",
    "Series.rename": "s.rename('other')",
    "Series.tile": ("s.tile(2)", "pd.concat([s, s])"),
    "Series.nans_to_nulls": (
        "lib.Series([1.0, float('nan')]).nans_to_nulls().isna()",
        "pd.Series([False, True])",
    ),
    "Series.explode": ("lists.explode()", "pd.Series([3.0, 1, 3, 2, np.nan], index=[0, 0, 0, 1, 2])"),
    "Series.update": "[s.update(lib.Series([9.0], index=['x'])), s][1]",
    "Series.resample": "visits['v'].resample('D').sum()",
    "Series.attrs": "[s.attrs.update(unit='m'), s.attrs][1]",
    "Series.flags": "s.flags.allows_duplicate_labels",
    "Series.dt": "times.dt.year",
    "Series.str": "words.str.upper()",
    "Series.cat": "cats.cat.codes",
    "Series.list": ("lists.list.len()", "pd.Series([3, 1, np.nan])"),
    "Series.struct": ("structs.struct.field('a')", "pd.Series([1, 2], name='a')"),
    "Series.to_arrow": ("s.to_arrow().to_pylist()", "[3.0, 1.0, 2.0, 2.0]"),
    "Series.to_pandas": ("s.to_pandas()", "s"),
    "Series.to_dlpack": ("lib.from_dlpack(s.to_dlpack()).to_list()", "[3.0, 1.0, 2.0, 2.0]"),
    "Series.from_arrow": ("lib.Series.from_arrow(lib.Series([3, 1]).to_arrow())", "pd.Series([3, 1])"),
    "Series.hash_values": ("s.hash_values().index", "s.index"),
    "Series.to_json": "s.to_json()",
    "Series.to_pylibcudf": ("s.to_pylibcudf()[0].size()", "4"),
    "Series.from_pylibcudf": ("lib.Series.from_pylibcudf(*s.to_pylibcudf())", "s"),
    "core.series.DatetimeProperties.strftime": "times.dt.strftime('%d.%m.%Y')",
    "core.series.DatetimeProperties.round": "times.dt.round('h')",
    "core.series.DatetimeProperties.tz_localize": "times.dt.tz_localize('UTC')",
    # Categories.
    **{
        f"core.accessors.categorical.CategoricalAccessor.{call.partition('(')[0]}": f"cats.cat.{call}"
        for call in [
            "reorder_categories(['a', 'b', 'c'])",
            "add_categories(['d'])",
            "remove_categories(['a'])",
            "set_categories(['a', 'b'])",
        ]
    },
    # Lists and structs, which pandas keeps as objects.
    **{
        f"core.accessors.lists.ListMethods.{name}": (f"{subject}.list.{call}.to_list()", expected)
        for name, subject, call, expected in [
            ("astype", "lists", "astype('float64')", "[[3.0, 1.0, 3.0], [2.0], None]"),
            ("concat", "lib.Series([[[1], [2, 3]]])", "concat()", "[[1, 2, 3]]"),
            ("contains", "lists", "contains(1)", "[True, False, None]"),
            ("index", "lists", "index(1)", "[1, -1, np.nan]"),
            ("get", "lists", "get(0)", "[3, 2, np.nan]"),
            ("leaves", "lists", "leaves", "[3, 1, 3, 2]"),
            ("len", "lists", "len()", "[3, 1, np.nan]"),
            ("sort_values", "lists", "sort_values()", "[[1, 3, 3], [2], None]"),
            ("take", "lists", "take([[0, 1], [0], [0]])", "[[3, 1], [2], None]"),
            ("unique", "lists", "unique()", "[[3, 1], [2], None]"),
        ]
    },
    "core.accessors.struct.StructMethods.field": ("structs.struct.field('a')", "pd.Series([1, 2], name='a')"),
    "core.accessors.struct.StructMethods.explode": (
        "structs.struct.explode()",
        "pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})",
    ),
    # The list repeats these under the accessor.
    "core.accessors.struct.StructMethods.Series.str": "words.str.upper()",
    "core.accessors.struct.StructMethods.Series.cat": "cats.cat.codes",
    "core.accessors.struct.StructMethods.Series.dt": "times.dt.year",
    "core.accessors.struct.StructMethods.Index.str": "labels.str.upper()",
    "core.window.rolling.Rolling.apply": "s.rolling(2).apply(lambda x: x.sum())",
    # Text.
    **{
        f"core.accessors.string.StringMethods.{call.partition('(')[0]}": f"words.str.{call}"
        for call in [
            "center(6)",
            "contains('a')",
            "count('[a-y]')",
            "endswith('y')",
            "extract('([a-z])_')",
            "find('y')",
            "get(0)",
            "join('-')",
            "ljust(6)",
            "match('[a-x]')",
            "pad(6)",
            "removeprefix('a_')",
            "removesuffix('y')",
            "repeat(2)",
            "replace('y', 'z')",
            "rfind('y')",
            "rjust(6)",
            "slice_replace(0, 1, 'Q')",
            "startswith('x')",
            "translate({97: 'b'})",
            "wrap(3)",
            "zfill(6)",
        ]
    },
    "core.accessors.string.StringMethods.index": "lib.Series(['ab', 'b']).str.index('b')",
    "core.accessors.string.StringMethods.rindex": "lib.Series(['ab', 'b']).str.rindex('b')",
    "core.accessors.string.StringMethods.findall": (
        "words.str.findall('[a-y]').to_list()",
        "[['a', 'b', 'c'], ['x', 'y'], ['e', 'd'], None]",
    ),
    "core.accessors.string.StringMethods.split": (
        "words.str.split(' ').to_list()",
        "[['a_b', 'c'], ['x', 'y'], ['Zed'], None]",
    ),
    "core.accessors.string.StringMethods.rsplit": (
        "words.str.rsplit(' ').to_list()",
        "[['a_b', 'c'], ['x', 'y'], ['Zed'], None]",
    ),
    **{
        f"core.accessors.string.StringMethods.{call.partition('(')[0]}": (
            f"lib.Series({texts!r}).str.{call}.to_list()",
            expected,
        )
        for call, texts, expected in [
            ("byte_count()", ["ä", "b"], "[2, 1]"),
            ("code_points()", ["aä", "b"], "[97, 228, 98]"),
            ("filter_alphanum(' ')", ["a-b", "c"], "['a b', 'c']"),
            ("filter_characters({'a': 'c'})", ["abxc", "z"], "['abc', '']"),
            ("find_multiple(['b', 'c'])", ["abc", "b"], "[[1, 2], [0, -1]]"),
            ("get_json_object('$.a')", ['{"a": 1}'], "['1']"),
            ("hex_to_int()", ["0F", "10"], "[15, 16]"),
            ("htoi()", ["0F", "10"], "[15, 16]"),
            ("insert(1, '-')", ["abc", ""], "['a-bc', '-']"),
            ("ip2int()", ["1.2.3.4"], "[16909060]"),
            ("ip_to_int()", ["1.2.3.4"], "[16909060]"),
            ("isempty()", ["", " "], "[True, False]"),
            ("isfloat()", ["1.5e3", "x"], "[True, False]"),
            ("ishex()", ["0xfF", "g"], "[True, False]"),
            ("isinteger()", ["-12", "1.5"], "[True, False]"),
            ("isipv4()", ["1.2.3.4", "1.2.3.400"], "[True, False]"),
            ("istimestamp('%Y-%m-%d')", ["2013-01-31", "2013-02-31"], "[True, False]"),
            ("like('a%c')", ["abc", "ab"], "[True, False]"),
            ("normalize_spaces()", ["  a   b ", "c"], "['a b', 'c']"),
            ("replace_with_backrefs('(b)(c)', '\\\\2-\\\\1')", ["abc", "b"], "['ac-b', 'b']"),
            ("split_part(delimiter='_', index=1)", ["a_b", "c_d"], "['b', 'd']"),
            ("character_ngrams(2)", ["abc", "d"], "['ab', 'bc']"),
            ("character_tokenize()", ["ab", "c"], "['a', 'b', 'c']"),
            ("detokenize([1, 0, 1])", ["a", "b", "c"], "['b', 'a c']"),
            ("edit_distance('kitten')", ["sitting", "kitten"], "[3, 0]"),
            ("filter_tokens(3)", ["this is me"], "['this  ']"),
            ("is_consonant(1)", ["toy", "try"], "[False, True]"),
            ("is_vowel(2)", ["toy", "try"], "[False, True]"),
            ("jaccard_index(['brown cat'], 5)", ["brown fox"], "[0.25]"),
            (
                "minhash(0, np.array([1, 2], 'u4'), np.array([1, 2], 'u4'), 5)",
                ["this is my"],
                "[[1305480168, 462824406]]",
            ),
            ("ngrams()", ["a", "b", "c"], "['a_b', 'b_c']"),
            ("ngrams_tokenize()", ["a b c", "d"], "['a_b', 'b_c']"),
            ("porter_stemmer_measure()", ["tree", "trouble", "private"], "[0, 1, 2]"),
            ("replace_tokens(['is'], '+')", ["this is me"], "['this + me']"),
            ("token_count()", ["a b", ""], "[2, 0]"),
            ("tokenize()", ["a  b", "c"], "['a', 'b', 'c']"),
            ("url_decode()", ["a%20b", "c"], "['a b', 'c']"),
            ("url_encode()", ["a b", "c"], "['a%20b', 'c']"),
        ]
    },
    "core.accessors.string.StringMethods.slice_from": (
        "lib.Series(['abcd', 'xyz']).str.slice_from(lib.Series([1, 0]), lib.Series([3, 2])).to_list()",
        "['bc', 'xy']",
    ),
}

# What every class has that can be sent elsewhere.
for _owner, _subject in [
    ("DataFrame", "df"),
    ("Series", "s"),
    ("Index", "labels"),
    *[(owner, subject) for owner, subject in SUBJECTS.items() if owner.startswith("core.dtypes.")],
]:
    _is_type = _owner.startswith("core.dtypes.")
    _class = "lib." + _owner.removeprefix("core.dtypes.")
    _expected = "True" if _is_type else _subject
    for _prefix in ("", "host_", "device_"):
        _round = f"{_class}.{_prefix}deserialize(*{_subject}.{_prefix}serialize())"
        CALLS[f"{_owner}.{_prefix}deserialize"] = (
            f"{_round} == {_subject}" if _is_type else _round,
            _expected,
        )
        CALLS[f"{_owner}.{_prefix}serialize"] = (f"len({_subject}.{_prefix}serialize())", "2")
    if _is_type:
        _back = f"{_class}.from_arrow({_subject}.to_arrow()) == {_subject}"
        CALLS[f"{_owner}.from_arrow"] = CALLS[f"{_owner}.to_arrow"] = (_back, "True")
        CALLS[f"{_owner}.is_dtype"] = (
            f"[{_class}.is_dtype({_subject}), {_class}.is_dtype('int64')]",
            "[True, False]",
        )
for _bits, _digits in [(32, 9), (64, 18), (128, 38)]:
    _owner = f"core.dtypes.Decimal{_bits}Dtype"
    for _name, _value in [
        ("ITEMSIZE", _bits // 8),
        ("MAX_PRECISION", _digits),
        ("itemsize", _bits // 8),
        ("precision", 7),
        ("scale", 2),
        ("str", f"decimal{_bits}(7, 2)"),
    ]:
        CALLS[f"{_owner}.{_name}"] = (f"{SUBJECTS[_owner]}.{_name}", repr(_value))
    CALLS[_owner] = (f"{SUBJECTS[_owner]}.scale", "2")

_NORMALIZER = "which characters it takes out and sets apart is written down nowhere but in its tables"
_OF_TEXT = "core.accessors.string.StringMethods."

_WORDS = (
    "__import__('cuprum.core.tokenize_vocabulary', fromlist=['_']).TokenizeVocabulary(lib.Series(['a', 'b']))"
)
_PIECES = (
    "__import__('cuprum.core.wordpiece_tokenize', fromlist=['_'])"
    ".WordPieceVocabulary(lib.Series(['[UNK]', 'a', '##b']))"
)
CALLS["core.tokenize_vocabulary.TokenizeVocabulary"] = (f"type({_WORDS}).__name__", "'TokenizeVocabulary'")
CALLS["core.wordpiece_tokenize.WordPieceVocabulary"] = (f"type({_PIECES}).__name__", "'WordPieceVocabulary'")
CALLS["core.tokenize_vocabulary.TokenizeVocabulary.tokenize"] = (
    f"{_WORDS}.tokenize(lib.Series(['b a c'])).to_list()",
    "[[1, 0, -1]]",
)
CALLS["core.wordpiece_tokenize.WordPieceVocabulary.tokenize"] = (
    f"{_PIECES}.tokenize(lib.Series(['ab c a'])).to_list()",
    "[[1, 2, 0, 1]]",
)

for _kind, _subject in (("DataFrame", "df"), ("Series", "s"), ("Index", "lib.Index([3, 1])")):
    CALLS[f"{_kind}.to_cupy"] = (
        f"as_cupy(lambda: {_subject}.to_cupy()).tolist()",
        f"{_subject.replace('lib.', 'pd.')}.to_numpy().tolist()",
    )

# Why a name is not there. What runs is not listed here.
ABSENT = {
    **dict.fromkeys(
        [
            "core.character_normalizer.CharacterNormalizer",
            "core.character_normalizer.CharacterNormalizer.normalize",
        ],
        _NORMALIZER,
    ),
    **dict.fromkeys(["DataFrame.to_hdf", "Series.to_hdf"], "pandas writes it where PyTables is installed"),
}

# What runs, but does less than the name says in cuDF.
LESS = {
    f"utils.performance_tracking.{name}": "functions that `rmm.statistics.profiler` decorates; none is decorated here"
    for name in ("get_memory_records", "print_memory_report")
} | {
    f"{kind}.{name}": what
    for kind in ("DataFrame", "Series")
    for name, what in [
        ("flags", "labels may always repeat"),
        ("attrs", "results of methods have them, and of `concat` and `merge` where all have the same"),
    ]
}
