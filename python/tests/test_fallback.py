"""The option `fallback`: what becomes of work on a GPU that has no kernel."""

import os
import subprocess
import sys
import warnings

import pytest

import cuprum
from cuprum import _cuprum


@pytest.fixture
def texts():
    cuprum.cuda.fallbacks(reset=True)
    with cuprum.option_context("fallback", "error"):
        yield cuprum.Series(["a b", "c"]).to_device("emulator")
    cuprum.cuda.fallbacks(reset=True)


def wrapped(texts):
    """A function without kernels."""
    return texts.str.wrap(1)


def test_is_refused(texts):
    with pytest.raises(NotImplementedError, match=r"`str\.wrap` has no kernel on emulator: move the data"):
        wrapped(texts)
    assert cuprum.cuda.fallbacks() == {}


def test_is_done_on_the_host_and_counted(texts):
    with cuprum.option_context("fallback", "host"), warnings.catch_warnings():
        warnings.simplefilter("error")
        found = wrapped(texts)
        wrapped(texts)
    assert found.device == "emulator"
    assert found.to_host().to_list() == ["a\nb", "c"]
    assert cuprum.cuda.fallbacks() == {"str.wrap": 2}
    assert cuprum.cuda.fallbacks(reset=True) == {"str.wrap": 2}
    assert cuprum.cuda.fallbacks() == {}


def test_warns_once_for_each_function(texts):
    cuprum.set_option("fallback", "warn")
    with pytest.warns(cuprum.cuda.FallbackWarning, match="the CPU does it") as caught:
        wrapped(texts)
        wrapped(texts)
    assert len(caught) == 1
    cuprum.cuda.fallbacks(reset=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", cuprum.cuda.FallbackWarning)
        with pytest.raises(cuprum.cuda.FallbackWarning, match=r"str\.wrap"):
            wrapped(texts)
        wrapped(texts)
    assert cuprum.cuda.fallbacks() == {"str.wrap": 2}


@pytest.mark.parametrize("call", [wrapped, lambda texts: texts.str.wrap(1, break_long_words=False)])
def test_warnings_name_the_line_of_the_caller(texts, call):
    cuprum.set_option("fallback", "warn")
    with pytest.warns(cuprum.cuda.FallbackWarning) as caught:
        call(texts)
    assert {(one.filename, one.lineno) for one in caught} == {
        (__file__, call.__code__.co_firstlineno + 2 * (call is wrapped))
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
    assert told() == ("warn", "")
    assert told(CUPRUM_FALLBACK="error") == ("error", "")
    value, log = told(CUPRUM_FALLBACK="perhaps")
    assert value == "warn"
    assert "CUPRUM_FALLBACK: `fallback` is 'perhaps'; it can be 'error', 'warn' or 'host'" in log
