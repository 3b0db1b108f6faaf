"""Reshaping: explode, transpose, repeat, tile, interleave_columns, to_struct."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column, Table, _tables
from cuprum.core.arguments import (
    is_list_like,
    label_list,
    only_truth,
    plain_label,
    plain_labels,
)
from cuprum.core.devices import on_host
from cuprum.core.label_construction import index_of_labels
from cuprum.core.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyObject,
        LabelOrLabels,
        ListLike,
        RowAxis,
    )


def frame_explode(self: DataFrame, column: LabelOrLabels, ignore_index: bool = False) -> DataFrame:
    """Return a row for each element of the lists in some columns.

    Parameters
    ----------
    column : label or list of labels
        The column with lists, or several; lists of one row have equally many elements then.
    ignore_index : bool, default False
        Label the rows of the result 0, 1, ….

    Returns
    -------
    DataFrame
        The rows in their order, other columns repeated. A list that is empty or missing gives one row with a
        missing element.

    Raises
    ------
    ValueError
        For lists of one row that have unlike lengths.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [[1, 2], [3], []], "b": ["x", "y", "z"]})
    >>> df.explode("a")
          a  b
    0     1  x
    0     2  x
    1     3  y
    2  <NA>  z
    >>> df.explode("a", ignore_index=True).index.to_list()
    [0, 1, 2, 3]
    """
    if is_list_like(column) and not isinstance(column, (list, tuple)):
        raise ValueError("column must be a scalar, tuple, or list thereof")
    return wrap_frame(self._handle.explode(label_list(column), bool(ignore_index)))


def transpose(self: DataFrame, *args: Any, copy: bool | None = None) -> DataFrame:
    """Return the frame with rows and columns in each other's places.

    Parameters
    ----------
    *args : None, optional
        What NumPy's function gives; an order of axes raises ``ValueError``.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.

    Returns
    -------
    DataFrame
        Row labels become column labels. Columns have the common dtype of the old ones, or objects.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1, 2], "b": [3, 4]}, index=["x", "y"]).transpose()
       x  y
    a  1  2
    b  3  4
    >>> cuprum.DataFrame({"a": [1, 2], "b": ["u", "v"]}).T.dtypes.to_list()
    [dtype('O'), dtype('O')]
    """
    only_truth("transpose", copy=copy)
    if args not in ((), (None,)):  # NumPy's function gives None
        raise ValueError(f"transpose takes no order of axes, not {args!r}: there are two")
    with suppress(TypeError):
        return wrap_frame(self._handle.transpose())
    elements = [column.to_list() for _, column in self.items()]
    rows = index_of_labels(self._handle.labels()).with_names(self._handle.level_names())
    columns = [Column.from_objects(row) for row in zip(*elements, strict=True)]
    labels, names = plain_labels(self.index), list(self.index.names)
    return wrap_frame(_cuprum.DataFrame(labels, columns, rows).with_labels(labels, names))


def numbers_of_repeats(repeats: Any, rows: int) -> Any:
    """Return how often each of so many rows is there, as NumPy has it; an error that names ``repeats`` else."""
    import numpy as np

    times = np.asarray(repeats)
    if times.dtype.kind not in "iu":
        raise TypeError(f"`repeats` is {repeats!r}; it is a number, or one for each element")
    if times.size and times.min() < 0:
        raise ValueError("repeats may not contain negative values.")
    if times.ndim and len(times) not in (1, rows):
        raise ValueError(f"`repeats` has {len(times)} numbers for {rows} elements")
    return times


def repeat(self: AnyObject, repeats: int | ListLike, axis: RowAxis | None = None) -> AnyObject:
    """Return every row several times, one after the other.

    Parameters
    ----------
    repeats : int or list of int
        How often each row is there: one number, or one for each row.
    axis : None, default None
        Has to be None.

    Returns
    -------
    DataFrame or Series
        The rows under their labels, which repeat.

    Raises
    ------
    ValueError
        For negative numbers, and for another count of them than rows.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series(["x", "y"]).repeat(2)
    0    x
    0    x
    1    y
    1    y
    dtype: str
    >>> cuprum.Series(["x", "y"]).repeat([0, 3]).to_list()
    ['y', 'y', 'y']
    """
    import numpy as np

    if axis is not None:
        raise ValueError("the 'axis' parameter is not supported by repeat(): it is NumPy's")
    times = numbers_of_repeats(repeats, len(self))
    rows = np.repeat(np.arange(len(self)), times)
    return self._wrap(self._handle.take(Column.from_numpy(rows)))


def tile(self: AnyObject, count: int) -> AnyObject:
    """Return all rows several times, one after the other.

    Parameters
    ----------
    count : int
        How often all rows are there.

    Returns
    -------
    DataFrame or Series
        The rows under their labels, which repeat.

    Raises
    ------
    ValueError
        For an argument that is no number of times.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2]).tile(2).to_list()
    [1, 2, 1, 2]
    >>> cuprum.DataFrame({"a": [1, 2]}).tile(2).index.to_list()
    [0, 1, 0, 1]
    """
    import numpy as np

    if isinstance(count, bool) or not hasattr(count, "__index__") or count < 0:
        raise ValueError(f"`count` is {count!r}, no number of times")
    rows = np.tile(np.arange(len(self)), count.__index__())
    return self._wrap(self._handle.take(Column.from_numpy(rows)))


def interleave_columns(self: DataFrame) -> Series:
    """Return the elements of the first row, then those of the second, and so on.

    Returns
    -------
    Series
        All elements, labelled 0, 1, ….

    Raises
    ------
    TypeError
        For columns of unlike dtypes.
    ValueError
        For a frame without columns.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1, 2], "b": [3, None]}).interleave_columns().to_list()
    [1, 3, 2, nan]
    """
    columns = self._handle.columns()
    if not columns:
        raise ValueError("a frame without columns has none to interleave")
    return wrap_series(_cuprum.Series(_tables.interleave_columns(Table(columns), None, None)))


def to_struct(self: DataFrame, name: Any = None) -> Series:
    """Return the rows as structs, whose fields are the columns.

    Parameters
    ----------
    name : label, optional
        The name of the Series.

    Returns
    -------
    Series
        Structs under the row labels. Names of fields are texts: other labels are written as texts.

    Raises
    ------
    ValueError
        For column labels that repeat.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1, 2], "b": ["x", None]}).to_struct().to_list()
    [{'a': 1, 'b': 'x'}, {'a': 2, 'b': None}]
    """
    labels = [str(label) for label in self._handle.labels()]
    if len(set(labels)) < len(labels):
        raise ValueError(f"columns are labelled {labels}: fields of structs have names of their own")
    import pyarrow as pa

    handle = on_host(self, "to_struct")._handle
    parts = [pa.array(column) for column in handle.columns()]
    fields = [pa.field(label, part.type) for label, part in zip(labels, parts, strict=True)]
    structs = pa.StructArray.from_arrays(parts, fields=fields) if parts else pa.array([{}] * len(self))
    column = _cuprum.typed_column_from_arrow(structs)
    made = wrap_series(_cuprum.Series(column, plain_label(name), handle.index()))
    return made.to_device(self.device)


def series_explode(self: Series, ignore_index: bool = False) -> Series:
    """Return a row for each element of the lists.

    Parameters
    ----------
    ignore_index : bool, default False
        Label the rows of the result 0, 1, ….

    Returns
    -------
    Series
        Each element under the label of its list. A list that is empty or missing gives one row with a missing
        element. A Series of other elements stays as it is.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([[1, 2], [], [3]]).explode()
    0       1
    0       2
    1    <NA>
    2       3
    dtype: int64
    """
    return wrap_series(self._handle.explode(bool(ignore_index)))
