"""Frames of many columns or of one, nested elements, zones and rows: Cuprum and pandas in turns, in one process.

    python benchmarks/wide_and_nested.py [--rows 100000] [--columns 10000] [--repeat 5] [--only TEXT] [--above 0]

Frames: `wide` has `--columns` columns of floats in 5 rows, `tall` one column of `--rows` floats, `genes` 5 rows of
1434 floats with the groups `group` of its columns, `few` six columns of floats with missing ones, `whole` three of
integers with missing ones, `mixed` numbers, texts and times. Series of `--rows` elements: `structs` (dicts of two
fields in pandas), `lists`, `naive` and `zoned` times. `dicts` is a list of dicts. Each figure is the least time in
milliseconds; expressions stand by their ratio (ours ÷ pandas'), the slowest first.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import pandas as pd
from turns import best

import cuprum

EXPRESSIONS = """
lib.DataFrame(data); lib.DataFrame(matrix); lib.DataFrame(matrix, columns=names); wide[names[::2]]; wide[names[7]]
wide.iloc[:, ::2]; wide.iloc[2]; wide.iloc[[0, 2]]; wide.loc[:, names[::2]]; wide.loc[3]; wide.loc[3, names[5]]
wide.sum(); wide.mean(); wide.std(); wide.min(); wide.median(); wide.count(); wide.nunique(); wide.sum(axis=1)
wide.mean(axis=1); wide.describe(); wide.to_dict(); wide.to_dict("list"); wide.to_dict("records"); wide.to_numpy()
list(wide.iterrows()); list(wide.itertuples(index=False, name=None)); lib.concat([wide, wide])
lib.concat([wide, other], axis=1); wide + 1; wide + wide; -wide; wide > 0; wide.abs(); wide.round(2); np.sqrt(wide)
wide.copy(); wide.copy(deep=False); wide.drop(columns=names[:5]); wide.drop(columns=names[::2])
wide.rename(columns={names[0]: "x"}); wide.rename(columns=str.upper); wide.add_prefix("p"); wide.T; wide.isna()
wide.isna().sum(); wide.fillna(0); wide.dropna(axis=1); wide.dropna(); wide.astype("float32"); wide.assign(z=1.0)
wide.reindex(columns=names[::-1]); wide.sort_index(axis=1); wide.head(2); wide.shift(); wide.cumsum(); wide.corrwith(wide)
wide.dtypes; wide.columns; repr(wide); wide.info(buf=io.StringIO()); wide.equals(wide.copy()); wide.reset_index()
wide.set_index(names[0]); wide[wide[names[0]] > 0]; wide.where(wide > 0); wide.clip(0, 1); wide.rank(); wide.stack()
wide.melt(); wide.select_dtypes("number"); wide.filter(like="9"); wide.agg(["sum", "mean"]); wide.apply("sum")
wide.apply(lambda c: c.max() - c.min()); list(wide.items()); [wide[name] for name in names]; wide.idxmax()
wide.groupby([0, 0, 1, 1, 1]).sum(); wide.sort_values(names[0]); wide.memory_usage(); wide.quantile(0.5)
wide.merge(wide[names[:1]], on=names[0]); wide.values; np.asarray(wide); wide.replace(0.0, 1.0); wide.any(); wide.diff()
genes.T.groupby(group).mean(); genes.T.groupby(group).sum(); genes.mean(); genes.corr(); genes.T
tall.sum(); tall.mean(); tall + 1; tall.describe(); tall.T; tall.copy(); tall.to_dict("list"); tall.isna().any(axis=1)
structs.tolist(); lib.Series(dicts); lib.DataFrame(dicts); lists.tolist(); lists.map(len); structs.apply(lambda d: d["a"])
structs.map(lambda d: d["b"]); lists.apply(sum); lists.explode(); lists.str.len(); lists.str[0]; lib.Series(nested)
list(structs); list(lists); lib.json_normalize(dicts)
whole.apply(lambda r: r.sum(), axis=1); whole.apply(lambda r: r["a"], axis=1); mixed.apply(lambda r: r["i"], axis=1)
few.apply(lambda r: r["a"] + r["b"], axis=1); few.isna().any(axis=1); few.isna().all(axis=1); (few > 0).any(axis=1)
few.T; few.corr(); few.cov(); few.corr(method="spearman"); few[few.isna().any(axis=1)]; few.notna().sum(axis=1)
zoned.dt.tz_convert("Asia/Tokyo"); naive.dt.tz_localize("Europe/Berlin", ambiguous="NaT", nonexistent="NaT")
naive.dt.tz_localize("UTC"); zoned.dt.tz_localize(None); zoned.dt.hour; zoned.dt.year; zoned.dt.date; repr(zoned)
zoned.dt.day_name(); zoned.dt.floor("D"); zoned.dt.strftime("%Y-%m-%d %H:%M"); str(zoned.head(50)); zoned.max()
zoned.dt.normalize(); zoned.dt.time; zoned.tolist(); naive.tolist(); durations.tolist(); zoned.to_numpy(); list(zoned)
zoned.astype("str"); naive.to_numpy(); zoned.sort_values(); zoned == zoned; zoned - zoned; zoned.dt.dayofweek
zoned.dt.is_month_end; zoned + pd_.Timedelta("1h"); zoned + pd_.DateOffset(months=1)
np.asarray(few); few.to_numpy(); few.iloc[:100]; few.iloc[:, [0, 2]]; few[["a", "c"]]; np.asarray(few[["a", "c"]])
few.iloc[picks]; np.asarray(mixed[["s"]]); mixed[["s"]].to_numpy(); mixed["s"].to_numpy(); mixed.iloc[picks]
pipeline.fit(mixed[["i", "f", "s"]], label); fitted.predict(mixed[["i", "f", "s"]])
"""


def names(lib, rows, columns):
    """What expressions may name, of one library."""
    rng = np.random.default_rng(17)
    labels = [f"column {i}" for i in range(columns)]
    matrix = rng.standard_normal((5, columns))
    made = lib.DataFrame(matrix, columns=labels)
    genes = lib.DataFrame(rng.random((5, 1434)), columns=[f"gene {i}" for i in range(1434)])
    few = rng.standard_normal((rows, 6))
    few[rng.random((rows, 6)) < 0.05] = np.nan
    whole = {
        name: pd.array(np.where(rng.random(rows) < 0.1, None, rng.integers(0, 9, rows)), dtype="Int64")
        for name in "abc"
    }
    times = pd.Series(pd.to_datetime(1_700_000_000 + rng.integers(0, 10**8, rows), unit="s"))
    mixed = pd.DataFrame(
        {
            "i": np.arange(rows),
            "f": few[:, 0],
            "s": rng.choice(["alpha", "beta", "gamma"], rows),
            "t": times,
        }
    )
    dicts = [{"a": i, "b": f"text {i % 9}"} for i in range(rows)]
    nested = [[i, i + 1, i + 2][: i % 4] for i in range(rows)]
    zoned = times.dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin")
    own = (lambda made: made) if lib is pd else lib.from_pandas

    def pipeline():
        from sklearn.compose import ColumnTransformer
        from sklearn.impute import SimpleImputer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder, StandardScaler

        numbers = make_pipeline(SimpleImputer(), StandardScaler())
        parts = ColumnTransformer([("n", numbers, ["i", "f"]), ("s", OneHotEncoder(), ["s"])])
        return make_pipeline(parts, LogisticRegression(max_iter=50))

    mixed_own = own(mixed)
    label = rng.integers(0, 2, rows)
    try:
        models = {"pipeline": pipeline(), "fitted": pipeline().fit(mixed_own[["i", "f", "s"]], label)}
    except ImportError:
        models = {}
    import io

    return {
        "lib": lib,
        "pd_": pd,
        "np": np,
        "io": io,
        "names": labels,
        "data": {label: matrix[:, i] for i, label in enumerate(labels)},
        "matrix": matrix,
        "wide": made,
        "other": lib.DataFrame(matrix, columns=[f"other {i}" for i in range(columns)]),
        "genes": genes,
        "group": np.arange(1434) % 7,
        "tall": lib.DataFrame({"a": few[:, 0]}),
        "few": lib.DataFrame(few, columns=list("abcdef")),
        "whole": own(pd.DataFrame(whole)),
        "mixed": mixed_own,
        "dicts": dicts,
        "nested": nested,
        "structs": lib.Series(dicts),
        "lists": lib.Series(nested),
        "naive": own(times),
        "zoned": own(zoned),
        "durations": own(times - times[0]),
        "picks": rng.permutation(rows)[: rows // 2],
        "label": label,
        **models,
    }


def main() -> None:
    """Print times and ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=float, default=1e5)
    parser.add_argument("--columns", type=float, default=1e4)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", help="what an expression has to contain")
    parser.add_argument("--above", type=float, default=0.0, help="the least ratio to print")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    of = {lib: names(lib, int(arguments.rows), int(arguments.columns)) for lib in (cuprum, pd)}
    found = []
    for expression in EXPRESSIONS.replace("\n", ";").split(";"):
        expression = expression.strip()
        if not expression or (arguments.only and arguments.only not in expression):
            continue
        code = compile(expression, "<expression>", "eval")
        runs = {
            name: lambda lib=lib, code=code: eval(code, of[lib])
            for name, lib in (("ours", cuprum), ("pandas", pd))
        }
        try:
            times = best(runs, arguments.repeat)
        except Exception as error:
            print(f"{expression}: {type(error).__name__}: {str(error)[:100]}", flush=True)
            continue
        found.append((times["ours"] / times["pandas"], expression, times))
    print("\n| ours, ms | pandas, ms | ratio | expression |\n|---:|---:|---:|---|")
    for ratio, expression, times in sorted(found, reverse=True, key=lambda row: row[0]):
        if ratio >= arguments.above:
            print(
                f"| {times['ours'] * 1e3:.2f} | {times['pandas'] * 1e3:.2f} | {ratio:.2f} | `{expression}` |"
            )


if __name__ == "__main__":
    main()
