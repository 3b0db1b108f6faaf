"""Results of groups with a value for each row: numbers, shifts, ranks and cumulative results; and selections of rows.

Results for every row have the labels of the frame; rows in no group are missing there.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core.arguments import fill_limit, only_texts, truth_of
from cuprum.core.construction import column_from, positions_to_take
from cuprum.core.groupby.calls import Rows
from cuprum.core.index.index import wrap_index
from cuprum.core.interop import to_numpy
from cuprum.core.objects import wrap_frame, wrap_series
from cuprum.core.sample import draw, generator, likelihoods, sample_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
    from cuprum.typing import Array, DropnaHow, Frequency, Label, NaOption, RankMethod, Scalar

__all__ = ["BINS", "GroupRows", "Nth"]

# The kind of a key that stands for bins of times.
BINS = "bins"


class Groups(dict[Any, Any]):
    """Row labels of groups by one key, which are printed as pandas prints them."""

    def __repr__(self) -> str:
        from itertools import islice

        from pandas.io.formats.printing import pprint_thing

        # One more than is printed of each.
        return str(pprint_thing({key: labels[:101].to_list() for key, labels in islice(self.items(), 101)}))


class Nth(Generic[Rows]):
    """Rows of every group by their number in it; made by ``groupby(...).nth``."""

    __slots__ = ("_groups",)

    def __init__(self, groups: GroupRows[Rows]) -> None:
        self._groups = groups

    def __call__(self, n: int | slice | Sequence[int | slice], dropna: DropnaHow | None = None) -> Rows:
        """Return row ``n`` of each group, or several rows by a slice or a list.

        Parameters
        ----------
        n : int, slice or list of both
            Numbers of rows in each group from 0, negative ones from its end. Slices have a positive step.
        dropna : ``"any"``, ``"all"`` or None, default None
            Which rows do not count: those with a missing element, or those of nothing else. Only with a
            number ``n``.

        Returns
        -------
        Series or DataFrame
            The rows in their order, under their own labels. A group without such a row has none.

        Raises
        ------
        TypeError
            If ``n`` is no number, slice or list of these.
        ValueError
            If ``dropna`` is something else or goes with a slice or list.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([1.0, None, 3.0, 4.0]).groupby(["x", "y", "y", "y"])
        >>> groups.nth(1)
        2    3.0
        dtype: float64
        >>> groups.nth(0, dropna="any")
        0    1.0
        2    3.0
        dtype: float64
        """
        if dropna is None:
            return self[n]
        if isinstance(n, bool) or not hasattr(n, "__index__"):
            raise ValueError("dropna option only supported for an integer argument")
        if dropna not in ("any", "all"):
            raise ValueError(
                "For a DataFrame or Series groupby.nth, dropna must be either None, 'any' or 'all', "
                f"(was passed {dropna!r})."
            )
        groups = self._groups
        shown = groups._part(groups._frame._handle).isna()
        missing = shown if shown.ndim == 1 else getattr(shown, dropna)(axis=1)
        counted = (~missing)._handle.column()
        return groups._filtered(groups._handle.rows_at_any([_span(n)], counted))

    def __getitem__(self, n: int | slice | Sequence[int | slice]) -> Rows:
        groups = self._groups
        wanted = list(n) if isinstance(n, (list, tuple)) else [n]
        for one in wanted:
            if not isinstance(one, slice) and (isinstance(one, bool) or not hasattr(one, "__index__")):
                raise TypeError(f"nth takes numbers, slices and lists of them, not {n!r}")
            if isinstance(one, slice) and one.step is not None and one.step < 1:
                raise ValueError(f"Invalid step {one.step}. Must be positive")
        return groups._filtered(groups._handle.rows_at_any([_span(one) for one in wanted]))


def _span(n: Any) -> tuple[Any, Any, int]:
    """Return where rows begin and end and the step from one to the next, as handles take them."""
    if isinstance(n, slice):
        return n.start, n.stop, 1 if n.step is None else n.step
    at = n.__index__()
    return at, at + 1 or None, 1


class GroupRows(Generic[Rows]):
    """The methods of groups whose results have rows of the frame."""

    __slots__ = ()

    _frame: DataFrame
    _handle: Any
    _whole: DataFrame
    _keys: list[tuple[Any, Any]]
    _listed: bool
    _selection: Any

    def _inputs(self, numeric_only: bool = False) -> list[Any]:
        """The labels of the columns that are selected, or of those that hold numbers."""
        raise NotImplementedError

    def _result(self, handle: Any) -> Any:
        """Return what a handle of the selected columns stands for: a frame, or a series."""
        raise NotImplementedError

    def _numbers(self) -> Any:
        """The number of each row's group as a NumPy array; -1 for rows in none."""
        return to_numpy(self._handle.ngroup().column()).astype("int64")

    def _among_results(self, numbers: Any) -> Any:
        """Return numbers of groups, which those without rows do not count in, as places among results, where they do."""
        import numpy as np

        sizes = to_numpy(self._handle.size().column())
        with_rows = np.flatnonzero(sizes)
        if len(with_rows) in (0, len(sizes)):
            return numbers
        return np.where(numbers < 0, -1, with_rows[numbers])

    def _part(self, handle: Any) -> Any:
        """Return the selected columns of some rows of the frame; all columns without a selection."""
        return self._result(handle if self._selection is None else handle.select(self._inputs()))

    # The rows of each group.

    def _labels(self) -> list[Any]:
        """The keys of the groups in the order of results."""
        labels = wrap_index(self._handle.size().index()).to_list()
        # A list of one key gives tuples of one, as in pandas.
        return [(label,) for label in labels] if self._listed and len(self._keys) == 1 else labels

    def _slices(self) -> tuple[Column, list[tuple[Any, slice]]]:
        """The rows group by group, and the part of them that each key has."""
        rows, offsets = self._handle.rows_by_group()
        ends = [slice(*pair) for pair in pairwise(to_numpy(offsets).tolist())]
        return rows, list(zip(self._labels(), ends, strict=True))

    def __iter__(self) -> Iterator[tuple[Any, Rows]]:
        """Iterate over pairs of key and rows of the group."""
        rows, parts = self._slices()
        table = self._whole._handle.take(rows)
        for label, part in parts:
            yield label, self._part(table.slice(part.start, part.stop - part.start))

    def get_group(self, name: Label) -> Rows:
        """Return the rows of one group.

        Parameters
        ----------
        name : label or tuple
            The key of the group, a tuple of several keys. Text stands for a time where the keys are times.

        Returns
        -------
        Series or DataFrame
            The rows of the group in their order, under their own labels; of a frame with the keys.

        Raises
        ------
        KeyError
            If there is no such group.
        ValueError
            If there are several keys and ``name`` is no tuple of as many.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]})
        >>> df.groupby("k").get_group("x")
           k  v
        0  x  1
        2  x  3

        Of several keys the name is a tuple:

        >>> df.groupby(["k", "v"]).get_group(("y", 2))
           k  v
        1  y  2
        """
        rows, parts = self._slices()
        if len(self._keys) > 1 and (not isinstance(name, tuple) or len(name) != len(self._keys)):
            raise ValueError(
                f"a group of {len(self._keys)} keys is named by a tuple of as many, not {name!r}"
            )
        wanted = _like_key(name, parts[0][0]) if parts else name
        for label, part in parts:
            if label == wanted and part.start < part.stop:
                positions = to_numpy(rows)[part].astype("int64")
                return self._part(self._whole._handle.iloc(positions_to_take(positions)))
        raise KeyError(name)

    def _filtered(self, mask: Column) -> Any:
        return self._part(self._whole._handle.filter(mask))

    @property
    def groups(self) -> dict[Any, Index]:
        """The row labels of every group under its key; of bins of time how many rows there are up to their ends."""
        rows, parts = self._slices()
        if self._of_bins():
            import numpy as np

            # As in pandas: how many rows there are up to the end of a bin.
            before = len(self._frame) - len(rows)
            ends: Any = {label: np.int64(part.stop + before) for label, part in parts}
            return ends
        index = wrap_index(self._frame._handle.index().take(rows))
        made = {self._key(label): index[part] for label, part in parts}
        return Groups(made) if len(self._keys) == 1 else made

    def _in_bins(self) -> bool:
        """Whether groups are bins of times."""
        return len(self._keys) == 1 and self._keys[0][0] == BINS

    def _of_bins(self) -> bool:
        """Whether groups are bins of times, one after the other."""
        return self._in_bins() and not self._listed

    def _key(self, label: Any) -> Any:
        """The key of a group in a dict: that of a list of one is no tuple there, as in pandas."""
        return label[0] if self._listed and len(self._keys) == 1 else label

    @property
    def indices(self) -> dict[Any, Array]:
        """The positions of the rows of every group under its key, as NumPy arrays."""
        rows, parts = self._slices()
        positions = to_numpy(rows).astype("int64")

        def keep(part: slice) -> bool:
            # As in pandas: of several keys, pairs that no row has are left out.
            return (len(self._keys) == 1 and not self._of_bins()) or part.start < part.stop

        if self._of_bins():
            return {label: positions[part].tolist() for label, part in parts if keep(part)}
        return {self._key(label): positions[part] for label, part in parts if keep(part)}

    # Some rows of each group.

    def head(self, n: int = 5, *, preserve_order: bool = True) -> Rows:
        """Return the first rows of each group.

        Parameters
        ----------
        n : int, default 5
            The number of rows; a negative one means all but the last ``-n``.
        preserve_order : bool, default True
            Whether rows are in the order of the grouped object; if False, group after group.

        Returns
        -------
        Series or DataFrame
            The rows under their own labels; of a frame with the keys.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["y", "x", "y", "x"], "v": [1, 2, 3, 4]})
        >>> df.groupby("k").head(1)
           k  v
        0  y  1
        1  x  2
        >>> df.groupby("k").head(1, preserve_order=False)
           k  v
        1  x  2
        0  y  1
        """
        return self._ends(self._handle.rows_at(None, n), preserve_order)

    def tail(self, n: int = 5, *, preserve_order: bool = True) -> Rows:
        """Return the last rows of each group.

        Parameters
        ----------
        n : int, default 5
            The number of rows; a negative one means all but the first ``-n``.
        preserve_order : bool, default True
            Whether rows are in the order of the grouped object; if False, group after group.

        Returns
        -------
        Series or DataFrame
            The rows under their own labels; of a frame with the keys.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["y", "x", "y", "x"], "v": [1, 2, 3, 4]})
        >>> df.groupby("k").tail(1)
           k  v
        2  y  3
        3  x  4
        >>> df.groupby("k").tail(-1)["v"].to_list()
        [3, 4]
        """
        return self._ends(self._handle.rows_at(-n if n else len(self._frame), None), preserve_order)

    def _ends(self, mask: Column, preserve_order: bool) -> Any:
        """Return the rows for which a mask is true, in the order of the rows or of the groups."""
        if truth_of("preserve_order", preserve_order):
            return self._filtered(mask)
        rows = to_numpy(self._slices()[0])
        kept = rows[to_numpy(mask)[rows]]
        return self._part(self._whole._handle.take(column_from(kept)))

    def sample(
        self,
        n: int | None = None,
        frac: float | None = None,
        replace: bool = False,
        weights: Any = None,
        random_state: Any = None,
    ) -> Rows:
        """Return rows of each group that are drawn by chance.

        Parameters
        ----------
        n : int, optional
            The number of rows of each group, 1 if ``frac`` is not given either.
        frac : float, optional
            The share of each group's rows, instead of ``n``; above 1 only with ``replace``.
        replace : bool, default False
            Whether a row may be drawn several times.
        weights : list-like, Series or label, optional
            A weight for each row of the grouped object, in its order, a Series by label; of a frame also the
            label of a column. Weights are relative to those of the group; missing ones are 0.
        random_state : int, list-like, BitGenerator, Generator or RandomState, optional
            A seed or a source of random numbers of NumPy; without it NumPy's global one.

        Returns
        -------
        Series or DataFrame
            The rows in random order, group after group, under their own labels.

        Raises
        ------
        ValueError
            If a group has fewer rows and not ``replace``, or both ``n`` and ``frac`` are given.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x", "y"], "v": [1, 2, 3, 4]})
        >>> df.groupby("k").sample(n=1, random_state=0)["k"].to_list()
        ['x', 'y']
        >>> df.groupby("k").sample(n=1, weights=[0, 1, 1, 0])
           k  v
        2  x  3
        1  y  2
        """
        import numpy as np

        rows, parts = self._slices()
        positions = to_numpy(rows).astype("int64")
        chances = None if weights is None else likelihoods(self._frame, weights)
        source = generator(random_state)
        drawn = [positions[:0]]
        for _, part in parts:
            group = positions[part]
            size = sample_size(n, frac, replace, len(group))
            drawn.append(
                group[draw(len(group), size, replace, None if chances is None else chances[group], source)]
            )
        return self._part(self._whole._handle.iloc(positions_to_take(np.concatenate(drawn))))

    @property
    def nth(self) -> Nth[Rows]:
        """Row ``n`` of every group that has so many (from the end, for negative), in row order: ``nth(n)``.

        ``nth[n]`` is the same, ``nth[start:stop]`` and ``nth[0, 2]`` are several rows.
        """
        return Nth(self)

    # A value for every row.

    def ngroup(self, ascending: bool = True) -> Series:
        """Return the number of each row's group.

        Parameters
        ----------
        ascending : bool, default True
            Whether numbers go with the order of the groups in results; if False, from the last one.

        Returns
        -------
        Series
            The numbers from 0 on under the row labels; missing for rows in no group.

        See Also
        --------
        cumcount : The number of each row in its group.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["y", "x", "y", None]})
        >>> df.groupby("k").ngroup()
        0       1
        1       0
        2       1
        3    <NA>
        dtype: int64
        """
        numbers = wrap_series(self._handle.ngroup())
        if self._in_bins():  # as in pandas bins without rows count, but not categories without any
            places = column_from(self._among_results(self._numbers()))
            numbers = wrap_series(_cuprum.Series(places, None, self._frame._handle.index()))
        inside = numbers >= 0
        if not inside.all():
            numbers = numbers.where(inside)  # the others are in no group
        return numbers if ascending else (self._handle.num_groups() - 1) - numbers

    def cumcount(self, ascending: bool = True) -> Series:
        """Return the number of each row in its group.

        Parameters
        ----------
        ascending : bool, default True
            Whether numbers begin with the first row of the group; if False, with the last one.

        Returns
        -------
        Series
            The numbers from 0 on under the row labels; missing for rows in no group.

        See Also
        --------
        ngroup : The number of each row's group.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x", "x"]})
        >>> df.groupby("k").cumcount()
        0    0
        1    0
        2    1
        3    2
        dtype: int64
        >>> df.groupby("k").cumcount(ascending=False).to_list()
        [2, 0, 1, 0]
        """
        return wrap_series(self._handle.cumcount(bool(ascending)))

    def shift(self, periods: int = 1, freq: Frequency | None = None, fill_value: Scalar = None) -> Rows:
        """Return elements moved by some rows within their group.

        Parameters
        ----------
        periods : int, default 1
            The number of rows by which elements go down; up if negative.
        freq : str, timedelta or offset, optional
            A frequency by which the row labels are moved instead, which are times. The rows then come group
            after group.
        fill_value : scalar, optional
            What stands where no element comes from, in a dtype that holds it, too; missing without it.

        Returns
        -------
        Series or DataFrame
            An element for each row, under the row labels of the grouped object and in its order; missing for
            rows in no group.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 3]}).groupby("k")["v"].shift()
        0    <NA>
        1    <NA>
        2       1
        Name: v, dtype: int64
        >>> cuprum.Series([1, 2, 3]).groupby(["x", "y", "x"]).shift(-1, fill_value=0)
        0    3
        1    0
        2    0
        dtype: int64
        """
        if freq is not None:
            this: Any = self
            rows, _ = this._rows_and_ends()
            return self._part(self._frame._handle.take(rows)).shift(periods, freq, 0, fill_value)
        return self._result(self._handle.shift(self._inputs(), periods, fill_value))

    def diff(self, periods: int = 1) -> Rows:
        """Return the differences between elements and earlier ones of their group.

        Parameters
        ----------
        periods : int, default 1
            How many rows of the group before the other element is; after it if negative.

        Returns
        -------
        Series or DataFrame
            An element for each row, under the row labels of the grouped object and in its order; missing for
            rows in no group. Missing where there is no other element.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [1, 2, 4]})
        >>> df.groupby("k")["v"].diff()
        0    <NA>
        1    <NA>
        2       3
        Name: v, dtype: int64
        """
        return self._result(self._handle.diff(self._inputs(), periods))

    def pct_change(self, periods: int = 1) -> Rows:
        """Return the relative differences between elements and earlier ones of their group.

        Parameters
        ----------
        periods : int, default 1
            How many rows of the group before the other element is; after it if negative.

        Returns
        -------
        Series or DataFrame
            An element for each row, under the row labels of the grouped object and in its order; missing for
            rows in no group. Missing where there is no other element. The results are floats: 0.5 is an
            increase by a half.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": ["x", "y", "x"], "v": [2, 2, 3]})
        >>> df.groupby("k")["v"].pct_change()
        0    NaN
        1    NaN
        2    0.5
        Name: v, dtype: float64
        """
        return self._result(self._handle.pct_change(self._inputs(), periods))

    def ffill(self, limit: int | None = None) -> Rows:
        """Return missing elements filled with the last one before them in their group.

        Parameters
        ----------
        limit : int, optional
            How many rows of the group that element may be away; without it any number.

        Returns
        -------
        Series or DataFrame
            An element for each row, under the row labels of the grouped object and in its order; missing for
            rows in no group. Elements without such a neighbour stay missing.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([1.0, 2.0, None, None, None]).groupby(["x", "y", "x", "y", "y"])
        >>> groups.ffill()
        0    1.0
        1    2.0
        2    1.0
        3    2.0
        4    2.0
        dtype: float64
        >>> groups.ffill(limit=1).to_list()
        [1.0, 2.0, 1.0, 2.0, nan]
        """
        return self._result(self._handle.fill_from_neighbours(self._inputs(), True, fill_limit(limit, 0)))

    def bfill(self, limit: int | None = None) -> Rows:
        """Return missing elements filled with the next one after them in their group.

        Parameters
        ----------
        limit : int, optional
            How many rows of the group that element may be away; without it any number.

        Returns
        -------
        Series or DataFrame
            An element for each row, under the row labels of the grouped object and in its order; missing for
            rows in no group. Elements without such a neighbour stay missing.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([None, None, 3.0, None]).groupby(["x", "y", "x", "y"])
        >>> groups.bfill()
        0    3.0
        1    NaN
        2    3.0
        3    NaN
        dtype: float64
        """
        return self._result(self._handle.fill_from_neighbours(self._inputs(), False, fill_limit(limit, 0)))

    def rank(
        self,
        method: RankMethod = "average",
        ascending: bool = True,
        na_option: NaOption = "keep",
        pct: bool = False,
    ) -> Rows:
        """Return the rank of each element in the order of its group.

        Parameters
        ----------
        method : str, default ``"average"``
            The rank of equal elements: the ``"average"``, ``"min"`` or ``"max"`` of their ranks, ``"first"``
            as they appear, or ``"dense"``, which leaves no gap behind them.
        ascending : bool, default True
            Whether the smallest element has rank 1.
        na_option : str, default ``"keep"``
            The rank of missing elements: none with ``"keep"``, the first with ``"top"``, the last with
            ``"bottom"``.
        pct : bool, default False
            Whether to divide ranks by the number of elements of the group that have one, dense ranks by the
            number of these.

        Returns
        -------
        Series or DataFrame
            An element for each row, under the row labels of the grouped object and in its order; missing for
            rows in no group.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([3, 1, 1, 5]).groupby(["x", "x", "x", "y"])
        >>> groups.rank()
        0    3.0
        1    1.5
        2    1.5
        3    1.0
        dtype: float64
        >>> groups.rank(method="dense").to_list()
        [2.0, 1.0, 1.0, 1.0]
        """
        only_texts(method=method, na_option=na_option)
        ranks = self._handle.rank(self._inputs(), method, bool(ascending), na_option, bool(pct))
        return self._result(ranks)

    def cumsum(self, numeric_only: bool = False, skipna: bool = True) -> Rows:
        """Return the running sums of each group.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        skipna : bool, default True
            Whether to pass over missing elements, which stay missing; if False, all elements behind one in
            its group are missing.

        Returns
        -------
        Series or DataFrame
            An element for each row, under the row labels of the grouped object and in its order; missing for
            rows in no group.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([1.0, 2.0, None, 4.0]).groupby(["x", "y", "x", "x"])
        >>> groups.cumsum()
        0    1.0
        1    2.0
        2    NaN
        3    5.0
        dtype: float64
        >>> groups.cumsum(skipna=False).to_list()
        [1.0, 2.0, nan, nan]
        """
        return self._cumulative("sum", numeric_only, skipna)

    def cumprod(self, numeric_only: bool = False, skipna: bool = True) -> Rows:
        """Return the running products of each group.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        skipna : bool, default True
            Whether to pass over missing elements, which stay missing; if False, all elements behind one in
            its group are missing.

        Returns
        -------
        Series or DataFrame
            An element for each row, under the row labels of the grouped object and in its order; missing for
            rows in no group.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([2, 3, 4, 5]).groupby(["x", "y", "x", "y"])
        >>> groups.cumprod()
        0     2
        1     3
        2     8
        3    15
        dtype: int64
        """
        return self._cumulative("prod", numeric_only, skipna)

    def cummax(self, numeric_only: bool = False, skipna: bool = True) -> Rows:
        """Return the running maxima of each group.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        skipna : bool, default True
            Whether to pass over missing elements, which stay missing; if False, all elements behind one in
            its group are missing.

        Returns
        -------
        Series or DataFrame
            An element for each row, under the row labels of the grouped object and in its order; missing for
            rows in no group.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([2.0, 9.0, None, 1.0]).groupby(["x", "y", "x", "x"])
        >>> groups.cummax()
        0    2.0
        1    9.0
        2    NaN
        3    2.0
        dtype: float64
        """
        return self._cumulative("max", numeric_only, skipna)

    def cummin(self, numeric_only: bool = False, skipna: bool = True) -> Rows:
        """Return the running minima of each group.

        Parameters
        ----------
        numeric_only : bool, default False
            Whether to leave out the columns of a frame that are no numbers or booleans. A series of other
            elements raises ``TypeError``.
        skipna : bool, default True
            Whether to pass over missing elements, which stay missing; if False, all elements behind one in
            its group are missing.

        Returns
        -------
        Series or DataFrame
            An element for each row, under the row labels of the grouped object and in its order; missing for
            rows in no group.

        Examples
        --------
        >>> import cuprum
        >>> groups = cuprum.Series([2.0, 9.0, None, 1.0]).groupby(["x", "y", "x", "x"])
        >>> groups.cummin()
        0    2.0
        1    9.0
        2    NaN
        3    1.0
        dtype: float64
        """
        return self._cumulative("min", numeric_only, skipna)

    def _cumulative(self, op: str, numeric_only: bool, skipna: bool) -> Any:
        labels = self._inputs(numeric_only)
        handle = self._handle.cumulative(labels, op)
        if skipna:
            return self._result(handle)
        # A row is behind a missing element where the running count of those is above 0.
        flags = self._frame._handle.select(labels).isna().astype("int64")
        groups = _cuprum.GroupBy(flags, [(None, column_from(self._numbers()))], False, True, True, True)
        counts = wrap_frame(groups.cumulative(flags.labels(), "sum"))
        parts = []
        for at in range(handle.num_columns()):
            behind = wrap_series(counts._handle.column_at(at)) > 0
            parts.append(wrap_series(handle.column_at(at)).mask(behind)._handle.column())
        return self._result(handle.with_columns(parts))


def _like_key(name: Any, key: Any) -> Any:
    """Return the name of a group, a text as a time where the key of a group is one."""
    if isinstance(name, tuple) and isinstance(key, tuple):
        return tuple(map(_like_key, name, key))
    if isinstance(name, str) and type(key).__name__ == "Timestamp":
        return type(key)(name)
    return name
