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
    """Return each text with single characters replaced.

    Parameters
    ----------
    input : Column
        Texts.
    chars_table : mapping of int or str to int or str
        Characters, or their code points, and what stands in for them; 0 and an empty text remove them.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    Examples
    --------
    >>> translate(Column.from_iterable_of_py(["abc", None]), {"a": "1", "b": 0}).to_pylist()
    ['1c', None]
    """

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
    """Return each text with the characters in some ranges replaced, or all other characters.

    Parameters
    ----------
    input : Column
        Texts.
    characters_to_filter : mapping of int or str to int or str
        First and last character, or code point, of each range.
    keep_characters : FilterType
        With ``REMOVE`` the characters in the ranges are replaced, with ``KEEP`` all others.
    replacement : Scalar
        Text that stands in for each of these characters; it may be empty.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    Examples
    --------
    >>> texts, nothing = Column.from_iterable_of_py(["a1b2", None]), Scalar.from_py("")
    >>> filter_characters(texts, {"0": "9"}, FilterType.KEEP, nothing).to_pylist()
    ['12', None]

    >>> filter_characters(texts, {"0": "9"}, FilterType.REMOVE, nothing).to_pylist()
    ['ab', None]
    """
    first = [_character(key) for key in characters_to_filter]
    last = [_character(value) for value in characters_to_filter.values()]
    keeps = FilterType(keep_characters) is FilterType.KEEP
    return _rust.filter_characters(input, first, last, keeps, replacement, stream, mr)
