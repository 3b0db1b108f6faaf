"""``Series.str`` and ``Series.dt``: functions of text and of times. Missing elements stay missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.arguments import is_list_like, only_default
from cuprum.construction import column_from
from cuprum.core.zones import zone_name
from cuprum.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.dataframe import DataFrame
    from cuprum.series import Series

__all__ = ["DatetimeProperties", "StringMethods"]

# What is not itself in a regular expression.
_REGEX_SIGNS = frozenset(r".^$*+?{}[]\|()")


class StringMethods:
    """Functions of text; made by ``series.str``.

    Positions and lengths are in characters (Unicode code points), as in Python.
    """

    __slots__ = ("_series",)

    def __init__(self, series: Series) -> None:
        if series._handle.dtype().kind != "O":
            raise AttributeError("Can only use .str accessor with string values")
        self._series = series

    def _apply(self, function: str, *args: Any) -> Series:
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
        self, pat: str, case: bool = True, flags: int = 0, na: Any = None, regex: bool = True
    ) -> Series:
        """Return whether ``pat``, a regular expression unless ``regex`` is False, occurs.

        Missing elements are False, or ``na``. ``ValueError`` for a pattern that is none.
        """
        only_default("contains", flags=(flags, 0))
        return self._test("contains", na, pat, None, bool(regex), [int(bool(case))])

    def match(self, pat: str, case: bool = True, flags: int = 0, na: Any = None) -> Series:
        """Return whether the text starts with a match of the regular expression ``pat``."""
        only_default("match", flags=(flags, 0))
        return self._test("match", na, pat, None, True, [int(bool(case))])

    def fullmatch(self, pat: str, case: bool = True, flags: int = 0, na: Any = None) -> Series:
        """Return whether the whole text matches the regular expression ``pat``."""
        only_default("fullmatch", flags=(flags, 0))
        return self._test("fullmatch", na, pat, None, True, [int(bool(case))])

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
        found = self._apply(function, pat, *args)
        if found._handle.column().null_count() == 0:
            return found
        return found.fillna(bool(na) if na is not None and na == na else False)

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

        With ``regex`` the pattern is a regular expression and ``repl`` may name its groups ``\\1``.
        ``pat`` may be a dict of texts and what replaces them, one after the other.
        """
        only_default("replace", case=(case, None), flags=(flags, 0))
        if isinstance(pat, dict):
            result = self._series
            for old, new in pat.items():
                result = result.str.replace(old, new, n, regex=regex)
            return result
        if callable(repl):
            raise NotImplementedError("replace does not call a function for every match: give a text")
        if not isinstance(pat, str) or not isinstance(repl, str):
            raise TypeError("`pat` and `repl` must be str")
        return self._apply("replace", pat, repl, bool(regex), [n if n >= 0 else None])

    def slice(self, start: int | None = None, stop: int | None = None, step: int | None = None) -> Series:
        """Return the characters ``start:stop:step``, as Python's slices."""
        return self._apply("slice", None, None, False, [start, stop, step])

    def get(self, i: int) -> Series:
        """Return character ``i``, negative ones from the end; missing where there is none."""
        return self._apply("get", None, None, False, [i])

    def __getitem__(self, key: Any) -> Series:
        if isinstance(key, slice):
            return self.slice(key.start, key.stop, key.step)
        return self.get(key)

    def split(
        self, pat: str | None = None, *, n: int = -1, expand: bool = False, regex: bool | None = None
    ) -> DataFrame:
        """Return the parts between ``pat`` (white space, without it) as columns, missing where there are fewer.

        A ``pat`` of one character is text, a longer one a regular expression without groups; ``regex`` says
        otherwise.

        ``n`` bounds the number of cuts. ``expand=False`` would make lists, which columns cannot hold
        yet: ``NotImplementedError``.
        """
        return self._split("split", pat, n, expand, regex, False)

    def rsplit(self, pat: str | None = None, *, n: int = -1, expand: bool = False) -> DataFrame:
        """Return the parts as `split` does, with the cuts made from the right."""
        return self._split("rsplit", pat, n, expand, False, True)

    def _split(self, function: str, pat: Any, n: int, expand: bool, regex: Any, reverse: bool) -> DataFrame:
        if not expand:
            raise NotImplementedError(
                f"{function} with `expand`=False needs list columns, which do not exist yet: use expand=True"
            )
        if pat is not None and not isinstance(pat, str):
            raise TypeError(f"`pat` must be a str, not {type(pat).__name__}")
        if regex is None:
            regex = pat is not None and len(pat) > 1
        limit = n if n is not None and n > 0 else None
        handle = self._series._handle
        if regex and pat and any(sign in pat for sign in _REGEX_SIGNS):
            if "(" in pat.replace("\\(", "").replace("(?:", ""):
                raise NotImplementedError(f"{function} does not support groups in `pat`: {pat!r}")
            cut = self._absent()
            handle, pat = self._apply("replace", pat, cut, True, [limit])._handle, cut
        return wrap_frame(handle.str_split(pat or None, limit, reverse))

    def _absent(self) -> str:
        """Return a character that none of the texts has."""
        private = map(chr, range(0xE000, 0xF8FF))
        return next(
            char for char in private if not self._test("contains", None, char, None, False, [1]).any()
        )

    def cat(
        self, others: Any = None, sep: str | None = None, na_rep: str | None = None, join: str = "left"
    ) -> Any:
        """Return the texts of the rows joined with those of ``others``; without these all rows as one text.

        Rows of a Series are matched by label. A row with a missing text is missing, unless ``na_rep``
        stands for it; all rows as one text leave missing ones out.
        """
        only_default("cat", join=(join, "left"))
        handle = self._series._handle
        if others is None:
            return handle.str_join(sep or "", na_rep)
        from cuprum.objects import DataFrame, Series

        if isinstance(others, DataFrame):
            others = [column for _, column in others.items()]
        elif not isinstance(others, (list, tuple)) or (others and not is_list_like(others[0])):
            others = [others]
        columns = []
        for other in others:
            if isinstance(other, Series):
                columns.append(other._handle.reindex(handle.index()).column())
            else:
                column = column_from(other)
                if len(column) != len(handle):
                    raise ValueError(
                        f"`others` has {len(column)} texts for a series of {len(handle)}; lengths must match"
                    )
                columns.append(column)
        return wrap_series(handle.str_cat(columns, sep or "", na_rep))

    def join(self, sep: str) -> Series:
        """Return the characters of every text with ``sep`` between them."""
        if not isinstance(sep, str):
            raise TypeError(f"`sep` must be a str, not {type(sep).__name__}")
        if not sep:
            return self._series._snapshot()
        spaced = self._apply("replace", "(?s)(.)", r"\1" + sep.replace("\\", r"\\"), True, [None])
        return spaced.str.slice(0, -len(sep))

    def count(self, pat: str, flags: int = 0) -> Series:
        """Return how often the regular expression ``pat`` occurs."""
        only_default("count", flags=(flags, 0))
        return self._apply("count", pat, None, True).astype("int64")

    def find(self, sub: str, start: int = 0, end: int | None = None) -> Series:
        """Return the position of the first ``sub`` in the characters ``start:end``; -1 where it is not."""
        return self._apply("find", sub, None, False, [start, end]).astype("int64")

    def rfind(self, sub: str, start: int = 0, end: int | None = None) -> Series:
        """Return the position of the last ``sub`` in the characters ``start:end``; -1 where it is not."""
        return self._apply("rfind", sub, None, False, [start, end]).astype("int64")

    def removeprefix(self, prefix: str) -> Series:
        """Return the text without ``prefix``, where it starts with it."""
        return self._apply("removeprefix", prefix)

    def removesuffix(self, suffix: str) -> Series:
        """Return the text without ``suffix``, where it ends with it."""
        return self._apply("removesuffix", suffix)

    def repeat(self, repeats: int) -> Series:
        """Return the text ``repeats`` times."""
        if not isinstance(repeats, int):
            raise NotImplementedError("repeat takes one number for all rows")
        return self._apply("repeat", None, None, False, [max(repeats, 0)])

    def pad(self, width: int, side: str = "left", fillchar: str = " ") -> Series:
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

    def partition(self, sep: str = " ", expand: bool = True) -> DataFrame:
        """Return the parts before, of and after the first ``sep`` as three columns."""
        only_default("partition", expand=(expand, True))
        return wrap_frame(self._series._handle.str_partition(sep, False))

    def rpartition(self, sep: str = " ", expand: bool = True) -> DataFrame:
        """Return the parts before, of and after the last ``sep`` as three columns."""
        only_default("rpartition", expand=(expand, True))
        return wrap_frame(self._series._handle.str_partition(sep, True))

    def extract(self, pat: str, flags: int = 0, expand: bool = True) -> Any:
        """Return the groups of the first match of a regular expression as columns, missing without a match.

        One group is a Series with ``expand=False``.
        """
        only_default("extract", flags=(flags, 0))
        table = wrap_frame(self._series._handle.str_extract(pat, True))
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


class DatetimeProperties:
    """Parts and functions of times; made by ``series.dt``."""

    __slots__ = ("_series",)

    def __init__(self, series: Series) -> None:
        if series._handle.dtype().kind != "M":
            raise AttributeError("Can only use .dt accessor with datetimelike values")
        self._series = series

    def _component(self, name: str) -> Series:
        return wrap_series(self._series._handle.dt_component(name))

    def _flag(self, name: str) -> Series:
        return self._component(name).fillna(False)

    def _round(self, how: str, freq: str) -> Series:
        return wrap_series(self._series._handle.dt_round(how, freq))

    @property
    def year(self) -> Series:
        """The year."""
        return self._component("year")

    @property
    def month(self) -> Series:
        """The month, 1 to 12."""
        return self._component("month")

    @property
    def day(self) -> Series:
        """The day of the month, from 1."""
        return self._component("day")

    @property
    def hour(self) -> Series:
        """The hour."""
        return self._component("hour")

    @property
    def minute(self) -> Series:
        """The minute."""
        return self._component("minute")

    @property
    def second(self) -> Series:
        """The second."""
        return self._component("second")

    @property
    def microsecond(self) -> Series:
        """The microseconds of the second."""
        return self._component("microsecond")

    @property
    def nanosecond(self) -> Series:
        """The nanoseconds of the microsecond."""
        return self._component("nanosecond")

    @property
    def dayofweek(self) -> Series:
        """The day of the week, Monday being 0."""
        return self._component("dayofweek")

    day_of_week = dayofweek
    weekday = dayofweek

    @property
    def dayofyear(self) -> Series:
        """The day of the year, from 1."""
        return self._component("dayofyear")

    day_of_year = dayofyear

    @property
    def quarter(self) -> Series:
        """The quarter of the year, from 1."""
        return self._component("quarter")

    @property
    def days_in_month(self) -> Series:
        """The number of days of the month."""
        return self._component("days_in_month")

    daysinmonth = days_in_month

    @property
    def is_leap_year(self) -> Series:
        """Whether the year has 366 days."""
        return self._flag("is_leap_year")

    @property
    def is_month_start(self) -> Series:
        """Whether it is the first day of the month."""
        return self._flag("is_month_start")

    @property
    def is_month_end(self) -> Series:
        """Whether it is the last day of the month."""
        return self._flag("is_month_end")

    @property
    def is_quarter_start(self) -> Series:
        """Whether it is the first day of the quarter."""
        return self._flag("is_quarter_start")

    @property
    def is_quarter_end(self) -> Series:
        """Whether it is the last day of the quarter."""
        return self._flag("is_quarter_end")

    @property
    def is_year_start(self) -> Series:
        """Whether it is the first day of the year."""
        return self._flag("is_year_start")

    @property
    def is_year_end(self) -> Series:
        """Whether it is the last day of the year."""
        return self._flag("is_year_end")

    @property
    def unit(self) -> str:
        """The unit of the times: ``s``, ``ms``, ``us`` or ``ns``."""
        return self._series.dtype.unit  # type: ignore[return-value]

    @property
    def tz(self) -> str | None:
        """The name of the time zone; None for times without one."""
        return self._series.dtype.tz

    def tz_localize(self, tz: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Series:
        """Return times without a zone as what clocks in ``tz`` showed; None takes the zone away.

        ``ambiguous`` says what becomes of times that were shown twice: ``'raise'``, ``'NaT'``, True for
        summer time, False for standard time. ``nonexistent`` says it of times that were skipped:
        ``'raise'``, ``'NaT'``, ``'shift_forward'`` or ``'shift_backward'``.
        """
        if isinstance(ambiguous, bool):
            ambiguous = "earlier" if ambiguous else "later"
        elif not isinstance(ambiguous, str) or ambiguous not in {"raise", "NaT"}:
            raise NotImplementedError(f"tz_localize: `ambiguous` = {ambiguous!r} is not supported")
        if not isinstance(nonexistent, str):
            raise NotImplementedError(f"tz_localize: `nonexistent` = {nonexistent!r} is not supported")
        zone = None if tz is None else zone_name(tz)
        return wrap_series(self._series._handle.dt_localize(zone, ambiguous, nonexistent))

    def tz_convert(self, tz: Any) -> Series:
        """Return the same instants in another time zone; None gives times without a zone, in UTC."""
        return wrap_series(self._series._handle.dt_convert_zone(None if tz is None else zone_name(tz)))

    @property
    def date(self) -> Series:
        """The day, as a timestamp at midnight: columns hold no Python dates."""
        return self.normalize()

    def isocalendar(self) -> DataFrame:
        """Return year, week and day of ISO 8601 as columns."""
        handle = self._series._handle
        parts = [handle.dt_component(name).column() for name in ("iso_year", "iso_week", "iso_day")]
        return wrap_frame(_cuprum.DataFrame(["year", "week", "day"], parts, handle.index()))

    def floor(self, freq: str) -> Series:
        """Return the times rounded down to a multiple of ``freq`` (``'h'``, ``'15min'``, ``'D'``)."""
        return self._round("floor", freq)

    def ceil(self, freq: str) -> Series:
        """Return the times rounded up to a multiple of ``freq``."""
        return self._round("ceil", freq)

    def round(self, freq: str) -> Series:
        """Return the times rounded to a multiple of ``freq``, halves to the even one."""
        return self._round("round", freq)

    def normalize(self) -> Series:
        """Return the times at midnight."""
        return self._round("floor", "D")

    def strftime(self, date_format: str) -> Series:
        """Return the times as texts, by a format with Python's directives."""
        return wrap_series(self._series._handle.dt_strftime(date_format))

    def day_name(self, locale: Any = None) -> Series:
        """Return the English name of the day of the week."""
        only_default("day_name", locale=(locale, None))
        return self.strftime("%A")

    def month_name(self, locale: Any = None) -> Series:
        """Return the English name of the month."""
        only_default("month_name", locale=(locale, None))
        return self.strftime("%B")

    def as_unit(self, unit: str) -> Series:
        """Return the times in another unit: ``s``, ``ms``, ``us`` or ``ns``."""
        zone = self._series.dtype.tz
        return self._series.astype(f"datetime64[{unit}]" if zone is None else f"datetime64[{unit}, {zone}]")

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]
