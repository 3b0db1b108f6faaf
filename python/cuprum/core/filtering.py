"""`filter` of frames and series: rows or columns by a mask, or by what their labels are like."""

from __future__ import annotations

import re
from typing import Any
from warnings import warn

from cuprum.core import objects
from cuprum.core.arguments import axis_number, is_frame_like, is_list_like, is_mask, plain_labels
from cuprum.core.interop import is_pandas
from cuprum.core.missing import is_missing
from cuprum.core.pandas_col import is_deferred, resolved
from cuprum.core.stack_level import frames_to_caller

__all__ = ["filtered"]


def filtered(
    obj: Any, arg: Any, like: str | None, regex: str | None, axis: Any, items: Any, cond: Any, na: Any
) -> Any:
    """Return the rows or columns that a mask chooses, or the labels ``items``, or those that look as asked."""
    kind = type(obj).__name__
    given = sum(x is not None for x in (arg, items, cond, like, regex))
    if given > 1:
        raise TypeError(
            "The positional argument and the keyword arguments `items`, `cond`, `like`, and `regex` are mutually "
            "exclusive"
        )
    if given == 0 or like == "" or regex == "":
        raise TypeError("Must pass a positional argument or one of `items`, `cond`, `like`, or `regex`")
    if na is not True and na is not False and na != "raise":
        raise ValueError(f"na must be 'raise', True, or False, got {na!r}")
    if arg is not None:
        if callable(arg) or is_deferred(arg):
            cond = arg
        else:
            if _is_mask(arg):
                warn(
                    f"A list-like of booleans passed positionally to {kind}.filter selects labels. Pass cond=... to "
                    "filter with a boolean mask, or items=... to select labels without this warning.",
                    UserWarning,
                    stacklevel=frames_to_caller(),
                )
            if getattr(arg, "ndim", 1) > 1:
                raise ValueError(f"labels are of one dimension, not of {arg.ndim}: give a mask as `cond`")
            items = arg
    if cond is not None:
        return _by_mask(obj, cond, 0 if axis is None else axis_number(axis, kind), na)
    by_row = obj.ndim == 1 or (axis is not None and axis_number(axis, kind) == 0)
    if obj.ndim == 1 and axis is not None:
        axis_number(axis, kind)
    labels = obj.index.to_list() if by_row else obj._handle.labels()
    if items is not None:
        if not is_list_like(items):
            raise TypeError(f"Index(...) must be called with a collection of some kind, {items!r} was passed")
        # Missing labels equal each other.
        places = {_key(label): i for i, label in reversed(list(enumerate(labels)))}
        known = obj.index if by_row else obj.columns
        wanted = [
            label
            for label in dict.fromkeys(map(_key, plain_labels(items)))
            if label in places and (label is None or label in known)
        ]
        if len(places) < len(labels):
            raise ValueError("cannot reindex on an axis with duplicate labels")
        chosen = [places[label] for label in wanted]
    elif like is not None:
        chosen = [i for i, label in enumerate(labels) if like in str(label)]
    else:
        chosen = [i for i, label in enumerate(labels) if re.search(regex or "", str(label))]
    if by_row:
        return obj.iloc[chosen]
    return objects.wrap_frame(obj._handle.select_positions(chosen))


def _key(label: Any) -> Any:
    return None if is_missing(label) else label


def _by_mask(obj: Any, cond: Any, axis: int, na: Any) -> Any:
    """Return the rows or columns for which a mask, or what makes one of the object, is true."""
    kind = type(obj).__name__
    what = ""
    if is_deferred(cond):
        if obj.ndim == 1:
            raise TypeError("Expressions such as cuprum.col(...) are only supported by DataFrame.filter")
        if axis != 0:
            raise ValueError(
                f"Expressions such as cuprum.col(...) are only supported by {kind}.filter with axis=0, since they "
                "evaluate to a mask aligned with the index"
            )
        cond, what = resolved(cond, obj), "expression"
    elif callable(cond):
        cond, what = cond(obj), "callable"
    if not _is_mask(cond):
        raise TypeError(
            f"The {what} passed to {kind}.filter must evaluate to a one-dimensional boolean mask"
            if what
            else f"cond passed to {kind}.filter must be a one-dimensional boolean mask"
        )
    if getattr(cond, "ndim", 1) != 1:
        raise ValueError(f"The mask passed to {kind}.filter must be one-dimensional")
    mask = objects.Series(cond, dtype="bool")
    if mask.isna().any():
        if na == "raise":
            raise ValueError("The mask contains missing values")
        mask = mask.fillna(na)
    key = mask if isinstance(cond, objects.Series) or is_pandas(cond, "Series") else mask.to_list()
    return obj.loc[:, key] if axis == 1 else obj.loc[key]


def _is_mask(key: Any) -> bool:
    """Whether a list or an array has truth values and missing ones only."""
    if isinstance(key, (tuple, objects.DataFrame)) or is_frame_like(key):
        return False
    if not isinstance(key, list):
        if is_mask(key):
            return True
        if str(getattr(key, "dtype", "")) != "object" or getattr(key, "nlevels", 1) > 1:
            return False
    return len(key) > 0 and all(is_mask([one]) or is_missing(one) for one in key)
