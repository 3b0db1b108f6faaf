"""Selecting rows and columns: masks, loc, iloc, at, iat."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import agree, frames, given, ours, run

import cuprum

LABELLED = pd.DataFrame(
    {"i": range(6), "f": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], "s": list("uvwxyz")}, index=list("abcdef")
)
REPEATED = pd.DataFrame({"i": range(5)}, index=["x", "y", "x", "z", "y"])
NUMBERED = pd.DataFrame({"i": range(5), "s": list("abcde")}, index=[10, 20, 30, 40, 50])
NESTED = pd.DataFrame(
    {"k": ["a", "a", "b", "b"], "n": [1, 2, 1, 2], "v": [1.0, 2.0, 3.0, 4.0]},
).set_index(["k", "n"])
TIMED = pd.DataFrame(
    {"v": range(4)}, index=pd.to_datetime(["2013-01-01", "2013-01-02", "2013-02-01", "2014-01-01"])
)


@pytest.mark.parametrize(
    "expression",
    [
        "df[df.i > 2]",
        "df[(df.i > 1) & (df.f < 4) | (df.s == 'u')]",
        "df[~(df.i > 2)]",
        "df[[True, False, True, False, True, False]]",
        "df[np.array([True, False, True, False, True, False])]",
        "df[1:3]",
        "df[::2]",
        "df['b':'d']",
        "df.i[df.i > 2]",
        "df.i['b']",
        "df.i[['b', 'a']]",
        "df.query('i > 2') if hasattr(df, 'query') and lib.__name__ == 'pandas' else df[df.i > 2]",
        "df.loc['b', 'i']",
        "df.loc['b':'d']",
        "df.loc['b':]",
        "df.loc[:'c', 'f']",
        "df.loc[['e', 'a'], ['s', 'i']]",
        "df.loc[df.i > 2, 's']",
        "df.loc[df.i > 2, ['s']]",
        "df.loc[:, 'i':'f']",
        "df.loc[:, ['f']]",
        "df.loc[:, [True, False, True]]",
        "df.loc[lambda d: d.i == 3]",
        "df.loc['zz':]",
        "df.loc[[]]",
        "df.i.loc['c']",
        "df.i.loc['c':'e']",
        "df.i.loc[['c', 'a']]",
        "df.iloc[0, 0]",
        "df.iloc[-1, -1]",
        "df.iloc[1:3]",
        "df.iloc[-2:]",
        "df.iloc[::-1]",
        "df.iloc[5:1:-2]",
        "df.iloc[[3, 0, -1]]",
        "df.iloc[:, 1]",
        "df.iloc[:, [2, 0]]",
        "df.iloc[1:4, 0:2]",
        "df.iloc[[True] * 3 + [False] * 3]",
        "df.iloc[100:]",
        "df.i.iloc[2]",
        "df.i.iloc[-1]",
        "df.i.iloc[1:3]",
        "df.i.iloc[[0, 0]]",
        "df.at['b', 's']",
        "df.iat[1, 1]",
        "df.i.at['b']",
        "df.i.iat[1]",
        "df.take([2, 0])",
    ],
)
def test_labelled(expression):
    agree(expression, df=LABELLED)


@pytest.mark.parametrize("expression", ["df.loc['b']", "df.iloc[0]", "df.iloc[-1]"])
def test_one_row_of_one_type(expression):
    agree(expression, df=LABELLED[["i", "f"]].astype(float))


@pytest.mark.parametrize(
    "expression",
    ["df.loc['x']", "df.loc[['y', 'x']]", "df.loc['z']", "df.loc['x', 'i']", "df.i.loc['x']", "df.drop('x')"],
)
def test_repeated_labels(expression):
    agree(expression, df=REPEATED)


@pytest.mark.parametrize(
    "expression",
    [
        "df.loc[20:40]",
        "df.loc[15:45]",
        "df.loc[[50, 10]]",
        "df.loc[10, 's']",
        "df.iloc[1:2]",
        "df.loc[df.i > 3]",
    ],
)
def test_numbered(expression):
    agree(expression, df=NUMBERED)


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
def test_nested(expression):
    if expression == "df.index.names":
        agree("list(df.index.names)", df=NESTED)
    else:
        agree(expression, df=NESTED)


@pytest.mark.parametrize(
    "expression", ["df.loc['2013-01-02':'2014-01-01']", "df.loc[df.index > '2013-01-15']"]
)
def test_times(expression):
    agree(expression, df=TIMED)


bound = st.one_of(st.none(), st.integers(-15, 15))


@given(
    frames(i="int?", f="float?", s="str?", t="time?", b="bool?"),
    bound,
    bound,
    st.sampled_from([None, 1, 2, -1, -3]),
)
def test_iloc_slices(f, start, stop, step):
    shown = ":".join("" if x is None else str(x) for x in (start, stop, step))
    agree(f"df.iloc[{shown}]", df=f, kept=["b", "i"], signs=True)
    agree(f"df['s'].iloc[{shown}]", df=f)


@given(frames(i="int?", f="float?", s="str?", min_rows=1), st.data())
def test_iloc_lists_and_loc_lists(f, data):
    rows = len(f.theirs)
    at = data.draw(st.lists(st.integers(-rows, rows - 1), max_size=20))
    agree(f"df.iloc[{at}]", df=f, kept="i", signs=True)
    labels = [i % rows for i in at]
    agree(f"df.loc[{labels}]", df=f, kept="i")
    if labels:
        agree(f"df.loc[{min(labels)}:{max(labels)}, ['s', 'i']]", df=f, kept="i")


@given(frames(i="int?", f="float?", s="str?", t="time?"))
def test_filter(f):
    for mask in (
        "df.i > 0",
        "df.f <= 1.5",
        "df.s == 'a'",
        "df.s != 'a'",
        "df.t >= '2000-02-29'",
        "df.f.isna()",
    ):
        agree(f"df[{mask}]", df=f, kept="i", signs=True)
        agree(f"df[~({mask})]", df=f, kept="i")
    agree("df[(df.i > 0) & (df.f < 1) | df.s.isna()]", df=f, kept="i")
    agree("df[df.i.isin([1, 2]) ^ df.f.notna()]", df=f, kept="i")
    agree("df[df.s.isin(['a', 'é', '日本'])]", df=f, kept="i")


@given(frames(k="int", v="float?"), st.integers(-4, 4), st.integers(-4, 4))
def test_loc_slices_of_sorted_labels(f, low, high):
    agree(f"df.set_index('k').sort_index(kind='stable').loc[{low}:{high}]", df=f)


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("df['nope']", KeyError),
        ("df[['i', 'nope']]", KeyError),
        ("df.loc['nope']", KeyError),
        ("df.loc[['a', 'nope']]", KeyError),
        ("df.loc['a', 'nope']", KeyError),
        ("df.iloc[6]", IndexError),
        ("df.iloc[-7]", IndexError),
        ("df.iloc[[0, 6]]", IndexError),
        ("df.iloc[0, 3]", IndexError),
        ("df[[True, False]]", (ValueError, IndexError)),
        ("df.drop(columns='nope')", KeyError),
        ("df.drop('nope')", KeyError),
        ("df.nope", AttributeError),
        ("df.set_index('nope')", KeyError),
        ("df.iloc['a']", (TypeError, ValueError, IndexError)),
    ],
)
def test_errors(expression, error):
    from oracle import ours, run

    with pytest.raises(error):
        run(expression, pd, {"df": LABELLED})
    with pytest.raises(error):
        run(expression, __import__("cuprum"), {"df": ours(LABELLED)})


# What is assigned: matched by label with loc, in order with iloc.

SQUARE = pd.DataFrame({"x": [1, 2, 3], "y": [4, 5, 6]})
TEXTS = pd.DataFrame({"x": ["a", "b", "c"], "y": ["d", "e", None]})
UNLIKE = pd.DataFrame({"x": [1, 2, 3], "s": ["a", "b", "c"], "f": [0.5, None, 2.5]})


def changed(statement):
    """A function of ``lib`` and frames that runs a statement and gives the frame ``df`` back."""

    def change(lib, **frames):
        names = {"lib": lib, "np": np, **frames}
        exec(statement, names)
        return names["df"]

    return change


@pytest.mark.parametrize("row", ["loc[1]", "loc[1, ['y', 'x']]", "loc[1, :]", "iloc[1]"])
@pytest.mark.parametrize("value", ["{'x': 7, 'y': 8}", "{'y': 8, 'x': 7}", "[7, 8]", "np.array([7, 8])", "9"])
def test_a_row_is_set(row, value):
    agree(changed(f"df.{row} = {value}"), df=SQUARE)


@pytest.mark.parametrize("row", ["loc[1]", "iloc[1]", "loc[1, ['y', 'x']]", "loc[1, lambda d: ['x', 'y']]"])
@pytest.mark.parametrize(
    "value", ["{'x': 'u', 'y': 'v'}", "{'y': 'v', 'x': 'u'}", "{'y': 'v'}", "{'y': 'v', 'z': 'w'}", "{}"]
)
def test_a_row_of_texts_is_set_to_the_values_of_a_dict_not_its_keys(row, value):
    agree(changed(f"df.{row} = {value}"), df=TEXTS)


@pytest.mark.parametrize(
    "statement",
    [
        "df.loc[1] = {'x': 5, 's': 'q', 'f': None}",
        "df.iloc[1] = {'x': 5, 's': 'q', 'f': 1.5}",
        "df.iloc[1] = df.iloc[0]",
        "df.loc[1] = df.loc[2]",
        "df.iloc[[0, 1]] = df.iloc[[1, 2]]",
        "df.iloc[0:2] = df.iloc[1:3]",
        "df.loc[[0, 1]] = df.loc[[1, 0]]",
        "df.iloc[[0, 2], [0, 2]] = [[7, 8.5], [9, 10.5]]",
    ],
)
def test_rows_of_unlike_types_are_set(statement):
    agree(changed(statement), df=UNLIKE)


@pytest.mark.parametrize("index", ["[1, 0]", "[7, 8]", "['x', 'y']"])
@pytest.mark.parametrize(
    "where", ["iloc[0:2]", "iloc[[0, 1]]", "iloc[[0, 2], 0]", "iloc[0]", "iloc[0, [1, 0]]"]
)
def test_positions_do_not_ask_for_the_labels_of_a_series(where, index):
    agree(changed(f"df.{where} = lib.Series([10, 20], index={index})"), df=SQUARE)


@pytest.mark.parametrize("where", ["loc[0:1, 'x']", "loc[[0, 1], ['x', 'y']]", "loc[df.x < 3, :]"])
@pytest.mark.parametrize("index", ["[1, 0]", "[0, 1]", "[1, 0, 5]"])
def test_rows_by_label_are_matched_with_a_series(where, index):
    value = f"lib.Series(range(10, 10 + len({index})), index={index})"
    agree(changed(f"df.{where} = {value}"), df=SQUARE)


@pytest.mark.parametrize("index", ["[0, 1]", "[1, 0]", "[7, 8]"])
@pytest.mark.parametrize(
    "where", ["iloc[0:2]", "iloc[[0, 2]]", "iloc[0:2, [1, 0]]", "iloc[[True, False, True]]"]
)
def test_positions_do_not_ask_for_the_labels_of_a_frame(where, index):
    value = f"lib.DataFrame({{'y': [10, 20], 'q': [30, 40]}}, index={index})"
    agree(changed(f"df.{where} = {value}"), df=SQUARE)


@pytest.mark.parametrize(
    "where", ["loc[0:1]", "loc[[0, 1]]", "loc[df.x < 3]", "loc[0:1, :]", "loc[[0, 1], ['x', 'y']]"]
)
@pytest.mark.parametrize("index", ["[0, 1]", "[1, 0]"])
def test_rows_by_label_are_matched_with_a_frame(where, index):
    value = f"lib.DataFrame({{'y': [10, 20], 'x': [30, 40]}}, index={index})"
    agree(changed(f"df.{where} = {value}"), df=SQUARE)


@pytest.mark.parametrize(
    "statement",
    [
        "df.iloc[[0, 1]] = lib.Series([10, 20], index=[1, 0])",
        "df.iloc[0:2] = lib.Series([10, 20], index=[7, 8])",
        "df.loc[[0, 1]] = lib.Series([10, 20], index=[1, 0])",
        "df.loc[[0, 1]] = {0: 10, 1: 20}",
        "df.loc[df > 1] = lib.Series([10, 20, 30], index=[2, 1, 0])",
        "df.iloc[0] = lib.Series([10])",
    ],
)
def test_elements_of_a_series_are_set(statement):
    agree(changed(statement), df=pd.Series([1, 2, 3]))


@pytest.mark.parametrize(
    "statement",
    [
        "df.iloc[0:2] = lib.Series([10, 20, 30])",
        "df.iloc[0:2, 0] = lib.Series([10, 20, 30])",
        "df.iloc[[0, 2]] = lib.DataFrame({'x': [1, 2, 3], 'y': [1, 2, 3]})",
    ],
)
def test_what_does_not_fit_the_positions_is_refused(statement):
    for lib, df in ((pd, SQUARE.copy()), (cuprum, ours(SQUARE))):
        with pytest.raises(ValueError):
            changed(statement)(lib, df=df)


@pytest.mark.parametrize("where", ["loc[0:1]", "loc[[1]]", "loc[df.x < 3]", "iloc[0:2]"])
def test_several_rows_of_no_columns_are_not_set_to_a_dict(where):
    with pytest.raises(ValueError, match="name them"):
        changed(f"df.{where} = {{'x': 7, 'y': 8}}")(cuprum, df=ours(SQUARE))


@pytest.mark.parametrize("index", ["[0, 1]", "[1, 0]", "['y', 'x']"])
def test_rows_of_a_mask_are_set_to_a_series_in_order(index):
    agree(changed(f"df[df.x < 3] = lib.Series([10, 20], index={index})"), df=SQUARE)


@pytest.mark.parametrize(
    "expression",
    [
        "df.iloc[:, lambda d: [0]]",
        "df.iloc[lambda d: [0, 2], lambda d: 1]",
        "df.take([True, False, True])",
        "df.take(np.array([True, False]))",
        "df.take([True, False], axis=1)",
        "df.x.take([True, False])",
        "df.index.take([True, False])",
    ],
)
def test_callables_and_truth_values_as_positions(expression):
    agree(expression, df=SQUARE)


# Partial dates.

SPREAD = pd.Series(
    range(6),
    index=pd.to_datetime(
        [
            "2012-12-31 23:00",
            "2013-01-01",
            "2013-01-01 12:00",
            "2013-01-01 12:30:15",
            "2013-01-15",
            "2013-02-01",
        ],
        format="ISO8601",
    ),
)
WHOLE_DAYS = SPREAD.iloc[[1, 4, 5]]
DATES = [
    "2012",
    "2013",
    "2013-01",
    "2013/01",
    "2013-01-01",
    "20130101",
    "2013-01-01 12",
    "2013-01-01T12:00",
    "2013-01-01 12:30",
    "2013-01-01 12:30:15",
    "2013-01-01 12:30:15.000",
    "2013-01-15",
    "2013-02-01",
]


@pytest.mark.parametrize("date", DATES)
@pytest.mark.parametrize("order", ["sorted", "reversed", "mixed"])
def test_a_partial_date_selects_its_unit(date, order):
    for s in (SPREAD, WHOLE_DAYS):
        s = {"sorted": s, "reversed": s.iloc[::-1], "mixed": s.iloc[[2, 0, 1, *range(3, len(s))]]}[order]
        if not len(run("s[d:d]", pd, {"s": s.sort_index(), "d": date})):
            continue
        agree(f"s[{date!r}]", s=s)
        agree(f"s.loc[{date!r}]", s=s)
        agree(lambda lib, df: df.loc[date].values.tolist(), df=s.to_frame("v"))  # rows have no name yet
        agree(f"df.loc[{date!r}, 'v']", df=s.to_frame("v"))
        agree(changed(f"df.loc[{date!r}] = -1"), df=s.to_frame("v"))
        agree(f"{date!r} in s", s=s)


@pytest.mark.parametrize("start", [None, *DATES[::2]])
@pytest.mark.parametrize("stop", [None, *DATES[1::2]])
def test_slices_end_with_the_whole_unit(start, stop):
    for s in (SPREAD, WHOLE_DAYS):
        agree(f"s[{start!r}:{stop!r}]", s=s)
        agree(f"df.loc[{start!r}:{stop!r}, 'v']", df=s.to_frame("v"))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_partial_dates_in_every_unit(unit):
    s = pd.Series(range(6), index=SPREAD.index.as_unit(unit))
    for key in [
        "'2013'",
        "'2013-01-01'",
        "'2013-01-01 12:30'",
        ":'2013-01-01 12:30:15.5'",
        "'2013-01-01 12:30:15':",
    ]:
        agree(f"s[{key}]", s=s)


@pytest.mark.parametrize("key", ["2014", "2011-05", "2013-01-02 12", "2013-01-01 12:30:15.5"])
def test_a_date_that_is_not_there(key):
    for s in (SPREAD, ours(SPREAD)):
        with pytest.raises(KeyError):
            s.iloc[[0, 3]].loc[key]


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1]])
def test_partial_dates_among_several_levels(order):
    index = pd.MultiIndex.from_arrays([SPREAD.index[[1, 2, 5]], ["a", "b", "c"]]).take(order)
    df = pd.DataFrame({"v": range(3)}, index=index)
    for key in ["'2013-01'", "'2013-01-01'", "'2013'"]:
        agree(f"df.loc[{key}]", df=df)
        agree(f"df.loc[('b', {key})]", df=df.swaplevel())
    with pytest.raises(NotImplementedError, match='part of a date: "2013-01"'):
        ours(df.sort_index()).loc["2013-01":]


def test_a_text_names_no_place_in_an_index_that_is_not_sorted():
    s = ours(SPREAD.iloc[[2, 0, 1]])
    with pytest.raises(KeyError, match="not sorted"):
        s["2013-01":]


# Keys of several levels, columns by label, labels that are not there.

CROSSED = pd.DataFrame(
    {"v": range(8), "w": list("abcdefgh")},
    index=pd.MultiIndex.from_product([["a", "b"], [1, 2], ["x", "y"]], names=["k", "n", None]),
)


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


def test_levels_in_another_order_than_theirs_are_not_set():
    agree("df.loc[(['b', 'a'], [2]), :]", df=CROSSED)
    mine = ours(CROSSED)
    with pytest.raises(NotImplementedError, match="order"):
        mine.loc[(["b", "a"], [2]), :] = 0
    for df in (CROSSED, ours(CROSSED)):
        with pytest.raises(KeyError):
            df.loc[("q", slice(None)), :]


def test_a_row_label_is_meant_before_a_row_and_a_column():
    df = pd.DataFrame({"x": [1, 2], "y": [3, 4]}, index=pd.MultiIndex.from_tuples([("a", "x"), ("b", "q")]))
    agree(lambda lib, df: df.loc["a", "x"].to_list(), df=df)
    agree("df.loc['b', 'x']", df=df)


@pytest.mark.parametrize("order", [["i", "f", "s"], ["s", "f", "i"]])
def test_a_mask_of_columns_is_matched_by_label(order):
    mask = pd.Series({"i": True, "f": False, "s": True})[order]
    agree("df.loc[:, m]", df=LABELLED, m=mask)
    agree(changed("df.loc['b', m] = 7"), df=LABELLED.drop(columns="s"), m=mask[mask.index != "s"])
    with pytest.raises(IndexError, match="Unalignable"):
        ours(LABELLED).loc[:, ours(mask[mask.index != "s"])]


def test_columns_of_one_label_are_all_selected():
    df = pd.DataFrame([[1, 2, 3], [4, 5, 6]], columns=["a", "b", "a"])
    agree("df.loc[:, 'a']", df=df)
    agree("df.loc[:, ['a', 'b']]", df=df)


@pytest.mark.parametrize("key", ["['a', 3]", "[1, 2]", "3", "[('a', 1)]"])
def test_labels_of_other_types_are_not_there(key):
    for s in (LABELLED.i, ours(LABELLED.i)):
        with pytest.raises(KeyError):
            run(f"s.loc[{key}]", cuprum if s is not LABELLED.i else pd, {"s": s})


def test_every_label_that_is_not_there_is_named():
    with pytest.raises(KeyError, match="nope, 7"):
        ours(LABELLED).loc[["a", "nope", 7]]


# Rows that are not there yet.


@pytest.mark.parametrize(
    "statement",
    [
        "df.loc[3] = 9",
        "df.loc[3] = [7, 8]",
        "df.loc[3] = {'y': 8, 'x': 7}",
        "df.loc[3] = lib.Series({'y': 8, 'x': 7})",
        "df.loc[3, 'x'] = 9",
        "df.loc[3, ['y', 'x']] = [8, 7]",
        "df.loc[10] = 9",
        "df.loc['new'] = 9",
        "df.at[3, 'y'] = 9",
        "df.loc[3, 'z'] = 0.5",
        "df.loc[3, :] = 9",
    ],
)
def test_a_row_is_added(statement):
    agree(changed(statement), df=SQUARE)


@pytest.mark.parametrize("statement", ["df.loc[3] = 9", "df[7] = 9", "df.loc['new'] = 9", "df.at[3] = 4"])
def test_an_element_is_added(statement):
    agree(changed(statement), df=pd.Series([1, 2, 3], name="s"))


def test_rows_are_added_to_an_empty_frame():
    def grow(lib):
        df = lib.DataFrame(columns=["a", "b"])
        for i in range(3):
            df.loc[i] = [i, f"row {i}"]
        return [list(row) for row in df.itertuples()], list(df.columns)

    assert grow(cuprum) == grow(pd)


def test_a_row_of_several_levels_is_added():
    agree(changed("df.loc[('c', 1, 'x'), 'v'] = 9"), df=CROSSED)
    agree(changed("df.loc[('c', 1, 'x'), :] = [9, 'z']"), df=CROSSED)
    with pytest.raises(KeyError):
        changed("df.loc['c'] = 9")(cuprum, df=ours(CROSSED))


def test_a_row_that_is_added_leaves_copies_as_they_are():
    df = cuprum.DataFrame({"a": [1, 2]})
    shallow = df.copy(deep=False)
    df.loc[2] = 3
    df.loc[0] = 10
    assert (df.a.to_list(), shallow.a.to_list()) == ([10, 2, 3], [1, 2])


def test_positions_and_lists_are_not_added():
    for statement in ["df.iloc[3] = 1", "df.loc[[0, 3]] = 1", "df.loc[[3], 'x'] = 1"]:
        for lib, df in ((pd, SQUARE.copy()), (cuprum, ours(SQUARE))):
            with pytest.raises((KeyError, IndexError)):
                changed(statement)(lib, df=df)


def test_columns_of_an_outer_label_are_set():
    df = pd.DataFrame([[1, 2, 3]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "x")]))
    agree(changed("df.loc[:, 'a'] = 9"), df=df)
    agree(changed("df.loc[0, ('a', 'y')] = 9"), df=df)


def test_a_row_prints_times_as_pandas():
    frame = pd.DataFrame(
        {
            "d": pd.to_timedelta(["1D", None]),
            "t": pd.to_datetime(["2020-01-01", "2020-01-02 03:04:05.5"], format="ISO8601"),
            "z": pd.to_datetime(["2020-01-01", None]),
            "c": ["x", "y"],
        }
    )
    for row in range(2):
        assert repr(cuprum.DataFrame(frame).iloc[row]) == repr(frame.iloc[row])


TWICE = pd.DataFrame([[1, 2, 3], [4, 5, 6]], columns=["a", "b", "a"])


@pytest.mark.parametrize(
    "code", ["df['a']", "df.a", "df[['a']]", "df[['a', 'b']]", "df.get('a')", "df.assign(a=1)", "df['b']"]
)
def test_columns_of_one_name_are_a_frame(code):
    agree(code, df=TWICE)


@pytest.mark.parametrize(
    "value",
    [9, [7, 8], 1.5, "t", np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]], np.array([7, 8])],
    ids=repr,
)
@pytest.mark.parametrize("key", ["a", ["a"], "b"], ids=str)
def test_columns_of_one_name_are_set(key, value):
    if key == "b" and np.ndim(value) == 2:
        pytest.skip("two columns for one")

    def put(lib, df):
        df[key] = value
        return df

    agree(put, df=TWICE)


def test_columns_of_one_name_are_set_to_a_frame():
    def put(lib, df):
        df["a"] = lib.DataFrame([[7, 8], [9, 10]], columns=["x", "y"])
        df["a"] += 1
        df.a = df.a * 2
        return df

    agree(put, df=TWICE)

    def both(lib, df):
        df[["b", "a"]] = np.arange(6).reshape(2, 3)
        df["n"] = [1, 2]
        return df

    agree(both, df=TWICE)
    for df in (TWICE.copy(), ours(TWICE)):
        with pytest.raises(ValueError, match="Columns must be same length as key"):
            df["a"] = type(df)({"q": [1, 2]})
        with pytest.raises(ValueError):
            df["a"] = [1, 2, 3]


def test_columns_of_one_name_are_taken_out():
    def pop(lib, df):
        popped = df.pop("a")
        return [popped, df]

    agree(pop, df=TWICE)

    def delete(lib, df):
        del df["a"]
        return df

    agree(delete, df=TWICE)


@pytest.mark.parametrize(
    "code",
    [
        "df.iloc[df.a > 1]",
        "df.iloc[(df.a > 1)[::-1]]",
        "df.iloc[df.a > 1, 0]",
        "df.a.iloc[df.a > 1]",
        "df.a.iloc[lib.Series([True, False, True, False], index=[0, 2, 1, 3])]",
    ],
)
def test_a_series_of_flags_is_a_mask_of_positions_too(code):
    agree(code, df=pd.DataFrame({"a": [3, 1, 2, 1], "b": [1.5, np.nan, 2.5, -0.5]}))


def test_a_series_of_flags_for_other_rows_is_no_mask():
    df = cuprum.DataFrame({"a": [3, 1]})
    with pytest.raises((ValueError, IndexError)):
        df.iloc[cuprum.Series([True, False], index=[9, 8])]


@pytest.mark.parametrize("key", ["s", "t", "c"])
@pytest.mark.parametrize("rows", ["0", "[0, 1]", "df.index > 0"])
def test_nan_is_missing_in_every_column(key, rows):
    df = pd.DataFrame(
        {
            "s": ["a", "b", "c"],
            "t": pd.to_datetime(["2013-01-01", "2013-01-02", "2013-01-03"]),
            "c": pd.Categorical(list("xyx")),
        }
    )

    def put(lib, df):
        df.loc[eval(rows, {"df": df}), key] = np.nan
        return df[key].isna()

    agree(put, df=df)

    def listed(lib, df):
        df.loc[[0, 1], key] = [np.nan, np.nan]
        return df[key].isna()

    if key != "t":  # which pandas refuses
        agree(listed, df=df)
    text = cuprum.Series(["a", "b"])
    text.iloc[0] = np.nan
    assert text.to_list() == [np.nan, "b"] or text.isna().to_list() == [True, False]


def test_a_frame_of_no_rows_and_some_labels_has_missing_elements():
    agree("lib.DataFrame([], columns=['a'], index=[5, 6], dtype='float64')")
    assert cuprum.DataFrame([], columns=["a"], index=[5, 6]).isna().to_dict() == {"a": {5: True, 6: True}}


NUMBERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]


@pytest.mark.parametrize("left", NUMBERS)
@pytest.mark.parametrize("right", NUMBERS)
def test_a_row_of_numbers_has_the_type_that_holds_them(left, right):
    theirs = pd.DataFrame(
        {"a": np.array([1, 2], dtype=left), "b": np.array([3, 4], dtype=right)}, index=list("xy")
    )
    df = cuprum.DataFrame(theirs)
    for row, wanted in [
        (df.iloc[1], theirs.iloc[1]),
        (df.loc["x"], theirs.loc["x"]),
        (next(df.iterrows())[1], next(theirs.iterrows())[1]),
    ]:
        assert str(row.dtype) == str(wanted.dtype)
        assert (row.name, row.tolist()) == (wanted.name, wanted.tolist())


def test_a_row_of_integers_is_exact():
    df = cuprum.DataFrame({"a": [2**53 + 1], "b": np.array([1], dtype="int32")})
    assert df.iloc[0].tolist() == [2**53 + 1, 1]


@pytest.mark.parametrize(
    "columns",
    [
        {"a": [True, False], "b": [False, True]},
        {"a": ["x", None], "b": ["y", "z"]},
        {"a": pd.to_datetime(["2020", "2021"]), "b": pd.to_datetime(["2022", None])},
        {"a": pd.to_timedelta([1, 2]), "b": pd.to_timedelta([3, None])},
        {"a": [1, 2], "b": ["x", "y"]},
        {"a": [1, 2], "b": [True, False]},
        {"a": [1.5, None], "b": ["x", None]},
        {"a": pd.to_datetime(["2020", "2021"]).tz_localize("UTC"), "b": [1, 2]},
        {"a": pd.Categorical(["u", "v"]), "b": [1, 2]},
    ],
)
def test_a_row_has_the_elements_of_its_columns(columns):
    theirs = pd.DataFrame(columns, index=["r", "s"])
    df = cuprum.DataFrame(theirs)
    for i in (0, 1, -1):
        row, wanted = df.iloc[i], theirs.iloc[i]
        assert (row.name, str(row.dtype)) == (wanted.name, str(wanted.dtype))
        for element, expected in zip(row, wanted, strict=True):
            assert type(element) is type(expected)
            assert element == expected or (pd.isna(element) and pd.isna(expected))


@pytest.mark.parametrize("dtype", [*NUMBERS, "bool"])
def test_elements_are_numpys_scalars(dtype):
    theirs = pd.Series(np.array([0, 1, 1], dtype=dtype))
    s = cuprum.Series(theirs)
    for element, wanted in [
        (s[1], theirs[1]),
        (s.iloc[-1], theirs.iloc[-1]),
        (s.max(), theirs.max()),
        (s.sum(), theirs.sum()),
    ]:
        assert type(element) is type(wanted)
        assert element == wanted
    assert [*map(type, s.tolist())] == [*map(type, theirs.tolist())]
    assert s.tolist() == theirs.tolist()
