"""Rows by their hashes or by a map: hash values, partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Table, _hashing
from cuprum.core.objects import wrap_series

if TYPE_CHECKING:
    from cuprum.core.series import Series

__all__ = ["row_hashes"]

# The methods that take a seed, and those that do not.
_SEEDED = {
    "murmur3": _hashing.murmurhash3_x86_32,
    "xxhash32": _hashing.xxhash_32,
    "xxhash64": _hashing.xxhash_64,
}


def row_hashes(frame: Any) -> Series:
    """Return a hash of each row, under its label; rows of other frames with equal values have equal ones."""
    handle = frame._handle
    series = [handle] if frame.ndim == 1 else [handle.column_at(at) for at in range(len(handle.columns()))]
    keys = Table([key for one in series for key in one.hash_keys()], len(frame))
    return wrap_series(_cuprum.Series(_SEEDED["murmur3"](keys, 0, None, None), None, handle.index()))
