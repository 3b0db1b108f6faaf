"""Columns and the algorithms on them, without labels: the low-level package.

One module per family of algorithms, with the names and arguments of pylibcudf. What exists so far:

- `pylibcuprum.column`: `Column`, an immutable array of one type with nulls;
- `pylibcuprum.contiguous_split`: tables in one block of memory;
- `pylibcuprum.types`: `DType`, the type of a column;
- `pylibcuprum.interop`: columns from and to Arrow, NumPy and Python objects.

The families (``copying``, ``sorting``, ``groupby``, ``join`` and so on) are added with their issues;
until then the package ``cuprum`` is the way to them.
"""

from pylibcuprum import column, contiguous_split, interop, types
from pylibcuprum.column import Column
from pylibcuprum.types import DType

__all__ = ["Column", "DType", "column", "contiguous_split", "interop", "types"]
