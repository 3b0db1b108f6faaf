"""Calls of every day on few rows, which the extension module answers itself, beside pandas and beside many rows."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum
from cuprum import _cuprum

VALUES = {
    "int64": [3, -1, 2, 2],
    "int8": pd.Series([127, 1, -128], dtype="int8"),
    "uint64": pd.Series([2**64 - 1, 1], dtype="uint64"),
    "float64": [0.1, 0.2, -0.3, 1e300],
    "float32": pd.Series([0.1, 0.7, -0.3], dtype="float32"),
    "nan": [1.5, np.nan, 2.5],
    "all nan": [np.nan, np.nan],
    "inf": [np.inf, -np.inf],
    "bool": [True, False, True],
    "str": ["b", "a"],
    "datetime": pd.date_range("2024-01-01", periods=3),
    "one": [7],
    "empty": pd.Series([], dtype="int64"),
}
REDUCTIONS = ["sum", "prod", "product", "min", "max", "mean", "var", "std", "sem"]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("values", ["int64", "int8", "uint64", "float64", "nan", "inf", "one", "empty"])
def test_reductions_are_those_of_pandas(name, values):
    def reduced(lib, s):
        return [getattr(s, name)(), getattr(s, name)(skipna=False), getattr(s, name)(axis=0)]

    agree(reduced, s=pd.Series(VALUES[values]))


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("rows", [1, 10, 511, 512, 513, 1023])
def test_few_rows_are_reduced_to_the_bit_as_any(name, rows):
    values = np.random.default_rng(rows).normal(size=rows)
    s = cuprum.Series(values)
    # Reduced with another argument, the same rows take the way of many.
    slow = getattr(s, name)(axis=None)
    fast = getattr(s, name)()
    assert type(fast) is type(slow)
    assert np.array_equal(fast, slow, equal_nan=True)


@pytest.mark.parametrize("name", ["to_list", "tolist"])
@pytest.mark.parametrize("values", VALUES)
def test_lists_and_lengths(name, values):
    s = pd.Series(VALUES[values])
    agree(lambda lib, s: [getattr(s, name)(), len(s), len(s.to_frame())], s=s)


@pytest.mark.parametrize(
    "index", [None, [2, 0, 1], list("xyz"), pd.RangeIndex(6, 0, -2), pd.RangeIndex(1, 4)]
)
@pytest.mark.parametrize("values", [[3, -1, 2], [0.5, 1.5, np.nan], [True, False, True], ["p", "q", "r"]])
def test_elements_under_labels(index, values):
    s = pd.Series(values, index=index)
    for label in [0, 1, 2, 3, 4, 6, -1, "x", 1.0, np.int64(1), True]:

        def element(lib, s, label=label):
            try:
                return [s[label]]
            except KeyError:
                return ["KeyError"]

        agree(element, s=s)


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
def test_rows_and_elements_by_label_and_position(index, columns):
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


def test_indexers_see_what_is_changed():
    df = cuprum.DataFrame({"a": [1, 2, 3], "k": list("xyz")})
    by_label, by_position = df.loc, df.iloc
    df["b"] = [0.5, 1.5, 2.5]
    assert list(by_label[1]) == list(by_position[-2]) == [2, "y", 1.5]
    df.index = [7, 8, 9]
    assert by_label[7]["k"] == by_position[0]["k"] == "x"
    assert [*inspect.signature(type(by_label).__getitem__).parameters] == ["self", "key"]


def test_what_python_says_is_said():
    s = cuprum.Series([1, 2, 3], name="n")
    with pytest.raises(KeyError, match="7 is not in the index"):
        s[7]
    with pytest.raises((KeyError, TypeError)):
        s[1, 2, 3]
    with pytest.raises(TypeError, match="unknown"):
        s.mean(unknown=1)
    with pytest.raises(TypeError, match="numeric_only"):
        cuprum.Series(["a"]).max(numeric_only=True)
    with pytest.raises(ValueError, match="axis"):
        s.mean(axis=1)
    with pytest.raises(TypeError):
        cuprum.Series.mean()
    with pytest.raises(TypeError):
        cuprum.Series.mean(cuprum.DataFrame({"a": [1]}))
    with pytest.raises(AttributeError, match="_handle"):
        cuprum.Series.mean(cuprum.Series.__new__(cuprum.Series))


def test_methods_describe_themselves():
    slow = cuprum.core.summaries.Summaries
    for name in REDUCTIONS:
        method = getattr(cuprum.Series, name)
        assert list(inspect.signature(method).parameters) == list(
            inspect.signature(getattr(slow, name)).parameters
        )
        assert method.__doc__ == inspect.getdoc(getattr(slow, name))
    assert cuprum.Series.product is cuprum.Series.prod
    assert cuprum.Series.tolist is cuprum.Series.to_list
    assert pickle.loads(pickle.dumps(cuprum.Series.mean)) is cuprum.Series.mean
    assert pickle.loads(pickle.dumps(cuprum.Series([1, 3]).mean))() == 2


def test_a_class_is_made_quick_once():
    with pytest.raises(RuntimeError, match="quick already"):
        _cuprum.quicken(cuprum.Series, "mean", len, "mean($self)\n--\n\n")
    with pytest.raises(KeyError):
        _cuprum.quicken(cuprum.Series, "median", len, "median($self)\n--\n\n")


def test_subclasses_have_methods_of_their_own():
    class Doubled(cuprum.Series):
        __slots__ = ()

        def mean(self, *args, **kwargs):
            return 2 * super().mean(*args, **kwargs)

    assert Doubled([1, 2, 3]).mean() == 4
    assert Doubled([1, 2, 3]).max() == 3


def test_what_is_written_shows():
    df = cuprum.DataFrame({"a": [1, 2, 3], "k": list("xyz")})
    row, s = df.loc[1], df["a"]
    df.at[1, "a"] = 20
    s[0] = 5
    assert (s[0], s.max(), s.tolist()) == (5, 5, [5, 2, 3])
    assert (row["a"], df.loc[1]["a"], df.at[1, "a"]) == (2, 20, 20)
    first = df.loc[0]
    first["new"] = 1
    assert list(df.loc[1].index) == ["a", "k"]


FRAME = pd.DataFrame({"a": [1, 2, 3], "b": [0.5, np.nan, -0.0], "k": list("xyz"), "t": [True, False, True]})


@pytest.mark.parametrize(
    "columns", [["a", "b", "k", "t"], ["a", "b"], ["k"], ["a", "k"], ["a", "t"], [], ["b", "k", "b"]]
)
@pytest.mark.parametrize(
    "index", [None, list("pqr"), [0.5, 1.5, 2.5], pd.MultiIndex.from_product([["u"], [1, 2, 3]])]
)
def test_rows_one_by_one(columns, index):
    df = FRAME[columns].set_axis(pd.RangeIndex(3) if index is None else index)

    def rows(lib, df):
        found = [(label, list(row), list(row.index), row.name) for label, row in df.iterrows()]
        tuples = [(row._fields, tuple(row)) for row in df.itertuples()]
        return [found, tuples, list(df.itertuples(index=False, name=None))]

    agree(rows, df=df)


def test_missing_elements_of_rows():
    df = pd.DataFrame({"k": ["x", None], "t": pd.to_datetime(["2024-01-01", None]), "a": [1, 2]})
    ours = cuprum.DataFrame(df)
    for (_, mine), (_, theirs) in zip(ours.iterrows(), df.iterrows(), strict=True):
        assert [pd.isna(v) for v in mine] == [pd.isna(v) for v in theirs]
    many = cuprum.DataFrame({"a": range(3000), "k": ["x"] * 3000})
    assert [row["a"] for _, row in many.iterrows()] == list(range(3000))


@pytest.mark.parametrize(
    "key", [(1, "a"), (1, "b"), (2, "b"), (0, "k"), (1, "t"), (9, "a"), (1, "z"), ("1", "a")]
)
@pytest.mark.parametrize("index", [None, [1, 0, 2], [1, 1, 2]])
def test_one_element_of_a_frame(key, index):
    def element(lib, df):
        try:
            return [df.at[key]]
        except KeyError:
            return ["KeyError"]

    df = FRAME if index is None else FRAME.set_axis(index)
    if index == [1, 1, 2] and key[0] == 1:
        with pytest.raises(ValueError, match="more than one"):
            cuprum.DataFrame(df).at[1, "a"]
        return
    agree(element, df=df)


@pytest.mark.parametrize("rows", [1, 10, 127, 128, 129, 300])
@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("normalize", [True, False])
def test_elements_are_counted_in_the_order_of_pandas(rows, sort, ascending, normalize):
    values = np.random.default_rng(rows).integers(0, 12, rows)
    code = f"s.value_counts(sort={sort}, ascending={ascending}, normalize={normalize})"
    agree(code, s=pd.Series(values, name="n"))
    agree(code, s=pd.Series(values.astype("int16")))


@pytest.mark.parametrize(
    "code", ["df.loc[1].to_dict()", "df.iloc[0].to_dict()", "[row.to_dict() for _, row in df.iterrows()]"]
)
def test_values_of_rows_in_dicts_are_those_of_python(code):
    df = pd.DataFrame({"i": [1, 2], "f": [0.5, 1.5], "b": [True, False], "s": ["x", "y"]})
    df["t"] = pd.date_range("2024-01-01", periods=2)
    theirs, mine = eval(code), eval(code, {"df": cuprum.DataFrame(df)})
    assert mine == theirs and repr(mine) == repr(theirs)
