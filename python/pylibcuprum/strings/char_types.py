"""Classes of characters. Nulls stay null."""

from __future__ import annotations

from enum import IntFlag

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["StringCharacterTypes", "all_characters_of_type", "filter_characters_of_type"]


class StringCharacterTypes(IntFlag):
    """Classes of characters."""

    DECIMAL = 1
    NUMERIC = 2
    DIGIT = 4
    ALPHA = 8
    SPACE = 16
    UPPER = 32
    LOWER = 64
    ALPHANUM = 15
    CASE_TYPES = 96
    ALL_TYPES = 127


def all_characters_of_type(
    source_strings: Column,
    types: StringCharacterTypes,
    verify_types: StringCharacterTypes,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether all characters are of a class and there is one, as ``str.isalpha`` and its like have it.

    ``UPPER`` and ``LOWER`` look at characters with case alone, which ``verify_types`` says as ``CASE_TYPES``.

    Raises
    ------
    NotImplementedError
        For several classes other than ``ALPHANUM``, and for ``verify_types`` other than ``ALL_TYPES`` (or none;
        ``CASE_TYPES`` for ``UPPER`` and ``LOWER``).
    """
    return _rust.all_characters_of_type(source_strings, int(types), int(verify_types), stream, mr)


def filter_characters_of_type(
    source_strings: Column,
    types_to_remove: StringCharacterTypes,
    replacement: Scalar,
    types_to_keep: StringCharacterTypes,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with ``replacement`` for every character of some classes, or of none of those to keep.

    ``ALL_TYPES`` for one of both leaves the choice to the other; for both it is a ValueError. With classes for both,
    characters go that are of one to remove and of none to keep.
    """
    return _rust.filter_characters_of_type(
        source_strings, int(types_to_remove), replacement, int(types_to_keep), stream, mr
    )
