"""Values of missing elements."""

from __future__ import annotations

import sys
from typing import Any

from cuprum._cuprum import DType

__all__ = [
    "dtype_of_nat",
    "is_missing",
    "is_nat",
    "missing_element",
    "missing_value",
    "refuse_time_of_other_kind",
    "refuse_times",
]

_SCALARS = frozenset({str, int, float, bool, type(None)})
_NAN = float("nan")


def missing_value(dtype: DType) -> Any:
    """The missing value of the type: NaN, NaT, None among truth values and objects."""
    kind = dtype.kind
    is_object = (
        kind == "O"
        and not dtype.is_object
        and dtype not in ("str", "date32")
        and dtype.freq is None
        and dtype.categories is None
        and dtype.subtype is None
    )
    if kind == "b" or is_object:
        return None
    if kind in "Mm" or dtype == "date32" or dtype.freq is not None:
        import pandas as pd

        return pd.NaT
    return _NAN


def missing_element(dtype: DType) -> Any:
    """The element of the type that is missing: `missing_value`, of numbers NumPy's NaN."""
    if dtype.kind not in "iuf":
        return missing_value(dtype)
    import numpy as np

    return np.float64("nan")


def is_nat(value: Any) -> bool:
    """Whether a value is a missing time or duration, of pandas or NumPy."""
    return type(value).__name__ in ("NaTType", "datetime64", "timedelta64") and bool(value != value)


def is_missing(value: Any) -> bool:
    """Whether one Python object stands for a missing element: None, NaN, NaT, ``pandas.NA``."""
    if value is None:
        return True
    kind = type(value)
    if kind is float:
        return value != value
    if kind in _SCALARS:
        return False
    pandas = sys.modules.get("pandas")
    if pandas is not None and value is pandas.NA:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        return False


def refuse_time_of_other_kind(value: Any, dtypes: list[Any]) -> None:
    """Fail for NaT as an element of numbers or truth values, and for NumPy's of durations among times, or the other way."""
    if not is_nat(value):
        return
    refuse_times({"datetime64": "M", "timedelta64": "m"}.get(type(value).__name__, ""), dtypes)


def refuse_times(kind: str, dtypes: list[Any]) -> None:
    """Fail for missing times of a kind (``'M'``, ``'m'``, either) as elements of types that do not hold them."""
    for dtype in dtypes:
        if dtype.kind in "biuf" or (kind and dtype.kind in "mM" and dtype.kind != kind):
            raise TypeError(f"Invalid value 'NaT' for dtype '{dtype}'")


def dtype_of_nat(value: Any, dtype: Any = None) -> str | None:
    """Return the type of NumPy's NaT, which is of times or of durations, beside elements of a dtype; None for all else.

    Its unit is its own, or that of the elements where these have no such.
    """
    kind = type(value).__name__
    if kind not in ("datetime64", "timedelta64") or type(value).__module__ != "numpy" or value == value:
        return None
    import numpy as np

    unit = np.datetime_data(value.dtype)[0]
    return f"{kind}[{unit if unit in ('s', 'ms', 'us', 'ns') else getattr(dtype, 'unit', None) or 's'}]"
