"""Labels of several levels: construction, names and look-ups."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree, ours, pair
from small_frames import FLOATS, SOLD

import cuprum


@pytest.mark.parametrize(
    "statement",
    [
        "list(lib.MultiIndex.from_arrays([lib.Index([1], name='a'), lib.Index([2], name='b')], names=None).names)",
        "list(lib.MultiIndex.from_product([lib.Index([1], name='a'), lib.Index([2], name='b')], names=None).names)",
        "lib.MultiIndex.from_tuples([(1, 2)], names=['x', 'y']).rename({'x': 'z', 'y': 'x'})",
    ],
)
def test_names_of_levels_are_those_of_pandas(statement):
    agree(statement, **SMALL)


def test_from_frame_takes_as_many_names_as_levels():
    agree(
        "lib.MultiIndex.from_frame(lib.DataFrame({'a': [1], 'b': [2]}), names=['x'])",
        refused=(ValueError, "Length of names must match number of levels in MultiIndex"),
        **SMALL,
    )


def test_get_level_values_refuses_levels_that_are_not_there() -> None:
    agree(
        "df.index.get_level_values(1)",
        refused=(IndexError, "Too many levels: Index has only 1 level, not 2"),
        **SMALL,
    )


def test_to_frame_with_columns_of_one_name():
    agree(lambda lib: lib.MultiIndex.from_tuples([(1, 2)], names=["a", "a"]).to_frame(allow_duplicates=True))


def test_to_frame_refuses_columns_of_one_name():
    agree(
        lambda lib: lib.MultiIndex.from_tuples([(1, 2)], names=["a", "a"]).to_frame(),
        refused=(ValueError, "Cannot create duplicate column labels if allow_duplicates"),
    )


MISSING = [("b", np.nan), ("a", "x"), ("c", np.nan)]


@pytest.mark.parametrize("labels", [MISSING[:1], MISSING[1:2], MISSING[::2]])
@pytest.mark.parametrize("other", [["x", np.nan], [1.5, np.nan], pd.to_datetime(["2000", None])])
def test_labels_that_are_missing_throughout_meet_those_of_any_type(labels: list[Any], other: Any) -> None:
    def of(lib: Any) -> Any:
        return lib.MultiIndex.from_arrays([["a", "b"], other])

    agree(lambda lib: of(lib).isin(labels))
    agree(lambda lib: of(lib).get_indexer(lib.MultiIndex.from_tuples(labels)))
    agree(lambda lib: repr(of(lib).difference(lib.MultiIndex.from_tuples(labels), sort=False).to_list()))
    if labels == MISSING[:1]:
        agree(lambda lib: lib.Series([1, 2], index=of(lib)).reindex(labels).to_list())
        agree(lambda lib: len(of(lib).union(lib.MultiIndex.from_tuples(labels))))
        agree(lambda lib: len(of(lib).intersection(lib.MultiIndex.from_tuples(labels))))


LABELS: list[list[Any]] = [[(1, 2)], [(1, 2), (3, 4)], [("a", "b")], [(1.5, 2)], [(1, "a"), (2, "b")]]


@pytest.mark.parametrize("labels", LABELS, ids=str)
def test_levels_without_labels_take_the_type_of_those_that_come(labels: list[Any]) -> None:
    def grown(lib: Any, index: Any) -> Any:
        series = lib.Series([], dtype="float64", index=index)
        for label in labels:
            series.loc[label] = 3.0
        return series

    names = ["x", "y"]
    for empty in (
        lambda lib: lib.MultiIndex.from_arrays([[], []], names=names),
        lambda lib: lib.MultiIndex.from_tuples([], names=names),
        lambda lib: lib.MultiIndex.from_product([[], []], names=names),
        lambda lib: lib.DataFrame({"x": [], "y": [], "z": []}).set_index(names).index,
    ):
        typed = "set_index" in empty.__code__.co_names
        if typed and any(isinstance(part, str) for label in labels for part in label):
            continue
        agree(lambda lib, empty=empty: grown(lib, empty(lib)))
        if typed:
            continue
        agree(lambda lib, empty=empty: empty(lib).append(lib.MultiIndex.from_tuples(labels, names=names)))
        agree(lambda lib, empty=empty: empty(lib).union(lib.MultiIndex.from_tuples(labels, names=names)))
    given = pd.MultiIndex.from_arrays([[], []], names=names)
    agree(lambda lib: grown(lib, given))


def _with_missing(lib: Any) -> Any:
    return lib.MultiIndex.from_tuples([(1, "a"), (2, None)])


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: _with_missing(lib).isna(),
            NotImplementedError,
            "isna is not defined for MultiIndex: use get_level_values",
            id="missing labels of levels",
        ),
        pytest.param(
            lambda lib: _with_missing(lib).notna(),
            NotImplementedError,
            "isna is not defined for MultiIndex: use get_level_values",
            id="present labels of levels",
        ),
        pytest.param(
            lambda lib: _with_missing(lib).isnull(),
            NotImplementedError,
            "isna is not defined for MultiIndex: use get_level_values",
            id="missing labels of levels, named",
        ),
        pytest.param(
            lambda lib: _with_missing(lib).hasnans,
            NotImplementedError,
            "isna is not defined for MultiIndex: use get_level_values",
            id="whether levels have missing labels",
        ),
        pytest.param(
            lambda lib: lib.isna(_with_missing(lib)),
            NotImplementedError,
            "isna is not defined for MultiIndex: use get_level_values",
            id="missing labels of levels by a function",
        ),
    ],
)
def test_levels_have_no_missing_labels(call, error, text):
    agree(call, refused=(error, text))


NUMBERED = pd.DataFrame([("A", "1", 1.0), ("B", "2", 2.0), ("A", "2", 3.0)])


@pytest.mark.parametrize(
    "code",
    [
        # Numbers that are names of levels.
        "df.pivot(index=1, columns=0, values=2)",
        "df.set_index([1, 0]).swaplevel(0, 1)",
        "df.set_index([1, 0])[2].unstack(0)",
        "df.set_index([1, 0]).unstack(1)",
        "df.set_axis(['x', 0, 'v'], axis=1).set_index(['x', 0]).unstack('x')",
        "df.rename(columns={2: 'v'}).pivot_table('v', 1, 0, aggfunc='size', fill_value=0)",
        "lib.MultiIndex.from_tuples([], names=['a', 'b'])",
        "lib.MultiIndex.from_arrays(level for level in [[1, 2], [3, 4]])",
        "list(lib.MultiIndex.from_tuples([], names=['a', 'b']).factorize()[1].names)",
    ],
)
def test_levels_are_called_by_numbers(code):
    # Labels that are left of several types have the type of their own.
    agree(code, df=NUMBERED, column_labels=object)


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("lib.MultiIndex.from_tuples([])", TypeError, "Cannot infer number of levels from empty list"),
        ("lib.MultiIndex.from_arrays(3)", TypeError, "list / sequence of array-likes"),
        ("lib.MultiIndex.from_arrays([1, 2])", TypeError, "list / sequence of array-likes"),
    ],
)
def test_levels_of_nothing_and_of_numbers_are_refused(code, error, message):
    for lib, df in ((pd, FLOATS.copy()), (cuprum, ours(FLOATS))):
        with warnings.catch_warnings(), pytest.raises(error, match=message):
            warnings.simplefilter("ignore")
            eval(code, {"lib": lib, "df": df})


@pytest.mark.parametrize(
    "code",
    [
        "names.difference(['p'])",
        "names.union(['k'])",
        "names + ['k']",
        "names[:1]",
        "names == ['p', 'q']",
        "repr(names)",
    ],
)
def test_names_of_levels_are_a_list(code):
    def run(lib):
        found = eval(code, {"names": lib.MultiIndex.from_tuples([("a", 1)], names=["p", "q"]).names})
        return list(found) if isinstance(found, list) else found

    agree(run)


@pytest.mark.parametrize("change", ["names[0] = 'z'", "names.append('z')", "names.sort()", "del names[0]"])
def test_names_of_levels_do_not_change_one_by_one(change):
    for lib in (pd, cuprum):
        index = lib.Index([1, 2], name="i")
        with pytest.raises(TypeError):
            exec(change, {"names": index.names})
        assert list(index.names) == ["i"]


# pandas reads a number as a name where a level has it: levels taken by number must not.
NAMED_BY_NUMBERS = pd.DataFrame(
    {"v": [1, 2, 3, 4]},
    index=pd.MultiIndex.from_arrays(
        [["a", "a", "b", "b"], [4.5, 3.5, 4.5, None], [1, 2, 3, 4]], names=[2, 0, 1]
    ),
)


@pytest.mark.parametrize(
    "code",
    [
        "df",
        "df.sort_index()",
        "df.sort_index(level=0)",
        "df.reset_index()",
        "df.index.dropna()",
        "df.index[:3].remove_unused_levels()",
        "df.drop('a', level=2)",
        "df.drop(4.5, level=0)",
        "df.index.get_loc_level(4.5, level=0)[1]",
        "df.index.get_loc_level('a', level=2)[1]",
        "df.index.join(lib.Index([4.5], name=0), level=0)",
        "lib.concat([df, df], keys=['x', 'y'])",
        "lib.concat([df, df], keys=['x', 'y'], levels=[['y', 'x']])",
        "df.v.unstack(2)",
    ],
)
def test_names_of_levels_may_be_numbers_of_others(code):
    agree(code, df=NAMED_BY_NUMBERS)


def test_one_level_of_pandas_is_a_plain_index():
    index = pd.MultiIndex.from_arrays([[2, 0, 1]], names=["k"])
    frame = pd.DataFrame({"v": [1, 2, 3]}, index=index)
    own = cuprum.DataFrame(frame)
    assert own.index.nlevels == 1
    pd.testing.assert_index_equal(own.index.to_pandas(), index.get_level_values(0))
    pd.testing.assert_index_equal(cuprum.Index(index).to_pandas(), index.get_level_values(0))


@pytest.mark.parametrize(
    ("code", "error", "says"),
    [
        ("a.swaplevel()", TypeError, "swap levels on a hierarchical axis"),
        ("a.v.reorder_levels([0])", TypeError, "reorder levels on a hierarchical axis"),
        ("a.set_index(['k', 'l']).reorder_levels(['k'])", AssertionError, "Length of order"),
        ("a.set_index(['k', 'l']).reorder_levels(['k', 'k'])", ValueError, "twice"),
        ("a.set_index(['k', 'l']).swaplevel('bogus')", KeyError, "bogus"),
    ],
)
def test_orders_of_levels_that_are_refused(code, error, says):
    with pytest.raises(error, match=says):
        eval(code, {"a": pair(SOLD).ours})
