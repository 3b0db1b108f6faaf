"""Tokens of texts: those of a text bear its label."""

import numpy as np
import pytest

import cuprum
from cuprum.core.tokenize_vocabulary import TokenizeVocabulary
from cuprum.core.wordpiece_tokenize import WordPieceVocabulary


@pytest.fixture
def texts():
    return cuprum.Series(["a bé", None, "", "c"], index=["x", "y", "z", "w"], name="s")


def test_tokens_have_the_labels_of_their_texts(texts):
    tokens = texts.str.tokenize()
    assert (tokens.to_list(), tokens.index.to_list()) == (["a", "bé", "c"], ["x", "x", "w"])
    tokens = texts.str.tokenize([" ", "é"])
    assert (tokens.to_list(), tokens.index.to_list()) == (["a", "b", "c"], ["x", "x", "w"])
    characters = texts.dropna().str.character_tokenize()
    assert characters.to_list() == ["a", " ", "b", "é", "c"]
    assert characters.index.to_list() == ["x", "x", "x", "x", "w"]


def test_values_of_texts_have_their_labels(texts):
    counts = texts.str.token_count()
    assert (counts.to_list(), counts.index.to_list()) == ([2, 0, 0, 1], ["x", "y", "z", "w"])
    other = cuprum.Series(["a b", "x", "", ""], index=[1, 2, 3, 4])
    distances = texts.str.edit_distance(other)
    assert (distances.to_list(), distances.index.to_list()) == ([1, 1, 0, 1], ["x", "y", "z", "w"])


@pytest.mark.parametrize("texts", [["a"], [], [None]])
def test_few_texts(texts):
    assert cuprum.Series(texts, dtype="str").str.tokenize().to_list() == [text for text in texts if text]


ON_A_GPU = {
    "tokenize": lambda texts: texts.str.tokenize(),
    "tokenize at texts": lambda texts: texts.str.tokenize([" ", "é"]),
    "token_count": lambda texts: texts.str.token_count(""),
    "token_count at texts": lambda texts: texts.str.token_count(["b"]),
    "character_tokenize": lambda texts: texts.dropna().str.character_tokenize(),
    "detokenize": lambda texts: texts.str.detokenize([1, 0, 1, 0]),
    "ngrams": lambda texts: texts.str.ngrams(2, "-"),
    "character_ngrams": lambda texts: texts.str.character_ngrams(2),
    "character_ngrams in lists": lambda texts: texts.str.character_ngrams(2, True),
    "ngrams_tokenize": lambda texts: texts.str.ngrams_tokenize(2),
    "replace_tokens": lambda texts: texts.str.replace_tokens(["a", "c"], ["x", "é"]),
    "filter_tokens": lambda texts: texts.str.filter_tokens(2, "_"),
    "normalize_spaces": lambda texts: texts.str.normalize_spaces(),
    "edit_distance": lambda texts: texts.str.edit_distance("abc"),
    "edit_distance of rows": lambda texts: texts.str.edit_distance(["a", "b", "c", "d"]),
    "jaccard_index": lambda texts: texts.str.jaccard_index(["a bé", "b", "c", "c"], 2),
    "minhash": lambda texts: texts.str.minhash(0, np.array([3, 5], "u4"), np.array([1, 2], "u4"), 2),
    "minhash of 64 bits": lambda texts: texts.str.minhash(0, np.array([3], "u8"), np.array([1], "u8"), 2),
    "is_vowel": lambda texts: texts.str.is_vowel(0),
    "is_consonant of rows": lambda texts: texts.str.is_consonant([0, 1, 2, -1]),
    "porter_stemmer_measure": lambda texts: texts.str.porter_stemmer_measure(),
}


@pytest.mark.parametrize("call", ON_A_GPU.values(), ids=ON_A_GPU)
def test_a_gpu_gives_the_same_without_the_host(texts, call):
    with cuprum.option_context("fallback", "error"):
        found = call(texts.to_device("emulator"))
    expected = call(texts)
    assert found.device == "emulator"
    assert (found.to_list(), found.index.to_list()) == (expected.to_list(), expected.index.to_list())
    assert found.dtype == expected.dtype


def test_json_paths_on_a_gpu():
    texts = cuprum.Series(['{"a": [1, "é"]}', None, '{"a": 7}', "[", '{"b": []}'])
    with cuprum.option_context("fallback", "error"):
        found = [texts.to_device("emulator").str.get_json_object(path) for path in ["$.a", "$.a[*]", "$.b"]]
    assert [one.fillna("-").to_list() for one in found] == [
        ['[1, "é"]', "-", "7", "-", "-"],
        ['[1,"é"]', "-", "[]", "-", "-"],
        ["-", "-", "-", "-", "[]"],
    ]


def test_a_vocabulary_is_where_its_texts_are(texts):
    words = cuprum.Series(["a", "c", "[UNK]", "b", "##é"])
    there, known = texts.to_device("emulator"), words.to_device("emulator")
    with cuprum.option_context("fallback", "error"):
        numbers = TokenizeVocabulary(known).tokenize(there)
        parts = WordPieceVocabulary(known).tokenize(there)
    assert numbers.device == "emulator"
    assert numbers.to_list() == TokenizeVocabulary(words).tokenize(texts).to_list()
    assert parts.to_list() == WordPieceVocabulary(words).tokenize(texts).to_list()
    if texts.device == "cpu":
        with pytest.raises(ValueError, match="`vocabulary` is on cpu"):
            TokenizeVocabulary(words).tokenize(there)


def test_the_argument_of_another_device_is_refused(texts):
    if texts.device == "cpu":
        with pytest.raises(ValueError, match="`targets` is on cpu"):
            texts.to_device("emulator").str.edit_distance(texts)
