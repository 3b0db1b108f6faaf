"""Memory resources.

A resource hands out memory of one device and takes it back. Those whose names end in ``Adaptor``, the
pool and the bins stand in front of another resource, ``upstream_mr``, and keep it alive; a buffer
keeps its resource alive.
"""

from __future__ import annotations

import os
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import (
    BinningMemoryResource,
    CpuMemoryResource,
    CudaAsyncMemoryResource,
    CudaMemoryResource,
    DeviceMemoryResource,
    FailureCallbackResourceAdaptor,
    FixedSizeMemoryResource,
    LimitingResourceAdaptor,
    LoggingResourceAdaptor,
    ManagedMemoryResource,
    PinnedHostMemoryResource,
    PoolMemoryResource,
    PrefetchResourceAdaptor,
    StatisticsResourceAdaptor,
    TrackingResourceAdaptor,
    get_per_device_resource,
    reset_per_device_resource,
    set_per_device_resource,
)

__all__ = [
    "BinningMemoryResource",
    "CpuMemoryResource",
    "CudaAsyncMemoryResource",
    "CudaMemoryResource",
    "DeviceMemoryResource",
    "FailureCallbackResourceAdaptor",
    "FixedSizeMemoryResource",
    "LimitingResourceAdaptor",
    "LoggingResourceAdaptor",
    "ManagedMemoryResource",
    "PinnedHostMemoryResource",
    "PoolMemoryResource",
    "PrefetchResourceAdaptor",
    "StatisticsResourceAdaptor",
    "SystemMemoryResource",
    "TrackingResourceAdaptor",
    "disable_logging",
    "enable_logging",
    "get_current_device_resource",
    "get_current_device_resource_type",
    "get_log_filenames",
    "get_per_device_resource",
    "get_per_device_resource_type",
    "is_initialized",
    "reset_per_device_resource",
    "set_current_device_resource",
    "set_per_device_resource",
]

#: RMM's name for memory of the host.
SystemMemoryResource = CpuMemoryResource


def get_current_device_resource() -> DeviceMemoryResource:
    """Return the resource that data frames in host memory are allocated from."""
    return get_per_device_resource("cpu")


def set_current_device_resource(mr: DeviceMemoryResource) -> None:
    """Allocate data frames in host memory from ``mr`` from now on, in every thread.

    Raises ``ValueError`` where it is not memory of the CPU; that of a GPU is set by `set_per_device_resource`.
    """
    set_per_device_resource("cpu", mr)


def get_current_device_resource_type() -> type[DeviceMemoryResource]:
    """Return the class of the resource that data frames are allocated from."""
    return type(get_current_device_resource())


def get_per_device_resource_type(device: Any = "cpu") -> type[DeviceMemoryResource]:
    """Return the class of the resource that is current on ``device``."""
    return type(get_per_device_resource(device))


def is_initialized() -> bool:
    """Return whether there is a current resource; there always is."""
    return True


def _log_name(path: str | os.PathLike[str] | None, device: str) -> str:
    if path is None:
        path = os.environ.get("RMM_LOG_FILE")
    if not path:
        raise ValueError("give `log_file_name`, or set RMM_LOG_FILE")
    stem, suffix = os.path.splitext(os.fspath(path))
    return f"{stem}.{device.replace(':', '')}{suffix}"


def enable_logging(log_file_name: str | os.PathLike[str] | None = None, devices: Any = "cpu") -> None:
    """Write every allocation on ``devices`` to a CSV file each from now on.

    The name of the device goes before the suffix: ``log.csv`` becomes ``log.cpu.csv``. The columns are
    ``Thread,Time,Action,Pointer,Size,Stream``.

    >>> import tempfile
    >>> import cuprum
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     enable_logging(folder + "/log.csv")
    ...     series = cuprum.Series([1, 2, 3], dtype="int64")
    ...     disable_logging()
    ...     allocations = cuprum.read_csv(folder + "/log.cpu.csv")
    >>> int(allocations["Size"].max())
    24
    """
    for device in [devices] if isinstance(devices, str | int) else devices:
        current = get_per_device_resource(device)
        if isinstance(current, LoggingResourceAdaptor):
            current = current.get_upstream()
        name = _log_name(log_file_name, str(_cuprum.Device(device)))
        set_per_device_resource(device, LoggingResourceAdaptor(current, name))


def disable_logging(devices: Any = "cpu") -> None:
    """Stop what `enable_logging` began, and close its files once their last block is freed."""
    for device in [devices] if isinstance(devices, str | int) else devices:
        current = get_per_device_resource(device)
        if isinstance(current, LoggingResourceAdaptor):
            current.flush()
            set_per_device_resource(device, current.get_upstream())


def get_log_filenames() -> dict[str, str | None]:
    """Return the name of the file each device's allocations are written to, if any."""
    names: dict[str, str | None] = {}
    for device in map(str, _cuprum.devices()):
        current = get_per_device_resource(device)
        file = current.get_file_name() if isinstance(current, LoggingResourceAdaptor) else None
        names[device] = None if file is None else os.fspath(file)
    return names
