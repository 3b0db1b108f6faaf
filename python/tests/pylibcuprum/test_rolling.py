"""Windows beside pandas, and ranges beside their definition."""

import datetime as dt
import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from pylibcuprum import Column, DataType, Scalar, Table, TypeId, aggregation, rolling
from pylibcuprum.types import NullOrder, NullPolicy, Order

NAN = math.nan
INT32, INT64, FLOAT64 = (DataType(t) for t in (TypeId.INT32, TypeId.INT64, TypeId.FLOAT64))
RANDOM = np.random.default_rng(5)
VALUES = [None if RANDOM.random() < 0.2 else round(RANDOM.normal() * 10, 3) for _ in range(200)]


def column(values, dtype=None):
    return Column.from_iterable_of_py(values, dtype)


def close(found, expected):
    assert len(found) == len(expected)
    for row, (a, b) in enumerate(zip(found, expected, strict=True)):
        b = None if b is None or b != b else b
        assert (a is None) == (b is None) and (
            a is None or math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)
        ), (
            row,
            a,
            b,
        )


@pytest.mark.parametrize("name", ["sum", "min", "max", "mean", "variance", "std", "count"])
@pytest.mark.parametrize("size", [1, 2, 7, 64, 500])
def test_fixed_windows_as_pandas(name, size):
    values = column(VALUES, FLOAT64)
    series = pd.Series(VALUES, dtype="float64")
    for min_periods in {1, min(3, size), size}:
        windows = series.rolling(size, min_periods=min_periods)
        if name == "count":
            expected = series.rolling(size, min_periods=0).count()
            found = rolling.rolling_window(values, size, 0, 0, aggregation.count(NullPolicy.EXCLUDE))
            assert found.type() == INT32
        else:
            expected = getattr(windows, {"variance": "var"}.get(name, name))()
            found = rolling.rolling_window(values, size, 0, min_periods, getattr(aggregation, name)())
            assert found.type() == FLOAT64
        close(found.to_pylist(), expected.tolist())


@pytest.mark.parametrize("size", [2, 3, 8])
def test_centred_and_forward_windows_as_pandas(size):
    values, series = column(VALUES, FLOAT64), pd.Series(VALUES, dtype="float64")
    following = (size - 1) // 2
    found = rolling.rolling_window(values, size - following, following, 1, aggregation.sum())
    close(found.to_pylist(), series.rolling(size, min_periods=1, center=True).sum().tolist())
    ahead = series.rolling(pd.api.indexers.FixedForwardWindowIndexer(window_size=size), min_periods=1)
    found = rolling.rolling_window(values, 1, size - 1, 1, aggregation.max())
    close(found.to_pylist(), ahead.max().tolist())


@pytest.mark.parametrize("name", ["sum", "min", "std", "nunique"])
def test_windows_of_any_size_as_pandas(name):
    before, behind = RANDOM.integers(1, 9, 200), RANDOM.integers(0, 5, 200)

    class Sizes(pd.api.indexers.BaseIndexer):
        def get_window_bounds(self, num_values=0, min_periods=None, center=None, closed=None, step=None):
            here = np.arange(num_values)
            return np.maximum(here + 1 - before, 0), np.minimum(here + 1 + behind, num_values)

    windows = pd.Series(VALUES, dtype="float64").rolling(Sizes(), min_periods=1)
    # pandas' own extremes take windows that slide.
    expected = windows.apply(lambda window: getattr(window, name)())
    sizes = column(before.tolist()), column(behind.tolist())
    found = rolling.rolling_window(column(VALUES, FLOAT64), *sizes, 1, getattr(aggregation, name)())
    close(found.to_pylist(), expected.tolist())


def test_elements_of_windows():
    values = column(["b", None, "a", "a"])

    def windows(agg, min_periods=1):
        return rolling.rolling_window(values, 2, 1, min_periods, agg).to_pylist()

    assert windows(aggregation.min()) == ["b", "a", "a", "a"]
    assert windows(aggregation.argmin()) == [0, 2, 2, 2]
    assert windows(aggregation.count()) == [2, 3, 3, 2]
    assert windows(aggregation.nunique()) == [1, 2, 1, 1]
    assert windows(aggregation.nunique(NullPolicy.INCLUDE), 0) == [2, 3, 2, 1]
    assert windows(aggregation.nth_element(-1)) == [None, "a", "a", "a"]
    assert windows(aggregation.nth_element(0, NullPolicy.EXCLUDE), 3) == [None, "b", "a", None]
    assert windows(aggregation.collect_list()) == [
        ["b", None],
        ["b", None, "a"],
        [None, "a", "a"],
        ["a", "a"],
    ]
    assert windows(aggregation.collect_list(NullPolicy.EXCLUDE), 3) == [None, ["b", "a"], ["a", "a"], None]
    assert windows(aggregation.collect_set()) == [["b", None], ["b", None, "a"], [None, "a"], ["a"]]
    assert rolling.rolling_window(column([1.0, NAN, 2.0]), 2, 0, 1, aggregation.max()).to_pylist()[0] == 1.0
    sums = rolling.rolling_window(column([1.0, NAN, 2.0, 3.0]), 2, 0, 1, aggregation.sum()).to_pylist()
    assert [sums[0], sums[3]] == [1.0, 5.0] and all(map(math.isnan, sums[1:3]))
    assert rolling.rolling_window(column([], INT64), 2, 0, 1, aggregation.sum()).to_pylist() == []


def test_types_that_have_an_aggregation():
    texts = DataType(TypeId.STRING)
    assert rolling.is_valid_rolling_aggregation(texts, aggregation.max())
    assert not rolling.is_valid_rolling_aggregation(texts, aggregation.sum())
    assert not rolling.is_valid_rolling_aggregation(INT64, aggregation.any())
    with pytest.raises(NotImplementedError, match="SUM"):
        rolling.rolling_window(column(["a"]), 1, 0, 1, aggregation.sum())
    with pytest.raises(NotImplementedError, match="PRODUCT"):
        rolling.rolling_window(column([1]), 1, 0, 1, aggregation.product())


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0, 0, 1), ValueError, "`preceding` is 0 and `following` is 0"),
        ((2, -2, 1), ValueError, "`following` is -2"),
        ((1, 0, -1), ValueError, "`min_periods` is -1"),
        ((1.5, 0, 1), TypeError, "preceding_window"),
        ((Column.from_iterable_of_py([1, None, 2]), 0, 1), ValueError, "`preceding` has nulls"),
        ((Column.from_iterable_of_py([1]), 0, 1), RuntimeError, "`preceding` has 1 rows"),
        ((Column.from_iterable_of_py(["a"] * 3), 0, 1), TypeError, "`preceding` must be of integers"),
    ],
)
def test_what_is_no_window(arguments, error, message):
    with pytest.raises(error, match=message):
        rolling.rolling_window(column([1, 2, 3]), *arguments, aggregation.sum())


def test_ranges_of_times_as_pandas():
    steps = RANDOM.integers(0, 4, 100)
    times = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.cumsum(steps), unit="h")
    series = pd.Series(RANDOM.integers(-50, 50, 100).astype("float64"), index=times)
    keys, orderby = Table([], 100), Column.from_arrow(pa.array(times.to_numpy().astype("datetime64[ns]")))
    day = Scalar.from_arrow(pa.scalar(dt.timedelta(hours=6), pa.duration("ns")))
    order = Order.ASCENDING, NullOrder.BEFORE
    for closed, preceding, following in [
        ("right", rolling.BoundedOpen(day), rolling.CurrentRow()),
        ("both", rolling.BoundedClosed(day), rolling.CurrentRow()),
    ]:
        request = rolling.RollingRequest(column(series.tolist()), 1, aggregation.sum())
        found = rolling.grouped_range_rolling_window(keys, orderby, *order, preceding, following, [request])
        # pandas ends a window at its row, also among rows of one time: the last of them is compared.
        last = ~pd.Series(times).duplicated(keep="last").to_numpy()
        expected = series.rolling("6h", closed=closed).sum()
        close(np.array(found.columns()[0].to_pylist())[last].tolist(), expected[last].tolist())


def test_ranges_of_groups():
    keys = Table([column(["a", "a", "a", "b", "b", "b"])])
    orderby = column([5, 3, None, 9, 9, 1])
    values = column([1, 2, 4, 8, 16, 32])
    order = Order.DESCENDING, NullOrder.BEFORE

    def sums(preceding, following):
        requests = [
            rolling.RollingRequest(values, 1, aggregation.sum()),
            rolling.RollingRequest(values, 3, aggregation.count()),
        ]
        found = rolling.grouped_range_rolling_window(keys, orderby, *order, preceding, following, requests)
        return [c.to_pylist() for c in found.columns()]

    two, eight = (rolling.BoundedClosed(Scalar.from_py(delta)) for delta in (2, 8))
    current, unbounded = rolling.CurrentRow(), rolling.Unbounded()
    assert sums(two, current) == [[1, 3, 4, 24, 24, 32], [None] * 6]
    assert sums(unbounded, current)[0] == [1, 3, 7, 24, 24, 56]
    assert sums(current, unbounded) == [[7, 6, 4, 56, 56, 32], [3, None, None, 3, 3, None]]
    assert sums(eight, eight)[0] == [3, 3, 4, 56, 56, 56]
    assert sums(rolling.BoundedOpen(Scalar.from_py(8)), current)[0] == [1, 3, 4, 24, 24, 32]
    windows = rolling.make_range_windows(keys, orderby, *order, two, current)
    assert [c.to_pylist() for c in windows] == [[1, 2, 1, 1, 2, 1], [0, 0, 0, 1, 0, 0]]
    assert all(c.type() == INT32 for c in windows)


@pytest.mark.parametrize(
    ("delta", "error", "message"),
    [
        (Scalar.from_py(1.5), TypeError, "`preceding` is of float64"),
        (Scalar.from_arrow(pa.scalar(None, pa.int64())), ValueError, "delta of `preceding`"),
        (1, TypeError, "preceding.delta"),
    ],
)
def test_what_is_no_range(delta, error, message):
    keys, order = Table([], 2), (Order.ASCENDING, NullOrder.BEFORE)
    with pytest.raises(error, match=message):
        rolling.make_range_windows(
            keys, column([1, 2]), *order, rolling.BoundedClosed(delta), rolling.CurrentRow()
        )


def test_ranges_of_unsorted_values_are_refused():
    keys, current = Table([], 2), rolling.CurrentRow()
    with pytest.raises(ValueError, match="`orderby` is not sorted at row 1"):
        rolling.make_range_windows(keys, column([2, 1]), Order.ASCENDING, NullOrder.BEFORE, current, current)
    with pytest.raises(TypeError, match="`following` must be an Unbounded"):
        rolling.make_range_windows(keys, column([1, 2]), Order.ASCENDING, NullOrder.BEFORE, current, 3)
    request = rolling.RollingRequest(column([1]), 1, aggregation.sum())
    with pytest.raises(ValueError, match="the values have 1 rows"):
        rolling.grouped_range_rolling_window(
            keys, column([1, 2]), Order.ASCENDING, NullOrder.BEFORE, current, current, [request]
        )


def test_ranges_without_groups():
    days = Column.from_iterable_of_py([1, 2, 2, 5])
    day, order = rolling.BoundedClosed(Scalar.from_py(1)), (Order.ASCENDING, NullOrder.BEFORE)
    request = rolling.RollingRequest(days, 1, aggregation.collect_list())
    for keys in (Table([]), Table([], 4), Table([Column.from_iterable_of_py([7] * 4)])):
        windows = rolling.make_range_windows(keys, days, *order, day, rolling.CurrentRow())
        assert [rows.to_pylist() for rows in windows] == [[1, 2, 3, 1], [0, 1, 0, 0]]
        (got,) = rolling.grouped_range_rolling_window(
            keys, days, *order, day, rolling.CurrentRow(), [request]
        ).columns()
        assert got.to_pylist() == [[1], [1, 2, 2], [1, 2, 2], [5]]
