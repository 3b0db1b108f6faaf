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
    """Log messages of a level and above.

    Parameters
    ----------
    level : level_enum or str
        The level: ``'trace'``, ``'debug'``, ``'info'``, ``'warn'``, ``'error'``, ``'critical'`` or ``'off'``.

    Returns
    -------
    level_enum
        The level before.

    Notes
    -----
    At first it is ``warn``, or what ``CUPRUM_LOGGING_LEVEL`` (or ``LIBCUDF_LOGGING_LEVEL``) says. Messages of
    ``trace`` and ``debug`` are left out of release builds.

    Examples
    --------
    >>> from cuprum import rmm
    >>> before = rmm.set_logging_level("info")
    >>> rmm.get_logging_level()
    <level_enum.info: 2>
    >>> rmm.set_logging_level(before)
    <level_enum.info: 2>
    """
    name = level if isinstance(level, str) else level_enum(level).name
    return level_enum[_cuprum.set_log_level(name).lower()]


def get_logging_level() -> level_enum:
    """Return the lowest level that is logged.

    Returns
    -------
    level_enum
        The level.

    Examples
    --------
    >>> from cuprum import rmm
    >>> before = rmm.set_logging_level("error")
    >>> rmm.get_logging_level()
    <level_enum.error: 4>
    >>> rmm.set_logging_level(before)
    <level_enum.error: 4>
    """
    return level_enum[_cuprum.get_log_level().lower()]


def should_log(level: level_enum) -> bool:
    """Return whether a message of a level would be logged.

    Parameters
    ----------
    level : level_enum
        The level of the message.

    Returns
    -------
    bool
        False for ``level_enum.off``.

    Examples
    --------
    >>> from cuprum import rmm
    >>> before = rmm.set_logging_level("warn")
    >>> rmm.should_log(rmm.level_enum.error), rmm.should_log(rmm.level_enum.info)
    (True, False)
    >>> level = rmm.set_logging_level(before)
    """
    return level != level_enum.off and level_enum(level) >= get_logging_level()


def set_log_file(path: str | os.PathLike[str] | None = None) -> None:
    """Append messages of the log to a file.

    Parameters
    ----------
    path : str or path, optional
        The file; by default messages go to standard error, as at first.

    Examples
    --------
    >>> import os, tempfile
    >>> from cuprum import rmm
    >>> rmm.set_log_file(os.path.join(tempfile.mkdtemp(), "cuprum.log"))
    >>> rmm.set_log_file()
    """
    _cuprum.set_log_file(path)


def flush_logger() -> None:
    """Hand messages of the log that are buffered to the operating system.

    Examples
    --------
    >>> from cuprum import rmm
    >>> rmm.flush_logger()
    """
    _cuprum.flush_log()


_hooks: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = []


def register_reinitialize_hook(func: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Have a function called before `reinitialize` changes anything.

    Parameters
    ----------
    func : function
        The function; of several the last one that was registered is called first.
    *args
        Positional arguments of the call.
    **kwargs
        Keyword arguments of the call.

    Examples
    --------
    >>> from cuprum import rmm
    >>> rmm.register_reinitialize_hook(print, "new resources")
    >>> rmm.reinitialize()
    new resources
    >>> rmm.unregister_reinitialize_hook(print)
    """
    _hooks.insert(0, (func, args, kwargs))


def unregister_reinitialize_hook(func: Callable[..., Any]) -> None:
    """Call a function no more before `reinitialize` changes anything.

    Parameters
    ----------
    func : function
        The function, however often it was registered; nothing happens where it was not.

    Examples
    --------
    >>> from cuprum import rmm
    >>> rmm.register_reinitialize_hook(print, "new resources")
    >>> rmm.unregister_reinitialize_hook(print)
    """
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
    """Give devices new memory resources.

    Parameters
    ----------
    pool_allocator : bool, default False
        Whether a `mr.PoolMemoryResource` stands in front.
    managed_memory : bool, default False
        Whether memory moves between host and GPU.
    initial_pool_size : int, optional
        The bytes that the pool has at first.
    maximum_pool_size : int, optional
        The most bytes that the pool has; by default there is no limit.
    devices : device or list of devices, default ``'cpu'``
        The devices, by name or number.
    logging : bool, default False
        Whether every allocation is written to a file; see `mr.enable_logging`.
    log_file_name : str or path, optional
        That file; by default what ``RMM_LOG_FILE`` says.

    Raises
    ------
    ValueError
        For managed memory of the CPU, and ``logging`` without a file.

    Notes
    -----
    Memory handed out so far stays valid and goes back where it came from.

    Examples
    --------
    >>> from cuprum import rmm
    >>> rmm.reinitialize(pool_allocator=True, initial_pool_size=2**20)
    >>> rmm.mr.get_current_device_resource_type().__name__
    'PoolMemoryResource'
    >>> rmm.reinitialize()
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
