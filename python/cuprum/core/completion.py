"""Completion in IPython behind ``df["`` and ``df.loc[:, "``.

IPython asks objects for ``_ipython_key_completions_``. It evaluates what stands before the bracket only where that is
known to change nothing: its policy lists pandas' classes by name, and is told ours when its module has been imported.
"""

from __future__ import annotations

from itertools import islice, product
from typing import Any

from cuprum.options import get_option

__all__ = ["keys_of_cells", "keys_of_columns", "keys_of_rows"]


def keys_of_columns(frame: Any) -> list[Any]:
    """Return the labels of the columns, each once."""
    return list(dict.fromkeys(frame._handle.labels()))


def keys_of_rows(obj: Any) -> list[Any]:
    """Return the labels of the first rows: as many as the option ``display.max_dir_items`` says."""
    return list(dict.fromkeys(obj.index[: get_option("display.max_dir_items")].to_list()))


def keys_of_cells(frame: Any) -> list[Any]:
    """Return pairs of the labels of a row and a column, of the first rows."""
    pairs = product(keys_of_rows(frame), keys_of_columns(frame))
    return list(islice(pairs, 10_000))
