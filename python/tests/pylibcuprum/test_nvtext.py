"""Tokens, n-grams and distances, beside plain Python."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylibcuprum import Column, DataType, Scalar, TypeId, copying
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
from pylibcuprum.strings import attributes
from pylibcuprum.strings.convert import convert_integers, convert_ipv4, convert_urls
from pylibcuprum.strings.split import split

STRING = DataType(TypeId.STRING)
TEXTS = st.lists(st.none() | st.text("ab,é日 \t", max_size=12), max_size=70)


def column(values, kind=TypeId.STRING):
    return Column.from_iterable_of_py(values, DataType(kind))


def text(value):
    return Scalar.from_py(value)


def parts(value, delimiter):
    """The tokens of a text."""
    is_delimiter = (lambda c: c <= " ") if not delimiter else (lambda c: c in delimiter)
    return "".join("\0" if is_delimiter(c) else c for c in value or "").replace("\0", "\n").split("\n")


def tokens(value, delimiter):
    return [part for part in parts(value, delimiter) if part]


def runs(value, width):
    return [value[i : i + width] for i in range(len(value) - width + 1)]


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            new.append(min(row[j - 1] + (x != y), row[j] + 1, new[-1] + 1))
        row = new
    return row[-1]


@given(TEXTS, st.sampled_from(["", " ", ", ", "é", "日a"]), st.integers(0, 3))
def test_tokens(values, delimiter, skip):
    skip = min(skip, len(values))
    texts, values = copying.slice(column(values), [skip, len(values)])[0], values[skip:]
    expected = [tokens(value, delimiter) for value in values]
    assert tokenize.tokenize_scalar(texts, text(delimiter)).to_pylist() == [
        one for found in expected for one in found
    ]
    assert tokenize.count_tokens_scalar(texts, text(delimiter)).to_pylist() == [len(one) for one in expected]
    pairs = ["-é".join(pair) for one in expected for pair in pairwise(one)]
    assert ngrams_tokenize.ngrams_tokenize(texts, 2, text(delimiter), text("-é")).to_pylist() == pairs
    even = [None if value is None else " ".join(tokens(value, "")) for value in values]
    assert normalize.normalize_spaces(texts).to_pylist() == even
    known = ["a", "日", "ab"]
    numbers = [
        None if value is None else [known.index(one) if one in known else -7 for one in found]
        for value, found in zip(values, expected, strict=True)
    ]
    vocabulary = tokenize.TokenizeVocabulary(column(known))
    found = tokenize.tokenize_with_vocabulary(texts, vocabulary, text(delimiter), -7)
    assert found.to_pylist() == numbers


@given(TEXTS, st.integers(1, 4), st.sampled_from(["", "-", "éé"]))
def test_tokens_that_are_replaced(values, length, new):
    def each(value, function):
        if value is None:
            return None
        found, word = [], ""
        for c in value + "\0":
            if c <= " ":
                found.append(function(word) if word else "")
                found.append("" if c == "\0" else c)
                word = ""
            else:
                word += c
        return "".join(found)

    texts = column(values)
    short = [each(value, lambda word: new if len(word) < length else word) for value in values]
    assert replace.filter_tokens(texts, length, text(new)).to_pylist() == short
    table = {"a": new, "日": "x"}
    other = [each(value, lambda word: table.get(word, word)) for value in values]
    pairs = column(list(table)), column(list(table.values()))
    assert replace.replace_tokens(texts, *pairs).to_pylist() == other


@given(st.lists(st.tuples(st.text("abé", max_size=90), st.text("abé", max_size=90)), min_size=2, max_size=5))
def test_distances(pairs):
    a, b = (column(list(side)) for side in zip(*pairs, strict=True))
    expected = [distance(*pair) for pair in pairs]
    assert edit_distance.edit_distance(a, b).to_pylist() == expected
    assert edit_distance.edit_distance(b, a).to_pylist() == expected
    for width in (2, 5):
        sets = [[set(runs(one, width) or [one] if one else []) for one in pair] for pair in pairs]
        expected = [len(x & y) / max(len(x | y), 1) for x, y in sets]
        assert jaccard.jaccard_index(a, b, width).to_pylist() == pytest.approx(expected)


@given(st.lists(st.none() | st.text("abé日", max_size=9), max_size=70))
def test_runs_of_characters(values):
    texts, expected = column(values), [runs(value or "", 2) for value in values]
    if any(expected) or not values:
        assert generate_ngrams.generate_character_ngrams(texts).to_pylist() == expected
        hashes = generate_ngrams.hash_character_ngrams(texts, 2, 0).to_pylist()
        assert [len(one) for one in hashes] == [len(one) for one in expected]
    else:
        with pytest.raises(ValueError, match="no text has as many characters"):
            generate_ngrams.generate_character_ngrams(texts)
    kept = [value for value in values if value]
    if len(kept) != 1:
        joined = ["_".join(pair) for pair in pairwise(kept)]
        assert generate_ngrams.generate_ngrams(texts, 2, text("_")).to_pylist() == joined
    points = [ord(c) for value in values for c in value or ""]
    assert attributes.code_points(texts).to_pylist() == points
    if None not in values:
        assert tokenize.character_tokenize(texts).to_pylist() == [c for value in values for c in value]


def test_what_is_documented():
    assert tokenize.tokenize_column(column(["a", "b c", "d.e:f;"]), column([".", ":", ";"])).to_pylist() == [
        "a",
        "b c",
        "d",
        "e",
        "f",
    ]
    assert tokenize.count_tokens_column(column(["a.b", None]), column(["."])).to_pylist() == [2, 0]
    words = column(["hello", "world", "one", "two", "three"])
    rows = column([0, 2, 1, 1, 0], TypeId.INT32)
    assert tokenize.detokenize(words, rows).to_pylist() == ["hello three", "one two", "world"]
    assert tokenize.detokenize(words, rows, text("+")).to_pylist() == ["hello+three", "one+two", "world"]
    letters = column(["trouble", "toy", "sygyzy"])
    assert stemmer.is_letter(letters, True, 1).to_pylist() == [False, True, True]
    assert stemmer.is_letter(letters, False, column([3, -2, 4], TypeId.INT32)).to_pylist() == [
        False,
        False,
        True,
    ]
    assert stemmer.porter_stemmer_measure(column(["tr", "troubles", None])).to_pylist() == [0, 2, None]
    numbers = column([1, 2, 3], TypeId.UINT32)
    sketches = minhash.minhash(column(["this is my", None, ""]), 0, numbers, numbers, 5)
    assert sketches.to_pylist() == [[1305480168, 462824406, 74608229], None, [0, 0, 0]]
    numbers = column([1, 2, 3], TypeId.UINT64)
    sketches = minhash.minhash64(column(["this is my"]), 0, numbers, numbers, 5)
    assert sketches.to_pylist() == [[105531920695060180, 172452388517576009, 316595762085180524]]
    pieces = wordpiece_tokenize.WordPieceVocabulary(
        column(["[UNK]", "a", "have", "I", "new", "GP", "##U", "!"])
    )
    texts = column(["I have  a new GPU now !", None])
    assert wordpiece_tokenize.wordpiece_tokenize(texts, pieces, 0).to_pylist() == [
        [3, 2, 1, 4, 5, 6, 0, 7],
        None,
    ]
    assert wordpiece_tokenize.wordpiece_tokenize(texts, pieces, 5).to_pylist() == [[3, 2, 1, 4, 5, 6], None]


def test_forms_of_texts():
    hexadecimal = column(["ff", "0x10", None])
    assert convert_integers.hex_to_integers(hexadecimal, DataType(TypeId.INT32)).to_pylist() == [
        255,
        16,
        None,
    ]
    assert convert_integers.is_hex(column(["fF", "0x", "g", None])).to_pylist() == [True, False, False, None]
    for wrong, error in [("", ValueError), ("0x", ValueError), ("-1", ValueError), ("f" * 16, OverflowError)]:
        with pytest.raises(error, match="row 0"):
            convert_integers.hex_to_integers(column([wrong]), DataType(TypeId.INT64))
    with pytest.raises(OverflowError):
        convert_integers.hex_to_integers(column(["fff"]), DataType(TypeId.INT8))
    addresses = column(["1.2.3.4", "255.0.0.1", None])
    integers = convert_ipv4.ipv4_to_integers(addresses)
    assert (integers.type().id(), integers.to_pylist()) == (TypeId.UINT32, [16909060, 0xFF000001, None])
    assert convert_ipv4.integers_to_ipv4(integers).to_pylist() == addresses.to_pylist()
    texts = ["0.0.0.0", "1.2.3.4.", "1.2.3", "01.2.3.4", "256.1.1.1"]
    assert convert_ipv4.is_ipv4(column(texts)).to_pylist() == [True, False, False, False, False]
    for wrong in texts[1:]:
        with pytest.raises(ValueError, match="row 0"):
            convert_ipv4.ipv4_to_integers(column([wrong]))
    with pytest.raises(TypeError):
        convert_ipv4.integers_to_ipv4(column([1], TypeId.INT64))
    assert convert_urls.url_encode(column(["a b/ä", None])).to_pylist() == ["a%20b%2F%C3%A4", None]
    assert convert_urls.url_decode(column(["a%20b%C3%A4%zz%4", "%FFx", None])).to_pylist() == [
        "a bä%zz%4",
        "\ufffdx",
        None,
    ]
    assert split.split_part(column(["a_b_c", "d", None]), text("_"), 1).to_pylist() == ["b", None, None]


@pytest.mark.parametrize(
    "call",
    [
        lambda texts: edit_distance.edit_distance(texts, column(["a"] * 3)),
        lambda texts: generate_ngrams.generate_ngrams(texts, 1, text("_")),
        lambda texts: generate_ngrams.generate_character_ngrams(texts, -1),
        lambda texts: jaccard.jaccard_index(texts, texts, 1),
        lambda texts: tokenize.tokenize_column(texts, column([])),
        lambda texts: tokenize.TokenizeVocabulary(column(["a", None])),
        lambda texts: tokenize.character_tokenize(texts),
        lambda texts: stemmer.is_letter(texts, True, column([0, None], TypeId.INT32)),
        lambda texts: minhash.minhash(texts, -1, texts, texts, 5),
    ],
)
def test_values_that_are_refused(call):
    with pytest.raises(ValueError):
        call(column(["ab", None]))


def test_types_that_are_refused():
    numbers = column([1], TypeId.INT32)
    for call in [
        lambda: tokenize.tokenize_scalar(numbers),
        lambda: tokenize.tokenize_with_vocabulary(column(["a"]), numbers, text(" ")),
        lambda: tokenize.TokenizeVocabulary(["a"]),
        lambda: minhash.minhash(column(["a"]), 0, numbers, numbers, 5),
    ]:
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize(
    ("kind", "one", "many"),
    [
        (TypeId.UINT32, minhash.minhash, minhash.minhash_ngrams),
        (TypeId.UINT64, minhash.minhash64, minhash.minhash64_ngrams),
    ],
)
def test_sketches_of_runs_of_texts(kind, one, many):
    numbers = column([1, 2, 3], kind)
    lists = Column.from_iterable_of_py([["ab", "c", None, "de"], ["x"], None, [], ["", "a"]])
    got = many(lists, 2, 7, numbers, numbers).to_pylist()

    def whole(texts):
        """The sketch of each text as a whole: its one run is as wide as it is."""
        return [one(column([text]), 7, numbers, numbers, max(len(text), 2)).to_pylist()[0] for text in texts]

    first = [min(values) for values in zip(*whole(["abc", "c", "de"]), strict=True)]
    assert got == [first, *whole(["x"]), None, [0, 0, 0], *whole(["a"])]
    assert many(lists, 9, 7, numbers, numbers).to_pylist()[0] == whole(["abcde"])[0]
    with pytest.raises(ValueError, match="`ngrams` is 1"):
        many(lists, 1, 7, numbers, numbers)
    with pytest.raises(ValueError, match="`b` 2"):
        many(lists, 2, 7, numbers, column([1, 2], kind))
    with pytest.raises(TypeError, match="no texts"):
        many(Column.from_iterable_of_py([[1]]), 2, 7, numbers, numbers)


def test_the_unknown_word_of_a_vocabulary_in_lower_case():
    small = wordpiece_tokenize.WordPieceVocabulary(column(["a", "[unk]"]))
    assert wordpiece_tokenize.wordpiece_tokenize(column(["a b"]), small, 0).to_pylist() == [[0, 1]]
    both = wordpiece_tokenize.WordPieceVocabulary(column(["[unk]", "a", "[UNK]"]))
    assert wordpiece_tokenize.wordpiece_tokenize(column(["a b"]), both, 0).to_pylist() == [[1, 2]]
    with pytest.raises(ValueError, match="UNK"):
        neither = wordpiece_tokenize.WordPieceVocabulary(column(["a"]))
        wordpiece_tokenize.wordpiece_tokenize(column(["a"]), neither, 0)
