"""`to_numpy`, `values` and NumPy's conversions."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree
from small_frames import FLOATS

import cuprum


@pytest.mark.parametrize(
    "program",
    [
        # An array that is a view of nothing takes no elements.
        "[x.flags.writeable for x in (df.values, df.to_numpy(), df.to_numpy(copy=True), np.asarray(df), np.array(df))]",
        "[x.flags.writeable for x in (t.values, df.assign(x=0.5).values, df.to_numpy(dtype='int64'))]",
    ],
)
def test_arrays_that_are_views_of_nothing_take_elements(program: str) -> None:
    agree(program, **SMALL)


def test_values_are_read_only() -> None:
    agree("df.values[0, 0] = 5\ndf", refused=(ValueError, "assignment destination is read-only"), **SMALL)


VALUES = [
    [1, 2, 1],
    [1, 2, None],
    [1.5, None],
    ["a", None],
    [True, False],
    list(pd.date_range("2000", periods=2)),
]


@pytest.mark.parametrize("values", VALUES, ids=str)
def test_categories_are_arrays_of_their_values(values: list[Any]) -> None:
    for make in (
        lambda lib: np.asarray(lib.Series(pd.Categorical(values))),
        lambda lib: lib.Series(pd.Categorical(values)).to_numpy(),
        lambda lib: np.asarray(lib.CategoricalIndex(values)),
    ):
        agree(make)


@pytest.mark.parametrize(
    "code",
    [
        # Texts of columns are as long as they are.
        "df.to_numpy(dtype=str).tolist()",
        "df.assign(t=['x', 'long', '', 'z'], d=lib.to_datetime(['2020-01-01'] * 4)).to_numpy('U').tolist()",
    ],
)
def test_arrays_of_texts_are_as_wide_as_the_longest(code):
    agree(code, df=FLOATS)


@pytest.mark.parametrize("na_value", ["0", "7.5", "np.nan"])
def test_na_value(na_value):
    agree(f"s.to_numpy(na_value={na_value})", s=pd.Series([1.0, float("nan"), 3]))
    agree(f"lib.Index(s).to_numpy(na_value={na_value})", s=pd.Series([1.0, float("nan"), 3]))
    agree(f"df.to_numpy(na_value={na_value}).ravel()", df=pd.DataFrame({"a": [1.0, None], "b": [None, 2.5]}))
    if na_value == "0":
        agree("s.to_numpy('int64', na_value=0)", s=pd.Series([1.0, float("nan"), 3]))
        agree("s.to_numpy(dtype='int8', na_value=0)", s=pd.Series([1, None, 3]))
        agree("df.astype('float32').to_numpy(dtype='int8', na_value=0)[:, 0]", df=pd.DataFrame({"a": [1.0]}))


def test_na_value_of_times():
    agree(
        "s.to_numpy(na_value=pd.Timestamp('1999-01-01'))", s=pd.Series(pd.to_datetime(["2020-01-01", None]))
    )
    agree("s.to_numpy(na_value=pd.Timedelta('1s'))", s=pd.Series(pd.to_timedelta(["1h", None])))


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_missing_and_infinite_elements_are_no_integers(value):
    for make in (
        lambda: cuprum.Series([1.0, value]).to_numpy(dtype="int64"),
        lambda: np.asarray(cuprum.Series([1.0, value]), dtype="uint8"),
        lambda: cuprum.Index([1.0, value]).to_numpy(dtype="int64"),
        lambda: cuprum.DataFrame({"a": [1.0, value], "b": [1.0, 2.0]}).to_numpy(dtype="int64"),
    ):
        with pytest.raises(ValueError, match="missing or infinite"):
            make()


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "float64", "bool"])
@pytest.mark.parametrize("data", [[], [1, 0], [None], [0, None, 1, None, 1]])
def test_na_value_of_numbers(dtype, data):
    made = cuprum.Series(data, dtype=dtype)
    value = False if dtype == "bool" else 7
    for series, rows in ((made, data), (made.iloc[1:], data[1:])):
        expected = np.array([value if row is None else row for row in rows], dtype)
        array = series.to_numpy(na_value=value)
        np.testing.assert_array_equal(array, expected, strict=True)
        assert series.isna().sum() == sum(row is None for row in rows)
    nan = cuprum.Series(np.array([np.nan, -0.0, np.inf], "float64")).to_numpy(na_value=-1.0)
    assert str(nan.tolist()) == "[-1.0, -0.0, inf]"
