"""Covariance and correlation of the columns of a frame, beside pandas."""

import numpy as np
import pandas as pd
import pytest
from oracle import SMALL, agree

import cuprum

METHODS = ["corr()", "corr('spearman')", "corr(min_periods=40)", "cov()", "cov(min_periods=40)"]


def frame(columns, *, rows=60, missing=0.0, infinite=0.0, seed=0):
    """Numbers of many magnitudes, with missing and infinite elements."""
    rng = np.random.default_rng(seed)
    matrix = rng.standard_normal((rows, columns)) * 10.0 ** rng.integers(-3, 6, columns)
    matrix += rng.standard_normal((rows, 1))
    matrix[rng.random(matrix.shape) < missing] = np.nan
    matrix[rng.random(matrix.shape) < infinite] = np.inf
    return pd.DataFrame(matrix, columns=[f"c{i}" for i in range(columns)])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("columns", [1, 2, 31, 32, 33, 70])
def test_all_pairs(columns, missing, method):
    agree(f"df.{method}", df=frame(columns, missing=missing), rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_infinite_elements_are_missing_where_pandas_takes_them_for_missing(method, missing):
    agree(f"df.{method}", df=frame(6, missing=missing, infinite=0.02), rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_columns_of_other_types(method):
    df = frame(3, missing=0.1).assign(
        integers=range(60),
        few=pd.array([1, None, 3] * 20, dtype="Int64"),
        truth=[True, False, True] * 20,
        same=0.1,
        nothing=np.nan,
        small=np.arange(60, dtype="float32"),
    )
    agree(f"df.{method}", df=df, rtol=1e-9)


def test_an_outlier_beside_a_missing_element_spoils_no_pair():
    df = pd.DataFrame({"a": [1e15, 1.0, 2.0, 3.0, 5.0], "b": [np.nan, 5.0, 3.0, 3.0, 1.0]})
    agree("df.corr()", df=df)
    agree("df.cov()", df=df)


def test_degrees_of_freedom():
    agree("df.cov(ddof=0)", df=frame(40), rtol=1e-9)
    # pandas forgets them where elements are missing.
    df = frame(2, missing=0.3)
    kept = df.dropna()
    expected = np.cov(kept.T, ddof=3)
    np.testing.assert_allclose(cuprum.DataFrame(df).cov(ddof=3).to_numpy()[0, 1], expected[0, 1], rtol=1e-9)


def test_many_rows_of_correlation():
    df = frame(4, rows=200_000, missing=0.1)
    agree("df.corr()", df=df, rtol=1e-9)
    agree("df.cov()", df=df.fillna(0.0), rtol=1e-9)


def test_cov_without_ddof():
    agree("lib.Series([1.0, 2.0, 4.0]).cov(lib.Series([3.0, 2.0, 5.0]), ddof=None)", **SMALL)


@pytest.mark.parametrize(
    ("program", "error", "text"),
    [
        ("df.assign(s='x').corr()", ValueError, "could not convert string to float: column 's' is of texts"),
        (
            "df.assign(s='x').corr('kendall')",
            ValueError,
            "could not convert string to float: column 's' is of texts",
        ),
        ("df.assign(s='x').cov()", ValueError, "could not convert string to float: column 's' is of texts"),
    ],
)
def test_correlations_of_texts_are_refused(program: str, error: type[Exception], text: str) -> None:
    agree(program, refused=(error, text), **SMALL)
