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


def frame_info(
    self: DataFrame,
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
    >>> from cuprum import DataFrame
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


def repr_html(self: DataFrame) -> str | None:
    """Return what notebooks show; None where the option ``display.notebook_repr_html`` is off."""
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
    >>> from cuprum import DataFrame
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


def repr_latex(self: FrameOrSeries) -> str | None:
    """Return what notebooks that become documents show; None unless the option ``styler.render.repr`` asks for it."""
    shown: Any = self
    return shown.to_latex() if get_option("styler.render.repr") == "latex" else None


def series_memory_usage(self: Series, index: bool = True, deep: bool = False) -> int:
    """Return the bytes of memory behind the elements, and behind the labels unless ``index`` is False.

    Text and nested values count in full, with or without ``deep``.
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
    """Print the name, the type, the number of elements that are not missing and the memory.

    Without the table of them if ``verbose`` is False, the number for False as ``show_counts``, the memory for False as
    ``memory_usage``, or as the option ``display.memory_usage`` says. ``max_cols`` is of frames.
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
    """Return the series as text, all of it unless ``max_rows`` is given; or write it to ``buf``.

    ``header`` prints the names of the index; ``length``, ``dtype`` and ``name`` are told below.
    The other arguments mean what they do in `DataFrame.to_string`.

    Examples
    --------
    >>> from cuprum import Series
    >>> print(Series([0.5, None], name="x").to_string(na_rep="-", name=True))
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
