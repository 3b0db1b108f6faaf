"""CSV: `read_csv`, `read_table` and `read_fwf`."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from cuprum.io.csv.pandas_fallback import read_widths
from cuprum.io.csv.reading import COMMA, read
from cuprum.io.notebook_line import with_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.io.csv.chunks import TextFileReader
    from cuprum.io.file_options import CsvReadOptions
    from cuprum.typing import ReadSource

__all__ = ["read_csv", "read_fwf", "read_table"]


@overload
def read_csv(
    filepath_or_buffer: ReadSource, *, chunksize: int, iterator: bool = ..., **options: Unpack[CsvReadOptions]
) -> TextFileReader: ...
@overload
def read_csv(
    filepath_or_buffer: ReadSource,
    *,
    iterator: Literal[True],
    chunksize: int | None = ...,
    **options: Unpack[CsvReadOptions],
) -> TextFileReader: ...
@overload
def read_csv(
    filepath_or_buffer: ReadSource,
    *,
    iterator: bool = ...,
    chunksize: None = ...,
    **options: Unpack[CsvReadOptions],
) -> DataFrame: ...
@with_line
def read_csv(
    filepath_or_buffer: Any,
    *,
    sep: Any = COMMA,
    delimiter: str | None = None,
    header: Any = "infer",
    names: Any = None,
    index_col: Any = None,
    usecols: Any = None,
    dtype: Any = None,
    engine: str | None = None,
    converters: Any = None,
    true_values: Any = None,
    false_values: Any = None,
    skipinitialspace: bool = False,
    skiprows: Any = None,
    skipfooter: int = 0,
    nrows: int | None = None,
    na_values: Any = None,
    keep_default_na: bool = True,
    na_filter: bool = True,
    skip_blank_lines: bool = True,
    parse_dates: Any = None,
    date_format: Any = None,
    dayfirst: bool = False,
    cache_dates: bool = True,
    iterator: bool = False,
    chunksize: int | None = None,
    compression: Any = "infer",
    thousands: str | None = None,
    decimal: str = ".",
    lineterminator: str | None = None,
    quotechar: str = '"',
    quoting: int = 0,
    doublequote: bool = True,
    escapechar: str | None = None,
    comment: str | None = None,
    encoding: str | None = None,
    encoding_errors: str | None = "strict",
    dialect: Any = None,
    on_bad_lines: Any = "error",
    low_memory: bool = True,
    memory_map: bool = False,
    float_precision: Literal["high", "legacy", "round_trip"] | None = None,
    storage_options: Any = None,
    dtype_backend: Any = None,
    byte_range: tuple[int, int] | None = None,
) -> DataFrame | TextFileReader:
    """Read a CSV file.

    Parameters
    ----------
    filepath_or_buffer
        A path, ``bytes``, an open file, or an address of the web or that fsspec opens.
    sep, delimiter
        The character between fields; None finds it in the first line, ``r"\\s+"`` stands for blanks
        and tabs, another text of several characters is a regular expression.
    header
        The number of the line of names; None for a file without. ``names`` given instead means none.
        A list of numbers makes columns of several levels.
    names
        Names for the columns.
    index_col
        The column, or columns, that become the row labels: labels or positions. Without it, the first fields
        are the labels where the first row has more of them than there are names (as R writes them; not
        with ``parse_dates`` of columns, columns by position, or all of them in ``usecols``). False
        drops such fields at the end.
    usecols
        The columns to read, by name or position, in the order of the file; or a function of a name.
    dtype
        One type, a dict of types by column (missing columns are passed over), or a list of types, one for each column
        of the file; found from all fields without it.
    converters
        Functions by column, which get the texts of its fields.
    true_values, false_values
        More texts that are true and false.
    skipinitialspace
        Whether blanks after a separator are no part of the field.
    skiprows, skipfooter, nrows
        How many lines at the start are passed over (or which ones: a list of their numbers, or a function
        of a number), how many lines at the end, and how many rows are read.
    na_values, keep_default_na, na_filter
        More texts that mean a missing value, of all columns or by column; whether those that pandas
        knows do; whether any does.
    parse_dates
        The columns of times, by name or position; True for the row labels.
    date_format, dayfirst
        How times are written, by column or of all; ISO 8601 without. A column of which a field is no
        time is an error.
    iterator, chunksize
        Whether to return a `TextFileReader`, and how many rows each of its frames has. Types are found
        in each of these.
    compression
        ``gzip``, ``zip``, ``bz2``, ``xz``, ``zstd`` or ``tar``; by the ending of the path without it.
    thousands, decimal
        The marks in numbers.
    lineterminator
        The character that ends lines, instead of line ends.
    quotechar, quoting, doublequote, escapechar
        How fields hold separators; ``quoting`` is one of the constants of the module csv.
    comment
        What begins a comment, up to the end of its line.
    encoding, encoding_errors
        How the bytes are text, UTF-8 without, and what is done with bytes that are none.
    dialect
        A name or a `csv.Dialect` for the separator and the quotes.
    on_bad_lines
        What becomes of lines of too many fields: ``error``, ``warn``, ``skip``, or a function that gets the
        fields and returns others, or None to skip the line.
    engine, low_memory, memory_map, cache_dates, float_precision
        Have no effect on the result: numbers are always read exactly.
    storage_options
        What fsspec is to know to open an address; texts are headers on the web.
    byte_range
        The offset and the size of a part of the file: rows that begin in it are read, the line of names
        always. A size of 0 means to the end.

    Missing values do not change the type of a column: integers stay integers. Where standard error
    is a terminal, a line on it shows how far reading has come once that has taken two seconds
    (``CUPRUM_PROGRESS=0`` turns it off); writing and Parquet files have the same. Raises
    ``FileNotFoundError``, ``ValueError`` with file and line for a ragged row or a field that is no
    value of its type, ``KeyError`` for an unknown column, ``UnicodeDecodeError``
    for bytes that are no text.

    The text is parsed by all cores. Where a regular expression as ``sep``, ``skipfooter``, several lines of names
    or a function for bad lines need it, pandas cuts the text into fields first, and only types and values are ours.

    Examples
    --------
    >>> read_csv(b"a,b\\n1,x\\n2,\\n")
       a    b
    0  1    x
    1  2  NaN
    """
    given = dict(locals())
    return read("read_csv", given.pop("filepath_or_buffer"), given)


@overload
def read_table(
    filepath_or_buffer: ReadSource, *, chunksize: int, iterator: bool = ..., **options: Unpack[CsvReadOptions]
) -> TextFileReader: ...
@overload
def read_table(
    filepath_or_buffer: ReadSource,
    *,
    iterator: Literal[True],
    chunksize: int | None = ...,
    **options: Unpack[CsvReadOptions],
) -> TextFileReader: ...
@overload
def read_table(
    filepath_or_buffer: ReadSource,
    *,
    iterator: bool = ...,
    chunksize: None = ...,
    **options: Unpack[CsvReadOptions],
) -> DataFrame: ...
@with_line
def read_table(filepath_or_buffer: Any, *, sep: Any = COMMA, **kwargs: Any) -> DataFrame | TextFileReader:
    """Read a file of columns that tabs separate: `read_csv` with ``sep="\\t"``, whose arguments it takes.

    Examples
    --------
    >>> read_table(b"a\\tb\\n1\\tx\\n")
       a  b
    0  1  x
    """
    if sep is COMMA and kwargs.get("delimiter") is None:
        sep = "\t"
    return read_csv(filepath_or_buffer, sep=sep, **kwargs)


read_table.__signature__ = inspect.signature(read_csv)  # type: ignore[attr-defined]


@overload
def read_fwf(
    filepath_or_buffer: ReadSource,
    *,
    colspecs: Sequence[tuple[int, int]] | Literal["infer"] | None = ...,
    widths: Sequence[int] | None = ...,
    infer_nrows: int = ...,
    chunksize: int,
    iterator: bool = ...,
    **options: Unpack[CsvReadOptions],
) -> TextFileReader: ...
@overload
def read_fwf(
    filepath_or_buffer: ReadSource,
    *,
    colspecs: Sequence[tuple[int, int]] | Literal["infer"] | None = ...,
    widths: Sequence[int] | None = ...,
    infer_nrows: int = ...,
    iterator: Literal[True],
    chunksize: int | None = ...,
    **options: Unpack[CsvReadOptions],
) -> TextFileReader: ...
@overload
def read_fwf(
    filepath_or_buffer: ReadSource,
    *,
    colspecs: Sequence[tuple[int, int]] | Literal["infer"] | None = ...,
    widths: Sequence[int] | None = ...,
    infer_nrows: int = ...,
    iterator: bool = ...,
    chunksize: None = ...,
    **options: Unpack[CsvReadOptions],
) -> DataFrame: ...
@with_line
def read_fwf(
    filepath_or_buffer: Any,
    *,
    colspecs: Any = "infer",
    widths: Any = None,
    infer_nrows: int = 100,
    iterator: bool = False,
    chunksize: int | None = None,
    **kwargs: Any,
) -> DataFrame | TextFileReader:
    """Read a file of columns of fixed widths.

    Parameters
    ----------
    filepath_or_buffer
        As of `read_csv`.
    colspecs
        Pairs of where a column begins and ends in its line; ``infer`` finds them in the first lines.
    widths
        The widths of the columns, instead.
    infer_nrows
        In how many rows columns are looked for.
    iterator, chunksize
        Whether to return a `TextFileReader`, and how many rows each of its frames has.
    kwargs
        The arguments of `read_csv`.

    pandas cuts the lines into fields; types and values are those of `read_csv`.

    Examples
    --------
    >>> read_fwf(b"a   b\\n1  xy\\n22  z\\n")
        a   b
    0   1  xy
    1  22   z
    """
    if colspecs is None and widths is None:
        raise ValueError("Must specify either colspecs or widths")
    if colspecs not in (None, "infer") and widths is not None:
        raise ValueError("You must specify only one of 'widths' and 'colspecs'")
    return read_widths(
        filepath_or_buffer,
        {"colspecs": colspecs, "widths": widths, "infer_nrows": infer_nrows},
        kwargs | {"iterator": iterator, "chunksize": chunksize},
    )
