"""Text and values of other types."""

from pylibcuprum.strings.convert import (
    convert_booleans,
    convert_datetime,
    convert_fixed_point,
    convert_floats,
    convert_integers,
    convert_ipv4,
    convert_lists,
    convert_urls,
)

__all__ = [
    "convert_booleans",
    "convert_datetime",
    "convert_fixed_point",
    "convert_floats",
    "convert_integers",
    "convert_ipv4",
    "convert_lists",
    "convert_urls",
]
