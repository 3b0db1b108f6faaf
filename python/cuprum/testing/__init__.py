"""Assertions for tests: that frames, series, indexes and other results are equal."""

from cuprum.testing.testing import (
    assert_column_equal,
    assert_eq,
    assert_frame_equal,
    assert_index_equal,
    assert_neq,
    assert_series_equal,
)

__all__ = [
    "assert_column_equal",
    "assert_eq",
    "assert_frame_equal",
    "assert_index_equal",
    "assert_neq",
    "assert_series_equal",
]
