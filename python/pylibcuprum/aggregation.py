"""Aggregations: what `reduce`, `groupby` and others compute of many values.

Nulls do not take part unless an aggregation says so. A NaN makes sums, means, variances and quantiles NaN; for
least and largest values it is the largest.

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
    """An aggregation; the functions of this module make them."""

    def __init__(self) -> None:
        raise TypeError("an Aggregation is made by the functions of pylibcuprum.aggregation")

    def kind(self) -> Kind:
        """Return what it computes."""
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
    """Return the sum."""
    return _make(Kind.SUM)


def product() -> Aggregation:
    """Return the product."""
    return _make(Kind.PRODUCT)


def min() -> Aggregation:
    """Return the smallest value."""
    return _make(Kind.MIN)


def max() -> Aggregation:
    """Return the largest value."""
    return _make(Kind.MAX)


def count(null_handling: NullPolicy = NullPolicy.INCLUDE) -> Aggregation:
    """Return the number of values, or of rows with ``NullPolicy.INCLUDE``."""
    kind = Kind.COUNT_ALL if NullPolicy(null_handling) is NullPolicy.INCLUDE else Kind.COUNT_VALID
    return _make(kind)


def any() -> Aggregation:
    """Return whether some value is not zero."""
    return _make(Kind.ANY)


def all() -> Aggregation:
    """Return whether no value is zero."""
    return _make(Kind.ALL)


def sum_of_squares() -> Aggregation:
    """Return the sum of squares."""
    return _make(Kind.SUM_OF_SQUARES)


def mean() -> Aggregation:
    """Return the arithmetic mean."""
    return _make(Kind.MEAN)


def variance(ddof: int = 1) -> Aggregation:
    """Return the squared deviations divided by their number minus ``ddof``; null where that is not positive."""
    return _make(Kind.VARIANCE, ddof=ddof)


def std(ddof: int = 1) -> Aggregation:
    """Return the square root of the variance."""
    return _make(Kind.STD, ddof=ddof)


def median() -> Aggregation:
    """Return the value in the middle, or the mean of both."""
    return _make(Kind.MEDIAN)


def quantile(quantiles: Sequence[float], interp: Interpolation = Interpolation.LINEAR) -> Aggregation:
    """Return the quantile at a fraction; of several fractions there is none, of times with linear interpolation alone."""
    return _make(Kind.QUANTILE, quantiles=quantiles, interp=interp)


def argmax() -> Aggregation:
    """Return the row of the largest value."""
    return _make(Kind.ARGMAX)


def argmin() -> Aggregation:
    """Return the row of the smallest value."""
    return _make(Kind.ARGMIN)


def nunique(null_handling: NullPolicy = NullPolicy.EXCLUDE) -> Aggregation:
    """Return the number of distinct values, of which null is one with ``NullPolicy.INCLUDE``."""
    return _make(Kind.NUNIQUE, null_handling=null_handling)


def nth_element(n: int, null_handling: NullPolicy = NullPolicy.INCLUDE) -> Aggregation:
    """Return value ``n``, from the end where it is negative; of those that are not null with ``NullPolicy.EXCLUDE``."""
    return _make(Kind.NTH_ELEMENT, n=n, null_handling=null_handling)


def collect_list(null_handling: NullPolicy = NullPolicy.INCLUDE) -> Aggregation:
    """Return all values as a list, nulls among them with ``NullPolicy.INCLUDE``."""
    return _make(Kind.COLLECT_LIST, null_handling=null_handling)


def collect_set(
    null_handling: NullPolicy = NullPolicy.INCLUDE,
    nulls_equal: NullEquality = NullEquality.EQUAL,
    nans_equal: NanEquality = NanEquality.ALL_EQUAL,
) -> Aggregation:
    """Return the distinct values as a list, in the order of their first rows."""
    return _make(
        Kind.COLLECT_SET, null_handling=null_handling, nulls_equal=nulls_equal, nans_equal=nans_equal
    )


def correlation(type: CorrelationType, min_periods: int) -> Aggregation:
    """Return the correlation of both fields of structs; null for fewer than ``min_periods`` pairs without a null.

    Raises
    ------
    NotImplementedError
        For other kinds than ``CorrelationType.PEARSON``.
    """
    if CorrelationType(type) is not CorrelationType.PEARSON:
        raise NotImplementedError(f"`type` is {type!r}; there is PEARSON")
    return _make(Kind.CORRELATION, min_periods=min_periods)


def covariance(min_periods: int, ddof: int) -> Aggregation:
    """Return the covariance of both fields of structs; null for fewer than ``min_periods`` pairs without a null."""
    return _make(Kind.COVARIANCE, min_periods=min_periods, ddof=ddof)


def rank(
    method: RankMethod,
    column_order: Order = Order.ASCENDING,
    null_handling: NullPolicy = NullPolicy.EXCLUDE,
    null_precedence: NullOrder = NullOrder.AFTER,
    percentage: RankPercentage = RankPercentage.NONE,
) -> Aggregation:
    """Return the place of each value in the order of all, from 1; of nulls none with ``NullPolicy.EXCLUDE``.

    A share is of the largest place with ``ONE_NORMALIZED``; with ``ZERO_NORMALIZED`` both are one less.
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
    """Return the exponentially weighted mean of the values up to each: a weight is ``center_of_mass / (1 + center_of_mass)`` of the next.

    With ``FINITE`` the weights begin with the first value, with ``INFINITE`` it stands for all before it.
    """
    return _make(Kind.EWMA, center_of_mass=center_of_mass, history=history)


def m2() -> Aggregation:
    """Return the sum of the squared deviations from the mean."""
    return _make(Kind.M2)


def merge_m2() -> Aggregation:
    """Return structs of a count, a mean and an `m2` as one of them all, as if of all values at once."""
    return _make(Kind.MERGE_M2)


def is_valid_aggregation(source: DataType, agg: Aggregation) -> bool:
    """Return whether groups of values of the type have the aggregation."""
    return _rust.is_valid_aggregation(source, agg)
