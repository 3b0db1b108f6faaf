"""Columns and the algorithms on them, without labels: the low-level package.

One module per family of algorithms, with the names and arguments of pylibcudf. What exists so far:

- `pylibcuprum.column`, `pylibcuprum.table`, `pylibcuprum.scalar`: what algorithms take and give;
- `pylibcuprum.types`, `pylibcuprum.traits`: types of elements, and what can be asked of them;
- `pylibcuprum.column_factories`, `pylibcuprum.null_mask`: new columns and masks;
- `pylibcuprum.contiguous_split`: tables in one block of memory;
- `pylibcuprum.hashing`: hashes and digests of rows;
- `pylibcuprum.interop`: pandas, NumPy, DLPack, and what Arrow knows beyond columns;
- `pylibcuprum.io`: files of CSV, JSON, Parquet, ORC and Avro, texts, time zones;
- `pylibcuprum.gpumemoryview`: read-only memory of any device;
- `pylibcuprum.copying`, `pylibcuprum.concatenate`, `pylibcuprum.partitioning`: moving rows;
- `pylibcuprum.lists`, `pylibcuprum.strings`, `pylibcuprum.json`, `pylibcuprum.datetime`: lists, texts, parts
  of JSON texts and times, row by row;
- `pylibcuprum.nvtext`: tokens, n-grams, distances and sketches of texts;
- `pylibcuprum.unary`, `pylibcuprum.binaryop`, `pylibcuprum.round`, `pylibcuprum.expressions`,
  `pylibcuprum.transform`: values computed element by element;
- `pylibcuprum.replace`, `pylibcuprum.filling`, `pylibcuprum.reshape`, `pylibcuprum.transpose`,
  `pylibcuprum.labeling`: other values, other shapes;
- `pylibcuprum.sorting`, `pylibcuprum.search`, `pylibcuprum.merge`, `pylibcuprum.quantiles`: order;
- `pylibcuprum.stream_compaction`, `pylibcuprum.table_equality`: some of the rows, equal tables;
- `pylibcuprum.aggregation`, `pylibcuprum.reduce`, `pylibcuprum.groupby`, `pylibcuprum.join`,
  `pylibcuprum.rolling`: what a relational engine is for;
- `pylibcuprum.utilities`: what the library was built for;
- `pylibcuprum.utils`, `pylibcuprum.experimental`, `pylibcuprum.span`: streams, also of other libraries;
  memory.

Every function that allocates takes ``stream`` and ``mr``, of `cuprum.rmm`: the result is in memory of
``mr``, else of the current resource of the device of ``stream``, else on the device of the inputs, else
on the CPU.
"""

from pylibcuprum import (
    aggregation,
    binaryop,
    column,
    column_factories,
    concatenate,
    contiguous_split,
    copying,
    datetime,
    experimental,
    expressions,
    filling,
    groupby,
    hashing,
    interop,
    io,
    join,
    json,
    labeling,
    lists,
    merge,
    null_mask,
    nvtext,
    partitioning,
    quantiles,
    reduce,
    replace,
    reshape,
    rolling,
    round,
    scalar,
    search,
    sorting,
    span,
    stream_compaction,
    strings,
    table,
    table_equality,
    traits,
    transform,
    transpose,
    types,
    unary,
    utilities,
    utils,
)
from pylibcuprum.column import Column
from pylibcuprum.gpumemoryview import gpumemoryview
from pylibcuprum.scalar import Scalar
from pylibcuprum.table import Table
from pylibcuprum.types import DataType, TypeId

__all__ = [
    "Column",
    "DataType",
    "Scalar",
    "Table",
    "TypeId",
    "aggregation",
    "binaryop",
    "column",
    "column_factories",
    "concatenate",
    "contiguous_split",
    "copying",
    "datetime",
    "experimental",
    "expressions",
    "filling",
    "gpumemoryview",
    "groupby",
    "hashing",
    "interop",
    "io",
    "join",
    "json",
    "labeling",
    "lists",
    "merge",
    "null_mask",
    "nvtext",
    "partitioning",
    "quantiles",
    "reduce",
    "replace",
    "reshape",
    "rolling",
    "round",
    "scalar",
    "search",
    "sorting",
    "span",
    "stream_compaction",
    "strings",
    "table",
    "table_equality",
    "traits",
    "transform",
    "transpose",
    "types",
    "unary",
    "utilities",
    "utils",
]
