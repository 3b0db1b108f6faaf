"""The option `fallback`: what becomes of work on a GPU that has no kernel."""

import os
import subprocess
import sys
import warnings

import pytest

import cuprum
from cuprum import _cuprum


@pytest.fixture
def series():
    cuprum.cuda.fallbacks(reset=True)
    with cuprum.option_context("fallback", "error"):
        yield cuprum.Series(["x", "y", "z"]).to_device("emulator")
    cuprum.cuda.fallbacks(reset=True)


def running(series):
    """A function without kernels: texts one behind the other."""
    return series.cumsum()


def test_is_refused(series):
    with pytest.raises(
        NotImplementedError,
        match=r"`reduce\.cumulative` has no kernel for `column` of type str",
    ):
        running(series)
    assert cuprum.cuda.fallbacks() == {}


def test_is_done_on_the_host_and_counted(series):
    with cuprum.option_context("fallback", "host"), warnings.catch_warnings():
        warnings.simplefilter("error")
        values = running(series)
        running(series)
    assert str(values.device) == "emulator"
    assert values.to_list() == ["x", "xy", "xyz"]
    assert cuprum.cuda.fallbacks() == {"reduce.cumulative": 2}
    assert cuprum.cuda.fallbacks(reset=True) == {"reduce.cumulative": 2}
    assert cuprum.cuda.fallbacks() == {}


def test_warns_once_for_each_function(series):
    cuprum.set_option("fallback", "warn")
    with pytest.warns(cuprum.cuda.FallbackWarning, match="the CPU does it") as caught:
        running(series)
        running(series)
    assert len(caught) == 1
    cuprum.cuda.fallbacks(reset=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", cuprum.cuda.FallbackWarning)
        with pytest.raises(cuprum.cuda.FallbackWarning, match=r"reduce\.cumulative"):
            running(series)
        running(series)
    assert cuprum.cuda.fallbacks() == {"reduce.cumulative": 2}


@pytest.mark.parametrize(
    "call",
    [
        running,
        lambda series: series.cumsum(skipna=True),
    ],
)
def test_warnings_name_the_line_of_the_caller(series, call):
    cuprum.set_option("fallback", "warn")
    with pytest.warns(cuprum.cuda.FallbackWarning) as caught:
        call(series)
    assert {(one.filename, one.lineno) for one in caught} == {
        (__file__, call.__code__.co_firstlineno + 2 * (call is running))
    }


@pytest.mark.parametrize("value", ["cpu", "", True, None])
def test_values_are_checked(value):
    before = cuprum.get_option("fallback")
    with pytest.raises(ValueError, match="option 'fallback' must be 'error', 'warn' or 'host'"):
        cuprum.set_option("fallback", value)
    with pytest.raises(ValueError, match="`fallback` is 'cpu'"):
        _cuprum.set_fallback("cpu")
    assert cuprum.get_option("fallback") == before


def told(**env):
    program = "import cuprum; print(cuprum.get_option('fallback'))"
    env = {name: value for name, value in os.environ.items() if "FALLBACK" not in name} | env
    done = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.strip(), done.stderr


def test_the_environment_sets_it():
    assert told() == ("error", "")
    assert told(CUPRUM_FALLBACK="warn") == ("warn", "")
    value, log = told(CUPRUM_FALLBACK="perhaps")
    assert value == "error"
    assert "CUPRUM_FALLBACK: `fallback` is 'perhaps'; it can be 'error', 'warn' or 'host'" in log
