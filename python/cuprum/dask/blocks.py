"""Frames in `partd`'s files, where the shuffle on one machine keeps what does not fit into memory."""

from __future__ import annotations

import pickle
from typing import Any

from partd import Encode

import cuprum

__all__ = ["FrameBlocks"]


def _to_bytes(frame: Any) -> bytes:
    return pickle.dumps(frame, protocol=5)


def _joined(frames: list[Any]) -> Any:
    from dask.dataframe.dispatch import concat

    return concat(list(frames)) if frames else cuprum.DataFrame()


class FrameBlocks(Encode):
    """A store of frames by key; what is added to a key comes below what is there."""

    def __init__(self, partd: Any = None) -> None:
        Encode.__init__(self, _to_bytes, pickle.loads, _joined, partd)
