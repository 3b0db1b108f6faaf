"""Texts cut at every delimiter; an empty one stands for runs of white space."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar, Table, _patterns
from cuprum._cuprum import _strings as _rust
from pylibcuprum.strings.regex_program import RegexProgram
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "rsplit",
    "rsplit_re",
    "rsplit_record",
    "rsplit_record_re",
    "split",
    "split_part",
    "split_re",
    "split_record",
    "split_record_re",
]


def split(
    strings_column: Column,
    delimiter: Scalar,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return a column for each part, null where a text has fewer; at most ``maxsplit`` cuts (all below 1) from the start."""
    return _rust.split(strings_column, delimiter, maxsplit, stream, mr)


def rsplit(
    strings_column: Column,
    delimiter: Scalar,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return what `split` does, with the cuts counted from the end."""
    return _rust.rsplit(strings_column, delimiter, maxsplit, stream, mr)


def split_re(
    input: Column,
    prog: RegexProgram,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return a column for each part between matches of a pattern."""
    return _patterns.split_re(input, prog._pattern, prog._flags, maxsplit, False, stream, mr)


def rsplit_re(
    input: Column,
    prog: RegexProgram,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return what `split_re` does, with the cuts counted from the end."""
    return _patterns.split_re(input, prog._pattern, prog._flags, maxsplit, True, stream, mr)


def split_record(
    strings: Column,
    delimiter: Scalar,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a list of the parts of each text; see `split`."""
    return _rust.split_record(strings, delimiter, maxsplit, stream, mr)


def rsplit_record(
    strings: Column,
    delimiter: Scalar,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what `split_record` does, with the cuts counted from the end."""
    return _rust.rsplit_record(strings, delimiter, maxsplit, stream, mr)


def split_record_re(
    input: Column,
    prog: RegexProgram,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a list of the parts of each text between matches of a pattern."""
    return _patterns.split_record_re(input, prog._pattern, prog._flags, maxsplit, False, stream, mr)


def rsplit_record_re(
    input: Column,
    prog: RegexProgram,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what `split_record_re` does, with the cuts counted from the end."""
    return _patterns.split_record_re(input, prog._pattern, prog._flags, maxsplit, True, stream, mr)


def split_part(
    input: Column,
    delimiter: Scalar,
    index: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the part at ``index`` (0 is the first) of each text, null where it has fewer; an empty delimiter stands for white space."""
    return _rust.split_part(input, delimiter, index, stream, mr)
