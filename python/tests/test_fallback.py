"""The option `fallback`: what becomes of work on a GPU that has no kernel."""

import os
import subprocess
import sys
import warnings

import pytest

import cuprum
from cuprum import _cuprum


@pytest.fixture
def frame():
    cuprum.cuda.fallbacks(reset=True)
    with cuprum.option_context("fallback", "error"):
        yield cuprum.DataFrame({"a": [3.0, 1.0], "b": [2.0, 5.0]}).to_device("emulator")
    cuprum.cuda.fallbacks(reset=True)


def ranked(frame):
    """A function without kernels."""
    return frame.rank(axis=1)


def test_is_refused(frame):
    with pytest.raises(
        NotImplementedError,
        match=r"`sorting\.rank_rows` has no kernel for `table` of type \(float64, float64\)",
    ):
        ranked(frame)
    assert cuprum.cuda.fallbacks() == {}


def test_is_done_on_the_host_and_counted(frame):
    with cuprum.option_context("fallback", "host"), warnings.catch_warnings():
        warnings.simplefilter("error")
        values = ranked(frame)
        ranked(frame)
    assert str(values.device) == "emulator"
    assert values.to_host().equals(cuprum.DataFrame({"a": [2.0, 1.0], "b": [1.0, 2.0]}))
    assert cuprum.cuda.fallbacks() == {"sorting.rank_rows": 2}
    assert cuprum.cuda.fallbacks(reset=True) == {"sorting.rank_rows": 2}
    assert cuprum.cuda.fallbacks() == {}


def test_warns_once_for_each_function(frame):
    cuprum.set_option("fallback", "warn")
    with pytest.warns(cuprum.cuda.FallbackWarning, match="the CPU does it") as caught:
        ranked(frame)
        ranked(frame)
    assert len(caught) == 1
    cuprum.cuda.fallbacks(reset=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", cuprum.cuda.FallbackWarning)
        with pytest.raises(cuprum.cuda.FallbackWarning, match=r"sorting\.rank_rows"):
            ranked(frame)
        ranked(frame)
    assert cuprum.cuda.fallbacks() == {"sorting.rank_rows": 2}


@pytest.mark.parametrize(
    "call",
    [
        ranked,
        lambda frame: frame.rank(axis=1, method="first"),
    ],
)
def test_warnings_name_the_line_of_the_caller(frame, call):
    cuprum.set_option("fallback", "warn")
    with pytest.warns(cuprum.cuda.FallbackWarning) as caught:
        call(frame)
    assert {(one.filename, one.lineno) for one in caught} == {
        (__file__, call.__code__.co_firstlineno + 2 * (call is ranked))
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
