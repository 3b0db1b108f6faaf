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
    """Return the texts of the groups of a regular expression in the first match in each text.

    Parameters
    ----------
    input : Column
        Texts.
    prog : RegexProgram
        Regular expression, from `RegexProgram.create`. It has at least one group.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        A column for each group; null where there is no match, the group takes no part in it, or the text is
        null.

    Raises
    ------
    ValueError
        For a pattern without groups.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("([a-z])([0-9])?", RegexFlags.DEFAULT)
    >>> groups = extract(Column.from_iterable_of_py(["a1", "b", "-"]), prog)
    >>> [column.to_pylist() for column in groups.columns()]
    [['a', 'b', None], ['1', None, None]]
    """
    return _rust.extract(input, prog._pattern, prog._flags, stream, mr)


def extract_all_record(
    input: Column,
    prog: RegexProgram,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the texts of the groups of a regular expression in all matches in each text, as one list.

    Parameters
    ----------
    input : Column
        Texts.
    prog : RegexProgram
        Regular expression, from `RegexProgram.create`. It has at least one group.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Lists with the groups of the first match, then of the second one, and so on; null where there is no
        match, and for nulls.

    Raises
    ------
    ValueError
        For a pattern without groups.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("([a-z])([0-9])", RegexFlags.DEFAULT)
    >>> extract_all_record(Column.from_iterable_of_py(["a1b2", "-", None]), prog).to_pylist()
    [['a', '1', 'b', '2'], None, None]
    """
    return _rust.extract_all_record(input, prog._pattern, prog._flags, stream, mr)


def extract_single(
    input: Column,
    prog: RegexProgram,
    group: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the text of one group of a regular expression in the first match in each text.

    Parameters
    ----------
    input : Column
        Texts.
    prog : RegexProgram
        Regular expression, from `RegexProgram.create`.
    group : int
        Number of the group, from 0.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Texts; null where there is no match, the group takes no part in it, or the text is null.

    Raises
    ------
    IndexError
        For a group that there is not.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("([a-z])([0-9])?", RegexFlags.DEFAULT)
    >>> extract_single(Column.from_iterable_of_py(["a1", "b", None]), prog, 1).to_pylist()
    ['1', None, None]
    """
    return _rust.extract_single(input, prog._pattern, prog._flags, group, stream, mr)
