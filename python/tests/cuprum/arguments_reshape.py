"""What every parameter of the functions does that put labels and elements in each other's places."""

from arguments_entries import ours, refused, same
from arguments_shared import OLD

_PAIRS = "sold[:3].set_index(['k', 'l'])"
_WIDE = "lib.DataFrame({'k': ['a', 'b'], 'x1': [1, 2], 'x2': [3, 4], 'y_1': [5, 6], 'y_z': [7, 8]})"
_CROSS = "lib.crosstab(sold.k, sold.l"


def _melt(prefix):
    """Entries of `melt`, whose calls begin so."""
    return {
        "id_vars": f"{prefix}id_vars='k', value_vars=['v', 'w'])",
        "value_vars": f"{prefix}'k', value_vars=['v'])",
        "var_name": [
            f"{prefix}'k', ['v'], var_name='n')",
            refused(f"{prefix}'k', var_name=['n'])", ValueError),
        ],
        "value_name": [
            f"{prefix}'k', ['v'], value_name='n')",
            refused(f"{prefix}'k', value_name='v')", ValueError),
        ],
        "ignore_index": f"{prefix}'k', ['v'], ignore_index=False)",
    }


def _unstack(prefix):
    """Entries of `unstack`, whose calls begin so."""
    return {
        "level": f"{prefix}level=0)",
        "fill_value": [
            f"{prefix}fill_value=0.5)",
            refused(f"{prefix}fill_value=[1, 2])", ValueError),
        ],
        "sort": f"{prefix}sort=False)",
    }


def _pivot_table(prefix, *, whole):
    """Entries of `pivot_table`, whose calls begin so; ``whole`` is the frame as an argument."""
    kinds = "sold[:2].assign(k=sold.k.astype('category')[:2])"
    prefix_of_kinds = kinds + ".pivot_table(" if not whole else f"{prefix}{kinds}, "
    keys = f"{prefix}{whole}values='v', index='k', columns='l'"
    return {
        "values": f"{prefix}{whole}index='k', columns='l', values=['w'])",
        "index": f"{prefix}{whole}values='v', columns='l', index=['k', 'm'])",
        "columns": f"{prefix}{whole}values='v', index='k', columns=['l', 'm'])",
        "aggfunc": [
            f"{keys}, aggfunc='sum')",
            f"{keys}, aggfunc=['sum', 'max'])",
            f"{prefix}{whole}index='k', aggfunc={{'v': 'max', 'w': ['min', 'sum']}})",
        ],
        "fill_value": f"{keys}, fill_value=-1)",
        "margins": [
            f"{keys}, margins=True)",
            refused(f"{prefix}{whole}values='v', columns='l', margins=True)"),
        ],
        "dropna": f"{prefix}{whole}values='v', index='k', columns=['l', 'm'], dropna=False)",
        "margins_name": f"{keys}, margins=True, margins_name='T')",
        "observed": (
            f"{prefix_of_kinds}values='v', index='k', observed=True)",
            f"{prefix_of_kinds}values='v', index='k', observed=False, dropna=False)",
        ),
        "sort": f"{prefix}{whole}values='v', index='l', sort=False)",
        "**kwargs": (f"{keys}, aggfunc='std', ddof=0)", f"{keys}, aggfunc='std', ddof=1)"),
    }


def _times(by_day, plain):
    """Entries of what changes labels of times, for an object with labels of days, and one with others."""
    berlin = f"{by_day}.set_axis(lib.DatetimeIndex(['2020-10-25 02:30'] * 4))"
    spring = f"{by_day}.set_axis(lib.DatetimeIndex(['2020-03-29 02:30'] * 4))"
    return {
        "truncate": {
            "before": [
                f"{by_day}.truncate(before='2020-01-02')",
                f"{plain}.truncate(before=2)",
                f"{plain}[::-1].truncate(before=2)",
                refused(f"{plain}.take([1, 0, 2]).truncate(2)", ValueError, "sorted index"),
                refused(f"{plain}.truncate(before=2, after=1)", ValueError, "must be after"),
            ],
            "after": [
                f"{by_day}.truncate(after='2020-01-02 12:00')",
                f"{by_day}[::-1].truncate(after='2020-01')",
                f"{plain}.truncate(1, after=2)",
            ],
            "copy": same(f"{plain}.truncate(copy=True)", OLD),
        },
        "tz_localize": {
            "tz": [
                (f"{by_day}.tz_localize(tz='Asia/Tokyo')", f"{by_day}.tz_localize(tz='UTC')"),
                refused(f"{plain}.tz_localize(tz='UTC')", TypeError, "DatetimeIndex"),
            ],
            "level": refused(f"{by_day}.tz_localize('UTC', level=0)"),
            "copy": same(f"{by_day}.tz_localize('UTC', copy=True)", OLD),
            "ambiguous": f"{berlin}.tz_localize('Europe/Berlin', ambiguous='NaT')",
            "nonexistent": f"{spring}.tz_localize('Europe/Berlin', nonexistent='shift_forward')",
        },
        "tz_convert": {
            "tz": (
                f"{by_day}.tz_localize('UTC').tz_convert(tz='Asia/Tokyo')",
                f"{by_day}.tz_localize('UTC').tz_convert(tz=None)",
            ),
            "level": refused(f"{by_day}.tz_localize('UTC').tz_convert('UTC', level=0)"),
            "copy": same(f"{by_day}.tz_localize('UTC').tz_convert('UTC', copy=True)", OLD),
        },
        "to_period": {
            "freq": [
                f"{by_day}.to_period(freq='M')",
                refused(f"{by_day}.to_period(freq='ME')", ValueError, "ME"),
                refused(f"{plain}.to_period('D')", TypeError, "DatetimeIndex"),
            ],
            "copy": same(f"{by_day}.to_period('D', copy=True)", OLD),
        },
        "to_timestamp": {
            "freq": f"{by_day}.to_period('M').to_timestamp(freq='Y')",
            "how": [
                f"{by_day}.to_period('M').to_timestamp(how='end')",
                refused(f"{by_day}.to_period('M').to_timestamp(how='middle')", ValueError),
            ],
            "copy": same(f"{by_day}.to_period('D').to_timestamp(copy=True)", OLD),
        },
    }


_DAYS = "index=lib.date_range('2020-01-01', periods=4)"
_FRAME_OF_DAYS = f"lib.DataFrame({{'v': [1, 2, 3, 4], 'w': [5, 6, 7, 8]}}, {_DAYS})"
_TIMES_OF_FRAMES = _times(_FRAME_OF_DAYS, "lib.DataFrame({'v': [1, 2, 3, 4], 'w': [5, 6, 7, 8]})")
_TIMES_OF_FRAMES["truncate"]["axis"] = f"{_FRAME_OF_DAYS}.truncate(after='v', axis=1)"
_TIMES_OF_FRAMES["tz_localize"]["axis"] = f"{_FRAME_OF_DAYS}.T.tz_localize('UTC', axis=1).T"
_TIMES_OF_FRAMES["tz_convert"]["axis"] = (
    f"{_FRAME_OF_DAYS}.T.tz_localize('UTC', axis=1).tz_convert('Asia/Tokyo', axis=1).T"
)
_TIMES_OF_SERIES = _times(f"lib.Series([1, 2, 3, 4], {_DAYS})", "lib.Series([1, 2, 3, 4])")
_TIMES_OF_FRAMES["to_period"]["axis"] = f"{_FRAME_OF_DAYS}.T.to_period('M', axis=1).T"
_TIMES_OF_FRAMES["to_timestamp"]["axis"] = f"{_FRAME_OF_DAYS}.to_period('M').T.to_timestamp(axis=1).T"
for _name, _call in (("truncate", "0"), ("tz_localize", "'UTC'"), ("tz_convert", "'UTC'")):
    _TIMES_OF_SERIES[_name]["axis"] = refused(
        f"lib.Series([1, 2, 3, 4], {_DAYS}).{_name}({_call}, axis=1)", ValueError
    )

_MODES = "lib.DataFrame({'a': [None, 'x', None, 'x', None], 'b': [0.5, 2.0, 1.5, 2.0, 0.5]})"

RESHAPED_FRAMES = _TIMES_OF_FRAMES | {
    "mode": {
        "axis": ["n.mode(axis=1)", "n.assign(r=[2, 5.0, 1, 0]).mode(axis=1, dropna=False)"],
        "numeric_only": f"{_MODES}.mode(numeric_only=True)",
        "dropna": f"{_MODES}.mode(dropna=False)",
    },
    "isetitem": {
        "loc": [
            (
                f"(lambda f: (f.isetitem(loc=1, value=3), f)[1])({_FRAME_OF_DAYS})",
                f"(lambda f: (f.isetitem(loc=-2, value=3), f)[1])({_FRAME_OF_DAYS})",
            ),
            refused(f"{_FRAME_OF_DAYS}.isetitem(2, value=3)", IndexError),
            refused(
                f"{_FRAME_OF_DAYS}.isetitem([0], value=lib.DataFrame({{'a': [1], 'b': [2]}}))", ValueError
            ),
        ],
        "value": [
            refused(f"{_FRAME_OF_DAYS}.isetitem(1, [1, 2])", ValueError),
            (
                f"(lambda f: (f.isetitem(1, value=[5.5, 2, 3, 4]), f)[1])({_FRAME_OF_DAYS})",
                f"(lambda f: (f.isetitem(1, value=lib.Series([7, 8], index=f.index[1:3])), f)[1])({_FRAME_OF_DAYS})",
            ),
            (
                f"(lambda f: (f.isetitem([1, 0], value={_FRAME_OF_DAYS} * 2), f)[1])({_FRAME_OF_DAYS})",
                f"(lambda f: (f.isetitem([0, 1], value={_FRAME_OF_DAYS} * 2), f)[1])({_FRAME_OF_DAYS})",
            ),
        ],
    },
    "droplevel": {
        "level": (
            "sold.set_index(['k', 'l', 'm']).droplevel(level='k')",
            "sold.set_index(['k', 'l', 'm']).droplevel(level=1)",
        ),
        "axis": "wide.droplevel(0, axis=1)",
    },
    "swaplevel": {
        "i": "sold.set_index(['k', 'l', 'm']).swaplevel(i=0)",
        "j": "sold.set_index(['k', 'l', 'm']).swaplevel(j=0)",
        "axis": "wide.swaplevel(axis=1)",
    },
    "reorder_levels": {
        "order": (
            "sold.set_index(['k', 'l', 'm']).reorder_levels(order=['m', 'k', 'l'])",
            "sold.set_index(['k', 'l', 'm']).reorder_levels(order=[0, 2, 1])",
        ),
        "axis": "wide.reorder_levels([1, 0], axis=1)",
    },
    "melt": _melt("sold.rename(index={0: 9}).melt(")
    | {
        "col_level": (
            "lib.DataFrame([[1, 2]], columns=lib.MultiIndex.from_tuples([('a', 'x'), ('b', 'y')])).melt(col_level=1)",
            "lib.DataFrame([[1, 2]], columns=lib.MultiIndex.from_tuples([('a', 'x'), ('b', 'y')])).melt(col_level=0)",
        )
    },
    "pivot": {
        "columns": (
            "sold[:4].pivot(columns='l', index='w', values='v')",
            "sold[:4].pivot(columns='k', index='w', values='v')",
        ),
        "index": "sold[:4].pivot(columns='l', values='v', index='w')",
        "values": "sold[:4].pivot(columns='l', index='w', values='v')",
    },
    "pivot_table": _pivot_table("sold.pivot_table(", whole=""),
    "stack": {
        "level": "lib.DataFrame([[1, 2]], columns=lib.MultiIndex.from_tuples([('a', 'x'), ('b', 'x')])).stack(level=0)",
        "dropna": [
            refused("sold[['v', 'w']].stack(dropna=False)", ValueError),
            "n.stack(future_stack=False, dropna=False)",
        ],
        "sort": [
            refused("sold[['v', 'w']].stack(sort=False)", ValueError),
            same("n.stack(future_stack=False, sort=False)", "the columns have one level of labels"),
        ],
        "future_stack": [
            "n.stack(future_stack=False)",
            refused(
                "lib.DataFrame([[1]], columns=lib.MultiIndex.from_tuples([('a', 'x')])).stack(future_stack=False)"
            ),
        ],
    },
    "unstack": _unstack(f"{_PAIRS}.unstack("),
}

RESHAPED_SERIES = _TIMES_OF_SERIES | {
    "autocorr": {"lag": "sold.v.autocorr(lag=2)"},
    "unstack": _unstack(f"{_PAIRS}.v.unstack("),
    "droplevel": {
        "level": (
            "sold.set_index(['k', 'l', 'm']).v.droplevel(level='k')",
            "sold.set_index(['k', 'l', 'm']).v.droplevel(level=1)",
        ),
        "axis": refused("sold.set_index(['k', 'l', 'm']).v.droplevel(0, axis=1)", ValueError),
    },
    "swaplevel": {
        "i": "sold.set_index(['k', 'l', 'm']).v.swaplevel(i=0)",
        "j": "sold.set_index(['k', 'l', 'm']).v.swaplevel(j=0)",
    },
    "reorder_levels": {
        "order": (
            "sold.set_index(['k', 'l', 'm']).v.reorder_levels(order=['m', 'k', 'l'])",
            "sold.set_index(['k', 'l', 'm']).v.reorder_levels(order=[0, 2, 1])",
        ),
    },
    "set_axis": {
        "labels": ("numbers.set_axis(labels=list('abcde'))", "numbers.set_axis(labels=list('vwxyz'))"),
        "axis": refused("numbers.set_axis(list('abcde'), axis=1)", ValueError),
    },
    "repeat": {
        "repeats": ("numbers.repeat(repeats=2)", "numbers.repeat(repeats=[0, 1, 2, 0, 3])"),
        "axis": refused("numbers.repeat(2, axis=1)", ValueError),
    },
    "searchsorted": {
        "value": (
            "words.index.to_series().searchsorted(value=2)",
            "words.index.to_series().searchsorted(value=[0, 9])",
        ),
        "side": "words.index.to_series().searchsorted(2, side='right')",
        "sorter": "lib.Series([5, 1, 3]).searchsorted([0, 4], sorter=[1, 2, 0])",
    },
}

RESHAPING = {
    "melt": {"frame": ("lib.melt(frame=sold[['v']])", "lib.melt(frame=sold[['w']])")}
    | _melt("lib.melt(sold.rename(index={0: 9}), ")
    | {
        "col_level": (
            "lib.melt(lib.DataFrame([[1, 2]], columns=lib.MultiIndex.from_tuples([('a', 'x'), ('b', 'y')])), col_level=1)",
            "lib.melt(lib.DataFrame([[1, 2]], columns=lib.MultiIndex.from_tuples([('a', 'x'), ('b', 'y')])), col_level=0)",
        )
    },
    "pivot": {
        "data": (
            "lib.pivot(data=sold[:3], columns='l', index='w', values='v')",
            "lib.pivot(data=sold[:4], columns='l', index='w', values='v')",
        ),
        "columns": (
            "lib.pivot(sold[:4], columns='l', index='w', values='v')",
            "lib.pivot(sold[:4], columns='k', index='w', values='v')",
        ),
        "index": "lib.pivot(sold[:4], columns='l', values='v', index='w')",
        "values": "lib.pivot(sold[:4], columns='l', index='w', values='v')",
    },
    "pivot_table": {
        "data": (
            "lib.pivot_table(data=sold[:3], values='v', index='k')",
            "lib.pivot_table(data=sold, values='v', index='k')",
        )
    }
    | _pivot_table("lib.pivot_table(", whole="sold, "),
    "crosstab": {
        "index": ("lib.crosstab(index=sold.k, columns=sold.m)", "lib.crosstab(index=sold.l, columns=sold.m)"),
        "columns": ("lib.crosstab(sold.k, columns=sold.m)", "lib.crosstab(sold.k, columns=sold.l)"),
        "values": (f"{_CROSS}, values=sold.v, aggfunc='sum')", f"{_CROSS}, values=sold.w, aggfunc='sum')"),
        "rownames": f"{_CROSS}, rownames=['r'])",
        "colnames": f"{_CROSS}, colnames=['c'])",
        "aggfunc": (f"{_CROSS}, values=sold.v, aggfunc='sum')", f"{_CROSS}, values=sold.v, aggfunc='max')"),
        "margins": f"{_CROSS}, margins=True)",
        "margins_name": f"{_CROSS}, margins=True, margins_name='T')",
        "dropna": "lib.crosstab(sold.k, [sold.l, sold.m], dropna=False)",
        "normalize": [
            f"{_CROSS}, normalize=True)",
            f"{_CROSS}, normalize='index')",
            f"{_CROSS}, normalize=1)",
            f"{_CROSS}, normalize='all', margins=True)",
            f"{_CROSS}, normalize='index', margins=True)",
            f"{_CROSS}, normalize='columns', margins=True)",
            refused(f"{_CROSS}, normalize='rows')", ValueError),
        ],
    },
    "unstack": {
        "df": ours(f"lib.unstack(df={_PAIRS})", f"{_PAIRS}.unstack()"),
        "level": ours(f"lib.unstack({_PAIRS}, level=0)", f"{_PAIRS}.unstack(0)"),
        "fill_value": ours(f"lib.unstack({_PAIRS}, fill_value=9)", f"{_PAIRS}.unstack(fill_value=9)"),
        "sort": ours(f"lib.unstack({_PAIRS}, sort=False)", f"{_PAIRS}.unstack(sort=False)"),
    },
    "lreshape": {
        "data": (
            "lib.lreshape(data=lib.DataFrame({'x': [1], 'y': [2]}), groups={'z': ['x', 'y']})",
            "lib.lreshape(data=lib.DataFrame({'x': [3], 'y': [2]}), groups={'z': ['x', 'y']})",
        ),
        "groups": (
            "lib.lreshape(lib.DataFrame({'x': [1], 'y': [2]}), {'z': ['x', 'y']})",
            "lib.lreshape(lib.DataFrame({'x': [1], 'y': [2]}), groups={'z': ['y', 'x']})",
        ),
        "dropna": "lib.lreshape(lib.DataFrame({'x': [1.5], 'y': [None]}, dtype=float), {'z': ['x', 'y']}, dropna=False)",
    },
    "wide_to_long": {
        "df": (
            f"lib.wide_to_long(df={_WIDE}, stubnames='x', i='k', j='n')",
            f"lib.wide_to_long(df={_WIDE}[:1], stubnames='x', i='k', j='n')",
        ),
        "stubnames": (
            f"lib.wide_to_long({_WIDE}, stubnames='x', i='k', j='n')",
            f"lib.wide_to_long({_WIDE}, stubnames=['x'], i='k', j='n').drop(columns='y_1')",
        ),
        "i": (
            f"lib.wide_to_long({_WIDE}, 'x', i='k', j='n')",
            f"lib.wide_to_long({_WIDE}, 'x', i=['k', 'y_1'], j='n')",
        ),
        "j": (
            f"lib.wide_to_long({_WIDE}, 'x', i='k', j='n')",
            f"lib.wide_to_long({_WIDE}, 'x', i='k', j='o')",
        ),
        "sep": f"lib.wide_to_long({_WIDE}, 'y', i='k', j='n', sep='_')",
        "suffix": f"lib.wide_to_long({_WIDE}, 'y', i='k', j='n', sep='_', suffix=r'\\w+')",
    },
}
