"""Dask on Cuprum beside Dask on pandas: the same programs, the same files, the same cluster of processes.

    python benchmarks/dask_cluster.py [--rows 10e6] [--workers 2] [--memory 4GB] [--folder DIR] [--kills 100]

Without ``--folder`` Parquet is made: ``rows`` rows of two keys, a text and two numbers. Times are the best of
``--repeat`` runs on a fresh client each; "on the wire" is what the workers sent each other (p2p: Arrow tables, else
packed frames). ``--kills`` ends workers in the middle of shuffles, joins and writes instead, and checks the results.
"""

from __future__ import annotations

import math
import os
import random
import signal
import time
from pathlib import Path

from cluster import arguments, started


def programs(dd, folder: Path):
    """Return programs by name; each gives a number, which the two backends have to agree about."""
    rows = lambda: dd.read_parquet(str(folder))  # noqa: E731
    few = lambda: rows().drop_duplicates(subset=["k"], split_out=8)[["k", "y"]]  # noqa: E731
    large = lambda d: d[d.x > 1]  # noqa: E731
    return {
        "read": lambda: rows()[["x", "y"]].sum().sum(),
        "read, filter": lambda: large(rows()).y.sum(),
        "shuffle": lambda: rows().shuffle("k").map_partitions(len, meta=(None, "int64")).sum(),
        "join": lambda: rows().merge(few(), on="k", broadcast=False).y_y.sum(),
        "group-by, many groups": lambda: (
            rows().groupby("k").agg({"x": "mean", "y": "std"}, split_out=8).x.sum()
        ),
        "group-by, few groups": lambda: (
            rows().groupby("g").agg({"x": ["mean", "std"], "y": "sum"}).sum().sum()
        ),
        "value_counts": lambda: rows().s.value_counts().max(),
        "sort": lambda: rows().sort_values("x").map_partitions(len, meta=(None, "int64")).sum(),
    }


def sent(client) -> int:
    return sum(client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total).values()) + sum(
        client.run(_of_shuffles).values()
    )


def _of_shuffles(dask_worker) -> int:
    metrics = dask_worker.digests_total
    return int(
        sum(v for k, v in metrics.items() if "p2p" in str(k) and "comms" in str(k) and "bytes" in str(k))
    )


def peak(client) -> int:
    return max(client.run(lambda: __import__("resource").getrusage(0).ru_maxrss).values()) * 1024


def bench(client, folder: Path, repeat: int) -> None:
    import dask
    import dask.dataframe as dd

    found: dict[str, dict[str, tuple[float, int, float]]] = {}
    for backend in ("pandas", "cuprum"):
        client.restart()
        with dask.config.set({"dataframe.backend": backend}):
            for name, program in programs(dd, folder).items():
                times, before = [], sent(client)
                for _ in range(repeat):
                    start = time.perf_counter()
                    value = float(client.compute(program()).result())
                    times.append(time.perf_counter() - start)
                bytes_sent = (sent(client) - before) // repeat
                found.setdefault(name, {})[backend] = min(times), bytes_sent, value
        print(f"{backend}: at most {peak(client) / 2**30:.2f} GiB in a worker", flush=True)
    print(f"\n| program | pandas, s | Cuprum, s | ratio | sent by pandas, MB | by Cuprum |\n|{'---|' * 6}")
    ratios = []
    for name, both in found.items():
        (theirs, their_bytes, wanted), (ours, our_bytes, value) = both["pandas"], both["cuprum"]
        assert math.isclose(value, wanted, rel_tol=1e-6, abs_tol=1e-3), (name, value, wanted)
        ratios.append(theirs / ours)
        print(
            f"| {name} | {theirs:.2f} | {ours:.2f} | {theirs / ours:.2f} "
            f"| {their_bytes / 1e6:.1f} | {our_bytes / 1e6:.1f} |"
        )
    print(f"\ngeometric mean of the ratios: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")


def serialize() -> None:
    """Time a frame of 1 GB as a message beside a copy of as much memory."""
    import numpy as np
    from distributed.protocol import deserialize
    from distributed.protocol import serialize as made

    import cuprum

    frame = cuprum.DataFrame({"a": np.arange(62_500_000), "b": np.random.default_rng(0).random(62_500_000)})
    source = np.zeros(10**9, "uint8") + 1
    target = np.zeros_like(source) + 1
    best = dict.fromkeys(("write", "read", "copy"), math.inf)
    for _ in range(5):
        start = time.perf_counter()
        header, frames = made(frame, serializers=["dask"])
        middle = time.perf_counter()
        deserialize(header, frames)
        end = time.perf_counter()
        target[:] = source
        took = {"write": middle - start, "read": end - middle, "copy": time.perf_counter() - end}
        best = {name: min(best[name], took[name]) for name in best}
    print("1 GB: " + ", ".join(f"{name} {1000 * took:.1f} ms" for name, took in best.items()))


def alive(client, gone: int | None) -> list[int]:
    """Return the processes of the workers once there are as many as there were before one was killed."""
    for _ in range(600):
        pids = [pid for pid in client.run(os.getpid, on_error="ignore").values() if pid != gone]
        if len(pids) == len(client.cluster.workers):
            return pids
        time.sleep(0.1)
    raise TimeoutError("a worker that was killed was not started again within a minute")


def kills(client, folder: Path, times: int) -> None:
    """End a worker while something is under way, ``times`` times: the result is right or there is an error."""
    import dask
    import dask.dataframe as dd

    import cuprum

    outcomes: dict[str, int] = {}
    with dask.config.set({"dataframe.backend": "cuprum"}):
        rows = dd.read_parquet(str(folder))
        length = len(rows)
        works = {name: programs(dd, folder)[name] for name in ("shuffle", "join", "sort")}
        wanted = {name: float(client.compute(work()).result()) for name, work in works.items()}
        gone = None
        for i in range(times):
            name = [*works, "write"][i % 4]
            target = folder.parent / f"written-{i}"
            made = rows.to_parquet(target, compute=False) if name == "write" else works[name]()
            pids = alive(client, gone)
            future = client.compute(made)
            time.sleep(random.random())
            gone = random.choice(pids)
            os.kill(gone, signal.SIGKILL)
            try:
                value = future.result(60)
                outcome = "right"
            except Exception as error:
                value, outcome = None, f"error: {type(error).__name__}: {str(error)[:100]}"
            if name == "write":
                files = sorted(target.rglob("*.parquet"))
                seen = sum(cuprum.read_parquet_metadata(file)[0] for file in files)
                assert seen in (0, length), (seen, length)
                assert outcome != "right" or seen == length
            elif outcome == "right":
                assert math.isclose(float(value), wanted[name], rel_tol=1e-9), (name, value, wanted[name])
            print(f"{i + 1}: {name}, {outcome}", flush=True)
            outcomes[f"{name}, {outcome}"] = outcomes.get(f"{name}, {outcome}", 0) + 1
    for outcome, count in sorted(outcomes.items()):
        print(f"{count:4d}  {outcome}")


def main() -> None:
    parser = arguments(__doc__, rows=10e6, memory="4GB")
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--kills", type=int, default=0)
    chosen = parser.parse_args()
    with started(chosen) as (client, folder):
        if chosen.kills:
            kills(client, folder, chosen.kills)
        else:
            bench(client, folder, chosen.repeat)
            serialize()


if __name__ == "__main__":
    main()
