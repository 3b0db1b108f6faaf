"""`isin`, and comparisons of columns of unlike types with missing elements."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

KINDS = {
    "f": [1.5, np.nan, -0.5],
    "s": ["x", None, "y"],
    "t": pd.to_datetime(["2013-01-01", None, "2013-02-01"]),
    "c": pd.Categorical(["u", None, "v"]),
    "b": [True, False, True],
    "n": [1, 2, 3],
}


UNLIKE = pd.DataFrame(KINDS)


@pytest.mark.parametrize("one", KINDS)
@pytest.mark.parametrize("other", KINDS)
def test_missing_elements_of_unlike_kinds(one, other):
    agree(f"df.{one} == df.{other}", df=UNLIKE)
    agree(f"df.{one}.ne(df.{other})", df=UNLIKE)
    if {one, other} in ({"t", "s"}, {"t", "c"}):
        # What pandas says of NaT beside missing texts differs between its own types; it is none of them here.
        assert not cuprum.DataFrame(UNLIKE)[one].isin(cuprum.DataFrame(UNLIKE)[other]).any()
        return
    agree(f"df.{one}.isin(df.{other})", df=UNLIKE)
    if other != "b":
        agree(f"df.{one}.map(lib.Series([1, 2, 3], index=df.{other}))", df=UNLIKE)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("values", ["[None]", "[np.nan]", "[1, None]", "['x', None]", "['x', np.nan]"])
def test_missing_values_in_a_list_are_found(kind, values):
    agree(f"df.{kind}.isin({values})", df=UNLIKE)
