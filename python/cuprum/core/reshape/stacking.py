"""Labels of columns as labels of rows, and the reverse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like, only_default, plain_label, plain_labels
from cuprum.core.objects import Wrapper, wrap_frame, wrap_series
from cuprum.core.reshape.melting import melt
from cuprum.core.reshape.pivoting import NO_DEFAULT, pivot, pivot_table

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["FrameStack", "SeriesStack", "unstack"]


def unstack(df: Any, level: Any = -1, fill_value: Any = None, sort: bool = True) -> Any:
    """Return a frame or series with levels of the row labels as labels of columns; see `DataFrame.unstack`."""
    if not isinstance(df, (objects.DataFrame, objects.Series)):
        raise TypeError(f"`df` must be a DataFrame or a Series, not a {type(df).__name__}")
    return df.unstack(level, fill_value, sort)


def _levels(level: Any) -> list[Any]:
    return plain_labels(level) if is_list_like(level) else [plain_label(level)]


def _fill(fill_value: Any) -> Any:
    if is_list_like(fill_value):
        raise NotImplementedError(f"unstack fills with one value, not with {fill_value!r}")
    return plain_label(fill_value)


class SeriesStack(Wrapper):
    """Row labels of a series as labels of columns."""

    __slots__ = ()

    def unstack(self, level: Any = -1, fill_value: Any = None, sort: bool = True) -> DataFrame:
        """Return a column for each label of a level and a row for each of the others.

        Parameters
        ----------
        level
            The name or number of a level of the row labels, or a list of several.
        fill_value
            What stands where there is no row, instead of a missing value.
        sort
            Rows and columns in the order of their labels, missing ones first; else as they first appear. As in
            pandas columns of several levels, and labels of a level of which some have no row, come as they first
            appear in any case.

        Examples
        --------
        >>> import cuprum
        >>> labels = cuprum.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "x")])
        >>> cuprum.Series([1, 2, 3], index=labels).unstack(fill_value=0)
           x  y
        a  1  2
        b  3  0
        """
        return wrap_frame(self._handle.unstack(_levels(level), _fill(fill_value), bool(sort)))


class FrameStack(Wrapper):
    """Labels of a frame's columns as those of its rows, and the reverse."""

    __slots__ = ()

    def unstack(self, level: Any = -1, fill_value: Any = None, sort: bool = True) -> Any:
        """Return every column as `Series.unstack`, below its own label.

        Of a frame whose rows have labels of one level, a Series of all columns one below the other.
        """
        if len(self._handle.index().names()) == 1:
            only_default("unstack of labels of one level", fill_value=(fill_value, None))
            for one in _levels(level):
                self._handle.index().level_position(one)
            return wrap_series(self._handle.unstack_columns())
        levels = _levels(level)
        if len(levels) > 1 and self._handle.columns_index().nlevels() > 1:
            # As in pandas one level after the other, with a column for every combination.
            numbers = [self._handle.index().level_position(one) for one in levels]
            result: Any = self
            while numbers:
                number = numbers.pop(0)
                result = result.unstack(number, fill_value, sort)
                numbers = [other if other < number else other - 1 for other in numbers]
            return result
        return wrap_frame(self._handle.unstack(levels, _fill(fill_value), bool(sort)))

    def stack(
        self,
        level: Any = -1,
        dropna: Any = NO_DEFAULT,
        sort: Any = NO_DEFAULT,
        future_stack: bool = True,
    ) -> Any:
        """Return a row for each row and each label of the columns, in their order: a Series where no level is left.

        ``level`` is the name or number of a level of the columns' labels, or a list of several. Columns that
        become one take their common type. ``dropna`` and ``sort`` belong to the form before pandas 3, which
        ``future_stack=False`` asked for: all three are refused.

        Examples
        --------
        >>> import cuprum
        >>> cuprum.DataFrame({"a": [1, 2], "b": [3, 4]}).stack()
        0  a    1
           b    3
        1  a    2
           b    4
        dtype: int64
        """
        if future_stack is not True:
            raise NotImplementedError(
                f"stack does not support `future_stack`={future_stack!r}; leave it at True"
            )
        for name, given in (("dropna", dropna), ("sort", sort)):
            if given is not NO_DEFAULT:
                raise ValueError(
                    f"{name} must be unspecified with future_stack=True: stack keeps all rows in order"
                )
        made = self._handle.stack(_levels(level))
        return wrap_frame(made) if isinstance(made, _cuprum.DataFrame) else wrap_series(made)

    def melt(
        self,
        id_vars: Any = None,
        value_vars: Any = None,
        var_name: Any = None,
        value_name: Any = "value",
        col_level: Any = None,
        ignore_index: bool = True,
    ) -> DataFrame:
        """Return a row for each element of some columns, column after column.

        Parameters
        ----------
        id_vars
            The columns that stay, repeated for each of the others.
        value_vars
            The columns whose elements become one column, of their common type; all others by default.
        var_name
            What the column of the labels is called: by default the name of the labels, or ``variable``.
        value_name
            What the column of the elements is called.
        col_level
            The level of the columns' labels that is used, without the others.
        ignore_index
            Row labels 0, 1, …; else those of the frame, repeated.
        """
        return melt(self, id_vars, value_vars, var_name, value_name, col_level, ignore_index)

    def pivot(self, *, columns: Any, index: Any = NO_DEFAULT, values: Any = NO_DEFAULT) -> DataFrame:
        """Return the frame whose rows are called by ``index`` and whose columns are called by ``columns``.

        Parameters
        ----------
        columns
            The column, or the columns, whose elements become labels of columns.
        index
            The column, or the columns, whose elements become labels of rows; by default the row labels.
        values
            The column whose elements fill the frame; of a list, or of all others by default, the labels are an
            outer level.

        ``ValueError`` where two rows have the same labels; `pivot_table` aggregates them.

        Examples
        --------
        >>> import cuprum
        >>> frame = cuprum.DataFrame({"k": ["a", "a", "b"], "l": ["x", "y", "x"], "v": [1.0, 2.0, 3.0]})
        >>> frame.pivot(columns="l", index="k", values="v").rename_axis(None)
        l    x    y
        a  1.0  2.0
        b  3.0  NaN
        """
        return pivot(self, columns=columns, index=index, values=values)

    def pivot_table(
        self,
        values: Any = None,
        index: Any = None,
        columns: Any = None,
        aggfunc: Any = "mean",
        fill_value: Any = None,
        margins: bool = False,
        dropna: bool = True,
        margins_name: str = "All",
        observed: bool = True,
        sort: bool = True,
        **kwargs: Any,
    ) -> DataFrame:
        """Return aggregations of ``values`` by the keys ``index`` (rows) and ``columns``; see `cuprum.pivot_table`."""
        return pivot_table(
            self,
            values,
            index,
            columns,
            aggfunc,
            fill_value,
            margins,
            dropna,
            margins_name,
            observed,
            sort,
            **kwargs,
        )
