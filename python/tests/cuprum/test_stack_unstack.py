"""`stack` and `unstack`."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import SMALL, agree, ours, pair
from small_frames import BELOW_TWO_LABELS, FLOATS, SOLD, TIMES_AND_LENGTHS, TWO_LEVELS

import cuprum


def test_stack_under_levels() -> None:
    agree("df.set_index(lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])).stack()", **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("df.stack([0, 0])", ValueError, "level should not contain duplicate values, got level"),
        (
            "df.columns = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\ndf.stack(['x', 'x'])",
            ValueError,
            "level should not contain duplicate values, got level",
        ),
        (
            "df.columns = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\ndf.stack(['x', 1])",
            ValueError,
            "level should contain all level names or all level",
        ),
        (
            "df.columns = lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])\ndf.stack([0, 3])",
            IndexError,
            "Too many levels: Index has only 2 levels, not 4",
        ),
        (
            "df.set_index(lib.MultiIndex.from_tuples([(1, 2), (3, 4)], names=['x', 'y'])).unstack(2)",
            IndexError,
            "Too many levels: Index has only 2 levels, not 3",
        ),
        ("df['a'].unstack('z')", KeyError, "there is no index level 'z'"),
        ("df['a'].unstack()", ValueError, "index must be a MultiIndex to unstack, it has one level"),
    ],
)
def test_levels_that_are_refused(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


def test_stack_of_no_columns_is_a_series() -> None:
    for index in (None, pd.Index([1, 2], name="k")):
        ours, theirs = (lib.DataFrame(index=index).stack() for lib in (cuprum, pd))
        assert isinstance(ours, cuprum.Series)
        assert ours.dtype == theirs.dtype
        assert len(ours) == len(theirs) == 0
        assert list(ours.index.names) == list(theirs.index.names)


def test_unstack_twice():
    agree("df[['b', 'a']].unstack().unstack().T", df=FLOATS)


THREE_LEVELS = pd.Series(
    [10.0, 20.0, 30.0, 40.0],
    index=pd.MultiIndex.from_tuples([(2, "a", 9), (1, "c", 8), (2, "c", 9), (1, "c", 9)], names=list("xyz")),
)


@pytest.mark.parametrize("level", [0, 2, [0, 2]])
def test_unstack_without_sorting(level):
    agree(f"s.unstack({level}, sort=False)", s=THREE_LEVELS)


def test_stack_refuses_repeated_labels():
    agree(
        "df.set_axis(['a', 'a'], axis=1).stack()",
        refused=(ValueError, "Columns with duplicate values are not supported in stack"),
        df=FLOATS,
    )


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        (
            "df.rename_axis(['n']).set_index(['a', df.b.rename('a')]).unstack('a')",
            ValueError,
            "multiple times",
        ),
    ],
)
def test_unstack_refuses_a_name_that_two_levels_have(code, error, message):
    for lib, df in ((pd, FLOATS.copy()), (cuprum, ours(FLOATS))):
        with warnings.catch_warnings(), pytest.raises(error, match=message):
            warnings.simplefilter("ignore")
            eval(code, {"lib": lib, "df": df})


@pytest.mark.parametrize("code", ["df.melt()", "df.stack()", "df.unstack()", "df.T"])
def test_truth_values_become_no_numbers_where_columns_become_one(code):
    agree(code, df=pd.DataFrame({"a": [1.5, 2], "t": [True, False]}))


@pytest.mark.parametrize("index", [["b", "a"], [2, 1], [1, 2]])
def test_stack_keeps_the_order_of_labels(index):
    frame = pd.DataFrame({"i": [0, 5], "f": [7, 1]}, index=index)
    agree("[df.stack().unstack(), df.stack().unstack(0), list(df.stack().index.levels[1])]", df=frame)


MISSING = pd.Series(
    [1.0, 2, 3, 4, 5],
    index=pd.MultiIndex.from_arrays(
        [["b", "a", "b", None, "a"], ["x", "y", None, "x", "z"]], names=["k", "l"]
    ),
)


FLAT = TWO_LEVELS.reset_index()


@pytest.mark.parametrize(
    "code",
    [
        "missing.unstack()",
        "missing.unstack(0)",
        "missing.unstack(sort=False)",
        "missing.unstack('k', fill_value=-1.5)",
        "deep.unstack(fill_value=0)",
        "deep.unstack('k')",
        "deep.unstack(sort=False)",
        "deep.unstack([1])",
        "deep.v.unstack(fill_value=9)",
        "deep.v.astype('float32').unstack(fill_value=0.1)",
        "deep.v.astype('float32').unstack(fill_value=1e300)",
        "deep.unstack().stack()",
        "deep.unstack().stack([0, 1])",
        "deep.unstack().unstack()",
        "deep.stack()",
        "wide.stack()",
        "wide.stack(0)",
        "wide.stack('o')",
        "wide.stack([0, 1])",
        "wide.stack([1, 0])",
        "lib.DataFrame([[1, 2]], columns=lib.MultiIndex.from_tuples([('a', 'x'), ('b', 'y')])).stack()",
        "lib.DataFrame({('a', 'x'): [1, 2]}, index=deep.index[:2]).unstack()",
        "wide.rename_axis(columns=[None, None]).stack()",
        "wide.rename_axis(columns=[None, None]).unstack()",
        "flat[['v', 'w']].rename_axis(columns='c').stack()",
        "wide.unstack()",
        "flat[['v', 'w']].unstack()",
        "sold.iloc[[0, 1, 2, 5]].set_index(['k', 'l', 'm']).unstack([1, 2])",
        "sold.iloc[[0, 1, 2, 5]].set_index(['k', 'l', 'm']).v.unstack([2, 1])",
        "sold.iloc[[0, 1, 2, 5]].set_index(['k', 'l', 'm']).unstack().unstack()",
        "sold.iloc[[0, 1, 2, 5]].set_index(['k', 'l', 'm']).unstack('l').stack('l')",
        "sold.groupby(['k', 'l']).v.sum().unstack()",
        "sold.groupby(['k', 'l'])[['v', 'w']].sum().unstack('k').stack()",
        "times.set_index(['t', 'é']).unstack()",
        "times.set_index(['t', 'é']).d.unstack('t')",
        "sold.iloc[:0][['v', 'w']].stack()",
    ],
)
def test_stack_and_unstack_are_those_of_pandas(code):
    agree(
        code,
        kept=["k", "l", ("v", "b"), ("v", 2)],
        missing=MISSING,
        deep=TWO_LEVELS,
        flat=FLAT,
        sold=SOLD,
        wide=BELOW_TWO_LABELS,
        times=TIMES_AND_LENGTHS,
    )


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "é", "x", None]), st.sampled_from([-1, 0, 7]), st.floats(allow_nan=False)
        ),
        min_size=1,
        max_size=12,
        unique_by=lambda row: row[:2],
    ),
    st.booleans(),
    st.booleans(),
)
def test_unstack_of_any_rows(rows, sort, outer):
    frame = pd.DataFrame(rows, columns=["k", "l", "v"]).astype({"k": "str"}).set_index(["k", "l"])
    # A missing one makes objects of texts that are column labels.
    options = {"kept": "k", "column_labels": object}
    agree(lambda lib, a: a.unstack(0 if outer else 1, sort=sort), **options, a=frame)
    agree(lambda lib, a: a.v.unstack(1 if outer else 0, sort=sort), **options, a=frame)


def test_pivot_stack_and_melt_of_many_rows():
    """More rows than a morsel has: every cell is where its labels say."""
    rows, columns = 70_000, 3
    random = np.random.default_rng(1)
    order = random.permutation(rows * columns)
    frame = pd.DataFrame({"k": order // columns, "l": order % columns, "v": order * 0.5})
    wide = pair(frame).ours.pivot(index="k", columns="l", values="v")
    expected = np.arange(rows * columns).reshape(rows, columns) * 0.5
    assert np.array_equal(wide.to_numpy(), expected)
    assert np.array_equal(wide.stack().to_numpy(), expected.reshape(-1))
    assert np.array_equal(wide.melt(ignore_index=False).value.to_numpy(), expected.T.reshape(-1))


def test_missing_labels_of_unstack_are_printed_as_everywhere():
    # pandas prints nan for a missing text that its level does not have, and NaN after groups.
    code = "missing.to_frame('v').unstack()"
    expected = str(eval(code, {"missing": MISSING}))
    assert expected.count("l    nan    x") == 1
    ours = str(eval(code, {"missing": pair(MISSING).ours}))
    assert ours == expected.replace("l    nan    x", "l    NaN    x")


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("a.set_index(['k', 'l']).unstack()", ValueError, "duplicate entries"),
        ("a.v.unstack()", ValueError, "MultiIndex"),
        ("a.set_index(['k', 'l']).unstack([0, 1])", NotImplementedError, "all levels"),
        ("a.set_index(['k', 'l', 'm']).v.unstack(['l', 'l'])", ValueError, "twice"),
        ("a.set_index(['k', 'l']).unstack('bogus')", KeyError, "bogus"),
        ("a.stack('bogus')", KeyError, "bogus"),
    ],
)
def test_stack_and_unstack_that_are_refused(code, error, says):
    with pytest.raises(error, match=says):
        eval(code, {"lib": cuprum, "a": pair(SOLD).ours})
