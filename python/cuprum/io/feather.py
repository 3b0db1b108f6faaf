"""Arrow IPC files (Feather) and streams: `read_feather`, and what `to_feather` of frames calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, overload

from cuprum import _cuprum
from cuprum.core.arguments import check_truth, only_known
from cuprum.core.objects import wrap_frame
from cuprum.io.notebook_line import with_line
from cuprum.io.sources import one_whole, put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.io.file_options import FeatherWriteOptions
    from cuprum.typing import ReadSource, StorageOptions, WriteTarget

__all__ = ["read_feather", "to_feather"]


@with_line
def read_feather(
    path: ReadSource,
    columns: Sequence[str] | None = None,
    use_threads: bool = True,
    storage_options: StorageOptions | None = None,
    **kwargs: Any,
) -> DataFrame:
    """Read a Feather file (Arrow IPC, version 2) or an Arrow stream; row labels that were written are restored.

    Parameters
    ----------
    path
        A path, ``bytes``, an open file, or an address of the web or that fsspec opens.
    columns
        The columns to read, by name, in that order; all without it.
    use_threads
        Always so; the option ``CUPRUM_NUM_THREADS`` says how many.
    storage_options
        What fsspec is to know to open an address; texts are headers on the web.

    Raises ``FileNotFoundError``, ``ValueError`` for a file that is cut short, damaged or no Arrow, and
    ``KeyError`` for an unknown column.
    """
    only_known("read_feather", kwargs, dtype_backend=None)
    if use_threads is not True:
        raise NotImplementedError(
            f"read_feather does not support `use_threads`={use_threads!r}: set CUPRUM_NUM_THREADS"
        )
    if columns is not None:
        columns = [str(label) for label in columns]
    return wrap_frame(_cuprum.read_feather(one_whole(path, "path", storage_options), columns))


@overload
def to_feather(self: DataFrame, path: None = ..., **options: Unpack[FeatherWriteOptions]) -> bytes: ...
@overload
def to_feather(self: DataFrame, path: WriteTarget, **options: Unpack[FeatherWriteOptions]) -> None: ...
@with_line
def to_feather(
    self: DataFrame,
    path: Any = None,
    *,
    compression: str | None = "lz4",
    compression_level: int | None = None,
    chunksize: int | None = None,
    index: bool | None = None,
    stream: bool = False,
    storage_options: Any = None,
    **kwargs: Any,
) -> bytes | None:
    """Write a Feather file (Arrow IPC, version 2) to a path, an address or an open file.

    Its bytes are returned where none is given. ``compression`` is ``'lz4'``, ``'zstd'``, or
    ``'uncompressed'`` and None; ``chunksize`` is the number of rows of a record batch. Row labels are
    columns of the file (pandas refuses to write them), ``0, 1, …`` a note in it; ``index=False`` leaves
    them out. ``stream=True`` writes an Arrow stream instead. ``storage_options`` is what fsspec is to know
    to open an address.
    """
    only_known("to_feather", kwargs, version=2)
    check_truth("stream", stream)
    if index is not None:
        check_truth("index", index)
    options = (index, compression, compression_level, chunksize, stream)

    def write(file: str) -> None:
        _cuprum.write_feather(self._handle, file, *options)

    return put(path, "path", write, storage_options=storage_options)
