"""Matches of regular expressions replaced. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _patterns as _rust
from pylibcuprum.strings.regex_program import RegexProgram
from pylibcuprum.utils import CudaStreamLike

__all__ = ["replace_re", "replace_with_backrefs"]


def replace_re(
    input: Column,
    pattern: RegexProgram,
    replacement: Scalar,
    max_replace_count: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the first ``max_replace_count`` (all below 0) matches replaced by a text."""
    return _rust.replace_re(
        input, pattern._pattern, pattern._flags, replacement, max_replace_count, stream, mr
    )


def replace_with_backrefs(
    input: Column,
    prog: RegexProgram,
    replacement: str,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with its matches replaced by a text in which ``\\1`` and ``${1}`` stand for groups."""
    return _rust.replace_with_backrefs(input, prog._pattern, prog._flags, replacement, stream, mr)
