"""The order in which `value_counts` of groups has categories."""

import tracemalloc
from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest

import cuprum


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("by_count", [True, False])
@pytest.mark.parametrize("keys", ["categories", "numbers", "some missing"])
def test_categories_that_a_group_has_not_come_last_among_groups_as_they_appear(
    seed: int, sort: bool, by_count: bool, keys: str
) -> None:
    random = np.random.default_rng(seed)
    rows = int(random.integers(1, 9))
    groups = random.integers(1, 4, rows)
    of_groups = {
        "categories": pd.Categorical(groups, categories=[3, 1, 2, 5]),
        "numbers": groups,
        "some missing": np.where(groups == 2, np.nan, groups),
    }
    frame = pd.DataFrame(
        {
            "a": of_groups[keys],
            "b": pd.Categorical(random.integers(1, 4, rows), categories=[1, 2, 3, 4]),
            "c": random.integers(0, 2, rows),
        }
    )
    # What is sorted with equal counts among more labels than 16 comes in pandas as its sort leaves it.
    for taken in [["a", "b"]] if sort else [["a", "b"], ["a", "b", "c"], ["a", "c", "b"]]:
        oracle.agree(
            lambda lib, f: f.groupby("a", sort=sort, observed=True).value_counts(sort=by_count).to_list(),
            f=frame[taken],
        )
        oracle.agree(
            lambda lib, f: (
                f.groupby("a", sort=sort, observed=True)
                .value_counts(sort=by_count)
                .index.to_flat_index()
                .to_list()
            ),
            f=frame[taken],
        )


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("dropna", [True, False])
@pytest.mark.parametrize("keys", [["a", "b"], ["b", "a"], ["b", "c"]])
def test_groups_without_rows_come_as_their_categories_appear(
    seed: int, sort: bool, dropna: bool, keys: list[str]
) -> None:
    random = np.random.default_rng(seed)
    rows = int(random.integers(1, 8))
    frame = pd.DataFrame(
        {
            "a": random.choice(["X", "Y", None], rows),
            "b": pd.Categorical(random.choice([1, 2, 3, np.nan], rows), categories=[1, 2, 3, 4]),
            "c": pd.Categorical(random.choice(["u", "v"], rows), categories=["w", "v", "u"]),
            "v": range(rows),
        }
    )

    def labels_and_sums(lib: Any, f: Any) -> tuple[Any, Any]:
        sums = f.groupby(keys, sort=sort, dropna=dropna, observed=False)["v"].sum()
        # Missing ones make floats of pandas' labels.
        labels = [[str(part).removesuffix(".0") for part in label] for label in sums.index.to_list()]
        return labels, sums.to_list()

    oracle.agree(labels_and_sums, f=frame)


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("keys", [["k"], ["k", "j"], ["j", "k"], ["k", "l"]])
@pytest.mark.parametrize("options", [{}, {"sort": False}, {"normalize": True}, {"dropna": False}])
def test_elements_of_rows_without_a_group_are_counted_in_all(
    seed: int, keys: list[str], options: dict[str, bool]
) -> None:
    if "dropna" in options and "j" in keys:
        pytest.skip("equal counts among so many labels come in pandas as its sort leaves them")
    random = np.random.default_rng(seed)
    rows = int(random.integers(1, 9))
    some = 0.0 if seed % 5 == 0 else 0.6  # all keys are missing
    frame = pd.DataFrame(
        {
            "k": pd.Categorical(
                np.where(random.random(rows) < some, random.integers(0, 2, rows), None), [1, 0, 2]
            ),
            "l": pd.Categorical(np.where(random.random(rows) < 0.5, "x", None), ["x", "y"]),
            "j": np.where(random.random(rows) < 0.7, random.integers(0, 2, rows), np.nan),
            "v": np.where(random.random(rows) < 0.8, random.integers(0, 3, rows), np.nan),
        }
    )
    for by_key in (True, False):
        oracle.agree(
            lambda lib, f: (
                f.groupby(keys, observed=False, sort=by_key)["v"].value_counts(**options).to_list()
            ),
            f=frame,
        )
        oracle.agree(
            lambda lib, f: (
                f.groupby(keys, observed=False, sort=by_key)["v"]
                .value_counts(**options)
                .index.to_frame(index=False)
            ).astype({"v": "float64"})["v"],
            f=frame,
        )


def test_counts_of_many_groups_take_no_table_of_elements_and_groups() -> None:
    count = 20_000
    frame = cuprum.DataFrame(
        {
            "j": np.arange(count),
            "k": pd.Categorical(np.zeros(count, dtype=int), [0, 1]),
            "v": np.arange(count),
        }
    )
    tracemalloc.start()
    found = frame.groupby(["j", "k"], observed=False)["v"].value_counts()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(found) == 2 * count
    assert found.sum() == count
    assert peak < 200 * 8 * count
