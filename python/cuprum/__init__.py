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
from cuprum import frame as _frame
from cuprum._cuprum import Column, DType, __version__
from cuprum.aggregation import NamedAgg
from cuprum.construction import index_handle as _index_handle
from cuprum.construction import positions_column as _positions_column
from cuprum.dataframe import DataFrame
from cuprum.general import (
    concat,
    from_pandas,
    isna,
    isnull,
    merge,
    notna,
    notnull,
    to_datetime,
    to_numeric,
    unique,
)
from cuprum.index import DatetimeIndex, Index, MultiIndex, RangeIndex, TimedeltaIndex
from cuprum.index import wrap_index as _wrap_index
from cuprum.indexing import AtIndexer as _AtIndexer
from cuprum.indexing import IAtIndexer as _IAtIndexer
from cuprum.indexing import ILocIndexer as _ILocIndexer
from cuprum.indexing import LocIndexer as _LocIndexer
from cuprum.io import read_csv, read_parquet, read_parquet_metadata
from cuprum.options import describe_option, get_option, option_context, reset_option, set_option
from cuprum.row import Row
from cuprum.series import Series

_frame.register(
    DataFrame=DataFrame,
    Series=Series,
    Index=Index,
    LocIndexer=_LocIndexer,
    ILocIndexer=_ILocIndexer,
    AtIndexer=_AtIndexer,
    IAtIndexer=_IAtIndexer,
    wrap_index=_wrap_index,
    index_handle=_index_handle,
    positions_column=_positions_column,
)

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
