"""Aggregations: what `reduce`, `groupby` and others compute of many values.

Nulls do not take part unless an aggregation says so. A NaN makes sums, means, variances and quantiles NaN;
for least and largest values it is the largest.

Examples
--------
>>> quantile([0.5]).kind()
<Kind.QUANTILE: 13>
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from cuprum._cuprum import DataType
from cuprum._cuprum import _reduce as _rust
from pylibcuprum.types import Interpolation, NanEquality, NullEquality, NullOrder, NullPolicy, Order

__all__ = [
    "Aggregation",
    "CorrelationType",
    "EWMHistory",
    "Kind",
    "RankMethod",
    "RankPercentage",
    "all",
    "any",
    "argmax",
    "argmin",
    "collect_list",
    "collect_set",
    "correlation",
    "count",
    "covariance",
    "ewma",
    "is_valid_aggregation",
    "m2",
    "max",
    "mean",
    "median",
    "merge_m2",
    "min",
    "nth_element",
    "nunique",
    "product",
    "quantile",
    "rank",
    "std",
    "sum",
    "sum_of_squares",
    "variance",
]


class Kind(IntEnum):
    """Kinds of aggregations."""

    SUM = 0
    PRODUCT = 1
    MIN = 2
    MAX = 3
    COUNT_VALID = 4
    COUNT_ALL = 5
    ANY = 6
    ALL = 7
    SUM_OF_SQUARES = 8
    MEAN = 9
    VARIANCE = 10
    STD = 11
    MEDIAN = 12
    QUANTILE = 13
    ARGMAX = 14
    ARGMIN = 15
    NUNIQUE = 16
    NTH_ELEMENT = 17
    RANK = 18
    COLLECT_LIST = 19
    COLLECT_SET = 20
    PTX = 21
    CUDA = 22
    CORRELATION = 23
    COVARIANCE = 24
    EWMA = 25
    M2 = 26
    MERGE_M2 = 27


class CorrelationType(IntEnum):
    """A kind of correlation."""

    PEARSON = 0
    KENDALL = 1
    SPEARMAN = 2


class EWMHistory(IntEnum):
    """Whether weights of an exponential mean end."""

    INFINITE = 0
    FINITE = 1


class RankMethod(IntEnum):
    """Ranks of equal elements."""

    FIRST = 0
    AVERAGE = 1
    MIN = 2
    MAX = 3
    DENSE = 4


class RankPercentage(IntEnum):
    """Whether ranks are shares, and of what."""

    NONE = 0
    ZERO_NORMALIZED = 1
    ONE_NORMALIZED = 2


class Aggregation:
    """A kind of aggregation with its parameters, which `reduce`, `groupby` and `rolling` take.

    The functions of this module make them; the class itself does not.

    Examples
    --------
    >>> variance(ddof=0)
    <Aggregation VARIANCE(ddof=0)>
    """

    def __init__(self) -> None:
        raise TypeError("an Aggregation is made by the functions of pylibcuprum.aggregation")

    def kind(self) -> Kind:
        """Return the kind of the aggregation.

        Returns
        -------
        Kind
            Member of `Kind`, without the parameters.

        Examples
        --------
        >>> sum().kind().name, count().kind().name
        ('SUM', 'COUNT_ALL')
        """
        return self._kind

    def __repr__(self) -> str:
        parameters = ", ".join(f"{name}={value!r}" for name, value in self._parameters.items())
        return f"<Aggregation {self._kind.name}({parameters})>"

    _kind: Kind
    _parameters: dict[str, object]


def _make(kind: Kind, **parameters: object) -> Aggregation:
    made = Aggregation.__new__(Aggregation)
    made._kind, made._parameters = kind, parameters
    return made


def sum() -> Aggregation:
    """Return an aggregation that adds up the values.

    Returns
    -------
    Aggregation
        Sum of the values that are not null.

    Notes
    -----
    Sums of integers wrap in 64 bits.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([1, None, 3]), sum(), DataType(TypeId.INT64)).to_py()
    4
    """
    return _make(Kind.SUM)


def product() -> Aggregation:
    """Return an aggregation that multiplies the values.

    Returns
    -------
    Aggregation
        Product of the values that are not null.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([2, None, 3]), product(), DataType(TypeId.INT64)).to_py()
    6
    """
    return _make(Kind.PRODUCT)


def min() -> Aggregation:
    """Return an aggregation that takes the smallest value.

    Returns
    -------
    Aggregation
        Smallest value that is not null.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([3, None, 1]), min(), DataType(TypeId.INT64)).to_py()
    1
    """
    return _make(Kind.MIN)


def max() -> Aggregation:
    """Return an aggregation that takes the largest value.

    Returns
    -------
    Aggregation
        Largest value that is not null; NaN is larger than all numbers.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([3, None, 1]), max(), DataType(TypeId.INT64)).to_py()
    3
    """
    return _make(Kind.MAX)


def count(null_handling: NullPolicy = NullPolicy.INCLUDE) -> Aggregation:
    """Return an aggregation that counts the rows or the values.

    Parameters
    ----------
    null_handling : NullPolicy, default NullPolicy.INCLUDE
        ``INCLUDE`` counts all rows, ``EXCLUDE`` those that are not null.

    Returns
    -------
    Aggregation
        Number of rows; 0 where there are none.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> column = Column.from_iterable_of_py([1, None, 3])
    >>> reduce(column, count(), DataType(TypeId.INT64)).to_py()
    3
    >>> reduce(column, count(NullPolicy.EXCLUDE), DataType(TypeId.INT64)).to_py()
    2
    """
    kind = Kind.COUNT_ALL if NullPolicy(null_handling) is NullPolicy.INCLUDE else Kind.COUNT_VALID
    return _make(kind)


def any() -> Aggregation:
    """Return an aggregation that asks whether some value is not zero.

    Returns
    -------
    Aggregation
        False where there are no values; nulls do not take part.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([0, None, 1]), any(), DataType(TypeId.BOOL8)).to_py()
    True
    """
    return _make(Kind.ANY)


def all() -> Aggregation:
    """Return an aggregation that asks whether no value is zero.

    Returns
    -------
    Aggregation
        True where there are no values; nulls do not take part.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([0, None, 1]), all(), DataType(TypeId.BOOL8)).to_py()
    False
    """
    return _make(Kind.ALL)


def sum_of_squares() -> Aggregation:
    """Return an aggregation that adds up the squares of the values.

    Returns
    -------
    Aggregation
        Sum of the squares of the values that are not null.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([1, None, 3]), sum_of_squares(), DataType(TypeId.INT64)).to_py()
    10
    """
    return _make(Kind.SUM_OF_SQUARES)


def mean() -> Aggregation:
    """Return an aggregation that computes the arithmetic mean.

    Returns
    -------
    Aggregation
        Mean of the values that are not null.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([1, None, 4]), mean(), DataType(TypeId.FLOAT64)).to_py()
    2.5
    """
    return _make(Kind.MEAN)


def variance(ddof: int = 1) -> Aggregation:
    """Return an aggregation that computes the variance.

    Parameters
    ----------
    ddof : int, default 1
        The delta degrees of freedom: the divisor is the number of values minus this.

    Returns
    -------
    Aggregation
        Variance of the values that are not null; null where the number of values minus ``ddof`` is not
        positive.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> column = Column.from_iterable_of_py([1, 2, 3, 4])
    >>> reduce(column, variance(ddof=0), DataType(TypeId.FLOAT64)).to_py()
    1.25
    >>> reduce(Column.from_iterable_of_py([1]), variance(), DataType(TypeId.FLOAT64)).is_valid()
    False
    """
    return _make(Kind.VARIANCE, ddof=ddof)


def std(ddof: int = 1) -> Aggregation:
    """Return an aggregation that computes the standard deviation.

    Parameters
    ----------
    ddof : int, default 1
        The delta degrees of freedom: the divisor is the number of values minus this.

    Returns
    -------
    Aggregation
        Square root of the variance of the values that are not null; null where that is null.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([2, 4, None]), std(ddof=0), DataType(TypeId.FLOAT64)).to_py()
    1.0
    """
    return _make(Kind.STD, ddof=ddof)


def median() -> Aggregation:
    """Return an aggregation that takes the value in the middle.

    Returns
    -------
    Aggregation
        Median of the values that are not null: of an even number the mean of both in the middle.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([1, None, 4]), median(), DataType(TypeId.FLOAT64)).to_py()
    2.5
    """
    return _make(Kind.MEDIAN)


def quantile(quantiles: Sequence[float], interp: Interpolation = Interpolation.LINEAR) -> Aggregation:
    """Return an aggregation that computes a quantile.

    Parameters
    ----------
    quantiles : sequence of float
        One fraction from 0 to 1; several are refused where the aggregation is computed.
    interp : Interpolation, default Interpolation.LINEAR
        What lies between two values: ``LINEAR``, ``LOWER``, ``HIGHER``, ``MIDPOINT`` or ``NEAREST``. Times
        have ``LINEAR`` alone.

    Returns
    -------
    Aggregation
        Quantile of the values that are not null.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> column = Column.from_iterable_of_py([1, 2, None, 4])
    >>> reduce(column, quantile([0.25]), DataType(TypeId.FLOAT64)).to_py()
    1.5
    >>> reduce(column, quantile([0.25], Interpolation.LOWER), DataType(TypeId.FLOAT64)).to_py()
    1.0
    """
    return _make(Kind.QUANTILE, quantiles=quantiles, interp=interp)


def argmax() -> Aggregation:
    """Return an aggregation that takes the row number of the largest value.

    Returns
    -------
    Aggregation
        Row number; of equal values the first one.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([3, None, 5, 5]), argmax(), DataType(TypeId.INT32)).to_py()
    2
    """
    return _make(Kind.ARGMAX)


def argmin() -> Aggregation:
    """Return an aggregation that takes the row number of the smallest value.

    Returns
    -------
    Aggregation
        Row number; of equal values the first one.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([3, 1, None, 1]), argmin(), DataType(TypeId.INT32)).to_py()
    1
    """
    return _make(Kind.ARGMIN)


def nunique(null_handling: NullPolicy = NullPolicy.EXCLUDE) -> Aggregation:
    """Return an aggregation that counts the distinct values.

    Parameters
    ----------
    null_handling : NullPolicy, default NullPolicy.EXCLUDE
        With ``INCLUDE`` null counts as one value.

    Returns
    -------
    Aggregation
        Number of distinct values.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> column = Column.from_iterable_of_py([1, None, 3, 3])
    >>> reduce(column, nunique(), DataType(TypeId.INT64)).to_py()
    2
    >>> reduce(column, nunique(NullPolicy.INCLUDE), DataType(TypeId.INT64)).to_py()
    3
    """
    return _make(Kind.NUNIQUE, null_handling=null_handling)


def nth_element(n: int, null_handling: NullPolicy = NullPolicy.INCLUDE) -> Aggregation:
    """Return an aggregation that takes the value at a position.

    Parameters
    ----------
    n : int
        Position from 0; a negative one counts from the end.
    null_handling : NullPolicy, default NullPolicy.INCLUDE
        With ``EXCLUDE`` nulls are not counted.

    Returns
    -------
    Aggregation
        The value, null for a null. A column that has no such row is an IndexError of ``reduce``.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> column = Column.from_iterable_of_py([1, None, 3, 4])
    >>> reduce(column, nth_element(-1), DataType(TypeId.INT64)).to_py()
    4
    >>> reduce(column, nth_element(1, NullPolicy.EXCLUDE), DataType(TypeId.INT64)).to_py()
    3
    """
    return _make(Kind.NTH_ELEMENT, n=n, null_handling=null_handling)


def collect_list(null_handling: NullPolicy = NullPolicy.INCLUDE) -> Aggregation:
    """Return an aggregation that makes a list of the values.

    Parameters
    ----------
    null_handling : NullPolicy, default NullPolicy.INCLUDE
        With ``EXCLUDE`` nulls are left out.

    Returns
    -------
    Aggregation
        List of the values in the order of their rows.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> column = Column.from_iterable_of_py([3, None, 3])
    >>> reduce(column, collect_list(), DataType(TypeId.LIST)).to_py()
    [3, None, 3]
    >>> reduce(column, collect_list(NullPolicy.EXCLUDE), DataType(TypeId.LIST)).to_py()
    [3, 3]
    """
    return _make(Kind.COLLECT_LIST, null_handling=null_handling)


def collect_set(
    null_handling: NullPolicy = NullPolicy.INCLUDE,
    nulls_equal: NullEquality = NullEquality.EQUAL,
    nans_equal: NanEquality = NanEquality.ALL_EQUAL,
) -> Aggregation:
    """Return an aggregation that makes a list of the distinct values.

    Parameters
    ----------
    null_handling : NullPolicy, default NullPolicy.INCLUDE
        With ``EXCLUDE`` nulls are left out.
    nulls_equal : NullEquality, default NullEquality.EQUAL
        Whether null equals null, so that the list has one at most.
    nans_equal : NanEquality, default NanEquality.ALL_EQUAL
        Whether NaN equals NaN.

    Returns
    -------
    Aggregation
        List of the distinct values in the order of their first rows.

    Examples
    --------
    >>> from pylibcuprum import Column, TypeId
    >>> from pylibcuprum.reduce import reduce
    >>> reduce(Column.from_iterable_of_py([3, None, 3, None]), collect_set(), DataType(TypeId.LIST)).to_py()
    [3, None]
    """
    return _make(
        Kind.COLLECT_SET, null_handling=null_handling, nulls_equal=nulls_equal, nans_equal=nans_equal
    )


def correlation(type: CorrelationType, min_periods: int) -> Aggregation:
    """Return an aggregation that correlates both fields of structs.

    Parameters
    ----------
    type : CorrelationType
        ``PEARSON``; the others are refused.
    min_periods : int
        Number of pairs without a null that are needed.

    Returns
    -------
    Aggregation
        FLOAT64; null for fewer than ``min_periods`` pairs.

    Raises
    ------
    NotImplementedError
        For other kinds than ``CorrelationType.PEARSON``.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> from pylibcuprum.groupby import GroupBy, GroupByRequest
    >>> pairs = Column.from_iterable_of_py([{"x": 1, "y": 2}, {"x": 2, "y": 4}, {"x": 9, "y": 9}])
    >>> groups = GroupBy([Column.from_iterable_of_py(["a", "a", "b"])])
    >>> request = GroupByRequest(pairs, [correlation(CorrelationType.PEARSON, 2)])
    >>> groups.aggregate([request])[1][0].columns()[0].to_pylist()
    [1.0, None]
    """
    if CorrelationType(type) is not CorrelationType.PEARSON:
        raise NotImplementedError(f"`type` is {type!r}; there is PEARSON")
    return _make(Kind.CORRELATION, min_periods=min_periods)


def covariance(min_periods: int, ddof: int) -> Aggregation:
    """Return an aggregation that computes the covariance of both fields of structs.

    Parameters
    ----------
    min_periods : int
        Number of pairs without a null that are needed.
    ddof : int
        The delta degrees of freedom: the divisor is the number of pairs minus this.

    Returns
    -------
    Aggregation
        FLOAT64; null for fewer than ``min_periods`` pairs.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> from pylibcuprum.groupby import GroupBy, GroupByRequest
    >>> pairs = Column.from_iterable_of_py([{"x": 1, "y": 2}, {"x": 2, "y": 4}, {"x": 9, "y": 9}])
    >>> groups = GroupBy([Column.from_iterable_of_py(["a", "a", "b"])])
    >>> groups.aggregate([GroupByRequest(pairs, [covariance(2, 1)])])[1][0].columns()[0].to_pylist()
    [1.0, None]
    """
    return _make(Kind.COVARIANCE, min_periods=min_periods, ddof=ddof)


def rank(
    method: RankMethod,
    column_order: Order = Order.ASCENDING,
    null_handling: NullPolicy = NullPolicy.EXCLUDE,
    null_precedence: NullOrder = NullOrder.AFTER,
    percentage: RankPercentage = RankPercentage.NONE,
) -> Aggregation:
    """Return an aggregation that numbers the values in their order, from 1.

    Parameters
    ----------
    method : RankMethod
        Rank of equal values: ``FIRST`` (by row), ``AVERAGE``, ``MIN``, ``MAX`` or ``DENSE`` (without gaps).
    column_order : Order, default Order.ASCENDING
        Whether the smallest (``ASCENDING``) or the largest value has rank 1.
    null_handling : NullPolicy, default NullPolicy.EXCLUDE
        With ``EXCLUDE`` nulls have no rank.
    null_precedence : NullOrder, default NullOrder.AFTER
        Whether nulls are smaller (``BEFORE``) or larger (``AFTER``) than all values.
    percentage : RankPercentage, default RankPercentage.NONE
        ``ONE_NORMALIZED`` gives shares of the largest rank; with ``ZERO_NORMALIZED`` both are one less.

    Returns
    -------
    Aggregation
        Aggregation of ``reduce.scan`` and ``GroupBy.scan``: FLOAT64 for ``AVERAGE`` and shares, else INT32.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> from pylibcuprum.reduce import ScanType, scan
    >>> scores = Column.from_iterable_of_py([10, 20, 10, None])
    >>> scan(scores, rank(RankMethod.MIN), ScanType.INCLUSIVE).to_pylist()
    [1, 3, 1, None]
    >>> shares = rank(RankMethod.MAX, percentage=RankPercentage.ZERO_NORMALIZED)
    >>> scan(scores, shares, ScanType.INCLUSIVE).to_pylist()
    [0.5, 1.0, 0.5, None]
    """
    return _make(
        Kind.RANK,
        method=method,
        column_order=column_order,
        null_handling=null_handling,
        null_precedence=null_precedence,
        percentage=percentage,
    )


def ewma(center_of_mass: float, history: EWMHistory) -> Aggregation:
    """Return an aggregation that computes exponentially weighted means.

    Parameters
    ----------
    center_of_mass : float
        A weight is ``center_of_mass / (1 + center_of_mass)`` of the next one.
    history : EWMHistory
        With ``FINITE`` the weights begin with the first value; with ``INFINITE`` that stands for all before
        it.

    Returns
    -------
    Aggregation
        Aggregation of ``reduce.scan``: FLOAT64, the mean of the values up to each row; for a null that of the
        rows before.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> from pylibcuprum.reduce import ScanType, scan
    >>> values = Column.from_iterable_of_py([1.0, 2.0, None, 4.0])
    >>> scan(values, ewma(1.0, EWMHistory.INFINITE), ScanType.INCLUSIVE).to_pylist()
    [1.0, 1.5, 1.5, 3.375]
    """
    return _make(Kind.EWMA, center_of_mass=center_of_mass, history=history)


def m2() -> Aggregation:
    """Return an aggregation that adds up the squared deviations from the mean.

    Returns
    -------
    Aggregation
        Aggregation of groups: FLOAT64. With counts and means it is what `merge_m2` takes.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> from pylibcuprum.groupby import GroupBy, GroupByRequest
    >>> values = Column.from_iterable_of_py([1, 3, 9])
    >>> groups = GroupBy([Column.from_iterable_of_py(["a", "a", "b"])])
    >>> groups.aggregate([GroupByRequest(values, [m2()])])[1][0].columns()[0].to_pylist()
    [2.0, 0.0]
    """
    return _make(Kind.M2)


def merge_m2() -> Aggregation:
    """Return an aggregation that merges counts, means and `m2` of parts into those of the whole.

    Returns
    -------
    Aggregation
        Aggregation of groups of structs of a count, a mean and an `m2`: one such struct, as if of all values
        at once.

    Examples
    --------
    >>> from pylibcuprum import Column
    >>> from pylibcuprum.groupby import GroupBy, GroupByRequest
    >>> parts = [{"count": 2, "mean": 1.0, "m2": 2.0}, {"count": 1, "mean": 4.0, "m2": 0.0}]
    >>> groups = GroupBy([Column.from_iterable_of_py(["a", "a"])])
    >>> request = GroupByRequest(Column.from_iterable_of_py(parts), [merge_m2()])
    >>> groups.aggregate([request])[1][0].columns()[0].to_pylist()
    [{'0': 3, '1': 2.0, '2': 8.0}]
    """
    return _make(Kind.MERGE_M2)


def is_valid_aggregation(source: DataType, agg: Aggregation) -> bool:
    """Return whether groups of values of a type have an aggregation.

    Parameters
    ----------
    source : DataType
        Type of the values.
    agg : Aggregation
        The aggregation that is asked about.

    Returns
    -------
    bool
        False where ``GroupBy.aggregate`` refuses the aggregation.

    Examples
    --------
    >>> from pylibcuprum import TypeId
    >>> is_valid_aggregation(DataType(TypeId.STRING), max())
    True
    >>> is_valid_aggregation(DataType(TypeId.STRING), mean())
    False
    """
    return _rust.is_valid_aggregation(source, agg)
