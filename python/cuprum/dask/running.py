"""Running totals: what the rows before a partition come to, column by column.

Dask takes the last row of a frame as a series, where integers beside floats become floats. Of frames of ours it is
kept as a dict, so that each column keeps its dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dask.dataframe import methods
from dask.dataframe.dask_expr import _cumulative

import cuprum

__all__: list[str] = []

_last_of_pandas = _cumulative.TakeLast.operation


def _last(part: Any, skipna: bool = True) -> Any:
    if not isinstance(part, cuprum.DataFrame):
        return _last_of_pandas(part, skipna)
    return {i: _last_of_series(part.iloc[:, i], skipna) for i in range(len(part.columns))}


def _last_of_series(column: Any, skipna: bool) -> Any:
    present = column.dropna() if skipna else column
    return present.iloc[-1] if len(present) else None


class _Combined:
    """Combines a frame, or what rows before it come to, with what still earlier rows come to."""

    def __init__(self, of_pandas: Callable[[Any, Any], Any]) -> None:
        self.of_pandas = of_pandas

    def __call__(self, part: Any, before: Any) -> Any:
        if not isinstance(before, dict):
            return self.of_pandas(part, before)
        if isinstance(part, dict):
            return {i: self._value(part[i], value) for i, value in before.items()}
        columns = [part.iloc[:, i] for i in range(len(part.columns))]
        made = [self._value(column, before[i]) for i, column in enumerate(columns)]
        numbered = cuprum.DataFrame({str(i): column for i, column in enumerate(made)}, index=part.index)
        return numbered.set_axis(part.columns, axis=1)

    def _value(self, one: Any, before: Any) -> Any:
        if before is None or one is None:
            return one if before is None else before
        return self.of_pandas(one, before)


_cumulative.TakeLast.operation = staticmethod(_last)
for _kind, _of_pandas in (
    (_cumulative.CumSum, methods.cumsum_aggregate),
    (_cumulative.CumProd, methods.cumprod_aggregate),
    (_cumulative.CumMin, methods.cummin_aggregate),
    (_cumulative.CumMax, methods.cummax_aggregate),
):
    _kind.aggregate_operation = _Combined(_of_pandas)
