"""Filters of readers: pyarrow's lists of conditions, as the readers of files and of partitions take them."""

from __future__ import annotations

import datetime
import decimal
from typing import Any, NamedTuple

from cuprum.core.arguments import is_list_like

__all__ = ["Condition", "conditions"]

_OPERATORS = ["==", "!=", "<", "<=", ">", ">=", "in", "not in"]

# Beyond the integers of every column; the readers take 128 bits.
_FAR = 1 << 126
_EPOCH = datetime.datetime(1970, 1, 1)


class Condition(NamedTuple):
    """A column, an operator, and what it is compared with: values, each behind the name of its kind."""

    column: str
    operator: str
    values: list[tuple[str, Any]]


def conditions(filters: Any) -> list[list[Condition]]:
    """Return filters as a list of alternatives, each a list of conditions that all have to hold.

    ``filters`` is a list of conditions ``(column, operator, value)``, or a list of such lists.
    """
    if isinstance(filters, (str, bytes)) or not is_list_like(filters):
        raise _malformed(filters)
    outer = list(filters)
    if outer and all(_is_condition(part) for part in outer):
        outer = [outer]
    if not outer or not all(
        is_list_like(part) and not isinstance(part, str) and list(part) for part in outer
    ):
        raise _malformed(filters)
    return [[_condition(part) for part in inner] for inner in outer]


def _malformed(filters: Any) -> ValueError:
    return ValueError(
        f"`filters` is {filters!r}; it is a list of conditions (column, operator, value), or a list of such lists"
    )


def _is_condition(part: Any) -> bool:
    return isinstance(part, (tuple, list)) and bool(part) and isinstance(part[0], str)


def _condition(part: Any) -> Condition:
    import numpy as np

    if not _is_condition(part) or len(part) != 3:
        raise ValueError(f"`filters` has {part!r}; a condition is (column, operator, value)")
    column, operator, value = part
    operator = "==" if isinstance(operator, str) and operator == "=" else operator
    if not isinstance(operator, str) or operator not in _OPERATORS:
        shown = ", ".join(repr(known) for known in ["=", *_OPERATORS])
        raise ValueError(f"`filters` has {part!r}: {operator!r} is not a valid operator; there are {shown}")
    if operator in ("in", "not in"):
        if isinstance(value, (str, bytes)) or not is_list_like(value):
            raise TypeError(f"`filters` has {part!r}: {operator!r} wants a list of values")
        values = list(
            value.tolist() if isinstance(value, np.ndarray) and value.dtype.kind not in "mM" else value
        )
    else:
        values = [value]
    return Condition(column, operator, [_value(one, part) for one in values])


def _value(value: Any, part: Any) -> tuple[str, Any]:
    """Return a value and the name of its kind."""
    import numpy as np

    import cuprum

    if isinstance(value, np.generic) and not isinstance(value, (np.datetime64, np.timedelta64)):
        value = value.item()
    if value is None or value is cuprum.NA or type(value).__name__ in ("NaTType", "NAType"):
        return "null", None
    if isinstance(value, bool):
        return "bool", value
    if isinstance(value, int):
        return "int", max(-_FAR, min(_FAR, value))
    if isinstance(value, float):
        return "float", value
    if isinstance(value, str):
        return "text", value
    if isinstance(value, (bytes, bytearray, memoryview)):
        return "bytes", bytes(value)
    if isinstance(value, decimal.Decimal):
        return _decimal(value)
    if isinstance(value, np.datetime64):
        return ("null", None) if np.isnat(value) else ("time", _nanoseconds(value))
    if isinstance(value, np.timedelta64):
        return ("null", None) if np.isnat(value) else ("duration", _nanoseconds(value))
    if isinstance(value, datetime.datetime):
        return _time(value)
    if isinstance(value, datetime.date):
        return "time", (value - _EPOCH.date()).days * 86_400_000_000_000
    if isinstance(value, datetime.timedelta):
        microseconds = value // datetime.timedelta(microseconds=1)
        return "duration", microseconds * 1000 + _rest(value)
    raise TypeError(f"`filters` has {part!r}: no column can be compared with {type(value).__name__}")


def _decimal(value: decimal.Decimal) -> tuple[str, Any]:
    if not value.is_finite():
        return "float", float(value)
    sign, digits, exponent = value.as_tuple()
    unscaled = int("".join(map(str, digits))) * (-1 if sign else 1)
    assert isinstance(exponent, int)
    if exponent > 0:
        unscaled, exponent = unscaled * 10 ** min(exponent, 40), 0
    if abs(unscaled) >= _FAR:
        # More digits than decimals of columns have: whole numbers, where it is one.
        if exponent == 0:
            return "int", _FAR if unscaled > 0 else -_FAR
        raise ValueError(f"`filters` has {value}, which has more digits than columns of decimals")
    return "decimal", (unscaled, -exponent)


def _time(value: datetime.datetime) -> tuple[str, int]:
    rest = _rest(value)
    if value.tzinfo is not None:
        kind = "instant"
        value = value.astimezone(datetime.UTC).replace(tzinfo=None)
    else:
        kind = "time"
    value = datetime.datetime(
        value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond
    )
    return kind, (value - _EPOCH) // datetime.timedelta(microseconds=1) * 1000 + rest


def _rest(value: Any) -> int:
    """Return the nanoseconds that pandas' times and durations have beyond microseconds."""
    return getattr(value, "nanosecond", getattr(value, "nanoseconds", 0))


def _nanoseconds(value: Any) -> int:
    import numpy as np

    unit, count = np.datetime_data(value.dtype)
    if unit in ("Y", "M"):
        value, unit, count = value.astype("datetime64[D]"), "D", 1
    sizes = {"W": 604_800, "D": 86_400, "h": 3600, "m": 60, "s": 1}
    if unit in sizes:
        size = sizes[unit] * 10**9
    elif unit in ("ms", "us", "ns"):
        size = {"ms": 10**6, "us": 1000, "ns": 1}[unit]
    else:
        raise TypeError(f"`filters` has {value!r}: its unit has no columns")
    return int(value.astype("int64")) * count * size
