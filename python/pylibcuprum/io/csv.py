"""CSV: `read_csv`, `write_csv` and their options.

Examples
--------
>>> from pylibcuprum.io.types import SourceInfo
>>> options = CsvReaderOptions.builder(SourceInfo([b"a;b\\n1;x\\n"])).delimiter(";").build()
>>> [column.to_pylist() for column in read_csv(options).columns]
[[1], ['x']]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import cuprum
from cuprum._cuprum import Column, DataType, DeviceMemoryResource, Scalar, Table
from pylibcuprum.io.options import (
    Option,
    Options,
    OptionsBuilder,
    ReaderOptions,
    Setter,
    Step,
    at_least,
    flag,
    marks,
    member,
    only,
    or_all,
    takes,
    text,
    texts,
    whole_numbers,
)
from pylibcuprum.io.types import (
    CompressionType,
    QuoteStyle,
    SinkInfo,
    SourceInfo,
    TableWithMetadata,
    put_into,
    with_names,
)
from pylibcuprum.strings.convert.convert_booleans import from_booleans
from pylibcuprum.types import TypeId
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "CsvReaderOptions",
    "CsvReaderOptionsBuilder",
    "CsvWriterOptions",
    "CsvWriterOptionsBuilder",
    "is_supported_write_csv",
    "read_csv",
    "write_csv",
]

_PACKED = {
    CompressionType.NONE: None,
    CompressionType.AUTO: "infer",
    CompressionType.GZIP: "gzip",
    CompressionType.ZIP: "zip",
    CompressionType.BZIP2: "bz2",
    CompressionType.XZ: "xz",
    CompressionType.ZSTD: "zstd",
}

_TIMES = {"SECONDS": "s", "MILLISECONDS": "ms", "MICROSECONDS": "us", "NANOSECONDS": "ns"}


def dtype_of(argument: str, of: Any) -> str:
    """Return the name of a type for readers.

    Parameters
    ----------
    argument : str
        Name of the argument that has the type, for messages.
    of : DataType
        Type of a column.

    Returns
    -------
    str
        Name of a dtype.

    Raises
    ------
    NotImplementedError
        For types that CSV is not read as.

    Examples
    --------
    >>> dtype_of("types", DataType(TypeId.TIMESTAMP_SECONDS))
    'datetime64[s]'
    """
    if not isinstance(of, DataType):
        raise TypeError(f"`{argument}` has {of!r}; it has DataType")
    name = of.id().name
    if name in ("BOOL8", "STRING"):
        return {"BOOL8": "bool", "STRING": "str"}[name]
    kind, _, unit = name.partition("_")
    if kind == "TIMESTAMP" and unit in _TIMES:
        return f"datetime64[{_TIMES[unit]}]"
    if kind.rstrip("0123456789") in ("INT", "UINT", "FLOAT"):
        return name.lower()
    raise NotImplementedError(
        f"`{argument}` has {of!r}; numbers, truth values, texts and timestamps are read"
    )


@takes("sequence or mapping of DataType")
def _types(argument: str, value: Any) -> dict[Any, str]:
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value)
    return {column: dtype_of(argument, of) for column, of in pairs}


@takes("sequence of int or str")
def _columns(argument: str, value: Any) -> list[int | str]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise TypeError(f"`{argument}` is {value!r}; it is a list of names and numbers")
    return list(value)


@takes("sequence", "Only an empty one is taken.", "NotImplementedError")
def _no_columns(argument: str, value: Any) -> list[Any]:
    if len(value):
        raise NotImplementedError(f"`{argument}` is {value!r}; hexadecimal numbers are read as texts")
    return []


@takes("int", "At least -1.")
def _header(argument: str, value: Any) -> int | None:
    return None if value == -1 else at_least(0)(argument, value)


@takes("str or None", "One character.")
def _mark_or_none(argument: str, value: Any) -> str | None:
    return None if value in (None, "", "\0") else marks(argument, value)


@takes("str", "One character.")
def _line_end(argument: str, value: Any) -> str | None:
    return None if value == "\n" else marks(argument, value)


@takes("bool")
def _blanks(argument: str, value: Any) -> str | None:
    return r"\s+" if flag(argument, value) else None


@takes("int", "At least 0.")
def _rows(argument: str, value: Any) -> int:
    return at_least(0)(argument, value)


# Options that a method of the options and one of a builder set.
_SEP = Option("sep", marks, "The character between fields.")


class CsvReaderOptions(ReaderOptions):
    """Options of the CSV reader. Defaults are those of `cuprum.read_csv`, but for the header.

    That is the first line that is read, also where columns are given names, unless ``set_header`` says
    otherwise.

    Examples
    --------
    >>> from pylibcuprum.io.types import SourceInfo
    >>> options = CsvReaderOptions.builder(SourceInfo([b"1;x\\n2;-\\n"])).build()
    >>> options.set_header(-1)
    >>> options.set_names(["a", "b"])
    >>> options.set_delimiter(";")
    >>> options.set_na_values(["-"])
    >>> [column.to_pylist() for column in read_csv(options).columns]
    [[1, 2], ['x', None]]
    """

    set_header = Setter(
        "header", "header", _header, "The number of the line that has the names; -1 for none."
    )
    set_names = Setter("names", "col_names", texts, "The names of the columns.")
    set_prefix = Setter("prefix", "prefix", text, "What stands before the numbers of columns without names.")
    set_use_cols_indexes = Setter(
        "usecols", "col_indices", whole_numbers, "The numbers of the columns that are read."
    )
    set_use_cols_names = Setter("usecols", "col_names", texts, "The names of the columns that are read.")
    set_delimiter = _SEP.setter("delimiter")
    set_thousands = Setter(
        "thousands", "thousands", _mark_or_none, "The mark between groups of digits; None for none."
    )
    set_comment = Setter(
        "comment", "comment", _mark_or_none, "The character that begins a comment; None for none."
    )
    set_parse_dates = Setter(
        "parse_dates", "val", _columns, "The columns that are read as times; names or numbers of them."
    )
    set_parse_hex = Setter(
        "parse_hex", "val", _no_columns, "The columns of hexadecimal numbers; these are read as texts."
    )
    set_dtypes = Setter(
        "dtype", "types", _types, "The types of columns; of all in a list, or of some by name."
    )
    set_true_values = Setter("true_values", "true_values", texts, "More texts that are read as true.")
    set_false_values = Setter("false_values", "false_values", texts, "More texts that are read as false.")
    set_na_values = Setter("na_values", "na_values", texts, "More texts that are read as null.")

    @staticmethod
    def builder(source: SourceInfo) -> CsvReaderOptionsBuilder:
        """Return a builder of options of the CSV reader.

        Parameters
        ----------
        source : SourceInfo
            File that is read.

        Returns
        -------
        CsvReaderOptionsBuilder
            Builder whose steps set options and whose ``build`` returns them.

        Examples
        --------
        >>> from pylibcuprum.io.types import SourceInfo
        >>> options = CsvReaderOptions.builder(SourceInfo([b"a,b\\n1,x\\n"])).build()
        >>> read_csv(options).column_names()
        ['a', 'b']
        """
        return CsvReaderOptionsBuilder(CsvReaderOptions._of(source=source))


class CsvReaderOptionsBuilder(OptionsBuilder[CsvReaderOptions]):
    """Makes `CsvReaderOptions`.

    Examples
    --------
    >>> from pylibcuprum.io.types import SourceInfo
    >>> builder = CsvReaderOptions.builder(SourceInfo([b"# made today\\na;b\\n1,5;x\\n"]))
    >>> options = builder.skiprows(1).delimiter(";").decimal(",").build()
    >>> [column.to_pylist() for column in read_csv(options).columns]
    [[1.5], ['x']]
    """

    compression = Step(
        "compression", "compression", member(CompressionType, *_PACKED), "The compression of the file."
    )
    mangle_dupe_cols = Step(
        "mangle", "mangle_dupe_cols", only(True), "Whether names that repeat get numbers."
    )
    byte_range_offset = Step(
        "offset", "byte_range_offset", at_least(0), "The byte from which on rows begin that are read."
    )
    byte_range_size = Step(
        "size",
        "byte_range_size",
        at_least(0),
        "The number of bytes in which rows begin that are read; 0 for all.",
    )
    nrows = Step("nrows", "nrows", or_all, "The number of rows that are read; -1 for all.")
    skiprows = Step("skiprows", "skiprows", _rows, "The number of lines that are passed over at the start.")
    skipfooter = Step(
        "skipfooter", "skipfooter", _rows, "The number of lines that are passed over at the end."
    )
    quoting = Step(
        "quoting", "quoting", member(QuoteStyle), "The meaning of quotes; they have none with ``NONE``."
    )
    lineterminator = Step("lineterminator", "lineterminator", _line_end, "The character that ends lines.")
    quotechar = Step("quotechar", "quotechar", marks, "The character around fields.")
    decimal = Step("decimal", "decimal", marks, "The mark before the fractions of numbers.")
    delim_whitespace = Step("blanks", "delim_whitespace", _blanks, "Whether blanks and tabs separate fields.")
    skipinitialspace = Step(
        "skipinitialspace", "skipinitialspace", flag, "Whether blanks behind a separator are passed over."
    )
    skip_blank_lines = Step(
        "skip_blank_lines", "skip_blank_lines", flag, "Whether blank lines are passed over."
    )
    doublequote = Step(
        "doublequote", "doublequote", flag, "Whether two quotes stand for one inside of quotes."
    )
    keep_default_na = Step(
        "keep_default_na",
        "keep_default_na",
        flag,
        "Whether the texts that pandas takes for missing are null.",
    )
    na_filter = Step("na_filter", "na_filter", flag, "Whether any text is null.")
    dayfirst = Step("dayfirst", "dayfirst", flag, "Whether days stand before months.")
    delimiter = _SEP.step("delimiter")


def read_csv(
    options: CsvReaderOptions, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> TableWithMetadata:
    """Read a CSV file.

    Parameters
    ----------
    options : CsvReaderOptions
        File and how it is read.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    TableWithMetadata
        Table with the names of its columns, whose types are found unless they are given.

    Raises
    ------
    ValueError
        For a file that does not fit the options, also where every row has more fields than there are names:
        tables have no row labels, which `cuprum.read_csv` makes of the first fields.
    NotImplementedError
        For several files.

    Examples
    --------
    >>> from pylibcuprum.io.types import SourceInfo
    >>> read = read_csv(CsvReaderOptions.builder(SourceInfo([b"a,b\\n1,x\\n2,\\n"])).build())
    >>> read.column_names(), [column.to_pylist() for column in read.columns]
    (['a', 'b'], [[1, 2], ['x', None]])
    """
    values = dict(options.values)
    source = values.pop("source")._one("CSV")
    prefix, blanks = values.pop("prefix", ""), values.pop("blanks", None)
    for without_effect in ("mangle", "parse_hex"):
        values.pop(without_effect, None)
    if blanks is not None:
        values["sep"] = blanks
    if "quoting" in values:
        values["quoting"] = 3 if values["quoting"] == QuoteStyle.NONE else 0
    if "compression" in values:
        values["compression"] = _PACKED[values["compression"]]
    offset, size = values.pop("offset", 0), values.pop("size", 0)
    if offset or size:
        values["byte_range"] = (offset, size)
    if isinstance(source, tuple):
        source = source[1]
    values.setdefault("header", 0)
    frame = cuprum.read_csv(source, **values)
    assert isinstance(frame, cuprum.DataFrame)
    if len(frame) and not isinstance(frame.index, cuprum.RangeIndex):
        raise ValueError(
            f"every row has more fields than there are names, by {frame.index.nlevels}: set `names` for all of "
            "them, with `header` 0 in place of those of the file"
        )
    if prefix and values.get("header", "infer") is None and "names" not in values:
        frame = frame.set_axis([f"{prefix}{label}" for label in frame.columns], axis=1)
    return with_names(frame, stream, mr)


class CsvWriterOptions(Options):
    """Options of the CSV writer, which its builder sets.

    Examples
    --------
    >>> import io
    >>> table, file = Table([Column.from_iterable_of_py([1, 2])]), io.StringIO()
    >>> options = CsvWriterOptions.builder(SinkInfo([file]), table).names(["a"]).build()
    >>> write_csv(options)
    >>> file.getvalue()
    'a\\n1\\n2\\n'
    """

    @staticmethod
    def builder(sink: SinkInfo, table: Table) -> CsvWriterOptionsBuilder:
        """Return a builder of options for writing a table.

        Parameters
        ----------
        sink : SinkInfo
            File that is written.
        table : Table
            Rows that are written.

        Returns
        -------
        CsvWriterOptionsBuilder
            Builder whose steps set options and whose ``build`` returns them.

        Examples
        --------
        >>> import io
        >>> table, file = Table([Column.from_iterable_of_py([1, 2])]), io.StringIO()
        >>> write_csv(CsvWriterOptions.builder(SinkInfo([file]), table).include_header(False).build())
        >>> file.getvalue()
        '1\\n2\\n'
        """
        return CsvWriterOptionsBuilder(CsvWriterOptions._of(sink=sink, table=table))


class CsvWriterOptionsBuilder(OptionsBuilder[CsvWriterOptions]):
    """Makes `CsvWriterOptions`.

    Examples
    --------
    >>> import io
    >>> table, file = Table([Column.from_iterable_of_py([True, None])]), io.StringIO()
    >>> builder = CsvWriterOptions.builder(SinkInfo([file]), table).names(["a"])
    >>> write_csv(builder.na_rep("NA").true_value("yes").build())
    >>> file.getvalue()
    'a\\nyes\\nNA\\n'
    """

    names = Step("names", "names", texts, "The names of the columns; numbers by default.")
    na_rep = Step("na_rep", "val", text, "The text that is written for null.")
    include_header = Step("header", "val", flag, "Whether names are written.")
    rows_per_chunk = Step(
        "rows_per_chunk",
        "val",
        at_least(1),
        "The number of rows that are written at once; of no effect on the file.",
    )
    line_terminator = Step("lineterminator", "term", text, "The text that ends records.")
    inter_column_delimiter = Step("sep", "delim", marks, "The character between fields.")
    true_value = Step("true", "val", text, "The text that is written for true.")
    false_value = Step("false", "val", text, "The text that is written for false.")
    quoting = Step("quoting", "style", member(QuoteStyle), "The choice of fields that stand in quotes.")


def write_csv(options: CsvWriterOptions, stream: CudaStreamLike | None = None) -> None:
    """Write a table to a CSV file, which appears whole or not at all.

    Parameters
    ----------
    options : CsvWriterOptions
        Table, file and how it is written.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect: the file is written when the call returns.

    Raises
    ------
    ValueError
        For another number of names than of columns.
    NotImplementedError
        For columns of types that CSV has not (see `is_supported_write_csv`), and for several files.

    Notes
    -----
    Times are as pandas writes them, null is an empty text unless ``na_rep`` says otherwise, and columns
    without names are numbered.

    Examples
    --------
    >>> import io
    >>> table = Table([Column.from_iterable_of_py([1, None]), Column.from_iterable_of_py(["x", "y, z"])])
    >>> file = io.StringIO()
    >>> write_csv(CsvWriterOptions.builder(SinkInfo([file]), table).names(["a", "b"]).build())
    >>> print(file.getvalue(), end="")
    a,b
    1,x
    ,"y, z"
    """
    values = dict(options.values)
    table, sink = values.pop("table"), values.pop("sink")._one("CSV")
    names = values.pop("names", None)
    values.pop("rows_per_chunk", None)
    if names is None:
        names = [str(i) for i in range(table.num_columns())]
    if len(names) != table.num_columns():
        raise ValueError(f"`names` has {len(names)} names for a table of {table.num_columns()} columns")
    for name, column in zip(names, table.columns(), strict=True):
        if not is_supported_write_csv(column.type()):
            raise NotImplementedError(f"column {name!r} is of type {column.type()}, which CSV has not")
    words = Scalar.from_py(values.pop("true", "true")), Scalar.from_py(values.pop("false", "false"))

    def worded(column: Column) -> Column:
        return from_booleans(column, *words) if column.type().id() == TypeId.BOOL8 else column

    written = Table([worded(column) for column in table.columns()], table.num_rows())
    frame = cuprum.DataFrame.from_pylibcudf(written, {"columns": names})
    values.setdefault("lineterminator", "\n")
    if "quoting" in values:
        values["quoting"] = int(values["quoting"])
    values["compression"] = None
    put_into(sink, lambda path: frame.to_csv(path, index=False, **values), is_text=True)


def is_supported_write_csv(type: DataType) -> bool:
    """Return whether columns of a type are written to CSV.

    Parameters
    ----------
    type : DataType
        Type of a column.

    Returns
    -------
    bool
        True for numbers, booleans, texts and times; False for lists, structs, dictionaries and decimals.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> is_supported_write_csv(DataType(TypeId.STRING)), is_supported_write_csv(DataType(TypeId.LIST))
    (True, False)
    """
    if not isinstance(type, DataType):
        raise TypeError(f"`type` is {type!r}; it is a DataType")
    identifier = type.id()
    return identifier not in (TypeId.EMPTY, TypeId.LIST, TypeId.STRUCT, TypeId.DICTIONARY32) and not (
        TypeId.DECIMAL32 <= identifier <= TypeId.DECIMAL128
    )
