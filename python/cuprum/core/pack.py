"""Frames, series and indexes as one block of memory: what pickles (protocol 5) and Dask send.

The block is `contiguous_split.pack`'s, which is written at the speed of a copy; whoever reads it shares its memory.
It is checked as `unpack_from` checks it, and so are the header's numbers: damaged bytes are an error. The header is
a pickle and therefore, like every pickle, to be read only from those that you trust.
"""

from __future__ import annotations

import pickle
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column, Table
from cuprum.core import objects
from cuprum.core.copy_on_write import Sharing, attrs_of
from cuprum.core.devices import usable_device
from cuprum.core.pylibcudf_interop import stored_columns, with_meanings

__all__ = ["VERSION", "pack", "unpack"]

# The version of the header. Readers of another one refuse it.
VERSION = 1


def pack(obj: Any) -> tuple[bytes, bytes, memoryview]:
    """Return the header, the metadata and the block of a frame, series or index.

    ``NotImplementedError`` for dtypes that a table does not keep (intervals).
    """
    header: dict[str, Any] = {"version": VERSION, "rows": len(obj), "device": obj._handle.device()}
    handle = obj._handle.to_device("cpu")
    if isinstance(obj, objects.DataFrame):
        columns, rows = list(handle.columns()), handle.index()
        header |= {"kind": "frame", "labels": handle.labels(), "level_names": handle.level_names()}
    elif isinstance(obj, objects.Series):
        columns, rows = [handle.column()], handle.index()
        header |= {"kind": "series", "name": handle.name()}
    else:
        columns, rows = [], handle
        header["kind"] = "index"
    index = objects.wrap_index(rows)
    header["names"] = list(rows.names())
    if hasattr(index, "start"):
        header["range"] = index.start, index.stop, index.step
    else:
        columns += [rows.column(i) for i in range(rows.nlevels())]
    stored, header["dtypes"] = stored_columns(columns)
    header["attrs"] = (isinstance(obj, Sharing) and attrs_of(obj)) or None
    block: Any
    # Columns without memory are on no device, and would be packed where data live.
    host = _cuprum.get_per_device_resource("cpu")
    metadata, block = _cuprum.pack(Table(stored, len(handle)), mr=host).release()
    return pickle.dumps(header, protocol=5), bytes(metadata), memoryview(block).toreadonly()


def unpack(header: Any, metadata: Any, block: Any) -> Any:
    """Return what `pack` was given, on the device where that was; without that device here, where data come in.

    Nobody may write to the block afterwards. ``ValueError`` for what is damaged or of another version.
    """
    try:
        known = pickle.loads(header)
        version = known["version"]
    except Exception as error:
        raise ValueError(f"the header of a packed frame is damaged: {error}") from error
    if version != VERSION:
        raise ValueError(
            f"a packed frame is of version {version!r}, and this Cuprum ({_cuprum.__version__}) knows {VERSION}: "
            "sender and receiver have to have the same Cuprum"
        )
    try:
        table = _cuprum.unpack_from_memoryviews(bytes(metadata), _shared(block))
    except RuntimeError as error:
        raise ValueError(f"a packed frame is damaged: {error}") from error
    try:
        made = _restored(known, table)
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"the header of a packed frame is damaged: {error!r}") from error
    if known["attrs"]:
        made.attrs = known["attrs"]
    return made.to_device(usable_device(known["device"]))


def _shared(block: Any) -> Any:
    """Return memory without a copy, where its first byte is at a place that suits all elements."""
    import numpy as np

    if isinstance(block, bytes):
        return block
    array = np.frombuffer(block, dtype="uint8")
    if not array.size or array.ctypes.data % 16:
        return block
    return Column.from_numpy(array, False).data()


def _restored(header: dict[str, Any], table: Table) -> Any:
    columns = with_meanings(table.columns(), header["dtypes"])
    names, rows = header["names"], header["rows"]
    if "range" in header and len(names) != 1:
        raise ValueError(f"a packed frame has {len(names)} names for one level of labels")
    if "range" in header:
        start, stop, step = header["range"]
        index: Any = objects.RangeIndex(start, stop, step, name=names[0])
    else:
        levels = columns[max(0, len(columns) - len(names)) :]
        columns = columns[: len(columns) - len(levels)]
        if len(levels) != len(names) or not levels:
            raise ValueError(f"a packed frame has {len(names)} levels of labels in {len(levels)} columns")
        index = objects.wrap_index(_cuprum.Index.from_columns(levels, names))
    if len(index) != rows or table.num_rows() != rows:
        raise ValueError(
            f"a packed frame says {rows} rows and has {table.num_rows()}, {len(index)} of them labelled"
        )
    if header["kind"] == "index":
        return index
    if header["kind"] == "series":
        if len(columns) != 1:
            raise ValueError(f"a packed series has {len(columns)} columns")
        return objects.wrap_series(_cuprum.Series(columns[0], header["name"], index._handle))
    labels = header["labels"]
    if len(labels) != len(columns):
        raise ValueError(f"a packed frame has {len(labels)} labels for {len(columns)} columns")
    handle = _cuprum.DataFrame(labels, columns, index._handle)
    return objects.wrap_frame(handle.with_labels(labels, header["level_names"]))
