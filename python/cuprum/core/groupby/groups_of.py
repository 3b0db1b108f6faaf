"""`groups_of`: the groups of a frame or series by keys, of the class that their keys and labels ask for."""

from __future__ import annotations

from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.groupby.groupby import DataFrameGroupBy, SeriesGroupBy
from cuprum.core.groupby.grouped import VALUES, Grouped, GroupsMadeBy
from cuprum.core.groupby.grouper import grouper_of
from cuprum.core.groupby.keys import keys_of, with_bins_as_columns
from cuprum.core.groupby.repeated_labels import RepeatedGroupBy, with_stand_ins
from cuprum.core.groupby.resample import grouped_by_bins
from cuprum.core.label_positions import are_repeated
from cuprum.core.objects import wrap_frame, wrap_series

__all__ = ["groups_of"]


def groups_of(
    target: Any,
    by: Any,
    level: Any,
    as_index: bool,
    sort: bool,
    dropna: bool,
    observed: bool,
    group_keys: bool = True,
) -> Any:
    """Return the result of ``groupby`` of a frame or series."""
    original, target = target, target._snapshot()
    alone = by[0] if isinstance(by, list) and len(by) == 1 else by
    grouper = grouper_of(alone) if level is None else None
    if grouper is not None and grouper.bins is not None:
        return grouped_by_bins(target, grouper, as_index, isinstance(by, list), group_keys)
    if grouper is not None and alone is by:
        sort, dropna = grouper.sort, grouper.dropna
    keys = keys_of(original, target, by, level)
    if any(isinstance(key, Column) and key.is_of_objects() for _, key in keys):
        # As groups by series of objects are: by pandas.
        each = by if isinstance(by, list) and len(by) == len(keys) and len(keys) > 1 else [by]
        given = [
            wrap_series(_cuprum.Series(key, kind, target._handle.index()))
            if isinstance(key, Column) and key.is_of_objects()
            else one
            for one, (kind, key) in zip(each, keys, strict=True)
        ]
        return original.groupby(
            given,
            as_index=as_index,
            sort=sort,
            group_keys=group_keys,
            observed=observed,
            dropna=dropna,
        )
    of_series = isinstance(target, objects.Series)
    if of_series and not as_index:
        raise TypeError("as_index=False only valid with DataFrame")
    label = VALUES
    table = wrap_frame(target._handle.to_frame(label)) if of_series else target
    keyed, own = with_bins_as_columns(target, by, table._handle, keys)
    made_by = GroupsMadeBy("groupby", keyed, (own, sort, as_index, dropna, observed))
    handle = made_by.groups()
    if keyed is not table._handle:
        handle = handle.with_frame(table._handle)
    grouped = Grouped(handle, table, original, made_by)
    if of_series:
        return SeriesGroupBy(
            grouped, keys, label, True, isinstance(by, list), target.name, group_keys, sort, observed
        )
    listed = isinstance(by, list)
    groups = DataFrameGroupBy(grouped, keys, None, as_index, listed, None, group_keys, sort, observed)
    if not are_repeated(handle.value_labels()):
        return groups
    frame, shown = with_stand_ins(target)
    inner: Any = groups_of(frame, by, level, as_index, sort, dropna, observed, group_keys)
    return RepeatedGroupBy.of(groups, inner, shown)
