"""CSV: `read_csv`, and what `to_csv` of frames calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core.arguments import is_list_like, label_list, only_known, plain_label
from cuprum.core.objects import wrap_frame
from cuprum.io.sources import one_source, put

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["read_csv", "to_csv"]


def read_csv(
    filepath_or_buffer: Any,
    *,
    sep: str | None = None,
    delimiter: str | None = None,
    header: Any = "infer",
    names: Any = None,
    index_col: Any = None,
    usecols: Any = None,
    dtype: Any = None,
    true_values: Any = None,
    false_values: Any = None,
    skiprows: int | None = None,
    nrows: int | None = None,
    na_values: Any = None,
    keep_default_na: bool = True,
    na_filter: bool = True,
    skip_blank_lines: bool = True,
    parse_dates: Any = None,
    compression: Any = "infer",
    thousands: str | None = None,
    decimal: str = ".",
    quotechar: str = '"',
    comment: str | None = None,
    encoding: str | None = None,
    storage_options: Any = None,
    **kwargs: Any,
) -> DataFrame:
    """Read a CSV file.

    Parameters
    ----------
    filepath_or_buffer
        A path, ``bytes``, an open file, or an address that fsspec opens. Paths and addresses that end in
        ``.gz`` or ``.zip`` are unpacked.
    sep, delimiter
        The character between fields.
    header
        The number of the line of names; None for a file without. ``names`` given instead means none.
    names
        Names for the columns.
    index_col
        The column, or columns, that become the row labels: labels or positions. False drops the fields
        of rows that are longer than the line of names; else the first row may not be.
    usecols
        The columns to read, by name or position, in the order of the file.
    dtype
        One type, or a dict of types by column; found from all fields without it.
    na_values
        More texts that mean a missing value.
    parse_dates
        The columns of times (ISO 8601), by name or position; True for the row labels.
    nrows, skiprows
        How many rows to read, and how many lines to pass over before.
    storage_options
        What fsspec is to know to open an address.

    Missing values do not change the type of a column: integers stay integers. Where standard error
    is a terminal, a line on it shows how far reading has come once that has taken two seconds
    (``CUPRUM_PROGRESS=0`` turns it off); writing and Parquet files have the same. Raises
    ``FileNotFoundError``, ``ValueError`` with file and line for a ragged row or a field that is no
    value of its type, ``KeyError`` for an unknown column, ``UnicodeDecodeError``-like ``ValueError``
    for bytes that are no UTF-8.

    Examples
    --------
    >>> read_csv(b"a,b\\n1,x\\n2,\\n")
       a    b
    0  1    x
    1  2  NaN
    """
    only_known("read_csv", kwargs, **_NOT_READ)
    if encoding is not None and encoding.lower().replace("-", "") not in ("utf8", "utf8sig", "ascii"):
        raise NotImplementedError(f"read_csv does not support `encoding`={encoding!r}: files are UTF-8")
    if callable(usecols) or callable(skiprows):
        raise NotImplementedError("read_csv does not call functions for `usecols` or `skiprows`")
    if is_list_like(skiprows):
        raise NotImplementedError("read_csv does not support a list for `skiprows`: give the number of lines")
    options: dict[str, Any] = {}
    separator = delimiter if sep is None else sep
    if separator is not None and separator != ",":
        options["sep"] = separator
    if header != "infer":
        if is_list_like(header):
            raise NotImplementedError("read_csv does not support several header lines")
        options["header"] = header
    if names is not None:
        options["names"] = [str(name) for name in names]
    if usecols is not None:
        options["usecols"] = [_reference(one) for one in usecols]
    if index_col is False:
        options["drop_extra_fields"] = True
    if dtype is not None:
        options["dtype"] = (
            {_reference(k): v for k, v in dtype.items()} if isinstance(dtype, Mapping) else dtype
        )
    if na_values is not None and na_filter:
        if isinstance(na_values, Mapping):
            raise NotImplementedError("read_csv does not support `na_values` by column: give one list")
        options["na_values"] = [str(v) for v in (na_values if is_list_like(na_values) else [na_values])]
    if not keep_default_na or not na_filter:
        options["keep_default_na"] = False
    labels = (
        []
        if index_col is None or index_col is False
        else (list(index_col) if is_list_like(index_col) else [index_col])
    )
    if parse_dates is True:
        parse_dates = labels
    if parse_dates:
        if isinstance(parse_dates, (Mapping, str)):
            raise TypeError("Only booleans and lists are accepted for the 'parse_dates' parameter")
        options["parse_dates"] = [_reference(one) for one in parse_dates]
    for name, value, default in (
        ("nrows", nrows, None),
        ("skiprows", skiprows, None),
        ("comment", comment, None),
        ("thousands", thousands, None),
        ("decimal", decimal, "."),
        ("quotechar", quotechar, '"'),
        ("skip_blank_lines", skip_blank_lines, True),
    ):
        if value != default:
            if name in ("nrows", "skiprows") and (not hasattr(value, "__index__") or value < 0):  # type: ignore[operator]
                raise ValueError(f"'{name}' must be an integer >=0")
            options[name] = value
    for name, value in (("true_values", true_values), ("false_values", false_values)):
        if value is not None:
            options[name] = [str(v) for v in value]
    if isinstance(compression, Mapping):
        compression = compression.get("method", "infer")
    if compression != "infer":
        options["compression"] = compression
    handle = _cuprum.read_csv(one_source(filepath_or_buffer, "filepath_or_buffer", storage_options), options)
    if header is None and names is None:
        handle = handle.with_labels([int(label) for label in handle.labels()])
    if labels:
        own = handle.labels()
        try:
            labels = [own[i] if isinstance(i, int) and i not in own else i for i in labels]
        except IndexError:
            raise IndexError(f"`index_col` is {index_col!r}; the file has {len(own)} columns") from None
        handle = handle.set_index(labels, True)
        names_of = [None if str(n).startswith("Unnamed: ") else n for n in handle.index().names()]
        handle = handle.with_index(handle.index().with_names(names_of))
    return wrap_frame(handle)


# Arguments of pandas' functions that are not supported, with the values that ask for nothing.
_NOT_READ = {
    "engine": None,
    "low_memory": True,
    "memory_map": False,
    "float_precision": None,
    "cache_dates": True,
    "dtype_backend": None,
    "on_bad_lines": "error",
    "skipinitialspace": False,
    "iterator": False,
    "doublequote": True,
    "quoting": 0,
    "skipfooter": 0,
    "dayfirst": False,
    "encoding_errors": "strict",
    **dict.fromkeys(["converters", "date_format", "chunksize", "lineterminator", "escapechar", "dialect"]),
}


def _reference(column: Any) -> Any:
    column = plain_label(column)
    return column if isinstance(column, (str, int)) else str(column)


def to_csv(
    self: DataFrame,
    path_or_buf: Any = None,
    *,
    sep: str = ",",
    na_rep: str = "",
    header: Any = True,
    index: bool = True,
    columns: Any = None,
    lineterminator: str = "\n",
    compression: Any = "infer",
    storage_options: Any = None,
    **kwargs: Any,
) -> str | None:
    """Write CSV to a path, an address or an open file; return it as a text where none is given.

    The row labels come first unless ``index`` is False. A path that ends in ``.gz`` or ``.zip``
    is compressed. A file is written beside its name and renamed, so that nothing half-written
    stays behind. ``storage_options`` is what fsspec is to know to open an address.
    """
    only_known("to_csv", kwargs, **_NOT_WRITTEN)
    frame = self if columns is None else self[label_list(columns)]
    if is_list_like(header):
        frame = frame.set_axis(label_list(header), axis=1)
    if isinstance(compression, Mapping):
        compression = compression.get("method", "infer")

    def write(path: str | None, compression: str | None) -> str | None:
        return _cuprum.write_csv(
            frame._handle,
            path,
            bool(index),
            sep,
            bool(header) or is_list_like(header),
            na_rep,
            lineterminator or "\n",
            compression,
        )

    if path_or_buf is None and not storage_options:
        return write(None, None)
    if not hasattr(path_or_buf, "write") or compression not in ("infer", None):
        put(
            path_or_buf,
            "path_or_buf",
            lambda path: write(path, compression),
            storage_options=storage_options,
        )
        return None
    if storage_options:
        raise ValueError("storage_options passed with file object or non-fsspec file path")
    text = write(None, None)
    try:
        path_or_buf.write(text)
    except TypeError:
        path_or_buf.write(text.encode())  # type: ignore[union-attr]
    return None


_NOT_WRITTEN = {
    "mode": "w",
    "quoting": 0,
    "quotechar": '"',
    "doublequote": True,
    "decimal": ".",
    "errors": "strict",
    **dict.fromkeys(["float_format", "index_label", "encoding", "chunksize", "date_format", "escapechar"]),
}
