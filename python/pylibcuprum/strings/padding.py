"""Texts of a given width. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource
from cuprum._cuprum import _strings as _rust
from pylibcuprum.strings.side_type import SideType
from pylibcuprum.utils import CudaStreamLike

__all__ = ["pad", "zfill", "zfill_by_widths"]


def pad(
    input: Column,
    width: int,
    side: SideType,
    fill_char: str,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text filled with a character to a number of characters.

    Parameters
    ----------
    input : Column
        Texts.
    width : int
        Number of characters; longer texts stay as they are.
    side : SideType
        Where characters are put: ``LEFT``, ``RIGHT`` or ``BOTH`` (one more at the right of an odd number).
    fill_char : str
        One character.
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
    TypeError
        Where ``fill_char`` is not one character.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["ab", "abcde", None])
    >>> pad(texts, 4, SideType.LEFT, "*").to_pylist()
    ['**ab', 'abcde', None]

    >>> pad(Column.from_iterable_of_py(["a"]), 4, SideType.BOTH, "*").to_pylist()
    ['*a**']
    """
    return _rust.pad(input, width, side, fill_char, stream, mr)


def zfill(
    input: Column, width: int, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return each text filled with zeros to a number of characters, behind its sign.

    Parameters
    ----------
    input : Column
        Texts.
    width : int
        Number of characters; longer texts stay as they are.
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
    >>> zfill(Column.from_iterable_of_py(["-1", "22", None]), 4).to_pylist()
    ['-001', '0022', None]
    """
    return _rust.zfill(input, width, stream, mr)


def zfill_by_widths(
    input: Column,
    widths: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text filled with zeros to a number of characters of its own, behind its sign.

    Parameters
    ----------
    input : Column
        Texts.
    widths : Column
        Number of characters for each text.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null where the text or its width is null.

    Examples
    --------
    >>> widths = Column.from_iterable_of_py([4, 3, None])
    >>> zfill_by_widths(Column.from_iterable_of_py(["-1", "22", "3"]), widths).to_pylist()
    ['-001', '022', None]
    """
    return _rust.zfill_by_widths(input, widths, stream, mr)
