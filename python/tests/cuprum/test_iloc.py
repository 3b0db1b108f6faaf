"""Selecting by position: `iloc`, `iat` and `take`."""

import pandas as pd
import pytest
from hypothesis import strategies as st
from oracle import SMALL, agree, frames, given, ours
from small_frames import LABELLED, frame_after, times_and_durations

import cuprum


def test_iloc_takes_an_ellipsis():
    agree("df.iloc[..., 0]", **SMALL)


def test_iloc_takes_a_mask_under_integers():
    agree(lambda lib: times_and_durations(lib).iloc[times_and_durations(lib)["i"] > 1])


def test_iloc_refuses_a_mask_under_other_labels():
    agree(
        lambda lib: (
            times_and_durations(lib).set_index("t").iloc[times_and_durations(lib).set_index("t")["i"] > 1]
        ),
        refused=(ValueError, "iLocation based boolean indexing cannot use an indexable"),
    )


@pytest.mark.parametrize(
    ("mask", "error"),
    [
        ("lib.Series([True, False])", pd.errors.IndexingError),
        ("lib.Series([True, False], index=['a', 'b'])", ValueError),
    ],
)
def test_iloc_takes_no_labelled_mask_of_columns(mask, error):
    said = "iloc takes no Series of truth values for columns, which has labels"
    agree(f"df.iloc[:, {mask}]", df=pd.DataFrame({"a": [1, 2], "b": [3, 4]}), refused=(error, said))


@pytest.mark.parametrize(
    "expression",
    [
        "df.iloc[0, 0]",
        "df.iloc[-1, -1]",
        "df.iloc[1:3]",
        "df.iloc[-2:]",
        "df.iloc[::-1]",
        "df.iloc[5:1:-2]",
        "df.iloc[[3, 0, -1]]",
        "df.iloc[:, 1]",
        "df.iloc[:, [2, 0]]",
        "df.iloc[1:4, 0:2]",
        "df.iloc[100:]",
        "df.i.iloc[2]",
        "df.i.iloc[-1]",
        "df.i.iloc[1:3]",
        "df.i.iloc[[0, 0]]",
        "df.take([2, 0])",
    ],
)
def test_iloc_and_take_by_positions(expression):
    agree(expression, df=LABELLED)


bound = st.one_of(st.none(), st.integers(-15, 15))


@given(
    frames(i="int?", f="float?", s="str?", t="time?", b="bool?"),
    bound,
    bound,
    st.sampled_from([None, 1, 2, -1, -3]),
)
def test_iloc_slices(f, start, stop, step):
    shown = ":".join("" if x is None else str(x) for x in (start, stop, step))
    agree(f"df.iloc[{shown}]", df=f, kept=["b", "i"], signs=True)
    agree(f"df['s'].iloc[{shown}]", df=f)


SQUARE = pd.DataFrame({"x": [1, 2, 3], "y": [4, 5, 6]})


@pytest.mark.parametrize("index", ["[1, 0]", "[7, 8]", "['x', 'y']"])
@pytest.mark.parametrize(
    "where", ["iloc[0:2]", "iloc[[0, 1]]", "iloc[[0, 2], 0]", "iloc[0]", "iloc[0, [1, 0]]"]
)
def test_positions_are_set_whatever_the_labels_of_a_series(where, index):
    agree(frame_after(f"df.{where} = lib.Series([10, 20], index={index})"), df=SQUARE)


@pytest.mark.parametrize("index", ["[0, 1]", "[1, 0]", "[7, 8]"])
@pytest.mark.parametrize(
    "where", ["iloc[0:2]", "iloc[[0, 2]]", "iloc[0:2, [1, 0]]", "iloc[[True, False, True]]"]
)
def test_positions_are_set_whatever_the_labels_of_a_frame(where, index):
    value = f"lib.DataFrame({{'y': [10, 20], 'q': [30, 40]}}, index={index})"
    agree(frame_after(f"df.{where} = {value}"), df=SQUARE)


@pytest.mark.parametrize(
    "statement",
    [
        "df.iloc[0:2] = lib.Series([10, 20, 30])",
        "df.iloc[0:2, 0] = lib.Series([10, 20, 30])",
        "df.iloc[[0, 2]] = lib.DataFrame({'x': [1, 2, 3], 'y': [1, 2, 3]})",
    ],
)
def test_values_that_do_not_fit_the_positions_are_refused(statement):
    for lib, df in ((pd, SQUARE.copy()), (cuprum, ours(SQUARE))):
        with pytest.raises(ValueError):
            frame_after(statement)(lib, df=df)
