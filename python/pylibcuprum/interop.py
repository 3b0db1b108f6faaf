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
    name : str
        The name of the column, or of a field of a struct.
    timezone : str
        The time zone of timestamps, which are in UTC themselves; empty for none.
    precision : int or None
        The digits of a decimal; the most that its width holds where it is None.
    children_meta : list of ColumnMetadata
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
    """Return the Arrow metadata of a column: name, time zone, precision, children.

    Parameters
    ----------
    obj : object with ``__arrow_c_schema__``
        A type, field or schema, of pyarrow for example.

    Returns
    -------
    ColumnMetadata
        Metadata with which ``Column.to_arrow`` gives back the type that the column came from.

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
    """Return a tensor of one or two dimensions as a table, in memory of its own.

    Parameters
    ----------
    managed_tensor : DLPack capsule or object with ``__dlpack__``
        A capsule of DLPack 1 or of the version before it, in memory of the host or of CUDA, which is used up.
        On a GPU the elements of a column have to lie side by side.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; its device is that of the result. By default that of the tensor.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the tensor's device.

    Returns
    -------
    Table
        A column for each column of the tensor; one column for a tensor of one dimension.

    Raises
    ------
    TypeError
        For elements that are no integers, floats of 32 and 64 bits or booleans.
    ValueError
        For other numbers of dimensions, and for a capsule that was used before.
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
    """Return a table as a DLPack tensor of two dimensions, in memory of its own.

    Parameters
    ----------
    input : Table
        Columns of one type of numbers or booleans, without nulls.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    capsule ``dltensor``
        Tensor of rows and columns in column order, of the version before DLPack 1.0, which every library
        reads.

    Raises
    ------
    TypeError
        For columns of different types.
    ValueError
        For a table without columns.
    BufferError
        For types other than numbers and booleans, and for nulls.

    Notes
    -----
    A single column is had without a copy through its ``__dlpack__``.

    Examples
    --------
    >>> table = Table([Column.from_iterable_of_py([1, 2]), Column.from_iterable_of_py([3, 4])])
    >>> from_dlpack(to_dlpack(table)).columns()[1].to_pylist()
    [3, 4]
    """
    return _cuprum.to_dlpack(input, stream, mr)


def from_pandas(obj: Any) -> Column:
    """Return a pandas Series, Index or array as a column.

    Parameters
    ----------
    obj : pandas Series, Index or array
        Values of NumPy's, nullable or Arrow-backed types.

    Returns
    -------
    Column
        Column of the same length. Missing values become null, except NaN in floats that NumPy backs.
        Timestamps with a time zone become the same instants in UTC.

    Examples
    --------
    >>> import pandas as pd
    >>> from_pandas(pd.Series([1, None], dtype="Int8")).to_pylist()
    [1, None]

    >>> from_pandas(pd.Series([1.5, None])).to_pylist()
    [1.5, nan]
    """
    dtype = getattr(obj, "dtype", None)
    if hasattr(dtype, "pyarrow_dtype"):
        return Column.from_arrow(getattr(obj, "array", obj).__arrow_array__())
    if getattr(dtype, "tz", None) is not None:
        obj = obj.dt.tz_convert("UTC") if hasattr(obj, "dt") else obj.tz_convert("UTC")
    return column_from_pandas(obj).flat()


def to_pandas(column: Column, *, nullable: bool = False, timezone: str | None = None) -> Any:
    """Return a column as an array that a pandas Series can be made of.

    Parameters
    ----------
    column : Column
        Column of any type, on any device.
    nullable : bool, default False
        Whether pandas' nullable types are taken, in which nulls are ``NA``.
    timezone : str, optional
        Time zone that timestamps, which are in UTC, are shown in.

    Returns
    -------
    numpy.ndarray or pandas ExtensionArray
        Values in the order of the rows. Lists, structs and decimals become Arrow-backed.

    Raises
    ------
    TypeError
        For ``timezone`` with a column that is not of timestamps.

    Notes
    -----
    Without ``nullable`` integers with nulls become floats with NaN, as in pandas.

    Examples
    --------
    >>> to_pandas(Column.from_iterable_of_py([1, None]), nullable=True).tolist()
    [1, <NA>]

    >>> to_pandas(Column.from_iterable_of_py([1, None])).tolist()
    [1.0, nan]
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
