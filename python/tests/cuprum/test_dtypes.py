"""Dtypes with parts: the same as pandas' where it has them, and what they make of values."""

import io
import pickle
import re
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from oracle import agree, assert_like
from small_frames import MIXED

import cuprum
import cuprum as cp

ALL = [
    cp.CategoricalDtype(["b", "a"]),
    cp.CategoricalDtype([2, 1], ordered=True),
    cp.CategoricalDtype([], ordered=True),
    cp.ListDtype("int32"),
    cp.ListDtype(cp.ListDtype(cp.Decimal32Dtype(5, 2))),
    cp.StructDtype({"a": "int64", "ü": cp.ListDtype("str")}),
    cp.StructDtype({"z": cp.DatetimeTZDtype("us", "Europe/Berlin")}),
    cp.Decimal32Dtype(9, 3),
    cp.Decimal64Dtype(7, 2),
    cp.Decimal128Dtype(38, 0),
    cp.DatetimeTZDtype("ns", "UTC"),
]


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_they_travel(dtype):
    copy = pickle.loads(pickle.dumps(dtype))
    assert type(copy) is type(dtype) and copy == dtype and hash(copy) == hash(dtype)
    series = cp.Series([None, None]).astype(dtype)
    assert type(series.dtype) is type(dtype) and series.dtype == dtype
    assert len(cp.Series([], dtype=dtype)) == 0
    if not isinstance(dtype, cp.CategoricalDtype):
        back = type(dtype).from_arrow(dtype.to_arrow())
        assert back == dtype and type(back) is type(dtype)
        assert series.to_arrow().type == dtype.to_arrow()


@pytest.mark.parametrize(
    ("name", "dtypes"),
    [
        (
            "CategoricalDtype",
            ["category", "Category", "int64", pd.CategoricalDtype(), pd.CategoricalDtype([1])],
        ),
        (
            "IntervalDtype",
            ["interval", "Interval", "interval[int64]", "interval[foo]", pd.IntervalDtype(), "i8"],
        ),
        ("DatetimeTZDtype", ["datetime64[ns, UTC]", "datetime64[ns]", pd.DatetimeTZDtype("us", "UTC"), None]),
        ("PeriodDtype", ["period[D]", "period", pd.PeriodDtype("M"), 1]),
    ],
)
def test_names_belong_to_the_classes_that_they_do_in_pandas(name, dtypes):
    for dtype in dtypes:
        assert getattr(cp, name).is_dtype(dtype) == getattr(pd, name).is_dtype(dtype), dtype
    assert not any(cp.ListDtype.is_dtype(dtype) for dtype in dtypes)


def test_periods_are_named_as_in_pandas():
    for name in ("period[D]", "Period[D]", "period[M]", "D"):
        agree(f"lib.Series(lib.period_range('2020', periods=1, freq='D')).dtype == {name!r}")
    agree("lib.Series(lib.period_range('2020', periods=1, freq='D')).astype('Period[M]').astype(str)")


def test_pandas_spelling():
    for ours, theirs in [
        (cp.CategoricalDtype(["b", "a"], True), pd.CategoricalDtype(["b", "a"], True)),
        (cp.CategoricalDtype(["b", "a"]), pd.CategoricalDtype(["b", "a"])),
        (cp.CategoricalDtype(), pd.CategoricalDtype()),
        (cp.CategoricalDtype([1, 3]), pd.CategoricalDtype([1, 3])),
        (cp.DatetimeTZDtype("us", "Europe/Berlin"), pd.DatetimeTZDtype("us", "Europe/Berlin")),
        (cp.DatetimeTZDtype(tz="UTC"), pd.DatetimeTZDtype(tz="UTC")),
    ]:
        assert ours == theirs
        assert ours == str(theirs) and str(ours) == str(theirs)
        assert repr(ours) == repr(theirs)
        assert ours.to_pandas() == theirs and type(ours).from_pandas(theirs) == ours
        assert ours.name == theirs.name and ours.kind == theirs.kind
        assert (ours != theirs) is False and ours != "int64"
    assert hash(cp.DatetimeTZDtype(tz="UTC")) == hash(str(pd.DatetimeTZDtype(tz="UTC")))
    a, b = (["b", "a"], ["a", "b"])
    for ordered in (False, True):
        expected = pd.CategoricalDtype(a, ordered) == pd.CategoricalDtype(b, ordered)
        assert (cp.CategoricalDtype(a, ordered) == cp.CategoricalDtype(b, ordered)) == expected
        assert (cp.CategoricalDtype(a, ordered) == pd.CategoricalDtype(b, ordered)) == expected
    assert cp.CategoricalDtype() != cp.CategoricalDtype(["a"])
    assert cp.CategoricalDtype(["a"]).categories.to_list() == ["a"]
    assert cp.CategoricalDtype(ordered=True).categories is None and cp.CategoricalDtype(ordered=True).ordered


def test_names_and_parts():
    assert [repr(dtype) for dtype in ALL[3:]] == [
        "ListDtype(int32)",
        "ListDtype(ListDtype(Decimal32Dtype(precision=5, scale=2)))",
        "StructDtype({'a': dtype('int64'), 'ü': ListDtype(str)})",
        "StructDtype({'z': datetime64[us, Europe/Berlin]})",
        "Decimal32Dtype(precision=9, scale=3)",
        "Decimal64Dtype(precision=7, scale=2)",
        "Decimal128Dtype(precision=38, scale=0)",
        "datetime64[ns, UTC]",
    ]
    assert ALL[4].element_type == cp.ListDtype(cp.Decimal32Dtype(5, 2)) and ALL[4].leaf_type.scale == 2
    assert ALL[5].fields == {"a": "int64", "ü": cp.ListDtype("str")}
    assert (ALL[8].precision, ALL[8].scale, ALL[8].itemsize, ALL[8].MAX_PRECISION) == (7, 2, 8, 18)
    assert (ALL[10].unit, ALL[10].tz) == ("ns", "UTC")
    assert [dtype.type for dtype in ALL[3:8]] == [list, list, dict, dict, Decimal]


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda: cp.Decimal32Dtype(10, 0), ValueError, "precision"),
        (lambda: cp.Decimal64Dtype(3, 4), ValueError, "scale"),
        (lambda: cp.StructDtype([("a", "int64")]), TypeError, "fields"),
        (lambda: cp.ListDtype("bogus"), TypeError, "bogus"),
        (lambda: cp.DatetimeTZDtype("D", "UTC"), ValueError, "units"),
        (lambda: cp.DatetimeTZDtype("ns"), TypeError, "tz"),
        (lambda: cp.CategoricalDtype(["a", "a"]), ValueError, "unique"),
        (lambda: cp.CategoricalDtype(["a", None]), ValueError, "missing"),
        (lambda: cp.CategoricalDtype(["a"], "x"), ValueError, "ordered"),
        (lambda: cp.ListDtype.from_arrow(pa.int64()), TypeError, "ListDtype"),
    ],
)
def test_what_is_no_dtype(make, error, says):
    with pytest.raises(error, match=says):
        make()


def test_values_as_dtypes():
    values = ["b", None, "a"]
    for dtype, theirs in [
        ("category", "category"),
        (cp.CategoricalDtype(["b", "a"], True), pd.CategoricalDtype(["b", "a"], True)),
        (cp.CategoricalDtype(ordered=True), pd.CategoricalDtype(ordered=True)),
        (pd.CategoricalDtype(["a", "b", "c"]), pd.CategoricalDtype(["a", "b", "c"])),
    ]:
        expected = pd.Series(values, dtype=theirs)
        for actual in (cp.Series(values, dtype=dtype), cp.Series(values).astype(dtype)):
            pd.testing.assert_series_equal(actual.to_pandas(), expected)
    assert cp.Series([[1], None], dtype=cp.ListDtype("int64")).to_list() == [[1], None]
    zoned = cp.Series(["2020-07-01 12:00", None]).astype(cp.DatetimeTZDtype("us", "Europe/Berlin"))
    assert zoned.to_list()[0] == pd.Timestamp("2020-07-01 12:00", tz="Europe/Berlin")
    frame = cp.DataFrame({"a": ["x", "y"]}, dtype="category")
    assert frame["a"].dtype == pd.CategoricalDtype(["x", "y"])


TYPES = {"i": "float", "s": "category"}


@pytest.mark.parametrize("types", [pd.Series, cp.Series, dict])
def test_types_by_label(types):
    df = pd.DataFrame({"i": [1, 2], "s": ["a", "b"], "j": [1, 2]})
    expected = df.astype(TYPES)
    assert_like(cp.DataFrame(df).astype(types(TYPES)), expected)
    assert_like(cp.DataFrame(df).astype(expected.dtypes), expected)
    assert_like(cp.Series(df["i"]).astype(types({"i": "int8"})), df["i"].astype({"i": "int8"}))
    for wrong in [types({"x": "int8"}), types({"i": "int8", "x": "int8"}), types({})]:
        with pytest.raises(KeyError, match="Only the Series name"):
            cp.Series(df["i"]).astype(wrong)


@pytest.mark.parametrize("what", [cp.DataFrame({"a": [1.5]}), cp.Index([1.5])])
def test_a_container_is_no_type(what):
    for target in [cp.Series([1]), cp.DataFrame({"a": [1]})]:
        with pytest.raises(TypeError, match="which is no type"):
            target.astype(what)


@pytest.mark.parametrize("types", ["int8", {"f": "int8", "i": "int8"}, {"s": "int8"}])
def test_columns_that_cannot_be_cast_stay(types):
    df = pd.DataFrame({"i": [1, 2, 3], "f": [1, None, 3.5], "s": ["1", "x", "2"]})
    agree(lambda lib, df: df.astype(types, errors="ignore"), df=df)


@pytest.mark.parametrize(
    "code",
    [
        "lib.Series([1.5], dtype='int64')",
        "lib.Series([1.0, 2.5], dtype='uint8')",
        "lib.Series(np.array([1.5]), dtype='int64')",
        "lib.Series({'a': 1.5}, dtype='int64')",
        "lib.DataFrame({'a': [1.5]}, dtype='int64')",
        "lib.DataFrame([{'a': 1.5}], dtype='int64')",
        "lib.Index([1.5], dtype='int64')",
        "lib.Index(lib.Index([1.5]), dtype='int64')",
    ],
)
def test_fractions_are_not_cut_off_by_a_type(code):
    for lib in (pd, cp):
        with pytest.raises(ValueError, match="Trying to coerce float values to integers"):
            eval(code, {"lib": lib, "np": np})


@pytest.mark.parametrize(
    "code",
    [
        "lib.Series([1.0, 2.0], dtype='int8')",
        "lib.Series(np.array([1.0, -2.0]), dtype='int64')",
        "lib.Series(lib.Series([1.5]), dtype='int64')",
        "lib.Series([1.5, 0.0], dtype='bool')",
        "lib.Index([1.0], dtype='int64')",
    ],
)
def test_whole_floats_become_integers_by_a_type(code):
    agree(code)


def test_types_are_not_deeper_than_columns():
    nested = cp.ListDtype("int64")
    for _ in range(62):
        nested = cp.ListDtype(nested)
    assert str(nested).startswith("list<list<")
    for deeper in [cp.ListDtype, lambda dtype: cp.StructDtype({"a": dtype})]:
        with pytest.raises(TypeError, match="nested deeper than 64 levels"):
            deeper(nested)


def test_bounds_of_intervals_are_no_intervals():
    with pytest.raises(TypeError, match="are no intervals"):
        cp.Series([1]).astype("interval[" * 20_000 + "int64" + "]" * 20_000)

    class Endless:
        closed = "right"

        @property
        def left(self):
            return self

        right = left

    Endless.__name__ = "Interval"
    with pytest.raises(TypeError):
        cp.Series([1]).isin([Endless()])


@pytest.mark.parametrize(
    "named",
    [
        "int8",
        "category",
        object,
        float,
        "M8[ms]",
        pd.Int64Dtype(),
        pa.list_(pa.int8()),
        pd.CategoricalDtype(["a"]),
    ],
    ids=str,
)
def test_what_names_a_dtype(named):
    dtype = cp.dtype(named)
    assert cp.dtype(dtype) == dtype
    if named != "category":
        assert cp.Series([], dtype=named).dtype == dtype
        assert type(cp.Series([], dtype=named).dtype) is type(dtype)
    with pytest.raises(TypeError, match="bogus"):
        cp.dtype("bogus")


LETTERS = [*"?bBhHiIlLqQnNpPfd"]
NAMES_OF_C = ["byte", "ubyte", "short", "ushort", "intc", "uintc", "long", "ulong", "longlong", "ulonglong"]
NAMES_OF_NUMPY = ["intp", "uintp", "int_", "single", "double", "bool_"]
NATIVE, SWAPPED = "<>" if sys.byteorder == "little" else "><"


@pytest.mark.parametrize(
    "name",
    [
        *LETTERS,
        *NAMES_OF_C,
        *NAMES_OF_NUMPY,
        *[NATIVE + name for name in ("i4", "u8", "f4", "i", "d", "M8[s]")],
        *["=i2", "=q", "|i1", "|u1", "|b1", SWAPPED + "u1", SWAPPED + "b1", SWAPPED + "b", "u1", "f8"],
    ],
)
def test_letters_and_names_that_numpy_has_for_types(name):
    said = str(np.dtype(name)) if np.dtype(name).kind != "M" else "datetime64[s]"
    assert cp.dtype(name) == said
    for lib in (pd, cp):
        assert str(lib.Series([1, 0]).astype(name).dtype) == said
        assert str(lib.Series([1, 0], dtype=name).dtype) == said
        assert str(lib.DataFrame({"a": [1, 0]}, dtype=name).dtypes["a"]) == said
        assert str(lib.DataFrame({"a": [1, 0]}).astype({"a": name}).dtypes["a"]) == said
        assert str(lib.Index([1, 0], dtype=name).dtype) == said
        assert lib.Series([1, 0], dtype=name).dtype == name
        if "M8" not in name:
            text = io.StringIO("a\n1\n0\n")
            assert str(lib.read_csv(text, dtype={"a": name}).dtypes["a"]) == said


@pytest.mark.parametrize("kind", [np.longlong, np.ulonglong, np.intc, np.uintc, np.short, np.byte, np.single])
def test_types_of_numpy_that_are_named_as_in_c(kind):
    assert cp.Series([1, 0], dtype=kind).dtype == np.dtype(kind)
    assert cp.Series([1, 0]).astype(np.dtype(kind)).dtype == np.dtype(kind)


@pytest.mark.parametrize(
    "name",
    ["i3", "I4", "Int", "i8 ", "L4", "!i4", "INT64", "d8", "e2", "shorts", "numpy.int64", "integer"],
)
def test_names_of_no_type(name):
    for lib in (pd, cp):
        with pytest.raises(TypeError, match=re.escape(name)):
            lib.Series([1, 0], dtype=name)
        with pytest.raises(TypeError, match=re.escape(name)):
            lib.Series([1, 0]).astype(name)
        with pytest.raises(TypeError, match=re.escape(name)):
            lib.read_csv(io.StringIO("a\n1\n"), dtype={"a": name})


@pytest.mark.parametrize("name", ["i4", "f8", "u2", "q", "M8[ns]"])
def test_the_other_order_of_bytes_is_refused(name):
    for refused in (cp.Series([1]).astype, lambda name: cp.Series([1], dtype=name), cp.dtype):
        with pytest.raises(TypeError, match=f"{SWAPPED}{re.escape(name)}.*order of bytes"):
            refused(SWAPPED + name)


def test_dtypes_to_pandas_are_those_of_pandas():
    frame = cuprum.DataFrame(MIXED.assign(c=MIXED.w.astype("category")))
    pd.testing.assert_series_equal(frame.dtypes.to_pandas(), frame.to_pandas().dtypes)


THREE_DAYS = pd.DataFrame(
    {
        "k": ["a", "b", "a"],
        "v": [1, 2, 3],
        "t": pd.to_datetime(["2023-01-01", "2023-01-02", "2023-01-02"]),
    }
)


def test_value_counts_of_dtypes():
    counts = cuprum.DataFrame(THREE_DAYS.assign(w=1)).dtypes.value_counts()
    assert counts.equals(THREE_DAYS.assign(w=1).dtypes.value_counts())
    assert counts[np.dtype("int64")] == 2
