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
    """Return every run of neighbouring tokens of each text as one text.

    Parameters
    ----------
    input : Column
        Texts.
    ngrams : int
        Number of tokens of a run.
    delimiter : Scalar
        Characters that tokens stand between; white space (up to U+0020) where it is empty.
    separator : Scalar
        Text between the tokens of a run.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Runs of all texts, one after the other; nulls have none.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["a b c", None, "d e"])
    >>> ngrams_tokenize(texts, 2, Scalar.from_py(""), Scalar.from_py("_")).to_pylist()
    ['a_b', 'b_c', 'd_e']
    """
    return _rust.ngrams_tokenize(input, ngrams, delimiter, separator, stream, mr)
