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
from cuprum.core.stack_level import frames_to_caller

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
    """Return a frame of a dict of columns, or of rows.

    Parameters
    ----------
    data : dict
        Columns by label; rows by label with ``orient='index'``; what `to_dict` makes with ``'tight'``.
    orient : ``'columns'``, ``'index'`` or ``'tight'``, default ``'columns'``
        What the dict has.
    dtype : dtype, optional
        One dtype for all columns; found from the data by default.
    columns : list of labels, optional
        The column labels of rows. Refused unless ``orient='index'``.

    Returns
    -------
    DataFrame
        The rows and columns in the order of the dict.

    Raises
    ------
    ValueError
        For an unknown ``orient``, and for ``columns`` with another one than ``'index'``.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame.from_dict({"a": [1, 2], "b": ["x", None]})
       a    b
    0  1    x
    1  2  NaN
    >>> cuprum.DataFrame.from_dict({"x": [1, 2], "y": [3, 4]}, orient="index", columns=["a", "b"])
       a  b
    x  1  2
    y  3  4
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
    """Return a frame of a list of rows, an iterator of them, or a structured array.

    Parameters
    ----------
    data : list of rows, iterator, structured array or dict
        Rows are tuples, lists or dicts; a Series of lists or structs has rows, too.
    index : label, list of labels or list-like, optional
        The column (columns) that become the row labels, or the row labels themselves.
    exclude : label or list of labels, optional
        Columns that are left out.
    columns : list of labels, optional
        The column labels; of rows that have names, those to keep.
    coerce_float : bool, default False
        Turn decimals into floats.
    nrows : int, optional
        How many rows are taken from an iterator; no effect on other data.
    nan_as_null : bool, optional
        Whether NaN among the data is null, as in `Series`.

    Returns
    -------
    DataFrame
        The rows in their order, labelled 0, 1, … without ``index``.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame.from_records([(1, "x"), (2, None)], columns=["a", "b"])
       a    b
    0  1    x
    1  2  NaN
    >>> df = cuprum.DataFrame.from_records([{"k": "p", "v": 1}, {"k": "q", "v": 2}], index="k")
    >>> df.loc["q", "v"]
    np.int64(2)
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
    """Return a frame of a pandas DataFrame.

    Parameters
    ----------
    obj : pandas.DataFrame
        The frame; its labels and ``attrs`` are taken over.
    nan_as_null : bool, optional
        Whether NaN among the data is null, as in `Series`.

    Returns
    -------
    DataFrame
        The same columns and rows.

    Examples
    --------
    >>> import cuprum, pandas
    >>> cuprum.DataFrame.from_pandas(pandas.DataFrame({"a": [1.5, None]}, index=["x", "y"]))
         a
    x  1.5
    y  NaN
    """
    return _with_attrs(wrap_frame(made_with_nan(nan_as_null, frame_from_pandas, obj)), obj)


def frame_from_arrow_(cls: type[DataFrame], obj: Any) -> DataFrame:
    """Return a frame of an object that exports an Arrow stream.

    Parameters
    ----------
    obj : pyarrow.Table, RecordBatch or other object with ``__arrow_c_stream__``
        The columns; memory is shared where layouts agree.

    Returns
    -------
    DataFrame
        The columns under their names, rows labelled 0, 1, ….

    Examples
    --------
    >>> import cuprum, pyarrow
    >>> cuprum.DataFrame.from_arrow(pyarrow.table({"a": [1, None], "b": ["x", "y"]}))
          a  b
    0     1  x
    1  <NA>  y
    """
    return wrap_frame(frame_from_arrow(obj))


def frame_to_pandas(
    self: DataFrame, *, index: bool = True, nullable: bool = False, arrow_type: bool = False
) -> pd.DataFrame:
    """Return a pandas DataFrame with the same columns and labels.

    Parameters
    ----------
    index : bool, default True
        Keep the row labels; else they are 0, 1, ….
    nullable : bool, default False
        Use pandas' nullable dtypes (``Int64``, ``boolean`` and so on), for row labels too.
    arrow_type : bool, default False
        Use ``pandas.ArrowDtype`` for the columns.

    Returns
    -------
    pandas.DataFrame
        Integers with missing elements become float64, unless other dtypes are asked for.

    Raises
    ------
    OverflowError
        Where an integer beside a missing element has no exact float64.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, None]})
    >>> df.to_pandas()
         a
    0  1.0
    1  NaN
    >>> df.to_pandas(nullable=True).dtypes["a"]
    Int64Dtype()
    """
    check_truth("index", index)
    return _frame_to_pandas(
        self,
        _labels_to_pandas(self.index, nullable) if index else None,
        lambda column: to_pandas_array(column, nullable=nullable, arrow_type=arrow_type),
    )


def frame_to_arrow(self: DataFrame, preserve_index: bool | None = None) -> pa.Table:
    """Return a ``pyarrow.Table`` of the columns.

    Parameters
    ----------
    preserve_index : bool, optional
        True adds the row labels as columns behind the others: under the names of their levels, or
        ``__index_level_0__`` and so on.

    Returns
    -------
    pyarrow.Table
        Memory is shared where layouts agree; missing elements are null.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, None]}, index=["x", "y"])
    >>> df.to_arrow()["a"].to_pylist()
    [1, None]
    >>> df.to_arrow(preserve_index=True).column_names
    ['a', '__index_level_0__']
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
    """Return the columns as an Arrow table, for narwhals and so for scikit-learn, Altair and plotly.

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
    """Return the elements as a NumPy array of two dimensions.

    Parameters
    ----------
    dtype : dtype, optional
        The dtype of the array; one that holds all columns by default.
    copy : bool, default False
        Return an array that may be written to.
    na_value : scalar, optional
        What stands for missing elements.

    Returns
    -------
    numpy.ndarray
        A row for each row. Columns of unlike kinds make an array of objects. The array is read-only where the
        columns have its dtype, unless ``copy`` is set.

    Raises
    ------
    OverflowError
        Where an integer beside a missing element has no exact float64, unless ``dtype`` asks for floats.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [0.5, None]})
    >>> df.to_numpy()
    array([[1. , 0.5],
           [2. , nan]])
    >>> df.to_numpy(na_value=0)
    array([[1. , 0.5],
           [2. , 0. ]])
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
    """Return the elements as Python objects in dicts or lists.

    Parameters
    ----------
    orient : str, default ``'dict'``
        ``'dict'``: column label to row label to element; ``'list'``: column label to list; ``'series'``:
        column label to Series; ``'records'``: a list of dicts; ``'index'``: row label to column label to
        element; ``'split'`` and ``'tight'``: labels and rows apart, ``'tight'`` with the names of levels.
    into : type of mapping or mapping, default ``dict``
        What dicts are made of; a ``collections.defaultdict`` has to be an instance.
    index : bool, default True
        False leaves out the row labels, with ``'split'`` and ``'tight'`` only.

    Returns
    -------
    dict or list
        A list for ``'records'``. Missing elements are NaN, NaT or None.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": ["x", None]})
    >>> df.to_dict()
    {'a': {0: 1, 1: 2}, 'b': {0: 'x', 1: nan}}
    >>> df.to_dict("records")
    [{'a': 1, 'b': 'x'}, {'a': 2, 'b': nan}]
    >>> df.to_dict("split", index=False)
    {'columns': ['a', 'b'], 'data': [[1, 'x'], [2, nan]]}
    """
    into = _maker_of_mappings(into)
    if not index and orient not in ("split", "tight"):
        raise ValueError("'index=False' is only valid when 'orient' is 'split' or 'tight'")
    labels = self._handle.labels()
    if len(set(labels)) < len(labels) and orient not in ("split", "tight"):
        warn(
            "DataFrame columns are not unique, some columns will be omitted.",
            UserWarning,
            stacklevel=frames_to_caller(),
        )
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

    Parameters
    ----------
    index : bool, default True
        Put the row labels before the columns.
    column_dtypes : dtype or dict, optional
        The dtype of all columns in the array, or those of columns by label or number.
    index_dtypes : dtype or dict, optional
        The dtype of the row labels, or those of levels by name or number.

    Returns
    -------
    numpy.recarray
        A field for each column; integers with missing elements are float64.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [0.5, None]})
    >>> df.to_records(index=False, column_dtypes={"a": "int8"})
    rec.array([(1, 0.5), (2, nan)],
              dtype=[('a', 'i1'), ('b', '<f8')])
    """
    return self.to_pandas().to_records(index, column_dtypes, index_dtypes)


def iterrows(self: DataFrame) -> Iterator[tuple[Any, Series]]:
    """Iterate over the rows with their labels.

    Yields
    ------
    label
        The row label; a tuple for a MultiIndex.
    Series
        The row, labelled by the columns, in their common dtype or of objects.

    Notes
    -----
    Slow: methods of whole columns are many times faster.

    Examples
    --------
    >>> import cuprum
    >>> for label, row in cuprum.DataFrame({"a": [1, 2], "b": [3, 4]}).iterrows():
    ...     print(label, row["a"] + row["b"])
    0 4
    1 6
    """
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
    """Iterate over the rows as named tuples.

    Parameters
    ----------
    index : bool, default True
        Put the row label first, as the field ``Index``.
    name : str or None, default ``'Pandas'``
        The name of the tuples' class; None gives plain tuples.

    Returns
    -------
    iterator
        A tuple of Python objects for each row. Labels that are no names of fields become ``_1`` and so on.

    Notes
    -----
    Slow: methods of whole columns are many times faster.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    >>> [row.b * row.a for row in df.itertuples()]
    ['x', 'yy']
    >>> list(df.itertuples(index=False, name=None))
    [(1, 'x'), (2, 'y')]
    """
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
    """Return a Series of a pandas Series.

    Parameters
    ----------
    obj : pandas.Series
        The Series; its labels, name and ``attrs`` are taken over.
    nan_as_null : bool, optional
        Whether NaN among the data is null, as in `Series`.

    Returns
    -------
    Series
        The same elements.

    Examples
    --------
    >>> import cuprum, pandas
    >>> cuprum.Series.from_pandas(pandas.Series([1.5, None], name="x"))
    0    1.5
    1    NaN
    Name: x, dtype: float64
    """
    return _with_attrs(wrap_series(made_with_nan(nan_as_null, series_from_pandas, obj)), obj)


def series_from_arrow(cls: type[Series], obj: Any) -> Series:
    """Return a Series of an object that exports an Arrow array.

    Parameters
    ----------
    obj : pyarrow.Array, ChunkedArray or other object with ``__arrow_c_array__``
        The elements; memory is shared where layouts agree.

    Returns
    -------
    Series
        The elements, labelled 0, 1, ….

    Examples
    --------
    >>> import cuprum, pyarrow
    >>> cuprum.Series.from_arrow(pyarrow.array([1, None, 3]))
    0       1
    1    <NA>
    2       3
    dtype: int64
    """
    return wrap_series(_cuprum.Series(_cuprum.typed_column_from_arrow(obj), getattr(obj, "_name", None)))


def series_to_numpy(
    self: Series, dtype: AnyDType | None = None, copy: bool = False, na_value: Any = ...
) -> Array:
    """Return the elements as a NumPy array.

    Parameters
    ----------
    dtype : dtype, optional
        The dtype of the array; that of the elements by default.
    copy : bool, default False
        Return an array that may be written to.
    na_value : scalar, optional
        What stands for missing elements.

    Returns
    -------
    numpy.ndarray
        Integers with missing elements become float64 with NaN; texts are an array of objects with NaN, truth
        values with missing ones an array of objects with None. The array is read-only where it shares memory.

    Raises
    ------
    OverflowError
        Where an integer beside a missing element has no exact float64, unless ``dtype`` asks for floats.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, None, 3])
    >>> s.to_numpy()
    array([ 1., nan,  3.])
    >>> s.to_numpy("int64", na_value=-1)
    array([ 1, -1,  3])
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
    """Return a pandas Series with the same elements, labels and name.

    Parameters
    ----------
    index : bool, default True
        Keep the row labels; else they are 0, 1, ….
    nullable : bool, default False
        Use pandas' nullable dtypes (``Int64``, ``boolean`` and so on), for row labels too.
    arrow_type : bool, default False
        Use ``pandas.ArrowDtype`` for the elements.

    Returns
    -------
    pandas.Series
        Integers with missing elements become float64, unless other dtypes are asked for.

    Raises
    ------
    OverflowError
        Where an integer beside a missing element has no exact float64.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, None], name="x")
    >>> s.to_pandas()
    0    1.0
    1    NaN
    Name: x, dtype: float64
    >>> s.to_pandas(nullable=True).dtype
    Int64Dtype()
    """
    import pandas as pd

    check_truth("index", index)
    labels = _labels_to_pandas(self.index, nullable) if index else None
    values = to_pandas_array(self._handle.column(), nullable=nullable, arrow_type=arrow_type)
    made = pd.Series(values, index=labels, name=self.name, copy=False)
    return _with_attrs(made, self)


def series_to_arrow(self: Series) -> pa.Array:
    """Return a ``pyarrow.Array`` of the elements.

    Returns
    -------
    pyarrow.Array
        Memory is shared where layouts agree; missing elements are null.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, None]).to_arrow().to_pylist()
    [1, None]
    """
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
    """Return the elements as an Arrow array without the row labels, for narwhals.

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
    """Return the elements as an Arrow stream of one column.

    Returns
    -------
    PyCapsule
        The stream, as Arrow's PyCapsule interface has it.

    Examples
    --------
    >>> import cuprum
    >>> type(cuprum.Series([1, 2]).to_arrow_stream()).__name__
    'PyCapsule'
    """
    return self._handle.to_frame().arrow_stream()


def to_list_(self: Series) -> list[Any]:
    """Return the elements as a list of Python objects.

    Returns
    -------
    list
        Missing elements are NaN, NaT or None, by the dtype.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, None, 3]).to_list()
    [1, nan, 3]
    >>> cuprum.Series([True, None]).to_list()
    [True, None]
    """
    elements = self._handle.to_list()
    return to_list(self._handle.column()) if elements is None else elements


@overload
def series_to_dict(self: Series, *, into: type[dict[Any, Any]] = ...) -> dict[Any, Any]: ...
@overload
def series_to_dict(self: Series, *, into: Mapping[Any, Any] | type[Mapping[Any, Any]]) -> Any: ...
def series_to_dict(self: Series, *, into: Any = dict) -> Any:
    """Return the elements under their row labels in a dict.

    Parameters
    ----------
    into : type of mapping or mapping, default ``dict``
        The type of the result; a ``collections.defaultdict`` has to be an instance.

    Returns
    -------
    dict or other mapping
        Row labels and elements; of a label that repeats the last element.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1.5, None], index=["a", "b"]).to_dict()
    {'a': 1.5, 'b': nan}
    """
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
