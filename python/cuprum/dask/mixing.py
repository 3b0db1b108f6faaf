"""Collections of Cuprum and of pandas in one operation: an error that says what to do.

Rows of the two are hashed in different ways, and their partitions do not fit together.
"""

from __future__ import annotations

import functools
from typing import Any

import pandas as pd
from dask.dataframe.dask_expr import _concat, _expr, _groupby, _indexing, _merge, _merge_asof

from cuprum.dask.meta import KINDS

__all__ = ["check_one_backend"]


def check_one_backend(what: str, operands: Any) -> None:
    """Fail with ``TypeError`` where expressions of partitions of Cuprum meet those of pandas."""
    metas = [getattr(operand, "_meta", None) for operand in operands]
    ours = [meta for meta in metas if isinstance(meta, KINDS)]
    theirs = [meta for meta in metas if isinstance(meta, (pd.DataFrame, pd.Series, pd.Index))]
    if ours and theirs:
        raise TypeError(
            f"{what} has a {type(ours[0]).__name__} of Cuprum and a {type(theirs[0]).__name__} of pandas: bring both "
            "to one backend with to_backend('cuprum') or to_backend('pandas')"
        )


_aligned_of_pandas = _expr.are_co_aligned


def _are_co_aligned(*operands: Any) -> Any:
    check_one_backend("the operation", operands)
    return _aligned_of_pandas(*operands)


for _module in (_expr, _groupby, _indexing):
    _module.are_co_aligned = _are_co_aligned


def _checked(kind: Any, what: str, operands: Any) -> None:
    meta_of_pandas = kind._meta.func

    def meta(expression: Any) -> Any:
        check_one_backend(what, operands(expression))
        return meta_of_pandas(expression)

    kind._meta = functools.cached_property(meta)
    kind._meta.__set_name__(kind, "_meta")


_checked(_merge.Merge, "the join", lambda join: (join.left, join.right))
_checked(_merge_asof.MergeAsof, "merge_asof", lambda join: (join.left, join.right))
_checked(_concat.Concat, "concat", lambda concat: concat._frames)
