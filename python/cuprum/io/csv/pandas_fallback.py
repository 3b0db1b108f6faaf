"""Texts whose fields pandas finds, because our parser does not know how they are cut.

pandas gives nothing but texts: they are written again in a way that our parser knows, which finds types,
missing values and errors as in any other file.
"""

from __future__ import annotations

import csv
import io
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cuprum.core import objects
from cuprum.core.arguments import is_list_like
from cuprum.core.error_classes import of_pandas
from cuprum.core.index.multiindex import MultiIndex
from cuprum.core.objects import wrap_frame
from cuprum.io.csv.columns import Request, columns_of, labelled
from cuprum.io.csv.preprocess import check_comments, decoded, in_range
from cuprum.io.csv.reading import error_of_pandas, settled

if TYPE_CHECKING:
    import pandas

    from cuprum.core.dataframe import DataFrame

__all__ = ["Cut", "cut", "read_widths"]

# Arguments about the bounds of fields; the rest of a request is about values.
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
    import pandas

    name, content = text
    if is_list_like(request["header"]):
        return _with_levels(name, content, request)
    request, structure = _settled(name, content, request)
    if not request["nrows"]:
        return _typed(name, pandas.read_csv(io.BytesIO(content), **structure), request)
    # The slow parser counts blank lines among the rows, but not in pieces.
    del structure["nrows"]
    parts: list[pandas.DataFrame] = []
    left = request["nrows"]
    with pandas.read_csv(io.BytesIO(content), iterator=True, **structure) as reader, suppress(StopIteration):
        while left:
            parts.append(reader.get_chunk(left))
            left -= len(parts[-1])
    fields = pandas.concat(parts, ignore_index=all(map(_is_numbered, parts)))
    return _typed(name, fields, request)


class Cut:
    """The rows of a text in memory, some at a time."""

    def __init__(self, text: tuple[str, bytes], request: Request) -> None:
        import pandas

        self._name, content = text
        self.request, structure = _settled(self._name, content, request)
        self._reader = pandas.read_csv(io.BytesIO(content), iterator=True, **structure)

    def read(self, rows: int | None = None) -> DataFrame:
        """Return so many rows, or all that are left; StopIteration where there are none."""
        fields = self._reader.read() if rows is None else self._reader.get_chunk(rows)
        return _typed(self._name, fields, self.request)


def _settled(name: str, content: bytes, request: Request) -> tuple[Request, dict[str, Any]]:
    """Return a request that names every field of a row, labels, too, and what tells pandas where fields are."""
    head = _Head(content, request)
    names = head.names()
    first = head.width(0) if names and request["index_col"] is not False else 0
    if first > len(names):
        with_names = labelled(request, names, first - len(names))
        if with_names is None:
            raise of_pandas("ParserError", f"{name}: the first row has {first} fields, expected {len(names)}")
        request, names = with_names, with_names["names"]
    structure = _structure(request)
    if request["names"] is not None and request["header"] not in (None, "infer"):
        # pandas takes the second row for the first here.
        second = head.width(1)
        if second > len(names) and request["index_col"] is not False:
            if request["on_bad_lines"] == "error" and request["usecols"] is None:
                raise of_pandas(
                    "ParserError", f"{name}: the second row has {second} fields, expected {len(names)}"
                )
            raise NotImplementedError(
                f"{name}: read_csv does not support a second row of {second} fields for {len(names)} names together "
                "with `skipfooter`, `sep` of several characters or a function for `on_bad_lines`"
            )
    if request["usecols"] is not None:
        # Where not all columns are wanted, fields behind the last are no error.
        structure |= {"on_bad_lines": lambda fields: fields[: len(names)]}
    return request | {"fields": head.fields}, structure


class _Head:
    """The line of names of a text and its first rows, as pandas cuts them."""

    def __init__(self, content: bytes, request: Request) -> None:
        self._content = content
        self._request = request | {"index_col": None, "skipfooter": 0, "on_bad_lines": "error"}
        self._row: int | None = 0 if request["header"] == "infer" else request["header"]
        if request["header"] == "infer" and request["names"] is not None:
            self._row = None

    def fields(self) -> list[str]:
        """The fields of the line of names, as they are in the text; none where names are given."""
        if self._request["names"] is not None or self._row is None:
            return []
        rows = self._read(header=None, names=None, nrows=self._row + 1)
        return [] if rows is None else [str(field) for field in rows.iloc[self._row]]

    def names(self) -> list[Any]:
        """The names of the columns."""
        if self._request["names"] is not None:
            return self._request["names"]
        rows = self._read(nrows=1 if self._row is None else 0)
        return [] if rows is None else list(rows.columns)

    def width(self, row: int) -> int:
        """The number of fields of the first or the second row; 0 where that is not known."""
        at, width = row if self._row is None else self._row + 1 + row, 64
        while True:
            try:
                rows = self._read_or_raise(header=None, names=list(range(width)), nrows=at + 1)
            except ValueError as error:
                found = re.search(r"Expected \d+ fields in line \d+, saw (\d+)", str(error))
                if found is None:
                    return 0
                width = int(found[1]) + 1
                continue
            if len(rows) <= at:
                return 0
            found_in = rows.iloc[at].notna().to_numpy()
            if _is_numbered(rows) and not rows.iloc[:, -1].notna().any():
                return int(found_in.sum())
            width *= 4

    def _read(self, **changes: Any) -> pandas.DataFrame | None:
        try:
            return self._read_or_raise(**changes)
        except (ValueError, IndexError):
            return None

    def _read_or_raise(self, **changes: Any) -> pandas.DataFrame:
        import pandas

        structure = _structure(self._request | changes) | {"engine": "python"}
        return pandas.read_csv(io.BytesIO(self._content), **structure)


def _is_numbered(rows: pandas.DataFrame) -> bool:
    import pandas

    return isinstance(rows.index, pandas.RangeIndex) and rows.index.name is None


def _structure(request: Request) -> dict[str, Any]:
    options = {name: request[name] for name, plain in _STRUCTURE.items() if request[name] != plain}
    if options.get("quoting") == csv.QUOTE_NONNUMERIC:
        del options["quoting"]
    if isinstance(options.get("skiprows"), set):
        options["skiprows"] = sorted(options["skiprows"])
    if request["index_col"] is False:
        options["index_col"] = False
    names = request["names"]
    return options | {
        "sep": request["sep"],
        "header": request["header"],
        **({} if names is None else {"names": names}),
        "dtype": str,
        "keep_default_na": False,
        "engine": "python" if _is_slow(request) else "c",
    }


def _is_slow(request: Request) -> bool:
    """Whether only the slow parser of pandas knows how to cut the text."""
    return bool(request["skipfooter"] or callable(request["on_bad_lines"]) or _is_pattern(request["sep"]))


def _is_pattern(separator: str) -> bool:
    return len(separator.encode()) > 1 and separator != r"\s+"


def _typed(name: str, fields: pandas.DataFrame, request: Request) -> DataFrame:
    """The frame of fields that are texts."""
    if not _is_numbered(fields):
        # The slow parser takes a row for the names of the labels.
        found, expected = len(fields.columns) + fields.index.nlevels, len(fields.columns)
        raise of_pandas("ParserError", f"{name}: a row has {found} fields, expected {expected}")
    empty_counts = not request["keep_default_na"] or not request["na_filter"] or request["converters"]
    if empty_counts and fields.isna().to_numpy().any():
        raise NotImplementedError(
            f"{name}: read_csv does not support `keep_default_na`=False, `na_filter`=False and `converters` of lines "
            "that lack fields together with `skipfooter`, `sep` of several characters or a function for `on_bad_lines`"
        )
    names = list(fields.columns)
    plain = request | {name: value for name, value in _STRUCTURE.items() if name != "quoting"}
    if request["header"] is None and request["names"] is None:
        names = [str(position) for position in names]
    plain["labels"] = dict(zip(map(str, names), fields.columns, strict=True))
    marks = (request["decimal"], request["thousands"])
    separator = next(mark for mark in ",;\t" if mark not in marks)
    alone = {"sep": separator, "names": names, "header": 0}
    text = _rewritten(fields, names, header=True, sep=separator)
    return columns_of((name, text), plain | alone | {"compression": None, "encoding": None, "nrows": None})


def _rewritten(fields: pandas.DataFrame, names: list[Any], *, header: bool, sep: str = ",") -> bytes:
    fields = fields.set_axis([str(position) for position in range(len(names))], axis=1)
    if len(fields) == 0:
        fields = fields.astype("str")
    text = objects.from_pandas(fields).to_csv(index=False, header=header, sep=sep, quoting=csv.QUOTE_ALL)
    return text.encode()


def _with_levels(name: str, content: bytes, request: Request) -> DataFrame:
    """The frame of a text with several lines of names."""
    import pandas

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
    if isinstance(request["dtype"], (list, tuple)):  # one for each column of the file
        plain["dtype"] = request["dtype"]
    if isinstance(request["na_values"], dict):
        plain["na_values"] = by_position(request["na_values"])
    plain |= {"header": None, "names": None, "index_col": of_index or None}
    result = _typed(name, rows, plain)
    handle = result._handle
    if of_index:
        handle = handle.with_index(handle.index().with_names(list(named.index.names)))
    result = wrap_frame(handle)
    result.columns = MultiIndex.from_tuples(labels, names=list(named.columns.names))
    return result


def read_widths(data: Any, widths: dict[str, Any], given: dict[str, Any]) -> Any:
    """Return the frame of a file of columns of fixed widths."""
    import inspect

    import pandas

    from cuprum.io.csv import read_csv

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
    (name, content), request = decoded(data, request)
    check_comments(content, request, function="read_fwf")
    content = in_range(content, request)
    if callable(request["skiprows"]):
        lines = range(content.count(b"\n") + content.count(b"\r") + 1)
        request["skiprows"] = {line for line in lines if request["skiprows"](line)}
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

    def fields_with(**changes: Any) -> pandas.DataFrame:
        return pandas.read_fwf(io.BytesIO(content), **widths | options | changes)

    try:
        fields = fields_with()
    except ValueError as error:
        raise error_of_pandas(error) from None
    if request["names"] is not None and request["index_col"] is not False:
        width = len(fields_with(header=None, names=None, nrows=1).columns)
        if width > len(request["names"]):
            raise of_pandas(
                "ParserError", f"{name}: the rows have {width} fields, expected {len(request['names'])}"
            )

    def fields_of_names() -> list[str]:
        if request["names"] is not None or request["header"] is None:
            return []
        row = 0 if request["header"] == "infer" else request["header"]
        return [str(field) for field in fields_with(header=None, nrows=row + 1).iloc[row]]

    frame = _typed(name, fields, request | {"fields": fields_of_names})
    if not iterator and rows is None:
        return frame
    from cuprum.io.csv.chunks import TextFileReader

    return TextFileReader(frame, request)
