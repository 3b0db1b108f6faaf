"""`idxmax` and `idxmin`."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

# About morsels of 65 536 rows.
LENGTHS = [0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 65535, 65536, 65537, 200_001]


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


@pytest.mark.parametrize("rows", LENGTHS[1:])
def test_idxmax_of_many_rows(rows):
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


def test_idxmax_of_nothing_and_of_the_ends():
    for values in ([], [np.nan, np.nan]):
        with pytest.raises(ValueError):
            cuprum.Series(values, dtype="float64").idxmax()
    assert cuprum.Series([np.nan, -np.inf, -np.inf]).idxmax() == 1
    assert cuprum.Series([0.0, -0.0]).idxmin() == 0
    assert cuprum.Series([2**64 - 1, 0, 2**64 - 1], dtype="uint64").idxmax() == 0


WITH_GAPS = pd.DataFrame({"a": [1, 5, 2.0, None], "b": [4, 2, None, 7], "c": [4.0, 9, 2, 7]})


@pytest.mark.parametrize("name", ["idxmax", "idxmin"])
@pytest.mark.parametrize("axis", [0, 1, "index", "columns"])
def test_idxmax_along_either_axis(name, axis):
    agree(f"df.{name}(axis={axis!r})", df=WITH_GAPS)
    agree(f"df.{name}(axis={axis!r})", df=WITH_GAPS.set_axis(list("wxyz")).rename(columns={"a": "β"}))
    agree(f"df.{name}(axis={axis!r})", df=WITH_GAPS.set_axis([0, 1, 2], axis=1).fillna(1).astype("int64"))
    agree(f"df.{name}(axis={axis!r}, skipna=False)", df=WITH_GAPS.fillna(1))
    agree(f"df.{name}(axis={axis!r}, numeric_only=True)", df=WITH_GAPS.assign(s="x"))


@pytest.mark.parametrize("name", ["idxmax", "idxmin", "argmax", "argmin"])
def test_idxmax_of_a_missing_extreme_is_refused(name):
    for lib in (pd, cuprum):
        for s in (lib.Series([1, 5, None]), lib.Series([None, 1.0])):
            with pytest.raises(ValueError, match="NA value with skipna=False"):
                getattr(s, name)(skipna=False)
    agree(f"s.{name}(skipna=False)", s=pd.Series([3, 1, 5, 5], index=list("wxyz")))
    agree(f"s.{name}()", s=pd.Series([None, 1, 5, 5], index=list("wxyz")))


@pytest.mark.parametrize("name", ["idxmax", "idxmin"])
def test_idxmax_of_rows_of_missing_elements(name):
    for lib in (pd, cuprum):
        df = lib.DataFrame({"a": [1.0, None], "b": [2.0, None]})
        with pytest.raises(ValueError, match="all NA values"):
            getattr(df, name)(axis=1)
        with pytest.raises(ValueError, match="NA value with skipna=False"):
            getattr(lib.DataFrame({"a": [1.0, None], "b": [2.0, 3]}), name)(axis=1, skipna=False)
