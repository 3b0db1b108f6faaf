"""Tokens, n-grams, distances and sketches of texts, which cuDF has of `Series.str` and pandas has not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Scalar, Table, _tokens, _values
from cuprum.core import objects
from cuprum.core.arguments import integer_of, is_list_like
from cuprum.core.construction import column_from, integers_of_rows
from cuprum.core.objects import wrap_series

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["StringTokens", "text_scalar", "texts_column"]


def text_scalar(argument: str, value: Any) -> Scalar:
    """Return a text as functions of columns take it; ``TypeError`` for what is none."""
    if not isinstance(value, str):
        raise TypeError(f"`{argument}` is {value!r}, no text")
    return Scalar.from_py(value)


def texts_column(argument: str, given: Any) -> Any:
    """Return the column of a list-like of texts; ``TypeError`` for what is none."""
    column = column_from(given) if is_list_like(given) and not isinstance(given, (set, frozenset)) else None
    if column is None or (len(column) and column.dtype != "str"):
        raise TypeError(f"`{argument}` is {given!r}; it has to be texts")
    return column if len(column) else _cuprum.Column.from_iterable_of_py([], "str")


def _run(argument: str, length: Any) -> int:
    """Return the length of runs."""
    length = integer_of(argument, length)
    if length < 2:
        raise ValueError(f"`{argument}` is {length}; runs are of 2 and more")
    if length >= 2**63:
        raise ValueError(f"`{argument}` is {length}, no integer of 64 bits")
    return length


class StringTokens:
    """The methods of `StringMethods` for them."""

    __slots__ = ()

    _series: Series

    def _column(self) -> Any:
        return self._series._handle.column()

    def _labelled(self, column: Any) -> Series:
        """Return a column with the labels of the series."""
        handle = self._series._handle
        return wrap_series(_cuprum.Series(column, handle.name(), handle.index()))

    def _unlabelled(self, column: Any) -> Series:
        """Return a column with the labels 0, 1, …"""
        return wrap_series(_cuprum.Series(column, self._series._handle.name()))

    def _beside(self, given: Any, column: Any) -> Any:
        """Return the column of an argument where the texts are: without labels it goes there."""
        if isinstance(given, (objects.Series, objects.Index)):
            return column
        return column.to_device(self._series.device)

    def _repeated(self, column: Any, counts: Series) -> Series:
        """Return a column with every label as often as a count says."""
        handle = self._series._handle
        rows = column_from(range(len(self._series))).to_device(self._series.device)
        repeated = _values.repeat(Table([rows]), counts._handle.column()).columns()[0]
        return wrap_series(_cuprum.Series(column, handle.name(), handle.index().take(repeated)))

    def tokenize(self, delimiter: Any = " ") -> Series:
        """Return the tokens of all texts, which stand between delimiters.

        Parameters
        ----------
        delimiter : str or list-like of str, default ``" "``
            Characters that separate, the empty text being white space; or several texts that do.

        Returns
        -------
        Series
            The tokens one after the other, each with the label of its text. There are no empty ones, and none
            of missing texts.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["hello world", None, "hello  goodbye"]).str.tokenize()
        0      hello
        0      world
        2      hello
        2    goodbye
        dtype: str
        """
        if is_list_like(delimiter):
            column = self._beside(delimiter, texts_column("delimiter", delimiter))
            tokens = _tokens.tokenize_column(self._column(), column)
        else:
            tokens = _tokens.tokenize_scalar(self._column(), text_scalar("delimiter", delimiter))
        return self._repeated(tokens, self.token_count(delimiter))

    def token_count(self, delimiter: Any = " ") -> Series:
        """Return the number of tokens of each text.

        Parameters
        ----------
        delimiter : str or list-like of str, default ``" "``
            What separates tokens, as in `tokenize`.

        Returns
        -------
        Series
            ``int32``; 0 for missing elements.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["hello world", "goodbye", "", None]).str.token_count().to_list()
        [2, 1, 0, 0]
        """
        if is_list_like(delimiter):
            column = self._beside(delimiter, texts_column("delimiter", delimiter))
            return self._labelled(_tokens.count_tokens_column(self._column(), column))
        return self._labelled(
            _tokens.count_tokens_scalar(self._column(), text_scalar("delimiter", delimiter))
        )

    def character_tokenize(self) -> Series:
        """Return the characters of all texts, one after the other.

        Returns
        -------
        Series
            The characters, each with the label of its text.

        Raises
        ------
        ValueError
            If a text is missing.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ab", "c"]).str.character_tokenize()
        0    a
        0    b
        1    c
        dtype: str
        """
        lengths = self._series.str.len()
        return self._repeated(_tokens.character_tokenize(self._column()), lengths)

    def detokenize(self, indices: Any, separator: str = " ") -> Series:
        """Return tokens put together into texts.

        Parameters
        ----------
        indices : list-like of int
            The number of the text that each element is a token of, by position.
        separator : str, default ``" "``
            What stands between tokens.

        Returns
        -------
        Series
            A text for each number, in the order of the numbers, labelled 0, 1, ….

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["hello", "world", "one", "two"]).str.detokenize([0, 0, 1, 1]).to_list()
        ['hello world', 'one two']
        """
        rows = self._beside(indices, integers_of_rows("indices", indices, len(self._series)))
        return self._unlabelled(_tokens.detokenize(self._column(), rows, text_scalar("separator", separator)))

    def ngrams(self, n: int = 2, separator: str = "_") -> Series:
        """Return each run of texts of neighbouring rows as one text.

        Parameters
        ----------
        n : int, default 2
            The number of texts of a run.
        separator : str, default ``"_"``
            What stands between them.

        Returns
        -------
        Series
            The runs, labelled 0, 1, …. Empty and missing texts are left out.

        Raises
        ------
        ValueError
            If ``n`` is below 2, or there are fewer texts.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["this", "is", "my"]).str.ngrams(2, "-").to_list()
        ['this-is', 'is-my']
        """
        return self._unlabelled(
            _tokens.generate_ngrams(self._column(), _run("n", n), text_scalar("separator", separator))
        )

    def character_ngrams(self, n: int = 2, as_list: bool = False) -> Series:
        """Return the runs of neighbouring characters of each text.

        Parameters
        ----------
        n : int, default 2
            The number of characters of a run.
        as_list : bool, default False
            Whether to return a list for each text.

        Returns
        -------
        Series
            The runs one after the other, each with the label of its text; or lists.

        Raises
        ------
        ValueError
            If ``n`` is below 2, or no text has as many characters.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abc", "de"]).str.character_ngrams(2)
        0    ab
        0    bc
        1    de
        dtype: str
        >>> cuprum.Series(["abcd", "xyz"]).str.character_ngrams(3, as_list=True).to_list()
        [['abc', 'bcd'], ['xyz']]
        """
        lists = self._labelled(_tokens.generate_character_ngrams(self._column(), _run("n", n)))
        return lists if as_list else lists[lists.list.len() > 0].explode()

    def ngrams_tokenize(self, n: int = 2, delimiter: str = " ", separator: str = "_") -> Series:
        """Return each run of neighbouring tokens of each text as one text.

        Parameters
        ----------
        n : int, default 2
            The number of tokens of a run.
        delimiter : str, default ``" "``
            Characters that separate tokens, as in `tokenize`.
        separator : str, default ``"_"``
            What stands between the tokens of a run.

        Returns
        -------
        Series
            The runs one after the other, labelled 0, 1, ….

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["this is the", "best book"]).str.ngrams_tokenize(2).to_list()
        ['this_is', 'is_the', 'best_book']
        """
        between = text_scalar("delimiter", delimiter)
        return self._unlabelled(
            _tokens.ngrams_tokenize(
                self._column(), _run("n", n), between, text_scalar("separator", separator)
            )
        )

    def replace_tokens(self, targets: Any, replacements: Any, delimiter: str | None = None) -> Series:
        """Return the texts with some tokens replaced.

        Parameters
        ----------
        targets : list-like of str
            The tokens.
        replacements : str or list-like of str
            What replaces each of them, by position; or one text for all.
        delimiter : str, optional
            Characters that separate tokens, which stay; white space without it.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Raises
        ------
        ValueError
            If there is another number of ``replacements``.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["this is me", "theme music"]).str.replace_tokens(["is", "me"], "_").to_list()
        ['this _ _', 'theme music']
        """
        old = texts_column("targets", targets)
        if isinstance(replacements, str):
            new = texts_column("replacements", [replacements])
        else:
            new = texts_column("replacements", replacements)
            if len(new) != len(old):
                raise ValueError(f"`replacements` has {len(new)} texts for {len(old)} targets")
        between = text_scalar("delimiter", "" if delimiter is None else delimiter)
        old, new = self._beside(targets, old), self._beside(replacements, new)
        return self._labelled(_tokens.replace_tokens(self._column(), old, new, between))

    def filter_tokens(
        self, min_token_length: int, replacement: str | None = None, delimiter: str | None = None
    ) -> Series:
        """Return the texts without the tokens that are short.

        Parameters
        ----------
        min_token_length : int
            The least number of characters of tokens that stay.
        replacement : str, optional
            What replaces the others; nothing without it.
        delimiter : str, optional
            Characters that separate tokens, which stay; white space without it.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["this is me", "theme music"]).str.filter_tokens(3, "_").to_list()
        ['this _ _', 'theme music']
        """
        new = text_scalar("replacement", "" if replacement is None else replacement)
        between = text_scalar("delimiter", "" if delimiter is None else delimiter)
        return self._labelled(_tokens.filter_tokens(self._column(), min_token_length, new, between))

    def edit_distance(self, targets: Any) -> Series:
        """Return how many characters make one text of another: put in, taken out or replaced.

        Parameters
        ----------
        targets : str or list-like of str
            The other text, or one for each row, by position.

        Returns
        -------
        Series
            Integers under the same row labels. Missing texts count as empty ones.

        Raises
        ------
        ValueError
            If there is another number of texts.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["puppy", "doggy"]).str.edit_distance(["pup", "dogie"]).to_list()
        [2, 2]
        """
        column = texts_column("targets", [targets] if isinstance(targets, str) else targets)
        if not isinstance(targets, str) and len(column) != len(self._series):
            raise ValueError(f"`targets` has {len(column)} texts for {len(self._series)}")
        if not isinstance(targets, str) and len(column) == 1 and column.null_count():
            column = texts_column("targets", [""])
        return self._labelled(_tokens.edit_distance(self._column(), self._beside(targets, column)))

    def jaccard_index(self, input: Any, width: int) -> Series:
        """Return the share of runs of characters that two texts have in common.

        Parameters
        ----------
        input : list-like of str
            The other text of each row, by position.
        width : int
            The number of characters of a run; a shorter text is one run.

        Returns
        -------
        Series
            ``float32``: the number of different runs that both texts have, divided by that of those that
            either has.

        Raises
        ------
        ValueError
            If ``width`` is below 2, or there is another number of texts.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["brown fox"]).str.jaccard_index(["brown cat"], 5).to_list()
        [0.25]
        """
        others = texts_column("input", input)
        if len(others) != len(self._series):
            raise ValueError(f"`input` has {len(others)} texts for {len(self._series)}")
        others = self._beside(input, others)
        return self._labelled(_tokens.jaccard_index(self._column(), others, _run("width", width)))

    def minhash(self, seed: int, a: Any, b: Any, width: int) -> Series:
        """Return the least hashes of the runs of characters of each text, a sketch of it.

        Parameters
        ----------
        seed : int
            The seed of the hash.
        a : list-like of ``uint32`` or ``uint64``
            The factor of each function.
        b : list-like of the same type
            The summand of each function.
        width : int
            The number of characters of a run.

        Returns
        -------
        Series
            Lists as long as ``a``: the least ``(hash * a[i] + b[i]) % (2**61 - 1)``.

        Raises
        ------
        ValueError
            For other types of ``a`` and ``b``.

        Notes
        -----
        The hash is MurmurHash3_x86_32 for ``uint32`` and the first half of MurmurHash3_x64_128 for
        ``uint64``.

        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum, numpy as np
        >>> ones = np.array([1], "u4")
        >>> cuprum.Series(["this is my"]).str.minhash(0, ones, ones, 5).to_list()
        [[1305480168]]
        """
        numbers = []
        for name, given in [("a", a), ("b", b)]:
            column = column_from(given) if is_list_like(given) else None
            if column is None or str(column.dtype) not in ("uint32", "uint64"):
                kind = type(given).__name__ if column is None else column.dtype
                raise ValueError(f"`{name}` is of {kind}; it has to be of uint32 or uint64")
            numbers.append(self._beside(given, column))
        if numbers[0].dtype != numbers[1].dtype:
            raise ValueError(f"`a` is of {numbers[0].dtype} and `b` of {numbers[1].dtype}")
        function = _tokens.minhash if str(numbers[0].dtype) == "uint32" else _tokens.minhash64
        return self._labelled(function(self._column(), seed, *numbers, width))

    def is_vowel(self, position: Any) -> Series:
        """Return whether the letter of each word at a position is a vowel, as Porter's stemmer has it.

        Words are English ones in small letters. Y is a vowel behind a consonant.

        Parameters
        ----------
        position : int or list-like of int
            The position for all rows or for each row; negative ones count from the end.

        Returns
        -------
        Series
            Booleans under the same row labels; missing for missing elements.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["toy", "trouble"]).str.is_vowel(1).to_list()
        [True, False]
        """
        return self._letter(position, True)

    def is_consonant(self, position: Any) -> Series:
        """Return whether the letter of each word at a position is a consonant, as Porter's stemmer has it.

        Words are English ones in small letters. Y is a consonant unless it is behind one.

        Parameters
        ----------
        position : int or list-like of int
            The position for all rows or for each row; negative ones count from the end.

        Returns
        -------
        Series
            Booleans under the same row labels; missing for missing elements.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["toy", "trouble"]).str.is_consonant(-1).to_list()
        [True, False]
        """
        return self._letter(position, False)

    def _letter(self, position: Any, vowels: bool) -> Series:
        if is_list_like(position):
            rows = integers_of_rows("position", position, len(self._series))
            places: Any = self._beside(position, rows)
        else:
            places = integer_of("position", position)
            if not -(2**63) <= places < 2**63:
                raise ValueError(f"`position` is {places}, no integer of 64 bits")
        return self._labelled(_tokens.is_letter(self._column(), vowels, places))

    def porter_stemmer_measure(self) -> Series:
        """Return how often consonants follow vowels in each word: the measure of Porter's stemmer.

        Returns
        -------
        Series
            Integers under the same row labels.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["tr", "trouble", "troubles"]).str.porter_stemmer_measure().to_list()
        [0, 1, 2]
        """
        return self._labelled(_tokens.porter_stemmer_measure(self._column()))
