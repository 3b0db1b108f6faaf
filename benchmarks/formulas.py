"""Formulas, predicates, filters, reductions, casts and parts of times beside Polars (lazy), DuckDB and numexpr.

    python benchmarks/formulas.py [--rows N] [--only WORD …] [--repeat N]

The libraries take turns in one process, with the same number of threads; times are the best of the runs, in
milliseconds. The floor is what a form that reads each column and writes each result once must move, at the
bandwidth of memcpy in the same run; the share is that of the floor in Cuprum's time. numexpr has no nulls.
"""

import argparse
import os
import time
from typing import NamedTuple

THREADS = os.environ.get("THREADS", "2")
for variable in ("CUPRUM_NUM_THREADS", "POLARS_MAX_THREADS", "NUMEXPR_MAX_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[variable] = THREADS  # read when the libraries are imported

# ruff: noqa: E402
import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
from compare import memcpy_bandwidth

import cuprum

try:
    import numexpr
except ImportError:
    numexpr = None

PEERS = ["Polars", "DuckDB", "numexpr"]
FORMULA = "({0} * {1} + {2}) / ({1} + 1)"
TWELVE = "((((((((((({0} * {1} + {2}) * {0} - {1}) + 2.5) * {2} - 1.5) + {0}) * 0.5) - {1}) + {2}) * {0}) + {1}) - {2})"
PREDICATE = "({0} > 0.1) & ({1} < 0.9) & ({0} <= {2} + 2) & ({1} != 0.5)"


class Operation(NamedTuple):
    """What each library does; None where it has no such thing."""

    name: str
    bytes: float
    cuprum: object
    polars: object
    sql: str | None
    numexpr: str | None = None


def table(rows, seed=2013):
    """Make columns a, b, c without and x, y, z with nulls (one in ten), integers, times and text."""
    random = np.random.default_rng(seed)
    columns = {name: random.random(rows) for name in "abc"}
    for name, source in zip("xyz", "abc", strict=True):
        columns[name] = pa.array(columns[source], mask=random.random(rows) < 0.1)
    names = pa.array(
        [f"{i * 7919 % 10_000:04d} key of group {i % 97}" for i in range(10_000)], pa.large_string()
    )
    columns["i"] = random.integers(-1000, 1000, rows)
    columns["k"] = random.integers(0, 1000, rows, dtype=np.int32)
    columns["s"] = names.take(pa.array(random.integers(0, 10_000, rows)))
    columns["t"] = pa.array(random.integers(0, 1_700_000_000_000_000, rows), pa.timestamp("us"))
    return pa.table(columns)


def sql_of(text):
    return text.replace("&", "AND")


def polars_of(text, names):
    return eval(text.format(*names), {name: pl.col(name) for name in names})


def operations(n):
    """List the operations on n rows."""
    listed = []
    for names, what in (("abc", "no nulls"), ("xyz", "nulls")):
        plain = names == "abc"
        for name, text, width in (
            ("(a*b+c)/(b+1)", FORMULA, 32),
            ("12 operators", TWELVE, 32),
            ("four-term predicate", PREDICATE, 25),
        ):
            text = text.format(*names)
            listed.append(
                Operation(
                    f"{name}, {what}",
                    width * n,
                    lambda f, text=text: f.eval(text),
                    lambda f, text=text, names=names: f.select(polars_of(text, names)),
                    f"SELECT {sql_of(text)} FROM facts",
                    text if plain else None,
                )
            )
        predicate = PREDICATE.format(*names)
        listed.append(
            Operation(
                f"filter by it, {what}",
                24 * n + 0.81 * 24 * n,
                lambda f, names=names, predicate=predicate: f[list(names)].query(predicate),
                lambda f, names=names, predicate=predicate: f.select(*names).filter(
                    polars_of(predicate, names)
                ),
                f"SELECT {', '.join(names)} FROM facts WHERE {sql_of(predicate)}",
            )
        )
        half, kept = f"{names[0]} < 0.5", [names[0], names[1], "i"]
        for extra, width in (([], 0), (["s"], 40)):
            listed.append(
                Operation(
                    f"keep half of {'3 columns' if not extra else '3 columns, text'}, {what}",
                    36 * n + width * n,
                    lambda f, half=half, kept=kept + extra: f[kept].query(half),
                    lambda f, half=half, kept=kept + extra: f.select(kept).filter(pl.col(half[0]) < 0.5),
                    f"SELECT {', '.join(kept + extra)} FROM facts WHERE {half}",
                )
            )
        a, b = names[:2]
        listed += [
            Operation(
                f"five reductions, {what}",
                8 * n,
                lambda f, a=a: f[a].agg(["sum", "mean", "std", "min", "max"]),
                lambda f, a=a: f.select(
                    pl.col(a).sum().alias("1"),
                    pl.col(a).mean().alias("2"),
                    pl.col(a).std().alias("3"),
                    pl.col(a).min().alias("4"),
                    pl.col(a).max().alias("5"),
                ),
                f"SELECT sum({a}), avg({a}), stddev({a}), min({a}), max({a}) FROM facts",
            ),
            Operation(
                f"sum of a product under a condition, {what}",
                24 * n,
                lambda f, a=a, b=b, c=names[2]: f.eval(f"({a} * {b}).where({c} < 0.5).sum()"),
                lambda f, a=a, b=b, c=names[2]: f.filter(pl.col(c) < 0.5).select(
                    (pl.col(a) * pl.col(b)).sum()
                ),
                f"SELECT sum({a} * {b}) FROM facts WHERE {names[2]} < 0.5",
            ),
        ]
    for source, to, width, polars, sql in (
        ("i", "float64", 16, pl.Float64, "DOUBLE"),
        ("i", "int32", 12, pl.Int32, "INTEGER"),
        ("a", "float32", 12, pl.Float32, "FLOAT"),
        ("k", "int64", 12, pl.Int64, "BIGINT"),
        ("i", "str", 20, pl.String, "VARCHAR"),
    ):
        listed.append(
            Operation(
                f"cast of {source} to {to}",
                width * n,
                lambda f, source=source, to=to: f[source].astype(to),
                lambda f, source=source, polars=polars: f.select(pl.col(source).cast(polars)),
                f"SELECT {source}::{sql} FROM facts",
            )
        )
    for part in ("year", "month", "hour", "weekday"):
        listed.append(
            Operation(
                f"{part} of times",
                12 * n,
                lambda f, part=part: getattr(f["t"].dt, part),
                lambda f, part=part: f.select(getattr(pl.col("t").dt, part)()),
                f"SELECT {part}(t) FROM facts",
            )
        )
    return listed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument(
        "--only", nargs="+", metavar="WORD", help="operations whose names contain one of these"
    )
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()

    facts = table(options.rows)
    arrays = {name: facts[name].to_numpy() for name in "abc"}
    frame = cuprum.DataFrame.from_arrow(facts)
    lazy = pl.from_arrow(facts, rechunk=True).lazy()
    connection = duckdb.connect(config={"threads": THREADS})
    connection.register("arrow", facts)
    connection.execute("CREATE TABLE facts AS SELECT * FROM arrow")

    def run(operation):
        def timed(f, *args):
            start = time.perf_counter()
            kept = f(*args)
            seconds = time.perf_counter() - start
            del kept
            return seconds

        yield "Cuprum", timed(operation.cuprum, frame)
        yield "Polars", timed(lambda: operation.polars(lazy).collect())
        if operation.sql is not None:
            statement = f"CREATE OR REPLACE TEMP TABLE result AS {operation.sql}"
            yield "DuckDB", timed(connection.execute, statement)
            connection.execute("DROP TABLE result")
        if numexpr is not None and operation.numexpr is not None:
            yield "numexpr", timed(numexpr.evaluate, operation.numexpr, arrays)

    bandwidth = memcpy_bandwidth()
    print(f"{options.rows:,} rows, {THREADS} threads, milliseconds; memcpy moves {bandwidth / 1e9:.1f} GB/s")
    print(
        f"{'':45}{'floor':>7}{'Cuprum':>8}{'share':>7}" + "".join(f"{p:>9}" for p in PEERS) + "   ours / best"
    )
    for operation in operations(options.rows):
        if options.only and not any(word in operation.name for word in options.only):
            continue
        best = {}
        for turn in range(options.repeat + 1):  # the first warms up
            for library, seconds in run(operation):
                if turn:
                    best[library] = min(best.get(library, seconds), seconds)
        floor, ours = operation.bytes / bandwidth, best["Cuprum"]
        peer = min(best[p] for p in PEERS if p in best)
        print(
            f"{operation.name:45}{floor * 1e3:7.1f}{ours * 1e3:8.1f}{floor / ours:7.0%}"
            + "".join(f"{best[p] * 1e3:9.1f}" if p in best else f"{'–':>9}" for p in PEERS)
            + f"{ours / peer:10.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
