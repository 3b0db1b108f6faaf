"""Labels that stay a range where those of a range meet others, printed ends, and spreads of times in groups."""

import itertools

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

INDEXES = {
    "first": pd.RangeIndex(3),
    "next": pd.RangeIndex(1, 5),
    "far": pd.RangeIndex(7, 9),
    "even": pd.RangeIndex(0, 10, 2),
    "third": pd.RangeIndex(0, 10, 3),
    "down": pd.RangeIndex(5, 0, -1),
    "stored": pd.Index([3, 4]),
    "unsorted": pd.Index([3, 1, 2]),
}
PAIRS = [
    ("first", "next"),
    ("first", "far"),
    ("first", "stored"),
    ("stored", "first"),
    ("even", "third"),
    ("down", "first"),
    ("first", "down"),
    ("first", "unsorted"),
    ("unsorted", "next"),
]


@pytest.mark.parametrize(("left", "right"), PAIRS)
@pytest.mark.parametrize(
    "code",
    [
        *(f"x.join(y, how='{how}')" for how in ("inner", "outer", "left", "right")),
        "x.merge(y, left_index=True, right_index=True, how='inner')",
        "lib.concat([x, y], axis=1)",
        "lib.concat([x, y], axis=1, join='inner')",
        "lib.concat([x, y])",
        "x['a'] + y['b']",
        "x.align(y, axis=0)[0]",
    ],
)
def test_labels_of_what_meets_a_range(code, left, right):
    x, y = INDEXES[left], INDEXES[right]
    frames = {
        "x": pd.DataFrame({"a": np.arange(len(x)) / 2}, index=x),
        "y": pd.DataFrame({"b": np.arange(len(y)) / 4}, index=y),
    }
    agree(code, **frames)
    agree(f"repr(({code}).index)", **frames)


@pytest.mark.parametrize("operation", ["union", "intersection", "append"])
@pytest.mark.parametrize(("left", "right"), PAIRS)
def test_sets_of_labels_that_are_a_range(operation, left, right):
    expected = getattr(INDEXES[left], operation)(INDEXES[right])
    ours = getattr(cuprum.Index(INDEXES[left]), operation)(cuprum.Index(INDEXES[right]))
    assert repr(ours) == repr(expected)


NUMBERS = np.arange(60).reshape(3, 20)


@pytest.mark.parametrize(
    "code",
    [
        *(f"lib.DataFrame(np.arange(60).reshape(3, 20)).to_string(max_cols={most})" for most in (1, 2, 3, 5)),
        *(f"lib.DataFrame(np.arange(60).reshape(3, 20)).to_html(max_cols={most})" for most in (1, 3)),
        "lib.DataFrame([[1, 2]], columns=[-1, 0])",
        "lib.DataFrame([[1, 2]], columns=[-1, 10])",
        "lib.DataFrame([['x', 2]], columns=[10, -1], index=[-5])",
        "lib.DataFrame([[1, 2]], columns=[1.5, -2.5])",
        "lib.DataFrame({'a': range(100)})[[]]",
        "lib.DataFrame({'a': range(9)})[[]]",
        "lib.cut(lib.Series([1, 5, 9, None]), [0, 3, 6, 10]).to_string()",
        "lib.cut(lib.Series([1, 5, 9]), [0, 3, 6, 10])",
        "lib.DataFrame({'b': lib.cut(lib.Series([1, None]), [0, 3, 6])})",
        "lib.MultiIndex.from_product([range(40), ['a', 'b', 'c']])",
        "lib.to_timedelta(['1h', None])",
        "lib.to_datetime(['2024-01-01T00:00:00+02:00'])",
        "lib.Series(lib.to_datetime(['2024-01-01T00:00:00-05:30']))",
        "lib.Series(lib.to_datetime(['2024-01-01'])).dt.tz_localize('+03:00').dtype",
    ],
)
def test_printed_to_the_letter(code):
    agree(f"repr({code})")


def test_offsets_are_read_as_they_are_printed():
    times = cuprum.to_datetime(["2024-01-01T00:00:00+02:00"])
    assert str(cuprum.Series(times).astype(str(times.dtype)).dtype) == str(times.dtype)


TIMES = pd.DataFrame(
    {
        "k": list("aabbc"),
        "d": pd.to_timedelta([1, 4, 2, None, None], unit="h"),
        "t": pd.to_datetime(
            ["2024-01-01 10:00", "2024-01-02 11:30", None, "2024-05-05 00:00", "2024-05-05 00:00"]
        ),
    }
)


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby('k')['d'].std()",
        "df.groupby('k')['d'].std(ddof=0)",
        "df.groupby('k')['d'].sem()",
        "df.groupby('k')['t'].std()",
        "df.groupby('k').std()",
        "df.groupby('k')['d'].agg(['min', 'max', 'sum', 'std', 'count'])",
        "df.groupby('k')['d'].transform('std')",
        "df.groupby('k')['d'].describe().loc[['a']].to_dict('list')",
    ],
)
def test_spreads_of_times_in_groups(code):
    agree(code, df=TIMES)


def test_days_of_zoned_times_are_those_of_clocks():
    zoned = pd.Series(pd.date_range("2024-03-08", periods=6, freq="9h", tz="US/Eastern"))
    ours = cuprum.from_pandas(zoned)
    assert ours.dt.date.astype(str).to_list() == zoned.dt.date.astype(str).to_list()
    assert ours.dt.date.dtype == "date32"


@pytest.mark.parametrize(
    "series",
    [
        pd.Series(["a", "b", "a", None], name="s"),
        pd.Series([True, False, True]),
        pd.Series(["x", "y", "x"], dtype="category"),
        pd.Series(pd.to_datetime(["2024-01-01", "2024-01-02", None])),
        pd.Series(pd.to_timedelta([-24, 2, None], unit="h")),
        pd.Series([None, None], dtype="str"),
    ],
)
def test_describe_tells_values_not_their_texts(series):
    ours = cuprum.from_pandas(series).describe()
    assert repr(ours) == repr(series.describe())
    assert ours["count"] == series.describe()["count"]
    agree("repr(s.describe(percentiles=[0.9, 0.1]))", s=series)


@pytest.mark.parametrize("index", [pd.RangeIndex(0, 10, 3), pd.RangeIndex(5, 0, -2), pd.RangeIndex(4)])
@pytest.mark.parametrize("code", ["i + 1", "i - 2", "3 - i", "i * 2", "i * -3", "-i", "i // 2", "i + 0"])
def test_ends_of_ranges_after_arithmetic(code, index):
    assert repr(eval(code, {"i": cuprum.Index(index)})) == repr(eval(code, {"i": index}))


@pytest.mark.parametrize("code", ["i.mean()", "i.std()"])
@pytest.mark.parametrize("kind", ["DatetimeIndex", "TimedeltaIndex"])
def test_means_of_times_as_labels(code, kind):
    labels = ["1D", "2h", None] if kind == "TimedeltaIndex" else ["2024-01-01", "2024-01-04", None]
    ours, theirs = (eval(code, {"i": getattr(lib, kind)(labels)}) for lib in (cuprum, pd))
    assert ours == theirs


def test_sums_of_durations_as_labels():
    ours, theirs = (lib.TimedeltaIndex(["1D", "2h", None]) for lib in (cuprum, pd))
    assert (ours.sum(), ours.median()) == (theirs.sum(), theirs.median())


@pytest.mark.parametrize(
    "rows",
    [pd.RangeIndex(0), pd.RangeIndex(1), pd.RangeIndex(6), pd.RangeIndex(1, 10, 3), pd.RangeIndex(9, 0, -4)],
)
def test_slices_of_rows_have_the_labels_of_sliced_ranges(rows):
    theirs = pd.DataFrame({"a": range(len(rows))}, index=rows)
    ours = cuprum.from_pandas(theirs)
    for start, stop, step in itertools.product((None, 1, 4, -2), (None, 0, 2, 5), (None, 2, 3, -1, -2)):
        part = slice(start, stop, step)
        assert repr(ours.iloc[part].index) == repr(theirs.iloc[part].index)
        assert repr(ours.index[part]) == repr(theirs.index[part])
        assert repr(ours["a"].iloc[part]) == repr(theirs["a"].iloc[part])
        # Of all rows pandas gives the range itself from `iloc`, one with another end from `[]`.
        assert repr(ours[part].index) == repr(theirs[part].index) or part == slice(None)
    assert repr(ours.loc[:3:2].index) == repr(theirs.loc[:3:2].index)
    assert repr(ours.loc[::-1].index) == repr(theirs.loc[::-1].index)


@pytest.mark.parametrize(
    "labels", [[f"k{i:03d}" for i in range(300)], range(300), [i // 2 for i in range(300)]]
)
def test_lists_of_labels_are_found_by_the_order_that_look_ups_leave_behind(labels):
    theirs = pd.DataFrame(
        {"a": range(300)}, index=pd.Index(np.random.default_rng(1).permutation(list(labels)))
    )
    ours = cuprum.DataFrame({"a": range(300), "k": theirs.index}).set_index("k").rename_axis(None)
    wanted, absent = [theirs.index[7], theirs.index[299], theirs.index[7]], type(theirs.index[0])(999)
    for _ in range(5):  # the first ones compare all labels
        assert repr(ours.loc[wanted]) == repr(theirs.loc[wanted])
        if theirs.index.is_unique:
            assert repr(ours.reindex([*wanted, absent])) == repr(
                cuprum.from_pandas(theirs).reindex([*wanted, absent])
            )
            assert (
                ours.index.get_indexer([absent, *wanted]).tolist()
                == theirs.index.get_indexer([absent, *wanted]).tolist()
            )
        with pytest.raises(KeyError, match="999"):
            ours.loc[[wanted[0], absent]]
