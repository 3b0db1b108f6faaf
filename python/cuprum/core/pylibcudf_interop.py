"""Frames, series and indexes as columns and tables of `pylibcuprum`, and back; tensors in DLPack's capsules.

As cuDF has it, what the columns do not say (labels, names) is in a dict beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DType, Table
from cuprum.core import objects
from cuprum.core.arguments import check_truth, plain_label
from cuprum.core.construction import cast_column

if TYPE_CHECKING:
    from cuprum.core.index.index import Index
    from cuprum.typing import AnyIndex

__all__ = ["stored_columns", "with_meanings"]


def _of(column: Column, copy: bool) -> Column:
    check_truth("copy", copy)
    return column.copy() if copy else column


def _stored(column: Column, copy: bool, label: Any) -> Column:
    """Return a column as tables have it, which know how values are stored and not all that they mean."""
    stored = Table([_of(column, copy)]).columns()[0]
    if _meaning(stored, column.dtype).dtype != column.dtype:
        raise NotImplementedError(
            f"{label!r} is of type {column.dtype}, which a column of pylibcuprum does not keep"
        )
    return stored


def _meaning(column: Column, dtype: DType) -> Column:
    """Return a stored column as one of the dtype that it was made of."""
    if column.dtype == dtype:
        return column
    categories = DType.categories.__get__(dtype)
    if categories is not None:
        return Column.from_codes(column, categories, bool(dtype.ordered))
    scale = getattr(dtype, "scale", None)
    if scale is not None and scale == getattr(column.dtype, "scale", None):
        # A table keeps the scale, and not how many digits there may be.
        return cast_column(column, dtype)
    return column if dtype.tz is None else Column.of_instants(column, dtype.tz)


def stored_columns(columns: list[Column]) -> tuple[list[Column], list[DType]]:
    """Return columns as tables have them, and the dtypes that `with_meanings` has to be told."""
    return [_stored(column, False, "a column") for column in columns], [column.dtype for column in columns]


def with_meanings(columns: Sequence[Column], dtypes: list[DType]) -> list[Column]:
    """Return stored columns as those that they were made of."""
    return [_meaning(column, dtype) for column, dtype in zip(columns, dtypes, strict=True)]


def _known(metadata: Any, *names: str) -> dict[str, Any]:
    """Return the dict beside columns; ``TypeError`` and ``ValueError`` for what is none."""
    if metadata is None:
        return {}
    if not isinstance(metadata, dict):
        raise TypeError(f"`metadata` is a {type(metadata).__name__}, no dict")
    unknown = [key for key in metadata if key not in names]
    if unknown:
        raise ValueError(f"`metadata` has {unknown}; known are {list(names)}")
    return metadata


def _only_column(self: Index) -> Column:
    if self._handle.nlevels() != 1:
        raise NotImplementedError(
            f"an index of {self._handle.nlevels()} levels is not one column: see to_frame"
        )
    return self._handle.column(0)


def to_pylibcudf(self: Index, copy: bool = False) -> tuple[Column, dict[str, Any]]:
    """Return the `pylibcuprum.Column` of the labels, and what it does not keep in a dict.

    Parameters
    ----------
    copy : bool, default False
        Copy the memory of the labels; else it is shared.

    Returns
    -------
    column : pylibcuprum.Column
        The labels.
    metadata : dict
        Their ``'name'`` and ``'dtype'``.

    Raises
    ------
    NotImplementedError
        For a MultiIndex.

    Examples
    --------
    >>> import cuprum
    >>> column, metadata = cuprum.Index([10, 20], name="k").to_pylibcudf()
    >>> column.size(), metadata["name"]
    (2, 'k')
    """
    column, name = _only_column(self), self._handle.names()[0]
    return _stored(column, copy, name), {"name": name, "dtype": column.dtype}


def from_pylibcudf(cls: type[AnyIndex], col: Column, metadata: dict[str, Any] | None = None) -> AnyIndex:
    """Return an index of a `pylibcuprum.Column`.

    Parameters
    ----------
    col : pylibcuprum.Column
        The labels; memory is shared.
    metadata : dict, optional
        What `to_pylibcudf` returns: ``'name'`` and ``'dtype'``.

    Returns
    -------
    Index
        The labels, of the class that their dtype has.

    Raises
    ------
    TypeError
        For an argument that is no column, and for metadata that are no dict.

    Examples
    --------
    >>> import cuprum
    >>> column, metadata = cuprum.Index([10, 20], name="k").to_pylibcudf()
    >>> cuprum.Index.from_pylibcudf(column, metadata)
    Index([10, 20], dtype='int64', name='k')
    """
    if not isinstance(col, Column):
        raise TypeError(f"`col` is a {type(col).__name__}, no pylibcuprum.Column")
    given = _known(metadata, "name", "dtype")
    name = plain_label(given.get("name"))
    col = _meaning(col, given.get("dtype", col.dtype))
    return objects.wrap_index(_cuprum.Index.from_columns([col], [name]))


def from_arrow(cls: type[AnyIndex], obj: Any) -> AnyIndex:
    """Return an index of an Arrow array, or a MultiIndex of an Arrow table.

    Parameters
    ----------
    obj : pyarrow.Array, Table or other object that exports Arrow data
        The labels; each column of a table is a level.

    Returns
    -------
    Index
        The labels; levels have the names of the columns of a table.

    Raises
    ------
    TypeError
        For an object that exports no Arrow data.

    Examples
    --------
    >>> import cuprum, pyarrow
    >>> cuprum.Index.from_arrow(pyarrow.array(["x", "y"]))
    Index(['x', 'y'], dtype='str')
    >>> cuprum.Index.from_arrow(pyarrow.table({"a": [1, 2], "b": ["x", "y"]})).names
    FrozenList(['a', 'b'])
    """
    if not hasattr(obj, "__arrow_c_array__") and not hasattr(obj, "__arrow_c_stream__"):
        raise TypeError(f"`obj` is a {type(obj).__name__}, which exports no Arrow data")
    if hasattr(obj, "__arrow_c_array__") or not hasattr(obj, "column_names"):
        column = _cuprum.typed_column_from_arrow(obj)
        return objects.wrap_index(_cuprum.Index.from_columns([column], [None]))
    frame = objects.DataFrame.from_arrow(obj)._handle
    return objects.wrap_index(_cuprum.Index.from_columns(frame.columns(), frame.labels()))


def to_dlpack(self: Index) -> object:
    """Return a copy of the labels as a tensor of one dimension in DLPack's capsule.

    Returns
    -------
    PyCapsule
        The tensor. The labels must be numbers or truth values, none of them missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.from_dlpack(cuprum.Index([10, 20]).to_dlpack()).to_list()
    [10, 20]
    """
    return _only_column(self).__dlpack__(copy=True)
