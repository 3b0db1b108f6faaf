"""`loc` of several levels of row labels: parts of keys, spans and lists."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree
from small_frames import CROSSED, THREE_KEYS

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


def _parts(key):
    return key if isinstance(key, tuple) else (key,)


@pytest.mark.filterwarnings("ignore::pandas.errors.PerformanceWarning")
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("key", list(_keys(LABELS["int"])))
@pytest.mark.parametrize("kind", LABELS)
def test_keys_of_levels(kind, key, shuffled):
    index = pd.MultiIndex.from_product([LABELS[kind], [1, 2, 3], ["x", "y"]], names=["l", "m", "n"])
    theirs = pd.DataFrame({"v": np.arange(len(index))}, index=index)
    wanted = _keys(LABELS[kind])[key]
    if shuffled:
        theirs = theirs.sample(frac=1, random_state=1)
    refused = None
    if key == "one, absent":
        refused = (KeyError, "99 is not in the index")
    elif (shuffled or kind == "descending") and any(
        isinstance(part, slice) and part != slice(None) for part in _parts(wanted)
    ):
        refused = (pd.errors.UnsortedIndexError, "lexsort")
    agree(lambda lib, df: df.loc[wanted, :], refused=refused, df=theirs)


@pytest.mark.parametrize(
    "statement",
    [
        "levels.loc[(slice(None), levels['a'] > 0), :]",
        "levels.loc[('y', levels['a'] > 2), 'b']",
        "levels.T.loc[:, (['y', 'x'], [2, 1])]",
    ],
)
def test_masks_and_lists_in_keys_of_levels(statement):
    agree(statement, **SMALL)


UNSORTED = [("z", "a"), ("x", "a"), ("y", "b"), ("x", "b")]


def _unsorted(lib: Any) -> Any:
    return lib.DataFrame({"v": range(4)}, index=lib.MultiIndex.from_tuples(UNSORTED))


def test_slices_of_sorted_levels():
    agree(lambda lib: _unsorted(lib).sort_index().loc[("x", slice("a", "b")), :])


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: _unsorted(lib).loc["z":"y"],
            pd.errors.UnsortedIndexError,
            "Key length (1) was greater than MultiIndex lexsort depth",
            id="slice of levels",
        ),
        pytest.param(
            lambda lib: _unsorted(lib).loc[("z", slice("a")), :],
            pd.errors.UnsortedIndexError,
            "MultiIndex slicing requires the index to be lexsorted",
            id="slice of a level",
        ),
        pytest.param(
            lambda lib: _unsorted(lib)["v"].loc["z", slice("a")],
            pd.errors.UnsortedIndexError,
            "MultiIndex slicing requires the index to be lexsorted",
            id="slice of a level of a series",
        ),
        pytest.param(
            lambda lib: _unsorted(lib).loc[({"x", "z"}, slice(None)), :],
            TypeError,
            "Passing a set as an indexer is not supported. Use a list",
            id="a set of labels",
        ),
    ],
)
def test_slices_of_levels_in_no_order_are_refused(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize(
    "key",
    [
        "('x', [1]), :",
        "('x', [1], 'p'), :",
        "('x', 1, ['p']), :",
        "('x', [1], slice(None)), :",
        "('x', slice(None), 'p'), :",
        "('x', slice(1, 2)), :",
        "(['x'], 1), :",
        "('x', [1], 'p'), 'a'",
        "('x', slice(None)), 'a'",
        "'x', :, 'p'",
        "'x', 1, :",
        "'x', 1",
    ],
)
def test_levels_that_a_key_names_are_dropped(key):
    agree(f"df.loc[{key}]", df=THREE_KEYS)


@pytest.mark.parametrize(
    "key",
    ["'x', :", "'x', :, 'p'", "'x', 1, :", ":, 1", ":, :, 'p'", "'x', 1:2, 'p'", "'x', [1]", "'x', [1], 'p'"]
    + ["['x'], 1", "['x'], :, 'p'", "['x'], [1], 'p'", "['x'], 1, :"],
)
def test_levels_that_a_key_of_a_series_names_are_dropped(key):
    agree(f"s.loc[{key}]", s=THREE_KEYS["a"])
    if "[" not in key and "1:2" not in key:
        agree(f"s[{key}]", s=THREE_KEYS["a"])


IN_ORDER = pd.DataFrame(
    {"v": [5, 1, 4, 2, 7], "u": list("abcde")},
    index=pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1), ("y", 2), ("y", 2)], names=["g", "h"]),
)


@pytest.mark.parametrize("rows", [[0, 1, 2, 3, 4], [4, 1, 3, 0, 2]])
@pytest.mark.parametrize(
    "code",
    [
        "df.loc[(slice(None), [2, 1]), :]",
        "df.loc[(['y', 'x'], 2), 'v']",
        "df.loc[(['x', 'y'], [1, 2]), :]",
        "df.loc[(['y', 'x'], [2, 1]), ['u', 'v']]",
        "df.loc[(['y', 'x', 'y'], 1), :]",
        "df['v'].loc[('y', [2, 1])]",
        "df['v'].loc[('y', [1, 2])]",
        "df['v'].loc[:, [2, 1]]",
        "df['v'].loc[(['x', 'y'],)]",
        "df.loc[(['y', 'q'], [2, 1]), :]",
    ],
)
def test_lists_of_labels_of_levels_select_in_their_order(rows, code):
    frame = IN_ORDER.iloc[rows]
    if "q" in code:
        with pytest.raises(KeyError):
            eval(code, {"df": cuprum.DataFrame(frame)})
    else:
        agree(code, df=frame)


OURS = pd.Series(
    [1.0, 2, 3, 4], index=pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["k", "n"]), name="v"
)


def test_labels_of_an_index_that_are_not_there():
    s = cuprum.from_pandas(OURS)
    with pytest.raises(KeyError):
        s.loc[cuprum.MultiIndex.from_tuples([("a", 1), ("q", 1)])]


NESTED = pd.DataFrame(
    {"k": ["a", "a", "b", "b"], "n": [1, 2, 1, 2], "v": [1.0, 2.0, 3.0, 4.0]},
).set_index(["k", "n"])


@pytest.mark.parametrize(
    "expression",
    [
        "df.loc[('a', 2), 'v']",
        "df.loc['a']",
        "df.loc[('b', 1)]",
        "df.iloc[1:3]",
        "df.reset_index()",
        "df.reset_index('n')",
        "df.index.get_level_values('k')",
        "df.index.get_level_values(1)",
        "df.index.names",
        "df.index.nlevels",
        "df[df.v > 1]",
        "df.sort_index(ascending=False)",
    ],
)
def test_rows_and_labels_of_two_levels(expression):
    if expression == "df.index.names":
        agree("list(df.index.names)", df=NESTED)
    else:
        agree(expression, df=NESTED)


@pytest.mark.parametrize(
    "expression",
    [
        "df.loc[('a', slice(None)), :]",
        "df.loc[('a', slice(None), 'x'), :]",
        "df.loc[(slice(None), 2), 'v']",
        "df.loc[(slice(None), slice(1, 1), ['y']), ['w']]",
        "df.loc[(['a', 'b'], [2]), :]",
        "df.loc[('b', slice(2, None)), 'v']",
        "df.loc['a', 1, 'x'].to_list()",
        "df.loc['a', 1]",
        "df.loc[('a', 1), 'v']",
        "df.loc['a', 'v']",
        "df.loc[('a', 1, 'y'), 'w']",
        "df.loc[[('a', 1, 'y'), ('b', 2, 'x')], ['w']]",
        "df.v.loc['b', 2]",
        "df.v['b', 2, 'x']",
    ],
)
def test_keys_of_several_levels(expression):
    agree(expression, df=CROSSED)


def test_a_row_label_is_meant_before_a_row_and_a_column():
    df = pd.DataFrame({"x": [1, 2], "y": [3, 4]}, index=pd.MultiIndex.from_tuples([("a", "x"), ("b", "q")]))
    agree(lambda lib, df: df.loc["a", "x"].to_list(), df=df)
    agree("df.loc['b', 'x']", df=df)


@pytest.mark.parametrize(
    "ends", [("a", "b"), ("b", None), (None, "bb"), ("d", None), ("c", "a"), (("b", "e"), None)]
)
@pytest.mark.parametrize("step", [1, -1])
def test_truncate_of_several_levels(ends, step):
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
