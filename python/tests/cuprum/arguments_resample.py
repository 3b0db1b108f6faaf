"""What every parameter of the methods of bins of time does; see `arguments_entries`."""

from arguments_entries import refused, same

# What ``g`` stands for.
_HOURLY = "lib.date_range('2013-01-01', periods=9, freq='8h')"
_FRAME = f"lib.DataFrame({{'p': [3.0, NAN, 1, 4, 2, 2, 8, NAN, NAN], 'q': range(9)}}, index={_HOURLY})"
RESAMPLE_SUBJECTS = {
    "Resampler": f"{_FRAME}.resample('D')",
    "GroupResampler": f"{_FRAME}.assign(k=list('xyxyxxyyx')).groupby('k').resample('D')",
}
_TEXTS = f"{_FRAME}.assign(s='x')"
_FINE = f"{_FRAME}.resample('5h')"
_FINE_OF_GROUPS = f"{_FRAME}.assign(k=list('xyxyxxyyx')).groupby('k').resample('5h')"


def _numeric(kind, call):
    groups = _TEXTS + (".resample('D')" if kind == "Resampler" else ".assign(k=1).groupby('k').resample('D')")
    return f"{groups}.{call}"


def _aggregations(kind):
    def of(name, **others):
        return {"numeric_only": _numeric(kind, f"{name}(numeric_only=True)"), **others}

    counted = {name: {"min_count": f"g.{name}(min_count=3)"} for name in ("sum", "prod", "min", "max")}
    gaps = f"{_FRAME}.assign(p=[NAN, 3, NAN, 4, 2, 2, 8, NAN, NAN], k=1)"
    bins = gaps + (".resample('D')" if kind == "Resampler" else ".groupby('k').resample('D')")
    ends = {
        name: {"min_count": f"g.{name}(min_count=3)", "skipna": f"{bins}.{name}(skipna=False)"}
        for name in ("first", "last")
    }
    spread = {name: {"ddof": f"g.{name}(ddof=0)"} for name in ("std", "var", "sem")}
    plain = {"mean": {}, "median": {}}
    own = {name: of(name, **entries) for name, entries in (counted | ends | spread | plain).items()}
    for name in ("first", "last"):
        own[name]["numeric_only"] = _numeric(kind, f"{name}(numeric_only=True)")
    return {
        **own,
        "quantile": {
            "q": ("g.quantile(q=0.25)", "g.quantile(q=0.5)"),
            "**kwargs": (
                "g.quantile(0.3, interpolation='lower')",
                "g.quantile(0.3, interpolation='higher')",
            ),
        },
        "agg": {
            "func": ("g['p'].agg(func='mean')", "g['p'].agg(func=['mean', 'std'])"),
            "*args": ("g.agg('std', 0)", "g.agg('std', 1)"),
            "**kwargs": ("g.agg('std', ddof=0)", "g.agg('std', ddof=1)"),
        },
        "pipe": {
            "func": ("g.pipe(func=lambda y: y.sum())", "g.pipe(func=lambda y: y.max())"),
            "*args": ("g.pipe(lambda y, k: y.sum() * k, 2)", "g.pipe(lambda y, k: y.sum() * k, 3)"),
            "**kwargs": ("g.pipe(lambda y, k: y.sum() * k, k=2)", "g.pipe(lambda y, k: y.sum() * k, k=3)"),
        },
    }


def _between(fine):
    limits = {name: {"limit": f"{fine}.{name}(limit=1)"} for name in ("ffill", "bfill")}
    return {
        **limits,
        "nearest": {"limit": f"{fine.replace('5h', '1h')}.nearest(limit=1)"},
        "asfreq": {"fill_value": f"{fine}.asfreq(fill_value=7)"},
    }


RESAMPLE_METHODS = {
    "Resampler": {
        **_aggregations("Resampler"),
        **_between(_FINE),
        "transform": {
            "arg": ("g.transform(arg='sum')", "g.transform(arg='max')"),
            "*args": ("g.transform('shift', 1)", "g.transform('shift', 2)"),
            "**kwargs": ("g.transform('shift', periods=1)", "g.transform('shift', periods=2)"),
        },
        "get_group": {
            "name": (
                "g.get_group(name=lib.Timestamp('2013-01-01'))",
                "g.get_group(name=lib.Timestamp('2013-01-02'))",
            )
        },
        "interpolate": {
            "method": (
                f"{_FINE}.interpolate(method='time')",
                f"{_FINE}.interpolate(method='linear')",
            ),
            "axis": f"{_FINE}.interpolate(axis=1)",
            "limit": f"{_FINE}.interpolate(limit=1)",
            "limit_direction": f"{_FINE}.interpolate(limit_direction='backward')",
            "limit_area": f"{_FINE}.interpolate(limit_area='inside')",
            "**kwargs": refused(f"{_FINE}.interpolate(bogus=1)", TypeError, "bogus"),
        },
    },
    "GroupResampler": {
        **_aggregations("GroupResampler"),
        **_between(_FINE_OF_GROUPS),
        "interpolate": {
            name: refused(f"g.interpolate({name}={value})", says="interpolate")
            for name, value in {
                "method": "'time'",
                "axis": 1,
                "limit": 1,
                "limit_direction": "'both'",
                "limit_area": "'inside'",
            }.items()
        },
    },
}

_TIMED = f"{_FRAME}.assign(t={_HOURLY}[::-1])"
_LEVELS = f"{_FRAME}.set_index('q', append=True).rename_axis(['t', 'q'])"
RESAMPLED = {
    "resample": {
        "rule": (f"{_FRAME}.resample(rule='D').sum()", f"{_FRAME}.resample(rule='12h').sum()"),
        "closed": f"{_FRAME}.resample('D', closed='right').sum()",
        "label": f"{_FRAME}.resample('D', label='right').sum()",
        "on": f"{_TIMED}.resample('D', on='t').sum()",
        "level": (f"{_LEVELS}.resample('D', level=0).sum()", f"{_LEVELS}.resample('7h', level='t').sum()"),
        "origin": f"{_FRAME}.resample('7h', origin='end').sum()",
        "offset": f"{_FRAME}.resample('7h', offset='2h').sum()",
        "convention": same(f"{_FRAME}.resample('D', convention='end').sum()", "of periods"),
        "group_keys": f"{_FRAME}.resample('D', group_keys=True).apply(lambda y: y)",
    },
}
RESAMPLED_SERIES = {
    "resample": {
        "rule": (f"{_FRAME}['p'].resample(rule='D').sum()", f"{_FRAME}['p'].resample(rule='12h').sum()"),
        "closed": f"{_FRAME}['p'].resample('D', closed='right').sum()",
        "label": f"{_FRAME}['p'].resample('D', label='right').sum()",
        "on": refused(f"{_FRAME}['p'].resample('D', on='t')", KeyError, "name t"),
        "level": (
            f"{_LEVELS}['p'].resample('D', level=0).sum()",
            f"{_LEVELS}['p'].resample('7h', level='t').sum()",
        ),
        "origin": f"{_FRAME}['p'].resample('7h', origin='end').sum()",
        "offset": f"{_FRAME}['p'].resample('7h', offset='2h').sum()",
        "convention": same(f"{_FRAME}['p'].resample('D', convention='end').sum()", "of periods"),
        "group_keys": f"{_FRAME}['p'].resample('D', group_keys=True).apply(lambda y: y)",
    },
}
_DAYS = "lib.Series([1.0, NAN, 3, 4], index=lib.date_range('2013-01-01', periods=4, freq='36h'))"


def _regular(obj):
    return {
        "asfreq": {
            "freq": (f"{obj}.asfreq(freq='D')", f"{obj}.asfreq(freq='12h')"),
            "method": f"{obj}.asfreq('D', method='ffill')",
            "how": same(f"{obj}.asfreq('D', how='end')", "of periods"),
            "normalize": f"{obj}.asfreq('12h', normalize=True)",
            "fill_value": f"{obj}.asfreq('D', fill_value=9)",
        },
        "at_time": {
            "time": (f"{obj}.at_time(time='12:00')", f"{obj}.at_time(time='0:00')"),
            "asof": refused(f"{obj}.at_time('12:00', asof=True)"),
            "axis": refused(f"{obj}.at_time('12:00', axis=1)", (NotImplementedError, ValueError)),
        },
        "between_time": {
            "start_time": (
                f"{obj}.between_time(start_time='6:00', end_time='13:00')",
                f"{obj}.between_time(start_time='0:00', end_time='13:00')",
            ),
            "end_time": (
                f"{obj}.between_time(start_time='0:00', end_time='13:00')",
                f"{obj}.between_time(start_time='0:00', end_time='11:00')",
            ),
            "inclusive": f"{obj}.between_time('0:00', '12:00', inclusive='left')",
            "axis": refused(f"{obj}.between_time('0:00', '1:00', axis=1)", (NotImplementedError, ValueError)),
        },
    }


RESAMPLED |= _regular(f"{_DAYS}.to_frame('v')")
RESAMPLED_SERIES |= _regular(_DAYS)
TIMES_OF_DAY = {
    "indexer_at_time": {
        "time": ("days.indexer_at_time(time='5:30')", "days.indexer_at_time(time='12:10')"),
        "asof": refused("days.indexer_at_time('5:30', asof=True)"),
    },
    "indexer_between_time": {
        "start_time": (
            "days.indexer_between_time(start_time='5:30', end_time='13:00')",
            "days.indexer_between_time(start_time='5:31', end_time='13:00')",
        ),
        "end_time": (
            "days.indexer_between_time(start_time='5:30', end_time='13:00')",
            "days.indexer_between_time(start_time='5:30', end_time='12:00')",
        ),
        "include_start": "days.indexer_between_time('5:30', '13:00', include_start=False)",
        "include_end": "days.indexer_between_time('5:00', '12:10', include_end=False)",
    },
}
_KEYED = f"{_TIMED}.assign(k=list('xyxyxxyyx')).groupby('k')"
RESAMPLED_GROUPS = {
    "resample": {
        "rule": (f"{_KEYED}['p'].resample(rule='D').sum()", f"{_KEYED}['p'].resample(rule='12h').sum()"),
        "closed": f"{_KEYED}['p'].resample('D', closed='right').sum()",
        "label": f"{_KEYED}['p'].resample('D', label='right').sum()",
        "on": f"{_KEYED.replace('assign(t', 'reset_index(drop=True).assign(t')}.resample('D', on='t')[['p']].sum()",
        "origin": f"{_KEYED}['p'].resample('7h', origin='end').sum()",
        "offset": f"{_KEYED}['p'].resample('7h', offset='2h').sum()",
        "convention": same(f"{_KEYED}[['p']].resample('D', convention='end').sum()", "of periods"),
        "group_keys": same(
            f"{_KEYED}['p'].resample('D', group_keys=True).sum()",
            "keys label the results of groups either way",
        ),
        "include_groups": refused(f"{_KEYED}.resample('D', include_groups=True)", ValueError),
    },
}
GROUPER = {
    "Grouper": {
        "key": ("df.groupby(lib.Grouper(key='k')).size()", "df.groupby(lib.Grouper(key='b')).size()"),
        "level": ("deep.groupby(lib.Grouper(level='o')).size()", "deep.groupby(lib.Grouper(level=1)).size()"),
        "freq": f"{_TIMED}.groupby(lib.Grouper(key='t', freq='D')).size()",
        "sort": "n.groupby(lib.Grouper(key='p', sort=True)).size()",
        "dropna": "df.groupby(lib.Grouper(key='f', dropna=False)).size()",
        "closed": f"{_FRAME}.groupby(lib.Grouper(freq='D', closed='right')).sum()",
        "label": f"{_FRAME}.groupby(lib.Grouper(freq='D', label='right')).sum()",
        "origin": f"{_FRAME}.groupby(lib.Grouper(freq='7h', origin='end')).sum()",
        "offset": f"{_FRAME}.groupby(lib.Grouper(freq='7h', offset='2h')).sum()",
    },
}
