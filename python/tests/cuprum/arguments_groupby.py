"""What every parameter of the methods of groups does; see `arguments_entries`."""

from arguments_entries import refused

# What ``g`` stands for.
GROUP_SUBJECTS = {
    "DataFrameGroupBy": "df.groupby('k')[['i', 'f']]",
    "SeriesGroupBy": "df.groupby('k')['f']",
}


# Groups with several missing elements behind and before others.
_GAPS = (
    "lib.DataFrame({'k': ['x', 'y'] * 4, 'v': [NAN, NAN, NAN, 1.0, 2.0, NAN, NAN, NAN]}).groupby('k')['v']"
)


def _compiled(call):
    """Entries for the arguments by which pandas is told of another compiler."""
    return {name: refused(f"g.{call[:-1]}, {name}=None)", TypeError) for name in ("engine", "engine_kwargs")}


SHARED = {
    "agg": {
        "func": ("g.agg(func='sum')", "g.agg(func=['sum', 'max'])"),
        "*args": ("g.agg('std', 0)", "g.agg('std', 1)"),
        **_compiled("agg('sum')"),
    },
    "all": {"skipna": refused("g.all(skipna=False)")},
    "any": {"skipna": refused("g.any(skipna=False)")},
    "apply": {
        "func": ("g.apply(func=len)", "g.apply(func=lambda y: y.max())"),
        "*args": ("g.apply(lambda y, n: y.head(n), 1)", "g.apply(lambda y, n: y.head(n), 2)"),
        "**kwargs": ("g.apply(lambda y, n: y.head(n), n=1)", "g.apply(lambda y, n: y.head(n), n=2)"),
    },
    "filter": {
        "func": ("g.filter(func=lambda y: True)", "g.filter(func=lambda y: False)"),
        "dropna": "g.filter(lambda y: len(y) > 2, dropna=False)",
        "*args": ("g.filter(lambda y, n: len(y) > n, True, 1)", "g.filter(lambda y, n: len(y) > n, True, 2)"),
        "**kwargs": ("g.filter(lambda y, n: len(y) > n, n=1)", "g.filter(lambda y, n: len(y) > n, n=2)"),
    },
    "cumcount": {"ascending": "g.cumcount(ascending=False)"},
    "diff": {"periods": "g.diff(periods=-1)"},
    "pct_change": {"periods": "g.pct_change(periods=-1)"},
    "get_group": {"name": ("g.get_group(name='x')", "g.get_group(name='y')")},
    "head": {"n": "g.head(n=1)"},
    "tail": {"n": "g.tail(n=1)"},
    "sample": {
        "n": "g.sample(n=2, random_state=3, replace=True)",
        "frac": "g.sample(frac=0.5, random_state=3)",
        "replace": ("g.sample(n=1, random_state=1)", "g.sample(n=3, replace=True, random_state=1)"),
        "weights": ("g.sample(random_state=5)", "g.sample(weights=[0, 1, 2, 3, 4], random_state=5)"),
        "random_state": ("g.sample(random_state=1)", "g.sample(random_state=2)"),
    },
    "ngroup": {"ascending": "g.ngroup(ascending=False)"},
    "nunique": {"dropna": refused("g.nunique(dropna=False)")},
    "pipe": {
        "func": ("g.pipe(func=lambda y: y.sum())", "g.pipe(func=lambda y: y.max())"),
        "*args": ("g.pipe(lambda y, k: y.sum() * k, 2)", "g.pipe(lambda y, k: y.sum() * k, 3)"),
        "**kwargs": ("g.pipe(lambda y, k: y.sum() * k, k=2)", "g.pipe(lambda y, k: y.sum() * k, k=3)"),
    },
    "quantile": {
        "interpolation": refused("g.quantile(interpolation='lower')"),
    },
    "rank": {
        "method": "df.groupby('b')['i'].rank(method='dense')",
        "ascending": "g.rank(ascending=False)",
        "na_option": "g.rank(na_option='bottom')",
        "pct": "g.rank(pct=True)",
    },
    "rolling": {
        "window": ("g.rolling(window=1).sum()", "g.rolling(window=2).sum()"),
        "min_periods": "g.rolling(2, min_periods=1).sum()",
        "center": "g.rolling(3, min_periods=1, center=True).sum()",
        "win_type": refused("g.rolling(2, win_type='hann')"),
        "on": refused("g.rolling(2, on='nowhere')", ValueError),
        "closed": "g.rolling(2, min_periods=1, closed='left').sum()",
        "method": refused("g.rolling(2, method='table')"),
    },
    "expanding": {
        "min_periods": "g.expanding(min_periods=2).sum()",
        "method": refused("g.expanding(method='table')"),
    },
    "shift": {
        "periods": "g.shift(periods=-1)",
        "freq": refused("g.shift(freq='D')"),
        "fill_value": "df.groupby('k')[['i', 'f']].shift(fill_value=0)",
    },
    "ffill": {"limit": _GAPS + ".ffill(limit=1)"},
    "bfill": {"limit": _GAPS + ".bfill(limit=1)"},
    "sum": {"min_count": "g.sum(min_count=3)", "skipna": "g.sum(skipna=False)"},
    "prod": {"min_count": "g.prod(min_count=3)", "skipna": "g.prod(skipna=False)"},
    "min": {"min_count": "g.min(min_count=3)", "skipna": "g.min(skipna=False)"},
    "max": {"min_count": "g.max(min_count=3)", "skipna": "g.max(skipna=False)"},
    "first": {"min_count": "g.first(min_count=3)", "skipna": refused("g.first(skipna=False)")},
    "last": {"min_count": "g.last(min_count=3)", "skipna": refused("g.last(skipna=False)")},
    "std": {
        "ddof": "g.std(ddof=0)",
        "skipna": "lib.DataFrame({'k': [1, 1, 1], 'v': [1.0, 2.0, None]}).groupby('k').std(skipna=False)",
    },
    "var": {
        "ddof": "g.var(ddof=0)",
        "skipna": "lib.DataFrame({'k': [1, 1, 1], 'v': [1.0, 2.0, None]}).groupby('k').var(skipna=False)",
    },
    "sem": {
        "ddof": "g.sem(ddof=0)",
        "skipna": "lib.DataFrame({'k': [1, 1, 1], 'v': [1.0, 2.0, None]}).groupby('k').sem(skipna=False)",
    },
    "mean": {"skipna": "g.mean(skipna=False)"},
    "median": {"skipna": "g.median(skipna=False)"},
    "transform": {
        "func": ("g.transform(func='sum')", "g.transform(func='max')"),
        "*args": [
            ("g.transform('shift', 1)", "g.transform('shift', -1)"),
            ("g.transform(lambda y, n: y * n, 2)", "g.transform(lambda y, n: y * n, 3)"),
        ],
        "**kwargs": [
            ("g.transform('shift', periods=1)", "g.transform('shift', periods=-1)"),
            ("g.transform('std', ddof=0)", "g.transform('std', ddof=1)"),
            ("g.transform(lambda y, n: y * n, n=2)", "g.transform(lambda y, n: y * n, n=3)"),
        ],
        **_compiled("transform('sum')"),
    },
}

FRAME = {
    "apply": {"include_groups": refused("g.apply(len, include_groups=True)", ValueError)},
    "agg": {"**kwargs": ("g.agg(low=('i', 'min'))", "g.agg(low=('f', 'max'))")},
    "quantile": {"q": ["g.quantile(q=0.25)", "g.quantile(q=[0.25, 0.5])"]},
}
SERIES = {
    "agg": {"**kwargs": ("g.agg(low='min')", "g.agg(low='max')")},
    "quantile": {"q": ["g.quantile(q=0.25)", "g.quantile(q=[0.25, 0.5])"]},
    "value_counts": {
        "normalize": refused("g.value_counts(normalize=True)"),
        "bins": refused("g.value_counts(bins=2)"),
        "sort": "df.assign(z=[1, 2, 2, 2, 2]).groupby('k')['z'].value_counts(sort=False)",
        "ascending": "df.head(4).groupby('b')['k'].value_counts(ascending=True)",
        "dropna": "g.value_counts(dropna=False).sort_index()",
    },
}
for _name in [
    "sum",
    "prod",
    "min",
    "max",
    "mean",
    "median",
    "first",
    "last",
    "std",
    "var",
    "sem",
    "quantile",
    "cumsum",
    "cumprod",
    "cummax",
    "cummin",
]:
    FRAME.setdefault(_name, {})["numeric_only"] = f"df.groupby('k')[['i', 's']].{_name}(numeric_only=True)"
    SERIES.setdefault(_name, {})["numeric_only"] = refused(
        f"df.groupby('k')['s'].{_name}(numeric_only=True)", TypeError
    )


def _with_shared(own):
    return {name: {**SHARED.get(name, {}), **own.get(name, {})} for name in [*own, *SHARED]}


GROUPS = {"DataFrameGroupBy": _with_shared(FRAME), "SeriesGroupBy": _with_shared(SERIES)}
