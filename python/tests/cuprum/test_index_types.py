"""Row labels of every type: zones, categories, decimals, durations; in and out, looked up, set operations."""

import decimal
import itertools
import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import strategies as st
from oracle import agree, given

import cuprum

D = decimal.Decimal
ZONE = "Europe/Berlin"
# Over the hour that clocks show twice, and longer than what is compared one by one.
NIGHT = pd.Series(range(6), index=pd.date_range("2020-10-24 22:00", periods=6, freq="h", tz=ZONE))
LONG = pd.Series(range(200), index=pd.date_range("2020-10-23 22:00", periods=200, freq="37min", tz=ZONE))
SHUFFLED = LONG.sample(200, random_state=1)
KINDS = pd.Series([1, 2, 3], index=pd.CategoricalIndex(["b", "a", "b"], categories=["b", "a", "z"], name="k"))
SPANS = pd.Series([1.0, 2.0], index=pd.TimedeltaIndex([86_400_000_000_001, -5]))
TABLE = pd.DataFrame(
    {
        "k": pd.Categorical(["x", "y", "x"], categories=["y", "x"]),
        "t": pd.date_range("2020", periods=3, tz="UTC"),
        "v": [1, 2, 3],
    }
)
LABELS = {
    "night": NIGHT,
    "long": LONG,
    "shuffled": SHUFFLED,
    "offset": pd.Series([1], index=pd.DatetimeIndex(["2020-01-01 05:00"]).tz_localize("+05:30")),
    "missing": pd.Series([1, 2], index=pd.DatetimeIndex(["2020-01-01", None], tz=ZONE)),
    "kinds": KINDS,
    "ordered": pd.Series([1, 2], index=pd.CategoricalIndex([2, None], categories=[3, 2], ordered=True)),
    "spans": SPANS,
    "levels": TABLE.set_index(["k", "t"])["v"],
}


@pytest.mark.parametrize("name", LABELS)
def test_in_and_out_of_pandas_and_pickles(name):
    theirs = LABELS[name]
    ours = cuprum.from_pandas(theirs)
    for again in (ours, pickle.loads(pickle.dumps(ours)), ours.copy(deep=True), ours.iloc[::-1].iloc[::-1]):
        pd.testing.assert_series_equal(again.to_pandas(), theirs, check_freq=False)
        assert type(again.index).__name__ == type(theirs.index).__name__
    pd.testing.assert_frame_equal(ours.reset_index().to_pandas(), theirs.reset_index())
    assert repr(ours.index).splitlines()[0].split("(")[0] == type(theirs.index).__name__


@pytest.mark.parametrize("name", ["night", "long", "offset", "missing", "spans"])
def test_labels_in_parquet_and_arrow(name, tmp_path):
    theirs = LABELS[name].rename("v").rename_axis("label").to_frame()
    ours = cuprum.from_pandas(theirs)
    path = tmp_path / "labels.parquet"
    ours.to_parquet(path)
    pd.testing.assert_frame_equal(cuprum.read_parquet(path).to_pandas(), theirs, check_freq=False)
    pd.testing.assert_frame_equal(pd.read_parquet(path), theirs, check_freq=False)
    theirs.to_parquet(path)
    pd.testing.assert_frame_equal(cuprum.read_parquet(path).to_pandas(), theirs, check_freq=False)
    assert pa.array(ours.reset_index()["label"]).equals(pa.array(theirs.reset_index()["label"]))


@pytest.mark.parametrize("labels", ["night", "long", "shuffled"])
@pytest.mark.parametrize(
    "key",
    [
        "'2020-10-24'",
        "'2020-10-25'",
        "'2020-10'",
        "'2020'",
        "'2020-10-24 23'",
        "pd.Timestamp('2020-10-24 22:00', tz='Europe/Berlin')",
        "pd.Timestamp('2020-10-24 20:00', tz='UTC')",
        "'2020-10-24 20:00Z'",
    ],
)
def test_instants_are_found(labels, key):
    series = LABELS[labels]
    try:
        eval(f"series.loc[{key}]")
    except KeyError:
        with pytest.raises(KeyError):
            eval(f"cuprum.from_pandas(series).loc[{key}]")
        return
    agree(lambda lib, s: eval(f"s.loc[{key}]", {"s": s, "pd": pd}), s=series)


@pytest.mark.parametrize(
    "key",
    [
        "'2020-10-24 23':'2020-10-25 01'",
        "'2020-10-25':",
        ":'2020-10-24'",
        "pd.Timestamp('2020-10-24 23:00', tz='Asia/Tokyo'):",
        "[pd.Timestamp('2020-10-24 22:00', tz='Europe/Berlin')]",
    ],
)
def test_instants_are_sliced(key):
    for series in (NIGHT, LONG):
        if key.startswith("["):
            series = NIGHT
        agree(lambda lib, s: eval(f"s.loc[{key}]", {"s": s, "pd": pd}), s=series)


@pytest.mark.parametrize(
    "key",
    ["pd.Timestamp('2020-10-24 23:00')", "'2020-10-25 02'", "np.datetime64('2020-10-24T21:00')", "5", "True"],
)
def test_clocks_are_no_instants(key):
    for series in (NIGHT, LONG):
        names = {"pd": pd, "np": np}
        with pytest.raises(KeyError):
            eval(f"s.loc[{key}]", {"s": series, **names})
        with pytest.raises(KeyError):
            eval(f"s.loc[{key}]", {"s": cuprum.from_pandas(series), **names})
    clocks = cuprum.from_pandas(NIGHT.tz_localize(None))
    with pytest.raises(KeyError):
        clocks.loc[NIGHT.index[0]]
    with pytest.raises(TypeError, match="cannot slice"):
        clocks.sort_index().loc[NIGHT.index[0] :]


@pytest.mark.parametrize(
    "expression",
    [
        "s.index",
        "s.index.hour",
        "s.index.day",
        "s.index.is_month_start",
        "s.index[0]",
        "s.index[1] in s.index",
        "s.index.tz_convert('UTC')",
        "s.index.tz_convert(None)",
        "s.index.tz_localize(None)",
        "s.index.tz_localize(None).tz_localize('UTC')",
        "s.index.get_loc(s.index[2])",
        "s.index.get_indexer(s.index[[3, 1]])",
        "s.index.append(s.index)",
        "s.index.union(s.index[:2])",
        "s.index.intersection(s.index[2:])",
        "s.index.difference(s.index[2:])",
        "s.index.symmetric_difference(s.index[2:])",
        "s.index.isin([s.index[1]])",
        "s.isin([4])",
        "s.index.to_series().isin([s.index[1]])",
        "s.index.to_series().isin(s.index[:2].tz_convert('UTC'))",
        "s.index.to_series().isin(s.index[:2].tz_localize(None))",
        "s.index == s.index[1]",
        "s.index - s.index[0]",
        "s.index.min()",
        "s.index.max()",
        "s.index.normalize()",
        "s.index.floor('D')",
        "s.index.unique()",
        "s.index.strftime('%H %d')",
        "s.index.day_name()",
        "s.index.to_list()",
        "s.index.unit",
        "s.index.equals(s.index.tz_convert('UTC'))",
        "s.index.insert(1, s.index[4])",
        "s.index.delete([0, 2])",
        "s.index.repeat(2)",
        "s.index.searchsorted(s.index[3])",
        "s.reindex(s.index[2:4])",
        "s.drop(s.index[0])",
        "s[::-1].sort_index()",
        "s.reset_index()",
        "lib.concat([s, s])",
        "s.to_frame('v').groupby(level=0).sum()",
        "s.to_frame('v').groupby(s.index.hour).sum()",
        "s.to_frame('v').join(s.to_frame('w')[2:])",
        "s.to_frame('v').T.columns",
        "s.to_frame('v').T.iloc[:, 1:3]",
    ],
)
def test_zoned_labels(expression):
    agree(expression, s=NIGHT)


def test_instants_meet_by_their_moment():
    ours, tokyo = cuprum.from_pandas(NIGHT), cuprum.from_pandas(NIGHT[2:].tz_convert("Asia/Tokyo"))
    total = ours + tokyo
    assert str(total.index.dtype) == "datetime64[us, UTC]"
    expected = NIGHT.tz_convert("UTC") + NIGHT[2:].tz_convert("UTC")
    pd.testing.assert_series_equal(total.to_pandas(), expected, check_freq=False, check_dtype=False)
    with pytest.raises(TypeError, match="cannot match keys"):
        ours + cuprum.from_pandas(NIGHT.tz_localize(None))


def test_zones_are_called_by_name():
    index = cuprum.from_pandas(NIGHT).index
    assert index.tz == index.tzinfo == NIGHT.index.tz
    shown = repr(NIGHT.index)
    assert repr(index) == shown


@pytest.mark.parametrize(
    "expression",
    [
        "s.loc['b']",
        "s.loc['a']",
        "s.loc[['a']]",
        "s.index.codes",
        "s.index.categories",
        "s.index.ordered",
        "s.index.get_loc('a')",
        "s.index.get_loc('b')",
        "'a' in s.index",
        "'q' in s.index",
        "s.sort_index()",
        "s.sort_index().loc['b':'a']",
        "s.reset_index()",
        "s.index.unique()",
        "s.index.append(s.index)",
        "s.index.append(lib.Index(['q']))",
        "s.index.insert(0, 'z')",
        "s.groupby(level=0).sum()",
        "s.index.isin(['a', 'q'])",
        "s.index == 'a'",
        "s.index.to_list()",
        "s.index.astype(str)",
        "s.index.as_ordered().min()",
        "s.index.as_ordered().as_unordered()",
        "s.index.equals(lib.Index(['b', 'a', 'b']))",
        "s.index.nunique()",
        "s.index.is_monotonic_increasing",
        "s.index.duplicated()",
        "s.index.drop_duplicates(keep=False)",
        "s.index.union(s.index[:1])",
        "s.index.intersection(s.index[:1])",
        "s.index.difference(s.index[:1])",
        "s.index.factorize()",
        "s.to_dict()",
        "s.iloc[1:].index.get_indexer(['b', 'q'])",
    ],
)
def test_categories_as_labels(expression):
    agree(expression, s=KINDS)


@pytest.mark.parametrize("key", ["'z'", "'q'", "1"])
def test_categories_without_rows_are_not_found(key):
    with pytest.raises(KeyError):
        eval(f"s.loc[{key}]", {"s": cuprum.from_pandas(KINDS)})


@pytest.mark.parametrize(
    "expression",
    [
        "f.groupby('k').sum(numeric_only=True)",
        "f.groupby('k').sum(numeric_only=True).index",
        "f.groupby(['k', 'v']).size().reset_index(name='n')",
        "f.set_index('k')",
        "f.set_index('k').index",
        "f.set_index(['k', 'v']).index.levels[0]",
        "f.set_index(['k', 'v']).index.codes[0].tolist()",
        "f.set_index(['k', 't']).reset_index()",
        "f.set_index(['k', 'v']).loc['x']",
        "f['k'].value_counts()",
        "f.merge(f.set_index('k')[['v']], left_on='k', right_index=True)",
        "f.set_index('t').loc['2020-01-02', 'v']",
    ],
)
def test_typed_columns_as_labels(expression):
    agree(expression, f=TABLE)


# Offsets are called `+05:30`, in pandas `UTC+05:30`.
@pytest.mark.parametrize("index", sorted(set(LABELS) - {"offset"}))
def test_indexes_are_printed_as_in_pandas(index):
    theirs = LABELS[index].index
    if isinstance(theirs, pd.DatetimeIndex):
        theirs = theirs._with_freq(None)
    assert repr(cuprum.Index(theirs)) == repr(theirs)


@pytest.mark.parametrize(
    "expression",
    [
        "lib.CategoricalIndex(list('abcdefghijkl'))",
        "lib.CategoricalIndex([3, 1, None], name='n')",
        "lib.CategoricalIndex(['a', 'b'], categories=['b', 'a', 'z'], ordered=True)",
        "lib.DatetimeIndex(['2020-01-01', '2020-01-02'], tz='Europe/Berlin', name='n')",
        "lib.DatetimeIndex([1, 2])",
        "lib.TimedeltaIndex([1, 86_400_000_000_000])",
        "lib.Index([1.5, None, -22.25])",
        "lib.Index(list(range(1000, 1040)))",
        "lib.Index([f'word {i}' for i in range(30)], name='words')",
        "lib.Index(list(range(300)) + [7])",
        "lib.Index(['one label that is too long for a line of eighty characters and so on and so on'])",
    ],
)
def test_long_indexes_are_printed_as_in_pandas(expression):
    theirs = eval(expression, {"lib": pd})
    assert repr(eval(expression, {"lib": cuprum})) == repr(theirs)


def test_decimals_as_labels():
    series = cuprum.Series([1, 2, 3], index=[D("1.5"), D("2"), D("-0.1")])
    assert [series.loc[key] for key in (D("1.50"), 1.5, 2, 2.0, D("-0.1"))] == [1, 1, 2, 2, 3]
    for key in (D("1.55"), 0.1, -0.1, "1.5", True):  # no float is -0.1
        with pytest.raises(KeyError):
            series.loc[key]
    assert series.index.to_list() == [D("1.5"), D("2"), D("-0.1")]
    assert series.sort_index().to_list() == [3, 1, 2]
    assert series.loc[[D("2"), D("1.5")]].to_list() == [2, 1]
    assert series.reset_index()["index"].dtype == series.index.dtype
    assert (series + series.iloc[:2]).to_list()[1:] == [2, 4]
    assert series.index.isin([D("2.00")]).tolist() == [False, True, False]


def test_integers_beyond_63_bits_are_found():
    series = cuprum.Series([1, 2], index=[2**63 + 1, 5])
    assert (series.loc[2**63 + 1], series.loc[5]) == (1, 2)
    with pytest.raises(KeyError):
        series.loc[2**63]


def test_what_is_no_label_is_refused():
    for values in (pa.array([[1]]), pa.array([{"a": 1}]), pa.array([b"x"])):
        with pytest.raises(TypeError, match="row labels"):
            cuprum.Index(cuprum.Series.from_arrow(values))


@pytest.mark.parametrize(
    "expression",
    [
        "lib.TimedeltaIndex([10**9, -2]).days",
        "lib.TimedeltaIndex([10**9, -2]).seconds.to_list()",
        "lib.TimedeltaIndex([1_500_001, -2]).microseconds.to_list()",
        "lib.TimedeltaIndex([1_500_001, -2]).nanoseconds.to_list()",
        "lib.TimedeltaIndex([10**9, 2]).total_seconds()",
        "lib.TimedeltaIndex([10**9, 2]) + lib.TimedeltaIndex([1, 1])",
        "lib.Series([1, 2], index=lib.TimedeltaIndex([10**9, 2])).sort_index()",
    ],
)
def test_durations_as_labels(expression):
    agree(expression)


RANGES = [
    range(5),
    range(0),
    range(2, 20, 3),
    range(10, -5, -5),
    range(7, 8),
    range(-3, 4, 2),
    range(0, 6, 5),
]
OPERATIONS = ["union", "intersection", "difference", "symmetric_difference"]


@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize("sort", [None, True, False])
def test_set_operations_of_ranges_in_order(op, sort):
    for a, b in itertools.product(RANGES, RANGES):
        ours = getattr(cuprum.RangeIndex(a), op)(cuprum.RangeIndex(b), sort=sort)
        theirs = getattr(pd.RangeIndex(a), op)(pd.RangeIndex(b), sort=sort)
        assert ours.to_list() == theirs.to_list(), (a, b)
        if type(theirs) is pd.RangeIndex and sort is None:
            assert type(ours) is cuprum.RangeIndex, (a, b)


INSTANTS = pd.DatetimeIndex(["2020-01-01", "2020-01-02", "2020-10-25"], tz=ZONE)
VALUES = {
    "ints": pd.Index([3, 1, 2]),
    "floats": pd.Index([1.0, 2.5, float("nan")]),
    "texts": pd.Index(["b", "a", "c"]),
    "instants": INSTANTS,
    "kinds": pd.CategoricalIndex(["a", "b", "c"], categories=["c", "a", "b"]),
    "levels": pd.MultiIndex.from_product([["b", "a"], [1, 0]]),
}


@given(
    st.sampled_from(sorted(VALUES)),
    st.lists(st.integers(0, 2), min_size=1, max_size=5),
    st.lists(st.integers(0, 2), min_size=1, max_size=5),
    st.sampled_from(OPERATIONS),
    st.sampled_from([None, False, True]),
)
def test_set_operations_of_every_type(kind, a, b, op, sort):
    a, b = VALUES[kind].take(a), VALUES[kind].take(b)
    theirs = getattr(a, op)(b, sort=sort)
    ours = getattr(cuprum.Index(a), op)(cuprum.Index(b), sort=sort)
    assert repr(ours.to_list()) == repr(theirs.to_list())


@pytest.mark.parametrize(
    "expression",
    [
        "lib.Index(['b', 'a', None, 'b']).factorize()",
        "lib.Index(['b', 'a', None, 'b']).factorize(sort=True)",
        "lib.Index([2.5, 1.0, 2.5, None]).factorize(use_na_sentinel=False)",
        "lib.Index(['b', 'a', 'b']).get_indexer_non_unique(['b', 'z', 'a'])",
        "lib.Index(['b', 'a', 'b']).get_indexer_for(['b', 'z'])",
        "lib.Index([1, 2]).get_indexer(['a', 'b'])",
        "lib.Index([1, 2]).get_indexer([2.0, 1.5])",
        "lib.RangeIndex(5).get_indexer([4, 7])",
        "lib.RangeIndex(5).delete(0)",
        "lib.RangeIndex(5).insert(5, 5)",
        "lib.RangeIndex(5).insert(0, 2.5)",
        "lib.Index([1, 2]).insert(1, 'a')",
        "lib.Index(['a', 'c']).insert(-1, 'b')",
        "lib.Index(['a', 'c']).delete(-1)",
        "lib.Index(['a', 'c']).delete(slice(0, 1))",
        "lib.Index([1, 3, 3, 5]).searchsorted(3)",
        "lib.Index([1, 3, 3, 5]).searchsorted([0, 3, 9], side='right')",
        "lib.Index([1, 3, 3, 5]).slice_locs(2, 3)",
        "lib.Index([1, 3, 3, 5]).slice_indexer(3)",
        "lib.Index([1, 'a', 1]).duplicated()",
        "lib.Index([1, 'a', 1]).drop_duplicates(keep='last')",
        "lib.Index([1, 'a', 1]).isin(['a'])",
        "lib.Index([1, 'a']).get_indexer(['a', 'b'])",
        "lib.Index([1, 2]).isin(['a'])",
        "lib.MultiIndex.from_tuples([('a', 1), ('b', 2)]).isin([('a', 1)])",
        "lib.MultiIndex.from_tuples([('a', 1), ('b', 2)]).get_indexer([('b', 2), ('b', 1)])",
        "lib.MultiIndex.from_tuples([('a', 1), ('b', 2)]).insert(1, ('z', 0))",
        "lib.MultiIndex.from_tuples([('a', 1), ('b', 2)]).delete(0)",
    ],
)
def test_places_and_edits(expression):
    agree(expression)


def test_objects_that_are_tuples_stay_labels_of_one_level():
    index = pd.Index([("a", 1), ("b", 2)], tupleize_cols=False, name="n")
    ours = cuprum.Index(index)
    assert (ours.nlevels, ours.to_list(), ours.name) == (1, index.to_list(), "n")


def test_rows_that_are_not_there_are_refused():
    index = cuprum.Index([1, 2])
    with pytest.raises(IndexError, match="out of bounds"):
        index.insert(3, 1)
    with pytest.raises(IndexError):
        index.delete(2)
    with pytest.raises(ValueError, match="repeats"):
        index.repeat(-1)
    with pytest.raises(ValueError, match="uniquely valued"):
        cuprum.Index([1, 1]).get_indexer([1])


@pytest.mark.parametrize(
    "expression",
    [
        "lib.CategoricalIndex(['a', 'b', 'a']).map(str.upper)",
        "lib.CategoricalIndex(['a', 'b', None], name='k').map({'a': 3, 'b': 1})",
        "lib.CategoricalIndex(['c', 'a'], categories=['c', 'b', 'a'], ordered=True).map({'a': 1, 'b': 2, 'c': 3})",
        "lib.CategoricalIndex(['a', 'b']).equals(lib.CategoricalIndex(['a', 'b'], categories=['b', 'a']))",
        "lib.CategoricalIndex(['a', 'b']).equals(lib.CategoricalIndex(['a', 'b'], categories=['a', 'b', 'c']))",
        "lib.CategoricalIndex(['a', 'b']).equals(lib.CategoricalIndex(['a', 'b'], ordered=True))",
        "lib.CategoricalIndex(['a', 'b']).equals(lib.Index(['a', 'b']))",
        "lib.Index(list('abbc')).get_loc('b')",
        "lib.Index(list('abcb')).get_loc('b')",
        "lib.MultiIndex.from_arrays([[1, 2], [3, 4]], names=['x', None]).dtypes.index",
    ],
)
def test_of_categories_and_of_labels_that_repeat(expression):
    agree(expression)


@pytest.mark.parametrize("value", ["42", "3.5", 7, 2.5])
def test_numbers_of_single_texts(value):
    found, expected = cuprum.to_numeric(value), pd.to_numeric(value)
    assert found == expected and isinstance(found, (int, float, np.generic))


@pytest.mark.parametrize("op", ["intersection", "difference", "symmetric_difference", "union"])
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("[1.0, np.nan]", "['a', None]"),
        ("['a', None]", "[1.0, np.nan]"),
        ("[1.0, 2.0]", "['a', None]"),
        ("[1.0, np.nan]", "['a']"),
    ],
)
def test_labels_of_unlike_kinds_share_a_missing_one(op, a, b):
    def labels(lib):
        found = getattr(lib.Index(eval(a)), op)(lib.Index(eval(b))).to_list()
        return ["missing" if label is None or label != label else label for label in found]

    assert labels(cuprum) == labels(pd)
