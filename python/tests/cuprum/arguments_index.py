"""What every parameter of the indexes does; see `arguments_entries`."""

from arguments_entries import ours, refused, same

_OWN = "labels never share what can be written"

INDEXES = {
    "Index": {
        "Index": {
            "data": "lib.Index(data=['a', 'b'])",
            "dtype": "lib.Index([1, 2], dtype='float64')",
            "copy": same("lib.Index(['a'], copy=True)", _OWN),
            "name": "lib.Index(['a'], name='n')",
            "tupleize_cols": "lib.Index([(1, 2)], tupleize_cols=False)",
            "nan_as_null": ours("lib.Index([NAN], nan_as_null=True).to_arrow().null_count", "1"),
        },
        "append": {"other": ("letters.append(other=letters)", "letters.append(other=[letters, letters])")},
        "astype": {
            "dtype": ("lib.Index([1, 2]).astype(dtype='float64')", "lib.Index([1, 2]).astype(dtype='str')"),
            "copy": same("lib.Index([1, 2]).astype('float64', copy=False)", "whose memory it is"),
        },
        "copy": {
            "name": "letters.copy(name='z')",
            "deep": ours(
                "(lambda i: i.copy(deep=True).data.get_ptr(mode='read') == i.data.get_ptr(mode='read'))(lib.Index([1, 2]))",
                "False",
            ),
        },
        "delete": {"loc": ("letters.delete(loc=1)", "letters.delete(loc=[0, -1])")},
        "to_device": {"device": ours("letters.to_device(device='emulator')", "letters")},
        "difference": {
            "other": ("letters.difference(other=['a'])", "letters.difference(other=['c'])"),
            "sort": [
                "letters.difference(['z'], sort=False)",
                refused("letters.difference(['z'], sort='bogus')", ValueError),
            ],
        },
        "drop": {
            "labels": ("letters.drop(labels='a')", "letters.drop(labels=['c'])"),
            "errors": (
                "letters.drop(['a', 'zz'], errors='ignore')",
                "letters.drop(['b', 'zz'], errors='ignore')",
            ),
        },
        "drop_duplicates": {"keep": "letters.drop_duplicates(keep='last')"},
        "droplevel": {"level": "levels.droplevel(level='n')"},
        "dropna": {
            "how": [
                "lib.MultiIndex.from_arrays([['a', None, None], [1.0, 2.0, NAN]]).dropna(how='all')",
                refused("letters.dropna(how='bogus')", ValueError),
            ]
        },
        "fillna": {
            "value": ("lib.Index([1.0, NAN]).fillna(value=2.0)", "lib.Index([1.0, NAN]).fillna(value=3.0)")
        },
        "memory_usage": {
            "deep": [
                same("lib.Index([1, 2]).memory_usage(deep=True)", "numbers have nothing deep"),
                refused("lib.Index([1, 2]).memory_usage(deep='bogus')", TypeError),
            ]
        },
        "duplicated": {"keep": "letters.duplicated(keep='last')"},
        "equals": {"other": ("letters.equals(other=letters)", "letters.equals(other=letters[:2])")},
        "factorize": {
            "sort": "letters.factorize(sort=True)",
            "use_na_sentinel": "lib.Index([2.0, None]).factorize(use_na_sentinel=False)",
        },
        "get_indexer": {
            "target": (
                "lib.Index(['a', 'b']).get_indexer(target=['b'])",
                "lib.Index(['a', 'b']).get_indexer(target=['z', 'a'])",
            ),
            "method": "lib.Index([10, 20]).get_indexer([11, 9], method='ffill')",
            "limit": "lib.Index([10, 20]).get_indexer([11, 12, 21], method='ffill', limit=1)",
            "tolerance": "lib.Index([10, 20]).get_indexer([11, 12, 21], method='ffill', tolerance=1)",
        },
        "get_indexer_for": {
            "target": ("letters.get_indexer_for(target=['a'])", "letters.get_indexer_for(target=['z'])")
        },
        "get_indexer_non_unique": {
            "target": (
                "letters.get_indexer_non_unique(target=['a', 'z'])",
                "letters.get_indexer_non_unique(target=['c'])",
            )
        },
        "get_level_values": {
            "level": ("levels.get_level_values(level=0)", "levels.get_level_values(level='n')")
        },
        "get_loc": {"key": ("letters.get_loc(key='b')", "letters.get_loc(key='a')")},
        "identical": {
            "other": ("letters.identical(other=letters)", "letters.identical(other=letters.rename('z'))")
        },
        "insert": {
            "loc": ("letters.insert(loc=1, item='z')", "letters.insert(loc=-1, item='z')"),
            "item": ("letters.insert(0, item='z')", "letters.insert(0, item='y')"),
        },
        "intersection": {
            "other": ("letters.intersection(other=['a', 'b'])", "letters.intersection(other=['c'])"),
            "sort": [
                "letters.intersection(['a', 'b'], sort=None)",
                refused("letters.intersection(['a'], sort='bogus')", ValueError),
            ],
        },
        "isin": {
            "values": ("letters.isin(values=['a'])", "letters.isin(values=['b'])"),
            "level": "levels.isin(['a'], level=0)",
        },
        "map": {
            "mapper": ("letters.map(mapper=str.upper)", "letters.map(mapper={'a': 'z', 'b': 'y', 'c': 'x'})"),
            "na_action": "lib.Index(['a', None]).map(str, na_action='ignore')",
        },
        "nunique": {"dropna": "lib.Index(['a', None]).nunique(dropna=False)"},
        "rename": {
            "name": ("letters.rename(name='y')", "letters.rename(name='z')"),
            "inplace": "after(letters, lambda d: d.rename('z', inplace=True))",
        },
        "repeat": {
            "repeats": [
                ("letters.repeat(repeats=2)", "letters.repeat(repeats=[1, 0, 2, 1])"),
                refused("letters.repeat(repeats=[1, 2])", ValueError, "repeat"),
            ],
            "axis": refused("letters.repeat(2, axis=0)", ValueError),
        },
        "searchsorted": {
            "value": (
                "lib.Index([1, 3, 5]).searchsorted(value=3)",
                "lib.Index([1, 3, 5]).searchsorted(value=[0, 9])",
            ),
            "side": "lib.Index([1, 3, 5]).searchsorted(3, side='right')",
            "sorter": "lib.Index([5, 1, 3]).searchsorted([0, 4], sorter=[1, 2, 0])",
        },
        "set_names": {
            "names": ("letters.set_names(names='y')", "levels.set_names(names=['y', 'z'])"),
            "level": "levels.set_names('z', level=1)",
            "inplace": "after(letters, lambda d: d.set_names('z', inplace=True))",
        },
        "slice_indexer": {
            "start": "lib.Index([1, 3, 5]).slice_indexer(start=2)",
            "end": "lib.Index([1, 3, 5]).slice_indexer(end=3)",
            "step": "lib.Index([1, 3, 5]).slice_indexer(step=2)",
        },
        "slice_locs": {
            "start": "lib.Index([1, 3, 5]).slice_locs(start=2)",
            "end": "lib.Index([1, 3, 5]).slice_locs(end=3)",
            "step": "lib.Index([1, 3, 5]).slice_locs(step=-1)",
        },
        "sort_values": {
            "return_indexer": "letters.sort_values(return_indexer=True)",
            "ascending": "letters.sort_values(ascending=False)",
            "na_position": "lib.Index([2.0, NAN, 1.0]).sort_values(na_position='first')",
            "key": "lib.Index(['a', 'B']).sort_values(key=lambda labels: labels.str.lower())",
        },
        "sortlevel": {
            "level": [
                same("letters.sortlevel(level=0)", "there is one level"),
                refused("letters.sortlevel(level='bogus')", KeyError, "bogus"),
            ],
            "ascending": "letters.sortlevel(ascending=False)",
            "sort_remaining": same("letters.sortlevel(sort_remaining=False)", "there is one level"),
            "na_position": "lib.Index([2.0, NAN, 1.0]).sortlevel(na_position='last')",
        },
        "argsort": {
            "axis": refused("letters.argsort(axis=1)", ValueError),
            "kind": refused("letters.argsort(kind='bogus')", ValueError),
            "order": refused("letters.argsort(order='x')", ValueError),
            "stable": refused("letters.argsort(stable='bogus')", TypeError),
            "ascending": ours(
                "letters.argsort(ascending=False)",
                "letters.sort_values(ascending=False, return_indexer=True)[1]",
            ),
            "na_position": ours(
                "lib.Index([2.0, NAN, 1.0]).argsort(na_position='first')", "np.array([1, 2, 0])"
            ),
        },
        **{
            name: {
                "axis": refused(f"letters.{name}(axis=1)", ValueError),
                "skipna": f"lib.Index([2.0, NAN, 1.0]).{name}(skipna=False)",
                "out": refused(f"letters.{name}(out=[1])", ValueError),
            }
            for name in ("min", "max")
        },
        **{
            name: {
                "axis": refused(f"letters.{name}(axis=1)", ValueError),
                "skipna": refused(f"lib.Index([2.0, NAN, 1.0]).{name}(skipna=False)", ValueError, "skipna"),
            }
            for name in ("argmin", "argmax")
        },
        **{
            name: {
                "axis": refused(f"lib.Index([1]).{name}(axis=1)", ValueError),
                "out": refused(f"lib.Index([1]).{name}(out=[1])", ValueError),
                "keepdims": refused(f"lib.Index([1]).{name}(keepdims=True)", ValueError),
            }
            for name in ("any", "all")
        },
        "value_counts": {
            "normalize": "letters.value_counts(normalize=True)",
            "sort": "lib.Index([2, 1, 1]).value_counts(sort=False)",
            "ascending": "letters.value_counts(ascending=True)",
            "bins": "lib.Index([1, 2]).value_counts(bins=2)",
            "dropna": "lib.Index(['a', None]).value_counts(dropna=False)",
        },
        "get_slice_bound": {
            "label": (
                "lib.Index([1, 3, 5]).get_slice_bound(label=3, side='left')",
                "lib.Index([1, 3, 5]).get_slice_bound(label=4, side='left')",
            ),
            "side": (
                "lib.Index([1, 3, 5]).get_slice_bound(3, side='left')",
                "lib.Index([1, 3, 5]).get_slice_bound(3, side='right')",
            ),
        },
        "asof": {"label": ("lib.Index([1, 3]).asof(label=2)", "lib.Index([1, 3]).asof(label=9)")},
        "asof_locs": {
            "where": (
                "lib.Index([1, 3]).asof_locs(where=lib.Index([2]), mask=np.array([True, True]))",
                "lib.Index([1, 3]).asof_locs(where=lib.Index([0, 9]), mask=np.array([True, True]))",
            ),
            "mask": (
                "lib.Index([1, 3]).asof_locs(lib.Index([9]), mask=np.array([True, True]))",
                "lib.Index([1, 3]).asof_locs(lib.Index([9]), mask=np.array([True, False]))",
            ),
        },
        "reindex": {
            "target": (
                "lib.Index([1, 2]).reindex(target=[2, 3])",
                "lib.Index([1, 2]).reindex(target=[1, 2])",
            ),
            "method": "lib.Index([1, 5]).reindex([2, 3], method='ffill')",
            "level": [
                "lib.Index(['b', 'a']).reindex(levels, level=0)[1]",
                "levels.reindex(['b'], level='o')[0]",
            ],
            "limit": "lib.Index([1, 5]).reindex([2, 3], method='ffill', limit=1)",
            "tolerance": "lib.Index([1, 5]).reindex([2, 3], method='ffill', tolerance=1)",
        },
        "groupby": {
            "values": (
                "letters.groupby(values=['x', 'y', 'x', 'y'])",
                "letters.groupby(values=lib.Index(['y', 'y', 'x', None]))",
            )
        },
        "where": {
            "cond": (
                "letters.where(cond=[True, False, True, True])",
                "letters.where(cond=[False, False, True, True])",
            ),
            "other": "letters.where([True, False, True, True], other='z')",
        },
        "putmask": {
            "mask": (
                "letters.putmask(mask=[True, False, False, True], value='z')",
                "letters.putmask(mask=[True, False, True, True], value='z')",
            ),
            "value": (
                "letters.putmask([True, False, False, True], value='z')",
                "letters.putmask([True, False, False, True], value=list('wxyz'))",
            ),
        },
        "replace": {
            "to_replace": (
                "letters.replace(to_replace='a', value='z')",
                "letters.replace(to_replace={'b': 'z'})",
            ),
            "value": ("letters.replace('a', value='z')", "letters.replace('a', value='y')"),
            "regex": "letters.replace('[ab]', 'z', regex=True)",
        },
        "infer_objects": {
            "copy": [
                same("letters.infer_objects(copy=False)", "whose memory it is"),
                refused("letters.infer_objects(copy='bogus')", TypeError),
            ]
        },
        "round": {"decimals": "lib.Index([1.26]).round(decimals=1)"},
        "diff": {"periods": "lib.Index([1, 4, 9]).diff(periods=2)"},
        "shift": {
            "periods": refused("letters.shift(periods=2)", says="shift"),
            "freq": refused("letters.shift(freq='D')", says="shift"),
        },
        "view": {"cls": "lib.Index([1, 2]).view(cls='uint64')"},
        "ravel": {
            "order": [
                same("letters.ravel(order='F')", "there is one dimension"),
                refused("letters.ravel(order='bogus')", ValueError),
            ]
        },
        "is_": {"other": ours("letters.is_(other=letters.copy())", "False")},
        "join": {
            "other": (
                "lib.Index([1, 2]).join(other=lib.Index([2, 3]), how='inner')",
                "lib.Index([1, 2]).join(other=lib.Index([1, 3]), how='inner')",
            ),
            "how": "lib.Index([1, 2]).join(lib.Index([2, 3]), how='outer')",
            "level": (
                "levels.join(lib.Index(['a'], name='x'), level='o', how='inner')",
                "levels.join(lib.Index([1], name='x'), level='n', how='inner')",
            ),
            "return_indexers": "lib.Index([1, 2]).join(lib.Index([2, 3]), return_indexers=True)",
            "sort": "lib.Index([2, 1]).join(lib.Index([2, 3]), sort=True)",
        },
        "symmetric_difference": {
            "other": (
                "letters.symmetric_difference(other=['a', 'z'])",
                "letters.symmetric_difference(other=['c'])",
            ),
            "result_name": "letters.symmetric_difference(['z'], result_name='n')",
            "sort": [
                "letters.symmetric_difference(['z'], sort=False)",
                refused("letters.symmetric_difference(['z'], sort='bogus')", ValueError),
            ],
        },
        "take": {
            "indices": ("letters.take(indices=[1])", "letters.take(indices=[-1, 0])"),
            "axis": refused("letters.take([1], axis=1)", ValueError),
            "allow_fill": "letters.take([-1, 0], allow_fill=True)",
            "fill_value": "letters.take([-1, 0], fill_value='z')",
        },
        "to_frame": {
            "index": "letters.to_frame(index=False)",
            "name": "letters.to_frame(name='z')",
        },
        "to_numpy": {
            "dtype": "lib.Index([1, 2]).to_numpy(dtype='float32')",
            "copy": same("letters.to_numpy(copy=True)", "whose memory it is"),
            "na_value": "lib.Index(['a', None]).to_numpy(na_value='-')",
        },
        "to_pandas": {
            "nullable": ours(
                "repr(lib.Index([1, None]).to_pandas(nullable=True))",
                "repr(lib.Index(lib.array([1, None], dtype='Int64')))",
            ),
            "arrow_type": ours(
                "repr(lib.Index([1, None]).to_pandas(arrow_type=True))",
                "repr(pd.Index(pd.array([1, None], dtype='int64[pyarrow]')))",
            ),
        },
        "to_series": {
            "index": "letters.to_series(index=[1, 2, 3, 4])",
            "name": "letters.to_series(name='z')",
        },
        "union": {
            "other": ("letters.unique().union(other=['a'])", "letters.unique().union(other=['z'])"),
            "sort": [
                "letters.unique().union(['B'], sort=False)",
                refused("letters.union(['a'], sort='bogus')", ValueError),
            ],
        },
        "unique": {"level": "levels.unique(level=0)"},
    },
    "RangeIndex": {
        "to_pandas": {
            name: refused(f"lib.RangeIndex(3).to_pandas({name}=True)") for name in ("nullable", "arrow_type")
        },
        "RangeIndex": {
            "start": "lib.RangeIndex(start=3)",
            "stop": "lib.RangeIndex(1, stop=3)",
            "step": "lib.RangeIndex(0, 9, step=2)",
            "dtype": refused("lib.RangeIndex(3, dtype='float64')", ValueError),
            "copy": same("lib.RangeIndex(3, copy=True)", _OWN),
            "name": "lib.RangeIndex(3, name='n')",
        },
        "from_range": {
            "data": ("lib.RangeIndex.from_range(data=range(3))", "lib.RangeIndex.from_range(data=range(2))"),
            "name": "lib.RangeIndex.from_range(range(3), name='n')",
            "dtype": refused("lib.RangeIndex.from_range(range(3), dtype='float64')", ValueError),
        },
        "insert": {
            "loc": ("lib.RangeIndex(3).insert(loc=3, item=3)", "lib.RangeIndex(3).insert(loc=0, item=3)"),
            "item": ("lib.RangeIndex(3).insert(0, item=-1)", "lib.RangeIndex(3).insert(0, item=5)"),
        },
        "round": {"decimals": "lib.RangeIndex(11, 40, 10).round(decimals=-1)"},
        "unique": {"level": refused("lib.RangeIndex(3).unique(level='bogus')", KeyError, "bogus")},
    },
    "MultiIndex": {
        "nunique": {"dropna": same("levels.nunique(dropna=False)", "no label of several levels is missing")},
        "rename": {
            "names": ("levels.rename(names=['y', 'z'])", "levels.rename(names=['v', 'w'])"),
            "level": "levels.rename('z', level=1)",
            "inplace": "after(levels, lambda d: d.rename(['y', 'z'], inplace=True))",
        },
        "to_pandas": {name: refused(f"levels.to_pandas({name}=True)") for name in ("nullable", "arrow_type")},
        "to_frame": {
            "index": "levels.to_frame(index=False)",
            "name": "levels.to_frame(name=['y', 'z'])",
            "allow_duplicates": [
                (
                    "levels.to_frame(name=['z', 'z'], allow_duplicates=True).columns.to_list()",
                    "levels.to_frame(name=['y', 'z'], allow_duplicates=True).columns.to_list()",
                ),
                refused("levels.to_frame(allow_duplicates='bogus')", TypeError),
            ],
        },
        "sortlevel": {
            "level": "levels.sortlevel(level='n')",
            "ascending": [
                "levels.sortlevel(ascending=False)",
                refused("levels.sortlevel(ascending=[True, False])", ValueError),
            ],
            "sort_remaining": "levels.sortlevel(sort_remaining=False)",
            "na_position": "lib.MultiIndex.from_arrays([['a', None], [1, 2]]).sortlevel(na_position='last')",
        },
        "swaplevel": {
            "i": "lib.MultiIndex.from_tuples([(1, 'a', 2.5)]).swaplevel(i=0)",
            "j": "lib.MultiIndex.from_tuples([(1, 'a', 2.5)]).swaplevel(j=0)",
        },
        "reorder_levels": {
            "order": ("levels.reorder_levels(order=['n', 'o'])", "levels.reorder_levels(order=[0, 1])")
        },
        "MultiIndex": {
            "data": ours("lib.MultiIndex(data=[('a', 1)])", "lib.MultiIndex.from_tuples([('a', 1)])"),
            "levels": (
                "lib.MultiIndex(levels=[['b', 'a'], [1]], codes=[[0, 1], [0, -1]])",
                "lib.MultiIndex(levels=[['c', 'a'], [1]], codes=[[0, 1], [0, -1]])",
            ),
            "codes": (
                "lib.MultiIndex(levels=[['b', 'a'], [1]], codes=[[0, 1], [0, 0]])",
                "lib.MultiIndex(levels=[['b', 'a'], [1]], codes=[[1, 1], [0, 0]])",
            ),
            "names": ours(
                "lib.MultiIndex([('a', 1)], names=['x', 'y'])",
                "lib.MultiIndex.from_tuples([('a', 1)], names=['x', 'y'])",
            ),
            "sortorder": refused("lib.MultiIndex(levels=[['b'], [1]], codes=[[0], [0]], sortorder=1)"),
            "copy": same("lib.MultiIndex(levels=[['b'], [1]], codes=[[0], [0]], copy=True)", _OWN),
            "name": "lib.MultiIndex(levels=[['b'], [1]], codes=[[0], [0]], name=['x', 'y'])",
            "verify_integrity": same(
                "lib.MultiIndex(levels=[['b'], [1]], codes=[[0], [0]], verify_integrity=False)",
                "what codes name is always found out",
            ),
        },
        "copy": {
            "names": "levels.copy(names=['x', 'y'])",
            "deep": same("levels.copy(deep=True)", "whose memory it is"),
            "name": "levels.copy(name=['x', 'y'])",
        },
        "drop": {
            "codes": ("levels.drop(codes='a')", "levels.drop(codes=['b'])"),
            "level": ("levels.drop([1], level=1)", "levels.drop(['a'], level='o')"),
            "errors": (
                "levels.drop(['a', 'zz'], errors='ignore')",
                "levels.drop(['b', 'zz'], errors='ignore')",
            ),
        },
        "isin": {
            "values": ("levels.isin(values=[levels[0]])", "levels.isin(values=[levels[1]])"),
            "level": "levels.isin(['a'], level=0)",
        },
        "set_codes": {
            "codes": (
                "levels.set_codes(codes=[[0, 1, 1], [0, 1, 0]])",
                "levels.set_codes(codes=[[0, 1, 1], [0, 1, -1]])",
            ),
            "level": "levels.set_codes([1, 1, 0], level='n')",
            "verify_integrity": same(
                "levels.set_codes([[0, 1, 1], [0, 1, 0]], verify_integrity=False)", "it is found out anyway"
            ),
        },
        "get_locs": {
            "seq": (
                "lib.MultiIndex.from_product([['a', 'b'], [1, 2]]).get_locs(seq=['b', [2, 1]])",
                "lib.MultiIndex.from_product([['a', 'b'], [1, 2]]).get_locs(seq=[['b', 'a'], slice(2, None)])",
            )
        },
        "truncate": {
            "before": "lib.MultiIndex.from_product([['a', 'b'], [1, 2]]).truncate(before='b')",
            "after": "lib.MultiIndex.from_product([['a', 'b'], [1, 2]]).truncate(after='a')",
        },
        "get_loc_level": {
            "key": ("levels.get_loc_level(key='b')", "levels.get_loc_level(key='a')"),
            "level": ("levels.get_loc_level(2, level='n')", "levels.get_loc_level(1, level=1)"),
            "drop_level": "levels.get_loc_level('b', drop_level=False)",
        },
        "set_levels": {
            "levels": (
                "levels.set_levels(levels=[['c', 'd'], [3, 4]])",
                "levels.set_levels(levels=[['e', 'f'], [3, 4]])",
            ),
            "level": [
                "levels.set_levels([3, 4], level='n')",
                "levels.set_levels([[3, 4], ['c', 'd']], level=['n', 'o'])",
            ],
            "verify_integrity": same(
                "levels.set_levels([['c', 'd'], [3, 4]], verify_integrity=False)", "it is found out anyway"
            ),
        },
        "from_arrays": {
            "arrays": (
                "lib.MultiIndex.from_arrays(arrays=[['a'], [1]])",
                "lib.MultiIndex.from_arrays(arrays=[['b'], [1]])",
            ),
            "sortorder": [
                same("lib.MultiIndex.from_arrays([['a'], [1]], sortorder=0)", "it says what is so"),
                refused("lib.MultiIndex.from_arrays([['a'], [1]], sortorder=3)", ValueError),
            ],
            "names": "lib.MultiIndex.from_arrays([['a'], [1]], names=['x', 'y'])",
        },
        "from_frame": {
            "df": ("lib.MultiIndex.from_frame(df=whole)", "lib.MultiIndex.from_frame(df=whole.head(2))"),
            "sortorder": [
                same("lib.MultiIndex.from_frame(whole, sortorder=0)", "it says what is so"),
                refused("lib.MultiIndex.from_frame(whole, sortorder=3)", ValueError),
            ],
            "names": "lib.MultiIndex.from_frame(whole, names=['x', 'y'])",
        },
        "from_product": {
            "iterables": (
                "lib.MultiIndex.from_product(iterables=[['a'], [1]])",
                "lib.MultiIndex.from_product(iterables=[['a', 'b'], [1]])",
            ),
            "sortorder": [
                same("lib.MultiIndex.from_product([['a'], [1]], sortorder=0)", "it says what is so"),
                refused("lib.MultiIndex.from_product([['a'], [1]], sortorder=3)", ValueError),
            ],
            "names": "lib.MultiIndex.from_product([['a'], [1]], names=['x', 'y'])",
        },
        "from_tuples": {
            "tuples": (
                "lib.MultiIndex.from_tuples(tuples=[('a', 1)])",
                "lib.MultiIndex.from_tuples(tuples=[('b', 1)])",
            ),
            "sortorder": [
                same("lib.MultiIndex.from_tuples([('a', 1)], sortorder=0)", "it says what is so"),
                refused("lib.MultiIndex.from_tuples([('a', 1)], sortorder=3)", ValueError),
            ],
            "names": "lib.MultiIndex.from_tuples([('a', 1)], names=['x', 'y'])",
        },
        "to_numpy": {
            "dtype": refused("levels.to_numpy(dtype='int64')"),
            "copy": same("levels.to_numpy(copy=True)", "whose memory it is"),
            "na_value": refused("levels.to_numpy(na_value=0)"),
        },
    },
    "CategoricalIndex": {
        "CategoricalIndex": {
            "data": "lib.CategoricalIndex(data=['b', 'a'])",
            "categories": "lib.CategoricalIndex(['b', 'a'], categories=['b', 'a', 'c'])",
            "ordered": "lib.CategoricalIndex(['b', 'a'], ordered=True)",
            "dtype": "lib.CategoricalIndex(['b', 'a'], dtype=kinds.dtype)",
            "copy": same("lib.CategoricalIndex(['a'], copy=True)", _OWN),
            "name": "lib.CategoricalIndex(['a'], name='n')",
        },
        "equals": {
            "other": (
                "lib.CategoricalIndex(['a', 'b']).equals(other=lib.CategoricalIndex(['a', 'b']))",
                "lib.CategoricalIndex(['a', 'b']).equals(other=lib.CategoricalIndex(['a', 'b'], ordered=True))",
            )
        },
        "map": {
            "mapper": (
                "lib.CategoricalIndex(['a', 'b']).map(mapper={'a': 1, 'b': 2})",
                "lib.CategoricalIndex(['a', 'b']).map(mapper=str.upper)",
            ),
            "na_action": [
                same(
                    "lib.CategoricalIndex(['a', 'b']).map(str.upper, na_action='ignore')",
                    "categories are there",
                ),
                refused("lib.CategoricalIndex(['a']).map(str.upper, na_action='bogus')", ValueError),
            ],
        },
        "add_categories": {
            "new_categories": (
                "kinds.add_categories(new_categories=['x'])",
                "kinds.add_categories(new_categories='y')",
            )
        },
        "remove_categories": {
            "removals": ("kinds.remove_categories(removals=['a'])", "kinds.remove_categories(removals='b')")
        },
        "rename_categories": {
            "new_categories": (
                "kinds.rename_categories(new_categories=[1, 2, 3])",
                "kinds.rename_categories(new_categories={'a': 'x'})",
            )
        },
        "reorder_categories": {
            "new_categories": (
                "kinds.reorder_categories(new_categories=['z', 'a', 'b']).codes",
                "kinds.reorder_categories(new_categories=['a', 'z', 'b']).codes",
            ),
            "ordered": "kinds.reorder_categories(['z', 'a', 'b'], ordered=True)",
        },
        "set_categories": {
            "new_categories": (
                "kinds.set_categories(new_categories=['a'])",
                "kinds.set_categories(new_categories=['b', 'x'])",
            ),
            "ordered": "kinds.set_categories(['a'], ordered=True)",
            "rename": "kinds.set_categories(['x', 'y', 'z'], rename=True)",
        },
    },
    "DatetimeIndex": {
        "DatetimeIndex": {
            "data": "lib.DatetimeIndex(data=['2020-01-02'])",
            "freq": [
                "lib.DatetimeIndex(['2020-01-02'], freq='D').freqstr",
                "lib.DatetimeIndex(['2020-01-01', '2020-01-03', '2020-01-05'], freq='infer').freqstr",
                refused("lib.DatetimeIndex(['2020-01-01', '2020-01-03'], freq='D')", ValueError),
            ],
            "tz": "lib.DatetimeIndex(['2020-01-02'], tz='Europe/Berlin')",
            "ambiguous": "lib.DatetimeIndex(['2020-10-25 02:30'], tz='Europe/Berlin', ambiguous='NaT')",
            "dayfirst": "lib.DatetimeIndex(['01/02/2020'], dayfirst=True)",
            "yearfirst": "lib.DatetimeIndex(['10/11/12'], yearfirst=True)",
            "dtype": "lib.DatetimeIndex(['2020-01-02'], dtype='datetime64[s]')",
            "copy": same("lib.DatetimeIndex(['2020-01-02'], copy=True)", _OWN),
            "name": "lib.DatetimeIndex(['2020-01-02'], name='n')",
        },
        "as_unit": {"unit": ("days.as_unit(unit='ns')", "days.as_unit(unit='s')")},
        "day_name": {"locale": refused("days.day_name(locale='de_DE')")},
        "month_name": {"locale": refused("days.month_name(locale='de_DE')")},
        "tz_localize": {
            "tz": ("days.tz_localize(tz='UTC')", "days.tz_localize(tz='Asia/Tokyo')"),
            "ambiguous": (
                "lib.DatetimeIndex(['2020-10-25 02:30']).tz_localize('Europe/Berlin', ambiguous='NaT')"
            ),
            "nonexistent": (
                "lib.DatetimeIndex(['2020-03-29 02:30']).tz_localize('Europe/Berlin', nonexistent='NaT')"
            ),
        },
        "tz_convert": {
            "tz": (
                "days.tz_localize('UTC').tz_convert(tz='Asia/Tokyo')",
                "days.tz_localize('UTC').tz_convert(tz=None)",
            )
        },
        "to_period": {"freq": "days.to_period(freq='M')"},
        "floor": {
            "freq": ("days.floor(freq='h')", "days.floor(freq='D')"),
            "ambiguous": refused("days.floor('h', ambiguous='infer')"),
            "nonexistent": refused("days.floor('h', nonexistent=1)"),
        },
        "ceil": {
            "freq": ("days.ceil(freq='h')", "days.ceil(freq='D')"),
            "ambiguous": refused("days.ceil('h', ambiguous='infer')"),
            "nonexistent": refused("days.ceil('h', nonexistent=1)"),
        },
        "round": {
            "freq": ("days.round(freq='h')", "days.round(freq='D')"),
            "ambiguous": refused("days.round('h', ambiguous='infer')"),
            "nonexistent": refused("days.round('h', nonexistent=1)"),
        },
        "shift": {
            "periods": ("days.shift(periods=1, freq='D')", "days.shift(periods=2, freq='D')"),
            "freq": ("days.shift(2, freq='h')", "days.shift(2, freq='ME')"),
        },
        "snap": {"freq": ("days.snap(freq='ME')", "days.snap(freq='W')")},
        "strftime": {"date_format": ("days.strftime(date_format='%Y')", "days.strftime(date_format='%m')")},
    },
    "TimedeltaIndex": {
        "shift": {
            "periods": (
                "lib.Index(np.array([1, 2], 'm8[s]')).shift(periods=1, freq='h')",
                "lib.Index(np.array([1, 2], 'm8[s]')).shift(periods=2, freq='h')",
            ),
            "freq": (
                "lib.Index(np.array([1, 2], 'm8[s]')).shift(2, freq='h')",
                "lib.Index(np.array([1, 2], 'm8[s]')).shift(2, freq='D')",
            ),
        },
        "TimedeltaIndex": {
            "data": "lib.TimedeltaIndex(data=[1])",
            "freq": [
                "lib.TimedeltaIndex(['1D', '2D'], freq='D').freqstr",
                refused("lib.TimedeltaIndex(['1D', '3D'], freq='D')", ValueError),
            ],
            "dtype": "lib.TimedeltaIndex([10**9], dtype='timedelta64[s]')",
            "copy": same("lib.TimedeltaIndex([1], copy=True)", _OWN),
            "name": "lib.TimedeltaIndex([1], name='n')",
        },
        "as_unit": {"unit": ("spans.as_unit(unit='us')", "spans.as_unit(unit='s')")},
        "floor": {
            "freq": ("spans.floor(freq='h')", "spans.floor(freq='us')"),
            "ambiguous": refused("spans.floor('h', ambiguous='infer')"),
            "nonexistent": refused("spans.floor('h', nonexistent=1)"),
        },
        "ceil": {
            "freq": ("spans.ceil(freq='h')", "spans.ceil(freq='us')"),
            "ambiguous": refused("spans.ceil('h', ambiguous='infer')"),
            "nonexistent": refused("spans.ceil('h', nonexistent=1)"),
        },
        "round": {
            "freq": ("spans.round(freq='h')", "spans.round(freq='2ns')"),
            "ambiguous": refused("spans.round('h', ambiguous='infer')"),
            "nonexistent": refused("spans.round('h', nonexistent=1)"),
        },
    },
}
