"""Frames between processes: `cuprum.core.pack`, as `distributed` wants to have it."""

from __future__ import annotations

import os
from typing import Any

from distributed.protocol.serialize import dask_deserialize, dask_serialize

import cuprum
from cuprum.core.pack import pack, unpack
from cuprum.dask.workers import in_worker, worker_of_process

__all__ = ["deserialize", "serialize"]


@dask_serialize.register((cuprum.DataFrame, cuprum.Series, cuprum.Index))
def serialize(obj: Any) -> tuple[dict[str, Any], list[Any]]:
    """Return a header and the block of memory that holds all columns."""
    header, metadata, block = pack(obj)
    return {"header": header, "metadata": metadata}, [block]


@dask_deserialize.register((cuprum.DataFrame, cuprum.Series, cuprum.Index))
def deserialize(header: dict[str, Any], frames: list[Any]) -> Any:
    """Return what a header and its frame were made of, as `unpack` does; their memory is shared.

    ``ValueError``, which names the worker, for what is damaged or of another version.
    """
    in_worker()
    try:
        if len(frames) != 1:
            raise ValueError(f"a packed frame has come in {len(frames)} pieces")
        return unpack(header["header"], header["metadata"], frames[0])
    except KeyError as error:
        raise ValueError(f"{_here()}: a packed frame has come without its {error}") from error
    except ValueError as error:
        raise ValueError(f"{_here()}: {error}") from error


def _here() -> str:
    """Return how messages call this process."""
    worker = worker_of_process()
    return f"process {os.getpid()}" if worker is None else f"worker {worker.address}"
