"""A cluster of processes and the files that programs of Dask read there, for `dask_cluster.py` and `dask_memory.py`."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["arguments", "started"]


def arguments(doc: str | None, **defaults: Any) -> argparse.ArgumentParser:
    """Return a parser of what `started` takes, with defaults for ``rows`` and ``memory`` at least."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=float)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--memory", help="of each worker")
    parser.add_argument("--folder", type=Path, help="a folder of Parquet with the columns k, g, s, x, y")
    parser.set_defaults(**defaults)
    return parser


@contextmanager
def started(chosen: argparse.Namespace, files: int = 8) -> Iterator[tuple[Any, Path]]:
    """Start the workers; give a client and the folder of files, which are made where none was named."""
    import dask
    from distributed import Client, LocalCluster

    import cuprum.dask  # noqa: F401

    with (
        # Dask gives a worker up that is down so long after it was lost, though it was up in between: where workers
        # are killed or restarted again and again, all of them before long.
        dask.config.set({"distributed.deploy.lost-worker-timeout": "10 h"}),
        tempfile.TemporaryDirectory() as made,
        LocalCluster(
            n_workers=chosen.workers, threads_per_worker=1, dashboard_address=None, memory_limit=chosen.memory
        ) as cluster,
        Client(cluster) as client,
    ):
        folder = chosen.folder or Path(made) / "files"
        if chosen.folder is None:
            folder.mkdir()
            _make_files(folder, int(chosen.rows), files)
        yield client, folder


def _make_files(folder: Path, rows: int, parts: int) -> None:
    import numpy as np
    import pandas as pd

    names = np.array([f"name {i}" for i in range(1000)])
    for part in range(parts):
        chance = np.random.default_rng(part)
        size = rows // parts
        frame = pd.DataFrame(
            {
                "k": chance.integers(0, rows // 5, size),
                "g": chance.integers(0, 100, size),
                "s": names[chance.integers(0, 1000, size)],
                "x": chance.normal(size=size),
                "y": chance.normal(size=size),
            }
        )
        frame.to_parquet(folder / f"{part}.parquet", index=False)
