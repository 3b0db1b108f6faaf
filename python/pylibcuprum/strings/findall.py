"""All matches of regular expressions. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _patterns as _rust
from pylibcuprum.strings.regex_program import RegexProgram
from pylibcuprum.utils import CudaStreamLike

__all__ = ["find_re", "findall"]


def find_re(
    input: Column,
    pattern: RegexProgram,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the position, in characters, of the first match in each text; -1 where there is none."""
    return _rust.find_re(input, pattern._pattern, pattern._flags, stream, mr)


def findall(
    input: Column,
    pattern: RegexProgram,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a list of all matches in each text, of what the group has where the pattern has one."""
    return _rust.findall(input, pattern._pattern, pattern._flags, stream, mr)
