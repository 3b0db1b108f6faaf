"""`astype`: texts, objects, times, categories and integers that may be missing."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from oracle import agree, assert_like
from small_frames import times_and_durations

import cuprum


@pytest.mark.parametrize("was", [True, False])
@pytest.mark.parametrize("ordered", [True, False, None])
def test_ordered_leaves_categories_as_they_are(was: bool, ordered: bool | None) -> None:
    given = pd.Series(pd.Categorical(["c", "a", None, "b"], categories=["c", "a", "b", "d"], ordered=was))
    dtype = pd.CategoricalDtype(ordered=ordered)
    theirs = given.astype(dtype)
    for ours in (
        cuprum.Series(given).astype(dtype),
        cuprum.Series(given, dtype=dtype),
        cuprum.Series(cuprum.CategoricalIndex(given).astype(dtype)),
        cuprum.DataFrame({"a": given}).astype({"a": dtype})["a"],
    ):
        pd.testing.assert_series_equal(ours.to_pandas(), theirs, check_names=False)


@pytest.mark.parametrize("dtype", ["uint64", "int32", "uint8", "int64"])
@pytest.mark.parametrize("column", ["t", "d"])
def test_times_become_integers_of_64_bits_alone(dtype: str, column: str) -> None:
    refused = None if dtype == "int64" else (TypeError, "Converting from")
    agree(lambda lib: times_and_durations(lib)[column].astype(dtype), refused=refused)
    agree(lambda lib: lib.Index(times_and_durations(lib)[column]).astype(dtype), refused=refused)


@pytest.mark.parametrize("dtype", ["Int64", "Int8", "UInt16", pd.Int32Dtype()])
def test_floats_become_integers_that_may_be_missing(dtype):
    values = [1.0, np.nan, 3.0]
    whole = cuprum.Series(values).astype(dtype)
    theirs = pd.Series(values).astype(dtype)
    assert str(whole.dtype) == str(theirs.dtype).lower()
    assert whole.isna().to_list() == theirs.isna().to_list()
    assert whole.dropna().to_list() == theirs.dropna().to_list()
    frame = cuprum.DataFrame({"a": values, "b": [1, 2, 3]})
    for cast in (frame.astype(dtype), frame.astype({"a": dtype}), frame[["a"]].astype(dtype)):
        assert cast["a"].isna().to_list() == [False, True, False]
        assert cast["a"].dtype == whole.dtype
    assert str(frame.astype({"a": dtype, "b": "float64"})["b"].dtype) == "float64"


@pytest.mark.parametrize("values", [[1.5, 2.0], [1.5, np.nan], [np.inf]])
def test_fractions_are_no_integers_that_may_be_missing(values):
    for lib in (cuprum, pd):
        with pytest.raises((TypeError, OverflowError)):
            lib.Series(values).astype("Int64")
        with pytest.raises((TypeError, OverflowError)):
            lib.DataFrame({"a": values}).astype({"a": "Int64"})
    assert cuprum.Series(values).astype("Int64", errors="ignore").dtype == "float64"
    with pytest.raises(KeyError):
        cuprum.DataFrame({"a": values}).astype({"z": "Int64"})


def test_labels_of_mixed_types_become_texts():
    labels = [1, "a", None, 2.5, pd.Timestamp("2024-01-01")]
    assert (
        cuprum.Index(labels).astype(str).equals(cuprum.Index(["1", "a", None, "2.5", "2024-01-01 00:00:00"]))
    )
    assert cuprum.Index(labels).astype(object).to_list()[:2] == [1, "a"]
    assert cuprum.Index([1, "2"]).astype(int).equals(cuprum.Index([1, 2]))
    with pytest.raises(ValueError, match="invalid literal"):
        cuprum.Index(labels).astype(int)


def test_missing_elements_have_no_text():
    for dtype in ("str", str):
        agree(lambda lib, s, d=dtype: s.astype(d), s=pd.Series([1.5, float("nan"), -0.0, float("inf")]))
        agree(lambda lib, s, d=dtype: s.astype(d), s=pd.Series([float("nan")] * 2))
    agree("s.astype('str')", s=pd.Series([1.5, float("nan")], dtype="float32"))
    agree("df.astype('str')", df=pd.DataFrame({"a": [1.5, float("nan")], "b": ["x", None]}))
    agree("df.astype({'a': 'str'})", df=pd.DataFrame({"a": [1.5, float("nan")], "b": [1.0, None]}))
    assert cuprum.Series([1.5, float("nan")], dtype="str").isna().tolist() == [False, True]


@pytest.mark.parametrize("dtype", ["O", "object", object, np.dtype(object), np.object_])
def test_astype_object(dtype):
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


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (["a", "b", None], pd.CategoricalDtype(["b", "a"], ordered=True)),
        ([1, "2"], "int64"),
        ([1, "2", 2.5], "float64"),
        ([1, "2", None, 3.5], "str"),
        ([pd.Timestamp("2024-01-01"), "2024-02-01", None], "datetime64[us]"),
        ([pd.Timestamp("2024-01-01"), None], "datetime64[us, UTC]"),
        ([0, "", (), "x"], "bool"),
        ([pd.Period("2024-01"), None], pd.PeriodDtype("M")),
    ],
    ids=str,
)
def test_objects_become_elements_of_a_type(values, dtype):
    agree(lambda lib: lib.Series(values, list("abcd")[: len(values)], object, "n").astype(dtype))
    made = {"b": range(len(values))}
    agree(lambda lib: lib.DataFrame({"a": lib.Series(values, dtype=object), **made}).astype({"a": dtype}))
    agree(
        lambda lib: lib.DataFrame({"a": lib.Series(values, dtype=object), **made}).astype({"b": "float32"})[
            "b"
        ]
    )


@pytest.mark.filterwarnings("ignore")
def test_objects_become_elements_of_types_that_pandas_has_not():
    decimal, many = cuprum.Decimal64Dtype(9, 2), cuprum.ListDtype("int32")
    exact = cuprum.Series([Decimal("1"), Decimal("2.25"), None], dtype=object).astype(decimal)
    assert exact.dtype == decimal
    assert exact.to_arrow().to_pylist() == [Decimal("1.00"), Decimal("2.25"), None]
    frame = cuprum.DataFrame({"t": cuprum.Series([[1], [2, 3]], dtype=object), "o": [(1,), "x"]})
    assert str(frame.t.dtype) == "object"
    made = frame.astype({"t": many})
    assert made.t.dtype == many and made.t.to_list() == [[1], [2, 3]]
    with pytest.raises(TypeError):
        frame.astype({"o": decimal})
    with pytest.raises(TypeError):
        frame.o.astype(many)
    assert frame.o.astype(many, errors="ignore").to_list() == [(1,), "x"]
    with pytest.raises(KeyError, match="nowhere"):
        frame.astype({"nowhere": "int64"})


NESTED = [
    [[1, 2], None, []],
    [["a", "it's", 'q"', None]],
    [[1.5, None, float("nan")]],
    [[True, None], [False]],
    [[[1], [2, None]], None],
    [[{"a": 1}], []],
    [{"a": 1, "b": "x"}, None, {"a": None, "b": None}],
    [[Decimal("1.50")]],
]


@pytest.mark.parametrize("values", NESTED, ids=str)
def test_lists_and_structs_become_the_texts_of_lists_and_dicts(values):
    theirs = pd.Series(values, dtype=object, index=range(5, 5 + len(values)), name="n")
    ours = cuprum.Series(values, index=range(5, 5 + len(values)), name="n")
    assert ours.dtype != object
    for dtype in (str, "str", "string", pd.StringDtype(na_value=np.nan)):
        assert_like(ours.astype(dtype), theirs.astype(str))
    frame = cuprum.DataFrame({"n": ours, "i": ours.isna()})
    expected = pd.DataFrame({"n": theirs, "i": theirs.isna()})
    assert_like(frame.astype(str), expected.astype(str))
    assert_like(frame.astype({"n": "str"}), expected.astype({"n": "str"}))
    there = ours.to_device("emulator").astype(str)
    assert there.device == "emulator"
    assert_like(there.to_host(), theirs.astype(str))
    with pytest.raises(TypeError, match="cannot cast"):
        ours.astype("int64")
