"""``Series.str``: functions of text. Missing elements stay missing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.accessors.accessor import Accessor
from cuprum.core.accessors.string_forms import StringForms
from cuprum.core.accessors.string_patterns import StringPatterns
from cuprum.core.accessors.string_tokens import StringTokens
from cuprum.core.arguments import check_truth, is_list_like, is_no_default, is_scalar, only_texts
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
        return wrap_series(self._series._handle.str_apply(function, *args))

    def len(self) -> Series:
        """Return the number of characters.

        Examples
        --------
        >>> from cuprum import Series
        >>> Series(["ab", "ä", None]).str.len()
        0       2
        1       1
        2    <NA>
        dtype: int64
        """
        return self._apply("len").astype("int64")

    def byte_count(self) -> Series:
        """Return the number of bytes in UTF-8."""
        return self._apply("byte_count")

    def upper(self) -> Series:
        """Return the text in capitals."""
        return self._apply("upper")

    def lower(self) -> Series:
        """Return the text in small letters."""
        return self._apply("lower")

    def title(self) -> Series:
        """Return every word with a capital first letter and small ones after it."""
        return self._apply("title")

    def capitalize(self) -> Series:
        """Return the text with a capital first letter and small ones after it."""
        return self._apply("capitalize")

    def swapcase(self) -> Series:
        """Return capitals as small letters and small letters as capitals."""
        return self._apply("swapcase")

    def strip(self, to_strip: str | None = None) -> Series:
        """Return the text without white space, or any of the characters ``to_strip``, at both ends."""
        return self._apply("strip", to_strip)

    def lstrip(self, to_strip: str | None = None) -> Series:
        """Return the text without white space, or any of the characters ``to_strip``, at its start."""
        return self._apply("lstrip", to_strip)

    def rstrip(self, to_strip: str | None = None) -> Series:
        """Return the text without white space, or any of the characters ``to_strip``, at its end."""
        return self._apply("rstrip", to_strip)

    def contains(
        self, pat: Any, case: bool = True, flags: int = 0, na: Any = None, regex: bool = True
    ) -> Series:
        """Return whether ``pat``, a regular expression unless ``regex`` is False, occurs.

        It may be a compiled one; ``flags`` are those of ``re``. Missing elements are False, or ``na``.
        ``ValueError`` for a pattern that is none.

        Patterns with look-around, back-references or possessive quantifiers are matched by Python's ``re``, element by
        element, here and wherever else there is a regular expression; a `PerformanceWarning` says where that takes
        long.
        """
        if regex:
            return self._matches("contains", na, pat, case, flags)
        return self._test("contains", na, pat, None, False, [int(bool(case))])

    def match(self, pat: Any, case: Any = ..., flags: int = 0, na: Any = None) -> Series:
        """Return whether the text starts with a match of the regular expression ``pat``; see `contains`."""
        return self._matches("match", na, pat, _case_beside(flags, case), flags)

    def fullmatch(self, pat: Any, case: bool = True, flags: int = 0, na: Any = None) -> Series:
        """Return whether the whole text matches the regular expression ``pat``; see `contains`."""
        return self._matches("fullmatch", na, pat, case, flags)

    def _matches(self, function: str, na: Any, pat: Any, case: bool, flags: int) -> Series:
        if not case and isinstance(pat, re.Pattern):
            raise ValueError("Cannot process `case` with a compiled pattern")
        return self._with_na(na, lambda: self._tested(function, Pattern(pat, flags), bool(case)))

    def startswith(self, pat: Any, na: Any = None) -> Series:
        """Return whether the text starts with ``pat``, or with one of a tuple of them."""
        return self._edge("startswith", pat, na)

    def endswith(self, pat: Any, na: Any = None) -> Series:
        """Return whether the text ends with ``pat``, or with one of a tuple of them."""
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
        found = find()
        if found._handle.column().null_count() == 0:
            return found
        return found.fillna(na is True)

    def replace(
        self,
        pat: Any,
        repl: Any = None,
        n: int = -1,
        case: bool | None = None,
        flags: int = 0,
        regex: bool = False,
    ) -> Series:
        """Return the text with ``pat`` replaced by ``repl``, ``n`` times at most (-1: everywhere).

        With ``regex`` the pattern is a regular expression, which may be compiled, ``flags`` are those of ``re``, and
        ``repl`` may name its groups ``\\1``. With ``case=False`` capitals and small letters are the same.
        ``pat`` may be a dict of texts and what replaces them, one after the other. ``repl`` may be a function of a
        match as Python's ``re`` has it, whose expressions are taken then; it is called for every match, with a
        `PerformanceWarning` where that takes long.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series(["foo 12"]).str.replace(r"[a-z]+", lambda m: m[0][::-1], regex=True).to_list()
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
        """Return the characters ``start:stop:step``, as Python's slices."""
        return self._apply("slice", None, None, False, [start, stop, step])

    def get(self, i: int | str) -> Series:
        """Return character ``i``, negative ones from the end; missing where there is none."""
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
        """Return the parts between ``pat`` (white space, without it) as lists; with ``expand`` as columns.

        A ``pat`` of one character is text, a longer one a regular expression, which may be compiled; ``regex`` says
        otherwise. What groups in it match is a part, too. ``n`` bounds the number of cuts (-1 and 0: no bound). Columns are missing where there
        are fewer parts.

        Examples
        --------
        >>> from cuprum import Series
        >>> Series(["a_b", "c", None]).str.split("_")
        0    [a, b]
        1       [c]
        2      None
        dtype: list<str>
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
        """Return the parts as `split` does, with the cuts made from the right.

        ``pat`` is text, with ``regex=True`` a regular expression.

        Examples
        --------
        >>> from cuprum import Series
        >>> Series(["a1b22c"]).str.rsplit("[0-9]+", n=1, regex=True).to_list()
        [['a1b', 'c']]
        """
        if regex is not None:
            check_truth("regex", regex)
        if regex and pat is not None:
            _check_expand(expand)
            return self._cut(Pattern(pat), n, expand, from_end=True)
        return self._split(pat, n, expand, True)

    def _split(self, pat: Any, n: int, expand: bool, reverse: bool) -> Any:
        if pat is not None and not isinstance(pat, str):
            raise TypeError(f"`pat` must be a str, not {type(pat).__name__}")
        if pat == "":
            raise ValueError("empty separator")
        limit = n if n is not None and n > 0 else None
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
        """Return the texts of the rows joined with those of ``others``; without these all rows as one text.

        Rows of a Series are matched by label: ``join`` says which there are (``'left'``, ``'right'``, ``'outer'`` or
        ``'inner'``) where their labels differ. A row with a missing text is missing, unless ``na_rep`` stands for it;
        all rows as one text leave missing ones out.

        Examples
        --------
        >>> from cuprum import Series
        >>> Series(["a", "b"]).str.cat(Series(["x", "y"], index=[1, 2]), join="outer", na_rep="-")
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
        """Return the characters of every text with ``sep`` between them."""
        if not isinstance(sep, str):
            raise TypeError(f"`sep` must be a str, not {type(sep).__name__}")
        if not sep:
            return self._series._snapshot()
        # The empty text is before and behind every character.
        return self._apply("replace", "", sep, False, [None]).str.slice(len(sep), -len(sep))

    def count(self, pat: Any, flags: int = 0) -> Series:
        """Return how often the regular expression ``pat`` occurs; ``flags`` are those of ``re``."""
        return self._counted(Pattern(pat, flags))

    def find(self, sub: str, start: int = 0, end: int | None = None) -> Series:
        """Return the position of the first ``sub`` in the characters ``start:end``; -1 where it is not."""
        return self._apply("find", sub, None, False, [start, end]).astype("int64")

    def rfind(self, sub: str, start: int = 0, end: int | None = None) -> Series:
        """Return the position of the last ``sub`` in the characters ``start:end``; -1 where it is not."""
        return self._apply("rfind", sub, None, False, [start, end]).astype("int64")

    def index(self, sub: str, start: int = 0, end: int | None = None) -> Series:
        """Return what `find` does; ``ValueError`` where a text has no ``sub``."""
        return self._found(self.find(sub, start, end))

    def rindex(self, sub: str, start: int = 0, end: int | None = None) -> Series:
        """Return what `rfind` does; ``ValueError`` where a text has no ``sub``."""
        return self._found(self.rfind(sub, start, end))

    def _found(self, positions: Series) -> Series:
        if (positions == -1).any():
            raise ValueError("substring not found")
        return positions

    def slice_replace(
        self, start: int | None = None, stop: int | None = None, repl: str | None = None
    ) -> Series:
        """Return the text with the characters ``start:stop`` replaced by ``repl``, by nothing without it."""
        if repl is not None and not isinstance(repl, str):
            raise TypeError(f"`repl` must be a str, not {type(repl).__name__}")
        return self._apply("slice_replace", repl or "", None, False, [start, stop])

    def translate(self, table: Any) -> Series:
        """Return the text with characters replaced as a mapping says, which ``str.maketrans`` makes.

        It has characters or their numbers, each with a text, the number of a character, or None for nothing.
        """
        pairs = []
        for old, new in table.items():
            char = old if isinstance(old, str) else chr(old)
            pairs.append((char, "" if new is None else new if isinstance(new, str) else chr(new)))
        return wrap_series(self._series._handle.str_translate(pairs))

    def removeprefix(self, prefix: str) -> Series:
        """Return the text without ``prefix``, where it starts with it."""
        return self._apply("removeprefix", prefix)

    def removesuffix(self, suffix: str) -> Series:
        """Return the text without ``suffix``, where it ends with it."""
        return self._apply("removesuffix", suffix)

    def repeat(self, repeats: Any) -> Series:
        """Return the text ``repeats`` times; a list-like says it for each row."""
        if is_list_like(repeats):
            counts = column_from(repeats)
            if len(counts) != len(self._series):
                raise ValueError(f"`repeats` has {len(counts)} numbers for {len(self._series)} texts")
            return wrap_series(self._series._handle.str_repeat_each(counts))
        if not isinstance(repeats, int):
            raise TypeError(f"`repeats` is {repeats!r}; it is an integer, or one for each row")
        return self._apply("repeat", None, None, False, [max(repeats, 0)])

    def pad(self, width: int, side: PadSide = "left", fillchar: str = " ") -> Series:
        """Return the text filled up to ``width`` characters at ``'left'``, ``'right'`` or ``'both'`` sides."""
        return self._apply("pad", fillchar, side, False, [max(width, 0)])

    def ljust(self, width: int, fillchar: str = " ") -> Series:
        """Return the text filled up to ``width`` characters at its end."""
        return self.pad(width, "right", fillchar)

    def rjust(self, width: int, fillchar: str = " ") -> Series:
        """Return the text filled up to ``width`` characters at its start."""
        return self.pad(width, "left", fillchar)

    def center(self, width: int, fillchar: str = " ") -> Series:
        """Return the text filled up to ``width`` characters at both ends."""
        return self.pad(width, "both", fillchar)

    def zfill(self, width: int) -> Series:
        """Return the text filled up to ``width`` characters with zeros after its sign."""
        return self._apply("zfill", None, None, False, [max(width, 0)])

    @overload
    def partition(self, sep: str = ..., expand: Literal[True] = ...) -> DataFrame: ...
    @overload
    def partition(self, sep: str = ..., *, expand: Literal[False]) -> Series: ...
    def partition(self, sep: str = " ", expand: bool = True) -> Any:
        """Return the parts before, of and after the first ``sep`` as three columns, or as lists."""
        return self._partition(sep, expand, False)

    @overload
    def rpartition(self, sep: str = ..., expand: Literal[True] = ...) -> DataFrame: ...
    @overload
    def rpartition(self, sep: str = ..., *, expand: Literal[False]) -> Series: ...
    def rpartition(self, sep: str = " ", expand: bool = True) -> Any:
        """Return the parts before, of and after the last ``sep`` as three columns, or as lists."""
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
        """Return lists of what a regular expression matches: what its group has, the whole match without groups.

        ``flags`` are those of ``re``. More than one group is refused: see `extractall`.

        Examples
        --------
        >>> from cuprum import Series
        >>> Series(["a1b22", "c"]).str.findall("[0-9]+")
        0    [1, 22]
        1         []
        dtype: list<str>
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
        """Return what a path names in each text of JSON, as it is written there; missing where it names nothing.

        Parameters
        ----------
        json_path
            A JSONPath of ``$``, ``.name``, ``['name']``, ``[0]`` and ``[*]``, which makes an array; ``ValueError`` for
            another.
        allow_single_quotes
            Whether strings may stand in single quotes, too.
        strip_quotes_from_single_strings
            Whether a result that is one string has no quotes around it.
        missing_fields_as_nulls
            Whether an object without the wanted field has ``null`` in its place, rather than nothing.

        Examples
        --------
        >>> from cuprum import Series
        >>> Series(['{"a": [{"b": 1}, {"b": 2}]}', "{}"]).str.get_json_object("$.a[*].b")
        0    [1,2]
        1      NaN
        dtype: str
        """
        if not isinstance(json_path, str):
            raise TypeError(f"`json_path` must be a str, not {type(json_path).__name__}")
        options = (allow_single_quotes, strip_quotes_from_single_strings, missing_fields_as_nulls)
        return self._apply("get_json_object", json_path, None, False, [int(bool(each)) for each in options])

    def extractall(self, pat: Any, flags: int = 0) -> DataFrame:
        """Return the groups of all matches of a regular expression as columns, a row for each match.

        Rows are labelled by that of the text and the number of the match in it; empty groups are missing.
        ``flags`` are those of ``re``.

        Examples
        --------
        >>> from cuprum import Series
        >>> matches = Series(["a1b2", "c"], index=["x", "y"]).str.extractall("([ab])([0-9])")
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
        """Return the groups of the first match of a regular expression as columns, missing without a match.

        One group is a Series with ``expand=False``. ``flags`` are those of ``re``.
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
        """Return whether all characters are letters, and there is one."""
        return self._flag("isalpha")

    def isdigit(self) -> Series:
        """Return whether all characters are digits, and there is one."""
        return self._flag("isdigit")

    def isalnum(self) -> Series:
        """Return whether all characters are letters or numbers, and there is one."""
        return self._flag("isalnum")

    def isdecimal(self) -> Series:
        """Return whether all characters are decimal digits, and there is one."""
        return self._flag("isdecimal")

    def isnumeric(self) -> Series:
        """Return whether all characters have a numeric value, and there is one."""
        return self._flag("isnumeric")

    def isspace(self) -> Series:
        """Return whether all characters are white space, and there is one."""
        return self._flag("isspace")

    def isascii(self) -> Series:
        """Return whether all characters are ASCII."""
        return self._flag("isascii")

    def isupper(self) -> Series:
        """Return whether all letters are capitals, and there is one."""
        return self._flag("isupper")

    def islower(self) -> Series:
        """Return whether all letters are small, and there is one."""
        return self._flag("islower")

    def istitle(self) -> Series:
        """Return whether every word starts with a capital and goes on with small letters."""
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
