"""Parts of words. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Vocabulary
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["WordPieceVocabulary", "wordpiece_tokenize"]


class WordPieceVocabulary(Vocabulary):
    """Parts of words and their numbers, which are those of their rows, for `wordpiece_tokenize`.

    It is made of a column of at least one part, without nulls, else it is a ValueError.

    Examples
    --------
    >>> vocabulary = WordPieceVocabulary(Column.from_iterable_of_py(["[UNK]", "un", "##able"]))
    >>> wordpiece_tokenize(Column.from_iterable_of_py(["unable xyz"]), vocabulary, 0).to_pylist()
    [[1, 2, 0]]
    """


def wordpiece_tokenize(
    input: Column,
    vocabulary: WordPieceVocabulary,
    max_words_per_row: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the numbers of the parts of the words of each text in a vocabulary.

    From the left a part is the longest text of the vocabulary that the word begins with, behind the first one
    of those with ``##`` before them. A word that they do not make up has the number of ``[UNK]``, or of
    ``[unk]`` where there is no ``[UNK]``.

    Parameters
    ----------
    input : Column
        Texts. Words stand between spaces.
    vocabulary : WordPieceVocabulary
        Parts that have a number.
    max_words_per_row : int
        Number of words of a text that are looked at; 0 for all.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of INT32 for each text; null for nulls.

    Raises
    ------
    ValueError
        Where the vocabulary has neither ``[UNK]`` nor ``[unk]``.

    Examples
    --------
    >>> vocabulary = WordPieceVocabulary(Column.from_iterable_of_py(["[UNK]", "un", "##able", "able"]))
    >>> texts = Column.from_iterable_of_py(["unable able xyz", None])
    >>> wordpiece_tokenize(texts, vocabulary, 0).to_pylist()
    [[1, 2, 3, 0], None]

    >>> wordpiece_tokenize(texts, vocabulary, 1).to_pylist()
    [[1, 2], None]
    """
    return _rust.wordpiece_tokenize(input, vocabulary, max_words_per_row, stream, mr)
