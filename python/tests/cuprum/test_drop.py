"""`drop`, `del` and `pop`: rows and columns taken away."""

import pytest
from oracle import SMALL, agree
from small_frames import FLOATS, FOUR_ROWS, THREE_COLUMNS

import cuprum


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        (
            "df.set_index(lib.to_datetime(['2020', '2021'])).drop(['x', 'y'])",
            KeyError,
            "['x', 'y'] not found in axis (row 0: \"x\" is not a valid",
        ),
        (
            "df.set_index(lib.to_datetime(['2020', '2021'])).drop('x')",
            KeyError,
            "['x'] not found in axis (row 0: \"x\" is not a valid",
        ),
    ],
)
def test_texts_that_are_no_times_are_not_dropped(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


def test_drop_takes_labels_in_one_way():
    agree(
        "df.drop(index=[0], axis=1)",
        refused=(ValueError, "Cannot specify both 'axis' and 'index'/'columns'"),
        df=FLOATS,
    )


def test_elements_are_deleted():
    series = cuprum.Series([1, 2, 3], index=list("abc"))
    del series["b"]
    assert series.to_dict() == {"a": 1, "c": 3}
    with pytest.raises(KeyError):
        del series["b"]


@pytest.mark.parametrize("labels", [True, [True, False], "x", ["x"], ["x", 9]])
def test_truth_values_drop_no_numbers(labels):
    for frame in (FOUR_ROWS, cuprum.DataFrame(FOUR_ROWS)):
        with pytest.raises(KeyError):
            frame.drop(labels)
        assert frame.drop(["x", 0], errors="ignore").index.to_list() == [1, 2, 3]


def test_pop_takes_a_row_of_a_series():
    agree("(lambda s: (s.pop('x'),s))(df.a.copy())", df=THREE_COLUMNS, kept=["a", "c"])


def test_pop_refuses_a_label_that_is_not_there():
    agree("df.a.pop('q')", refused=(KeyError, "q is not in the index"), df=THREE_COLUMNS)


@pytest.mark.parametrize("labels", ["'zz'", "[0, 7]", "[7, 'a']"])
def test_labels_that_are_not_there_are_named_alone(labels):
    agree(f"df.drop({labels})", refused=(KeyError, "not found in axis"), df=FLOATS)
    with pytest.raises(KeyError) as refused:
        cuprum.DataFrame({"a": [1, 2]}).drop([0, 7])
    assert refused.value.args == ("[7] not found in axis",)
