"""Texts whose fields pandas finds, because our parser does not know how they are cut.

pandas gives nothing but texts: they are written again in a way that our parser knows, which finds types,
missing values and errors as in any other file.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cuprum.core.arguments import is_list_like
from cuprum.core.objects import wrap_frame
from cuprum.io.csv.columns import Request, columns_of
from cuprum.io.csv.texts import check_comments, edited

if TYPE_CHECKING:
    import pandas

    from cuprum.core.dataframe import DataFrame

__all__ = ["cut", "cut_pieces", "read_widths"]

# What says where fields begin and end; what is left of a request speaks of values.
_STRUCTURE: dict[str, Any] = {
    "skiprows": None,
    "skipfooter": 0,
    "nrows": None,
    "skip_blank_lines": True,
    "lineterminator": None,
    "quotechar": '"',
    "quoting": csv.QUOTE_MINIMAL,
    "doublequote": True,
    "escapechar": None,
    "comment": None,
    "skipinitialspace": False,
    "on_bad_lines": "error",
}


def cut(text: tuple[str, bytes], request: Request) -> DataFrame:
    """Return the frame of a text in memory."""
    name, content = text
    if is_list_like(request["header"]):
        return _with_levels(name, content, request)
    import pandas

    fields = pandas.read_csv(io.BytesIO(content), **_structure(request))
    return _typed(name, fields, request | _with_fields(content, request))


def cut_pieces(text: tuple[str, bytes], request: Request, rows: int) -> Iterator[DataFrame]:
    """Return frames of so many rows each."""
    name, content = text
    if is_list_like(request["header"]):
        whole = cut(text, request)
        return iter([whole.iloc[start : start + rows] for start in range(0, len(whole), rows)])
    import pandas

    pieces = pandas.read_csv(io.BytesIO(content), chunksize=rows, **_structure(request))
    request = request | _with_fields(content, request)
    return (_typed(name, piece, request) for piece in pieces)


def _with_fields(content: bytes, request: Request) -> dict[str, Any]:
    """What tells the fields of the line of names, unless the names are given."""

    def fields() -> list[str]:
        import pandas

        row = 0 if request["header"] == "infer" else request["header"]
        head = request | {"header": None, "nrows": row + 1, "skipfooter": 0}
        try:
            return [
                str(field) for field in pandas.read_csv(io.BytesIO(content), **_structure(head)).iloc[row]
            ]
        except (ValueError, IndexError):
            return []

    is_named = request["names"] is not None or request["header"] is None
    return {"fields": list if is_named else fields}


def _structure(request: Request) -> dict[str, Any]:
    options = {name: request[name] for name, plain in _STRUCTURE.items() if request[name] != plain}
    if options.get("quoting") == csv.QUOTE_NONNUMERIC:
        del options["quoting"]
    if isinstance(options.get("skiprows"), set):
        options["skiprows"] = sorted(options["skiprows"])
    if request["index_col"] is False:
        options["index_col"] = False
    names = request["names"]
    slow = request["skipfooter"] or callable(request["on_bad_lines"]) or _is_pattern(request["sep"])
    return options | {
        "sep": request["sep"],
        "header": request["header"],
        **({} if names is None else {"names": names}),
        "dtype": str,
        "keep_default_na": False,
        "engine": "python" if slow else "c",
    }


def _is_pattern(separator: str) -> bool:
    return len(separator.encode()) > 1 and separator != r"\s+"


def _typed(name: str, fields: pandas.DataFrame, request: Request) -> DataFrame:
    """The frame of fields that are texts."""
    import pandas

    if not isinstance(fields.index, pandas.RangeIndex):
        found, expected = len(fields.columns) + fields.index.nlevels, len(fields.columns)
        raise ValueError(f"{name}: the first row has {found} fields, expected {expected}")
    empty_counts = not request["keep_default_na"] or not request["na_filter"] or request["converters"]
    if empty_counts and fields.isna().to_numpy().any():
        raise NotImplementedError(
            f"{name}: read_csv does not support `keep_default_na`=False, `na_filter`=False and `converters` of lines "
            "that lack fields together with `skipfooter`, `sep` of several characters or a function for `on_bad_lines`"
        )
    names = list(fields.columns)
    if request["header"] is None and request["names"] is None:
        header = None
        names = [str(position) for position in names]
        request = request | {"labels": dict(zip(names, range(len(names)), strict=True))}
    else:
        header = 0
        request = request | {"labels": {str(label): label for label in names}}
    plain = request | {name: value for name, value in _STRUCTURE.items() if name != "quoting"}
    if header is None:
        plain |= {"names": None, "header": None}
        return columns_of((name, _rewritten(fields, names, header=False)), plain | _ALONE)
    return columns_of(
        (name, _rewritten(fields, names, header=True)), plain | {"names": names, "header": 0} | _ALONE
    )


# How the texts are written.
_ALONE = {"sep": ",", "compression": None, "encoding": None, "nrows": None}


def _rewritten(fields: pandas.DataFrame, names: list[Any], *, header: bool) -> bytes:
    import cuprum

    fields = fields.set_axis([str(position) for position in range(len(names))], axis=1)
    if len(fields) == 0:
        fields = fields.astype("str")
    text = cuprum.from_pandas(fields).to_csv(index=False, header=header, quoting=csv.QUOTE_ALL)
    return text.encode()  # type: ignore[union-attr, no-any-return]


def _with_levels(name: str, content: bytes, request: Request) -> DataFrame:
    """The frame of a text with several lines of names."""
    import pandas

    import cuprum

    lines = sorted(int(line) for line in request["header"])
    if request["names"] is not None:
        raise ValueError("cannot specify names when specifying a multi-index header")
    if request["usecols"] is not None:
        raise ValueError("cannot specify usecols when specifying a multi-index header")
    index = request["index_col"]
    of_index = [] if index is None or index is False else list(index) if is_list_like(index) else [index]
    if not all(isinstance(column, int) for column in of_index):
        raise ValueError(
            "index_col must only contain integers of column positions when header has several lines"
        )
    fields = pandas.read_csv(io.BytesIO(content), **_structure(request | {"header": None, "nrows": None}))
    # pandas says what the names are: of the lines of names, and of the next, which may name the row labels.
    head = io.BytesIO(_rewritten(fields.iloc[: lines[-1] + 2], list(fields.columns), header=False))
    named = pandas.read_csv(
        head,
        header=lines,
        index_col=of_index or None,
        dtype=str,
        keep_default_na=False,
        skip_blank_lines=False,
    )
    first = lines[-1] + 1
    if of_index and len(fields) > first and len(named) == 0:
        first += 1
    rows = fields.iloc[first:].reset_index(drop=True)
    if request["nrows"] is not None:
        rows = rows.iloc[: request["nrows"]]
    width = len(fields.columns)
    of_index = [position % width for position in of_index]
    others = [position for position in range(width) if position not in of_index]
    labels: list[Any] = list(named.columns)
    positions = dict(zip(labels, others, strict=True)) | {position: position for position in of_index}

    def by_position(given: Any) -> Any:
        if isinstance(given, dict):
            return {positions.get(key, key): value for key, value in given.items()}
        return [positions.get(key, key) for key in given] if is_list_like(given) else given

    plain = request | {key: by_position(request[key]) for key in ("dtype", "converters", "parse_dates")}
    if isinstance(request["na_values"], dict):
        plain["na_values"] = by_position(request["na_values"])
    plain |= {"header": None, "names": None, "index_col": of_index or None}
    result = _typed(name, rows, plain)
    handle = result._handle
    if of_index:
        handle = handle.with_index(handle.index().with_names(list(named.index.names)))
    result = wrap_frame(handle)
    result.columns = cuprum.MultiIndex.from_tuples(labels, names=list(named.columns.names))
    return result


def read_widths(data: Any, widths: dict[str, Any], given: dict[str, Any]) -> Any:
    """Return the frame of a file of columns of fixed widths."""
    import inspect

    import pandas

    from cuprum.io.csv import read_csv
    from cuprum.io.csv.reading import settled

    defaults = {
        key: parameter.default
        for key, parameter in inspect.signature(read_csv).parameters.items()
        if key != "filepath_or_buffer"
    }
    unknown = next((key for key in given if key not in defaults), None)
    if unknown is not None:
        raise TypeError(f"read_fwf() got an unexpected keyword argument {unknown!r}")
    request = settled("read_fwf", defaults | given)
    rows, iterator = request["chunksize"], request["iterator"]
    text, request = edited(data, request | {"sep": ",", "skipinitialspace": True})
    name, content = text.plain(request)
    check_comments(content, request, function="read_fwf")
    options = _structure(request)
    for option in (
        "sep",
        "engine",
        "quoting",
        "doublequote",
        "escapechar",
        "skipinitialspace",
        "lineterminator",
    ):
        options.pop(option, None)
    if given.get("delimiter") is not None:
        options["delimiter"] = given["delimiter"]
    if is_list_like(request["header"]):
        raise NotImplementedError("read_fwf does not support several lines in `header`")
    fields = pandas.read_fwf(io.BytesIO(content), **widths, **options)
    frame = _typed(name, fields, request)
    if not iterator and rows is None:
        return frame
    from cuprum.io.csv.chunks import TextFileReader

    return TextFileReader(frame, request)
