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
    """Return the position of the first match of a regular expression in each text.

    Parameters
    ----------
    input : Column
        Texts.
    pattern : RegexProgram
        Regular expression, from `RegexProgram.create`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, characters from the start of the text, -1 where there is no match; null for nulls.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> pattern = RegexProgram.create("[0-9]", RegexFlags.DEFAULT)
    >>> find_re(Column.from_iterable_of_py(["ab1", "x", None]), pattern).to_pylist()
    [2, -1, None]
    """
    return _rust.find_re(input, pattern._pattern, pattern._flags, stream, mr)


def findall(
    input: Column,
    pattern: RegexProgram,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return all matches of a regular expression in each text.

    Parameters
    ----------
    input : Column
        Texts.
    pattern : RegexProgram
        Regular expression, from `RegexProgram.create`. It has one group at most.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of texts for each text: matches, or what the group has in them; null for nulls.

    Raises
    ------
    NotImplementedError
        For a pattern with several groups; see ``extract.extract_all_record``.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> pattern = RegexProgram.create("([a-z])[0-9]", RegexFlags.DEFAULT)
    >>> findall(Column.from_iterable_of_py(["a1b2", "x", None]), pattern).to_pylist()
    [['a', 'b'], [], None]
    """
    return _rust.findall(input, pattern._pattern, pattern._flags, stream, mr)
