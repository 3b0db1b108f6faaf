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
    """Return the rows of all columns, or of all tables, in order. They have the same types.

    The keys of dictionaries are merged where they differ.

    Raises
    ------
    TypeError
        Where types differ, or columns and tables are mixed.
    ValueError
        Where nothing is given.

    Examples
    --------
    >>> concatenate([Column.from_iterable_of_py(["a"]), Column.from_iterable_of_py(["b", None])]).to_arrow()
    ... # doctest: +ELLIPSIS
    <pyarrow.lib.StringArray object at ...>
    [
      "a",
      "b",
      null
    ]
    """
    return _rust.concatenate(objects, stream, mr)
