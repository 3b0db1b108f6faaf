"""Parquet: `read_parquet`, `read_parquet_metadata`, and what `to_parquet` of frames calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core.arguments import is_list_like, only_known, only_truth
from cuprum.core.objects import wrap_frame
from cuprum.io.datasets import keys_of, parts_of, with_keys, without_keys
from cuprum.io.filters import conditions
from cuprum.io.sources import joined, name_of, one_source, put

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["read_parquet", "read_parquet_metadata", "to_parquet"]


def read_parquet(
    path: Any,
    engine: str = "auto",
    columns: Any = None,
    *,
    filters: Any = None,
    row_groups: Any = None,
    nrows: int | None = None,
    skip_rows: int | None = None,
    use_pandas_metadata: bool = True,
    categorical_partitions: bool = True,
    storage_options: Any = None,
    **kwargs: Any,
) -> DataFrame:
    """Read Parquet files; row labels that pandas or Cuprum wrote are restored.

    Parameters
    ----------
    path
        A path, ``bytes``, an open file, or an address that fsspec opens; a list of them, or a pattern
        (``"data/*.parquet"``), for the rows of all below each other; or a directory, for those of all files in
        it and below. Directories named ``key=value`` (Hive partitions) give columns: of integers where all values
        are, else of texts.
    columns
        The columns to read, by name, in that order; all without it.
    filters
        Which rows to read: a list of conditions ``(column, operator, value)`` that rows have to meet, or a list of
        such lists, of which rows have to meet one. Operators are ``=``, ``==``, ``!=``, ``<``, ``<=``, ``>``,
        ``>=``, ``in`` and ``not in``; a missing value meets none of them but ``in`` a list that has None, and
        ``not in`` one that has not. What statistics, page index and bloom filters of a file rule out is not
        decoded, and files that their keys rule out are not opened.
    row_groups
        The numbers of the row groups to read, of several files a list for each; all without it.
    nrows
        How many rows to read.
    skip_rows
        How many rows to pass over before.
    use_pandas_metadata
        Whether to restore row labels from what pandas or Cuprum wrote; without it they are columns.
    categorical_partitions
        Whether columns from the names of directories are categories, as in pandas.
    storage_options
        What fsspec is to know to open an address.

    Raises ``FileNotFoundError``, ``ValueError`` for a file that is cut short or no Parquet, ``KeyError`` for an
    unknown column, and ``TypeError`` for a filter that compares a column with a value of another kind.

    >>> import cuprum
    >>> file = cuprum.DataFrame({"a": [1, 2, 3, 4], "b": list("wxyz")}).to_parquet()
    >>> cuprum.read_parquet(file, filters=[("a", ">", 2), ("b", "in", ["w", "z"])])
       a  b
    0  4  z
    """
    only_known("read_parquet", {"engine": engine, **kwargs}, engine="auto", **_NOT_IN_PARQUET)
    only_truth("read_parquet", use_pandas_metadata=use_pandas_metadata)
    only_truth("read_parquet", categorical_partitions=categorical_partitions)
    for argument, value in {"nrows": nrows, "skip_rows": skip_rows}.items():
        if filters is not None and value is not None:
            raise NotImplementedError(
                f"`{argument}` is {value!r}, and `filters` are given: one of both is read"
            )
    if skip_rows is not None and row_groups is not None:
        raise NotImplementedError(
            f"`skip_rows` is {skip_rows}, and `row_groups` are given: one of both is read"
        )
    if columns is not None:
        columns = [str(label) for label in columns]
    wanted = None if filters is None else conditions(filters)
    parts = parts_of(path, "path", storage_options)
    keys = keys_of(parts)
    groups = _row_groups(row_groups, len(parts))
    in_files = None if columns is None else [label for label in columns if label not in keys]
    files: list[int] = []
    lengths: list[int] = []
    names: list[str] = []

    def read(file: int, groups: Any, left: int | None, skip: int, filters: Any) -> DataFrame:
        source = parts[file].source
        frame = wrap_frame(
            _cuprum.read_parquet(source, in_files, groups, left, skip, filters, use_pandas_metadata)
        )
        if any(name in frame.columns for name in keys):
            twice = next(name for name in keys if name in frame.columns)
            raise ValueError(f"{name_of(source)} has a column {twice!r}, which its directory names as well")
        files.append(file)
        names.append(name_of(source))
        lengths.append(len(frame))
        return frame

    def frames() -> Iterator[DataFrame]:
        left, skip = nrows, skip_rows or 0
        for file, part in enumerate(parts):
            asked = wanted if wanted is None else without_keys(wanted, keys, file)
            if asked is False:
                continue
            if skip and len(parts) > 1:
                rows = _cuprum.read_parquet_metadata(part.source)[0]
                if rows <= skip:
                    skip -= rows
                    continue
            frame = read(file, groups[file], left, skip, None if asked is True else asked)
            left, skip = None if left is None else left - len(frame), 0
            yield frame
        if not files:
            # No rows are left, but their columns; what is asked of these has to be right all the same.
            of_rows = [[one for one in every if one.column not in keys] for every in wanted or []]
            yield read(0, [], None, 0, [every for every in of_rows if every] or None)

    frame = joined(frames(), names)
    if keys:
        frame = with_keys(frame, keys, lengths, files, categorical_partitions)
        if columns is not None:
            frame = frame[columns]
    return frame


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


_NOT_IN_PARQUET: dict[str, Any] = {
    **dict.fromkeys(["dtype_backend", "filesystem", "to_pandas_kwargs", "dataset_kwargs"]),
    **dict.fromkeys(["allow_mismatched_pq_schemas", "ignore_missing_columns"], False),
}


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
