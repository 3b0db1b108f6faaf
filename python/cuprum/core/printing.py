"""`to_string` and `to_html`: what their arguments say of the text, and where it goes."""

from __future__ import annotations

import codecs
import io
import os
import re
from typing import Any, get_args

from cuprum._cuprum import Column
from cuprum.core.arguments import is_list_like, only_truth
from cuprum.core.label_columns import without_mixed_labels
from cuprum.core.missing import is_missing
from cuprum.io.open_files import write_all
from cuprum.options import printed_by_pandas, whole_layout
from cuprum.typing import Justify

__all__ = ["cell_of_object", "layout_of", "table_of", "text_by_pandas", "written", "written_by_pandas"]

# ``%.2f``, ``%e``, and the same in braces, also with commas.
_PERCENT = re.compile(r"%(?:\.(?P<digits>\d{1,4}))?(?P<kind>[fe])")
_BRACES = re.compile(r"\{:(?P<comma>,?)(?:\.(?P<digits>\d{1,4}))?(?P<kind>[fe])\}")


# Arguments that only pandas' printing knows, with the values that have no effect.
_OF_PANDAS = {
    "col_space": None,
    "decimal": ".",
    "formatters": None,
    "justify": None,
    "render_links": False,
    "sparsify": None,
}


def _format_found(given: Any) -> re.Match[str] | None:
    """Return the parts of a text such as ``'%.2f'``, or of ``'{:,.2f}'.format``; None for other formats."""
    text, pattern = given, _PERCENT
    if getattr(given, "__name__", None) == "format" and isinstance(getattr(given, "__self__", None), str):
        text, pattern = given.__self__, _BRACES
    return pattern.fullmatch(text) if isinstance(text, str) else None


def _is_for_pandas(arguments: dict[str, Any]) -> bool:
    """Whether arguments ask for what only pandas' printing knows: functions, labels of columns, widths, marks."""
    float_format, header, justify = arguments["float_format"], arguments["header"], arguments.get("justify")
    if justify is not None and justify not in get_args(Justify):
        raise ValueError(f"`justify` is {justify!r}; known are {', '.join(get_args(Justify))}")
    if float_format is not None and _format_found(float_format) is None:
        if not isinstance(float_format, str) and not callable(float_format):
            raise TypeError(
                f"`float_format` is {float_format!r}, neither a text such as '%.2f' nor a function"
            )
        return True
    return (
        is_list_like(header)
        or arguments.get("show_dimensions") == "truncate"
        or any(
            name in arguments and not (arguments[name] is plain or arguments[name] == plain)
            for name, plain in _OF_PANDAS.items()
        )
    )


def _float_format(given: Any) -> tuple[int, bool, bool]:
    """Return digits, exponent and commas of a format that `_format_found` knows."""
    found = _format_found(given)
    assert found is not None, given
    digits = found["digits"]
    return (
        6 if digits is None else int(digits),
        found["kind"] == "e",
        "comma" in found.groupdict() and bool(found["comma"]),
    )


def layout_of(
    name: str,
    *,
    index: Any = True,
    header: bool = True,
    index_names: Any = True,
    na_rep: Any = "NaN",
    float_format: Any = None,
    max_rows: Any = None,
    min_rows: Any = None,
    max_cols: Any = None,
    line_width: Any = None,
    max_colwidth: Any = None,
    show_dimensions: Any = False,
) -> dict[str, Any]:
    """Return what is printed, for the handles' ``to_text`` and ``to_html``: everything, but for limits given."""
    only_truth(name, index=index, header=header, index_names=index_names, show_dimensions=show_dimensions)
    layout = whole_layout()
    limits = {"max_rows": max_rows, "min_rows": min_rows, "max_columns": max_cols, "width": line_width}
    for option, limit in {**limits, "max_column_width": max_colwidth}.items():
        if limit is None:
            continue
        if isinstance(limit, bool) or not hasattr(limit, "__index__") or limit.__index__() < 1:
            raise ValueError(f"{name}: {option} is {limit!r}, not a positive integer")
        layout[option] = limit.__index__()
    layout["min_rows"] = min(layout["min_rows"], layout["max_rows"])
    if not isinstance(na_rep, str):
        raise TypeError(f"{name}: `na_rep` must be a text, not {na_rep!r}")
    if na_rep != "NaN":
        layout["missing"] = na_rep
    if float_format is not None:
        layout["float_format"] = _float_format(float_format)
    layout.update(
        index=bool(index),
        header=bool(header),
        index_names=bool(index_names),
        dimensions=bool(show_dimensions),
    )
    return layout


def table_of(
    *,
    notebook: Any = False,
    bold_rows: Any = True,
    escape: Any = True,
    border: Any = None,
    classes: Any = None,
    table_id: Any = None,
) -> dict[str, Any]:
    """Return what a table in HTML has beside its cells."""
    only_truth("to_html", notebook=notebook, bold_rows=bold_rows, escape=escape)
    if border is None or border is True:
        border = 1
    if not hasattr(border, "__index__") or border.__index__() < 0:
        raise ValueError(f"to_html: `border` is {border!r}, not a width")
    if classes is None:
        names = []
    elif isinstance(classes, str):
        names = classes.split()
    elif isinstance(classes, (list, tuple)) and all(isinstance(one, str) for one in classes):
        names = list(classes)
    else:
        raise TypeError(f"classes must be a string, list, or tuple, not {type(classes)}")
    if table_id is not None and not isinstance(table_id, str):
        raise TypeError(f"to_html: `table_id` must be a text, not {table_id!r}")
    return {
        "notebook": bool(notebook),
        "bold_rows": bool(bold_rows),
        "escape": bool(escape),
        "border": border.__index__(),
        "classes": names,
        "table_id": table_id,
    }


def written(text: str, buf: Any, encoding: str | None = None) -> str | None:
    """Return ``text``, or write it to ``buf``, a path or an open file."""
    if encoding is not None and (buf is None or hasattr(buf, "write")):
        raise ValueError("buf is not a file name and encoding is specified.")
    if buf is None:
        return text
    if hasattr(buf, "write"):
        write_all(buf, text)
    else:
        # Looked up first: a file is made even where its encoding is not known.
        codec = codecs.lookup(encoding or "utf-8").name
        with open(os.fspath(buf), "w", encoding=codec, newline="") as file:
            file.write(text)
    return None


def text_by_pandas(shown: Any, options: dict[str, Any]) -> str:
    """Return a frame or series as pandas prints it with its ``options``; no more rows than are shown are converted."""
    import pandas as pd

    rows, most = len(shown), options["display.max_rows"]
    if most and rows > most and options["display.large_repr"] == "info" and shown.ndim == 2:
        summary = io.StringIO()
        shown.info(buf=summary)
        return summary.getvalue()
    part = shown
    # Of a frame without columns the labels are printed, as many as another option says.
    if most and rows > most + 2 and (shown.ndim == 1 or shown.shape[1]):
        ends = most // 2 + 1
        part = shown.iloc[[*range(ends), *range(rows - ends, rows)]]
    with pd.option_context(*(one for pair in options.items() for one in pair)):
        text = repr(_as_printed(part))
    if part is not shown and shown.ndim == 2:
        text = re.sub(r"\[\d+ rows x (\d+ columns)\]$", rf"[{rows} rows x \1]", text)
    elif shown.ndim == 1:
        text = re.sub(r"Length: \d+, (dtype: [^\n]*)$", rf"Length: {rows}, \1", text)
        text = re.sub(r"dtype: \w+$", f"dtype: {shown.dtype}", text)
    return text


def written_by_pandas(method: str, shown: Any, arguments: dict[str, Any]) -> str | None:
    """Return what a method of pandas writes, where an option or an argument asks for pandas' printing; else None."""
    options = printed_by_pandas(always="float_format" in arguments and _is_for_pandas(arguments))
    if not options:
        return None
    import pandas as pd

    with pd.option_context(*(one for pair in options.items() for one in pair)):
        return getattr(_as_printed(shown), method)(**arguments)


def _as_printed(part: Any) -> Any:
    """Return what pandas is to print: integers and truth values stay such where some are missing."""
    if part.ndim == 1:
        return part.to_pandas(nullable=part.dtype.kind in "iub" and part.hasnans)
    converted = part.to_pandas(nullable=True)
    for at, dtype in enumerate(part._handle.dtypes()):
        if dtype.kind not in "iub" or not converted.iloc[:, at].isna().any():
            converted.isetitem(at, part.iloc[:, at].to_pandas())
    return converted


def to_html(shown: Any, table: dict[str, Any], layout: dict[str, Any]) -> str:
    """Return a frame as an HTML table; labels of several kinds stand there as texts."""
    handle = shown._handle
    index = without_mixed_labels(handle.index(), _label_texts)
    return handle.with_index(index).to_html(table, **layout)


def _label_texts(labels: Column) -> Column:
    from pandas.io.formats.printing import pprint_thing

    return Column.from_iterable_of_py(
        [None if is_missing(label) else pprint_thing(label) for label in labels.to_pylist(None)], "str"
    )


def cell_of_object(value: Any, precision: int) -> str | None:
    """Return what stands for an object in a table, with a space where a sign would be; None for a float NaN."""
    if isinstance(value, float):
        if value != value:
            return None
        whole, point, digits = f"{value: .{precision}f}".partition(".")
        return f"{whole}.{digits.rstrip('0') or '0'}" if point else whole
    from pandas.io.formats.printing import pprint_thing

    return f" {pprint_thing(value, escape_chars=(chr(9), chr(13), chr(10)))}"
