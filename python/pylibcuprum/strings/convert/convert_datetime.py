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
    """Return the timestamps that texts say in a format of ``strptime``; null where one does not.

    Parts that the format does not have are those of 1 January 1900, midnight, as ``strptime`` has it.
    """
    return _rust.to_timestamps(input, timestamp_type, format, stream, mr)


def from_timestamps(
    timestamps: Column,
    format: str,
    input_strings_names: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return timestamps as texts in a format of ``strftime``. Names other than English ones are a NotImplementedError."""
    if input_strings_names.size() > 0:
        raise NotImplementedError("`input_strings_names` has names; they are English ones")
    return _rust.from_timestamps(timestamps, format, stream, mr)


def is_timestamp(
    input: Column, format: str, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether each text is a timestamp in a format of ``strptime``."""
    return _rust.is_timestamp(input, format, stream, mr)
