"""Parquet: `read_parquet`, `write_parquet`, both in pieces too, and their options.

Examples
--------
>>> import io
>>> from pylibcuprum import Column, Scalar, Table
>>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Literal, Operation
>>> from pylibcuprum.io.types import SinkInfo, SourceInfo
>>> file = io.BytesIO()
>>> table = Table([Column.from_iterable_of_py([1, 2, 3])])
>>> _ = write_parquet(ParquetWriterOptions.builder(SinkInfo([file]), table).build())
>>> options = ParquetReaderOptions.builder(SourceInfo([file.getvalue()])).build()
>>> options.set_filter(Operation(ASTOperator.GREATER, ColumnReference(0), Literal(Scalar.from_py(1))))
>>> read_parquet(options).columns[0].to_pylist()
[2, 3]
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from cuprum._cuprum import Column, DataType, DeviceMemoryResource, Scalar, Table, _io
from cuprum.io.filters import Condition, conditions
from cuprum.io.parquet import write_options
from pylibcuprum.expressions import ASTOperator, ColumnReference, Expression, Literal, Operation
from pylibcuprum.io.files import FileWriter
from pylibcuprum.io.options import (
    COLUMNS,
    SKIP_ROWS,
    Option,
    Options,
    OptionsBuilder,
    ReaderOptions,
    Setter,
    Step,
    at_least,
    flag,
    instance,
    lists_of_numbers,
    member,
    only,
    or_all,
    takes,
    texts,
    whole_numbers,
)
from pylibcuprum.io.parquet_metadata import FileMetaData
from pylibcuprum.io.types import (
    ColumnEncoding,
    CompressionType,
    DictionaryPolicy,
    PartitionInfo,
    Read,
    SinkInfo,
    SourceInfo,
    StatisticsFreq,
    TableInputMetadata,
    TableWithMetadata,
    input_metadata,
    put_into,
    read_all,
    with_metadata,
)
from pylibcuprum.stream_compaction import apply_boolean_mask
from pylibcuprum.transform import compute_column
from pylibcuprum.types import TypeId
from pylibcuprum.unary import cast
from pylibcuprum.utils import CudaStreamLike

__all__ = [
    "ChunkedParquetReader",
    "ChunkedParquetWriter",
    "ChunkedParquetWriterOptions",
    "ChunkedParquetWriterOptionsBuilder",
    "ParquetReaderOptions",
    "ParquetReaderOptionsBuilder",
    "ParquetWriterOptions",
    "ParquetWriterOptionsBuilder",
    "is_supported_read_parquet",
    "is_supported_write_parquet",
    "merge_row_group_metadata",
    "read_parquet",
    "write_parquet",
]

_WRITTEN = {
    CompressionType.NONE: None,
    CompressionType.AUTO: "snappy",
    CompressionType.SNAPPY: "snappy",
    CompressionType.GZIP: "gzip",
    CompressionType.BROTLI: "brotli",
    CompressionType.LZ4: "lz4",
    CompressionType.ZSTD: "zstd",
}


def is_supported_read_parquet(compression: CompressionType) -> bool:
    """Return whether Parquet files of a compression are read.

    Parameters
    ----------
    compression : CompressionType
        Compression that is asked about.

    Returns
    -------
    bool
        True for ``NONE``, ``AUTO``, ``SNAPPY``, ``GZIP``, ``BROTLI``, ``LZ4`` and ``ZSTD``.

    Raises
    ------
    TypeError
        For anything but a CompressionType.

    Examples
    --------
    >>> is_supported_read_parquet(CompressionType.ZSTD), is_supported_read_parquet(CompressionType.LZO)
    (True, False)
    """
    return member(CompressionType)("compression", compression) in _WRITTEN


def is_supported_write_parquet(compression: CompressionType) -> bool:
    """Return whether Parquet files of a compression are written.

    Parameters
    ----------
    compression : CompressionType
        Compression that is asked about.

    Returns
    -------
    bool
        True for ``NONE``, ``AUTO``, ``SNAPPY``, ``GZIP``, ``BROTLI``, ``LZ4`` and ``ZSTD``.

    Raises
    ------
    TypeError
        For anything but a CompressionType.

    Examples
    --------
    >>> is_supported_write_parquet(CompressionType.ZSTD), is_supported_write_parquet(CompressionType.LZO)
    (True, False)
    """
    return member(CompressionType)("compression", compression) in _WRITTEN


# Options that a method of the options and one of a builder set.
_INDICES = Option("indices", whole_numbers, "The numbers of the columns that are read.")
_FIELD_IDS = Option("field_ids", whole_numbers, "The field ids of the columns that are read.")
_CASE_SENSITIVE = Option(
    "case_sensitive", flag, "Whether names of columns are those of the file to the letter."
)
_ROW_GROUP_SIZE_ROWS = Option(
    "row_group_size_rows", at_least(1), "The number of rows that a row group has at most."
)
_MAX_PAGE_SIZE_BYTES = Option(
    "max_page_size_bytes", at_least(1), "The number of bytes that a page has at most, about."
)
_ROW_GROUP_SIZE_BYTES = Option(
    "row_group_size_bytes", at_least(1), "The number of bytes that a row group has at most, about."
)
_MAX_PAGE_SIZE_ROWS = Option("max_page_size_rows", at_least(1), "The number of rows that a page has at most.")
_MAX_DICTIONARY_SIZE = Option(
    "max_dictionary_size", at_least(1), "The number of bytes that a dictionary has at most, about."
)
_DICTIONARY = Option(
    "dictionary", member(DictionaryPolicy), "The rule by which values are written as a dictionary."
)


class ParquetReaderOptions(ReaderOptions):
    """Options of the Parquet reader.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}).to_parquet()
    >>> options = ParquetReaderOptions.builder(SourceInfo([file])).build()
    >>> options.set_columns(["b"])
    >>> options.set_num_rows(2)
    >>> read_parquet(options).columns[0].to_pylist()
    ['x', 'y']
    """

    set_row_groups = Setter(
        "row_groups",
        "row_groups",
        lists_of_numbers,
        "The numbers of the row groups that are read; a list for each file.",
    )
    set_num_rows = Setter(
        "num_rows", "nrows", or_all, "The number of rows of all files together that are read; -1 for all."
    )
    set_skip_rows = SKIP_ROWS.setter("skip_rows")
    set_columns = COLUMNS.setter("col_names")
    set_column_names = COLUMNS.setter("col_names")
    set_column_indices = _INDICES.setter("col_indices")
    set_column_field_ids = _FIELD_IDS.setter("column_field_ids")
    set_filter = Setter(
        "filter",
        "filter",
        instance(Expression),
        "The formula that is true for the rows that are read; numbers of columns count those that are read.",
    )
    enable_case_sensitive_names = _CASE_SENSITIVE.setter("val")

    def is_enabled_use_jit_filter(self) -> bool:
        """Return whether filters are compiled: they never are.

        Returns
        -------
        bool
            Always False.

        Examples
        --------
        >>> from pylibcuprum.io.types import SourceInfo
        >>> ParquetReaderOptions.builder(SourceInfo([])).build().is_enabled_use_jit_filter()
        False
        """
        return False

    def is_enabled_case_sensitive_names(self) -> bool:
        """Return whether names of columns are those of the file to the letter.

        Returns
        -------
        bool
            True unless ``enable_case_sensitive_names`` says otherwise.

        Examples
        --------
        >>> from pylibcuprum.io.types import SourceInfo
        >>> options = ParquetReaderOptions.builder(SourceInfo([])).build()
        >>> options.enable_case_sensitive_names(False)
        >>> options.is_enabled_case_sensitive_names()
        False
        """
        return bool(self.values.get("case_sensitive", True))

    @staticmethod
    def builder(source: SourceInfo) -> ParquetReaderOptionsBuilder:
        """Return a builder of options of the Parquet reader.

        Parameters
        ----------
        source : SourceInfo
            Files that are read.

        Returns
        -------
        ParquetReaderOptionsBuilder
            Builder whose steps set options and whose ``build`` returns them.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> file = cuprum.DataFrame({"a": [1, 2, 3]}).to_parquet()
        >>> options = ParquetReaderOptions.builder(SourceInfo([file])).build()
        >>> read_parquet(options).columns[0].to_pylist()
        [1, 2, 3]
        """
        return ParquetReaderOptionsBuilder(ParquetReaderOptions._of(source=source))


class ParquetReaderOptionsBuilder(OptionsBuilder[ParquetReaderOptions]):
    """Makes `ParquetReaderOptions`.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"]}).to_parquet()
    >>> builder = ParquetReaderOptions.builder(SourceInfo([file]))
    >>> options = builder.case_sensitive_names(False).columns(["B"]).build()
    >>> read_parquet(options).column_names()
    ['b']
    """

    convert_strings_to_categories = Step(
        "categories", "val", only(False), "Whether texts are read as categories."
    )
    use_pandas_metadata = Step(
        "pandas",
        "val",
        flag,
        "Whether columns that pandas has as row labels are read with those that are named.",
    )
    allow_mismatched_pq_schemas = Step(
        "mismatched", "val", only(False), "Whether files may differ in their columns."
    )
    ignore_missing_columns = Step(
        "ignore_missing",
        "val",
        flag,
        "Whether names that no column has are passed over; else they are an error.",
    )
    use_arrow_schema = Step(
        "arrow_schema", "val", only(True), "Whether an Arrow schema in the file is heeded."
    )
    columns = COLUMNS.step("col_names")
    column_names = COLUMNS.step("col_names")
    column_indices = _INDICES.step("col_indices")
    column_field_ids = _FIELD_IDS.step("column_field_ids")
    use_jit_filter = Step("jit", "use_jit_filter", only(False), "Whether filters are compiled.")
    case_sensitive_names = _CASE_SENSITIVE.step("val")
    decimal_width = Step(
        "decimal_width",
        "width",
        member(TypeId, TypeId.EMPTY, TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128),
        "The type that decimals are read as; that of the file with ``EMPTY``.",
    )


def _selected(values: dict[str, Any], source: Any) -> list[str] | None:
    """The names of the columns that are read; None for all."""
    given = [key for key in ("columns", "indices", "field_ids") if values.get(key) is not None]
    if len(given) > 1:
        raise ValueError(f"columns are chosen twice: by {' and by '.join(given)}")
    if not given:
        return None
    footer = _io.parquet_footer(source, False)
    tops = footer["schema"][2]
    there: list[str] = [name for name, _, _ in tops]
    wanted = values[given[0]]
    if given == ["indices"]:
        for index in wanted:
            if index >= len(there):
                raise IndexError(f"`col_indices` has {index}; the file has {len(there)} columns")
        names = [there[index] for index in wanted]
    elif given == ["field_ids"]:
        by_id = {number: name for name, number, _ in tops if number is not None}
        for number in wanted:
            if number not in by_id:
                raise KeyError(f"`column_field_ids` has {number}, which no column of the file has")
        names = [by_id[number] for number in wanted]
    else:
        names = _spelled(wanted, there, values)
    if values.get("pandas", True):
        names += [name for name in _row_labels(footer["metadata"]) if name in there and name not in names]
    return names


def _spelled(wanted: list[str], there: list[str], values: dict[str, Any]) -> list[str]:
    """Names as the file has them."""
    exact = values.get("case_sensitive", True)
    spelled = {name if exact else name.casefold(): name for name in reversed(there)}
    found = [spelled.get(name if exact else name.casefold(), name) for name in wanted]
    if values.get("ignore_missing", True):
        return [name for name in found if name in there]
    return found


def _row_labels(metadata: list[tuple[str, str]]) -> list[str]:
    text = dict(metadata).get("pandas")
    try:
        columns = json.loads(text)["index_columns"] if text else []
    except (ValueError, KeyError, TypeError):
        return []
    return [name for name in columns if isinstance(name, str)]


class _Filter(NamedTuple):
    """A filter of rows: conditions on statistics that rule out row groups, and a formula for other rows."""

    # Of several lists of conditions rows meet one.
    rules: list[list[Condition]] | None
    # Whether they say all of it.
    exact: bool
    formula: tuple[Any, ...]
    # Columns that are read for it alone, behind the others.
    more: list[str]

    def rows(self, read: Read) -> Read:
        """Return the rows for which it is true, of the columns that were asked for."""
        table, names, pairs = read
        kept = len(names) - len(self.more)
        if not self.exact:
            formula = _rebuilt(self.formula, [name for name, _ in names])
            table = apply_boolean_mask(table, compute_column(table, formula))
        if kept == len(names):
            return table, names, pairs
        return Table(list(table.columns()[:kept]), table.num_rows()), names[:kept], pairs


_COMPARED = {
    "EQUAL": ("==", "=="),
    "NOT_EQUAL": ("!=", "!="),
    "LESS": ("<", ">"),
    "GREATER": (">", "<"),
    "LESS_EQUAL": ("<=", ">="),
    "GREATER_EQUAL": (">=", "<="),
}

# The most lists of conditions that a formula becomes.
_MOST = 64


def _rules(parts: tuple[Any, ...], names: list[str]) -> tuple[list[list[Any]] | None, bool]:
    """A formula as lists of conditions of which rows meet one, and whether these say all of it."""
    if parts[0] != "operation" or len(parts) != 4:
        return None, False
    _, operator, left, right = parts
    if operator in ("LOGICAL_AND", "NULL_LOGICAL_AND"):
        (a, exact_a), (b, exact_b) = _rules(left, names), _rules(right, names)
        if a is None or b is None:
            return a or b, False
        both = [[*one, *other] for one, other in product(a, b)]
        return (both, exact_a and exact_b) if len(both) <= _MOST else (None, False)
    if operator in ("LOGICAL_OR", "NULL_LOGICAL_OR"):
        (a, exact_a), (b, exact_b) = _rules(left, names), _rules(right, names)
        if a is None or b is None or len(a) + len(b) > _MOST:
            return None, False
        # The plain one is null where a side is, whatever the other one.
        return a + b, exact_a and exact_b and operator == "NULL_LOGICAL_OR"
    if operator not in _COMPARED:
        return None, False
    spelled, flipped = _COMPARED[operator]
    if left[0] == "literal":
        left, right, spelled = right, left, flipped
    if left[0] not in ("column", "name") or right[0] != "literal":
        return None, False
    value = _plain(right[1])
    if value is None:
        return None, False
    return [[(_column(left, names), spelled, value)]], True


def _plain(scalar: Scalar) -> Any:
    """The value of a number, a truth value or a text; None for all else."""
    identifier = scalar.type().id()
    known = identifier <= TypeId.BOOL8 or identifier == TypeId.STRING
    return scalar.to_py() if known and scalar.is_valid() else None


def _column(parts: tuple[Any, ...], names: list[str]) -> str:
    if parts[0] == "name":
        return str(parts[1])
    _, table, index = parts
    if table != 0:
        raise ValueError("`filter` refers to a second table; a file is one")
    if index >= len(names):
        raise IndexError(f"`filter` refers to column {index}; {len(names)} are read")
    return names[index]


def _referred(parts: tuple[Any, ...], names: list[str]) -> list[str]:
    """The names of the columns in a formula."""
    if parts[0] in ("column", "name"):
        return [_column(parts, names)]
    return [] if parts[0] == "literal" else [name for part in parts[2:] for name in _referred(part, names)]


def _rebuilt(parts: tuple[Any, ...], names: list[str]) -> Expression:
    """A formula over the columns of these names."""
    if parts[0] == "literal":
        return Literal(parts[1])
    if parts[0] == "operation":
        return Operation(ASTOperator[parts[1]], *(_rebuilt(part, names) for part in parts[2:]))
    return ColumnReference(names.index(_column(parts, names)))


def _check_footers(metadatas: Sequence[FileMetaData], sources: Sequence[Any]) -> None:
    """Footers that are given are those of the files, which are read in any case."""
    if len(metadatas) != len(sources):
        raise ValueError(
            f"Length of 'parquet_metadatas' ({len(metadatas)}) must match the number of input sources "
            f"({len(sources)})"
        )
    for number, (given, source) in enumerate(zip(metadatas, sources, strict=True)):
        if not isinstance(given, FileMetaData):
            raise TypeError(f"`parquet_metadatas` has a {type(given).__name__}, no FileMetaData")
        if given._said != _io.parquet_footer(source, False):
            raise ValueError(f"`parquet_metadatas[{number}]` is not the footer of the file")


class _Plan:
    """The row groups and rows to read of each file."""

    def __init__(self, options: ParquetReaderOptions, metadatas: Sequence[FileMetaData] | None) -> None:
        values = options.values
        self.sources = values["source"]._all()
        if metadatas is not None:
            _check_footers(metadatas, self.sources)
        self.columns = _selected(values, self.sources[0])
        self.width = values.get("decimal_width", TypeId.EMPTY)
        groups = values.get("row_groups")
        if groups is not None and len(groups) != len(self.sources):
            raise ValueError(f"`row_groups` has {len(groups)} lists for {len(self.sources)} files")
        self.groups = groups or [None] * len(self.sources)
        skip, rows = values.get("skip_rows", 0), values.get("num_rows")
        formula = values.get("filter")
        if (skip or rows is not None) and (formula is not None or groups is not None):
            raise NotImplementedError(
                f"`skip_rows` is {skip} and `nrows` {rows}, and a filter or row groups are given: one of both is read"
            )
        self.filter = None if formula is None else self._filter(formula._parts())
        self.ranges = self._ranges(skip, rows)

    def _filter(self, parts: tuple[Any, ...]) -> _Filter:
        footer = _io.parquet_footer(self.sources[0], False)
        there = [name for name, _, _ in footer["schema"][2]]
        names = there if self.columns is None else self.columns
        missing = dict.fromkeys(name for name in _referred(parts, names) if name not in names)
        found, exact = _rules(parts, names)
        rules = None if found is None else conditions(found)
        more = [] if exact else list(missing)
        if more:
            self.columns = [*names, *more]
        return _Filter(rules, exact, parts, more)

    def _ranges(self, skip: int, rows: int | None) -> list[tuple[int, int | None]]:
        """The rows of each file to skip, and those to read."""
        if len(self.sources) == 1 or (not skip and rows is None):
            return [(skip, rows)] * len(self.sources)
        ranges: list[tuple[int, int | None]] = []
        for source in self.sources:
            own = _io.parquet_footer(source, False)["num_rows"]
            passed = min(skip, own)
            taken = own - passed if rows is None else min(own - passed, rows)
            skip, rows = skip - passed, None if rows is None else rows - taken
            ranges.append((passed, taken))
        return ranges

    def arguments(self, number: int) -> tuple[Any, ...]:
        """The arguments of the extension's reader for a file."""
        skip, rows = self.ranges[number]
        rules = None if self.filter is None else self.filter.rules
        return self.sources[number], (self.columns, self.groups[number], rows, skip, rules)

    def finished(self, read: Read) -> Read:
        """Return what was read as it is wanted."""
        if self.filter is not None:
            read = self.filter.rows(read)
        if self.width == TypeId.EMPTY:
            return read
        table, names, pairs = read
        decimals = (TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128)

        def widened(column: Column) -> Column:
            of = column.type()
            return cast(column, DataType(self.width, of.scale())) if of.id() in decimals else column

        return Table([widened(column) for column in table.columns()], table.num_rows()), names, pairs


def read_parquet(
    options: ParquetReaderOptions,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
    parquet_metadatas: Sequence[FileMetaData] | None = None,
) -> TableWithMetadata:
    """Read Parquet files of the same columns below each other.

    Parameters
    ----------
    options : ParquetReaderOptions
        Files, columns, rows and filters that are read.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's device.
    parquet_metadatas : sequence of FileMetaData, optional
        Footers of the files, which are checked against them.

    Returns
    -------
    TableWithMetadata
        Table with the names of its columns; rows in the order of the files.

    Raises
    ------
    ValueError
        For a source that is no Parquet file, files of different columns, footers that are not those of the files, and
        columns that are chosen twice.
    NotImplementedError
        For a range of rows together with a filter or row groups.

    Notes
    -----
    What statistics, page index and bloom filters rule out for a filter that compares columns with numbers and
    texts is not decoded.

    Examples
    --------
    >>> import cuprum
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = cuprum.DataFrame({"a": [1, 2, 3]}).to_parquet()
    >>> read = read_parquet(ParquetReaderOptions.builder(SourceInfo([file])).build())
    >>> read.column_names(), read.columns[0].to_pylist()
    (['a'], [1, 2, 3])

    >>> from pylibcuprum.expressions import to_expression
    >>> options = ParquetReaderOptions.builder(SourceInfo([file, file])).build()
    >>> options.set_filter(to_expression("a > 2", ("a",)))
    >>> read_parquet(options).columns[0].to_pylist()
    [3, 3]
    """
    plan = _Plan(options, parquet_metadatas)
    made = read_all(
        plan.sources,
        lambda number, _: plan.finished(_io.read_parquet(*plan.arguments(number))),
        stream,
        mr,
    )
    if plan.filter is not None:
        made._rows = []
    made._row_groups = sum(len(_io.parquet_footer(source, False)["row_groups"]) for source in plan.sources)
    return made


class ChunkedParquetReader:
    """Parquet files that are read in pieces.

    Parameters
    ----------
    options : ParquetReaderOptions
        What is read.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of pieces; by default the current resource of the stream's device.
    chunk_read_limit : int, default 0
        Most bytes of memory that a piece has, but for one of a single row; 0 for no limit.
    pass_read_limit : int, default 1024000000
        About the most bytes that are decoded at a time, 0 for no limit: pieces are no larger than that.
    parquet_metadatas : sequence of FileMetaData, optional
        Footers of the files; ValueError where they are not.

    Examples
    --------
    >>> from pylibcuprum.io.types import SourceInfo
    >>> import cuprum
    >>> file = cuprum.DataFrame({"a": range(100)}).to_parquet()
    >>> reader = ChunkedParquetReader(
    ...     ParquetReaderOptions.builder(SourceInfo([file])).build(), chunk_read_limit=400
    ... )
    >>> pieces = []
    >>> while reader.has_next():
    ...     pieces.append(reader.read_chunk().tbl.num_rows())
    >>> sum(pieces), len(pieces) > 1
    (100, True)
    """

    def __init__(
        self,
        options: ParquetReaderOptions,
        stream: CudaStreamLike | None = None,
        mr: DeviceMemoryResource | None = None,
        chunk_read_limit: int = 0,
        pass_read_limit: int = 1024000000,
        parquet_metadatas: Sequence[FileMetaData] | None = None,
    ) -> None:
        limit = at_least(0)("chunk_read_limit", chunk_read_limit) or None
        most = at_least(0)("pass_read_limit", pass_read_limit) or None
        self._plan = _Plan(options, parquet_metadatas)
        self._where = stream, mr
        self._limits = limit, most
        self._next = 0
        self._file: Any = None
        self._advance()

    def _advance(self) -> None:
        """Go to the next file that has something, if this one has nothing left."""
        while (self._file is None or not self._file.has_next()) and self._next < len(self._plan.sources):
            self._file = _io.ParquetPieces(*self._plan.arguments(self._next), *self._limits)
            self._next += 1

    def has_next(self) -> bool:
        """Return whether there is another piece.

        Returns
        -------
        bool
            True until all rows are read; a file without rows has one piece.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> file = cuprum.DataFrame({"a": [1, 2, 3]}).to_parquet()
        >>> reader = ChunkedParquetReader(ParquetReaderOptions.builder(SourceInfo([file])).build())
        >>> piece = reader.read_chunk()
        >>> piece.columns[0].to_pylist(), reader.has_next()
        ([1, 2, 3], False)
        """
        return self._file is not None and bool(self._file.has_next())

    def read_chunk(self) -> TableWithMetadata:
        """Return the next piece.

        Returns
        -------
        TableWithMetadata
            Rows that follow those of the last piece, of one file.

        Raises
        ------
        StopIteration
            Where there is none.

        Examples
        --------
        >>> import cuprum
        >>> from pylibcuprum.io.types import SourceInfo
        >>> file = cuprum.DataFrame({"a": [1, 2, 3]}).to_parquet()
        >>> reader = ChunkedParquetReader(ParquetReaderOptions.builder(SourceInfo([file])).build())
        >>> reader.read_chunk().columns[0].to_pylist()
        [1, 2, 3]
        """
        read = self._file.read() if self._file is not None else None
        if read is None:
            raise StopIteration("there are no more rows")
        self._advance()
        return with_metadata(self._plan.finished(read), *self._where)


@takes("sequence of mappings of str to str")
def _user_data(argument: str, value: Any) -> list[dict[str, str]]:
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence):
        raise TypeError(f"`{argument}` is {value!r}; it has texts by name, for each file")
    return [{str(key): str(text) for key, text in own.items()} for own in value]


@takes("sequence of PartitionInfo")
def _partitions(argument: str, value: Any) -> list[PartitionInfo]:
    if not isinstance(value, Sequence) or not all(isinstance(one, PartitionInfo) for one in value):
        raise TypeError(f"`{argument}` is {value!r}; it is a list of PartitionInfo")
    return list(value)


class _WrittenBuilder:
    metadata = Step(
        "input", "metadata", instance(TableInputMetadata), "The names and other options of the columns."
    )
    key_value_metadata = Step(
        "user_data",
        "metadata",
        _user_data,
        "The texts that are written by name as metadata; a mapping for each file.",
    )
    compression = Step(
        "compression", "compression", member(CompressionType, *_WRITTEN), "The compression of the files."
    )
    stats_level = Step(
        "statistics", "sf", member(StatisticsFreq), "The parts of the file that have statistics."
    )
    row_group_size_rows = _ROW_GROUP_SIZE_ROWS.step("val")
    max_page_size_bytes = _MAX_PAGE_SIZE_BYTES.step("val")
    write_arrow_schema = Step("arrow_schema", "enabled", flag, "Whether the Arrow schema is written as well.")


class ParquetWriterOptions(Options):
    """Options of the Parquet writer.

    Examples
    --------
    >>> import io
    >>> from pylibcuprum.io.parquet_metadata import read_parquet_metadata
    >>> from pylibcuprum.io.types import SourceInfo
    >>> table, file = Table([Column.from_iterable_of_py([1, 2, 3])]), io.BytesIO()
    >>> options = ParquetWriterOptions.builder(SinkInfo([file]), table).build()
    >>> options.set_row_group_size_rows(2)
    >>> _ = write_parquet(options)
    >>> read_parquet_metadata(SourceInfo([file.getvalue()])).num_rowgroups()
    2
    """

    set_partitions = Setter(
        "partitions", "partitions", _partitions, "The rows that are written to each file."
    )
    set_column_chunks_file_paths = Setter(
        "file_paths",
        "file_paths",
        texts,
        "The names of the files in the footer; ``write_parquet`` returns one with them.",
    )
    set_row_group_size_bytes = _ROW_GROUP_SIZE_BYTES.setter("size_bytes")
    set_row_group_size_rows = _ROW_GROUP_SIZE_ROWS.setter("size_rows")
    set_max_page_size_bytes = _MAX_PAGE_SIZE_BYTES.setter("size_bytes")
    set_max_page_size_rows = _MAX_PAGE_SIZE_ROWS.setter("size_rows")
    set_max_dictionary_size = _MAX_DICTIONARY_SIZE.setter("size_bytes")

    @staticmethod
    def builder(sink: SinkInfo, table: Table) -> ParquetWriterOptionsBuilder:
        """Return a builder of options for writing a table.

        Parameters
        ----------
        sink : SinkInfo
            Files that are written; several ones take ``set_partitions``.
        table : Table
            Rows that are written.

        Returns
        -------
        ParquetWriterOptionsBuilder
            Builder whose steps set options and whose ``build`` returns them.

        Examples
        --------
        >>> import io
        >>> table, file = Table([Column.from_iterable_of_py([1, 2, 3])]), io.BytesIO()
        >>> _ = write_parquet(ParquetWriterOptions.builder(SinkInfo([file]), table).build())
        >>> file.getvalue()[:4]
        b'PAR1'
        """
        return ParquetWriterOptionsBuilder(ParquetWriterOptions._of(sink=sink, table=table))


class ParquetWriterOptionsBuilder(_WrittenBuilder, OptionsBuilder[ParquetWriterOptions]):
    """Makes `ParquetWriterOptions`.

    Examples
    --------
    >>> import io
    >>> from pylibcuprum.io.types import SourceInfo
    >>> table, file = Table([Column.from_iterable_of_py([1, 2, 3])]), io.BytesIO()
    >>> metadata = TableInputMetadata(table)
    >>> _ = metadata.column_metadata[0].set_name("a")
    >>> builder = ParquetWriterOptions.builder(SinkInfo([file]), table).metadata(metadata)
    >>> _ = write_parquet(builder.compression(CompressionType.ZSTD).build())
    >>> options = ParquetReaderOptions.builder(SourceInfo([file.getvalue()])).build()
    >>> read_parquet(options).column_names()
    ['a']
    """

    int96_timestamps = Step(
        "int96", "enabled", only(False), "Whether timestamps are of the old kind of 96 bits."
    )
    write_v2_headers = Step("v2", "enabled", flag, "Whether data pages are of the second version.")
    page_level_compression = Step(
        "by_page", "enabled", only(False), "Whether pages of a column may be compressed or not one by one."
    )
    dictionary_policy = _DICTIONARY.step("val")
    utc_timestamps = Step(
        "utc",
        "enabled",
        flag,
        "Whether timestamps are instants, or what clocks show; by default they are instants.",
    )


_STATISTICS = {
    StatisticsFreq.STATISTICS_NONE: "NONE",
    StatisticsFreq.STATISTICS_ROWGROUP: "ROWGROUP",
    StatisticsFreq.STATISTICS_PAGE: "PAGE",
    StatisticsFreq.STATISTICS_COLUMN: "COLUMN",
}


def _columns(metadata: TableInputMetadata | None, table: Table, *, utc: bool) -> list[Any]:
    described = input_metadata(metadata, table)
    zone = "UTC" if utc else ""
    pairs = zip(described, table.columns(), strict=True)
    return [one._as_metadata(column, i, zone=zone) for i, (one, column) in enumerate(pairs)]


def _written(values: dict[str, Any], number: int, metadata: TableInputMetadata | None) -> Any:
    """The extension's options for the file of a number."""
    sizes = (
        "row_group_size_rows",
        "row_group_size_bytes",
        "max_page_size_rows",
        "max_page_size_bytes",
        "max_dictionary_size",
    )
    given = {size: values[size] for size in sizes if size in values}
    policy = values.get("dictionary", DictionaryPolicy.ADAPTIVE)
    if policy == DictionaryPolicy.ALWAYS:
        given.setdefault("max_dictionary_size", 2**31 - 1)
    columns = metadata._columns if metadata is not None else []
    named = [(one._name or str(i), one) for i, one in enumerate(columns)]
    user_data = values.get("user_data", [])
    if user_data and len(user_data) != len(values["sink"]._sinks):
        raise ValueError(
            f"`key_value_metadata` is for {len(user_data)} files; {len(values['sink']._sinks)} are written"
        )
    return write_options(
        compression=_WRITTEN[values.get("compression", CompressionType.AUTO)],
        statistics=_STATISTICS[values.get("statistics", StatisticsFreq.STATISTICS_ROWGROUP)],
        use_dictionary=policy != DictionaryPolicy.NEVER,
        column_encoding={
            name: one._encoding.name for name, one in named if one._encoding != ColumnEncoding.USE_DEFAULT
        },
        metadata=user_data[number] if user_data else {},
        store_schema=values.get("arrow_schema", False),
        header_version="2.0" if values.get("v2", False) else "1.0",
        uncompressed=[name for name, one in named if one._skips_compression],
        **given,
    )


def _parts(partitions: list[PartitionInfo] | None, table: Table, sinks: int) -> list[Table]:
    """The rows of a table that each file gets."""
    if partitions is None:
        if sinks != 1:
            raise ValueError(f"`partitions` is missing: {sinks} files are written")
        return [table]
    if len(partitions) != sinks:
        raise ValueError(f"`partitions` has {len(partitions)} parts for {sinks} files")
    from pylibcuprum.copying import slice

    parts = []
    for one in partitions:
        stop = one.start_row + one.num_rows
        if stop > table.num_rows():
            raise IndexError(f"`partitions` has rows to {stop} of a table of {table.num_rows()}")
        parts.append(slice(table, [one.start_row, stop])[0])
    return parts


def write_parquet(options: ParquetWriterOptions, stream: CudaStreamLike | None = None) -> memoryview:
    """Write a table to Parquet files, each of which appears whole or not at all.

    Parameters
    ----------
    options : ParquetWriterOptions
        Table, files and how they are written.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect: the files are written when the call returns.

    Returns
    -------
    memoryview
        With ``set_column_chunks_file_paths`` the footer of all files as one, else empty.

    Raises
    ------
    ValueError
        For several files without partitions, and where paths, partitions or metadata are not as many as
        files.
    IndexError
        For partitions that leave the table.

    Notes
    -----
    Without ``write_arrow_schema`` durations are read back as integers. Columns without names in the metadata
    are numbered.

    Examples
    --------
    >>> import io
    >>> from pylibcuprum.io.types import SourceInfo
    >>> table, file = Table([Column.from_iterable_of_py(["x", None])]), io.BytesIO()
    >>> _ = write_parquet(ParquetWriterOptions.builder(SinkInfo([file]), table).build())
    >>> read = read_parquet(ParquetReaderOptions.builder(SourceInfo([file.getvalue()])).build())
    >>> read.column_names(), read.columns[0].to_pylist()
    (['0'], ['x', None])

    >>> files = [io.BytesIO(), io.BytesIO()]
    >>> options = ParquetWriterOptions.builder(SinkInfo(files), table).build()
    >>> options.set_partitions([PartitionInfo(0, 1), PartitionInfo(1, 1)])
    >>> _ = write_parquet(options)
    >>> options = ParquetReaderOptions.builder(SourceInfo([files[1].getvalue()])).build()
    >>> read_parquet(options).columns[0].to_pylist()
    [None]
    """
    values = options.values
    sinks, table = values["sink"]._sinks, values["table"]
    paths = values.get("file_paths")
    if paths is not None and len(paths) != len(sinks):
        raise ValueError(f"`file_paths` has {len(paths)} paths for {len(sinks)} files")
    metadata = values.get("input")
    columns = _columns(metadata, table, utc=values.get("utc", True))
    footers = []

    def write(path: str, number: int, part: Table) -> None:
        _io.write_parquet(part, columns, path, _written(values, number, metadata))
        if paths is not None:
            footers.append(_io.parquet_footer_of(path, paths[number]))

    for number, part in enumerate(_parts(values.get("partitions"), table, len(sinks))):
        put_into(sinks[number], lambda path, number=number, part=part: write(path, number, part))  # type: ignore[misc]
    return merge_row_group_metadata(footers) if footers else memoryview(b"")


def merge_row_group_metadata(metdata_list: list[Any]) -> memoryview:
    """Return the footers of several Parquet files as one.

    Parameters
    ----------
    metdata_list : list of bytes-like
        Footers, as `write_parquet` and `ChunkedParquetWriter.close` return them.

    Returns
    -------
    memoryview
        A file of its own, which datasets have under the name ``_metadata``.

    Raises
    ------
    ValueError
        For no footers, and for files of different columns.

    Examples
    --------
    >>> import io
    >>> footers = []
    >>> for name in ("one.parquet", "two.parquet"):
    ...     table = Table([Column.from_iterable_of_py([1, 2])])
    ...     options = ParquetWriterOptions.builder(SinkInfo([io.BytesIO()]), table).build()
    ...     options.set_column_chunks_file_paths([name])
    ...     footers.append(write_parquet(options))
    >>> FileMetaData.from_bytes(merge_row_group_metadata(footers)).num_rows
    4
    """
    footers = [bytes(one) for one in metdata_list]
    if not footers:
        raise ValueError("`metdata_list` is empty; it has at least one footer")
    return memoryview(_io.merge_parquet_footers(footers))


class ChunkedParquetWriterOptions(Options):
    """Options of the Parquet writer that takes table after table.

    Examples
    --------
    >>> import io
    >>> options = ChunkedParquetWriterOptions.builder(SinkInfo([io.BytesIO()])).build()
    >>> options.set_dictionary_policy(DictionaryPolicy.NEVER)
    >>> writer = ChunkedParquetWriter.from_options(options)
    >>> writer.write(Table([Column.from_iterable_of_py(["x", "y"])]))
    >>> _ = writer.close()
    """

    set_dictionary_policy = _DICTIONARY.setter("policy")

    @staticmethod
    def builder(sink: SinkInfo) -> ChunkedParquetWriterOptionsBuilder:
        """Return a builder of options for writing table after table.

        Parameters
        ----------
        sink : SinkInfo
            Files that are written.

        Returns
        -------
        ChunkedParquetWriterOptionsBuilder
            Builder whose steps set options and whose ``build`` returns them.

        Examples
        --------
        >>> import io
        >>> builder = ChunkedParquetWriterOptions.builder(SinkInfo([io.BytesIO()]))
        >>> options = builder.compression(CompressionType.ZSTD).build()
        >>> type(options).__name__
        'ChunkedParquetWriterOptions'
        """
        return ChunkedParquetWriterOptionsBuilder(ChunkedParquetWriterOptions._of(sink=sink))


class ChunkedParquetWriterOptionsBuilder(_WrittenBuilder, OptionsBuilder[ChunkedParquetWriterOptions]):
    """Makes `ChunkedParquetWriterOptions`.

    Examples
    --------
    >>> import io
    >>> builder = ChunkedParquetWriterOptions.builder(SinkInfo([io.BytesIO()]))
    >>> writer = ChunkedParquetWriter.from_options(builder.row_group_size_rows(1000).build())
    >>> writer.write(Table([Column.from_iterable_of_py([1, 2])]))
    >>> _ = writer.close()
    """

    row_group_size_bytes = _ROW_GROUP_SIZE_BYTES.step("val")
    max_page_size_rows = _MAX_PAGE_SIZE_ROWS.step("val")
    max_dictionary_size = _MAX_DICTIONARY_SIZE.step("val")


class ChunkedParquetWriter(FileWriter):
    """Parquet files to which tables are written below each other; they are there, whole, once it is closed.

    Examples
    --------
    >>> import io
    >>> from pylibcuprum.io.types import SourceInfo
    >>> file = io.BytesIO()
    >>> options = ChunkedParquetWriterOptions.builder(SinkInfo([file])).build()
    >>> writer = ChunkedParquetWriter.from_options(options)
    >>> for values in ([1, 2], [3]):
    ...     writer.write(Table([Column.from_iterable_of_py(values)]))
    >>> _ = writer.close()
    >>> options = ParquetReaderOptions.builder(SourceInfo([file.getvalue()])).build()
    >>> read_parquet(options).columns[0].to_pylist()
    [1, 2, 3]
    """

    @staticmethod
    def from_options(
        options: ChunkedParquetWriterOptions, stream: CudaStreamLike | None = None
    ) -> ChunkedParquetWriter:
        """Return a writer, of whose files nothing is there yet.

        Parameters
        ----------
        options : ChunkedParquetWriterOptions
            Files and how they are written.
        stream : Stream or object with ``__cuda_stream__``, optional
            Of no effect.

        Returns
        -------
        ChunkedParquetWriter
            Writer that takes tables until it is closed.

        Examples
        --------
        >>> import io
        >>> file = io.BytesIO()
        >>> options = ChunkedParquetWriterOptions.builder(SinkInfo([file])).build()
        >>> writer = ChunkedParquetWriter.from_options(options)
        >>> writer.write(Table([Column.from_iterable_of_py([1, 2])]))
        >>> len(file.getvalue())
        0
        >>> _ = writer.close()
        """
        values = options.values
        writer = ChunkedParquetWriter()
        writer._metadata = values.get("input")

        def begin(path: str, number: int) -> Any:
            return _io.TablesWriter.parquet(path, _written(values, number, writer._metadata))

        writer._begin(values["sink"]._sinks, begin)
        return writer

    def write(self, table: Table, partitions_info: Any = None) -> None:
        """Write a table below the others, as row groups of its own.

        Parameters
        ----------
        table : Table
            Rows, with columns of the types of the first table.
        partitions_info : list of PartitionInfo or of tuples, optional
            Rows that each file gets, as `PartitionInfo` or ``(start_row, num_rows)``; needed for several
            files.

        Raises
        ------
        ValueError
            For a writer that is closed, and for other numbers of partitions than of files.
        TypeError
            For columns of other types than those of the first table.
        IndexError
            For partitions that leave the table.

        Examples
        --------
        >>> import io
        >>> from pylibcuprum.io.types import SourceInfo
        >>> files = [io.BytesIO(), io.BytesIO()]
        >>> options = ChunkedParquetWriterOptions.builder(SinkInfo(files)).build()
        >>> writer = ChunkedParquetWriter.from_options(options)
        >>> writer.write(Table([Column.from_iterable_of_py([1, 2, 3])]), [(0, 1), (1, 2)])
        >>> _ = writer.close()
        >>> options = ParquetReaderOptions.builder(SourceInfo([files[1].getvalue()])).build()
        >>> read_parquet(options).columns[0].to_pylist()
        [2, 3]
        """
        parts = None
        if partitions_info is not None:
            parts = [
                one if isinstance(one, PartitionInfo) else PartitionInfo(*one) for one in partitions_info
            ]
        columns = _columns(self._metadata, table, utc=True)
        for number, part in enumerate(_parts(parts, table, len(self._targets))):
            self._write(number, part, columns)

    def close(self, metadata_file_path: list[str] = []) -> memoryview:  # noqa: B006
        """End the files, which are there from now on.

        Parameters
        ----------
        metadata_file_path : list of str, default []
            What the files are called in the footer that is returned, one name for each.

        Returns
        -------
        memoryview
            The footer of all files as one where names are given, else empty.

        Raises
        ------
        ValueError
            For a writer that is closed already, and for other numbers of names than of files.

        Examples
        --------
        >>> import io
        >>> options = ChunkedParquetWriterOptions.builder(SinkInfo([io.BytesIO()])).build()
        >>> writer = ChunkedParquetWriter.from_options(options)
        >>> writer.write(Table([Column.from_iterable_of_py([1, 2])]))
        >>> FileMetaData.from_bytes(writer.close(["one.parquet"])).num_rows
        2
        """
        paths = texts("metadata_file_path", metadata_file_path)
        if paths and len(paths) != len(self._targets):
            raise ValueError(f"`metadata_file_path` has {len(paths)} paths for {len(self._targets)} files")
        look = (lambda path, number: _io.parquet_footer_of(path, paths[number])) if paths else None
        footers = self._close(look)
        return merge_row_group_metadata(footers) if footers else memoryview(b"")
