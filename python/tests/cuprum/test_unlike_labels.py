"""Labels and columns of unlike kinds where they meet, beside pandas."""

import re

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum as cp

LEVELS = pd.DataFrame(
    {"a": [1, 2, 3, 4, 5], "b": [1.0, 2, 3, 4, 5]},
    index=pd.MultiIndex.from_tuples(
        [("x", 1, "p"), ("x", 1, "q"), ("x", 2, "p"), ("y", 1, "p"), ("y", 2, "q")], names=["k", "n", "t"]
    ),
)
NUMBERS = pd.DataFrame({"a": [3, 1, 2, 1], "b": [1.5, 2.0, 2.5, -0.5]}, index=[10, 5, 7, 1])
WIDE = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("u", "a"), ("u", "b")]))
DATES = pd.DataFrame({"a": [1, 2]}, index=pd.DatetimeIndex(["2013-01-01", "2013-02-01"]))
CATEGORIES = pd.CategoricalIndex(["p", "q", "p", "r"], categories=["r", "q", "p"])


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
def test_levels_that_a_key_names_are_dropped_as_pandas_does(key):
    agree(f"df.loc[{key}]", df=LEVELS)


@pytest.mark.parametrize(
    "key",
    ["'x', :", "'x', :, 'p'", "'x', 1, :", ":, 1", ":, :, 'p'", "'x', 1:2, 'p'", "'x', [1]", "'x', [1], 'p'"]
    + ["['x'], 1", "['x'], :, 'p'", "['x'], [1], 'p'", "['x'], 1, :"],
)
def test_levels_that_a_key_of_a_series_names(key):
    agree(f"s.loc[{key}]", s=LEVELS["a"])
    if "[" not in key and "1:2" not in key:
        agree(f"s[{key}]", s=LEVELS["a"])


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
        "lib.Index(['p', 'q']).isin([('q',)])",
        "lib.Index(['p', 'q']).drop('q')",
        "lib.Series([1, 2], index=['p', 'q']).reindex([('q',)]).to_list()",
        "lib.Series([1, 0]).map({True: 'x', False: 'y'})",
        "lib.Series([True, False]).map({True: 'x', False: 'y'})",
        "(lib.DataFrame({'b': [1], 7: [2]}) + lib.DataFrame({'a': [1], 7: [5]})).columns",
        "lib.Index(['a']).union(lib.Index([0]), sort=True)",
        "lib.Index(['a', 'a']).union(lib.Index([0]))",
        "lib.Index(['a']).symmetric_difference(lib.Index([0]))",
        "lib.Index(['a', 1, None]).is_monotonic_increasing",
    ],
)
def test_labels_of_unlike_kinds(code):
    agree(code)


SIDES = {
    "a": ["a"],
    "b, a": ["b", "a"],
    "0": [0],
    "1, 0": [1, 0],
    "0, a": [0, "a"],
    "a, 0": ["a", 0],
    "time": [pd.Timestamp("2020-01-01")],
}


@pytest.mark.parametrize("left", SIDES)
@pytest.mark.parametrize("right", SIDES)
def test_unions_of_labels_that_do_not_compare_have_one_order_everywhere(left, right):
    """Of sides that ascend the left one goes first, others are sorted, numbers before texts."""

    def series(lib, labels, start):
        return lib.Series(np.arange(start, start + len(labels), dtype="float64"), index=labels)

    def frame(lib, labels, start):
        return lib.DataFrame([list(range(start, start + len(labels)))], columns=labels)

    one, other = SIDES[left], SIDES[right]
    agree(lambda lib: (frame(lib, one, 1) + frame(lib, other, 5)).columns.to_list())
    agree(lambda lib: frame(lib, one, 1).add(frame(lib, other, 5), fill_value=0).columns.to_list())
    agree(lambda lib: frame(lib, one, 1).align(frame(lib, other, 5))[0].columns.to_list())
    agree(lambda lib: (frame(lib, one, 1) + series(lib, other, 5)).columns.to_list())
    agree(lambda lib: (series(lib, one, 1) + series(lib, other, 5)).to_dict())
    agree(lambda lib: series(lib, one, 1).align(series(lib, other, 5))[1].index.to_list())
    agree(lambda lib: series(lib, one, 1).combine_first(series(lib, other, 5)).to_dict())
    agree(lambda lib: (series(lib, one, 1).to_frame("v") + series(lib, other, 5).to_frame("v")).v.to_dict())


def test_categories_are_in_their_order():
    agree("lib.CategoricalIndex(i).difference([1])", i=CATEGORIES)


def test_a_part_of_a_label_is_none():
    agree("df.reindex(('x', 1)).a.to_list()", df=LEVELS)
    agree("lib.Series([1, 2], index=['p', 'q']).loc[['p']]")
    with pytest.raises(KeyError):
        cp.Index(["p", "q"]).drop(("q",))


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
    frames = {"w": cp.DataFrame(WIDE), "n": cp.DataFrame(NUMBERS)}
    with pytest.raises(error, match=re.escape(text)):
        eval(code, {"lib": cp, **frames})


@pytest.mark.parametrize("how", ["left", "right", "inner", "outer"])
def test_joins_keep_the_labels_of_the_side_that_they_keep(how):
    floats = NUMBERS.set_axis([0.5, 1.0, 5.0, 2.0])
    agree(f"a.join(b, how='{how}', rsuffix='_r')", a=NUMBERS, b=floats)
    agree(f"a.join(b, how='{how}', rsuffix='_r')", a=floats, b=NUMBERS)


def test_a_side_without_rows_gives_no_labels():
    agree("a.merge(b[:0], left_index=True, right_on='b', how='left')", a=NUMBERS, b=NUMBERS)


@pytest.mark.parametrize("keys", ["['x', 'y']", "lib.Index(['x', 'y'], name='kn')", "[('a', 1), ('b', 1)]"])
@pytest.mark.parametrize("axis", [0, 1])
def test_names_below_keys(keys, axis):
    agree(f"lib.concat([a.rename_axis('i'), a], axis={axis}, keys={keys})", a=NUMBERS)
    agree(f"lib.concat([a.rename_axis('c', axis=1), a], axis={axis}, keys={keys})", a=NUMBERS)
    agree(f"lib.concat([a.rename_axis('i'), a[1:]], axis=0, keys={keys})", a=NUMBERS)


def test_too_few_names():
    ours = cp.DataFrame(NUMBERS)
    with pytest.raises(ValueError, match="Length of names must match"):
        cp.concat([ours, ours], keys=[("a", 1), ("b", 1)], names=["p"])


def test_unordered_categories_meet_in_whatever_order():
    one = pd.Series(["a", "b"], dtype=pd.CategoricalDtype(["a", "b"]))
    other = pd.Series(["b", "a"], dtype=pd.CategoricalDtype(["b", "a"]))
    agree("lib.concat([a, b], ignore_index=True)", a=one, b=other)
    ordered = [s.cat.as_ordered() for s in (one, other)]
    agree("lib.concat([a, b], ignore_index=True).to_list()", a=ordered[0], b=ordered[1])


@pytest.mark.parametrize(
    "code",
    [
        "df.rename(index=str)",
        "df.rename(index=lambda t: t.year)",
        "df.index.map(str)",
        "df.index.map(lambda t: t.month)",
        "df.groupby(lambda t: t.month).sum()",
        "df.index.map({pd.Timestamp('2013-01-01'): 'x'})",
        "lib.Index(['b', 'a']).map({1: 'x'})",
        "lib.Index(['b', 'a']).map({'a': 1})",
    ],
)
def test_functions_of_times_are_given_times(code):
    agree(code, df=DATES)


def test_functions_of_lengths_of_time():
    agree("lib.Index(i).map(lambda d: d.days)", i=pd.TimedeltaIndex([pd.Timedelta(days=2)]))


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("[1, 2] in i", TypeError, "unhashable type: 'list'"),
        ("slice(0, 2) in i", TypeError, "slice(0, 2, None) is no label"),
        ("i.get_loc([1, 2])", TypeError, "unhashable type: 'list'"),
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
def test_what_is_no_label_and_no_key(code, error, text):
    names = {"df": cp.DataFrame(NUMBERS), "i": cp.DataFrame(NUMBERS).index, "lib": cp}
    with pytest.raises(error, match=re.escape(text)):
        eval(code, names)


def test_slices_of_large_ranges_are_exact():
    agree("lib.Series([1, 2, 3], index=lib.RangeIndex(2**60, 2**60 + 3)).loc[2**60 + 1 :]")
    agree("lib.Series([1, 2, 3], index=lib.RangeIndex(0, 30, 10)).loc[5:20]")
    agree("lib.Series([1, 2, 3], index=lib.RangeIndex(0, 30, 10)).loc[-5:9.5]")
    with pytest.raises(OverflowError, match="does not fit int64"):
        cp.RangeIndex(2**62, 2**62 + 3) * 4


@pytest.mark.parametrize(
    "code",
    [
        "lib.DataFrame({'a': [True, False], 'b': [1, 2]}).max()",
        "lib.DataFrame({'a': [1, 2], 'b': ['x', 'y']}).max()",
        "lib.DataFrame({'a': [1, 2], 'b': ['x', 'y']}).min()",
        "lib.DataFrame({'a': [1, 2], 'b': ['x', None]}).agg({'b': 'max', 'a': 'sum'})",
        "lib.DataFrame({'a': [True, False], 'b': [1, 2]}).agg({'a': 'max', 'b': 'sum'})",
        "df.idxmax()",
        "df.idxmin()",
    ],
)
def test_values_of_columns_of_unlike_types_stand_beside_each_other(code):
    ours, theirs = (eval(code, {"lib": lib, "df": lib.DataFrame(LEVELS)}) for lib in (cp, pd))
    assert list(ours.index) == list(theirs.index)
    assert list(ours.items()) == list(theirs.items())
    assert [type(value) is bool or isinstance(value, bool) for value in ours.to_pandas()] == [
        isinstance(value, bool) for value in theirs
    ]


def test_truth_values_and_numbers_are_objects():
    agree("df.T", df=pd.DataFrame({"a": [True, False], "b": [1, 2]}))
    agree("df.agg(['max', 'sum'])", df=pd.DataFrame({"a": [True, False], "b": [1, 2]}))


def test_nothing_to_aggregate():
    ours = cp.DataFrame(NUMBERS)
    assert ours.agg([]).shape == (0, 2)
    assert ours.agg({}).shape == (0, 0)
    assert len(ours.a.agg([])) == 0
    assert ours.agg({"a": [], "b": ["sum"]}).columns.to_list() == ["b"]
    with pytest.raises(ValueError, match="not aligned"):
        ours.dot(ours[[]])


def test_columns_of_one_name_in_dicts():
    frame = cp.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.warns(UserWarning, match="columns are not unique"):
        assert frame.to_dict("records") == [{"a": 2}]
    with pytest.raises(ValueError, match="index must be unique"):
        cp.DataFrame({"a": [1, 2]}, index=[0, 0]).to_dict("index")


@pytest.mark.parametrize("name", ["std", "var", "sem"])
def test_divisors_are_whole(name):
    with pytest.raises(ValueError, match=r"`ddof` is 1\.5; it is a whole number"):
        getattr(cp.Series([1.0, 2, 4]), name)(ddof=1.5)
    agree(f"s.{name}(ddof=0)", s=pd.Series([1.0, 2, 4]))


@pytest.mark.parametrize(
    "code",
    [
        "lib.Series([1, 2.5], dtype='str')",
        "lib.Series([1, 'a', None, True], dtype='str')",
        "lib.DataFrame.from_dict({('a', 1): [1, 2]}, orient='index').index.nlevels",
        "lib.DataFrame({'c': lib.Categorical(['v', 'u'], categories=['u', 'v', 'w']), 'a': [1, 2]})"
        ".groupby(['c', 'a'], observed=False).indices",
    ],
)
def test_construction_and_groups(code):
    if "Categorical(" in code:
        code = code.replace("lib.Categorical(", "pd.Categorical(")
    agree(code)


def test_times_are_no_numbers():
    from datetime import datetime

    for data in [[datetime(2020, 1, 1)], datetime(2020, 1, 1), [datetime(2020, 1, 1), None]]:
        with pytest.raises(TypeError, match="use astype"):
            cp.Series(data, dtype="int64")
    with pytest.raises(TypeError, match="levels have no `dtype`"):
        cp.Index([(1, 2)], dtype="str")


COUNTED = pd.DataFrame(
    {
        "k": pd.Categorical(list("baba"), categories=["c", "b", "a"]),
        "j": pd.Categorical(list("xyxx"), categories=list("zyx")),
        "p": [2, 1, 1, 1],
        "v": [9, 3, 9, 7],
        "m": ["u", None, "u", "t"],
    }
)


@pytest.mark.parametrize("options", ["", "sort=False", "normalize=True", "ascending=True"])
@pytest.mark.parametrize(
    "groups",
    [
        "df.groupby('k', observed=False)['v']",
        "df.groupby('k', observed=False, sort=False)['v']",
        "df.groupby(['p', 'k'], observed=False)['m']",
        "df.groupby(['k', 'j'], observed=False)[['v', 'p']]",
        "df.groupby('k', observed=False)['j']",
        "df[df['k'] != 'c'].groupby(lib.Series(list('xyxy'), dtype='category'), observed=False)['v']",
    ],
)
def test_what_groups_of_categories_do_not_have_is_counted(groups, options):
    agree(f"{groups}.value_counts({options})", df=COUNTED)


def test_groups_of_categories_without_rows_have_no_most_frequent_element():
    told = cp.DataFrame(COUNTED).groupby("k", observed=False)["m"].describe()
    assert told["count"].to_list() == [0, 2, 1]
    assert told["top"].isna().to_list() == told["freq"].isna().to_list() == [True, False, False]
    assert told["top"].to_list()[1:] == ["u", "t"]


def test_counts_of_categories_beside_others_are_refused():
    frame = cp.DataFrame(COUNTED)
    for groups in (
        frame.groupby("k", observed=False)[["j", "v"]],
        frame.groupby("k", observed=False, sort=False)["j"],
        frame.groupby("k", observed=False)["k"],
    ):
        with pytest.raises(NotImplementedError, match="observed=True"):
            groups.value_counts()


KINDS = {
    "f": [1.5, np.nan, -0.5],
    "s": ["x", None, "y"],
    "t": pd.to_datetime(["2013-01-01", None, "2013-02-01"]),
    "c": pd.Categorical(["u", None, "v"]),
    "b": [True, False, True],
    "n": [1, 2, 3],
}
MISSING = pd.DataFrame(KINDS)


@pytest.mark.parametrize("one", KINDS)
@pytest.mark.parametrize("other", KINDS)
def test_missing_elements_of_unlike_kinds(one, other):
    agree(f"df.{one} == df.{other}", df=MISSING)
    agree(f"df.{one}.ne(df.{other})", df=MISSING)
    if {one, other} in ({"t", "s"}, {"t", "c"}):
        # What pandas says of NaT beside missing texts differs between its own types; it is none of them here.
        assert not cp.DataFrame(MISSING)[one].isin(cp.DataFrame(MISSING)[other]).any()
        return
    agree(f"df.{one}.isin(df.{other})", df=MISSING)
    if other != "b":
        agree(f"df.{one}.map(lib.Series([1, 2, 3], index=df.{other}))", df=MISSING)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("values", ["[None]", "[np.nan]", "[1, None]", "['x', None]", "['x', np.nan]"])
def test_missing_values_in_a_list(kind, values):
    agree(f"df.{kind}.isin({values})", df=MISSING)


@pytest.mark.parametrize("kind", ["s", "t", "c"])
def test_nan_is_a_missing_element_of_every_kind(kind):
    agree(f"df.{kind}.fillna(np.nan)", df=MISSING)
    agree(f"df.{kind}.where(df.b, np.nan)", df=MISSING)

    def enlarged(lib, df):
        df.loc[9, kind] = np.nan
        return df[kind]

    agree(enlarged, df=MISSING)


def test_truth_values_fill_no_numbers():
    ours = cp.DataFrame(MISSING)
    for series in (ours.f, cp.Series([1, None, 3])):
        with pytest.raises(
            TypeError, match=r"(bool|float64|int64) and (bool|float64|int64) have no common type"
        ):
            series.fillna(ours.b)
    agree("df.n.clip(np.nan, 2)", df=MISSING)
