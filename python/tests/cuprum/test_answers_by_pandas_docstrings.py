"""What examples in pandas' docstrings do, beside pandas."""

import pickle

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

FRAME = pd.DataFrame(
    {
        "k": ["a", "b", "a"],
        "v": [1, 2, 3],
        "t": pd.to_datetime(["2023-01-01", "2023-01-02", "2023-01-02"]),
    }
)


@pytest.mark.parametrize(
    ("by", "name"),
    [
        ("k", "a"),
        (["k"], ("a",)),
        (["k", "v"], ("a", 1)),
        ("t", "2023-01-02"),
        ("t", "2023-01"),
        ("t", pd.Timestamp("2023-01-02")),
        (["k", "t"], ("a", "2023-01-01")),
        # None of these is a group.
        ("t", "2023-01-05"),
        ("t", "x"),
        ("k", "2023-01-01"),
        (["k"], "a"),
        (["k", "v"], "a"),
        (["k", "v"], ("a",)),
        (["k", "v"], ("a", 2)),
    ],
)
def test_groups_by_name(by, name):
    def rows(lib, frame):
        return frame.groupby(by).get_group(name)

    try:
        rows(pd, FRAME)
    except (KeyError, ValueError) as error:
        kind = KeyError if isinstance(error, KeyError) else ValueError
        with pytest.raises(kind):
            rows(cuprum, cuprum.DataFrame(FRAME))
        return
    agree(rows, frame=FRAME)


def test_bins_by_name():
    agree(lambda lib, f: f.set_index("t").v.resample("2D").get_group("2023-01-01"), f=FRAME)


def between(elements, low, high, **how):
    return elements.between(low, high, **how).sum()


def within(elements, low, high):
    return ((elements >= low) & (elements <= high)).sum()


def test_arguments_of_named_aggregations(each_call_warns):
    frame = cuprum.DataFrame({"k": [1, 1, 2], "a": [-1, 0, 1], "b": [10, 11, 12]})
    one = cuprum.NamedAgg("a", between, 0, 1)
    with pytest.warns(cuprum.errors.PerformanceWarning, match="^between is called for each group"):
        made = frame.groupby("k").agg(n=one, m=cuprum.NamedAgg("a", between, 0, 1, inclusive="left"))
    assert made.to_dict("list") == {"n": [1, 1], "m": [1, 0]}
    with pytest.warns(cuprum.errors.PerformanceWarning, match="^quantile is called for each group"):
        made = frame.groupby("k").agg(q=cuprum.NamedAgg("b", "quantile", 0.3))
    assert made.to_dict("list") == {"q": [10.3, 12.0]}
    made = frame.groupby("k").agg(s=cuprum.NamedAgg("b", within, low=10, high=11), m=("b", "max"))
    assert made.to_dict("list") == {"s": [2, 0], "m": [11, 12]}
    assert repr(cuprum.NamedAgg("b", "max")) == "NamedAgg(column='b', aggfunc='max')"
    assert pickle.loads(pickle.dumps(one)).aggfunc(frame["a"]) == 2


def test_how_many_columns_have_a_type():
    counts = cuprum.DataFrame(FRAME.assign(w=1)).dtypes.value_counts()
    assert counts.equals(FRAME.assign(w=1).dtypes.value_counts())
    assert counts[np.dtype("int64")] == 2


@pytest.mark.parametrize("values", [["a", "c", "a"], ["c", None, "a"], []])
@pytest.mark.parametrize("sort", [False, True])
def test_categories_of_pandas_are_numbered(values, sort):
    given = pd.Categorical(values, categories=["a", "b", "c"])
    (codes, uniques), (known, theirs) = (lib.factorize(given, sort=sort) for lib in (cuprum, pd))
    assert codes.tolist() == known.tolist()
    assert uniques.equals(theirs)


@pytest.mark.parametrize(
    "ends", [("a", "b"), ("b", None), (None, "bb"), ("d", None), ("c", "a"), (("b", "e"), None)]
)
@pytest.mark.parametrize("step", [1, -1])
def test_labels_of_several_levels_are_truncated(ends, step):
    index = pd.MultiIndex.from_arrays([["a", "b", "b", "c"], ["d", "e", "f", "g"]], names=["x", None])[::step]
    try:
        wanted = index.truncate(*ends) if ends != (("b", "e"), None) else index[1:]
    except (ValueError, KeyError) as error:
        with pytest.raises(type(error)):
            cuprum.MultiIndex.from_tuples(index, names=index.names).truncate(*ends)
        return
    if step == 1:
        found = cuprum.MultiIndex.from_tuples(index, names=index.names).truncate(*ends)
        assert found.to_list() == wanted.to_list()
        assert list(found.names) == list(wanted.names)


def test_a_list_is_a_label_of_several_levels():
    agree(
        lambda lib: lib.MultiIndex.from_arrays([["a", "b"], ["d", "e"]]).get_loc_level(["b", "e"])[0],
    )


@pytest.mark.parametrize("left", [["a", "c"], ["c", "a"], ["a"], []])
@pytest.mark.parametrize("right", [[1, 2], [2, 1], [1.5], [True, False]])
@pytest.mark.parametrize("sort", [None, False])
def test_unions_of_labels_that_do_not_compare(left, right, sort):
    for one, other in ((left, right), (right, left)):
        found, wanted = (lib.Index(one).union(lib.Index(other), sort=sort).to_list() for lib in (cuprum, pd))
        assert found == wanted


@pytest.mark.parametrize("suffixes", [(False, False), (None, False), ("", ""), (False, "_r"), ("_l", None)])
def test_suffixes_that_are_none(suffixes):
    sides = [pd.DataFrame({key: ["a", "b"], "v": [1, 2]}) for key in ("k", "q")]

    def labels(lib):
        left, right = map(lib.DataFrame, sides)
        return left.merge(right, left_on="k", right_on="q", suffixes=suffixes).columns.to_list()

    if any(suffixes):
        assert labels(cuprum) == labels(pd)
        return
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match="columns overlap but no suffix specified"):
            labels(lib)
