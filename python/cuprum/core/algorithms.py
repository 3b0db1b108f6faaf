"""Functions that take any list-like: `isna`, `unique` and their kin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import is_list_like
from cuprum.core.construction import column_from
from cuprum.core.dtypes import dtype
from cuprum.core.frame_construction import series_handle
from cuprum.core.interop import is_pandas
from cuprum.core.missing import is_missing
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_series

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
    from cuprum.typing import Array, HasColumns, ListLike, OneLabel, SeriesLike

__all__ = ["factorize", "from_pandas", "isna", "isnull", "notna", "notnull", "unique"]


@overload
def isna(obj: DataFrame) -> DataFrame: ...
@overload
def isna(obj: Series) -> Series: ...
@overload
def isna(obj: OneLabel) -> bool: ...
@overload
def isna(obj: ListLike) -> Array: ...
@overload
def isna(obj: object) -> bool: ...
def isna(obj: Any) -> Any:
    """Return whether a scalar is missing, or where the elements of an object are.

    Parameters
    ----------
    obj : scalar, DataFrame, Series, Index or list-like
        The values to look at.

    Returns
    -------
    bool, DataFrame, Series or numpy.ndarray
        A truth value of a scalar; a DataFrame or Series of one; an array of an Index or a list-like.

    Notes
    -----
    None, NaN, NaT and ``pandas.NA`` are missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.isna(None), cuprum.isna("")
    (True, False)
    >>> cuprum.isna([1.0, float("nan"), None])
    array([False,  True,  True])
    """
    if isinstance(obj, (objects.DataFrame, objects.Series, objects.Index)):
        return obj.isna()
    if is_list_like(obj):
        if getattr(obj, "ndim", 1) > 1:
            import pandas as pd

            return pd.isna(obj)
        return wrap_series(series_handle(obj, None, None, None)).isna().to_numpy()
    return is_missing(obj)


@overload
def notna(obj: DataFrame) -> DataFrame: ...
@overload
def notna(obj: Series) -> Series: ...
@overload
def notna(obj: OneLabel) -> bool: ...
@overload
def notna(obj: ListLike) -> Array: ...
@overload
def notna(obj: object) -> bool: ...
def notna(obj: Any) -> Any:
    """Return whether a scalar is not missing, or where the elements of an object are not.

    Parameters
    ----------
    obj : scalar, DataFrame, Series, Index or list-like
        The values to look at.

    Returns
    -------
    bool, DataFrame, Series or numpy.ndarray
        A truth value of a scalar; a DataFrame or Series of one; an array of an Index or a list-like.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.notna(0)
    True
    >>> cuprum.notna(cuprum.Series(["x", None]))
    0     True
    1    False
    dtype: bool
    """
    found = isna(obj)
    return not found if isinstance(found, bool) else ~found


isnull = isna
notnull = notna


@overload
def unique(values: Index) -> Index: ...
@overload
def unique(values: ListLike) -> Array: ...
@objects_where_mixed
def unique(values: Any) -> Any:
    """Return the different elements in order of first appearance.

    Parameters
    ----------
    values : Series, Index or list-like of one dimension
        The elements.

    Returns
    -------
    Index, numpy.ndarray or pandas.Categorical
        An Index of an Index, a ``Categorical`` of a Series of categories, else an array. All missing elements
        are one.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.unique([2, 1, 2])
    array([2, 1])
    >>> cuprum.unique(cuprum.Index(["b", "a", "b"]))
    Index(['b', 'a'], dtype='str')
    """
    values = objects.ours_or_labels(values)
    if isinstance(values, (objects.Index, objects.Series)):
        return values.unique()
    return wrap_series(_cuprum.Series(column_from(values))).unique()


@overload
def factorize(
    values: Series | Index, sort: bool = ..., use_na_sentinel: bool = ..., size_hint: int | None = ...
) -> tuple[Array, Index]: ...
@overload
def factorize(
    values: ListLike,
    sort: bool = ...,
    use_na_sentinel: bool = ...,
    size_hint: int | None = ...,
) -> tuple[Array, Array]: ...
@objects_where_mixed
def factorize(
    values: Any, sort: bool = False, use_na_sentinel: bool = True, size_hint: int | None = None
) -> tuple[Any, Any]:
    """Return the elements as numbers of the different ones, and the different ones.

    Parameters
    ----------
    values : Series, Index or list-like of one dimension
        The elements.
    sort : bool, default False
        Number the different elements in ascending order; else in order of first appearance.
    use_na_sentinel : bool, default True
        Missing elements have the number -1. With False they are one of the different elements.
    size_hint : int, optional
        Has no effect: how many elements there may be.

    Returns
    -------
    codes : numpy.ndarray
        The number of each element.
    uniques : Index or numpy.ndarray
        The different elements: an Index of a Series or an Index, else an array.

    Examples
    --------
    >>> import cuprum
    >>> s = cuprum.Series(["b", "a", None, "b"])
    >>> codes, letters = cuprum.factorize(s)
    >>> codes.tolist(), letters.to_list()
    ([0, 1, -1, 0], ['b', 'a'])
    >>> codes, letters = cuprum.factorize(s, sort=True, use_na_sentinel=False)
    >>> codes.tolist(), letters.to_list()
    ([1, 0, 2, 1], ['a', 'b', nan])
    """
    values = objects.ours_or_labels(values)
    if size_hint is not None and (not isinstance(size_hint, int) or size_hint < 0):
        raise TypeError(f"`size_hint` is {size_hint!r}; it is a number of values")
    if isinstance(values, (objects.Series, objects.Index)):
        return values.factorize(sort, use_na_sentinel)
    codes, uniques = objects.Index(column_from(values)).factorize(sort, use_na_sentinel)
    return codes, uniques.values


@overload
def from_pandas(obj: SeriesLike, nan_as_null: bool | None = ...) -> Series: ...
@overload
def from_pandas(obj: HasColumns, nan_as_null: bool | None = ...) -> DataFrame: ...
@overload
def from_pandas(obj: Any, nan_as_null: bool | None = ...) -> Any: ...
def from_pandas(obj: Any, nan_as_null: bool | None = None) -> Any:
    """Return the frame, Series, index or dtype that one of pandas is.

    Parameters
    ----------
    obj : pandas.DataFrame, Series, Index or extension dtype
        The values to convert.
    nan_as_null : bool, optional
        Whether NaN among the data is null, as in `Series`.

    Returns
    -------
    DataFrame, Series, Index or dtype
        The same labels and elements.

    Raises
    ------
    TypeError
        For any other object.

    Examples
    --------
    >>> import cuprum, pandas
    >>> cuprum.from_pandas(pandas.Series([1.5, None], index=["a", "b"]))
    a    1.5
    b    NaN
    dtype: float64
    >>> cuprum.from_pandas(pandas.Series([1.5, float("nan")]), nan_as_null=True).null_count
    1
    """
    if is_pandas(obj, "DataFrame"):
        return objects.DataFrame.from_pandas(obj, nan_as_null)
    if is_pandas(obj, "Series"):
        return objects.Series.from_pandas(obj, nan_as_null)
    if is_pandas(obj, "Index"):
        return objects.Index(obj, nan_as_null=nan_as_null)
    if is_pandas(obj, "api.extensions.ExtensionDtype"):
        return dtype(obj)
    raise TypeError(f"from_pandas expects a pandas DataFrame, Series or Index, not {type(obj)}")
