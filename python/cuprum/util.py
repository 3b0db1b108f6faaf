"""Numbers that stand for elements: ``pandas.util``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuprum.core.algorithms import from_pandas

if TYPE_CHECKING:
    from cuprum.core.series import Series
    from cuprum.typing import Array

__all__ = ["hash_array", "hash_pandas_object"]


def hash_array(vals: Any, **options: Any) -> Array:
    """Return pandas' hash of each element of an array; the options are pandas'."""
    import pandas as pd

    return pd.util.hash_array(vals, **options)


def hash_pandas_object(obj: Any, **options: Any) -> Series:
    """Return pandas' hash of each row of a frame, a series or an index; the options are pandas'.

    Examples
    --------
    >>> import cuprum
    >>> hash_pandas_object(cuprum.Series([1, 1]), index=False).nunique()
    1
    """
    import pandas as pd

    theirs = obj.to_pandas() if hasattr(obj, "to_pandas") else obj
    return from_pandas(pd.util.hash_pandas_object(theirs, **options))
