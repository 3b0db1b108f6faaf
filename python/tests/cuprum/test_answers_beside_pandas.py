"""Calls whose answers differed from pandas' without a word: the same answer, or the same refusal."""

from collections.abc import Callable
from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest

import cuprum


def _frame(lib: Any) -> Any:
    times = pd.date_range("2020", periods=4)
    return lib.DataFrame(
        {"g": [1, 2, 1, 2], "t": times, "v": [1.0, 2.0, 3.0, 4.0], "b": [True, False, True, True]}
    )


WINDOWS: dict[str, Callable[[Any], Any]] = {
    "on": lambda lib: _frame(lib)[["t", "v"]].rolling("2D", on="t"),
    "on, a column": lambda lib: _frame(lib).rolling(2, on="t")["v"],
    "step": lambda lib: _frame(lib)["v"].rolling(2, step=2),
    "groups": lambda lib: _frame(lib)[["g", "v"]].groupby("g").rolling(2),
    "a column of groups": lambda lib: _frame(lib).groupby("g")["v"].rolling(2),
    "groups without labels": lambda lib: _frame(lib)[["g", "v"]].groupby("g", as_index=False).rolling(2),
    "on, of groups": lambda lib: _frame(lib)[["g", "t", "v"]].groupby("g").rolling("3D", on="t"),
    "all so far of groups": lambda lib: _frame(lib)[["g", "v"]].groupby("g").expanding(),
    "fading": lambda lib: _frame(lib)["v"].ewm(1),
}


@pytest.mark.parametrize("case", WINDOWS)
def test_windows_are_iterated_over_under_the_labels_of_their_rows(case: str) -> None:
    ours, theirs = ([*WINDOWS[case](lib)] for lib in (cuprum, pd))
    assert len(ours) == len(theirs) > 0
    for mine, expected in zip(ours, theirs, strict=True):
        compare = pd.testing.assert_frame_equal if expected.ndim == 2 else pd.testing.assert_series_equal
        compare(mine.to_pandas(), expected, check_freq=False)


def test_windows_that_cannot_be_iterated_over_say_so() -> None:
    for windows in (
        _frame(cuprum)["v"].rolling(2, win_type="boxcar"),
        _frame(cuprum).groupby("g")["v"].ewm(1),
    ):
        with pytest.raises(NotImplementedError, match="iterating over"):
            list(windows)


@pytest.mark.parametrize(
    "name", ["sum", "mean", "min", "first", "std", "median", "prod", "var", "sem", "skew"]
)
def test_numeric_only_of_groups_is_a_truth_value(name: str) -> None:
    for lib in (cuprum, pd):
        for groups in (_frame(lib)[["g", "v"]].groupby("g"), _frame(lib).groupby("g")["v"]):
            for given in ("x", None, 1):
                with pytest.raises(ValueError, match="numeric_only accepts only Boolean values"):
                    getattr(groups, name)(numeric_only=given)
            getattr(groups, name)(numeric_only=np.True_)


REFUSED: dict[str, tuple[Callable[[Any], Any], type[Exception], str]] = {
    "quantile of truth values": (
        lambda lib: _frame(lib).groupby("g")["b"].quantile(),
        TypeError,
        "Cannot use quantile with bool dtype",
    ),
    "quantile of a frame": (
        lambda lib: _frame(lib)[["g", "b"]].groupby("g").quantile(),
        TypeError,
        "Cannot use quantile with bool dtype",
    ),
    "exact, ISO": (
        lambda lib: lib.to_datetime(["2020"], format="ISO8601", exact=True),
        ValueError,
        "Cannot use 'exact' when 'format' is 'mixed' or 'ISO8601'",
    ),
    "exact, mixed": (
        lambda lib: lib.to_datetime(["2020"], format="mixed", exact=False),
        ValueError,
        "Cannot use 'exact' when 'format' is 'mixed' or 'ISO8601'",
    ),
    "and a list": (
        lambda lib: lib.Series([True, False]) & [True, True],
        TypeError,
        "'&' takes no list, which has no dtype: wrap it in a",
    ),
    "a tuple or": (
        lambda lib: (True, True) | lib.Series([True, False]),
        TypeError,
        "'|' takes no tuple, which has no dtype: wrap it in a",
    ),
    "xor NaT": (lambda lib: lib.Series([True, False]) ^ pd.NaT, TypeError, "'^' takes no NaT"),
    "integers and NaT": (lambda lib: lib.Series([1, 2]) & pd.NaT, TypeError, "'&' takes no NaT"),
    "a frame or NaT": (lambda lib: lib.DataFrame({"a": [True]}) | pd.NaT, TypeError, "'|' takes no NaT"),
    "na of contains": (
        lambda lib: lib.Series(["a"]).str.contains("a", na="foo"),
        ValueError,
        "na must be None, pd.NA, np.nan, True, or False; got 'foo'",
    ),
    "na of startswith": (
        lambda lib: lib.Series(["a"]).str.startswith("a", na=0),
        ValueError,
        "na must be None, pd.NA, np.nan, True, or False; got 0",
    ),
    "expand of split": (
        lambda lib: lib.Series(["a"]).str.split(expand="no"),
        ValueError,
        "expand must be True or False, not 'no'",
    ),
    "expand of extract": (
        lambda lib: lib.Series(["a"]).str.extract("(a)", expand=None),
        ValueError,
        "expand must be True or False, not None",
    ),
    "repl beside a dict": (
        lambda lib: lib.Series(["a"]).str.replace({"a": "b"}, repl="c"),
        ValueError,
        "repl cannot be used when pat is a dictionary",
    ),
    "a tuple in brackets": (
        lambda lib: lib.Series([1, 2])[(0,)],
        KeyError,
        "a series' rows have one level of labels: no tuple names",
    ),
    "a tuple for one axis": (
        lambda lib: lib.Series([1, 2]).loc[(0, 1)],
        IndexError,
        "Too many indexers: a series has one axis, the key is (0",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_pandas_refuses_is_refused(case: str) -> None:
    call, error, text = REFUSED[case]
    oracle.agree(call, refused=(error, text))


@pytest.mark.parametrize(
    "times", ["datetime64[D]", "datetime64[h]", "timedelta64[D]", "timedelta64[m]", "datetime64[s]"]
)
def test_to_numeric_of_times_of_numpy_gives_their_ticks(times: str) -> None:
    given = np.array([0, 3, -5], dtype=times)
    np.testing.assert_array_equal(cuprum.to_numeric(given), pd.to_numeric(given))


def test_stack_of_no_columns_is_a_series() -> None:
    for index in (None, pd.Index([1, 2], name="k")):
        ours, theirs = (lib.DataFrame(index=index).stack() for lib in (cuprum, pd))
        assert isinstance(ours, cuprum.Series)
        assert ours.dtype == theirs.dtype
        assert len(ours) == len(theirs) == 0
        assert list(ours.index.names) == list(theirs.index.names)


@pytest.mark.parametrize("texts", [[""], ["", None], [None], [" ", ""], ["a", ""], ["a b", "c"]])
@pytest.mark.parametrize("arguments", [{}, {"pat": ","}, {"n": 1}])
def test_texts_without_parts_make_no_column(texts: list[Any], arguments: dict[str, Any]) -> None:
    for name in ("split", "rsplit"):
        ours, theirs = (
            getattr(lib.Series(texts, dtype="str").str, name)(expand=True, **arguments)
            for lib in (cuprum, pd)
        )
        assert ours.shape == theirs.shape


@pytest.mark.parametrize("write", ["loc", "at", "brackets"])
def test_a_tuple_of_one_label_is_the_label(write: str) -> None:
    written = []
    for lib in (cuprum, pd):
        series = lib.Series([1, 2], index=["a", "b"])
        target = series if write == "brackets" else getattr(series, write)
        target[("a",)] = 5
        if write != "brackets":
            assert target[("a",)] == 5
        written.append(series.to_dict())
    assert written[0] == written[1] == {"a": 5, "b": 2}


@pytest.mark.parametrize("order", [[0, 1, 2], [0, 2, 1], [2, 1, 0], [0, 1, 2, 0, 1, 2]])
def test_rows_that_a_month_names(order: list[int]) -> None:
    times = pd.date_range("2001-01-01", periods=3, freq="20D")[order]
    ours, theirs = (lib.Index(times).get_loc("2001-01") for lib in (cuprum, pd))
    assert isinstance(ours, slice) == isinstance(theirs, slice)
    np.testing.assert_array_equal(np.arange(len(order))[ours], np.arange(len(order))[theirs])
    if not isinstance(theirs, slice):
        assert ours.dtype == theirs.dtype


DURATIONS = [
    "1",
    "1 day",
    "2D 0 hours",
    "120s",
    "120s 0 days",
    "1:00:00",
    "PT120S",
    "PT2M",
    "P1DT2H",
    "1W",
    "1.5min",
]
DURATIONS += [
    "2000us",
    "2000 µs",
    "-1 days",
    "1h30m",
    "1:00:00.5",
    "P0DT0H2M0S",
    "1m 30s",
    "5 nanos",
    "PT1.5S",
]


@pytest.mark.parametrize("text", DURATIONS)
@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_slices_of_durations_end_by_the_finest_unit_that_is_written(text: str, unit: str) -> None:
    steps = ["-1ns", "0s", "1ns", "1us", "1ms", "999ms", "1s", "59s", "1min", "59min", "1h", "23h", "1D"]
    labels = pd.TimedeltaIndex([pd.Timedelta(text) + pd.Timedelta(step) for step in steps]).as_unit(unit)
    theirs = pd.Series(range(len(steps)), index=labels.sort_values())
    ours = cuprum.Series(theirs)
    for part in (slice(None, text), slice(text, None), slice(text, text)):
        assert ours.loc[part].to_list() == theirs.loc[part].to_list()


@pytest.mark.parametrize("format", ["ISO8601", "mixed"])
def test_formats_that_take_no_exact_read_single_times_and_indexes(format: str) -> None:
    for lib in (cuprum, pd):
        assert lib.to_datetime("2013-01-02", format=format) == pd.Timestamp("2013-01-02")
        assert lib.to_datetime(lib.Index(["2013-01-02"]), format=format)[0] == pd.Timestamp("2013-01-02")


@pytest.mark.parametrize("texts", [
    ["18446744073709551616", "1"], ["-9223372036854775809", "1"], ["18446744073709551615", "-1"], ["1" * 30, None, ""],
])  # fmt: skip
def test_integers_beyond_64_bits_are_not_rounded(texts: list[str | None]) -> None:
    with pytest.raises(OverflowError, match="64 bits"):
        cuprum.to_numeric(cuprum.Series(texts))
    if texts[1] != "-1":  # which pandas leaves as texts
        oracle.agree(lambda lib: lib.to_numeric(lib.Series([*texts, "x"]), errors="coerce"))
        oracle.agree(lambda lib: lib.to_numeric(lib.Series([*texts, "1.5"])))
    oracle.agree(lambda lib: lib.to_numeric(texts[0]))
    oracle.agree(lambda lib: lib.to_numeric(["18446744073709551615", "1"]))
