"""More rows than the workers of a cluster have memory for: sort, join and group-by finish, or not, and what they take.

    python benchmarks/dask_memory.py [--rows 40e6] [--files 40] [--workers 2] [--memory 400MB] [--backend cuprum]

Parquet of two keys, a text and two numbers is made (about 40 bytes a row in memory), or read from ``--folder``. What
each program gives is compared with what is known of the files; a worker that takes more than its limit is killed by
Dask, which is an error here. Peaks are those of resident memory, which shared libraries are part of.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from pathlib import Path

import dask_lineitem
from cluster import arguments, started


class Peaks:
    """The most resident memory that each process had at one moment, and that all had together, sampled."""

    def __init__(self, pids: list[int]) -> None:
        import psutil

        self.processes = [psutil.Process(pid) for pid in pids]
        self.one, self.all = 0, 0
        self.each = [0] * len(pids)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        import psutil

        while not self._stop.wait(0.05):
            sizes = []
            for i, process in enumerate(self.processes):
                try:
                    sizes.append(process.memory_info().rss)
                except psutil.Error:
                    continue
                self.each[i] = max(self.each[i], sizes[-1])
            self.one, self.all = max([self.one, *sizes]), max(self.all, sum(sizes))

    def __enter__(self) -> Peaks:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def in_order(part):
    """Return the least and the greatest key and the number of rows of a sorted partition."""
    keys = part["x"].to_numpy()
    assert (keys[1:] >= keys[:-1]).all(), "a partition is not sorted"
    return type(part)({"least": keys[:1], "most": keys[-1:], "rows": [len(keys)][: len(keys[:1])]})


def programs(dd, folder: Path, files: int):
    """Return programs by name; each gives a number that `expected` knows."""
    rows = lambda: dd.read_parquet(str(folder))  # noqa: E731

    def sort():
        meta = {"least": "float64", "most": "float64", "rows": "int64"}
        return rows().sort_values("x").map_partitions(in_order, meta=meta)

    def join():
        other = rows()[["k", "y"]].drop_duplicates(subset=["k"], split_out=files)
        return rows().merge(other, on="k", broadcast=False).map_partitions(len, meta=(None, "int64")).sum()

    def groups():
        found = rows().groupby("k").agg({"x": "count", "y": "std"}, split_out=files)
        return found.x.sum()

    return {"sort": sort, "join": join, "group-by": groups}


def run_lineitem(client, chosen) -> None:
    """Run the programs of `dask_lineitem` over the files that `tpchgen-cli` made, one after the other."""
    import dask
    import dask.dataframe as dd

    start = time.perf_counter()
    known = dask_lineitem.known_of(chosen.lineitem)
    print(
        f"{known.rows} rows of lineitem, {', '.join(dask_lineitem.COLUMNS)}: {known.nbytes / 1e9:.2f} GB in memory; "
        f"pyarrow has looked at them for {time.perf_counter() - start:.1f} s; "
        f"{chosen.workers} workers of {chosen.memory}",
        flush=True,
    )
    client.upload_file(dask_lineitem.__file__)
    with dask.config.set({"dataframe.backend": chosen.backend}):
        for name, program in dask_lineitem.programs(dd, chosen.lineitem).items():
            if chosen.only and name not in chosen.only:
                continue
            client.restart()
            start = time.perf_counter()
            with Peaks(list(client.run(os.getpid).values())) as peaks:
                try:
                    future = client.compute(program())
                    while not future.done() and time.perf_counter() - start < chosen.timeout:
                        _sleep(future, 10)
                        print(
                            f"  {name}: {time.perf_counter() - start:.0f} s, {_progress(client)}", flush=True
                        )
                    dask_lineitem.check(name, future.result(1), known)
                    outcome = "right"
                except Exception as error:
                    outcome = f"{type(error).__name__}: {str(error)[:200]}"
            each = ", ".join(f"{size / 1e6:.0f}" for size in peaks.each)
            print(
                f"{name}: {time.perf_counter() - start:.1f} s, at most {each} MB in the workers and "
                f"{peaks.all / 1e6:.0f} MB in all, {outcome}",
                flush=True,
            )


def _sleep(future, seconds: float) -> None:
    """Wait until a result is there, but not longer."""
    from distributed import TimeoutError, wait

    with contextlib.suppress(TimeoutError):
        wait(future, timeout=seconds)


def _progress(client) -> str:
    """Return how many tasks are done and how much memory workers have."""
    told = client.run_on_scheduler(_tasks)
    sizes = [
        worker["metrics"]["memory"] for worker in client.scheduler_info(n_workers=-1)["workers"].values()
    ]
    return f"{told} tasks done, workers have {', '.join(f'{size / 1e6:.0f}' for size in sizes)} MB"


def _tasks(dask_scheduler) -> str:
    tasks = dask_scheduler.tasks.values()
    done = sum(task.state in ("memory", "released", "forgotten") for task in tasks)
    return f"{done} of {len(tasks)}"


def check(name: str, result, length: int) -> None:
    if name != "sort":
        assert int(result) == length, (name, result, length)
        return
    least, most = (result[side].to_numpy() for side in ("least", "most"))
    assert int(result["rows"].sum()) == length
    assert (least[1:] >= most[:-1]).all(), "partitions are not in order"


def main() -> None:
    parser = arguments(__doc__, rows=40e6, memory="400MB")
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--backend", default="cuprum", choices=["cuprum", "pandas"])
    parser.add_argument("--timeout", type=float, default=600, help="seconds for each program")
    parser.add_argument("--only", nargs="*", help="names of programs: sort, join, group-by")
    parser.add_argument(
        "--lineitem", type=Path, help="a folder with lineitem/*.parquet and orders/*.parquet of tpchgen-cli"
    )
    chosen = parser.parse_args()
    chosen.folder = chosen.lineitem or chosen.folder
    with started(chosen, chosen.files) as (client, folder):
        import dask
        import dask.dataframe as dd
        import pyarrow.dataset

        if chosen.lineitem is not None:
            run_lineitem(client, chosen)
            return
        length = pyarrow.dataset.dataset(folder).count_rows()
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(
            f"{length} rows, {size / 1e9:.2f} GB of Parquet; {chosen.workers} workers of {chosen.memory}",
            flush=True,
        )
        with dask.config.set({"dataframe.backend": chosen.backend}):
            for name, program in programs(dd, folder, chosen.files).items():
                if chosen.only and name not in chosen.only:
                    continue
                client.restart()
                pids = list(client.run(os.getpid).values())
                start = time.perf_counter()
                with Peaks(pids) as peaks:
                    try:
                        check(name, client.compute(program()).result(chosen.timeout), length)
                        outcome = "right"
                    except Exception as error:
                        outcome = f"{type(error).__name__}: {str(error)[:200]}"
                print(
                    f"{name}: {time.perf_counter() - start:.1f} s, at most {peaks.one / 1e6:.0f} MB in a worker and "
                    f"{peaks.all / 1e6:.0f} MB in all, {outcome}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
