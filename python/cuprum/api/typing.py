"""The classes of intermediate results, for annotations: what `groupby`, `resample`, `rolling` and their kin return.

>>> import cuprum
>>> from cuprum.api.typing import DataFrameGroupBy
>>> isinstance(cuprum.DataFrame({"k": [1, 1], "x": [2, 3]}).groupby("k"), DataFrameGroupBy)
True
"""

from typing import TYPE_CHECKING

from cuprum.core.groupby.groupby import DataFrameGroupBy, SeriesGroupBy
from cuprum.core.groupby.grouper import Grouper as TimeGrouper
from cuprum.core.groupby.resample import Resampler
from cuprum.core.window.ewm import ExponentialMovingWindow
from cuprum.core.window.ewm import ExponentialMovingWindowGroupby as ExponentialMovingWindowGroupBy
from cuprum.core.window.rolling import Expanding, Rolling
from cuprum.core.window.rolling import ExpandingGroupby as ExpandingGroupBy
from cuprum.core.window.rolling import RollingGroupby as RollingGroupBy
from cuprum.core.window.weighted import Window

if TYPE_CHECKING:
    from pandas.api.typing import NaTType, NAType

__all__ = [
    "DataFrameGroupBy",
    "Expanding",
    "ExpandingGroupBy",
    "ExponentialMovingWindow",
    "ExponentialMovingWindowGroupBy",
    "NAType",
    "NaTType",
    "Resampler",
    "Rolling",
    "RollingGroupBy",
    "SeriesGroupBy",
    "TimeGrouper",
    "Window",
]


def __getattr__(name: str) -> object:
    # Before a fork all modules of the package are imported, and pandas is not to be.
    if name in {"NAType", "NaTType"}:
        import pandas.api.typing

        return getattr(pandas.api.typing, name)
    raise AttributeError(f"module 'cuprum.api.typing' has no attribute '{name}'")
