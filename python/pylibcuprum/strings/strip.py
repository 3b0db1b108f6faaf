"""Characters removed from the ends. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.strings.side_type import SideType
from pylibcuprum.utils import CudaStreamLike

__all__ = ["strip"]


def strip(
    input: Column,
    side: SideType = SideType.BOTH,
    to_strip: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text without some characters at its ends.

    Parameters
    ----------
    input : Column
        Texts.
    side : SideType, default SideType.BOTH
        End that characters are taken from: ``LEFT``, ``RIGHT`` or ``BOTH``.
    to_strip : Scalar, optional
        Characters that are taken off, in any order; white space where it is empty or left out.
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
    >>> strip(Column.from_iterable_of_py([" a ", None])).to_pylist()
    ['a', None]

    >>> strip(Column.from_iterable_of_py(["xyaxy"]), SideType.LEFT, Scalar.from_py("yx")).to_pylist()
    ['axy']
    """
    return _rust.strip(input, side, to_strip, stream, mr)
