"""Columns of every type: what comes in goes out again, and what a type does not have is refused."""

import datetime
import decimal
import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import assert_like

import cuprum as cp

D = decimal.Decimal

ARROW = {
    "decimal128": pa.array([D("1.20"), None, D("-3.45")], pa.decimal128(9, 2)),
    "decimal64": pa.array([D("1.2"), None, D("-3.4")], pa.decimal64(5, 1)),
    "decimal32": pa.array([D("1"), None, D("-3")], pa.decimal32(3, 0)),
    "list": pa.array([[1, None], None, []], pa.list_(pa.int32())),
    "large list": pa.array([["a"], None, []], pa.large_list(pa.large_string())),
    "list of lists": pa.array([[[1.5], None], None, []]),
    "struct": pa.array([{"a": 1, "ü": "x"}, None, {"a": None, "ü": None}]),
    "struct of zones": pa.array(
        [{"t": 0, "d": D("0.5")}, None, {"t": 1, "d": None}],
        pa.struct([("t", pa.timestamp("us", "Asia/Tokyo")), ("d", pa.decimal128(5, 1))]),
    ),
    "binary": pa.array([b"a\x00\xff", None, b""], pa.binary()),
    "large binary": pa.array([b"a\x00\xff", None, b""], pa.large_binary()),
    "zone": pa.array([0, None, 1_600_000_000], pa.timestamp("s", "Europe/Vienna")),
    "offset": pa.array([0, None, 1], pa.timestamp("ns", "+05:30")),
    "dictionary": pa.array(["b", None, "a"]).dictionary_encode(),
    "dictionary of numbers": pa.array([7, None, 3]).dictionary_encode(),
    "null": pa.nulls(3),
    "bool": pa.array([True, None, False]),
    "date": pa.array([0, None, 20_000], pa.date32()),
    "duration": pa.array([0, None, -5], pa.duration("ms")),
}


def values(array: pa.Array) -> list:
    return array.to_pylist()


@pytest.mark.parametrize("name", ARROW)
def test_arrow_there_and_back(name):
    array = ARROW[name]
    series = cp.Series.from_arrow(array)
    back = pa.array(series)
    assert values(back) == values(array)
    if "dictionary" not in name:
        assert back.type == array.type
    else:
        assert pa.types.is_dictionary(back.type)
    frame = cp.DataFrame.from_arrow(pa.table({"x": array}))
    assert values(pa.table(frame)["x"].combine_chunks()) == values(array)
    assert str(frame["x"].dtype) == str(series.dtype)


@pytest.mark.parametrize("name", ARROW)
def test_rows_move_with_their_type(name):
    array = ARROW[name]
    frame = cp.DataFrame.from_arrow(pa.table({"x": array, "n": [1, 2, 3]}))
    expected = values(array)
    dtype = frame["x"].dtype
    for moved, rows in [
        (frame.iloc[[2, 0]], [2, 0]),
        (frame[frame["n"] > 1], [1, 2]),
        (frame.sort_values("n", ascending=False), [2, 1, 0]),
        (frame.head(1), [0]),
        (cp.concat([frame, frame]), [0, 1, 2, 0, 1, 2]),
        (frame.merge(cp.DataFrame({"n": [3, 1]}), on="n"), [0, 2]),
        (frame.iloc[:0], []),
    ]:
        assert moved["x"].dtype == dtype
        assert values(pa.array(moved["x"])) == [expected[row] for row in rows]
    assert frame["x"].isna().tolist() == [value is None for value in expected]
    assert int(frame["x"].count()) == sum(value is not None for value in expected)
    # The categories of a series stand below.
    assert "x" in repr(frame) and repr(frame["x"]).split("\nCategories")[0].endswith(f"dtype: {dtype}")
    assert frame.copy().equals(frame)


@pytest.mark.parametrize("name", ARROW)
def test_parquet_there_and_back(name, tmp_path):
    array = ARROW[name]
    frame = cp.DataFrame.from_arrow(pa.table({"x": array}))
    path = tmp_path / "ours.parquet"
    frame.to_parquet(path)
    again = cp.read_parquet(path)
    assert values(pa.array(again["x"])) == values(array)
    theirs = pq.read_table(path)["x"].combine_chunks()
    assert values(theirs) == values(array)
    if name not in {"decimal64", "decimal32"}:
        pq.write_table(pa.table({"x": array}), tmp_path / "theirs.parquet")
        assert values(pa.array(cp.read_parquet(tmp_path / "theirs.parquet")["x"])) == values(array)


@pytest.mark.parametrize("name", ARROW)
def test_pickle_there_and_back(name):
    series = cp.Series.from_arrow(ARROW[name])
    again = pickle.loads(pickle.dumps(series))
    assert again.dtype == series.dtype
    assert values(pa.array(again)) == values(ARROW[name])


PANDAS = [
    pd.Series(pd.Categorical(["b", "a", None], categories=["b", "a", "c"])),
    pd.Series(pd.Categorical(["low", "high", None], categories=["low", "high"], ordered=True)),
    pd.Series(pd.Categorical([3, 1, 3])),
    pd.Series(pd.Categorical([], categories=np.array([], dtype="float64"))),
    pd.Series(pd.date_range("2020-03-28", periods=3, tz="Europe/Berlin")),
    pd.Series(pd.to_datetime(["2020-10-25 02:30+02:00", None])).dt.tz_convert("Europe/Berlin"),
    pd.Series(pd.date_range("2020", periods=2, tz="UTC", unit="s")),
    pd.Series(pd.date_range("2020", periods=2, tz=datetime.timezone(datetime.timedelta(hours=-3)))),
]


@pytest.mark.parametrize("series", PANDAS, ids=range(len(PANDAS)))
def test_pandas_there_and_back(series):
    ours = cp.Series.from_pandas(series)
    pd.testing.assert_series_equal(ours.to_pandas(), series)
    assert ours.dtype == series.dtype
    assert str(ours.dtype) == str(series.dtype)
    frame = pd.DataFrame({"x": series})
    pd.testing.assert_frame_equal(cp.DataFrame.from_pandas(frame).to_pandas(), frame)


def categories() -> tuple[pd.Series, cp.Series]:
    series = pd.Series(pd.Categorical(["b", "a", None, "b"], categories=["b", "a", "c"]))
    return series, cp.Series.from_pandas(series)


def test_categories_sort_and_group_in_their_own_order():
    theirs, ours = categories()
    for ascending in (True, False):
        assert ours.sort_values(ascending=ascending).index.tolist() == (
            theirs.sort_values(ascending=ascending).index.tolist()
        )
    frame = cp.DataFrame({"k": ours, "v": [1, 2, 3, 4]})
    expected = theirs.to_frame("k").assign(v=[1, 2, 3, 4]).groupby("k", observed=True).sum()
    assert frame.groupby("k").sum()["v"].tolist() == expected["v"].tolist()
    assert ours.nunique() == theirs.nunique()
    assert ours.drop_duplicates().index.tolist() == theirs.drop_duplicates().index.tolist()


@pytest.mark.parametrize("other", ["a", "b", "nothing"])
def test_categories_compare_for_equality(other):
    theirs, ours = categories()
    assert (ours == other).tolist() == (theirs == other).tolist()
    assert (ours != other).tolist() == (theirs != other).tolist()
    with pytest.raises(TypeError, match="nordered"):
        _ = ours < other


def test_ordered_categories_have_extremes():
    theirs = pd.Series(pd.Categorical(["b", "a", None], categories=["b", "a"], ordered=True))
    ours = cp.Series.from_pandas(theirs)
    assert (ours.min(), ours.max()) == (theirs.min(), theirs.max())
    assert (ours > "b").tolist() == (theirs > "b").tolist()
    with pytest.raises(TypeError, match="nordered"):
        categories()[1].min()


def test_categories_from_and_to_values():
    for data in (["b", "a", None, "b"], [3, 1, 3], [1.5, np.nan, 0.5]):
        theirs, ours = pd.Series(data), cp.Series(data)
        pd.testing.assert_series_equal(ours.astype("category").to_pandas(), theirs.astype("category"))
        assert ours.astype("category").astype(ours.dtype).equals(ours)


def test_other_categories_meet_as_values():
    _, ours = categories()
    joined = cp.concat([ours, cp.Series(["x"]).astype("category")], ignore_index=True)
    assert joined.dtype == "str"
    assert joined.tolist()[:2] == ["b", "a"] and joined.tolist()[-1] == "x"
    same = cp.concat([ours, ours], ignore_index=True)
    assert same.dtype == ours.dtype


def test_counts_of_categories_tell_of_those_without_rows():
    theirs, ours = categories()
    assert ours.value_counts().to_dict() == theirs.value_counts().to_dict() == {"b": 2, "a": 1, "c": 0}
    assert ours.value_counts(normalize=True)["c"] == 0.0
    frame = cp.DataFrame({"k": ours, "v": [1, 2, 3, 4]})
    assert frame.groupby("k", observed=False).v.count().to_dict() == {"c": 0, "b": 2, "a": 1}


def test_assigning_among_categories():
    _, ours = categories()
    ours.iloc[0] = "c"
    assert ours.tolist()[0] == "c"
    with pytest.raises(TypeError, match="categories"):
        ours.iloc[0] = "z"
    assert ours.tolist()[0] == "c"


@pytest.mark.parametrize(
    ("name", "operation"),
    [
        ("decimal128", "std"),
        *[
            (name, how)
            for name in ("list", "struct", "binary", "dictionary")
            for how in ("sum", "mean", "std")
        ],
    ],
)
def test_what_a_type_does_not_have_is_refused(name, operation):
    series = cp.Series.from_arrow(ARROW[name])
    with pytest.raises(TypeError):
        getattr(series, operation)()


@pytest.mark.parametrize("name", ["list", "struct", "binary"])
def test_what_nested_values_and_bytes_cannot(name):
    frame = cp.DataFrame.from_arrow(pa.table({"x": ARROW[name], "n": [1, 2, 3]}))
    # Lists and structs are keys: test_nested_keys.py.
    for work in (
        lambda: frame.groupby("x").sum(),
        lambda: frame["x"] + 1,
        *([lambda: frame.sort_values("x"), lambda: frame["x"].drop_duplicates()] if name == "binary" else []),
    ):
        with pytest.raises(TypeError, match=r"list<|struct<|binary"):
            work()


def test_instants_and_clocks_do_not_meet():
    zoned = cp.Series.from_pandas(pd.Series(pd.date_range("2020", periods=2, tz="Europe/Berlin")))
    naive = cp.Series.from_pandas(pd.Series(pd.date_range("2020", periods=2)))
    for work in (
        lambda: zoned - naive,
        lambda: zoned < naive,
        lambda: zoned.astype(naive.dtype),
    ):
        with pytest.raises(TypeError):
            work()
    assert cp.concat([zoned, naive]).dtype == object


def test_instants_are_subtracted_and_moved():
    theirs = pd.Series(pd.date_range("2020-03-28 12:00", periods=3, tz="Europe/Berlin"))
    ours = cp.Series.from_pandas(theirs)
    pd.testing.assert_series_equal((ours - ours).to_pandas(), theirs - theirs)
    day = pd.Timedelta(days=1)
    pd.testing.assert_series_equal((ours + day).to_pandas(), theirs + day)
    assert ours.max() == theirs.max() and ours.iloc[0] == theirs.iloc[0]
    assert ours.tolist() == theirs.tolist()


@given(
    st.lists(st.none() | st.integers(-(10**8), 10**8)),
    st.sampled_from(["UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "-03:30"]),
)
def test_any_instants_through_every_door(seconds, zone):
    array = pa.array(seconds, pa.timestamp("s", zone))
    series = cp.Series.from_arrow(array)
    assert pa.array(series).equals(array)
    assert values(pa.array(series)) == values(array)


def around_a_change(zone: str) -> tuple[pd.Series, cp.Series]:
    theirs = pd.Series(pd.date_range("2020-03-28 22:10", periods=12, freq="37min", tz="UTC"))
    theirs.iloc[3] = pd.NaT
    theirs = theirs.dt.tz_convert(zone)
    return theirs, cp.Series.from_pandas(theirs)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/St_Johns", "Asia/Kolkata", "+05:30", "UTC"])
def test_parts_of_instants_are_those_of_the_zone(zone):
    theirs, ours = around_a_change(zone)
    for part in ("year", "month", "day", "hour", "minute", "quarter"):
        expected = [None if value != value else int(value) for value in getattr(theirs.dt, part)]
        actual = [None if value != value else int(value) for value in getattr(ours.dt, part).to_list()]
        assert actual == expected, part
    pd.testing.assert_series_equal(
        ours.dt.tz_convert("Asia/Tokyo").to_pandas(), theirs.dt.tz_convert("Asia/Tokyo")
    )
    pd.testing.assert_series_equal(ours.dt.tz_convert(None).to_pandas(), theirs.dt.tz_convert(None))
    pd.testing.assert_series_equal(ours.dt.tz_localize(None).to_pandas(), theirs.dt.tz_localize(None))
    pd.testing.assert_series_equal(ours.dt.floor("D").to_pandas(), theirs.dt.floor("D"))
    assert repr(ours) == repr(theirs)
    clock = theirs.iloc[5]
    assert (ours < clock).tolist() == (theirs < clock).tolist()
    assert (ours == clock).tolist() == (theirs == clock).tolist()


def test_zones_are_not_lost_on_the_way():
    theirs, ours = around_a_change("Europe/Berlin")
    frame = cp.DataFrame({"a": ours, "b": ours})
    expected = pd.DataFrame({"a": theirs, "b": theirs})
    for name in ("max", "min"):
        pd.testing.assert_series_equal(getattr(frame, name)().to_pandas(), getattr(expected, name)())
    kept = frame.dropna().reset_index(drop=True)
    for actual, objects in [
        (kept.a.to_numpy(), expected.a.dropna().to_numpy()),
        (np.asarray(kept.a), np.asarray(expected.a.dropna())),
        (kept.to_numpy(), expected.dropna().to_numpy()),
    ]:
        assert actual.tolist() == objects.tolist() and actual.dtype == objects.dtype
    assert kept.a.unique().tolist() == expected.a.dropna().unique().tolist()


def test_clocks_that_are_put_forward_and_back():
    back = pd.Series(pd.to_datetime(["2020-10-25 01:30", "2020-10-25 02:30", None]))
    forth = pd.Series(pd.to_datetime(["2020-03-29 01:30", "2020-03-29 02:30", None]))
    ours = {"back": cp.Series.from_pandas(back), "forth": cp.Series.from_pandas(forth)}
    zone = "Europe/Berlin"
    for ambiguous in ("NaT", True, False):
        given = ambiguous if ambiguous == "NaT" else np.array([ambiguous] * 3)
        expected = back.dt.tz_localize(zone, ambiguous=given)
        pd.testing.assert_series_equal(
            ours["back"].dt.tz_localize(zone, ambiguous=ambiguous).to_pandas(), expected
        )
    for nonexistent in ("NaT", "shift_forward", "shift_backward"):
        expected = forth.dt.tz_localize(zone, nonexistent=nonexistent)
        actual = ours["forth"].dt.tz_localize(zone, nonexistent=nonexistent).to_pandas()
        if nonexistent == "shift_backward":
            # The last tick before the change, which is that of the unit.
            actual, expected = actual.dt.floor("s"), expected.dt.floor("s")
        pd.testing.assert_series_equal(actual, expected)
    with pytest.raises(ValueError, match=r"2020-10-25 02:30:00 .*`ambiguous`"):
        ours["back"].dt.tz_localize(zone)
    with pytest.raises(ValueError, match=r"2020-03-29 02:30:00 .*`nonexistent`"):
        ours["forth"].dt.tz_localize(zone)
    with pytest.raises(ValueError, match="no time zone"):
        ours["back"].dt.tz_localize("Europe/Atlantis")
    with pytest.raises(TypeError, match="tz_localize"):
        ours["back"].dt.tz_convert(zone)


def test_rows_of_other_types():
    frame = cp.DataFrame.from_arrow(pa.table({name: ARROW[name] for name in ("list", "struct", "zone")}))
    row = frame.iloc[0]
    assert row.to_list()[:2] == [[1, None], {"a": 1, "ü": "x"}]
    assert frame["struct"].to_list()[1] is None


def test_values_of_python_objects():
    for values, dtype in [
        ([[1, 2], None, []], "list<int64>"),
        ([[1, 2], [3, 4]], "list<int64>"),
        ([{"a": 1, "b": "x"}, None], "struct<a: int64, b: str>"),
        ([D("1.20"), None, D("-3")], "decimal128(38, 2)"),
        ([b"ab", None, b""], "binary"),
    ]:
        series = cp.Series(values)
        assert str(series.dtype) == dtype
        assert series.to_list() == values
        assert series.to_numpy().tolist() == values
        assert series.to_pandas().tolist() == values


@pytest.mark.parametrize(
    "values",
    [
        np.array([2**62], dtype="M8[D]"),
        np.array([2**60], dtype="m8[m]"),
    ],
)
def test_times_that_no_unit_holds_are_not_wrapped(values):
    # NumPy 2.5 sees some of them itself.
    with pytest.raises(OverflowError, match=r"too far off|Overflow when converting"):
        cp.Series(values)


@pytest.mark.parametrize("value", [np.datetime64(10**15, "Y"), np.timedelta64(2**62, "D")])
def test_elements_that_no_unit_holds_stay_what_they_are(value):
    series = cp.Series([value])
    assert (series.dtype, series[0]) == (object, value)


@pytest.mark.parametrize("unit", ["Y", "M"])
def test_durations_of_months_are_refused(unit):
    for values in [[np.timedelta64(1, unit)], np.array([1], dtype=f"m8[{unit}]")]:
        with pytest.raises(ValueError, match="months and years differ in length"):
            cp.Series(values)


# From NumPy 2.5 on, spans without a unit warn.
@pytest.mark.filterwarnings("ignore:The 'generic' unit:DeprecationWarning")
@pytest.mark.parametrize(
    "make",
    [
        lambda: [np.timedelta64(5)],
        lambda: [np.timedelta64("NaT")],
        lambda: [np.timedelta64("NaT"), np.timedelta64(3, "s")],
        lambda: [pd.NaT, np.timedelta64(3, "s")],
        lambda: [None, np.timedelta64("NaT", "s")],
        lambda: np.array(["2020", "NaT"], "M8[M]"),
    ],
)
def test_times_without_or_with_coarse_units(make):
    assert_like(cp.Series(make()), pd.Series(make()))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("kind", ["M8", "m8"])
def test_times_among_objects_are_times(kind, unit):
    series = pd.Series(np.array([86_400, "NaT"], dtype=f"{kind}[s]").astype(f"{kind}[{unit}]"))
    for get in [
        lambda s: s.to_numpy(dtype=object),
        lambda s: np.asarray(s, dtype=object),
        lambda s: type(s)(s).to_frame("t").assign(s="x").to_numpy(),
        lambda s: s.to_frame("t").assign(s="x").values,
    ]:
        actual, expected = get(cp.Series(series)), get(series)
        assert actual.dtype == expected.dtype == object
        assert repr(actual.tolist()) == repr(expected.tolist())


def test_astype_none_is_that_of_numpy():
    for values, dtype in (
        ([True, False], None),
        ([1, 2], None),
        (["1", "2.5"], None),
        ([1, 2], "category"),
        ([1.5, None], "float32"),
        ([True, None], "boolean"),
        ([1, None], "Int64"),
    ):
        theirs = pd.Series(values, name="n", dtype=dtype)
        ours = cp.from_pandas(theirs)
        pd.testing.assert_series_equal(ours.astype(None).to_pandas(), theirs.astype(None).astype("float64"))
        assert ours.astype({"n": None}).dtype == "float64" == theirs.astype({"n": None}).dtype.name.lower()
        assert ours.to_frame().astype(None)["n"].dtype == "float64"
    for values, error in ((["a"], ValueError), (pd.to_datetime(["2020-01-01"]), TypeError)):
        for series in (pd.Series(values), cp.Series(values)):
            with pytest.raises(error):
                series.astype(None)
    theirs = pd.DataFrame({"a": [1], "b": [True]})
    ours = cp.from_pandas(theirs)
    for types in ({"a": None}, {"a": None, "b": "float32"}, {"a": float("nan")}):
        assert [str(dtype) for dtype in ours.astype(types).dtypes] == [
            str(d) for d in theirs.astype(types).dtypes
        ]
    for frame in (ours, theirs):
        with pytest.raises(KeyError):
            frame.astype({"c": None})
