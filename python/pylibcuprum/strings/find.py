"""Finding texts in texts. Positions are characters from 0, -1 where there is none. Nulls stay null.

A target is one text for all rows, or a column with one for each (ValueError for another number of them).
Where that is null, so is a position; the other functions say false.

Examples
--------
>>> texts, targets = Column.from_iterable_of_py(["abc", "abc"]), Column.from_iterable_of_py(["c", "x"])
>>> find(texts, targets).to_pylist(), starts_with(texts, targets).to_pylist()
([2, -1], [False, False])
"""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["contains", "ends_with", "find", "rfind", "starts_with"]


def find(
    input: Column,
    target: Column | Scalar,
    start: int = 0,
    stop: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the position of the first occurrence of a text in each text.

    Parameters
    ----------
    input : Column
        Texts.
    target : Column or Scalar
        One text for all rows, or a column with one for each.
    start : int, default 0
        First character that is looked at, from 0.
    stop : int, default -1
        Character behind the last one that is looked at; -1 for the end.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, characters from the start of the text, -1 where there is none; null for nulls, and where the
        target is null.

    Raises
    ------
    ValueError
        For a null scalar, and for another number of targets than of texts.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["abcb", "x", None])
    >>> find(texts, Scalar.from_py("b")).to_pylist()
    [1, -1, None]

    >>> find(texts, Scalar.from_py("b"), 2).to_pylist()
    [3, -1, None]
    """
    return _rust.find(input, target, start, stop, stream, mr)


def rfind(
    input: Column,
    target: Scalar,
    start: int = 0,
    stop: int = -1,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the position of the last occurrence of a text in each text.

    Parameters
    ----------
    input : Column
        Texts.
    target : Scalar
        Text that is looked for.
    start : int, default 0
        First character that is looked at, from 0.
    stop : int, default -1
        Character behind the last one that is looked at; -1 for the end.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        INT32, characters from the start of the text, -1 where there is none; null for nulls.

    Raises
    ------
    ValueError
        For a null ``target``.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["abcb", "x", None])
    >>> rfind(texts, Scalar.from_py("b")).to_pylist()
    [3, -1, None]

    >>> rfind(texts, Scalar.from_py("b"), 0, 3).to_pylist()
    [1, -1, None]
    """
    return _rust.rfind(input, target, start, stop, stream, mr)


def contains(
    input: Column,
    target: Column | Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text contains another text.

    Parameters
    ----------
    input : Column
        Texts.
    target : Column or Scalar
        One text for all rows, or a column with one for each.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls; false where the target in a column is null.

    Raises
    ------
    ValueError
        For a null scalar, and for another number of targets than of texts.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["abc", "x", None])
    >>> contains(texts, Scalar.from_py("b")).to_pylist()
    [True, False, None]

    >>> contains(texts, Column.from_iterable_of_py(["c", None, "c"])).to_pylist()
    [True, False, None]
    """
    return _rust.contains(input, target, stream, mr)


def starts_with(
    input: Column,
    target: Column | Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text begins with another text.

    Parameters
    ----------
    input : Column
        Texts.
    target : Column or Scalar
        One text for all rows, or a column with one for each.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls; false where the target in a column is null.

    Raises
    ------
    ValueError
        For a null scalar, and for another number of targets than of texts.

    Examples
    --------
    >>> starts_with(Column.from_iterable_of_py(["abc", "x", None]), Scalar.from_py("a")).to_pylist()
    [True, False, None]
    """
    return _rust.starts_with(input, target, stream, mr)


def ends_with(
    input: Column,
    target: Column | Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text ends with another text.

    Parameters
    ----------
    input : Column
        Texts.
    target : Column or Scalar
        One text for all rows, or a column with one for each.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls; false where the target in a column is null.

    Raises
    ------
    ValueError
        For a null scalar, and for another number of targets than of texts.

    Examples
    --------
    >>> ends_with(Column.from_iterable_of_py(["abc", "x", None]), Scalar.from_py("c")).to_pylist()
    [True, False, None]
    """
    return _rust.ends_with(input, target, stream, mr)
