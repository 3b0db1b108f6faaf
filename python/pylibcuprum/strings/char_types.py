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
    """Return whether each text has characters and all of them are of a class, as ``str.isalpha`` does.

    Parameters
    ----------
    source_strings : Column
        Texts.
    types : StringCharacterTypes
        One class, or ``ALPHANUM``.
    verify_types : StringCharacterTypes
        Characters that are looked at: ``ALL_TYPES`` (or none), and for ``UPPER`` and ``LOWER``
        ``CASE_TYPES``, those with case.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, false for empty texts; null for nulls.

    Raises
    ------
    NotImplementedError
        For several classes other than ``ALPHANUM``, and for other ``verify_types``.

    Examples
    --------
    >>> digits, every = StringCharacterTypes.DECIMAL, StringCharacterTypes.ALL_TYPES
    >>> all_characters_of_type(Column.from_iterable_of_py(["12", "1a", "", None]), digits, every).to_pylist()
    [True, False, False, None]

    >>> upper, cased = StringCharacterTypes.UPPER, StringCharacterTypes.CASE_TYPES
    >>> all_characters_of_type(Column.from_iterable_of_py(["A1", "Aa"]), upper, cased).to_pylist()
    [True, False]
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
    """Return each text with the characters of some classes replaced, or those of all other classes.

    Parameters
    ----------
    source_strings : Column
        Texts.
    types_to_remove : StringCharacterTypes
        Classes of the characters that are replaced; ``ALL_TYPES`` leaves the choice to ``types_to_keep``.
    replacement : Scalar
        Text that stands in for each of these characters; it may be empty.
    types_to_keep : StringCharacterTypes
        Classes of the characters that stay; ``ALL_TYPES`` leaves the choice to ``types_to_remove``.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls. With classes for both, characters go that are of one to remove and of
        none to keep.

    Raises
    ------
    ValueError
        For ``ALL_TYPES`` as both.

    Examples
    --------
    >>> digits, every = StringCharacterTypes.DECIMAL, StringCharacterTypes.ALL_TYPES
    >>> texts = Column.from_iterable_of_py(["a1 b2", None])
    >>> filter_characters_of_type(texts, digits, Scalar.from_py(""), every).to_pylist()
    ['a b', None]

    >>> filter_characters_of_type(texts, every, Scalar.from_py("*"), digits).to_pylist()
    ['*1**2', None]
    """
    return _rust.filter_characters_of_type(
        source_strings, int(types_to_remove), replacement, int(types_to_keep), stream, mr
    )
