"""Groups of regular expressions. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Table
from cuprum._cuprum import _patterns as _rust
from pylibcuprum.strings.regex_program import RegexProgram
from pylibcuprum.utils import CudaStreamLike

__all__ = ["extract", "extract_all_record", "extract_single"]


def extract(
    input: Column,
    prog: RegexProgram,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return for each group what it has in the first match, null without one. No groups are a ValueError."""
    return _rust.extract(input, prog._pattern, prog._flags, stream, mr)


def extract_all_record(
    input: Column,
    prog: RegexProgram,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a list of the groups of all matches of each text, null without one. No groups are a ValueError."""
    return _rust.extract_all_record(input, prog._pattern, prog._flags, stream, mr)


def extract_single(
    input: Column,
    prog: RegexProgram,
    group: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what group ``group``, from 0, has in the first match. One that there is not is an IndexError."""
    return _rust.extract_single(input, prog._pattern, prog._flags, group, stream, mr)
