"""Elements replaced by others: replace."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.arguments import (
    is_list_like,
    plain_label,
)
from cuprum.core.chained_assignment import MIXING, warn_if_chained
from cuprum.core.label_positions import places_of
from cuprum.core.methods.elementwise import _or_none
from cuprum.core.missing import is_missing
from cuprum.core.mixed_types import objects_where_mixed
from cuprum.core.objects import wrap_series
from cuprum.core.patterns import Pattern, is_pattern

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame
    from cuprum.core.series import Series
    from cuprum.typing import (
        AnyFrame,
        AnySeries,
    )


@overload
def frame_replace(
    self: DataFrame, to_replace: Any = ..., value: Any = ..., *, inplace: Literal[True], regex: Any = ...
) -> None: ...
@overload
def frame_replace(
    self: AnyFrame, to_replace: Any = ..., value: Any = ..., *, inplace: bool = ..., regex: Any = ...
) -> AnyFrame: ...
@objects_where_mixed
def frame_replace(
    self: DataFrame,
    to_replace: Any = None,
    value: Any = ...,
    *,
    inplace: bool = False,
    regex: Any = False,
) -> Any:
    """Return the elements with some of them replaced by others.

    Parameters
    ----------
    to_replace : scalar, list, dict, Series or str, optional
        The elements to replace, as in `Series.replace`. A dict of dicts says it for some columns each; with a
        ``value``, a dict has columns and what is replaced in them.
    value : scalar, list, dict or Series, optional
        What stands in their place; a dict has columns and values.
    inplace : bool, default False
        Change this object and return None.
    regex : bool or pattern, default False
        Look for regular expressions in texts; they may be given here in the place of ``to_replace``.

    Returns
    -------
    DataFrame or None
        The same labels; columns that hold no such element keep their dtype. None with ``inplace=True``.

    Notes
    -----
    What is replaced by None is missing; the frame that is returned gives None for it in lists, dicts, rows
    and arrays, where all that is missing in a column was replaced so.

    Examples
    --------
    >>> import cuprum
    >>> df = cuprum.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    >>> df.replace({1: 10, "y": "z"})
        a  b
    0  10  x
    1   2  z
    >>> df.replace({"b": {"x": None}}).to_dict("list")
    {'a': [1, 2], 'b': [None, 'y']}
    >>> cuprum.DataFrame({"a": [1.5, None]}).replace({float("nan"): None}).to_dict("records")
    [{'a': 1.5}, {'a': None}]
    """
    if inplace is True and sys.getrefcount(self) <= MIXING:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].replace(…)')
    to_replace, regex = _looked_for(to_replace, regex)
    if isinstance(to_replace, objects.Series):
        to_replace = dict(to_replace.items())
    if isinstance(value, objects.Series):
        value = dict(value.items())
    by_column: dict[Any, tuple[Any, Any]] = {}
    if isinstance(to_replace, Mapping):
        nested = [isinstance(v, Mapping) for v in to_replace.values()]
        if any(nested):
            if not all(nested):
                raise TypeError(
                    "If a nested mapping is passed, all values of the top level mapping must be mappings"
                )
            by_column = {c: (pairs, value) for c, pairs in to_replace.items()}
        elif isinstance(value, Mapping):
            by_column = {c: (old, value[c]) for c, old in to_replace.items() if c in value}
        elif value is not ...:
            if is_list_like(value):
                raise TypeError("value argument must be scalar, dict, or Series")
            by_column = {c: (old, value) for c, old in to_replace.items()}
        else:
            return _replaced_each(self, lambda at: [(to_replace, ...)], regex, inplace)
    elif isinstance(value, Mapping):
        by_column = {c: (to_replace, new) for c, new in value.items()}
    else:
        return _replaced_each(self, lambda at: [(to_replace, value)], regex, inplace)
    labels = self._handle.labels()
    found = [(at, pair) for label, pair in by_column.items() for at in places_of(plain_label(label), labels)]
    return _replaced_each(self, lambda at: [pair for place, pair in found if place == at], regex, inplace)


def _replaced_each(self: DataFrame, requests: Any, regex: bool, inplace: bool) -> Any:
    """Return the columns with elements replaced: ``requests`` gives the pairs for the column at a position."""

    def replace(handle: Any) -> Any:
        columns = handle.columns()
        for at in range(len(columns)):
            for old, new in requests(at):
                found = wrap_series(handle.column_at(at)).replace(old, new, regex=regex)
                columns[at] = found._handle.column()
        return handle.with_columns(columns)

    return self._changed(replace, inplace)


@overload
def series_replace(
    self: Series, to_replace: Any = ..., value: Any = ..., *, inplace: Literal[True], regex: Any = ...
) -> None: ...
@overload
def series_replace(
    self: AnySeries, to_replace: Any = ..., value: Any = ..., *, inplace: bool = ..., regex: Any = ...
) -> AnySeries: ...
@objects_where_mixed
def series_replace(
    self: Series,
    to_replace: Any = None,
    value: Any = ...,
    *,
    inplace: bool = False,
    regex: Any = False,
) -> Any:
    """Return the elements with some of them replaced by others.

    Parameters
    ----------
    to_replace : scalar, list, dict, Series or str, optional
        The elements to replace: an element, a list of them, or a dict of elements and their replacements. With
        ``regex`` patterns.
    value : scalar or list, optional
        What stands in their place: one for all, or one for each of a list. Refused with a dict.
    inplace : bool, default False
        Change this object and return None.
    regex : bool or pattern, default False
        Look for regular expressions in texts; they may be given here in the place of ``to_replace``. Matches
        are replaced by a text, which may name groups (``\\1``), whole elements with a match by any other
        value.

    Returns
    -------
    Series or None
        The same labels; None with ``inplace=True``.

    Raises
    ------
    ValueError
        Without ``value`` and a dict, with both, and for lists of unlike lengths.

    Notes
    -----
    All are looked for in the elements as they were: ``{1: 2, 2: 1}`` swaps.

    Examples
    --------
    >>> import cuprum
    >>> cuprum.Series([1, 2, 3]).replace({1: 2, 2: 1}).to_list()
    [2, 1, 3]
    >>> cuprum.Series([1.0, None]).replace(float("nan"), 0).to_list()
    [1.0, 0.0]
    >>> cuprum.Series(["bat", "foo", "bar"]).replace(r"^ba(.)$", r"new \\1", regex=True).to_list()
    ['new t', 'foo', 'new r']
    """
    if inplace is True and sys.getrefcount(self) <= MIXING:
        warn_if_chained(self, 'assign the result: df["a"] = df["a"].replace(…)')
    to_replace, by_pattern = _looked_for(to_replace, regex)
    if isinstance(to_replace, objects.Series):
        to_replace = dict(to_replace.items())
    if isinstance(to_replace, Mapping):
        if value is not ...:
            raise ValueError("Series.replace cannot specify both a dict-like 'to_replace' and a 'value'")
        pairs = list(to_replace.items())
    elif value is ...:
        raise ValueError(
            "Series.replace must specify either 'value' or a dict-like 'to_replace'; "
            f"`to_replace` is {to_replace!r}"
        )
    elif is_list_like(to_replace):
        values = list(value) if is_list_like(value) else [value] * len(to_replace)
        if len(values) != len(to_replace):
            raise ValueError(
                f"Replacement lists must match in length. Expecting {len(to_replace)} got {len(values)}"
            )
        pairs = list(zip(to_replace, values, strict=True))
    else:
        if is_list_like(value):
            raise TypeError(f"`value` is a {type(value).__name__}, but `to_replace` is {to_replace!r}")
        pairs = [(to_replace, value)]
    patterns = [(old, new) for old, new in pairs if by_pattern and is_pattern(old) and old != ""]
    given, given_none = pairs, any(new is None for _, new in pairs)
    # All are looked for in the elements as they were: {1: 2, 2: 1} swaps.
    pairs = [(_or_none(old), _or_none(new)) for old, new in pairs if (old, new) not in patterns]

    def replace(handle: Any) -> Any:
        changed = _replaced_matches(wrap_series(handle), patterns)._handle if patterns else handle
        return changed.replace(pairs) if pairs else changed

    # As in pandas one element of texts and times is replaced by what is missing in their type.
    several = isinstance(to_replace, Mapping) or is_list_like(to_replace)
    if not given_none or not (several or self.dtype.kind in "biuf"):
        return self._changed(replace, inplace)

    def replace_by_none(handle: Any) -> Any:
        before, after = wrap_series(handle), wrap_series(replace(handle))
        of_missing = any(new is None and is_missing(old) for old, new in given)
        if not after.hasnans or (before.hasnans and not of_missing):
            return after._handle
        elements = [None if is_missing(element) else element for element in after.to_list()]
        return _cuprum.Series(Column.from_objects(elements), handle.name(), handle.index())

    return self._changed(replace_by_none, inplace)


def _looked_for(to_replace: Any, regex: Any) -> tuple[Any, bool]:
    """Return what `replace` looks for, and whether by regular expressions."""
    if callable(to_replace):
        raise TypeError(
            f"`to_replace` is a {type(to_replace).__name__}: give an element, a list, a dict or a pattern"
        )
    if isinstance(regex, bool):
        return to_replace, regex
    if to_replace is not None:
        raise ValueError("'to_replace' must be 'None' if 'regex' is not a bool")
    return regex, True


def _replaced_matches(series: Series, patterns: list[tuple[Any, Any]]) -> Any:
    """Return texts in which matches of regular expressions are replaced; other elements as they are."""
    column = series._handle.column()
    if column.categories() is not None:
        raise NotImplementedError("replace does not support `regex`=True for categories: rename_categories")
    if column.dtype != "str":
        return series
    known = [(Pattern(old, argument="to_replace"), new) for old, new in patterns]
    found = [series.str._tested("contains", old, True).fillna(False) for old, _ in known]
    for (old, new), is_found in zip(known, found, strict=True):
        if isinstance(new, str):
            series = series.str._substituted(old, new, -1).where(is_found, series)
        else:
            series = series.where(~is_found, _or_none(new))
    return series
