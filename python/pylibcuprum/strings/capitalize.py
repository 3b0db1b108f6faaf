"""Title case. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.strings.char_types import StringCharacterTypes
from pylibcuprum.utils import CudaStreamLike

__all__ = ["capitalize", "is_title", "title"]


def capitalize(
    input: Column,
    delimiters: Scalar | None = None,
    stream: CudaStreamLike | None = None,
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
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with every word capitalized; words are runs of characters of ``sequence_type``.

    These are letters (``ALPHA``), or letters that have an upper and a lower case (``CASE_TYPES``).

    Raises
    ------
    NotImplementedError
        For another ``sequence_type``.

    Examples
    --------
    >>> title(Column.from_iterable_of_py(["new york"])).to_pylist()
    ['New York']
    """
    known = StringCharacterTypes.ALPHA, StringCharacterTypes.CASE_TYPES
    if sequence_type not in known:
        raise NotImplementedError(
            f"`sequence_type` is {sequence_type!r}; words are runs of ALPHA or CASE_TYPES"
        )
    return _rust.title(input, sequence_type == StringCharacterTypes.ALPHA, stream, mr)


def is_title(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether every word begins with upper case, with lower case in the rest."""
    return _rust.is_title(input, stream, mr)
