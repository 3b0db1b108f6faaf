"""Columns from and to the objects of other libraries: NumPy, pandas, Arrow, plain Python.

Nothing here imports pandas or pyarrow unless the caller asks for their objects. Values come across
as they are; only what has no column type is refused, with the name of the type.
"""

from __future__ import annotations

import decimal
import sys
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import Column, DType
from cuprum.core.missing import is_missing, missing_value
from cuprum.core.zones import zone_name

if TYPE_CHECKING:
    import numpy as np

    from cuprum._cuprum import DTypeLike

__all__ = [
    "as_column",
    "as_numpy_dtype",
    "column_from_pandas",
    "is_pandas",
    "to_list",
    "to_numpy",
    "to_pandas_array",
]


def is_pandas(obj: object, *names: str) -> bool:
    """Whether ``obj`` is an instance of one of pandas' classes ``names``; never imports pandas."""
    return "pandas" in sys.modules and isinstance(obj, _classes_of_pandas(names))


@lru_cache(maxsize=64)
def _classes_of_pandas(names: tuple[str, ...]) -> tuple[type, ...]:
    """Return the classes of these names; pandas is imported already."""
    return tuple(attrgetter(name)(sys.modules["pandas"]) for name in names)


def as_column(obj: Any, dtype: DTypeLike | None = None, *, copy: bool = True) -> Column:
    """Make a column of the elements of ``obj``.

    Parameters
    ----------
    obj
        A column; a NumPy array of one dimension; a pandas Series, Index or array; anything that
        exports an Arrow array or a stream of them; a range; any other iterable of scalars.
    dtype
        For iterables of scalars, the type that every element has to fit. Other objects bring
        their type along, and one that differs is refused: cast the column instead.
    copy
        Whether NumPy's memory is copied. With False, whoever calls promises that nobody writes to
        the array while the column or anything made of it lives. Arrow's memory is immutable and
        shared either way.

    Examples
    --------
    >>> as_column([1, None, 3])
    Column<int64>[3 rows, 1 nulls] [1, null, 3]
    >>> as_column(range(4), dtype="float32").dtype
    dtype('float32')
    """
    if isinstance(obj, (str, bytes, bytearray, Mapping, Set)) or is_pandas(obj, "DataFrame"):
        raise TypeError(f"a column needs a sequence of scalars, not a {type(obj).__name__}")
    column = _from_typed(obj, copy)
    if column is None:
        if not isinstance(obj, Iterable):
            raise TypeError(f"a column needs a sequence of scalars, not a {type(obj).__name__}")
        return Column.from_scalars(obj, dtype)
    if dtype is not None and column.dtype != DType(dtype):
        if column.size() == column.null_count():
            return Column.all_null_like(Column.from_iterable_of_py([], dtype), column.size())
        raise TypeError(f"the values are of type {column.dtype}, not {DType(dtype)}")
    return column


def _from_typed(obj: Any, copy: bool) -> Column | None:
    """Make a column of an object that knows the type of its elements; None for one that does not."""
    if isinstance(obj, Column):
        return obj
    if is_pandas(obj, "Series", "Index", "api.extensions.ExtensionArray"):
        return column_from_pandas(obj, copy=copy)
    if hasattr(obj, "__cuda_array_interface__"):
        return Column.from_cuda_array_interface(obj)
    if hasattr(obj, "__array_interface__"):
        mask = _numpy_mask(obj)
        column = Column.from_numpy(obj, copy)
        return column if mask is None else column.with_nulls(mask)
    if hasattr(obj, "__arrow_c_array__") or hasattr(obj, "__arrow_c_stream__"):
        return _cuprum.typed_column_from_arrow(obj)
    return None


def _numpy_mask(obj: Any) -> Column | None:
    """Return the mask of a ``numpy.ma`` array, where it has one."""
    ma = sys.modules.get("numpy.ma")
    if ma is None or not isinstance(obj, ma.MaskedArray) or ma.getmask(obj) is ma.nomask:
        return None
    return Column.from_numpy(ma.getmaskarray(obj))


def _of_objects(values: Any) -> Column:
    """Make a column of an array of objects; bytes, decimals, lists and dicts are elements as they are in lists."""
    try:
        return Column.from_numpy(values)
    except TypeError:
        known = next((value for value in values if not is_missing(value)), None)
        if not isinstance(known, (bytes, decimal.Decimal, list, dict)):
            raise
        return Column.from_scalars([None if is_missing(value) else value for value in values], kept=True)


def column_from_pandas(obj: Any, *, copy: bool = True) -> Column:
    """Make a column of a pandas Series, Index or array.

    NumPy's types, the nullable ones, Arrow-backed ones, text of every kind and objects that are all
    of one type are taken; categories and zones are kept. Missing values become null, except NaN in
    floats that NumPy backs, which stays NaN.
    """
    import numpy as np
    import pandas as pd

    if isinstance(obj, pd.MultiIndex):
        raise TypeError("a MultiIndex has several columns; take its levels one by one")
    array = getattr(obj, "array", obj)
    if isinstance(array, pd.arrays.NumpyExtensionArray):
        values = np.asarray(array)
        return _of_objects(values) if values.dtype.kind == "O" else Column.from_numpy(values, copy)
    dtype = array.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        return _categories(array)
    if isinstance(dtype, pd.ArrowDtype):
        return _cuprum.typed_column_from_arrow(array.__arrow_array__())
    if isinstance(dtype, pd.StringDtype):
        if dtype.storage == "pyarrow":
            return _cuprum.typed_column_from_arrow(array.__arrow_array__())
        return Column.from_iterable_of_py(array.to_numpy(dtype=object, na_value=None), "str")
    if isinstance(dtype, pd.DatetimeTZDtype):
        instants = Column.from_numpy(array.tz_convert(None).to_numpy(), copy)
        return Column.of_instants(instants, zone_name(dtype.tz))
    if isinstance(dtype, pd.IntervalDtype):
        left, right = (column_from_pandas(pd.Index(bounds)) for bounds in (array.left, array.right))
        return Column.of_intervals(left, right, dtype.closed)
    if isinstance(dtype, pd.PeriodDtype):
        ordinals = Column.from_numpy(array.asi8, copy)
        missing = array.isna()
        ordinals = ordinals.with_nulls(Column.from_numpy(missing)) if missing.any() else ordinals
        return Column.of_periods(ordinals, dtype.name.removeprefix("period[").removesuffix("]"))
    if isinstance(dtype, pd.SparseDtype):
        return as_column(np.asarray(array), copy=copy)
    if isinstance(dtype, np.dtype):
        return Column.from_numpy(np.asarray(array), copy)
    numpy_dtype = getattr(dtype, "numpy_dtype", None)
    if numpy_dtype is not None:  # the nullable types
        column = Column.from_numpy(array.to_numpy(dtype=numpy_dtype, na_value=numpy_dtype.type(0)))
        mask = array.isna()
        return column.with_nulls(Column.from_numpy(mask)) if mask.any() else column
    raise TypeError(f"pandas' {dtype} has no column type")


def _categories(array: Any) -> Column:
    """Make a column of a categorical array."""
    import numpy as np

    codes = np.asarray(array.codes)
    column = Column.from_numpy(codes)
    missing = codes < 0
    if missing.any():
        column = column.with_nulls(Column.from_numpy(missing))
    return Column.from_codes(column, as_column(array.categories), bool(array.ordered))


def _view(values: Any) -> np.ndarray:
    import numpy as np

    return np.frombuffer(values, dtype=values.dtype)


def to_numpy(column: Column, dtype: Any = None, *, copy: bool = False, na_value: Any = ...) -> np.ndarray:
    """Return the elements as a NumPy array, missing ones in NumPy's way.

    Parameters
    ----------
    column : pylibcuprum.Column
        The elements.
    dtype : dtype, optional
        The dtype of the array; that of the elements by default.
    copy : bool, default False
        Return an array that may be written to. Without it the array is read-only and shares memory where it
        can.
    na_value : scalar, optional
        What stands for missing elements; an array of objects where the dtype has no room for it.

    Returns
    -------
    numpy.ndarray
        Integers with nulls become float64 with NaN, times have NaT; texts are an array of objects with NaN
        for nulls, truth values with nulls an array of objects with None.

    Raises
    ------
    OverflowError
        Where an integer beside nulls has no exact float64, unless ``dtype`` asks for floats.

    Notes
    -----
    NaN in floats is missing as well.

    Examples
    --------
    >>> import cuprum, pylibcuprum
    >>> column, _ = cuprum.Series([1, None, 3]).to_pylibcudf()
    >>> pylibcuprum.interop.to_numpy(column)
    array([ 1., nan,  3.])
    >>> pylibcuprum.interop.to_numpy(column, "int64", na_value=0)
    array([1, 0, 3])
    """
    if dtype is not None:
        if column.dtype.kind in "iu" and column.null_count() and _is_floating(dtype):
            column = column.cast("float64")
        return as_numpy_dtype(to_numpy(column, copy=copy, na_value=na_value), dtype)
    import numpy as np

    column = _values_of_numbers(column)
    dtype = column.dtype
    kind = "O" if dtype.tz is not None else dtype.kind
    nulls = column.null_count() > 0
    if na_value is not ... and na_value is not None and kind in "biuf" and _fits(na_value, dtype):
        filled = _filled(column, na_value)
        if filled is not None:
            return filled
    if kind == "f" and na_value is not ...:
        series = _cuprum.Series(column)
        missing = series.isna().column()
        if missing.null_count() == 0 and _cuprum.Series(missing).reduce("any"):
            present = series.notna().column()
            column, nulls = series.where(present, None, False).column(), True
    if kind == "O" or (kind == "b" and nulls) or (nulls and na_value is not ...):
        missing = missing_value(dtype)
        if na_value is ...:
            is_text = dtype == "str" or dtype.categories is not None or dtype.subtype is not None
            is_time = dtype.kind in "Mm" or dtype == "date32" or dtype.freq is not None
            na_value = np.nan if is_text else missing if is_time else None
        if dtype.kind in "Mm" or dtype.freq is not None:
            elements = [na_value if element is missing else element for element in to_list(column)]
        else:
            elements = column.to_pylist(na_value)
        values = np.fromiter(elements, dtype=object, count=column.size())
        if kind == "O" or na_value is None or not _fits(na_value, dtype):
            return values
        return values.astype(dtype.to_numpy())
    view = _view(column.values_with_missing())
    return view.copy() if copy else view


def _values_of_numbers(column: Column) -> Column:
    """Return categories that are numbers or times as these; other columns as they are."""
    categories = column.categories()
    if categories is None:
        return column
    of = categories[0].dtype
    plain = of.kind in "iufMm" or (of.kind == "b" and not column.null_count())
    return _cuprum.Series(column).astype(of).column() if plain and of.tz is None else column


def _is_floating(dtype: Any) -> bool:
    import numpy as np

    return np.dtype(dtype).kind == "f"


def _filled(column: Column, na_value: Any) -> np.ndarray | None:
    """Return numbers or truth values with a value of their type for missing ones; None where there are none."""
    import numpy as np

    values = _view(column.values())
    missing = _view(column.null_flags()) if column.null_count() else None
    if column.dtype.kind == "f":
        nan = np.isnan(values)
        missing = nan if missing is None else nan | missing
    if missing is None or not missing.any():
        return None
    values = values.copy()
    values[missing] = na_value
    return values


def to_array(column: Column, *, copy: bool = False) -> Any:
    """Return the elements as a NumPy array, see `to_numpy`; categories and periods as an array of pandas."""
    of_pandas = column.categories() is not None or column.dtype.freq is not None
    return to_pandas_array(column) if of_pandas else to_numpy(column, copy=copy)


def to_values(column: Column) -> Any:
    """Return what ``values`` of a series or an index has: `to_array`, but times with a zone are those of UTC."""
    if column.dtype.kind == "M" and column.dtype.tz is not None:
        return to_pandas_array(column).to_numpy(f"datetime64[{column.dtype.unit}]")
    if column.dtype.freq is not None:
        return to_numpy(column)
    return to_array(column)


def to_list(column: Column) -> list[Any]:
    """Return the elements as Python objects, missing ones as ``NaN``, ``NaT`` or None.

    Times are pandas' ``Timestamp`` and ``Timedelta``.

    Examples
    --------
    >>> to_list(as_column([1, None, 3]))
    [1, nan, 3]
    """
    if column.dtype.kind in "Mm" or column.dtype.freq is not None:
        return list(to_pandas_array(column))
    return column.to_pylist(missing_value(column.dtype) if column.null_count() else None)


def as_numpy_dtype(array: np.ndarray, dtype: Any) -> np.ndarray:
    """Return the elements of an array in another NumPy dtype; the array where it is None.

    Times among objects are pandas' scalars (NumPy makes numbers of those in nanoseconds).
    ``ValueError`` where floats are to be integers and one is missing or infinite.
    """
    import numpy as np

    if dtype is None:
        return array
    to = np.dtype(dtype)
    if to.kind in "iu" and array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"missing or infinite elements cannot be {to}; `na_value` stands for missing ones")
    if to.kind == "O" and array.dtype.kind in "mM":
        import pandas as pd

        return (
            pd.Series(array.astype(f"{array.dtype.kind}8[s]") if _counts_days(array) else array)
            .astype(object)
            .to_numpy()
        )
    return array.astype(to, copy=False)


def _counts_days(array: np.ndarray) -> bool:
    import numpy as np

    return np.datetime_data(array.dtype)[0] == "D"


def _fits(value: Any, dtype: DType) -> bool:
    try:
        Column.filled(value, 1, dtype)
    except (TypeError, OverflowError, ValueError):
        return False
    return True


def _arrow_array_of_pandas(column: Column) -> Any:
    """Return pandas' array that keeps Arrow's; ``TypeError`` for objects, which have no type in common."""
    import pandas as pd
    import pyarrow as pa

    if column.is_of_objects():
        raise TypeError("arrow_type=True: the objects have no type of Arrow in common")
    return pd.arrays.ArrowExtensionArray(pa.array(_cuprum.Series(column).to_device("cpu").column()))


def to_pandas_array(column: Column, *, nullable: bool = False, arrow_type: bool = False) -> Any:
    """Return the elements as what a pandas Series is made of.

    With ``arrow_type`` that is an array of pandas that keeps Arrow's: of an ``ArrowDtype``. Else:


    Text becomes pandas' ``str``. Integers with nulls become float64 with NaN (``OverflowError`` where
    that rounds one), booleans with nulls objects with None; with ``nullable`` they, and floats, become pandas' nullable types instead, and
    text ``string``. Days become seconds, the coarsest unit pandas has. The memory is the array's
    own, so that it can be written to.
    """
    import numpy as np
    import pandas as pd

    if nullable and arrow_type:
        raise ValueError(f"{nullable=} and {arrow_type=} cannot both be set.")
    if arrow_type:
        return _arrow_array_of_pandas(column)
    dtype = column.dtype
    categories = column.categories()
    if categories is not None:
        labels, ordered = categories
        codes = to_numpy(column.codes(), na_value=-1)
        return pd.Categorical.from_codes(
            codes.astype(np.int64), pd.Index(to_pandas_array(labels)), ordered=ordered
        )
    if dtype.tz is not None:
        instants = pd.array(to_numpy(column.flat(), copy=True)).tz_localize("UTC")
        return instants.tz_convert(dtype.tz)
    if dtype.subtype is not None:
        left, right = (to_pandas_array(bounds) for bounds in column.bounds())
        return pd.arrays.IntervalArray.from_arrays(left, right, closed=dtype.closed)
    if dtype.freq is not None:
        ordinals = to_numpy(column.cast("int64"), na_value=np.iinfo("int64").min)
        return pd.arrays.PeriodArray(ordinals.copy(), dtype=pd.PeriodDtype(dtype.freq))
    if dtype.kind == "O" and dtype != "str":
        return np.fromiter(to_list(column), dtype=object, count=column.size())
    if dtype.kind == "O":
        kind = pd.StringDtype() if nullable else pd.StringDtype(na_value=np.nan)
        if kind.storage == "pyarrow":
            return kind.__from_arrow__(column.to_arrow())
        return pd.array(column.to_pylist(kind.na_value), dtype=kind)
    if nullable and dtype.kind in "iufb":
        classes = {"b": pd.arrays.BooleanArray, "f": pd.arrays.FloatingArray}
        values = _view(column.values()).copy()
        return classes.get(dtype.kind, pd.arrays.IntegerArray)(values, _view(column.null_flags()).copy())
    values = to_numpy(column, copy=True)
    return pd.array(values) if dtype.unit else values
