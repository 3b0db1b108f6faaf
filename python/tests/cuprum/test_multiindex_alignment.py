"""Row labels of several levels beside others: levels meet by their names."""

import re

import pandas as pd
import pytest
from oracle import agree

import cuprum

OURS = pd.Series(
    [1.0, 2, 3, 4], index=pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["k", "n"]), name="v"
)
TURNED = pd.Series(
    [10.0, 20, 30],
    index=pd.MultiIndex.from_tuples([(1, "a"), (2, "a"), (2, "b")], names=["n", "k"]),
    name="w",
)
OUTER = pd.Series([5.0, 6], index=pd.Index(["a", "z"], name="k"), name="w")
INNER = pd.Series([5.0, 6], index=pd.Index([2, 1], name="n"), name="w")
SUBJECTS = {"s": OURS, "t": TURNED, "o": OUTER, "i": INNER}


@pytest.mark.parametrize(
    "code",
    [
        "s + t",
        "t + s",
        "s.add(t, fill_value=0)",
        "s + o",
        "o + s",
        "s - i",
        "i * s",
        "s - s.groupby('k').mean()",
        "s / s.groupby(level='n').transform('max')",
        "s - s.groupby('n').sum()",
        "s.to_frame() + o.to_frame('v')",
        "s.to_frame().add(o, axis=0)",
        "s.to_frame().sub(i, axis=0)",
        "s.align(t)",
        "s.align(o)",
        "s.align(t, join='inner')",
        "s.where(t > 10)",
        "s.to_frame().join(t)",
        "s.to_frame().join(t, how='inner')",
        "s.to_frame().merge(t, left_index=True, right_index=True)",
        "s.to_frame().join(o)",
        "s.to_frame().join(i)",
        "s.to_frame().join(o, how='inner')",
        "s.to_frame().join(o, how='outer')",
        "s.to_frame().join(o, how='right')",
        "o.to_frame().join(s)",
        "o.to_frame().join(s, how='outer')",
        "o.to_frame('v').join(s, lsuffix='_l', rsuffix='_r')",
        "s.to_frame().merge(o, left_index=True, right_index=True)",
        "o.reindex(s.index)",
        "s.to_frame().assign(o=o, i=i)",
        "s.loc[s.index[[2, 0]]]",
        "s.to_frame().loc[s.index[1:3], 'v']",
        "s.to_frame().loc[s.index[:1]]",
    ],
)
def test_levels_meet_by_their_names(code):
    agree(code, **SUBJECTS)


@pytest.mark.parametrize(
    "code",
    [
        "s + s.rename_axis(['x', 'y']).iloc[:2]",
        "s.align(s.rename_axis(['x', 'y']).iloc[:2])",
        "s + o.rename_axis(None)",
        "s.to_frame().join(o.rename_axis('q'))",
        "s.to_frame().merge(t.rename_axis(['x', 'y']), left_index=True, right_index=True)",
    ],
)
def test_levels_without_a_common_name_do_not(code):
    for lib, given in (
        (pd, SUBJECTS),
        (cuprum, {name: cuprum.from_pandas(s) for name, s in SUBJECTS.items()}),
    ):
        with pytest.raises(ValueError, match="no overlapping index names"):
            eval(code, {"lib": lib, **given})


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        (
            "s + t.rename_axis(['n', 'm'])",
            NotImplementedError,
            "row labels some of whose levels are in both frames: use",
        ),
        (
            "s.align(t.rename_axis(['n', 'm']))",
            NotImplementedError,
            "row labels some of whose levels are in both objects: use",
        ),
        (
            "s.to_frame().join(t.rename_axis(['n', 'm']))",
            NotImplementedError,
            "row labels some of whose levels are in both frames: use",
        ),
        (
            "s + lib.concat([o, o])",
            NotImplementedError,
            "labels that repeat, beside a level of others: aggregate",
        ),
        (
            "s.to_frame().merge(o, left_index=True, right_index=True, indicator=True)",
            NotImplementedError,
            "`sort`, `indicator` and `validate` of a join by a level",
        ),
        (
            "s.to_frame().merge(o, left_index=True, right_index=True, how='left_anti')",
            NotImplementedError,
            "a join by a level of row labels of this kind: use",
        ),
        (
            "s.to_frame().align(o.to_frame())",
            NotImplementedError,
            "align of frames by a level of row labels: say `level` and",
        ),
    ],
)
def test_what_is_not_matched_is_refused(code, error, text):
    with pytest.raises(error, match=re.escape(text)):
        eval(code, {"lib": cuprum, **{name: cuprum.from_pandas(s) for name, s in SUBJECTS.items()}})
