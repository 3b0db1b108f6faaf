"""Texts cut in two at a delimiter. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar, Table
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["partition", "rpartition"]


def partition(
    input: Column,
    delimiter: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the part of each text before the first delimiter, the delimiter, and the part behind it.

    Parameters
    ----------
    input : Column
        Texts.
    delimiter : Scalar
        Text that is looked for, not an empty one; None, which stands for white space in libcudf, is refused.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        Three columns; a text without delimiter is in the first one, with empty texts in the others; null for
        nulls.

    Raises
    ------
    NotImplementedError
        Without a ``delimiter``.
    ValueError
        For an empty one.

    Examples
    --------
    >>> parts = partition(Column.from_iterable_of_py(["a-b-c", "x", None]), Scalar.from_py("-"))
    >>> [column.to_pylist() for column in parts.columns()]
    [['a', 'x', None], ['-', '', None], ['b-c', '', None]]
    """
    if delimiter is None:
        raise NotImplementedError("`delimiter` is None; white space is none here")
    return _rust.partition(input, delimiter, stream, mr)


def rpartition(
    input: Column,
    delimiter: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the part of each text before the last delimiter, the delimiter, and the part behind it.

    Parameters
    ----------
    input : Column
        Texts.
    delimiter : Scalar
        Text that is looked for, not an empty one; None, which stands for white space in libcudf, is refused.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        Three columns; a text without delimiter is in the last one, with empty texts in the others; null for
        nulls.

    Raises
    ------
    NotImplementedError
        Without a ``delimiter``.
    ValueError
        For an empty one.

    Examples
    --------
    >>> parts = rpartition(Column.from_iterable_of_py(["a-b-c", "x", None]), Scalar.from_py("-"))
    >>> [column.to_pylist() for column in parts.columns()]
    [['a-b', '', None], ['-', '', None], ['c', 'x', None]]
    """
    if delimiter is None:
        raise NotImplementedError("`delimiter` is None; white space is none here")
    return _rust.rpartition(input, delimiter, stream, mr)
