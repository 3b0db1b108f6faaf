"""Tokens: what stands between delimiters, never empty."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar, Vocabulary
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "TokenizeVocabulary",
    "character_tokenize",
    "count_tokens_column",
    "count_tokens_scalar",
    "detokenize",
    "tokenize_column",
    "tokenize_scalar",
    "tokenize_with_vocabulary",
]


class TokenizeVocabulary(Vocabulary):
    """Tokens and their numbers, which are those of their rows.

    ValueError where there are none, or nulls among them.
    """


def tokenize_scalar(
    input: Column,
    delimiter: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the tokens between characters of ``delimiter``, those of all texts one after the other; nulls have none.

    White space (up to U+0020) where it is empty or left out.
    """
    return _rust.tokenize_scalar(input, delimiter, stream, mr)


def tokenize_column(
    input: Column,
    delimiters: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the tokens between several texts; ValueError where these are none, or nulls among them."""
    return _rust.tokenize_column(input, delimiters, stream, mr)


def count_tokens_scalar(
    input: Column,
    delimiter: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return how many tokens `tokenize_scalar` finds in each text, as INT32; none in nulls."""
    return _rust.count_tokens_scalar(input, delimiter, stream, mr)


def count_tokens_column(
    input: Column,
    delimiters: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return how many tokens `tokenize_column` finds in each text, as INT32; none in nulls."""
    return _rust.count_tokens_column(input, delimiters, stream, mr)


def character_tokenize(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the characters of all texts, each as a text. ValueError for nulls."""
    return _rust.character_tokenize(input, stream, mr)


def detokenize(
    input: Column,
    row_indices: Column,
    separator: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a text for every number in ``row_indices``: the tokens beside it, with a separator (a space) between them."""
    return _rust.detokenize(input, row_indices, separator, stream, mr)


def tokenize_with_vocabulary(
    input: Column,
    vocabulary: TokenizeVocabulary,
    delimiter: Scalar,
    default_id: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the numbers of the tokens of each text as lists; ``default_id`` for those that are not in the vocabulary.

    Tokens stand between characters of ``delimiter``, white space where it is empty. Nulls stay null.
    """
    return _rust.tokenize_with_vocabulary(input, vocabulary, delimiter, default_id, stream, mr)
