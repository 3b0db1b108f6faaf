"""`select_dtypes`: columns by their type."""

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree
from small_frames import FLOATS


@pytest.mark.parametrize(
    "program",
    [
        "lib.DataFrame({'c': c, 'd': lib.Series(['x', 'y', 'x'], dtype='category')}).select_dtypes("
        "lib.CategoricalDtype(['a', 'b'])).columns.tolist()",
        "lib.DataFrame({'c': c, 'd': [1, 2, 3]}).select_dtypes(lib.CategoricalDtype()).columns.tolist()",
        "lib.DataFrame({'c': c, 'd': [1, 2, 3]}).select_dtypes(pd.CategoricalDtype).columns.tolist()",
        "f.assign(i=1, j=np.int32(1)).select_dtypes([np.dtype('int64'), np.dtype('float32')]).columns.tolist()",
        "f.assign(i=1).select_dtypes(exclude=np.dtype('float64')).columns.tolist()",
        "f.assign(i=1).select_dtypes(f.dtypes['a']).columns.tolist()",
        "f.assign(i=1, s='x').select_dtypes(np.object_).columns.tolist()",
        "t.assign(t=t['t'].dt.tz_localize('UTC')).select_dtypes(pd.DatetimeTZDtype).columns.tolist()",
    ],
)
def test_select_dtypes_by_category_and_numpy_types(program: str) -> None:
    agree(program, **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        # Types of no column.
        (
            "df.select_dtypes('datetime64[D]')",
            ValueError,
            "'datetime64[D]' is not a supported datetime64/timedelta64",
        ),
        (
            "df.select_dtypes(exclude=np.dtype('timedelta64[h]'))",
            ValueError,
            "'timedelta64[h]' is not a supported",
        ),
        ("df.select_dtypes(np.str_)", TypeError, "numpy string dtypes are not allowed, use 'str' or"),
        ("df.select_dtypes('U')", TypeError, "numpy string dtypes are not allowed, use 'str' or"),
        ("df.select_dtypes(np.dtype('S5'))", TypeError, "numpy string dtypes are not allowed, use 'str' or"),
        (
            "df.select_dtypes('interval[int64]')",
            ValueError,
            "'interval[int64]' does not name a specific dtype; pass",
        ),
        (
            "df.select_dtypes(lib.CategoricalDtype(ordered=True))",
            ValueError,
            "a CategoricalDtype spec giving 'ordered' must give",
        ),
        ("df.select_dtypes('int', exclude=np.int64)", ValueError, "include and exclude overlap on int64"),
        (
            "df.select_dtypes('number', exclude=['float64', np.number])",
            ValueError,
            "include and exclude overlap on number",
        ),
    ],
)
def test_select_dtypes_refuses_types_of_no_column(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)


WIDTHS = pd.DataFrame({"i": [1], "j": np.array([1], "int32"), "f": [1.0], "g": np.array([1], "float32")})


@pytest.mark.parametrize("types", [["int"], [int], ["float"], [float], [np.float64], ["int32"], ["number"]])
def test_types_of_any_width(types):
    agree(lambda lib, df: df.select_dtypes(types).columns.tolist(), df=WIDTHS)
    agree(lambda lib, df: df.select_dtypes(exclude=types).columns.tolist(), df=WIDTHS)


def test_select_dtypes_by_interval():
    agree("df.assign(i=lib.interval_range(0, 4)).select_dtypes('interval').columns.tolist()", df=FLOATS)
