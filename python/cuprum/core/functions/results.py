"""Results of Python functions as columns; mappings that stand for functions."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from cuprum import _cuprum
from cuprum._cuprum import Column
from cuprum.core import objects
from cuprum.core.construction import column_from, elements_from
from cuprum.core.interop import to_numpy

__all__ = [
    "column_of_results",
    "column_of_values",
    "columns_across",
    "like_elements",
    "look_up",
    "mapping_series",
]


# Types that are scalars in any case.
_SCALARS = {int, float, str, bool, type(None)}


def column_of_results(results: list[Any]) -> Column:
    """Return what a function returned as a column of the type that holds all of it."""
    for result in results if not {*map(type, results)} <= _SCALARS else ():
        if isinstance(result, (objects.Series, objects.DataFrame)):
            raise NotImplementedError(
                f"a function returned a {type(result).__name__}, but results are one value each, or a list"
            )
    return elements_from(results)


def column_of_values(values: list[Any]) -> Column:
    """Return what a function returned as a column: lists and arrays as lists, dicts of the same keys as structs."""
    import numpy as np

    if {*map(type, values)} <= _SCALARS:
        return elements_from(values)
    values = [value.tolist() if isinstance(value, np.ndarray) and value.ndim else value for value in values]
    if all(isinstance(value, dict) for value in values) and len({tuple(value) for value in values}) == 1:
        are_fields = all(isinstance(name, str) for name in values[0])
        return column_from(values) if are_fields else column_of_results(values)
    return column_of_results(values)


def like_elements(results: Column, elements: Column) -> Column:
    """Return results as the type of the elements, where it is of the same kind and has all of them."""
    categories, given = elements.categories(), _cuprum.Series(results)
    if categories is not None:
        if categories[0].dtype != results.dtype and results.null_count() < len(results):
            return results
        coded = given.astype(elements.dtype).column()
        return coded if coded.null_count() == results.null_count() else results
    kinds = results.dtype.kind, elements.dtype.kind
    if kinds[1] in "mM" and results.null_count() == len(results):
        return given.astype(elements.dtype).column()
    alike = (kinds[0] in "iu" and kinds[1] in "iu") or (kinds[0] == kinds[1] and kinds[0] in "fmM")
    if not alike or results.dtype == elements.dtype:
        return results
    try:
        cast = given.astype(elements.dtype)
    except (OverflowError, ValueError):
        return results
    return cast.column() if _same(given, cast, kinds[0]) else results


def _same(given: Any, cast: Any, kind: str) -> bool:
    """Whether elements are what they were before they were cast: floats, as in pandas, to some digits."""
    if kind != "f":
        return given.equals(cast.astype(given.dtype()))
    import numpy as np

    before, after = (to_numpy(one.column(), "float64") for one in (given, cast))
    return np.allclose(after, before, rtol=0, atol=5e-4, equal_nan=True)


def columns_across(values: list[Any], count: int) -> list[Column]:
    """Return the elements of series of ``count`` each as columns: the first ones, the second ones, …"""
    import numpy as np

    dtypes = {str(value.dtype) for value in values if value is not None}
    if all(isinstance(value, objects.Series) for value in values) and not dtypes & {"category", "object"}:
        kinds = {value.dtype.kind for value in values}
        parts = [value._handle for value in values]
        if len(dtypes) > 1 and kinds <= set("iufb"):
            common = np.result_type(*dtypes)
            parts = [part.astype(common) for part in parts]
        if len(dtypes) == 1 or kinds <= set("iufb"):
            every = _cuprum.concat_series(parts, True)
            start = np.arange(len(values), dtype="int64") * count
            return [every.take(column_from(start + i)).column() for i in range(count)]
    lists = [[None] * count if value is None else value.to_list() for value in values]
    return [column_of_results([one[i] for one in lists]) for i in range(count)]


def look_up(mapping: Mapping[Any, Any]) -> Any:
    """Return a function that gives what a mapping has or makes for a key, and leaves the mapping as it is.

    NaN stands for every missing number, lists for the tuples that keys are.
    """
    import numpy as np

    own: Any = copy(mapping)
    made = hasattr(type(mapping), "__missing__")

    def found(element: Any) -> Any:
        if isinstance(element, float) and element != element:
            element = np.nan
        elif isinstance(element, list):
            element = tuple(element)
        return own[element] if made else own.get(element, np.nan)

    return found


def mapping_series(mapping: Mapping[Any, Any], dtype: Any) -> Any:
    """Return the values of a mapping under its keys; an empty one has values of ``dtype``."""
    if hasattr(type(mapping), "__missing__"):
        raise NotImplementedError(
            f"a {type(mapping).__name__} makes values for keys that it has not: give a dict of those it has"
        )
    if not mapping:
        return objects.Series([], dtype=dtype)
    return objects.Series(list(mapping.values()), index=list(mapping))
