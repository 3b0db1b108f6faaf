"""Tokens replaced. Nulls stay null, and delimiters where they are."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["filter_tokens", "replace_tokens"]


def replace_tokens(
    input: Column,
    targets: Column,
    replacements: Column,
    delimiter: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the tokens that are targets replaced by what stands beside them, or by the one replacement.

    Tokens stand between characters of ``delimiter``, white space where it is empty or left out. ValueError for
    nulls, and for another number of replacements.
    """
    return _rust.replace_tokens(input, targets, replacements, delimiter, stream, mr)


def filter_tokens(
    input: Column,
    min_token_length: int,
    replacement: Scalar | None = None,
    delimiter: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the tokens of fewer characters replaced, by nothing where it is left out."""
    return _rust.filter_tokens(input, min_token_length, replacement, delimiter, stream, mr)
