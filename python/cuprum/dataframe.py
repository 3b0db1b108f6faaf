"""`DataFrame`: labelled columns over labelled rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.aggregation import function_name, function_parameter
from cuprum.arguments import (
    axis_number,
    flag_per_label,
    is_frame_like,
    is_list_like,
    is_mask,
    label_list,
    only_default,
    plain_label,
    plain_labels,
)
from cuprum.columns import ColumnLabels
from cuprum.construction import (
    column_from,
    element_column,
    frame_from_arrow,
    frame_from_pandas,
    frame_handle,
    index_handle,
    index_of_labels,
    mask_column,
)
from cuprum.frame import IndexedFrame, _set_handle, wrap_frame, wrap_series
from cuprum.index import wrap_index
from cuprum.indexing import select_columns
from cuprum.interop import is_pandas, to_pandas_array
from cuprum.row import Row
from cuprum.series import Series, drop_rows

if TYPE_CHECKING:
    from cuprum.groupby import DataFrameGroupBy

__all__ = ["DataFrame"]

_PLAIN = frozenset({int, float, bool, str})


class DataFrame(IndexedFrame):
    """Columns of one type each, with labels for columns and rows.

    Parameters
    ----------
    data
        A dict of labels and columns (lists, arrays, series matched by label, scalars repeated); a
        list of dicts or of rows; a NumPy array of one or two dimensions; a pandas DataFrame; any
        object that exports an Arrow stream; another DataFrame.
    index
        The labels of the rows, ``0, 1, …`` without them.
    columns
        The labels of the columns; of data that have labels, those to keep.
    dtype
        One type for all columns; found from the data without it.

    Examples
    --------
    >>> DataFrame({"a": [1, 2], "b": ["x", None]})
       a    b
    0  1    x
    1  2  NaN
    """

    __slots__ = ()

    def __init__(
        self,
        data: Any = None,
        index: Any = None,
        columns: Any = None,
        dtype: Any = None,
        copy: bool | None = None,
    ) -> None:
        _set_handle(self, frame_handle(data, index, columns, dtype))

    _wrap = staticmethod(wrap_frame)

    def _map(self, function: Any, inplace: bool = False) -> Any:
        handle = self._handle
        columns = [function(handle.column_at(i)).column() for i in range(handle.shape()[1])]
        return self._changed(handle.with_columns(columns), inplace)

    # What it is.

    @property
    def columns(self) -> ColumnLabels:
        """The labels of the columns; assigning as many others renames them all.

        Raises ``ValueError`` for another number of labels.
        """
        handle = self._handle
        return ColumnLabels(handle.labels(), handle.level_names())

    @columns.setter
    def columns(self, labels: Any) -> None:
        names = getattr(labels, "names", None)
        labels = plain_labels(labels)
        if len(labels) != self._handle.shape()[1]:
            raise ValueError(
                f"Length mismatch: Expected axis has {self._handle.shape()[1]} elements, "
                f"new values have {len(labels)} elements"
            )
        _set_handle(self, self._handle.with_labels(labels, list(names) if names is not None else None))

    @property
    def dtypes(self) -> Row:
        """The types of the columns, under their labels."""
        return Row(self._handle.labels(), self._handle.dtypes())

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return self._handle.shape()

    @property
    def size(self) -> int:
        """The number of elements."""
        rows, columns = self._handle.shape()
        return rows * columns

    @property
    def ndim(self) -> int:
        """Always 2."""
        return 2

    @property
    def axes(self) -> list[Any]:
        """The row labels and the column labels."""
        return [self.index, self.columns]

    def memory_usage(self, index: bool = True, deep: bool = False) -> Series:
        """Return the bytes of memory behind every column, those of the row labels first."""
        labels = self._handle.labels()
        sizes = [column.device_buffer_size() for column in self._handle.columns()]
        if index:
            rows = self._handle.index()
            own = (
                0
                if rows.as_range()
                else sum(rows.column(i).device_buffer_size() for i in range(rows.nlevels()))
            )
            labels, sizes = ["Index", *labels], [own, *sizes]
        return wrap_series(
            _cuprum.Series(Column.from_iterable_of_py(sizes, "int64"), None, index_of_labels(labels))
        )

    def info(
        self,
        verbose: bool | None = None,
        buf: Any = None,
        max_cols: int | None = None,
        memory_usage: Any = None,
        show_counts: bool | None = None,
    ) -> None:
        """Print the types, the numbers of elements that are not missing and the memory."""
        lines = [f"<class 'cuprum.{type(self).__name__}'>", _index_summary(self.index)]
        _rows, count = self.shape
        labels, types = self._handle.labels(), self._handle.dtypes()
        if not count:
            lines.append("Empty DataFrame")
        elif verbose is False:
            lines.append(f"Columns: {count} entries, {labels[0]} to {labels[-1]}")
        else:
            lines.append(f"Data columns (total {count} columns):")
            counts = self.count().to_list() if show_counts is not False else None
            lines += _info_table(labels, counts, [str(dtype) for dtype in types])
        if count:
            names = [str(dtype) for dtype in types]
            kinds = ", ".join(f"{name}({names.count(name)})" for name in sorted(set(names)))
            lines.append(f"dtypes: {kinds}")
        lines.append(f"memory usage: {_bytes(self.memory_usage().sum())}")
        text = "\n".join(lines) + "\n"
        if buf is None:
            print(text, end="")
        else:
            buf.write(text)

    def _repr_html_(self) -> str:
        from cuprum.options import html_layout

        return self._handle.to_html(**html_layout())

    def to_html(self) -> str:
        """Return the frame as an HTML table, as notebooks show it."""
        return self._repr_html_()

    # Columns.

    def __getitem__(self, key: Any) -> Any:
        if type(key) is str:
            try:
                return wrap_series(self._handle.column(key))
            except KeyError:
                return self._below((key,))
        return self._select(key)

    def _below(self, prefix: tuple[Any, ...]) -> DataFrame:
        """The columns below an outer label; to be called while handling the ``KeyError``."""
        below = self._handle.select_prefix(list(prefix))
        if below is None:
            raise
        return wrap_frame(below)

    def _select(self, key: Any) -> Any:
        if callable(key):
            key = key(self)
        if isinstance(key, slice):
            plain = all(part is None or isinstance(part, int) for part in (key.start, key.stop, key.step))
            return wrap_frame(self._handle.iloc(key)) if plain else self.loc[key]
        if isinstance(key, DataFrame):
            return self.where(key)
        if is_list_like(key) and not isinstance(key, tuple):
            if getattr(key, "ndim", 1) == 2:
                return self.where(wrap_frame(frame_handle(key, self.index, self.columns, None)))
            if is_mask(key):
                if not isinstance(key, Series) and len(key) != len(self):
                    raise ValueError(f"Item wrong length {len(key)} instead of {len(self)}.")
                return wrap_frame(self._handle.filter(mask_column(key, self)))
            labels = list(key)
            try:
                return wrap_frame(self._handle.select(plain_labels(labels)))
            except (KeyError, ValueError):
                return select_columns(self, labels)
        key = plain_label(key)
        try:
            return wrap_series(self._handle.column(key))
        except KeyError:
            return self._below(key if isinstance(key, tuple) else (key,))

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            try:
                return wrap_series(self._handle.column(name))
            except (KeyError, ValueError):
                pass
        raise AttributeError(f"'DataFrame' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(type(self), name):
            object.__setattr__(self, name, value)
        elif self._handle.contains(name):
            self[name] = value
        else:
            raise AttributeError(
                f"'DataFrame' object has no attribute '{name}'; add a column with df[{name!r}] = …"
            )

    def __dir__(self) -> list[str]:
        labels = (label for label in self._handle.labels() if isinstance(label, str) and label.isidentifier())
        return [*super().__dir__(), *labels]

    def __setitem__(self, key: Any, value: Any) -> None:
        if type(key) is str:
            self._set_column(key, value)
        elif isinstance(key, DataFrame):
            self._changed(self.mask(key, value)._handle, inplace=True)
        elif isinstance(key, slice):
            plain = all(part is None or isinstance(part, int) for part in (key.start, key.stop, key.step))
            (self.iloc if plain else self.loc)[key] = value
        elif is_list_like(key) and not isinstance(key, tuple):
            if is_mask(key):
                self.loc[key] = value
            else:
                self._set_columns(plain_labels(key), value)
        else:
            self._set_column(plain_label(key), value)

    def _column_handle(self, label: Any, value: Any) -> Any:
        """Return the handle with a column set to what a user gives for it."""
        handle = self._handle
        levels = handle.num_levels()
        if levels > 1 and not isinstance(label, tuple):
            label = (label, *[""] * (levels - 1))
        if isinstance(value, Series):
            return handle.assign(label, value._handle)
        if is_pandas(value, "Series"):
            return handle.assign(label, Series(value)._handle)
        if isinstance(value, DataFrame):
            if value.shape[1] != 1:
                raise ValueError(
                    f"Cannot set a DataFrame with {value.shape[1]} columns to the single column {label}"
                )
            return handle.assign(label, value._handle.column_at(0))
        if isinstance(value, Mapping):
            return handle.assign(label, Series(value)._handle)
        if not is_list_like(value):
            return handle.with_column(label, element_column(value, len(handle)))
        if getattr(value, "ndim", 1) == 2 and value.shape[1] == 1:
            value = value[:, 0]
        column = column_from(value)
        if handle.shape()[1] == 0 and len(handle) == 0:
            return _cuprum.DataFrame([label], [column])
        return handle.with_column(label, column)

    def _set_column(self, label: Any, value: Any) -> None:
        if callable(value):
            raise TypeError(f"a column cannot be set to a callable; call it, or use assign({label}=…)")
        _set_handle(self, self._column_handle(label, value))

    def _set_columns(self, labels: list[Any], value: Any) -> None:
        if is_frame_like(value):
            value = DataFrame(value)
        if isinstance(value, DataFrame):
            parts: list[Any] = [wrap_series(value._handle.column_at(i)) for i in range(value.shape[1])]
        elif getattr(value, "ndim", 1) == 2:
            parts = [value[:, i] for i in range(value.shape[1])]
        elif is_list_like(value) and not isinstance(value, Series):
            value = list(value)
            if value and is_list_like(value[0]):
                parts = [list(part) for part in zip(*value, strict=True)]
            else:
                parts = value
        else:
            parts = [value] * len(labels)
        if len(parts) != len(labels):
            raise ValueError("Columns must be same length as key")
        changed = self.copy()
        for label, part in zip(labels, parts, strict=True):
            changed._set_column(label, part)
        _set_handle(self, changed._handle)

    def __delitem__(self, label: Any) -> None:
        _set_handle(self, self._handle.drop_columns([plain_label(label)]))

    def __contains__(self, label: Any) -> bool:
        return self._handle.contains(plain_label(label))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._handle.labels())

    def keys(self) -> ColumnLabels:
        """Return the labels of the columns."""
        return self.columns

    def items(self) -> Iterator[tuple[Any, Series]]:
        """Iterate over pairs of label and column."""
        handle = self._handle
        for i, label in enumerate(handle.labels()):
            yield label, wrap_series(handle.column_at(i))

    def get(self, key: Any, default: Any = None) -> Any:
        """Return ``self[key]``, or ``default`` where there is no such column."""
        try:
            return self[key]
        except (KeyError, IndexError):
            return default

    def pop(self, item: Any) -> Series:
        """Remove a column and return it; ``KeyError`` where there is none."""
        column = self[item]
        del self[item]
        return column

    def insert(self, loc: int, column: Any, value: Any, allow_duplicates: bool = False) -> None:
        """Insert a column before position ``loc``; ``ValueError`` for a label that is there."""
        only_default("insert", allow_duplicates=(allow_duplicates, False))
        if not 0 <= loc <= self._handle.shape()[1]:
            raise IndexError(f"index {loc} is out of bounds for axis 0 with size {self._handle.shape()[1]}")
        label = plain_label(column)
        if self._handle.contains(label):
            raise ValueError(f"cannot insert {label}, already exists")
        with_value = self._column_handle(label, value)
        order = list(range(self._handle.shape()[1]))
        order.insert(loc, len(order))
        _set_handle(self, with_value.select_positions(order))

    def assign(self, **kwargs: Any) -> DataFrame:
        """Return the frame with columns added or replaced; a callable is given the frame made so far.

        Examples
        --------
        >>> DataFrame({"a": [1, 2]}).assign(b=lambda df: df.a * 10)
           a   b
        0  1  10
        1  2  20
        """
        result = self.copy()
        for name, value in kwargs.items():
            result._set_column(name, value(result) if callable(value) else value)
        return result

    def filter(
        self, items: Any = None, like: str | None = None, regex: str | None = None, axis: Any = None
    ) -> DataFrame:
        """Return the columns named in ``items``, or with ``like`` in their label, or matching ``regex``."""
        if axis is not None and axis_number(axis) == 0:
            raise NotImplementedError("filter does not support `axis`=0: it selects columns")
        if sum(x is not None for x in (items, like, regex)) != 1:
            raise TypeError("Must pass exactly one of `items`, `like`, or `regex`")
        labels = self._handle.labels()
        if items is not None:
            chosen = [labels.index(label) for label in plain_labels(items) if label in labels]
        elif like is not None:
            chosen = [i for i, label in enumerate(labels) if like in str(label)]
        else:
            import re

            chosen = [i for i, label in enumerate(labels) if re.search(regex or "", str(label))]
        return wrap_frame(self._handle.select_positions(chosen))

    def select_dtypes(self, include: Any = None, exclude: Any = None) -> DataFrame:
        """Return the columns of some types: a type, ``'number'``, ``'datetime'``, ``'str'``, or a list of them."""
        include, exclude = _types(include), _types(exclude)
        if not include and not exclude:
            raise ValueError("at least one of include or exclude must be nonempty")
        chosen = [
            i
            for i, dtype in enumerate(self._handle.dtypes())
            if (not include or any(_is_type(dtype, t) for t in include))
            and not any(_is_type(dtype, t) for t in exclude)
        ]
        return wrap_frame(self._handle.select_positions(chosen))

    def squeeze(self, axis: Any = None) -> Any:
        """Return the column of a frame of one, its element if there is one row; other frames as they are."""
        rows, columns = self.shape
        if columns != 1:
            return self.iloc[0] if rows == 1 and axis in (None, 0, "index") else self
        column = wrap_series(self._handle.column_at(0))
        return column.squeeze() if axis is None else column

    def nlargest(self, n: int, columns: Any, keep: str = "first") -> DataFrame:
        """Return the ``n`` rows with the largest values in ``columns``, largest first; ties in row order."""
        only_default("nlargest", keep=(keep, "first"))
        return wrap_frame(self._handle.top(max(n, 0), label_list(columns), True))

    def nsmallest(self, n: int, columns: Any, keep: str = "first") -> DataFrame:
        """Return the ``n`` rows with the smallest values in ``columns``, smallest first; ties in row order."""
        only_default("nsmallest", keep=(keep, "first"))
        return wrap_frame(self._handle.top(max(n, 0), label_list(columns), False))

    # Rows as Python objects.

    def iterrows(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over pairs of label and row: slow, for a look; prefer methods of whole columns."""
        from cuprum.indexing import row_of

        for i, label in enumerate(self.index.to_list()):
            yield label, row_of(self._handle, i)

    def itertuples(self, index: bool = True, name: str | None = "Pandas") -> Iterator[tuple[Any, ...]]:
        """Iterate over rows as named tuples: slow, for a look; prefer methods of whole columns."""
        from collections import namedtuple

        parts = [column.to_list() for _, column in self.items()]
        fields = [str(label) for label in self._handle.labels()]
        if index:
            parts.insert(0, self.index.to_list())
            fields.insert(0, "Index")
        if not parts:
            return iter([()] * len(self))
        rows = zip(*parts, strict=True)
        if name is None:
            return rows
        return map(namedtuple(name, fields, rename=True)._make, rows)

    # Operators.

    def _operate(self, other: Any, op: str, reflected: bool) -> Any:
        handle = self._handle
        if type(other) in _PLAIN:
            return self._with_scalar(other, op, reflected)
        if isinstance(other, DataFrame):
            left, right = (other._handle, handle) if reflected else (handle, other._handle)
            return wrap_frame(left.binary(right, op))
        if is_pandas(other, "DataFrame"):
            return self._operate(DataFrame(other), op, reflected)
        if isinstance(other, Series) or is_pandas(other, "Series"):
            return wrap_frame(handle.binary_row(Series(other)._handle, op, reflected))
        if is_list_like(other):
            if getattr(other, "ndim", 1) == 2:
                return self._operate(DataFrame(other, index=self.index, columns=self.columns), op, reflected)
            column = column_from(other)
            if len(column) != handle.shape()[1]:
                raise ValueError(
                    f"Unable to coerce to Series, length must be {handle.shape()[1]}: given {len(column)}"
                )
            row = _cuprum.Series(column, None, index_of_labels(handle.labels()))
            return wrap_frame(handle.binary_row(row, op, reflected))
        return self._with_scalar(other, op, reflected)

    def _with_scalar(self, other: Any, op: str, reflected: bool) -> Any:
        try:
            return wrap_frame(self._handle.binary_scalar(other, op, reflected))
        except TypeError:
            if op not in ("eq", "ne"):
                raise
            return self._map(lambda s: wrap_series(s)._operate(other, op, reflected)._handle)

    def _operate_with(
        self, name: str, other: Any, op: str, reflected: bool, axis: Any, level: Any, fill_value: Any
    ) -> Any:
        only_default(name, level=(level, None))
        by_row = axis is None or axis_number(axis) == 1
        if isinstance(other, Series) and not by_row:
            if fill_value is not None:
                raise NotImplementedError(f"{name} does not support `fill_value` with a Series")
            index = self._handle.index()
            aligned = other._handle.reindex(index)
            return self._map(lambda s: wrap_series(s)._operate(wrap_series(aligned), op, reflected)._handle)
        if fill_value is None:
            return self._operate(other, op, reflected)
        if isinstance(other, DataFrame):
            if not self.columns.equals(other.columns) or not self.index.equals(other.index):
                raise NotImplementedError(
                    f"{name} does not support `fill_value` with frames labelled differently"
                )
            missing = self.isna() & other.isna()
            result = self.fillna(fill_value)._operate(other.fillna(fill_value), op, reflected)
            return result.mask(missing)
        return self.fillna(fill_value)._operate(other, op, reflected)

    # Labels.

    def set_index(
        self,
        keys: Any,
        *,
        drop: bool = True,
        append: bool = False,
        inplace: bool = False,
        verify_integrity: bool = False,
    ) -> Any:
        """Return the frame with columns (labels), or arrays of its length, as the row labels.

        ``append`` keeps the present labels as outer levels; ``verify_integrity`` raises
        ``ValueError`` where a label occurs twice.
        """
        keys = keys if isinstance(keys, list) else [keys]
        handle = self._handle
        if all(isinstance(key, (str, int, tuple)) for key in keys) and not append:
            result = handle.set_index(keys, drop)
        else:
            levels, names, gone = [], [], []
            if append:
                rows = handle.index()
                levels = [rows.column(i) for i in range(rows.nlevels())]
                names = rows.names()
            for key in keys:
                if isinstance(key, (str, int, tuple)):
                    levels.append(handle.column(key).column())
                    names.append(key)
                    gone.append(key)
                else:
                    rows = index_handle(key)
                    levels += [rows.column(i) for i in range(rows.nlevels())]
                    names += rows.names()
            index = _cuprum.Index.from_columns(levels, names)
            result = (handle.drop_columns(gone) if drop and gone else handle).with_index(index)
        if verify_integrity and not result.index().is_unique():
            raise ValueError("Index has duplicate keys")
        result = self._changed(result, inplace)
        return None if inplace else result

    def reset_index(
        self,
        level: Any = None,
        *,
        drop: bool = False,
        inplace: bool = False,
        col_level: Any = 0,
        col_fill: Any = "",
        allow_duplicates: bool = False,
        names: Any = None,
    ) -> Any:
        """Return the frame with the row labels as its first columns, under the names of their levels.

        Unnamed ones are called ``index`` or ``level_0`` and so on; ``names`` gives others. With
        ``drop`` they are dropped. ``level`` names those to reset; all without it.
        """
        handle = self._handle
        index = handle.index()
        count = index.nlevels()
        which = list(range(count))
        if level is not None:
            which = sorted(
                {
                    index.level_position(one)
                    for one in (level if isinstance(level, (list, tuple)) else [level])
                }
            )
        if names is not None:
            new = list(names) if is_list_like(names) else [names]
            if len(new) != count:
                raise ValueError(f"`names` has {len(new)} names for {count} levels")
            index = index.with_names(new)
        if len(which) == count:
            result = handle.drop_index() if drop else handle.with_index(index).reset_index()
        else:
            level_names = index.names()
            rest = [i for i in range(count) if i not in which]
            kept = _cuprum.Index.from_columns([index.column(i) for i in rest], [level_names[i] for i in rest])
            result = handle
            if not drop:
                reset = _cuprum.Index.from_columns(
                    [index.column(i) for i in which],
                    [f"level_{i}" if level_names[i] is None else level_names[i] for i in which],
                )
                result = handle.with_index(reset).reset_index()
            result = result.with_index(kept)
        result = self._changed(result, inplace)
        return None if inplace else result

    def rename(
        self,
        mapper: Any = None,
        *,
        index: Any = None,
        columns: Any = None,
        axis: Any = None,
        copy: bool | None = None,
        inplace: bool = False,
        level: Any = None,
        errors: str = "ignore",
    ) -> Any:
        """Return the frame with other labels: a dict of old and new ones, or a function of the old.

        ``columns`` or ``axis=1`` is for columns, ``index`` or a bare mapper for rows. With
        ``errors='raise'`` a label that is not there is a ``KeyError``.
        """
        only_default("rename", level=(level, None))
        if mapper is not None:
            if axis is not None and axis_number(axis) == 1:
                columns = mapper
            else:
                index = mapper
        if index is None and columns is None:
            raise TypeError("must pass an index to rename")
        handle = self._handle
        if columns is not None:
            labels = handle.labels()
            if isinstance(columns, Series):
                columns = columns.to_dict()
            if isinstance(columns, Mapping) and errors == "raise":
                unknown = [label for label in columns if label not in labels]
                if unknown:
                    raise KeyError(f"{unknown} not found in axis")
            handle = handle.with_labels([plain_label(_renamed(label, columns)) for label in labels])
        if index is not None:
            labels = self.index.to_list()
            if isinstance(index, Mapping) and errors == "raise":
                unknown = [label for label in index if label not in labels]
                if unknown:
                    raise KeyError(f"{unknown} not found in axis")
            new = index_handle([_renamed(label, index) for label in labels])
            handle = handle.with_index(new.with_names(handle.index().names()))
        result = self._changed(handle, inplace)
        return None if inplace else result

    def rename_axis(
        self,
        mapper: Any = None,
        *,
        index: Any = None,
        columns: Any = None,
        axis: Any = 0,
        inplace: bool = False,
    ) -> Any:
        """Return the frame with names for the levels of its row labels (or column labels)."""
        if mapper is not None:
            if axis_number(axis) == 1:
                columns = mapper
            else:
                index = mapper
        handle = self._handle
        if index is not None or (mapper is None and columns is None):
            names = list(index) if is_list_like(index) else [index]
            handle = handle.with_index(handle.index().with_names(names))
        if columns is not None:
            names = list(columns) if is_list_like(columns) else [columns]
            handle = handle.with_labels(handle.labels(), names)
        result = self._changed(handle, inplace)
        return None if inplace else result

    def add_prefix(self, prefix: str) -> DataFrame:
        """Return the frame with ``prefix`` before every column label."""
        return wrap_frame(self._handle.with_labels([f"{prefix}{label}" for label in self._handle.labels()]))

    def add_suffix(self, suffix: str) -> DataFrame:
        """Return the frame with ``suffix`` after every column label."""
        return wrap_frame(self._handle.with_labels([f"{label}{suffix}" for label in self._handle.labels()]))

    def set_axis(self, labels: Any, *, axis: Any = 0) -> DataFrame:
        """Return the frame with other row labels (column labels, with ``axis=1``)."""
        result = self.copy()
        if axis_number(axis) == 1:
            result.columns = labels
        else:
            result.index = labels
        return result

    def reindex(
        self, labels: Any = None, *, index: Any = None, columns: Any = None, axis: Any = None, **kwargs: Any
    ) -> DataFrame:
        """Return the rows (and columns) with some labels, in their order; missing where there is none."""
        only_default("reindex", **{name: (value, None) for name, value in kwargs.items()})
        if labels is not None:
            if axis is not None and axis_number(axis) == 1:
                columns = labels
            else:
                index = labels
        return wrap_frame(frame_handle(self, index, columns, None))

    def drop(
        self,
        labels: Any = None,
        *,
        axis: Any = 0,
        index: Any = None,
        columns: Any = None,
        level: Any = None,
        inplace: bool = False,
        errors: str = "raise",
    ) -> Any:
        """Return the frame without some rows (``index``) or columns, given by label.

        ``KeyError`` for a label that is not there, unless ``errors='ignore'``.
        """
        only_default("drop", level=(level, None))
        if labels is not None:
            if index is not None or columns is not None:
                raise ValueError("Cannot specify both 'labels' and 'index'/'columns'")
            if axis_number(axis) == 1:
                columns = labels
            else:
                index = labels
        elif index is None and columns is None:
            raise ValueError("Need to specify at least one of 'labels', 'index' or 'columns'")
        handle = self._handle
        if columns is not None:
            gone = label_list(columns)
            if errors == "ignore":
                gone = [label for label in gone if handle.contains(label)]
            handle = handle.drop_columns(gone)
        if index is not None:
            handle = drop_rows(handle, index, errors)
        result = self._changed(handle, inplace)
        return None if inplace else result

    # Missing elements.

    def fillna(
        self, value: Any = None, *, axis: Any = None, inplace: bool = False, limit: int | None = None
    ) -> Any:
        """Return missing elements replaced by a scalar, by one for each column (a dict or Series), or by a frame's.

        The scalar must fit the type of the column, which becomes a wider one where that holds it.
        """
        only_default("fillna", limit=(limit, None))
        if value is None:
            raise ValueError("Must specify a fill 'value'.")
        if isinstance(value, (Series, Row)) or is_pandas(value, "Series"):
            value = value.to_dict()
        if isinstance(value, Mapping):
            handle = self._handle
            columns = {label: v for label, v in value.items() if isinstance(v, (Series, Mapping))}
            if columns:
                handle = self.assign_labels(
                    {label: self[label].fillna(v) for label, v in columns.items()}
                )._handle
            rest = [(plain_label(label), v) for label, v in value.items() if label not in columns]
            handle = handle.fillna_columns(rest)
        elif isinstance(value, DataFrame):
            common = [label for label in self._handle.labels() if value._handle.contains(label)]
            handle = self.assign_labels({label: self[label].fillna(value[label]) for label in common})._handle
        elif is_list_like(value):
            raise TypeError(
                f'"value" parameter must be a scalar or dict, but you passed a "{type(value).__name__}"'
            )
        else:
            handle = self._handle.fillna(value)
        return self._changed(handle, inplace)

    def assign_labels(self, columns: Mapping[Any, Any]) -> DataFrame:
        """Return the frame with columns set, as `assign` does, for labels that are no keywords."""
        result = self.copy()
        for label, value in columns.items():
            result._set_column(label, value)
        return result

    def dropna(
        self,
        *,
        axis: Any = 0,
        how: Any = None,
        thresh: int | None = None,
        subset: Any = None,
        inplace: bool = False,
        ignore_index: bool = False,
    ) -> Any:
        """Return the rows (columns, with ``axis=1``) without missing elements.

        ``how='all'`` drops only those with nothing else, ``thresh`` those with fewer others;
        ``subset`` names the columns that count.
        """
        if how is not None and thresh is not None:
            raise TypeError("You cannot set both the how and thresh arguments at the same time.")
        if how not in (None, "any", "all"):
            raise ValueError(f"invalid how option: {how}")
        rows, columns = self._handle.shape()
        if axis_number(axis) == 1:
            if subset is not None:
                raise NotImplementedError("dropna does not support `subset` with `axis`=1")
            needed = thresh if thresh is not None else (1 if how == "all" and rows else rows)
            handle = self._handle.dropna_columns(needed)
        else:
            labels = [] if subset is None else label_list(subset)
            count = len(labels) if subset is not None else columns
            needed = thresh if thresh is not None else (min(1, count) if how == "all" else count)
            if subset is not None and not labels:
                handle = self._handle
            else:
                handle = self._handle.dropna(labels, needed)
            if ignore_index:
                handle = handle.drop_index()
        result = self._changed(handle, inplace)
        return None if inplace else result

    # Types and elements.

    def astype(self, dtype: Any, copy: bool | None = None, errors: str = "raise") -> DataFrame:
        """Return all columns cast to one type, or some to the types in a dict.

        ``ValueError`` for a text that is no such value and for NaN as an integer, ``OverflowError``
        for a number that does not fit, ``KeyError`` for a column that is not there.
        """
        try:
            if isinstance(dtype, (Mapping, Row)):
                return wrap_frame(
                    self._handle.astype_columns([(plain_label(k), t) for k, t in dtype.items()])
                )
            return wrap_frame(self._handle.astype(dtype))
        except (ValueError, TypeError, OverflowError):
            if errors != "ignore":
                raise
            return self.copy()

    def round(self, decimals: Any = 0) -> DataFrame:
        """Return numbers rounded to ``decimals`` places (a dict: for some columns), halves to even."""
        if not isinstance(decimals, (Mapping, Series)):
            return wrap_frame(self._handle.round(decimals))
        places = dict(decimals.items())
        known = {label: n for label, n in places.items() if self._handle.contains(label)}
        return self.assign_labels({label: self[label].round(int(n)) for label, n in known.items()})

    def isin(self, values: Any) -> DataFrame:
        """Return True where an element is one of ``values``, a list-like or a dict of them by column."""
        if isinstance(values, DataFrame):
            raise NotImplementedError("isin does not support a DataFrame: compare with ==")
        if isinstance(values, Mapping):
            return self._map(lambda s: wrap_series(s).isin(values.get(s.name(), []))._handle)
        return self._map(lambda s: wrap_series(s).isin(values)._handle)

    def _as_condition(self, cond: Any) -> DataFrame:
        return wrap_frame(frame_handle(cond, self.index, self.columns, "bool"))

    def where(
        self, cond: Any, other: Any = None, *, inplace: bool = False, axis: Any = None, level: Any = None
    ) -> Any:
        """Return elements where ``cond`` is true, ``other`` (missing, if not given) where it is not.

        ``cond`` is a frame, a Series for all columns, an array or a callable; ``other`` a scalar or a frame.
        """
        only_default("where", level=(level, None))
        if callable(cond):
            cond = cond(self)
        if callable(other):
            other = other(self)
        if not isinstance(cond, IndexedFrame):
            cond = self._as_condition(cond)
        if isinstance(cond, DataFrame) and not (
            cond.columns.equals(self.columns) and cond._handle.index().equals(self._handle.index())
        ):
            cond = cond.reindex(index=self.index, columns=self.columns).fillna(False)

        def one(s: Any) -> Any:
            name = s.name()
            condition = cond[name] if isinstance(cond, DataFrame) else cond
            value = other[name] if isinstance(other, DataFrame) else other
            return wrap_series(s).where(condition, value)._handle

        return self._map(one, inplace)

    def replace(
        self, to_replace: Any = None, value: Any = None, *, inplace: bool = False, regex: bool = False
    ) -> Any:
        """Return elements equal to ``to_replace`` replaced by ``value``; see `Series.replace`.

        Columns that hold no such element keep their type.
        """

        def one(s: Any) -> Any:
            return wrap_series(s).replace(to_replace, value, regex=regex)._handle

        return self._map(one, inplace)

    # Order and repetition.

    def sort_values(
        self,
        by: Any,
        *,
        axis: Any = 0,
        ascending: Any = True,
        inplace: bool = False,
        kind: str = "quicksort",
        na_position: str = "last",
        ignore_index: bool = False,
        key: Any = None,
    ) -> Any:
        """Return the rows sorted by columns, the first of ``by`` being the most significant.

        ``ascending`` is one flag or one for each. Missing elements come last (or ``'first'``); equal
        rows keep their order.
        """
        only_default("sort_values", key=(key, None))
        if axis_number(axis) == 1:
            raise NotImplementedError("sort_values does not support `axis`=1")
        labels = label_list(by)
        flags = flag_per_label(ascending, len(labels), "ascending")
        handle = self._handle
        unknown = [label for label in labels if not handle.contains(label)]
        if unknown and all(label in handle.index().names() for label in unknown):
            # pandas takes names of index levels as well.
            index = handle.index()
            for label in unknown:
                handle = handle.with_column(label, index.column(index.level_position(label)))
        handle = handle.sort_values(labels, flags, na_position)
        if unknown:
            handle = handle.drop_columns(unknown)
        result = self._changed(handle.drop_index() if ignore_index else handle, inplace)
        return None if inplace else result

    def drop_duplicates(
        self, subset: Any = None, *, keep: Any = "first", inplace: bool = False, ignore_index: bool = False
    ) -> Any:
        """Return the rows that do not repeat another in the columns ``subset`` (all).

        ``keep`` is ``'first'``, ``'last'`` or False for none of the repeated ones.
        """
        handle = self._handle.drop_duplicates([] if subset is None else label_list(subset), keep)
        result = self._changed(handle.drop_index() if ignore_index else handle, inplace)
        return None if inplace else result

    def duplicated(self, subset: Any = None, keep: Any = "first") -> Series:
        """Return True where a row repeats one that ``keep`` keeps, in the columns ``subset`` (all)."""
        return wrap_series(self._handle.duplicated([] if subset is None else label_list(subset), keep))

    def value_counts(
        self,
        subset: Any = None,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        dropna: bool = True,
    ) -> Series:
        """Return how often each row occurs, labelled by its values, most frequent first."""
        labels = self._handle.labels() if subset is None else label_list(subset)
        counts = self.groupby(labels, sort=False, dropna=dropna).size().rename("count")
        if sort:
            counts = counts.sort_values(ascending=ascending)
        return (counts / counts.sum()).rename("proportion") if normalize else counts

    # Summaries.

    def _reduce(
        self, name: str, axis: Any, skipna: bool, numeric_only: bool, parameter: float | None = None
    ) -> Any:
        if axis is None:
            if name in ("any", "all", "min", "max", "sum"):
                return self._reduce(name, 0, skipna, numeric_only, parameter)._reduce(name, 0, skipna, False)
            axis = 0
        if axis_number(axis) == 1:
            raise NotImplementedError(f"{name} does not support `axis`=1: combine the columns with operators")
        if not skipna and name not in ("count", "size"):
            only_default(name, skipna=(skipna, True))
        try:
            return wrap_series(self._handle.reduce(name, parameter, bool(numeric_only)))
        except NotImplementedError as error:
            raise TypeError(str(error)) from None

    def count(self, axis: Any = 0, numeric_only: bool = False) -> Series:
        """Return the number of elements in every column that are not missing."""
        return self._reduce("count", axis, True, numeric_only)

    def nunique(self, axis: Any = 0, dropna: bool = True) -> Series:
        """Return the number of different elements in every column; missing ones count once unless ``dropna``."""
        if axis_number(axis) == 1:
            raise NotImplementedError("nunique does not support `axis`=1")
        return wrap_series(self._handle.nunique(not dropna))

    def quantile(
        self, q: Any = 0.5, axis: Any = 0, numeric_only: bool = False, interpolation: str = "linear"
    ) -> Any:
        """Return the value below which a share ``q`` of each column lies; see `Series.quantile`.

        A Series for one ``q``, a frame with a row for each of several.
        """
        only_default("quantile", interpolation=(interpolation, "linear"))
        if axis_number(axis) == 1:
            raise NotImplementedError("quantile does not support `axis`=1")
        frame = self.select_dtypes("number") if numeric_only else self
        if not is_list_like(q):
            result = wrap_series(frame._handle.reduce("quantile", float(q), False))
            return result.rename(None)
        shares = [float(x) for x in q]
        parts = {label: column.quantile(shares) for label, column in frame.items()}
        return DataFrame(parts, index=shares)

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> DataFrame:
        """Return count, mean, standard deviation, minimum, quartiles and maximum of every number column.

        A frame without such is described by count, number of different elements, the most frequent
        one and its frequency, as texts. ``include`` and ``exclude`` choose columns by type.
        """
        only_default("describe", percentiles=(percentiles, None))
        frame = self
        if include is not None and not (isinstance(include, str) and include == "all"):
            frame = self.select_dtypes(include, exclude)
        elif exclude is not None:
            frame = self.select_dtypes(exclude=exclude)
        return wrap_frame(frame._handle.describe())

    def idxmax(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Series:
        """Return the row label of the first largest element of every column."""
        frame = self.select_dtypes("number") if numeric_only else self
        return Series([c.idxmax() for _, c in frame.items()], index=frame.columns.tolist())

    def idxmin(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Series:
        """Return the row label of the first smallest element of every column."""
        frame = self.select_dtypes("number") if numeric_only else self
        return Series([c.idxmin() for _, c in frame.items()], index=frame.columns.tolist())

    def corr(self, method: str = "pearson", min_periods: int = 1, numeric_only: bool = False) -> DataFrame:
        """Return Pearson's correlation of every pair of columns."""
        frame = self.select_dtypes("number") if numeric_only else self
        columns = dict(frame.items())
        return DataFrame(
            {a: [left.corr(right, method) for right in columns.values()] for a, left in columns.items()},
            index=list(columns),
        )

    def agg(self, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Return every column reduced by name: a Series; by several in a list or dict of lists: a frame.

        Names are those of the methods; see `Series.agg` for the functions that stand for them.
        """
        if axis_number(axis) == 1:
            raise NotImplementedError("agg does not support `axis`=1")
        if isinstance(func, Mapping):
            if any(is_list_like(f) for f in func.values()):
                listed = {label: list(f) if is_list_like(f) else [f] for label, f in func.items()}
                names = list(dict.fromkeys(function_name(f) for fs in listed.values() for f in fs))
                parts = {
                    label: Series([self[label].agg(f) for f in fs], index=[function_name(f) for f in fs])
                    for label, fs in listed.items()
                }
                return DataFrame(parts, index=names)
            return Series([self[label].agg(f) for label, f in func.items()], index=list(func))
        if is_list_like(func):
            names = [function_name(f) for f in func]
            return DataFrame(
                {label: [column.agg(f) for f in func] for label, column in self.items()}, index=names
            )
        name = function_name(func)
        if name == "size":
            return Series([len(self)] * self.shape[1], index=self.columns.tolist())
        if name in ("first", "last"):
            return self._reduce(name, 0, True, False)
        if function_parameter(func) is not None:
            kwargs.setdefault("ddof", 0)
        return getattr(self, name)(*args, **kwargs)

    aggregate = agg

    def equals(self, other: Any) -> bool:
        """Whether ``other`` has equal columns, labels and types; missing equals missing."""
        return isinstance(other, DataFrame) and self._handle.equals(other._handle)

    # Groups and joins.

    def groupby(
        self,
        by: Any = None,
        level: Any = None,
        *,
        as_index: bool = True,
        sort: bool = True,
        group_keys: bool = True,
        observed: bool = True,
        dropna: bool = True,
    ) -> DataFrameGroupBy:
        """Return groups of the rows with equal keys.

        Parameters
        ----------
        by
            A column's label or a list of them; series, matched by label; arrays of the frame's length.
        level
            Levels of the row labels as keys, by name or number, instead of ``by``.
        as_index
            Keys become the row labels of results; else their first columns.
        sort
            Groups in ascending order of their keys; else in order of first appearance.
        dropna
            Rows with a missing key belong to no group; else missing keys make a group.

        Examples
        --------
        >>> DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]}).groupby("k", as_index=False).sum()
           k  v
        0  x  4
        1  y  2
        """
        from cuprum.groupby import groups_of_frame

        return groups_of_frame(self, by, level, as_index, sort, dropna)

    def merge(
        self,
        right: Any,
        how: str = "inner",
        on: Any = None,
        left_on: Any = None,
        right_on: Any = None,
        left_index: bool = False,
        right_index: bool = False,
        sort: bool = False,
        suffixes: Any = ("_x", "_y"),
        copy: bool | None = None,
        indicator: bool | str = False,
        validate: str | None = None,
    ) -> DataFrame:
        """Return the rows of both frames paired by equal keys; missing keys equal each other.

        Parameters
        ----------
        right
            The other frame, or a named Series.
        how
            ``'inner'``, ``'left'``, ``'right'`` (rows in the order of that side), ``'outer'`` (in the
            order of the keys), ``'cross'`` (every pair), ``'leftsemi'`` and ``'leftanti'`` (left rows
            with and without a match).
        on, left_on, right_on, left_index, right_index
            The keys: labels on both sides, on each, or the row labels; by default the columns that
            both have.
        suffixes
            Appended to labels that both sides have.
        indicator
            Adds the column ``_merge`` (or of that name): ``'left_only'``, ``'right_only'`` or ``'both'``.
        validate
            ``'1:1'``, ``'1:m'`` or ``'m:1'``: ``ValueError`` where keys repeat.
        """
        from cuprum.general import frame_of

        right = frame_of(right, "right")
        if not is_list_like(suffixes) or len(suffixes) != 2:
            raise TypeError(f"Passing 'suffixes' as {suffixes!r} is not supported: give a pair of texts")
        keys = [None if key is None else label_list(key) for key in (on, left_on, right_on)]
        name = "_merge" if indicator is True else (indicator or None)
        return wrap_frame(
            self._handle.merge(
                right._handle,
                how,
                *keys,
                left_index=bool(left_index),
                right_index=bool(right_index),
                suffixes=tuple(suffixes),
                indicator=name,
                sort=bool(sort),
                validate=validate,
            )
        )

    def join(
        self,
        other: Any,
        on: Any = None,
        how: str = "left",
        lsuffix: str = "",
        rsuffix: str = "",
        sort: bool = False,
        validate: str | None = None,
        suffixes: Any = None,
    ) -> DataFrame:
        """Return the columns of other frames matched by row label, or by the columns ``on`` to their row labels.

        ``suffixes``, or ``lsuffix`` and ``rsuffix``, are appended to labels that both sides have.
        """
        from cuprum.general import concat, frame_of

        if isinstance(other, (list, tuple)):
            if on is not None:
                raise ValueError("Joining multiple DataFrames only supported for joining on index")
            if how in ("inner", "outer"):
                return concat([self, *other], axis=1, join=how)
            result = self
            for one in other:
                result = result.join(one, how=how)
            return result
        if suffixes is not None:
            lsuffix, rsuffix = suffixes
        right = frame_of(other, "other")
        by_index = on is None
        return wrap_frame(
            self._handle.merge(
                right._handle,
                how,
                left_on=None if by_index else label_list(on),
                left_index=by_index,
                right_index=True,
                suffixes=(lsuffix or None, rsuffix or None),
                sort=bool(sort),
                validate=validate,
            )
        )

    # Files and other libraries.

    def to_csv(
        self,
        path_or_buf: Any = None,
        *,
        sep: str = ",",
        na_rep: str = "",
        header: bool = True,
        index: bool = True,
        columns: Any = None,
        lineterminator: str = "\n",
        compression: Any = "infer",
        **kwargs: Any,
    ) -> str | None:
        """Write CSV to a path or an open file; return it as a text where none is given.

        The row labels come first unless ``index`` is False. A path that ends in ``.gz`` or ``.zip``
        is compressed. A file is written beside its name and renamed, so that nothing half-written
        stays behind.
        """
        from cuprum.io import write_csv

        frame = self if columns is None else self[label_list(columns)]
        return write_csv(frame, path_or_buf, sep, na_rep, header, index, lineterminator, compression, kwargs)

    def to_parquet(
        self,
        path: Any = None,
        *,
        compression: str | None = "snappy",
        index: bool | None = None,
        row_group_size: int | None = None,
        compression_level: int | None = None,
        **kwargs: Any,
    ) -> bytes | None:
        """Write Parquet to a path or an open file; return its bytes where none is given.

        ``compression`` is ``'snappy'``, ``'zstd'``, ``'gzip'`` or None. Row labels are columns of the
        file, ``0, 1, …`` a note in it; ``index=False`` leaves them out.
        """
        from cuprum.io import write_parquet

        return write_parquet(self, path, compression, index, row_group_size, compression_level, kwargs)

    @classmethod
    def from_dict(
        cls, data: Mapping[Any, Any], orient: str = "columns", dtype: Any = None, columns: Any = None
    ) -> DataFrame:
        """Return a frame of a dict of columns, or of rows with ``orient='index'``."""
        if orient == "columns":
            if columns is not None:
                raise ValueError("cannot use columns parameter with orient='columns'")
            return cls(data, dtype=dtype)
        if orient != "index":
            raise ValueError(f"Expected 'index' or 'columns' for orient parameter. Got '{orient}' instead")
        return cls(list(data.values()), index=list(data), columns=columns, dtype=dtype)

    @classmethod
    def from_records(cls, data: Any, index: Any = None, columns: Any = None, **kwargs: Any) -> DataFrame:
        """Return a frame of a list of rows or a structured array; ``index`` may name a column."""
        only_default("from_records", **{name: (value, None) for name, value in kwargs.items()})
        frame = cls(data if hasattr(data, "dtype") else list(data), columns=columns)
        if index is None:
            return frame
        if isinstance(index, str) or (
            is_list_like(index) and all(isinstance(i, str) and i in frame for i in index)
        ):
            return frame.set_index(label_list(index))
        frame.index = index
        return frame

    @classmethod
    def from_pandas(cls, obj: Any) -> DataFrame:
        """Return a frame of a pandas DataFrame: columns, their labels and row labels."""
        return wrap_frame(frame_from_pandas(obj))

    @classmethod
    def from_arrow(cls, obj: Any) -> DataFrame:
        """Return a frame of an object that exports an Arrow stream, sharing memory where layouts agree."""
        return wrap_frame(frame_from_arrow(obj))

    def to_pandas(self, *, nullable: bool = False) -> Any:
        """Return a pandas DataFrame with the same labels.

        Integers with missing elements become float64, unless ``nullable`` asks for pandas' nullable types.
        """
        import pandas as pd

        arrays = {
            i: to_pandas_array(column, nullable=nullable) for i, column in enumerate(self._handle.columns())
        }
        frame = pd.DataFrame(arrays, index=self.index.to_pandas(), copy=False)
        frame.columns = self.columns.to_pandas()
        return frame

    def to_arrow(self) -> Any:
        """Return a ``pyarrow.Table`` of the columns, without row labels, sharing memory where layouts agree."""
        import pyarrow as pa

        return pa.table(self)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._handle.arrow_stream()

    @property
    def values(self) -> Any:
        """The elements as a NumPy array of two dimensions; see `to_numpy`."""
        return self.to_numpy()

    def to_numpy(self, dtype: Any = None, copy: bool = False, na_value: Any = ...) -> Any:
        """Return the elements as a NumPy array of two dimensions, of a type that holds all columns."""
        import numpy as np

        from cuprum.interop import to_numpy

        parts = [to_numpy(column, na_value=na_value) for column in self._handle.columns()]
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
            out[:, i] = part
        return out

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.to_numpy(dtype)

    def to_dict(self, orient: str = "dict", *, into: Any = dict, index: bool = True) -> Any:
        """Return the elements as Python objects.

        ``orient`` is ``'dict'`` (column to label to element), ``'list'`` (column to list),
        ``'series'``, ``'records'`` (a dict per row), ``'index'`` (label to dict), ``'split'`` or ``'tight'``.
        """
        labels = self._handle.labels()
        if orient == "series":
            return into(self.items())
        parts = [column.to_list() for _, column in self.items()]
        if orient == "list":
            return into(zip(labels, parts, strict=True))
        if orient == "records":
            return [into(zip(labels, row, strict=True)) for row in zip(*parts, strict=True)]
        rows = self.index.to_list()
        if orient == "dict":
            return into(
                (label, into(zip(rows, part, strict=True))) for label, part in zip(labels, parts, strict=True)
            )
        if orient == "index":
            values = [into(zip(labels, row, strict=True)) for row in zip(*parts, strict=True)]
            return into(zip(rows, values, strict=True))
        if orient == "split":
            data = [list(row) for row in zip(*parts, strict=True)]
            return into({"index": rows, "columns": labels, "data": data})
        raise ValueError(f"orient '{orient}' not understood")

    def to_records(self, index: bool = True) -> Any:
        """Return the rows as a NumPy structured array."""
        return self.to_pandas().to_records(index=index)

    def __reduce__(self) -> Any:
        handle = self._handle
        parts = (handle.labels(), handle.columns(), wrap_index(handle.index()), handle.level_names())
        return (_restore, parts)


def _restore(labels: list[Any], columns: list[Column], index: Any, names: list[Any]) -> DataFrame:
    return wrap_frame(_cuprum.DataFrame(labels, columns, index._handle).with_labels(labels, names))


def _renamed(label: Any, change: Any) -> Any:
    if callable(change):
        return change(label)
    if not hasattr(change, "get"):
        raise TypeError(f"'{type(change).__name__}' object is not callable")
    return change.get(label, label)


def _types(types: Any) -> list[Any]:
    if types is None:
        return []
    return list(types) if is_list_like(types) and not hasattr(types, "kind") else [types]


def _is_type(dtype: Any, wanted: Any) -> bool:
    """Whether a type is what `select_dtypes` calls ``wanted``."""
    name = wanted if isinstance(wanted, str) else getattr(wanted, "__name__", str(wanted))
    kinds = {
        "number": "iuf",
        "integer": "iu",
        "signedinteger": "i",
        "unsignedinteger": "u",
        "floating": "f",
        "datetime": "M",
        "datetime64": "M",
        "timedelta": "m",
        "timedelta64": "m",
        "object": "O",
        "string": "O",
        "category": "",
    }
    if name in kinds:
        return dtype.kind in kinds[name]
    from cuprum._cuprum import DType

    return dtype == DType(wanted)


def _index_summary(index: Any) -> str:
    kind, count = type(index).__name__, len(index)
    ends = f", {index[0]} to {index[-1]}" if count else ""
    return f"{kind}: {count} entries{ends}"


def _info_table(labels: list[Any], counts: list[int] | None, types: list[str]) -> list[str]:
    columns = [[" # ", "---", *[f" {i} " for i in range(len(labels))]]]
    columns.append(["Column", "------", *map(str, labels)])
    if counts is not None:
        columns.append(["Non-Null Count", "--------------", *[f"{n} non-null" for n in counts]])
    columns.append(["Dtype", "-----", *types])
    widths = [max(map(len, column)) for column in columns]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        for row in zip(*columns, strict=True)
    ]


def _bytes(count: float) -> str:
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TB"
