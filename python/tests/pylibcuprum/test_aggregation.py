"""Collected values, ranks, spreads of pairs and exponential weights, beside pandas and NumPy."""

import math

import numpy as np
import pandas as pd
import pytest

from pylibcuprum import Column, DataType, Table, TypeId, aggregation, reduce
from pylibcuprum.aggregation import CorrelationType, EWMHistory, RankMethod, RankPercentage
from pylibcuprum.groupby import GroupBy, GroupByRequest
from pylibcuprum.types import Interpolation, NanEquality, NullEquality, NullOrder, NullPolicy, Order

NAN = math.nan
INT32, INT64, FLOAT64, LIST = (DataType(t) for t in (TypeId.INT32, TypeId.INT64, TypeId.FLOAT64, TypeId.LIST))
INCLUSIVE, EXCLUSIVE = reduce.ScanType
RANDOM = np.random.default_rng(6)


def column(values, dtype=None):
    return Column.from_iterable_of_py(values, dtype)


def floats(values):
    return column(values, FLOAT64)


def plain(value):
    """NaN as a text, which equals itself."""
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return "nan" if isinstance(value, float) and math.isnan(value) else value


def pairs(left, right):
    return Column.struct_from_children([floats(left), floats(right)])


def of_groups(keys, values, make):
    found, (result,) = GroupBy(Table([column(keys)])).aggregate([GroupByRequest(values, [make])])
    return dict(zip(found.columns()[0].to_pylist(), plain(result.columns()[0].to_pylist()), strict=True))


def scanned(keys, values, make):
    """In the order of the groups."""
    return GroupBy(Table([column(keys)])).scan([GroupByRequest(values, [make])])[1][0].columns()[0]


def test_collected_values():
    values = floats([2.0, None, NAN, 2.0, None, NAN])
    exclude, unequal = NullPolicy.EXCLUDE, NullEquality.UNEQUAL
    expected = {
        aggregation.collect_list(): [2.0, None, "nan", 2.0, None, "nan"],
        aggregation.collect_list(exclude): [2.0, "nan", 2.0, "nan"],
        aggregation.collect_set(): [2.0, None, "nan"],
        aggregation.collect_set(exclude, nans_equal=NanEquality.UNEQUAL): [2.0, "nan", "nan"],
        aggregation.collect_set(nulls_equal=unequal): [2.0, None, "nan", None],
    }
    for make, elements in expected.items():
        assert plain(reduce.reduce(values, make, LIST).to_py()) == elements
        assert of_groups(["x"] * 6, values, make) == {"x": elements}
        assert reduce.is_valid_reduce_aggregation(FLOAT64, make)
    assert of_groups(["y", "x", "y"], column(["b", "a", "a"]), aggregation.collect_list()) == {
        "y": ["b", "a"],
        "x": ["a"],
    }
    assert reduce.reduce(column([], INT64), aggregation.collect_list(), LIST).to_py() == []
    assert reduce.reduce(column([None], INT64), aggregation.collect_set(exclude), LIST).to_py() == []
    nested = column([[1], [2], [1]])
    assert of_groups(["x", "x", "y"], nested, aggregation.collect_list()) == {"x": [[1], [2]], "y": [[1]]}
    with pytest.raises(NotImplementedError, match="COLLECT_SET"):
        of_groups(["x", "x", "y"], nested, aggregation.collect_set())


@pytest.mark.parametrize("interp", Interpolation)
def test_quantiles_of_groups(interp):
    values = RANDOM.normal(size=40).tolist()
    keys = RANDOM.integers(0, 3, 40).tolist()
    q = [0.1, 0.5, 0.9]
    found, (result,) = GroupBy(Table([column(keys)])).aggregate(
        [GroupByRequest(floats(values), [aggregation.quantile(q[:1], interp)])]
    )
    for key, value in zip(found.columns()[0].to_pylist(), result.columns()[0].to_pylist(), strict=True):
        members = [v for v, k in zip(values, keys, strict=True) if k == key]
        assert value == pytest.approx(np.quantile(members, q[0], method=interp.name.lower()))
    whole = reduce.reduce(floats(values), aggregation.quantile([0.9], interp), FLOAT64).to_py()
    assert whole == pytest.approx(np.quantile(values, 0.9, method=interp.name.lower()))
    assert of_groups(["x", "y", "x"], floats([1.0, 2.0, NAN]), aggregation.quantile([0.5], interp)) == {
        "x": "nan",
        "y": 2.0,
    }
    with pytest.raises(ValueError, match=r"1\.5"):
        of_groups(["x"], floats([1.0]), aggregation.quantile([1.5], interp))
    with pytest.raises(NotImplementedError, match="QUANTILE"):
        reduce.reduce(floats(values), aggregation.quantile(q, interp), FLOAT64)


def test_pairs_of_groups_as_pandas():
    keys = RANDOM.integers(0, 4, 60).tolist()
    left = [None if v < -1.2 else v for v in RANDOM.normal(size=60).tolist()]
    right = [None if v < -1.2 else v for v in RANDOM.normal(size=60).tolist()]
    frame = pd.DataFrame({"k": keys, "a": left, "b": right}, dtype="float64").groupby("k")
    for ddof in (0, 1):
        # pandas takes no other `ddof` where something is missing.
        both = frame.obj.dropna().groupby("k")
        expected = both[["a", "b"]].cov(ddof=ddof).xs("a", level=1)["b"].to_dict()
        found = of_groups(keys, pairs(left, right), aggregation.covariance(1, ddof))
        assert found == pytest.approx(expected)
    expected = frame[["a", "b"]].corr().xs("a", level=1)["b"].to_dict()
    pearson = CorrelationType.PEARSON
    assert of_groups(keys, pairs(left, right), aggregation.correlation(pearson, 1)) == pytest.approx(expected)
    few = of_groups(
        ["x", "x", "y"], pairs([1.0, 2.0, 3.0], [1.0, 3.0, 5.0]), aggregation.correlation(pearson, 2)
    )
    assert few == {"x": pytest.approx(1.0), "y": None}
    # NaN spoils a pair, unless that has a null.
    some = pairs([1.0, NAN, 2.0, NAN, 3.0], [1.0, 2.0, 4.0, None, 9.0])
    found = of_groups(["x", "x", "y", "y", "y"], some, aggregation.covariance(1, 0))
    assert found == {"x": "nan", "y": pytest.approx(1.25)}
    with pytest.raises(NotImplementedError, match="KENDALL"):
        aggregation.correlation(CorrelationType.KENDALL, 1)
    with pytest.raises(NotImplementedError, match="COVARIANCE"):
        of_groups(["x"], column([1]), aggregation.covariance(1, 0))


def test_spreads_of_parts_are_those_of_the_whole():
    values = RANDOM.normal(5, size=50)
    keys = (["x"] * 20 + ["y"] * 30)[::-1]
    parts = [f"{key}{row % 3}" for row, key in enumerate(keys)]
    expected = {key: pd.Series(values)[np.array(keys) == key].var(ddof=0) * keys.count(key) for key in "xy"}
    whole = of_groups(keys, floats(values.tolist()), aggregation.m2())
    assert whole == pytest.approx(expected)
    makes = [aggregation.count(NullPolicy.EXCLUDE), aggregation.mean(), aggregation.m2()]
    request = GroupByRequest(floats(values.tolist()), makes)
    found, (result,) = GroupBy(Table([column(parts)])).aggregate([request])
    structs = Column.struct_from_children(result.columns())
    merged = of_groups([part[0] for part in found.columns()[0].to_pylist()], structs, aggregation.merge_m2())
    for key, fields in merged.items():
        count, mean, m2 = fields.values()
        members = values[np.array(keys) == key]
        assert (count, mean, m2) == (len(members), pytest.approx(members.mean()), pytest.approx(whole[key]))
    assert of_groups(["x", "x"], floats([1.0, NAN]), aggregation.m2()) == {"x": "nan"}
    with pytest.raises(TypeError, match="structs of a count"):
        of_groups(["x"], column([1]), aggregation.merge_m2())


RANKED = [3.0, 1.0, None, 3.0, NAN, -2.0, None]


@pytest.mark.parametrize("method", RankMethod)
@pytest.mark.parametrize("order", Order)
def test_ranks(method, order):
    ascending = order is Order.ASCENDING
    # NaN is the largest.
    series = pd.Series([1e9 if v is not None and v != v else v for v in RANKED], dtype="float64")
    expected = series.rank(method=method.name.lower(), ascending=ascending)
    make = aggregation.rank(method, order)
    found = reduce.scan(floats(RANKED), make, INCLUSIVE)
    assert found.type() == (FLOAT64 if method is RankMethod.AVERAGE else INT32)
    assert found.to_pylist() == [None if v != v else v for v in expected]
    keys = ["x", "y", "x", "y", "x", "y", "y"]
    by_group = series.groupby(keys).rank(method=method.name.lower(), ascending=ascending)
    rows = [row for key in "xy" for row, k in enumerate(keys) if k == key]
    expected = [None if by_group[row] != by_group[row] else by_group[row] for row in rows]
    assert scanned(keys, floats(RANKED), make).to_pylist() == expected
    for percentage in (RankPercentage.ONE_NORMALIZED, RankPercentage.ZERO_NORMALIZED):
        make = aggregation.rank(method, order, percentage=percentage)
        ranks, most = series.rank(method=method.name.lower(), ascending=ascending), 5
        if method is RankMethod.DENSE:
            most = 4
        less = 1 if percentage is RankPercentage.ZERO_NORMALIZED else 0
        expected = [None if v != v else (v - less) / (most - less) for v in ranks]
        assert reduce.scan(floats(RANKED), make, INCLUSIVE).to_pylist() == pytest.approx(expected)


def test_ranks_of_nulls_and_of_one_value():
    include = aggregation.rank(
        RankMethod.MIN, null_handling=NullPolicy.INCLUDE, null_precedence=NullOrder.BEFORE
    )
    assert reduce.scan(column([5, None, 4]), include, INCLUSIVE).to_pylist() == [3, 1, 2]
    share = aggregation.rank(RankMethod.MIN, percentage=RankPercentage.ZERO_NORMALIZED)
    assert scanned(["x", "y", "y"], column([5, 7, 6]), share).to_pylist() == [0.0, 1.0, 0.0]
    with pytest.raises(NotImplementedError, match="RANK"):
        reduce.scan(column([5]), share, EXCLUSIVE)


@pytest.mark.parametrize("history", EWMHistory)
def test_exponential_weights_as_pandas(history):
    values = [None, 1.0, 5.0, None, 7.0, 2.0, None, None, 4.0]
    for mass in (0.0, 0.5, 3.0):
        expected = (
            pd.Series(values, dtype="float64").ewm(com=mass, adjust=history is EWMHistory.FINITE).mean()
        )
        found = reduce.scan(floats(values), aggregation.ewma(mass, history), INCLUSIVE).to_pylist()
        # A GPU takes the rows in another order: the last digits may differ.
        assert [v is None for v in found] == expected.isna().to_list()
        assert [v for v in found if v is not None] == pytest.approx(expected.dropna().to_list(), rel=1e-14)
    make = aggregation.ewma(1.0, history)
    assert plain(reduce.scan(floats([1.0, NAN, 2.0]), make, INCLUSIVE).to_pylist()) == [1.0, "nan", "nan"]
    with pytest.raises(ValueError, match="center_of_mass"):
        reduce.scan(floats([1.0]), aggregation.ewma(-1.0, history), INCLUSIVE)
    with pytest.raises(NotImplementedError, match="EWMA"):
        reduce.scan(column(["a"]), make, INCLUSIVE)
    with pytest.raises(NotImplementedError, match="EWMA"):
        reduce.scan(floats([1.0]), make, EXCLUSIVE)


def test_scans_of_groups_with_nan():
    keys, values = ["x", "y", "x", "x", "y"], floats([1.0, NAN, NAN, 3.0, None])
    found = {
        name: plain(scanned(keys, values, getattr(aggregation, name)()).to_pylist())
        for name in ("sum", "min", "max")
    }
    assert found == {
        "sum": [1.0, "nan", "nan", "nan", None],
        "min": [1.0, 1.0, 1.0, "nan", None],
        "max": [1.0, "nan", "nan", "nan", None],
    }
    assert scanned(keys, values, aggregation.count()).to_pylist() == [0, 1, 2, 0, 1]
    with pytest.raises(NotImplementedError, match="MEAN"):
        scanned(keys, values, aggregation.mean())
