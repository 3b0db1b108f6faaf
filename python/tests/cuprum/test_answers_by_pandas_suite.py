"""What pandas' own tests found: the same answers as pandas, or the same refusals."""

import datetime
import io
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest

import cuprum

FLAGS = [True, False, True, False]


def _frame(lib: Any) -> Any:
    return lib.DataFrame(
        {
            "t": pd.date_range("2000", periods=3),
            "z": pd.date_range("2000", periods=3, tz="Asia/Tokyo"),
            "d": pd.timedelta_range("1D", periods=3),
            "i": [1, 2, 3],
        }
    )


def _days(lib: Any) -> Any:
    """Half days by letters."""
    times = pd.date_range("2016-01-01", "2016-01-03", freq="12h")
    return lib.DataFrame({"c": range(15)}, index=lib.MultiIndex.from_product([times, list("abc")]))


# What is said of texts that are no times.
NO_TIME = (TypeError, "Invalid comparison between dtype=")
TEXTS = ["1/1/2000", "2000-01-02", "Jan 2, 2000", "20000103", "2000-01", "", "x", "NaT"]
TEXTS += ["2000-01-01T00:00:00Z", "1D", "36:00:00", "2 days"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("column", ["t", "z", "d"])
@pytest.mark.parametrize("op", ["eq", "ne", "lt", "ge"])
def test_texts_are_read_where_times_are_compared_with_them(text: str, column: str, op: str) -> None:
    operator = {"eq": "__eq__", "ne": "__ne__", "lt": "__lt__", "ge": "__ge__"}[op]
    oracle.agree(lambda lib: getattr(_frame(lib)[column], operator)(text), unless_refused=NO_TIME)
    oracle.agree(lambda lib: getattr(_frame(lib)[column], op)(text), unless_refused=NO_TIME)
    oracle.agree(lambda lib: getattr(lib.Index(_frame(lib)[column]), operator)(text), unless_refused=NO_TIME)
    oracle.agree(lambda lib: getattr(_frame(lib)[[column]], op)(text), unless_refused=NO_TIME)
    oracle.agree(lambda lib: getattr(_frame(lib)[column], op)(np.str_(text)), unless_refused=NO_TIME)


@pytest.mark.parametrize(
    "texts",
    [
        ["2000-01-01", "2000-01-02", "x"],
        ["2000-01-01", "1/2/2000", "Jan 3, 2000"],
        ["1/1/2000", "1/2/2000", "1/4/2000"],
        ["2000-01-01", None, "2000-01-03"],
        ["1D", "2 days", "1:00:00"],
    ],
)
@pytest.mark.parametrize("column", ["t", "z", "d"])
@pytest.mark.parametrize("op", ["__eq__", "__ne__", "__lt__"])
def test_columns_of_texts_are_read_where_times_are_compared_with_them(
    texts: list[Any], column: str, op: str
) -> None:
    oracle.agree(
        lambda lib: getattr(_frame(lib)[column], op)(lib.Series(texts, dtype="str")), unless_refused=NO_TIME
    )
    if None not in texts:
        oracle.agree(lambda lib: getattr(_frame(lib)[column], op)(texts), unless_refused=NO_TIME)
        oracle.agree(
            lambda lib: getattr(lib.Index(_frame(lib)[column]), op)(np.array(texts)), unless_refused=NO_TIME
        )
    if op == "__eq__":  # beside texts times are no texts
        oracle.agree(
            lambda lib: lib.Series(texts, dtype="str") == _frame(lib)[column], unless_refused=NO_TIME
        )


LEVELS = [("z", "a"), ("x", "a"), ("y", "b"), ("x", "b")]


def _unsorted(lib: Any) -> Any:
    return lib.DataFrame({"v": range(4)}, index=lib.MultiIndex.from_tuples(LEVELS))


def _written(lib: Any, where: str, key: Any, value: Any, frame: Any = None) -> Any:
    frame = _frame(lib) if frame is None else frame
    getattr(frame, where)[key] = value
    return frame


def _categories(lib: Any) -> Any:
    return lib.Series(pd.Categorical(["a", None, "b", None], categories=list("abc")))


def _narrow(lib: Any) -> Any:
    return lib.Series([np.nan, 1.5], dtype="float32")


def _pair(lib: Any, label: Any, levels: list[str]) -> Any:
    return lib.DataFrame({label: [3]}, index=lib.MultiIndex.from_tuples([(1, 2)], names=levels))


def _nothing(lib: Any) -> Any:
    return lib.DataFrame({"a": [2, 2], "v": [1, 2], "b": [None, None]})


def _updated(lib: Any, values: list[Any], others: list[Any]) -> Any:
    series = lib.Series(values)
    series.update(lib.Series(others))
    return series


def _updated_frame(lib: Any, values: list[Any], others: list[Any]) -> Any:
    frame = lib.DataFrame({"a": values})
    frame.update(lib.DataFrame({"a": others}))
    return frame


DAY = datetime.date(2000, 1, 1)


ARRAYS = [
    [1, 2, 1],
    [1, 2, None],
    [1.5, None],
    ["a", None],
    [True, False],
    list(pd.date_range("2000", periods=2)),
]


@pytest.mark.parametrize("values", ARRAYS, ids=str)
def test_categories_are_arrays_of_their_values(values: list[Any]) -> None:
    for make in (
        lambda lib: np.asarray(lib.Series(pd.Categorical(values))),
        lambda lib: lib.Series(pd.Categorical(values)).to_numpy(),
        lambda lib: np.asarray(lib.CategoricalIndex(values)),
    ):
        oracle.agree(make)


SAME: dict[str, Callable[[Any], Any]] = {
    "logic with NA": lambda lib: lib.Series(FLAGS) | pd.NA,
    "NA or": lambda lib: pd.NA | lib.Series(FLAGS),
    "exclusive with NA": lambda lib: lib.Series(FLAGS, name="a") ^ pd.NA,
    "and NA": lambda lib: lib.Series(FLAGS) & pd.NA,
    "integers and NA": lambda lib: lib.Series([1, 2]) | pd.NA,
    "a frame or NA": lambda lib: lib.DataFrame({"a": FLAGS}) | pd.NA,
    "integers are instants": lambda lib: lib.DatetimeIndex([1000, 1], tz="US/Pacific"),
    "integers of a type": lambda lib: lib.DatetimeIndex([1000, 1], dtype="datetime64[us, US/Pacific]"),
    "floats are instants": lambda lib: lib.DatetimeIndex([1000.0, np.nan], tz="US/Pacific"),
    "floats of a type": lambda lib: lib.DatetimeIndex([1000.7, -1.2], dtype="datetime64[us]"),
    "floats of no type": lambda lib: lib.DatetimeIndex([1000.7, -1.2]),
    "texts in a zone": lambda lib: lib.DatetimeIndex(["2020"], dtype="datetime64[us, US/Pacific]"),
    "the same zone": lambda lib: lib.DatetimeIndex(_frame(lib)["z"], tz="Asia/Tokyo"),
    "a zone for a list": lambda lib: lib.DatetimeIndex(list(_frame(pd)["z"]), tz="US/Central"),
    "no frequency": lambda lib: lib.DatetimeIndex(lib.date_range("2000", periods=3), freq=None).freq,
    "no frequency of durations": lambda lib: (
        lib.TimedeltaIndex(lib.timedelta_range("1D", periods=3), freq=None).freq
    ),
    "joined with itself": lambda lib: lib.Index([3, 1, 2]).join(
        lib.Index([3, 1, 2]), how="outer", return_indexers=True
    ),
    "levels joined with themselves": lambda lib: (
        _days(lib).index[::-1].join(_days(lib).index[::-1], how="outer")
    ),
    "a part of a date and a label": lambda lib: _days(lib).index.get_loc(("2016-01-01", "a")),
    "rows of a part of a date": lambda lib: _days(lib).index.get_loc_level("2016-01-01"),
    "rows of a part of a date and a label": lambda lib: _days(lib).index.get_loc_level(("2016-01-01", "a")),
    "rows of a month": lambda lib: _days(lib).index.get_loc_level("2016-01", level=0),
    "cross-section of a part of a date": lambda lib: _days(lib).xs("2016-01-01", level=0),
    "cross-section of a part and a label": lambda lib: _days(lib).xs(("2016-01-01", "a"), level=[0, 1]),
    "cross-section of a label": lambda lib: _days(lib).xs("a", level=1),
    "brackets of a part of a date": lambda lib: _days(lib)["c"]["2016-01-01"],
    "brackets of a part and a label": lambda lib: _days(lib)["c"]["2016-01-01", "a"],
    "brackets of a time": lambda lib: _days(lib)["c"]["2016-01-01 12:00"],
    "difference with an array": lambda lib: _days(lib).index.difference(_days(lib).index[4:].to_numpy()),
    "union with an array": lambda lib: _days(lib).index[:2].union(_days(lib).index[4:].to_numpy()),
    "columns of the same name, wanted": lambda lib: lib.MultiIndex.from_tuples(
        [(1, 2)], names=["a", "a"]
    ).to_frame(allow_duplicates=True),
    "slice of sorted levels": lambda lib: _unsorted(lib).sort_index().loc[("x", slice("a", "b")), :],
    "a mask with integers": lambda lib: _frame(lib).iloc[_frame(lib)["i"] > 1],
    "text of times": lambda lib: lib.eval("t == '2000-01-01'", local_dict={"t": _frame(lib)["t"]}),
    "text of texts": lambda lib: lib.eval("s != 'a'", local_dict={"s": lib.Series(["a", "b"])}),
    "chained": lambda lib: lib.eval("0 < t < 3", local_dict={"t": _frame(lib)["i"]}),
    "categories filled by a series": lambda lib: _categories(lib).fillna(lib.Series(["c", "c"])),
    "categories filled by a dict": lambda lib: _categories(lib).fillna({1: "a", 9: "z"}),
    "categories filled by a frame": lambda lib: lib.DataFrame({"x": _categories(lib)}).fillna(
        lib.DataFrame({"x": ["a"] * 4})
    ),
    "categories filled where none is missing": lambda lib: _categories(lib).fillna(lib.Series(["z", "a"])),
    "narrow floats filled by integers": lambda lib: _narrow(lib).fillna(lib.Series([2, 2])),
    "narrow floats filled by a dict": lambda lib: _narrow(lib).fillna({0: 1}),
    "narrow floats filled by what they cannot hold": lambda lib: _narrow(lib).fillna(lib.Series([0.1, 2.0])),
    "a frame of categories": lambda lib: lib.DataFrame(pd.Categorical(["a"], categories=["a", "b"])),
    "a frame as categories": lambda lib: lib.DataFrame(
        pd.Categorical(["a"], categories=["a", "b"]), dtype="category", columns=["k"], index=[5]
    ),
    "a label with an empty suffix": lambda lib: lib.DataFrame({0: [1]}).join(
        lib.DataFrame({0: [2]}), rsuffix="r"
    ),
    "an empty suffix of the other": lambda lib: lib.DataFrame({0: [1]}).join(
        lib.DataFrame({0: [2]}), lsuffix="l"
    ),
    "levels of the right": lambda lib: _pair(lib, "c", ["p", "q"]).join(
        _pair(lib, "d", ["q", "p"]).swaplevel().set_axis(_pair(lib, "d", ["q", "p"]).index), how="right"
    ),
    "levels of the left": lambda lib: _pair(lib, "c", ["p", "q"]).join(
        _pair(lib, "d", ["q", "p"]), how="left"
    ),
    "levels of the right, merged": lambda lib: _pair(lib, "c", ["p", "q"]).merge(
        _pair(lib, "d", ["q", "p"]), how="right", left_index=True, right_index=True
    ),
    "names of no columns": lambda lib: list(
        _nothing(lib).pivot_table(index="a", columns="b", values="v", aggfunc="sum").columns.names
    ),
    "integers updated with whole floats": lambda lib: _updated(lib, [1, 2], [5.0]),
    "a frame updated with whole floats": lambda lib: _updated_frame(lib, [1, 2], [None, 5.0]),
    "whole floats as integers": lambda lib: lib.DataFrame(np.array([1.0, 2.0]), dtype="int64"),
    "durations times an integer": lambda lib: _frame(lib)["d"] * 2,
    "times before NaT": lambda lib: _frame(lib)["t"] < pd.NaT,
    "times are None": lambda lib: _frame(lib)["t"] == None,  # noqa: E711
    "NaT among times": lambda lib: _written(lib, "loc", (0, "t"), pd.NaT),
    "flags alone": lambda lib: lib.Series(["ab"]).str.match("AB", flags=re.IGNORECASE),
    "arrays of texts": lambda lib: lib.Series(["a", "b"]).str.cat(
        [lib.Series(["x", "y"]), np.array(["v", "w"])]
    ),
    "dummies of floats": lambda lib: lib.Series(["a|b"]).str.get_dummies(dtype=float),
    "a date: equal": lambda lib: _frame(lib)["t"] == DAY,
    "a date: unequal": lambda lib: _frame(lib)["t"] != DAY,
    "a date: of a frame": lambda lib: _frame(lib)[["t"]] == DAY,
    "a date: of an index": lambda lib: lib.Index(_frame(lib)["t"]) == DAY,
    "a date: among": lambda lib: _frame(lib)["t"].isin([DAY, pd.Timestamp("2000-01-02")]),
}
REFUSED: dict[str, tuple[Callable[[Any], Any], type[Exception], str]] = {
    "or None": (
        lambda lib: lib.Series(FLAGS) | None,
        TypeError,
        "unsupported operand type(s) for |: 'Series' and 'NoneType'",
    ),
    "or NaN": (
        lambda lib: lib.Series(FLAGS) | np.nan,
        TypeError,
        "operator | does not take operands of bool and float64",
    ),
    "another zone": (
        lambda lib: lib.DatetimeIndex(_frame(lib)["z"], tz="US/Central"),
        TypeError,
        "data is already tz-aware Asia/Tokyo, unable to set",
    ),
    "no zone": (
        lambda lib: lib.DatetimeIndex(_frame(lib)["z"], tz=None),
        ValueError,
        "Passed data is timezone-aware, incompatible with",
    ),
    "a type without a zone": (
        lambda lib: lib.DatetimeIndex(_frame(lib)["z"], dtype="datetime64[ns]"),
        ValueError,
        "cannot supply both a tz and a timezone-naive dtype (i.e.",
    ),
    "two zones": (
        lambda lib: lib.DatetimeIndex(["2020"], dtype="datetime64[us, US/Pacific]", tz="UTC"),
        ValueError,
        "cannot supply both a tz and a dtype with a tz",
    ),
    "no data": (
        lambda lib: lib.DatetimeIndex(),
        TypeError,
        "DatetimeIndex(...) must be called with a collection of",
    ),
    "no durations": (
        lambda lib: lib.TimedeltaIndex(),
        TypeError,
        "TimedeltaIndex(...) must be called with a collection of",
    ),
    "no labels": (
        lambda lib: lib.Index(),
        TypeError,
        "Index(...) must be called with a collection of some kind",
    ),
    "no categories": (
        lambda lib: lib.CategoricalIndex(categories=["a"]),
        TypeError,
        "CategoricalIndex(...) must be called with a collection of",
    ),
    "no range": (
        lambda lib: lib.RangeIndex(name="a"),
        TypeError,
        "RangeIndex(...) must be called with integers",
    ),
    "durations of no unit": (
        lambda lib: lib.TimedeltaIndex(["2000"], dtype="timedelta64"),
        ValueError,
        "dtype 'timedelta64' is invalid, should be np.timedelta64",
    ),
    "durations in days": (
        lambda lib: lib.TimedeltaIndex(["2000"], dtype="timedelta64[D]"),
        ValueError,
        "dtype 'timedelta64[D]' is invalid, should be",
    ),
    "zones that meet none": (
        lambda lib: lib.Index(_frame(lib)["t"]).join(lib.Index(_frame(lib)["z"])),
        TypeError,
        "Cannot join tz-naive with tz-aware DatetimeIndex",
    ),
    "difference with no tuples": (
        lambda lib: _days(lib).index.difference([1, 2]),
        TypeError,
        "other must be a MultiIndex or a list of tuples",
    ),
    "level of one": (
        lambda lib: lib.Index([1]).set_names("a", level=0),
        ValueError,
        "Level must be None for non-MultiIndex",
    ),
    "columns of the same name": (
        lambda lib: lib.MultiIndex.from_tuples([(1, 2)], names=["a", "a"]).to_frame(),
        ValueError,
        "Cannot create duplicate column labels if allow_duplicates",
    ),
    "neighbours of categories": (
        lambda lib: lib.CategoricalIndex(list("ab")).get_indexer(["c"], method="pad"),
        NotImplementedError,
        "method pad not yet implemented for CategoricalIndex",
    ),
    "slice of levels": (
        lambda lib: _unsorted(lib).loc["z":"y"],
        pd.errors.UnsortedIndexError,
        "Key length (1) was greater than MultiIndex lexsort depth",
    ),
    "slice of a level": (
        lambda lib: _unsorted(lib).loc[("z", slice("a")), :],
        pd.errors.UnsortedIndexError,
        "MultiIndex slicing requires the index to be lexsorted",
    ),
    "slice of a level of a series": (
        lambda lib: _unsorted(lib)["v"].loc["z", slice("a")],
        pd.errors.UnsortedIndexError,
        "MultiIndex slicing requires the index to be lexsorted",
    ),
    "slice of truth values": (
        lambda lib: _frame(lib).loc[True:],
        TypeError,
        "slice(True, None, None): boolean values can not be used",
    ),
    "brackets of truth values": (
        lambda lib: _frame(lib)["i"][True:False],
        TypeError,
        "cannot do slice indexing with these indexers [True",
    ),
    "a truth value among intervals": (
        lambda lib: lib.Series([1], index=lib.interval_range(0, 1)).loc[True],
        KeyError,
        "True: boolean label can not be used without a boolean",
    ),
    "a set of labels": (
        lambda lib: _unsorted(lib).loc[({"x", "z"}, slice(None)), :],
        TypeError,
        "Passing a set as an indexer is not supported. Use a list",
    ),
    "a mask with labels": (
        lambda lib: _frame(lib).set_index("t").iloc[_frame(lib).set_index("t")["i"] > 1],
        ValueError,
        "iLocation based boolean indexing cannot use an indexable",
    ),
    "at of a list": (
        lambda lib: _written(lib, "at", ([0, 1], "i"), 9),
        pd.errors.InvalidIndexError,
        ".at-based indexing can only have scalar indexers; use",
    ),
    "at of a mask": (
        lambda lib: _written(lib, "at", (_frame(lib)["i"] > 1, "i"), 9),
        pd.errors.InvalidIndexError,
        ".at-based indexing can only have scalar indexers; use",
    ),
    "at of a slice": (
        lambda lib: _written(lib, "at", (slice(0, 1), "i"), 9),
        pd.errors.InvalidIndexError,
        ".at-based indexing can only have scalar indexers; use",
    ),
    "a scalar for no rows": (
        lambda lib: _written(lib, "loc", (slice(None), "b"), 1, lib.DataFrame({"a": []})),
        ValueError,
        "cannot set a frame with no defined index and a scalar",
    ),
    "scalars and": (
        lambda lib: lib.eval("1 and 2"),
        NotImplementedError,
        "cannot evaluate scalar only bool ops",
    ),
    "a column and a scalar": (
        lambda lib: lib.eval("t and 1", local_dict={"t": _frame(lib)["i"]}),
        NotImplementedError,
        "cannot evaluate scalar only bool ops",
    ),
    "chained, of Python": (
        lambda lib: lib.eval("0 < t < 3", parser="python", local_dict={"t": _frame(lib)["i"]}),
        NotImplementedError,
        "'And' nodes are not implemented",
    ),
    "categories filled by others": (
        lambda lib: _categories(lib).fillna(lib.Series(["z"] * 4)),
        TypeError,
        "Cannot setitem on a Categorical with a new category, set",
    ),
    "categories filled by other categories": (
        lambda lib: _categories(lib).fillna(lib.Series(pd.Categorical(["a"] * 4))),
        TypeError,
        "Cannot set a Categorical with another, without identical",
    ),
    "no suffix": (
        lambda lib: lib.DataFrame({0: [1]}).join(lib.DataFrame({0: [2]})),
        ValueError,
        "columns overlap but no suffix specified: 0",
    ),
    "integers updated with fractions": (
        lambda lib: _updated(lib, [1, 2], [0.5]),
        TypeError,
        "Invalid value for dtype 'int64': elements of type float64",
    ),
    "a frame updated with fractions": (
        lambda lib: _updated_frame(lib, [1, 2], [0.5, 1.0]),
        TypeError,
        "Invalid value for dtype 'int64': elements of type float64",
    ),
    "fractions of an array as integers": (
        lambda lib: lib.DataFrame(np.array([1.5, 2.5]), dtype="int64"),
        ValueError,
        "Trying to coerce float values to integers",
    ),
    "durations times a truth value": (
        lambda lib: _frame(lib)["d"] * True,
        TypeError,
        "Cannot multiply 'timedelta64[us]' by bool, explicitly",
    ),
    "a truth value times durations": (
        lambda lib: np.True_ * _frame(lib)["d"],
        TypeError,
        "Cannot multiply 'timedelta64[us]' by bool, explicitly",
    ),
    "durations times truth values": (
        lambda lib: _frame(lib)["d"] * lib.Series([True, False, True]),
        TypeError,
        "Cannot multiply 'timedelta64[us]' by bool, explicitly",
    ),
    "truth values times durations": (
        lambda lib: lib.Series([True, False, True]) * _frame(lib)["d"],
        TypeError,
        "Cannot multiply 'timedelta64[us]' by bool, explicitly",
    ),
    "a frame of durations times a truth value": (
        lambda lib: _frame(lib)[["d"]] * True,
        TypeError,
        "Cannot multiply 'timedelta64[us]' by bool, explicitly",
    ),
    "durations by NaT": (
        lambda lib: _frame(lib)["d"] / pd.NaT,
        TypeError,
        "unsupported operand type(s) for /: 'timedelta64[us]' and",
    ),
    "times before None": (
        lambda lib: _frame(lib)["t"] < None,
        TypeError,
        "Invalid comparison between dtype=datetime64[us] and",
    ),
    "times before NA": (
        lambda lib: _frame(lib)["t"] < pd.NA,
        TypeError,
        "Invalid comparison between dtype=datetime64[us] and NAType",
    ),
    "a frame of times before None": (
        lambda lib: _frame(lib)[["t"]] < None,
        TypeError,
        "Invalid comparison between dtype=datetime64[us] and",
    ),
    "NaT among integers": (
        lambda lib: _written(lib, "loc", (0, "i"), pd.NaT),
        TypeError,
        "Invalid value 'NaT' for dtype 'int64'",
    ),
    "NaT among truth values": (
        lambda lib: _written(lib, "loc", 0, pd.NaT, lib.Series([True, False])),
        TypeError,
        "Invalid value 'NaT' for dtype 'bool'",
    ),
    "NaT by position": (
        lambda lib: _written(lib, "iloc", 0, pd.NaT, lib.Series([1.5, 2.5])),
        TypeError,
        "Invalid value 'NaT' for dtype 'float64'",
    ),
    "case beside flags": (
        lambda lib: lib.Series(["ab"]).str.match("AB", flags=re.IGNORECASE, case=True),
        ValueError,
        "Cannot both specify case=True and pass 'flags' containing",
    ),
    "lists of lists": (
        lambda lib: lib.Series(["a", "b"]).str.cat([lib.Series(["x", "y"]), ["v", "w"]]),
        TypeError,
        "others must be Series, Index, DataFrame, np.ndarray or",
    ),
    "dummies of texts": (
        lambda lib: lib.Series(["a|b"]).str.get_dummies(dtype=str),
        ValueError,
        "Only numeric or boolean dtypes are supported for 'dtype'",
    ),
    "a date: before": (
        lambda lib: _frame(lib)["t"] < DAY,
        TypeError,
        "Invalid comparison between dtype=datetime64[us] and date",
    ),
    "a date: subtracted": (
        lambda lib: _frame(lib)["t"] - DAY,
        TypeError,
        "Invalid comparison between dtype=datetime64[us] and date",
    ),
    "a date: between": (
        lambda lib: _frame(lib)["t"].between(DAY, DAY),
        TypeError,
        "Invalid comparison between dtype=datetime64[us] and date",
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_answers_are_those_of_pandas(case: str) -> None:
    oracle.agree(SAME[case])


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_are_those_of_pandas(case: str) -> None:
    call, error, text = REFUSED[case]
    oracle.agree(call, refused=(error, text))


@pytest.mark.parametrize(
    "fields", [["1,5", "2,5"], ["1", "2"], ["True", "False"], ["TRUE", ""], ["x", "1"], ["1.5", "2"]]
)
@pytest.mark.parametrize("marks", [{"decimal": ","}, {"thousands": ","}, {}])
@pytest.mark.parametrize("dtype", ["category", {"a": "category"}])
def test_read_csv_makes_categories_of_texts_where_numbers_are_written_otherwise(
    fields: list[str], marks: dict[str, str], dtype: Any
) -> None:
    text = "a;b\n" + "".join(f"{field};1\n" for field in fields)
    ours, theirs = (
        lib.read_csv(io.StringIO(text), sep=";", dtype=dtype, **marks)["a"] for lib in (cuprum, pd)
    )
    assert ours.cat.categories.to_list() == theirs.cat.categories.to_list()
    pd.testing.assert_series_equal(ours.to_pandas(), theirs)


MISSING = [("b", np.nan), ("a", "x"), ("c", np.nan)]


@pytest.mark.parametrize("labels", [MISSING[:1], MISSING[1:2], MISSING[::2]])
@pytest.mark.parametrize("other", [["x", np.nan], [1.5, np.nan], pd.to_datetime(["2000", None])])
def test_labels_that_are_missing_throughout_meet_those_of_any_type(labels: list[Any], other: Any) -> None:
    def of(lib: Any) -> Any:
        return lib.MultiIndex.from_arrays([["a", "b"], other])

    oracle.agree(lambda lib: of(lib).isin(labels))
    oracle.agree(lambda lib: of(lib).get_indexer(lib.MultiIndex.from_tuples(labels)))
    oracle.agree(
        lambda lib: repr(of(lib).difference(lib.MultiIndex.from_tuples(labels), sort=False).to_list())
    )
    if labels == MISSING[:1]:
        oracle.agree(lambda lib: lib.Series([1, 2], index=of(lib)).reindex(labels).to_list())
        oracle.agree(lambda lib: len(of(lib).union(lib.MultiIndex.from_tuples(labels))))
        oracle.agree(lambda lib: len(of(lib).intersection(lib.MultiIndex.from_tuples(labels))))


@pytest.mark.parametrize("closed", ["left", "right", "both", "neither"])
@pytest.mark.parametrize("of", ["left", "right", "both", "neither"])
def test_intervals_without_points_overlap_with_none(closed: Any, of: Any) -> None:
    pairs = [(0, 3), (1, 1), (1, 2), (0, 1), (5, 5)]
    for left, right in pairs:
        oracle.agree(
            lambda lib, left=left, right=right: lib.IntervalIndex.from_tuples(pairs, closed=closed).overlaps(
                pd.Interval(left, right, of)
            )
        )


@pytest.mark.parametrize("was", [True, False])
@pytest.mark.parametrize("ordered", [True, False, None])
def test_an_order_leaves_categories_as_they_are(was: bool, ordered: bool | None) -> None:
    given = pd.Series(pd.Categorical(["c", "a", None, "b"], categories=["c", "a", "b", "d"], ordered=was))
    dtype = pd.CategoricalDtype(ordered=ordered)
    theirs = given.astype(dtype)
    for ours in (
        cuprum.Series(given).astype(dtype),
        cuprum.Series(given, dtype=dtype),
        cuprum.Series(cuprum.CategoricalIndex(given).astype(dtype)),
        cuprum.DataFrame({"a": given}).astype({"a": dtype})["a"],
    ):
        pd.testing.assert_series_equal(ours.to_pandas(), theirs, check_names=False)


@pytest.mark.parametrize("missing", [np.nan, None, pd.NaT])
@pytest.mark.parametrize("first", [True, False])
def test_nan_beside_instants_is_a_missing_one(missing: Any, first: bool) -> None:
    values = [pd.Timestamp("2019", tz="UTC"), missing][:: 1 if first else -1]
    oracle.agree(lambda lib: lib.Series(values))
    oracle.agree(lambda lib: lib.Index(values))
    oracle.agree(lambda lib: lib.DataFrame({"a": values}))


@pytest.mark.parametrize("dtype", ["uint64", "int32", "uint8", "int64"])
@pytest.mark.parametrize("column", ["t", "d"])
def test_times_become_integers_of_64_bits_alone(dtype: str, column: str) -> None:
    refused = None if dtype == "int64" else (TypeError, "Converting from")
    oracle.agree(lambda lib: _frame(lib)[column].astype(dtype), refused=refused)
    oracle.agree(lambda lib: lib.Index(_frame(lib)[column]).astype(dtype), refused=refused)


def test_a_series_of_arrow_has_the_name_of_a_column() -> None:
    table = pytest.importorskip("pyarrow").table({"a": [1]})
    assert cuprum.Series.from_arrow(table["a"]).name == pd.Series.from_arrow(table["a"]).name == "a"


LABELS: list[list[Any]] = [[(1, 2)], [(1, 2), (3, 4)], [("a", "b")], [(1.5, 2)], [(1, "a"), (2, "b")]]


@pytest.mark.parametrize("labels", LABELS, ids=str)
def test_levels_without_labels_take_the_type_of_those_that_come(labels: list[Any]) -> None:
    def grown(lib: Any, index: Any) -> Any:
        series = lib.Series([], dtype="float64", index=index)
        for label in labels:
            series.loc[label] = 3.0
        return series

    names = ["x", "y"]
    for empty in (
        lambda lib: lib.MultiIndex.from_arrays([[], []], names=names),
        lambda lib: lib.MultiIndex.from_tuples([], names=names),
        lambda lib: lib.MultiIndex.from_product([[], []], names=names),
        lambda lib: lib.DataFrame({"x": [], "y": [], "z": []}).set_index(names).index,
    ):
        typed = "set_index" in empty.__code__.co_names
        if typed and any(isinstance(part, str) for label in labels for part in label):
            continue
        oracle.agree(lambda lib, empty=empty: grown(lib, empty(lib)))
        if typed:
            continue
        oracle.agree(
            lambda lib, empty=empty: empty(lib).append(lib.MultiIndex.from_tuples(labels, names=names))
        )
        oracle.agree(
            lambda lib, empty=empty: empty(lib).union(lib.MultiIndex.from_tuples(labels, names=names))
        )
    given = pd.MultiIndex.from_arrays([[], []], names=names)
    oracle.agree(lambda lib: grown(lib, given))


FUNCTIONS = [max, min, sum, len, np.std, np.var, np.nanstd, np.mean, np.max, np.median]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("how", ["agg", "apply", "transform"])
def test_functions_of_python_and_numpy_in_groups_take_elements_as_they_come(function: Any, how: str) -> None:
    values = {
        "n": [np.nan, 1.0, 2.0, 3.0, np.nan, 5.0],
        "i": [3, 1, 2, 6, 5, 4],
        "c": pd.Categorical(list("xyxyxy"), categories=["y", "x"], ordered=True),
    }
    for column in values if function in (max, min) else ["n", "i"]:
        if column == "c" and how == "transform":
            continue  # of texts in pandas
        theirs, ours = (
            getattr(lib.DataFrame({"g": [1, 1, 1, 2, 2, 2], **values}).groupby("g")[column], how)(function)
            for lib in (pd, cuprum)
        )
        assert (
            ours.fillna(-1).to_list() == pytest.approx(theirs.fillna(-1).to_list())
            if column != "c"
            else (ours.to_list() == theirs.to_list())
        )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("how", ["agg", "apply"])
def test_functions_of_python_and_numpy_of_rows_and_columns(function: Any, axis: int, how: str) -> None:
    theirs, ours = (
        getattr(lib.DataFrame({"a": [1.0, 2.0, 4.0], "b": [1.0, 5.0, 9.0]}), how)(function, axis=axis)
        for lib in (pd, cuprum)
    )
    pd.testing.assert_series_equal(ours.to_pandas(), theirs)
