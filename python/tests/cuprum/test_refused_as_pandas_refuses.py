"""What has no meaning is refused, by the class of error that pandas has."""

from collections.abc import Callable
from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest

import cuprum

DAYS = pd.to_timedelta([1, 2], unit="D")


def _levels(lib: Any) -> Any:
    return lib.MultiIndex.from_tuples([(1, "a"), (2, None)])


def _frame(lib: Any) -> Any:
    return lib.DataFrame({"a": [1.0, 2, 3], "b": [3.0, 2, 1]}, index=pd.date_range("2000", periods=3))


REFUSED: dict[str, tuple[Callable[[Any], Any], type[Exception], str]] = {
    "missing labels of levels": (
        lambda lib: _levels(lib).isna(),
        NotImplementedError,
        "isna is not defined for MultiIndex: use get_level_values",
    ),
    "present labels of levels": (
        lambda lib: _levels(lib).notna(),
        NotImplementedError,
        "isna is not defined for MultiIndex: use get_level_values",
    ),
    "missing labels of levels, named": (
        lambda lib: _levels(lib).isnull(),
        NotImplementedError,
        "isna is not defined for MultiIndex: use get_level_values",
    ),
    "whether levels have missing labels": (
        lambda lib: _levels(lib).hasnans,
        NotImplementedError,
        "isna is not defined for MultiIndex: use get_level_values",
    ),
    "missing labels of levels by a function": (
        lambda lib: lib.isna(_levels(lib)),
        NotImplementedError,
        "isna is not defined for MultiIndex: use get_level_values",
    ),
    "a dict in a dict of a rolling frame": (
        lambda lib: _frame(lib).rolling(2).agg({"a": {"x": "sum"}}),
        pd.errors.SpecificationError,
        "nested renamer is not supported",
    ),
    "a dict in a dict of a rolling series": (
        lambda lib: _frame(lib)["a"].rolling(2).agg({"a": {"x": "sum"}}),
        pd.errors.SpecificationError,
        "nested renamer is not supported",
    ),
    "a list in a dict of a rolling series": (
        lambda lib: _frame(lib)["a"].rolling(2).agg({"a": ["sum"]}),
        pd.errors.SpecificationError,
        "nested renamer is not supported",
    ),
    "a function twice in windows": (
        lambda lib: _frame(lib).rolling(2).agg(["sum", "sum"]),
        pd.errors.SpecificationError,
        "Function names must be unique if there is no new column",
    ),
    "a function twice in windows of a column": (
        lambda lib: _frame(lib).rolling(2).agg({"a": ["sum", "sum"]}),
        pd.errors.SpecificationError,
        "Function names must be unique if there is no new column",
    ),
    "a function twice in windows of a series": (
        lambda lib: _frame(lib)["a"].expanding().agg(["sum", "sum"]),
        pd.errors.SpecificationError,
        "Function names must be unique if there is no new column",
    ),
    "a dict for groups of a series": (
        lambda lib: _frame(lib)["a"].groupby([1, 1, 2]).agg({"a": "sum"}),
        pd.errors.SpecificationError,
        "nested renamer is not supported",
    ),
    "a dict in a dict, agg": (
        lambda lib: _frame(lib)["a"].agg({"a": {"x": "sum"}}),
        pd.errors.SpecificationError,
        "nested renamer is not supported",
    ),
    "a list in a dict, agg": (
        lambda lib: _frame(lib)["a"].agg({"a": [np.std, lambda x: x]}),
        pd.errors.SpecificationError,
        "nested renamer is not supported",
    ),
    "a dict in a dict, apply": (
        lambda lib: _frame(lib).apply({"a": {"x": "sum"}}),
        pd.errors.SpecificationError,
        "nested renamer is not supported",
    ),
    "a dict in a dict, apply of a series": (
        lambda lib: _frame(lib)["a"].apply({"a": {"x": "sum"}}),
        pd.errors.SpecificationError,
        "nested renamer is not supported",
    ),
    "a dict in a dict, transform": (
        lambda lib: _frame(lib).transform({"a": {"x": "sqrt"}}),
        pd.errors.SpecificationError,
        "nested renamer is not supported",
    ),
    "a dict in a dict, transform of a series": (
        lambda lib: _frame(lib)["a"].transform({"a": {"x": "sqrt"}}),
        pd.errors.SpecificationError,
        "nested renamer is not supported",
    ),
    "a column that is not selected": (
        lambda lib: _frame(lib).groupby([1, 1, 2])[["a"]].agg({"b": "sum"}),
        KeyError,
        "Label(s) ['b'] do not exist",
    ),
    "several, one not selected": (
        lambda lib: _frame(lib).groupby([1, 1, 2])[["a"]].agg({"a": ["sum", "std"], "b": ["mean"]}),
        KeyError,
        "Label(s) ['b'] do not exist",
    ),
    "a name for a column that is not selected": (
        lambda lib: _frame(lib).groupby([1, 1, 2])[["a"]].agg(x=("b", "sum")),
        KeyError,
        "Label(s) ['b'] do not exist",
    ),
    "a column that is not selected, of bins": (
        lambda lib: _frame(lib).resample("2D")[["a"]].agg({"b": "sum"}),
        KeyError,
        "Label(s) ['b'] do not exist",
    ),
    "names of rows": (
        lambda lib: _frame(lib).agg(x=("a", "max"), axis=1),
        NotImplementedError,
        "Named aggregation is not supported when axis=1",
    ),
    "logic of labels that are times": (
        lambda lib: np.logical_and(_frame(lib).index, True),
        TypeError,
        "Object with dtype datetime64[us] cannot perform the numpy",
    ),
    "logic of labels beside times": (
        lambda lib: np.logical_or(lib.Index([True]), np.array([1], "M8[s]")),
        TypeError,
        "Object with dtype datetime64[s] cannot perform the numpy",
    ),
    "logic of labels that are durations": (
        lambda lib: np.logical_xor(lib.Index(DAYS), lib.Index(DAYS)),
        TypeError,
        "Object with dtype timedelta64[us] cannot perform the",
    ),
    "not of labels that are times": (
        lambda lib: np.logical_not(_frame(lib).index),
        TypeError,
        "Object with dtype datetime64[us] cannot perform the numpy",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_pandas_refuses_is_refused(what: str) -> None:
    call, error, text = REFUSED[what]
    oracle.agree(call, refused=(error, text))


@pytest.mark.parametrize("as_index", [True, False])
@pytest.mark.parametrize("functions", [[], {}])
def test_no_functions_leave_the_keys(functions: Any, as_index: bool) -> None:
    ours, theirs = (
        lib.DataFrame({"a": [1, 1, 2], "b": [3, 4, 5]}).groupby("a", as_index=as_index).agg(functions)
        for lib in (cuprum, pd)
    )
    assert ours.shape == theirs.shape
    assert ours.columns.to_list() == theirs.columns.to_list()
    assert ours.index.to_list() == theirs.index.to_list()


def test_windows_of_time_of_no_rows() -> None:
    for made in (lambda lib: lib.DataFrame(), lambda lib: lib.Series([], dtype="float64")):
        oracle.agree(lambda lib, made=made: len(made(lib).rolling("1s").sum()))
        for window in ("x", "-1s"):
            with pytest.raises(ValueError, match="window"):
                made(cuprum).rolling(window)
        with pytest.raises(ValueError, match="window"):
            cuprum.Series([1.0]).rolling("1s")


def test_what_is_selected_is_aggregated() -> None:
    oracle.agree(lambda lib: _frame(lib).groupby([1, 1, 2])[["a"]].agg({"a": "sum"}))
    oracle.agree(lambda lib: _frame(lib).groupby([1, 1, 2])[["a", "b"]].agg(x=("b", "sum")))
    oracle.agree(lambda lib: _frame(lib).groupby([1, 1, 2]).agg({"b": ["sum"]}))


@pytest.mark.parametrize("how", ["__mul__", "__truediv__", "__floordiv__", "__mod__", "__add__", "__sub__"])
def test_truth_values_are_no_numbers_of_durations(how: str) -> None:
    for lib in (pd, cuprum):
        frame, flags = lib.DataFrame({"a": DAYS}), lib.DataFrame({"a": [True, False]})
        for one, other in [
            (frame, flags),
            (frame["a"], flags["a"]),
            (frame["a"], True),
            (frame["a"], np.array([True, True])),
            (lib.Index(DAYS), np.array([True, True])),
            (frame, True),
        ]:
            with pytest.raises(TypeError):
                getattr(one, how)(other)
    for lib in (pd, cuprum):
        with pytest.raises(TypeError):
            lib.Series([True, False]) * lib.Series(DAYS)
    oracle.agree(lambda lib: lib.Series(DAYS) * lib.Series([2, 3]))
    oracle.agree(lambda lib: lib.Series(DAYS) / lib.Series([2, 0.5]))


@pytest.mark.parametrize("op", ["add", "sub", "mul", "truediv", "floordiv", "mod"])
def test_arrays_operate_with_labels(op: str) -> None:
    import operator

    function = getattr(operator, op)
    array = np.array([5, 7])
    oracle.agree(lambda lib: function(array, lib.Index([2, 3], name="n")))
    oracle.agree(lambda lib: function(array, lib.RangeIndex(2, 4)))
    oracle.agree(lambda lib: function(np.int64(5), lib.Index([2, 3])))
    oracle.agree(
        lambda lib: getattr(
            np,
            {"sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide"}.get(
                op, op
            ),
        )(array, lib.Index([2, 3]))
    )


def test_arrays_of_times_operate_with_labels() -> None:
    oracle.agree(lambda lib: np.array(["2000"], "M8[s]") - lib.DatetimeIndex(["1999"]))
    oracle.agree(lambda lib: np.array([1], "m8[D]") + lib.DatetimeIndex(["1999"]))


@pytest.mark.parametrize("name", ["a\n\r\td", "a b", None, 5, ("a\n", 1)], ids=repr)
def test_names_are_printed_in_one_line(name: Any) -> None:
    ours, theirs = (repr(lib.Series(["a\n\r\tb"], index=["c\n"], name=name)) for lib in (cuprum, pd))
    assert ours == theirs
