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
    """Return each text with the tokens that are among some targets replaced.

    Parameters
    ----------
    input : Column
        Texts.
    targets : Column
        Tokens that are replaced, without nulls.
    replacements : Column
        Text for each target, or one for all, without nulls.
    delimiter : Scalar, optional
        Characters that tokens stand between; white space (up to U+0020) where it is empty or left out.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts, in which delimiters stay; null for nulls.

    Raises
    ------
    ValueError
        For nulls, and for another number of replacements.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["the cat in the hat", None])
    >>> targets = Column.from_iterable_of_py(["the", "in"])
    >>> replace_tokens(texts, targets, Column.from_iterable_of_py(["a", "on"])).to_pylist()
    ['a cat on a hat', None]

    >>> replace_tokens(texts, targets, Column.from_iterable_of_py(["_"])).to_pylist()
    ['_ cat _ _ hat', None]
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
    """Return each text with the tokens of fewer characters than a number replaced.

    Parameters
    ----------
    input : Column
        Texts.
    min_token_length : int
        Number of characters from which on a token stays.
    replacement : Scalar, optional
        Text that stands in for shorter ones; an empty one by default.
    delimiter : Scalar, optional
        Characters that tokens stand between; white space (up to U+0020) where it is empty or left out.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts, in which delimiters stay; null for nulls.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["the cat in a hat", None])
    >>> filter_tokens(texts, 3, Scalar.from_py("-")).to_pylist()
    ['the cat - - hat', None]
    """
    return _rust.filter_tokens(input, min_token_length, replacement, delimiter, stream, mr)
