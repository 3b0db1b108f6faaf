"""Questions about types: of dtypes, their names, and of series, indexes and arrays that have one.

What pandas' functions say of the dtype that a column has in pandas; lists, structs and decimals, which are objects there,
have functions of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from cuprum._cuprum import DType
from cuprum.core import objects
from cuprum.core.copy_on_write import Sharing
from cuprum.core.dtypes import (
    CategoricalDtype,
    DatetimeTZDtype,
    Decimal32Dtype,
    Decimal64Dtype,
    Decimal128Dtype,
    IntervalDtype,
    ListDtype,
    StructDtype,
    dtype_to_pandas,
)
from cuprum.core.dtypes import dtype as pandas_dtype

# Of dtypes and what has one; of anything.
_OF_DTYPES = [
    "is_any_real_numeric_dtype",
    "is_bool_dtype",
    "is_categorical_dtype",
    "is_complex_dtype",
    "is_datetime64_any_dtype",
    "is_datetime64_dtype",
    "is_datetime64_ns_dtype",
    "is_datetime64tz_dtype",
    "is_datetime_dtype",
    "is_extension_array_dtype",
    "is_float_dtype",
    "is_int64_dtype",
    "is_integer_dtype",
    "is_interval_dtype",
    "is_numeric_dtype",
    "is_object_dtype",
    "is_period_dtype",
    "is_signed_integer_dtype",
    "is_sparse",
    "is_string_dtype",
    "is_timedelta64_dtype",
    "is_timedelta64_ns_dtype",
    "is_unsigned_integer_dtype",
]
_OF_OBJECTS = [
    "is_array_like",
    "is_bool",
    "is_complex",
    "is_dict_like",
    "is_file_like",
    "is_float",
    "is_hashable",
    "is_integer",
    "is_iterator",
    "is_list_like",
    "is_named_tuple",
    "is_number",
    "is_re",
    "is_re_compilable",
    "is_scalar",
]

__all__ = [
    "CategoricalDtype",
    "DatetimeTZDtype",
    "IntervalDtype",
    "infer_dtype",
    "is_decimal32_dtype",
    "is_decimal64_dtype",
    "is_decimal128_dtype",
    "is_decimal_dtype",
    "is_dtype_equal",
    "is_list_dtype",
    "is_struct_dtype",
    "pandas_dtype",
    "union_categoricals",
]
__all__ += [*_OF_DTYPES, *_OF_OBJECTS]


def __getattr__(name: str) -> Any:
    if name in _OF_OBJECTS:
        import pandas as pd

        return getattr(pd.api.types, name)
    if name in _OF_DTYPES:
        found = _of_dtype(name)
        globals()[name] = found
        return found
    raise AttributeError(f"module 'cuprum.api.types' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


def _of_dtype(name: str) -> Callable[[Any], bool]:
    import pandas as pd

    function = getattr(pd.api.types, "is_datetime64_dtype" if name == "is_datetime_dtype" else name)

    @wraps(function)
    def asked(arr_or_dtype: Any) -> bool:
        return bool(
            function(_with_elements(arr_or_dtype) if name in _ASK_ELEMENTS else _in_pandas(arr_or_dtype))
        )

    return asked


# Questions of pandas about the elements of objects and categories, not only about their dtypes.
_ASK_ELEMENTS = ("is_string_dtype",)


def _with_elements(obj: Any) -> Any:
    """Return what pandas knows, with elements where they are objects there; one is enough of those of one type."""
    dtype = getattr(obj, "dtype", None)
    of_objects = dtype == "object"  # also labels of several types
    if (
        not hasattr(obj, "to_pandas")
        or dtype == "str"
        or not (of_objects or getattr(dtype, "kind", "") == "O")
    ):
        return _in_pandas(obj)
    return (obj if of_objects else obj[:1]).to_pandas()


def _in_pandas(obj: Any) -> Any:
    """Return what pandas knows: the dtype of pandas for one of ours, or for what has one; all else as it is."""
    if isinstance(obj, (Sharing, objects.Index)):
        obj = getattr(obj, "dtype", obj)
    if isinstance(obj, type) and issubclass(obj, DType):
        known = {
            CategoricalDtype: "CategoricalDtype",
            DatetimeTZDtype: "DatetimeTZDtype",
            IntervalDtype: "IntervalDtype",
        }
        import pandas as pd

        return getattr(pd, known[obj]) if obj in known else object
    if not isinstance(obj, DType):
        return obj
    return dtype_to_pandas(obj)


def is_dtype_equal(source: Any, target: Any) -> bool:
    """Return whether two objects are, or have, the same dtype.

    Parameters
    ----------
    source : object
        A dtype, its name, or a series, index or array.
    target : object
        The other one.

    Returns
    -------
    bool
        False where one of them is no dtype and has none.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.api.types.is_dtype_equal("int64", cuprum.Series([1, 2]))
    True
    >>> cuprum.api.types.is_dtype_equal("int64", "int32")
    False
    """
    try:
        one, other = (
            pandas_dtype(obj if isinstance(obj, type) else getattr(obj, "dtype", obj))
            for obj in (source, target)
        )
        return bool(one == other)
    except (TypeError, ValueError, NotImplementedError):
        return False


def infer_dtype(value: Any, skipna: bool = True) -> str:
    """Return the kind of values as pandas calls it.

    Parameters
    ----------
    value : Series, Index, array or list
        The values.
    skipna : bool, default True
        Whether missing values are left out of account.

    Returns
    -------
    str
        ``'string'``, ``'integer'``, ``'floating'``, ``'datetime64'``, ``'mixed'`` and so on.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.api.types.infer_dtype(["a", None])
    'string'
    >>> cuprum.api.types.infer_dtype(["a", None], skipna=False)
    'mixed'
    """
    import pandas as pd

    to_pandas = getattr(value, "to_pandas", None)
    return pd.api.types.infer_dtype(value if to_pandas is None else to_pandas(), skipna=skipna)


def union_categoricals(to_union: Any, sort_categories: bool = False, ignore_order: bool = False) -> Any:
    """Return the values of several categoricals, with the categories of all.

    Parameters
    ----------
    to_union : list of Series, Index or Categorical
        The categoricals, whose categories have one type.
    sort_categories : bool, default False
        Whether the categories are sorted; else they are in the order of appearance.
    ignore_order : bool, default False
        Whether an order of categories is left out of account.

    Returns
    -------
    pandas.Categorical
        The values of all, one categorical after the other.

    Raises
    ------
    TypeError
        Where the categories have different types, or ordered categories differ.

    Examples
    --------
    >>> import cuprum
    >>> parts = [cuprum.Series(["b"], dtype="category"), cuprum.Series(["a"], dtype="category")]
    >>> cuprum.api.types.union_categoricals(parts).categories.to_list()
    ['b', 'a']
    >>> cuprum.api.types.union_categoricals(parts, sort_categories=True).categories.to_list()
    ['a', 'b']
    """
    import pandas as pd

    parts = [part.to_pandas() if hasattr(part, "to_pandas") else part for part in to_union]
    return pd.api.types.union_categoricals(parts, sort_categories=sort_categories, ignore_order=ignore_order)


def is_list_dtype(obj: Any) -> bool:
    """Return whether an object is, or has, a dtype of lists.

    Parameters
    ----------
    obj : object
        A dtype, its name, or a series or index.

    Returns
    -------
    bool
        False for an argument that is no dtype and has none.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.api.types.is_list_dtype(cuprum.Series([[1], [2, 3]]))
    True
    >>> cuprum.api.types.is_list_dtype(cuprum.Series(["a"]))
    False
    """
    return ListDtype.is_dtype(obj)


def is_struct_dtype(obj: Any) -> bool:
    """Return whether an object is, or has, a dtype of structs.

    Parameters
    ----------
    obj : object
        A dtype, its name, or a series or index.

    Returns
    -------
    bool
        False for an argument that is no dtype and has none.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.api.types.is_struct_dtype(cuprum.Series([{"a": 1}]))
    True
    """
    return StructDtype.is_dtype(obj)


def is_decimal32_dtype(obj: Any) -> bool:
    """Return whether an object is, or has, a dtype of decimals of 32 bits.

    Parameters
    ----------
    obj : object
        A dtype, its name, or a series or index.

    Returns
    -------
    bool
        False for an argument that is no dtype and has none.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.api.types.is_decimal32_dtype(cuprum.Decimal32Dtype(5, 2))
    True
    >>> cuprum.api.types.is_decimal32_dtype(cuprum.Decimal64Dtype(5, 2))
    False
    """
    return Decimal32Dtype.is_dtype(obj)


def is_decimal64_dtype(obj: Any) -> bool:
    """Return whether an object is, or has, a dtype of decimals of 64 bits.

    Parameters
    ----------
    obj : object
        A dtype, its name, or a series or index.

    Returns
    -------
    bool
        False for an argument that is no dtype and has none.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.api.types.is_decimal64_dtype(cuprum.Decimal64Dtype(5, 2))
    True
    """
    return Decimal64Dtype.is_dtype(obj)


def is_decimal128_dtype(obj: Any) -> bool:
    """Return whether an object is, or has, a dtype of decimals of 128 bits.

    Parameters
    ----------
    obj : object
        A dtype, its name, or a series or index.

    Returns
    -------
    bool
        False for an argument that is no dtype and has none.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.api.types.is_decimal128_dtype(cuprum.Decimal128Dtype(5, 2))
    True
    """
    return Decimal128Dtype.is_dtype(obj)


def is_decimal_dtype(obj: Any) -> bool:
    """Return whether an object is, or has, a dtype of decimals of any width.

    Parameters
    ----------
    obj : object
        A dtype, its name, or a series or index.

    Returns
    -------
    bool
        False for an argument that is no dtype and has none.

    Examples
    --------
    >>> import cuprum
    >>> from decimal import Decimal
    >>> cuprum.api.types.is_decimal_dtype(cuprum.Series([Decimal("1.25")]))
    True
    >>> cuprum.api.types.is_decimal_dtype("float64")
    False
    """
    return is_decimal32_dtype(obj) or is_decimal64_dtype(obj) or is_decimal128_dtype(obj)
