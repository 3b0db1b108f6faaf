"""Columns of one name: selected, set and taken out."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree, ours
from small_frames import frame_after


def test_columns_of_one_label_are_all_selected():
    df = pd.DataFrame([[1, 2, 3], [4, 5, 6]], columns=["a", "b", "a"])
    agree("df.loc[:, 'a']", df=df)
    agree("df.loc[:, ['a', 'b']]", df=df)


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


def test_columns_of_an_outer_label_are_set():
    df = pd.DataFrame([[1, 2, 3]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y"), ("b", "x")]))
    agree(frame_after("df.loc[:, 'a'] = 9"), df=df)
    agree(frame_after("df.loc[0, ('a', 'y')] = 9"), df=df)
