"""Sketches whose equal places estimate Jaccard's index."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Stream
from cuprum._cuprum import _tokens as _rust

__all__ = ["minhash", "minhash64"]


def minhash(
    input: Column,
    seed: int,
    a: Column,
    b: Column,
    width: int,
    stream: Stream | None = None,
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
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what `minhash` does as lists of UINT64, with the first half of MurmurHash3_x64_128."""
    return _rust.minhash64(input, seed, a, b, width, stream, mr)
