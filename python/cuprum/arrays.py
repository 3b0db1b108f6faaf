"""pandas' arrays under their names: ``pandas.arrays``."""

from __future__ import annotations

from typing import Any

__all__: list[str] = []


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import pandas as pd

    return getattr(pd.arrays, name)
