"""Cuprum, pandas, Polars and DuckDB on the same data, in one process, with the same number of threads.

    python benchmarks/compare.py [--rows N] [--only WORD …] [--repeat N] [--markdown]

Every library has the data in its own format before the clock starts, and leaves the result in it. The
libraries take turns, so that what disturbs the machine disturbs all. Times are the best of the runs; the
median is Cuprum's. The floor is what the bytes that must be read and written take at the bandwidth of
memcpy, measured in the same run. Groups come in any order (`sort=False`), rows of all else in theirs.
"""

import argparse
import gc
import gzip
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

THREADS = os.environ.get("THREADS", "2")
for variable in ("CUPRUM_NUM_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = THREADS  # read when the libraries are imported

# ruff: noqa: E402
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.orc

import cuprum

pa.set_cpu_count(int(THREADS))

LIBRARIES = ["Cuprum", "pandas", "Polars", "DuckDB"]


class Operation(NamedTuple):
    """What each library does; SQL for DuckDB; None where it has no such thing."""

    name: str
    bytes: int
    cuprum: Callable
    pandas: Callable
    polars: Callable
    sql: str | None


def same(name, size, frames, polars, sql):
    """Make an operation that Cuprum and pandas write alike."""
    return Operation(name, size, frames, frames, polars, sql)


# Data.


def tables(rows, seed=2013):
    """Make the 10-million-row table, the million-row dimension and what to gather, as Arrow and NumPy."""
    random = np.random.default_rng(seed)
    many = max(rows // 10, 100)
    names = pa.array(
        [f"{i * 7919 % 10_000:04d} key of group {i % 97}" for i in range(10_000)], pa.large_string()
    )
    facts = pa.table(
        {
            "k100": random.integers(0, 100, rows),
            "k1m": random.integers(0, many, rows),
            "k32": random.integers(0, 1000, rows, dtype=np.int32),
            "a": random.random(rows),
            "b": random.random(rows),
            "c": random.standard_normal(rows),
            "s": names.take(pa.array(random.integers(0, 10_000, rows))),
            "few": random.integers(0, max(rows // 4, 1), rows),
            "zipf": np.minimum(random.zipf(1.2, rows), many),
            "heavy": np.where(random.random(rows) < 0.9, 0, random.integers(1, many, rows)),
        }
    )
    dimension = pa.table({"k1m": random.permutation(many), "d": random.random(many)})
    return facts, dimension, random.integers(0, rows, rows)


class Frames:
    """The tables in the format of every library."""

    def __init__(self, facts, dimension, at):
        self.connection = duckdb.connect(config={"threads": THREADS})
        for name, table in (("facts", facts), ("dimension", dimension)):
            self.connection.register("arrow", table)
            self.connection.execute(f"CREATE TABLE {name} AS SELECT * FROM arrow")
            self.connection.unregister("arrow")
        self.cuprum = (cuprum.DataFrame.from_arrow(facts), cuprum.DataFrame.from_arrow(dimension), at)
        self.pandas = (facts.to_pandas(), dimension.to_pandas(), at)
        self.polars = (pl.from_arrow(facts, rechunk=True), pl.from_arrow(dimension), at)

    def run(self, operation, library):
        """Return the seconds and the number of rows of the result; None where there is no such operation."""
        if library == "DuckDB":
            if operation.sql is None:
                return None
            statement = operation.sql
            if not statement.startswith("COPY"):
                statement = f"CREATE OR REPLACE TEMP TABLE result AS {statement}"
            start = time.perf_counter()
            self.connection.execute(statement)
            seconds = time.perf_counter() - start
            if statement == operation.sql:
                return seconds, None
            (count,) = self.connection.execute("SELECT count(*) FROM result").fetchone()
            self.connection.execute("DROP TABLE result")
            return seconds, count
        what = getattr(operation, library.lower())
        if what is None:
            return None
        frames = getattr(self, library.lower())
        start = time.perf_counter()
        result = what(*frames)
        seconds = time.perf_counter() - start
        return seconds, len(result) if hasattr(result, "__len__") and not isinstance(result, str) else None


# Operations in memory; f is the table, d the dimension, at rows to gather.


def in_memory(n):
    short = n // 5
    text = 24 * short
    return [
        same(
            "(a*b+c)/(b+1)",
            32 * n,
            lambda f, d, at: (f["a"] * f["b"] + f["c"]) / (f["b"] + 1),
            lambda f, d, at: f.select((pl.col("a") * pl.col("b") + pl.col("c")) / (pl.col("b") + 1)),
            "SELECT (a*b+c)/(b+1) FROM facts",
        ),
        *[
            same(
                f"{name} of float64",
                8 * n,
                lambda f, d, at, method=method: getattr(f["c"], method)(),
                lambda f, d, at, method=method: getattr(f["c"], method)(),
                f"SELECT {sql}(c) FROM facts",
            )
            for name, method, sql in (
                ("sum", "sum", "sum"),
                ("mean", "mean", "avg"),
                ("deviation", "std", "stddev"),
                ("maximum", "max", "max"),
            )
        ],
        same(
            "filter half with text",
            40 * n + 20 * n,
            lambda f, d, at: f[["a", "k1m", "s"]][f["a"] < 0.5],
            lambda f, d, at: f.select("a", "k1m", "s").filter(pl.col("a") < 0.5),
            "SELECT a, k1m, s FROM facts WHERE a < 0.5",
        ),
        Operation(
            "concatenate two tables",
            96 * n,
            lambda f, d, at: cuprum.concat([f[["a", "b", "k1m"]]] * 2, ignore_index=True),
            lambda f, d, at: pd.concat([f[["a", "b", "k1m"]]] * 2, ignore_index=True),
            lambda f, d, at: pl.concat([f.select("a", "b", "k1m")] * 2, rechunk=True),
            None,
        ),
        same(
            "filter half of 3 columns",
            24 * n + 12 * n,
            lambda f, d, at: f[["a", "b", "k1m"]][f["a"] < 0.5],
            lambda f, d, at: f.select("a", "b", "k1m").filter(pl.col("a") < 0.5),
            "SELECT a, b, k1m FROM facts WHERE a < 0.5",
        ),
        same(
            "gather 3 columns at random",
            8 * n + 48 * n,
            lambda f, d, at: f[["a", "b", "k1m"]].take(at),
            lambda f, d, at: f.select("a", "b", "k1m")[at],
            None,
        ),
        same(
            "sort int64",
            16 * n,
            lambda f, d, at: f["k1m"].sort_values(ignore_index=True),
            lambda f, d, at: f["k1m"].sort(),
            "SELECT k1m FROM facts ORDER BY k1m",
        ),
        same(
            "sort text",
            2 * 24 * n,
            lambda f, d, at: f["s"].sort_values(ignore_index=True),
            lambda f, d, at: f["s"].sort(),
            "SELECT s FROM facts ORDER BY s",
        ),
        same(
            "sort 3 columns by float64",
            48 * n,
            lambda f, d, at: f[["a", "b", "k1m"]].sort_values("a", ignore_index=True),
            lambda f, d, at: f.select("a", "b", "k1m").sort("a"),
            "SELECT a, b, k1m FROM facts ORDER BY a",
        ),
        same(
            "sort 3 columns by int32, float64",
            40 * n,
            lambda f, d, at: f[["k32", "a", "b"]].sort_values(["k32", "a"], ignore_index=True),
            lambda f, d, at: f.select("k32", "a", "b").sort("k32", "a"),
            "SELECT k32, a, b FROM facts ORDER BY k32, a",
        ),
        *[
            same(
                f"group by {name}, 3 aggregations",
                size * n + 24 * n,
                lambda f, d, at, keys=keys: f.groupby(keys, sort=False).agg(
                    total=("a", "sum"), mean=("b", "mean"), top=("c", "max")
                ),
                lambda f, d, at, keys=keys: f.group_by(keys).agg(
                    total=pl.col("a").sum(), mean=pl.col("b").mean(), top=pl.col("c").max()
                ),
                f"SELECT {', '.join(keys)}, sum(a), avg(b), max(c) FROM facts GROUP BY ALL",
            )
            for name, size, keys in (
                ("100 keys", 8, ["k100"]),
                (f"{n // 10:,} keys", 8, ["k1m"]),
                ("two keys", 12, ["k100", "k32"]),
                ("text", 24, ["s"]),
                ("Zipf keys", 8, ["zipf"]),
                ("one heavy of many keys", 8, ["heavy"]),
            )
        ],
        same(
            "median by 100 keys",
            16 * n,
            lambda f, d, at: f.groupby("k100", sort=False)["a"].median(),
            lambda f, d, at: f.group_by("k100").agg(pl.col("a").median()),
            "SELECT k100, median(a) FROM facts GROUP BY k100",
        ),
        same(
            "distinct counts by 100 keys",
            16 * n,
            lambda f, d, at: f.groupby("k100", sort=False)["k1m"].nunique(),
            lambda f, d, at: f.group_by("k100").agg(pl.col("k1m").n_unique()),
            "SELECT k100, count(DISTINCT k1m) FROM facts GROUP BY k100",
        ),
        same(
            f"join {n:,} with {n // 10:,}",
            16 * n + 24 * n,
            lambda f, d, at: f[["k1m", "a"]].merge(d, on="k1m"),
            lambda f, d, at: f.select("k1m", "a").join(d, on="k1m", maintain_order="left"),
            "SELECT k1m, a, d FROM facts JOIN dimension USING (k1m)",
        ),
        same(
            f"join {n:,} with {n:,}, keys 4 and 4 times",
            32 * n + 24 * 4 * n,
            lambda f, d, at: f[["few", "a"]].merge(f[["few", "b"]], on="few"),
            lambda f, d, at: f.select("few", "a").join(
                f.select("few", "b"), on="few", maintain_order="left_right"
            ),
            "SELECT few, a, b FROM (SELECT few, a FROM facts) JOIN (SELECT few, b FROM facts) USING (few)",
        ),
        same(
            f"join 1,000 with {n:,}",
            16 * n,
            lambda f, d, at: d.head(1000).merge(f[["k1m", "a"]], on="k1m"),
            lambda f, d, at: d.head(1000).join(f.select("k1m", "a"), on="k1m", maintain_order="left_right"),
            "SELECT k1m, d, a FROM (FROM dimension LIMIT 1000) JOIN (SELECT k1m, a FROM facts) USING (k1m)",
        ),
        same(
            f"contains, {short:,} texts",
            text + short,
            lambda f, d, at: f["s"].head(short).str.contains("group 4", regex=False),
            lambda f, d, at: f["s"].head(short).str.contains("group 4", literal=True),
            f"SELECT contains(s, 'group 4') FROM (SELECT s FROM facts LIMIT {short})",
        ),
        same(
            f"upper, {short:,} texts",
            2 * text,
            lambda f, d, at: f["s"].head(short).str.upper(),
            lambda f, d, at: f["s"].head(short).str.to_uppercase(),
            f"SELECT upper(s) FROM (SELECT s FROM facts LIMIT {short})",
        ),
        same(
            "value_counts of int32",
            4 * n,
            lambda f, d, at: f["k32"].value_counts(),
            lambda f, d, at: f["k32"].value_counts(sort=True),
            "SELECT k32, count(*) AS n FROM facts GROUP BY k32 ORDER BY n DESC",
        ),
        same(
            "drop_duplicates of int64",
            8 * n,
            lambda f, d, at: f[["k1m"]].drop_duplicates(),
            lambda f, d, at: f.select("k1m").unique(maintain_order=True),
            "SELECT DISTINCT k1m FROM facts",
        ),
        same(
            "describe float64",
            8 * n,
            lambda f, d, at: f["a"].describe(),
            lambda f, d, at: f["a"].describe(),
            "SELECT count(a), avg(a), stddev(a), min(a), quantile_cont(a, [.25, .5, .75]), max(a) FROM facts",
        ),
    ]


def decoded_parquet(*path, **options):
    """Read Parquet, whose columns are decoded now and not when somebody reads them."""
    with cuprum.option_context("mode.late_rows", None):
        return cuprum.read_parquet(*path, **options)


def with_files(n, directory, names):
    """List the operations on files; they find frames of `n` rows."""
    columns = ", ".join(names)
    csv, parquet, ordered = directory / "data.csv", directory / "data.parquet", directory / "ordered.parquet"
    feather, orc, lines, avro, packed = (
        directory / f"data.{ending}" for ending in ("feather", "orc", "jsonl", "avro", "csv.gz")
    )
    long, nested = directory / "long.parquet", directory / "nested.parquet"
    size = sum(8 if name != "s" else 24 for name in names) * n
    written = {library: directory / f"{library.lower()}.out" for library in LIBRARIES}

    def write(method, library, **options):
        return lambda f, d, at: getattr(f, method)(written[library], **options)

    return [
        Operation(
            f"write CSV, {n:,} rows",
            size,
            write("to_csv", "Cuprum", index=False),
            write("to_csv", "pandas", index=False),
            write("write_csv", "Polars"),
            f"COPY (SELECT {columns} FROM facts) TO '{written['DuckDB']}' (FORMAT csv, HEADER)",
        ),
        Operation(
            f"read CSV, {n:,} rows",
            csv.stat().st_size + size,
            lambda f, d, at: cuprum.read_csv(csv),
            lambda f, d, at: pd.read_csv(csv),
            lambda f, d, at: pl.read_csv(csv),
            f"SELECT * FROM read_csv('{csv}')",
        ),
        Operation(
            f"read CSV packed by gzip, {n:,} rows",
            packed.stat().st_size + size,
            lambda f, d, at: cuprum.read_csv(packed),
            lambda f, d, at: pd.read_csv(packed),
            lambda f, d, at: pl.read_csv(packed),
            f"SELECT * FROM read_csv('{packed}')",
        ),
        Operation(
            f"write Parquet (snappy), {n:,} rows",
            size,
            write("to_parquet", "Cuprum"),
            write("to_parquet", "pandas"),
            write("write_parquet", "Polars", compression="snappy"),
            f"COPY (SELECT {columns} FROM facts) TO '{written['DuckDB']}' (FORMAT parquet, CODEC snappy)",
        ),
        Operation(
            f"read Parquet, {n:,} rows",
            parquet.stat().st_size + size,
            lambda f, d, at: decoded_parquet(parquet),
            lambda f, d, at: pd.read_parquet(parquet),
            lambda f, d, at: pl.read_parquet(parquet),
            f"SELECT * FROM '{parquet}'",
        ),
        Operation(
            f"read Parquet, {5 * n:,} rows",
            long.stat().st_size + 5 * size,
            lambda f, d, at: decoded_parquet(long),
            lambda f, d, at: pd.read_parquet(long),
            lambda f, d, at: pl.read_parquet(long),
            f"SELECT * FROM '{long}'",
        ),
        Operation(
            f"read Parquet of lists and structs, {n:,} rows",
            nested.stat().st_size + size,
            lambda f, d, at: decoded_parquet(nested),
            lambda f, d, at: pd.read_parquet(nested),
            lambda f, d, at: pl.read_parquet(nested),
            f"SELECT * FROM '{nested}'",
        ),
        Operation(
            f"read one column of Parquet, {n:,} rows",
            8 * n,
            lambda f, d, at: decoded_parquet(parquet, columns=[names[0]]),
            lambda f, d, at: pd.read_parquet(parquet, columns=[names[0]]),
            lambda f, d, at: pl.read_parquet(parquet, columns=[names[0]]),
            f"SELECT {names[0]} FROM '{parquet}'",
        ),
        Operation(
            f"read 1 % of sorted Parquet by a filter, {n:,} rows",
            ordered.stat().st_size // 100,
            lambda f, d, at: decoded_parquet(
                ordered, filters=[("row", ">=", n // 2), ("row", "<", n // 2 + n // 100)]
            ),
            lambda f, d, at: pd.read_parquet(
                ordered, filters=[("row", ">=", n // 2), ("row", "<", n // 2 + n // 100)]
            ),
            lambda f, d, at: (
                pl.scan_parquet(ordered)
                .filter(pl.col("row").is_between(n // 2, n // 2 + n // 100 - 1))
                .collect()
            ),
            f"SELECT * FROM '{ordered}' WHERE row >= {n // 2} AND row < {n // 2 + n // 100}",
        ),
        Operation(
            f"write Feather (lz4), {n:,} rows",
            size,
            write("to_feather", "Cuprum"),
            write("to_feather", "pandas", compression="lz4"),
            write("write_ipc", "Polars", compression="lz4"),
            None,
        ),
        Operation(
            f"read Feather, {n:,} rows",
            feather.stat().st_size + size,
            lambda f, d, at: cuprum.read_feather(feather),
            lambda f, d, at: pd.read_feather(feather),
            lambda f, d, at: pl.read_ipc(feather),
            None,
        ),
        Operation(
            f"write ORC (snappy), {n:,} rows",
            size,
            write("to_orc", "Cuprum"),
            write("to_orc", "pandas", engine_kwargs={"compression": "snappy"}),
            None,
            None,
        ),
        Operation(
            f"read ORC, {n:,} rows",
            orc.stat().st_size + size,
            lambda f, d, at: cuprum.read_orc(orc),
            lambda f, d, at: pd.read_orc(orc),
            None,
            None,
        ),
        Operation(
            f"read JSON Lines, {n:,} rows",
            lines.stat().st_size + size,
            lambda f, d, at: cuprum.read_json(lines, lines=True, dtype=False),
            lambda f, d, at: pd.read_json(lines, lines=True, dtype=False),
            lambda f, d, at: pl.read_ndjson(lines),
            f"SELECT * FROM read_json('{lines}', format='newline_delimited')",
        ),
        Operation(
            f"write Avro (snappy), {n:,} rows",
            size,
            write("to_avro", "Cuprum"),
            None,
            write("write_avro", "Polars", compression="snappy"),
            None,
        ),
        Operation(
            f"read Avro, {n:,} rows",
            avro.stat().st_size + size,
            lambda f, d, at: cuprum.read_avro(avro),
            None,
            lambda f, d, at: pl.read_avro(avro),
            None,
        ),
    ]


# Measuring.


def memcpy_bandwidth(size=1 << 28):
    """Return bytes per second, read and written, that copying moves with all threads."""
    from concurrent.futures import ThreadPoolExecutor

    parts = int(THREADS)
    source, target = (np.ones(size // 8).reshape(parts, -1) for _ in range(2))
    best = float("inf")
    with ThreadPoolExecutor(parts) as pool:
        for _ in range(8):
            start = time.perf_counter()
            list(pool.map(np.copyto, target, source))
            best = min(best, time.perf_counter() - start)
    return 2 * size / best


def resident(field):
    """Return `VmRSS` or `VmHWM` of this process in bytes; 0 where there is no /proc."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def peak_memory(run):
    """Return what `run` returns, and by how many bytes the memory in use grew meanwhile."""
    try:
        Path("/proc/self/clear_refs").write_text("5")  # the peak becomes what is in use now
    except OSError:
        return run(), 0
    before = resident("VmRSS")
    return run(), max(resident("VmHWM") - before, 0)


def measure(frames, operation, repeat):
    """Return the seconds of all runs and the peak memory of each library."""
    seconds, memory, counts = {}, {}, set()
    for turn in range(repeat + 1):  # the first warms up: it is checked, its time is not taken
        for library in LIBRARIES:
            gc.collect()
            if turn == 0:
                measured, memory[library] = peak_memory(lambda name=library: frames.run(operation, name))
            else:
                measured = frames.run(operation, library)
            if measured is None:
                continue
            if turn == 0:
                counts.add(measured[1])
            else:
                seconds.setdefault(library, []).append(measured[0])
    counts.discard(None)
    if len(counts) > 1 and not operation.name.startswith("describe"):
        sys.exit(f"{operation.name}: the libraries have results of {sorted(counts)} rows")
    return seconds, memory


class Report:
    """Print a line for each operation as soon as it is measured."""

    HEADER = (
        ["", "floor", "Cuprum", "median"]
        + [t for name in LIBRARIES[1:] for t in (name, "ratio")]
        + ["peak MiB, C/pd/pl/duck"]
    )

    def __init__(self, bandwidth, markdown):
        self.bandwidth, self.markdown = bandwidth, markdown
        if markdown:
            print("| " + " | ".join(self.HEADER) + " |")
            print("|---|" + "---:|" * (len(self.HEADER) - 1))
        else:
            self.line(self.HEADER)

    def line(self, cells):
        if self.markdown:
            print("| " + " | ".join(cells) + " |", flush=True)
        else:
            print(
                f"{cells[0]:38}" + "".join(f"{cell:>9}" for cell in cells[1:-1]) + "   " + cells[-1],
                flush=True,
            )

    def add(self, operation, seconds, memory):
        ours = min(seconds["Cuprum"])
        cells = [operation.name, f"{operation.bytes / self.bandwidth:.4f}", f"{ours:.4f}"]
        cells.append(f"{statistics.median(seconds['Cuprum']):.4f}")
        for library in LIBRARIES[1:]:
            best = min(seconds.get(library, [float("nan")]))
            cells += [f"{best:.4f}", f"{best / ours:.2f}"] if library in seconds else ["–", "–"]
        self.line(cells + ["/".join(f"{memory.get(library, 0) >> 20}" for library in LIBRARIES)])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the large table (10 million)")
    parser.add_argument(
        "--only", nargs="+", metavar="WORD", help="operations whose names contain one of these"
    )
    parser.add_argument("--columns", type=int, default=4, help="columns of the files, 4 to 8 (4)")
    parser.add_argument("--repeat", type=int, default=5, help="timed runs of each (5), after one to warm up")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    options = parser.parse_args()

    def wanted(operation):
        return not options.only or any(word in operation.name for word in options.only)

    bandwidth = memcpy_bandwidth()
    print(
        f"{options.rows:,} rows, {THREADS} threads, best of {options.repeat}, seconds; ratio = peer / Cuprum; "
        f"memcpy moves {bandwidth / 1e9:.1f} GB/s\n"
        f"cuprum {cuprum.__version__}, pandas {pd.__version__}, polars {pl.__version__}, duckdb {duckdb.__version__}\n"
    )
    report = Report(bandwidth, options.markdown)

    facts, dimension, at = tables(options.rows)
    operations = [operation for operation in in_memory(options.rows) if wanted(operation)]
    if operations:
        frames = Frames(facts, dimension, at)
        for operation in operations:
            report.add(operation, *measure(frames, operation, options.repeat))
        del frames, operations
        gc.collect()

    names = ["k1m", "k32", "a", "s", "b", "c", "few", "k100"][: options.columns]
    short = facts.select(names).slice(0, options.rows // 5).combine_chunks()
    del facts
    with tempfile.TemporaryDirectory() as directory:
        directory = Path(directory)
        frame = pl.from_arrow(short)
        frame.write_csv(directory / "data.csv")
        (directory / "data.csv.gz").write_bytes(gzip.compress((directory / "data.csv").read_bytes(), 1))
        frame.write_parquet(directory / "data.parquet", compression="snappy")
        pl.concat([frame] * 5).write_parquet(directory / "long.parquet", compression="snappy")
        nested = frame.select(l=pl.concat_list("k1m", "k32", "k1m"), r=pl.struct("a", "s"))
        nested.write_parquet(directory / "nested.parquet", compression="snappy")
        frame.with_row_index("row").write_parquet(
            directory / "ordered.parquet", compression="snappy", row_group_size=1 << 17
        )
        frame.write_ipc(directory / "data.feather", compression="lz4")
        pyarrow.orc.write_table(short, directory / "data.orc", compression="snappy")
        frame.write_ndjson(directory / "data.jsonl")
        frame.write_avro(directory / "data.avro")
        frames = Frames(short, dimension, at)
        for operation in with_files(len(short), directory, names):
            if wanted(operation):
                report.add(operation, *measure(frames, operation, options.repeat))


if __name__ == "__main__":
    main()
