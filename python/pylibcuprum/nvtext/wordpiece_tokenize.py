"""Parts of words. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Vocabulary
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["WordPieceVocabulary", "wordpiece_tokenize"]


class WordPieceVocabulary(Vocabulary):
    """Parts of words and their numbers, which are those of their rows.

    ValueError where there are none, or nulls among them.
    """


def wordpiece_tokenize(
    input: Column,
    vocabulary: WordPieceVocabulary,
    max_words_per_row: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the numbers of the parts of the words of each text as lists; words stand between spaces.

    From the left a part is the longest text of the vocabulary that the word begins with, behind the first one of those
    with ``##`` before them. A word that they do not make up has the number of ``[UNK]``, or of ``[unk]`` where
    there is no ``[UNK]``; ValueError where the vocabulary has neither. 0 words are all words.
    """
    return _rust.wordpiece_tokenize(input, vocabulary, max_words_per_row, stream, mr)
