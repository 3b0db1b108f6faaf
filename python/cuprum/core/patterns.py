"""Regular expressions as Python writes them: compiled ones, flags, and those that only Python's ``re`` can match.

The engine matches in linear time and has no look-around, no back-references and no possessive quantifiers. A pattern
that it refuses and Python does not is matched by Python, element by element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from cuprum.core.error_classes import has_detail
from cuprum.core.slow_calls import Watch

__all__ = ["Pattern", "is_pattern"]

# Flags of Python as they stand inside of a pattern. Patterns are of Unicode characters anyway.
_INLINE = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s", re.VERBOSE: "x"}
_KNOWN = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.UNICODE
# A quantifier behind another, which the engine takes for a repetition of the repetition.
_TWICE = re.compile(r"\}\??\{")

_Made = TypeVar("_Made")


def is_pattern(obj: Any) -> bool:
    """Whether an object is a text, or a compiled regular expression of texts."""
    return isinstance(obj, str) or (isinstance(obj, re.Pattern) and isinstance(obj.pattern, str))


class Pattern:
    """A regular expression with its flags.

    ``TypeError`` for what is neither a text nor a compiled expression of texts; ``ValueError`` for flags beside a
    compiled one.
    """

    def __init__(self, pat: Any, flags: Any = 0, argument: str = "pat") -> None:
        if not is_pattern(pat):
            raise TypeError(f"`{argument}` must be a str or a compiled pattern, not {type(pat).__name__}")
        flags = re.RegexFlag(flags)
        if isinstance(pat, re.Pattern):
            if flags:
                raise ValueError("Cannot pass `flags` when pat is a compiled regex")
            pat, flags = pat.pattern, re.RegexFlag(pat.flags)
        self._pattern: str = pat
        self._flags = flags
        self._argument = argument

    def __repr__(self) -> str:
        return repr(self._pattern)

    @property
    def groups(self) -> int:
        """The number of groups, 0 in a pattern that Python does not know."""
        try:
            return self._compiled(0).groups
        except ValueError:
            return 0

    def check_groups(self) -> None:
        """Fail with ``ValueError`` for a pattern that Python knows and that has no groups."""
        try:
            groups = self._compiled(0).groups
        except ValueError:
            return
        if not groups:
            raise ValueError(f"`{self._argument}` is {self._pattern!r}: pattern contains no capture groups")

    def matched(
        self,
        by_engine: Callable[[str], _Made],
        by_python: Callable[[re.Pattern[str], Callable[[Iterable[Any]], Iterator[Any]]], _Made],
        flags: re.RegexFlag | int = 0,
        by_python_alone: bool = False,
    ) -> _Made:
        """Return what the engine makes of the pattern, or what Python does where the engine has no such pattern.

        ``by_python`` is given the compiled pattern, with ``flags`` besides its own, and what goes over the elements
        and warns where they are many. ``ValueError`` for what is a pattern for neither.
        """
        if by_python_alone or self._flags & ~_KNOWN:
            return by_python(self._compiled(flags), self._watch().over)
        if _TWICE.search(self._pattern):
            self._compiled(flags)
        inline = "".join(letter for flag, letter in _INLINE.items() if self._flags & flag)
        try:
            return by_engine(f"(?{inline}){self._pattern}" if inline else self._pattern)
        except ValueError as error:
            if not has_detail(error, "Pattern"):
                raise
        return by_python(self._compiled(flags), self._watch().over)

    def _compiled(self, flags: re.RegexFlag | int) -> re.Pattern[str]:
        try:
            return re.compile(self._pattern, self._flags | flags)
        except (re.error, ValueError, RecursionError, OverflowError) as error:
            raise ValueError(
                f"`{self._argument}` {self._pattern!r} is not a regular expression: {error}"
            ) from None

    def _watch(self) -> Watch:
        why = (
            f"the pattern {self._pattern!r} has what only it knows (look-around, back-references, possessive "
            "quantifiers, …); other patterns are matched by all cores"
        )
        return Watch("Python's re", "element", why)
