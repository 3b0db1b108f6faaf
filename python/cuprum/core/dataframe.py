"""`DataFrame`: labelled columns over labelled rows."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.along_rows import FrameAlongRows
from cuprum.core.arguments import (
    axis_number,
    element_of,
    is_list_like,
    label_list,
    only_truth,
    plain_labels,
)
from cuprum.core.attributes import Attributed
from cuprum.core.binary_comparison import is_bytes
from cuprum.core.calls.frame import FrameCalls
from cuprum.core.columns import FrameColumns
from cuprum.core.combine import FrameCombination
from cuprum.core.construction import (
    column_from,
    frame_handle,
    index_of_labels,
    levels_of_arrays,
    made_with_nan,
    with_levels_of,
)
from cuprum.core.conversion import FrameConversion
from cuprum.core.convert_dtypes import ConvertsTypes
from cuprum.core.display import bytes_text, index_summary, info_table
from cuprum.core.elements import FrameElements
from cuprum.core.index.index import Index, wrap_index
from cuprum.core.indexed_frame import IndexedFrame
from cuprum.core.interop import is_pandas
from cuprum.core.label_columns import has_mixed_labels, level_columns
from cuprum.core.labels import FrameLabels
from cuprum.core.low_level import FrameParts
from cuprum.core.method_names import with_own_methods
from cuprum.core.missing import dtype_of_nat
from cuprum.core.missing_data import FrameMissing
from cuprum.core.moments import FrameMoments
from cuprum.core.nulls import HasNulls
from cuprum.core.objects import ours, set_handle, wrap_frame, wrap_series
from cuprum.core.operators import FrameMethods
from cuprum.core.order import FrameOrder
from cuprum.core.partitions import FramePartitions, Hashed
from cuprum.core.printing import layout_of, table_of, to_html, written, written_by_pandas
from cuprum.core.quick import quicken
from cuprum.core.reshape.merge import join, merge
from cuprum.core.reshape.methods import FrameReshape
from cuprum.core.scaling import Scales
from cuprum.core.serialization import Serializable
from cuprum.core.series import Series
from cuprum.core.summaries import FrameSummaries
from cuprum.core.through_pandas import FrameThroughPandas
from cuprum.core.time_labels import FrameTimeLabels
from cuprum.core.tools.beside_times import is_date
from cuprum.options import get_option, html_layout

if TYPE_CHECKING:
    from cuprum.io.file_options import HtmlOptions, TextOptions
    from cuprum.typing import AnyDType, Axis, Engine, LabelOrLabels, Parser, Scalar, WriteTarget

__all__ = ["DataFrame"]

_PLAIN = frozenset({int, float, bool, str})
_COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


class _Columns:
    """Whom the index of a frame's column labels belongs to, as long as it lives: naming it names them."""

    __slots__ = ("frame",)

    def __init__(self, frame: DataFrame) -> None:
        # The frame's handle holds the index.
        self.frame = weakref.ref(frame)

    def _name_labels(self, names: list[Any]) -> None:
        frame = self.frame()
        if frame is not None:
            frame._relabelled(lambda handle: handle.with_labels(handle.labels(), names), inplace=True)


@quicken
@with_own_methods
class DataFrame(
    FrameColumns,
    FrameCalls,
    FrameSummaries,
    FrameMoments,
    FrameOrder,
    FrameElements,
    FrameMissing,
    FrameAlongRows,
    FrameLabels,
    FrameTimeLabels,
    FrameReshape,
    FrameCombination,
    FrameConversion,
    FrameMethods,
    ConvertsTypes,
    HasNulls,
    Hashed,
    FramePartitions,
    Scales,
    FrameParts,
    FrameThroughPandas,
    Attributed,
    Serializable,
    IndexedFrame,
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
    copy
        A truth value: memory that others write is always copied.
    nan_as_null
        Whether NaN among the data is null, see `Series`.

    Examples
    --------
    >>> DataFrame({"a": [1, 2], "b": ["x", None]})
       a    b
    0  1    x
    1  2  NaN
    """

    __slots__ = ("_handle",)

    def __init__(
        self,
        data: Any = None,
        index: LabelOrLabels = None,
        columns: LabelOrLabels = None,
        dtype: AnyDType | None = None,
        copy: bool | None = None,
        *,
        nan_as_null: bool | None = None,
    ) -> None:
        only_truth("DataFrame", copy=copy)
        set_handle(self, made_with_nan(nan_as_null, frame_handle, data, index, columns, dtype))

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
        handle = self._handle
        try:
            made = handle.made_columns
            # Another frame may have been around the handle.
            if made._owner.frame() is self:
                return made
        except AttributeError:
            pass
        made = handle.made_columns = wrap_index(handle.columns_index(), _Columns(self))
        return made

    @columns.setter
    def columns(self, labels: Any) -> None:
        if not is_list_like(labels):
            raise TypeError(
                f"Index(...) must be called with a collection of some kind, {labels!r} was passed"
            )
        index = levels_of_arrays(labels)
        labels = plain_labels(index)

        def relabel(handle: Any) -> Any:
            if len(labels) != handle.shape()[1]:
                raise ValueError(
                    f"Length mismatch: Expected axis has {handle.shape()[1]} elements, "
                    f"new values have {len(labels)} elements"
                )
            handle = handle.with_labels(labels)
            return with_levels_of(handle.with_labels(labels, [None] * handle.num_levels()), index)

        self._relabelled(relabel, inplace=True)

    @property
    def dtypes(self) -> Series:
        """The types of the columns, under their labels."""
        handle = self._handle
        try:
            labels, dtypes, names = handle.made_dtypes
        except AttributeError:
            labels, dtypes, names = handle.labels(), handle.dtypes(), handle.level_names()
            handle.made_dtypes = labels, dtypes, names
        return objects.record(labels, dtypes.copy(), None, names)

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
    def axes(self) -> list[Index]:
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
            own = 0 if rows.as_range() else sum(column.device_buffer_size() for column in level_columns(rows))
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
        without the numbers and the memory for False as ``show_counts`` and ``memory_usage``. What is not given is as the
        options ``display.max_info_columns``, ``display.max_info_rows`` and ``display.memory_usage`` say.
        """
        lines = [f"<class 'cuprum.{type(self).__name__}'>", index_summary(self.index)]
        rows, count = self.shape
        max_cols = get_option("display.max_info_columns") if max_cols is None else max_cols
        if show_counts is None:
            most = get_option("display.max_info_rows")
            show_counts = count <= max_cols and (most is None or rows < most)
        if memory_usage is None:
            memory_usage = get_option("display.memory_usage")
        labels, types = self._handle.labels(), self._handle.dtypes()
        if not count:
            lines.append("Empty DataFrame\n")
        elif verbose is False or (verbose is None and count > max_cols):
            lines.append(f"Columns: {count} entries, {labels[0]} to {labels[-1]}")
        else:
            lines.append(f"Data columns (total {count} columns):")
            counts = self.count().to_list() if show_counts else None
            lines += info_table(labels, counts, [str(dtype) for dtype in types])
        if count:
            names = [str(dtype) for dtype in types]
            kinds = ", ".join(f"{name}({names.count(name)})" for name in sorted(set(names)))
            lines.append(f"dtypes: {kinds}")
        if memory_usage is not False and count:
            lines.append(f"memory usage: {bytes_text(self.memory_usage().sum())}\n")
        written("\n".join(lines), sys.stdout if buf is None else buf)  # as pandas ends it

    @overload
    def to_string(self, buf: None = ..., **options: Unpack[TextOptions]) -> str: ...
    @overload
    def to_string(self, buf: WriteTarget, **options: Unpack[TextOptions]) -> None: ...
    def to_string(
        self,
        buf: Any = None,
        *,
        columns: Any = None,
        col_space: Any = None,
        header: Any = True,
        index: bool = True,
        na_rep: str = "NaN",
        formatters: Any = None,
        float_format: Any = None,
        sparsify: bool | None = None,
        index_names: bool = True,
        justify: str | None = None,
        max_rows: int | None = None,
        max_cols: int | None = None,
        show_dimensions: Any = False,
        decimal: str = ".",
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
        col_space
            The least characters of columns: a number, a list, or a dict by label.
        header
            Whether column labels are printed, or a list of others in their place.
        index, index_names
            Whether the labels of rows, and the names of their levels, are printed.
        na_rep
            What stands for missing elements.
        formatters
            Functions that make texts of elements: a list, or a dict by label or position.
        float_format
            A text such as ``'%.2f'`` or ``'%.2e'``, or a function that makes a text of a float.
        sparsify
            Whether labels of outer levels that repeat are left out; as ``display.multi_sparse`` says without it.
        justify
            On which side column labels are: ``'left'``, ``'right'``, ``'center'``, …
        max_rows, min_rows, max_cols
            Frames of more rows or columns are cut in the middle; what stays of the rows.
        line_width, max_colwidth
            Characters in a line, and in a cell.
        show_dimensions
            Whether the shape is printed below; ``'truncate'``: where something is left out.
        decimal
            What stands between digits.
        encoding
            Of the file at the path ``buf``; UTF-8.

        With functions, other labels, widths, sides and marks it is printed by pandas.

        Raises ``TypeError`` for a ``float_format`` that is neither a text nor a function, ``ValueError`` for as many
        other labels, widths or functions as there are no columns.

        Examples
        --------
        >>> print(DataFrame({"a": [1, 2], "b": [0.5, None]}).to_string(index=False, na_rep="-"))
         a   b
         1 0.5
         2   -
        """
        given = {
            "index": index,
            "header": header,
            "index_names": index_names,
            "na_rep": na_rep,
            "float_format": float_format,
            "max_rows": max_rows,
            "min_rows": min_rows,
            "max_cols": max_cols,
            "line_width": line_width,
            "max_colwidth": max_colwidth,
            "show_dimensions": show_dimensions,
        }
        of_pandas = {
            "col_space": col_space,
            "formatters": formatters,
            "sparsify": sparsify,
            "justify": justify,
            "decimal": decimal,
        }
        shown = self if columns is None else self[list(columns)]
        text = written_by_pandas("to_string", shown, given | of_pandas)
        if text is None:
            text = shown._handle.to_text(**layout_of("to_string", **given))
        return written(text, buf, encoding)

    def _repr_html_(self) -> str | None:
        if not get_option("display.notebook_repr_html"):
            return None
        text = written_by_pandas("_repr_html_", self, {})
        return to_html(self, table_of(notebook=True), html_layout()) if text is None else text

    @overload
    def to_html(self, buf: None = ..., **options: Unpack[HtmlOptions]) -> str: ...
    @overload
    def to_html(self, buf: WriteTarget, **options: Unpack[HtmlOptions]) -> None: ...
    def to_html(
        self,
        buf: Any = None,
        *,
        columns: Any = None,
        col_space: Any = None,
        header: bool = True,
        index: bool = True,
        na_rep: str = "NaN",
        formatters: Any = None,
        float_format: Any = None,
        sparsify: bool | None = None,
        index_names: bool = True,
        justify: str | None = None,
        max_rows: int | None = None,
        max_cols: int | None = None,
        show_dimensions: Any = False,
        decimal: str = ".",
        bold_rows: bool = True,
        classes: Any = None,
        escape: bool = True,
        notebook: bool = False,
        border: Any = None,
        table_id: str | None = None,
        render_links: bool = False,
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
        render_links
            Whether addresses become links.

        Examples
        --------
        >>> "<td>yes</td>" in DataFrame({"a": [True]}).to_html(formatters={"a": lambda x: "yes" if x else "no"})
        True
        """
        given = {
            "index": index,
            "header": header,
            "index_names": index_names,
            "na_rep": na_rep,
            "float_format": float_format,
            "max_rows": max_rows,
            "max_cols": max_cols,
            "show_dimensions": show_dimensions,
        }
        of_table = {
            "notebook": notebook,
            "bold_rows": bold_rows,
            "escape": escape,
            "border": border,
            "classes": classes,
            "table_id": table_id,
        }
        of_pandas = {
            "col_space": col_space,
            "formatters": formatters,
            "sparsify": sparsify,
            "justify": justify,
            "decimal": decimal,
            "render_links": render_links,
        }
        only_truth("to_html", header=header, render_links=render_links)
        shown = self if columns is None else self[list(columns)]
        text = written_by_pandas("to_html", shown, given | of_table | of_pandas)
        if text is None:
            width = get_option("display.max_colwidth") if notebook else None
            layout = layout_of("to_html", max_colwidth=width, **given)
            text = to_html(shown, table_of(**of_table), layout)
        return written(text, buf, encoding)

    def explode(self, column: LabelOrLabels, ignore_index: bool = False) -> DataFrame:
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
        """Return the frame whose columns are the rows of this one, all in their common type, or of objects.

        Row labels become column labels.

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
        with suppress(TypeError):
            return wrap_frame(self._handle.transpose())
        elements = [column.to_list() for _, column in self.items()]
        rows = index_of_labels(self._handle.labels()).with_names(self._handle.level_names())
        columns = [Column.from_objects(row) for row in zip(*elements, strict=True)]
        labels, names = plain_labels(self.index), list(self.index.names)
        return wrap_frame(_cuprum.DataFrame(labels, columns, rows).with_labels(labels, names))

    @property
    def T(self) -> DataFrame:
        """The transposed frame; see `transpose`."""
        return self.transpose()

    # Columns.

    @overload
    def __matmul__(self, other: DataFrame) -> DataFrame: ...
    @overload
    def __matmul__(self, other: Series | list[Any]) -> Series: ...
    @overload
    def __matmul__(self, other: Any) -> DataFrame | Series: ...
    def __matmul__(self, other: Any) -> Any:
        return self.dot(other)

    def __rmatmul__(self, other: Any) -> Any:
        if not is_list_like(other):
            return NotImplemented
        import numpy as np

        rows = np.asarray(other)
        if rows.ndim != 1:
            return self.T.dot(rows.T).T
        if len(rows) != len(self):
            raise ValueError(f"Dot product shape mismatch, {rows.shape} vs {self.shape}")
        return Series(rows, index=self.index).dot(self)

    @overload
    def dot(self, other: DataFrame) -> DataFrame: ...
    @overload
    def dot(self, other: Series | list[Any]) -> Series: ...
    @overload
    def dot(self, other: Any) -> DataFrame | Series: ...
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
            if isinstance(other, list) and other and is_list_like(other[0]):
                import numpy as np

                other = np.asarray(other)
            plain: Any = DataFrame if getattr(other, "ndim", 1) == 2 else Series
            other = plain(other, index=self.columns)
        result = self._handle.dot(other._handle)
        return wrap_frame(result) if isinstance(other, DataFrame) else wrap_series(result)

    @overload
    def query(
        self,
        expr: str,
        *,
        parser: Parser = ...,
        inplace: Literal[True],
        local_dict: Mapping[str, Any] | None = ...,
        engine: Engine | None = ...,
    ) -> None: ...
    @overload
    def query(
        self,
        expr: str,
        *,
        parser: Parser = ...,
        inplace: bool = ...,
        local_dict: Mapping[str, Any] | None = ...,
        engine: Engine | None = ...,
    ) -> DataFrame: ...
    def query(
        self,
        expr: str,
        *,
        parser: str = "pandas",
        inplace: bool = False,
        local_dict: Any = None,
        engine: str | None = None,
    ) -> Any:
        """Return the rows where an expression in a text is true.

        Names are columns, else levels of the index, else ``index``; between backticks they may be any text.
        ``@name`` is a variable of the caller (or of ``local_dict``). There are constants, lists, ``+ - * / // %
        ** ^``, comparisons, ``in``, ``and or not`` (``& | ~``), mathematics (``sqrt(a)``) and methods: of
        missing values, comparison, aggregation (``a.mean()``), texts (``s.str.contains('x')``) and times
        (``t.dt.year``).

        ``engine`` is one of pandas' names, ``'python'`` or ``'numexpr'``, which give the same here; ``parser`` is
        ``'pandas'``.

        Raises ``NameError`` for an unknown name, ``SyntaxError`` for a text that is no expression and
        ``NotImplementedError`` for other calls; both show the place.

        Examples
        --------
        >>> low = 1
        >>> DataFrame({"a": [1, 2, 3], "b": ["x", "y", "x"]}).query("a > @low and b == 'x'")
           a  b
        2  3  x
        """
        from cuprum.core.error_classes import ClassesOfPandas
        from cuprum.core.expressions import check_engine, check_parser, variables_of

        check_engine(engine)
        check_parser(parser)
        known = _caller_variables() if local_dict is None else local_dict
        text, variables = variables_of(expr, known)

        def chosen(handle: Any) -> Any:
            try:
                return _cuprum.query(handle, text, variables)
            except NotImplementedError:
                if not has_mixed_labels(handle.index()):
                    raise
                rows = wrap_frame(handle).to_pandas().eval(expr, local_dict=known)  # which compares objects
                return handle.filter(column_from(rows.to_numpy()))

        with ClassesOfPandas():
            return self._replaced(chosen, inplace)

    @overload
    def eval(
        self,
        expr: str,
        *,
        parser: Parser = ...,
        inplace: Literal[True],
        local_dict: Mapping[str, Any] | None = ...,
        engine: Engine | None = ...,
    ) -> None: ...
    @overload
    def eval(
        self,
        expr: str,
        *,
        parser: Parser = ...,
        inplace: bool = ...,
        local_dict: Mapping[str, Any] | None = ...,
        engine: Engine | None = ...,
    ) -> Any: ...
    def eval(
        self,
        expr: str,
        *,
        parser: str = "pandas",
        inplace: bool = False,
        local_dict: Any = None,
        engine: str | None = None,
    ) -> Any:
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
        from cuprum.core.error_classes import ClassesOfPandas
        from cuprum.core.expressions import check_engine, check_parser, variables_of

        check_engine(engine)
        check_parser(parser)
        expr, variables = variables_of(expr, _caller_variables() if local_dict is None else local_dict)

        def evaluated(handle: Any) -> Any:
            with ClassesOfPandas():
                return _cuprum.eval(handle, expr, variables)

        def assigned(handle: Any) -> Any:
            frame = evaluated(handle)[0]
            if frame is None:
                raise ValueError("Cannot operate inplace if there is no assignment")
            return frame

        if inplace:
            return self._relabelled(assigned, inplace)
        frame, series, value = evaluated(self._handle)
        if frame is not None:
            return self._around(frame)
        return wrap_series(series) if series is not None else wrap_series(value).iloc[0]

    def squeeze(self, axis: Axis | None = None) -> DataFrame | Series | Scalar:
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
        other = element_of(other)
        if isinstance(other, objects.SeriesOfObjects):
            return objects.operate_by_pandas(self, other, op, reflected)
        if isinstance(other, DataFrame):
            left, right = (other._handle, handle) if reflected else (handle, other._handle)
            try:
                return wrap_frame(left.binary(right, op))
            except TypeError:
                if op not in _COMPARISONS or not any(map(is_bytes, handle.dtypes())):
                    raise
                pairs = zip(left.columns(), right.columns(), strict=True)
                found = [wrap_series(_cuprum.Series(a))._operate(Series(b), op, False) for a, b in pairs]
                return wrap_frame(left.with_columns([series._handle.column() for series in found]))
        if is_pandas(other, "DataFrame"):
            return self._operate(DataFrame(other), op, reflected)
        if isinstance(other, Series) or is_pandas(other, "Series"):
            row = Series(other)._handle
            if op in _COMPARISONS and not row.index().equals(handle.columns_index()):
                raise ValueError(
                    "Operands are not aligned: compare with `eq`, `lt` and so on, or reindex one first."
                )
            return wrap_frame(handle.operate(row, op, reflected, True))
        if is_list_like(other):
            if getattr(other, "ndim", 1) == 2:
                return self._operate_with_array(other, op, reflected)
            column = column_from(other)
            if len(column) != handle.shape()[1]:
                raise ValueError(
                    f"Unable to coerce to Series, length must be {handle.shape()[1]}: given {len(column)}"
                )
            return wrap_frame(handle.operate(column, op, reflected, True))
        self._refuse_logic(other, op)
        self._refuse_none(other, op, handle.dtypes())
        return self._with_scalar(other, op, reflected)

    def _operate_with_array(self, other: Any, op: str, reflected: bool) -> Any:
        """Return what an operator gives beside an array as large as the frame, or of one row or column for all."""
        rows, count = self.shape
        if other.shape == (rows, count):
            return self._operate(DataFrame(other, index=self.index, columns=self.columns), op, reflected)
        if other.shape == (rows, 1):
            return wrap_frame(self._handle.operate(column_from(other[:, 0]), op, reflected, False))
        if other.shape == (1, count):
            return self._operate(other[0], op, reflected)
        raise ValueError(f"Unable to coerce to DataFrame, shape must be {self.shape}: given {other.shape}")

    def _with_scalar(self, other: Any, op: str, reflected: bool) -> Any:
        if type(other) not in _PLAIN or type(other) is bool:
            self._refuse_of_times(other, op, self._handle.dtypes())
        by_column = lambda s: wrap_series(s)._operate(other, op, reflected)._handle  # noqa: E731
        if type(other) is str and op in _COMPARISONS and any(d.kind in "Mm" for d in self._handle.dtypes()):
            return self._map(by_column)  # each reads the text as its type
        if (
            is_date(other)
            or dtype_of_nat(other) is not None
            or (op in ("and", "or", "xor") and type(other).__name__ == "NAType")
        ):
            return self._map(by_column)
        try:
            return wrap_frame(self._handle.binary_scalar(other, op, reflected))
        except TypeError:
            if op not in ("eq", "ne") and not any(map(is_bytes, self._handle.dtypes())):
                raise
            return self._map(by_column)

    def _negated(self) -> Any:
        if any(dtype.kind == "b" for dtype in self._handle.dtypes()):
            return self._map(lambda s: wrap_series(s)._negated()._handle)
        return self._wrap(self._handle.unary("neg"))

    def _through_numpy(self, ufunc: Any, inputs: tuple[Any, ...]) -> Any:
        """Return what another of NumPy's element functions makes of frames, matched by label, arrays and scalars."""
        inputs = tuple(DataFrame(one) if is_pandas(one, "DataFrame") else one for one in inputs)
        if any(isinstance(one, Series) or is_pandas(one, "Series") for one in inputs):
            raise NotImplementedError(
                f"numpy.{ufunc.__name__} of a DataFrame and a Series: call it on columns, or on `to_frame()`"
            )
        if len(inputs) == 1 and ufunc.nout == 1:
            return self._map(lambda handle: ufunc(wrap_series(handle))._handle)
        if len(inputs) == 2 and all(isinstance(one, DataFrame) for one in inputs):
            inputs = inputs[0].align(inputs[1])
        shape = next(one for one in inputs if isinstance(one, DataFrame))
        # As pandas has it, of all columns in their common type.
        found = ufunc(*(one.to_numpy() if isinstance(one, DataFrame) else one for one in inputs))

        def labelled(values: Any) -> Any:
            made = DataFrame(values, index=shape.index)._handle
            return wrap_frame(made.with_labels(shape._handle.labels(), shape._handle.level_names()))

        return tuple(map(labelled, found)) if isinstance(found, tuple) else labelled(found)

    def _operate_with(
        self, name: str, other: Any, op: str, reflected: bool, axis: Any, level: Any, fill_value: Any
    ) -> Any:
        by_row = axis is None or axis_number(axis) == 1
        other = ours(other)
        if level is not None and isinstance(other, IndexedFrame):
            left, right = self.align(other, axis=None if other.ndim == 2 else 1 if by_row else 0, level=level)
            return left._operate_with(name, right, op, reflected, axis, None, fill_value)
        if (
            not by_row
            and hasattr(other, "__array_interface__")
            and other.shape == (1, self.shape[1]) != self.shape
        ):
            other = other[0]  # a series, for the axis
        is_dict = isinstance(other, Mapping)
        labelled = isinstance(other, IndexedFrame)
        is_plain = not labelled and is_list_like(other) and getattr(other, "ndim", 1) == 1
        if is_dict or (is_plain and (fill_value is not None or not by_row)):
            # As in pandas, dicts have to be as long as the labels they are found by.
            labels = self.columns if by_row else self.index
            values = other if is_dict else column_from(other)
            if len(values) != len(labels):
                raise ValueError(
                    f"Unable to coerce to Series, length must be {len(labels)}: given {len(values)}"
                )
            other = Series(values, index=labels)
        compares = op in _COMPARISONS
        if compares and fill_value is not None:
            raise TypeError(f"DataFrame.{name}() got an unexpected keyword argument 'fill_value'")
        if isinstance(other, Series):
            return wrap_frame(self._handle.operate(other._handle, op, reflected, by_row, fill_value))
        if isinstance(other, DataFrame) and fill_value is not None:
            return wrap_frame(self._handle.operate(other._handle, op, reflected, False, fill_value))
        if isinstance(other, DataFrame) and compares:
            left, right = self._handle.align(other._handle)
            return wrap_frame(left)._operate(wrap_frame(right), op, reflected)
        left = self if fill_value is None else self.fillna(fill_value)
        return left._operate(other, op, reflected)

    # Joins.

    merge = merge
    join = join


def _caller_variables() -> dict[str, Any]:
    """The variables of the function that called a method of this module."""
    caller = sys._getframe(2)  # beyond the method
    return {**caller.f_globals, **caller.f_locals}
