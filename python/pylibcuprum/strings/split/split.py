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
    """Return the parts of each text between delimiters as columns.

    Parameters
    ----------
    strings_column : Column
        Texts.
    delimiter : Scalar
        Text between parts; an empty one stands for runs of white space.
    maxsplit : int
        Number of cuts at most from the start; all below 1.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        A column for each part, null where a text has fewer, and for nulls.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["a-b-c", "x", None])
    >>> [column.to_pylist() for column in split(texts, Scalar.from_py("-"), 1).columns()]
    [['a', 'x', None], ['b-c', None, None]]

    >>> blanks = Column.from_iterable_of_py([" a  b "])
    >>> [column.to_pylist() for column in split(blanks, Scalar.from_py(""), -1).columns()]
    [['a'], ['b']]
    """
    return _rust.split(strings_column, delimiter, maxsplit, stream, mr)


def rsplit(
    strings_column: Column,
    delimiter: Scalar,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the parts of each text between delimiters as columns, with cuts counted from the end.

    Parameters
    ----------
    strings_column : Column
        Texts.
    delimiter : Scalar
        Text between parts; an empty one stands for runs of white space.
    maxsplit : int
        Number of cuts at most from the end; all below 1.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        A column for each part, null where a text has fewer, and for nulls.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["a-b-c", "x", None])
    >>> [column.to_pylist() for column in rsplit(texts, Scalar.from_py("-"), 1).columns()]
    [['a-b', 'x', None], ['c', None, None]]
    """
    return _rust.rsplit(strings_column, delimiter, maxsplit, stream, mr)


def split_re(
    input: Column,
    prog: RegexProgram,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the parts of each text between matches of a regular expression.

    Parameters
    ----------
    input : Column
        Texts.
    prog : RegexProgram
        Regular expression, from `RegexProgram.create`.
    maxsplit : int
        Number of cuts at most from the start; all below 1.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        A column for each part, null where a text has fewer, and for nulls.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("[0-9]+", RegexFlags.DEFAULT)
    >>> texts = Column.from_iterable_of_py(["a1b22c", None])
    >>> [column.to_pylist() for column in split_re(texts, prog, 1).columns()]
    [['a', None], ['b22c', None]]
    """
    return _patterns.split_re(input, prog._pattern, prog._flags, maxsplit, False, stream, mr)


def rsplit_re(
    input: Column,
    prog: RegexProgram,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return the parts of each text between matches of a regular expression, from the end.

    Parameters
    ----------
    input : Column
        Texts.
    prog : RegexProgram
        Regular expression, from `RegexProgram.create`.
    maxsplit : int
        Number of cuts at most from the end; all below 1.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        A column for each part, null where a text has fewer, and for nulls.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("[0-9]+", RegexFlags.DEFAULT)
    >>> texts = Column.from_iterable_of_py(["a1b22c", None])
    >>> [column.to_pylist() for column in rsplit_re(texts, prog, 1).columns()]
    [['a1b', None], ['c', None]]
    """
    return _patterns.split_re(input, prog._pattern, prog._flags, maxsplit, True, stream, mr)


def split_record(
    strings: Column,
    delimiter: Scalar,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the parts of each text between delimiters as a list.

    Parameters
    ----------
    strings : Column
        Texts.
    delimiter : Scalar
        Text between parts; an empty one stands for runs of white space.
    maxsplit : int
        Number of cuts at most from the start; all below 1.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of texts for each text; null for nulls.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["a-b-c", "x", None])
    >>> split_record(texts, Scalar.from_py("-"), 1).to_pylist()
    [['a', 'b-c'], ['x'], None]

    >>> split_record(texts, Scalar.from_py("-"), -1).to_pylist()
    [['a', 'b', 'c'], ['x'], None]
    """
    return _rust.split_record(strings, delimiter, maxsplit, stream, mr)


def rsplit_record(
    strings: Column,
    delimiter: Scalar,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the parts of each text between delimiters as a list, with cuts counted from the end.

    Parameters
    ----------
    strings : Column
        Texts.
    delimiter : Scalar
        Text between parts; an empty one stands for runs of white space.
    maxsplit : int
        Number of cuts at most from the end; all below 1.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of texts for each text; null for nulls.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["a-b-c", "x", None])
    >>> rsplit_record(texts, Scalar.from_py("-"), 1).to_pylist()
    [['a-b', 'c'], ['x'], None]
    """
    return _rust.rsplit_record(strings, delimiter, maxsplit, stream, mr)


def split_record_re(
    input: Column,
    prog: RegexProgram,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the parts of each text between matches of a regular expression as lists.

    Parameters
    ----------
    input : Column
        Texts.
    prog : RegexProgram
        Regular expression, from `RegexProgram.create`.
    maxsplit : int
        Number of cuts at most from the start; all below 1.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of texts for each text; null for nulls.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("[0-9]+", RegexFlags.DEFAULT)
    >>> texts = Column.from_iterable_of_py(["a1b22c", None])
    >>> split_record_re(texts, prog, 1).to_pylist()
    [['a', 'b22c'], None]
    """
    return _patterns.split_record_re(input, prog._pattern, prog._flags, maxsplit, False, stream, mr)


def rsplit_record_re(
    input: Column,
    prog: RegexProgram,
    maxsplit: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the parts of each text between matches of a regular expression as lists, from the end.

    Parameters
    ----------
    input : Column
        Texts.
    prog : RegexProgram
        Regular expression, from `RegexProgram.create`.
    maxsplit : int
        Number of cuts at most from the end; all below 1.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of texts for each text; null for nulls.

    Examples
    --------
    >>> from pylibcuprum.strings.regex_flags import RegexFlags
    >>> prog = RegexProgram.create("[0-9]+", RegexFlags.DEFAULT)
    >>> texts = Column.from_iterable_of_py(["a1b22c", None])
    >>> rsplit_record_re(texts, prog, 1).to_pylist()
    [['a1b', 'c'], None]
    """
    return _patterns.split_record_re(input, prog._pattern, prog._flags, maxsplit, True, stream, mr)


def split_part(
    input: Column,
    delimiter: Scalar,
    index: int,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return one part of each text between delimiters.

    Parameters
    ----------
    input : Column
        Texts.
    delimiter : Scalar
        Text between parts; an empty one stands for runs of white space.
    index : int
        Number of the part, from 0.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Texts; null where a text has fewer parts, and for nulls.

    Raises
    ------
    ValueError
        For a negative ``index``.

    Examples
    --------
    >>> split_part(Column.from_iterable_of_py(["a-b-c", "x", None]), Scalar.from_py("-"), 1).to_pylist()
    ['b', None, None]
    """
    return _rust.split_part(input, delimiter, index, stream, mr)
