"""Accessors of users: classes that are made of a frame, a series or an index, under a name of their own."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from cuprum.core import objects
from cuprum.core.stack_level import frames_to_caller

__all__ = ["register_dataframe_accessor", "register_index_accessor", "register_series_accessor"]

_Class = TypeVar("_Class", bound=type)


class _Registered:
    """The attribute of a class: for an object what is made of it, each time as in pandas 3."""

    def __init__(self, made_of: type) -> None:
        self._made_of = made_of

    def __get__(self, obj: Any, kind: type | None = None) -> Any:
        return self._made_of if obj is None else self._made_of(obj)


def _register(kind: type, name: Any) -> Callable[[_Class], _Class]:
    if not isinstance(name, str) or not name.isidentifier():
        raise ValueError(f"`name` is {name!r}, which is no identifier: an accessor is an attribute")

    def registered(accessor: _Class) -> _Class:
        if hasattr(kind, name):
            warnings.warn(
                f"registration of accessor {accessor!r} under name {name!r} for type {kind!r} is overriding a "
                "preexisting attribute with the same name.",
                UserWarning,
                stacklevel=frames_to_caller(),
            )
        setattr(kind, name, _Registered(accessor))
        return accessor

    return registered


def register_dataframe_accessor(name: str) -> Callable[[_Class], _Class]:
    """Register a class as an accessor of frames, an attribute that is made of each frame.

    The object is made again each time that the attribute is asked for.

    Parameters
    ----------
    name : str
        The name of the attribute, an identifier.

    Returns
    -------
    callable
        A decorator of the class, which is called with the frame.

    Raises
    ------
    ValueError
        If ``name`` is no identifier.

    Notes
    -----
    A ``UserWarning`` tells that frames already have an attribute of that name, which is replaced.

    Examples
    --------
    >>> import cuprum
    >>> @cuprum.api.extensions.register_dataframe_accessor("corners")
    ... class Corners:
    ...     def __init__(self, df):
    ...         self._df = df
    ...
    ...     def first(self):
    ...         return int(self._df.iloc[0, 0])
    >>> cuprum.DataFrame({"a": [3, 1], "b": [2, 4]}).corners.first()
    3
    """
    return _register(objects.DataFrame, name)


def register_series_accessor(name: str) -> Callable[[_Class], _Class]:
    """Register a class as an accessor of series, an attribute that is made of each series.

    The object is made again each time that the attribute is asked for.

    Parameters
    ----------
    name : str
        The name of the attribute, an identifier.

    Returns
    -------
    callable
        A decorator of the class, which is called with the series.

    Raises
    ------
    ValueError
        If ``name`` is no identifier.

    Notes
    -----
    A ``UserWarning`` tells that series already have an attribute of that name, which is replaced.

    Examples
    --------
    >>> import cuprum
    >>> @cuprum.api.extensions.register_series_accessor("span")
    ... class Span:
    ...     def __init__(self, s):
    ...         self.length = int(s.max() - s.min())
    >>> cuprum.Series([3, 1, 8]).span.length
    7
    """
    return _register(objects.Series, name)


def register_index_accessor(name: str) -> Callable[[_Class], _Class]:
    """Register a class as an accessor of indexes, an attribute that is made of each index.

    The object is made again each time that the attribute is asked for.

    Parameters
    ----------
    name : str
        The name of the attribute, an identifier.

    Returns
    -------
    callable
        A decorator of the class, which is called with the index.

    Raises
    ------
    ValueError
        If ``name`` is no identifier.

    Notes
    -----
    A ``UserWarning`` tells that indexes already have an attribute of that name, which is replaced.

    Examples
    --------
    >>> import cuprum
    >>> @cuprum.api.extensions.register_index_accessor("gaps")
    ... class Gaps:
    ...     def __init__(self, index):
    ...         self.between = index[1:].to_numpy() - index[:-1].to_numpy()
    >>> cuprum.Index([1, 2, 5]).gaps.between.tolist()
    [1, 3]
    """
    return _register(objects.Index, name)
