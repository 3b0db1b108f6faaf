"""Texts and timestamps. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DataType, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["from_timestamps", "is_timestamp", "to_timestamps"]


def to_timestamps(
    input: Column,
    timestamp_type: DataType,
    format: str,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the timestamps that texts say in a format.

    Parameters
    ----------
    input : Column
        Texts.
    timestamp_type : DataType
        Timestamp type of the result.
    format : str
        Format of ``strptime``.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Timestamps; null for texts that are not in the format, and for nulls.

    Notes
    -----
    Parts that the format does not have are those of 1 January 1900, midnight, as ``strptime`` has it.

    Examples
    --------
    >>> from pylibcuprum import TypeId
    >>> texts = Column.from_iterable_of_py(["29.02.2024", "soon", None])
    >>> to_timestamps(texts, DataType(TypeId.TIMESTAMP_SECONDS), "%d.%m.%Y").to_arrow().to_pylist()
    [datetime.datetime(2024, 2, 29, 0, 0), None, None]
    """
    return _rust.to_timestamps(input, timestamp_type, format, stream, mr)


def from_timestamps(
    timestamps: Column,
    format: str,
    input_strings_names: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return timestamps as texts in a format.

    Parameters
    ----------
    timestamps : Column
        Timestamps.
    format : str
        Format of ``strftime``.
    input_strings_names : Column
        Names of days and months: an empty column, as they are English ones.
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
    NotImplementedError
        For names.

    Examples
    --------
    >>> from datetime import datetime
    >>> from pylibcuprum import TypeId
    >>> days = Column.from_iterable_of_py([datetime(2024, 2, 29), None])
    >>> from_timestamps(days, "%d %b %Y", Column.from_iterable_of_py([], DataType(TypeId.STRING))).to_pylist()
    ['29 Feb 2024', None]
    """
    if input_strings_names.size() > 0:
        raise NotImplementedError("`input_strings_names` has names; they are English ones")
    return _rust.from_timestamps(timestamps, format, stream, mr)


def is_timestamp(
    input: Column, format: str, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each text is a timestamp in a format.

    Parameters
    ----------
    input : Column
        Texts.
    format : str
        Format of ``strptime``.
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
    >>> is_timestamp(Column.from_iterable_of_py(["2024-02-29", "2023-02-29", None]), "%Y-%m-%d").to_pylist()
    [True, False, None]
    """
    return _rust.is_timestamp(input, format, stream, mr)
