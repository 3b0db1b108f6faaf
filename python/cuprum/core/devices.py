"""Devices of frames, series and indexes, and memory of a GPU that other libraries hand out.

What is made of a frame is where the frame is. Columns without labels that an operation is given (masks,
positions, keys, values to store) go where the frame is; two frames of different devices are refused.
"""

from __future__ import annotations

import importlib.util
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import only_truth

if TYPE_CHECKING:
    from cuprum._cuprum import Device
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import AnyDType

__all__ = ["OnDevice", "SharesMemory", "check_arrow_reads", "from_dlpack", "on_host", "usable_device"]


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
        """Return the same values and labels on another device.

        Parameters
        ----------
        device : str, int or Device
            The device: ``'cpu'``, ``'cuda:0'``, ``'emulator'``, or the number of a GPU.

        Returns
        -------
        DataFrame, Series or Index
            The same object on the device; memory is shared where the values are there already.

        Raises
        ------
        ValueError
            For a name that is no device, and for a device that this machine has not.
        RuntimeError
            For a GPU without a driver.

        Examples
        --------
        >>> import cuprum
        >>> s = cuprum.Series([1, 2]).to_device("emulator")
        >>> s.device, (s + 1).device
        ('emulator', 'emulator')
        """
        return self._on(self._handle.to_device(device))

    def to_host(self) -> Self:
        """Return the same values and labels in host memory.

        Returns
        -------
        DataFrame, Series or Index
            The same object on the device ``'cpu'``; memory is shared where the values are there already.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2]).to_device("emulator").to_host().device
        'cpu'
        """
        return self.to_device("cpu")

    def to_cupy(self, dtype: AnyDType | None = None, copy: bool = False, na_value: Any = None) -> Any:
        """Return the elements, numbers and truth values, as a CuPy array on a GPU.

        Parameters
        ----------
        dtype : dtype, optional
            The dtype of the array; that of `to_numpy` by default.
        copy : bool, default False
            Has no effect: the array is always a copy.
        na_value : scalar, optional
            What stands for missing elements: NaN by default, which makes integers floats. Missing truth
            values need it.

        Returns
        -------
        cupy.ndarray
            An array of one dimension, of a DataFrame of two.

        Raises
        ------
        ValueError
            For elements that are neither numbers nor truth values, and for missing truth values without
            ``na_value``.

        Notes
        -----
        Needs CuPy. The elements of a Series on a GPU stay there; all else goes through host memory.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, None]).to_cupy(na_value=0)  # doctest: +SKIP
        array([1, 0])
        """
        import cupy

        only_truth("to_cupy", copy=copy)
        column = self._handle.column() if isinstance(self, SharesMemory) else None
        if column is not None and self.device.startswith("cuda") and not column.null_count():
            nan_stays = na_value is None or column.dtype.kind != "f"
            if nan_stays and column.dtype.kind in "biuf":
                # CuPy asks for the host's interface too, which a column on a GPU refuses.
                interface = column.__cuda_array_interface__
                return cupy.array(SimpleNamespace(__cuda_array_interface__=interface), dtype=dtype)
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
    """Return an object in host memory, for what only the host does: as the option ``fallback`` says."""
    if obj.device == "cpu":
        return obj
    _cuprum.work_on_host(what, obj.device)
    return obj.to_host()


def usable_device(device: str) -> str:
    """Return a device that was written down with data; where this process has no such GPU, the one of data that come in."""
    if not device.startswith("cuda") or device in map(str, _cuprum.devices()):
        return device
    return _cuprum.chosen_device()


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
    """Return a Series of a tensor of one dimension, or a DataFrame of one of two.

    Parameters
    ----------
    pycapsule_obj : object with ``__dlpack__``, or a capsule
        The tensor; a capsule is used up. The values are copied, on the tensor's device.

    Returns
    -------
    Series or DataFrame
        Rows and columns are labelled 0, 1, ….

    Notes
    -----
    A capsule does not say how many dimensions it has: one column becomes a Series.

    Examples
    --------
    >>> import cuprum, numpy
    >>> cuprum.from_dlpack(numpy.array([1, 2]))
    0    1
    1    2
    dtype: int64
    >>> cuprum.from_dlpack(numpy.array([[1.5, 2.5], [3.5, 4.5]]))
         0    1
    0  1.5  2.5
    1  3.5  4.5
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
