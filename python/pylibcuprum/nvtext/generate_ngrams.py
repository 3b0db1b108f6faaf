"""Runs of texts and of characters."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["generate_character_ngrams", "generate_ngrams", "hash_character_ngrams"]


def generate_ngrams(
    input: Column,
    ngrams: int,
    separator: Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return every run of ``ngrams`` texts as one, with a separator between them.

    Nulls and empty texts are left out before. ValueError below 2, and where there are texts but fewer.
    """
    return _rust.generate_ngrams(input, ngrams, separator, stream, mr)


def generate_character_ngrams(
    input: Column,
    ngrams: int = 2,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the runs of ``ngrams`` characters of each text as lists, empty ones for nulls.

    ValueError below 2, and where no text has as many characters.
    """
    return _rust.generate_character_ngrams(input, ngrams, stream, mr)


def hash_character_ngrams(
    input: Column,
    ngrams: int,
    seed: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what `generate_character_ngrams` does, each run as its MurmurHash3_x86_32 with a seed."""
    return _rust.hash_character_ngrams(input, ngrams, seed, stream, mr)
