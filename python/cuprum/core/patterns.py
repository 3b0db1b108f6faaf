"""Regular expressions as Python writes them: compiled ones and flags."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["is_pattern", "pattern_text"]

# What a flag of Python is inside of a pattern. Patterns are of Unicode characters anyway.
_INLINE = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s", re.VERBOSE: "x"}
_KNOWN = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.UNICODE


def is_pattern(obj: Any) -> bool:
    """Whether an object is a text, or a compiled regular expression of texts."""
    return isinstance(obj, str) or (isinstance(obj, re.Pattern) and isinstance(obj.pattern, str))


def pattern_text(pat: Any, flags: Any = 0) -> str:
    """Return a regular expression with its flags, and others, inside.

    ``TypeError`` for what is neither a text nor a compiled expression of texts; ``ValueError`` for flags beside a
    compiled one.
    """
    if not is_pattern(pat):
        raise TypeError(f"`pat` must be a str or a compiled pattern, not {type(pat).__name__}")
    flags = re.RegexFlag(flags)
    if isinstance(pat, re.Pattern):
        if flags:
            raise ValueError("Cannot pass `flags` when pat is a compiled regex")
        pat, flags = pat.pattern, re.RegexFlag(pat.flags)
    others = flags & ~_KNOWN
    if others:
        raise NotImplementedError(f"`flags` = {others!r} is not supported: I, M, S and X are")
    inline = "".join(letter for flag, letter in _INLINE.items() if flags & flag)
    return f"(?{inline}){pat}" if inline else pat
