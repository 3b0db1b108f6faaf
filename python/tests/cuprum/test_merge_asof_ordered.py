"""Joins by the nearest key and in the order of the keys, beside pandas."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, given

import cuprum

KEYS = {
    "int64": lambda key: key,
    "float64": lambda key: key / 2,
    "uint64": lambda key: (
        key * 2048 + 2**63
    ),  # floats of these are exact: pandas has them beside missing ones
    "datetime64[us]": lambda key: pd.Timestamp(2020, 1, 1 + key),
    "timedelta64[us]": lambda key: pd.Timedelta(days=key),
}
DISTANCES = {
    "f": [0.5, 2.0],
    "i": [0, 2],
    "u": [2048, 6144],
    "M": [pd.Timedelta("1D")],
    "m": [pd.Timedelta("36h")],
}


@st.composite
def sides(draw):
    """Two frames whose keys ascend, with columns that may have to be equal besides."""
    kind = draw(st.sampled_from(list(KEYS)))
    frames = []
    for extra in ("v", draw(st.sampled_from(["v", "w"]))):
        keys = sorted(draw(st.lists(st.integers(0, 11), min_size=1, max_size=7)))
        groups = draw(st.lists(st.sampled_from(["a", "b", None]), min_size=len(keys), max_size=len(keys)))
        data = {
            "k": pd.Series([KEYS[kind](key) for key in keys], dtype=kind),
            "g": pd.Series(groups, dtype="str"),
            "h": np.arange(len(keys)) % 2,
            extra: np.arange(float(len(keys))),
        }
        frames.append(pd.DataFrame(data))
    return frames


@given(
    sides(),
    st.sampled_from(["backward", "forward", "nearest"]),
    st.booleans(),
    st.sampled_from(["on", "each", "labels", "right labels"]),
    st.sampled_from([None, "g", ["g", "h"], "each"]),
    st.data(),
)
def test_rows_beside_the_nearest(frames, direction, exact, how, by, data):
    left, right = frames
    limits = [None, *DISTANCES[left["k"].dtype.kind]]
    given = {
        "direction": direction,
        "allow_exact_matches": exact,
        "tolerance": data.draw(st.sampled_from(limits)),
    }
    given |= {"left_by": ["g"], "right_by": ["g"]} if by == "each" else {"by": by}
    if how == "on":
        given["on"] = "k"
    elif how == "each":
        right = right.rename(columns={"k": "q"})
        given |= {"left_on": "k", "right_on": "q"}
    elif how == "labels":
        left, right = left.set_index("k"), right.set_index("k")
        given |= {"left_index": True, "right_index": True}
    else:
        right = right.set_index("k")
        given |= {"left_on": "k", "right_index": True}
    agree(lambda lib, left, right: lib.merge_asof(left, right, **given), left=left, right=right)


@given(
    sides(),
    st.sampled_from(["outer", "inner", "left", "right"]),
    st.sampled_from([None, "ffill"]),
    st.sampled_from(["on", "two", "each"]),
    st.sampled_from([None, "left_by", "right_by"]),
    st.booleans(),
)
def test_rows_in_the_order_of_the_keys(frames, how, fill, keys, by, both):
    left, right = (frame.fillna({"g": "c"}) for frame in frames)
    given = {"how": how, "fill_method": fill}
    if keys == "each":
        right = right.rename(columns={"k": "q"})
        given |= {"left_on": "k", "right_on": "q"}
    else:
        given["on"] = "k" if keys == "on" else ["k", "g"]
    if by is not None and keys != "two":
        given[by] = "g"
        # The other side has groups, too, perhaps not all. (pandas makes objects of times that are missing then.)
        if both and left["k"].dtype.kind not in "mM":
            right = right.drop(columns="h")
        elif by == "left_by":
            right = right.drop(columns="g")
        else:
            left = left.drop(columns="g")
    agree(lambda lib, left, right: lib.merge_ordered(left, right, **given), left=left, right=right)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"on": "k", "direction": "up"}, ValueError, "direction invalid: up"),
        ({"on": "k", "allow_exact_matches": 1}, ValueError, "allow_exact_matches must be boolean, passed 1"),
        ({"on": "g"}, TypeError, "Incompatible merge dtype"),
        ({"on": "m"}, ValueError, "Merge keys contain null values on left side"),
        ({"on": "d"}, ValueError, "left keys must be sorted"),
        ({"left_on": "k", "right_on": "v"}, ValueError, "must be the same type"),
        ({"on": "k", "tolerance": -1}, ValueError, "tolerance must be positive"),
        ({"on": "k", "tolerance": 0.5}, ValueError, "incompatible tolerance 0.5"),
        ({"on": "k", "left_on": "k"}, ValueError, 'Can only pass argument "on" OR "left_on"'),
        ({"left_on": "k"}, ValueError, 'Must pass "on"'),
        ({"on": ["k", "h"]}, ValueError, "can only asof on a key"),
        ({"on": "k", "left_by": "g"}, ValueError, "left_by and right_by must be the same length"),
        ({"on": "k", "left_by": "g", "right_by": "h"}, ValueError, "incompatible merge keys"),
        ({"left_index": True, "right_on": "k"}, NotImplementedError, "`left_index` with `right_on`"),
    ],
)
def test_what_is_no_key_is_said(given, error, message):
    data = {"k": [1, 2], "g": ["a", "b"], "h": [1, 1], "m": [None, 1.0], "d": [2, 1], "v": [0.5, 1.0]}
    frame = cuprum.DataFrame(data)
    with pytest.raises(error, match=message):
        cuprum.merge_asof(frame, frame, **given)


def test_ordered_merges_refuse_what_they_do_not_know():
    frame = cuprum.DataFrame({"k": [1]})
    for wrong, error in (
        ({"fill_method": "bfill"}, ValueError),
        ({"how": "cross"}, ValueError),
        ({"left_by": "k", "right_by": "k"}, ValueError),
        ({"left_by": "z"}, KeyError),
    ):
        with pytest.raises(error):
            cuprum.merge_ordered(frame, frame, on="k", **wrong)
