"""`value_counts` of groups, and the order in which it has categories."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
from oracle import agree, ours
from pandas.api.indexers import FixedForwardWindowIndexer
from small_frames import TWO_GROUPS

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
        agree(
            lambda lib, f: f.groupby("a", sort=sort, observed=True).value_counts(sort=by_count).to_list(),
            f=frame[taken],
        )
        agree(
            lambda lib, f: (
                f.groupby("a", sort=sort, observed=True)
                .value_counts(sort=by_count)
                .index.to_flat_index()
                .to_list()
            ),
            f=frame[taken],
        )


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
        agree(
            lambda lib, f: (
                f.groupby(keys, observed=False, sort=by_key)["v"].value_counts(**options).to_list()
            ),
            f=frame,
        )
        agree(
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


@pytest.mark.parametrize(
    "code",
    [
        "g['v'].value_counts(bins=[0, 5], normalize=True)",
        "g['v'].value_counts(bins=[0, 5, 10], dropna=False)",
    ],
)
def test_counts_of_bins_in_groups(code):
    def run(lib, df):
        return eval(code, {"g": df.groupby("k"), "indexer": FixedForwardWindowIndexer})

    agree(run, df=TWO_GROUPS)


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
        "df.groupby('a')[['e']].value_counts()",
        "df.groupby('a')[['e', 'b']].value_counts()",
        "df.groupby('a').value_counts()",
        "df.groupby('a')['e'].value_counts()",
        "df.groupby('a')['e'].value_counts(sort=False)",
        "df.groupby('a')['e'].value_counts(normalize=True, ascending=True)",
        "df.groupby('a')['o'].value_counts(dropna=False)",
        "df.groupby('e', observed=True)['o'].value_counts()",
        "df.groupby('a', as_index=False)['e'].value_counts()",
    ],
)
def test_categories_are_counted_in_every_group(code):
    agree(f"({code}).to_string()", df=UNSEEN)


@pytest.mark.parametrize("column", ["['b']", "[['b']]", "['o']"])
def test_counts_in_groups_without_rows(column):
    agree(f"df.groupby('e', observed=False){column}.value_counts().sort_index()", df=UNSEEN)


COUNTED = pd.DataFrame(
    {
        "k": pd.Categorical(list("baba"), categories=["c", "b", "a"]),
        "j": pd.Categorical(list("xyxx"), categories=list("zyx")),
        "p": [2, 1, 1, 1],
        "v": [9, 3, 9, 7],
        "m": ["u", None, "u", "t"],
    }
)


@pytest.mark.parametrize("options", ["", "sort=False", "normalize=True", "ascending=True"])
@pytest.mark.parametrize(
    "groups",
    [
        "df.groupby('k', observed=False)['v']",
        "df.groupby('k', observed=False, sort=False)['v']",
        "df.groupby(['p', 'k'], observed=False)['m']",
        "df.groupby(['k', 'j'], observed=False)[['v', 'p']]",
        "df.groupby('k', observed=False)['j']",
        "df[df['k'] != 'c'].groupby(lib.Series(list('xyxy'), dtype='category'), observed=False)['v']",
    ],
)
def test_categories_that_groups_do_not_have_are_counted(groups, options):
    agree(f"{groups}.value_counts({options})", df=COUNTED)


def test_counts_of_categories_beside_others_are_refused():
    frame = cuprum.DataFrame(COUNTED)
    for groups in (
        frame.groupby("k", observed=False)[["j", "v"]],
        frame.groupby("k", observed=False, sort=False)["j"],
        frame.groupby("k", observed=False)["k"],
    ):
        with pytest.raises(NotImplementedError, match="observed=True"):
            groups.value_counts()


@pytest.mark.parametrize("order", ["", "sort=False", "ascending=True"])
@pytest.mark.parametrize("rows", ["", ".iloc[::-1]"])
def test_counts_are_in_order_of_appearance(order, rows):
    frame = pd.DataFrame(
        {"k": [1, 1, 1, 2, 2], "v": ["b", "a", "b", "z", "y"], "n": [4.0, 9.0, None, 2.0, 9.0]}
    )
    # pandas sorts groups that are in another order by an algorithm that does not keep the order of ties.
    keys = "sort=False" if rows else "sort=True"
    agree(f"d{rows}.groupby('k', {keys}).v.value_counts({order})", d=frame)
    agree(f"d{rows}.groupby('k', {keys}, as_index=False).v.value_counts({order})", d=frame)
    agree(f"d{rows}.groupby('k', {keys}).n.value_counts({order})", d=frame)
    if not order:
        agree(f"d{rows}.groupby('k', sort=False).v.value_counts()", d=frame)


def test_categories_that_a_group_has_not_have_counts_of_0():
    frame = pd.DataFrame({"k": [1, 1, 1, 2, 2], "c": pd.Categorical(["q", "p", "q", "q", "q"])})
    agree("d.groupby('k').c.value_counts()", d=frame)


@pytest.mark.parametrize("ascending", [False, True])
def test_categories_that_are_as_frequent_are_in_their_order(ascending):
    values = pd.Series(list("bacc"), dtype="category")
    agree(lambda lib, s: s.value_counts(ascending=ascending).to_dict(), s=values)
    assert list(ours(values).value_counts(ascending=ascending)) == list(
        values.value_counts(ascending=ascending)
    )
    unsorted = ours(values).value_counts(sort=False).index.to_list()
    assert unsorted == values.value_counts(sort=False).index.to_list() == ["a", "b", "c"]
    order = ours(values).value_counts(ascending=ascending).index.to_list()
    assert order == values.value_counts(ascending=ascending).index.to_list()
    cut = [lib.cut(lib.Series([3, 1, 2, 1]), 3).value_counts(sort=False).to_list() for lib in (pd, cuprum)]
    assert cut[0] == cut[1] == [2, 1, 1]
