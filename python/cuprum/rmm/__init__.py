"""Memory: resources, buffers, streams and logging, under RMM's names.

Everything large that Cuprum makes is allocated from the *current memory resource* of its device and
goes back to the resource it came from. Resources stand in front of each other:

>>> import cuprum
>>> from cuprum import rmm
>>> upstream = rmm.mr.get_current_device_resource()
>>> counting = rmm.mr.StatisticsResourceAdaptor(upstream)
>>> rmm.mr.set_current_device_resource(counting)
>>> df = cuprum.DataFrame({"x": range(1_000_000)})
>>> counting.allocation_counts.current_bytes
8000000
>>> rmm.mr.set_current_device_resource(upstream)

Devices are named ``"cpu"``, ``"cuda"``, ``"cuda:1"`` or ``"emulator"`` (CUDA on the host, on every
machine), or by the number of a CUDA device. Data frames live on the CPU unless the option ``device`` says
otherwise, and ``"cpu"`` is the device where none is named here; memory of a GPU is had by naming it.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Callable
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import DeviceBuffer, Stream, StreamPool
from cuprum.rmm import mr, statistics

__all__ = [
    "DeviceBuffer",
    "RMMError",
    "Stream",
    "StreamPool",
    "current_stream",
    "disable_logging",
    "enable_logging",
    "flush_logger",
    "get_log_filenames",
    "get_logging_level",
    "is_initialized",
    "level_enum",
    "mr",
    "register_reinitialize_hook",
    "reinitialize",
    "set_log_file",
    "set_logging_level",
    "should_log",
    "statistics",
    "to_device",
    "unregister_reinitialize_hook",
]

current_stream = _cuprum.current_stream
to_device = DeviceBuffer.to_device
enable_logging = mr.enable_logging
disable_logging = mr.disable_logging
get_log_filenames = mr.get_log_filenames
is_initialized = mr.is_initialized
#: What a memory resource raises when it has no more to give.
RMMError = MemoryError


class level_enum(enum.IntEnum):
    """The levels of the log, from the most talkative on."""

    trace = 0
    debug = 1
    info = 2
    warn = 3
    error = 4
    critical = 5
    off = 6


def set_logging_level(level: level_enum | str) -> level_enum:
    """Log messages of ``level`` and above; return the level before.

    At first it is ``warn``, or what ``CUPRUM_LOGGING_LEVEL`` (or ``LIBCUDF_LOGGING_LEVEL``) says.
    Messages of ``trace`` and ``debug`` are left out of release builds.

    >>> before = set_logging_level("info")
    >>> get_logging_level()
    <level_enum.info: 2>
    >>> set_logging_level(before)
    <level_enum.info: 2>
    """
    name = level if isinstance(level, str) else level_enum(level).name
    return level_enum[_cuprum.set_log_level(name).lower()]


def get_logging_level() -> level_enum:
    """Return the lowest level that is logged."""
    return level_enum[_cuprum.get_log_level().lower()]


def should_log(level: level_enum) -> bool:
    """Return whether a message of ``level`` would be logged."""
    return level != level_enum.off and level_enum(level) >= get_logging_level()


def set_log_file(path: str | os.PathLike[str] | None = None) -> None:
    """Append messages to the file ``path``; to standard error for ``None``, as at first."""
    _cuprum.set_log_file(path)


def flush_logger() -> None:
    """Hand messages that are buffered to the operating system."""
    _cuprum.flush_log()


_hooks: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = []


def register_reinitialize_hook(func: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Have ``func(*args, **kwargs)`` called before `reinitialize` changes anything; the last first."""
    _hooks.insert(0, (func, args, kwargs))


def unregister_reinitialize_hook(func: Callable[..., Any]) -> None:
    """Call ``func`` no more, however often it was registered."""
    _hooks[:] = [hook for hook in _hooks if hook[0] is not func]


def reinitialize(
    pool_allocator: bool = False,
    managed_memory: bool = False,
    initial_pool_size: int | None = None,
    maximum_pool_size: int | None = None,
    devices: Any = "cpu",
    logging: bool = False,
    log_file_name: str | None = None,
) -> None:
    """Give ``devices`` (one or several) new memory resources.

    Parameters
    ----------
    pool_allocator
        Put a `mr.PoolMemoryResource` in front, of ``initial_pool_size`` to ``maximum_pool_size`` bytes.
    managed_memory
        Use memory that moves between host and GPU. On the CPU there is none: ``ValueError``.
    logging, log_file_name
        Write every allocation to ``log_file_name`` (see `mr.enable_logging`).

    Memory handed out so far stays valid and goes back where it came from.
    """
    names = [devices] if isinstance(devices, str | int) else list(devices)
    made = []
    for name in names:
        device = _cuprum.Device(name)
        on_cpu = str(device) == "cpu"
        if managed_memory and on_cpu:
            raise ValueError("`managed_memory` is True, but device 'cpu' has no managed memory")
        resource: mr.DeviceMemoryResource
        if managed_memory:
            resource = mr.ManagedMemoryResource(device=name)
        elif on_cpu:
            resource = mr.CpuMemoryResource()
        else:
            resource = (
                mr.CudaMemoryResource(device=name)
                if pool_allocator
                else mr.CudaAsyncMemoryResource(device=name)
            )
        if pool_allocator:
            resource = mr.PoolMemoryResource(resource, initial_pool_size, maximum_pool_size)
        made.append((name, resource))
    for func, args, kwargs in tuple(_hooks):
        func(*args, **kwargs)
    for name, resource in made:
        mr.set_per_device_resource(name, resource)
    if logging:
        mr.enable_logging(log_file_name, devices=names)
