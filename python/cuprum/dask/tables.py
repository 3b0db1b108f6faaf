"""Frames as Arrow tables with their row labels, and back: what the peer-to-peer shuffle sends.

Row labels are columns behind the others; the frame without rows that Dask has for a collection says how many
there are, and which dtypes everything has.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from dask.dataframe.dispatch import (
    from_pyarrow_table_dispatch,
    partd_encode_dispatch,
    pyarrow_schema_dispatch,
    to_pyarrow_table_dispatch,
)
from distributed.shuffle import _arrow, _shuffle

import cuprum
from cuprum import _cuprum
from cuprum.core.construction import cast_column
from cuprum.core.objects import wrap_frame, wrap_index
from cuprum.dask.blocks import FrameBlocks

__all__ = ["LABELS", "alike", "order_of"]

# Names of row labels in tables.
LABELS = "__index_level_{}__"


@to_pyarrow_table_dispatch.register(cuprum.DataFrame)
def _to_table(frame: Any, preserve_index: bool | None = None, **unknown: Any) -> pa.Table:
    """Return a table of the columns; of the row labels, too, unless ``preserve_index`` is False."""
    if unknown:
        raise NotImplementedError(f"the arguments {list(unknown)} are not known")
    handle = frame._handle.to_device("cpu")
    labels = [str(label) for label in handle.labels()]
    columns = handle.columns()
    if preserve_index or (preserve_index is None and not isinstance(frame.index, cuprum.RangeIndex)):
        rows = handle.index()
        columns = [*columns, *(rows.column(i) for i in range(rows.nlevels()))]
        labels = [*labels, *(LABELS.format(i) for i in range(rows.nlevels()))]
    return pa.table([pa.array(column) for column in columns], names=labels)


@pyarrow_schema_dispatch.register(cuprum.DataFrame)
def _schema(frame: Any, preserve_index: bool | None = None) -> pa.Schema:
    return _to_table(frame.iloc[:0], preserve_index).schema


@from_pyarrow_table_dispatch.register(cuprum.DataFrame)
def _of_table(meta: Any, table: pa.Table, self_destruct: Any = None, **unknown: Any) -> Any:
    """Return a frame of a table; labels, their names and dtypes are those of ``meta``."""
    if unknown:
        raise NotImplementedError(f"the arguments {list(unknown)} are not known")
    names = [str(label) for label in meta._handle.labels()]
    missing = [name for name in names if name not in table.column_names]
    if missing:
        raise ValueError(f"the table has no columns {missing}, which a partition has to have")
    wanted = meta._handle.columns()
    columns = [_typed(table.column(name), like) for name, like in zip(names, wanted, strict=True)]
    rows, index = meta._handle.index(), None
    found = [LABELS.format(i) for i in range(rows.nlevels())]
    if all(name in table.column_names for name in found):
        parts = [_typed(table.column(name), rows.column(i)) for i, name in enumerate(found)]
        index = _cuprum.Index.from_columns(parts, rows.names())
    labels = meta._handle.labels()
    handle = _cuprum.DataFrame(labels, columns, wrap_index(index)._handle if index is not None else None)
    return wrap_frame(handle.with_labels(labels, meta._handle.level_names()))


def _typed(chunks: Any, like: Any) -> Any:
    """Return a column of an Arrow column, of the dtype of another; categories are those that the data have."""
    if pa.types.is_dictionary(chunks.type):
        chunks = chunks.unify_dictionaries()
    return _cast(_cuprum.typed_column_from_arrow(chunks.combine_chunks()), like)


def _cast(column: Any, like: Any) -> Any:
    if column.dtype == like.dtype:
        return column
    known = like.categories()
    if known is not None and column.categories() is not None:
        # Those of the collection, in their order, if the data have no others.
        made = cast_column(column, like.dtype)
        return made if made.null_count() == column.null_count() else column
    return cast_column(column, like.dtype)


def alike(frame: Any, meta: Any) -> Any:
    """Return a frame with the dtypes of another; categories are those that the data have."""
    columns, wanted = frame._handle.columns(), meta._handle.columns()
    if all(column.dtype == like.dtype for column, like in zip(columns, wanted, strict=True)):
        return frame
    made = [_cast(column, like) for column, like in zip(columns, wanted, strict=True)]
    handle = _cuprum.DataFrame(meta._handle.labels(), made, frame.index._handle)
    return wrap_frame(handle.with_labels(meta._handle.labels(), meta._handle.level_names()))


_convert_of_pandas = _shuffle.convert_shards


def _convert_shards(shards: Any, meta: Any, partition_column: str, drop_column: bool) -> Any:
    """Return the partition that pieces from all workers are, in the order of the partitions they come from.

    Dask's own function finds common dtypes for what pandas makes of tables; here all have those of ``meta``.
    """
    if not isinstance(meta, cuprum.DataFrame):
        return _convert_of_pandas(shards, meta, partition_column, drop_column)
    table = _arrow.concat_tables(shards)
    sources = np.asarray(table.column(_arrow._INPUT_PARTITION_ID_COLUMN))
    frame = _of_table(meta.drop(columns=partition_column) if drop_column else meta, table)
    if len(sources) and (sources[1:] < sources[:-1]).any():
        return frame.take(order_of(sources))
    return frame


def order_of(numbers: Any) -> Any:
    """Return the places of rows in the order of small numbers, of equal ones in their own order."""
    small = numbers.astype("uint16") if not len(numbers) or numbers.max() < 1 << 16 else numbers
    return np.argsort(small, kind="stable")


_split_of_pandas = _shuffle.split_by_worker


def _split_by_worker(frame: Any, column: str, meta: Any, worker_for: Any) -> dict[Any, pa.Table]:
    """Return the rows that go to each worker, those of one partition side by side."""
    if not isinstance(frame, cuprum.DataFrame):
        return _split_of_pandas(frame, column, meta, worker_for)
    numbers = frame[column].to_numpy().astype("int64")
    known = np.asarray(worker_for.index, dtype="int64")
    codes = np.asarray(worker_for.cat.codes, dtype="int64")
    most = int(max(known.max(initial=0), numbers.max(initial=0))) + 1
    workers = np.full(most, -1)
    workers[known] = codes
    to = workers[numbers]
    order = order_of((to + 1) * most + numbers)
    # Partitions that nobody asks for go to no worker.
    order = order[np.count_nonzero(to < 0) :]
    if not len(order):
        return {}
    table = _to_table(frame.take(order), True)
    to = to[order]
    starts = np.concatenate([[0], np.flatnonzero(to[1:] != to[:-1]) + 1])
    ends = [*starts[1:], len(to)]
    names = worker_for.cat.categories
    return {names[to[a]]: table.slice(a, b - a) for a, b in zip(starts, ends, strict=True)}


_parts_of_pandas = _shuffle.split_by_partition


def _split_by_partition(table: pa.Table, column: str, drop_column: bool) -> dict[int, pa.Table]:
    """Return the rows of each partition; slices where every batch has those of one side by side, as ours have."""
    found: dict[int, list[pa.RecordBatch]] = {}
    place = table.column_names.index(column)
    for batch in table.to_batches():
        numbers = np.asarray(batch.column(place))
        steps = numbers[1:] != numbers[:-1]
        if (numbers[1:] < numbers[:-1]).any():
            return _parts_of_pandas(table, column, drop_column)
        kept = batch.drop_columns([column]) if drop_column else batch
        starts = [0, *np.flatnonzero(steps) + 1] if len(numbers) else []
        for a, b in zip(starts, [*starts[1:], len(numbers)], strict=True):
            found.setdefault(int(numbers[a]), []).append(kept.slice(a, b - a))
    return {number: pa.Table.from_batches(found[number]) for number in sorted(found)}


_shuffle.split_by_worker = _split_by_worker
_shuffle.split_by_partition = _split_by_partition
_shuffle.convert_shards = _convert_shards


@partd_encode_dispatch.register(cuprum.DataFrame)
def _blocks(_: Any) -> Any:
    return FrameBlocks
