"""Cuprum: a columnar DataFrame library with a pandas-like API.

Importing it takes a few milliseconds: NumPy, pandas and pyarrow are imported when they are needed.

Examples
--------
>>> import cuprum
>>> df = cuprum.DataFrame({"city": ["Bern", "Rome", "Bern"], "x": [1, 2, 3]})
>>> df.groupby("city").x.sum()
city
Bern    4
Rome    2
Name: x, dtype: int64
"""

from cuprum import cuda, rmm
from cuprum import forks as _forks  # noqa: F401
from cuprum import mixed_index as _mixed_index  # noqa: F401
from cuprum import objects as _objects
from cuprum._cuprum import Column, DType, __version__
from cuprum.aggregation import NamedAgg
from cuprum.dataframe import DataFrame
from cuprum.general import from_pandas, isna, isnull, notna, notnull, to_datetime, to_numeric, unique
from cuprum.index import Index, RangeIndex, wrap_index
from cuprum.io import read_csv, read_parquet, read_parquet_metadata
from cuprum.joins import concat, merge
from cuprum.multi_index import MultiIndex
from cuprum.options import describe_option, get_option, option_context, reset_option, set_option
from cuprum.row import Row
from cuprum.series import Series
from cuprum.time_index import DatetimeIndex, TimedeltaIndex

_objects.register(DataFrame=DataFrame, Series=Series, Index=Index, wrap_index=wrap_index)

__all__ = [
    "Column",
    "DType",
    "DataFrame",
    "DatetimeIndex",
    "Index",
    "MultiIndex",
    "NamedAgg",
    "RangeIndex",
    "Row",
    "Series",
    "TimedeltaIndex",
    "__version__",
    "concat",
    "cuda",
    "describe_option",
    "from_pandas",
    "get_option",
    "isna",
    "isnull",
    "merge",
    "notna",
    "notnull",
    "option_context",
    "read_csv",
    "read_parquet",
    "read_parquet_metadata",
    "reset_option",
    "rmm",
    "set_option",
    "to_datetime",
    "to_numeric",
    "unique",
]
