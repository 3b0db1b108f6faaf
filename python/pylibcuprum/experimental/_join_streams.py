"""Streams that wait for each other."""

from __future__ import annotations

from cuprum._cuprum import join_streams as _join_streams
from pylibcuprum.utils import CudaStreamLike

__all__ = ["join_streams"]


def join_streams(streams: list[CudaStreamLike], stream: CudaStreamLike) -> None:
    """Let later work of one stream wait for the earlier work of other streams.

    Parameters
    ----------
    streams : list of Stream or of objects with ``__cuda_stream__``
        Streams whose work so far is waited for.
    stream : Stream or object with ``__cuda_stream__``
        Stream whose work from now on waits.

    Raises
    ------
    TypeError
        Where ``streams`` is no list of streams.

    Notes
    -----
    The call itself does not wait. On the CPU work is done when its call returns, so nothing waits.

    Examples
    --------
    >>> from pylibcuprum.utils import DEFAULT_STREAM
    >>> join_streams([DEFAULT_STREAM], DEFAULT_STREAM)
    """
    _join_streams(streams, stream)
