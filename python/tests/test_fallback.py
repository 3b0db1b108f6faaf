"""The option `fallback`: what becomes of work on a GPU that has no kernel."""

import os
import subprocess
import sys
import warnings

import pytest

import cuprum
import pylibcuprum as plc
from cuprum import _cuprum


@pytest.fixture
def column():
    cuprum.cuda.fallbacks(reset=True)
    with cuprum.option_context("fallback", "error"):
        yield plc.Column.from_iterable_of_py(["3", "1", None, "2"]).to_device("emulator")
    cuprum.cuda.fallbacks(reset=True)


def of_json(column):
    """A function without kernels, which gives the numbers of a column of texts as they are."""
    return plc.json.get_json_object(column, plc.Scalar.from_py("$"))


def test_is_refused(column):
    with pytest.raises(
        NotImplementedError,
        match=r"`strings\.get_json_object` has no kernel for `column` of type str",
    ):
        of_json(column)
    assert cuprum.cuda.fallbacks() == {}


def test_is_done_on_the_host_and_counted(column):
    with cuprum.option_context("fallback", "host"), warnings.catch_warnings():
        warnings.simplefilter("error")
        values = of_json(column)
        of_json(column)
    assert str(values.device()) == "emulator"
    assert values.to_device("cpu").to_arrow().to_pylist() == column.to_device("cpu").to_arrow().to_pylist()
    assert cuprum.cuda.fallbacks() == {"strings.get_json_object": 2}
    assert cuprum.cuda.fallbacks(reset=True) == {"strings.get_json_object": 2}
    assert cuprum.cuda.fallbacks() == {}


def test_warns_once_for_each_function(column):
    cuprum.set_option("fallback", "warn")
    with pytest.warns(cuprum.cuda.FallbackWarning, match="the CPU does it") as caught:
        of_json(column)
        of_json(column)
    assert len(caught) == 1
    cuprum.cuda.fallbacks(reset=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", cuprum.cuda.FallbackWarning)
        with pytest.raises(cuprum.cuda.FallbackWarning, match=r"strings\.get_json_object"):
            of_json(column)
        of_json(column)
    assert cuprum.cuda.fallbacks() == {"strings.get_json_object": 2}


@pytest.mark.parametrize(
    "call",
    [
        of_json,
        lambda column: cuprum.Series(["a"]).to_device("emulator").str.get_json_object("$"),
        lambda column: cuprum.Series(["a"]).to_device("emulator").str.token_count(),
    ],
)
def test_warnings_name_the_line_of_the_caller(column, call):
    cuprum.set_option("fallback", "warn")
    with pytest.warns(cuprum.cuda.FallbackWarning) as caught:
        call(column)
    assert {(one.filename, one.lineno) for one in caught} == {
        (__file__, call.__code__.co_firstlineno + 2 * (call is of_json))
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
