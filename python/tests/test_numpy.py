"""Columns from and to NumPy arrays."""

import gc
import io
import sys
import weakref

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from cuprum import Column
from cuprum.core.interop import as_column, to_numpy

NAMES = [f"{s}int{b}" for s in ("", "u") for b in (8, 16, 32, 64)] + ["float32", "float64", "bool"]
TIMES = [f"{kind}64[{unit}]" for kind in ("datetime", "timedelta") for unit in ("s", "ms", "us", "ns")]

arrays = st.sampled_from([*NAMES, *TIMES, ">i4", ">f8", ">M8[us]"]).flatmap(
    lambda name: hnp.arrays(name, st.integers(0, 70))
)
steps = st.sampled_from([1, -1, 2, -3])


@given(arrays, st.integers(0, 5), steps)
def test_any_array_there_and_back(array, start, step):
    array = array[start::step]
    for copy in (True, False):
        column = Column.from_numpy(array, copy)
        assert len(column) == len(array)
        back = to_numpy(column)
        assert back.dtype == array.dtype.newbyteorder("=")
        np.testing.assert_array_equal(back, array)
        assert not back.flags.writeable
        missing = np.isnat(array).sum() if array.dtype.kind in "mM" else 0
        assert column.null_count() == missing


@given(
    hnp.arrays(
        "U9", st.integers(0, 40), elements=st.text(max_size=9).filter(lambda text: not text.endswith("\0"))
    ),
    steps,
)
def test_fixed_width_text(array, step):
    array = array[::step]
    assert as_column(array).to_pylist() == array.tolist()
    assert as_column(array.astype(">U9")).to_pylist() == array.tolist()


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "25s", "7ms"])
def test_units_that_columns_do_not_have(unit):
    array = np.array(["1969-12-31", "2013-02-28", "NaT"], "M8[D]").astype(f"M8[{unit}]")
    column = as_column(array)
    coarse = "ms" if unit.endswith("ms") else "s"
    assert column.dtype == f"datetime64[{coarse}]"
    np.testing.assert_array_equal(to_numpy(column), array.astype(f"M8[{coarse}]"))


def test_booleans_that_are_not_0_and_1():
    array = np.array([0, 1, 2, 255], "u1").view(bool)
    for copy in (True, False):
        column = Column.from_numpy(array, copy)
        assert to_numpy(column).view("u1").tolist() == [0, 1, 1, 1]


def test_misaligned_memory_is_copied():
    array = np.frombuffer(b"x" + np.arange(5).tobytes(), "i8", offset=1)
    column = Column.from_numpy(array, False)
    assert column.to_pylist() == [0, 1, 2, 3, 4]


def test_by_default_later_writes_do_not_show():
    array = np.arange(5)
    column = as_column(array)
    array[0] = 99
    assert column.get(0) == 0


@pytest.mark.host
def test_shared_memory_keeps_its_array_alive_and_lets_it_go():
    array = np.arange(100_000.0)
    token = weakref.ref(array)
    column = Column.from_numpy(array, copy=False)
    part = column.slice(10, 5)
    view = to_numpy(part)
    assert view.ctypes.data == array.ctypes.data + 80
    del array, column, part
    gc.collect()
    assert token() is not None
    assert view.tolist() == [10, 11, 12, 13, 14]
    del view
    gc.collect()
    assert token() is None


def test_conversions_keep_no_references():
    array = np.arange(1000)
    before = sys.getrefcount(array)
    for _ in range(50):
        column = as_column(array)
        to_numpy(column)
        Column.from_numpy(array, copy=False)
    assert sys.getrefcount(array) == before


def test_views_of_columns_outlive_them():
    views = [to_numpy(as_column(np.full(10_000, i))) for i in range(50)]
    gc.collect()
    assert all((view == i).all() for i, view in enumerate(views))


def test_exported_memory_cannot_be_written():
    values = as_column(np.arange(4)).values()
    assert memoryview(values).readonly
    assert bytes(memoryview(values)) == np.arange(4).tobytes()
    with pytest.raises(ValueError, match="WRITEABLE"):
        np.frombuffer(values, "i8").setflags(write=True)
    with pytest.raises(TypeError, match="read-write"):
        io.BytesIO(bytes(32)).readinto(values)


def test_missing_values_in_numpys_way():
    assert to_numpy(as_column([1, None])).dtype == "float64"
    np.testing.assert_array_equal(to_numpy(as_column([2**63, None])), [2.0**63, np.nan])
    column = Column.from_numpy(np.array([1, 2], "f4")).with_nulls(as_column([True, False]))
    assert to_numpy(column).dtype == "float32"
    np.testing.assert_array_equal(to_numpy(column), [np.nan, 2])
    assert to_numpy(as_column([True, None])).tolist() == [True, None]
    assert to_numpy(as_column(["a", None]), na_value="").tolist() == ["a", ""]
    assert to_numpy(as_column([1, None]), na_value=0).tolist() == [1, 0]
    assert to_numpy(as_column([1, None]), na_value=0).dtype == "int64"
    days = to_numpy(as_column([None], "date32"))
    assert days.tolist() == [pd.NaT]


def test_masked_arrays():
    array = np.ma.masked_array([1, 2, 3], [False, True, False])
    assert as_column(array).to_pylist() == [1, None, 3]
    assert as_column(np.ma.masked_array([1, 2])).to_pylist() == [1, 2]


@pytest.mark.parametrize(
    ("array", "error", "message"),
    [
        (np.zeros((2, 2)), ValueError, r"one dimension.*\[2, 2\]"),
        (np.array(5), ValueError, "one dimension"),
        (np.zeros(2, "f2"), TypeError, "<f2"),
        (np.zeros(2, "c16"), TypeError, "<c16"),
        (np.zeros(2, "S3"), TypeError, "S3"),
        (np.zeros(2, [("a", "i4")]), TypeError, "V4"),
        (np.zeros(2, np.longdouble), TypeError, "<f16"),
        (np.array(["2020"], "M8[ps]"), TypeError, "finest unit is ns"),
        (np.array([1, "a"], object), TypeError, "element 1"),
        (np.array([0x110000, 0x41], "<u4").view("<U1"), ValueError, "element 0 is not valid Unicode"),
        (np.array([0xD800], "<u4").view("<U1"), ValueError, "element 0 is not valid Unicode"),
    ],
)
def test_arrays_that_cannot_be_columns(array, error, message):
    with pytest.raises(error, match=message):
        as_column(array)


@pytest.mark.parametrize(
    "change",
    [
        {"typestr": "x"},
        {"typestr": ""},
        {"typestr": "<i3"},
        {"typestr": "<i99999999999999999999"},
        {"shape": (-1,)},
        {"shape": (2**62,), "strides": (2**62,)},
        {"data": (0, False)},
        {"data": None},
        {"strides": (1, 2)},
        {"mask": object()},
    ],
)
def test_an_interface_that_makes_no_sense(change):
    array = np.arange(3)

    class Hostile:
        __array_interface__ = {**array.__array_interface__, **change}

    with pytest.raises((ValueError, TypeError, OverflowError, NotImplementedError)):
        Column.from_numpy(Hostile())


def test_an_interface_without_its_fields():
    class Hostile:
        __array_interface__ = {}

    with pytest.raises(ValueError, match="has no 'typestr'"):
        Column.from_numpy(Hostile())
