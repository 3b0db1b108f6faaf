"""Statistics of groups: Cuprum, pandas, Polars and, where it has them, DuckDB on the same data, in one process.

    THREADS=2 python benchmarks/groups.py [--rows N] [--only WORD …] [--without LIBRARY …] [--repeat N]

Every library has the data in its own format before the clock starts and leaves the result in it. The libraries take
turns; times are the best of the runs. Groups come in any order (`sort=False`). Covariances and correlations are those of
every pair of three columns; pandas calls a function for each group there, so that it is left out of many.
"""

import argparse
import os

THREADS = os.environ.get("THREADS", "2")
for variable in ("CUPRUM_NUM_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = THREADS  # read when the libraries are imported

# ruff: noqa: E402
import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
from turns import best

import cuprum

pa.set_cpu_count(int(THREADS))
LIBRARIES = ["Cuprum", "pandas", "Polars", "DuckDB"]
# More groups than these are not looked at one by one.
FEW = 10_000
PAIRS = [(x, y) for i, x in enumerate("abc") for y in "abc"[i:]]


def both(ours, theirs, what):
    """Return what Cuprum and pandas do where they write it alike."""
    return {"Cuprum": lambda: what(ours), "pandas": lambda: what(theirs)}


def of_groups(rng, rows, groups):
    """Yield statistics of ``rows`` rows in ``groups`` groups."""
    values = pa.table(
        {
            "k": rng.integers(0, groups, rows),
            "a": rng.random(rows),
            "b": rng.standard_normal(rows),
            "c": rng.random(rows),
        }
    )
    base = duckdb.connect(config={"threads": THREADS})
    base.execute("CREATE TABLE x AS SELECT row_number() OVER () AS i, * FROM values")
    frame, of_pandas = cuprum.DataFrame.from_arrow(values), values.to_pandas()
    of_polars = pl.from_arrow(values).with_row_index("i")

    def sql(what):
        return lambda: base.execute(
            f"CREATE OR REPLACE TEMP TABLE result AS SELECT k, {what} FROM x GROUP BY k"
        )

    def by(what):
        return both(frame, of_pandas, lambda f: what(f.groupby("k", sort=False)))

    def aggregate(*what):
        return lambda: of_polars.group_by("k").agg(*what)

    yield (
        "`skew()`",
        {
            **by(lambda g: g["b"].skew()),
            "Polars": aggregate(pl.col("b").skew(bias=False)),
            "DuckDB": sql("skewness(b)"),
        },
    )
    yield (
        "`kurt()`",
        {
            **by(lambda g: g["b"].kurt()),
            "Polars": aggregate(pl.col("b").kurtosis(bias=False)),
            "DuckDB": sql("kurtosis(b)"),
        },
    )
    yield (
        "`quantile(0.3, 'lower')`",
        {
            **by(lambda g: g["b"].quantile(0.3, interpolation="lower")),
            "Polars": aggregate(pl.col("b").quantile(0.3, "lower")),
            "DuckDB": sql("quantile_disc(b, 0.3)"),
        },
    )
    yield (
        "`quantile([0.1, 0.5, 0.9])`",
        {
            **by(lambda g: g["b"].quantile([0.1, 0.5, 0.9])),
            "Polars": aggregate(*(pl.col("b").quantile(q, "linear").alias(str(q)) for q in (0.1, 0.5, 0.9))),
            "DuckDB": sql("quantile_cont(b, [0.1, 0.5, 0.9])"),
        },
    )
    yield (
        "`idxmax()`",
        {
            **by(lambda g: g["b"].idxmax()),
            "Polars": aggregate(pl.col("i").get(pl.col("b").arg_max())),
            "DuckDB": sql("arg_max(i, b)"),
        },
    )
    yield "`nth([0, -1])`", {**by(lambda g: g[["a", "b"]].nth([0, -1]))}
    yield "`nth(0, dropna='any')`", {**by(lambda g: g[["a", "b"]].nth(0, dropna="any"))}
    for name, of in (("cov", pl.cov), ("corr", pl.corr)):
        run = {
            **by(lambda g, name=name: getattr(g, name)()),
            "Polars": aggregate(*(of(x, y).alias(x + y) for x, y in PAIRS)),
            "DuckDB": sql(
                ", ".join(f"{'covar_samp' if name == 'cov' else 'corr'}({x}, {y})" for x, y in PAIRS)
            ),
        }
        if groups > FEW:
            del run["pandas"]
        yield f"`{name}()` of 3 columns", run


def main():
    """Print a table of times and of their ratios to the others'."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--groups", type=int, nargs="*", default=[100, 1_000_000])
    parser.add_argument("--only", nargs="*", default=[], help="what a name has to contain")
    parser.add_argument("--without", nargs="*", default=[], help="libraries that are left out")
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    others = LIBRARIES[1:]
    print(f"| ms | groups | {' | '.join(LIBRARIES)} | {' | '.join(f'÷ {name}' for name in others)} |")
    print(f"|---|---:|{'---:|' * (len(LIBRARIES) + len(others))}")
    for groups in arguments.groups:
        for name, runs in of_groups(np.random.default_rng(14), arguments.rows, groups):
            if arguments.only and not any(word in name for word in arguments.only):
                continue
            runs = {library: run for library, run in runs.items() if library not in arguments.without}
            times = {library: taken * 1e3 for library, taken in best(runs, arguments.repeat).items()}
            cells = [f"{times[x]:.1f}" if x in times else "–" for x in LIBRARIES]
            ratios = [
                f"{times['Cuprum'] / times[x]:.2f}" if x in times and "Cuprum" in times else "–"
                for x in others
            ]
            print(f"| {name} | {groups:,} | {' | '.join(cells + ratios)} |", flush=True)


if __name__ == "__main__":
    main()
