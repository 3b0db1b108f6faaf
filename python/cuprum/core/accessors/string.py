"""``Series.str``: functions of text. Missing elements stay missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.accessors.accessor import Accessor
from cuprum.core.accessors.string_forms import StringForms
from cuprum.core.accessors.string_patterns import StringPatterns, cuts_of
from cuprum.core.accessors.string_tokens import StringTokens
from cuprum.core.arguments import (
    check_truth,
    integer_of,
    is_list_like,
    is_no_default,
    is_scalar,
    only_texts,
)
from cuprum.core.construction import column_from
from cuprum.core.missing import is_missing
from cuprum.core.objects import ours, wrap_frame, wrap_series
from cuprum.core.patterns import Pattern
from cuprum.core.reshape.concat import concat
from cuprum.core.slow_calls import Watch

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import OrderedHow, PadSide

__all__ = ["StringMethods"]

# Characters with a meaning of their own in a regular expression.
_REGEX_SIGNS = frozenset(r".^$*+?{}[]\|()")


# The parameters of functions of texts that are texts.
_TEXTS: dict[str, tuple[str, ...]] = {
    "find": ("sub",),
    "lstrip": ("to_strip",),
    "pad": ("fillchar", "side"),
    "partition_lists": ("sep",),
    "removeprefix": ("prefix",),
    "removesuffix": ("suffix",),
    "rfind": ("sub",),
    "rstrip": ("to_strip",),
    "strip": ("to_strip",),
}


# Those that are integers or None.
_INTEGERS: dict[str, tuple[str, ...]] = {
    "find": ("start", "end"),
    "get": ("i",),
    "rfind": ("start", "end"),
    "slice": ("start", "stop", "step"),
    "slice_replace": ("start", "stop"),
}


class StringMethods(StringPatterns, StringForms, StringTokens, Accessor):
    """Functions of text; made by ``series.str``.

    Positions and lengths are in characters (Unicode code points), as in Python.
    """

    __slots__ = ()

    def __init__(self, series: Series) -> None:
        if series._handle.dtype().kind != "O":
            raise AttributeError("Can only use .str accessor with string values")
        self._series = series

    if TYPE_CHECKING:
        # The methods of ``series.str`` for bytes, see `BytesMethods`.
        def decode(self, encoding: str, errors: str = "strict", dtype: Any = None) -> Series:
            """Return bytes as texts in an encoding of Python."""

    def _apply(self, function: str, *args: Any) -> Series:
        for name, value in zip(_TEXTS.get(function, ()), args, strict=False):
            if value is not None:
                only_texts(**{name: value})
        if names := _INTEGERS.get(function):
            for name, value in zip(names, args[-1], strict=True):
                if value is not None:
                    integer_of(name, value)
        return wrap_series(self._series._handle.str_apply(function, *args))

    def len(self) -> Series:
        """Return the number of characters of each text.

        Returns
        -------
        Series
            ``int64``; missing for missing elements.

        See Also
        --------
        byte_count : The number of bytes.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ab", "ä", None]).str.len()
        0       2
        1       1
        2    <NA>
        dtype: int64
        """
        return self._apply("len").astype("int64")

    def byte_count(self) -> Series:
        """Return the number of bytes of each text in UTF-8.

        Returns
        -------
        Series
            Integers; missing for missing elements.

        See Also
        --------
        len : The number of characters.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ab", "ä"]).str.byte_count().to_list()
        [2, 2]
        """
        return self._apply("byte_count")

    def upper(self) -> Series:
        """Return the texts in capitals.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ab", "ß", None]).str.upper()
        0     AB
        1     SS
        2    NaN
        dtype: str
        """
        return self._apply("upper")

    def lower(self) -> Series:
        """Return the texts in small letters.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        See Also
        --------
        casefold : Also equates letters that differ in more than their case.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["AB", "Ä", None]).str.lower()
        0     ab
        1      ä
        2    NaN
        dtype: str
        """
        return self._apply("lower")

    def title(self) -> Series:
        """Return the texts with each word beginning with a capital, followed by small letters.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["hello WORLD"]).str.title().to_list()
        ['Hello World']
        """
        return self._apply("title")

    def capitalize(self) -> Series:
        """Return the texts with a capital as first letter and small letters after it.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["hello WORLD"]).str.capitalize().to_list()
        ['Hello world']
        """
        return self._apply("capitalize")

    def swapcase(self) -> Series:
        """Return the texts with capitals as small letters and small letters as capitals.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["aB", "Cd"]).str.swapcase().to_list()
        ['Ab', 'cD']
        """
        return self._apply("swapcase")

    def strip(self, to_strip: str | None = None) -> Series:
        r"""Return the texts without some characters at both ends.

        Parameters
        ----------
        to_strip : str, optional
            The characters to remove, in any order; white space without it.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        See Also
        --------
        removeprefix : Remove a whole text at the start.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([" a ", "b\t"]).str.strip().to_list()
        ['a', 'b']
        >>> cuprum.Series(["xyax"]).str.strip("xy").to_list()
        ['a']
        """
        return self._apply("strip", to_strip)

    def lstrip(self, to_strip: str | None = None) -> Series:
        """Return the texts without some characters at their start.

        Parameters
        ----------
        to_strip : str, optional
            The characters to remove, in any order; white space without it.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([" a ", "xyb"]).str.lstrip("xy ").to_list()
        ['a ', 'b']
        """
        return self._apply("lstrip", to_strip)

    def rstrip(self, to_strip: str | None = None) -> Series:
        """Return the texts without some characters at their end.

        Parameters
        ----------
        to_strip : str, optional
            The characters to remove, in any order; white space without it.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([" a ", "bxy"]).str.rstrip("xy ").to_list()
        [' a', 'b']
        """
        return self._apply("rstrip", to_strip)

    def contains(
        self, pat: Any, case: bool = True, flags: int = 0, na: Any = None, regex: bool = True
    ) -> Series:
        """Return whether a pattern occurs in each text.

        Parameters
        ----------
        pat : str or compiled pattern
            The regular expression, or with ``regex=False`` the text.
        case : bool, default True
            Whether capitals and small letters differ; not with a compiled pattern.
        flags : int, default 0
            Flags of ``re``, as ``re.IGNORECASE``.
        na : bool, optional
            The result for missing elements; False without it.
        regex : bool, default True
            Whether ``pat`` is a regular expression.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Raises
        ------
        ValueError
            For a pattern that is no regular expression.

        Notes
        -----
        Patterns with look-around, back-references or possessive quantifiers are matched by Python's ``re``,
        element by element, here and in all other methods with a regular expression; a `PerformanceWarning`
        says where that takes long.

        Examples
        --------
        >>> import cuprum
        >>> texts = cuprum.Series(["a.b", "axb", None])
        >>> texts.str.contains("a.b")
        0     True
        1     True
        2    False
        dtype: bool
        >>> texts.str.contains("a.b", regex=False).to_list()
        [True, False, False]
        """
        if regex:
            return self._matches("contains", na, pat, case, flags)
        return self._test("contains", na, pat, None, False, [int(bool(case))])

    def match(self, pat: Any, case: Any = ..., flags: int = 0, na: Any = None) -> Series:
        """Return whether each text starts with a match of a regular expression.

        Parameters
        ----------
        pat : str or compiled pattern
            The regular expression.
        case : bool, default True
            Whether capitals and small letters differ; not with a compiled pattern.
        flags : int, default 0
            Flags of ``re``, as ``re.IGNORECASE``.
        na : bool, optional
            The result for missing elements; False without it.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Raises
        ------
        ValueError
            For a pattern that is no regular expression, and for ``case=True`` with ``re.IGNORECASE``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a1", "1a", None]).str.match("[a-z]").to_list()
        [True, False, False]
        """
        return self._matches("match", na, pat, _case_beside(flags, case), flags)

    def fullmatch(self, pat: Any, case: bool = True, flags: int = 0, na: Any = None) -> Series:
        """Return whether each whole text matches a regular expression.

        Parameters
        ----------
        pat : str or compiled pattern
            The regular expression.
        case : bool, default True
            Whether capitals and small letters differ; not with a compiled pattern.
        flags : int, default 0
            Flags of ``re``, as ``re.IGNORECASE``.
        na : bool, optional
            The result for missing elements; False without it.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Raises
        ------
        ValueError
            For a pattern that is no regular expression.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a1", "a1b", None]).str.fullmatch("[a-z][0-9]").to_list()
        [True, False, False]
        """
        return self._matches("fullmatch", na, pat, case, flags)

    def _matches(self, function: str, na: Any, pat: Any, case: bool, flags: int) -> Series:
        if not case and isinstance(pat, re.Pattern):
            raise ValueError("Cannot process `case` with a compiled pattern")
        return self._with_na(na, lambda: self._tested(function, Pattern(pat, flags), bool(case)))

    def startswith(self, pat: Any, na: Any = None) -> Series:
        """Return whether each text starts with another one.

        Parameters
        ----------
        pat : str or tuple of str
            The text, or several of which any will do; no regular expression.
        na : bool, optional
            The result for missing elements; False without it.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Raises
        ------
        TypeError
            If ``pat`` is something else.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ab", "ba", None]).str.startswith("a").to_list()
        [True, False, False]
        >>> cuprum.Series(["ab", "ba", "c"]).str.startswith(("a", "b")).to_list()
        [True, True, False]
        """
        return self._edge("startswith", pat, na)

    def endswith(self, pat: Any, na: Any = None) -> Series:
        """Return whether each text ends with another one.

        Parameters
        ----------
        pat : str or tuple of str
            The text, or several of which any will do; no regular expression.
        na : bool, optional
            The result for missing elements; False without it.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Raises
        ------
        TypeError
            If ``pat`` is something else.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ab", "ba", None]).str.endswith("b").to_list()
        [True, False, False]
        """
        return self._edge("endswith", pat, na)

    def _edge(self, function: str, pat: Any, na: Any) -> Series:
        if isinstance(pat, str):
            return self._test(function, na, pat)
        if not isinstance(pat, tuple) or not all(isinstance(one, str) for one in pat):
            raise TypeError(f"expected a string or tuple, not {type(pat).__name__}")
        result = self._test(function, na, pat[0]) if pat else self.len() < 0
        for one in pat[1:]:
            result = result | self._test(function, na, one)
        return result

    def _test(self, function: str, na: Any, pat: Any, *args: Any) -> Series:
        if not isinstance(pat, str):
            raise TypeError(f"`pat` must be a str, not {type(pat).__name__}")
        return self._with_na(na, lambda: self._apply(function, pat, *args))

    def _with_na(self, na: Any, find: Callable[[], Series]) -> Series:
        """Return truth values in which ``na``, or False, stands for missing ones."""
        if not (isinstance(na, bool) or is_no_default(na) or (is_scalar(na) and is_missing(na))):
            raise ValueError(f"na must be None, pd.NA, np.nan, True, or False; got {na!r}")
        return wrap_series(find()._handle.with_missing_truth(na is True))

    def replace(
        self,
        pat: Any,
        repl: Any = None,
        n: int = -1,
        case: bool | None = None,
        flags: int = 0,
        regex: bool = False,
    ) -> Series:
        r"""Return the texts with a text or the matches of a regular expression replaced.

        Parameters
        ----------
        pat : str, compiled pattern or dict
            The elements to replace: a text, with ``regex=True`` a regular expression; or a dict of these and what
            replaces them, one after the other.
        repl : str or callable, optional
            What replaces it. With ``regex=True`` it may name groups (``\1``) or be a function of a match of
            ``re``. Not with a dict.
        n : int, default -1
            How many matches of each text are replaced; -1 means all.
        case : bool, optional
            Whether capitals and small letters differ, as they do without it; not with a compiled pattern.
        flags : int, default 0
            Flags of ``re``, as ``re.IGNORECASE``.
        regex : bool, default False
            Whether ``pat`` is a regular expression.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Raises
        ------
        ValueError
            For a compiled pattern or a function with ``regex=False``, and for a pattern that is no regular
            expression.
        TypeError
            If ``repl`` is neither a text nor a function.

        Notes
        -----
        A function is called for every match; a `PerformanceWarning` says where that takes long.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a.b", "axb"]).str.replace("a.", "-").to_list()
        ['-b', 'axb']
        >>> cuprum.Series(["a.b", "axb"]).str.replace("a(.)", r"\1\1", regex=True).to_list()
        ['..b', 'xxb']
        >>> cuprum.Series(["foo 12"]).str.replace("[a-z]+", lambda m: m[0][::-1], regex=True).to_list()
        ['oof 12']
        """
        if isinstance(pat, re.Pattern) and not regex:
            raise ValueError("Cannot use a compiled regex as replacement pattern with regex=False")
        if isinstance(pat, dict):
            if repl is not None:
                raise ValueError("repl cannot be used when pat is a dictionary")
            result = self._series
            for old, new in pat.items():
                result = result.str.replace(old, new, n, case, flags, regex)
            return result
        if callable(repl):
            return self._replaced_by_calls(pat, repl, n, case, flags, regex)
        if not isinstance(repl, str):
            raise TypeError(f"`repl` must be a str, not {type(repl).__name__}")
        if isinstance(pat, re.Pattern) and (case is not None or flags):
            raise ValueError("case and flags cannot be set when pat is a compiled regex")
        flags = re.RegexFlag(flags) | (0 if case is None or case else re.IGNORECASE)
        if flags and not regex and isinstance(pat, str):
            # As pandas has it, what replaces may name groups then: there are none.
            if re.search(r"\\(\d|g<)", repl):
                raise ValueError(f"invalid group reference in `repl`: {repl!r}")
            pat, regex = re.escape(pat), True
        if regex:
            return self._substituted(Pattern(pat, flags), repl, n)
        if not isinstance(pat, str):
            raise TypeError(f"`pat` must be a str, not {type(pat).__name__}")
        return self._apply("replace", pat, repl, False, [n if n >= 0 else None])

    def _replaced_by_calls(
        self, pat: Any, repl: Any, n: int, case: bool | None, flags: int, regex: bool
    ) -> Series:
        """Return the texts with every match replaced by what ``repl`` returns for it."""
        if not regex:
            raise ValueError("Cannot use a callable replacement when regex=False")
        compiled = isinstance(pat, re.Pattern)
        if compiled and (case is not None or flags):
            raise ValueError("case and flags cannot be set when pat is a compiled regex")
        if not compiled:
            pat = re.compile(pat, re.RegexFlag(flags) | (0 if case is None or case else re.IGNORECASE))
        if n == 0:
            return self._series._snapshot()

        def replaced(text: str) -> str:
            return pat.sub(repl, text, max(n, 0))

        watch = Watch(repl, "match", "texts as `repl`, which may name groups, are faster")
        return self._each(watch.over, replaced, "str")

    def slice(self, start: int | None = None, stop: int | None = None, step: int | None = None) -> Series:
        """Return some characters of each text, as Python's slices do.

        ``series.str[start:stop:step]`` is the same.

        Parameters
        ----------
        start : int, optional
            The first position; negative ones count from the end.
        stop : int, optional
            The position behind the last one.
        step : int, optional
            The distance of positions; backwards if negative.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abc", "d", None]).str.slice(1, 3).to_list()
        ['bc', '', nan]
        >>> cuprum.Series(["abc"]).str[::-1].to_list()
        ['cba']
        """
        return self._apply("slice", None, None, False, [start, stop, step])

    def get(self, i: int | str) -> Series:
        """Return one character of each text.

        ``series.str[i]`` is the same.

        Parameters
        ----------
        i : int
            The position from 0; negative ones count from the end.

        Returns
        -------
        Series
            The characters; missing where a text has none at the position.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abc", "d", ""]).str.get(-1)
        0      c
        1      d
        2    NaN
        dtype: str
        """
        return self._apply("get", None, None, False, [i])

    def __getitem__(self, key: Any) -> Series:
        if isinstance(key, slice):
            return self.slice(key.start, key.stop, key.step)
        return self.get(key)

    @overload
    def split(
        self, pat: Any = ..., *, n: int = ..., expand: Literal[False] = ..., regex: bool | None = ...
    ) -> Series: ...
    @overload
    def split(
        self, pat: Any = ..., *, n: int = ..., expand: Literal[True], regex: bool | None = ...
    ) -> DataFrame: ...
    def split(self, pat: Any = None, *, n: int = -1, expand: bool = False, regex: bool | None = None) -> Any:
        """Return the parts of each text between separators.

        Parameters
        ----------
        pat : str or compiled pattern, optional
            The separator; runs of white space without it.
        n : int, default -1
            How many cuts are made from the left; -1 and 0 mean all.
        expand : bool, default False
            Whether parts are columns of a frame instead of elements of lists.
        regex : bool, optional
            Whether ``pat`` is a regular expression; without it a longer text than one character is one.

        Returns
        -------
        Series or DataFrame
            Lists of parts, missing for missing elements; with ``expand=True`` a frame, missing where a text
            has fewer parts. What groups of a regular expression match is a part, too.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a_b", "c", None]).str.split("_")
        0    [a, b]
        1       [c]
        2      None
        dtype: list<str>
        >>> cuprum.Series(["a_b", "c"]).str.split("_", expand=True)
           0    1
        0  a    b
        1  c  NaN
        """
        if isinstance(pat, re.Pattern):
            if regex is False:
                raise ValueError("Cannot use a compiled regex as replacement pattern with regex=False")
            return self._cut(Pattern(pat), n, expand)
        if regex is None:
            regex = isinstance(pat, str) and len(pat) != 1
        if regex and isinstance(pat, str) and (pat == "" or any(sign in pat for sign in _REGEX_SIGNS)):
            return self._cut(Pattern(pat), n, expand)
        return self._split(pat, n, expand, False)

    @overload
    def rsplit(
        self, pat: Any = ..., *, n: int = ..., expand: Literal[False] = ..., regex: bool | None = ...
    ) -> Series: ...
    @overload
    def rsplit(
        self, pat: Any = ..., *, n: int = ..., expand: Literal[True], regex: bool | None = ...
    ) -> DataFrame: ...
    def rsplit(self, pat: Any = None, *, n: int = -1, expand: bool = False, regex: bool | None = None) -> Any:
        """Return the parts of each text between separators, cut from the right.

        Parameters
        ----------
        pat : str or re.Pattern, optional
            The separator; runs of white space without it.
        n : int, default -1
            How many cuts are made from the right; -1 and 0 mean all.
        expand : bool, default False
            Whether parts are columns of a frame instead of elements of lists.
        regex : bool, optional
            Whether ``pat`` is a regular expression, which it is not without it.

        Returns
        -------
        Series or DataFrame
            Lists of parts, missing for missing elements; with ``expand=True`` a frame, missing where a text
            has fewer parts.

        Raises
        ------
        TypeError
            For a compiled pattern without ``regex=True``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a_b_c"]).str.rsplit("_", n=1).to_list()
        [['a_b', 'c']]
        >>> cuprum.Series(["a1b22c"]).str.rsplit("[0-9]+", n=1, regex=True).to_list()
        [['a1b', 'c']]
        """
        if regex is not None:
            check_truth("regex", regex)
        if regex and pat is not None:
            _check_expand(expand)
            return self._cut(Pattern(pat), n, expand, from_end=True)
        if isinstance(pat, re.Pattern):
            raise TypeError(f"`pat` is {pat!r}: rsplit takes regular expressions with `regex=True` alone")
        return self._split(pat, n, expand, True)

    def _split(self, pat: Any, n: int, expand: bool, reverse: bool) -> Any:
        if pat is not None and not isinstance(pat, str):
            raise TypeError(f"`pat` must be a str, not {type(pat).__name__}")
        if pat == "":
            raise ValueError("empty separator")
        limit = cuts_of(n)
        _check_expand(expand)
        if expand:
            parts = wrap_frame(self._series._handle.str_split(pat, limit, reverse))
            # Texts without any part make no column.
            of_nothing = pat is None and parts.shape[1] == 1 and not self._series.isna().any()
            return parts.iloc[:, :0] if of_nothing and len(parts) and parts[0].isna().all() else parts
        return self._apply("split_lists", pat, None, reverse, [limit])

    @overload
    def cat(
        self, others: None = ..., sep: str | None = ..., na_rep: str | None = ..., join: OrderedHow = ...
    ) -> str: ...
    @overload
    def cat(
        self, others: Any, sep: str | None = ..., na_rep: str | None = ..., join: OrderedHow = ...
    ) -> Series: ...
    def cat(
        self, others: Any = None, sep: str | None = None, na_rep: str | None = None, join: OrderedHow = "left"
    ) -> Any:
        """Return the texts joined with others, row by row, or all rows as one text.

        Parameters
        ----------
        others : Series, Index, DataFrame, list-like or list of these, optional
            What is joined to each row. Rows of a Series are matched by label, others by position.
        sep : str, optional
            The text between them; none without it.
        na_rep : str, optional
            What stands for missing elements.
        join : ``"left"``, ``"right"``, ``"outer"`` or ``"inner"``, default ``"left"``
            Which rows the result has where the labels of Series differ.

        Returns
        -------
        Series or str
            Joined texts under the row labels; a row with a missing element is missing unless there is
            ``na_rep``. Without ``others`` one text, which leaves missing elements out.

        Raises
        ------
        ValueError
            If ``others`` without labels has another length, or ``join`` is something else.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a", "b", None]).str.cat(sep="-")
        'a-b'
        >>> cuprum.Series(["a", "b"]).str.cat(["x", None], sep="-")
        0    a-x
        1    NaN
        dtype: str
        >>> others = cuprum.Series(["x", "y"], index=[1, 2])
        >>> cuprum.Series(["a", "b"]).str.cat(others, join="outer", na_rep="-")
        0    a-
        1    bx
        2    -y
        dtype: str
        """
        if join not in ("left", "right", "outer", "inner"):
            raise ValueError(f"`join` is {join!r}; known are 'left', 'right', 'outer' and 'inner'")
        handle = self._series._handle
        for name, text in (("sep", sep), ("na_rep", na_rep)):
            if text is not None:
                only_texts(**{name: text})
        if others is None:
            return handle.str_join(sep or "", na_rep)
        others = ours(others)
        if isinstance(others, objects.DataFrame):
            others = [column for _, column in others.items()]
        elif not isinstance(others, (list, tuple)) or (others and not is_list_like(others[0])):
            others = [others]
        others = [ours(other) for other in others]
        for other in others:
            if len(others) > 1 and not hasattr(other, "dtype"):
                raise TypeError(
                    "others must be Series, Index, DataFrame, np.ndarray or list-like (either containing only strings "
                    f"or containing only objects of type Series/Index/np.ndarray[1-dim]), not {type(other).__name__}s"
                )
        if join != "left":
            series, others = self._joined(others, join)
            handle = series._handle
        columns = []
        for other in others:
            if isinstance(other, objects.Series):
                columns.append(other._handle.reindex(handle.index()).column())
            else:
                column = column_from(other)
                if len(column) != len(handle):
                    raise ValueError(
                        f"`others` has {len(column)} texts for a series of {len(handle)}; lengths must match"
                    )
                columns.append(column)
        return wrap_series(handle.str_cat(columns, sep or "", na_rep))

    def _joined(self, others: list[Any], join: OrderedHow) -> tuple[Series, list[Any]]:
        """Return the texts and the others in the rows that all of them have, or one has."""
        series = self._series
        index = series._handle.index()
        labelled = [isinstance(other, objects.Series) for other in others]
        if all(other._handle.index().equals(index) for other in others if isinstance(other, objects.Series)):
            return series, others
        texts = [
            other if known else column_from(other) for other, known in zip(others, labelled, strict=True)
        ]
        if any(len(other) != len(series) for other, known in zip(texts, labelled, strict=True) if not known):
            raise ValueError("If `others` has arrays or lists, these must be as long as the series")
        rest = [
            other if known else objects.Series(other, index=series.index)
            for other, known in zip(texts, labelled, strict=True)
        ]
        beside = concat(rest, axis=1, join="inner" if join == "inner" else "outer", keys=range(len(rest)))
        rows, matched = series.to_frame("texts").align(beside, join=join, axis=0)
        return rows["texts"].rename(series.name), [column for _, column in matched.items()]

    def join(self, sep: str) -> Series:
        """Return the characters of each text with a separator between them.

        Parameters
        ----------
        sep : str
            The separator.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        See Also
        --------
        cat : Join the texts of rows.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abc", "d", None]).str.join("-")
        0    a-b-c
        1        d
        2      NaN
        dtype: str
        """
        if not isinstance(sep, str):
            raise TypeError(f"`sep` must be a str, not {type(sep).__name__}")
        if not sep:
            return self._series._snapshot()
        # The empty text is before and behind every character.
        return self._apply("replace", "", sep, False, [None]).str.slice(len(sep), -len(sep))

    def count(self, pat: Any, flags: int = 0) -> Series:
        r"""Return how often a regular expression matches in each text.

        Parameters
        ----------
        pat : str or compiled pattern
            The regular expression.
        flags : int, default 0
            Flags of ``re``, as ``re.IGNORECASE``.

        Returns
        -------
        Series
            ``int64``; missing for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a.a", "b", None]).str.count("a")
        0       2
        1       0
        2    <NA>
        dtype: int64

        A point matches any character, unless it is escaped:

        >>> cuprum.Series(["a.a"]).str.count(r"\.").to_list()
        [1]
        """
        return self._counted(Pattern(pat, flags))

    def find(self, sub: str, start: int = 0, end: int | None = None) -> Series:
        """Return the position of the first occurrence of a text in each text.

        Parameters
        ----------
        sub : str
            The text; no regular expression.
        start : int, default 0
            The first position that counts.
        end : int, optional
            The position behind the last one that counts.

        Returns
        -------
        Series
            ``int64``, -1 where ``sub`` does not occur; missing for missing elements.

        See Also
        --------
        index : Raises an error where the text does not occur.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abab", "c", None]).str.find("b")
        0       1
        1      -1
        2    <NA>
        dtype: int64
        """
        return self._apply("find", sub, None, False, [start, end]).astype("int64")

    def rfind(self, sub: str, start: int = 0, end: int | None = None) -> Series:
        """Return the position of the last occurrence of a text in each text.

        Parameters
        ----------
        sub : str
            The text; no regular expression.
        start : int, default 0
            The first position that counts.
        end : int, optional
            The position behind the last one that counts.

        Returns
        -------
        Series
            ``int64``, -1 where ``sub`` does not occur; missing for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abab", "c"]).str.rfind("b").to_list()
        [3, -1]
        """
        return self._apply("rfind", sub, None, False, [start, end]).astype("int64")

    def index(self, sub: str, start: int = 0, end: int | None = None) -> Series:
        """Return the position of the first occurrence of a text, which each text must have.

        Parameters
        ----------
        sub : str
            The text; no regular expression.
        start : int, default 0
            The first position that counts.
        end : int, optional
            The position behind the last one that counts.

        Returns
        -------
        Series
            ``int64``; missing for missing elements.

        Raises
        ------
        ValueError
            If a text has no ``sub``.

        See Also
        --------
        find : Returns -1 where the text does not occur.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abab", "b"]).str.index("b").to_list()
        [1, 0]
        """
        return self._found(self.find(sub, start, end))

    def rindex(self, sub: str, start: int = 0, end: int | None = None) -> Series:
        """Return the position of the last occurrence of a text, which each text must have.

        Parameters
        ----------
        sub : str
            The text; no regular expression.
        start : int, default 0
            The first position that counts.
        end : int, optional
            The position behind the last one that counts.

        Returns
        -------
        Series
            ``int64``; missing for missing elements.

        Raises
        ------
        ValueError
            If a text has no ``sub``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abab", "b"]).str.rindex("b").to_list()
        [3, 0]
        """
        return self._found(self.rfind(sub, start, end))

    def _found(self, positions: Series) -> Series:
        if (positions == -1).any():
            raise ValueError("substring not found")
        return positions

    def slice_replace(
        self, start: int | None = None, stop: int | None = None, repl: str | None = None
    ) -> Series:
        """Return the texts with the characters at some positions replaced.

        Parameters
        ----------
        start : int, optional
            The first position, the start without it; negative ones count from the end.
        stop : int, optional
            The position behind the last one, the end without it.
        repl : str, optional
            What replaces them; nothing without it.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abc", "d", None]).str.slice_replace(1, 2, "-")
        0    a-c
        1     d-
        2    NaN
        dtype: str
        """
        if repl is not None and not isinstance(repl, str):
            raise TypeError(f"`repl` must be a str, not {type(repl).__name__}")
        return self._apply("slice_replace", repl or "", None, False, [start, stop])

    def translate(self, table: Any) -> Series:
        """Return the texts with single characters replaced by a table.

        Parameters
        ----------
        table : dict
            What replaces each character: keys are characters or their numbers, values texts, numbers of
            characters, or None for nothing. ``str.maketrans`` makes such tables.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["abc", None]).str.translate({"a": "1", "b": None})
        0     1c
        1    NaN
        dtype: str
        """
        if not isinstance(table, Mapping):
            raise TypeError(f"`table` is {table!r}; it is a dict of characters")
        pairs = []
        for old, new in table.items():
            char = old if isinstance(old, str) else chr(old)
            pairs.append((char, "" if new is None else new if isinstance(new, str) else chr(new)))
        return wrap_series(self._series._handle.str_translate(pairs))

    def removeprefix(self, prefix: str) -> Series:
        """Return the texts without a text that they start with.

        Parameters
        ----------
        prefix : str
            The text; others stay as they are.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["no_a", "no_no_b", "c"]).str.removeprefix("no_").to_list()
        ['a', 'no_b', 'c']
        """
        return self._apply("removeprefix", prefix)

    def removesuffix(self, suffix: str) -> Series:
        """Return the texts without a text that they end with.

        Parameters
        ----------
        suffix : str
            The text; others stay as they are.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a.csv", "b.txt"]).str.removesuffix(".csv").to_list()
        ['a', 'b.txt']
        """
        return self._apply("removesuffix", suffix)

    def repeat(self, repeats: Any) -> Series:
        """Return each text several times in a row.

        Parameters
        ----------
        repeats : int or list-like of int
            How many times, for all rows or for each row. Nothing remains for 0 and less.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Raises
        ------
        ValueError
            If a list-like has another length.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a", "bc"]).str.repeat(2).to_list()
        ['aa', 'bcbc']
        >>> cuprum.Series(["a", "bc"]).str.repeat([3, 0]).to_list()
        ['aaa', '']
        """
        if is_list_like(repeats):
            counts = column_from(repeats)
            if len(counts) != len(self._series):
                raise ValueError(f"`repeats` has {len(counts)} numbers for {len(self._series)} texts")
            return wrap_series(self._series._handle.str_repeat_each(counts))
        if not isinstance(repeats, int):
            raise TypeError(f"`repeats` is {repeats!r}; it is an integer, or one for each row")
        return self._apply("repeat", None, None, False, [max(repeats, 0)])

    def pad(self, width: int, side: PadSide = "left", fillchar: str = " ") -> Series:
        """Return the texts filled up to a number of characters.

        Parameters
        ----------
        width : int
            The number of characters up to which a text is filled; longer texts stay as they are.
        side : ``"left"``, ``"right"`` or ``"both"``, default ``"left"``
            The side on which characters are added.
        fillchar : str, default ``" "``
            The character that fills.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a", "bcde", None]).str.pad(3, fillchar="-")
        0     --a
        1    bcde
        2     NaN
        dtype: str
        """
        return self._apply("pad", fillchar, side, False, [max(integer_of("width", width), 0)])

    def ljust(self, width: int, fillchar: str = " ") -> Series:
        """Return the texts filled up to a number of characters at their end.

        Parameters
        ----------
        width : int
            The number of characters up to which a text is filled; longer texts stay as they are.
        fillchar : str, default ``" "``
            The character that fills.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a", "bcde"]).str.ljust(3, "-").to_list()
        ['a--', 'bcde']
        """
        return self.pad(width, "right", fillchar)

    def rjust(self, width: int, fillchar: str = " ") -> Series:
        """Return the texts filled up to a number of characters at their start.

        Parameters
        ----------
        width : int
            The number of characters up to which a text is filled; longer texts stay as they are.
        fillchar : str, default ``" "``
            The character that fills.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a", "bcde"]).str.rjust(3, "-").to_list()
        ['--a', 'bcde']
        """
        return self.pad(width, "left", fillchar)

    def center(self, width: int, fillchar: str = " ") -> Series:
        """Return the texts filled up to a number of characters at both ends.

        Parameters
        ----------
        width : int
            The number of characters up to which a text is filled; longer texts stay as they are.
        fillchar : str, default ``" "``
            The character that fills.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a", "bcde"]).str.center(3, "-").to_list()
        ['-a-', 'bcde']
        """
        return self.pad(width, "both", fillchar)

    def zfill(self, width: int) -> Series:
        """Return the texts filled up to a number of characters with zeros after their sign.

        Parameters
        ----------
        width : int
            The number of characters up to which a text is filled; longer texts stay as they are.

        Returns
        -------
        Series
            The texts, under the same row labels; missing elements stay missing.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["7", "-7", "1234"]).str.zfill(3).to_list()
        ['007', '-07', '1234']
        """
        return self._apply("zfill", None, None, False, [max(integer_of("width", width), 0)])

    @overload
    def partition(self, sep: str = ..., expand: Literal[True] = ...) -> DataFrame: ...
    @overload
    def partition(self, sep: str = ..., *, expand: Literal[False]) -> Series: ...
    def partition(self, sep: str = " ", expand: bool = True) -> Any:
        """Return the parts of each text before, of and after the first separator.

        Parameters
        ----------
        sep : str, default ``" "``
            The separator; no regular expression.
        expand : bool, default True
            Whether parts are three columns of a frame instead of lists.

        Returns
        -------
        DataFrame or Series
            The parts; a text without the separator has itself and two empty parts. Missing for missing
            elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a_b_c", "d_"]).str.partition("_")[0]
        0    a
        1    d
        Name: 0, dtype: str
        >>> cuprum.Series(["a_b_c", "d"]).str.partition("_").loc[1].to_list()
        ['d', '', '']
        >>> cuprum.Series(["a_b_c"]).str.partition("_", expand=False).to_list()
        [['a', '_', 'b_c']]
        """
        return self._partition(sep, expand, False)

    @overload
    def rpartition(self, sep: str = ..., expand: Literal[True] = ...) -> DataFrame: ...
    @overload
    def rpartition(self, sep: str = ..., *, expand: Literal[False]) -> Series: ...
    def rpartition(self, sep: str = " ", expand: bool = True) -> Any:
        """Return the parts of each text before, of and after the last separator.

        Parameters
        ----------
        sep : str, default ``" "``
            The separator; no regular expression.
        expand : bool, default True
            Whether parts are three columns of a frame instead of lists.

        Returns
        -------
        DataFrame or Series
            The parts; a text without the separator has two empty parts and itself. Missing for missing
            elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a_b_c", "d"]).str.rpartition("_")
             0  1  2
        0  a_b  _  c
        1          d
        """
        return self._partition(sep, expand, True)

    def _partition(self, sep: str, expand: bool, reverse: bool) -> Any:
        only_texts(sep=sep)
        if expand:
            parts = wrap_frame(self._series._handle.str_partition(sep, reverse))
            # As in pandas: as many columns as the longest list of parts has, and one of missing elements.
            if not self._series.count():
                return parts.iloc[:, : min(len(parts), 1)]
            return parts
        return self._apply("partition_lists", sep, None, reverse)

    def findall(self, pat: Any, flags: int = 0) -> Series:
        """Return all matches of a regular expression in each text as lists.

        Parameters
        ----------
        pat : str or compiled pattern
            The regular expression. It has one group at most for lists of texts; the matches of several are
            tuples, whose Series is of objects.
        flags : int, default 0
            Flags of ``re``, as ``re.IGNORECASE``.

        Returns
        -------
        Series
            Lists of matches, or of what the group matches; empty without a match, missing for missing
            elements.

        See Also
        --------
        extractall : The groups of all matches as columns.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a1b22", "c", None]).str.findall("[0-9]+")
        0    [1, 22]
        1         []
        2       None
        dtype: list<str>
        >>> cuprum.Series(["a1b22"]).str.findall("([a-z])[0-9]").to_list()
        [['a', 'b']]
        """
        return self._found_in(Pattern(pat, flags))

    def get_json_object(
        self,
        json_path: str,
        *,
        allow_single_quotes: bool = False,
        strip_quotes_from_single_strings: bool = True,
        missing_fields_as_nulls: bool = False,
    ) -> Series:
        """Return the part of each JSON text under a path, as it is written there.

        Parameters
        ----------
        json_path : str
            A JSONPath of ``$``, ``.name``, ``['name']``, ``[0]`` and ``[*]``, which makes an array.
        allow_single_quotes : bool, default False
            Whether strings may stand in single quotes, too.
        strip_quotes_from_single_strings : bool, default True
            Whether a result that is one string has no quotes around it.
        missing_fields_as_nulls : bool, default False
            Whether an object without the wanted field gives ``null`` instead of nothing.

        Returns
        -------
        Series
            Texts; missing where the path names nothing, and for missing elements.

        Raises
        ------
        ValueError
            For another path.

        Notes
        -----
        cuDF has this method, pandas has not.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(['{"a": [{"b": 1}, {"b": 2}]}', "{}"]).str.get_json_object("$.a[*].b")
        0    [1,2]
        1      NaN
        dtype: str
        """
        if not isinstance(json_path, str):
            raise TypeError(f"`json_path` must be a str, not {type(json_path).__name__}")
        options = (allow_single_quotes, strip_quotes_from_single_strings, missing_fields_as_nulls)
        return self._apply("get_json_object", json_path, None, False, [int(bool(each)) for each in options])

    def extractall(self, pat: Any, flags: int = 0) -> DataFrame:
        """Return the groups of all matches of a regular expression, a row for each match.

        Parameters
        ----------
        pat : str or compiled pattern
            The regular expression. It has a group.
        flags : int, default 0
            Flags of ``re``, as ``re.IGNORECASE``.

        Returns
        -------
        DataFrame
            A column for each group, called by its name or number; missing where a group is empty. Rows are
            labelled by the label of the text and the number of the match in it, a level called ``match``.

        Raises
        ------
        ValueError
            If the pattern has no group.

        See Also
        --------
        extract : The groups of the first match.

        Examples
        --------
        >>> import cuprum
        >>> matches = cuprum.Series(["a1b2", "c"], index=["x", "y"]).str.extractall("([ab])([0-9])")
        >>> matches.index.to_list(), matches[0].to_list(), matches[1].to_list()
        ([('x', 0), ('x', 1)], ['a', 'b'], ['1', '2'])
        """
        found, rows, numbers = self._groups_of_all(Pattern(pat, flags))
        labels = self._series._handle.index().take(rows)
        columns = [labels.column(level) for level in range(labels.nlevels())]
        index = _cuprum.Index.from_columns([*columns, numbers], [*labels.names(), "match"])
        # Of groups that match nothing pandas does not tell those that take no part.
        return found.where(found != "").set_axis(objects.wrap_index(index))

    @overload
    def extract(self, pat: Any, flags: int = ..., expand: Literal[True] = ...) -> DataFrame: ...
    @overload
    def extract(self, pat: Any, flags: int = ..., *, expand: Literal[False]) -> Series | DataFrame: ...
    def extract(self, pat: Any, flags: int = 0, expand: bool = True) -> Any:
        """Return the groups of the first match of a regular expression in each text.

        Parameters
        ----------
        pat : str or compiled pattern
            The regular expression. It has a group.
        flags : int, default 0
            Flags of ``re``, as ``re.IGNORECASE``.
        expand : bool, default True
            Whether a single group gives a frame, too, instead of a Series.

        Returns
        -------
        DataFrame or Series
            A column for each group, called by its name or number; missing without a match.

        Raises
        ------
        ValueError
            If the pattern has no group.

        See Also
        --------
        extractall : The groups of all matches.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a1", "b2", "c"]).str.extract("(?P<letter>[ab])([0-9])")
          letter    1
        0      a    1
        1      b    2
        2    NaN  NaN
        >>> cuprum.Series(["a1", "c"]).str.extract("([0-9])", expand=False).to_list()
        ['1', nan]
        """
        _check_expand(expand)
        table = self._groups_of_first(Pattern(pat, flags))
        if expand or table.shape[1] != 1:
            return table
        only = table.squeeze(axis=1)
        return only if isinstance(only.name, str) else only.rename(self._series.name)

    def _flag(self, function: str) -> Series:
        return self._apply(function).fillna(False)

    def isalpha(self) -> Series:
        """Return whether each text has letters alone, at least one.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ab", "a1", "", None]).str.isalpha().to_list()
        [True, False, False, False]
        """
        return self._flag("isalpha")

    def isdigit(self) -> Series:
        """Return whether each text has digits alone, at least one.

        Superscripts and other digits are among them; see `isdecimal`.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["12", "²", "1.2", None]).str.isdigit().to_list()
        [True, True, False, False]
        """
        return self._flag("isdigit")

    def isalnum(self) -> Series:
        """Return whether each text has letters and numbers alone, at least one.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["a1", "a 1", "", None]).str.isalnum().to_list()
        [True, False, False, False]
        """
        return self._flag("isalnum")

    def isdecimal(self) -> Series:
        """Return whether each text has decimal digits alone, at least one.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["12", "²", "1.2", None]).str.isdecimal().to_list()
        [True, False, False, False]
        """
        return self._flag("isdecimal")

    def isnumeric(self) -> Series:
        """Return whether each text has characters with a numeric value alone, at least one.

        Fractions are among them; see `isdigit` and `isdecimal`.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["12", "½", "-1", None]).str.isnumeric().to_list()
        [True, True, False, False]
        """
        return self._flag("isnumeric")

    def isspace(self) -> Series:
        """Return whether each text has white space alone, at least one character.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([" ", "a ", "", None]).str.isspace().to_list()
        [True, False, False, False]
        """
        return self._flag("isspace")

    def isascii(self) -> Series:
        """Return whether each text has characters of ASCII alone.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ab", "ä", "", None]).str.isascii().to_list()
        [True, False, True, False]
        """
        return self._flag("isascii")

    def isupper(self) -> Series:
        """Return whether the letters of each text are capitals, at least one.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["AB 1", "Ab", "1", None]).str.isupper().to_list()
        [True, False, False, False]
        """
        return self._flag("isupper")

    def islower(self) -> Series:
        """Return whether the letters of each text are small ones, at least one.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["ab 1", "Ab", "1", None]).str.islower().to_list()
        [True, False, False, False]
        """
        return self._flag("islower")

    def istitle(self) -> Series:
        """Return whether each word of each text starts with a capital and goes on with small letters.

        Returns
        -------
        Series
            Booleans under the same row labels; False for missing elements.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["Ab Cd", "Ab cd", "1", None]).str.istitle().to_list()
        [True, False, False, False]
        """
        return self._flag("istitle")

    def __call__(self, *args: Any) -> None:
        """Fail: the accessor is no function."""
        raise TypeError("'StringMethods' object is not callable; use astype(str) to make texts")


def _case_beside(flags: int, case: Any) -> bool:
    """Return whether letters are told from small ones, which flags must not deny if it is said."""
    if case is not ... and case and flags & re.IGNORECASE:
        raise ValueError("Cannot both specify case=True and pass 'flags' containing re.IGNORECASE")
    return case is ... or bool(case)


def _check_expand(expand: Any) -> None:
    if not isinstance(expand, bool):
        raise ValueError(f"expand must be True or False, not {expand!r}")
