"""Tokens of texts: those of a text bear its label."""

import pytest

import cuprum


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
