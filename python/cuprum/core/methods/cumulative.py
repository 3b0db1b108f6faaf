"""Running totals, shifts and differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from cuprum.core.arguments import axis_number, integer_of, is_list_like, numpy_keywords, only_default
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.reshape.concat import concat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.typing import AnyFrame, AnyObject, AnySeries, Axis, FrameOrSeries, Frequency, Scalar


@objects_where_mixed
def cumsum(self: AnyObject, axis: Axis | None = 0, skipna: bool = True, **kwargs: Any) -> AnyObject:
    """Return running sums.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 goes down the rows, 1 along the columns of a frame; None stands for 0.
    skipna : bool, default True
        Pass over missing elements. With False all elements from the first missing one on are missing.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    DataFrame or Series
        The same labels. A missing element stays missing.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1.0, None, 3.0])
    >>> s.cumsum()
    0    1.0
    1    NaN
    2    4.0
    dtype: float64
    >>> s.cumsum(skipna=False).to_list()
    [1.0, nan, nan]
    """
    return self._cumulative("sum", axis, skipna, kwargs)


@objects_where_mixed
def cumprod(self: AnyObject, axis: Axis | None = 0, skipna: bool = True, **kwargs: Any) -> AnyObject:
    """Return running products.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 goes down the rows, 1 along the columns of a frame; None stands for 0.
    skipna : bool, default True
        Pass over missing elements. With False all elements from the first missing one on are missing.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    DataFrame or Series
        The same labels. A missing element stays missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.DataFrame({"a": [2, 3, 4], "b": [1.0, None, 5.0]}).cumprod()
        a    b
    0   2  1.0
    1   6  NaN
    2  24  5.0
    """
    return self._cumulative("prod", axis, skipna, kwargs)


@objects_where_mixed
def cummax(self: AnyObject, axis: Axis | None = 0, skipna: bool = True, **kwargs: Any) -> AnyObject:
    """Return running maxima.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 goes down the rows, 1 along the columns of a frame; None stands for 0.
    skipna : bool, default True
        Pass over missing elements. With False all elements from the first missing one on are missing.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    DataFrame or Series
        The same labels. A missing element stays missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([2.0, 1.0, None, 5.0]).cummax().to_list()
    [2.0, 2.0, nan, 5.0]
    """
    return self._cumulative("max", axis, skipna, kwargs)


@objects_where_mixed
def cummin(self: AnyObject, axis: Axis | None = 0, skipna: bool = True, **kwargs: Any) -> AnyObject:
    """Return running minima.

    Parameters
    ----------
    axis : 0 or 'index', 1 or 'columns', default 0
        0 goes down the rows, 1 along the columns of a frame; None stands for 0.
    skipna : bool, default True
        Pass over missing elements. With False all elements from the first missing one on are missing.
    **kwargs : optional
        Keywords of NumPy's function of that name; only their default values are accepted.

    Returns
    -------
    DataFrame or Series
        The same labels. A missing element stays missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([4.0, 5.0, None, 1.0]).cummin().to_list()
    [4.0, 4.0, nan, 1.0]
    """
    return self._cumulative("min", axis, skipna, kwargs)


def cumulative(self: FrameOrSeries, op: str, axis: Any, skipna: bool, kwargs: dict[str, Any]) -> Any:
    """Return a running aggregate by its name; NaN with ``skipna`` counts for nothing."""
    numpy_keywords(f"cum{op}", kwargs)
    if axis is not None and axis_number(axis, self) == 1:
        return self.T._cumulative(op, 0, skipna, {}).T if len(self) else self.copy()
    made = self._wrap(self._handle.cumulative(op))
    if skipna:
        return made
    # Missing from the first missing element on.
    return made.mask(self.isna().astype("int8").cummax() > 0)


@overload
def shift(
    self: AnyObject,
    periods: int = ...,
    freq: Frequency | None = ...,
    axis: Axis = ...,
    fill_value: Scalar = ...,
    suffix: str | None = ...,
) -> AnyObject: ...
@overload
def shift(
    self: FrameOrSeries,
    periods: Sequence[int],
    freq: Frequency | None = ...,
    axis: Axis = ...,
    fill_value: Scalar = ...,
    suffix: str | None = ...,
) -> DataFrame: ...
@objects_where_mixed
def shift(
    self: FrameOrSeries,
    periods: Any = 1,
    freq: Any = None,
    axis: Any = 0,
    fill_value: Any = None,
    suffix: Any = None,
) -> Any:
    """Return the elements a number of rows further down, under unchanged labels.

    Parameters
    ----------
    periods : int or list of int, default 1
        How many rows down; up for a negative number. A list gives a frame with the columns for each number.
    freq : str or offset, optional
        Elements stay and their row labels, which are times, are moved by ``periods`` times this. ``'infer'``
        takes the frequency of the labels.
    axis : 0 or 'index', 1 or 'columns', default 0
        1 moves the elements of a frame to the columns on the right.
    fill_value : scalar, optional
        What stands where there was no element; refused together with ``freq``. A missing element by default.
    suffix : str, optional
        For a list of ``periods``: column labels end with this, ``_`` and the number.

    Returns
    -------
    DataFrame or Series
        The same shape; a DataFrame for a list of ``periods``.

    Raises
    ------
    ValueError
        For ``suffix`` without a list, ``freq`` with ``fill_value``, and an empty list.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2, 3], name="a")
    >>> s.shift([0, 1])
       a_0   a_1
    0    1  <NA>
    1    2     1
    2    3     2
    >>> s.shift(-1, fill_value=0).to_list()
    [2, 3, 0]
    """
    by_column = axis_number(axis, self) == 1
    if is_list_like(periods):
        return _shifted_by_each(self, list(periods), freq, by_column, fill_value, suffix)
    if suffix is not None:
        raise ValueError("Cannot specify `suffix` if `periods` is an int.")
    periods = integer_of("periods", periods, truths=True)
    if by_column:
        if freq is not None:
            raise NotImplementedError(f"shift does not support `freq`={freq!r} with `axis`=1")
        return _shifted_columns(self, periods, fill_value)
    if freq is not None:
        if fill_value is not None:
            raise ValueError("Passing a 'freq' together with a 'fill_value' is not allowed.")
        if freq == "infer":
            freq = getattr(self.index, "freq", None) or getattr(self.index, "inferred_freq", None)
            if freq is None:
                raise ValueError("Freq was not set in the index hence cannot be inferred")
        moved = self._snapshot()
        moved.index = self.index.shift(periods, freq)
        return moved
    if fill_value is None:
        return self._wrap(self._handle.shift(periods))
    return self._wrap(self._handle.shift_filled(periods, fill_value))


def _shifted_by_each(
    self: FrameOrSeries, periods: list[Any], freq: Any, by_column: bool, fill_value: Any, suffix: Any
) -> DataFrame:
    """Return the columns shifted by each of several numbers of rows, side by side."""
    if by_column:
        raise ValueError("If `periods` contains multiple shifts, `axis` cannot be 1.")
    if not periods:
        raise ValueError("If `periods` is an iterable, it cannot be empty.")
    parts = []
    for one in periods:
        if isinstance(one, bool) or not hasattr(one, "__index__"):
            raise TypeError(f"Periods must be integer, but {one} is {type(one)}.")
        part: Any = self.shift(one, freq, 0, fill_value)
        frame: Any = part.to_frame() if part.ndim == 1 else part
        parts.append(frame.add_suffix(f"{suffix}_{one}" if suffix else f"_{one}"))
    return concat(parts, axis=1, sort=False)


def pct_change(
    self: AnyObject, periods: int = 1, fill_method: None = None, freq: Frequency | None = None
) -> AnyObject:
    """Return the relative differences to the elements some rows before.

    Parameters
    ----------
    periods : int, default 1
        How many rows before; rows behind for a negative number.
    fill_method : None, default None
        Only None is accepted: fill missing elements before.
    freq : str or offset, optional
        Compare with the element ``periods`` times this before, by the row labels, which are times.

    Returns
    -------
    DataFrame or Series
        Floats under the same labels: ``element / earlier element - 1``. Missing where either is missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([2.0, 3.0, 1.5]).pct_change()
    0    NaN
    1    0.5
    2   -0.5
    dtype: float64
    """
    _check_fill_method(fill_method)
    if freq is None:
        return self._wrap(self._handle.pct_change(periods))
    changes: Any = self / self.shift(periods, freq=freq) - 1
    return changes.loc[~changes.index.duplicated()].reindex_like(self)


def _check_fill_method(fill_method: Any) -> None:
    if fill_method is not None:
        raise ValueError(f"fill_method must be None; got {fill_method=}.")


def frame_diff(self: AnyFrame, periods: int = 1, axis: Axis = 0) -> AnyFrame:
    """Return the differences to the elements some rows before.

    Parameters
    ----------
    periods : int, default 1
        How many rows (columns, with ``axis=1``) before; behind for a negative number. Whole floats are
        accepted.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 subtracts rows, 1 columns.

    Returns
    -------
    DataFrame
        The same labels; missing for the first rows (columns) and where either element is missing.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 4, 9], "b": [1.0, None, 3.0]})
    >>> df.diff()
          a   b
    0  <NA> NaN
    1     3 NaN
    2     5 NaN
    >>> df.diff(axis=1)
          a    b
    0  <NA>  0.0
    1  <NA>  NaN
    2  <NA> -6.0
    """
    periods = _whole(periods)
    if axis_number(axis) == 1 and periods:
        return self - _shifted_columns(self, periods, None)
    return self._wrap(self._handle.diff(periods))


def frame_pct_change(
    self: AnyFrame,
    periods: int = 1,
    fill_method: None = None,
    freq: Frequency | None = None,
    *,
    axis: Axis = 0,
) -> AnyFrame:
    """Return the relative differences to the elements some rows before.

    Parameters
    ----------
    periods : int, default 1
        How many rows (columns, with ``axis=1``) before; behind for a negative number.
    fill_method : None, default None
        Only None is accepted: fill missing elements before.
    freq : str or offset, optional
        Compare with the element ``periods`` times this before, by the row labels, which are times. Not with
        ``axis=1``.
    axis : 0 or 'index', 1 or 'columns', default 0
        0 compares with rows, 1 with columns.

    Returns
    -------
    DataFrame
        Floats under the same labels: ``element / earlier element - 1``. Missing where either is missing.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [2.0, 3.0], "b": [4.0, 5.0]})
    >>> df.pct_change()
         a     b
    0  NaN   NaN
    1  0.5  0.25
    >>> df.pct_change(axis=1)
        a         b
    0 NaN  1.000000
    1 NaN  0.666667
    """
    if axis_number(axis) == 0:
        return pct_change(self, periods, fill_method, freq)
    only_default("pct_change with `axis`=1", freq=(freq, None))
    _check_fill_method(fill_method)
    return self / _shifted_columns(self, periods, None) - 1


def _shifted_columns(self: FrameOrSeries, periods: int, fill_value: Any) -> Any:
    """Return the columns under the labels ``periods`` further to the right, missing where there was none."""
    handle = self._handle
    count = handle.num_columns()
    columns = [handle.column_at(i) for i in range(count)]
    # As in pandas, what comes in has the type of the column at that end.
    ends = columns[: 1 if periods > 0 else None][-1:]
    length = len(handle)
    empty = [
        end.shift(length) if fill_value is None else end.shift_filled(length, fill_value) for end in ends
    ]
    made = [(columns[i - periods] if 0 <= i - periods < count else empty[0]).column() for i in range(count)]
    return self._around(handle.with_columns(made))


def series_diff(self: AnySeries, periods: int = 1) -> AnySeries:
    """Return the differences to the elements some rows before.

    Parameters
    ----------
    periods : int, default 1
        How many rows before; behind for a negative number. Whole floats are accepted.

    Returns
    -------
    Series
        The same labels; missing for the first rows and where either element is missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 4, 9]).diff()
    0    <NA>
    1       3
    2       5
    dtype: int64
    >>> cuprum.Series([1, 4, 9]).diff(-1).to_list()
    [-3, -5, nan]
    """
    return self._wrap(self._handle.diff(_whole(periods)))


def _whole(periods: Any) -> int:
    """Return a number of rows, which may be a whole float."""
    if isinstance(periods, float) and periods.is_integer():
        return int(periods)
    if not hasattr(periods, "__index__"):
        raise ValueError(f"periods must be an integer, not {periods!r}")
    return periods.__index__()
