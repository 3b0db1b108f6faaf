"""Avro: `read_avro`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum import _cuprum
from cuprum.core.arguments import only_known
from cuprum.core.objects import wrap_frame
from cuprum.io.sources import one_source

if TYPE_CHECKING:
    from cuprum.core.dataframe import DataFrame

__all__ = ["read_avro"]


def read_avro(
    filepath_or_buffer: Any,
    columns: Any = None,
    skiprows: int | None = None,
    num_rows: int | None = None,
    storage_options: Any = None,
    **kwargs: Any,
) -> DataFrame:
    """Read an Avro object container file.

    Parameters
    ----------
    filepath_or_buffer
        A path, ``bytes``, an open file, or an address that fsspec opens.
    columns
        The columns to read, by name, in that order; all without it.
    skiprows, num_rows
        How many rows to pass over, and how many to read then.
    storage_options
        What fsspec is to know to open an address.

    Enumerations are categories; a union is of ``null`` and one other type. Raises ``FileNotFoundError``,
    ``ValueError`` for a file that is cut short, damaged or no Avro, ``KeyError`` for an unknown column, and
    ``NotImplementedError`` for a type that there is no column of.
    """
    only_known("read_avro", kwargs)
    for name, value in (("skiprows", skiprows), ("num_rows", num_rows)):
        if value is not None and (not hasattr(value, "__index__") or value < 0):
            raise ValueError(f"`{name}` must be an integer >= 0, not {value!r}")
    if columns is not None:
        columns = [str(label) for label in columns]
    source = one_source(filepath_or_buffer, "filepath_or_buffer", storage_options)
    return wrap_frame(_cuprum.read_avro(source, columns, skiprows or 0, num_rows))
