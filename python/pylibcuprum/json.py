"""Parts of JSON texts."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.utils import CudaStreamLike

__all__ = ["GetJsonObjectOptions", "get_json_object"]


class GetJsonObjectOptions:
    """Options of `get_json_object`.

    Parameters
    ----------
    allow_single_quotes : bool, default False
        Whether strings may stand in single quotes, too.
    strip_quotes_from_single_strings : bool, default True
        Whether a result that is one string has no quotes around it.
    missing_fields_as_nulls : bool, default False
        Whether an object without the wanted field has ``null`` in its place.

    Examples
    --------
    >>> options = GetJsonObjectOptions(allow_single_quotes=True)
    >>> texts = Column.from_iterable_of_py(["{'a': 'x'}"])
    >>> get_json_object(texts, Scalar.from_py("$.a"), options).to_pylist()
    ['x']
    """

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
        """Return whether strings may stand in single quotes, too.

        Returns
        -------
        bool
            False unless it was set.

        Examples
        --------
        >>> GetJsonObjectOptions().get_allow_single_quotes()
        False
        """
        return self._allow_single_quotes

    def get_strip_quotes_from_single_strings(self) -> bool:
        """Return whether a result that is one string has no quotes around it.

        Returns
        -------
        bool
            True unless it was set.

        Examples
        --------
        >>> GetJsonObjectOptions().get_strip_quotes_from_single_strings()
        True
        """
        return self._strip_quotes_from_single_strings

    def get_missing_fields_as_nulls(self) -> bool:
        """Return whether an object without the wanted field has ``null`` in its place.

        Returns
        -------
        bool
            False unless it was set.

        Examples
        --------
        >>> GetJsonObjectOptions().get_missing_fields_as_nulls()
        False
        """
        return self._missing_fields_as_nulls

    def set_allow_single_quotes(self, val: bool) -> None:
        """Set whether strings may stand in single quotes, too.

        Parameters
        ----------
        val : bool
            The new setting.

        Examples
        --------
        >>> options = GetJsonObjectOptions()
        >>> options.set_allow_single_quotes(True)
        >>> options.get_allow_single_quotes()
        True
        """
        self._allow_single_quotes = val

    def set_strip_quotes_from_single_strings(self, val: bool) -> None:
        """Set whether a result that is one string has no quotes around it.

        Parameters
        ----------
        val : bool
            The new setting.

        Examples
        --------
        >>> options = GetJsonObjectOptions()
        >>> options.set_strip_quotes_from_single_strings(False)
        >>> options.get_strip_quotes_from_single_strings()
        False
        """
        self._strip_quotes_from_single_strings = val

    def set_missing_fields_as_nulls(self, val: bool) -> None:
        """Set whether an object without the wanted field has ``null`` in its place.

        Parameters
        ----------
        val : bool
            The new setting.

        Examples
        --------
        >>> options = GetJsonObjectOptions()
        >>> options.set_missing_fields_as_nulls(True)
        >>> options.get_missing_fields_as_nulls()
        True
        """
        self._missing_fields_as_nulls = val


def get_json_object(
    col: Column,
    json_path: Scalar,
    options: GetJsonObjectOptions | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return the part of each JSON text that a JSONPath names.

    Parameters
    ----------
    col : Column
        Texts of JSON.
    json_path : Scalar
        JSONPath of ``$``, ``.name``, ``['name']``, ``[0]`` and ``[*]``.
    options : GetJsonObjectOptions, optional
        Quotes and missing fields; see there for the defaults.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        STRING, null where nothing is named, the text is no JSON, or it is null. Several parts are an array.

    Raises
    ------
    ValueError
        For a path that is none.

    Examples
    --------
    >>> texts = Column.from_iterable_of_py(['{"a": [1, "x"]}', "{}", None])
    >>> get_json_object(texts, Scalar.from_py("$.a[1]")).to_pylist()
    ['x', None, None]
    >>> records = Column.from_iterable_of_py(['[{"a": 1}, {"b": 2}]'])
    >>> options = GetJsonObjectOptions(missing_fields_as_nulls=True)
    >>> get_json_object(records, Scalar.from_py("$[*].a"), options).to_pylist()
    ['[1,null]']
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
