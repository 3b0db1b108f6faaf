"""Texts that are numbers, addresses, times, URLs: what they are, and what they stand for.

cuDF has these of `Series.str` and pandas has not. Missing elements stay missing.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import DType, _patterns, _strings
from cuprum.core.arguments import is_list_like
from cuprum.core.construction import column_from
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
        handle = on_host(self._series, "str")._handle
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
        """Return whether the text has no characters.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["", " "]).str.isempty().to_list()
        [True, False]
        """
        return (self._series == "").fillna(False)

    def isinteger(self) -> Series:
        """Return whether the text is a whole number: digits, perhaps with a sign before them."""
        return self._whole("[+-]?[0-9]+")

    def isfloat(self) -> Series:
        """Return whether the text is a number: digits, perhaps with a sign, a point and an exponent; or inf or nan."""
        return self._whole(_FLOAT)

    def ishex(self) -> Series:
        """Return whether the text is hexadecimal digits, perhaps after ``0x``."""
        return self._whole("(0[xX])?[0-9a-fA-F]+")

    def isipv4(self) -> Series:
        """Return whether the text is an address of four numbers from 0 to 255 without zeros before them."""
        return self._whole(_IPV4)

    def istimestamp(self, format: str) -> Series:
        """Return whether the text is a time as ``format`` writes it, with the directives of Python.

        ``ValueError`` for a directive that is not known.
        """
        if not isinstance(format, str):
            raise TypeError(f"`format` is {format!r}, no text")
        return self._of(_strings.is_timestamp(self._series._handle.column(), format, None, None))

    def like(self, pat: str, esc: str | None = None) -> Series:
        """Return whether the text is like ``pat``, as SQL has it: ``%`` are any characters, ``_`` is one.

        Behind ``esc`` these stand for themselves.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abc", "abd"]).str.like("a%c").to_list()
        [True, False]
        """
        if not isinstance(pat, str):
            raise TypeError(f"`pat` is {pat!r}, no text")
        if esc is not None and (not isinstance(esc, str) or len(esc) != 1):
            raise ValueError(f"`esc` is {esc!r}, no character")
        return self._of(_patterns.like(self._series._handle.column(), pat, esc, None, None))

    # Conversions.

    def hex_to_int(self) -> Series:
        """Return hexadecimal digits, perhaps after ``0x``, as ``int64``.

        ``ValueError`` for a text of anything else, and for a number of more than 63 bits.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ff", "0x10"]).str.hex_to_int().to_list()
        [255, 16]
        """
        self._refuse_others(self.ishex(), "hexadecimal digits")
        return self._one_by_one("hex_to_int", lambda text: int(text, 16), "int64")

    def htoi(self) -> Series:
        """Return hexadecimal digits as numbers; see `hex_to_int`."""
        return self.hex_to_int()

    def ip_to_int(self) -> Series:
        """Return addresses of four numbers as ``int64``, the first number being the highest byte.

        ``ValueError`` for a text that is no address.

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
        """Return addresses as numbers; see `ip_to_int`."""
        return self.ip_to_int()

    def code_points(self) -> Series:
        """Return the number (Unicode) of each character of all texts, one after the other, ``uint32``.

        They are labelled 0, 1, …; nothing stands for missing texts.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ab", None, "c"]).str.code_points().to_list()
        [97, 98, 99]
        """
        points = _strings.code_points(self._series._handle.column(), None, None)
        return wrap_series(_cuprum.Series(points)).astype("uint32")

    def url_decode(self) -> Series:
        """Return the text with ``%`` and two hexadecimal digits as the byte that they name, which are UTF-8 together.

        Bytes that are not UTF-8 become U+FFFD.
        """
        return self._of(_strings.url_decode(self._series._handle.column(), None, None))

    def url_encode(self) -> Series:
        """Return the text as a URL has it: other characters than letters and digits of ASCII and ``.-_~`` as bytes.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a b/ä"]).str.url_encode().to_list()
        ['a%20b%2F%C3%A4']
        """
        return self._of(_strings.url_encode(self._series._handle.column(), None, None))

    # Other forms of texts.

    def casefold(self) -> Series:
        """Return the text without differences of capitals and small letters, more than `lower` does: ß is ss."""
        return self._one_by_one("casefold", str.casefold, "str")

    def normalize(self, form: UnicodeForm) -> Series:
        """Return the text in a normal form of Unicode: ``NFC``, ``NFD``, ``NFKC`` or ``NFKD``.

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
        """Return the text as bytes in an encoding of Python; ``UnicodeEncodeError`` unless ``errors`` says otherwise."""
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
        """Return the text in lines of at most ``width`` characters, as Python's ``textwrap.TextWrapper`` makes them.

        The other arguments are those of the wrapper.
        """
        from textwrap import TextWrapper

        wrapper = TextWrapper(
            width=width,
            expand_tabs=expand_tabs,
            tabsize=tabsize,
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
        """Return a column for each of the parts between ``sep``: 1 in the rows whose text has it, else 0.

        Columns are in the order of the parts, of the type ``dtype`` (``int64``). Empty
        parts have one too, as for texts that pandas keeps in Arrow's memory.

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
        """Return the text with one space for each run of white space, none at either end."""
        handle = self._series._handle
        return wrap_series(handle.str_apply("replace", r"\s+", " ", True, [None])).str.strip()

    def filter_alphanum(self, repl: str | None = None, keep: bool = True) -> Series:
        """Return the text with each character that is no letter and no number replaced by ``repl``, by nothing without it.

        Without ``keep`` those are replaced that are letters or numbers.
        """
        repl = "" if repl is None else repl
        _check_text("repl", repl)
        sign = r"[^\p{Alphabetic}\p{N}]" if keep else r"[\p{Alphabetic}\p{N}]"
        return self._replaced(sign, repl)

    def filter_characters(self, table: Any, keep: bool = True, repl: str | None = None) -> Series:
        """Return the text with the characters outside of the ranges of ``table`` replaced by ``repl``, or by nothing.

        ``table`` has the last characters of the ranges under the first ones. Without ``keep`` the characters in the
        ranges are replaced.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a1b2"]).str.filter_characters({"a": "z"}).to_list()
        ['ab']
        """
        repl = "" if repl is None else repl
        _check_text("repl", repl)
        ranges = "".join(f"{_escaped(first)}-{_escaped(last)}" for first, last in table.items())
        if not ranges:
            return self._replaced("(?s).", repl) if keep else self._series._snapshot()
        return self._replaced(f"[{'^' if keep else ''}{ranges}]", repl)

    def _replaced(self, pattern: str, repl: str) -> Series:
        handle = self._series._handle
        return wrap_series(handle.str_apply("replace", pattern, repl.replace("\\", r"\\"), True, [None]))

    def insert(self, start: int = 0, repl: str | None = None) -> Series:
        """Return the text with ``repl`` before the character at ``start``; at its end for -1 and beyond its length.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abc"]).str.insert(1, "-").to_list()
        ['a-bc']
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
        """Return the part at ``index`` between delimiters (white space, without one); missing where there is none.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a_b_c"]).str.split_part("_", 1).to_list()
        ['b']
        """
        if isinstance(index, bool) or not hasattr(index, "__index__") or index < 0:
            raise ValueError(f"`index` is {index!r}, no number of a part")
        return self._series.str.split(delimiter, regex=False).str.get(index)

    def slice_from(self, starts: Any, stops: Any) -> Series:
        """Return the characters from the position of ``starts`` up to that of ``stops``, which each row has.

        They are matched by position; a negative stop is the end of the text.
        """
        first, last = (
            _positions(name, given, len(self._series))
            for name, given in [("starts", starts), ("stops", stops)]
        )
        texts = on_host(self._series, "str.slice_from")._handle.column().to_pylist()
        parts = [
            None if text is None else text[max(a, 0) : None if b < 0 else b]
            for text, a, b in zip(texts, first, last, strict=True)
        ]
        return self._moved(_cuprum.Column.from_iterable_of_py(parts, "str"))

    def find_multiple(self, patterns: Any) -> Series:
        """Return the lists of the positions of all texts ``patterns`` in each text; -1 where one is not in it.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abc"]).str.find_multiple(["c", "d"]).to_list()
        [[2, -1]]
        """
        targets = column_from(patterns) if is_list_like(patterns) else None
        if targets is None or targets.dtype != "str" or targets.null_count() or not len(targets):
            raise TypeError(f"`patterns` is {patterns!r}; it has to be texts, none of them missing")
        return self._of(_strings.find_multiple(self._series._handle.column(), targets, None, None))

    def replace_with_backrefs(self, pat: Any, repl: str) -> Series:
        """Return the text with each match of a regular expression replaced, ``\\1`` being its first group.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a1"]).str.replace_with_backrefs("([a-z])([0-9])", r"\\2\\1").to_list()
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


def _positions(argument: str, given: Any, rows: int) -> Any:
    column = column_from(given)
    if column.dtype.kind not in "iu" or column.null_count():
        raise TypeError(
            f"`{argument}` is of type {column.dtype}: it has to be positions, none of them missing"
        )
    if len(column) != rows:
        raise ValueError(f"`{argument}` has {len(column)} positions for {rows} texts")
    return column.to_pylist()
