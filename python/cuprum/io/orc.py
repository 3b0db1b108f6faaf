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
    """Read ORC files, which need not be alike; row labels that were written are restored.

    Parameters
    ----------
    path
        A path, ``bytes``, an open file, an address of the web or that fsspec opens, a pattern, a list of these, or a
        directory, whose files become one table as those of `read_parquet` do, with the keys of directories.
    columns
        The columns to read, by name, in that order; all without it.
    filters
        Which rows to read: a list of conditions ``(column, operator, value)`` that rows have to meet, or a list of
        such lists, of which rows have to meet one, as `read_parquet` takes them. Stripes that their statistics rule
        out are not decoded.
    stripes
        The numbers of the stripes to read, in that order; of several files a list of such lists.
    skiprows, num_rows
        How many rows to pass over, and how many to read then; of one file.
    timestamp_type
        The type of timestamps, such as ``'datetime64[ms]'``; nanoseconds without it. What is finer is cut off.
    engine
        ``'pyarrow'`` or ``'cudf'``: results are the same.
    use_index
        Of no effect: it would say how rows are found.
    storage_options
        What fsspec is to know to open an address; texts are headers on the web.
    filesystem
        The file system of fsspec or pyarrow in which the paths are; without it they say so themselves.

    Timestamps are as clocks showed them where the file was written; those with a local time zone are in UTC.
    Maps are lists of structs. Raises ``FileNotFoundError``, ``ValueError`` for a file that is cut short,
    damaged or no ORC, ``KeyError`` for an unknown column, ``IndexError`` for an unknown stripe,
    ``OverflowError`` for a timestamp that the type has not, and ``NotImplementedError`` for a type that there
    is no column of, such as unions.

    >>> import cuprum
    >>> file = cuprum.DataFrame({"a": [1, 2, 3, 4], "b": list("wxyz")}).to_orc()
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
    """Write an ORC file to a path, an address or an open file.

    Its bytes are returned where none is given. ``compression`` is ``'snappy'``, ``'zlib'``, ``'zstd'``,
    ``'lz4'``, or None. A stripe has at most ``stripe_size_rows`` rows (1 000 000) and ``stripe_size_bytes``
    bytes as they are in memory (64 MiB), and statistics of its columns; rows have no index. Row labels are
    columns of the file (pandas refuses to write them), ``0, 1, …`` a note in it; ``index=False`` leaves them
    out. ``engine`` is ``'pyarrow'`` or ``'cudf'``: the file is the same. ``storage_options`` is what fsspec is to know to open an address.

    Categories are written as their values. Raises ``NotImplementedError`` for what ORC has no type for,
    such as unsigned numbers and timedeltas.
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
