"""The peer-to-peer shuffle of `distributed` with packed frames in place of Arrow's streams.

A worker gathers the rows of a partition in the order of the partitions they go to, once, and packs each of those
into a record (`cuprum.core.pack`), whose block of memory is sent as it is. Who receives records only sorts them
into files, without looking into them; a partition is made of the records of its file, whose memory is mapped, by
one concatenation. Frames that cannot be packed (intervals) go by way of Arrow (`tables`), as Dask does it.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from dask.dataframe.dispatch import concat
from distributed.shuffle import _disk, _shuffle
from distributed.shuffle._exceptions import DataUnavailable

import cuprum
from cuprum.core.pack import pack, unpack
from cuprum.dask.tables import alike, order_of

__all__ = ["Records", "buffers_of", "records_of"]

# Of a record in a file: a mark, the partition it comes from, bytes of the header, the metadata and the block. The
# block begins at a multiple of `_ALIGNMENT` bytes, and so does the next record.
_NUMBERS = struct.Struct("<8sqQQQ")
_MARK, _ALIGNMENT = b"cuprum-1", 64

_Run = _shuffle.DataFrameShuffleRun


class Records(list[tuple[int, Any, Any, Any]]):
    """Records of one partition: the partition each comes from, header, metadata and block."""


def _padding(size: int) -> int:
    return -size % _ALIGNMENT


def buffers_of(records: Iterable[tuple[int, Any, Any, Any]]) -> Iterator[Any]:
    """Return what is written to a file, piece by piece."""
    for source, header, metadata, block in records:
        numbers = _NUMBERS.pack(_MARK, source, len(header), len(metadata), block.nbytes)
        before = numbers + header + metadata
        yield before + bytes(_padding(len(before)))
        yield block
        yield bytes(_padding(block.nbytes))


def records_of(data: Any) -> Records:
    """Return the records of a file, or of what of it is in memory, which they share.

    ``ValueError`` where the bytes are no records or end before they should.
    """
    view, start, found = memoryview(data).cast("B"), 0, Records()
    while start < view.nbytes:
        if view.nbytes - start < _NUMBERS.size:
            raise ValueError(f"a shuffled partition ends within a record, after {view.nbytes} bytes")
        mark, source, *sizes = _NUMBERS.unpack_from(view, start)
        if mark != _MARK:
            raise ValueError("a shuffled partition is no record of this version of Cuprum, or is damaged")
        metadata = start + _NUMBERS.size + sizes[0]
        block = metadata + sizes[1]
        header = bytes(view[start + _NUMBERS.size : metadata])
        block += _padding(block - start)
        end = block + sizes[2]
        if end > view.nbytes:
            raise ValueError(f"a shuffled partition ends within a record, after {view.nbytes} bytes")
        found.append((source, header, bytes(view[metadata : metadata + sizes[1]]), view[block:end]))
        start = end + _padding(sizes[2])
    return found


def _is_packed(run: Any) -> bool:
    """Whether a shuffle is one of frames of ours that can be packed."""
    known = getattr(run, "_is_packed", None)
    if known is None:
        known = isinstance(run.meta, cuprum.DataFrame)
        if known:
            try:
                pack(run.meta)
            except NotImplementedError:
                known = False
        run._is_packed = known
    return bool(known)


_shard_of_pandas = _Run._shard_partition


def _shard(run: Any, data: Any, partition_id: int, **kwargs: Any) -> dict[str, tuple[int, Any]]:
    """Return for each worker what goes to the partitions it has: number, header, metadata and block of each."""
    if not _is_packed(run):
        return _shard_of_pandas(run, data, partition_id, **kwargs)
    numbers = data[run.column].to_numpy()
    labels = [label for label in run.meta.columns if not (run.drop_column and label == run.column)]
    rows = (data if labels == list(data.columns) else data[labels]).take(order_of(numbers))
    ends = np.cumsum(np.bincount(numbers.astype("int64"), minlength=1)).tolist()
    found: dict[str, tuple[int, list[Any]]] = {}
    for to, worker in run.worker_for.items():
        first = ends[to - 1] if 0 < to <= len(ends) else 0
        last = ends[to] if to < len(ends) else first
        if last > first:
            header, metadata, block = pack(rows.iloc[first:last])
            # Arrays are sent as they are; `bytes` would be copied into a message and out of it.
            record = int(to), header, metadata, np.frombuffer(block, dtype="uint8")
            found.setdefault(worker, (partition_id, []))[1].append(record)
    return found


_repartition_of_pandas = _Run._repartition_buffers


def _repartition(run: Any, data: Any) -> dict[Any, Any]:
    """Return the records that have come by the partition they go to."""
    if not _is_packed(run):
        return _repartition_of_pandas(run, data)
    found: dict[Any, Records] = {}
    for source, records in data:
        for to, header, metadata, block in records:
            found.setdefault((to,), Records()).append((source, header, metadata, block))
    return found


_bytes_of_dask = _disk.pickle_bytelist


def _bytes(shard: Any, *args: Any, **kwargs: Any) -> Any:
    return list(buffers_of(shard)) if isinstance(shard, Records) else _bytes_of_dask(shard, *args, **kwargs)


_disk.pickle_bytelist = _bytes

_read_of_pandas, _deserialize_of_pandas = _Run.read, _Run.deserialize


def _read(run: Any, path: Any) -> tuple[Any, int]:
    """Return the records of a file, whose memory is mapped, and how large it is."""
    if not _is_packed(run):
        return _read_of_pandas(run, path)
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        return ([records_of(mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ))] if size else []), size


def _deserialize(run: Any, buffer: Any) -> Any:
    return buffer if isinstance(buffer, Records) else _deserialize_of_pandas(run, buffer)


_output_of_pandas = _Run._get_output_partition


def _output(run: Any, partition_id: int, key: Any, **kwargs: Any) -> Any:
    """Return a partition: its records, in the order of the partitions they come from, below each other."""
    if not _is_packed(run):
        return _output_of_pandas(run, partition_id, key, **kwargs)
    meta = run.meta.drop(columns=run.column) if run.drop_column else run.meta
    try:
        found = [record for records in run._read_from_disk((partition_id,)) for record in records]
    except DataUnavailable:
        return meta.copy()
    found.sort(key=lambda record: record[0])
    parts = [unpack(header, metadata, block) for _, header, metadata, block in found]
    # Of one record alone the memory would be the file's.
    return alike(concat(parts) if len(parts) > 1 else parts[0].copy(deep=True), meta)


_Run._shard_partition, _Run._repartition_buffers = _shard, _repartition
_Run.read, _Run.deserialize, _Run._get_output_partition = _read, _deserialize, _output


# A worker may get records before anything else of ours: what says how to read them comes with the description of
# the shuffle, which every worker has to have by then.

_Spec = _shuffle.DataFrameShuffleSpec


def _spec_of(kind: Any, fields: dict[str, Any]) -> Any:
    made = object.__new__(kind)
    made.__dict__.update(fields)
    return made


def _reduced(spec: Any, protocol: Any) -> Any:
    if isinstance(spec.meta, cuprum.DataFrame):
        return _spec_of, (type(spec), dict(spec.__dict__))
    return object.__reduce_ex__(spec, protocol)


_Spec.__reduce_ex__ = _reduced
