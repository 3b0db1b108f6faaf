"""Groups by categories, also those without rows."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import agree

import cuprum

UNSEEN = pd.DataFrame(
    {
        "a": ["x", "y", "x", "z", None, "y"],
        "b": [1, 2, 3, 4, 5, 6],
        "e": pd.Categorical(list("qqppqq"), categories=list("pqr")),
        "o": pd.Categorical(["u", None, "v", "u", "u", "u"], categories=["w", "v", "u"], ordered=True),
    }
)


@pytest.mark.parametrize(
    "code",
    [
        "df.groupby(['a', 'b', 'e'], observed=False).size()",
        "df.groupby(['a', 'e', 'b'], observed=False).size()",
        "df.groupby(['e', 'a', 'b'], observed=False).size()",
        "df.groupby(['e', 'a', 'o', 'b'], observed=False).size()",
        "df.groupby(['b', 'o'], observed=False).size()",
        "df.groupby(['o', 'b', 'a'], observed=False, sort=False)['b'].sum()",
        "df.groupby(['e', 'a', 'b'], observed=False, sort=False).size()",
        "df.groupby(['b', 'e', 'a'], observed=False, dropna=False)['b'].sum()",
        "df.groupby(['a', 'b', 'e'], observed=False)['o'].count()",
        "df.value_counts(['a', 'b', 'e'])",
        "df.pivot_table(index=['a', 'b'], columns='e', values='b', aggfunc='sum', observed=False)",
    ],
)
def test_categories_meet_the_combinations_of_other_keys_that_there_are(code):
    agree(f"({code}).to_string()", df=UNSEEN)


@pytest.mark.parametrize(
    "code",
    [
        "lib.DataFrame({'c': lib.Categorical(['v', 'u'], categories=['u', 'v', 'w']), 'a': [1, 2]})"
        ".groupby(['c', 'a'], observed=False).indices",
    ],
)
def test_indices_of_groups_of_categories(code):
    if "Categorical(" in code:
        code = code.replace("lib.Categorical(", "pd.Categorical(")
    agree(code)


COUNTED = pd.DataFrame(
    {
        "k": pd.Categorical(list("baba"), categories=["c", "b", "a"]),
        "j": pd.Categorical(list("xyxx"), categories=list("zyx")),
        "p": [2, 1, 1, 1],
        "v": [9, 3, 9, 7],
        "m": ["u", None, "u", "t"],
    }
)


def test_groups_of_categories_without_rows_have_no_most_frequent_element():
    told = cuprum.DataFrame(COUNTED).groupby("k", observed=False)["m"].describe()
    assert told["count"].to_list() == [0, 2, 1]
    assert told["top"].isna().to_list() == told["freq"].isna().to_list() == [True, False, False]
    assert told["top"].to_list()[1:] == ["u", "t"]


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

    agree(labels_and_sums, f=frame)
