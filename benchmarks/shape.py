"""Shapes, bins and windows: Cuprum, pandas, Polars and, where it has them, DuckDB on the same data, in one process.

    THREADS=2 python benchmarks/shape.py [--only WORD …] [--repeat N]

Every library has the data in its own format before the clock starts and leaves the result in it. The libraries take
turns; times are the best of the runs. Columns that repeat become what the library has for it: `melt` has categories in
Polars as in the others' labels, dummies are of the narrowest type each has. The floor is what the bytes that must be
read and written take at the bandwidth of memcpy, measured in the same run.
"""

import argparse
import os

THREADS = os.environ.get("THREADS", "2")
for variable in ("CUPRUM_NUM_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = THREADS  # read when the libraries are imported

# ruff: noqa: E402
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from turns import best

import cuprum

pa.set_cpu_count(int(THREADS))
LIBRARIES = ["Cuprum", "pandas", "Polars", "DuckDB"]


def both(ours, theirs, what):
    """Return what Cuprum and pandas do where they write it alike."""
    return {"Cuprum": lambda: what(ours), "pandas": lambda: what(theirs)}


def windows(rng):
    """Yield windows of 10 M numbers, and means that forget by time of 1 M."""
    rows = 10_000_000
    values = pa.table({"v": rng.random(rows)})
    ours, theirs, polars = (
        cuprum.DataFrame.from_arrow(values)["v"],
        values.to_pandas()["v"],
        pl.from_arrow(values),
    )
    base = duckdb.connect(config={"threads": THREADS})
    base.execute("CREATE TABLE x AS SELECT row_number() OVER () AS i, v FROM values")
    for size in (10, 100, 10_000):
        sql = f"SELECT avg(v) OVER (ORDER BY i ROWS BETWEEN {size - 1} PRECEDING AND CURRENT ROW) FROM x"
        yield (
            f"`rolling({size}).mean()`, 10 M rows",
            16 * rows,
            {
                **both(ours, theirs, lambda s, size=size: s.rolling(size).mean()),
                "Polars": lambda size=size: polars.select(pl.col("v").rolling_mean(size)),
                "DuckDB": lambda sql=sql: base.execute(f"CREATE OR REPLACE TEMP TABLE result AS {sql}"),
            },
        )
    rows = 1_000_000
    times = pd.date_range("2025-01-01", periods=rows, freq="s")
    times_of_ours = cuprum.Series(times)
    frame = pl.DataFrame({"v": values["v"].to_numpy()[:rows], "t": times.to_numpy()})
    ours, theirs = ours[:rows], theirs[:rows]
    yield (
        "`ewm(halflife=, times=).mean()`, 1 M rows",
        24 * rows,
        {
            "Cuprum": lambda: ours.ewm(halflife="5s", times=times_of_ours).mean(),
            "pandas": lambda: theirs.ewm(halflife="5s", times=times).mean(),
            "Polars": lambda: frame.select(pl.col("v").ewm_mean_by("t", half_life="5s")),
        },
    )


def long_and_wide(rng):
    """Yield pivots of 2 M rows, and what makes many rows of 500 000."""
    rows, columns = 500_000, 4
    names = [f"c{i}" for i in range(columns)]
    wide = pa.table({"id": np.arange(rows)} | {name: rng.random(rows) for name in names})
    ours, theirs, polars = cuprum.DataFrame.from_arrow(wide), wide.to_pandas(), pl.from_arrow(wide)
    base = duckdb.connect(config={"threads": THREADS})
    base.execute("CREATE TABLE wide AS SELECT * FROM wide")
    yield (
        "`melt`, 500 000 rows of 4 columns",
        (8 + 8 * columns + 24 * columns) * rows,
        {
            **both(ours, theirs, lambda f: f.melt(id_vars="id")),
            "Polars": lambda: polars.unpivot(index="id"),
            "DuckDB": lambda: base.execute(
                "CREATE OR REPLACE TEMP TABLE result AS UNPIVOT wide ON c0, c1, c2, c3"
            ),
        },
    )
    yield (
        "`stack`, 500 000 rows of 4 columns",
        16 * columns * rows,
        both(ours.set_index("id"), theirs.set_index("id"), lambda f: f.stack()),
    )
    order = rng.permutation(rows * columns)
    long = wide.to_pandas().melt(id_vars="id").iloc[order].reset_index(drop=True)
    long = pa.Table.from_pandas(long, preserve_index=False)
    ours, theirs, polars = cuprum.DataFrame.from_arrow(long), long.to_pandas(), pl.from_arrow(long)
    base.execute("CREATE TABLE long AS SELECT * FROM long")
    size = 28 * columns * rows + (8 + 8 * columns) * rows
    keys = {"index": "id", "columns": "variable", "values": "value"}
    pivoted = (
        "CREATE OR REPLACE TEMP TABLE result AS PIVOT long ON variable IN ('c0', 'c1', 'c2', 'c3') USING"
    )
    yield (
        "`pivot`, 2 M rows to 500 000 of 4 columns",
        size,
        {
            **both(ours, theirs, lambda f: f.pivot(**keys)),
            "Polars": lambda: polars.pivot("variable", index="id", values="value").sort("id"),
        },
    )
    yield (
        "`pivot_table`, sums, the same",
        size,
        {
            **both(ours, theirs, lambda f: f.pivot_table(**keys, aggfunc="sum")),
            "Polars": lambda: polars.pivot(
                "variable", index="id", values="value", aggregate_function="sum"
            ).sort("id"),
            "DuckDB": lambda: base.execute(f"{pivoted} sum(value) ORDER BY id"),
        },
    )


def kinds(rng):
    """Yield numbers and texts as their kinds."""
    rows = 2_000_000
    names = np.array([f"kind {i}" for i in range(20)])
    table = pa.table(
        {
            "s": pa.array(names).take(pa.array(rng.integers(0, 20, rows))).cast(pa.large_string()),
            "x": rng.standard_normal(rows),
        }
    )
    ours, theirs, polars = cuprum.DataFrame.from_arrow(table), table.to_pandas(), pl.from_arrow(table)
    yield (
        "`get_dummies`, 2 M texts of 20 kinds",
        (15 + 20) * rows,
        {
            "Cuprum": lambda: cuprum.get_dummies(ours["s"]),
            "pandas": lambda: pd.get_dummies(theirs["s"]),
            "Polars": lambda: polars["s"].to_dummies(),
        },
    )
    coded = ours["s"].astype("category"), theirs["s"].astype("category")
    yield (
        "`get_dummies`, of categories",
        (4 + 20) * rows,
        {
            "Cuprum": lambda: cuprum.get_dummies(coded[0]),
            "pandas": lambda: pd.get_dummies(coded[1]),
        },
    )
    for count in (4, 100):
        edges = np.linspace(-6, 6, count + 1)
        yield (
            f"`cut` at {count + 1} edges, 2 M numbers",
            9 * rows,
            {
                "Cuprum": lambda edges=edges: cuprum.cut(ours["x"], edges),
                "pandas": lambda edges=edges: pd.cut(theirs["x"], edges),
                "Polars": lambda edges=edges: polars["x"].cut(list(edges[1:-1])),
            },
        )
    yield (
        "`cut` into 4 intervals, 2 M numbers",
        17 * rows,
        {
            "Cuprum": lambda: cuprum.cut(ours["x"], 4),
            "pandas": lambda: pd.cut(theirs["x"], 4),
            "Polars": lambda: polars["x"].cut(
                list(np.linspace(polars["x"].min(), polars["x"].max(), 5)[1:-1])
            ),
        },
    )
    yield (
        "`qcut` into quarters, 2 M numbers",
        17 * rows,
        {
            "Cuprum": lambda: cuprum.qcut(ours["x"], 4),
            "pandas": lambda: pd.qcut(theirs["x"], 4),
            "Polars": lambda: polars["x"].qcut(4),
        },
    )


def bins(rng):
    """Yield means of minutes of 2 M seconds, and ranks along rows."""
    rows = 2_000_000
    times = pd.date_range("2025-01-01", periods=rows, freq="s")
    values = rng.random(rows)
    theirs = pd.Series(values, times)
    ours = cuprum.Series(values, cuprum.DatetimeIndex(times))
    polars = pl.DataFrame({"t": times.to_numpy(), "v": values})
    base = duckdb.connect(config={"threads": THREADS})
    arrow = polars.to_arrow()
    base.execute("CREATE TABLE x AS SELECT * FROM arrow")
    yield (
        '`resample("1min").mean()`, 2 M seconds',
        16 * rows,
        {
            **both(ours, theirs, lambda s: s.resample("1min").mean()),
            "Polars": lambda: polars.group_by_dynamic("t", every="1m").agg(pl.col("v").mean()),
            "DuckDB": lambda: base.execute(
                "CREATE OR REPLACE TEMP TABLE result AS "
                "SELECT time_bucket(INTERVAL '1 minute', t) AS b, avg(v) FROM x GROUP BY b ORDER BY b"
            ),
        },
    )
    del arrow
    table = pa.table({f"c{i}": rng.random(200_000) for i in range(6)})
    ours, theirs = cuprum.DataFrame.from_arrow(table), table.to_pandas()
    yield (
        "`rank(axis=1)`, 200 000 rows of 6 columns",
        2 * 48 * 200_000,
        both(ours, theirs, lambda f: f.rank(axis=1)),
    )


def main():
    """Print a table of times and of their ratios to the others'."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", default=[], help="what a name has to contain")
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    source, copy = np.ones(1 << 26, "uint8"), np.ones(1 << 26, "uint8")
    bandwidth = 2 * source.nbytes / best({"": lambda: np.copyto(copy, source)}, 9)[""]
    others = LIBRARIES[1:]
    print(f"memcpy: {bandwidth / 1e9:.1f} GB/s\n")
    print(f"| ms | floor | {' | '.join(LIBRARIES)} | {' | '.join(f'÷ {name}' for name in others)} |")
    print(f"|---|{'---:|' * (len(LIBRARIES) + len(others) + 1)}")
    for part in (kinds, bins, long_and_wide, windows):
        for name, size, runs in part(np.random.default_rng(16)):
            if arguments.only and not any(word in name for word in arguments.only):
                continue
            times = {library: taken * 1e3 for library, taken in best(runs, arguments.repeat).items()}
            cells = [f"{times[x]:.1f}" if x in times else "–" for x in LIBRARIES]
            ratios = [f"{times['Cuprum'] / times[x]:.2f}" if x in times else "–" for x in others]
            print(f"| {name} | {size / bandwidth * 1e3:.1f} | {' | '.join(cells + ratios)} |", flush=True)


if __name__ == "__main__":
    main()
