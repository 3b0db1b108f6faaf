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

import typing as _typing

from cuprum import cuda, rmm
from cuprum import forks as _forks  # noqa: F401
from cuprum._cuprum import Column, DType, __version__
from cuprum.core import library_hooks as _library_hooks
from cuprum.core import object_columns as _object_columns
from cuprum.core import objects as _objects
from cuprum.core.algorithms import factorize, from_pandas, isna, isnull, notna, notnull, unique
from cuprum.core.cut import cut, qcut
from cuprum.core.dataframe import DataFrame
from cuprum.core.dataframe import GroupFrame as _GroupFrame
from cuprum.core.devices import from_dlpack
from cuprum.core.dtypes import (
    CategoricalDtype,
    DatetimeTZDtype,
    Decimal32Dtype,
    Decimal64Dtype,
    Decimal128Dtype,
    IntervalDtype,
    ListDtype,
    StructDtype,
    dtype,
)
from cuprum.core.groupby.aggregation import NamedAgg
from cuprum.core.groupby.grouper import Grouper
from cuprum.core.index import mixed as _mixed_index  # noqa: F401
from cuprum.core.index.categorical import CategoricalIndex
from cuprum.core.index.index import Index, wrap_index
from cuprum.core.index.interval import IntervalIndex, interval_range
from cuprum.core.index.multiindex import MultiIndex
from cuprum.core.index.period import PeriodIndex, period_range
from cuprum.core.index.range import RangeIndex
from cuprum.core.index.times import DatetimeIndex, TimedeltaIndex
from cuprum.core.reshape.concat import concat
from cuprum.core.reshape.dummies import from_dummies, get_dummies
from cuprum.core.reshape.melt import lreshape, melt, wide_to_long
from cuprum.core.reshape.merge import merge
from cuprum.core.reshape.merge_ordered import merge_asof, merge_ordered
from cuprum.core.reshape.pivot import crosstab, pivot, pivot_table
from cuprum.core.reshape.unstack import unstack
from cuprum.core.series import Series
from cuprum.core.tools.datetimes import to_datetime
from cuprum.core.tools.numeric import to_numeric
from cuprum.core.tools.offsets import infer_freq
from cuprum.core.tools.ranges import bdate_range, date_range, timedelta_range
from cuprum.core.tools.timedeltas import to_timedelta
from cuprum.core.top_level_eval import eval
from cuprum.io import (
    ExcelFile,
    json_normalize,
    read_avro,
    read_clipboard,
    read_csv,
    read_excel,
    read_feather,
    read_fwf,
    read_hdf,
    read_html,
    read_json,
    read_orc,
    read_parquet,
    read_parquet_metadata,
    read_pickle,
    read_sas,
    read_spss,
    read_sql,
    read_sql_query,
    read_sql_table,
    read_stata,
    read_table,
    read_text,
    read_xml,
    to_pickle,
)
from cuprum.options import (
    describe_option,
    get_option,
    option_context,
    reset_option,
    set_eng_float_format,
    set_option,
)
from cuprum.versions import show_versions

_objects.register(
    DataFrame=DataFrame,
    FrameWithObjects=_object_columns.FrameWithObjects,
    GroupFrame=_GroupFrame,
    Index=Index,
    RangeIndex=RangeIndex,
    Series=Series,
    SeriesOfObjects=_object_columns.SeriesOfObjects,
    from_pandas=_object_columns.from_pandas,
    mixed_by_pandas=_object_columns.mixed_by_pandas,
    operate_by_pandas=_object_columns.operate_by_pandas,
    record=_object_columns.record,
    set_elements=_object_columns.set_elements,
    wrap_index=wrap_index,
)
_library_hooks.install()

# Scalars, offsets, arrays and the types of those with missing elements are pandas' own, which is imported when the
# first is needed.
_OF_PANDAS = frozenset(
    {
        "BooleanDtype",
        "Categorical",
        "DateOffset",
        "ExcelWriter",
        "Float32Dtype",
        "Float64Dtype",
        "IndexSlice",
        "Int8Dtype",
        "Int16Dtype",
        "Int32Dtype",
        "Int64Dtype",
        "Interval",
        "NA",
        "NaT",
        "Period",
        "PeriodDtype",
        "StringDtype",
        "Timedelta",
        "Timestamp",
        "UInt8Dtype",
        "UInt16Dtype",
        "UInt32Dtype",
        "UInt64Dtype",
        "array",
        "col",
        "offsets",
    }
)


# Modules that are imported when they are first named.
_MODULES = frozenset(
    {
        "api",
        "arrays",
        "datasets",
        "errors",
        "memory",
        "plotting",
        "testing",
        "tseries",
        "typing",
        "util",
        "utils",
    }
)

if _typing.TYPE_CHECKING:
    import pandas as _pandas

    from cuprum import api as api
    from cuprum import arrays as arrays
    from cuprum import core as core
    from cuprum import datasets as datasets
    from cuprum import errors as errors
    from cuprum import io as io
    from cuprum import memory as memory
    from cuprum import options as options
    from cuprum import plotting as plotting
    from cuprum import testing as testing
    from cuprum import tseries as tseries
    from cuprum import typing as typing
    from cuprum import util as util
    from cuprum import utils as utils

    NA = _pandas.NA
    BooleanDtype = _pandas.BooleanDtype
    Categorical = _pandas.Categorical
    DateOffset = _pandas.DateOffset
    ExcelWriter = _pandas.ExcelWriter
    Float32Dtype = _pandas.Float32Dtype
    Float64Dtype = _pandas.Float64Dtype
    IndexSlice = _pandas.IndexSlice
    Int16Dtype = _pandas.Int16Dtype
    Int32Dtype = _pandas.Int32Dtype
    Int64Dtype = _pandas.Int64Dtype
    Int8Dtype = _pandas.Int8Dtype
    Interval = _pandas.Interval
    NaT = _pandas.NaT
    Period = _pandas.Period
    PeriodDtype = _pandas.PeriodDtype
    StringDtype = _pandas.StringDtype
    Timedelta = _pandas.Timedelta
    Timestamp = _pandas.Timestamp
    UInt16Dtype = _pandas.UInt16Dtype
    UInt32Dtype = _pandas.UInt32Dtype
    UInt64Dtype = _pandas.UInt64Dtype
    UInt8Dtype = _pandas.UInt8Dtype
    array = _pandas.array
    col = _pandas.col
    offsets = _pandas.offsets
else:

    def __getattr__(name: str) -> _typing.Any:
        if name in _MODULES:
            from importlib import import_module

            return import_module(f"cuprum.{name}")
        if name not in _OF_PANDAS:
            raise AttributeError(f"module 'cuprum' has no attribute {name!r}")
        import pandas as pd

        return getattr(pd, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_OF_PANDAS})


__all__ = [
    "CategoricalDtype",
    "CategoricalIndex",
    "Column",
    "DType",
    "DataFrame",
    "DatetimeIndex",
    "DatetimeTZDtype",
    "Decimal32Dtype",
    "Decimal64Dtype",
    "Decimal128Dtype",
    "ExcelFile",
    "Grouper",
    "Index",
    "IntervalDtype",
    "IntervalIndex",
    "ListDtype",
    "MultiIndex",
    "NamedAgg",
    "PeriodIndex",
    "RangeIndex",
    "Series",
    "StructDtype",
    "TimedeltaIndex",
    "__version__",
    "bdate_range",
    "concat",
    "crosstab",
    "cuda",
    "cut",
    "date_range",
    "describe_option",
    "dtype",
    "eval",
    "factorize",
    "from_dlpack",
    "from_dummies",
    "from_pandas",
    "get_dummies",
    "get_option",
    "infer_freq",
    "interval_range",
    "isna",
    "isnull",
    "json_normalize",
    "lreshape",
    "melt",
    "merge",
    "merge_asof",
    "merge_ordered",
    "notna",
    "notnull",
    "option_context",
    "period_range",
    "pivot",
    "pivot_table",
    "qcut",
    "read_avro",
    "read_clipboard",
    "read_csv",
    "read_excel",
    "read_feather",
    "read_fwf",
    "read_hdf",
    "read_html",
    "read_json",
    "read_orc",
    "read_parquet",
    "read_parquet_metadata",
    "read_pickle",
    "read_sas",
    "read_spss",
    "read_sql",
    "read_sql_query",
    "read_sql_table",
    "read_stata",
    "read_table",
    "read_text",
    "read_xml",
    "reset_option",
    "rmm",
    "set_eng_float_format",
    "set_option",
    "show_versions",
    "timedelta_range",
    "to_datetime",
    "to_numeric",
    "to_pickle",
    "to_timedelta",
    "unique",
    "unstack",
    "wide_to_long",
]
