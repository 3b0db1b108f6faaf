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
        },
        "append": {"other": ("letters.append(other=letters)", "letters.append(other=[letters, letters])")},
        "astype": {
            "dtype": ("lib.Index([1, 2]).astype(dtype='float64')", "lib.Index([1, 2]).astype(dtype='str')")
        },
        "copy": {
            "name": "letters.copy(name='z')",
            "deep": ours(
                "(lambda i: i.copy(deep=True).data.get_ptr(mode='read') == i.data.get_ptr(mode='read'))(lib.Index([1, 2]))",
                "False",
            ),
        },
        "to_device": {"device": ours("letters.to_device(device='emulator')", "letters")},
        "difference": {
            "other": ("letters.difference(other=['a'])", "letters.difference(other=['c'])"),
            "sort": [
                "letters.difference(['z'], sort=False)",
                refused("letters.difference(['z'], sort='bogus')", ValueError),
            ],
        },
        "drop": {"labels": ("letters.drop(labels='a')", "letters.drop(labels=['c'])")},
        "drop_duplicates": {"keep": "letters.drop_duplicates(keep='last')"},
        "droplevel": {"level": "levels.droplevel(level='n')"},
        "duplicated": {"keep": "letters.duplicated(keep='last')"},
        "equals": {"other": ("letters.equals(other=letters)", "letters.equals(other=letters[:2])")},
        "get_level_values": {
            "level": ("levels.get_level_values(level=0)", "levels.get_level_values(level='n')")
        },
        "get_loc": {"key": ("letters.get_loc(key='b')", "letters.get_loc(key='a')")},
        "identical": {
            "other": ("letters.identical(other=letters)", "letters.identical(other=letters.rename('z'))")
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
            "mapper": ("letters.map(mapper=str.upper)", "letters.map(mapper={'a': 'z', 'b': 'y', 'c': 'x'})")
        },
        "nunique": {"dropna": "lib.Index(['a', None]).nunique(dropna=False)"},
        "rename": {
            "name": ("letters.rename(name='y')", "letters.rename(name='z')"),
            "inplace": "after(letters, lambda d: d.rename('z', inplace=True))",
        },
        "set_names": {
            "names": ("letters.set_names(names='y')", "levels.set_names(names=['y', 'z'])"),
            "level": "levels.set_names('z', level=1)",
            "inplace": "after(letters, lambda d: d.set_names('z', inplace=True))",
        },
        "sort_values": {"ascending": "letters.sort_values(ascending=False)"},
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
        "take": {"indices": ("letters.take(indices=[1])", "letters.take(indices=[-1, 0])")},
        "to_frame": {
            "index": "letters.to_frame(index=False)",
            "name": "letters.to_frame(name='z')",
        },
        "to_numpy": {
            "dtype": "lib.Index([1, 2]).to_numpy(dtype='float32')",
            "copy": same("letters.to_numpy(copy=True)", "whose memory it is"),
            "na_value": "lib.Index(['a', None]).to_numpy(na_value='-')",
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
        "RangeIndex": {
            "start": "lib.RangeIndex(start=3)",
            "stop": "lib.RangeIndex(1, stop=3)",
            "step": "lib.RangeIndex(0, 9, step=2)",
            "dtype": refused("lib.RangeIndex(3, dtype='float64')", ValueError),
            "copy": same("lib.RangeIndex(3, copy=True)", _OWN),
            "name": "lib.RangeIndex(3, name='n')",
        },
        "isin": {
            "values": ("lib.RangeIndex(3).isin(values=[1, 9])", "lib.RangeIndex(3).isin(values=[2])"),
            "level": refused("lib.RangeIndex(3).isin([1], level='bogus')", KeyError, "bogus"),
        },
        "sort_values": {"ascending": "lib.RangeIndex(3).sort_values(ascending=False)"},
        "unique": {"level": refused("lib.RangeIndex(3).unique(level='bogus')", KeyError, "bogus")},
    },
    "MultiIndex": {
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
        },
        "set_levels": {
            "levels": (
                "levels.set_levels(levels=[['c', 'd'], [3, 4]])",
                "levels.set_levels(levels=[['e', 'f'], [3, 4]])",
            ),
            "level": "levels.set_levels([3, 4], level='n')",
            "verify_integrity": refused("levels.set_levels([['c', 'd'], [3, 4]], verify_integrity=False)"),
        },
        "from_arrays": {
            "arrays": (
                "lib.MultiIndex.from_arrays(arrays=[['a'], [1]])",
                "lib.MultiIndex.from_arrays(arrays=[['b'], [1]])",
            ),
            "sortorder": refused("lib.MultiIndex.from_arrays([['a'], [1]], sortorder=0)"),
            "names": "lib.MultiIndex.from_arrays([['a'], [1]], names=['x', 'y'])",
        },
        "from_frame": {
            "df": ("lib.MultiIndex.from_frame(df=whole)", "lib.MultiIndex.from_frame(df=whole.head(2))"),
            "sortorder": refused("lib.MultiIndex.from_frame(whole, sortorder=0)"),
            "names": "lib.MultiIndex.from_frame(whole, names=['x', 'y'])",
        },
        "from_product": {
            "iterables": (
                "lib.MultiIndex.from_product(iterables=[['a'], [1]])",
                "lib.MultiIndex.from_product(iterables=[['a', 'b'], [1]])",
            ),
            "sortorder": refused("lib.MultiIndex.from_product([['a'], [1]], sortorder=0)"),
            "names": "lib.MultiIndex.from_product([['a'], [1]], names=['x', 'y'])",
        },
        "from_tuples": {
            "tuples": (
                "lib.MultiIndex.from_tuples(tuples=[('a', 1)])",
                "lib.MultiIndex.from_tuples(tuples=[('b', 1)])",
            ),
            "sortorder": refused("lib.MultiIndex.from_tuples([('a', 1)], sortorder=0)"),
            "names": "lib.MultiIndex.from_tuples([('a', 1)], names=['x', 'y'])",
        },
        "to_numpy": {
            "dtype": refused("levels.to_numpy(dtype='int64')"),
            "copy": same("levels.to_numpy(copy=True)", "whose memory it is"),
            "na_value": refused("levels.to_numpy(na_value=0)"),
        },
    },
    "DatetimeIndex": {
        "floor": {"freq": ("days.floor(freq='h')", "days.floor(freq='D')")},
        "ceil": {"freq": ("days.ceil(freq='h')", "days.ceil(freq='D')")},
        "round": {"freq": ("days.round(freq='h')", "days.round(freq='D')")},
        "strftime": {"date_format": ("days.strftime(date_format='%Y')", "days.strftime(date_format='%m')")},
    },
    "TimedeltaIndex": {},
}
