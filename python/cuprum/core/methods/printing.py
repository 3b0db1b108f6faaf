"""Printing: to_string, to_html, info, memory_usage."""

from __future__ import annotations

import builtins
import sys
from typing import TYPE_CHECKING, Any, Unpack, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core.arguments import (
    only_truth,
)
from cuprum.core.display import bytes_text, index_summary, info_table
from cuprum.core.label_columns import level_columns
from cuprum.core.label_construction import index_of_labels
from cuprum.core.objects import wrap_series
from cuprum.core.printing import layout_of, table_of, to_html, written, written_by_pandas
from cuprum.options import get_option, html_layout

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.io.file_options import HtmlOptions, SeriesTextOptions, TextOptions
    from cuprum.typing import (
        FrameOrSeries,
        WriteTarget,
    )


def frame_memory_usage(self: DataFrame, index: bool = True, deep: bool = False) -> Series:
    """Return the bytes of memory behind every column.

    Parameters
    ----------
    index : bool, default True
        Put the bytes of the row labels first, under ``'Index'``.
    deep : bool, default False
        Has no effect: texts and nested values always count in full.

    Returns
    -------
    Series
        Bytes (``int64``), labelled by the columns. Labels 0, 1, … need none.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [0.5, 1.5]})
    >>> df.memory_usage()
    Index     0
    a        16
    b        16
    dtype: int64
    >>> df.memory_usage(index=False).sum()
    np.int64(32)
    """
    only_truth("memory_usage", deep=deep)
    labels = self._handle.labels()
    sizes = [_cuprum.Series(column).nbytes() for column in self._handle.columns()]
    if index:
        rows = self._handle.index()
        own = 0 if rows.as_range() else sum(column.device_buffer_size() for column in level_columns(rows))
        labels, sizes = ["Index", *labels], [own, *sizes]
    rows = index_of_labels(labels)
    if not index:
        rows = rows.with_names(self._handle.level_names())
    return wrap_series(_cuprum.Series(Column.from_iterable_of_py(sizes, "int64"), None, rows))


def frame_info(
    self: DataFrame,
    verbose: bool | None = None,
    buf: Any = None,
    max_cols: int | None = None,
    memory_usage: Any = None,
    show_counts: bool | None = None,
) -> None:
    """Print the columns, their dtypes, how many elements are not missing, and the memory.

    Parameters
    ----------
    verbose : bool, optional
        Whether there is a line for each column; by default unless there are more than ``max_cols``.
    buf : path or file, optional
        Where the text is written; the standard output by default.
    max_cols : int, optional
        How many columns have a line each; by default the option ``display.max_info_columns``.
    memory_usage : bool, optional
        Whether the memory is printed; by default the option ``display.memory_usage``.
    show_counts : bool, optional
        Whether the numbers of elements are printed; by default unless the frame is larger than the options
        ``display.max_info_columns`` and ``display.max_info_rows`` say.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [1, None], "b": [2, 3]}).info(memory_usage=False)
    <class 'cuprum.DataFrame'>
    RangeIndex: 2 entries, 0 to 1
    Data columns (total 2 columns):
     #   Column  Non-Null Count  Dtype
    ---  ------  --------------  -----
     0   a       1 non-null      int64
     1   b       2 non-null      int64
    dtypes: int64(2)
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
def frame_to_string(self: DataFrame, buf: None = ..., **options: Unpack[TextOptions]) -> str: ...
@overload
def frame_to_string(self: DataFrame, buf: WriteTarget, **options: Unpack[TextOptions]) -> None: ...
def frame_to_string(
    self: DataFrame,
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
    """Return the frame as text, or write it to a file.

    Parameters
    ----------
    buf : path or file, optional
        Where the text is written; it is returned by default.
    columns : list of labels, optional
        The columns that are printed; all by default.
    col_space : int, list or dict, optional
        The least characters of columns: a number for all, one for each, or numbers by label.
    header : bool or list of str, default True
        Whether column labels are printed, or others in their place.
    index : bool, default True
        Whether row labels are printed.
    na_rep : str, default ``'NaN'``
        What stands for missing elements.
    formatters : list or dict of callables, optional
        Functions that make texts of elements: one for each column, or by label or position.
    float_format : str or callable, optional
        A text such as ``'%.2f'``, or a function that makes a text of a float.
    sparsify : bool, optional
        Whether labels of outer levels that repeat are left out; by default the option
        ``display.multi_sparse``.
    index_names : bool, default True
        Whether the names of the levels are printed.
    justify : str, optional
        On which side column labels are: ``'left'``, ``'right'``, ``'center'`` and others of pandas.
    max_rows : int, optional
        Frames of more rows are cut in the middle; none is by default.
    max_cols : int, optional
        Frames of more columns are cut in the middle; none is by default.
    show_dimensions : bool or ``'truncate'``, default False
        Whether the shape is printed below; ``'truncate'``: where something is left out.
    decimal : str, default ``'.'``
        What stands between digits.
    line_width : int, optional
        How many characters a line has before columns go on below.
    min_rows : int, optional
        How many rows stay of a frame that is cut.
    max_colwidth : int, optional
        How many characters a cell has.
    encoding : str, optional
        The encoding of the file at the path ``buf``; UTF-8 by default.

    Returns
    -------
    str or None
        The text; None with ``buf``.

    Raises
    ------
    TypeError
        For a ``float_format`` that is neither a text nor a function.
    ValueError
        For another number of labels, widths or functions than of columns.

    Notes
    -----
    With functions, other labels, widths, sides and marks pandas prints it.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [0.5, None]})
    >>> print(df.to_string(index=False, na_rep="-"))
     a   b
     1 0.5
     2   -
    >>> print(df.to_string(columns=["b"], float_format="%.2f"))
         b
    0 0.50
    1  NaN
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


def repr_html(self: DataFrame) -> str | None:
    """Return the HTML that notebooks show; None where the option ``display.notebook_repr_html`` is off."""
    if not get_option("display.notebook_repr_html"):
        return None
    text = written_by_pandas("_repr_html_", self, {})
    return to_html(self, table_of(notebook=True), html_layout()) if text is None else text


@overload
def to_html_(self: DataFrame, buf: None = ..., **options: Unpack[HtmlOptions]) -> str: ...
@overload
def to_html_(self: DataFrame, buf: WriteTarget, **options: Unpack[HtmlOptions]) -> None: ...
def to_html_(
    self: DataFrame,
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
    """Return the frame as an HTML table, or write it to a file.

    Parameters
    ----------
    buf : path or file, optional
        Where the text is written; it is returned by default.
    columns : list of labels, optional
        The columns that are printed; all by default.
    col_space : int, list or dict, optional
        The least width of columns: a number for all, one for each, or numbers by label.
    header : bool, default True
        Whether column labels are printed.
    index : bool, default True
        Whether row labels are printed.
    na_rep : str, default ``'NaN'``
        What stands for missing elements.
    formatters : list or dict of callables, optional
        Functions that make texts of elements: one for each column, or by label or position.
    float_format : str or callable, optional
        A text such as ``'%.2f'``, or a function that makes a text of a float.
    sparsify : bool, optional
        Whether labels of outer levels that repeat are left out; by default the option
        ``display.multi_sparse``.
    index_names : bool, default True
        Whether the names of the levels are printed.
    justify : str, optional
        On which side column labels are: ``'left'``, ``'right'``, ``'center'`` and others of pandas.
    max_rows : int, optional
        Frames of more rows are cut in the middle; none is by default.
    max_cols : int, optional
        Frames of more columns are cut in the middle; none is by default.
    show_dimensions : bool or ``'truncate'``, default False
        Whether the shape is printed below; ``'truncate'``: where something is left out.
    decimal : str, default ``'.'``
        What stands between digits.
    bold_rows : bool, default True
        Whether row labels are header cells.
    classes : str or list of str, optional
        Classes of the table beside ``dataframe``.
    escape : bool, default True
        Whether ``<``, ``>`` and ``&`` in texts stand for themselves.
    notebook : bool, default False
        Whether the table stands in a ``div`` with the style of notebooks, and cells are cut as the option
        ``display.max_colwidth`` says.
    border : int, optional
        The width of the border; 0 for none.
    table_id : str, optional
        The identifier of the table.
    render_links : bool, default False
        Whether addresses become links.
    encoding : str, optional
        The encoding of the file at the path ``buf``; UTF-8 by default.

    Returns
    -------
    str or None
        The text; None with ``buf``.

    Examples
    --------
    >>> import cuprum
    >>> print(cuprum.DataFrame({"a": [1]}).to_html(index=False, border=0))
    <table class="dataframe">
      <thead>
        <tr style="text-align: right;">
          <th>a</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>1</td>
        </tr>
      </tbody>
    </table>
    >>> "<td>-</td>" in cuprum.DataFrame({"a": [None, 0.5]}).to_html(na_rep="-")
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


def repr_latex(self: FrameOrSeries) -> str | None:
    """Return the HTML that notebooks that become documents show; None unless the option ``styler.render.repr`` asks for it."""
    shown: Any = self
    return shown.to_latex() if get_option("styler.render.repr") == "latex" else None


def series_memory_usage(self: Series, index: bool = True, deep: bool = False) -> int:
    """Return the bytes of memory behind the elements and their labels.

    Parameters
    ----------
    index : bool, default True
        Count the row labels, too. Labels 0, 1, … need none.
    deep : bool, default False
        Has no effect: texts and nested values always count in full.

    Returns
    -------
    int
        The number of bytes.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1.5, 2.5], index=[10, 20])
    >>> s.memory_usage(), s.memory_usage(index=False)
    (32, 16)
    """
    only_truth("memory_usage", deep=deep)
    labels = self._handle.index()
    of_labels = (
        0 if labels.as_range() else sum(column.device_buffer_size() for column in level_columns(labels))
    )
    return self.nbytes + (of_labels if index else 0)


def series_info(
    self: Series,
    verbose: bool | None = None,
    buf: Any = None,
    max_cols: int | None = None,
    memory_usage: Any = None,
    show_counts: bool = True,
) -> None:
    """Print the name, the dtype, how many elements are not missing, and the memory.

    Parameters
    ----------
    verbose : bool, optional
        False leaves out the name and the table.
    buf : path or file, optional
        Where the text is written; the standard output by default.
    max_cols : None, default None
        It is for frames: other values raise ``ValueError``.
    memory_usage : bool, optional
        Whether the memory is printed; by default the option ``display.memory_usage``.
    show_counts : bool, default True
        Whether the number of elements is printed.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, None], name="x").info(memory_usage=False)
    <class 'cuprum.Series'>
    RangeIndex: 2 entries, 0 to 1
    Series name: x
    Non-Null Count  Dtype
    --------------  -----
    1 non-null      int64
    dtypes: int64(1)
    """
    if memory_usage is None:
        memory_usage = get_option("display.memory_usage")
    if max_cols is not None:
        raise ValueError("Argument `max_cols` can only be passed in DataFrame.info, not Series.info")
    dtype = builtins.str(self.dtype)
    lines = [f"<class 'cuprum.{type(self).__name__}'>", index_summary(self.index)]
    if verbose is not False:
        lines.append(f"Series name: {self.name}")
        count = f"{self.count()} non-null"
        width = max(len("Non-Null Count"), len(count))
        pairs = [("Non-Null Count", "Dtype"), ("-" * 14, "-" * 5), (count, dtype)]
        lines += [
            (f"{left:<{width}}  " if show_counts else "") + f"{right:<{max(len(dtype), 5)}}"
            for left, right in pairs
        ]
    lines.append(f"dtypes: {dtype}(1)")
    if memory_usage is not False:
        lines.append(f"memory usage: {bytes_text(self.memory_usage())}")
    written("\n".join(lines) + "\n", sys.stdout if buf is None else buf)


@overload
def series_to_string(self: Series, buf: None = ..., **options: Unpack[SeriesTextOptions]) -> builtins.str: ...
@overload
def series_to_string(self: Series, buf: WriteTarget, **options: Unpack[SeriesTextOptions]) -> None: ...
def series_to_string(
    self: Series,
    buf: Any = None,
    *,
    na_rep: builtins.str = "NaN",
    float_format: Any = None,
    header: bool = True,
    index: bool = True,
    length: bool = False,
    dtype: bool = False,
    name: bool = False,
    max_rows: int | None = None,
    min_rows: int | None = None,
) -> builtins.str | None:
    """Return the Series as text, or write it to a file.

    Parameters
    ----------
    buf : path or file, optional
        Where the text is written; it is returned by default.
    na_rep : str, default ``'NaN'``
        What stands for missing elements.
    float_format : str or callable, optional
        A text such as ``'%.2f'``, or a function that makes a text of a float.
    header : bool, default True
        Whether the names of the levels of row labels are printed.
    index : bool, default True
        Whether row labels are printed.
    length : bool, default False
        Whether the length is printed below.
    dtype : bool, default False
        Whether the dtype is printed below.
    name : bool, default False
        Whether the name is printed below.
    max_rows : int, optional
        A Series of more rows is cut in the middle; none is by default.
    min_rows : int, optional
        How many rows stay of a Series that is cut.

    Returns
    -------
    str or None
        The text; None with ``buf``.

    Examples
    --------
    >>> import cuprum
    >>> print(cuprum.Series([0.5, None], name="x").to_string(na_rep="-", name=True))
    0    0.5
    1      -
    Name: x
    """
    only_truth("to_string", header=header, length=length, dtype=dtype, name=name)
    given = {
        "index": index,
        "header": header,
        "na_rep": na_rep,
        "float_format": float_format,
        "max_rows": max_rows,
        "min_rows": min_rows,
    }
    footer = {"name": name, "length": length, "dtype": dtype}
    text = written_by_pandas("to_string", self, given | footer)
    if text is None:
        layout = layout_of("to_string", max_colwidth=get_option("display.max_colwidth"), **given)
        layout["footer"] = (bool(name), bool(length), bool(dtype))
        text = self._handle.to_text(**layout)
    return written(text, buf)
