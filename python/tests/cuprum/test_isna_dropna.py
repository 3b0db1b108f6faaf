"""Missing values: null and NaN are one thing here, as in pandas."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree, frames, given

import cuprum


@given(frames(i="int?", f="float?", s="str?", t="time?", b="bool?"))
def test_finding_and_dropping(f):
    for code in (
        "df.isna()",
        "df.notna()",
        "df.isnull().sum()",
        "df.count()",
        "df.dropna()",
        "df.dropna(how='all')",
        "df.dropna(subset=['f'])",
        "df.dropna(subset=['s', 't'], how='all')",
        "df.dropna(thresh=4)",
        "df.dropna(ignore_index=True)",
        "df.f.dropna()",
        "df.s.dropna()",
        "df.i.isna().any()",
        "df.isna().any()",
        "lib.isna(df.f)",
        "lib.notna(df)",
    ):
        agree(code, df=f, kept=["b", "i"])


@given(frames(i="int?", f="float?", s="str?", t="time?"))
def test_filling(f):
    for code in (
        "df[['i', 'f']].fillna(0)",
        "df.f.fillna(-1.5)",
        "df.s.fillna('none')",
        "df.fillna({'i': 7, 's': '日本'})",
        "df.f.fillna(df.i)",
        "df.t.fillna(lib.to_datetime('2020-01-01'))",
        "df.f.ffill()",
        "df.f.bfill()",
        "df.s.ffill()",
        "df.i.bfill()",
        "df.t.ffill()",
    ):
        agree(code, df=f, kept=["i", ...])


@pytest.mark.parametrize(
    "expression",
    [
        "df.dropna(axis=1)",
        "df.dropna(axis=1, how='all')",
        "df.isna().sum().sum()",
        "df.f.notnull()",
        "df.f.fillna(value=3)",
        "lib.isna(float('nan'))",
        "lib.isna(None)",
        "lib.isna(1)",
    ],
)
def test_spellings(expression, df):
    agree(expression, df=df)


def test_null_and_nan_are_both_missing():
    import pyarrow as pa

    frame = cuprum.DataFrame.from_arrow(pa.table({"f": [1.0, None, float("nan")]}))
    assert frame["f"].isna().to_pandas().tolist() == [False, True, True]
    assert frame["f"].count() == 1
    assert frame["f"].sum() == 1.0
    assert len(frame.dropna()) == 1
    assert frame["f"].fillna(0).to_pandas().tolist() == [1.0, 0.0, 0.0]
    assert frame.to_arrow()["f"].null_count == 1  # they stay apart in the column


def test_comparisons_are_never_missing():
    s = cuprum.Series([1, None, 3])
    assert (s > 0).to_pandas().tolist() == [True, False, True]
    assert (s != 1).to_pandas().tolist() == [False, True, True]
    assert (~(s > 0)).to_pandas().tolist() == [False, True, False]
    agree("s > 0", s=pd.Series([1.0, None, 3.0]))


def test_fill_of_the_wrong_type():
    with pytest.raises((TypeError, ValueError)):
        cuprum.Series([1, None]).fillna("x")
    with pytest.raises((TypeError, ValueError)):
        cuprum.Series(["a", None]).fillna(3)


# Replacement in some columns.

TWO = pd.DataFrame({"A": [0, 1, 2], "B": [0, 6, 7], "C": ["x", "y", "x"]})


@pytest.mark.parametrize(
    "arguments",
    [
        "{'A': 0, 'B': 6}, 100",
        "{'A': 0, 'Z': 6}, 100",
        "{'A': [0, 1], 'B': 6}, 100",
        "{'C': 'x'}, 'q'",
        "{'x': 'q'}",
        "{'x': 'q'}, 'w'",
        "{0: 10, 1: 100}",
        "0, {'A': 7, 'B': 9}",
        "{'A': 0, 'B': 0}, {'A': 7, 'B': 9}",
        "{'A': 0, 'B': 0}, {'A': 7}",
        "{'A': {0: 100, 1: 0}}",
        "[0, 6], [1, 2]",
        "[0, 6], 5",
        "0, 5",
    ],
)
def test_replacement_in_some_columns(arguments):
    agree(f"df.replace({arguments})", df=TWO)


@pytest.mark.parametrize(
    "expression",
    [
        "s.replace({0: 5}, 100)",
        "s.replace([0, 1])",
        "s.replace(0)",
        "df.replace({'A': {0: 100}}, 4)",
    ],
)
def test_replacement_by_nothing_or_twice(expression):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match="replace"):
            eval(expression, {"s": lib.Series([0, 1]), "df": lib.DataFrame({"A": [0, 1]})})


@pytest.mark.parametrize("pair", ["1, 9", "0, 9", "True, False", "{False: True}", "[True, False], False"])
def test_truth_values_are_no_numbers(pair):
    df = pd.DataFrame({"i": [1, 0, 2], "b": [True, False, True], "f": [1.0, 0.0, None]})
    agree(f"df.replace({pair})", df=df)
    for column in df:
        agree(f"s.replace({pair})", s=df[column])


def test_replacement_by_none_is_missing():
    agree("s.replace('a', None)", s=pd.Series(["a", "b"]))


# Texts and objects.


def test_what_is_missing_has_no_text():
    for dtype in ("str", str):
        agree(lambda lib, s, d=dtype: s.astype(d), s=pd.Series([1.5, float("nan"), -0.0, float("inf")]))
        agree(lambda lib, s, d=dtype: s.astype(d), s=pd.Series([float("nan")] * 2))
    agree("s.astype('str')", s=pd.Series([1.5, float("nan")], dtype="float32"))
    agree("df.astype('str')", df=pd.DataFrame({"a": [1.5, float("nan")], "b": ["x", None]}))
    agree("df.astype({'a': 'str'})", df=pd.DataFrame({"a": [1.5, float("nan")], "b": [1.0, None]}))
    assert cuprum.Series([1.5, float("nan")], dtype="str").isna().tolist() == [False, True]


@pytest.mark.parametrize("dtype", ["O", "object", object, np.dtype(object), np.object_])
def test_objects(dtype):
    agree(lambda lib: lib.Series([10, 9], dtype=dtype))
    agree(lambda lib: lib.Series([1.5, None]).astype(dtype))
    agree(lambda lib: lib.DataFrame({"a": [1], "b": [2.5]}, dtype=dtype))
    agree(lambda lib: lib.DataFrame({"a": [1], "b": ["x"]}).astype(dtype))
    agree(lambda lib: lib.DataFrame({"a": [True], "b": ["x"]}).astype({"a": dtype}))
    agree(lambda lib: lib.Series(["b", "a"]).astype(dtype))
    agree(lambda lib: lib.Index([10, 9], dtype=dtype))
    agree(lambda lib: lib.Index([10, 9], name="n").astype(dtype))
    # Texts have a type of their own, whatever is asked for.
    assert str(cuprum.Series(["b", "a", None], dtype=dtype).dtype) == "str"


# NumPy arrays.


@pytest.mark.parametrize("na_value", ["0", "7.5", "np.nan"])
def test_what_stands_for_missing_elements_in_arrays(na_value):
    agree(f"s.to_numpy(na_value={na_value})", s=pd.Series([1.0, float("nan"), 3]))
    agree(f"lib.Index(s).to_numpy(na_value={na_value})", s=pd.Series([1.0, float("nan"), 3]))
    agree(f"df.to_numpy(na_value={na_value}).ravel()", df=pd.DataFrame({"a": [1.0, None], "b": [None, 2.5]}))
    if na_value == "0":
        agree("s.to_numpy('int64', na_value=0)", s=pd.Series([1.0, float("nan"), 3]))
        agree("s.to_numpy(dtype='int8', na_value=0)", s=pd.Series([1, None, 3]))
        agree("df.astype('float32').to_numpy(dtype='int8', na_value=0)[:, 0]", df=pd.DataFrame({"a": [1.0]}))


def test_what_stands_for_missing_times_in_arrays():
    agree(
        "s.to_numpy(na_value=pd.Timestamp('1999-01-01'))", s=pd.Series(pd.to_datetime(["2020-01-01", None]))
    )
    agree("s.to_numpy(na_value=pd.Timedelta('1s'))", s=pd.Series(pd.to_timedelta(["1h", None])))


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_what_is_no_integer_is_none_in_arrays(value):
    for make in (
        lambda: cuprum.Series([1.0, value]).to_numpy(dtype="int64"),
        lambda: np.asarray(cuprum.Series([1.0, value]), dtype="uint8"),
        lambda: cuprum.Index([1.0, value]).to_numpy(dtype="int64"),
        lambda: cuprum.DataFrame({"a": [1.0, value], "b": [1.0, 2.0]}).to_numpy(dtype="int64"),
    ):
        with pytest.raises(ValueError, match="missing or infinite"):
            make()


@pytest.mark.parametrize(
    "code",
    [
        "d.fillna(0)",
        "d[['v', 'b']].fillna(0.5)",
        "d.fillna({'v': 0.5, 'b': 0, 'f': 1})",
        "d.b.fillna(0)",
        "d.v.fillna('x')",
        "d.v.fillna(lib.Series([0.5, 0.5, 0.5]))",
        "d.b.fillna(np.nan)",
        "d[['v', 'f']].fillna(lib.DataFrame({'v': [0.5] * 3, 'f': [7.0, 8.0, 9.0]}))",
        "d.fillna(lib.Series({'v': 0.5, 'f': 1}))",
    ],
)
def test_filling_nothing_changes_no_type(code):
    frame = {"k": ["x", "y", "x"], "v": [1, 2, 3], "f": [1.5, None, 2.5], "b": [True, False, True]}
    agree(code, d=pd.DataFrame(frame))


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float32", "float64", "bool"])
@pytest.mark.parametrize("data", [[], [1, 0], [None], [0, None, 1, None, 1]])
def test_numbers_that_stand_for_missing_ones_in_arrays(dtype, data):
    made = cuprum.Series(data, dtype=dtype)
    value = False if dtype == "bool" else 7
    for series, rows in ((made, data), (made.iloc[1:], data[1:])):
        expected = np.array([value if row is None else row for row in rows], dtype)
        array = series.to_numpy(na_value=value)
        np.testing.assert_array_equal(array, expected, strict=True)
        assert series.isna().sum() == sum(row is None for row in rows)
    nan = cuprum.Series(np.array([np.nan, -0.0, np.inf], "float64")).to_numpy(na_value=-1.0)
    assert str(nan.tolist()) == "[-1.0, -0.0, inf]"
