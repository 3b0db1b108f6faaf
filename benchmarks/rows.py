"""Moving rows: pylibcuprum, pyarrow and Polars on the same data, in one process, with as many threads.

    python benchmarks/rows.py [--rows N] [--repeat N]

Ten million rows of four columns (int64, float64, int32, int64 with nulls). The libraries take turns; times
are the best of the runs. The floor is what the bytes that must be read and written take at the bandwidth
of memcpy on one thread, measured in the same run.
"""

import argparse
import gc
import os
import time

THREADS = os.environ.get("THREADS", "2")
for variable in ("CUPRUM_NUM_THREADS", "POLARS_MAX_THREADS", "OMP_NUM_THREADS"):
    os.environ[variable] = THREADS  # read when the libraries are imported

# ruff: noqa: E402
import numpy as np
import polars as pl
import pyarrow as pa

from pylibcuprum import Column, Table, concatenate, contiguous_split, copying, hashing, partitioning

pa.set_cpu_count(int(THREADS))
DONT_CHECK = copying.OutOfBoundsPolicy.DONT_CHECK


def operations(rows):
    """Yield the name of each operation, the bytes it moves, and what each library does."""
    rng = np.random.default_rng(1)
    arrow = pa.table(
        {
            "a": rng.integers(-(2**40), 2**40, rows),
            "b": rng.random(rows),
            "c": rng.integers(0, 1000, rows).astype("int32"),
            "d": pa.array(rng.integers(0, 2**40, rows), mask=rng.random(rows) < 0.1),
        }
    )
    table, frame = Table.from_arrow(arrow), pl.from_arrow(arrow)
    size = 28 * rows
    maps = {
        "gather, random": rng.permutation(rows).astype("int32"),
        "gather, ascending": np.sort(rng.integers(0, rows, rows)).astype("int32"),
    }
    for name, rows_of in maps.items():
        ours, theirs, polars = (
            Column.from_array(rows_of),
            pa.array(rows_of),
            pl.Series(rows_of).cast(pl.UInt32),
        )
        yield (
            name,
            2 * size + 4 * rows,
            {
                "Cuprum": lambda ours=ours: copying.gather(table, ours, DONT_CHECK),
                "pyarrow": lambda theirs=theirs: arrow.take(theirs),
                "Polars": lambda polars=polars: frame.select(pl.all().gather(polars)),
            },
        )
    target = Column.from_array(maps["gather, random"])
    yield "scatter, random", 2 * size + 4 * rows, {"Cuprum": lambda: copying.scatter(table, target, table)}
    parts = rng.integers(0, 64, rows).astype("int32")
    ours, keyed = Column.from_array(parts), frame.with_columns(p=pl.Series(parts))
    yield (
        "partition by a map into 64",
        2 * size + 4 * rows,
        {
            "Cuprum": lambda: partitioning.partition(table, ours, 64),
            "Polars": lambda: keyed.partition_by("p", maintain_order=True),
        },
    )
    yield "hash partition into 64", 2 * size, {"Cuprum": lambda: partitioning.hash_partition(table, [0], 64)}
    yield "round robin into 64", 2 * size, {"Cuprum": lambda: partitioning.round_robin_partition(table, 64)}
    pieces = copying.split(table, list(range(rows // 1000, rows, rows // 1000)))
    chunks = [arrow.slice(i * (rows // 1000), rows // 1000) for i in range(1000)]
    frames = [frame.slice(i * (rows // 1000), rows // 1000) for i in range(1000)]
    yield (
        "concatenate 1000 pieces",
        2 * size,
        {
            "Cuprum": lambda: concatenate.concatenate(pieces),
            "pyarrow": lambda: pa.concat_tables(chunks).combine_chunks(),
            "Polars": lambda: pl.concat(frames, rechunk=True),
        },
    )
    yield "pack", 2 * size, {"Cuprum": lambda: contiguous_split.pack(table)}
    yield "murmur3 of four columns", size + 4 * rows, {"Cuprum": lambda: hashing.murmurhash3_x86_32(table)}
    yield "from Arrow", 0, {"Cuprum": lambda: Table.from_arrow(arrow), "Polars": lambda: pl.from_arrow(arrow)}
    yield "to Arrow", 0, {"Cuprum": lambda: pa.table(table), "Polars": lambda: frame.to_arrow()}


def best(run, repeat):
    """Return the shortest of some runs, in seconds."""
    times = []
    for _ in range(repeat):
        gc.collect()
        start = time.perf_counter()
        result = run()
        times.append(time.perf_counter() - start)
        del result
    return min(times)


def main():
    """Print a table of times."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=7)
    arguments = parser.parse_args()
    source, copy = np.ones(1 << 26, "uint8"), np.ones(1 << 26, "uint8")
    bandwidth = 2 * source.nbytes / best(lambda: np.copyto(copy, source), 9)
    libraries = ["Cuprum", "pyarrow", "Polars"]
    print(
        f"memcpy: {bandwidth / 1e9:.1f} GB/s\n\n| ms | floor | {' | '.join(libraries)} |\n|---|{'---:|' * 4}"
    )
    for name, size, runs in operations(arguments.rows):
        times = {library: best(run, arguments.repeat) * 1e3 for library, run in runs.items()}
        cells = [f"{times[x]:.2f}" if x in times else "–" for x in libraries]
        floor = f"{size / bandwidth * 1e3:.1f}" if size else "–"
        print(f"| {name} | {floor} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
