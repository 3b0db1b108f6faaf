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
    """Return every run of neighbouring texts of a column as one text.

    Parameters
    ----------
    input : Column
        Texts. Nulls and empty texts are left out before.
    ngrams : int
        Number of texts of a run, at least 2.
    separator : Scalar
        Text between the texts of a run.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Texts in order, ``ngrams - 1`` fewer than there are texts.

    Raises
    ------
    ValueError
        For ``ngrams`` below 2, and where there are texts but fewer.

    Examples
    --------
    >>> words = Column.from_iterable_of_py(["a", "b", None, "c"])
    >>> generate_ngrams(words, 2, Scalar.from_py("_")).to_pylist()
    ['a_b', 'b_c']
    """
    return _rust.generate_ngrams(input, ngrams, separator, stream, mr)


def generate_character_ngrams(
    input: Column,
    ngrams: int = 2,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the runs of neighbouring characters of each text.

    Parameters
    ----------
    input : Column
        Texts.
    ngrams : int, default 2
        Number of characters of a run, at least 2.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of texts for each text; an empty one for shorter texts and for nulls.

    Raises
    ------
    ValueError
        For ``ngrams`` below 2, and where no text has as many characters.

    Examples
    --------
    >>> generate_character_ngrams(Column.from_iterable_of_py(["abc", "a", None])).to_pylist()
    [['ab', 'bc'], [], []]
    """
    return _rust.generate_character_ngrams(input, ngrams, stream, mr)


def hash_character_ngrams(
    input: Column,
    ngrams: int,
    seed: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the hashes of the runs of neighbouring characters of each text.

    Parameters
    ----------
    input : Column
        Texts.
    ngrams : int
        Number of characters of a run, at least 2.
    seed : int
        Seed of the hash, MurmurHash3_x86_32.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of UINT32 for each text; an empty one for shorter texts and for nulls.

    Raises
    ------
    ValueError
        For ``ngrams`` below 2, and where no text has as many characters.

    Examples
    --------
    >>> hash_character_ngrams(Column.from_iterable_of_py(["abc", None]), 2, 0).to_pylist()
    [[2613040991, 1328615756], []]
    """
    return _rust.hash_character_ngrams(input, ngrams, seed, stream, mr)
