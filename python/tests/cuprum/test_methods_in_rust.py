"""Methods that the extension module has in the place of Python's: the results of those, and their names."""

import inspect
import pickle

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum
from cuprum import _cuprum
from cuprum.core.methods import reductions

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
    with pytest.raises(KeyError):
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
    for name in REDUCTIONS:
        method = getattr(cuprum.Series, name)
        own = {"product": "prod", "sum": "sum_", "min": "min_", "max": "max_"}
        slow = getattr(reductions, own.get(name, name))
        assert list(inspect.signature(method).parameters) == list(inspect.signature(slow).parameters)
        assert method.__doc__ == inspect.getdoc(slow)
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
