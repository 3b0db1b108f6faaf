"""`str.cat`."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum


def test_cat_takes_arrays():
    agree(lambda lib: lib.Series(["a", "b"]).str.cat([lib.Series(["x", "y"]), np.array(["v", "w"])]))


def test_cat_refuses_lists_among_series():
    agree(
        lambda lib: lib.Series(["a", "b"]).str.cat([lib.Series(["x", "y"]), ["v", "w"]]),
        refused=(TypeError, "others must be Series, Index, DataFrame, np.ndarray or"),
    )


@pytest.mark.parametrize("join", ["left", "right", "outer", "inner"])
def test_texts_are_joined_by_label(join):
    agree(
        f"[s.str.cat(t, join='{join}', na_rep='-'), s.str.cat(s, join='{join}'),"
        f" s.str.cat([t, np.array(list('wxyz')), u], join='{join}', sep=',', na_rep='-')]",
        s=pd.Series(["a", None, "c", "d"], name="s"),
        t=pd.Series(list("zabde"), index=[-1, 0, 1, 3, 4]),
        u=pd.Series(list("bdac"), index=[1, 3, 0, 2]),
    )


def test_arrays_must_be_as_long_as_the_texts_they_are_joined_with():
    texts = cuprum.Series(["a", "b"])
    with pytest.raises(ValueError, match="others"):
        texts.str.cat([np.array(["x"]), cuprum.Series(["y"], index=[3])], join="outer")
    with pytest.raises(ValueError, match="join"):
        texts.str.cat(texts, join="bogus")
