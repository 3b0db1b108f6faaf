"""`MultiIndex`: row labels of several levels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.algorithms import from_pandas
from cuprum.core.arguments import is_list_like, is_mask, label_list, only_default, only_truth, plain_label
from cuprum.core.construction import column_from
from cuprum.core.display import index_text
from cuprum.core.index.index import Index, quoted, wrap_index
from cuprum.core.index.levels import level_at, sorted_levels
from cuprum.core.interop import is_pandas, to_numpy, to_pandas_array
from cuprum.core.label_columns import index_of_columns, level_column
from cuprum.core.label_construction import index_handle, level_of
from cuprum.core.missing import is_missing

if TYPE_CHECKING:
    import pandas as pd

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import Array, ErrorsIgnored, LabelOrLabels, NaPosition

__all__ = ["MultiIndex"]


class MultiIndex(Index, of="levels"):
    """Labels of several levels, one tuple per row.

    Parameters
    ----------
    data : list-like of tuples or MultiIndex, optional
        The labels.
    names : list of labels, optional
        The names of the levels.
    levels : list of list-likes, optional
        The different labels of each level, together with ``codes`` and without ``data``.
    codes : list of list-likes of int, optional
        The positions of the rows' labels in each level, -1 where a label is missing.
    sortorder : None, default None
        Refused: whether labels are sorted is found out.
    copy : bool, default False
        Without effect.
    name : list of labels, optional
        Another word for ``names``.
    verify_integrity : bool, default True
        Without effect: whether codes fit their levels is always checked.

    See Also
    --------
    MultiIndex.from_arrays : One list-like for each level.
    MultiIndex.from_tuples : A list of tuples.
    MultiIndex.from_product : Every combination of labels.
    MultiIndex.from_frame : The columns of a frame.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]], names=["k", "n"])
    MultiIndex([('a', 1),
                ('b', 2)],
               names=['k', 'n'])
    >>> cuprum.MultiIndex(levels=[["a", "b"], [1, 2]], codes=[[0, 1, 1], [0, 0, -1]])
    MultiIndex([('a',    1),
                ('b',    1),
                ('b', <NA>)],
               )
    """

    __slots__ = ()

    def __new__(
        cls,
        data: Any = None,
        names: Any = None,
        *,
        levels: Any = None,
        codes: Any = None,
        sortorder: Any = None,
        copy: bool = False,
        name: Any = None,
        verify_integrity: bool = True,
    ) -> Self:
        """Make an index of tuples, of an index of several levels, or of ``levels`` and ``codes``.

        Codes are positions in the labels of their level, -1 where a label is missing, which is always found out.
        ``name`` is another word for ``names``. See also the ``from_…`` methods.
        """
        only_default("MultiIndex", sortorder=(sortorder, None))
        only_truth("MultiIndex", copy=copy, verify_integrity=verify_integrity)
        names = name if names is None else names
        if levels is not None or codes is not None:
            if data is not None or levels is None or codes is None:
                raise TypeError("Must pass both levels and codes, and nothing else")
            return _of_codes(levels, codes, names)
        handle = index_handle([] if data is None else data)
        if handle.nlevels() == 1:
            raise TypeError(
                "a MultiIndex needs tuples; see from_arrays, from_tuples, from_product, from_frame"
            )
        return wrap_index(handle if names is None else handle.with_names(list(names)))

    @classmethod
    def from_arrays(cls, arrays: Any, sortorder: Any = None, names: Any = ...) -> MultiIndex:
        """Return a MultiIndex whose levels are list-likes of labels.

        Parameters
        ----------
        arrays : list of list-likes
            The labels of each level, all of the same length.
        sortorder : int, optional
            By how many levels the labels are said to be sorted, which is checked.
        names : list of labels, optional
            The names of the levels; by default those that the list-likes have.

        Returns
        -------
        MultiIndex
            One label for each position in the list-likes.

        Raises
        ------
        ValueError
            Where lengths differ, there are more or fewer names than levels, or the labels are not sorted by
            ``sortorder`` levels.
        TypeError
            Where ``arrays`` is no list of list-likes.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.MultiIndex.from_arrays([["a", "b"], [1, None]], names=["k", "n"])
        MultiIndex([('a',    1),
                    ('b', <NA>)],
                   names=['k', 'n'])
        """
        arrays = list(arrays) if is_list_like(arrays) else [None]
        if not all(map(is_list_like, arrays)):
            raise TypeError("Input must be a list / sequence of array-likes.")
        levels = [level_of(array) for array in arrays]
        if names is ...:
            names = [plain_label(getattr(array, "name", None)) for array in arrays]
        elif names is None:
            names = [None] * len(levels)
        elif not is_list_like(names):
            raise ValueError("Names should be list-like for a MultiIndex")
        elif len(list(names)) != len(levels):
            raise ValueError("Length of names must match number of levels in MultiIndex.")
        if len({len(level) for level in levels}) > 1:
            raise ValueError("all arrays must be same length")
        made: Any = wrap_index(index_of_columns(levels, list(names)))
        if sortorder is not None and (depth := sorted_levels(made)) < sortorder:
            raise ValueError(
                f"Value for sortorder must be inferior or equal to actual lexsort_depth: sortorder {sortorder} "
                f"with lexsort_depth {depth}"
            )
        return made

    @classmethod
    def from_tuples(cls, tuples: Any, sortorder: Any = None, names: Any = None) -> MultiIndex:
        """Return a MultiIndex of a list of tuples.

        Parameters
        ----------
        tuples : list of tuples
            The labels, all of the same length.
        sortorder : int, optional
            By how many levels the labels are said to be sorted, which is checked.
        names : list of labels, optional
            The names of the levels; needed where there is no tuple.

        Returns
        -------
        MultiIndex
            One label for each tuple.

        Raises
        ------
        TypeError
            Where there are neither tuples nor names.
        ValueError
            Where the lengths of the tuples differ.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["k", "n"])
        MultiIndex([('a', 1),
                    ('b', 2)],
                   names=['k', 'n'])
        """
        levels: list[list[Any]] = [list(level) for level in zip(*tuples, strict=True)]
        if not levels:
            if names is None:
                raise TypeError("Cannot infer number of levels from empty list")
            levels = [[] for _ in names]
        return cls.from_arrays(levels, sortorder, names)

    @classmethod
    def from_product(cls, iterables: Any, sortorder: Any = None, names: Any = ...) -> MultiIndex:
        """Return a MultiIndex of every combination of labels.

        Parameters
        ----------
        iterables : list of iterables
            The labels of each level.
        sortorder : int, optional
            By how many levels the labels are said to be sorted, which is checked.
        names : list of labels, optional
            The names of the levels; by default those that the iterables have.

        Returns
        -------
        MultiIndex
            The combinations; labels of the last level vary fastest.

        Raises
        ------
        TypeError
            Where ``iterables`` is no list-like.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.MultiIndex.from_product([["a", "b"], [1, 2]])
        MultiIndex([('a', 1),
                    ('a', 2),
                    ('b', 1),
                    ('b', 2)],
                   )
        """
        import numpy as np

        if not is_list_like(iterables):
            raise TypeError("Input must be a list / sequence of iterables.")
        levels = [level_of(each if hasattr(each, "__len__") else list(each)) for each in iterables]
        if names is ...:
            names = [plain_label(getattr(each, "name", None)) for each in iterables]
        lengths = [len(level) for level in levels]
        columns = []
        for at, (level, length) in enumerate(zip(levels, lengths, strict=True)):
            each = np.repeat(np.arange(length), math.prod(lengths[at + 1 :]))
            rows = Column.from_numpy(np.tile(each, math.prod(lengths[:at])))
            columns.append(_cuprum.Series(level).take(rows).column())
        return cls.from_arrays(columns, sortorder, names)

    @classmethod
    def from_frame(cls, df: Any, sortorder: Any = None, names: Any = None) -> MultiIndex:
        """Return a MultiIndex of the columns of a DataFrame.

        Parameters
        ----------
        df : DataFrame
            The frame; each column is a level.
        sortorder : int, optional
            By how many levels the labels are said to be sorted, which is checked.
        names : list of labels, optional
            The names of the levels; by default the labels of the columns.

        Returns
        -------
        MultiIndex
            One label for each row.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.MultiIndex.from_frame(cuprum.DataFrame({"k": ["a", "b"], "n": [1, 2]}))
        MultiIndex([('a', 1),
                    ('b', 2)],
                   names=['k', 'n'])
        """
        columns = [column for _, column in df.items()]
        return cls.from_arrays(columns, sortorder, list(df.columns) if names is None else names)

    @property
    def dtype(self) -> Any:
        """Always ``'object'``: every level has a type of its own, in `dtypes`."""
        return "object"

    @property
    def dtypes(self) -> Series:
        """The types of the levels, under their names, or ``level_`` and the number where there is none."""

        names = [f"level_{i}" if name is None else name for i, name in enumerate(self.names)]
        return objects.record(names, [self._handle.dtype(i) for i in range(self.nlevels)])

    @property
    def levels(self) -> list[Index]:
        """The different labels of every level: in the order that was given, else sorted.

        Those that no row has any more, after rows were selected, are there as well.
        """
        return [
            wrap_index(_cuprum.Index.from_columns([self._handle.levels(i)], [name]))
            for i, name in enumerate(self.names)
        ]

    @property
    def codes(self) -> list[Array]:
        """The codes of the rows: positions in each level, -1 for missing labels, a NumPy array per level."""
        return [to_numpy(self._handle.codes(i)) for i in range(self.nlevels)]

    @property
    def levshape(self) -> tuple[int, ...]:
        """The numbers of different labels of the levels."""
        return tuple(len(level) for level in self.levels)

    def remove_unused_levels(self) -> MultiIndex:
        """Return the index with only those labels in its levels that rows have.

        Returns
        -------
        MultiIndex
            The same rows. The labels of the levels keep their order.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_product([["a", "b"], [1, 2]])[:2]
        >>> index.levels[0]
        Index(['a', 'b'], dtype='str')
        >>> index.remove_unused_levels().levels[0]
        Index(['a'], dtype='str')
        """
        kept = []
        for i, level in enumerate(self.levels):
            kept.append(level[level.isin(level_at(self, i))]._column())
        return wrap_index(self._handle.with_levels(kept))

    def set_levels(self, levels: Any, *, level: Any = None, verify_integrity: bool = True) -> MultiIndex:
        """Return the index with other labels in the places of those of its levels.

        Parameters
        ----------
        levels : list-like or list of list-likes
            The new labels: a list for each level, or a list for one ``level``.
        level : label, int or list of these, optional
            The levels that are replaced, by their names or numbers; by default all.
        verify_integrity : bool, default True
            Without effect: whether the labels fit is always checked.

        Returns
        -------
        MultiIndex
            Rows with the new labels at the same codes.

        Raises
        ------
        ValueError
            Where labels of a level repeat, or are fewer than the codes need.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]])
        >>> index.set_levels([10, 20], level=1)
        MultiIndex([('a', 10),
                    ('b', 20)],
                   )
        """
        only_truth("MultiIndex.set_levels", verify_integrity=verify_integrity)
        new = list(self.levels)
        if level is None:
            new = list(levels)
        elif is_list_like(level):
            for one, labels in zip(level, levels, strict=True):
                new[self._handle.level_position(plain_label(one))] = labels
        else:
            new[self._handle.level_position(plain_label(level))] = levels
        return _of_codes(new, self.codes, self.names)

    def set_codes(self, codes: Any, *, level: Any = None, verify_integrity: bool = True) -> MultiIndex:
        """Return the index with other codes, which are positions in its levels.

        Parameters
        ----------
        codes : list-like of int or list of these
            The new codes: a list for each level, or a list for one ``level``; -1 stands for a missing label.
        level : label, int or list of these, optional
            The levels whose codes are replaced, by their names or numbers; by default all.
        verify_integrity : bool, default True
            Without effect: whether the codes fit is always checked.

        Returns
        -------
        MultiIndex
            Rows with the labels of the same levels at the new codes.

        Raises
        ------
        ValueError
            Where a code is beyond its level or below -1, or a level has no codes.
        TypeError
            Where ``codes`` is no list of list-likes and ``level`` is not given.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]])
        >>> index.set_codes([1, -1], level=1)
        MultiIndex([('a',    2),
                    ('b', <NA>)],
                   )
        """
        only_truth("MultiIndex.set_codes", verify_integrity=verify_integrity)
        new = list(self.codes)
        if level is None:
            if not is_list_like(codes) or not all(is_list_like(one) for one in codes):
                raise TypeError("Codes must be list-like")
            new = list(codes)
            if len(new) != self.nlevels:
                raise ValueError("Length of codes must match number of levels.")
        elif is_list_like(level):
            for one, places in zip(level, codes, strict=True):
                new[self._handle.level_position(plain_label(one))] = places
        else:
            new[self._handle.level_position(plain_label(level))] = codes
        return _of_codes(self.levels, new, self.names)

    def truncate(self, before: Any = None, after: Any = None) -> MultiIndex:
        """Return the labels from one to another, both included.

        Parameters
        ----------
        before : label or tuple, optional
            The first label: one of the first level, or a tuple of first parts. By default none is left out.
        after : label or tuple, optional
            The last label, as ``before``.

        Returns
        -------
        MultiIndex
            The labels between both.

        Raises
        ------
        pandas.errors.UnsortedIndexError
            Where the labels do not ascend.
        ValueError
            Where ``after`` is before ``before``.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b", "c"], [1, 2, 3]])
        >>> index.truncate(before="b").to_list()
        [('b', 2), ('c', 3)]
        """
        if before is not None and after is not None and after < before:
            raise ValueError("after < before")
        if not self.is_monotonic_increasing:
            from pandas.errors import UnsortedIndexError

            raise UnsortedIndexError("truncate requires a sorted index")
        first, stop = self.slice_locs(before, after)
        return self[first:stop]

    def get_loc_level(
        self, key: Any, level: Any = 0, drop_level: bool = True
    ) -> tuple[int | slice | Array, Index | None]:
        """Return the positions of a label of a level, or of first parts of labels, and their other levels.

        Parameters
        ----------
        key : label, tuple or list
            A label of ``level``; or a tuple with one label for each of the first levels, or for each level of
            a list. A part may
            be ``slice(None)``, for all labels of its level.
        level : label, int or list of these, default 0
            The levels that ``key`` is of, by their names or numbers.
        drop_level : bool, default True
            Whether the levels of ``key`` are left out of the labels.

        Returns
        -------
        tuple of (int, slice or numpy.ndarray) and (Index or None)
            The positions are a boolean mask. Those of first parts are a slice where they follow each other,
            and an integer for a
            label of all levels, whose other levels are None.

        Raises
        ------
        KeyError
            Where no row has the label.
        NotImplementedError
            Where a part is a slice of labels.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b", "b"], ["x", "x", "y"]])
        >>> index.get_loc_level("b")
        (slice(1, 3, None), Index(['x', 'y'], dtype='str'))
        >>> index.get_loc_level("x", level=1)
        (array([ True,  True, False]), Index(['a', 'b'], dtype='str'))
        """
        import numpy as np

        levels = list(level) if isinstance(level, (list, tuple)) else [level]
        key = tuple(key) if isinstance(key, list) else key
        parts = key if isinstance(key, tuple) else (key,)
        if isinstance(key, tuple) and not isinstance(level, (list, tuple)) and level == 0:
            levels = list(range(len(parts)))
        if len(levels) != len(parts):
            raise AssertionError("Key for location must have same length as number of levels")
        at = [self._handle.level_position(plain_label(one)) for one in levels]
        each = isinstance(level, (list, tuple))
        if not each and at == list(range(self.nlevels)) and self.is_unique:
            row = self.get_loc(tuple(parts))
            if isinstance(row, int):
                return row, None if drop_level else self[row : row + 1]
            # Of parts of dates several labels have one, which stay.
            whole = [i for i, part in enumerate(parts) if not self._names_span(i, part)]
            return row, self[row]._without_levels(whole) if drop_level else self[row]
        mask = np.ones(len(self), dtype=bool)
        for place, part in zip(at, parts, strict=True):
            if isinstance(part, slice):
                if part != slice(None):
                    raise NotImplementedError(f"get_loc_level does not support slices of labels: {part}")
                continue
            if self._names_span(place, part):
                found = np.zeros(len(self), dtype=bool)
                found[level_at(self, place).get_loc(part)] = True
                if not each:
                    drop_level = False
            else:
                found = level_at(self, place).isin([part])
            if not found.any():
                raise KeyError(key)
            mask &= found
        rows = np.flatnonzero(mask)
        if not len(rows) and not each:
            raise KeyError(key)
        # As in pandas, one label of the first level is a slice where the level ascends.
        in_order = len(at) > 1 or (np.diff(self.codes[0]) >= 0).all()
        first = not each and in_order and at == list(range(len(at)))
        together = first and rows[-1] - rows[0] + 1 == len(rows)
        where = slice(int(rows[0]), int(rows[-1]) + 1) if together else mask
        labels: Any = self[where]
        return where, labels._without_levels(at) if drop_level and len(at) < self.nlevels else labels

    def _names_span(self, level: int, part: Any) -> bool:
        """Whether a text is a part of a date that labels of a level may have in common."""
        known = _cuprum.Index.from_columns([self._handle.levels(level)], [None])
        return isinstance(part, str) and known.names_span(part)

    def get_locs(self, seq: Any) -> Array:
        """Return the positions of the rows that keys for the first levels choose.

        Parameters
        ----------
        seq : list of labels, lists, slices or masks
            A key for each of the first levels: a label, a list of labels, a slice of labels or a boolean
            mask.

        Returns
        -------
        numpy.ndarray
            The positions, in the order that lists ask for, as those of ``loc``.

        Raises
        ------
        KeyError
            Where a label is nowhere, or there are more keys than levels.
        pandas.errors.UnsortedIndexError
            For a slice of a level by which the labels are not sorted.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b", "b"], ["x", "x", "y"]])
        >>> index.get_locs(["b"])
        array([1, 2])
        >>> index.get_locs([slice(None), ["y", "x"]])
        array([2, 0, 1])
        """
        import numpy as np
        from pandas.errors import UnsortedIndexError

        keys = [list(key) if hasattr(key, "__next__") else key for key in seq]
        if len(keys) > self.nlevels:
            raise KeyError(f"Key length ({len(keys)}) exceeds index depth ({self.nlevels})")
        slices = [i for i, key in enumerate(keys) if isinstance(key, slice) and key != slice(None)]
        depth = sorted_levels(self)
        if slices and slices[-1] >= depth:
            raise UnsortedIndexError(
                "MultiIndex slicing requires the index to be lexsorted: "
                f"slicing on levels {slices}, lexsort depth {depth}"
            )
        found = np.full(len(self), len(keys) > 0)
        ranks, is_in_order = [], True
        for level, codes, key in zip(self.levels, self.codes, keys, strict=False):
            if isinstance(key, slice) and key == slice(None):
                continue
            if is_mask(key):
                if len(key) != len(self):
                    raise ValueError(
                        "cannot index with a boolean indexer that is not the same length as the index"
                    )
                chosen = np.asarray(key, dtype=bool)
                ranks.append(np.arange(len(self)))
            else:
                rank, ascends = _ranks(level, np.asarray(codes), key)
                chosen = rank >= 0
                ranks.append(rank)
                several = is_list_like(key) and len(key) > 1
                is_in_order &= ascends and (depth == self.nlevels or not several)
            found &= chosen
            if is_list_like(key) and not len(key):
                return np.array([], dtype="intp")
            if chosen.any() and not found.any():
                raise KeyError(tuple(keys))
        rows = np.flatnonzero(found)
        return rows if is_in_order else rows[np.lexsort([rank[rows] for rank in reversed(ranks)])]

    def sortlevel(
        self,
        level: Any = 0,
        ascending: Any = True,
        sort_remaining: bool | None = True,
        na_position: NaPosition = "first",
    ) -> tuple[MultiIndex, Array]:
        """Return the labels in the order of some levels, and their positions in this index.

        Parameters
        ----------
        level : label, int or list of these, default 0
            The levels that are sorted by, by their names or numbers.
        ascending : bool or list of bool, default True
            Whether the smallest label comes first; a list has one truth value for each of ``level``, and
            leaves the other levels
            out of account.
        sort_remaining : bool, default True
            Whether rows that are equal in ``level`` are sorted by the other levels.
        na_position : {``'first'``, ``'last'``}, default ``'first'``
            Where missing labels come.

        Returns
        -------
        tuple of MultiIndex and numpy.ndarray
            The labels in order and their positions. Labels of a level have the order of `levels`.

        Raises
        ------
        ValueError
            Where the list ``ascending`` has another length than ``level``.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([[0, 0, 1], [2, 1, 0]])
        >>> index.sortlevel(1)
        (MultiIndex([(1, 0),
                    (0, 1),
                    (0, 2)],
                   ), array([2, 1, 0]))
        """
        if na_position not in ("first", "last"):
            raise ValueError(f"invalid na_position: {na_position}")
        wanted = [
            self._handle.level_position(plain_label(one))
            for one in (level if is_list_like(level) else [level])
        ]
        rest = [i for i in range(self.nlevels) if i not in wanted] if sort_remaining else []
        if isinstance(ascending, list):
            if len(ascending) != len(wanted):
                raise ValueError("level must have same length as ascending")
            rest, flags = [], [bool(one) for one in ascending]
        else:
            flags = [bool(ascending)] * (len(wanted) + len(rest))
        import numpy as np

        keys = []
        for i in [*wanted, *rest]:
            codes = self.codes[i]
            column = column_from(codes)
            keys.append(column.with_nulls(column_from(codes < 0)) if (codes < 0).any() else column)
        rows = _cuprum.Series(column_from(np.arange(len(self)))).sort_by(keys, flags, na_position)
        order = to_numpy(rows.column(), copy=True)
        return self.take(order), order  # type: ignore[return-value]

    def _rows_to_sort_by(self, ascending: bool, na_position: str) -> Any:
        rows = self._rows_in_order(True, na_position)
        return rows if ascending else rows[::-1].copy()

    def swaplevel(self, i: Any = -2, j: Any = -1) -> MultiIndex:
        """Return the labels with two levels in each other's places.

        Parameters
        ----------
        i : label or int, default -2
            The one level, by its name or number.
        j : label or int, default -1
            The other level.

        Returns
        -------
        MultiIndex
            The same rows.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]], names=["k", "n"])
        >>> index.swaplevel()
        MultiIndex([(1, 'a'),
                    (2, 'b')],
                   names=['n', 'k'])
        """
        order = list(range(self.nlevels))
        one, other = (self._handle.level_position(plain_label(level)) for level in (i, j))
        order[one], order[other] = other, one
        return self._with_levels_in(order)

    def reorder_levels(self, order: Any) -> MultiIndex:
        """Return the labels with their levels in another order.

        Parameters
        ----------
        order : list of labels or int
            All levels in the new order, by their names or numbers.

        Returns
        -------
        MultiIndex
            The same rows.

        Raises
        ------
        AssertionError
            Where ``order`` has another length than there are levels.
        ValueError
            Where ``order`` names a level twice.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]], names=["k", "n"])
        >>> index.reorder_levels(["n", "k"]).names
        FrozenList(['n', 'k'])
        """
        wanted = [self._handle.level_position(plain_label(level)) for level in order]
        if len(wanted) != self.nlevels:
            raise AssertionError(
                f"Length of order must be same as number of levels ({self.nlevels}), got {len(wanted)}"
            )
        if len(set(wanted)) < len(wanted):
            raise ValueError(f"`order` names a level twice: {list(order)}")
        return self._with_levels_in(wanted)

    def _with_levels_in(self, order: list[int]) -> MultiIndex:
        """Return the labels with their levels in an order of their numbers."""
        names = self._handle.names()
        columns = [level_column(self._handle, level) for level in order]
        return wrap_index(index_of_columns(columns, [names[level] for level in order]))

    def drop(self, codes: Any, level: Any = None, errors: ErrorsIgnored = "raise") -> MultiIndex:  # type: ignore[override]
        """Return the labels without some of them.

        Parameters
        ----------
        codes : label, tuple or list of these
            The labels that are left out. One of the first level, or a shorter tuple, stands for all that
            begin with it.
        level : label or int, optional
            The level that ``codes`` are labels of, by its name or number.
        errors : {``'raise'``, ``'ignore'``}, default ``'raise'``
            What happens to a label that is not there: a ``KeyError``, or nothing.

        Returns
        -------
        MultiIndex
            The other labels in the same order.

        Raises
        ------
        KeyError
            Where a label is not there and ``errors`` is ``'raise'``.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_product([["a", "b"], [1, 2]])
        >>> index.drop("a")
        MultiIndex([('b', 1),
                    ('b', 2)],
                   )
        >>> index.drop([2], level=1)
        MultiIndex([('a', 1),
                    ('b', 1)],
                   )
        """
        if errors not in ("raise", "ignore"):
            raise ValueError(f"`errors` is {errors!r}; known are 'raise' and 'ignore'")
        labels = label_list(codes)
        if level is None:
            return self[to_numpy(self._handle.rows_without(labels, errors == "ignore"))]
        known = self.get_level_values(level)
        unknown = [label for label in labels if label not in known]
        if unknown and errors == "raise":
            raise KeyError(f"labels {unknown} not found in level")
        return self[~self.isin(labels, level=level)]

    def isin(self, values: Any, level: Any = None) -> Array:
        """Return which labels are among some values.

        Parameters
        ----------
        values : list-like of tuples, or Index
            The values; with ``level`` a list-like of labels of that level.
        level : label or int, optional
            The level whose labels are compared, by its name or number; by default all of them.

        Returns
        -------
        numpy.ndarray
            A boolean for each label.

        Raises
        ------
        ValueError
            Where a value has another number of parts than there are levels.
        TypeError
            Where ``values`` is no list-like.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]])
        >>> index.isin([("a", 1), ("a", 2)])
        array([ True, False])
        >>> index.isin([2], level=1)
        array([False,  True])
        """
        if level is None and is_list_like(values) and not isinstance(values, Index):
            values = list(values)
            for value in values:
                if not isinstance(value, tuple) or len(value) != self.nlevels:
                    raise ValueError(
                        f"MultiIndex.isin expects an iterable of tuples of length {self.nlevels} (the number of "
                        f"levels); {value!r} is none"
                    )
        return super().isin(values, level)

    def copy(self, names: Any = None, deep: bool = False, name: Any = None) -> Self:  # type: ignore[override]
        """Return a copy of the index.

        Parameters
        ----------
        names : list of labels, optional
            Other names for the levels; by default those of this index.
        deep : bool, default False
            Whether the copy has memory of its own. Labels without fixed width (text) are shared either way.
        name : list of labels, optional
            Another word for ``names``.

        Returns
        -------
        MultiIndex
            The same labels.

        Raises
        ------
        TypeError
            Where both ``names`` and ``name`` are given.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]])
        >>> index.copy(names=["k", "n"])
        MultiIndex([('a', 1),
                    ('b', 2)],
                   names=['k', 'n'])
        """
        if names is not None and name is not None:
            raise TypeError("Can only provide one of `names` and `name`")
        copied = super().copy(deep=deep)
        wanted = name if names is None else names
        return copied if wanted is None else copied.rename(wanted)

    @overload
    def rename(
        self,
        names: LabelOrLabels | Mapping[Any, Any],
        *,
        level: LabelOrLabels = ...,
        inplace: Literal[True],
    ) -> None: ...
    @overload
    def rename(
        self, names: LabelOrLabels | Mapping[Any, Any], *, level: LabelOrLabels = ..., inplace: bool = ...
    ) -> Self: ...
    def rename(self, names: Any, *, level: Any = None, inplace: bool = False) -> Index | None:
        """Return the labels with other names for their levels.

        Parameters
        ----------
        names : label, list of labels or dict
            One name for one ``level``, a list with one for each level, or a dict of old and new names.
        level : label, int or list of these, optional
            The levels that are renamed, by their names or numbers; by default all.
        inplace : bool, default False
            Whether this index is renamed, and the labels of the frame or series that it is of, and None is
            returned.

        Returns
        -------
        MultiIndex or None
            The same labels; None with ``inplace=True``.

        See Also
        --------
        Index.set_names : The same method.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]], names=["k", "n"])
        >>> index.rename(["x", "y"]).names
        FrozenList(['x', 'y'])
        >>> index.rename("z", level="n").names
        FrozenList(['k', 'z'])
        """
        return self.set_names(names, level=level, inplace=inplace)

    def nunique(self, dropna: bool = True) -> int:
        """Return the number of different labels.

        Parameters
        ----------
        dropna : bool, default True
            Without effect: a label of several levels is never missing as a whole.

        Returns
        -------
        int
            The number.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.MultiIndex.from_tuples([("a", 1), ("a", None), ("a", 1)]).nunique()
        2
        """
        only_truth("MultiIndex.nunique", dropna=dropna)
        return len(self.drop_duplicates())

    def to_frame(self, index: bool = True, name: Any = ..., allow_duplicates: bool = False) -> DataFrame:
        """Return a DataFrame of the levels, one column for each.

        Parameters
        ----------
        index : bool, default True
            Whether the rows are labelled by this index; else by their numbers.
        name : list of labels, optional
            The labels of the columns, one for each level. By default the names, or numbers where there is
            none.
        allow_duplicates : bool, default False
            Whether labels of columns may repeat.

        Returns
        -------
        DataFrame
            One row for each label.

        Raises
        ------
        ValueError
            Where there are more or fewer labels than levels, or one repeats and ``allow_duplicates`` is
            False.
        TypeError
            Where ``name`` is no list.

        Examples
        --------
        >>> import cuprum
        >>> index = cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]], names=["k", "n"])
        >>> index.to_frame(index=False)
           k  n
        0  a  1
        1  b  2
        >>> index.to_frame(index=False, name=["x", "y"])
           x  y
        0  a  1
        1  b  2
        """
        only_truth("MultiIndex.to_frame", allow_duplicates=allow_duplicates)
        made = super().to_frame(index, name)
        if not allow_duplicates and not made.columns.is_unique:
            raise ValueError("Cannot create duplicate column labels if allow_duplicates is False")
        return made

    def to_flat_index(self) -> Index:
        """Return the labels as tuples in one level.

        Returns
        -------
        Index
            Labels kept as objects.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]]).to_flat_index()
        Index([('a', 1), ('b', 2)], dtype='object')
        """
        return wrap_index(_cuprum.object_index(self._handle.labels()))

    def to_list(self) -> list[Any]:
        """Return the labels as a list of tuples.

        Returns
        -------
        list of tuples
            One tuple for each label.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]]).to_list()
        [('a', 1), ('b', 2)]
        """
        try:
            return super().to_list()
        except NotImplementedError:  # a level with labels of several kinds
            return self._handle.labels()

    tolist = to_list

    def _column(self) -> Column:
        raise NotImplementedError("an index of several levels is no column: use get_level_values or to_frame")

    def _series(self) -> Any:
        raise NotImplementedError("an index of several levels is no series: use get_level_values or to_frame")

    def _compare(self, other: Any, op: str) -> Any:
        import numpy as np

        if isinstance(other, objects.Wrapper):
            return NotImplemented
        if is_pandas(other, "Series", "DataFrame"):
            return from_pandas(other)._operate(self, op, True)
        if op not in ("eq", "ne"):
            raise NotImplementedError("indexes of several levels are only compared with == and !=")
        labels = self.to_list()
        others = [other] * len(labels) if isinstance(other, tuple) else list(other)
        if len(others) != len(labels):
            raise ValueError("Lengths must match to compare")
        equal = np.array([a == b for a, b in zip(labels, others, strict=True)], dtype=bool)
        return equal if op == "eq" else ~equal

    def to_numpy(self, dtype: Any = None, copy: bool = False, na_value: Any = ...) -> Array:
        """Return the labels as a NumPy array of tuples.

        Parameters
        ----------
        dtype : {``object``}, optional
            The type of the elements, which are objects; others are refused.
        copy : bool, default False
            Without effect: the array always has memory of its own.
        na_value : optional
            Refused: parts of tuples are left as they are.

        Returns
        -------
        numpy.ndarray
            One tuple for each label.

        Raises
        ------
        NotImplementedError
            For another ``dtype``, or with ``na_value``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]]).to_numpy()
        array([('a', 1), ('b', 2)], dtype=object)
        """
        only_truth("MultiIndex.to_numpy", copy=copy)
        only_default("MultiIndex.to_numpy", na_value=(na_value, ...))
        if dtype is not None and dtype is not object:
            raise NotImplementedError(
                f"MultiIndex.to_numpy does not support `dtype`={dtype!r}: tuples are objects"
            )
        import numpy as np

        array = np.empty(len(self), dtype=object)
        array[:] = self.to_list()
        return array

    def to_pandas(self, *, nullable: bool = False, arrow_type: bool = False) -> pd.MultiIndex:
        """Return the pandas MultiIndex with the same labels and names.

        Parameters
        ----------
        nullable : bool, default False
            Refused where it is true: levels have pandas' default types.
        arrow_type : bool, default False
            Refused where it is true, as ``nullable``.

        Returns
        -------
        pandas.MultiIndex
            The same rows; levels keep labels that no row has.

        Raises
        ------
        NotImplementedError
            With ``nullable`` or ``arrow_type``.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.MultiIndex.from_arrays([["a", "b"], [1, 2]], names=["k", "n"]).to_pandas()
        MultiIndex([('a', 1),
                    ('b', 2)],
                   names=['k', 'n'])
        """
        import pandas as pd

        only_default("MultiIndex.to_pandas", nullable=(nullable, False), arrow_type=(arrow_type, False))
        try:
            levels = [to_pandas_array(self._handle.levels(i)) for i in range(self.nlevels)]
        except NotImplementedError:  # a level with labels of several kinds
            return pd.MultiIndex.from_tuples(self.to_list(), names=self.names)
        return pd.MultiIndex(levels, self.codes, names=self.names, verify_integrity=False)

    def __reduce__(self) -> Any:
        try:
            return super().__reduce__()
        except NotImplementedError:  # a level with labels of several kinds
            return (_restore, (self._handle.labels(), self.names))

    def _level_texts(self, level: int, rows: Any) -> list[str]:
        try:
            labels = wrap_index(_cuprum.Index.from_columns([self._handle.column(level)], [None]))
        except NotImplementedError:  # labels of several kinds
            return [quoted(self._label(row)[level]) for row in rows]
        return labels._texts(rows)

    def __repr__(self) -> str:
        rows = self._shown()
        levels = [self._level_texts(i, rows) for i in range(self.nlevels)]
        padded = [[f"{text:>{max(map(len, level))}}" for text in level] for level in levels]
        texts = [f"({', '.join(label)})" for label in zip(*padded, strict=True)]
        return index_text("MultiIndex", texts, names=self.names, length=len(self))


def _restore(labels: list[Any], names: list[Any]) -> Index:
    return wrap_index(_cuprum.label_index(labels, names))


def _ranks(level: Index, codes: Any, key: Any) -> tuple[Any, bool]:
    """Return for each row where its label is among those of a level's key, -1 where it is not, and whether they ascend.

    Those of a slice have the order of the rows.
    """
    import numpy as np

    if isinstance(key, slice):
        places = np.arange(len(level))[level.slice_indexer(key.start, key.stop, key.step)]
        backwards = key.step is not None and key.step < 0
        order = np.arange(len(codes))[:: -1 if backwards else 1]
        return np.where(np.isin(codes, places), order, -1), not backwards
    if is_list_like(key) and level.is_unique and level.dtype.kind in "iufbO" and len(key):
        places = level.get_indexer(list(key))
        if places.min() >= 0 and np.isin(places, codes).all():
            rank_of = np.full(len(level) + 1, -1)  # the last is that of a missing label
            rank_of[places[::-1]] = np.arange(len(places))[::-1]
            return rank_of[codes], bool((np.diff(places) >= 0).all())
    ranks, firsts = np.full(len(codes), -1), []
    for rank, label in enumerate(key if is_list_like(key) else [key]):
        if is_missing(label):
            places = np.array([-1])
        else:
            places = np.atleast_1d(np.arange(len(level))[level.get_loc(label)])
        rows = np.isin(codes, places)
        if not rows.any():
            raise KeyError(label)
        ranks[rows & (ranks < 0)] = rank
        firsts.append(places[0])
    return ranks, firsts == sorted(firsts)


def _of_codes(levels: Any, codes: Any, names: Any) -> Any:
    """Return the index whose rows have the labels at ``codes`` in ``levels``."""
    import numpy as np

    if not is_list_like(levels) or len(levels) != len(codes) or not len(codes):
        raise ValueError("Length of levels and codes must be the same.")
    known = [Index(level) for level in levels]
    columns = []
    for level, part in zip(known, codes, strict=True):
        places = np.asarray(part, dtype="int64")
        if places.size and (places.max() >= len(level) or places.min() < -1):
            raise ValueError(f"code max >= length of level ({len(level)}), or a code < -1")
        if not level.is_unique:
            raise ValueError(f"Level values must be unique: {level.to_list()}")
        labels = _cuprum.Series(level._column(), None, None)
        rows = column_from(np.where(places < 0, 0, places))
        if not len(level):
            column = Column.all_null_like(level._column(), len(places))
        else:
            column = labels.take(rows).column()
            if (places < 0).any():
                column = column.with_nulls(column_from(places < 0))
        columns.append(column)
    if names is None:
        names = [level.name for level in known]
    handle = _cuprum.Index.from_columns(columns, [plain_label(name) for name in names])
    return wrap_index(handle.with_levels([level._column() for level in known]))
