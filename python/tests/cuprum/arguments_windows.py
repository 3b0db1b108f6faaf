"""What every parameter of the methods of windows does; see `arguments_entries`."""

from arguments_entries import refused, same

# What ``g`` stands for.
WINDOW_SUBJECTS = {
    "Rolling": "whole.rolling(3, min_periods=2)",
    "Expanding": "whole.expanding(2)",
    "ExponentialMovingWindow": "whole.ewm(com=1)",
    "Window": "whole.rolling(3, win_type='hamming', min_periods=2)",
}

_PAIRS = {
    "other": ("g.cov(other=whole['p'])", "g.cov(other=whole['q'])"),
    "pairwise": [
        ("g.cov(pairwise=True)", "g.cov(pairwise=False)"),
        ("g.cov(whole * whole, pairwise=True)", "g.cov(whole * whole, pairwise=False)"),
    ],
}


def _texts(subject, call):
    """The method of windows of a frame with texts."""
    return subject.replace("whole", "df[['i', 'b', 's']]") + f".{call}"


def _of(kind, own):
    named = {
        name: {**entries, "numeric_only": _texts(WINDOW_SUBJECTS[kind], f"{name}(numeric_only=True)")}
        for name, entries in own.items()
    }
    for name, entries in named.items():
        if name in ("cov", "corr"):
            entries["numeric_only"] = entries["numeric_only"].replace(", 's'", "")
        if name == "quantile":
            entries["numeric_only"] = entries["numeric_only"].replace("(n", "(0.5, n")
    return named


_AGG = {
    "func": ("g.agg(func='mean')", "g.agg(func=['mean', 'std'])"),
    "*args": ("g.agg('PARAMETER', FIRST)", "g.agg('PARAMETER', SECOND)"),
    "**kwargs": ("g.agg('PARAMETER', NAME=FIRST)", "g.agg('PARAMETER', NAME=SECOND)"),
}


def _agg(method, name, first, second):
    def given(text):
        text = text.replace("PARAMETER", method).replace("NAME", name)
        return text.replace("FIRST", first).replace("SECOND", second)

    return {parameter: tuple(map(given, texts)) for parameter, texts in _AGG.items()}


def _rows(kind):
    plain = ["count", "sum", "mean", "median", "min", "max", "skew", "kurt", "first", "last", "nunique"]
    own = {name: {} for name in plain}
    own |= {name: {"ddof": f"g.{name}(ddof=0)"} for name in ("std", "var", "sem")}
    own["quantile"] = {
        "q": ("g.quantile(q=0.25)", "g.quantile(q=0.5)"),
        "interpolation": "g.quantile(0.3, interpolation='lower')",
    }
    own["rank"] = {
        "method": "whole.rolling(4, min_periods=1).rank(method='min')",
        "ascending": "g.rank(ascending=False)",
        "pct": "g.rank(pct=True)",
    }
    own["cov"] = {**_PAIRS, "ddof": "g.cov(ddof=0)"}
    own["corr"] = {
        **{name: _as_corr(entry) for name, entry in _PAIRS.items()},
        "ddof": same("g.corr(ddof=0)", "divisors cancel out"),
    }
    return {
        **_of(kind, own),
        "agg": _agg("std", "ddof", "0", "1"),
        "apply": {
            "func": ("g.apply(func=np.sum)", "g.apply(func=np.max)"),
            "raw": "g.apply(lambda s: hasattr(s, 'index'), raw=True)",
            "engine": [
                same("g.apply(np.sum, engine='cython')", "it says how, not what"),
                refused("g.apply(np.sum, engine='numba')"),
            ],
            "engine_kwargs": refused("g.apply(np.sum, engine_kwargs={})"),
            "args": (
                "g.apply(lambda s, k: s.sum() * k, args=(2,))",
                "g.apply(lambda s, k: s.sum() * k, args=(3,))",
            ),
            "kwargs": (
                "g.apply(lambda s, k: s.sum() * k, kwargs={'k': 2})",
                "g.apply(lambda s, k: s.sum() * k, kwargs={'k': 3})",
            ),
        },
        "pipe": {
            "func": ("g.pipe(func=lambda y: y.sum())", "g.pipe(func=lambda y: y.max())"),
            "*args": ("g.pipe(lambda y, k: y.sum() * k, 2)", "g.pipe(lambda y, k: y.sum() * k, 3)"),
            "**kwargs": ("g.pipe(lambda y, k: y.sum() * k, k=2)", "g.pipe(lambda y, k: y.sum() * k, k=3)"),
        },
    }


def _as_corr(entry):
    if isinstance(entry, list):
        return [_as_corr(one) for one in entry]
    if isinstance(entry, refused):
        return refused(entry.code.replace(".cov(", ".corr("))
    return tuple(text.replace(".cov(", ".corr(") for text in entry)


_WEIGHTED_SUMS = ("sum", "mean", "var", "std")
_WEIGHTED = {
    "mean": {},
    "sum": {},
    "var": {"bias": "g.var(bias=True)"},
    "std": {"bias": "g.std(bias=True)"},
    "cov": {**_PAIRS, "bias": "g.cov(bias=True)"},
    "corr": {name: _as_corr(entry) for name, entry in _PAIRS.items()},
}

_BELLS = "whole.rolling(3, win_type='gaussian')"
_SHAPED = {
    name: {"**kwargs": (f"{_BELLS}.{name}(std=1)", f"{_BELLS}.{name}(std=2)")} for name in _WEIGHTED_SUMS
}
for _name in ("var", "std"):
    _SHAPED[_name]["ddof"] = f"g.{_name}(ddof=0)"

WINDOW_METHODS = {
    "Window": {**_of("Window", _SHAPED), "agg": _agg("std", "ddof", "0", "1")},
    "Rolling": _rows("Rolling"),
    "Expanding": _rows("Expanding"),
    "ExponentialMovingWindow": {
        **_of("ExponentialMovingWindow", _WEIGHTED),
        "agg": _agg("std", "bias", "True", "False"),
    },
}
