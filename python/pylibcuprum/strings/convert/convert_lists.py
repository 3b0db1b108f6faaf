"""Lists as texts."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["format_list_column"]


def format_list_column(
    input: Column,
    na_rep: Scalar | None = None,
    separators: Column | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return lists of texts, or of such lists, as texts like ``[a,[b,c]]``.

    Parameters
    ----------
    input : Column
        Lists of texts, of any depth.
    na_rep : Scalar, optional
        What stands for lists and elements that are null; an empty text by default.
    separators : Column, optional
        Three texts: what stands between elements, before the first and behind the last. By default ``,``,
        ``[`` and ``]``.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A text for each list, without nulls.

    Raises
    ------
    ValueError
        For another number of separators than three.
    TypeError
        For lists of other types.

    Examples
    --------
    >>> lists = Column.from_iterable_of_py([["a", None], None])
    >>> format_list_column(lists, Scalar.from_py("?")).to_pylist()
    ['[a,?]', '?']

    >>> format_list_column(lists, separators=Column.from_iterable_of_py(["; ", "(", ")"])).to_pylist()
    ['(a; )', '']
    """
    return _rust.format_list_column(input, na_rep, separators, stream, mr)
