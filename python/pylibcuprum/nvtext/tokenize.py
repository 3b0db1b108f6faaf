"""Tokens: what stands between delimiters, never empty."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar, Vocabulary
from cuprum._cuprum import _tokens as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "TokenizeVocabulary",
    "character_tokenize",
    "count_tokens_column",
    "count_tokens_scalar",
    "detokenize",
    "tokenize_column",
    "tokenize_scalar",
    "tokenize_with_vocabulary",
]


class TokenizeVocabulary(Vocabulary):
    """Tokens and their numbers, which are those of their rows, for `tokenize_with_vocabulary`.

    It is made of a column of at least one token, without nulls, else it is a ValueError.

    Examples
    --------
    >>> vocabulary = TokenizeVocabulary(Column.from_iterable_of_py(["a", "b"]))
    >>> texts = Column.from_iterable_of_py(["b a", "a c"])
    >>> tokenize_with_vocabulary(texts, vocabulary, Scalar.from_py(" ")).to_pylist()
    [[1, 0], [0, -1]]
    """


def tokenize_scalar(
    input: Column,
    delimiter: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the tokens of all texts, one after the other, cut at characters or white space.

    Parameters
    ----------
    input : Column
        Texts.
    delimiter : Scalar, optional
        Characters that tokens stand between; white space (up to U+0020) where it is empty or left out.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A row for each token, in the order of the texts; nulls have none. Tokens are never empty.

    Examples
    --------
    >>> tokenize_scalar(Column.from_iterable_of_py(["a  b", None, "c"])).to_pylist()
    ['a', 'b', 'c']

    >>> tokenize_scalar(Column.from_iterable_of_py(["a-b c"]), Scalar.from_py("-")).to_pylist()
    ['a', 'b c']
    """
    return _rust.tokenize_scalar(input, delimiter, stream, mr)


def tokenize_column(
    input: Column,
    delimiters: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the tokens of all texts, one after the other, cut at several texts.

    Parameters
    ----------
    input : Column
        Texts.
    delimiters : Column
        Texts that tokens stand between, at least one, without nulls.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A row for each token, in the order of the texts; nulls have none. Tokens are never empty.

    Raises
    ------
    ValueError
        For no delimiters, and for nulls among them.

    Examples
    --------
    >>> delimiters = Column.from_iterable_of_py(["-", "::"])
    >>> tokenize_column(Column.from_iterable_of_py(["a-b::c", None]), delimiters).to_pylist()
    ['a', 'b', 'c']
    """
    return _rust.tokenize_column(input, delimiters, stream, mr)


def count_tokens_scalar(
    input: Column,
    delimiter: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the number of tokens of each text, cut at characters or white space.

    Parameters
    ----------
    input : Column
        Texts.
    delimiter : Scalar, optional
        Characters that tokens stand between; white space (up to U+0020) where it is empty or left out.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32 without nulls: null texts have 0 tokens.

    Examples
    --------
    >>> count_tokens_scalar(Column.from_iterable_of_py(["a  b", "", None])).to_pylist()
    [2, 0, 0]
    """
    return _rust.count_tokens_scalar(input, delimiter, stream, mr)


def count_tokens_column(
    input: Column,
    delimiters: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the number of tokens of each text, cut at several texts.

    Parameters
    ----------
    input : Column
        Texts.
    delimiters : Column
        Texts that tokens stand between, at least one, without nulls.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32 without nulls: null texts have 0 tokens.

    Raises
    ------
    ValueError
        For no delimiters, and for nulls among them.

    Examples
    --------
    >>> delimiters = Column.from_iterable_of_py(["-", "::"])
    >>> count_tokens_column(Column.from_iterable_of_py(["a-b::c", None]), delimiters).to_pylist()
    [3, 0]
    """
    return _rust.count_tokens_column(input, delimiters, stream, mr)


def character_tokenize(
    input: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the characters of all texts, one after the other, each as a text.

    Parameters
    ----------
    input : Column
        Texts. Nulls are refused.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A row for each character, in the order of the texts.

    Raises
    ------
    ValueError
        For nulls.

    Examples
    --------
    >>> character_tokenize(Column.from_iterable_of_py(["né", "a"])).to_pylist()
    ['n', 'é', 'a']
    """
    return _rust.character_tokenize(input, stream, mr)


def detokenize(
    input: Column,
    row_indices: Column,
    separator: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return texts put together of tokens.

    Parameters
    ----------
    input : Column
        Tokens.
    row_indices : Column
        For each token the number of its text.
    separator : Scalar, optional
        Text between tokens; a space by default.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A text for each different number, in the order of the numbers.

    Raises
    ------
    RuntimeError
        Where there are not as many numbers as tokens.

    Examples
    --------
    >>> tokens = Column.from_iterable_of_py(["a", "b", "c"])
    >>> detokenize(tokens, Column.from_iterable_of_py([0, 0, 2])).to_pylist()
    ['a b', 'c']

    >>> detokenize(tokens, Column.from_iterable_of_py([1, 0, 1]), Scalar.from_py("-")).to_pylist()
    ['b', 'a-c']
    """
    return _rust.detokenize(input, row_indices, separator, stream, mr)


def tokenize_with_vocabulary(
    input: Column,
    vocabulary: TokenizeVocabulary,
    delimiter: Scalar,
    default_id: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the numbers of the tokens of each text in a vocabulary.

    Parameters
    ----------
    input : Column
        Texts.
    vocabulary : TokenizeVocabulary
        Tokens that have a number.
    delimiter : Scalar
        Characters that tokens stand between; white space (up to U+0020) where it is empty.
    default_id : int, default -1
        Number of tokens that are not in the vocabulary.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of INT32 for each text; null for nulls.

    Examples
    --------
    >>> vocabulary = TokenizeVocabulary(Column.from_iterable_of_py(["a", "b"]))
    >>> texts = Column.from_iterable_of_py(["b a x", None])
    >>> tokenize_with_vocabulary(texts, vocabulary, Scalar.from_py("")).to_pylist()
    [[1, 0, -1], None]
    """
    return _rust.tokenize_with_vocabulary(input, vocabulary, delimiter, default_id, stream, mr)
