"""Sort, join and group rows of TPC-H's `lineitem` that do not fit into the workers; see `dask_memory.py --lineitem`.

    tpchgen-cli parquet -s 100 --tables=lineitem,orders --parts=200 --output-dir=/data/tpch
    python benchmarks/dask_memory.py --lineitem /data/tpch --workers 4 --memory 1GB --only sort

What each program gives is compared with sums that pyarrow makes of the files, batch by batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

COLUMNS = [
    "l_orderkey",
    "l_partkey",
    "l_suppkey",
    "l_quantity",
    "l_extendedprice",
    "l_discount",
    "l_shipdate",
]


@dataclass
class Known:
    """What the files say: rows, the exact sum of quantities, the largest key of a part, bytes in memory."""

    rows: int
    quantity: Decimal
    parts: int
    nbytes: int


def known_of(folder: Path) -> Known:
    """Read the files batch by batch with pyarrow, in bounded memory."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    known, seen = Known(0, Decimal(0), 0, 0), None
    for path in sorted((folder / "lineitem").glob("*.parquet")):
        for batch in pq.ParquetFile(path).iter_batches(1 << 17, columns=COLUMNS, use_threads=False):
            known.rows += batch.num_rows
            known.nbytes += batch.nbytes
            known.quantity += pc.sum(batch["l_quantity"]).as_py() or 0
            seen = _marked(seen, batch["l_partkey"].to_numpy())
    known.parts = int(seen.sum())
    return known


def _marked(seen, keys):
    """Mark keys as seen; a byte for each, 20 MB for scale factor 100."""
    import numpy as np

    most = int(keys.max(initial=0)) + 1
    if seen is None or len(seen) < most:
        grown = np.zeros(2 * most, dtype=bool)
        if seen is not None:
            grown[: len(seen)] = seen
        seen = grown
    seen[keys] = True
    return seen


def summary(part):
    """Return of a sorted partition its least and greatest day, its rows and its quantity in hundredths."""
    days = part["l_shipdate"]
    assert days.is_monotonic_increasing, "a partition is not sorted"
    ends = days.iloc[[0, -1]].to_numpy() if len(part) else days.to_numpy()
    first = len(part) > 0
    made = {
        "least": ends[:1].astype("datetime64[s]").astype("int64"),
        "most": ends[-1:].astype("datetime64[s]").astype("int64"),
        "rows": [len(part)] * first,
        "hundredths": [_hundredths(part["l_quantity"].sum())] * first,
    }
    return type(part)(made).astype("int64")


def _hundredths(value) -> int:
    return int(Decimal(str(value)) * 100)


def counts(part):
    """Return the rows of a partition and their quantity in hundredths."""
    rows = [len(part)]
    return type(part)(
        {"rows": rows, "hundredths": [_hundredths(part["l_quantity"].sum()) if len(part) else 0]}
    )


def programs(dd, folder: Path):
    """Return programs by name; `check` knows what each has to give."""
    rows = lambda: dd.read_parquet(str(folder / "lineitem"), columns=COLUMNS)  # noqa: E731
    files = len(list((folder / "lineitem").glob("*.parquet")))

    def sort():
        meta = dict.fromkeys(("least", "most", "rows", "hundredths"), "int64")
        return rows().sort_values("l_shipdate").map_partitions(summary, meta=meta)

    def join():
        orders = dd.read_parquet(str(folder / "orders"), columns=["o_orderkey", "o_custkey"])
        joined = rows().merge(orders, left_on="l_orderkey", right_on="o_orderkey", broadcast=False)
        return joined.map_partitions(counts, meta={"rows": "int64", "hundredths": "int64"})

    def groups():
        found = rows().groupby("l_partkey").agg({"l_suppkey": "count", "l_quantity": "sum"}, split_out=files)
        return found.map_partitions(
            _of_groups, meta={"parts": "int64", "rows": "int64", "hundredths": "int64"}
        )

    return {"sort": sort, "join": join, "group-by": groups}


def _of_groups(part):
    quantity = _hundredths(part["l_quantity"].sum()) if len(part) else 0
    rows = int(part["l_suppkey"].sum())
    return type(part)({"parts": [len(part)], "rows": [rows], "hundredths": [quantity]})


def check(name: str, result, known: Known) -> None:
    """Compare what a program gives with the sums of the files; ``AssertionError`` names both."""
    found = {label: int(result[label].sum()) for label in ("rows", "hundredths")}
    wanted = {"rows": known.rows, "hundredths": int(known.quantity * 100)}
    if name == "group-by":
        found["parts"], wanted["parts"] = int(result["parts"].sum()), known.parts
    assert found == wanted, (name, found, wanted)
    if name == "sort":
        least, most = (result[side].to_numpy() for side in ("least", "most"))
        assert (least[1:] >= most[:-1]).all(), "partitions are not in order"
