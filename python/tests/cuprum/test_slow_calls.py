"""`PerformanceWarning`: of many calls or long ones, once, with what is faster and how to turn it off."""

import pickle
import subprocess
import sys
import time
import warnings

import pandas as pd
import pytest

import cuprum
from cuprum.core import slow_calls
from cuprum.errors import PerformanceWarning

COUNT = slow_calls.MANY


def unknown(x):
    """No formula has this."""
    return hash(repr(x)) % 7


# Functions of Python that are called one by one.
CALLS = {
    "map": lambda s: s.map(unknown),
    "apply": lambda s: s.apply(unknown),
    "transform": lambda s: s.transform(unknown),
    "combine": lambda s: s.combine(s, lambda a, b: unknown(a)),
    "frame map": lambda s: s.to_frame("a").map(unknown),
    "rows": lambda s: s.to_frame("a").apply(lambda row: unknown(row["a"]), axis=1),
    "group agg": lambda s: s.groupby(s.to_list()).agg(unknown),
    "group apply": lambda s: s.groupby(s.to_list()).apply(unknown),
    "group transform": lambda s: s.groupby(s.to_list()).transform(unknown),
    "group filter": lambda s: s.groupby(s.to_list()).filter(lambda x: unknown(x) >= 0),
    "offset": lambda s: cuprum.Series(pd.date_range("2000", periods=len(s))) + pd.offsets.CDay(),
}


def said(call, size):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call(cuprum.Series(range(size)))
    return caught


@pytest.mark.parametrize("name", CALLS)
def test_many_calls_are_warned_of_once(name, monkeypatch):
    monkeypatch.setattr(slow_calls, "MANY", 100)
    assert said(CALLS[name], 100) == []
    (one,) = said(CALLS[name], 101)
    assert one.category is PerformanceWarning
    assert one.filename == __file__
    assert "takes long" in str(one.message)
    assert 'cuprum.set_option("mode.performance_warnings", False)' in str(one.message)
    with cuprum.option_context("mode.performance_warnings", False):
        assert said(CALLS[name], 101) == []


def test_how_many_are_many():
    assert said(CALLS["map"], COUNT) == []
    assert len(said(CALLS["map"], COUNT + 1)) == 1


def test_long_calls_are_warned_of_while_they_run(monkeypatch):
    monkeypatch.setattr(slow_calls, "LONG", 0.02)
    told = []

    def waits(x):
        told.append(len(caught))
        time.sleep(0.005)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        cuprum.Series(range(40)).map(waits)
    assert len(caught) == 1
    assert told[0] == 0 and told[-1] == 1


def test_columns_are_counted_together(monkeypatch):
    monkeypatch.setattr(slow_calls, "MANY", 10)
    df = cuprum.DataFrame({name: range(6) for name in "kab"})
    for call in (
        lambda df: df.groupby("k").agg(unknown),
        lambda df: df.groupby("k").transform(unknown),
        lambda df: df.map(unknown),
    ):
        with pytest.warns(PerformanceWarning, match="at once") as caught:
            call(df)
        assert len(caught) == 1


def test_as_errors_they_are_no_error_of_the_function(each_call_warns):
    for name in ("transform", "apply", "group agg"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(PerformanceWarning) as caught:
                CALLS[name](cuprum.Series([1, 2, 3]))
        assert not getattr(caught.value, "__notes__", None)


def test_it_is_a_warning_of_pandas():
    assert issubclass(PerformanceWarning, pd.errors.PerformanceWarning)
    assert cuprum.errors.PerformanceWarning is PerformanceWarning
    assert pickle.loads(pickle.dumps(PerformanceWarning)) is PerformanceWarning
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", pd.errors.PerformanceWarning)
        CALLS["map"](cuprum.Series(range(COUNT + 1)))


def test_pandas_is_imported_for_a_warning_that_is_given_alone():
    code = (
        "import sys, cuprum, cuprum.errors; s = cuprum.Series(range(20_001))\n"
        "cuprum.set_option('mode.performance_warnings', False)\n"
        "s.map(lambda x: repr(x).__hash__())\n"
        "assert 'pandas' not in sys.modules\n"
        "cuprum.errors.PerformanceWarning\n"
        "assert 'pandas' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
