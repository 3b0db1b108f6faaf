"""Selecting rows and columns by label: `loc`."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import SMALL, agree, frames, given, ours, run
from small_frames import FLOATS, FOUR_ROWS, LABELLED, TWO_FRAMES, TWO_NUMBERS

import cuprum

REPEATED = pd.DataFrame({"i": range(5)}, index=["x", "y", "x", "z", "y"])
NUMBERED = pd.DataFrame({"i": range(5), "s": list("abcde")}, index=[10, 20, 30, 40, 50])
TIMED = pd.DataFrame(
    {"v": range(4)}, index=pd.to_datetime(["2013-01-01", "2013-01-02", "2013-02-01", "2014-01-01"])
)


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
    "expression", ["df.loc['2013-01-02':'2014-01-01']", "df.loc[df.index > '2013-01-15']"]
)
def test_times_of_loc(expression):
    agree(expression, df=TIMED)


@given(frames(i="int?", f="float?", s="str?", min_rows=1), st.data())
def test_iloc_lists_and_loc_lists(f, data):
    rows = len(f.theirs)
    at = data.draw(st.lists(st.integers(-rows, rows - 1), max_size=20))
    agree(f"df.iloc[{at}]", df=f, kept="i", signs=True)
    labels = [i % rows for i in at]
    agree(f"df.loc[{labels}]", df=f, kept="i")
    if labels:
        agree(f"df.loc[{min(labels)}:{max(labels)}, ['s', 'i']]", df=f, kept="i")


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
def test_errors_of_loc(expression, error):
    from oracle import ours, run

    with pytest.raises(error):
        run(expression, pd, {"df": LABELLED})
    with pytest.raises(error):
        run(expression, __import__("cuprum"), {"df": ours(LABELLED)})


@pytest.mark.parametrize("key", ["['a', 3]", "[1, 2]", "3", "[('a', 1)]"])
def test_labels_of_other_types_are_not_there(key):
    for s in (LABELLED.i, ours(LABELLED.i)):
        with pytest.raises(KeyError):
            run(f"s.loc[{key}]", cuprum if s is not LABELLED.i else pd, {"s": s})


def test_every_label_that_is_not_there_is_named():
    with pytest.raises(KeyError, match="nope, 7"):
        ours(LABELLED).loc[["a", "nope", 7]]


def test_a_frame_of_no_rows_and_some_labels_has_missing_elements():
    agree("lib.DataFrame([], columns=['a'], index=[5, 6], dtype='float64')")
    assert cuprum.DataFrame([], columns=["a"], index=[5, 6]).isna().to_dict() == {"a": {5: True, 6: True}}


def test_loc_takes_an_ellipsis():
    agree("df.loc[..., 'a']", **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        (
            "df.set_index(lib.to_datetime(['2020', '2021'])).loc[['x', 'y']]",
            KeyError,
            "['x', 'y'] are not all times that are in the index",
        ),
        (
            "df['a'].set_axis(lib.to_datetime(['2020', '2021'])).loc[['x', 'y']]",
            KeyError,
            "['x', 'y'] are not all times that are in the index",
        ),
    ],
)
def test_texts_that_are_no_times_are_not_found(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


def test_asof_names_the_row_by_what_is_asked():
    agree("df.set_axis(lib.date_range('2020-01-01', periods=4)).asof('2020-01-02').name", df=FLOATS)


@pytest.mark.parametrize(
    "code",
    [
        "df.loc(axis=0)[1]",
        "df.loc(axis='columns')[['v']]",
        "df.iloc(axis=1)[0]",
        "df.iloc(axis=0)[[0, 2]]",
        "df.set_index(['id', 'v']).assign(w=1).loc(axis=0)[2, :]",
        "df.v.loc(axis=0)[1]",
    ],
)
def test_keys_of_one_axis(code):
    agree(code, df=TWO_FRAMES["a"])


def test_keys_of_one_axis_are_set():
    def changed(lib, df):
        df.loc(axis=1)["v"] = 7.5
        df.iloc(axis=0)[0] = 1
        return df

    agree(changed, df=TWO_FRAMES["a"])


def test_slices_of_ranges_are_exact():
    agree("lib.Series([1, 2, 3], index=lib.RangeIndex(2**60, 2**60 + 3)).loc[2**60 + 1 :]")
    agree("lib.Series([1, 2, 3], index=lib.RangeIndex(0, 30, 10)).loc[5:20]")
    agree("lib.Series([1, 2, 3], index=lib.RangeIndex(0, 30, 10)).loc[-5:9.5]")
    with pytest.raises(OverflowError, match="does not fit int64"):
        cuprum.RangeIndex(2**62, 2**62 + 3) * 4


@pytest.mark.parametrize(
    "key",
    [
        "'y', ('a', 'f')",
        "('x', 'y'), 'f'",
        "('x', 'z'), ('f', 'a')",
        "('y', 'a')",
        "('x', 'y'), :",
        ":, ('f', 'a')",
    ],
)
def test_a_tuple_is_a_list_of_labels_of_one_level(key):
    def change(lib, df):
        df.loc[key_of] = 5
        return df

    key_of = eval(f"np.s_[{key}]", {"np": np})
    agree(change, df=TWO_NUMBERS)
    if key != "('x', 'y'), 'f'":  # there pandas fails itself
        agree(f"df.loc[{key}]", df=TWO_NUMBERS)


TEXT_LABELS = FOUR_ROWS.set_axis(["p", "q", "r", "s"])


@pytest.mark.parametrize(
    "code", ["df.loc['r':'p':-1]", "df.loc['s'::-2]", "df.a['r':'p':-1]", "df.loc[:, 'b':'a':-1]"]
)
def test_slices_of_labels_go_backward(code):
    agree(code, df=TEXT_LABELS)


LABELS_TWICE = FOUR_ROWS.set_axis(["p", "q", "p", "r"])


def test_ends_of_slices_that_repeat():
    for frame in (LABELS_TWICE, cuprum.DataFrame(LABELS_TWICE)):
        for bounds in (slice("p", "q"), slice("q", "p")):
            with pytest.raises(KeyError, match="slice bound for non-unique label"):
                frame.loc[bounds]
    agree("df.loc['p':'r']", df=FOUR_ROWS.set_axis(["p", "p", "q", "r"]))
    agree("df.loc['q':'p']", df=FOUR_ROWS.set_axis(["q", "p", "p", "a"]))


@pytest.mark.parametrize("index", [None, [2, 0, 1], list("xyz"), pd.RangeIndex(6, 0, -2)])
@pytest.mark.parametrize(
    "columns",
    [
        {"a": [1, 2, 3], "k": ["x", "y", "é"]},
        {"a": [1, 2, 3], "b": [0.5, np.nan, -0.0], "q": [True, False, True], "k": ["x", None, "y"]},
        {"a": [1, 2, 3], "b": [0.5, 1.5, 2.5]},
        {"q": [True, False, True]},
        {"t": pd.date_range("2020", periods=3), "c": pd.Categorical(["x", "y", "x"]), "a": [1, 2, 3]},
    ],
)
def test_one_row_and_one_element(index, columns):
    df = pd.DataFrame(columns, index=index)
    for key in [0, 1, 2, 3, 4, 6, -1, -3, -4, "x", np.int64(1), 2**70]:
        for select in [
            lambda df, key: df.loc[key],
            lambda df, key: df.iloc[key],
            lambda df, key: df.iloc[:, 0].loc[key],
            lambda df, key: df.iloc[:, 0].iloc[key],
        ]:

            def found(lib, df, select=select, key=key):
                try:
                    row = select(df, key)
                except (KeyError, IndexError, TypeError, ValueError, OverflowError):
                    return ["refused"]
                if not hasattr(row, "index"):
                    return [row]
                return [row.name, list(row.index), list(row), [type(value).__name__ for value in row]]

            agree(found, df=df)


@pytest.mark.parametrize(
    "expression",
    [
        "df.loc['b', 'i']",
        "df.loc['b':'d']",
        "df.loc['b':]",
        "df.loc[:'c', 'f']",
        "df.loc[['e', 'a'], ['s', 'i']]",
        "df.loc[:, 'i':'f']",
        "df.loc[:, ['f']]",
        "df.loc[lambda d: d.i == 3]",
        "df.loc['zz':]",
        "df.loc[[]]",
        "df.i.loc['c']",
        "df.i.loc['c':'e']",
        "df.i.loc[['c', 'a']]",
    ],
)
def test_loc_by_labels_slices_and_lists(expression):
    agree(expression, df=LABELLED)
