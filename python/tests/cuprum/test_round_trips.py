"""A column of every kind through Arrow, pandas, Parquet and pickle, equal in values and dtype."""

import copy
import datetime as dt
import pickle
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as given_data
from hypothesis import strategies as st
from oracle import assert_like

import cuprum

_DAYS = st.dates(dt.date(1970, 1, 1) - dt.timedelta(50_000), dt.date(2200, 1, 1))
_CLOCKS = st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2200, 1, 1))
_LENGTHS = st.timedeltas(dt.timedelta(-100_000), dt.timedelta(100_000))


def _integers(bits, signed=True):
    return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else st.integers(0, 2**bits - 1)


def _whole(strategy, unit):
    """Times without more digits than the unit has."""
    cut = {"s": 10**6, "ms": 10**3}.get(unit, 1)
    return strategy.map(lambda v: v.replace(microsecond=v.microsecond // cut * cut))


def _whole_lengths(unit):
    cut = {"s": 10**6, "ms": 10**3}.get(unit, 1)
    return st.integers(-(10**9), 10**9).map(lambda n: dt.timedelta(microseconds=n * cut))


def _decimals(arrow):
    most = 10**arrow.precision - 1
    return st.integers(-most, most).map(lambda n: Decimal(f"{n}E-{arrow.scale}"))


LEAVES = {
    **{getattr(pa, f"int{bits}")(): _integers(bits) for bits in (8, 16, 32, 64)},
    **{getattr(pa, f"uint{bits}")(): _integers(bits, signed=False) for bits in (8, 16, 32, 64)},
    pa.float32(): st.floats(width=32, allow_nan=False),
    pa.float64(): st.floats(allow_nan=False),
    pa.bool_(): st.booleans(),
    pa.string(): st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    pa.binary(): st.binary(max_size=6),
    **{pa.timestamp(unit): _whole(_CLOCKS, unit) for unit in ("s", "ms", "us", "ns")},
    **{
        pa.timestamp(unit, zone): _whole(_CLOCKS, unit).map(lambda v: v.replace(tzinfo=dt.UTC))
        for unit, zone in [("ns", "UTC"), ("us", "Europe/Berlin"), ("ms", "+05:30")]
    },
    **{pa.duration(unit): _whole_lengths(unit) for unit in ("s", "ms", "us", "ns")},
    **{
        arrow: _decimals(arrow)
        for arrow in [pa.decimal32(7, 2), pa.decimal64(18, 0), pa.decimal128(20, 3), pa.decimal128(38, 10)]
    },
}

_nested = st.recursive(
    st.sampled_from(list(LEAVES)),
    lambda inner: st.one_of(
        inner.map(pa.list_),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda types: pa.struct([pa.field(f"f{i}", t) for i, t in enumerate(types)])
        ),
    ),
    max_leaves=4,
)


def _values(arrow):
    if pa.types.is_list(arrow):
        values = st.lists(_values(arrow.value_type), max_size=3)
    elif pa.types.is_struct(arrow):
        values = st.fixed_dictionaries({field.name: _values(field.type) for field in arrow})
    else:
        values = LEAVES[arrow]
    return st.none() | values


@st.composite
def columns(draw, types=_nested):
    """A series of any kind: missing values, nothing but these, nothing, and slices among them."""
    arrow = draw(types)
    array = pa.array(draw(st.lists(_values(arrow), max_size=10)), arrow)
    start = draw(st.integers(0, len(array)))
    series = cuprum.Series(array.slice(0), name="c")[start:]
    return arrow, series.reset_index(drop=True), array.slice(start)


@st.composite
def categories(draw):
    """A series of categories, in an order that is not theirs by value, some of which no row has."""
    arrow = draw(
        st.sampled_from([pa.string(), pa.int64(), pa.int8(), pa.float64(), pa.timestamp("us"), pa.bool_()])
    )
    values = draw(
        st.lists(LEAVES[arrow], unique_by=lambda v: v + 0 if isinstance(v, float) else v, max_size=5)
    )
    codes = draw(st.lists(st.none() | st.integers(0, max(len(values) - 1, 0)), max_size=10))
    codes = codes if values else [None] * len(codes)
    array = pa.DictionaryArray.from_arrays(
        pa.array(codes, pa.int8()), pa.array(values, arrow), ordered=draw(st.booleans())
    )
    dtype = cuprum.CategoricalDtype(cuprum.Series(array.dictionary), array.type.ordered)
    return array, cuprum.Series(array.cast(arrow), dtype=dtype, name="c")


_settings = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))


def assert_same(again, series):
    assert again.dtype == series.dtype, f"{again.dtype} is not {series.dtype}"
    assert again.equals(series)
    assert again.name == series.name


@_settings
@given_data(columns())
def test_arrow(made):
    arrow, series, array = made
    back = pa.array(series)
    assert back.to_pylist() == array.to_pylist()
    if not pa.types.is_decimal(arrow):
        assert back.cast(arrow).equals(array)
    assert_same(cuprum.Series(back, name="c"), series)
    table = pa.table(series.to_frame())
    assert_same(cuprum.DataFrame.from_arrow(table)["c"], series)


@_settings
@given_data(columns())
def test_parquet(tmp_path_factory, made):
    _, series, array = made
    path = tmp_path_factory.mktemp("parquet") / "a.parquet"
    frame = series.to_frame()
    frame.to_parquet(path)
    again = cuprum.read_parquet(path)
    # Parquet has no seconds.
    seconds = "[s" in str(series.dtype)
    if not seconds:
        assert_same(again["c"], series)
    assert pq.read_table(path)["c"].to_pylist() == array.to_pylist()
    # What pyarrow writes of the same.
    pq.write_table(pa.table({"c": array}), path)
    theirs = cuprum.read_parquet(path)["c"]
    assert pa.array(theirs).to_pylist() == array.to_pylist()
    if not seconds:
        assert_same(theirs, series)


@_settings
@given_data(columns())
def test_pickle(made):
    _, series, array = made
    again = pickle.loads(pickle.dumps(series))
    assert_same(again, series)
    assert pa.array(again).to_pylist() == array.to_pylist()


NESTED = [
    pa.list_(pa.int64()),
    pa.list_(pa.list_(pa.string())),
    pa.struct([("f0", pa.int64()), ("f1", pa.list_(pa.bool_()))]),
]


@_settings
@given_data(columns(st.sampled_from([*LEAVES, *NESTED])))
def test_pandas(made):
    """Kinds that pandas has come back as they were; of the others it has objects."""
    arrow, series, array = made
    if pa.types.is_integer(arrow) and any(int(float(v)) != v for v in array.drop_null().to_pylist()):
        if array.null_count:
            with pytest.raises(OverflowError, match="has no exact float64"):
                series.to_pandas()
        assert_same(cuprum.Series(series.to_pandas(nullable=True)), series)
        return
    theirs = series.to_pandas()
    again = cuprum.Series(theirs)
    missing = array.null_count
    kept = (
        (pa.types.is_floating(arrow) and not missing)
        or (pa.types.is_integer(arrow) and not missing)
        or (pa.types.is_boolean(arrow) and not missing)
        or pa.types.is_string(arrow)
        or pa.types.is_temporal(arrow)
    )
    if kept and len(array):
        assert_same(again, series)
    elif array.null_count < len(array):
        values = array.to_pylist()
        got = [None if gone else v for v, gone in zip(again.to_list(), again.isna().to_list(), strict=True)]
        assert [v for v in got if v is not None] == [v for v in values if v is not None]


@pytest.mark.parametrize(
    "value, dtype", [(2**53 + 1, "int64"), (-(2**63) + 1, "int64"), (2**64 - 1, "uint64")]
)
def test_integers_that_floats_would_round(value, dtype):
    """Beside missing ones they are refused unless floats, objects or nullable types are asked for."""
    series = cuprum.Series([3, None, value], dtype=dtype)
    for convert in (
        lambda: series.to_pandas(),
        lambda: series.to_numpy(),
        lambda: series.values,
        lambda: np.asarray(series),
        lambda: series.to_frame("a").to_pandas(),
        lambda: series.to_frame("a").to_numpy(),
        lambda: cuprum.Index(series).to_pandas(),
        lambda: cuprum.Series([1, 2, 3], index=series).to_pandas(),
    ):
        with pytest.raises(OverflowError, match=f"{value} in row 2 has no exact float64"):
            convert()
    assert series.to_numpy(na_value=None).tolist() == [3, None, value]
    assert series.to_numpy(na_value=0).tolist() == [3, 0, value]
    assert np.array_equal(series.to_numpy(dtype="float64"), [3.0, np.nan, float(value)], equal_nan=True)
    assert series.to_pandas(nullable=True).tolist() == [3, pd.NA, value]
    labelled = cuprum.Series([1, 2, 3], index=series).to_pandas(nullable=True)
    assert labelled.index.tolist() == [3, pd.NA, value]
    assert series.dropna().to_pandas().tolist() == [3, value]
    # Those that floats hold are floats, however large.
    large = cuprum.Series([2**62, None, -(2**63)])
    assert large.to_pandas().tolist()[::2] == [2.0**62, -(2.0**63)]


@_settings
@given_data(categories())
def test_categories_in_arrow_pickle_and_pandas(made):
    array, series = made
    # Arrow's dictionaries come in with their keys sorted, so only the values are the same.
    assert pa.array(series).to_pylist() == array.to_pylist()
    assert pa.array(series).dictionary.to_pylist() == array.dictionary.to_pylist()
    assert pa.array(cuprum.Series(pa.array(series))).to_pylist() == array.to_pylist()
    assert_same(pickle.loads(pickle.dumps(series)), series)
    if len(array.dictionary):
        assert_same(cuprum.Series(series.to_pandas()), series)


@_settings
@given_data(categories())
def test_categories_in_parquet(tmp_path_factory, made):
    array, series = made
    path = tmp_path_factory.mktemp("parquet") / "a.parquet"
    series.to_frame().to_parquet(path)
    assert_same(cuprum.read_parquet(path)["c"], series)
    theirs = pq.read_table(path)["c"].combine_chunks()
    assert theirs.to_pylist() == array.to_pylist()
    if pa.types.is_string(array.type.value_type) and len(array) and len(array.dictionary):
        # Texts in a dictionary keep it in pyarrow, and in what it writes.
        theirs = theirs.chunk(0) if isinstance(theirs, pa.ChunkedArray) else theirs
        assert theirs.type.ordered == series.dtype.ordered
        assert theirs.dictionary.to_pylist() == series.dtype.categories.to_list()
        pq.write_table(pa.table({"c": array}), path)
        read = cuprum.read_parquet(path)["c"].dtype
        assert read.ordered == array.type.ordered
        assert read.categories.to_list() == array.dictionary.to_pylist()


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("codec", ["snappy", None, "zstd"])
def test_categories_of_pandas_in_parquet(ordered, codec, tmp_path):
    import pandas as pd

    path = tmp_path / "a.parquet"
    values = pd.Categorical(["b", None, "a"] * 500, ["z", "b", "a"], ordered=ordered)
    frame = pd.DataFrame({"c": values, "i": range(1500)})
    frame.to_parquet(path, compression=codec, row_group_size=400)
    read = cuprum.read_parquet(path)
    assert read["c"].dtype == cuprum.CategoricalDtype(["z", "b", "a"], ordered)
    assert read["c"].to_list()[:3] == ["b", None, "a"] or read["c"].isna().to_list()[:3] == [
        False,
        True,
        False,
    ]
    read.to_parquet(path, compression=codec)
    back = pd.read_parquet(path)
    pd.testing.assert_frame_equal(back, frame)


# Groups and windows, which hold handles.


def _grouped(lib):
    df = lib.DataFrame(
        {
            "k": [1, 1, 2, 2, 1],
            "c": lib.Series(["x", "y", "x", None, "x"], dtype="category"),
            "v": [1.0, 2.0, None, 4.0, 5.0],
            "t": lib.date_range("2020", periods=5),
        }
    )
    s = df.set_index("t").v
    twice = lib.DataFrame([[1, 2, 3], [1, 4, 5]], columns=["k", "v", "v"])
    return {
        "frame": df.groupby("k"),
        "column": df.groupby("k").v,
        "columns": df.groupby("k")[["v"]],
        "options": df.groupby(["k", "c"], sort=False, as_index=False, dropna=False, observed=False)[["v"]],
        "series": df.v.groupby(df.k),
        "mapping": df.v.groupby({0: "a", 1: "b", 2: "a", 3: "b"}),
        "function": s.groupby(_month),
        "level": s.groupby(level=0),
        "labels": twice.groupby("k"),
        "bins": df.groupby(lib.Grouper(key="t", freq="2D"))[["v"]],
        "bins and keys": df.groupby(["k", lib.Grouper(key="t", freq="2D")])[["v"]],
        "list of bins": df.groupby([lib.Grouper(key="t", freq="2D")])[["v"]],
        "resample": s.resample("2D"),
        "resample on": df.resample("2D", on="t").v,
        "resample of frames": df.set_index("t")[["k", "v"]].resample("12h", closed="right", label="right"),
        "rolling": s.rolling(2, min_periods=1),
        "rolling of times": df[["v", "t"]].rolling("2D", on="t"),
        "rolling of a column": df.rolling("2D", on="t").v,
        "expanding": s.expanding(2),
        "ewm": s.ewm(span=3),
        "weights": s.rolling(2, win_type="triang"),
        "rolling of groups": df.groupby("k").v.rolling(2),
        "rolling of groups by times": df.groupby("k")[["v", "t"]].rolling("2D", on="t"),
        "expanding of groups": df.groupby("k")[["v"]].expanding(),
        "ewm of groups": df.groupby("k").v.ewm(span=2),
        "resample of groups": df.set_index("t").groupby("k").resample("2D").v,
    }


def _month(label):
    return label.month


WAYS = {"pickle": lambda obj: pickle.loads(pickle.dumps(obj)), "copy": copy.copy, "deepcopy": copy.deepcopy}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", _grouped(pd))
def test_groups_and_windows(name, way):
    expected, grouped = WAYS[way](_grouped(pd)[name]), _grouped(cuprum)[name]
    again = WAYS[way](grouped)
    assert type(again) is type(grouped)
    method = "sum" if "labels" in name or "weights" in name else "mean" if "ewm" in name else "count"
    assert_like(getattr(again, method)(), getattr(expected, method)())
    assert getattr(again, method)().equals(getattr(grouped, method)())


@pytest.mark.parametrize("way", ["pickle", "deepcopy"])
def test_groups_of_what_has_changed_since(way):
    def changed(lib):
        df = lib.DataFrame({"k": [1, 1, 2], "v": [1, 2, 3]})
        groups = df.groupby("k")
        groups.v.sum()
        df["v"] = [10, 20, 30]
        df.loc[0, "k"] = 2
        return groups

    expected, groups = changed(pd), changed(cuprum)
    assert_like(WAYS[way](groups).v.sum(), WAYS[way](expected).v.sum())
    assert WAYS[way](groups).v.sum().equals(groups.v.sum())


def test_groups_take_their_columns_once():
    df = cuprum.DataFrame({"k": range(10_000), "v": range(10_000)})
    assert len(pickle.dumps(df.groupby("k"))) < 1.1 * len(pickle.dumps(df))
