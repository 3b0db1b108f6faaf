"""JSON: `read_json`, and what `to_json` of frames and series calls."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import check_truth, is_list_like, only_default, only_engine, only_known, only_truth
from cuprum.core.construction import with_default_widths
from cuprum.core.conversion import exact_to_pandas
from cuprum.core.dtypes import CategoricalDtype
from cuprum.core.objects import wrap_frame
from cuprum.core.reshape.concat import concat
from cuprum.core.tools.datetimes import to_datetime
from cuprum.io.csv.preprocess import (
    checked_range,
    decoded,
    lines_between,
    open_unpacked,
    told_method,
    unpacked,
    unpacked_after,
)
from cuprum.io.encodings import undecodable
from cuprum.io.json_chunks import JsonReader
from cuprum.io.notebook_line import with_line
from cuprum.io.open_files import write_all
from cuprum.io.sources import Source, all_sources, append, name_of, one_source, put
from cuprum.io.through_pandas import read_json_table

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.io.file_options import JsonReadOptions, JsonWriteOptions
    from cuprum.typing import ReadSources, WriteTarget

__all__ = ["read_json", "to_json"]

# Advice where a document is in another encoding.
_ADVICE = 'say which encoding the document has, as in encoding="latin-1"'

_ENGINES = ("auto", "ujson", "pandas", "cudf")

_ORIENTS = ("columns", "index", "records", "split", "values")


@overload
def read_json(
    path_or_buf: ReadSources, *, typ: Literal["frame"] = ..., **options: Unpack[JsonReadOptions]
) -> DataFrame: ...
@overload
def read_json(
    path_or_buf: ReadSources, *, typ: Literal["series"], **options: Unpack[JsonReadOptions]
) -> Series: ...
@overload
def read_json(
    path_or_buf: ReadSources, *, chunksize: int, **options: Unpack[JsonReadOptions]
) -> JsonReader: ...
@with_line
def read_json(
    path_or_buf: Any,
    *,
    orient: str | None = None,
    typ: str = "frame",
    dtype: Any = None,
    convert_axes: bool | None = None,
    convert_dates: Any = True,
    keep_default_dates: bool = True,
    precise_float: bool = False,
    date_unit: str | None = None,
    encoding: str | None = None,
    lines: bool = False,
    chunksize: int | None = None,
    compression: Any = "infer",
    nrows: int | None = None,
    storage_options: Any = None,
    mixed_types_as_string: bool = False,
    engine: str = "ujson",
    byte_range: tuple[int, int] | None = None,
    **kwargs: Any,
) -> DataFrame | Series | JsonReader:
    r"""Read JSON documents or JSON Lines into a DataFrame or Series.

    Parameters
    ----------
    path_or_buf : str, path, bytes, open file or list of these
        The file, or an address of the web or that fsspec opens. With ``lines`` also several, or a pattern
        (``"data/*.jsonl"``), for the rows of all below each other.
    orient : {``'columns'``, ``'index'``, ``'records'``, ``'split'``, ``'values'``, ``'table'``}, optional
        How the document is laid out; by default records or columns. ``'table'``, which has the types of
        columns and labels, is read by pandas.
    typ : {``'frame'``, ``'series'``}, default ``'frame'``
        Whether a DataFrame or a Series of one column is returned.
    dtype : bool, dtype or dict of dtypes, optional
        True, the default, finds types (texts of numbers become numbers, whole floats integers), False leaves
        values as they are; or one type, or types by column.
    convert_axes : bool, optional
        Whether labels that are texts of numbers or times become such; by default they do.
    convert_dates : bool or list of labels, default True
        Whether columns that are named like times become such; or the columns that do.
    keep_default_dates : bool, default True
        Whether names like times count: ``'…_at'``, ``'…_time'``, ``'timestamp…'``, ``'modified'``,
        ``'date'``.
    precise_float : bool, default False
        Without effect: numbers are always read exactly.
    date_unit : {``'s'``, ``'ms'``, ``'us'``, ``'ns'``}, optional
        What numbers of times count; by default guessed.
    encoding : str, optional
        How the bytes of one document are text; by default UTF-8.
    lines : bool, default False
        Whether every line has a value. Lines are read in parallel.
    chunksize : int, optional
        How many lines each frame of a `JsonReader` has, which is returned; with ``lines``.
    compression : str or dict, default ``'infer'``
        ``'gzip'``, ``'zip'``, ``'bz2'``, ``'xz'``, ``'zstd'``, ``'tar'`` or None; by default by the ending of
        the path.
    nrows : int, optional
        How many lines to read; with ``lines``.
    storage_options : dict, optional
        What fsspec is to know to open an address; on the web the texts are headers.
    mixed_types_as_string : bool, default False
        Whether columns of unlike values are texts; else they are refused, with their line and column.
    engine : {``'auto'``, ``'ujson'``, ``'pandas'``, ``'cudf'``}, default ``'ujson'``
        Without effect.
    byte_range : tuple of int, optional
        An offset and a size, of one file with ``lines``: only the lines that begin in these bytes are read. A
        size of 0 means to the end.
    **kwargs
        Other arguments of pandas at their defaults: ``encoding_errors``, ``dtype_backend``.

    Returns
    -------
    DataFrame, Series or JsonReader
        One row for each record. Nested values are lists and structs.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    ValueError
        With file, line and column for an argument that is no JSON or has another layout.
    OverflowError
        For integers beyond 64 bits.

    Notes
    -----
    Missing values do not change the type of a column: integers and truth values stay such.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.read_json(b'[{"a": 1, "b": "x"}, {"a": null}]')
          a    b
    0     1    x
    1  <NA>  NaN
    >>> cuprum.read_json(b'{"a": 1}\n{"a": 2}\n', lines=True, nrows=1)
       a
    0  1
    """
    only_engine("read_json", engine, *_ENGINES)
    only_known("read_json", kwargs, encoding_errors="strict", dtype_backend=None)
    if encoding is not None and encoding.lower().replace("-", "") not in ("utf8", "utf8sig", "ascii"):
        request = {
            "encoding": encoding,
            "encoding_errors": "strict",
            "compression": compression,
            "storage_options": storage_options,
        }
        (_, path_or_buf), _ = decoded(path_or_buf, request)
        compression, storage_options = None, None
    if orient is not None and orient not in (*_ORIENTS, "table"):
        raise ValueError(f"`orient` is {orient!r}; known are {', '.join(_ORIENTS)}, table")
    if typ not in ("frame", "series"):
        raise ValueError(f"`typ` is {typ!r}; known are 'frame' and 'series'")
    check_truth("lines", lines)
    check_truth("mixed_types_as_string", mixed_types_as_string)
    only_truth("read_json", precise_float=precise_float)
    if date_unit is not None and str(date_unit).lower() not in _UNITS:
        raise ValueError(f"date_unit must be one of {_UNITS}")
    if lines and orient not in (None, "records", "values", "columns"):
        raise ValueError(f"`orient` is {orient!r}; lines are records")
    if nrows is not None:
        if not hasattr(nrows, "__index__") or nrows < 0:
            raise ValueError("'nrows' must be an integer >=0")
        if not lines:
            raise ValueError("nrows can only be passed if lines=True")
    if chunksize is not None:
        if not hasattr(chunksize, "__index__") or chunksize < 1:
            raise ValueError("'chunksize' must be an integer >=1")
        if not lines:
            raise ValueError("chunksize can only be passed if lines=True")
        only_default("read_json with `chunksize`", byte_range=(byte_range, None), typ=(typ, "frame"))
        source = one_source(path_or_buf, "path_or_buf", storage_options)
        read: Any = partial(
            read_json,
            orient=orient,
            dtype=dtype,
            convert_axes=convert_axes,
            convert_dates=convert_dates,
            keep_default_dates=keep_default_dates,
            date_unit=date_unit,
            lines=True,
            mixed_types_as_string=mixed_types_as_string,
        )
        return JsonReader(open_unpacked(source, {"compression": compression}), chunksize, nrows, read)
    if byte_range is not None:
        part = checked_range(byte_range)
        if not lines:
            raise ValueError("byte_range can only be passed if lines=True")
    if orient == "table":
        only_default(
            "read_json with `orient`='table'",
            mixed_types_as_string=(mixed_types_as_string, False),
            typ=(typ, "frame"),
        )
        return read_json_table(
            path_or_buf,
            dtype=dtype,
            convert_axes=convert_axes,
            precise_float=precise_float,
            compression=compression,
            storage_options=storage_options,
        )
    compression = told_method(compression)
    layout = orient if orient in ("index", "split") else "columns"
    if typ == "series":
        if lines or orient in ("records", "values", "columns"):
            raise NotImplementedError(
                f"read_json does not support `typ`='series' with `orient`={orient!r} and `lines`={lines!r}: "
                "a series is 'index' or 'split'"
            )
        layout = "split series" if orient == "split" else "series"
    sources = all_sources(path_or_buf, "path_or_buf", storage_options)
    if len(sources) > 1 and not lines:
        raise ValueError("`path_or_buf` names several files, which are read with lines=True only")
    if byte_range is not None:
        if len(sources) > 1:
            raise NotImplementedError(
                f"read_json does not support `byte_range`={byte_range!r} of several files"
            )
        sources, compression = [_lines_in(sources[0], part, compression)], None

    left, frames = nrows, []
    for source in sources:
        options = (layout, lines, left, mixed_types_as_string)
        try:
            handle = _cuprum.read_json(source, *options, compression)
        except ValueError as error:
            again = unpacked_after(error, source, compression)
            if again is None:
                raise undecodable(error, _ADVICE) from None
            try:
                handle = _cuprum.read_json(again, *options, None)
            except ValueError as second:
                raise undecodable(second, _ADVICE) from None
        left = None if left is None else left - handle.shape()[0]
        frames.append(handle)
    frame = wrap_frame(_cuprum.below_each_other(frames, [name_of(source) for source in sources]))
    if layout == "split":
        frame = frame.set_axis(_distinct(list(frame.columns)), axis=1)
    dates = _Dates(convert_dates, keep_default_dates, date_unit, everywhere=typ == "series")
    if convert_axes is None or convert_axes:
        frame = _with_axes(frame, dates)
    frame = _converted(frame, True if dtype is None else dtype, dates)
    if typ == "frame":
        return frame
    if frame.shape[1] == 0:
        return objects.Series([], dtype="float64")
    return frame.iloc[:, 0]


def _lines_in(source: Source, part: tuple[int, int], compression: Any) -> Source:
    """Return the lines of a file, unpacked, that belong to a range of bytes."""
    text = unpacked(source, compression)
    start, stop = lines_between(text, *part)
    return name_of(source), text[start : max(start, stop)]


def _distinct(labels: list[Any]) -> list[Any]:
    """Return labels with a number behind those that come again: ``x``, ``x.1``."""
    seen: dict[Any, int] = {}
    for at, label in enumerate(labels):
        number, own = seen.get(label, 0), label
        while number:
            seen[label] = number + 1
            own = f"{label}.{number}"
            number = seen.get(own, 0)
        labels[at] = own
        seen[own] = number + 1
    return labels


_UNITS = ("s", "ms", "us", "ns")
# The least numbers that are times: a year after 1970.
_LEAST = {"s": 31536000, "ms": 31536000000, "us": 31536000000000, "ns": 31536000000000000}
# The most that fit nanoseconds.
_MOST = {"s": 2**63 // 10**9, "ms": 2**63 // 10**6, "us": 2**63 // 10**3, "ns": 2**63 - 1}


class _Dates:
    """The columns of times, and the unit of numbers among them."""

    def __init__(self, convert: Any, default: Any, unit: str | None, *, everywhere: bool):
        self.everywhere = everywhere and bool(convert)
        self.columns = list(convert) if is_list_like(convert) else []
        self.by_name = bool(convert) and bool(default)
        self.unit = None if unit is None else unit.lower()

    def has(self, label: Any) -> bool:
        if self.everywhere or label in self.columns:
            return True
        if not self.by_name or not isinstance(label, str):
            return False
        name = label.lower()
        return (
            name.endswith(("_at", "_time"))
            or name.startswith("timestamp")
            or name in ("modified", "date", "datetime")
        )

    def times(self, column: Series) -> Series | None:
        """Return a column as times, where it is; None where it has others."""
        if column.device != "cpu" and str(column.dtype) == "str":
            # Texts are converted on the host, as they were read there.
            made = self.times(column.to_host())
            return None if made is None else made.to_device(column.device)
        if len(column) == 0 or not column.notna().any():
            return None
        kind = column.dtype.kind if hasattr(column.dtype, "kind") else "O"
        if str(column.dtype) == "str":
            try:
                numbers = column.astype("int64")
            except (TypeError, ValueError, OverflowError):
                try:
                    return to_datetime(column, format="ISO8601")
                except (TypeError, ValueError, OverflowError, NotImplementedError):
                    return None
            column, kind = numbers, "i"
        if kind not in "iuf":
            return None
        least, most = column.min(), column.max()
        if not least > _LEAST[self.unit or "s"]:
            return None
        unit = self.unit or next((unit for unit in _UNITS if most <= _MOST[unit]), None)
        if unit is None:
            return None
        if kind == "f":
            if not (column.dropna() % 1 == 0).all():
                return to_datetime(column, unit=unit)
            column = column.astype("int64")
        return to_datetime(column, unit=unit)


def _numbers(column: Series) -> Series:
    """Return texts of numbers as numbers, and whole floats as integers; others as they are."""
    if len(column) == 0:
        return column
    if column.device != "cpu" and str(column.dtype) == "str":
        # Texts are converted on the host, as they were read there.
        host = column.to_host()
        made = _numbers(host)
        return column if made is host else made.to_device(column.device)
    if str(column.dtype) == "str":
        for dtype in ("int64", "float64"):
            try:
                return column.astype(dtype)
            except (TypeError, ValueError, OverflowError):
                continue
        return column
    if str(column.dtype) == "float64" and column.notna().all():
        small = ((column >= -(2.0**63)) & (column < 2.0**63)).all()
        if small and (column % 1 == 0).all():
            return column.astype("int64")
    return column


def _with_axes(frame: DataFrame, dates: _Dates) -> DataFrame:
    """Return the frame with labels that are numbers or times where their texts are."""

    def converted(labels: Series) -> Any:
        times = dates.times(labels)
        numbers = labels if times is not None else _numbers(labels)
        return objects.Index(times if times is not None else numbers)

    columns = list(frame.columns)
    if columns and (all(type(c) is str for c in columns) or all(type(c) is int for c in columns)):
        labels = converted(objects.Series(columns))
        if str(labels.dtype) != "str" and list(labels) != columns:
            frame = frame.set_axis(labels, axis=1)
    index = frame.index
    if isinstance(index, objects.RangeIndex) or len(index) == 0:
        return frame
    if str(index.dtype) in ("str", "int64", "uint64", "float64"):
        frame = frame.set_axis(converted(objects.Series(index)), axis=0)
    return frame


def _converted(frame: DataFrame, dtype: Any, dates: _Dates) -> DataFrame:
    """Return the frame with columns of the types that are asked for, or that their values stand for."""
    if dtype is False:
        return wrap_frame(with_default_widths(frame._handle, [True] * frame.shape[1]))
    changed = {}
    inferred = [True] * frame.shape[1]
    for position, label in enumerate(frame.columns):
        column = frame.iloc[:, position]
        if dates.has(label):
            times = dates.times(column)
            if times is not None:
                changed[position] = times
                continue
        if dtype is not True:
            wanted = dtype.get(label) if isinstance(dtype, Mapping) else dtype
            if wanted is not None:
                inferred[position] = False
                changed[position] = column.astype(wanted)
                continue
        numbers = _numbers(column)
        if numbers is not column:
            changed[position] = numbers
    if changed:
        parts = [changed.get(i, frame.iloc[:, i]).rename(i) for i in range(frame.shape[1])]
        frame = concat(parts, axis=1).set_axis(frame.columns, axis=1)
    return wrap_frame(with_default_widths(frame._handle, inferred))


@overload
def to_json(
    self: DataFrame | Series, path_or_buf: None = ..., **options: Unpack[JsonWriteOptions]
) -> str: ...
@overload
def to_json(
    self: DataFrame | Series, path_or_buf: WriteTarget, **options: Unpack[JsonWriteOptions]
) -> None: ...
@with_line
def to_json(
    self: DataFrame | Series,
    path_or_buf: Any = None,
    *,
    orient: str | None = None,
    date_format: str | None = None,
    double_precision: int = 10,
    force_ascii: bool = True,
    date_unit: str = "ms",
    lines: bool = False,
    compression: Any = "infer",
    index: bool | None = None,
    indent: int | None = None,
    storage_options: Any = None,
    mode: str = "w",
    engine: str = "auto",
    **kwargs: Any,
) -> str | None:
    """Write a DataFrame or Series as JSON.

    Parameters
    ----------
    path_or_buf : str, path or open file, optional
        The file, or an address that fsspec opens; by default the text is returned.
    orient : {``'columns'``, ``'index'``, ``'records'``, ``'split'``, ``'values'``, ``'table'``}, optional
        How the document is laid out; by default ``'columns'`` of a DataFrame, ``'index'`` of a Series,
        ``'records'`` with ``lines``.
    date_format : {``'epoch'``, ``'iso'``}, optional
        Whether times are numbers or texts; by default numbers, but for ``orient='table'``.
    double_precision : int, default 10
        How many digits floats have behind the point.
    force_ascii : bool, default True
        Whether characters beyond ASCII are escaped.
    date_unit : {``'s'``, ``'ms'``, ``'us'``, ``'ns'``}, default ``'ms'``
        What numbers of times count, and how many digits texts have.
    lines : bool, default False
        Whether every record is a line of its own; with ``orient='records'``.
    compression : str or dict, default ``'infer'``
        ``'gzip'``, ``'bz2'``, ``'xz'``, ``'zip'`` or None, by default by the ending of the path; or a dict
        with this as ``method`` and what pandas hands on to Python's module.
    index : bool, optional
        Whether row labels are written.
    indent : int, optional
        By how many spaces values are indented.
    storage_options : dict, optional
        What fsspec is to know to open an address; on the web the texts are headers.
    mode : {``'w'``, ``'a'``}, default ``'w'``
        Whether a file is replaced, or lines are written at its end.
    engine : {``'auto'``, ``'ujson'``, ``'pandas'``, ``'cudf'``}, default ``'auto'``
        Without effect, but that ``'cudf'`` writes records where no ``orient`` is given.
    **kwargs
        ``default_handler=None`` alone is known.

    Returns
    -------
    str or None
        The text where no ``path_or_buf`` is given, else None.

    Raises
    ------
    ValueError
        For another ``mode``, and ``'a'`` of other documents than lines.
    NotImplementedError
        With ``mode='a'`` for addresses, open files and compressed files.

    Notes
    -----
    Records of numbers, truth values, texts, categories of these and times without a zone are written by all
    cores; pandas makes the other texts, of a copy of the data.

    Examples
    --------
    >>> import cuprum
    >>> frame = cuprum.DataFrame({"a": [1, None], "b": ["x", "y"]})
    >>> frame.to_json()
    '{"a":{"0":1,"1":null},"b":{"0":"x","1":"y"}}'
    >>> frame.to_json(orient="records")
    '[{"a":1,"b":"x"},{"a":null,"b":"y"}]'
    >>> cuprum.Series([1, 2], index=["x", "y"]).to_json()
    '{"x":1,"y":2}'
    """
    only_engine("to_json", engine, *_ENGINES)
    only_known("to_json", kwargs, default_handler=None)
    lines = bool(lines)
    if orient is None and (lines or engine == "cudf"):
        orient = "records"
    if mode not in ("w", "a"):
        raise ValueError(f"mode={mode} is not a valid option.Only 'w' and 'a' are currently supported.")
    if mode == "a" and (not lines or orient != "records"):
        raise ValueError("mode='a' (append) is only supported when lines is True and orient is 'records'")
    options = {
        "orient": orient,
        "date_format": date_format,
        "double_precision": double_precision,
        "force_ascii": force_ascii,
        "date_unit": date_unit,
        "lines": lines,
        "index": index,
        "indent": indent,
    }

    own = _is_ours(self, options)

    def is_own(compression: Any) -> bool:
        return own and compression in (None, "infer", "gzip", "bz2", "xz")

    def made(path: str | None = None, compression: Any = None) -> str | None:
        if is_own(compression):
            return _cuprum.write_json(
                self._handle,
                path,
                lines,
                double_precision,
                date_format == "iso",
                date_unit,
                force_ascii,
                compression,
            )
        more = {} if path is None else {"compression": compression}
        import pandas as pd

        with warnings.catch_warnings():
            # Changes of pandas 4 are not made here.
            warnings.simplefilter("ignore", pd.errors.Pandas4Warning)
            return exact_to_pandas(self).to_json(path, **options, **more)

    def write(path: str) -> None:
        """Write elsewhere first what our own writer does not, so that nothing half-written stays behind."""
        if is_own(compression):
            made(path, compression)
            return
        with tempfile.TemporaryDirectory(prefix="cuprum-") as elsewhere:
            part = os.path.join(elsewhere, os.path.basename(path))
            made(part, compression=compression)
            with open(part, "rb") as file:
                _cuprum.write_bytes(path, file.read())

    if path_or_buf is None and not storage_options:
        return made()
    if mode == "a":
        _append(made() or "", path_or_buf, compression, storage_options)
        return None
    if hasattr(path_or_buf, "write") and not storage_options and compression in ("infer", None):
        text = made()
        try:
            write_all(path_or_buf, text or "")
        except TypeError:
            write_all(path_or_buf, (text or "").encode())
        return None
    put(path_or_buf, "path_or_buf", write, storage_options=storage_options, ending=".json")
    return None


def _is_ours(data: DataFrame | Series, options: dict[str, Any]) -> bool:
    """Whether our writer writes this text: records of columns of plain types."""
    if (
        options["orient"] != "records"
        or options["index"]
        or options["indent"]
        or not isinstance(data, objects.DataFrame)
    ):
        return False
    precision = options["double_precision"]
    if not isinstance(precision, int) or not 0 <= precision <= 15:
        return False
    if options["date_format"] not in (None, "epoch", "iso") or options["date_unit"] not in (
        "s",
        "ms",
        "us",
        "ns",
    ):
        return False
    labels = list(data.columns)
    if len(set(labels)) != len(labels) or not all(type(label) in (str, int) for label in labels):
        return False
    if len(data) == 0 or not labels:
        return False

    def is_plain(dtype: Any) -> bool:
        if isinstance(dtype, CategoricalDtype):
            return dtype.categories is not None and str(dtype.categories.dtype) == "str"
        return (
            dtype.kind in "iufb"
            or str(dtype) == "str"
            or (str(dtype).startswith("datetime64[") and "," not in str(dtype))
        )

    return all(is_plain(dtype) for dtype in data.dtypes.tolist())


def _append(text: str, path: Any, compression: Any, storage_options: Any) -> None:
    """Write lines at the end of a file."""
    if storage_options or not isinstance(path, (str, os.PathLike)) or "://" in os.fspath(path):
        raise NotImplementedError("to_json does not support `mode`='a' for addresses and open files")
    if compression not in ("infer", None) or (
        compression == "infer" and os.fspath(path).endswith((".gz", ".zip", ".bz2", ".xz", ".zst", ".tar"))
    ):
        raise NotImplementedError("to_json does not support `mode`='a' for compressed files")
    append(os.fspath(path), text.encode())
