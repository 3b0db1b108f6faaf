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
    r"""Read a CSV file into a DataFrame.

    Parameters
    ----------
    filepath_or_buffer : str, path, bytes or open file
        The file, or an address of the web or that fsspec opens.
    sep : str or None, default ``','``
        The character between fields; None finds it in the first line, ``r"\s+"`` stands for blanks and tabs,
        another text of several characters is a regular expression.
    delimiter : str, optional
        Another word for ``sep``.
    header : int, list of int or None, default ``'infer'``
        The number of the line of names; None for a file without. By default the first line, or none where
        ``names`` are given. A list makes columns of several levels.
    names : list of labels, optional
        Names for the columns.
    index_col : label, int, list of these or False, optional
        The columns that become the row labels, by label or position. By default the first fields are the
        labels where the first row has more of them than there are names; False drops such fields at the end.
    usecols : list of labels or int, or function, optional
        The columns to read, by name or position, in the order of the file; or a function of a name.
    dtype : dtype, dict or list of dtypes, optional
        One type, types by column (missing columns are passed over), or one for each column of the file; by
        default found from all fields.
    engine : {``'c'``, ``'python'``, ``'pyarrow'``, ``'python-fwf'``}, optional
        Without effect.
    converters : dict of functions, optional
        Functions by column, which get the texts of its fields.
    true_values : list of str, optional
        More texts that are true.
    false_values : list of str, optional
        More texts that are false.
    skipinitialspace : bool, default False
        Whether blanks after a separator are no part of the field.
    skiprows : int, list of int or function, optional
        How many lines at the start are passed over; or which ones, by their numbers or a function of a
        number.
    skipfooter : int, default 0
        How many lines at the end are passed over.
    nrows : int, optional
        How many rows are read; by default all.
    na_values : scalar, list or dict of these, optional
        More texts that mean a missing value, of all columns or by column.
    keep_default_na : bool, default True
        Whether texts that pandas knows as missing (``''``, ``'NA'``, ``'null'`` and so on) are.
    na_filter : bool, default True
        Whether any text means a missing value.
    skip_blank_lines : bool, default True
        Whether empty lines are passed over; else they are rows of missing values.
    parse_dates : bool or list of labels or int, optional
        The columns of times, by name or position; True for the row labels.
    date_format : str or dict of str, optional
        How times are written, of all columns or by column; by default ISO 8601.
    dayfirst : bool, default False
        Whether the day stands before the month.
    cache_dates : bool, default True
        Without effect.
    iterator : bool, default False
        Whether to return a `TextFileReader`.
    chunksize : int, optional
        How many rows each frame of a `TextFileReader` has, which is returned. Types are found in each of
        these.
    compression : str or dict, default ``'infer'``
        ``'gzip'``, ``'zip'``, ``'bz2'``, ``'xz'``, ``'zstd'``, ``'tar'`` or None; by default by the ending of
        the path.
    thousands : str, optional
        The mark between groups of digits.
    decimal : str, default ``'.'``
        The mark before fractions.
    lineterminator : str, optional
        The character that ends lines, instead of line ends.
    quotechar : str, default ``'"'``
        The character around fields that hold separators.
    quoting : int, default 0
        Which fields stand in quotes: one of the constants of the module ``csv``.
    doublequote : bool, default True
        Whether two quotes in a field are one.
    escapechar : str, optional
        The character that takes its meaning from the next one.
    comment : str, optional
        The character that begins a comment, up to the end of its line.
    encoding : str, optional
        How the bytes are text; by default UTF-8.
    encoding_errors : str, default ``'strict'``
        The handling of bytes that are no text: one of the handlers of Python's codecs.
    dialect : str or csv.Dialect, optional
        What says separator and quotes.
    on_bad_lines : {``'error'``, ``'warn'``, ``'skip'``} or function, default ``'error'``
        What becomes of lines of too many fields. A function gets the fields and returns others, or None to
        skip the line.
    low_memory : bool, default True
        Without effect.
    memory_map : bool, default False
        Without effect.
    float_precision : {``'high'``, ``'legacy'``, ``'round_trip'``}, optional
        Without effect: numbers are always read exactly.
    storage_options : dict, optional
        What fsspec is to know to open an address; on the web the texts are headers.
    dtype_backend : None, default None
        Refused: columns with missing values keep their type without it.
    byte_range : tuple of int, optional
        The offset and the size of a part of the file: rows that begin in it are read, the line of names
        always. A size of 0 means to the end.

    Returns
    -------
    DataFrame or TextFileReader
        The rows of the file, labelled ``0, 1, …`` where no column has labels; with ``iterator`` or
        ``chunksize`` what gives frames one after the other.

    Raises
    ------
    FileNotFoundError
        Where there is no such file.
    ValueError
        With file and line for a ragged row, or a field that is no value of its type or no time.
    KeyError
        For an unknown column.
    UnicodeDecodeError
        For bytes that are no text.

    Notes
    -----
    Missing values do not change the type of a column: integers stay integers.

    First fields are no labels with ``parse_dates`` of columns, columns by position, or all of them in
    ``usecols``.

    The text is parsed by all cores. Where a regular expression as ``sep``, ``skipfooter``, several lines of
    names or a function for bad lines need it, pandas cuts the text into fields first, and only types and
    values are ours.

    Where standard error is a terminal, a line on it shows how far reading has come once that has taken two
    seconds (``CUPRUM_PROGRESS=0`` turns it off); writing and Parquet files have the same.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.read_csv(b"a,b\n1,x\n2,\n,z\n")
          a    b
    0     1    x
    1     2  NaN
    2  <NA>    z
    >>> cuprum.read_csv(b"day;v\n2024-01-31;1,5\n", sep=";", decimal=",", parse_dates=["day"]).dtypes
    day    datetime64[us]
    v             float64
    dtype: object
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
    r"""Read a file of columns that tabs separate into a DataFrame.

    The arguments are those of `read_csv`.

    Parameters
    ----------
    filepath_or_buffer : str, path, bytes or open file
        The file, or an address of the web or that fsspec opens.
    sep, delimiter : str or None, default tab
        The character between fields.
    header, names, index_col, usecols : optional
        The line of names, names, the columns that become row labels, and the columns to read.
    dtype, engine, converters, true_values, false_values, skipinitialspace : optional
        The types of columns and the values of texts.
    skiprows, skipfooter, nrows : int, optional
        Which lines are passed over, and how many rows are read.
    na_values, keep_default_na, na_filter, skip_blank_lines : optional
        What means a missing value, and whether empty lines are passed over.
    parse_dates, date_format, dayfirst, cache_dates : optional
        The columns of times, and how these are written.
    iterator, chunksize : optional
        Whether to return a `TextFileReader`, and how many rows each of its frames has.
    compression, thousands, decimal, lineterminator : str, optional
        How the file is packed, the marks in numbers, and what ends lines.
    quotechar, quoting, doublequote, escapechar, comment : optional
        How fields hold separators, and what begins a comment.
    encoding, encoding_errors, dialect, on_bad_lines : optional
        How bytes are text, what says separator and quotes, and what becomes of lines of too many fields.
    low_memory, memory_map, float_precision : optional
        Without effect.
    storage_options, dtype_backend, byte_range : optional
        What fsspec is to know, None, and the part of the file to read.

    Returns
    -------
    DataFrame or TextFileReader
        The rows of the file, as of `read_csv`.

    See Also
    --------
    read_csv : What every argument means.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.read_table(b"a\tb\n1\tx\n2\t\n")
       a    b
    0  1    x
    1  2  NaN
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
    r"""Read a file of columns of fixed widths into a DataFrame.

    Parameters
    ----------
    filepath_or_buffer : str, path, bytes or open file
        The file, or an address of the web or that fsspec opens.
    colspecs : list of tuples of int, default ``'infer'``
        Where columns begin and end in their lines; by default found in the first lines.
    widths : list of int, optional
        The widths of the columns, instead of ``colspecs``.
    infer_nrows : int, default 100
        In how many rows columns are looked for.
    iterator : bool, default False
        Whether to return a `TextFileReader`.
    chunksize : int, optional
        How many rows each frame of a `TextFileReader` has, which is returned.
    **kwargs
        The arguments of `read_csv`.

    Returns
    -------
    DataFrame or TextFileReader
        The rows of the file, as of `read_csv`.

    Raises
    ------
    ValueError
        Where neither or both of ``colspecs`` and ``widths`` are given.

    Notes
    -----
    pandas cuts the lines into fields; types and values are those of `read_csv`.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.read_fwf(b"a   b\n1  xy\n22  z\n")
        a   b
    0   1  xy
    1  22   z
    >>> cuprum.read_fwf(b"1xy\n2 z\n", widths=[1, 2], header=None, names=["a", "b"])
       a   b
    0  1  xy
    1  2   z
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
