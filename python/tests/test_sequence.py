"""Columns of Python objects."""

import datetime as dt
import enum
import math
from collections import OrderedDict
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuprum import Column
from cuprum.core.interop import as_column


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        ([1, 2], "int64", [1, 2]),
        ([1, None, 3], "int64", [1, None, 3]),
        ([1, 2.5, None], "float64", [1.0, 2.5, None]),
        ([-(2**63), 2**63 - 1], "int64", [-(2**63), 2**63 - 1]),
        ([0, 2**64 - 1], "uint64", [0, 2**64 - 1]),
        ([True, None, False], "bool", [True, None, False]),
        (["a", None, float("nan"), "日本", ""], "str", ["a", None, None, "日本", ""]),
        ([], "float64", []),
        ([None, pd.NA], "float64", [None, None]),
        ([np.int8(3), np.int8(-3)], "int8", [3, -3]),
        ([np.int8(3), 300], "int64", [3, 300]),
        ([np.uint8(3), np.uint64(2**64 - 1)], "uint64", [3, 2**64 - 1]),
        ([np.float32(0.5), None], "float32", [0.5, None]),
        ([np.bool_(True), False], "bool", [True, False]),
        ([np.str_("x")], "str", ["x"]),
        ([pd.NaT], "datetime64[s]", [None]),
        ((1, 2), "int64", [1, 2]),
        (range(3), "int64", [0, 1, 2]),
        ((x for x in "ab"), "str", ["a", "b"]),
        (enum.IntEnum("E", ["A", "B"]), "int64", [1, 2]),
    ],
)
def test_types_are_those_of_the_elements(values, dtype, expected):
    column = as_column(values)
    assert column.dtype == dtype
    assert column.to_pylist() == expected
    assert column.null_count() == expected.count(None)


def test_nan_is_a_number_and_none_is_missing():
    column = as_column([1.0, float("nan"), None])
    first, nan, null = column.to_pylist()
    assert first == 1.0
    assert math.isnan(nan)
    assert null is None
    assert as_column([1, float("nan")]).dtype == "float64"


def test_dates_and_times():
    naive = dt.datetime(2013, 1, 31, 23, 59, 58, 123456)
    column = as_column([naive, None, dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59, 999999)])
    assert column.dtype == "datetime64[us]"
    assert [v if v is None else v.item() for v in column.to_pylist()] == [
        naive,
        None,
        dt.datetime(1, 1, 1),
        dt.datetime(9999, 12, 31, 23, 59, 59, 999999),
    ]
    assert as_column([dt.date(1969, 12, 31)]).get(0) == np.datetime64("1969-12-31")
    deltas = [dt.timedelta(days=-1, microseconds=7), dt.timedelta(999999, 5)]
    assert [d.item() for d in as_column(deltas).to_pylist()] == deltas


def test_times_take_the_finest_unit_among_them():
    column = as_column(
        [pd.Timestamp("2020-01-01").as_unit("s"), pd.Timestamp("2020-01-01 00:00:00.000000001"), pd.NaT]
    )
    assert column.dtype == "datetime64[ns]"
    assert column.get(1) == np.datetime64("2020-01-01T00:00:00.000000001")
    assert column.null_count() == 1
    column = as_column([pd.Timedelta("1s"), np.timedelta64(5, "ns"), None])
    assert column.dtype == "timedelta64[ns]"
    assert column.to_pylist()[0] == np.timedelta64(1, "s")


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([1, "a"], TypeError, "element 1 is a str, the elements before it are ints"),
        (["a", 1], TypeError, "element 1 is an int, the elements before it are strs"),
        ([True, 1], TypeError, "element 1 is an int, the elements before it are bools"),
        ([1, dt.datetime(2020, 1, 1)], TypeError, r"element 1 is a datetime64\[us\]"),
        ([dt.timedelta(1), dt.datetime(2020, 1, 1)], TypeError, "element 1"),
        ([1, b"x"], TypeError, "element 1: a value of type 'bytes'"),
        ([1, [1, 2]], TypeError, "a value of type 'list'"),
        ([object()], TypeError, "'object'"),
        ([1, Decimal("1.5")], TypeError, "element 1 is a Decimal"),
        ([1j], TypeError, "'complex'"),
        ([np.complex128(1)], TypeError, "complex128"),
        ([2**64], OverflowError, "18446744073709551616 does not fit 64 bits"),
        ([-1, 2**63], OverflowError, "more than 64 bits"),
        ([10**400], OverflowError, "does not fit 64 bits"),
        ([10**5000], (OverflowError, ValueError), "64 bits|digits"),
        (["ok", "\ud800"], UnicodeEncodeError, "surrogates"),
        ("text", TypeError, "not a str"),
        (b"text", TypeError, "not a bytes"),
        ({"a": 1}, TypeError, "not a dict"),
        ({1, 2}, TypeError, "not a set"),
        (5, TypeError, "not a int"),
        (None, TypeError, "not a NoneType"),
        (
            [dt.datetime(2020, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1))), dt.datetime(2020, 1, 1)],
            TypeError,
            "time zone",
        ),
    ],
)
def test_what_cannot_be_a_column(values, error, message):
    with pytest.raises(error, match=message):
        as_column(values)


def test_with_a_type_every_element_has_to_fit():
    assert as_column([1, 2], "uint8").to_pylist() == [1, 2]
    assert as_column([1, 2.0, None, float("nan")], "int16").to_pylist() == [1, 2, None, None]
    assert as_column([], "str").dtype == "str"
    assert as_column([None], "datetime64[s]").dtype == "datetime64[s]"
    assert as_column([dt.datetime(2020, 1, 1)], "datetime64[s]").get(0) == np.datetime64("2020-01-01")
    for values, dtype, error, message in [
        ([1, 256], "uint8", OverflowError, "element 1: 256 does not fit uint8"),
        ([1, 2.5], "int64", TypeError, "element 1: a float is not a value of type int64"),
        (["x"], "int64", TypeError, "element 0: a?.*str is not a value of type int64"),
        ([1], "str", TypeError, "element 0"),
        ([5], "datetime64[ns]", TypeError, "element 0: an int is not a value of type datetime64"),
        ([dt.datetime(2020, 1, 1, 0, 0, 0, 5)], "datetime64[s]", ValueError, "between two ticks"),
    ]:
        with pytest.raises(error, match=message):
            as_column(values, dtype)


@pytest.mark.parametrize(
    "values",
    [
        [(1, 2)],
        [[1], (2,)],
        [[[1]], [(2,)]],
        [{"a": 1}, {"b": 1}],
        [{"a": 1}, {"a": 1, "b": 2}],
        [[{"a": 1}], [{}]],
        [{"a": (1, 2)}],
        [{"a": {"x": 1}}, {"a": {"y": 1}}],
        [None, OrderedDict(a=1)],
    ],
    ids=str,
)
def test_containers_that_would_not_come_back_are_refused_on_demand(values):
    assert len(Column.from_scalars(values)) == len(values)
    with pytest.raises(TypeError, match=r"element \d+ is a .*, not a (list|dict)"):
        Column.from_scalars(values, kept=True)


def test_containers_that_come_back():
    for values in ([[1], None, []], [{"a": 1, "b": [{"c": 2}]}, {"b": [], "a": None}, None]):
        assert str(Column.from_scalars(values, kept=True)) == str(Column.from_scalars(values))


def test_an_iterator_that_fails_passes_its_error_on():
    def values():
        yield 1
        raise LookupError("inside")

    with pytest.raises(LookupError, match="inside"):
        as_column(values())


def test_a_list_that_changes_while_it_is_read():
    values = []

    class Evil(int):
        def __index__(self):
            values.clear()
            return 1

    values.extend([Evil(5), "x", object()])
    with pytest.raises(TypeError):
        Column.from_iterable_of_py(values)


scalars = st.one_of(
    st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)),
    st.lists(st.none() | st.floats(allow_nan=False)),
    st.lists(st.none() | st.booleans()),
    st.lists(st.none() | st.text()),
)


@given(scalars)
def test_there_and_back(values):
    assert as_column(values).to_pylist() == values
