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
    """Fail with ``AssertionError`` unless two Series are equal: values, missing ones, types, labels and names.

    Parameters
    ----------
    check_dtype, check_names, check_series_type
        Whether types of elements, names and classes have to be equal.
    check_index_type, check_exact, check_categorical, check_category_order, rtol, atol, obj
        As in ``pandas.testing.assert_series_equal``; floats are equal within ``atol + rtol * abs(right)`` unless
        ``check_exact``.

    Examples
    --------
    >>> import cuprum
    >>> assert_series_equal(cuprum.Series([1, 2]), cuprum.Series([1, 3]), obj="result")
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
    """Fail with ``AssertionError`` unless two columns, or the elements of two Series, are equal."""
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
    """Fail with ``AssertionError`` unless two indexes are equal; see ``pandas.testing.assert_index_equal``."""
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
    """Fail with ``AssertionError`` unless two frames are equal: see `assert_series_equal`.

    ``check_like`` leaves the order of rows and columns out, which then are matched by their labels. The other
    arguments are those of ``pandas.testing.assert_frame_equal``.
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
    """Fail with ``AssertionError`` unless two results are equal, which may be Cuprum's and pandas'.

    Frames, series and indexes of both libraries are compared as pandas', arrays as arrays, tuples and lists part
    by part, and missing values equal each other. ``kwargs`` are passed to pandas' assertion for the kind.

    Examples
    --------
    >>> import cuprum, pandas
    >>> assert_eq(cuprum.Series([1, 2]), pandas.Series([1, 2]))
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
    """Fail with ``AssertionError`` where two results are equal; see `assert_eq`."""
    try:
        assert_eq(left, right, **kwargs)
    except AssertionError:
        return
    raise AssertionError("both are equal")
