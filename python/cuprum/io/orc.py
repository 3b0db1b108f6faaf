"""ORC: `read_orc`, and what `to_orc` of frames calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack, cast, overload

from cuprum import _cuprum
from cuprum.core.arguments import check_truth, only_engine, only_known, only_truth
from cuprum.core.objects import wrap_frame
from cuprum.io.addresses import on
from cuprum.io.datasets import dataset_of, pieces_of
from cuprum.io.filters import conditions
from cuprum.io.notebook_line import with_line
from cuprum.io.sources import put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.io.file_options import OrcWriteOptions
    from cuprum.typing import OrcEngine, ReadSources, StorageOptions, WriteTarget

__all__ = ["read_orc", "to_orc"]

_ENGINES = ("pyarrow", "cudf")


@with_line
def read_orc(
    path: ReadSources,
    columns: Sequence[str] | None = None,
    *,
    filters: Any = None,
    stripes: Any = None,
    skiprows: int | None = None,
    num_rows: int | None = None,
    timestamp_type: Any = None,
    engine: OrcEngine = "pyarrow",
    use_index: bool = True,
    storage_options: StorageOptions | None = None,
    filesystem: Any = None,
    **kwargs: Any,
) -> DataFrame:
    """Read ORC files into a DataFrame.

    Parameters
    ----------
    path : str, path, bytes, open file or list of these
        The file, an address of the web or that fsspec opens, a pattern, or a directory. Several files become
        one table as those of `read_parquet` do, with the keys of directories.
    columns : list of str, optional
        The columns to read, by name, in that order; by default all.
    filters : list of tuples or list of such lists, optional
        Which rows to read: conditions ``(column, operator, value)`` that rows have to meet, or lists of
        conditions of which rows have to meet one; see `read_parquet`. Stripes that their statistics rule out
        are not decoded.
    stripes : list of int, or list of such lists, optional
        The numbers of the stripes to read, in that order; of several files a list for each.
    skiprows : int, optional
        How many rows to pass over; of one file, and not with ``filters``.
    num_rows : int, optional
        How many rows to read then; as ``skiprows``.
    timestamp_type : dtype or str, optional
        The type of timestamps, such as ``'datetime64[ms]'``; by default nanoseconds. What is finer is cut
        off.
    engine : {``'pyarrow'``, ``'cudf'``}, default ``'pyarrow'``
        Without effect.
    use_index : bool, default True
        Without effect.
    storage_options : dict, optional
        What fsspec is to know to open an address; on the web the texts are headers.
    filesystem : file system of fsspec or pyarrow, optional
        Where the paths are; by default they say so themselves.
    **kwargs
        ``dtype_backend=None`` alone is known.

    Returns
    -------
    DataFrame
        The rows of all files below each other. Row labels that were written are restored.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    ValueError
        For a file that is cut short, damaged or no ORC.
    KeyError
        For an unknown column.
    IndexError
        For an unknown stripe.
    OverflowError
        For a timestamp that ``timestamp_type`` does not have.
    NotImplementedError
        For a type that there is no column of, such as unions.

    Notes
    -----
    Timestamps are as clocks showed them where the file was written; those with a local time zone are in UTC.
    Maps are lists of structs.

    Examples
    --------
    >>> import cuprum
    >>> file = cuprum.DataFrame({"a": [1, 2, 3, 4], "b": list("wxyz")}).to_orc()
    >>> cuprum.read_orc(file, columns=["b"], num_rows=2)
       b
    0  w
    1  x
    >>> cuprum.read_orc(file, filters=[("a", ">", 2), ("b", "in", ["w", "z"])])
       a  b
    0  4  z
    """
    only_engine("read_orc", engine, *_ENGINES)
    only_truth("read_orc", use_index=use_index)
    only_known("read_orc", kwargs, dtype_backend=None)
    if filesystem is not None:
        path, storage_options = cast(Any, on(filesystem, path, "path", storage_options)), None
    for name, value in (("skiprows", skiprows), ("num_rows", num_rows)):
        if value is not None and (not hasattr(value, "__index__") or value < 0):
            raise ValueError(f"`{name}` must be an integer >= 0, not {value!r}")
        if filters is not None and value is not None:
            raise NotImplementedError(f"`{name}` is {value!r}, and `filters` are given: one of both is read")
    wanted = None if filters is None else conditions(filters)
    if columns is not None:
        columns = [str(label) for label in columns]
    dataset = dataset_of(path, "path", storage_options)
    if len(dataset) > 1 and (skiprows is not None or num_rows is not None):
        raise NotImplementedError("read_orc does not support `skiprows` and `num_rows` of several files")
    chosen = pieces_of(stripes, "stripes", len(dataset))
    for number in (number for own in chosen or [] for number in own):
        if not hasattr(number, "__index__") or number < 0:
            raise ValueError(f"`stripes` must have integers >= 0, not {number!r}")
    return wrap_frame(
        dataset.read_orc(columns, chosen, skiprows or 0, num_rows, _unit(timestamp_type), wanted)
    )


def _unit(timestamp_type: Any) -> str:
    if timestamp_type is None:
        return "ns"
    name = str(getattr(timestamp_type, "name", timestamp_type))
    for unit in ("s", "ms", "us", "ns"):
        if name in (f"datetime64[{unit}]", f"M8[{unit}]", f"<M8[{unit}]"):
            return unit
    raise ValueError(f"`timestamp_type` must be datetime64 of s, ms, us or ns, not {timestamp_type!r}")


@overload
def to_orc(self: DataFrame, path: None = ..., **options: Unpack[OrcWriteOptions]) -> bytes: ...
@overload
def to_orc(self: DataFrame, path: WriteTarget, **options: Unpack[OrcWriteOptions]) -> None: ...
@with_line
def to_orc(
    self: DataFrame,
    path: Any = None,
    *,
    index: bool | None = None,
    compression: str | None = "snappy",
    stripe_size_bytes: int | None = None,
    stripe_size_rows: int | None = None,
    engine: str = "pyarrow",
    storage_options: Any = None,
    **kwargs: Any,
) -> bytes | None:
    """Write an ORC file.

    Parameters
    ----------
    path : str, path or open file, optional
        The file, or an address that fsspec opens; by default the bytes of the file are returned.
    index : bool, optional
        Whether row labels are written. By default they are columns of the file; ``0, 1, …`` is a note in it.
    compression : {``'snappy'``, ``'zlib'``, ``'zstd'``, ``'lz4'``, None}, default ``'snappy'``
        How streams are compressed.
    stripe_size_bytes : int, optional
        The most bytes of a stripe, as they are in memory; by default 64 MiB.
    stripe_size_rows : int, optional
        The most rows of a stripe; by default 1 000 000.
    engine : {``'pyarrow'``, ``'cudf'``}, default ``'pyarrow'``
        Without effect.
    storage_options : dict, optional
        What fsspec is to know to open an address.
    **kwargs
        Arguments of pandas and cuDF at their defaults: ``engine_kwargs``, ``statistics``,
        ``row_index_stride``, ``cols_as_map_type``.

    Returns
    -------
    bytes or None
        The file where no ``path`` is given, else None.

    Raises
    ------
    NotImplementedError
        For what ORC has no type for, such as unsigned integers and timedeltas.

    Notes
    -----
    Stripes have statistics of their columns; rows have no index. Categories are written as their values. Row
    labels that are not ``0, 1, …`` are written, which pandas refuses.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"a": [1, None]}, index=["x", "y"])
    >>> cuprum.read_orc(frame.to_orc())
          a
    x     1
    y  <NA>
    >>> cuprum.read_orc(frame.to_orc(index=False, compression="zstd"))
          a
    0     1
    1  <NA>
    """
    only_engine("to_orc", engine, *_ENGINES)
    only_known(
        "to_orc",
        kwargs,
        engine_kwargs=None,
        statistics="STRIPE",
        row_index_stride=None,
        cols_as_map_type=None,
    )
    if index is not None:
        check_truth("index", index)
    for name, value in (("stripe_size_bytes", stripe_size_bytes), ("stripe_size_rows", stripe_size_rows)):
        if value is not None and (not hasattr(value, "__index__") or value < 1):
            raise ValueError(f"`{name}` must be an integer >= 1, not {value!r}")
    options = (index, compression, stripe_size_bytes, stripe_size_rows)

    def write(file: str) -> None:
        _cuprum.write_orc(self._handle, file, *options)

    return put(path, "path", write, storage_options=storage_options)
