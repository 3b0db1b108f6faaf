"""`map` of frames, series and indexes."""

import collections
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree, frames, given, ours
from small_frames import UNDER_TEXTS

import cuprum

TYPES = ["int8", "int32", "int64", "uint8", "uint64", "float32", "float64", "bool"]
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


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_labels_that_a_function_makes_have_the_type_of_labels(dtype: str, function: str) -> None:
    agree(lambda lib: lib.Index(np.array([1, 0, 2], dtype), name="n").map(FUNCTIONS[function]))


@pytest.mark.parametrize("dtype", [t for t in TYPES if t != "bool"])
def test_labels_that_a_mapping_has_have_the_type_of_labels(dtype: str) -> None:
    labels = np.array([1, 0], dtype)
    agree(lambda lib: lib.Index(labels).map({1: 5, 0: 6}))
    agree(lambda lib: lib.Index(labels).map({1: 5.25, 0: 6}))
    agree(lambda lib: lib.Index(labels).map({1: 5000, 0: -1}))
    agree(lambda lib: lib.Index(labels).map(lib.Series([6, 5])))
    agree(lambda lib: lib.Index(labels[:0]).map(lambda x: x))


def test_times_stay_in_their_unit_and_zone() -> None:
    for unit in ("s", "ns"):
        for zone in (None, "Asia/Tokyo"):
            times = pd.date_range("2000", periods=3, unit=unit, tz=zone)
            agree(lambda lib, times=times: lib.Index(times).map(lambda t: t))
            agree(lambda lib, times=times: lib.Index(times).map(lambda t: t.year))


@pytest.mark.parametrize(
    "statement",
    [
        # Mappings.
        "from collections import defaultdict\nlib.Series([1, None, 2]).map(defaultdict(int, {1: 10, np.nan: 42}))",
        "from collections import defaultdict\nlib.Index([1.0, np.nan]).map(defaultdict(lambda: 0.5, {np.nan: 42.0}))",
        "lib.Series([(1,), (3, 4)]).map({(1,): 'A', (3, 4): 'B'})",
    ],
)
def test_map_takes_dicts_with_defaults_and_tuples(statement):
    agree(statement, **SMALL)


def test_a_mapping_that_makes_values_keeps_its_keys():
    known = defaultdict(int, {1: 10})
    cuprum.Series([1, 2]).map(known)
    assert known == {1: 10}


@pytest.mark.parametrize(
    "code",
    [
        "lib.Series([1, 0]).map({True: 'x', False: 'y'})",
        "lib.Series([True, False]).map({True: 'x', False: 'y'})",
    ],
)
def test_truth_values_in_a_dict_stand_for_numbers(code):
    agree(code)


MONTHS = pd.DataFrame({"a": [1, 2]}, index=pd.DatetimeIndex(["2013-01-01", "2013-02-01"]))


@pytest.mark.parametrize(
    "code",
    [
        "df.rename(index=str)",
        "df.rename(index=lambda t: t.year)",
        "df.index.map(str)",
        "df.index.map(lambda t: t.month)",
        "df.groupby(lambda t: t.month).sum()",
        "df.index.map({pd.Timestamp('2013-01-01'): 'x'})",
        "lib.Index(['b', 'a']).map({1: 'x'})",
        "lib.Index(['b', 'a']).map({'a': 1})",
    ],
)
def test_functions_of_labels_that_are_times_are_given_times(code):
    agree(code, df=MONTHS)


def test_functions_of_labels_that_are_durations_are_given_durations():
    agree("lib.Index(i).map(lambda d: d.days)", i=pd.TimedeltaIndex([pd.Timedelta(days=2)]))


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@pytest.mark.parametrize(
    "statement",
    [
        "df.map(lambda x: x+1)",
        "df.map(lambda x: str(x), na_action='ignore')",
        "df.map(round,ndigits=0)",
        "s.map({1:'p'})",
        "s.map(collections.defaultdict(lambda: 5,{1:7}))",
        "s.map(lambda x,k: x*k,k=3)",
        "df.assign(t=list('pqr')).map(str)",
    ],
)
def test_map_takes_functions_and_dicts(statement):
    def run(lib, df):
        names = {"df": df, "s": df["a"], "lib": lib, "np": np, "collections": collections}
        return eval(statement, names)

    agree(run, df=UNDER_TEXTS, kept=["a", "b", None])


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
@given(frames(i="int", f="float?", max_rows=9, min_rows=1))
def test_map_of_any_frames(f):
    agree("df[['i', 'f']].map(lambda x: x + 1)", df=f)


@pytest.mark.usefixtures("each_call_warns")
@pytest.mark.filterwarnings("ignore::cuprum.errors.PerformanceWarning")
def test_dicts_that_make_values_are_asked():
    made = ours(UNDER_TEXTS)["a"].map(collections.defaultdict(lambda: 5, {1: 7}))
    assert made.to_list() == [7, 5, 5]
    with pytest.raises(KeyError):
        ours(UNDER_TEXTS)["a"].map(collections.UserDict({1: 7}).__getitem__)
