"""Labels that stay a range where those of a range meet others."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import agree

import cuprum

INDEXES = {
    "first": pd.RangeIndex(3),
    "next": pd.RangeIndex(1, 5),
    "far": pd.RangeIndex(7, 9),
    "even": pd.RangeIndex(0, 10, 2),
    "third": pd.RangeIndex(0, 10, 3),
    "down": pd.RangeIndex(5, 0, -1),
    "stored": pd.Index([3, 4]),
    "unsorted": pd.Index([3, 1, 2]),
}
PAIRS = [
    ("first", "next"),
    ("first", "far"),
    ("first", "stored"),
    ("stored", "first"),
    ("even", "third"),
    ("down", "first"),
    ("first", "down"),
    ("first", "unsorted"),
    ("unsorted", "next"),
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
@pytest.mark.parametrize(
    "code",
    [
        *(f"x.join(y, how='{how}')" for how in ("inner", "outer", "left", "right")),
        "x.merge(y, left_index=True, right_index=True, how='inner')",
        "lib.concat([x, y], axis=1)",
        "lib.concat([x, y], axis=1, join='inner')",
        "lib.concat([x, y])",
        "x['a'] + y['b']",
        "x.align(y, axis=0)[0]",
    ],
)
def test_labels_of_what_meets_a_range(code, left, right):
    x, y = INDEXES[left], INDEXES[right]
    frames = {
        "x": pd.DataFrame({"a": np.arange(len(x)) / 2}, index=x),
        "y": pd.DataFrame({"b": np.arange(len(y)) / 4}, index=y),
    }
    agree(code, **frames)
    agree(f"repr(({code}).index)", **frames)


@pytest.mark.parametrize("operation", ["union", "intersection", "append"])
@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_sets_of_labels_that_are_a_range(operation, left, right):
    expected = getattr(INDEXES[left], operation)(INDEXES[right])
    ours = getattr(cuprum.Index(INDEXES[left]), operation)(cuprum.Index(INDEXES[right]))
    assert repr(ours) == repr(expected)


@pytest.mark.parametrize("index", [pd.RangeIndex(0, 10, 3), pd.RangeIndex(5, 0, -2), pd.RangeIndex(4)])
@pytest.mark.parametrize("code", ["i + 1", "i - 2", "3 - i", "i * 2", "i * -3", "-i", "i // 2", "i + 0"])
def test_ends_of_ranges_after_arithmetic(code, index):
    assert repr(eval(code, {"i": cuprum.Index(index)})) == repr(eval(code, {"i": index}))


@pytest.mark.parametrize(
    "rows",
    [pd.RangeIndex(0), pd.RangeIndex(1), pd.RangeIndex(6), pd.RangeIndex(1, 10, 3), pd.RangeIndex(9, 0, -4)],
)
def test_slices_of_rows_have_the_labels_of_sliced_ranges(rows):
    theirs = pd.DataFrame({"a": range(len(rows))}, index=rows)
    ours = cuprum.from_pandas(theirs)
    for start, stop, step in itertools.product((None, 1, 4, -2), (None, 0, 2, 5), (None, 2, 3, -1, -2)):
        part = slice(start, stop, step)
        assert repr(ours.iloc[part].index) == repr(theirs.iloc[part].index)
        assert repr(ours.index[part]) == repr(theirs.index[part])
        assert repr(ours["a"].iloc[part]) == repr(theirs["a"].iloc[part])
        # Of all rows pandas gives the range itself from `iloc`, one with another end from `[]`.
        assert repr(ours[part].index) == repr(theirs[part].index) or part == slice(None)
    assert repr(ours.loc[:3:2].index) == repr(theirs.loc[:3:2].index)
    assert repr(ours.loc[::-1].index) == repr(theirs.loc[::-1].index)


LONG = 10**12


@pytest.mark.parametrize(
    "code",
    [
        "index.hasnans",
        "(index.any(), index.all(), (index - 8).all())",
        "index.get_indexer([5, 8, 9]).tolist()",
        "(index.dropna(), index.fillna(0))",
        "(index.searchsorted(8), index.searchsorted(8, side='right'), index.searchsorted(9), index.searchsorted(-1))",
        "(index.sort_values(), index.sort_values(ascending=False), index[::-1].sort_values())",
        "(index.argmin(), index.argmax(), index[::-1].argmin())",
        "(index.min(), index.max(), index.is_unique, 8 in index, index.get_loc(8))",
    ],
)
def test_what_is_known_of_a_range_makes_no_labels(code):
    """A column of them would have 8 TB."""
    ranges = (module.RangeIndex(5, 5 + 3 * LONG, 3) for module in (cuprum, pd))
    assert len({repr(eval(code, {"index": index})) for index in ranges}) == 1
    assert cuprum.RangeIndex(LONG).nunique() == LONG


@given(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from([-3, -2, -1, 1, 2, 3]), st.integers(-12, 12))
def test_questions_about_ranges(start, stop, step, label):
    ours, theirs = (module.RangeIndex(start, stop, step) for module in (cuprum, pd))
    for code in (
        "index.get_indexer([label, label + 1, label - 1]).tolist()",
        "(index.any(), index.all(), index.nunique(), index.hasnans)",
        "(index.dropna(), index.fillna(1), index.sort_values())",
        "index.sort_values(ascending=False)" if len(ours) else "0",
        "(index.argmin(), index.argmax())" if len(ours) else "0",
        "(index.searchsorted(label), index.searchsorted(label, side='right'))" if step > 0 else "0",
    ):
        assert repr(eval(code, {"index": ours, "label": label})) == repr(
            eval(code, {"index": theirs, "label": label})
        )
