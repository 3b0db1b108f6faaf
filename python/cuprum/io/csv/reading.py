"""The reader behind `read_csv`: its arguments and the text."""

from __future__ import annotations

import csv
import numbers
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum.core.arguments import is_list_like
from cuprum.core.error_classes import in_class_of_pandas
from cuprum.io.csv.columns import Request, check_names, columns_of, with_labels
from cuprum.io.csv.preprocess import Text, checked_range, edited, unpacked_after, without_bad_lines
from cuprum.io.encodings import undecodable

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["COMMA", "error_of_pandas", "read", "settled", "whole"]


class _Comma:
    """The default of ``sep``: None has another meaning."""

    def __repr__(self) -> str:
        return "','"


COMMA = _Comma()


def read(function: str, data: Any, given: Request) -> Any:
    """Return the frame that arguments of `read_csv` ask for, or what reads it in pieces."""
    request = settled(function, given)
    if request["iterator"] or request["chunksize"] is not None:
        from cuprum.io.csv.chunks import TextFileReader

        return TextFileReader(data, request)
    try:
        return whole(data, request)
    except ValueError as error:
        raise error_of_pandas(error) from None


# Advice where a file is in another encoding than it is read in.
_ADVICE = 'say which encoding the file has, as in encoding="latin-1"'


def error_of_pandas(error: ValueError) -> ValueError:
    """Return the error in the class that pandas has for it, a ``ValueError`` too, where it has one."""
    made: Any = in_class_of_pandas(undecodable(error, _ADVICE))
    return made


def whole(data: Any, request: Request) -> DataFrame:
    """Return the frame of a whole file."""
    text, request = edited(data, request)
    try:
        return _frame_of(text, request)
    except ValueError as error:
        unpacked = unpacked_after(error, text.source, request["compression"])
        if unpacked is None:
            raise
    return _frame_of(Text(unpacked), request | {"compression": None})


def _frame_of(text: Text, request: Request) -> DataFrame:
    from cuprum.io.csv.pandas_fallback import cut

    if text.cut is None:
        check_names(text.source, request)
        try:
            return columns_of(text.source, request)
        except ValueError:
            labelled = with_labels(text.source, request)
            if labelled is None and request["on_bad_lines"] == "error":
                raise
        if labelled is not None:
            try:
                return columns_of(text.source, labelled)
            except ValueError:
                if request["on_bad_lines"] == "error":
                    raise
        return _frame_of(*without_bad_lines(text, request))
    return cut(text.plain(request), request)


def settled(function: str, given: Request) -> Request:
    """Check arguments, and give each its meaning."""
    request = dict(given)
    if request["dtype_backend"] is not None:
        raise NotImplementedError(
            f"{function} does not support `dtype_backend`={request['dtype_backend']!r}: "
            "columns with missing values keep their type without it"
        )
    _settle_separator(request)
    _take_dialect(request)
    for name, known in _KNOWN.items():
        value = request[name]
        if not any(value is one or value == one for one in known):
            raise ValueError(f"`{name}` is {value!r}; it must be one of {', '.join(map(repr, known))}")
    bad = request["on_bad_lines"]
    if not callable(bad) and bad not in ("error", "warn", "skip"):
        raise ValueError(f"Argument {bad} is invalid for on_bad_lines")
    request["nrows"] = _whole("nrows", request["nrows"], 0)
    request["chunksize"] = _whole("chunksize", request["chunksize"], 1)
    if not isinstance(request["skipfooter"], int):
        raise ValueError("skipfooter must be an integer")
    if request["skipfooter"] < 0:
        raise ValueError("skipfooter cannot be negative")
    if request["skipfooter"] and request["nrows"] is not None:
        raise ValueError("'skipfooter' not supported with 'nrows'")
    if request["skipfooter"] and (request["iterator"] or request["chunksize"] is not None):
        raise ValueError("'skipfooter' not supported for iteration")
    skip = request["skiprows"]
    if skip is not None and not callable(skip):
        request["skiprows"] = (
            {int(line) for line in skip} if is_list_like(skip) else _whole("skiprows", skip, 0)
        )
    _check_header(request["header"])
    if request["quoting"] != csv.QUOTE_NONE and not request["quotechar"]:
        raise TypeError("quotechar must be set if quoting enabled")
    for name in ("true_values", "false_values"):
        if request[name] is not None:
            request[name] = [str(value) for value in request[name]]
    if request["names"] is not None:
        if isinstance(request["names"], (str, set)) or not is_list_like(request["names"]):
            raise ValueError("Names should be an ordered collection.")
        request["names"] = list(request["names"])
        if len(set(request["names"])) != len(request["names"]):
            raise ValueError("Duplicate names are not allowed.")
    converters = request["converters"]
    if converters is not None and not isinstance(converters, Mapping):
        raise TypeError(
            "Type converters must be a dict or subclass, input was a " + type(converters).__name__
        )
    dates = request["parse_dates"]
    if isinstance(dates, (Mapping, str)) or not (
        dates is None or isinstance(dates, bool) or is_list_like(dates)
    ):
        raise TypeError("Only booleans and lists are accepted for the 'parse_dates' parameter")
    if request.get("byte_range") is not None:
        checked_range(request["byte_range"])
    return request


_KNOWN: dict[str, tuple[Any, ...]] = {
    "engine": (None, "c", "python", "python-fwf", "pyarrow"),
    "float_precision": (None, "high", "legacy", "round_trip"),
    "low_memory": (True, False),
    "memory_map": (False, True),
    "cache_dates": (True, False),
    "quoting": (csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC, csv.QUOTE_NONE),
}


def _settle_separator(request: Request) -> None:
    separator, delimiter = request["sep"], request.pop("delimiter")
    if separator is not COMMA and delimiter is not None:
        raise ValueError("Specified a sep and a delimiter; you can only specify one.")
    if separator is COMMA:
        separator = "," if delimiter is None else delimiter
    if separator == "\n":
        raise ValueError(r"Specified \n as separator or delimiter. This forces the python engine")
    request["sep"] = separator


def _take_dialect(request: Request) -> None:
    dialect = request.pop("dialect")
    if dialect is None:
        return
    if isinstance(dialect, str):
        dialect = csv.get_dialect(dialect)
    for name in ("delimiter", "doublequote", "escapechar", "skipinitialspace", "quotechar", "quoting"):
        if not hasattr(dialect, name):
            raise ValueError(f"Invalid dialect {dialect} provided")
        request["sep" if name == "delimiter" else name] = getattr(dialect, name)


def _whole(name: str, value: Any, least: int) -> int | None:
    if value is None:
        return None
    if (
        not isinstance(value, (int, float, numbers.Integral))
        or isinstance(value, bool)
        or value != int(value)
        or value < least
    ):
        raise ValueError(f"'{name}' must be an integer >={least}")
    return int(value)


def _check_header(header: Any) -> None:
    if isinstance(header, bool):
        raise TypeError(
            "Passing a bool to header is invalid. Use header=None for no header or header=int or list-like of "
            "ints to specify the row(s) making up the column names"
        )
    for row in header if is_list_like(header) else [] if header in (None, "infer") else [header]:
        if not hasattr(row, "__index__"):
            raise ValueError("header must be integer or list of integers")
        if row < 0:
            raise ValueError(
                "Passing negative integer to header is invalid. For no header, use header=None instead"
            )
