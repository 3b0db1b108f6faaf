"""Kernels over whole columns beside pandas: division by a scalar, extremes' rows, fills of some rows, `items`."""

import numpy as np
import pandas as pd
import pytest

import cuprum

# About morsels of 65 536 rows.
LENGTHS = [0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 65535, 65536, 65537, 200_001]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def numbers(rows, dtype="float64"):
    """Return some numbers, those at the ends of the type among them."""
    random = np.random.default_rng(rows)
    if dtype == "float64":
        return random.normal(size=rows).round(2)
    ends = np.iinfo(dtype)
    values = random.integers(ends.min, ends.max, rows, dtype=dtype, endpoint=True)
    values[::7] = ends.min
    values[3::11] = ends.max
    return values


@pytest.mark.parametrize("dtype", INTEGERS)
def test_division_by_a_scalar(dtype):
    ends = np.iinfo(dtype)
    for rows in (65, 5000):
        ours, theirs = cuprum.Series(numbers(rows, dtype)), pd.Series(numbers(rows, dtype))
        for by in [
            1,
            2,
            3,
            7,
            10,
            64,
            100,
            ends.max,
            ends.max - 1,
            *([-1, -7, ends.min] if ends.min else []),
        ]:
            by = np.dtype(dtype).type(by)
            with np.errstate(all="ignore"):
                pd.testing.assert_series_equal((ours // by).to_pandas(), theirs // by)
                pd.testing.assert_series_equal((ours % by).to_pandas(), theirs % by)
    squares = cuprum.Series(numbers(5000, dtype)) ** np.dtype(dtype).type(2)
    pd.testing.assert_series_equal(
        squares.to_pandas(), pd.Series(numbers(5000, dtype)) ** np.dtype(dtype).type(2)
    )


def test_division_in_formulas():
    for rows in (1, 1025, 70_000):
        theirs = pd.DataFrame({"i": numbers(rows, "int64") // 4, "b": numbers(rows, "int32")})
        ours = cuprum.DataFrame(theirs)
        for formula in ("i // 7 + b % 10", "(i - b) % 1000003", "i // -3"):
            pd.testing.assert_series_equal(
                ours.eval(formula).to_pandas(), theirs.eval(formula, engine="python")
            )
        kept = "i % 7 == 3 and b // 5 > 2"
        pd.testing.assert_frame_equal(ours.query(kept).to_pandas(), theirs.query(kept, engine="python"))


@pytest.mark.parametrize("rows", LENGTHS[1:])
def test_rows_of_extremes(rows):
    floats = numbers(rows)
    gaps = np.where(np.arange(rows) % 5 == 1, np.nan, floats)
    every = [floats, gaps, numbers(rows, "int64"), numbers(rows, "uint64"), numbers(rows, "int8"), floats > 0]
    every.append(pd.Series(pd.to_datetime(numbers(rows, "int32").astype("int64"), unit="s")))
    for values in every:
        ours, theirs = cuprum.Series(values), pd.Series(values)
        assert ours.idxmax() == theirs.idxmax()
        assert ours.idxmin() == theirs.idxmin()
        part = slice(rows // 3, None)
        if len(theirs.iloc[part].dropna()):
            assert ours.iloc[part].idxmax() == theirs.iloc[part].idxmax()


def test_extremes_of_nothing_and_of_the_ends():
    for values in ([], [np.nan, np.nan]):
        with pytest.raises(ValueError):
            cuprum.Series(values, dtype="float64").idxmax()
    assert cuprum.Series([np.nan, -np.inf, -np.inf]).idxmax() == 1
    assert cuprum.Series([0.0, -0.0]).idxmin() == 0
    assert cuprum.Series([2**64 - 1, 0, 2**64 - 1], dtype="uint64").idxmax() == 0


@pytest.mark.parametrize("rows", LENGTHS)
def test_fills_of_some_rows(rows):
    random = np.random.default_rng(rows)
    floats = np.where(random.random(rows) < 0.7, np.nan, random.normal(size=rows))
    texts = pd.Series([None if x != x else f"é{x:.1f}" for x in floats], dtype="str")
    for values in (pd.Series(floats), texts):
        ours = cuprum.Series(values)
        for limit in (1, 2, 70):
            pd.testing.assert_series_equal(ours.ffill(limit=limit).to_pandas(), values.ffill(limit=limit))
            pd.testing.assert_series_equal(ours.bfill(limit=limit).to_pandas(), values.bfill(limit=limit))


@pytest.mark.parametrize("rows", [0, 1, 4095, 4096, 4097, 9000])
def test_items(rows):
    labels = [f"k{row}" for row in range(rows)]
    assert list(cuprum.Series(range(rows), index=labels).items()) == list(
        zip(labels, range(rows), strict=True)
    )
    assert list(cuprum.Series(labels).items()) == list(enumerate(labels))
