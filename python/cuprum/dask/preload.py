"""A preload of workers: ``dask worker --preload cuprum.dask.preload``.

With ``--name`` a number (as ``dask worker --nworkers`` and ``LocalCluster`` name workers) and
``CUPRUM_DASK_GPUS`` set to the GPUs of the machine (``0,1,2,3``), worker N sees GPU N first.
"""

from __future__ import annotations

import os
from typing import Any

__all__ = ["dask_setup"]


def dask_setup(worker: Any) -> None:
    """Set a worker up when it starts; see `cuprum.dask.workers`."""
    gpus = os.environ.get("CUPRUM_DASK_GPUS")
    if gpus:
        from cuprum.dask.workers import use_gpu_of_worker

        number = str(worker.name).rpartition("-")[2]
        if not number.isdigit():
            raise ValueError(
                f"CUPRUM_DASK_GPUS is set, and the worker is called {worker.name!r}: its name has to end with a number"
            )
        os.environ["CUDA_VISIBLE_DEVICES"] = use_gpu_of_worker(int(number), gpus)
    from cuprum.dask.workers import set_up

    set_up(worker)
