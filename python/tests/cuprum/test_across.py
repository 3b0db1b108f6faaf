"""Filling and interpolating along the columns."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, build, given

import cuprum

KINDS = {"a": "float?", "b": "float?", "c": "float", "d": "float?"}


@given(
    st.integers(0, 9).flatmap(
        lambda rows: st.fixed_dictionaries(
            {
                name: st.lists(
                    st.one_of(st.integers(-9, 9).map(float), *([st.none()] * kind.endswith("?"))),
                    min_size=rows,
                    max_size=rows,
                )
                for name, kind in KINDS.items()
            }
        )
    ),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, "inside", "outside"]),
)
def test_along_the_columns(data, limit, area):
    frame = build(KINDS, data)
    for call in ("ffill(", "bfill(", "interpolate("):
        agree(f"f.{call}axis=1, limit={limit}, limit_area={area!r})", f=frame)
    agree("f.interpolate(axis='columns', limit_direction='both')", f=frame)


def test_labels_of_rows_stay():
    theirs = pd.DataFrame(
        {0: [np.nan, 1.0], 3: [2.0, np.nan], 4: [8.0, 3.0]}, index=pd.Index(["x", "x"], name="i")
    )
    agree("f.interpolate('index', axis=1)", f=theirs)
    agree("f.ffill(axis=1)", f=theirs)
    frame = cuprum.DataFrame(theirs)
    frame.bfill(axis=1, inplace=True)  # which leaves the frame as it is in pandas
    pd.testing.assert_frame_equal(frame.to_pandas(), theirs.bfill(axis=1))


def test_columns_without_a_common_type_become_objects():
    agree("f.ffill(axis=1)", f=pd.DataFrame({"a": [1.0, np.nan], "b": ["x", None]}))


@pytest.mark.parametrize("kinds", ["f", "ffff", "ii", "bb", "fib", "uiu", "ttt"])
@pytest.mark.parametrize("method", ["average", "min", "max", "first", "dense"])
def test_ranks_in_rows(kinds, method):
    chance = np.random.default_rng(len(kinds))
    columns = {}
    for at, kind in enumerate(kinds):
        whole, gone = chance.integers(0, 4, 60), chance.random(60) < 0.3
        columns[f"c{at}"] = {
            "f": np.where(gone, np.nan, whole * 0.5 - 1),
            "i": whole - 2,
            "u": whole.astype("uint8"),
            "b": whole > 1,
            "t": pd.to_datetime(np.where(gone, None, "2020-01-01")) + pd.to_timedelta(whole, "D"),
        }[kind]
    expected = pd.DataFrame(columns)
    frame = cuprum.from_pandas(expected)
    for na_option in ("keep", "top", "bottom"):
        for ascending in (True, False):
            for pct in (True, False):
                how = {"method": method, "na_option": na_option, "ascending": ascending, "pct": pct}
                found = frame.rank(axis=1, **how).to_pandas()
                pd.testing.assert_frame_equal(found, expected.rank(axis=1, **how))
