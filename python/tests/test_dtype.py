"""``DType`` against NumPy's, pandas' and Arrow's."""

import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from cuprum import DType

NUMERIC = [f"{s}int{b}" for s in ("", "u") for b in (8, 16, 32, 64)] + ["float32", "float64", "bool"]
UNITS = [("datetime", "s ms us ns"), ("timedelta", "D s ms us ns")]
TIMES = [f"{kind}64[{unit}]" for kind, units in UNITS for unit in units.split()]


@pytest.mark.parametrize("name", NUMERIC + TIMES)
def test_numpy_agrees(name):
    ours, numpy = DType(name), np.dtype(name)
    assert ours.name == str(ours) == numpy.name
    assert ours.kind == numpy.kind
    assert ours.to_numpy() == numpy
    assert ours.type is numpy.type
    assert ours == numpy
    assert ours == name
    assert DType(numpy) == ours
    assert DType(numpy.str) == ours
    if not name.endswith("[D]"):
        assert ours.itemsize == numpy.itemsize
    assert hash(ours) == hash(DType(numpy)) == hash(name)
    assert repr(ours) == f"dtype('{name}')"
    assert pickle.loads(pickle.dumps(ours)) == ours


def test_names_of_the_same_type():
    assert all(DType(x) == "int64" for x in [int, np.int64, "int", "i8", pd.Int64Dtype(), pa.int64()])
    assert all(DType(x) == "float64" for x in [float, np.float64, "float", "double", pd.Float64Dtype()])
    assert all(DType(x) == "bool" for x in [bool, np.bool_, "boolean", pd.BooleanDtype(), pa.bool_()])
    assert all(DType(x) == "str" for x in [str, "string", "object", "O", pd.StringDtype()])
    assert DType(np.dtype("<U7")) == DType(pa.large_string()) == str
    assert DType(pd.ArrowDtype(pa.timestamp("us"))) == "datetime64[us]"
    assert DType(pa.date32()) == "date32"
    assert DType("date32[day]") == DType(pd.ArrowDtype(pa.date32())) == "date32"


def test_what_differs():
    assert DType("int64") != "int32"
    assert DType("int64") != float
    assert DType("str") != "object"
    assert DType("str") != object
    assert DType("str") != np.dtype(object)
    assert DType("int64") != 3
    assert DType("int64") != None  # noqa: E711
    assert DType("int64") in {"int64", "x"}


@pytest.mark.parametrize(
    "bad", ["int128", "", "datetime64[h]", "category", object, bytes, complex, 3, None, [], "é"]
)
def test_no_type(bad):
    with pytest.raises(TypeError, match="is not a data type"):
        DType(bad)


def test_arrow_types_without_a_column():
    with pytest.raises(NotImplementedError, match="times of day"):
        DType(pa.time64("us"))


def test_lone_surrogates_are_an_error():
    with pytest.raises(UnicodeEncodeError):
        DType("int\ud800")
    assert DType("int64") != "int\ud800"


@pytest.mark.parametrize("name", NUMERIC + TIMES)
def test_numpy_and_pandas_understand_it(name):
    ours, numpy = DType(name), np.dtype(name)
    assert np.dtype(ours) == numpy
    assert numpy == ours
    assert np.zeros(2, dtype=ours).dtype == numpy
    assert np.issubdtype(ours, numpy.type)
    assert pd.api.types.pandas_dtype(ours) == numpy
    assert pd.api.types.is_integer_dtype(ours) == (numpy.kind in "iu")
    assert pd.api.types.is_datetime64_any_dtype(ours) == (numpy.kind == "M")
    if not name.endswith("[D]"):
        assert pd.Series([0], dtype=ours).dtype == numpy


def test_text_is_objects_to_numpy():
    assert np.dtype(DType("str")) == np.dtype(object)
    assert DType("str") != object
    assert DType("int64") != object
