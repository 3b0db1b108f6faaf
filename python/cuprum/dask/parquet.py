"""Parquet: Dask plans which row groups a partition has (with pyarrow), our reader and writer do the rest.

A collection is written into files that no reader sees until all are there: their names begin with a dot, and the
last task gives them the right ones. What is interrupted therefore leaves no data set, and what is done again
finds what has its name already.
"""

from __future__ import annotations

import functools
import operator
import os
import warnings
from typing import Any

import dask.dataframe.dask_expr as dx
import pyarrow as pa
from dask.dataframe.dask_expr._expr import NE
from dask.dataframe.dask_expr.io.parquet import ReadParquetFSSpec
from dask.dataframe.io.parquet.arrow import ArrowDatasetEngine, _hive_dirname
from dask.dataframe.io.utils import _is_local_fs
from pyarrow.dataset import ParquetFileFormat

import cuprum
from cuprum.dask.workers import in_worker
from cuprum.io.open_files import write_all

__all__ = ["CuprumEngine", "read_parquet", "to_parquet"]

# Files of few columns are read by one task until it has so many bytes.
_SMALL = 64 << 20

# The folder of rows whose value is missing.
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"


# Of an element of each physical type of Parquet.
_BYTES = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 8, "FLOAT": 4, "DOUBLE": 8}


class _ReadParquet(ReadParquetFSSpec):
    """Rows of Parquet files; filters of the program become those of the reader, which are exact."""

    _filter_passthrough = True

    def _filter_passthrough_available(self, parent: Any, dependents: Any) -> bool:
        # Statistics say nothing about NaN, which differs from every value.
        if any(True for _ in parent.predicate.find_operations(NE)):
            return False
        return bool(super()._filter_passthrough_available(parent, dependents))

    @property
    def _fusion_compression_factor(self) -> float:
        # Dask puts several partitions into one where few columns are read, however large they are: that many rows
        # do not fit into memory for a group-by, and leave workers without a task.
        asked = float(super()._fusion_compression_factor)
        if asked >= 1:
            return asked
        together = max(1, _SMALL // max(1, self._bytes_of_partition))
        return max(asked, 1 / together)

    @functools.cached_property
    def _bytes_of_partition(self) -> int:
        """About how many bytes the columns of a partition take in memory; what the first file says, for all."""
        dataset = self._dataset_info["ds"]
        first = next(iter(dataset.get_fragments()), None)
        if first is None or self._plan["empty"]:
            return 0
        # One footer: an estimate need not read those of all files.
        footer, wanted = first.metadata, set(self.columns)
        sizes: dict[str, int] = {}
        for group in range(footer.num_row_groups):
            for number in range(footer.num_columns):
                chunk = footer.row_group(group).column(number)
                label = chunk.path_in_schema.partition(".")[0]
                if label in wanted:
                    # Repeated values take less in a file than in memory.
                    least = chunk.num_values * _BYTES.get(chunk.physical_type, 12)
                    sizes[label] = sizes.get(label, 0) + max(chunk.total_uncompressed_size, least)
        return sum(sizes.values()) * len(dataset.files) // len(self._plan["parts"])

    @property
    def _io_func(self) -> Any:
        # Partitions stay as they were planned, so that what is beside them still fits: filters of the program say
        # which of their rows are read.
        read = super()._io_func
        if not self._plan["empty"]:
            read.common_kwargs = {**read.common_kwargs, "filters": self.operand("filters")}
        return read


class CuprumEngine(ArrowDatasetEngine):
    """Reads and writes partitions for Dask's Parquet.

    Of what Dask can hand on, what is not honoured here is refused by name, `read_parquet` and `to_parquet` below do so
    before there are any tasks.
    """

    @classmethod
    def _create_dd_meta(cls, dataset_info: dict[str, Any]) -> Any:
        with warnings.catch_warnings():
            # Of Dask's own calls of pandas.
            warnings.simplefilter("ignore")
            planned = super()._create_dd_meta(dataset_info)
        files = dataset_info["ds"].files
        fs = dataset_info["fs"]
        physical = _read(fs, files[0], nrows=0) if files else cuprum.from_pandas(planned)
        physical = _named_labels_as_columns(physical)
        for partition in dataset_info["partitions"] or []:
            physical[partition.name] = _hive_column(partition.keys, None, 0)
        labels = [name for name in planned.index.names if name in physical.columns]
        wanted = [label for label in planned.columns if label in physical.columns]
        meta = physical[[*labels, *wanted]]
        for label in dataset_info["categories"] or []:
            if label in meta.columns and not isinstance(meta[label].dtype, cuprum.CategoricalDtype):
                raise NotImplementedError(
                    f"`categories` names {label!r}, which is {meta[label].dtype} in the files"
                )
        return meta.set_index(labels) if labels else meta

    @classmethod
    def read_partition(
        cls,
        fs: Any,
        pieces: Any,
        columns: list[Any],
        index: Any,
        dtype_backend: Any = None,
        categories: Any = (),
        partitions: Any = (),
        filters: Any = None,
        schema: Any = None,
        dataset: Any = None,
        read: Any = None,
        **kwargs: Any,
    ) -> Any:
        """Return the rows of some row groups of some files, those that pass the filters.

        Columns have the types of `schema`, whatever they are in a file, and those of `categories` are categories.
        """
        in_worker()
        if not kwargs.pop("convert_string", True):
            raise NotImplementedError(
                "`convert_string` of read_partition (`dataframe.convert-string` of Dask's configuration) is False: "
                "the backend 'cuprum' has no texts that are Python's objects"
            )
        kwargs |= {"dtype_backend": dtype_backend, **(read or {})}
        planned = {"partitioning": "hive", "format": ParquetFileFormat()}
        kwargs |= {
            f"dataset.{name}": asked for name, asked in (dataset or {}).items() if asked != planned.get(name)
        }
        _refuse("read_partition", kwargs)
        labels = [name for name in index or [] if name is not None]
        wanted = [*columns, *(name for name in labels if name not in columns)]
        needed = list(dict.fromkeys([*wanted, *(one[0] for group in _groups(filters) for one in group)]))
        hive = {partition.name: partition.keys for partition in partitions or []}
        parts = []
        for piece in pieces if isinstance(pieces, list) else [pieces]:
            path, row_groups, keys = (piece, None, None) if isinstance(piece, str) else piece
            groups = None if row_groups in (None, [None], (None,)) else [*row_groups]
            physical = [name for name in needed if name not in hive]
            types = None if schema is None else pa.schema([schema.field(name) for name in physical])
            told = _told(filters, hive)
            read = _read(
                fs, getattr(path, "path", path), physical, row_groups=groups, filters=told, schema=types
            )
            part = _named_labels_as_columns(read)
            for name, value in (keys or _hive_keys(path)) if hive else []:
                if name in needed and name in hive:
                    part[name] = _hive_column(hive[name], value, len(part))
            for name in part.columns:
                if name in (categories or ()) and part[name].dtype != "category":
                    part[name] = part[name].astype("category")
            parts.append(_filtered(part, filters)[wanted])
        from dask.dataframe.dispatch import concat

        frame = concat(parts, ignore_index=True)
        return frame.set_index(labels) if labels else frame

    @classmethod
    def write_partition(
        cls,
        df: Any,
        path: str,
        fs: Any,
        filename: str,
        partition_on: list[str],
        return_metadata: bool,
        fmd: Any = None,
        compression: Any = None,
        index_cols: Any = None,
        schema: Any = None,
        custom_metadata: Any = None,
        **kwargs: Any,
    ) -> list[dict[str, Any]]:
        """Write the rows of a partition into files that are not seen yet; return the names they are to have in `path`."""
        # Of the first partition Dask takes a schema for a file of metadata, which is not written.
        kwargs.pop("head", None)
        if not return_metadata:
            raise NotImplementedError(
                "`return_metadata` of write_partition is False: who would name the files?"
            )
        _refuse("write_partition", {"fmd": fmd, "schema": schema, "custom_metadata": custom_metadata})
        files = []
        if not partition_on:
            parts = [("", df)]
        else:
            rest = [label for label in df.columns if label not in partition_on]
            if not [label for label in rest if label not in (index_cols or [])]:
                raise ValueError("No data left to save outside partition columns")
            parts = []
            for keys, rows in df.groupby(partition_on, dropna=False, observed=True):
                keys = keys if isinstance(keys, tuple) else (keys,)
                names = [_hive_dirname(name, value) for name, value in zip(partition_on, keys, strict=True)]
                parts.append((fs.sep.join(names), rows[rest]))
        for folder, rows in parts:
            if index_cols:
                rows = rows.set_index(list(index_cols))
            folders = [folder] if folder else []
            hidden, final = (fs.sep.join([*folders, name]) for name in (f".{filename}.part", filename))
            fs.mkdirs(fs.sep.join([path, *folders]), exist_ok=True)
            # Of two that write the same partition, each has its own file until it is whole.
            own = fs.sep.join([path, f"{hidden}.{os.getpid()}"])
            if _is_local_fs(fs):
                rows.to_parquet(own, compression=compression, index=bool(index_cols), **kwargs)
            else:
                with fs.open(own, "wb") as file:
                    write_all(
                        file,
                        rows.to_parquet(None, compression=compression, index=bool(index_cols), **kwargs),
                    )
            fs.mv(own, fs.sep.join([path, hidden]))
            files.append({"hidden": hidden, "final": final})
        return files

    @classmethod
    def write_metadata(
        cls, parts: Any, meta: Any, fs: Any, path: str, append: bool = False, **kwargs: Any
    ) -> None:
        """Give all files their names, after all have been written."""
        # The compression is that of the partitions, which have it already.
        kwargs.pop("compression", None)
        _refuse("write_metadata", {"meta": meta, "append": append or None, **kwargs})
        for files in parts:
            for file in files:
                hidden, final = (fs.sep.join([path, file[name]]) for name in ("hidden", "final"))
                if fs.exists(hidden):
                    fs.mv(hidden, final)
                elif not fs.exists(final):
                    raise FileNotFoundError(
                        f"{final} was written and is gone: did something else clear the folder?"
                    )


def _refuse(function: str, given: dict[str, Any]) -> None:
    """Refuse by name what is given; None and an empty dictionary give nothing."""
    for name, value in given.items():
        if value is not None and value != {}:
            raise NotImplementedError(
                f"`{name}` of {function} is {value!r}; the backend 'cuprum' does not honour it"
            )


def _read(fs: Any, path: str, columns: Any = None, **options: Any) -> Any:
    return cuprum.read_parquet(path, columns=columns, filesystem=None if _is_local_fs(fs) else fs, **options)


# Comparisons that no missing value meets, in files as in frames.
_TOLD = frozenset({"==", "=", "<", "<=", ">", ">=", "in"})


def _told(filters: Any, hive: Any) -> list[list[Any]] | None:
    """Return what the reader is told of filters, so that it passes over parts of files: no row is lost by it."""
    groups = [
        [one for one in group if one[0] not in hive and one[1] in _TOLD and not _is_missing(one[2])]
        for group in _groups(filters)
    ]
    return groups if groups and all(groups) else None


def _is_missing(value: Any) -> bool:
    values = value if isinstance(value, (list, tuple, set)) else [value]
    return any(one is None or one != one for one in values)


def _named_labels_as_columns(frame: Any) -> Any:
    """Return a frame labelled 0, 1, …; labels with names become columns."""
    names = list(frame.index.names)
    if names == [None]:
        return frame.reset_index(drop=True)
    return frame.reset_index()


def _hive_keys(path: str) -> list[tuple[str, str | None]]:
    """Return the names and values that the folders of a path say."""
    from urllib.parse import unquote

    pairs = [folder.partition("=") for folder in path.replace(os.sep, "/").split("/")[:-1] if "=" in folder]
    return [(name, None if value == _NO_VALUE else unquote(value)) for name, _, value in pairs]


def _hive_column(keys: Any, value: Any, rows: int) -> Any:
    """Return the value of a folder's name, a category, for some rows."""
    import numpy as np
    import pandas as pd

    code = -1
    if value is not None:
        code = next((i for i, key in enumerate(keys) if key == value or str(key) == str(value)), -1)
        if code < 0 and rows:
            raise ValueError(
                f"a folder is called {value!r}, which was not there when the data set was looked at"
            )
    return cuprum.Series(pd.Categorical.from_codes(np.full(rows, code), categories=list(keys)))


def _groups(filters: Any) -> list[list[Any]]:
    """Return filters as alternatives of conditions."""
    if not filters:
        return []
    return [list(group) for group in filters] if isinstance(filters[0][0], (list, tuple)) else [list(filters)]


_COMPARE = {
    "==": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _filtered(frame: Any, filters: Any) -> Any:
    """Return the rows that meet all conditions of one of the alternatives."""
    groups = _groups(filters)
    if not groups:
        return frame
    passing = None
    for group in groups:
        mask = None
        for label, comparison, value in group:
            one = _condition(frame[label], comparison, value)
            mask = one if mask is None else mask & one
        passing = mask if passing is None else passing | mask
    return frame[passing]


def _condition(series: Any, comparison: str, value: Any) -> Any:
    if isinstance(series.dtype, cuprum.CategoricalDtype):
        series = series.astype(series.dtype.categories.dtype)
    if comparison in _COMPARE:
        return _COMPARE[comparison](series, value)
    if comparison == "in":
        return series.isin(list(value))
    if comparison == "not in":
        return ~series.isin(list(value))
    if comparison in ("is", "is not"):
        return series.isna() if comparison == "is" else series.notna()
    raise ValueError(
        f"`filters` compares {series.name!r} by {comparison!r}; known are {[*_COMPARE, 'in', 'not in']}"
    )


def read_parquet(
    path: Any,
    columns: Any = None,
    filters: Any = None,
    categories: Any = None,
    index: Any = None,
    storage_options: Any = None,
    calculate_divisions: bool = False,
    ignore_metadata_file: bool = False,
    split_row_groups: Any = "infer",
    blocksize: Any = "default",
    aggregate_files: Any = None,
    parquet_file_extension: Any = (".parq", ".parquet", ".pq"),
    filesystem: Any = "fsspec",
    **unknown: Any,
) -> Any:
    """Return a collection of the rows of Parquet files, read by Cuprum; see `dask.dataframe.read_parquet`.

    Only the columns and the row groups that the program needs are read: Dask's optimiser says which columns, and
    filters of the program (``df[df.x > 3]``) become filters of the reader, which are exact for every row.

    Parameters
    ----------
    path
        A folder, a file, a pattern or a list of them, local or an address that fsspec opens.
    columns
        The columns to read, all without it; the name of one makes a series.
    filters
        Conditions on columns, ``[("x", ">", 3)]``; a list of lists for alternatives.
    categories
        Columns that have to be categories in the files, an error else; what is categories there is in any case.
    index
        The columns that label rows; ``False`` for none; those that the files say without it.
    storage_options
        What fsspec is to know to open an address.
    calculate_divisions
        Whether statistics of the files tell where partitions begin.
    ignore_metadata_file
        Whether a file ``_metadata`` is left alone.
    split_row_groups, blocksize, aggregate_files
        How row groups become partitions, as in Dask.
    parquet_file_extension
        The endings of files in a folder that are read.
    filesystem
        ``"fsspec"`` or a file system of fsspec.

    ``NotImplementedError`` for what Dask has besides (``engine``, ``dtype_backend``, ``arrow_to_pandas``, …).
    """
    from fsspec.utils import stringify_path

    given = [name for name, value in unknown.items() if value is not None]
    if given:
        raise NotImplementedError(f"read_parquet of the backend 'cuprum' does not know the arguments {given}")
    if isinstance(filesystem, str) and filesystem != "fsspec":
        raise NotImplementedError(
            f"`filesystem` is {filesystem!r}; the backend 'cuprum' reads through 'fsspec'"
        )
    for group in _groups(filters):
        for one in group:
            if len(one) != 3:
                raise ValueError(f"`filters` has {one!r}; conditions are (column, comparison, value)")
            if one[1] in ("in", "not in") and not isinstance(one[2], (set, list, tuple)):
                raise TypeError(f"`filters` has {one!r}: 'in' takes a list, set or tuple")
    if columns is not None and not isinstance(columns, (str, list)):
        columns = list(columns)
    return dx.new_collection(
        _ReadParquet(
            stringify_path(path) if not isinstance(path, list) else path,
            columns=[columns] if isinstance(columns, str) else columns,
            filters=filters,
            categories=categories,
            index=index,
            storage_options=storage_options,
            calculate_divisions=calculate_divisions,
            ignore_metadata_file=ignore_metadata_file,
            metadata_task_size=None,
            split_row_groups=split_row_groups,
            blocksize=blocksize,
            aggregate_files=aggregate_files,
            parquet_file_extension=parquet_file_extension,
            filesystem=filesystem,
            engine=CuprumEngine,
            kwargs={"dtype_backend": None},
            _series=isinstance(columns, str),
        )
    )


def to_parquet(df: Any, path: Any, **options: Any) -> Any:
    """Write a collection as a data set of Parquet files, one for each partition; see `dask.dataframe.to_parquet`.

    No file of it is seen before all have been written.
    """
    from dask.dataframe.dask_expr.io.parquet import to_parquet as of_dask

    for name in ("engine", "custom_metadata", "write_metadata_file"):
        if options.pop(name, None):
            raise NotImplementedError(f"`{name}` of to_parquet is not supported by the backend 'cuprum'")
    if options.get("append"):
        raise NotImplementedError("`append` of to_parquet is not supported by the backend 'cuprum'")
    schema = options.pop("schema", None)
    if schema not in (None, "infer"):
        raise NotImplementedError("`schema` of to_parquet is not supported by the backend 'cuprum'")
    return of_dask(df, path, engine=CuprumEngine, schema=None, write_metadata_file=True, **options)
