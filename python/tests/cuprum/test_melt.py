"""`melt`, `wide_to_long` and `lreshape`."""

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree, pair
from small_frames import BELOW_TWO_LABELS, SOLD, TIMES_AND_LENGTHS, TWO_LEVELS

import cuprum


def test_wide_to_long_with_two_keys():
    agree(
        "lib.wide_to_long(lib.DataFrame({'i': [1, 2], 'k': [3, 4], 'x1': [5, 6], 'x2': [7, 8]}), 'x', ['i', 'k'], 'j')",
        **SMALL,
        kept=...,
    )


FLAT = TWO_LEVELS.reset_index()


LONG = pd.DataFrame({"k": ["a", "b"], "x1": [1, 2], "x2": [3, 4], "y1": [1.5, 2], "z": [7, 8]})


@pytest.mark.parametrize(
    "code",
    [
        "flat[['v', 'w']].melt()",
        "flat.melt(id_vars='k', value_vars=['v', 'w'])",
        "flat.melt(id_vars=['k'], value_vars=['v', 'w'], var_name='q', ignore_index=False)",
        "flat.rename_axis(columns='n')[['k', 'v', 'w']].melt('k')",
        "wide.melt()",
        "lib.DataFrame([[1, 2]], columns=lib.MultiIndex.from_tuples([('a', 'x'), ('b', 'y')])).melt()",
        "wide.rename_axis(columns=[None, None]).melt()",
        "wide.rename_axis(columns=[None, None]).melt(col_level=1)",
        "wide.melt(col_level=0)",
        "wide.melt(col_level='i')",
        "wide.melt(id_vars=[('a', 'x')])",
        "wide.melt(var_name=['f', 'g'])",
        "lib.melt(flat[['v', 'w']], id_vars='v', value_name='z')",
        "flat.iloc[:0].melt(id_vars='k', value_vars=['v', 'w'])",
    ],
)
def test_melt_is_that_of_pandas(code):
    agree(
        code,
        kept=[("v", 2), 2],
        flat=FLAT,
        sold=SOLD,
        wide=BELOW_TWO_LABELS,
        long=LONG,
        times=TIMES_AND_LENGTHS,
    )


@pytest.mark.parametrize(
    "code",
    [
        "lib.wide_to_long(long, 'x', i='k', j='n')",
        "lib.wide_to_long(long, ['x', 'y'], i='k', j='n')",
        "lib.wide_to_long(long.drop(columns='z'), ['x', 'y'], i='k', j='n')",
        "lib.wide_to_long(long, 'x', i=['k', 'z'], j='n')",
    ],
)
def test_wide_to_long_is_that_of_pandas(code):
    agree(
        code,
        kept=[("v", 2), 2],
        flat=FLAT,
        sold=SOLD,
        wide=BELOW_TWO_LABELS,
        long=LONG,
        times=TIMES_AND_LENGTHS,
    )


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("a.melt('bogus')", KeyError, "bogus"),
        ("a.melt(value_vars=['bogus'])", KeyError, "bogus"),
        ("a.melt('k', ['v'], value_name='l')", ValueError, "value_name"),
        ("lib.wide_to_long(a, 'v', i='k', j='n')", ValueError, "stubname"),
        ("lib.wide_to_long(a, 'x', i='k', j='n')", ValueError, "uniquely"),
    ],
)
def test_melt_and_wide_to_long_that_are_refused(code, error, says):
    with pytest.raises(error, match=says):
        eval(code, {"lib": cuprum, "a": pair(SOLD).ours})


@pytest.mark.parametrize("dropna", [True, False])
def test_lreshape(dropna):
    frame = pd.DataFrame(
        {"b": [7, 8], "a": ["p", "q"], "x1": [1.5, 2], "x2": [3, np.nan], "y1": [1, 2.5], "y2": [3, 4]}
    )
    groups = {"y": ["y1", "y2"], "x": ["x1", "x2"]}
    expected = pd.lreshape(frame, groups, dropna=dropna)
    pd.testing.assert_frame_equal(
        cuprum.lreshape(cuprum.DataFrame(frame), groups, dropna).to_pandas(), expected
    )
    with pytest.raises(ValueError, match="same length"):
        cuprum.lreshape(cuprum.DataFrame(frame), {"x": ["x1"], "y": ["y1", "y2"]})
    with pytest.raises(KeyError):
        cuprum.lreshape(cuprum.DataFrame(frame), {"x": ["x1", "none"]})


@pytest.mark.parametrize("ignore_index", [True, False])
@pytest.mark.parametrize(
    "options",
    [
        "id_vars=['a', 'b']",
        "id_vars=['b'], value_vars=[]",
        "value_vars=[]",
        "id_vars=['b', 'a'], var_name='v'",
    ],
)
def test_melt_of_no_columns(options, ignore_index):
    data = pd.DataFrame({"a": pd.Categorical(["x", "y"]), "b": [1.5, None]}, index=["p", "q"])
    agree(f"df[['b']].melt(id_vars='b', ignore_index={ignore_index})", df=data)
    agree("df[['b']].melt(value_vars=[])", df=data)
    if options != "value_vars=[]":
        agree(f"df.melt({options}, ignore_index={ignore_index})", df=data)
        named = data.rename_axis(columns="n")
        agree(f"df.melt({options}, value_name='w', ignore_index={ignore_index})", df=named)
