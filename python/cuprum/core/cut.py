"""Values as the intervals that they lie in, `cut` and `qcut`, and as the numbers of these, `Series.digitize`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import integer_of, is_list_like
from cuprum.core.construction import column_from
from cuprum.core.index.index import Index
from cuprum.core.interop import to_numpy
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_series

if TYPE_CHECKING:
    from cuprum.core.index.categorical import CategoricalIndex
    from cuprum.core.series import Series
    from cuprum.typing import DuplicateEdges, ListLike

__all__ = ["bins_of", "cut", "qcut"]


@overload
def cut(
    x: Series,
    bins: Any,
    right: bool = ...,
    labels: Any = ...,
    retbins: Literal[False] = ...,
    precision: int = ...,
    include_lowest: bool = ...,
    duplicates: DuplicateEdges = ...,
    ordered: bool = ...,
) -> Series: ...
@overload
def cut(
    x: Series,
    bins: Any,
    right: bool = ...,
    labels: Any = ...,
    *,
    retbins: Literal[True],
    precision: int = ...,
    include_lowest: bool = ...,
    duplicates: DuplicateEdges = ...,
    ordered: bool = ...,
) -> tuple[Series, Any]: ...
@overload
def cut(
    x: ListLike,
    bins: Any,
    right: bool = ...,
    labels: ListLike | None = ...,
    retbins: Literal[False] = ...,
    precision: int = ...,
    include_lowest: bool = ...,
    duplicates: DuplicateEdges = ...,
    ordered: bool = ...,
) -> CategoricalIndex: ...
@overload
def cut(
    x: ListLike,
    bins: Any,
    right: bool = ...,
    labels: Any = ...,
    retbins: bool = ...,
    precision: int = ...,
    include_lowest: bool = ...,
    duplicates: DuplicateEdges = ...,
    ordered: bool = ...,
) -> Any: ...
@objects_where_mixed
def cut(
    x: Any,
    bins: Any,
    right: bool = True,
    labels: Any = None,
    retbins: bool = False,
    precision: int = 3,
    include_lowest: bool = False,
    duplicates: str = "raise",
    ordered: bool = True,
) -> Any:
    """Return the interval that each value lies in, as categories in the order of the intervals.

    Parameters
    ----------
    x : Series or list-like of one dimension
        Numbers, truth values or times.
    bins : int, list-like of edges or IntervalIndex
        How many intervals of one length, which hold all values; or the edges of the intervals, ascending; or
        the intervals, without overlaps.
    right : bool, default True
        Whether the upper bounds belong to the intervals, else the lower ones.
    labels : list-like or False, optional
        What stands for the intervals: one label for each, or False for their numbers.
    retbins : bool, default False
        Return the edges as well.
    precision : int, default 3
        How many digits behind the point bounds are rounded to.
    include_lowest : bool, default False
        Whether the lowest edge belongs to the first interval.
    duplicates : ``'raise'`` or ``'drop'``, default ``'raise'``
        The handling of repeated edges.
    ordered : bool, default True
        Whether the categories compare by their order. With False, ``labels`` have to be given.

    Returns
    -------
    Series, CategoricalIndex or numpy.ndarray
        A Series for a Series, else a CategoricalIndex, or with ``labels=False`` an array. Missing where a
        value is missing or in no interval. With ``retbins`` a tuple of that and the edges: an array of
        numbers, an index of times or the intervals.

    Raises
    ------
    ValueError
        For no bins or such as do not ascend, repeat or overlap; for another number of labels than of
        intervals, or labels that repeat and are to be ordered.

    See Also
    --------
    qcut : Intervals between quantiles.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.cut([1, 7, 5, 4], [0, 4, 8], labels=["low", "high"]).to_list()
    ['low', 'high', 'high', 'low']
    >>> cuprum.cut(cuprum.Series([0, 3, None, 9]), [0, 4, 8])
    0           NaN
    1    (0.0, 4.0]
    2           NaN
    3           NaN
    dtype: category
    Categories (2, interval[int64, right]): [(0, 4] < (4, 8]]
    >>> cuprum.cut([1, 7, 5, 4], [0, 4, 8], right=False, labels=False)
    array([0, 1, 1, 1])
    """
    x = objects.ours(x)
    labels = _labels(labels)
    if is_list_like(bins):
        bins = column_from(list(bins) if isinstance(bins, range) else bins)
    elif not hasattr(bins, "__index__") or bins < 1:
        raise ValueError("`bins` should be a positive integer.")
    else:
        bins = bins.__index__()
    arguments = (
        bool(right),
        labels,
        _precision(precision),
        bool(include_lowest),
        _drops(duplicates),
        bool(ordered),
    )
    return _result(x, _series(x).cut(bins, *arguments), labels, retbins)


@overload
def qcut(
    x: Series,
    q: int | ListLike,
    labels: Any = ...,
    retbins: Literal[False] = ...,
    precision: int = ...,
    duplicates: DuplicateEdges = ...,
) -> Series: ...
@overload
def qcut(
    x: Series,
    q: int | ListLike,
    labels: Any = ...,
    *,
    retbins: Literal[True],
    precision: int = ...,
    duplicates: DuplicateEdges = ...,
) -> tuple[Series, Any]: ...
@overload
def qcut(
    x: ListLike,
    q: int | ListLike,
    labels: ListLike | None = ...,
    retbins: Literal[False] = ...,
    precision: int = ...,
    duplicates: DuplicateEdges = ...,
) -> CategoricalIndex: ...
@overload
def qcut(
    x: ListLike,
    q: int | ListLike,
    labels: Any = ...,
    retbins: bool = ...,
    precision: int = ...,
    duplicates: DuplicateEdges = ...,
) -> Any: ...
@objects_where_mixed
def qcut(
    x: Any,
    q: Any,
    labels: Any = None,
    retbins: bool = False,
    precision: int = 3,
    duplicates: str = "raise",
) -> Any:
    """Return the interval between quantiles that each value lies in: about as many values in each.

    Parameters
    ----------
    x : Series or list-like of one dimension
        Numbers, truth values or times.
    q : int or list-like of float
        How many intervals, or the shares of values at their edges: ``[0, 0.5, 1]``.
    labels : list-like or False, optional
        What stands for the intervals: one label for each, or False for their numbers.
    retbins : bool, default False
        Return the edges as well.
    precision : int, default 3
        How many digits behind the point bounds are rounded to.
    duplicates : ``'raise'`` or ``'drop'``, default ``'raise'``
        The handling of repeated edges.

    Returns
    -------
    Series, CategoricalIndex or numpy.ndarray
        As `cut` returns it. The lowest value is in the first interval.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.qcut(range(5), 2, labels=["low", "high"]).to_list()
    ['low', 'low', 'low', 'high', 'high']
    >>> codes, edges = cuprum.qcut(range(5), [0, 0.25, 1], labels=False, retbins=True)
    >>> codes.tolist(), edges.tolist()
    ([0, 0, 1, 1, 1], [0.0, 1.0, 4.0])
    """
    x = objects.ours(x)
    labels = _labels(labels)
    if is_list_like(q):
        q = [float(share) for share in q]
    elif not hasattr(q, "__index__") or isinstance(q, bool):
        raise ValueError("`q` should be a positive integer or list-like of quantiles.")
    elif q < 1:
        raise ValueError("`q` should be a positive integer.")
    return _result(x, _series(x).qcut(q, labels, _precision(precision), _drops(duplicates)), labels, retbins)


def bins_of(series: Any, bins: Any) -> tuple[Any, Any]:
    """Return the intervals that `cut` makes, with the lowest end, and the number of each element's; −1 for none."""
    placed = cut(series, bins, include_lowest=True)
    return placed.cat.categories, placed.cat.codes.to_numpy().astype("int64")


def _series(x: Any) -> Any:
    if isinstance(x, objects.Series):
        return x._handle
    if not is_list_like(x) or getattr(x, "ndim", 1) != 1:
        raise ValueError("Input array must be 1 dimensional")
    return _cuprum.Series(column_from(list(x) if isinstance(x, range) else x))


def _labels(labels: Any) -> Any:
    if labels is None or labels is False:
        return labels
    if not is_list_like(labels):
        raise ValueError("Bin labels must either be False, None or passed in as a list-like argument")
    return column_from(labels)


def _precision(precision: Any) -> int:
    precision = integer_of("precision", precision)
    if precision < 0:
        raise ValueError(f"`precision` must not be negative, got {precision}")
    return min(precision, 300)


def _drops(duplicates: str) -> bool:
    if duplicates not in ("raise", "drop"):
        raise ValueError("invalid value for 'duplicates' parameter, valid options are: raise, drop")
    return duplicates == "drop"


def _result(x: Any, cut: tuple[Any, Column], labels: Any, retbins: bool) -> Any:
    handle, edges = cut
    if isinstance(x, objects.Series):
        values = wrap_series(handle)
    elif labels is False:
        values = to_numpy(handle.column(), copy=True)
    else:
        values = objects.wrap_index(_cuprum.Index.from_columns([handle.column()], [None]))
    if not retbins:
        return values
    if edges.dtype.kind in "iuf":
        return values, to_numpy(edges, copy=True)
    return values, Index(edges)
