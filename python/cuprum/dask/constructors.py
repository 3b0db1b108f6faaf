"""Constructors that Dask asks for, as pandas' classes have them for subclasses: classes of results by their axes."""

from __future__ import annotations

from typing import Any

import cuprum
from cuprum.core.groupby.groupby import DataFrameGroupBy

__all__: list[str] = []


def _numbers(frame: Any) -> Any:
    """Return the columns of numbers and truth values."""
    kinds = {label: dtype.kind for label, dtype in frame.dtypes.items()}
    return frame[[label for label in frame.columns if kinds[label] in "iufb"]]


_MEMBERS: list[tuple[type, str, Any]] = [
    (cuprum.DataFrame, "_constructor", property(lambda _: cuprum.DataFrame)),
    (cuprum.DataFrame, "_constructor_sliced", property(lambda _: cuprum.Series)),
    (cuprum.Series, "_constructor", property(lambda _: cuprum.Series)),
    (cuprum.Series, "_constructor_expanddim", property(lambda _: cuprum.DataFrame)),
    (cuprum.DataFrame, "_get_numeric_data", _numbers),
    # The frame whose rows are grouped: Dask looks for the partial results of a `dd.Aggregation` among its columns.
    (DataFrameGroupBy, "obj", property(lambda groups: groups._frame)),
]
for _kind, _name, _member in _MEMBERS:
    setattr(_kind, _name, _member)
