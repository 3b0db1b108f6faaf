"""The 22 queries of TPC-H: Cuprum as pandas is written, Polars lazy and DuckDB's SQL, in turns, in one process.

    python benchmarks/tpch.py [--scale 0.1] [--threads 2] [--queries 1 6] [--engines Cuprum Polars DuckDB pandas]
    python benchmarks/tpch.py --loaded           # tables in memory before the clock starts
    python benchmarks/tpch.py --memory           # peak memory, a process for each query
    python benchmarks/tpch.py --trace            # Cuprum's statements, one by one
    python benchmarks/tpch.py --reading          # only what the queries read; --by-column: one column at a time

`tpchgen-cli` makes the tables, once for each scale, in `~/.cache/cuprum-tpch`. Money is decimals in the files, which
Cuprum and Polars make `float64` in each query and DuckDB computes with; `--money double` has numbers in the files.
Results are compared before anything is timed, up to scale 0.1 with those of pandas as well. A time is the least of
`--repeat`, with the reading of the files, which the system has in its cache.
"""

import argparse
import contextlib
import math
import os
import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from tpch import tables
from turns import best

ENGINES = ["Cuprum", "Polars", "DuckDB", "pandas"]
READERS = ["Cuprum", "Polars", "pyarrow", "DuckDB"]
LARGEST_FOR_PANDAS = 0.1


class Frames:
    """Cuprum or pandas, which run one text."""

    def __init__(self, module, options):
        from tpch.frames import QUERIES

        self.queries, self.folder, self.scale = QUERIES, options.tables, options.scale
        self.module = Loaded(module, options.tables) if options.loaded else module
        self.reads_result = module.__name__ == "cuprum"

    def arguments(self, query):
        """Return what a query takes."""
        scale = {"scale": self.scale} if query == 11 else {}
        return {"pd": self.module, "folder": self.folder, **scale}

    def run(self, query):
        made = self.queries[query](**self.arguments(query))
        if self.reads_result:
            made.to_arrow()  # what is late is read, and a GPU has finished
        return made


def at_once(module):
    """Return a context in which a library decodes columns when a file is read, and not when they are."""
    late = module.__name__ == "cuprum"
    return module.option_context("mode.late_rows", None) if late else contextlib.nullcontext()


class Loaded:
    """A library whose `read_parquet` gives columns of tables that are in memory, with money as `float64`."""

    def __init__(self, module, folder):
        self._module, self._tables = module, {}
        for table, columns in used_columns().items():
            with at_once(module):
                frame = module.read_parquet(folder / f"{table}.parquet", columns=columns)
            money = [name for name in columns if name in MONEY]
            self._tables[table] = frame.astype(dict.fromkeys(money, "float64"))

    def read_parquet(self, path, columns):
        return self._tables[path.stem][columns]

    def __getattr__(self, name):
        return getattr(self._module, name)


class Polars:
    """Lazy frames."""

    def __init__(self, options):
        import polars as pl
        from tpch.lazy import QUERIES

        self.queries, self.scale = QUERIES, options.scale
        if options.loaded:
            frames = {}
            for table, columns in used_columns().items():
                money = pl.col([name for name in columns if name in MONEY]).cast(pl.Float64)
                frame = pl.read_parquet(options.tables / f"{table}.parquet", columns=columns)
                frames[table] = frame.with_columns(money)
            self.scan = lambda table: frames[table].lazy()
        else:
            self.scan = lambda table: pl.scan_parquet(options.tables / f"{table}.parquet")

    def run(self, query):
        scale = [self.scale] if query == 11 else []
        return self.queries[query](self.scan, *scale).collect()


class DuckDB:
    """SQL over views of the files, which are read anew by each query, or over tables."""

    def __init__(self, options):
        from tpch.sql import QUERIES

        self.queries, self.scale = QUERIES, options.scale
        self.connection = duckdb_connection(options.threads)
        kind = "TABLE" if options.loaded else "VIEW"
        for table, columns in used_columns().items():
            path = options.tables / f"{table}.parquet"
            self.connection.execute(
                f"CREATE {kind} {table} AS SELECT {', '.join(columns)} FROM read_parquet('{path}')"
            )

    def run(self, query):
        text = self.queries[query].replace("{scale}", f"{self.scale:g}")
        return self.connection.sql(text).to_arrow_table()


MONEY = {
    "l_quantity",
    "l_extendedprice",
    "l_discount",
    "l_tax",
    "o_totalprice",
    "ps_supplycost",
    "s_acctbal",
    "c_acctbal",
}


def used_columns():
    """Return the columns of each table that any query reads."""
    from tpch.frames import QUERIES
    from tpch.statements import scans

    used = {}
    for query in QUERIES.values():
        for table, columns in scans(query):
            used.setdefault(table, {}).update(dict.fromkeys(columns))
    return {table: list(columns) for table, columns in used.items()}


def duckdb_connection(threads):
    """Return a connection that keeps nothing of files that it has read."""
    import duckdb

    connection = duckdb.connect(config={"threads": threads})
    connection.execute("SET enable_external_file_cache = false")
    return connection


def engine(name, options):
    """Make an engine; only its own library is imported."""
    if name == "Polars":
        return Polars(options)
    if name == "DuckDB":
        return DuckDB(options)
    return Frames(__import__(name.lower()), options)


# What is printed.


def check(engines, options):
    """Compare the results of all engines, of pandas too where the tables are small; raise where they differ."""
    from tpch.results import columns, difference

    with_pandas = options.scale <= LARGEST_FOR_PANDAS and "pandas" not in engines
    compared = {**engines, "pandas": engine("pandas", options)} if with_pandas else engines
    wrong = []
    for query in options.queries:
        results = {}
        for name, each in compared.items():
            try:
                results[name] = columns(each.run(query))
            except Exception as error:
                wrong.append(f"q{query}: {name} fails: {type(error).__name__}: {error}")
        first = next(reversed(results), None)
        for name, result in results.items():
            said = difference(query, results[first], result)
            if said:
                wrong.append(f"q{query}: {first} and {name} differ: {said}")
    if wrong:
        raise SystemExit("\n".join(wrong))
    print(f"{len(options.queries)} queries give the same with {', '.join(compared)}", flush=True)


def times(engines, options):
    """Print the times of all queries."""
    print(f"{'ms':>6}" + "".join(f"{name:>10}" for name in engines) + f"{'÷ faster peer':>15}")
    taken = {name: [] for name in engines}
    for query in options.queries:
        runs = {name: partial(each.run, query) for name, each in engines.items()}
        for name, seconds in best(runs, options.repeat, options.clock).items():
            taken[name].append(seconds)
        _row(f"q{query}", {name: each[-1] for name, each in taken.items()})
    _row("total", {name: sum(each) for name, each in taken.items()})
    _row("mean", {name: _mean(each) for name, each in taken.items()})
    print("mean: geometric")


def _row(title, seconds):
    """Print the times of a row, and the first engine's in those of the faster of Polars and DuckDB."""
    first, *_ = seconds
    peers = [seconds[name] for name in seconds if name != first and name != "pandas"]
    ratio = f"{seconds[first] / min(peers):15.2f}" if peers else ""
    print(f"{title:>6}" + "".join(f"{each * 1e3:10.1f}" for each in seconds.values()) + ratio, flush=True)


def _mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def memory(options):
    """Print the peak memory of each query, in a process that runs it once and imports only that engine."""
    print(f"{'MB':>8}" + "".join(f"{name:>10}" for name in options.engines))
    for query in [None, *options.queries]:
        title = "imports" if query is None else f"q{query}"
        peaks = [_peak(name, query) for name in options.engines]
        print(f"{title:>8}" + "".join(f"{peak:10.0f}" for peak in peaks), flush=True)


def _peak(name, query):
    command = [sys.executable, *sys.argv, "--child", name, str(query or 0)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(ran.stdout) / 1024


def child(options):
    """Run one query, or none, and print the peak memory of the process in KB."""
    name, query = options.child
    each = engine(name, options)
    if query != "0":
        each.run(int(query))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def trace(options):
    """Print Cuprum's statements with rows and times, and what each kind takes of all."""
    from tpch.statements import KINDS, traced

    frames = engine(options.engines[0], options)
    totals, slowest = {}, []
    for query in options.queries:
        parts = traced(frames.queries[query], frames.arguments(query), options.repeat, options.clock)
        whole = sum(part.seconds for part in parts)
        print(f"\nq{query}: {whole * 1e3:.1f} ms\n{'ms':>9} {'%':>4} {'rows in':>10} {'out':>10}  kind")
        totals[query] = dict.fromkeys(KINDS, 0.0)
        for part in parts:
            totals[query][part.statement.kind] += part.seconds
            slowest.append((part.seconds, query, part.statement.kind, part.statement.text))
            out = "" if part.rows_out is None else part.rows_out
            print(
                f"{part.seconds * 1e3:9.2f} {part.seconds / whole:4.0%} {part.rows_in:10} {out:>10}"
                f"  {part.statement.kind:6} {_short(part.statement.text)}"
            )
    print(f"\n{'ms':>6}" + "".join(f"{kind:>9}" for kind in KINDS) + f"{'sum':>9}")
    for query, kinds in totals.items():
        _kinds(f"q{query}", kinds)
    whole = {kind: sum(kinds[kind] for kinds in totals.values()) for kind in KINDS}
    _kinds("total", whole)
    print(f"{'':6}" + "".join(f"{each / sum(whole.values()):9.0%}" for each in whole.values()))
    print(f"\n{'ms':>9}  the slowest statements")
    for seconds, query, kind, text in sorted(slowest, reverse=True)[:30]:
        print(f"{seconds * 1e3:9.2f}  q{query:<3} {kind:6} {_short(text)}")


def _kinds(title, kinds):
    print(f"{title:>6}" + "".join(f"{each * 1e3:9.1f}" for each in [*kinds.values(), sum(kinds.values())]))


def _short(text, width=90):
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def reading(options):
    """Print how long it takes to read what each query reads, or one column after the other."""
    if options.by_column:
        items = _columns_of_files(options.tables)
    else:
        from tpch.frames import QUERIES
        from tpch.statements import scans

        items = [(f"q{query}", scans(QUERIES[query]), "") for query in options.queries]
    readers = {name: _reader(name, options) for name in READERS}
    print(f"{'ms':>16}" + "".join(f"{name:>10}" for name in readers) + f"{'÷ Polars':>10}")
    taken = {name: [] for name in readers}
    for title, parts, what in items:
        runs = {name: partial(_read_all, read, parts) for name, read in readers.items()}
        for name, seconds in best(runs, options.repeat, options.clock).items():
            taken[name].append(seconds)
        _reading_row(title, {name: each[-1] for name, each in taken.items()}, what)
    _reading_row("total", {name: sum(each) for name, each in taken.items()})
    _reading_row("mean", {name: _mean(each) for name, each in taken.items()}, "(geometric)")


def _read_all(read, parts):
    return [read(*part) for part in parts]


def _reading_row(title, seconds, what=""):
    row = "".join(f"{each * 1e3:10.2f}" for each in seconds.values())
    print(f"{title:>16}{row}{seconds['Cuprum'] / seconds['Polars']:10.2f}  {what}", flush=True)


def _columns_of_files(folder):
    """Return every column that a query reads, alone, with its type and encodings in the file."""
    import pyarrow.parquet as pq

    items = []
    for table, columns in used_columns().items():
        file = pq.ParquetFile(folder / f"{table}.parquet")
        names = file.schema_arrow.names
        for column in columns:
            chunk = file.metadata.row_group(0).column(names.index(column))
            size = chunk.total_compressed_size / file.metadata.row_group(0).num_rows
            what = f"{file.schema_arrow.field(column).type} {_encodings(file, column)} {size:.1f} bytes a row"
            items.append((column, [(table, [column])], what))
    return items


def _encodings(file, column):
    """Return the encodings of a column's data in all groups of rows, without that of levels."""
    at = file.schema_arrow.names.index(column)
    groups = range(file.metadata.num_row_groups)
    found = {each for group in groups for each in file.metadata.row_group(group).column(at).encodings}
    return "+".join(sorted(found - {"RLE"}))


def _reader(name, options):
    """Return how a library reads columns of a table into memory."""
    if name == "DuckDB":
        connection = duckdb_connection(options.threads)

        def read(table, columns):
            path = options.tables / f"{table}.parquet"
            query = f"SELECT {', '.join(columns)} FROM read_parquet('{path}')"
            return connection.sql(query).to_arrow_table()

        return read
    module = __import__("pyarrow.parquet" if name == "pyarrow" else name.lower(), fromlist=["read_table"])
    function = module.read_table if name == "pyarrow" else module.read_parquet

    def read(table, columns):
        with at_once(module):
            return function(options.tables / f"{table}.parquet", columns=columns)

    return read


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--queries", type=int, nargs="+", default=list(range(1, 23)))
    parser.add_argument("--engines", nargs="+", default=["Cuprum", "Polars", "DuckDB"], choices=ENGINES)
    parser.add_argument("--money", choices=["decimal", "double"], default="decimal")
    parser.add_argument("--cache", type=Path, help="where tables are kept")
    parser.add_argument("--loaded", action="store_true")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--trace", action="store_true")
    parser.add_argument("--reading", action="store_true")
    parser.add_argument("--by-column", action="store_true")
    parser.add_argument(
        "--cpu", action="store_true", help="time of the processor, for a machine that is busy"
    )
    parser.add_argument("--unchecked", action="store_true", help="do not compare results first")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    for variable in ("CUPRUM_NUM_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS"):
        os.environ[variable] = str(options.threads)  # read when the libraries are imported
    options.clock = time.process_time if options.cpu else time.perf_counter
    options.tables = tables.made(options.scale, options.money, options.cache)
    return options


def main():
    options = arguments()
    if options.child:
        return child(options)
    load = "load " + " ".join(f"{each:.1f}" for each in os.getloadavg())
    kind = "in memory" if options.loaded else f"files, money as {options.money}"
    clock = ", time of the processor" if options.cpu else ""
    how = f"{options.threads} threads, {kind}, best of {options.repeat}{clock}"
    print(f"scale {options.scale:g}, {how}, {load}", flush=True)
    if options.memory:
        return memory(options)
    if not options.loaded or options.reading:
        import pyarrow as pa

        pa.set_cpu_count(options.threads)
    if options.reading:
        return reading(options)
    if options.trace:
        return trace(options)
    engines = {name: engine(name, options) for name in options.engines}
    if not options.unchecked:
        check(engines, options)
    times(engines, options)
    print("load " + " ".join(f"{each:.1f}" for each in os.getloadavg()))


if __name__ == "__main__":
    main()
