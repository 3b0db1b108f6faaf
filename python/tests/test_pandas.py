"""Columns from and to pandas."""

import numpy as np
import pandas as pd
import pandas.testing as pdt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuprum.core.interop import as_column, to_pandas_array


def back(column, **kwargs):
    return pd.Series(to_pandas_array(column, **kwargs))


SERIES = [
    pd.Series([1, 2, 3]),
    pd.Series([1, 2], dtype="uint8"),
    pd.Series([1.5, np.nan, -0.0]),
    pd.Series([True, False]),
    pd.Series(["a", None, "日本"]),
    pd.Series([], dtype="str"),
    pd.Series([], dtype="int32"),
    pd.Series(pd.to_datetime(["2013-01-01 05:00", None])),
    pd.Series(pd.to_timedelta(["1h", None])).dt.as_unit("ms"),
    pd.Series(range(10))[::3].reset_index(drop=True),
]


@pytest.mark.parametrize("series", SERIES, ids=lambda s: f"{s.dtype}-{len(s)}")
def test_there_and_back(series):
    pdt.assert_series_equal(back(as_column(series)), series)
    pdt.assert_series_equal(back(as_column(pd.Index(series))), series)
    pdt.assert_series_equal(back(as_column(series.array)), series)


@pytest.mark.parametrize(
    "dtype", ["Int8", "Int64", "UInt16", "Float32", "Float64", "boolean", "string", "string[python]"]
)
def test_nullable_types(dtype):
    values = ["x", None, ""] if dtype.startswith("string") else [1, None, 0]
    series = pd.Series(values, dtype=dtype)
    column = as_column(series)
    assert column.to_pylist() == values
    returned = back(column, nullable=True)
    pdt.assert_series_equal(returned, series, check_dtype=not dtype.endswith("[python]"))
    returned[1] = returned[0]  # the memory is the array's own
    assert column.get(1) is None


@pytest.mark.parametrize("storage", ["pyarrow", "python"])
@pytest.mark.parametrize("na_value", [np.nan, pd.NA])
def test_text_of_every_kind(storage, na_value):
    series = pd.Series(["x", None, "é"], dtype=pd.StringDtype(storage, na_value=na_value))
    assert as_column(series).to_pylist() == ["x", None, "é"]


@pytest.mark.parametrize(
    "dtype", ["int32[pyarrow]", "bool[pyarrow]", "double[pyarrow]", "timestamp[us][pyarrow]"]
)
def test_arrow_backed(dtype):
    series = pd.Series([1, None, 0], dtype=dtype)
    column = as_column(series)
    assert column.null_count() == 1
    assert column.dtype == series.dtype


@pytest.mark.parametrize("values", [["b", "a", None, "b"], [2, 1, 2], [2.5, None], [None, None], []])
def test_categories_are_decoded(values):
    series = pd.Series(values, dtype="category")
    assert as_column(series).to_pylist() == [None if pd.isna(v) else v for v in series]
    assert as_column(pd.CategoricalIndex(values)).to_pylist() == as_column(series).to_pylist()


def test_objects_of_one_type():
    assert as_column(pd.Series(["a", None, np.nan], dtype=object)).to_pylist() == ["a", None, None]
    assert as_column(pd.Series([1, None], dtype=object)).to_pylist() == [1, None]
    assert as_column(pd.Series([True, None], dtype=object)).to_pylist() == [True, None]
    with pytest.raises(TypeError, match="element 1"):
        as_column(pd.Series([1, "a"], dtype=object))


def test_indexes_and_sparse():
    assert as_column(pd.RangeIndex(2, 8, 3)).to_pylist() == [2, 5]
    assert as_column(pd.date_range("2020", periods=2, unit="s")).dtype == "datetime64[s]"
    assert as_column(pd.Series(pd.arrays.SparseArray([0, 0, 1]))).to_pylist() == [0, 0, 1]
    with pytest.raises(TypeError, match="several columns"):
        as_column(pd.MultiIndex.from_tuples([(1, 2)]))


def test_types_without_a_column():
    assert as_column(pd.period_range("2020", periods=2)).dtype == "period[D]"
    stamps = pd.Series(pd.to_datetime(["2020-01-01"]))
    for zone in ("UTC", "Europe/Vienna"):
        assert as_column(stamps.dt.tz_localize(zone)).dtype.tz == zone
    with pytest.raises(TypeError, match="not a DataFrame"):
        as_column(pd.DataFrame({"a": [1]}))


def test_later_writes_do_not_show():
    series = pd.Series([1, 2])
    column = as_column(series)
    series[0] = 99
    assert column.get(0) == 1
    returned = back(column)
    returned[0] = 98
    assert column.get(0) == 1


def test_nulls_in_pandas_way():
    assert back(as_column([1, None])).dtype == "float64"
    assert back(as_column([True, None])).tolist() == [True, None]
    assert back(as_column([None], "datetime64[D]")).dtype == "datetime64[s]"
    assert back(as_column([None], "timedelta64[D]")).isna().all()


@given(st.lists(st.none() | st.text()))
def test_any_text(values):
    series = pd.Series(values, dtype="str")
    assert as_column(series).to_pylist() == values
    pdt.assert_series_equal(back(as_column(series)), series)


@given(st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)))
def test_any_nullable_integers(values):
    series = pd.Series(values, dtype="Int64")
    column = as_column(series)
    assert column.to_pylist() == values
    pdt.assert_series_equal(back(column, nullable=True), series)
