"""`filter`: rows and columns by their labels, by masks and functions."""

import pandas as pd
import pytest
from oracle import SMALL, agree
from small_frames import ANIMALS, FLOATS

import cuprum


@pytest.mark.parametrize(
    "code",
    [
        "df.filter(['two', 'two', 'zz', 'one'])",
        "df.filter(cond=[True, None])",
        "df.filter(cond=np.array([True, None], dtype=object), na=True)",
        "df.filter(cond=lib.Series([True, False], index=['rabbit', 'mouse']))",
        "df.filter(cond=lib.Series([True, False], index=['two', 'one']), axis=1)",
        "df.filter(lambda f: f.columns.str.endswith('e'), axis=1)",
        "df.filter(lib.col('two') > 2)",
        "df['two'].filter(lambda s: s > 2)",
        "df['two'].filter(cond=[False, True])",
    ],
)
def test_filter_takes_masks_and_labels(code):
    agree(code, df=ANIMALS)


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("df.filter()", TypeError, "Must pass"),
        ("df.filter(['one'], like='o')", TypeError, "mutually exclusive"),
        ("df.filter(cond=[1, 0])", TypeError, "one-dimensional boolean mask"),
        ("df.filter(cond=(True, False))", TypeError, "one-dimensional boolean mask"),
        ("df.filter(lambda f: f['one'])", TypeError, "callable"),
        ("df.filter(cond=[True])", IndexError, None),
        ("df.filter(pd.col('two') > 2, axis=1)", ValueError, "axis=0"),
        ("df['one'].filter(pd.col('two') > 2)", TypeError, "only supported by DataFrame"),
        ("df.set_axis(['a', 'a'], axis=1).filter(['a'])", ValueError, "duplicate"),
    ],
)
def test_filter_refuses_what_is_no_mask(code, error, message):
    for frame in (ANIMALS, cuprum.DataFrame(ANIMALS)):
        with pytest.raises(error, match=message if isinstance(frame, cuprum.DataFrame) else None):
            eval(code, {"df": frame, "pd": pd})


def test_truth_values_as_labels_are_warned_of():
    with pytest.warns(UserWarning, match="selects labels") as told:
        cuprum.DataFrame(ANIMALS).filter([True, False])
    assert told[0].filename == __file__


def test_filter_takes_missing_labels():
    agree("lib.Series([1, 2], index=['x', None]).filter(items=[np.nan]).to_list()", **SMALL)


def test_filter_refuses_a_frame() -> None:
    agree(
        "df.filter(df > 1)",
        refused=(ValueError, "labels are of one dimension, not of 2: give a mask as"),
        **SMALL,
    )


def test_filter_takes_nan_as_a_label():
    agree("df.set_axis([np.nan, 'b'], axis=1).filter(items=['b', np.nan]).shape", df=FLOATS)
