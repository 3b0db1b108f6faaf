"""`ffill`, `bfill` and `shift` of groups."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import agree
from small_frames import GAPS_OF_EVERY_TYPE

NAN = float("nan")


S = pd.Series([NAN, 1.0, NAN, NAN, 2.0, NAN, NAN, NAN], name="s")


@pytest.mark.parametrize(
    "expression",
    [
        "df.groupby('k')[['a', 'b', 't', 'd']].ffill(limit=1)",
        "df.groupby('k')[['a', 'b', 't']].bfill(limit=1)",
        "df.groupby('k')['a'].ffill(limit=5)",
    ],
)
def test_limits_of_neighbours_in_groups(expression):
    agree(expression, s=S, df=GAPS_OF_EVERY_TYPE)


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
    agree(expression, df=GAPS_OF_EVERY_TYPE)


def test_shifted_instants_are_filled_with_instants():
    frame = pd.DataFrame({"k": [1, 1], "t": pd.to_datetime(["2020-01-01", "2020-01-02"]).tz_localize("UTC")})
    agree("df.groupby('k')['t'].shift(fill_value=pd.Timestamp('2021-01-01', tz='UTC'))", df=frame)


gaps = st.lists(st.one_of(st.just(NAN), st.integers(0, 3).map(float)), max_size=12)


@given(gaps, st.lists(st.integers(0, 2), min_size=12, max_size=12), st.integers(1, 4))
def test_neighbours_in_groups_within_limits(values, keys, limit):
    frame = pd.DataFrame({"k": keys[: len(values)], "v": np.array(values, dtype="float64")})
    agree(f"df.groupby('k')['v'].ffill(limit={limit})", df=frame)
    agree(f"df.groupby('k')['v'].bfill(limit={limit})", df=frame)


@pytest.mark.parametrize("limit", [0, 1, 2, None])
@pytest.mark.parametrize("how", ["ffill", "bfill"])
def test_limits_of_groups(how, limit):
    frame = pd.DataFrame(
        {"k": [1, 1, 1, 2, 2], "v": [1.0, None, None, None, 5.0], "s": ["a", None, "b", None, "c"]}
    )
    agree(lambda lib, df: getattr(df.groupby("k"), how)(limit=limit), df=frame)
    agree(lambda lib, df: getattr(df.groupby("k")["v"], how)(limit=limit), df=frame)
