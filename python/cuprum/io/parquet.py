"""Parquet: `read_parquet`, `read_parquet_metadata`, and what `to_parquet` of frames calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core.arguments import is_list_like, only_known
from cuprum.core.objects import wrap_frame
from cuprum.io.sources import all_sources, joined, name_of, one_source, put

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["read_parquet", "read_parquet_metadata", "to_parquet"]


def read_parquet(
    path: Any,
    engine: str = "auto",
    columns: Any = None,
    *,
    row_groups: Any = None,
    nrows: int | None = None,
    storage_options: Any = None,
    **kwargs: Any,
) -> DataFrame:
    """Read Parquet files; row labels that pandas or Cuprum wrote are restored.

    Parameters
    ----------
    path
        A path, ``bytes``, an open file, or an address that fsspec opens; a list of them, or a pattern
        (``"data/*.parquet"``), for the rows of all below each other.
    columns
        The columns to read, by name, in that order; all without it.
    row_groups
        The numbers of the row groups to read, of several files a list for each; all without it.
    nrows
        How many rows to read.
    storage_options
        What fsspec is to know to open an address.

    Raises ``FileNotFoundError``, ``ValueError`` for a file that is cut short or no Parquet, and
    ``KeyError`` for an unknown column.
    """
    only_known("read_parquet", {"engine": engine, **kwargs}, engine="auto", **_NOT_IN_PARQUET)
    if columns is not None:
        columns = [str(label) for label in columns]
    sources = all_sources(path, "path", storage_options)
    groups = _row_groups(row_groups, len(sources))

    def frames() -> Iterator[DataFrame]:
        left = nrows
        for source, wanted in zip(sources, groups, strict=True):
            frame = wrap_frame(_cuprum.read_parquet(source, columns, wanted, left))
            left = None if left is None else left - len(frame)
            yield frame

    return joined(frames(), [name_of(source) for source in sources])


def _row_groups(row_groups: Any, files: int) -> list[list[int] | None]:
    """Return the row groups to read of each file."""
    if row_groups is None:
        return [None] * files
    groups: list[Any] = [row_groups] if isinstance(row_groups, int) else list(row_groups)
    if files == 1 and not any(is_list_like(part) for part in groups):
        return [groups]
    if len(groups) != files or not all(is_list_like(part) for part in groups):
        raise ValueError(f"`row_groups` is {row_groups!r}; for {files} files it is as many lists")
    return [list(part) for part in groups]


def read_parquet_metadata(path: Any) -> tuple[int, int, list[str]]:
    """Return the numbers of rows and row groups of a Parquet file, and the names of its columns."""
    return _cuprum.read_parquet_metadata(one_source(path, "path"))


_NOT_IN_PARQUET = dict.fromkeys(["dtype_backend", "filesystem", "filters", "to_pandas_kwargs"], None)


def to_parquet(
    self: DataFrame,
    path: Any = None,
    *,
    compression: str | None = "snappy",
    index: bool | None = None,
    row_group_size: int | None = None,
    compression_level: int | None = None,
    storage_options: Any = None,
    **kwargs: Any,
) -> bytes | None:
    """Write Parquet to a path, an address or an open file; return its bytes where none is given.

    ``compression`` is ``'snappy'``, ``'zstd'``, ``'gzip'`` or None. Row labels are columns of the
    file, ``0, 1, …`` a note in it; ``index=False`` leaves them out. ``storage_options`` is what fsspec is to
    know to open an address.
    """
    known = dict.fromkeys(["partition_cols", "filesystem"])
    only_known("to_parquet", kwargs, engine="auto", **known)
    options = (index, compression, compression_level, row_group_size)

    def write(file: str) -> None:
        _cuprum.write_parquet(self._handle, file, *options)

    return put(path, "path", write, storage_options=storage_options)
