"""The columns that `DataFrame.select_dtypes` selects by a type, a name of a kind, or a list of them."""

from __future__ import annotations

import re
from typing import Any

from cuprum._cuprum import DType
from cuprum.core import objects
from cuprum.core.arguments import is_list_like
from cuprum.core.dtypes import CategoricalDtype

__all__ = ["check_types", "places_of_types"]

_NUMPY_TEXTS = re.compile(r"^[<>=|]?[US]\d+$|^<class 'numpy\.(str|bytes)_'>$")
_TIMES_IN_UNITS = re.compile(r"[<>=|]?(datetime64|timedelta64)\[(\w+)\]")


def places_of_types(dtypes: list[Any], include: Any, exclude: Any) -> list[int]:
    """Return the places of the types that are included, all if nothing says which, and not excluded."""
    include, exclude = _types(include), _types(exclude)
    if not include and not exclude:
        raise ValueError("at least one of include or exclude must be nonempty")
    for wanted in (*include, *exclude):
        _refuse_what_no_column_is(wanted)
    wanted, unwanted = (
        {repr(of) if _has_categories(of) else _known_as(of) for of in types} for types in (include, exclude)
    )
    if both := wanted & unwanted:
        raise ValueError(f"include and exclude overlap on {', '.join(sorted(both))}")
    known: dict[Any, bool] = {}

    def is_selected(dtype: Any) -> bool:
        if dtype not in known:
            is_included = not include or any(_is_type(dtype, t) for t in include)
            known[dtype] = is_included and not any(_is_type(dtype, t) for t in exclude)
        return known[dtype]

    return [i for i, dtype in enumerate(dtypes) if is_selected(dtype)]


def _types(types: Any) -> list[Any]:
    if types is None:
        return []
    return list(types) if is_list_like(types) and not hasattr(types, "kind") else [types]


def _refuse_what_no_column_is(wanted: Any) -> None:
    """Fail for what `select_dtypes` is asked for that is the type of no column."""
    text = wanted if isinstance(wanted, str) else str(wanted)
    if text in ("U", "S") or _NUMPY_TEXTS.search(text):
        raise TypeError("numpy string dtypes are not allowed, use 'str' or 'object' instead")
    unit = _TIMES_IN_UNITS.fullmatch(text)
    if unit and unit[2] not in ("s", "ms", "us", "ns"):
        raise ValueError(
            f"{text!r} is not a supported datetime64/timedelta64 resolution; pass 's', 'ms', 'us', 'ns', or "
            f"{unit[1]!r}"
        )
    if text.startswith("interval[") and isinstance(wanted, str) and "," not in text:
        raise ValueError(
            f"{text!r} does not name a specific dtype; pass 'closed' too, or 'interval' to select every interval column"
        )
    if getattr(wanted, "ordered", False) and getattr(wanted, "categories", ...) is None:
        raise ValueError("a CategoricalDtype spec giving 'ordered' must give categories too")


def _has_categories(wanted: Any) -> bool:
    return not isinstance(wanted, type) and getattr(wanted, "categories", None) is not None


def _known_as(wanted: Any) -> str:
    """Return what a type or a class of types is called."""
    name = wanted if isinstance(wanted, str) else getattr(wanted, "__name__", str(wanted))
    return _CLASSES.get(name, name)


_CLASSES = {
    "CategoricalDtype": "category",
    "DatetimeTZDtype": "datetimetz",
    "IntervalDtype": "interval",
    "StringDtype": "string",
    "object_": "object",
    "int": "int64",
    "float": "float64",
}


def _is_type(dtype: Any, wanted: Any) -> bool:
    """Whether a type is what `select_dtypes` calls ``wanted``."""
    name = _known_as(wanted)
    categories = isinstance(dtype, CategoricalDtype)
    if name == "category":
        return categories and (not _has_categories(wanted) or dtype == wanted)
    if name == "datetimetz":
        return dtype.kind == "M" and dtype.tz is not None
    if name == "interval":
        return str(dtype).startswith("interval")
    if wanted is int or wanted is float or (isinstance(wanted, str) and wanted in ("int", "float")):
        return dtype == DType(name) or dtype == DType(name.replace("64", "32"))  # as in pandas
    kinds = {
        # Durations are numbers, as in pandas.
        "number": "iufm",
        "integer": "iu",
        "signedinteger": "i",
        "unsignedinteger": "u",
        "floating": "f",
        "datetime": "M",
        "datetime64": "M",
        "timedelta": "m",
        "timedelta64": "m",
        "object": "O",
        "string": "O",
    }
    if name in kinds:
        of_zone = dtype.kind == "M" and dtype.tz is not None
        return dtype.kind in kinds[name] and not categories and not of_zone
    return dtype == DType(wanted)


def check_types(include: Any, exclude: Any) -> None:
    """Fail for an argument that is no type by which ``describe`` of a frame chooses columns."""
    for chosen in (include, exclude):
        if chosen is not None and not (isinstance(chosen, str) and chosen == "all"):
            objects.DataFrame({"": [0]}).select_dtypes(chosen)
