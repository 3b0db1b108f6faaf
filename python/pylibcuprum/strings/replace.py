"""Parts of texts replaced. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["replace", "replace_multiple", "replace_slice"]


def replace(
    input: Column,
    target: Scalar,
    repl: Scalar,
    maxrepl: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the occurrences of another text replaced.

    Parameters
    ----------
    input : Column
        Texts.
    target : Scalar
        Text that is replaced, not an empty one.
    repl : Scalar
        Text that stands in for it.
    maxrepl : int, default -1
        Number of occurrences from the start that are replaced; all below 0.
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
        For an empty or null ``target``.

    Examples
    --------
    >>> texts, a, b = Column.from_iterable_of_py(["aaa", None]), Scalar.from_py("a"), Scalar.from_py("b")
    >>> replace(texts, a, b).to_pylist()
    ['bbb', None]

    >>> replace(texts, a, b, 2).to_pylist()
    ['bba', None]
    """
    return _rust.replace(input, target, repl, maxrepl, stream, mr)


def replace_multiple(
    input: Column,
    target: Column,
    repl: Column,
    maxrepl: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the occurrences of several texts replaced.

    Parameters
    ----------
    input : Column
        Texts.
    target : Column
        Texts that are replaced, at least one.
    repl : Column
        Text that stands in for each of them, or one for all.
    maxrepl : int, default -1
        Number of occurrences from the start that are replaced; all below 0.
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
        For no targets, for another number of replacements, and for nulls among both.

    Examples
    --------
    >>> texts, targets = Column.from_iterable_of_py(["abc", None]), Column.from_iterable_of_py(["a", "c"])
    >>> replace_multiple(texts, targets, Column.from_iterable_of_py(["1", "3"])).to_pylist()
    ['1b3', None]

    >>> replace_multiple(texts, targets, Column.from_iterable_of_py(["*"])).to_pylist()
    ['*b*', None]
    """
    return _rust.replace_multiple(input, target, repl, maxrepl, stream, mr)


def replace_slice(
    input: Column,
    repl: Scalar | None = None,
    start: int = 0,
    stop: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the characters in a range of positions replaced.

    Parameters
    ----------
    input : Column
        Texts.
    repl : Scalar, optional
        Text that stands in for them; an empty one by default.
    start : int, default 0
        First character that is replaced, from 0.
    stop : int, default -1
        Character behind the last one that is replaced; -1 for the end.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    Examples
    --------
    >>> replace_slice(Column.from_iterable_of_py(["abcd", None]), Scalar.from_py("-"), 1, 3).to_pylist()
    ['a-d', None]
    """
    return _rust.replace_slice(input, repl, start, stop, stream, mr)
