"""Conversion: pandas, Arrow, NumPy, dicts, records, pickles."""

from __future__ import annotations

import itertools
import pickle
from collections import defaultdict, namedtuple
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal, cast, overload
from warnings import warn

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import (
    check_truth,
    is_list_like,
    label_list,
    only_truth,
    plain_labels,
)
from cuprum.core.conversion import _frame_to_pandas, _labels_to_pandas, _with_attrs
from cuprum.core.copy_on_write import attrs_of
from cuprum.core.frame_construction import (
    frame_from_arrow,
    frame_from_pandas,
    made_with_nan,
    series_from_pandas,
)
from cuprum.core.index.index import wrap_index
from cuprum.core.index.multiindex import MultiIndex
from cuprum.core.indexing import row_of
from cuprum.core.interop import as_numpy_dtype, to_list, to_numpy, to_pandas_array
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.pack import pack, unpack

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyDType,
        Array,
        DictOrient,
        FrameOrSeries,
        FromDictOrient,
        ListLike,
        NamedRow,
    )

# Rows that are turned into Python's objects together.
_ROWS_AT_ONCE = 1024


def _maker_of_mappings(into: Any) -> Any:
    """Return what makes mappings of pairs: a type of mappings, or one like a mapping."""
    if not isinstance(into, type):
        if isinstance(into, defaultdict):
            return partial(defaultdict, into.default_factory)
        into = type(into)
    if not issubclass(into, Mapping):
        raise TypeError(f"unsupported type: {into}")
    if into is defaultdict:
        raise TypeError("to_dict() only accepts initialized defaultdicts")
    return into


def _named_labels(labels: Any, names: Any) -> Any:
    """Return labels of rows or columns under the names of their levels."""
    if len(names) == 1:
        return objects.Index(labels, name=names[0])
    if not len(labels):
        return MultiIndex.from_arrays([[] for _ in names], names=list(names))
    return MultiIndex.from_tuples(labels, names=list(names))


def from_dict(
    cls: type[DataFrame],
    data: Mapping[Any, Any],
    orient: FromDictOrient = "columns",
    dtype: AnyDType | None = None,
    columns: ListLike | None = None,
) -> DataFrame:
    """Return a frame of a dict of columns, or of rows with ``orient='index'``.

    ``'tight'`` is what `to_dict` makes with that: rows, labels and their names apart.
    """
    orient = cast("FromDictOrient", orient.lower())
    if orient in ("columns", "tight"):
        if columns is not None:
            raise ValueError(f"cannot use columns parameter with orient='{orient}'")
        if orient == "columns":
            return cls(data, dtype=dtype)
        index = _named_labels(data["index"], data["index_names"])
        return cls(data["data"], index, _named_labels(data["columns"], data["column_names"]), dtype=dtype)
    if orient != "index":
        raise ValueError(
            f"Expected 'index', 'columns' or 'tight' for orient parameter. Got '{orient}' instead"
        )
    labels = plain_labels(data)
    # As in pandas, tuples are labels of one level here.
    tuples = any(isinstance(label, tuple) for label in labels)
    index = wrap_index(_cuprum.object_index(labels)) if tuples else labels
    return cls(list(data.values()), index=index, columns=columns, dtype=dtype)


def from_records(
    cls: type[DataFrame],
    data: Any,
    index: Any = None,
    exclude: Any = None,
    columns: Any = None,
    coerce_float: bool = False,
    nrows: int | None = None,
    *,
    nan_as_null: bool | None = None,
) -> DataFrame:
    """Return a frame of a list of rows, of an iterator of them or a structured array; ``index`` may name a column.

    Without the columns of ``exclude``. ``nrows`` rows are taken from an iterator, which another kind of ``data`` is
    not. With ``coerce_float`` decimals become floats. ``nan_as_null`` says of NaN what it says in `Series`.
    """
    if nrows is not None:
        if isinstance(nrows, bool) or not hasattr(nrows, "__index__") or nrows < 0:
            raise ValueError(f"`nrows` is {nrows!r}, no number of rows")
        if hasattr(data, "__next__"):
            data = list(itertools.islice(data, nrows))
    if isinstance(data, objects.Series) and (
        data.dtype.fields is not None or data.dtype.element_type is not None
    ):
        data = data.tolist()
    frame = cls(_records(data), columns=columns, nan_as_null=nan_as_null)
    if exclude is not None:
        gone = set(label_list(exclude))
        frame = frame[[label for label in frame.columns if label not in gone]]
    if coerce_float:
        decimals = [i for i, dtype in enumerate(frame.dtypes) if str(dtype).startswith("decimal")]
        for i in decimals:
            frame.isetitem(i, frame.iloc[:, i].astype("float64"))
    if index is None:
        return frame
    if isinstance(index, str) or (
        is_list_like(index) and all(isinstance(i, str) and i in frame for i in index)
    ):
        return frame.set_index(label_list(index))
    frame.index = index
    return frame


def frame_from_pandas_(cls: type[DataFrame], obj: Any, nan_as_null: bool | None = None) -> DataFrame:
    """Return a frame of a pandas DataFrame: columns, their labels and row labels; for ``nan_as_null`` see `Series`."""
    return _with_attrs(wrap_frame(made_with_nan(nan_as_null, frame_from_pandas, obj)), obj)


def frame_from_arrow_(cls: type[DataFrame], obj: Any) -> DataFrame:
    """Return a frame of an object that exports an Arrow stream, sharing memory where layouts agree."""
    return wrap_frame(frame_from_arrow(obj))


def frame_to_pandas(
    self: DataFrame, *, index: bool = True, nullable: bool = False, arrow_type: bool = False
) -> pd.DataFrame:
    """Return a pandas DataFrame with the same labels.

    Integers with missing elements become float64 (``OverflowError`` where that rounds one), unless ``nullable``
    asks for pandas' nullable types or ``arrow_type`` for columns that keep Arrow's (``pd.ArrowDtype``). Row labels
    have pandas' plain types, or nullable ones where these are asked for; without ``index`` they are ``0, 1, …``.
    """
    check_truth("index", index)
    return _frame_to_pandas(
        self,
        _labels_to_pandas(self.index, nullable) if index else None,
        lambda column: to_pandas_array(column, nullable=nullable, arrow_type=arrow_type),
    )


def frame_to_arrow(self: DataFrame, preserve_index: bool | None = None) -> pa.Table:
    """Return a ``pyarrow.Table`` of the columns, sharing memory where layouts agree.

    Row labels are in it with ``preserve_index=True``, behind the columns: under their names, those without one under
    ``__index_level_0__`` and so on.
    """
    import pyarrow as pa

    only_truth("to_arrow", preserve_index=preserve_index)
    if not preserve_index:
        return pa.table(self)
    names = [f"__index_level_{i}__" if name is None else name for i, name in enumerate(self.index.names)]
    labels = pa.table(self.index.to_frame(index=False, name=names))
    table = pa.table(self)
    for name in labels.column_names:
        table = table.append_column(name, labels.column(name))
    return table


def frame_arrow_c_stream(self: DataFrame, requested_schema: object | None = None) -> object:
    """Return Arrow's stream of the columns, see the Arrow PyCapsule interface.

    The types are those of the columns: the interface lets a producer pass over ``requested_schema``.
    """
    return self._handle.arrow_stream()


def narwhals_dataframe(self: DataFrame) -> Any:
    """Return what narwhals, and so scikit-learn, Altair and plotly, read: the columns as an Arrow table.

    Row labels are not in it, and what narwhals makes of it are Arrow tables. Where Arrow has no type for a column
    (objects, categories that are intervals), it is pandas' frame.
    """
    import narwhals

    return narwhals.from_native(_for_others(self), eager_only=True)._compliant_frame


def _for_others(self: DataFrame) -> Any:
    """Return the frame as Arrow has it, or pandas where Arrow has no type for a column."""
    try:
        return self.to_arrow()
    except (NotImplementedError, TypeError):
        return self.to_pandas()


def dataframe(self: DataFrame, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
    """Return the columns as the protocol of data frames has them, by way of Arrow.

    ``ValueError`` where that copies and ``allow_copy`` is False: truth values, and memory that is not the host's.
    """
    if nan_as_null:
        raise NotImplementedError("`nan_as_null`=True is not supported: use nans_to_nulls")
    if not allow_copy and (self.device != "cpu" or any(dtype.kind == "b" for dtype in self._handle.dtypes())):
        raise ValueError("`allow_copy` is False, and there are truth values or memory that is not the host's")
    return _for_others(self).__dataframe__(allow_copy=allow_copy)


def arrow_device_array(
    self: DataFrame, requested_schema: object | None = None, **unknown: Any
) -> tuple[object, object]:
    """Return the columns as structs in the memory of their device; ``requested_schema`` is passed over, as in a stream."""
    if any(value is not None for value in unknown.values()):
        raise NotImplementedError(f"the arguments {list(unknown)} are not known")
    return self._handle.arrow_device_array()


def frame_to_numpy(
    self: DataFrame, dtype: AnyDType | None = None, copy: bool = False, na_value: Any = ...
) -> Array:
    """Return the elements as a NumPy array of two dimensions, of a type that holds all columns.

    Where the columns have one type the array is read-only, unless ``copy`` is set, since what
    is written to it would not reach the frame. ``OverflowError`` where an integer beside missing
    elements has no exact float64 and ``dtype`` asks for no floats.
    """
    import numpy as np

    only_truth("to_numpy", copy=copy)

    plain = na_value is ... and (dtype is None or np.dtype(dtype).kind in "biufc")
    stacked = self._handle.stacked() if plain else None
    if stacked is not None:
        made = to_numpy(stacked, dtype).reshape(self.shape[::-1]).T
        return made.copy(order="F") if copy else made
    columns = self._handle.columns()
    wanted = None if dtype is None else np.dtype(dtype)
    if wanted is not None and wanted.kind in "SU" and wanted.itemsize == 0:
        # As long as the longest text of all columns.
        apart = len({column.dtype for column in columns}) > 1
        parts = [to_numpy(column, na_value=na_value) for column in columns]
        parts = [(part.astype(object) if apart else part).astype(wanted) for part in parts]
        dtype = np.result_type(*parts) if parts else wanted
    else:
        parts = [to_numpy(column, dtype, na_value=na_value) for column in columns]
    if dtype is None:
        kinds = {part.dtype for part in parts}
        if not kinds:
            dtype = np.dtype("float64")
        elif len(kinds) > 1 and not all(kind.kind in "iuf" for kind in kinds):
            dtype = np.dtype(object)
        else:
            dtype = np.result_type(*kinds)
    out = np.empty(self.shape, dtype=dtype, order="F")
    for i, part in enumerate(parts):
        out[:, i] = as_numpy_dtype(part, dtype)
    out.flags.writeable = copy or any(str(column.dtype) != str(dtype) for column in columns)
    return out


def frame_array(self: DataFrame, dtype: Any = None, copy: bool | None = None) -> Array:
    """Return the array that NumPy asks for."""
    return self.to_numpy(dtype, copy=bool(copy))


@overload
def frame_to_dict(
    self: DataFrame, orient: Literal["records"], *, into: type[dict[Any, Any]] = ..., index: bool = ...
) -> list[dict[Any, Any]]: ...
@overload
def frame_to_dict(
    self: DataFrame, orient: DictOrient = ..., *, into: type[dict[Any, Any]] = ..., index: bool = ...
) -> dict[Any, Any]: ...
@overload
def frame_to_dict(
    self: DataFrame,
    orient: DictOrient = ...,
    *,
    into: Mapping[Any, Any] | type[Mapping[Any, Any]],
    index: bool = ...,
) -> Any: ...
def frame_to_dict(self: DataFrame, orient: str = "dict", *, into: Any = dict, index: bool = True) -> Any:
    """Return the elements as Python objects.

    ``orient`` is ``'dict'`` (column to label to element), ``'list'`` (column to list),
    ``'series'``, ``'records'`` (a dict per row), ``'index'`` (label to dict), ``'split'`` or ``'tight'``
    (rows, labels and columns apart, with the names of the labels; ``index=False`` leaves out those of
    the rows). Dicts are of the type ``into``, or of that of a mapping ``into``.
    """
    into = _maker_of_mappings(into)
    if not index and orient not in ("split", "tight"):
        raise ValueError("'index=False' is only valid when 'orient' is 'split' or 'tight'")
    labels = self._handle.labels()
    if len(set(labels)) < len(labels) and orient not in ("split", "tight"):
        warn("DataFrame columns are not unique, some columns will be omitted.", UserWarning, stacklevel=2)
    if orient == "series":
        return into(self.items())
    parts = [column.to_list() for _, column in self.items()]
    if orient == "list":
        return into(zip(labels, parts, strict=True))
    across = zip(*parts, strict=True) if parts else [()] * len(self)
    if orient == "records":
        return [into(zip(labels, row, strict=True)) for row in across]
    rows = self.index.to_list()
    if orient == "dict":
        return into(
            (label, into(zip(rows, part, strict=True))) for label, part in zip(labels, parts, strict=True)
        )
    if orient == "index":
        if not self.index.is_unique:
            raise ValueError("DataFrame index must be unique for orient='index'.")
        values = [into(zip(labels, row, strict=True)) for row in across]
        return into(zip(rows, values, strict=True))
    if orient in ("split", "tight"):
        apart = {"index": rows} if index else {}
        apart |= {"columns": labels, "data": [list(row) for row in across]}
        if orient == "tight":
            apart |= {"index_names": list(self.index.names)} if index else {}
            apart["column_names"] = self._handle.level_names()
        return into(apart)
    raise ValueError(f"orient '{orient}' not understood")


def to_records(
    self: DataFrame, index: bool = True, column_dtypes: Any = None, index_dtypes: Any = None
) -> np.recarray[Any, Any]:
    """Return the rows as a NumPy structured array.

    ``column_dtypes`` and ``index_dtypes`` are the types in it: one for all, or a dict of names or numbers and types.
    """
    return self.to_pandas().to_records(index, column_dtypes, index_dtypes)


def iterrows(self: DataFrame) -> Iterator[tuple[Any, Series]]:
    """Iterate over pairs of label and row: slow, for a look; prefer methods of whole columns."""
    handle, row_labels = self._handle, _row_labels(self._handle)
    are_series = handle.rows_are_series()
    for start in range(0, len(row_labels), _ROWS_AT_ONCE):
        some = row_labels[start : start + _ROWS_AT_ONCE]
        plain = None if are_series else handle.plain_rows(start, len(some))
        if plain is None or not plain[2]:
            yield from ((label, row_of(handle, start + i, True)) for i, label in enumerate(some))
            continue
        labels, names, columns = plain
        for label, values in zip(some, map(list, zip(*columns, strict=True)), strict=True):
            yield label, objects.record(labels, values, label, names)


def itertuples(self: DataFrame, index: bool = True, name: str | None = "Pandas") -> Iterator[NamedRow]:
    """Iterate over rows as named tuples: slow, for a look; prefer methods of whole columns."""
    handle = self._handle
    rows, plain = len(self), _plain_rows(self)
    if plain is None:
        labels, parts = handle.labels(), [column.to_list() for _, column in self.items()]
    else:
        labels, _, parts = plain
    fields = list(map(str, labels))
    if index:
        parts.insert(0, _row_labels(handle))
        fields.insert(0, "Index")
    found: Any = zip(*parts, strict=True) if parts else iter([()] * rows)
    if name is None:
        return found
    # As `_make` of the class, which is written in Python.
    return map(partial(tuple.__new__, _tuple_class(name, tuple(fields))), found)


def _plain_rows(self: DataFrame) -> Any:
    """Return labels, their names and lists of elements, where all are plain; else None."""
    return self._handle.plain_rows(0, len(self))


def frame_reduce(self: DataFrame) -> Any:
    """Return how pickles before protocol 5 and copies make the frame again."""
    handle = self._handle
    parts = (handle.labels(), handle.columns(), wrap_index(handle.index()), handle.level_names())
    return (_restore_frame, parts, *_state(self))


def series_from_pandas_(cls: type[Series], obj: Any, nan_as_null: bool | None = None) -> Series:
    """Return a series of a pandas Series: values, name and row labels; for ``nan_as_null`` see `Series`."""
    return _with_attrs(wrap_series(made_with_nan(nan_as_null, series_from_pandas, obj)), obj)


def series_from_arrow(cls: type[Series], obj: Any) -> Series:
    """Return a series of an object that exports an Arrow array, sharing memory where layouts agree."""
    return wrap_series(_cuprum.Series(_cuprum.typed_column_from_arrow(obj), getattr(obj, "_name", None)))


def series_to_numpy(
    self: Series, dtype: AnyDType | None = None, copy: bool = False, na_value: Any = ...
) -> Array:
    """Return the elements as a NumPy array, read-only where it shares memory.

    Missing integers make it float64 with NaN; text is an array of objects with NaN, truth values
    with missing ones one with None. ``na_value`` stands for missing elements instead. ``OverflowError`` where
    an integer beside missing ones has no exact float64 and ``dtype`` asks for no floats.
    """
    if na_value is ... and not copy and (array := self._handle.array()) is not None:
        return array if dtype is None else as_numpy_dtype(array, dtype)
    return to_numpy(self._handle.column(), dtype, copy=copy, na_value=na_value)


def series_array(self: Series, dtype: Any = None, copy: bool | None = None) -> Array:
    """Return the array that NumPy asks for."""
    return self.to_numpy(dtype, copy=bool(copy))


def series_to_pandas(
    self: Series, *, index: bool = True, nullable: bool = False, arrow_type: bool = False
) -> pd.Series:
    """Return a pandas Series with the same labels and name.

    Missing integers make it float64 (``OverflowError`` where that rounds one), unless ``nullable`` asks for
    pandas' nullable types or ``arrow_type`` for elements that keep Arrow's (``pd.ArrowDtype``). Without
    ``index`` the labels are ``0, 1, …``.
    """
    import pandas as pd

    check_truth("index", index)
    labels = _labels_to_pandas(self.index, nullable) if index else None
    values = to_pandas_array(self._handle.column(), nullable=nullable, arrow_type=arrow_type)
    made = pd.Series(values, index=labels, name=self.name, copy=False)
    return _with_attrs(made, self)


def series_to_arrow(self: Series) -> pa.Array:
    """Return a ``pyarrow.Array`` of the elements, sharing memory where layouts agree."""
    import pyarrow as pa

    return pa.array(self._handle.to_device("cpu").column())


def arrow_c_schema(self: Series) -> object:
    """Return Arrow's schema of the elements."""
    return self._handle.column().__arrow_c_schema__()


def arrow_c_array(self: Series, requested_schema: object | None = None) -> tuple[object, object]:
    """Return Arrow's array of the elements."""
    return self._handle.column().__arrow_c_array__(requested_schema)


def series_arrow_c_stream(self: Series, requested_schema: object | None = None) -> object:
    """Return Arrow's stream of the elements, one chunk, in their type: ``requested_schema`` is passed over."""
    return self.to_arrow_stream()


def narwhals_series(self: Series) -> Any:
    """Return what narwhals reads: the elements as an Arrow array, without the row labels.

    Where Arrow has no type for them, they are pandas' series.
    """
    import narwhals
    import pyarrow as pa

    native: Any
    try:
        native = pa.chunked_array([self.to_arrow()])
    except (NotImplementedError, TypeError):
        native = self.to_pandas()
    name = "" if self.name is None else str(self.name)
    return narwhals.from_native(native, series_only=True).alias(name)._compliant_series


def to_arrow_stream(self: Series) -> object:
    """Return the elements as an Arrow stream of one column, in a PyCapsule."""
    return self._handle.to_frame().arrow_stream()


def to_list_(self: Series) -> list[Any]:
    """Return the elements as Python objects, missing ones as ``NaN``, ``NaT`` or None."""
    elements = self._handle.to_list()
    return to_list(self._handle.column()) if elements is None else elements


@overload
def series_to_dict(self: Series, *, into: type[dict[Any, Any]] = ...) -> dict[Any, Any]: ...
@overload
def series_to_dict(self: Series, *, into: Mapping[Any, Any] | type[Mapping[Any, Any]]) -> Any: ...
def series_to_dict(self: Series, *, into: Any = dict) -> Any:
    """Return the elements under their row labels, in a mapping of the type ``into``, or of that of ``into``."""
    return _maker_of_mappings(into)(self.items())


def series_reduce(self: Series) -> Any:
    """Return how pickles before protocol 5 and copies make the series again."""
    labels = self._handle.index()
    parts = (self._handle.column(), self.name, wrap_index(labels))
    return (_restore_series, parts, *_state(self))


def _row_labels(handle: Any) -> list[Any]:
    """Return the row labels as Python objects."""
    index = handle.index()
    steps = index.as_range()
    return wrap_index(index).to_list() if steps is None else list(range(*steps))


# Making a class takes as long as making thousands of its tuples.
@lru_cache(maxsize=64)
def _tuple_class(name: str, fields: tuple[str, ...]) -> Any:
    return namedtuple(name, fields, rename=True)


def _state(obj: Any) -> list[Any]:
    """The part of a pickle beside values and labels: the ``attrs``, where there are any."""
    attrs = attrs_of(obj)
    return [(None, {"attrs": attrs})] if attrs else []


def _records(data: Any) -> Any:
    if hasattr(data, "dtype") or isinstance(data, Mapping):
        return data
    rows = list(data)
    if rows and not is_list_like(rows[0]):
        raise TypeError(f"'{type(rows[0]).__name__}' object is not iterable")
    return rows


def _restore_frame(labels: list[Any], columns: list[Column], index: Any, names: list[Any]) -> DataFrame:
    return wrap_frame(_cuprum.DataFrame(labels, columns, index._handle).with_labels(labels, names))


def _restore_series(column: Column, name: Any, index: Any) -> Series:
    return wrap_series(_cuprum.Series(column, name, index._handle))


def reduce_ex(self: FrameOrSeries, protocol: Any) -> Any:
    """Return how pickles make the object again: from protocol 5 on of one block of memory."""
    if protocol < 5:
        return self.__reduce__()
    try:
        header, metadata, block = pack(self)
    except NotImplementedError:
        return self.__reduce__()
    return unpack, (header, metadata, pickle.PickleBuffer(block))
