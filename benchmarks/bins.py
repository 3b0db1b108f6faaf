"""Bins of time: Cuprum's and pandas' resample, Polars' group_by_dynamic and DuckDB's time_bucket, in one process.

    python benchmarks/bins.py [--rows N] [--repeat N]

Ten million rows in the order of their times, a year long, with two columns of numbers. Every library has the data in
its own format before the clock starts and leaves the result in it; DuckDB's is put in order, as that of the others is.
The libraries take turns; times are the best of the runs. The floor is what the bytes of the times and the numbers take
at the bandwidth of memcpy, measured in the same run.
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
YEAR = 365 * 86_400_000_000  # microseconds


def data(rows, shuffled=False):
    """Return times and two columns of numbers, as Arrow."""
    rng = np.random.default_rng(16)
    times = rng.integers(0, YEAR, rows)
    if not shuffled:
        times.sort()
    times = (times + np.datetime64("2025-01-01", "us").astype("int64")).astype("datetime64[us]")
    return pa.table({"t": times, "v": rng.random(rows), "n": rng.integers(0, 1000, rows)})


def operations(rows):
    """Yield the name of each operation, the bytes it reads, and what each library does."""
    arrow = data(rows)
    frame, theirs = cuprum.DataFrame.from_arrow(arrow).set_index("t"), arrow.to_pandas().set_index("t")
    polars, keyed = pl.from_arrow(arrow), cuprum.DataFrame.from_arrow(arrow)
    keyed["k"], theirs_keyed = keyed["n"] % 100, arrow.to_pandas()
    theirs_keyed["k"] = theirs_keyed["n"] % 100
    polars = polars.with_columns(k=pl.col("n") % 100)
    base = duckdb.connect()
    base.execute(f"SET threads={THREADS}")
    base.execute("CREATE TABLE x AS SELECT *, n % 100 AS k FROM arrow")
    for name, rule, every, interval in [
        ("mean of a minute", "min", "1m", "1 minute"),
        ("mean of an hour", "h", "1h", "1 hour"),
        ("mean of a day", "D", "1d", "1 day"),
        ("mean of a month", "MS", "1mo", "1 month"),
    ]:
        yield (
            name,
            16 * rows,
            {
                "Cuprum": lambda rule=rule: frame["v"].resample(rule).mean(),
                "pandas": lambda rule=rule: theirs["v"].resample(rule).mean(),
                "Polars": lambda every=every: polars.group_by_dynamic("t", every=every).agg(
                    pl.col("v").mean()
                ),
                "DuckDB": lambda interval=interval: base.sql(
                    f"SELECT time_bucket(INTERVAL '{interval}', t) AS b, avg(v) FROM x GROUP BY b ORDER BY b"
                ).to_arrow_table(),
            },
        )
    yield (
        "sum, min, max and std of an hour",
        24 * rows,
        {
            "Cuprum": lambda: frame.resample("h").agg({"v": ["sum", "std"], "n": ["min", "max"]}),
            "pandas": lambda: theirs.resample("h").agg({"v": ["sum", "std"], "n": ["min", "max"]}),
            "Polars": lambda: polars.group_by_dynamic("t", every="1h").agg(
                pl.col("v").sum(), s=pl.col("v").std(), a=pl.col("n").min(), b=pl.col("n").max()
            ),
            "DuckDB": lambda: base.sql(
                "SELECT time_bucket(INTERVAL '1 hour', t) AS b, sum(v), stddev(v), min(n), max(n) "
                "FROM x GROUP BY b ORDER BY b"
            ).to_arrow_table(),
        },
    )
    yield (
        "sum of a day by 100 keys",
        24 * rows,
        {
            "Cuprum": lambda: keyed.groupby(["k", cuprum.Grouper(key="t", freq="D")])["v"].sum(),
            "pandas": lambda: theirs_keyed.groupby(["k", pd.Grouper(key="t", freq="D")])["v"].sum(),
            "Polars": lambda: polars.group_by_dynamic("t", every="1d", group_by="k").agg(pl.col("v").sum()),
            "DuckDB": lambda: base.sql(
                "SELECT k, time_bucket(INTERVAL '1 day', t) AS b, sum(v) FROM x GROUP BY k, b ORDER BY k, b"
            ).to_arrow_table(),
        },
    )
    days = data(rows // 10)
    few, few_theirs = cuprum.DataFrame.from_arrow(days).set_index("t"), days.to_pandas().set_index("t")
    few, few_theirs = few[~few.index.duplicated()]["v"], few_theirs[~few_theirs.index.duplicated()]["v"]
    few_polars = pl.DataFrame({"t": few_theirs.index.to_numpy(), "v": few_theirs.to_numpy()})
    ends = pl.datetime_range(
        few_polars["t"].dt.truncate("10s").min(), few_polars["t"].max(), "10s", eager=True
    ).alias("t")
    yield (
        "last value each 10 s, a tenth of the rows",
        0,
        {
            "Cuprum": lambda: few.resample("10s").ffill(),
            "pandas": lambda: few_theirs.resample("10s").ffill(),
            "Polars": lambda: ends.to_frame().join_asof(few_polars, on="t"),
        },
    )


def main():
    """Print a table of times."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    source, copy = np.ones(1 << 26, "uint8"), np.ones(1 << 26, "uint8")
    bandwidth = 2 * source.nbytes / best({"": lambda: np.copyto(copy, source)}, 9)[""]
    print(
        f"memcpy: {bandwidth / 1e9:.1f} GB/s\n\n| ms | floor | {' | '.join(LIBRARIES)} |\n|---|{'---:|' * 5}"
    )
    for name, size, runs in operations(arguments.rows):
        times = {library: taken * 1e3 for library, taken in best(runs, arguments.repeat).items()}
        cells = [f"{times[x]:.1f}" if x in times else "–" for x in LIBRARIES]
        floor = f"{size / bandwidth * 1e3:.1f}" if size else "–"
        print(f"| {name} | {floor} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
