"""Addresses of four numbers (IPv4). Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["integers_to_ipv4", "ipv4_to_integers", "is_ipv4"]


def ipv4_to_integers(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return IPv4 addresses as integers.

    Parameters
    ----------
    input : Column
        Texts.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        UINT32, in which the first number of the address is the highest byte; null for nulls.

    Raises
    ------
    ValueError
        For a text that is no address.

    Examples
    --------
    >>> ipv4_to_integers(Column.from_iterable_of_py(["192.168.0.1", None])).to_pylist()
    [3232235521, None]
    """
    return _rust.ipv4_to_integers(input, stream, mr)


def integers_to_ipv4(
    integers: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return integers as IPv4 addresses.

    Parameters
    ----------
    integers : Column
        Column of UINT32.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    Raises
    ------
    TypeError
        For other types than UINT32.

    Examples
    --------
    >>> from pylibcuprum import DataType, TypeId
    >>> numbers = Column.from_iterable_of_py([3232235521, None], DataType(TypeId.UINT32))
    >>> integers_to_ipv4(numbers).to_pylist()
    ['192.168.0.1', None]
    """
    return _rust.integers_to_ipv4(integers, stream, mr)


def is_ipv4(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text is an IPv4 address: four numbers up to 255 without zeros before them.

    Parameters
    ----------
    input : Column
        Texts.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls.

    Examples
    --------
    >>> is_ipv4(Column.from_iterable_of_py(["192.168.0.1", "1.2.3", "01.2.3.4", None])).to_pylist()
    [True, False, False, None]
    """
    return _rust.is_ipv4(input, stream, mr)
