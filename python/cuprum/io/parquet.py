"""Parquet: `read_parquet`, `read_parquet_metadata`, and what `to_parquet` of frames calls."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, cast, overload

from cuprum import _cuprum
from cuprum._cuprum import _io
from cuprum.core.arguments import check_truth, is_list_like, only_default, only_engine, only_known, only_truth
from cuprum.core.objects import wrap_frame
from cuprum.io.addresses import on, target_on
from cuprum.io.datasets import DatasetTarget, dataset_of, pieces_of
from cuprum.io.filters import conditions
from cuprum.io.notebook_line import with_line
from cuprum.io.sources import DeferredWriter, one_in_pieces, put

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.io.file_options import ParquetWriteOptions
    from cuprum.typing import ParquetEngine, ReadSource, ReadSources, StorageOptions, WriteTarget

__all__ = [
    "ParquetDatasetWriter",
    "ParquetWriter",
    "read_parquet",
    "read_parquet_metadata",
    "to_parquet",
]


@with_line
def read_parquet(
    path: ReadSources,
    engine: ParquetEngine = "auto",
    columns: Sequence[str] | None = None,
    *,
    filters: Any = None,
    row_groups: Any = None,
    nrows: int | None = None,
    skip_rows: int | None = None,
    use_pandas_metadata: bool = True,
    categorical_partitions: bool = True,
    storage_options: StorageOptions | None = None,
    filesystem: Any = None,
    schema: Any = None,
    **kwargs: Any,
) -> DataFrame:
    """Read Parquet files into a DataFrame.

    Parameters
    ----------
    path : str, path, bytes, open file or list of these
        The file, or an address of the web or that fsspec opens; a pattern (``"data/*.parquet"``); or a
        directory, for all files in it and below. Directories named ``key=value`` (Hive partitions) give
        columns: of integers where all values are, else of texts.
    engine : {``'auto'``, ``'pyarrow'``, ``'cudf'``}, default ``'auto'``
        Without effect; ``'fastparquet'`` is refused.
    columns : list of str, optional
        The columns to read, by name, in that order; by default all.
    filters : list of tuples or list of such lists, optional
        Which rows to read: conditions ``(column, operator, value)`` that rows have to meet, or lists of
        conditions of which rows have to meet one. Operators are ``=``, ``==``, ``!=``, ``<``, ``<=``, ``>``,
        ``>=``, ``in`` and ``not in``.
    row_groups : list of int, or list of such lists, optional
        The numbers of the row groups to read, of several files a list for each; by default all.
    nrows : int, optional
        How many rows to read; not with ``filters``.
    skip_rows : int, optional
        How many rows to pass over before; not with ``filters`` or ``row_groups``. Rows that are left have the
        labels that they have in the whole file.
    use_pandas_metadata : bool, default True
        Whether to restore row labels from what pandas or Cuprum wrote; else they are columns.
    categorical_partitions : bool, default True
        Whether columns from the names of directories are categories, as in pandas.
    storage_options : dict, optional
        What fsspec is to know to open an address; on the web the texts are headers.
    filesystem : file system of fsspec or pyarrow, optional
        Where the paths are; by default they say so themselves.
    schema : pyarrow.Schema, optional
        The columns to read of all files, and their types. What a file lacks is missing.
    **kwargs
        Arguments of pandas and cuDF at their defaults, such as ``dtype_backend=None``.

    Returns
    -------
    DataFrame
        The rows of all files below each other.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    ValueError
        For a file that is cut short or no Parquet, for files whose columns have no common type, and for what
        does not fit ``schema``.
    KeyError
        For an unknown column.
    TypeError
        For a filter that compares a column with a value of another kind.

    Notes
    -----
    Files need not be alike: the columns of all are read, missing where a file has none, each of the type that
    has the values of all (that of ``pyarrow.unify_schemas`` with ``promote_options="permissive"``).

    A missing value meets no condition but ``in`` a list that has None, and ``not in`` one that does not. What
    statistics, page index and bloom filters of a file rule out is not decoded, and files that their keys rule
    out are not opened.

    On the CPU, the columns of one file without ``filters`` are read as they are stored, and decoded when somebody
    looks at them: a column that nobody looks at is not decoded, and of one that is filtered first only pages with
    rows that are left. What becomes of the file after this call does not matter. A page that is damaged fails
    when its column is decoded, with the same ValueError. Columns of fewer rows than the option ``mode.late_rows``
    (32768; None for never), categories, lists and structs are decoded at once, and so is everything under a
    memory limit.

    Examples
    --------
    >>> import cuprum
    >>> file = cuprum.DataFrame({"a": [1, 2, 3, 4], "b": list("wxyz")}).to_parquet()
    >>> cuprum.read_parquet(file, columns=["b"], nrows=2)
       b
    0  w
    1  x
    >>> cuprum.read_parquet(file, filters=[("a", ">", 2), ("b", "in", ["w", "z"])])
       a  b
    0  4  z
    """
    only_engine("read_parquet", engine, *_ENGINES)
    only_known("read_parquet", kwargs, **_NOT_IN_PARQUET)
    if filesystem is not None:
        path, storage_options = cast(Any, on(filesystem, path, "path", storage_options)), None
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
    if schema is not None and not (hasattr(schema, "names") and hasattr(schema, "field")):
        raise TypeError(f"`schema` must be a pyarrow.Schema, not {type(schema).__name__}")
    if columns is not None:
        columns = [str(label) for label in columns]
    dataset = dataset_of(path, "path", storage_options)
    return wrap_frame(
        dataset.read_parquet(
            columns,
            pieces_of(row_groups, "row_groups", len(dataset)),
            nrows,
            skip_rows or 0,
            None if filters is None else conditions(filters),
            use_pandas_metadata,
            categorical_partitions,
            schema,
        )
    )


def read_parquet_metadata(path: ReadSource) -> tuple[int, int, list[str], int, list[dict[str, int]]]:
    """Return what a Parquet file says of its size.

    Parameters
    ----------
    path : str, path, bytes or open file
        The file, or an address of the web or that fsspec opens.

    Returns
    -------
    tuple of int, int, list of str, int and list of dicts
        The numbers of rows and row groups, the names of the columns and their number, and for each row group
        the rows (``num_rows``) and the bytes before compression (``total_byte_size``).

    Raises
    ------
    ValueError
        For a file that is cut short or no Parquet.

    Examples
    --------
    >>> import cuprum
    >>> file = cuprum.DataFrame({"a": [1, 2]}).to_parquet(row_group_size=1)
    >>> cuprum.read_parquet_metadata(file)[:4]
    (2, 2, ['a'], 1)
    """
    footer = _io.parquet_footer(one_in_pieces(path, "path"), False)
    names = [str(column[0]) for column in footer["schema"][2]]
    sizes = [
        {name: group[name] for name in ("num_rows", "total_byte_size")} for group in footer["row_groups"]
    ]
    return footer["num_rows"], len(sizes), names, len(names), sizes


_ENGINES = ("auto", "pyarrow", "cudf")

_NOT_IN_PARQUET: dict[str, Any] = {
    **dict.fromkeys(["dtype_backend", "to_pandas_kwargs", "dataset_kwargs"]),
    **dict.fromkeys(["allow_mismatched_pq_schemas", "ignore_missing_columns"], False),
}


class _Options(TypedDict):
    """The extension's options of a written file."""

    compression: str | None
    compression_level: int | None
    row_group_rows: int | None
    row_group_bytes: int | None
    page_rows: int | None
    page_bytes: int | None
    dictionary_bytes: int | None
    statistics: str
    dictionary: bool
    columns: list[tuple[str, bool | None, str | None, tuple[int | None, float] | None, bool]]
    metadata: list[tuple[str, str]]
    pages_v2: bool
    arrow_schema: bool


def write_options(
    *,
    compression: Any = "snappy",
    compression_level: Any = None,
    statistics: Any = "PAGE",
    row_group_size_rows: Any = None,
    row_group_size_bytes: Any = None,
    max_page_size_rows: Any = None,
    max_page_size_bytes: Any = None,
    max_dictionary_size: Any = None,
    use_dictionary: Any = True,
    column_encoding: Any = None,
    bloom_filters: Any = None,
    metadata: Any = None,
    store_schema: bool = True,
    uncompressed: Any = (),
    header_version: Literal["1.0", "2.0"] = "1.0",
) -> _Options:
    """Return what is asked for of a file that is written."""
    sizes = {
        "row_group_size_rows": row_group_size_rows,
        "row_group_size_bytes": row_group_size_bytes,
        "max_page_size_rows": max_page_size_rows,
        "max_page_size_bytes": max_page_size_bytes,
        "max_dictionary_size": max_dictionary_size,
    }
    for argument, size in sizes.items():
        if size is not None and (isinstance(size, bool) or not isinstance(size, Integral) or size < 1):
            raise ValueError(f"`{argument}` is {size!r}; it is a number above 0")
    if not isinstance(statistics, str):
        raise TypeError(f"`statistics` is {statistics!r}; it is 'NONE', 'ROWGROUP', 'PAGE' or 'COLUMN'")
    columns: dict[str, dict[str, Any]] = {}
    if not isinstance(use_dictionary, bool):
        for label in _labels(use_dictionary, "use_dictionary"):
            columns.setdefault(label, {})["dictionary"] = True
    for label, encoding in _by_label(column_encoding, "column_encoding").items():
        if encoding == "DICTIONARY":
            columns.setdefault(label, {})["dictionary"] = True
        elif encoding != "USE_DEFAULT":
            columns.setdefault(label, {})["encoding"] = str(encoding)
    if isinstance(bloom_filters, Mapping):
        blooms = _by_label(bloom_filters, "bloom_filters")
    else:
        blooms = dict.fromkeys(_labels(bloom_filters, "bloom_filters")) if bloom_filters is not None else {}
    for label, wanted in blooms.items():
        own = dict(wanted or {})
        values, probability = own.pop("ndv", None), own.pop("fpp", 0.05)
        if own:
            raise ValueError(
                f"`bloom_filters` of column {label!r} has {next(iter(own))!r}; there are 'ndv' and 'fpp'"
            )
        columns.setdefault(label, {})["bloom"] = (values, probability)
    for label in uncompressed:
        columns.setdefault(label, {})["uncompressed"] = True
    return {
        "compression": None if compression is None else str(compression).lower(),
        "compression_level": compression_level,
        "row_group_rows": row_group_size_rows,
        "row_group_bytes": row_group_size_bytes,
        "page_rows": max_page_size_rows,
        "page_bytes": max_page_size_bytes,
        "dictionary_bytes": max_dictionary_size,
        "statistics": statistics.upper(),
        "dictionary": use_dictionary is True,
        "columns": [
            (
                label,
                own.get("dictionary"),
                own.get("encoding"),
                own.get("bloom"),
                own.get("uncompressed", False),
            )
            for label, own in columns.items()
        ],
        "metadata": [(str(key), str(value)) for key, value in (metadata or {}).items()],
        "arrow_schema": store_schema,
        "pages_v2": header_version == "2.0",
    }


def _labels(labels: Any, argument: str) -> list[str]:
    if isinstance(labels, str) or not is_list_like(labels):
        raise TypeError(f"`{argument}` is {labels!r}; it is a list of columns")
    return [str(label) for label in labels]


def _by_label(given: Any, argument: str) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"`{argument}` is {given!r}; it has something for each of some columns")
    return {str(label): value for label, value in given.items()}


@overload
def to_parquet(self: DataFrame, path: None = ..., **options: Unpack[ParquetWriteOptions]) -> bytes: ...
@overload
def to_parquet(self: DataFrame, path: WriteTarget, **options: Unpack[ParquetWriteOptions]) -> None: ...
@with_line
def to_parquet(
    self: DataFrame,
    path: Any = None,
    *,
    engine: str = "auto",
    compression: str | None = "snappy",
    index: bool | None = None,
    partition_cols: Any = None,
    partition_file_name: str | None = None,
    row_group_size: int | None = None,
    row_group_size_rows: int | None = None,
    row_group_size_bytes: int | None = None,
    max_page_size_rows: int | None = None,
    max_page_size_bytes: int | None = None,
    max_dictionary_size: int | None = None,
    statistics: str = "PAGE",
    use_dictionary: Any = True,
    column_encoding: Any = None,
    bloom_filters: Any = None,
    metadata: Any = None,
    compression_level: int | None = None,
    store_schema: bool = True,
    header_version: Literal["1.0", "2.0"] = "1.0",
    storage_options: Any = None,
    filesystem: Any = None,
    **kwargs: Any,
) -> bytes | None:
    """Write a Parquet file, or a directory of them.

    Parameters
    ----------
    path : str, path or open file, optional
        The file, or an address that fsspec opens; by default the bytes of the file are returned. With
        ``partition_cols`` a directory.
    engine : {``'auto'``, ``'pyarrow'``, ``'cudf'``}, default ``'auto'``
        Without effect; ``'fastparquet'`` is refused.
    compression : {``'snappy'``, ``'zstd'``, ``'gzip'``, ``'brotli'``, ``'lz4'``, None}, default ``'snappy'``
        How pages are compressed.
    index : bool, optional
        Whether row labels are written. By default they are columns of the file; ``0, 1, …`` is a note in it.
    partition_cols : label or list of labels, optional
        Columns of integers, truth values, texts or times. The rows of each of their values are a file in a
        directory of its own, ``year=2024/month=1``. Files that are there stay.
    partition_file_name : str, optional
        The name of each of these files; by default one that no other file has.
    row_group_size : int, optional
        The most rows of a row group.
    row_group_size_rows : int, optional
        Another word for ``row_group_size``.
    row_group_size_bytes : int, optional
        About the most bytes of a row group before encoding.
    max_page_size_rows : int, optional
        The most rows of a page.
    max_page_size_bytes : int, optional
        About the most bytes of a page before compression.
    max_dictionary_size : int, optional
        About the most bytes of a dictionary; where it is full, further values are written without.
    statistics : {``'PAGE'``, ``'ROWGROUP'``, ``'NONE'``, ``'COLUMN'``}, default ``'PAGE'``
        What least and greatest values are written of: row groups and pages, row groups, or nothing;
        ``'COLUMN'`` is as ``'PAGE'``.
    use_dictionary : bool or list of labels, default True
        Whether columns, or which of them, are written as dictionaries where that is likely to be smaller.
    column_encoding : dict, optional
        How columns are encoded, by label: ``'PLAIN'``, ``'DICTIONARY'``, ``'DELTA_BINARY_PACKED'``,
        ``'DELTA_LENGTH_BYTE_ARRAY'``, ``'DELTA_BYTE_ARRAY'``, ``'BYTE_STREAM_SPLIT'`` or ``'USE_DEFAULT'``.
    bloom_filters : list of labels or dict, optional
        Columns that have bloom filters, or for each of them ``{'ndv': …, 'fpp': …}``: how many different
        values there are in a row group, and with what probability the filter may be wrong.
    metadata : dict of str, optional
        Texts by name, which the file keeps.
    compression_level : int, optional
        The level of compression: 1 to 22 for ``'zstd'``, 0 to 9 for ``'gzip'``, 0 to 11 for ``'brotli'``.
    store_schema : bool, default True
        Whether the file keeps Arrow's schema too, which has types that Parquet's has not (durations,
        categories, seconds).
    header_version : {``'1.0'``, ``'2.0'``}, default ``'1.0'``
        The version of data pages. Those of ``'2.0'`` have levels that are not compressed, and no categories,
        which are refused; every reader knows the first.
    storage_options : dict, optional
        What fsspec is to know to open an address.
    filesystem : file system of fsspec or pyarrow, optional
        Where ``path`` is. What happens to a file where the connection is lost is up to it.
    **kwargs
        Other arguments of cuDF at their defaults, such as ``int96_timestamps=False``.

    Returns
    -------
    bytes or None
        The file where no ``path`` is given, else None.

    Raises
    ------
    ValueError
        For a size that is not above 0, both ``row_group_size`` and ``row_group_size_rows``, and
        ``partition_file_name`` without ``partition_cols``.
    NotImplementedError
        For arguments of cuDF that are not at their defaults.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"a": [1, None]}, index=["x", "y"])
    >>> cuprum.read_parquet(frame.to_parquet())
          a
    x     1
    y  <NA>
    >>> cuprum.read_parquet(frame.to_parquet(index=False, compression="zstd"))
          a
    0     1
    1  <NA>
    """
    refused: dict[str, Any] = dict.fromkeys(
        ["partition_offsets", "metadata_file_path", "skip_compression", "column_type_length"]
    )
    refused |= {"output_as_binary": None, "int96_timestamps": False, "return_metadata": False}
    only_engine("to_parquet", engine, *_ENGINES)
    only_known("to_parquet", kwargs, **refused)
    check_truth("store_schema", store_schema)
    if header_version not in ("1.0", "2.0"):
        raise ValueError(f"`header_version` is {header_version!r}; known are '1.0' and '2.0'")
    if row_group_size is not None and row_group_size_rows is not None:
        raise ValueError("`row_group_size` and `row_group_size_rows` are both given")
    options = write_options(
        compression=compression,
        compression_level=compression_level,
        statistics=statistics,
        row_group_size_rows=row_group_size if row_group_size_rows is None else row_group_size_rows,
        row_group_size_bytes=row_group_size_bytes,
        max_page_size_rows=max_page_size_rows,
        max_page_size_bytes=max_page_size_bytes,
        max_dictionary_size=max_dictionary_size,
        use_dictionary=use_dictionary,
        column_encoding=column_encoding,
        bloom_filters=bloom_filters,
        metadata=metadata,
        store_schema=store_schema,
        header_version=header_version,
    )
    if partition_cols is not None:
        name = partition_file_name or f"{uuid.uuid4().hex}-0.parquet"
        labels = [partition_cols] if isinstance(partition_cols, str) else list(partition_cols)
        target = DatasetTarget(path, "path", storage_options, filesystem)
        try:
            _cuprum.write_parquet_dataset(self._handle, target.path, labels, name, options, index)
        except BaseException:
            target.dropped()
            raise
        target.done()
        return None
    if partition_file_name is not None:
        raise ValueError("`partition_file_name` is given without `partition_cols`")

    if filesystem is not None:
        path, storage_options = target_on(filesystem, path, "path", storage_options), None

    def write(file: str) -> None:
        _cuprum.write_parquet(self._handle, file, options, index)

    return put(path, "path", write, storage_options=storage_options)


class ParquetWriter:
    """A Parquet file to which frames are written below each other.

    It is there, whole, once it is closed; without that, and after an error in a ``with`` block, nothing of it
    is. What goes to an address or an open file is sent there when it is closed.

    Parameters
    ----------
    filepath_or_buffer : str, path or open file
        The file, or an address that fsspec opens.
    index : bool, optional
        Whether row labels are written, as of `DataFrame.to_parquet`.
    compression : str or None, default ``'snappy'``
        How pages are compressed, as of `DataFrame.to_parquet`.
    statistics : str, default ``'PAGE'``
        What least and greatest values are written of, as of `DataFrame.to_parquet`.
    **options
        Other options of `DataFrame.to_parquet` for one file.

    Notes
    -----
    Frames have the same columns of the same types.

    Examples
    --------
    >>> import cuprum, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "a.parquet")
    >>> with cuprum.io.parquet.ParquetWriter(path) as writer:
    ...     writer.write_table(cuprum.DataFrame({"a": [1, 2]}))
    ...     writer.write_table(cuprum.DataFrame({"a": [3]}))
    >>> cuprum.read_parquet(path)["a"].tolist()
    [1, 2, 3]
    """

    def __init__(
        self,
        filepath_or_buffer: Any,
        index: bool | None = None,
        compression: str | None = "snappy",
        statistics: str = "PAGE",
        **options: Any,
    ) -> None:
        storage_options = options.pop("storage_options", None)
        made = write_options(compression=compression, statistics=statistics, **options)
        self._target = DeferredWriter(filepath_or_buffer, "filepath_or_buffer", storage_options)
        self._writer = _cuprum.ParquetWriter(self._target.path, made, index)

    def write_table(self, df: DataFrame) -> None:
        """Write a DataFrame below the others, as row groups of its own.

        Parameters
        ----------
        df : DataFrame
            The rows; its columns have the labels and types of the first frame.

        Examples
        --------
        >>> import cuprum, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "a.parquet")
        >>> with cuprum.io.parquet.ParquetWriter(path) as writer:
        ...     writer.write_table(cuprum.DataFrame({"a": [1, 2]}))
        >>> cuprum.read_parquet_metadata(path)[:2]
        (2, 1)
        """
        self._writer.write(df._handle)

    def close(self) -> None:
        """End the file, which is there from now on; after an error nothing of it is.

        Examples
        --------
        >>> import cuprum, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "a.parquet")
        >>> writer = cuprum.io.parquet.ParquetWriter(path)
        >>> writer.write_table(cuprum.DataFrame({"a": [1, 2]}))
        >>> os.path.exists(path)
        False
        >>> writer.close()
        >>> os.path.exists(path)
        True
        """
        try:
            self._writer.close()
        except BaseException:
            self._target.dropped()
            raise
        self._target.done()

    def __enter__(self) -> ParquetWriter:
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        if kind is None:
            self.close()
        else:
            self._writer.abandon()
            self._target.dropped()


class ParquetDatasetWriter:
    """A directory of Parquet files, in directories of the values of some columns (``year=2024/month=1``).

    The frames that `write_table` takes are appended to the files of their partitions. All of these are there,
    whole, once the writer is closed; after an error none of them is, and files that were there are. What goes
    to addresses is sent there when all files are whole; those that are there already stay where one cannot be
    sent. A file for each partition is open meanwhile, and has a hidden name.

    Parameters
    ----------
    path : str or path
        The directory, or an address that fsspec opens.
    partition_cols : label or list of labels
        The columns, as of `DataFrame.to_parquet`.
    index : bool, optional
        Whether row labels are written, as of `DataFrame.to_parquet`.
    compression : str or None, default ``'snappy'``
        How pages are compressed, as of `DataFrame.to_parquet`.
    statistics : str, default ``'PAGE'``
        What least and greatest values are written of, as of `DataFrame.to_parquet`.
    max_file_size : None, default None
        Refused: there is one file for each partition.
    file_name_prefix : str, optional
        How the names of files begin; by default so that no other file has them.
    storage_options : dict, optional
        What fsspec is to know to open an address.

    Examples
    --------
    >>> import cuprum, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> with cuprum.io.parquet.ParquetDatasetWriter(folder, partition_cols=["k"]) as writer:
    ...     writer.write_table(cuprum.DataFrame({"a": [1, 2], "k": ["x", "y"]}))
    ...     writer.write_table(cuprum.DataFrame({"a": [3], "k": ["x"]}))
    >>> cuprum.read_parquet(folder, filters=[("k", "==", "x")])["a"].tolist()
    [1, 3]
    """

    def __init__(
        self,
        path: Any,
        partition_cols: Any,
        index: bool | None = None,
        compression: str | None = "snappy",
        statistics: str = "PAGE",
        max_file_size: Any = None,
        file_name_prefix: str | None = None,
        storage_options: Any = None,
    ) -> None:
        only_default("ParquetDatasetWriter", max_file_size=(max_file_size, None))
        self._target = DatasetTarget(path, "path", storage_options)
        labels = [partition_cols] if isinstance(partition_cols, str) else list(partition_cols)
        name = f"{file_name_prefix or uuid.uuid4().hex}-0.parquet"
        options = write_options(compression=compression, statistics=statistics)
        self._writer = _cuprum.ParquetDatasetWriter(self._target.path, labels, name, options, index)

    def write_table(self, df: DataFrame) -> None:
        """Append the rows of a DataFrame to the files of their partitions.

        Parameters
        ----------
        df : DataFrame
            The rows; its columns have the labels and types of the first frame.

        Examples
        --------
        >>> import cuprum, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> with cuprum.io.parquet.ParquetDatasetWriter(folder, partition_cols="k") as writer:
        ...     writer.write_table(cuprum.DataFrame({"a": [1, 2], "k": ["x", "y"]}))
        >>> cuprum.read_parquet(folder)
           a  k
        0  1  x
        1  2  y
        """
        self._writer.write(df._handle)

    def close(self) -> None:
        """End all files, which are there from now on; after an error none of them is.

        Examples
        --------
        >>> import cuprum, os, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> writer = cuprum.io.parquet.ParquetDatasetWriter(folder, partition_cols="k")
        >>> writer.write_table(cuprum.DataFrame({"a": [1, 2], "k": ["x", "y"]}))
        >>> writer.close()
        >>> sorted(os.listdir(folder))
        ['k=x', 'k=y']
        """
        try:
            self._writer.close()
        except BaseException:
            self._target.dropped()
            raise
        self._target.done()

    def __enter__(self) -> ParquetDatasetWriter:
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        if kind is None:
            self.close()
        else:
            self._writer.abandon()
            self._target.dropped()
