"""What type results of functions have that are called for elements, and what labels of a mapping are."""

from collections.abc import Callable
from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest

import cuprum

TYPES = ["int8", "int32", "int64", "uint8", "uint64", "float32", "float64", "bool"]
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "itself": lambda x: x,
    "more": lambda x: x + 1,
    "much": lambda x: x * 1000,
    "third": lambda x: x / 3,
    "half": lambda x: x / 2,
    "huge": lambda x: x * 1e300,
    "text": str,
    "truth": lambda x: x > 1,
    "times": lambda x: pd.Timestamp(int(x)),
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_labels_that_a_function_makes_have_the_type_of_labels(dtype: str, function: str) -> None:
    oracle.agree(lambda lib: lib.Index(np.array([1, 0, 2], dtype), name="n").map(FUNCTIONS[function]))


@pytest.mark.parametrize("dtype", [t for t in TYPES if t != "bool"])
def test_labels_that_a_mapping_has_have_the_type_of_labels(dtype: str) -> None:
    labels = np.array([1, 0], dtype)
    oracle.agree(lambda lib: lib.Index(labels).map({1: 5, 0: 6}))
    oracle.agree(lambda lib: lib.Index(labels).map({1: 5.25, 0: 6}))
    oracle.agree(lambda lib: lib.Index(labels).map({1: 5000, 0: -1}))
    oracle.agree(lambda lib: lib.Index(labels).map(lib.Series([6, 5])))
    oracle.agree(lambda lib: lib.Index(labels[:0]).map(lambda x: x))


def test_times_stay_in_their_unit_and_zone() -> None:
    for unit in ("s", "ns"):
        for zone in (None, "Asia/Tokyo"):
            times = pd.date_range("2000", periods=3, unit=unit, tz=zone)
            oracle.agree(lambda lib, times=times: lib.Index(times).map(lambda t: t))
            oracle.agree(lambda lib, times=times: lib.Index(times).map(lambda t: t.year))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f not in ("much", "times", "huge")])
def test_combined_elements_have_the_type_of_the_first(dtype: str, function: str) -> None:
    def combined(lib: Any, other: Any) -> Any:
        one = lib.Series(np.array([1, 0, 2], dtype), name="n")
        return one.combine(other, lambda x, y: FUNCTIONS[function](x))

    oracle.agree(lambda lib: combined(lib, 1))
    oracle.agree(lambda lib: combined(lib, lib.Series([1, 2, 3])))


@pytest.mark.filterwarnings("ignore")
def test_combined_integers_that_fit_no_longer_are_wider() -> None:
    one = cuprum.Series([91, 94], dtype="int8")
    assert one.combine(one, lambda x, y: x + y).to_list() == [182, 188]  # which pandas wraps


@pytest.mark.filterwarnings("ignore")
def test_results_of_groups_are_floats_of_32_bits_where_those_are_near() -> None:
    values = np.array([1, 2, 3], "float32")
    for function in (lambda x: float(x.iloc[0]) / 3, lambda x: float(x.iloc[0]) * 1e300):
        oracle.agree(lambda lib, f=function: lib.Series(values).groupby([1, 1, 2]).agg(f))


@pytest.mark.parametrize(
    "keys",
    [
        [0, 1],
        [5, 3, 1],
        [5, 3, 2],
        [2, 4, 6, 8],
        [7],
        [True, False],
        [0, 1.0],
        [np.int64(0), np.int64(1)],
        [-(2**63), 2**63 - 1],
        [2**63 - 2, 2**63 - 1],
        ["a", "b"],
    ],
    ids=str,
)
def test_keys_of_a_mapping_at_equal_distances_are_a_range(keys: list[Any]) -> None:
    ours, theirs = (lib.Series(dict.fromkeys(keys, 1)).index for lib in (cuprum, pd))
    assert type(ours).__name__ == type(theirs).__name__
    assert ours.to_list() == theirs.to_list()
    oracle.agree(lambda lib: lib.Series(dict.fromkeys(keys, 1), index=keys[::-1]))
