"""Columns and tables from and to the objects of other libraries.

Arrow, the array interfaces and DLPack of a column are methods of `Column` and `Table`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DeviceMemoryResource, Table
from cuprum.core.interop import column_from_pandas, to_numpy, to_pandas_array
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "ColumnMetadata",
    "from_dlpack",
    "from_pandas",
    "metadata_from_arrow",
    "to_dlpack",
    "to_numpy",
    "to_pandas",
]


@dataclass
class ColumnMetadata:
    """Metadata of a column in Arrow that the column does not have itself.

    Attributes
    ----------
    name
        The name of the column, or of a field of a struct.
    timezone
        The time zone of timestamps, which are in UTC themselves; empty for none.
    precision
        The digits of a decimal; the most that its width holds where it is None.
    children_meta
        The same for the children: one for each field of a struct; offsets and elements of a list, of
        which the last is read.

    Examples
    --------
    >>> column = Column.from_iterable_of_py([{"x": 1}])
    >>> str(column.to_arrow(ColumnMetadata("c", children_meta=[ColumnMetadata("x")])).type)
    'struct<x: int64>'
    """

    name: str = ""
    timezone: str = ""
    precision: int | None = None
    children_meta: list[ColumnMetadata] = field(default_factory=list)


def metadata_from_arrow(obj: Any) -> ColumnMetadata:
    """Return what Arrow knows of a column: name, time zone, precision, and the same of its children.

    ``obj`` has ``__arrow_c_schema__``: a type, field or schema of pyarrow, say. With it a column that came
    from Arrow goes back as it was.

    Examples
    --------
    >>> import pyarrow as pa
    >>> zoned = pa.array([0], pa.timestamp("s", "Europe/Vienna"))
    >>> column = Column.from_arrow(zoned)
    >>> column.to_arrow(metadata_from_arrow(zoned.type)).type == zoned.type
    True
    """
    return _cuprum.metadata_from_arrow(obj, ColumnMetadata)


def from_dlpack(
    managed_tensor: Any, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Table:
    """Return the columns of a tensor of one or two dimensions, in memory of their own.

    Parameters
    ----------
    managed_tensor
        A capsule of DLPack 1 or of the version before it, or an object with ``__dlpack__``, in memory
        of the host or of CUDA. It is used up. On a GPU the rows of a column have to lie side by side.
    stream, mr
        Where the columns are to be; on the device of the tensor where they are not given.

    Raises
    ------
    TypeError
        For elements that are no integers, floats of 32 and 64 bits or booleans.
    ValueError
        For other numbers of dimensions and for a capsule that was used before.
    BufferError
        For tensors on other devices.

    Examples
    --------
    >>> import numpy as np
    >>> [column.to_pylist() for column in from_dlpack(np.array([[1, 2], [3, 4]])).columns()]
    [[1, 3], [2, 4]]
    """
    return _cuprum.from_dlpack(managed_tensor, stream, mr)


def to_dlpack(
    input: Table, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Any:
    """Return a table as a tensor of two dimensions, column by column in memory of its own.

    The result is a capsule ``dltensor``, of the version before 1.0, which every library reads. A single
    column is had without a copy through its ``__dlpack__``.

    Raises
    ------
    TypeError
        For columns of different types.
    ValueError
        For a table without columns.
    BufferError
        For types other than numbers and booleans, and for nulls.

    Examples
    --------
    >>> table = Table([Column.from_iterable_of_py([1, 2]), Column.from_iterable_of_py([3, 4])])
    >>> from_dlpack(to_dlpack(table)).columns()[1].to_pylist()
    [3, 4]
    """
    return _cuprum.to_dlpack(input, stream, mr)


def from_pandas(obj: Any) -> Column:
    """Return a column of a pandas Series, Index or array, of NumPy's, nullable or Arrow-backed types.

    Timestamps with a time zone become the same instants in UTC. Missing values become null, except NaN
    in floats that NumPy backs.

    Examples
    --------
    >>> import pandas as pd
    >>> from_pandas(pd.Series([1, None], dtype="Int8")).to_pylist()
    [1, None]
    """
    dtype = getattr(obj, "dtype", None)
    if hasattr(dtype, "pyarrow_dtype"):
        return Column.from_arrow(getattr(obj, "array", obj).__arrow_array__())
    if getattr(dtype, "tz", None) is not None:
        obj = obj.dt.tz_convert("UTC") if hasattr(obj, "dt") else obj.tz_convert("UTC")
    return column_from_pandas(obj).flat()


def to_pandas(column: Column, *, nullable: bool = False, timezone: str | None = None) -> Any:
    """Return a column as what a pandas Series is made of.

    ``nullable`` takes pandas' nullable types; ``timezone`` gives timestamps, which are in UTC, that
    zone. Lists, structs and decimals become Arrow-backed.

    Examples
    --------
    >>> to_pandas(Column.from_iterable_of_py([1, None]), nullable=True).tolist()
    [1, <NA>]
    """
    column = column.to_host()
    if column.dtype.kind == "O" and column.dtype != "str":
        import pandas as pd

        array = column.to_arrow()
        return pd.array(array, dtype=pd.ArrowDtype(array.type))
    values = to_pandas_array(column, nullable=nullable)
    if timezone is None:
        return values
    if column.dtype.kind != "M":
        raise TypeError(f"`timezone` is {timezone!r}, but the column is of type {column.dtype}")
    return values.tz_localize("UTC").tz_convert(timezone)
