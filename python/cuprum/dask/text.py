"""Text: Dask makes pandas' objects to Arrow's text where frames come in; ours is text already."""

from __future__ import annotations

from typing import Any

from dask.dataframe import _pyarrow

import cuprum

__all__ = ["is_text_of_objects"]


def is_text_of_objects(dtype: Any) -> bool:
    """Whether elements of a dtype are to become Arrow's text; none of ours is."""
    return not isinstance(dtype, cuprum.DType) and _pyarrow.is_object_string_dtype(dtype)


_pyarrow.to_pyarrow_string.keywords["dtype_check"] = is_text_of_objects
