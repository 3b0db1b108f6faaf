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
    """Return each text with the matches of a regular expression replaced.

    Parameters
    ----------
    input : Column
        Texts.
    pattern : RegexProgram
        Regular expression, from `RegexProgram.create`.
    replacement : Scalar
        Text that stands in for a match, as it is.
    max_replace_count : int, default -1
        Number of matches from the start that are replaced; all below 0.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    See Also
    --------
    replace_with_backrefs : A text that refers to groups.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> pattern = RegexProgram.create("[0-9]", RegexFlags.DEFAULT)
    >>> texts = Column.from_iterable_of_py(["a1b2", None])
    >>> replace_re(texts, pattern, Scalar.from_py("#")).to_pylist()
    ['a#b#', None]

    >>> replace_re(texts, pattern, Scalar.from_py("#"), 1).to_pylist()
    ['a#b2', None]
    """
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
    """Return each text with the matches of a regular expression replaced by a text that refers to groups.

    Parameters
    ----------
    input : Column
        Texts.
    prog : RegexProgram
        Regular expression, from `RegexProgram.create`.
    replacement : str
        Text in which ``\\1`` and ``${1}`` stand for what the first group has in the match, and so on.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    Raises
    ------
    ValueError
        For a group that there is not.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("([a-z])([0-9])", RegexFlags.DEFAULT)
    >>> replace_with_backrefs(Column.from_iterable_of_py(["a1b2", None]), prog, "${2}${1}").to_pylist()
    ['1a2b', None]
    """
    return _rust.replace_with_backrefs(input, prog._pattern, prog._flags, replacement, stream, mr)
