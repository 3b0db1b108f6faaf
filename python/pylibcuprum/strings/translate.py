"""Characters replaced one by one. Nulls stay null."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["FilterType", "filter_characters", "translate"]


class FilterType(IntEnum):
    """Whether the named characters are kept or removed."""

    KEEP = 0
    REMOVE = 1


def _character(key: int | str) -> str:
    return chr(key) if isinstance(key, int) else key


def translate(
    input: Column,
    chars_table: Mapping[int | str, int | str],
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the characters that the table has replaced; 0 and empty texts remove them."""

    targets = ["" if value == 0 else _character(value) for value in chars_table.values()]
    return _rust.translate(input, [_character(key) for key in chars_table], targets, stream, mr)


def filter_characters(
    input: Column,
    characters_to_filter: Mapping[int | str, int | str],
    keep_characters: FilterType,
    replacement: Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with ``replacement`` for the characters in ranges, or with ``KEEP`` for all others.

    ``characters_to_filter`` has the first and the last character of each range.
    """
    first = [_character(key) for key in characters_to_filter]
    last = [_character(value) for value in characters_to_filter.values()]
    keeps = FilterType(keep_characters) is FilterType.KEEP
    return _rust.filter_characters(input, first, last, keeps, replacement, stream, mr)
