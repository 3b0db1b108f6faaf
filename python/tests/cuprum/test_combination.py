"""Objects combined with others beside pandas: `combine_first`, `update`, `compare`, `align`, `combine`."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import SMALL, agree, assert_like
from small_frames import FLOATS

import cuprum
from cuprum.errors import PerformanceWarning

LABELS = [0, 1, 2, 5]
KINDS = {
    "float": st.one_of(st.none(), st.sampled_from([0.0, -1.5, 2.0, 1e300])),
    "text": st.one_of(st.none(), st.sampled_from(["", "a", "ü", "zz"])),
    "time": st.one_of(st.none(), st.sampled_from(pd.to_datetime(["1969-05-05", "2020-01-01"]).tolist())),
}
TYPES = {"float": "float64", "text": "str", "time": "datetime64[us]"}


@st.composite
def frames(draw, columns=("f", "t", "d", "x")):
    index = draw(st.lists(st.sampled_from(LABELS), unique=True, max_size=4))
    chosen = draw(st.lists(st.sampled_from(columns), unique=True, min_size=1))
    kinds = {"f": "float", "t": "text", "d": "time", "x": "float"}
    data = {}
    for label in chosen:
        kind = kinds[label]
        values = draw(st.lists(KINDS[kind], min_size=len(index), max_size=len(index)))
        data[label] = pd.Series(values, index=index, dtype=TYPES[kind])
    return pd.DataFrame(data, index=pd.Index(index, dtype="int64"))


@given(frames(), frames())
def test_first_of_two_frames(left, right):
    expected = left.combine_first(right)
    if not len(left) or not len(right):
        return  # pandas guesses the types
    result = cuprum.from_pandas(left).combine_first(cuprum.from_pandas(right))
    assert result.columns.to_list() == expected.columns.to_list()
    for label in expected:
        assert result[label].isna().to_list() == expected[label].isna().to_list()
        if expected[label].notna().any():  # else pandas guesses the type
            assert_like(result[label], expected[label])


@given(frames(), frames(), st.booleans())
def test_updates(left, right, overwrite):
    ours, theirs = cuprum.from_pandas(left), left.copy()
    ours.update(cuprum.from_pandas(right), overwrite=overwrite)
    theirs.update(right, overwrite=overwrite)
    assert_like(ours, theirs)
    for label in left:
        if label in right:
            ours, theirs = cuprum.from_pandas(left[label]), left[label].copy()
            ours.update(cuprum.from_pandas(right[label]))
            theirs.update(right[label])
            assert_like(ours, theirs)


@given(
    frames(), frames(), st.sampled_from(["outer", "inner", "left", "right"]), st.sampled_from([None, 0, 1])
)
def test_aligned_frames(left, right, join, axis):
    ours = cuprum.from_pandas(left).align(cuprum.from_pandas(right), join=join, axis=axis)
    for one, other in zip(ours, left.align(right, join=join, axis=axis), strict=True):
        assert one.index.to_list() == other.index.to_list()
        assert one.columns.to_list() == other.columns.to_list()
        for label in other:
            assert_like(one[label].isna(), other[label].isna())
            if other[label].notna().any():
                assert_like(one[label], other[label])


@given(frames(columns=("f", "t")), st.data())
def test_differences(left, data):
    right = left.copy()
    for label in right:
        mask = data.draw(st.lists(st.booleans(), min_size=len(right), max_size=len(right)))
        right.loc[mask, label] = {"f": 7.5, "t": "new"}[label]
    ours = cuprum.from_pandas(left), cuprum.from_pandas(right)
    for keep_shape, keep_equal in ((False, False), (True, False), (True, True)):
        expected = left.compare(right, keep_shape=keep_shape, keep_equal=keep_equal)
        if expected.size:
            assert_like(ours[0].compare(ours[1], keep_shape=keep_shape, keep_equal=keep_equal), expected)
    assert ours[0].compare(ours[0]).shape == (0, 0)


def test_updates_are_seen_where_memory_is_shared_and_not_by_copies():
    frame = cuprum.DataFrame({"a": [1, 2], "b": [3, 4]})
    copy = frame.copy()
    frame.update(cuprum.DataFrame({"b": [None, 9]}))
    assert frame["b"].to_list() == [3, 9] and frame["b"].dtype == "int64"
    assert copy["b"].to_list() == [3, 4]
    series = cuprum.Series([1.0, 2.0])
    series.update(cuprum.Series([1.5], index=[1]))
    assert series.to_list() == [1.0, 1.5]


def test_an_update_that_fails_changes_nothing():
    frame = cuprum.DataFrame({"a": [None, 2.0], "b": [3.0, 4.0]})
    with pytest.raises(ValueError, match="overlaps"):
        frame.update(cuprum.DataFrame({"a": [1.0], "b": [1.0]}), errors="raise")
    assert frame["a"].isna().to_list() == [True, False]
    with pytest.raises(ValueError, match="duplicate indexes"):
        frame.update(cuprum.DataFrame({"a": [1.0, 2.0]}, index=[0, 0]))


def test_functions_of_two_elements():
    left, right = cuprum.Series([1, 5, 2]), cuprum.Series([4, 2, 2])
    assert left.combine(right, max).to_list() == [4, 5, 2]
    assert left.combine(3, lambda a, b: a > b).to_list() == [False, True, False]
    assert left.set_axis([0, 0, 1]).combine(right, max, 0).to_list() == [4, 5, 2, 2]


def test_functions_of_two_elements_are_slow(each_call_warns):
    with pytest.warns(PerformanceWarning, match="for each two elements"):
        cuprum.Series([1, 5]).combine(cuprum.Series([4, 2]), max)
    with pytest.warns(PerformanceWarning, match="for each two elements"):
        cuprum.Series([1, 5]).combine(3, max)


@pytest.mark.parametrize("values", [[None, None], [None, 2.0], [1.0, None], [None, 1.0, 3.0, None], []])
def test_valid_labels(values):
    theirs = pd.DataFrame({"a": np.array(values, "float64"), "b": np.array([None] * len(values), "float64")})
    theirs.index = pd.Index([f"row {i}" for i in range(len(values))], dtype="str")
    ours = cuprum.from_pandas(theirs)
    for name in ("first_valid_index", "last_valid_index"):
        assert getattr(ours, name)() == getattr(theirs, name)()
        assert getattr(ours["a"], name)() == getattr(theirs["a"], name)()


def test_labels_that_repeat_are_aligned_with_the_same():
    series = cuprum.Series([1, 2], index=[0, 0])
    for one in (series, series.to_frame("a")):
        left, right = one.align(one)
        assert left.equals(one) and right.equals(one)
        theirs = one.to_pandas()
        for join in ("outer", "inner", "left", "right"):
            expected = theirs.align(theirs.set_axis([0, 1]), join=join)
            for made, like in zip(one.align(one.set_axis([0, 1]), join=join), expected, strict=True):
                assert made.to_pandas().equals(like)
    assert series.combine_first(series).to_list() == [1, 2]
    with pytest.raises(TypeError, match="`other` is a DataFrame, which a Series is not aligned with"):
        series.align(series.to_frame())


LEVELLED = {
    "texts": [("z", "b"), ("a", "c")],
    "outer missing": [(None, "b")],
    "outer missing twice": [(None, "b"), (None, "a")],
    "some missing": [("z", "b"), (None, "b"), ("a", None)],
    "inner missing": [("z", None), ("y", None)],
    "all missing": [(None, None)],
}


@pytest.mark.parametrize("left", LEVELLED)
@pytest.mark.parametrize("right", LEVELLED)
def test_labels_with_missing_parts_meet(left, right):
    """Also where a level has no label at all on one side, and so no type of its own."""

    def made(lib, labels, start):
        index = lib.MultiIndex.from_tuples(LEVELLED[labels])
        return lib.Series(np.arange(start, start + len(index), dtype="float64"), index=index)

    for code in (
        lambda one, other: one.combine_first(other),
        lambda one, other: other.where(other > 20).combine_first(one),
        lambda one, other: one.to_frame("v").combine_first(other.to_frame("v"))["v"],
        lambda one, other: one + other,
        lambda one, other: one.align(other)[0],
        lambda one, other: one.reindex(other.index),
        lambda one, other: one.index.union(other.index).to_frame(index=False).astype("str"),
    ):
        found, expected = (code(made(lib, left, 1), made(lib, right, 20)) for lib in (cuprum, pd))
        rows = [[str(part) for part in row] for row in expected.reset_index().to_numpy()]
        assert [[str(part) for part in row] for row in found.to_pandas().reset_index().to_numpy()] == rows


@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@pytest.mark.parametrize(
    "statement",
    [
        # Two objects.
        "lib.Series([1, 2, 3], list('aab')).combine(lib.Series([10, 20], list('ab')), lambda x, y: x + y, fill_value=0)",
        "lib.Series([1], lib.Index(['a'], name='x')).combine(lib.Series([2], lib.Index(['a'], name='y')), max)",
    ],
)
def test_combine_is_that_of_pandas(statement):
    agree(statement, **SMALL)


@pytest.mark.parametrize(
    "program",
    [
        "c.combine_first(lib.Series(['a', 'b', 'z', 'y']))",
        "lib.DataFrame({'c': c}).combine_first(lib.DataFrame({'c': list('abzy')}))",
    ],
)
def test_combine_first_of_categories(program: str) -> None:
    agree(program, **SMALL)


def _updated(lib: Any, values: list[Any], others: list[Any]) -> Any:
    series = lib.Series(values)
    series.update(lib.Series(others))
    return series


def _updated_frame(lib: Any, values: list[Any], others: list[Any]) -> Any:
    frame = lib.DataFrame({"a": values})
    frame.update(lib.DataFrame({"a": others}))
    return frame


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda lib: _updated(lib, [1, 2], [5.0]), id="integers updated with whole floats"),
        pytest.param(
            lambda lib: _updated_frame(lib, [1, 2], [None, 5.0]), id="a frame updated with whole floats"
        ),
    ],
)
def test_update_of_integers_with_whole_floats(call):
    agree(call)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: _updated(lib, [1, 2], [0.5]),
            TypeError,
            "Invalid value for dtype 'int64': elements of type float64",
            id="integers updated with fractions",
        ),
        pytest.param(
            lambda lib: _updated_frame(lib, [1, 2], [0.5, 1.0]),
            TypeError,
            "Invalid value for dtype 'int64': elements of type float64",
            id="a frame updated with fractions",
        ),
    ],
)
def test_update_refuses_fractions_among_integers(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize(
    "code",
    [
        # Rows without order keep theirs.
        "df[::-1].combine_first(df[:0].rename(columns={'a': 'c'}))",
        "df[:0].combine_first(df[::-1].rename(columns={'a': 'A'}))",
        "df['a'][::-1].combine_first(df['b'][:0])",
    ],
)
def test_combine_first_keeps_the_order_of_rows(code):
    agree(code, df=FLOATS)


NUMBER_TYPES = ["int8", "int32", "int64", "uint8", "uint64", "float32", "float64", "bool"]


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


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", NUMBER_TYPES)
@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f not in ("much", "times", "huge")])
def test_combined_elements_have_the_type_of_the_first(dtype: str, function: str) -> None:
    def combined(lib: Any, other: Any) -> Any:
        one = lib.Series(np.array([1, 0, 2], dtype), name="n")
        return one.combine(other, lambda x, y: FUNCTIONS[function](x))

    agree(lambda lib: combined(lib, 1))
    agree(lambda lib: combined(lib, lib.Series([1, 2, 3])))


@pytest.mark.filterwarnings("ignore")
def test_combined_integers_that_fit_no_longer_are_wider() -> None:
    one = cuprum.Series([91, 94], dtype="int8")
    assert one.combine(one, lambda x, y: x + y).to_list() == [182, 188]  # which pandas wraps
