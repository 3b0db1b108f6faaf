"""Partitioning: the rows of one partition next to each other, partitions in ascending order.

Within a partition the rows keep the order they had.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Table
from cuprum._cuprum import _partitioning as _rust
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = ["HashId", "hash_partition", "partition", "round_robin_partition"]


class HashId(IntEnum):
    """Hash functions of rows."""

    HASH_IDENTITY = 0
    """The values themselves, of numbers and booleans alone."""
    HASH_MURMUR3 = 1
    """MurmurHash3_x86_32."""


def hash_partition(
    input: TableLike,
    keys: TableLike | Sequence[int],
    num_partitions: int,
    hash_function: HashId = HashId.HASH_MURMUR3,
    seed: int = 0,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Table, list[int]]:
    """Return the rows of a table distributed to partitions by the hash of their keys.

    Parameters
    ----------
    input : Table or sequence of Column
        Table whose rows are distributed.
    keys : sequence of int, Table or sequence of Column
        Numbers of columns of ``input``, or a table of as many rows.
    num_partitions : int
        Number of partitions, at least 1. The partition is the hash modulo this.
    hash_function : HashId, default HashId.HASH_MURMUR3
        ``HASH_MURMUR3``, or ``HASH_IDENTITY`` for the values of numbers and booleans themselves.
    seed : int, default 0
        Seed of ``HASH_MURMUR3``.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Table and list of int
        The rows, partition after partition and in their order in each, and the first row of each partition.
        Rows with equal keys are in one partition.

    Raises
    ------
    IndexError
        Where there is no such column.
    ValueError
        Where there are no partitions.
    TypeError
        For ``HASH_IDENTITY`` of keys that are no numbers or booleans.

    Examples
    --------
    >>> numbers = Column.from_iterable_of_py([3, 4, 5, 6])
    >>> table, offsets = hash_partition([numbers], [0], 2, HashId.HASH_IDENTITY)
    >>> table.columns()[0].to_arrow().to_pylist(), offsets
    ([4, 6, 3, 5], [0, 2])
    """
    identity = HashId(hash_function) is HashId.HASH_IDENTITY
    return _rust.hash_partition(input, keys, num_partitions, identity, seed, stream, mr)


def partition(
    t: TableLike,
    partition_map: Column,
    num_partitions: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Table, list[int]]:
    """Return the rows of a table distributed to the partitions that a column names.

    Parameters
    ----------
    t : Table or sequence of Column
        Table whose rows are distributed.
    partition_map : Column
        Number of the partition of each row, of any integer type, without nulls.
    num_partitions : int
        Number of partitions.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Table and list of int
        The rows, partition after partition and in their order in each, and ``num_partitions + 1`` offsets:
        partition ``p`` has the rows from ``offsets[p]`` up to ``offsets[p + 1]``.

    Raises
    ------
    IndexError
        Where the map has a value that is no partition; the message names the first row.
    RuntimeError
        Where the map has nulls, no integers, or another length than the table.

    Examples
    --------
    >>> words = Column.from_iterable_of_py(["a", "b", "c", "d"])
    >>> table, offsets = partition([words], Column.from_iterable_of_py([1, 0, 1, 0]), 3)
    >>> table.columns()[0].to_arrow().to_pylist(), offsets
    (['b', 'd', 'a', 'c'], [0, 2, 4, 4])
    """
    return _rust.partition(t, partition_map, num_partitions, stream, mr)


def round_robin_partition(
    input: TableLike,
    num_partitions: int,
    start_partition: int = 0,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Table, list[int]]:
    """Return the rows of a table dealt to partitions in turn.

    Parameters
    ----------
    input : Table or sequence of Column
        Table whose rows are distributed.
    num_partitions : int
        Number of partitions, at least 2.
    start_partition : int, default 0
        Partition of the first row; the next row goes to the partition after it.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Table and list of int
        The rows, partition after partition and in their order in each, and the first row of each partition.

    Raises
    ------
    RuntimeError
        Where there are fewer than two partitions, or ``start_partition`` is none of them.

    Examples
    --------
    >>> table, offsets = round_robin_partition([Column.from_iterable_of_py(list(range(11)))], 3, 1)
    >>> table.columns()[0].to_arrow().to_pylist(), offsets
    ([2, 5, 8, 0, 3, 6, 9, 1, 4, 7, 10], [0, 3, 7])
    """
    return _rust.round_robin_partition(input, num_partitions, start_partition, stream, mr)
