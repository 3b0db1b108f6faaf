"""Tokens and the numbers that a vocabulary gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuprum._cuprum import Vocabulary, _tokens
from cuprum.core.accessors.string_tokens import StringTokens, text_scalar, texts_column

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["TokenizeVocabulary"]


class TokenizeVocabulary:
    """Tokens and their numbers, which are their positions.

    ``ValueError`` where there are none, or missing ones.

    Examples
    --------
    >>> import cuprum
    >>> from cuprum.core.tokenize_vocabulary import TokenizeVocabulary
    >>> words = TokenizeVocabulary(cuprum.Series(["hello", "world"]))
    >>> words.tokenize(cuprum.Series(["hello world", "world it is"]), " ").to_list()
    [[0, 1], [1, -1, -1]]
    """

    __slots__ = ("_vocabulary",)

    def __init__(self, vocabulary: Series) -> None:
        self._vocabulary = Vocabulary(texts_column("vocabulary", vocabulary))

    def tokenize(self, text: Series, delimiter: str = "", default_id: int = -1) -> Series:
        """Return lists of the numbers of the tokens of each text; ``default_id`` for those that are not known.

        Tokens stand between characters of ``delimiter``, white space where it is empty.
        """
        accessor: StringTokens = text.str
        between = text_scalar("delimiter", delimiter)
        return accessor._labelled(
            _tokens.tokenize_with_vocabulary(accessor._column(), self._vocabulary, between, default_id)
        )
