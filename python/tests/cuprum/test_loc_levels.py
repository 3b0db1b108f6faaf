"""Keys of several levels beside pandas: in sorted indexes, where rows follow each other, and in others."""

import numpy as np
import pandas as pd
import pytest

import cuprum

LABELS = {
    "int": [1, 3, 5, 7],
    "float": [-0.5, 0.0, 2.5, 9.0],
    "str": ["a", "c", "e", "é"],
    "time": list(pd.to_datetime(["2020-01-01", "2020-01-31", "2020-02-01", "2021-01-01"])),
    "zone": list(
        pd.to_datetime(["2020-01-01", "2020-01-31", "2020-02-01", "2021-01-01"]).tz_localize("Asia/Tokyo")
    ),
    "category": pd.Categorical(["b", "a", "d", "c"], ["b", "a", "d", "c"]),
    "descending": [9, 7, 5, 1],
}
KEY = pd.IndexSlice


def _keys(labels):
    first, second = labels[1], labels[2]
    return {
        "span": KEY[first:second],
        "all": KEY[:, :],
        "span, all": KEY[first:second, :],
        "span, span": KEY[first:second, 2:3],
        "from, span": KEY[second:, 1:1],
        "to, one": KEY[:first, 3],
        "one, all": KEY[first, :],
        "one, span": KEY[first, 2:],
        "one, many": KEY[first, [1, 3]],
        "span, many": KEY[first:second, [1, 3]],
        "many, span": KEY[[first, second], 2:3],
        "all, one": KEY[:, 2],
        "all, many": KEY[:, [1, 2]],
        "one, absent": KEY[first, 99],
        "span, absent span": KEY[first:second, 50:60],
        "backwards": KEY[second:first, :],
    }


@pytest.mark.filterwarnings("ignore::pandas.errors.PerformanceWarning")
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("key", list(_keys(LABELS["int"])))
@pytest.mark.parametrize("kind", LABELS)
def test_keys_of_levels(kind, key, shuffled):
    index = pd.MultiIndex.from_product([LABELS[kind], [1, 2, 3], ["x", "y"]], names=["l", "m", "n"])
    theirs = pd.DataFrame({"v": np.arange(len(index))}, index=index)
    if shuffled:
        theirs = theirs.sample(frac=1, random_state=1)
    ours, wanted = cuprum.from_pandas(theirs), _keys(LABELS[kind])[key]

    def result(frame):
        try:
            found = frame.loc[wanted, :]
            return found if isinstance(found, pd.DataFrame) else found.to_pandas()
        except Exception as error:
            return type(error)

    expected, found = result(theirs), result(ours)
    if isinstance(expected, type):
        assert isinstance(found, type) and issubclass(expected, found)
    else:
        pd.testing.assert_frame_equal(found, expected)
