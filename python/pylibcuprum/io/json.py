"""JSON: `read_json`, `write_json` and their options.

Examples
--------
>>> from pylibcuprum.io.types import SourceInfo
>>> options = JsonReaderOptions.builder(SourceInfo([b'{"a": [1, 2]}\\n{"a": null}\\n'])).lines(True).build()
>>> read = read_json(options)
>>> read.column_names(), read.columns[0].to_pylist()
(['a'], [[1, 2], None])
"""

from __future__ import annotations

import bz2
import json
from collections.abc import Mapping, Sequence
from typing import Any

import cuprum
from cuprum._cuprum import Column, DataType, DeviceMemoryResource, Scalar, Table, _io
from cuprum.io.sources import Source
from pylibcuprum.io.csv import dtype_of
from pylibcuprum.io.options import (
    Option,
    Options,
    OptionsBuilder,
    ReaderOptions,
    Setter,
    Step,
    at_least,
    flag,
    instance,
    marks,
    member,
    only,
    takes,
)
from pylibcuprum.io.types import (
    ColumnInMetadata,
    CompressionType,
    JSONRecoveryMode,
    Read,
    SinkInfo,
    SourceInfo,
    TableWithMetadata,
    put_into,
    read_all,
)
from pylibcuprum.types import TypeId
from pylibcuprum.unary import cast
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "JsonReaderOptions",
    "JsonReaderOptionsBuilder",
    "JsonWriterOptions",
    "JsonWriterOptionsBuilder",
    "chunked_read_json",
    "is_supported_write_json",
    "read_json",
    "read_json_from_string_column",
    "write_json",
]

_PACKED = {
    CompressionType.NONE: None,
    CompressionType.AUTO: "infer",
    CompressionType.GZIP: "gzip",
    CompressionType.ZIP: "zip",
    CompressionType.BZIP2: "bz2",
}


@takes("sequence of DataType, or of pairs of str and DataType")
def _types(argument: str, value: Any) -> list[tuple[str | None, DataType]]:
    """Types by position or by name, of columns that have nothing inside."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence):
        raise TypeError(f"`{argument}` is {value!r}; it is a list of types, or of names and types")
    named: list[tuple[str | None, DataType]] = []
    for one in value:
        name, of, inside = (None, one, []) if isinstance(one, DataType) else (*one, [])[:3]
        if inside:
            raise NotImplementedError(
                f"`{argument}` has {one!r}; types of what is inside of columns are found"
            )
        dtype_of(argument, of)
        named.append((name, of))
    return named


@takes("sequence of str", "Only an empty one is taken.", "NotImplementedError")
def _no_values(argument: str, value: Any) -> list[Any]:
    if len(value):
        raise NotImplementedError(f"`{argument}` is {value!r}; only null is null in JSON")
    return []


_LENIENT = only(False)


# Options that a method of the options and one of a builder set.
_TYPES = Option("types", _types, "The types of columns; of all by position, or of some by name.")
_KEEP_QUOTES = Option("keep_quotes", _LENIENT, "Whether quotes are a part of texts.")
_MIXED = Option("mixed", flag, "Whether columns of unlike values are read as texts.")
_PRUNE = Option("prune", flag, "Whether only columns are read that have a type.")
_OFFSET = Option("offset", at_least(0), "The byte from which on lines begin that are read.")
_SIZE = Option("size", at_least(0), "The number of bytes in which lines begin that are read; 0 for all.")
_LINES = Option("lines", flag, "Whether each line is a value.")
_DELIMITER = Option("delimiter", marks, "The character that ends lines.")
_DAYFIRST = Option("dayfirst", _LENIENT, "Whether days stand before months.")
_EXPERIMENTAL = Option(
    "experimental", _LENIENT, "Whether an experimental reader is used; there is one reader."
)
_QUOTES = Option("quotes", _LENIENT, "Whether texts may stand in single quotes.")
_BLANKS = Option("blanks", _LENIENT, "Whether texts of unlike values lose their blanks.")
_STRICT = Option("strict", flag, "Whether JSON is validated; of no effect, as it always is.")
_CONTROL = Option("control", _LENIENT, "Whether texts may have control characters.")
_ZEROS = Option("zeros", _LENIENT, "Whether numbers may have leading zeros.")
_NONNUMERIC = Option("nonnumeric", _LENIENT, "Whether NaN and infinities are numbers.")
_NA_VALUES = Option("na_values", _no_values, "The texts that are null; only null is.")
_COMPRESSION = Option(
    "compression",
    member(CompressionType, CompressionType.NONE, CompressionType.GZIP),
    "The compression of the file.",
)


class JsonReaderOptions(ReaderOptions):
    """Options of the JSON reader, which takes JSON of RFC 8259; others are refused.

    Examples
    --------
    >>> from pylibcuprum.io.types import SourceInfo
    >>> options = JsonReaderOptions.builder(SourceInfo([b'{"a": 1}\\n{"a": null}\\n'])).build()
    >>> options.enable_lines(True)
    >>> read_json(options).columns[0].to_pylist()
    [1, None]
    """

    set_dtypes = _TYPES.setter("types")
    enable_keep_quotes = _KEEP_QUOTES.setter("keep_quotes")
    enable_mixed_types_as_string = _MIXED.setter("mixed_types_as_string")
    enable_prune_columns = _PRUNE.setter("prune_columns")
    set_byte_range_offset = _OFFSET.setter("offset")
    set_byte_range_size = _SIZE.setter("size")
    enable_lines = _LINES.setter("val")
    set_delimiter = _DELIMITER.setter("val")
    enable_dayfirst = _DAYFIRST.setter("val")
    enable_experimental = _EXPERIMENTAL.setter("val")
    enable_normalize_single_quotes = _QUOTES.setter("val")
    enable_normalize_whitespace = _BLANKS.setter("val")
    set_strict_validation = _STRICT.setter("val")
    allow_unquoted_control_chars = _CONTROL.setter("val")
    allow_numeric_leading_zeros = _ZEROS.setter("val")
    allow_nonnumeric_numbers = _NONNUMERIC.setter("val")
    set_na_values = _NA_VALUES.setter("vals")

    @staticmethod
    def builder(source: SourceInfo) -> JsonReaderOptionsBuilder:
        """Return a builder of options of the JSON reader.

        Parameters
        ----------
        source : SourceInfo
            Files that are read; several ones are JSON Lines.

        Returns
        -------
        JsonReaderOptionsBuilder
            Builder whose steps set options and whose ``build`` returns them.

        Examples
        --------
        >>> from pylibcuprum.io.types import SourceInfo
        >>> options = JsonReaderOptions.builder(SourceInfo([b'[{"a": 1}, {"a": 2}]'])).build()
        >>> read_json(options).columns[0].to_pylist()
        [1, 2]
        """
        return JsonReaderOptionsBuilder(JsonReaderOptions._of(source=source))


class JsonReaderOptionsBuilder(OptionsBuilder[JsonReaderOptions]):
    """Makes `JsonReaderOptions`.

    Examples
    --------
    >>> from pylibcuprum.io.types import SourceInfo
    >>> builder = JsonReaderOptions.builder(SourceInfo([b'{"a": 1}\\nnothing\\n'])).lines(True)
    >>> options = builder.recovery_mode(JSONRecoveryMode.RECOVER_WITH_NULL).build()
    >>> read_json(options).columns[0].to_pylist()
    [1, None]
    """

    byte_range_offset = _OFFSET.step("byte_range_offset")
    byte_range_size = _SIZE.step("byte_range_size")
    compression = Step(
        "compression", "compression_type", member(CompressionType, *_PACKED), "The compression of the files."
    )
    dayfirst = _DAYFIRST.step("val")
    delimiter = _DELIMITER.step("delimiter")
    dtypes = _TYPES.step("types")
    experimental = _EXPERIMENTAL.step("val")
    keep_quotes = _KEEP_QUOTES.step("val")
    lines = _LINES.step("val")
    mixed_types_as_string = _MIXED.step("val")
    na_values = _NA_VALUES.step("vals")
    nonnumeric_numbers = _NONNUMERIC.step("val")
    normalize_single_quotes = _QUOTES.step("val")
    normalize_whitespace = _BLANKS.step("val")
    numeric_leading_zeros = _ZEROS.step("val")
    prune_columns = _PRUNE.step("val")
    recovery_mode = Step(
        "recovery", "recovery_mode", member(JSONRecoveryMode), "The treatment of lines that are no JSON."
    )
    strict_validation = _STRICT.step("val")
    unquoted_control_chars = _CONTROL.step("val")
    utf8_escaped = Step("escaped", "val", only(True), "Whether escaped characters are read as such.")


def read_json(
    options: JsonReaderOptions, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> TableWithMetadata:
    """Read JSON documents of records, or JSON Lines.

    Parameters
    ----------
    options : JsonReaderOptions
        Files and how they are read.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    TableWithMetadata
        Table with the names of its columns; rows of several files below each other. A member that a record
        does not have is null.

    Raises
    ------
    ValueError
        For a source that is no JSON, unless lines are recovered, and for files of different columns.
    NotImplementedError
        For several files without ``lines``.

    Examples
    --------
    >>> from pylibcuprum.io.types import SourceInfo
    >>> text = b'[{"a": 1, "b": "x"}, {"a": 2}]'
    >>> read = read_json(JsonReaderOptions.builder(SourceInfo([text])).build())
    >>> read.column_names(), [column.to_pylist() for column in read.columns]
    (['a', 'b'], [[1, 2], ['x', None]])
    """
    values = options.values
    sources = values["source"]._all()
    if len(sources) > 1 and not values.get("lines", False):
        raise NotImplementedError(f"`source` has {len(sources)} files, which are read with `lines` only")
    return read_all(sources, lambda _, source: _read(source, values), stream, mr)


def _read(source: Source, values: dict[str, Any]) -> Read:
    table, names, pairs = _read_values(source, values)
    return Table([_with_small_offsets(column) for column in table.columns()], table.num_rows()), names, pairs


def _with_small_offsets(column: Column) -> Column:
    """The column with offsets of 32 bits, which lists have here, inside of it too; texts choose their own."""
    if column.type().id() not in (TypeId.LIST, TypeId.STRUCT):
        return column
    parts = [_with_small_offsets(part) for part in column.children()]
    if column.type().id() == TypeId.LIST and parts[0].type().id() == TypeId.INT64:
        if parts[1].size() >= 2**31:
            return column
        parts[0] = cast(parts[0], DataType(TypeId.INT32))
    mask, nulls = column.null_mask(), column.null_count()
    return Column(column.type(), column.size(), column.data(), mask, nulls, column.offset(), parts)


def _read_values(source: Source, values: dict[str, Any]) -> Read:
    lines, packed = values.get("lines", False), _PACKED[values.get("compression", CompressionType.NONE)]
    offset, size, delimiter = values.get("offset", 0), values.get("size", 0), values.get("delimiter", "\n")
    recovers = values.get("recovery", JSONRecoveryMode.FAIL) == JSONRecoveryMode.RECOVER_WITH_NULL
    edits = (offset, size, delimiter, recovers) != (0, 0, "\n", False)
    if edits and not lines:
        raise NotImplementedError(
            "a byte range, `delimiter` and `recovery_mode` are honoured with `lines` only"
        )
    if edits and packed is not None:
        raise NotImplementedError(
            "a byte range, `delimiter` and `recovery_mode` are honoured of files that are not compressed"
        )
    if offset or size or delimiter != "\n":
        text = _bytes(source)
        if delimiter != "\n":
            text = text.replace(b"\n", b" ").replace(delimiter.encode(), b"\n")
        source = _in_range(text, offset, size)
    if packed == "bz2":
        source, packed = bz2.decompress(_bytes(source)), None
    mixed = values.get("mixed", False)
    try:
        read = _io.read_json(source, lines, mixed, packed)
    except ValueError:
        if not recovers:
            raise
        read = _io.read_json(_recovered(_bytes(source)), lines, mixed, None)
    return _typed(read, values.get("types"), values.get("prune", False))


def _bytes(source: Source) -> bytes:
    if isinstance(source, str):
        with open(source, "rb") as file:
            return file.read()
    return source if isinstance(source, bytes) else source[1]


def _in_range(text: bytes, offset: int, size: int) -> bytes:
    """The lines that begin in a range."""

    def line(at: int) -> int:
        """The position of the first line that begins at ``at`` or later."""
        if at == 0 or at >= len(text):
            return min(at, len(text))
        end = text.find(b"\n", at - 1)
        return len(text) if end < 0 else end + 1

    return text[line(offset) : line(offset + size) if size else len(text)]


def _recovered(text: bytes) -> bytes:
    """The lines; those that are no JSON objects are empty."""

    def refuse(constant: str) -> Any:
        raise ValueError(constant)

    def one(line: bytes) -> bytes:
        try:
            is_record = isinstance(json.loads(line, parse_constant=refuse), dict)
        except (ValueError, RecursionError):
            is_record = False
        return line if is_record else b"{}"

    return b"\n".join(one(line) for line in text.split(b"\n") if line.strip())


def _typed(read: Read, types: list[tuple[str | None, DataType]] | None, prunes: bool) -> Read:
    """The table, its columns cast to the types that are asked for."""
    if types is None:
        if prunes:
            raise ValueError("`prune_columns` is True, and no `types` are given")
        return read
    table, names, pairs = read
    there = [name for name, _ in names]
    wanted = {there[i] if name is None and i < len(there) else name: of for i, (name, of) in enumerate(types)}
    if None in wanted:
        raise ValueError(f"`types` has {len(types)} types; there are {len(there)} columns")
    columns, made = [], []
    for (name, inside), column in zip(names, table.columns(), strict=True):
        if name in wanted or not prunes:
            columns.append(_as(column, wanted[name]) if name in wanted else column)
            made.append((name, [] if name in wanted else inside))
    for name, of in wanted.items():
        if name not in there:
            columns.append(Column.from_scalar(Scalar.from_py(None, of), table.num_rows()))
            made.append((str(name), []))
    return Table(columns, table.num_rows()), made, pairs


def _as(column: Column, of: DataType) -> Column:
    if column.type() == of:
        return column
    return cuprum.Series.from_pylibcudf(column).astype(dtype_of("types", of)).to_pylibcudf()[0]


def read_json_from_string_column(
    input: Column,
    separator: Scalar,
    narep: Scalar,
    dtypes: list[Any] | None = None,
    compression: CompressionType = CompressionType.NONE,
    recovery_mode: JSONRecoveryMode = JSONRecoveryMode.RECOVER_WITH_NULL,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> TableWithMetadata:
    """Read a column of texts, each of which is a value of JSON, as JSON Lines.

    Parameters
    ----------
    input : Column
        Texts of JSON.
    separator : Scalar
        Character that none of the texts has.
    narep : Scalar
        Text that is read for nulls.
    dtypes : list, optional
        Types of columns: DataType for all by position, or pairs of a name and a DataType.
    compression : CompressionType, default CompressionType.NONE
        Others are refused.
    recovery_mode : JSONRecoveryMode, default JSONRecoveryMode.RECOVER_WITH_NULL
        Treatment of texts that are no JSON: a null row, or with ``FAIL`` an error.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    TableWithMetadata
        Table with the names of its columns and a row for each text.

    Raises
    ------
    NotImplementedError
        For another ``compression`` than ``NONE``.
    TypeError
        For a column that is not of texts.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(['{"a": 1}', None, '{"a": 3}'])
    >>> read = read_json_from_string_column(texts, Scalar.from_py("\\n"), Scalar.from_py("{}"))
    >>> read.columns[0].to_pylist()
    [1, None, 3]
    """
    only(CompressionType.NONE)("compression", compression)
    if input.type().id() != TypeId.STRING:
        raise TypeError(f"`input` is of type {input.type()}; it is of texts")
    mark = marks("separator", separator.to_py())
    missing = narep.to_py()
    if not isinstance(missing, str):
        raise TypeError(f"`narep` is {missing!r}; it is a text")
    text = mark.join(missing if row is None else row for row in input.to_pylist())
    builder = JsonReaderOptions.builder(SourceInfo([text.encode()])).lines(True).delimiter(mark)
    builder = builder.recovery_mode(recovery_mode)
    if dtypes is not None:
        builder = builder.dtypes(dtypes)
    return read_json(builder.build(), stream, mr)


def chunked_read_json(
    options: JsonReaderOptions,
    chunk_size: int = 100000000,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[list[Column], list[str], dict[str, Any]]:
    """Read JSON Lines, and return columns and names apart.

    Parameters
    ----------
    options : JsonReaderOptions
        Files and how they are read, with ``lines``.
    chunk_size : int, default 100000000
        Of no effect: lines are parsed in parallel anyway. At least 1.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of list of Column, list of str and dict
        The columns, their names, and the names of what is inside of each of them.

    Raises
    ------
    ValueError
        Without ``lines``.

    Examples
    --------
    >>> from pylibcuprum.io.types import SourceInfo
    >>> options = JsonReaderOptions.builder(SourceInfo([b'{"a": {"x": 1}, "b": 2}\\n'])).lines(True).build()
    >>> columns, names, children = chunked_read_json(options)
    >>> columns[1].to_pylist(), names, children
    ([2], ['a', 'b'], {'a': {'x': {}}, 'b': {}})
    """
    at_least(1)("chunk_size", chunk_size)
    if not options.values.get("lines", False):
        raise ValueError("`options` are for a document; lines are read in pieces")
    read = read_json(options, stream, mr)
    return list(read.columns), read.column_names(), read.child_names


class JsonWriterOptions(Options):
    """Options of the JSON writer.

    Examples
    --------
    >>> import gzip, io
    >>> table, file = Table([Column.from_iterable_of_py([1, 2])]), io.BytesIO()
    >>> options = JsonWriterOptions.builder(SinkInfo([file]), table).build()
    >>> options.set_compression(CompressionType.GZIP)
    >>> write_json(options)
    >>> len(gzip.decompress(file.getvalue())) > 0
    True
    """

    set_rows_per_chunk = Setter(
        "rows_per_chunk",
        "val",
        at_least(1),
        "The number of rows that are written at once; of no effect on the file.",
    )
    set_true_value = Setter("true", "val", only("true"), "The text that is written for true.")
    set_false_value = Setter("false", "val", only("false"), "The text that is written for false.")
    set_compression = _COMPRESSION.setter("comptype")

    @staticmethod
    def builder(sink: SinkInfo, table: Table) -> JsonWriterOptionsBuilder:
        """Return a builder of options for writing a table.

        Parameters
        ----------
        sink : SinkInfo
            File that is written.
        table : Table
            Rows that are written.

        Returns
        -------
        JsonWriterOptionsBuilder
            Builder whose steps set options and whose ``build`` returns them.

        Examples
        --------
        >>> import io
        >>> table, file = Table([Column.from_iterable_of_py([1, None])]), io.StringIO()
        >>> named = TableWithMetadata(table, [("a", [])])
        >>> write_json(JsonWriterOptions.builder(SinkInfo([file]), table).metadata(named).build())
        >>> file.getvalue()
        '[{"a":1},{}]'
        """
        return JsonWriterOptionsBuilder(JsonWriterOptions._of(sink=sink, table=table))


class JsonWriterOptionsBuilder(OptionsBuilder[JsonWriterOptions]):
    """Makes `JsonWriterOptions`.

    Examples
    --------
    >>> import io
    >>> table, file = Table([Column.from_iterable_of_py([1, None])]), io.StringIO()
    >>> builder = JsonWriterOptions.builder(SinkInfo([file]), table)
    >>> builder = builder.metadata(TableWithMetadata(table, [("a", [])]))
    >>> write_json(builder.lines(True).include_nulls(True).build())
    >>> print(file.getvalue(), end="")
    {"a":1}
    {"a":null}
    """

    metadata = Step(
        "metadata",
        "tbl_w_meta",
        instance(TableWithMetadata),
        "The table whose columns and children give the names.",
    )
    na_rep = Step("na_rep", "val", only("null"), "The text that is written for null.")
    include_nulls = Step(
        "nulls", "val", flag, "Whether members that are null are written; by default they are left out."
    )
    lines = Step("lines", "val", flag, "Whether each record is a line.")
    compression = _COMPRESSION.step("comptype")
    utf8_escaped = Step(
        "ascii", "val", flag, "Whether characters beyond ASCII are escaped; by default they are."
    )


_UNITS = {
    TypeId.TIMESTAMP_SECONDS: "s",
    TypeId.TIMESTAMP_MILLISECONDS: "ms",
    TypeId.TIMESTAMP_MICROSECONDS: "us",
    TypeId.TIMESTAMP_NANOSECONDS: "ns",
}


def _times(columns: Sequence[Column]) -> set[str]:
    """The units of times in columns and inside of them."""
    own = {_UNITS[c.type().id()] for c in columns if c.type().id() in _UNITS}
    return own.union(*(_times(column.children()) for column in columns))


def write_json(options: JsonWriterOptions, stream: CudaStreamLike | None = None) -> None:
    """Write a table to a JSON file of records, which appears whole or not at all.

    Parameters
    ----------
    options : JsonWriterOptions
        Table, file and how it is written.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect: the file is written when the call returns.

    Raises
    ------
    ValueError
        For another number of names than of columns.
    NotImplementedError
        For several files.

    Notes
    -----
    Lists are arrays and structs objects. Times are as ISO 8601 has them, all with the digits of the finest
    ones. Floats have up to 15 digits behind the point; NaN is ``null``.

    Examples
    --------
    >>> import io
    >>> table, file = Table([Column.from_iterable_of_py([[1, 2], None])]), io.StringIO()
    >>> builder = JsonWriterOptions.builder(SinkInfo([file]), table)
    >>> write_json(builder.metadata(TableWithMetadata(table, [("a", [])])).lines(True).build())
    >>> print(file.getvalue(), end="")
    {"a":[1,2]}
    {}
    """
    values = options.values
    table, sink = values["table"], values["sink"]._one("JSON")
    named = values.get("metadata")
    if named is not None and len(named._names) != table.num_columns():
        raise ValueError(
            f"`tbl_w_meta` names {len(named._names)} columns for a table of {table.num_columns()}"
        )
    names = named._names if named is not None else [("", [])] * table.num_columns()
    columns = [
        _described(*name)._as_metadata(c, i)
        for i, (name, c) in enumerate(zip(names, table.columns(), strict=True))
    ]
    unit = next((unit for unit in ("ns", "us", "ms") if unit in _times(table.columns())), "s")
    packed = "gzip" if values.get("compression") == CompressionType.GZIP else None
    how = (
        values.get("lines", False),
        15,
        True,
        unit,
        values.get("ascii", True),
        values.get("nulls", False),
        packed,
    )
    put_into(sink, lambda path: _io.write_json(table, columns, path, *how), is_text=packed is None)


def _described(name: str, children: Sequence[tuple[str, Any]]) -> ColumnInMetadata:
    return ColumnInMetadata(name, [_described(*child) for child in children])


def is_supported_write_json(type: DataType) -> bool:
    """Return whether columns of a type are written to JSON.

    Parameters
    ----------
    type : DataType
        Type of a column.

    Returns
    -------
    bool
        True for numbers, booleans, texts, timestamps, lists and structs; False for durations, decimals and
        dictionaries.

    Raises
    ------
    TypeError
        For anything but a DataType, also for a TypeId.

    Examples
    --------
    >>> [is_supported_write_json(DataType(of)) for of in (TypeId.LIST, TypeId.DURATION_DAYS)]
    [True, False]
    """
    if not isinstance(type, DataType):
        raise TypeError(f"`type` is {type!r}; it is a DataType")
    identifier = type.id()
    return TypeId.INT8 <= identifier <= TypeId.TIMESTAMP_NANOSECONDS or identifier in (
        TypeId.STRING,
        TypeId.LIST,
        TypeId.STRUCT,
    )
