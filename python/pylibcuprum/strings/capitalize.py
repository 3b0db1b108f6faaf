"""Title case. Nulls stay null."""

from __future__ import annotations

from cuprum._cuprum import Column, DeviceMemoryResource, Scalar
from cuprum._cuprum import _strings as _rust
from pylibcuprum.strings.char_types import StringCharacterTypes
from pylibcuprum.utils import CudaStreamLike

__all__ = ["capitalize", "is_title", "title"]


def capitalize(
    input: Column,
    delimiters: Scalar | None = None,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with its first character in title case and the others in lower case.

    Parameters
    ----------
    input : Column
        Texts.
    delimiters : Scalar, optional
        An empty text; others, after which characters would be capitalized too, are refused.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    Raises
    ------
    NotImplementedError
        For ``delimiters`` other than an empty text.

    Examples
    --------
    >>> capitalize(Column.from_iterable_of_py(["hELLO world", None])).to_pylist()
    ['Hello world', None]
    """
    return _rust.capitalize(input, delimiters, stream, mr)


def title(
    input: Column,
    sequence_type: StringCharacterTypes = StringCharacterTypes.ALPHA,
    stream: CudaStreamLike | None = None,
    mr: DeviceMemoryResource | None = None,
) -> Column:
    """Return each text with the first character of every word in title case and the others in lower case.

    Parameters
    ----------
    input : Column
        Texts.
    sequence_type : StringCharacterTypes, default StringCharacterTypes.ALPHA
        Characters that words are runs of: letters (``ALPHA``), or letters that have an upper and a lower case
        (``CASE_TYPES``).
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        As many texts; null for nulls.

    Raises
    ------
    NotImplementedError
        For another ``sequence_type``.

    Examples
    --------
    >>> title(Column.from_iterable_of_py(["new york"])).to_pylist()
    ['New York']

    >>> title(Column.from_iterable_of_py(["it's a1b", None])).to_pylist()
    ["It'S A1B", None]
    """
    known = StringCharacterTypes.ALPHA, StringCharacterTypes.CASE_TYPES
    if sequence_type not in known:
        raise NotImplementedError(
            f"`sequence_type` is {sequence_type!r}; words are runs of ALPHA or CASE_TYPES"
        )
    return _rust.title(input, sequence_type == StringCharacterTypes.ALPHA, stream, mr)


def is_title(
    input: Column, stream: CudaStreamLike | None = None, mr: DeviceMemoryResource | None = None
) -> Column:
    """Return whether every word of each text begins with upper case, with lower case in the rest.

    Parameters
    ----------
    input : Column
        Texts.
    stream : Stream or object with ``__cuda_stream__``, optional
        Stream that the work is given to; by default the thread's own stream of the device.
    mr : DeviceMemoryResource, optional
        Memory of the result; by default the current resource of the stream's or the inputs' device.

    Returns
    -------
    Column
        BOOL8, false for texts without letters; null for nulls.

    Examples
    --------
    >>> is_title(Column.from_iterable_of_py(["New York", "new york", "", None])).to_pylist()
    [True, False, False, None]
    """
    return _rust.is_title(input, stream, mr)
