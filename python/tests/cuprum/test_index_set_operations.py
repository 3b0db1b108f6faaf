"""`union`, `intersection`, `difference` and `symmetric_difference` of indexes."""

import pandas as pd
import pytest
from oracle import agree
from small_frames import half_days_by_letter

import cuprum


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(
            lambda lib: half_days_by_letter(lib).index.difference(
                half_days_by_letter(lib).index[4:].to_numpy()
            ),
            id="difference with an array",
        ),
        pytest.param(
            lambda lib: (
                half_days_by_letter(lib).index[:2].union(half_days_by_letter(lib).index[4:].to_numpy())
            ),
            id="union with an array",
        ),
    ],
)
def test_levels_meet_arrays_of_tuples(call):
    agree(call)


def test_levels_meet_no_numbers():
    agree(
        lambda lib: half_days_by_letter(lib).index.difference([1, 2]),
        refused=(TypeError, "other must be a MultiIndex or a list of tuples"),
    )


@pytest.mark.parametrize(
    "code",
    [
        "lib.Index([9, 8]).union(lib.Index(['b', 'a']))",
        "lib.Index(['b', 'a']).union(lib.Index([9, 8]))",
        "lib.Index(['b', 'a']).union(lib.Index([9, 8]), sort=False)",
        "lib.Index(['b', 'a', None]).union(lib.Index([9, 8]))",
        "lib.Index(['p', 'q', 'p']).symmetric_difference(lib.Index([1, 0]))",
        "lib.Index([10, 5, 7]).difference(lib.Index(['a']))",
        "lib.Index([10, 5, 7]).difference(lib.Index(['a']), sort=False)",
        "lib.Index([10, 5, 7]).difference(lib.Index([], dtype='int64'))",
        "lib.Index(['b', 'a', 'c']).difference([1])",
        "lib.Index([2**63, 1], dtype='uint64').union(lib.Index([-1]))",
        "lib.Index([2**63, 1], dtype='uint64').intersection(lib.Index([1]))",
        "lib.Index([10, 5], name='q').append(lib.Index([True]))",
        "lib.Index(['a']).union(lib.Index([0]), sort=True)",
        "lib.Index(['a', 'a']).union(lib.Index([0]))",
        "lib.Index(['a']).symmetric_difference(lib.Index([0]))",
    ],
)
def test_sets_of_labels_of_unlike_types(code):
    agree(code)


CATEGORIES = pd.CategoricalIndex(["p", "q", "p", "r"], categories=["r", "q", "p"])


def test_a_difference_of_categories_is_in_their_order():
    agree("lib.CategoricalIndex(i).difference([1])", i=CATEGORIES)


@pytest.mark.parametrize("left", [["a", "c"], ["c", "a"], ["a"], []])
@pytest.mark.parametrize("right", [[1, 2], [2, 1], [1.5], [True, False]])
@pytest.mark.parametrize("sort", [None, False])
def test_unions_of_labels_that_do_not_compare(left, right, sort):
    for one, other in ((left, right), (right, left)):
        found, wanted = (lib.Index(one).union(lib.Index(other), sort=sort).to_list() for lib in (cuprum, pd))
        assert found == wanted
