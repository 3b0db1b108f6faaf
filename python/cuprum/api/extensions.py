"""Accessors of users, and what pandas has under ``api.extensions`` for types of columns of one's own."""

from typing import Any

from cuprum.core.accessors.registered import (
    register_dataframe_accessor,
    register_index_accessor,
    register_series_accessor,
)

__all__ = ["register_dataframe_accessor", "register_index_accessor", "register_series_accessor"]


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module 'cuprum.api.extensions' has no attribute {name!r}")
    from pandas.api import extensions

    return getattr(extensions, name)
