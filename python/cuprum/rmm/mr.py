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
    """Return the resource that data which come in are allocated from: that of the option ``device``.

    Returns
    -------
    DeviceMemoryResource
        The object that was set, if any was.

    Examples
    --------
    >>> from cuprum import rmm
    >>> upstream = rmm.mr.get_current_device_resource()
    >>> counting = rmm.mr.StatisticsResourceAdaptor(upstream)
    >>> rmm.mr.set_current_device_resource(counting)
    >>> rmm.mr.get_current_device_resource() is counting
    True
    >>> rmm.mr.set_current_device_resource(upstream)
    """
    return get_per_device_resource(_cuprum.chosen_device())


def set_current_device_resource(mr: DeviceMemoryResource) -> None:
    """Allocate data on the device of the option ``device`` from a resource from now on, in every thread.

    Parameters
    ----------
    mr : DeviceMemoryResource
        The resource, of memory of that device.

    Raises
    ------
    ValueError
        For a resource of another device; see `set_per_device_resource`.

    Examples
    --------
    >>> from cuprum import rmm
    >>> before = rmm.mr.get_current_device_resource()
    >>> rmm.mr.set_current_device_resource(rmm.mr.LimitingResourceAdaptor(before, 2**30))
    >>> rmm.mr.set_current_device_resource(before)
    """
    set_per_device_resource(_cuprum.chosen_device(), mr)


def get_current_device_resource_type() -> type[DeviceMemoryResource]:
    """Return the class of the resource that data which come in are allocated from.

    Returns
    -------
    type
        A class of resources.

    Examples
    --------
    >>> from cuprum import rmm
    >>> issubclass(rmm.mr.get_current_device_resource_type(), rmm.mr.DeviceMemoryResource)
    True
    """
    return type(get_current_device_resource())


def get_per_device_resource_type(device: Any = "cpu") -> type[DeviceMemoryResource]:
    """Return the class of the resource that is current on a device.

    Parameters
    ----------
    device : str or int, default ``'cpu'``
        The device, by its name or the number of a CUDA device.

    Returns
    -------
    type
        A class of resources.

    Examples
    --------
    >>> from cuprum import rmm
    >>> issubclass(rmm.mr.get_per_device_resource_type("cpu"), rmm.mr.DeviceMemoryResource)
    True
    """
    return type(get_per_device_resource(device))


def is_initialized() -> bool:
    """Return whether there is a current resource.

    Returns
    -------
    bool
        Always True.

    Examples
    --------
    >>> from cuprum import rmm
    >>> rmm.is_initialized()
    True
    """
    return True


def _log_name(path: str | os.PathLike[str] | None, device: str) -> str:
    if path is None:
        path = os.environ.get("RMM_LOG_FILE")
    if not path:
        raise ValueError("give `log_file_name`, or set RMM_LOG_FILE")
    stem, suffix = os.path.splitext(os.fspath(path))
    return f"{stem}.{device.replace(':', '')}{suffix}"


def enable_logging(log_file_name: str | os.PathLike[str] | None = None, devices: Any = "cpu") -> None:
    """Write every allocation on devices to a CSV file each from now on.

    Parameters
    ----------
    log_file_name : str or path, optional
        The file; by default what ``RMM_LOG_FILE`` says. The name of the device goes before the suffix:
        ``log.csv`` becomes ``log.cpu.csv``.
    devices : device or list of devices, default ``'cpu'``
        The devices, by name or number.

    Raises
    ------
    ValueError
        Where no file is named.

    Notes
    -----
    The columns are ``Thread,Time,Action,Pointer,Size,Stream``.

    Examples
    --------
    >>> import cuprum, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     cuprum.rmm.enable_logging(folder + "/log.csv")
    ...     series = cuprum.Series([1, 2, 3], dtype="int64")
    ...     cuprum.rmm.disable_logging()
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
    """Stop what `enable_logging` began, and close its files once their last block is freed.

    Parameters
    ----------
    devices : device or list of devices, default ``'cpu'``
        The devices, by name or number; nothing happens to one that is not logged.

    Examples
    --------
    >>> import os, tempfile
    >>> from cuprum import rmm
    >>> rmm.enable_logging(os.path.join(tempfile.mkdtemp(), "log.csv"))
    >>> rmm.disable_logging()
    >>> rmm.get_log_filenames()["cpu"] is None
    True
    """
    for device in [devices] if isinstance(devices, str | int) else devices:
        current = get_per_device_resource(device)
        if isinstance(current, LoggingResourceAdaptor):
            current.flush()
            set_per_device_resource(device, current.get_upstream())


def get_log_filenames() -> dict[str, str | None]:
    """Return the files that allocations on devices are written to.

    Returns
    -------
    dict of str
        The name of the file for each device, None where its allocations are not written.

    Examples
    --------
    >>> import os, tempfile
    >>> from cuprum import rmm
    >>> rmm.enable_logging(os.path.join(tempfile.mkdtemp(), "log.csv"))
    >>> os.path.basename(rmm.get_log_filenames()["cpu"])
    'log.cpu.csv'
    >>> rmm.disable_logging()
    """
    names: dict[str, str | None] = {}
    for device in map(str, _cuprum.devices()):
        current = get_per_device_resource(device)
        file = current.get_file_name() if isinstance(current, LoggingResourceAdaptor) else None
        names[device] = None if file is None else os.fspath(file)
    return names
