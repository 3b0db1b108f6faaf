"""Rules of selection, assignment and construction that are easily missed, each beside pandas."""

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum as cp

FRAME = pd.DataFrame({"a": [3, 1, 2, 1], "b": [1.5, np.nan, 2.5, -0.5]})
TEXTS = FRAME.set_axis(["p", "q", "r", "s"])
REPEATED = FRAME.set_axis(["p", "q", "p", "r"])
FLOATS = FRAME.set_axis([0.5, 1.0, 1.5, 2.0])
TRUTHS = FRAME[:2].set_axis([True, False])
DATES = FRAME.set_axis(pd.date_range("2013-01-01", periods=4))
LEVELS = FRAME.set_axis(pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1), ("z", 3)]))
WIDE = pd.DataFrame(
    [[1, 2, 3], [4, 5, 6]], columns=pd.MultiIndex.from_tuples([("u", "a"), ("u", "b"), ("v", "a")])
)
FIELDS = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")])


def changed(frame, change):
    """Run ``change`` on a copy and return it."""

    def run(lib, df):
        change(df)
        return df

    agree(run, df=frame)


@pytest.mark.parametrize(
    "code",
    [
        "lib.DataFrame(lib.Series([1, 2]), columns=['q'])",
        "lib.DataFrame(lib.Series([1, 2]), columns=['q'], index=[1, 0])",
        "lib.DataFrame(lib.Series([1, 2], name='a'), columns=['a', 'z']).isna()",
        "lib.DataFrame.from_records({'a': [1, 2], 'b': [3, 4]})",
        "lib.DataFrame({'a': {'x': 1}, 'b': 2})",
        "lib.DataFrame([lib.Series([1, 2], index=['a', 'b'], name='r'), lib.Series([3, 4], index=['a', 'b'])])",
        "lib.DataFrame([lib.Series([1, 2], name='r'), lib.Series([3, 4])], index=[5, 6])",
    ],
)
def test_frames_of_series_dicts_and_records(code):
    agree(code)


def test_fields_of_records_are_chosen_by_name():
    for make in ["DataFrame", "DataFrame.from_records"]:
        ours = eval(f"cp.{make}(FIELDS, columns=['b', 'a'])")
        assert ours.to_dict("list") == {"b": [2.5, 4.5], "a": [1, 3]}
        with pytest.raises(ValueError, match="no field of name q"):
            eval(f"cp.{make}(FIELDS, columns=['b', 'q'])")


def test_series_with_a_name_has_no_other_column():
    assert cp.DataFrame(cp.Series([1, 2], name="a"), columns=["z"]).shape == (0, 1)
    with pytest.raises(ValueError, match="Shape of passed values"):
        cp.DataFrame(cp.Series([1, 2]), columns=["y", "z"])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: cp.DataFrame({"a": {"x": 1}, "b": [2]}), ValueError, "Mixing dicts"),
        (lambda: cp.DataFrame([[1, 2]], columns="ab"), TypeError, "'ab' was passed"),
        (lambda: cp.DataFrame.from_records([1, 2]), TypeError, "not iterable"),
        (lambda: cp.DataFrame([cp.Series([1, 2]), [3, 4]]), TypeError, "Series"),
    ],
)
def test_what_is_no_frame(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize("value", [9, [7, 8], "series", "frame", "turned"])
def test_setting_the_columns_below_a_label(value):
    def run(lib, df):
        given = {
            "series": lambda: lib.Series([7, 8]),
            "frame": lambda: lib.DataFrame({"a": [7, 8], "b": [5, 6]}),
            "turned": lambda: lib.DataFrame({"b": [7, 8], "a": [5, 6]}),
        }
        df["u"] = given[value]() if isinstance(value, str) else value
        return df

    agree(run, df=WIDE)


@pytest.mark.parametrize("labels", [["a", "b"], ["x", "y"]])
def test_a_series_gives_one_element_to_each_of_several_columns(labels):
    def run(lib, df):
        df[labels] = lib.Series([7, 8])
        return df

    agree(run, df=FRAME)
    for value, error in [([7, 8, 9], ValueError), ({"a": 1, "b": 2}, KeyError)]:
        for lib in (cp, pd):
            frame = lib.DataFrame(FRAME)
            with pytest.raises(error):
                frame[labels] = lib.Series(value)
    mine = cp.DataFrame(FRAME)
    with pytest.raises(TypeError):
        mine[labels] = {"a": 1, "b": 2}


@pytest.mark.parametrize(
    "code",
    [
        "df.reindex([True, False])",
        "df.a.reindex([True])",
        "df.index.get_indexer([True])",
        "df.reindex_like(truths)",
        "df.index.intersection(truths.index)",
        "truths.reindex([1])",
        "truths.index.get_indexer([1, 0])",
    ],
)
def test_truth_values_find_no_numbers(code):
    agree(code, df=FRAME, truths=TRUTHS)


@pytest.mark.parametrize("labels", [True, [True, False], "x", ["x"], ["x", 9]])
def test_truth_values_drop_no_numbers(labels):
    for frame in (FRAME, cp.DataFrame(FRAME)):
        with pytest.raises(KeyError):
            frame.drop(labels)
        assert frame.drop(["x", 0], errors="ignore").index.to_list() == [1, 2, 3]


def test_truth_values_stay_beside_numbers():
    labels = cp.DataFrame(FRAME).index.append(cp.DataFrame(TRUTHS).index).to_list()
    assert [type(label) for label in labels] == [int] * 4 + [bool] * 2
    labels = cp.concat([cp.DataFrame(FRAME), cp.DataFrame(TRUTHS)]).index.to_list()
    assert [type(label) for label in labels] == [int] * 4 + [bool] * 2


def test_slices_of_integers_in_brackets_are_of_positions():
    for code in ["df.a[1:3]", "df.a[:1]", "df.a[::2]", "df[1:3]", "df[:1]", "df[0.75:1.5]", "df.a[0.75:1.5]"]:
        agree(code, df=FLOATS)
    for frame in (FRAME, cp.DataFrame(FRAME)):
        for target in (frame, frame.a):
            with pytest.raises(TypeError, match="cannot do slice indexing"):
                target[0.5:2.5]


@pytest.mark.parametrize(
    "code", ["df.loc['r':'p':-1]", "df.loc['s'::-2]", "df.a['r':'p':-1]", "df.loc[:, 'b':'a':-1]"]
)
def test_slices_of_labels_go_backward(code):
    agree(code, df=TEXTS)


def test_ends_of_slices_that_repeat():
    for frame in (REPEATED, cp.DataFrame(REPEATED)):
        for bounds in (slice("p", "q"), slice("q", "p")):
            with pytest.raises(KeyError, match="slice bound for non-unique label"):
                frame.loc[bounds]
    agree("df.loc['p':'r']", df=FRAME.set_axis(["p", "p", "q", "r"]))
    agree("df.loc['q':'p']", df=FRAME.set_axis(["q", "p", "p", "a"]))


@pytest.mark.parametrize(
    "code",
    ["levels.index.get_indexer(['x', 'z'])", "dates.index.get_indexer(['2013-01-02', '2013-01-04'])"],
)
def test_positions_of_parts_and_texts(code):
    agree(code, levels=LEVELS, dates=DATES)


def test_texts_select_times_in_reindex():
    agree("df.reindex(['2013-01-02', '2013-01-03'])", df=DATES)
    agree("df.index.isin(['2013-01-01'])", df=DATES)
    agree("df.index.to_series().isin(['2013-01-01'])", df=DATES)


@pytest.mark.parametrize("mask", ["lib.Series([True, False])", "lib.Series([True, False], index=['a', 'b'])"])
def test_iloc_takes_no_labelled_mask_of_columns(mask):
    for lib in (pd, cp):
        frame = lib.DataFrame({"a": [1, 2], "b": [3, 4]})
        with pytest.raises(Exception, match=r"[Uu]nalignable|Location based|labels"):
            _ = frame.iloc[:, eval(mask, {"lib": lib})]


FILTERED = pd.DataFrame({"one": [1, 4], "two": [2, 5]}, index=["mouse", "rabbit"])


@pytest.mark.parametrize(
    "code",
    [
        "df.filter(['two', 'two', 'zz', 'one'])",
        "df.filter(cond=[True, None])",
        "df.filter(cond=np.array([True, None], dtype=object), na=True)",
        "df.filter(cond=lib.Series([True, False], index=['rabbit', 'mouse']))",
        "df.filter(cond=lib.Series([True, False], index=['two', 'one']), axis=1)",
        "df.filter(lambda f: f.columns.str.endswith('e'), axis=1)",
        "df.filter(lib.col('two') > 2)",
        "df['two'].filter(lambda s: s > 2)",
        "df['two'].filter(cond=[False, True])",
    ],
)
def test_filter_takes_masks_and_labels(code):
    agree(code, df=FILTERED)


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
        ("df.filter()", TypeError, "Must pass"),
        ("df.filter(['one'], like='o')", TypeError, "mutually exclusive"),
        ("df.filter(cond=[1, 0])", TypeError, "one-dimensional boolean mask"),
        ("df.filter(cond=(True, False))", TypeError, "one-dimensional boolean mask"),
        ("df.filter(lambda f: f['one'])", TypeError, "callable"),
        ("df.filter(cond=[True])", IndexError, None),
        ("df.filter(pd.col('two') > 2, axis=1)", ValueError, "axis=0"),
        ("df['one'].filter(pd.col('two') > 2)", TypeError, "only supported by DataFrame"),
        ("df.set_axis(['a', 'a'], axis=1).filter(['a'])", ValueError, "duplicate"),
    ],
)
def test_filter_refuses_what_is_no_mask(code, error, message):
    for frame in (FILTERED, cp.DataFrame(FILTERED)):
        with pytest.raises(error, match=message if isinstance(frame, cp.DataFrame) else None):
            eval(code, {"df": frame, "pd": pd})


def test_truth_values_as_labels_are_warned_of():
    with pytest.warns(UserWarning, match="selects labels") as told:
        cp.DataFrame(FILTERED).filter([True, False])
    assert told[0].filename == __file__


@pytest.mark.parametrize("frame", [FILTERED, FILTERED.set_index(["one", "two"]), FILTERED.T.iloc[:0]])
def test_tight_dicts_there_and_back(frame):
    ours = cp.DataFrame(frame)
    again = cp.DataFrame.from_dict(ours.to_dict("tight"), orient="tight")
    assert again.to_dict("tight") == frame.to_dict("tight")
    with pytest.raises(ValueError, match="orient='tight'"):
        cp.DataFrame.from_dict(ours.to_dict("tight"), orient="tight", columns=["x"])


def test_dicts_are_of_the_type_of_a_mapping():
    made = cp.Series([1]).to_dict(into=defaultdict(list))
    assert made == {0: 1} and made["x"] == []
    for into in (list, [], defaultdict):
        with pytest.raises(TypeError):
            cp.DataFrame(FILTERED).to_dict(into=into)


def test_functions_that_return_what_is_no_element():
    ours = cp.DataFrame(FILTERED)
    for code in (
        "df.apply(lambda r: (r.one, r.two), axis=1)",
        "df['one'].map(lambda x: {x})",
        "df.groupby('one')['two'].agg(tuple)",
    ):
        agree(code, df=FILTERED)
    with pytest.raises(TypeError, match="unordered"):
        ours.apply(lambda r: {r.one, r.two}, axis=1, result_type="expand")


def test_labels_of_extremes_of_several_levels_are_refused_with_advice():
    groups = cp.DataFrame(FILTERED).set_index(["one", "two"], drop=False).groupby(level=0)
    for name in ("idxmax", "idxmin"):
        with pytest.raises(NotImplementedError, match=rf"{name} .* reset_index\(\)"):
            getattr(groups, name)()


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
            eval(code, {"df": cp.DataFrame(frame)})
    else:
        agree(code, df=frame)


NUMBERED = {
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


@pytest.mark.parametrize("labels", NUMBERED)
@pytest.mark.parametrize("key", ["True", "np.True_", "False", "1", "1.0", "np.int8(1)"])
def test_truth_values_are_labels_of_their_own_among_numbers(labels, key):
    """But not where labels are of several types; those that are left of them have the type of their own."""
    count = len(NUMBERED[labels])
    wide = pd.DataFrame(np.arange(2 * count).reshape(2, count), columns=NUMBERED[labels])
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
    changed(wide, lambda df: df.__setitem__(eval(key), 7))
    tall = pd.Series(np.arange(count), index=NUMBERED[labels])
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
