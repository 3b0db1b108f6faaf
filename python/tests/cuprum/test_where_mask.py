"""`where`, `mask` and `case_when`."""

import pandas as pd
import pytest
from oracle import SMALL, agree
from small_frames import FLOATS, TWO_NUMBERS

import cuprum


def test_where_takes_a_list_of_one():
    agree("lib.Series([1, 2, 3]).where(lib.Series([True, False, False]), [9])", **SMALL)


@pytest.mark.parametrize(
    ("statement", "error", "text"),
    [
        ("s.where([1, 0, 1])", TypeError, "Boolean array expected for the condition, not int64"),
        ("s.mask(lib.Series([1, 0, 1]))", TypeError, "Boolean array expected for the condition, not int64"),
    ],
)
def test_conditions_that_are_no_truth_values_are_refused(statement, error, text):
    agree(statement, refused=(error, text), **SMALL)


@pytest.mark.parametrize(
    "program",
    [
        # Categories stay such, whatever comes in.
        "c.where([True, False, False], ['a', 'b', 'b'])",
        "c.where(c == 'a', lib.Series(['b', 'a', 'b']))",
        "c.mask(c == 'a', lib.Series(['b', 'a', 'b']))",
        "c.where([True, False, True], lib.Series(['a', 'a', 'b'], dtype='category'))",
        "c.where([True, True, True], lib.Series(['a', 'z', 'b']))",
        "lib.DataFrame({'c': c}).where([[True], [False], [False]], lib.DataFrame({'c': list('aab')}))",
        "c.case_when([(c == 'a', 'z')])",
        "c.case_when([(c == 'a', lib.Series(['z', 'b', 'b']))])",
    ],
)
def test_where_of_categories_keeps_them(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize(
    "program",
    [
        "twice.where(twice > 1, 0)",
        "twice.mask(twice > 1, -twice)",
        "twice.where([[True, False, True], [False, True, False]], twice * 10)",
    ],
)
def test_where_of_columns_of_one_label(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        # What is none of the categories.
        (
            "c.where([True, False, False], ['a', 'z', 'b'])",
            TypeError,
            "Cannot setitem on a Categorical with a new category, set",
        ),
        (
            "c.where(c == 'a', lib.Series(['z', 'a', 'b'], dtype='category'))",
            TypeError,
            "Cannot set a Categorical with another, without identical",
        ),
        (
            "lib.DataFrame({'c': c}).where([[True], [False], [False]], lib.DataFrame({'c': list('azb')}))",
            TypeError,
            "Cannot setitem on a Categorical with a new category, set",
        ),
    ],
)
def test_where_refuses_what_is_no_category(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


@pytest.mark.parametrize(
    "code",
    [
        # A condition for each column.
        "df.where(lib.Series([True, False], index=['a', 'b']), axis=1)",
        "df.where(lib.Series([False], index=['b']), -1.0, axis=1)",
        "df.mask(lib.Series([True, False], index=['a', 'b']), axis=1)",
    ],
)
def test_a_condition_for_each_column(code):
    agree(code, df=FLOATS)


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("df.where([[1, 0]] * 4)", TypeError, "Boolean array expected for the condition, not int64"),
        ("df.where(True)", ValueError, "Array conditional must be same shape as self"),
        ("df['a'].mask([1, 0, 1, 0])", TypeError, "Boolean array expected for the condition, not int64"),
    ],
)
def test_conditions_of_other_types_and_shapes_are_refused(code, error, text):
    agree(code, refused=(error, text), df=FLOATS)


@pytest.mark.parametrize("name", ["where", "mask"])
def test_missing_truth_values_set_nothing_in_place(name):
    def program(lib, df):
        known = df.copy()
        flags = lib.Series([True, None, False, True], dtype="boolean")
        getattr(known["a"], name)(flags, -1.0)
        column = known["a"]
        getattr(column, name)(flags, -1.0, inplace=True)
        getattr(known, name)(lib.DataFrame({"a": flags, "b": flags}), -2.0, inplace=True)
        return [column, known]

    agree(program, df=FLOATS)


def test_numbers_in_the_place_of_others_keep_the_type():
    s = pd.Series([1, -1, 3], dtype="int16")
    for other in (1.0, 1.5, [1.0, 2.0, 3.0], [1.5, 2.0, 3.0], [1.0, None, 3.0], [1, 2, 70_000]):
        given = other if isinstance(other, float) else pd.Series(other)
        code = "s.where(s > 0, o)" if isinstance(other, float) else "s.where(s > 0, lib.Series(o))"
        agree(lambda lib, s, code=code, o=given: eval(code, {"lib": lib, "s": s, "o": o}), s=s)
        agree(lambda lib, s, o=given: s.mask(s > 5, o if isinstance(o, float) else lib.Series(o)), s=s)
    floats = pd.Series([1.5, 2.5], dtype="float32")
    agree("f.where(f > 2, lib.Series([0.5, 1.0]))", f=floats)
    agree("f.where(f > 2, lib.Series([0.1, 1.0]))", f=floats)


@pytest.mark.parametrize("function", ["where", "mask"])
@pytest.mark.parametrize(
    "rest",
    [
        "df.mean(), axis=1",
        "df.f, axis='index'",
        "lib.Series([7, 8.5], index=['z', 'x']), axis=0",
        "lib.Series([7, 8], index=['f', 'q']), axis='columns'",
        "0, axis=1",
        "df * 2, axis=0",
    ],
)
def test_elements_of_a_series_for_rows_or_columns(function, rest):
    agree(f"df.{function}(df > 2, {rest})", df=TWO_NUMBERS)


def test_a_series_as_other_elements_needs_an_axis():
    frame = cuprum.DataFrame(TWO_NUMBERS)
    with pytest.raises(ValueError, match="axis"):
        frame.where(frame > 2, frame["a"])
    with pytest.raises(ValueError, match="axis"):
        frame["a"].where(frame["a"] > 2, 0, axis=1)


@pytest.mark.parametrize("frame", [{"a": [1, 2]}, {"a": [1, 2], "b": [3, 4]}])
def test_a_list_along_the_rows_is_no_condition_of_a_frame(frame):
    for lib in (pd, cuprum):
        with pytest.raises(ValueError, match="Array conditional must be same shape as self"):
            lib.DataFrame(frame).where([True, False], 0)
