"""Functions over windows: `agg`, `apply`, and `cov` and `corr` of pairs."""

import numpy as np
import pandas as pd
import pytest
from oracle import agree, ours
from small_frames import FLOATS, TWO_FRAMES, daily_floats


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        pytest.param(
            lambda lib: daily_floats(lib).rolling(2).agg({"a": {"x": "sum"}}),
            pd.errors.SpecificationError,
            "nested renamer is not supported",
            id="a dict in a dict of a rolling frame",
        ),
        pytest.param(
            lambda lib: daily_floats(lib)["a"].rolling(2).agg({"a": {"x": "sum"}}),
            pd.errors.SpecificationError,
            "nested renamer is not supported",
            id="a dict in a dict of a rolling series",
        ),
        pytest.param(
            lambda lib: daily_floats(lib)["a"].rolling(2).agg({"a": ["sum"]}),
            pd.errors.SpecificationError,
            "nested renamer is not supported",
            id="a list in a dict of a rolling series",
        ),
        pytest.param(
            lambda lib: daily_floats(lib).rolling(2).agg(["sum", "sum"]),
            pd.errors.SpecificationError,
            "Function names must be unique if there is no new column",
            id="a function twice in windows",
        ),
        pytest.param(
            lambda lib: daily_floats(lib).rolling(2).agg({"a": ["sum", "sum"]}),
            pd.errors.SpecificationError,
            "Function names must be unique if there is no new column",
            id="a function twice in windows of a column",
        ),
        pytest.param(
            lambda lib: daily_floats(lib)["a"].expanding().agg(["sum", "sum"]),
            pd.errors.SpecificationError,
            "Function names must be unique if there is no new column",
            id="a function twice in windows of a series",
        ),
    ],
)
def test_windows_refuse_nested_dicts_and_repeated_functions(call, error, text):
    agree(call, refused=(error, text))


@pytest.mark.parametrize(
    "code",
    [
        "df.rolling(3).cov(df * df, pairwise=True)",
        "df.expanding().corr((df * df).rename(columns={'a': 'c'}), pairwise=False)",
        "df['a'].rolling(2).cov(df['b'][1:].reset_index(drop=True).set_axis([2, 3, 4]))",
        "df['a'].ewm(com=1).corr(df['b'][2:])",
        "df.expanding().cov(df['b'][2:])",
        "df.rolling(2).apply(np.sum, True, None, None)",
        "df.rolling(2).apply(lambda s: s.sum(), engine='cython')",
        "[df.rolling(2, center=True).window, df.rolling(2).min_periods, df.ewm(span=3).span, df.ewm(com=1).alpha]",
    ],
)
def test_pairs_and_functions_of_windows(code):
    agree(code, df=FLOATS)


def test_pairs_and_functions_that_are_refused():
    df = ours(FLOATS)
    with pytest.raises(ValueError, match="columns are not unique"):
        df.set_axis(["a", "a"], axis=1).rolling(2).cov(df)
    with pytest.raises(NotImplementedError, match="`engine`='numba'"):
        df.rolling(2).apply(np.sum, engine="numba")
    with pytest.raises(NotImplementedError, match="other row labels"):
        df.groupby("a").rolling(2).cov(df["b"])


@pytest.mark.parametrize(
    "code",
    [
        "a.v.rolling(2).agg({'x': 'sum', 'y': 'mean'})",
        "a.v.expanding().agg({'x': 'sum'})",
    ],
)
def test_dicts_name_columns_of_windows(code):
    agree(code, **TWO_FRAMES)


def test_dicts_of_lists_of_windows_are_refused():
    agree(
        "a.v.rolling(2).agg({'x': ['sum', 'mean']})",
        refused=(pd.errors.SpecificationError, "nested renamer is not supported"),
        **TWO_FRAMES,
    )
