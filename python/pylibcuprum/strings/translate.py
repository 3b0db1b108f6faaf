"""Characters replaced one by one. Nulls stay null."""

from __future__ import annotations

from collections.abc import Mapping

from cuprum._cuprum import Column, DeviceMemoryResource, Stream
from cuprum._cuprum import _strings as _rust

__all__ = ["translate"]


def translate(
    input: Column,
    chars_table: Mapping[int | str, int | str],
    stream: Stream | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the characters that the table has replaced; 0 and empty texts remove them."""

    def character(key: int | str) -> str:
        return chr(key) if isinstance(key, int) else key

    def text(value: int | str) -> str:
        return "" if value == 0 else character(value)

    targets = [text(value) for value in chars_table.values()]
    return _rust.translate(input, [character(key) for key in chars_table], targets, stream, mr)
