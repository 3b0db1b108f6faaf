"""Comparisons and membership of bytes, one by one: there are no kernels for them."""

from __future__ import annotations

import operator
from typing import Any

from cuprum._cuprum import Column, pandas_compatible
from cuprum.core.arguments import is_list_like
from cuprum.core.devices import on_host
from cuprum.core.missing import is_missing

__all__ = ["compared_bytes", "found_bytes", "is_bytes"]


def is_bytes(dtype: Any) -> bool:
    """Whether a type is that of columns of bytes."""
    return dtype.name == "binary"


def compared_bytes(series: Any, other: Any, op: str) -> Column | None:
    """Return what ``op`` says of bytes and of a scalar, or of as many elements; None where it orders other things.

    What is no bytes equals none. A missing element compares as False (``!=`` as True), unless
    ``mode.pandas_compatible`` is off.
    """
    elements = on_host(series, "comparison")._handle.column().to_pylist()
    others = list(other) if is_list_like(other) else [other] * len(elements)
    if len(others) != len(elements):
        raise ValueError(f"Lengths must match to compare: {len(elements)} and {len(others)}")
    function, missing = getattr(operator, op), (op == "ne") if pandas_compatible() else None
    found: list[bool | None] = []
    for element, one in zip(elements, others, strict=True):
        if element is None or is_missing(one):
            found.append(missing)
        elif isinstance(one, (bytes, bytearray)):
            found.append(function(element, bytes(one)))
        elif op in ("eq", "ne"):
            found.append(op == "ne")
        else:
            return None
    return Column.from_scalars(found, "bool")


def found_bytes(series: Any, values: Any) -> Column:
    """Return whether elements are among some values; a missing one is where they have one."""
    known = {None if is_missing(value) else value for value in values}
    elements = on_host(series, "isin")._handle.column().to_pylist()
    return Column.from_scalars([element in known for element in elements], "bool")
