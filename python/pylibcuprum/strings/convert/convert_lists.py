"""Lists as texts."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["format_list_column"]


def format_list_column(
    input: Column,
    na_rep: Scalar | None = None,
    separators: Column | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return lists of texts, or of such lists, as texts like ``[a,[b,c]]``.

    ``na_rep`` (the empty text) stands for lists and elements that are null. ``separators`` are what stands between elements,
    before the first and behind the last; another number than three is a ValueError.
    """
    return _rust.format_list_column(input, na_rep, separators, stream, mr)
