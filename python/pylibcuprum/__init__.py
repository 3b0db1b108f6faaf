"""Columns and the algorithms on them, without labels: the low-level package.

One module per family of algorithms, with the names and arguments of pylibcudf. What exists so far:

- `pylibcuprum.column`, `pylibcuprum.table`, `pylibcuprum.scalar`: what algorithms take and give;
- `pylibcuprum.types`, `pylibcuprum.traits`: types of elements, and what can be asked of them;
- `pylibcuprum.column_factories`, `pylibcuprum.null_mask`: new columns and masks;
- `pylibcuprum.contiguous_split`: tables in one block of memory;
- `pylibcuprum.hashing`: hashes and digests of rows;
- `pylibcuprum.interop`: pandas, NumPy, DLPack, and what Arrow knows beyond columns;
- `pylibcuprum.gpumemoryview`: read-only memory of any device;
- `pylibcuprum.copying`, `pylibcuprum.concatenate`, `pylibcuprum.partitioning`: moving rows;
- `pylibcuprum.lists`: lists, row by row.

The other families (``sorting``, ``groupby``, ``join`` and so on) are to come; until then the package
``cuprum`` is the way to them.

Every function that allocates takes ``stream`` and ``mr``, of `cuprum.rmm`: the result is in memory of
``mr``, else of the current resource of the device of ``stream``, else on the device of the inputs, else
on the CPU.
"""

from pylibcuprum import (
    column,
    column_factories,
    concatenate,
    contiguous_split,
    copying,
    hashing,
    interop,
    lists,
    null_mask,
    partitioning,
    scalar,
    table,
    traits,
    types,
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
    "column",
    "column_factories",
    "concatenate",
    "contiguous_split",
    "copying",
    "gpumemoryview",
    "hashing",
    "interop",
    "lists",
    "null_mask",
    "partitioning",
    "scalar",
    "table",
    "traits",
    "types",
]
