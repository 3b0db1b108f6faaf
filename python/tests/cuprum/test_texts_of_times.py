"""Texts that stand for times beside columns of times: where they are stored, compared, searched and refused."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import oracle
import pandas as pd
import pytest
from small_frames import times_and_durations

import cuprum

TEXTS = [
    "2000-01-02",
    "20000102",
    "Jan 2, 2000",
    "1/2/2000",
    "13/1/2000",
    "01/02/2000 05:06",
    "2000-01-02 03:04:05.6",
]


def _times(lib: Any, zone: str | None = None) -> Any:
    return lib.Series(pd.DatetimeIndex(["2000-01-01", None, "2000-01-05"], tz=zone))


def _set(series: Any, key: Any, value: Any) -> Any:
    series.loc[key] = value
    return series


MEET: dict[str, Callable[[Any, Any, str], Any]] = {
    "fillna": lambda lib, times, text: times.fillna(text),
    "element": lambda lib, times, text: _set(times, 0, text),
    "all": lambda lib, times, text: _set(times, slice(None), text),
    "list": lambda lib, times, text: _set(times, [0, 1], [text, text]),
    "list with a missing one": lambda lib, times, text: _set(times, [0, 1], [text, None]),
    "where": lambda lib, times, text: times.where([True, False, False], text),
    "mask": lambda lib, times, text: times.mask([True, False, False], text),
    "of a frame": lambda lib, times, text: lib.DataFrame({"t": times}).fillna({"t": text}),
    "clip": lambda lib, times, text: times.clip(text),
    "clip above": lambda lib, times, text: times.clip(upper=text),
    "shift": lambda lib, times, text: times.shift(1, fill_value=text),
    "replaced by": lambda lib, times, text: times.replace(times[0], text),
    "search": lambda lib, times, text: times.dropna().searchsorted(text),
    "search in labels": lambda lib, times, text: lib.Index(times.dropna()).searchsorted(text),
    "insert": lambda lib, times, text: lib.Index(times).insert(0, text),
    "asof": lambda lib, times, text: lib.Series([1, 2], index=lib.Index(times.dropna())).asof(text),
    "query": lambda lib, times, text: lib.DataFrame({"t": times}).query(f"t > {text!r}"),
    "query of a name": lambda lib, times, text: lib.DataFrame({"t": times}).query("t <= @text"),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("how", MEET)
@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
def test_texts_are_times_beside_times(how: str, text: str, zone: str | None) -> None:
    if zone and how.startswith(("query", "clip", "asof", "search")):
        pytest.skip("pandas wants an instant there, or reads the text in UTC")
    oracle.agree(lambda lib: MEET[how](lib, _times(lib, zone), text))


@pytest.mark.parametrize("text", ["x", "1/2/75", "2000-13-01"])
def test_texts_that_are_no_times_or_may_be_two_are_refused(text: str) -> None:
    times = _times(cuprum)
    for refused in ("fillna", "element", "where", "mask"):
        if text == "1/2/75" or refused == "element":
            with pytest.raises(TypeError, match="cannot be stored"):
                MEET[refused](cuprum, times, text)
        else:
            with warnings.catch_warnings():  # pandas is to refuse it, too
                warnings.simplefilter("ignore")
                oracle.assert_like(MEET[refused](cuprum, times, text), MEET[refused](pd, _times(pd), text))
    with pytest.raises((TypeError, ValueError, NotImplementedError)):
        MEET["query"](cuprum, times, text)
    if text == "x":
        with pytest.raises(TypeError):
            _set(times, [0, 1], [text, text])
    assert times.to_list()[0] == pd.Timestamp("2000")


@pytest.mark.parametrize("zone", [None, "Asia/Tokyo"])
@pytest.mark.parametrize("how", ["__add__", "__sub__", "__rsub__", "__radd__"])
def test_arithmetic_takes_no_texts_beside_times(how: str, zone: str | None) -> None:
    for text in ("2000-01-01", "Jan 2, 2000"):
        for lib in (pd, cuprum):
            with pytest.raises(TypeError):
                getattr(_times(lib, zone), how)(text)


@pytest.mark.parametrize("dtype", ["timedelta64[us]", "timedelta64[s]"])
def test_durations_are_set_to_lists_of_texts(dtype: str) -> None:
    def made(lib: Any) -> Any:
        return _set(lib.Series(np.array([1, 2, 3]).astype(dtype)), [0, 1], ["1D", "2 days"])

    oracle.agree(made)


# What is said of texts that are no times.
NO_TIME = (TypeError, "Invalid comparison between dtype=")


TIMES_AS_TEXTS = ["1/1/2000", "2000-01-02", "Jan 2, 2000", "20000103", "2000-01", "", "x", "NaT"]


TIMES_AS_TEXTS += ["2000-01-01T00:00:00Z", "1D", "36:00:00", "2 days"]


@pytest.mark.parametrize("text", TIMES_AS_TEXTS)
@pytest.mark.parametrize("column", ["t", "z", "d"])
@pytest.mark.parametrize("op", ["eq", "ne", "lt", "ge"])
def test_texts_are_read_where_times_are_compared_with_them(text: str, column: str, op: str) -> None:
    operator = {"eq": "__eq__", "ne": "__ne__", "lt": "__lt__", "ge": "__ge__"}[op]
    oracle.agree(
        lambda lib: getattr(times_and_durations(lib)[column], operator)(text), unless_refused=NO_TIME
    )
    oracle.agree(lambda lib: getattr(times_and_durations(lib)[column], op)(text), unless_refused=NO_TIME)
    oracle.agree(
        lambda lib: getattr(lib.Index(times_and_durations(lib)[column]), operator)(text),
        unless_refused=NO_TIME,
    )
    oracle.agree(lambda lib: getattr(times_and_durations(lib)[[column]], op)(text), unless_refused=NO_TIME)
    oracle.agree(
        lambda lib: getattr(times_and_durations(lib)[column], op)(np.str_(text)), unless_refused=NO_TIME
    )


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
        lambda lib: getattr(times_and_durations(lib)[column], op)(lib.Series(texts, dtype="str")),
        unless_refused=NO_TIME,
    )
    if None not in texts:
        oracle.agree(lambda lib: getattr(times_and_durations(lib)[column], op)(texts), unless_refused=NO_TIME)
        oracle.agree(
            lambda lib: getattr(lib.Index(times_and_durations(lib)[column]), op)(np.array(texts)),
            unless_refused=NO_TIME,
        )
    if op == "__eq__":  # beside texts times are no texts
        oracle.agree(
            lambda lib: lib.Series(texts, dtype="str") == times_and_durations(lib)[column],
            unless_refused=NO_TIME,
        )
