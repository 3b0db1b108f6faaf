"""Text and values of other types."""

from pylibcuprum.strings.convert import (
    convert_booleans,
    convert_datetime,
    convert_fixed_point,
    convert_floats,
    convert_integers,
)

__all__ = [
    "convert_booleans",
    "convert_datetime",
    "convert_fixed_point",
    "convert_floats",
    "convert_integers",
]
