"""Regular expressions found in texts. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _patterns as _rust
from pylibcuprum.strings.regex_program import RegexProgram
from pylibcuprum.utils import CudaStreamLike

__all__ = ["contains_re", "count_re", "like", "matches_re"]


def contains_re(
    input: Column,
    prog: RegexProgram,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text has a match."""
    return _rust.contains_re(input, prog._pattern, prog._flags, stream, mr)


def count_re(
    input: Column,
    prog: RegexProgram,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the number of matches in each text (INT32)."""
    return _rust.count_re(input, prog._pattern, prog._flags, stream, mr)


def matches_re(
    input: Column,
    prog: RegexProgram,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text has a match at its start."""
    return _rust.matches_re(input, prog._pattern, prog._flags, stream, mr)


def like(
    input: Column,
    pattern: str,
    escape_character: str | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text is like a pattern of SQL: ``%`` stands for any text, ``_`` for any character."""
    return _rust.like(input, pattern, escape_character or None, stream, mr)
