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
    """Return whether the character at a position, or at each one's, is a vowel, or else a consonant.

    Negative positions are counted from the end; false where there is no character. Y is a vowel behind a consonant.
    """
    return _rust.is_letter(input, check_vowels, indices, stream, mr)


def porter_stemmer_measure(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return how often consonants follow vowels, as INT32."""
    return _rust.porter_stemmer_measure(input, stream, mr)
