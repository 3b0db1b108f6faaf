"""Parts of JSON texts."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["GetJsonObjectOptions", "get_json_object"]


class GetJsonObjectOptions:
    """Options of `get_json_object`."""

    __slots__ = ("_allow_single_quotes", "_missing_fields_as_nulls", "_strip_quotes_from_single_strings")

    def __init__(
        self,
        *,
        allow_single_quotes: bool = False,
        strip_quotes_from_single_strings: bool = True,
        missing_fields_as_nulls: bool = False,
    ) -> None:
        self._allow_single_quotes = allow_single_quotes
        self._strip_quotes_from_single_strings = strip_quotes_from_single_strings
        self._missing_fields_as_nulls = missing_fields_as_nulls

    def get_allow_single_quotes(self) -> bool:
        """Return whether strings may stand in single quotes, too."""
        return self._allow_single_quotes

    def get_strip_quotes_from_single_strings(self) -> bool:
        """Return whether a result that is one string has no quotes around it."""
        return self._strip_quotes_from_single_strings

    def get_missing_fields_as_nulls(self) -> bool:
        """Return whether an object without the wanted field has ``null`` in its place."""
        return self._missing_fields_as_nulls

    def set_allow_single_quotes(self, val: bool) -> None:
        """Set whether strings may stand in single quotes, too."""
        self._allow_single_quotes = val

    def set_strip_quotes_from_single_strings(self, val: bool) -> None:
        """Set whether a result that is one string has no quotes around it."""
        self._strip_quotes_from_single_strings = val

    def set_missing_fields_as_nulls(self, val: bool) -> None:
        """Set whether an object without the wanted field has ``null`` in its place."""
        self._missing_fields_as_nulls = val


def get_json_object(
    col: Column,
    json_path: Scalar,
    options: GetJsonObjectOptions | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return what a JSONPath of ``$``, ``.name``, ``['name']``, ``[0]`` and ``[*]`` names in each text; null for nothing.

    A path that is none is a ValueError.
    """
    options = GetJsonObjectOptions() if options is None else options
    return _rust.get_json_object(
        col,
        json_path,
        options.get_allow_single_quotes(),
        options.get_strip_quotes_from_single_strings(),
        options.get_missing_fields_as_nulls(),
        stream,
        mr,
    )
