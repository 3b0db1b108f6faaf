"""Finding several texts in texts."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Table
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["contains_multiple", "find_multiple"]


def find_multiple(
    input: Column,
    targets: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the positions of several texts in each text.

    Parameters
    ----------
    input : Column
        Texts.
    targets : Column
        Texts that are looked for, without nulls.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        A list of INT32 for each text, with the position of each target, -1 where there is none; also for
        nulls.

    Raises
    ------
    ValueError
        For nulls among the targets.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["abc", None])
    >>> find_multiple(texts, Column.from_iterable_of_py(["b", "x"])).to_pylist()
    [[1, -1], [-1, -1]]
    """
    return _rust.find_multiple(input, targets, stream, mr)


def contains_multiple(
    input: Column,
    targets: Column,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return for each of several texts which texts contain it.

    Parameters
    ----------
    input : Column
        Texts.
    targets : Column
        Texts that are looked for, without nulls.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        A column of BOOL8 for each target, null for null texts.

    Raises
    ------
    ValueError
        For nulls among the targets.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(["abc", None])
    >>> found = contains_multiple(texts, Column.from_iterable_of_py(["b", "x"]))
    >>> [column.to_pylist() for column in found.columns()]
    [[True, None], [False, None]]
    """
    return _rust.contains_multiple(input, targets, stream, mr)
