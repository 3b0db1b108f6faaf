"""``Series.str`` by regular expressions: `contains`, `replace`, `extract`, `split` and their kin."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column, _patterns
from cuprum.core import objects
from cuprum.core.arguments import integer_of
from cuprum.core.dtypes import ListDtype
from cuprum.core.missing import is_missing
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.patterns import Pattern

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["StringPatterns", "cuts_of"]

_Over = Callable[[Iterable[Any]], Iterator[Any]]
_Compiled = re.Pattern[str]


class StringPatterns:
    """Methods of regular expressions, by the engine or by Python's ``re``; see `Pattern`."""

    __slots__ = ()

    _series: Series

    def _apply(self, function: str, *args: Any) -> Series:
        raise NotImplementedError

    def _texts(self) -> list[str | None]:
        return [None if is_missing(text) else text for text in self._series.to_list()]

    def _results(self, over: _Over, function: Callable[[str], Any]) -> list[Any]:
        """Return the result of a function for each text; None for those that are missing."""
        return [None if text is None else function(text) for text in over(self._texts())]

    def _each(self, over: _Over, function: Callable[[str], Any], dtype: Any) -> Series:
        """Return the result of a function for each text as a series; missing for those that are."""
        return self._made(self._results(over, function), dtype)

    def _made(self, found: list[Any], dtype: Any) -> Series:
        handle = self._series._handle
        if not isinstance(dtype, str):  # lists
            made = objects.Series(found, dtype=dtype)._handle.column()
        else:
            made = Column.from_iterable_of_py(found, dtype)
        return wrap_series(_cuprum.Series(made, handle.name(), handle.index()))

    def _tested(self, function: str, pattern: Pattern, case: bool) -> Series:
        """Return whether the texts match: ``contains``, ``match`` or ``fullmatch``."""
        method = "search" if function == "contains" else function

        def by_python(compiled: _Compiled, over: _Over) -> Series:
            found = getattr(compiled, method)
            return self._each(over, lambda text: found(text) is not None, "bool")

        return pattern.matched(
            lambda text: self._apply(function, text, None, True, [int(case)]),
            by_python,
            0 if case else re.IGNORECASE,
        )

    def _counted(self, pattern: Pattern) -> Series:
        def by_python(compiled: _Compiled, over: _Over) -> Series:
            return self._each(over, lambda text: len(compiled.findall(text)), "int64")

        return pattern.matched(lambda text: self._apply("count", text, None, True).astype("int64"), by_python)

    def _substituted(self, pattern: Pattern, repl: str, n: int) -> Series:
        def by_python(compiled: _Compiled, over: _Over) -> Series:
            try:
                return self._each(over, lambda text: compiled.sub(repl, text, max(n, 0)), "str")
            except (re.error, IndexError) as error:
                raise ValueError(f"`repl` is {repl!r}: {error}") from None

        return pattern.matched(
            lambda text: self._apply("replace", text, repl, True, [n if n >= 0 else None]), by_python
        )

    def _found_in(self, pattern: Pattern) -> Series:
        several = pattern.groups > 1

        def by_python(compiled: _Compiled, over: _Over) -> Series:
            return self._each(over, compiled.findall, object if several else _lists())

        # The matches of several groups are tuples, which no list of ours holds.
        return pattern.matched(
            lambda text: self._apply("findall", text, None, True), by_python, by_python_alone=several
        )

    def _cut(self, pattern: Pattern, n: int, expand: bool, from_end: bool = False) -> Any:
        """Return the parts between matches as lists, or as columns; what groups match is a part, too.

        ``n`` cuts are made, or as many from the end.
        """
        limit = cuts_of(n)

        def by_engine(text: str) -> Any:
            if from_end:
                options = (text, 0, limit or -1, True, None, None)
                series = self._series._handle
                if not expand:
                    column = _patterns.split_record_re(series.column(), *options)
                    return wrap_series(_cuprum.Series(column, series.name(), series.index()))
                columns = _patterns.split_re(series.column(), *options).columns()
                return wrap_frame(_cuprum.DataFrame(list(range(len(columns))), columns, series.index()))
            if expand:
                return wrap_frame(self._series._handle.str_split_regex(text, limit))
            return self._apply("split_regex_lists", text, None, False, [limit])

        def by_python(compiled: _Compiled, over: _Over) -> Any:
            def cut(text: str) -> list[Any]:
                return (
                    _split_from_end(compiled, text, limit) if from_end else compiled.split(text, limit or 0)
                )

            parts = self._results(over, cut)
            if not expand:
                return self._made(parts, _lists())
            rows = [part or [] for part in parts]
            width = max([1, *map(len, rows)])
            return self._columns(list(range(width)), rows, self._series._handle.index())

        # The engine leaves out what groups match.
        return pattern.matched(by_engine, by_python, by_python_alone=pattern.groups > 0)

    def _columns(self, labels: list[Any], rows: list[Any], index: Any) -> Any:
        """Return texts of rows as columns; what a row lacks is missing."""
        columns = [
            Column.from_iterable_of_py([row[at] if at < len(row) else None for row in rows], "str")
            for at in range(len(labels))
        ]
        return wrap_frame(_cuprum.DataFrame(labels, columns, index))

    def _groups_of_first(self, pattern: Pattern) -> Any:
        """Return the groups of the first match of each text as a frame."""
        handle = self._series._handle
        pattern.check_groups()

        def by_python(compiled: _Compiled, over: _Over) -> Any:
            labels = _group_labels(compiled)
            matches = (None if text is None else compiled.search(text) for text in self._texts())
            rows = [() if match is None else match.groups() for match in over(matches)]
            return self._columns(labels, rows, handle.index())

        return pattern.matched(lambda text: wrap_frame(handle.str_extract(text, True)), by_python)

    def _groups_of_all(self, pattern: Pattern) -> tuple[Any, Column, Column]:
        """Return the groups of all matches as a frame, the row of each match and its number there."""
        handle = self._series._handle
        pattern.check_groups()

        def by_engine(text: str) -> tuple[Any, Column, Column]:
            groups, rows, numbers = handle.str_extract_all(text)
            return wrap_frame(groups), rows, numbers

        def by_python(compiled: _Compiled, over: _Over) -> tuple[Any, Column, Column]:
            labels = _group_labels(compiled)
            found = [
                (row, number, match.groups())
                for row, text in enumerate(over(self._texts()))
                if text is not None
                for number, match in enumerate(compiled.finditer(text))
            ]
            groups = self._columns(labels, [one for _, _, one in found], _cuprum.Index.range(0, len(found)))
            rows, numbers = ([one[at] for one in found] for at in (0, 1))
            return groups, *(Column.from_iterable_of_py(each, "int64") for each in (rows, numbers))

        return pattern.matched(by_engine, by_python)


def cuts_of(n: Any) -> int | None:
    """Return how many cuts an argument ``n`` allows, None for any number."""
    if n is None:
        return None
    n = integer_of("n", n)
    return n if n > 0 else None


def _lists() -> Any:
    return ListDtype("str")


def _group_labels(compiled: _Compiled) -> list[Any]:
    """Return the names of groups, or their positions."""
    names = {number: name for name, number in compiled.groupindex.items()}
    return [names.get(number + 1, number) for number in range(compiled.groups)]


def _split_from_end(compiled: _Compiled, text: str, limit: int | None) -> list[Any]:
    """Return the result of ``split`` of a compiled pattern, with the cuts counted from the end."""
    parts: list[Any] = []
    start = 0
    for match in list(compiled.finditer(text))[-(limit or 0) :]:
        parts += [text[start : match.start()], *match.groups()]
        start = match.end()
    return [*parts, text[start:]]
