"""Binary operators: arithmetic, comparison, logic, dot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.algorithms import from_pandas
from cuprum.core.arguments import (
    axis_number,
    element_of,
    is_frame_like,
    is_list_like,
)
from cuprum.core.binary_comparison import compared_bytes, is_bytes
from cuprum.core.construction import column_from
from cuprum.core.frame_construction import series_from_pandas
from cuprum.core.index.index import Index
from cuprum.core.interop import is_pandas
from cuprum.core.missing import dtype_of_nat, missing_element
from cuprum.core.objects import Wrapper, ours, wrap_frame, wrap_series
from cuprum.core.tools.datetime_coercion import as_element, as_elements, is_date, refuse_date
from cuprum.core.tools.offsets import is_offset, moved

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
    from cuprum.typing import (
        FrameOrSeries,
        Label,
        RowAxis,
        Scalar,
    )

_PLAIN = frozenset({int, float, bool, str})


_COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


@overload
def frame_matmul(self: DataFrame, other: DataFrame) -> DataFrame: ...
@overload
def frame_matmul(self: DataFrame, other: Series | list[Any]) -> Series: ...
@overload
def frame_matmul(self: DataFrame, other: Any) -> DataFrame | Series: ...
def frame_matmul(self: DataFrame, other: Any) -> Any:
    """Return ``df @ other``, see `dot`."""
    return self.dot(other)


def frame_rmatmul(self: DataFrame, other: Any) -> Any:
    """Return ``other @ df``."""
    if not is_list_like(other):
        return NotImplemented
    import numpy as np

    rows = np.asarray(other)
    if rows.ndim != 1:
        return self.T.dot(rows.T).T
    if len(rows) != len(self):
        raise ValueError(f"Dot product shape mismatch, {rows.shape} vs {self.shape}")
    return objects.Series(rows, index=self.index).dot(self)


@overload
def frame_dot(self: DataFrame, other: DataFrame) -> DataFrame: ...
@overload
def frame_dot(self: DataFrame, other: Series | list[Any]) -> Series: ...
@overload
def frame_dot(self: DataFrame, other: Any) -> DataFrame | Series: ...
def frame_dot(self: DataFrame, other: Any) -> Any:
    """Return the matrix product with a Series, a frame or an array.

    Parameters
    ----------
    other : Series, DataFrame or array-like
        Its row labels are matched with the column labels; those of an array or a list by position.

    Returns
    -------
    Series or DataFrame
        A Series for a Series or a list, a DataFrame for a frame or an array of two dimensions; labelled by
        the row labels. A missing element makes the sums missing that it takes part in.

    Raises
    ------
    ValueError
        Where one side has other labels or another number of them.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": [3, 4]})
    >>> df.dot([1, 10])
    0    31
    1    42
    dtype: int64
    >>> df.dot(cuprum.DataFrame({"x": [1, 0], "y": [0, 2]}, index=["a", "b"]))
       x  y
    0  1  6
    1  2  8
    """
    if is_pandas(other, "Series"):
        other = objects.Series(other)
    elif is_pandas(other, "DataFrame"):
        other = objects.DataFrame(other)
    if not isinstance(other, (objects.Series, objects.DataFrame)):
        if not is_list_like(other):
            raise TypeError(f"unsupported type: {type(other)}")
        if len(other) != self.shape[1]:
            raise ValueError(f"Dot product shape mismatch, {self.shape} vs {len(other)} rows")
        if isinstance(other, list) and other and is_list_like(other[0]):
            import numpy as np

            other = np.asarray(other)
        plain: Any = objects.DataFrame if getattr(other, "ndim", 1) == 2 else objects.Series
        other = plain(other, index=self.columns)
    result = self._handle.dot(other._handle)
    return wrap_frame(result) if isinstance(other, objects.DataFrame) else wrap_series(result)


def frame_operate(self: DataFrame, other: Any, op: str, reflected: bool) -> Any:
    """Return what an operator gives beside a scalar, a row, a frame or an array; ``reflected``: on its right."""
    handle = self._handle
    if type(other) in _PLAIN:
        return _with_scalar(self, other, op, reflected)
    other = element_of(other)
    if isinstance(other, objects.SeriesOfObjects):
        return objects.operate_by_pandas(self, other, op, reflected)
    if isinstance(other, objects.DataFrame):
        left, right = (other._handle, handle) if reflected else (handle, other._handle)
        try:
            return wrap_frame(left.binary(right, op))
        except TypeError:
            if op not in _COMPARISONS or not any(map(is_bytes, handle.dtypes())):
                raise
            pairs = zip(left.columns(), right.columns(), strict=True)
            found = [wrap_series(_cuprum.Series(a))._operate(objects.Series(b), op, False) for a, b in pairs]
            return wrap_frame(left.with_columns([series._handle.column() for series in found]))
    if is_pandas(other, "DataFrame"):
        return self._operate(objects.DataFrame(other), op, reflected)
    if isinstance(other, objects.Series) or is_pandas(other, "Series"):
        row = objects.Series(other)._handle
        if op in _COMPARISONS and not row.index().equals(handle.columns_index()):
            raise ValueError(
                "Operands are not aligned: compare with `eq`, `lt` and so on, or reindex one first."
            )
        return wrap_frame(handle.operate(row, op, reflected, True))
    if is_list_like(other):
        if getattr(other, "ndim", 1) == 2:
            return _operate_with_array(self, other, op, reflected)
        column = column_from(other)
        if len(column) != handle.num_columns():
            raise ValueError(
                f"Unable to coerce to Series, length must be {handle.num_columns()}: given {len(column)}"
            )
        return wrap_frame(handle.operate(column, op, reflected, True))
    self._refuse_logic(other, op)
    self._refuse_none(other, op, handle.dtypes())
    return _with_scalar(self, other, op, reflected)


def _operate_with_array(self: DataFrame, other: Any, op: str, reflected: bool) -> Any:
    """Return what an operator gives beside an array as large as the frame, or of one row or column for all."""
    rows, count = self.shape
    if other.shape == (rows, count):
        return self._operate(objects.DataFrame(other, index=self.index, columns=self.columns), op, reflected)
    if other.shape == (rows, 1):
        return wrap_frame(self._handle.operate(column_from(other[:, 0]), op, reflected, False))
    if other.shape == (1, count):
        return self._operate(other[0], op, reflected)
    raise ValueError(f"Unable to coerce to DataFrame, shape must be {self.shape}: given {other.shape}")


def _with_scalar(self: DataFrame, other: Any, op: str, reflected: bool) -> Any:
    if type(other) not in _PLAIN or type(other) is bool:
        self._refuse_of_times(other, op, self._handle.dtypes())
    by_column = lambda s: wrap_series(s)._operate(other, op, reflected)._handle  # noqa: E731
    if type(other) is str and op in _COMPARISONS and any(d.kind in "Mm" for d in self._handle.dtypes()):
        return self._map(by_column)  # each reads the text as its type
    if (
        is_date(other)
        or dtype_of_nat(other) is not None
        or (op in ("and", "or", "xor") and type(other).__name__ == "NAType")
    ):
        return self._map(by_column)
    try:
        return wrap_frame(self._handle.binary_scalar(other, op, reflected))
    except TypeError:
        if op not in ("eq", "ne") and not any(map(is_bytes, self._handle.dtypes())):
            raise
        return self._map(by_column)


def frame_negated(self: DataFrame) -> Any:
    """Return the elements with the other sign; truth values are inverted, as pandas has it."""
    if any(dtype.kind == "b" for dtype in self._handle.dtypes()):
        return self._map(lambda s: wrap_series(s)._negated()._handle)
    return self._wrap(self._handle.unary("neg"))


def frame_through_numpy(self: DataFrame, ufunc: Any, inputs: tuple[Any, ...]) -> Any:
    """Return what another of NumPy's element functions makes of frames, matched by label, arrays and scalars."""
    inputs = tuple(objects.DataFrame(one) if is_pandas(one, "DataFrame") else one for one in inputs)
    if any(isinstance(one, objects.Series) or is_pandas(one, "Series") for one in inputs):
        raise NotImplementedError(
            f"numpy.{ufunc.__name__} of a DataFrame and a Series: call it on columns, or on `to_frame()`"
        )
    if len(inputs) == 1 and ufunc.nout == 1:
        return self._map(lambda handle: ufunc(wrap_series(handle))._handle)
    if len(inputs) == 2 and all(isinstance(one, objects.DataFrame) for one in inputs):
        inputs = inputs[0].align(inputs[1])
    shape = next(one for one in inputs if isinstance(one, objects.DataFrame))
    # As pandas has it, of all columns in their common type.
    found = ufunc(*(one.to_numpy() if isinstance(one, objects.DataFrame) else one for one in inputs))

    def labelled(values: Any) -> Any:
        made = objects.DataFrame(values, index=shape.index)._handle
        return wrap_frame(made.with_labels(shape._handle.labels(), shape._handle.level_names()))

    return tuple(map(labelled, found)) if isinstance(found, tuple) else labelled(found)


def frame_operate_with(
    self: DataFrame, name: str, other: Any, op: str, reflected: bool, axis: Any, level: Any, fill_value: Any
) -> Any:
    """Return the result of an operator's method: `add` with its axis, level and fill value."""
    by_row = axis is None or axis_number(axis) == 1
    other = ours(other)
    if level is not None and isinstance(other, Wrapper):
        left, right = self.align(other, axis=None if other.ndim == 2 else 1 if by_row else 0, level=level)
        return left._operate_with(name, right, op, reflected, axis, None, fill_value)
    if (
        not by_row
        and hasattr(other, "__array_interface__")
        and other.shape == (1, self.shape[1]) != self.shape
    ):
        other = other[0]  # a series, for the axis
    is_dict = isinstance(other, Mapping)
    labelled = isinstance(other, Wrapper)
    is_plain = not labelled and is_list_like(other) and getattr(other, "ndim", 1) == 1
    if is_dict or (is_plain and (fill_value is not None or not by_row)):
        # As in pandas, dicts have to be as long as the labels they are found by.
        labels = self.columns if by_row else self.index
        values = other if is_dict else column_from(other)
        if len(values) != len(labels):
            raise ValueError(f"Unable to coerce to Series, length must be {len(labels)}: given {len(values)}")
        other = objects.Series(values, index=labels)
    compares = op in _COMPARISONS
    if compares and fill_value is not None:
        raise TypeError(f"DataFrame.{name}() got an unexpected keyword argument 'fill_value'")
    if isinstance(other, objects.Series):
        return wrap_frame(self._handle.operate(other._handle, op, reflected, by_row, fill_value))
    if isinstance(other, objects.DataFrame) and fill_value is not None:
        return wrap_frame(self._handle.operate(other._handle, op, reflected, False, fill_value))
    if isinstance(other, objects.DataFrame) and compares:
        left, right = self._handle.align(other._handle)
        return wrap_frame(left)._operate(wrap_frame(right), op, reflected)
    left = self if fill_value is None else self.fillna(fill_value)
    return left._operate(other, op, reflected)


def operate_in_place(self: FrameOrSeries, other: Any, op: str) -> Any:
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


_ORDERINGS = frozenset({"lt", "le", "gt", "ge"})


_COMPARISONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})


_LOGIC = frozenset({"and", "or", "xor"})


_PLAIN = frozenset({int, float, bool, str})


def divmod_(
    self: Series, other: Any, level: Label = None, fill_value: Scalar = None, axis: RowAxis = 0
) -> tuple[Series, Series]:
    """Return whole quotients and remainders of the elements and another operand.

    Parameters
    ----------
    other : scalar, Series or list-like
        The divisor; a Series is matched by label.
    level : int or level name, optional
        The level of a MultiIndex by which a Series is matched.
    fill_value : scalar, optional
        What stands for an element that only one side is missing.
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.

    Returns
    -------
    tuple of Series
        The results of `floordiv` and of `mod`.

    Examples
    --------
    >>> import cuprum
    >>> quotients, remainders = cuprum.Series([7, 8]).divmod(3)
    >>> quotients.to_list(), remainders.to_list()
    ([2, 2], [1, 2])
    """
    return (
        self.floordiv(other, level=level, fill_value=fill_value, axis=axis),
        self.mod(other, level=level, fill_value=fill_value, axis=axis),
    )


def rdivmod(
    self: Series, other: Any, level: Label = None, fill_value: Scalar = None, axis: RowAxis = 0
) -> tuple[Series, Series]:
    """Return whole quotients and remainders of another operand and the elements.

    Parameters
    ----------
    other : scalar, Series or list-like
        The dividend; a Series is matched by label.
    level : int or level name, optional
        The level of a MultiIndex by which a Series is matched.
    fill_value : scalar, optional
        What stands for an element that only one side is missing.
    axis : 0 or 'index', default 0
        The only axis of a Series. 1 raises ``ValueError``.

    Returns
    -------
    tuple of Series
        The results of `rfloordiv` and of `rmod`.

    Examples
    --------
    >>> import cuprum
    >>> quotients, remainders = cuprum.Series([2, 3]).rdivmod(7)
    >>> quotients.to_list(), remainders.to_list()
    ([3, 2], [1, 1])
    """
    return (
        self.rfloordiv(other, level=level, fill_value=fill_value, axis=axis),
        self.rmod(other, level=level, fill_value=fill_value, axis=axis),
    )


def series_operate(self: Series, other: Any, op: Any, reflected: bool) -> Any:
    """Return what an operator gives beside a scalar, a series or values; ``reflected``: on their right."""
    handle = self._handle
    if handle.is_of_periods() or (isinstance(other, objects.Series) and other._handle.is_of_periods()):
        return objects.operate_by_pandas(self, other, op, reflected)
    if type(other) in _PLAIN:
        if type(other) is bool:
            self._refuse_of_times(other, op, [handle.dtype()])
        try:
            if type(other) is str and op in _COMPARISONS and handle.dtype().kind in "Mm":
                other = as_element(other, handle.dtype())
            return wrap_series(handle.binary_scalar(other, op, reflected))
        except TypeError:
            return _incomparable(self, op, other)
    other = element_of(other)
    if isinstance(other, Wrapper):
        if not isinstance(other, objects.Series):
            return NotImplemented
        left, right = (other._handle, handle) if reflected else (handle, other._handle)
        if op == "mul":
            self._refuse_of_times(other, op, [handle.dtype()])
            other._refuse_of_times(self, op, [other._handle.dtype()])
        if op in _ORDERINGS:
            _refuse_half_categories(left.dtype(), right.dtype(), op)
        try:
            if op in _COMPARISONS and left.dtype().kind in "Mm" and right.dtype() == "str":
                texts = as_elements(right.column(), left.dtype())
                right = _cuprum.Series(texts, right.name(), right.index())
            return wrap_series(left.binary(right, op))
        except TypeError:
            if not left.index().equals(right.index()):
                raise
            return _incomparable(self, op, other)
    if isinstance(other, str):
        return self._operate(str(other), op, reflected)  # of NumPy
    if is_pandas(other, "DataFrame"):
        return from_pandas(other)._operate(self, op, not reflected)
    if is_pandas(other, "Series", "Index"):
        return self._operate(from_pandas(other), op, reflected)
    self._refuse_logic(other, op)
    self._refuse_of_times(other, op, [handle.dtype()])
    if (kind := dtype_of_nat(other, handle.dtype())) is not None:
        missing = Column.all_null_like(Column.from_iterable_of_py([], kind), len(self))
        try:
            return wrap_series(handle.binary_column(missing, op, reflected))
        except TypeError:
            return _incomparable(self, op, other)
    if _is_never(other, op) and handle.dtype().kind in "biuf":
        return wrap_series(_cuprum.Series(Column.filled(False, len(self)), handle.name(), handle.index()))
    if is_list_like(other):
        column = _as_column(self, other)
        if op in _ORDERINGS:
            _refuse_half_categories(handle.dtype(), column.dtype, op)
        if isinstance(other, Index) and not _same_label(other.name, handle.name()):
            handle = handle.rename(None)
        try:
            if op in _COMPARISONS and handle.dtype().kind in "Mm" and column.dtype == "str":
                column = as_elements(column, handle.dtype())
            return wrap_series(handle.binary_column(column, op, reflected))
        except TypeError:
            return _incomparable(self, op, other)
    if is_offset(other) and (op == "add" or (op == "sub" and not reflected)):
        return moved(self, other, 1 if op == "add" else -1)
    self._refuse_none(other, op, [handle.dtype()])
    try:
        refuse_date(other, handle.dtype())
        return wrap_series(handle.binary_scalar(other, op, reflected))
    except TypeError:
        return _incomparable(self, op, other)


def series_negated(self: Series) -> Any:
    """Return the elements with the other sign; truth values are inverted, as pandas has it."""
    return self._wrap(self._handle.unary("invert" if self._handle.dtype().kind == "b" else "neg"))


def series_through_numpy(self: Series, ufunc: Any, inputs: tuple[Any, ...]) -> Any:
    """Return what another of NumPy's element functions makes of the elements, rows matched by label."""
    if any(isinstance(one, Wrapper) and not isinstance(one, objects.Series) for one in inputs):
        return NotImplemented
    series: list[Any] = [one for one in inputs if isinstance(one, objects.Series)]
    name = series[0].name if all(_same_label(one.name, series[0].name) for one in series) else None
    if len(series) == 2 and not series[0]._handle.index().equals(series[1]._handle.index()):
        series = list(series[0].align(series[1]))
        inputs = tuple(series)
    index = series[0]._handle.index()
    arrays = [one.to_numpy() if isinstance(one, (objects.Series, Index)) else one for one in inputs]

    def labelled(values: Any) -> Any:
        return wrap_series(_cuprum.Series(column_from(values), name, index))

    found = ufunc(*arrays)
    return tuple(map(labelled, found)) if isinstance(found, tuple) else labelled(found)


def _as_column(self: Series, other: Any) -> Column:
    if getattr(other, "ndim", 1) != 1:
        raise ValueError(f"a Series cannot be combined with an array of {other.ndim} dimensions")
    if is_pandas(other, "Series"):
        return series_from_pandas(other).reindex(self._handle.index()).column()
    return column_from(other)


def _incomparable(self: Series, op: Any, other: Any) -> Any:
    """The result of ``==`` and ``!=`` for types that do not compare; to be called while handling the error."""
    if is_bytes(self.dtype) and op in _COMPARISONS:
        found = compared_bytes(self, other, op)
        if found is None:
            raise
        return wrap_series(_cuprum.Series(found, _name_beside(self, other), self._handle.index()))
    categories = all(getattr(side, "dtype", None) == "category" for side in (self, other))
    if op not in ("eq", "ne") or not self.dtype.is_comparable or categories:
        raise
    filled = Column.filled(op == "ne", len(self))
    made = wrap_series(_cuprum.Series(filled, _name_beside(self, other), self._handle.index()))
    return made if _cuprum.pandas_compatible() else made.where(self.notna(), None)


def _name_beside(self: Series, other: Any) -> Any:
    """Return the name of what comes of the elements and ``other``: none where that has another one."""
    labelled = isinstance(other, (objects.Series, Index))
    return None if labelled and not _same_label(other.name, self.name) else self.name


def series_operate_with(
    self: Series, name: Any, other: Any, op: Any, reflected: bool, axis: Any, level: Any, fill_value: Any
) -> Any:
    """Return the result of an operator's method: `add` with its axis, level and fill value."""
    if axis is not None:
        axis_number(axis, "Series")
    if (isinstance(other, Wrapper) and other.ndim == 2) or is_frame_like(other):
        raise TypeError(f"Series.{name} takes no DataFrame: call it on that, with the Series")
    if level is not None and isinstance(other, objects.Series):
        left, right = self.align(other, level=level)
        return left._operate_with(name, right, op, reflected, axis, None, fill_value)
    left = self
    if is_pandas(other, "Series"):
        other = objects.Series(other)
    compares = op in _COMPARISONS
    if isinstance(other, objects.Series) and fill_value is None:
        if compares and not left._handle.index().equals(other._handle.index()):
            left, other = map(wrap_series, left._handle.align(other._handle))
    elif fill_value is not None and is_list_like(other) and not isinstance(other, Wrapper):
        column = _as_column(self, other)
        if len(column) != len(self):
            raise ValueError(f"Lengths must be equal: {len(column)} values for {len(self)} elements")
        other = wrap_series(_cuprum.Series(column, self.name, self._handle.index()))
    if fill_value is None:
        return left._operate(other, op, reflected)
    if not isinstance(other, objects.Series):
        return left.fillna(fill_value)._operate(other, op, reflected)
    first, second = (other, left) if reflected else (left, other)
    return wrap_series(first._handle.binary_filled(second._handle, op, fill_value))


def series_matmul(self: Series, other: Any) -> Scalar:
    """Return ``s @ other``, see `dot`."""
    return self.dot(other)


def series_rmatmul(self: Series, other: Any) -> Scalar:
    """Return ``other @ s``."""
    if isinstance(other, Wrapper) or getattr(other, "ndim", 1) != 1:
        return NotImplemented
    return self.dot(other)


@overload
def series_dot(self: Series, other: DataFrame) -> Series: ...
@overload
def series_dot(self: Series, other: Any) -> Scalar: ...
def series_dot(self: Series, other: Any) -> Any:
    """Return the sum of the products with the elements of a Series, or with each column of a frame.

    Parameters
    ----------
    other : Series, DataFrame or array-like
        Rows are matched by label; those of an array or a list by position.

    Returns
    -------
    scalar or Series
        A number; for a DataFrame a Series of them, labelled by its columns. A missing element makes the sum
        missing.

    Raises
    ------
    ValueError
        Where one side has other labels or another number of elements.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series([1, 2, 3])
    >>> s.dot([1, 10, 100])
    np.int64(321)
    >>> s.dot(cuprum.DataFrame({"a": [1, 0, 0], "b": [0, 1, 1]}))
    a    1
    b    5
    dtype: int64
    """
    if is_pandas(other, "Series"):
        other = objects.Series(other)
    if isinstance(other, Wrapper) and not isinstance(other, objects.Series):
        return wrap_series(self._handle.dot_columns(other._handle))
    if not isinstance(other, objects.Series):
        if not is_list_like(other):
            raise TypeError(f"unsupported type: {type(other)}")
        if getattr(other, "ndim", 1) == 2:
            return self.to_numpy() @ other
        other = objects.Series(column_from(other), index=self.index) if len(other) == len(self) else other
        if len(other) != len(self):
            raise ValueError(f"Dot product shape mismatch, {(len(self),)} vs {(len(other),)}")
    total = self._handle.dot(other._handle)
    return missing_element(self.dtype) if total is None else total


def _same_label(one: Any, other: Any) -> bool:
    """Whether two labels are the same; a missing one is the same as itself, as in pandas."""
    return bool(one == other or (one != one and other != other))


def _is_never(other: Any, op: Any) -> bool:
    """Whether a scalar makes logic of truth values False throughout, as pandas has ``pd.NA`` do."""
    return op in _LOGIC and type(other).__name__ == "NAType" and _cuprum.pandas_compatible()


def _refuse_half_categories(left: Any, right: Any, op: str) -> None:
    """Fail for categories beside a list of what are none: which order is meant?"""
    if (left == "category") != (right == "category"):
        raise TypeError(
            f"Cannot compare categories for op __{op}__ with elements of another type: astype them first"
        )
