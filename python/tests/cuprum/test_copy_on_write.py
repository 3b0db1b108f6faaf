"""Copies that share memory: who sees a write, in both modes of the option ``copy_on_write``."""

import copy
import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import cuprum
from cuprum import DataFrame, Index, MultiIndex, Series

pytestmark = pytest.mark.usefixtures("linked_copies")


def address(series):
    return series.data._ptr


# The page.


@pytest.mark.host
def test_walk_through():
    cuprum.set_option("copy_on_write", True)
    s1 = Series([1, 2, 3, 4])
    s2 = s1.copy(deep=False)
    s3 = s2.copy(deep=False)
    first = address(s1)
    assert address(s2) == first and address(s3) == first
    s2[0:2] = 10
    second = address(s2)
    assert s2.to_list() == [10, 10, 3, 4]
    assert s1.to_list() == [1, 2, 3, 4] and s3.to_list() == [1, 2, 3, 4]
    assert second != first and address(s1) == first and address(s3) == first
    s1[0:2] = 11
    assert s1.to_list() == [11, 11, 3, 4]
    assert s2.to_list() == [10, 10, 3, 4] and s3.to_list() == [1, 2, 3, 4]
    assert address(s2) == second and address(s3) == first and address(s1) not in (first, second)
    s3[0] = 12
    assert address(s3) == first, "it has become the only user"


@pytest.mark.host
def test_without_copy_on_write_shallow_copies_are_one_memory():
    s1 = Series([1, 2, 3, 4])
    s2 = s1.copy(deep=False)
    s3 = s2.copy(deep=False)
    first = address(s1)
    for writer, value in zip((s2, s1, s3), (10, 11, 12), strict=True):
        writer[0:2] = value
        for series in (s1, s2, s3):
            assert series.to_list() == [value, value, 3, 4]
            assert address(series) == first
    s2[3] = None
    assert s1.to_list()[:3] == [12, 12, 3] and s1.isna().to_list() == [False, False, False, True]
    assert address(s3) == first


def test_page_example(mode):
    series = Series([1, 2, 3, 4])
    copied = series.copy(deep=False)
    series[0:2] = 10
    assert series.to_list() == [10, 10, 3, 4]
    assert copied.to_list() == ([1, 2, 3, 4] if mode else [10, 10, 3, 4])


def test_slices_see_no_write(mode):
    s = Series([1, 2, 3, 4, 5])
    part = s[0:2]
    part[0] = 10
    assert part.to_list() == [10, 2] and s.to_list() == [1, 2, 3, 4, 5]
    head, tail, some, whole = s.head(3), s.iloc[3:], s.loc[1:2], s[:]
    s[0:5] = 0
    assert [x.to_list() for x in (part, head, tail, some, whole)] == [
        [10, 2],
        [1, 2, 3],
        [4, 5],
        [2, 3],
        [1, 2, 3, 4, 5],
    ]
    frame = DataFrame({"a": [1, 2], "b": [3, 4]})
    column, both = frame["a"], frame[["a", "b"]]
    frame.loc[0, "a"] = 9
    column[1] = 8
    assert frame["a"].to_list() == [9, 2] and both["a"].to_list() == [1, 2] and column.to_list() == [1, 8]


@pytest.mark.parametrize("deep", [True, False])
def test_comparison_table(mode, deep):
    def pair():
        series = Series([1, 2, 3])
        return series, series.copy(deep=deep)

    for writer, reader in ((0, 1), (1, 0)):
        both = pair()
        assert (address(both[0]) == address(both[1])) == (not deep)
        both[writer][1] = 7
        assert both[writer].to_list() == [1, 7, 3]
        assert both[reader].to_list() == ([1, 2, 3] if deep or mode else [1, 7, 3])
        assert (address(both[0]) == address(both[1])) == (not deep and not mode)


@pytest.mark.parametrize("deep", [True, False])
def test_comparison_table_of_frames(mode, deep):
    frame = DataFrame({"a": [1, 2, 3], "t": ["x", "y", "z"]}, index=[10, 20, 30])
    other = frame.copy(deep=deep)
    frame.loc[20, "a"] = 7
    other.loc[30, "a"] = 8
    shared = not deep and not mode
    assert frame["a"].to_list() == ([1, 7, 8] if shared else [1, 7, 3])
    assert other["a"].to_list() == ([1, 7, 8] if shared else [1, 2, 8])
    other.loc[10, "t"] = "w"
    assert frame["t"].to_list() == ["x", "y", "z"] and other["t"].to_list() == ["w", "y", "z"]


def test_text_is_never_seen_by_others(mode):
    s1 = Series(["a", None, "c"])
    s2 = s1.copy(deep=False)
    deep = s1.copy()
    assert address(deep) == address(s1), "nothing writes into text"
    s2[0] = "ä"
    assert s1.to_list()[0] == "a" and s2.to_list()[0] == "ä" and deep.to_list()[0] == "a"


@pytest.mark.host
def test_switching_mid_way_keeps_what_exists():
    before = Series([1, 2])
    linked = before.copy(deep=False)
    cuprum.set_option("copy_on_write", True)
    after = Series([1, 2])
    apart = after.copy(deep=False)
    before[0] = 5
    after[0] = 5
    assert linked.to_list() == [5, 2] and apart.to_list() == [1, 2]
    late = before.copy(deep=False)
    late[1] = 6
    assert before.to_list() == [5, 6], "its memory was made without copy-on-write"
    cuprum.set_option("copy_on_write", False)
    again = apart.copy(deep=False)
    again[0] = 9
    assert apart.to_list() == [1, 2], "its memory was made with copy-on-write"


@pytest.mark.host
@pytest.mark.parametrize("first", [True, False], ids=["on", "off"])
def test_switching_does_not_change_the_mode_of_what_is_written(first):
    cuprum.set_option("copy_on_write", first)
    series = Series([1, 2, 3])
    linked, part = series.copy(deep=False), series[:2]
    cuprum.set_option("copy_on_write", not first)
    series[0] = 9  # on a copy, for the slice has the memory, too
    late = series.copy(deep=False)
    late[1] = 8
    assert part.to_list() == [1, 2]
    assert series.to_list() == ([9, 2, 3] if first else [9, 8, 3])
    assert linked.to_list() == ([1, 2, 3] if first else [9, 8, 3])


# Deep copies.


@pytest.mark.parametrize(
    "values",
    [
        [1, None, 3],
        [1.5, float("nan"), None],
        [True, False, None],
        np.array(["2020-01-01", "NaT", "2021-01-01"], "datetime64[s]"),
        np.array([1, 2, 3], "timedelta64[ms]"),
        [],
    ],
)
def test_deep_copies_of_every_width(mode, values):
    series = Series(values, dtype="int8" if len(values) == 0 else None)
    for part in (series, series[1:]):
        other = part.copy()
        assert other.equals(part) and other.dtype == part.dtype
        if len(part):
            assert other.data.owner != part.data.owner
            assert copy.deepcopy(part).data.owner != part.data.owner
            assert copy.copy(part).data.owner == part.data.owner


def test_copies_of_indexes(mode):
    index = Index([1, 2, 3], name="k")
    deep, shallow = index.copy(deep=True), index.copy()
    assert deep.data.owner != index.data.owner and shallow.data.owner == index.data.owner
    assert deep.equals(index) and deep.name == "k" and index.copy(name="z").name == "z"
    assert copy.copy(index).data.owner == index.data.owner
    assert copy.deepcopy(index).data.owner != index.data.owner
    levels = MultiIndex.from_arrays([[1, 2], ["a", "b"]], names=["n", "t"])
    copied = levels.copy(deep=True)
    assert copied.equals(levels) and copied.names == ["n", "t"]
    assert copied.get_level_values(0).data.owner != levels.get_level_values(0).data.owner
    assert copied.get_level_values(1).data.owner == levels.get_level_values(1).data.owner
    frame = DataFrame({"a": [1, 2]}, index=[5, 6])
    assert frame.copy().index.data.owner != frame.index.data.owner
    assert frame.copy(deep=False).index.data.owner == frame.index.data.owner
    assert cuprum.RangeIndex(3).copy(deep=True).equals(cuprum.RangeIndex(3))


# Every operation in place.

ELEMENTS = {
    "[]": lambda s: s.__setitem__(1, 7),
    "[] slice": lambda s: s.__setitem__(slice(1, 3), 7),
    "[] mask": lambda s: s.__setitem__(s > 2, 7),
    "[] list": lambda s: s.__setitem__([0, 2], [7, 8]),
    "loc": lambda s: s.loc.__setitem__(1, 7),
    "iloc": lambda s: s.iloc.__setitem__(-1, 7),
    "iloc array": lambda s: s.iloc.__setitem__(np.array([0, 1]), np.array([7, 8])),
    "at": lambda s: s.at.__setitem__(1, 7),
    "iat": lambda s: s.iat.__setitem__(1, 7),
    "null": lambda s: s.__setitem__(1, None),
    "series": lambda s: s.__setitem__([0, 1], Series([7, 8], index=[1, 0])),
    "itself backwards": lambda s: s.iloc.__setitem__(slice(None, None, -1), s.to_arrow()),
    "fillna": lambda s: s.fillna(7, inplace=True),
    "ffill": lambda s: s.ffill(inplace=True),
    "bfill": lambda s: s.bfill(inplace=True),
    "clip": lambda s: s.clip(2, 3, inplace=True),
    "where": lambda s: s.where(s > 2, 7, inplace=True),
    "mask": lambda s: s.mask(s > 2, inplace=True),
    "replace": lambda s: s.replace(2, 7, inplace=True),
    "loc slice": lambda s: s.loc.__setitem__(slice(1, 2), 7),
    "loc callable": lambda s: s.loc.__setitem__(lambda t: t > 2, 7),
    "fillna series": lambda s: s.fillna(Series([7, 8], index=[1, 3]), inplace=True),
    "fillna dict": lambda s: s.fillna({1: 7, 9: 8}, inplace=True),
    "where series": lambda s: s.where(s > 2, Series([9, 8, 7, 6]), inplace=True),
    "mask series": lambda s: s.mask(s > 2, Series([9, 8, 7, 6]), inplace=True),
    "where of some rows": lambda s: s.where(Series([False], index=[1]), 7, inplace=True),
    "replace list": lambda s: s.replace([1, 3], [3, 1], inplace=True),
    "replace dict": lambda s: s.replace({1: 3, 3: 1}, inplace=True),
}
OTHERS = {
    "float": lambda s: s.__setitem__(1, float("nan")),
    "sort_values": lambda s: s.sort_values(ascending=False, inplace=True),
    "sort_index": lambda s: s.sort_index(ascending=False, inplace=True),
    "dropna": lambda s: s.dropna(inplace=True),
    "drop": lambda s: s.drop(0, inplace=True),
    "drop_duplicates": lambda s: s.drop_duplicates(inplace=True),
    "reset_index": lambda s: s.reset_index(drop=True, inplace=True),
    "rename": lambda s: s.rename("other", inplace=True),
    "name": lambda s: setattr(s, "name", "other"),
    "index": lambda s: setattr(s, "index", list("wxyz")),
    "rename dict": lambda s: s.rename({0: 9}, inplace=True),
    "rename_axis": lambda s: s.rename_axis("k", inplace=True),
    "index name": lambda s: setattr(s.index, "name", "k"),
    "index names": lambda s: setattr(s.index, "names", ["k"]),
    "index rename": lambda s: s.index.rename("k", inplace=True),
    "index set_names": lambda s: s.index.set_names(["k"], inplace=True),
}


@pytest.mark.parametrize("values", [[1, 2, 3, 4], [1, None, 3, None]], ids=["whole", "nulls"])
@pytest.mark.parametrize("name", [*ELEMENTS, *OTHERS])
def test_changes_in_place(mode, name, values):
    before, expected = Series(values), Series(values)
    change = {**ELEMENTS, **OTHERS}[name]
    change(expected)
    s1 = Series(values)
    s2, part, deep = s1.copy(deep=False), s1[:], s1.copy()
    chain = s2.copy(deep=False)
    change(s2)
    assert s2.equals(expected), name
    assert part.equals(before) and deep.equals(before)
    seen = expected if name in ELEMENTS and not mode else before
    assert s1.equals(seen) and chain.equals(seen)
    if name in ELEMENTS and not mode:
        assert address(s1) == address(s2) == address(chain)
    # Whoever has left the others does not see them any more; they still see each other.
    s1.iloc[0] = -1
    assert chain.iloc[0] == (-1 if not mode else before.iloc[0])


NEW = DataFrame({"a": [7, 8, 9], "b": [7.5, 8.5, 9.5], "t": ["u", "v", "w"]})
FRAMES = {
    "loc": (lambda f: f.loc.__setitem__((0, "a"), 7), "a"),
    "loc columns": (lambda f: f.loc.__setitem__(([0, 1], ["a", "b"]), 7), "ab"),
    "loc row": (lambda f: f.loc.__setitem__((1, ["a", "b"]), [7, 8]), "ab"),
    "iloc": (lambda f: f.iloc.__setitem__((slice(0, 2), 1), 7.0), "b"),
    "at": (lambda f: f.at.__setitem__((1, "b"), 7.5), "b"),
    "iat": (lambda f: f.iat.__setitem__((1, 0), 7), "a"),
    "text": (lambda f: f.loc.__setitem__((0, "t"), "w"), ""),
    "upcast": (lambda f: f.loc.__setitem__((0, "a"), float("nan")), ""),
    "fillna": (lambda f: f.fillna({"b": 9.0}, inplace=True), "b"),
    "fillna frame": (lambda f: f.fillna(DataFrame({"b": [5.0, 6.0, 7.0]}), inplace=True), "b"),
    "fillna series": (lambda f: f.fillna(Series([5.0], index=["b"]), inplace=True), "b"),
    "ffill": (lambda f: f.ffill(inplace=True), "ab"),
    "bfill": (lambda f: f.bfill(inplace=True), "ab"),
    "where": (lambda f: f.where(f["a"] > 1, inplace=True), "ab"),
    "mask": (lambda f: f.mask(f["a"] > 1, inplace=True), "ab"),
    "[] frame": (lambda f: f.__setitem__(f[["a", "b"]] > 2, 0), "ab"),
    "[] mask": (lambda f: f.__setitem__(f["a"] > 1, NEW), "ab"),
    "[] slice": (lambda f: f.__setitem__(slice(0, 2), [7, 8.0, "w"]), "ab"),
    "loc mask": (lambda f: f.loc.__setitem__((f["a"] > 1, "a"), 7), "a"),
    "loc whole row": (lambda f: f.loc.__setitem__(1, [7, 8.0, "w"]), "ab"),
    "iloc whole row": (lambda f: f.iloc.__setitem__(1, [7, 8.0, "w"]), "ab"),
    "loc new": (lambda f: f.loc.__setitem__(([0, 1], "n"), 7), ""),
    "loc old and new": (lambda f: f.loc.__setitem__(([0, 1], ["a", "n"]), 7), "a"),
    "replace scalar": (lambda f: f.replace(3, 7, inplace=True), "ab"),
    "replace list": (lambda f: f.replace([1, 3], [3, 1], inplace=True), "ab"),
    "attribute": (lambda f: setattr(f, "a", [7, 8, 9]), ""),
    "columns of a frame": (lambda f: f.__setitem__(["a", "t"], NEW[["a", "t"]]), ""),
    "labels": (lambda f: setattr(f, "columns", ["z", "b", "y"]), ""),
    "index": (lambda f: setattr(f, "index", [7, 8, 9]), ""),
    "index name": (lambda f: setattr(f.index, "name", "k"), ""),
    "sort_index": (lambda f: f.sort_index(ascending=False, inplace=True), ""),
    "sort_index of columns": (lambda f: f.sort_index(axis=1, ascending=False, inplace=True), ""),
    "drop rows": (lambda f: f.drop(index=[0], inplace=True), ""),
    "dropna of columns": (lambda f: f.dropna(axis=1, inplace=True), ""),
    "rename rows": (lambda f: f.rename(index={0: 9}, inplace=True), ""),
    "rename_axis": (lambda f: f.rename_axis("k", inplace=True), ""),
    "reset_index drop": (lambda f: f.reset_index(drop=True, inplace=True), ""),
    "replace": (lambda f: f.replace({"a": {1: 7}}, inplace=True), "a"),
    "column": (lambda f: f.__setitem__("a", [7, 8, 9]), ""),
    "columns": (lambda f: f.__setitem__(["a", "b"], 0), ""),
    "new": (lambda f: f.__setitem__("n", 1), ""),
    "insert": (lambda f: f.insert(0, "n", 1), ""),
    "del": (lambda f: f.__delitem__("a"), ""),
    "pop": (lambda f: f.pop("a"), ""),
    "drop": (lambda f: f.drop(columns="a", inplace=True), ""),
    "sort": (lambda f: f.sort_values("a", ascending=False, inplace=True), ""),
    "rename": (lambda f: f.rename(columns={"a": "z"}, inplace=True), ""),
    "query": (lambda f: f.query("a > 1", inplace=True), ""),
    "eval": (lambda f: f.eval("a = a + 1", inplace=True), ""),
    "dropna": (lambda f: f.dropna(inplace=True), ""),
    "set_index": (lambda f: f.set_index("a", inplace=True), ""),
    "reset_index": (lambda f: f.reset_index(inplace=True), ""),
    "drop_duplicates": (lambda f: f.drop_duplicates("t", inplace=True), ""),
}


@pytest.mark.parametrize("name", FRAMES)
def test_changes_of_frames_in_place(mode, name):
    def made():
        return DataFrame({"a": [1, 2, 3], "b": [1.0, None, 3.0], "t": ["x", "y", "z"]})

    change, seen = FRAMES[name]
    before, expected, frame = made(), made(), made()
    other, deep, columns = frame.copy(deep=False), frame.copy(), frame[["a", "b", "t"]]
    change(expected)
    change(frame)
    assert frame.equals(expected)
    assert deep.equals(before) and columns.equals(before)
    for label in "abt":
        follows = not mode and label in seen
        assert other[label].equals((expected if follows else before)[label]), label
        if follows:
            assert address(other[label]) == address(frame[label])
    assert other.columns.to_list() == ["a", "b", "t"] and len(other) == 3
    if "b" in frame and len(frame) == 3 and name != "columns":
        frame.iloc[0, list(frame.columns).index("b")] = -5.0
        linked = not mode and name not in ("sort", "sort_index", "drop_duplicates")
        assert (other["b"].to_list()[0] == -5.0) == linked


@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.fillna(9, inplace=True),
        lambda f: f.clip(2, 3, inplace=True),
        lambda f: f.__setitem__(f > 2, 0),
        lambda f: f.__setitem__(slice(None), 0),
        lambda f: f.iloc.__setitem__((slice(1, None), [True, True]), np.array([[7, 5], [8, 6]])),
    ],
)
def test_changes_of_frames_of_numbers_in_place(mode, change):
    def made():
        return DataFrame({"a": [1, 2, 3], "b": [1.0, None, 3.0]})

    expected, frame = made(), made()
    other = frame.copy(deep=False)
    change(expected)
    change(frame)
    assert frame.equals(expected) and not frame.equals(made())
    assert other.equals(made() if mode else expected)


@pytest.mark.parametrize(("key", "rows"), [(("x", 2), [1]), ("x", [0, 1]), ([("x", 1), ("y", 1)], [0, 2])])
def test_rows_of_several_levels_in_place(mode, key, rows):
    labels = MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1)])
    series, frame = Series([1, 2, 3], index=labels), DataFrame({"a": [1, 2, 3]}, index=labels)
    others = series.copy(deep=False), frame.copy(deep=False)
    expected = [7 if row in rows else row + 1 for row in range(3)]
    series.loc[key] = 7
    frame.loc[key, "a"] = 7
    assert series.to_list() == frame["a"].to_list() == expected
    seen = [1, 2, 3] if mode else expected
    assert others[0].to_list() == others[1]["a"].to_list() == seen


def test_naming_labels_of_before_keeps_those_of_now(mode):
    series = Series([3, 1, 2], index=["a", "b", "c"])
    labels, linked = series.index, series.copy(deep=False)
    series.sort_values(inplace=True)
    labels.name = "k"
    assert labels.to_list() == ["a", "b", "c"] and labels.name == "k"
    assert series.index.to_list() == ["b", "c", "a"] and series.index.name == "k"
    assert linked.index.to_list() == ["a", "b", "c"] and linked.index.name is None
    series.index = MultiIndex.from_tuples([(1, 2), (3, 4), (5, 6)])
    with pytest.raises(ValueError):
        labels.name = "z"
    assert labels.name == "k" and series.index.names == [None, None]


def test_dropping_columns_keeps_the_link(mode):
    frame = DataFrame({"a": [1, 2], "b": [None, 1.0]})
    other = frame.copy(deep=False)
    frame.dropna(axis=1, inplace=True)
    frame.iloc[0, 0] = 9
    assert frame.columns.to_list() == ["a"] and other["a"].to_list() == ([1, 2] if mode else [9, 2])


def given_to(function):
    """What `function` hands to a callable."""
    given = []
    function(lambda frame: (given.append(frame), ["a"])[1])
    return given[0]


@pytest.mark.parametrize(
    ("made", "derive"),
    [
        (Series([1, 2]), lambda s: +s),
        (Series([1, 2]), lambda s: s.squeeze()),
        (Series([1, 2]), cuprum.to_numeric),
        (Series(np.array([1, 2], "datetime64[s]")), cuprum.to_datetime),
        (DataFrame({"a": [1, 2]}), lambda f: +f),
        (DataFrame({"a": [1, 2], "b": [3, 4]}), lambda f: f.squeeze()),
        (DataFrame({"a": [1, 2]}), lambda f: f.round({})),
        (DataFrame({"a": [1, 2]}), lambda f: given_to(lambda call: f.loc[:, call])),
    ],
)
def test_results_are_objects_of_their_own(mode, made, derive):
    made = made.copy()
    before, result = made.copy(), derive(made)
    assert result is not made and result._handle is not made._handle and result.equals(made)
    made.iloc[0] = made.iloc[1].to_list() if made.ndim == 2 else made.iloc[1]
    assert result.equals(before)
    made.index = ["x", "y"]
    assert result.index.to_list() == [0, 1]


def test_groups_are_found_once_and_of_the_frame_as_it_is(mode):
    """As in pandas."""
    frame = DataFrame({"k": [1, 1, 2], "v": [1, 2, 3]})
    keys = np.array([1, 1, 2])
    groups, of_series = frame.groupby("k"), frame["v"].groupby(keys)
    of_column, series = groups["v"], frame["v"]
    live = series.groupby(keys)
    linked = frame.copy(deep=False)
    linked.loc[1, "v"] = 5
    assert groups["v"].sum().to_list() == ([3, 3] if mode else [6, 3])
    frame["v"] = [7, 8, 9]
    frame.loc[0, "k"] = 2
    assert groups["v"].sum().to_list() == [15, 9] and groups.get_group(1)["v"].to_list() == [7, 8]
    assert [group["v"].to_list() for _, group in groups] == [[7, 8], [9]]
    assert [group["k"].to_list() for _, group in groups] == [[2, 1], [2]]
    # Columns are objects of their own.
    assert of_column.sum().to_list() == of_series.sum().to_list() == [3, 3]
    series[0] = 10
    assert live.sum().to_list() == [12, 3] and groups["v"].sum().to_list() == [15, 9]


def test_columns_that_share_memory_are_told_apart():
    frame = DataFrame({"a": [1, 2, 3]})
    frame["b"] = frame["a"]
    other = frame.copy(deep=False)
    other.loc[0, "a"] = 9
    assert frame["a"].to_list() == [9, 2, 3] and frame["b"].to_list() == [1, 2, 3]
    assert other["b"].to_list() == [1, 2, 3]


def test_a_write_that_fails_changes_nothing(mode):
    frame = DataFrame({"a": [1, 2, 3], "t": ["x", "y", "z"]})
    other = frame.copy(deep=False)
    with pytest.raises(TypeError):
        frame.loc[0:1, ["a", "t"]] = [[1, "u"], [2, "v"]][0][:1] + [5]
    with pytest.raises(TypeError):
        frame.iloc[0:2, [0, 1]] = 5
    with pytest.raises(IndexError):
        frame.iloc[7, 0] = 5
    with pytest.raises(ValueError):
        frame.loc[0:1, "a"] = [1, 2, 3]
    expected = DataFrame({"a": [1, 2, 3], "t": ["x", "y", "z"]})
    assert frame.equals(expected) and other.equals(expected)


def test_repeated_labels_and_rows():
    frame = DataFrame({"a": [1, 2, 3]})
    frame.loc[[0, 0], "a"] = [7, 8]
    assert frame["a"].to_list() == [8, 2, 3], "the last one counts"
    frame.loc[1, ["a", "a"]] = [5, 6]
    assert frame["a"].to_list() == [8, 6, 3]


@pytest.mark.host
def test_the_only_user_writes_in_place(mode):
    for values in ([1, 2, 3], [1.5, None, 2.5], [True, None, False]):
        series = Series(values)
        before = address(series)
        for row, value in enumerate([values[2], None, values[0]]):
            series.iloc[row] = value
        assert address(series) == before
        assert series.isna().to_list() == [False, True, False] and series.count() == 2
        assert series.to_list()[0] == values[2] and series.to_list()[2] == values[0]


@pytest.mark.host
def test_dead_copies_are_forgotten():
    series = Series([1, 2, 3])
    for _ in range(100):
        series.copy(deep=False)
    kept = series.copy(deep=False)
    gc.collect()
    assert series._others() == [kept]
    before = address(series)
    del kept
    series[0] = 5
    assert series._others() == [] and address(series) == before


# The option.


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, False),
        ({"CUDF_COPY_ON_WRITE": "1"}, True),
        ({"CUPRUM_COPY_ON_WRITE": "ON"}, True),
        ({"CUPRUM_COPY_ON_WRITE": "0", "CUDF_COPY_ON_WRITE": "1"}, False),
        ({"CUDF_COPY_ON_WRITE": "true"}, True),
        ({"CUPRUM_COPY_ON_WRITE": "maybe"}, False),
    ],
)
def test_environment(variables, expected):
    environment = {k: v for k, v in os.environ.items() if not k.endswith("COPY_ON_WRITE")}
    code = (
        "import cuprum; s = cuprum.Series([1, 2]); t = s.copy(deep=False); t[0] = 9;"
        "print(cuprum.get_option('copy_on_write'), s.to_list()[0],"
        "cuprum.get_option('display.show_dimensions'), cuprum.get_option('display.max_rows'))"
    )
    more = {"CUDF_DISPLAY_SHOW_DIMENSIONS": "ON", "CUDF_DISPLAY_MAX_ROWS": "1", "CUPRUM_DISPLAY_MAX_ROWS": ""}
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**environment, **more, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == [str(expected), "1" if expected else "9", "True", "1"]


def test_option():
    assert cuprum.get_option("copy_on_write") is False
    cuprum.set_option("copy_on_write", True)
    assert "currently: True" in cuprum.describe_option("copy_on_write", _print_desc=False)
    with cuprum.option_context("copy_on_write", False, "display.precision", 3):
        assert cuprum.get_option("copy_on_write") is False
    assert cuprum.get_option("copy_on_write") is True
    cuprum.reset_option("copy_on_write")
    assert cuprum.get_option("copy_on_write") is False
    with cuprum.option_context("display.precision", 3):
        cuprum.set_option("copy_on_write", True)
    assert cuprum.get_option("copy_on_write") is True, "the context was for the other option"
    assert cuprum.get_option("display.precision") == 6
    cuprum.reset_option("copy_on_write")
    with pytest.raises(ValueError, match="'copy_on_write' must be True or False, not 1"):
        cuprum.set_option("display.precision", 2, "copy_on_write", 1)
    assert cuprum.get_option("display.precision") == 6


# What writing by position and dropping rows could not do before.


def test_rows_by_an_array_of_positions():
    series = Series([1, 2, 3])
    assert series.iloc[np.array([2, 0])].to_list() == [3, 1]
    series.iloc[np.array([2, 0])] = [7, 8]
    assert series.to_list() == [8, 2, 7]


def test_rows_of_a_series_are_dropped_by_label():
    series = Series([1, 2, 3], index=["a", "b", "c"])
    assert series.drop("b").to_dict() == {"a": 1, "c": 3}
    assert series.drop(["a", "c"]).to_dict() == {"b": 2}
    with pytest.raises(KeyError):
        series.drop("z")
