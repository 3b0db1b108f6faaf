"""Lists and structs as keys: sorted, grouped, merged, deduplicated and compared as Python does it with tuples."""

from functools import cmp_to_key
from typing import Any

import pytest

import cuprum

LISTS: list[Any] = [[1, 2], [1], None, [1, 2], [], [1, None], [2], None, [1, 2, 0], [None]]
DEEP: list[Any] = [
    [["a"], ["é", ""]], [], None, [["a"]], [None], [["a"], ["é", ""]], [[]], [["b"]], [["a"]], [[None]],
]  # fmt: skip
STRUCTS: list[Any] = [
    {"a": a, "b": b}
    for a, b in [(1, "x"), (1, "w"), (None, "x"), (1, "x"), (0, None), (2, ""), (0, None), (1, "é")]
] + [None, None]
COLUMNS = {"lists": LISTS, "lists of lists": DEEP, "structs": STRUCTS}


@pytest.fixture(params=["cpu", "emulator"], autouse=True)
def device(request: pytest.FixtureRequest) -> Any:
    with cuprum.option_context("device", request.param, "fallback", "error"):
        yield request.param


@pytest.fixture(params=COLUMNS)
def rows(request: pytest.FixtureRequest) -> list[Any]:
    return COLUMNS[request.param]


def frame(rows: list[Any]) -> Any:
    return cuprum.DataFrame({"k": rows, "v": range(len(rows))})


def compare(a: Any, b: Any, ascending: bool, first: bool) -> int:
    """Below 0, 0 or above; what is missing is first or last at every depth, whatever the order."""
    if a is None or b is None:
        return 0 if a is b else (-1 if first == (a is None) else 1)
    if isinstance(a, dict):
        a, b = [*a.values()], [*b.values()]
    if isinstance(a, list):
        for x, y in zip(a, b, strict=False):
            if (found := compare(x, y, ascending, first)) != 0:
                return found
        a, b = len(a), len(b)
    return ((a > b) - (a < b)) * (1 if ascending else -1)


def firsts(rows: list[Any]) -> list[int]:
    """The first row of each key."""
    return [i for i, row in enumerate(rows) if rows.index(row) == i]


@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("na_position", ["first", "last"])
def test_sort_values(rows: list[Any], ascending: bool, na_position: str) -> None:
    in_order = cmp_to_key(lambda a, b: compare(rows[a], rows[b], ascending, na_position == "first"))
    expected = sorted(range(len(rows)), key=in_order)
    found = frame(rows).sort_values("k", ascending=ascending, na_position=na_position)
    assert found["v"].to_list() == expected
    assert found["k"].to_list() == [rows[i] for i in expected]


def test_duplicates(rows: list[Any]) -> None:
    df = frame(rows)
    assert df.drop_duplicates("k")["v"].to_list() == firsts(rows)
    assert df["k"].drop_duplicates().to_list() == [rows[i] for i in firsts(rows)]
    assert df.duplicated("k").to_list() == [i not in firsts(rows) for i in range(len(rows))]
    assert df["k"].nunique() == len([i for i in firsts(rows) if rows[i] is not None])


@pytest.mark.parametrize("dropna", [True, False])
def test_groupby(rows: list[Any], dropna: bool) -> None:
    groups = frame(rows).groupby("k", as_index=False, sort=False, dropna=dropna)
    keys = [i for i in firsts(rows) if not (dropna and rows[i] is None)]
    members = [[i for i, row in enumerate(rows) if row == rows[k]] for k in keys]
    sums = groups["v"].sum()
    assert sums["k"].to_list() == [rows[k] for k in keys]
    assert sums["v"].to_list() == [sum(those) for those in members]
    assert groups.size()["size"].to_list() == [len(those) for those in members]
    sizes = {i: len(those) for those in members for i in those}
    found = groups["v"].transform("size").to_list()
    assert [x for x in found if x == x and x is not None] == [sizes[i] for i in sorted(sizes)]


def test_sorted_groups(rows: list[Any]) -> None:
    keys = [i for i in firsts(rows) if rows[i] is not None]
    keys.sort(key=cmp_to_key(lambda a, b: compare(rows[a], rows[b], True, False)))
    found = frame(rows).groupby("k", as_index=False)["v"].min()
    assert found["v"].to_list() == keys


def test_groups_need_columns_for_their_keys(rows: list[Any]) -> None:
    with pytest.raises(TypeError, match=r"cannot be row labels; groupby\(as_index=False\)"):
        frame(rows).groupby("k")["v"].sum()
    with pytest.raises(TypeError, match="cannot be row labels"):
        frame(rows)["k"].value_counts()
    with pytest.raises(TypeError, match="cannot be row labels"):
        frame(rows).set_index("k")


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
def test_merge(rows: list[Any], how: str) -> None:
    left, right = frame(rows), frame(rows[2:6]).rename(columns={"v": "w"})
    found = left.merge(right, on="k", how=how)
    pairs = {(i, j) for i, row in enumerate(rows) for j, other in enumerate(rows[2:6]) if row == other}
    if how in ("left", "outer"):
        pairs |= {(i, None) for i, row in enumerate(rows) if row not in rows[2:6]}
    numbers = [[None if x is None or x != x else int(x) for x in found[c].to_list()] for c in "vw"]
    assert set(zip(*numbers, strict=True)) == pairs
    assert len(found) == len(pairs)


def test_operators(rows: list[Any]) -> None:
    series, other = frame(rows)["k"], frame(rows[1:] + rows[:1])["k"]
    pairs = list(zip(rows, rows[1:] + rows[:1], strict=True))
    assert (series == other).to_list() == [a is not None and a == b for a, b in pairs]
    assert (series != other).to_list() == [a is None or a != b for a, b in pairs]
    # As keys of rows: missing elements are before all others.
    less = [None not in (a, b) and compare(a, b, True, True) < 0 for a, b in pairs]
    assert (series < other).to_list() == less
    assert (other > series).to_list() == less


def test_extremes(rows: list[Any]) -> None:
    present = [row for row in rows if row is not None]
    series = frame(rows)["k"]
    for ascending, found in [(True, series.min()), (False, series.max())]:
        in_order = cmp_to_key(lambda a, b, ascending=ascending: compare(a, b, ascending, False))
        assert found == min(present, key=in_order)


def test_other_types() -> None:
    ints, floats = cuprum.Series([[1, 2], [2], [3]]), cuprum.Series([[1.0, 2.0], [2.5], None])
    assert (ints == floats).to_list() == [True, False, False]
    assert (floats > ints).to_list() == [False, True, False]
    # As in pandas, what cannot be equal is not.
    assert (ints == cuprum.Series([["x"], [], None])).to_list() == [False, False, False]
    with pytest.raises(TypeError, match="list<int64>"):
        _ = ints < cuprum.Series([["x"], [], None])
    left, right = cuprum.DataFrame({"k": [[1]]}), cuprum.DataFrame({"k": [["x"]]})
    with pytest.raises(ValueError, match="list<int64>"):
        left.merge(right, on="k")
