"""Sorting, searching, merging, distinct rows, reductions, groups and joins, beside pandas and NumPy."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from pylibcuprum import (
    Column,
    DataType,
    Scalar,
    Table,
    TypeId,
    aggregation,
    copying,
    expressions,
    join,
    merge,
    quantiles,
    reduce,
    search,
    sorting,
    stream_compaction,
)
from pylibcuprum.groupby import GroupBy, GroupByRequest
from pylibcuprum.replace import ReplacePolicy
from pylibcuprum.types import (
    Interpolation,
    NanEquality,
    NanPolicy,
    NullEquality,
    NullOrder,
    NullPolicy,
    Order,
)

NAN = math.nan
FLOATS = [2.0, None, NAN, -1.0, 2.0, None, -0.0, 0.0, NAN, math.inf, -math.inf]
INT32, INT64, FLOAT64 = (DataType(t) for t in (TypeId.INT32, TypeId.INT64, TypeId.FLOAT64))


def column(values, dtype=None):
    return Column.from_iterable_of_py(values, dtype)


def floats(values):
    return column(values, FLOAT64)


def plain(values):
    """The values with NaN as a text, which equals itself."""
    return ["nan" if isinstance(v, float) and math.isnan(v) else v for v in values]


def rows(table):
    return list(zip(*(plain(c.to_pylist()) for c in table.columns()), strict=True))


def rank(value, nulls):
    """The place of a value: nulls below or above all others, NaN the largest number."""
    if value is None:
        return (0 if nulls is NullOrder.BEFORE else 3, 0)
    if isinstance(value, float) and math.isnan(value):
        return (2, 0)
    return (1, value)


@pytest.mark.parametrize(("first", "second"), list(itertools.product(Order, Order)))
@pytest.mark.parametrize("nulls", list(itertools.product(NullOrder, NullOrder)))
def test_order_and_precedence_of_each_key(first, second, nulls):
    keys = [[1, None, 1, 2, 2, None, 1, 1, 2, 1, None], FLOATS]
    table = Table([column(keys[0]), floats(keys[1])])
    order = list(range(len(FLOATS)))
    for key, direction, precedence in reversed(list(zip(keys, (first, second), nulls, strict=True))):
        order.sort(key=lambda row: rank(key[row], precedence), reverse=direction is Order.DESCENDING)
        if direction is Order.DESCENDING:
            # Python's reverse sort keeps equal rows in their order.
            continue
    arguments = [first, second], list(nulls)
    found = sorting.sorted_order(table, *arguments)
    assert found.type() == INT32
    assert found.to_pylist() == order
    assert sorting.stable_sorted_order(table, *arguments).to_pylist() == order
    sorted_table = sorting.sort(table, *arguments)
    assert rows(sorted_table) == [rows(table)[row] for row in order]
    assert sorting.is_sorted(sorted_table, *arguments)
    assert not sorting.is_sorted(table, *arguments)
    values = Table([column(list(range(len(FLOATS))))])
    assert sorting.sort_by_key(values, table, *arguments).columns()[0].to_pylist() == order


def test_sort_of_nothing_slices_and_wrong_arguments():
    assert sorting.sorted_order([floats([])], [], []).to_pylist() == []
    part = Table(copying.slice(Table([floats(FLOATS)]), [2, 7])[0].columns())
    assert sorting.sorted_order(part, [], []).to_pylist() == [3, 1, 4, 2, 0]
    with pytest.raises(ValueError, match="orders"):
        sorting.sorted_order(part, [Order.ASCENDING] * 2, [])
    with pytest.raises(ValueError, match="column_order"):
        sorting.sorted_order(part, [7], [])
    with pytest.raises(TypeError, match="source_table"):
        sorting.sorted_order(3, [], [])
    with pytest.raises(RuntimeError, match="rows"):
        sorting.sort_by_key(Table([floats([1])]), part, [], [])


def test_segments():
    values = [5, 4, 3, 2, 1, 0, 9]
    table = [column(values)]
    for offsets in ([0, 7], [1, 3, 3, 6], [], [2]):
        expected = list(values)
        for start, stop in itertools.pairwise(offsets):
            expected[start:stop] = sorted(expected[start:stop])
        found = sorting.segmented_sort_by_key(table, table, column(offsets, INT32), [], [])
        assert found.columns()[0].to_pylist() == expected, offsets
    with pytest.raises(ValueError, match="offsets"):
        sorting.segmented_sort_by_key(table, table, column([3, 1]), [], [])
    with pytest.raises(IndexError, match="offsets"):
        sorting.segmented_sort_by_key(table, table, column([0, 8]), [], [])


@pytest.mark.parametrize("method", aggregation.RankMethod)
@pytest.mark.parametrize("order", Order)
def test_rank(method, order):
    values = [3.0, None, 1.0, 3.0, None, 2.0]
    expected = pd.Series(values, dtype="Float64").rank(
        method=method.name.lower(), ascending=order is Order.ASCENDING
    )
    found = sorting.rank(floats(values), method, order, NullPolicy.EXCLUDE, NullOrder.AFTER, False)
    assert found.type() == (FLOAT64 if method is aggregation.RankMethod.AVERAGE else INT32)
    assert found.to_pylist() == [None if v is pd.NA else v for v in expected]
    included = sorting.rank(floats(values), method, order, NullPolicy.INCLUDE, NullOrder.BEFORE, False)
    first = min if order is Order.ASCENDING else max
    assert first(included.to_pylist()) in (included.to_pylist()[1], included.to_pylist()[4])
    with_nan = sorting.rank(floats([NAN, 1.0]), method, Order.ASCENDING, 0, 0, False)
    assert with_nan.to_pylist() == [2, 1]


def test_top_k():
    values = floats([1.0, None, 5.0, NAN, 3.0])
    assert plain(sorting.top_k(values, 2).to_pylist()) == ["nan", 5.0]
    assert sorting.top_k_order(values, 3, Order.ASCENDING).to_pylist() == [0, 4, 2]
    assert sorting.top_k(values, 9, Order.ASCENDING).to_pylist()[-1] is None
    assert sorting.top_k(values, 9).size() == 5


def test_bounds_and_membership():
    hay, needles = np.array([1, 3, 3, 7]), np.array([0, 3, 8, 7])
    tables = [column(hay.tolist())], [column(needles.tolist())]
    assert search.lower_bound(*tables, [], []).to_pylist() == np.searchsorted(hay, needles).tolist()
    assert search.upper_bound(*tables, [], []).to_pylist() == np.searchsorted(hay, needles, "right").tolist()
    nulls = [floats([None, 1.0, NAN])], [floats([None, NAN, 5.0])]
    assert search.lower_bound(*nulls, [Order.ASCENDING], [NullOrder.BEFORE]).to_pylist() == [0, 2, 2]
    assert search.contains(floats([1.0, NAN]), floats([NAN, None, 2.0, 1.0])).to_pylist() == [
        True,
        None,
        False,
        True,
    ]
    with pytest.raises(TypeError, match="needles"):
        search.contains(floats([1.0]), column(["a"]))


def test_merge():
    parts = [[1, 4, 4], [], [None, 4, 9]]
    tables = [[column(part, INT64), column([i] * len(part), INT64)] for i, part in enumerate(parts)]
    found = merge.merge(tables, [0], [Order.ASCENDING], [NullOrder.BEFORE])
    assert rows(found) == [(None, 2), (1, 0), (4, 0), (4, 0), (4, 2), (9, 2)]
    with pytest.raises(ValueError, match="not sorted"):
        merge.merge([[column([2, 1])]], [0], [], [])


def test_masks_and_missing_rows():
    table = Table([floats([1.0, None, NAN, 4.0]), column([None, None, 1, 2])])
    mask = column([True, None, False, True])
    assert rows(stream_compaction.apply_boolean_mask(table, mask)) == [(1.0, None), (4.0, 2)]
    assert rows(stream_compaction.apply_deletion_mask(table, mask)) == [(None, None), ("nan", 1)]
    assert rows(stream_compaction.drop_nulls(table, [0, 1], 2)) == [("nan", 1), (4.0, 2)]
    assert rows(stream_compaction.drop_nulls(table, [0, 1], 1)) == [(1.0, None), ("nan", 1), (4.0, 2)]
    assert rows(stream_compaction.drop_nans(table, [0], 1)) == [(1.0, None), (None, None), (4.0, 2)]
    with pytest.raises(TypeError):
        stream_compaction.drop_nans(table, [1], 1)
    with pytest.raises(RuntimeError, match="rows"):
        stream_compaction.apply_deletion_mask(table, column([True]))
    predicate = expressions.to_expression("a < 4", ("a",))
    assert rows(stream_compaction.filter(Table([floats([1.0, None, 9.0, 3.0])]), predicate, table)) == [
        (1.0, None),
        (4.0, 2),
    ]


def test_distinct_and_unique():
    values = [NAN, 1.0, None, 1.0, None, NAN, NAN, 3.0]
    table = Table([floats(values)])
    keep = stream_compaction.DuplicateKeepOption
    equal = NullEquality.EQUAL, NanEquality.ALL_EQUAL
    indices = lambda option, *how: stream_compaction.distinct_indices(table, option, *how).to_pylist()  # noqa: E731
    assert indices(keep.KEEP_FIRST, *equal) == [0, 1, 2, 7]
    assert indices(keep.KEEP_LAST, *equal) == [3, 4, 6, 7]
    assert indices(keep.KEEP_NONE, *equal) == [7]
    assert indices(keep.KEEP_FIRST, NullEquality.EQUAL, NanEquality.UNEQUAL) == [0, 1, 2, 5, 6, 7]
    assert indices(keep.KEEP_NONE, NullEquality.UNEQUAL, NanEquality.ALL_EQUAL) == [2, 4, 7]
    found = stream_compaction.unique(table, [0], keep.KEEP_FIRST, NullEquality.EQUAL)
    assert plain(found.columns()[0].to_pylist()) == ["nan", 1.0, None, 1.0, None, "nan", 3.0]
    assert reduce.distinct_count(floats(values), NullPolicy.INCLUDE, NanPolicy.NAN_IS_VALID) == 4
    assert reduce.distinct_count(floats(values), NullPolicy.INCLUDE, NanPolicy.NAN_IS_NULL) == 3
    assert reduce.distinct_count(floats(values), NullPolicy.EXCLUDE, NanPolicy.NAN_IS_NULL) == 2
    assert reduce.unique_count(floats(values), NullPolicy.INCLUDE, NanPolicy.NAN_IS_VALID) == 7
    assert reduce.unique_count(floats(values), NullPolicy.EXCLUDE, NanPolicy.NAN_IS_VALID) == 5
    assert reduce.distinct_count_table(table, NullEquality.UNEQUAL) == 5
    assert reduce.unique_count_table(table, NullEquality.EQUAL) == 7


REDUCTIONS = {
    "sum": np.sum,
    "product": np.prod,
    "min": np.min,
    "max": np.max,
    "mean": np.mean,
    "variance": lambda a: np.var(a, ddof=1),
    "std": lambda a: np.std(a, ddof=1),
    "median": np.median,
    "sum_of_squares": lambda a: np.sum(a * a),
    "argmin": np.argmin,
    "argmax": np.argmax,
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    make = getattr(aggregation, name)()
    values = np.array([4.0, -1.5, 2.0, 8.0])
    found = reduce.reduce(floats(values.tolist()), make, FLOAT64).to_py()
    assert found == pytest.approx(REDUCTIONS[name](values))
    integers = reduce.reduce(column([4, -1, 2]), make, FLOAT64).to_py()
    assert integers == pytest.approx(REDUCTIONS[name](np.array([4, -1, 2])))
    assert reduce.reduce(floats([None]), make, FLOAT64).to_py() is None
    assert reduce.reduce(floats([]), make, FLOAT64).to_py() is None
    assert reduce.is_valid_reduce_aggregation(FLOAT64, make)
    with_nan = reduce.reduce(floats([1.0, NAN, None]), make, FLOAT64).to_py()
    if name in ("min", "argmin", "argmax"):
        assert with_nan == {"min": 1.0, "argmin": 0, "argmax": 1}[name]
    else:
        assert math.isnan(with_nan)


def test_other_reductions():
    values = column([3, None, 0, 3])
    one = lambda agg, t=INT64: reduce.reduce(values, agg, t).to_py()  # noqa: E731
    assert one(aggregation.count()) == 4
    assert one(aggregation.count(NullPolicy.EXCLUDE)) == 3
    assert one(aggregation.nunique()) == 2
    assert one(aggregation.nunique(NullPolicy.INCLUDE)) == 3
    assert one(aggregation.nth_element(-1)) == 3
    assert one(aggregation.nth_element(1)) is None
    assert one(aggregation.nth_element(1, NullPolicy.EXCLUDE)) == 0
    assert one(aggregation.quantile([0.25]), FLOAT64) == 1.5
    boolean = DataType(TypeId.BOOL8)
    assert (one(aggregation.any(), boolean), one(aggregation.all(), boolean)) == (True, False)
    assert [s.to_py() for s in reduce.minmax(values)] == [0, 3]
    assert [s.to_py() for s in reduce.minmax(column(["b", None, "a"]))] == ["a", "b"]
    with pytest.raises(NotImplementedError, match="SUM"):
        reduce.reduce(column(["a"]), aggregation.sum(), INT64)
    with pytest.raises(IndexError, match="`n`"):
        one(aggregation.nth_element(9))
    with pytest.raises(OverflowError):
        reduce.reduce(column([1 << 40]), aggregation.sum(), INT32)
    with pytest.raises(TypeError, match="agg"):
        reduce.reduce(values, "sum", INT64)
    with pytest.raises(TypeError):
        aggregation.Aggregation()


@pytest.mark.parametrize("name", ["sum", "product", "min", "max"])
def test_scans(name):
    make = getattr(aggregation, name)()
    inclusive, exclusive = reduce.ScanType
    values = [2, None, 5, 1]
    expected = getattr(pd.Series(values, dtype="Int64"), {"product": "cumprod"}.get(name, f"cum{name}"))()
    expected = [None if v is pd.NA else v for v in expected]
    assert reduce.scan(column(values), make, inclusive).to_pylist() == expected
    start = {"sum": 0, "product": 1, "min": 2**63 - 1, "max": -(2**63)}[name]
    assert reduce.scan(column(values), make, exclusive).to_pylist() == [start, None, expected[0], expected[2]]
    with_nan = plain(reduce.scan(floats([2.0, NAN, None, 1.0]), make, inclusive).to_pylist())
    assert with_nan == {"min": [2.0, 2.0, None, 1.0]}.get(name, [2.0, "nan", None, "nan"])
    assert reduce.scan(floats([]), make, exclusive).to_pylist() == []
    with pytest.raises(NotImplementedError):
        reduce.scan(column([1]), aggregation.mean(), inclusive)


def test_quantiles():
    values = [3.0, 1.0, None, 8.0, 4.0]
    q = [0.0, 0.3, 0.5, 1.0]
    for interp in Interpolation:
        found = quantiles.quantile(floats(values), q, interp).to_pylist()
        present = [v for v in values if v is not None]
        assert found == pytest.approx(np.quantile(present, q, method=interp.name.lower()).tolist())
    table = [column([3, 1, 2])]
    assert quantiles.quantiles(table, [0.5, 0.9], Interpolation.LOWER).columns()[0].to_pylist() == [2, 2]
    for bad in ([1.5], [NAN]):
        with pytest.raises(ValueError):
            quantiles.quantile(floats(values), bad)
    with pytest.raises(ValueError, match="interp"):
        quantiles.quantiles(table, [0.5], Interpolation.LINEAR)


KEYS = ["b", "a", None, "b", "a", None, "b"]
VALUES = [4, 5, 3, None, 2, 6, 1]


def groups(keys, make, values=None, nulls=NullPolicy.EXCLUDE):
    request = GroupByRequest(column(VALUES) if values is None else values, [make])
    found, (result,) = GroupBy(Table([keys]), nulls).aggregate([request])
    names = plain(found.columns()[0].to_pylist())
    return dict(zip(names, plain(result.columns()[0].to_pylist()), strict=True))


@pytest.mark.parametrize("nulls", NullPolicy)
@pytest.mark.parametrize(
    "name", ["sum", "product", "min", "max", "mean", "variance", "std", "median", "argmin", "argmax"]
)
def test_groups(name, nulls):
    frame = pd.DataFrame({"k": KEYS, "v": pd.array(VALUES, dtype="Float64")})
    grouped = frame.groupby("k", dropna=nulls is NullPolicy.EXCLUDE)["v"]
    method = {"product": "prod", "variance": "var", "argmin": "idxmin", "argmax": "idxmax"}.get(name, name)
    expected = {None if k != k else k: v for k, v in getattr(grouped, method)().items()}
    found = groups(column(KEYS), getattr(aggregation, name)(), nulls=nulls)
    assert found == {key: pytest.approx(float(value)) for key, value in expected.items()}


@pytest.mark.parametrize(
    "values",
    [
        column(VALUES),
        column([4, 5, 3, 9, 2, 6, 1]),
        floats([1.5, NAN, 3, None, -0.0, 2, 1]),
        floats(range(7)),
    ],
)
def test_aggregations_of_groups_together_are_those_alone(values):
    makers = [
        aggregation.sum,
        aggregation.nunique,
        aggregation.mean,
        lambda: aggregation.nth_element(0),
        aggregation.max,
        lambda: aggregation.count(NullPolicy.EXCLUDE),
        aggregation.argmin,
        aggregation.std,
        aggregation.sum,
        aggregation.count,
        aggregation.any,
        aggregation.median,
    ]
    keys = Table([column(KEYS)])
    requests = [
        GroupByRequest(values, [make() for make in makers]),
        GroupByRequest(column(VALUES), [aggregation.min()]),
    ]
    found, results = GroupBy(keys).aggregate(requests)
    names = found.columns()[0].to_pylist()
    for make, result in zip(makers, results[0].columns(), strict=True):
        assert dict(zip(names, plain(result.to_pylist()), strict=True)) == groups(
            column(KEYS), make(), values
        )
    assert dict(zip(names, results[1].columns()[0].to_pylist(), strict=True)) == {"b": 1, "a": 2}


def test_groups_in_order_with_nan_and_counts():
    keys = floats([NAN, 1.0, NAN, None])
    values = floats([1.0, NAN, 3.0, 4.0])
    assert groups(keys, aggregation.sum(), values) == {"nan": 4.0, 1.0: "nan"}
    assert groups(keys, aggregation.max(), values, NullPolicy.INCLUDE) == {"nan": 3.0, 1.0: "nan", None: 4.0}
    assert groups(column(KEYS), aggregation.count(NullPolicy.EXCLUDE)) == {"b": 2, "a": 2}
    assert groups(column(KEYS), aggregation.count()) == {"b": 3, "a": 2}
    assert groups(column(KEYS), aggregation.nunique(NullPolicy.INCLUDE)) == {"b": 3, "a": 2}
    assert groups(column(KEYS), aggregation.nth_element(1)) == {"b": None, "a": 2}
    assert groups(column(KEYS), aggregation.nth_element(-1, NullPolicy.EXCLUDE)) == {"b": 1, "a": 2}
    assert groups(column(["x"]), aggregation.sum(), column([None], INT64)) == {"x": None}
    assert groups(column(["x"]), aggregation.argmax(), column([None], INT64)) == {"x": None}
    assert groups(column([], DataType(TypeId.STRING)), aggregation.sum(), column([], INT64)) == {}
    with pytest.raises(ValueError, match="rows"):
        groups(column(["x"]), aggregation.sum(), column([1, 2]))
    with pytest.raises(TypeError, match="mean"):
        groups(column(["x"]), aggregation.mean(), column(["y"]))


def test_moves_within_groups():
    by = GroupBy(Table([column(KEYS)]))
    offsets, keys, values = by.get_groups(Table([column(VALUES)]))
    assert (offsets, rows(keys)) == ([0, 3, 5], [("b",)] * 3 + [("a",)] * 2)
    assert rows(values) == [(4,), (None,), (1,), (5,), (2,)]
    _, shifted = by.shift(Table([column(VALUES)]), [1], [Scalar.from_py(0)])
    assert rows(shifted) == [(0,), (4,), (None,), (0,), (5,)]
    _, filled = by.replace_nulls(Table([column(VALUES)]), [ReplacePolicy.PRECEDING])
    assert rows(filled) == [(4,), (4,), (1,), (5,), (2,)]
    _, (running,) = by.scan([GroupByRequest(column(VALUES), [aggregation.sum()])])
    assert rows(running) == [(4,), (None,), (5,), (5,), (7,)]
    with pytest.raises(ValueError, match="offset"):
        by.shift(Table([column(VALUES)]), [], [Scalar.from_py(0)])


def pairs(maps):
    return [
        tuple(None if row < 0 else row for row in pair)
        for pair in zip(*(m.to_pylist() for m in maps), strict=True)
    ]


@pytest.mark.parametrize("equal", NullEquality)
def test_joins(equal):
    left, right = [1.0, NAN, None, 2.0, 1.0], [None, 1.0, NAN, 1.0, 9.0]
    tables = Table([floats(left)]), Table([floats(right)])

    def same(a, b):
        if a is None or b is None:
            return a is b and equal is NullEquality.EQUAL
        return a == b or (math.isnan(a) and math.isnan(b))

    inner = [(i, j) for i, a in enumerate(left) for j, b in enumerate(right) if same(a, b)]
    alone = [i for i in range(len(left)) if i not in {i for i, _ in inner}]
    lonely = [j for j in range(len(right)) if j not in {j for _, j in inner}]
    outer = sorted(inner + [(i, None) for i in alone], key=lambda pair: pair[0])
    assert pairs(join.inner_join(*tables, equal)) == inner
    assert pairs(join.left_join(*tables, equal)) == outer
    assert pairs(join.full_join(*tables, equal)) == outer + [(None, j) for j in lonely]
    assert join.left_semi_join(*tables, equal).to_pylist() == sorted({i for i, _ in inner})
    assert join.left_anti_join(*tables, equal).to_pylist() == alone
    filtered = join.FilteredJoin(tables[1], equal)
    assert filtered.semi_join(tables[0]).to_pylist() == sorted({i for i, _ in inner})
    assert filtered.anti_join(tables[0]).to_pylist() == alone


def test_rows_without_a_partner_become_null():
    keys = Table([column([1, 2])]), Table([column([2])])
    _, right = join.left_join(*keys, NullEquality.EQUAL)
    taken = copying.gather(keys[1], right, copying.OutOfBoundsPolicy.NULLIFY)
    assert taken.columns()[0].to_pylist() == [None, 2]
    crossed = join.cross_join(*keys)
    assert rows(crossed) == [(1, 2), (2, 2)]
    with pytest.raises(TypeError):
        join.inner_join(keys[0], Table([column(["a"])]), NullEquality.EQUAL)


def test_joins_with_a_formula():
    left, right = Table([column([1, None, 5, 2])]), Table([column([2, 0, 3])])
    side = expressions.TableReference
    less = expressions.Operation(
        expressions.ASTOperator.LESS,
        expressions.ColumnReference(0, side.LEFT),
        expressions.ColumnReference(0, side.RIGHT),
    )
    inner = [(0, 0), (0, 2), (3, 2)]
    assert pairs(join.conditional_inner_join(left, right, less)) == inner
    assert pairs(join.conditional_left_join(left, right, less)) == inner + [(1, None), (2, None)]
    assert pairs(join.conditional_full_join(left, right, less)) == inner + [(1, None), (2, None), (None, 1)]
    assert join.conditional_left_semi_join(left, right, less).to_pylist() == [0, 3]
    assert join.conditional_left_anti_join(left, right, less).to_pylist() == [1, 2]
    keys = Table([column(["x", "x", "y", "x"])]), Table([column(["x", "x", "z"])])
    mixed = (*keys, left, right, less, NullEquality.EQUAL)
    assert pairs(join.mixed_inner_join(*mixed)) == [(0, 0)]
    assert pairs(join.mixed_left_join(*mixed)) == [(0, 0), (1, None), (2, None), (3, None)]
    assert join.mixed_left_semi_join(*mixed).to_pylist() == [0]
    assert join.mixed_left_anti_join(*mixed).to_pylist() == [1, 2, 3]
    assert len(pairs(join.mixed_full_join(*mixed))) == 6
    with pytest.raises(ValueError, match="second table"):
        stream_compaction.filter(left, less, left)
