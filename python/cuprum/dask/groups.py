"""Group-bys: each partition is grouped once for all its partial results, which merge without losing digits.

Dask's functions for that know pandas' groups and sum squares, from which variances come with the digits that
cancel lost. For frames of ours the partial results of a variance are the number of elements, their sum and the sum
of the squares of their distances from the mean (M2), which merge exactly (Chan et al.); all that are asked for are
one call of our ``agg``.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from dask.dataframe import groupby as of_pandas
from dask.dataframe.dask_expr import _groupby as expressions
from dask.dataframe.dask_expr._groupby import _concat
from dask.utils import get_default_shuffle_method, methodcaller

import cuprum

__all__ = ["asked_for", "chunk", "merge"]

# Aggregations that `agg` does for all columns at once.
_SIMPLE = frozenset({"sum", "count", "min", "max", "first", "last", "prod", "size"})


def asked_for(**given: Any) -> dict[str, Any]:
    """Return the arguments that are not None, which is how Dask says that nobody asked for them."""
    return {name: value for name, value in given.items() if value is not None}


def _grouped(frame: Any, kwargs: dict[str, Any]) -> Any:
    return of_pandas._groupby_raise_unaligned(frame, **asked_for(**kwargs))


def _sum_of_distances(grouped: Any, column: Any) -> Any:
    """Return M2 of each group: the sum of the squares of the distances from the mean."""
    of_column = grouped if column is None else grouped[column]
    counts = of_column.count()
    return of_column.var(ddof=0).fillna(0.0) * counts


def chunk(frame: Any, *by: Any, **kwargs: Any) -> Any:
    """Return the partial results of a partition, a column for each."""
    funcs = kwargs.pop("funcs")
    if by:
        kwargs["by"] = list(by)
    grouped = _grouped(frame, kwargs)
    made = {}
    together: dict[Any, list[tuple[Any, str]]] = {}
    for name, func, options in funcs:
        called = options.get("func")
        column = options.get("column")
        alone = column is None or not isinstance(frame, cuprum.DataFrame) or column not in frame.columns
        if func is of_pandas._compute_sum_of_squares and not alone:
            together.setdefault(column, []).append((name, "squares"))
        elif func is of_pandas._compute_sum_of_squares:
            made[name] = _sum_of_distances(grouped, column)
        elif (
            func is of_pandas._apply_func_to_column
            and isinstance(called, methodcaller)
            and called.method in _SIMPLE
            and not alone
        ):
            together.setdefault(column, []).append((name, called.method))
        else:
            result = func(grouped, **options)
            if isinstance(result, tuple):
                made |= {f"{name}-{i}": one for i, one in enumerate(result)}
            elif isinstance(result, cuprum.DataFrame):
                made.update({label: result[label] for label in result.columns})
            else:
                made[name] = result
    made |= _together(grouped, together)
    return cuprum.DataFrame({name: made[name] for name in _names(funcs, made)})


def _together(grouped: Any, wanted: dict[Any, list[tuple[Any, str]]]) -> dict[Any, Any]:
    """Return the partial results of columns by name, from one pass over the groups."""
    methods = {
        column: list(
            dict.fromkeys(
                part
                for _, method in asked
                for part in (("count", "var") if method == "squares" else (method,))
            )
        )
        for column, asked in wanted.items()
    }
    if not methods:
        return {}
    found = grouped.agg(methods)
    results = iter(found.iloc[:, i] for i in range(len(found.columns)))
    made = {}
    for column, asked in wanted.items():
        of_column = {method: next(results) for method in methods[column]}
        for name, method in asked:
            if method == "squares":
                made[name] = of_column["var"].fillna(0.0) * (of_column["count"] - 1)
            else:
                made[name] = of_column[method]
    return made


def _names(funcs: Any, made: dict[Any, Any]) -> list[Any]:
    known = [name for name, _, _ in funcs if name in made]
    return known + [name for name in made if name not in set(known)]


def _counterpart(kind: str, name: str, labels: list[Any]) -> Any:
    """Return the label of the number or the sum of elements that an M2 belongs to; labels end with a hash."""
    column = name.removeprefix("sum2-").rpartition("-")[0]
    found = [
        label
        for label in labels
        if isinstance(label, str)
        and label.startswith(f"{kind}-")
        and label[len(kind) + 1 :].rpartition("-")[0] == column
    ]
    if len(found) != 1:
        raise ValueError(f"the partial results {labels} do not say the {kind} that {name!r} belongs to")
    return found[0]


def merge(frame: Any, **kwargs: Any) -> Any:
    """Return the partial results of groups that have several."""
    funcs = kwargs["funcs"]
    labels = list(frame.columns)
    for name, _, _ in funcs:
        if isinstance(name, str) and name.startswith("sum2-"):
            count, total = (_counterpart(kind, name, labels) for kind in ("count", "sum"))
            frame = _with_distances(
                frame, name, count, total, {k: v for k, v in kwargs.items() if k != "funcs"}
            )
    return chunk(frame, **kwargs)


def _with_distances(frame: Any, squares: Any, count: Any, total: Any, by: dict[str, Any]) -> Any:
    """Return partial results whose M2 are about the mean of the whole group, so that their sum is the group's."""
    grouped = _grouped(frame, by)
    counts, totals = grouped[count].transform("sum"), grouped[total].transform("sum")
    own = frame[total].astype("float64") / frame[count]
    distance = (own - totals.astype("float64") / counts).fillna(0.0)
    frame = frame.copy(deep=False)
    frame[squares] = frame[squares] + frame[count] * distance**2
    return frame


def _variance(frame: Any, count: Any, squares: Any, ddof: int) -> Any:
    left = frame[count] - ddof
    return (frame[squares] / left.where(left > 0)).astype("float64")


def _finalize(
    frame: Any,
    aggregate_funcs: Any,
    finalize_funcs: Any,
    level: Any,
    sort: Any = False,
    arg: Any = None,
    columns: Any = None,
    is_series: bool = False,
    **kwargs: Any,
) -> Any:
    frame = merge(frame, funcs=aggregate_funcs, level=level, sort=sort, **kwargs)
    result = {}
    for name, func, options in finalize_funcs:
        if func in (of_pandas._finalize_var, of_pandas._finalize_std):
            made = _variance(frame, options["count_column"], options["sum2_column"], options.get("ddof", 1))
            result[name] = made if func is of_pandas._finalize_var else np.sqrt(made)
        else:
            result[name] = func(frame, **options)
    made = cuprum.DataFrame(result)
    if not len(result):
        made = made.set_axis(frame.index)
    if columns is not None and all(
        c in made.columns for c in (columns if isinstance(columns, list) else [columns])
    ):
        made = made[columns]
    if is_series and arg is not None and not isinstance(arg, (list, dict)) and made.ndim == 2:
        made = made[made.columns[0]]
    return made


# Keys that are columns of their own: Dask hands expressions to `groupby` of a frame without rows, to have errors early.

_begin_of_pandas = expressions.GroupBy.__init__


def _begin(
    groups: Any,
    obj: Any,
    by: Any,
    group_keys: bool = True,
    sort: Any = None,
    observed: Any = None,
    dropna: Any = None,
    slice: Any = None,
) -> None:
    cleaned = [
        expressions._clean_by_expr(obj, key) for key in (by if isinstance(by, (list, tuple)) else [by])
    ]
    if not _ours([obj._meta]) or not any(isinstance(key, expressions.Expr) for key in cleaned):
        _begin_of_pandas(groups, obj, by, group_keys, sort, observed, dropna, slice)
        return
    groups._slice, groups.sort, groups.dropna, groups.group_keys = slice, sort, dropna, group_keys
    groups.observed = True if observed is None else observed
    groups.by = cleaned
    groups.obj = obj
    if obj.ndim == 2 and slice is not None:
        asked = list(slice) if isinstance(slice, (list, tuple)) else [slice]
        labels = [key for key in cleaned if not isinstance(key, expressions.Expr)] + asked
        groups.obj = obj[[label for label in obj.columns if label in labels]]
    keys = [key._meta if isinstance(key, expressions.Expr) else key for key in cleaned]
    meta = groups.obj._meta.groupby(
        keys, group_keys=group_keys, **asked_for(sort=sort, observed=observed, dropna=dropna)
    )
    groups._meta = (
        meta if slice is None or obj.ndim == 1 else meta[list(slice) if isinstance(slice, tuple) else slice]
    )


expressions.GroupBy.__init__ = _begin


_Decomposed = expressions.DecomposableGroupbyAggregation


def _ours(inputs: Any) -> bool:
    return isinstance(inputs[0], (cuprum.DataFrame, cuprum.Series))


def _chunk(frame: Any, *by: Any, **kwargs: Any) -> Any:
    if not _ours([frame]):
        return of_pandas._groupby_apply_funcs(frame, *by, **kwargs)
    return chunk(frame, *by, **kwargs)


def _combine(cls: Any, inputs: Any, **kwargs: Any) -> Any:
    if not _ours(inputs):
        return of_pandas._groupby_apply_funcs(_concat(inputs), **kwargs)
    return merge(_concat(inputs), **kwargs)


def _aggregate(cls: Any, inputs: Any, **kwargs: Any) -> Any:
    if not _ours(inputs):
        return of_pandas._agg_finalize(_concat(inputs), **kwargs)
    return _finalize(_concat(inputs), **kwargs)


# Pickles find methods of classes by their names.
_combine.__name__, _aggregate.__name__ = "combine", "aggregate"
_Decomposed.chunk = staticmethod(_chunk)
_Decomposed.combine = classmethod(_combine)
_Decomposed.aggregate = classmethod(_aggregate)


# Groups' own var() and mean(): the columns are the partial results of the first kind, then of the next.


def _var_chunk(
    frame: Any, *by: Any, numeric_only: Any = None, observed: Any = None, dropna: Any = None
) -> Any:
    if not _ours([frame]):
        known = {} if numeric_only is None else {"numeric_only": numeric_only}
        return of_pandas._var_chunk(frame, *by, **known, **asked_for(observed=observed, dropna=dropna))
    if frame.ndim == 1:
        frame = frame.to_frame()
    grouped = of_pandas._groupby_raise_unaligned(frame, by=by, **asked_for(observed=observed, dropna=dropna))
    sums = grouped.sum(numeric_only=numeric_only is True)
    columns = list(sums.columns)
    counts = grouped[columns].count()
    squares = grouped[columns].var(ddof=0).fillna(0.0) * counts
    made = {label: sums[label] for label in columns}
    made |= {_SQUARES.format(i): squares[label] for i, label in enumerate(columns)}
    return cuprum.DataFrame(made | {_COUNTS.format(i): counts[label] for i, label in enumerate(columns)})


_SQUARES, _COUNTS = "__squares_{}__", "__count_{}__"


def _var_merge(frame: Any, levels: Any, sort: Any, observed: Any, dropna: Any) -> Any:
    by = asked_for(level=levels, sort=sort, observed=observed, dropna=dropna)
    for i, label in enumerate(list(frame.columns)[: len(frame.columns) // 3]):
        frame = _with_distances(frame, _SQUARES.format(i), _COUNTS.format(i), label, by)
    return _grouped(frame, by).sum()


def _var_combine(frame: Any, levels: Any, sort: Any = False, observed: Any = None, dropna: Any = None) -> Any:
    if not _ours([frame]):
        known = asked_for(observed=observed, dropna=dropna)
        return frame.groupby(level=levels, sort=sort, **known).sum()
    return _var_merge(frame, levels, sort, observed, dropna)


def _var_aggregate(
    frame: Any,
    levels: Any,
    ddof: int,
    sort: Any = False,
    numeric_only: Any = None,
    observed: Any = None,
    dropna: Any = None,
) -> Any:
    if not _ours([frame]):
        known = asked_for(numeric_only=numeric_only, observed=observed, dropna=dropna)
        return of_pandas._var_agg(frame, levels, ddof, sort, **known)
    frame = _var_merge(frame, levels, sort, observed, dropna)
    labels = list(frame.columns)[: len(frame.columns) // 3]
    made = {
        label: _variance(frame, _COUNTS.format(i), _SQUARES.format(i), ddof) for i, label in enumerate(labels)
    }
    return cuprum.DataFrame(made)


expressions.Var.chunk = staticmethod(_var_chunk)
expressions.Var.reduction_combine = staticmethod(_var_combine)
expressions.Var.reduction_aggregate = staticmethod(_var_aggregate)


# Dask hands `dropna=None` on, which keeps missing keys; what nobody asked for is left to `groupby`.


def _without_unasked(function: Any) -> Any:
    def called(frame: Any, *args: Any, **kwargs: Any) -> Any:
        if _ours([frame]):
            kwargs = {"observed": False, "dropna": True} | asked_for(**kwargs)
        return function(frame, *args, **kwargs)

    # Found by this name in the other processes.
    called = functools.wraps(function)(called)
    called.__module__ = __name__
    return called


_mean_chunk = _without_unasked(expressions._mean_chunk)
_mean_combine = _without_unasked(expressions._mean_combine)
_mean_agg = _without_unasked(expressions._mean_agg)
expressions.Mean.chunk = staticmethod(_mean_chunk)
expressions.Mean.reduction_combine = staticmethod(_mean_combine)
expressions.Mean.reduction_aggregate = staticmethod(_mean_agg)


# Functions of neighbouring rows: shuffles by way of files mix up the order of rows.

_Apply = expressions.GroupByApply
_OF_NEIGHBOURS = (expressions.GroupByBFill, expressions.GroupByFFill)


def _shuffle_method(expression: Any) -> Any:
    asked = expression.operand("shuffle_method")
    if not _ours([expression.frame._meta]):
        return asked
    if asked == "disk" and isinstance(expression, _OF_NEIGHBOURS):
        raise NotImplementedError(
            "`shuffle_method` is 'disk', which does not keep the order of rows that filling needs: use 'tasks' or 'p2p'"
        )
    return "tasks" if asked is None and get_default_shuffle_method() == "disk" else asked


_Apply.shuffle_method = property(_shuffle_method)


def _filled(frame: Any, keys: Any, key: Any, args: Any, what: str, **options: Any) -> Any:
    """Return a partition whose missing elements are those before or after them in their group."""
    own = options.pop("group_keys", True)
    by = {name: options.pop(name, None) for name in ("dropna", "observed")}
    groups = frame.groupby(keys, group_keys=own, **asked_for(**by))
    return getattr(groups[key] if key else groups, what)(*args, **options)


def _fill_function(expression: Any) -> Any:
    what = "ffill" if isinstance(expression, expressions.GroupByFFill) else "bfill"
    if not _ours([expression.frame._meta]):
        return functools.partial(expressions.groupby_slice_transform, func=expression.func)
    return functools.partial(_filled, what=what)


expressions.GroupByBFill.grp_func = property(_fill_function)
