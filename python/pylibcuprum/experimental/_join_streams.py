"""Streams that wait for each other."""

from __future__ import annotations

from cuprum._cuprum import join_streams as _join_streams
from pylibcuprum.utils import CudaStreamLike

__all__ = ["join_streams"]


def join_streams(streams: list[CudaStreamLike], stream: CudaStreamLike) -> None:
    """Let work that ``stream`` is given from now on wait for all that ``streams`` were given until now.

    Nothing waits on the CPU, where work is done when its call returns.

    Raises
    ------
    TypeError
        Where ``streams`` is no list of streams.
    """
    _join_streams(streams, stream)
