"""Memory that has an address and a size.

Examples
--------
>>> from cuprum.rmm import DeviceBuffer
>>> is_span(DeviceBuffer(size=8)), is_span(b"bytes")
(True, False)
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

__all__ = ["Span", "is_span"]


@runtime_checkable
class Span(Protocol):
    """Memory of any device that something else keeps."""

    @property
    def ptr(self) -> int:
        """The address of the first byte."""
        ...

    @property
    def size(self) -> int:
        """The number of bytes."""
        ...


def is_span(obj: object) -> bool:
    """Return whether an object has an address and a size, as `Span` says.

    Parameters
    ----------
    obj : object
        The object to test.

    Returns
    -------
    bool
        True where the object has ``ptr`` and ``size``.

    Examples
    --------
    >>> from cuprum.rmm import DeviceBuffer
    >>> is_span(DeviceBuffer(size=8)), is_span(b"bytes")
    (True, False)
    """
    return isinstance(obj, Span)
