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
    """Return whether each text has a match of a regular expression.

    Parameters
    ----------
    input : Column
        Texts.
    prog : RegexProgram
        Regular expression, from `RegexProgram.create`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("[0-9]", RegexFlags.DEFAULT)
    >>> contains_re(Column.from_iterable_of_py(["a1", "b", None]), prog).to_pylist()
    [True, False, None]
    """
    return _rust.contains_re(input, prog._pattern, prog._flags, stream, mr)


def count_re(
    input: Column,
    prog: RegexProgram,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the number of matches of a regular expression in each text.

    Parameters
    ----------
    input : Column
        Texts.
    prog : RegexProgram
        Regular expression, from `RegexProgram.create`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, null for nulls. Matches do not overlap.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("[0-9]", RegexFlags.DEFAULT)
    >>> count_re(Column.from_iterable_of_py(["a1b2", "b", None]), prog).to_pylist()
    [2, 0, None]
    """
    return _rust.count_re(input, prog._pattern, prog._flags, stream, mr)


def matches_re(
    input: Column,
    prog: RegexProgram,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text has a match of a regular expression at its start.

    Parameters
    ----------
    input : Column
        Texts.
    prog : RegexProgram
        Regular expression, from `RegexProgram.create`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls. The match need not reach to the end of the text.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("[0-9]", RegexFlags.DEFAULT)
    >>> matches_re(Column.from_iterable_of_py(["1a", "a1", None]), prog).to_pylist()
    [True, False, None]
    """
    return _rust.matches_re(input, prog._pattern, prog._flags, stream, mr)


def like(
    input: Column,
    pattern: str,
    escape_character: str | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text is like a pattern of SQL.

    Parameters
    ----------
    input : Column
        Texts.
    pattern : str
        ``%`` stands for any text, ``_`` for any character, all else for itself.
    escape_character : str, optional
        Character after which ``%`` and ``_`` stand for themselves; none by default.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls. The pattern is that of the whole text.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["abc", "a_c", None])
    >>> like(texts, "a%").to_pylist()
    [True, True, None]

    >>> like(texts, "a#_c", "#").to_pylist()
    [False, True, None]
    """
    return _rust.like(input, pattern, escape_character or None, stream, mr)
