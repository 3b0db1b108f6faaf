"""Columns and tables end to end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from cuprum._cuprum import Column, DeviceMemoryResource, Table
from cuprum._cuprum import _concatenate as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["concatenate"]

ColumnOrTable = TypeVar("ColumnOrTable", Column, Table)


def concatenate(
    objects: Sequence[ColumnOrTable],
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> ColumnOrTable:
    """Return the rows of several columns, or of several tables, below each other.

    Parameters
    ----------
    objects : sequence of Column or sequence of Table
        Columns of one type, or tables whose columns have the same types.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column or Table
        All rows in the order of ``objects``. Keys of dictionaries are merged where they differ.

    Raises
    ------
    TypeError
        Where types differ, or columns and tables are mixed.
    ValueError
        Where ``objects`` is empty.

    Examples
    --------
    >>> columns = [Column.from_iterable_of_py(["a"]), Column.from_iterable_of_py(["b", None])]
    >>> concatenate(columns).to_pylist()
    ['a', 'b', None]

    >>> concatenate([Table([column]) for column in columns]).shape()
    (3, 1)
    """
    return _rust.concatenate(objects, stream, mr)
