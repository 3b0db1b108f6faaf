"""Frames and series one after the other, or side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack, overload

from cuprum import _cuprum
from cuprum.core import objects
from cuprum.core.arguments import axis_number, is_list_like, only_default, only_truth, plain_labels
from cuprum.core.attributes import with_common_attrs
from cuprum.core.index.levels import level_at
from cuprum.core.index.multiindex import MultiIndex
from cuprum.core.interop import is_pandas
from cuprum.core.label_construction import names_of
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import Wrapper, wrap_frame, wrap_series
from cuprum.core.subclasses import of_the_class_of_first

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cuprum.core.dataframe import DataFrame
    from cuprum.core.index.index import Index
    from cuprum.core.series import Series
    from cuprum.typing import Axis, ConcatOptions, FrameLike, RowAxis

__all__ = ["concat"]


@overload
def concat(
    objs: Iterable[DataFrame | None] | Mapping[Any, DataFrame],
    *,
    axis: Axis = ...,
    **options: Unpack[ConcatOptions],
) -> DataFrame: ...
@overload
def concat(
    objs: Iterable[Series | None] | Mapping[Any, Series],
    *,
    axis: RowAxis = ...,
    **options: Unpack[ConcatOptions],
) -> Series: ...
@overload
def concat(
    objs: Iterable[FrameLike | None] | Mapping[Any, FrameLike],
    *,
    axis: Axis = ...,
    **options: Unpack[ConcatOptions],
) -> DataFrame: ...
@overload
def concat(objs: Iterable[Index]) -> Index: ...
@of_the_class_of_first
@objects_where_mixed
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
    sort: bool | None = None,
    copy: bool | None = None,
) -> Any:
    """Concatenate frames and series one after the other or side by side.

    Parameters
    ----------
    objs : list-like or dict
        Frames and series; the keys of a dict are ``keys``. None is left out. As in cuDF, indexes alone are
        appended to each other.
    axis : 0, ``"index"``, 1 or ``"columns"``, default 0
        Whether objects stand one after the other, with columns matched by label, or side by side, with rows
        matched by label.
    join : ``"outer"`` or ``"inner"``, default ``"outer"``
        Whether to keep the labels of the other axis that any object has, or those that all have.
    ignore_index : bool, default False
        Whether labels of the axis become 0, 1, ….
    keys : list-like, optional
        A label for each object: an outer level of the labels of the axis, or several levels by tuples.
    levels : list of list-likes, optional
        The labels of each level that ``keys`` make, in their order, also those that are no key. Only of rows.
    names : list-like, optional
        Names of the levels that ``keys`` make, and of those below them.
    verify_integrity : bool, default False
        Whether a label of the axis that occurs twice is an error.
    sort : bool, optional
        Whether to sort the labels of the other axis where objects differ in them. Without it only times are
        sorted, with ``axis=1`` and ``join="outer"``.
    copy : bool, optional
        Accepted for compatibility with pandas; it changes nothing.

    Returns
    -------
    DataFrame, Series or Index
        A Series of series one after the other, else a frame. Elements are missing where an object has no such
        label.

    Raises
    ------
    ValueError
        If there is no object, or labels repeat with ``verify_integrity``.
    TypeError
        If ``objs`` is a single object, or has something else than frames and series.

    Examples
    --------
    >>> import cuprum
    >>> a, b = cuprum.DataFrame({"x": [1]}), cuprum.DataFrame({"x": [2], "y": ["q"]})
    >>> cuprum.concat([a, b], ignore_index=True)
       x    y
    0  1  NaN
    1  2    q
    >>> cuprum.concat([a, b], axis=1, keys=["a", "b"]).columns.to_list()
    [('a', 'x'), ('b', 'x'), ('b', 'y')]
    >>> cuprum.concat({"p": a["x"], "q": b["x"]})
    p  0    1
    q  0    2
    Name: x, dtype: int64
    """
    only_truth("concat", copy=copy)
    if levels is not None and axis_number(axis) == 1:
        raise NotImplementedError(
            "concat does not support `levels` with `axis`=1: labels of columns have no others"
        )
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
    if objs and all(isinstance(obj, objects.Index) for obj in objs):
        only_default(
            "concat of indexes",
            axis=(axis_number(axis), 0),
            join=(join, "outer"),
            ignore_index=(ignore_index, False),
            keys=(keys, None),
            names=(names, None),
            verify_integrity=(verify_integrity, False),
            sort=(sort or None, None),
        )
        return objs[0].append(objs[1:])
    if keys is not None:
        if names is None:
            names = None if isinstance(keys, objects.Series) else names_of(keys)
        keys = list(keys)
        if len(keys) != len(objs):
            raise ValueError(
                f"The length of the keys ({len(keys)}) must match the length of the objects to concatenate ({len(objs)})"
            )
        keys = [key for key, obj in zip(keys, objs, strict=True) if obj is not None]
    if levels is not None:
        _check_levels(keys, levels)
    given = [_known(obj) for obj in objs if obj is not None]
    by_rows = axis_number(axis) == 1
    if sort is None:
        sort = by_rows and join == "outer" and _are_unlike_times([obj._handle.index() for obj in given])
    handles = [obj._handle for obj in given]
    repeated = None if by_rows else _repeated_labels(handles)
    if repeated is not None:  # in the same places, by which the columns are matched
        handles = [handle.with_labels(list(range(len(repeated)))) for handle in handles]
    found = _cuprum.concat(
        handles,
        by_rows,
        join == "outer",
        ignore_index=bool(ignore_index),
        keys=None if keys is None else plain_labels(keys),
        names=None if names is None else list(names),
        sort=bool(sort),
        verify_integrity=bool(verify_integrity),
    )
    if repeated is not None:
        found = found.with_labels(repeated, given[0]._handle.level_names())  # type: ignore[union-attr]
    if levels is not None and not ignore_index:
        found = found.with_index(_with_levels(objects.wrap_index(found.index()), levels)._handle)
    if not by_rows and len(given) > 1 and (frequency := given[0]._handle.index().frequency()) is not None:
        # As in pandas, times go on being regular where the next ones follow.
        index = objects.wrap_index(found.index())
        if index.nlevels == 1 and index.dtype.kind in "mM":
            found = found.with_index(index._regular_as(frequency)._handle)
    result = wrap_frame(found) if isinstance(found, _cuprum.DataFrame) else wrap_series(found)
    return with_common_attrs(given, result)


def _repeated_labels(handles: list[Any]) -> list[Any] | None:
    """Return the labels that all of several frames have, where some of them repeat; else None."""
    if not handles or not all(isinstance(handle, _cuprum.DataFrame) for handle in handles):
        return None
    labels: list[Any] = handles[0].labels()
    if len(set(labels)) == len(labels) or any(handle.labels() != labels for handle in handles[1:]):
        return None
    return labels


def _check_levels(keys: Any, levels: Any) -> None:
    """Fail for levels that do not have the labels of all keys."""
    if keys is None:
        raise ValueError("`levels` supported only when keys is not None")
    for at, level in enumerate(levels):
        labels = objects.Index(level)
        if not labels.is_unique:
            raise ValueError(f"Level values not unique: {labels.to_list()}")
        for key in keys:
            part = key[at] if isinstance(key, tuple) else key
            if part not in labels:
                raise ValueError(f"Key {part} not in level {labels.to_list()} of `levels`")


def _with_levels(index: Any, levels: Any) -> Any:
    """Return an index of several levels with given labels in the first ones."""
    known = [objects.Index(level) for level in levels]
    codes = [level.get_indexer(level_at(index, at)) for at, level in enumerate(known)]
    return MultiIndex(
        levels=[*known, *index.levels[len(known) :]],
        codes=[*codes, *index.codes[len(known) :]],
        names=list(index.names),
    )


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


def _are_unlike_times(indexes: list[Any]) -> bool:
    """Whether all labels are times, and not the same."""
    return all(index.kind() == "M" for index in indexes) and not all(
        index.equals(indexes[0]) for index in indexes[1:]
    )
