"""Runs of tokens."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["ngrams_tokenize"]


def ngrams_tokenize(
    input: Column,
    ngrams: int,
    delimiter: Scalar,
    separator: Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return every run of ``ngrams`` tokens of each text as one, with a separator between them.

    Tokens stand between characters of ``delimiter``, white space where it is empty. Those of all texts follow each
    other; nulls have none.
    """
    return _rust.ngrams_tokenize(input, ngrams, delimiter, separator, stream, mr)
