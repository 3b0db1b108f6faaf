"""Pairs of rows, as gather maps.

A map is a column of row numbers (INT32, or INT64 where they do not fit). A side without a partner has the
smallest number of the type, which ``copying.gather`` turns into nulls with ``OutOfBoundsPolicy.NULLIFY``.
Pairs are in the order of left rows, then of right ones; without a partner come, of joins with a formula, left
rows behind them, and right rows at the end. NaN equals NaN, -0.0 equals 0.0.

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
    """The rows of left tables with or without a partner in one right table, which is kept for many left ones.

    Parameters
    ----------
    right : Table or sequence of Column
        Keys of the right rows.
    compare_nulls : NullEquality
        Whether null equals null.
    load_factor : float, default 0.5
        A number above 0 up to 1, which is checked and no more: hash tables choose their own size.
    stream : Stream or object with ``__cuda_stream__``, optional
        Of no effect: work begins with the first join.

    Raises
    ------
    ValueError
        For a ``load_factor`` that is out of range.

    Examples
    --------
    >>> kept = FilteredJoin([Column.from_iterable_of_py([2, 3])], NullEquality.EQUAL)
    >>> left = [Column.from_iterable_of_py([1, 2])]
    >>> kept.semi_join(left).to_pylist(), kept.anti_join(left).to_pylist()
    ([1], [0])
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
        """Return the numbers of the left rows with a partner.

        Parameters
        ----------
        left : Table or sequence of Column
            Keys of the left rows, with columns of the types of the right ones.
        stream : Stream or object with ``__cuda_stream__``, optional
            Stream that the work is given to; by default the thread's own stream of the device.
        mr : DeviceMemoryResource, optional
            Memory of the result; by default the current resource of the stream's or the inputs' device.

        Returns
        -------
        Column
            Gather map of the left rows in their order, once each.

        Raises
        ------
        TypeError
            Where keys differ in type.

        Examples
        --------
        >>> kept = FilteredJoin([Column.from_iterable_of_py([2, 2, None])], NullEquality.EQUAL)
        >>> kept.semi_join([Column.from_iterable_of_py([1, 2, None])]).to_pylist()
        [1, 2]
        """
        return left_semi_join(left, self._right, self._nulls_equal, stream, mr)

    def anti_join(
        self, left: TableLike, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
    ) -> Column:
        """Return the numbers of the left rows without a partner.

        Parameters
        ----------
        left : Table or sequence of Column
            Keys of the left rows, with columns of the types of the right ones.
        stream : Stream or object with ``__cuda_stream__``, optional
            Stream that the work is given to; by default the thread's own stream of the device.
        mr : DeviceMemoryResource, optional
            Memory of the result; by default the current resource of the stream's or the inputs' device.

        Returns
        -------
        Column
            Gather map of the left rows in their order, once each.

        Raises
        ------
        TypeError
            Where keys differ in type.

        Examples
        --------
        >>> kept = FilteredJoin([Column.from_iterable_of_py([2, 2, None])], NullEquality.UNEQUAL)
        >>> kept.anti_join([Column.from_iterable_of_py([1, 2, None])]).to_pylist()
        [0, 2]
        """
        return left_anti_join(left, self._right, self._nulls_equal, stream, mr)


def inner_join(
    left_keys: TableLike,
    right_keys: TableLike,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return the pairs of left and right rows with equal keys.

    Parameters
    ----------
    left_keys : Table or sequence of Column
        Keys of the left rows, at least one column.
    right_keys : Table or sequence of Column
        Keys of the right rows, with columns of the same types.
    nulls_equal : NullEquality
        Whether null equals null; with ``UNEQUAL`` a row with a null key has no partner.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Column and Column
        Gather maps of the left and the right rows of each pair, in the order of left rows, then of right
        ones.

    Raises
    ------
    TypeError
        Where keys differ in type.
    ValueError
        Without keys.

    Examples
    --------
    >>> left, right = [Column.from_iterable_of_py([1, 2, None])], [Column.from_iterable_of_py([2, 3, None])]
    >>> [rows.to_pylist() for rows in inner_join(left, right, NullEquality.EQUAL)]
    [[1, 2], [0, 2]]

    >>> [rows.to_pylist() for rows in inner_join(left, right, NullEquality.UNEQUAL)]
    [[1], [0]]
    """
    return _rust.join(left_keys, right_keys, nulls_equal, _Kind.INNER, stream, mr)


def left_join(
    left_keys: TableLike,
    right_keys: TableLike,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return the pairs of left and right rows with equal keys, and left rows without a partner.

    Parameters
    ----------
    left_keys : Table or sequence of Column
        Keys of the left rows, at least one column.
    right_keys : Table or sequence of Column
        Keys of the right rows, with columns of the same types.
    nulls_equal : NullEquality
        Whether null equals null; with ``UNEQUAL`` a row with a null key has no partner.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Column and Column
        Gather maps of the left and the right rows of each pair, in the order of left rows, then of right
        ones; the smallest number of the type stands for a missing partner.

    Raises
    ------
    TypeError
        Where keys differ in type.
    ValueError
        Without keys.

    Examples
    --------
    >>> left, right = [Column.from_iterable_of_py([1, 2, None])], [Column.from_iterable_of_py([2, 3, None])]
    >>> [rows.to_pylist() for rows in left_join(left, right, NullEquality.EQUAL)]
    [[0, 1, 2], [-2147483648, 0, 2]]

    >>> from pylibcuprum.copying import OutOfBoundsPolicy, gather
    >>> _, rows = left_join(left, right, NullEquality.UNEQUAL)
    >>> gather(right, rows, OutOfBoundsPolicy.NULLIFY).columns()[0].to_pylist()
    [None, 2, None]
    """
    return _rust.join(left_keys, right_keys, nulls_equal, _Kind.LEFT, stream, mr)


def full_join(
    left_keys: TableLike,
    right_keys: TableLike,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return the pairs of left and right rows with equal keys, and rows without a partner on either side.

    Parameters
    ----------
    left_keys : Table or sequence of Column
        Keys of the left rows, at least one column.
    right_keys : Table or sequence of Column
        Keys of the right rows, with columns of the same types.
    nulls_equal : NullEquality
        Whether null equals null; with ``UNEQUAL`` a row with a null key has no partner.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Column and Column
        Gather maps of the left and the right rows of each pair, in the order of left rows, then of right
        ones, with right rows without a partner at the end; the smallest number of the type stands for a
        missing partner.

    Raises
    ------
    TypeError
        Where keys differ in type.
    ValueError
        Without keys.

    Examples
    --------
    >>> left, right = [Column.from_iterable_of_py([1, 2, None])], [Column.from_iterable_of_py([2, 3, None])]
    >>> [rows.to_pylist() for rows in full_join(left, right, NullEquality.EQUAL)]
    [[0, 1, 2, -2147483648], [-2147483648, 0, 2, 1]]
    """
    return _rust.join(left_keys, right_keys, nulls_equal, _Kind.FULL, stream, mr)


def left_semi_join(
    left_keys: TableLike,
    right_keys: TableLike,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the numbers of the left rows with a partner.

    Parameters
    ----------
    left_keys : Table or sequence of Column
        Keys of the left rows, at least one column.
    right_keys : Table or sequence of Column
        Keys of the right rows, with columns of the same types.
    nulls_equal : NullEquality
        Whether null equals null; with ``UNEQUAL`` a row with a null key has no partner.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Gather map of the left rows in their order, once each.

    Raises
    ------
    TypeError
        Where keys differ in type.
    ValueError
        Without keys.

    Examples
    --------
    >>> left, right = [Column.from_iterable_of_py([1, 2, None])], [Column.from_iterable_of_py([2, 3, None])]
    >>> left_semi_join(left, right, NullEquality.EQUAL).to_pylist()
    [1, 2]

    >>> left_semi_join(left, right, NullEquality.UNEQUAL).to_pylist()
    [1]
    """
    return _rust.join(left_keys, right_keys, nulls_equal, _Kind.LEFT_SEMI, stream, mr)[0]


def left_anti_join(
    left_keys: TableLike,
    right_keys: TableLike,
    nulls_equal: NullEquality,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the numbers of the left rows without a partner.

    Parameters
    ----------
    left_keys : Table or sequence of Column
        Keys of the left rows, at least one column.
    right_keys : Table or sequence of Column
        Keys of the right rows, with columns of the same types.
    nulls_equal : NullEquality
        Whether null equals null; with ``UNEQUAL`` a row with a null key has no partner.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Gather map of the left rows in their order, once each.

    Raises
    ------
    TypeError
        Where keys differ in type.
    ValueError
        Without keys.

    Examples
    --------
    >>> left, right = [Column.from_iterable_of_py([1, 2, None])], [Column.from_iterable_of_py([2, 3, None])]
    >>> left_anti_join(left, right, NullEquality.EQUAL).to_pylist()
    [0]

    >>> left_anti_join(left, right, NullEquality.UNEQUAL).to_pylist()
    [0, 2]
    """
    return _rust.join(left_keys, right_keys, nulls_equal, _Kind.LEFT_ANTI, stream, mr)[0]


def cross_join(
    left: TableLike,
    right: TableLike,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Table:
    """Return all pairs of rows of two tables.

    Parameters
    ----------
    left : Table or sequence of Column
        Left table.
    right : Table or sequence of Column
        Right table.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Table
        The columns of the left table, then those of the right one; for each left row all right ones.

    Examples
    --------
    >>> pairs = cross_join([Column.from_iterable_of_py([1, 2])], [Column.from_iterable_of_py(["a", "b"])])
    >>> [column.to_pylist() for column in pairs.columns()]
    [[1, 1, 2, 2], ['a', 'b', 'a', 'b']]
    """
    return _rust.cross_join(left, right, stream, mr)


def conditional_inner_join(
    left: TableLike,
    right: TableLike,
    binary_predicate: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return the pairs of left and right rows for which a formula is true.

    Parameters
    ----------
    left : Table or sequence of Column
        Left table.
    right : Table or sequence of Column
        Right table.
    binary_predicate : Expression
        Formula with a boolean result over columns of the ``LEFT`` and the ``RIGHT`` table, see
        `pylibcuprum.expressions`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Column and Column
        Gather maps of the left and the right rows of each pair, in the order of left rows, then of right
        ones.

    Raises
    ------
    TypeError
        Where the formula does not give booleans.

    Notes
    -----
    The formula is computed for all pairs of rows, some at a time. A pair for which it is null is none.

    Examples
    --------
    >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Operation, TableReference
    >>> formula = Operation(ASTOperator.LESS, ColumnReference(0), ColumnReference(0, TableReference.RIGHT))
    >>> left, right = [Column.from_iterable_of_py([1, 2, None])], [Column.from_iterable_of_py([1, 2])]
    >>> [rows.to_pylist() for rows in conditional_inner_join(left, right, formula)]
    [[0], [1]]
    """
    return _rust.conditional_join(left, right, binary_predicate, _Kind.INNER, stream, mr)


def conditional_left_join(
    left: TableLike,
    right: TableLike,
    binary_predicate: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return the pairs of rows for which a formula is true, and left rows without a partner.

    Parameters
    ----------
    left : Table or sequence of Column
        Left table.
    right : Table or sequence of Column
        Right table.
    binary_predicate : Expression
        Formula with a boolean result over columns of the ``LEFT`` and the ``RIGHT`` table, see
        `pylibcuprum.expressions`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Column and Column
        Gather maps of the left and the right rows of each pair, in the order of left rows, with left rows
        without a partner behind them; the smallest number of the type stands for a missing partner.

    Raises
    ------
    TypeError
        Where the formula does not give booleans.

    Notes
    -----
    The formula is computed for all pairs of rows, some at a time. A pair for which it is null is none.

    Examples
    --------
    >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Operation, TableReference
    >>> formula = Operation(ASTOperator.LESS, ColumnReference(0), ColumnReference(0, TableReference.RIGHT))
    >>> left, right = [Column.from_iterable_of_py([1, 2, None])], [Column.from_iterable_of_py([1, 2])]
    >>> [rows.to_pylist() for rows in conditional_left_join(left, right, formula)]
    [[0, 1, 2], [1, -2147483648, -2147483648]]
    """
    return _rust.conditional_join(left, right, binary_predicate, _Kind.LEFT, stream, mr)


def conditional_full_join(
    left: TableLike,
    right: TableLike,
    binary_predicate: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> tuple[Column, Column]:
    """Return the pairs of rows for which a formula is true, and rows without a partner on either side.

    Parameters
    ----------
    left : Table or sequence of Column
        Left table.
    right : Table or sequence of Column
        Right table.
    binary_predicate : Expression
        Formula with a boolean result over columns of the ``LEFT`` and the ``RIGHT`` table, see
        `pylibcuprum.expressions`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Column and Column
        Gather maps of the left and the right rows of each pair, in the order of left rows, with left rows
        without a partner behind them and right ones at the end; the smallest number of the type stands for a
        missing partner.

    Raises
    ------
    TypeError
        Where the formula does not give booleans.

    Notes
    -----
    The formula is computed for all pairs of rows, some at a time. A pair for which it is null is none.

    Examples
    --------
    >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Operation, TableReference
    >>> formula = Operation(ASTOperator.LESS, ColumnReference(0), ColumnReference(0, TableReference.RIGHT))
    >>> left, right = [Column.from_iterable_of_py([1, 2, None])], [Column.from_iterable_of_py([1, 2])]
    >>> [rows.to_pylist() for rows in conditional_full_join(left, right, formula)]
    [[0, 1, 2, -2147483648], [1, -2147483648, -2147483648, 0]]
    """
    return _rust.conditional_join(left, right, binary_predicate, _Kind.FULL, stream, mr)


def conditional_left_semi_join(
    left: TableLike,
    right: TableLike,
    binary_predicate: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the numbers of the left rows with a partner for which a formula is true.

    Parameters
    ----------
    left : Table or sequence of Column
        Left table.
    right : Table or sequence of Column
        Right table.
    binary_predicate : Expression
        Formula with a boolean result over columns of the ``LEFT`` and the ``RIGHT`` table, see
        `pylibcuprum.expressions`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Gather map of the left rows in their order, once each.

    Raises
    ------
    TypeError
        Where the formula does not give booleans.

    Examples
    --------
    >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Operation, TableReference
    >>> formula = Operation(ASTOperator.LESS, ColumnReference(0), ColumnReference(0, TableReference.RIGHT))
    >>> left, right = [Column.from_iterable_of_py([1, 2, None])], [Column.from_iterable_of_py([1, 2])]
    >>> conditional_left_semi_join(left, right, formula).to_pylist()
    [0]
    """
    return _rust.conditional_join(left, right, binary_predicate, _Kind.LEFT_SEMI, stream, mr)[0]


def conditional_left_anti_join(
    left: TableLike,
    right: TableLike,
    binary_predicate: Expression,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the numbers of the left rows without a partner for which a formula is true.

    Parameters
    ----------
    left : Table or sequence of Column
        Left table.
    right : Table or sequence of Column
        Right table.
    binary_predicate : Expression
        Formula with a boolean result over columns of the ``LEFT`` and the ``RIGHT`` table, see
        `pylibcuprum.expressions`.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Gather map of the left rows in their order, once each.

    Raises
    ------
    TypeError
        Where the formula does not give booleans.

    Examples
    --------
    >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Operation, TableReference
    >>> formula = Operation(ASTOperator.LESS, ColumnReference(0), ColumnReference(0, TableReference.RIGHT))
    >>> left, right = [Column.from_iterable_of_py([1, 2, None])], [Column.from_iterable_of_py([1, 2])]
    >>> conditional_left_anti_join(left, right, formula).to_pylist()
    [1, 2]
    """
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
    """Return the pairs of rows with equal keys for which a formula is true.

    Parameters
    ----------
    left_keys : Table or sequence of Column
        Keys of the left rows, at least one column.
    right_keys : Table or sequence of Column
        Keys of the right rows, with columns of the same types.
    left_conditional : Table or sequence of Column
        Left columns of the formula, a row for each left key.
    right_conditional : Table or sequence of Column
        Right columns of the formula, a row for each right key.
    binary_predicate : Expression
        Formula with a boolean result over columns of the ``LEFT`` and the ``RIGHT`` table, see
        `pylibcuprum.expressions`.
    nulls_equal : NullEquality
        Whether null equals null; with ``UNEQUAL`` a row with a null key has no partner.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Column and Column
        Gather maps of the left and the right rows of each pair, in the order of left rows, then of right
        ones.

    Raises
    ------
    TypeError
        Where keys differ in type, and where the formula does not give booleans.

    Examples
    --------
    >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Operation, TableReference
    >>> formula = Operation(ASTOperator.LESS, ColumnReference(0), ColumnReference(0, TableReference.RIGHT))
    >>> names, amounts = [Column.from_iterable_of_py(["a", "b"])], [Column.from_iterable_of_py([1, 5])]
    >>> limits = [Column.from_iterable_of_py([2, 3])]
    >>> maps = mixed_inner_join(names, names, amounts, limits, formula, NullEquality.EQUAL)
    >>> [rows.to_pylist() for rows in maps]
    [[0], [0]]
    """
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
    """Return the pairs of rows with equal keys for which a formula is true, and left rows without a partner.

    Parameters
    ----------
    left_keys : Table or sequence of Column
        Keys of the left rows, at least one column.
    right_keys : Table or sequence of Column
        Keys of the right rows, with columns of the same types.
    left_conditional : Table or sequence of Column
        Left columns of the formula, a row for each left key.
    right_conditional : Table or sequence of Column
        Right columns of the formula, a row for each right key.
    binary_predicate : Expression
        Formula with a boolean result over columns of the ``LEFT`` and the ``RIGHT`` table, see
        `pylibcuprum.expressions`.
    nulls_equal : NullEquality
        Whether null equals null; with ``UNEQUAL`` a row with a null key has no partner.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Column and Column
        Gather maps of the left and the right rows of each pair, in the order of left rows, with left rows
        without a partner behind them; the smallest number of the type stands for a missing partner.

    Raises
    ------
    TypeError
        Where keys differ in type, and where the formula does not give booleans.

    Examples
    --------
    >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Operation, TableReference
    >>> formula = Operation(ASTOperator.LESS, ColumnReference(0), ColumnReference(0, TableReference.RIGHT))
    >>> names, amounts = [Column.from_iterable_of_py(["a", "b"])], [Column.from_iterable_of_py([1, 5])]
    >>> limits = [Column.from_iterable_of_py([2, 3])]
    >>> maps = mixed_left_join(names, names, amounts, limits, formula, NullEquality.EQUAL)
    >>> [rows.to_pylist() for rows in maps]
    [[0, 1], [0, -2147483648]]
    """
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
    """Return the pairs of rows with equal keys for which a formula is true, and the rows without a partner.

    Parameters
    ----------
    left_keys : Table or sequence of Column
        Keys of the left rows, at least one column.
    right_keys : Table or sequence of Column
        Keys of the right rows, with columns of the same types.
    left_conditional : Table or sequence of Column
        Left columns of the formula, a row for each left key.
    right_conditional : Table or sequence of Column
        Right columns of the formula, a row for each right key.
    binary_predicate : Expression
        Formula with a boolean result over columns of the ``LEFT`` and the ``RIGHT`` table, see
        `pylibcuprum.expressions`.
    nulls_equal : NullEquality
        Whether null equals null; with ``UNEQUAL`` a row with a null key has no partner.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    tuple of Column and Column
        Gather maps of the left and the right rows of each pair, in the order of left rows, with left rows
        without a partner behind them and right ones at the end; the smallest number of the type stands for a
        missing partner.

    Raises
    ------
    TypeError
        Where keys differ in type, and where the formula does not give booleans.

    Examples
    --------
    >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Operation, TableReference
    >>> formula = Operation(ASTOperator.LESS, ColumnReference(0), ColumnReference(0, TableReference.RIGHT))
    >>> names, amounts = [Column.from_iterable_of_py(["a", "b"])], [Column.from_iterable_of_py([1, 5])]
    >>> limits = [Column.from_iterable_of_py([2, 3])]
    >>> maps = mixed_full_join(names, names, amounts, limits, formula, NullEquality.EQUAL)
    >>> [rows.to_pylist() for rows in maps]
    [[0, 1, -2147483648], [0, -2147483648, 1]]
    """
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
    """Return the numbers of the left rows with a partner of equal keys for which a formula is true.

    Parameters
    ----------
    left_keys : Table or sequence of Column
        Keys of the left rows, at least one column.
    right_keys : Table or sequence of Column
        Keys of the right rows, with columns of the same types.
    left_conditional : Table or sequence of Column
        Left columns of the formula, a row for each left key.
    right_conditional : Table or sequence of Column
        Right columns of the formula, a row for each right key.
    binary_predicate : Expression
        Formula with a boolean result over columns of the ``LEFT`` and the ``RIGHT`` table, see
        `pylibcuprum.expressions`.
    nulls_equal : NullEquality
        Whether null equals null; with ``UNEQUAL`` a row with a null key has no partner.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Gather map of the left rows in their order, once each.

    Raises
    ------
    TypeError
        Where keys differ in type, and where the formula does not give booleans.

    Examples
    --------
    >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Operation, TableReference
    >>> formula = Operation(ASTOperator.LESS, ColumnReference(0), ColumnReference(0, TableReference.RIGHT))
    >>> names, amounts = [Column.from_iterable_of_py(["a", "b"])], [Column.from_iterable_of_py([1, 5])]
    >>> limits = [Column.from_iterable_of_py([2, 3])]
    >>> mixed_left_semi_join(names, names, amounts, limits, formula, NullEquality.EQUAL).to_pylist()
    [0]
    """
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
    """Return the numbers of the left rows without a partner of equal keys for which a formula is true.

    Parameters
    ----------
    left_keys : Table or sequence of Column
        Keys of the left rows, at least one column.
    right_keys : Table or sequence of Column
        Keys of the right rows, with columns of the same types.
    left_conditional : Table or sequence of Column
        Left columns of the formula, a row for each left key.
    right_conditional : Table or sequence of Column
        Right columns of the formula, a row for each right key.
    binary_predicate : Expression
        Formula with a boolean result over columns of the ``LEFT`` and the ``RIGHT`` table, see
        `pylibcuprum.expressions`.
    nulls_equal : NullEquality
        Whether null equals null; with ``UNEQUAL`` a row with a null key has no partner.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        Gather map of the left rows in their order, once each.

    Raises
    ------
    TypeError
        Where keys differ in type, and where the formula does not give booleans.

    Examples
    --------
    >>> from pylibcuprum.expressions import ASTOperator, ColumnReference, Operation, TableReference
    >>> formula = Operation(ASTOperator.LESS, ColumnReference(0), ColumnReference(0, TableReference.RIGHT))
    >>> names, amounts = [Column.from_iterable_of_py(["a", "b"])], [Column.from_iterable_of_py([1, 5])]
    >>> limits = [Column.from_iterable_of_py([2, 3])]
    >>> mixed_left_anti_join(names, names, amounts, limits, formula, NullEquality.EQUAL).to_pylist()
    [1]
    """
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
