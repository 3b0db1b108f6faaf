"""Texts and booleans. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["from_booleans", "to_booleans"]


def to_booleans(
    input: Column,
    true_string: Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text is ``true_string``."""
    return _rust.to_booleans(input, true_string, stream, mr)


def from_booleans(
    booleans: Column,
    true_string: Scalar,
    false_string: Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return ``true_string`` or ``false_string`` for each boolean."""
    return _rust.from_booleans(booleans, true_string, false_string, stream, mr)
