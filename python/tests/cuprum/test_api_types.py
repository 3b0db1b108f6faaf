"""`cuprum.api.types` says of our columns what pandas says of its own."""

from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from oracle import ours

import cuprum
from cuprum.api import types

COLUMNS = [
    pd.Series([1, 2]),
    pd.Series([1, 2], dtype="int8"),
    pd.Series([1, 2], dtype="uint16"),
    pd.Series([1.5, 2.0]),
    pd.Series([1.5, 2.0], dtype="float32"),
    pd.Series([True, False]),
    pd.Series(["a", "b"]),
    pd.Series(["a", "b"], dtype="category"),
    pd.Series(pd.to_datetime(["2013-01-01"])),
    pd.Series(pd.to_datetime(["2013-01-01"]).as_unit("ns")),
    pd.Series(pd.to_datetime(["2013-01-01"]).tz_localize("Europe/Berlin")),
    pd.Series(pd.to_timedelta(["1 days"])),
    pd.Series(pd.interval_range(0, 2)),
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore:.*deprecated.*")
@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: str(column.dtype))
@pytest.mark.parametrize("name", sorted(name for name in types._OF_DTYPES if hasattr(pd.api.types, name)))
def test_columns_and_their_dtypes_are_what_pandas_says(name, column):
    asked, theirs = getattr(types, name), getattr(pd.api.types, name)
    mine = ours(column)
    assert asked(mine) == theirs(column)
    assert asked(mine.dtype) == theirs(column.dtype)
    assert asked(column) == theirs(column)
    assert asked(cuprum.Index(mine)) == theirs(pd.Index(column))


@pytest.mark.parametrize(
    "elements",
    [
        [1, "a"],
        ["a", (1,)],
        [[1]],
        [(1, 2)],
        [{"a": 1}],
        [b"a"],
        [Decimal(1)],
        [date(2024, 1, 1)],
        [True, "x"],
    ],
    ids=str,
)
def test_objects_are_texts_where_all_of_them_are(elements):
    theirs = pd.Series(elements)
    for mine in (ours(theirs), cuprum.Series(elements)):
        assert types.is_string_dtype(mine) == pd.api.types.is_string_dtype(theirs)
    texts = pd.Series(["a", "b"], dtype=object)
    assert types.is_string_dtype(cuprum.Series(["a", "b"]).astype(object)) == pd.api.types.is_string_dtype(
        texts
    )
    assert types.is_string_dtype(cuprum.Index([1, "a"])) == pd.api.types.is_string_dtype(pd.Index([1, "a"]))


@pytest.mark.filterwarnings("ignore:.*deprecated.*")
def test_names_and_classes():
    assert types.is_integer_dtype("int64") and not types.is_integer_dtype(float)
    assert types.is_interval_dtype("interval[int64, right]")
    assert types.is_numeric_dtype(np.int8)
    for name in ("is_nothing", "is_bogus_dtype"):
        with pytest.raises(AttributeError, match=name):
            getattr(types, name)
    assert set(types.__all__) == set(dir(types))
    assert all(getattr(types, name) for name in types.__all__)


def test_lists_structs_and_decimals():
    lists, structs = cuprum.Series([[1]]), cuprum.Series([{"a": 1}])
    decimals = cuprum.Series([1, 2]).astype(cuprum.Decimal64Dtype(5, 2))
    assert types.is_list_dtype(lists) and not types.is_list_dtype(structs)
    assert types.is_struct_dtype(structs.dtype) and not types.is_struct_dtype("int64")
    assert types.is_decimal_dtype(decimals) and types.is_decimal64_dtype(decimals.dtype)
    assert not types.is_decimal32_dtype(decimals) and not types.is_decimal_dtype(1.5)
    assert types.is_object_dtype(lists)


@pytest.mark.parametrize("skipna", [True, False])
@pytest.mark.parametrize("values", [["a", None], [1, 2], [1.5, None], [True, False], []], ids=str)
def test_kinds_of_values(values, skipna):
    series = pd.Series(values, dtype=None if values else "str")
    assert types.infer_dtype(ours(series), skipna) == pd.api.types.infer_dtype(series, skipna)
    assert types.infer_dtype(values, skipna=skipna) == pd.api.types.infer_dtype(values, skipna=skipna)


def test_dtypes_from_names():
    assert types.pandas_dtype("int64") == "int64"
    assert types.is_dtype_equal("int64", np.int64) and not types.is_dtype_equal("int64", "int32")
    assert not types.is_dtype_equal("bogus", "bogus")
    with pytest.raises(TypeError, match="bogus"):
        types.pandas_dtype("bogus")


def test_categories_of_several():
    one, other = (pd.Series(values, dtype="category") for values in (["b", "c"], ["a", "b"]))
    expected = pd.api.types.union_categoricals([one, other], sort_categories=True)
    assert types.union_categoricals([ours(one), ours(other)], sort_categories=True).equals(expected)


def test_times_without_a_zone():
    for dtype, expected in [("datetime64[s]", True), ("datetime64[ns, UTC]", False), ("int64", False)]:
        column = cuprum.Series([], dtype=dtype)
        for asked in (column, column.dtype, pd.Series([], dtype=dtype)):
            assert cuprum.api.types.is_datetime_dtype(asked) is expected
