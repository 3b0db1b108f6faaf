"""`interpolate`, and `ffill` and `bfill`, along either axis."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import SMALL, agree, build, given

import cuprum


@pytest.mark.parametrize(
    "statement",
    [
        # Others.
        "lib.Series([1.0, np.nan, np.nan, 4.0]).interpolate(limit=1, limit_direction='BACKWARD')",
        "lib.Series([1, np.nan, 5], lib.to_timedelta([1, 2, 4])).interpolate(method='time')",
    ],
)
def test_interpolate_by_time_and_backward(statement):
    agree(statement, **SMALL)


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
def test_fills_along_the_columns(data, limit, area):
    frame = build(KINDS, data)
    for call in ("ffill(", "bfill(", "interpolate("):
        agree(f"f.{call}axis=1, limit={limit}, limit_area={area!r})", f=frame)
    agree("f.interpolate(axis='columns', limit_direction='both')", f=frame)


def test_fills_along_the_columns_keep_the_labels():
    theirs = pd.DataFrame(
        {0: [np.nan, 1.0], 3: [2.0, np.nan], 4: [8.0, 3.0]}, index=pd.Index(["x", "x"], name="i")
    )
    agree("f.interpolate('index', axis=1)", f=theirs)
    agree("f.ffill(axis=1)", f=theirs)
    frame = cuprum.DataFrame(theirs)
    frame.bfill(axis=1, inplace=True)  # which leaves the frame as it is in pandas
    pd.testing.assert_frame_equal(frame.to_pandas(), theirs.bfill(axis=1))


def test_fills_along_columns_without_a_common_type_are_objects():
    agree("f.ffill(axis=1)", f=pd.DataFrame({"a": [1.0, np.nan], "b": ["x", None]}))
