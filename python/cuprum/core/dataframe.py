"""`DataFrame`: labelled columns over labelled rows."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.core.arguments import (
    axis_number,
    is_frame_like,
    is_list_like,
    is_mask,
    label_list,
    only_default,
    only_truth,
    plain_label,
    plain_labels,
)
from cuprum.core.construction import (
    column_from,
    element_column,
    frame_handle,
    index_of_labels,
    mask_column,
    names_of,
)
from cuprum.core.conversion import FrameConversion
from cuprum.core.display import bytes_text, index_summary, info_table
from cuprum.core.elements import FrameElements
from cuprum.core.index.index import Index, wrap_index
from cuprum.core.indexed_frame import IndexedFrame
from cuprum.core.indexing import is_slice_of_positions, refuse_unordered
from cuprum.core.interop import is_pandas
from cuprum.core.labels import FrameLabels
from cuprum.core.objects import set_handle, wrap_frame, wrap_series
from cuprum.core.operators import FrameMethods
from cuprum.core.order import FrameOrder
from cuprum.core.printing import layout_of, table_of, written
from cuprum.core.reshape import join, merge
from cuprum.core.row import Row
from cuprum.core.series import Series
from cuprum.core.summaries import FrameSummaries

__all__ = ["DataFrame"]

_PLAIN = frozenset({int, float, bool, str})
_COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


class _Columns:
    """Whom the index of a frame's column labels belongs to: naming it names them."""

    __slots__ = ("_frame",)

    def __init__(self, frame: DataFrame) -> None:
        self._frame = frame

    def _name_labels(self, names: list[Any]) -> None:
        self._frame._relabelled(lambda handle: handle.with_labels(handle.labels(), names), inplace=True)


class DataFrame(
    FrameSummaries, FrameOrder, FrameElements, FrameLabels, FrameConversion, FrameMethods, IndexedFrame
):
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
        only_truth("DataFrame", copy=copy)
        set_handle(self, frame_handle(data, index, columns, dtype))

    _wrap = staticmethod(wrap_frame)

    def _map(self, function: Any, inplace: bool = False) -> Any:
        def each(handle: Any) -> Any:
            columns = [function(handle.column_at(i)).column() for i in range(handle.shape()[1])]
            return handle.with_columns(columns)

        return self._changed(each, inplace)

    # What it is.

    @property
    def columns(self) -> Index:
        """The labels of the columns, an `Index`; assigning as many others renames them all.

        Raises ``ValueError`` for another number of labels.
        """
        return wrap_index(self._handle.columns_index(), _Columns(self))

    @columns.setter
    def columns(self, labels: Any) -> None:
        names = names_of(labels)
        labels = plain_labels(labels)

        def relabel(handle: Any) -> Any:
            if len(labels) != handle.shape()[1]:
                raise ValueError(
                    f"Length mismatch: Expected axis has {handle.shape()[1]} elements, "
                    f"new values have {len(labels)} elements"
                )
            handle = handle.with_labels(labels)
            return handle.with_labels(labels, [None] * handle.num_levels() if names is None else names)

        self._relabelled(relabel, inplace=True)

    @property
    def dtypes(self) -> Row:
        """The types of the columns, under their labels."""
        return Row(self._handle.labels(), self._handle.dtypes(), None, self._handle.level_names())

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
        """Return the bytes of memory behind every column, those of the row labels first.

        Text and nested values count in full, with or without ``deep``.
        """
        only_truth("memory_usage", deep=deep)
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
        rows = index_of_labels(labels)
        if not index:
            rows = rows.with_names(self._handle.level_names())
        return wrap_series(_cuprum.Series(Column.from_iterable_of_py(sizes, "int64"), None, rows))

    def info(
        self,
        verbose: bool | None = None,
        buf: Any = None,
        max_cols: int | None = None,
        memory_usage: Any = None,
        show_counts: bool | None = None,
    ) -> None:
        """Print the types, the numbers of elements that are not missing and the memory.

        A line for each column unless ``verbose`` is False or there are more than ``max_cols``;
        without the numbers and the memory for False as ``show_counts`` and ``memory_usage``.
        """
        lines = [f"<class 'cuprum.{type(self).__name__}'>", index_summary(self.index)]
        _rows, count = self.shape
        labels, types = self._handle.labels(), self._handle.dtypes()
        if not count:
            lines.append("Empty DataFrame")
        elif verbose is False or (verbose is None and max_cols is not None and count > max_cols):
            lines.append(f"Columns: {count} entries, {labels[0]} to {labels[-1]}")
        else:
            lines.append(f"Data columns (total {count} columns):")
            counts = self.count().to_list() if show_counts is not False else None
            lines += info_table(labels, counts, [str(dtype) for dtype in types])
        if count:
            names = [str(dtype) for dtype in types]
            kinds = ", ".join(f"{name}({names.count(name)})" for name in sorted(set(names)))
            lines.append(f"dtypes: {kinds}")
        if memory_usage is not False:
            lines.append(f"memory usage: {bytes_text(self.memory_usage().sum())}")
        text = "\n".join(lines) + "\n"
        if buf is None:
            print(text, end="")
        else:
            buf.write(text)

    def to_string(
        self,
        buf: Any = None,
        *,
        columns: Any = None,
        header: bool = True,
        index: bool = True,
        na_rep: str = "NaN",
        float_format: Any = None,
        index_names: bool = True,
        max_rows: int | None = None,
        max_cols: int | None = None,
        show_dimensions: bool = False,
        line_width: int | None = None,
        min_rows: int | None = None,
        max_colwidth: int | None = None,
        encoding: str | None = None,
    ) -> str | None:
        """Return the frame as text, all of it unless limits are given; or write it to ``buf``.

        Parameters
        ----------
        buf
            A path or an open file; the text is returned without it.
        columns
            The columns that are printed.
        header
            Whether column labels are printed; other labels for them are refused.
        index, index_names
            Whether the labels of rows, and the names of their levels, are printed.
        na_rep
            What stands for missing elements.
        float_format
            ``'%.2f'``, ``'%.2e'`` or ``'{:,.2f}'.format``; other functions are refused.
        max_rows, min_rows, max_cols
            Frames of more rows or columns are cut in the middle; what stays of the rows.
        line_width, max_colwidth
            Characters in a line, and in a cell.
        show_dimensions
            Whether the shape is printed below.
        encoding
            Of the file at the path ``buf``; UTF-8.

        Examples
        --------
        >>> print(DataFrame({"a": [1, 2], "b": [0.5, None]}).to_string(index=False, na_rep="-"))
         a   b
         1 0.5
         2   -
        """
        layout = layout_of(
            "to_string",
            index=index,
            header=header,
            index_names=index_names,
            na_rep=na_rep,
            float_format=float_format,
            max_rows=max_rows,
            min_rows=min_rows,
            max_cols=max_cols,
            line_width=line_width,
            max_colwidth=max_colwidth,
            show_dimensions=show_dimensions,
        )
        shown = self if columns is None else self[list(columns)]
        return written(shown._handle.to_text(**layout), buf, encoding)

    def _repr_html_(self) -> str:
        from cuprum.options import html_layout

        return self._handle.to_html(table_of(notebook=True), **html_layout())

    def to_html(
        self,
        buf: Any = None,
        *,
        columns: Any = None,
        header: bool = True,
        index: bool = True,
        na_rep: str = "NaN",
        float_format: Any = None,
        index_names: bool = True,
        max_rows: int | None = None,
        max_cols: int | None = None,
        show_dimensions: bool = False,
        bold_rows: bool = True,
        classes: Any = None,
        escape: bool = True,
        notebook: bool = False,
        border: Any = None,
        table_id: str | None = None,
        encoding: str | None = None,
    ) -> str | None:
        """Return the frame as an HTML table, all of it unless limits are given; or write it to ``buf``.

        Arguments that `to_string` has mean the same.

        Parameters
        ----------
        bold_rows
            Whether labels of rows are header cells.
        classes, table_id
            Classes of the table beside ``dataframe``, and its identifier.
        escape
            Whether ``<``, ``>`` and ``&`` in texts stand for themselves.
        notebook
            Whether the table stands in a ``div`` with the style of notebooks, and cells are cut as
            ``display.max_colwidth`` says.
        border
            The width of the border; 0 for none.
        """
        from cuprum.options import get_option

        layout = layout_of(
            "to_html",
            index=index,
            header=header,
            index_names=index_names,
            na_rep=na_rep,
            float_format=float_format,
            max_rows=max_rows,
            max_cols=max_cols,
            max_colwidth=get_option("display.max_colwidth") if notebook else None,
            show_dimensions=show_dimensions,
        )
        table = table_of(
            notebook=notebook,
            bold_rows=bold_rows,
            escape=escape,
            border=border,
            classes=classes,
            table_id=table_id,
        )
        shown = self if columns is None else self[list(columns)]
        return written(shown._handle.to_html(table, **layout), buf, encoding)

    def explode(self, column: Any, ignore_index: bool = False) -> DataFrame:
        """Return a row for each element of the lists in one column or several, beside it the other columns.

        A list that is empty or missing gives one row with a missing value. Lists of one row have equally many
        elements in all of these columns, else ``ValueError``. ``ignore_index`` makes the labels 0, 1, ….

        Examples
        --------
        >>> DataFrame({"a": [[1, 2], [3]], "b": ["x", "y"]}).explode("a")
           a  b
        0  1  x
        0  2  x
        1  3  y
        """
        if is_list_like(column) and not isinstance(column, (list, tuple)):
            raise ValueError("column must be a scalar, tuple, or list thereof")
        return wrap_frame(self._handle.explode(label_list(column), bool(ignore_index)))

    def transpose(self, *args: Any, copy: bool | None = None) -> DataFrame:
        """Return the frame whose columns are the rows of this one, all in their common type.

        Row labels become column labels. ``TypeError`` where the columns have no common type.

        Examples
        --------
        >>> DataFrame({"a": [1, 2], "b": [3, 4]}, index=["x", "y"]).T
           x  y
        a  1  2
        b  3  4
        """
        only_truth("transpose", copy=copy)
        if args not in ((), (None,)):  # NumPy's function gives None
            raise ValueError(f"transpose takes no order of axes, not {args!r}: there are two")
        return wrap_frame(self._handle.transpose())

    @property
    def T(self) -> DataFrame:
        """The transposed frame; see `transpose`."""
        return self.transpose()

    # Columns.

    def __matmul__(self, other: Any) -> Any:
        return self.dot(other)

    def dot(self, other: Any) -> Any:
        """Return the matrix product: with a Series or a list a Series, with a frame or an array a frame.

        The columns are matched with the row labels of ``other``, with those of an array or list by position.
        ``ValueError`` where one side has other labels or another number. A missing element makes the sums
        missing that it takes part in.
        """
        if is_pandas(other, "Series"):
            other = Series(other)
        elif is_pandas(other, "DataFrame"):
            other = DataFrame(other)
        if not isinstance(other, (Series, DataFrame)):
            if not is_list_like(other):
                raise TypeError(f"unsupported type: {type(other)}")
            if len(other) != self.shape[1]:
                raise ValueError(f"Dot product shape mismatch, {self.shape} vs {len(other)} rows")
            plain: Any = DataFrame if getattr(other, "ndim", 1) == 2 else Series
            other = plain(other, index=self.columns)
        result = self._handle.dot(other._handle)
        return wrap_frame(result) if isinstance(other, DataFrame) else wrap_series(result)

    def __getitem__(self, key: Any) -> Any:
        if type(key) is str:
            try:
                return wrap_series(self._handle.column(key))
            except KeyError:
                return self._below((key,))
            except ValueError:
                return self._called(key)
        return self._select(key)

    def _called(self, label: Any) -> DataFrame:
        """The columns of one label."""
        return self.loc[:, [label]]

    def _below(self, prefix: tuple[Any, ...]) -> DataFrame:
        """The columns below an outer label; to be called while handling the ``KeyError``."""
        below = self._handle.select_prefix(list(prefix))
        if below is None:
            raise
        return wrap_frame(below)

    def _select(self, key: Any) -> Any:
        if callable(key):
            key = key(self)
        refuse_unordered(key)
        if isinstance(key, slice):
            positions = is_slice_of_positions(key, self._handle.index())
            return wrap_frame(self._handle.iloc(key)) if positions else self.loc[key]
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
                return self.loc[:, labels]
        key = plain_label(key)
        try:
            return wrap_series(self._handle.column(key))
        except KeyError:
            return self._below(key if isinstance(key, tuple) else (key,))
        except ValueError:
            return self._called(key)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            try:
                return wrap_series(self._handle.column(name))
            except KeyError:
                pass
            except ValueError:
                return self._called(name)
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
        refuse_unordered(key)
        if type(key) is str:
            self._set_column(key, value)
        elif isinstance(key, DataFrame):
            self.where(~key, value, inplace=True)
        elif isinstance(key, slice):
            (self.iloc if is_slice_of_positions(key, self._handle.index()) else self.loc)[key] = value
        elif is_list_like(key) and not isinstance(key, tuple):
            if is_mask(key) and (isinstance(value, Series) or is_pandas(value, "Series")):
                self.iloc[mask_column(key, self)] = value  # by position, as in pandas
            elif is_mask(key):
                self.loc[key] = value
            else:
                self._set_columns(plain_labels(key), value)
        else:
            self._set_column(plain_label(key), value)

    def _set_column(self, label: Any, value: Any) -> None:
        if is_list_like(value) and not isinstance(value, Mapping):
            count = len(self._repeated(label))
            table = getattr(value, "ndim", 1) == 2 or is_frame_like(value)
            if count > 1 and (table or len(value) == count):
                self._set_repeated([label], value)  # an element or a column for each of them
                return
        if self._handle.num_levels() > 1 and (below := self._labels_below(label)):
            if isinstance(value, DataFrame) or is_frame_like(value):
                inner = DataFrame(value)
                rest = [full[len(label) if isinstance(label, tuple) else 1 :] for full in below]
                wanted = [part[0] if len(part) == 1 else part for part in rest]
                if inner.shape[1] != len(below):
                    raise ValueError("Columns must be same length as key")
                inner = inner if inner._handle.labels() == wanted else inner.reindex(columns=wanted)
                parts = [wrap_series(inner._handle.column_at(i)) for i in range(len(below))]
            else:
                parts = [value] * len(below)
            columns = [(full, _as_values(full, part)) for full, part in zip(below, parts, strict=True)]
            self._relabelled(lambda handle: _with_columns(handle, columns), inplace=True)
            return
        value = _as_values(label, value)
        self._relabelled(lambda handle: _with_column(handle, label, value), inplace=True)

    def _labels_below(self, label: Any) -> list[tuple[Any, ...]]:
        """Return the labels of the columns below one of outer levels; none where it names a column or nothing."""
        if self._handle.contains(label):
            return []
        outer = label if isinstance(label, tuple) else (label,)
        return [full for full in self._handle.labels() if full[: len(outer)] == outer]

    def _repeated(self, label: Any) -> list[int]:
        """Return the positions of the columns called ``label``; none where labels are unique."""
        labels = self._handle.labels()
        return [] if len(set(labels)) == len(labels) else _places_of(label, labels)

    def _set_repeated(self, labels: list[Any], value: Any) -> None:
        """Set columns some of whose labels several columns have; those of each label are side by side."""

        def set_by_number(handle: Any) -> Any:
            own, names = handle.labels(), handle.level_names()
            new = [label for label in labels if not _places_of(label, own)]
            numbered = wrap_frame(handle.with_labels(list(range(len(own)))))
            later = iter(range(len(own), len(own) + len(new)))
            places = [place for label in labels for place in (_places_of(label, own) or [next(later)])]
            numbered._set_columns(places, value)
            return numbered._handle.with_labels([*own, *new], names)

        self._relabelled(set_by_number, inplace=True)

    def _set_columns(self, labels: list[Any], value: Any) -> None:
        own = self._handle.labels()
        if len(set(own)) < len(own) and any(len(_places_of(label, own)) > 1 for label in labels):
            self._set_repeated(labels, value)
            return
        if is_frame_like(value):
            value = DataFrame(value)
        if isinstance(value, DataFrame):
            parts: list[Any] = [wrap_series(value._handle.column_at(i)) for i in range(value.shape[1])]
        elif getattr(value, "ndim", 1) == 2:
            parts = [value[:, i] for i in range(value.shape[1])]
        elif isinstance(value, Series) or is_pandas(value, "Series"):
            # One element for each column, by the labels 0, 1, …, as in pandas.
            value = Series(value)
            if len(value) != len(labels):
                raise ValueError("Columns must be same length as key")
            parts = [value.loc[i] for i in range(len(labels))]
        elif isinstance(value, Mapping):
            raise TypeError("several columns cannot be set to a dict; give a list, or a DataFrame")
        elif is_list_like(value):
            value = list(value)
            if value and is_list_like(value[0]):
                parts = [list(part) for part in zip(*value, strict=True)]
            else:
                parts = value
        else:
            parts = [value] * len(labels)
        if len(parts) != len(labels):
            raise ValueError("Columns must be same length as key")
        columns = [(label, _as_values(label, part)) for label, part in zip(labels, parts, strict=True)]
        self._relabelled(lambda handle: _with_columns(handle, columns), inplace=True)

    def __delitem__(self, label: Any) -> None:
        labels = [plain_label(label)]
        self._relabelled(lambda handle: handle.drop_columns(labels), inplace=True)

    def __contains__(self, label: Any) -> bool:
        return self._handle.contains(plain_label(label))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._handle.labels())

    def keys(self) -> Index:
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
        label = plain_label(item)
        popped: list[Any] = []

        def without(handle: Any) -> Any:
            popped[:] = [wrap_frame(handle)[label]]
            return handle.drop_columns([label])

        self._relabelled(without, inplace=True)
        return popped[0]

    def insert(self, loc: int, column: Any, value: Any, allow_duplicates: bool = False) -> None:
        """Insert a column before position ``loc``; ``ValueError`` for a label that is there."""
        only_default("insert", allow_duplicates=(allow_duplicates, False))
        label = plain_label(column)
        value = _as_values(label, value)

        def insert(handle: Any) -> Any:
            count = handle.shape()[1]
            if not 0 <= loc <= count:
                raise IndexError(f"index {loc} is out of bounds for axis 0 with size {count}")
            if handle.contains(label):
                raise ValueError(f"cannot insert {label}, already exists")
            order = list(range(count))
            order.insert(loc, count)
            return _with_column(handle, label, value).select_positions(order)

        self._relabelled(insert, inplace=True)

    def assign(self, **kwargs: Any) -> DataFrame:
        """Return the frame with columns added or replaced; a callable is given the frame made so far.

        Examples
        --------
        >>> DataFrame({"a": [1, 2]}).assign(b=lambda df: df.a * 10)
           a   b
        0  1  10
        1  2  20
        """
        result = self._snapshot()
        for name, value in kwargs.items():
            result._set_column(name, value(result) if callable(value) else value)
        return result

    def filter(
        self, items: Any = None, like: str | None = None, regex: str | None = None, axis: Any = None
    ) -> DataFrame:
        """Return the columns named in ``items``, or with ``like`` in their label, or matching ``regex``.

        With ``axis=0`` the rows.
        """
        by_row = axis is not None and axis_number(axis) == 0
        if sum(x is not None for x in (items, like, regex)) != 1:
            raise TypeError("Must pass exactly one of `items`, `like`, or `regex`")
        labels = self.index.to_list() if by_row else self._handle.labels()
        if items is not None:
            chosen = [labels.index(label) for label in plain_labels(items) if label in labels]
        elif like is not None:
            chosen = [i for i, label in enumerate(labels) if like in str(label)]
        else:
            import re

            chosen = [i for i, label in enumerate(labels) if re.search(regex or "", str(label))]
        if by_row:
            return self.iloc[chosen]
        return wrap_frame(self._handle.select_positions(chosen))

    def query(self, expr: str, *, inplace: bool = False, local_dict: Any = None) -> Any:
        """Return the rows where an expression in a text is true.

        Names are columns, else levels of the index, else ``index``; between backticks they may be any text.
        ``@name`` is a variable of the caller (or of ``local_dict``). There are constants, lists, ``+ - * / // %
        ** ^``, comparisons, ``in``, ``and or not`` (``& | ~``), mathematics (``sqrt(a)``) and methods: of
        missing values, comparison, aggregation (``a.mean()``), texts (``s.str.contains('x')``) and times
        (``t.dt.year``).

        Raises ``NameError`` for an unknown name, ``SyntaxError`` for a text that is no expression and
        ``NotImplementedError`` for other calls; both show the place.

        Examples
        --------
        >>> low = 1
        >>> DataFrame({"a": [1, 2, 3], "b": ["x", "y", "x"]}).query("a > @low and b == 'x'")
           a  b
        2  3  x
        """
        from cuprum.core.expressions import variables_of

        variables = variables_of(expr, _caller_variables() if local_dict is None else local_dict)
        return self._replaced(lambda handle: _cuprum.query(handle, expr, variables), inplace)

    def eval(self, expr: str, *, inplace: bool = False, local_dict: Any = None) -> Any:
        """Return the value of an expression in a text; with ``name = expression`` the frame with that column.

        Several lines assign one column each, over the columns of the lines before. See `query` for what an
        expression is.

        Examples
        --------
        >>> DataFrame({"a": [1, 2], "b": [10, 20]}).eval("c = a + b")
           a   b   c
        0  1  10  11
        1  2  20  22
        """
        from cuprum.core.expressions import variables_of

        variables = variables_of(expr, _caller_variables() if local_dict is None else local_dict)

        def assigned(handle: Any) -> Any:
            frame = _cuprum.eval(handle, expr, variables)[0]
            if frame is None:
                raise ValueError("Cannot operate inplace if there is no assignment")
            return frame

        if inplace:
            return self._relabelled(assigned, inplace)
        frame, series, value = _cuprum.eval(self._handle, expr, variables)
        if frame is not None:
            return self._around(frame)
        return wrap_series(series) if series is not None else wrap_series(value).iloc[0]

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
        """Return the column of a frame of one, its row, or its element if it has one of both.

        ``axis`` 0 is for the row only, 1 for the column. Other frames as they are, in an object of their own.
        """
        which = None if axis is None else axis_number(axis)
        rows, columns = self.shape
        one_row, one_column = rows == 1 and which != 1, columns == 1 and which != 0
        if one_column:
            column = wrap_series(self._handle.column_at(0))
            return column.squeeze() if one_row else column
        return self.iloc[0] if one_row else self._snapshot()

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
            row = Series(other)._handle
            if op in _COMPARISONS and not row.index().equals(handle.columns_index()):
                raise ValueError(
                    "Operands are not aligned: compare with `eq`, `lt` and so on, or reindex one first."
                )
            return wrap_frame(handle.binary_row(row, op, reflected))
        if is_list_like(other):
            if getattr(other, "ndim", 1) == 2:
                return self._operate(DataFrame(other, index=self.index, columns=self.columns), op, reflected)
            column = column_from(other)
            if len(column) != handle.shape()[1]:
                raise ValueError(
                    f"Unable to coerce to Series, length must be {handle.shape()[1]}: given {len(column)}"
                )
            row = _cuprum.Series(column, None, handle.columns_index())
            return wrap_frame(handle.binary_row(row, op, reflected))
        self._refuse_none(other, op, handle.dtypes())
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
            return wrap_frame(self._handle.binary_column(other._handle, op, reflected))
        if fill_value is None and isinstance(other, Series):
            return wrap_frame(self._handle.binary_row(other._handle, op, reflected))
        if is_frame_like(other):
            other = DataFrame(other)
        compares = op in _COMPARISONS
        if compares and fill_value is not None:
            raise TypeError(f"DataFrame.{name}() got an unexpected keyword argument 'fill_value'")
        if fill_value is None:
            if compares and isinstance(other, DataFrame):
                left, right = self._aligned(other)
                return left._operate(right, op, reflected)
            return self._operate(other, op, reflected)
        if isinstance(other, DataFrame):
            left, right = (other, self) if reflected else (self, other)
            return wrap_frame(left._handle.binary_filled(right._handle, op, fill_value))
        return self.fillna(fill_value)._operate(other, op, reflected)

    def _aligned(self, other: DataFrame) -> tuple[DataFrame, DataFrame]:
        """Both frames with the rows and columns of either; what one has not is missing there."""
        left, right = self._handle.align(other._handle)
        return wrap_frame(left), wrap_frame(right)

    # Joins.

    merge = merge
    join = join


def _places_of(label: Any, labels: list[Any]) -> list[int]:
    """Return where a label is among others; True is not 1."""
    return [i for i, own in enumerate(labels) if type(own) is type(label) and own == label]


def _as_values(label: Any, value: Any) -> Any:
    """Return what a user gives for a column: a handle of a series, a `Column`, or a scalar."""
    if type(value) in _PLAIN:
        return value
    if callable(value):
        raise TypeError(f"a column cannot be set to a callable; call it, or use assign({label}=…)")
    if isinstance(value, Series):
        return value._handle
    if isinstance(value, Mapping) or is_pandas(value, "Series"):
        return Series(value)._handle
    if isinstance(value, DataFrame):
        if value.shape[1] != 1:
            raise ValueError(
                f"Cannot set a DataFrame with {value.shape[1]} columns to the single column {label}"
            )
        return value._handle.column_at(0)
    if not is_list_like(value):
        return value
    if getattr(value, "ndim", 1) == 2 and value.shape[1] == 1:
        value = value[:, 0]
    return column_from(value)


def _with_column(handle: Any, label: Any, value: Any) -> Any:
    """Return a handle with a column of what `_as_values` gives; rows of a series matched by label."""
    kind = type(value)
    if kind is Column:
        if handle.shape() == (0, 0):
            return _cuprum.DataFrame([label], [value])
        return handle.with_column(label, value)
    if kind is _cuprum.Series:
        return handle.assign(label, value)
    return handle.with_column(label, element_column(value, len(handle)))


def _with_columns(handle: Any, columns: Iterable[tuple[Any, Any]]) -> Any:
    """Return a handle with columns set to the handles of series, columns or scalars under each label."""
    for label, value in columns:
        handle = _with_column(handle, label, value)
    return handle


def _caller_variables() -> dict[str, Any]:
    """The variables of the function that called a method of this module."""
    caller = sys._getframe(2)  # beyond the method
    return {**caller.f_globals, **caller.f_locals}


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

    return dtype == DType(wanted)
