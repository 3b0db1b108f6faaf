"""`IndexedFrame`: what DataFrame and Series share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Concatenate, Literal, Self, Unpack, overload

from cuprum import _cuprum
from cuprum.core.arguments import axis_number, label_list, only_truth, plain_label
from cuprum.core.construction import column_from, index_handle, levels_of_arrays, positions_to_take
from cuprum.core.devices import OnDevice
from cuprum.core.index.index import wrap_index
from cuprum.core.indexing import AtIndexer, IAtIndexer, ILocIndexer, LocIndexer, by_label
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import Wrapper, ours, wrap_series
from cuprum.core.operators import Operators
from cuprum.core.printing import text_by_pandas
from cuprum.core.sample import draw, generator, likelihoods, sample_size
from cuprum.options import get_option, printed_by_pandas, text_layout

if TYPE_CHECKING:
    import datetime
    from collections.abc import Callable

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.groupby.groupby import DataFrameGroupBy, SeriesGroupBy
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
    from cuprum.core.window.ewm import ExponentialMovingWindow
    from cuprum.core.window.rolling import Expanding, Rolling
    from cuprum.core.window.weighted import Window
    from cuprum.typing import (
        Axis,
        Closed,
        FillMethod,
        GroupOptions,
        HasColumns,
        Keys,
        Label,
        LabelOrLabels,
        ListLike,
        P,
        Result,
        Scalar,
        WindowSize,
    )

__all__ = ["IndexedFrame"]


class IndexedFrame(OnDevice, Operators, Wrapper):
    """Columns whose rows have labels: the methods that `DataFrame` and `Series` have in common."""

    __slots__ = ()

    def _on(self, handle: Any) -> Self:
        return self._with_attrs(self._wrap(handle))

    # Shape and labels.

    @property
    def empty(self) -> bool:
        """Whether there is no element."""
        return self.size == 0

    @property
    def index(self) -> Index:
        """The labels of the rows; assigning a sequence of the same length replaces them.

        Raises ``ValueError`` for another length.
        """
        return wrap_index(self._handle.index(), self)

    @index.setter
    def index(self, labels: Any) -> None:
        if labels is None:
            raise TypeError("Index(...) must be called with a collection of some kind, None was passed")
        rows = index_handle(levels_of_arrays(labels))
        self._relabelled(lambda handle: handle.with_index(rows), inplace=True)

    def _name_labels(self, names: list[Any]) -> None:
        """Name the row labels, which may be others by now than whoever names them has seen."""
        self._relabelled(lambda handle: handle.with_index(handle.index().with_names(names)), inplace=True)

    @property
    def axes(self) -> list[Any]:
        """The row labels and, for a frame, the column labels."""
        return [self.index]

    def __bool__(self) -> bool:
        name = type(self).__name__
        raise ValueError(
            f"The truth value of a {name} is ambiguous. Use a.empty, a.item(), a.any() or a.all()."
        )

    def _operate_in_place(self, other: Any, op: str) -> Any:
        """Put what an operator gives in the place of the elements, under the labels that there are: `s += 1`.

        As in pandas, the object stays the one that others know.
        """
        result = self._operate(other, op, False)
        if type(result) is not type(self):
            return result
        columns = [getattr(each, "columns", each.index) for each in (self, result)]
        if not (result.index.equals(self.index) and columns[0].equals(columns[1])):
            result = result.reindex_like(self)
        handle: Any = result._handle
        if self.ndim == 1:
            handle = handle.rename(self._handle.name())
        return self._changed(lambda _: handle, inplace=True)

    @overload
    def pipe(
        self, func: Callable[Concatenate[Self, P], Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result: ...
    @overload
    def pipe(self, func: tuple[Callable[..., Result], str], *args: Any, **kwargs: Any) -> Result: ...
    def pipe(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """Return ``func(self, *args, **kwargs)``; ``func`` may be a pair of it and an argument's name.

        What the function changes is not changed here.
        """
        this = self._with_attrs(self._snapshot())
        if isinstance(func, tuple):
            func, name = func
            if name in kwargs:
                raise ValueError(f"{name} is both the pipe target and a keyword argument")
            return func(*args, **{name: this}, **kwargs)
        return func(this, *args, **kwargs)

    # Selection.

    @property
    def loc(self) -> LocIndexer[Self]:
        """Rows and columns by label: a label, a list, a slice with both ends, or a boolean mask.

        ``df.loc[rows, columns]`` selects both; assigning replaces the elements. ``KeyError`` for a
        label that is not there.
        """
        return LocIndexer(self)

    @property
    def iloc(self) -> ILocIndexer[Self]:
        """Rows and columns by position: an integer, a list, a slice or a boolean mask.

        ``IndexError`` for a position that is not there.
        """
        return ILocIndexer(self)

    @property
    def at(self) -> AtIndexer[Self]:
        """One element by its labels, to read or to assign."""
        return AtIndexer(self)

    @property
    def iat(self) -> IAtIndexer[Self]:
        """One element by its positions, to read or to assign."""
        return IAtIndexer(self)

    @overload
    def xs(
        self: HasColumns, key: Label, axis: Axis = ..., level: LabelOrLabels = ..., drop_level: bool = ...
    ) -> DataFrame | Series: ...
    @overload
    def xs(self, key: Label, axis: Axis = ..., level: None = ..., drop_level: bool = ...) -> Scalar: ...
    @overload
    def xs(
        self, key: Label, axis: Axis = ..., level: LabelOrLabels = ..., drop_level: bool = ...
    ) -> Self: ...
    @objects_where_mixed
    def xs(self, key: Any, axis: Any = 0, level: Any = None, drop_level: bool = True) -> Any:
        """Return the rows under a label, or under labels of some levels, without these levels.

        Parameters
        ----------
        key
            A label, or a tuple of labels of the outer levels, or of those that ``level`` names.
        axis
            0 for rows, 1 for columns of a frame.
        level
            The names or numbers of the levels that ``key`` has labels of.
        drop_level
            Whether the result is without the levels that ``key`` names; they stay if there are no others.

        Raises ``KeyError`` where no row has the labels and ``TypeError`` for a list as ``key``.

        Examples
        --------
        >>> import cuprum
        >>> rows = cuprum.MultiIndex.from_product([["a", "b"], [1, 2]], names=["p", "q"])
        >>> cuprum.Series([1, 2, 3, 4], index=rows).xs(2, level="q")
        p
        a    2
        b    4
        dtype: int64
        """
        if isinstance(key, list):
            raise TypeError("list keys are not supported in xs, pass a tuple instead")
        if axis_number(axis, self) == 1:
            return self._columns_under(key, level, drop_level)
        index = self._handle.index()
        if level is None:
            parts = key if isinstance(key, tuple) else (key,)
            complete = self.ndim == 1 and len(parts) == index.nlevels()
            if slice(None) not in parts and (drop_level or index.nlevels() == 1 or complete):
                return by_label(self, key if self.ndim == 1 else (key, slice(None)))
            wanted = [(i, plain_label(part)) for i, part in enumerate(parts) if part != slice(None)]
        else:
            levels = label_list(list(level) if isinstance(level, tuple) else level)
            labels = list(key) if isinstance(level, (list, tuple)) and isinstance(key, tuple) else [key]
            if len(levels) != len(labels):
                raise ValueError(f"`key` has {len(labels)} labels for the {len(levels)} levels of `level`")
            numbers = [index.level_position(one) for one in levels]
            wanted = list(zip(numbers, (plain_label(label) for label in labels), strict=True))
            if drop_level and not isinstance(level, (list, tuple)) and isinstance(key, str):
                # A part of a date names several labels, which tell rows apart.
                level_index = _cuprum.Index.from_columns([index.levels(numbers[0])], [None])
                drop_level = not level_index.names_span(key)
        return self._wrap(self._handle.cross_section(wanted, not drop_level))

    def _columns_under(self, key: Any, level: Any, drop_level: bool) -> Any:
        """Return the columns under a label; see `xs`."""
        handle = self._handle
        places = wrap_series(
            _cuprum.Series(column_from(range(handle.shape()[1])), None, handle.columns_index())
        )
        found = places.xs(key, level=level, drop_level=drop_level)
        if level is None and drop_level and isinstance(found, Wrapper) and list(found.index) == [""]:
            return self.loc[:, key]  # empty texts stand for want of inner labels
        if getattr(found, "ndim", 0) == 0:
            at = int(found)
            return (
                wrap_series(handle.column_at(at)) if drop_level else self._wrap(handle.select_positions([at]))
            )
        labels = found.index
        return self._wrap(
            handle.select_positions(found.to_list()).with_labels(labels.to_list(), labels.names)
        )

    def head(self, n: int = 5) -> Self:
        """Return the first ``n`` rows; for negative ``n`` all but the last ``-n``."""
        return self._wrap(self._handle.head(n))

    def tail(self, n: int = 5) -> Self:
        """Return the last ``n`` rows; for negative ``n`` all but the first ``-n``."""
        return self._wrap(self._handle.tail(n))

    def take(self, indices: ListLike, axis: Axis = 0) -> Self:
        """Return the rows (columns, with ``axis=1``) at some positions, negative ones from the end."""
        if axis_number(axis, self) == 1:
            return self.iloc[:, positions_to_take(indices).to_pylist()]
        return self._wrap(self._handle.iloc(positions_to_take(indices)))

    def sample(
        self,
        n: int | None = None,
        frac: float | None = None,
        replace: bool = False,
        weights: Label | ListLike = None,
        random_state: Any = None,
        axis: Axis | None = None,
        ignore_index: bool = False,
    ) -> Self:
        """Return ``n`` rows (or a fraction ``frac`` of them) in random order; 1 without either.

        Parameters
        ----------
        replace
            A row may be drawn more than once.
        weights
            How likely rows are to be drawn: a column by label, a list, or a series matched by label;
            missing ones weigh nothing. Without it all are equally likely.
        random_state
            A seed, or a source of random numbers of NumPy: the rows are those that pandas draws with it. Without
            it they are drawn from NumPy's own, as `numpy.random.seed` left it.
        axis
            1 draws columns.
        ignore_index
            The rows are labelled 0, 1, ….

        ``ValueError`` for more rows than there are unless ``replace``.
        """
        number = 0 if axis is None else axis_number(axis, self)
        length = self.shape[number]
        size = sample_size(n, frac, replace, length)
        chances = None if weights is None else likelihoods(self, weights, number)
        positions = draw(length, size, replace, chances, generator(random_state))
        drawn = self.iloc[:, positions.tolist()] if number else self.take(positions)
        return drawn.reset_index(drop=True) if ignore_index else drawn

    def reindex_like(
        self,
        other: IndexedFrame,
        method: FillMethod | None = None,
        copy: bool | None = None,
        limit: int | None = None,
        tolerance: Any = None,
    ) -> Self:
        """Return the rows, and of a frame the columns, with the labels of ``other``; missing where there is none.

        ``method``, ``limit`` and ``tolerance`` are those of `reindex`.
        """
        only_truth("reindex_like", copy=copy)
        how = {"method": method, "limit": limit, "tolerance": tolerance}
        if self.ndim == 2:
            return self.reindex(index=other.index, columns=other.columns, **how)
        return self.reindex(index=other.index, **how)

    def equals(self, other: Any) -> bool:
        """Whether ``other`` has equal elements, labels and types; missing equals missing."""
        if not isinstance(other, Wrapper):
            other = ours(other)
        alike = isinstance(other, Wrapper) and other.ndim == self.ndim
        return alike and self._handle.equals(other._handle)

    @overload
    def groupby(
        self: HasColumns,
        by: Keys = ...,
        level: LabelOrLabels = ...,
        *,
        as_index: Literal[True] = ...,
        **options: Unpack[GroupOptions],
    ) -> DataFrameGroupBy[Series]: ...
    @overload
    def groupby(
        self: HasColumns,
        by: Keys = ...,
        level: LabelOrLabels = ...,
        *,
        as_index: Literal[False],
        **options: Unpack[GroupOptions],
    ) -> DataFrameGroupBy[DataFrame]: ...
    @overload
    def groupby(
        self: HasColumns,
        by: Keys = ...,
        level: LabelOrLabels = ...,
        *,
        as_index: bool = ...,
        **options: Unpack[GroupOptions],
    ) -> DataFrameGroupBy[Any]: ...
    @overload
    def groupby(
        self,
        by: Keys = ...,
        level: LabelOrLabels = ...,
        *,
        as_index: Literal[True] = ...,
        **options: Unpack[GroupOptions],
    ) -> SeriesGroupBy[Series]: ...
    @objects_where_mixed
    def groupby(
        self,
        by: Any = None,
        level: Any = None,
        *,
        as_index: bool = True,
        sort: bool = True,
        group_keys: bool = True,
        observed: bool = True,
        dropna: bool = True,
    ) -> Any:
        """Return groups of the rows with equal keys: a `DataFrameGroupBy` or `SeriesGroupBy`.

        Parameters
        ----------
        by
            A column's label or a list of them; series, matched by label; arrays of the frame's length; a `Grouper`.
        level
            Levels of the row labels as keys, by name or number, instead of ``by``.
        as_index
            Keys become the row labels of results; else their first columns.
        sort
            Groups in ascending order of their keys; else in order of first appearance.
        dropna
            Rows with a missing key belong to no group; else missing keys make a group.
        group_keys
            What ``apply`` puts one after the other is below the keys of its groups.
        observed
            Categories without rows make no groups; with ``False`` all combinations of the keys are groups,
            where one of these has categories. What nothing sums up to is 0, its mean is missing.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]})
        >>> df.groupby("k", as_index=False).sum()
           k  v
        0  x  4
        1  y  2
        """
        from cuprum.core.groupby.groupby import groups_of

        return groups_of(
            self, by, level, bool(as_index), bool(sort), bool(dropna), bool(observed), bool(group_keys)
        )

    @overload
    def rolling(
        self,
        window: WindowSize,
        min_periods: int | None = ...,
        center: bool = ...,
        win_type: None = ...,
        on: Label = ...,
        closed: Closed | None = ...,
        step: int | None = ...,
        method: Literal["single"] = ...,
    ) -> Rolling[Self]: ...
    @overload
    def rolling(
        self,
        window: int,
        min_periods: int | None = ...,
        center: bool = ...,
        *,
        win_type: str,
        on: Label = ...,
        closed: Closed | None = ...,
        step: int | None = ...,
        method: Literal["single"] = ...,
    ) -> Window[Self]: ...
    def rolling(
        self,
        window: Any,
        min_periods: int | None = None,
        center: bool = False,
        win_type: Any = None,
        on: Any = None,
        closed: str | None = None,
        step: int | None = None,
        method: str = "single",
    ) -> Any:
        """Return windows that go along with the rows: a `Rolling`, whose methods are statistics of each.

        Statistics are ``float64``; missing elements and infinities do not take part.

        Parameters
        ----------
        window
            So many rows, the last of which is the row itself; or a time (``"2D"``, a timedelta, an offset of
            fixed length): the rows whose time is less than that before the row's; or an object with
            ``get_window_bounds``, as pandas' indexers.
        min_periods
            Of fewer elements a statistic is missing: by default as many as the window has rows, of times 1.
        center
            The row is in the middle of its window.
        on
            The column of a frame that has the times, ascending or descending; else the row labels have them.
        closed
            Which ends of windows belong to them: ``right`` (the default), ``left``, ``both`` or ``neither``.
        step
            The result has only every so manyth row.
        win_type
            How rows are weighted, for `sum`, `mean`, `var` and `std`, which take what the weights need: ``'triang'``,
            ``'hann'``, ``'hamming'``, ``'blackman'``, ``'gaussian'`` (``std``), ``'exponential'`` (``tau``) and others
            of `scipy.signal.windows`.
        method
            Tables are not supported: ``'single'``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 4, 8]).rolling(2).sum()
        0     NaN
        1     3.0
        2     6.0
        3    12.0
        dtype: float64
        """
        from cuprum.core.window.rolling import rolling

        return rolling(self, window, min_periods, center, win_type, on, closed, step, method)

    def expanding(self, min_periods: int = 1, method: Literal["single"] = "single") -> Expanding[Self]:
        """Return windows of all rows so far: an `Expanding`, whose methods are statistics of each.

        Of fewer than ``min_periods`` elements a statistic is missing; see `rolling`.
        """
        from cuprum.core.window.rolling import expanding

        return expanding(self, min_periods, method)

    def ewm(
        self,
        com: float | None = None,
        span: float | None = None,
        halflife: float | str | datetime.timedelta | None = None,
        alpha: float | None = None,
        min_periods: int | None = 0,
        adjust: bool = True,
        ignore_na: bool = False,
        times: Label | ListLike = None,
        method: Literal["single"] = "single",
    ) -> ExponentialMovingWindow[Self]:
        """Return all rows so far, the more weighted the nearer: an `ExponentialMovingWindow`.

        Parameters
        ----------
        com, span, halflife, alpha
            One of them says how weights fade from row to row: by ``1 - alpha``, ``com / (1 + com)``,
            ``(span - 1) / (span + 1)``, or a half after ``halflife`` rows; with ``times`` after that time.
        min_periods
            Of fewer elements a statistic is missing.
        adjust
            Weights begin with the first element; else it stands for all that might have been before it.
        ignore_na
            Weights fade from element to element that is not missing, else from row to row.
        times
            The times of the rows, a list-like: weights fade with them, by a half after the duration ``halflife``. Of
            these there are means.
        method
            Tables are not supported: ``'single'``.

        Examples
        --------
        >>> import cuprum
        >>> days = cuprum.DatetimeIndex(["2026-01-01", "2026-01-02", "2026-01-04"])
        >>> cuprum.Series([0.0, 3.0, 0.0]).ewm(halflife="1D", times=days).mean()
        0    0.000000
        1    2.000000
        2    0.545455
        dtype: float64
        """
        from cuprum.core.window.ewm import ewm

        return ewm(self, com, span, halflife, alpha, min_periods, adjust, ignore_na, times, method)

    def _repr_latex_(self) -> str | None:
        """Return what notebooks that become documents show; None unless the option ``styler.render.repr`` asks for it."""
        shown: Any = self
        return shown.to_latex() if get_option("styler.render.repr") == "latex" else None

    def __repr__(self) -> str:
        options = printed_by_pandas()
        if options:
            return text_by_pandas(self, options)
        return self._handle.to_text(**text_layout())
