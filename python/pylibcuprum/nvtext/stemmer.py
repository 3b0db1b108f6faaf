"""Vowels, consonants and Porter's measure of English words in small letters. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["is_letter", "porter_stemmer_measure"]


def is_letter(
    input: Column,
    check_vowels: bool,
    indices: Column | int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether the character at a position of each English word is a vowel, or a consonant.

    Parameters
    ----------
    input : Column
        Words in small letters.
    check_vowels : bool
        True asks for vowels, False for consonants. Y is a vowel behind a consonant.
    indices : Column or int
        Position from 0 for all words, or a column with one for each; negative ones count from the end.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, false where there is no character; null for nulls.

    Examples
    --------
    >>> words = Column.from_iterable_of_py(["trouble", "toy", None])
    >>> is_letter(words, True, -1).to_pylist()
    [True, False, None]

    >>> is_letter(words, False, Column.from_iterable_of_py([0, 1, 0])).to_pylist()
    [True, False, None]
    """
    return _rust.is_letter(input, check_vowels, indices, stream, mr)


def porter_stemmer_measure(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return Porter's measure of each English word: how often consonants follow vowels.

    Parameters
    ----------
    input : Column
        Words in small letters.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, null for nulls.

    Examples
    --------
    >>> porter_stemmer_measure(Column.from_iterable_of_py(["tree", "trouble", "oaten", None])).to_pylist()
    [0, 1, 2, None]
    """
    return _rust.porter_stemmer_measure(input, stream, mr)
