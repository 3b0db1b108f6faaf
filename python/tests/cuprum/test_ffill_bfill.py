"""`ffill` and `bfill`: missing elements replaced by their neighbours, within limits."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import agree
from small_frames import GAPS_OF_EVERY_TYPE

import cuprum

NAN = float("nan")


S = pd.Series([NAN, 1.0, NAN, NAN, 2.0, NAN, NAN, NAN], name="s")


@pytest.mark.parametrize(
    "expression",
    [
        "df[['a', 't', 'd']].ffill(limit=1)",
        "df[['a', 't', 'd']].bfill(limit=2)",
    ],
)
def test_ffill_and_bfill_limit(expression):
    agree(expression, s=S, df=GAPS_OF_EVERY_TYPE)


gaps = st.lists(st.one_of(st.just(NAN), st.integers(0, 3).map(float)), max_size=12)


@given(
    gaps, st.booleans(), st.one_of(st.none(), st.integers(1, 4)), st.sampled_from([None, "inside", "outside"])
)
def test_ffill_and_bfill_limit_area(values, forward, limit, area):
    s = pd.Series(values, dtype="float64")
    agree(f"s.{'ffill' if forward else 'bfill'}(limit={limit}, limit_area={area!r})", s=s)


def test_limits_in_place():
    ours, theirs = cuprum.Series(S), S.copy()
    for s in (ours, theirs):
        s.fillna(7.0, limit=2, inplace=True)
        s.ffill(limit=1, inplace=True)
    pd.testing.assert_series_equal(ours.to_pandas(), theirs)


@pytest.mark.parametrize("limit", [0, -1, 1.5, "a", True])
def test_limits_that_are_none_are_refused(limit):
    s = cuprum.Series(S)
    for call in (s.ffill, s.bfill, lambda limit: s.fillna(0, limit=limit)):
        with pytest.raises(ValueError, match="Limit"):
            call(limit=limit)


def test_limits_below_1_are_refused():
    frame = cuprum.DataFrame({"k": [1, 1], "v": [1.0, None]})
    times = cuprum.Series([1.0, 2.0], index=pd.date_range("2020", periods=2, freq="2D"))
    for fill in (
        lambda: frame.groupby("k").ffill(limit=-1),
        lambda: frame.ffill(limit=0),
        lambda: times.resample("D").ffill(limit=0),
    ):
        with pytest.raises(ValueError, match="Limit must be greater than"):
            fill()


# About morsels of 65 536 rows.
LENGTHS = [0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 65535, 65536, 65537, 200_001]


@pytest.mark.parametrize("rows", LENGTHS)
def test_ffill_and_bfill_of_many_rows(rows):
    random = np.random.default_rng(rows)
    floats = np.where(random.random(rows) < 0.7, np.nan, random.normal(size=rows))
    texts = pd.Series([None if x != x else f"é{x:.1f}" for x in floats], dtype="str")
    for values in (pd.Series(floats), texts):
        ours = cuprum.Series(values)
        for limit in (1, 2, 70):
            pd.testing.assert_series_equal(ours.ffill(limit=limit).to_pandas(), values.ffill(limit=limit))
            pd.testing.assert_series_equal(ours.bfill(limit=limit).to_pandas(), values.bfill(limit=limit))
