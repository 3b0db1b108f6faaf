"""Conversion of dtypes: astype, convert_dtypes, infer_objects, nans_to_nulls."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.core import objects
from cuprum.core.arguments import (
    check_truth,
    only_truth,
    plain_label,
)
from cuprum.core.construction import (
    cast_column,
    is_naive_time,
    leaves_intervals_open,
    refuse_offsets,
)
from cuprum.core.dtypes import names_object
from cuprum.core.error_classes import ClassesOfPandas
from cuprum.core.interop import is_pandas
from cuprum.core.label_positions import places_of, refuse_repeated, with_changed
from cuprum.core.missing import is_missing
from cuprum.core.nulls import without_nan
from cuprum.core.objects import Wrapper, wrap_frame, wrap_series
from cuprum.core.slow_calls import warn_if_slow

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyDType,
        AnyObject,
        DtypeBackend,
        ErrorsIgnored,
    )


def infer_objects(self: AnyObject, copy: Any = None) -> AnyObject:
    """Return the same columns: dtypes other than those of objects are never inferred anew.

    Parameters
    ----------
    copy : bool, optional
        Has no effect: writing to the result never changes this object.

    Returns
    -------
    DataFrame or Series
        A copy with the same dtypes.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, None, 3]).infer_objects().dtype
    dtype('int64')
    """
    only_truth("infer_objects", copy=copy)
    return self._with_attrs(self._copied(deep=True))


def convert_dtypes(
    self: AnyObject,
    infer_objects: bool = True,
    convert_string: bool = True,
    convert_integer: bool = True,
    convert_boolean: bool = True,
    convert_floating: bool = True,
    dtype_backend: DtypeBackend = "numpy_nullable",
) -> AnyObject:
    """Return columns of floats that are all whole as ``int64``; other columns stay as they are.

    Parameters
    ----------
    infer_objects : bool, default True
        Has no effect.
    convert_string : bool, default True
        Has no effect: texts have one dtype.
    convert_integer : bool, default True
        Whether floats become integers.
    convert_boolean : bool, default True
        Has no effect: truth values have one dtype, which holds missing ones.
    convert_floating : bool, default True
        Has no effect: floats stay floats of their width.
    dtype_backend : ``'numpy_nullable'`` or ``'pyarrow'``, default ``'numpy_nullable'``
        Has no effect: there is one kind of column.

    Returns
    -------
    DataFrame or Series
        The same labels; a missing element stays missing.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1.0, None, 3.0]).convert_dtypes()
    0       1
    1    <NA>
    2       3
    dtype: int64
    >>> cuprum.Series([1.0, 2.5]).convert_dtypes().dtype
    dtype('float64')
    """
    for name, value in [
        ("infer_objects", infer_objects),
        ("convert_string", convert_string),
        ("convert_integer", convert_integer),
        ("convert_boolean", convert_boolean),
        ("convert_floating", convert_floating),
    ]:
        check_truth(name, value)
    if dtype_backend not in ("numpy_nullable", "pyarrow"):
        raise ValueError(
            f"dtype_backend {dtype_backend} is invalid, only 'numpy_nullable' and 'pyarrow' are allowed."
        )
    if not convert_integer:
        return self._wrap(self._handle.shallow_copy())
    return self._map(_whole)


def _whole(series: Any) -> Any:
    """Return floats as integers, where all that are there are whole and fit."""
    if series.dtype().kind != "f":
        return series
    missing = series.isna()
    there = series.filter(series.notna().column()) if missing.reduce("any") else series
    if len(there) and not (there.reduce("min") >= -(2.0**63) and there.reduce("max") < 2.0**63):
        return series
    if len(there) and there.binary(there.astype("int64").astype("float64"), "ne").reduce("any"):
        return series
    return series.where(series.notna().column(), None, False).astype("int64")


def frame_astype(
    self: DataFrame,
    dtype: AnyDType | Mapping[Any, AnyDType],
    copy: bool | None = None,
    errors: ErrorsIgnored = "raise",
) -> DataFrame:
    """Return the columns cast to a dtype, or some of them to their own dtypes.

    Parameters
    ----------
    dtype : dtype, dict or Series
        The dtype of all columns, or those of columns by label.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.
    errors : ``'raise'`` or ``'ignore'``, default ``'raise'``
        ``'ignore'`` leaves a column that cannot be cast as it is.

    Returns
    -------
    DataFrame
        The same labels; missing elements stay missing.

    Raises
    ------
    ValueError
        For a text that is no such value, and for NaN as an integer.
    OverflowError
        For a number that the dtype does not hold.
    KeyError
        For a column that is not there.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": ["1", "2"], "b": [1.0, 2.0]})
    >>> df.astype({"a": "int64"}).dtypes
    a      int64
    b    float64
    dtype: object
    >>> df.astype("float32").dtypes.to_list()
    [dtype('float32'), dtype('float32')]
    """
    _check_errors(errors)
    only_truth("astype", copy=copy)
    types = _types_by_label(dtype)
    if types is not None:  # None among several types changes nothing
        types = [(label, to) for label, to in types if not is_missing(to) or label not in self]
    if dtype is None:
        dtype = "float64"  # as of NumPy
    has_objects = isinstance(self, objects.FrameWithObjects)
    of_nested = [_is_nested(own) for own in self._handle.dtypes()] if _is_text(dtype) else []
    if types is None and (errors == "ignore" or has_objects or any(of_nested) or _is_cast_by_column(dtype)):
        return self._map(lambda series: wrap_series(series).astype(dtype, errors=errors)._handle)
    if types is None:
        with ClassesOfPandas():
            return wrap_frame(self._handle.astype(dtype))
    handle, pairs, rest = self._handle, [(plain_label(label), to) for label, to in types], []
    labels = handle.labels()
    refuse_repeated([label for label, _ in pairs])
    for label, to in pairs:
        count = len(places_of(label, labels))
        by_column = has_objects or _is_text(to) or _is_cast_by_column(to)
        if count > 1 or (count and by_column):
            handle = with_changed(handle, label, partial(_cast, to=to, errors=errors))
        else:
            rest.append((label, to))
    if errors == "raise":
        with ClassesOfPandas():
            return wrap_frame(handle.astype_columns(rest))
    for pair in rest:
        with suppress(ValueError, TypeError, OverflowError):
            handle = handle.astype_columns([pair])
    return self._around(handle)


def series_astype(
    self: Series, dtype: AnyDType, copy: bool | None = None, errors: ErrorsIgnored = "raise"
) -> Series:
    """Return the elements cast to a dtype.

    Parameters
    ----------
    dtype : dtype or dict
        The dtype, also as a dict with the name of the Series as its only key.
    copy : bool, optional
        Has no effect: writing to the result never changes this object.
    errors : ``'raise'`` or ``'ignore'``, default ``'raise'``
        ``'ignore'`` returns the elements as they are where they cannot be cast.

    Returns
    -------
    Series
        The same labels and name; missing elements stay missing.

    Raises
    ------
    ValueError
        For a text that is no such value, and for NaN as an integer.
    OverflowError
        For a number that the dtype does not hold.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series(["1", None, "3"]).astype("int64")
    0       1
    1    <NA>
    2       3
    dtype: int64
    >>> cuprum.Series(["1", "x"]).astype("int64", errors="ignore").to_list()
    ['1', 'x']

    Lists and structs become the texts that Python has for lists and dicts:

    >>> cuprum.Series([[1, None], None]).astype(str).to_list()
    ['[1, None]', nan]
    """
    _check_errors(errors)
    only_truth("astype", copy=copy)
    types = _types_by_label(dtype)
    if types is not None:
        if [label for label, _ in types] != [self.name]:
            raise KeyError("Only the Series name can be used for the key in Series dtype mappings.")
        dtype = types[0][1]
    if dtype is None:
        dtype = "float64"  # as of NumPy
    if names_object(dtype):
        elements = Column.from_objects(self.to_list())
        return wrap_series(_cuprum.Series(elements, self.name, self._handle.index()))
    if _is_nested(self.dtype) and _is_text(dtype):
        return _texts_of_nested(self)
    try:
        if leaves_intervals_open(dtype):
            elements = cast_column(self._handle.column(), dtype)
            return wrap_series(_cuprum.Series(elements, self.name, self._handle.index()))
        handle = _without_fractions(self, dtype) if _is_nullable_integer(dtype) else self._handle
        if self.dtype == "str":
            refuse_offsets(handle.column(), dtype)
        with ClassesOfPandas():
            return wrap_series(handle.astype(dtype))
    except (ValueError, TypeError, OverflowError):
        if errors != "ignore":
            raise
        return self._snapshot()


def _is_text(dtype: Any) -> bool:
    """Whether a dtype is that of texts, by any of its names."""
    try:
        return bool(DType(dtype) == "str")
    except (TypeError, ValueError, NotImplementedError):
        return False


def _is_nested(dtype: Any) -> bool:
    """Whether elements are lists or structs."""
    return str(dtype).startswith(("list<", "struct<"))


def _texts_of_nested(series: Any) -> Any:
    """Return the texts of lists and dicts; missing for missing ones, None for missing elements in them."""
    began = time.perf_counter()
    texts = [None if is_missing(element) else str(element) for element in series.to_list()]
    warn_if_slow(
        f"{series.dtype} becomes texts element by element, which takes long",
        len(texts),
        time.perf_counter() - began,
    )
    made = Column.from_iterable_of_py(texts, "str").to_device(series.device)
    return wrap_series(_cuprum.Series(made, series.name, series._handle.index()))


def _cast(handle: Any, to: Any, errors: str) -> Any:
    return wrap_series(handle).astype(to, errors=errors)._handle


def _is_cast_by_column(dtype: Any) -> bool:
    """Whether a cast to a dtype is done column by column."""
    return (
        _is_nullable_integer(dtype)
        or is_naive_time(dtype)
        or names_object(dtype)
        or leaves_intervals_open(dtype)
    )


def _types_by_label(dtype: Any) -> list[tuple[Any, Any]] | None:
    """Return pairs of a label and the type that it is given; None for one type."""
    if isinstance(dtype, (Mapping, objects.Series)) or is_pandas(dtype, "Series"):
        return list(dtype.items())
    if isinstance(dtype, (Wrapper, objects.Index)):
        raise TypeError(f"`dtype` is a {type(dtype).__name__}, which is no type")
    return None


_NULLABLE_INTEGERS = frozenset(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64))


def _is_nullable_integer(dtype: Any) -> bool:
    """Whether a dtype is one of pandas' integers that may be missing: a name, or an object of that name."""
    return (dtype if isinstance(dtype, str) else getattr(dtype, "name", None)) in _NULLABLE_INTEGERS


def _without_fractions(series: Any, dtype: Any) -> Any:
    """Return the handle of floats without NaN, which are missing as integers; they must be whole."""
    if series.dtype.kind != "f":
        return series._handle
    known = series.nans_to_nulls().dropna()
    if (known % 1 != 0).any():
        name = str(getattr(dtype, "name", dtype)).lower()
        raise TypeError(f"cannot safely cast non-equivalent {series.dtype} to {name}")
    return series.nans_to_nulls()._handle


def _check_errors(errors: Any) -> None:
    if errors not in ("raise", "ignore"):
        raise ValueError(f"`errors` is {errors!r}; known are 'raise' and 'ignore'")


def nans_to_nulls(self: AnyObject) -> AnyObject:
    """Return the elements with NaN as null.

    Returns
    -------
    DataFrame or Series
        The same labels and dtypes.

    Notes
    -----
    NaN and null are both missing to every other method. They differ in Arrow, in files and in ``null_count``.

    Examples
    --------
    >>> import cuprum, numpy
    >>> s = cuprum.Series(numpy.array([1.0, numpy.nan]))
    >>> s.null_count, s.nans_to_nulls().null_count
    (0, 1)
    """

    return self._wrap(without_nan(self._handle))
