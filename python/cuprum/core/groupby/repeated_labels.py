"""Groups of frames with columns of one label, which have labels of their own while they are computed."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from cuprum.core import objects
from cuprum.core.arguments import is_list_like, plain_label, plain_labels
from cuprum.core.groupby.groupby import DataFrameGroupBy, _GroupBy
from cuprum.core.label_positions import places_of
from cuprum.core.objects import set_handle, wrap_frame

__all__ = ["RepeatedGroupBy", "with_stand_ins"]

# Methods whose results have the columns of the frame, or several for each of them.
_BY_COLUMN = (
    ["sum", "prod", "min", "max", "mean", "median", "first", "last", "std", "var", "sem", "count", "nunique"]
    + ["any", "all", "quantile", "describe", "skew", "kurt", "ohlc", "idxmax", "idxmin"]
    + ["cumsum", "cumprod", "cummin", "cummax", "shift", "diff", "pct_change", "rank", "ffill", "bfill"]
    + ["transform"]
)


def with_stand_ins(frame: Any) -> tuple[Any, dict[str, Any]]:
    """Return a frame whose repeated labels are replaced by texts, and the label, or its last part, for each text."""
    handle, shown = frame._handle, {}
    labels = handle.labels()
    replaced = list(labels)
    for at, label in enumerate(labels):
        if len(places_of(label, labels)) > 1:
            text = f"\0column {at}"
            shown[text] = label[-1] if isinstance(label, tuple) else label
            replaced[at] = (*label[:-1], text) if isinstance(label, tuple) else text
    return wrap_frame(handle.with_labels(replaced, handle.level_names())), shown


class RepeatedGroupBy(DataFrameGroupBy[Any]):
    """Groups of a frame with repeated labels; ``_inner`` are the same groups of the frame with `with_stand_ins`."""

    __slots__ = ("_inner", "_own", "_shown")

    _inner: Any
    _own: list[Any]
    _shown: dict[str, Any]

    @classmethod
    def of(
        cls, groups: DataFrameGroupBy[Any], inner: DataFrameGroupBy[Any], shown: dict[str, Any]
    ) -> RepeatedGroupBy:
        """Return groups that compute with others; ``shown`` has what stands for which label."""
        made = cls.__new__(cls)
        for name in _GroupBy.__slots__:
            setattr(made, name, getattr(groups, name))
        made._inner, made._shown = inner, shown
        made._own = groups._whole._handle.labels()
        return made

    def _with_labels(self, result: Any) -> Any:
        """Return a result under the labels of the frame."""
        if not isinstance(result, objects.DataFrame):
            return result
        handle = result._handle

        def of(part: Any) -> Any:
            return self._shown.get(part, part) if isinstance(part, str) else part

        labels = [
            tuple(map(of, label)) if isinstance(label, tuple) else of(label) for label in handle.labels()
        ]
        return wrap_frame(handle.with_labels(labels, handle.level_names()))

    def _stand_ins(self, label: Any) -> list[Any]:
        """Return what stands for a label: itself, where it does not repeat."""
        places = places_of(label, self._own)
        known = self._inner._whole._handle.labels()
        return [known[at] for at in places] or [label]

    def __getitem__(self, key: Any) -> Any:
        labels = plain_labels(key) if is_list_like(key) and not isinstance(key, tuple) else [plain_label(key)]
        chosen = [one for label in labels for one in self._stand_ins(label)]
        if len(chosen) == len(labels) and not any(one in self._shown for one in chosen):
            return self._inner[key]
        groups = super().__getitem__(labels)
        return RepeatedGroupBy.of(groups, self._inner[chosen], self._shown)

    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Return aggregations of every group; see `DataFrameGroupBy.agg`."""
        if isinstance(func, Mapping):
            func = {one: f for label, f in func.items() for one in self._stand_ins(plain_label(label))}
        elif func is None:
            for pair in kwargs.values():
                if isinstance(pair, tuple) and len(self._stand_ins(pair[0])) > 1:
                    raise ValueError(f"column label {pair[0]!r} is not unique")
        return self._with_labels(self._inner.agg(func, *args, **kwargs))

    aggregate = agg

    def apply(self, func: Any, *args: Any, include_groups: bool = False, **kwargs: Any) -> Any:
        """Return the result of a function of each group; see `DataFrameGroupBy.apply`."""
        if not callable(func):
            return self._with_labels(self._inner.apply(func, *args, include_groups=include_groups, **kwargs))

        @functools.wraps(func)
        def of_labelled(group: Any, *args: Any, **kwargs: Any) -> Any:
            labelled = object.__new__(objects.GroupFrame)
            set_handle(labelled, self._with_labels(group)._handle)
            labelled.name = group.name
            return func(labelled, *args, **kwargs)

        return self._inner.apply(of_labelled, *args, include_groups=include_groups, **kwargs)


def _method(name: str) -> Any:
    @functools.wraps(getattr(DataFrameGroupBy, name))
    def method(self: RepeatedGroupBy, *args: Any, **kwargs: Any) -> Any:
        return self._with_labels(getattr(self._inner, name)(*args, **kwargs))

    return method


for _name in _BY_COLUMN:
    setattr(RepeatedGroupBy, _name, _method(_name))
