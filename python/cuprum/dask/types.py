"""Dtypes: casts of collections, where categories may not be known yet.

Dask marks categories that no partition has been asked for by a category of a name of its own. A cast to such a
dtype is one to whatever categories the elements of a partition have.
"""

from __future__ import annotations

import functools
from typing import Any

from dask.dataframe.dask_expr import _expr
from dask.dataframe.utils import UNKNOWN_CATEGORIES

import cuprum

__all__: list[str] = []

_cast_of_pandas = _expr.AsType.operation
_meta_of_pandas = _expr.AsType._meta.func


def _is_unknown(dtype: Any) -> bool:
    """Whether a dtype is categories that are not known."""
    if isinstance(dtype, str):
        return dtype == "category"
    if not isinstance(dtype, cuprum.CategoricalDtype):
        return getattr(dtype, "name", None) == "category" and getattr(dtype, "categories", None) is None
    categories = dtype.categories
    return categories is None or UNKNOWN_CATEGORIES in categories.to_list()


def _plain(dtype: Any) -> Any:
    return "category" if _is_unknown(dtype) else dtype


def _cast(part: Any, dtypes: Any, *args: Any, **kwargs: Any) -> Any:
    if isinstance(part, (cuprum.DataFrame, cuprum.Series, cuprum.Index)):
        asked = dtypes.items() if hasattr(dtypes, "items") else None
        dtypes = _plain(dtypes) if asked is None else {label: _plain(dtype) for label, dtype in asked}
    return _cast_of_pandas(part, dtypes, *args, **kwargs)


def _unknown(series: Any) -> Any:
    marked = cuprum.CategoricalDtype([UNKNOWN_CATEGORIES], False)
    return cuprum.Series([], dtype="str", name=series.name, index=series.index).astype(marked)


def _meta(expression: Any) -> Any:
    frame = expression.frame._meta
    dtypes = expression.operand("dtypes")
    if isinstance(frame, cuprum.DataFrame):
        asked = dict(dtypes.items()) if hasattr(dtypes, "items") else dict.fromkeys(frame.columns, dtypes)
        known = {label: dtype for label, dtype in asked.items() if not _is_unknown(dtype)}
        made = frame.astype(known)
        for label in asked.keys() - known.keys():
            made[label] = _unknown(made[label])
        return made
    if isinstance(frame, cuprum.Series):
        return _unknown(frame) if _is_unknown(dtypes) else frame.astype(dtypes)
    return _meta_of_pandas(expression)


_expr.AsType.operation = staticmethod(_cast)
_expr.AsType._meta = functools.cached_property(_meta)
_expr.AsType._meta.__set_name__(_expr.AsType, "_meta")
