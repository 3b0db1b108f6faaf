"""What the parameters do that `DataFrame` and `Series` share; see `arguments_entries`."""

from arguments_entries import ours, refused, same

# What ``x`` stands for in entries that serve both.
SUBJECTS = {"DataFrame": "n", "Series": "v"}

# Missing elements before, between and behind others.
GAPS = "lib.Series([NAN, NAN, 1.0, NAN, NAN, 2.0, NAN, NAN])"

OLD = "pandas reads it no more: results never share what can be written"
CATEGORIES = "pandas reads it of categories, of which groups are not made"


# Rows with times, two of them the same.
TIMED = "lib.Series([1.0, 2.0, NAN, 4.0, 8.0], index=lib.to_datetime(['2020-01-01', '2020-01-02', '2020-01-02', '2020-01-05', '2020-01-06']))"

# Labels of one level of `deep`.
BY_LEVEL = "lib.DataFrame({'v': [1.0, 2.5]}, index=['b', 'a'])"

WINDOWS = {
    "rolling": {
        "window": [
            ("n.rolling(window=2).sum()", "n.rolling(window=3).sum()"),
            (f"{TIMED}.rolling('2D').sum()", f"{TIMED}.rolling('4D').sum()"),
        ],
        "min_periods": "x.rolling(3, min_periods=1).sum()",
        "center": "x.rolling(3, min_periods=1, center=True).sum()",
        "win_type": [
            *(
                f"numbers.rolling(4, win_type='{name}', min_periods=1).mean()"
                for name in (
                    "triang",
                    "bartlett",
                    "hann",
                    "hamming",
                    "blackman",
                    "nuttall",
                    "cosine",
                    "flattop",
                )
            ),
            "x.rolling(3, win_type='blackmanharris', center=True, min_periods=1).sum()",
            "numbers.rolling(3, win_type='bohman', step=2).sum()",  # of SciPy
            "whole.rolling(3, win_type='gaussian').mean(std=2)",
            "whole.rolling(2, win_type='exponential').mean(tau=3)",
            "whole.rolling(3, win_type='triang', min_periods=1).var()",
            "whole.rolling(3, win_type='hamming').std(ddof=0)",
            refused("whole.rolling(3, win_type='hann').var()"),
            refused("x.rolling(3, win_type='bogus')", ValueError),
        ],
        "closed": f"{TIMED}.rolling('1D', closed='both').sum()",
        "step": "x.rolling(1, step=2).sum()",
        "method": refused("x.rolling(2, method='table')"),
    },
    "expanding": {
        "min_periods": "x.expanding(min_periods=3).sum()",
        "method": refused("x.expanding(method='table')"),
    },
    "ewm": {
        "com": ("x.ewm(com=1).mean()", "x.ewm(com=2).mean()"),
        "span": ("x.ewm(span=3).mean()", "x.ewm(span=2).mean()"),
        "halflife": [
            ("x.ewm(halflife=1).mean()", "x.ewm(halflife=2).mean()"),
            (
                f"{TIMED}.ewm(halflife='1D', times={TIMED}.index).mean()",
                f"{TIMED}.ewm(halflife='7h', times={TIMED}.index).mean()",
            ),
            refused("x.ewm(halflife='1D')", ValueError, "times"),
        ],
        "alpha": ("x.ewm(alpha=0.2).mean()", "x.ewm(alpha=0.5).mean()"),
        "min_periods": "x.ewm(com=1, min_periods=2).mean()",
        "adjust": "x.ewm(com=1, adjust=False).mean()",
        "ignore_na": f"{TIMED}.ewm(com=1, ignore_na=True).mean()",
        "times": [
            f"{TIMED}.to_frame('t').ewm(halflife='30h', times={TIMED}.index).mean()",
            f"{TIMED}.ewm(halflife='30h', times={TIMED}.index, com=2, ignore_na=True, min_periods=2).mean()",
            f"{TIMED}.ewm(halflife='30h', times={TIMED}.index, adjust=False).mean()",
            refused(
                f"{TIMED}.ewm(halflife='30h', times={TIMED}.index).var()",
                error=(NotImplementedError,),
                says="implemented with times",
            ),
            refused("x.ewm(halflife='1D', times=[1, 2, 3, 4, 5])", ValueError, "times must be"),
        ],
        "method": refused("x.ewm(com=1, method='table')"),
    },
}


def inplace(call):
    return f"after(x, lambda d: d.{call[:-1]}, inplace=True))".replace("(, ", "(")


def _operators():
    """The entries of the methods for operators, of frames and of series."""
    frame, series = {}, {}
    arithmetic = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]
    for name in arithmetic + [f"r{name}" for name in arithmetic] + ["eq", "ne", "lt", "le", "gt", "ge"]:
        close = (
            9 if name in ("gt", "ge") else 2 if name in ("eq", "ne") else 1
        )  # compares as missing does not
        compared = name in ("eq", "ne", "lt", "le", "gt", "ge")
        frame[name] = {
            "other": (f"whole.{name}(other=2)", f"whole.{name}(other=whole['p'].sum())"),
            "axis": f"whole.{name}(whole['p'], axis=0)",
            "level": [f"deep.{name}({BY_LEVEL}, level='o')", f"deep.{name}({BY_LEVEL}.v, axis=0, level=0)"],
        }
        # Comparisons of frames have none in pandas.
        filled = f"n.{name}(2, fill_value=1)"
        frame[name]["fill_value"] = refused(filled, TypeError) if compared else filled
        series[name] = {
            "other": (f"v.{name}(other=0)", f"v.{name}(other=whole['p'])"),
            "axis": refused(f"v.{name}(2, axis=1)", ValueError),
            "level": f"deep.v.{name}({BY_LEVEL}.v, level='o')",
            "fill_value": f"v.{name}(v2, fill_value=2)"
            if not compared
            else f"v.{name}(2, fill_value={close})",
        }
    return frame, series


FRAME_OPERATORS, SERIES_OPERATORS = _operators()


def _reductions():
    shared = {}
    for name in ["sum", "prod", "min", "max", "mean", "median", "std", "var", "sem"]:
        shared[name] = {
            "skipna": f"x.{name}(skipna=False)",
            "**kwargs": refused(f"x.{name}(dtype='float32')", ValueError, "dtype"),
        }
    for name in ["sum", "prod"]:
        shared[name]["min_count"] = f"x.{name}(min_count=4)"
    for name in ["std", "var", "sem"]:
        shared[name]["ddof"] = f"x.{name}(ddof=0)"
    for name in ["skew", "kurt"]:
        shared[name] = {
            "skipna": f"df[['f']].{name}(skipna=False)",
            "**kwargs": refused(f"x.{name}(dtype='float32')", ValueError, "dtype"),
        }
    frame = {
        name: {
            **entries,
            "axis": f"n.{name}(axis=1)",
            "numeric_only": f"df[['i', 's']].{name}(numeric_only=True)",
        }
        for name, entries in shared.items()
    }
    series = {
        name: {
            **entries,
            "axis": refused(f"v.{name}(axis=1)", ValueError),
            "numeric_only": refused(f"text.dropna().{name}(numeric_only=True)", TypeError),
        }
        for name, entries in shared.items()
    }
    return frame, series


FRAME_REDUCTIONS, SERIES_REDUCTIONS = _reductions()

SHARED = {
    "apply": {
        "func": ("x.apply(func='sum')", "x.apply(func='max')"),
        "**kwargs": ("x.apply('sum', min_count=4)", "x.apply('sum', min_count=0)"),
    },
    "astype": {
        "dtype": ("x.fillna(0).astype(dtype='float32')", "x.fillna(0).astype(dtype='int64')"),
        "copy": same("x.astype('float32', copy=False)", OLD),
        "errors": [
            "text.astype('int64', errors='ignore')",
            refused("x.astype('float32', errors='bogus')", ValueError),
        ],
    },
    "bfill": {
        "axis": ["n.bfill(axis=1)", refused("x.bfill(axis='bogus')", ValueError)],
        "inplace": inplace("bfill()"),
        "limit": [GAPS + ".bfill(limit=1)", refused("x.bfill(limit=0)", ValueError, "Limit")],
        "limit_area": [
            GAPS + ".bfill(limit_area='inside')",
            refused("x.bfill(limit_area='bogus')", ValueError),
        ],
    },
    "interpolate": {
        "method": [
            "lib.Series([1, np.nan, 3], index=[0, 1, 5]).interpolate(method='index')",
            refused("n.interpolate(method='bogus')", ValueError),
        ],
        "axis": ["n[['q', 'p']].interpolate(axis=1)", refused("n.interpolate(axis='bogus')", ValueError)],
        "limit": "lib.Series([1, np.nan, np.nan, 3]).interpolate(limit=1)",
        "inplace": "after(lib.Series([1, np.nan, 3]), lambda d: d.interpolate(inplace=True))",
        "limit_direction": [
            "lib.Series([np.nan, np.nan, 3]).interpolate(limit_direction='both')",
            refused("n.interpolate(limit_direction='bogus')", ValueError),
        ],
        "limit_area": [
            "lib.Series([1, np.nan, 3, np.nan]).interpolate(limit_area='inside')",
            refused("n.interpolate(limit_area='bogus')", ValueError),
        ],
        "**kwargs": refused("n.interpolate(bogus=1)", TypeError, "bogus"),
    },
    "ffill": {
        "axis": ["n.ffill(axis=1)", refused("x.ffill(axis='bogus')", ValueError)],
        "inplace": inplace("ffill()"),
        "limit": [GAPS + ".ffill(limit=1)", refused("x.ffill(limit=1.5)", ValueError, "Limit")],
        "limit_area": [
            GAPS + ".ffill(limit_area='outside')",
            refused("x.ffill(limit_area='bogus')", ValueError),
        ],
    },
    "clip": {
        "**kwargs": refused("x.clip(2, dtype='float32')", ValueError, "dtype"),
        "lower": "x.clip(lower=2)",
        "upper": "x.clip(upper=2)",
        "axis": [
            ("whole.clip([1, 2, 3, 4], axis=0)", "whole.clip([1, 2], axis=1)"),
            refused("whole.clip(whole.p)", ValueError),
            refused("x.clip(2, 3, axis='bogus')", ValueError),
        ],
        "inplace": "after(x, lambda d: d.clip(2, 3, inplace=True))",
    },
    "to_device": {"device": ours("x.to_device(device='emulator')", "x")},
    "copy": {
        "deep": ours(
            "after(x, lambda d: d.copy(deep=False).iloc.__setitem__(0, 9))",
            "after(x, lambda d: d.iloc.__setitem__(0, 9))",
        )
    },
    "cummax": {
        "skipna": "x.cummax(skipna=False)",
        "**kwargs": refused("x.cummax(dtype='float32')", ValueError, "dtype"),
    },
    "cummin": {
        "skipna": "x.cummin(skipna=False)",
        "**kwargs": refused("x.cummin(dtype='float32')", ValueError, "dtype"),
    },
    "cumprod": {
        "skipna": "x.cumprod(skipna=False)",
        "**kwargs": refused("x.cumprod(dtype='float32')", ValueError, "dtype"),
    },
    "cumsum": {
        "skipna": "x.cumsum(skipna=False)",
        "**kwargs": refused("x.cumsum(dtype='float32')", ValueError, "dtype"),
    },
    "describe": {"percentiles": "x.describe(percentiles=[0.1, 0.5])"},
    "diff": {"periods": "x.diff(periods=-1)"},
    "drop": {
        "labels": ("x.drop(labels='a')", "x.drop(labels=['a', 'c'])"),
        "axis": "n.drop('p', axis=1)",
        "index": ("x.drop(index='a')", "x.drop(index=['a', 'c'])"),
        "level": [
            "deep.v.drop(2, level='n')",
            "deep.drop([1], level='n')",
            refused("deep.drop('bogus', level=0)", KeyError),
        ],
        "inplace": inplace("drop('a')"),
        "errors": "x.drop('bogus', errors='ignore')",
    },
    "drop_duplicates": {
        "keep": "x.drop_duplicates(keep=False)",
        "inplace": inplace("drop_duplicates()"),
        "ignore_index": "x.drop_duplicates(ignore_index=True)",
    },
    "dropna": {"inplace": inplace("dropna()"), "ignore_index": "x.dropna(ignore_index=True)"},
    "equals": {"other": ("x.equals(other=x.copy())", "x.equals(other=x.head(2))")},
    "fillna": {
        "value": ("x.fillna(value=0)", "x.fillna(value=7.5)"),
        "axis": [
            same("x.fillna(0, axis=0)", "one scalar for all"),
            refused("x.fillna(0, axis='bogus')", ValueError),
        ],
        "inplace": inplace("fillna(0)"),
        "limit": [GAPS + ".fillna(0, limit=1)", "n.assign(r=n['p']).fillna(0, axis=1, limit=1)"],
    },
    "get": {"default": "x.get('bogus', default=3)"},
    "xs": {
        "key": ("deep.xs(key='a')", "deep.xs(key='b')"),
        "axis": ["wide.xs('a', axis=1)", refused("x.xs('a', axis='bogus')", ValueError)],
        "level": ["deep.xs(1, level='n')", refused("x.xs('a', level=0)", TypeError, "MultiIndex")],
        "drop_level": "deep['v'].xs(1, level=1, drop_level=False)",
    },
    "groupby": {
        "level": "x.groupby(level=0, sort=False).count()",
    },
    "head": {"n": "x.head(n=2)"},
    "tail": {"n": "x.tail(n=2)"},
    "mask": {
        "cond": ("x.mask(cond=x > 2)", "x.mask(cond=x > 0)"),
        "other": "x.mask(x > 2, other=0)",
        "inplace": inplace("mask(d > 2)"),
        "axis": refused("x.mask(x > 2, axis=7)", ValueError),
        "level": [
            f"deep.v.mask(deep.v > 2, {BY_LEVEL}.v, level='o')",
            f"deep.mask(deep > 2, {BY_LEVEL}, level='o')",
        ],
    },
    "where": {
        "cond": ("x.where(cond=x > 2)", "x.where(cond=x > 0)"),
        "other": "x.where(x > 2, other=0)",
        "inplace": inplace("where(d > 2)"),
        "axis": refused("x.where(x > 2, axis=7)", ValueError),
        "level": [
            f"deep.v.where(deep.v > 2, {BY_LEVEL}.v, level='o')",
            f"deep.where(deep > 2, {BY_LEVEL}, level='o')",
        ],
    },
    "memory_usage": {},
    "nlargest": {"keep": ["numbers.nlargest(1, keep='last')", "whole.nlargest(2, 'q', keep='all')"]},
    "nsmallest": {"keep": ["v.nsmallest(1, keep='last')", "whole.assign(q=1).nsmallest(1, 'q', keep='all')"]},
    "pct_change": {
        "periods": "x.pct_change(periods=2)",
        "fill_method": refused("x.pct_change(fill_method='ffill')", ValueError),
        "freq": "lib.Series([1.0, 2.0, 4.0], lib.date_range('2020', periods=3)).pct_change(freq='2D')",
    },
    "pipe": {
        "func": ("x.pipe(func=len)", "x.pipe(func=lambda y: y.size + 1)"),
        "*args": ("x.pipe(lambda y, k: y * k, 2)", "x.pipe(lambda y, k: y * k, 3)"),
        "**kwargs": ("x.pipe(lambda y, k: y * k, k=2)", "x.pipe(lambda y, k: y * k, k=3)"),
    },
    "rank": {
        "method": "x.rank(method='first')",
        "na_option": "x.rank(na_option='bottom')",
        "ascending": "x.rank(ascending=False)",
        "pct": "x.rank(pct=True)",
    },
    "reindex": {
        "index": "x.reindex(index=['c', 'a', 'z'])",
        "**kwargs": refused("x.reindex(index=['a'], bogus=1)", TypeError, "bogus"),
        "method": [
            "x.reindex(index=['a', 'cc'], method='ffill')",
        ],
        "copy": [
            same("x.reindex(index=['a'], copy=False)", OLD),
            refused("x.reindex(['a'], copy=3)", TypeError),
        ],
        "level": [
            "deep.reindex(index=['a'], level='o')",
            "deep.v.reindex([1, 2], level='n')",
            f"{BY_LEVEL}.v.reindex(deep.index, level='o')",
            refused("deep.reindex(['a'], level=0, method='ffill')", TypeError, "level"),
        ],
        "fill_value": [
            "x.reindex(index=['a', 'z'], fill_value=0)",
            "n.reindex(columns=['q', 'z'], fill_value=0)",
        ],
        "limit": "whole.p.reindex(index=['bb', 'bc'], method='ffill', limit=1)",
        "tolerance": "numbers.reindex(index=[1, 9], method='nearest', tolerance=1)",
    },
    "asof": {
        "where": ("x.reset_index(drop=True).asof(where=1)", "x.reset_index(drop=True).asof(where=[0, 7])"),
        "subset": [
            "n.reset_index(drop=True).asof(1, subset=['q'])",
            refused(
                "v.reset_index(drop=True).asof(1, subset=['v'])", ValueError, "subset is not valid for Series"
            ),
        ],
    },
    "reindex_like": {
        "other": ("v.reindex_like(other=v2)", "v.reindex_like(other=v.head(2))"),
        "method": "lib.Series([1.0, 2.0], [1, 5]).reindex_like(lib.Series([0.0, 0.0], [2, 6]), method='ffill')",
        "copy": same("v.reindex_like(v2, copy=False)", "copies are made when they are written"),
        "limit": (
            "lib.Series([1.0, 2.0], [1, 5]).reindex_like(lib.Series([0.0] * 2, [2, 3]), method='ffill', limit=1)"
        ),
        "tolerance": (
            "lib.Series([1.0, 2.0], [1, 5]).reindex_like(lib.Series([0.0] * 2, [2, 9]), method='ffill', tolerance=1)"
        ),
    },
    "replace": {
        "to_replace": "x.replace(to_replace=1.0, value=9)",
        "value": ("x.replace(1.0, value=9)", "x.replace(1.0, value=8)"),
        "inplace": inplace("replace(1.0, 9)"),
        "regex": "text.replace('[ab]', 'z', regex=True)",
    },
    "reset_index": {
        "level": "deep.reset_index(level='n')",
        "drop": "x.reset_index(drop=True)",
        "inplace": "after(x, lambda d: d.reset_index(drop=True, inplace=True))",
    },
    "round": {
        "decimals": "(x / 3).round(decimals=2)",
        "how": [
            ours("(x * 0 + 2.5).round(how='half_up')", "x * 0 + 3.0"),
            refused("x.round(how='bogus')", ValueError),
        ],
        "**kwargs": refused("x.round(out=[])", ValueError, "out"),
    },
    "sample": {
        "n": "x.sample(n=3, random_state=1)",
        "frac": "x.sample(frac=0.5, random_state=1)",
        "replace": "x.sample(n=9, replace=True, random_state=1)",
        "weights": ("x.sample(random_state=2)", "x.sample(weights=[0, 1, 0, 0], random_state=2)"),
        "random_state": ("x.sample(3, random_state=1)", "x.sample(3, random_state=4)"),
        "axis": [
            "n.sample(n=1, axis=1, random_state=5)",
            refused("x.sample(axis='bogus')", ValueError),
        ],
        "ignore_index": "x.sample(4, ignore_index=True, random_state=1).index",
    },
    "shift": {
        "periods": "x.shift(periods=-2)",
        "freq": [
            "lib.Series([1, 2], index=lib.date_range('2020', periods=2)).shift(freq='2h')",
            "lib.Series([1, 2], index=lib.date_range('2020', periods=2)).to_frame().shift(2, freq='BME')",
        ],
        "axis": ["whole.shift(axis=1)", refused("x.shift(axis='bogus')", ValueError)],
        "fill_value": "x.shift(fill_value=9)",
        "suffix": ["whole.shift([1, 2], suffix='_s')", refused("x.shift(suffix='_s')", ValueError)],
    },
    "sort_index": {
        "level": "deep.sort_index(level='n')",
        "ascending": "x.sort_index(ascending=False)",
        "inplace": "after(x, lambda d: d.sort_index(ascending=False, inplace=True))",
        "kind": [
            same("x.sort_index(kind='stable')", "equal rows always keep their order"),
            refused("x.sort_index(kind='bogus')", ValueError),
        ],
        "na_position": [
            "df.set_index('s')[['i']].sort_index(na_position='first')",
            refused("x.sort_index(na_position='bogus')", ValueError),
        ],
        "sort_remaining": "deep.sort_index(level='n', sort_remaining=False)",
        "ignore_index": "x.sort_index(ignore_index=True)",
        "key": "x.sort_index(key=lambda i: i.map({'a': 3, 'b': 1, 'c': 2, 'd': 0}))",
    },
    "squeeze": {},
    "take": {
        "indices": ("x.take(indices=[0, 2])", "x.take(indices=[-1])"),
    },
    "to_json": {
        "path_or_buf": ours("written(lambda file: x.to_json(path_or_buf=file)) == x.to_json()", "True"),
        "orient": "x.to_json(orient='split')",
        "date_format": "times.to_json(date_format='iso')",
        "double_precision": "(x / 7).to_json(double_precision=3)",
        "force_ascii": "text.to_json(force_ascii=False)",
        "date_unit": "times.to_json(date_unit='us')",
        "lines": "x.to_json(orient='records', lines=True)",
        "compression": refused("x.to_json('/tmp/bogus.json', compression='bogus')", ValueError, "bogus"),
        "index": "x.to_json(orient='split', index=False)",
        "indent": "x.to_json(indent=2)",
        "storage_options": refused(
            "x.to_json(storage_options={'anon': True})", ValueError, "storage_options"
        ),
        **{name: refused(f"x.to_json({name}={value})") for name, value in {"default_handler": "str"}.items()},
        "mode": refused("x.to_json(mode='a')", ValueError),
        "engine": [
            ours("x.to_json(engine='cudf') == x.to_json(orient='records')", "True"),
            refused("x.to_json(engine='bogus')"),
        ],
        "**kwargs": refused("x.to_json(bogus=1)", TypeError, "bogus"),
    },
    "to_string": {
        "buf": ours("written(lambda file: x.to_string(buf=file)) == x.to_string()", "True"),
        "na_rep": "x.to_string(na_rep='-')",
        "float_format": [
            "x.to_string(float_format='%.3f')",
            "x.to_string(float_format='{:,.1f}'.format)",
            "x.to_string(float_format='<%.1e>')",
            "x.to_string(float_format=lambda x: f'<{x}>')",
            refused("x.to_string(float_format=3)", TypeError),
        ],
        "index": "x.to_string(index=False)",
        "max_rows": "lib.concat([x] * 3).to_string(max_rows=4)",
        "min_rows": "lib.concat([x] * 9).to_string(max_rows=8, min_rows=4)",
    },
    "to_numpy": {
        "dtype": "x.to_numpy(dtype='float32').ravel()",
        "copy": same("whole.to_numpy(copy=True).ravel()", "whose memory it is"),
        "na_value": "x.to_numpy(na_value=-1.0).ravel()",
    },
}


def with_shared(own):
    """The entries of a class beside those that both classes have."""
    shared = SHARED | WINDOWS
    return {name: {**shared.get(name, {}), **own.get(name, {})} for name in [*own, *shared]}
