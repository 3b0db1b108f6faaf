"""Labels of rows and columns: naming, moving between index and columns, dropping by label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    check_truth,
    is_list_like,
    is_no_default,
    label_list,
    names_of_levels,
    only_truth,
    plain_label,
    plain_labels,
    truth_of,
)
from cuprum.core.construction import (
    column_from,
    index_handle,
    names_of,
)
from cuprum.core.filtering import filtered
from cuprum.core.index.levels import level_at
from cuprum.core.interop import is_pandas
from cuprum.core.label_columns import (
    has_mixed_labels,
    index_of_columns,
    level_column,
    level_columns,
    without_mixed_labels,
)
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import Wrapper, wrap_frame, wrap_series
from cuprum.core.reindexing import ReindexOptions

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        Axis,
        ErrorsIgnored,
        HasColumns,
        Label,
        LabelOrLabels,
        ListLike,
        OneLabel,
        Renamer,
        RowAxis,
        Scalar,
    )

__all__ = ["FrameLabels", "Labels", "SeriesLabels"]


class Labels(Wrapper):
    """What frames and series share."""

    __slots__ = ()

    @overload
    def drop(
        self,
        labels: LabelOrLabels = ...,
        *,
        axis: Axis = ...,
        index: LabelOrLabels = ...,
        columns: LabelOrLabels = ...,
        level: Label = ...,
        inplace: Literal[True],
        errors: ErrorsIgnored = ...,
    ) -> None: ...
    @overload
    def drop(
        self,
        labels: LabelOrLabels = ...,
        *,
        axis: Axis = ...,
        index: LabelOrLabels = ...,
        columns: LabelOrLabels = ...,
        level: Label = ...,
        inplace: bool = ...,
        errors: ErrorsIgnored = ...,
    ) -> Self: ...
    def drop(
        self,
        labels: Any = None,
        *,
        axis: Any = 0,
        index: Any = None,
        columns: Any = None,
        level: Any = None,
        inplace: bool = False,
        errors: str = "raise",
    ) -> Any:
        """Return the rows but some (``labels`` or ``index``), of a frame also the columns but some, by label.

        ``KeyError`` for a label that is not there, unless ``errors='ignore'``. With ``level`` labels are those of one of
        several levels, and it is a ``KeyError`` where none of them is there.
        """
        if labels is not None:
            if index is not None or columns is not None:
                raise ValueError("Cannot specify both 'labels' and 'index'/'columns'")
            if axis_number(axis, self) == 1:
                columns = labels
            else:
                index = labels
        elif index is None and columns is None:
            raise ValueError("Need to specify at least one of 'labels', 'index' or 'columns'")
        elif self.ndim == 2 and axis_number(axis) == 1:
            raise ValueError("Cannot specify both 'axis' and 'index'/'columns'")
        gone = label_list(columns) if columns is not None and self.ndim == 2 else []
        if errors not in ("raise", "ignore"):
            raise ValueError(f"`errors` is {errors!r}; known are 'raise' and 'ignore'")
        if level is not None:

            def without_parts(handle: Any) -> Any:
                if columns is not None and self.ndim == 2:
                    kept = _without_parts(handle.columns_index(), columns, level, errors)
                    handle = handle.select_positions(kept.nonzero()[0].tolist())
                if index is None:
                    return handle
                return handle.filter(column_from(_without_parts(handle.index(), index, level, errors)))

            return (self._relabelled if index is None else self._replaced)(without_parts, inplace)

        def without(handle: Any) -> Any:
            if gone:
                known = [label for label in gone if errors != "ignore" or handle.contains(label)]
                handle = handle.drop_columns(known)
            return handle if index is None else _without_rows(handle, index, errors)

        return (self._relabelled if index is None else self._replaced)(without, inplace)

    @overload
    def asof(self: HasColumns, where: OneLabel, subset: LabelOrLabels = ...) -> Series: ...
    @overload
    def asof(self: HasColumns, where: ListLike, subset: LabelOrLabels = ...) -> DataFrame: ...
    @overload
    def asof(self, where: OneLabel, subset: LabelOrLabels = ...) -> Scalar: ...
    @overload
    def asof(self, where: ListLike, subset: LabelOrLabels = ...) -> Self: ...
    def asof(self, where: Any, subset: Any = None) -> Any:
        """Return the last row at or before a label, or before each of a list-like, that has no missing element.

        Parameters
        ----------
        where
            A label, for which an element of a series and a row of a frame is returned; or a list-like of labels, which
            become the row labels of the result. Labels of the rows ascend.
        subset
            The columns of a frame that must not be missing; all by default.

        Where there is no such row the result is missing.

        Examples
        --------
        >>> from cuprum import Series
        >>> s = Series([1.0, None, 4.0], index=[10, 20, 30])
        >>> s.asof(25)
        np.float64(1.0)
        >>> s.asof([5, 30])
        5     NaN
        30    4.0
        dtype: float64
        """
        this: Any = self
        if not this.index.is_monotonic_increasing:
            raise ValueError("asof requires a sorted index")
        if this.ndim == 1:
            if subset is not None:
                raise ValueError("subset is not valid for Series")
            valid = this.notna()
        else:
            chosen = this if subset is None else this[label_list(subset)]
            valid = ~chosen.isna().any(axis=1)
        if isinstance(where, str) and this.index.dtype.kind == "M":
            import pandas as pd

            where = pd.Timestamp(where, tz=this.index.dtype.tz)  # the row is called by the time, as in pandas
        labels = objects.Index(
            list(where) if isinstance(where, tuple) else where if is_list_like(where) else [where]
        )
        rows = this.index.asof_locs(labels, valid.to_numpy())
        found = this.reset_index(drop=True).reindex(rows).set_axis(labels)
        return found if is_list_like(where) else found.iloc[-1]

    def truncate(
        self,
        before: Scalar = None,
        after: Scalar = None,
        axis: Axis | None = None,
        copy: bool | None = None,
    ) -> Self:
        """Return the rows (columns, with ``axis=1``) from one label to another, which have to be sorted.

        Among times ``before`` and ``after`` are moments: ``'2016-01'`` is the first midnight of January.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2, 3, 4]).truncate(before=1, after=2).to_list()
        [2, 3]
        """
        only_truth("truncate", copy=copy)
        this: Any = self
        columns = axis is not None and axis_number(axis, self) == 1
        labels = this.columns if columns else this.index
        descending = not labels.is_monotonic_increasing
        if descending and not labels.is_monotonic_decreasing:
            raise ValueError("truncate requires a sorted index")
        if labels.nlevels == 1 and labels.dtype.kind == "M":
            import pandas as pd

            before, after = (None if end is None else pd.to_datetime(end) for end in (before, after))
        if before is not None and after is not None and before > after:
            raise ValueError(f"Truncate: {after} must be after {before}")
        between = slice(after, before) if descending else slice(before, after)
        return (this.loc[:, between] if columns else this.loc[between]).copy()


class FrameLabels(Labels):
    """The labels of the rows and columns of a frame."""

    __slots__ = ()

    def droplevel(self, level: Any, axis: Axis = 0) -> DataFrame:
        """Return the frame without some levels of its row labels, or of the columns' with ``axis=1``."""
        return self._with_axis(lambda labels: labels.droplevel(level), axis)

    def swaplevel(self, i: Any = -2, j: Any = -1, axis: Axis = 0) -> DataFrame:
        """Return the frame with two levels of its row labels, or of the columns', in each other's places."""
        return self._with_axis(lambda labels: _hierarchical(labels, "swap").swaplevel(i, j), axis)

    def reorder_levels(self, order: Any, axis: Axis = 0) -> DataFrame:
        """Return the frame with the levels of its row labels, or of the columns', in another order."""
        return self._with_axis(lambda labels: _hierarchical(labels, "reorder").reorder_levels(order), axis)

    def _with_axis(self, change: Any, axis: Any) -> DataFrame:
        """Return the frame with changed labels of rows or columns."""
        number = axis_number(axis)
        return self.set_axis(change(self.columns if number else self.index), axis=number)

    @overload
    def set_index(
        self,
        keys: LabelOrLabels,
        *,
        drop: bool = ...,
        append: bool = ...,
        inplace: Literal[True],
        verify_integrity: bool = ...,
    ) -> None: ...
    @overload
    def set_index(
        self,
        keys: LabelOrLabels,
        *,
        drop: bool = ...,
        append: bool = ...,
        inplace: bool = ...,
        verify_integrity: bool = ...,
    ) -> Self: ...
    def set_index(
        self,
        keys: Any,
        *,
        drop: bool = True,
        append: bool = False,
        inplace: bool = False,
        verify_integrity: bool = False,
    ) -> Any:
        """Return the frame with columns (labels), or arrays of its length, as the row labels.

        ``append`` keeps the present labels as outer levels; ``verify_integrity`` raises
        ``ValueError`` where a label occurs twice.
        """
        drop = truth_of("drop", drop, integers=True)
        keys = keys if isinstance(keys, list) else [keys]
        if any(isinstance(key, (set, frozenset)) for key in keys):
            raise TypeError("`keys` has a set: keys are labels of columns, arrays, or lists of both")
        unknown = [key for key in keys if isinstance(key, range)]
        if unknown:  # hashable, and so a label, which no column has
            raise KeyError(f"None of {unknown} are in the columns")
        keys = [
            index_handle(key) if is_list_like(key) and not isinstance(key, tuple) else plain_label(key)
            for key in keys
        ]
        arrays = any(isinstance(key, _cuprum.Index) for key in keys)

        def label(handle: Any) -> Any:
            for key in keys if arrays else []:
                if isinstance(key, _cuprum.Index) and len(key) != len(handle):
                    raise ValueError(
                        f"Length mismatch: Expected {len(handle)} rows, received array of length {len(key)}"
                    )
            if not arrays and not append:
                result = handle.set_index(keys, drop)
            else:
                levels, names, gone = [], [], []
                for key in [handle.index(), *keys] if append else keys:
                    if isinstance(key, _cuprum.Index):
                        levels += level_columns(key)
                        names += key.names()
                    else:
                        levels.append(handle.column(key).column())
                        names.append(key)
                        gone.append(key)
                index = index_of_columns(levels, names)
                result = (handle.drop_columns(gone) if drop and gone else handle).with_index(index)
            if verify_integrity and not result.index().is_unique():
                raise ValueError("Index has duplicate keys")
            return result

        return self._relabelled(label, inplace)

    @overload
    def reset_index(
        self,
        level: LabelOrLabels = ...,
        *,
        drop: bool = ...,
        inplace: Literal[True],
        col_level: Label = ...,
        col_fill: Label = ...,
        allow_duplicates: bool = ...,
        names: LabelOrLabels = ...,
    ) -> None: ...
    @overload
    def reset_index(
        self,
        level: LabelOrLabels = ...,
        *,
        drop: bool = ...,
        inplace: bool = ...,
        col_level: Label = ...,
        col_fill: Label = ...,
        allow_duplicates: bool = ...,
        names: LabelOrLabels = ...,
    ) -> Self: ...
    def reset_index(
        self,
        level: Any = None,
        *,
        drop: bool = False,
        inplace: bool = False,
        col_level: Any = 0,
        col_fill: Any = "",
        allow_duplicates: bool = False,
        names: Any = None,
    ) -> Any:
        """Return the frame with the row labels as its first columns, under the names of their levels.

        Unnamed ones are called ``index`` or ``level_0`` and so on; ``names`` gives others. With
        ``drop`` they are dropped. ``level`` names those to reset; all without it. In hierarchical
        columns the names go to level ``col_level``, and ``col_fill`` to the others (None: the names too).
        ``ValueError`` for a name that a column has, unless ``allow_duplicates``.
        """
        check_truth("allow_duplicates", allow_duplicates)
        if isinstance(names, (Mapping, set, frozenset, tuple)):
            raise ValueError(f"Index names must be str or 1-dimensional list, not {names!r}")
        new = None if names is None else (list(names) if is_list_like(names) else [names])
        wanted = level if level is None or isinstance(level, (list, tuple)) else [level]

        def reset(handle: Any) -> Any:
            return _with_labels_as_columns(handle, wanted, drop, col_level, col_fill, new, allow_duplicates)

        return self._relabelled(reset, inplace)

    @overload
    def rename(
        self,
        mapper: Renamer = ...,
        *,
        index: Renamer = ...,
        columns: Renamer = ...,
        axis: Axis | None = ...,
        copy: bool | None = ...,
        inplace: Literal[True],
        level: Label = ...,
        errors: ErrorsIgnored = ...,
    ) -> None: ...
    @overload
    def rename(
        self,
        mapper: Renamer = ...,
        *,
        index: Renamer = ...,
        columns: Renamer = ...,
        axis: Axis | None = ...,
        copy: bool | None = ...,
        inplace: bool = ...,
        level: Label = ...,
        errors: ErrorsIgnored = ...,
    ) -> Self: ...
    def rename(
        self,
        mapper: Any = None,
        *,
        index: Any = None,
        columns: Any = None,
        axis: Any = None,
        copy: bool | None = None,
        inplace: bool = False,
        level: Any = None,
        errors: str = "ignore",
    ) -> Any:
        """Return the frame with other labels: a dict of old and new ones, or a function of the old.

        ``columns`` or ``axis=1`` is for columns, ``index`` or a bare mapper for rows. Of labels of several
        levels every part is renamed, or those of one ``level``. With ``errors='raise'`` a label that is not
        there is a ``KeyError``.
        """
        only_truth("rename", copy=copy)
        if index is not None or columns is not None:
            if mapper is not None or axis is not None:
                which = "axis" if axis is not None else "mapper"
                raise TypeError(f"Cannot specify both '{which}' and any of 'index' or 'columns'")
        elif mapper is None:
            raise TypeError("must pass an index to rename")
        elif axis is not None and axis_number(axis) == 1:
            columns = mapper
        else:
            index = mapper
        for given in (index, columns):
            if isinstance(given, objects.Series) and not given.index.is_unique:
                raise ValueError("Cannot rename with a Series with non-unique index")
        if isinstance(columns, objects.Series):
            columns = columns.to_dict()

        def rename(handle: Any) -> Any:
            if columns is not None:
                renamed = _renamed(handle.columns_index(), columns, level, errors)
                handle = handle.rename_columns(*renamed)
            if index is not None:
                handle = _renamed_rows(handle, index, level, errors)
            return handle

        return self._relabelled(rename, inplace, True if callable(index) or callable(columns) else None)

    @overload
    def rename_axis(
        self,
        mapper: Any = ...,
        *,
        index: Any = ...,
        columns: Any = ...,
        axis: Axis = ...,
        inplace: Literal[True],
    ) -> None: ...
    @overload
    def rename_axis(
        self,
        mapper: Any = ...,
        *,
        index: Any = ...,
        columns: Any = ...,
        axis: Axis = ...,
        inplace: bool = ...,
    ) -> Self: ...
    def rename_axis(
        self,
        mapper: Any = ...,
        *,
        index: Any = ...,
        columns: Any = ...,
        axis: Any = 0,
        inplace: bool = False,
    ) -> Any:
        """Return the frame with names for the levels of its row labels (or column labels).

        ``mapper``, for the labels of ``axis``, is a name or a list of one for each level; None takes it away.
        So are ``index`` and ``columns``, which may be a dict of old and new names or a function of the old, too.
        """
        if mapper is not ...:
            if index is not ... or columns is not ...:
                raise TypeError("Cannot specify both 'mapper' and any of 'index' or 'columns'")
            if axis_number(axis) == 1:
                columns = _no_mapping(mapper)
            else:
                index = _no_mapping(mapper)

        def name(handle: Any) -> Any:
            if index is not ...:
                handle = handle.with_index(_with_names(handle.index(), index))
            if columns is not ...:
                names = _level_names(handle.level_names(), columns)
                handle = handle.with_labels(handle.labels(), names)
            return handle

        return self._relabelled(name, inplace)

    def add_prefix(self, prefix: str, axis: Axis | None = None) -> DataFrame:
        """Return the frame with ``prefix`` before every column label, and every part of it; with ``axis=0`` row label."""
        return self._affixed(str(prefix), "", axis)

    def add_suffix(self, suffix: str, axis: Axis | None = None) -> DataFrame:
        """Return the frame with ``suffix`` after every column label, and every part of it; with ``axis=0`` row label."""
        return self._affixed("", str(suffix), axis)

    def _affixed(self, prefix: str, suffix: str, axis: Any) -> Any:
        handle = self._handle
        by_row = axis is not None and axis_number(axis) == 0
        affix = handle.affix_rows if by_row else handle.affix_columns
        return wrap_frame(affix(prefix, suffix))

    def set_axis(self, labels: Any, *, axis: Axis = 0) -> DataFrame:
        """Return the frame with other row labels (column labels, with ``axis=1``)."""
        if labels is None:
            raise TypeError("Index(...) must be called with a collection of some kind, None was passed")
        result = self._snapshot()
        if axis_number(axis) == 1:
            result.columns = labels
        else:
            result.index = labels
        return result

    @objects_where_mixed
    def reindex(
        self,
        labels: LabelOrLabels = None,
        *,
        index: LabelOrLabels = None,
        columns: LabelOrLabels = None,
        axis: Axis | None = None,
        **kwargs: Any,
    ) -> DataFrame:
        """Return the rows (and columns) with some labels, in their order; missing where there is none.

        Parameters
        ----------
        labels, axis
            Labels of rows, or with ``axis=1`` of columns.
        **kwargs
            ``fill_value``: what stands where there is none. ``method``, ``limit`` and ``tolerance``: which row or column
            is taken for a label that is not there, see `Index.get_indexer`. ``level``: labels are matched with those of
            one of several levels.

        ``ValueError`` where a label occurs twice here.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"a": [1, 2]}, index=[10, 20]).reindex([10, 15, 20], method="ffill")
            a
        10  1
        15  1
        20  2
        """
        options = ReindexOptions(kwargs)
        if axis is not None and (index is not None or columns is not None):
            raise TypeError("Cannot specify both 'axis' and any of 'index' or 'columns'")
        if labels is not None:
            if index is not None and columns is not None:
                raise TypeError("Cannot specify all of 'labels', 'index', 'columns'.")
            if axis is not None and axis_number(axis) == 1:
                columns = labels
            else:
                index = labels
        handle = self._snapshot()._handle
        if index is not None:
            handle = options.rows(handle, index)
        if columns is not None and not options.are_plain:
            return options.columns(wrap_frame(handle), columns)
        if columns is not None:
            wanted, own = plain_labels(columns), handle.labels()
            absent = [label for label in wanted if not handle.contains(label)]
            if wanted != own:
                if len(set(own)) < len(own):
                    raise ValueError("cannot reindex on an axis with duplicate labels")
                handle = handle.reindex_columns(wanted)
            if options.fills and absent:
                filled = Column.filled(options.fill_value, len(handle))
                every = [
                    filled if label in absent else handle.column_at(at).column()
                    for at, label in enumerate(handle.labels())
                ]
                handle = handle.with_columns(every)
            names = names_of(columns)
            if names is not None and len(names) == handle.num_levels():
                handle = handle.with_labels(handle.labels(), names)
        return wrap_frame(handle)


def _hierarchical(labels: Any, verb: str) -> Any:
    if labels.nlevels == 1:
        raise TypeError(f"Can only {verb} levels on a hierarchical axis.")
    return labels


class SeriesLabels(Labels):
    """The name of a series and the labels of its rows."""

    __slots__ = ()

    def filter(
        self,
        arg: Any = None,
        /,
        like: str | None = None,
        regex: str | None = None,
        axis: Any = None,
        *,
        items: Any = None,
        cond: Any = None,
        na: Any = False,
    ) -> Series:
        """Return the rows for which a mask is true, or with some labels; see `DataFrame.filter`."""
        return filtered(self, arg, like, regex, axis, items, cond, na)

    def set_axis(self, labels: Any, *, axis: RowAxis = 0) -> Series:
        """Return the series with other labels."""
        axis_number(axis, "Series")
        if labels is None:
            raise TypeError("Index(...) must be called with a collection of some kind, None was passed")
        result = self._snapshot()
        result.index = labels
        return result

    def droplevel(self, level: Any, axis: RowAxis = 0) -> Series:
        """Return the series without some levels of its labels."""
        return self.set_axis(self.index.droplevel(level), axis=axis)

    def swaplevel(self, i: Any = -2, j: Any = -1) -> Series:
        """Return the series with two levels of its labels in each other's places."""
        return self.set_axis(_hierarchical(self.index, "swap").swaplevel(i, j))

    def reorder_levels(self, order: Any) -> Series:
        """Return the series with the levels of its labels in another order, of their names or numbers."""
        return self.set_axis(_hierarchical(self.index, "reorder").reorder_levels(order))

    @objects_where_mixed
    def reindex(self, index: LabelOrLabels = None, **kwargs: Any) -> Series:
        """Return the rows with the labels ``index``, in its order; missing where there is none.

        ``fill_value`` stands where there is none; ``method``, ``limit`` and ``tolerance`` say which row is taken for a
        label that is not there, see `Index.get_indexer`; with ``level`` labels are matched with those of one of several
        levels. ``ValueError`` where a label occurs twice here.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.Series([1, 2], index=["a", "b"]).reindex(["b", "z"], fill_value=0)
        b    2
        z    0
        dtype: int64
        """
        axis = kwargs.pop("axis", None)
        if axis is not None:
            axis_number(axis, "Series")
        options = ReindexOptions(kwargs)
        if index is None:
            return self._snapshot()
        return self._wrap(options.rows(self._handle, index))

    @overload
    def rename(
        self,
        index: Any = ...,
        *,
        axis: RowAxis | None = ...,
        copy: bool | None = ...,
        inplace: Literal[True],
        level: Label = ...,
        errors: ErrorsIgnored = ...,
    ) -> None: ...
    @overload
    def rename(
        self,
        index: Any = ...,
        *,
        axis: RowAxis | None = ...,
        copy: bool | None = ...,
        inplace: bool = ...,
        level: Label = ...,
        errors: ErrorsIgnored = ...,
    ) -> Self: ...
    def rename(
        self,
        index: Any = None,
        *,
        axis: Any = None,
        copy: bool | None = None,
        inplace: bool = False,
        level: Any = None,
        errors: str = "ignore",
    ) -> Series | None:
        """Return the series under another name; with a dict or a callable, with other row labels.

        Of labels of several levels every part is renamed, or those of one ``level``. With ``errors='raise'``
        a label that is not there is a ``KeyError``.
        """
        only_truth("rename", copy=copy)
        if axis is not None:
            axis_number(axis, "Series")
        if isinstance(index, objects.Series) or is_pandas(index, "Series"):
            if not index.index.is_unique:
                raise ValueError("Cannot rename with a Series with non-unique index")
            index = dict(zip(index.index, index.to_list(), strict=True))
        if callable(index) or isinstance(index, Mapping):
            return self._relabelled(
                lambda handle: _renamed_rows(handle, index, level, errors),
                inplace,
                True if callable(index) else None,
            )
        name = plain_label(index)
        return self._relabelled(lambda handle: handle.rename(name), inplace)

    def add_prefix(self, prefix: str, axis: RowAxis | None = None) -> Series:
        """Return the series with ``prefix`` before every row label, and every part of it."""
        return self._affixed(str(prefix), "", axis)

    def add_suffix(self, suffix: str, axis: RowAxis | None = None) -> Series:
        """Return the series with ``suffix`` after every row label, and every part of it."""
        return self._affixed("", str(suffix), axis)

    def _affixed(self, prefix: str, suffix: str, axis: Any) -> Any:
        if axis is not None:
            axis_number(axis, "Series")
        return wrap_series(self._handle.affix_rows(prefix, suffix))

    @overload
    def rename_axis(
        self, mapper: Any = ..., *, index: Any = ..., axis: RowAxis = ..., inplace: Literal[True]
    ) -> None: ...
    @overload
    def rename_axis(
        self, mapper: Any = ..., *, index: Any = ..., axis: RowAxis = ..., inplace: bool = ...
    ) -> Self: ...
    def rename_axis(
        self, mapper: Any = ..., *, index: Any = ..., axis: Any = 0, inplace: bool = False
    ) -> Series | None:
        """Return the series with names for the levels of its row labels: ``mapper`` or ``index``.

        ``index`` may also be a dict of old and new names or a function of the old; see `DataFrame.rename_axis`.
        """
        axis_number(axis, "Series")
        if mapper is not ...:
            if index is not ...:
                raise TypeError("Cannot specify both 'mapper' and 'index'")
            index = _no_mapping(mapper)
        if index is ...:
            return self._relabelled(lambda handle: handle, inplace)
        return self._relabelled(lambda handle: handle.with_index(_with_names(handle.index(), index)), inplace)

    @overload
    def reset_index(
        self,
        level: LabelOrLabels = ...,
        *,
        drop: bool = ...,
        name: Label = ...,
        inplace: Literal[True],
        allow_duplicates: bool = ...,
    ) -> None: ...
    @overload
    def reset_index(
        self,
        level: LabelOrLabels = ...,
        *,
        drop: Literal[True],
        name: Label = ...,
        inplace: bool = ...,
        allow_duplicates: bool = ...,
    ) -> Series: ...
    @overload
    def reset_index(
        self,
        level: LabelOrLabels = ...,
        *,
        drop: bool = ...,
        name: Label = ...,
        inplace: bool = ...,
        allow_duplicates: bool = ...,
    ) -> DataFrame: ...
    def reset_index(
        self,
        level: Any = None,
        *,
        drop: bool = False,
        name: Any = ...,
        inplace: bool = False,
        allow_duplicates: bool = False,
    ) -> Any:
        """Return a frame with the row labels as columns before the values.

        With ``drop`` the series without these labels. ``level`` names those to reset; all without it.
        ``ValueError`` for a level of the name of the series, unless ``allow_duplicates``.
        """
        check_truth("allow_duplicates", allow_duplicates)
        if drop:
            wanted = level if level is None or isinstance(level, (list, tuple)) else [level]
            return self._relabelled(
                lambda handle: _with_labels_as_columns(handle, wanted, True, 0, "", None), inplace
            )
        if inplace:
            raise TypeError("Cannot reset_index inplace on a Series to create a DataFrame")
        return self.to_frame(name).reset_index(level, allow_duplicates=allow_duplicates)

    def to_frame(self, name: Any = ...) -> DataFrame:
        """Return a frame of this one column, called ``name``; without one by its own name, or 0."""
        if name is None:
            return wrap_frame(self._handle.to_frame(0).with_labels([None], [None]))
        own = name is ... or is_no_default(name)
        return wrap_frame(self._handle.to_frame(None if own else plain_label(name)))


def _with_labels_as_columns(
    handle: Any,
    level: Any,
    drop: bool,
    col_level: Any,
    col_fill: Any,
    names: list[Any] | None,
    allow_duplicates: bool = False,
) -> Any:
    """Return a handle whose row labels, or some levels of them, are its first columns; see `reset_index`."""
    index = handle.index()
    count = index.nlevels()
    which = list(range(count)) if level is None else sorted({index.level_position(one) for one in level})
    if names is not None:
        if len(names) != count:
            raise ValueError(f"`names` has {len(names)} names for {count} levels")
        index = index.with_names(names)
    if len(which) == count:
        result = handle.drop_index() if drop else _reset(handle.with_index(index), allow_duplicates)
    else:
        level_names = index.names()
        rest = [i for i in range(count) if i not in which]
        kept = index_of_columns([level_column(index, i) for i in rest], [level_names[i] for i in rest])
        result = handle
        if not drop:
            reset = index_of_columns(
                [level_column(index, i) for i in which],
                [f"level_{i}" if level_names[i] is None else level_names[i] for i in which],
            )
            result = _reset(handle.with_index(reset), allow_duplicates)
        result = result.with_index(kept)
    if not drop and handle.num_levels() > 1:
        given = [index.names()[level] for level in which]
        labels = [
            _placed(given[i] if isinstance(given[i], tuple) else label[:1], handle, col_level, col_fill)
            if i < len(which)
            else label
            for i, label in enumerate(result.labels())
        ]
        result = result.with_labels(labels, handle.level_names())
    return result


def _reset(handle: Any, allow_duplicates: bool) -> Any:
    """Return a handle with all levels of the row labels as its first columns."""
    index = handle.index()
    if not has_mixed_labels(index):
        return handle.reset_index(allow_duplicates)
    rows = _cuprum.Index.range(0, len(index)).column(0)
    levels = level_columns(index)
    made = handle.with_index(without_mixed_labels(index, lambda _: rows)).reset_index(allow_duplicates)
    return made.with_columns([*levels, *made.columns()[len(levels) :]])


def _placed(name: tuple[Any, ...], handle: Any, level: Any, fill: Any) -> Any:
    """Return the label of a column whose name, of one part or several, begins at a level; something else is in the others."""
    names, count = handle.level_names(), handle.num_levels()
    at = names.index(level) if level is not None and level in names else level
    if not isinstance(at, int) or not -count <= at < count:
        raise IndexError(f"`col_level` is {level!r}; the columns have {count} levels")
    if fill is None and len(name) not in (1, count):
        raise ValueError(
            f"the name {name!r} has neither one part nor {count}: give what the others have as `col_fill`"
        )
    fill = name[0] if fill is None else fill
    label = (*[fill] * (at % count), *name)
    if len(label) > count:
        raise ValueError(f"the name {name!r} does not fit {count} levels of labels from {level!r} on")
    return (*label, *[fill] * (count - len(label)))


def _without_rows(handle: Any, labels: Any, errors: str) -> Any:
    """Return a handle without the rows of some labels; ``errors='ignore'`` passes over unknown ones."""
    index = handle.index()
    if index.kind() in ("levels", "mixed"):
        return handle.filter(index.rows_without(label_list(labels), errors == "ignore"))
    try:
        column = column_from(labels if is_list_like(labels) and not isinstance(labels, tuple) else [labels])
    except TypeError:  # labels of several kinds
        return handle.filter(index.rows_without(label_list(labels), errors == "ignore"))
    if not len(column):
        return handle.shared()
    if errors == "ignore":
        try:
            known = index.to_series(0).isin(column).column()
        except TypeError:
            return handle
        kept = wrap_series(_cuprum.Series(known))
        return handle.filter((~kept)._handle.column())
    try:
        return handle.drop_rows(column)
    except (KeyError, TypeError, ValueError) as error:  # labels that do not compare are not there
        raise KeyError(f"{column.to_pylist()} not found in axis ({error.args[0]})") from None


def _without_parts(index: Any, labels: Any, level: Any, errors: str) -> Any:
    """Return an array that is true for the labels whose part in one of several levels is not among some."""
    if index.nlevels() == 1:
        raise AssertionError("axis must be a MultiIndex")
    at = index.level_position(plain_label(level))
    values, gone = level_at(objects.wrap_index(index), at), label_list(labels)
    if errors != "ignore":
        known = values.unique()
        absent = [label for label in gone if not known.isin([label]).any()]
        if absent:
            raise KeyError(f"labels {absent} not found in level")
    return ~values.isin(gone)


def _no_mapping(mapper: Any) -> Any:
    if callable(mapper) or isinstance(mapper, Mapping):
        raise ValueError("Use `.rename` to alter labels with a mapper.")
    return mapper


def _with_names(index: Any, names: Any) -> Any:
    return index.with_names(_level_names(index.names(), names))


def _level_names(old: list[Any], names: Any) -> list[Any]:
    """Return the names that levels called ``old`` get: a name, a list of them, or a dict or function of the old."""
    if callable(names):
        return [names(name) for name in old]
    if isinstance(names, Mapping):
        return [names.get(name, name) for name in old]
    return names_of_levels(names, len(old))


def _renamed(index: Any, change: Any, level: Any, errors: str) -> tuple[list[tuple[Any, Any]], Any, bool]:
    """Return pairs of old and new labels, the number of the level they are of, and whether all must be there."""
    depth = index.nlevels()
    only = None if level is None else index.level_position(plain_label(level))
    if isinstance(change, Mapping):
        pairs = [(plain_label(old), plain_label(new)) for old, new in change.items()]
        return pairs, only, errors == "raise"
    if not callable(change):
        raise TypeError(f"'{type(change).__name__}' object is not callable")
    labels = index.labels()
    if depth > 1:
        labels = [p for label in labels for i, p in enumerate(label) if only in (None, i)]
    return [(label, plain_label(change(label))) for label in labels], only, False


def _renamed_rows(handle: Any, change: Any, level: Any, errors: str) -> Any:
    """Return a handle with the row labels that ``change``, a mapping, a function or a series, gives for its own."""
    if isinstance(change, objects.Series):
        change = change.to_dict()
    return handle.rename_rows(*_renamed(handle.index(), change, level, errors))
