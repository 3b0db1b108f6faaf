"""Frames, series and indexes made of lists, dicts, arrays, records and each other."""

import collections
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree
from small_frames import FLOATS, UNDER_TEXTS

import cuprum


@pytest.mark.parametrize(
    "program",
    [
        # NaN in labels of several levels is one label.
        "k = [(11.0, 21.0), (np.nan, 22.0), (13.0, np.nan)]\n"
        "d = {(11.0, 21.0): [0, 3], (float('nan'), 22.0): [1, 4], (13.0, float('nan')): [2, 5]}\n"
        "lib.DataFrame(d, columns=lib.MultiIndex.from_tuples(k)).to_numpy().tolist()",
        "lib.DataFrame({float('nan'): [1], 'a': [2]}, columns=[float('nan'), 'a']).to_numpy().tolist()",
    ],
)
def test_nan_in_labels_of_levels_is_one_label(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        # Frames in a list are no rows, sets have no order.
        ("lib.DataFrame([df, df])", ValueError, "Must pass 2-d input. shape=(2, 2, 2)"),
        ("lib.DataFrame([np.ones((2, 2))])", ValueError, "Must pass 2-d input. shape=(1, 2, 2)"),
        ("lib.DataFrame([[1, 2]], columns={'a', 'b'})", ValueError, "columns cannot be a set"),
        ("lib.DataFrame({'a': [1, 2]}, index={'a', 'b'})", ValueError, "index cannot be a set"),
    ],
)
def test_frames_of_frames_arrays_and_sets_are_refused(
    program: str, error: type[Exception], text: str
) -> None:
    agree(program, refused=(error, text), **SMALL)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(
            lambda lib: lib.DataFrame(pd.Categorical(["a"], categories=["a", "b"])),
            id="a frame of categories",
        ),
        pytest.param(
            lambda lib: lib.DataFrame(
                pd.Categorical(["a"], categories=["a", "b"]), dtype="category", columns=["k"], index=[5]
            ),
            id="a frame as categories",
        ),
        pytest.param(
            lambda lib: lib.DataFrame(np.array([1.0, 2.0]), dtype="int64"), id="whole floats as integers"
        ),
    ],
)
def test_frames_of_categories_and_whole_floats(call):
    agree(call)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: lib.Index(),
            TypeError,
            "Index(...) must be called with a collection of some kind",
            id="no labels",
        ),
        pytest.param(
            lambda lib: lib.CategoricalIndex(categories=["a"]),
            TypeError,
            "CategoricalIndex(...) must be called with a collection of",
            id="no categories",
        ),
        pytest.param(
            lambda lib: lib.RangeIndex(name="a"),
            TypeError,
            "RangeIndex(...) must be called with integers",
            id="no range",
        ),
    ],
)
def test_indexes_of_no_data_are_refused(call, error, text):
    agree(call, refused=(error, text))


def test_fractions_are_no_integers():
    agree(
        lambda lib: lib.DataFrame(np.array([1.5, 2.5]), dtype="int64"),
        refused=(ValueError, "Trying to coerce float values to integers"),
    )


def test_from_arrow_keeps_the_name_of_a_column() -> None:
    table = pytest.importorskip("pyarrow").table({"a": [1]})
    assert cuprum.Series.from_arrow(table["a"]).name == pd.Series.from_arrow(table["a"]).name == "a"


@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        ("df.round({'a': 1.5})", TypeError, "Values in decimals must be integers"),
        ("df.round(lib.Series([1, 2], index=['a', 'a']))", ValueError, "Index of decimals must be unique"),
        ("+df.astype({'a': str})", TypeError, "bad operand type for unary +: 'str'"),
    ],
)
def test_round_and_signs_that_are_refused(code, error, text):
    agree(code, refused=(error, text), df=FLOATS)


def test_from_records_of_lists():
    agree("list(lib.DataFrame.from_records(lib.Series([[1, 2], [3, 4]])).columns)", df=FLOATS)


@pytest.mark.parametrize(
    "code",
    [
        "lib.Series([1, 2.5], dtype='str')",
        "lib.Series([1, 'a', None, True], dtype='str')",
        "lib.DataFrame.from_dict({('a', 1): [1, 2]}, orient='index').index.nlevels",
    ],
)
def test_texts_of_numbers_and_levels_of_tuples(code):
    if "Categorical(" in code:
        code = code.replace("lib.Categorical(", "pd.Categorical(")
    agree(code)


def test_times_are_no_data_of_integers():
    from datetime import datetime

    for data in [[datetime(2020, 1, 1)], datetime(2020, 1, 1), [datetime(2020, 1, 1), None]]:
        with pytest.raises(TypeError, match="use astype"):
            cuprum.Series(data, dtype="int64")
    with pytest.raises(TypeError, match="levels have no `dtype`"):
        cuprum.Index([(1, 2)], dtype="str")


@pytest.mark.parametrize(
    "dtype",
    ["Int64Dtype", "UInt8Dtype", "Float64Dtype", "BooleanDtype", "StringDtype"],
)
def test_types_and_arrays_of_pandas_make_columns(dtype):
    values = [None, "x"] if dtype == "StringDtype" else [1, None, 0]
    series = cuprum.Series(values, dtype=getattr(cuprum, dtype)())
    assert series.isna().to_list() == [value is None for value in values]
    array = cuprum.array(values, dtype=getattr(cuprum, dtype)())
    assert cuprum.Series(array).dtype == series.dtype and cuprum.Series(array).equals(series)
    assert cuprum.Series([1, 2, 3])[cuprum.array([True, False, True])].to_list() == [1, 3]


@pytest.mark.parametrize(
    "code",
    [
        "lib.DataFrame(lib.Series([1, 2]), columns=['q'])",
        "lib.DataFrame(lib.Series([1, 2]), columns=['q'], index=[1, 0])",
        "lib.DataFrame(lib.Series([1, 2], name='a'), columns=['a', 'z']).isna()",
        "lib.DataFrame.from_records({'a': [1, 2], 'b': [3, 4]})",
        "lib.DataFrame({'a': {'x': 1}, 'b': 2})",
        "lib.DataFrame([lib.Series([1, 2], index=['a', 'b'], name='r'), lib.Series([3, 4], index=['a', 'b'])])",
        "lib.DataFrame([lib.Series([1, 2], name='r'), lib.Series([3, 4])], index=[5, 6])",
    ],
)
def test_frames_of_series_dicts_and_records(code):
    agree(code)


FIELDS = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")])


def test_fields_of_records_are_chosen_by_name():
    for make in ["DataFrame", "DataFrame.from_records"]:
        ours = eval(f"cuprum.{make}(FIELDS, columns=['b', 'a'])")
        assert ours.to_dict("list") == {"b": [2.5, 4.5], "a": [1, 3]}
        with pytest.raises(ValueError, match="no field of name q"):
            eval(f"cuprum.{make}(FIELDS, columns=['b', 'q'])")


def test_a_series_with_a_name_has_no_other_column():
    assert cuprum.DataFrame(cuprum.Series([1, 2], name="a"), columns=["z"]).shape == (0, 1)
    with pytest.raises(ValueError, match="Shape of passed values"):
        cuprum.DataFrame(cuprum.Series([1, 2]), columns=["y", "z"])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: cuprum.DataFrame({"a": {"x": 1}, "b": [2]}), ValueError, "Mixing dicts"),
        (lambda: cuprum.DataFrame([[1, 2]], columns="ab"), TypeError, "'ab' was passed"),
        (lambda: cuprum.DataFrame.from_records([1, 2]), TypeError, "not iterable"),
        (lambda: cuprum.DataFrame([cuprum.Series([1, 2]), [3, 4]]), TypeError, "Series"),
    ],
)
def test_data_of_no_frame_are_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@pytest.mark.parametrize(
    "statement",
    [
        "lib.DataFrame({'a': lib.Series([], index=[]), 'b': lib.Series([1.5, 2.5], index=['q', 'p'])})",
        "lib.DataFrame({k: lib.Series([1.5], index=lib.Index([2], name=k)) for k in 'ab'})",
    ],
)
def test_series_without_a_common_label_make_frames(statement):
    def run(lib, df):
        names = {"df": df, "s": df["a"], "lib": lib, "np": np, "collections": collections}
        return eval(statement, names)

    agree(run, df=UNDER_TEXTS, kept=["a", "b", None])


@pytest.mark.parametrize(
    "keys",
    [
        [0, 1],
        [5, 3, 1],
        [5, 3, 2],
        [2, 4, 6, 8],
        [7],
        [True, False],
        [0, 1.0],
        [np.int64(0), np.int64(1)],
        [-(2**63), 2**63 - 1],
        [2**63 - 2, 2**63 - 1],
        ["a", "b"],
    ],
    ids=str,
)
def test_keys_of_a_dict_at_equal_distances_are_a_range(keys: list[Any]) -> None:
    ours, theirs = (lib.Series(dict.fromkeys(keys, 1)).index for lib in (cuprum, pd))
    assert type(ours).__name__ == type(theirs).__name__
    assert ours.to_list() == theirs.to_list()
    agree(lambda lib: lib.Series(dict.fromkeys(keys, 1), index=keys[::-1]))


FRAME = pd.DataFrame({"a": [3.0, np.nan, 1.0], "b": [1, 2, 3], "s": ["x", "y", "z"]}, index=list("pqr"))


@pytest.mark.parametrize(
    "code",
    [
        "lib.DataFrame({'v': [1, 2]}, index=[['x', 'y'], [1, 2]])",
        "lib.DataFrame({'v': [1, 2]}, index=[np.array(['x', 'y']), lib.Index([1, 2], name='n')])",
        "lib.DataFrame([[1, 2], [3, 4]], columns=[['x', 'y'], [1, 2]])",
        "lib.DataFrame(np.zeros((2, 2)), index=[['x', 'y'], [1, 2]], columns=[['x', 'x'], [1, 2]])",
        "lib.Series([1, 2], index=[['x', 'y'], [1, 2]])",
        "[f.__setattr__('index', [['x', 'y', 'z'], [1, 2, 3]]), f][1]",
    ],
)
def test_lists_of_arrays_as_labels_are_levels(code):
    agree(code, f=FRAME)


def test_levels_of_unlike_lengths_make_no_labels():
    for lib in (cuprum, pd):
        with pytest.raises(ValueError, match="same length"):
            lib.Series([1, 2], index=[["x", "y"], [1]])
