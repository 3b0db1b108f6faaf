"""Brackets of frames, series and indexes: labels, slices, lists, and what is no key."""

import re

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree
from small_frames import FOUR_ROWS, LABELLED, UNDER_INTEGERS, times_and_durations

import cuprum


@pytest.mark.parametrize(
    "statement",
    [
        # Keys in brackets.
        "lib.Series(range(5))[(slice(3),)]",
        "df['a'][...]",
        "lib.RangeIndex(3)[...]",
        "lib.Index(list('bcd'))[lib.Index(list('bcd')).slice_indexer('', '', -1)]",
    ],
)
def test_tuples_and_ellipses_in_brackets_are_those_of_pandas(statement):
    agree(statement, **SMALL)


def test_a_series_takes_no_frame_in_brackets():
    agree(
        "s[lib.DataFrame([1, 2, 3]) > 1]",
        refused=(TypeError, "a Series has no columns: index it with a Series, or a"),
        **SMALL,
    )


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("[1] in df", TypeError, "unhashable type: 'list'"),
        ("df['a'] in df", TypeError, "unhashable type: 'Series'"),
    ],
)
def test_lists_and_series_are_no_labels(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: times_and_durations(lib).loc[True:],
            TypeError,
            "slice(True, None, None): boolean values can not be used",
            id="slice of truth values",
        ),
        pytest.param(
            lambda lib: times_and_durations(lib)["i"][True:False],
            TypeError,
            "cannot do slice indexing with these indexers [True",
            id="brackets of truth values",
        ),
        pytest.param(
            lambda lib: lib.Series([1], index=lib.interval_range(0, 1)).loc[True],
            KeyError,
            "True: boolean label can not be used without a boolean",
            id="a truth value among intervals",
        ),
    ],
)
def test_truth_values_are_no_ends_of_slices(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: lib.Series([1, 2])[(0,)],
            KeyError,
            "a series' rows have one level of labels: no tuple names",
            id="a tuple in brackets",
        ),
        pytest.param(
            lambda lib: lib.Series([1, 2]).loc[(0, 1)],
            IndexError,
            "Too many indexers: a series has one axis, the key is (0",
            id="a tuple for one axis",
        ),
    ],
)
def test_tuples_name_no_rows_of_one_level(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("[1, 2] in i", TypeError, "unhashable type: 'list'"),
        ("slice(0, 2) in i", TypeError, "slice(0, 2, None) is no label"),
        ("i.get_loc([1, 2])", pd.errors.InvalidIndexError, "`key` is [1, 2]: unhashable type: 'list'"),
        ("i.get_loc(slice(0, 2))", pd.errors.InvalidIndexError, "slice(0, 2, None) is no label"),
        ("lib.interval_range(0, 2).get_loc([1])", pd.errors.InvalidIndexError, "`key` is [1]"),
        ("lib.Index(['a', 1]).get_loc({})", pd.errors.InvalidIndexError, "`key` is {}"),
        ("i[True]", IndexError, "only integers, slices and lists of positions are valid"),
        ("i[1.0]", IndexError, "only integers, slices and lists of positions are valid"),
        ("i[(0, 1)]", IndexError, "too many indices for labels: (0, 1)"),
        ("df.loc[{10, 5}]", TypeError, "Passing a set as an indexer is not supported. Use a list"),
        ("df.iloc[{0}]", TypeError, "Passing a set as an indexer is not supported. Use a list"),
        ("df[{'a'}]", TypeError, "Passing a set as an indexer is not supported. Use a list"),
        ("df.a[{10}]", TypeError, "Passing a set as an indexer is not supported. Use a list"),
        ("df.loc[{10: 1}]", TypeError, "Passing a dict as an indexer is not supported. Use a list"),
        ("df.loc[:, {'a'}]", TypeError, "Passing a set as an indexer is not supported. Use a list"),
        ("df[0.5:2]", TypeError, "cannot do slice indexing on integer labels with these"),
        (
            "lib.RangeIndex(3).to_series().loc[True:2]",
            TypeError,
            "slice(True, 2, None): boolean values can not be used in a",
        ),
    ],
)
def test_keys_of_brackets_that_are_refused(code, error, text):
    names = {
        "df": cuprum.DataFrame(UNDER_INTEGERS),
        "i": cuprum.DataFrame(UNDER_INTEGERS).index,
        "lib": cuprum,
    }
    with pytest.raises(error, match=re.escape(text)):
        eval(code, names)


FLOAT_LABELS = FOUR_ROWS.set_axis([0.5, 1.0, 1.5, 2.0])


def test_slices_of_integers_in_brackets_are_of_positions():
    for code in ["df.a[1:3]", "df.a[:1]", "df.a[::2]", "df[1:3]", "df[:1]", "df[0.75:1.5]", "df.a[0.75:1.5]"]:
        agree(code, df=FLOAT_LABELS)
    for frame in (FOUR_ROWS, cuprum.DataFrame(FOUR_ROWS)):
        for target in (frame, frame.a):
            with pytest.raises(TypeError, match="cannot do slice indexing"):
                target[0.5:2.5]


def agree_on_change(frame, change):
    """Run ``change`` on a copy and return it."""

    def run(lib, df):
        change(df)
        return df

    agree(run, df=frame)


NUMBER_LABELS = {
    "integers": pd.Index([1, 2]),
    "range": pd.RangeIndex(2),
    "floats": pd.Index([1.0, np.nan]),
    "truths": pd.Index([True, False]),
    "one truth": pd.Index([True]),
    "of several kinds": pd.Index([1, "a"]),
    "with a truth": pd.Index(["a", True]),
    "texts": pd.Index(["a", "b"]),
}


def key_or_error(code, **names):
    try:
        return eval(code, {"np": np, **names})
    except (KeyError, ValueError) as error:
        return type(error).__name__


@pytest.mark.parametrize("labels", NUMBER_LABELS)
@pytest.mark.parametrize("key", ["True", "np.True_", "False", "1", "1.0", "np.int8(1)"])
def test_truth_values_are_labels_of_their_own(labels, key):
    """But not where labels are of several types; those that are left of them have the type of their own."""
    count = len(NUMBER_LABELS[labels])
    wide = pd.DataFrame(np.arange(2 * count).reshape(2, count), columns=NUMBER_LABELS[labels])
    for code in (
        f"df[{key}]",
        f"{key} in df",
        f"{key} in df.columns",
        f"df.get({key})",
        f"df.loc[:, {key}]",
        f"df.loc[0, {key}]",
        f"df.at[0, {key}]",
        f"df.drop(columns={key})",
        f"df.drop(columns=[{key}])",
        f"df.drop(columns=[{key}], errors='ignore')",
        f"df.xs({key}, axis=1)",
        f"df.sort_values({key})",
        f"df.set_index({key})",
        f"df.groupby({key}).size()",
        f"df.dropna(subset=[{key}])",
        f"df.nlargest(1, {key})",
        f"df.duplicated({key})",
        f"df.rename(columns={{{key}: 9}})",
        f"df.pop({key})",
    ):
        agree(lambda lib, df, code=code: key_or_error(code, df=df), df=wide, column_labels=object)
    agree_on_change(wide, lambda df: df.__setitem__(eval(key), 7))
    tall = pd.Series(np.arange(count), index=NUMBER_LABELS[labels])
    for code in (
        f"s[{key}]",
        f"s.loc[{key}]",
        f"s.at[{key}]",
        f"{key} in s",
        f"s.get({key})",
        *([] if "kinds" in labels or "with" in labels else [f"s.drop({key})"]),
        f"s.index.get_loc({key})",
        f"s.index.get_indexer([{key}])",
        f"s.to_frame('v').loc[{key}, 'v']",
        f"s.to_frame('v').xs({key})",
    ):
        agree(lambda lib, s, code=code: key_or_error(code, s=s), s=tall)


def test_truth_values_are_no_outer_labels_among_numbers():
    wide = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([(1, "x"), (2, "y")]))
    for code in (
        "df[True]",
        "df.get(True)",
        "df[(True, 'x')]",
        "df.drop(columns=True)",
        "df.xs(True, axis=1)",
    ):
        agree(lambda lib, df, code=code: key_or_error(code, df=df), df=wide, column_labels=object)


@pytest.mark.parametrize(
    "index", [None, [2, 0, 1], list("xyz"), pd.RangeIndex(6, 0, -2), pd.RangeIndex(1, 4)]
)
@pytest.mark.parametrize("values", [[3, -1, 2], [0.5, 1.5, np.nan], [True, False, True], ["p", "q", "r"]])
def test_elements_of_a_series_under_labels(index, values):
    s = pd.Series(values, index=index)
    for label in [0, 1, 2, 3, 4, 6, -1, "x", 1.0, np.int64(1), True]:

        def element(lib, s, label=label):
            try:
                return [s[label]]
            except KeyError:
                return ["KeyError"]

        agree(element, s=s)


@pytest.mark.parametrize(
    "expression",
    [
        "df[1:3]",
        "df[::2]",
        "df['b':'d']",
        "df.i['b']",
        "df.i[['b', 'a']]",
    ],
)
def test_slices_and_labels_in_brackets(expression):
    agree(expression, df=LABELLED)
