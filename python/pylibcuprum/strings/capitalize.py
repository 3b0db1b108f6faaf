"""Title case. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar, Stream
from cuprum._cuprum import _strings as _rust
from pylibcuprum.strings.char_types import StringCharacterTypes

__all__ = ["capitalize", "is_title", "title"]


def capitalize(
    input: Column,
    delimiters: Scalar | None = None,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with its first character in title case and the others in lower case.

    Raises
    ------
    NotImplementedError
        For ``delimiters`` other than an empty text.
    """
    return _rust.capitalize(input, delimiters, stream, mr)


def title(
    input: Column,
    sequence_type: StringCharacterTypes = StringCharacterTypes.ALPHA,
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with every word capitalized; words are runs of letters.

    Raises
    ------
    NotImplementedError
        For another ``sequence_type`` than ``ALPHA``.
    """
    if sequence_type != StringCharacterTypes.ALPHA:
        raise NotImplementedError(f"`sequence_type` is {sequence_type!r}; words are runs of ALPHA")
    return _rust.title(input, stream, mr)


def is_title(input: Column, stream: Stream | None = None, mr: DeviceMemoryResource | None = None) -> Column:
    """Return whether every word begins with upper case, with lower case in the rest."""
    return _rust.is_title(input, stream, mr)
