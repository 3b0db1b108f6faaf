"""Texts and floats. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DataType, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["from_floats", "is_float", "to_floats"]


def to_floats(
    strings: Column,
    output_type: DataType,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the floats that texts say.

    Parameters
    ----------
    strings : Column
        Texts.
    output_type : DataType
        FLOAT32 or FLOAT64.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Floats; null for nulls.

    Raises
    ------
    ValueError
        For a text that is no float.

    Examples
    --------
    >>> from pylibcuprum import TypeId
    >>> texts = Column.from_iterable_of_py(["1.5", "-inf", "nan", None])
    >>> to_floats(texts, DataType(TypeId.FLOAT64)).to_pylist()
    [1.5, -inf, nan, None]
    """
    return _rust.to_floats(strings, output_type, stream, mr)


def from_floats(
    floats: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return floats as texts: the shortest that give the same float back.

    Parameters
    ----------
    floats : Column
        Floats.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls, ``nan`` for NaN.

    Examples
    --------
    >>> from_floats(Column.from_iterable_of_py([1.0, 0.1, float("nan"), None])).to_pylist()
    ['1.0', '0.1', 'nan', None]
    """
    return _rust.from_floats(floats, stream, mr)


def is_float(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each text is a float, with white space around it or none.

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
    >>> is_float(Column.from_iterable_of_py(["1.5", " 1e3 ", "x", None])).to_pylist()
    [True, True, False, None]
    """
    return _rust.is_float(input, stream, mr)
