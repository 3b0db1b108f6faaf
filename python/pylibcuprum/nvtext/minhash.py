"""Sketches whose equal places estimate Jaccard's index."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["minhash", "minhash64", "minhash64_ngrams", "minhash_ngrams"]


def minhash(
    input: Column,
    seed: int,
    a: Column,
    b: Column,
    width: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return for each text the least ``(hash * a[i] + b[i]) % (2**61 - 1)`` of its runs of ``width`` characters.

    They are lists of UINT32, as ``a`` and ``b`` are; the hash is MurmurHash3_x86_32 with the seed. A shorter text is
    one run, an empty one has zeros, nulls stay null. ValueError for a width below 2, and where ``a`` is empty or
    ``b`` has another length.
    """
    return _rust.minhash(input, seed, a, b, width, stream, mr)


def minhash64(
    input: Column,
    seed: int,
    a: Column,
    b: Column,
    width: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what `minhash` does as lists of UINT64, with the first half of MurmurHash3_x64_128."""
    return _rust.minhash64(input, seed, a, b, width, stream, mr)


def minhash_ngrams(
    input: Column,
    ngrams: int,
    seed: int,
    a: Column,
    b: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what `minhash` does for lists of texts: a run is ``ngrams`` texts of a list, hashed as one text.

    A shorter list is one run, an empty one has zeros, null lists stay null; null texts are empty. ValueError for
    ``ngrams`` below 2, TypeError for what are no lists of texts.
    """
    return _rust.minhash_ngrams(input, ngrams, seed, a, b, stream, mr)


def minhash64_ngrams(
    input: Column,
    ngrams: int,
    seed: int,
    a: Column,
    b: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what `minhash_ngrams` does as lists of UINT64, with the first half of MurmurHash3_x64_128."""
    return _rust.minhash64_ngrams(input, ngrams, seed, a, b, stream, mr)
