"""Everyday expressions over a million rows: Cuprum and pandas in turns, in one process.

    python benchmarks/everyday.py [--rows 1000000] [--repeat 3] [--only TEXT] [--above 0]

`df` has numbers `i` (int64), `b` (int32), `f` (float64), `n` (float64 with nulls), texts `s` (with nulls) and `w`
(words), a category `c`, booleans `q` and times `t`; `df2` is every third row of it, `m` has a two-level index, `ti` an
index of times, `si` one of distinct texts. Each figure is the least time in milliseconds; expressions stand by their
ratio (ours ÷ pandas'), the slowest first. `--above 1` prints only those above 1. What fails on either side says so.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import pandas as pd
from turns import best

import cuprum

EXPRESSIONS = """
i + 1; i // 7; i % 7; i % -7; b // 7; b % 7; i ** 2; f ** 2; f ** 0.5; f % 3; f // 3; i / 7; -f; ~q; q & q; f * n
abs(i); i == 3; i < f; f.round(2); f.clip(0, 1); f.abs(); np.sqrt(f.abs()); i.astype("float64"); f.astype("int64")
i.astype("str"); i.astype("int32"); s.astype("category"); i.between(10, 100000); n.isna(); n.notna(); n.fillna(0)
f.sum(); f.mean(); f.median(); f.std(); f.var(); f.sem(); f.min(); f.max(); f.prod(); f.skew(); f.kurt(); n.skew()
n.kurt(); i.skew(); f.idxmax(); f.idxmin(); n.idxmax(); i.idxmax(); f.argmax(); f.quantile(0.9); f.mode(); i.mode()
f.nunique(); i.nunique(); f.describe(); f.any(); q.all(); f.count(); n.count(); f.autocorr(); f.cov(n); f.corr(n)
f.corr(n, method="spearman"); f.cumsum(); n.cumsum(); f.cumprod(); f.cummax(); f.diff(); f.shift(2); f.pct_change()
f.rank(); f.rank(method="dense"); f.rank(pct=True); n.rank(); n.ffill(); n.bfill(); n.ffill(limit=2)
n.bfill(limit=2); s.bfill(limit=2); n.interpolate(); n.dropna(); n.where(n > 0); n.mask(n > 0, 0); f.isin([1, 2, 3])
i.isin([1, 2, 3]); s.isin(["alpha", "beta"]); i.unique(); s.unique(); i.duplicated(); i.drop_duplicates()
i.value_counts(); s.value_counts(); w.value_counts(); f.value_counts(bins=10); i.factorize()[0]; s.factorize()[0]
f.sort_values(); n.sort_values(); i.sort_values(); s.sort_values(); w.sort_values(); f.nlargest(10)
f.nsmallest(10); f.argsort(); i.map({1: 2, 3: 4}); s.map({"alpha": "x", "beta": "y"}); i.replace(3, 4)
s.replace("alpha", "x"); i.replace({1: 2, 3: 4}); f.head(100); f.tail(100); f[f > 0]; f[::2]; f.sample(1000)
f.reset_index(drop=True); f.to_numpy(); s.to_numpy(); i.tolist(); s.tolist(); f.combine_first(n); n.combine_first(f)
n.combine_first(df2.f); n.copy().update(f); f.compare(n); f.equals(f.copy()); f.copy(); i.is_monotonic_increasing
i.is_unique; f.ewm(span=10).mean(); f.ewm(alpha=0.5).std(); f.expanding().mean(); f.expanding().max()
f.rolling(10).sum(); f.rolling(10).mean(); f.rolling(10).std(); f.rolling(10).max(); f.rolling(10).median()
f.rolling(10).skew(); f.rolling(10).quantile(0.5); f.rolling(10, center=True).mean(); f.rolling(10).corr(n)
ti.f.rolling("1h").sum(); ti.f.rolling("1h").mean(); ti.f.rolling("1h").max(); ti.f.resample("1h").mean()
ti.f.resample("1D").sum(); ti.f.asfreq("1min"); ti.f.loc["2020-02"]; ti.f.between_time("09:00", "17:00")
s.str.upper(); s.str.lower(); s.str.title(); s.str.capitalize(); s.str.swapcase(); s.str.len(); s.str.strip()
s.str.contains("al"); s.str.contains("a.*a"); s.str.startswith("al"); s.str.endswith("a"); s.str.replace("a", "b")
s.str.replace("a+", "b", regex=True); s.str.repeat(2); s.str.slice(1, 3); s.str[0]; s.str.get(1); s.str.find("a")
s.str.count("a"); s.str.pad(10); s.str.zfill(10); s.str.center(10); s.str.cat(s); s.str.cat(sep=","); s.str.isalpha()
s.str.isdigit(); s.str.isnumeric(); s.str.isupper(); s.str.isspace(); s.str.isalnum(); s.str.split("l")
w.str.split(" ", expand=True); w.str.get_dummies(" "); w.str.extract("(\\\\w+) (\\\\w+)"); w.str.findall("a")
w.str.partition(" "); s.str.fullmatch("alpha"); s.str.match("al"); s.str.removeprefix("al"); s.str.join("-")
s + "x"; s == "alpha"; s < "beta"; s + s; s.min(); s.max(); s.sum(); s.nunique(); s.isna(); s.fillna("x")
c == "alpha"; c.value_counts(); c.cat.codes; c.astype("str"); c.isin(["alpha"]); c.unique(); c.sort_values()
c.cat.rename_categories(str.upper); c.map({"alpha": 1.0}); c.cat.remove_unused_categories(); c.nunique()
t.dt.year; t.dt.month; t.dt.day; t.dt.hour; t.dt.dayofweek; t.dt.date; t.dt.floor("1h"); t.dt.round("1D")
t.dt.strftime("%Y-%m-%d"); t.dt.day_name(); t.dt.normalize(); t.dt.quarter; t.dt.is_month_end; t.dt.isocalendar()
t.diff(); t + pd_.Timedelta("1D"); t - t.min(); t.dt.tz_localize("UTC"); t.max()
t > "2020-03-01"; t.sort_values(); t.dt.days_in_month; t.astype("str")
df.sum(numeric_only=True); df.mean(numeric_only=True); df.describe(); df[["i", "f"]].corr(); df[["f", "n"]].cov()
df[["f", "n"]].idxmax(); df[["f", "n"]].skew(); df[["f", "n"]].kurt(); df.count(); df.nunique(); df.isna().sum()
df[["i", "f"]].sum(axis=1); df[["f", "n"]].mean(axis=1); df[["f", "n"]].max(axis=1); df[["f", "n"]].idxmax(axis=1)
df.sort_values("f"); df.sort_values(["b", "f"]); df.sort_values("s"); df.sort_index(ascending=False); df.head()
df[df.f > 0]; df.query("f > 0 and i < 500"); df.eval("f + n * 2"); df.assign(z=df.f + 1); df.drop(columns="f")
df.dropna(); df.fillna({"n": 0}); df.drop_duplicates(["i", "w"]); df.duplicated(["i", "w"]); df.nlargest(10, "f")
df.set_index("i"); df.reset_index(); df.rename(columns={"i": "j"}); df.sample(1000); df.iloc[::3]; df.iloc[picks]
df.loc[picks]; df.loc[df.q, "f"]; df.at[5, "f"]; df.iat[5, 2]; df.take(picks); df.reindex(picks); df.copy()
df[["f", "n"]].compare(df[["f", "n"]].fillna(0)); df[["f", "n"]].combine_first(df2[["f", "n"]])
df[["f", "n"]].to_numpy(); df[["i", "f"]].melt(); df[["f", "n"]].stack(); df[["i", "f"]].head(100).T
df.groupby("b").f.sum(); df.groupby("b").f.mean(); df.groupby("s").f.sum(); df.groupby("i").f.sum()
df.groupby("c", observed=True).f.sum(); df.groupby(["b", "s"]).f.mean(); df.groupby("b").f.transform("mean")
df.groupby("b").f.cumsum(); df.groupby("b").f.rank(); df.groupby("b").size(); df.groupby("b").f.median()
df.groupby("b").f.agg(["sum", "max"]); df.groupby("b").head(2); df.groupby("b").cumcount(); df.groupby("b").f.shift()
df.groupby("b").f.nunique(); df.groupby("b").f.idxmax(); df.groupby("b").first(); df.groupby("b").f.skew()
df.groupby("b").f.rolling(3).sum(); df.merge(df2[["k", "f"]], on="k"); df.merge(df2[["k", "f"]], on="k", how="left")
df.pivot_table("f", "b", "c", observed=True); lib.crosstab(df.b, df.s); lib.concat([df, df2])
lib.concat([df.f, df.n], axis=1); lib.get_dummies(df.s); lib.cut(f, 10); lib.qcut(f, 10); lib.to_datetime(df.t)
lib.to_numeric(istr); lib.merge_asof(ti.reset_index()[["t", "f"]], ti2.reset_index()[["t", "n"]], on="t")
df.f.items(); next(iter(df.f.items())); df.where(df.f > 0); df[["f", "n"]].apply("sum"); df.memory_usage()
m.sort_index(); m.xs(3); m.xs("alpha", level="s"); m.loc[3]; m.reset_index(); m.groupby(level=0).f.sum()
m.index.get_level_values(0); m.swaplevel(); m.droplevel(0); m.f.sum()
si.loc[names]; si.reindex(names); si.f.reindex(names); si.sort_index(); si.loc["k17"]; si.index.isin(names); si.f[names]
si.f + si2.f; si[["f"]].join(si2[["n"]]); si.index.get_indexer(names); si.index.union(si2.index)
si.index.difference(si2.index)
"""


def tables(lib, source, rows):
    """Return the names that expressions use, made by `lib` from pandas' frame."""
    df = source if lib is pd else lib.DataFrame(source)
    every_third = df.iloc[::3]
    by_time, by_name = df.set_index("t"), df.assign(name="k" + df.k.astype("str")).set_index("name")
    names = [f"k{k}" for k in np.random.default_rng(5).permutation(rows)[: rows // 10]]
    return {
        **{column: df[column] for column in df.columns},
        "df": df,
        "df2": every_third,
        "m": df.set_index(["b", "s"])[["f", "n"]],
        "ti": by_time[["f", "n"]],
        "ti2": by_time[["f", "n"]].iloc[::3],
        "si": by_name[["f", "n"]],
        "si2": by_name[["f", "n"]].iloc[::3],
        "istr": df.i.astype("str"),
        "names": names,
        "picks": np.random.default_rng(6).permutation(rows)[: rows // 10],
        "lib": lib,
        "np": np,
        "pd_": pd,
    }


def frame(rows):
    """Return the frame in pandas."""
    random = np.random.default_rng(4)
    words = np.array(["alpha", "beta", "gamma", "delta", "épsilon", "zeta"])
    f = random.normal(size=rows)
    texts = pd.Series(words[random.integers(0, 6, rows)], dtype="str")
    return pd.DataFrame(
        {
            "i": random.integers(-1000, 1000, rows),
            "b": random.integers(0, 100, rows).astype("int32"),
            "k": np.arange(rows),
            "f": f,
            "n": np.where(random.random(rows) < 0.1, np.nan, random.normal(size=rows)),
            "s": texts.where(random.random(rows) > 0.05),
            "w": texts + " " + words[random.integers(0, 6, rows)],
            "c": texts.astype("category"),
            "q": f > 0,
            "t": pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(rows) * 10, unit="s"),
        }
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="", help="expressions that contain this")
    parser.add_argument("--above", type=float, default=0.0, help="print ratios above this")
    arguments = parser.parse_args()

    warnings.simplefilter("ignore")
    source = frame(arguments.rows)
    names = {"Cuprum": tables(cuprum, source, arguments.rows), "pandas": tables(pd, source, arguments.rows)}
    measured = []
    for expression in EXPRESSIONS.replace("\n", ";").split(";"):
        text = expression.strip()
        if not text or arguments.only not in text:
            continue
        code = compile(text.replace("\\\\", "\\"), text, "eval")
        runs = {
            library: (lambda known=known, code=code: eval(code, known)) for library, known in names.items()
        }
        try:
            times = best(runs, arguments.repeat)
        except Exception as error:  # one expression that fails leaves the others
            print(f"{text}: {type(error).__name__}: {str(error)[:100]}")
            continue
        measured.append((times["Cuprum"] / times["pandas"], times, text))
    measured.sort(key=lambda row: -row[0])
    for ratio, times, text in measured:
        if ratio > arguments.above:
            print(f"{ratio:7.2f}  {times['Cuprum'] * 1e3:9.3f}  {times['pandas'] * 1e3:9.3f}  {text}")
    print(f"{len(measured)} expressions, {sum(row[0] > 1 for row in measured)} above 1")


if __name__ == "__main__":
    main()
