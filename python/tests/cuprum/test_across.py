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


def test_columns_without_a_common_type_are_refused():
    with pytest.raises(TypeError):
        cuprum.DataFrame({"a": [1.0, None], "b": ["x", None]}).ffill(axis=1)
