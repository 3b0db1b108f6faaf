"""What every parameter of the methods of groups does; see `arguments_entries`."""

from arguments_entries import ours, refused, same

_DAYS = "lib.to_datetime(['2020-01-01', '2020-01-02', '2020-01-04', '2020-01-04', '2020-01-09'])"

# What ``g`` stands for.
GROUP_SUBJECTS = {
    "DataFrameGroupBy": "df.groupby('k')[['i', 'f']]",
    "SeriesGroupBy": "df.groupby('k')['f']",
}


# Groups with several missing elements behind and before others.
_GAPS = (
    "lib.DataFrame({'k': ['x', 'y'] * 4, 'v': [NAN, NAN, NAN, 1.0, 2.0, NAN, NAN, NAN]}).groupby('k')['v']"
)


# A group of five elements and a missing one.
_LONG = "lib.DataFrame({'k': [1] * 6, 'v': [1.0, 2.0, 4.0, NAN, 9.0, 3.0]}).groupby('k')['v']"

# A group with missing elements at both ends.
_ALL_LATER = "lib.DataFrame({'k': ['x', 'x', 'x'], 'v': [NAN, 1.0, NAN]}).groupby('k')['v']"

# A group of nothing but a missing element.
_ALL_MISSING = "lib.DataFrame({'k': ['x', 'y'], 'v': [NAN, 1.0]}).groupby('k')['v']"


def _compiled(call):
    """Entries for the arguments by which pandas is told of another compiler."""
    return {name: refused(f"g.{call[:-1]}, {name}=None)", TypeError) for name in ("engine", "engine_kwargs")}


SHARED = {
    "agg": {
        "func": ("g.agg(func='sum')", "g.agg(func=['sum', 'max'])"),
        "*args": ("g.agg('std', 0)", "g.agg('std', 1)"),
        **_compiled("agg('sum')"),
    },
    "all": {"skipna": same("g.all(skipna=False)", "missing elements are true")},
    "any": {"skipna": _ALL_MISSING + ".any(skipna=False)"},
    "apply": {
        "func": ("g.apply(func=len)", "g.apply(func=lambda y: y.max())"),
        "*args": ("g.apply(lambda y, n: y.head(n), 1)", "g.apply(lambda y, n: y.head(n), 2)"),
        "**kwargs": ("g.apply(lambda y, n: y.head(n), n=1)", "g.apply(lambda y, n: y.head(n), n=2)"),
        "engine": [
            (
                "g.apply(lambda y, engine: engine, engine='jit')",
                "g.apply(lambda y, engine: engine, engine='cudf')",
            ),
            refused("g.apply(len, engine='numba')", ValueError),
        ],
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
    "head": {
        "n": "g.head(n=1)",
        "preserve_order": ours("g.head(2, preserve_order=False)", "g.head(2).iloc[[0, 2, 1, 3]]"),
    },
    "tail": {
        "n": "g.tail(n=1)",
        "preserve_order": ours("g.tail(1, preserve_order=False)", "g.tail(1).iloc[::-1]"),
    },
    "sample": {
        "n": "g.sample(n=2, random_state=3, replace=True)",
        "frac": "g.sample(frac=0.5, random_state=3)",
        "replace": ("g.sample(n=1, random_state=1)", "g.sample(n=3, replace=True, random_state=1)"),
        "weights": ("g.sample(random_state=5)", "g.sample(weights=[0, 1, 2, 3, 4], random_state=5)"),
        "random_state": ("g.sample(random_state=1)", "g.sample(random_state=2)"),
    },
    "ngroup": {"ascending": "g.ngroup(ascending=False)"},
    "nunique": {"dropna": "g.nunique(dropna=False)"},
    "pipe": {
        "func": ("g.pipe(func=lambda y: y.sum())", "g.pipe(func=lambda y: y.max())"),
        "*args": ("g.pipe(lambda y, k: y.sum() * k, 2)", "g.pipe(lambda y, k: y.sum() * k, 3)"),
        "**kwargs": ("g.pipe(lambda y, k: y.sum() * k, k=2)", "g.pipe(lambda y, k: y.sum() * k, k=3)"),
    },
    "quantile": {
        "interpolation": _LONG + ".quantile(0.3, interpolation='lower')",
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
        "freq": [
            "df.assign(t=df.t.ffill()).set_index('t').groupby('k')['i'].shift(freq='D')",
            "df.assign(t=df.t.ffill()).set_index('t').groupby('k')[['i', 'f']].shift(2, freq='h')",
            "df.assign(t=df.t.ffill()).set_index('t').groupby('k').shift(freq='ME')",
            refused("g.shift(freq='D')", says="DatetimeIndex"),
        ],
        "fill_value": "df.groupby('k')[['i', 'f']].shift(fill_value=0)",
    },
    "ffill": {"limit": _GAPS + ".ffill(limit=1)"},
    "bfill": {"limit": _GAPS + ".bfill(limit=1)"},
    "skew": {"skipna": _LONG + ".skew(skipna=False)"},
    "kurt": {"skipna": _LONG + ".kurt(skipna=False)"},
    "take": {"indices": ("g.take(indices=[0])", "g.take(indices=[-1])")},
    "ewm": {
        "com": ("g.ewm(com=1).mean()", "g.ewm(com=2).mean()"),
        "span": ("g.ewm(span=2).mean()", "g.ewm(span=3).mean()"),
        "halflife": ("g.ewm(halflife=1).mean()", "g.ewm(halflife=2).mean()"),
        "alpha": ("g.ewm(alpha=0.5).mean()", "g.ewm(alpha=0.25).mean()"),
        "min_periods": "g.ewm(com=1, min_periods=2).mean()",
        "adjust": "g.ewm(com=1, adjust=False).mean()",
        "ignore_na": "lib.DataFrame({'k': [1] * 4, 'v': [1.0, NAN, 3.0, 5.0]}).groupby('k').ewm(com=1, ignore_na=True).mean()",
        "times": [
            f"df.groupby('k')['i'].ewm(halflife='1D', times={_DAYS}).mean()",
            refused(
                f"df.groupby('k')['i'].ewm(halflife='1D', times={_DAYS}).var()",
                error=(NotImplementedError,),
                says="implemented with times",
            ),
        ],
        "method": refused("g.ewm(com=1, method='table')"),
    },
    "sum": {"min_count": "g.sum(min_count=3)", "skipna": "g.sum(skipna=False)"},
    "prod": {"min_count": "g.prod(min_count=3)", "skipna": "g.prod(skipna=False)"},
    "min": {"min_count": "g.min(min_count=3)", "skipna": "g.min(skipna=False)"},
    "max": {"min_count": "g.max(min_count=3)", "skipna": "g.max(skipna=False)"},
    "first": {"min_count": "g.first(min_count=3)", "skipna": _ALL_LATER + ".first(skipna=False)"},
    "last": {"min_count": "g.last(min_count=3)", "skipna": _ALL_LATER + ".last(skipna=False)"},
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

_PAIRS = "df.groupby('b')[['i', 'f']]"
FRAME = {
    "idxmax": {"skipna": refused("g.idxmax(skipna=False)", ValueError)},
    "idxmin": {"skipna": refused("g.idxmin(skipna=False)", ValueError)},
    "describe": {
        "percentiles": "g.describe(percentiles=[0.1])",
        "include": "df.groupby('k')[['i', 'f']].describe(include=['int64'])",
        "exclude": "df.groupby('k')[['i', 'f']].describe(exclude=['int64'])",
    },
    "corr": {
        "method": "sold.groupby('m')[['v', 'w']].corr(method='kendall')",
        "min_periods": _PAIRS + ".corr(min_periods=3)",
        "numeric_only": "df.groupby('k')[['i', 's']].corr(numeric_only=True)",
    },
    "cov": {
        "min_periods": _PAIRS + ".cov(min_periods=3)",
        "ddof": "sold.groupby('k')[['v', 'w']].cov(ddof=0)",
        "numeric_only": "df.groupby('k')[['i', 's']].cov(numeric_only=True)",
    },
    "corrwith": {
        "other": ("g.corrwith(other=df.i)", "g.corrwith(other=df.f)"),
        "drop": "g.corrwith(df[['i']], drop=True)",
        "method": "g.corrwith(df.i, method='kendall')",
        "numeric_only": "df.groupby('k')[['i', 's']].corrwith(df.i, numeric_only=True)",
    },
    "value_counts": {
        "subset": "g.value_counts(subset=['i'])",
        "normalize": "g.value_counts(normalize=True)",
        "sort": "df.assign(z=[1, 2, 2, 2, 2]).groupby('k')[['z']].value_counts(sort=False)",
        "ascending": "df.head(4).groupby('b')[['k']].value_counts(ascending=True)",
        "dropna": "g.value_counts(dropna=False)",
    },
    "apply": {"include_groups": refused("g.apply(len, include_groups=True)", ValueError)},
    "agg": {"**kwargs": ("g.agg(low=('i', 'min'))", "g.agg(low=('f', 'max'))")},
    "quantile": {"q": ["g.quantile(q=0.25)", "g.quantile(q=[0.25, 0.5])"]},
}
SERIES = {
    "idxmax": {"skipna": refused("g.idxmax(skipna=False)", ValueError)},
    "idxmin": {"skipna": refused("g.idxmin(skipna=False)", ValueError)},
    "describe": {
        "percentiles": "g.describe(percentiles=[0.1])",
        "include": same("g.describe(include=['int64'])", "a series has no columns to choose from"),
        "exclude": same("g.describe(exclude=['float64'])", "a series has no columns to choose from"),
    },
    "nlargest": {"n": "g.nlargest(n=1)", "keep": "df.groupby('b')['i'].nlargest(1, keep='last')"},
    "nsmallest": {
        "n": "g.nsmallest(n=1)",
        "keep": "df.assign(z=1).groupby('b')['z'].nsmallest(1, keep='last')",
    },
    "corr": {
        "other": ("g.corr(other=df.i)", "g.corr(other=df.f)"),
        "method": "sold.groupby('m')['v'].corr(sold.w * sold.k.map({'a': 1, 'b': 3, 'c': -2}), method='kendall')",
        "min_periods": "g.corr(df.i, min_periods=4)",
    },
    "cov": {
        "other": ("g.cov(other=df.i)", "g.cov(other=df.f)"),
        "min_periods": "g.cov(df.i, min_periods=4)",
        "ddof": "g.cov(df.i, ddof=0)",
    },
    "agg": {"**kwargs": ("g.agg(low='min')", "g.agg(low='max')")},
    "quantile": {"q": ["g.quantile(q=0.25)", "g.quantile(q=[0.25, 0.5])"]},
    "value_counts": {
        "normalize": "g.value_counts(normalize=True)",
        "bins": ["df.groupby('k')['i'].value_counts(bins=[0, 2, 3])", "g.value_counts(bins=2)"],
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
    "skew",
    "kurt",
]:
    FRAME.setdefault(_name, {})["numeric_only"] = f"df.groupby('k')[['i', 's']].{_name}(numeric_only=True)"
    SERIES.setdefault(_name, {})["numeric_only"] = refused(
        f"df.groupby('k')['s'].{_name}(numeric_only=True)", TypeError
    )


def _with_shared(own):
    return {name: {**SHARED.get(name, {}), **own.get(name, {})} for name in [*own, *SHARED]}


for _name in ["cumsum", "cumprod", "cummax", "cummin"]:
    FRAME[_name]["skipna"] = f"df.groupby(lambda row: row // 3)[['f']].{_name}(skipna=False)"
    SERIES[_name]["skipna"] = f"df.groupby(lambda row: row // 3)['f'].{_name}(skipna=False)"

for _name in ["idxmax", "idxmin"]:
    FRAME[_name]["numeric_only"] = f"df.groupby('k')[['i', 's']].{_name}(numeric_only=True)"

GROUPS = {"DataFrameGroupBy": _with_shared(FRAME), "SeriesGroupBy": _with_shared(SERIES)}
