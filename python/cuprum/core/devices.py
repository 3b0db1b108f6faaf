"""Devices of frames, series and indexes, and memory of a GPU that other libraries hand out.

What is made of a frame is where the frame is. Columns without labels that an operation is given (masks,
positions, keys, values to store) go where the frame is; two frames of different devices are refused.
"""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING, Any, Self

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import only_truth
from cuprum.options import get_option

if TYPE_CHECKING:
    from cuprum._cuprum import Device
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import AnyDType

__all__ = ["OnDevice", "SharesMemory", "check_arrow_reads", "from_dlpack", "on_host"]


class OnDevice:
    """Values that are on a device."""

    __slots__ = ()

    _handle: Any

    @property
    def device(self) -> str:
        """The name of the device that holds the values: ``'cpu'``, ``'cuda:0'``, ``'emulator'``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2]).to_device("emulator").device
        'emulator'
        """
        return self._handle.device()

    def to_device(self, device: str | int | Device) -> Self:
        """Return the same values and labels on another device; shared where they are there already.

        Raises ``ValueError`` for a name that is no device and for one that this machine has not, and
        ``RuntimeError`` without a driver.
        """
        return self._on(self._handle.to_device(device))

    def to_host(self) -> Self:
        """Return the same values and labels in host memory."""
        return self.to_device("cpu")

    def to_cupy(self, dtype: AnyDType | None = None, copy: bool = False, na_value: Any = None) -> Any:
        """Return the elements, numbers and truth values, as a CuPy array of the caller's own on a GPU.

        Needs CuPy. Missing numbers are NaN, which makes integers floats, or ``na_value``; missing truth values have to
        have one. The elements of a series on a GPU stay there, all else goes through host memory.

        Parameters
        ----------
        dtype
            The type of the array; that of `to_numpy` without it.
        copy
            A truth value: the array is a copy either way.
        na_value
            What stands for missing elements.
        """
        import cupy

        only_truth("to_cupy", copy=copy)
        column = self._handle.column() if isinstance(self, SharesMemory) else None
        if column is not None and self.device.startswith("cuda") and not column.null_count():
            nan_stays = na_value is None or column.dtype.kind != "f"
            if nan_stays and column.dtype.kind in "biuf":
                return cupy.array(column, dtype=dtype)
        obj: Any = self
        values = obj.to_numpy(dtype, na_value=... if na_value is None else na_value)
        if values.dtype.kind not in "biuf":
            raise ValueError(
                f"no CuPy array has elements of {values.dtype}: Column must have no nulls, unless `na_value` stands for them"
            )
        return cupy.array(values)

    def _on(self, handle: Any) -> Self:
        raise NotImplementedError


def on_host(obj: Any, what: str) -> Any:
    """Return an object in host memory, for what only the host does.

    ``NotImplementedError`` for one that is elsewhere, unless the option ``fallback`` is ``'host'``.
    """
    if obj.device == "cpu":
        return obj
    if get_option("fallback") != "host":
        raise NotImplementedError(f"{what} is not there on {obj.device}: use to_host() first")
    return obj.to_host()


def check_arrow_reads(device: str) -> None:
    """Fail with ``AttributeError`` where no reader of Arrow's device arrays knows ``device``.

    Readers that find the method take nothing else. None knows the emulator; pyarrow, where it is in use, knows
    GPUs only if it was built with CUDA, and reads the host's copy (``__arrow_c_array__``) else.
    """
    known = device == "cpu" or not device.startswith("emulator")
    if known and device != "cpu" and "pyarrow" in sys.modules:
        known = importlib.util.find_spec("pyarrow._cuda") is not None
    if not known:
        raise AttributeError(f"{device} is no device that readers of Arrow's device arrays know here")


class SharesMemory:
    """A series whose memory other libraries may read: DLPack, Arrow's device arrays, CUDA's array interface.

    DLPack and CUDA's interface have numbers and truth values, DLPack those without missing ones. Whoever reads
    must not write.
    """

    __slots__ = ()

    _handle: Any

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self._handle.column().__cuda_array_interface__

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        return self._handle.column().__dlpack__(
            stream=stream, max_version=max_version, dl_device=dl_device, copy=copy
        )

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._handle.column().__dlpack_device__()

    @property
    def __arrow_c_device_array__(self) -> Any:
        check_arrow_reads(self._handle.device())
        return self._handle.column().__arrow_c_device_array__


def from_dlpack(pycapsule_obj: Any) -> DataFrame | Series:
    """Make a Series of a tensor of one dimension, or a DataFrame of one of two.

    Parameters
    ----------
    pycapsule_obj
        An object with ``__dlpack__``, or the capsule that it makes. The values are copied, on the tensor's
        device.

    Examples
    --------
    >>> import cuprum, numpy
    >>> cuprum.from_dlpack(numpy.array([1, 2])).sum()
    np.int64(3)
    """
    columns = list(_cuprum.from_dlpack(pycapsule_obj, None, None).columns())
    if _dimensions(pycapsule_obj, columns) == 1:
        return objects.Series(columns[0])
    handle = _cuprum.DataFrame(list(range(len(columns))), columns)
    return objects.wrap_frame(handle)


def _dimensions(obj: Any, columns: list[Column]) -> int:
    """The dimensions of a tensor; a capsule does not say: one column is one dimension."""
    shape = getattr(obj, "shape", None)
    return len(shape) if shape is not None else min(len(columns), 2)
