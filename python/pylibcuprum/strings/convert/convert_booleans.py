"""Texts and booleans. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["from_booleans", "to_booleans"]


def to_booleans(
    input: Column,
    true_string: Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return whether each text is the text for true.

    Parameters
    ----------
    input : Column
        Texts.
    true_string : Scalar
        Text for true; all others are false.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, null for nulls.

    Raises
    ------
    ValueError
        For a null ``true_string``.

    Examples
    --------
    >>> to_booleans(Column.from_iterable_of_py(["yes", "no", None]), Scalar.from_py("yes")).to_pylist()
    [True, False, None]
    """
    return _rust.to_booleans(input, true_string, stream, mr)


def from_booleans(
    booleans: Column,
    true_string: Scalar,
    false_string: Scalar,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return a text for true or for false for each boolean.

    Parameters
    ----------
    booleans : Column
        Booleans.
    true_string : Scalar
        Text for true.
    false_string : Scalar
        Text for false.
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
    >>> words = Scalar.from_py("yes"), Scalar.from_py("no")
    >>> from_booleans(Column.from_iterable_of_py([True, False, None]), *words).to_pylist()
    ['yes', 'no', None]
    """
    return _rust.from_booleans(booleans, true_string, false_string, stream, mr)
