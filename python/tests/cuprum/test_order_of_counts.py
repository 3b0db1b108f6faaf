"""The order in which `value_counts` of groups has categories."""

from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest


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
