"""Row labels that are intervals: `IntervalIndex` and `interval_range`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_truth, plain_label
from cuprum.core.construction import cast_column, column_from, parts_of_intervals
from cuprum.core.dtypes import IntervalDtype
from cuprum.core.index.index import Index, wrap_index
from cuprum.core.index.lookup import refuse_several
from cuprum.core.interop import is_pandas, to_numpy
from cuprum.core.label_construction import index_handle
from cuprum.core.missing import is_missing
from cuprum.core.tools.ranges import date_range, timedelta_range

if TYPE_CHECKING:
    from cuprum.typing import Array, Closed, Frequency

__all__ = ["IntervalIndex", "interval_range"]

_CLOSED = ("right", "left", "both", "neither")


class IntervalIndex(Index, of="interval"):
    """Labels that are intervals between numbers or times, all closed on the same side.

    A label is found by the interval itself or by a value that lies in it.

    Parameters
    ----------
    data : list-like of pandas.Interval, optional
        The intervals; other labels are refused.
    closed : {``'right'``, ``'left'``, ``'both'``, ``'neither'``}, optional
        Which bounds belong to the intervals; by default as the data say.
    dtype : IntervalDtype or str, optional
        The type, such as ``'interval[int64, left]'``.
    copy : bool, default False
        Without effect.
    name : label, optional
        The name; by default that of the data.
    verify_integrity : bool, default True
        Without effect: bounds are always checked.

    See Also
    --------
    IntervalIndex.from_breaks : The bounds of neighbours.
    IntervalIndex.from_arrays : Lower and upper bounds.
    interval_range : Neighbours of one length.

    Examples
    --------
    >>> import cuprum
    >>> index = cuprum.IntervalIndex.from_breaks([0, 1, 3])
    >>> index
    IntervalIndex([(0, 1], (1, 3]], dtype='interval[int64, right]')
    >>> index.get_loc(2.5)
    1
    """

    __slots__ = ()

    def __new__(
        cls,
        data: Any = None,
        closed: Closed | None = None,
        dtype: Any = None,
        copy: bool = False,
        name: Any = None,
        verify_integrity: bool = True,
    ) -> Self:
        """Make an index of intervals (pandas' ``Interval``), closed as they are unless ``closed`` says otherwise.

        ``verify_integrity`` has no effect: bounds are always checked. ``TypeError`` for other labels.
        """
        only_truth("IntervalIndex", copy=copy, verify_integrity=verify_integrity)
        handle = index_handle([] if data is None else data)
        column = handle.column(0) if handle.nlevels() == 1 else None
        if column is not None and column.dtype.subtype is None and len(column) == column.null_count():
            column = cast_column(column, IntervalDtype(None if len(column) else "int64", closed))
        if column is None or column.dtype.subtype is None:
            raise TypeError(
                f"IntervalIndex(...) must be called with a collection of intervals, {data!r} was passed"
            )
        names = handle.names() if name is None else [plain_label(name)]
        return _index(column if closed is None else column.with_closed(_known(closed)), dtype, closed, names)

    @classmethod
    def from_arrays(
        cls,
        left: Any,
        right: Any,
        closed: Closed = "right",
        name: Any = None,
        copy: bool = False,
        dtype: Any = None,
    ) -> Self:
        """Return the intervals from the elements of one list-like to those of another.

        Parameters
        ----------
        left : list-like
            The lower bounds: numbers, times or durations.
        right : list-like
            The upper bounds, as many.
        closed : {``'right'``, ``'left'``, ``'both'``, ``'neither'``}, default ``'right'``
            Which bounds belong to the intervals.
        name : label, optional
            The name of the index.
        copy : bool, default False
            Without effect.
        dtype : IntervalDtype or str, optional
            The type of the intervals, such as ``'interval[int64, left]'``. It replaces ``closed`` where it
            says a side.

        Returns
        -------
        IntervalIndex
            The intervals, missing where both bounds are.

        Raises
        ------
        ValueError
            Where one bound is missing, the lower is above the upper, or the lengths differ.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.IntervalIndex.from_arrays([0, 5], [1, 7])
        IntervalIndex([(0, 1], (5, 7]], dtype='interval[int64, right]')
        >>> cuprum.IntervalIndex.from_arrays([0, None], [1, None], closed="left")
        IntervalIndex([[0, 1), nan], dtype='interval[int64, left]')
        """
        only_truth("IntervalIndex.from_arrays", copy=copy)
        return _between(_bounds(left), _bounds(right), closed, dtype, name)

    @classmethod
    def from_breaks(
        cls, breaks: Any, closed: Closed = "right", name: Any = None, copy: bool = False, dtype: Any = None
    ) -> Self:
        """Return the intervals between each element of a list-like and the next.

        Parameters
        ----------
        breaks : list-like
            The bounds, which ascend: numbers, times or durations.
        closed : {``'right'``, ``'left'``, ``'both'``, ``'neither'``}, default ``'right'``
            Which bounds belong to the intervals.
        name : label, optional
            The name of the index.
        copy : bool, default False
            Without effect.
        dtype : IntervalDtype or str, optional
            The type of the intervals, such as ``'interval[int64, left]'``. It replaces ``closed`` where it
            says a side.

        Returns
        -------
        IntervalIndex
            One interval fewer than there are bounds.

        Raises
        ------
        ValueError
            Where the bounds do not ascend.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.IntervalIndex.from_breaks([0, 1, 3], closed="left")
        IntervalIndex([[0, 1), [1, 3)], dtype='interval[int64, left]')
        """
        only_truth("IntervalIndex.from_breaks", copy=copy)
        column = _bounds(breaks)
        count = max(len(column) - 1, 0)
        return _between(column.slice(0, count), column.slice(min(1, len(column)), count), closed, dtype, name)

    @classmethod
    def from_tuples(
        cls,
        data: Iterable[Any],
        closed: Closed = "right",
        name: Any = None,
        copy: bool = False,
        dtype: Any = None,
    ) -> Self:
        """Return the intervals between the two parts of tuples.

        Parameters
        ----------
        data : list-like of tuples
            Lower and upper bounds. A missing element, or a tuple of two missing bounds, is a missing
            interval.
        closed : {``'right'``, ``'left'``, ``'both'``, ``'neither'``}, default ``'right'``
            Which bounds belong to the intervals.
        name : label, optional
            The name of the index.
        copy : bool, default False
            Without effect.
        dtype : IntervalDtype or str, optional
            The type of the intervals, such as ``'interval[int64, left]'``. It replaces ``closed`` where it
            says a side.

        Returns
        -------
        IntervalIndex
            One interval for each element.

        Raises
        ------
        ValueError
            Where a tuple has not two parts, or its lower bound is above the upper.
        TypeError
            Where an element is no tuple.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.IntervalIndex.from_tuples([(0, 1), None, (1, 3)])
        IntervalIndex([(0, 1], nan, (1, 3]], dtype='interval[int64, right]')
        """
        only_truth("IntervalIndex.from_tuples", copy=copy)
        left, right = [], []
        for pair in data:
            if not is_list_like(pair) and is_missing(pair):
                pair = (None, None)
            try:
                low, high = pair
            except ValueError as error:
                raise ValueError(
                    f"IntervalIndex.from_tuples requires tuples of length 2, got {pair}"
                ) from error
            except TypeError as error:
                raise TypeError(f"IntervalIndex.from_tuples received an invalid item, {pair}") from error
            left.append(low)
            right.append(high)
        return _between(_bounds(left), _bounds(right), closed, dtype, name)

    # Bounds.

    def _bound(self, which: int) -> Any:
        return Index(self._column().bounds()[which])

    @property
    def left(self) -> Index:
        """The lower bounds."""
        return self._bound(0)

    @property
    def right(self) -> Index:
        """The upper bounds."""
        return self._bound(1)

    @property
    def closed(self) -> str:
        """The bounds that belong to the intervals: ``right``, ``left``, ``both`` or ``neither``."""
        return self._column().dtype.closed  # type: ignore[return-value]

    @property
    def closed_left(self) -> bool:
        """Whether the lower bounds belong to the intervals."""
        return self.closed in ("left", "both")

    @property
    def closed_right(self) -> bool:
        """Whether the upper bounds belong to the intervals."""
        return self.closed in ("right", "both")

    @property
    def open_left(self) -> bool:
        """Whether the lower bounds do not belong to the intervals."""
        return not self.closed_left

    @property
    def open_right(self) -> bool:
        """Whether the upper bounds do not belong to the intervals."""
        return not self.closed_right

    @property
    def length(self) -> Index:
        """The upper less the lower bounds."""
        left, right = (objects.wrap_series(_cuprum.Series(bound)) for bound in self._column().bounds())
        return Index(right - left)

    @property
    def mid(self) -> Index:
        """The middles."""
        left, right = (objects.wrap_series(_cuprum.Series(bound)) for bound in self._column().bounds())
        if left.dtype.kind in "Mm":
            return Index(left + ((right - left) * 0.5))
        return Index((left + right) * 0.5)

    @property
    def is_empty(self) -> Array:
        """A NumPy array, true where no point lies in an interval: equal bounds that are not both its own."""
        left, right = (objects.wrap_series(_cuprum.Series(bound)) for bound in self._column().bounds())
        return ((left == right).fillna(False) & (self.closed != "both")).to_numpy(copy=True)

    @property
    def is_overlapping(self) -> bool:
        """Whether two intervals have points in common."""
        return self._column().intervals_overlap_each_other()

    @property
    def is_non_overlapping_monotonic(self) -> bool:
        """Whether no two intervals have points in common and they ascend or descend."""
        return self._column().intervals_are_in_order()

    def set_closed(self, closed: Closed) -> Self:
        """Return intervals with the same bounds, closed on another side.

        Parameters
        ----------
        closed : {``'right'``, ``'left'``, ``'both'``, ``'neither'``}
            Which bounds belong to the intervals.

        Returns
        -------
        IntervalIndex
            As many intervals as before.

        Raises
        ------
        ValueError
            For another word.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.IntervalIndex.from_breaks([0, 1, 3]).set_closed("both")
        IntervalIndex([[0, 1], [1, 3]], dtype='interval[int64, both]')
        """
        return _index(self._column().with_closed(_known(closed)), None, None, self.names)

    def to_tuples(self, na_tuple: bool = True) -> Index:
        """Return the bounds of the intervals as tuples.

        Parameters
        ----------
        na_tuple : bool, default True
            Whether a missing interval is a tuple of two NaN; else it is one NaN.

        Returns
        -------
        Index
            Labels kept as objects.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.IntervalIndex.from_tuples([(0, 1), None])
        >>> index.to_tuples()
        Index([(0, 1), (nan, nan)], dtype='object')
        >>> index.to_tuples(na_tuple=False)
        Index([(0, 1), nan], dtype='object')
        """
        left, right = (bound.to_list() for bound in (self.left, self.right))
        missing = self.isna()
        nothing: Any = (float("nan"), float("nan")) if na_tuple else float("nan")
        tuples = [
            nothing if gone else pair
            for pair, gone in zip(zip(left, right, strict=True), missing, strict=True)
        ]
        return Index(tuples, tupleize_cols=False, name=self.name)

    # Points.

    def contains(self, other: Any) -> Array:
        """Return in which intervals a value lies.

        Parameters
        ----------
        other : scalar
            The value. An interval is refused.

        Returns
        -------
        numpy.ndarray
            A boolean for each interval, False for a missing one.

        Raises
        ------
        NotImplementedError
            Where ``other`` is an interval.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.IntervalIndex.from_breaks([0, 1, 3]).contains(1)
        array([ True, False])
        """
        if is_pandas(other, "Interval"):
            raise NotImplementedError("contains not implemented for two intervals")
        return to_numpy(self._column().intervals_contain(plain_label(other)), copy=True)

    def overlaps(self, other: Any) -> Array:
        """Return which intervals have points in common with another one.

        Parameters
        ----------
        other : pandas.Interval
            The other interval. List-likes are refused.

        Returns
        -------
        numpy.ndarray
            A boolean for each interval.

        Raises
        ------
        TypeError
            Where ``other`` is no interval.
        NotImplementedError
            Where ``other`` is a list-like or an index of intervals.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.IntervalIndex.from_breaks([0, 1, 3])
        >>> index.overlaps(cuprum.Interval(2, 5))
        array([False,  True])
        """
        if is_list_like(other):
            raise NotImplementedError(
                "IntervalIndex.overlaps does not support intervals to compare with: give one"
            )
        if not is_pandas(other, "Interval"):
            raise TypeError(f"`other` must be Interval-like, got {type(other).__name__}")
        return to_numpy(self._column().intervals_overlap(other), copy=True)

    def __contains__(self, label: Any) -> bool:
        # Values lie in intervals, but are no labels.
        return is_pandas(label, "Interval") and super().__contains__(label)

    def get_loc(self, key: Any) -> int | slice | Array:
        """Return the position of an interval, or of the one that a value lies in.

        Parameters
        ----------
        key : pandas.Interval or scalar
            The interval itself, or a value.

        Returns
        -------
        int, slice or numpy.ndarray
            An integer where there is one; where there are several a slice if they follow each other, else a
            boolean mask.

        Raises
        ------
        KeyError
            Where there is none.
        InvalidIndexError
            Where ``key`` is a list or a slice.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.IntervalIndex.from_tuples([(0, 2), (1, 3), (5, 6)])
        >>> index.get_loc(5.5)
        2
        >>> index.get_loc(1.5)
        slice(0, 2, None)
        """
        import numpy as np

        refuse_several(key)
        try:
            rows = to_numpy(self._handle.locate(plain_label(key)))
        except (KeyError, TypeError):
            raise KeyError(key) from None
        if len(rows) == 1:
            return int(rows[0])
        if (np.diff(rows) == 1).all():
            return slice(int(rows[0]), int(rows[-1]) + 1)
        mask = np.zeros(len(self), dtype=bool)
        mask[rows] = True
        return mask


def interval_range(
    start: Any = None,
    end: Any = None,
    periods: int | None = None,
    freq: Frequency | float | None = None,
    name: Any = None,
    closed: Closed = "right",
) -> IntervalIndex:
    """Return an IntervalIndex of neighbours of one length.

    Three of the first four parameters say which, where ``freq`` has a default.

    Parameters
    ----------
    start : scalar, optional
        The lowest bound: a number, a time or a duration.
    end : scalar, optional
        The highest bound.
    periods : int, optional
        The number of intervals.
    freq : number, frequency or duration, optional
        The length of an interval, for times a text as of `date_range`. By default 1 or a day where two of the
        others are
        given, and so that ``periods`` intervals lie between both bounds where all are.
    name : label, optional
        The name of the index.
    closed : {``'right'``, ``'left'``, ``'both'``, ``'neither'``}, default ``'right'``
        Which bounds belong to the intervals.

    Returns
    -------
    IntervalIndex
        The intervals in ascending order, without gaps.

    Raises
    ------
    ValueError
        Where too few or too many of the parameters are given.
    TypeError
        Where bounds and ``freq`` are of different kinds.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.interval_range(start=0, end=3)
    IntervalIndex([(0, 1], (1, 2], (2, 3]], dtype='interval[int64, right]')
    >>> cuprum.interval_range(start=0, end=1, periods=2, closed="left")
    IntervalIndex([[0.0, 0.5), [0.5, 1.0)], dtype='interval[float64, left]')
    """
    endpoint = end if start is None else start
    kind = getattr(getattr(endpoint, "dtype", None), "kind", None)
    numbers = (isinstance(endpoint, (int, float)) and not isinstance(endpoint, bool)) or kind in (
        "i",
        "u",
        "f",
    )
    if freq is None and None in (periods, start, end):
        freq = 1 if numbers else "D"
    if sum(value is not None for value in (start, end, periods, freq)) != 3:
        raise ValueError(
            "Of the four parameters: start, end, periods, and freq, exactly three must be specified"
        )
    if isinstance(periods, float) and periods.is_integer():
        periods = int(periods)
    if periods is not None and not hasattr(periods, "__index__"):
        raise TypeError(f"periods must be an integer, got {periods}")
    if numbers:
        if any(isinstance(value, str) for value in (start, end, freq)):
            raise TypeError("start, end, freq need to be type compatible")
        return IntervalIndex.from_breaks(_number_breaks(start, end, periods, freq), closed, name)
    if isinstance(freq, (int, float)):
        raise TypeError("start, end, freq need to be type compatible")
    breaks = None if periods is None else periods.__index__() + 1
    times = timedelta_range if kind == "m" or hasattr(endpoint, "total_seconds") else date_range
    return IntervalIndex.from_breaks(times(start, end, breaks, freq), closed, name)


def _number_breaks(start: Any, end: Any, periods: Any, freq: Any) -> Any:
    """Return the bounds of regular intervals between numbers, integers where all arguments are and they can be."""
    import numpy as np

    given = [value for value in (start, end, freq) if value is not None]
    whole = all(not isinstance(value, (float, np.floating)) for value in given)
    if None not in (start, end, freq):
        # A tenth beyond the end, so that it is not missed by rounding.
        breaks = np.arange(start, end + freq * 0.1, freq)
    else:
        count = periods.__index__() + 1
        if start is None:
            start = end - (count - 1) * freq
        elif end is None:
            end = start + (count - 1) * freq
        breaks = np.linspace(start, end, count)
    if whole and np.issubdtype(breaks.dtype, np.floating) and (np.trunc(breaks) == breaks).all():
        return breaks.astype("int64")
    return breaks


def _known(closed: str) -> str:
    if closed not in _CLOSED:
        raise ValueError(f"invalid option for 'closed': {closed}")
    return closed


def _bounds(values: Any) -> Column:
    """Return bounds as a column; ``TypeError`` for what has no order or cannot bound intervals."""
    if not is_list_like(values):
        raise TypeError(f"bounds of intervals are a list-like, not {values!r}")
    return column_from(list(values) if isinstance(values, range) else values)


def _between(left: Column, right: Column, closed: str, dtype: Any, name: Any) -> Any:
    if dtype is not None:
        subtype, given = _parts(dtype)
        closed = given or closed
        left, right = cast_column(left, subtype), cast_column(right, subtype)
    column = Column.of_intervals(left, right, _known(closed))
    return _index(column, None, None, [plain_label(name)])


def _parts(dtype: Any) -> tuple[Any, str | None]:
    """Return the type of the bounds and the closed side that a dtype names."""
    parts = parts_of_intervals(dtype)
    if parts is None:
        raise TypeError(f"dtype must be an IntervalDtype, got {dtype}")
    return parts


def _index(column: Column, dtype: Any, closed: str | None, names: list[Any]) -> Any:
    if dtype is not None:
        given = _parts(dtype)[1]
        known = closed or (column.dtype.closed if column.null_count() < len(column) else given)
        if given is not None and given != known:
            raise ValueError("closed keyword does not match dtype.closed")
        column = cast_column(column if known is None else column.with_closed(known), dtype)
    return wrap_index(_cuprum.Index.from_columns([column], names))
