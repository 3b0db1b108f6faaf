"""Joins: rows paired by equal keys, frames put side by side or one after the other; values as columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum._cuprum import DType
from cuprum.core import objects
from cuprum.core.arguments import (
    axis_number,
    is_frame_like,
    is_list_like,
    label_list,
    only_default,
    only_truth,
    plain_labels,
)
from cuprum.core.construction import names_of
from cuprum.core.interop import is_pandas
from cuprum.core.objects import Wrapper, wrap_frame, wrap_series
from cuprum.core.single_column_frame import OneDimensional

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["concat", "get_dummies", "join", "merge"]


def merge(
    left: Any,
    right: Any,
    how: str = "inner",
    on: Any = None,
    left_on: Any = None,
    right_on: Any = None,
    left_index: bool = False,
    right_index: bool = False,
    sort: bool = False,
    suffixes: Any = ("_x", "_y"),
    copy: bool | None = None,
    indicator: bool | str = False,
    validate: str | None = None,
) -> DataFrame:
    """Return the rows of both frames paired by equal keys; missing keys equal each other.

    Parameters
    ----------
    left, right
        The frames, or named Series.
    how
        ``'inner'``, ``'left'``, ``'right'`` (rows in the order of that side), ``'outer'`` (in the
        order of the keys), ``'cross'`` (every pair), ``'left_anti'`` and ``'right_anti'`` (of ``'left'``
        and ``'right'`` the rows without a match); ``'leftsemi'`` and ``'leftanti'`` (left rows with and
        without a match, with the left columns alone).
    on, left_on, right_on, left_index, right_index
        The keys: labels on both sides, on each, or the row labels; by default the columns that
        both have.
    suffixes
        Appended to labels that both sides have.
    indicator
        Adds the column ``_merge`` (or of that name): ``'left_only'``, ``'right_only'`` or ``'both'``.
    validate
        ``'1:1'``, ``'1:m'`` or ``'m:1'``: ``ValueError`` where keys repeat.
    """
    only_truth("merge", copy=copy)
    left, right = _frame_of(left, "left"), _frame_of(right, "right")
    if not is_list_like(suffixes) or len(suffixes) != 2:
        raise TypeError(f"Passing 'suffixes' as {suffixes!r} is not supported: give a pair of texts")
    given = {"on": (on, [left, right]), "left_on": (left_on, [left]), "right_on": (right_on, [right])}
    keys = [_keys(name, key, frames) for name, (key, frames) in given.items()]
    name = "_merge" if indicator is True else (indicator or None)
    return wrap_frame(
        left._handle.merge(
            right._handle,
            how,
            *keys,
            left_index=bool(left_index),
            right_index=bool(right_index),
            suffixes=tuple(suffixes),
            indicator=name,
            sort=bool(sort),
            validate=validate,
        )
    )


def _keys(argument: str, key: Any, frames: list[Any]) -> list[Any] | None:
    """Return the labels of the columns that are keys; fail for what pandas takes besides."""
    if key is None:
        return None
    parts = key if isinstance(key, list) else [key]
    if isinstance(key, OneDimensional) or any(
        getattr(part, "ndim", 0) or isinstance(part, list) for part in parts
    ):
        raise NotImplementedError(
            f"merge does not support arrays and Series as `{argument}`: give the labels of columns, which `assign` adds"
        )
    labels = label_list(key)
    for frame in frames:
        for label in labels:
            if not frame._handle.contains(label) and label in frame._handle.index().names():
                raise NotImplementedError(
                    f"merge does not support the index level {label!r} as `{argument}`: use left_index and "
                    "right_index, or reset_index"
                )
    return labels


def join(
    left: DataFrame,
    other: Any,
    on: Any = None,
    how: str = "left",
    lsuffix: str = "",
    rsuffix: str = "",
    sort: bool = False,
    validate: str | None = None,
    suffixes: Any = None,
) -> DataFrame:
    """Return the columns of other frames matched by row label, or by the columns ``on`` to their row labels.

    ``suffixes``, or ``lsuffix`` and ``rsuffix``, are appended to labels that both sides have.
    """
    if isinstance(other, (list, tuple)):
        if on is not None:
            raise ValueError("Joining multiple DataFrames only supported for joining on index")
        if lsuffix or rsuffix or suffixes is not None:
            raise ValueError("Suffixes not supported when joining multiple DataFrames")
        if how in ("inner", "outer") and all(one.index.is_unique for one in (left, *other)):
            return concat([left, *other], axis=1, join=how, sort=bool(sort))
        result = left
        for one in other:
            result = result.join(one, how=how, sort=sort, validate=validate)
        return result
    if suffixes is not None:
        lsuffix, rsuffix = suffixes
    right = _frame_of(other, "other")
    by_index = on is None
    return wrap_frame(
        left._handle.merge(
            right._handle,
            how,
            left_on=None if by_index else label_list(on),
            left_index=by_index,
            right_index=True,
            suffixes=(lsuffix or None, rsuffix or None),
            sort=bool(sort),
            validate=validate,
        )
    )


def concat(
    objs: Any,
    *,
    axis: Any = 0,
    join: str = "outer",
    ignore_index: bool = False,
    keys: Any = None,
    levels: Any = None,
    names: Any = None,
    verify_integrity: bool = False,
    sort: bool = False,
    copy: bool | None = None,
) -> Any:
    """Return frames or series one after the other, or side by side with ``axis=1``.

    Parameters
    ----------
    objs
        A list of frames and series, or a dict of them whose keys become ``keys``. None is left out.
    axis
        0: rows one after the other, columns matched by label. 1: side by side, rows matched by label.
    join
        ``'outer'`` keeps the labels of the other axis that any object has, missing where one has
        not; ``'inner'`` those that all have.
    ignore_index
        Labels of the axis become ``0, 1, …``.
    keys
        One label for each object: an outer level of the labels of the axis.
    names
        Names for the levels that ``keys`` makes, and for those below them; they name nothing without ``keys``.
    verify_integrity
        ``ValueError`` where a label of the axis occurs twice.

    Examples
    --------
    >>> import cuprum
    >>> a, b = cuprum.DataFrame({"x": [1]}), cuprum.DataFrame({"x": [2], "y": ["q"]})
    >>> concat([a, b], ignore_index=True)
       x    y
    0  1  NaN
    1  2    q
    """
    only_default("concat", levels=(levels, None))
    only_truth("concat", copy=copy)
    if join not in ("inner", "outer"):
        raise ValueError("Only can inner (intersect) or outer (union) join the other axis")
    if isinstance(objs, (Wrapper, str)) or not is_list_like(objs):
        raise TypeError(
            f'first argument must be an iterable of cuprum objects, you passed an object of type "{type(objs).__name__}"'
        )
    if isinstance(objs, Mapping):
        keys = list(objs) if keys is None else list(keys)
        objs = [objs[key] for key in keys]
    objs = list(objs)
    if keys is not None:
        if names is None:
            names = names_of(keys)
        keys = list(keys)
        if len(keys) != len(objs):
            raise ValueError(
                f"The length of the keys ({len(keys)}) must match the length of the objects to concatenate ({len(objs)})"
            )
        keys = [key for key, obj in zip(keys, objs, strict=True) if obj is not None]
    found = _cuprum.concat(
        [_known(obj)._handle for obj in objs if obj is not None],
        axis_number(axis) == 1,
        join == "outer",
        ignore_index=bool(ignore_index),
        keys=None if keys is None else plain_labels(keys),
        names=None if names is None else list(names),
        sort=bool(sort),
        verify_integrity=bool(verify_integrity),
    )
    return wrap_frame(found) if isinstance(found, _cuprum.DataFrame) else wrap_series(found)


def _known(obj: Any) -> Any:
    if isinstance(obj, Wrapper):
        return obj
    if is_pandas(obj, "DataFrame"):
        return objects.DataFrame(obj)
    if is_pandas(obj, "Series"):
        return objects.Series(obj)
    raise TypeError(
        f"cannot concatenate object of type '{type(obj)}'; only Series and DataFrame objs are valid"
    )


def _frame_of(obj: Any, argument: str) -> Any:
    """Return a frame for an argument that may be a named Series or pandas' kind."""
    if isinstance(obj, objects.DataFrame):
        return obj
    if is_frame_like(obj):
        return objects.DataFrame(obj)
    if is_pandas(obj, "Series"):
        obj = objects.Series(obj)
    if isinstance(obj, objects.Series):
        if obj.name is None:
            raise ValueError("Cannot merge a Series without a name")
        return obj.to_frame()
    raise TypeError(f"Can only merge Series or DataFrame objects, a {type(obj)} was passed as `{argument}`")


def get_dummies(
    data: Any,
    prefix: Any = None,
    prefix_sep: Any = "_",
    dummy_na: bool = False,
    columns: Any = None,
    sparse: bool = False,
    drop_first: bool = False,
    dtype: Any = None,
) -> Any:
    """Return a column of truth values for each different value, or for each category.

    Parameters
    ----------
    data
        A Series or a list-like, whose values name the columns; or a DataFrame, whose columns of texts and
        categories are replaced by such columns, after all others.
    prefix, prefix_sep
        What stands before the values in the names, and between them: texts, of a frame also a list of them
        or a dict of columns and texts. The columns' own names without it.
    dummy_na
        With a column for missing elements.
    columns
        The columns of a frame to replace, of any type.
    drop_first
        Without the first value.
    dtype
        The type of the columns: ``bool``, or one of numbers 0 and 1.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.get_dummies(cuprum.Series(["x", "y", "x"]), dtype="int8")
       x  y
    0  1  0
    1  0  1
    2  1  0
    """
    only_default("get_dummies", sparse=(sparse, False))
    options = (bool(drop_first), bool(dummy_na), DType("bool" if dtype is None else dtype))
    if is_pandas(data, "DataFrame"):
        data = objects.DataFrame(data)
    if not isinstance(data, objects.DataFrame):
        series = data if isinstance(data, objects.Series) else objects.Series(data)
        if prefix is None:
            return wrap_frame(series._handle.dummies(*options))
        handle = series._handle.to_frame(0)
        return wrap_frame(handle.dummies([(0, str(prefix))], [str(prefix_sep)], *options))
    handle = data._handle
    if columns is None:
        pairs = zip(handle.labels(), handle.dtypes(), strict=True)
        chosen = [label for label, kind in pairs if kind == "str" or kind.categories is not None]
    elif is_list_like(columns):
        chosen = plain_labels(columns)
    else:
        raise TypeError("Input must be a list-like for parameter `columns`")
    prefixes = _of_columns("prefix", chosen if prefix is None else prefix, chosen)
    separators = _of_columns("prefix_sep", prefix_sep, chosen)
    return wrap_frame(handle.dummies(list(zip(chosen, prefixes, strict=True)), separators, *options))


def _of_columns(argument: str, texts: Any, columns: list[Any]) -> list[str]:
    """Return one text for each column: the same for all, or those of a list or dict."""
    if isinstance(texts, str):
        return [texts] * len(columns)
    if not is_list_like(texts):
        raise TypeError(f"`{argument}` is {texts!r}; it is a text, a list of texts or a dict")
    if len(texts) != len(columns):
        raise ValueError(
            f"Length of '{argument}' ({len(texts)}) did not match the length of the columns being "
            f"encoded ({len(columns)})."
        )
    if isinstance(texts, Mapping):
        return [str(texts[label]) for label in columns]
    return [str(text) for text in texts]
