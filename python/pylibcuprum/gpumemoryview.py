"""`gpumemoryview`: read-only bytes on a device, shared with what owns them.

Examples
--------
>>> from cuprum.rmm import DeviceBuffer
>>> view = gpumemoryview(DeviceBuffer.to_device(b"abc"))
>>> len(view), len(view.byte_slice(slice(1, None)))
(3, 2)
"""

from cuprum._cuprum import gpumemoryview

__all__ = ["gpumemoryview"]
