"""Whether two results are equal: compared by pandas' assertions, which say where they differ.

Types are compared as Cuprum has them, so that integers with a missing element are not floats.
"""

from __future__ import annotations

import inspect
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.objects import wrap_series

__all__ = [
    "assert_column_equal",
    "assert_eq",
    "assert_frame_equal",
    "assert_index_equal",
    "assert_neq",
    "assert_series_equal",
]


def _check_kind(obj: Any, kind: Any, argument: str) -> None:
    if not isinstance(obj, kind):
        raise AssertionError(f"`{argument}` is a {type(obj).__name__}, not a {kind.__name__}")


def _check_dtype(left: Any, right: Any, what: str) -> None:
    # The comparison of categories is pandas'.
    if left != right and (left.categories is None or right.categories is None):
        raise AssertionError(f"{what} differs in its type: {left} on the left, {right} on the right")


def _compare(assertion: Any, function: Any, arguments: dict[str, Any]) -> None:
    """Call pandas' assertion with the arguments of ours that are not the defaults.

    pandas warns of some that it will drop, and compares whole numbers exactly unless it is told how. It warns of
    the default of ``exact``, too, which will be another.
    """
    sides = [arguments.pop(side) for side in ("left", "right")]
    try:
        left, right = (side.to_pandas() for side in sides)
    except OverflowError:  # integers beside missing ones that floats would round
        left, right = (side.to_pandas(nullable=True) for side in sides)
    parameters = inspect.signature(function).parameters
    given = {name: v for name, v in arguments.items() if name == "exact" or v != parameters[name].default}
    assertion(left, right, **given)


def assert_series_equal(
    left: Any,
    right: Any,
    check_dtype: bool = True,
    check_index_type: Any = "equiv",
    check_series_type: bool = True,
    check_names: bool = True,
    check_exact: bool = False,
    check_categorical: bool = True,
    check_category_order: bool = True,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    obj: str = "Series",
) -> None:
    """Fail unless two Series are equal: values, missing ones, types, labels and names.

    Parameters
    ----------
    left : Series
        The one series.
    right : Series
        The other one; floats are equal within ``atol + rtol * abs(right)``.
    check_dtype : bool, default True
        Whether the types of the elements have to be equal.
    check_index_type : bool or {``'equiv'``}, default ``'equiv'``
        Whether the labels have to be of one kind and type; with ``'equiv'`` a range equals the same integers.
    check_series_type : bool, default True
        Whether the classes have to be equal.
    check_names : bool, default True
        Whether the names of both and of their labels have to be equal.
    check_exact : bool, default False
        Whether floats have to be equal without tolerance.
    check_categorical : bool, default True
        Whether categories have to be the same, not only the elements.
    check_category_order : bool, default True
        Whether categories have to be in the same order.
    rtol : float, default 1e-05
        The relative tolerance.
    atol : float, default 1e-08
        The absolute tolerance.
    obj : str, default ``'Series'``
        What the message calls the series.

    Raises
    ------
    AssertionError
        Where they differ, or one is no Series of Cuprum.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.testing.assert_series_equal(cuprum.Series([1.0]), cuprum.Series([1.0 + 1e-9]))
    >>> cuprum.testing.assert_series_equal(cuprum.Series([1, 2]), cuprum.Series([1, 3]), obj="result")
    Traceback (most recent call last):
        ...
    AssertionError: result are different
    <BLANKLINE>
    result values are different (50.0 %)
    [index]: [0, 1]
    [left]:  [1, 2]
    [right]: [1, 3]
    """
    arguments = locals().copy()
    import pandas as pd

    _check_kind(left, objects.Series, "left")
    _check_kind(right, objects.Series, "right")
    if check_dtype:
        _check_dtype(left.dtype, right.dtype, obj)
    _compare(pd.testing.assert_series_equal, assert_series_equal, arguments)


def assert_column_equal(left: Any, right: Any, check_dtype: bool = True, obj: str = "ColumnBase") -> None:
    """Fail unless two columns, or the elements of two Series, are equal.

    Parameters
    ----------
    left : Column or Series
        The one column.
    right : Column or Series
        The other one.
    check_dtype : bool, default True
        Whether the types of the elements have to be equal.
    obj : str, default ``'ColumnBase'``
        What the message calls the columns.

    Raises
    ------
    AssertionError
        Where they differ. Labels and names do not count.

    Examples
    --------
    >>> import cuprum
    >>> one, other = cuprum.Series([1, None], name="a"), cuprum.Series([1, None], index=["x", "y"])
    >>> cuprum.testing.assert_column_equal(one, other)
    """
    columns = [
        wrap_series(_cuprum.Series(side, None, None)) if isinstance(side, Column) else side
        for side in (left, right)
    ]
    for side, argument in zip(columns, ("left", "right"), strict=True):
        _check_kind(side, objects.Series, argument)
    left, right = (side.reset_index(drop=True) for side in columns)
    assert_series_equal(left, right, check_dtype=check_dtype, check_names=False, obj=obj)


def assert_index_equal(
    left: Any,
    right: Any,
    exact: Any = "equiv",
    check_names: bool = True,
    check_exact: bool = True,
    check_categorical: bool = True,
    check_order: bool = True,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    obj: str = "Index",
) -> None:
    """Fail unless two indexes are equal: labels, types and names.

    Parameters
    ----------
    left : Index
        The one index.
    right : Index
        The other one.
    exact : bool or {``'equiv'``}, default ``'equiv'``
        Whether the labels have to be of one kind and type; with ``'equiv'`` a range equals the same integers.
    check_names : bool, default True
        Whether the names have to be equal.
    check_exact : bool, default True
        Whether floats have to be equal without tolerance.
    check_categorical : bool, default True
        Whether categories have to be the same, not only the labels.
    check_order : bool, default True
        Whether the labels have to be in the same order.
    rtol : float, default 1e-05
        The relative tolerance, without ``check_exact``.
    atol : float, default 1e-08
        The absolute tolerance, without ``check_exact``.
    obj : str, default ``'Index'``
        What the message calls the indexes.

    Raises
    ------
    AssertionError
        Where they differ, or one is no Index of Cuprum.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.testing.assert_index_equal(cuprum.RangeIndex(2), cuprum.Index([0, 1]))
    >>> one, other = cuprum.Index(["a", "b"]), cuprum.Index(["b", "a"])
    >>> cuprum.testing.assert_index_equal(one, other, check_order=False)
    """
    arguments = locals().copy()
    import pandas as pd

    _check_kind(left, objects.Index, "left")
    _check_kind(right, objects.Index, "right")
    _compare(pd.testing.assert_index_equal, assert_index_equal, arguments)


def assert_frame_equal(
    left: Any,
    right: Any,
    check_dtype: bool = True,
    check_index_type: Any = "equiv",
    check_column_type: Any = "equiv",
    check_frame_type: bool = True,
    check_names: bool = True,
    by_blocks: bool = False,
    check_exact: bool = False,
    check_categorical: bool = True,
    check_like: bool = False,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    obj: str = "DataFrame",
) -> None:
    """Fail unless two DataFrames are equal: values, missing ones, types, labels and names.

    Parameters
    ----------
    left : DataFrame
        The one frame.
    right : DataFrame
        The other one; floats are equal within ``atol + rtol * abs(right)``.
    check_dtype : bool, default True
        Whether the types of the columns have to be equal.
    check_index_type : bool or {``'equiv'``}, default ``'equiv'``
        Whether the row labels have to be of one kind and type; with ``'equiv'`` a range equals the same
        integers.
    check_column_type : bool or {``'equiv'``}, default ``'equiv'``
        Whether the labels of columns have to be of one kind and type.
    check_frame_type : bool, default True
        Whether the classes have to be equal.
    check_names : bool, default True
        Whether the names of row labels and of labels of columns have to be equal.
    by_blocks : bool, default False
        Whether pandas compares the columns of each type together.
    check_exact : bool, default False
        Whether floats have to be equal without tolerance.
    check_categorical : bool, default True
        Whether categories have to be the same, not only the elements.
    check_like : bool, default False
        Whether rows and columns are matched by their labels, in any order.
    rtol : float, default 1e-05
        The relative tolerance.
    atol : float, default 1e-08
        The absolute tolerance.
    obj : str, default ``'DataFrame'``
        What the message calls the frames.

    Raises
    ------
    AssertionError
        Where they differ, or one is no DataFrame of Cuprum.

    Examples
    --------
    >>> import cuprum
    >>> one = cuprum.DataFrame({"a": [1, None], "b": [3, 4]})
    >>> cuprum.testing.assert_frame_equal(one, one[["b", "a"]], check_like=True)
    >>> cuprum.testing.assert_frame_equal(one, one.astype("float64"))
    Traceback (most recent call last):
        ...
    AssertionError: DataFrame: column 'a' differs in its type: int64 on the left, float64 on the right
    """
    arguments = locals().copy()
    import pandas as pd

    _check_kind(left, objects.DataFrame, "left")
    _check_kind(right, objects.DataFrame, "right")
    if check_dtype:
        types = dict(zip(right._handle.labels(), right._handle.dtypes(), strict=True))
        for label, dtype in zip(left._handle.labels(), left._handle.dtypes(), strict=True):
            if label in types:
                _check_dtype(dtype, types[label], f"{obj}: column {label!r}")
    _compare(pd.testing.assert_frame_equal, assert_frame_equal, arguments)


def assert_eq(left: Any, right: Any, **kwargs: Any) -> None:
    """Fail unless two results are equal, which may be Cuprum's and pandas'.

    Parameters
    ----------
    left : object
        The one result: a frame, series or index of either library, an array, a tuple or list of results, or a
        scalar.
    right : object
        The other one.
    **kwargs
        Arguments of pandas' assertion for frames, series and indexes.

    Raises
    ------
    AssertionError
        Where they differ.
    TypeError
        For ``kwargs`` of other objects.

    Notes
    -----
    Frames, series and indexes are compared as pandas', arrays as arrays, tuples and lists part by part.
    Missing values equal each other.

    Examples
    --------
    >>> import cuprum, pandas
    >>> cuprum.testing.assert_eq(cuprum.Series([1, 2]), pandas.Series([1, 2]))
    >>> cuprum.testing.assert_eq((1, None), (1, float("nan")))
    """
    import numpy as np
    import pandas as pd

    left, right = (_as_pandas(side) for side in (left, right))
    for kind, assertion in (
        (pd.DataFrame, pd.testing.assert_frame_equal),
        (pd.Series, pd.testing.assert_series_equal),
        (pd.Index, pd.testing.assert_index_equal),
    ):
        if isinstance(left, kind) or isinstance(right, kind):
            assertion(left, right, **kwargs)
            return
    if kwargs:
        raise TypeError(f"assert_eq of a {type(left).__name__} takes no {', '.join(map(repr, kwargs))}")
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        np.testing.assert_array_equal(left, right)
    elif isinstance(left, (tuple, list)) and isinstance(right, (tuple, list)):
        if type(left) is not type(right) or len(left) != len(right):
            raise AssertionError(f"{left!r} is not {right!r}")
        for one, other in zip(left, right, strict=True):
            assert_eq(one, other)
    elif _is_missing(left) or _is_missing(right):
        if not (_is_missing(left) and _is_missing(right)):
            raise AssertionError(f"{left!r} is not {right!r}")
    elif not np.all(left == right):
        raise AssertionError(f"{left!r} is not {right!r}")


def _as_pandas(obj: Any) -> Any:
    is_ours = isinstance(obj, (objects.DataFrame, objects.Series, objects.Index))
    return obj.to_pandas() if is_ours else obj


def _is_missing(value: Any) -> bool:
    import pandas as pd

    return value is None or (pd.api.types.is_scalar(value) and bool(pd.isna(value)))


def assert_neq(left: Any, right: Any, **kwargs: Any) -> None:
    """Fail where two results are equal, which may be Cuprum's and pandas'.

    Parameters
    ----------
    left : object
        The one result, as of `assert_eq`.
    right : object
        The other one.
    **kwargs
        Arguments of `assert_eq`.

    Raises
    ------
    AssertionError
        Where they are equal.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.testing.assert_neq(cuprum.Series([1, 2]), cuprum.Series([1, 3]))
    """
    try:
        assert_eq(left, right, **kwargs)
    except AssertionError:
        return
    raise AssertionError("both are equal")
