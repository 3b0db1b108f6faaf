"""Streams of this library and of others.

Every argument ``stream`` is ``None`` (the thread's own stream of the device that the work runs on), a
`cuprum.rmm.Stream`, or an object with ``__cuda_stream__``, as streams of other libraries have it.

``DEFAULT_STREAM`` and ``CUDF_DEFAULT_STREAM`` are both the calling thread's own stream on the chosen device:
what work is given to where neither arguments nor inputs name another.

Examples
--------
>>> from pylibcuprum import utils
>>> utils.DEFAULT_STREAM.synchronize()
>>> class Foreign:
...     def __cuda_stream__(self) -> tuple[int, int]:
...         return 0, 0
>>> isinstance(Foreign(), HasCudaStream)
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from cuprum._cuprum import Stream, chosen_device, current_stream

if TYPE_CHECKING:
    DEFAULT_STREAM: Stream
    CUDF_DEFAULT_STREAM: Stream

__all__ = ["CUDF_DEFAULT_STREAM", "DEFAULT_STREAM", "CudaStreamLike", "HasCudaStream"]


@runtime_checkable
class HasCudaStream(Protocol):
    """An object with a CUDA stream."""

    def __cuda_stream__(self) -> tuple[int, int]:
        """Return the version of the protocol, 0, and the driver's handle of the stream."""
        ...


CudaStreamLike: TypeAlias = Stream | HasCudaStream


def _get_stream(stream: CudaStreamLike | None = None) -> Stream:
    if stream is None:
        return current_stream(chosen_device())
    return stream if isinstance(stream, Stream) else Stream(stream)


def __getattr__(name: str) -> Stream:
    # Not before somebody asks: a thread's stream on a GPU is made when it is first used.
    if name in ("CUDF_DEFAULT_STREAM", "DEFAULT_STREAM"):
        return _get_stream()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
