"""Tokens, n-grams and distances of texts: a module for each subject, with the names of pylibcudf."""

from pylibcuprum.nvtext import (
    edit_distance,
    generate_ngrams,
    jaccard,
    minhash,
    ngrams_tokenize,
    normalize,
    replace,
    stemmer,
    tokenize,
    wordpiece_tokenize,
)

__all__ = [
    "edit_distance",
    "generate_ngrams",
    "jaccard",
    "minhash",
    "ngrams_tokenize",
    "normalize",
    "replace",
    "stemmer",
    "tokenize",
    "wordpiece_tokenize",
]
