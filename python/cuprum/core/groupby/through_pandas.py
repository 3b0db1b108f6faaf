"""Plots of groups: pandas draws them, of the frame as pandas has it in groups of the same rows."""

from __future__ import annotations

from typing import Any

from cuprum import _cuprum
from cuprum.core.objects import wrap_series

__all__ = ["FrameGroupsThroughPandas", "GroupsThroughPandas"]


class _OfPandas:
    """A method or an accessor of pandas' groups."""

    _name: str

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self.__doc__ = f"pandas' ``{name}``, of the groups as pandas has them."

    def __get__(self, groups: Any, kind: type | None = None) -> Any:
        return self if groups is None else getattr(groups._of_pandas(), self._name)


class GroupsThroughPandas:
    """The methods through pandas that groups of frames and of series share."""

    __slots__ = ()

    _frame: Any
    _group_keys: bool
    _handle: Any
    _keys: list[tuple[Any, Any]]
    _listed: bool
    _name: Any
    _selection: Any
    _sort: bool

    plot = _OfPandas()
    hist = _OfPandas()

    def _of_pandas(self) -> Any:
        """Return pandas' groups of the same rows, with the columns that are selected here."""
        numbers = self._numbers()  # type: ignore[attr-defined]
        present = numbers[numbers >= 0]
        of_series = self._selection == _VALUES
        frame = self._frame.to_pandas()
        rows = frame[_VALUES].rename(self._name) if of_series else frame
        keys = [self._key_of_pandas(frame, kind, key) for kind, key in self._keys]
        groups = rows.groupby(
            keys if self._listed else keys[0],
            sort=self._sort,
            group_keys=self._group_keys,
            # As far as it makes a difference: whether rows are in no group, and groups without rows.
            dropna=len(present) < len(numbers),
            observed=len(set(present.tolist())) == self._handle.num_groups(),
        )
        return groups if of_series or self._selection is None else groups[self._selection]

    def _key_of_pandas(self, frame: Any, kind: Any, key: Any) -> Any:
        """Return a key as pandas' groupby takes it: the name of a column or level, or a value for each row."""
        import pandas as pd

        if kind == "label":
            return key
        if kind == "level":
            return frame.index.get_level_values(key)
        if kind == "series":
            return wrap_series(key).to_pandas()
        if kind == "mapping":
            mapping = wrap_series(key).to_pandas()
            return pd.Series(frame.index.map(mapping), index=frame.index)
        values = wrap_series(_cuprum.Series(key, kind)).to_pandas()
        return values.set_axis(frame.index)


class FrameGroupsThroughPandas(GroupsThroughPandas):
    """The methods through pandas of groups of frames."""

    __slots__ = ()

    boxplot = _OfPandas()


# The label of a series' column in the frame that is grouped in its place.
_VALUES = "\0values"
