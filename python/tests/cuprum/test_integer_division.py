"""Division of integers by a scalar, in operators and formulas."""

import numpy as np
import pandas as pd
import pytest

import cuprum

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
