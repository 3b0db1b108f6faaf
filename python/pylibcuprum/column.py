"""`Column`: an immutable array of elements of one type, each of which may be null.

Memory is Arrow's, but for booleans, which take a byte each: `data`, validity bits in a mask, and
child columns for text (offsets), lists (offsets, elements), structs (a field each) and dictionaries
(indices, keys).

Columns speak the protocols of other libraries. ``__arrow_c_array__`` gives every type, from host
memory. ``__dlpack__`` gives numbers and booleans without nulls; shared memory is marked read-only.
``__array_interface__`` (host) and ``__cuda_array_interface__`` (GPU) give numbers, booleans and times,
read-only too. A column on the emulator has neither: its addresses mean nothing to a real GPU; its
DLPack device is `kDLExtDev`, which no other library reads.

Examples
--------
>>> column = Column.from_iterable_of_py([1, None, 3])
>>> column.type(), column.size(), column.null_count()
(DataType(TypeId.INT64), 3, 1)
>>> Column.from_iterable_of_py([[1], None, [2, 3]]).list_view().child().to_pylist()
[1, 2, 3]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypedDict

from cuprum import _cuprum
from cuprum._cuprum import Column, ListsColumnView, StructsColumnView

__all__ = [
    "ArrayInterface",
    "ArrayInterfaceBase",
    "Column",
    "CudaArrayInterface",
    "ListsColumnView",
    "StructsColumnView",
    "SupportsArrayInterface",
    "SupportsCudaArrayInterface",
    "is_c_contiguous",
]


class ArrayInterfaceBase(TypedDict):
    """The array interface of NumPy and of CUDA."""

    shape: tuple[int, ...]
    typestr: str
    data: tuple[int, bool]
    version: int
    strides: tuple[int, ...] | None
    descr: list[tuple[Any, ...]] | None


class ArrayInterface(ArrayInterfaceBase):
    """The dict behind ``__array_interface__``: memory of the host."""

    mask: SupportsArrayInterface | None


class CudaArrayInterface(ArrayInterfaceBase):
    """The dict behind ``__cuda_array_interface__``: memory of a GPU."""

    stream: int | None
    mask: SupportsCudaArrayInterface | None


class SupportsCudaArrayInterface(Protocol):
    """An array on a GPU."""

    @property
    def __cuda_array_interface__(self) -> CudaArrayInterface | dict[str, Any]:
        """The address, type and shape of the array."""
        ...


class SupportsArrayInterface(Protocol):
    """An array in host memory."""

    @property
    def __array_interface__(self) -> ArrayInterface | dict[str, Any]:
        """The address, type and shape of the array."""
        ...


def is_c_contiguous(shape: Sequence[int], strides: Sequence[int] | None, itemsize: int) -> bool:
    """Return whether an array lies in memory row by row without gaps.

    Parameters
    ----------
    shape : sequence of int
        Lengths of the axes.
    strides : sequence of int or None
        Bytes from one element to the next along each axis; None stands for C order.
    itemsize : int
        Bytes of one element.

    Returns
    -------
    bool
        True for C order. Axes of length 1 may have any stride, and so may all axes of an array without
        elements.

    Examples
    --------
    >>> is_c_contiguous((2, 3), (24, 8), 8), is_c_contiguous((2, 3), (8, 16), 8)
    (True, False)
    """
    return _cuprum.is_c_contiguous(shape, strides, itemsize)
