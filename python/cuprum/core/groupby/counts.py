"""Counts of elements and rows in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core.arguments import is_list_like, label_list, plain_label
from cuprum.core.construction import column_from
from cuprum.core.cut import bins_of
from cuprum.core.groupby.calls import Aggregated, ByColumn, GroupCalls, Rows
from cuprum.core.index.index import wrap_index
from cuprum.core.interop import to_numpy
from cuprum.core.objects import wrap_frame, wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame  # noqa: F401 (in bases)
    from cuprum.core.series import Series  # noqa: F401
    from cuprum.typing import LabelOrLabels

__all__ = ["FrameCounts", "GroupCounts", "SeriesCounts"]


class GroupCounts(GroupCalls[Aggregated, Rows]):
    """The methods that groups of frames and of series share."""

    __slots__ = ()

    _among_results: Any
    _in_bins: Any
    _numbers: Any
    _observed: bool
    _sort: bool

    def _there(self, values: Any) -> Column:
        """Return a column of NumPy's values where the columns of the groups are."""
        return column_from(values).to_device(self._frame._handle.device())

    def _counted(
        self, labels: list[Any], normalize: bool, sort: bool, ascending: bool, dropna: bool
    ) -> tuple[Any, Any]:
        """The different rows of some columns in each group, and how often they occur: frame and NumPy array.

        The first column of the frame has the numbers of the groups. In the order of results. Categories are counted
        in every group, also those that it has not.
        """
        import numpy as np

        handle = self._frame._handle
        columns = [handle.column(label).column() for label in labels]
        numbers = self._among_results(self._numbers())
        if self._counts_everywhere():
            return self._counted_everywhere(columns, numbers, (normalize, sort, ascending, dropna))
        places = list(range(len(labels) + 1))
        table = _cuprum.DataFrame(places, [self._there(numbers), *columns])
        table = table.filter(self._there(numbers >= 0))
        by = [("label", place) for place in places]
        observed = all(column.categories() is None for column in columns)
        groups = _cuprum.GroupBy(table, by, False, False, dropna, observed)
        sizes = groups.size()
        counts = to_numpy(sizes.column()).astype("int64")
        index = sizes.index()
        of = to_numpy(index.column(0)).astype("int64")
        order = (
            np.arange(len(counts))
            if observed
            else _order_of_categories(index, numbers, columns, not self._sort)
        )
        if sort:
            order = order[np.argsort(counts[order] if ascending else -counts[order], kind="stable")]
        if self._sort:
            order = order[np.argsort(of[order], kind="stable")]
        if normalize:
            totals = np.bincount(of, counts, max(self._handle.num_groups(), 1))
            counts = counts / totals[of]
        rows = index.take(self._there(order))
        return rows, counts[order]

    def _counts_everywhere(self) -> bool:
        """Whether what is not in a group is counted there, as there are groups of categories without rows."""
        keys = self._keys_index()._handle
        return not self._observed and any(
            keys.column(i).categories() is not None for i in range(keys.nlevels())
        )

    def _counted_everywhere(
        self, columns: list[Column], numbers: Any, options: tuple[bool, bool, bool, bool]
    ) -> tuple[Any, Any]:
        """The result of `_counted` where groups have no rows: the values of all rows are counted in each of them.

        Keys that are no categories are counted with the elements that they occur with, also where the other keys of
        the row are missing.
        """
        import numpy as np

        normalize, sort, ascending, dropna = options
        of_categories = any(column.categories() is not None for column in columns)
        if of_categories and (len(columns) > 1 or not self._sort or self._selection in self._key_names()):
            raise NotImplementedError(
                "value_counts of groups without rows counts categories alone, in sorted groups: group with observed=True"
            )
        keys, count = self._handle.size().index(), self._handle.num_groups()
        parts, part_of_row = self._parts(keys, numbers)
        listed = part_of_row >= 0
        if dropna:
            for column in columns:
                listed &= ~to_numpy(wrap_series(_cuprum.Series(column)).isna()._handle.column()).astype(bool)
        rows = np.flatnonzero(listed)
        at = self._there(rows)
        taken = [_cuprum.Series(column).take(at).column() for column in columns]
        # The elements in order of appearance; categories that do not appear are the last ones.
        together = _numbered([self._there(part_of_row[rows]), *([] if of_categories else taken)], len(rows))
        firsts = np.unique(together, return_index=True)[1]
        place, places, known = np.zeros(len(rows), dtype="int64"), 1, None
        if of_categories:
            series = wrap_series(_cuprum.Series(taken[0]))
            codes = series.cat.codes.to_numpy().astype("int64")
            if (codes < 0).any():
                raise NotImplementedError(
                    "value_counts of groups without rows does not count missing categories: `dropna`=False"
                )
            appearing, first = np.unique(codes, return_index=True)
            places = len(series.cat.categories)
            known = np.concatenate([
                appearing[np.argsort(first)], np.setdiff1d(np.arange(places), appearing)
            ]).astype("int64")  # fmt: skip
            place = np.argsort(known)[codes]
        # Every element with every group that has its part of the keys, every category with every group.
        groups = np.argsort(parts, kind="stable")
        sizes = np.bincount(parts, minlength=1)
        begins = np.cumsum(sizes) - sizes  # of the groups of each part, in their order
        rank = np.zeros(max(count, 1), dtype="int64")
        rank[groups] = np.arange(count) - begins[parts[groups]]
        part = part_of_row[rows][firsts]
        first_pair = np.cumsum(sizes[part]) - sizes[part]
        which = np.repeat(np.arange(len(part)), sizes[part])
        of = groups[begins[part][which] + np.arange(len(which)) - first_pair[which]]
        inside = numbers[rows] >= 0
        cells = (first_pair[together] + rank[numbers[rows]]) * places + place
        cells = cells[inside]
        counts: Any = np.bincount(cells, minlength=len(of) * places)
        which, of = np.repeat(which, places), np.repeat(of, places)
        code = np.tile(np.arange(places), len(of) // max(places, 1))
        order = np.arange(len(counts))
        if not self._sort:
            present, first = np.unique(cells, return_index=True)
            present = present[np.argsort(first)]
            order = np.concatenate([present, np.setdiff1d(order, present)])
        if sort:
            order = order[np.argsort(counts[order] if ascending else -counts[order], kind="stable")]
        if self._sort:
            order = order[np.argsort(of[order], kind="stable")]
        if normalize:
            totals = np.bincount(of, counts, max(count, 1))
            counts = counts / np.maximum(totals, 1)[of]
        of, which, code = of[order], which[order], code[order]
        if known is not None:
            every = wrap_index(series.cat.categories._handle).to_series().astype(series.dtype)
            found = [every.to_device(series.device)._handle.take(self._there(known[code])).column()]
        else:
            found = [_cuprum.Series(column).take(self._there(firsts[which])).column() for column in taken]
        levels = [self._there(of), *found]
        return _cuprum.Index.from_columns(levels, [None] * len(levels)), counts[order]

    def _parts(self, keys: Any, numbers: Any) -> tuple[Any, Any]:
        """Return the number of what each group, and each row, has of the keys that are no categories; -1 where one is missing.

        ``numbers`` are the groups of rows, -1 for rows in none.
        """
        import numpy as np

        plain = [i for i in range(keys.nlevels()) if keys.column(i).categories() is None]
        if not plain:
            return np.zeros(len(keys), dtype="int64"), np.zeros(len(numbers), dtype="int64")
        handle = self._frame._handle
        found = [self._keys[i] for i in plain]
        if any(kind != "label" or not handle.contains(label) for kind, label in found):
            if (numbers < 0).any():
                raise NotImplementedError(
                    "value_counts of groups without rows, and of rows without a group, takes labels of columns as keys"
                )
            parts = _numbered([keys.column(i) for i in plain], len(keys))
            return parts, parts[numbers]
        columns, names = [handle.column(label).column() for _, label in found], [None] * len(plain)
        of_groups = _cuprum.Index.from_columns([keys.column(i) for i in plain], names)
        of_rows = _cuprum.Index.from_columns(columns, names)
        both = wrap_index(of_groups).append(wrap_index(of_rows))._handle
        codes = to_numpy(both.factorize(False, False)[0]).astype("int64")
        parts, part_of_row = codes[: len(keys)], codes[len(keys) :]
        missing = wrap_frame(handle.select([label for _, label in found])).isna().any(axis=1).to_numpy()
        return parts, np.where(missing, -1, part_of_row)

    def _counts_under(
        self, rows: Any, counts: Any, names: list[Any], normalize: bool, levels: list[Column] | None = None
    ) -> Any:
        """Return counts under the keys of their groups and what was counted."""
        name = "proportion" if normalize else "count"
        keys = self._keys_index()._handle.take(rows.column(0))
        counted = levels or [rows.column(i) for i in range(1, rows.nlevels())]
        every = [keys.column(i) for i in range(keys.nlevels())] + counted
        labels = [*self._key_names(), *names]
        column = self._there(counts)
        if self._as_index:
            index = _cuprum.Index.from_columns(every, labels)
            return wrap_series(_cuprum.Series(column, name, index))
        labels = [f"level_{i}" if label is None else label for i, label in enumerate(labels)]
        if name in labels:
            raise ValueError(f"Column label '{name}' is duplicate of result column")
        return wrap_frame(_cuprum.DataFrame([*labels, name], [*every, column]))


def _numbered(columns: list[Column], length: int) -> Any:
    """Return for each row the number of its elements in several columns, in order of appearance."""
    import numpy as np

    if not columns:
        return np.zeros(length, dtype="int64")
    index = _cuprum.Index.from_columns(columns, [None] * len(columns))
    return to_numpy(index.factorize(False, False)[0]).astype("int64")


def _order_of_categories(index: Any, groups: Any, columns: list[Column], present_first: bool) -> Any:
    """Return the order of labels by number of group and ``columns``: categories change fastest, all as they appear.

    ``groups`` are the numbers of the groups of the rows of ``columns``.

    Categories that do not appear come last, in their order. With ``present_first`` what is in a group comes first, as it
    appears.
    """
    import numpy as np

    device = index.device()

    def codes(column: Any) -> Any:
        return wrap_series(_cuprum.Series(column)).cat.codes.to_numpy().astype("int64")

    plain, rows, ranks = [index.column(0)], [column_from(groups).to_device(device)], []
    for at, column in enumerate(columns, 1):
        known = column.categories()
        if known is None:
            plain.append(index.column(at))
            rows.append(column)
            continue
        rank = np.arange(len(known[0]) + 1) + len(column)  # the last is that of a missing one
        appearing, first = np.unique(codes(column), return_index=True)
        rank[appearing] = first
        ranks.append(rank[codes(index.column(at))])
    names = [None] * len(plain)
    every = _cuprum.Index.from_columns(rows, names), _cuprum.Index.from_columns(plain, names)
    codes_of_all, _ = wrap_index(every[0]).append(wrap_index(every[1]))._handle.factorize(False, True)
    of_rows, places = np.split(to_numpy(codes_of_all).astype("int64"), [len(groups)])
    order: Any = np.lexsort((*ranks[::-1], places))
    if not present_first:
        return order
    for at, column in enumerate(columns, 1):
        if (known := column.categories()) is not None:
            count = len(known[0]) + 1
            of_rows, places = of_rows * count + codes(column), places * count + codes(index.column(at))
    present, first = np.unique(of_rows, return_index=True)
    at_most = np.minimum(np.searchsorted(present, places), len(present) - 1)
    seen = np.where(present[at_most] == places, first[at_most], len(of_rows))
    return order[np.argsort(seen[order], kind="stable")]


class FrameCounts(GroupCounts["DataFrame", "DataFrame"], Generic[ByColumn]):
    """Counts of groups of a frame."""

    __slots__ = ()

    def value_counts(
        self,
        subset: LabelOrLabels = None,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        dropna: bool = True,
    ) -> ByColumn:
        """Return how often each row occurs in each group.

        Parameters
        ----------
        subset : label or list of labels, optional
            The columns that are counted by; without it all but the keys.
        normalize : bool, default False
            Whether to return shares of the group instead of numbers.
        sort : bool, default True
            Whether rows of a group are in order of their numbers; if False, as they appear.
        ascending : bool, default False
            Whether the rarest rows come first.
        dropna : bool, default True
            Whether to leave out rows with missing elements.

        Returns
        -------
        Series or DataFrame
            The numbers, named ``count`` or ``proportion``, labelled by the keys and the elements of the row;
            with ``as_index=False`` a frame of all these.

        Raises
        ------
        ValueError
            If ``subset`` has a key or a label that is no column.

        Examples
        --------
        >>> import cuprum
        >>> df = cuprum.DataFrame({"k": [1, 1, 1, 2], "v": ["b", "a", "b", "a"]})
        >>> df.groupby("k").value_counts()
        k  v
        1  b    2
           a    1
        2  a    1
        Name: count, dtype: int64
        >>> df.groupby("k", as_index=False).value_counts(normalize=True)
           k  v  proportion
        0  1  b    0.666667
        1  1  a    0.333333
        2  2  a    1.000000
        """
        labels = self._inputs()
        if subset is not None:
            wanted = label_list(subset)
            keys = [name for name in self._key_names() if name is not None and name in wanted]
            if keys:
                raise ValueError(f"Keys {set(keys)} in subset cannot be in the groupby column keys.")
            absent = [label for label in wanted if label not in labels]
            if absent:
                raise ValueError(f"Keys {set(absent)} in subset do not exist in the DataFrame.")
            labels = [label for label in labels if label in wanted]
        rows, counts = self._counted(labels, bool(normalize), bool(sort), bool(ascending), bool(dropna))
        return self._counts_under(rows, counts, labels, bool(normalize))


class SeriesCounts(GroupCounts[Aggregated, "Series"]):
    """Counts of groups of a series."""

    __slots__ = ()

    def value_counts(
        self,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        bins: Any = None,
        dropna: bool = True,
    ) -> Aggregated:
        """Return how often each element occurs in each group.

        Parameters
        ----------
        normalize : bool, default False
            Whether to return shares of the group instead of numbers.
        sort : bool, default True
            Whether elements of a group are in order of their numbers, equally frequent ones as they appear.
        ascending : bool, default False
            Whether the rarest elements come first.
        bins : int or list-like, optional
            Ascending ends of intervals, whose elements are counted; or into how many intervals of equal width
            each group is cut.
        dropna : bool, default True
            Whether to leave out missing elements.

        Returns
        -------
        Series or DataFrame
            The numbers, named ``count`` or ``proportion``, labelled by the keys and the elements; with
            ``as_index=False`` a frame of all these. Categories are counted in every group, also those that it
            does not have.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"k": [1, 1, 1], "v": ["b", "a", "b"]}).groupby("k")["v"].value_counts()
        k  v
        1  b    2
           a    1
        Name: count, dtype: int64
        >>> cuprum.Series([1.0, None, 1.0]).groupby(["x", "x", "x"]).value_counts(dropna=False)
        x  1.0    2
           NaN    1
        Name: count, dtype: int64
        """
        if bins is not None:
            return self._binned(bins, bool(normalize), bool(sort), bool(ascending), bool(dropna))
        name = plain_label(self._name)
        column = self._frame._handle.column(self._selection).column()
        is_key = name is not None and name in self._key_names()
        by_rows = column.categories() is not None or self._in_bins()
        if normalize or by_rows or (not is_key and self._counts_everywhere()):
            labels = [self._selection]
            rows, counts = self._counted(labels, bool(normalize), bool(sort), bool(ascending), bool(dropna))
            return self._counts_under(rows, counts, [name], bool(normalize))
        found = self._handle.value_counts(self._selection, bool(sort), bool(ascending), bool(dropna))
        index = found.index()
        if index.nlevels() > len(self._key_names()):
            index = index.with_names([*index.names()[:-1], name])
        result = wrap_series(found.with_index(index))
        return result if self._as_index else result.reset_index()

    def _binned(self, bins: Any, normalize: bool, sort: bool, ascending: bool, dropna: bool) -> Any:
        """Return how many elements of each group are in each interval."""
        import numpy as np

        if not self._as_index and not is_list_like(bins):
            raise ValueError(
                f"`bins`={bins!r} with as_index=False: intervals of each group's own have no column; give their ends"
            )
        series = wrap_series(self._frame._handle.column(self._selection))
        numbers, groups = self._among_results(self._numbers()), self._handle.num_groups()
        if not is_list_like(bins):
            found = self._by_group(
                lambda group: group.value_counts(normalize, sort, ascending, bins), self._inputs()
            )
            names = [*self._key_names(), plain_label(self._name)]
            index = found._handle.index()
            if index.nlevels() == len(names):
                index = index.with_names(names)
            name = "proportion" if normalize else "count"
            return wrap_series(found._handle.with_index(index).rename(name))
        intervals, codes = bins_of(series, bins)
        inside = numbers >= 0
        kinds = len(intervals)
        counted = inside & (codes >= 0)
        table = np.bincount(numbers[counted] * kinds + codes[counted], minlength=groups * kinds)
        table = table.reshape(groups, kinds)
        sizes = np.bincount(numbers[inside], minlength=groups)
        # Groups of nothing but elements in no interval are only there where missing ones are.
        present = np.flatnonzero(table.sum(axis=1) if dropna else sizes)
        of, code = np.repeat(present, kinds), np.tile(np.arange(kinds), len(present))
        counts: Any = table[of, code]
        if sort:
            order = np.lexsort((counts if ascending else -counts, of))
            of, code, counts = of[order], code[order], counts[order]
        if normalize:
            counts = counts / sizes[of]  # of all elements, those in no interval as well, as in pandas
        rows = _cuprum.Index.from_columns([self._there(of)], [None])
        level = intervals._handle.take(column_from(code)).to_device(series.device).column(0)
        return self._counts_under(rows, counts, [plain_label(self._name)], normalize, [level])

    def unique(self) -> Aggregated:
        """Return the distinct elements of each group as lists.

        Returns
        -------
        Series or DataFrame
            A list for each group, elements in order of first appearance, labelled by the keys; with
            ``as_index=False`` a frame.

        Notes
        -----
        The dtype is one of lists; pandas returns arrays as objects.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"k": [1, 1, 2], "v": ["b", "a", "b"]}).groupby("k")["v"].unique()
        k
        1    [b, a]
        2       [b]
        Name: v, dtype: list<str>
        """
        found = self._handle.unique(self._selection)
        if not self._as_index:
            of_frame: Any = self._with_keys([self._name], [found], None)
            return of_frame
        return wrap_series(_cuprum.Series(found, self._name, self._keys_index()._handle))
