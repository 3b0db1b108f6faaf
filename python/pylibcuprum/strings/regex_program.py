"""Regular expressions, in the syntax of Python without look-around and references."""

from __future__ import annotations

from cuprum._cuprum import _patterns as _rust
from pylibcuprum.strings.regex_flags import RegexFlags

__all__ = ["RegexProgram"]


class RegexProgram:
    """A regular expression that was checked."""

    def __init__(self) -> None:
        raise TypeError("a RegexProgram is made by RegexProgram.create")

    @staticmethod
    def create(pattern: str, flags: RegexFlags) -> RegexProgram:
        """Return the program of a pattern; one that is none is a ValueError."""
        made = RegexProgram.__new__(RegexProgram)
        made._pattern, made._flags = pattern, int(flags)
        _rust.check(pattern, made._flags)
        return made

    _pattern: str
    _flags: int
