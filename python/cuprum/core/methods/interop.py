"""Columns and tables of pylibcudf, DLPack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column, Table
from cuprum.core import objects
from cuprum.core.arguments import plain_label, plain_labels
from cuprum.core.label_construction import index_handle
from cuprum.core.pylibcudf_interop import _known, _meaning, _stored

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import AnyFrame, AnySeries


def frame_to_pylibcudf(self: DataFrame, copy: bool = False) -> tuple[Table, dict[str, Any]]:
    """Return a `pylibcuprum.Table` of the columns, and what it does not keep in a dict.

    Parameters
    ----------
    copy : bool, default False
        Copy the memory of the columns; else it is shared.

    Returns
    -------
    table : pylibcuprum.Table
        The columns.
    metadata : dict
        The labels of columns (``'columns'``) and rows (``'index'``) and the ``'dtypes'``.

    Examples
    --------
    >>> import cuprum
    >>> table, labels = cuprum.DataFrame({"a": [1, 2]}).to_pylibcudf()
    >>> table.shape(), labels["columns"]
    ((2, 1), Index(['a'], dtype='str'))
    """
    handle = self._handle
    pairs = zip(handle.labels(), handle.columns(), strict=True)
    columns = [_stored(column, copy, label) for label, column in pairs]
    labels = {"columns": self.columns, "index": self.index}
    return Table(columns, len(handle)), {**labels, "dtypes": handle.dtypes()}


def frame_from_pylibcudf(
    cls: type[AnyFrame], table: Table, metadata: dict[str, Any] | None = None
) -> AnyFrame:
    """Return a frame of a `pylibcuprum.Table`.

    Parameters
    ----------
    table : pylibcuprum.Table
        The columns; memory is shared.
    metadata : dict, optional
        Labels and dtypes as `to_pylibcudf` returns them: ``'columns'``, ``'index'`` and ``'dtypes'``.

    Returns
    -------
    DataFrame
        Columns and rows are labelled 0, 1, … where ``metadata`` has no labels.

    Raises
    ------
    TypeError
        For an argument that is no table, and for metadata that are no dict.
    ValueError
        For metadata with other keys, or for another number of columns.

    Examples
    --------
    >>> import cuprum
    >>> table, metadata = cuprum.DataFrame({"a": [1, None]}).to_pylibcudf()
    >>> cuprum.DataFrame.from_pylibcudf(table, metadata)
          a
    0     1
    1  <NA>
    >>> cuprum.DataFrame.from_pylibcudf(table).columns.to_list()
    [0]
    """
    if not isinstance(table, Table):
        raise TypeError(f"`table` is a {type(table).__name__}, no pylibcuprum.Table")
    given = _known(metadata, "columns", "index", "dtypes")
    labels = given.get("columns", range(table.num_columns()))
    if len(labels) != table.num_columns():
        raise ValueError(f"`metadata` has {len(labels)} columns for a table of {table.num_columns()}")
    rows = index_handle(given.get("index"), table.num_rows())
    dtypes = given.get("dtypes", [column.dtype for column in table.columns()])
    if len(dtypes) != table.num_columns():
        raise ValueError(f"`metadata` has {len(dtypes)} dtypes for a table of {table.num_columns()}")
    columns = [_meaning(column, dtype) for column, dtype in zip(table.columns(), dtypes, strict=True)]
    handle = _cuprum.DataFrame(plain_labels(labels), columns, rows)
    names = getattr(labels, "names", None)
    if names is not None:
        handle = handle.with_labels(plain_labels(labels), list(names))
    return objects.wrap_frame(handle)


def frame_to_dlpack(self: DataFrame) -> object:
    """Return the columns as a tensor of two dimensions in DLPack's capsule.

    Returns
    -------
    PyCapsule
        A tensor with a row for each row. All columns must be of one dtype of numbers, without missing
        elements.

    Examples
    --------
    >>> import cuprum
    >>> capsule = cuprum.DataFrame({"a": [1, 2], "b": [3, 4]}).to_dlpack()
    >>> cuprum.from_dlpack(capsule)
       0  1
    0  1  3
    1  2  4
    """
    return _cuprum.to_dlpack(Table(self._handle.columns()), None, None)


def series_to_pylibcudf(self: Series, copy: bool = False) -> tuple[Column, dict[str, Any]]:
    """Return the `pylibcuprum.Column` of the elements, and what it does not keep in a dict.

    Parameters
    ----------
    copy : bool, default False
        Copy the memory of the elements; else it is shared.

    Returns
    -------
    column : pylibcuprum.Column
        The elements.
    metadata : dict
        The ``'name'``, the row labels (``'index'``) and the ``'dtype'``.

    Examples
    --------
    >>> import cuprum
    >>> column, metadata = cuprum.Series([1, None], name="x").to_pylibcudf()
    >>> column.null_count(), metadata["name"]
    (1, 'x')
    """
    handle = self._handle
    column = _stored(handle.column(), copy, handle.name())
    labels = {"name": handle.name(), "index": objects.wrap_index(handle.index()), "dtype": handle.dtype()}
    return column, labels


def series_from_pylibcudf(
    cls: type[AnySeries], col: Column, metadata: dict[str, Any] | None = None
) -> AnySeries:
    """Return a Series of a `pylibcuprum.Column`.

    Parameters
    ----------
    col : pylibcuprum.Column
        The elements; memory is shared.
    metadata : dict, optional
        What `to_pylibcudf` returns: ``'name'``, ``'index'`` and ``'dtype'``.

    Returns
    -------
    Series
        The rows are labelled 0, 1, … where ``metadata`` has no labels.

    Raises
    ------
    TypeError
        For an argument that is no column, and for metadata that are no dict.

    Examples
    --------
    >>> import cuprum
    >>> column, metadata = cuprum.Series([1, None], name="x").to_pylibcudf()
    >>> cuprum.Series.from_pylibcudf(column, metadata)
    0       1
    1    <NA>
    Name: x, dtype: int64
    """
    if not isinstance(col, Column):
        raise TypeError(f"`col` is a {type(col).__name__}, no pylibcuprum.Column")
    given = _known(metadata, "name", "index", "dtype")
    rows = index_handle(given.get("index"), len(col))
    col = _meaning(col, given.get("dtype", col.dtype))
    return objects.wrap_series(_cuprum.Series(col, plain_label(given.get("name")), rows))


def series_to_dlpack(self: Series) -> object:
    """Return a copy of the elements as a tensor of one dimension in DLPack's capsule.

    Returns
    -------
    PyCapsule
        The tensor. The elements must be numbers or truth values, none of them missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.from_dlpack(cuprum.Series([1, 2]).to_dlpack()).to_list()
    [1, 2]
    """
    return self._handle.column().__dlpack__(copy=True)
