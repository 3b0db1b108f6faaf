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
    """Read a Feather file (Arrow IPC, version 2) or an Arrow stream into a DataFrame.

    Parameters
    ----------
    path : str, path, bytes or open file
        The file, or an address of the web or that fsspec opens.
    columns : list of str, optional
        The columns to read, by name, in that order; by default all.
    use_threads : bool, default True
        False is refused: the environment variable ``CUPRUM_NUM_THREADS`` says how many threads there are.
    storage_options : dict, optional
        What fsspec is to know to open an address; on the web the texts are headers.
    **kwargs
        ``dtype_backend=None`` alone is known.

    Returns
    -------
    DataFrame
        The rows of the file. Row labels that were written are restored.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    ValueError
        For a file that is cut short, damaged or no Arrow.
    KeyError
        For an unknown column.

    Examples
    --------
    >>> import cuprum
    >>> file = cuprum.DataFrame({"a": [1, None], "b": list("xy")}).to_feather()
    >>> cuprum.read_feather(file)
          a  b
    0     1  x
    1  <NA>  y
    >>> cuprum.read_feather(file, columns=["b"])
       b
    0  x
    1  y
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
    """Write a Feather file (Arrow IPC, version 2) or an Arrow stream.

    Parameters
    ----------
    path : str, path or open file, optional
        The file, or an address that fsspec opens; by default the bytes of the file are returned.
    compression : {``'lz4'``, ``'zstd'``, ``'uncompressed'``, None}, default ``'lz4'``
        How buffers are compressed; None, as ``'uncompressed'``, is not at all.
    compression_level : int, optional
        The level of compression, for ``'zstd'``.
    chunksize : int, optional
        The number of rows of a record batch.
    index : bool, optional
        Whether row labels are written. By default they are columns of the file; ``0, 1, …`` is a note in it.
    stream : bool, default False
        Whether an Arrow stream is written instead.
    storage_options : dict, optional
        What fsspec is to know to open an address.
    **kwargs
        ``version=2`` alone is known.

    Returns
    -------
    bytes or None
        The file where no ``path`` is given, else None.

    Notes
    -----
    Row labels that are not ``0, 1, …`` are written, which pandas refuses.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"a": [1, None]}, index=["x", "y"])
    >>> cuprum.read_feather(frame.to_feather())
          a
    x     1
    y  <NA>
    >>> cuprum.read_feather(frame.to_feather(index=False, compression="zstd"))
          a
    0     1
    1  <NA>
    """
    only_known("to_feather", kwargs, version=2)
    check_truth("stream", stream)
    if index is not None:
        check_truth("index", index)
    options = (index, compression, compression_level, chunksize, stream)

    def write(file: str) -> None:
        _cuprum.write_feather(self._handle, file, *options)

    return put(path, "path", write, storage_options=storage_options)
