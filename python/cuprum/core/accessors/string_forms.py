"""Texts that are numbers, addresses, times, URLs: what they are, and what they stand for.

cuDF has these of `Series.str` and pandas has not. Missing elements stay missing.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import DType, _patterns, _strings
from cuprum.core.arguments import integer_of, is_list_like
from cuprum.core.construction import column_from, integers_of_rows
from cuprum.core.devices import on_host
from cuprum.core.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import UnicodeForm

__all__ = ["StringForms"]

_BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_IPV4 = rf"{_BYTE}\.{_BYTE}\.{_BYTE}\.{_BYTE}"
_FLOAT = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?([Nn][Aa][Nn]|[Ii][Nn][Ff]([Ii][Nn][Ii][Tt][Yy])?)"


class StringForms:
    """The methods of `StringMethods` for them."""

    __slots__ = ()

    _series: Series

    def _whole(self, pattern: str) -> Series:
        handle = self._series._handle
        return wrap_series(handle.str_apply("fullmatch", pattern, None, True, [1]))

    def _of(self, column: Any) -> Series:
        handle = self._series._handle
        return wrap_series(_cuprum.Series(column, handle.name(), handle.index()))

    def _moved(self, column: Any) -> Series:
        """Return a column that was made on the host, where the series is."""
        handle = self._series.to_host()._handle
        made = wrap_series(_cuprum.Series(column, handle.name(), handle.index()))
        return made.to_device(self._series.device)

    def _refuse_others(self, known: Series, what: str) -> None:
        """Fail with ``ValueError`` for the first text that is not ``what``."""
        others = self._series[(~known.fillna(True)).to_numpy().astype(bool)]
        if len(others):
            raise ValueError(f"{others.iloc[0]!r} under {others.index[0]!r} is no text of {what}")

    def _one_by_one(self, method: str, function: Any, dtype: str | None) -> Series:
        """Return what a function of Python makes of each text; it is called once for texts that are equal.

        Without a ``dtype`` it makes bytes.
        """
        series = on_host(self._series, f"str.{method}")
        known: dict[str, Any] = {}
        results = []
        for text in series._handle.column().to_pylist():
            if text is not None and text not in known:
                known[text] = function(text)
            results.append(None if text is None else known[text])
        if dtype is not None:
            return self._moved(_cuprum.Column.from_iterable_of_py(results, dtype))
        column = _cuprum.Column.from_scalars([b"" if one is None else one for one in [*results, b""]])
        column = column.slice(0, len(results))
        missing = series.isna()._handle.column()
        return self._moved(column.with_nulls(missing) if series.null_count else column)

    # Predicates.

    def isempty(self) -> Series:
        """Return whether each text has no characters.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["", " ", None]).str.isempty().to_list()
        [True, False, False]
        """
        return (self._series == "").fillna(False)

    def isinteger(self) -> Series:
        """Return whether each text is a whole number: digits, perhaps after a sign.

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
        >>> cuprum.Series(["12", "-3", "1.5", None]).str.isinteger()
        0     True
        1     True
        2    False
        3     <NA>
        dtype: bool
        """
        return self._whole("[+-]?[0-9]+")

    def isfloat(self) -> Series:
        """Return whether each text is a number, perhaps with a sign, a point and an exponent; or inf or nan.

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
        >>> cuprum.Series(["12", "-1.5e3", "inf", "x"]).str.isfloat().to_list()
        [True, True, True, False]
        """
        return self._whole(_FLOAT)

    def ishex(self) -> Series:
        """Return whether each text is hexadecimal digits, perhaps after ``0x``.

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
        >>> cuprum.Series(["ff", "0x10", "g"]).str.ishex().to_list()
        [True, True, False]
        """
        return self._whole("(0[xX])?[0-9a-fA-F]+")

    def isipv4(self) -> Series:
        """Return whether each text is an address of four numbers from 0 to 255 without zeros before them.

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
        >>> cuprum.Series(["1.2.3.4", "1.2.3.400"]).str.isipv4().to_list()
        [True, False]
        """
        return self._whole(_IPV4)

    def istimestamp(self, format: str) -> Series:
        """Return whether each text is a time as a format writes it.

        Parameters
        ----------
        format : str
            The format, with Python's directives.

        Returns
        -------
        Series
            Booleans under the same row labels; missing for missing elements.

        Raises
        ------
        ValueError
            For a directive that is not known.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["2026-01-31", "2026-02-31"]).str.istimestamp("%Y-%m-%d").to_list()
        [True, False]
        """
        if not isinstance(format, str):
            raise TypeError(f"`format` is {format!r}, no text")
        return self._of(_strings.is_timestamp(self._series._handle.column(), format, None, None))

    def like(self, pat: str, esc: str | None = None) -> Series:
        """Return whether each text is like a pattern of SQL.

        Parameters
        ----------
        pat : str
            The pattern: ``%`` stands for any characters, ``_`` for one.
        esc : str, optional
            A character behind which these stand for themselves.

        Returns
        -------
        Series
            Booleans under the same row labels; missing for missing elements.

        Raises
        ------
        ValueError
            If ``esc`` is more than one character.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abc", "abd"]).str.like("a%c").to_list()
        [True, False]
        >>> cuprum.Series(["a%", "ab"]).str.like("a/%", esc="/").to_list()
        [True, False]
        """
        if not isinstance(pat, str):
            raise TypeError(f"`pat` is {pat!r}, no text")
        if esc is not None and (not isinstance(esc, str) or len(esc) != 1):
            raise ValueError(f"`esc` is {esc!r}, no character")
        return self._of(_patterns.like(self._series._handle.column(), pat, esc, None, None))

    # Conversions.

    def hex_to_int(self) -> Series:
        """Return hexadecimal digits, perhaps after ``0x``, as numbers.

        Returns
        -------
        Series
            ``int64``; missing for missing elements.

        Raises
        ------
        ValueError
            For a text of anything else, and for a number of more than 63 bits.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ff", "0x10"]).str.hex_to_int().to_list()
        [255, 16]
        """
        self._refuse_others(self.ishex(), "hexadecimal digits")
        return self._one_by_one("hex_to_int", lambda text: int(text, 16), "int64")

    def htoi(self) -> Series:
        """Return hexadecimal digits, perhaps after ``0x``, as numbers.

        Returns
        -------
        Series
            ``int64``; missing for missing elements.

        Raises
        ------
        ValueError
            For a text of anything else, and for a number of more than 63 bits.

        See Also
        --------
        hex_to_int : The same method.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ff", "0x10"]).str.htoi().to_list()
        [255, 16]
        """
        return self.hex_to_int()

    def ip_to_int(self) -> Series:
        """Return addresses of four numbers as one number each.

        Returns
        -------
        Series
            ``int64``, the first number of the address being the highest byte; missing for missing elements.

        Raises
        ------
        ValueError
            For a text that is no address.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["0.0.1.2"]).str.ip_to_int().to_list()
        [258]
        """
        self._refuse_others(self.isipv4(), "addresses (IPv4)")
        parts = self._series.str.split(".", expand=True)
        if parts.shape[1] < 4:  # none is there
            return self._one_by_one("ip_to_int", int, "int64")
        numbers = [parts[i].astype("int64") for i in range(4)]
        return ((numbers[0] * 256 + numbers[1]) * 256 + numbers[2]) * 256 + numbers[3]

    def ip2int(self) -> Series:
        """Return addresses of four numbers as one number each.

        Returns
        -------
        Series
            ``int64``, the first number of the address being the highest byte; missing for missing elements.

        Raises
        ------
        ValueError
            For a text that is no address.

        See Also
        --------
        ip_to_int : The same method.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["0.0.1.2"]).str.ip2int().to_list()
        [258]
        """
        return self.ip_to_int()

    def code_points(self) -> Series:
        """Return the numbers (Unicode) of the characters of all texts, one after the other.

        Returns
        -------
        Series
            ``uint32``, labelled 0, 1, …; nothing stands for missing texts.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ab", None, "c"]).str.code_points().to_list()
        [97, 98, 99]
        """
        points = _strings.code_points(self._series._handle.column(), None, None)
        return wrap_series(_cuprum.Series(points)).astype("uint32")

    def url_decode(self) -> Series:
        """Return the texts with ``%`` and two hexadecimal digits as the byte that they name.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing. Bytes that are not UTF-8
            become U+FFFD.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a%20b%2F%C3%A4"]).str.url_decode().to_list()
        ['a b/ä']
        """
        return self._of(_strings.url_decode(self._series._handle.column(), None, None))

    def url_encode(self) -> Series:
        """Return the texts as a URL has them.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing. Other characters than letters
            and digits of ASCII and ``.-_~`` are ``%`` and two hexadecimal digits for each byte.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a b/ä"]).str.url_encode().to_list()
        ['a%20b%2F%C3%A4']
        """
        return self._of(_strings.url_encode(self._series._handle.column(), None, None))

    # Other forms of texts.

    def casefold(self) -> Series:
        """Return the texts without differences of capitals and small letters, for comparisons.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        See Also
        --------
        lower : Leaves letters as ß.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["Straße", None]).str.casefold()
        0    strasse
        1        NaN
        dtype: str
        """
        return self._one_by_one("casefold", str.casefold, "str")

    def normalize(self, form: UnicodeForm) -> Series:
        """Return the texts in a normal form of Unicode.

        Parameters
        ----------
        form : ``"NFC"``, ``"NFD"``, ``"NFKC"`` or ``"NFKD"``
            The form.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Raises
        ------
        ValueError
            For another form.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["é"]).str.normalize("NFD").str.len().to_list()
        [2]
        """
        import unicodedata

        if form not in ("NFC", "NFD", "NFKC", "NFKD"):
            raise ValueError("invalid normalization form")
        return self._one_by_one("normalize", lambda text: unicodedata.normalize(form, text), "str")

    def encode(self, encoding: str, errors: str = "strict") -> Series:
        r"""Return the texts as bytes in an encoding.

        Parameters
        ----------
        encoding : str
            An encoding of Python, as ``"utf-8"``.
        errors : str, default ``"strict"``
            What becomes of characters that it has not, as ``"ignore"`` and ``"replace"`` of Python.

        Returns
        -------
        Series
            Bytes; missing for missing elements.

        Raises
        ------
        UnicodeEncodeError
            For a character that the encoding has not, with ``errors="strict"``.
        LookupError
            For an encoding that Python does not know.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ä", None]).str.encode("utf-8")
        0    b'\xc3\xa4'
        1           None
        dtype: binary
        >>> cuprum.Series(["ä!"]).str.encode("ascii", errors="ignore").to_list()
        [b'!']
        """
        codecs.lookup(encoding)
        return self._one_by_one("encode", lambda text: text.encode(encoding, errors), None)

    def wrap(
        self,
        width: int,
        expand_tabs: bool = True,
        tabsize: int = 8,
        replace_whitespace: bool = True,
        drop_whitespace: bool = True,
        initial_indent: str = "",
        subsequent_indent: str = "",
        fix_sentence_endings: bool = False,
        break_long_words: bool = True,
        break_on_hyphens: bool = True,
        max_lines: int | None = None,
        placeholder: str = " [...]",
    ) -> Series:
        r"""Return the texts in lines of limited length, as ``textwrap.TextWrapper`` makes them.

        Parameters
        ----------
        width : int
            The largest number of characters of a line.
        expand_tabs : bool, default True
            Whether tabs become spaces.
        tabsize : int, default 8
            The distance of the stops of tabs.
        replace_whitespace : bool, default True
            Whether each white space character becomes a space.
        drop_whitespace : bool, default True
            Whether to leave out white space at the ends of lines.
        initial_indent : str, default ``""``
            What stands before the first line.
        subsequent_indent : str, default ``""``
            What stands before the other lines.
        fix_sentence_endings : bool, default False
            Whether two spaces are put behind sentences.
        break_long_words : bool, default True
            Whether words that are longer than a line are cut.
        break_on_hyphens : bool, default True
            Whether lines end behind hyphens, too.
        max_lines : int, optional
            The largest number of lines.
        placeholder : str, default ``" [...]"``
            What stands for lines that are left out.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["one two three"]).str.wrap(8).to_list()
        ['one two\nthree']
        """
        from textwrap import TextWrapper

        wrapper = TextWrapper(
            width=integer_of("width", width),
            expand_tabs=expand_tabs,
            tabsize=integer_of("tabsize", tabsize),
            replace_whitespace=replace_whitespace,
            drop_whitespace=drop_whitespace,
            initial_indent=initial_indent,
            subsequent_indent=subsequent_indent,
            fix_sentence_endings=fix_sentence_endings,
            break_long_words=break_long_words,
            break_on_hyphens=break_on_hyphens,
            max_lines=max_lines,
            placeholder=placeholder,
        )
        return self._one_by_one("wrap", lambda text: "\n".join(wrapper.wrap(text)), "str")

    def get_dummies(self, sep: str = "|", dtype: Any = None) -> DataFrame:
        """Return a column for each part of the texts, which says whether a text has it.

        Parameters
        ----------
        sep : str, default ``"|"``
            The separator of parts.
        dtype : dtype, optional
            The type of the columns, numbers or booleans; ``int64`` without it.

        Returns
        -------
        DataFrame
            1 in the rows whose text has the part of the column, else 0, also for missing elements. Columns
            are in the order of the parts.

        Raises
        ------
        ValueError
            For an empty ``sep`` and another ``dtype``.

        Notes
        -----
        Empty parts have a column, too, as in pandas for texts in Arrow's memory.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a|b", None, "a"]).str.get_dummies()
           a  b
        0  1  1
        1  0  0
        2  1  0
        """
        if not isinstance(sep, str) or not sep:
            raise ValueError(f"`sep` is {sep!r}, no text that separates")
        kind = DType("int64" if dtype is None else dtype)
        if kind.kind not in "biuf":
            raise ValueError(f"Only numeric or boolean dtypes are supported for 'dtype', not {dtype!r}")
        series = self._series
        # Texts that repeat, as those of such columns do, are cut once.
        codes, texts = series.factorize(use_na_sentinel=False)
        lists = wrap_series(texts.to_series()._handle).str.split(sep, regex=False)
        labels = sorted({part for parts in lists._handle.column().to_pylist() if parts for part in parts})
        columns = [lists.list.contains(label).fillna(False).astype(kind)._handle.column() for label in labels]
        frame = wrap_frame(_cuprum.DataFrame(labels, columns, lists._handle.index())).take(codes)
        return frame.set_axis(series.index)

    def normalize_spaces(self) -> Series:
        r"""Return the texts with one space for each run of white space, and none at either end.

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
        >>> cuprum.Series([" a  b\tc "]).str.normalize_spaces().to_list()
        ['a b c']
        """
        handle = self._series._handle
        return wrap_series(handle.str_apply("replace", r"\s+", " ", True, [None])).str.strip()

    def filter_alphanum(self, repl: str | None = None, keep: bool = True) -> Series:
        """Return the texts with the characters that are no letters and no numbers replaced.

        Parameters
        ----------
        repl : str, optional
            What replaces each of them; nothing without it.
        keep : bool, default True
            Whether letters and numbers are kept; if False, they are replaced and the others kept.

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
        >>> cuprum.Series(["a-1 b"]).str.filter_alphanum().to_list()
        ['a1b']
        >>> cuprum.Series(["a-1 b"]).str.filter_alphanum("_", keep=False).to_list()
        ['_-_ _']
        """
        repl = "" if repl is None else repl
        _check_text("repl", repl)
        sign = r"[^\p{Alphabetic}\p{N}]" if keep else r"[\p{Alphabetic}\p{N}]"
        return self._replaced(sign, repl)

    def filter_characters(self, table: Any, keep: bool = True, repl: str | None = None) -> Series:
        """Return the texts with the characters outside of some ranges replaced.

        Parameters
        ----------
        table : dict
            The ranges: the last character of each under the first one, or their numbers.
        keep : bool, default True
            Whether characters in the ranges are kept; if False, they are replaced and the others kept.
        repl : str, optional
            What replaces each character; nothing without it.

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
        >>> cuprum.Series(["a1b2"]).str.filter_characters({"a": "z"}).to_list()
        ['ab']
        >>> cuprum.Series(["a1b2"]).str.filter_characters({"a": "z"}, keep=False, repl="_").to_list()
        ['_1_2']
        """
        repl = "" if repl is None else repl
        _check_text("repl", repl)
        if not isinstance(table, Mapping):
            raise TypeError(
                f"`table` is {table!r}; it is a dict of the first and the last characters of ranges"
            )
        ranges = "".join(f"{_escaped(first)}-{_escaped(last)}" for first, last in table.items())
        if not ranges:
            return self._replaced("(?s).", repl) if keep else self._series._snapshot()
        return self._replaced(f"[{'^' if keep else ''}{ranges}]", repl)

    def _replaced(self, pattern: str, repl: str) -> Series:
        handle = self._series._handle
        return wrap_series(handle.str_apply("replace", pattern, repl.replace("\\", r"\\"), True, [None]))

    def insert(self, start: int = 0, repl: str | None = None) -> Series:
        """Return the texts with another text put in.

        Parameters
        ----------
        start : int, default 0
            The position of the character before which it is put; the end for -1 and beyond the length.
        repl : str, optional
            The text; nothing without it.

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
        >>> cuprum.Series(["abc"]).str.insert(1, "-").to_list()
        ['a-bc']
        >>> cuprum.Series(["abc"]).str.insert(-1, "-").to_list()
        ['abc-']
        """
        if repl is None:
            repl = ""
        _check_text("repl", repl)
        if isinstance(start, bool) or not hasattr(start, "__index__"):
            raise TypeError(f"`start` is {start!r}, no position")
        if start == -1:
            return self._series + repl
        return self._series.str.slice_replace(start, start, repl)

    def split_part(self, delimiter: str | None = None, index: int = 0) -> Series:
        """Return one of the parts of each text between delimiters.

        Parameters
        ----------
        delimiter : str, optional
            The delimiter; runs of white space without it.
        index : int, default 0
            The number of the part from 0; negative ones are refused.

        Returns
        -------
        Series
            The parts; missing where a text has fewer.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a_b_c", "d"]).str.split_part("_", 1)
        0      b
        1    NaN
        dtype: str
        """
        if isinstance(index, bool) or not hasattr(index, "__index__") or index < 0:
            raise ValueError(f"`index` is {index!r}, no number of a part")
        if delimiter is not None:
            _check_text("delimiter", delimiter)
        return self._series.str.split(delimiter, regex=False).str.get(index)

    def slice_from(self, starts: Any, stops: Any) -> Series:
        """Return the characters of each text between positions of its own.

        Parameters
        ----------
        starts : list-like of int
            The first position of each row, by position.
        stops : list-like of int
            The position behind the last one; a negative one is the end of the text.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Raises
        ------
        ValueError
            If there is another number of positions.
        TypeError
            If they are no integers, or one is missing.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abcd", "efgh"]).str.slice_from([1, 2], [3, -1]).to_list()
        ['bc', 'gh']
        """
        first, last = (
            integers_of_rows(name, given, len(self._series), missing=False).to_pylist()
            for name, given in [("starts", starts), ("stops", stops)]
        )
        texts = on_host(self._series, "str.slice_from")._handle.column().to_pylist()
        parts = [
            None if text is None else text[max(a, 0) : None if b < 0 else b]
            for text, a, b in zip(texts, first, last, strict=True)
        ]
        return self._moved(_cuprum.Column.from_iterable_of_py(parts, "str"))

    def find_multiple(self, patterns: Any) -> Series:
        """Return the positions of several texts in each text as lists.

        Parameters
        ----------
        patterns : list-like of str
            The texts, none of them missing.

        Returns
        -------
        Series
            A list for each row with a position for each of ``patterns``; -1 where it does not occur, also for
            missing elements.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abc", None]).str.find_multiple(["c", "d"]).to_list()
        [[2, -1], [-1, -1]]
        """
        targets = column_from(patterns) if is_list_like(patterns) else None
        if targets is None or targets.dtype != "str" or targets.null_count() or not len(targets):
            raise TypeError(f"`patterns` is {patterns!r}; it has to be texts, none of them missing")
        return self._of(_strings.find_multiple(self._series._handle.column(), targets, None, None))

    def replace_with_backrefs(self, pat: Any, repl: str) -> Series:
        r"""Return the texts with the matches of a regular expression replaced by parts of these.

        Parameters
        ----------
        pat : str or compiled pattern
            The regular expression.
        repl : str
            What replaces each match; ``\1`` is its first group.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        See Also
        --------
        replace : The same with ``regex=True``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a1"]).str.replace_with_backrefs("([a-z])([0-9])", r"\2\1").to_list()
        ['1a']
        """
        return self._series.str.replace(pat, repl, regex=True)


def _check_text(argument: str, value: Any) -> None:
    if not isinstance(value, str):
        raise TypeError(f"`{argument}` is {value!r}, no text")


def _escaped(character: Any) -> str:
    """Return a character, or the number of one, as a range of a regular expression has it."""
    if isinstance(character, int) and not isinstance(character, bool):
        character = chr(character)
    if not isinstance(character, str) or len(character) != 1:
        raise TypeError(f"`table` has {character!r}, no character")
    return f"\\x{{{ord(character):x}}}"
