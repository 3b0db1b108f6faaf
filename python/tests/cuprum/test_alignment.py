"""Operators and `align` of objects whose labels differ."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import SMALL, agree, given

import cuprum


def test_names_that_are_missing_on_both_sides_are_one():
    agree("(lib.Series([1], name=np.nan) + lib.Index([1], name=np.nan)).name", **SMALL)


def test_a_series_adds_no_frame():
    agree(
        "s.add(lib.DataFrame([1, 2, 3]), axis=0)",
        refused=(TypeError, "Series.add takes no DataFrame: call it on that, with the"),
        **SMALL,
    )


HALVES = pd.DataFrame({"A": [1.0, np.nan], "B": [np.nan, 4.0]})


@pytest.mark.parametrize(
    "code",
    [
        "df.add(lib.Series([np.nan, 2.0]), axis=0, fill_value=10)",
        "df.add(lib.Series([np.nan, 2.0], index=['A', 'B']), fill_value=10)",
        "df.rsub(lib.Series([np.nan, 2.0], index=['A', 'C']), fill_value=10)",
        "df.set_axis(['A', 'B']).add(lib.Series([10.0, np.nan], index=['A', 'C']), axis=0, fill_value=5)",
        "df.mul([np.nan, 3.0], fill_value=4.5)",
        "df.mul(np.array([np.nan, 3.0]), axis=0, fill_value=4.5)",
        "df.mul({'A': np.nan, 'B': 2.0}, fill_value=4.5)",
        # One to whatever power, and whatever to the power of none, is one.
        "df ** lib.DataFrame(index=[0, 1])",
        "lib.DataFrame(index=[0, 1]) ** df.fillna(0.0)",
        "df.A ** df.A[:0]",
        "df.A[:0] ** df.A.fillna(0.0)",
        "df[:1] ** df[1:]",
    ],
)
def test_what_only_one_side_has(code):
    agree(code, df=HALVES)


@pytest.mark.parametrize(
    ("code", "error", "message"),
    [
("cuprum.DataFrame([[1, 2]], columns=cuprum.MultiIndex.from_tuples([('a', 'b', 0), ('a', 'c', 1)])) + cuprum.Series([1], index=cuprum.MultiIndex.from_tuples([('a', 'b')]))", NotImplementedError, "3 levels and a series with labels of 2"),
],
)  # fmt: skip
def test_columns_and_labels_of_other_depths_are_refused(code, error, message):
    with pytest.raises(error, match=message):
        eval(code, {"cuprum": cuprum})


def test_names_of_labels_that_are_joined():
    left = pd.Series([1.0, 2.0], index=pd.Index([1, 2], name="i"))
    for name in ("i", "j", None):
        right = pd.Series([1.0, None], index=pd.Index([2, 3], name=name))
        for code in ("a + b", "b + a", "a.add(b, fill_value=0)", "a.combine_first(b)", "b.combine_first(a)"):
            agree(code, a=left, b=right)
        agree("a + b", a=left.to_frame("x"), b=right.to_frame("x"))


def test_columns_of_a_sum_of_unlike_labels():
    agree("(lib.DataFrame({'b': [1], 7: [2]}) + lib.DataFrame({'a': [1], 7: [5]})).columns")


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


@given(
    st.lists(st.sampled_from("abcdef"), unique=True),
    st.lists(st.sampled_from("abcdef"), unique=True),
    st.sampled_from(["+", "-", "*", "/"]),
)
def test_operators_align_any_series(left, right, op):
    a = pd.Series(
        [float(i) for i in range(len(left))], index=pd.Index(left, dtype="str"), name="v", dtype="float64"
    )
    b = pd.Series(
        [i + 0.5 for i in range(len(right))], index=pd.Index(right, dtype="str"), name="v", dtype="float64"
    )
    agree(f"a {op} b", a=a, b=b)
    agree(f"a.to_frame() {op} b.to_frame()", a=a, b=b)


def test_operators_align_frames():
    a = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]}, index=[0, 1])
    b = pd.DataFrame({"y": [10.0, 20.0], "z": [30.0, 40.0]}, index=[1, 2])
    agree("a + b", a=a, b=b)
    agree("a * 2", a=a)
    agree("2 - a", a=a)
    agree("a == 2", a=a)
    agree("-a", a=a)
    agree("a + a.iloc[0]", a=a)
    agree("a - a.mean()", a=a)
    agree("a['x'].add(b['y'], fill_value=0)", a=a, b=b)
    for name in (
        "add",
        "sub",
        "mul",
        "div",
        "truediv",
        "floordiv",
        "mod",
        "radd",
        "rsub",
        "rmul",
        "rdiv",
        "eq",
        "lt",
    ):
        agree(f"a['x'].{name}(2)", a=a)
        agree(f"a.{name}(2)", a=a)


@pytest.mark.parametrize("name", ["add", "sub", "rsub", "mul", "truediv", "rfloordiv"])
def test_fill_value_with_frames_labelled_differently(name):
    a = pd.DataFrame({"x": [1, 2, None], "y": [4, 5, 6]}, index=["p", "q", "r"])
    b = pd.DataFrame({"y": [1.5, None], "z": [7, 8]}, index=["r", "s"])
    agree(f"a.{name}(b, fill_value=10)", a=a, b=b)
    agree(f"b.{name}(a, fill_value=10)", a=a, b=b)
    agree(f"a.{name}(a[['y', 'x']], fill_value=10)", a=a)
