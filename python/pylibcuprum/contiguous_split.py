"""Tables in one block of memory: to send them elsewhere, or to write them out.

`pack` copies a table into one block and metadata, `unpack` gives it back without copying. Where there
is no memory for the whole block, `ChunkedPack` makes it in chunks. The format does not depend on the
device: see ``docs/design/packed-format.md``.

Where a table is asked for, a sequence of columns of one length will do.

Examples
--------
>>> from pylibcuprum import Column, Table
>>> table = Table([Column.from_iterable_of_py([1, 2, None]), Column.from_iterable_of_py(["a", "é", ""])])
>>> packed = pack(table)
>>> [column.to_pylist() for column in unpack(packed).columns()]
[[1, 2, None], ['a', 'é', '']]

Metadata and data are bytes, which any process can turn into a table again:

>>> metadata, data = packed.release()
>>> sent = bytes(metadata), bytes(data)
>>> unpack_from_memoryviews(*sent).shape()
(3, 2)
"""

from cuprum._cuprum import (
    ChunkedPack,
    PackedColumns,
    contiguous_split,
    pack,
    pack_metadata,
    unpack,
    unpack_from_memoryviews,
)

__all__ = [
    "ChunkedPack",
    "PackedColumns",
    "contiguous_split",
    "pack",
    "pack_metadata",
    "unpack",
    "unpack_from_memoryviews",
]
