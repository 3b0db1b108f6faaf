"""Pairs of rows, as gather maps.

A map is a column of row numbers (INT32, or INT64 where they do not fit). A side without a partner has the
smallest number of the type, which ``copying.gather`` turns into nulls with ``OutOfBoundsPolicy.NULLIFY``. Pairs
are in the order of left rows, then of right ones; without a partner come, of joins with a formula, left rows
behind them, and right rows at the end. NaN equals NaN, -0.0 equals 0.0.

Examples
--------
>>> left, right = [Column.from_iterable_of_py([1, 2, 3])], [Column.from_iterable_of_py([3, 1, 1])]
>>> [rows.to_pylist() for rows in inner_join(left, right, NullEquality.EQUAL)]
[[0, 0, 2], [1, 2, 0]]
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from cuprum._cuprum import Column, DeviceMemoryResource, Table
from cuprum._cuprum import _join as _rust
from pylibcuprum.expressions import Expression
from pylibcuprum.types import NullEquality
from pylibcuprum.utils import CudaStreamLike

if TYPE_CHECKING:
    from cuprum._cuprum import TableLike

__all__ = [
    "FilteredJoin",
    "conditional_full_join",
    "conditional_inner_join",
    "conditional_left_anti_join",
    "conditional_left_join",
    "conditional_left_semi_join",
    "cross_join",
    "full_join",
    "inner_join",
    "left_anti_join",
    "left_join",
    "left_semi_join",
    "mixed_full_join",
    "mixed_inner_join",
    "mixed_left_anti_join",
    "mixed_left_join",
    "mixed_left_semi_join",
]


class _Kind(IntEnum):
    """Kinds of joins."""

    INNER = 0
    LEFT = 1
    FULL = 2
    LEFT_SEMI = 3
    LEFT_ANTI = 4


class FilteredJoin:
    """The rows of a left table with or without a partner in a right one, which is kept for many left ones.

    ``load_factor`` is checked and no more: hash tables choose their own size.
    """

    def __init__(
        self,
        right: TableLike,
        compare_nulls: NullEquality,
        load_factor: float = 0.5,
        stream: CudaStreamLike | None = None,
    ) -> None:
        if not 0 < load_factor <= 1:
            raise ValueError(f"`load_factor` is {load_factor}, not between 0 and 1")
        self._right = right if isinstance(right, Table) else Table(list(right))
        self._nulls_equal = NullEquality(compare_nulls)

    def semi_join(
        self, left: TableLike, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
    ) -> Column:
        """Return the rows of ``left`` with a partner."""
        return left_semi_join(left, self._right, self._nulls_equal, stream, mr)

    def anti_join(
        self, left: TableLike, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
    ) -> Column:
        """Return the rows of ``left`` without a partner."""
        return left_anti_join(left, self._right, self._nulls_equal, stream, mr)


def inner_join(
    left_keys: TableLike,
    right_keys: TableLike,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return the gather maps (left, right) of equal keys."""
    return _rust.join(left_keys, right_keys, nulls_equal, _Kind.INNER, stream, mr)


def left_join(
    left_keys: TableLike,
    right_keys: TableLike,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return the gather maps (left, right) of equal keys, and of left rows without a partner."""
    return _rust.join(left_keys, right_keys, nulls_equal, _Kind.LEFT, stream, mr)


def full_join(
    left_keys: TableLike,
    right_keys: TableLike,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return the gather maps (left, right) of equal keys, and of rows without a partner on either side."""
    return _rust.join(left_keys, right_keys, nulls_equal, _Kind.FULL, stream, mr)


def left_semi_join(
    left_keys: TableLike,
    right_keys: TableLike,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the left rows with a partner, once each."""
    return _rust.join(left_keys, right_keys, nulls_equal, _Kind.LEFT_SEMI, stream, mr)[0]


def left_anti_join(
    left_keys: TableLike,
    right_keys: TableLike,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the left rows without a partner, once each."""
    return _rust.join(left_keys, right_keys, nulls_equal, _Kind.LEFT_ANTI, stream, mr)[0]


def cross_join(
    left: TableLike,
    right: TableLike,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return all pairs of rows: the columns of the left table, then those of the right one."""
    return _rust.cross_join(left, right, stream, mr)


def conditional_inner_join(
    left: TableLike,
    right: TableLike,
    binary_predicate: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return what `inner_join` does for pairs for which the formula is true."""
    return _rust.conditional_join(left, right, binary_predicate, _Kind.INNER, stream, mr)


def conditional_left_join(
    left: TableLike,
    right: TableLike,
    binary_predicate: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return what `left_join` does for pairs for which the formula is true."""
    return _rust.conditional_join(left, right, binary_predicate, _Kind.LEFT, stream, mr)


def conditional_full_join(
    left: TableLike,
    right: TableLike,
    binary_predicate: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return what `full_join` does for pairs for which the formula is true."""
    return _rust.conditional_join(left, right, binary_predicate, _Kind.FULL, stream, mr)


def conditional_left_semi_join(
    left: TableLike,
    right: TableLike,
    binary_predicate: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the left rows with a partner for which the formula is true."""
    return _rust.conditional_join(left, right, binary_predicate, _Kind.LEFT_SEMI, stream, mr)[0]


def conditional_left_anti_join(
    left: TableLike,
    right: TableLike,
    binary_predicate: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the left rows without a partner for which the formula is true."""
    return _rust.conditional_join(left, right, binary_predicate, _Kind.LEFT_ANTI, stream, mr)[0]


def mixed_inner_join(
    left_keys: TableLike,
    right_keys: TableLike,
    left_conditional: TableLike,
    right_conditional: TableLike,
    binary_predicate: Expression,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return what `inner_join` does for pairs of equal keys for which the formula is true."""
    return _rust.mixed_join(
        left_keys,
        right_keys,
        left_conditional,
        right_conditional,
        binary_predicate,
        nulls_equal,
        _Kind.INNER,
        stream,
        mr,
    )


def mixed_left_join(
    left_keys: TableLike,
    right_keys: TableLike,
    left_conditional: TableLike,
    right_conditional: TableLike,
    binary_predicate: Expression,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return what `left_join` does for pairs of equal keys for which the formula is true."""
    return _rust.mixed_join(
        left_keys,
        right_keys,
        left_conditional,
        right_conditional,
        binary_predicate,
        nulls_equal,
        _Kind.LEFT,
        stream,
        mr,
    )


def mixed_full_join(
    left_keys: TableLike,
    right_keys: TableLike,
    left_conditional: TableLike,
    right_conditional: TableLike,
    binary_predicate: Expression,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return what `full_join` does for pairs of equal keys for which the formula is true."""
    return _rust.mixed_join(
        left_keys,
        right_keys,
        left_conditional,
        right_conditional,
        binary_predicate,
        nulls_equal,
        _Kind.FULL,
        stream,
        mr,
    )


def mixed_left_semi_join(
    left_keys: TableLike,
    right_keys: TableLike,
    left_conditional: TableLike,
    right_conditional: TableLike,
    binary_predicate: Expression,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the left rows with a partner of equal keys for which the formula is true."""
    return _rust.mixed_join(
        left_keys,
        right_keys,
        left_conditional,
        right_conditional,
        binary_predicate,
        nulls_equal,
        _Kind.LEFT_SEMI,
        stream,
        mr,
    )[0]


def mixed_left_anti_join(
    left_keys: TableLike,
    right_keys: TableLike,
    left_conditional: TableLike,
    right_conditional: TableLike,
    binary_predicate: Expression,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the left rows without a partner of equal keys for which the formula is true."""
    return _rust.mixed_join(
        left_keys,
        right_keys,
        left_conditional,
        right_conditional,
        binary_predicate,
        nulls_equal,
        _Kind.LEFT_ANTI,
        stream,
        mr,
    )[0]
