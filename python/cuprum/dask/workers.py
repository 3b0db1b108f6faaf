"""Settings of a worker of `distributed`: its share of the cores, its limit of memory, its GPU.

All of it happens by itself in a worker that meets a frame of Cuprum. To have it done when workers start, name
``cuprum.dask.preload`` as a preload (``dask worker --preload cuprum.dask.preload``).
"""

from __future__ import annotations

import os
import sys
from typing import Any

import cuprum
from cuprum import _cuprum
from cuprum.core.buffer.spill_manager import get_global_manager
from cuprum.rmm import mr

__all__ = ["in_worker", "set_up", "share_of_cores", "use_gpu_of_worker", "worker_of_process"]

# Of a worker's limit: what columns may have in memory before the least recently used go to a file, and the size
# of the process from which on all that is idle does. Dask starts to write its own data at 0.6 and 0.7.
_COLUMNS, _PROCESS = 0.5, 0.65
# Memory that the peer-to-peer shuffle may keep before data are sent, and before they are written; freed
# memory that is kept for reuse: Dask counts it, and a worker that it has paused would never free it.
_BUFFER, _IDLE = 0.1, 0.1


def worker_of_process() -> Any:
    """Return the worker that this process is, or None: it is none, or has several."""
    module = sys.modules.get("distributed.worker")
    scheduler = sys.modules.get("distributed.scheduler")
    if module is None or not hasattr(module, "Worker"):
        return None
    workers = list(module.Worker._instances)
    if len(workers) != 1 or (scheduler is not None and list(getattr(scheduler.Scheduler, "_instances", ()))):
        return None
    return workers[0]


def share_of_cores(workers: int | None = None) -> int:
    """Return how many threads a worker takes: the cores of the machine by the workers on it, 1 at least.

    Without ``workers`` the processes are counted that were started beside this one.

    Examples
    --------
    >>> share_of_cores(10**6)
    1
    """
    if workers is None:
        workers = _beside()
    elif isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise ValueError(f"`workers` is {workers!r}, no positive number")
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    return max(1, cores // workers)


def _beside() -> int:
    """Return how many workers the parent of this process has started, this one among them."""
    import psutil

    try:
        own = psutil.Process()
        parent = own.parent()
        if parent is None or not _is_spawned(own):
            return 1
        return max(1, sum(_is_spawned(child) for child in parent.children()))
    except psutil.Error:
        return 1


def _is_spawned(process: Any) -> bool:
    import psutil

    try:
        return any("multiprocessing" in word and "spawn_main" in word for word in process.cmdline())
    except psutil.Error:
        return False


_done = False


def in_worker() -> None:
    """Set this process up if it is a worker of its own; nothing else is changed.

    Called wherever frames come into a process: workers import the program, and with it this module, before they
    are workers.
    """
    if not _done:
        worker = worker_of_process()
        if worker is not None:
            set_up(worker)


def set_up(worker: Any) -> None:
    """Give a worker its share of the cores and have columns leave memory before Dask's own limits are reached.

    What the environment says (``CUPRUM_NUM_THREADS``, ``CUPRUM_SPILL`` and its limits) stays as it is.
    """
    global _done
    if _done:
        return
    _done = True
    os.environ.setdefault("CUPRUM_NUM_THREADS", str(share_of_cores()))
    limit = worker.memory_manager.memory_limit
    if limit and not any(name.startswith(("CUPRUM_SPILL", "CUDF_SPILL")) for name in os.environ):
        cuprum.set_option("spill", True)
        cuprum.set_option("spill_device_limit", int(limit * _COLUMNS))
        _watch(worker, int(limit * _PROCESS))
    if limit:
        _limit_buffers(worker, int(limit * _BUFFER))
        # Unless the program has chosen a resource of its own.
        if type(mr.get_per_device_resource("cpu")) is mr.DeviceMemoryResource:
            mr.set_per_device_resource("cpu", mr.CpuMemoryResource(int(limit * _IDLE)))


def _limit_buffers(worker: Any, most: int) -> None:
    """Have the peer-to-peer shuffle keep at most so many bytes in each of its buffers; smaller ones stay as they are."""
    import dask
    from dask.utils import parse_bytes

    buffers = {"comm": "memory_limiter_comms", "storage": "memory_limiter_disk"}
    plugin = getattr(worker, "extensions", {}).get("shuffle")
    for name, limiter in buffers.items():
        key = f"distributed.p2p.{name}.buffer"
        size = dask.config.get(key, None)
        if size is not None and parse_bytes(size) > most:
            dask.config.set({key: most})
        known = getattr(plugin, limiter, None)
        if known is not None and known.limit is not None and known.limit > most:
            known.limit = most


def _watch(worker: Any, most: int) -> None:
    """Have idle columns leave memory while the process has more than ``most`` bytes."""
    from tornado.ioloop import PeriodicCallback

    async def look() -> None:
        over = worker.monitor.get_process_memory() - most
        if over > 0:
            await worker.loop.asyncio_loop.run_in_executor(None, _make_room, over)

    watch = PeriodicCallback(look, 200)
    worker.periodic_callbacks["cuprum-memory"] = watch
    worker.loop.add_callback(watch.start)


def _make_room(nbytes: int) -> None:
    resource = mr.get_per_device_resource("cpu")
    if isinstance(resource, mr.CpuMemoryResource):
        nbytes -= resource.idle_bytes()
        resource.release_idle()
    if nbytes <= 0:
        return
    manager = get_global_manager()
    if manager is not None:
        manager.spill_device_memory(nbytes)


def use_gpu_of_worker(number: int, devices: str | None = None) -> str:
    """Return what ``CUDA_VISIBLE_DEVICES`` of the worker with this number has to be: its GPU first, then the others.

    Parameters
    ----------
    number
        The number of the worker on its machine, from 0; workers beyond the GPUs begin with the first again.
    devices
        The GPUs to share out, as ``CUDA_VISIBLE_DEVICES`` has them; those of this process without it.

    Examples
    --------
    >>> use_gpu_of_worker(1, "0,1,2")
    '1,2,0'
    """
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise ValueError(f"`number` is {number!r}, no number of a worker")
    given = os.environ.get("CUDA_VISIBLE_DEVICES") if devices is None else devices
    if given is None:
        count = sum(str(device).startswith("cuda") for device in _cuprum.devices())
        names = [str(i) for i in range(count)]
    else:
        names = [name.strip() for name in given.split(",") if name.strip()]
    if not names:
        raise ValueError("there is no GPU to share out: `devices` names none and this machine has none")
    first = number % len(names)
    return ",".join(names[first:] + names[:first])
