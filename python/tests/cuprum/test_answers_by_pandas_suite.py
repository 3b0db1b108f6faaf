"""What pandas' own tests found: the same answers as pandas, or the same refusals."""

import datetime
import io
import re
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
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


def _plain(answer: Any) -> Any:
    if isinstance(answer, tuple):
        return tuple(_plain(part) for part in answer)
    return answer.to_pandas() if hasattr(answer, "to_pandas") else answer


def _compare(ours: Any, theirs: Any) -> None:
    ours = _plain(ours)
    if isinstance(theirs, pd.DataFrame):
        pd.testing.assert_frame_equal(ours, theirs, check_freq=False)
    elif isinstance(theirs, pd.Series):
        pd.testing.assert_series_equal(ours, theirs, check_freq=False)
    elif isinstance(theirs, pd.Index):
        pd.testing.assert_index_equal(ours, theirs, check_freq=False)
    elif isinstance(theirs, np.ndarray):
        objects = theirs.dtype == object  # of which NaN equals no other
        np.testing.assert_array_equal(
            ours.astype(str) if objects else ours, theirs.astype(str) if objects else theirs
        )
        assert ours.dtype == theirs.dtype
    elif isinstance(theirs, tuple):
        assert len(ours) == len(theirs)
        for mine, expected in zip(ours, theirs, strict=True):
            _compare(mine, expected)
    else:
        assert ours == theirs


def _same(call: Callable[[Any], Any]) -> None:
    """Compare what a call gives, or that it fails as pandas does."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = call(pd)
    except Exception as error:
        with pytest.raises(Exception, match=r".") as found:
            call(cuprum)
        assert isinstance(found.value, type(error)) or isinstance(error, type(found.value)), found.value
    else:
        _compare(call(cuprum), theirs)


TEXTS = ["1/1/2000", "2000-01-02", "Jan 2, 2000", "20000103", "2000-01", "", "x", "NaT"]
TEXTS += ["2000-01-01T00:00:00Z", "1D", "36:00:00", "2 days"]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("column", ["t", "z", "d"])
@pytest.mark.parametrize("op", ["eq", "ne", "lt", "ge"])
def test_texts_are_read_where_times_are_compared_with_them(text: str, column: str, op: str) -> None:
    operator = {"eq": "__eq__", "ne": "__ne__", "lt": "__lt__", "ge": "__ge__"}[op]
    _same(lambda lib: getattr(_frame(lib)[column], operator)(text))
    _same(lambda lib: getattr(_frame(lib)[column], op)(text))
    _same(lambda lib: getattr(lib.Index(_frame(lib)[column]), operator)(text))
    _same(lambda lib: getattr(_frame(lib)[[column]], op)(text))
    _same(lambda lib: getattr(_frame(lib)[column], op)(np.str_(text)))


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
    _same(lambda lib: getattr(_frame(lib)[column], op)(lib.Series(texts, dtype="str")))
    if None not in texts:
        _same(lambda lib: getattr(_frame(lib)[column], op)(texts))
        _same(lambda lib: getattr(lib.Index(_frame(lib)[column]), op)(np.array(texts)))
    if op == "__eq__":  # beside texts times are no texts
        _same(lambda lib: lib.Series(texts, dtype="str") == _frame(lib)[column])


SAME: dict[str, Callable[[Any], Any]] = {
    "logic with NA": lambda lib: lib.Series(FLAGS) | pd.NA,
    "NA or": lambda lib: pd.NA | lib.Series(FLAGS),
    "exclusive with NA": lambda lib: lib.Series(FLAGS, name="a") ^ pd.NA,
    "and NA": lambda lib: lib.Series(FLAGS) & pd.NA,
    "integers and NA": lambda lib: lib.Series([1, 2]) | pd.NA,
    "a frame or NA": lambda lib: lib.DataFrame({"a": FLAGS}) | pd.NA,
    "or None": lambda lib: lib.Series(FLAGS) | None,
    "or NaN": lambda lib: lib.Series(FLAGS) | np.nan,
    "integers are instants": lambda lib: lib.DatetimeIndex([1000, 1], tz="US/Pacific"),
    "integers of a type": lambda lib: lib.DatetimeIndex([1000, 1], dtype="datetime64[us, US/Pacific]"),
    "floats are instants": lambda lib: lib.DatetimeIndex([1000.0, np.nan], tz="US/Pacific"),
    "floats of a type": lambda lib: lib.DatetimeIndex([1000.7, -1.2], dtype="datetime64[us]"),
    "floats of no type": lambda lib: lib.DatetimeIndex([1000.7, -1.2]),
    "texts in a zone": lambda lib: lib.DatetimeIndex(["2020"], dtype="datetime64[us, US/Pacific]"),
    "another zone": lambda lib: lib.DatetimeIndex(_frame(lib)["z"], tz="US/Central"),
    "no zone": lambda lib: lib.DatetimeIndex(_frame(lib)["z"], tz=None),
    "the same zone": lambda lib: lib.DatetimeIndex(_frame(lib)["z"], tz="Asia/Tokyo"),
    "a type without a zone": lambda lib: lib.DatetimeIndex(_frame(lib)["z"], dtype="datetime64[ns]"),
    "two zones": lambda lib: lib.DatetimeIndex(["2020"], dtype="datetime64[us, US/Pacific]", tz="UTC"),
    "a zone for a list": lambda lib: lib.DatetimeIndex(list(_frame(pd)["z"]), tz="US/Central"),
    "no frequency": lambda lib: lib.DatetimeIndex(lib.date_range("2000", periods=3), freq=None).freq,
    "no frequency of durations": lambda lib: (
        lib.TimedeltaIndex(lib.timedelta_range("1D", periods=3), freq=None).freq
    ),
    "no data": lambda lib: lib.DatetimeIndex(),
    "no durations": lambda lib: lib.TimedeltaIndex(),
    "no labels": lambda lib: lib.Index(),
    "no categories": lambda lib: lib.CategoricalIndex(categories=["a"]),
    "no range": lambda lib: lib.RangeIndex(name="a"),
    "durations of no unit": lambda lib: lib.TimedeltaIndex(["2000"], dtype="timedelta64"),
    "durations in days": lambda lib: lib.TimedeltaIndex(["2000"], dtype="timedelta64[D]"),
    "zones that meet none": lambda lib: lib.Index(_frame(lib)["t"]).join(lib.Index(_frame(lib)["z"])),
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
    "difference with no tuples": lambda lib: _days(lib).index.difference([1, 2]),
    "level of one": lambda lib: lib.Index([1]).set_names("a", level=0),
    "columns of the same name": lambda lib: lib.MultiIndex.from_tuples([(1, 2)], names=["a", "a"]).to_frame(),
    "columns of the same name, wanted": lambda lib: lib.MultiIndex.from_tuples(
        [(1, 2)], names=["a", "a"]
    ).to_frame(allow_duplicates=True),
    "neighbours of categories": lambda lib: lib.CategoricalIndex(list("ab")).get_indexer(["c"], method="pad"),
}
LEVELS = [("z", "a"), ("x", "a"), ("y", "b"), ("x", "b")]


def _unsorted(lib: Any) -> Any:
    return lib.DataFrame({"v": range(4)}, index=lib.MultiIndex.from_tuples(LEVELS))


def _written(lib: Any, where: str, key: Any, value: Any, frame: Any = None) -> Any:
    frame = _frame(lib) if frame is None else frame
    getattr(frame, where)[key] = value
    return frame


SAME |= {
    "slice of levels": lambda lib: _unsorted(lib).loc["z":"y"],
    "slice of a level": lambda lib: _unsorted(lib).loc[("z", slice("a")), :],
    "slice of a level of a series": lambda lib: _unsorted(lib)["v"].loc["z", slice("a")],
    "slice of sorted levels": lambda lib: _unsorted(lib).sort_index().loc[("x", slice("a", "b")), :],
    "slice of truth values": lambda lib: _frame(lib).loc[True:],
    "brackets of truth values": lambda lib: _frame(lib)["i"][True:False],
    "a truth value among intervals": lambda lib: lib.Series([1], index=lib.interval_range(0, 1)).loc[True],
    "a set of labels": lambda lib: _unsorted(lib).loc[({"x", "z"}, slice(None)), :],
    "a mask with labels": lambda lib: _frame(lib).set_index("t").iloc[_frame(lib).set_index("t")["i"] > 1],
    "a mask with integers": lambda lib: _frame(lib).iloc[_frame(lib)["i"] > 1],
    "at of a list": lambda lib: _written(lib, "at", ([0, 1], "i"), 9),
    "at of a mask": lambda lib: _written(lib, "at", (_frame(lib)["i"] > 1, "i"), 9),
    "at of a slice": lambda lib: _written(lib, "at", (slice(0, 1), "i"), 9),
    "a scalar for no rows": lambda lib: _written(lib, "loc", (slice(None), "b"), 1, lib.DataFrame({"a": []})),
    "text of times": lambda lib: lib.eval("t == '2000-01-01'", local_dict={"t": _frame(lib)["t"]}),
    "text of texts": lambda lib: lib.eval("s != 'a'", local_dict={"s": lib.Series(["a", "b"])}),
    "scalars and": lambda lib: lib.eval("1 and 2"),
    "a column and a scalar": lambda lib: lib.eval("t and 1", local_dict={"t": _frame(lib)["i"]}),
    "chained": lambda lib: lib.eval("0 < t < 3", local_dict={"t": _frame(lib)["i"]}),
    "chained, of Python": lambda lib: lib.eval(
        "0 < t < 3", parser="python", local_dict={"t": _frame(lib)["i"]}
    ),
}


def _categories(lib: Any) -> Any:
    return lib.Series(pd.Categorical(["a", None, "b", None], categories=list("abc")))


def _narrow(lib: Any) -> Any:
    return lib.Series([np.nan, 1.5], dtype="float32")


def _pair(lib: Any, label: Any, levels: list[str]) -> Any:
    return lib.DataFrame({label: [3]}, index=lib.MultiIndex.from_tuples([(1, 2)], names=levels))


def _nothing(lib: Any) -> Any:
    return lib.DataFrame({"a": [2, 2], "v": [1, 2], "b": [None, None]})


SAME |= {
    "categories filled by a series": lambda lib: _categories(lib).fillna(lib.Series(["c", "c"])),
    "categories filled by a dict": lambda lib: _categories(lib).fillna({1: "a", 9: "z"}),
    "categories filled by a frame": lambda lib: lib.DataFrame({"x": _categories(lib)}).fillna(
        lib.DataFrame({"x": ["a"] * 4})
    ),
    "categories filled by others": lambda lib: _categories(lib).fillna(lib.Series(["z"] * 4)),
    "categories filled where none is missing": lambda lib: _categories(lib).fillna(lib.Series(["z", "a"])),
    "categories filled by other categories": lambda lib: _categories(lib).fillna(
        lib.Series(pd.Categorical(["a"] * 4))
    ),
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
    "no suffix": lambda lib: lib.DataFrame({0: [1]}).join(lib.DataFrame({0: [2]})),
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
}


def _updated(lib: Any, values: list[Any], others: list[Any]) -> Any:
    series = lib.Series(values)
    series.update(lib.Series(others))
    return series


def _updated_frame(lib: Any, values: list[Any], others: list[Any]) -> Any:
    frame = lib.DataFrame({"a": values})
    frame.update(lib.DataFrame({"a": others}))
    return frame


SAME |= {
    "integers updated with fractions": lambda lib: _updated(lib, [1, 2], [0.5]),
    "integers updated with whole floats": lambda lib: _updated(lib, [1, 2], [5.0]),
    "a frame updated with fractions": lambda lib: _updated_frame(lib, [1, 2], [0.5, 1.0]),
    "a frame updated with whole floats": lambda lib: _updated_frame(lib, [1, 2], [None, 5.0]),
    "fractions of an array as integers": lambda lib: lib.DataFrame(np.array([1.5, 2.5]), dtype="int64"),
    "whole floats as integers": lambda lib: lib.DataFrame(np.array([1.0, 2.0]), dtype="int64"),
    "durations times a truth value": lambda lib: _frame(lib)["d"] * True,
    "a truth value times durations": lambda lib: np.True_ * _frame(lib)["d"],
    "durations times truth values": lambda lib: _frame(lib)["d"] * lib.Series([True, False, True]),
    "truth values times durations": lambda lib: lib.Series([True, False, True]) * _frame(lib)["d"],
    "a frame of durations times a truth value": lambda lib: _frame(lib)[["d"]] * True,
    "durations by NaT": lambda lib: _frame(lib)["d"] / pd.NaT,
    "durations times an integer": lambda lib: _frame(lib)["d"] * 2,
    "times before None": lambda lib: _frame(lib)["t"] < None,
    "times before NA": lambda lib: _frame(lib)["t"] < pd.NA,
    "times before NaT": lambda lib: _frame(lib)["t"] < pd.NaT,
    "times are None": lambda lib: _frame(lib)["t"] == None,  # noqa: E711
    "a frame of times before None": lambda lib: _frame(lib)[["t"]] < None,
    "NaT among integers": lambda lib: _written(lib, "loc", (0, "i"), pd.NaT),
    "NaT among times": lambda lib: _written(lib, "loc", (0, "t"), pd.NaT),
    "NaT among truth values": lambda lib: _written(lib, "loc", 0, pd.NaT, lib.Series([True, False])),
    "NaT by position": lambda lib: _written(lib, "iloc", 0, pd.NaT, lib.Series([1.5, 2.5])),
    "case beside flags": lambda lib: lib.Series(["ab"]).str.match("AB", flags=re.IGNORECASE, case=True),
    "flags alone": lambda lib: lib.Series(["ab"]).str.match("AB", flags=re.IGNORECASE),
    "lists of lists": lambda lib: lib.Series(["a", "b"]).str.cat([lib.Series(["x", "y"]), ["v", "w"]]),
    "arrays of texts": lambda lib: lib.Series(["a", "b"]).str.cat(
        [lib.Series(["x", "y"]), np.array(["v", "w"])]
    ),
    "dummies of texts": lambda lib: lib.Series(["a|b"]).str.get_dummies(dtype=str),
    "dummies of floats": lambda lib: lib.Series(["a|b"]).str.get_dummies(dtype=float),
}

DAY = datetime.date(2000, 1, 1)

SAME |= {
    f"a date: {name}": call
    for name, call in {
        "equal": lambda lib: _frame(lib)["t"] == DAY,
        "unequal": lambda lib: _frame(lib)["t"] != DAY,
        "before": lambda lib: _frame(lib)["t"] < DAY,
        "subtracted": lambda lib: _frame(lib)["t"] - DAY,
        "of a frame": lambda lib: _frame(lib)[["t"]] == DAY,
        "of an index": lambda lib: lib.Index(_frame(lib)["t"]) == DAY,
        "among": lambda lib: _frame(lib)["t"].isin([DAY, pd.Timestamp("2000-01-02")]),
        "between": lambda lib: _frame(lib)["t"].between(DAY, DAY),
    }.items()
}
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
        _same(make)


@pytest.mark.parametrize("case", SAME)
def test_answers_are_those_of_pandas(case: str) -> None:
    _same(SAME[case])


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

    _same(lambda lib: of(lib).isin(labels))
    _same(lambda lib: of(lib).get_indexer(lib.MultiIndex.from_tuples(labels)))
    _same(lambda lib: repr(of(lib).difference(lib.MultiIndex.from_tuples(labels), sort=False).to_list()))
    if labels == MISSING[:1]:
        _same(lambda lib: lib.Series([1, 2], index=of(lib)).reindex(labels).to_list())
        _same(lambda lib: len(of(lib).union(lib.MultiIndex.from_tuples(labels))))
        _same(lambda lib: len(of(lib).intersection(lib.MultiIndex.from_tuples(labels))))


@pytest.mark.parametrize("closed", ["left", "right", "both", "neither"])
@pytest.mark.parametrize("of", ["left", "right", "both", "neither"])
def test_intervals_without_points_overlap_with_none(closed: Any, of: Any) -> None:
    pairs = [(0, 3), (1, 1), (1, 2), (0, 1), (5, 5)]
    for left, right in pairs:
        _same(
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
    _same(lambda lib: lib.Series(values))
    _same(lambda lib: lib.Index(values))
    _same(lambda lib: lib.DataFrame({"a": values}))


@pytest.mark.parametrize("dtype", ["uint64", "int32", "uint8", "int64"])
@pytest.mark.parametrize("column", ["t", "d"])
def test_times_become_integers_of_64_bits_alone(dtype: str, column: str) -> None:
    _same(lambda lib: _frame(lib)[column].astype(dtype))
    _same(lambda lib: lib.Index(_frame(lib)[column]).astype(dtype))


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
        _same(lambda lib, empty=empty: grown(lib, empty(lib)))
        if typed:
            continue
        _same(lambda lib, empty=empty: empty(lib).append(lib.MultiIndex.from_tuples(labels, names=names)))
        _same(lambda lib, empty=empty: empty(lib).union(lib.MultiIndex.from_tuples(labels, names=names)))
    given = pd.MultiIndex.from_arrays([[], []], names=names)
    _same(lambda lib: grown(lib, given))


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
