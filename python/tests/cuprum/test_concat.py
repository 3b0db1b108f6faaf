"""Frames and series below and beside each other."""

import re

import pandas as pd
import pytest
from oracle import SMALL, agree, frames, given, ours
from small_frames import FOUR_ROWS, UNDER_INTEGERS

import cuprum

A = pd.DataFrame({"x": [1, 2], "y": ["a", None]})
B = pd.DataFrame({"x": [3.5, 4.0], "z": [True, False]}, index=[5, 6])


@given(frames(i="int?", f="float?", s="str?", t="time?"), frames(i="int?", f="float?", s="str?", t="time?"))
def test_rows_of_concat(a, b):
    agree("lib.concat([a, b])", a=a, b=b, signs=True)
    agree("lib.concat([a, b, a], ignore_index=True)", a=a, b=b)
    agree("lib.concat([a.s, b.s])", a=a, b=b)


@pytest.mark.parametrize(
    "expression",
    [
        "lib.concat([a, b])",
        "lib.concat([a, b], ignore_index=True)",
        "lib.concat([a, b], join='inner')",
        "lib.concat([a, b], axis=1)",
        "lib.concat([a, b], axis=1, join='inner')",
        "lib.concat([a, b.reset_index(drop=True)], axis=1)",
        "lib.concat([a.x, b.x])",
        "lib.concat([a.x, b.x], ignore_index=True)",
        "lib.concat([a.x, b.z], axis=1)",
        "lib.concat([a, a], keys=['p', 'q'])",
        "lib.concat({'p': a, 'q': a})",
        "lib.concat([a, a], keys=['p', 'q'], names=['part'])",
        "lib.concat([a.iloc[:0], a])",
        "lib.concat([a])",
        "lib.concat([a.x, a.y.rename('w')], axis=1)",
        "lib.concat([a, a.iloc[::-1]], axis=0).sort_index()",
        "lib.concat([a.set_index('y'), a.set_index('y')])",
        "lib.concat([a, b.x])",
    ],
)
def test_spellings_of_concat(expression):
    agree(expression, a=A, b=B)


def test_types_meet():
    agree("lib.concat([a, b])", a=pd.Series([1], dtype="int8"), b=pd.Series([1], dtype="int32"))
    agree("lib.concat([a, b])", a=pd.Series([1], dtype="uint8"), b=pd.Series([-1], dtype="int8"))
    agree("lib.concat([a, b])", a=pd.Series([1]), b=pd.Series([1.5]))


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("lib.concat([])", ValueError),
        ("lib.concat([a, 5])", TypeError),
        ("lib.concat(a)", TypeError),
        ("lib.concat([a, a], axis=2)", ValueError),
        ("lib.concat([a, a], join='sideways')", ValueError),
    ],
)
def test_errors_of_concat(expression, error):
    import cuprum

    with pytest.raises(error):
        eval(expression, {"lib": cuprum, "a": ours(A)})


@pytest.mark.parametrize(
    "code",
    [
        "lib.concat([a, a])",
        "lib.concat([a, a], axis=1)",
        "lib.concat([a, a.rename_axis('M', axis=1)])",
        "lib.concat([a, a.rename_axis('M', axis=1)], axis=1)",
        "lib.concat([a, a], axis=1, keys=['u', 'v'])",
    ],
)
def test_concat_keeps_names_of_column_levels_that_agree(code):
    agree(code, a=pd.DataFrame({"k": ["x", "y"], "p": [1, 2]}).rename_axis("L", axis=1))


NAMED = A.rename_axis(columns="c").rename_axis("r")


@pytest.mark.parametrize(
    "expression",
    [
        "lib.concat([a, b], names=['k'])",
        "lib.concat([a, b], axis=1, names=['k'])",
        "lib.concat([a, b], keys=[('p', 1), ('q', 2)])",
        "lib.concat([a, b], keys=[('p', 1), ('q', 2)], names=['m', 'n'])",
        "lib.concat([a, b], keys=['p', 'q'], names=['m', 'n'])",
        "lib.concat([a, b], axis=1, keys=['p', 'q'], names=['m'])",
        "lib.concat([a, b], axis=1, keys=['p', 'q'], names=['m', 'n'])",
        "lib.concat([a.x, b], axis=1, keys=['p', 'q'])",
        "lib.concat([a.x, b.x], axis=1, keys=['p', 'q'], names=['m'])",
        "lib.concat([a.x, b.x], keys=['p', 'q'], names=['m'])",
        "lib.concat([c, c])",
        "lib.concat([c, a])",
        "lib.concat([c, c], axis=1)",
        "lib.concat([c, a], axis=1)",
        "lib.concat([c, c], axis=1, keys=['p', 'q'])",
        "lib.concat([c, c], keys=['p', 'q'])",
        "lib.concat([a, b], keys=[1, 'q'])",
        "lib.concat([a, b], keys=['q', 'p']).index.levels[0].tolist()",
        "lib.concat([a, None, b], keys=['p', 'n', 'q'])",
        "lib.concat([a, b], ignore_index=True, names=['z'])",
        "lib.concat([a.x, a.x.rename(None), a.x.rename(None)], axis=1).columns.tolist()",
    ],
)
def test_keys_and_names(expression):
    agree(expression, a=A, b=B, c=NAMED)


def test_keys_without_labels_are_refused():
    for lib, a in ((pd, A), (__import__("cuprum"), ours(A))):
        with pytest.raises(ValueError, match="ignore_index"):
            lib.concat([a, a], keys=["p", "q"], ignore_index=True)
        with pytest.raises(ValueError, match="length of the keys"):
            lib.concat([a, a], keys=["p"])


INDEXES = {
    "ranges": [pd.RangeIndex(0, 10), pd.RangeIndex(10, 20), pd.RangeIndex(25, 26)],
    "texts": [pd.Index(["a"], name="k"), pd.Index(["b", None], name="k")],
    "categories": [pd.CategoricalIndex(["a", "b"]), pd.CategoricalIndex(["b"], categories=["a", "b"])],
    "levels": [pd.MultiIndex.from_tuples([(1, "a")]), pd.MultiIndex.from_tuples([(2, "b")])],
}


@pytest.mark.parametrize("name", INDEXES)
def test_indexes_are_appended(name):
    theirs = INDEXES[name]
    own = [cuprum.from_pandas(index) for index in theirs]
    actual = cuprum.concat(own)
    pd.testing.assert_index_equal(actual.to_pandas(), theirs[0].append(theirs[1:]), exact=True)
    with pytest.raises(NotImplementedError, match="keys"):
        cuprum.concat(own, keys=list(range(len(own))))
    with pytest.raises(NotImplementedError, match="axis"):
        cuprum.concat(own, axis=1)
    with pytest.raises(TypeError):
        cuprum.concat([own[0], cuprum.Series([1])])


@pytest.mark.parametrize(
    "program",
    [
        "lib.concat([twice, twice])",
        "lib.concat([twice, twice + 1], keys=['x', 'y'], names=['k'])",
        "lib.concat([twice, twice], ignore_index=True).rename_axis(columns='n')",
    ],
)
def test_columns_of_one_label_are_put_together(program: str) -> None:
    agree(program, **SMALL)


WIDE = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("u", "a"), ("u", "b")]))


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("lib.concat([w, n])", ValueError, "cannot concatenate columns of 2 levels with columns of 1"),
        (
            "lib.concat([n, w], axis=1, keys=['K', 'L'])",
            ValueError,
            "Cannot concat indices that do not have the same number of",
        ),
        ("n.join(w)", pd.errors.MergeError, "Not allowed to merge between different levels. (1 levels"),
        ("w + n", ValueError, "cannot match columns of 2 levels with columns of 1"),
    ],
)
def test_columns_of_unlike_depth_do_not_meet(code, error, text):
    frames = {"w": cuprum.DataFrame(WIDE), "n": cuprum.DataFrame(UNDER_INTEGERS)}
    with pytest.raises(error, match=re.escape(text)):
        eval(code, {"lib": cuprum, **frames})


@pytest.mark.parametrize("keys", ["['x', 'y']", "lib.Index(['x', 'y'], name='kn')", "[('a', 1), ('b', 1)]"])
@pytest.mark.parametrize("axis", [0, 1])
def test_names_of_levels_below_keys(keys, axis):
    agree(f"lib.concat([a.rename_axis('i'), a], axis={axis}, keys={keys})", a=UNDER_INTEGERS)
    agree(f"lib.concat([a.rename_axis('c', axis=1), a], axis={axis}, keys={keys})", a=UNDER_INTEGERS)
    agree(f"lib.concat([a.rename_axis('i'), a[1:]], axis=0, keys={keys})", a=UNDER_INTEGERS)


def test_too_few_names_are_refused():
    ours = cuprum.DataFrame(UNDER_INTEGERS)
    with pytest.raises(ValueError, match="Length of names must match"):
        cuprum.concat([ours, ours], keys=[("a", 1), ("b", 1)], names=["p"])


def test_unordered_categories_meet_in_whatever_order():
    one = pd.Series(["a", "b"], dtype=pd.CategoricalDtype(["a", "b"]))
    other = pd.Series(["b", "a"], dtype=pd.CategoricalDtype(["b", "a"]))
    agree("lib.concat([a, b], ignore_index=True)", a=one, b=other)
    ordered = [s.cat.as_ordered() for s in (one, other)]
    agree("lib.concat([a, b], ignore_index=True).to_list()", a=ordered[0], b=ordered[1])


@pytest.mark.parametrize("given", ["", ", sort=False", ", sort=True", ", join='inner'"])
@pytest.mark.parametrize("labels", ["times", "instants", "durations", "texts"])
def test_rows_of_unlike_times_are_sorted_side_by_side(labels, given):
    times = pd.to_datetime(["2014-06-30", "2013-01-01", "2013-02-01"])
    kinds = {"times": times, "instants": times.tz_localize("UTC"), "durations": times - times[0]}
    index = kinds.get(labels, pd.Index(["b", "c", "a"]))
    left, right = pd.DataFrame({"i": [0.5, 1.5]}, index[:2]), pd.DataFrame({"j": [1.5, 2.5]}, index[1:])
    agree(f"lib.concat([x, y], axis=1{given})", x=left, y=right)
    agree(f"lib.concat([x, x.add_suffix('_r')], axis=1{given})", x=left)
    agree(f"lib.concat([x.i, y.j], axis=1{given})", x=left, y=right)
    whole = pd.DataFrame({"i": [0.5, 1.5, 2.5]}, index)
    agree(f"lib.concat([x, y.iloc[::-1]], axis=1{given})", x=whole, y=whole.add_suffix("_r"))


TRUTHS = FOUR_ROWS[:2].set_axis([True, False])


def test_truth_values_stay_beside_numbers():
    labels = cuprum.DataFrame(FOUR_ROWS).index.append(cuprum.DataFrame(TRUTHS).index).to_list()
    assert [type(label) for label in labels] == [int] * 4 + [bool] * 2
    labels = cuprum.concat([cuprum.DataFrame(FOUR_ROWS), cuprum.DataFrame(TRUTHS)]).index.to_list()
    assert [type(label) for label in labels] == [int] * 4 + [bool] * 2
