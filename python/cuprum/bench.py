"""A comparison on this machine: ``python -m cuprum.bench``.

Times a dozen operations of Cuprum, and of pandas, Polars and DuckDB where they are installed, on the same made data in
one process; `run` returns the times as a frame. Every library has the data in its own format before the clock starts,
works with as many threads as it takes by itself, and takes turns with the others. Times are the best of the runs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["run"]


class Operation(NamedTuple):
    """What each library does with its two tables; SQL for DuckDB, which makes a table of it."""

    name: str
    frames: Callable[[Any, Any], Any]
    polars: Callable[[Any, Any, Any], Any]
    sql: str


OPERATIONS = [
    Operation(
        "formula",
        lambda t, _: (t["a"] * t["b"] + t["c"]) / (t["b"] + 1.0),
        lambda pl, t, _: t.select((pl.col("a") * pl.col("b") + pl.col("c")) / (pl.col("b") + 1.0)),
        "SELECT (a * b + c) / (b + 1.0) AS x FROM t",
    ),
    Operation(
        "sum of float64",
        lambda t, _: t["a"].sum(),
        lambda pl, t, _: t.select(pl.col("a").sum()),
        "SELECT sum(a) AS x FROM t",
    ),
    Operation(
        "filter half of the rows",
        lambda t, _: t[t["a"] < 0.5],
        lambda pl, t, _: t.filter(pl.col("a") < 0.5),
        "SELECT * FROM t WHERE a < 0.5",
    ),
    Operation(
        "sort by a float64",
        lambda t, _: t[["many", "c"]].sort_values("c"),
        lambda pl, t, _: t.select("many", "c").sort("c"),
        "SELECT many, c FROM t ORDER BY c",
    ),
    Operation(
        "group by 100 keys",
        lambda t, _: t.groupby("few", sort=False)["a"].mean(),
        lambda pl, t, _: t.group_by("few").agg(pl.col("a").mean()),
        "SELECT few, avg(a) AS x FROM t GROUP BY few",
    ),
    Operation(
        "group by a tenth of the rows",
        lambda t, _: t.groupby("many", sort=False)["a"].mean(),
        lambda pl, t, _: t.group_by("many").agg(pl.col("a").mean()),
        "SELECT many, avg(a) AS x FROM t GROUP BY many",
    ),
    Operation(
        "group by text",
        lambda t, _: t.groupby("text", sort=False)["a"].mean(),
        lambda pl, t, _: t.group_by("text").agg(pl.col("a").mean()),
        "SELECT text, avg(a) AS x FROM t GROUP BY text",
    ),
    Operation(
        "median by 100 keys",
        lambda t, _: t.groupby("few", sort=False)["a"].median(),
        lambda pl, t, _: t.group_by("few").agg(pl.col("a").median()),
        "SELECT few, median(a) AS x FROM t GROUP BY few",
    ),
    Operation(
        "join",
        lambda t, d: t[["many", "a"]].merge(d, on="many"),
        lambda pl, t, d: t.select("many", "a").join(d, on="many"),
        "SELECT many, a, d FROM t JOIN d USING (many)",
    ),
    Operation(
        "distinct values",
        lambda t, _: t["many"].drop_duplicates(),
        lambda pl, t, _: t.select(pl.col("many").unique()),
        "SELECT DISTINCT many FROM t",
    ),
    Operation(
        "find in texts",
        lambda t, _: t["text"].str.contains("7 of", regex=False),
        lambda pl, t, _: t.select(pl.col("text").str.contains("7 of", literal=True)),
        "SELECT contains(text, '7 of') AS x FROM t",
    ),
    Operation(
        "rolling mean of 100 rows",
        lambda t, _: t["a"].rolling(100).mean(),
        lambda pl, t, _: t.select(pl.col("a").rolling_mean(100)),
        "SELECT avg(a) OVER (ROWS BETWEEN 99 PRECEDING AND CURRENT ROW) AS x FROM t",
    ),
]


def _made(rows: int) -> tuple[dict[str, Any], dict[str, Any]]:
    import numpy as np

    random = np.random.default_rng(2013)
    many = max(rows // 10, 100)
    texts = np.array([f"key {i * 7919 % 10_000} of {i % 97}" for i in range(10_000)], dtype=object)
    table = {
        "few": random.integers(0, 100, rows),
        "many": random.integers(0, many, rows),
        "a": random.random(rows),
        "b": random.random(rows),
        "c": random.standard_normal(rows),
        "text": texts[random.integers(0, len(texts), rows)],
    }
    return table, {"many": random.permutation(many), "d": random.random(many)}


def _libraries(rows: int) -> dict[str, Callable[[Operation], Any]]:
    """Return what runs an operation, by library, each with the tables in its own format."""
    import pandas as pd

    import cuprum

    made = [pd.DataFrame(table) for table in _made(rows)]
    ours = [cuprum.from_pandas(table) for table in made]
    found: dict[str, Callable[[Operation], Any]] = {
        "Cuprum": lambda operation: operation.frames(*ours),
        "pandas": lambda operation: operation.frames(*made),
    }
    try:
        import polars as pl

        theirs = [pl.from_pandas(table) for table in made]
        found["Polars"] = lambda operation: operation.polars(pl, *theirs)
    except ImportError:
        pass
    try:
        import duckdb

        connection = duckdb.connect()
        for name, table in zip("td", made, strict=True):
            connection.register("made", table)
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM made")
            connection.unregister("made")
        found["DuckDB"] = lambda operation: connection.execute(
            f"CREATE OR REPLACE TEMP TABLE result AS {operation.sql}"
        )
    except ImportError:
        pass
    return found


def run(rows: int = 5_000_000, repeat: int = 3, seconds: float = 120.0) -> DataFrame:
    """Return the times of operations of Cuprum and of what else is installed.

    Parameters
    ----------
    rows : int, default 5_000_000
        The rows of the table; 100 at least.
    repeat : int, default 3
        How often each operation runs at most; the best time counts.
    seconds : float, default 120.0
        When operations are no longer repeated, and later ones left out.

    Returns
    -------
    DataFrame
        Milliseconds: a row for each operation, under its name, and a column for each library.

    Raises
    ------
    ValueError
        For fewer than 100 rows and for no run.

    Examples
    --------
    >>> import cuprum.bench
    >>> times = cuprum.bench.run(rows=1000, repeat=1)
    >>> times.columns[0], bool((times["Cuprum"] > 0).all())
    ('Cuprum', True)
    """
    import cuprum

    if rows < 100:
        raise ValueError(f"`rows` is {rows}: 100 at least")
    if repeat < 1:
        raise ValueError(f"`repeat` is {repeat}: 1 at least")
    end = time.perf_counter() + seconds
    libraries = _libraries(rows)
    times: dict[str, dict[str, float]] = {name: {} for name in libraries}
    for operation in OPERATIONS:
        if time.perf_counter() > end:
            break
        for turn in range(repeat):
            if turn and time.perf_counter() > end:
                break
            for name, work in libraries.items():
                start = time.perf_counter()
                work(operation)
                taken = 1e3 * (time.perf_counter() - start)
                known = times[name].get(operation.name, taken)
                times[name][operation.name] = min(taken, known)
    names = list(times["Cuprum"])
    frame = cuprum.DataFrame(
        {library: [of[name] for name in names] for library, of in times.items()}, index=names
    )
    return frame.rename_axis("milliseconds")


def _plot(times: DataFrame, path: str, rows: int) -> None:
    import matplotlib

    matplotlib.use("agg")
    axes = times.plot.barh(figsize=(8, 6), logx=True)
    axes.invert_yaxis()
    axes.set_xlabel(f"milliseconds, {rows:,} rows (less is better)")
    axes.figure.tight_layout()
    axes.figure.savefig(path)


def main(arguments: list[str] | None = None) -> int:
    """Print the comparison; for ``python -m cuprum.bench``."""
    import numpy as np

    import cuprum

    parser = argparse.ArgumentParser(prog="python -m cuprum.bench", description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000, help="rows of the table (5 000 000)")
    parser.add_argument(
        "--repeat", type=int, default=3, help="runs of each operation; the best time counts (3)"
    )
    parser.add_argument("--plot", metavar="FILE", help="a picture of the times, which needs matplotlib")
    given = parser.parse_args(arguments)
    try:
        times = run(given.rows, given.repeat)
    except ValueError as error:
        parser.error(str(error))
    print(f"Cuprum {cuprum.__version__}, {given.rows:,} rows, best of {given.repeat} runs")
    print(times.round(1).to_string())
    others = times.drop(columns="Cuprum")
    if others.shape[1]:
        mean = np.exp(np.log((times["Cuprum"] / others.min(axis=1)).to_numpy()).mean())
        print(f"Cuprum's time as a part of the fastest other's, geometric mean: {mean:.2f}")
    if given.plot:
        _plot(times, given.plot, given.rows)
        print(f"drawn in {given.plot}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
