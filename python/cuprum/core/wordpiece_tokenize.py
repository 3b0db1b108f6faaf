"""Parts of words and the numbers that a vocabulary gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._cuprum import Vocabulary, _tokens
from cuprum.core.accessors.string_tokens import StringTokens, texts_column

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["WordPieceVocabulary"]


class WordPieceVocabulary:
    """Parts of words and their numbers, which are their positions.

    ``ValueError`` where there are none, or missing ones.

    Examples
    --------
    >>> import cuprum
    >>> from cuprum.core.wordpiece_tokenize import WordPieceVocabulary
    >>> pieces = WordPieceVocabulary(cuprum.Series(["[UNK]", "new", "GP", "##U"]))
    >>> pieces.tokenize(cuprum.Series(["new GPU now"])).to_list()
    [[1, 2, 3, 0]]
    """

    __slots__ = ("_vocabulary",)

    def __init__(self, vocabulary: Series) -> None:
        self._vocabulary = Vocabulary(texts_column("vocabulary", vocabulary))

    def tokenize(self, text: Series, max_words_per_row: int = 0) -> Series:
        """Return lists of the numbers of the parts of the words of each text; words stand between spaces.

        From the left a part is the longest text of the vocabulary that the word begins with, behind the first one of
        those with ``##`` before them. A word that they do not make up has the number of ``[UNK]``; ``ValueError``
        where the vocabulary has none. Words behind the first ``max_words_per_row`` are left out, unless it is 0.
        """
        accessor: StringTokens = text.str
        return accessor._labelled(
            _tokens.wordpiece_tokenize(accessor._column(), self._vocabulary, max_words_per_row)
        )
