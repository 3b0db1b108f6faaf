import pandas as pd
import pytest

import cuprum
from cuprum.core import slow_calls

# A machine that is busy makes every call slow: tests are warned of the number of calls alone.
slow_calls.LONG = float("inf")


@pytest.fixture(scope="module")
def each_call_warns():
    """One call of a function is enough for a `PerformanceWarning`, which says that there is no formula."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slow_calls, "MANY", 0)
        yield


@pytest.fixture
def df():
    """A small frame with a column of every kind, missing values where pandas has room for them."""
    return pd.DataFrame(
        {
            "i": [3, -1, 2, 3, 0],
            "f": [1.5, float("nan"), -2.25, 0.0, 1e10],
            "b": [True, False, True, True, False],
            "s": ["b", "a", None, "é", "日本"],
            "t": pd.to_datetime(
                ["2013-01-01 05:00", None, "1969-12-31 23:59:59", "2000-02-29", "2013-12-31 12:30"],
                format="ISO8601",
            ),
        }
    )


@pytest.fixture
def linked_copies():
    """Shallow copies see each other's writes; what a test sets is undone."""
    with cuprum.option_context("copy_on_write", False):
        yield


@pytest.fixture(params=[True, False], ids=["on", "off"])
def mode(request):
    """Copy-on-write on and off."""
    with cuprum.option_context("copy_on_write", request.param):
        yield request.param
