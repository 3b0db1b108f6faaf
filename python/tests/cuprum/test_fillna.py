"""Missing elements replaced by neighbours and others, within limits."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import agree

import cuprum

NAN = float("nan")
S = pd.Series([NAN, 1.0, NAN, NAN, 2.0, NAN, NAN, NAN], name="s")
DF = pd.DataFrame(
    {
        "k": ["x", "y", "x", None, "x", "y", "x", "y"],
        "a": [1.0, NAN, NAN, 4.0, NAN, NAN, NAN, 8.0],
        "b": [NAN, NAN, 3.0, NAN, NAN, 6.0, NAN, NAN],
        "t": ["p", None, None, "q", None, None, None, "r"],
        "d": pd.to_datetime(["2020-01-01", None, None, "2020-01-04", None, None, None, None]),
        "i": range(8),
    }
)


@pytest.mark.parametrize(
    "expression",
    [
        "s.fillna(0, limit=2)",
        "s.fillna(s * 0 + 5, limit=1)",
        "s.fillna({0: 5.0, 3: 7.0, 5: 8.0}, limit=3)",
        "s.fillna(3, limit=100)",
        "df[['a', 'b']].fillna(0, limit=1)",
        "df[['a', 'b']].fillna({'a': 5}, limit=2)",
        "df[['a', 'b']].fillna(df[['b', 'a']] * 0 + 7, limit=2)",
        "df['t'].fillna('z', limit=1)",
        "df['d'].fillna(np.datetime64('2021-01-01'), limit=2)",
        "df[['a', 't', 'd']].ffill(limit=1)",
        "df[['a', 't', 'd']].bfill(limit=2)",
        "df.groupby('k')[['a', 'b', 't', 'd']].ffill(limit=1)",
        "df.groupby('k')[['a', 'b', 't']].bfill(limit=1)",
        "df.groupby('k')['a'].ffill(limit=5)",
    ],
)
def test_limits(expression):
    agree(expression, s=S, df=DF)


@pytest.mark.parametrize(
    "expression",
    [
        "df.groupby('k')['i'].shift(fill_value=0)",
        "df.groupby('k')[['a', 'b']].shift(-1, fill_value=9.0)",
        "df.groupby('k')['t'].shift(2, fill_value='?')",
        "df.groupby('k')['d'].shift(1, fill_value=np.datetime64('2021-01-01', 'us'))",
        "df.groupby('k')['i'].shift(10, fill_value=-1)",
    ],
)
def test_shifted_groups_are_filled(expression):
    agree(expression, df=DF)


def test_shifted_instants_are_filled_with_instants():
    frame = pd.DataFrame({"k": [1, 1], "t": pd.to_datetime(["2020-01-01", "2020-01-02"]).tz_localize("UTC")})
    agree("df.groupby('k')['t'].shift(fill_value=pd.Timestamp('2021-01-01', tz='UTC'))", df=frame)


gaps = st.lists(st.one_of(st.just(NAN), st.integers(0, 3).map(float)), max_size=12)


@given(
    gaps, st.booleans(), st.one_of(st.none(), st.integers(1, 4)), st.sampled_from([None, "inside", "outside"])
)
def test_neighbours_within_limits_and_areas(values, forward, limit, area):
    s = pd.Series(values, dtype="float64")
    agree(f"s.{'ffill' if forward else 'bfill'}(limit={limit}, limit_area={area!r})", s=s)


@given(gaps, st.lists(st.integers(0, 2), min_size=12, max_size=12), st.integers(1, 4))
def test_neighbours_in_groups_within_limits(values, keys, limit):
    frame = pd.DataFrame({"k": keys[: len(values)], "v": np.array(values, dtype="float64")})
    agree(f"df.groupby('k')['v'].ffill(limit={limit})", df=frame)
    agree(f"df.groupby('k')['v'].bfill(limit={limit})", df=frame)


def test_what_is_assigned_in_place_is_limited_too():
    ours, theirs = cuprum.Series(S), S.copy()
    for s in (ours, theirs):
        s.fillna(7.0, limit=2, inplace=True)
        s.ffill(limit=1, inplace=True)
    pd.testing.assert_series_equal(ours.to_pandas(), theirs)


@pytest.mark.parametrize("limit", [0, -1, 1.5, "a", True])
def test_what_is_no_limit_is_refused(limit):
    s = cuprum.Series(S)
    for call in (s.ffill, s.bfill, lambda limit: s.fillna(0, limit=limit)):
        with pytest.raises(ValueError, match="Limit"):
            call(limit=limit)


@pytest.mark.parametrize("limit", [0, 1, 2, None])
@pytest.mark.parametrize("how", ["ffill", "bfill"])
def test_limits_of_groups(how, limit):
    frame = pd.DataFrame(
        {"k": [1, 1, 1, 2, 2], "v": [1.0, None, None, None, 5.0], "s": ["a", None, "b", None, "c"]}
    )
    agree(lambda lib, df: getattr(df.groupby("k"), how)(limit=limit), df=frame)
    agree(lambda lib, df: getattr(df.groupby("k")["v"], how)(limit=limit), df=frame)


def test_no_limit_is_below_0():
    frame = cuprum.DataFrame({"k": [1, 1], "v": [1.0, None]})
    times = cuprum.Series([1.0, 2.0], index=pd.date_range("2020", periods=2, freq="2D"))
    for fill in (
        lambda: frame.groupby("k").ffill(limit=-1),
        lambda: frame.ffill(limit=0),
        lambda: times.resample("D").ffill(limit=0),
    ):
        with pytest.raises(ValueError, match="Limit must be greater than"):
            fill()
